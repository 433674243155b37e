//! Where a comparison is looked at from.

use super::sheet::Sheet;
use crate::CameraChoice;
use glam::{DVec3, Vec3};
use sinew_render::{Camera, View};
use sinew_skin::measures::ProbedJoint;

impl Sheet<'_> {
    /// One camera for all pictures: it sees every method's shape, with room for the text above and the legend on the right.
    pub(super) fn camera(&self) -> Camera {
        let aspect = self.settings.size.0 as f32 / self.settings.size.1 as f32;
        let mut framed: Vec<Vec3> = match (&self.settings.focus, self.joints.first()) {
            (Some(_), Some(joint)) => self.near(joint),
            _ => self.shapes.iter().flat_map(|shape| shape.positions.iter().copied()).collect(),
        };
        let (toward_eye, up) = match (self.settings.camera, self.joints.first()) {
            (Some(CameraChoice::At { eye, target, vertical_fov_rad }), _) => {
                return Camera { eye, target, up: Vec3::Y, vertical_fov_rad };
            }
            (Some(CameraChoice::View(View::Top)), _) => (View::Top.direction(), Vec3::NEG_Z),
            (Some(CameraChoice::View(view)), _) => (view.direction(), Vec3::Y),
            (None, Some(joint)) if self.settings.focus.is_some() => across_bend(joint),
            _ => (View::ThreeQuarter.direction(), Vec3::Y),
        };
        let text_px = self.line_px() * (2.0 + 1.15 * self.lines(0).len() as f32);
        let right = up.cross(toward_eye).normalize_or_zero();
        leave_room(&mut framed, toward_eye.cross(right), text_px / self.settings.size.1 as f32);
        leave_room(&mut framed, right, LEGEND_SHARE);
        Camera::frame_from(toward_eye, up, framed, aspect)
    }

    /// What to show around a joint: vertices of its two bones up to most of the longer bone away, or the soft range if that is more.
    fn near(&self, joint: &ProbedJoint) -> Vec<Vec3> {
        let (bound, probe) = (self.posed.bound(), &joint.probe);
        let longer = probe.parent_head.distance(probe.head).max(probe.child_tip.distance(probe.head));
        let reach = (FOCUS_SHARE * longer).max(probe.range_length() as f32);
        let is_near = |vertex: usize| {
            let own = |entry: u16| entry == joint.parent_entry || entry == joint.child_entry;
            let pairs = bound.influences().pairs(vertex);
            let share: f32 = pairs.filter(|(entry, _)| own(*entry)).map(|(_, weight)| weight).sum();
            share > 0.5 && bound.rest().positions[vertex].distance(probe.head) <= reach
        };
        let near: Vec<usize> = (0..bound.vertex_count()).filter(|&vertex| is_near(vertex)).collect();
        self.shapes.iter().flat_map(|shape| near.iter().map(|&vertex| shape.positions[vertex])).collect()
    }
}

/// How much of the longer bone a focus shows.
const FOCUS_SHARE: f32 = 0.7;

/// Width of the legend in a picture.
const LEGEND_SHARE: f32 = 0.12;

/// Adds a point so far in a direction that all others keep clear of `share` of the whole extent there.
pub fn leave_room(points: &mut Vec<Vec3>, direction: Vec3, share: f32) {
    let along = |point: &Vec3| point.dot(direction);
    let Some(farthest) = points.iter().copied().max_by(|a, b| along(a).total_cmp(&along(b))) else { return };
    let least = points.iter().map(along).fold(f32::MAX, f32::min);
    let share = share.clamp(0.0, 0.5);
    points.push(farthest + direction * ((along(&farthest) - least) * share / (1.0 - share)));
}

/// Where to look at a bent joint from: across the plane of its bones, from the side nearer to the three-quarter view; that view for a
/// joint that is straight.
fn across_bend(joint: &ProbedJoint) -> (Vec3, Vec3) {
    let (_, [back, forth]) = joint.probe.posed_wedge();
    let usual = View::ThreeQuarter.direction();
    let across: DVec3 = back.normalize_or_zero().cross(forth.normalize_or_zero());
    if across.length() < 0.2 {
        return (usual, Vec3::Y);
    }
    let across = across.normalize().as_vec3();
    let across = if across.dot(usual) < 0.0 { -across } else { across };
    // A little of the usual view shows the surface's depth.
    let toward_eye = (across + usual * 0.25).normalize();
    let up = if toward_eye.y.abs() > 0.9 { Vec3::NEG_Z } else { Vec3::Y };
    (toward_eye, up)
}
