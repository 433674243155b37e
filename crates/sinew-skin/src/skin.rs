//! The deformer that mixes all methods in one model.

use crate::anchors::{Anchors, SoftRanges};
use crate::authored;
use crate::bezier_forms;
use crate::blocks::{self, Block};
use crate::mix::Mixes;
use crate::morph_centers::CenterShifts;
use crate::palette_joints::PaletteJoints;
use crate::{
    BoneFrame, DeltaMush, FastSkin, Method, MovedVertex, RestVertex, SkinSettings, bezier, cor, dlb, lbs,
    sbs, sdef,
};
use glam::{Affine3A, Mat3A, Vec3, Vec4};
use sinew_geometry::normal_from_rest;
use sinew_rig::{BoundSurface, Character, Deformer, Influences, Surface, SurfaceMut, Workspace};

/// A character's surface bound to its methods, vertex by vertex: the plain form that every fast path is compared with.
#[derive(Clone, Debug)]
pub struct Skin {
    pub(crate) influences: Influences,
    pub(crate) palette_len: usize,
    pub(crate) mixes: Mixes,
    /// For the spherical methods; empty if none is used.
    pub(crate) anchors: Anchors,
    /// Shifts of centers by morphs.
    pub(crate) center_shifts: CenterShifts,
    /// For [`Method::Cor`]; empty if not used.
    rotation_centers: Vec<Vec3>,
}

/// Binds a surface with settings.
pub fn bind(character: &Character, bound: &BoundSurface, settings: &SkinSettings) -> Box<dyn Deformer> {
    let skin = Skin::bind(character, bound, settings);
    match settings.method {
        Method::DeltaMush { iterations } => Box::new(DeltaMush::bind(skin, bound, iterations)),
        _ => Box::new(FastSkin::over(skin, bound)),
    }
}

impl Skin {
    /// Binds a surface. Cannot fail: the surface was checked with its character.
    pub fn bind(character: &Character, bound: &BoundSurface, settings: &SkinSettings) -> Self {
        let joints = PaletteJoints::of(character, bound);
        let mixes = Mixes::of(character, bound, &joints, settings);
        let is_spherical = |method: &Method| {
            matches!(method, Method::Sbs { .. } | Method::Sdef { .. } | Method::Bezier { .. })
        };
        let derive = || {
            let mut given = given_ranges(character, bound, &joints, settings);
            let mut authored = authored::spherical(character, bound);
            bezier_forms::unfold(character, bound, &joints, settings, (&mut given, &mut authored));
            Anchors::derive(&joints, bound, &given, &authored)
        };
        let anchors = if mixes.has(is_spherical) { derive() } else { Anchors::default() };
        let has_cor = mixes.has(|method| *method == Method::Cor);
        Self {
            influences: bound.influences().clone(),
            palette_len: bound.palette().len(),
            center_shifts: CenterShifts::new(&anchors, bound, settings.morph_centers),
            anchors,
            rotation_centers: if has_cor { cor::centers(bound) } else { Vec::new() },
            mixes,
        }
    }

    /// Moves one vertex and writes it to its place in `block`.
    pub(crate) fn write_vertex(
        &self,
        vertex: usize,
        rest: &Surface,
        bones: &[BoneFrame],
        block: &mut Block<'_>,
    ) {
        let at = vertex - block.first;
        let moved = self.move_vertex(vertex, rest.positions[vertex], bones);
        block.posed.positions[at] = moved.position;
        if let Some(normal) = block.posed.normals.get_mut(at) {
            *normal = posed_normal(&moved.map, rest.normals[vertex]);
        }
        if let Some(tangent) = block.posed.tangents.get_mut(at) {
            *tangent = posed_tangent(&moved.map, rest.tangents[vertex]);
        }
    }

    /// Moves one vertex by all of its methods.
    pub(crate) fn move_vertex(&self, vertex: usize, position: Vec3, bones: &[BoneFrame]) -> MovedVertex {
        let mut sum = MovedVertex { position: Vec3::ZERO, map: Mat3A::ZERO };
        for (method, share) in self.mixes.of_vertex(vertex) {
            let moved = self.move_by(method, vertex, position, bones);
            if share == 1.0 {
                return moved;
            }
            sum.position += moved.position * share;
            sum.map += moved.map * share;
        }
        sum
    }

    /// A vertex as a method has it.
    pub(crate) fn rest_vertex(&self, method: Method, vertex: usize, position: Vec3) -> RestVertex<'_> {
        let (joints, weights) = self.influences.of(vertex);
        let mut rest = RestVertex { position, joints, weights, center: position, anchors: &[], heads: &[] };
        match method {
            Method::Sbs { .. } | Method::Sdef { .. } | Method::Bezier { .. } => {
                (rest.center, rest.anchors, rest.heads) = self.anchors.of(vertex);
                rest.center += self.center_shifts.of(vertex, position);
            }
            Method::Cor => rest.center = self.rotation_centers[vertex],
            Method::Lbs | Method::Dlb | Method::DeltaMush { .. } => {}
        }
        rest
    }

    fn move_by(&self, method: Method, vertex: usize, position: Vec3, bones: &[BoneFrame]) -> MovedVertex {
        let rest = self.rest_vertex(method, vertex, position);
        match method {
            Method::Lbs | Method::DeltaMush { .. } => lbs::move_vertex(&rest, bones),
            Method::Sbs { rotation } => sbs::move_vertex(&rest, bones, rotation),
            Method::Sdef { s, rotation } => sdef::move_vertex(&rest, bones, s, rotation),
            Method::Bezier { rotation, form } => bezier::move_vertex(&rest, bones, rotation, form),
            Method::Dlb => dlb::move_vertex(&rest, bones),
            Method::Cor => cor::move_vertex(&rest, bones),
        }
    }
}

impl Deformer for Skin {
    fn vertex_count(&self) -> usize {
        self.influences.vertex_count()
    }

    fn workspace(&self) -> Workspace {
        Workspace::new(vec![BoneFrame::IDENTITY; self.palette_len])
    }

    fn deform(
        &self,
        workspace: &mut Workspace,
        posed_from_rest: &[Affine3A],
        rest: &Surface,
        posed: SurfaceMut<'_>,
    ) {
        assert_eq!(posed_from_rest.len(), self.palette_len, "one skinning matrix per palette entry");
        posed.assert_fits(rest, self.vertex_count());
        let bones: &mut Vec<BoneFrame> = workspace.get();
        bones.iter_mut().zip(posed_from_rest).for_each(|(bone, matrix)| *bone = BoneFrame::new(matrix));
        let bones: &[BoneFrame] = bones;
        blocks::for_each(posed, |mut block: Block<'_>| {
            for vertex in block.first..block.first + block.posed.positions.len() {
                self.write_vertex(vertex, rest, bones, &mut block);
            }
        });
    }
}

/// The soft ranges set by hand, by the palette entries of parent and child.
pub(crate) fn given_ranges(
    character: &Character,
    bound: &BoundSurface,
    joints: &PaletteJoints,
    settings: &SkinSettings,
) -> SoftRanges {
    let mut given = SoftRanges::new();
    for (entry, palette_entry) in bound.palette().iter().enumerate() {
        let range = settings.range_of_joint(&character.skeleton().bone(palette_entry.bone).name);
        if let (Some(range), Some(parent)) = (range, joints.bone(entry as u16).parent) {
            given.insert((parent, entry as u16), range);
        }
    }
    given
}

/// The unit normal under a linear map; the rest normal if the map flattens it.
fn posed_normal(map: &Mat3A, rest: Vec3) -> Vec3 {
    (normal_from_rest(map) * rest).try_normalize().unwrap_or(rest)
}

/// The unit tangent under a linear map, with the bitangent's sign flipped if the map mirrors.
fn posed_tangent(map: &Mat3A, rest: Vec4) -> Vec4 {
    let direction = (*map * rest.truncate()).try_normalize().unwrap_or(rest.truncate());
    let handedness = if map.determinant() < 0.0 { -rest.w } else { rest.w };
    direction.extend(handedness)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_tangents_turn_their_bitangent() {
        let mirror = Mat3A::from_diagonal(Vec3::new(-1.0, 1.0, 1.0));
        assert_eq!(posed_tangent(&mirror, Vec4::new(0.0, 1.0, 0.0, 1.0)), Vec4::new(0.0, 1.0, 0.0, -1.0));
    }
}
