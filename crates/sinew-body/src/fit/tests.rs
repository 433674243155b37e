use super::*;
use crate::design::{RingChange, Sided};
use crate::testing::JUMP_DEG;
use glam::DVec3;
use sinew_geometry::progress::{Interrupted, Step, one_at_a_time};
use std::ops::ControlFlow;

/// The template's own joints as those of a target.
fn own_joints(template: &Template) -> TargetJoints {
    let joints = template.text().joints.iter();
    TargetJoints { joints: joints.map(|joint| (joint.name.clone(), Sided::Both(joint.at))).collect() }
}

/// A body as a mesh to fit to.
fn mesh_of(template: &Template, design: &Design) -> TargetMesh {
    let mesh = build(template, design).unwrap().tessellate(6);
    TargetMesh::new(mesh.positions, mesh.triangles, &[]).unwrap()
}

fn quick() -> FitSettings {
    FitSettings { fine_rounds: 0, steps: 3, stiffness: 1e-5, ..FitSettings::default() }
}

#[test]
fn changed_rings_are_found_again_within_a_millimetre() {
    let template = Template::human();
    let mut changed = Design::default();
    let rings = [
        ("upper_arm", 0.125, 0.120, DVec3::ZERO),
        ("calf", 0.135, 0.130, DVec3::new(0.004, 0.0, -0.006)),
        ("waist", 0.300, 0.230, DVec3::new(0.0, 0.0, 0.008)),
    ];
    for (name, front, side, shift) in rings {
        let change =
            RingChange { front: Some(front), side: Some(side), shift: Some(shift), ..RingChange::default() };
        changed.rings.insert(name.to_owned(), Sided::Both(change));
    }
    let target = mesh_of(&template, &changed);
    let mut last = f64::INFINITY;
    let watch = one_at_a_time(|step| {
        last = step.residual.unwrap();
        assert!(last.is_finite() && step.done <= step.total);
        ControlFlow::Continue(())
    });
    let result = fit(&template, &target, &own_joints(&template), &quick(), &Progress::new(&watch)).unwrap();
    drop(watch);
    let found = &result.residuals;
    assert!(found.rms_m < 1e-3 && found.p95_m < 1e-3, "{} {}", found.rms_m, found.p95_m);
    let check = result.body.check(5);
    assert!(check.jump_deg < JUMP_DEG && check.euler_characteristic == 2, "{check:?}");
    for (name, front, side, _) in rings {
        let ring = result.design.rings[name].on(crate::Flank::Left).unwrap();
        let off = (ring.front.unwrap() - front).abs().max((ring.side.unwrap() - side).abs());
        // Whole thicknesses. The surface above is the claim; rings of the template that hold a girth are fitted without holding it,
        // and their neighbours take up what the relief then changes.
        let most = 3e-3;
        assert!(off < most, "{name}: {off}");
    }
}

#[test]
fn a_fit_stops_when_told_to() {
    let template = Template::human();
    let target = mesh_of(&template, &Design { scale: 1.01, ..Design::default() });
    let stop = |_: &Step<'_>| ControlFlow::Break(());
    let result = fit(&template, &target, &own_joints(&template), &quick(), &Progress::new(&stop));
    assert_eq!(result.unwrap_err(), FitError::Interrupted(Interrupted));
}

#[test]
fn joints_must_be_those_of_the_mesh() {
    let template = Template::human();
    let target = mesh_of(&template, &Design::default());
    let tries = |change: fn(&mut TargetJoints)| {
        let mut joints = own_joints(&template);
        change(&mut joints);
        fit(&template, &target, &joints, &quick(), &Progress::none()).unwrap_err()
    };
    let missing = tries(|joints| _ = joints.joints.remove("elbow"));
    assert_eq!(missing, FitError::MissingJoint { joint: "elbow.left".to_owned() });
    let nan = tries(|joints| _ = joints.joints.insert("neck".to_owned(), DVec3::splat(f64::NAN).into()));
    assert_eq!(nan, FitError::MissingJoint { joint: "neck".to_owned() });
    let centimetres =
        tries(|joints| _ = joints.joints.insert("knee".to_owned(), DVec3::new(12.0, 49.0, 0.5).into()));
    assert!(matches!(centimetres, FitError::JointOutside { joint, .. } if joint == "knee"));
}
