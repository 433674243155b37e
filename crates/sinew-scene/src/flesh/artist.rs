//! Draws flesh in motion: the skin, or what lies under it.

use super::inside::{FibreLines, MuscleColors, cut_plane, skin_behind};
use crate::flesh::TetSection;
use crate::scene_text::GroundText;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use sinew_flesh::{FleshFrames, FleshMotion, FleshPlaces, FleshRun, FleshSkin};
use sinew_geometry::Bounds;
use sinew_io::Report;
use sinew_motion::camera::FollowCurve;
use sinew_picture::{BackgroundChoice, CameraChoice, PictureSettings, objects};
use sinew_render::{
    Camera, Ground, Image, Material, Object, Quality, RenderError, RenderSettings, Renderer, Scene, Steady,
    View,
};
use std::str::FromStr;
use std::sync::Arc;

/// What is shown of flesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FleshShow {
    /// Half of the body, cut open: bone, muscle and fat.
    Layers,
    /// The way that fibres run under the skin.
    Fibres,
    /// Muscles under the skin, bright where they are short.
    Muscles,
}

impl FromStr for FleshShow {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "layers" => Ok(Self::Layers),
            "fibres" | "fibers" => Ok(Self::Fibres),
            "muscles" => Ok(Self::Muscles),
            _ => Err("use layers, fibres or muscles".to_owned()),
        }
    }
}

/// How flesh is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FleshPicture {
    /// Where from; views follow a character that walks away. Default: three-quarter.
    pub camera: CameraChoice,
    /// Width and height in pixels. Default: 960 × 960.
    pub size: (u32, u32),
    /// How well it is drawn. Default: standard.
    pub quality: Quality,
    /// What is shown instead of the skin alone. Default: nothing.
    pub show: Vec<FleshShow>,
    /// What lies behind. Default: the studio.
    pub background: BackgroundChoice,
}

impl Default for FleshPicture {
    fn default() -> Self {
        Self {
            camera: CameraChoice::View(View::ThreeQuarter),
            size: (960, 960),
            quality: Quality::Standard,
            show: Vec::new(),
            background: BackgroundChoice::Studio,
        }
    }
}

/// Draws frames of flesh, each as all others left it unseen.
pub struct FleshArtist {
    skin: FleshSkin,
    picture: FleshPicture,
    scene: Scene,
    renderer: Renderer,
    filming: Filming,
    places: FleshPlaces,
    section: Option<TetSection>,
    fibres: Option<FibreLines>,
    muscles: Option<MuscleColors>,
    /// Size of the body, metres.
    subject_m: f32,
}

/// A camera, and the way that it goes along with the character.
struct Filming {
    camera: Camera,
    way: Option<Way>,
    fps: f64,
}

/// A smooth way, and how many samples of it come before the first frame.
struct Way {
    curve: FollowCurve,
    lead: usize,
}

/// Lines are a pixel wide in a picture so high.
const LINES_PX: f32 = 600.0;

/// Frames that the camera looks at to find its place.
const FRAMED_FRAMES: usize = 12;

/// A character that goes farther than this share of its size is followed.
const TRAVEL: f32 = 0.6;

/// Seconds over which a followed character's way is smoothed.
const SMOOTH_SECS: f64 = 0.4;

impl FleshArtist {
    /// An artist for frames that were played; textures that cannot be decoded are reported.
    ///
    /// # Panics
    /// If there is no frame.
    pub fn new(
        run: &FleshRun,
        motion: &FleshMotion,
        frames: &Arc<FleshFrames>,
        picture: &FleshPicture,
        report: &mut Report,
    ) -> Self {
        let rig = run.rig();
        let mut skin = FleshSkin::new(run, motion, frames);
        let (filming, lowest) = Filming::new(&mut skin, picture, motion.fps);
        let shows = |what: FleshShow| picture.show.contains(&what);
        let plane = cut_plane(rig);
        let section = shows(FleshShow::Layers)
            .then(|| TetSection::new(&rig.covered.cover.mesh, plane, Some(&rig.anatomy.skin_distance_m)));
        let mut drawn = objects(skin.posed(), &PictureSettings::default(), None, report);
        if section.is_some() {
            skin_behind(&mut drawn, rig, plane);
        }
        if shows(FleshShow::Fibres) || shows(FleshShow::Muscles) {
            drawn.iter_mut().for_each(undress);
        }
        if let Some(section) = &section {
            let material =
                Material { base_color: Vec3::ONE.extend(1.0), roughness: 0.8, ..Material::default() };
            drawn.push(Object {
                vertex_colors: section.layer_colors(&rig.anatomy),
                ..Object::new(
                    section.blend(rig.covered.cover.mesh.points()),
                    section.triangles.clone(),
                    material,
                )
            });
        }
        let subject_m = Bounds::of(&rig.covered.surface.positions).diagonal();
        // A floor where the flesh's own is, or under what is lowest.
        let y =
            if rig.contact.ground && (rig.contact.ground_height_m as f32 - lowest).abs() < 0.05 * subject_m {
                rig.contact.ground_height_m as f32
            } else {
                lowest
            };
        let scene = Scene {
            objects: drawn,
            ground: Ground::Plane { y },
            floor_marks: filming.way.as_ref().and_then(|_| GroundText::default().marks(subject_m)),
            background: picture.background.into(),
            ..Scene::default()
        };
        Self {
            places: FleshPlaces::new(run, frames),
            fibres: shows(FleshShow::Fibres).then(|| FibreLines::new(rig)),
            muscles: shows(FleshShow::Muscles).then(|| MuscleColors::new(rig)),
            picture: picture.clone(),
            renderer: Renderer::new(),
            skin,
            scene,
            filming,
            section,
            subject_m,
        }
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> usize {
        self.skin.frame_count()
    }

    /// Where a frame is looked at from.
    pub fn camera_at(&self, frame: usize) -> Camera {
        self.filming.at(frame)
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// The renderer refused the size.
    pub fn draw(&mut self, frame: usize) -> Result<Image, RenderError> {
        self.skin.set(frame);
        let mut objects = self.scene.objects.iter_mut();
        let instances = self.skin.posed().bound().instances();
        for (placed, object) in instances.iter().zip(&mut objects) {
            object.positions.copy_from_slice(&self.skin.positions()[placed.vertices.clone()]);
            object.normals.copy_from_slice(&self.skin.normals()[placed.vertices.clone()]);
        }
        if self.section.is_some() || self.fibres.is_some() {
            self.places.set(frame, self.skin.pose());
        }
        if let (Some(section), Some(object)) = (&self.section, objects.next()) {
            object.positions = section.blend(self.places.now());
        }
        if let Some(muscles) = &self.muscles {
            muscles.paint(&mut self.scene.objects, &self.skin);
        }
        if let Some(fibres) = &self.fibres {
            self.scene.overlays =
                fibres.overlays(&self.skin, self.places.now(), self.picture.size.1 as f32 / LINES_PX);
        }
        let center = Bounds::of(self.skin.positions()).center();
        self.scene.steady = Some(Steady { center, extent: 1.5 * self.subject_m, subject: self.subject_m });
        let (width, height) = self.picture.size;
        let settings = RenderSettings { width, height, quality: self.picture.quality };
        self.renderer.render(&self.scene, &self.filming.at(frame), &settings)
    }
}

/// Takes materials away, for what is drawn in colors of its own.
fn undress(object: &mut Object) {
    object.groups.clear();
    object.vertex_colors.clear();
    object.uvs.clear();
}

impl Filming {
    /// The camera for all frames, and the height of what is lowest.
    fn new(skin: &mut FleshSkin, picture: &FleshPicture, fps: f64) -> (Self, f32) {
        let count = skin.frame_count();
        let (mut centers, mut framed, mut lowest) = (Vec::with_capacity(count), Vec::new(), f32::MAX);
        let step = count.div_ceil(FRAMED_FRAMES);
        for frame in 0..count {
            skin.set_positions(frame);
            let bounds = Bounds::of(skin.positions());
            let center = bounds.center().with_y(0.0);
            lowest = lowest.min(bounds.min().y);
            centers.push(center);
            if frame % step == 0 {
                framed.extend(skin.positions().iter().map(|place| (*place, center)));
            }
        }
        let way = Bounds::of(&centers);
        let size_m = framed.iter().map(|(place, center)| (*place - *center).length()).fold(0.0, f32::max);
        let view = match picture.camera {
            CameraChoice::At { eye, target, vertical_fov_rad } => {
                let camera = Camera { eye, target, up: Vec3::Y, vertical_fov_rad };
                return (Self { camera, way: None, fps }, lowest);
            }
            CameraChoice::View(view) => view,
            CameraChoice::Sheet => View::ThreeQuarter,
        };
        let aspect = picture.size.0 as f32 / picture.size.1 as f32;
        if way.diagonal() < TRAVEL * size_m {
            let camera = Camera::frame(view, framed.into_iter().map(|(place, _)| place), aspect);
            return (Self { camera, way: None, fps }, lowest);
        }
        let (samples, lead) = going_on(&centers, (SMOOTH_SECS * fps).ceil() as usize);
        let camera = Camera::frame(view, framed.into_iter().map(|(place, center)| place - center), aspect);
        let way = Way { curve: FollowCurve::new(&samples, fps, SMOOTH_SECS), lead };
        (Self { camera, way: Some(way), fps }, lowest)
    }

    fn at(&self, frame: usize) -> Camera {
        let Some(way) = &self.way else { return self.camera };
        let along = way.curve.at((frame + way.lead) as f64 / self.fps).value.as_vec3();
        Camera { eye: self.camera.eye + along, target: self.camera.target + along, ..self.camera }
    }
}

/// Places with `lead` more before the first and after the last, as if the character had come and went on as it is seen: the camera then
/// neither waits for it nor is left behind. Also tells how many there are.
fn going_on(places: &[Vec3], lead: usize) -> (Vec<DVec3>, usize) {
    let last = places.len() - 1;
    let lead = lead.min(last);
    let before = (1..=lead).rev().map(|at| 2.0 * places[0] - places[at]);
    let after = (1..=lead).map(|at| 2.0 * places[last] - places[last - at]);
    let all = before.chain(places.iter().copied()).chain(after);
    (all.map(|place| place.as_dvec3()).collect(), lead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_goes_on_before_and_after() {
        let places: Vec<Vec3> = (0..5).map(|at| Vec3::X * at as f32).collect();
        let (all, lead) = going_on(&places, 3);
        assert_eq!((all.len(), lead), (11, 3));
        assert!(
            all.iter().enumerate().all(|(at, place)| (place.x - (at as f64 - 3.0)).abs() < 1e-9),
            "{all:?}"
        );
        assert_eq!(going_on(&places[..1], 3), (vec![DVec3::ZERO], 0));
    }
}
