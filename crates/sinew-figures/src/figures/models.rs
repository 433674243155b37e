//! Models 1 to 7 of \[Hagihara14\], rebuilt: its pictures give shapes and poses, but no lengths.

use super::chain::{Chain, Ramp, Section};
use glam::{Quat, Vec3};
use sinew_rig::{Character, Pose};
use sinew_skin::{JointRange, Method, calibrate_weights};
use std::f32::consts::FRAC_PI_2;

/// A model in the pose that the source shows it in.
pub struct FigureModel {
    /// Name for files and tables: `model3`, `model5-twist`.
    pub key: &'static str,
    /// What it is.
    pub title: &'static str,
    /// The source's figures of it.
    pub source: &'static str,
    /// The model.
    pub character: Character,
    /// Its soft ranges, set by hand.
    pub ranges: Vec<JointRange>,
    /// How it is posed.
    pub pose: Pose,
    /// Head and tip of each bone at rest.
    pub bones: Vec<[Vec3; 2]>,
    /// Unit, from the model to the eye.
    pub toward_eye: Vec3,
    /// How far around the turned joint the posed pictures show it, metres; without it the whole model.
    pub shown_reach: Option<f32>,
}

impl FigureModel {
    /// All models, in the source's order.
    pub fn all() -> Vec<Self> {
        vec![
            Self::strip_straight(),
            Self::strip_bent(),
            Self::calf_and_foot(),
            Self::hair(),
            Self::shoulder(),
            Self::elbow_bend(),
            Self::elbow_twist(0.006),
            Self::wide_cylinder(),
            Self::narrow_cylinder(),
        ]
    }

    /// Model 1: a straight strip of 80 triangles, its right edge on the axis; the soft range reaches twice as far forth as back.
    pub fn strip_straight() -> Self {
        let names = ["model1", "1: straight strip", "fig. 5–14"];
        two_bones(names, (0.0, Ramp::Linear), (0.35, 0.7), |chain| chain.strip(40, 0.1))
    }

    /// Model 2: the same strip, bent by 0.5 rad at the child's head.
    pub fn strip_bent() -> Self {
        let names = ["model2", "2: bent strip", "fig. 15–18"];
        two_bones(names, (0.5, Ramp::Linear), (0.35, 0.7), |chain| chain.strip(40, 0.1))
    }

    /// Model 2 with weights by smoothstep: the source's were irregular, and bend the middle of the curve (fig. 16–18).
    pub fn strip_smoothstep() -> Self {
        let names = ["model2-smoothstep", "2: bent strip, weights by smoothstep", "fig. 15–18"];
        two_bones(names, (0.5, Ramp::Smoothstep), (0.35, 0.7), |chain| chain.strip(40, 0.1))
    }

    /// Model 6 with weights by smoothstep.
    pub fn wide_smoothstep() -> Self {
        let names = ["model6-smoothstep", "6: cylinder, weights by smoothstep", "fig. 42–45"];
        two_bones(names, (0.0, Ramp::Smoothstep), (0.3, 0.6), |chain| {
            chain.tube(40, 100, |_| Section::round(0.1))
        })
    }

    /// The same model with calibrated weights: linear along the axis of its soft ranges.
    pub fn calibrated(self, key: &'static str) -> Self {
        let settings = self.settings(Method::BEZIER);
        let (character, _) = calibrate_weights(self.character, &settings).expect("the character was valid");
        Self { key, character, ..self }
    }

    /// Model 3: calf and foot, 1.3 rad apart in rest, with a soft range three times as long as the ankle is thick. The toes are lifted
    /// by 60°, more than a foot can, so that the faults show.
    pub fn calf_and_foot() -> Self {
        let chain = Chain::new(Vec3::NEG_Y, &[("calf", 0.4, 0.0), ("foot", 0.2, 1.3)], &[(0.12, 0.12)]);
        // Rows where the soft range begins and ends: there the kinks are.
        let character = chain.tube(32, 90, calf_section);
        Self::new(["model3", "3: calf and foot", "fig. 19–23"], (chain, character), &[("foot", bend(60.0))])
    }

    /// Model 4: a lock of hair of four bones, each turned by 40°.
    pub fn hair() -> Self {
        let bones =
            [("hair.0", 0.12, 0.0), ("hair.1", 0.12, 0.15), ("hair.2", 0.12, 0.15), ("hair.3", 0.12, 0.15)];
        let chain = Chain::new(Vec3::NEG_Y, &bones, &[(0.04, 0.07); 3]);
        let length = chain.length();
        let character = chain.tube(20, 96, |along| Section::round(0.028 - 0.022 * (along / length).powi(2)));
        let turns = [("hair.1", bend(40.0)), ("hair.2", bend(40.0)), ("hair.3", bend(40.0))];
        Self::new(["model4", "4: hair, four bones", "fig. 24–29"], (chain, character), &turns)
    }

    /// Model 5, the shoulder: the arm raised by 80° from the horizontal, with a soft range wider than the arm.
    pub fn shoulder() -> Self {
        let names = ["model5-shoulder", "5: shoulder", "fig. 30–33"];
        Self::new(names, arm(0.0), &[("upper_arm", bend(80.0))])
    }

    /// Model 5, the elbow bent by 75°: a narrow soft range.
    pub fn elbow_bend() -> Self {
        let names = ["model5-bend", "5: elbow, bent", "fig. 34–37"];
        Self::new(names, arm(0.0), &[("forearm", bend(75.0))])
    }

    /// Model 5, the elbow twisted by 90°; the bones are `off_axis` metres beside the limb's middle.
    pub fn elbow_twist(off_axis: f32) -> Self {
        let twist = Quat::from_rotation_x(FRAC_PI_2);
        let names = ["model5-twist", "5: elbow, twisted", "fig. 38–41"];
        let model = Self::new(names, arm(off_axis), &[("forearm", twist)]);
        // The limb's middle turns from +Z to −Y about the bone. Along the chord between, its dent is in the outline; from the front it is hidden.
        Self { toward_eye: Vec3::new(0.0, 1.0, 1.0).normalize(), shown_reach: Some(0.1), ..model }
    }

    /// Model 6: a cylinder with a wide soft range, twice as long forth as back.
    pub fn wide_cylinder() -> Self {
        cylinder(["model6", "6: cylinder, wide range", "fig. 42–45"], (0.3, 0.6), 100)
    }

    /// Model 7: the same cylinder with a soft range as long as it is thick, all but even.
    pub fn narrow_cylinder() -> Self {
        cylinder(["model7", "7: cylinder, narrow range", "fig. 46–49"], (0.09, 0.11), 200)
    }

    fn new(
        [key, title, source]: [&'static str; 3],
        (chain, character): (Chain, Character),
        turns: &[(&str, Quat)],
    ) -> Self {
        let mut pose = Pose::rest(&character);
        for (bone, turn) in turns {
            pose.turn(character.skeleton().find(bone).expect("the chain has this bone"), *turn);
        }
        let toward_eye = Vec3::new(0.0, 0.12, 1.0).normalize();
        let bones = chain.points.windows(2).map(|ends| [ends[0], ends[1]]).collect();
        let ranges = chain.ranges();
        Self { key, title, source, ranges, character, pose, bones, toward_eye, shown_reach: None }
    }
}

/// Two bones, the second bent by so much in rest, and by 90° more in the pose.
fn two_bones(
    names: [&'static str; 3],
    (bend_rad, ramp): (f32, Ramp),
    soft: (f32, f32),
    skin: impl Fn(&Chain) -> Character,
) -> FigureModel {
    let bones = [("parent", 1.0, 0.0), ("child", 1.0, bend_rad)];
    let chain = Chain { ramp, ..Chain::new(Vec3::Y, &bones, &[soft]) };
    let character = skin(&chain);
    FigureModel::new(names, (chain, character), &[("child", bend(90.0))])
}

/// Straight, 0.1 m in radius.
fn cylinder(names: [&'static str; 3], soft: (f32, f32), rows: u32) -> FigureModel {
    two_bones(names, (0.0, Ramp::Linear), soft, |chain| chain.tube(40, rows, |_| Section::round(0.1)))
}

fn bend(degrees: f32) -> Quat {
    Quat::from_rotation_z(degrees.to_radians())
}

/// A value by length along the axis: straight lines between stations, smoothed at each of them.
fn profile(stations: &[(f32, f32)], along: f32) -> f32 {
    let after = stations.partition_point(|station| station.0 <= along).clamp(1, stations.len() - 1);
    let ([(x0, y0), (x1, y1)], eased) =
        ([stations[after - 1], stations[after]], |t: f32| t * t * (3.0 - 2.0 * t));
    y0 + (y1 - y0) * eased(((along - x0) / (x1 - x0)).clamp(0.0, 1.0))
}

/// A calf of 0.4 m and a foot of 0.2 m: thick behind the knee, thin above the ankle, a heel at the corner, a flat foot with a rounded tip.
fn calf_section(along: f32) -> Section {
    const IN_PLANE: [(f32, f32); 8] = [
        (0.0, 0.050),
        (0.12, 0.060),
        (0.32, 0.038),
        (0.40, 0.062),
        (0.46, 0.044),
        (0.55, 0.026),
        (0.585, 0.020),
        (0.60, 0.003),
    ];
    const ACROSS: [(f32, f32); 8] = [
        (0.0, 0.050),
        (0.12, 0.056),
        (0.32, 0.032),
        (0.40, 0.034),
        (0.46, 0.036),
        (0.55, 0.042),
        (0.585, 0.034),
        (0.60, 0.005),
    ];
    let radius = profile(&IN_PLANE, along);
    Section { radius, across: profile(&ACROSS, along) / radius, off_axis: 0.0 }
}

/// Chest with collar bone, upper arm and forearm with a hand along +X. Sections are round where the joints are soft.
fn arm(off_axis: f32) -> (Chain, Character) {
    // Lengths begin where the chest is cut; numbers of the sections begin `CHEST_LENGTH` farther out.
    const CHEST_LENGTH: f32 = 0.08;
    const CHEST: [(f32, f32); 2] = [(-0.2, 0.18), (0.07, 0.0)];
    // Of the upper arm, of the forearm, and thinner at the wrist.
    const MUSCLES: [(f32, f32); 6] =
        [(0.28, 0.0), (0.335, 0.004), (0.39, 0.0), (0.495, 0.0), (0.55, 0.003), (0.66, -0.007)];
    // Half the breadth of palm and fingers over that of the wrist; their thickness over their breadth.
    const BREADTH: [(f32, f32); 5] = [(0.66, 1.0), (0.735, 1.75), (0.80, 1.4), (0.85, 0.8), (0.86, 0.3)];
    const FLATNESS: [(f32, f32); 4] = [(-0.08, 0.75), (0.07, 1.0), (0.66, 1.0), (0.735, 0.4)];
    let bones = [("collar", 0.16 + CHEST_LENGTH, 0.0), ("upper_arm", 0.28, 0.0), ("forearm", 0.42, 0.0)];
    let chain = Chain::new(Vec3::X, &bones, &[(0.09, 0.12), (0.045, 0.05)]);
    let character = chain.tube(32, 188, |along| {
        let along = along - CHEST_LENGTH;
        let out = (along / 0.70).clamp(0.0, 1.0);
        let limb = 0.066 - 0.034 * out.sqrt() + profile(&CHEST, along) + profile(&MUSCLES, along);
        Section { radius: limb * profile(&BREADTH, along), across: profile(&FLATNESS, along), off_axis }
    });
    (chain, character)
}
