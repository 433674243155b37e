//! Control points of a bent joint: figure 20.

use super::super::Size;
use super::sketch::{BLUE, GRAY, RED, SKIN, Sketch, tube_named};
use anyhow::{Context, Result};
use glam::DVec3;
use sinew_body::limb::BendMode;
use sinew_body::pose::{BodyPose, JointPose, PosedBody};
use sinew_body::{Body, Flank};
use sinew_render::Image;

/// Angles of the knee from rest, degrees.
const BENDS_DEG: [f64; 5] = [0.0, 45.0, 90.0, 120.0, 150.0];

/// The knee with the rows beside its ring, by the source's equations above and by the bisector below.
pub(super) fn cells(body: &Body, size: Size) -> Result<Vec<(Image, String)>> {
    let index = tube_named(body, "leg").context("the body has no leg")?;
    let leg = &body.tubes[index];
    let ring =
        leg.rings.iter().position(|&ring| body.rings[ring].name == "knee").context("the leg has no knee")?;
    let rest_m3 = body.volume();
    let mut posed = PosedBody::new(body.clone());
    let shank = posed.figure().find("shank", Flank::Left).context("the body has no shank")?;
    let mut cells = Vec::new();
    for (mode, name) in [(BendMode::Source, "source"), (BendMode::Bisector, "bisector")] {
        posed.bend = mode;
        for deg in BENDS_DEG {
            let mut pose = BodyPose::rest(posed.figure());
            pose.set_joint(posed.figure(), shank, &JointPose::bent(deg.to_radians()));
            posed.set(&pose);
            let change = 100.0 * (posed.body().volume() / rest_m3 - 1.0);
            let caption = format!("20: {name}, {deg:.0}°, volume {change:+.2} %");
            cells.push((joint(body, posed.body(), (index, ring), size)?, caption));
        }
    }
    Ok(cells)
}

/// The two bays at a ring, and the control points of the ring and the rows beside it: inside red, outside blue.
fn joint(rest: &Body, posed: &Body, (tube, ring): (usize, usize), size: Size) -> Result<Image> {
    let (at_rest, bent) = (&rest.tubes[tube].tube, &posed.tubes[tube].tube);
    let row = 4 * ring;
    let center = at_rest.row(row).iter().sum::<DVec3>() / at_rest.row_len() as f64;
    let mut sketch = Sketch::default();
    for bay in [ring - 1, ring] {
        for patch in 0..bent.patch_count() {
            sketch.patch(&bent.patch(bay, patch), SKIN, 0.4);
        }
    }
    for column in 0..bent.row_len() {
        // A knee bends backward.
        let is_inside = at_rest.row(row)[column].z < center.z;
        let color = if is_inside { RED } else { BLUE };
        let along: Vec<DVec3> = (row - 2..=row + 2).map(|row| bent.row(row)[column]).collect();
        sketch.path(&along, GRAY, 1.0);
        sketch.path(&along[1..4], color, 2.2);
        sketch.dots(&along[1..4], color, 3.5);
    }
    sketch.drawn(DVec3::X + 0.15 * DVec3::Z, size)
}
