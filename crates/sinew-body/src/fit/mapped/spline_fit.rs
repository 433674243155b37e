//! Least squares for a chain's control points, with a penalty on bending.
//!
//! With u around the tube and s along it, both in patches, the penalty is the thin plate's, `∫ S_uu² + 2 S_us² + S_ss²`, plus the jumps of
//! second derivatives across seams and rings, which would show as lines. Left and right are equal: x changes sign from one side to the
//! other, y and z do not, so x has its own equations.

use super::chain::{Chain, Expression, Link};
use crate::bernstein;
use glam::{DVec2, DVec3};
use sinew_geometry::Cholesky;

/// A point of the target and its place on the chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) at: DVec3,
    /// Share of the way around.
    pub(super) turn: f64,
    /// Position along the chain.
    pub(super) along: f64,
}

/// Weight of jumps of second derivatives relative to second derivatives. Larger makes the surface rounder at rings and seams.
const JUMP: f64 = 2.0;
/// Places per side where bending is measured in each patch.
const SAMPLES: [f64; 3] = [0.112_701_665, 0.5, 0.887_298_335];
const SAMPLE_WEIGHTS: [f64; 3] = [0.277_777_78, 0.444_444_44, 0.277_777_78];
/// Maximum move of a place per round, in patches.
const MOST_MOVE: f64 = 0.3;

/// A linear form in the unknowns: unknown, factor, factor for x.
type Form = Vec<(usize, f64, f64)>;

pub(super) struct SplineFit<'a> {
    chain: &'a Chain,
    /// Penalties on bending: forms and constants, with weights.
    bending: Vec<(Form, DVec3, f64)>,
    solution: Vec<DVec3>,
}

/// A patch of the chain.
#[derive(Clone, Copy)]
struct Cell {
    link: usize,
    bay: usize,
    k: usize,
}

impl<'a> SplineFit<'a> {
    pub(super) fn new(chain: &'a Chain) -> Self {
        let mut fit =
            SplineFit { chain, bending: Vec::new(), solution: vec![DVec3::ZERO; chain.unknown_count] };
        fit.price_bending();
        fit
    }

    /// The control points of each tube, row after row.
    pub(super) fn points(&self) -> Vec<Vec<DVec3>> {
        let value = |point: &Expression| {
            point.terms.iter().fold(point.constant, |sum, &(unknown, by, sign)| {
                let at = self.solution[unknown];
                sum + by * DVec3::new(sign * at.x, at.y, at.z)
            })
        };
        let of_link = |link: &Link| link.points.iter().flatten().map(value).collect();
        self.chain.links.iter().map(of_link).collect()
    }

    fn cell_at(&self, turn: f64, along: f64) -> (Cell, f64, f64) {
        let links = &self.chain.links;
        let link = links.iter().position(|link| along < link.starts[link.starts.len() - 1]);
        let link = link.unwrap_or(links.len() - 1);
        let found: &Link = &links[link];
        let bay = found.starts[1..].iter().position(|&end| along < end).unwrap_or(found.starts.len() - 2);
        let w = (along - found.starts[bay]) / (found.starts[bay + 1] - found.starts[bay]);
        let round = (turn - turn.floor()) * found.patch_count as f64;
        let k = (round as usize).min(found.patch_count - 1);
        (Cell { link, bay, k }, (round - k as f64).clamp(0.0, 1.0), w.clamp(0.0, 1.0))
    }

    /// The form of a weighted sum of a patch's control points.
    fn form(&self, cell: Cell, along_u: [f64; 5], along_w: [f64; 5]) -> (Form, DVec3) {
        let link = &self.chain.links[cell.link];
        let mut form = Form::new();
        let mut constant = DVec3::ZERO;
        for (j, by_w) in along_w.into_iter().enumerate() {
            let row = &link.points[4 * cell.bay + j];
            for (i, by_u) in along_u.into_iter().enumerate() {
                let point = &row[(4 * cell.k + i) % row.len()];
                let by = by_u * by_w;
                constant += by * point.constant;
                let terms = point.terms.iter();
                form.extend(terms.map(|&(unknown, factor, sign)| (unknown, by * factor, by * factor * sign)));
            }
        }
        (merged(form), constant)
    }

    /// Lengths of a patch in u and along, in patches of the last tube.
    fn size(&self, cell: Cell) -> DVec2 {
        let links = &self.chain.links;
        let link = &links[cell.link];
        let finest = links[links.len() - 1].patch_count as f64;
        DVec2::new(finest / link.patch_count as f64, link.starts[cell.bay + 1] - link.starts[cell.bay])
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let sizes: Vec<(usize, usize)> =
            self.chain.links.iter().map(|link| (link.starts.len() - 1, link.patch_count)).collect();
        sizes.into_iter().enumerate().flat_map(|(link, (bays, count))| {
            (0..bays).flat_map(move |bay| (0..count).map(move |k| Cell { link, bay, k }))
        })
    }

    fn price_bending(&mut self) {
        use bernstein::{quartic, quartic_bend, quartic_slope};
        let mut found = Vec::new();
        for cell in self.cells() {
            let size = self.size(cell);
            let area = size.x * size.y;
            for (u, weight_u) in SAMPLES.into_iter().zip(SAMPLE_WEIGHTS) {
                for (w, weight_w) in SAMPLES.into_iter().zip(SAMPLE_WEIGHTS) {
                    let weight = weight_u * weight_w * area;
                    let kinds = [
                        (quartic_bend(u), quartic(w), size.x * size.x, 1.0),
                        (quartic(u), quartic_bend(w), size.y * size.y, 1.0),
                        (quartic_slope(u), quartic_slope(w), size.x * size.y, 2.0),
                    ];
                    for (along_u, along_w, scale, times) in kinds {
                        let (form, constant) = self.form(cell, along_u, along_w);
                        found.push((form, constant, times * weight / (scale * scale)));
                    }
                }
            }
            self.price_jumps(cell, &mut found);
        }
        self.bending = found;
    }

    /// Jumps at the seam and ring where a patch begins.
    fn price_jumps(&self, cell: Cell, found: &mut Vec<(Form, DVec3, f64)>) {
        use bernstein::{quartic, quartic_bend};
        let link = &self.chain.links[cell.link];
        let size = self.size(cell);
        let before = Cell { k: (cell.k + link.patch_count - 1) % link.patch_count, ..cell };
        for (t, weight) in SAMPLES.into_iter().zip(SAMPLE_WEIGHTS) {
            let here = self.form(cell, quartic_bend(0.0), quartic(t));
            let there = self.form(before, quartic_bend(1.0), quartic(t));
            let scale = (size.x * size.x).powi(2);
            found.push(difference(here, 1.0, there, 1.0, JUMP * weight * size.y / scale));
            if cell.bay > 0 {
                let below = Cell { bay: cell.bay - 1, ..cell };
                let here = self.form(cell, quartic(t), quartic_bend(0.0));
                let there = self.form(below, quartic(t), quartic_bend(1.0));
                let other = self.size(below).y;
                let (by, by_other) = (1.0 / (size.y * size.y), 1.0 / (other * other));
                found.push(difference(here, by, there, by_other, JUMP * weight * size.x));
            }
        }
    }

    /// Solves for the control points; `None` if they are not determined.
    pub(super) fn solve(&mut self, places: &[Place], stiffness: f64) -> Option<()> {
        let count = self.chain.unknown_count;
        // Two matrices: for x, and for y and z.
        let mut matrices = [vec![0.0; count * count], vec![0.0; count * count]];
        let mut right = vec![DVec3::ZERO; count];
        let mut add = |form: &Form, rest: DVec3, weight: f64| {
            for &(i, by, by_x) in form {
                right[i] += weight * rest * DVec3::new(by_x, by, by);
                for &(j, other, other_x) in form.iter().take_while(|term| term.0 <= i) {
                    matrices[0][i * count + j] += weight * by_x * other_x;
                    matrices[1][i * count + j] += weight * by * other;
                }
            }
        };
        for place in places {
            let (cell, u, w) = self.cell_at(place.turn, place.along);
            let (form, constant) = self.form(cell, bernstein::quartic(u), bernstein::quartic(w));
            add(&form, place.at - constant, 1.0);
        }
        for (form, constant, weight) in &self.bending {
            add(form, -*constant, stiffness * weight);
        }
        let factor = |k: usize| {
            Cholesky::factor(count, |i, j| matrices[k][i * count + j] + if i == j { 1e-9 } else { 0.0 })
        };
        let factors = [factor(0)?, factor(1)?];
        let mut columns: [Vec<f64>; 3] = std::array::from_fn(|axis| right.iter().map(|r| r[axis]).collect());
        for (axis, column) in columns.iter_mut().enumerate() {
            factors[axis.min(1)].solve(column);
        }
        self.solution = (0..count).map(|k| DVec3::new(columns[0][k], columns[1][k], columns[2][k])).collect();
        Some(())
    }

    /// Moves each place toward the nearest point of the surface, by Newton's method on the tangent plane.
    pub(super) fn move_places(&self, places: &mut [Place]) {
        let end = self.chain.links.last().and_then(|link| link.starts.last()).copied().unwrap_or(1.0);
        let finest = self.chain.links.last().map_or(1, |link| link.patch_count) as f64;
        for place in places {
            let (cell, u, w) = self.cell_at(place.turn, place.along);
            let at = |bu: [f64; 5], bw: [f64; 5]| {
                let (form, constant) = self.form(cell, bu, bw);
                form.iter().fold(constant, |sum, &(unknown, by, by_x)| {
                    sum + self.solution[unknown] * DVec3::new(by_x, by, by)
                })
            };
            let (bu, bw) = (bernstein::quartic(u), bernstein::quartic(w));
            let size = self.size(cell);
            let rest = place.at - at(bu, bw);
            let (du, ds) =
                (at(bernstein::quartic_slope(u), bw) / size.x, at(bu, bernstein::quartic_slope(w)) / size.y);
            let (a, b, c) = (du.dot(du), du.dot(ds), ds.dot(ds));
            let damping = 0.05 * (a + c);
            let determinant = (a + damping) * (c + damping) - b * b;
            if determinant <= 0.0 {
                continue;
            }
            let (p, q) = (du.dot(rest), ds.dot(rest));
            let step = DVec2::new((c + damping) * p - b * q, (a + damping) * q - b * p) / determinant;
            let step = step.clamp_length_max(MOST_MOVE);
            place.turn += step.x / finest;
            // The first ring and the tip stay in place.
            place.along = (place.along + step.y).clamp(0.0, end);
        }
    }
}

fn merged(mut form: Form) -> Form {
    form.sort_by_key(|term| term.0);
    let mut sum: Form = Vec::with_capacity(form.len());
    for term in form {
        match sum.last_mut() {
            Some(last) if last.0 == term.0 => {
                last.1 += term.1;
                last.2 += term.2;
            }
            _ => sum.push(term),
        }
    }
    sum
}

fn difference(
    (form, constant): (Form, DVec3),
    by: f64,
    (other, other_constant): (Form, DVec3),
    by_other: f64,
    weight: f64,
) -> (Form, DVec3, f64) {
    let mut all: Form = form.into_iter().map(|(k, a, b)| (k, by * a, by * b)).collect();
    all.extend(other.into_iter().map(|(k, a, b)| (k, -by_other * a, -by_other * b)));
    (merged(all), by * constant - by_other * other_constant, weight)
}
