//! Legs.

use super::{Way, muscle, strip};
use crate::muscles::joint_angles::Joint;
use crate::muscles::segment::Segment;
use crate::muscles::spec::MuscleSpec;

#[expect(clippy::too_many_lines, reason = "a table of places and curves")]
pub(super) fn muscles() -> Vec<MuscleSpec> {
    use Segment::{LowerLeg as Lower, UpperLeg as Upper};
    let head = |way: Way<'_>, width: f64, belly: [f64; 2]| strip(way, width, 0.33, belly);
    vec![
        muscle(
            "quadriceps",
            vec![
                head(
                    &[
                        (Upper, 0.08, 15.0, 0.66),
                        (Upper, 0.35, 8.0, 0.72),
                        (Upper, 0.65, 2.0, 0.72),
                        (Upper, 0.97, 0.0, 0.7),
                        (Lower, 0.1, 0.0, 0.7),
                    ],
                    0.5,
                    [0.05, 0.76],
                ),
                head(
                    &[
                        (Upper, 0.12, 72.0, 0.68),
                        (Upper, 0.45, 56.0, 0.72),
                        (Upper, 0.75, 42.0, 0.7),
                        (Upper, 0.97, 12.0, 0.68),
                    ],
                    0.6,
                    [0.04, 0.9],
                ),
                head(
                    &[
                        (Upper, 0.22, -30.0, 0.62),
                        (Upper, 0.55, -42.0, 0.7),
                        (Upper, 0.84, -44.0, 0.74),
                        (Upper, 0.99, -14.0, 0.68),
                    ],
                    0.54,
                    [0.06, 0.94],
                ),
            ],
            &[
                (Joint::Knee, &[[0.0, 1.0], [70.0, 1.08], [140.0, 1.17]]),
                (Joint::HipFlexion, &[[-20.0, 1.02], [0.0, 1.0], [120.0, 0.94]]),
            ],
        ),
        muscle(
            "hamstrings",
            vec![
                head(
                    &[
                        (Upper, 0.14, 178.0, 0.62),
                        (Upper, 0.42, 165.0, 0.68),
                        (Upper, 0.75, 150.0, 0.68),
                        (Lower, 0.06, 128.0, 0.6),
                    ],
                    0.44,
                    [0.06, 0.84],
                ),
                head(
                    &[
                        (Upper, 0.14, -172.0, 0.6),
                        (Upper, 0.42, -162.0, 0.68),
                        (Upper, 0.75, -148.0, 0.68),
                        (Lower, 0.08, -118.0, 0.6),
                    ],
                    0.44,
                    [0.06, 0.84],
                ),
            ],
            &[
                (Joint::Knee, &[[0.0, 1.0], [70.0, 0.87], [140.0, 0.77]]),
                (Joint::HipFlexion, &[[-20.0, 0.97], [0.0, 1.0], [120.0, 1.18]]),
            ],
        ),
        muscle(
            "adductors",
            vec![head(
                &[(Upper, 0.1, -74.0, 0.5), (Upper, 0.3, -90.0, 0.62), (Upper, 0.62, -98.0, 0.6)],
                0.45,
                [0.02, 0.95],
            )],
            &[(Joint::HipAbduction, &[[-20.0, 0.95], [0.0, 1.0], [45.0, 1.14]])],
        ),
        muscle(
            "calf",
            vec![
                head(
                    &[
                        (Upper, 0.97, 155.0, 0.6),
                        (Lower, 0.12, 152.0, 0.68),
                        (Lower, 0.3, 155.0, 0.72),
                        (Lower, 0.52, 170.0, 0.66),
                        (Lower, 0.95, 180.0, 0.6),
                    ],
                    0.46,
                    [0.04, 0.58],
                ),
                head(
                    &[
                        (Upper, 0.97, -155.0, 0.6),
                        (Lower, 0.12, -150.0, 0.68),
                        (Lower, 0.32, -152.0, 0.72),
                        (Lower, 0.56, -170.0, 0.66),
                        (Lower, 0.95, -180.0, 0.6),
                    ],
                    0.48,
                    [0.04, 0.62],
                ),
            ],
            &[
                (Joint::Ankle, &[[-50.0, 0.82], [0.0, 1.0], [25.0, 1.08]]),
                (Joint::Knee, &[[0.0, 1.0], [140.0, 0.92]]),
            ],
        ),
        muscle(
            "tibialis",
            vec![head(
                &[
                    (Lower, 0.08, 42.0, 0.72),
                    (Lower, 0.35, 34.0, 0.74),
                    (Lower, 0.7, 18.0, 0.7),
                    (Lower, 0.97, -5.0, 0.68),
                ],
                0.44,
                [0.02, 0.68],
            )],
            &[(Joint::Ankle, &[[-50.0, 1.1], [0.0, 1.0], [25.0, 0.88]])],
        ),
    ]
}
