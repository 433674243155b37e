//! The stick figure stands: whatever changes above, feet keep their form and their height.
//!
//! A figure is posed from the ground up. Joints of a foot move with its ankle as one piece; then each leg is raised or lowered until
//! its foot is as high as before, and the trunk follows its legs. Nothing is pushed out of the ground.

use crate::design::{ByName, given};
use crate::template::Template;
use crate::template::layout::LayoutFoot;
use glam::{DQuat, DVec3};

/// Spread of the legs' roots along z, m², from which a trunk has front and hind legs.
const LEAST_SPREAD_M2: f64 = 1e-4;

/// Positions of joints after some are given, standing. Joints that hang on given ones move along, so that hands and feet keep their form;
/// knees and ankles keep their height unless given.
///
/// A foot keeps its height: a given ankle takes the foot along, and the figure is lowered or raised by as much. Only a given toe
/// (the last joint of the leg) moves the sole itself.
pub(crate) fn with_given(template: &Template, before: &[DVec3], wanted: &ByName<DVec3>) -> Vec<DVec3> {
    let (text, layout) = (template.text(), &template.layout);
    let wanted_at = |joint: usize| {
        let found = &layout.joints[joint];
        given(wanted, &text.joints[found.text].name, found.flank).map(|place| found.flank.place(place))
    };
    let feet = &layout.feet;
    let is_leg = |joint: usize| feet.iter().any(|foot| foot.shafts.contains(&joint));
    let mut shifts: Vec<DVec3> = Vec::with_capacity(before.len());
    for (joint, &place) in before.iter().enumerate() {
        let carried = layout.joints[joint].parent.map_or(DVec3::ZERO, |parent| shifts[parent]);
        let carried = if is_leg(joint) { carried.with_y(0.0) } else { carried };
        shifts.push(wanted_at(joint).map_or(carried, |wanted| wanted - place));
    }
    let mut joints: Vec<DVec3> = before.iter().zip(&shifts).map(|(&place, &shift)| place + shift).collect();
    let height = |foot: &LayoutFoot| wanted_at(foot.tip).unwrap_or(before[foot.tip]).y;
    let heights: Vec<f64> = feet.iter().map(height).collect();
    stand(template, &heights, &mut joints);
    joints
}

/// Raises and lowers legs until the last joint of each has its height, one per foot, m. The trunk goes along: by the mean of its legs, and
/// turned about x where front and hind legs differ. Of a pair of uneven legs each keeps its own hip height.
pub(crate) fn stand(template: &Template, heights: &[f64], joints: &mut [DVec3]) {
    let feet = &template.layout.feet;
    if feet.is_empty() {
        return;
    }
    pitch(template, heights, joints);
    let rises = rises(feet, heights, joints);
    let mean = rises.iter().sum::<f64>() / rises.len() as f64;
    joints.iter_mut().for_each(|joint| joint.y += mean);
    for (foot, rise) in feet.iter().zip(&rises) {
        foot.joints.iter().for_each(|&joint| joints[joint].y += rise - mean);
    }
}

fn rises(feet: &[LayoutFoot], heights: &[f64], joints: &[DVec3]) -> Vec<f64> {
    feet.iter().zip(heights).map(|(foot, height)| height - joints[foot.tip].y).collect()
}

/// Turns the trunk of a figure with front and hind legs toward the legs' new heights. Legs go along with their roots and keep their
/// directions.
fn pitch(template: &Template, heights: &[f64], joints: &mut [DVec3]) {
    let feet = &template.layout.feet;
    let rises = rises(feet, heights, joints);
    let count = feet.len() as f64;
    let center: DVec3 = feet.iter().map(|foot| joints[foot.root]).sum::<DVec3>() / count;
    let along = |foot: &LayoutFoot| joints[foot.root].z - center.z;
    let spread: f64 = feet.iter().map(|foot| along(foot).powi(2)).sum();
    let slope = feet.iter().zip(&rises).map(|(foot, rise)| along(foot) * rise).sum::<f64>() / spread;
    if spread < LEAST_SPREAD_M2 || slope.abs() < f64::EPSILON {
        return;
    }
    let turn = DQuat::from_rotation_x(-slope.atan());
    let turned = |place: DVec3| center + turn * (place - center);
    let moved: Vec<DVec3> = (0..joints.len())
        .map(|joint| match feet.iter().find(|foot| foot.joints.contains(&joint)) {
            Some(foot) => joints[joint] + turned(joints[foot.root]) - joints[foot.root],
            None => turned(joints[joint]),
        })
        .collect();
    joints.copy_from_slice(&moved);
}
