//! From the skin, where pushes are known, to the points of the flesh.

use crate::anatomy::Anatomy;
use glam::Vec3;
use sinew_geometry::{Cover, TetMesh, TriangleMesh};
use sinew_rig::BoneId;
use std::collections::BTreeMap;

/// Vertices at even distances, and how points of the flesh follow them: all of the way at the skin, less and less towards the bone.
#[derive(Clone, Debug, PartialEq)]
pub struct PushSpread {
    vertices: Vec<u32>,
    /// Points of each vertex's tetrahedron, with their shares.
    carried: Vec<[(u32, f32); 4]>,
    /// Where the shares of each point begin, and the end of the last.
    starts: Vec<u32>,
    /// Places among `vertices`, with their shares.
    shares: Vec<(u32, f32)>,
}

/// Vertices are about this many spacings of the tetrahedra apart: nearer ones would say the same.
const APART_SPACINGS: f32 = 0.9;

/// A point follows vertices that are at most so many spacings farther than the nearest.
const REACH_SPACINGS: f32 = 0.7;

/// How many tetrahedra away vertices are looked for.
const MOST_RINGS: usize = 3;

impl PushSpread {
    /// For the points of a cover.
    pub fn new(surface: &TriangleMesh, cover: &Cover, anatomy: &Anatomy) -> Self {
        let vertices = choose(surface, cover, anatomy);
        let embedding = &cover.embedding;
        let carried: Vec<[(u32, f32); 4]> = vertices
            .iter()
            .map(|&vertex| {
                let (corners, shares) =
                    (embedding.corners()[vertex as usize], embedding.weights()[vertex as usize]);
                std::array::from_fn(|at| (corners[at], shares[at]))
            })
            .collect();
        let mut spread = Self { vertices, carried, starts: vec![0], shares: Vec::new() };
        let rings = Rings::new(&cover.mesh, &spread.carried);
        for (point, position) in cover.mesh.points().iter().enumerate() {
            let depth = anatomy.depth[point];
            if depth > 0.0 {
                let near = rings.near(point as u32);
                let far =
                    |at: u32| surface.positions[spread.vertices[at as usize] as usize].distance(*position);
                let nearest = near.iter().map(|&at| far(at)).fold(f32::INFINITY, f32::min);
                let reach = nearest + REACH_SPACINGS * cover.spacing;
                let weight = |at: u32| (1.0 - (far(at) / reach).powi(2)).max(0.0).powi(2);
                let sum: f32 = near.iter().map(|&at| weight(at)).sum();
                let own = near.iter().map(|&at| (at, depth * weight(at) / sum.max(f32::MIN_POSITIVE)));
                spread.shares.extend(own.filter(|(_, share)| *share > 1e-3));
            }
            spread.starts.push(spread.shares.len() as u32);
        }
        spread
    }

    /// The vertices.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.vertices.iter().map(|&vertex| vertex as usize)
    }

    /// Where the vertices are, carried by points of the flesh.
    pub fn places_into(&self, points: &[Vec3], places: &mut Vec<Vec3>) {
        places.clear();
        places.extend(
            self.carried
                .iter()
                .map(|of| of.iter().map(|&(at, share)| points[at as usize] * share).sum::<Vec3>()),
        );
    }

    /// Moves points of the flesh as the vertices are pushed.
    pub fn move_points(&self, pushes: &[Vec3], points: &mut [Vec3]) {
        if pushes.iter().all(|push| *push == Vec3::ZERO) {
            return;
        }
        for (point, range) in points.iter_mut().zip(self.starts.windows(2)) {
            let own = &self.shares[range[0] as usize..range[1] as usize];
            *point += own.iter().map(|&(at, share)| pushes[at as usize] * share).sum::<Vec3>();
        }
    }
}

/// One vertex of each cell of a grid and bone, the one nearest to its middle: parts in touch may share a cell.
fn choose(surface: &TriangleMesh, cover: &Cover, anatomy: &Anatomy) -> Vec<u32> {
    let apart_m = APART_SPACINGS * cover.spacing;
    let mut is_skin = vec![false; surface.positions.len()];
    surface.triangles.iter().flatten().for_each(|&vertex| is_skin[vertex as usize] = true);
    cover.embedding.loose().iter().for_each(|&vertex| is_skin[vertex as usize] = false);
    let bone_of = |vertex: usize| -> BoneId {
        let corners = cover.embedding.corners()[vertex].into_iter().zip(cover.embedding.weights()[vertex]);
        let nearest = corners.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(corner, _)| corner);
        anatomy.bone[nearest as usize]
    };
    let mut chosen: BTreeMap<(BoneId, [i32; 3]), (f32, u32)> = BTreeMap::new();
    for (vertex, position) in surface.positions.iter().enumerate().filter(|(vertex, _)| is_skin[*vertex]) {
        let cell = (*position / apart_m).floor();
        let from_middle = (*position / apart_m - cell).distance(Vec3::splat(0.5));
        let entry = chosen
            .entry((bone_of(vertex), cell.as_ivec3().to_array()))
            .or_insert((from_middle, vertex as u32));
        if from_middle < entry.0 {
            *entry = (from_middle, vertex as u32);
        }
    }
    chosen.into_values().map(|(_, vertex)| vertex).collect()
}

/// Which vertices lie in the tetrahedra round a point.
struct Rings {
    around: sinew_soft::Rings,
    /// Vertices that each point carries.
    own: Vec<Vec<u32>>,
}

impl Rings {
    fn new(mesh: &TetMesh, carried: &[[(u32, f32); 4]]) -> Self {
        let mut own = vec![Vec::new(); mesh.points().len()];
        for (vertex, corners) in carried.iter().enumerate() {
            corners.iter().for_each(|(corner, _)| own[*corner as usize].push(vertex as u32));
        }
        Self { around: sinew_soft::Rings::of_tets(mesh), own }
    }

    /// Vertices of the point's own tetrahedra and their neighbors', or of the nearest ring that has any.
    fn near(&self, point: u32) -> Vec<u32> {
        let mut points = vec![point];
        for ring in 0..=MOST_RINGS {
            if ring > 0 {
                points = points.iter().flat_map(|&at| self.around.list(at as usize)).copied().collect();
                points.sort_unstable();
                points.dedup();
            }
            let mut found: Vec<u32> =
                points.iter().flat_map(|&at| self.own[at as usize].iter().copied()).collect();
            if ring > 0 && !found.is_empty() {
                found.sort_unstable();
                found.dedup();
                return found;
            }
        }
        Vec::new()
    }
}
