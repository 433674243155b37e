//! Solids of equal cubes, with a surface that moves along.
//!
//! Particles are the corners of cubes; regions are the cubes, or all that share a cube with a corner, up to 27. A surface is embedded by
//! weights of the eight corners of the cube that each vertex rests in, u v w and so on with u, v, w from 0 to 1 along the edges. Cells of a
//! surface are those it passes through and those whose middle is inside by its winding number \[Jacobson13\].
//!
//! Limits: parts that lie within one cell of each other become one; [`sinew_geometry::cover`] keeps them apart, with tetrahedra.

use super::StructureError;
use super::error::positive;
use crate::Rings;
use glam::{DVec3, IVec3, Vec3};
use sinew_geometry::{TriangleMesh, WindingField};
use std::collections::{BTreeMap, BTreeSet};

/// Cubes on a lattice, and points that rest in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Lattice {
    points: Vec<Vec3>,
    cells: Vec<[u32; 8]>,
    spacing_m: f32,
    embedded: Vec<(u32, Vec3)>,
}

/// More cells than this are refused: a spacing in the wrong unit.
const MOST_CELLS: f64 = 4e6;

impl Lattice {
    /// Of cells at whole places, each once; cell (0, 0, 0) has its lowest corner at the origin.
    ///
    /// # Errors
    /// A spacing that is not positive, or too many cells.
    pub fn of_cells(
        cells: impl IntoIterator<Item = [i32; 3]>,
        spacing_m: f32,
    ) -> Result<Self, StructureError> {
        positive("spacing of a lattice", spacing_m)?;
        let cells: BTreeSet<[i32; 3]> = cells.into_iter().collect();
        if cells.len() as f64 > MOST_CELLS {
            return Err(StructureError::TooManyCells { found: cells.len() as f64, most: MOST_CELLS });
        }
        Ok(Self::of_set(&cells, spacing_m))
    }

    /// Cells that hold a surface and its inside, with its vertices embedded.
    ///
    /// # Errors
    /// A spacing that is not positive or far too small for the surface, vertices that are not finite, corners that are not there.
    pub fn around(surface: &TriangleMesh, spacing_m: f32) -> Result<Self, StructureError> {
        let spacing = positive("spacing of a lattice", spacing_m)?;
        super::sheet::check(surface)?;
        let bounds = sinew_geometry::Bounds::of(&surface.positions);
        let size = if bounds.is_empty() { Vec3::ZERO } else { bounds.size() };
        let found = (size.as_dvec3() / spacing + 2.0).element_product();
        if found > MOST_CELLS {
            return Err(StructureError::TooManyCells { found, most: MOST_CELLS });
        }
        let mut cells: BTreeSet<[i32; 3]> =
            surface.positions.iter().map(|point| cell_of(*point, spacing_m)).collect();
        for triangle in &surface.triangles {
            add_triangle(triangle.map(|corner| surface.positions[corner as usize]), spacing_m, &mut cells);
        }
        add_inside(surface, spacing, &mut cells);
        let mut lattice = Self::of_set(&cells, spacing_m);
        let number: BTreeMap<[i32; 3], u32> = cells.iter().copied().zip(0..).collect();
        lattice.embedded = surface
            .positions
            .iter()
            .map(|point| {
                let cell = cell_of(*point, spacing_m);
                let within = *point / spacing_m - IVec3::from_array(cell).as_vec3();
                (number[&cell], within.clamp(Vec3::ZERO, Vec3::ONE))
            })
            .collect();
        Ok(lattice)
    }

    fn of_set(cells: &BTreeSet<[i32; 3]>, spacing_m: f32) -> Self {
        let corner = |cell: &[i32; 3], at: usize| {
            [cell[0] + (at & 1) as i32, cell[1] + (at >> 1 & 1) as i32, cell[2] + (at >> 2) as i32]
        };
        let corners: BTreeSet<[i32; 3]> =
            cells.iter().flat_map(|cell| (0..8).map(move |at| corner(cell, at))).collect();
        let number: BTreeMap<[i32; 3], u32> = corners.iter().copied().zip(0..).collect();
        Self {
            points: corners.iter().map(|&corner| IVec3::from_array(corner).as_vec3() * spacing_m).collect(),
            cells: cells.iter().map(|cell| std::array::from_fn(|at| number[&corner(cell, at)])).collect(),
            spacing_m,
            embedded: Vec::new(),
        }
    }

    /// The corners, where particles are, model space, meters.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Corners of each cell: 1 along x, 2 along y, 4 along z.
    pub fn cells(&self) -> &[[u32; 8]] {
        &self.cells
    }

    /// A region for each cell: its eight corners. A bar four cells thick sags by 4 % more than a beam, one of eight cells by 1 %.
    pub fn rings(&self) -> Rings {
        Rings::from_lists(self.cells.iter().map(|cell| cell.to_vec()))
    }

    /// A region for each corner: all that share a cell with it. Softer where a solid is few cells thick, by 30 % at four and 8 % at eight.
    pub fn wide_rings(&self) -> Rings {
        Rings::of_lattice(self.points.len(), &self.cells)
    }

    /// Masses of particles of a density, kg/m³: of each cell an eighth to each corner.
    pub fn masses(&self, density: f32) -> Vec<f32> {
        let mut masses = vec![0.0; self.points.len()];
        let eighth = density * self.spacing_m.powi(3) / 8.0;
        for &corner in self.cells.as_flattened() {
            masses[corner as usize] += eighth;
        }
        masses
    }

    /// Where the surface's vertices are when the corners are at `places`.
    ///
    /// # Panics
    /// If `places` are not one a corner, or `surface` not one a vertex.
    pub fn move_surface(&self, places: &[Vec3], surface: &mut [Vec3]) {
        assert_eq!(places.len(), self.points.len(), "one place a corner");
        assert_eq!(surface.len(), self.embedded.len(), "one place a vertex");
        for (vertex, (cell, within)) in surface.iter_mut().zip(&self.embedded) {
            let corners = &self.cells[*cell as usize];
            let along = |axis: f32, bit: usize| if bit == 1 { axis } else { 1.0 - axis };
            *vertex = (0..8)
                .map(|at| {
                    let share =
                        along(within.x, at & 1) * along(within.y, at >> 1 & 1) * along(within.z, at >> 2);
                    places[corners[at] as usize] * share
                })
                .sum();
        }
    }
}

fn cell_of(point: Vec3, spacing_m: f32) -> [i32; 3] {
    (point / spacing_m).floor().as_ivec3().to_array()
}

/// Adds the cells that a triangle passes through, by points on it that are less than half a cell apart.
fn add_triangle([a, b, c]: [Vec3; 3], spacing_m: f32, cells: &mut BTreeSet<[i32; 3]>) {
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let count = (2.5 * longest / spacing_m).ceil().max(1.0) as usize;
    for i in 0..=count {
        for j in 0..=count - i {
            let (u, v) = (i as f32 / count as f32, j as f32 / count as f32);
            cells.insert(cell_of(a + (b - a) * u + (c - a) * v, spacing_m));
        }
    }
}

/// Adds the cells whose middle is inside.
fn add_inside(surface: &TriangleMesh, spacing: f64, cells: &mut BTreeSet<[i32; 3]>) {
    let field = WindingField::new(surface);
    let (mut low, mut high) = (IVec3::MAX, IVec3::MIN);
    for cell in &*cells {
        (low, high) = (low.min(IVec3::from_array(*cell)), high.max(IVec3::from_array(*cell)));
    }
    for x in low.x..=high.x {
        for y in low.y..=high.y {
            for z in low.z..=high.z {
                let middle = (DVec3::new(f64::from(x), f64::from(y), f64::from(z)) + 0.5) * spacing;
                if field.is_inside(middle) {
                    cells.insert([x, y, z]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RegionMaterial, Regions, SoftBody, StepSettings};
    use sinew_geometry::shapes;

    #[test]
    fn a_ball_is_filled_and_its_surface_comes_along() {
        let ball = shapes::sphere(0.5, 24, 12);
        let lattice = Lattice::around(&ball, 0.1).unwrap();
        // Of a ball's volume with half a cell more: between the ball and one of radius 0.6.
        let volume = lattice.cells().len() as f32 * 0.001;
        assert!((0.52..0.91).contains(&volume), "{volume}");
        let mut surface = vec![Vec3::ZERO; ball.positions.len()];
        lattice.move_surface(lattice.points(), &mut surface);
        let off = surface.iter().zip(&ball.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(off < 1e-6, "{off}");
        // Any affine motion of the corners is one of the surface.
        let shear =
            |point: Vec3| Vec3::new(point.x + 0.3 * point.y, 2.0 * point.y, point.z - point.x) + Vec3::X;
        let places: Vec<Vec3> = lattice.points().iter().map(|point| shear(*point)).collect();
        lattice.move_surface(&places, &mut surface);
        assert!(surface.iter().zip(&ball.positions).all(|(a, b)| a.distance(shear(*b)) < 1e-5));
    }

    /// Sag of a bar of cubes over that of Timoshenko's theory.
    fn sag(fineness: i32, rings: impl Fn(&Lattice) -> Rings) -> f32 {
        let [nx, ny] = [8 * fineness, 4 * fineness];
        let cells = (0..nx).flat_map(|x| (0..ny).flat_map(move |y| (0..ny).map(move |z| [x, y, z])));
        let lattice = Lattice::of_cells(cells, 0.1 / fineness as f32).unwrap();
        let masses = lattice.masses(1000.0);
        let material = RegionMaterial { square_speed: 2000.0, bulk: 0.0 };
        let regions = Regions::bind(lattice.points(), &masses, &rings(&lattice), |_| material);
        let mut body = SoftBody::new(lattice.points(), &masses, vec![(regions, None)]);
        for (at, point) in lattice.points().iter().enumerate().filter(|(_, point)| point.x == 0.0) {
            body.hold(at, Some(*point));
        }
        let settings = StepSettings { dt_secs: 1.0 / 120.0, damping: 4.0, ..StepSettings::default() };
        (0..360).for_each(|_| body.step(&settings, &[]));
        // w L⁴ / 8 E I + w L² / 2 κ A G.
        let expected = 9.81 / 2000.0 * (1.5 * 0.8f32.powi(4) / 0.16 + 0.64 / (5.0 / 6.0));
        (0.4 - body.position(lattice.points().len() - 1).y) / expected
    }

    #[test]
    fn a_bar_of_cubes_sags_as_a_beam_does() {
        for (name, found, most) in [
            ("cells", sag(1, Lattice::rings), 0.06),
            ("fine cells", sag(2, Lattice::rings), 0.03),
            ("fine corners", sag(2, Lattice::wide_rings), 0.1),
        ] {
            assert!((found - 1.0).abs() < most, "{name}: {found} times the sag of a beam");
        }
    }

    #[test]
    fn bad_lattices_are_refused() {
        let ball = shapes::sphere(0.5, 8, 4);
        assert!(matches!(Lattice::around(&ball, 0.0), Err(StructureError::NotPositive { .. })));
        assert!(matches!(Lattice::around(&ball, 1e-4), Err(StructureError::TooManyCells { .. })));
        let mut broken = ball;
        broken.positions[3].y = f32::NAN;
        assert_eq!(Lattice::around(&broken, 0.1), Err(StructureError::Point { point: 3 }));
        assert_eq!(Lattice::around(&TriangleMesh::default(), 0.1).unwrap().points().len(), 0);
    }
}
