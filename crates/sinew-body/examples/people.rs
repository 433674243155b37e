//! Makes random people and reports how well measures are met and surfaces hold.
//!
//! `cargo run --release -p sinew-body --example people -- [COUNT]`

#![expect(clippy::print_stdout, reason = "an example that prints its measurement")]

use sinew_body::shapes::{Build, ShapeMaker, Wanted, random_person};
use sinew_body::survey::{Measure, Population};
use sinew_geometry::Random;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = std::env::args().nth(1).map_or(Ok(300), |word| word.parse())?;
    let maker = ShapeMaker::human();
    if let Some(folder) = std::env::args().nth(2) {
        write_builds(&maker, &folder)?;
    }
    let (mut jump, mut gap, mut open, mut euler, mut mass_off) = (0.0f64, 0.0f64, 0, 0, 0);
    let (mut lowest, mut seconds) = (0.0f64, Vec::new());
    for seed in 0..count as u64 {
        let (sex, wanted) = random_person(&mut Random::new(seed), None, None);
        let start = cpu_seconds();
        let made = maker.make(&wanted)?;
        seconds.push(cpu_seconds() - start);
        let check = made.body.check(7);
        jump = jump.max(check.jump_deg);
        gap = gap.max(check.gap_m);
        open += check.open_wire_count;
        euler += usize::from(check.euler_characteristic != 2);
        let folds: Vec<String> = made
            .body
            .folds()
            .into_iter()
            .filter(|fold| fold.group != "head")
            .map(|fold| fold.name())
            .collect();
        if !folds.is_empty() {
            println!(
                "{seed} {sex:?} {:.0} years, {:?} modes {:?}: {folds:?}",
                wanted.build.years, wanted.given, wanted.modes
            );
        }
        let asked = wanted.given[1].1;
        let found = made.reading(Measure::Weight).unwrap_or_default();
        let low = made.body.tessellate(4).positions.iter().fold(f64::MAX, |low, at| low.min(at.y));
        lowest = lowest.max(low.abs());
        if (found / asked - 1.0).abs() > 0.01 {
            mass_off += 1;
            println!(
                "{seed} {sex:?} {:.0} years, {:.2} m: {found:.1} for {asked:.1} kg, {} steps, {:.1} deviations",
                wanted.build.years, wanted.stature_m, made.steps, made.distance
            );
        }
    }
    println!(
        "{count} people of 2 to 80 years: jump {jump:.1e}°, gap {gap:.1e} m, {open} open, {euler} with another Euler number"
    );
    println!(
        "{mass_off} with another mass; sole {:.2} mm; {:.1} ms on one thread, the mean",
        1e3 * lowest,
        1e3 * mean(&mut seconds)
    );
    measures(&maker, count)
}

/// Time that this thread has had on a processor, s: on a busy machine, others' work does not count. Where the system does not say, the time of
/// day. Of one person it may be off by a tick of some ms, so that only sums of many say something.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let own = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    let of_day = || {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0.0, |time| time.as_secs_f64())
    };
    own.map_or_else(of_day, |nanoseconds| 1e-9 * nanoseconds)
}

/// The mean without the highest twentieth: the first bodies of a kind find slopes for all.
fn mean(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let usual = &values[..values.len() - values.len().div_ceil(20)];
    usual.iter().sum::<f64>() / usual.len() as f64
}

/// Writes designs of builds to look at.
fn write_builds(maker: &ShapeMaker, folder: &str) -> Result<(), Box<dyn std::error::Error>> {
    for (name, male, years, muscle, stature, weight) in [
        ("child4", 1.0, 4.0, 0.0, 1.02, 16.5),
        ("girl12", 0.0, 12.0, 0.0, 1.5, 41.0),
        ("man80", 1.0, 80.0, 0.0, 1.70, 75.0),
        ("woman110", 0.0, 40.0, 0.0, 1.65, 110.0),
        ("builder", 1.0, 30.0, 1.0, 1.78, 100.0),
        ("runner", 1.0, 28.0, 0.0, 1.75, 56.0),
    ] {
        let build = Build { male, years, muscle, fat: 0.0, shape: 0.0 };
        let given = vec![(Measure::Stature, stature), (Measure::Weight, weight)];
        let made = maker.make(&Wanted {
            build,
            stature_m: stature,
            given,
            wished: Vec::new(),
            modes: Vec::new(),
            face: Vec::new(),
        })?;
        println!(
            "{name}: {} steps, {:.1} deviations, {:?}",
            made.steps,
            made.distance,
            made.reading(Measure::Weight)
        );
        std::fs::write(format!("{folder}/{name}.toml"), made.design.to_toml())?;
    }
    Ok(())
}

/// Five random measures of people drawn from the survey.
fn measures(maker: &ShapeMaker, count: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut seconds = Vec::new();
    let (mut met, mut all, mut refused) = (0, 0, 0);
    let mut missed = std::collections::BTreeMap::<&str, usize>::new();
    let mut folded = 0;
    for seed in 0..count as u64 {
        let mut random = Random::new(1000 + seed);
        let years = 20.0 + 35.0 * random.unit();
        let (sex, _) = random_person(&mut random, None, Some(years));
        let population = Population::of(sex);
        let mut list = population.draw(|| (0..12).map(|_| random.unit()).sum::<f64>() - 6.0);
        list.retain(|(measure, _)| *measure != Measure::Age);
        let mut given = Vec::new();
        while given.len() < 5 {
            let place = (random.unit() * list.len() as f64) as usize % list.len();
            given.push(list.remove(place));
        }
        let Ok(person) = population.complete(&given) else {
            refused += 1;
            continue;
        };
        let wanted = Wanted { given, ..Wanted::usual(sex, years, |measure| Some(person.value(measure))) };
        let start = cpu_seconds();
        let made = maker.make(&wanted)?;
        seconds.push(cpu_seconds() - start);
        let read = made.all_readings();
        let is_hand_or_head =
            |name: &str| ["head", "hand", "palm", "neck"].iter().any(|part| name.contains(part));
        let folds: Vec<String> = made
            .body
            .folds()
            .into_iter()
            .map(|fold| fold.patch)
            .filter(|name| !is_hand_or_head(name))
            .collect();
        if !folds.is_empty() {
            println!("{seed} {sex:?} {:?} {:.1} deviations {folds:?}", wanted.given, made.distance);
            folded += 1;
        }
        for &(measure, asked) in &wanted.given {
            let found = read.iter().find(|(found, _)| *found == measure).map_or(0.0, |found| found.1);
            let is_met = (measure != Measure::Weight && (found - asked).abs() <= 0.002)
                || (found / asked - 1.0).abs() <= 0.01;
            met += usize::from(is_met);
            all += 1;
            if !is_met {
                *missed.entry(measure.name()).or_default() += 1;
            }
        }
    }
    println!(
        "five random measures: {met} of {all} met, {refused} people refused, {:.1} ms on one thread, the mean, missed {missed:?}",
        1e3 * mean(&mut seconds)
    );
    println!("{folded} fold, heads and hands aside");
    Ok(())
}
