//! Optimized centers of rotation.
//!
//! After \[Le16\]: every vertex turns by the blended quaternion about a center that is the mean of the surface points with similar weights.
//! Similar vertices then turn about the same point.
//!
//! `v' = R (v − p*) + Σ wᵢ Mᵢ p*`, with `p* = Σ_T s(v, T) a_T c_T / Σ_T s(v, T) a_T` over the triangles T, their areas and
//! centroids, and the similarity of eq. 4, `s(p, v) = Σ_{j≠k} w_pj w_pk w_vj w_vk exp(−(w_pj w_vk − w_pk w_vj)² / σ²)`.
//!
//! Departures: the quaternion blend is the sign-aligned normalized sum, as there; the mean stretch carries scale and shear. A vertex without
//! similar triangles turns about itself, which is LBS.
//! Cost: centers are computed once, when bound.

use crate::{BoneFrame, MovedVertex, RestVertex, RotationBlend};
use glam::Vec3;
use sinew_rig::BoundSurface;
use std::collections::HashMap;

/// Width of the similarity kernel; \[Le16\] §4.1.
const SIGMA: f32 = 0.1;

/// Moves one vertex; its center is p*.
pub fn move_vertex(vertex: &RestVertex<'_>, bones: &[BoneFrame]) -> MovedVertex {
    vertex.turned_about_center(bones, RotationBlend::Nlerp)
}

/// The weights of a triangle: the mean of its corners'.
struct Sample {
    weights: Vec<(u16, f32)>,
    centroid: Vec3,
    area: f32,
}

/// The center of rotation of every vertex, rest space.
pub(crate) fn centers(bound: &BoundSurface) -> Vec<Vec3> {
    let samples = samples(bound);
    // Similarity needs two bones in common: triangles are looked up by each pair of their bones.
    let mut by_pair: HashMap<(u16, u16), Vec<u32>> = HashMap::new();
    for (index, sample) in samples.iter().enumerate() {
        for (at, &(a, _)) in sample.weights.iter().enumerate() {
            for &(b, _) in &sample.weights[at + 1..] {
                by_pair.entry((a.min(b), a.max(b))).or_default().push(index as u32);
            }
        }
    }
    let mut seen = vec![u32::MAX; samples.len()];
    (0..bound.vertex_count()).map(|vertex| center(bound, vertex, &samples, &by_pair, &mut seen)).collect()
}

fn samples(bound: &BoundSurface) -> Vec<Sample> {
    let positions = &bound.rest().positions;
    bound
        .triangles()
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
            let mut weights: Vec<(u16, f32)> = Vec::new();
            for &vertex in triangle {
                for (joint, value) in bound.influences().pairs(vertex as usize) {
                    match weights.iter_mut().find(|(known, _)| *known == joint) {
                        Some((_, weight)) => *weight += value / 3.0,
                        None => weights.push((joint, value / 3.0)),
                    }
                }
            }
            Sample { weights, centroid: (a + b + c) / 3.0, area: (b - a).cross(c - a).length() * 0.5 }
        })
        .collect()
}

fn center(
    bound: &BoundSurface,
    vertex: usize,
    samples: &[Sample],
    by_pair: &HashMap<(u16, u16), Vec<u32>>,
    seen: &mut [u32],
) -> Vec3 {
    let own: Vec<(u16, f32)> = bound.influences().pairs(vertex).collect();
    let mut sum = glam::DVec3::ZERO;
    let mut total = 0.0f64;
    for (at, &(a, _)) in own.iter().enumerate() {
        for &(b, _) in &own[at + 1..] {
            for &index in by_pair.get(&(a.min(b), a.max(b))).map_or(&[][..], Vec::as_slice) {
                if std::mem::replace(&mut seen[index as usize], vertex as u32) == vertex as u32 {
                    continue;
                }
                let sample = &samples[index as usize];
                let share = f64::from(similarity(&own, &sample.weights) * sample.area);
                sum += sample.centroid.as_dvec3() * share;
                total += share;
            }
        }
    }
    if total > 0.0 { (sum / total).as_vec3() } else { bound.rest().positions[vertex] }
}

/// \[Le16\] eq. 4.
fn similarity(p: &[(u16, f32)], v: &[(u16, f32)]) -> f32 {
    let of = |weights: &[(u16, f32)], joint: u16| {
        weights.iter().find(|(known, _)| *known == joint).map_or(0.0, |&(_, weight)| weight)
    };
    let mut sum = 0.0;
    for &(j, p_j) in p {
        for &(k, p_k) in p.iter().filter(|(k, _)| *k != j) {
            let (v_j, v_k) = (of(v, j), of(v, k));
            let difference = p_j * v_k - p_k * v_j;
            sum += p_j * p_k * v_j * v_k * (-difference * difference / (SIGMA * SIGMA)).exp();
        }
    }
    sum
}
