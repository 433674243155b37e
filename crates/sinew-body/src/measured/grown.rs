//! The base design scaled to a person's measures.

use super::Base;
use super::joints::{Heights, joints};
use super::part::{Part, Place};
use super::sizes::{MEASURED_RINGS, Sizes};
use crate::body::BodyJoint;
use crate::build::Figure;
use crate::design::{Design, EdgeChange, FillChange, MiddleChange, RingChange, Sided};
use crate::survey::{BodyMeasures, Measure};
use crate::template::{Flank, Template};
use glam::{DVec2, DVec3};

/// The design for a person, with the current knobs.
pub(super) fn grown(template: &Template, base: &Base, sizes: &Sizes<'_>) -> Design {
    let measures = BodyMeasures::new(sizes.person);
    let mut design = base.design.clone();
    design.scale *= sizes.ratio(Measure::Stature);
    design.lengths.clear();
    let heights = Heights::new(sizes, base.joint("skull").y);
    design.joints = joints(template, base, &measures, sizes, &heights);
    let figure = Figure::new(template, &design);
    let growing = Growing { template, base, sizes, figure, measures, heights };
    growing.rings(&mut design);
    growing.middles(&mut design);
    growing.nodes(&mut design);
    growing.fills(&mut design);
    growing.edges(&mut design);
    growing.offsets(&mut design);
    design
}

struct Growing<'a> {
    template: &'a Template,
    base: &'a Base,
    sizes: &'a Sizes<'a>,
    figure: Figure,
    measures: BodyMeasures,
    heights: Heights,
}

/// The value of a map for both sides, or for the left if they differ.
fn listed<T: Copy>(value: Option<&Sided<T>>) -> Option<T> {
    value.and_then(|sided| sided.on(Flank::Left)).copied()
}

impl Growing<'_> {
    fn rings(&self, design: &mut Design) {
        let layout = &self.template.layout;
        let places = self.base.body.rings.iter().zip(&self.base.ring_places);
        for (ring, (found, place)) in layout.rings.iter().zip(places) {
            if ring.flank == Flank::Right {
                continue;
            }
            let text = &self.template.text().rings[ring.text];
            let own = listed(design.rings.get(&text.name)).unwrap_or_default();
            let size = self.sizes.at(place);
            let axes = found.ring.semi_axes;
            let is_measured = |place: &usize| text.name != "head" && self.sizes.is_measured(*place);
            let measured = MEASURED_RINGS.iter().position(|(name, _)| *name == text.name).filter(is_measured);
            let bare = RingChange { front: None, side: None, girth: None, ratio: None, ..own };
            let sized = match measured {
                Some(place) => RingChange {
                    girth: Some(self.sizes.measured_girth(place)),
                    ratio: Some(axes.x / axes.y * size.x / size.y),
                    ..bare
                },
                None => RingChange {
                    front: Some(2.0 * axes.x * size.x),
                    side: Some(2.0 * axes.y * size.y),
                    ..bare
                },
            };
            let growth = 0.5 * size.element_sum();
            let reach = own.reach.or(text.reach.map(|reach| self.base.design.scale * reach));
            let shift = match text.name.as_str() {
                "thigh_root" => Some(self.thigh_root_shift(ring.bone, text.at, found.ring.frame.center)),
                _ => own.shift.map(|shift| self.grown_shift(ring.bone, shift, growth)),
            };
            let change = RingChange { reach: reach.map(|reach| growth * reach), shift, ..sized };
            design.rings.insert(text.name.clone(), Sided::Both(change));
        }
    }

    /// The leg's opening follows the trunk's height and the hips, not its place on the thigh's bone.
    fn thigh_root_shift(&self, bone: usize, at: DVec3, in_base: DVec3) -> DVec3 {
        let moved = self.measures.rings.thigh_root.center - self.base.measures.rings.thigh_root.center;
        let breadth = in_base.x * self.sizes.hips().x;
        let target = DVec3::new(breadth, self.heights.of(in_base.y), in_base.z + moved.z);
        let bone = &self.figure.bones[bone];
        bone.listed_from(target - bone.point(at))
    }

    /// A shift scales across its bone with the part's thickness, along it with the bone's length.
    fn grown_shift(&self, bone: usize, shift: DVec3, growth: f64) -> DVec3 {
        let (before, after) = (&self.base.figure.bones[bone], &self.figure.bones[bone]);
        let along = shift.project_onto(after.listed_direction(Flank::Left));
        let along = if along.is_finite() { along } else { DVec3::ZERO };
        after.stretch / before.stretch * along + growth * (shift - along)
    }

    fn middles(&self, design: &mut Design) {
        for (key, sided) in &mut design.middles {
            let Some(own) = listed(Some(sided)) else { continue };
            let Some(place) = Place::of_key(&self.base.body, &format!("{key}/2")) else { continue };
            let size = self.sizes.at(&place);
            *sided = Sided::Both(MiddleChange {
                front: own.front.map(|front| front * size.x),
                side: own.side.map(|side| side * size.y),
                shift: own.shift.map(|shift| 0.5 * size.element_sum() * shift),
            });
        }
    }

    /// Nodes follow the size of the trunk or hand around them.
    fn nodes(&self, design: &mut Design) {
        for (node, found) in self.template.layout.nodes.iter().zip(&self.base.body.nodes) {
            if node.flank == Flank::Right {
                continue;
            }
            let text = &self.template.text().nodes[node.text];
            let bone = &self.figure.bones[node.bone];
            let target = match text.bone.as_str() {
                "hand" => self.hand_point(found.position),
                _ => self.trunk_point(node.bone, found.position),
            };
            let shift = bone.listed_from(target - bone.point(node.flank.place(text.at)));
            design.nodes.insert(text.name.clone(), Sided::Both(shift));
        }
    }

    /// A node of the trunk scales from its bone's first joint, like shifts of rings.
    fn trunk_point(&self, bone: usize, in_base: DVec3) -> DVec3 {
        let size = self.sizes.at(&Place::new(&self.base.body, bone, in_base));
        let joint = self.base.body.bones[bone].from;
        let (before, after) = (self.base.body.joints[joint].position.z, self.figure.joints[joint].z);
        let depth = after + (in_base.z - before) * size.y;
        DVec3::new(in_base.x * size.x, self.heights.of(in_base.y), depth)
    }

    fn hand_point(&self, in_base: DVec3) -> DVec3 {
        let is_wrist = |joint: &BodyJoint| joint.name == "wrist" && joint.flank != Flank::Right;
        let place = self.base.body.joints.iter().position(is_wrist).unwrap_or(0);
        let from_wrist = in_base - self.base.joint("wrist");
        self.figure.joints[place] + self.sizes.in_hand(&self.base.model_from_hand, from_wrist)
    }

    fn fills(&self, design: &mut Design) {
        let scale = self.base.design.scale;
        for text in &self.template.text().fills {
            let size = self.size_of_bone(&text.bone);
            let own = listed(design.fills.get(&text.name)).unwrap_or_default();
            let change = FillChange {
                height: Some(own.height.unwrap_or(scale * text.height) * size.y),
                shift: Some(stretched(own.shift.unwrap_or(scale * text.shift), size)),
                ..own
            };
            design.fills.insert(text.name.clone(), Sided::Both(change));
        }
    }

    fn edges(&self, design: &mut Design) {
        let scale = self.base.design.scale;
        for text in &self.template.text().edges {
            let size = self.size_of_bone(&text.bone);
            let own = listed(design.edges.get(&text.name)).unwrap_or_default();
            let bulge = stretched(own.bulge.unwrap_or(scale * text.bulge), size);
            design.edges.insert(text.name.clone(), Sided::Both(EdgeChange { bulge: Some(bulge) }));
        }
    }

    /// Single points move in proportion to their part, which keeps the form of relief.
    fn offsets(&self, design: &mut Design) {
        for (sided, place) in design.offsets.values_mut().zip(&self.base.offset_places) {
            let Some(place) = place else { continue };
            let grown = |value: DVec3| self.grown_offset(place, value);
            *sided = match *sided {
                Sided::Both(value) => Sided::Both(grown(value)),
                Sided::Each { left, right } => Sided::Each { left: left.map(grown), right: right.map(grown) },
            };
        }
    }

    /// An offset scales like its part: along the bone with its length, across with the part's breadth and depth.
    fn grown_offset(&self, place: &Place, value: DVec3) -> DVec3 {
        let size = self.sizes.at(place);
        if matches!(place.part, Part::Trunk | Part::Neck | Part::Head) {
            let along = self.figure.bones[place.bone].stretch / self.base.figure.bones[place.bone].stretch;
            return value * DVec3::new(size.x, along, size.y);
        }
        self.grown_shift(place.bone, value, 0.5 * size.element_sum())
    }

    /// Factors on everything attached to a bone.
    fn size_of_bone(&self, bone: &str) -> DVec2 {
        self.sizes.at(&Place::at_height(bone, self.height_of_bone(bone)))
    }

    /// The level at which a bone's parts are sized: the chest's and hips' tapes for parts of chest and pelvis.
    fn height_of_bone(&self, bone: &str) -> f64 {
        let base = &self.base.person;
        match bone {
            "pelvis" => base.value(Measure::ButtockHeight),
            "abdomen" => 0.5 * (base.value(Measure::WaistHeight) + base.value(Measure::ChestHeight)),
            _ => base.value(Measure::ChestHeight),
        }
    }
}

fn stretched(vector: DVec3, size: DVec2) -> DVec3 {
    DVec3::new(vector.x * size.x, vector.y, vector.z * size.y)
}
