//! How many times faster the kernels are than straightforward loops, measured in one go.
//!
//! `cargo run --release --manifest-path benches/Cargo.toml --example bench_ratio -- path/to/naive_skinning [rounds]`
//!
//! The argument is a program that prints `{"lbs": …, "dlb": …, "sdef": …}`: nanoseconds a vertex for 100,000 vertices, 60 bones,
//! 4 influences (SDEF 2), positions and unit normals on one thread. It runs in turn with ours, so that both see the same
//! machine; the median of all rounds counts.

#![expect(clippy::print_stdout, reason = "an example that prints its result")]

use sinew_skin::fast::{Backend, MeasureSettings, MeasuredMethod, Measurement, OutputOrder, measure};
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let naive_path = arguments.next().ok_or("say where the program with the straightforward loops is")?;
    let rounds: usize = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let settings = MeasureSettings { backends: vec![Backend::detect()], ..MeasureSettings::default() };
    let shuffled = MeasureSettings { is_coherent: false, ..settings.clone() };
    let (mut naive, mut coherent_runs, mut shuffled_runs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        naive.push(naive_ns(&naive_path)?);
        coherent_runs.push(measure(&settings));
        shuffled_runs.push(measure(&shuffled));
    }
    println!("{} on 1 thread, {} vertices, ns a vertex", settings.backends[0].name(), settings.vertex_count);
    println!("method              order    naive   ours  ratio   ours with vertices shuffled");
    for method in MeasuredMethod::ALL {
        let Some(column) = column(method) else { continue };
        let naive = median(naive.iter().map(|ns| ns[column]));
        for order in OutputOrder::ALL {
            let ours = median(coherent_runs.iter().map(|run| ns_of(run, method, order)));
            let shuffled = median(shuffled_runs.iter().map(|run| ns_of(run, method, order)));
            let (name, order) = (method.name(), order.name());
            println!("{name:<19} {order:<8} {naive:5.1}  {ours:5.2} {:6.1}  {shuffled:5.2}", naive / ours);
        }
    }
    Ok(())
}

fn column(method: MeasuredMethod) -> Option<usize> {
    match method {
        MeasuredMethod::Lbs | MeasuredMethod::LbsBlendNormals => Some(0),
        MeasuredMethod::Dlb => Some(1),
        MeasuredMethod::Sdef => Some(2),
        _ => None,
    }
}

fn ns_of(run: &[Measurement], method: MeasuredMethod, order: OutputOrder) -> f64 {
    let same = run.iter().find(|measured| measured.method == method && measured.order == order);
    same.map_or(f64::NAN, |measured| measured.ns_per_vertex)
}

/// LBS, DLB and SDEF of the program at `path`.
fn naive_ns(path: &str) -> Result<[f64; 3], Box<dyn std::error::Error>> {
    let printed = String::from_utf8(Command::new(path).output()?.stdout)?;
    let mut numbers = printed.split([':', ',', '}']).filter_map(|word| word.trim().parse().ok());
    let mut next = || numbers.next().ok_or("the program should print three numbers");
    Ok([next()?, next()?, next()?])
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
