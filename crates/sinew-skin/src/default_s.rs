//! Converts SBS+ with any share s for programs that support only MMD's.
//!
//! s and the soft range occur in the formula only as `(1 − s) (r0 − r1)`: a range `2 (1 − s)` times as long moves a vertex with MMD's s = ½
//! like the range itself with s. SBS is s = 1, a range without length.

use crate::{DEFAULT_S, Method};
use sinew_rig::{Character, Spherical};

/// The same character with s = ½ for vertices with the method SBS+ or SBS, moved as before by adapting their r0 and r1.
#[must_use]
pub fn with_default_s(character: Character) -> Character {
    let s = character.skin().s.unwrap_or(DEFAULT_S);
    let sbs = Method::SBS.code();
    let is_plain =
        s == DEFAULT_S && character.meshes().iter().all(|mesh| mesh.methods.iter().all(|&code| code != sbs));
    if is_plain {
        return character;
    }
    let sdef = Method::SDEF.code();
    let mut parts = character.into_parts();
    parts.skin.s = None;
    for mesh in &mut parts.meshes {
        for (spherical, code) in mesh.spherical.iter_mut().zip(&mut mesh.methods) {
            let Some(spherical) = spherical else { continue };
            if *code == sdef {
                *spherical = with_range(spherical, 1.0 - s);
            } else if *code == sbs {
                *spherical = with_range(spherical, 0.0);
                *code = sdef;
            }
        }
    }
    Character::new(parts).expect("nothing but numbers changed")
}

/// The same middle, with a range `2 share` times as long.
fn with_range(spherical: &Spherical, share: f32) -> Spherical {
    let middle = (spherical.r0 + spherical.r1) * 0.5;
    let half = (spherical.r0 - spherical.r1) * share;
    Spherical { center: spherical.center, r0: middle + half, r1: middle - half }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SkinSettings, spherical_parameters};
    use glam::Quat;
    use sinew_rig::{BoundSurface, Pose, samples};

    #[track_caller]
    fn check(method: Method) {
        let mut parts = samples::limb(16, 24).into_parts();
        let limb = Character::new(parts.clone()).expect("a sample");
        let bound = BoundSurface::of(&limb);
        parts.meshes[0].spherical = spherical_parameters(&limb, &SkinSettings::from(method)).remove(0);
        parts.meshes[0].methods = vec![method.code(); bound.vertex_count()];
        if let Method::Sdef { s, .. } = method {
            parts.skin.s = Some(s);
        }
        let own = Character::new(parts).expect("right");
        let plain = with_default_s(own.clone());
        assert_eq!(plain.skin().s.unwrap_or(DEFAULT_S), DEFAULT_S);
        let mut pose = Pose::rest(&own);
        pose.turn(own.skeleton().find("lower").expect("in the sample"), Quat::from_rotation_x(1.4));
        let posed = [&own, &plain].map(|character| {
            let bound = BoundSurface::of(character);
            let (settings, _) = SkinSettings::authored(character);
            let skin = crate::bind(character, &bound, &settings);
            let mut posed = bound.rest().clone();
            let matrices = bound.posed_from_rest(character, &pose);
            skin.deform(&mut skin.workspace(), &matrices, bound.rest(), posed.as_mut());
            posed.positions
        });
        let furthest = posed[0].iter().zip(&posed[1]).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(furthest < 2e-6, "{method}: {furthest}");
    }

    #[test]
    fn ranges_say_what_s_said() {
        for s in [0.0, 0.3, 0.5, 0.9, 1.0] {
            check(Method::Sdef { s, rotation: crate::RotationBlend::Slerp });
        }
        check(Method::SBS);
    }
}
