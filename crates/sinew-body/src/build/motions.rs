//! Motions of bones from a template.

use super::figure::Figure;
use crate::body::{AngleRange, BentFill, BodyMotion, TubeMuscle};
use crate::design::{Design, changed_motion};
use crate::fill::FillShape;
use crate::limb::BendSettings;
use crate::template::layout::LayoutBone;
use crate::template::{Flank, MotionText, Template};

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
        muscles: muscles(template, text, bone.flank),
        fills: bent_fills(template, figure, text, bone.flank),
    }
}

/// Whether an item on one side belongs to a bone on another: items in the middle belong to both.
fn belongs(item: Flank, bone: Flank) -> bool {
    item == bone || item == Flank::Middle || bone == Flank::Middle
}

fn muscles(template: &Template, text: &MotionText, flank: Flank) -> Vec<TubeMuscle> {
    let mut muscles = Vec::new();
    for bulge in &text.bulges {
        let Some((listed, bay, number)) = template.text().patch_of_tube(&bulge.patch) else { continue };
        for (tube, found) in template.layout.tubes.iter().enumerate() {
            if found.text == listed && belongs(found.flank, flank) {
                // The mirror image runs the other way around from the same corner.
                let patch = if found.flank == Flank::Right { found.patch_count - 1 - number } else { number };
                muscles.push(TubeMuscle { tube, bay, patch, height_m: bulge.height });
            }
        }
    }
    muscles
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
