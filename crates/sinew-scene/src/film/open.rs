//! From a scene file to a film: files read, cameras bound to what they follow, everything checked.

use super::actor::Actor;
use super::check::check_cameras;
use super::digest::Digest;
use super::player::Player;
use super::scene_file::SceneFile;
use super::store::FRAME_DIGITS;
use crate::scene_text::{CameraText, FollowText, PointText, did_you_mean};
use crate::{Reading, SceneChoices, SceneError};
use glam::DVec3;
use sinew_geometry::Bounds;
use sinew_motion::camera::{CameraError, CameraRig, CameraView, Cut, CutList, FollowCurve, Lens, Point};
use sinew_picture::{FilmShape, PictureFile};
use sinew_render::{Camera, View};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A film that can be drawn: frames from 0 on, each a function of its number.
pub struct Film {
    pub(super) file: SceneFile,
    pub(super) actors: Vec<Arc<Actor>>,
    rigs: Vec<CameraRig>,
    cuts: CutList,
    frame_count: usize,
    /// Longest side of the box of all joints with skin, over the whole film, metres.
    pub(super) extent_m: f32,
    /// The same of the largest single character.
    pub(super) subject_m: f32,
    digest: Digest,
}

/// Ten hours at 30 frames a second; past it a mistake is likelier than a wish.
const MOST_FRAMES: usize = 1_080_000;

/// Times a second at which the film is looked over for its size.
const SURVEY_HZ: f64 = 30.0;

impl Film {
    /// Reads the text of a scene file and all that it names, and checks every frame's camera.
    ///
    /// # Errors
    /// Anything that keeps a frame from being drawn, with its line in the scene file.
    pub fn read(
        text: &str,
        choices: &SceneChoices,
        reading: &mut Reading<'_>,
    ) -> Result<Arc<Self>, SceneError> {
        let mut file = SceneFile::parse(text)?;
        file.size = choices.size.unwrap_or(file.size);
        file.fps = choices.fps.unwrap_or(file.fps);
        file.quality = choices.quality.unwrap_or(file.quality);
        let playing = (choices.springs, file.duration_secs);
        let actor = |character| Actor::new(character, playing, reading).map(Arc::new);
        let actors = file.characters.iter().map(actor);
        let actors = actors.collect::<Result<Vec<_>, _>>()?;
        let longest = actors.iter().filter_map(|actor| actor.end_secs()).reduce(f64::max);
        let duration_secs =
            file.duration_secs.or(longest).filter(|secs| *secs > 0.0).ok_or(SceneError::NoDuration)?;
        let count = (duration_secs * file.fps).round().max(1.0);
        if count > MOST_FRAMES as f64 {
            return Err(SceneError::TooManyFrames { count, most: MOST_FRAMES });
        }
        let survey = Survey::of(&actors, duration_secs);
        let rigs = file
            .cameras
            .iter()
            .map(|camera| camera.rig(&|follow| follow_curve(follow, &camera.name, &actors, duration_secs)));
        let mut rigs = rigs.collect::<Result<Vec<_>, _>>()?;
        if rigs.is_empty() {
            let aspect = f64::from(file.size.0) / f64::from(file.size.1);
            let (camera, rig) = survey.camera(aspect as f32);
            file.cameras.push(camera);
            rigs.push(rig);
        }
        let cuts = cuts(&file)?;
        let mut digest = Digest::default();
        digest.add(text.as_bytes());
        digest.add_debug(choices);
        for actor in &actors {
            digest.add_debug(&(&actor.character, &actor.motions));
        }
        let film = Self {
            file,
            actors,
            rigs,
            cuts,
            frame_count: count as usize,
            extent_m: survey.extent_m,
            subject_m: survey.subject_m,
            digest,
        };
        check_cameras(&film)?;
        Ok(Arc::new(film))
    }

    /// Frames, at least one.
    pub fn frame_count(&self) -> usize {
        self.frame_count
    }

    /// Frames a second.
    pub fn fps(&self) -> f64 {
        self.file.fps
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.file.size
    }

    /// The time of a frame, seconds.
    pub fn time_secs(&self, frame: usize) -> f64 {
        frame as f64 / self.file.fps
    }

    /// A number that changes with anything that decides a frame: the scene's text, what its files hold, the choices.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Characters that can be put where they are at any time.
    pub fn player(&self) -> Player {
        Player::new(&self.actors)
    }

    /// The file or folder that some of its frames go to, checked before the first is drawn.
    ///
    /// # Errors
    /// Frames that are not there, or an output that cannot be had.
    pub fn output(&self, path: &Path, frames: &Range<usize>) -> Result<PictureFile, SceneError> {
        if frames.is_empty() || frames.end > self.frame_count {
            let Range { start, end } = *frames;
            return Err(SceneError::Frames { start, end, count: self.frame_count });
        }
        let shape = FilmShape { size: self.size(), fps: self.fps(), count: frames.len() };
        Ok(PictureFile::new(path, shape)?.numbered(frames.start, FRAME_DIGITS))
    }

    /// Why a camera sees nothing.
    pub(super) fn no_view(&self, camera: usize, time_secs: f64, problem: CameraError) -> SceneError {
        let camera = &self.file.cameras[camera];
        SceneError::at(camera.line, format!("camera {:?} at {time_secs:.3} s", camera.name), problem)
    }

    /// The camera that is on at a time, by its number in the scene file, and where it is.
    pub(super) fn view(&self, time_secs: f64) -> (usize, Result<CameraView, CameraError>) {
        let camera = self.cuts.camera_at(time_secs);
        (camera, self.rigs[camera].view_at(time_secs))
    }
}

/// What is found when the whole film is looked over.
struct Survey {
    extent_m: f32,
    subject_m: f32,
    /// All joints with flesh about them.
    bounds: Bounds,
}

impl Survey {
    fn of(actors: &[Arc<Actor>], duration_secs: f64) -> Self {
        let mut player = Player::new(actors);
        let flesh_m = actors.iter().map(|actor| actor.flesh.outer_m).fold(0.0, f32::max);
        let mut survey = Self { extent_m: 0.0, subject_m: 0.0, bounds: Bounds::EMPTY };
        let mut corners = Vec::new();
        for tick in 0..=(duration_secs * SURVEY_HZ).ceil() as usize {
            player.set_bones(tick as f64 / SURVEY_HZ);
            let bounds = player.joint_bounds();
            if bounds.is_empty() {
                continue;
            }
            corners.extend([bounds.min() - flesh_m, bounds.max() + flesh_m]);
            // The diagonal, because the light sees the box from aslant.
            survey.extent_m = survey.extent_m.max(bounds.diagonal() + 2.0 * flesh_m);
        }
        for cast in &player.cast {
            let heads: Vec<_> = cast.actor.flesh.bones.iter().map(|bone| cast.head(*bone)).collect();
            let size_m = Bounds::of(&heads).diagonal() + 2.0 * cast.actor.flesh.outer_m;
            survey.subject_m = survey.subject_m.max(size_m);
        }
        survey.bounds = Bounds::of(&corners);
        // Lengths of a film without skin are never looked at, and must only be lengths.
        let is_length = |length: f32| length > 0.0 && length.is_finite();
        survey.extent_m = if is_length(survey.extent_m) { survey.extent_m } else { 1.0 };
        survey.subject_m = if is_length(survey.subject_m) { survey.subject_m } else { 1.0 };
        survey
    }

    /// A camera that stays and sees the whole film, for scenes without one.
    fn camera(&self, aspect: f32) -> (CameraText, CameraRig) {
        let camera = Camera::frame(View::ThreeQuarter, self.bounds.corners(), aspect);
        let lens = Lens::fov_deg(f64::from(camera.vertical_fov_rad).to_degrees())
            .expect("the angle of framed views is that of a short telephoto")
            .steady();
        let (eye, target) = (camera.eye.as_dvec3(), camera.target.as_dvec3());
        let text = CameraText {
            name: "whole scene".into(),
            line: 1,
            eye: PointText::Fixed(eye),
            target: PointText::Fixed(target),
            lens: lens.clone(),
            roll: None,
        };
        (text, CameraRig::new(Point::Fixed(eye), Point::Fixed(target), lens))
    }
}

fn cuts(file: &SceneFile) -> Result<CutList, SceneError> {
    if file.cuts.is_empty() {
        return match file.cameras.as_slice() {
            [_] => Ok(CutList::new(vec![Cut { time_secs: 0.0, camera: 0 }])?),
            cameras => Err(SceneError::NoCuts { count: cameras.len(), first: cameras[0].name.clone() }),
        };
    }
    let index = |name: &str| file.cameras.iter().position(|camera| camera.name == name);
    let mut cuts = Vec::new();
    for cut in &file.cuts {
        let camera = index(&cut.camera).ok_or_else(|| {
            let known: Vec<String> = file.cameras.iter().map(|camera| format!("{:?}", camera.name)).collect();
            let known = known.join(", ");
            SceneError::at(cut.line, "cut", format!("no camera is named {:?}; known are {known}", cut.camera))
        })?;
        cuts.push(Cut { time_secs: cut.time_secs, camera });
    }
    Ok(CutList::new(cuts)?)
}

/// Where a character or bone goes, at a rate of its own: the camera is the same at every frame rate.
fn follow_curve(
    follow: &FollowText,
    camera: &str,
    actors: &[Arc<Actor>],
    duration_secs: f64,
) -> Result<FollowCurve, SceneError> {
    let (line, place) = (follow.line, format!("camera {camera:?}"));
    let found = actors.iter().position(|actor| actor.name == follow.character);
    let index = found.ok_or_else(|| {
        let hint = did_you_mean(&follow.character, actors.iter().map(|actor| actor.name.as_str()));
        SceneError::at(line, &place, format!("no character is named {:?}{hint}", follow.character))
    })?;
    let bone = match &follow.bone {
        Some(bone) => {
            let found = actors[index].character.skeleton().find(bone);
            Some(found.map_err(|error| SceneError::at(line, place, error))?)
        }
        None => None,
    };
    let mut player = Player::new(&actors[index..=index]);
    let count = (duration_secs * FollowCurve::RATE_HZ).ceil() as usize + 1;
    let samples: Vec<DVec3> = (0..count)
        .map(|tick| {
            player.set_bones(tick as f64 / FollowCurve::RATE_HZ);
            let cast = &player.cast[0];
            bone.map_or_else(|| cast.middle(), |bone| cast.head(bone)).as_dvec3()
        })
        .collect();
    Ok(FollowCurve::new(&samples, FollowCurve::RATE_HZ, follow.smooth_secs))
}
