//! A motion by a word or a file, on a model.

use super::{
    BakeSettings, Gait, GaitError, GaitSettings, GroundPath, Humanoid, Jump, JumpSettings, PathFile,
    Personality, Posture, PostureKind, PostureSettings, RetargetSettings,
};
use crate::VrmMeta;
use sinew_rig::Clip;
use std::path::{Path, PathBuf};

/// A motion, and how it is to be. What only some motions know does not count for others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionChoice {
    /// `walk`, `run`, `gait`, `jump`, `stand`, `sit` or `rise`, which are made for the model's measures; or a file: .bvh, .vmd, .toml or .json, or a
    /// model (.glb, .gltf, .vrm, .fbx) or animation of VRM (.vrma), whose clip may follow after `#`.
    pub motion: PathBuf,
    /// Way and speeds of a walk, run or gait; straight ahead without.
    pub path: Option<PathFile>,
    /// Metres a second. Default: 1.4 walking, 3.5 running.
    pub speed_m_s: Option<f64>,
    /// How long. Default: 4, or what the path needs.
    pub seconds: Option<f64>,
    /// Whether a walk, run or gait begins standing.
    pub is_from_rest: bool,
    /// Whether it ends standing.
    pub is_to_rest: bool,
    /// Whether the character stays at its place.
    pub is_in_place: bool,
    /// How it walks or runs.
    pub personality: Personality,
    /// Of the differences between steps.
    pub seed: u64,
    /// How it jumps.
    pub jump: JumpSettings,
    /// Height of the seat for `sit` and `rise`, m. Default: by the legs.
    pub seat_m: Option<f64>,
    /// Motions after this one, each from where the one before ends.
    pub then: Vec<MotionChoice>,
    /// Motions over it and those after it.
    pub over: Vec<MotionOver>,
    /// Time of the blend from one to the next, s. Default 0.4.
    pub blend_secs: Option<f64>,
    /// Keys a second. Default: 60, and 120 where one runs or jumps.
    pub fps: Option<f64>,
    /// Whether a .vmd has the model's own names; see [`SaveSettings::keeps_names`](crate::SaveSettings::keeps_names).
    pub keeps_names: bool,
    /// What a .vrm with the motion says about itself.
    pub vrm: VrmMeta,
}

/// A motion over others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionOver {
    /// The motion.
    pub motion: MotionChoice,
    /// When it starts, s.
    pub start_secs: f64,
    /// Whether it starts again at its end.
    pub is_repeating: bool,
    /// Time in which it fades in and out, s. Default 0.4.
    pub fade_secs: Option<f64>,
    /// The bones it moves, by words or names: see [`mask`](super::mask). Default: those that the motion moves.
    pub mask: Vec<String>,
}

impl MotionChoice {
    /// A motion as it is by default.
    pub fn new(motion: impl Into<PathBuf>) -> Self {
        Self { motion: motion.into(), ..Self::default() }
    }

    /// Whom a mistake is about: the motion's file, or `model` where the motion is no file.
    pub fn place<'a>(&'a self, model: &'a Path) -> &'a Path {
        if self.motion.extension().is_some() { &self.motion } else { model }
    }

    /// The clip of a motion that is made; `None` for files.
    ///
    /// # Errors
    /// Speeds, lengths or ways that nobody has.
    pub fn made(&self, humanoid: &Humanoid) -> Result<Option<Clip>, GaitError> {
        let bake = |fps| BakeSettings { fps: self.fps.unwrap_or(fps), is_in_place: self.is_in_place };
        let base = match self.motion.to_str().unwrap_or_default() {
            "walk" => GaitSettings::walk(),
            "run" => GaitSettings::run(),
            "gait" => GaitSettings::default(),
            // Feet leave the ground fast: at 60 keys splines would dip below it.
            "jump" => return Ok(Some(Jump::new(humanoid, &self.jump)?.to_clip(&bake(120.0)))),
            "stand" => return self.posture(humanoid, PostureKind::Stand).map(Some),
            "sit" => return self.posture(humanoid, PostureKind::Sit).map(Some),
            "rise" => return self.posture(humanoid, PostureKind::Rise).map(Some),
            _ => return Ok(None),
        };
        let gait = Gait::new(humanoid, &self.gait(base)?)?;
        Ok(Some(gait.to_clip(&bake(gait.natural_fps()))))
    }

    fn posture(&self, humanoid: &Humanoid, kind: PostureKind) -> Result<Clip, GaitError> {
        let default = PostureSettings { kind, seat_m: self.seat_m, ..PostureSettings::default() };
        let settings = PostureSettings { seconds: self.seconds.unwrap_or(default.seconds), ..default };
        let bake = BakeSettings { fps: self.fps.unwrap_or(60.0), is_in_place: self.is_in_place };
        Ok(Posture::new(humanoid, &settings)?.to_clip(&bake))
    }

    /// How a motion of a file is taken over.
    pub fn retarget(&self) -> RetargetSettings {
        let default = RetargetSettings::default();
        RetargetSettings { fps: self.fps.unwrap_or(default.fps), is_in_place: self.is_in_place, ..default }
    }

    fn gait(&self, base: GaitSettings) -> Result<GaitSettings, GaitError> {
        let speed_m_s = self.speed_m_s.unwrap_or(base.speed_m_s);
        let path = self.path.clone().unwrap_or_default();
        // What the whole way takes, where one is given.
        let needed = match path.points.is_empty() || speed_m_s <= 0.0 {
            true => base.seconds,
            false => GroundPath::through(&path.points)?.length_m() / speed_m_s,
        };
        let last_change = path.speeds.last().map_or(0.0, |key| key.time + 1.0);
        Ok(GaitSettings {
            speed_m_s,
            speeds: path.speeds,
            path: path.points,
            seconds: self.seconds.unwrap_or(needed.max(last_change)),
            is_from_rest: self.is_from_rest,
            is_to_rest: self.is_to_rest,
            personality: self.personality,
            seed: self.seed,
            ..base
        })
    }
}
