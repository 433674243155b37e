//! Prints how fast bodies are on this machine: `cargo run --release --manifest-path benches/Cargo.toml --example soft_speed`.
#![expect(clippy::print_stdout, reason = "an example that prints")]

use sinew_geometry::simd::Backend;
use sinew_soft::measure::{MEASURED_BARS, MeasuredBar, MeasuredExamples};

fn main() {
    for cells in MEASURED_BARS {
        for examples in MeasuredExamples::ALL {
            let mut bar = MeasuredBar::new(cells, examples);
            print!("{:6} {:9}", bar.particle_count(), examples.name());
            for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
                print!("  {} {:6.1} ns", backend.name(), bar.measure(backend, 0.3));
            }
            println!();
        }
    }
}
