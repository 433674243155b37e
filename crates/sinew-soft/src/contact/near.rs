//! What a particle needs to know of colliders, so that it need not ask them in every iteration.

use super::{Collider, Shape, Touch};
use glam::Vec3;
use std::sync::Arc;

/// Colliders near one particle in a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    /// The middle and radius of a ball in which no collider is.
    ball: (Vec3, f32),
    /// Where meshes were last asked, and what they said, in the order of colliders.
    answers: Vec<Option<(Vec3, Touch)>>,
}

/// A mesh is asked again by a particle that has moved by more than this share of its mesh's size, and otherwise taken to be flat there.
/// More, and particles on edges slide over; less, and meshes are asked more often than needed.
const FLAT: f32 = 1e-5;

/// What meshes there were in the last step, so that their answers may still hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    colliders: Vec<Collider>,
}

impl Asked {
    /// Whether all are as they were in the last step, and stand still in this.
    pub(crate) fn is_same(&mut self, colliders: &[Collider]) -> bool {
        let is_as_before = |now: &Collider, then: &Collider| match (&now.shape, &then.shape) {
            (Shape::Mesh(new), Shape::Mesh(old)) => {
                let is_still = now.place == now.before && now.place == then.place;
                is_still && Arc::ptr_eq(new, old) && now.margin_m() == then.margin_m()
            }
            // Others are asked anew.
            (new, old) => !matches!(new, Shape::Mesh(_)) && !matches!(old, Shape::Mesh(_)),
        };
        let is_same = colliders.len() == self.colliders.len()
            && colliders.iter().zip(&self.colliders).all(|(now, then)| is_as_before(now, then));
        self.colliders.clear();
        self.colliders.extend_from_slice(colliders);
        is_same
    }
}

impl Near {
    /// Looks round where a particle probably goes in a step; forgets what meshes said in the last if they are not the same.
    pub(crate) fn begin(&mut self, colliders: &[Collider], is_same: bool, before: Vec3, guess: Vec3) {
        if !is_same {
            self.answers.clear();
            self.answers.resize(colliders.len(), None);
        }
        let mut free = f32::INFINITY;
        for (number, collider) in colliders.iter().enumerate() {
            let way = collider.carried(before).distance(guess);
            // A mesh that was far away is at least as far away as the particle has not come nearer since.
            let known = self.answers[number].map_or(0.0, |(at, touch)| touch.distance_m - at.distance(guess));
            let distance = if known > way { known } else { self.touch(number, collider, guess).distance_m };
            // What moves into the collider's way also counts.
            free = free.min(if way >= distance { 0.0 } else { distance });
        }
        self.ball = (guess, free);
    }

    /// Whether a place is so near to the guess that the way there meets no collider.
    pub(crate) fn is_free(&self, place: Vec3) -> bool {
        self.ball.0.distance_squared(place) < self.ball.1 * self.ball.1
    }

    /// How a point lies to a collider.
    pub(crate) fn touch(&mut self, number: usize, collider: &Collider, point: Vec3) -> Touch {
        let Shape::Mesh(mesh) = &collider.shape else { return collider.touch(point) };
        let answer = &mut self.answers[number];
        let most = match answer {
            Some((at, touch)) => {
                let moved = at.distance(point);
                if moved < FLAT * mesh.size_m {
                    let distance_m = touch.distance_m + touch.normal.dot(point - *at);
                    return Touch { distance_m, ..*touch };
                }
                (touch.distance_m + collider.margin_m()).abs() + moved
            }
            None => f32::INFINITY,
        };
        let touch = collider.touch_within(point, most);
        *answer = Some((point, touch));
        touch
    }
}
