//! The nearest SDEF or BDEF4 of vertices with three and more bones, which MMD's viewers do not move spherically.
//!
//! In poses p of all joints the vertex's own methods take it to v'ₚ. For two of its bones and a weight w of the first, the form of viewers
//! is linear in C and `D = R0 − R1`:
//!
//! `v'ₚ − R v − w t₀ − (1−w) t₁ = (w A₀ + (1−w) A₁ − R) C + ½ w (1−w) (A₀ − A₁) D`,
//!
//! with `Mᵢ = (Aᵢ, tᵢ)` and R by slerp: six unknowns, by least squares. The matrix depends on the bones and w alone, so it is factored once
//! for all vertices with these bones. Of all pairs and a row of w the best is taken, then w refined.
//!
//! BDEF4: with `Gᵢⱼ = Σₚ (Mᵢ v − v'ₚ)·(Mⱼ v − v'ₚ)` the squared error is `wᵀ G w`; over a subset of bones it is least at `w ∝ G⁻¹ 1`. The
//! best of all subsets where no weight is negative is the optimum.

use crate::BoneFrame;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_geometry::Cholesky;
use std::collections::BTreeMap;

/// Maximum bones of a vertex in the files.
pub(crate) const MOST_BONES: usize = 4;

/// Tried weights of the first bone. They lie closer at the ends, where forms change faster.
const TRIED_WEIGHTS: [f64; 13] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98];

/// Squared error per pose for C or D a meter from where the vertex's own method has them, m². Larger: worse fits. Smaller: C and D run away
/// along directions that poses hardly determine.
const PULL: f64 = 1e-4;

/// Pairs of bones that are kept, at 150 kB each. Vertices come in the order of their bones.
const MOST_PAIRS: usize = 256;

/// A vertex to fit.
pub(crate) struct FitVertex<'a> {
    /// Rest position.
    pub(crate) position: DVec3,
    /// Palette entries.
    pub(crate) joints: &'a [u16],
    /// Their weights.
    pub(crate) weights: &'a [f32],
    /// c and rᵢ of its own method.
    pub(crate) center: DVec3,
    pub(crate) anchors: &'a [glam::Vec3],
    /// v'ₚ.
    pub(crate) targets: &'a [DVec3],
}

/// How viewers move a vertex: influences by their place among the vertex's own, with weights, and C and D where they are SDEF.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ViewerForm {
    pub(crate) influences: Vec<(usize, f32)>,
    pub(crate) sphere: Option<(DVec3, DVec3)>,
}

impl ViewerForm {
    /// BDEF4 by the heaviest weights, as it is without a fit.
    pub(crate) fn plain(weights: &[f32]) -> Self {
        let heaviest = heaviest(weights);
        let total: f32 = heaviest.iter().map(|&at| weights[at]).sum();
        Self { influences: heaviest.iter().map(|&at| (at, weights[at] / total)).collect(), sphere: None }
    }

    /// Where it takes a vertex.
    pub(crate) fn moved(&self, position: DVec3, joints: &[u16], bones: &[BoneFrame]) -> DVec3 {
        let bone = |at: usize| &bones[usize::from(joints[at])];
        match (self.sphere, self.influences.as_slice()) {
            (Some((center, range)), &[(first, w), (second, _)]) => {
                let row = Row::of(bone(first), bone(second), w.into());
                row.rotation * position + row.shift + row.of_center * center + row.of_range * range
            }
            _ => self
                .influences
                .iter()
                .map(|&(at, w)| affine(bone(at)).transform_point3(position) * f64::from(w))
                .sum(),
        }
    }
}

/// Fits vertices; keeps what depends on bones alone.
pub(crate) struct Fitter<'a> {
    poses: &'a [Vec<BoneFrame>],
    pairs: BTreeMap<(u16, u16), Vec<PairForm>>,
}

impl<'a> Fitter<'a> {
    pub(crate) fn new(poses: &'a [Vec<BoneFrame>]) -> Self {
        Self { poses, pairs: BTreeMap::new() }
    }

    /// The best BDEF4 and the best SDEF of each pair of bones.
    pub(crate) fn fits(&mut self, vertex: &FitVertex<'_>) -> Vec<ViewerForm> {
        let bones = heaviest(vertex.weights);
        let mut fits = vec![self.linear(vertex, &bones)];
        for (index, &first) in bones.iter().enumerate() {
            for &second in &bones[index + 1..] {
                if vertex.joints[first] != vertex.joints[second] {
                    fits.push(self.sphere(vertex, first, second));
                }
            }
        }
        fits
    }

    /// The same kind of form, SDEF with the same bones and weight, fitted anew.
    pub(crate) fn refit(&self, vertex: &FitVertex<'_>, form: &ViewerForm) -> ViewerForm {
        let (Some(own), &[(first, weight), (second, _)]) = (form.sphere, form.influences.as_slice()) else {
            return self.linear(vertex, &heaviest(vertex.weights));
        };
        let pair = PairForm::new(self.poses, (vertex.joints[first], vertex.joints[second]), weight.into());
        let ([center, range], _) = pair.solve(vertex, [own.0, own.1]);
        ViewerForm { influences: form.influences.clone(), sphere: Some((center, range)) }
    }

    /// The best SDEF of two of a vertex's bones.
    fn sphere(&mut self, vertex: &FitVertex<'_>, first: usize, second: usize) -> ViewerForm {
        let poses = self.poses;
        let pair = (vertex.joints[first], vertex.joints[second]);
        if self.pairs.len() >= MOST_PAIRS {
            self.pairs.clear();
        }
        let forms = self.pairs.entry(pair).or_insert_with(|| {
            TRIED_WEIGHTS.iter().map(|&weight| PairForm::new(poses, pair, weight)).collect()
        });
        let anchor = |at: usize| vertex.anchors.get(at).map_or(vertex.center, |anchor| anchor.as_dvec3());
        let own = [vertex.center, anchor(first) - anchor(second)];
        let costs: Vec<f64> = forms.iter().map(|form| form.solve(vertex, own).1).collect();
        let at = (0..costs.len()).fold(0, |best, at| if costs[at] < costs[best] { at } else { best });
        let refined = PairForm::new(poses, pair, lowest_weight(&costs, at));
        let best = if refined.solve(vertex, own).1 < costs[at] { &refined } else { &forms[at] };
        let ([center, range], _) = best.solve(vertex, own);
        let weight = best.weight as f32;
        ViewerForm {
            influences: vec![(first, weight), (second, 1.0 - weight)],
            sphere: Some((center, range)),
        }
    }

    /// The best weights of linear blending.
    fn linear(&self, vertex: &FitVertex<'_>, bones: &[usize]) -> ViewerForm {
        let mut gram = [[0.0; MOST_BONES]; MOST_BONES];
        for (pose, &target) in self.poses.iter().zip(vertex.targets) {
            let miss = |&at: &usize| {
                affine(&pose[usize::from(vertex.joints[at])]).transform_point3(vertex.position) - target
            };
            let misses: Vec<DVec3> = bones.iter().map(miss).collect();
            for (row, a) in gram.iter_mut().zip(&misses) {
                row.iter_mut().zip(&misses).for_each(|(entry, b)| *entry += a.dot(*b));
            }
        }
        let error = |weights: &[(usize, f64)]| -> f64 {
            weights.iter().flat_map(|&(i, a)| weights.iter().map(move |&(j, b)| a * b * gram[i][j])).sum()
        };
        let subsets = (1..1_usize << bones.len())
            .map(|subset| (0..bones.len()).filter(|at| subset >> at & 1 == 1).collect::<Vec<usize>>());
        let tried = subsets.filter_map(|members| sum_one_weights(&gram, &members));
        let best = tried.min_by(|a, b| error(a).total_cmp(&error(b))).expect("one bone alone has weight 1");
        let influences = best.iter().map(|&(at, weight)| (bones[at], weight as f32)).collect();
        ViewerForm { influences, sphere: None }
    }
}

/// The places of the heaviest weights, in their order.
fn heaviest(weights: &[f32]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..weights.len()).collect();
    places.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    places.truncate(MOST_BONES);
    places.sort_unstable();
    places
}

/// The weights of `members` that sum to 1 with the least `wᵀ G w`; `None` if one is not positive, or they are not unique.
fn sum_one_weights(gram: &[[f64; MOST_BONES]; MOST_BONES], members: &[usize]) -> Option<Vec<(usize, f64)>> {
    let trace: f64 = members.iter().map(|&at| gram[at][at]).sum();
    let entry =
        |i: usize, j: usize| gram[members[i]][members[j]] + if i == j { 1e-9 * trace + 1e-30 } else { 0.0 };
    let mut weights = vec![1.0; members.len()];
    Cholesky::factor(members.len(), entry)?.solve(&mut weights);
    let total: f64 = weights.iter().sum();
    let is_positive = weights.iter().all(|&weight| weight / total > 0.0);
    is_positive.then(|| members.iter().zip(weights).map(|(&at, weight)| (at, weight / total)).collect())
}

/// Where the parabola through the least of `costs` and its neighbors is lowest.
fn lowest_weight(costs: &[f64], at: usize) -> f64 {
    let middle = at.clamp(1, costs.len() - 2);
    let [x0, x1, x2] = [-1, 0, 1].map(|step| TRIED_WEIGHTS[middle.wrapping_add_signed(step)]);
    let [y0, y1, y2] = [-1, 0, 1].map(|step| costs[middle.wrapping_add_signed(step)]);
    let slope = (y1 - y0) / (x1 - x0);
    let bend = ((y2 - y1) / (x2 - x1) - slope) / (x2 - x0);
    if bend > 0.0 { (0.5 * (x0 + x1 - slope / bend)).clamp(x0, x2) } else { TRIED_WEIGHTS[at] }
}

/// SDEF of two bones in one pose: `v' = R v + shift + of_center C + of_range D`.
struct Row {
    rotation: DMat3,
    shift: DVec3,
    of_center: DMat3,
    of_range: DMat3,
}

impl Row {
    /// `weight`: that of the first bone.
    fn of(first: &BoneFrame, second: &BoneFrame, weight: f64) -> Self {
        let turn = |bone: &BoneFrame| -> DQuat { bone.rotation.as_dquat().normalize() };
        let rotation = DMat3::from_quat(turn(first).slerp(turn(second), 1.0 - weight));
        let (m0, m1) = (affine(first), affine(second));
        Self {
            rotation,
            shift: m0.translation * weight + m1.translation * (1.0 - weight),
            of_center: m0.matrix3 * weight + m1.matrix3 * (1.0 - weight) - rotation,
            of_range: (m0.matrix3 - m1.matrix3) * (0.5 * weight * (1.0 - weight)),
        }
    }
}

fn affine(bone: &BoneFrame) -> DAffine3 {
    let m = &bone.posed_from_rest;
    let matrix3 = DMat3::from_cols(
        m.matrix3.x_axis.as_dvec3(),
        m.matrix3.y_axis.as_dvec3(),
        m.matrix3.z_axis.as_dvec3(),
    );
    DAffine3 { matrix3, translation: m.translation.as_dvec3() }
}

/// SDEF of two bones with one weight in all poses, ready for least squares.
struct PairForm {
    weight: f64,
    rows: Vec<Row>,
    normal: Cholesky,
}

impl PairForm {
    fn new(poses: &[Vec<BoneFrame>], (first, second): (u16, u16), weight: f64) -> Self {
        let row =
            |pose: &Vec<BoneFrame>| Row::of(&pose[usize::from(first)], &pose[usize::from(second)], weight);
        let rows: Vec<Row> = poses.iter().map(row).collect();
        let mut sums = [[0.0; 6]; 6];
        for row in &rows {
            let (c, r) = (&row.of_center, &row.of_range);
            let columns = [c.x_axis, c.y_axis, c.z_axis, r.x_axis, r.y_axis, r.z_axis];
            for (sums, a) in sums.iter_mut().zip(columns) {
                sums.iter_mut().zip(columns).for_each(|(sum, b)| *sum += a.dot(b));
            }
        }
        let pull = PULL * poses.len() as f64;
        let entry = |i: usize, j: usize| sums[i][j] + if i == j { pull } else { 0.0 };
        let normal = Cholesky::factor(6, entry).expect("a sum of squares and a positive diagonal");
        Self { weight, rows, normal }
    }

    /// C and D with the least squared error, pulled towards the vertex's `own`; and that error.
    fn solve(&self, vertex: &FitVertex<'_>, own: [DVec3; 2]) -> ([DVec3; 2], f64) {
        let pull = PULL * self.rows.len() as f64;
        let [mut center, mut range] = own.map(|point| point * pull);
        let mut error = pull * (own[0].length_squared() + own[1].length_squared());
        for (row, &target) in self.rows.iter().zip(vertex.targets) {
            let left = target - row.rotation * vertex.position - row.shift;
            center += row.of_center.transpose() * left;
            range += row.of_range.transpose() * left;
            error += left.length_squared();
        }
        let sums = [center.to_array(), range.to_array()].concat();
        let mut solution = sums.clone();
        self.normal.solve(&mut solution);
        error -= sums.iter().zip(&solution).map(|(a, b)| a * b).sum::<f64>();
        ([DVec3::from_slice(&solution[..3]), DVec3::from_slice(&solution[3..])], error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Affine3A, Quat, Vec3};
    use sinew_geometry::Random;

    /// Three bones in poses that turn each about its own head.
    fn poses() -> Vec<Vec<BoneFrame>> {
        let mut random = Random::new(5);
        let heads = [Vec3::ZERO, Vec3::new(0.0, 0.3, 0.0), Vec3::new(0.1, 0.3, 0.0)];
        let mut frame = |head: Vec3| {
            let turn = Quat::from_scaled_axis(random.vector() * 1.5);
            BoneFrame::new(
                &(Affine3A::from_translation(head)
                    * Affine3A::from_quat(turn)
                    * Affine3A::from_translation(-head)),
            )
        };
        (0..32).map(|_| heads.map(&mut frame).to_vec()).collect()
    }

    /// Fits a vertex that moves as `form`; returns what is found, with its largest error.
    fn fitted(form: &ViewerForm) -> (ViewerForm, f64) {
        let (poses, position) = (poses(), DVec3::new(0.05, 0.28, 0.06));
        let moved = |form: &ViewerForm| -> Vec<DVec3> {
            poses.iter().map(|pose| form.moved(position, &[0, 1, 2], pose)).collect()
        };
        let targets = moved(form);
        let fits = Fitter::new(&poses).fits(&FitVertex {
            position,
            joints: &[0, 1, 2],
            weights: &[0.4, 0.4, 0.2],
            center: DVec3::new(0.0, 0.3, 0.0),
            anchors: &[],
            targets: &targets,
        });
        let largest = |form: &ViewerForm| {
            moved(form).iter().zip(&targets).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
        };
        let best = fits.into_iter().min_by(|a, b| largest(a).total_cmp(&largest(b))).expect("some");
        let error = largest(&best);
        (best, error)
    }

    #[test]
    fn an_sdef_vertex_is_found_again() {
        let sphere = Some((DVec3::new(0.02, 0.29, -0.01), DVec3::new(0.01, -0.12, 0.03)));
        let form = ViewerForm { influences: vec![(1, 0.63), (2, 0.37)], sphere };
        let (found, largest) = fitted(&form);
        assert_eq!(found.influences.iter().map(|&(at, _)| at).collect::<Vec<_>>(), [1, 2]);
        // The weight between two tried ones is that of a parabola, and C and D are pulled a little.
        assert!((found.influences[0].1 - 0.63).abs() < 0.01, "{found:?}");
        assert!(largest < 5e-4, "{largest}");
    }

    #[test]
    fn linear_weights_are_found_again() {
        for influences in [vec![(0, 0.2), (1, 0.5), (2, 0.3)], vec![(0, 0.35), (2, 0.65)], vec![(1, 1.0)]] {
            let form = ViewerForm { influences, sphere: None };
            let (found, largest) = fitted(&form);
            assert!(largest < 1e-6, "{form:?} {found:?} {largest}");
        }
    }

    #[test]
    fn weights_that_would_be_negative_are_zero() {
        // The target lies beyond the first bone, seen from the second.
        let gram = |a: DVec3, b: DVec3| {
            let mut gram = [[0.0; MOST_BONES]; MOST_BONES];
            for (row, x) in gram.iter_mut().zip([a, b]) {
                row.iter_mut().zip([a, b]).for_each(|(entry, y)| *entry = x.dot(y));
            }
            gram
        };
        let (near, far) = (DVec3::new(1.0, 0.2, 0.0), DVec3::new(2.0, -0.1, 0.0));
        assert_eq!(sum_one_weights(&gram(near, far), &[0, 1]), None);
        let weights = sum_one_weights(&gram(near, -far), &[0, 1]).expect("between both");
        // a = (1, 0.2), b = (−2, 0.1): w = b·(b − a) / |b − a|² = (6 − 0.01) / 9.01.
        assert!((weights[0].1 - 5.99 / 9.01).abs() < 1e-6, "{weights:?}");
    }
}
