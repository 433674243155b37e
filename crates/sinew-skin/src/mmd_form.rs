//! Converts spherical skinning into the numbers of MMD's viewers.
//!
//! A viewer moves a vertex of two bones by `R (v − C) + Σ wᵢ Mᵢ (C + (Rᵢ − m)/2)`, `m = w₀ R0 + w₁ R1`: the [folded form](crate::folded) with
//! aᵢ.w = wᵢ. Only `D = R0 − R1` matters, so any form with these shares is one of viewers:
//!
//! `C = a₀ + a₁`, `D = 2 (a₀/w₀ − C)/w₁`.
//!
//! SBS+ with any s and SBS have these shares. Bézier has others, but its control point b, the child's head, is moved alike by both bones
//! while the child turns about it: `(a₀.w − w₀)(b, 1)` may go from one bone to the other, and the form is exact.

use crate::author::bound_vertices;
use crate::folded::{FoldedTerm, fold};
use crate::{DEFAULT_S, Method, RotationBlend, Skin, SkinSettings};
use glam::{DVec3, DVec4};
use sinew_rig::{BoundSurface, Character, MeshId, Spherical};

/// What the form of viewers does not keep exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MmdLosses {
    /// Vertices that blend rotations by nlerp; viewers use slerp.
    pub nlerp_vertices: usize,
    /// Vertices of the Bézier method between bones without a common joint: exact only where both bones move a point between them alike.
    pub jointless_vertices: usize,
}

/// Shares that differ by less come from rounding.
const SHARE_ROUNDING: f64 = 1e-5;

/// The same character with SBS+ at s = ½ wherever two bones and a method in folded form move a vertex, with C, R0 and R1 that move it as
/// before.
pub fn with_mmd_form(character: Character) -> (Character, MmdLosses) {
    let mut losses = MmdLosses::default();
    let (settings, _) = SkinSettings::authored(&character);
    let bound = BoundSurface::of(&character);
    let skin = Skin::bind(&character, &bound, &settings);
    let meshes = character.meshes().len();
    let vertices: Vec<_> =
        (0..meshes).map(|mesh| bound_vertices(&character, &bound, MeshId::of(mesh))).collect();
    let mut parts = character.into_parts();
    let mut terms = Vec::new();
    for (mesh, vertices) in parts.meshes.iter_mut().zip(vertices) {
        let Some(vertices) = vertices.filter(|_| mesh.spherical.iter().any(Option::is_some)) else {
            continue;
        };
        mesh.methods.resize(mesh.spherical.len(), 0);
        let own = mesh.spherical.iter_mut().zip(&mut mesh.methods);
        for ((spherical, code), vertex) in own.zip(vertices) {
            let Some(old) = spherical else { continue };
            let Some(form) = form_of(&skin, vertex, bound.rest().positions[vertex], &mut terms) else {
                continue;
            };
            *old = form.spherical(old);
            *code = Method::SDEF.code();
            losses.nlerp_vertices += usize::from(form.is_nlerp);
            losses.jointless_vertices += usize::from(form.is_jointless);
        }
    }
    parts.skin.s = None;
    (Character::new(parts).expect("nothing but numbers changed"), losses)
}

/// A vertex in the form of viewers.
struct MmdForm {
    center: DVec3,
    /// R0 − R1.
    range: DVec3,
    is_nlerp: bool,
    is_jointless: bool,
}

impl MmdForm {
    /// With the middle of the range where it was.
    fn spherical(&self, old: &Spherical) -> Spherical {
        let middle = ((old.r0 + old.r1) * 0.5).as_dvec3();
        let half = self.range * 0.5;
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
    Some(MmdForm { center, range, is_nlerp: blend == RotationBlend::Nlerp, is_jointless })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BezierForm, JointRule, spherical_parameters, vertex_method_codes};
    use glam::Quat;
    use sinew_rig::{AuthoredJoint, Pose, samples};

    /// Of a limb of half a meter in f32.
    const ROUNDING: f32 = 2e-6;

    /// A limb whose file has `settings`.
    fn authored(settings: &SkinSettings) -> Character {
        let limb = samples::limb(16, 24);
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
        let bound = BoundSurface::of(character);
        let mut pose = Pose::rest(character);
        let find = |name: &str| character.skeleton().find(name).expect("in the sample");
        pose.turn(find("upper"), Quat::from_rotation_z(0.7));
        pose.turn(find("lower"), Quat::from_rotation_x(1.9) * Quat::from_rotation_y(0.5));
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
        let mut parts = form.into_parts();
        parts.skin = sinew_rig::AuthoredSkin::default();
        let form = Character::new(parts).expect("right");
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

    #[test]
    fn nothing_changes_where_the_form_is_that_of_viewers() {
        for method in [Method::SDEF, Method::Lbs, Method::Dlb] {
            let own = authored(&method.into());
            let (form, losses) = with_mmd_form(own.clone());
            assert_eq!((&form.meshes()[0], losses), (&own.meshes()[0], MmdLosses::default()), "{method}");
        }
    }
}
