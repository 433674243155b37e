//! Sheets: cloth, paper, leaves, flags.
//!
//! A triangle of a plate of thickness t has, per mass, the stiffness E/ρ against strain in its plane and (E/ρ) t²/12 against bending.
//! Against shear across the plane it has what the theory of plates says, in series with a multiple of (E/ρ) (t²/12) over the
//! square of its size. Without that, triangles whose frames turn linearly are far too stiff in bending; with it they converge to the theory
//! of thin plates \[Pitkaranta88\].

use super::StructureError;
use super::chain::series;
use super::error::{positive, stiffness};
use crate::oriented::{Element, Frames, Oriented};
use crate::{SoftBody, missing_corner};
use glam::{DMat3, DVec2, DVec3, Quat, Vec3};
use sinew_geometry::TriangleMesh;

/// What sheets are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetMaterial {
    /// Against strain in the plane: Young's modulus over density, m²/s².
    pub stretch_square_speed: f32,
    /// Against bending: Young's modulus over density, m²/s². Of a uniform plate the same as against stretch; of cloth, whose threads
    /// slide along each other, far less.
    pub bend_square_speed: f32,
    /// Rate at which what is next to each other comes to move alike, 1/s: threads rub. Without it thin cloth trembles for long.
    pub rubbing: f32,
    /// Meters.
    pub thickness_m: f32,
    /// Kilograms per cubic meter.
    pub density: f32,
}

impl Default for SheetMaterial {
    /// Light cloth: 0.2 kg a square meter, half a millimeter thick.
    fn default() -> Self {
        Self {
            stretch_square_speed: 2000.0,
            bend_square_speed: 500.0,
            rubbing: 20.0,
            thickness_m: 5e-4,
            density: 400.0,
        }
    }
}

/// Triangles that make one body. Particles are the points, in their order.
///
/// ```
/// use glam::Vec3;
/// use sinew_soft::{Collider, ContactSettings, Sheet, SheetMaterial, StepSettings};
///
/// let sheet = Sheet::grid([10, 10], Vec3::X * 0.5, Vec3::Z * 0.5, SheetMaterial::default());
/// let mut cloth = sheet.body()?;
/// let floor = [Collider::floor(-0.1, ContactSettings::default())];
/// for _ in 0..30 {
///     cloth.step(&StepSettings::default(), &floor);
/// }
/// assert!(cloth.positions().all(|place| place.y > -0.101));
/// # Ok::<(), sinew_soft::StructureError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// How it lies is the rest shape, folds included. Model space, meters.
    pub mesh: TriangleMesh,
    /// Of all of it.
    pub material: SheetMaterial,
}

impl Sheet {
    /// A rectangle from the origin along two edges, of so many cells along each, cut along alternating diagonals. Points go along the
    /// second edge first.
    pub fn grid(cells: [usize; 2], first_edge: Vec3, second_edge: Vec3, material: SheetMaterial) -> Self {
        let [columns, rows] = cells.map(|count| count.max(1));
        let mut mesh = TriangleMesh::default();
        for column in 0..=columns {
            for row in 0..=rows {
                let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
                mesh.positions.push(first_edge * u + second_edge * v);
            }
        }
        let id = |column: usize, row: usize| (column * (rows + 1) + row) as u32;
        for column in 0..columns {
            for row in 0..rows {
                let [a, b, c, d] =
                    [id(column, row), id(column + 1, row), id(column + 1, row + 1), id(column, row + 1)];
                let is_even = (column + row) % 2 == 0;
                mesh.triangles.extend(if is_even { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
            }
        }
        Self { mesh, material }
    }

    /// The body, at rest. Frames at rest have z along the normal.
    ///
    /// # Errors
    /// Numbers that are not positive; points that are not finite or belong to no triangle; triangles without area.
    pub fn body(&self) -> Result<SoftBody, StructureError> {
        let stiff = Stiffness::of(&self.material)?;
        let rest = &self.mesh.positions;
        check(&self.mesh)?;
        let (mut masses, mut normals) = (vec![0.0f32; rest.len()], vec![Vec3::ZERO; rest.len()]);
        let mut elements = Vec::with_capacity(self.mesh.triangles.len());
        for (triangle, corners) in self.mesh.triangles.iter().enumerate() {
            let shape = Corner::shape(rest, *corners).ok_or(StructureError::FlatTriangle { triangle })?;
            let mass = stiff.density * stiff.thickness * shape.area;
            elements.push(stiff.element(*corners, &shape, mass));
            for &corner in corners {
                masses[corner as usize] += (mass / 3.0) as f32;
                normals[corner as usize] += shape.axes.z_axis.as_vec3() * shape.area as f32;
            }
        }
        if let Some(point) = masses.iter().position(|&mass| mass == 0.0) {
            return Err(StructureError::LoosePoint { point });
        }
        let frames =
            normals.iter().map(|normal| Quat::from_rotation_arc(Vec3::Z, normal.normalize_or(Vec3::Z)));
        let square = stiff.thickness * stiff.thickness / 12.0;
        let moments = masses.iter().map(|&mass| f64::from(mass) * square).collect();
        let oriented =
            Oriented::net(Frames::new(frames.collect(), moments), elements, rest.len(), stiff.rubbing);
        Ok(SoftBody::new(rest, &masses, Vec::new()).with_frames(oriented))
    }
}

pub(super) fn check(mesh: &TriangleMesh) -> Result<(), StructureError> {
    let point_count = mesh.positions.len();
    if let Some(point) = mesh.positions.iter().position(|point| !point.is_finite()) {
        return Err(StructureError::Point { point });
    }
    match missing_corner(&mesh.triangles, point_count) {
        Some((triangle, corner)) => Err(StructureError::Corner { triangle, corner, point_count }),
        None => Ok(()),
    }
}

/// A triangle at rest.
struct Corner {
    area: f64,
    /// Along the first edge, across it in the plane, and the normal.
    axes: DMat3,
    /// Per tangent and corner.
    slopes: [[f64; 3]; 2],
    /// Square of the longest edge.
    longest: f64,
    /// Mean square of the corners' distances from the middle: a ninth of the sum of squared edges.
    spread: f64,
}

/// Triangles thinner than this share of their longest edge are needles: their stiffness would be without bound.
const NEEDLE: f64 = 1e-3;

impl Corner {
    fn shape(rest: &[Vec3], corners: [u32; 3]) -> Option<Self> {
        let [a, b, c] = corners.map(|corner| rest[corner as usize].as_dvec3());
        let double_area = (b - a).cross(c - a).length();
        let squares = [a.distance_squared(b), b.distance_squared(c), c.distance_squared(a)];
        let longest = squares.into_iter().fold(0.0, f64::max);
        if double_area <= NEEDLE * longest {
            return None;
        }
        let normal = (b - a).cross(c - a) / double_area;
        let along = (b - a).normalize();
        let axes = DMat3::from_cols(along, normal.cross(along), normal);
        let flat = |v: DVec3| DVec2::new(v.dot(axes.x_axis), v.dot(axes.y_axis));
        // The gradient of a corner's share is the opposite edge turned by a quarter, over twice the area.
        let slope = |edge: DVec3| flat(edge).perp() / double_area;
        let [of_a, of_b, of_c] = [slope(c - b), slope(a - c), slope(b - a)];
        let slopes = [[of_a.x, of_b.x, of_c.x], [of_a.y, of_b.y, of_c.y]];
        Some(Self {
            area: 0.5 * double_area,
            axes,
            slopes,
            longest,
            spread: squares.iter().sum::<f64>() / 9.0,
        })
    }
}

struct Stiffness {
    stretch: f64,
    bend: f64,
    rubbing: f64,
    thickness: f64,
    density: f64,
}

/// Shear stiffness of a triangle across its plane, in units of its bending stiffness over the square of its longest edge. Too small,
/// and sheets shear; too large, and coarse ones do not bend. Chosen on strips of 8 to 32 cells.
const SHEAR: f64 = 4.0;

/// Share of a plate's section that carries shear.
const SHEAR_FACTOR: f64 = 5.0 / 6.0;

impl Stiffness {
    fn of(material: &SheetMaterial) -> Result<Self, StructureError> {
        let thickness = positive("thickness", material.thickness_m)?;
        Ok(Self {
            stretch: stiffness("square speed of stretch", material.stretch_square_speed)?,
            bend: stiffness("square speed of bending", material.bend_square_speed)? * thickness * thickness
                / 12.0,
            rubbing: stiffness("rate of rubbing", material.rubbing)?,
            thickness,
            density: positive("density", material.density)?,
        })
    }

    fn element(&self, members: [u32; 3], shape: &Corner, mass: f64) -> Element {
        let shear = series(SHEAR_FACTOR * 0.5 * self.stretch, SHEAR * self.bend / shape.longest);
        // Frames that differ are tied to one place, which resists bending by s Σ w |q|² / 2, q from the middle of the triangle.
        let bend = self.bend - 0.5 * shear * shape.spread;
        Element {
            members,
            count: 3,
            tangents: [shape.axes.x_axis, shape.axes.y_axis],
            slopes: shape.slopes,
            axis: shape.axes.z_axis,
            stretch: mass * self.stretch,
            tie: mass * shear,
            bend: [mass * bend, mass * bend],
        }
    }
}
