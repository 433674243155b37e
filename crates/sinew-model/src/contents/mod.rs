//! What only a model's file has, and its character has not: physics, springs, expressions, cameras.
//!
//! One list serves both who asks what is in a file and who asks what another format loses: these things survive in the file they came
//! from, and nowhere else.

pub(crate) mod of_gltf;
mod of_mmd;

use crate::{Document, Model};
use serde::{Serialize, Serializer};
use sinew_io::Report;

/// Things of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Content {
    /// Which kind.
    pub kind: ContentKind,
    /// One a thing, in the file's order; empty where it has no name.
    pub names: Vec<String>,
}

/// Kinds of things that only a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
#[expect(missing_docs, reason = "`name` says what each is")]
pub enum ContentKind {
    RigidBody,
    Joint,
    SoftBody,
    UvMorph,
    MaterialMorph,
    ImpulseMorph,
    DisplayFrame,
    ToonLook,
    EnglishName,
    Spring,
    Collider,
    Expression,
    Constraint,
    Vrm,
    Camera,
    Light,
    MaterialVariant,
    MaterialMap,
    Extension,
}

impl ContentKind {
    /// Whether it is about how surfaces look.
    fn is_look(self) -> bool {
        matches!(self, Self::MaterialVariant | Self::MaterialMap | Self::Extension)
    }

    /// In the plural, as messages say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::RigidBody => "rigid bodies",
            Self::Joint => "joints of rigid bodies",
            Self::SoftBody => "soft bodies",
            Self::UvMorph => "morphs of texture coordinates",
            Self::MaterialMorph => "morphs of materials",
            Self::ImpulseMorph => "morphs that push rigid bodies",
            Self::DisplayFrame => "display frames",
            Self::ToonLook => "toon ramps, sphere maps and outlines of materials",
            Self::EnglishName => "English names of bones and morphs",
            Self::Spring => "springs",
            Self::Collider => "spring colliders",
            Self::Expression => "expressions",
            Self::Constraint => "node constraints",
            Self::Vrm => "VRM meta data (author, license, look-at, first person)",
            Self::Camera => "cameras",
            Self::Light => "lights",
            Self::MaterialVariant => "material variants",
            Self::MaterialMap => "normal, metal, occlusion and emission maps of materials",
            Self::Extension => "other glTF extensions",
        }
    }
}

impl Serialize for ContentKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A family of formats: a file of one family survives in all its formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Gltf,
    Mmd,
}

impl Document {
    fn family(&self) -> Family {
        match self {
            Self::Gltf(_) => Family::Gltf,
            Self::Pmx(_) | Self::Pmd(_) => Family::Mmd,
        }
    }
}

impl Model {
    /// What only the file has, by kind; kinds without things are left out.
    pub fn contents(&self) -> Vec<Content> {
        let mut contents = match &self.document {
            Some(Document::Gltf(document)) => of_gltf::contents(document.json()),
            Some(Document::Pmx(document)) => of_mmd::contents(document.pmx()),
            Some(Document::Pmd(files)) => of_mmd::contents(files.1.pmx()),
            None => Vec::new(),
        };
        contents.retain(|content| !content.names.is_empty());
        contents
    }

    /// Reports what the file has and a file with this extension cannot hold.
    pub fn report_lost_contents(&self, extension: &str, report: &mut Report) {
        let (format, family) = match extension {
            "glb" | "gltf" | "vrm" => ("glTF", Some(Family::Gltf)),
            "pmx" => ("PMX", Some(Family::Mmd)),
            // What PMD cannot hold of a PMX is reported where one becomes the other.
            "pmd" => ("PMD", Some(Family::Mmd)),
            "obj" => ("OBJ", None),
            _ => return,
        };
        if let Some(body) = self.character.body().filter(|_| family == Some(Family::Mmd)) {
            report.lose(
                format,
                "designs of bodies",
                vec![body.template.lines().next().unwrap_or_default().into()],
            );
        }
        if self.document.as_ref().is_none_or(|document| Some(document.family()) == family) {
            return;
        }
        for Content { kind, names } in self.contents() {
            report.lose(format, kind.name(), names);
        }
    }

    /// Reports what the file has and a shape alone, with the looks of a glTF file, cannot hold.
    pub fn report_contents_lost_in_shape(&self, report: &mut Report) {
        let keeps_looks = self.gltf().is_some();
        for Content { kind, names } in self.contents() {
            if !(keeps_looks && kind.is_look()) {
                report.lose("a posed shape", kind.name(), names);
            }
        }
    }
}
