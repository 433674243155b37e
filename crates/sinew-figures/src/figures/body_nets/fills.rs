//! Where tubes meet, and how the holes are filled: figures 6 to 10 and 14.

use super::super::Size;
use super::sketch::{BLUE, FILL, GRAY, GREEN, INK, RED, SIX, SKIN, Sketch, fill_named, outward};
use anyhow::{Context, Result};
use glam::DVec3;
use sinew_body::{Body, Flank, Patch};
use sinew_render::Image;
use std::f64::consts::TAU;

/// Fills of five and six sides between roots of fingers.
const FIVE: &str = "dorsal_index_middle";
const SIX_SIDES: &str = "dorsal_middle_ring";

/// Figure 6: patches round shoulder, fingers and thumb; 7: fills of five and six patches; 14: their center.
pub(super) fn layout(body: &Body, size: Size) -> Result<Vec<(Image, String)>> {
    let mut cells = Vec::new();
    for (fill, reach_m, what) in [
        ("chest_upper", 0.27, "6a: neck, chest and arm"),
        ("hip_front", 0.27, "6a: belly and leg"),
        (SIX_SIDES, 0.075, "6b: fingers and back of the hand"),
        ("dorsal_thumb_index", 0.075, "6c: thumb"),
    ] {
        cells.push((around(body, fill, reach_m, size)?, format!("{what}; tubes and fills")));
    }
    for name in [FIVE, SIX_SIDES] {
        let (_, patches) = fill_named(body, name).context("the body has no such fill")?;
        let mut sketch = Sketch::default();
        for (patch, color) in patches.iter().zip(SIX) {
            sketch.patch(patch, color, 1.0);
            sketch.border(patch, INK, 2.0);
        }
        let (count, jump) = (patches.len(), spoke_jump_deg(&patches));
        let caption = format!("7: {count} patches, {jump:.0e}° between their normals");
        cells.push((sketch.drawn(outward(&patches), size)?, caption));
    }
    for name in ["chest_upper", FIVE] {
        cells.push(center(body, name, size)?);
    }
    Ok(cells)
}

/// All patches near a fill: flesh-colored tubes, blue fills, with their edges.
fn around(body: &Body, fill: &str, reach_m: f64, size: Size) -> Result<Image> {
    let (_, patches) = fill_named(body, fill).context("the body has no such fill")?;
    let (middle, toward) = (patches[0].net[4][4], outward(&patches));
    let mut sketch = Sketch::default();
    // The head would be cut through.
    let below_head = body.patches.iter().filter(|patch| patch.group != "head");
    for patch in below_head.map(|patch| &patch.patch) {
        let is_near = patch.position(0.5, 0.5).distance(middle) < reach_m;
        if is_near && patch.normal(0.5, 0.5).dot(toward) > -0.3 {
            sketch.patch(patch, if patch.is_gregory() { FILL } else { SKIN }, 1.0);
            sketch.border(patch, INK, 1.5);
        }
    }
    sketch.drawn(toward, size)
}

/// Figure 14: the center of a fill, its height over the border's mean, and the spread of the points round it.
fn center(body: &Body, name: &str, size: Size) -> Result<(Image, String)> {
    let (index, patches) = fill_named(body, name).context("the body has no such fill")?;
    let shape = &body.fills[index].shape;
    let at = patches[0].net[4][4];
    let star: Vec<DVec3> = patches.iter().map(|patch| patch.net[4][3]).collect();
    let normal = patches[0].normal(1.0, 1.0);
    let base = at - shape.height_m * normal - shape.center_offset;
    let mut sketch = Sketch::default();
    for patch in &patches {
        sketch.patch(patch, FILL, 0.5);
        sketch.path(&patch.net[4], GRAY, 1.5);
        sketch.border(patch, GRAY, 1.0);
    }
    let bone = &body.bones[body.fills[index].bone];
    let joint = body.joints.iter().filter(|joint| joint.flank != Flank::Right).map(|joint| joint.position);
    let nearest = joint.min_by(|a, b| a.distance(at).total_cmp(&b.distance(at)));
    let from = nearest.unwrap_or(body.joints[bone.from].position);
    sketch.path(&[from, at], GREEN, 2.0);
    sketch.label("V", from.midpoint(at), GREEN);
    sketch.dots(&[from], GREEN, 5.0);
    sketch.ring(&star, BLUE, 2.5);
    sketch.label("S", star[0], BLUE);
    sketch.path(&[base, at], RED, 3.0);
    sketch.dots(&[base, at], RED, 4.5);
    sketch.label("H", base.midpoint(at), RED);
    let aside = normal.cross(DVec3::Y).normalize_or(DVec3::X);
    let caption = format!(
        "14: {}: H {:.1} mm, S {:.2}",
        name.replace('_', " "),
        1e3 * shape.height_m,
        shape.spoke_scale
    );
    Ok((sketch.drawn(normal + 1.2 * aside, size)?, caption))
}

/// Figures 8, 9 and 10 for fills of five and six sides, a row each.
pub(super) fn steps(body: &Body, size: Size) -> Result<Vec<(Image, String)>> {
    let mut cells = Vec::new();
    for name in [FIVE, SIX_SIDES] {
        let (_, patches) = fill_named(body, name).context("the body has no such fill")?;
        let count = patches.len();
        let toward = outward(&patches);
        let mut sketch = Sketch::default();
        halved_border(&mut sketch, &patches);
        cells.push((
            sketch.drawn(toward, size)?,
            format!("8, 9a: {count} sides cut in half, with their legs"),
        ));
        let mut sketch = Sketch::default();
        halved_border(&mut sketch, &patches);
        star(&mut sketch, &patches);
        let h = -2.0 * (TAU / count as f64).cos();
        cells.push((sketch.drawn(toward, size)?, format!("9b: center and star of {count}; h = {h:.3}")));
        let mut sketch = Sketch::default();
        for (patch, color) in patches.iter().zip(SIX) {
            sketch.patch(patch, color, 0.6);
            sketch.net(patch, INK);
        }
        cells.push((sketch.drawn(toward, size)?, format!("9c: nets of the {count} patches")));
        let image = around(body, name, 0.045, size)?;
        let jump = body.check(9).jump_deg;
        cells.push((image, format!("10: joined to its neighbors, {jump:.0e}° on the body")));
    }
    Ok(cells)
}

/// The border of a fill with the points that halve its sides, and the legs that lead inward.
fn halved_border(sketch: &mut Sketch, patches: &[&Patch]) {
    for patch in patches {
        let curve = |along_u: bool| -> Vec<DVec3> {
            let at = |step: i32| f64::from(step) / 12.0;
            let point = |step: i32| {
                if along_u { patch.position(at(step), 0.0) } else { patch.position(0.0, at(step)) }
            };
            (0..=12).map(point).collect()
        };
        sketch.path(&curve(true), INK, 3.0);
        sketch.path(&curve(false), INK, 3.0);
        for i in 0..5 {
            let inner = |fallback: DVec3, corner: Option<DVec3>| corner.unwrap_or(fallback);
            let corners = patch.corners.as_ref();
            let (of_w, of_u) = match i {
                1 => (corners.map(|c| c.cross_w[0]), corners.map(|c| c.cross_u[0])),
                3 => (corners.map(|c| c.cross_w[2]), corners.map(|c| c.cross_u[1])),
                _ => (None, None),
            };
            sketch.path(&[patch.net[i][0], inner(patch.net[i][1], of_w)], GREEN, 2.0);
            sketch.path(&[patch.net[0][i], inner(patch.net[1][i], of_u)], GREEN, 2.0);
        }
        sketch.dots(&[patch.net[0][0]], INK, 5.0);
        sketch.dots(&[patch.net[4][0]], RED, 5.5);
    }
}

/// The center, the regular star round it, and the spokes from the middles of the sides.
fn star(sketch: &mut Sketch, patches: &[&Patch]) {
    for patch in patches {
        sketch.path(&patch.net[4], GRAY, 1.5);
    }
    let star: Vec<DVec3> = patches.iter().map(|patch| patch.net[4][3]).collect();
    sketch.ring(&star, BLUE, 3.0);
    sketch.dots(&[patches[0].net[4][4]], BLUE, 6.0);
}

/// The largest angle between normals along the spokes of a fill.
fn spoke_jump_deg(patches: &[&Patch]) -> f64 {
    let mut worst = 0.0f64;
    for (k, patch) in patches.iter().enumerate() {
        let next = patches[(k + 1) % patches.len()];
        for step in 0..=20 {
            let t = f64::from(step) / 20.0;
            let (a, b) = (patch.normal(1.0, t), next.normal(t, 1.0));
            worst = worst.max(a.cross(b).length().atan2(a.dot(b)).to_degrees());
        }
    }
    worst
}
