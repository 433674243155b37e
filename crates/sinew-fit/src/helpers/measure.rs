//! What a fit leaves over, measured on the targets themselves.

use faer::{Accum, Mat, MatRef};

use super::sweep::Solution;
use super::view::View;
use crate::examples::Examples;
use crate::numeric::multiply;

/// Errors in the unit of the positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitErrors {
    /// √(Σ |Δ|² / (poses · vertices)).
    pub rms: f64,
    /// Largest |Δ|, with its pose and vertex.
    pub largest: f64,
    /// Pose of the largest.
    pub largest_pose: usize,
    /// Vertex of the largest.
    pub largest_vertex: usize,
    /// RMS over all poses, one per vertex.
    pub by_vertex: Vec<f64>,
    /// RMS over all vertices, one per pose.
    pub by_pose: Vec<f64>,
}

#[derive(Clone)]
struct Part {
    by_vertex: Vec<f64>,
    by_pose: Vec<(usize, f64)>,
    largest: (f64, usize, usize),
}

/// Compares a solution for all poses and vertices with the targets, without shortcuts.
pub(crate) fn measure(examples: &Examples<'_>, solution: &Solution) -> FitErrors {
    let all = |count: usize| (0..count as u32).collect::<Vec<u32>>();
    let view = View::untallied(*examples, all(examples.pose_count()), all(examples.vertex_count()));
    let (driver_count, helper_count) = (examples.driver_count, solution.helper_count);
    let (driver_width, width) = (view.driver_width(), solution.helper_width());
    let bone_count = driver_count + helper_count;
    let vertex_count = view.vertex_count();
    let loads = Mat::from_fn(vertex_count, 4 * bone_count, |vertex, column| {
        solution.weights[vertex * bone_count + column / 4] * view.points[vertex][column % 4]
    });
    let begin = || Part { by_vertex: vec![0.0; vertex_count], by_pose: Vec::new(), largest: (0.0, 0, 0) };
    let parts = view.each_part::<(), _>(&mut [], 0, begin, |part, block, _| {
        let mut left = block.targets.to_owned();
        let rows = |rows: &'_ [f64], width: usize| -> Vec<f64> {
            rows[3 * block.first * width..][..3 * block.count * width].to_vec()
        };
        let drivers = rows(&view.driver_rows, driver_width);
        let drivers = MatRef::from_row_major_slice(&drivers, 3 * block.count, driver_width);
        let driver_loads = loads.as_ref().subcols(0, driver_width);
        multiply(left.as_mut(), Accum::Add, driver_loads, drivers.transpose(), -1.0);
        if width > 0 {
            let helpers = rows(&solution.helper_rows, width);
            let helpers = MatRef::from_row_major_slice(&helpers, 3 * block.count, width);
            let helper_loads = loads.as_ref().subcols(driver_width, width);
            multiply(left.as_mut(), Accum::Add, helper_loads, helpers.transpose(), -1.0);
        }
        for at in 0..block.count {
            let pose = block.first + at;
            let mut sum = 0.0;
            for vertex in 0..vertex_count {
                let square: f64 = (0..3).map(|axis| left[(vertex, 3 * at + axis)].powi(2)).sum();
                part.by_vertex[vertex] += square;
                sum += square;
                if square > part.largest.0 {
                    part.largest = (square, pose, vertex);
                }
            }
            part.by_pose.push((pose, sum));
        }
    });
    let mut errors = FitErrors { by_vertex: vec![0.0; vertex_count], ..FitErrors::default() };
    let mut largest = (0.0, 0, 0);
    let pose_count = view.pose_count();
    let mut total = 0.0;
    for part in &parts {
        errors.by_vertex.iter_mut().zip(&part.by_vertex).for_each(|(sum, part)| *sum += part);
        errors.by_pose.extend(part.by_pose.iter().map(|&(_, sum)| (sum / vertex_count as f64).sqrt()));
        total += part.by_pose.iter().map(|&(_, sum)| sum).sum::<f64>();
        if part.largest.0 > largest.0 {
            largest = part.largest;
        }
    }
    errors.by_vertex.iter_mut().for_each(|sum| *sum = (*sum / pose_count as f64).sqrt());
    errors.rms = (total / (pose_count * vertex_count) as f64).sqrt();
    (errors.largest, errors.largest_pose, errors.largest_vertex) = (largest.0.sqrt(), largest.1, largest.2);
    errors
}
