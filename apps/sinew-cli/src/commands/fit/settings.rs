//! What the options of a fit mean.

use crate::args::{ControllerKind, HelperOptions, Lambda, SamplingKind};
use sinew::fit::{BasisKind, ControllerSettings, HelperMotion, HelperSettings, Penalty};
use sinew::helpers::Sampling;
use sinew::io::Limits;

pub(super) fn helper_settings(options: &HelperOptions, limits: &Limits) -> HelperSettings {
    let mut settings = HelperSettings {
        helper_count: options.helpers,
        max_influences: options.max_influences,
        motion: match (options.is_similarity, options.has_fixed_length) {
            (true, _) => HelperMotion::Similarity,
            (_, true) => HelperMotion::FixedLength,
            _ => HelperMotion::Rigid,
        },
        seed: options.seed,
        start_count: options.starts,
        full_sweeps: options.iterations,
        tolerance: options.tolerance,
        max_bytes: limits.max_memory,
        ..HelperSettings::default()
    };
    settings.rules.smoothness = options.smooth;
    settings.rules.locality = options.local;
    settings
}

pub(super) fn controller_settings(options: &HelperOptions) -> ControllerSettings {
    let (degree, across_drivers) = (options.degree, !options.is_within_drivers);
    ControllerSettings {
        basis: match options.controller {
            ControllerKind::Poly => BasisKind::Polynomial { degree, across_drivers },
            ControllerKind::Rbf => BasisKind::Radial { centers: options.centers },
        },
        penalty: match (options.coefficients, options.lambda) {
            (Some(most), _) => Penalty::Coefficients(most),
            (None, Lambda::Auto) => Penalty::Auto,
            (None, Lambda::PerPose(price)) => Penalty::PerPose(price),
        },
        ..ControllerSettings::default()
    }
}

impl From<SamplingKind> for Sampling {
    fn from(kind: SamplingKind) -> Self {
        match kind {
            SamplingKind::Low => Self::LowDiscrepancy,
            SamplingKind::Grid => Self::Grid,
            SamplingKind::Adaptive => Self::Adaptive,
        }
    }
}
