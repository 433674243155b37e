//! Draws frames of a film.

use super::actor::segment;
use super::digest::Digest;
use super::open::Film;
use super::player::Player;
use crate::SceneError;
use crate::scene_text::render_camera;
use glam::Vec3;
use sinew_io::Report;
use sinew_picture::{PictureError, PictureSettings, objects};
use sinew_render::{Image, Overlay, OverlayDepth, RenderSettings, Renderer, Scene, Steady};
use std::sync::Arc;

/// How frames are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// With light and shadow.
    #[default]
    Shaded,
    /// Outlines and skeletons: for looking at motion and cameras.
    Lines,
}

/// What all frames of a film share: surfaces with their looks, floor, lamps. Made once; every artist has a copy, textures are shared.
pub struct FilmSet {
    pub(super) film: Arc<Film>,
    scene: Scene,
    style: Style,
}

/// Draws frames on one thread; a frame does not depend on those drawn before.
pub struct Artist {
    film: Arc<Film>,
    player: Player,
    scene: Scene,
    renderer: Renderer,
    style: Style,
}

/// Color and width of bones in line drawings.
const BONE_COLOR: [u8; 4] = [30, 96, 190, 200];
const BONE_WIDTH_PX: f32 = 1.6;

impl FilmSet {
    /// The set of a film; textures that cannot be decoded are reported.
    pub fn new(film: &Arc<Film>, style: Style, report: &mut Report) -> Self {
        let player = film.player();
        let settings = PictureSettings::default();
        let objects = player.cast.iter().flat_map(|cast| {
            let mut own = Report::default();
            let found = objects(&cast.posed, &settings, None, &mut own);
            own.warnings().iter().for_each(|warning| report.warn(&cast.actor.name, warning));
            found
        });
        let scene = Scene {
            objects: objects.collect(),
            ground: film.file.ground.plane(),
            floor_marks: film.file.ground.marks(film.subject_m),
            background: film.file.background.into(),
            lights: film.file.light.lights(),
            ..Scene::default()
        };
        Self { film: film.clone(), scene, style }
    }
}

impl Artist {
    /// An artist on a set.
    pub fn new(set: &FilmSet) -> Self {
        let (film, scene, style) = (set.film.clone(), set.scene.clone(), set.style);
        Self { player: film.player(), film, scene, renderer: Renderer::new(), style }
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// The renderer refused the size.
    pub fn draw(&mut self, frame: usize) -> Result<Image, SceneError> {
        let time_secs = self.film.time_secs(frame);
        let (index, view) = self.film.view(time_secs);
        let view = view.map_err(|problem| self.film.no_view(index, time_secs, problem))?;
        let camera = render_camera(&view);
        self.player.set(time_secs);
        self.dress();
        let (width, height) = self.film.size();
        let settings = RenderSettings { width, height, quality: self.film.file.quality };
        let drawn = match self.style {
            Style::Shaded => {
                let center = self.player.joint_bounds().center();
                let (extent, subject) = (self.film.extent_m, self.film.subject_m);
                self.scene.steady = Some(Steady { center, extent, subject });
                self.renderer.render(&self.scene, &camera, &settings)
            }
            Style::Lines => {
                self.scene.overlays = self.bones();
                self.renderer.render_lines(&self.scene, &camera, &settings)
            }
        };
        Ok(drawn.map_err(PictureError::from)?)
    }

    /// The digest of the joints of the frame that was drawn last: the same for every style.
    pub fn joint_digest(&self) -> Digest {
        self.player.joint_digest()
    }

    /// Copies the posed skins into the scene.
    fn dress(&mut self) {
        let mut objects = self.scene.objects.iter_mut();
        for cast in &self.player.cast {
            for (placed, object) in cast.posed.bound().instances().iter().zip(&mut objects) {
                cast.surface_into(placed.vertices.clone(), &mut object.positions, &mut object.normals);
            }
        }
    }

    /// The skeletons, seen through the skin.
    fn bones(&self) -> Vec<Overlay> {
        let mut overlays = Vec::new();
        for cast in &self.player.cast {
            let actor = &cast.actor;
            let place = |point: Vec3| actor.scene_from_model.transform_point3(point);
            for &bone in &actor.flesh.bones {
                let (head, tip) = segment(&actor.character, bone, cast.posed.model_from_bone());
                overlays.push(Overlay::Polyline {
                    points: vec![place(head), place(tip)],
                    closed: false,
                    width_px: BONE_WIDTH_PX,
                    color: BONE_COLOR,
                    depth: OverlayDepth::XRay,
                });
            }
        }
        overlays
    }
}
