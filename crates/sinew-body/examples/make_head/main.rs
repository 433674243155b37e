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
mod pairing;

use data::{Bodies, Failure, Regions, Source};
use glam::DVec3;
use pairing::{GROUPS, Pairing, groups, rms};
use sinew_body::patchwork::fit::{PatchworkFit, Prices};
use sinew_body::patchwork::{Layout, Patchwork};

/// Rounds of moving places on the average.
const ROUNDS: usize = 4;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out, rest @ ..] = arguments.as_slice() else {
        return Err("use: make_head FOLDER OUT".into());
    };
    let source = Source::read(&format!("{folder}/head-layout.json"))?;
    let bodies = Bodies::read(&format!("{folder}/shapes.npz"))?;
    let regions = Regions::read(&format!("{folder}/regions.json"))?;
    let man = bodies.names.iter().position(|name| name == "male-25").ok_or("no male-25")?;
    let text = layout::write(&source, &bodies.vertices[man]);
    let net = Patchwork::new(&Layout::parse(&text)?)?;
    eprintln!("{} slots, {} patches, {} bytes", net.slot_count(), net.patch_count(), text.len());
    std::fs::write(format!("{out}/data/head-layout.txt"), text)?;

    let number = |k: usize| rest.get(k).and_then(|word: &String| word.parse().ok());
    let defaults = Prices::default();
    let prices = Prices {
        third: number(0).unwrap_or(defaults.third),
        second: number(1).unwrap_or(defaults.second),
        plate: number(2).unwrap_or(defaults.plate),
        jump: number(3).unwrap_or(defaults.jump),
    };
    let average = average(&bodies);
    let mut pairing = Pairing::new(&net, &source, &bodies)?;
    let weights = vec![1.0; pairing.vertices.len()];
    let start = std::time::Instant::now();
    let mean = pairing.settle(&net, &weights, (&prices, &average), ROUNDS)?;
    eprintln!("settled in {:.1} s", start.elapsed().as_secs_f64());
    let reference = net.patches(&mean);
    let fit = PatchworkFit::new(&net, (&pairing.places, &weights), &prices, &reference)?;
    let parts = groups(&pairing, &bodies, &regions);
    report(&net, &bodies, &pairing, &parts, |targets| fit.fit(targets));
    left_out(&net, &bodies, &pairing, &parts, &prices)?;
    Ok(())
}

/// The mean of the bodies to fit, symmetric.
fn average(bodies: &Bodies) -> Vec<DVec3> {
    let kept: Vec<&Vec<DVec3>> = bodies
        .vertices
        .iter()
        .zip(&bodies.is_test)
        .filter(|(_, is_test)| !**is_test)
        .map(|(all, _)| all)
        .collect();
    let mean: Vec<DVec3> = (0..bodies.mirror.len())
        .map(|at| kept.iter().map(|all| all[at]).sum::<DVec3>() / kept.len() as f64)
        .collect();
    let flip = DVec3::new(-1.0, 1.0, 1.0);
    mean.iter().zip(&bodies.mirror).map(|(at, &image)| 0.5 * (*at + flip * mean[image])).collect()
}

fn report(
    net: &Patchwork,
    bodies: &Bodies,
    pairing: &Pairing,
    parts: &[Vec<usize>; 4],
    fit: impl Fn(&[DVec3]) -> Vec<DVec3>,
) {
    let mut all: [Vec<(f64, usize)>; 4] = Default::default();
    let (mut gap, mut jump) = (0.0_f64, 0.0_f64);
    for (body, vertices) in bodies.vertices.iter().enumerate() {
        let slots = fit(&pairing.targets(vertices));
        let found = net.check(&net.patches(&slots), 9);
        (gap, jump) = (gap.max(found.gap_m), jump.max(found.jump_deg));
        let distances = pairing.distances(net, &slots, vertices);
        for (list, part) in all.iter_mut().zip(parts) {
            let own: Vec<f64> = part.iter().map(|&index| 1e3 * distances[index]).collect();
            list.push((rms(&own), body));
        }
    }
    for (list, name) in all.iter_mut().zip(GROUPS) {
        let named = |wanted: &str| {
            let body = bodies.names.iter().position(|name| name == wanted);
            list.iter().find(|(_, at)| Some(*at) == body).map_or(f64::NAN, |(value, _)| *value)
        };
        let three = ["male-25", "female-25", "male-8"].map(named);
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        let worst = list[list.len() - 1];
        eprintln!(
            "{name:8}: man {:.3} woman {:.3} boy {:.3}; of {} median {:.3}, worst {:.3} mm ({})",
            three[0],
            three[1],
            three[2],
            list.len(),
            list[list.len() / 2].0,
            worst.0,
            bodies.names[worst.1]
        );
    }
    eprintln!("largest gap {gap:.1e} m, largest jump {jump:.1e}°");
}

/// Fits without every tenth vertex and reports how far those are.
fn left_out(
    net: &Patchwork,
    bodies: &Bodies,
    pairing: &Pairing,
    parts: &[Vec<usize>; 4],
    prices: &Prices,
) -> Result<(), Failure> {
    let is_left_out = |index: usize| (index * 7919 + 13) % 1009 < 101;
    let weights: Vec<f64> =
        (0..pairing.vertices.len()).map(|index| f64::from(u8::from(!is_left_out(index)))).collect();
    let average = average(bodies);
    let all = PatchworkFit::new(net, (&pairing.places, &weights), &Prices { plate: 0.0, ..*prices }, &[])?;
    let reference = net.patches(&all.fit(&pairing.targets(&average)));
    let fit = PatchworkFit::new(net, (&pairing.places, &weights), prices, &reference)?;
    for body in ["male-25", "female-25", "male-8"] {
        let Some(body) = bodies.names.iter().position(|name| name == body) else { continue };
        let slots = fit.fit(&pairing.targets(&bodies.vertices[body]));
        let distances = pairing.distances(net, &slots, &bodies.vertices[body]);
        let figures: Vec<String> = parts
            .iter()
            .zip(GROUPS)
            .map(|(part, name)| {
                let own: Vec<f64> =
                    part.iter().filter(|&&at| is_left_out(at)).map(|&at| 1e3 * distances[at]).collect();
                format!("{name} {:.3}", rms(&own))
            })
            .collect();
        eprintln!("left out, {}: {} mm", bodies.names[body], figures.join(", "));
    }
    Ok(())
}
