//! An elbow that is bent, with and without muscles.

use super::super::{Size, table};
use anyhow::Result;
use glam::{Affine3A, Quat, Vec3};
use serde::Serialize;
use sinew_flesh::{FleshMotion, FleshPreset, FleshRig, FleshRun, FleshSkin};
use sinew_geometry::progress::Progress;
use sinew_geometry::smooth_step_f64;
use sinew_io::Report;
use sinew_picture::CameraChoice;
use sinew_render::{Image, contact_sheet};
use sinew_rig::{
    BoneId, Channel, Character, Clip, HumanoidBone, HumanoidMap, Interpolation, Track, guess_humanoid,
};
use sinew_scene::body::PatchedBody;
use sinew_scene::flesh::{FleshArtist, FleshPicture};
use sinew_skin::Method;
use std::sync::Arc;

/// The upper arm at an angle of the elbow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ElbowRow {
    /// Whether muscles contract.
    pub has_muscles: bool,
    /// Degrees that the elbow is bent from straight.
    pub bend_deg: f64,
    /// Girth of the upper arm where the biceps is thickest, centimetres.
    pub girth_cm: f64,
    /// Volume of all flesh over that of the skinned body.
    pub volume: f64,
}

/// Bends that are shown, degrees.
const BENDS_DEG: [f64; 5] = [0.0, 35.0, 70.0, 105.0, 140.0];

/// Seconds to bend, and to come to rest.
const BEND_SECS: f64 = 4.0;
const REST_SECS: f64 = 1.0;

/// Where the biceps is thickest, as a share of the way from shoulder to elbow.
const BICEPS: f32 = 0.5;

const FPS: f64 = 30.0;

pub(super) fn figure(body: &PatchedBody, size: Size) -> Result<(Vec<ElbowRow>, Image)> {
    let arm = Arm::of(&body.character);
    let (mut rows, mut cells) = (Vec::new(), Vec::new());
    for has_muscles in [false, true] {
        let mut settings = FleshPreset::Natural.settings();
        if !has_muscles {
            settings.muscles.drive.strength = 0.0;
        }
        let rig = super::rig(&body.character, &settings)?;
        for bend_deg in BENDS_DEG {
            let (row, image) = bent((body, &rig), &arm, (bend_deg, has_muscles), size)?;
            let what = if has_muscles { "with muscles" } else { "c = 1" };
            cells.push((image, format!("{bend_deg:.0}°, {what}: girth {:.1} cm", row.girth_cm)));
            rows.push(row);
        }
    }
    Ok((rows, contact_sheet(&cells, BENDS_DEG.len(), None)?))
}

/// A left arm at rest, model space.
struct Arm {
    lower: BoneId,
    shoulder: Vec3,
    elbow: Vec3,
    /// Turns about this bend the elbow forward.
    axis: Vec3,
    parent: Quat,
    rest: Quat,
    /// How far the elbow is bent at rest.
    rest_deg: f64,
}

impl Arm {
    fn of(human: &Character) -> Self {
        let map: HumanoidMap = guess_humanoid(human);
        let bone = |bone| map.get(bone).unwrap_or(BoneId::of(0));
        let places = human.skeleton().rest_model_from_bone();
        let head = |bone: BoneId| Vec3::from(places[bone.index()].translation);
        let (upper, lower) = (bone(HumanoidBone::LeftUpperArm), bone(HumanoidBone::LeftLowerArm));
        let (shoulder, elbow) = (head(upper), head(lower));
        let wrist = head(bone(HumanoidBone::LeftHand));
        let turn = |place: &Affine3A| Quat::from_mat3a(&place.matrix3).normalize();
        let parent = human.skeleton().bone(lower).parent;
        let parent = parent.map_or(Quat::IDENTITY, |parent| turn(&places[parent.index()]));
        Self {
            lower,
            shoulder,
            elbow,
            axis: (elbow - shoulder).cross(Vec3::Z).normalize_or(Vec3::X),
            parent,
            rest: parent.inverse() * turn(&places[lower.index()]),
            rest_deg: f64::from((elbow - shoulder).angle_between(wrist - elbow)).to_degrees(),
        }
    }

    /// Bends slowly, and comes to rest.
    fn clip(&self, bend_deg: f64) -> Clip {
        let bend_deg = bend_deg - self.rest_deg;
        let keys = [(0.0, 0.0), (BEND_SECS, bend_deg), (BEND_SECS + REST_SECS, bend_deg)];
        let steps = 24;
        let mut times_secs = Vec::new();
        let mut turns = Vec::new();
        for pair in keys.windows(2) {
            for step in 0..=steps {
                let share = f64::from(step) / f64::from(steps);
                let time = pair[0].0 + share * (pair[1].0 - pair[0].0);
                if times_secs.last().is_some_and(|last| time <= *last) {
                    continue;
                }
                let eased = smooth_step_f64(share);
                let angle = (pair[0].1 + eased * (pair[1].1 - pair[0].1)).to_radians() as f32;
                let turn = Quat::from_axis_angle(self.axis, angle);
                times_secs.push(time);
                turns.push(self.parent.inverse() * turn * self.parent * self.rest);
            }
        }
        let track = Track {
            times_secs,
            interpolation: Interpolation::Linear,
            channel: Channel::Rotation(self.lower, turns),
        };
        Clip { name: "bend".into(), tracks: vec![track] }
    }

    /// Where the biceps is thickest.
    fn biceps(&self) -> Vec3 {
        self.shoulder.lerp(self.elbow, BICEPS)
    }

    /// Length of the line in which the plane across the arm meets the skin of the upper arm.
    fn girth_m(&self, rig: &FleshRig, skin: &FleshSkin) -> f64 {
        let along = (self.elbow - self.shoulder).normalize_or(Vec3::X);
        let length = self.shoulder.distance(self.elbow);
        let rest = &rig.covered.surface.positions;
        // The trunk beside the arm and the forearm before it do not count.
        let is_arm = |vertex: u32| {
            let offset = rest[vertex as usize] - self.shoulder;
            let share = offset.dot(along) / length;
            let aside = (offset - along * offset.dot(along)).length();
            (0.2..1.0).contains(&share) && aside < 0.3 * length
        };
        let height = |vertex: u32| (skin.positions()[vertex as usize] - self.biceps()).dot(along);
        let crossing = |from: u32, to: u32| {
            let (a, b) = (height(from), height(to));
            let place = |vertex: u32| skin.positions()[vertex as usize];
            ((a >= 0.0) != (b >= 0.0)).then(|| place(from).lerp(place(to), a / (a - b)))
        };
        let mut girth = 0.0;
        let triangles = &rig.covered.surface.triangles;
        for &[a, b, c] in triangles.iter().filter(|corners| corners.iter().all(|&v| is_arm(v))) {
            let ends: Vec<Vec3> =
                [(a, b), (b, c), (c, a)].iter().filter_map(|&(from, to)| crossing(from, to)).collect();
            if let [from, to] = ends[..] {
                girth += f64::from(from.distance(to));
            }
        }
        girth
    }
}

fn bent(
    (body, rig): (&PatchedBody, &Arc<FleshRig>),
    arm: &Arm,
    (bend_deg, has_muscles): (f64, bool),
    size: Size,
) -> Result<(ElbowRow, Image)> {
    let clip = arm.clip(bend_deg);
    let motion = FleshMotion::new(clip, FPS);
    let run = FleshRun::new(rig, Method::Lbs).with_skin(body.deformer.clone());
    let frames = run.play(&motion, &Progress::none())?;
    let last = frames.deviations.len() - 1;
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    skin.set_positions(last);
    let told = sinew_scene::flesh::FleshReport::new(&run, &motion, &frames, Default::default());
    let row = ElbowRow {
        has_muscles,
        bend_deg,
        girth_cm: 100.0 * arm.girth_m(rig, &skin),
        volume: told.volumes[last] / told.skinned_volumes[last],
    };
    let out = (arm.elbow - arm.shoulder).length();
    let target = arm.shoulder.lerp(arm.elbow, 0.7) + Vec3::Z * (0.3 * out);
    // Across the plane in which the arm bends, from outside.
    let aside = if arm.axis.x < 0.0 { -arm.axis } else { arm.axis };
    let picture = FleshPicture {
        camera: CameraChoice::At {
            eye: target + (aside + Vec3::Z * 0.15).normalize() * (5.0 * out),
            target,
            vertical_fov_rad: 22f32.to_radians(),
        },
        size,
        ..FleshPicture::default()
    };
    let mut artist = FleshArtist::new(&run, &motion, &frames, &picture, &mut Report::default());
    Ok((row, artist.draw(last)?))
}

pub(super) fn csv(rows: &[ElbowRow]) -> String {
    table("muscles,bend_deg,girth_cm,volume_over_skinned", rows, |row| {
        format!("{},{},{:.3},{:.5}", row.has_muscles, row.bend_deg, row.girth_cm, row.volume)
    })
}
