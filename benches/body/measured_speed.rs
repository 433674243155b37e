//! How long it takes from measures to a body.
//!
//! `cargo run --release --manifest-path benches/Cargo.toml --example measured_speed`

use sinew_body::shapes::{ShapeMaker, USUAL_AGE, Wanted};
use sinew_body::survey::{Measure, Sex, complete};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let maker = ShapeMaker::human();
    let mut all = Vec::new();
    for (sex, stature, weight) in [
        (Sex::Male, 1.756, 85.5),
        (Sex::Female, 1.629, 67.8),
        (Sex::Female, 1.72, 68.0),
        (Sex::Male, 1.9, 80.0),
        (Sex::Male, 1.65, 90.0),
    ] {
        let given = vec![(Measure::Stature, stature), (Measure::Weight, weight)];
        let person = complete(sex, &given).map_err(|errors| errors[0].clone())?;
        let wanted = Wanted { given, ..Wanted::usual(sex, USUAL_AGE, |measure| Some(person.value(measure))) };
        // The first body of a kind also finds its slopes.
        let start = Instant::now();
        maker.make(&wanted)?;
        let first = start.elapsed();
        let mut times = Vec::new();
        for _ in 0..9 {
            let start = Instant::now();
            maker.make(&wanted)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        all.push(times[4]);
        eprintln!(
            "{sex:?} {stature} m {weight} kg: first {:.0} ms, median {:.1} ms, best {:.1} ms",
            first.as_secs_f64() * 1e3,
            times[4],
            times[0]
        );
    }
    all.sort_by(f64::total_cmp);
    eprintln!("median of all {:.1} ms", all[all.len() / 2]);
    Ok(())
}
