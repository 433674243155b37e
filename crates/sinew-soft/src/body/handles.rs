//! What takes hold of particles: springs, and grips of many at once.
//!
//! A spring of stiffness κ (per mass, 1/s²) to a place p enters the implicit blend as one more goal:
//! x = (y + h² κ p + h² Σ k g) / (1 + h² κ + h² Σ k). Divided by 1 + h² κ, this is the blend without it, of the prediction
//! ŷ = (y + h² κ p) / (1 + h² κ) and the square h² / (1 + h² κ): the goal pass needs to know nothing of springs, and no stiffness is too
//! large.

use super::SoftBody;
use glam::{Quat, Vec3, Vec4};

/// A spring from a particle to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Where the particle is drawn to, model space, meters.
    pub place: Vec3,
    /// Stiffness over the particle's mass, 1/s²: in balance with gravity g the particle hangs g / `square_rate` below the place.
    /// Less than 0 counts as 0, which does nothing; what is infinite holds the particle at the place.
    pub square_rate: f32,
}

impl Drag {
    /// The prediction of a particle that would go to `free` by itself, and by how much the square of the step shrinks.
    pub(super) fn predicted(self, free: Vec3, square_secs: f32) -> Vec4 {
        let rate = square_secs * self.square_rate.max(0.0);
        let keep = 1.0 / (1.0 + rate);
        let drawn = if rate.is_finite() { rate * keep } else { 1.0 };
        (free + (self.place - free) * drawn).extend(keep)
    }
}

impl SoftBody {
    /// Draws a particle to a place by a spring, or lets it go. A particle that is held is not drawn.
    pub fn drag(&mut self, particle: usize, drag: Option<Drag>) {
        self.drags[particle] = drag;
    }
}

/// Particles that keep their places in a moving frame: a hand's hold on a part of a body.
///
/// ```
/// # use glam::{Quat, Vec3};
/// # use sinew_soft::{Grip, SoftBody, StepSettings};
/// let rest = [Vec3::ZERO, Vec3::X];
/// let mut body = SoftBody::new(&rest, &[1.0, 1.0], vec![]);
/// let grip = Grip::rigid(&body, Vec3::ZERO, 0.5);
/// grip.carry(&mut body, Vec3::Y, Quat::IDENTITY);
/// body.step(&StepSettings::default(), &[]);
/// assert_eq!(body.position(0), Vec3::Y);
/// grip.release(&mut body);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grip {
    /// Particles, and where they are in the frame.
    members: Vec<(usize, Vec3)>,
    /// Stiffness of its springs; `None` where it holds.
    square_rate: Option<f32>,
}

impl Grip {
    /// Takes all particles within a radius of a place, which is the frame's origin, and moves them as one.
    pub fn rigid(body: &SoftBody, origin: Vec3, radius_m: f32) -> Self {
        Self { members: members(body, origin, radius_m), square_rate: None }
    }

    /// Takes all particles within a radius of a place, which is the frame's origin, by springs; see [`Drag::square_rate`].
    pub fn soft(body: &SoftBody, origin: Vec3, radius_m: f32, square_rate: f32) -> Self {
        Self { members: members(body, origin, radius_m), square_rate: Some(square_rate) }
    }

    /// The particles that it takes.
    pub fn particles(&self) -> impl ExactSizeIterator<Item = usize> {
        self.members.iter().map(|(particle, _)| *particle)
    }

    /// Moves the frame to a place, turned from how it was when it was taken. Particles follow in the next steps.
    pub fn carry(&self, body: &mut SoftBody, origin: Vec3, turn: Quat) {
        for &(particle, in_frame) in &self.members {
            let place = origin + turn * in_frame;
            match self.square_rate {
                None => body.hold(particle, Some(place)),
                Some(square_rate) => body.drag(particle, Some(Drag { place, square_rate })),
            }
        }
    }

    /// Lets all its particles go.
    pub fn release(&self, body: &mut SoftBody) {
        for &(particle, _) in &self.members {
            match self.square_rate {
                None => body.hold(particle, None),
                Some(_) => body.drag(particle, None),
            }
        }
    }
}

fn members(body: &SoftBody, origin: Vec3, radius_m: f32) -> Vec<(usize, Vec3)> {
    let in_frame = body.positions().map(|position| position - origin).enumerate();
    in_frame.filter(|(_, offset)| offset.length() <= radius_m).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RegionMaterial, Regions, Rings, StepSettings};
    use sinew_geometry::TetMesh;

    fn bar() -> SoftBody {
        let mesh = TetMesh::lattice([4, 2, 2], Vec3::new(0.4, 0.2, 0.2));
        let masses = vec![0.5; mesh.points().len()];
        let rings = Rings::of_tets(&mesh);
        let regions = Regions::bind(mesh.points(), &masses, &rings, |_| RegionMaterial::default());
        SoftBody::new(mesh.points(), &masses, vec![(regions, None)])
    }

    fn run(body: &mut SoftBody, seconds: f32, settings: &StepSettings) {
        (0..(seconds / settings.dt_secs).round() as usize).for_each(|_| body.step(settings, &[]));
    }

    /// What a spring pulls in newtons: m κ (p − x).
    fn spring_force(body: &SoftBody, particle: usize, drag: Drag) -> Vec3 {
        (drag.place - body.position(particle)) * (body.masses[particle] * drag.square_rate)
    }

    #[test]
    fn springs_carry_the_weight_of_a_body_whatever_step_and_iterations() {
        for (rate, iterations) in [(60.0, 20), (60.0, 4), (240.0, 8)] {
            let settings =
                StepSettings { dt_secs: 1.0 / rate, iterations, damping: 6.0, ..StepSettings::default() };
            let mut body = bar();
            let top: Vec<usize> =
                (0..body.particle_count()).filter(|&at| body.position(at).y > 0.199).collect();
            let drags = top.iter().map(|&at| (at, Drag { place: body.position(at), square_rate: 2000.0 }));
            let drags: Vec<(usize, Drag)> = drags.collect();
            drags.iter().for_each(|&(at, drag)| body.drag(at, Some(drag)));
            run(&mut body, 6.0, &settings);
            let pull: Vec3 = drags.iter().map(|&(at, drag)| spring_force(&body, at, drag)).sum();
            let weight = 9.81 * body.masses.iter().sum::<f32>();
            // Springs are stretched by millimeters, of which places have six digits.
            assert!(
                (pull - Vec3::Y * weight).length() < 2e-3 * weight,
                "{rate} {iterations}: {pull} of {weight}"
            );
        }
    }

    #[test]
    fn no_stiffness_explodes() {
        for square_rate in [0.0, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12, f32::INFINITY, -5.0, f32::NAN] {
            let mut body = bar();
            let mut farthest = 0.0f32;
            for step in 0..240 {
                // A place that jumps about.
                let place = Vec3::new((step / 20) as f32 % 3.0 * 0.3, 0.5, 0.0);
                body.drag(0, Some(Drag { place, square_rate }));
                body.step(&StepSettings::default(), &[]);
                assert!(body.positions().all(Vec3::is_finite), "{square_rate} in step {step}");
                let spread = body.positions().map(|position| position.distance(body.position(0)));
                farthest = spread.fold(farthest, f32::max);
            }
            assert!(farthest < 1.2, "{square_rate}: {farthest}");
            if square_rate >= 1e9 {
                assert!(body.position(0).distance(Vec3::new(0.6, 0.5, 0.0)) < 1e-3, "{}", body.position(0));
            }
        }
    }

    #[test]
    fn a_grip_turns_what_it_holds() {
        let still = StepSettings { gravity: Vec3::ZERO, damping: 4.0, ..StepSettings::default() };
        let (origin, turn) = (Vec3::new(0.0, 0.1, 0.1), Quat::from_rotation_y(0.5));
        let body = bar();
        for grip in [Grip::rigid(&body, origin, 0.16), Grip::soft(&body, origin, 0.16, 1e5)] {
            let mut body = body.clone();
            assert!((9..body.particle_count()).contains(&grip.particles().len()));
            // Bit by bit, as a hand would.
            for step in 0..=60 {
                let share = step as f32 / 60.0;
                grip.carry(&mut body, origin + Vec3::X * share, Quat::IDENTITY.slerp(turn, share));
                body.step(&still, &[]);
            }
            run(&mut body, 5.0, &still);
            for at in 0..body.particle_count() {
                let expected = origin + Vec3::X + turn * (body.rest[at].truncate() - origin);
                assert!(body.position(at).distance(expected) < 2e-3, "{} not {expected}", body.position(at));
            }
            grip.release(&mut body);
            assert!(body.holds.iter().all(Option::is_none) && body.drags.iter().all(Option::is_none));
        }
    }
}
