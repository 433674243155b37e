//! Covers of shapes with known volumes, gaps and limbs.

use super::*;
use crate::{Bounds, Grid, RoundCone, shapes, surface_nets};
use glam::{Quat, Vec3};
use proptest::prelude::*;

/// The surface comes back within this share of its size.
const EMBEDDED: f32 = 1e-6;
/// The mean ratio of the lattice's tetrahedra: 12 · (1/4)^⅔ / 5.
const LATTICE_QUALITY: f64 = 0.952_44;

fn at_spacing(spacing: f32) -> CoverSettings {
    CoverSettings { size: CoverSize::Spacing(spacing), ..CoverSettings::default() }
}

/// Covers, and checks what must hold for every cover.
#[track_caller]
fn covered(surface: &TriangleMesh, settings: &CoverSettings) -> Cover {
    let cover = cover(surface, settings).unwrap();
    let mesh = &cover.mesh;
    let tet_volume = f64::from(cover.spacing).powi(3) / 12.0;
    for tet in 0..mesh.tets().len() {
        assert!((mesh.tet_volume(tet) / tet_volume - 1.0).abs() < 0.02, "{}", mesh.tet_volume(tet));
        assert!((mesh.quality(tet) - LATTICE_QUALITY).abs() < 0.01, "{}", mesh.quality(tet));
    }
    let size = Bounds::of(&surface.positions).diagonal();
    let embedded = cover.embedding.apply(mesh.points());
    for (vertex, (found, expected)) in embedded.iter().zip(&surface.positions).enumerate() {
        assert!(found.distance(*expected) <= EMBEDDED * size, "vertex {vertex}: {found}, {expected}");
    }
    for (vertex, weights) in cover.embedding.weights().iter().enumerate() {
        let is_loose = cover.embedding.loose().contains(&(vertex as u32));
        assert!(is_loose || weights.iter().all(|&weight| weight > -1e-6), "vertex {vertex}: {weights:?}");
    }
    // No tetrahedron is there twice.
    let mut tets: Vec<[u32; 4]> = mesh.tets().to_vec();
    tets.iter_mut().for_each(|tet| tet.sort_unstable());
    tets.sort_unstable();
    assert!(tets.windows(2).all(|pair| pair[0] != pair[1]), "a tetrahedron is there twice");
    cover
}

fn moved(mut mesh: TriangleMesh, offset: Vec3) -> TriangleMesh {
    mesh.positions.iter_mut().for_each(|position| *position += offset);
    mesh
}

fn limbs(limbs: &[(Vec3, Vec3, f32)], cell: f32) -> TriangleMesh {
    let cones: Vec<RoundCone> = limbs
        .iter()
        .map(|&(start, end, radius)| RoundCone { start, end, start_radius: radius, end_radius: radius })
        .collect();
    let bounds = Bounds::of(&limbs.iter().flat_map(|limb| [limb.0, limb.1]).collect::<Vec<_>>());
    let radius = limbs.iter().map(|limb| limb.2).fold(0.0, f32::max);
    let grid = Grid::covering(bounds.min() - Vec3::splat(radius), bounds.max() + Vec3::splat(radius), cell);
    surface_nets(&grid, |point| cones.iter().map(|cone| cone.distance(point)).fold(f32::INFINITY, f32::min))
}

fn torus(ring: f32, tube: f32, sides: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let around = |step: u32| (step as f32 / sides as f32 * std::f32::consts::TAU).sin_cos();
    for i in 0..sides {
        for j in 0..sides {
            let ((sin, cos), (up, out)) = (around(i), around(j));
            let radius = ring + tube * out;
            mesh.positions.push(Vec3::new(radius * cos, tube * up, radius * sin));
            let vertex = |i: u32, j: u32| (i % sides) * sides + j % sides;
            let [a, b, c, d] = [vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// V − E + F − T of the whole: 1 for a ball, 0 for a solid ring.
fn euler(mesh: &TetMesh) -> i64 {
    let count = |size: usize| {
        let mut all: Vec<Vec<u32>> = Vec::new();
        for tet in mesh.tets() {
            for mask in 1u32..16 {
                if mask.count_ones() as usize == size {
                    let mut part: Vec<u32> =
                        (0..4).filter(|at| mask >> at & 1 == 1).map(|at| tet[at as usize]).collect();
                    part.sort_unstable();
                    all.push(part);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all.len() as i64
    };
    count(1) - count(2) + count(3) - count(4)
}

#[test]
fn closed_shapes_are_filled_once() {
    let mut turned = shapes::cuboid(Vec3::new(1.0, 0.7, 0.4));
    let turn = Quat::from_rotation_x(0.4) * Quat::from_rotation_z(0.3);
    turned.positions.iter_mut().for_each(|position| *position = turn * *position);
    let cases = [
        ("box", shapes::cuboid(Vec3::new(1.0, 0.7, 0.4)), 1),
        ("turned box", turned, 1),
        ("sphere", shapes::sphere(0.5, 48, 24), 1),
        ("capsule", shapes::capsule(1.0, 0.2, 24, 12, 8), 1),
        ("torus", torus(0.5, 0.15, 40), 0),
    ];
    for (name, surface, characteristic) in cases {
        let cover = covered(&surface, &at_spacing(0.1));
        let (volume, expected) = (cover.mesh.volume(), surface.volume());
        assert!(volume > expected, "{name}: {volume} around {expected}");
        // What is added lies within about one edge of the surface.
        assert!(volume < expected * 2.2, "{name}: {volume} around {expected}");
        assert_eq!(cover.mesh.component_count(), 1, "{name}");
        assert_eq!(euler(&cover.mesh), characteristic, "{name}");
        assert!(cover.embedding.loose().is_empty(), "{name}");
    }
}

#[test]
fn a_finer_cover_is_tighter() {
    let ball = shapes::sphere(0.5, 64, 32);
    let excess = |spacing: f32| covered(&ball, &at_spacing(spacing)).mesh.volume() / ball.volume() - 1.0;
    let (coarse, fine) = (excess(0.12), excess(0.03));
    assert!(fine < 0.3 * coarse && fine > 0.0, "{coarse}, {fine}");
}

/// How many samples near the surface are not what their own winding number says, of how many; where that is not near one half.
fn misjudged(surface: &TriangleMesh, spacing: f32) -> (usize, usize) {
    let surface = Surface::new(surface).unwrap();
    let evaluate: &EvaluateWinding<'_> =
        &|field, points| points.iter().map(|&point| field.at(point)).collect();
    let job = Job { surface: &surface, join: 0.0, most_tets: usize::MAX, evaluate };
    let (lattice, placement) = job.placed(spacing).unwrap();
    let points: Vec<DVec3> = surface.positions.iter().map(|&place| placement.lattice(place)).collect();
    let pieces = pieces::cut(&surface, &points, &lattice, usize::MAX).unwrap();
    let (lattice, placement) = (&lattice, &placement);
    let question =
        Question { lattice, surface: &surface, points: &points, pieces: &pieces.list, placement, evaluate };
    let inside = Inside::new(&question);
    let (mut wrong, mut count) = (0, 0);
    for piece in &pieces.list {
        let tet = lattice.tet(piece.tet);
        for sample in lattice.kinds[tet.kind].samples {
            let sample = tet.cell * 8 + sample;
            let winding = surface.field.at(placement.model(sample.as_dvec3() / 8.0)).abs();
            let is_near_half = (winding - 0.5).abs() < 0.3;
            count += 1;
            wrong += usize::from(!is_near_half && inside.holds(sample) != (winding > 0.5));
        }
    }
    (wrong, count)
}

#[test]
fn counting_triangles_agrees_with_winding_numbers() {
    let mut overlap = shapes::sphere(0.3, 24, 12);
    overlap.append(&moved(shapes::cuboid(Vec3::splat(0.4)), Vec3::new(0.25, 0.05, 0.0)));
    // Copies of all triangles, turned over: the same walls.
    let mut doubled = overlap.clone();
    doubled.triangles.extend(overlap.triangles.iter().map(|&[a, b, c]| [c, b, a]));
    let mut dome = shapes::sphere(0.5, 32, 16);
    dome.triangles
        .retain(|triangle| triangle.iter().all(|&vertex| dome.positions[vertex as usize].y > -0.01));
    for (name, surface) in
        [("overlap", overlap), ("doubled", doubled), ("dome", dome), ("torus", torus(0.5, 0.15, 30))]
    {
        let (wrong, count) = misjudged(&surface, 0.15);
        assert!(count > 1000, "{name}: {count} samples");
        assert_eq!(wrong, 0, "{name}: of {count} samples");
    }
}

#[test]
fn plates_closer_than_the_spacing_stay_apart() {
    let plate = shapes::cuboid(Vec3::new(1.0, 0.1, 0.8));
    for gap in [0.3, 0.1, 0.02, 0.001] {
        let spacing = 0.1;
        let mut plates = plate.clone();
        plates.append(&moved(plate.clone(), Vec3::Y * (0.1 + gap * spacing)));
        let cover = covered(&plates, &at_spacing(spacing));
        assert_eq!(cover.mesh.component_count(), 2, "gap of {gap} spacings");
        let joined = CoverSettings { join_m: gap * spacing * 2.0, ..at_spacing(spacing) };
        assert_eq!(covered(&plates, &joined).mesh.component_count(), 1, "gap of {gap} spacings, filled");
    }
}

#[test]
fn overlapping_shells_are_one_solid() {
    let mut shells = shapes::sphere(0.3, 32, 16);
    shells.append(&moved(shapes::sphere(0.3, 32, 16), Vec3::new(0.4, 0.05, 0.0)));
    let cover = covered(&shells, &at_spacing(0.1));
    assert_eq!(cover.mesh.component_count(), 1);
    assert_eq!(euler(&cover.mesh), 1, "their common part is not there twice");
}

#[test]
fn plates_thinner_than_the_samples_are_solid() {
    // Each plate is thinner than a quarter of an edge and the gaps are narrower than the plates.
    let (spacing, thickness, gap) = (0.2, 0.03, 0.012);
    let plate = shapes::cuboid(Vec3::new(1.0, thickness, 1.0));
    let mut plates = TriangleMesh::default();
    for layer in 0..4 {
        plates.append(&moved(plate.clone(), Vec3::Y * (layer as f32 * (thickness + gap))));
    }
    let cover = covered(&plates, &at_spacing(spacing));
    assert_eq!(cover.mesh.component_count(), 4);
    // Were the two sides of a plate not joined through it, there would be twice as many tetrahedra.
    let alone = covered(&plate, &at_spacing(spacing)).mesh.tets().len();
    assert!(cover.mesh.tets().len() < 4 * alone * 3 / 2, "{} for {alone} alone", cover.mesh.tets().len());
    assert_eq!(euler(&covered(&plate, &at_spacing(spacing)).mesh), 1);
}

#[test]
fn an_open_dome_is_covered_though_it_has_a_hole() {
    let mut dome = shapes::sphere(0.5, 48, 24);
    let positions = dome.positions.clone();
    dome.triangles.retain(|triangle| triangle.iter().all(|&vertex| positions[vertex as usize].y > -0.01));
    let cover = covered(&dome, &at_spacing(0.1));
    let volume = cover.mesh.volume();
    let half = 2.0 / 3.0 * std::f64::consts::PI * 0.125;
    // More than the cap that the winding number of one half bounds, less than the half ball and a layer around it.
    assert!(volume > half * 0.7 && volume < half * 2.0, "{volume} for {half}");
    assert_eq!(cover.mesh.component_count(), 1);
    assert!(!cover.embedding.loose().is_empty(), "the lower half's vertices have no triangles now");
}

#[test]
fn a_flat_sheet_is_covered_on_both_sides() {
    let sheet = shapes::strip(1.0, 0.5, 10);
    let cover = covered(&sheet, &at_spacing(0.1));
    assert_eq!(cover.mesh.component_count(), 1);
    assert!(cover.mesh.volume() > 0.02 && cover.mesh.volume() < 0.15, "{}", cover.mesh.volume());
}

/// A palm with teeth whose gaps are narrower than the spacing.
fn comb() -> (TriangleMesh, f32) {
    let (radius, pitch) = (0.04, 0.1);
    let mut parts = vec![(Vec3::new(-0.05, 0.0, 0.0), Vec3::new(0.45, 0.0, 0.0), 0.1)];
    for tooth in 0..5 {
        let x = tooth as f32 * pitch;
        parts.push((Vec3::new(x, 0.0, 0.0), Vec3::new(x, 0.6, 0.0), radius));
    }
    (limbs(&parts, 0.0101), pitch)
}

#[test]
fn teeth_of_a_comb_are_connected_through_the_palm_only() {
    let (comb, pitch) = comb();
    for spacing in [0.06, 0.1, 0.16] {
        let cover = covered(&comb, &at_spacing(spacing));
        assert_eq!(cover.mesh.component_count(), 1, "spacing {spacing}");
        assert_eq!(euler(&cover.mesh), 1, "spacing {spacing}: no ring through two teeth");
        // Without the tetrahedra that share a corner with one that holds a part of the palm, every tooth is a part of its own.
        let above_palm = 0.1 + spacing;
        let is_above =
            |tet: &[u32; 4]| tet.iter().all(|&corner| cover.mesh.points()[corner as usize].y > above_palm);
        let teeth: Vec<[u32; 4]> = cover.mesh.tets().iter().copied().filter(is_above).collect();
        let teeth = TetMesh::new(cover.mesh.points().to_vec(), teeth).unwrap();
        assert_eq!(teeth.component_count(), 5, "spacing {spacing}");
        // Each tooth's skin moves with its own tetrahedra: lifting one moves no vertex of another.
        let components = teeth.components();
        let mut points = cover.mesh.points().to_vec();
        for (tet, _) in teeth.tets().iter().zip(&components).filter(|(_, part)| **part == components[0]) {
            tet.iter()
                .for_each(|&corner| points[corner as usize].z = cover.mesh.points()[corner as usize].z + 1.0);
        }
        let posed = cover.embedding.apply(&points);
        let mut moved: Vec<i32> = Vec::new();
        for (rest, posed) in comb.positions.iter().zip(&posed) {
            if posed.distance(*rest) > 1e-3 && rest.y > above_palm + spacing {
                moved.push((rest.x / pitch).round() as i32);
            }
        }
        moved.sort_unstable();
        moved.dedup();
        assert_eq!(moved.len(), 1, "spacing {spacing}: teeth {moved:?} move");
    }
}

#[test]
fn an_arm_beside_a_trunk_is_not_bridged() {
    let figure = limbs(
        &[
            (Vec3::ZERO, Vec3::Y * 1.0, 0.2),
            (Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.32, 0.95, 0.0), 0.08),
            (Vec3::new(0.32, 0.95, 0.0), Vec3::new(0.3, 0.2, 0.0), 0.08),
        ],
        0.0137,
    );
    let cover = covered(&figure, &at_spacing(0.12));
    assert_eq!(cover.mesh.component_count(), 1);
    assert_eq!(euler(&cover.mesh), 1, "an arm that is joined below the shoulder makes a ring");
}

#[test]
fn a_wanted_number_is_met() {
    let surface = shapes::capsule(1.0, 0.2, 24, 12, 8);
    for wanted in [300, 2_000, 10_000] {
        let settings = CoverSettings { size: CoverSize::Count(wanted), ..CoverSettings::default() };
        let found = covered(&surface, &settings).mesh.tets().len() as f64;
        assert!((found / wanted as f64 - 1.0).abs() < 0.06, "{found} for {wanted}");
    }
}

#[test]
fn symmetric_surfaces_have_symmetric_covers() {
    let figure = shapes::capsule(1.0, 0.2, 24, 12, 8);
    let cover = covered(&figure, &at_spacing(0.11));
    let key = |point: Vec3| (point * 1e4).round().as_ivec3();
    let mut places: Vec<[i32; 3]> = cover.mesh.points().iter().map(|&point| key(point).to_array()).collect();
    let mut mirrored: Vec<[i32; 3]> = places.iter().map(|&[x, y, z]| [-x, y, z]).collect();
    places.sort_unstable();
    mirrored.sort_unstable();
    assert_eq!(places, mirrored);
}

#[test]
fn the_same_surface_gives_the_same_cover() {
    let (comb, _) = comb();
    let once = cover(&comb, &at_spacing(0.1)).unwrap();
    let reversed = cover_with(&comb, &at_spacing(0.1), &|field, points| {
        let mut found: Vec<f64> = points.iter().rev().map(|&point| field.at(point)).collect();
        found.reverse();
        found
    });
    assert_eq!(Ok(once), reversed);
}

#[test]
fn seams_and_slivers_change_nothing_of_the_shape() {
    let ball = shapes::sphere(0.5, 24, 12);
    // Every triangle with vertices of its own, and a sliver on one edge.
    let positions: Vec<Vec3> =
        ball.triangles.iter().flatten().map(|&vertex| ball.positions[vertex as usize]).collect();
    let triangles = (0..ball.triangles.len() as u32).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]);
    let mut soup = TriangleMesh { triangles: triangles.chain([[0, 1, 0]]).collect(), positions };
    let cover = covered(&soup, &at_spacing(0.1));
    assert_eq!(cover.mesh, covered(&ball, &at_spacing(0.1)).mesh);
    soup.positions.push(Vec3::new(0.6, 0.0, 0.0));
    let loose = covered(&soup, &at_spacing(0.1));
    assert_eq!(loose.embedding.loose(), [soup.positions.len() as u32 - 1]);
}

#[test]
fn what_makes_no_sense_is_refused_with_reasons() {
    let ball = shapes::sphere(0.5, 24, 12);
    let error =
        |surface: &TriangleMesh, settings: &CoverSettings| cover(surface, settings).unwrap_err().to_string();
    let nothing = TriangleMesh { positions: vec![Vec3::ZERO], triangles: Vec::new() };
    assert!(error(&nothing, &at_spacing(0.1)).starts_with("the surface has no triangles (1 vertices)"));
    let flat =
        TriangleMesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0], triangles: vec![[0, 1, 2]] };
    assert!(error(&flat, &at_spacing(0.1)).contains("none of the surface's 1 triangles has an area"));
    for spacing in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(error(&ball, &at_spacing(spacing)).contains("invalid spacing"), "{spacing}");
    }
    assert!(error(&ball, &at_spacing(1e-4)).contains("too small for the surface"));
    assert!(error(&ball, &at_spacing(1e-30)).contains("too small for the surface"));
    let few = CoverSettings { most_tets: 100, ..at_spacing(0.05) };
    assert_eq!(error(&ball, &few), "spacing 0.05 makes more than 100 tetrahedra; use a larger one");
    let none = CoverSettings { size: CoverSize::Count(0), ..CoverSettings::default() };
    assert!(error(&ball, &none).contains("0 tetrahedra are out of range"));
    let join = CoverSettings { join_m: f32::NAN, ..CoverSettings::default() };
    assert!(error(&ball, &join).contains("invalid gap width NaN"));
    let mut lost = ball.clone();
    lost.positions[7].y = f32::NAN;
    assert_eq!(error(&lost, &at_spacing(0.1)), "vertex 7 of the surface is not finite");
    let mut past = ball.clone();
    past.triangles[3][1] = 9999;
    assert!(error(&past, &at_spacing(0.1)).starts_with("triangle 3 has an index out of range"));
    let huge = TriangleMesh {
        positions: ball.positions.iter().map(|&p| p * 3.4e38 * 1.9).collect(),
        ..ball.clone()
    };
    assert!(error(&huge, &at_spacing(1e38)).contains("overflow"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Crossing, doubled, flat and turned triangles, some exactly along the lattice's planes.
    #[test]
    fn any_triangles_are_covered(
        places in proptest::collection::vec(prop_oneof![(-4i8..5, -4i8..5, -4i8..5), (0i8..2, 0i8..2, 0i8..2)], 3..24),
        corners in proptest::collection::vec((0usize..24, 0usize..24, 0usize..24), 1..30),
        spacing in prop_oneof![Just(0.5f32), Just(1.0), 0.3f32..2.0],
    ) {
        let positions: Vec<Vec3> =
            places.iter().map(|&(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * 0.25).collect();
        let vertex = |corner: usize| (corner % positions.len()) as u32;
        let triangles = corners.iter().map(|&(a, b, c)| [vertex(a), vertex(b), vertex(c)]).collect();
        let surface = TriangleMesh { positions, triangles };
        match cover(&surface, &at_spacing(spacing)) {
            Ok(_) => {
                let cover = covered(&surface, &at_spacing(spacing));
                let used = |vertex: &u32| surface.triangles.iter().flatten().any(|corner| corner == vertex);
                prop_assert!(!cover.embedding.loose().iter().any(used), "a vertex of a triangle is embedded");
            }
            Err(error) => prop_assert!(matches!(error, CoverError::NoArea { .. }), "{error}"),
        }
    }
}
