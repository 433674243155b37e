//! Fits of rigs that nobody designed: none may be worse than bones alone.

use super::held_out::judge;
use crate::*;
use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::progress::Progress;
use sinew_geometry::{Random, TriangleMesh, Trs};
use sinew_rig::{
    Bind, BindId, Bone, BoneId, BoundSurface, Character, CharacterParts, InfluencesBuilder, Instance,
    LocalTransform, Mesh, MeshId,
};
use sinew_skin::{Method, SkinSettings};

/// How many are fitted; a thousand by `cargo xtask slow`.
const COUNT: u64 = if cfg!(feature = "slow") { 1000 } else { 12 };

/// A tube of six sides along two to five bones of any length, direction and axes, weights by distance.
fn random_rig(random: &mut Random) -> Character {
    let bone_count = 2 + random.below(4);
    let mut number = |from: f64, to: f64| (from + (to - from) * random.unit()) as f32;
    let mut heads = vec![Vec3::ZERO];
    let mut ahead = Vec3::Y;
    for _ in 0..bone_count {
        ahead = (ahead + 0.7 * Vec3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0)))
            .normalize_or(Vec3::Y);
        let last = heads[heads.len() - 1];
        heads.push(last + ahead * number(0.05, 0.6));
    }
    let frames: Vec<Affine3A> = (0..bone_count)
        .map(|at| {
            let turn = Vec3::new(number(-3.0, 3.0), number(-3.0, 3.0), number(-3.0, 3.0));
            Affine3A::from_rotation_translation(Quat::from_scaled_axis(turn), heads[at])
        })
        .collect();
    let soft = number(0.02, 0.3);
    let mut shape = TriangleMesh::default();
    let mut influences = InfluencesBuilder::with_capacity(0, 0);
    let rows = 6 * bone_count as u32;
    for row in 0..=rows {
        let along = row as f32 / rows as f32 * bone_count as f32;
        let at = (along as usize).min(bone_count - 1);
        let (from, to) = (heads[at], heads[at + 1]);
        let middle = from.lerp(to, along - at as f32);
        let side = (to - from).any_orthonormal_vector();
        let radius = number(0.02, 0.1);
        for corner in 0..6 {
            let turn =
                Quat::from_axis_angle((to - from).normalize(), corner as f32 * std::f32::consts::FRAC_PI_3);
            let place = middle + turn * side * radius;
            let near = |bone: usize| {
                let (a, b) = (heads[bone], heads[bone + 1]);
                let share = ((place - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                (-place.distance(a.lerp(b, share)) / soft).exp()
            };
            let weights: Vec<f32> = (0..bone_count).map(near).collect();
            let sum: f32 = weights.iter().sum();
            influences.push(weights.iter().enumerate().map(|(bone, weight)| (bone as u16, weight / sum)));
            shape.positions.push(place);
        }
    }
    for row in 0..rows {
        for corner in 0..6 {
            let [a, b] = [6 * row + corner, 6 * row + (corner + 1) % 6];
            shape.triangles.extend([[a, b, a + 6], [b, b + 6, a + 6]]);
        }
    }
    let mut mesh = Mesh::from_triangles("tube", shape, None);
    mesh.influences = influences.build();
    let bone = |at: usize| {
        let parent = at.checked_sub(1).map(|parent| frames[parent]).unwrap_or(Affine3A::IDENTITY);
        Bone {
            name: format!("bone {at}"),
            parent: at.checked_sub(1).map(BoneId::of),
            rest: LocalTransform::Trs(Trs::nearest(&(parent.inverse() * frames[at]))),
            tip_in_bone: Some(frames[at].inverse().transform_point3(heads[at + 1])),
        }
    };
    Character::new(CharacterParts {
        name: "tube".into(),
        bones: (0..bone_count).map(bone).collect(),
        binds: vec![Bind {
            name: "tube".into(),
            joints: (0..bone_count).map(BoneId::of).collect(),
            joint_from_rest: frames.iter().map(Affine3A::inverse).collect(),
        }],
        meshes: vec![mesh],
        instances: vec![Instance {
            bone: BoneId::of(0),
            mesh: MeshId::of(0),
            bind: Some(BindId::of(0)),
            morph_weights: Vec::new(),
        }],
        ..CharacterParts::default()
    })
    .expect("every list above is as long as the mesh")
}

#[test]
fn no_fit_of_a_random_rig_is_worse_than_bones_alone() {
    let mut random = Random::new(18);
    let (mut helpers, mut worse) = (0, Vec::new());
    for number in 0..COUNT {
        let character = random_rig(&mut random);
        let method = [Method::BEZIER, Method::Dlb, Method::SDEF, Method::SBS][random.below(4)];
        let mut settings = RigFitSettings { pose_count: 40, held_out_count: 20, ..Default::default() };
        settings.helpers.helper_count = 1 + random.below(6);
        settings.helpers.start_count = 3;
        settings.helpers.refine_sweeps = 5;
        settings.helpers.full_sweeps = 3;
        settings.helpers.seed = number;
        let bound = BoundSurface::of(&character);
        let drivers = DriverBinds::all(&character).unwrap();
        let deformer = sinew_skin::bind(&character, &bound, &SkinSettings::from(method)).into();
        let poser = Poser { character: &character, bound: &bound, drivers: &drivers, deformer };
        let symmetry = Symmetry::find(&bound, &drivers).ok();
        let regions = regions(&character, &bound, &drivers, None, symmetry, &|_| true, &|_| true);
        let found = fit_rig(&poser, &regions, &settings, &Progress::none()).unwrap();
        helpers += found.rig.helper_count();
        let size = f64::from(sinew_geometry::Bounds::of(&bound.rest().positions).size().length());
        assert!(found.held_out.largest_at_rest < 1e-6 * size.max(1.0), "rig {number}: {:?}", found.held_out);
        // Other poses than those that the fit judged by.
        settings.helpers.seed ^= 0x6f74_6865;
        for (judged, region) in judge(&poser, &regions, &|set| found.rig.placed(set), &settings, &[])
            .into_iter()
            .zip(&regions.list)
        {
            let Some(judged) = judged else { continue };
            if judged.rms > judged.rms_plain * (1.0 + 1e-6) + 1e-9 {
                worse.push(format!("rig {number}, {method}, bone {}: {judged:?}", region.joint));
            }
        }
    }
    assert!(worse.is_empty(), "{worse:#?}");
    assert!(helpers as u64 > COUNT, "most rigs get helpers: {helpers}");
}
