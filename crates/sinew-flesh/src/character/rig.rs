//! From a character and settings to flesh that can be moved.

use super::touch::FleshTouch;
use crate::anatomy::{Anatomy, AnatomyError, AnatomyInput, AnatomySettings, Paint};
use crate::config::{ContactSettings, FleshSettings};
use crate::fibers::{
    FiberConstraint, FiberField, FiberPlace, FiberSolver, StrokeCanvas, USUAL_WEIGHT, natural_constraints,
};
use crate::motion::{Flesh, FleshError, FleshParts, MotionSettings};
use crate::muscles::{
    BodyFrames, FleshPoints, MuscleBulge, MuscleDrive, MuscleError, MuscleSet, MuscleShares, SkinProbe,
};
use crate::{CoveredCharacter, FieldError};
use glam::Vec3;
use sinew_geometry::SmoothEmbedding;
use sinew_geometry::progress::Interrupted;
use sinew_rig::{BoneId, Character, InvalidCharacter};

/// Why a character gets no flesh.
#[derive(Debug, thiserror::Error)]
pub enum FleshRigError {
    /// No tetrahedra.
    #[error(transparent)]
    Cover(#[from] sinew_geometry::CoverError),
    /// No layers.
    #[error(transparent)]
    Anatomy(#[from] AnatomyError),
    /// No fibres.
    #[error(transparent)]
    Fibres(#[from] FieldError),
    /// Muscles that mean nothing.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Muscles(Vec<MuscleError>),
    /// Muscles that cannot be driven or laid into the flesh.
    #[error(transparent)]
    Muscle(#[from] MuscleError),
    /// Bones of the settings that are not there.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Bones(Vec<AnatomyError>),
    /// Points of the flesh do not fit the rig.
    #[error(transparent)]
    Particles(#[from] InvalidCharacter),
    /// The parts do not fit.
    #[error(transparent)]
    Flesh(#[from] FleshError),
    /// A motion that cannot be played.
    #[error(transparent)]
    Motion(#[from] super::FleshMotionError),
    /// The caller stopped it.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// A character's flesh at rest, with all that drives it.
#[derive(Clone, Debug)]
pub struct FleshRig {
    /// The character, its skin at rest and the tetrahedra around it.
    pub covered: CoveredCharacter,
    /// What lies where.
    pub anatomy: Anatomy,
    /// Which way it runs.
    pub fibres: FiberField,
    /// Muscles; empty for what is no human.
    pub muscles: MuscleSet,
    /// What contracts them.
    pub drive: Option<MuscleDrive>,
    /// Points of the tetrahedra on the character's skeleton.
    pub particles: Character,
    /// What muscles do to the points of the tetrahedra.
    pub bulge: MuscleBulge,
    /// What they do to the vertices of the skin.
    pub skin_bulge: MuscleBulge,
    /// Where each vertex of the skin takes its follow-through from.
    pub follow: SmoothEmbedding,
    /// What a user should know.
    pub notes: Vec<String>,
    /// What flesh cannot pass.
    pub contact: ContactSettings,
    pub(super) touch: FleshTouch,
    shares: MuscleShares,
    parts: FleshParts,
    motion: MotionSettings,
}

/// A stiffness against changes of volume of this many times that of shape keeps volumes within 1 % in all that bodies do.
const MOST_BULK: f64 = 20.0;

/// Points count for the skin within so many spacings: farther, what is small is smoothed away; nearer, tetrahedra show.
const FOLLOW_SPACINGS: f32 = 1.3;

/// Below this confidence a fibre's direction means nothing.
const LEAST_CONFIDENCE: f32 = 0.1;

impl FleshRig {
    /// Puts flesh into a character; `paints` are values on its skin that go before the settings.
    ///
    /// # Errors
    /// Settings that name what is not there, numbers out of range.
    pub fn new(
        covered: CoveredCharacter,
        flesh: &FleshSettings,
        paints: &[Paint],
    ) -> Result<Self, FleshRigError> {
        let (character, map) = (&covered.character, covered.humanoid.as_ref());
        let bones = flesh.find_bones(character, map).map_err(FleshRigError::Bones)?;
        let input = covered.input(paints);
        let anatomy = Anatomy::new(&input, &AnatomySettings::from(flesh))?;
        let mut notes: Vec<String> = anatomy.warnings.iter().map(ToString::to_string).collect();
        let body = map.map(|map| BodyFrames::new(character, map)).transpose();
        let body = body.unwrap_or_else(|error| {
            notes.push(format!("there are no muscles: {error}"));
            None
        });
        let muscles = match &body {
            Some(body) => {
                let skin = SkinProbe::new(&covered.surface.positions, &covered.surface.triangles);
                MuscleSet::place(&flesh.muscles.list, body, &skin).map_err(FleshRigError::Muscles)?
            }
            None => MuscleSet::default(),
        };
        notes.extend(muscles.notes().iter().map(ToString::to_string));
        let drive = body.map(|body| MuscleDrive::new(&body, &muscles, flesh.muscles.drive)).transpose()?;
        notes.extend(drive.iter().flat_map(|drive| drive.idle()).map(ToString::to_string));
        let points = FleshPoints {
            positions: covered.cover.mesh.points(),
            depths: &anatomy.depth,
            skin_distances_m: &anatomy.skin_distance_m,
        };
        let shares = MuscleShares::new(&muscles, &points, 0.5 * covered.cover.spacing)?;
        let mut solver = FiberSolver::new(&covered.cover.mesh)?;
        let fibres = solve_fibres(&input, &anatomy, &shares, flesh, &mut solver, &mut notes)?;
        let parts = flesh_parts(&covered, &anatomy, &fibres, flesh, &bones);
        let motion = motion_settings(flesh);
        let particles = anatomy.particle_character(character, &covered.cover.mesh)?;
        let contact = flesh.contact.clone();
        let touch = FleshTouch::new(&covered, &anatomy, flesh.simulation.backstop_m as f32);
        let bulge = MuscleBulge::new(&muscles, covered.cover.mesh.points());
        let skin_bulge = MuscleBulge::new(&muscles, &covered.surface.positions);
        let follow = SmoothEmbedding::new(
            &covered.cover.mesh,
            &covered.cover.embedding,
            &covered.surface.positions,
            FOLLOW_SPACINGS * covered.cover.spacing,
        );
        Ok(Self {
            covered,
            anatomy,
            fibres,
            muscles,
            drive,
            particles,
            bulge,
            skin_bulge,
            follow,
            notes,
            contact,
            touch,
            shares,
            parts,
            motion,
        })
    }

    /// Lays layers and fibres anew by other settings, many times faster than a new rig: for those who try many. Muscles, what drives them,
    /// contact and notes stay those of the making. `solver` is one for the rig's tetrahedra.
    ///
    /// # Errors
    /// As of [`FleshRig::new`]; the rig is then as before.
    pub fn relay(
        &mut self,
        flesh: &FleshSettings,
        paints: &[Paint],
        solver: &mut FiberSolver,
    ) -> Result<(), FleshRigError> {
        let covered = &self.covered;
        let map = covered.humanoid.as_ref();
        let bones = flesh.find_bones(&covered.character, map).map_err(FleshRigError::Bones)?;
        let input = covered.input(paints);
        let mut anatomy = self.anatomy.clone();
        anatomy.relay(&input, &AnatomySettings::from(flesh))?;
        let fibres = solve_fibres(&input, &anatomy, &self.shares, flesh, solver, &mut Vec::new())?;
        self.parts = flesh_parts(covered, &anatomy, &fibres, flesh, &bones);
        self.motion = motion_settings(flesh);
        (self.anatomy, self.fibres) = (anatomy, fibres);
        Ok(())
    }

    /// The character that the flesh is in.
    pub fn character(&self) -> &Character {
        &self.covered.character
    }

    /// A body of it, at rest.
    ///
    /// # Errors
    /// Never for a rig that was made.
    pub fn body(&self) -> Result<Flesh, FleshRigError> {
        Ok(Flesh::new(self.parts.clone(), self.motion)?)
    }

    /// How far each vertex of the skin gives way to what presses it, metres.
    pub fn gives_m(&self) -> &[f32] {
        &self.touch.gives_m
    }

    /// What its body is made of.
    pub fn parts(&self) -> &FleshParts {
        &self.parts
    }
}

fn motion_settings(flesh: &FleshSettings) -> MotionSettings {
    MotionSettings {
        dt_secs: (1.0 / flesh.simulation.rate_hz) as f32,
        iterations: flesh.simulation.iterations,
        bulk: (MOST_BULK * flesh.simulation.volume_share) as f32,
        gravity_share: flesh.simulation.gravity_share as f32,
        ..MotionSettings::default()
    }
}

fn solve_fibres(
    input: &AnatomyInput<'_>,
    anatomy: &Anatomy,
    shares: &MuscleShares,
    flesh: &FleshSettings,
    solver: &mut FiberSolver,
    notes: &mut Vec<String>,
) -> Result<FiberField, FieldError> {
    let mut constraints = natural_constraints(input, anatomy, &flesh.fibers);
    let muscle_weight = USUAL_WEIGHT * flesh.fibers.muscle_weight as f32;
    constraints.extend(shares.fiber_constraints().into_iter().map(|known| FiberConstraint {
        place: FiberPlace::Point(known.particle),
        direction: known.direction,
        weight: muscle_weight * known.weight,
    }));
    let strokes = &flesh.fibers.strokes;
    let mut warnings = Vec::new();
    if !strokes.is_empty() {
        constraints.extend(StrokeCanvas::new(input.surface, input.cover).constraints(strokes, &mut warnings));
    }
    let field = solver.solve(&constraints)?;
    notes.extend(warnings.iter().chain(&field.warnings).map(ToString::to_string));
    Ok(field)
}

fn flesh_parts(
    covered: &CoveredCharacter,
    anatomy: &Anatomy,
    fibres: &FiberField,
    flesh: &FleshSettings,
    bones: &[BoneId],
) -> FleshParts {
    let own = |point: usize| {
        let found = bones.iter().rposition(|bone| *bone == anatomy.bone[point]);
        found.map(|at| &flesh.bones[at])
    };
    let (most, backstop) = (flesh.simulation.max_distance_m, flesh.simulation.backstop_m);
    let count = anatomy.point_count();
    let points = covered.cover.mesh.points();
    let towards_bone = |point: usize| {
        let core = anatomy.core[point].map(|core| &anatomy.cores[core as usize]);
        core.map_or(Vec3::ZERO, |core| (core.nearest(points[point]) - points[point]).normalize_or_zero())
    };
    FleshParts {
        mesh: covered.cover.mesh.clone(),
        masses: anatomy.mass_kg.clone(),
        square_speeds: anatomy.square_speed.clone(),
        dampings: (0..count)
            .map(|point| anatomy.damping[point] * own(point).map_or(1.0, |bone| bone.damping as f32))
            .collect(),
        reaches: (0..count)
            .map(|point| {
                own(point).and_then(|bone| bone.max_distance_m).unwrap_or(most) as f32
                    * anatomy.softness[point]
            })
            .collect(),
        backstops: (0..count)
            .map(|point| (towards_bone(point), backstop as f32 * anatomy.softness[point]))
            .collect(),
        is_held: anatomy.is_held.clone(),
        fibers: (0..count)
            .map(|point| match fibres.point_confidence[point] < LEAST_CONFIDENCE {
                true => Vec3::ZERO,
                false => fibres.point_directions[point],
            })
            .collect(),
        gives: anatomy.beta.clone(),
        // What muscles do is in the shape that flesh follows: see `MuscleBulge`.
        muscles: vec![Vec::new(); count],
        muscle_count: 0,
    }
}
