//! How deep a point lies between bone and skin.
//!
//! With a the distance to the nearest core's axis and s that to the skin, t = a + s is how thick the flesh is there, and
//!
//! depth = (a / t − ρ) / (1 − ρ), held between 0 and 1,
//!
//! where ρ is the cores' share of the flesh. Points of the tetrahedra outside the skin have depth 1 and t = a − s. Both fields are
//! then smoothed over the tetrahedra, because the nearest bone changes from one point to the next.

use super::nearest_skin::Skin;
use super::{AnatomyInput, AnatomySettings, BoneCore};
use crate::field::{FieldError, FieldSolver, Laplacian, Locator, parts_of_points};
use sinew_geometry::WindingField;
use sinew_rig::{BoneId, Influences};

/// How far smoothing reaches, as a share of the spacing. The square of it is the time of a diffusion; above 0.5 thin limbs lose
/// their bones, whose points have neighbors on the skin only.
const SMOOTHING: f64 = 0.2;

/// What is known of each point's place; lists of one per point.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The nearest core; `None` in a part without any.
    pub(super) core: Vec<Option<u32>>,
    pub(super) bone_distance_m: Vec<f32>,
    /// Negative outside.
    pub(super) skin_distance_m: Vec<f32>,
    pub(super) thickness_m: Vec<f32>,
    pub(super) depth: Vec<f32>,
    /// Triangles of the surface that face the outside.
    pub(super) skin_triangles: Vec<u32>,
}

/// What the search goes through.
pub(super) struct Surroundings<'a> {
    pub(super) input: &'a AnatomyInput<'a>,
    pub(super) settings: &'a AnatomySettings,
    pub(super) cores: &'a [BoneCore],
    pub(super) winding: &'a WindingField,
    pub(super) locator: &'a Locator,
    /// Bones that influences name.
    pub(super) joints: &'a [BoneId],
}

impl Surroundings<'_> {
    /// Finds all of it.
    pub(super) fn places(&self, influences: &Influences) -> Result<Places, FieldError> {
        let mesh = &self.input.cover.mesh;
        let skin = Skin::new(self.input.surface, self.winding);
        let kin = Kin::new(self);
        let (part_of_point, part_count) = parts_of_points(mesh);
        let cores_in_part = self.cores_in_part(&part_of_point, part_count);
        let mut places = Places::default();
        for (point, &position) in mesh.points().iter().enumerate() {
            let in_part = &cores_in_part[part_of_point[point]];
            let core = kin.nearest_core(self, influences.of(point), point, in_part);
            let bone_distance = core.map_or(0.0, |core| self.cores[core as usize].axis_distance(position));
            let is_inside = self.winding.is_inside(position.as_dvec3());
            let distance = skin.nearest(position).map_or(0.0, |nearest| nearest.distance);
            let skin_distance = if is_inside { distance } else { -distance };
            let thickness = (bone_distance + skin_distance).max(0.0);
            let share = if !is_inside { 1.0 } else { bone_distance / thickness.max(f32::MIN_POSITIVE) };
            let core_share = self.settings.core_share;
            let depth = ((share - core_share) / (1.0 - core_share)).clamp(0.0, 1.0);
            places.depth.push(if core.is_some() { depth } else { 0.0 });
            places.core.push(core);
            places.bone_distance_m.push(bone_distance);
            places.skin_distance_m.push(skin_distance);
            places.thickness_m.push(thickness);
        }
        places.skin_triangles = skin.triangles;
        self.smooth(&mut places)?;
        Ok(places)
    }

    /// One step of diffusion, (M + τ L) f = M f₀ with M the volume of each point.
    fn smooth(&self, places: &mut Places) -> Result<(), FieldError> {
        let mesh = &self.input.cover.mesh;
        let time = (SMOOTHING * f64::from(self.input.cover.spacing)).powi(2);
        let strengths: Vec<f64> = point_volumes(mesh).iter().map(|volume| volume / time).collect();
        let mut solver = FieldSolver::new(Laplacian::new(mesh))?;
        solver.set_strengths(&strengths)?;
        let known = |values: &[f32]| -> Vec<f64> {
            values.iter().zip(&strengths).map(|(&value, strength)| f64::from(value) * strength).collect()
        };
        let mut fields = known(&places.depth);
        fields.extend(known(&places.thickness_m));
        solver.solve(&mut fields, 2)?;
        let (depth, thickness) = fields.split_at(mesh.points().len());
        for (point, &strength) in strengths.iter().enumerate() {
            // Points without volume have no neighbors to be smoothed with.
            if strength > 0.0 {
                places.depth[point] = (depth[point] as f32).clamp(0.0, 1.0);
                places.thickness_m[point] = (thickness[point] as f32).max(0.0);
            }
        }
        Ok(())
    }

    /// The cores that go through each part.
    fn cores_in_part(&self, part_of_point: &[usize], part_count: usize) -> Vec<Vec<u32>> {
        let mesh = &self.input.cover.mesh;
        let mut cores_in_part = vec![Vec::new(); part_count];
        for (at, core) in self.cores.iter().enumerate() {
            for place in samples(core, self.input.cover.spacing) {
                for (tet, _) in self.locator.holding(mesh, place) {
                    let part = part_of_point[mesh.tets()[tet as usize][0] as usize];
                    let cores: &mut Vec<u32> = &mut cores_in_part[part];
                    if cores.last() != Some(&(at as u32)) {
                        cores.push(at as u32);
                    }
                }
            }
        }
        cores_in_part
    }
}

/// Places along a core, half a spacing apart or closer.
pub(super) fn samples(core: &BoneCore, spacing: f32) -> impl Iterator<Item = glam::Vec3> {
    let (start, end) = (core.start, core.end);
    let steps = (2.0 * start.distance(end) / spacing).ceil().clamp(1.0, 1e4) as usize;
    (0..=steps).map(move |step| start.lerp(end, step as f32 / steps as f32))
}

/// A quarter of the volume of each tetrahedron that a point has, cubic meters.
fn point_volumes(mesh: &sinew_geometry::TetMesh) -> Vec<f64> {
    let mut volumes = vec![0.0; mesh.points().len()];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        let quarter = mesh.tet_volume(tet) / 4.0;
        corners.iter().for_each(|&corner| volumes[corner as usize] += quarter);
    }
    volumes
}

/// Which cores may be a point's: those of the bones that move it, and of their nearest kin that have any.
struct Kin {
    /// By bone: cores of its own, or else of the nearest ancestor that has any; then those of the parent and of children.
    cores: Vec<Vec<u32>>,
}

impl Kin {
    fn new(around: &Surroundings<'_>) -> Self {
        let skeleton = around.input.character.skeleton();
        let mut own = vec![Vec::new(); skeleton.bone_count()];
        for (at, core) in around.cores.iter().enumerate() {
            own[core.bone.index()].push(at as u32);
        }
        let nearest_up = |bone: BoneId| {
            let mut up = Some(bone);
            std::iter::from_fn(|| {
                let here = up?;
                up = skeleton.bone(here).parent;
                Some(here)
            })
            .find(|bone| !own[bone.index()].is_empty())
        };
        // What each bone stands for: itself, or the ancestor that has a core.
        let stands_for: Vec<Option<BoneId>> =
            (0..skeleton.bone_count()).map(|at| nearest_up(BoneId::of(at))).collect();
        let parent_with_core =
            |bone: BoneId| skeleton.bone(bone).parent.and_then(|parent| stands_for[parent.index()]);
        let mut cores = own.clone();
        for bone in (0..skeleton.bone_count()).map(BoneId::of).filter(|bone| !own[bone.index()].is_empty()) {
            if let Some(parent) = parent_with_core(bone) {
                cores[bone.index()].extend(&own[parent.index()]);
                cores[parent.index()].extend(&own[bone.index()]);
            }
        }
        let cores = stands_for
            .iter()
            .map(|bone| bone.map_or(Vec::new(), |bone| cores[bone.index()].clone()))
            .collect();
        Self { cores }
    }

    /// The nearest core: of kin where one is in the point's part, or else of any in the part. Distance counts up to twice for
    /// bones that move the point little.
    fn nearest_core(
        &self,
        around: &Surroundings<'_>,
        (joints, weights): (&[u16], &[f32]),
        point: usize,
        in_part: &[u32],
    ) -> Option<u32> {
        let position = around.input.cover.mesh.points()[point];
        let bones = || joints.iter().map(|&joint| around.joints[usize::from(joint)]);
        let weight_of =
            |bone: BoneId| bones().zip(weights).filter(|(of, _)| *of == bone).map(|(_, weight)| weight).sum();
        let far = |core: &u32| {
            let core = &around.cores[*core as usize];
            let weight: f32 = weight_of(core.bone);
            core.axis_distance(position) * (2.0 - weight)
        };
        let nearest = |candidates: &mut dyn Iterator<Item = u32>| {
            candidates.min_by(|a, b| far(a).total_cmp(&far(b)).then(a.cmp(b)))
        };
        let mut of_kin = bones().flat_map(|bone| self.cores[bone.index()].iter().copied());
        nearest(&mut of_kin.by_ref().filter(|core| in_part.binary_search(core).is_ok()))
            .or_else(|| nearest(&mut in_part.iter().copied()))
    }
}
