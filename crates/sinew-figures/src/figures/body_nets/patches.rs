//! Single patches and joins of two: figures 3, 4, 11 and 12.

use super::super::Size;
use super::sketch::{BLUE, FILL, GREEN, INK, RED, SIX, SKIN, Sketch, fill_named, outward, tube_named};
use anyhow::{Context, Result};
use glam::DVec3;
use sinew_body::patch::CORNERS;
use sinew_body::{Body, Patch};
use sinew_render::Image;
use std::f64::consts::TAU;

pub(super) fn cells(body: &Body, size: Size) -> Result<Vec<(Image, String)>> {
    Ok(vec![bezier(body, size)?, joined(body, size)?, gregory(body, size)?, spoke(body, size)?])
}

/// Figure 3: a patch of the upper arm with its 25 control points.
fn bezier(body: &Body, size: Size) -> Result<(Image, String)> {
    let [patch, _] = front_of_arm(body)?;
    let mut sketch = Sketch::default();
    sketch.patch(&patch, SKIN, 1.0);
    sketch.net(&patch, INK);
    for (text, place) in [("Q00", (0, 0)), ("Q40", (4, 0)), ("Q04", (0, 4)), ("Q44", (4, 4)), ("Q22", (2, 2))]
    {
        sketch.label(text, patch.net[place.0][place.1], INK);
    }
    Ok((sketch.drawn(aslant(&[&patch]), size)?, "3: a Bézier patch of the upper arm, 25 points".into()))
}

/// Figure 4: the next patch along the bone; the legs on both sides of the common row are in one ratio.
fn joined(body: &Body, size: Size) -> Result<(Image, String)> {
    let [first, second] = front_of_arm(body)?;
    let mut sketch = Sketch::default();
    sketch.patch(&first, SKIN, 1.0);
    sketch.patch(&second, SIX[1], 1.0);
    for patch in [&first, &second] {
        sketch.net(patch, INK);
    }
    let mut ratios = Vec::new();
    for i in 0..5 {
        let (before, on, after) = (first.net[i][3], first.net[i][4], second.net[i][1]);
        sketch.path(&[before, on], RED, 4.0);
        sketch.path(&[on, after], BLUE, 4.0);
        ratios.push(after.distance(on) / on.distance(before));
    }
    let mean = ratios.iter().sum::<f64>() / 5.0;
    let off = ratios.iter().map(|ratio| (ratio - mean).abs()).fold(0.0, f64::max);
    let caption = format!("4: two patches, eq. 2: h = {mean:.3} ± {off:.0e}");
    Ok((sketch.drawn(aslant(&[&first, &second]), size)?, caption))
}

/// The patch of the upper arm that faces forward most, and the next one along the arm.
fn front_of_arm(body: &Body) -> Result<[Patch; 2]> {
    let arm = &body.tubes[tube_named(body, "arm").context("the body has no arm")?].tube;
    let faces = |k: &usize| arm.patch(0, *k).normal(0.5, 0.5).z;
    let front = (0..arm.patch_count()).max_by(|a, b| faces(a).total_cmp(&faces(b))).unwrap_or(0);
    Ok([arm.patch(0, front), arm.patch(1, front)])
}

/// Figure 11: the control points of a Gregory patch; four are there twice.
fn gregory(body: &Body, size: Size) -> Result<(Image, String)> {
    let (_, patches) = fill_named(body, "chest_upper").context("the body has no such fill")?;
    let patch = patches[1];
    let corners = patch.corners.context("fills are Gregory patches")?;
    let mut sketch = Sketch::default();
    sketch.patch(patch, FILL, 0.55);
    // Rows and columns 1 and 3 go through split points, which the loop below draws.
    for i in [0, 2, 4] {
        sketch.path(&patch.net[i], INK, 1.5);
        sketch.path(&std::array::from_fn::<DVec3, 5, _>(|j| patch.net[j][i]), INK, 1.5);
    }
    let is_split = |i: usize, j: usize| CORNERS.contains(&(i, j));
    let single = (0..25).map(|k| (k / 5, k % 5)).filter(|&(i, j)| !is_split(i, j));
    let points: Vec<DVec3> = single.map(|(i, j)| patch.net[i][j]).collect();
    sketch.dots(&points, INK, 4.0);
    for (corner, &(i, j)) in CORNERS.iter().enumerate() {
        let (u, w) = (corners.cross_u[corner], corners.cross_w[corner]);
        let (edge_u, edge_w) = (if i == 1 { 0 } else { 4 }, if j == 1 { 0 } else { 4 });
        sketch.path(&[patch.net[edge_u][j], u], RED, 2.0);
        sketch.path(&[patch.net[i][edge_w], w], BLUE, 2.0);
        sketch.path(&[u, w], GREEN, 1.5);
        sketch.dots(&[u], RED, 4.5);
        sketch.dots(&[w], BLUE, 4.5);
    }
    let caption = "11: a Gregory patch, 29 points; Q_u red, Q_w blue".to_owned();
    Ok((sketch.drawn(aslant(&[patch]), size)?, caption))
}

/// Figure 12: legs a and b on both sides of the edge between two patches of a fill, and the differences c along it.
fn spoke(body: &Body, size: Size) -> Result<(Image, String)> {
    let (_, patches) = fill_named(body, "chest_upper").context("the body has no such fill")?;
    let (first, second) = (patches[1], patches[2]);
    let corners = |patch: &Patch| patch.corners.context("fills are Gregory patches");
    let (of_first, of_second) = (corners(first)?, corners(second)?);
    let edge: [DVec3; 5] = first.net[4];
    let mut before: [DVec3; 5] = first.net[3];
    (before[1], before[3]) = (of_first.cross_u[2], of_first.cross_u[3]);
    let mut after: [DVec3; 5] = std::array::from_fn(|i| second.net[i][3]);
    (after[1], after[3]) = (of_second.cross_w[1], of_second.cross_w[3]);
    let h = -2.0 * (TAU / patches.len() as f64).cos();
    let mut sketch = Sketch::default();
    sketch.patch(first, SIX[0], 0.55);
    sketch.patch(second, SIX[1], 0.55);
    let mut off_m = 0.0f64;
    for i in 0..5 {
        sketch.path(&[before[i], edge[i]], RED, 2.5);
        sketch.path(&[edge[i], after[i]], BLUE, 2.5);
        sketch.label(&format!("a{i}"), before[i], RED);
        sketch.label(&format!("b{i}"), after[i], BLUE);
        let along = if i == 0 { DVec3::ZERO } else { edge[i] - edge[i - 1] };
        let (a, b) = (edge[i] - before[i], after[i] - edge[i]);
        off_m = off_m.max((b - a - 0.25 * i as f64 * h * along).length());
    }
    sketch.path(&edge, INK, 3.5);
    sketch.dots(&edge, INK, 4.5);
    (0..4).for_each(|i| sketch.label(&format!("c{i}"), edge[i].midpoint(edge[i + 1]), INK));
    let caption = format!("12: an edge of a fill of {}, eq. 4 within {off_m:.0e} m", patches.len());
    Ok((sketch.drawn(aslant(&[first, second]), size)?, caption))
}

/// From outside, a little from above and aside, so that nets stand off their surface.
fn aslant(patches: &[&Patch]) -> DVec3 {
    let outward = outward(patches);
    (outward + 0.45 * outward.cross(DVec3::Y).normalize_or(DVec3::X) + 0.3 * DVec3::Y).normalize()
}
