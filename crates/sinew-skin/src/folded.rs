//! Folded form: one rule for all methods but dual quaternions and delta mush.
//!
//! `v' = Σ Mᵢ aᵢ + R S̄ u`, with a 4-vector aᵢ per influence that is bound once, `u = v − Σ aᵢ.xyz`, `Σ aᵢ.w = 1`, R the blend of
//! rotations and S̄ that of scale and shear.
//!
//! | method | aᵢ |
//! |---|---|
//! | LBS | `wᵢ (v, 1)`, so that u = 0 |
//! | SBS; centers of rotation | `wᵢ (c, 1)`; `wᵢ (p*, 1)` |
//! | SBS+ | `wᵢ (c + (1−s)(rᵢ − m), 1)`, `m = Σ wⱼ rⱼ` |
//! | Bézier | `wᵢ² (c + rᵢ − m, 1)`, joint form `wᵢ² (rᵢ, 1)`; of each pair `2 wᵢ wⱼ (b, 1)`, to the parent, without a common joint shared out `wᵢ : wⱼ` |
//!
//! A mixture adds up its methods' terms by their shares. R must be one: a vertex that blends by slerp and by nlerp does not fold.
//! A morph that moves v by Δ and c by δ adds `λ wᵢ Δ + σᵢ δ` to aᵢ, with λ the share of LBS and σᵢ bound once.

use crate::{BezierForm, Method, RestVertex, RotationBlend};
use glam::{Vec3, Vec4};

/// Terms of the folded form, vertex by vertex, in the order of influences.
#[derive(Clone, Debug)]
pub struct Folded {
    starts: Vec<u32>,
    terms: Vec<FoldedTerm>,
    /// λ: share of linear blending, one per vertex.
    linear: Vec<f32>,
}

/// The term of one influence.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FoldedTerm {
    /// aᵢ, rest space.
    pub place: Vec4,
    /// σᵢ: share of a morph's move of the center.
    pub follow: f32,
}

impl FoldedTerm {
    fn add(&mut self, share: f32, place: Vec3, follow: f32) {
        self.place += place.extend(1.0) * share;
        self.follow += share * follow;
    }
}

impl Default for Folded {
    fn default() -> Self {
        Self { starts: vec![0], terms: Vec::new(), linear: Vec::new() }
    }
}

impl Folded {
    /// Adds a vertex: its terms, one per influence, and the share of linear blending among its methods. Without terms it is not folded.
    pub fn push(&mut self, terms: &[FoldedTerm], linear: f32) {
        self.terms.extend_from_slice(terms);
        self.starts.push(self.terms.len() as u32);
        self.linear.push(linear);
    }

    /// SBS+ of a vertex with two bones: `range` is r0 − r1 in the order of its weights.
    pub fn push_sdef(&mut self, weights: [f32; 2], center: Vec3, range: Vec3, s: f32) {
        let offsets = [range * weights[1], -range * weights[0]];
        let term = |at: usize| {
            let place = (center + offsets[at] * (1.0 - s)).extend(1.0) * weights[at];
            FoldedTerm { place, follow: weights[at] }
        };
        self.push(&[term(0), term(1)], 0.0);
    }

    /// Terms and share of linear blending of a vertex.
    pub fn of(&self, vertex: usize) -> (&[FoldedTerm], f32) {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        (&self.terms[range], self.linear[vertex])
    }
}

/// Folds the methods of a vertex with their shares into `terms`. `rest` gives the vertex as each method has it.
///
/// Returns the blend of rotations and the share of linear blending; `None` if the methods do not fold.
pub(crate) fn fold<'a>(
    methods: impl Iterator<Item = (Method, f32)>,
    rest: impl Fn(Method) -> RestVertex<'a>,
    terms: &mut Vec<FoldedTerm>,
) -> Option<(RotationBlend, f32)> {
    terms.clear();
    let (mut blend, mut linear) = (None, 0.0);
    for (method, share) in methods {
        let vertex = rest(method);
        terms.resize(vertex.joints.len(), FoldedTerm::default());
        let own = match method {
            Method::Lbs => {
                linear += share;
                add_weighted(terms, &vertex, share, |_| vertex.position, 0.0);
                continue;
            }
            Method::Sbs { rotation } => {
                add_weighted(terms, &vertex, share, |_| vertex.center, 1.0);
                rotation
            }
            Method::Cor => {
                add_weighted(terms, &vertex, share, |_| vertex.center, 0.0);
                RotationBlend::Nlerp
            }
            Method::Sdef { s, rotation } => {
                let middle = vertex.blend_anchors();
                let offset = |i: usize| vertex.anchors.get(i).map_or(Vec3::ZERO, |&anchor| anchor - middle);
                add_weighted(terms, &vertex, share, |i| vertex.center + offset(i) * (1.0 - s), 1.0);
                rotation
            }
            Method::Bezier { rotation, .. } if vertex.anchors.is_empty() => {
                add_weighted(terms, &vertex, share, |_| vertex.center, 1.0);
                rotation
            }
            Method::Bezier { rotation, form } => {
                add_curve(terms, &vertex, share, form)?;
                rotation
            }
            Method::Dlb | Method::DeltaMush { .. } => return None,
        };
        if blend.is_some_and(|known| known != own) {
            return None;
        }
        blend = Some(own);
    }
    Some((blend.unwrap_or_default(), linear))
}

/// `wᵢ (place(i), 1)`.
fn add_weighted(
    terms: &mut [FoldedTerm],
    vertex: &RestVertex<'_>,
    share: f32,
    place: impl Fn(usize) -> Vec3,
    follow: f32,
) {
    for (i, (term, &weight)) in terms.iter_mut().zip(vertex.weights).enumerate() {
        term.add(share * weight, place(i), follow);
    }
}

/// The Bézier method's ends and control points; `None` if one is carried by a bone that does not move the vertex.
fn add_curve(terms: &mut [FoldedTerm], vertex: &RestVertex<'_>, share: f32, form: BezierForm) -> Option<()> {
    let middle = vertex.blend_anchors();
    let mut heads = vertex.heads.iter();
    for (i, &weight) in vertex.weights.iter().enumerate() {
        let (end, follow) = match form {
            BezierForm::Vertex => (vertex.center + vertex.anchors[i] - middle, 1.0),
            BezierForm::Joint => (vertex.anchors[i], 0.0),
        };
        terms[i].add(share * weight * weight, end, follow);
        for (j, head) in (i + 1..vertex.joints.len()).zip(&mut heads) {
            let other_weight = vertex.weights[j];
            let pair = share * 2.0 * weight * other_weight;
            if let Some(parent) = head.parent {
                let carrier = vertex.joints.iter().position(|&joint| joint == parent)?;
                terms[carrier].add(pair, head.rest, 0.0);
            } else {
                let part = pair / (weight + other_weight);
                terms[i].add(part * weight, head.rest, 0.0);
                terms[j].add(part * other_weight, head.rest, 0.0);
            }
        }
    }
    Some(())
}
