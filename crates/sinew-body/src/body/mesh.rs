//! Meshes of a body: watertight, with one vertex where patches meet.

use super::{Body, Wire};
use crate::Side;
use glam::{DVec3, Vec2, Vec3};

/// A place on a body's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePlace {
    /// Index into the body's patches.
    pub patch: u32,
    /// Along the patch's first direction, 0 to 1.
    pub u: f64,
    /// Along the patch's second direction, 0 to 1.
    pub w: f64,
}

/// Triangles of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyMesh {
    /// Place of each vertex on the surface. A posed body with the same patches is evaluated at the same places.
    pub places: Vec<SurfacePlace>,
    /// One per vertex, model space, m.
    pub positions: Vec<DVec3>,
    /// Unit normals of the surface, one per vertex.
    pub normals: Vec<DVec3>,
    /// Vertices of each triangle, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of each triangle's vertices: every patch has its own cell, tubes are unrolled.
    pub uvs: Vec<[Vec2; 3]>,
    /// The patch of each triangle.
    pub triangle_patches: Vec<u32>,
    /// The group of each triangle, an index into `group_names`.
    pub triangle_groups: Vec<u16>,
    /// Parts of the body, such as `arm`, in the order of first use.
    pub group_names: Vec<String>,
}

impl BodyMesh {
    /// Positions in single precision.
    pub fn positions_f32(&self) -> Vec<Vec3> {
        self.positions.iter().map(|position| position.as_vec3()).collect()
    }

    /// The enclosed volume, m³.
    pub fn volume(&self) -> f64 {
        let corner = |index: u32| self.positions[index as usize];
        self.triangles.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c)))).sum::<f64>() / 6.0
    }
}

impl Body {
    /// Triangles with `steps` steps along every edge of a tube's patch; half as many on fills, whose patches are half as large, and
    /// three quarters on tubes that continue others with twice as many patches around.
    /// `steps` is rounded up to an even number of at least four.
    pub fn tessellate(&self, steps: usize) -> BodyMesh {
        let steps = steps.max(4).next_multiple_of(2);
        let mut maker = MeshMaker::new(self, steps);
        for patch in 0..self.patches.len() {
            maker.add_patch(patch);
        }
        let mut mesh = maker.mesh;
        self.evaluate_into(&mut mesh);
        mesh
    }

    /// Positions and normals of a mesh made for a body with the same patches. Does not allocate if the mesh has room.
    pub fn evaluate_into(&self, mesh: &mut BodyMesh) {
        mesh.positions.resize(mesh.places.len(), DVec3::ZERO);
        mesh.normals.resize(mesh.places.len(), DVec3::ZERO);
        for (vertex, place) in mesh.places.iter().enumerate() {
            let patch = &self.patches[place.patch as usize].patch;
            mesh.positions[vertex] = patch.position(place.u, place.w);
            mesh.normals[vertex] = patch.normal(place.u, place.w);
        }
    }
}

const NOWHERE: SurfacePlace = SurfacePlace { patch: 0, u: 0.0, w: 0.0 };

struct MeshMaker<'a> {
    body: &'a Body,
    steps: usize,
    /// Whether each patch belongs to a tube that continues another with more patches around.
    is_fine: Vec<bool>,
    mesh: BodyMesh,
    /// First vertex inside each wire; corners come before all of them.
    wire_vertices: Vec<u32>,
    atlas: Vec<(Vec2, Vec2)>,
}

impl<'a> MeshMaker<'a> {
    fn new(body: &'a Body, steps: usize) -> Self {
        let mut mesh = BodyMesh::default();
        for patch in &body.patches {
            if !mesh.group_names.contains(&patch.group) {
                mesh.group_names.push(patch.group.clone());
            }
        }
        let mut is_fine = vec![false; body.patches.len()];
        for tube in body.tubes.iter().filter(|tube| tube.continues.is_some()) {
            let count = tube.tube.patch_count() * tube.tube.bay_count();
            is_fine[tube.first_patch..tube.first_patch + count].fill(true);
        }
        let atlas = atlas_of(body);
        let mut maker = MeshMaker { body, steps, is_fine, mesh, wire_vertices: Vec::new(), atlas };
        maker.place_corners();
        maker.place_wires();
        maker
    }

    fn place_corners(&mut self) {
        self.mesh.places = vec![NOWHERE; self.body.topology.corner_count];
        for (patch, corners) in self.body.topology.patch_corners.iter().enumerate() {
            let sides = &self.body.topology.patch_sides[patch];
            for (corner, (u, w)) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].into_iter().enumerate() {
                // Any point of a collapsed edge works for a tip; use its middle.
                let u = if w == 1.0 && sides[3].is_none() { 0.5 } else { u };
                self.mesh.places[corners[corner]] = SurfacePlace { patch: patch as u32, u, w };
            }
        }
    }

    fn place_wires(&mut self) {
        for wire in &self.body.topology.wires {
            self.wire_vertices.push(self.mesh.places.len() as u32);
            let steps = self.steps_of(wire);
            // The middle may be a corner, which already has its vertex.
            let own = (1..steps).filter(|step| wire.middle.is_none() || 2 * step != steps);
            for step in own {
                let t = step as f64 / steps as f64;
                let place = wire.uses.iter().find_map(|found| {
                    let (u, w) = found.side.parameters(found.parameter_at(t)?);
                    Some(SurfacePlace { patch: found.patch as u32, u, w })
                });
                self.mesh.places.push(place.unwrap_or(NOWHERE));
            }
        }
    }

    /// Fewer if all patches beside a wire have fewer.
    fn steps_of(&self, wire: &Wire) -> usize {
        self.steps(wire.is_spoke, wire.uses.iter().all(|used| self.is_fine[used.patch]))
    }

    /// Even where it is fine, because a wire may have a corner in its middle.
    fn steps(&self, is_half: bool, is_fine: bool) -> usize {
        match (is_half, is_fine) {
            (true, _) => self.steps / 2,
            (false, true) => (3 * self.steps / 4).next_multiple_of(2),
            (false, false) => self.steps,
        }
    }

    /// Vertices of one side with the side's own parameter, corners included.
    fn side_row(&self, patch: usize, side: Side) -> Vec<OnRow> {
        let topology = &self.body.topology;
        let corners = topology.patch_corners[patch];
        let [first, last] = side.corners();
        let mut row = vec![(0.0, corners[first] as u32)];
        if let Some((index, start, end)) = topology.patch_sides[patch][side as usize] {
            let wire = &topology.wires[index];
            let steps = self.steps_of(wire);
            let inside: Vec<OnRow> = (1..steps)
                .filter_map(|step| {
                    let t = (step as f64 / steps as f64 - start) / (end - start);
                    let vertex = match wire.middle {
                        Some(middle) if 2 * step == steps => middle as u32,
                        Some(_) if 2 * step > steps => self.wire_vertices[index] + step as u32 - 2,
                        _ => self.wire_vertices[index] + step as u32 - 1,
                    };
                    (t > 1e-9 && t < 1.0 - 1e-9).then_some((t, vertex))
                })
                .collect();
            if start < end { row.extend(inside) } else { row.extend(inside.into_iter().rev()) }
        }
        row.push((1.0, corners[last] as u32));
        row
    }

    fn add_patch(&mut self, patch: usize) {
        let steps = self.steps(self.body.patches[patch].patch.is_gregory(), self.is_fine[patch]);
        let first = self.mesh.places.len() as u32;
        let inner = steps - 1;
        for j in 1..steps {
            for i in 1..steps {
                let (u, w) = (i as f64 / steps as f64, j as f64 / steps as f64);
                self.mesh.places.push(SurfacePlace { patch: patch as u32, u, w });
            }
        }
        let at = |i: usize, j: usize| first + (j * inner + i) as u32;
        let mut triangles = Vec::new();
        for j in 0..inner.saturating_sub(1) {
            for i in 0..inner - 1 {
                triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
        for side in Side::ALL {
            let row = self.side_row(patch, side);
            let inside: Vec<OnRow> = (0..inner)
                .map(|k| {
                    let (i, j) = match side {
                        Side::U0 => (0, k),
                        Side::U1 => (inner - 1, k),
                        Side::W0 => (k, 0),
                        Side::W1 => (k, inner - 1),
                    };
                    ((k + 1) as f64 / steps as f64, at(i, j))
                })
                .collect();
            // Counter-clockwise, w = 0 and u = 1 run forward, the others backward.
            let is_backward = matches!(side, Side::U0 | Side::W1);
            zip_rows(&row, &inside, |[a, b, c]| {
                triangles.push(if is_backward { [a, c, b] } else { [a, b, c] })
            });
        }
        self.add_triangles(patch, triangles);
    }

    fn add_triangles(&mut self, patch: usize, triangles: Vec<[u32; 3]>) {
        let group = &self.body.patches[patch].group;
        let group = self.mesh.group_names.iter().position(|name| name == group).unwrap_or(0) as u16;
        let (origin, size) = self.atlas[patch];
        let mut parameters: Vec<(u32, Vec2)> = Vec::new();
        for side in Side::ALL {
            for (t, vertex) in self.side_row(patch, side) {
                let (u, w) = side.parameters(t);
                parameters.push((vertex, Vec2::new(u as f32, w as f32)));
            }
        }
        for triangle in triangles {
            let uvs = triangle.map(|vertex| {
                let own = &self.mesh.places[vertex as usize];
                let inside = Vec2::new(own.u as f32, own.w as f32);
                let found = parameters.iter().find(|(found, _)| *found == vertex);
                origin + size * found.map_or(inside, |(_, at)| *at)
            });
            self.mesh.uvs.push(uvs);
            self.mesh.triangles.push(triangle);
            self.mesh.triangle_patches.push(patch as u32);
            self.mesh.triangle_groups.push(group);
        }
    }
}

/// Margin of a cell on each side, to prevent bleeding from neighbors.
const CELL_MARGIN: f32 = 0.02;

/// A cell for every patch, as origin and size in the unit square: tubes unrolled as blocks, fills as rows, packed on shelves.
fn atlas_of(body: &Body) -> Vec<(Vec2, Vec2)> {
    let mut blocks: Vec<(usize, usize, usize)> = body
        .tubes
        .iter()
        .map(|tube| (tube.first_patch, tube.tube.patch_count(), tube.tube.bay_count()))
        .collect();
    blocks.extend(body.fills.iter().map(|fill| (fill.first_patch, fill.sides.len(), 1)));
    let widest = blocks.iter().map(|&(_, wide, _)| wide).max().unwrap_or(1);
    let width = widest.max((body.patches.len() as f64).sqrt().ceil() as usize + 2);
    // Tall blocks first fill shelves best; the sort is stable, so the atlas depends only on the template.
    blocks.sort_by_key(|&(_, _, high)| std::cmp::Reverse(high));
    let mut cells = vec![(0, 0); body.patches.len()];
    let (mut x, mut y, mut shelf) = (0, 0, 0);
    for (first, wide, high) in blocks {
        if x + wide > width {
            (x, y, shelf) = (0, y + shelf, 0);
        }
        for cell in 0..wide * high {
            cells[first + cell] = (x + cell % wide, y + cell / wide);
        }
        x += wide;
        shelf = shelf.max(high);
    }
    let side = width.max(y + shelf) as f32;
    let margin = Vec2::splat(CELL_MARGIN / side);
    let cell = |&(x, y): &(usize, usize)| {
        (Vec2::new(x as f32, y as f32) / side + margin, Vec2::splat(1.0 / side) - 2.0 * margin)
    };
    cells.iter().map(cell).collect()
}

/// A vertex on a row: its parameter along the row and its index.
type OnRow = (f64, u32);

/// Triangles between an outer row and an inner one, both ordered by their parameter; counter-clockwise if the inside is to the left
/// of the outer row. Triangles with a repeated vertex are left out.
fn zip_rows(outer: &[OnRow], inner: &[OnRow], mut add: impl FnMut([u32; 3])) {
    let (mut i, mut j) = (0, 0);
    while i + 1 < outer.len() || j + 1 < inner.len() {
        // Advance the row whose next vertex comes first; the inner row waits half a step to keep quads square.
        let outer_next = outer.get(i + 1).map_or(f64::INFINITY, |next| 0.5 * (next.0 + outer[i].0));
        let inner_next = inner.get(j + 1).map_or(f64::INFINITY, |next| 0.5 * (next.0 + inner[j].0));
        let triangle = if outer_next <= inner_next {
            i += 1;
            [outer[i - 1].1, outer[i].1, inner[j].1]
        } else {
            j += 1;
            [outer[i].1, inner[j].1, inner[j - 1].1]
        };
        if triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0] {
            add(triangle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_count_are_joined() {
        let outer: Vec<OnRow> = (0..=8).map(|i| (f64::from(i) / 8.0, i as u32)).collect();
        let inner: Vec<OnRow> = (1..=3).map(|i| (f64::from(i) / 4.0, 100 + i as u32)).collect();
        let mut triangles = Vec::new();
        zip_rows(&outer, &inner, |triangle| triangles.push(triangle));
        assert_eq!(triangles.len(), 8 + 2);
        // A tip: the whole outer row is one vertex.
        let mut fan = Vec::new();
        zip_rows(&[(0.0, 7), (1.0, 7)], &inner, |triangle| fan.push(triangle));
        assert_eq!(fan.len(), 2);
    }
}
