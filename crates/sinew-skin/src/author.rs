//! Writes computed parameters explicitly, for other programs.

use crate::anchors::Anchors;
use crate::bezier_forms;
use crate::mix::Mixes;
use crate::palette_joints::PaletteJoints;
use crate::skin::given_ranges;
use crate::{Method, SkinSettings};
use sinew_rig::{BoundSurface, Character, MeshId, Spherical};
use std::ops::Range;

/// c, r0 and r1 for every vertex between two or more bones, mesh by mesh; empty for a mesh without a bind. The meshes' own values are
/// recomputed, except for `settings.ranges` and soft ranges that are kept in SDEF made of Bézier. Of a vertex with more than two bones they belong to the first two.
pub fn spherical_parameters(character: &Character, settings: &SkinSettings) -> Vec<Vec<Option<Spherical>>> {
    let bound = BoundSurface::of(character);
    let joints = PaletteJoints::of(character, &bound);
    let mut given = given_ranges(character, &bound, &joints, settings);
    bezier_forms::unfold(character, &bound, &joints, settings, (&mut given, &mut []));
    let anchors = Anchors::derive(&joints, &bound, &given, &[]);
    of_meshes(character, &bound, |vertices| {
        vertices
            .map(|vertex| {
                let (center, ranges, _) = anchors.of(vertex);
                let &[r0, r1, ..] = ranges else { return None };
                Some(Spherical { center, r0, r1 })
            })
            .collect()
    })
}

/// The code of each vertex's method under `settings`, mesh by mesh, 0 if its joints use several; empty for a mesh without a bind.
pub fn vertex_method_codes(character: &Character, settings: &SkinSettings) -> Vec<Vec<u8>> {
    let bound = BoundSurface::of(character);
    let joints = PaletteJoints::of(character, &bound);
    let mixes = Mixes::of(character, &bound, &joints, settings);
    let code = |vertex: usize| {
        let mut methods = mixes.of_vertex(vertex).map(|(method, _)| Method::code(&method));
        match (methods.next(), methods.next()) {
            (Some(code), None) => code,
            _ => 0,
        }
    };
    of_meshes(character, &bound, |vertices| vertices.map(code).collect())
}

/// One list per mesh, from the vertices of its first instance with a bind; empty for a mesh without one.
fn of_meshes<T>(
    character: &Character,
    bound: &BoundSurface,
    list: impl Fn(Range<usize>) -> Vec<T>,
) -> Vec<Vec<T>> {
    let of_mesh =
        |mesh: usize| bound_vertices(character, bound, MeshId::of(mesh)).map(&list).unwrap_or_default();
    (0..character.meshes().len()).map(of_mesh).collect()
}

/// The vertices of a mesh's first instance with a bind.
pub(crate) fn bound_vertices(
    character: &Character,
    bound: &BoundSurface,
    mesh: MeshId,
) -> Option<Range<usize>> {
    let placed = bound.instances().iter().find(|placed| {
        let instance = character.instance(placed.instance);
        instance.mesh == mesh && instance.bind.is_some()
    })?;
    Some(placed.vertices.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JointRule, Skin, bind};
    use glam::{Quat, Vec3};
    use sinew_rig::{Deformer, InfluencesBuilder, Pose, Surface, samples};

    /// Of a limb of half a meter in f32.
    const ROUNDING: f32 = 1e-6;

    fn bent(character: &Character, deformer: &dyn Deformer) -> Surface {
        let bound = BoundSurface::of(character);
        let mut pose = Pose::rest(character);
        let lower = character.skeleton().find("lower").expect("of the sample");
        pose.turn(lower, Quat::from_rotation_x(1.5));
        let mut posed = bound.rest().clone();
        deformer.deform(
            &mut deformer.workspace(),
            &bound.posed_from_rest(character, &pose),
            bound.rest(),
            posed.as_mut(),
        );
        posed
    }

    fn authored_limb(settings: &SkinSettings) -> Character {
        let limb = samples::limb(12, 12);
        let (mut spherical, mut codes) =
            (spherical_parameters(&limb, settings), vertex_method_codes(&limb, settings));
        let mut parts = limb.into_parts();
        parts.meshes[0].spherical = spherical.remove(0);
        parts.meshes[0].methods = codes.remove(0);
        Character::new(parts).expect("as long as the mesh")
    }

    #[test]
    fn written_parameters_move_the_skin_as_derived_ones() {
        let settings = SkinSettings::from(Method::BEZIER);
        let authored = authored_limb(&settings);
        let limb = samples::limb(12, 12);
        let expected = bent(&limb, &*bind(&limb, &BoundSurface::of(&limb), &settings));
        // By the vertices' own methods, too: the settings of the file have LBS for the model.
        for settings in [settings, SkinSettings::authored(&authored).0] {
            let found = bent(&authored, &*bind(&authored, &BoundSurface::of(&authored), &settings));
            for (found, expected) in found.positions.iter().zip(&expected.positions) {
                assert!(found.abs_diff_eq(*expected, ROUNDING), "{found} {expected}");
            }
        }
    }

    #[test]
    fn rules_go_before_the_vertices_own_methods() {
        let authored = authored_limb(&SkinSettings::from(Method::BEZIER));
        let mut settings = SkinSettings::authored(&authored).0;
        settings.joints.push(JointRule { pattern: "lower".into(), method: Method::Dlb });
        let bound = BoundSurface::of(&authored);
        let by_rule = bent(&authored, &Skin::bind(&authored, &bound, &settings));
        let expected = bent(&authored, &Skin::bind(&authored, &bound, &Method::Dlb.into()));
        for (found, expected) in by_rule.positions.iter().zip(&expected.positions) {
            assert!(found.abs_diff_eq(*expected, ROUNDING), "{found} {expected}");
        }
    }

    /// r0 = r1 is spherical blend skinning, whatever both are; swapped bones with swapped parameters are the same skin.
    #[test]
    fn odd_parameters_have_a_defined_meaning() {
        let authored = authored_limb(&SkinSettings::from(Method::SDEF));
        let bound = BoundSurface::of(&authored);
        let mut parts = authored.clone().into_parts();
        for spherical in parts.meshes[0].spherical.iter_mut().flatten() {
            (spherical.r0, spherical.r1) = (Vec3::ONE, Vec3::ONE);
        }
        let flat = Character::new(parts).expect("finite");
        let found = bent(&flat, &Skin::bind(&flat, &bound, &Method::SDEF.into()));
        let expected = bent(&authored, &Skin::bind(&authored, &bound, &Method::SBS.into()));
        for (found, expected) in found.positions.iter().zip(&expected.positions) {
            assert!(found.abs_diff_eq(*expected, ROUNDING), "{found} {expected}");
        }

        let mut parts = authored.clone().into_parts();
        let mut swapped = InfluencesBuilder::with_capacity(0, 0);
        let mesh = &mut parts.meshes[0];
        for vertex in 0..mesh.vertex_count() {
            let (joints, weights) = mesh.influences.of(vertex);
            swapped.push(joints.iter().copied().zip(weights.iter().copied()).rev());
            mesh.spherical[vertex] = mesh.spherical[vertex].map(Spherical::swapped);
        }
        mesh.influences = swapped.build();
        let swapped = Character::new(parts).expect("right");
        let found = bent(&swapped, &Skin::bind(&swapped, &BoundSurface::of(&swapped), &Method::SDEF.into()));
        let expected = bent(&authored, &Skin::bind(&authored, &bound, &Method::SDEF.into()));
        for (found, expected) in found.positions.iter().zip(&expected.positions) {
            assert!(found.abs_diff_eq(*expected, ROUNDING), "{found} {expected}");
        }
    }

    #[test]
    fn one_bone_twice_is_one_bone() {
        let mut parts = samples::limb(8, 8).into_parts();
        let mesh = &mut parts.meshes[0];
        let mut twice = InfluencesBuilder::with_capacity(0, 0);
        for _ in 0..mesh.vertex_count() {
            twice.push([(1, 0.5), (1, 0.5)]);
        }
        mesh.influences = twice.build();
        let spherical = Spherical { center: Vec3::X, r0: Vec3::Y, r1: Vec3::Z };
        mesh.spherical = vec![Some(spherical); mesh.vertex_count()];
        let twice = Character::new(parts).expect("right");
        let bound = BoundSurface::of(&twice);
        let expected = bent(&twice, &Skin::bind(&twice, &bound, &Method::Lbs.into()));
        for method in [Method::SBS, Method::SDEF, Method::BEZIER] {
            let found = bent(&twice, &Skin::bind(&twice, &bound, &method.into()));
            for (found, expected) in found.positions.iter().zip(&expected.positions) {
                assert!(found.abs_diff_eq(*expected, ROUNDING), "{method}: {found} {expected}");
            }
        }
    }
}
