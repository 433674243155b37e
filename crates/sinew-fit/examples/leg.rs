//! Fits helpers to a folder of example poses and prints a table of errors and times.
//!
//! `cargo run --release -p sinew-fit --example leg -- FOLDER [HELPERS]`
//!
//! The folder holds `rest.npy`, `faces.npy`, `bone_rel.npy` (skinning matrices), `bone_local_quat.npy` (w, x, y, z) and `verts.npy`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use sinew_fit::{Examples, HelperSettings, fit_helpers};

#[path = "../tests/support/npy.rs"]
mod npy;

/// A benchmark in memory.
pub struct Leg {
    rest: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    driver_count: usize,
    matrices: Vec<DAffine3>,
    rotations: Vec<DQuat>,
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
            rotations: (read("bone_local_quat.npy")?.values.as_chunks::<4>().0)
                .iter()
                .map(|&[w, x, y, z]| DQuat::from_xyzw(x, y, z, w))
                .collect(),
            targets: places(read("verts.npy")?),
        })
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
    let folder = arguments.next().ok_or("usage: leg FOLDER [HELPERS]")?;
    let helper_count =
        arguments.next().map_or(Ok(4), |text| text.parse()).map_err(|_| "HELPERS is a number")?;
    let leg = Leg::read(Path::new(&folder))?;
    let settings = HelperSettings { helper_count, ..HelperSettings::default() };
    let (begin, cpu) = (Instant::now(), cpu_secs());
    let mut progress = |progress: &sinew_fit::Progress| {
        println!(
            "{:?} {}/{}: {:.4} {:.1}",
            progress.stage,
            progress.step,
            progress.step_count,
            progress.rms_error,
            begin.elapsed().as_secs_f64()
        );
        ControlFlow::Continue(())
    };
    let fit = fit_helpers(&leg.examples(), &settings, &mut progress).map_err(|error| error.to_string())?;
    println!(
        "H={} rms {:.4} largest {:.2}; {:.1} s, {:.1} s on processors {}",
        fit.helper_count,
        fit.errors.rms,
        fit.errors.largest,
        begin.elapsed().as_secs_f64(),
        cpu_secs() - cpu,
        leg.rotations.len()
    );
    Ok(())
}
