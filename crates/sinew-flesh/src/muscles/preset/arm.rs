//! Arms, with the cap of the shoulder.

use super::{muscle, strip};
use crate::muscles::joint_angles::Joint;
use crate::muscles::segment::Segment;
use crate::muscles::spec::MuscleSpec;

#[expect(clippy::too_many_lines, reason = "a table of places and curves")]
pub(super) fn muscles() -> Vec<MuscleSpec> {
    use Segment::{LowerArm as Lower, Shoulder, UpperArm as Upper};
    // A cap of three parts over the joint.
    let deltoid = [(25.0, 72.0), (90.0, 90.0), (155.0, 108.0)].map(|(origin, insertion)| {
        let between = 0.6 * origin + 0.4 * insertion;
        strip(
            &[
                (Shoulder, 0.85, origin, 0.85),
                (Upper, 0.1, between, 0.82),
                (Upper, 0.3, between, 0.78),
                (Upper, 0.52, insertion, 0.6),
            ],
            0.5,
            0.24,
            [0.0, 0.95],
        )
    });
    vec![
        muscle(
            "deltoid",
            deltoid.to_vec(),
            &[(Joint::ShoulderElevation, &[[0.0, 1.06], [40.0, 1.0], [90.0, 0.88], [160.0, 0.78]])],
        ),
        muscle(
            "biceps",
            vec![strip(
                &[
                    (Upper, 0.1, 5.0, 0.5),
                    (Upper, 0.38, 0.0, 0.62),
                    (Upper, 0.68, -4.0, 0.62),
                    (Upper, 0.95, -5.0, 0.5),
                    (Lower, 0.14, -5.0, 0.42),
                ],
                0.62,
                0.4,
                [0.14, 0.86],
            )],
            // 35 mm times 145° is 9 cm of a path of 33 cm; a third of it is taken by what lies outside the belly.
            &[(Joint::Elbow, &[[-10.0, 1.02], [0.0, 1.0], [60.0, 0.88], [110.0, 0.78], [145.0, 0.73]])],
        ),
        muscle(
            "triceps",
            vec![
                strip(
                    &[
                        (Upper, 0.08, -160.0, 0.5),
                        (Upper, 0.4, -168.0, 0.62),
                        (Upper, 0.7, -176.0, 0.6),
                        (Upper, 1.0, 180.0, 0.6),
                    ],
                    0.5,
                    0.36,
                    [0.06, 0.78],
                ),
                strip(
                    &[
                        (Upper, 0.2, 135.0, 0.55),
                        (Upper, 0.42, 142.0, 0.64),
                        (Upper, 0.7, 158.0, 0.6),
                        (Upper, 1.0, 180.0, 0.6),
                    ],
                    0.5,
                    0.36,
                    [0.06, 0.74],
                ),
            ],
            &[(Joint::Elbow, &[[0.0, 1.0], [60.0, 1.06], [145.0, 1.18]])],
        ),
        muscle(
            "brachioradialis",
            vec![strip(
                &[
                    (Upper, 0.84, 72.0, 0.66),
                    (Lower, 0.08, 62.0, 0.7),
                    (Lower, 0.38, 72.0, 0.68),
                    (Lower, 0.9, 90.0, 0.55),
                ],
                0.44,
                0.34,
                [0.0, 0.66],
            )],
            &[(Joint::Elbow, &[[0.0, 1.0], [60.0, 0.91], [145.0, 0.77]])],
        ),
        muscle(
            "forearmFlexors",
            vec![strip(
                &[
                    (Upper, 0.97, -75.0, 0.6),
                    (Lower, 0.18, -40.0, 0.62),
                    (Lower, 0.5, -15.0, 0.58),
                    (Lower, 0.95, 0.0, 0.5),
                ],
                0.62,
                0.42,
                [0.02, 0.72],
            )],
            &[
                (Joint::Wrist, &[[-70.0, 1.1], [0.0, 1.0], [70.0, 0.87]]),
                (Joint::Elbow, &[[0.0, 1.0], [145.0, 0.96]]),
            ],
        ),
        muscle(
            "forearmExtensors",
            vec![strip(
                &[
                    (Upper, 0.95, 105.0, 0.6),
                    (Lower, 0.18, 135.0, 0.62),
                    (Lower, 0.5, 160.0, 0.58),
                    (Lower, 0.95, 180.0, 0.5),
                ],
                0.55,
                0.38,
                [0.02, 0.68],
            )],
            &[(Joint::Wrist, &[[-70.0, 0.88], [0.0, 1.0], [70.0, 1.1]])],
        ),
    ]
}
