//! Converts spherical skinning into the numbers of MMD's viewers.
//!
//! A viewer moves a vertex of two bones by `R (v − C) + Σ wᵢ Mᵢ (C + (Rᵢ − m)/2)`, `m = w₀ R0 + w₁ R1`: the [folded form](crate::folded) with
//! aᵢ.w = wᵢ. Only `D = R0 − R1` matters, so any form with these shares is one of viewers:
//!
//! `C = a₀ + a₁`, `D = 2 (a₀/w₀ − C)/w₁`.
//!
//! SBS+ with any s and SBS have these shares. Bézier has others, but its control point b, the child's head, is moved alike by both bones
//! while the child turns about it: `(a₀.w − w₀)(b, 1)` may go from one bone to the other, and the form is exact.
//!
//! Viewers blend more than two bones linearly. Such a vertex gets the form that comes nearest over many poses ([`crate::mmd_fit`]).

use crate::author::bound_vertices;
use crate::folded::{FoldedTerm, fold};
use crate::mmd_fit::ViewerForm;
use crate::mmd_fits::{MmdFits, fit_vertices};
use crate::{DEFAULT_S, Method, RotationBlend, Skin, SkinSettings};
use glam::{DVec3, DVec4};
use sinew_rig::{BoundSurface, Character, InfluencesBuilder, Mesh, MeshId, Spherical};
use std::collections::BTreeMap;
use std::ops::Range;

/// What the form of viewers does not keep exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MmdLosses {
    /// Vertices of more than two bones.
    pub fits: Option<MmdFits>,
    /// Vertices that blend rotations by nlerp; viewers use slerp.
    pub nlerp_vertices: usize,
    /// Vertices of the Bézier method between bones without a common joint: exact only where both bones move a point between them alike.
    pub jointless_vertices: usize,
}

/// Shares that differ by less come from rounding.
const SHARE_ROUNDING: f64 = 1e-5;

/// R0 − R1 counts w₀ w₁ times. Below this, in single precision nothing is known of it: a range of 0.1 m moves the vertex by 1e-7 m.
const LEAST_PRODUCT: f64 = 1e-6;

/// The same character with SBS+ at s = ½ wherever two bones and a method in folded form move a vertex, with C, R0 and R1 that move it as
/// before. Vertices of more bones with a spherical method get the nearest SDEF of two bones, or the nearest linear blend of up to four.
pub fn with_mmd_form(character: Character) -> (Character, MmdLosses) {
    let mut losses = MmdLosses::default();
    let (settings, _) = SkinSettings::authored(&character);
    let bound = BoundSurface::of(&character);
    let skin = Skin::bind(&character, &bound, &settings);
    let is_authored = |mesh: &Mesh| mesh.spherical.iter().any(Option::is_some);
    let vertices_of = |mesh: usize| {
        let is_authored = is_authored(&character.meshes()[mesh]);
        bound_vertices(&character, &bound, MeshId::of(mesh)).filter(|_| is_authored)
    };
    let vertices: Vec<_> = (0..character.meshes().len()).map(vertices_of).collect();
    let fitted = |vertex: &usize| is_fitted(&skin, *vertex);
    let of_many: Vec<usize> = vertices.iter().flatten().cloned().flatten().filter(fitted).collect();
    let forms = if of_many.is_empty() {
        BTreeMap::new()
    } else {
        let (forms, fits) = fit_vertices(&character, &bound, &skin, &of_many);
        losses.fits = Some(fits);
        forms
    };
    let mut parts = character.into_parts();
    let mut terms = Vec::new();
    for (mesh, vertices) in parts.meshes.iter_mut().zip(vertices) {
        let Some(vertices) = vertices else { continue };
        mesh.methods.resize(mesh.spherical.len(), 0);
        let own = mesh.spherical.iter_mut().zip(&mut mesh.methods);
        for ((spherical, code), vertex) in own.zip(vertices.clone()) {
            let Some(old) = spherical else { continue };
            let Some(form) = form_of(&skin, vertex, bound.rest().positions[vertex], &mut terms) else {
                continue;
            };
            *old = form.spherical(old);
            *code = Method::SDEF.code();
            losses.nlerp_vertices += usize::from(form.is_nlerp);
            losses.jointless_vertices += usize::from(form.is_jointless);
        }
        put_forms(mesh, vertices, &forms);
    }
    parts.skin.s = None;
    (Character::new(parts).expect("nothing but numbers changed"), losses)
}

/// Whether a vertex of more than two bones is moved by a spherical method, at least in part.
fn is_fitted(skin: &Skin, vertex: usize) -> bool {
    let is_spherical =
        |method| matches!(method, Method::Sbs { .. } | Method::Sdef { .. } | Method::Bezier { .. });
    skin.influences.of(vertex).0.len() > 2
        && skin.mixes.of_vertex(vertex).any(|(method, _)| is_spherical(method))
}

/// Puts fitted forms into a mesh, whose first vertex is the first of `vertices`.
fn put_forms(mesh: &mut Mesh, vertices: Range<usize>, forms: &BTreeMap<usize, ViewerForm>) {
    let of_mesh: Vec<_> = forms.range(vertices.clone()).collect();
    if of_mesh.is_empty() {
        return;
    }
    let count = mesh.influences.influence_count();
    let mut influences = InfluencesBuilder::with_capacity(vertices.len(), count);
    let mut next = of_mesh.into_iter().peekable();
    for (at, vertex) in vertices.enumerate() {
        let Some((_, form)) = next.next_if(|(fitted, _)| **fitted == vertex) else {
            influences.push(mesh.influences.pairs(at));
            continue;
        };
        let (joints, _) = mesh.influences.of(at);
        influences.push(form.influences.iter().map(|&(own, weight)| (joints[own], weight)));
        mesh.methods[at] = if form.sphere.is_some() { Method::SDEF } else { Method::Lbs }.code();
        mesh.spherical[at] = form.sphere.map(|(center, range)| Spherical {
            center: center.as_vec3(),
            r0: (center + range * 0.5).as_vec3(),
            r1: (center - range * 0.5).as_vec3(),
        });
    }
    mesh.influences = influences.build();
}

/// A vertex in the form of viewers.
struct MmdForm {
    center: DVec3,
    /// R0 − R1; `None` where it moves nothing.
    range: Option<DVec3>,
    is_nlerp: bool,
    is_jointless: bool,
}

impl MmdForm {
    /// With the middle of the range where it was.
    fn spherical(&self, old: &Spherical) -> Spherical {
        let (r0, r1) = (old.r0.as_dvec3(), old.r1.as_dvec3());
        let (middle, half) = ((r0 + r1) * 0.5, self.range.unwrap_or(r0 - r1) * 0.5);
        Spherical {
            center: self.center.as_vec3(),
            r0: (middle + half).as_vec3(),
            r1: (middle - half).as_vec3(),
        }
    }
}

/// The form of a vertex; `None` where it stays as it is: one or more than two bones, no folded form, linear, or already that of viewers.
fn form_of(skin: &Skin, vertex: usize, position: glam::Vec3, terms: &mut Vec<FoldedTerm>) -> Option<MmdForm> {
    let (joints, &[w0, w1]) = skin.influences.of(vertex) else { return None };
    let mut methods = skin.mixes.of_vertex(vertex);
    match (methods.next(), methods.next()) {
        (Some((Method::Lbs | Method::DeltaMush { .. }, _)), None) => return None,
        (Some((Method::Sdef { s: DEFAULT_S, rotation: RotationBlend::Slerp }, _)), None) => return None,
        _ if joints[0] == joints[1] => return None,
        _ => {}
    }
    let rest = |method: Method| skin.rest_vertex(method, vertex, position);
    let (blend, _) = fold(skin.mixes.of_vertex(vertex), rest, terms)?;
    let [w0, w1] = [w0, w1].map(f64::from);
    let [mut a0, mut a1]: [DVec4; 2] = [terms[0].place.as_dvec4(), terms[1].place.as_dvec4()];
    let surplus = a0.w - w0;
    let mut is_jointless = false;
    if surplus.abs() > SHARE_ROUNDING {
        let head = skin.anchors.of(vertex).2.first()?;
        is_jointless = head.parent.is_none();
        let moved = head.rest.as_dvec3().extend(1.0) * surplus;
        (a0, a1) = (a0 - moved, a1 + moved);
    }
    let center = a0.truncate() + a1.truncate();
    let range = (a0.truncate() / w0 - center) * (2.0 / w1);
    let range = Some(range).filter(|_| w0 * w1 > LEAST_PRODUCT);
    Some(MmdForm { center, range, is_nlerp: blend == RotationBlend::Nlerp, is_jointless })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BezierForm, JointRule, spherical_parameters, vertex_method_codes};
    use glam::Quat;
    use sinew_geometry::Trs;
    use sinew_rig::{AuthoredJoint, Pose, samples};

    /// Of a limb of half a meter in f32.
    const ROUNDING: f32 = 2e-6;

    /// A limb whose file has `settings`.
    fn authored(settings: &SkinSettings) -> Character {
        with_settings(samples::limb(16, 24), settings)
    }

    /// The sample's limb as hips: "upper" is the pelvis, above it stand two thighs side by side, "lower" and "end". Vertices between them
    /// have three bones.
    fn hips(settings: &SkinSettings) -> Character {
        let mut parts = samples::limb(24, 40).into_parts();
        let head = |x: f32| glam::Vec3::new(x, 0.3, 0.0);
        for (bone, x) in [(1, 0.03), (2, -0.03)] {
            parts.bones[bone].parent = Some(sinew_rig::BoneId(0));
            parts.bones[bone].rest = sinew_rig::LocalTransform::Trs(Trs::from_translation(head(x)));
            parts.bones[bone].tip_in_bone = Some(glam::Vec3::new(0.0, 0.3, 0.0));
        }
        parts.binds[0].joints = (0..3).map(sinew_rig::BoneId).collect();
        let from_rest = [glam::Vec3::ZERO, -head(0.03), -head(-0.03)];
        parts.binds[0].joint_from_rest = from_rest.map(glam::Affine3A::from_translation).to_vec();
        parts.clips.clear();
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for position in &mesh.positions {
            let thigh = ((position.y - 0.22) / 0.16).clamp(0.0, 1.0);
            let left = (0.5 + position.x / 0.06).clamp(0.0, 1.0);
            influences.push([(0, 1.0 - thigh), (1, thigh * left), (2, thigh * (1.0 - left))]);
        }
        mesh.influences = influences.build();
        with_settings(Character::new(parts).expect("right"), settings)
    }

    fn with_settings(limb: Character, settings: &SkinSettings) -> Character {
        let (mut spherical, mut codes) =
            (spherical_parameters(&limb, settings), vertex_method_codes(&limb, settings));
        let mut parts = limb.into_parts();
        parts.meshes[0].spherical = spherical.remove(0);
        parts.meshes[0].methods = codes.remove(0);
        if let Method::Sdef { s, .. } = settings.method {
            parts.skin.s = Some(s);
        }
        parts.skin.method = Some(settings.method.to_string());
        let joint = |rule: &JointRule| AuthoredJoint {
            pattern: rule.pattern.clone(),
            method: rule.method.to_string(),
        };
        parts.skin.joints = settings.joints.iter().map(joint).collect();
        Character::new(parts).expect("right")
    }

    fn posed(character: &Character, settings: &SkinSettings) -> Vec<glam::Vec3> {
        let turns = [
            ("upper", Quat::from_rotation_z(0.7)),
            ("lower", Quat::from_rotation_x(1.9) * Quat::from_rotation_y(0.5)),
        ];
        posed_by(character, settings, &turns)
    }

    fn posed_by(character: &Character, settings: &SkinSettings, turns: &[(&str, Quat)]) -> Vec<glam::Vec3> {
        let bound = BoundSurface::of(character);
        let mut pose = Pose::rest(character);
        for &(name, turn) in turns {
            pose.turn(character.skeleton().find(name).expect("in the sample"), turn);
        }
        let mut surface = bound.rest().clone();
        let skin = crate::bind(character, &bound, settings);
        skin.deform(
            &mut skin.workspace(),
            &bound.posed_from_rest(character, &pose),
            bound.rest(),
            surface.as_mut(),
        );
        surface.positions
    }

    #[track_caller]
    fn check(settings: &SkinSettings, expected: MmdLosses) {
        let own = authored(settings);
        let (form, losses) = with_mmd_form(own.clone());
        assert_eq!(losses, expected, "{}", settings.method);
        // What a viewer does: every vertex by its code, s = ½.
        let form = without_skin(form);
        let mesh = &form.meshes()[0];
        let of_two = (0..mesh.vertex_count()).filter(|&vertex| mesh.influences.of(vertex).0.len() == 2);
        assert!(of_two.into_iter().all(|vertex| mesh.methods[vertex] == 3), "all are SDEF");
        let (found, expected) =
            (posed(&form, &SkinSettings::authored(&form).0), posed(&own, &SkinSettings::authored(&own).0));
        for (vertex, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!(found.distance(*expected) < ROUNDING, "{} {vertex}: {found} {expected}", settings.method);
        }
    }

    #[test]
    fn viewers_move_every_folded_method_as_it_moves() {
        for s in [0.0, 0.3, 0.5, 0.9, 1.0] {
            check(&Method::Sdef { s, rotation: RotationBlend::Slerp }.into(), MmdLosses::default());
        }
        check(&Method::SBS.into(), MmdLosses::default());
        check(&Method::BEZIER.into(), MmdLosses::default());
        let joint = Method::Bezier { rotation: RotationBlend::Slerp, form: BezierForm::Joint };
        check(&joint.into(), MmdLosses::default());
        let rule = JointRule { pattern: "lower".into(), method: Method::BEZIER };
        check(&SkinSettings { joints: vec![rule], ..Method::SBS.into() }, MmdLosses::default());
    }

    /// The root of the mean square distance of `form` from `own` in a few poses, over vertices that have three bones in `own`.
    fn rms_of_three(own: &Character, form: &Character) -> f64 {
        let mesh = &own.meshes()[0];
        let (mut squares, mut count) = (0.0, 0.0);
        for [left, right] in [[1.4, 0.0], [-1.0, 0.0], [1.2, -0.9], [0.8, 1.1]] {
            let turns = [("lower", Quat::from_rotation_x(left)), ("end", Quat::from_rotation_x(right))];
            let of =
                |character: &Character| posed_by(character, &SkinSettings::authored(character).0, &turns);
            for (vertex, (found, expected)) in of(form).iter().zip(of(own)).enumerate() {
                if mesh.influences.of(vertex).0.len() == 3 {
                    squares += f64::from(found.distance_squared(expected));
                    count += 1.0;
                }
            }
        }
        f64::sqrt(squares / count)
    }

    /// Vertices of three bones by linear blending, the others as they are.
    fn plain_of_three(own: &Character) -> Character {
        let mut parts = own.clone().into_parts();
        let mesh = &mut parts.meshes[0];
        for (vertex, code) in mesh.methods.iter_mut().enumerate() {
            if mesh.influences.of(vertex).0.len() == 3 {
                *code = Method::Lbs.code();
            }
        }
        without_skin(Character::new(parts).expect("right"))
    }

    /// What another program finds in the file: codes, weights, C, R0 and R1.
    fn without_skin(character: Character) -> Character {
        let mut parts = character.into_parts();
        parts.skin = sinew_rig::AuthoredSkin::default();
        Character::new(parts).expect("right")
    }

    #[test]
    fn hips_are_nearer_than_by_linear_blending() {
        for method in [Method::SDEF, Method::BEZIER] {
            let own = hips(&method.into());
            let (form, losses) = with_mmd_form(own.clone());
            let fits = losses.fits.expect("there are vertices of three bones");
            let mesh = &own.meshes()[0];
            let of_three = (0..mesh.vertex_count()).filter(|&at| mesh.influences.of(at).0.len() == 3);
            assert_eq!(of_three.count(), fits.vertices);
            assert!(fits.sdef_vertices > fits.vertices / 3, "{fits:?}");
            assert!(fits.fitted.rms_m < 0.7 * fits.plain.rms_m, "{fits:?}");
            assert!(fits.fitted.seam_m < 0.7 * fits.plain.seam_m, "{fits:?}");
            let fitted = rms_of_three(&own, &without_skin(form));
            let plain = rms_of_three(&own, &plain_of_three(&own));
            assert!(fitted < 0.7 * plain, "{method}: {fitted} {plain}");
        }
    }

    #[test]
    fn nothing_changes_where_the_form_is_that_of_viewers() {
        for method in [Method::SDEF, Method::Lbs, Method::Dlb] {
            let own = authored(&method.into());
            let (form, losses) = with_mmd_form(own.clone());
            assert_eq!((&form.meshes()[0], losses), (&own.meshes()[0], MmdLosses::default()), "{method}");
        }
    }
}
