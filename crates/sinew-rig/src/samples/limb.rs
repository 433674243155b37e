//! A two-bone limb.

use crate::{
    Bind, BindId, Bone, BoneId, Channel, Character, CharacterParts, Clip, InfluencesBuilder, Instance,
    LocalTransform, Material, MaterialId, Mesh, MeshId, Track,
};
use glam::{Affine3A, Quat, Vec3, Vec4};
use sinew_geometry::{Trs, shapes};

/// Length of each of the two bones, m.
const BONE_LENGTH_M: f32 = 0.3;
/// Radius of the limb, m.
const RADIUS_M: f32 = 0.06;
/// Half the length over which the weights change, m.
const SOFT_HALF_M: f32 = 0.08;

/// A limb of two bones, "upper" and "lower", upright from the origin, with "end" at its tip; capped, `sides` around and
/// `rows` along, weights linear over 16 cm around the joint. Its clip "bend" bends the lower bone by 90° and back in 2 s.
///
/// # Panics
/// If there are fewer than three sides or no row.
pub fn limb(sides: u32, rows: u32) -> Character {
    let length = 2.0 * BONE_LENGTH_M;
    // Caps as fine as the sides.
    let shape = shapes::capsule(length, RADIUS_M, sides, rows, (sides / 4).max(1));
    let mut mesh = Mesh::from_triangles("limb", shape, Some(MaterialId(0)));
    let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 2 * mesh.vertex_count());
    for position in &mesh.positions {
        let lower = ((position.y - BONE_LENGTH_M + SOFT_HALF_M) / (2.0 * SOFT_HALF_M)).clamp(0.0, 1.0);
        influences.push([(0, 1.0 - lower), (1, lower)]);
    }
    mesh.influences = influences.build();

    let along = Vec3::new(0.0, BONE_LENGTH_M, 0.0);
    let bone = |name: &str, parent: Option<u32>, head: Vec3, tip_in_bone: Option<Vec3>| Bone {
        name: name.into(),
        parent: parent.map(BoneId),
        rest: LocalTransform::Trs(Trs::from_translation(head)),
        tip_in_bone,
    };
    let bent = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let turns = Channel::Rotation(BoneId(1), vec![Quat::IDENTITY, bent, Quat::IDENTITY]);
    let bend = Track::linear(vec![0.0, 1.0, 2.0], turns);
    let skin =
        Material { name: "skin".into(), base_color: Vec4::new(0.72, 0.5, 0.4, 1.0), ..Material::default() };
    Character::new(CharacterParts {
        name: "limb".into(),
        bones: vec![
            bone("upper", None, Vec3::ZERO, Some(along)),
            bone("lower", Some(0), along, Some(along)),
            bone("end", Some(1), along, None),
        ],
        binds: vec![Bind {
            name: "limb".into(),
            joints: vec![BoneId(0), BoneId(1)],
            joint_from_rest: vec![Affine3A::IDENTITY, Affine3A::from_translation(-along)],
        }],
        meshes: vec![mesh],
        instances: vec![Instance {
            bone: BoneId(0),
            mesh: MeshId(0),
            bind: Some(BindId(0)),
            morph_weights: Vec::new(),
        }],
        materials: vec![skin],
        clips: vec![Clip { name: "bend".into(), tracks: vec![bend] }],
        ..CharacterParts::default()
    })
    .expect("every list above is as long as the mesh")
}
