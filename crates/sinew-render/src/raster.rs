//! Tile rasteriser: eight coverage samples a pixel, one shading request per surface and pixel.
//!
//! Corners sit on a 1/256 pixel grid and edge functions start from exact integers, so the two triangles of a shared
//! edge see exactly opposite values: no sample is drawn twice and none is missed (top-left rule on ties).

use glam::{Vec2, Vec4};

use crate::camera::Lens;
use crate::hit::TriangleHit;
use crate::mesh::{Coverage, Mesh};
use crate::rounding::floor_i32;
use crate::scene::Scene;
use crate::setup::{Bins, Pass, SUBPIXELS, ScreenTriangle, TILE, area};

/// Coverage samples in a pixel.
pub(crate) const SAMPLES: usize = 8;

/// Pixels in a tile.
pub(crate) const TILE_PIXELS: usize = TILE * TILE;

/// Triangle number of a sample that no surface covers.
pub(crate) const EMPTY: u32 = u32::MAX;

const EMPTY_OWNERS: [f32; SAMPLES] = [f32::from_bits(EMPTY); SAMPLES];

/// Sample positions in 1/16 pixel from the pixel's corner: no two in a row or column, the usual 8× pattern.
const PATTERN: [(i32, i32); SAMPLES] = [(9, 5), (7, 11), (13, 9), (5, 3), (3, 13), (1, 7), (11, 15), (15, 1)];

/// [`PATTERN`] in subpixels, by axis.
const OFFSETS_X: [f32; SAMPLES] = offsets(true);
const OFFSETS_Y: [f32; SAMPLES] = offsets(false);

const fn offsets(is_x: bool) -> [f32; SAMPLES] {
    let mut values = [0.0; SAMPLES];
    let mut k = 0;
    while k < SAMPLES {
        values[k] = ((if is_x { PATTERN[k].0 } else { PATTERN[k].1 }) * (SUBPIXELS / 16)) as f32;
        k += 1;
    }
    values
}

/// A surface in a pixel: the samples it covers and the triangle to shade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fragment {
    pub(crate) triangle: u32,
    /// Pixel within the tile, row by row.
    pub(crate) pixel: u16,
    /// One bit per sample.
    pub(crate) mask: u8,
}

/// A translucent fragment with its depth for sorting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlendFragment {
    pub(crate) fragment: Fragment,
    pub(crate) inverse_depth: f32,
}

/// Visible surfaces of a tile. Kept until shading, which needs the depth of the whole picture.
#[derive(Debug, Default)]
pub(crate) struct TileSurfaces {
    /// In pixel order; a pixel's first fragment is its largest.
    pub(crate) fragments: Vec<Fragment>,
    /// In pixel order, nearest first.
    pub(crate) blended: Vec<BlendFragment>,
}

/// Sample buffers of the tile in work, one per thread.
#[derive(Debug)]
pub(crate) struct SampleBuffer {
    /// 1/w of the nearest surface; 0 where there is none; negated 1/w of a hole-filling back.
    depth: Vec<[f32; SAMPLES]>,
    /// Triangle numbers as the bits of floats, so that they can be selected together with depths.
    owner: Vec<[f32; SAMPLES]>,
}

/// Input of rasterizing one tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileJob<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) mesh: &'a Mesh,
    pub(crate) lens: &'a Lens,
    pub(crate) bins: &'a Bins,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) tile: usize,
}

impl Default for SampleBuffer {
    fn default() -> Self {
        Self { depth: vec![[0.0; SAMPLES]; TILE_PIXELS], owner: vec![EMPTY_OWNERS; TILE_PIXELS] }
    }
}

impl SampleBuffer {
    /// Draws a tile: fills `surfaces`, and for each pixel the 1/w of its largest surface (0 where there is none).
    pub(crate) fn draw(&mut self, job: &TileJob, surfaces: &mut TileSurfaces, pixel_depth: &mut [f32]) {
        surfaces.fragments.clear();
        surfaces.blended.clear();
        if job.bins.is_empty(job.tile) {
            pixel_depth.fill(0.0);
            return;
        }
        self.depth.fill([0.0; SAMPLES]);
        self.owner.fill(EMPTY_OWNERS);
        let fronts = job.bins.tile(job.tile, Pass::Front);
        for screen in fronts.chain(job.bins.tile(job.tile, Pass::Back)) {
            let edges = Edges::new(job, screen);
            if job.mesh.draw(screen.triangle).coverage == Coverage::Full {
                self.draw_full(&edges, screen.triangle);
            } else {
                edges.visit(|pixel, inside, depth| {
                    let wins = std::array::from_fn(|k| inside[k] & (depth[k] > self.depth[pixel][k]));
                    let solid = AlphaTest::new(job, screen.triangle, pixel).apply(wins);
                    self.write(pixel, solid, depth, screen.triangle);
                });
            }
        }
        for screen in job.bins.tile(job.tile, Pass::HoleFill) {
            let is_masked = job.mesh.draw(screen.triangle).coverage != Coverage::Full;
            Edges::new(job, screen).visit(|pixel, inside, depth| {
                let depth = depth.map(|value| -value);
                let stored = &self.depth[pixel];
                let mut wins =
                    std::array::from_fn(|k| inside[k] & (stored[k] <= 0.0) & (depth[k] < stored[k]));
                if is_masked {
                    wins = AlphaTest::new(job, screen.triangle, pixel).apply(wins);
                }
                self.write(pixel, wins, depth, screen.triangle);
            });
        }
        self.collect(job.mesh, surfaces, pixel_depth);
        self.draw_blended(job, surfaces);
    }

    /// The common case: nearest wins, no alpha. Four samples at a time; [`Edges::visit`] is the plain twin.
    fn draw_full(&mut self, edges: &Edges, triangle: u32) {
        let owner_bits = Vec4::splat(f32::from_bits(triangle));
        edges.visit_pixels(|pixel, e, depth_here| {
            let e = e.map(Vec4::splat);
            let depth_here = Vec4::splat(depth_here);
            let (stored, owner) = (&mut self.depth[pixel], &mut self.owner[pixel]);
            for half in [0, 4] {
                let load = |values: &[f32; SAMPLES]| Vec4::from_slice(&values[half..half + 4]);
                let depth = depth_here + load(&edges.depth_offsets);
                let old = load(stored);
                let is_nearer = depth.cmpgt(old);
                if !is_nearer.any() {
                    continue;
                }
                let inside = (e[0] + load(&edges.offsets[0])).cmpge(Vec4::splat(edges.threshold[0]))
                    & (e[1] + load(&edges.offsets[1])).cmpge(Vec4::splat(edges.threshold[1]))
                    & (e[2] + load(&edges.offsets[2])).cmpge(Vec4::splat(edges.threshold[2]));
                let wins = inside & is_nearer;
                if wins.any() {
                    Vec4::select(wins, depth, old).write_to_slice(&mut stored[half..half + 4]);
                    let old_owner = Vec4::from_slice(&owner[half..half + 4]);
                    Vec4::select(wins, owner_bits, old_owner).write_to_slice(&mut owner[half..half + 4]);
                }
            }
        });
    }

    fn write(&mut self, pixel: usize, wins: [bool; SAMPLES], depth: [f32; SAMPLES], triangle: u32) {
        for k in 0..SAMPLES {
            if wins[k] {
                self.depth[pixel][k] = depth[k];
                self.owner[pixel][k] = f32::from_bits(triangle);
            }
        }
    }

    /// Gathers the samples of each pixel into fragments.
    fn collect(&self, mesh: &Mesh, surfaces: &mut TileSurfaces, pixel_depth: &mut [f32]) {
        for (pixel, (owners, depths)) in self.owner.iter().zip(&self.depth).enumerate() {
            let owners = owners.map(f32::to_bits);
            let first = owners[0];
            if owners.iter().all(|&owner| owner == first) {
                // The first two samples lie opposite each other about the pixel's middle.
                pixel_depth[pixel] = (depths[0] + depths[1]).abs() * 0.5;
                if first != EMPTY {
                    let fragment = Fragment { triangle: first, pixel: pixel as u16, mask: u8::MAX };
                    surfaces.fragments.push(fragment);
                }
                continue;
            }
            let groups = group_samples(mesh, &owners);
            pixel_depth[pixel] = 0.0;
            for (rank, &(triangle, mask)) in groups.iter().filter(|group| group.1 != 0).enumerate() {
                surfaces.fragments.push(Fragment { triangle, pixel: pixel as u16, mask });
                if rank == 0 {
                    let sum: f32 =
                        (0..SAMPLES).filter(|k| mask & (1 << k) != 0).map(|k| depths[k].abs()).sum();
                    pixel_depth[pixel] = sum / mask.count_ones() as f32;
                }
            }
        }
    }

    fn draw_blended(&self, job: &TileJob, surfaces: &mut TileSurfaces) {
        for screen in job.bins.tile(job.tile, Pass::Blend) {
            Edges::new(job, screen).visit(|pixel, inside, depth| {
                let stored = &self.depth[pixel];
                let mut mask = 0;
                let mut nearest = 0.0_f32;
                for k in 0..SAMPLES {
                    if inside[k] && depth[k] > stored[k] {
                        mask |= 1 << k;
                        nearest = nearest.max(depth[k]);
                    }
                }
                if mask != 0 {
                    let fragment = Fragment { triangle: screen.triangle, pixel: pixel as u16, mask };
                    surfaces.blended.push(BlendFragment { fragment, inverse_depth: nearest });
                }
            });
        }
        surfaces.blended.sort_by(|a, b| {
            (a.fragment.pixel.cmp(&b.fragment.pixel))
                .then(b.inverse_depth.total_cmp(&a.inverse_depth))
                .then(a.fragment.triangle.cmp(&b.fragment.triangle))
        });
    }
}

/// Mean position of the covered samples, in pixels from the pixel's corner.
#[inline]
pub(crate) fn centroid(mask: u8) -> Vec2 {
    if mask == u8::MAX || mask == 0 {
        return Vec2::splat(0.5);
    }
    let (mut x, mut y) = (0, 0);
    for (k, (sample_x, sample_y)) in PATTERN.iter().enumerate() {
        if mask & (1 << k) != 0 {
            x += sample_x;
            y += sample_y;
        }
    }
    Vec2::new(x as f32, y as f32) / (16.0 * mask.count_ones() as f32)
}

/// Most fragments kept of one pixel; smaller ones join the first.
const MAX_GROUPS: usize = 4;

/// Splits a pixel's samples into at most four surfaces, the largest first; unused entries have an empty mask.
///
/// Triangles of one material that share a corner are one surface: the attributes run on across their edge, so one
/// shading point serves both. Meshes split their corners where shading breaks, and there the samples stay apart.
fn group_samples(mesh: &Mesh, owners: &[u32; SAMPLES]) -> [(u32, u8); MAX_GROUPS] {
    let mut distinct = [(EMPTY, 0_u8); SAMPLES];
    let mut count = 0;
    for (k, &owner) in owners.iter().enumerate().filter(|(_, owner)| **owner != EMPTY) {
        match distinct[..count].iter_mut().find(|group| group.0 == owner) {
            Some(group) => group.1 |= 1 << k,
            None => {
                distinct[count] = (owner, 1 << k);
                count += 1;
            }
        }
    }
    distinct[..count].sort_by_key(|group| std::cmp::Reverse((group.1.count_ones(), u32::MAX - group.0)));
    let mut groups = [(EMPTY, 0_u8); MAX_GROUPS];
    let mut used = 0;
    for &(triangle, mask) in &distinct[..count] {
        if let Some(group) = groups[..used].iter_mut().find(|group| is_continuous(mesh, group.0, triangle)) {
            group.1 |= mask;
        } else if used < MAX_GROUPS {
            groups[used] = (triangle, mask);
            used += 1;
        } else {
            groups[0].1 |= mask;
        }
    }
    groups
}

fn is_continuous(mesh: &Mesh, a: u32, b: u32) -> bool {
    let (corners_a, corners_b) = (mesh.triangles[a as usize], mesh.triangles[b as usize]);
    mesh.triangle_draw[a as usize] == mesh.triangle_draw[b as usize]
        && corners_a.iter().any(|corner| corners_b.contains(corner))
}

/// Edge functions and depth of a triangle, relative to a tile.
#[derive(Default)]
struct Edges {
    /// Value at the corner of the tile's first pixel, and change per pixel in x and y.
    start: [f32; 3],
    per_x: [f32; 3],
    per_y: [f32; 3],
    /// Offsets of the samples from the pixel's corner.
    offsets: [[f32; SAMPLES]; 3],
    /// Least value that counts as inside: 0 on top and left edges, else just above (values are whole numbers).
    threshold: [f32; 3],
    depth_start: f32,
    depth_per_x: f32,
    depth_per_y: f32,
    depth_offsets: [f32; SAMPLES],
    /// Pixels of the tile to visit: left, top, right, bottom, inclusive.
    window: Option<[usize; 4]>,
}

impl Edges {
    fn new(job: &TileJob, screen: &ScreenTriangle) -> Self {
        let (tile_x, tile_y) = ((job.tile % job.bins.columns) * TILE, (job.tile / job.bins.columns) * TILE);
        let origin = (tile_x as i64 * i64::from(SUBPIXELS), tile_y as i64 * i64::from(SUBPIXELS));
        let window = screen.pixel_box(job.width, job.height).and_then(|[left, top, right, bottom]| {
            let (left, top) = (left.max(tile_x), top.max(tile_y));
            let (right, bottom) = (right.min(tile_x + TILE - 1), bottom.min(tile_y + TILE - 1));
            (left <= right && top <= bottom)
                .then(|| [left - tile_x, top - tile_y, right - tile_x, bottom - tile_y])
        });
        Self::relative_to(screen, origin, window)
    }

    fn relative_to(screen: &ScreenTriangle, origin: (i64, i64), window: Option<[usize; 4]>) -> Self {
        let mut edges = Self { window, ..Self::default() };
        let subpixels = SUBPIXELS as f32;
        for edge in 0..3 {
            let (from, to) = (edge, (edge + 1) % 3);
            let a = i64::from(screen.y[from]) - i64::from(screen.y[to]);
            let b = i64::from(screen.x[to]) - i64::from(screen.x[from]);
            let exact =
                a * (origin.0 - i64::from(screen.x[from])) + b * (origin.1 - i64::from(screen.y[from]));
            edges.start[edge] = exact as f32;
            edges.per_x[edge] = a as f32 * subpixels;
            edges.per_y[edge] = b as f32 * subpixels;
            edges.threshold[edge] = if a > 0 || (a == 0 && b > 0) { 0.0 } else { 0.5 };
            let (a, b) = (a as f32, b as f32);
            for k in 0..SAMPLES {
                edges.offsets[edge][k] = a * OFFSETS_X[k] + b * OFFSETS_Y[k];
            }
        }
        edges.set_depth(screen, origin);
        edges
    }

    /// Plane of 1/w over the screen, in double precision because thin triangles have steep planes.
    fn set_depth(&mut self, screen: &ScreenTriangle, origin: (i64, i64)) {
        let [x0, x1, x2] = screen.x.map(f64::from);
        let [y0, y1, y2] = screen.y.map(f64::from);
        let [d0, d1, d2] = screen.inverse_depth.map(f64::from);
        let inverse_area = 1.0 / area(screen) as f64;
        let per_x = ((d1 - d0) * (y2 - y0) - (d2 - d0) * (y1 - y0)) * inverse_area;
        let per_y = ((d2 - d0) * (x1 - x0) - (d1 - d0) * (x2 - x0)) * inverse_area;
        self.depth_start = (d0 + per_x * (origin.0 as f64 - x0) + per_y * (origin.1 as f64 - y0)) as f32;
        self.depth_per_x = (per_x * f64::from(SUBPIXELS)) as f32;
        self.depth_per_y = (per_y * f64::from(SUBPIXELS)) as f32;
        let (per_x, per_y) = (per_x as f32, per_y as f32);
        for k in 0..SAMPLES {
            self.depth_offsets[k] = per_x * OFFSETS_X[k] + per_y * OFFSETS_Y[k];
        }
    }

    /// Calls `act(pixel, inside, depth)` for each pixel that may have a covered sample.
    #[inline(always)]
    fn visit(&self, mut act: impl FnMut(usize, [bool; SAMPLES], [f32; SAMPLES])) {
        self.visit_pixels(|pixel, e, depth_here| {
            let mut inside = [false; SAMPLES];
            let mut depth = [0.0; SAMPLES];
            for k in 0..SAMPLES {
                inside[k] = (e[0] + self.offsets[0][k] >= self.threshold[0])
                    & (e[1] + self.offsets[1][k] >= self.threshold[1])
                    & (e[2] + self.offsets[2][k] >= self.threshold[2]);
                depth[k] = depth_here + self.depth_offsets[k];
            }
            act(pixel, inside, depth);
        });
    }

    /// Calls `act(pixel, edge values, depth)`, taken at the pixel's corner, for each pixel that may be covered.
    #[inline(always)]
    fn visit_pixels(&self, mut act: impl FnMut(usize, [f32; 3], f32)) {
        let Some([left, top, right, bottom]) = self.window else { return };
        // The most an edge function can rise within a pixel.
        let reach: [f32; 3] =
            std::array::from_fn(|edge| positive(self.per_x[edge]) + positive(self.per_y[edge]));
        let inverse = self.per_x.map(|per_x| if per_x == 0.0 { 0.0 } else { 1.0 / per_x });
        for row in top..=bottom {
            let at_row: [f32; 3] =
                std::array::from_fn(|edge| self.start[edge] + self.per_y[edge] * row as f32);
            let depth_row = self.depth_start + self.depth_per_y * row as f32;
            // Each edge cuts the row on its left or its right; the slack outweighs rounding.
            let (mut low, mut high) = (left as f32, right as f32);
            for edge in 0..3 {
                let value = at_row[edge] + reach[edge];
                let cut = -value * inverse[edge];
                low = if self.per_x[edge] > 0.0 && cut > low { cut } else { low };
                high = if self.per_x[edge] < 0.0 && cut < high { cut } else { high };
                high = if self.per_x[edge] == 0.0 && value < 0.0 { -2.0 } else { high };
            }
            for column in (low + 0.99) as i32..=floor_i32(high + 0.01) {
                let x = column as f32;
                let e: [f32; 3] = std::array::from_fn(|edge| at_row[edge] + self.per_x[edge] * x);
                act(row * TILE + column as usize, e, depth_row + self.depth_per_x * x);
            }
        }
    }
}

fn positive(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// The alpha test of a masked surface in one pixel.
struct AlphaTest<'a> {
    job: &'a TileJob<'a>,
    triangle: u32,
    corner: Vec2,
    hit: TriangleHit,
}

impl<'a> AlphaTest<'a> {
    fn new(job: &'a TileJob<'a>, triangle: u32, pixel: usize) -> Self {
        let x = (job.tile % job.bins.columns) * TILE + pixel % TILE;
        let y = (job.tile / job.bins.columns) * TILE + pixel / TILE;
        let corners = job.mesh.corners(triangle).map(|corner| corner.position());
        Self {
            job,
            triangle,
            corner: Vec2::new(x as f32, y as f32),
            hit: TriangleHit::new(job.lens.eye, corners),
        }
    }

    /// Clears the samples whose alpha is below the cutoff. One look at the pixel's middle decides clear cases.
    fn apply(&self, mut samples: [bool; SAMPLES]) -> [bool; SAMPLES] {
        if !samples.contains(&true) {
            return samples;
        }
        let texels_per_pixel = self.texels_per_pixel();
        let alpha_at = |x: f32, y: f32| {
            let ray = self.job.lens.ray(self.corner.x + x, self.corner.y + y);
            let weights = self.hit.weights(ray);
            self.job.mesh.alpha_at(self.job.scene, self.triangle, weights, texels_per_pixel)
        };
        let cutoff = self.job.mesh.draw(self.triangle).alpha_cutoff;
        let margin = ((1.0 - cutoff) * 0.7).clamp(0.0, 0.25);
        let middle = alpha_at(0.5, 0.5);
        if middle >= cutoff + margin {
            return samples;
        }
        if middle < cutoff - 0.3 {
            return [false; SAMPLES];
        }
        for (k, &(x, y)) in PATTERN.iter().enumerate() {
            samples[k] = samples[k] && alpha_at(x as f32 / 16.0, y as f32 / 16.0) >= cutoff;
        }
        samples
    }

    fn texels_per_pixel(&self) -> f32 {
        let material = self.job.mesh.material(self.job.scene, self.job.mesh.draw(self.triangle));
        let Some(texture) = &material.texture else { return 1.0 };
        let [a, b, c] = self.job.mesh.corners(self.triangle).map(|corner| corner.uv());
        let (width, height) = texture.size();
        let texels = (b - a).perp_dot(c - a).abs() * width as f32 * height as f32;
        (texels / self.hit.double_area_px(self.job.lens).max(1e-6)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::camera::Camera;
    use crate::scene::{Material, Object};

    const WIDTH: usize = 70;
    const HEIGHT: usize = 50;

    /// A fan of triangles around shared corners plus loose ones, some of them beyond the picture.
    fn mixed_scene() -> Scene {
        let mut state = 12_345_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
        };
        let positions: Vec<Vec3> =
            (0..90).map(|_| Vec3::new(random() * 2.0, random() * 1.5, random())).collect();
        let loose = (0..30).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let fan = (1..30).map(|i| [0, i, i + 1]);
        let triangles = loose.chain(fan).collect();
        Scene { objects: vec![Object::new(positions, triangles, Material::default())], ..Scene::default() }
    }

    /// 1/w of a triangle at a point in subpixels, exactly as drawn but in double precision; none outside.
    fn exact_depth(screen: &ScreenTriangle, x: i64, y: i64) -> Option<f64> {
        let mut edges = [0_i64; 3];
        for (from, value) in edges.iter_mut().enumerate() {
            let to = (from + 1) % 3;
            let a = i64::from(screen.y[from] - screen.y[to]);
            let b = i64::from(screen.x[to] - screen.x[from]);
            *value = a * (x - i64::from(screen.x[from])) + b * (y - i64::from(screen.y[from]));
            let is_top_left = a > 0 || (a == 0 && b > 0);
            if *value < 0 || (*value == 0 && !is_top_left) {
                return None;
            }
        }
        let [d0, d1, d2] = screen.inverse_depth.map(f64::from);
        let sum = area(screen) as f64;
        // Edge i lies opposite corner i + 2.
        Some((d2 * edges[0] as f64 + d0 * edges[1] as f64 + d1 * edges[2] as f64) / sum)
    }

    #[test]
    fn agrees_with_testing_every_sample_exactly() {
        let scene = mixed_scene();
        let camera = Camera { eye: Vec3::Z * 6.0, target: Vec3::ZERO, up: Vec3::Y, vertical_fov_rad: 0.4 };
        let lens = Lens::new(&camera, WIDTH as u32, HEIGHT as u32).unwrap();
        let (mut mesh, mut bins, mut buffer) = (Mesh::default(), Bins::default(), SampleBuffer::default());
        mesh.fill(&scene, &lens);
        bins.fill(&mesh, &lens, WIDTH, HEIGHT);
        let mut covered = 0;
        for tile in 0..bins.columns * bins.rows {
            let job = TileJob {
                scene: &scene,
                mesh: &mesh,
                lens: &lens,
                bins: &bins,
                width: WIDTH,
                height: HEIGHT,
                tile,
            };
            buffer.draw(&job, &mut TileSurfaces::default(), &mut [0.0; TILE_PIXELS]);
            let (left, top) = ((tile % bins.columns) * TILE, (tile / bins.columns) * TILE);
            for pixel in 0..TILE_PIXELS {
                let (column, row) = (left + pixel % TILE, top + pixel / TILE);
                if column >= WIDTH || row >= HEIGHT {
                    continue;
                }
                for (k, &(dx, dy)) in PATTERN.iter().enumerate() {
                    let x = (column as i64 * 16 + i64::from(dx)) * 16;
                    let y = (row as i64 * 16 + i64::from(dy)) * 16;
                    let all = bins.tile(tile, Pass::Front).chain(bins.tile(tile, Pass::Back));
                    let nearest = all.filter_map(|screen| exact_depth(screen, x, y)).fold(0.0, f64::max);
                    let found = f64::from(buffer.depth[pixel][k]);
                    assert!((found - nearest).abs() <= nearest * 1e-5, "sample {k} of ({column}, {row})");
                    covered += usize::from(nearest > 0.0);
                }
            }
        }
        assert!(covered > WIDTH * HEIGHT, "the scene covers much of the picture, found {covered} samples");
    }

    #[test]
    fn four_at_a_time_equals_one_at_a_time() {
        let screen = ScreenTriangle {
            x: [100, 6000, 2500],
            y: [50, 1800, 7000],
            inverse_depth: [0.5, 0.9, 0.2],
            triangle: 7,
        };
        let edges = Edges::relative_to(&screen, (0, 0), Some([0, 0, TILE - 1, TILE - 1]));
        let mut fast = SampleBuffer::default();
        fast.depth[200] = [0.55; SAMPLES];
        fast.draw_full(&edges, 7);
        let mut plain = SampleBuffer::default();
        plain.depth[200] = [0.55; SAMPLES];
        edges.visit(|pixel, inside, depth| {
            let wins = std::array::from_fn(|k| inside[k] & (depth[k] > plain.depth[pixel][k]));
            plain.write(pixel, wins, depth, 7);
        });
        assert_eq!(fast.depth, plain.depth);
        let bits = |buffer: &SampleBuffer| -> Vec<u32> {
            buffer.owner.iter().flatten().map(|owner| owner.to_bits()).collect()
        };
        assert_eq!(bits(&fast), bits(&plain));
    }

    #[test]
    fn centroid_of_all_samples_is_the_middle() {
        let sum: Vec2 = (0..SAMPLES).map(|k| centroid(1 << k)).sum();
        assert_eq!(sum / SAMPLES as f32, Vec2::splat(0.5));
        assert_eq!(centroid(0b11), Vec2::splat(0.5));
    }
}
