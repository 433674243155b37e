//! From PMD to PMX.
//!
//! Values missing in PMD follow MMD's behavior: chains are solved after all bones have turned, following bones come after chains,
//! knees bend one way, and unnamed toons are MMD's own.

mod bones;
mod materials;

pub(super) use bones::{KNEE, KNEE_LIMITS_RAD, RADIANS_PER_IK_UNIT};
pub(super) use materials::{material_flags_of, shared_toon_name, sphere_mode_of};

use super::types::{Pmd, PmdEnglish, PmdEnglishNames, PmdJoint, PmdMorph, PmdRigidBody, PmdVertex};
use crate::pmx::{
    IndexSizes, MmdBody, Pmx, PmxFrame, PmxHeader, PmxJoint, PmxMorph, PmxMorphKind, PmxRigidBody, PmxVertex,
    PmxWeight,
};
use crate::{FixedText, MmdText};
use sinew_io::Report;

impl Pmd {
    /// The same model as PMX 2.0. Reports indices out of range and texts that are not CP932.
    pub fn to_pmx(&self, report: &mut Report) -> Pmx {
        let english = self.english_names();
        let (textures, materials) = materials::to_pmx(self, report);
        let mut pmx = Pmx {
            name: text(&self.name, "name", report),
            name_en: text(&english.name, "English name", report),
            comment: text(&self.comment, "comment", report),
            comment_en: text(&english.comment, "English comment", report),
            vertices: self.to_pmx_vertices(report),
            faces: self.to_pmx_faces(report),
            textures,
            materials,
            bones: bones::to_pmx(self, &english, report),
            morphs: to_pmx_morphs(self, &english, report),
            frames: self.to_pmx_frames(&english, report),
            rigid_bodies: self.rigid_bodies.iter().flatten().map(|body| self.to_pmx_body(body)).collect(),
            joints: self.joints.iter().flatten().map(to_pmx_joint).collect(),
            ..Pmx::default()
        };
        if !self.trailing.is_empty() {
            report.warn("trailing bytes", format_args!("{} are left out", self.trailing.len()));
        }
        pmx.header = PmxHeader { index_sizes: IndexSizes::for_counts_of(&pmx), ..PmxHeader::default() };
        pmx
    }

    fn english_names(&self) -> PmdEnglishNames {
        match &self.english {
            Some(PmdEnglish::Present(names)) => (**names).clone(),
            _ => PmdEnglishNames::default(),
        }
    }

    fn to_pmx_vertices(&self, report: &mut Report) -> Vec<PmxVertex> {
        let over = self.vertices.iter().filter(|vertex| vertex.weight_percent > 100).count();
        if over > 0 {
            report.warn("vertices", format_args!("{over} have weights above 100 %; using 100 %"));
        }
        self.vertices.iter().map(to_pmx_vertex).collect()
    }

    fn to_pmx_faces(&self, report: &mut Report) -> Vec<[u32; 3]> {
        let (faces, rest) = self.indices.as_chunks::<3>();
        if !rest.is_empty() {
            report.warn("indices", format_args!("the last {} do not make a triangle; left out", rest.len()));
        }
        faces.iter().map(|face| face.map(u32::from)).collect()
    }

    /// The two frames of every PMX, and those of the file.
    fn to_pmx_frames(&self, english: &PmdEnglishNames, report: &mut Report) -> Vec<PmxFrame> {
        let root = (!self.bones.is_empty()).then_some((0, 0));
        let shown = self.morph_display.iter().filter_map(|&morph| {
            let index = self.morph_index_in_pmx(morph.into());
            if index.is_none() {
                report.warn("shown morphs", format_args!("morph {morph} does not exist; left out"));
            }
            Some((1, index? as i32))
        });
        let mut frames = vec![
            PmxFrame {
                name: "Root".into(),
                name_en: "Root".into(),
                special: 1,
                entries: root.into_iter().collect(),
            },
            PmxFrame { name: "表情".into(), name_en: "Exp".into(), special: 1, entries: shown.collect() },
        ];
        for (index, name) in self.frame_names.iter().enumerate() {
            let place = format!("frames[{index}].name");
            let name_en = english.frames.get(index).copied().unwrap_or_default();
            frames.push(PmxFrame {
                // Frame names end with a line feed.
                name: text(name, &place, report).as_str().trim_end_matches('\n').into(),
                name_en: text(&name_en, &place, report).as_str().trim_end_matches('\n').into(),
                special: 0,
                entries: Vec::new(),
            });
        }
        for &(bone, frame) in &self.frame_entries {
            // Frames of the file count from 1 and follow the two of every PMX.
            let target = if frame == 0 { 0 } else { usize::from(frame) + 1 };
            match frames.get_mut(target) {
                // The first bone is in the first frame already.
                Some(_) if (bone, frame) == (0, 0) => {}
                Some(frame) => frame.entries.push((0, bone.into())),
                None => {
                    let what = format!("bone {bone} is in frame {frame}, which does not exist");
                    report.warn("shown bones", what);
                }
            }
        }
        frames
    }

    /// A morph's index in PMX, which has no base.
    fn morph_index_in_pmx(&self, morph: usize) -> Option<usize> {
        let base = self.morphs.iter().position(|morph| morph.kind == 0);
        let is_there = morph < self.morphs.len() && Some(morph) != base;
        is_there.then(|| morph - usize::from(base.is_some_and(|base| base < morph)))
    }

    fn to_pmx_body(&self, body: &PmdRigidBody) -> PmxRigidBody {
        // A body without a bone is relative to the first one.
        let bone = usize::try_from(body.bone).unwrap_or(0);
        let origin = self.bones.get(bone).map_or([0.0; 3], |bone| bone.position);
        let position = std::array::from_fn(|axis| body.body.position[axis] + origin[axis]);
        PmxRigidBody {
            name: MmdText::from(body.name.decode()),
            name_en: MmdText::default(),
            bone: body.bone.into(),
            body: MmdBody { position, ..body.body },
        }
    }
}

fn to_pmx_vertex(vertex: &PmdVertex) -> PmxVertex {
    let [first, second] = vertex.bones.map(|bone| i32::from(bone as i16));
    let weight = match vertex.weight_percent {
        100.. => PmxWeight::Bdef1(first),
        _ if first == second => PmxWeight::Bdef1(first),
        0 => PmxWeight::Bdef1(second),
        percent => PmxWeight::Bdef2 { bones: [first, second], weight: f32::from(percent) / 100.0 },
    };
    PmxVertex {
        position: vertex.position,
        normal: vertex.normal,
        uv: vertex.uv,
        weight,
        edge_scale: if vertex.edge == 0 { 1.0 } else { 0.0 },
    }
}

fn to_pmx_joint(joint: &PmdJoint) -> PmxJoint {
    PmxJoint {
        name: MmdText::from(joint.name.decode()),
        name_en: MmdText::default(),
        kind: 0,
        bodies: joint.bodies.map(|body| body as i32),
        values: joint.values,
    }
}

/// A text, with a warning if its bytes are not CP932.
fn text<const N: usize>(field: &FixedText<N>, place: &str, report: &mut Report) -> MmdText {
    let text = field.decode();
    if text.contains(char::REPLACEMENT_CHARACTER) {
        report.warn(place, format_args!("{text:?} has bytes that are not CP932"));
    }
    text.into()
}

/// PMD refers to the vertices of morphs through a base.
fn to_pmx_morphs(pmd: &Pmd, english: &PmdEnglishNames, report: &mut Report) -> Vec<PmxMorph> {
    let base = pmd.morphs.iter().position(|morph| morph.kind == 0);
    let base_entries = base.map_or(&[][..], |base| &pmd.morphs[base].entries);
    let others = pmd.morphs.iter().enumerate().filter(|(index, _)| Some(*index) != base);
    let to_pmx = |(index, morph): (usize, &PmdMorph)| {
        let place = format!("morphs[{index}]");
        // The first morph, the base, has no English name.
        let name_en = index.checked_sub(1).and_then(|index| english.morphs.get(index).copied());
        let shifts: Vec<(u32, [f32; 3])> = morph
            .entries
            .iter()
            .filter_map(|&(entry, shift)| Some((base_entries.get(entry as usize)?.0, shift)))
            .collect();
        let lost_count = morph.entries.len() - shifts.len();
        if lost_count > 0 {
            report.warn(&place, format_args!("{lost_count} entries are outside the base; left out"));
        }
        PmxMorph {
            name: text(&morph.name, &place, report),
            name_en: text(&name_en.unwrap_or_default(), &place, report),
            panel: morph.kind,
            kind: PmxMorphKind::Vertex(shifts),
        }
    };
    others.map(to_pmx).collect()
}
