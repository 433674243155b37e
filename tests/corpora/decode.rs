//! What went into a fixture comes out of it.

use sinew_io::{GltfDocument, Limits, Report};
use sinew_rig::{Channel, Character, Interpolation, LocalTransform, Mesh, Track};
use sinew_tests::{Expected, ExpectedMesh, ExpectedTrack, Fixture, fixtures};

#[track_caller]
fn character_of(fixture: &Fixture) -> Character {
    let resources = |uri: &str, _most: u64| Ok(fixture.file.resource(uri));
    let bytes = fixture.file.main.clone();
    let document = GltfDocument::read(bytes, &resources, &Limits::default(), &mut Report::default());
    let document = document.unwrap_or_else(|error| panic!("{}: {error}", fixture.file.name));
    document
        .to_character(&mut Report::default())
        .unwrap_or_else(|error| panic!("{}: {error}", fixture.file.name))
}

/// Runs `check` on every fixture with its expected numbers; it must find at least `least` of them to look at.
#[track_caller]
fn check(least: usize, check: impl Fn(&Character, &Expected, &str) -> usize) {
    let found: usize = fixtures::all()
        .iter()
        .map(|fixture| check(&character_of(fixture), &fixture.expected, &fixture.file.name))
        .sum();
    assert!(found >= least, "only {found} things to look at, {least} were expected");
}

/// Runs `check` on every mesh with its expected numbers.
#[track_caller]
fn check_meshes(least: usize, check_mesh: impl Fn(&Mesh, &ExpectedMesh, &str) -> usize) {
    check(least, |character, expected, name| {
        let meshes = character.meshes().iter().zip(&expected.meshes).enumerate();
        meshes.map(|(at, (mesh, expected))| check_mesh(mesh, expected, &format!("{name}, mesh {at}"))).sum()
    });
}

/// Checks lists of vectors, each number to within half a step and the rounding of the division that scales it.
#[track_caller]
fn check_vectors<const N: usize>(found: &[[f32; N]], expected: &[[f32; N]], step: f32, place: &str) -> usize {
    if expected.is_empty() {
        return 0;
    }
    assert_eq!(found.len(), expected.len(), "{place}");
    for (element, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (x, y) in found.iter().zip(expected) {
            let most = if step == 0.0 { 0.0 } else { 0.5 * step + f32::EPSILON * y.abs() };
            assert!((x - y).abs() <= most, "{place}, element {element}: {found:?} for {expected:?}");
        }
    }
    expected.len()
}

#[test]
fn positions_come_back() {
    check_meshes(200, |mesh, expected, place| {
        let found: Vec<[f32; 3]> = mesh.positions.iter().map(|position| position.to_array()).collect();
        check_vectors(&found, &expected.positions, expected.position_step, place)
    });
}

#[test]
fn normals_and_texture_coordinates_come_back() {
    check_meshes(50, |mesh, expected, place| {
        let normals: Vec<[f32; 3]> = mesh.normals.iter().map(|normal| normal.to_array()).collect();
        let uvs: Vec<[f32; 2]> =
            mesh.uv_sets.first().map(|set| set.iter().map(|uv| uv.to_array()).collect()).unwrap_or_default();
        check_vectors(&normals, &expected.normals, expected.normal_step, place)
            + check_vectors(&uvs, &expected.uvs, expected.uv_step, place)
    });
}

#[test]
fn triangles_come_back_from_every_kind_of_primitive() {
    check_meshes(50, |mesh, expected, place| {
        // The order of corners counts only up to where a triangle starts.
        let turned = |&[a, b, c]: &[u32; 3]| match a.min(b).min(c) {
            least if least == a => [a, b, c],
            least if least == b => [b, c, a],
            _ => [c, a, b],
        };
        if !expected.triangles.is_empty() {
            let found: Vec<_> = mesh.triangles.iter().map(turned).collect();
            let wanted: Vec<_> = expected.triangles.iter().map(turned).collect();
            assert_eq!(found, wanted, "{place}");
        }
        expected.triangles.len()
    });
}

#[test]
fn influences_come_back_in_order() {
    check_meshes(80, |mesh, expected, place| {
        for (vertex, list) in expected.influences.iter().enumerate() {
            let (joints, weights) = mesh.influences.of(vertex);
            let wanted: Vec<u16> = list.iter().map(|&(joint, _)| joint).collect();
            assert_eq!(joints, wanted, "{place}, vertex {vertex}");
            let found: Vec<[f32; 1]> = weights.iter().map(|&weight| [weight]).collect();
            let wanted: Vec<[f32; 1]> = list.iter().map(|&(_, weight)| [weight]).collect();
            check_vectors(&found, &wanted, expected.weight_step, &format!("{place}, vertex {vertex}"));
        }
        expected.influences.len()
    });
}

#[test]
fn morph_deltas_come_back() {
    check_meshes(5, |mesh, expected, place| {
        if expected.morphs.is_empty() {
            return 0;
        }
        assert_eq!(mesh.morphs.len(), expected.morphs.len(), "{place}");
        for (morph, (name, deltas)) in mesh.morphs.iter().zip(&expected.morphs) {
            assert_eq!(morph.name, *name, "{place}");
            let mut dense = vec![[0.0; 3]; mesh.vertex_count()];
            for (&vertex, delta) in morph.vertices.iter().zip(&morph.position_deltas) {
                dense[vertex as usize] = delta.to_array();
            }
            check_vectors(&dense, deltas, expected.position_step, place);
        }
        expected.morphs.len()
    });
}

#[test]
fn nodes_and_placed_meshes_come_back() {
    check(30, |character, expected, name| {
        let bones = character.skeleton().bones();
        if !expected.bone_names.is_empty() {
            let names: Vec<&str> = bones.iter().map(|bone| bone.name.as_str()).collect();
            assert_eq!(names, expected.bone_names, "{name}");
        }
        if !expected.bone_parents.is_empty() {
            let parents: Vec<Option<u32>> =
                bones.iter().map(|bone| bone.parent.map(|parent| parent.0)).collect();
            assert_eq!(parents, expected.bone_parents, "{name}");
        }
        if !expected.instances.is_empty() {
            let placed: Vec<_> = character
                .instances()
                .iter()
                .map(|instance| (instance.bone.0, instance.mesh.0, instance.bind.map(|bind| bind.0)))
                .collect();
            assert_eq!(placed, expected.instances, "{name}");
        }
        assert_eq!(character.name(), expected.scene_name, "{name}");
        expected.bone_names.len() + expected.instances.len()
    });
}

#[test]
fn key_times_and_values_come_back() {
    check(5, |character, expected, name| {
        for expected in &expected.tracks {
            let tracks = &character.clips()[expected.clip].tracks;
            let is_found = tracks.iter().any(|track| is_same(track, expected));
            assert!(is_found, "{name}: no track {expected:?} in {tracks:?}");
        }
        expected.tracks.len()
    });
}

/// Unit rotations may be off by the rounding of their length.
const ROTATION_ROUNDING: f32 = 2e-7;

fn is_same(track: &Track, expected: &ExpectedTrack) -> bool {
    let interpolation = match track.interpolation {
        Interpolation::Linear => "LINEAR",
        Interpolation::Step => "STEP",
        Interpolation::CubicSpline => "CUBICSPLINE",
        Interpolation::Eased(_) => "no word of glTF",
    };
    let (values, most): (Vec<f32>, f32) = match &track.channel {
        Channel::Translation(_, values) | Channel::Scale(_, values) => {
            (values.iter().flat_map(|value| value.to_array()).collect(), 0.0)
        }
        Channel::Rotation(_, values) => {
            (values.iter().flat_map(|value| value.to_array()).collect(), ROTATION_ROUNDING)
        }
        Channel::MorphWeights(_, values) => (values.clone(), 0.0),
        Channel::Reach(..) => return false,
    };
    interpolation == expected.interpolation
        && track.times_secs == expected.times_secs
        && values.len() == expected.values.len()
        && values.iter().zip(&expected.values).all(|(x, y)| (x - y).abs() <= most)
}

#[test]
fn matrices_become_the_transforms_that_they_are() {
    let fixture = |name: &str| {
        fixtures::all()
            .into_iter()
            .find(|fixture| fixture.file.name == name)
            .expect("there is such a fixture")
    };
    let mirrored = character_of(&fixture("primitives.glb"));
    let rest = mirrored.skeleton().bones()[3].rest;
    let LocalTransform::Trs(trs) = rest else {
        panic!("expected translation, rotation and scale, found {rest:?}")
    };
    // Written by hand in the fixture: columns (−2, 0, 0), (0, 0, 3), (0, −4, 0), origin (1, 2, 3).
    let point = trs.to_affine().transform_point3(glam::Vec3::new(1.0, 1.0, 1.0));
    assert!(point.abs_diff_eq(glam::Vec3::new(-1.0, -2.0, 6.0), 1e-5), "{point}");
    let sheared = character_of(&fixture("sheared.glb"));
    let rest = sheared.skeleton().bones()[1].rest;
    assert!(matches!(rest, LocalTransform::Matrix(_)), "{rest:?} has lost its shear");
    let point = rest.to_affine().transform_point3(glam::Vec3::new(0.0, 2.0, 0.0));
    assert_eq!(point, glam::Vec3::new(1.0, 3.0, 0.0));
}

#[test]
fn the_drawn_part_of_materials_comes_back() {
    let fixture = &fixtures::all()[0];
    let character = character_of(fixture);
    let material = &character.materials()[0];
    let slot = material.base_color_texture.expect("it has a texture");
    assert_eq!(material.base_color.to_array(), [0.75, 0.5, 0.25, 1.0]);
    assert_eq!((material.metallic, material.roughness), (0.0, 0.75));
    assert_eq!(material.alpha_mode, sinew_rig::AlphaMode::Mask(0.25));
    assert!(material.is_double_sided && !material.is_unlit, "{material:?}");
    assert_eq!((slot.wrap_u, slot.wrap_v), (sinew_rig::Wrap::Clamp, sinew_rig::Wrap::Mirror));
    assert_eq!(slot.filter, sinew_rig::Filter::Nearest);
    assert_eq!(slot.uv_transform.offset.to_array(), [0.25, 0.5]);
    assert_eq!(slot.uv_transform.scale.to_array(), [2.0, 3.0]);
    assert_eq!(slot.uv_transform.rotation_rad, 0.5);
    assert!(character.images()[0].bytes.starts_with(b"\x89PNG"), "the image is a PNG");
}
