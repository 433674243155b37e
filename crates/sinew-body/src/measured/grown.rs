//! The base design grown to a person's measures.

use super::Base;
use super::joints::joints;
use super::sizes::{MEASURED_RINGS, Sizes};
use crate::build::Figure;
use crate::design::{Design, EdgeChange, FillChange, MiddleChange, RingChange, Sided};
use crate::survey::{BodyMeasures, Measure};
use crate::template::{Flank, Template};
use glam::{DVec2, DVec3};

/// The design for a person, with the knobs as they stand.
pub(super) fn grown(template: &Template, base: &Base, sizes: &Sizes<'_>) -> Design {
    let measures = BodyMeasures::new(sizes.person);
    let mut design = base.design.clone();
    design.scale *= sizes.ratio(Measure::Stature);
    design.lengths.clear();
    design.joints = joints(template, base, &measures, sizes);
    let figure = Figure::new(template, &design);
    let growing = Growing { template, base, sizes, figure, measures };
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
}

/// The value of a map for both sides, or for the left where they differ.
fn listed<T: Copy>(value: Option<&Sided<T>>) -> Option<T> {
    value.and_then(|sided| sided.on(Flank::Left)).copied()
}

impl Growing<'_> {
    fn rings(&self, design: &mut Design) {
        let layout = self.template.layout();
        for (ring, found) in layout.rings.iter().zip(&self.base.body.rings) {
            if ring.flank == Flank::Right {
                continue;
            }
            let text = &self.template.text().rings[ring.text];
            let own = listed(design.rings.get(&text.name)).unwrap_or_default();
            let size = self.sizes.of_ring(&text.name, &text.bone, found.ring.frame.center.y);
            let axes = found.ring.semi_axes;
            let measured = MEASURED_RINGS.iter().position(|(name, _)| *name == text.name);
            let sized = match measured {
                Some(place) => RingChange {
                    girth: Some(self.sizes.measured_girth(place)),
                    ratio: Some(axes.x / axes.y * size.x / size.y),
                    front: None,
                    side: None,
                    ..own
                },
                None => RingChange {
                    front: Some(2.0 * axes.x * size.x),
                    side: Some(2.0 * axes.y * size.y),
                    girth: None,
                    ratio: None,
                    ..own
                },
            };
            let growth = 0.5 * size.element_sum();
            let reach = own.reach.or(text.reach.map(|reach| self.base.design.scale * reach));
            let shift = match text.name.as_str() {
                "thigh_root" => Some(self.thigh_root_shift(ring.bone, text.at, found.ring.frame.center)),
                _ => own.shift.map(|shift| growth * shift),
            };
            let change = RingChange { reach: reach.map(|reach| growth * reach), shift, ..sized };
            design.rings.insert(text.name.clone(), Sided::Both(change));
        }
    }

    /// The leg's opening goes with the crotch and the hips, not with its place on the thigh's bone.
    fn thigh_root_shift(&self, bone: usize, at: DVec3, in_base: DVec3) -> DVec3 {
        let moved = self.measures.rings.thigh_root.center - self.base.measures.rings.thigh_root.center;
        let bone = &self.figure.bones[bone];
        bone.listed_from(in_base + moved - bone.point(at))
    }

    fn middles(&self, design: &mut Design) {
        for tube in &self.template.text().tubes {
            for bay in &tube.bays {
                let key = format!("{}/{}", tube.name, bay.name);
                let Some(own) = listed(design.middles.get(&key)) else { continue };
                let size = self.sizes.of_bone(&bay.bone, self.height_of_bone(&bay.bone));
                let change = MiddleChange {
                    front: own.front.map(|front| front * size.x),
                    side: own.side.map(|side| side * size.y),
                    shift: own.shift.map(|shift| 0.5 * size.element_sum() * shift),
                };
                design.middles.insert(key, Sided::Both(change));
            }
        }
    }

    /// Nodes go with the size of the trunk or hand round them; those of the pelvis with the crotch.
    fn nodes(&self, design: &mut Design) {
        for (node, found) in self.template.layout().nodes.iter().zip(&self.base.body.nodes) {
            if node.flank == Flank::Right {
                continue;
            }
            let text = &self.template.text().nodes[node.text];
            let bone = &self.figure.bones[node.bone];
            let target = if text.bone == "hand" {
                self.hand_point(found.position)
            } else {
                let size = self.sizes.of_bone(&text.bone, found.position.y);
                let height = if text.bone == "pelvis" {
                    found.position.y + self.measures.joints.crotch.y - self.base.measures.joints.crotch.y
                } else {
                    bone.point(text.at).y
                };
                DVec3::new(found.position.x * size.x, height, found.position.z * size.y)
            };
            let shift = bone.listed_from(target - bone.point(node.flank.place(text.at)));
            design.nodes.insert(text.name.clone(), Sided::Both(shift));
        }
    }

    fn hand_point(&self, in_base: DVec3) -> DVec3 {
        let wrist = |joints: &[crate::body::BodyJoint]| {
            let found = joints.iter().find(|joint| joint.name == "wrist" && joint.flank == Flank::Left);
            found.map_or(DVec3::ZERO, |joint| joint.position)
        };
        let wrist = wrist(&self.base.body.joints);
        let moved = self.measures.joints.wrist - self.base.measures.joints.wrist;
        wrist + moved + self.sizes.in_hand(in_base - wrist)
    }

    fn fills(&self, design: &mut Design) {
        let scale = self.base.design.scale;
        for text in &self.template.text().fills {
            let size = self.sizes.of_bone(&text.bone, self.height_of_bone(&text.bone));
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
            let size = self.sizes.of_bone(&text.bone, self.height_of_bone(&text.bone));
            let own = listed(design.edges.get(&text.name)).unwrap_or_default();
            let bulge = stretched(own.bulge.unwrap_or(scale * text.bulge), size);
            design.edges.insert(text.name.clone(), Sided::Both(EdgeChange { bulge: Some(bulge) }));
        }
    }

    /// Single points are moved in proportion to the part they lie on.
    fn offsets(&self, design: &mut Design) {
        let text = self.template.text();
        let growth = |key: &str| {
            let mut parts = key.split('/');
            let (first, second) = (parts.next()?, parts.next()?);
            let bay = text.tubes.iter().filter(|tube| tube.name == first).flat_map(|tube| {
                let tip = tube.tip.iter().map(|tip| (&tip.name, &tip.bone));
                tube.bays.iter().map(|bay| (&bay.name, &bay.bone)).chain(tip)
            });
            let of_bay = bay.into_iter().find(|(name, _)| *name == second).map(|(_, bone)| bone);
            let of_fill = text.fills.iter().find(|fill| fill.name == first).map(|fill| &fill.bone);
            let bone = of_bay.or(of_fill)?;
            Some(0.5 * self.sizes.of_bone(bone, self.height_of_bone(bone)).element_sum())
        };
        for (key, sided) in &mut design.offsets {
            let growth = growth(key).unwrap_or(1.0);
            *sided = match *sided {
                Sided::Both(value) => Sided::Both(growth * value),
                Sided::Each { left, right } => Sided::Each {
                    left: left.map(|value| growth * value),
                    right: right.map(|value| growth * value),
                },
            };
        }
    }

    /// The level at which a bone's parts are sized: the chest's and hips' tapes for what hangs on chest and pelvis.
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
