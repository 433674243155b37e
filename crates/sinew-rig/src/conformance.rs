//! The laws of [`crate::Deformer`], as test functions for every method and backend.
//!
//! A law takes a bind function, tries it on rigs that are bent, twisted, scaled, branched and degenerate, and returns the violation.

use crate::{
    BoneId, BoundSurface, Character, Deformer, InfluencesBuilder, Pose, Surface, SurfaceMut, samples,
};
use glam::{Affine3A, Quat, Vec3, Vec4};

/// A way to bind the deformer under test.
pub type Bind<'a> = &'a dyn Fn(&Character, &BoundSurface) -> Box<dyn Deformer>;

/// A law's text, and its check.
pub type Law = (&'static str, fn(Bind<'_>) -> Result<(), String>);

/// Runs work in some environment, such as a thread pool.
pub type Run<'a> = &'a dyn Fn(&mut (dyn FnMut() + Send));

/// Largest difference that is rounding, as a share of the model's size.
pub const ROUNDING: f32 = 1e-5;

/// Every law for deformers that move each vertex by its own bones.
pub const PER_VERTEX_LAWS: [Law; 6] = [
    ("identity gives the rest shape", identity),
    ("one rigid motion of all bones moves the skin by it", rigid_motion),
    ("one bone with all the weight moves by its matrix", one_bone),
    ("the order of bones does not matter", bone_order),
    ("a small change of pose is a small change of vertices", small_change),
    ("lists that are left out change nothing", optional_lists),
];

/// The laws that also hold for post-passes over the whole mesh.
pub const POST_PASS_LAWS: [Law; 3] = [
    ("identity gives the rest shape", identity),
    ("one rigid motion of all bones moves the skin by it", rigid_motion),
    ("lists that are left out change nothing", optional_lists),
];

/// Identity matrices give the rest shape.
///
/// # Errors
/// The vertex that moved.
pub fn identity(bind: Bind<'_>) -> Result<(), String> {
    for (name, character) in rigs() {
        let bound = BoundSurface::of(&character);
        let posed = deformed(bind, &character, &bound, &vec![Affine3A::IDENTITY; bound.palette().len()]);
        compare(&name, &posed, bound.rest(), 1.0)?;
    }
    Ok(())
}

/// One rigid motion of all bones moves the skin by it.
///
/// # Errors
/// The vertex with a different position.
pub fn rigid_motion(bind: Bind<'_>) -> Result<(), String> {
    let axes = [Vec3::X, Vec3::new(1.0, 2.0, 3.0).normalize(), Vec3::NEG_Z];
    for (name, character) in rigs() {
        let bound = BoundSurface::of(&character);
        for (axis, angle) in axes.into_iter().zip([0.3, 3.1, -1.7]) {
            let turn = Quat::from_axis_angle(axis, angle);
            let motion = Affine3A::from_rotation_translation(turn, Vec3::new(0.4, -1.0, 0.7));
            let posed = deformed(bind, &character, &bound, &vec![motion; bound.palette().len()]);
            let rest = bound.rest();
            let expected = Surface {
                positions: rest.positions.iter().map(|&place| motion.transform_point3(place)).collect(),
                normals: rest.normals.iter().map(|&normal| motion.transform_vector3(normal)).collect(),
                tangents: rest.tangents.clone(),
            };
            compare(&format!("{name}, turned by {angle} about {axis}"), &posed, &expected, 3.0)?;
        }
    }
    Ok(())
}

/// If one bone has all the weight, the result is that bone's matrix times the rest vertex, whatever the matrix.
///
/// # Errors
/// The vertex with a different position.
pub fn one_bone(bind: Bind<'_>) -> Result<(), String> {
    for (name, character) in rigs() {
        let bound = BoundSurface::of(&character);
        let matrices = wild_matrices(bound.palette().len());
        let posed = deformed(bind, &character, &bound, &matrices);
        for vertex in 0..bound.vertex_count() {
            let (joints, _) = bound.influences().of(vertex);
            let &[joint] = joints else { continue };
            let expected = matrices[usize::from(joint)].transform_point3(bound.rest().positions[vertex]);
            check(&name, vertex, posed.positions[vertex], expected, 3.0)?;
        }
    }
    Ok(())
}

/// Listing a vertex's bones in another order changes nothing.
///
/// # Errors
/// The vertex that moved.
pub fn bone_order(bind: Bind<'_>) -> Result<(), String> {
    for (name, character) in rigs() {
        let turned = with_bones_turned_round(&character);
        let (bound, turned_bound) = (BoundSurface::of(&character), BoundSurface::of(&turned));
        let matrices = posed_matrices(&character, &bound, 1.0);
        let first = deformed(bind, &character, &bound, &matrices);
        let second = deformed(bind, &turned, &turned_bound, &matrices);
        compare(&name, &first, &second, 1.0)?;
    }
    Ok(())
}

/// A small change of pose is a small change of vertices: 0.01° moves nothing by more than 0.001 of the model.
///
/// # Errors
/// The vertex that jumped.
pub fn small_change(bind: Bind<'_>) -> Result<(), String> {
    for (name, character) in rigs() {
        let bound = BoundSurface::of(&character);
        for strength in [0.2, 0.7, 1.0] {
            let before = deformed(bind, &character, &bound, &posed_matrices(&character, &bound, strength));
            let after =
                deformed(bind, &character, &bound, &posed_matrices(&character, &bound, strength + 1e-4));
            for (vertex, (a, b)) in before.positions.iter().zip(&after.positions).enumerate() {
                if a.distance(*b) > 1e-3 * size(&bound) {
                    return Err(format!("{name}: vertex {vertex} jumps from {a} to {b}"));
                }
            }
        }
    }
    Ok(())
}

/// The result is bitwise equal in every pool of `run`.
///
/// # Errors
/// The first run that differs.
pub fn same_bits(bind: Bind<'_>, runs: &[Run<'_>]) -> Result<(), String> {
    let character = samples::limb(40, 90);
    let bound = BoundSurface::of(&character);
    let deformer = bind(&character, &bound);
    let matrices = posed_matrices(&character, &bound, 1.0);
    let mut results = Vec::new();
    for run in runs {
        let mut workspace = deformer.workspace();
        let mut posed = bound.rest().clone();
        run(&mut || deformer.deform(&mut workspace, &matrices, bound.rest(), posed.as_mut()));
        results.push(posed);
    }
    match results.windows(2).position(|pair| pair[0] != pair[1]) {
        Some(at) => Err(format!("run {} differs from run {at}", at + 1)),
        None => Ok(()),
    }
}

/// Omitted lists do not change the others, bitwise.
///
/// # Errors
/// The list that differs.
pub fn optional_lists(bind: Bind<'_>) -> Result<(), String> {
    let mut parts = samples::limb(12, 20).into_parts();
    for mesh in &mut parts.meshes {
        mesh.tangents = vec![Vec4::new(0.0, 1.0, 0.0, 1.0); mesh.vertex_count()];
    }
    let character = Character::new(parts).expect("a tangent for each vertex");
    let bound = BoundSurface::of(&character);
    let deformer = bind(&character, &bound);
    let mut workspace = deformer.workspace();
    let matrices = posed_matrices(&character, &bound, 1.0);
    let [mut all, mut no_tangents, mut no_normals] = [(); 3].map(|()| bound.rest().clone());
    for posed in [
        all.as_mut(),
        SurfaceMut { tangents: &mut [], ..no_tangents.as_mut() },
        SurfaceMut::of_positions(&mut no_normals.positions),
    ] {
        deformer.deform(&mut workspace, &matrices, bound.rest(), posed);
    }
    if no_normals.positions != all.positions || no_tangents.positions != all.positions {
        return Err("positions depend on the other lists".into());
    }
    if no_tangents.normals != all.normals {
        return Err("normals depend on tangents".into());
    }
    Ok(())
}

/// Rigs for the laws.
fn rigs() -> Vec<(String, Character)> {
    vec![
        ("limb".into(), samples::limb(12, 20)),
        ("limb with coincident joints".into(), with_coincident_heads()),
        ("limb with three bones a vertex".into(), with_three_bones()),
    ]
}

/// A limb with all bones starting at the same point: axes have no length.
fn with_coincident_heads() -> Character {
    let mut parts = samples::limb(8, 8).into_parts();
    let head = parts.binds[0].joint_from_rest[0];
    parts.binds[0].joint_from_rest[1] = head;
    for bone in &mut parts.bones {
        bone.tip_in_bone = None;
        bone.rest = crate::LocalTransform::Trs(sinew_geometry::Trs::IDENTITY);
    }
    Character::new(parts).expect("only the bones moved")
}

/// A limb with an additional tip bone that moves the vertices of the joint a little.
fn with_three_bones() -> Character {
    let mut parts = samples::limb(8, 16).into_parts();
    parts.binds[0].joints.push(BoneId(2));
    parts.binds[0].joint_from_rest.push(Affine3A::from_translation(Vec3::new(0.0, -0.6, 0.0)));
    let mesh = &mut parts.meshes[0];
    let mut builder = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
    for vertex in 0..mesh.vertex_count() {
        let (joints, weights) = mesh.influences.of(vertex);
        let third = ((mesh.positions[vertex].y - 0.2) * 2.0).clamp(0.0, 0.5);
        let first = joints.iter().copied().zip(weights.iter().map(|weight| weight * (1.0 - third)));
        builder.push(first.chain([(2, third)]));
    }
    mesh.influences = builder.build();
    Character::new(parts).expect("a joint more")
}

/// The same character with every vertex's bones listed backwards.
fn with_bones_turned_round(character: &Character) -> Character {
    let mut parts = character.clone().into_parts();
    for mesh in &mut parts.meshes {
        let mut builder =
            InfluencesBuilder::with_capacity(mesh.vertex_count(), mesh.influences.influence_count());
        for vertex in 0..mesh.vertex_count() {
            builder.push(mesh.influences.pairs(vertex).rev());
        }
        mesh.influences = builder.build();
    }
    Character::new(parts).expect("only the order changed")
}

/// Every bone bent and twisted against its parent.
fn posed_matrices(character: &Character, bound: &BoundSurface, strength: f32) -> Vec<Affine3A> {
    let mut pose = Pose::rest(character);
    for (index, _) in character.skeleton().bones().iter().enumerate() {
        let bend = Quat::from_rotation_x(1.1 * strength) * Quat::from_rotation_y(0.6 * strength);
        pose.turn(BoneId::of(index), bend);
    }
    bound.posed_from_rest(character, &pose)
}

/// Rotations, scales, shears and a mirror, a different one for each bone.
fn wild_matrices(count: usize) -> Vec<Affine3A> {
    (0..count)
        .map(|index| {
            let x = index as f32 + 1.0;
            let scale = Vec3::new(1.0 + 0.3 * x, 0.7, if index % 2 == 1 { -1.2 } else { 1.2 });
            let mut affine = Affine3A::from_scale_rotation_translation(
                scale,
                Quat::from_rotation_y(x),
                Vec3::new(x, -0.5, 0.2),
            );
            affine.matrix3.y_axis.x += 0.3;
            affine
        })
        .collect()
}

fn deformed(bind: Bind<'_>, character: &Character, bound: &BoundSurface, matrices: &[Affine3A]) -> Surface {
    let deformer = bind(character, bound);
    let mut workspace = deformer.workspace();
    let mut posed = bound.rest().clone();
    deformer.deform(&mut workspace, matrices, bound.rest(), posed.as_mut());
    posed
}

fn compare(name: &str, found: &Surface, expected: &Surface, scale: f32) -> Result<(), String> {
    for (vertex, (&found, &expected)) in found.positions.iter().zip(&expected.positions).enumerate() {
        check(name, vertex, found, expected, scale)?;
    }
    for (vertex, (&found, &expected)) in found.normals.iter().zip(&expected.normals).enumerate() {
        // Directions are computed from differences and lose a digit.
        check(&format!("{name}, normal"), vertex, found, expected, 30.0)?;
    }
    Ok(())
}

/// The rigs are about 1 m large, so rounding is absolute.
fn check(name: &str, vertex: usize, found: Vec3, expected: Vec3, scale: f32) -> Result<(), String> {
    if found.distance(expected) <= ROUNDING * scale {
        return Ok(());
    }
    Err(format!("{name}: vertex {vertex} is at {found}, expected {expected}"))
}

fn size(bound: &BoundSurface) -> f32 {
    sinew_geometry::Bounds::of(&bound.rest().positions).diagonal()
}
