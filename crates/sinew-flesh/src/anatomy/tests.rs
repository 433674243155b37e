//! Anatomies of limbs whose layers are known.

use super::*;
use glam::{Quat, Vec3};
use sinew_geometry::{CoverSettings, CoverSize, Trs, cover, shapes};
use sinew_rig::{
    Bind, BindId, Bone, CharacterParts, InfluencesBuilder, Instance, LocalTransform, Mesh, MeshId, Surface,
    samples,
};
use sinew_skin::{Method, SkinSettings};

/// The limb of [`samples::limb`]: radius and length of each of two bones, metres.
const RADIUS_M: f32 = 0.06;
const BONE_M: f32 = 0.3;

struct Case {
    character: Character,
    bound: BoundSurface,
    surface: TriangleMesh,
    cover: Cover,
}

impl Case {
    /// Meshes of the character are bound in the model's own space.
    fn new(character: Character, spacing: f32) -> Self {
        let bound = BoundSurface::of(&character);
        let surface =
            TriangleMesh { positions: bound.rest().positions.clone(), triangles: bound.triangles().to_vec() };
        let settings = CoverSettings { size: CoverSize::Spacing(spacing), ..CoverSettings::default() };
        let cover = cover(&surface, &settings).unwrap();
        Self { character, bound, surface, cover }
    }

    fn limb(spacing: f32) -> Self {
        Self::new(samples::limb(24, 40), spacing)
    }

    fn input(&self) -> AnatomyInput<'_> {
        let Self { character, bound, surface, cover } = self;
        AnatomyInput { character, bound, surface, cover, humanoid: None, paints: &[] }
    }

    fn anatomy(&self, settings: &AnatomySettings) -> Anatomy {
        Anatomy::new(&self.input(), settings).unwrap()
    }

    fn points(&self) -> &[Vec3] {
        self.cover.mesh.points()
    }
}

/// Capsules upright at places, each with a bone of its own in it, or below it and outside.
fn posts(places: &[(Vec3, bool)], radius: f32) -> Character {
    let mut surface = TriangleMesh::default();
    let mut influences = InfluencesBuilder::with_capacity(0, 0);
    for (post, (place, _)) in places.iter().enumerate() {
        let mut shape = shapes::capsule(BONE_M, radius, 16, 12, 4);
        shape.positions.iter_mut().for_each(|position| *position += *place);
        shape.positions.iter().for_each(|_| {
            influences.push([(post as u16, 1.0)]);
        });
        surface.append(&shape);
    }
    let mut mesh = Mesh::from_triangles("posts", surface, None);
    mesh.influences = influences.build();
    let head = |(place, is_inside): &(Vec3, bool)| if *is_inside { *place } else { *place - Vec3::Y * 3.0 };
    let bone = |post: &(Vec3, bool)| Bone {
        name: "post".into(),
        parent: None,
        rest: LocalTransform::Trs(Trs::from_translation(head(post))),
        tip_in_bone: Some(Vec3::Y * BONE_M),
    };
    Character::new(CharacterParts {
        bones: places.iter().map(bone).collect(),
        binds: vec![Bind {
            name: String::new(),
            joints: (0..places.len()).map(BoneId::of).collect(),
            joint_from_rest: places.iter().map(|post| Affine3A::from_translation(-head(post))).collect(),
        }],
        meshes: vec![mesh],
        instances: vec![Instance {
            bone: BoneId(0),
            mesh: MeshId(0),
            bind: Some(BindId(0)),
            morph_weights: vec![],
        }],
        ..CharacterParts::default()
    })
    .unwrap()
}

fn skinned(character: &Character, bound: &BoundSurface, pose: &Pose, method: Method) -> Surface {
    let skin = sinew_skin::bind(character, bound, &SkinSettings::from(method));
    let mut posed = bound.rest().clone();
    let matrices = bound.posed_from_rest(character, pose);
    skin.deform(&mut skin.workspace(), &matrices, bound.rest(), posed.as_mut());
    posed
}

#[test]
fn skinned_points_carry_the_skin_to_where_it_is_skinned() {
    let case = Case::limb(0.03);
    let anatomy = case.anatomy(&AnatomySettings::default());
    let particles = anatomy.particle_character(&case.character, &case.cover.mesh).unwrap();
    let particle_bound = BoundSurface::of(&particles);
    assert_eq!(particle_bound.rest().positions, case.points());
    for method in [Method::Lbs, Method::SDEF, Method::Dlb] {
        for (at, angle) in [0.0_f32, 0.4, -0.8, 1.2].into_iter().enumerate() {
            let axis = [Vec3::X, Vec3::Z, Vec3::Y, Vec3::new(0.6, 0.0, 0.8)][at];
            let mut pose = Pose::rest(&case.character);
            pose.turn(BoneId(1), Quat::from_axis_angle(axis, angle));
            let skin = skinned(&case.character, &case.bound, &pose, method);
            // Same bones, so that a pose of the character is one of the points.
            let mut of_points = Pose::rest(&particles);
            of_points.turn(BoneId(1), Quat::from_axis_angle(axis, angle));
            let points = skinned(&particles, &particle_bound, &of_points, method);
            let carried = case.cover.embedding.apply(&points.positions);
            let off = carried.iter().zip(&skin.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            // Straight lines between points against a bend of radius 0.16 / angle: a tenth of the limb's radius.
            let tolerance = 1e-6 + 0.1 * RADIUS_M * angle.abs();
            assert!(off < tolerance, "{method:?} {angle}: {off} m");
        }
    }
}

#[test]
fn weights_are_positive_few_and_sum_to_one() {
    let case = Case::limb(0.025);
    let anatomy = case.anatomy(&AnatomySettings { most_influences: 2, ..AnatomySettings::default() });
    assert_eq!(anatomy.influences.vertex_count(), case.points().len());
    for (point, position) in case.points().iter().enumerate() {
        let (joints, weights) = anatomy.influences.of(point);
        assert!((1..=2).contains(&joints.len()));
        assert!(weights.iter().all(|&weight| weight > 0.0));
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        // Weights of the skin are linear over 16 cm round the joint.
        let of_lower = joints.iter().position(|&joint| joint == 1).map_or(0.0, |at| weights[at]);
        let expected = ((position.y - BONE_M + 0.08) / 0.16).clamp(0.0, 1.0);
        // On the axis a harmonic field rounds the corners of the ramp over the limb's radius.
        assert!((of_lower - expected).abs() < 0.12, "{position}: {of_lower} {expected}");
    }
    assert!(anatomy.warnings.is_empty(), "{:?}", anatomy.warnings);
}

#[test]
fn depth_and_layers_go_from_bone_to_skin() {
    let case = Case::limb(0.015);
    let anatomy = case.anatomy(&AnatomySettings::default());
    let mut met = [0; 3];
    for (point, position) in case.points().iter().enumerate() {
        let away = position.with_y(0.0).length();
        if !(0.05..0.55).contains(&position.y) {
            continue;
        }
        let expected = ((away / RADIUS_M - 0.15) / 0.85).clamp(0.0, 1.0);
        // The polygon of 24 sides is 1 % thinner than the circle; smoothing rounds both ends.
        assert!(
            (anatomy.depth[point] - expected).abs() < 0.05,
            "{position}: {} {expected}",
            anatomy.depth[point]
        );
        assert!(
            (anatomy.thickness_m[point] - RADIUS_M).abs() < 0.1 * RADIUS_M,
            "{}",
            anatomy.thickness_m[point]
        );
        let mix = anatomy.mix_of(point);
        assert!((mix.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let layer = [0.3, 0.7].iter().filter(|&&border| expected > border).count();
        if [0.3_f32, 0.7].iter().all(|border| (expected - border).abs() > 0.06) {
            assert_eq!(anatomy.layer[point], layer, "{position}");
            assert_eq!(anatomy.is_held[point], layer == 0);
        }
        met[layer] += 1;
    }
    assert!(met.iter().all(|&count| count > 50), "{met:?}");
    // Softer outwards, and between what the outermost layers say.
    let speeds = &anatomy.square_speed;
    assert!(speeds.iter().all(|&speed| (6.5..134.0).contains(&speed)));
    let mass: f32 = anatomy.mass_kg.iter().sum();
    let volume = case.surface.volume() as f32;
    // Between that of fat and of bone, and a few hundredths for tetrahedra that hardly reach in.
    assert!((920.0 * volume..1.1 * 1500.0 * volume).contains(&mass), "{mass} {volume}");
}

#[test]
fn a_layer_in_meters_keeps_its_thickness() {
    let case = Case::limb(0.015);
    let mut settings = AnatomySettings { blend: 0.02, ..AnatomySettings::default() };
    settings.layers[2].thickness = Thickness::Meters(0.01);
    let anatomy = case.anatomy(&settings);
    for (point, position) in case.points().iter().enumerate().filter(|(_, at)| (0.05..0.55).contains(&at.y)) {
        let from_skin = RADIUS_M - position.with_y(0.0).length();
        if (from_skin - 0.01).abs() > 0.003 {
            assert_eq!(anatomy.layer[point] == 2, from_skin < 0.01, "{position}");
        }
    }
}

#[test]
fn nothing_crosses_a_gap() {
    // Closer together than a spacing.
    let case = Case::new(posts(&[(Vec3::ZERO, true), (Vec3::X * 0.105, true)], 0.05), 0.04);
    let anatomy = case.anatomy(&AnatomySettings::default());
    let parts = case.cover.mesh.components();
    assert_eq!(case.cover.mesh.component_count(), 2);
    for (tet, part) in case.cover.mesh.tets().iter().zip(parts) {
        for &corner in tet {
            assert_eq!(anatomy.influences.of(corner as usize), (&[part as u16][..], &[1.0][..]));
            assert_eq!(anatomy.bone[corner as usize], BoneId(part));
        }
    }
}

#[test]
fn bones_outside_and_parts_without_bones_are_told_and_held() {
    let case = Case::new(posts(&[(Vec3::ZERO, true), (Vec3::X * 0.5, false)], 0.05), 0.03);
    let anatomy = case.anatomy(&AnatomySettings::default());
    assert!(anatomy.warnings.contains(&AnatomyWarning::BoneOutside { bone: BoneId(1) }));
    let is_told = |warning: &AnatomyWarning| matches!(warning, AnatomyWarning::PartWithoutBone { .. });
    assert_eq!(anatomy.warnings.iter().filter(|warning| is_told(warning)).count(), 1);
    for (point, position) in case.points().iter().enumerate().filter(|(_, position)| position.x > 0.25) {
        assert!(anatomy.is_held[point], "{position}");
        assert_eq!(anatomy.bone[point], BoneId(1));
    }
    assert!(anatomy.is_held.iter().any(|is_held| !is_held));
}

#[test]
fn thin_flesh_is_held_and_bones_hold_coarse_tetrahedra() {
    let thin = [(Vec3::ZERO, true)];
    let case = Case::new(posts(&thin, 0.01), 0.03);
    let anatomy = case.anatomy(&AnatomySettings::default());
    assert!(anatomy.is_held.iter().all(|is_held| *is_held));
    assert!(anatomy.warnings.contains(&AnatomyWarning::NothingMoves));
    // As thick as a spacing: the axis is held, the skin moves.
    let case = Case::limb(RADIUS_M);
    let anatomy = case.anatomy(&AnatomySettings::default());
    for height in [0.05, 0.15, 0.3, 0.45, 0.55] {
        let near = |point: &usize| (case.points()[*point].y - height).abs() < RADIUS_M;
        assert!((0..case.points().len()).filter(near).any(|point| anatomy.is_held[point]), "{height}");
        assert!((0..case.points().len()).filter(near).any(|point| !anatomy.is_held[point]), "{height}");
    }
}

#[test]
fn paint_prevails_where_it_is() {
    let case = Case::limb(0.02);
    let painted = |target, value: f32| {
        let of_vertex = |position: &Vec3| if position.y < BONE_M { value } else { f32::NAN };
        [Paint { target, values: case.surface.positions.iter().map(of_vertex).collect() }]
    };
    let with = |paints: &[Paint]| {
        Anatomy::new(&AnatomyInput { paints, ..case.input() }, &AnatomySettings::default())
    };
    let plain = with(&[]).unwrap();
    let hard = with(&painted(PaintTarget::Softness, 0.0)).unwrap();
    let stiff = with(&painted(PaintTarget::Stiffness, 4.0)).unwrap();
    let fat = with(&painted(PaintTarget::Thickness(2), 1.0)).unwrap();
    for (point, position) in case.points().iter().enumerate() {
        if position.y > BONE_M + 0.1 {
            assert_eq!(hard.is_held[point], plain.is_held[point]);
            assert!((stiff.square_speed[point] / plain.square_speed[point] - 1.0).abs() < 0.05);
        } else if (0.03..BONE_M - 0.1).contains(&position.y) {
            assert!(hard.is_held[point], "{position}");
            assert!((stiff.square_speed[point] / plain.square_speed[point] - 4.0).abs() < 0.2);
            assert!(fat.mix_of(point)[2] >= plain.mix_of(point)[2] - 1e-6);
        }
    }
    let wrong = with(&painted(PaintTarget::Softness, 1.5)).expect_err("softness ends at 1").to_string();
    assert!(wrong.contains("softness") && wrong.contains("1.5"), "{wrong}");
    let short = Paint { target: PaintTarget::Beta, values: vec![0.5] };
    assert!(matches!(with(&[short]), Err(AnatomyError::Length { found: 1, .. })));
}

#[test]
fn bones_of_a_human_have_their_softness() {
    let case = Case::limb(0.02);
    let mut map = HumanoidMap::default();
    map.set(sinew_rig::HumanoidBone::LeftUpperLeg, BoneId(0));
    map.set(sinew_rig::HumanoidBone::LeftFoot, BoneId(1));
    let input = AnatomyInput { humanoid: Some(&map), ..case.input() };
    let anatomy = Anatomy::new(&input, &AnatomySettings::default()).unwrap();
    for (point, position) in case.points().iter().enumerate() {
        if position.y > BONE_M + 0.1 {
            assert!(anatomy.is_held[point], "{position}");
        }
    }
    assert!(anatomy.is_held.iter().any(|is_held| !is_held));
    let soft = BoneSettings { softness: Some(1.0), ..BoneSettings::default() };
    let settings = AnatomySettings { bones: vec![(BoneId(1), soft)], ..AnatomySettings::default() };
    let softer = Anatomy::new(&input, &settings).unwrap();
    let count = |anatomy: &Anatomy| anatomy.is_held.iter().filter(|is_held| **is_held).count();
    assert!(count(&softer) < count(&anatomy));
}

#[test]
fn lists_that_do_not_belong_together_are_refused() {
    let case = Case::limb(0.05);
    let other = shapes::cuboid(Vec3::ONE);
    let error = Anatomy::new(&AnatomyInput { surface: &other, ..case.input() }, &AnatomySettings::default());
    assert!(matches!(error, Err(AnatomyError::Length { .. })), "{error:?}");
    let empty = Cover { mesh: Default::default(), ..case.cover.clone() };
    let error = Anatomy::new(&AnatomyInput { cover: &empty, ..case.input() }, &AnatomySettings::default());
    assert_eq!(error, Err(AnatomyError::NoTets));
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let case = Case::limb(0.03);
    assert_eq!(case.anatomy(&AnatomySettings::default()), case.anatomy(&AnatomySettings::default()));
}

#[test]
fn layers_that_are_laid_anew_are_those_of_a_new_anatomy() {
    let case = Case::limb(0.03);
    let painted = vec![0.7; case.bound.vertex_count()];
    let paints = [Paint { target: PaintTarget::Beta, values: painted }];
    let mut other = AnatomySettings::default();
    other.layers.remove(1);
    other.layers[1].young_pa = 900.0;
    other.bones.push((BoneId(1), BoneSettings { stiffness: Some(3.0), ..BoneSettings::default() }));
    for paints in [&[][..], &paints] {
        let input = AnatomyInput { paints, ..case.input() };
        let mut laid = Anatomy::new(&input, &AnatomySettings::default()).unwrap();
        laid.relay(&input, &other).unwrap();
        assert_eq!(laid, Anatomy::new(&input, &other).unwrap());
        let before = laid.clone();
        laid.relay(&input, &AnatomySettings { blend: -1.0, ..other.clone() }).expect_err("a bad number");
        assert_eq!(laid, before);
    }
}
