//! Rounds designs to keep their files short.

use crate::design::Design;
use glam::DVec3;

/// 0.1 mm.
const GRAIN: f64 = 1e-4;
/// Grain of control points: they are a few mm apart, and 0.1 mm would show in the shading.
const FINE_GRAIN: f64 = 1e-5;

/// Rounds lengths to 0.1 mm and factors to 0.001, and drops offsets that become zero.
pub(super) fn round(design: &mut Design) {
    design.scale = to_thousandth(design.scale);
    for sided in design.joints.values_mut().chain(design.nodes.values_mut()) {
        sided.values_mut().for_each(length_vector);
    }
    design.offsets.values_mut().flat_map(|sided| sided.values_mut()).for_each(fine_vector);
    for ring in design.rings.values_mut().flat_map(|sided| sided.values_mut()) {
        [&mut ring.front, &mut ring.side, &mut ring.reach].into_iter().flatten().for_each(length);
        ring.shift.iter_mut().for_each(length_vector);
        ring.flare.iter_mut().for_each(|flare| *flare = flare.map(to_thousandth));
    }
    for middle in design.middles.values_mut().flat_map(|sided| sided.values_mut()) {
        [&mut middle.front, &mut middle.side].into_iter().flatten().for_each(length);
        middle.shift.iter_mut().for_each(length_vector);
    }
    for fill in design.fills.values_mut().flat_map(|sided| sided.values_mut()) {
        fill.height.iter_mut().for_each(length);
        for value in [&mut fill.center, &mut fill.spread].into_iter().flatten() {
            *value = to_thousandth(*value);
        }
        fill.shift.iter_mut().for_each(length_vector);
    }
    for edge in design.edges.values_mut().flat_map(|sided| sided.values_mut()) {
        edge.bulge.iter_mut().for_each(length_vector);
    }
    let head = &mut design.head;
    head.shape.iter_mut().chain(&mut head.face).for_each(|amount| *amount = to_thousandth(*amount));
    head.size = head.size.map(|size| DVec3::from_array(size.to_array().map(to_thousandth)));
    design.offsets.retain(|_, sided| sided.values().any(|&offset| offset != DVec3::ZERO));
}

fn to_thousandth(value: f64) -> f64 {
    (1e3 * value).round() / 1e3
}

fn length(value: &mut f64) {
    *value = to_grain(*value, GRAIN);
}

fn to_grain(value: f64, grain: f64) -> f64 {
    // Dividing by the whole number gives the shortest decimal fraction. Adding zero turns −0 into 0.
    (value / grain).round() / (1.0 / grain).round() + 0.0
}

fn fine_vector(vector: &mut DVec3) {
    *vector = vector.map(|value| to_grain(value, FINE_GRAIN));
}

fn length_vector(vector: &mut DVec3) {
    *vector = vector.map(|value| to_grain(value, GRAIN));
}
