//! The renderer: runs the passes of a picture and keeps their buffers.

use std::cell::RefCell;

use glam::Vec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sinew_geometry::Bounds;

use crate::camera::{Camera, Lens};
use crate::color::gradient_noise;
use crate::error::RenderError;
use crate::frame::Frame;
use crate::ground::GroundLight;
use crate::image::{Image, MAX_IMAGE_SIDE, check_size};
use crate::lines::LinePass;
use crate::marks::Marks;
use crate::mesh::{Mesh, Vertex, is_near_enough};
use crate::occlusion::Occlusion;
use crate::raster::{EMPTY, SampleBuffer, TILE_PIXELS, TileJob};
use crate::scene::{Ground, Scene};
use crate::setup::{Bins, TILE};
use crate::shade::{Shader, Studio};
use crate::shade_pass::ShadePass;
use crate::shadow::KeyShadow;
use crate::trace::TracedLight;

/// Quality of lighting, against time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quality {
    /// Shadow map, screen-space occlusion: a fraction of per second.
    #[default]
    Standard,
    /// Ray-traced soft shadows and occlusion, four times the pixels: seconds. Pictures beyond 8192 pixels a side keep
    /// their pixel count.
    High,
}

/// Size and quality of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RenderSettings {
    /// Width in pixels, 1 to [`crate::MAX_IMAGE_SIDE`]. Default: 1280.
    pub width: u32,
    /// Height in pixels, 1 to [`crate::MAX_IMAGE_SIDE`]. Default: 720.
    pub height: u32,
    /// Default: [`Quality::Standard`].
    pub quality: Quality,
}

impl Default for RenderSettings {
    fn default() -> Self {
        Self { width: 1280, height: 720, quality: Quality::Standard }
    }
}

/// Draws pictures. Holds only scratch memory: a picture does not depend on what was drawn before, nor on the number of
/// threads of the rayon pool it runs in.
#[derive(Debug, Default)]
pub struct Renderer {
    mesh: Mesh,
    bins: Bins,
    frame: Frame,
    shadow: KeyShadow,
    ground: GroundLight,
    occlusion: Occlusion,
    traced: TracedLight,
    /// Finished colors, tile by tile.
    colors: Vec<[u8; 3]>,
}

impl Renderer {
    /// A renderer without buffers; the first picture makes them.
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws a scene.
    ///
    /// # Errors
    /// A picture size outside the limits, a camera that is not finite, or a scene whose indices do not fit.
    ///
    /// # Degenerate input
    /// Triangles without area, with positions that are not finite, or more than 10⁹ viewing distances away are left
    /// out. An empty scene shows the background. Floor and overlays at heights or places that are not finite are left
    /// out.
    pub fn render(
        &mut self,
        scene: &Scene,
        camera: &Camera,
        settings: &RenderSettings,
    ) -> Result<Image, RenderError> {
        self.render_with_progress(scene, camera, settings, &|_| ())
    }

    /// As [`Renderer::render`]; calls `progress` with the finished share, 0 to 1, from any thread.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn render_with_progress(
        &mut self,
        scene: &Scene,
        camera: &Camera,
        settings: &RenderSettings,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Result<Image, RenderError> {
        let lens = settings.lens(scene, camera)?;
        let studio = Studio::new(&scene.lights, &lens);
        let scale = settings.scale();
        let fine_lens = lens.enlarged(scale);
        let floor = floor_height(scene, &fine_lens);
        self.mesh.fill(scene, &fine_lens);
        self.draw_surfaces_and_shadows(scene, &fine_lens, &studio, floor, settings);
        self.light(scene, &fine_lens, &studio, floor, settings.quality, progress);
        self.shade(scene, &fine_lens, &studio, floor, settings.quality);
        let mut image = Image::filled(settings.width, settings.height, [0, 0, 0, 255])?;
        self.assemble(&mut image);
        crate::overlay::draw_overlays(&mut image, scene, &lens, &self.frame);
        crate::legend::draw_legends(&mut image, scene);
        progress(1.0);
        Ok(image)
    }

    /// Draws a scene as lines on paper: outlines and creases of what is seen, floor marks and overlays, without light. A fraction of
    /// the time of [`Renderer::render`], for looking at motion. The quality does not count.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn render_lines(
        &mut self,
        scene: &Scene,
        camera: &Camera,
        settings: &RenderSettings,
    ) -> Result<Image, RenderError> {
        let lens = settings.lens(scene, camera)?;
        let (width, height) = (settings.width as usize, settings.height as usize);
        self.mesh.fill(scene, &lens);
        self.bins.fill(&self.mesh, &lens, width, height);
        self.frame.resize(width, height, 1);
        rasterize(scene, &self.mesh, &lens, &self.bins, &mut self.frame);
        let mut image = Image::filled(settings.width, settings.height, [255; 4])?;
        let floor = floor_height(scene, &lens);
        LinePass { scene, mesh: &self.mesh, lens: &lens, frame: &self.frame, floor }.draw(&mut image);
        crate::overlay::draw_overlays(&mut image, scene, &lens, &self.frame);
        Ok(image)
    }

    /// Finds the visible surfaces of each pixel, and meanwhile draws the shadow maps. Both have parts that run on one
    /// thread, which the other's work fills.
    fn draw_surfaces_and_shadows(
        &mut self,
        scene: &Scene,
        lens: &Lens,
        studio: &Studio,
        floor: Option<f32>,
        settings: &RenderSettings,
    ) {
        let scale = settings.scale() as usize;
        let (width, height) = (settings.width as usize * scale, settings.height as usize * scale);
        let Self { mesh, bins, frame, shadow, ground, .. } = self;
        let mesh = &*mesh;
        let draw_surfaces = || {
            bins.fill(mesh, lens, width, height);
            frame.resize(width, height, scale);
            rasterize(scene, mesh, lens, bins, frame);
        };
        let draw_shadows = || {
            shadow.fill(scene, mesh, lens, studio.key.into());
            if let Some(height) = floor {
                ground.fill(scene, mesh, lens, height, studio.key.into());
            }
        };
        rayon::join(draw_surfaces, draw_shadows);
    }

    /// Computes what light is blocked at each visible point.
    fn light(
        &mut self,
        scene: &Scene,
        lens: &Lens,
        studio: &Studio,
        floor: Option<f32>,
        quality: Quality,
        progress: &(dyn Fn(f32) + Sync),
    ) {
        let radius = extent(scene, &self.mesh, lens) * OCCLUSION_REACH;
        let shader = Shader { scene, mesh: &self.mesh, lens, studio, scale: self.frame.scale as f32 };
        match quality {
            Quality::Standard => self.occlusion.fill(&shader, &self.shadow, &self.frame, radius),
            Quality::High => self.traced.fill(&shader, &self.frame, floor, radius, progress),
        }
    }

    fn shade(&mut self, scene: &Scene, lens: &Lens, studio: &Studio, floor: Option<f32>, quality: Quality) {
        let pass = ShadePass {
            shader: Shader { scene, mesh: &self.mesh, lens, studio, scale: self.frame.scale as f32 },
            frame: &self.frame,
            shadow: &self.shadow,
            occlusion: &self.occlusion,
            ground: floor.map(|_| &self.ground),
            traced: (quality == Quality::High).then_some(&self.traced),
            marks: scene.floor_marks.as_ref().and_then(|marks| Marks::new(marks, lens)),
            extent: extent(scene, &self.mesh, lens),
        };
        self.colors.resize(self.frame.tiles.len() * TILE_PIXELS, [0; 3]);
        self.colors
            .par_chunks_mut(TILE_PIXELS)
            .enumerate()
            .for_each(|(tile, colors)| pass.shade_tile(tile, colors));
    }

    /// Puts the tiles into rows, averaging where the frame is finer than the picture.
    fn assemble(&self, image: &mut Image) {
        let (frame, colors) = (&self.frame, &self.colors);
        if frame.scale > 1 {
            let width = frame.width / frame.scale;
            image.pixels_mut().par_chunks_mut(width).enumerate().for_each(|(y, line)| {
                for (x, pixel) in line.iter_mut().enumerate() {
                    *pixel = self.averaged(x, y);
                }
            });
            return;
        }
        image.pixels_mut().par_chunks_mut(frame.width).enumerate().for_each(|(y, line)| {
            for (run, pixels) in line.chunks_mut(TILE).enumerate() {
                let start = frame.index(run * TILE, y);
                for (pixel, &[r, g, b]) in pixels.iter_mut().zip(&colors[start..]) {
                    *pixel = [r, g, b, 255];
                }
            }
        });
    }

    fn averaged(&self, x: usize, y: usize) -> [u8; 4] {
        let scale = self.frame.scale;
        let mut sum = [0_u32; 3];
        for (dy, dx) in (0..scale).flat_map(|dy| (0..scale).map(move |dx| (dy, dx))) {
            let color = self.colors[self.frame.index(x * scale + dx, y * scale + dy)];
            for (sum, value) in sum.iter_mut().zip(color) {
                *sum += u32::from(value);
            }
        }
        let count = (scale * scale) as f32;
        let dither = 0.5 + (gradient_noise(x as u32, y as u32) - 0.5) * 0.9;
        let [r, g, b] = sum.map(|sum| (sum as f32 / count + dither) as i32 as u8);
        [r, g, b, 255]
    }
}

impl RenderSettings {
    /// The camera's lens, where size, scene and camera can be drawn.
    fn lens(&self, scene: &Scene, camera: &Camera) -> Result<Lens, RenderError> {
        check_size(self.width, self.height)?;
        scene.validate().map_err(RenderError::Scene)?;
        Lens::new(camera, self.width, self.height).ok_or(RenderError::Camera)
    }

    /// Pixels drawn along a side of a finished pixel.
    fn scale(&self) -> u32 {
        let is_small = self.width.max(self.height) <= MAX_IMAGE_SIDE / 2;
        if self.quality == Quality::High && is_small { 2 } else { 1 }
    }
}

/// Draws all tiles.
fn rasterize(scene: &Scene, mesh: &Mesh, lens: &Lens, bins: &Bins, frame: &mut Frame) {
    let (width, height) = (frame.width, frame.height);
    let Frame { tiles, depth, triangle, .. } = frame;
    tiles
        .par_iter_mut()
        .zip(depth.par_chunks_mut(TILE_PIXELS))
        .zip(triangle.par_chunks_mut(TILE_PIXELS))
        .enumerate()
        .for_each(|(tile, ((surfaces, depth), triangles))| {
            let job = TileJob { scene, mesh, lens, bins, width, height, tile };
            SAMPLE_BUFFER.with_borrow_mut(|buffer| buffer.draw(&job, surfaces, depth));
            triangles.fill(EMPTY);
            // A pixel's first fragment is its largest, so write in reverse.
            for fragment in surfaces.fragments.iter().rev() {
                triangles[usize::from(fragment.pixel)] = fragment.triangle;
            }
        });
}

thread_local! {
    /// Scratch of the tile in work; it is cleared before each use, so it carries nothing between tiles.
    static SAMPLE_BUFFER: RefCell<SampleBuffer> = RefCell::default();
}

/// Reach of occlusion as a share of the size of the scene's objects.
const OCCLUSION_REACH: f32 = 0.11;

/// Height of the floor in view units, if there is one to be seen.
fn floor_height(scene: &Scene, lens: &Lens) -> Option<f32> {
    let Ground::Plane { y } = scene.ground else { return None };
    let height = lens.from_scene(Vec3::new(0.0, y, 0.0)).y;
    (height.is_finite() && height.abs() < 1e6 && height < lens.eye.y).then_some(height)
}

/// Diagonal of the box around the objects near the camera's target, or of a subject of fixed size, view units.
fn extent(scene: &Scene, mesh: &Mesh, lens: &Lens) -> f32 {
    if let Some(steady) = scene.steady_light() {
        return (steady.subject / lens.scene_per_unit).clamp(1e-6, 1e6);
    }
    let near = mesh
        .vertices
        .iter()
        .map(Vertex::position)
        .filter(|position| is_near_enough(*position) && position.abs().max_element() < 4.0);
    let bounds = Bounds::around(near.map(Vec3::from));
    if bounds.is_empty() { 1.0 } else { bounds.diagonal().max(1e-6) }
}
