//! Prints how fast flesh moves on this machine: seconds of motion at 60 frames a second, one core and all.
//!
//! Run: `cargo run --release --manifest-path benches/Cargo.toml --example flesh_speed -- [tetrahedra] [rate] [iterations] [alone]`; with `alone` parts of the body do not touch.
#![expect(clippy::print_stdout, reason = "an example that prints")]

use sinew::body::character::CharacterSettings;
use sinew::flesh::{CoveredCharacter, FleshMotion, FleshPreset, FleshRig, FleshRun};
use sinew::geometry::progress::Progress;
use sinew::geometry::{CoverSettings, CoverSize};
use sinew::motion::{GaitSettings, Humanoid, gait_clip};
use sinew::rig::{Character, Clip, guess_humanoid};
use sinew::scene::body::{BodyRequest, make};
use sinew::skin::Method;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let tets = arguments.next().map_or(Ok(5_000), |count| count.parse())?;
    let character = make(&BodyRequest::default())?.body.to_character(&CharacterSettings::default());
    let mut flesh = FleshPreset::Natural.settings();
    if let Some(rate) = arguments.next() {
        flesh.simulation.rate_hz = rate.parse()?;
    }
    if let Some(iterations) = arguments.next() {
        flesh.simulation.iterations = iterations.parse()?;
    }
    flesh.contact.body = arguments.next().is_none_or(|word| word != "alone");
    let size = CoverSize::Count(tets);
    let covered = CoveredCharacter::new(&character, &CoverSettings { size, ..CoverSettings::default() })?;
    let rig = Arc::new(FleshRig::new(covered, &flesh, &[])?);
    let clip = walk(&character)?;
    let run = FleshRun::new(&rig, Method::Lbs);
    let motion = FleshMotion::new(clip, 60.0);
    println!(
        "{} tetrahedra, {} particles, {} Hz x {}",
        rig.covered.cover.mesh.tets().len(),
        rig.anatomy.point_count(),
        flesh.simulation.rate_hz,
        flesh.simulation.iterations
    );
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let began = Instant::now();
        let frames = pool.install(|| run.play(&motion, &Progress::none()))?;
        let secs = began.elapsed().as_secs_f64();
        let farthest = frames.states.iter().map(|state| state.farthest_m).fold(0.0, f32::max);
        let touches = frames.states.iter().map(|state| state.touch_count).max().unwrap_or_default();
        println!(
            "{threads} threads: {:.0} frames a second; flesh goes {:.1} mm, touches in {touches} places",
            frames.states.len() as f64 / secs,
            1e3 * farthest
        );
    }
    Ok(())
}

fn walk(character: &Character) -> Result<Clip, Box<dyn std::error::Error>> {
    let humanoid = Humanoid::new(character, &guess_humanoid(character))?;
    Ok(gait_clip(&humanoid, &GaitSettings { seconds: 4.0, ..GaitSettings::walk() })?)
}
