//! The scene of one character.

use super::choices::{CameraChoice, PictureSettings, Show};
use super::looks::Looks;
use crate::PictureError;
use crate::compare::bone_name;
use glam::{Vec2, Vec3};
use sinew_geometry::progress::{Interrupted, Progress};
use sinew_io::Report;
use sinew_model::Frames;
use sinew_render::{
    BoneSegment, Camera, ColorMap, Ground, Image, Object, Overlay, Quality, RenderSettings, Renderer,
    ScalarMap, Scene, View, contact_sheet,
};
use sinew_rig::{BoneId, Pose};
use sinew_skin::PosedCharacter;
use std::sync::atomic::{AtomicBool, Ordering};

/// A character in a studio: made once, drawn again for every pose.
pub struct Stage {
    scene: Scene,
    renderer: Renderer,
    settings: PictureSettings,
    /// What the camera frames, scene space.
    framed: Vec<Vec3>,
    highlighted: Option<BoneId>,
    /// Whether there is a surface to draw; otherwise the skeleton is drawn.
    has_surface: bool,
}

/// Frames of a clip that the camera looks at to find its place.
const FRAMED_FRAMES: usize = 12;

/// Width and height of the picture that tells whether a camera sees anything.
const PROBE_SIZE: u32 = 64;

/// The views of a contact sheet.
const SHEET_VIEWS: [(View, &str); 4] = [
    (View::Front, "front"),
    (View::ThreeQuarter, "three-quarter"),
    (View::Side, "side"),
    (View::Back, "back"),
];

impl Stage {
    /// Sets the stage for the poses of `frames`: the camera sees all of them and does not move.
    ///
    /// A model without a surface is shown by its bones.
    ///
    /// # Errors
    /// `weights=BONE` names no bone, or there is nothing to draw: neither triangles nor bones.
    pub fn new(
        posed: &mut PosedCharacter,
        frames: &Frames,
        settings: &PictureSettings,
        report: &mut Report,
    ) -> Result<Self, PictureError> {
        let mut pose = Pose::rest(posed.character());
        let mut framed = Vec::new();
        let has_surface = posed.instance_triangles().iter().any(|triangles| !triangles.is_empty());
        let step = frames.count().div_ceil(FRAMED_FRAMES);
        for frame in (0..frames.count()).step_by(step) {
            frames.pose_into(frame, &mut pose);
            posed.set(&pose);
            if has_surface {
                framed.extend(posed.surface().positions.iter().copied());
            } else {
                framed.extend(bone_segments(posed, None).iter().flat_map(|bone| [bone.head, bone.tip]));
            }
        }
        framed.retain(|position| position.is_finite());
        if framed.is_empty() {
            return Err(PictureError::Empty);
        }
        let lowest = framed.iter().map(|position| position.y).reduce(f32::min);
        let mut weights_of = None;
        for show in &settings.show {
            if let Show::Weights(bone) = show {
                weights_of = Some(posed.character().skeleton().find(bone)?);
            }
        }
        let scene = Scene {
            objects: objects(posed, settings, weights_of, report),
            ground: match lowest {
                Some(y) if settings.has_ground => Ground::Plane { y },
                _ => Ground::None,
            },
            background: settings.background.into(),
            ..Scene::default()
        };
        Ok(Self {
            scene,
            renderer: Renderer::new(),
            settings: settings.clone(),
            framed,
            highlighted: weights_of,
            has_surface,
        })
    }

    /// Draws the character as it is posed now.
    ///
    /// # Errors
    /// The renderer refused the picture's size or the scene, or the caller stops.
    pub fn draw(&mut self, posed: &PosedCharacter, progress: &Progress<'_>) -> Result<Image, PictureError> {
        for (object, placed) in self.scene.objects.iter_mut().zip(posed.bound().instances()) {
            object.positions.copy_from_slice(&posed.surface().positions[placed.vertices.clone()]);
            object.normals.copy_from_slice(&posed.surface().normals[placed.vertices.clone()]);
        }
        if self.settings.show.contains(&Show::Bones) || !self.has_surface {
            let segments = bone_segments(posed, self.highlighted);
            self.scene.overlays = vec![Overlay::Bones { segments, size: 1.0 }];
        }
        match self.settings.camera {
            CameraChoice::View(view) => self.view(view, self.settings.size, progress),
            CameraChoice::At { eye, target, vertical_fov_rad } => {
                let camera = Camera { eye, target, up: Vec3::Y, vertical_fov_rad };
                if !self.sees_something(&camera) {
                    return Err(PictureError::OutOfView);
                }
                self.render(&camera, self.settings.size, progress)
            }
            CameraChoice::Sheet => self.sheet(progress),
        }
    }

    /// Whether a camera sees any of the surface or skeleton. A vertex in the picture is enough; without one, a triangle may still
    /// reach across it, so the picture itself is asked.
    fn sees_something(&mut self, camera: &Camera) -> bool {
        let (width, height) = self.settings.size;
        let is_in_picture = |point: &Vec3| {
            camera.project(*point, width, height).is_some_and(|(pixel, _)| {
                pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(Vec2::new(width as f32, height as f32)).all()
            })
        };
        let positions = self.scene.objects.iter().flat_map(|object| &object.positions);
        if positions.chain(&self.framed).any(is_in_picture) {
            return true;
        }
        let settings = RenderSettings { width: PROBE_SIZE, height: PROBE_SIZE, quality: Quality::Standard };
        let bare = Scene { background: self.scene.background, ..Scene::default() };
        let shown = Scene { ground: Ground::None, ..self.scene.clone() };
        let mut draw = |scene: &Scene| self.renderer.render(scene, camera, &settings).ok();
        draw(&shown) != draw(&bare)
    }

    /// Four views on a page as large as one picture, or a little more for the captions.
    fn sheet(&mut self, progress: &Progress<'_>) -> Result<Image, PictureError> {
        let (width, height) = self.settings.size;
        let size = ((width / 2).max(1), (height / 2).max(1));
        let mut cells = Vec::new();
        for (index, (view, caption)) in SHEET_VIEWS.into_iter().enumerate() {
            let part = progress.one_of("", index, SHEET_VIEWS.len());
            cells.push((self.view(view, size, &part)?, caption.to_owned()));
        }
        Ok(contact_sheet(&cells, 2, None)?)
    }

    fn view(&mut self, view: View, size: (u32, u32), progress: &Progress<'_>) -> Result<Image, PictureError> {
        let aspect = size.0 as f32 / size.1 as f32;
        let camera = Camera::frame(view, self.framed.iter().copied(), aspect);
        self.render(&camera, size, progress)
    }

    fn render(
        &mut self,
        camera: &Camera,
        size: (u32, u32),
        progress: &Progress<'_>,
    ) -> Result<Image, PictureError> {
        let settings = RenderSettings { width: size.0, height: size.1, quality: self.settings.quality };
        let is_stopped = AtomicBool::new(false);
        let tell = |share: f32| {
            if progress.step((100.0 * share) as usize, 100).is_err() {
                is_stopped.store(true, Ordering::Relaxed);
            }
        };
        let image = self.renderer.render_with_progress(&self.scene, camera, &settings, &tell)?;
        if is_stopped.into_inner() { Err(Interrupted.into()) } else { Ok(image) }
    }
}

/// One object a mesh instance.
pub fn objects(
    posed: &PosedCharacter,
    settings: &PictureSettings,
    weights_of: Option<BoneId>,
    report: &mut Report,
) -> Vec<Object> {
    let character = posed.character();
    let looks = Looks::of(character, report);
    let weights = weights_of.map(|bone| (bone, bone_weights(posed, bone)));
    posed
        .bound()
        .instances()
        .iter()
        .zip(posed.instance_triangles())
        .map(|(placed, triangles)| {
            let mesh = character.mesh_of(placed.instance);
            let map_of = |(bone, weights): &(BoneId, Vec<f32>)| ScalarMap {
                values: weights[placed.vertices.clone()].to_vec(),
                range: (0.0, 1.0),
                color_map: ColorMap::Weights,
                label: format!("weight of {}", bone_name(character, *bone)),
                unit: String::new(),
            };
            Object {
                positions: posed.surface().positions[placed.vertices.clone()].to_vec(),
                normals: posed.surface().normals[placed.vertices.clone()].to_vec(),
                uvs: looks.uvs(mesh),
                vertex_colors: mesh.colors.clone(),
                triangles,
                groups: looks.groups(mesh),
                scalar_map: weights.as_ref().map(map_of),
                wireframe: settings.show.contains(&Show::Wire),
            }
        })
        .collect()
}

/// How much a bone moves each vertex.
fn bone_weights(posed: &PosedCharacter, bone: BoneId) -> Vec<f32> {
    let bound = posed.bound();
    (0..bound.vertex_count())
        .map(|vertex| {
            let is_bone = |entry: u16| bound.palette()[usize::from(entry)].bone == bone;
            bound
                .influences()
                .pairs(vertex)
                .filter(|(entry, _)| is_bone(*entry))
                .map(|(_, weight)| weight)
                .sum()
        })
        .collect()
}

/// Which bones move a vertex.
fn bones_with_weight(posed: &PosedCharacter) -> Vec<bool> {
    let bound = posed.bound();
    let mut moving = vec![false; posed.character().skeleton().bone_count()];
    for vertex in 0..bound.vertex_count() {
        for &entry in bound.influences().of(vertex).0 {
            moving[bound.palette()[usize::from(entry)].bone.index()] = true;
        }
    }
    moving
}

/// The skeleton to draw: from every joint to each of its children, and a stub at the ends. Other nodes have no body to show.
fn bone_segments(posed: &PosedCharacter, highlighted: Option<BoneId>) -> Vec<BoneSegment> {
    let character = posed.character();
    let skeleton = character.skeleton();
    let joints = character.joints();
    // A model without skin still has nodes that a user may want to see.
    let all = || (0..skeleton.bone_count()).map(BoneId::of).collect();
    let shown: Vec<BoneId> = if joints.is_empty() { all() } else { joints };
    let is_shown = |bone: BoneId| shown.binary_search(&bone).is_ok();
    let moving = bones_with_weight(posed);
    let mut segments = Vec::new();
    for &bone in &shown {
        let segment = |tip: Vec3| BoneSegment {
            head: posed.head(bone),
            tip,
            link: None,
            highlighted: highlighted == Some(bone),
        };
        // A root that moves nothing only says where the model stands: a bone from there to the hips would mean nothing.
        let is_anchor =
            skeleton.bone(bone).parent.is_none_or(|parent| !is_shown(parent)) && !moving[bone.index()];
        let mut children = skeleton.children(bone).filter(|&child| is_shown(child) && !is_anchor).peekable();
        match (children.peek(), skeleton.bone(bone).tip_in_bone) {
            (None, Some(tip)) if !is_anchor => {
                segments.push(segment(posed.model_from_bone()[bone.index()].transform_point3(tip)))
            }
            (None, _) => segments.push(segment(posed.head(bone))),
            _ => segments.extend(children.map(|child| segment(posed.head(child)))),
        }
    }
    segments
}
