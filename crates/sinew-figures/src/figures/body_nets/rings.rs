//! Control points round bones and joints: figures 15, 16 and 17.

use super::super::Size;
use super::sketch::{BLUE, GRAY, GREEN, INK, RED, SKIN, Sketch, tube_named};
use anyhow::{Context, Result};
use glam::DVec3;
use sinew_body::{Body, Flank};
use sinew_render::Image;

/// From the front, a little aside and above.
const ASLANT: DVec3 = DVec3::new(0.6, 0.35, 1.0);

pub(super) fn cells(body: &Body, size: Size) -> Result<Vec<(Image, String)>> {
    Ok(vec![
        around_bones(body, size)?,
        around_joint(body, "knee", size)?,
        around_joint(body, "waist", size)?,
        middle(body, size)?,
    ])
}

/// Figure 15: rows of the arm: A at rings, B between them, C beside A.
fn around_bones(body: &Body, size: Size) -> Result<(Image, String)> {
    let arm = &body.tubes[tube_named(body, "arm").context("the body has no arm")?];
    let tube = &arm.tube;
    let mut sketch = Sketch::default();
    for patch in tube.patches() {
        sketch.patch(&patch, SKIN, 0.35);
    }
    for (index, name) in [("upper_arm", "shoulder"), ("forearm", "elbow")] {
        if let Some(bone) = body.bones.iter().find(|bone| bone.name == index && bone.flank == Flank::Left) {
            let ends = [body.joints[bone.from].position, body.joints[bone.to].position];
            sketch.path(&ends, INK, 4.0);
            sketch.dots(&ends, INK, 6.0);
            sketch.label(name, ends[0], INK);
        }
    }
    for row in 0..tube.row_count() {
        let (color, width, name) = match row % 4 {
            0 => (RED, 2.5, "A"),
            2 => (BLUE, 1.8, "B"),
            _ => (GREEN, 1.2, "C"),
        };
        sketch.ring(tube.row(row), color, width);
        sketch.label(name, tube.row(row)[0], color);
    }
    let caption = format!("15: {} rows of the arm: A rings, B middles, C legs", tube.row_count());
    Ok((sketch.drawn(ASLANT, size)?, caption))
}

/// Figure 16: the ring of a joint in its own plane, with both thicknesses; corners lie on the axis of the bend.
fn around_joint(body: &Body, name: &str, size: Size) -> Result<(Image, String)> {
    let ring = body.rings.iter().find(|ring| ring.name == name && ring.flank != Flank::Right);
    let ring = ring.context("the body has no such ring")?;
    let points = body.tubes[ring.tube].tube.row(ring.row);
    let len = points.len();
    let center = points.iter().sum::<DVec3>() / len as f64;
    // The first seam lies on the ring's axis, the next quarter across it.
    let (axis, across) = ([points[0], points[len / 2]], [points[len / 4], points[3 * len / 4]]);
    let mut sketch = Sketch::default();
    let curve: Vec<DVec3> = {
        let arcs = body.tubes[ring.tube].tube.arcs(ring.row);
        arcs.flat_map(|arc| (0..12).map(move |step| arc.at(f64::from(step) / 12.0))).collect()
    };
    let closed: Vec<DVec3> = curve.iter().chain(curve.first()).copied().collect();
    sketch.path(&closed, INK, 3.0);
    sketch.ring(points, RED, 1.5);
    let beyond =
        |ends: [DVec3; 2]| [ends[0] + 0.15 * (ends[0] - ends[1]), ends[1] - 0.15 * (ends[0] - ends[1])];
    sketch.path(&beyond(axis), GRAY, 1.5);
    sketch.path(&axis, BLUE, 2.5);
    sketch.path(&across, GREEN, 2.5);
    sketch.label("L1", axis[0].lerp(center, 0.4), BLUE);
    sketch.label("L2", across[0].lerp(center, 0.4), GREEN);
    sketch.label("axis", beyond(axis)[0], GRAY);
    sketch.dots(&[center], INK, 4.5);
    sketch.dots(&axis, BLUE, 6.0);
    let mm = |ends: [DVec3; 2]| 1e3 * ends[0].distance(ends[1]);
    let normal = (axis[0] - center).cross(across[0] - center).normalize_or(DVec3::Y);
    let toward = if normal.y < 0.0 { -normal } else { normal };
    let caption = format!("16: A round the {name}: L1 {:.0} mm, L2 {:.0} mm", mm(axis), mm(across));
    Ok((sketch.drawn(toward + 0.35 * DVec3::Z, size)?, caption))
}

/// Figure 17: row B of the forearm, moved from halfway between the rings to what the thickness there asks for.
fn middle(body: &Body, size: Size) -> Result<(Image, String)> {
    let arm = &body.tubes[tube_named(body, "arm").context("the body has no arm")?];
    let bay = arm.bays.iter().position(|bay| bay == "forearm").context("the arm has no forearm")?;
    let (tube, row) = (&arm.tube, 4 * bay);
    let mut sketch = Sketch::default();
    for k in 0..tube.patch_count() {
        sketch.patch(&tube.patch(bay, k), SKIN, 0.35);
    }
    let halfway: Vec<DVec3> =
        tube.row(row).iter().zip(tube.row(row + 4)).map(|(a, b)| a.midpoint(*b)).collect();
    sketch.ring(tube.row(row), RED, 2.5);
    sketch.ring(tube.row(row + 4), RED, 2.5);
    sketch.ring(&halfway, GRAY, 1.5);
    sketch.ring(tube.row(row + 2), BLUE, 2.5);
    let mut most_mm = 0.0f64;
    for (from, to) in halfway.iter().zip(tube.row(row + 2)) {
        sketch.path(&[*from, *to], BLUE, 1.2);
        most_mm = most_mm.max(1e3 * from.distance(*to));
    }
    for (text, row) in [("A", row), ("B", row + 2), ("A", row + 4)] {
        sketch.label(text, tube.row(row)[0], if text == "A" { RED } else { BLUE });
    }
    let caption = format!("17: B of the forearm, off halfway (gray) by {most_mm:.0} mm");
    Ok((sketch.drawn(ASLANT, size)?, caption))
}
