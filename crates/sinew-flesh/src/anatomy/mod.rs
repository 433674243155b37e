//! What lies where inside a character: bones, layers, weights of what is inside.
//!
//! After \[Iwamoto15\] in that a body is laid out in layers from bone to skin and only the bone layer is posed; how layers are found
//! is our own. An [`Anatomy`] is made once from a [`Character`] at rest and a [`Cover`] of its surface:
//!
//! 1. `weights`: the skin's weights are carried inwards to all points of the tetrahedra.
//! 2. `cores`: bones become segments inside the flesh.
//! 3. `depth`: each point finds its bone, its distance to it and to the skin, and its depth between both.
//! 4. `softness`, `paint`, `layers`: depth becomes layers, by thickness, by bone and as painted.
//!
//! Influences name bones, each once ([`Anatomy::joints`]), not entries of the surface's palette: entries of one bone
//! differ by the rest space of their mesh, and points have one rest space, the model at rest.
//!
//! Limits: depth is measured along straight lines, so that flesh between two bones (the palm, the pelvis) has two; organs are flesh like any other.

mod cores;
mod depth;
mod error;
mod layers;
mod mass;
mod named_bones;
pub(crate) mod nearest_skin;
mod paint;
mod particles;
mod settings;
mod softness;
#[cfg(test)]
mod tests;
mod weights;

pub use cores::BoneCore;
pub use error::{AnatomyError, AnatomyWarning};
pub use paint::{Paint, PaintTarget};
pub use settings::AnatomySettings;

use crate::config::BoneSettings;
use crate::field::Locator;
use depth::{Surroundings, samples};
use glam::{Affine3A, Vec3};
use layers::{Layering, Makeup};
use paint::Coat;
use sinew_geometry::{Cover, TriangleMesh, WindingField};
use sinew_rig::{BoneId, BoundSurface, Character, HumanoidMap, Influences, Pose};
use weights::{Inwards, Joints, carry_weights};

/// What an anatomy is made from; all of one character at rest.
#[derive(Clone, Copy, Debug)]
pub struct AnatomyInput<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its meshes as one list.
    pub bound: &'a BoundSurface,
    /// The same list as one surface, posed at rest, model space, meters.
    pub surface: &'a TriangleMesh,
    /// Tetrahedra around that surface.
    pub cover: &'a Cover,
    /// Which bones are those of a human, if it is one.
    pub humanoid: Option<&'a HumanoidMap>,
    /// What is painted on the surface; later ones over earlier ones.
    pub paints: &'a [Paint],
}

/// What lies where. Lists are one per point of the tetrahedra unless their text says otherwise; lengths in meters, model at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Anatomy {
    /// The bones that influences name.
    pub joints: Vec<BoneId>,
    /// Which joints move each point: at least one, weights above 0 that sum to 1, the heaviest first.
    pub influences: Influences,
    /// The bones' bodies, in the order of bones; a bone may have several.
    pub cores: Vec<BoneCore>,
    /// The nearest of `cores`, by distance and weights; `None` in a part without any.
    pub core: Vec<Option<u32>>,
    /// The bone of that core, or else the heaviest of the point.
    pub bone: Vec<BoneId>,
    /// Distance to the axis of the core; 0 without core.
    pub bone_distance_m: Vec<f32>,
    /// Distance to the skin; negative for points outside it, which tetrahedra at the skin have.
    pub skin_distance_m: Vec<f32>,
    /// How thick the flesh is there, from the bone's axis to the skin; smooth.
    pub thickness_m: Vec<f32>,
    /// From 0 at the bone to 1 at the skin; smooth.
    pub depth: Vec<f32>,
    /// How many layers there are.
    pub layer_count: usize,
    /// Shares of layers, `layer_count` for each point; they sum to 1.
    pub layer_mix: Vec<f32>,
    /// The layer with the largest share.
    pub layer: Vec<usize>,
    /// How far the flesh may be flesh, 0 to 1, after thin parts are taken out.
    pub softness: Vec<f32>,
    /// Young's modulus over density, m²/s²: the square of the speed of sound.
    pub square_speed: Vec<f32>,
    /// How much fibers count, 0 to 1.
    pub beta: Vec<f32>,
    /// Rate at which motion dies out, 1/s.
    pub damping: Vec<f32>,
    /// A quarter of the mass of what lies inside the skin of each tetrahedron of the point, kilograms; above 0 for points that have any.
    pub mass_kg: Vec<f32>,
    /// Whether the point is posed by the rig. Every tetrahedron that a core goes through has two such corners.
    pub is_held: Vec<bool>,
    /// Triangles of the surface that are its skin: those that do not lie inside other shells.
    pub skin_triangles: Vec<u32>,
    /// What was settled without asking.
    pub warnings: Vec<AnatomyWarning>,
}

impl Anatomy {
    /// Finds out what lies where.
    ///
    /// # Errors
    /// If lists do not belong together, there are no tetrahedra or no bones, or a setting or painted number is out of its range.
    ///
    /// # Degenerate input
    /// Open and crossing shells have an inside by their winding number. Parts without a bone in them are held as a whole, bones outside have no core, bones of
    /// no length are points: each is told in [`Anatomy::warnings`].
    pub fn new(input: &AnatomyInput<'_>, settings: &AnatomySettings) -> Result<Self, AnatomyError> {
        check(input)?;
        let of_bones = settings.of_bones(input)?;
        let mut warnings = Vec::new();
        let model_from_bone = rest_model_from_bone(input.character);
        let winding = WindingField::new(input.surface);
        let inwards = Inwards::new(input)?;
        if inwards.flat_tets() > 0 {
            warnings.push(AnatomyWarning::FlatTets { tets: inwards.flat_tets() });
        }
        let joints = Joints::new(input, &model_from_bone, &mut warnings);
        if joints.bones.is_empty() {
            return Err(AnatomyError::NoBones);
        }
        // The joint whose head is nearest; the first where there is none with a place.
        let nearest_joint = |point: usize| {
            let position = input.cover.mesh.points()[point];
            let head = |bone: &BoneId| Vec3::from(model_from_bone[bone.index()].translation);
            let far = joints.bones.iter().map(|bone| head(bone).distance(position)).zip(0..);
            far.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, joint)| joint)
        };
        let most = settings.most_influences;
        let influences = carry_weights(&inwards, &joints, most, nearest_joint, &mut warnings)?;
        let cores = cores::find(input, &of_bones, &model_from_bone, &winding, &mut warnings);
        let locator = Locator::new(&input.cover.mesh);
        let around = Surroundings {
            input,
            settings,
            cores: &cores,
            winding: &winding,
            locator: &locator,
            joints: &joints.bones,
        };
        let places = around.places(&influences)?;
        let coats = coats(input, &inwards, settings)?;
        let heaviest = |point: usize| joints.bones[usize::from(influences.of(point).0[0])];
        let bone_of = |(point, core): (usize, &Option<u32>)| {
            core.map_or_else(|| heaviest(point), |core| cores[core as usize].bone)
        };
        let mut anatomy = Self {
            bone: places.core.iter().enumerate().map(bone_of).collect(),
            joints: joints.bones,
            influences,
            cores,
            core: places.core,
            bone_distance_m: places.bone_distance_m,
            skin_distance_m: places.skin_distance_m,
            thickness_m: places.thickness_m,
            depth: places.depth,
            layer_count: 0,
            layer_mix: Vec::new(),
            layer: Vec::new(),
            softness: Vec::new(),
            square_speed: Vec::new(),
            beta: Vec::new(),
            damping: Vec::new(),
            mass_kg: Vec::new(),
            is_held: Vec::new(),
            skin_triangles: places.skin_triangles,
            warnings,
        };
        anatomy.lay(input, settings, &of_bones, &coats, &locator);
        anatomy.set_radii(settings.core_share);
        anatomy.warn_of_parts(input);
        Ok(anatomy)
    }

    /// Lays the layers of settings over the places.
    fn lay(
        &mut self,
        input: &AnatomyInput<'_>,
        settings: &AnatomySettings,
        of_bones: &[Option<&BoneSettings>],
        coats: &[Coat],
        locator: &Locator,
    ) {
        let makeup = Layering {
            settings,
            of_bones,
            joints: &self.joints,
            influences: &self.influences,
            depth: &self.depth,
            thickness_m: &self.thickness_m,
            coats,
            softness: &softness::of_bones(input, settings, of_bones),
            most_softness: &softness::by_thickness(input, settings, &self.thickness_m),
        }
        .lay();
        self.is_held = self.held(input, locator, &makeup);
        self.square_speed = makeup.square_speeds();
        self.mass_kg = makeup.masses_kg(&mass::inner_volumes(&input.cover.mesh, &self.skin_distance_m));
        self.layer_count = settings.layers.len();
        self.layer_mix = makeup.mix;
        self.layer = makeup.layer;
        self.softness = makeup.softness;
        self.beta = makeup.beta;
        self.damping = makeup.damping;
    }

    /// Which points are held: those whose layers say so, those of parts without a core, and, of each tetrahedron that a core goes through,
    /// the corners nearest to it. Without these, flesh thinner than a spacing would hang from nothing.
    fn held(&self, input: &AnatomyInput<'_>, locator: &Locator, makeup: &Makeup) -> Vec<bool> {
        let mesh = &input.cover.mesh;
        let mut is_held = makeup.is_held.clone();
        self.core.iter().zip(&mut is_held).for_each(|(core, is_held)| *is_held |= core.is_none());
        for core in &self.cores {
            let distance = |corner: &u32| core.axis_distance(mesh.points()[*corner as usize]);
            for place in samples(core, input.cover.spacing) {
                for (tet, _) in locator.holding(mesh, place) {
                    let mut corners = mesh.tets()[tet as usize];
                    corners.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
                    corners[..HELD_CORNERS].iter().for_each(|&corner| is_held[corner as usize] = true);
                }
            }
        }
        is_held
    }

    /// Lays other layers over the same places, many times faster than a new anatomy. What says where bones and points are stays as it
    /// was made: `most_influences`, `core_share`, `has_core` of bones, and the warnings.
    ///
    /// # Errors
    /// If a setting or painted number is out of its range; the anatomy is then as before.
    ///
    /// # Panics
    /// If the anatomy was made from other input.
    pub fn relay(
        &mut self,
        input: &AnatomyInput<'_>,
        settings: &AnatomySettings,
    ) -> Result<(), AnatomyError> {
        assert_eq!(self.point_count(), input.cover.mesh.points().len(), "an anatomy of these tetrahedra");
        let of_bones = settings.of_bones(input)?;
        let coats =
            if input.paints.is_empty() { Vec::new() } else { coats(input, &Inwards::new(input)?, settings)? };
        self.lay(input, settings, &of_bones, &coats, &Locator::new(&input.cover.mesh));
        Ok(())
    }

    /// The mean over a core's points of the share of flesh that it takes.
    fn set_radii(&mut self, core_share: f32) {
        let mut sums = vec![(0.0, 0.0); self.cores.len()];
        for (core, thickness) in self.core.iter().zip(&self.thickness_m) {
            if let Some(core) = core {
                sums[*core as usize].0 += f64::from(*thickness);
                sums[*core as usize].1 += 1.0;
            }
        }
        for (core, (sum, count)) in self.cores.iter_mut().zip(sums) {
            core.radius_m = core_share * (sum / f64::max(count, 1.0)) as f32;
        }
    }

    fn warn_of_parts(&mut self, input: &AnatomyInput<'_>) {
        let mesh = &input.cover.mesh;
        let mut points_of_part = vec![Vec::new(); mesh.component_count()];
        let mut is_listed = vec![false; mesh.points().len()];
        for (tet, part) in mesh.tets().iter().zip(mesh.components()) {
            for &corner in tet {
                if !std::mem::replace(&mut is_listed[corner as usize], true) {
                    points_of_part[part as usize].push(corner);
                }
            }
        }
        let is_boneless =
            |points: &&Vec<u32>| points.iter().all(|&point| self.core[point as usize].is_none());
        for points in points_of_part.iter().filter(is_boneless) {
            self.warnings.push(AnatomyWarning::PartWithoutBone { point: points[0], points: points.len() });
        }
        if self.is_held.iter().all(|is_held| *is_held) {
            self.warnings.push(AnatomyWarning::NothingMoves);
        }
    }

    /// The shares of a point's layers, from the bone outwards.
    pub fn mix_of(&self, point: usize) -> &[f32] {
        &self.layer_mix[point * self.layer_count..][..self.layer_count]
    }

    /// How many points there are.
    pub fn point_count(&self) -> usize {
        self.depth.len()
    }
}

fn check(input: &AnatomyInput<'_>) -> Result<(), AnatomyError> {
    let expected = input.bound.vertex_count();
    let lists = [
        ("the surface", input.surface.positions.len()),
        ("the tetrahedra's embedding", input.cover.embedding.tets().len()),
    ];
    if let Some((what, found)) = lists.into_iter().find(|&(_, found)| found != expected) {
        return Err(AnatomyError::Length { what: what.into(), expected, found });
    }
    let past_end = |triangle: &[u32; 3]| triangle.iter().copied().find(|&vertex| vertex as usize >= expected);
    let broken = input.surface.triangles.iter().enumerate().find_map(|(at, t)| Some((at, past_end(t)?)));
    if let Some((triangle, vertex)) = broken {
        return Err(AnatomyError::Triangle { triangle, vertex, vertex_count: expected });
    }
    if input.cover.mesh.tets().is_empty() { Err(AnatomyError::NoTets) } else { Ok(()) }
}

/// What is painted, carried inwards.
fn coats(
    input: &AnatomyInput<'_>,
    inwards: &Inwards<'_>,
    settings: &AnatomySettings,
) -> Result<Vec<Coat>, AnatomyError> {
    let (vertices, layers) = (input.bound.vertex_count(), settings.layers.len());
    input.paints.iter().map(|paint| paint::carry(inwards, paint, vertices, layers)).collect()
}

/// Model from bone at rest, after the character's own logic.
fn rest_model_from_bone(character: &Character) -> Vec<Affine3A> {
    let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    Pose::rest(character).model_from_bone_into(character, &mut model_from_bone);
    model_from_bone
}

/// Corners of each tetrahedron that a core goes through that are held at least. One would put all held points of a limb on a line, and
/// a turn about it would not reach the flesh.
const HELD_CORNERS: usize = 2;
