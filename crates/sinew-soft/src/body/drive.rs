//! What drivers of examples measure of a body.

use super::{SoftBody, StepSettings};
use crate::contact::Collider;
use crate::examples::{Drive, Driven, Drivers, Measure, Part, Place};
use crate::level::Level;
use glam::{Mat3, Vec3, Vec4};

impl SoftBody {
    /// Gives examples the weights that their drivers want, for the next step: call it before each. `settings` and `colliders` are those of
    /// that step; forces are those of the step before.
    ///
    /// # Panics
    /// If the drivers were bound to another kind of body.
    pub fn drive(&mut self, drivers: &mut Drivers, settings: &StepSettings, colliders: &[Collider]) {
        let Drivers { list, weights, has_driven } = drivers;
        let is_first = !std::mem::replace(has_driven, true);
        for (driver, weight) in list.iter().zip(weights.iter_mut()) {
            if is_first && matches!(driver.measure, Measure::Force(_)) {
                // There is no step before the first.
                continue;
            }
            let measured = self.measured(&driver.measure, driver.level, settings, colliders);
            // A body that is nowhere tells nothing.
            if measured.is_nan() {
                continue;
            }
            let wanted = driver.curve.at(f64::from(measured)).clamp(0.0, 1.0) as f32;
            let secs = if wanted > *weight { driver.rise_secs } else { driver.fall_secs };
            let dt_secs = settings.dt_secs.max(0.0);
            let kept = if secs > 0.0 { (-dt_secs / secs).exp() } else { 0.0 };
            *weight = wanted + (*weight - wanted) * kept;
        }
        for (level, of_level) in self.levels.iter_mut().enumerate() {
            let Some(examples) = &mut of_level.examples else { continue };
            let of_this = || list.iter().zip(&*weights).filter(|(driver, _)| driver.level == level);
            if of_this().next().is_none() {
                examples.driven = None;
                continue;
            }
            let (group_count, count) = (examples.group_count(), examples.len());
            let driven = examples.driven.get_or_insert_with(|| Driven::new(group_count, count));
            driven.clear();
            for (driver, &weight) in of_this() {
                let groups = driver.group.map_or(0..group_count, |group| group..group + 1);
                for group in groups {
                    driven.add(group, driver.example, weight);
                    if driver.drive == Drive::Replace {
                        driven.replace(group, driver.example);
                    }
                }
            }
            driven.limit();
        }
    }

    /// Examples follow their shape alone again.
    pub fn stop_driving(&mut self) {
        self.levels
            .iter_mut()
            .flat_map(|level| &mut level.examples)
            .for_each(|examples| examples.driven = None);
    }

    fn measured(
        &self,
        measure: &Measure,
        level: usize,
        settings: &StepSettings,
        colliders: &[Collider],
    ) -> f32 {
        match measure {
            Measure::Speed(part) => self.mean_velocity(part, &self.velocities).length(),
            Measure::SpeedAlong(part, along) => {
                self.mean_velocity(part, &self.velocities).dot(along.normalize_or_zero())
            }
            Measure::Force(part) => self.force_on(part, settings),
            Measure::Strain(part) => strain_of(&self.levels[level], part, &self.positions),
            Measure::Distance(from, to) => self.place_of(from).distance(self.place_of(to)),
            Measure::Clearance(from, collider) => colliders
                .get(*collider)
                .map_or(f32::INFINITY, |collider| collider.touch(self.place_of(from)).distance_m),
        }
    }

    fn place_of(&self, place: &Place) -> Vec3 {
        match *place {
            Place::Point(point) => point,
            Place::Particle(particle) => self.position(particle as usize),
            Place::Center => self.momentum().center.as_vec3(),
        }
    }

    fn mean_velocity(&self, part: &Part, velocities: &[Vec4]) -> Vec3 {
        let (mut mass, mut sum) = (0.0, Vec3::ZERO);
        let mut add = |particle: usize| {
            mass += self.masses[particle];
            sum += velocities[particle].truncate() * self.masses[particle];
        };
        match part {
            Part::Whole => (0..self.masses.len()).for_each(add),
            Part::Some(list) => list.iter().for_each(|&particle| add(particle as usize)),
        }
        if mass > 0.0 { sum / mass } else { Vec3::ZERO }
    }

    /// m (Δv / h − g).
    fn force_on(&self, part: &Part, settings: &StepSettings) -> f32 {
        if settings.dt_secs <= 0.0 {
            return 0.0;
        }
        let change =
            self.mean_velocity(part, &self.velocities) - self.mean_velocity(part, &self.former_velocities[0]);
        let mass: f32 = match part {
            Part::Whole => self.masses.iter().sum(),
            Part::Some(list) => list.iter().map(|&particle| self.masses[particle as usize]).sum(),
        };
        mass * (change / settings.dt_secs - settings.gravity).length()
    }
}

fn strain_of(level: &Level, part: &Part, positions: &[Vec4]) -> f32 {
    let square = |region: usize| {
        let Some((members, pairs)) = level.tables.members(region) else { return 0.0 };
        let mut map = Mat3::ZERO;
        for (&member, pair) in members.iter().zip(pairs) {
            let place = positions[member as usize].truncate();
            map += Mat3::from_cols(place * pair[0], place * pair[1], place * pair[2]);
        }
        let green = (map.transpose() * map - Mat3::IDENTITY) * 0.5;
        green.x_axis.length_squared() + green.y_axis.length_squared() + green.z_axis.length_squared()
    };
    let (sum, count): (f32, usize) = match part {
        Part::Whole => ((0..level.tables.region_count()).map(square).sum(), level.tables.region_count()),
        Part::Some(list) => (list.iter().map(|&region| square(region as usize)).sum(), list.len()),
    };
    if count > 0 { (sum / count as f32).sqrt() } else { 0.0 }
}
