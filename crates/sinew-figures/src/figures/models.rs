//! Models 1 to 7 of \[Hagihara14\], rebuilt: its pictures give shapes and poses, but no lengths.

use super::chain::{Chain, Section};
use glam::{Quat, Vec3};
use sinew_rig::{Character, Pose};
use sinew_skin::JointRange;
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
    /// Unit, from the model to the eye.
    pub toward_eye: Vec3,
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
        two_bones(names, 0.0, (0.35, 0.7), |chain| chain.strip(40, 0.1))
    }

    /// Model 2: the same strip, bent by 0.5 rad at the child's head.
    pub fn strip_bent() -> Self {
        let names = ["model2", "2: bent strip", "fig. 15–18"];
        two_bones(names, 0.5, (0.35, 0.7), |chain| chain.strip(40, 0.1))
    }

    /// Model 3: calf and foot, 1.3 rad apart in rest, with a soft range three times as long as the ankle is thick. The toes are lifted
    /// by 60°, more than a foot can, so that the faults show.
    pub fn calf_and_foot() -> Self {
        let chain = Chain::new(Vec3::NEG_Y, &[("calf", 0.4, 0.0), ("foot", 0.2, 1.3)], &[(0.12, 0.12)]);
        // Rows where the soft range begins and ends: there the kinks are.
        let character = chain.tube(32, 90, |along| {
            let down = (along / 0.4).min(1.0);
            let calf = 0.042 + 0.016 * (down * 2.6).sin().max(0.0);
            let toe = ((along - 0.4) / 0.2).clamp(0.0, 1.0);
            Section { radius: calf * (1.0 - 0.45 * toe), off_axis: 0.0 }
        });
        Self::new(["model3", "3: calf and foot", "fig. 19–23"], (chain, character), &[("foot", bend(60.0))])
    }

    /// Model 4: a lock of hair of four bones, each turned by 40°.
    pub fn hair() -> Self {
        let bones =
            [("hair.0", 0.12, 0.0), ("hair.1", 0.12, 0.15), ("hair.2", 0.12, 0.15), ("hair.3", 0.12, 0.15)];
        let chain = Chain::new(Vec3::NEG_Y, &bones, &[(0.04, 0.07); 3]);
        let length = chain.length();
        let character = chain.tube(20, 96, |along| Section {
            radius: 0.028 - 0.022 * (along / length).powi(2),
            off_axis: 0.0,
        });
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
        Self::new(["model5-twist", "5: elbow, twisted", "fig. 38–41"], arm(off_axis), &[("forearm", twist)])
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
        Self { key, title, source, ranges: chain.ranges(), character, pose, toward_eye }
    }
}

/// Two bones, the second bent by so much in rest, and by 90° more in the pose.
fn two_bones(
    names: [&'static str; 3],
    bend_rad: f32,
    soft: (f32, f32),
    skin: impl Fn(&Chain) -> Character,
) -> FigureModel {
    let chain = Chain::new(Vec3::Y, &[("parent", 1.0, 0.0), ("child", 1.0, bend_rad)], &[soft]);
    let character = skin(&chain);
    FigureModel::new(names, (chain, character), &[("child", bend(90.0))])
}

/// Straight, 0.1 m in radius.
fn cylinder(names: [&'static str; 3], soft: (f32, f32), rows: u32) -> FigureModel {
    two_bones(names, 0.0, soft, |chain| chain.tube(40, rows, |_| Section { radius: 0.1, off_axis: 0.0 }))
}

fn bend(degrees: f32) -> Quat {
    Quat::from_rotation_z(degrees.to_radians())
}

/// Collar bone, upper arm and forearm along +X.
fn arm(off_axis: f32) -> (Chain, Character) {
    let bones = [("collar", 0.16, 0.0), ("upper_arm", 0.28, 0.0), ("forearm", 0.26, 0.0)];
    let chain = Chain::new(Vec3::X, &bones, &[(0.09, 0.12), (0.045, 0.05)]);
    let character = chain.tube(32, 140, |along| {
        let out = (along / chain.length()).clamp(0.0, 1.0);
        Section { radius: 0.066 - 0.034 * out.sqrt(), off_axis }
    });
    (chain, character)
}
