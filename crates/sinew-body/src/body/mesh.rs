//! Meshes of a body: watertight, with one vertex where patches meet.

use super::Body;
use crate::Side;
use crate::head::HeadBasis;
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
    /// Triangles with `steps` steps along every edge of a tube's patch, half as many on fills, whose patches are half as large, and at
    /// most as many along the head's edges, fewer along short ones.
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
    /// Steps along each wire.
    wire_steps: Vec<usize>,
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
        let (wire_steps, atlas) = (wire_steps(body, steps), atlas_of(body));
        let mut maker = MeshMaker { body, wire_steps, mesh, wire_vertices: Vec::new(), atlas };
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
        for (wire, &steps) in self.body.topology.wires.iter().zip(&self.wire_steps) {
            self.wire_vertices.push(self.mesh.places.len() as u32);
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

    /// Vertices of one side with the side's own parameter, corners included.
    fn side_row(&self, patch: usize, side: Side) -> Vec<OnRow> {
        let topology = &self.body.topology;
        let corners = topology.patch_corners[patch];
        let [first, last] = side.corners();
        let mut row = vec![(0.0, corners[first] as u32)];
        if let Some((index, start, end)) = topology.patch_sides[patch][side as usize] {
            let wire = &topology.wires[index];
            let steps = self.wire_steps[index];
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

    /// Steps of a patch along one of its directions: those of the finer one of two sides.
    fn steps_between(&self, patch: usize, sides: [Side; 2]) -> usize {
        let along = |side: Side| {
            let (wire, start, end) = self.body.topology.patch_sides[patch][side as usize]?;
            Some((self.wire_steps[wire] as f64 * f64::abs(end - start)) as usize)
        };
        // A patch needs a vertex inside.
        sides.into_iter().filter_map(along).fold(2, usize::max)
    }

    fn add_patch(&mut self, patch: usize) {
        let by_u = self.steps_between(patch, [Side::W0, Side::W1]);
        let by_w = self.steps_between(patch, [Side::U0, Side::U1]);
        let first = self.mesh.places.len() as u32;
        for j in 1..by_w {
            for i in 1..by_u {
                let (u, w) = (i as f64 / by_u as f64, j as f64 / by_w as f64);
                self.mesh.places.push(SurfacePlace { patch: patch as u32, u, w });
            }
        }
        let at = |i: usize, j: usize| first + (j * (by_u - 1) + i) as u32;
        let mut triangles = Vec::new();
        for j in 0..by_w - 2 {
            for i in 0..by_u - 2 {
                triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
        for side in Side::ALL {
            let row = self.side_row(patch, side);
            let steps = if side.fixes_u() { by_w } else { by_u };
            let inside: Vec<OnRow> = (0..steps - 1)
                .map(|k| {
                    let (i, j) = match side {
                        Side::U0 => (0, k),
                        Side::U1 => (by_u - 2, k),
                        Side::W0 => (k, 0),
                        Side::W1 => (k, by_w - 2),
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

/// Length of a step along the head's edges where a tube's patch has eight steps, over the stature. Longer: lids and lips get corners.
const HEAD_STEP: f64 = 0.003;

/// Steps along every wire. Even but along spokes, because a wire may have a corner in its middle.
fn wire_steps(body: &Body, steps: usize) -> Vec<usize> {
    let wires = &body.topology.wires;
    let mut found: Vec<usize> =
        wires.iter().map(|wire| if wire.is_spoke { steps / 2 } else { steps }).collect();
    if body.head.is_some() {
        // By the usual head, so that all people have the same mesh.
        let lengths: Vec<f64> = HeadBasis::human().inner_wire_lengths().collect();
        let first = wires.len() - lengths.len();
        for (steps_here, length) in found[first..].iter_mut().zip(lengths) {
            let wanted = length / HEAD_STEP * steps as f64 / 8.0;
            *steps_here = ((0.5 * wanted).round() as usize * 2).clamp(2, *steps_here);
        }
    }
    found
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
    if let Some(head) = &body.head {
        let faces = (0..head.net.face_count()).map(|face| head.net.patches_of(face));
        blocks.extend(faces.map(|patches| (head.first_patch + patches.start, patches.len(), 1)));
    }
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
