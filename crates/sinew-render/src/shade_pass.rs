//! From fragments to 8-bit colors: light for each fragment, the average over a pixel's samples, backdrop and floor.

use glam::{Vec2, Vec3A};

use crate::camera::Lens;
use crate::color::{encode, gradient_noise, levels, quantize, resolve_from_linear};
use crate::frame::Frame;
use crate::ground::GroundLight;
use crate::marks::Marks;
use crate::occlusion::Occlusion;
use crate::raster::{Fragment, SAMPLES, TILE_PIXELS};
use crate::scene::Scene;
use crate::setup::TILE;
use crate::shade::{Reach, Shader};
use crate::shadow::KeyShadow;
use crate::surface::{Facet, Surface};
use crate::trace::TracedLight;

/// Everything that shading a tile reads.
pub(crate) struct ShadePass<'a> {
    pub(crate) shader: Shader<'a>,
    pub(crate) frame: &'a Frame,
    pub(crate) shadow: &'a KeyShadow,
    pub(crate) occlusion: &'a Occlusion,
    pub(crate) ground: Option<&'a GroundLight>,
    pub(crate) traced: Option<&'a TracedLight>,
    pub(crate) marks: Option<Marks>,
    pub(crate) extent: f32,
}

impl<'a> ShadePass<'a> {
    /// Computes the colors of a tile's pixels.
    pub(crate) fn shade_tile(&self, tile: usize, colors: &mut [[u8; 3]]) {
        let surfaces = &self.frame.tiles[tile];
        let (left, top) = self.frame.tile_origin(tile);
        let mut solid = surfaces.fragments.iter().enumerate().peekable();
        let mut blended = surfaces.blended.iter().peekable();
        let is_shadowed = self.is_floor_shadowed(left, top);
        let has_floor = is_shadowed || self.marks.is_some();
        let mut row = BackdropRow::default();
        let mut facet = None;
        for (pixel, color) in colors.iter_mut().enumerate() {
            let (x, y) = (left + pixel % TILE, top + pixel / TILE);
            if x >= self.frame.width || y >= self.frame.height {
                continue;
            }
            if pixel % TILE == 0 {
                row = BackdropRow::new(self.shader.scene, y, self.frame.height);
            }
            let dither = gradient_noise(x as u32, y as u32);
            let is_here = |fragment: &Fragment| usize::from(fragment.pixel) == pixel;
            if !solid.peek().is_some_and(|(_, next)| is_here(next))
                && !blended.peek().is_some_and(|next| is_here(&next.fragment))
            {
                let index = tile * TILE_PIXELS + pixel;
                let factor = if has_floor { self.floor_factor(x, y, index, is_shadowed) } else { None };
                *color = match factor {
                    None => quantize(row.levels, dither),
                    Some(factor) => encode(resolve_from_linear(row.linear * factor), dither),
                };
                continue;
            }
            let is_blended = blended.peek().is_some_and(|next| is_here(&next.fragment));
            if let Some((index, fragment)) =
                solid.next_if(|(_, next)| !is_blended && next.mask == u8::MAX && is_here(next))
            {
                let surface = self.facet(&mut facet, fragment).surface(fragment, x, y);
                let reach = self.reach(&surface, tile, index, x, y);
                *color = encode(resolve_from_linear(self.color(&surface, reach)), dither);
                continue;
            }
            let mut samples = PixelSamples::default();
            while let Some((index, fragment)) = solid.next_if(|(_, next)| is_here(next)) {
                let surface = self.facet(&mut facet, fragment).surface(fragment, x, y);
                let reach = self.reach(&surface, tile, index, x, y);
                samples.add(fragment.mask, self.color(&surface, reach));
            }
            if samples.covered != u8::MAX {
                let index = tile * TILE_PIXELS + pixel;
                let factor = self.floor_factor(x, y, index, is_shadowed).unwrap_or(Vec3A::ONE);
                samples.add(!samples.covered, row.linear * factor);
            }
            while let Some(next) = blended.next_if(|next| is_here(&next.fragment)) {
                let surface = self.facet(&mut facet, &next.fragment).surface(&next.fragment, x, y);
                let key = self.shadow.key_reach(surface.position, surface.normal);
                let reach = Reach { key, sky: 1.0 };
                samples.blend(&next.fragment, self.color(&surface, reach), surface.alpha.min(1.0));
            }
            *color = encode(samples.resolved(), dither);
        }
    }

    /// The facet of a fragment: the last one if the triangle is the same.
    fn facet<'f>(&self, last: &'f mut Option<Facet<'a>>, fragment: &Fragment) -> &'f Facet<'a> {
        if last.as_ref().is_none_or(|facet| facet.triangle != fragment.triangle) {
            *last = None;
        }
        last.get_or_insert_with(|| Facet::new(&self.shader, fragment.triangle))
    }

    fn color(&self, surface: &Surface, reach: Reach) -> Vec3A {
        let floor_open = self.ground.map_or(1.0, |ground| {
            // Near the floor its light is that of the floor just below, farther up that of a wide piece of it.
            let rise = (surface.position.y - ground.height) / (self.extent * 0.35).max(1e-6);
            if rise >= 1.0 {
                return 1.0;
            }
            let below = ground.light(surface.position.x, surface.position.z).dot(Vec2::splat(0.5));
            below + (1.0 - below) * rise.clamp(0.0, 1.0).sqrt()
        });
        self.shader.color(surface, reach, floor_open)
    }

    fn reach(&self, surface: &Surface, tile: usize, fragment: usize, x: usize, y: usize) -> Reach {
        match self.traced {
            Some(traced) => traced.fragment(tile, fragment),
            None => {
                let (reach, is_found) = self.occlusion.reach(x, y, 1.0 / surface.depth.max(1e-6));
                if is_found {
                    return reach;
                }
                // Slivers between cells ask the shadow map themselves.
                Reach { key: self.shadow.key_reach(surface.position, surface.normal), ..reach }
            }
        }
    }

    /// Whether floor shadows can reach into the tile with this first pixel.
    fn is_floor_shadowed(&self, left: usize, top: usize) -> bool {
        let Some(ground) = self.ground else { return false };
        let corners = [(0, 0), (TILE, 0), (0, TILE), (TILE, TILE)];
        let points =
            corners.map(|(dx, dy)| floor_point(self.shader.lens, ground.height, left + dx, top + dy));
        // Where all corners meet the floor, it lies between them.
        match points {
            [Some(a), Some(b), Some(c), Some(d)] => {
                ground.reaches(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
            }
            _ => true,
        }
    }

    /// What the floor's shadow and marks leave of the background; none where nothing is taken away.
    fn floor_factor(&self, x: usize, y: usize, index: usize, is_shadowed: bool) -> Option<Vec3A> {
        let ground = self.ground?;
        let reach = match self.traced {
            Some(traced) => traced.floor(index),
            None if !is_shadowed => Reach { key: 1.0, sky: 1.0 },
            None => {
                let point = floor_point(self.shader.lens, ground.height, x, y)?;
                let light = ground.light(point.x, point.z);
                Reach { key: light.x, sky: light.y }
            }
        };
        let marks = self.marks.as_ref().and_then(|marks| marks.light(self.shader.lens, ground.height, x, y));
        let is_lit = reach.key >= 1.0 && reach.sky >= 1.0 && marks.is_none();
        (!is_lit).then(|| self.shader.studio.floor_factor(reach) * marks.unwrap_or(1.0))
    }
}

/// The background's color in one row.
#[derive(Clone, Copy, Debug, Default)]
struct BackdropRow {
    linear: Vec3A,
    levels: [f32; 3],
}

impl BackdropRow {
    fn new(scene: &Scene, y: usize, height: usize) -> Self {
        let linear = Vec3A::from(scene.background.color((y as f32 + 0.5) / height as f32));
        Self { linear, levels: levels(resolve_from_linear(linear)) }
    }
}

/// Colors of a pixel's samples. Most pixels have one color, so the samples are only spread out when blending.
struct PixelSamples {
    covered: u8,
    /// Color and mask of each part.
    parts: [(Vec3A, u8); SAMPLES + 1],
    count: usize,
    /// Light from translucent layers so far and the share that still passes, per sample.
    layers: Option<[(Vec3A, f32); SAMPLES]>,
}

impl Default for PixelSamples {
    fn default() -> Self {
        Self { covered: 0, parts: [(Vec3A::ZERO, 0); SAMPLES + 1], count: 0, layers: None }
    }
}

impl PixelSamples {
    fn add(&mut self, mask: u8, color: Vec3A) {
        self.parts[self.count] = (color, mask);
        self.count += 1;
        self.covered |= mask;
    }

    /// Adds a translucent layer behind those added before.
    fn blend(&mut self, fragment: &Fragment, color: Vec3A, alpha: f32) {
        let layers = self.layers.get_or_insert([(Vec3A::ZERO, 1.0); SAMPLES]);
        for (k, (light, passing)) in layers.iter_mut().enumerate() {
            if fragment.mask & (1 << k) != 0 {
                *light += color * (alpha * *passing);
                *passing *= 1.0 - alpha;
            }
        }
    }

    /// Mean of the samples in resolve space.
    fn resolved(&self) -> Vec3A {
        let parts = &self.parts[..self.count];
        if let [(color, _)] = parts
            && self.layers.is_none()
        {
            return resolve_from_linear(*color);
        }
        let mut sum = Vec3A::ZERO;
        for &(color, mask) in parts {
            match &self.layers {
                None => sum += resolve_from_linear(color) * mask.count_ones() as f32,
                Some(layers) => {
                    for (k, (light, passing)) in layers.iter().enumerate() {
                        if mask & (1 << k) != 0 {
                            sum += resolve_from_linear(*light + color * *passing);
                        }
                    }
                }
            }
        }
        sum / SAMPLES as f32
    }
}

/// Where a pixel's middle meets the floor.
pub(crate) fn floor_point(lens: &Lens, height: f32, x: usize, y: usize) -> Option<Vec3A> {
    let ray = lens.ray(x as f32 + 0.5, y as f32 + 0.5);
    let distance = (height - lens.eye.y) / ray.y;
    (distance > 0.0 && distance < 1e4).then(|| lens.eye + ray * distance)
}
