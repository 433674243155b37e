//! The net of a body as the values of a design.

use super::unfold::Sides;
use super::{ByName, Design, Sided};
use crate::body::Body;
use crate::build::Figure;
use crate::template::{Flank, Template};
use glam::DVec3;

/// Sides that differ by less are written once, m: rounding.
const SAME_M: f64 = 1e-12;

/// The net of a body as the values of a design.
pub(super) struct Written<'a> {
    template: &'a Template,
    figure: Figure,
    body: &'a Body,
    sides: Sides,
}

impl<'a> Written<'a> {
    /// `design`: what the body was built from.
    pub(super) fn new(template: &'a Template, design: &Design, body: &'a Body) -> Self {
        Written { template, figure: Figure::new(template, design), body, sides: Sides::of(design) }
    }

    pub(super) fn write(&self, laid: &mut Design) {
        self.write_nodes(laid);
        self.write_edges(laid);
        self.write_fills(laid);
    }

    /// A vector of the model as a design writes it.
    fn listed(&self, bone: usize, flank: Flank, vector: DVec3) -> DVec3 {
        flank.place(self.figure.bones[bone].listed_from(vector))
    }

    fn write_nodes(&self, laid: &mut Design) {
        let nodes = self.template.layout.nodes.iter().zip(&self.body.nodes);
        for (node, found) in nodes.filter(|(node, _)| self.sides.has(node.flank)) {
            let text = &self.template.text().nodes[node.text];
            let bone = &self.figure.bones[node.bone];
            let plain = bone.direction(node.flank.place(text.normal)).normalize_or_zero();
            let listed = |vector: DVec3| self.listed(node.bone, node.flank, vector);
            let shift = found.position - bone.point(node.flank.place(text.at));
            self.set_vector(&mut laid.nodes, &text.name, node.flank, listed(shift));
            let offsets = &mut laid.offsets;
            self.set_vector(
                offsets,
                &format!("{}/tilt", text.name),
                node.flank,
                listed(found.normal - plain),
            );
            for (line, &offset) in found.leg_offsets.iter().enumerate() {
                self.set_vector(offsets, &format!("{}/line/{line}", text.name), node.flank, listed(offset));
            }
        }
    }

    fn write_edges(&self, laid: &mut Design) {
        let edges = self.template.layout.edges.iter().zip(&self.body.edges);
        for (edge, found) in edges.filter(|(edge, _)| self.sides.has(edge.flank)) {
            let name = &self.template.text().edges[edge.text].name;
            let listed = |vector: DVec3| self.listed(edge.bone, edge.flank, vector);
            self.set(&mut laid.edges, name, edge.flank, |value| value.bulge = Some(listed(found.bulge)));
            let sign = mirror_sign(edge.flank);
            for (leg, &offset) in found.legs.iter().enumerate() {
                let key = format!("{name}/legs/{}", leg + 1);
                self.set_vector(&mut laid.offsets, &key, edge.flank, sign * listed(offset));
            }
        }
    }

    fn write_fills(&self, laid: &mut Design) {
        let fills = self.template.layout.fills.iter().zip(&self.body.fills);
        for (fill, found) in fills.filter(|(fill, _)| self.sides.has(fill.flank)) {
            let name = &self.template.text().fills[fill.text].name;
            let listed = |vector: DVec3| self.listed(fill.bone, fill.flank, vector);
            let shift = Some(listed(found.shape.center_offset));
            self.set(&mut laid.fills, name, fill.flank, |value| value.shift = shift);
            let sign = mirror_sign(fill.flank);
            for (place, spoke) in found.spoke_offsets.iter().enumerate() {
                let (corner, side) = (fill.listed[place], fill.listed_side(place));
                let mut write = |key: String, vector: DVec3| {
                    self.set_vector(&mut laid.offsets, &key, fill.flank, listed(vector));
                };
                write(format!("{name}/{corner}"), found.middle_offsets[place]);
                write(format!("{name}/{side}/spoke"), spoke.bulge);
                write(format!("{name}/{side}/star"), spoke.star);
                for (leg, &across) in spoke.across.iter().enumerate() {
                    write(format!("{name}/{side}/across{}", leg + 1), sign * across);
                }
            }
        }
    }

    fn set_vector(&self, values: &mut ByName<DVec3>, name: &str, flank: Flank, vector: DVec3) {
        // What lies on the middle plane stays there, whatever sums round to.
        let is_middle = flank == Flank::Middle && vector.x.abs() < SAME_M;
        let vector = if is_middle { vector.with_x(0.0) } else { vector };
        self.set(values, name, flank, |value| *value = vector);
    }

    /// Sets the value of a side: for the middle and for sides that are alike the common one, and the right's equal to the left's if they
    /// differ by rounding only.
    fn set<T: Copy + Default + Near>(
        &self,
        values: &mut ByName<T>,
        name: &str,
        flank: Flank,
        change: impl Fn(&mut T),
    ) {
        let on = |flank| super::given(values, name, flank).unwrap_or_default();
        let [mut left, mut right] = [on(Flank::Left), on(Flank::Right)];
        if flank != Flank::Right {
            change(&mut left);
        }
        match flank {
            Flank::Right => change(&mut right),
            _ if flank == Flank::Middle || self.sides == Sides::Alike => right = left,
            _ => {}
        }
        let sided = match left.is_near(&right) {
            true => Sided::Both(left),
            false => Sided::Each { left: Some(left), right: Some(right) },
        };
        values.insert(name.to_owned(), sided);
    }
}

/// A mirror image runs the other way around.
fn mirror_sign(flank: Flank) -> f64 {
    if flank == Flank::Right { -1.0 } else { 1.0 }
}

trait Near {
    fn is_near(&self, other: &Self) -> bool;
}

impl Near for DVec3 {
    fn is_near(&self, other: &Self) -> bool {
        self.distance(*other) < SAME_M
    }
}

impl Near for super::EdgeChange {
    fn is_near(&self, other: &Self) -> bool {
        self.bulge.unwrap_or_default().is_near(&other.bulge.unwrap_or_default())
    }
}

impl Near for super::FillChange {
    fn is_near(&self, other: &Self) -> bool {
        let shift = |change: &Self| change.shift.unwrap_or_default();
        let others = |change: &Self| Self { shift: None, ..*change };
        shift(self).is_near(&shift(other)) && others(self) == others(other)
    }
}
