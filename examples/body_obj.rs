//! Writes a body as Wavefront OBJ, for looking at it.
//!
//! `cargo run --release -p sinew-examples --example body_obj -- OUT.obj [STEPS] [DESIGN.toml | quadruped]`

use sinew_body::tapes::read_all;
use sinew_body::{Design, Template, build};
use std::fmt::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a file to write")?;
    let steps = arguments.next().map_or(Ok(8), |steps| steps.parse())?;
    let (template, design) = match arguments.next().as_deref() {
        Some("quadruped") => (Template::quadruped(), Design::default()),
        Some(path) => (Template::human(), Design::parse(&std::fs::read_to_string(path)?)?),
        None => (Template::human(), Design::default()),
    };
    let start = std::time::Instant::now();
    let body = build(&template, &design)?;
    eprintln!("built in {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    eprintln!("{:?}", body.check(9));
    for reading in read_all(&body) {
        eprintln!("{} {:.4} {}", reading.measure, reading.value, reading.measure.unit());
    }
    eprintln!(
        "{} patches, {:.2} L, {:.3} m2, {:.4} m tall",
        body.patches.len(),
        1e3 * body.volume(),
        body.area(),
        body.stature()
    );
    let mesh = body.tessellate(steps);
    let mut text = String::new();
    for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
        writeln!(text, "v {:.6} {:.6} {:.6}", position.x, position.y, position.z)?;
        writeln!(text, "vn {:.5} {:.5} {:.5}", normal.x, normal.y, normal.z)?;
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| vertex + 1);
        writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    std::fs::write(path, text)?;
    Ok(())
}
