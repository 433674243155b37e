//! From a scene file to a scene: files read, bodies made, handles and colliders bound.

use super::cast::Cast;
use super::driving;
use super::model::BodyModel;
use super::obstacle::Obstacle;
use super::text::{ElasticFile, HandleText};
use crate::scene_text::{TextError, did_you_mean};
use crate::{Reading, SceneChoices, SceneError};
use sinew_geometry::Random;
use sinew_io::Report;
use sinew_soft::{Between, CheckSettings, ExampleSet, StepSettings};
use std::sync::Arc;

/// A scene that can be played.
pub struct ElasticScene {
    pub(super) file: ElasticFile,
    pub(super) casts: Vec<Cast>,
    pub(super) obstacles: Vec<Obstacle>,
    pub(super) handles: Vec<Handle>,
    frame_count: usize,
    steps_in_frame: usize,
}

/// A handle on the particles of one body.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    pub(super) text: HandleText,
    pub(super) cast: usize,
    pub(super) particles: Vec<usize>,
}

/// Memory that the particles of a scene in all frames may take, bytes.
const MOST_BYTES: f64 = 4.0 * (1u64 << 30) as f64;

impl ElasticScene {
    /// Reads the text of a scene file and all that it names.
    ///
    /// # Errors
    /// Anything that keeps it from being played, with its line and column in the scene file.
    pub fn read(
        text: &str,
        choices: &SceneChoices,
        reading: &mut Reading<'_>,
    ) -> Result<Arc<Self>, SceneError> {
        let mut file = ElasticFile::parse(text)?;
        file.size = choices.size.unwrap_or(file.size);
        file.quality = choices.quality.unwrap_or(file.quality);
        if let Some(fps) = choices.fps {
            // Steps stay as short as the scene asks for.
            file.rate = fps * (file.rate / fps - 1e-9).ceil().max(1.0);
            file.fps = fps;
        }
        let obstacles = file.colliders.iter().map(|collider| Obstacle::new(collider, reading));
        let mut obstacles = obstacles.collect::<Result<Vec<_>, _>>()?;
        obstacles.extend(Obstacle::floor(&file));
        let mut random = Random::new(file.seed);
        let mut casts: Vec<Cast> = Vec::new();
        for body in &file.bodies {
            let model = Arc::new(BodyModel::new(body, reading)?);
            let mut made = Cast::of(body, &model, casts.len(), &mut random)?;
            if file.between.is_between {
                Cast::touch(&mut made, body, &model)?;
            }
            for cast in &mut made {
                cast.drivers = driving::bound(body, &cast.body, obstacles.len())?;
            }
            casts.extend(made);
        }
        let handles = file.handles.iter().map(|handle| taken(handle, &casts));
        let handles = handles.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let frames = (file.duration_secs * file.fps).round().max(1.0);
        let particles: usize = casts.iter().map(|cast| cast.body.particle_count()).sum();
        let bytes = frames * particles as f64 * 12.0;
        if bytes > MOST_BYTES {
            return Err(SceneError::TooLong { frames, particles, gib: bytes / f64::from(1 << 30) });
        }
        let steps_in_frame = (file.rate / file.fps).round().max(1.0) as usize;
        let frame_count = frames as usize;
        Ok(Arc::new(Self { file, casts, obstacles, handles, frame_count, steps_in_frame }))
    }

    /// The bodies.
    pub fn casts(&self) -> &[Cast] {
        &self.casts
    }

    /// Tells of examples whose blends turn inside out or cut through themselves. Looks at every model once; takes up to a second for
    /// some thousand tetrahedra.
    ///
    /// # Errors
    /// Examples that do not fit their body.
    pub fn check_blends(&self, report: &mut Report) -> Result<(), SceneError> {
        let mut looked_at: Vec<&Arc<BodyModel>> = Vec::new();
        for cast in &self.casts {
            let model = &cast.model;
            if model.examples.is_empty() || looked_at.iter().any(|known| Arc::ptr_eq(known, model)) {
                continue;
            }
            looked_at.push(model);
            let skin = model.skin.embedding().map(|embedding| (embedding, model.skin.triangles.as_slice()));
            let found = ExampleSet::check(&model.mesh, &model.examples, skin, &CheckSettings::default());
            for warning in found.map_err(|error| SceneError::Examples { body: cast.name.clone(), error })? {
                report.warn(format!("body {:?}", cast.name), warning.to_string());
            }
        }
        Ok(())
    }

    /// Frames, at least one.
    pub fn frame_count(&self) -> usize {
        self.frame_count
    }

    /// Frames a second.
    pub fn fps(&self) -> f64 {
        self.file.fps
    }

    /// Steps between two frames.
    pub fn steps_in_frame(&self) -> usize {
        self.steps_in_frame
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.file.size
    }

    /// The time of a frame, seconds.
    pub fn time_secs(&self, frame: usize) -> f64 {
        frame as f64 / self.file.fps
    }

    /// How bodies touch each other, if they do.
    pub fn between(&self) -> Option<Between> {
        let text = &self.file.between;
        let usual = Between::default();
        text.is_between.then_some(Between { settings: text.contact, is_self: text.is_self, ..usual })
    }

    /// How bodies are stepped.
    pub fn step_settings(&self) -> StepSettings {
        StepSettings {
            dt_secs: (1.0 / self.file.rate) as f32,
            iterations: self.file.iterations,
            gravity: self.file.gravity.as_vec3(),
            damping: self.file.damping as f32,
            ..StepSettings::default()
        }
    }
}

/// The handle on each body of a family.
fn taken(text: &HandleText, casts: &[Cast]) -> Result<Vec<Handle>, TextError> {
    let failed = |message: String| {
        let place = format!("handle on {:?}", text.body);
        text.spot.error(place, message)
    };
    let is_named = |cast: &Cast| cast.name == text.body || cast.family == text.body;
    if !casts.iter().any(is_named) {
        let hint = did_you_mean(&text.body, casts.iter().map(|cast| cast.name.as_str()));
        return Err(failed(format!("unknown body{hint}")));
    }
    let mut handles = Vec::new();
    for (number, cast) in casts.iter().enumerate().filter(|(_, cast)| is_named(cast)) {
        let places = cast.body.positions().enumerate();
        let particles: Vec<usize> =
            places.filter(|(_, place)| text.grip.holds(place.as_dvec3())).map(|(at, _)| at).collect();
        if !particles.is_empty() {
            handles.push(Handle { text: text.clone(), cast: number, particles });
        }
    }
    if handles.is_empty() {
        let middle = text.grip.middle().as_vec3();
        let all = casts.iter().filter(|cast| is_named(cast)).flat_map(|cast| cast.body.positions());
        let nearest = all.min_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle)));
        let nearest = nearest.unwrap_or_default();
        return Err(failed(format!(
            "no particle is inside; the nearest is at [{:.3}, {:.3}, {:.3}], use a larger radius or another place",
            nearest.x, nearest.y, nearest.z
        )));
    }
    Ok(handles)
}
