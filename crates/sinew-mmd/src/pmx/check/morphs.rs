//! Checks of morphs: removes entries that do not exist, are not finite, or are groups inside groups.

use super::{Problems, is_finite, place_of, repair_names};
use crate::pmx::{Pmx, PmxMorphKind};

const LIST: &str = "morphs";

pub(super) fn repair(pmx: &mut Pmx, problems: &mut Problems) {
    repair_names(LIST, pmx.morphs.iter_mut().map(|morph| &mut morph.name), problems);
    let is_group: Vec<bool> =
        pmx.morphs.iter().map(|morph| matches!(morph.kind, PmxMorphKind::Group(_))).collect();
    let (vertices, bones) = (pmx.vertices.len(), pmx.bones.len());
    let (materials, bodies) = (pmx.materials.len(), pmx.rigid_bodies.len());
    for (index, morph) in pmx.morphs.iter_mut().enumerate() {
        let is_member = |&(member, share): &(i32, f32)| {
            place_of(member, is_group.len()).is_some_and(|member| member != index) && share.is_finite()
        };
        let is_vertex = |vertex: u32| (vertex as usize) < vertices;
        let dropped = match &mut morph.kind {
            PmxMorphKind::Group(members) => {
                let dropped = retain(members, is_member);
                let nested = retain(members, |&(member, _)| {
                    place_of(member, is_group.len()).is_none_or(|member| !is_group[member])
                });
                if nested > 0 {
                    problems.add(
                        LIST,
                        index,
                        &format!("it is a group that contains {nested} groups"),
                        "they are removed",
                    );
                }
                dropped
            }
            PmxMorphKind::Flip(members) => retain(members, is_member),
            PmxMorphKind::Vertex(shifts) => {
                retain(shifts, |(vertex, shift)| is_vertex(*vertex) && is_finite(shift))
            }
            PmxMorphKind::Uv { shifts, .. } => {
                retain(shifts, |(vertex, shift)| is_vertex(*vertex) && is_finite(shift))
            }
            PmxMorphKind::Bone(changes) => retain(changes, |(bone, shift, turn)| {
                place_of(*bone, bones).is_some() && is_finite(shift) && is_finite(turn)
            }),
            PmxMorphKind::Material(changes) => retain(changes, |change| {
                let exists = change.material == -1 || place_of(change.material, materials).is_some();
                exists && is_finite(&change.values)
            }),
            PmxMorphKind::Impulse(pushes) => retain(pushes, |push| {
                let exists = place_of(push.rigid_body, bodies).is_some();
                exists && is_finite(&push.velocity) && is_finite(&push.torque)
            }),
        };
        if dropped > 0 {
            let what = format!("{dropped} of its entries do not exist or are not finite");
            problems.add(LIST, index, &what, "they are removed");
        }
    }
}

/// Keeps good entries; returns the number of others.
fn retain<T>(list: &mut Vec<T>, is_good: impl FnMut(&T) -> bool) -> usize {
    let before = list.len();
    list.retain(is_good);
    before - list.len()
}
