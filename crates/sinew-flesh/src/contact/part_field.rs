//! The skin of one bone at rest, as a lattice of distances.

use glam::{UVec3, Vec3, Vec4};
use sinew_geometry::triangle::nearest_shares;
use sinew_geometry::{Bounds, BoxTree};

/// Triangles that a bone moves, at rest.
#[derive(Clone, Debug, Default)]
pub(super) struct PartSkin {
    pub(super) corners: Vec<[Vec3; 3]>,
    /// Outwards at the corners, unit.
    pub(super) normals: Vec<[Vec3; 3]>,
    /// The bone's weights at the corners.
    pub(super) weights: Vec<[f32; 3]>,
    /// How far the skin gives way at the corners, meters.
    pub(super) gives_m: Vec<[f32; 3]>,
}

/// How a place lies to a part of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look {
    /// Below the skin, negative outside, meters.
    pub depth_m: f32,
    /// The way out; unit, and shorter where several ways are equally near.
    pub out: Vec3,
    /// How much the bone moves the skin there.
    pub weight: f32,
    /// How far the skin there gives way, meters.
    pub give_m: f32,
}

/// A look as two vectors, which are mixed at once: the way out and depth, weight and give.
type Packed = [Vec4; 2];

impl Look {
    fn packed(&self) -> Packed {
        [self.out.extend(self.depth_m), Vec4::new(self.weight, self.give_m, 0.0, 0.0)]
    }
}

fn between(a: Packed, b: Packed, share: f32) -> Packed {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/// The distance to the skin that a bone moves, at rest, between points of a lattice.
///
/// The skin of one bone is open where its limb ends. Inside and outside are told by the normal of the nearest place, and weights go to
/// nothing at the edge, where that says little.
#[derive(Clone, Debug, PartialEq)]
pub struct PartField {
    origin: Vec3,
    cell_m: f32,
    counts: UVec3,
    looks: Vec<Packed>,
    bounds: Bounds,
}

/// Cells across the thinnest extent of a part. Fewer do not tell both sides of a hand apart; more make it a knife, because a push changes sides within a cell.
const CELLS_ACROSS: f32 = 5.0;

/// The coarsest and the finest cell, as shares of the body's size. Of cells of 16 mm on a human the distance is right within 1 mm.
const CELL_SHARES: [f32; 2] = [1.0 / 140.0, 1.0 / 280.0];

/// No field has more points than this.
const MOST_POINTS: f32 = 60_000.0;

/// Mean ways out shorter than this lie between opposite sides, and fade; longer ones are made unit.
const LEAST_OUT: f32 = 0.9;

impl PartField {
    /// Of a bone's skin; what lies deeper than `deepest_m` has no way out. `None` where there is no skin.
    pub(super) fn new(skin: &PartSkin, size_m: f32, deepest_m: f32) -> Option<Self> {
        let boxes: Vec<Bounds> =
            skin.corners.iter().map(|corners| Bounds::around(corners.iter().copied())).collect();
        let tree = BoxTree::new(&boxes);
        let all = tree.bounds();
        if all.is_empty() || !(size_m > 0.0 && all.size().is_finite()) {
            return None;
        }
        let thinnest = all.size().min_element().max(0.0);
        let mut cell_m = (thinnest / CELLS_ACROSS).clamp(CELL_SHARES[1] * size_m, CELL_SHARES[0] * size_m);
        let count_at = |cell_m: f32| (all.size() / cell_m).ceil() + 3.0;
        while count_at(cell_m).element_product() > MOST_POINTS {
            cell_m *= 1.2;
        }
        let bounds = all.grown(cell_m);
        let counts = count_at(cell_m).as_uvec3();
        let mut looks = Vec::with_capacity(counts.element_product() as usize);
        for z in 0..counts.z {
            for y in 0..counts.y {
                let mut within_m = deepest_m + cell_m;
                for x in 0..counts.x {
                    let place = bounds.min() + UVec3::new(x, y, z).as_vec3() * cell_m;
                    let look = look_at(skin, &tree, place, [within_m, deepest_m + cell_m]);
                    // The next place is a cell farther at most, with some room for rounding.
                    within_m = (look.depth_m.abs() + 1.01 * cell_m).min(deepest_m + cell_m);
                    looks.push(look.packed());
                }
            }
        }
        Some(Self { origin: bounds.min(), cell_m, counts, looks, bounds })
    }

    /// Where it answers.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// How a place lies to the part; `None` where it is outside of the field.
    pub fn look(&self, place: Vec3) -> Option<Look> {
        self.look_near(place, f32::INFINITY)
    }

    /// The same; also `None`, sooner, for many places that are farther outside than so much.
    pub fn look_near(&self, place: Vec3, outside_m: f32) -> Option<Look> {
        let at = (place - self.origin) / self.cell_m;
        let last = (self.counts - UVec3::ONE).as_vec3();
        if !(at.cmpge(Vec3::ZERO).all() && at.cmplt(last).all()) {
            return None;
        }
        let low = at.as_uvec3();
        let share = at - low.as_vec3();
        let stride = [self.counts.x as usize, (self.counts.x * self.counts.y) as usize];
        let first = low.x as usize + low.y as usize * stride[0] + low.z as usize * stride[1];
        // No place of a cell is farther from a corner than its diagonal. Where no skin was near the depth says nothing.
        let [corner, rest] = self.looks[first];
        if rest.x > 0.0 && -corner.w > outside_m + 1.8 * self.cell_m {
            return None;
        }
        let along = |at: usize| between(self.looks[at], self.looks[at + 1], share.x);
        let across = |at: usize| between(along(at), along(at + stride[0]), share.y);
        let [out, rest] = between(across(first), across(first + stride[1]), share.z);
        let way = out.truncate();
        Some(Look { depth_m: out.w, out: way / way.length().max(LEAST_OUT), weight: rest.x, give_m: rest.y })
    }
}

/// How a place lies to the nearest of a part's triangles, which is known to be within the first distance or beyond the second.
fn look_at(skin: &PartSkin, tree: &BoxTree, place: Vec3, [within_m, farthest_m]: [f32; 2]) -> Look {
    let mut nearest = None;
    tree.nearest(place, within_m * within_m, |item, least| {
        let shares = nearest_shares(place, skin.corners[item as usize]);
        let square = mixed(&skin.corners[item as usize], shares).distance_squared(place);
        if square < least {
            nearest = Some((item as usize, shares));
        }
        square.min(least)
    });
    // Too far inside or outside for any push: no weight, so that it does not matter which.
    let Some((triangle, shares)) = nearest else { return Look { depth_m: -farthest_m, ..Look::default() } };
    let from_skin = place - mixed(&skin.corners[triangle], shares);
    let normal = mixed(&skin.normals[triangle], shares).normalize_or_zero();
    let distance_m = from_skin.length();
    let sign = if from_skin.dot(normal) < 0.0 { -1.0 } else { 1.0 };
    // On the skin itself the way out is its normal.
    let straight = from_skin * (sign / distance_m.max(f32::MIN_POSITIVE));
    let near = (1.0 - distance_m / (0.1 * farthest_m)).max(0.0);
    let of_corners = |values: &[f32; 3]| Vec3::from(*values).dot(shares);
    Look {
        depth_m: -sign * distance_m,
        out: straight.lerp(normal, near).normalize_or(normal),
        weight: of_corners(&skin.weights[triangle]),
        give_m: of_corners(&skin.gives_m[triangle]),
    }
}

fn mixed(values: &[Vec3; 3], shares: Vec3) -> Vec3 {
    values[0] * shares.x + values[1] * shares.y + values[2] * shares.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::{shapes, smooth_normals};

    #[test]
    fn the_field_of_a_ball_is_that_of_the_formula() {
        let ball = shapes::sphere(0.1, 48, 32);
        let normals = smooth_normals(&ball.positions, &ball.triangles);
        let of = |values: &[Vec3]| -> Vec<[Vec3; 3]> {
            ball.triangles.iter().map(|corners| corners.map(|at| values[at as usize])).collect()
        };
        let count = ball.triangles.len();
        let skin = PartSkin {
            corners: of(&ball.positions),
            normals: of(&normals),
            weights: vec![[0.7; 3]; count],
            gives_m: vec![[0.02; 3]; count],
        };
        let field = PartField::new(&skin, 2.0, 0.06).expect("a ball has skin");
        for at in 0..300_u32 {
            let share = |by: u32| (at * by % 97) as f32 / 97.0 - 0.5;
            let place = Vec3::new(share(31), share(57), share(83)).normalize_or(Vec3::X)
                * (0.05 + 0.05 * (share(19) + 0.5));
            let look = field.look(place).expect("inside the box");
            assert!((look.depth_m - (0.1 - place.length())).abs() < 2e-3, "{place}: {look:?}");
            // Cells are a seventh of the radius: the way out is mixed of directions that are 0.2 apart.
            assert!(look.out.angle_between(place) < 0.1, "{place}: {look:?}");
            assert!((look.weight - 0.7).abs() < 1e-4 && (look.give_m - 0.02).abs() < 1e-5, "{look:?}");
        }
        assert!(field.look(Vec3::ZERO).expect("in the middle").out.length() < 0.2, "no way is the nearest");
        assert_eq!(field.look(Vec3::splat(1.0)), None);
        assert_eq!(PartField::new(&PartSkin::default(), 2.0, 0.06), None);
    }
}
