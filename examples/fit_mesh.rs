//! Fits a body to an OBJ mesh with joints, and writes its design, its mesh and where it is off.
//!
//! `cargo run --release -p sinew-examples --example fit_mesh -- MESH.obj JOINTS.json EXCLUDED.txt OUT [START.toml [COARSE FINE]]`
//!
//! writes `OUT.toml`, `OUT.obj`, and `OUT-residuals.txt` with vertex, position and signed distance. EXCLUDED lists vertices from zero.

use glam::DVec3;
use sinew_body::fit::{FitSettings, TargetJoints, TargetMesh, fit};
use sinew_body::{Design, Template};
use sinew_geometry::progress::{Progress, Step};
use std::fmt::Write;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mesh, joints, excluded, out, rest @ ..] = &arguments[..] else {
        return Err("give MESH.obj JOINTS.json EXCLUDED.txt OUT [START.toml [COARSE FINE]]".into());
    };
    let excluded: Vec<usize> =
        std::fs::read_to_string(excluded)?.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let (positions, triangles) = read_obj(&std::fs::read_to_string(mesh)?)?;
    let target = TargetMesh::new(positions, triangles, &excluded)?;
    let joints = TargetJoints::from_json(&std::fs::read_to_string(joints)?)?;
    let mut settings = FitSettings::default();
    if let Some(start) = rest.first() {
        settings.start = Some(Design::parse(&std::fs::read_to_string(start)?)?);
    }
    if let [_, coarse, fine] = rest {
        (settings.coarse_rounds, settings.fine_rounds) = (coarse.parse()?, fine.parse()?);
    }
    let start = std::time::Instant::now();
    let watch = |step: &Step<'_>| {
        let (seconds, mm) = (start.elapsed().as_secs_f64(), 1e3 * step.residual.unwrap_or_default());
        eprintln!("{seconds:6.1} s {} {}/{}: {mm:.2} mm", step.stage, step.done, step.total);
        ControlFlow::Continue(())
    };
    let result = fit(&Template::human(), &target, &joints, &settings, &Progress::new(&watch))?;
    let found = &result.residuals;
    eprintln!(
        "rms {:.2} mm, 95 % {:.2} mm, worst {:.1} mm at {}",
        1e3 * found.rms_m,
        1e3 * found.p95_m,
        1e3 * found.worst.1,
        target.positions()[found.worst.0]
    );
    eprintln!("{:?}, {:.2} L", result.body.check(9), 1e3 * result.body.volume());
    std::fs::write(format!("{out}.toml"), result.design.to_toml())?;
    let mut text = String::new();
    for (vertex, (at, distance)) in target.positions().iter().zip(&found.signed_m).enumerate() {
        let is_out = u8::from(target.is_excluded()[vertex]);
        writeln!(text, "{vertex} {} {} {} {distance:.5} {is_out}", at.x, at.y, at.z)?;
    }
    std::fs::write(format!("{out}-residuals.txt"), text)?;
    let mesh = result.body.tessellate(8);
    let mut text = String::new();
    for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
        writeln!(text, "v {:.6} {:.6} {:.6}", position.x, position.y, position.z)?;
        writeln!(text, "vn {:.5} {:.5} {:.5}", normal.x, normal.y, normal.z)?;
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| vertex + 1);
        writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    std::fs::write(format!("{out}.obj"), text)?;
    Ok(())
}

/// Positions and triangles.
type Mesh = (Vec<DVec3>, Vec<[u32; 3]>);

/// Reads plain OBJ text; polygons become fans.
fn read_obj(text: &str) -> Result<Mesh, Box<dyn std::error::Error>> {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> = words.take(3).map(str::parse).collect::<Result<_, _>>()?;
                positions.push(DVec3::from_slice(&numbers));
            }
            Some("f") => {
                let corner = |word: &str| -> Result<u32, std::num::ParseIntError> {
                    Ok(word.split('/').next().unwrap_or_default().parse::<u32>()? - 1)
                };
                let corners: Vec<u32> = words.map(corner).collect::<Result<_, _>>()?;
                let fan = (2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]);
                triangles.extend(fan);
            }
            _ => {}
        }
    }
    Ok((positions, triangles))
}
