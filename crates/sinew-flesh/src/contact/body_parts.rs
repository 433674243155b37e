//! All parts of a body, in a pose.

use super::part_field::{PartField, PartSkin};
use super::press::Press;
use super::touch_points::{TouchPoint, TouchPoints, TouchSkin};
use glam::{Affine3A, Vec3};
use sinew_geometry::{Bounds, smooth_step};
use sinew_rig::BoneId;
use sinew_soft::Collider;

/// The skin of every bone, by which parts of a body press each other.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyParts {
    parts: Vec<Part>,
    /// The part of each bone.
    part_of_bone: Vec<Option<u16>>,
    press: Press,
}

#[derive(Clone, Debug, PartialEq)]
struct Part {
    bone: BoneId,
    bone_from_rest: Affine3A,
    field: PartField,
}

/// Where the parts of a body are in a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PosedParts {
    /// `None` for a part that its bone flattens.
    parts: Vec<Option<PosedPart>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PosedPart {
    posed_from_rest: Affine3A,
    rest_from_posed: Affine3A,
}

/// A triangle belongs to a bone's skin if it has a corner that the bone moves by more than this.
const LEAST_WEIGHT: f32 = 0.05;

/// A point that a bone moves by this much itself is no longer pushed by the bone's skin: both sides of an elbow's fold are, the fold itself is not.
const KIN_WEIGHT: f32 = 0.5;

/// A point is pushed if its own outward direction and the way out of the other part are opposite, by the negative of their product: not at all
/// below the first, wholly above the second.
const FACING: [f32; 2] = [-0.6, 0.6];

/// Shares of what both sides give way from which on the nearest way out counts less, and no more.
const DEEP: [f32; 2] = [0.6, 1.4];

/// Skin pushes from the first of these weights of its bone on, and wholly from the second. Where limbs begin, weights fade slowly, and flesh is
/// just as solid there.
const SKIN_WEIGHTS: [f32; 2] = [0.1, 0.5];

impl BodyParts {
    /// Of a skin whose bones stand at rest as given, model from bone.
    pub fn new(skin: &TouchSkin<'_>, rest_model_from_bone: &[Affine3A]) -> Self {
        let size_m = Bounds::of(&skin.surface.positions).diagonal();
        let most_give_m = skin.gives_m.iter().copied().fold(0.0, f32::max);
        let normals = skin.seamless_normals();
        let mut triangles_of = vec![Vec::new(); rest_model_from_bone.len()];
        for &triangle in skin.outer {
            let mut bones: Vec<BoneId> = skin.surface.triangles[triangle as usize]
                .iter()
                .flat_map(|&corner| skin.bones_of(corner as usize))
                .filter(|(_, weight)| *weight > LEAST_WEIGHT)
                .map(|(bone, _)| bone)
                .collect();
            bones.sort_unstable();
            bones.dedup();
            bones.iter().for_each(|bone| triangles_of[bone.index()].push(triangle));
        }
        let part = |(bone, triangles): (usize, &Vec<u32>)| {
            let bone = BoneId::of(bone);
            let bone_from_rest = rest_model_from_bone[bone.index()].inverse();
            let of_bone = part_skin(skin, &normals, bone, triangles);
            // Beyond half as much again as both sides give, nothing tells which way out is meant.
            let field = PartField::new(&of_bone, size_m, 3.0 * most_give_m)?;
            bone_from_rest.is_finite().then_some(Part { bone, bone_from_rest, field })
        };
        let parts: Vec<Part> = if most_give_m > 0.0 {
            triangles_of.iter().enumerate().filter_map(part).collect()
        } else {
            Vec::new()
        };
        let mut part_of_bone = vec![None; rest_model_from_bone.len()];
        parts.iter().enumerate().for_each(|(at, part)| part_of_bone[part.bone.index()] = Some(at as u16));
        Self { parts, part_of_bone, press: Press::of_size(size_m) }
    }

    /// Bones whose skin a place at rest touches, and how deep it lies in it, meters. Beyond the edge of a part depth at rest means nothing.
    pub(super) fn touching_at_rest(&self, place: Vec3) -> impl Iterator<Item = (BoneId, f32)> + '_ {
        self.parts.iter().filter_map(move |part| {
            let look = part.field.look_near(place, self.press.onset_m)?;
            let known = (look.weight / SKIN_WEIGHTS[0]).clamp(0.0, 1.0);
            let depth_m = (look.depth_m + self.press.onset_m).max(0.0) * known;
            (depth_m > 0.0).then_some((part.bone, depth_m))
        })
    }

    /// Takes a pose, model from bone.
    pub fn pose_into(&self, model_from_bone: &[Affine3A], posed: &mut PosedParts) {
        posed.parts.clear();
        posed.parts.extend(self.parts.iter().map(|part| {
            let posed_from_rest = model_from_bone[part.bone.index()] * part.bone_from_rest;
            let rest_from_posed = posed_from_rest.inverse();
            (posed_from_rest.is_finite() && rest_from_posed.is_finite())
                .then_some(PosedPart { posed_from_rest, rest_from_posed })
        }));
    }

    /// Adds to `pushes` where each point goes, out of all other parts of the body, from `places`.
    pub fn push_apart(&self, posed: &PosedParts, points: &TouchPoints, places: &[Vec3], pushes: &mut [Vec3]) {
        let mut near = Vec::new();
        for group in &points.groups {
            let bounds = points.bounds(group, places);
            near.clear();
            near.extend(self.parts.iter().zip(&posed.parts).filter_map(|(part, posed)| {
                let posed = (*posed)?;
                image(&posed.rest_from_posed, &bounds).overlaps(part.field.bounds()).then_some((part, posed))
            }));
            for point in &points.points[group.clone()] {
                let place = places[point.place as usize];
                let mut joined = JoinedPush::default();
                let mut normal = None;
                for near in &near {
                    let mut outwards = || *normal.get_or_insert_with(|| self.normal(posed, points, point));
                    joined.add(self.push(near, points, point, place, &mut outwards));
                }
                pushes[point.place as usize] += joined.push().clamp_length_max(point.give_m);
            }
        }
    }

    /// How one part pushes a point, and how much that counts.
    fn push(
        &self,
        (part, posed): &(&Part, PosedPart),
        points: &TouchPoints,
        point: &TouchPoint,
        place: Vec3,
        outwards: &mut dyn FnMut() -> Vec3,
    ) -> (Vec3, f32) {
        // First what is cheap: most points lie in the field of their own bone.
        let strange = 1.0 - smooth_step(points.kinship(point, part.bone) / KIN_WEIGHT);
        if strange <= 0.0 {
            return (Vec3::ZERO, 0.0);
        }
        let Some(look) =
            part.field.look_near(posed.rest_from_posed.transform_point3(place), self.press.onset_m)
        else {
            return (Vec3::ZERO, 0.0);
        };
        let onset_m = self.press.onset_m;
        if look.depth_m <= -onset_m || look.weight <= SKIN_WEIGHTS[0] {
            return (Vec3::ZERO, 0.0);
        }
        let solid = ((look.weight - SKIN_WEIGHTS[0]) / (SKIN_WEIGHTS[1] - SKIN_WEIGHTS[0])).min(1.0);
        // What touches at rest already was modeled so.
        let at_rest = points.depth_at_rest(point, part.bone);
        let most_m = point.give_m + look.give_m.max(0.0);
        let own_share = point.give_m / most_m;
        let way_m = own_share * self.press.limited(look.depth_m - at_rest, most_m);
        // Flesh is pressed in, not pulled out: surfaces that touch face each other. Deeper than both sides give, where the nearest way out leads
        // anywhere, it goes the way that is in for itself.
        let (out, normal) = (posed.posed_from_rest.transform_vector3(look.out), outwards());
        let deep = smooth_step((look.depth_m / most_m - DEEP[0]) / (DEEP[1] - DEEP[0]));
        let facing = smooth_step((-out.dot(normal) - FACING[0]) / (FACING[1] - FACING[0]));
        let way = (out * (1.0 - deep) - normal).normalize_or_zero() * (out_scale(posed) * way_m);
        (way, solid * strange * (facing + (1.0 - facing) * deep))
    }

    /// Where the outside is at a posed point.
    fn normal(&self, posed: &PosedParts, points: &TouchPoints, point: &TouchPoint) -> Vec3 {
        let turned = points.kin_of(point).iter().filter_map(|&(bone, weight)| {
            let part = posed.parts[usize::from(self.part_of_bone[bone.index()]?)]?;
            Some(part.posed_from_rest.transform_vector3(point.normal) * weight)
        });
        turned.sum::<Vec3>().normalize_or_zero()
    }

    /// Adds to `pushes` where each point goes, out of colliders, from where the pushes so far have taken it.
    ///
    /// What is hard has an edge, so that the push begins at the touch.
    pub fn push_out(
        &self,
        colliders: &[Collider],
        points: &TouchPoints,
        places: &[Vec3],
        pushes: &mut [Vec3],
    ) {
        let press = Press { onset_m: 0.0 };
        for collider in colliders {
            for point in &points.points {
                let push = &mut pushes[point.place as usize];
                let touch = collider.touch(places[point.place as usize] + *push);
                *push += touch.normal * press.limited(-touch.distance_m, point.give_m);
            }
        }
    }
}

/// How much a bone makes longer what it moves.
fn out_scale(posed: &PosedPart) -> f32 {
    posed.posed_from_rest.matrix3.determinant().abs().cbrt()
}

/// Pushes of several bones as one. Bones of one trunk say the same, each with its weight, and are not to be counted twice; a bone whose push
/// is nothing yet does not count, so that nothing jumps when it begins.
#[derive(Clone, Copy, Debug, Default)]
struct JoinedPush {
    sum: Vec3,
    /// Of lengths by their weights, and the longest.
    lengths_m: f32,
    longest_m: f32,
}

impl JoinedPush {
    fn add(&mut self, (push, weight): (Vec3, f32)) {
        self.sum += push * weight;
        self.lengths_m += push.length() * weight;
        self.longest_m = self.longest_m.max(push.length());
    }

    fn push(&self) -> Vec3 {
        if self.lengths_m > self.longest_m { self.sum * (self.longest_m / self.lengths_m) } else { self.sum }
    }
}

/// The box round a box that is moved.
fn image(map: &Affine3A, bounds: &Bounds) -> Bounds {
    let half = 0.5 * bounds.size();
    let middle = map.transform_point3(bounds.center());
    let matrix = map.matrix3;
    let reach = Vec3::from(matrix.x_axis.abs()) * half.x
        + Vec3::from(matrix.y_axis.abs()) * half.y
        + Vec3::from(matrix.z_axis.abs()) * half.z;
    Bounds::around([middle - reach, middle + reach])
}

fn part_skin(skin: &TouchSkin<'_>, normals: &[Vec3], bone: BoneId, triangles: &[u32]) -> PartSkin {
    let mut of_bone = PartSkin::default();
    for &triangle in triangles {
        let corners = skin.surface.triangles[triangle as usize].map(|corner| corner as usize);
        of_bone.corners.push(corners.map(|corner| skin.surface.positions[corner]));
        of_bone.normals.push(corners.map(|corner| normals[corner]));
        of_bone.weights.push(corners.map(|corner| skin.weight(corner, bone)));
        of_bone.gives_m.push(corners.map(|corner| skin.gives_m[corner]));
    }
    of_bone
}
