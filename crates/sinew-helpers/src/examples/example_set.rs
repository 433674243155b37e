//! Examples that own their arrays, wherever they came from.

use glam::{DAffine3, Vec3};
use sinew_fit::{Controllers, Examples, FitErrors, controller_errors};
use sinew_rig::DriverChange;

/// Poses of driver bones, each with the skin that it should give.
#[derive(Clone, Debug, Default)]
pub struct ExampleSet {
    /// One per vertex, rest space; any unit of length.
    pub rest_positions: Vec<Vec3>,
    /// Corners are vertices.
    pub triangles: Vec<[u32; 3]>,
    /// One per driver.
    pub driver_names: Vec<String>,
    /// Skinning matrices, pose by pose, in each pose one per driver.
    pub driver_posed_from_rest: Vec<DAffine3>,
    /// What drivers do in their parents relative to rest; pose by pose, in each pose one per driver.
    pub driver_changes: Vec<DriverChange>,
    /// Wanted positions, pose by pose, in each pose one per vertex.
    pub target_positions: Vec<Vec3>,
}

impl ExampleSet {
    /// As the fit wants it.
    pub fn examples(&self) -> Examples<'_> {
        Examples {
            rest_positions: &self.rest_positions,
            triangles: &self.triangles,
            driver_count: self.driver_names.len(),
            driver_posed_from_rest: &self.driver_posed_from_rest,
            target_positions: &self.target_positions,
        }
    }

    /// Number of poses.
    pub fn pose_count(&self) -> usize {
        self.examples().pose_count()
    }

    /// What all drivers do in a pose.
    pub fn changes(&self, pose: usize) -> &[DriverChange] {
        &self.driver_changes[pose * self.driver_names.len()..][..self.driver_names.len()]
    }

    /// What one driver does, pose by pose.
    pub(crate) fn of_driver(&self, driver: usize) -> impl Iterator<Item = &DriverChange> {
        self.driver_changes.iter().skip(driver).step_by(self.driver_names.len().max(1))
    }

    /// The first poses, at most `count`.
    #[must_use]
    pub fn first_poses(&self, count: usize) -> Self {
        let count = count.min(self.pose_count());
        let (drivers, vertices) = (count * self.driver_names.len(), count * self.rest_positions.len());
        Self {
            rest_positions: self.rest_positions.clone(),
            triangles: self.triangles.clone(),
            driver_names: self.driver_names.clone(),
            driver_posed_from_rest: self.driver_posed_from_rest[..drivers].to_vec(),
            driver_changes: self.driver_changes[..drivers].to_vec(),
            target_positions: self.target_positions[..vertices].to_vec(),
        }
    }

    /// The same with some of the drivers.
    #[must_use]
    pub(crate) fn of_drivers(&self, drivers: &[usize]) -> Self {
        fn picked<T: Copy>(list: &[T], count: usize, places: &[usize]) -> Vec<T> {
            list.chunks(count.max(1)).flat_map(|pose| places.iter().map(|&at| pose[at])).collect()
        }
        let count = self.driver_names.len();
        Self {
            driver_names: drivers.iter().map(|&at| self.driver_names[at].clone()).collect(),
            driver_posed_from_rest: picked(&self.driver_posed_from_rest, count, drivers),
            driver_changes: picked(&self.driver_changes, count, drivers),
            ..self.clone()
        }
    }

    /// Adds the poses of another set of the same skin and drivers.
    ///
    /// # Panics
    /// If it has other vertices or drivers.
    pub fn append(&mut self, other: &Self) {
        assert_eq!(self.rest_positions.len(), other.rest_positions.len(), "the same skin");
        assert_eq!(self.driver_names.len(), other.driver_names.len(), "the same drivers");
        self.add_poses(other);
    }

    /// What a rig leaves of these poses.
    pub(crate) fn errors(&self, weights: &[f64], controllers: &Controllers) -> FitErrors {
        controller_errors(&self.examples(), &self.driver_changes, weights, controllers)
    }

    /// Adds poses of the same skin and drivers.
    pub(crate) fn add_poses(&mut self, other: &Self) {
        self.driver_posed_from_rest.extend_from_slice(&other.driver_posed_from_rest);
        self.driver_changes.extend_from_slice(&other.driver_changes);
        self.target_positions.extend_from_slice(&other.target_positions);
    }

    /// √(Σ |Δ|² / (poses · vertices)) of other positions, in the order of the targets.
    ///
    /// # Panics
    /// If there are more or fewer of them.
    pub fn rms_of(&self, positions: &[Vec3]) -> f64 {
        assert_eq!(positions.len(), self.target_positions.len(), "a position for each target");
        let square = |(a, b): (&Vec3, &Vec3)| (a.as_dvec3() - b.as_dvec3()).length_squared();
        let sum: f64 = positions.iter().zip(&self.target_positions).map(square).sum();
        (sum / positions.len().max(1) as f64).sqrt()
    }
}
