//! Fits the head's net of patches to meshes of one vertex order, and writes the data that ships.
//!
//! ```text
//! cargo run --release -p sinew-body --features make-shapes --example make_head -- FOLDER crates/sinew-body [PICTURES]
//! ```
//! FOLDER holds `shapes.npz`, `expressions.npz`, `regions.json` and `head-layout.json`. Meshes of a few heads, fitted and as they are, go to PICTURES.

#![expect(clippy::print_stderr, reason = "a program that reports")]

mod data;
mod expressions;
mod heads;
mod layout;
#[path = "../make_shapes/npz.rs"]
mod npz;
mod obj;
mod pairing;
mod prices;
mod report;
mod unknown;

use data::{Bodies, Failure, Regions, Source};
use glam::DVec3;
use heads::Heads;
use pairing::{Pairing, groups};
use sinew_body::head::{HeadBasis, HeadModes};
use sinew_body::patchwork::{Layout, Patchwork};
use sinew_body::shapes::ShapeBasis;

/// Rounds of moving places on the average.
const ROUNDS: usize = 4;
/// Modes of faces alone that ship.
const OWN_MODES: usize = 12;
/// Heads to look at.
const SHOWN: [&str; 5] = ["male-25", "female-25", "male-8", "male-80-muscle0-weight1", "male-1"];

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out, rest @ ..] = arguments.as_slice() else {
        return Err("use: make_head FOLDER OUT [PICTURES]".into());
    };
    let mut source = Source::read(&format!("{folder}/head-layout.json"))?;
    let bodies = Bodies::read(&format!("{folder}/shapes.npz"))?;
    let regions = Regions::read(&format!("{folder}/regions.json"))?;
    for ear in ["left_ear", "right_ear"] {
        source.name_hollows(regions.regions.get(ear).ok_or("no ears")?);
    }
    let average = bodies.average();
    let text = layout::write(&source, &average);
    let net = Patchwork::new(&Layout::parse(&text)?)?;
    eprintln!("{} slots, {} patches, {} bytes", net.slot_count(), net.patch_count(), text.len());
    std::fs::write(format!("{out}/data/head-layout.txt"), &text)?;

    let prices = prices::prices(&net, &source);
    let mut pairing = Pairing::new(&net, &source, &bodies)?;
    let parts = groups(&pairing, &bodies, &regions);
    let weights = prices::weights(&parts, pairing.vertices.len());
    let mean = pairing.settle(&net, &weights, (&prices, &average), ROUNDS)?;
    let reference = net.patches(&mean);
    report::turned_faces(&net, &source, &reference);
    let heads = Heads::new(&net, &pairing, mean, (&average, &weights), &prices)?;
    let all: Vec<Vec<DVec3>> =
        bodies.vertices.iter().map(|vertices| heads.fit(&net, &pairing.targets(vertices))).collect();
    let about = (&bodies, &pairing, &parts);
    report::all_bodies(&net, about, |body| all[body].clone());
    report::left_out(&net, about, (&average, &weights), (&prices, &reference))?;
    let units = expressions::report(&format!("{folder}/expressions.npz"), &net, (&bodies, &pairing, &heads))?;
    let basis = ShapeBasis::human();
    let train: Vec<usize> = (0..bodies.names.len()).filter(|&body| !bodies.is_test[body]).collect();
    let kept: Vec<Vec<DVec3>> = train.iter().map(|&body| all[body].clone()).collect();
    let modes = HeadModes::of(basis, &net, &kept, &pairing.places, OWN_MODES);
    for count in [0, 8, OWN_MODES] {
        let heads = (0..train.len()).map(|body| (train[body], modes.head(basis, &net, body, count)));
        report::modes(&net, about, count, heads.collect());
    }
    let bytes = HeadBasis::write(&net, &modes);
    std::fs::write(format!("{out}/data/heads.bin"), &bytes)?;
    unknown::report(&HeadBasis::read(&Layout::parse(&text)?, &bytes)?, about);
    if let Some(pictures) = rest.first() {
        for name in SHOWN {
            let Some(body) = bodies.find(name) else { continue };
            for unit in units.iter().filter(|unit| unit.subject == name) {
                let sum: Vec<DVec3> =
                    all[body].iter().zip(&unit.slots).map(|(slot, by)| *slot + *by).collect();
                let path = format!("{pictures}/{name}-{}.obj", unit.name);
                std::fs::write(path, obj::patches(&net.patches(&sum), &bodies.eyes[body]))?;
            }
            let fitted = obj::patches(&net.patches(&all[body]), &bodies.eyes[body]);
            std::fs::write(format!("{pictures}/{name}.obj"), fitted)?;
            let mesh = obj::mesh(&bodies, body, &pairing.vertices);
            std::fs::write(format!("{pictures}/{name}-mesh.obj"), mesh)?;
        }
    }
    Ok(())
}
