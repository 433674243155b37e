//! A jump, by the rig alone and with flesh that follows through.

use super::super::{Size, chart, curve};
use anyhow::Result;
use glam::Vec3;
use serde::Serialize;
use sinew_flesh::{FleshFrames, FleshMotion, FleshPreset, FleshRig, FleshRun, FleshSkin};
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_model::motion::{BakeSettings, Humanoid, Jump, JumpSettings};
use sinew_picture::chart::Curve;
use sinew_render::{Image, contact_sheet};
use sinew_rig::{HumanoidBone, guess_humanoid};
use sinew_scene::body::PatchedBody;
use sinew_scene::flesh::{FleshArtist, FleshPicture};
use sinew_skin::Method;
use std::sync::Arc;

/// How far a part of the body swings up and down against the rig.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JumpRow {
    /// The part.
    pub part: String,
    /// Farthest above and below where the rig has it, millimetres.
    pub up_mm: f64,
    /// Below.
    pub down_mm: f64,
    /// Root mean square over the second after landing, millimetres.
    pub after_mm: f64,
}

const FPS: f64 = 60.0;

/// Pictures of the strip, for each of the rig and the flesh.
const CELLS: usize = 6;

/// Parts that hang from a bone, with the way from its head to where they are, as shares of the body's height.
const PARTS: [(&str, HumanoidBone, Vec3); 5] = [
    ("chest", HumanoidBone::Chest, Vec3::new(0.05, 0.06, 0.1)),
    ("belly", HumanoidBone::Spine, Vec3::new(0.0, 0.0, 0.1)),
    ("buttock", HumanoidBone::Hips, Vec3::new(0.05, -0.03, -0.1)),
    ("thigh", HumanoidBone::LeftUpperLeg, Vec3::new(0.02, -0.12, 0.05)),
    ("calf", HumanoidBone::LeftLowerLeg, Vec3::new(0.0, -0.07, -0.05)),
];

/// Rows, a strip of pictures, and curves.
pub(super) fn figure(body: &PatchedBody, size: Size) -> Result<(Vec<JumpRow>, Image, Image)> {
    let human = &body.character;
    let map = guess_humanoid(human);
    let humanoid = Humanoid::new(human, &map)?;
    let jump = Jump::new(&humanoid, &JumpSettings::default())?;
    let clip = jump.to_clip(&BakeSettings { fps: 120.0, ..BakeSettings::default() });
    let motion = FleshMotion::new(clip, FPS);
    let rig = super::rig(human, &FleshPreset::Heavy.settings())?;
    let run = FleshRun::new(&rig, Method::Lbs).with_skin(body.deformer.clone());
    let frames = run.play(&motion, &Progress::none())?;
    let mut still = FleshFrames::clone(&frames);
    still.deviations.iter_mut().flatten().for_each(|away| *away = Vec3::ZERO);
    let mut cells = Vec::new();
    let count = frames.deviations.len();
    let moments = (0..CELLS).map(|cell| (0.3 + 0.1 * cell as f64) * count as f64).map(|frame| frame as usize);
    for (frames, name) in [(&Arc::new(still), "rig"), (&frames, "flesh")] {
        let picture = FleshPicture { size, ..FleshPicture::default() };
        let mut artist = FleshArtist::new(&run, &motion, frames, &picture, &mut Report::default());
        for frame in moments.clone() {
            cells.push((artist.draw(frame)?, format!("{name}, {:.2} s", frame as f64 / FPS)));
        }
    }
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    let heights = heights(&rig, &map, &mut skin);
    let rows = PARTS.iter().zip(&heights).map(|((part, ..), heights)| row(part, heights)).collect();
    let curves = PARTS.iter().zip(&heights).enumerate().map(|(number, ((part, ..), heights))| {
        let points = heights.iter().enumerate().map(|(frame, height)| [frame as f64 / FPS, *height]);
        Curve { has_dots: false, ..curve(number, part, points.collect()) }
    });
    let (title, axes) = ("A jump: skin above and below the rig", ["seconds", "millimetres"]);
    let chart = chart(title, axes, [-10.0, 10.0], curves.collect());
    Ok((rows, contact_sheet(&cells, CELLS, None)?, chart.draw((2 * size.0, 3 * size.1 / 2))?))
}

/// Height of each part above where the rig has it, millimetres, in every frame.
fn heights(rig: &FleshRig, map: &sinew_rig::HumanoidMap, skin: &mut FleshSkin) -> Vec<Vec<f64>> {
    let rest = &rig.covered.surface.positions;
    let places = rig.character().skeleton().rest_model_from_bone();
    let height = sinew_geometry::Bounds::of(rest).size().y;
    let nearest = |(_, bone, offset): &(&str, HumanoidBone, Vec3)| {
        let head = map.get(*bone).map_or(Vec3::ZERO, |bone| places[bone.index()].translation.into());
        let wanted = head + *offset * height;
        let apart = |vertex: &usize| rest[*vertex].distance_squared(wanted);
        (0..rest.len()).min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(0)
    };
    let vertices: Vec<usize> = PARTS.iter().map(nearest).collect();
    let mut curves = vec![Vec::new(); PARTS.len()];
    for frame in 0..skin.frame_count() {
        skin.set_positions(frame);
        for (curve, &vertex) in curves.iter_mut().zip(&vertices) {
            curve.push(1e3 * f64::from(skin.deviations()[vertex].y));
        }
    }
    curves
}

fn row(part: &str, heights: &[f64]) -> JumpRow {
    let after = &heights[heights.len().saturating_sub(FPS as usize)..];
    let squares: f64 = after.iter().map(|height| height * height).sum();
    JumpRow {
        part: part.to_owned(),
        up_mm: heights.iter().copied().fold(0.0, f64::max),
        down_mm: -heights.iter().copied().fold(0.0, f64::min),
        after_mm: (squares / after.len().max(1) as f64).sqrt(),
    }
}
