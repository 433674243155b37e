//! From PMX to PMD, which stores less; every loss is reported.

mod bones;
mod frames;
mod materials;
mod morphs;
mod surface;

use super::types::{Pmd, PmdEnglish, PmdEnglishNames, PmdJoint, PmdRigidBody};
use crate::pmx::{MmdBody, Pmx, PmxJoint};
use crate::{FixedText, MmdText};
use sinew_io::Report;

/// Error of a model that exceeds a maximum of PMD.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model has {count} {what}; the maximum of PMD is {most}; write PMX instead")]
pub struct PmdLimitError {
    /// "vertices", "bones" or "morphs".
    pub what: &'static str,
    /// Number in the model.
    pub count: usize,
    /// Maximum of PMD.
    pub most: usize,
}

/// Vertex indices have 16 bits.
const MOST_VERTICES: usize = u16::MAX as usize;
/// Bone indices have 15 bits, because −1 is none.
const MOST_BONES: usize = i16::MAX as usize;
/// Morph indices have 16 bits, and one is the base.
const MOST_MORPHS: usize = u16::MAX as usize - 1;

impl Pmd {
    /// The model as PMD. What PMD cannot store is left out or simplified, and reported.
    ///
    /// # Errors
    /// If there are more vertices, bones or morphs than PMD can store.
    pub fn from_pmx(pmx: &Pmx, report: &mut Report) -> Result<Self, PmdLimitError> {
        check_limit("vertices", pmx.vertices.len(), MOST_VERTICES)?;
        check_limit("bones", pmx.bones.len(), MOST_BONES)?;
        check_limit("morphs", pmx.morphs.len(), MOST_MORPHS)?;
        let (materials, toons) = materials::from_pmx(pmx, report);
        let morphs = morphs::from_pmx(pmx, report);
        let frames = frames::from_pmx(pmx, &morphs.index_in_pmd, report);
        let names = PmdEnglishNames {
            name: fixed(&pmx.name_en, "English name", report),
            comment: fixed(&pmx.comment_en, "English comment", report),
            bones: bones::english_names(pmx, report),
            morphs: morphs.english_names,
            frames: frames.english_names,
        };
        warn_of_losses(pmx, report);
        Ok(Self {
            version: 1.0,
            name: fixed(&pmx.name, "name", report),
            comment: fixed(&pmx.comment, "comment", report),
            vertices: surface::vertices(pmx, report),
            indices: surface::indices(pmx, report),
            materials,
            bones: bones::from_pmx(pmx, report),
            iks: bones::iks(pmx, report),
            morphs: morphs.morphs,
            morph_display: frames.morph_display,
            frame_names: frames.names,
            frame_entries: frames.entries,
            english: Some(if is_empty(&names) {
                PmdEnglish::Absent
            } else {
                PmdEnglish::Present(Box::new(names))
            }),
            toons: Some(Box::new(toons)),
            rigid_bodies: Some(rigid_bodies(pmx, report)),
            joints: Some(joints(pmx, report)),
            trailing: Vec::new(),
        })
    }
}

fn check_limit(what: &'static str, count: usize, most: usize) -> Result<(), PmdLimitError> {
    if count > most { Err(PmdLimitError { what, count, most }) } else { Ok(()) }
}

fn is_empty(names: &PmdEnglishNames) -> bool {
    names.name.is_empty()
        && names.comment.is_empty()
        && names.bones.iter().all(FixedText::is_empty)
        && names.morphs.iter().all(FixedText::is_empty)
        && names.frames.iter().all(FixedText::is_empty)
}

/// Reports lists that PMD does not have.
fn warn_of_losses(pmx: &Pmx, report: &mut Report) {
    let soft_bodies = pmx.soft_bodies.iter().flatten();
    report.lose("PMD", "soft bodies", soft_bodies.map(|body| body.name.as_str().to_owned()).collect());
    for (place, count) in
        [("additional UVs", pmx.additional_uvs.len()), ("trailing bytes", pmx.trailing.len())]
    {
        if count > 0 {
            report.warn(place, format_args!("not supported by PMD; {count} are left out"));
        }
    }
}

/// A fixed-length text, with a warning if it was cut.
fn fixed<const N: usize>(text: &MmdText, place: &str, report: &mut Report) -> FixedText<N> {
    FixedText::encode_reported(text.as_str(), place, report)
}

/// Warns about `count` entries of a list, if above 0.
fn warn_count(report: &mut Report, place: &str, count: usize, what: &str) {
    if count > 0 {
        report.warn(place, format_args!("{count} {what}"));
    }
}

/// Positions are relative to bones.
fn rigid_bodies(pmx: &Pmx, report: &mut Report) -> Vec<PmdRigidBody> {
    let named = pmx.rigid_bodies.iter().filter(|body| !body.name_en.as_str().is_empty()).count();
    warn_count(report, "rigid bodies", named, "have English names; PMD does not support them");
    let bodies = pmx.rigid_bodies.iter().enumerate().map(|(index, body)| {
        // A body without a bone is relative to the first one.
        let bone = usize::try_from(body.bone).unwrap_or(0);
        let origin = pmx.bones.get(bone).map_or([0.0; 3], |bone| bone.position);
        let position = std::array::from_fn(|axis| body.body.position[axis] - origin[axis]);
        PmdRigidBody {
            name: fixed(&body.name, &format!("rigid bodies[{index}].name"), report),
            bone: i16::try_from(body.bone).unwrap_or(-1),
            body: MmdBody { position, ..body.body },
        }
    });
    bodies.collect()
}

fn joints(pmx: &Pmx, report: &mut Report) -> Vec<PmdJoint> {
    let count = |is_lost: fn(&PmxJoint) -> bool| pmx.joints.iter().filter(|joint| is_lost(joint)).count();
    let named = count(|joint| !joint.name_en.as_str().is_empty());
    warn_count(report, "joints", named, "have English names; PMD does not support them");
    let others = count(|joint| joint.kind != 0);
    warn_count(report, "joints", others, "are of unsupported kinds; written as joints with springs");
    let joints = pmx.joints.iter().enumerate().map(|(index, joint)| PmdJoint {
        name: fixed(&joint.name, &format!("joints[{index}].name"), report),
        bodies: joint.bodies.map(|body| body as u32),
        values: joint.values,
    });
    joints.collect()
}
