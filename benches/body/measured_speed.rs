//! How long it takes from measures to a body.
//!
//! `cargo run --release --manifest-path benches/Cargo.toml --example measured_speed`

use sinew_body::Template;
use sinew_body::measured::{Base, Maker, Readings};
use sinew_body::survey::{Measure, Population, Sex, complete};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let makers = [Sex::Female, Sex::Male].map(|sex| {
        let start = Instant::now();
        let template = Template::human();
        let base = Base::of(&template, sex);
        for measure in Measure::all() {
            let (shown, mean) = (base.person().value(measure), Population::of(sex).mean(measure));
            eprintln!("  {measure} of the base {shown:.3}, mean {mean:.3}");
        }
        let maker = Maker::new(template, base);
        eprintln!("{sex:?}: base and maker in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        maker
    });
    for (sex, stature, weight) in [
        (Sex::Male, 1.756, 85.5),
        (Sex::Female, 1.629, 67.8),
        (Sex::Female, 1.72, 68.0),
        (Sex::Male, 1.9, 80.0),
        (Sex::Male, 1.65, 90.0),
    ] {
        let given = [(Measure::Stature, stature), (Measure::Weight, weight)];
        let person = complete(sex, &given).map_err(|errors| errors[0].clone())?;
        let mut times = Vec::new();
        for _ in 0..9 {
            let start = Instant::now();
            let made = makers[usize::from(sex == Sex::Male)].make(&person)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
            if times.len() == 1 {
                eprintln!("{:?}", made.notes);
                for (measure, found) in &Readings::of(&made.body, &person).measures {
                    let asked = person.value(*measure);
                    eprintln!("  {measure} {asked:.4} {found:.4} {:+.4}", found - asked);
                }
            }
        }
        times.sort_by(f64::total_cmp);
        eprintln!("{sex:?} {stature} m {weight} kg: median {:.1} ms, best {:.1} ms", times[4], times[0]);
    }
    Ok(())
}
