//! What lies under the skin, as it is drawn: layers cut open, fibres as lines, muscles as colors.

use crate::flesh::{SectionPlane, sparse_vertices};
use glam::{Mat3, Vec3, Vec4};
use sinew_flesh::muscles::{FleshPoints, MuscleShares};
use sinew_flesh::{FleshRig, FleshSkin};
use sinew_geometry::smooth_normals;
use sinew_render::{Object, Overlay, OverlayDepth, Rgba8, linear_from_rgb8};

/// The plane that shows most: through the middle of the flesh, facing where the character looks.
pub fn cut_plane(rig: &FleshRig) -> SectionPlane {
    let mesh = &rig.covered.cover.mesh;
    let (mut sum, mut volume) = (Vec3::ZERO, 0.0);
    for (tet, corners) in mesh.tets().iter().enumerate() {
        let own = mesh.tet_volume(tet) as f32;
        sum += corners.iter().map(|&corner| mesh.points()[corner as usize]).sum::<Vec3>() * (0.25 * own);
        volume += own;
    }
    // Beside the lattice's own planes, whose faces lie in each other.
    let point = sum / volume.max(f32::MIN_POSITIVE) + Vec3::Z * (0.013 * rig.covered.cover.spacing);
    SectionPlane { point, normal: Vec3::Z }
}

/// Takes the skin before a plane away.
pub(super) fn skin_behind(objects: &mut [Object], rig: &FleshRig, plane: SectionPlane) {
    for (placed, object) in rig.covered.bound.instances().iter().zip(objects) {
        let rest = &rig.covered.surface.positions[placed.vertices.clone()];
        let is_behind = |vertex: u32| plane.height_of(rest[vertex as usize]) < 0.0;
        let mut kept = Vec::new();
        for group in &mut object.groups {
            let first = kept.len() as u32;
            let own = &object.triangles[group.first as usize..(group.first + group.count) as usize];
            kept.extend(
                own.iter().copied().filter(|triangle| triangle.iter().any(|&vertex| is_behind(vertex))),
            );
            (group.first, group.count) = (first, kept.len() as u32 - first);
        }
        if object.groups.is_empty() {
            kept = object.triangles.clone();
            kept.retain(|triangle| triangle.iter().any(|&vertex| is_behind(vertex)));
        }
        object.triangles = kept;
    }
}

/// Lines are this many spacings long, and lie this many before the skin, so that it does not swallow them.
const LENGTH_SPACINGS: f32 = 0.9;
const LIFT_SPACINGS: f32 = 0.04;

/// Dark red, as flesh is in anatomists' plates.
const FIBRE: Rgba8 = [150, 24, 30, 255];

/// Fibres at the skin, which move with their tetrahedra.
pub(super) struct FibreLines {
    lines: Vec<Line>,
    lift_m: f32,
    length_m: f32,
}

struct Line {
    vertex: usize,
    corners: [u32; 4],
    /// Unit at rest, in the axes of the tetrahedron's edges.
    in_edges: Vec3,
}

impl FibreLines {
    pub(super) fn new(rig: &FleshRig) -> Self {
        let (surface, cover) = (&rig.covered.surface, &rig.covered.cover);
        let line = |vertex: usize| {
            let tet = cover.embedding.tets()[vertex] as usize;
            let corners = cover.mesh.tets()[tet];
            let direction = rig.fibres.tet_directions[tet];
            let edges = edges_of(&corners, cover.mesh.points());
            (direction != Vec3::ZERO && edges.determinant() != 0.0).then(|| Line {
                vertex,
                corners,
                in_edges: edges.inverse() * direction,
            })
        };
        let chosen = sparse_vertices(&surface.positions, 0.5 * cover.spacing);
        Self {
            lines: chosen.into_iter().filter_map(line).collect(),
            lift_m: LIFT_SPACINGS * cover.spacing,
            length_m: LENGTH_SPACINGS * cover.spacing,
        }
    }

    pub(super) fn overlays(&self, skin: &FleshSkin, points: &[Vec3], width_px: f32) -> Vec<Overlay> {
        let overlay = |line: &Line| {
            let direction = (edges_of(&line.corners, points) * line.in_edges).normalize_or_zero();
            let middle = skin.positions()[line.vertex] + skin.normals()[line.vertex] * self.lift_m;
            let half = direction * (0.5 * self.length_m);
            Overlay::Polyline {
                points: vec![middle - half, middle + half],
                closed: false,
                width_px,
                color: FIBRE,
                depth: OverlayDepth::Tested,
            }
        };
        self.lines.iter().map(overlay).collect()
    }
}

fn edges_of(corners: &[u32; 4], points: &[Vec3]) -> Mat3 {
    let [a, b, c, d] = corners.map(|corner| points[corner as usize]);
    Mat3::from_cols(b - a, c - a, d - a)
}

/// Muscles as they show through the skin.
pub(super) struct MuscleColors {
    /// Muscles under each vertex, with their shares.
    shares: MuscleShares,
}

/// How deep under the skin a vertex looks, as a share of the way to the bone: past the fat.
const LOOK_DEPTH: f32 = 0.45;

/// A muscle that has shortened by this is drawn as bright as can be.
const FULL_SHORTENING: f32 = 0.25;

/// Where there is no muscle; at rest; short.
const NO_MUSCLE: [u8; 3] = [222, 214, 200];
const AT_REST: [u8; 3] = [168, 92, 84];
const SHORT: [u8; 3] = [226, 34, 24];

impl MuscleColors {
    pub(super) fn new(rig: &FleshRig) -> Self {
        let surface = &rig.covered.surface;
        let normals = smooth_normals(&surface.positions, &surface.triangles);
        let thickness: Vec<Vec3> =
            rig.anatomy.thickness_m.iter().map(|thickness| Vec3::splat(*thickness)).collect();
        let thickness = rig.covered.cover.embedding.apply(&thickness);
        let deep: Vec<f32> = thickness.iter().map(|thickness| LOOK_DEPTH * thickness.x.max(0.0)).collect();
        let places: Vec<Vec3> = (0..deep.len())
            .map(|vertex| surface.positions[vertex] - normals[vertex] * deep[vertex])
            .collect();
        let points = FleshPoints {
            positions: &places,
            depths: &vec![1.0 - LOOK_DEPTH; places.len()],
            skin_distances_m: &deep,
        };
        // Lists of one length with finite numbers: no muscle is an answer, an error is not.
        let shares = MuscleShares::new(&rig.muscles, &points, 0.25 * rig.covered.cover.spacing)
            .expect("vertices of a surface that flesh was made for are finite");
        Self { shares }
    }

    /// Colors the objects of the skin for the pose that it has.
    pub(super) fn paint(&self, objects: &mut [Object], skin: &FleshSkin) {
        let [none, at_rest, short] = [NO_MUSCLE, AT_REST, SHORT].map(linear_from_rgb8);
        let color = |vertex: usize| {
            let shares = self.shares.of(vertex);
            let total: f32 = shares.iter().map(|share| share.share).sum();
            let shortening: f32 = shares
                .iter()
                .map(|share| share.share * (1.0 - skin.contractions()[share.muscle as usize].along))
                .sum();
            let bright = (shortening / (total.max(1e-6) * FULL_SHORTENING)).clamp(0.0, 1.0);
            none.lerp(at_rest.lerp(short, bright), total.clamp(0.0, 1.0)).extend(1.0)
        };
        for (placed, object) in skin.posed().bound().instances().iter().zip(objects) {
            object.vertex_colors = placed.vertices.clone().map(color).collect::<Vec<Vec4>>();
        }
    }
}
