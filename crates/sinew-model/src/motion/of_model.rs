//! Clips of other models.

use super::{Humanoid, MotionLoadError, RetargetSettings, humanoid_of, retarget};
use crate::{Model, extension_of};
use sinew_io::Report;
use sinew_rig::{BoneId, Channel, Character, Clip, InstanceId, Track};
use std::path::{Path, PathBuf};

/// Whether a file is a model, or an animation of VRM, whose clips may move others.
pub(crate) fn is_model(path: &Path) -> bool {
    matches!(extension_of(path).as_str(), "glb" | "gltf" | "vrm" | "vrma" | "fbx")
}

/// The file of a motion, and the clip that follows after `#`: `dance.glb#Run`.
pub(crate) fn file_and_clip(motion: &Path) -> (PathBuf, Option<String>) {
    let whole = || (motion.to_path_buf(), None);
    let Some((file, clip)) = motion.to_str().and_then(|text| text.rsplit_once('#')) else { return whole() };
    if is_model(motion) || !is_model(Path::new(file)) {
        return whole();
    }
    (PathBuf::from(file), Some(clip.to_owned()))
}

/// A clip of another model for `target`, by name or index; without one the file must have only one clip. The target's bones are those of a
/// human as given, or guessed.
///
/// A clip moves as it is on a character with the same skeleton. Between humans it is taken over, whatever their proportions and rest poses.
/// All others are moved by the names of their bones.
///
/// # Errors
/// No such clip, or one that moves nothing of the target.
pub fn clip_of_model(
    source: &Model,
    clip: Option<&str>,
    (target, humanoid): (&Model, Option<&Humanoid>),
    settings: &RetargetSettings,
    report: &mut Report,
) -> Result<Clip, MotionLoadError> {
    let clip = chosen(&source.character, clip)?;
    if settings.is_in_place || source.character.skeleton() != target.character.skeleton() {
        let to = humanoid.cloned().or_else(|| humanoid_of(target, report).ok());
        if let (Ok(from), Some(to)) = (humanoid_of(source, report), to) {
            report_faces(source, clip, report);
            return Ok(retarget(&source.character, &from, clip, &to, settings)?);
        }
        if settings.is_in_place {
            report.warn(format_args!("clip {:?}", clip.name), "only motions of humans can stay in place");
        }
    }
    by_names(&source.character, clip, &target.character, report)
}

fn chosen<'a>(character: &'a Character, name: Option<&str>) -> Result<&'a Clip, MotionLoadError> {
    let clips = character.clips();
    match (name, clips) {
        (Some(name), _) => match character.find_clip(name) {
            Ok(clip) => Ok(&clips[clip.index()]),
            Err(source) => Err(MotionLoadError::Clip { source, names: clip_names(clips) }),
        },
        (None, [only]) => Ok(only),
        (None, []) => Err(MotionLoadError::NoClips),
        (None, _) => Err(MotionLoadError::WhichClip { count: clips.len(), names: clip_names(clips) }),
    }
}

fn clip_names(clips: &[Clip]) -> String {
    some_names(clips.iter().map(|clip| clip.name.clone()))
}

/// Faces have other shapes, and expressions are not bones.
fn report_faces(source: &Model, clip: &Clip, report: &mut Report) {
    let animation =
        source.gltf().and_then(|document| document.json()["extensions"].get("VRMC_vrm_animation"));
    if animation.is_some_and(|animation| animation.get("expressions").or(animation.get("lookAt")).is_some()) {
        report.warn(format_args!("clip {:?}", clip.name), "expressions and the look of eyes are left out");
    }
    let is_morphs = |track: &&Track| matches!(track.channel, Channel::MorphWeights(..));
    let count = clip.tracks.iter().filter(is_morphs).count();
    if count > 0 {
        report.warn(format_args!("clip {:?}", clip.name), format!("{count} tracks of morphs are left out"));
    }
}

/// A clip put on the bones that have the same names.
fn by_names(
    source: &Character,
    clip: &Clip,
    target: &Character,
    report: &mut Report,
) -> Result<Clip, MotionLoadError> {
    let mut missing: Vec<String> = Vec::new();
    let mut tracks = Vec::new();
    let is_same = source.skeleton() == target.skeleton();
    let moved = |bone: BoneId| {
        let name = &source.skeleton().bone(bone).name;
        match is_same {
            true => Ok(bone),
            false => target.skeleton().find(name).map_err(|_| name.clone()),
        }
    };
    for track in &clip.tracks {
        let channel = match &track.channel {
            Channel::Translation(bone, values) => {
                moved(*bone).map(|bone| Channel::Translation(bone, values.clone()))
            }
            Channel::Rotation(bone, values) => {
                moved(*bone).map(|bone| Channel::Rotation(bone, values.clone()))
            }
            Channel::Scale(bone, values) => moved(*bone).map(|bone| Channel::Scale(bone, values.clone())),
            Channel::Reach(bone, values) => moved(*bone).map(|bone| Channel::Reach(bone, values.clone())),
            Channel::MorphWeights(instance, weights) => same_morphs(source, *instance, target)
                .map(|instance| Channel::MorphWeights(instance, weights.clone()))
                .ok_or_else(|| "morphs".to_owned()),
        };
        match channel {
            Ok(channel) => tracks.push(Track { channel, ..track.clone() }),
            Err(name) if !missing.contains(&name) => missing.push(name),
            Err(_) => {}
        }
    }
    if tracks.is_empty() {
        return Err(MotionLoadError::NoBone { names: some_names(missing.into_iter()) });
    }
    if !missing.is_empty() {
        let names = some_names(missing.into_iter());
        report.warn(format_args!("clip {:?}", clip.name), format!("left out: {names}"));
    }
    Ok(Clip { name: clip.name.clone(), tracks })
}

/// The instance whose mesh has the morphs of another's: the same names in the same order.
fn same_morphs(source: &Character, instance: InstanceId, target: &Character) -> Option<InstanceId> {
    let names = |character: &'_ Character, instance: InstanceId| -> Vec<String> {
        let morphs = &character.mesh_of(instance).morphs;
        morphs.iter().map(|morph| morph.name.clone()).collect()
    };
    let expected = names(source, instance);
    let mut instances = (0..target.instances().len()).map(InstanceId::of);
    instances.find(|&found| names(target, found) == expected)
}

/// The first few names.
pub fn some_names(names: impl Iterator<Item = String>) -> String {
    let mut shown: Vec<String> = Vec::new();
    let mut more = 0;
    for name in names {
        if shown.len() == 5 {
            more += 1;
        } else if !shown.contains(&name) {
            shown.push(name);
        }
    }
    let quoted: Vec<String> = shown.iter().map(|name| format!("{name:?}")).collect();
    let rest = if more > 0 { " and more" } else { "" };
    format!("{}{rest}", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    #[test]
    fn a_clip_may_follow_the_file() {
        let check = |text: &str, file: &str, clip: Option<&str>| {
            assert_eq!(file_and_clip(Path::new(text)), (file.into(), clip.map(str::to_owned)), "{text}");
        };
        check("dance.glb#Run", "dance.glb", Some("Run"));
        check("a#b/dance.fbx#rig|Run 2", "a#b/dance.fbx", Some("rig|Run 2"));
        check("take#2.glb", "take#2.glb", None);
        check("take.bvh", "take.bvh", None);
        check("walk", "walk", None);
    }

    #[test]
    fn clips_move_humans_and_namesakes() {
        let source = Model::new(samples::figure());
        let settings = RetargetSettings::default();
        let names: Vec<String> = source.character.clips().iter().map(|clip| clip.name.clone()).collect();
        let mut small = Model::new(source.character.scaled(0.5).unwrap());
        let clip = |name: Option<&str>, target: &Model| {
            clip_of_model(&source, name, (target, None), &settings, &mut Report::default())
        };
        let same = clip(Some(&names[0]), &source).unwrap();
        assert!(same == source.character.clips()[0], "the same skeleton moves as it is");
        let taken = clip(Some(&names[0]), &small).unwrap();
        assert!(!taken.tracks.is_empty() && taken != same, "a smaller human takes it over");
        small.set_clip(taken).unwrap();
        let told = clip(Some("no such clip"), &source).unwrap_err().to_string();
        assert!(told.contains(&format!("{:?}", names[0])), "{told}");
        let limb = Model::new(samples::limb(8, 4));
        assert!(matches!(clip(Some(&names[0]), &limb), Err(MotionLoadError::NoBone { .. })));
    }
}
