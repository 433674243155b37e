//! A frame of the fast kernels does not allocate: neither on one thread nor shared out to the threads of a pool.
//!
//! A test program of its own, because it counts the allocations of the whole process.

use glam::{Affine3A, Quat, Vec3};
use sinew::skin::fast::{FrameSettings, GroupedSkin, GroupedSurface, Tables, VertexKind};
use sinew_rig::{BoundSurface, samples};
use sinew_tests::count_allocations;

/// Vertex kinds of all sorts where there are two bones.
fn mixed_kinds(bound: &BoundSurface) -> Vec<VertexKind> {
    let anchored = |vertex: usize| VertexKind::Sdef {
        center: bound.rest().positions[vertex] * 0.5,
        range: Vec3::new(0.0, -0.1, 0.0),
        s: 0.5,
    };
    let kind = |vertex: usize| match vertex % 3 {
        0 => VertexKind::Lbs,
        1 => VertexKind::Dlb,
        _ => anchored(vertex),
    };
    (0..bound.vertex_count()).map(kind).collect()
}

pub(crate) fn frames_do_not_allocate() {
    let character = samples::limb(128, 96);
    let bound = BoundSurface::of(&character);
    let mut skin =
        GroupedSkin::bind(bound.rest(), bound.influences(), bound.palette().len(), &mixed_kinds(&bound));
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
