//! Shapes of a rigged character over a clip, as morph targets that come before skinning.
//!
//! An engine shows Σ w M (x + Δ) of a vertex: linear blend skinning of the morphed rest shape. So that it shows a given place y, Δ must be
//! L⁻¹ (y − Σ w M x) with L = Σ w M without its translation. Where a joint's skin has collapsed, L has no inverse, and Δ is the shortest
//! one that comes near.

use super::{BasisSettings, MorphSummary, ShapeBasis, TakeError};
use glam::{Affine3A, Mat3, Vec3};
use rayon::prelude::*;
use sinew_rig::{
    BoundSurface, Channel, Character, ClipId, Evaluator, InstanceId, MeshId, Pose, SeamlessNormals, Track,
};

/// The character with morph targets that, played with the clip by linear blend skinning, show the given shapes: one a frame, at times
/// 0, 1 / fps, 2 / fps …, each all vertices in the order of [`BoundSurface`].
///
/// # Errors
/// No frames, or shapes of another character.
///
/// # Panics
/// If there is no such clip.
pub fn put_on_rig(
    character: &Character,
    clip: ClipId,
    fps: f64,
    shapes: &[Vec<Vec3>],
    settings: &BasisSettings,
) -> Result<(Character, Vec<MorphSummary>), TakeError> {
    let bound = BoundSurface::of(character);
    if shapes.is_empty() {
        return Err(TakeError::Empty);
    }
    for (frame, shape) in shapes.iter().enumerate() {
        TakeError::check(frame, shape, "the character has", bound.vertex_count())?;
    }
    let Wanted { deltas, weights } = Wanted::of(character, &bound, clip, fps, shapes);
    let mut parts = character.clone().into_parts();
    let driven = &mut parts.clips[clip.index()];
    let times_secs: Vec<f64> = (0..shapes.len()).map(|frame| frame as f64 / fps).collect();
    let mut summaries = Vec::new();
    for placed in bound.instances() {
        let instance = placed.instance;
        let mesh_id = parts.instances[instance.index()].mesh;
        let mut mesh = parts.meshes[mesh_id.index()].clone();
        let own: Vec<Vec<Vec3>> =
            deltas.iter().map(|frame| frame[placed.vertices.clone()].to_vec()).collect();
        let basis = ShapeBasis::fit(&own, settings);
        let normals = match mesh.normals.is_empty() || basis.shapes.is_empty() {
            true => Vec::new(),
            false => basis.companions(&normal_deltas(&mesh, &own)),
        };
        let morphs = basis.one_sided(&normals);
        summaries.push(MorphSummary::of(&mesh, &basis, &morphs));
        if basis.shapes.is_empty() {
            continue;
        }
        mesh.morphs.extend(morphs.targets("follow-through"));
        mesh.default_morph_weights.resize(mesh.morphs.len(), 0.0);
        parts.instances[instance.index()].morph_weights.resize(mesh.morphs.len(), 0.0);
        // A mesh that is placed several times moves differently at each place.
        let is_shared = parts.instances.iter().filter(|other| other.mesh == mesh_id).count() > 1;
        if is_shared {
            parts.instances[instance.index()].mesh = MeshId::of(parts.meshes.len());
            parts.meshes.push(mesh);
        } else {
            parts.meshes[mesh_id.index()] = mesh;
        }
        driven
            .tracks
            .retain(|track| !matches!(&track.channel, Channel::MorphWeights(other, _) if *other == instance));
        let joint = |(own, new): (&Vec<Vec<f32>>, &Vec<f32>)| [&own[instance.index()][..], new].concat();
        let joint = weights.iter().zip(&morphs.weights).flat_map(joint).collect();
        driven.tracks.push(Track::linear(times_secs.clone(), Channel::MorphWeights(instance, joint)));
    }
    // Other clips know fewer morphs.
    let counts: Vec<usize> = parts.instances.iter().map(|instance| instance.morph_weights.len()).collect();
    for (_, other) in parts.clips.iter_mut().enumerate().filter(|(at, _)| *at != clip.index()) {
        other.tracks.iter_mut().for_each(|track| widen(track, character, &counts));
    }
    Ok((Character::new(parts)?, summaries))
}

/// Gives a track of morph weights as many weights a key as there are now.
pub fn widen(track: &mut Track, before: &Character, counts: &[usize]) {
    let Channel::MorphWeights(instance, weights) = &mut track.channel else { return };
    let (had, has) = (before.mesh_of(*instance).morphs.len(), counts[instance.index()]);
    if had != has && had > 0 {
        let wider = |key: &[f32]| {
            key.iter().copied().chain(std::iter::repeat_n(0.0, has - had)).collect::<Vec<f32>>()
        };
        *weights = weights.chunks(had).flat_map(wider).collect();
    }
}

/// What must be added to the rest shape, and how much of its own morphs a frame has, per instance.
struct Wanted {
    deltas: Vec<Vec<Vec3>>,
    weights: Vec<Vec<Vec<f32>>>,
}

impl Wanted {
    fn of(character: &Character, bound: &BoundSurface, clip: ClipId, fps: f64, shapes: &[Vec<Vec3>]) -> Self {
        let clip = &character.clips()[clip.index()];
        let frames = shapes.par_iter().enumerate().map_init(
            || Evaluator::new(character),
            |evaluator, (frame, shape)| {
                let pose = Pose::at(character, clip, frame as f64 / fps);
                let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
                evaluator.model_from_bone_into(character, &pose, &mut model_from_bone);
                let mut posed_from_rest = vec![Affine3A::IDENTITY; bound.palette().len()];
                bound.posed_from_rest_into(&model_from_bone, &mut posed_from_rest);
                let mut morphed = bound.rest().clone();
                bound.morphed_rest_into(character, evaluator, &pose, &mut morphed);
                let deltas = (0..shape.len())
                    .map(|vertex| {
                        delta_of(bound, &posed_from_rest, vertex, morphed.positions[vertex], shape[vertex])
                    })
                    .collect();
                let instances = (0..character.instances().len()).map(InstanceId::of);
                (deltas, instances.map(|instance| pose.morph_weights(instance).to_vec()).collect())
            },
        );
        let (deltas, weights) = frames.unzip();
        Self { deltas, weights }
    }
}

/// Blends with less of a unit matrix's volume than this are taken as collapsed.
const COLLAPSED: f32 = 0.05;

/// What must be added to a vertex before linear blending so that it comes to a place; the module text has the formula.
pub fn delta_of(
    bound: &BoundSurface,
    posed_from_rest: &[Affine3A],
    vertex: usize,
    rest: Vec3,
    wanted: Vec3,
) -> Vec3 {
    let (mut blend, mut shift) = (Mat3::ZERO, Vec3::ZERO);
    for (entry, weight) in bound.influences().pairs(vertex) {
        let matrix = &posed_from_rest[usize::from(entry)];
        blend += Mat3::from(matrix.matrix3) * weight;
        shift += Vec3::from(matrix.translation) * weight;
    }
    let lack = wanted - (blend * rest + shift);
    let size = blend.x_axis.length().max(blend.y_axis.length()).max(blend.z_axis.length());
    if blend.determinant().abs() > COLLAPSED * size.powi(3) {
        return blend.inverse() * lack;
    }
    // Least squares with a price on length.
    let price = (COLLAPSED * size).powi(2).max(1e-12);
    (blend.transpose() * blend + Mat3::from_diagonal(Vec3::splat(price))).inverse()
        * (blend.transpose() * lack)
}

/// How normals of the rest shape change with each of the deltas.
pub fn normal_deltas(mesh: &sinew_rig::Mesh, deltas: &[Vec<Vec3>]) -> Vec<Vec<Vec3>> {
    let smooth = SeamlessNormals::of_meshes([mesh]);
    let rest = smooth.at(&mesh.positions);
    let of_frame = |deltas: &Vec<Vec3>| {
        let moved: Vec<Vec3> =
            mesh.positions.iter().zip(deltas).map(|(rest, delta)| *rest + *delta).collect();
        smooth.at(&moved).iter().zip(&rest).map(|(now, rest)| *now - *rest).collect()
    };
    deltas.par_iter().map(of_frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;
    use sinew_skin::{Method, PosedCharacter};

    #[test]
    fn any_player_of_linear_blends_shows_the_shapes() {
        let character = samples::limb(16, 24);
        let clip = ClipId::of(0);
        let (fps, count) = (30.0, 61);
        let pose_at = |character: &Character, frame: usize| {
            let mut pose = Pose::rest(character);
            pose.set_clip(character, &character.clips()[0], frame as f64 / fps);
            pose
        };
        // Dual quaternions, with a wave on top.
        let mut other = PosedCharacter::bind(&character, Method::Dlb);
        let shapes: Vec<Vec<Vec3>> = (0..count)
            .map(|frame| {
                other.set(&pose_at(&character, frame));
                let wave = |at: usize| 0.01 * (0.4 * frame as f32 + 0.1 * at as f32).sin();
                other
                    .surface()
                    .positions
                    .iter()
                    .enumerate()
                    .map(|(at, place)| *place + Vec3::Y * wave(at))
                    .collect()
            })
            .collect();
        let settings = BasisSettings { tolerance_m: 2e-4, most: 40 };
        let (rigged, summary) = put_on_rig(&character, clip, fps, &shapes, &settings).unwrap();
        assert!(summary[0].morphs > 2 && summary[0].worst_error < 2e-4, "{summary:?}");
        let mut plain = PosedCharacter::bind(&rigged, Method::Lbs);
        for (frame, shape) in shapes.iter().enumerate() {
            plain.set(&pose_at(&rigged, frame));
            let apart =
                plain.surface().positions.iter().zip(shape).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(apart < 4e-4, "frame {frame}: {apart}");
        }
    }

    #[test]
    fn shapes_of_others_are_refused() {
        let character = samples::limb(8, 4);
        let refused = |shapes: &[Vec<Vec3>]| {
            put_on_rig(&character, ClipId::of(0), 30.0, shapes, &BasisSettings::default())
                .unwrap_err()
                .to_string()
        };
        assert!(refused(&[]).contains("no frame"));
        assert!(refused(&[vec![Vec3::ZERO; 3]]).contains("3 vertices"));
    }
}
