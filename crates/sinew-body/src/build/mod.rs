//! Builds a body from a template and a design.
//!
//! The steps of \[Komatsu88\] section 3: the stick figure; rings; plain tubes; offsets of control points and repair of smoothness; edges;
//! fills with their own offsets. Nothing is solved iteratively, so a change shows at once.

pub(crate) mod address;
mod figure;
mod motions;
mod offsets;
mod relief;

mod stand;
mod stations;
mod tubes;
pub(crate) mod validate;

pub(crate) use figure::Figure;
pub(crate) use relief::Relief;
pub(crate) use stand::with_given;
pub(crate) use stations::sized_ring;

use crate::body::*;
use crate::design::{Design, DesignError, given, given_ref};
use crate::fill::{FillShape, SpokeOffsets};
use crate::head::HeadBasis;
use crate::template::layout::LayoutFill;
use crate::template::{Flank, Template};
use crate::{Patch, Quartic};
use address::{Address, SpokePart};
use glam::{DVec2, DVec3};
use stations::SizedRing;
use tubes::PlainTube;

/// Error of building a design: all problems found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", listed(problems))]
pub struct BuildError {
    /// At least one.
    pub problems: Vec<DesignError>,
}

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

/// A body without checks of the design and without topology.
pub(crate) fn build_unchecked(template: &Template, design: &Design) -> Result<Body, BuildError> {
    let mut builder = Builder::new(template, design);
    builder.add_tubes();
    builder.add_ends();
    builder.add_nodes();
    builder.add_edges();
    builder.add_fills();
    builder.add_head_patches();
    let mut body = builder.body;
    body.update_patches().map_err(|(fill, source)| BuildError {
        problems: vec![DesignError::Fill { name: body.fills[fill].name.clone(), source }],
    })?;
    Ok(body)
}

/// A design on its template, with what follows before the first tube.
pub(crate) struct Plan<'a> {
    template: &'a Template,
    design: &'a Design,
    figure: Figure,
    rings: Vec<SizedRing>,
}

impl<'a> Plan<'a> {
    fn new(template: &'a Template, design: &'a Design) -> Self {
        let figure = Figure::new(template, design);
        let sized = |ring| stations::sized_ring(template, design, &figure, ring);
        let rings = template.layout.rings.iter().map(sized).collect();
        Plan { template, design, figure, rings }
    }
}

struct Builder<'a> {
    plan: Plan<'a>,
    body: Body,
}

impl<'a> Builder<'a> {
    fn new(template: &'a Template, design: &'a Design) -> Self {
        let plan = Plan::new(template, design);
        let body = Body {
            patches: Vec::new(),
            topology: Topology::default(),
            joints: joints(template, &plan.figure),
            bones: bones(&plan),
            motions: motions::motions(template, design, &plan.figure),
            rings: Vec::new(),
            tubes: Vec::new(),
            ends: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            fills: Vec::new(),
            head: None,
        };
        let mut builder = Builder { plan, body };
        builder.add_head();
        builder
    }

    /// The head before its neck, which is cut for it.
    fn add_head(&mut self) {
        self.body.head = self.plan.template.layout.head.map(|head| {
            let (heads, bone) = (HeadBasis::human(), self.plan.figure.bones[head.bone].head_bone());
            let slots = heads.slots(&self.plan.design.head, &bone);
            BodyHead {
                net: heads.net(),
                tube: head.tube,
                turn: head.turn,
                bone: head.bone,
                first_patch: 0,
                kept: 1.0,
                slots,
            }
        });
    }

    fn add_head_patches(&mut self) {
        let (Some(head), Some(text)) = (&mut self.body.head, &self.plan.template.text().head) else { return };
        head.first_patch = self.body.patches.len();
        for (name, flank) in HeadBasis::human().patch_names() {
            self.body.patches.push(BodyPatch {
                patch: Patch::bezier([[DVec3::ZERO; 5]; 5]),
                name: format!("{}/{name}", text.group),
                flank: *flank,
                group: text.group.clone(),
                bone: head.bone,
            });
        }
    }

    fn add_tubes(&mut self) {
        let layout = &self.plan.template.layout;
        for (index, tube) in layout.tubes.iter().enumerate() {
            let text = &self.plan.template.text().tubes[tube.text];
            let plain = PlainTube::new(&self.plan, tube);
            let offsets = offsets::tube_offsets(&self.plan, index);
            let foot_bay = layout.feet.iter().find(|foot| foot.tube == index).map(|foot| foot.bay);
            let before = tube.continues.map(|before| &self.body.tubes[before]);
            let mut finished = plain.finished(&offsets, foot_bay, before);
            self.cut_ends(index, &mut finished);
            if let Some(head) = self.body.head.as_mut().filter(|head| head.tube == index) {
                finished.even_out();
                head.kept = head.net.cut_of(&finished.tube, head.turn, &head.slots);
            }
            let tube = BodyTube {
                name: text.name.clone(),
                flank: tube.flank,
                group: text.group.clone(),
                tube: finished.tube,
                stations: finished.stations,
                rings: tube.rings.clone(),
                bays: text.bay_names().cloned().collect(),
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
                name: self.plan.template.text().rings[ring.text].name.clone(),
                flank: ring.flank,
                bone: ring.bone,
                ring: self.body.tubes[tube].stations[row / 4].ring.clone(),
                tube,
                row,
            });
        }
    }

    /// Cuts the ends of a tube that the design gives to the fills beside them.
    fn cut_ends(&self, index: usize, finished: &mut PlainTube) {
        let Plan { template, design, .. } = &self.plan;
        for ring in &template.layout.rings {
            let Some((_, end)) = ring.end.filter(|(tube, _)| *tube == index) else { continue };
            let change = given(&design.rings, &template.text().rings[ring.text].name, ring.flank);
            if let Some(share) = change.and_then(|change| change.cut).filter(|&share| share > 0.0) {
                finished.cut(end, share);
            }
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
        for (ring, found) in self.plan.template.layout.rings.iter().enumerate() {
            let Some((tube, end)) = found.end else { continue };
            let legs = &self.body.tubes[tube].legs_m;
            let leg = match end {
                TubeEndName::Start => legs[0][0],
                TubeEndName::End => legs[legs.len() - 1][1],
            };
            self.body.ends.push(BodyEnd { tube, end, ratio: self.plan.rings[ring].reach_m / leg });
        }
    }

    fn add_nodes(&mut self) {
        for node in &self.plan.template.layout.nodes {
            let text = &self.plan.template.text().nodes[node.text];
            let bone = &self.plan.figure.bones[node.bone];
            let shift = given(&self.plan.design.nodes, &text.name, node.flank).unwrap_or(DVec3::ZERO);
            let (mut tilt, mut leg_offsets) = (DVec3::ZERO, [DVec3::ZERO; 2]);
            for (address, value) in self.offsets_of(&text.name, node.flank) {
                let turned = bone.direction(node.flank.place(value));
                match address {
                    Address::NodeTilt => tilt += turned,
                    Address::NodeLeg { line } => leg_offsets[line] += turned,
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
                legs_m: bone.scale * DVec2::from_array(text.legs),
                leg_offsets,
            });
        }
    }

    fn add_edges(&mut self) {
        for edge in &self.plan.template.layout.edges {
            let text = &self.plan.template.text().edges[edge.text];
            let bone = &self.plan.figure.bones[edge.bone];
            let change = given(&self.plan.design.edges, &text.name, edge.flank);
            let bulge = match change.and_then(|change| change.bulge) {
                Some(given) => bone.direction(edge.flank.place(given)),
                None => bone.vector(edge.flank.place(text.bulge)),
            };
            // A mirror image runs the other way around, so its legs lead into the other fill.
            let sign = if edge.flank == Flank::Right { -1.0 } else { 1.0 };
            let mut legs = [DVec3::ZERO; 3];
            for (address, value) in self.offsets_of(&text.name, edge.flank) {
                if let Address::EdgeLeg { leg } = address {
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
        for fill in &self.plan.template.layout.fills {
            let text = &self.plan.template.text().fills[fill.text];
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
            let (middle_offsets, spoke_offsets) = self.fill_offsets(fill);
            self.body.fills.push(BodyFill {
                name: text.name.clone(),
                flank: fill.flank,
                group: text.group.clone(),
                bone: fill.bone,
                sides: fill.sides.clone(),
                vertices: fill.vertices.clone(),
                shape: self.fill_shape(fill),
                middle_offsets,
                spoke_offsets,
                first_patch,
            });
        }
    }

    fn fill_shape(&self, fill: &LayoutFill) -> FillShape {
        let text = &self.plan.template.text().fills[fill.text];
        let bone = &self.plan.figure.bones[fill.bone];
        let change = given(&self.plan.design.fills, &text.name, fill.flank).unwrap_or_default();
        FillShape {
            center_factor: change.center.or(text.center).unwrap_or(2.4),
            height_m: change.height.unwrap_or(bone.scale * text.height),
            center_offset: match change.shift {
                Some(given) => bone.direction(fill.flank.place(given)),
                None => bone.vector(fill.flank.place(text.shift)),
            },
            spoke_scale: change.spread.or(text.spread).unwrap_or(1.0),
        }
    }

    /// Offsets with keys that start with a name, for a side of the body.
    fn offsets_of(&self, name: &str, flank: Flank) -> impl Iterator<Item = (Address, DVec3)> {
        let template = self.plan.template;
        Address::keys_of(&self.plan.design.offsets, name)
            .filter_map(move |(key, sided)| Some((Address::parse(template, key)?, *sided.on(flank)?)))
    }

    /// Offsets of the free middle points and of the spokes.
    fn fill_offsets(&self, fill: &LayoutFill) -> (Vec<DVec3>, Vec<SpokeOffsets>) {
        let count = fill.listed.len();
        let (mut middles, mut spokes) = (vec![DVec3::ZERO; count], vec![SpokeOffsets::default(); count]);
        let name = &self.plan.template.text().fills[fill.text].name;
        // A mirror image runs the other way around.
        let sign = if fill.flank == Flank::Right { -1.0 } else { 1.0 };
        for (address, value) in self.offsets_of(name, fill.flank) {
            let turned = self.plan.figure.bones[fill.bone].direction(fill.flank.place(value));
            let place = (0..count).find(|&place| match address {
                Address::Fill { corner } => fill.listed[place] == corner,
                Address::Spoke { side, .. } => fill.listed_side(place) == side,
                _ => false,
            });
            match (address, place) {
                (Address::Fill { .. }, Some(place)) => middles[place] += turned,
                (Address::Spoke { part: SpokePart::Bulge, .. }, Some(place)) => spokes[place].bulge += turned,
                (Address::Spoke { part: SpokePart::Star, .. }, Some(place)) => spokes[place].star += turned,
                (Address::Spoke { part: SpokePart::Across(leg), .. }, Some(place)) => {
                    spokes[place].across[leg - 1] += sign * turned;
                }
                _ => {}
            }
        }
        (middles, spokes)
    }
}

fn joints(template: &Template, figure: &Figure) -> Vec<BodyJoint> {
    let listed = template.layout.joints.iter().zip(&figure.joints);
    listed
        .map(|(joint, &position)| BodyJoint {
            name: template.text().joints[joint.text].name.clone(),
            flank: joint.flank,
            position,
            parent: joint.parent,
        })
        .collect()
}

fn bones(plan: &Plan<'_>) -> Vec<BodyBone> {
    let template = plan.template;
    let listed = template.layout.bones.iter().zip(&plan.figure.bones);
    listed
        .map(|(bone, moved)| {
            let text = &template.text().bones[bone.text];
            let change = given_ref(&plan.design.motions, &text.name, bone.flank);
            let own_axis = change.and_then(|change| change.axis().ok().flatten());
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
                bend_axis: own_axis.or(text.bend_axis).map(axis),
            }
        })
        .collect()
}

/// Problems that a message names; one mistake may follow from another a hundred times.
const NAMED_PROBLEMS: usize = 8;

fn listed(problems: &[DesignError]) -> String {
    let mut named: Vec<String> = problems.iter().take(NAMED_PROBLEMS).map(ToString::to_string).collect();
    if problems.len() > NAMED_PROBLEMS {
        named.push(format!("and {} more", problems.len() - NAMED_PROBLEMS));
    }
    named.join("; ")
}
