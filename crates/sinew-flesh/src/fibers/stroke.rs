//! Strokes on the skin.

use super::{FiberConstraint, FiberPlace, FiberWarning};
use crate::anatomy::nearest_skin::{NearestSkin, Skin, area_normal};
use crate::config::Stroke;
use crate::field::{Locator, barycentric};
use glam::{DVec3, Vec3};
use sinew_geometry::{Cover, TriangleMesh, WindingField};

/// A stroke of weight 1 prevails over what bones and skin say.
const STROKE_WEIGHT: f32 = 100.0;

/// Strokes are cut into pieces of this many spacings.
const PIECE_SPACINGS: f32 = 0.5;

/// A stroke farther from the skin than this many spacings is off it.
const REACH_SPACINGS: f32 = 1.0;

/// Most pieces of a stroke: a line longer than that winds round the body hundreds of times.
const MOST_PIECES: f32 = 20_000.0;

/// A surface and its tetrahedra, ready for strokes.
pub struct StrokeCanvas<'a> {
    surface: &'a TriangleMesh,
    cover: &'a Cover,
    skin: Skin<'a>,
    locator: Locator,
    part_of_tet: Vec<u32>,
}

impl<'a> StrokeCanvas<'a> {
    /// The skin of a surface, which the cover is of.
    ///
    /// # Panics
    /// If the cover is of another surface.
    pub fn new(surface: &'a TriangleMesh, cover: &'a Cover) -> Self {
        assert_eq!(surface.positions.len(), cover.embedding.tets().len(), "a cover of this surface");
        let skin = Skin::new(surface, &WindingField::new(surface));
        let locator = Locator::new(&cover.mesh);
        Self { surface, cover, skin, locator, part_of_tet: cover.mesh.components() }
    }

    /// What strokes say of fibers: pieces of each are laid on the nearest skin, made perpendicular to its normal.
    pub fn constraints(&self, strokes: &[Stroke], warnings: &mut Vec<FiberWarning>) -> Vec<FiberConstraint> {
        let mut constraints = Vec::new();
        for (number, stroke) in strokes.iter().enumerate() {
            let pieces = self.pieces(stroke);
            if pieces.is_empty() {
                warnings.push(FiberWarning::StrokeTooShort { stroke: number });
                continue;
            }
            let before = constraints.len();
            let weight = STROKE_WEIGHT * stroke.weight as f32;
            constraints.extend(pieces.iter().filter_map(|piece| self.constraint(*piece, weight)));
            let missing = pieces.len() - (constraints.len() - before);
            if missing > 0 {
                let share = missing as f32 / pieces.len() as f32;
                warnings.push(FiberWarning::StrokeOffSkin { stroke: number, share });
            }
        }
        constraints
    }

    /// Pieces from corner to corner, none longer than half a spacing; parts that are nowhere or have no length are left out.
    fn pieces(&self, stroke: &Stroke) -> Vec<[Vec3; 2]> {
        let mut pieces = Vec::new();
        let points: Vec<Vec3> = stroke.points.iter().map(|&point| DVec3::from(point).as_vec3()).collect();
        for pair in points.windows(2) {
            let length = pair[0].distance(pair[1]);
            if !(length > 0.0 && length.is_finite()) {
                continue;
            }
            let count =
                (length / (PIECE_SPACINGS * self.cover.spacing)).ceil().clamp(1.0, MOST_PIECES) as usize;
            let at = |step: usize| pair[0].lerp(pair[1], step as f32 / count as f32);
            pieces.extend((0..count).map(|step| [at(step), at(step + 1)]));
        }
        pieces
    }

    fn constraint(&self, [from, to]: [Vec3; 2], weight: f32) -> Option<FiberConstraint> {
        let nearest = self.skin.nearest((from + to) / 2.0)?;
        if nearest.distance > REACH_SPACINGS * self.cover.spacing {
            return None;
        }
        let normal = area_normal(self.surface, nearest.triangle).normalize_or_zero();
        let along = (to - from).normalize_or_zero();
        let direction = along - normal * normal.dot(along);
        let (tet, weights) = self.tet_at(&nearest)?;
        Some(FiberConstraint { place: FiberPlace::Within(tet, weights), direction, weight })
    }

    /// The tetrahedron of a place on the skin. Where a gap runs through a tetrahedron, several copies hold the place: the one counts that touches
    /// those of the triangle's own vertices, or else belongs to their part.
    fn tet_at(&self, nearest: &NearestSkin) -> Option<(u32, [f32; 4])> {
        let mesh = &self.cover.mesh;
        let vertices = self.surface.triangles[nearest.triangle as usize];
        let own = vertices.map(|vertex| self.cover.embedding.tets()[vertex as usize]);
        let touches = |tet: u32| {
            let corners = mesh.tets()[tet as usize];
            own.iter().any(|&own| mesh.tets()[own as usize].iter().any(|corner| corners.contains(corner)))
        };
        let is_same_part = |tet: u32| self.part_of_tet[tet as usize] == self.part_of_tet[own[0] as usize];
        let holding = self.locator.holding(mesh, nearest.point);
        let found = holding.iter().find(|(tet, _)| touches(*tet));
        let found = found.or_else(|| holding.iter().find(|(tet, _)| is_same_part(*tet))).copied();
        let fallback = || Some((own[0], barycentric(mesh, own[0] as usize, nearest.point)?));
        let (tet, weights) = found.or_else(fallback)?;
        // Just outside counts as on the border.
        let inside = weights.map(|weight| weight.clamp(0.0, 1.0) as f32);
        let sum: f32 = inside.iter().sum();
        Some((tet, inside.map(|weight| weight / sum)))
    }
}
