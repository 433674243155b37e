//! A body as others meet it at one moment.

use super::gap::Surface;
use crate::contact::{Ridge, Skin, SkinTrees};
use glam::{Vec3, Vec4};
use sinew_geometry::Bounds;
use sinew_geometry::triangle::nearest_shares;

/// A skin at places.
#[derive(Clone, Copy)]
pub(super) struct SurfaceView<'a> {
    pub(super) skin: &'a Skin,
    pub(super) places: &'a [Vec4],
    pub(super) trees: &'a SkinTrees,
    /// Of its triangles, unit.
    pub(super) normals: &'a [Vec3],
    /// As it is at the beginning of the step.
    pub(super) surface: Surface<'a>,
}

/// Which way the surface round a particle faces.
#[derive(Clone, Copy)]
pub(super) struct Facing<'a> {
    triangles: &'a [u32],
    normals: &'a [Vec3],
    /// How well the other's surface must face one of these triangles, by the dot product.
    least: f32,
}

/// On a smooth surface, touching surfaces face each other to 37°.
const FACE_TO_FACE: f32 = 0.8;

impl Facing<'_> {
    /// Whether a surface with this normal can touch here: it must face the particle's own, with some slack.
    ///
    /// Where a corner of another body is inside a flat side, particles of the side lie in the corner, and are near triangles that face
    /// anywhere. Their ways out would fight with the corner's way out of the side, which is the right one.
    pub(super) fn meets(&self, normal: Vec3, is_sheet: bool, slack: f32) -> bool {
        // A sheet has no corner that could be inside, and nothing that would bring back what is through.
        if is_sheet || self.triangles.is_empty() {
            return true;
        }
        let facing = self.triangles.iter().map(|&triangle| -normal.dot(self.normals[triangle as usize]));
        facing.fold(f32::NEG_INFINITY, f32::max) > self.least - slack
    }
}

/// For a body that meets itself: the rest place of the point, and how far from it nothing counts.
#[derive(Clone, Copy)]
pub(super) struct Own {
    pub(super) rest: Vec3,
    pub(super) least_m: f32,
}

impl Own {
    fn is_near(self, other: Vec3) -> bool {
        self.rest.distance_squared(other) < self.least_m * self.least_m
    }
}

/// A way out that is so many times as long as the shortest is none.
const MUCH_NEARER: f32 = 2.0;

/// Distances of which the larger is less than this many times the other are the same, squared: at an edge two triangles are.
const SAME: f32 = 1.0002;

impl<'a> SurfaceView<'a> {
    /// The triangle that keeps a point out: the one nearest to it; or, where none is within reach and the point is inside, the one
    /// that is nearest when the body is at rest.
    ///
    /// By the rest shape a point that is deep in a bent body leaves where its own part of the body ends, not through a fold.
    pub(super) fn triangle_at(
        &self,
        point: Vec3,
        facing: Facing<'_>,
        reach_m: f32,
        own: Option<Own>,
    ) -> Option<u32> {
        self.nearest(point, facing, reach_m, own).or_else(|| self.way_out(point, facing, own))
    }

    /// Which way the surface round a particle faces, by its number among the probes. In a solid's corner, where its triangles face
    /// several ways, that is anything between them.
    pub(super) fn facing(&self, probe: usize) -> Facing<'a> {
        let triangles = if self.skin.is_sheet() { &[][..] } else { self.skin.round(probe) };
        let normal = |&triangle: &u32| self.normals[triangle as usize];
        let mean = triangles.iter().map(normal).sum::<Vec3>().normalize_or_zero();
        let spread = triangles.iter().map(|triangle| mean.dot(normal(triangle))).fold(1.0, f32::min);
        Facing { triangles, normals: self.normals, least: FACE_TO_FACE.min(spread - 0.02) }
    }

    fn nearest(&self, point: Vec3, facing: Facing<'_>, reach_m: f32, own: Option<Own>) -> Option<u32> {
        /// Nearest square, height above the plane, number.
        struct Best(f32, f32, Option<u32>);
        let mut best = Best(reach_m * reach_m, f32::NEG_INFINITY, None);
        self.trees.triangles.nearest(point, best.0, |triangle, _| {
            let corners = self.skin.triangles[triangle as usize];
            let [a, b, c] = self.corners(corners);
            let shares = nearest_shares(point, [a, b, c]);
            let from = point - (a * shares.x + b * shares.y + c * shares.z);
            let square = from.length_squared();
            if square <= best.0 * SAME && !own.is_some_and(|own| own.is_near(self.at_rest(corners, shares))) {
                let normal = self.normals[triangle as usize];
                let height = from.dot(normal);
                let is_behind = own.is_some() && height < 0.0 && !self.skin.is_sheet();
                let is_facing = facing.meets(normal, self.skin.is_sheet(), 0.0);
                // Of two that are equally near, the one that the point is higher above keeps it out.
                let is_better = best.2.is_none() || square * SAME < best.0 || height > best.1;
                if is_better && !is_behind && is_facing {
                    best = Best(square.min(best.0), height, Some(triangle));
                }
            }
            best.0 * SAME
        });
        best.2
    }

    /// The way out of the tetrahedra, by the rest shape: to a triangle that faces the particle's own surface, unless another is much
    /// nearer.
    fn way_out(&self, point: Vec3, facing: Facing<'_>, own: Option<Own>) -> Option<u32> {
        let mut found: Option<Vec3> = None;
        self.trees.tets.visit(&Bounds::EMPTY.with(point), |tet| {
            if found.is_some() {
                return;
            }
            let corners = self.skin.tets[tet as usize];
            let Some(shares) = tet_shares(point, corners.map(|at| self.places[at as usize].truncate()))
            else {
                return;
            };
            let rest: Vec3 =
                corners.iter().zip(shares).map(|(&at, share)| self.skin.rest[at as usize] * share).sum();
            if !own.is_some_and(|own| own.is_near(rest)) {
                found = Some(rest);
            }
        });
        let rest = found?;
        let (nearest, _) = self.nearest_at_rest(rest, f32::INFINITY, |_| true);
        let square = MUCH_NEARER * MUCH_NEARER * nearest;
        let meets = |triangle: u32| facing.meets(self.normals[triangle as usize], self.skin.is_sheet(), 0.0);
        self.nearest_at_rest(rest, square, meets).1
    }

    /// The nearest triangle of the rest shape of those that pass, with the square of its distance.
    fn nearest_at_rest(&self, rest: Vec3, square: f32, passes: impl Fn(u32) -> bool) -> (f32, Option<u32>) {
        let mut best = (square, None);
        self.skin.trees.triangles.nearest(rest, best.0, |triangle, _| {
            let corners = self.skin.triangles[triangle as usize];
            let shares = nearest_shares(rest, corners.map(|at| self.skin.rest[at as usize]));
            let square = rest.distance_squared(self.at_rest(corners, shares));
            if square < best.0 && passes(triangle) {
                best = (square, Some(triangle));
            }
            best.0
        });
        best
    }

    /// Ridges that meet a box.
    pub(super) fn ridges_at(&self, wanted: &Bounds, mut tell: impl FnMut(&'a Ridge)) {
        let skin = self.skin;
        self.trees.ridges.visit(wanted, |ridge| tell(&skin.ridges[ridge as usize]));
    }

    /// Where a ridge's ends are.
    pub(super) fn ends(&self, ridge: &Ridge) -> [Vec3; 2] {
        ridge.corners.map(|corner| self.places[corner as usize].truncate())
    }

    /// The normals of the triangles on both sides of a ridge.
    pub(super) fn sides(&self, ridge: &Ridge) -> [Vec3; 2] {
        ridge.triangles.map(|triangle| self.normals[triangle as usize])
    }

    fn corners(&self, corners: [u32; 3]) -> [Vec3; 3] {
        corners.map(|corner| self.places[corner as usize].truncate())
    }

    fn at_rest(&self, corners: [u32; 3], shares: Vec3) -> Vec3 {
        let [a, b, c] = corners.map(|corner| self.skin.rest[corner as usize]);
        a * shares.x + b * shares.y + c * shares.z
    }
}

/// Shares of a tetrahedron's corners in a point inside it; none for a point outside, and for a tetrahedron without volume.
fn tet_shares(point: Vec3, [a, b, c, d]: [Vec3; 4]) -> Option<[f32; 4]> {
    let (u, v, w, p) = (b - a, c - a, d - a, point - a);
    let volume = u.dot(v.cross(w));
    let size = u.length_squared().max(v.length_squared()).max(w.length_squared());
    if volume.abs() <= 1e-6 * size * size.sqrt() {
        return None;
    }
    let of_b = p.dot(v.cross(w)) / volume;
    let of_c = u.dot(p.cross(w)) / volume;
    let of_d = u.dot(v.cross(p)) / volume;
    let shares = [1.0 - of_b - of_c - of_d, of_b, of_c, of_d];
    shares.into_iter().all(|share| share >= 0.0).then_some(shares)
}

/// Normals of a skin's triangles.
pub(super) fn write_normals(skin: &Skin, places: &[Vec4], normals: &mut Vec<Vec3>) {
    normals.clear();
    normals.extend(skin.triangles.iter().map(|corners| {
        let [a, b, c] = corners.map(|corner| places[corner as usize].truncate());
        (b - a).cross(c - a).normalize_or_zero()
    }));
}

/// Brings trees to where a skin's particles are.
pub(super) fn refit(trees: &mut SkinTrees, skin: &Skin, places: &[Vec4]) {
    let box_of =
        |corners: &[u32]| Bounds::around(corners.iter().map(|&corner| places[corner as usize].truncate()));
    trees.triangles.refit(|triangle| box_of(&skin.triangles[triangle]));
    trees.tets.refit(|tet| box_of(&skin.tets[tet]));
    trees.ridges.refit(|ridge| box_of(&skin.ridges[ridge].corners));
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::TetMesh;

    #[test]
    fn points_inside_leave_by_the_nearest_side_and_points_above_edges_by_the_higher() {
        let mesh = TetMesh::lattice([4, 4, 4], Vec3::ONE);
        let skin = Skin::of_tets(&mesh, 0.0).unwrap();
        let places: Vec<Vec4> = mesh.points().iter().map(|point| point.extend(0.0)).collect();
        let mut normals = Vec::new();
        write_normals(&skin, &places, &mut normals);
        let view = SurfaceView {
            skin: &skin,
            places: &places,
            trees: &skin.trees,
            normals: &normals,
            surface: Surface { skin: &skin, corner_normals: &[] },
        };
        let normal = |triangle: u32| normals[triangle as usize];
        let any = Facing { triangles: &[], normals: &[], least: 0.0 };
        for (point, out) in [
            (Vec3::new(0.5, 0.8, 0.4), Vec3::Y),
            (Vec3::new(0.1, 0.6, 0.5), Vec3::NEG_X),
            (Vec3::new(0.5, 1.02, 1.01), Vec3::Y),
            (Vec3::new(0.5, 1.01, 1.02), Vec3::Z),
            (Vec3::new(0.3, 0.4, -0.01), Vec3::NEG_Z),
        ] {
            assert_eq!(normal(view.triangle_at(point, any, 0.05, None).unwrap()), out, "{point}");
        }
        assert_eq!(view.triangle_at(Vec3::splat(1.2), any, 0.05, None), None);
        // To itself, the body is where it is at rest: nothing.
        let own = Some(Own { rest: Vec3::new(0.5, 0.8, 0.4), least_m: 0.3 });
        assert_eq!(view.triangle_at(Vec3::new(0.5, 0.8, 0.4), any, 0.05, own), None);
        // To a surface that faces up, only what faces down: the bottom is too far away, then not.
        let up = Facing { triangles: &[0], normals: &[Vec3::Y], least: 0.8 };
        assert_eq!(view.triangle_at(Vec3::new(0.5, 0.8, 0.4), up, 0.05, None), None);
        let down = view.triangle_at(Vec3::new(0.5, 0.3, 0.2), up, 0.05, None).unwrap();
        assert_eq!(normal(down), Vec3::NEG_Y);
    }
}
