//! A body, written.

use super::{BodyReport, MadeBody, SHEET_VIEWS, view_sheet};
use serde::Serialize;
use sinew_body::character::CharacterSettings;
use sinew_io::Report;
use sinew_model::{JobError, Model, SaveSettings, VrmMeta, extension_of, write_file};
use sinew_picture::write_png;
use sinew_rig::guess_humanoid;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How a body is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyFile {
    /// A model, .png for a sheet of views, or .toml for the design.
    pub output: PathBuf,
    /// How its surface is cut into triangles and colored.
    pub character: CharacterSettings,
    /// Whether a written design has all values, not only its base and what differs.
    pub is_whole: bool,
    /// Who made it, for .vrm.
    pub authors: Vec<String>,
}

/// What was written of a body.
#[derive(Clone, Debug, Serialize)]
pub struct BodyOutcome {
    /// Measures, asked for, completed and read on the body.
    #[serde(flatten)]
    pub report: BodyReport,
    /// The file.
    pub output: PathBuf,
    /// What the format could not hold.
    #[serde(flatten, serialize_with = "sinew_io::serialize_losses")]
    pub losses: Report,
    /// VRM's names, and the bones of the body.
    pub humanoid: BTreeMap<&'static str, String>,
    /// Vertices of its mesh.
    #[serde(skip)]
    pub vertices: usize,
    /// Triangles of its mesh.
    #[serde(skip)]
    pub triangles: usize,
}

/// Pixels of one view on a sheet.
const VIEW_SIZE: (u32, u32) = (480, 900);

impl MadeBody {
    /// Writes a model, a picture or the design.
    ///
    /// # Errors
    /// Nothing is written then, and what was there before stays.
    pub fn save(&self, file: &BodyFile) -> Result<BodyOutcome, JobError> {
        let (character, output) = (self.character(&file.character), &file.output);
        let (map, mut losses) = (guess_humanoid(&character), Report::default());
        match extension_of(output).as_str() {
            "toml" => {
                let design = if file.is_whole { &self.design } else { &self.short_design };
                write_file(output, design.to_toml().as_bytes()).map_err(JobError::at(output))?;
            }
            "png" => {
                let sheet =
                    view_sheet(&character, &SHEET_VIEWS, VIEW_SIZE, &[]).map_err(JobError::at(output))?;
                write_png(output, &sheet).map_err(JobError::at(output))?;
            }
            _ => {
                let vrm = VrmMeta { authors: file.authors.clone(), ..VrmMeta::default() };
                let settings = SaveSettings { vrm, ..SaveSettings::default() };
                let model = Model::new(character.clone());
                model.save_with(output, &settings, &mut losses).map_err(JobError::at(output))?;
            }
        }
        let mesh = &character.meshes()[0];
        let name = |bone| character.skeleton().bone(bone).name.clone();
        Ok(BodyOutcome {
            report: self.report(),
            output: output.clone(),
            losses,
            humanoid: map.iter().map(|(human, bone)| (human.name(), name(bone))).collect(),
            vertices: mesh.vertex_count(),
            triangles: mesh.triangles.len(),
        })
    }
}
