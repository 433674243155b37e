//! Fills that fold are smoothed until they do not.
//!
//! A fill follows its border by rules that know nothing of folds: where tubes come close to each other, or a thick ring meets a thin one,
//! rows of control points overtake each other. What is free in such a fill is then set to the nearest values, in the least squares sense,
//! at which its folded patches are smoother: with `Q` for control points, `Q₀` for what they were and `D` for second differences,
//!
//! `λ Σ_folded |D Q|² + Σ |D (Q − Q₀)|² + β Σ |Q − Q₀|² → min`,
//!
//! and the least `λ` that unfolds it. All free values of a net leave it smooth, so nothing needs repair. First the inside of the fill
//! alone; if that does not do, its edges and nodes and the fills beyond them as well.

use super::Design;
use super::knob::{Knob, inside_knobs, knobs_of};
use crate::Patch;
use crate::body::{Body, FillSide, NetVertex, is_even, sharpest_cosine};
use crate::template::Flank;
use glam::DVec3;
use sinew_geometry::Cholesky;

/// Cosine between neighboring normals below which a fill is smoothed: sharp creases of the shipped designs are above.
const FOLDED: f64 = 0.05;
/// Cosine at which it is smooth enough. Larger: creases are lost that belong there; smaller: the next change folds it again.
const UNFOLDED: f64 = 0.2;
/// What a fill beside it may lose, as a cosine: rounding, and creases that turn a little.
const LOST: f64 = 0.02;
/// Weights `λ` that are tried, from the least.
const STRENGTHS: [f64; 9] = [0.03, 0.1, 0.3, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0];
/// Weight `β` of staying where they were. Larger: neighboring points part; smaller: the whole fill moves.
const STAY: f64 = 0.02;
/// Rounds over all fills: one may press on the next.
const ROUNDS: usize = 4;

/// Which sides of the body change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sides {
    /// Both sides are alike: only the left one changes, and in the middle what keeps it the mirror image.
    Alike,
    /// Each for itself.
    Each,
}

impl Sides {
    pub(super) fn of(design: &Design) -> Self {
        if design.is_alike() { Sides::Alike } else { Sides::Each }
    }

    pub(super) fn has(self, flank: Flank) -> bool {
        self == Sides::Each || flank != Flank::Right
    }
}

/// Smooths all folded fills; their patches are not recomputed. The inside of a fill takes 1 ms, its edges and nodes 20 ms and more.
pub(super) fn unfold(body: &mut Body, sides: Sides) {
    for _ in 0..ROUNDS {
        let folded = folded(body, sides);
        if folded.is_empty() {
            return;
        }
        for fill in folded {
            if !smooth(body, sides, fill, Reach::Inside) {
                smooth(body, sides, fill, Reach::Edges);
            }
        }
    }
}

fn folded(body: &Body, sides: Sides) -> Vec<usize> {
    let is_there = |&fill: &usize| sides.has(body.fills[fill].flank) && is_folded(&patches_of(body, fill));
    (0..body.fills.len()).filter(is_there).collect()
}

/// Whether any fill of a built body is folded.
pub(super) fn has_folds(body: &Body, sides: Sides) -> bool {
    body.fills.iter().filter(|fill| sides.has(fill.flank)).any(|fill| {
        let patches = body.patches[fill.first_patch..].iter().take(fill.sides.len());
        is_folded(patches.map(|patch| &patch.patch))
    })
}

fn is_folded<'a>(patches: impl IntoIterator<Item = &'a Patch>) -> bool {
    patches.into_iter().any(|patch| !is_even(patch) && sharpest_cosine(patch) < FOLDED)
}

/// What may change around a folded fill.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reach {
    Inside,
    Edges,
}

/// Smooths one fill; returns whether it is smooth enough now.
fn smooth(body: &mut Body, sides: Sides, index: usize, reach: Reach) -> bool {
    let nodes = if reach == Reach::Edges { nodes_of(body, index) } else { Vec::new() };
    let mut edges = if reach == Reach::Edges { edges_of(body, index) } else { Vec::new() };
    let ends_there = |edge: usize| {
        let is = |vertex: NetVertex| nodes.iter().any(|&node| vertex == NetVertex::Node(node));
        is(body.edges[edge].from) || is(body.edges[edge].to)
    };
    edges.extend((0..body.edges.len()).filter(|&edge| ends_there(edge)));
    edges.retain(|&edge| sides.has(body.edges[edge].flank));
    edges.sort_unstable();
    edges.dedup();
    let mut fills = vec![index];
    let is_beside = |fill: usize| edges_of(body, fill).iter().any(|edge| edges.contains(edge));
    let others = (0..body.fills.len()).filter(|&fill| fill != index && sides.has(body.fills[fill].flank));
    fills.extend(others.filter(|&fill| is_beside(fill)));
    let heights: Vec<f64> = fills.iter().map(|&fill| without_height(body, fill)).collect();
    let knobs = match reach {
        // Insides are alike for x, y and z.
        Reach::Inside => DVec3::AXES.map(|way| inside_knobs(body, index, way)).to_vec(),
        Reach::Edges => vec![knobs_of(body, sides, &fills, &edges, &nodes)],
    };
    let is_done = Smoothing::new(body, &fills, knobs).solve(body);
    for (&fill, height) in fills.iter().zip(heights) {
        with_height(body, fill, height);
    }
    is_done
}

/// Edges of a fill with fills on both sides.
fn edges_of(body: &Body, index: usize) -> Vec<usize> {
    let edge = |side: &FillSide| match side {
        FillSide::Edge { edge, .. } => Some(*edge),
        _ => None,
    };
    body.fills[index].sides.iter().filter_map(edge).collect()
}

fn nodes_of(body: &Body, index: usize) -> Vec<usize> {
    let node = |vertex: &NetVertex| match vertex {
        NetVertex::Node(node) => Some(*node),
        NetVertex::Corner { .. } => None,
    };
    body.fills[index].vertices.iter().filter_map(node).collect()
}

/// The patches of a fill. A body that was built closes again.
fn patches_of(body: &Body, fill: usize) -> Vec<Patch> {
    body.fill_patches(fill).unwrap_or_default()
}

fn center_of(body: &Body, fill: usize) -> DVec3 {
    patches_of(body, fill).first().map_or(DVec3::ZERO, |patch| patch.net[4][4])
}

/// Writes a fill's height as a shift of its center: heights lie along a normal, which turns with the star.
fn without_height(body: &mut Body, fill: usize) -> f64 {
    let (height, center) = (body.fills[fill].shape.height_m, center_of(body, fill));
    body.fills[fill].shape.height_m = 0.0;
    let by = center - center_of(body, fill);
    body.fills[fill].shape.center_offset += by;
    height
}

fn with_height(body: &mut Body, fill: usize, height: f64) {
    let center = center_of(body, fill);
    body.fills[fill].shape.height_m = height;
    let by = center - center_of(body, fill);
    body.fills[fill].shape.center_offset += by;
}

/// Cosine of the sharpest turn in a fill.
fn sharpest(body: &Body, fill: usize) -> f64 {
    patches_of(body, fill).iter().map(sharpest_cosine).fold(1.0, f64::min)
}

/// What a knob does to a patch along one axis: moves of its points, and second differences of these.
type Moves = ([f64; POINTS], Vec<f64>);
type Response = Option<Moves>;

/// A least squares problem: one matrix for one or more lists of knobs.
struct Smoothing {
    fills: Vec<usize>,
    /// The cosine that each fill must reach.
    goals: Vec<f64>,
    /// One list, or one for each axis.
    knobs: Vec<Vec<Knob>>,
    /// Normal matrices of the folded patches' smoothness and of what stays, and the right side of each list.
    smoother: Vec<f64>,
    stay: Vec<f64>,
    right: Vec<Vec<f64>>,
}

impl Smoothing {
    /// `fills`: the folded one first. `knobs`: three lists turn the same values along x, y and z.
    fn new(body: &mut Body, fills: &[usize], knobs: Vec<Vec<Knob>>) -> Self {
        let all =
            |body: &Body| -> Vec<Patch> { fills.iter().flat_map(|&fill| patches_of(body, fill)).collect() };
        let before = all(body);
        let goal = |&fill: &usize| {
            if fill == fills[0] { UNFOLDED } else { sharpest(body, fill).min(UNFOLDED) - LOST }
        };
        let goals = fills.iter().map(goal).collect();
        let responses: Vec<Vec<[Response; 3]>> = knobs[0]
            .iter()
            .map(|knob| {
                knob.turn(body, 1.0);
                let after = all(body);
                knob.turn(body, -1.0);
                after.iter().zip(&before).map(|(after, before)| response(after, before)).collect()
            })
            .collect();
        let count = knobs[0].len();
        let mut found = Smoothing {
            fills: fills.to_vec(),
            goals,
            smoother: vec![0.0; count * count],
            stay: vec![0.0; count * count],
            right: vec![vec![0.0; count]; knobs.len()],
            knobs,
        };
        for (place, patch) in before.iter().enumerate() {
            let is_folded = sharpest_cosine(patch) < UNFOLDED;
            let own: [Vec<f64>; 3] =
                std::array::from_fn(|axis| second_differences(&coordinates(patch, axis)));
            for axis in 0..3 {
                let acting = responses.iter().enumerate();
                let acting: Vec<(usize, &Moves)> =
                    acting.filter_map(|(knob, found)| Some((knob, found[place][axis].as_ref()?))).collect();
                found.add(&acting, is_folded);
                if is_folded && found.right.len() == 1 {
                    found.add_right(&acting, 0, &own[axis]);
                } else if is_folded && axis == 0 {
                    own.iter().enumerate().for_each(|(list, own)| found.add_right(&acting, list, own));
                }
            }
        }
        found
    }

    /// Adds what knobs do to a patch along one axis.
    fn add(&mut self, acting: &[(usize, &Moves)], is_folded: bool) {
        let count = self.knobs[0].len();
        for (k, (i, (points, bends))) in acting.iter().enumerate() {
            for (j, (others, other_bends)) in &acting[..=k] {
                let bend = dot(bends, other_bends);
                self.stay[i * count + j] += bend + STAY * dot(points, others);
                self.smoother[i * count + j] += if is_folded { bend } else { 0.0 };
            }
        }
    }

    fn add_right(&mut self, acting: &[(usize, &Moves)], list: usize, own: &[f64]) {
        for (knob, (_, bends)) in acting {
            self.right[list][*knob] -= dot(bends, own);
        }
    }

    /// Turns the knobs by the least strength that unfolds; if none does, by the best.
    fn solve(&self, body: &mut Body) -> bool {
        let mut best = (self.score(body), None);
        for strength in STRENGTHS {
            let Some(moves) = self.moves(strength) else { continue };
            self.turn_all(body, &moves, 1.0);
            let score = self.score(body);
            self.turn_all(body, &moves, -1.0);
            if score > best.0 {
                best = (score, Some(moves));
            }
            if score >= 0.0 {
                break;
            }
        }
        if let Some(moves) = best.1 {
            self.turn_all(body, &moves, 1.0);
        }
        best.0 >= 0.0
    }

    /// By how much the worst fill is above its goal.
    fn score(&self, body: &Body) -> f64 {
        let above = |(&fill, goal): (&usize, &f64)| sharpest(body, fill) - goal;
        self.fills.iter().zip(&self.goals).map(above).fold(f64::MAX, f64::min)
    }

    fn moves(&self, strength: f64) -> Option<Vec<Vec<f64>>> {
        let count = self.knobs[0].len();
        // Some knobs do the same.
        let trace: f64 = (0..count).map(|i| self.stay[i * count + i]).sum();
        let quiet = 1e-9 * trace / count as f64;
        let entry = |i: usize, j: usize| {
            let place = i * count + j;
            strength * self.smoother[place] + self.stay[place] + if i == j { quiet } else { 0.0 }
        };
        let factor = Cholesky::factor(count, entry)?;
        let solved = |right: &Vec<f64>| {
            let mut moves: Vec<f64> = right.iter().map(|right| strength * right).collect();
            factor.solve(&mut moves);
            moves
        };
        Some(self.right.iter().map(solved).collect())
    }

    fn turn_all(&self, body: &mut Body, moves: &[Vec<f64>], share: f64) {
        for (knob, by) in self.knobs.iter().flatten().zip(moves.iter().flatten()) {
            knob.add(body, share * by);
        }
        body.update_edges();
    }
}

/// Points of a patch: 25 of the net, and both versions of the four split points.
const POINTS: usize = 33;

fn response(after: &Patch, before: &Patch) -> [Response; 3] {
    std::array::from_fn(|axis| {
        let (after, before) = (coordinates(after, axis), coordinates(before, axis));
        let moves: [f64; POINTS] = std::array::from_fn(|k| after[k] - before[k]);
        // Less is rounding.
        let is_moved = moves.iter().any(|by| by.abs() > 1e-9);
        is_moved.then(|| (moves, second_differences(&moves)))
    })
}

fn coordinates(patch: &Patch, axis: usize) -> [f64; POINTS] {
    let corners = patch.corners.unwrap_or_default();
    std::array::from_fn(|k| match k {
        0..25 => patch.net[k / 5][k % 5][axis],
        25..29 => corners.cross_u[k - 25][axis],
        _ => corners.cross_w[k - 29][axis],
    })
}

/// Second differences along u, along w and across, of both versions.
fn second_differences(values: &[f64; POINTS]) -> Vec<f64> {
    let mut found = Vec::with_capacity(92);
    for version in [25, 29] {
        let mut net: [f64; 25] = std::array::from_fn(|k| values[k]);
        for (corner, &(i, j)) in crate::patch::CORNERS.iter().enumerate() {
            net[5 * i + j] = values[version + corner];
        }
        let at = |i: usize, j: usize| net[5 * i + j];
        for i in 0..5 {
            for j in 0..3 {
                found.push(at(i, j) - 2.0 * at(i, j + 1) + at(i, j + 2));
                found.push(at(j, i) - 2.0 * at(j + 1, i) + at(j + 2, i));
            }
        }
        for i in 0..4 {
            for j in 0..4 {
                found.push(at(i, j) + at(i + 1, j + 1) - at(i + 1, j) - at(i, j + 1));
            }
        }
    }
    found
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ROUNDING, assert_smooth_and_closed};
    use crate::{Template, build};

    /// The man with a fill whose legs across a spoke lead backward.
    fn with_folded_chest() -> (Body, usize) {
        let mut body = build(&Template::human(), &crate::testing::man()).unwrap();
        let is_chest = |fill: &crate::body::BodyFill| fill.name == "chest_upper" && fill.flank == Flank::Left;
        let fill = body.fills.iter().position(is_chest).unwrap();
        let patch = patches_of(&body, fill)[0];
        let corners = patch.corners.unwrap();
        let row = [corners.cross_u[2], patch.net[3][2], corners.cross_u[3]];
        for (leg, point) in row.into_iter().enumerate() {
            body.fills[fill].spoke_offsets[0].across[leg] += 2.0 * (point - patch.net[4][leg + 1]);
        }
        body.update_patches().unwrap();
        (body, fill)
    }

    #[test]
    fn a_folded_fill_is_smoothed_and_no_other_changes() {
        let (mut body, fill) = with_folded_chest();
        assert!(sharpest(&body, fill) < 0.0 && has_folds(&body, Sides::Alike), "{}", sharpest(&body, fill));
        let before = body.clone();
        unfold(&mut body, Sides::Alike);
        body.update_patches().unwrap();
        assert!(sharpest(&body, fill) >= UNFOLDED && !has_folds(&body, Sides::Alike));
        assert_smooth_and_closed(&body, 5);
        let own =
            before.fills[fill].first_patch..before.fills[fill].first_patch + before.fills[fill].sides.len();
        for (place, (is, was)) in body.patches.iter().zip(&before.patches).enumerate() {
            let moved = is.patch.position(0.6, 0.6).distance(was.patch.position(0.6, 0.6));
            assert!(own.contains(&place) || moved < ROUNDING, "{} {moved}", is.name);
        }
    }

    #[test]
    fn edges_and_nodes_of_alike_sides_stay_in_the_middle() {
        let (mut body, fill) = with_folded_chest();
        assert!(!smooth(&mut body, Sides::Alike, fill, Reach::Edges) || sharpest(&body, fill) >= UNFOLDED);
        let edges = body.edges.iter().filter(|edge| edge.flank == Flank::Middle);
        for edge in edges {
            assert!(edge.curve.0.iter().all(|point| point.x.abs() < ROUNDING), "{}", edge.name);
        }
        assert!(
            body.nodes
                .iter()
                .filter(|node| node.flank == Flank::Middle)
                .all(|node| node.position.x.abs() < ROUNDING)
        );
    }

    #[test]
    fn sound_bodies_stay() {
        let body = build(&Template::human(), &crate::testing::man()).unwrap();
        for sides in [Sides::Alike, Sides::Each] {
            let mut same = body.clone();
            unfold(&mut same, sides);
            assert_eq!(format!("{:?}", same.fills), format!("{:?}", body.fills));
        }
    }
}
