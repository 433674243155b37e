//! Models and poses made of random numbers, for measurements and tests.

use super::VertexKind;
use crate::folded::fold;
use crate::{Folded, JointHead, Method, RestVertex, RotationBlend};
use glam::{Affine3A, Quat, Vec3, Vec4};
use sinew_geometry::Random;
use sinew_rig::{Influences, InfluencesBuilder, Surface};

pub(super) fn unit_vector(random: &mut Random) -> Vec3 {
    random.vector().try_normalize().unwrap_or(Vec3::Y)
}

/// The method of all vertices of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kind {
    pub(super) method: Method,
    /// Share of linear blending in a mixture.
    pub(super) linear: f32,
}

/// A model in a cube of half size 1.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) rest: Surface,
    pub(super) influences: Influences,
    pub(super) bone_count: usize,
    pub(super) kinds: Vec<VertexKind>,
    /// The terms of folded vertices.
    pub(super) folded: Folded,
    /// What they were folded from.
    pub(super) plain: Vec<PlainVertex>,
}

/// What a spherical method of a vertex needs.
#[derive(Clone, Debug, Default)]
pub(super) struct PlainVertex {
    pub(super) methods: Vec<(Method, f32)>,
    pub(super) center: Vec3,
    pub(super) anchors: Vec<Vec3>,
    pub(super) heads: Vec<JointHead>,
}

/// Settings of a synthetic model.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelSettings {
    pub(super) vertex_count: usize,
    pub(super) bone_count: usize,
    /// Influences of a vertex.
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
        let influence_count = settings.influence_count;
        let mut rest = Surface::default();
        let mut influences = InfluencesBuilder::with_capacity(vertex_count, vertex_count * influence_count);
        let (mut kinds, mut plain) = (Vec::with_capacity(vertex_count), Vec::with_capacity(vertex_count));
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
            let bone = |at: usize| (first_bone + (at + turned_by) % influence_count) as u16;
            let bones: Vec<u16> = (0..influence_count).map(bone).collect();
            influences.push(bones.iter().map(|&bone| (bone, random.range(0.05, 1.0))));
            let (vertex_kind, methods) = kind.methods();
            kinds.push(vertex_kind);
            plain.push(PlainVertex { methods, ..PlainVertex::new(&bones, random) });
        }
        let mut model = Self {
            rest,
            influences: influences.build(),
            bone_count,
            kinds,
            folded: Folded::default(),
            plain,
        };
        model.fold();
        model
    }

    /// Folds all vertices anew.
    pub(super) fn fold(&mut self) {
        let (mut folded, mut terms) = (Folded::default(), Vec::new());
        for vertex in 0..self.kinds.len() {
            let methods = self.plain[vertex].methods.iter().copied();
            match fold(methods, |_| self.rest_vertex(vertex), &mut terms) {
                Some((_, linear)) => folded.push(&terms, linear),
                None => folded.push(&[], 0.0),
            }
        }
        self.folded = folded;
    }

    /// A vertex as the plain methods take it.
    pub(super) fn rest_vertex(&self, vertex: usize) -> RestVertex<'_> {
        let (joints, weights) = self.influences.of(vertex);
        let PlainVertex { center, anchors, heads, .. } = &self.plain[vertex];
        RestVertex { position: self.rest.positions[vertex], joints, weights, center: *center, anchors, heads }
    }
}

impl PlainVertex {
    /// Every second joint between two bones is carried by the first of them.
    fn new(bones: &[u16], random: &mut Random) -> Self {
        let mut heads = Vec::new();
        for (at, &bone) in bones.iter().enumerate() {
            let parent = (at % 2 == 0).then_some(bone);
            heads.extend(bones[at + 1..].iter().map(|_| JointHead { rest: random.vector(), parent }));
        }
        let anchors = bones.iter().map(|_| random.vector()).collect();
        Self { methods: Vec::new(), center: random.vector(), anchors, heads }
    }
}

impl Kind {
    pub(super) const fn of(method: Method) -> Self {
        Self { method, linear: 0.0 }
    }

    /// The kernel, and the methods with their shares.
    fn methods(self) -> (VertexKind, Vec<(Method, f32)>) {
        let kind = match self.method {
            Method::Lbs | Method::DeltaMush { .. } => VertexKind::Lbs,
            Method::Dlb => VertexKind::Dlb,
            Method::Sbs { rotation } | Method::Sdef { rotation, .. } | Method::Bezier { rotation, .. } => {
                VertexKind::Folded(rotation)
            }
            Method::Cor => VertexKind::Folded(RotationBlend::Nlerp),
        };
        let own = (self.method, 1.0 - self.linear);
        (kind, if self.linear > 0.0 { vec![(Method::Lbs, self.linear), own] } else { vec![own] })
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

/// As [`rigid_pose`], with bones turned by at most `most_rad` from a common rotation. The mean of several is unique up to π/2.
pub(super) fn near_pose(bone_count: usize, most_rad: f32, random: &mut Random) -> Vec<Affine3A> {
    let mut pose = rigid_pose(bone_count, random);
    let common = Quat::from_mat3a(&pose[0].matrix3);
    for bone in &mut pose {
        let turn = Quat::from_axis_angle(unit_vector(random), random.range(-most_rad, most_rad));
        bone.matrix3 = glam::Mat3A::from_quat(common * turn);
    }
    pose
}

/// A pose scaled, sheared and, every seventh bone, mirrored.
#[cfg(test)]
pub(super) fn stretched(mut pose: Vec<Affine3A>, random: &mut Random) -> Vec<Affine3A> {
    use glam::{Mat3A, Vec3A};
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
