//! Which method moves a joint most smoothly, by measures of its own surface.
//!
//! Bézier has no kink where weights are linear over the soft range; where they are smooth already, SBS+ turns less sharply inside. Weights of files are
//! anything, so both are tried: the joint is bent, its surface moved and measured ([`crate::measures`]). A method's fault is its larger kink plus
//! its sharpest turn between rings. The larger of both alone would not do: on a fine mesh any kink beats any turn inside, on a coarse one
//! none does.

use crate::axis::Axis;
use crate::measures::{JointMeasures, JointRings, ProbedJoint, joint_probes};
use crate::palette_joints::PaletteJoints;
use crate::{Method, SkinSettings, bind};
use glam::{Affine3A, Quat, Vec3};
use sinew_rig::{BoneId, BoundSurface, Character};

/// Of its fault a method must leave at most this much to be taken instead of an earlier one.
const LEAST_GAIN: f64 = 0.99;

/// How far joints are bent.
const BEND_RAD: f32 = std::f32::consts::FRAC_PI_2;

/// A joint with its smoothest method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothestMethod {
    /// The child bone.
    pub bone: BoneId,
    /// One of the methods that were tried.
    pub method: Method,
    /// Its larger kink and its sharpest turn between rings together, when the joint is bent by 90°, rad.
    pub fault_rad: f64,
}

/// For every joint with vertices whose surface has rings, the method with the least fault; the first of those that are equal.
///
/// Soft ranges are those of `settings`; its methods do not count.
pub fn smoothest_methods(
    character: &Character,
    settings: &SkinSettings,
    methods: &[Method],
) -> Vec<SmoothestMethod> {
    let bound = BoundSurface::of(character);
    let rest = vec![Affine3A::IDENTITY; bound.palette().len()];
    let joints = PaletteJoints::of(character, &bound);
    let mut found: Vec<SmoothestMethod> = Vec::new();
    let skins: Vec<_> = methods
        .iter()
        .map(|&method| {
            let settings = SkinSettings { method, joints: Vec::new(), ..settings.clone() };
            (method, bind(character, &bound, &settings))
        })
        .collect();
    let mut posed = bound.rest().clone();
    for joint in joint_probes(character, &bound, settings, &rest) {
        let rings = JointRings::of(&bound, &joint);
        let axis = Axis::of(&joints, joint.parent_entry, joint.child_entry);
        if found.iter().any(|known| known.bone == joint.bone) {
            continue;
        }
        let bends = Bends::new(character, &bound, joint, &axis);
        for (method, skin) in &skins {
            let mut largest: Option<f64> = None;
            let mut workspace = skin.workspace();
            for (matrices, joint) in bends.poses() {
                skin.deform(&mut workspace, &matrices, bound.rest(), posed.as_mut());
                let measures = JointMeasures::of(&bound, &joint, &rings, &posed.positions);
                let kinks = [measures.kink_begin_rad, measures.kink_end_rad].into_iter().flatten();
                let fault = measures.sharpest_turn_rad.map(|turn| turn + kinks.fold(0.0, f64::max));
                largest = fault.map(|fault| fault.max(largest.unwrap_or(0.0))).or(largest);
            }
            let Some(fault_rad) = largest else { continue };
            let tried = SmoothestMethod { bone: joint.bone, method: *method, fault_rad };
            match found.iter_mut().find(|known| known.bone == joint.bone) {
                Some(known) if tried.fault_rad < LEAST_GAIN * known.fault_rad => *known = tried,
                Some(_) => (),
                None => found.push(tried),
            }
        }
    }
    found
}

/// Poses that bend one joint.
struct Bends {
    joint: ProbedJoint,
    head: Vec3,
    turns: Vec<Quat>,
    /// Whether a palette entry moves with the child.
    moves: Vec<bool>,
}

impl Bends {
    fn new(character: &Character, bound: &BoundSurface, joint: ProbedJoint, axis: &Axis) -> Self {
        let is_below = |bone: BoneId| character.skeleton().upwards(bone).any(|above| above == joint.bone);
        Self {
            joint,
            head: axis.head,
            turns: axis.bends().into_iter().map(|axis| Quat::from_axis_angle(axis, BEND_RAD)).collect(),
            moves: bound.palette().iter().map(|entry| is_below(entry.bone)).collect(),
        }
    }

    /// Skinning matrices of the palette, and the joint in that pose.
    fn poses(&self) -> impl Iterator<Item = (Vec<Affine3A>, ProbedJoint)> + '_ {
        self.turns.iter().map(|turn| {
            let about = Affine3A::from_translation(self.head)
                * Affine3A::from_quat(*turn)
                * Affine3A::from_translation(-self.head);
            let matrix = |&moves: &bool| if moves { about } else { Affine3A::IDENTITY };
            let mut joint = self.joint;
            (joint.probe.parent, joint.probe.child) = (Affine3A::IDENTITY, about);
            (self.moves.iter().map(matrix).collect(), joint)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{InfluencesBuilder, samples};

    /// The sample's limb with weights that are smooth or linear over 18 cm.
    fn limb(is_smooth: bool) -> Character {
        let mut parts = samples::limb(16, 60).into_parts();
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for position in &mesh.positions {
            // Twice as long below the joint as above it: with as much on both sides the methods are the same.
            let t = ((position.y - 0.24) / 0.18).clamp(0.0, 1.0);
            let t = if is_smooth { t * t * (3.0 - 2.0 * t) } else { t };
            influences.push([(0, 1.0 - t), (1, t)]);
        }
        mesh.influences = influences.build();
        Character::new(parts).expect("nothing but weights changed")
    }

    #[test]
    fn linear_weights_are_for_bezier_and_smooth_ones_for_sdef() {
        for (is_smooth, expected) in [(false, Method::BEZIER), (true, Method::SDEF)] {
            let found = smoothest_methods(
                &limb(is_smooth),
                &SkinSettings::default(),
                &[Method::BEZIER, Method::SDEF],
            );
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].method, expected, "{found:?}");
        }
    }
}
