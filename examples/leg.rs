//! Fits helpers to a folder of example poses and prints a table of errors and times.
//!
//! `cargo run --release -p sinew-examples --example leg -- FOLDER HELPERS [FOLDER_OF_OTHER_POSES]`
//!
//! The folder holds `rest.npy`, `faces.npy`, `bone_rel.npy` (skinning matrices), `bone_local_quat.npy` (w, x, y, z) and `verts.npy`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Quat, Vec3};
use sinew_fit::{
    BasisKind, ControllerSettings, Controllers, Examples, HelperRig, HelperSettings, Penalty,
    controller_errors, fit_controllers, fit_helpers,
};
use sinew_geometry::progress::{Progress, Step, one_at_a_time};
use sinew_rig::DriverChange;

#[path = "../crates/sinew-fit/tests/it/support/npy.rs"]
mod npy;

/// A benchmark in memory.
struct Leg {
    rest: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    driver_count: usize,
    matrices: Vec<DAffine3>,
    changes: Vec<DriverChange>,
    targets: Vec<Vec3>,
}

impl Leg {
    fn read(folder: &Path) -> Result<Self, String> {
        let read = |name: &str| npy::read(&folder.join(name));
        let places = |array: npy::Array| -> Vec<Vec3> {
            array.values.as_chunks::<3>().0.iter().map(|p| DVec3::from_array(*p).as_vec3()).collect()
        };
        let matrices = read("bone_rel.npy")?;
        let affine = |m: &[f64; 16]| {
            let row = |at: usize| DVec3::new(m[4 * at], m[4 * at + 1], m[4 * at + 2]);
            let matrix3 = DMat3::from_cols(row(0), row(1), row(2)).transpose();
            DAffine3 { matrix3, translation: DVec3::new(m[3], m[7], m[11]) }
        };
        let triangle = |corners: &[f64; 3]| corners.map(|corner| corner as u32);
        Ok(Self {
            rest: places(read("rest.npy")?),
            triangles: read("faces.npy")?.values.as_chunks::<3>().0.iter().map(triangle).collect(),
            driver_count: matrices.shape[1],
            matrices: matrices.values.as_chunks::<16>().0.iter().map(affine).collect(),
            changes: (read("bone_local_quat.npy")?.values.as_chunks::<4>().0)
                .iter()
                .map(|&[w, x, y, z]| DQuat::from_xyzw(x, y, z, w).into())
                .collect(),
            targets: places(read("verts.npy")?),
        })
    }

    /// Time of all controllers, on one core.
    fn nanoseconds_a_frame(&self, controllers: &Controllers) -> Result<f64, String> {
        let rig = HelperRig::new(controllers).map_err(|error| error.to_string())?;
        let rotations: Vec<Quat> = self.changes.iter().map(|change| change.rotation.as_quat()).collect();
        let narrow =
            |m: &DAffine3| Affine3A::from_mat3_translation(m.matrix3.as_mat3(), m.translation.as_vec3());
        let drivers: Vec<Affine3A> = self.matrices.iter().map(narrow).collect();
        let (mut workspace, mut posed) = (rig.workspace(), vec![Affine3A::IDENTITY; rig.helper_count()]);
        // The best of several runs, because the machine does other things too; each long enough that reading the clock, which can take
        // tens of microseconds, does not count.
        const RUN: usize = 2000;
        let mut best = f64::INFINITY;
        let runs = rotations.chunks(RUN * self.driver_count).zip(drivers.chunks(RUN * self.driver_count));
        for (rotations, drivers) in runs {
            let begin = Instant::now();
            let poses = rotations.chunks(self.driver_count).zip(drivers.chunks(self.driver_count));
            let count = poses.len();
            for (rotations, drivers) in poses {
                rig.pose(rotations, drivers, &mut workspace, std::hint::black_box(&mut posed));
            }
            best = best.min(begin.elapsed().as_nanos() as f64 / count as f64);
        }
        Ok(best)
    }

    fn examples(&self) -> Examples<'_> {
        Examples {
            rest_positions: &self.rest,
            triangles: &self.triangles,
            driver_count: self.driver_count,
            driver_posed_from_rest: &self.matrices,
            target_positions: &self.targets,
        }
    }
}

/// Seconds on processors, all threads together, where the system tells.
fn cpu_secs() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2).filter_map(|part| part.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: leg FOLDER HELPERS [FOLDER_OF_OTHER_POSES]";
    let leg = Leg::read(Path::new(&arguments.next().ok_or(usage)?))?;
    let helper_count = arguments.next().and_then(|text| text.parse().ok()).ok_or(usage)?;
    let others = arguments.next().map(|folder| Leg::read(Path::new(&folder))).transpose()?;
    let settings = HelperSettings { helper_count, ..HelperSettings::default() };
    let (begin, cpu) = (Instant::now(), cpu_secs());
    let mut full_cpu = (0, 0.0, 0.0);
    let progress = one_at_a_time(|step: &Step<'_>| {
        match step.stage {
            "full" if step.done == 0 => full_cpu = (0, cpu_secs(), 0.0),
            "full" => full_cpu = (step.done, full_cpu.1, cpu_secs() - full_cpu.1),
            _ => (),
        }
        eprint!(
            "\r{} {}/{}: {:.4}   ",
            step.stage,
            step.done,
            step.total,
            step.residual.unwrap_or(f64::INFINITY)
        );
        ControlFlow::Continue(())
    });
    let fit = fit_helpers(&leg.examples(), &settings, &Progress::new(&progress))
        .map_err(|error| error.to_string())?;
    drop(progress);
    let (wall, busy) = (begin.elapsed().as_secs_f64(), cpu_secs() - cpu);
    println!("\nhelpers {}: RMS {:.4}, largest {:.2}", fit.helper_count, fit.errors.rms, fit.errors.largest);
    println!(
        "  {wall:.1} s, {busy:.1} s on processors; {} sweeps on all poses {:.2} s",
        full_cpu.0, full_cpu.2
    );
    println!(
        "{:28} {:>6} {:>10} {:>8} {:>9} {:>7} {:>8}",
        "controllers", "coeff.", "regression", "refitted", "held out", "CPU s", "ns/frame"
    );
    let polynomial = |degree: usize, across_drivers: bool| BasisKind::Polynomial { degree, across_drivers };
    let lambda = |lambda: f64| Penalty::PerPose(lambda / 6750.0);
    let kinds = [
        ("degree 1", polynomial(1, true), lambda(0.0)),
        ("degree 2 within drivers", polynomial(2, false), lambda(0.0)),
        ("degree 2", polynomial(2, true), lambda(0.0)),
        ("degree 2, λ = 10", polynomial(2, true), lambda(10.0)),
        ("degree 2, 304 coefficients", polynomial(2, true), Penalty::Coefficients(76 * helper_count)),
        ("degree 2, λ by held-out", polynomial(2, true), Penalty::Auto),
        ("degree 3", polynomial(3, true), lambda(0.0)),
        ("degree 3, λ = 10", polynomial(3, true), lambda(10.0)),
        ("radial, 15", BasisKind::Radial { centers: 15 }, lambda(0.0)),
        ("radial, 50", BasisKind::Radial { centers: 50 }, lambda(0.0)),
    ];
    for (name, basis, penalty) in kinds {
        let cpu = cpu_secs();
        let controller_settings = ControllerSettings { basis, penalty, ..ControllerSettings::default() };
        let found = fit_controllers(&leg.examples(), &leg.changes, &fit, &settings, &controller_settings)
            .map_err(|error| error.to_string())?;
        let held_out = others.as_ref().map_or(f64::NAN, |other| {
            controller_errors(&other.examples(), &other.changes, &found.weights, &found.controllers).rms
        });
        let count = found.controllers.coefficient_count();
        let (regression, refitted, busy) = (found.regression_rms, found.errors.rms, cpu_secs() - cpu);
        let nanoseconds = leg.nanoseconds_a_frame(&found.controllers)?;
        println!(
            "{name:28} {count:6} {regression:10.4} {refitted:8.4} {held_out:9.4} {busy:7.1} {nanoseconds:8.0}"
        );
    }
    Ok(())
}
