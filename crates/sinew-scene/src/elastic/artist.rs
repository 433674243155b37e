//! Draws frames of a scene that was played.

use super::gauges::{Gauge, GaugeBoard};
use super::playback::{Playback, PlayedFrame};
use super::scene::ElasticScene;
use crate::SceneError;
use crate::scene_text::{FollowText, Spot, did_you_mean, render_camera};
use glam::{DVec3, Vec2, Vec3};
use sinew_geometry::Bounds;
use sinew_geometry::progress::Progress;
use sinew_motion::camera::{CameraRig, FollowCurve};
use sinew_picture::screen::Screen;
use sinew_picture::{PictureError, strip, strip_frames};
use sinew_render::{
    Align, Camera, Image, LabelAnchor, Material, Object, Overlay, OverlayDepth, RenderSettings, Renderer,
    Scene, Steady, TextStyle, View, linear_from_rgb8,
};
use std::sync::Arc;

/// Draws frames, each as all others left it unseen.
pub struct ElasticArtist {
    scene: Arc<ElasticScene>,
    playback: Arc<Playback>,
    drawn: Scene,
    camera: Filming,
    gauges: Vec<Gauge>,
    renderer: Renderer,
    bounds: Bounds,
}

enum Filming {
    Fixed(Camera),
    /// With its line in the scene file.
    Rig(usize, CameraRig),
}

const HANDLE_COLOR: [u8; 4] = [232, 142, 40, 255];
const LABEL_COLOR: [u8; 4] = [52, 58, 66, 255];

/// The shade of colliders: matt.
const COLLIDER_ROUGHNESS: f32 = 0.9;

impl ElasticArtist {
    /// An artist for a scene as it was played.
    ///
    /// # Errors
    /// The camera follows what is not there.
    pub fn new(scene: &Arc<ElasticScene>, playback: &Arc<Playback>) -> Result<Self, SceneError> {
        let bounds = playback.bounds();
        let file = &scene.file;
        let camera = match &file.camera {
            Some(text) => {
                let rig = text.rig(&|follow| follow_curve(follow, scene, playback))?;
                Filming::Rig(text.line, rig)
            }
            None => {
                let aspect = file.size.0 as f32 / file.size.1 as f32;
                Filming::Fixed(Camera::frame(View::ThreeQuarter, bounds.corners(), aspect))
            }
        };
        let drawn = Scene {
            objects: objects(scene),
            ground: file.ground.plane(),
            floor_marks: file.ground.marks(bounds.diagonal()),
            background: file.background.into(),
            lights: file.light.lights(),
            ..Scene::default()
        };
        let (renderer, gauges) = (Renderer::new(), Gauge::all(scene));
        let (scene, playback) = (scene.clone(), playback.clone());
        Ok(Self { scene, playback, drawn, camera, gauges, renderer, bounds })
    }

    /// Draws a frame in the scene's size.
    ///
    /// # Errors
    /// The camera sees nothing then, or the renderer refused the size.
    pub fn draw(&mut self, frame: usize) -> Result<Image, SceneError> {
        let (width, height) = self.scene.size();
        let playback = self.playback.clone();
        let played = &playback.frames[frame];
        let camera = self.camera_at(played.time_secs)?;
        self.dress(frame);
        let screen = Screen::of(&camera, (width, height));
        self.drawn.overlays = self.marks(played);
        let board = GaugeBoard { scene: &self.scene, playback: &playback, frame, screen: &screen };
        self.drawn.overlays.extend(board.overlays(&self.gauges));
        let settings = RenderSettings { width, height, quality: self.scene.file.quality };
        Ok(self.renderer.render(&self.drawn, &camera, &settings).map_err(PictureError::from)?)
    }

    /// Draws moments of the scene on one sheet.
    ///
    /// # Errors
    /// As [`ElasticArtist::draw`], or the caller stops.
    pub fn strip(&mut self, progress: &Progress<'_>) -> Result<Image, SceneError> {
        let moments = self.strip_moments();
        let columns = self.scene.file.strip.columns.unwrap_or(moments.len().div_ceil(2).min(4));
        strip(&moments, columns, progress, |frame| self.draw(frame))
    }

    /// Which frames the strip shows, with their times in seconds.
    pub fn strip_moments(&self) -> Vec<(usize, f64)> {
        let frames = match &self.scene.file.strip.times_secs[..] {
            [] => strip_frames(self.playback.frames.len()),
            given => given.iter().map(|time| self.playback.frame_at(&self.scene, *time)).collect(),
        };
        frames.into_iter().map(|frame| (frame, self.playback.frames[frame].time_secs)).collect()
    }

    fn camera_at(&self, time_secs: f64) -> Result<Camera, SceneError> {
        match &self.camera {
            Filming::Fixed(camera) => Ok(*camera),
            Filming::Rig(line, rig) => {
                let place = || format!("camera at {time_secs:.3} s");
                let view = rig.view_at(time_secs);
                Ok(render_camera(&view.map_err(|problem| SceneError::at(*line, place(), problem))?))
            }
        }
    }

    /// Puts all surfaces where they are in a frame.
    fn dress(&mut self, frame: usize) {
        let vertices = self.playback.frames[frame].vertices(&self.scene);
        let mut rest = vertices.as_slice();
        for object in &mut self.drawn.objects {
            let (own, others) = rest.split_at(object.positions.len());
            object.positions.copy_from_slice(own);
            rest = others;
        }
        let (extent, subject) = (self.bounds.diagonal(), self.subject_m());
        self.drawn.steady = Some(Steady { center: self.bounds.center(), extent: 1.1 * extent, subject });
    }

    /// Size of one body.
    fn subject_m(&self) -> f32 {
        let sizes = self.scene.casts.iter().map(|cast| Bounds::of(cast.model.mesh.points()).diagonal());
        sizes.fold(0.0, f32::max)
    }

    /// Labels, handles and the time.
    fn marks(&self, played: &PlayedFrame) -> Vec<Overlay> {
        let unit = self.scene.size().1 as f32 / 720.0;
        let mut overlays = Vec::new();
        for (cast, body) in self.scene.casts.iter().zip(&played.bodies) {
            let Some(text) = &cast.label else { continue };
            let bounds = Bounds::of(&body.positions);
            let point = bounds.center().with_y(bounds.max().y);
            let style = TextStyle {
                size_px: 22.0 * unit,
                color: LABEL_COLOR,
                align: Align::Center,
                halo: Some([255, 255, 255, 200]),
            };
            let at = LabelAnchor::Scene { point, offset_px: Vec2::new(0.0, -16.0 * unit) };
            overlays.push(Overlay::Label { text: text.clone(), at, style });
        }
        if self.scene.file.show.has_handles {
            overlays.push(Overlay::Points {
                points: played.grips.iter().flatten().copied().collect(),
                radius_px: 9.0 * unit,
                color: HANDLE_COLOR,
                depth: OverlayDepth::XRay,
            });
        }
        if self.scene.file.show.has_time {
            let (width, _) = self.scene.size();
            let at = Vec2::new(width as f32 - 24.0 * unit, 40.0 * unit);
            let text = format!("{:.2} s", played.time_secs);
            overlays.push(Screen::text(text, at, 22.0 * unit, LABEL_COLOR, Align::Right));
        }
        overlays
    }
}

fn objects(scene: &ElasticScene) -> Vec<Object> {
    let bodies = scene.casts.iter().map(|cast| {
        let skin = &cast.model.skin;
        let material = if skin.colors.is_empty() {
            Material { base_color: linear_from_rgb8(cast.color).extend(1.0), ..Material::default() }
        } else {
            Material { base_color: glam::Vec4::ONE, ..Material::default() }
        };
        Object {
            vertex_colors: skin.colors.clone(),
            wireframe: cast.is_wired,
            ..Object::new(vec![Vec3::ZERO; skin.vertex_count()], skin.triangles.clone(), material)
        }
    });
    let drawn = scene.obstacles.iter().filter_map(|obstacle| obstacle.drawn.as_ref());
    let obstacles = drawn.map(|(mesh, color)| {
        let base_color = linear_from_rgb8(*color).extend(1.0);
        let material = Material { base_color, roughness: COLLIDER_ROUGHNESS, ..Material::default() };
        Object::new(mesh.positions.clone(), mesh.triangles.clone(), material)
    });
    bodies.chain(obstacles).collect()
}

/// Where the middle of a body goes.
fn follow_curve(
    follow: &FollowText,
    scene: &ElasticScene,
    playback: &Playback,
) -> Result<FollowCurve, SceneError> {
    let failed = |message: String| Spot { line: follow.line, column: 1 }.error("camera".into(), message);
    if follow.bone.is_some() {
        return Err(failed("soft bodies have no bones; remove `bone`".into()).into());
    }
    let found = scene.casts.iter().position(|cast| cast.name == follow.character);
    let cast = found.ok_or_else(|| {
        let hint = did_you_mean(&follow.character, scene.casts.iter().map(|cast| cast.name.as_str()));
        failed(format!("unknown body {:?}{hint}", follow.character))
    })?;
    let center = |frame: &PlayedFrame| {
        let places = &frame.bodies[cast].positions;
        places.iter().map(|place| place.as_dvec3()).sum::<DVec3>() / places.len().max(1) as f64
    };
    let samples: Vec<DVec3> = playback.frames.iter().map(center).collect();
    Ok(FollowCurve::new(&samples, scene.fps(), follow.smooth_secs))
}
