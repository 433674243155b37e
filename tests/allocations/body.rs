//! A frame of a posed body does not allocate.
//!
//! A test program of its own, because it counts the allocations of the whole process.

use glam::{Affine3A, DQuat, Quat, Vec3};
use sinew::body::limb::VolumeMode;
use sinew::body::pose::{BodyPose, MeshEvaluator, PatchDeformer, PosedBody};
use sinew::body::{Design, Template, build};
use sinew_rig::{Deformer, Surface};
use sinew_tests::count_allocations;

fn assert_no_allocation(what: &str, work: impl FnOnce()) {
    assert_eq!(count_allocations(work), 0, "{what}");
}

pub(crate) fn frames_do_not_allocate() {
    let body = build(&Template::human(), &Design::default()).expect("the human builds");
    let mesh = body.tessellate(4);
    let mut posed = PosedBody::new(body.clone());
    let mut pose = BodyPose::rest(posed.figure());
    for (bone, turn) in pose.turns.iter_mut().enumerate() {
        *turn = DQuat::from_rotation_x(0.02 * bone as f64);
    }
    let evaluator = MeshEvaluator::new(&mesh);
    let mut room = evaluator.room();
    let mut positions = vec![Vec3::ZERO; mesh.places.len()];
    let mut normals = positions.clone();
    for volume in [VolumeMode::Free, VolumeMode::Held] {
        posed.volume = volume;
        assert_no_allocation("a pose", || {
            posed.set(&pose);
            evaluator.evaluate_into(posed.body(), &mut room, &mut positions, &mut normals);
        });
    }
    let order: Vec<usize> = (0..body.bones.len()).collect();
    let deformer = PatchDeformer::new(body.clone(), &mesh, &order).expect("every bone has an entry");
    let mut workspace = deformer.workspace();
    let rest = Surface { positions, normals, tangents: Vec::new() };
    let mut surface = rest.clone();
    let matrices = vec![Affine3A::from_quat(Quat::from_rotation_y(0.3)); order.len()];
    assert_no_allocation("a deformed frame", || {
        deformer.deform(&mut workspace, &matrices, &rest, surface.as_mut());
    });
}
