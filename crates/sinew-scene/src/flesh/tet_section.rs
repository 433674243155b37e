//! What a plane cuts of tetrahedra, for flesh at rest and in motion.

use glam::{Vec3, Vec4};
use sinew_flesh::anatomy::Anatomy;
use sinew_geometry::TetMesh;
use sinew_render::linear_from_rgb8;

/// A plane through a character at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionPlane {
    /// A point of it, model space.
    pub point: Vec3,
    /// Unit, towards the eye.
    pub normal: Vec3,
}

impl SectionPlane {
    /// How far before the plane a point is; behind it below 0.
    pub fn height_of(&self, point: Vec3) -> f32 {
        (point - self.point).dot(self.normal)
    }
}

/// Polygons in which a plane meets tetrahedra at rest. Their vertices are mixtures of the tetrahedra's points, so that they move with them.
#[derive(Clone, Debug, PartialEq)]
pub struct TetSection {
    vertices: Vec<Mixture>,
    /// Of vertices of the section.
    pub triangles: Vec<[u32; 3]>,
}

/// A place in a tetrahedron: its points with their weights.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mixture {
    points: [u32; 4],
    weights: Vec4,
}

/// Colors of layers from the bone outwards: ivory, red, yellow; more layers repeat the last two.
const LAYERS: [[u8; 3]; 3] = [[238, 232, 213], [190, 62, 54], [243, 201, 92]];

impl TetSection {
    /// Cuts tetrahedra at rest. With `insides`, one number a point, only what has one above 0 is there: tetrahedra reach beyond the
    /// skin.
    pub fn new(mesh: &TetMesh, plane: SectionPlane, insides: Option<&[f32]>) -> Self {
        let mut section = Self { vertices: Vec::new(), triangles: Vec::new() };
        for tet in mesh.tets() {
            let heights = Vec4::from(tet.map(|point| plane.height_of(mesh.points()[point as usize])));
            let mut polygon = cut(heights);
            if let Some(insides) = insides {
                let inside = Vec4::from(tet.map(|point| insides[point as usize]));
                polygon = clipped(&polygon, inside);
            }
            let first = section.vertices.len() as u32;
            let count = polygon.len() as u32;
            section.vertices.extend(polygon.into_iter().map(|weights| Mixture { points: *tet, weights }));
            section.triangles.extend((2..count).map(|last| [first, first + last - 1, first + last]));
        }
        section
    }

    /// Values of the section's vertices, such as their places, from those of the points.
    pub fn blend(&self, values: &[Vec3]) -> Vec<Vec3> {
        let of_vertex = |vertex: &Mixture| {
            let [a, b, c, d] = vertex.points.map(|point| values[point as usize]);
            a * vertex.weights.x + b * vertex.weights.y + c * vertex.weights.z + d * vertex.weights.w
        };
        self.vertices.iter().map(of_vertex).collect()
    }

    /// Ivory for bone, red for muscle, yellow for fat, mixed as the anatomy mixes them.
    pub fn layer_colors(&self, anatomy: &Anatomy) -> Vec<Vec4> {
        let colors: Vec<Vec3> =
            (0..anatomy.point_count()).map(|point| layer_color(anatomy.mix_of(point))).collect();
        self.blend(&colors).into_iter().map(|color| color.extend(1.0)).collect()
    }
}

fn layer_color(mix: &[f32]) -> Vec3 {
    let of_layer = |layer: usize| {
        let at = if layer < LAYERS.len() { layer } else { 1 + (layer - 1) % 2 };
        linear_from_rgb8(LAYERS[at])
    };
    mix.iter().enumerate().map(|(layer, share)| of_layer(layer) * *share).sum()
}

/// The polygon in which a tetrahedron with corners at these heights meets the plane, as weights of the corners.
fn cut(heights: Vec4) -> Vec<Vec4> {
    let (before, behind): (Vec<usize>, Vec<usize>) = (0..4).partition(|&corner| heights[corner] >= 0.0);
    // Round the polygon: one corner against three, or two against two.
    let edges: Vec<(usize, usize)> = match (before.as_slice(), behind.as_slice()) {
        ([one], others) | (others, [one]) => others.iter().map(|&other| (*one, other)).collect(),
        ([a, b], [c, d]) => vec![(*a, *c), (*a, *d), (*b, *d), (*b, *c)],
        _ => Vec::new(),
    };
    let crossing = |(from, to): (usize, usize)| {
        let share = heights[from] / (heights[from] - heights[to]);
        Vec4::AXES[from].lerp(Vec4::AXES[to], share)
    };
    edges.into_iter().map(crossing).collect()
}

/// What of a polygon lies where the corners' values, mixed, are above 0 \[Sutherland74\].
fn clipped(polygon: &[Vec4], values: Vec4) -> Vec<Vec4> {
    let mut kept = Vec::new();
    for (at, &from) in polygon.iter().enumerate() {
        let to = polygon[(at + 1) % polygon.len()];
        let (a, b) = (from.dot(values), to.dot(values));
        if a >= 0.0 {
            kept.push(from);
        }
        if (a >= 0.0) != (b >= 0.0) {
            kept.push(from.lerp(to, a / (a - b)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::{CoverSettings, CoverSize, cover, shapes};

    #[test]
    fn a_ball_is_cut_in_a_disc() {
        let ball = shapes::sphere(1.0, 48, 24);
        let settings = CoverSettings { size: CoverSize::Count(4000), ..CoverSettings::default() };
        let mesh = cover(&ball, &settings).unwrap().mesh;
        let plane = SectionPlane { point: Vec3::new(0.0, 0.0, 0.013), normal: Vec3::Z };
        let insides: Vec<f32> = mesh.points().iter().map(|point| 1.0 - point.length()).collect();
        let section = TetSection::new(&mesh, plane, Some(&insides));
        let places = section.blend(mesh.points());
        let area = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| places[corner as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        let found: f32 = section.triangles.iter().map(area).sum();
        assert!((found - std::f32::consts::PI).abs() < 0.05, "{found}");
        assert!(places.iter().all(|place| plane.height_of(*place).abs() < 1e-5));
        let whole = TetSection::new(&mesh, plane, None);
        assert!(whole.triangles.len() > section.triangles.len(), "tetrahedra reach beyond the skin");
    }
}
