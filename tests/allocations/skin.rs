//! A frame of the fast kernels does not allocate: neither on one thread nor shared out to the threads of a pool.
//!
//! A test program of its own, because it counts the allocations of the whole process.

use glam::{Affine3A, Quat, Vec3};
use sinew::skin::fast::{FrameSettings, GroupedSkin, GroupedSurface, Tables, VertexKind};
use sinew::skin::{Folded, RotationBlend};
use sinew_rig::{BoundSurface, samples};
use sinew_tests::count_allocations;

/// Vertex kinds of all sorts where there are two bones.
fn mixed_kinds(bound: &BoundSurface) -> (Vec<VertexKind>, Folded) {
    let mut folded = Folded::default();
    let kinds = (0..bound.vertex_count()).map(|vertex| {
        let (kind, weights) = match (vertex % 3, bound.influences().of(vertex).1) {
            (2, &[a, b]) => (VertexKind::Folded(RotationBlend::Slerp), Some([a, b])),
            (1, _) => (VertexKind::Dlb, None),
            _ => (VertexKind::Lbs, None),
        };
        match weights {
            Some(weights) => {
                let center = bound.rest().positions[vertex] * 0.5;
                folded.push_sdef(weights, center, Vec3::new(0.0, -0.1, 0.0), 0.5);
            }
            None => folded.push(&[], 0.0),
        }
        kind
    });
    (kinds.collect(), folded)
}

pub(crate) fn frames_do_not_allocate() {
    let character = samples::limb(128, 96);
    let bound = BoundSurface::of(&character);
    let ((kinds, folded), palette_len) = (mixed_kinds(&bound), bound.palette().len());
    let mut skin = GroupedSkin::bind(bound.rest(), bound.influences(), palette_len, &kinds, &folded);
    let mut tables = Tables::new(&skin);
    let mut posed = bound.rest().clone();
    let mut grouped = GroupedSurface::new(&skin);
    let bend = Affine3A::from_quat(Quat::from_rotation_x(1.0));
    let stretch = Affine3A::from_scale(Vec3::new(1.0, 1.2, 0.9));
    let poses = [[Affine3A::IDENTITY, bend], [stretch, bend * stretch]];
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a small pool");
        let counted = pool.install(|| {
            let mut frames = || {
                for pose in &poses {
                    skin.update_rest(bound.rest());
                    tables.pose(&skin, pose);
                    skin.deform(&tables, FrameSettings::default(), posed.as_mut());
                    skin.deform_grouped(&tables, FrameSettings::default(), &mut grouped);
                }
            };
            // Threads of the pool may still be starting, and make their queues when they first look for work.
            frames();
            std::thread::sleep(std::time::Duration::from_millis(50));
            frames();
            count_allocations(frames)
        });
        assert_eq!(counted, 0, "{threads} threads");
    }
}
