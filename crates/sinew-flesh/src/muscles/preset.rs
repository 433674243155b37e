//! The muscles of a human that show under the skin.
//!
//! Places follow anatomical landmarks. How far a belly shortens or stretches, c(θ), is the way of its tendon over the joint, moment arm times angle,
//! spread over the belly's length; moment arms and fibre lengths after \[Holzbaur05\] for the arm and \[Arnold10\] for the leg, rounded.
//! Pennate muscles (quadriceps, calf) shorten less than their fibres, because their belly is longer than those.

use super::joint_angles::Joint;
use super::segment::Segment;
use super::spec::{Driver, MuscleSpec, Place, Strip};

/// A path as places: along, angle, depth.
type Way<'a> = &'a [(Segment, f64, f64, f64)];

fn strip(way: Way<'_>, width: f64, thickness: f64, belly: [f64; 2]) -> Strip {
    let path = way.iter().map(|&(segment, along, angle, depth)| Place::new(segment, along, angle, depth));
    Strip { path: path.collect(), width, thickness, belly }
}

fn muscle(name: &str, strips: Vec<Strip>, drivers: &[(Joint, &[[f64; 2]])]) -> MuscleSpec {
    let drivers = drivers.iter().map(|&(joint, curve)| Driver { joint, curve: curve.to_vec() });
    MuscleSpec { name: name.to_owned(), strips, drivers: drivers.collect(), ..MuscleSpec::default() }
}

/// All of them, from the shoulders down. They fit any humanoid by its bones.
pub fn human_muscles() -> Vec<MuscleSpec> {
    [arm(), trunk(), leg()].concat()
}

fn arm() -> Vec<MuscleSpec> {
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

fn trunk() -> Vec<MuscleSpec> {
    use Segment::{Shoulder, Trunk, UpperArm, UpperLeg};
    let fan = |way: Way<'_>, width: f64| strip(way, width, 0.14, [0.02, 0.9]);
    vec![
        muscle(
            "pectoral",
            vec![
                fan(
                    &[
                        (Trunk, 0.88, 16.0, 0.86),
                        (Trunk, 0.84, 42.0, 0.88),
                        (Trunk, 0.82, 60.0, 0.85),
                        (UpperArm, 0.18, -10.0, 0.55),
                    ],
                    0.24,
                ),
                fan(
                    &[
                        (Trunk, 0.76, 9.0, 0.88),
                        (Trunk, 0.75, 38.0, 0.9),
                        (Trunk, 0.77, 58.0, 0.88),
                        (UpperArm, 0.2, -20.0, 0.55),
                    ],
                    0.27,
                ),
                fan(
                    &[
                        (Trunk, 0.63, 12.0, 0.88),
                        (Trunk, 0.66, 38.0, 0.9),
                        (Trunk, 0.72, 58.0, 0.88),
                        (UpperArm, 0.22, -30.0, 0.55),
                    ],
                    0.24,
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
                fan(
                    &[
                        (Trunk, 1.12, 165.0, 0.75),
                        (Shoulder, 0.35, 115.0, 0.82),
                        (Shoulder, 0.8, 100.0, 0.82),
                    ],
                    0.32,
                ),
                fan(
                    &[(Trunk, 0.86, 174.0, 0.88), (Trunk, 0.87, 152.0, 0.88), (Shoulder, 0.75, 140.0, 0.8)],
                    0.26,
                ),
                fan(
                    &[(Trunk, 0.56, 176.0, 0.88), (Trunk, 0.7, 168.0, 0.88), (Trunk, 0.84, 150.0, 0.88)],
                    0.2,
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
                        (Trunk, 0.5, 172.0, 0.88),
                        (Trunk, 0.6, 138.0, 0.9),
                        (Trunk, 0.7, 112.0, 0.9),
                        (UpperArm, 0.14, -150.0, 0.5),
                    ],
                    0.24,
                ),
                fan(
                    &[
                        (Trunk, 0.3, 168.0, 0.86),
                        (Trunk, 0.45, 132.0, 0.9),
                        (Trunk, 0.62, 104.0, 0.9),
                        (UpperArm, 0.16, -130.0, 0.5),
                    ],
                    0.26,
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
                fan(&[(Trunk, 0.54, 62.0, 0.88), (Trunk, 0.36, 54.0, 0.88), (Trunk, 0.2, 44.0, 0.88)], 0.22),
                fan(&[(Trunk, 0.5, 92.0, 0.88), (Trunk, 0.34, 86.0, 0.88), (Trunk, 0.2, 76.0, 0.88)], 0.24),
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
                    &[(Trunk, 0.22, 118.0, 0.85), (UpperLeg, -0.1, 115.0, 0.82), (UpperLeg, 0.1, 92.0, 0.75)],
                    0.42,
                    0.28,
                    [0.0, 0.92],
                ),
                strip(
                    &[
                        (Trunk, 0.16, 155.0, 0.82),
                        (UpperLeg, -0.06, 155.0, 0.75),
                        (UpperLeg, 0.14, 128.0, 0.72),
                    ],
                    0.46,
                    0.34,
                    [0.0, 0.92],
                ),
                strip(
                    &[
                        (Trunk, 0.02, 168.0, 0.78),
                        (UpperLeg, 0.06, 172.0, 0.75),
                        (UpperLeg, 0.24, 140.0, 0.65),
                    ],
                    0.46,
                    0.36,
                    [0.0, 0.9],
                ),
            ],
            &[(Joint::HipFlexion, &[[-20.0, 0.92], [0.0, 1.0], [60.0, 1.12], [120.0, 1.25]])],
        ),
    ]
}

fn leg() -> Vec<MuscleSpec> {
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
                    0.4,
                    [0.05, 0.78],
                ),
                head(
                    &[
                        (Upper, 0.12, 75.0, 0.68),
                        (Upper, 0.45, 58.0, 0.72),
                        (Upper, 0.75, 42.0, 0.7),
                        (Upper, 0.97, 12.0, 0.68),
                    ],
                    0.46,
                    [0.04, 0.88],
                ),
                head(
                    &[
                        (Upper, 0.3, -35.0, 0.62),
                        (Upper, 0.6, -42.0, 0.7),
                        (Upper, 0.84, -42.0, 0.74),
                        (Upper, 0.98, -12.0, 0.68),
                    ],
                    0.42,
                    [0.06, 0.92],
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
                &[(Upper, 0.06, -62.0, 0.55), (Upper, 0.3, -90.0, 0.62), (Upper, 0.62, -98.0, 0.6)],
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
                0.36,
                [0.02, 0.68],
            )],
            &[(Joint::Ankle, &[[-50.0, 1.1], [0.0, 1.0], [25.0, 0.88]])],
        ),
    ]
}
