//! Small files for tests.

use super::{
    Pmx, PmxBone, PmxDocument, PmxIk, PmxIkLink, PmxMaterial, PmxMorph, PmxMorphKind, PmxTail, PmxVertex,
    PmxWeight, bone_flags,
};
use sinew_io::{FoundFile, Limits, Report, ResourceError, ResourceProblem};

pub(super) fn bone(name: &str, parent: i32, position: [f32; 3]) -> PmxBone {
    PmxBone {
        name: name.into(),
        name_en: "".into(),
        position,
        parent,
        level: 0,
        flags: bone_flags::ROTATABLE | bone_flags::VISIBLE | bone_flags::TAIL_IS_BONE,
        tail: PmxTail::Bone(-1),
        append: None,
        fixed_axis: None,
        local_axes: None,
        external_parent: None,
        ik: None,
    }
}

pub(super) fn vertex(position: [f32; 3], weight: PmxWeight) -> PmxVertex {
    PmxVertex { position, normal: [0.0, 0.0, -1.0], uv: [0.25, 0.75], weight, edge_scale: 0.7 }
}

pub(super) fn morph(name: &str, kind: PmxMorphKind) -> PmxMorph {
    PmxMorph { name: name.into(), name_en: "".into(), panel: 3, kind }
}

/// A strip of two triangles under three bones, the child listed before its parent, with a vertex of each kind.
pub(super) fn strip() -> Pmx {
    let sdef = PmxWeight::Sdef {
        bones: [0, 1],
        weight: 0.3,
        c: [0.1, 5.0, 0.3],
        r0: [0.0, 4.0, 0.7],
        r1: [0.0, 6.0, -0.7],
    };
    let mut tip = bone("手", 0, [0.0, 10.1, 0.3]);
    tip.append = Some((1, -0.5));
    tip.flags |= bone_flags::APPEND_ROTATION;
    let mut arm = bone("腕", 1, [0.0, 5.3, 0.1]);
    arm.tail = PmxTail::Bone(2);
    let mut goal = bone("腕IK", -1, [0.0, 10.0, 1.0]);
    goal.level = 1;
    goal.flags = bone_flags::ROTATABLE | bone_flags::VISIBLE | bone_flags::IK;
    goal.tail = PmxTail::Offset([0.0, 0.0, -1.0]);
    goal.ik = Some(PmxIk {
        target: 2,
        loop_count: 40,
        limit_rad: 2.0,
        links: vec![
            PmxIkLink { bone: 0, limits_rad: Some([[-3.1, 0.0, 0.0], [-0.01, 0.0, 0.0]]) },
            PmxIkLink { bone: 1, limits_rad: None },
        ],
    });
    Pmx {
        name: "帯".into(),
        comment: "a strip".into(),
        vertices: vec![
            vertex([0.0, 0.1, 0.2], PmxWeight::Bdef1(1)),
            vertex([1.0, 0.1, 0.2], PmxWeight::Bdef2 { bones: [1, 0], weight: 0.9 }),
            vertex([0.0, 5.1, 0.2], sdef),
            vertex(
                [1.0, 9.9, 0.2],
                PmxWeight::Bdef4 { bones: [0, 1, 2, -1], weights: [0.5, 0.25, 0.25, 0.0] },
            ),
        ],
        faces: vec![[0, 1, 2], [2, 1, 3]],
        textures: vec!["tex\\skin.png".into(), "toon.bmp".into()],
        materials: vec![
            PmxMaterial {
                name: "肌".into(),
                diffuse: [1.0, 0.5, 0.2, 1.0],
                texture: 0,
                sphere: -1,
                index_count: 3,
                ..PmxMaterial::default()
            },
            PmxMaterial {
                name: "服".into(),
                diffuse: [0.1, 0.5, 0.2, 0.5],
                texture: -1,
                sphere: -1,
                index_count: 3,
                ..PmxMaterial::default()
            },
        ],
        bones: vec![arm, bone("センター", -1, [0.0, 0.0, 0.1]), tip, goal],
        morphs: vec![
            morph(
                "あ",
                PmxMorphKind::Vertex(vec![(3, [0.1, 0.2, 0.3]), (0, [1.0, 0.0, 0.0]), (3, [0.1, 0.0, 0.0])]),
            ),
            morph("group", PmxMorphKind::Group(vec![(0, 0.5), (2, 1.0)])),
            morph("turn", PmxMorphKind::Bone(vec![(0, [0.0, 1.0, 0.5], [0.0; 4])])),
        ],
        ..Pmx::default()
    }
}

/// The model with its first texture found.
pub(super) fn document(pmx: Pmx) -> PmxDocument {
    let resources = |name: &str, _: u64| match name {
        "tex\\skin.png" => Ok(FoundFile { bytes: b"\x89PNG\r\n\x1a\n".to_vec(), found_as: None }),
        _ => Err(ResourceError { uri: name.into(), problem: ResourceProblem::NotFound }),
    };
    PmxDocument::new(pmx, &resources, &Limits::default(), &mut Report::default()).expect("small")
}
