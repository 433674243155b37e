//! A character with its motions and its place, ready to play at any time.

use super::character_text::{BodyText, CharacterText, OriginText, SkinText};
use super::motion_source::{LayerText, MotionText};
use crate::body::{BodyRequest, PatchedBody, make};
use crate::{Reading, SceneError};
use glam::{Affine3A, Quat, Vec3};
use sinew_body::Design;
use sinew_io::Report;
use sinew_model::Model;
use sinew_model::motion::{Layer, Part, Sequence, humanoid_of, mask, sequence};
use sinew_play::patches::{PatchModes, bind_patches};
use sinew_rig::{
    BoneId, BoundSurface, Character, Clip, Deformer, Pose, SpringPlay, guess_humanoid, with_follow_through,
};
use sinew_skin::PosedCharacter;
use std::sync::Arc;

/// One who plays. Everything in it stays as it is.
pub(super) struct Actor {
    pub(super) name: String,
    pub(super) character: Character,
    pub(super) deformer: Arc<dyn Deformer>,
    /// Motions with their clips, in the order of time.
    pub(super) motions: Vec<(MotionText, Clip)>,
    pub(super) scene_from_model: Affine3A,
    pub(super) flesh: Flesh,
}

/// How thick the skin lies round bones, metres in the scene.
pub(super) struct Flesh {
    /// The bones that carry skin: the rest are handles.
    pub(super) bones: Vec<BoneId>,
    /// One for each of them, to the nearer half of its vertices.
    pub(super) inner_m: Vec<f32>,
    /// The farthest vertex from its bone.
    pub(super) outer_m: f32,
}

impl Actor {
    /// Opens or makes a character.
    pub(super) fn new(
        text: &CharacterText,
        (springs, duration_secs): (SpringPlay, Option<f64>),
        reading: &mut Reading<'_>,
    ) -> Result<Self, SceneError> {
        let (line, name) = (text.line, text.name.clone());
        let place = text.place();
        let (model, patches) = match &text.origin {
            OriginText::File(path) => {
                let mut of_file = Report::default();
                let model = Model::open(&reading.folder.join(path), &reading.limits, &mut of_file);
                of_file.warnings().iter().for_each(|warning| reading.report.warn(path.display(), warning));
                (model.map_err(|error| SceneError::at(line, format!("{place}: {path:?}"), error))?, None)
            }
            OriginText::Body(body) => {
                let (character, patches) = made(body, text, reading)?;
                (Model::new(character), patches)
            }
        };
        let character = model.character.with_spring_play(springs);
        let deformer = match (&text.skin, patches) {
            (SkinText::Patches(_), Some(patches)) => patches,
            (SkinText::Patches(modes), None) => {
                bind_patches(&character, *modes).map_err(|error| SceneError::at(line, &place, error))?
            }
            (SkinText::Skinning(choice), _) => {
                let settings = choice.settings(&character);
                let (settings, problems) = settings.map_err(|error| SceneError::at(line, &place, error))?;
                problems.iter().for_each(|problem| reading.report.warn(&name, problem.to_string()));
                sinew_skin::bind(&character, &BoundSurface::of(&character), &settings).into()
            }
        };
        let mut motions = Vec::new();
        for motion in &text.motions {
            let clip = motion.source.clip_of(&model, reading);
            let failed = |error| SceneError::at(motion.line, format!("{place}: motion"), error);
            motions.push((motion.clone(), clip.map_err(failed)?));
        }
        let mut layers = Vec::new();
        for layer in &text.layers {
            let clip = layer.motion.source.clip_of(&model, reading);
            let failed = |error| SceneError::at(layer.motion.line, format!("{place}: layer"), error);
            layers.push((layer, clip.map_err(failed)?));
        }
        if motions.len() > 1 || !layers.is_empty() {
            let joined = joined(&model, &motions, &layers, duration_secs);
            motions = vec![joined.map_err(|(line, error)| SceneError::at(line, &place, error))?];
        }
        for (_, clip) in &mut motions {
            *clip = with_follow_through(&character, clip).into_owned();
        }
        // Clips from elsewhere obey the same rules as a character's own.
        let mut parts = character.clone().into_parts();
        parts.clips = motions.iter().map(|(_, clip)| clip.clone()).collect();
        Character::new(parts).map_err(|error| SceneError::at(line, &place, error))?;
        let turn = Quat::from_rotation_y(text.turn_deg.to_radians() as f32);
        let scale = Vec3::splat(text.scale as f32);
        let scene_from_model = Affine3A::from_scale_rotation_translation(scale, turn, text.at.as_vec3());
        let flesh = Flesh::of(&character, text.scale as f32);
        Ok(Self { name, character, deformer, motions, scene_from_model, flesh })
    }

    /// When the last of its motions ends, seconds of the film.
    pub(super) fn end_secs(&self) -> Option<f64> {
        let (motion, clip) = self.motions.last()?;
        Some(
            motion.start_secs.unwrap_or(0.0)
                + (clip.duration_secs() - motion.from_secs).max(0.0) / motion.speed,
        )
    }

    /// The pose at a time: of the last motion that has begun, or the first frame of the first.
    pub(super) fn pose_into(&self, time_secs: f64, pose: &mut Pose) {
        let begun =
            self.motions.iter().rev().find(|(motion, _)| motion.start_secs.unwrap_or(0.0) <= time_secs);
        match begun.or(self.motions.first()) {
            Some((motion, clip)) => {
                let time = motion.time_in_clip(time_secs, clip.duration_secs());
                pose.set_clip(&self.character, clip, time);
            }
            None => pose.clone_from(&Pose::rest(&self.character)),
        }
    }
}

/// Keys per second of joined motions: what running feet need.
const JOINED_FPS: f64 = 120.0;

type JoinError = (usize, String);

/// Several motions and what goes over them as one, from the film's start on.
fn joined(
    model: &Model,
    motions: &[(MotionText, Clip)],
    layers: &[(&LayerText, Clip)],
    duration_secs: Option<f64>,
) -> Result<(MotionText, Clip), JoinError> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut end_secs = 0.0;
    for (at, (text, clip)) in motions.iter().enumerate() {
        if text.start_secs.is_none() && at > 0 && motions[at - 1].0.is_repeating {
            return Err((text.line, "the motion before repeats; give this one a `start`".into()));
        }
        let part = Part {
            from_secs: text.from_secs,
            speed: text.speed,
            is_repeating: text.is_repeating,
            blend_secs: text.blend_secs,
            is_placed: text.is_placed,
            ..Part::new(clip, text.start_secs.unwrap_or(end_secs))
        };
        end_secs = part.start_secs + part.seconds();
        parts.push(part);
    }
    let humanoid = humanoid_of(model, &mut Report::default());
    let guessed = guess_humanoid(&model.character);
    let map = humanoid.as_ref().map_or(&guessed, |humanoid| humanoid.map());
    let mut over = Vec::new();
    for (text, clip) in layers {
        let motion = &text.motion;
        let bones = mask(&model.character, map, &text.mask);
        over.push(Layer {
            from_secs: motion.from_secs,
            speed: motion.speed,
            is_repeating: motion.is_repeating,
            end_secs: text.end_secs,
            fade_secs: text.fade_secs,
            bones: bones.map_err(|error| (motion.line, error.to_string()))?,
            ..Layer::new(clip, motion.start_secs.unwrap_or(0.0))
        });
    }
    let first = MotionText {
        start_secs: None,
        from_secs: 0.0,
        speed: 1.0,
        is_repeating: false,
        ..motions[0].0.clone()
    };
    let name = motions[0].1.name.clone();
    let seconds = duration_secs
        .map_or(end_secs, |secs| if parts.iter().any(|part| part.is_repeating) { secs } else { end_secs });
    let whole = Sequence { name, parts, layers: over, seconds: seconds.max(0.0), fps: JOINED_FPS };
    let clip = sequence(&model.character, humanoid.as_ref().ok(), &whole);
    Ok((first, clip.map_err(|error| (motions[0].0.line, error.to_string()))?))
}

type Made = (Character, Option<Arc<dyn Deformer>>);

/// Sinew's own human, with its patches as a deformer.
fn made(body: &BodyText, text: &CharacterText, reading: &mut Reading<'_>) -> Result<Made, SceneError> {
    let (line, place) = (text.line, text.place());
    let own = match &body.spec {
        Some(path) => {
            let full = reading.folder.join(path);
            let design =
                std::fs::read_to_string(&full).map_err(|source| SceneError::Io { path: full, source })?;
            let failed = |error| SceneError::at(line, format!("{place}: {path:?}"), error);
            Some(Design::parse(&design).map_err(failed)?)
        }
        None => None,
    };
    let (given, preset) = (body.given.clone(), body.preset.clone());
    let request = BodyRequest { sex: body.sex, given, preset, own, ..BodyRequest::default() };
    let made = make(&request).map_err(|error| SceneError::at(line, &place, error))?;
    made.notes.iter().for_each(|note| reading.report.warn(&text.name, note));
    let modes = match text.skin {
        SkinText::Patches(modes) => modes,
        SkinText::Skinning(_) => PatchModes::default(),
    };
    let patched = made.patched_by(body.tessellation, body.look, modes);
    let PatchedBody { character, deformer } = patched.map_err(|error| SceneError::at(line, &place, error))?;
    Ok((character, Some(deformer)))
}

impl Flesh {
    fn of(character: &Character, scale: f32) -> Self {
        let posed = PosedCharacter::bind(character, sinew_skin::Method::Lbs);
        let bound = posed.bound();
        let mut distances: Vec<Vec<f32>> = vec![Vec::new(); character.skeleton().bone_count()];
        for (vertex, position) in posed.surface().positions.iter().enumerate() {
            let (entries, weights) = bound.influences().of(vertex);
            let heaviest = entries.iter().zip(weights).max_by(|a, b| a.1.total_cmp(b.1));
            let Some((entry, _)) = heaviest else { continue };
            let bone = bound.palette()[usize::from(*entry)].bone;
            let (head, tip) = segment(character, bone, posed.model_from_bone());
            distances[bone.index()].push(distance_to_segment(*position, head, tip));
        }
        let mut flesh = Self { bones: Vec::new(), inner_m: Vec::new(), outer_m: 0.0 };
        for (bone, distances) in distances.iter_mut().enumerate().filter(|(_, found)| !found.is_empty()) {
            distances.sort_by(f32::total_cmp);
            flesh.bones.push(BoneId::of(bone));
            flesh.inner_m.push(scale * distances[distances.len() / 2]);
            flesh.outer_m = flesh.outer_m.max(scale * distances[distances.len() - 1]);
        }
        flesh
    }
}

/// A bone from head to tip, where it is known, else to its first child.
pub(super) fn segment(character: &Character, bone: BoneId, model_from_bone: &[Affine3A]) -> (Vec3, Vec3) {
    let skeleton = character.skeleton();
    let head = Vec3::from(model_from_bone[bone.index()].translation);
    let tip = match skeleton.bone(bone).tip_in_bone {
        Some(tip) => model_from_bone[bone.index()].transform_point3(tip),
        None => skeleton
            .children(bone)
            .next()
            .map_or(head, |child| model_from_bone[child.index()].translation.into()),
    };
    (head, tip)
}

pub(super) fn distance_to_segment(point: Vec3, head: Vec3, tip: Vec3) -> f32 {
    let way = tip - head;
    let share = ((point - head).dot(way) / way.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    point.distance(head + way * share)
}
