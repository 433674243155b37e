//! Forms of all vertices with three and more bones, judged in poses that the fit has not seen.
//!
//! Each vertex alone would take the form with the least error. Neighbors would then take different pairs of bones and err in different
//! directions, and the surface would be rough. So forms are chosen together, to make `Σ |eₐ|² + μ Σ |eₐ − e_b|²` small, with e the errors in the
//! poses of the fit and the second sum over edges: one vertex after the other takes its best form, until none changes. Then C, D and weights are fitted
//! anew with their neighbors' errors: the sum is least where eₐ is nearest to `μ Σ e_b / (1 + μ n)`, n the number of edges.
//!
//! Vertices of one and two bones have no error. Vertices in one place with the same weights, split for their texture, are one.

use crate::mmd_fit::{FitVertex, Fitter, ViewerForm};
use crate::palette_joints::PaletteJoints;
use crate::sample_poses::sample_poses;
use crate::{BoneFrame, Skin};
use glam::{DVec3, Vec3};
use sinew_rig::{BoundSurface, Character};
use std::collections::{BTreeMap, BTreeSet};

/// Poses that forms are fitted to.
const FIT_POSES: usize = 64;

/// Poses that forms are judged in.
const JUDGED_POSES: usize = 16;

// Any two numbers that differ.
const FIT_SEED: u64 = 1;
const JUDGED_SEED: u64 = 2;

/// μ. Larger: errors are even, and larger. Smaller: steps between neighbors.
const EDGE_SHARE: f32 = 0.5;

/// Maximum rounds of the choice, which ends when nothing changes.
const MOST_ROUNDS: usize = 20;

/// Rounds of fitting anew; more change nothing.
const REFIT_ROUNDS: usize = 5;

/// An error that counts as visible, m.
const VISIBLE_M: f64 = 1e-3;

/// How viewers move vertices of three and more bones with a spherical method, in 16 random poses of all joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MmdFits {
    /// Such vertices.
    pub vertices: usize,
    /// Those of them that are SDEF of two bones; the others are BDEF.
    pub sdef_vertices: usize,
    /// As BDEF4 by the heaviest weights.
    pub plain: FormErrors,
    /// As they are.
    pub fitted: FormErrors,
}

/// Distances from where the vertices' own methods take them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormErrors {
    /// Over vertices and poses, m.
    pub rms_m: f64,
    /// The largest, m.
    pub largest_m: f64,
    /// Vertices that are off by more than 1 mm in a pose.
    pub visible_vertices: usize,
    /// The largest error of a vertex beside one of one or two bones, which has none, m.
    pub seam_m: f64,
    /// Difference of errors across edges, root of the mean square over edges and poses, m.
    pub step_rms_m: f64,
}

/// Forms of `vertices` of the surface, and how far they are off.
pub(crate) fn fit_vertices(
    character: &Character,
    bound: &BoundSurface,
    skin: &Skin,
    vertices: &[usize],
) -> (BTreeMap<usize, ViewerForm>, MmdFits) {
    let joints = PaletteJoints::of(character, bound);
    let poses = |count: usize, seed| sample_poses(character, bound, &joints, count / 2, seed);
    let (seen, judged) = (poses(FIT_POSES, FIT_SEED), poses(JUDGED_POSES, JUDGED_SEED));
    let (mut nodes, node_of) = nodes_of(bound, skin, vertices, &seen);
    let mut fitter = Fitter::new(&seen);
    nodes.iter_mut().for_each(|node| node.add_forms(&mut fitter, &seen));
    join_neighbors(&mut nodes, &node_of, bound.triangles());
    choose_forms(&mut nodes);
    for _ in 0..REFIT_ROUNDS {
        for at in 0..nodes.len() {
            let form = nodes[at].refitted(&nodes, &fitter, &seen);
            nodes[at].forms = vec![form];
            nodes[at].chosen = 0;
        }
    }
    let mut errors = [(); 2].map(|()| BTreeMap::new());
    for &vertex in vertices {
        let node = &nodes[node_of[&vertex]];
        let expected = own_places(skin, vertex, bound.rest().positions[vertex], &judged);
        for (errors, form) in errors.iter_mut().zip([&ViewerForm::plain(node.weights), &node.form().form]) {
            errors.insert(vertex, node.errors_of(form, &judged, &expected));
        }
    }
    let [plain, fitted] = errors.map(|errors| form_errors(&errors, bound.triangles()));
    let form = |vertex: &usize| (*vertex, nodes[node_of[vertex]].form().form.clone());
    let forms: BTreeMap<_, _> = vertices.iter().map(form).collect();
    let sdef_vertices = forms.values().filter(|form| form.sphere.is_some()).count();
    (forms, MmdFits { vertices: vertices.len(), sdef_vertices, plain, fitted })
}

/// A vertex, or several in one place.
struct Node<'a> {
    position: DVec3,
    joints: &'a [u16],
    weights: &'a [f32],
    center: DVec3,
    anchors: &'a [Vec3],
    /// Where its own methods take it in the poses of the fit.
    targets: Vec<DVec3>,
    forms: Vec<NodeForm>,
    chosen: usize,
    /// Nodes at the other ends of edges.
    neighbors: BTreeSet<usize>,
    /// Vertices without error at the other ends of edges.
    exact_neighbors: BTreeSet<usize>,
}

/// A form that a vertex may take.
struct NodeForm {
    form: ViewerForm,
    /// In the poses of the fit, m.
    errors: Vec<Vec3>,
}

/// One node for all vertices in one place with the same weights, in the order of their bones; and the node of each vertex.
fn nodes_of<'a>(
    bound: &BoundSurface,
    skin: &'a Skin,
    vertices: &[usize],
    poses: &[Vec<BoneFrame>],
) -> (Vec<Node<'a>>, BTreeMap<usize, usize>) {
    let mut by_place: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for &vertex in vertices {
        let (entries, weights) = skin.influences.of(vertex);
        let weights: Vec<u32> = weights.iter().map(|weight| weight.to_bits()).collect();
        let place = bound.rest().positions[vertex].to_array().map(f32::to_bits);
        by_place.entry((entries, weights, place)).or_default().push(vertex);
    }
    let (mut nodes, mut node_of) = (Vec::new(), BTreeMap::new());
    for same in by_place.into_values() {
        node_of.extend(same.iter().map(|&vertex| (vertex, nodes.len())));
        let position = bound.rest().positions[same[0]];
        let (joints, weights) = skin.influences.of(same[0]);
        let (center, anchors, _) = skin.anchors.of(same[0]);
        nodes.push(Node {
            position: position.as_dvec3(),
            joints,
            weights,
            center: center.as_dvec3(),
            anchors,
            targets: own_places(skin, same[0], position, poses),
            forms: Vec::new(),
            chosen: 0,
            neighbors: BTreeSet::new(),
            exact_neighbors: BTreeSet::new(),
        });
    }
    (nodes, node_of)
}

/// Where a vertex's own methods take it.
fn own_places(skin: &Skin, vertex: usize, position: Vec3, poses: &[Vec<BoneFrame>]) -> Vec<DVec3> {
    poses.iter().map(|pose| skin.move_vertex(vertex, position, pose).position.as_dvec3()).collect()
}

impl Node<'_> {
    fn form(&self) -> &NodeForm {
        &self.forms[self.chosen]
    }

    fn to_fit<'a>(&'a self, targets: &'a [DVec3]) -> FitVertex<'a> {
        let &Self { position, joints, weights, center, anchors, .. } = self;
        FitVertex { position, joints, weights, center, anchors, targets }
    }

    fn errors_of(&self, form: &ViewerForm, poses: &[Vec<BoneFrame>], expected: &[DVec3]) -> Vec<Vec3> {
        let places = poses.iter().map(|pose| form.moved(self.position, self.joints, pose));
        places.zip(expected).map(|(place, expected)| (place - *expected).as_vec3()).collect()
    }

    fn with_errors(&self, form: ViewerForm, poses: &[Vec<BoneFrame>]) -> NodeForm {
        NodeForm { errors: self.errors_of(&form, poses, &self.targets), form }
    }

    /// Fits the vertex alone, and takes the nearest form.
    fn add_forms(&mut self, fitter: &mut Fitter<'_>, poses: &[Vec<BoneFrame>]) {
        let fits = fitter.fits(&self.to_fit(&self.targets));
        self.forms = fits.into_iter().map(|form| self.with_errors(form, poses)).collect();
        self.chosen = least(self.forms.iter().map(|form| square(&form.errors)));
    }

    /// The chosen form, fitted anew with the errors of neighbors.
    fn refitted(&self, nodes: &[Node<'_>], fitter: &Fitter<'_>, poses: &[Vec<BoneFrame>]) -> NodeForm {
        let mut targets = self.targets.clone();
        let edges = self.neighbors.len() + self.exact_neighbors.len();
        let share = EDGE_SHARE / (1.0 + EDGE_SHARE * edges as f32);
        for &neighbor in &self.neighbors {
            let errors = &nodes[neighbor].form().errors;
            targets.iter_mut().zip(errors).for_each(|(target, error)| *target += (*error * share).as_dvec3());
        }
        self.with_errors(fitter.refit(&self.to_fit(&targets), &self.form().form), poses)
    }
}

/// The place of the least number, the first of equal ones.
fn least(numbers: impl Iterator<Item = f32>) -> usize {
    numbers.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at)
}

fn square(errors: &[Vec3]) -> f32 {
    errors.iter().map(|error| error.length_squared()).sum()
}

fn square_distance(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum()
}

fn join_neighbors(nodes: &mut [Node<'_>], node_of: &BTreeMap<usize, usize>, triangles: &[[u32; 3]]) {
    let of = |vertex: u32| node_of.get(&(vertex as usize)).copied();
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a], [b, a], [c, b], [a, c]] {
            match (of(from), of(to)) {
                (Some(from), Some(to)) if from != to => nodes[from].neighbors.insert(to),
                (Some(from), None) => nodes[from].exact_neighbors.insert(to as usize),
                _ => false,
            };
        }
    }
}

/// Lets one node after the other take its best form, until none changes.
fn choose_forms(nodes: &mut [Node<'_>]) {
    for _ in 0..MOST_ROUNDS {
        let mut has_changed = false;
        for at in 0..nodes.len() {
            let node = &nodes[at];
            let cost = |form: &NodeForm| {
                let step = |&other: &usize| square_distance(&form.errors, &nodes[other].form().errors);
                let steps: f32 = node.neighbors.iter().map(step).sum();
                let exact = node.exact_neighbors.len() as f32;
                square(&form.errors) * (1.0 + EDGE_SHARE * exact) + EDGE_SHARE * steps
            };
            let chosen = least(node.forms.iter().map(cost));
            has_changed |= chosen != node.chosen;
            nodes[at].chosen = chosen;
        }
        if !has_changed {
            return;
        }
    }
}

/// `errors`: of each vertex that has some, one per judged pose.
fn form_errors(errors: &BTreeMap<usize, Vec<Vec3>>, triangles: &[[u32; 3]]) -> FormErrors {
    let lengths = |errors: &[Vec3]| errors.iter().map(|error| f64::from(error.length())).fold(0.0, f64::max);
    let squares: f64 = errors.values().map(|errors| f64::from(square(errors))).sum();
    let rms = |squares: f64, count: usize| (squares / (JUDGED_POSES * count.max(1)) as f64).sqrt();
    let none = vec![Vec3::ZERO; JUDGED_POSES];
    let (mut seam_m, mut steps, mut edges) = (0.0, 0.0, 0);
    for &[a, b, c] in triangles {
        for [a, b] in [[a, b], [b, c], [c, a]].map(|ends| ends.map(|end| errors.get(&(end as usize)))) {
            match (a, b) {
                (None, None) => continue,
                (Some(one), None) | (None, Some(one)) => seam_m = f64::max(seam_m, lengths(one)),
                (Some(_), Some(_)) => {}
            }
            steps += f64::from(square_distance(a.unwrap_or(&none), b.unwrap_or(&none)));
            edges += 1;
        }
    }
    FormErrors {
        rms_m: rms(squares, errors.len()),
        largest_m: errors.values().map(|errors| lengths(errors)).fold(0.0, f64::max),
        visible_vertices: errors.values().filter(|errors| lengths(errors) > VISIBLE_M).count(),
        seam_m,
        step_rms_m: rms(steps, edges),
    }
}
