//! Fits the head's net of patches to meshes of one vertex order, and writes the data that ships.
//!
//! ```text
//! cargo run --release -p sinew-body --example make_head -- FOLDER crates/sinew-body
//! ```
//! FOLDER holds `shapes.npz`, `regions.json` and `head-layout.json`.

#![expect(clippy::print_stderr, reason = "a program that reports")]

mod data;
mod layout;
#[path = "../make_shapes/npz.rs"]
mod npz;

use data::{Bodies, Failure, Source};
use sinew_body::patchwork::{Layout, Patchwork};

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out] = arguments.as_slice() else { return Err("use: make_head FOLDER OUT".into()) };
    let source = Source::read(&format!("{folder}/head-layout.json"))?;
    let bodies = Bodies::read(&format!("{folder}/shapes.npz"))?;
    let man = bodies.names.iter().position(|name| name == "male-25").ok_or("no male-25")?;
    let text = layout::write(&source, &bodies.vertices[man]);
    let net = Patchwork::new(&Layout::parse(&text)?)?;
    eprintln!("{} slots, {} patches, {} bytes", net.slot_count(), net.patch_count(), text.len());
    std::fs::write(format!("{out}/data/head-layout.txt"), text)?;
    Ok(())
}
