//! Morphs of a new file.

use super::ascii_name;
use crate::pmx::rest_model::RestMorph;
use crate::pmx::{PmxMorph, PmxMorphKind};
use crate::space::{point_to_mmd, turn};
use sinew_io::Report;
use sinew_rig::{BoneMorph, MorphEffect};

/// The panel "other".
const OTHER_PANEL: u8 = 4;

/// A new morph.
pub(in crate::pmx) fn new_morph(morph: &RestMorph, allow_2_1: bool, report: &mut Report) -> PmxMorph {
    PmxMorph {
        name: morph.name.as_str().into(),
        name_en: ascii_name(&morph.name),
        panel: OTHER_PANEL,
        kind: kind_of(morph, allow_2_1, report),
    }
}

/// The effect of a morph. PMX morphs have one effect: vertex translations are left out if there is another.
pub(in crate::pmx) fn kind_of(morph: &RestMorph, allow_2_1: bool, report: &mut Report) -> PmxMorphKind {
    let mut lose = |what: &str| report.warn(format!("morph {:?}", morph.name), what);
    if morph.effect != MorphEffect::None && !morph.shifts.is_empty() {
        lose("it moves vertices and has another effect; the vertices are left out");
    }
    let members =
        |members: &[(u32, f32)]| members.iter().map(|&(member, share)| (member as i32, share)).collect();
    match &morph.effect {
        MorphEffect::None => {
            let shifts = morph.shifts.iter().map(|&(vertex, shift)| (vertex, point_to_mmd(shift)));
            PmxMorphKind::Vertex(shifts.collect())
        }
        MorphEffect::Group(listed) => PmxMorphKind::Group(members(listed)),
        MorphEffect::Flip(listed) if allow_2_1 => PmxMorphKind::Flip(members(listed)),
        MorphEffect::Flip(_) => {
            lose("flip morphs need version 2.1; it is written without effect");
            PmxMorphKind::Vertex(Vec::new())
        }
        MorphEffect::Bones(changes) => PmxMorphKind::Bone(changes.iter().map(bone_change).collect()),
    }
}

fn bone_change(change: &BoneMorph) -> (i32, [f32; 3], [f32; 4]) {
    let rotation = turn(change.rotation.to_array()).to_array();
    (change.bone.0 as i32, point_to_mmd(change.translation), rotation)
}
