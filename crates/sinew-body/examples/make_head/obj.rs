//! Meshes to look at: a fitted head, and the source's own.

use crate::data::Bodies;
use glam::DVec3;
use sinew_body::Patch;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Cells along a side of a Bézier patch; Gregory patches lie along half a side.
const CELLS: usize = 12;

fn vertex(text: &mut String, at: DVec3, normal: DVec3) {
    let _ = writeln!(
        text,
        "v {:.6} {:.6} {:.6}\nvn {:.4} {:.4} {:.4}",
        at.x, at.y, at.z, normal.x, normal.y, normal.z
    );
}

/// Patches as quads with exact normals.
pub(crate) fn patches(patches: &[Patch], eyes: &[f64; 8]) -> String {
    let mut text = String::from("g skin\n");
    let mut first = 0;
    for patch in patches {
        let cells = if patch.is_gregory() { CELLS / 2 } else { CELLS };
        for k in 0..(cells + 1) * (cells + 1) {
            let at = |k: usize| k as f64 / cells as f64;
            let (u, w) = (at(k % (cells + 1)), at(k / (cells + 1)));
            vertex(&mut text, patch.position(u, w), patch.normal(u, w));
        }
        grid(&mut text, first, (cells, cells));
        first += (cells + 1) * (cells + 1);
    }
    balls(&mut text, first, eyes);
    text
}

fn grid(text: &mut String, first: usize, (along, across): (usize, usize)) {
    for row in 0..across {
        for k in 0..along {
            let at = first + row * (along + 1) + k + 1;
            let _ = writeln!(text, "f {} {} {} {}", at, at + 1, at + along + 2, at + along + 1);
        }
    }
}

/// Spheres for eyes; the iris is the front of each.
fn balls(text: &mut String, count: usize, eyes: &[f64; 8]) {
    const ROUND: usize = 48;
    // Rows by their angle from the front, degrees.
    let rows = |is_iris: bool| if is_iris { (0.0, 22.0) } else { (22.0, 180.0) };
    let mut first = count;
    for ball in eyes.chunks_exact(4) {
        for (name, is_iris) in [("iris", true), ("eye", false)] {
            let (start, end) = rows(is_iris);
            let _ = writeln!(text, "g {name}");
            for row in 0..=24 {
                let (sin, cos) = (start + (end - start) * f64::from(row) / 24.0_f64).to_radians().sin_cos();
                for k in 0..=ROUND {
                    let (up, side) = (std::f64::consts::TAU * k as f64 / ROUND as f64).sin_cos();
                    let normal = DVec3::new(sin * side, sin * up, cos);
                    vertex(text, DVec3::from_slice(ball) + ball[3] * normal, normal);
                }
            }
            grid(text, first, (ROUND, 24));
            first += 25 * (ROUND + 1);
        }
    }
}

/// The source's mesh above the net's lowest vertex, with eyes; `used` are the vertices of the net.
pub(crate) fn mesh(bodies: &Bodies, body: usize, used: &[usize]) -> String {
    let (mut text, vertices) = (String::from("g skin\n"), &bodies.vertices[body]);
    let used: BTreeSet<u32> = used.iter().map(|&at| at as u32).collect();
    let quads: Vec<&[u32; 4]> =
        bodies.quads.iter().filter(|quad| quad.iter().all(|at| used.contains(at))).collect();
    let mut normals = vec![DVec3::ZERO; vertices.len()];
    for quad in &quads {
        let [a, b, c, d] = quad.map(|at| vertices[at as usize]);
        let normal = (c - a).cross(d - b);
        quad.iter().for_each(|&at| normals[at as usize] += normal);
    }
    for (at, normal) in vertices.iter().zip(&normals) {
        vertex(&mut text, *at, normal.normalize_or_zero());
    }
    for quad in quads {
        let [a, b, c, d] = quad.map(|at| at + 1);
        let _ = writeln!(text, "f {a} {b} {c} {d}");
    }
    balls(&mut text, vertices.len(), &bodies.eyes[body]);
    text
}
