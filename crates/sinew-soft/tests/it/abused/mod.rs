//! Bodies that are treated badly, and what is left of it.

use glam::{Quat, Vec3};
use sinew_soft::{SoftBody, StepSettings};

/// As much of a body's size may be left of what it suffered.
pub(crate) const MOST_LEFT: f32 = 0.01;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    pub(crate) fn vector(&mut self, size: f32) -> Vec3 {
        (Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0) * size
    }

    pub(crate) fn turn(&mut self) -> Quat {
        Quat::from_axis_angle((self.vector(1.0) + Vec3::X * 1e-3).normalize(), 6.3 * self.unit())
    }
}

pub(crate) struct Trial {
    pub(crate) rest: Vec<Vec3>,
    pub(crate) body: SoftBody,
}

impl Trial {
    pub(crate) fn new(body: SoftBody) -> Self {
        Self { rest: body.positions().collect(), body }
    }

    /// Lets the body come to rest, with no gravity to fight against; ends early if it has.
    pub(crate) fn settle(&mut self, seconds: f32) {
        let settings = StepSettings { gravity: Vec3::ZERO, damping: 3.0, ..StepSettings::default() };
        for step in 1..=(60.0 * seconds) as usize {
            self.body.step(&settings, &[]);
            if step % 30 == 0 && self.is_calm() && self.distortion() < 0.2 * MOST_LEFT {
                return;
            }
        }
    }

    /// Whether particles move as one but for a hundredth of the body's size a second.
    fn is_calm(&self) -> bool {
        let momentum = self.body.momentum();
        let drift = (momentum.linear / momentum.mass).as_vec3();
        (0..self.body.particle_count()).all(|at| self.body.velocity(at).distance(drift) < 0.005)
    }

    /// The largest change of distance between any two particles, as a share of the body's size.
    pub(crate) fn distortion(&self) -> f32 {
        let size = self.rest.iter().fold(0.0f32, |most, point| most.max(point.distance(self.rest[0])));
        let mut worst = 0.0f32;
        for a in 0..self.rest.len() {
            for b in 0..a {
                let now = self.body.position(a).distance(self.body.position(b));
                assert!(now.is_finite(), "particles {a} and {b} are {now} apart");
                worst = worst.max((now - self.rest[a].distance(self.rest[b])).abs() / size);
            }
        }
        worst
    }

    pub(crate) fn place_all(&mut self, mut place: impl FnMut(Vec3) -> Vec3) {
        for (at, point) in self.rest.iter().enumerate() {
            self.body.set_position(at, place(*point));
        }
    }

    pub(crate) fn invert(&mut self, random: &mut Random) {
        let turn = random.turn();
        self.place_all(|point| turn * -point);
    }

    /// Steps of no length, of next to none and of half a second, with few and many iterations, held here and there.
    pub(crate) fn step_oddly(&mut self, random: &mut Random) {
        for _ in 0..20 {
            let dt_secs = [0.0, 1e-6, 0.5, 1.0 / 60.0][(4.0 * random.unit()) as usize % 4];
            let settings = StepSettings {
                dt_secs,
                iterations: 1 + (30.0 * random.unit()) as u32,
                ..StepSettings::default()
            };
            self.body.hold(0, Some(random.vector(0.2)));
            self.body.step(&settings, &[]);
        }
        self.body.hold(0, None);
    }

    /// A thousand times its weight. It flies off; what counts is its shape.
    pub(crate) fn weigh_down(&mut self, random: &mut Random) {
        let gravity = random.vector(1.0).normalize_or(Vec3::Y) * 9810.0;
        self.body.hold(0, Some(Vec3::ZERO));
        for _ in 0..30 {
            self.body.step(&StepSettings { gravity, ..StepSettings::default() }, &[]);
        }
        self.body.hold(0, None);
    }
}
