//! What all made bodies have in common.

use super::*;
use std::collections::BTreeMap;

fn all() -> Vec<MadeBody> {
    MADE.iter()
        .map(|name| made(name).expect("a known name").expect("a surface that can be covered"))
        .collect()
}

fn six_volumes(points: &[Vec3], tet: &[u32; 4]) -> f32 {
    let [a, b, c, d] = tet.map(|corner| points[corner as usize]);
    (b - a).dot((c - a).cross(d - a))
}

#[test]
fn bodies_have_the_sizes_of_the_source() {
    let count = |name: &str| made(name).unwrap().unwrap().tets.points().len();
    assert_eq!((count("cuboid"), count("car")), (225, 192));
    assert_eq!(3 * cylinder(20).tets.points().len() + cylinder(21).tets.points().len(), 2_025);
    assert!((1_200..=1_360).contains(&count("teddy")), "{}", count("teddy"));
    assert!(made("cube").is_none());
}

#[test]
fn skins_lie_in_their_tetrahedra_and_examples_turn_nothing_inside_out() {
    for body in all() {
        let name = body.name;
        assert_eq!(body.tets.component_count(), 1, "{name}");
        assert_eq!(body.colors.len(), body.surface.positions.len(), "{name}");
        assert!(body.embedding.loose().is_empty(), "{name}: {:?}", body.embedding.loose());
        let again = body.embedding.apply(body.tets.points());
        let apart =
            again.iter().zip(&body.surface.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(apart < 1e-5, "{name}: {apart}");
        assert!(body.groups.is_empty() || body.groups.len() == body.tets.points().len(), "{name}");
        for (example, shape) in &body.examples {
            assert_eq!(shape.len(), body.tets.points().len(), "{name}, {example}");
            let worst = body
                .tets
                .tets()
                .iter()
                .map(|tet| six_volumes(shape, tet) / six_volumes(body.tets.points(), tet))
                .fold(f32::INFINITY, f32::min);
            assert!(worst > 0.0, "{name}, {example}: {worst}");
            assert_eq!(body.example(example), Some(shape.as_slice()));
        }
    }
}

#[test]
fn shells_are_closed_and_face_outward() {
    for body in all().into_iter().filter(|body| body.name != "car") {
        // By place, because tiles of two colors have vertices of their own along their borders.
        let place =
            |vertex: u32| (body.surface.positions[vertex as usize] * 1e5).round().as_ivec3().to_array();
        let mut edges: BTreeMap<[[i32; 3]; 2], i32> = BTreeMap::new();
        for triangle in &body.surface.triangles {
            for at in 0..3 {
                let (a, b) = (place(triangle[at]), place(triangle[(at + 1) % 3]));
                *edges.entry(if a < b { [a, b] } else { [b, a] }).or_default() += if a < b { 1 } else { -1 };
            }
        }
        let open = edges.values().filter(|&&count| count != 0).count();
        assert_eq!(open, 0, "{}", body.name);
        assert!(body.surface.volume() > 0.0, "{}", body.name);
    }
}
