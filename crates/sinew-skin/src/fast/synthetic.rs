//! Models and poses made of random numbers, for measurements and tests.

use super::VertexKind;
use glam::{Affine3A, Quat, Vec3, Vec4};
use sinew_geometry::Random;
use sinew_rig::{Influences, InfluencesBuilder, Surface};

pub(super) fn unit_vector(random: &mut Random) -> Vec3 {
    random.vector().try_normalize().unwrap_or(Vec3::Y)
}

/// The method of all vertices of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Lbs,
    Dlb,
    Sdef,
}

/// A model in a cube of half size 1.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) rest: Surface,
    pub(super) influences: Influences,
    pub(super) bone_count: usize,
    pub(super) kinds: Vec<VertexKind>,
}

/// Settings of a synthetic model.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelSettings {
    pub(super) vertex_count: usize,
    pub(super) bone_count: usize,
    /// Influences of a vertex; SBS+ vertices have two.
    pub(super) influence_count: usize,
    pub(super) kind: Kind,
    /// Vertices lie in memory as they come along the skeleton, as in real meshes; else at random.
    pub(super) is_coherent: bool,
    pub(super) has_tangents: bool,
}

impl Model {
    /// Vertices along the skeleton, each moved by some neighboring bones with random weights.
    pub(super) fn new(settings: &ModelSettings, random: &mut Random) -> Self {
        let &ModelSettings { vertex_count, bone_count, kind, .. } = settings;
        let influence_count = if kind == Kind::Sdef { 2 } else { settings.influence_count };
        let mut rest = Surface::default();
        let mut influences = InfluencesBuilder::with_capacity(vertex_count, vertex_count * influence_count);
        let mut kinds = Vec::with_capacity(vertex_count);
        for vertex in 0..vertex_count {
            rest.positions.push(random.vector());
            rest.normals.push(unit_vector(random));
            if settings.has_tangents {
                let sign = if random.below(2) == 0 { -1.0 } else { 1.0 };
                rest.tangents.push(unit_vector(random).extend(sign));
            }
            let along = if settings.is_coherent { vertex } else { random.below(vertex_count) };
            let first_bone = along * (bone_count - influence_count) / vertex_count;
            // Bones in the order of a file, which is any.
            let turned_by = random.below(influence_count);
            influences.push((0..influence_count).map(|at| {
                let bone = first_bone + (at + turned_by) % influence_count;
                (bone as u16, random.range(0.05, 1.0))
            }));
            kinds.push(match kind {
                Kind::Lbs => VertexKind::Lbs,
                Kind::Dlb => VertexKind::Dlb,
                Kind::Sdef => VertexKind::Sdef { center: random.vector(), range: random.vector(), s: 0.5 },
            });
        }
        Self { rest, influences: influences.build(), bone_count, kinds }
    }
}

/// Any rotation and a translation of up to 1 for each bone.
pub(super) fn rigid_pose(bone_count: usize, random: &mut Random) -> Vec<Affine3A> {
    let mut bone = || {
        let four = Vec4::from((random.vector(), random.range(-1.0, 1.0)));
        let rotation = Quat::from_vec4(four.try_normalize().unwrap_or(Vec4::W));
        Affine3A::from_rotation_translation(rotation, random.vector())
    };
    (0..bone_count).map(|_| bone()).collect()
}

/// As [`rigid_pose`], scaled, sheared and, every seventh bone, mirrored.
#[cfg(test)]
pub(super) fn stretched_pose(bone_count: usize, random: &mut Random) -> Vec<Affine3A> {
    use glam::{Mat3A, Vec3A};
    let mut pose = rigid_pose(bone_count, random);
    for (at, bone) in pose.iter_mut().enumerate() {
        let mut shear = Mat3A::IDENTITY;
        shear.y_axis.x = random.range(-0.4, 0.4);
        shear.z_axis.y = random.range(-0.4, 0.4);
        let mut scale = Vec3A::new(random.range(0.5, 2.0), random.range(0.5, 2.0), random.range(0.5, 2.0));
        if at % 7 == 3 {
            scale.x = -scale.x;
        }
        bone.matrix3 = bone.matrix3 * shear * Mat3A::from_diagonal(scale.into());
    }
    pose
}
