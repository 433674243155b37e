//! Limbs and clocks that fits are measured with.

mod benchmark;
mod benchmark_arm;
mod fit_bench;

pub(crate) use benchmark::exaggerated_leg;
pub use benchmark::{LegPoses, benchmark_leg};
pub use benchmark_arm::{ARM_STEPS, ARM_VERTICES, Limb, LimbPoses, benchmark_arm, benchmark_limb};
pub use fit_bench::{FitBenchRequest, FitBenchRow, MAKING_ARM, bench_fit};
