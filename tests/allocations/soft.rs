//! A step of a soft body does not allocate after the first.
//!
//! A test program of its own, because it counts the allocations of the whole process.

use glam::{Quat, Vec3};
use sinew::soft::{
    Collider, ContactSettings, ExampleSet, ExampleSettings, Grouping, Integration, RegionMaterial, Regions,
    Rings, SoftBody, StepSettings, WeightRule,
};
use sinew_geometry::TetMesh;
use sinew_tests::count_allocations;

fn bar(rule: WeightRule, grouping: Option<Grouping>) -> SoftBody {
    let mesh = TetMesh::lattice([8, 4, 4], Vec3::new(0.8, 0.4, 0.4));
    let masses = vec![0.5; mesh.points().len()];
    let material = RegionMaterial { bulk: 5.0, ..RegionMaterial::default() };
    let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
    let twist = |turns: f32| {
        let twisted = mesh.points().iter().map(|point| Quat::from_rotation_x(turns * point.x) * *point);
        twisted.collect::<Vec<_>>()
    };
    let shapes = [twist(1.0), twist(-0.7), mesh.points().iter().map(|point| *point * 1.3).collect()];
    let examples = grouping.map(|grouping| {
        let settings = ExampleSettings { grouping, rule, ..ExampleSettings::default() };
        ExampleSet::bind(&regions, &shapes, &settings).expect("shapes of this bar")
    });
    SoftBody::new(mesh.points(), &masses, vec![(regions, examples)])
}

pub(crate) fn steps_do_not_allocate_after_the_first() {
    let halves = Grouping::Groups((0..225).map(|region| region / 113).collect());
    let groupings = [None, Some(Grouping::Whole), Some(halves), Some(Grouping::Each)];
    let floor = [Collider::floor(-0.05, ContactSettings::default())];
    for rule in [WeightRule::Nearest, WeightRule::Sorting, WeightRule::Source] {
        for grouping in groupings.clone() {
            for integration in [Integration::Implicit, Integration::Source { alpha: 0.5 }] {
                let mut body = bar(rule, grouping.clone());
                let settings = StepSettings { integration, ..StepSettings::default() };
                body.step(&settings, &floor);
                // Weights, and with them the corrals of the hull, change on the way to the floor. Three times, because the test
                // program's own thread may still be asking for memory after it has started this one.
                let mut run = || count_allocations(|| (0..20).for_each(|_| body.step(&settings, &floor)));
                let counts: [usize; 3] = std::array::from_fn(|_| run());
                assert!(counts.contains(&0), "{counts:?} {rule:?} {grouping:?} {integration:?}");
            }
        }
    }
}
