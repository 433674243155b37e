//! Motions of bones from a template.

use super::figure::Figure;
use crate::body::{
    AngleRange, BentEdge, BentFill, BentNode, BentRing, BodyMotion, FillMuscle, Tension, TubeMuscle,
};
use crate::design::{Design, changed_motion};
use crate::fill::FillShape;
use crate::limb::BendSettings;
use crate::template::layout::LayoutBone;
use crate::template::{BentRingText, BulgeText, Flank, MotionText, Template};

/// Bend of bones without a motion, °.
const DEFAULT_BEND: [f64; 2] = [-30.0, 30.0];
/// Rings turn by half the bend, like points near a joint in \[Komatsu88\] section 5.1.
const DEFAULT_SHARE: f64 = 0.5;

/// The motion of every bone.
pub(super) fn motions(template: &Template, design: &Design, figure: &Figure) -> Vec<BodyMotion> {
    template.layout.bones.iter().map(|bone| motion(template, design, figure, bone)).collect()
}

fn motion(template: &Template, design: &Design, figure: &Figure, bone: &LayoutBone) -> BodyMotion {
    let name = &template.text().bones[bone.text].name;
    let listed = template.text().motions.iter().find(|motion| motion.bone == *name);
    let unlisted = MotionText::default();
    let text = &changed_motion(&design.motions, name, bone.flank, listed.unwrap_or(&unlisted));
    let size = scale_of(template, figure, bone);
    let range = |given: Option<[f64; 2]>| AngleRange::from_degrees(given.unwrap_or_default());
    BodyMotion {
        is_ball: text.ball,
        bend: AngleRange::from_degrees(text.bend.unwrap_or(DEFAULT_BEND)),
        aside: range(text.aside),
        twist: range(text.twist),
        is_fold: text.fold,
        share: text.share.unwrap_or(DEFAULT_SHARE),
        aside_share: text.aside_share.or(text.share).unwrap_or(DEFAULT_SHARE),
        settings: BendSettings {
            roundness: text.roundness,
            outside_scale: text.outside.unwrap_or(1.0),
            ..BendSettings::default()
        },
        muscles: muscles(template, (text, bone.flank), size),
        fill_muscles: fill_muscles(template, (text, bone.flank), size),
        fills: bent_fills(template, figure, text, bone.flank),
        rings: text.rings.iter().map(|ring| bent_ring(ring, bone.flank, size)).collect(),
        edges: bent_edges(template, figure, text, bone.flank),
        nodes: bent_nodes(template, figure, text, bone.flank),
        carry: text.carry,
    }
}

/// Size of a bone relative to the template's.
fn scale_of(template: &Template, figure: &Figure, bone: &LayoutBone) -> f64 {
    let found =
        template.layout.bones.iter().position(|found| found.text == bone.text && found.flank == bone.flank);
    found.map_or(1.0, |index| figure.bones[index].scale)
}

/// Whether an item on one side belongs to a bone on another: items in the middle belong to both.
fn belongs(item: Flank, bone: Flank) -> bool {
    item == bone || item == Flank::Middle || bone == Flank::Middle
}

fn tension(text: &BulgeText) -> Tension {
    let angle = |given: Option<f64>, default: f64| given.map_or(default, f64::to_radians);
    let from_rad = angle(text.from, Tension::BEND.from_rad);
    Tension { way: text.way, from_rad, to_rad: angle(text.to, Tension::BEND.to_rad) }
}

fn muscles(template: &Template, (text, flank): (&MotionText, Flank), size: f64) -> Vec<TubeMuscle> {
    let mut muscles = Vec::new();
    for bulge in &text.bulges {
        let Some((listed, bay, number)) = template.text().patch_of_tube(&bulge.patch) else { continue };
        for (tube, found) in template.layout.tubes.iter().enumerate() {
            if found.text == listed && belongs(found.flank, flank) {
                // The mirror image runs the other way around from the same corner.
                let patch = if found.flank == Flank::Right { found.patch_count - 1 - number } else { number };
                muscles.push(TubeMuscle {
                    tube,
                    bay,
                    patch,
                    height_m: size * bulge.height,
                    tension: tension(bulge),
                });
            }
        }
    }
    muscles
}

fn fill_muscles(template: &Template, (text, flank): (&MotionText, Flank), size: f64) -> Vec<FillMuscle> {
    let mut muscles = Vec::new();
    for bulge in &text.bulges {
        let Some((listed, corner)) = template.text().patch_of_fill(&bulge.patch) else { continue };
        for (fill, found) in template.layout.fills.iter().enumerate() {
            let place = found.listed.iter().position(|&listed| listed == corner);
            if let Some(place) = place.filter(|_| found.text == listed && belongs(found.flank, flank)) {
                muscles.push(FillMuscle {
                    fill,
                    place,
                    height_m: size * bulge.height,
                    tension: tension(bulge),
                });
            }
        }
    }
    muscles
}

/// The mirror image runs the other way around from the same corner.
fn bent_ring(text: &BentRingText, flank: Flank, scale: f64) -> BentRing {
    let sided = |list: &[f64], factor: f64| {
        let count = list.len();
        let from = |k: usize| if flank == Flank::Right { (count - k) % count } else { k };
        (0..count).map(|k| factor * list[from(k)]).collect()
    };
    BentRing {
        way: text.way,
        turn: sided(&text.turn, 1.0),
        leg: sided(&text.leg, 1.0),
        push_m: sided(&text.push, scale),
    }
}

fn bent_edges(template: &Template, figure: &Figure, text: &MotionText, flank: Flank) -> Vec<BentEdge> {
    let mut edges = Vec::new();
    for bent in &text.edges {
        for (edge, found) in template.layout.edges.iter().enumerate() {
            if template.text().edges[found.text].name == bent.edge && belongs(found.flank, flank) {
                let side = if found.flank == Flank::Middle { flank } else { found.flank };
                let bulge = figure.bones[found.bone].vector(side.place(bent.bulge));
                edges.push(BentEdge {
                    edge,
                    way: bent.way,
                    bulge: half_in_middle(found.flank, flank) * bulge,
                });
            }
        }
    }
    edges
}

fn bent_nodes(template: &Template, figure: &Figure, text: &MotionText, flank: Flank) -> Vec<BentNode> {
    let mut nodes = Vec::new();
    for bent in &text.nodes {
        for (node, found) in template.layout.nodes.iter().enumerate() {
            if template.text().nodes[found.text].name == bent.node && belongs(found.flank, flank) {
                let side = if found.flank == Flank::Middle { flank } else { found.flank };
                let shift = figure.bones[found.bone].vector(side.place(bent.shift));
                nodes.push(BentNode {
                    node,
                    way: bent.way,
                    shift: half_in_middle(found.flank, flank) * shift,
                });
            }
        }
    }
    nodes
}

/// What lies in the middle of the body belongs to the joints of both sides, half to each.
fn half_in_middle(item: Flank, bone: Flank) -> f64 {
    if item == Flank::Middle && bone != Flank::Middle { 0.5 } else { 1.0 }
}

fn bent_fills(template: &Template, figure: &Figure, text: &MotionText, flank: Flank) -> Vec<BentFill> {
    let mut fills = Vec::new();
    for bent in &text.fills {
        for (fill, found) in template.layout.fills.iter().enumerate() {
            let rest = &template.text().fills[found.text];
            if rest.name == bent.fill && belongs(found.flank, flank) {
                let bone = &figure.bones[found.bone];
                let shift = bent.shift.map(|shift| shift - rest.shift).unwrap_or_default();
                // The difference from the rest shape: changes of several joints add up, and a design's own shape is kept.
                let change = FillShape {
                    center_factor: bent.center.map_or(0.0, |center| center - rest.center.unwrap_or(2.4)),
                    height_m: bone.scale * bent.height.map_or(0.0, |height| height - rest.height),
                    center_offset: bone.vector(found.flank.place(shift)),
                    spoke_scale: bent.spread.map_or(0.0, |spread| spread - rest.spread.unwrap_or(1.0)),
                };
                fills.push(BentFill { fill, way: bent.way, change });
            }
        }
    }
    fills
}
