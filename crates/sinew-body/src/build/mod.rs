//! Builds a body from a template and a design.
//!
//! The steps of \[Komatsu88\] section 3: the stick figure; rings; plain tubes; offsets of control points and repair of smoothness; edges;
//! fills with their own offsets. Nothing is solved iteratively, so a change shows at once.

mod address;
mod error;
mod figure;
mod motions;
mod offsets;
mod relief;
mod stations;
mod tubes;
pub(crate) mod validate;

pub use error::BuildError;
pub(crate) use figure::Figure;
pub(crate) use relief::Relief;

use crate::body::*;
use crate::design::{Design, DesignError, given};
use crate::fill::{FillShape, SpokeOffsets};
use crate::template::layout::LayoutFill;
use crate::template::{Flank, Template};
use crate::{Patch, Quartic};
use address::{Address, SpokePart};
use glam::{DVec2, DVec3};
use stations::SizedRing;
use tubes::PlainTube;

/// Builds a body.
///
/// # Errors
/// Lists everything in the design that the template does not have or that is out of range.
pub fn build(template: &Template, design: &Design) -> Result<Body, BuildError> {
    validate::validate(template, design)?;
    let mut body = build_unchecked(template, design)?;
    body.topology = Topology::of(&body);
    Ok(body)
}

/// Only the patches, of a valid design: without checks and topology, for building thousands of bodies.
pub(crate) fn build_patches(template: &Template, design: &Design) -> Result<Vec<Patch>, BuildError> {
    Ok(build_unchecked(template, design)?.patches.into_iter().map(|patch| patch.patch).collect())
}

/// A tube's control points with all offsets, before its smoothness is repaired.
pub(crate) fn tube_before_repair(template: &Template, design: &Design, index: usize) -> Vec<DVec3> {
    let builder = Builder::new(template, design);
    let layout = &template.layout().tubes[index];
    let plain = PlainTube::new(template, design, &builder.figure, &builder.rings, layout);
    let offsets = offsets::tube_offsets(template, design, &builder.figure, &builder.rings, index);
    plain.tube.points().iter().zip(offsets).map(|(&point, offset)| point + offset).collect()
}

fn build_unchecked(template: &Template, design: &Design) -> Result<Body, BuildError> {
    let mut builder = Builder::new(template, design);
    builder.add_tubes();
    builder.add_ends();
    builder.add_nodes();
    builder.add_edges();
    builder.add_fills();
    let mut body = builder.body;
    body.update_patches().map_err(|(fill, source)| BuildError {
        problems: vec![DesignError::Fill { name: body.fills[fill].name.clone(), source }],
    })?;
    Ok(body)
}

struct Builder<'a> {
    template: &'a Template,
    design: &'a Design,
    figure: Figure,
    rings: Vec<SizedRing>,
    body: Body,
}

impl<'a> Builder<'a> {
    fn new(template: &'a Template, design: &'a Design) -> Self {
        let figure = Figure::new(template, design);
        let rings = template
            .layout()
            .rings
            .iter()
            .map(|ring| stations::sized_ring(template, design, &figure, ring))
            .collect();
        let body = Body {
            patches: Vec::new(),
            topology: Topology::default(),
            joints: joints(template, &figure),
            bones: bones(template, &figure),
            motions: motions::motions(template, &figure),
            rings: Vec::new(),
            tubes: Vec::new(),
            ends: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            fills: Vec::new(),
        };
        Builder { template, design, figure, rings, body }
    }

    fn add_tubes(&mut self) {
        let layout = self.template.layout();
        for (index, tube) in layout.tubes.iter().enumerate() {
            let text = &self.template.text().tubes[tube.text];
            let plain = PlainTube::new(self.template, self.design, &self.figure, &self.rings, tube);
            let offsets = offsets::tube_offsets(self.template, self.design, &self.figure, &self.rings, index);
            let before = tube.continues.map(|before| &self.body.tubes[before]);
            let finished = plain.finished(&offsets, text.floor, before);
            let tip_name = text.tip.iter().map(|tip| tip.name.clone());
            let tube = BodyTube {
                name: text.name.clone(),
                flank: tube.flank,
                group: text.group.clone(),
                tube: finished.tube,
                stations: finished.stations,
                rings: tube.rings.clone(),
                bays: text.bays.iter().map(|bay| bay.name.clone()).chain(tip_name).collect(),
                bones: tube.bones.clone(),
                legs_m: finished.legs_m,
                tip: finished.tip,
                continues: tube.continues,
                first_patch: self.body.patches.len(),
            };
            self.add_tube_patches(&tube);
            self.body.tubes.push(tube);
        }
        for (index, ring) in layout.rings.iter().enumerate() {
            let place = layout.tubes.iter().enumerate().find_map(|(tube, found)| {
                Some((tube, 4 * found.rings.iter().position(|&found| found == index)?))
            });
            let (tube, row) = place.unwrap_or_default();
            self.body.rings.push(BodyRing {
                name: self.template.text().rings[ring.text].name.clone(),
                flank: ring.flank,
                bone: ring.bone,
                ring: self.rings[index].station.ring.clone(),
                tube,
                row,
            });
        }
    }

    fn add_tube_patches(&mut self, tube: &BodyTube) {
        for (bay, name) in tube.bays.iter().enumerate() {
            for k in 0..tube.tube.patch_count() {
                self.body.patches.push(BodyPatch {
                    patch: tube.tube.patch(bay, k),
                    name: format!("{}/{name}/{k}", tube.name),
                    flank: tube.flank,
                    group: tube.group.clone(),
                    bone: tube.bones[bay],
                });
            }
        }
    }

    fn add_ends(&mut self) {
        for (ring, found) in self.template.layout().rings.iter().enumerate() {
            let Some((tube, end)) = found.end else { continue };
            let legs = &self.body.tubes[tube].legs_m;
            let leg = match end {
                TubeEndName::Start => legs[0][0],
                TubeEndName::End => legs[legs.len() - 1][1],
            };
            self.body.ends.push(BodyEnd { tube, end, ratio: self.rings[ring].reach_m / leg });
        }
    }

    fn add_nodes(&mut self) {
        for node in &self.template.layout().nodes {
            let text = &self.template.text().nodes[node.text];
            let bone = &self.figure.bones[node.bone];
            let shift = given(&self.design.nodes, &text.name, node.flank).unwrap_or(DVec3::ZERO);
            let (mut tilt, mut leg_offsets) = (DVec3::ZERO, [DVec3::ZERO; 2]);
            for (address, value) in self.offsets_of(&text.name, node.flank) {
                let turned = bone.direction(node.flank.place(value));
                match address {
                    Address::NodeTilt { .. } => tilt += turned,
                    Address::NodeLeg { line, .. } => leg_offsets[line] += turned,
                    _ => {}
                }
            }
            let normal = bone.direction(node.flank.place(text.normal)).normalize_or_zero();
            self.body.nodes.push(BodyNode {
                name: text.name.clone(),
                flank: node.flank,
                bone: node.bone,
                position: bone.point(node.flank.place(text.at)) + bone.direction(node.flank.place(shift)),
                normal: (normal + tilt).normalize_or(normal),
                through: node.through,
                legs_m: bone.scale() * DVec2::from_array(text.legs),
                leg_offsets,
            });
        }
    }

    fn add_edges(&mut self) {
        for edge in &self.template.layout().edges {
            let text = &self.template.text().edges[edge.text];
            let bone = &self.figure.bones[edge.bone];
            let change = given(&self.design.edges, &text.name, edge.flank);
            let bulge = match change.and_then(|change| change.bulge) {
                Some(given) => bone.direction(edge.flank.place(given)),
                None => bone.vector(edge.flank.place(text.bulge)),
            };
            // A mirror image runs the other way around, so its legs lead into the other fill.
            let sign = if edge.flank == Flank::Right { -1.0 } else { 1.0 };
            let mut legs = [DVec3::ZERO; 3];
            for (address, value) in self.offsets_of(&text.name, edge.flank) {
                if let Address::EdgeLeg { leg, .. } = address {
                    legs[leg - 1] += sign * bone.direction(edge.flank.place(value));
                }
            }
            self.body.edges.push(BodyEdge {
                name: text.name.clone(),
                flank: edge.flank,
                bone: edge.bone,
                from: edge.from,
                to: edge.to,
                bulge,
                legs,
                curve: Quartic([DVec3::ZERO; 5]),
            });
        }
    }

    fn add_fills(&mut self) {
        for fill in &self.template.layout().fills {
            let text = &self.template.text().fills[fill.text];
            let first_patch = self.body.patches.len();
            for &listed in &fill.listed {
                self.body.patches.push(BodyPatch {
                    patch: Patch::bezier([[DVec3::ZERO; 5]; 5]),
                    name: format!("{}/{listed}", text.name),
                    flank: fill.flank,
                    group: text.group.clone(),
                    bone: fill.bone,
                });
            }
            self.body.fills.push(BodyFill {
                name: text.name.clone(),
                flank: fill.flank,
                group: text.group.clone(),
                bone: fill.bone,
                sides: fill.sides.clone(),
                vertices: fill.vertices.clone(),
                shape: self.fill_shape(fill),
                middle_offsets: self.fill_offsets(fill),
                spoke_offsets: self.spoke_offsets(fill),
                first_patch,
            });
        }
    }

    fn fill_shape(&self, fill: &LayoutFill) -> FillShape {
        let text = &self.template.text().fills[fill.text];
        let bone = &self.figure.bones[fill.bone];
        let change = given(&self.design.fills, &text.name, fill.flank).unwrap_or_default();
        FillShape {
            center_factor: change.center.or(text.center).unwrap_or(2.4),
            height_m: change.height.unwrap_or(bone.scale() * text.height),
            center_offset: match change.shift {
                Some(given) => bone.direction(fill.flank.place(given)),
                None => bone.vector(fill.flank.place(text.shift)),
            },
            spoke_scale: change.spread.or(text.spread).unwrap_or(1.0),
        }
    }

    /// Offsets with keys that start with a name, for a side of the body.
    fn offsets_of(&self, name: &str, flank: Flank) -> impl Iterator<Item = (Address, DVec3)> {
        let template = self.template;
        Address::keys_of(&self.design.offsets, name)
            .filter_map(move |(key, sided)| Some((Address::parse(template, key)?, *sided.on(flank)?)))
    }

    fn spoke_offsets(&self, fill: &LayoutFill) -> Vec<SpokeOffsets> {
        let count = fill.listed.len();
        let mut offsets = vec![SpokeOffsets::default(); count];
        let name = &self.template.text().fills[fill.text].name;
        let bone = &self.figure.bones[fill.bone];
        // A mirror image runs the other way around.
        let sign = if fill.flank == Flank::Right { -1.0 } else { 1.0 };
        for (address, value) in self.offsets_of(name, fill.flank) {
            let Address::Spoke { side, part, .. } = address else { continue };
            let Some(place) = (0..count).find(|&place| fill.listed_side(place) == side) else { continue };
            let turned = bone.direction(fill.flank.place(value));
            match part {
                SpokePart::Bulge => offsets[place].bulge += turned,
                SpokePart::Star => offsets[place].star += turned,
                SpokePart::Across(leg) => offsets[place].across[leg - 1] += sign * turned,
            }
        }
        offsets
    }

    fn fill_offsets(&self, fill: &LayoutFill) -> Vec<DVec3> {
        let mut offsets = vec![DVec3::ZERO; fill.listed.len()];
        let name = &self.template.text().fills[fill.text].name;
        for (key, sided) in Address::keys_of(&self.design.offsets, name) {
            let Some(Address::Fill { fill: text, corner }) = Address::parse(self.template, key) else {
                continue;
            };
            let place = fill.listed.iter().position(|&listed| listed == corner);
            if let (true, Some(place), Some(&value)) = (text == fill.text, place, sided.on(fill.flank)) {
                offsets[place] += self.figure.bones[fill.bone].direction(fill.flank.place(value));
            }
        }
        offsets
    }
}

fn joints(template: &Template, figure: &Figure) -> Vec<BodyJoint> {
    let listed = template.layout().joints.iter().zip(&figure.joints);
    listed
        .map(|(joint, &position)| BodyJoint {
            name: template.text().joints[joint.text].name.clone(),
            flank: joint.flank,
            position,
            parent: joint.parent,
        })
        .collect()
}

fn bones(template: &Template, figure: &Figure) -> Vec<BodyBone> {
    let listed = template.layout().bones.iter().zip(&figure.bones);
    listed
        .map(|(bone, moved)| {
            let text = &template.text().bones[bone.text];
            // A rotation's axis is mirrored with the opposite sign; a positive angle then bends both sides alike.
            let axis = |axis: DVec3| match bone.flank {
                Flank::Right => moved.direction(DVec3::new(axis.x, -axis.y, -axis.z)),
                _ => moved.direction(axis),
            };
            BodyBone {
                name: text.name.clone(),
                flank: bone.flank,
                from: bone.from,
                to: bone.to,
                bend_axis: text.bend_axis.map(axis),
            }
        })
        .collect()
}
