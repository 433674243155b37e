//! Folds: places where the skin turns back on itself.
//!
//! A patch is folded where its normal flips from one place to the next: in front of that line the skin runs one way, behind it back, inside
//! out. A sharp crease is not a fold. Its normals turn over a length, so places that lie closer see less of the turn, while at a fold the
//! turn stays whatever the distance. So neighboring places are close, and the turn that counts is large.

use super::Body;
use crate::patch::{CORNERS, corner_weight};
use crate::template::Flank;
use crate::{Patch, bernstein};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Places along each direction of a patch. On patches of 4 cm they are 1.3 mm apart. Fewer: a web between fingers counts as a fold; more: folds
/// of less than 1 mm count. On the shipped designs, heads aside, creases give cosines of 0.2 and more at 48 places, folds -0.5 and less.
const STEPS: usize = 32;

/// A patch that turns by less between every second place has no fold, as a cosine.
const EVEN: f64 = 0.8;

/// A place where the skin is folded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fold {
    /// Name of the patch, `fill/corner` or `tube/bay/number`.
    pub patch: String,
    /// Side of the body.
    pub flank: Flank,
    /// Part of the body, such as `arm`.
    pub group: String,
    /// Where, model space, m.
    pub place: DVec3,
    /// Cosine of the angle between the normals on both sides of the sharpest turn; negative.
    pub cosine: f64,
}

impl Fold {
    /// Name of the patch with the side.
    pub fn name(&self) -> String {
        format!("{}{}", self.patch, self.flank.suffix())
    }
}

impl Body {
    /// All folded patches, each with its worst place. Takes about 20 ms.
    pub fn folds(&self) -> Vec<Fold> {
        let fold = |patch: &super::BodyPatch| {
            let turn = sharpest_turn(&patch.patch);
            (turn.cosine < 0.0).then(|| Fold {
                patch: patch.name.clone(),
                flank: patch.flank,
                group: patch.group.clone(),
                place: turn.place,
                cosine: turn.cosine,
            })
        };
        self.patches.iter().filter_map(fold).collect()
    }
}

/// Cosine of the sharpest turn between neighboring places of a patch.
pub(crate) fn sharpest_cosine(patch: &Patch) -> f64 {
    sharpest_turn(patch).cosine
}

/// Whether a patch turns so little that it needs no closer look.
pub(crate) fn is_even(patch: &Patch) -> bool {
    turn_between(patch, 2).cosine > EVEN
}

/// The sharpest turn between neighboring places of a patch.
#[derive(Clone, Copy, Debug)]
struct Turn {
    cosine: f64,
    place: DVec3,
}

fn sharpest_turn(patch: &Patch) -> Turn {
    turn_between(patch, 1)
}

/// Compares each of every `stride` places of a patch with the next along u and along w.
fn turn_between(patch: &Patch, stride: usize) -> Turn {
    let normals = normals(patch, stride);
    let count = STEPS / stride;
    let (mut cosine, mut pair) = (1.0, [0, 0]);
    let mut compare = |a: usize, b: usize| {
        let found = normals[a].dot(normals[b]);
        if found < cosine {
            (cosine, pair) = (found, [a, b]);
        }
    };
    for i in 0..count {
        for j in 1..count {
            compare(i * count + j - 1, i * count + j);
            compare((j - 1) * count + i, j * count + i);
        }
    }
    let position = |k: usize| patch.position(at(k / count * stride), at(k % count * stride));
    Turn { cosine, place: 0.5 * (position(pair[0]) + position(pair[1])) }
}

/// The middle of a step.
fn at(step: usize) -> f64 {
    (step as f64 + 0.5) / STEPS as f64
}

/// Weights of control points in the derivatives at all places.
struct Weights {
    values: [[f64; 5]; STEPS],
    slopes: [[f64; 5]; STEPS],
    /// For each place and split corner the derivatives by u and w of the second version's weight.
    corners: Vec<[[f64; 2]; 4]>,
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| Weights {
    values: std::array::from_fn(|step| bernstein::quartic(at(step))),
    slopes: std::array::from_fn(|step| bernstein::quartic_slope(at(step))),
    corners: (0..STEPS * STEPS)
        .map(|k| {
            CORNERS.map(|(i, j)| {
                let (_, by_u, by_w) = corner_weight(i, j, at(k / STEPS), at(k % STEPS));
                [by_u, by_w]
            })
        })
        .collect(),
});

/// Unit normals at every `stride` places of a patch: those of its jets, from tabulated weights, in a fifth of the time.
fn normals(patch: &Patch, stride: usize) -> Vec<DVec3> {
    let weights = &*WEIGHTS;
    let mut net = patch.net;
    let spreads = patch.corners.map(|corners| {
        for (corner, &(i, j)) in CORNERS.iter().enumerate() {
            net[i][j] = corners.cross_u[corner];
        }
        std::array::from_fn::<DVec3, 4, _>(|corner| corners.cross_w[corner] - corners.cross_u[corner])
    });
    let mut found = Vec::with_capacity((STEPS / stride).pow(2));
    for u in (0..STEPS).step_by(stride) {
        let column = |by: &[f64; 5], j: usize| (0..5).map(|i| by[i] * net[i][j]).sum::<DVec3>();
        let on: [DVec3; 5] = std::array::from_fn(|j| column(&weights.values[u], j));
        let along: [DVec3; 5] = std::array::from_fn(|j| column(&weights.slopes[u], j));
        for w in (0..STEPS).step_by(stride) {
            let (mut du, mut dw) = (DVec3::ZERO, DVec3::ZERO);
            for j in 0..5 {
                du += weights.values[w][j] * along[j];
                dw += weights.slopes[w][j] * on[j];
            }
            for (spread, by) in spreads.iter().flatten().zip(&weights.corners[u * STEPS + w]) {
                du += by[0] * *spread;
                dw += by[1] * *spread;
            }
            found.push(du.cross(dw).normalize_or_zero());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Design, GregoryCorners, Template, build};

    /// A patch of 4 cm over a function of the plane.
    fn over(height: impl Fn(f64, f64) -> f64) -> Patch {
        let at = |k: usize| 0.01 * k as f64;
        let point = |i: usize, j: usize| DVec3::new(at(i), at(j), height(at(i), at(j)));
        Patch::bezier(std::array::from_fn(|i| std::array::from_fn(|j| point(i, j))))
    }

    #[test]
    fn a_sharp_crease_is_not_a_fold() {
        // A ditch with walls of 68°: its sides turn by 136°, most of that within 1 cm.
        let ditch = over(|x, _| 0.05 * ((x - 0.02) / 0.02).abs());
        assert!(ditch.normal(0.01, 0.5).dot(ditch.normal(0.99, 0.5)) < -0.6, "walls are steep");
        assert!(sharpest_turn(&ditch).cosine > 0.5, "{:?}", sharpest_turn(&ditch));
        // A web: half a turn around a tube of 4 mm.
        let mut web = over(|_, _| 0.0);
        for row in &mut web.net {
            for (point, place) in row.iter_mut().zip([
                [0.0, 0.012],
                [0.0, -0.004],
                [0.004, -0.01],
                [0.008, -0.004],
                [0.008, 0.012],
            ]) {
                (point.y, point.z) = (place[0], place[1]);
            }
        }
        assert!(web.normal(0.5, 0.05).dot(web.normal(0.5, 0.95)) < -0.9, "walls face each other");
        assert!(sharpest_turn(&web).cosine > 0.5, "{:?}", sharpest_turn(&web));
    }

    #[test]
    fn an_inside_out_corner_is_a_fold() {
        let mut patch = over(|x, y| 0.3 * (x * x + y * y));
        assert!(sharpest_turn(&patch).cosine > 0.9);
        let corner = &mut patch.net[0][0];
        *corner += DVec3::new(0.025, 0.025, 0.0);
        let turn = sharpest_turn(&patch);
        assert!(turn.cosine < -0.5, "{turn:?}");
        assert!(turn.place.distance(patch.net[0][0]) < turn.place.distance(patch.net[4][4]), "{turn:?}");
    }

    #[test]
    fn an_inside_out_middle_of_a_gregory_patch_is_a_fold() {
        let plain = over(|x, y| 0.3 * (x * x + y * y));
        let same = crate::patch::CORNERS.map(|(i, j)| plain.net[i][j]);
        let mut patch = Patch::gregory(plain.net, GregoryCorners { cross_u: same, cross_w: same });
        assert!(sharpest_turn(&patch).cosine > 0.9);
        patch.net[2][2].x -= 0.2;
        assert!(sharpest_turn(&patch).cosine < -0.5, "{:?}", sharpest_turn(&patch));
    }

    #[test]
    fn tabulated_normals_are_those_of_jets() {
        let mut random = crate::testing::Random::new(8);
        for patch in [random.gentle(), random.gentle_gregory()] {
            for (k, normal) in normals(&patch, 1).into_iter().enumerate() {
                let jet = patch.jet(at(k / STEPS), at(k % STEPS));
                assert!(normal.distance(jet.du.cross(jet.dw).normalize()) < crate::testing::ROUNDING);
            }
        }
    }

    /// Within heads lips and ears turn more sharply than this tells from folds.
    #[test]
    fn shipped_bodies_have_no_folds_and_do_not_cross() {
        let (human, quadruped) = (Template::human(), Template::quadruped());
        let check = |template: &Template, design: &Design| {
            let body = build(template, design).unwrap();
            let mut folds = body.folds();
            folds.retain(|fold| fold.group != "head");
            assert!(folds.is_empty(), "{folds:?}");
            let is_head = |&patch: &usize| body.patches[patch].group == "head";
            let mut crossings = body.crossings();
            crossings.retain(|crossing| !crossing.patches.iter().all(is_head));
            assert!(crossings.is_empty(), "{crossings:?}");
        };
        for design in [crate::testing::man(), crate::testing::woman(), Design::default()] {
            check(&human, &design);
        }
        check(&quadruped, &Design::default());
    }
}
