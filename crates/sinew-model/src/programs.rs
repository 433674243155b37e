//! What other programs show of a file that Sinew wrote, and the command for the rest.

use crate::{ContentKind, Model, OpenError, extension_of};
use serde::Serialize;
use sinew_io::{Limits, Report};
use sinew_rig::Character;
use sinew_skin::{Method, SkinSettings};
use std::path::Path;

/// What programs show of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProgramNotes {
    /// One a kind of program.
    pub programs: Vec<ProgramNote>,
    /// A command that makes what the others do not show; none where they show everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

/// What one kind of program shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProgramNote {
    /// Names of programs.
    pub programs: &'static str,
    /// What they show of the file.
    pub shows: String,
}

/// Programs that import glTF and play skins, morph targets and clips.
const ENGINES: &str = "Blender, Unity, Unreal, Godot, three.js";

impl ProgramNotes {
    /// Reads a file that was written and says what programs show of it. Nothing for files that no other program opens.
    ///
    /// # Errors
    /// A model that cannot be read again.
    #[cfg(feature = "files")]
    pub fn of_file(path: &Path, limits: &Limits) -> Result<Self, OpenError> {
        let known = match extension_of(path).as_str() {
            "glb" | "gltf" | "vrm" | "pmx" => None,
            "obj" => Some(("every program", "the posed shape, without bones")),
            "pc2" => Some(("Blender", "every vertex, by a Mesh Cache modifier on the same mesh")),
            "usda" => Some(("Blender and other programs with USD", "every vertex of every frame")),
            _ => return Ok(Self::default()),
        };
        match known {
            Some((programs, shows)) => Ok(Self::one(programs, shows)),
            None => Ok(Self::of_model(&Model::open(path, limits, &mut Report::default())?, path)),
        }
    }

    /// What programs show of a model that was written to `path`.
    pub fn of_model(model: &Model, path: &Path) -> Self {
        let character = &model.character;
        let methods = methods_of(character);
        match extension_of(path).as_str() {
            "pmx" | "pmd" => Self::mmd(character),
            "vrm" => Self { rest: rest(character, &methods, path), ..Self::vrm(model, &methods) },
            _ => Self { rest: rest(character, &methods, path), ..Self::gltf(character, &methods) },
        }
    }

    /// The notes as lines of text.
    pub fn lines(&self) -> Vec<String> {
        let shown = self.programs.iter().map(|note| format!("{}: {}", note.programs, note.shows));
        shown.chain(self.rest.iter().map(|command| format!("for the rest: {command}"))).collect()
    }

    fn one(programs: &'static str, shows: &str) -> Self {
        Self { programs: vec![ProgramNote { programs, shows: shows.to_owned() }], rest: None }
    }

    fn gltf(character: &Character, methods: &[&str]) -> Self {
        let mut notes = Self::one(ENGINES, &engine_text(character, methods));
        if !methods.is_empty() || !character.controllers().is_empty() {
            notes.programs.insert(0, ProgramNote { programs: "Sinew", shows: "everything".to_owned() });
        }
        notes
    }

    fn mmd(character: &Character) -> Self {
        let sdef = character.meshes().iter().flat_map(|mesh| &mesh.methods);
        let sdef = sdef.filter(|code| {
            Method::from_code(**code, 0.0, Default::default()).is_some_and(|m| m != Method::Lbs)
        });
        let following = character.bone_logic().iter().filter(|logic| logic.follow.is_some()).count();
        let shows = match (sdef.count(), following) {
            (0, 0) => "everything".to_owned(),
            (sdef, 0) => format!("everything, with SDEF on {sdef} vertices"),
            (0, bones) => format!("everything, with {bones} bones that follow others"),
            (sdef, bones) => {
                format!("everything, with SDEF on {sdef} vertices and {bones} bones that follow others")
            }
        };
        let mut notes = Self::one("Sinew, MMD and its viewers", &shows);
        let shows = "by an add-on for PMX; `sinew convert` to .glb needs none".to_owned();
        notes.programs.push(ProgramNote { programs: "Blender and engines", shows });
        notes
    }

    fn vrm(model: &Model, methods: &[&str]) -> Self {
        let contents = model.contents();
        let count = |kind: ContentKind| {
            contents.iter().find(|content| content.kind == kind).map_or(0, |content| content.names.len())
        };
        let parts = [
            (ContentKind::Expression, "expressions"),
            (ContentKind::Spring, "springs"),
            (ContentKind::Constraint, "constrained bones"),
        ];
        let parts = parts.into_iter().map(|(kind, name)| (count(kind), name));
        let parts: Vec<String> =
            parts.filter(|(count, _)| *count > 0).map(|(count, name)| format!(", {count} {name}")).collect();
        let clips = if model.character.clips().is_empty() { "" } else { "; they do not play clips" };
        let shows = match count(ContentKind::Vrm) {
            0 => "nothing: the file has no VRM data".to_owned(),
            _ => format!("an avatar with plain skinning{}{clips}", parts.concat()),
        };
        let mut notes = Self::gltf(&model.character, methods);
        notes.programs.push(ProgramNote { programs: "VRM programs", shows });
        notes
    }
}

/// What an importer of glTF shows of a character.
fn engine_text(character: &Character, methods: &[&str]) -> String {
    if character.joints().is_empty() {
        return "everything".to_owned();
    }
    let helpers = character.controllers().helpers.len();
    let clips = character.clips().len();
    let morphs: usize = character.meshes().iter().map(|mesh| mesh.morphs.len()).sum();
    let mut text = match methods {
        [] => "plain skinning, which is all of it".to_owned(),
        methods => format!("plain skinning only, not {}", methods.join(", ")),
    };
    if helpers > 0 {
        text = match clips {
            0 => "plain skinning; helper bones stay at rest".to_owned(),
            _ => "plain skinning; helper bones move in the file's clips, not in new motions".to_owned(),
        };
    }
    if morphs > 0 {
        text = format!("{text}; morph targets: {morphs}");
    }
    text
}

/// The methods of a file that are not plain skinning.
fn methods_of(character: &Character) -> Vec<&'static str> {
    let (settings, _) = SkinSettings::authored(character);
    let rules = settings.joints.iter().map(|rule| rule.method.name());
    let codes = character.meshes().iter().flat_map(|mesh| &mesh.methods);
    let of_code = |code: &u8| Method::from_code(*code, 0.0, Default::default()).map(|method| method.name());
    let mut methods: Vec<&'static str> = [settings.method.name()].into_iter().chain(rules).collect();
    methods.extend(codes.filter_map(of_code));
    methods.sort_unstable();
    methods.dedup();
    methods.retain(|method| *method != Method::Lbs.name());
    methods
}

/// The command that makes what importers of glTF do not show.
fn rest(character: &Character, methods: &[&str], path: &Path) -> Option<String> {
    let with_stem = |extension: &str| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        quoted(&path.with_file_name(format!("{stem}{extension}")))
    };
    let file = quoted(path);
    if !character.controllers().is_empty() {
        let target = with_stem(".py");
        return Some(format!("sinew export controllers {file} --for blender -o {target} (or unity, godot)"));
    }
    let method = methods.first()?;
    let target = with_stem("-helpers.glb");
    Some(format!("sinew fit {file} --from {method} --helpers 12 -o {target}"))
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./\\:".contains(letter);
    if text.chars().all(is_plain) { text } else { format!("\"{text}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    fn lines(character: Character, name: &str) -> Vec<String> {
        ProgramNotes::of_model(&Model::new(character), Path::new(name)).lines()
    }

    #[test]
    fn plain_files_need_no_further_command() {
        let found = lines(samples::limb(8, 4), "limb.glb");
        assert_eq!(found, [format!("{ENGINES}: plain skinning, which is all of it")]);
    }

    #[test]
    fn other_methods_are_named_with_the_command_for_helpers() {
        let mut parts = samples::limb(8, 4).into_parts();
        parts.skin.method = Some("bezier".into());
        let found = lines(Character::new(parts).expect("a method"), "my limb.glb");
        let expected = [
            "Sinew: everything".to_owned(),
            format!("{ENGINES}: plain skinning only, not bezier"),
            "for the rest: sinew fit \"my limb.glb\" --from bezier --helpers 12 -o \"my limb-helpers.glb\""
                .to_owned(),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_vrm_without_its_extension_is_no_avatar() {
        let found = lines(samples::limb(8, 4), "limb.vrm");
        assert!(found.iter().any(|line| line.starts_with("VRM programs: nothing")), "{found:?}");
    }

    #[test]
    fn mmd_shows_its_own_method() {
        let mut parts = samples::limb(8, 4).into_parts();
        let count = parts.meshes[0].vertex_count();
        parts.meshes[0].methods = vec![3; count];
        let found = lines(Character::new(parts).expect("codes"), "limb.pmx");
        assert_eq!(
            found[0],
            format!("Sinew, MMD and its viewers: everything, with SDEF on {count} vertices")
        );
    }
}
