//! Chest, back, belly and buttocks.

use super::{Way, muscle, strip};
use crate::muscles::joint_angles::Joint;
use crate::muscles::segment::Segment;
use crate::muscles::spec::MuscleSpec;

#[expect(clippy::too_many_lines, reason = "a table of places and curves")]
pub(super) fn muscles() -> Vec<MuscleSpec> {
    use Segment::{Shoulder, Trunk, UpperArm, UpperLeg};
    let fan = |way: Way<'_>, width: f64| strip(way, width, 0.14, [0.02, 0.9]);
    vec![
        muscle(
            "pectoral",
            vec![
                fan(
                    &[
                        (Trunk, 0.88, 16.0, 0.86),
                        (Trunk, 0.84, 42.0, 0.86),
                        (Trunk, 0.82, 60.0, 0.85),
                        (UpperArm, 0.18, -10.0, 0.55),
                    ],
                    0.26,
                ),
                // Where breasts are, the muscle lies deeper below the skin.
                fan(
                    &[
                        (Trunk, 0.76, 9.0, 0.87),
                        (Trunk, 0.75, 38.0, 0.83),
                        (Trunk, 0.77, 58.0, 0.86),
                        (UpperArm, 0.2, -20.0, 0.55),
                    ],
                    0.3,
                ),
                fan(
                    &[
                        (Trunk, 0.63, 12.0, 0.87),
                        (Trunk, 0.66, 38.0, 0.83),
                        (Trunk, 0.72, 58.0, 0.86),
                        (UpperArm, 0.22, -30.0, 0.55),
                    ],
                    0.26,
                ),
            ],
            &[
                (Joint::ShoulderAcross, &[[-90.0, 1.08], [0.0, 1.0], [50.0, 0.87]]),
                (Joint::ShoulderForward, &[[-40.0, 1.08], [0.0, 1.0], [90.0, 0.88]]),
            ],
        ),
        muscle(
            "trapezius",
            vec![
                strip(
                    &[
                        (Trunk, 1.14, 160.0, 0.75),
                        (Shoulder, 0.3, 125.0, 0.8),
                        (Shoulder, 0.6, 110.0, 0.8),
                        (Shoulder, 0.85, 100.0, 0.82),
                    ],
                    0.7,
                    0.36,
                    [0.0, 0.9],
                ),
                strip(
                    &[
                        (Trunk, 0.9, 176.0, 0.85),
                        (Trunk, 0.9, 160.0, 0.86),
                        (Shoulder, 0.55, 145.0, 0.85),
                        (Shoulder, 0.8, 125.0, 0.85),
                    ],
                    0.5,
                    0.24,
                    [0.0, 0.9],
                ),
                strip(
                    &[
                        (Trunk, 0.58, 176.0, 0.86),
                        (Trunk, 0.7, 172.0, 0.86),
                        (Trunk, 0.82, 162.0, 0.86),
                        (Shoulder, 0.5, 145.0, 0.86),
                    ],
                    0.42,
                    0.2,
                    [0.0, 0.9],
                ),
            ],
            &[
                (Joint::ShoulderShrug, &[[-15.0, 1.05], [0.0, 1.0], [30.0, 0.86]]),
                (Joint::ShoulderElevation, &[[0.0, 1.0], [90.0, 0.96], [170.0, 0.86]]),
            ],
        ),
        muscle(
            "latissimus",
            vec![
                fan(
                    &[
                        (Trunk, 0.5, 168.0, 0.88),
                        (Trunk, 0.6, 138.0, 0.9),
                        (Trunk, 0.7, 112.0, 0.9),
                        (UpperArm, 0.14, -150.0, 0.5),
                    ],
                    0.32,
                ),
                fan(
                    &[
                        (Trunk, 0.3, 164.0, 0.86),
                        (Trunk, 0.45, 132.0, 0.9),
                        (Trunk, 0.62, 104.0, 0.9),
                        (UpperArm, 0.16, -130.0, 0.5),
                    ],
                    0.36,
                ),
            ],
            &[(Joint::ShoulderElevation, &[[0.0, 1.0], [90.0, 1.12], [170.0, 1.26]])],
        ),
        muscle(
            "abdomen",
            vec![fan(
                &[
                    (Trunk, 0.54, 15.0, 0.88),
                    (Trunk, 0.36, 18.0, 0.88),
                    (Trunk, 0.16, 16.0, 0.88),
                    (Trunk, -0.02, 8.0, 0.86),
                ],
                0.27,
            )],
            &[(Joint::TrunkFlexion, &[[-30.0, 1.1], [0.0, 1.0], [40.0, 0.86], [70.0, 0.78]])],
        ),
        muscle(
            "obliques",
            vec![
                fan(&[(Trunk, 0.54, 62.0, 0.88), (Trunk, 0.36, 54.0, 0.88), (Trunk, 0.18, 42.0, 0.88)], 0.28),
                fan(&[(Trunk, 0.52, 92.0, 0.88), (Trunk, 0.34, 86.0, 0.88), (Trunk, 0.2, 76.0, 0.88)], 0.28),
            ],
            &[
                (Joint::TrunkSideBend, &[[-30.0, 1.1], [0.0, 1.0], [30.0, 0.86]]),
                (Joint::TrunkTwist, &[[-45.0, 0.93], [0.0, 1.0], [45.0, 1.07]]),
            ],
        ),
        muscle(
            "erectorSpinae",
            vec![fan(
                &[
                    (Trunk, 0.08, 168.0, 0.84),
                    (Trunk, 0.25, 164.0, 0.82),
                    (Trunk, 0.45, 166.0, 0.8),
                    (Trunk, 0.62, 170.0, 0.75),
                ],
                0.2,
            )],
            &[(Joint::TrunkFlexion, &[[-30.0, 0.9], [0.0, 1.0], [70.0, 1.16]])],
        ),
        muscle(
            "gluteus",
            vec![
                strip(
                    &[(Trunk, 0.22, 118.0, 0.85), (UpperLeg, -0.1, 112.0, 0.82), (UpperLeg, 0.1, 92.0, 0.75)],
                    0.5,
                    0.28,
                    [0.0, 0.92],
                ),
                strip(
                    &[
                        (Trunk, 0.16, 152.0, 0.82),
                        (UpperLeg, -0.06, 148.0, 0.76),
                        (UpperLeg, 0.14, 122.0, 0.72),
                    ],
                    0.58,
                    0.34,
                    [0.0, 0.92],
                ),
                strip(
                    &[
                        (Trunk, 0.03, 168.0, 0.78),
                        (UpperLeg, 0.05, 172.0, 0.75),
                        (UpperLeg, 0.22, 138.0, 0.65),
                    ],
                    0.58,
                    0.36,
                    [0.0, 0.9],
                ),
            ],
            &[(Joint::HipFlexion, &[[-20.0, 0.92], [0.0, 1.0], [60.0, 1.12], [120.0, 1.25]])],
        ),
    ]
}
