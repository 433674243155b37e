//! Options of `sinew bench`.

use clap::{Args, ValueEnum};

/// `sinew bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
skin: every method beside its scalar twin (backend scalar), for results in the order of groups and in the caller's order.
soft: a step of soft bars of three sizes, without examples, with 5 for the whole body and with 5 a region.
fit: 4 and 8 helpers of a leg of 663 vertices in 6,750 poses: seconds by stage, errors, and nanoseconds a frame of the controllers.

Examples:
  sinew bench skin
  sinew bench skin --vertices 1000000 --threads 2 --json
  sinew bench soft --seconds 20
  sinew bench fit --threads 1 --json")]
pub(crate) struct Bench {
    /// What to measure
    #[arg(value_enum)]
    pub(crate) subject: BenchSubject,
    /// Vertices of the synthetic model
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(16..=100_000_000))]
    pub(crate) vertices: usize,
    /// Its bones
    #[arg(long, value_name = "B", default_value_t = 60, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..=60_000))]
    pub(crate) bones: usize,
    /// Influences of a vertex
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=8))]
    pub(crate) influences: usize,
    /// How long soft bodies are measured altogether, seconds; longer is steadier
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    pub(crate) seconds: f64,
    /// With fit: also an arm of 11,356 vertices in 20,736 poses, which takes minutes and 4 GB
    #[arg(long = "large")]
    pub(crate) is_large: bool,
    /// Print the measurements as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchSubject {
    /// The skinning kernels.
    Skin,
    /// Steps of soft bodies.
    Soft,
    /// Helper bones of a leg.
    Fit,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("must be a number of seconds from 0 to 3600".to_owned()),
    }
}
