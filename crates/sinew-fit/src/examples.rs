//! The examples that a rig is fitted to.

use glam::{DAffine3, Vec3};

/// Poses of the driver bones, each with the skin that it should give. Borrowed: targets are large and are never copied.
#[derive(Clone, Copy, Debug)]
pub struct Examples<'a> {
    /// One per vertex, rest space, any unit of length.
    pub rest_positions: &'a [Vec3],
    /// Corners are vertices; they say who is whose neighbor. May be empty: a vertex then has no neighbors.
    pub triangles: &'a [[u32; 3]],
    /// Number of driver bones, at least 1.
    pub driver_count: usize,
    /// Skinning matrices, `posed_from_rest`: pose by pose, in each pose one per driver.
    pub driver_posed_from_rest: &'a [DAffine3],
    /// Posed positions that are wanted: pose by pose, in each pose one per vertex, in the order of `rest_positions`.
    pub target_positions: &'a [Vec3],
}

/// Why examples cannot be used. Places are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ExamplesError {
    /// Nothing to move.
    #[error("no vertices; give the rest positions of the skin")]
    NoVertices,
    /// Nothing to move it by.
    #[error("no driver bones; give at least one")]
    NoDrivers,
    /// No poses.
    #[error("no example poses; give at least one")]
    NoPoses,
    /// Matrices do not divide into poses.
    #[error("{found} driver matrices are not a multiple of {driver_count} drivers")]
    DriverMatrices { found: usize, driver_count: usize },
    /// Targets do not match poses and vertices.
    #[error(
        "expected {expected} target positions for {pose_count} poses of {vertex_count} vertices, found {found}"
    )]
    Targets { found: usize, expected: usize, pose_count: usize, vertex_count: usize },
    /// A triangle with a corner that does not exist.
    #[error("vertex {vertex} of triangle {triangle} does not exist; there are {vertex_count}")]
    Corner { triangle: usize, vertex: u32, vertex_count: usize },
    /// A rest position with NaN or infinity.
    #[error("the rest position of vertex {vertex} is not finite")]
    RestNotFinite { vertex: usize },
    /// A matrix with NaN or infinity.
    #[error("the matrix of driver {driver} in pose {pose} is not finite")]
    DriverNotFinite { pose: usize, driver: usize },
    /// A target with NaN or infinity.
    #[error(
        "the target of vertex {vertex} in pose {pose} is not finite; leave the pose out or simulate it again"
    )]
    TargetNotFinite { pose: usize, vertex: usize },
}

impl Examples<'_> {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.rest_positions.len()
    }

    /// Number of example poses.
    pub fn pose_count(&self) -> usize {
        self.driver_posed_from_rest.len().checked_div(self.driver_count).unwrap_or(0)
    }

    /// The matrices of all drivers in a pose.
    pub fn drivers(&self, pose: usize) -> &[DAffine3] {
        &self.driver_posed_from_rest[pose * self.driver_count..][..self.driver_count]
    }

    /// The wanted positions of all vertices in a pose.
    pub fn targets(&self, pose: usize) -> &[Vec3] {
        &self.target_positions[pose * self.vertex_count()..][..self.vertex_count()]
    }

    /// Checks counts, indices, and that every number is finite.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), ExamplesError> {
        self.check_counts()?;
        let vertex_count = self.vertex_count();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&corner| corner as usize >= vertex_count) {
                return Err(ExamplesError::Corner { triangle, vertex, vertex_count });
            }
        }
        if let Some(vertex) = self.rest_positions.iter().position(|place| !place.is_finite()) {
            return Err(ExamplesError::RestNotFinite { vertex });
        }
        if let Some(at) = self.driver_posed_from_rest.iter().position(|matrix| !matrix.is_finite()) {
            let (pose, driver) = (at / self.driver_count, at % self.driver_count);
            return Err(ExamplesError::DriverNotFinite { pose, driver });
        }
        if let Some(at) = self.target_positions.iter().position(|place| !place.is_finite()) {
            let (pose, vertex) = (at / vertex_count, at % vertex_count);
            return Err(ExamplesError::TargetNotFinite { pose, vertex });
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), ExamplesError> {
        let vertex_count = self.vertex_count();
        if vertex_count == 0 {
            return Err(ExamplesError::NoVertices);
        }
        if self.driver_count == 0 {
            return Err(ExamplesError::NoDrivers);
        }
        let (found, driver_count) = (self.driver_posed_from_rest.len(), self.driver_count);
        if found == 0 {
            return Err(ExamplesError::NoPoses);
        }
        if !found.is_multiple_of(driver_count) {
            return Err(ExamplesError::DriverMatrices { found, driver_count });
        }
        let (pose_count, found) = (self.pose_count(), self.target_positions.len());
        let expected = pose_count.saturating_mul(vertex_count);
        if found != expected {
            return Err(ExamplesError::Targets { found, expected, pose_count, vertex_count });
        }
        Ok(())
    }

    /// Neighbors of every vertex along edges, in ascending order, without itself.
    pub(crate) fn rings(&self) -> Vec<Vec<u32>> {
        let mut rings = vec![Vec::new(); self.vertex_count()];
        for &[a, b, c] in self.triangles {
            for (from, to) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)] {
                if from != to {
                    rings[from as usize].push(to);
                }
            }
        }
        for ring in &mut rings {
            ring.sort_unstable();
            ring.dedup();
        }
        rings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(change: impl FnOnce(&mut Examples<'_>), expected: &str) {
        let rest = [Vec3::ZERO, Vec3::X];
        let drivers = [DAffine3::IDENTITY; 2];
        let targets = [Vec3::ZERO; 4];
        let triangles = [[0, 1, 1]];
        let mut examples = Examples {
            rest_positions: &rest,
            triangles: &triangles,
            driver_count: 1,
            driver_posed_from_rest: &drivers,
            target_positions: &targets,
        };
        change(&mut examples);
        let found = examples.check().map_or_else(|error| error.to_string(), |()| String::from("fine"));
        assert!(found.contains(expected), "{found:?} does not say {expected:?}");
    }

    #[test]
    fn bad_examples_are_told_by_place() {
        check(|_| (), "fine");
        check(|examples| examples.rest_positions = &[], "no vertices");
        check(|examples| examples.driver_count = 0, "no driver bones");
        check(|examples| examples.driver_posed_from_rest = &[], "no example poses");
        check(|examples| examples.driver_count = 3, "2 driver matrices");
        check(|examples| examples.target_positions = &[Vec3::ZERO; 3], "for 2 poses of 2 vertices, found 3");
        check(|examples| examples.triangles = &[[0, 1, 2]], "vertex 2 of triangle 0 does not exist");
        check(|examples| examples.rest_positions = &[Vec3::ZERO, Vec3::NAN], "vertex 1");
        check(
            |examples| examples.target_positions = &[Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::INFINITY],
            "vertex 1 in pose 1",
        );
        const BAD: [DAffine3; 2] = [DAffine3::IDENTITY, DAffine3::NAN];
        check(|examples| examples.driver_posed_from_rest = &BAD, "driver 0 in pose 1");
    }
}
