//! What a particle needs to know of colliders, so that it need not ask them in every iteration.

use super::{Collider, Shape, Touch};
use glam::Vec3;

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

impl Near {
    /// Forgets the last step, and looks round where a particle probably goes in this.
    pub(crate) fn begin(&mut self, colliders: &[Collider], before: Vec3, guess: Vec3) {
        self.answers.clear();
        self.answers.resize(colliders.len(), None);
        let mut free = f32::INFINITY;
        for (number, collider) in colliders.iter().enumerate() {
            let distance = self.touch(number, collider, guess).distance_m;
            // What moves into the collider's way also counts.
            let is_on_its_way = collider.carried(before).distance(guess) >= distance;
            free = free.min(if is_on_its_way { 0.0 } else { distance });
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
                if moved < FLAT * mesh.size_m() {
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
