//! Chains: hair, ropes, tails, wires.
//!
//! A segment of length ℓ of a round rod of radius r has, per mass, the stiffness E/ρ against stretch, (E/ρ) r²/4 against bending and
//! (G/ρ) r²/2 against twist. Against shear it has what the theory of beams says, in series with 12 (E/ρ) (r²/4) / ℓ²: with that a
//! straight element whose frames turn linearly bends exactly as a beam does between its ends \[MacNeal78\], however long it is.

use super::StructureError;
use super::error::{positive, stiffness};
use crate::SoftBody;
use crate::oriented::{Element, Frames, Oriented};
use glam::{DVec3, Quat, Vec3};

/// What chains are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainMaterial {
    /// Against stretch: Young's modulus over density, m²/s².
    pub stretch_square_speed: f32,
    /// Against bending: Young's modulus over density, m²/s². Of a uniform rod the same as against stretch; of a lock of hair, whose
    /// hairs slide along each other, far less.
    pub bend_square_speed: f32,
    /// Against twist: shear modulus over density, m²/s²; not more than against bending.
    pub twist_square_speed: f32,
    /// Kilograms per cubic meter.
    pub density: f32,
}

impl Default for ChainMaterial {
    /// Rubber of 2 megapascals at the density of water, Poisson's ratio 0.
    fn default() -> Self {
        Self {
            stretch_square_speed: 2000.0,
            bend_square_speed: 2000.0,
            twist_square_speed: 1000.0,
            density: 1000.0,
        }
    }
}

/// A line of particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Strand {
    /// From root to tip, model space, meters. How they lie is the rest shape, curls included.
    pub points: Vec<Vec3>,
    /// Half the thickness, meters.
    pub radius_m: f32,
}

/// Strands that make one body. Particles are numbered strand by strand, from root to tip.
///
/// ```
/// use glam::Vec3;
/// use sinew_soft::{Chain, ChainMaterial, StepSettings, Strand};
///
/// let points: Vec<Vec3> = (0..20).map(|at| Vec3::X * (0.01 * at as f32)).collect();
/// let chain = Chain { strands: vec![Strand { points, radius_m: 0.001 }], material: ChainMaterial::default() };
/// let mut hair = chain.body()?;
/// hair.hold(0, Some(Vec3::ZERO));
/// hair.hold_frame(0, hair.frame(0));
/// for _ in 0..60 {
///     hair.step(&StepSettings::default(), &[]);
/// }
/// assert!(hair.position(19).y < -0.05);
/// # Ok::<(), sinew_soft::StructureError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// The strands.
    pub strands: Vec<Strand>,
    /// Of all strands.
    pub material: ChainMaterial,
}

impl Chain {
    /// The body, at rest. Frames at rest have x along the strand, and turn as little as they can about it from point to point.
    ///
    /// # Errors
    /// Numbers that are not positive, points that are not finite or repeat, strands of less than two points.
    pub fn body(&self) -> Result<SoftBody, StructureError> {
        let stiff = Stiffness::of(&self.material)?;
        let (mut rest, mut masses, mut moments, mut frames) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut lines = Vec::new();
        for (number, strand) in self.strands.iter().enumerate() {
            let radius = positive("radius of a strand", strand.radius_m)?;
            check(number, &strand.points)?;
            let first = rest.len();
            rest.extend_from_slice(&strand.points);
            frames.extend(rest_frames(&strand.points));
            masses.resize(rest.len(), 0.0);
            moments.resize(rest.len(), 0.0);
            let mut elements = Vec::with_capacity(strand.points.len() - 1);
            for at in first..rest.len() - 1 {
                let way = (rest[at + 1] - rest[at]).as_dvec3();
                let mass = stiff.density * std::f64::consts::PI * radius * radius * way.length();
                elements.push(stiff.segment(at as u32, way, radius, mass));
                for end in [at, at + 1] {
                    masses[end] += (0.5 * mass) as f32;
                    // About the strand, which is what swings; across, the particles' places have the inertia.
                    moments[end] += 0.25 * mass * radius * radius;
                }
            }
            lines.push((first, elements));
        }
        let oriented = Oriented::strands(Frames::new(frames, moments), lines);
        Ok(SoftBody::new(&rest, &masses, Vec::new()).with_frames(oriented))
    }
}

struct Stiffness {
    stretch: f64,
    bend: f64,
    twist: f64,
    density: f64,
}

impl Stiffness {
    fn of(material: &ChainMaterial) -> Result<Self, StructureError> {
        let (twist, bend) = (material.twist_square_speed, material.bend_square_speed);
        if twist > bend {
            return Err(StructureError::TwistTooStiff { twist, bend });
        }
        Ok(Self {
            stretch: stiffness("square speed of stretch", material.stretch_square_speed)?,
            bend: stiffness("square speed of bending", material.bend_square_speed)?,
            twist: stiffness("square speed of twist", material.twist_square_speed)?,
            density: positive("density", material.density)?,
        })
    }

    fn segment(&self, first: u32, way: DVec3, radius: f64, mass: f64) -> Element {
        let length = way.length();
        let axis = way / length;
        let bend = self.bend * radius * radius / 4.0;
        let shear = series(SHEAR_FACTOR * 0.5 * self.stretch, 12.0 * bend / (length * length));
        let slope = 1.0 / length;
        Element {
            members: [first, first + 1, 0],
            count: 2,
            tangents: [axis, DVec3::ZERO],
            slopes: [[-slope, slope, 0.0], [0.0; 3]],
            axis,
            stretch: mass * self.stretch,
            tie: mass * shear,
            bend: [mass * bend, mass * self.twist * radius * radius / 2.0],
        }
    }
}

/// Share of a round section that carries shear (\[Cowper66\] with Poisson's ratio 0).
const SHEAR_FACTOR: f64 = 6.0 / 7.0;

/// Stiffness of two springs one after the other.
pub(super) fn series(a: f64, b: f64) -> f64 {
    if a > 0.0 && b > 0.0 { 1.0 / (1.0 / a + 1.0 / b) } else { 0.0 }
}

fn check(strand: usize, points: &[Vec3]) -> Result<(), StructureError> {
    if points.len() < 2 {
        return Err(StructureError::ShortStrand { strand, found: points.len() });
    }
    if let Some(point) = points.iter().position(|point| !point.is_finite()) {
        return Err(StructureError::StrandPoint { strand, point });
    }
    let size = points.iter().map(|point| point.distance(points[0])).fold(0.0, f32::max);
    match points.windows(2).position(|pair| pair[0].distance(pair[1]) <= 1e-6 * size) {
        Some(point) => Err(StructureError::StrandRepeats { strand, point }),
        None => Ok(()),
    }
}

/// Frames with x along a line, each turned from the one before by the shortest arc.
fn rest_frames(points: &[Vec3]) -> Vec<Quat> {
    let last = points.len() - 1;
    let direction = |at: usize| {
        let way = points[(at + 1).min(last)] - points[at.saturating_sub(1)];
        way.try_normalize()
            .unwrap_or_else(|| (points[at.max(1)] - points[at.max(1) - 1]).normalize_or(Vec3::X))
    };
    let mut frame = Quat::from_rotation_arc(Vec3::X, direction(0));
    let mut frames = vec![frame];
    for at in 1..points.len() {
        frame = (Quat::from_rotation_arc(frame * Vec3::X, direction(at)) * frame).normalize();
        frames.push(frame);
    }
    frames
}
