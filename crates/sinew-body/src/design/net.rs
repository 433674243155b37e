//! The net between tubes follows the ends of its tubes.
//!
//! Nodes, edges and fills are written in m beside bones. If a hip moves by 2 cm and the crotch beside it does not, or a ring gets wider than
//! the way from it to a node, the fills between them fold. So a change of joints, lengths or rings moves the net of the base by the map of
//! space that takes the old ends of its tubes to the new ones, and everything free is set to where that map takes it: places by the map,
//! legs by its derivative, normals by the inverse of it. The ends of the tubes stay what they are, but legs that lead from them into the fills
//! get shorter where edges do (`reach.rs`). What folds in spite of that is smoothed (`unfold.rs`).

use super::Design;
use super::apart::{keep_apart, keep_beside};
use super::reach::shorten_reaches;
use super::unfold::{Sides, has_folds, unfold};
use super::warp::Warp;
use super::written::Written;
use crate::body::{Body, BodyFill, FillSide, NetVertex};
use crate::build::build_unchecked;
use crate::curve::Quartic;
use crate::template::Template;
use glam::DVec3;

/// Moves the net of `base` along with the tubes of `laid`, which has the same net values.
pub(super) fn carry_net(template: &Template, base: &Design, own: &Design, laid: &mut Design) {
    let Ok(before) = build_unchecked(template, base) else { return };
    // A hole that does not close: building says so.
    let Ok(mut after) = build_unchecked(template, laid) else { return };
    for keep in [keep_apart, keep_beside] {
        if keep(template, own, (&before, &after), laid.scale / base.scale, laid)
            && let Ok(shifted) = build_unchecked(template, laid)
        {
            after = shifted;
        }
    }
    let sides = Sides::of(laid);
    let mut carried = Carried { warps: warps(&before, &after), before, sides };
    carried.nodes(&mut after);
    if shorten_reaches(template, own, (&carried.before, &mut after), laid) {
        carried.warps = warps(&carried.before, &after);
        carried.nodes(&mut after);
    }
    carried.edges(&mut after);
    for fill in 0..after.fills.len() {
        carried.fill(&mut after, fill);
    }
    unfold(&mut after, sides);
    Written::new(template, laid, &after).write(laid);
}

/// A design whose folded fills are smoothed, if the body that was built from it has any.
pub(crate) fn unfolded(template: &Template, design: &Design, body: &Body) -> Option<Design> {
    let sides = Sides::of(design);
    let mut smoothed = has_folds(body, sides).then(|| body.clone())?;
    unfold(&mut smoothed, sides);
    let mut laid = design.clone();
    Written::new(template, design, &smoothed).write(&mut laid);
    Some(laid)
}

struct Carried {
    before: Body,
    /// One per end: that of the net it belongs to.
    warps: Vec<(usize, Warp)>,
    sides: Sides,
}

/// One map for each connected net; ends of one fill belong together.
fn warps(before: &Body, after: &Body) -> Vec<(usize, Warp)> {
    let mut nets: Vec<usize> = (0..before.ends.len()).collect();
    for fill in &before.fills {
        let ends: Vec<usize> = fill.sides.iter().filter_map(side_end).collect();
        for &end in &ends {
            let (from, to) = (nets[end], nets[ends[0]]);
            nets.iter_mut().filter(|net| **net == from).for_each(|net| *net = to);
        }
    }
    let pairs = |end: usize| before.end_places(end).zip(after.end_places(end)).map(|(from, to)| [from, to]);
    let warp = |net: usize| Warp {
        pairs: (0..nets.len()).filter(|&end| nets[end] == net).flat_map(pairs).collect(),
    };
    let mut found: Vec<(usize, Warp)> = nets.iter().map(|&net| (net, Warp::default())).collect();
    for net in 0..nets.len() {
        if nets[net] == net {
            found[net].1 = warp(net);
        }
    }
    found
}

fn side_end(side: &FillSide) -> Option<usize> {
    match *side {
        FillSide::Arc { end, .. } | FillSide::Double { end, .. } => Some(end),
        FillSide::Edge { .. } => None,
    }
}

impl Carried {
    fn warp_of_end(&self, end: usize) -> &Warp {
        &self.warps[self.warps[end].0].1
    }

    fn warp_of_fill(&self, fill: &BodyFill) -> Option<&Warp> {
        fill.sides.iter().find_map(side_end).map(|end| self.warp_of_end(end))
    }

    fn warp_of_vertex(&self, vertex: NetVertex) -> Option<&Warp> {
        let fill = self.before.fills.iter().find(|fill| fill.vertices.contains(&vertex))?;
        self.warp_of_fill(fill)
    }

    fn nodes(&self, after: &mut Body) {
        let nodes = || self.before.nodes.iter().enumerate().filter(|(_, node)| self.sides.has(node.flank));
        for (index, node) in nodes() {
            let Some(warp) = self.warp_of_vertex(NetVertex::Node(index)) else { continue };
            let local = warp.at(node.position);
            let moved = &mut after.nodes[index];
            moved.position = local.point;
            let normal = local.vectors.inverse().transpose() * node.normal;
            moved.normal = normal.normalize_or(node.normal);
        }
        // Legs need the places of all nodes.
        for (index, node) in nodes() {
            let Some(warp) = self.warp_of_vertex(NetVertex::Node(index)) else { continue };
            let local = warp.at(node.position);
            for line in 0..2 {
                let way = node.through[line][0];
                let wanted = local.vectors * self.before.leg(NetVertex::Node(index), way);
                after.nodes[index].leg_offsets[line] = DVec3::ZERO;
                let plain = after.leg(NetVertex::Node(index), way);
                after.nodes[index].leg_offsets[line] = wanted - plain;
            }
        }
    }

    fn edges(&self, after: &mut Body) {
        after.update_edges();
        let edges = self.before.edges.iter().enumerate();
        for (index, edge) in edges.filter(|(_, edge)| self.sides.has(edge.flank)) {
            let Some(warp) = self.warp_of_vertex(edge.from) else { continue };
            let moved = &mut after.edges[index];
            let middle = warp.at(edge.curve.0[2]);
            moved.bulge += middle.point - moved.curve.0[2];
            for (leg, from) in moved.legs.iter_mut().zip(edge.legs) {
                *leg = middle.vectors * from;
            }
        }
        after.update_edges();
    }

    /// Star and center first, then what lies between them and the border, from the outside in.
    fn fill(&self, after: &mut Body, index: usize) {
        let fill = &self.before.fills[index];
        let Some(warp) = self.warp_of_fill(fill).filter(|_| self.sides.has(fill.flank)) else { return };
        let old = Spokes::of(&self.before, index);
        let center = warp.at(old.center);
        let new = Spokes::of(after, index);
        for (k, offsets) in after.fills[index].spoke_offsets.iter_mut().enumerate() {
            // Both stars are regular, and so is their difference: the projection keeps it.
            offsets.star += center.vectors * old.star(k) - new.star(k);
        }
        // After the star, along whose normal the height pushes.
        let turned = Spokes::of(after, index);
        after.fills[index].shape.center_offset += center.point - turned.center;
        let new = Spokes::of(after, index);
        let moved = &mut after.fills[index];
        for (k, offsets) in moved.spoke_offsets.iter_mut().enumerate() {
            offsets.bulge += warp.point(old.curves[k].0[2]) - new.curves[k].0[2];
            for (place, across) in offsets.across.iter_mut().enumerate() {
                let on = warp.at(old.curves[k].0[place + 1]);
                *across += on.vectors * old.across[k][place] - new.across[k][place];
            }
        }
        let new = Spokes::of(after, index);
        let moved = &mut after.fills[index];
        for (k, offset) in moved.middle_offsets.iter_mut().enumerate() {
            *offset += warp.point(old.middles[k]) - new.middles[k];
        }
    }
}

/// What is free in a fill, as built.
struct Spokes {
    center: DVec3,
    /// From the middles of the sides to the center.
    curves: Vec<Quartic>,
    /// Legs across the spokes, at their inner control points: half of what leads from the row before to the row after.
    across: Vec<[DVec3; 3]>,
    middles: Vec<DVec3>,
}

impl Spokes {
    /// Recomputes the fill's patches and reads them. A body that was built closes again: its borders have not moved.
    fn of(body: &Body, index: usize) -> Spokes {
        let patches = body.fill_patches(index).unwrap_or_default();
        let curves: Vec<Quartic> = patches.iter().map(|patch| Quartic(patch.net[4])).collect();
        let across = |k: usize| {
            let (before, after) = (&patches[k], &patches[(k + 1) % patches.len()]);
            let corners = [before, after].map(|patch| patch.corners.unwrap_or_default());
            let rows = [
                [corners[0].cross_u[2], before.net[3][2], corners[0].cross_u[3]],
                [corners[1].cross_w[1], after.net[2][3], corners[1].cross_w[3]],
            ];
            std::array::from_fn(|place| 0.5 * (rows[1][place] - rows[0][place]))
        };
        Spokes {
            center: curves.first().map_or(DVec3::ZERO, |curve| curve.0[4]),
            across: (0..patches.len()).map(across).collect(),
            middles: patches.iter().map(|patch| patch.net[2][2]).collect(),
            curves,
        }
    }

    fn star(&self, k: usize) -> DVec3 {
        self.curves[k].0[3] - self.center
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::Flank;
    use crate::testing::ROUNDING;
    use crate::{Design, build};

    fn with_hip(template: &Template, base: &Design, by: DVec3) -> [Body; 2] {
        let before = build(template, base).unwrap();
        let hip =
            before.joints.iter().find(|joint| joint.name == "hip" && joint.flank == Flank::Left).unwrap();
        let mut change = Design::default();
        change.joints.insert("hip".to_owned(), (hip.position + by).into());
        let after = build(template, &change.laid_over(template, base)).unwrap();
        [before, after]
    }

    #[test]
    fn what_stays_where_it_was_keeps_its_skin() {
        let template = Template::human();
        for base in [crate::testing::man(), Design::default()] {
            let [before, after] = with_hip(&template, &base, DVec3::ZERO);
            let points =
                |body: &Body| body.patches.iter().map(|patch| patch.patch.position(0.4, 0.7)).collect();
            let (was, is): (Vec<DVec3>, Vec<DVec3>) = (points(&before), points(&after));
            assert!(was.iter().zip(&is).all(|(was, is)| was.distance(*is) < ROUNDING));
        }
    }

    /// The distance from the crotch to the thigh shrinks with the hip, but the thigh does not pass the middle.
    #[test]
    fn a_hip_takes_the_net_along_and_stays_on_its_side() {
        let template = Template::human();
        let [before, after] = with_hip(&template, &crate::testing::man(), DVec3::new(-0.03, 0.0, 0.0));
        let clearance = |body: &Body| {
            let ring = body
                .rings
                .iter()
                .find(|ring| ring.name == "thigh_root" && ring.flank == Flank::Left)
                .unwrap();
            body.tubes[ring.tube].tube.row(ring.row).iter().fold(f64::MAX, |low, point| low.min(point.x))
        };
        assert!(clearance(&after) > 0.5 * clearance(&before), "{}", clearance(&after));
        let crotch = |body: &Body| body.nodes.iter().find(|node| node.name == "crotch").unwrap().position;
        assert!(crotch(&after).x.abs() < ROUNDING, "{}", crotch(&after));
        assert!(crotch(&after).distance(crotch(&before)) < 0.03, "{}", crotch(&after));
    }
}
