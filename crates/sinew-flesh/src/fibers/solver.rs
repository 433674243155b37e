//! From constraints to a field.

use super::{FiberConstraint, FiberField, FiberPlace};
use crate::field::{FieldError, FieldSolver, Laplacian};
use glam::DVec3;
use sinew_geometry::TetMesh;

/// Solves for fibers over one set of tetrahedra, again and again.
///
/// ```
/// use glam::Vec3;
/// use sinew_flesh::fibers::{FiberConstraint, FiberPlace, FiberSolver};
/// use sinew_geometry::TetMesh;
///
/// let bar = TetMesh::lattice([4, 1, 1], Vec3::new(4.0, 1.0, 1.0));
/// let mut solver = FiberSolver::new(&bar)?;
/// let known = FiberConstraint { place: FiberPlace::Point(0), direction: Vec3::new(2.0, 0.0, 0.0), weight: 1.0 };
/// let field = solver.solve(&[known])?;
/// assert!(field.tet_directions.iter().all(|direction| direction.abs_diff_eq(Vec3::X, 1e-4)));
/// # Ok::<(), sinew_flesh::FieldError>(())
/// ```
#[derive(Debug)]
pub struct FiberSolver {
    mesh: TetMesh,
    field: FieldSolver,
    /// Lᵢᵢ, or 1 where a point has no neighbors.
    pull: Vec<f64>,
}

/// Components of a symmetric tensor: xx, yy, zz, yz, xz, xy.
pub(super) const COMPONENTS: usize = 6;

/// The components of d dᵀ.
pub(super) fn tensor(direction: DVec3) -> [f64; COMPONENTS] {
    let DVec3 { x, y, z } = direction;
    [x * x, y * y, z * z, y * z, x * z, x * y]
}

impl FiberSolver {
    /// Orders the unknowns; the slow part.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mesh: &TetMesh) -> Result<Self, FieldError> {
        let laplacian = Laplacian::new(mesh);
        let pull = |point: usize| Some(laplacian.diagonal(point)).filter(|&pull| pull > 0.0).unwrap_or(1.0);
        let pull = (0..laplacian.size()).map(pull).collect();
        Ok(Self { mesh: mesh.clone(), field: FieldSolver::new(laplacian)?, pull })
    }

    /// The field of these constraints. Where only directions differ from the time before, the factor is kept.
    ///
    /// # Errors
    /// If a constraint is at a place that is not there or its numbers mean nothing.
    ///
    /// # Degenerate input
    /// Parts without any constraint run along their longest axis; where constraints cross and none prevails, confidence is near 0 and
    /// the direction is one of those that fit equally well. Both are told in [`FiberField::warnings`].
    pub fn solve(&mut self, constraints: &[FiberConstraint]) -> Result<FiberField, FieldError> {
        let points = self.mesh.points().len();
        let mut strengths = vec![0.0; points];
        let mut tensors = vec![0.0; COMPONENTS * points];
        let mut without_direction = 0;
        for (number, constraint) in constraints.iter().enumerate() {
            let corners = self.check(number, constraint)?;
            let direction = constraint.direction.as_dvec3().normalize_or_zero();
            if direction == DVec3::ZERO {
                without_direction += 1;
                continue;
            }
            let known = tensor(direction);
            for (point, share) in corners.into_iter().filter(|&(_, share)| share > 0.0) {
                let strength = f64::from(constraint.weight) * share * self.pull[point];
                strengths[point] += strength;
                for (component, value) in known.iter().enumerate() {
                    tensors[component * points + point] += strength * value;
                }
            }
        }
        self.field.set_strengths(&strengths)?;
        self.field.solve(&mut tensors, COMPONENTS)?;
        Ok(FiberField::new(&self.mesh, &tensors, without_direction))
    }

    /// How often a factor was made: once for each set of places and weights, not for new directions at the same places.
    pub fn factored(&self) -> usize {
        self.field.factored
    }

    /// The points that a constraint speaks to, and how much to each.
    fn check(&self, number: usize, known: &FiberConstraint) -> Result<[(usize, f64); 4], FieldError> {
        let wrong = |what| FieldError::ConstraintNumber { constraint: number, what };
        if !known.direction.is_finite() {
            return Err(wrong("direction"));
        }
        if !(known.weight >= 0.0 && known.weight.is_finite()) {
            return Err(wrong("weight"));
        }
        let missing =
            |what, index, count| FieldError::ConstraintPlace { constraint: number, what, index, count };
        let (points, tets) = (self.mesh.points().len(), self.mesh.tets());
        let (tet, weights) = match known.place {
            FiberPlace::Point(point) if (point as usize) < points => {
                return Ok([(point as usize, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)]);
            }
            FiberPlace::Point(point) => return Err(missing("point", point, points)),
            FiberPlace::Tet(tet) => (tet, [0.25; 4]),
            FiberPlace::Within(tet, weights) => (tet, weights),
        };
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Err(wrong("barycentric weight"));
        }
        let corners = tets.get(tet as usize).ok_or_else(|| missing("tetrahedron", tet, tets.len()))?;
        Ok(std::array::from_fn(|at| (corners[at] as usize, f64::from(weights[at]))))
    }
}
