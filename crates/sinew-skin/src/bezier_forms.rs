//! Finds joints of SDEF vertices that are Bézier's, as [`crate::mmd_form`] writes them, and their soft ranges.
//!
//! With t the parent's weight, `q = t (1−t)`, `p = 2t − 1`, b the child's head and `d = r0 − r1`, the file has
//!
//! `C − b = (1 − 2q)(c − b) + q p d`, `D = 2 p (c − b) + 4 q d`, so `c − b = 2 (C − b) − ½ p D`, `d = (½ (1 − 2q) D − p (C − b)) / q`,
//!
//! and R0 and R1 have the middle of r0 and r1. All vertices of a joint have one soft range. If that found by these lines is one, where R0 and R1 are
//! not, the joint is Bézier's. Its C, R0 and R1 move vertices rightly by SDEF alone: another method needs c, r0 and r1, or it would bend them again.

use crate::anchors::{SoftRange, SoftRanges};
use crate::palette_joints::PaletteJoints;
use crate::{Method, SkinSettings, authored};
use glam::DVec3;
use sinew_rig::{BoneId, BoundSurface, Character, Spherical};
use std::collections::BTreeMap;

/// Vertices with less of `t (1−t)` do not judge: rounding of the file counts 1/q times.
const LEAST_Q: f64 = 0.05;

/// Ends of soft ranges that differ by less than this share of the range are one. Rounding makes 5e-3 of ranges of 15 mm; ends that belong to no
/// common range differ by tenths.
const ONE_RANGE: f64 = 1e-2;

/// Rounding of a point in a file, as a share of its distance from the origin.
const POINT_ROUNDING: f64 = 5e-7;

/// Vertices of one joint.
type JointVertices = BTreeMap<(u16, u16), Vec<FormVertex>>;

/// An SDEF vertex, parent first.
struct FormVertex {
    vertex: usize,
    is_swapped: bool,
    q: f64,
    /// Fitted to more than two bones, or by chance in the middle: nothing is known about it.
    is_fitted: bool,
    /// r0 and r1 as the file has them.
    own: [DVec3; 2],
    /// c, and r0 and r1, if it is Bézier's.
    center: DVec3,
    ends: [DVec3; 2],
}

impl FormVertex {
    fn new(vertex: usize, t: f64, head: DVec3, form: &Spherical, is_swapped: bool) -> Self {
        let form = if is_swapped { form.swapped() } else { *form };
        let [c, r0, r1] = [form.center, form.r0, form.r1].map(|point| point.as_dvec3());
        let (q, p, range, middle) = (t * (1.0 - t), 2.0 * t - 1.0, r0 - r1, (r0 + r1) * 0.5);
        let half = (range * (0.5 * (1.0 - 2.0 * q)) - (c - head) * p) * (0.5 / q);
        Self {
            vertex,
            is_swapped,
            q,
            is_fitted: middle.distance(c) < POINT_ROUNDING * c.length(),
            own: [r0, r1],
            center: head + (c - head) * 2.0 - range * (0.5 * p),
            ends: [middle + half, middle - half],
        }
    }
}

/// The child bones of joints whose SDEF vertices are Bézier's.
pub fn bezier_joints(character: &Character) -> Vec<BoneId> {
    let bound = BoundSurface::of(character);
    let joints = PaletteJoints::of(character, &bound);
    let forms = joint_vertices(character, &bound, &joints);
    let of_bezier = forms.iter().filter(|(_, vertices)| kept_range(vertices).is_some());
    let mut bones: Vec<BoneId> =
        of_bezier.map(|(&(_, child), _)| bound.palette()[usize::from(child)].bone).collect();
    bones.sort_unstable();
    bones.dedup();
    bones
}

/// Adds the soft ranges of Bézier's joints that `settings` moves by a method other than the file's, and takes the file's parameters of
/// their vertices back to c, r0 and r1.
pub(crate) fn unfold(
    character: &Character,
    bound: &BoundSurface,
    joints: &PaletteJoints,
    settings: &SkinSettings,
    (given, authored): (&mut SoftRanges, &mut [Option<Spherical>]),
) {
    let is_foreign = |child: u16| {
        let bone = bound.palette()[usize::from(child)].bone;
        settings.vertex_methods.is_none()
            || settings.rule_of_joint(&character.skeleton().bone(bone).name).is_some()
    };
    for (pair, vertices) in joint_vertices(character, bound, joints) {
        if given.contains_key(&pair) || !is_foreign(pair.1) {
            continue;
        }
        let Some(range) = kept_range(&vertices) else { continue };
        given.insert(pair, range);
        for form in &vertices {
            let Some(slot) = authored.get_mut(form.vertex) else { continue };
            let found = Spherical { center: form.center.as_vec3(), r0: range.begin, r1: range.end };
            let found = if form.is_swapped { found.swapped() } else { found };
            *slot = (!form.is_fitted).then_some(found);
        }
    }
}

/// The SDEF vertices of two bones with a common joint, as viewers have them.
fn joint_vertices(character: &Character, bound: &BoundSurface, joints: &PaletteJoints) -> JointVertices {
    let mut by_joint = JointVertices::new();
    let skin = character.skin();
    if skin.s.is_some() || skin.rotation.is_some() {
        return by_joint;
    }
    let codes = authored::codes(character, bound);
    let authored = authored::spherical(character, bound);
    for (vertex, (code, form)) in codes.iter().zip(&authored).enumerate() {
        let (Some(form), true) = (form, *code == Method::SDEF.code()) else { continue };
        let (&[first, second], &[w0, w1]) = bound.influences().of(vertex) else { continue };
        let Some((parent, child)) = joints.related(first, second) else { continue };
        let is_swapped = parent == second;
        let t = f64::from(if is_swapped { w1 } else { w0 });
        let head = joints.bone(child).head.as_dvec3();
        let vertices = by_joint.entry((parent, child)).or_default();
        vertices.push(FormVertex::new(vertex, t, head, form, is_swapped));
    }
    by_joint
}

/// The soft range of a joint's vertices, if they are Bézier's.
fn kept_range(vertices: &[FormVertex]) -> Option<SoftRange> {
    let judges = || vertices.iter().filter(|form| !form.is_fitted && form.q >= LEAST_Q);
    let of_bezier = one_range(judges().map(|form| form.ends))?;
    if one_range(judges().map(|form| form.own)).is_some() {
        return None;
    }
    let [begin, end] = of_bezier.map(|point| point.as_vec3());
    Some(SoftRange { begin, end })
}

/// The mean of all ends, if they differ by rounding alone.
fn one_range(ends: impl Iterator<Item = [DVec3; 2]> + Clone) -> Option<[DVec3; 2]> {
    let count = ends.clone().count() as f64;
    let sum = ends.clone().fold([DVec3::ZERO; 2], |[a, b], [begin, end]| [a + begin, b + end]);
    let mean = sum.map(|sum| sum / count);
    let limit = ONE_RANGE * mean[0].distance(mean[1]);
    let mut ends = ends;
    // Without any vertex the mean is not a number, and nothing is within the limit.
    let is_one = limit > 0.0 && ends.all(|[a, b]| a.distance(mean[0]).max(b.distance(mean[1])) <= limit);
    is_one.then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RotationBlend, Skin, spherical_parameters, vertex_method_codes, with_mmd_form};
    use glam::{Quat, Vec3};
    use sinew_rig::{Deformer, InfluencesBuilder, Pose, samples};

    /// Of a limb of half a meter: f32, times 1/q at the ends.
    const ROUNDING: f32 = 1e-5;

    /// The sample's limb with a soft range that reaches twice as far down as up, smooth weights and swapped bones in half of its vertices;
    /// without methods.
    fn limb() -> Character {
        let mut parts = samples::limb(16, 40).into_parts();
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for position in &mesh.positions {
            let t = ((position.y - 0.24) / 0.18).clamp(0.0, 1.0);
            let t = t * t * (3.0 - 2.0 * t);
            let pairs = [(0, 1.0 - t), (1, t)];
            influences.push(if position.x > 0.0 { pairs } else { [pairs[1], pairs[0]] });
        }
        mesh.influences = influences.build();
        Character::new(parts).expect("nothing but weights changed")
    }

    /// With a method in its file.
    fn authored(limb: Character, method: Method) -> Character {
        let settings = SkinSettings::from(method);
        let mut spherical = spherical_parameters(&limb, &settings);
        let mut codes = vertex_method_codes(&limb, &settings);
        let mut parts = limb.into_parts();
        parts.meshes[0].spherical = spherical.remove(0);
        parts.meshes[0].methods = codes.remove(0);
        parts.skin = sinew_rig::AuthoredSkin { method: Some(method.to_string()), ..Default::default() };
        Character::new(parts).expect("right")
    }

    /// As a PMX has it: no methods but codes.
    fn written(character: &Character) -> Character {
        let mut parts = with_mmd_form(character.clone()).0.into_parts();
        parts.skin = sinew_rig::AuthoredSkin::default();
        Character::new(parts).expect("right")
    }

    fn bent(character: &Character, settings: &SkinSettings) -> Vec<Vec3> {
        let bound = BoundSurface::of(character);
        let mut pose = Pose::rest(character);
        let lower = character.skeleton().find("lower").expect("of the sample");
        pose.turn(lower, Quat::from_rotation_x(1.6) * Quat::from_rotation_y(0.4));
        let mut posed = bound.rest().clone();
        let skin = Skin::bind(character, &bound, settings);
        let matrices = bound.posed_from_rest(character, &pose);
        skin.deform(&mut skin.workspace(), &matrices, bound.rest(), posed.as_mut());
        posed.positions
    }

    #[track_caller]
    fn assert_near(found: &[Vec3], expected: &[Vec3]) {
        for (vertex, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(found.distance(*expected) < ROUNDING, "{vertex}: {found} {expected}");
        }
    }

    #[test]
    fn other_methods_find_the_soft_range_in_written_bezier() {
        let form = written(&authored(limb(), Method::BEZIER));
        assert_eq!(bezier_joints(&form), [form.skeleton().find("lower").expect("of the sample")]);
        // By the file's own codes nothing is taken apart.
        assert_near(&bent(&form, &SkinSettings::authored(&form).0), &bent(&limb(), &Method::BEZIER.into()));
        for method in [Method::BEZIER, Method::SDEF, Method::SBS] {
            assert_near(&bent(&form, &method.into()), &bent(&limb(), &method.into()));
        }
    }

    #[test]
    fn a_second_conversion_changes_nothing() {
        let first = written(&authored(limb(), Method::BEZIER));
        let second = written(&authored(first.clone(), Method::BEZIER));
        let points = |character: &Character| -> Vec<Vec3> {
            let spherical = character.meshes()[0].spherical.iter().flatten();
            spherical.flat_map(|spherical| [spherical.center, spherical.r0, spherical.r1]).collect()
        };
        assert_near(&points(&second), &points(&first));
    }

    #[test]
    fn sdef_is_not_taken_for_bezier() {
        for s in [0.5, 0.9, 0.2] {
            let method = Method::Sdef { s, rotation: RotationBlend::Slerp };
            assert_eq!(bezier_joints(&written(&authored(limb(), method))), [], "{s}");
        }
        assert_eq!(bezier_joints(&authored(limb(), Method::BEZIER)), [], "not yet written");
    }
}
