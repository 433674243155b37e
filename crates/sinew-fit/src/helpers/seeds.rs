//! Where helpers are put in, and taken out.
//!
//! \[Mukai15\] Sec. 4.3: at the vertex with the largest error (Eq. 6), moved as its neighborhood moves.
//!
//! Departures: other starts draw the vertex at random, likelier where the error is large, and take a wider neighborhood; their best is far
//! better than the greedy choice. With a mirror, helpers come in pairs.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::fit::{pick, pick_pairs};
use super::motion::{HelperMotion, Pivot, Pull, Rows, linear_part};
use super::settings::Mirror;
use super::sweep::{Solution, posed, rows_of};
use super::view::View;
use crate::numeric::solve_spd;
use sinew_geometry::Random;

/// Fractions of the model's diagonal round a random vertex; 0 stands for its neighbors along edges. Each start draws one for each of
/// its helpers, so that starts differ; which of them win was not counted.
const RADII: [f64; 4] = [0.0, 0.06, 0.1, 0.15];
/// A random vertex is drawn by its squared error to one of these powers.
const POWERS: [f64; 3] = [0.5, 1.0, 2.0];
/// With fewer vertices than this a rotation is not sure, and neighbors along edges are taken.
const MIN_SEED: usize = 5;
/// Pull of a pivot towards the vertices it is for, as a fraction of how well the motion tells it.
const PIVOT_DAMPING: f64 = 1e-3;

/// Vertices of the whole mesh that a new helper begins with, ascending.
pub(crate) type Seed = Vec<u32>;

/// The vertex of the view with the largest error, and its neighbors.
pub(crate) fn worst(view: &View<'_>, errors: &[f64], rings: &[Vec<u32>]) -> Seed {
    let at = (0..errors.len()).max_by(|&a, &b| errors[a].total_cmp(&errors[b]).then(b.cmp(&a))).unwrap_or(0);
    ring_of(view.vertices[at], rings)
}

/// A vertex drawn by its error, and those round it.
pub(crate) fn random(view: &View<'_>, errors: &[f64], rings: &[Vec<u32>], random: &mut Random) -> Seed {
    let power = POWERS[random.below(POWERS.len())];
    let weights: Vec<f64> = errors.iter().map(|error| error.powf(power)).collect();
    let middle = view.vertices[random.weighted(&weights)];
    let radius = (RADII[random.below(RADII.len())] * view.extent) as f32;
    let places = view.examples.rest_positions;
    let center = places[middle as usize];
    let is_near = |vertex: &u32| places[*vertex as usize].distance(center) < radius;
    let vertices: Seed = (0..places.len() as u32).filter(is_near).collect();
    if vertices.len() < MIN_SEED { ring_of(middle, rings) } else { vertices }
}

fn ring_of(vertex: u32, rings: &[Vec<u32>]) -> Vec<u32> {
    let mut vertices = rings[vertex as usize].clone();
    vertices.push(vertex);
    vertices.sort_unstable();
    vertices
}

/// Puts a helper in; with a mirror a pair, or one in the middle, or none where a pair has no room. Its weights are zero.
pub(crate) fn insert(
    view: &View<'_>,
    solution: &mut Solution,
    seed: &Seed,
    (motion, mirror, most): (HelperMotion, Option<&Mirror>, usize),
) {
    let Some(mirror) = mirror else {
        append(view, solution, seed, motion);
        return;
    };
    let mut other: Vec<u32> = seed.iter().map(|&vertex| mirror.vertices[vertex as usize]).collect();
    other.sort_unstable();
    let overlaps = other.iter().any(|vertex| seed.binary_search(vertex).is_ok());
    let helper = solution.helper_count;
    if !overlaps && helper + 2 > most {
        // One helper cannot serve both sides: where there is no room for two, there is none.
        return;
    }
    if overlaps {
        other.extend(seed);
        other.sort_unstable();
        other.dedup();
        append(view, solution, &other, motion);
        solution.pairs.push(None);
    } else {
        append(view, solution, seed, motion);
        append(view, solution, &other, motion);
        solution.pairs.extend([Some(helper + 1), Some(helper)]);
    }
}

fn append(view: &View<'_>, solution: &mut Solution, vertices: &[u32], motion: HelperMotion) {
    let rest = |vertex: u32| view.examples.rest_positions[vertex as usize].as_dvec3() - view.center;
    let home = vertices.iter().map(|&vertex| rest(vertex)).sum::<DVec3>() / vertices.len().max(1) as f64;
    let mut spread = [[0.0; 4]; 4];
    for &vertex in vertices {
        let x = rest(vertex).extend(1.0).to_array();
        (0..4).for_each(|a| (0..4).for_each(|b| spread[a][b] += x[a] * x[b]));
    }
    let driver = nearest_driver(view, solution, vertices);
    let width = view.driver_width();
    let align = |pose: usize, hanging: Option<(DVec3, DVec3)>| {
        let targets = view.examples.targets(view.poses[pose] as usize);
        let mut correlation = [[0.0; 4]; 3];
        for &vertex in vertices {
            let (x, place) = (rest(vertex).extend(1.0).to_array(), targets[vertex as usize].as_dvec3());
            (0..3).for_each(|c| (0..4).for_each(|a| correlation[c][a] += place[c] * x[a]));
        }
        let before = rows_of(&view.driver_rows[3 * pose * width..], driver, width);
        Pull { correlation: &correlation, spread: &spread, extent: view.extent }
            .best(&before, motion, hanging)
    };
    let count = view.pose_count();
    let mut found: Vec<Rows> = (0..count).into_par_iter().map(|pose| align(pose, None)).collect();
    if motion == HelperMotion::FixedLength {
        let pivot = pivot(view, &found, home);
        let hang = |pose: usize| {
            (pivot.point, posed(&view.driver_rows[3 * pose * width..], pivot.driver, width, pivot.point))
        };
        found = (0..count).into_par_iter().map(|pose| align(pose, Some(hang(pose)))).collect();
        solution.pivots.push(pivot);
    }
    widen(solution, &found, view.examples.driver_count);
    solution.homes.push(home);
}

/// The driver that the vertices follow best by the weights there are, or the first.
fn nearest_driver(view: &View<'_>, solution: &Solution, vertices: &[u32]) -> usize {
    let driver_count = view.examples.driver_count;
    let bone_count = driver_count + solution.helper_count;
    let mut sums = vec![0.0; driver_count];
    for at in vertices.iter().filter_map(|vertex| view.vertices.binary_search(vertex).ok()) {
        for (sum, weight) in sums.iter_mut().zip(&solution.weights[at * bone_count..]) {
            *sum += weight;
        }
    }
    (0..driver_count).max_by(|&a, &b| sums[a].total_cmp(&sums[b]).then(b.cmp(&a))).unwrap_or(0)
}

/// The driver, and the point fixed in it, about which a motion turns best: min Σ |M p − D p|².
fn pivot(view: &View<'_>, motion: &[Rows], home: DVec3) -> Pivot {
    let width = view.driver_width();
    let mut best = (f64::INFINITY, Pivot { driver: 0, point: home });
    for driver in 0..view.examples.driver_count {
        let (mut normal, mut right) = (DMat3::ZERO, DVec3::ZERO);
        let parts = motion.iter().enumerate().map(|(pose, rows)| {
            let other = rows_of(&view.driver_rows[3 * pose * width..], driver, width);
            let translation = |rows: &Rows| DVec3::new(rows[0][3], rows[1][3], rows[2][3]);
            (linear_part(rows) - linear_part(&other), translation(&other) - translation(rows))
        });
        let parts: Vec<(DMat3, DVec3)> = parts.collect();
        for (a, b) in &parts {
            normal += a.transpose() * *a;
            right += a.transpose() * (*b - *a * home);
        }
        let trace = normal.x_axis.x + normal.y_axis.y + normal.z_axis.z;
        let damped = normal + DMat3::from_diagonal(DVec3::splat(PIVOT_DAMPING * trace / 3.0));
        let matrix = faer::Mat::from_fn(3, 3, |row, column| damped.col(column)[row]);
        let column = faer::Mat::from_fn(3, 1, |row, _| right[row]);
        let step = solve_spd(&matrix, &column, 0.0)
            .map_or(DVec3::ZERO, |step| DVec3::new(step[(0, 0)], step[(1, 0)], step[(2, 0)]));
        let point = home + step;
        let error: f64 = parts.iter().map(|(a, b)| (*a * point - *b).length_squared()).sum();
        if error < best.0 {
            best = (error, Pivot { driver, point });
        }
    }
    best.1
}

/// Adds a helper's rows, and a column of zero weights.
fn widen(solution: &mut Solution, found: &[Rows], driver_count: usize) {
    let width = solution.helper_width();
    let mut rows = Vec::with_capacity(solution.helper_rows.len() + 12 * found.len());
    for (pose, new) in found.iter().enumerate() {
        for (component, new) in new.iter().enumerate() {
            rows.extend_from_slice(&solution.helper_rows[(3 * pose + component) * width..][..width]);
            rows.extend_from_slice(new);
        }
    }
    let bone_count = driver_count + solution.helper_count;
    let wider = solution.weights.chunks(bone_count).flat_map(|row| row.iter().copied().chain([0.0]));
    solution.weights = wider.collect();
    solution.helper_rows = rows;
    solution.helper_count += 1;
}

/// Takes helpers out. Vertices lose those weights and have to be solved anew.
pub(crate) fn remove(solution: &mut Solution, driver_count: usize, is_kept: impl Fn(usize) -> bool) {
    let (count, width) = (solution.helper_count, solution.helper_width());
    let kept: Vec<usize> = (0..count).filter(|&helper| is_kept(helper)).collect();
    if kept.len() == count {
        return;
    }
    let rows = solution.helper_rows.chunks(width);
    solution.helper_rows = rows
        .flat_map(|row| kept.iter().flat_map(move |&helper| row[4 * helper..][..4].iter().copied()))
        .collect();
    let mut weights = Vec::new();
    for row in solution.weights.chunks(driver_count + count) {
        weights.extend_from_slice(&row[..driver_count]);
        weights.extend(kept.iter().map(|&helper| row[driver_count + helper]));
    }
    solution.weights = weights;
    solution.pairs = pick_pairs(&solution.pairs, &kept);
    solution.pivots = pick(&solution.pivots, &kept);
    solution.homes = pick(&solution.homes, &kept);
    solution.helper_count = kept.len();
}

/// Vertices that each helper has an influence on.
pub(crate) fn influenced(solution: &Solution, driver_count: usize) -> Vec<usize> {
    let bone_count = driver_count + solution.helper_count;
    let mut counts = vec![0; solution.helper_count];
    for row in solution.weights.chunks(bone_count) {
        for (count, &weight) in counts.iter_mut().zip(&row[driver_count..]) {
            *count += usize::from(weight > 0.0);
        }
    }
    counts
}
