//! Read a model, cut its influences to four a vertex, write it back; everything else in the file stays as it was.
//!
//! Run: `cargo run --release -p sinew-examples --example 02_read_edit_write -- in.glb out.glb`
//! Without arguments it makes its own input in the temporary folder.

use sinew::io::{Limits, Report};
use sinew::model::Model;
use sinew::rig::{Character, samples};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let (input, output) = match (arguments.next(), arguments.next()) {
        (Some(input), Some(output)) => (input, output),
        _ => {
            let folder = std::env::temp_dir();
            let input = folder.join("sinew-example-in.glb");
            Model::new(samples::limb(16, 16)).save(&input, &mut Report::default())?;
            (input, folder.join("sinew-example-out.glb"))
        }
    };

    let mut report = Report::default();
    let mut model = Model::open(&input, &Limits::default(), &mut report)?;
    let mut parts = model.character.into_parts();
    for mesh in &mut parts.meshes {
        let (influences, cut) = mesh.influences.cut_to(4);
        eprintln!("{}: {} vertices changed", mesh.name, cut.changed_vertices);
        mesh.influences = influences;
    }
    model.character = Character::new(parts)?;
    model.save(&output, &mut report)?;
    for warning in report.warnings() {
        eprintln!("warning: {warning}");
    }
    Ok(())
}
