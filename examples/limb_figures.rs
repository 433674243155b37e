//! Volume and smoothness of a bent and of a twisted tube, before and after the volume is held, and how long it takes.
//!
//! Run with `cargo run --release -p sinew-examples --example limb_figures`.
#![expect(clippy::print_stdout, reason = "an example that prints its measurements")]

use glam::{DVec2, DVec3};
use sinew_body::Tube;
use sinew_body::limb::{BendSettings, Joint, TwistAxis, TwistSpread, bend, hold_volume, twist};
use sinew_body::quadrature::PatchRule;
use sinew_body::ring::{Ring, RingFrame};
use sinew_body::tube::{BayShape, Station};
use std::time::Instant;

fn main() {
    let rule = PatchRule::tensor(6);
    let rest = tube(2, 0.5, DVec2::splat(0.05));
    let volume = rest.volume(&rule);
    let joint =
        Joint { center: DVec3::X * 0.25, axis: DVec3::NEG_Y, bone_before: DVec3::X, bone_beyond: DVec3::X };
    println!("bend  volume  ring jump  seam jump  held by  time");
    for deg in [15.0, 45.0, 90.0, 110.0, 130.0, 145.0f64] {
        let mut posed = rest.clone();
        bend(&mut posed, 1, &joint, deg.to_radians(), &BendSettings::default());
        let ratio = posed.volume(&rule) / volume;
        let (ring, seam) = (posed.worst_ring(41).jump_deg, posed.worst_seam(41).jump_deg);
        let start = Instant::now();
        let factor = hold_volume(&mut posed, 0..2, volume, &rule);
        let micros = start.elapsed().as_secs_f64() * 1e6;
        println!("{deg:4}°  {ratio:.4}  {ring:8.1e}°  {seam:8.1e}°  {factor:.4}  {micros:.0} µs");
    }
    println!("twist  spread  bays  volume  ring jump");
    for deg in [90.0, 180.0f64] {
        for spread in [TwistSpread::Even, TwistSpread::Smooth] {
            for bays in [1, 2, 4] {
                let rest = tube(bays + 2, 0.1 * (bays + 2) as f64, DVec2::new(0.05, 0.03));
                let axis = TwistAxis { origin: DVec3::ZERO, direction: DVec3::X };
                let mut posed = rest.clone();
                twist(&mut posed, 1..bays + 1, &axis, deg.to_radians(), spread);
                let bay_volume = |tube: &Tube| tube.bay_volume(&rule, 1..bays + 1);
                let ratio = bay_volume(&posed) / bay_volume(&rest);
                println!("{deg:4}°  {spread:?}  {bays}  {ratio:.4}  {:.1e}°", posed.worst_ring(41).jump_deg);
            }
        }
    }
}

/// A straight tube along X.
fn tube(bays: usize, length: f64, radii: DVec2) -> Tube {
    let station = |k: usize| {
        let center = DVec3::X * (length * k as f64 / bays as f64);
        Station::straight(Ring::new(RingFrame::new(center, DVec3::X, DVec3::Y), radii))
    };
    let stations: Vec<Station> = (0..=bays).map(station).collect();
    Tube::from_stations(4, &stations, &vec![BayShape::default(); bays])
}
