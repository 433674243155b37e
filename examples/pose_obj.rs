//! Writes posed bodies as Wavefront OBJ, for looking at them.
//!
//! `cargo run --release -p sinew-examples --example pose_obj -- FOLDER [STEPS] [held]`

use glam::DVec3;
use sinew_body::limb::VolumeMode;
use sinew_body::pose::{BodyPose, JointPose, PosedBody};
use sinew_body::{BodyMesh, Design, Flank, Template, build};
use std::fmt::Write;

/// Angles of joints, degrees: bone, flanks (`l`, `r`, `m`, or `b` for both), bend, aside, twist.
type Angles = &'static [(&'static str, char, f64, f64, f64)];

const POSES: &[(&str, Angles)] = &[
    ("rest", &[]),
    ("elbow-45", &[("forearm", 'l', 45.0, 0.0, 0.0)]),
    ("elbow-90", &[("forearm", 'l', 90.0, 0.0, 0.0)]),
    ("elbow-140", &[("forearm", 'l', 140.0, 0.0, 0.0)]),
    ("knee-110", &[("shank", 'l', 110.0, 0.0, 0.0)]),
    ("arms-level", &[("upper_arm", 'b', 0.0, 45.0, 0.0)]),
    ("arms-up", &[("upper_arm", 'b', 0.0, 115.0, 0.0), ("clavicle", 'b', 20.0, 0.0, 0.0)]),
    ("arms-forward", &[("upper_arm", 'b', 90.0, 0.0, 0.0)]),
    ("arms-down", &[("upper_arm", 'b', 0.0, -38.0, 0.0)]),
    ("hip-90", &[("thigh", 'l', 90.0, 0.0, 0.0)]),
    ("hip-aside", &[("thigh", 'l', 0.0, 40.0, 0.0)]),
    ("twist-120", &[("hand", 'l', 0.0, 0.0, 120.0)]),
    ("fist", FIST),
    (
        "spine",
        &[
            ("abdomen", 'm', 30.0, 0.0, 15.0),
            ("chest", 'm', 25.0, 0.0, 20.0),
            ("neck", 'm', 15.0, 0.0, 10.0),
            ("head", 'm', 10.0, 0.0, 40.0),
        ],
    ),
    (
        "walk",
        &[
            ("thigh", 'l', 25.0, 0.0, 0.0),
            ("shank", 'l', 10.0, 0.0, 0.0),
            ("foot", 'l', -10.0, 0.0, 0.0),
            ("thigh", 'r', -18.0, 0.0, 0.0),
            ("shank", 'r', 30.0, 0.0, 0.0),
            ("foot", 'r', 20.0, 0.0, 0.0),
            ("toes", 'r', 25.0, 0.0, 0.0),
            ("upper_arm", 'l', -20.0, -36.0, 0.0),
            ("upper_arm", 'r', 22.0, -36.0, 0.0),
            ("forearm", 'b', 25.0, 0.0, 0.0),
            ("chest", 'm', 2.0, 0.0, 8.0),
        ],
    ),
    (
        "sit",
        &[
            ("thigh", 'b', 88.0, 8.0, 0.0),
            ("shank", 'b', 88.0, 0.0, 0.0),
            ("upper_arm", 'b', 25.0, -32.0, 0.0),
            ("forearm", 'b', 60.0, 0.0, 0.0),
            ("abdomen", 'm', 5.0, 0.0, 0.0),
            ("head", 'm', 8.0, 0.0, 20.0),
        ],
    ),
];

const FIST: Angles = &[
    ("index_proximal", 'b', 75.0, 0.0, 0.0),
    ("middle_proximal", 'b', 78.0, 0.0, 0.0),
    ("ring_proximal", 'b', 80.0, 0.0, 0.0),
    ("little_proximal", 'b', 82.0, 0.0, 0.0),
    ("index_middle", 'b', 95.0, 0.0, 0.0),
    ("middle_middle", 'b', 95.0, 0.0, 0.0),
    ("ring_middle", 'b', 95.0, 0.0, 0.0),
    ("little_middle", 'b', 95.0, 0.0, 0.0),
    ("index_distal", 'b', 55.0, 0.0, 0.0),
    ("middle_distal", 'b', 55.0, 0.0, 0.0),
    ("ring_distal", 'b', 55.0, 0.0, 0.0),
    ("little_distal", 'b', 55.0, 0.0, 0.0),
    ("thumb_metacarpal", 'b', 15.0, 0.0, 0.0),
    ("thumb_proximal", 'b', 35.0, 0.0, 0.0),
    ("thumb_distal", 'b', 45.0, 0.0, 0.0),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("give a folder to write to")?;
    let steps = arguments.next().map_or(Ok(8), |steps| steps.parse())?;
    let body = build(&Template::human(), &Design::default())?;
    let mut posed = PosedBody::new(body.clone());
    if arguments.next().as_deref() == Some("held") {
        posed.volume = VolumeMode::Held;
    }
    let mut mesh = body.tessellate(steps);
    for (name, angles) in POSES {
        let pose = pose_of(&posed, angles);
        posed.set(&pose);
        let check = posed.body().check(9);
        let pair = check.worst_pair.map(|(a, b)| {
            let name = |patch: usize| posed.body().patches[patch].name.as_str();
            format!("{} | {}", name(a), name(b))
        });
        eprintln!(
            "{name}: {:.3} L, gap {:.1e} m, jump {:.2e} deg at {}",
            1e3 * posed.body().volume(),
            check.gap_m,
            check.jump_deg,
            pair.unwrap_or_default()
        );
        posed.body().evaluate_into(&mut mesh);
        std::fs::write(format!("{folder}/{name}.obj"), obj(&mesh)?)?;
    }
    Ok(())
}

fn pose_of(posed: &PosedBody, angles: Angles) -> BodyPose {
    let figure = posed.figure();
    let mut pose = BodyPose::rest(figure);
    for &(bone, flank, bend, aside, twist) in angles {
        let flanks: &[Flank] = match flank {
            'l' => &[Flank::Left],
            'r' => &[Flank::Right],
            'b' => &[Flank::Left, Flank::Right],
            _ => &[Flank::Middle],
        };
        let joint = JointPose {
            bend_rad: bend.to_radians(),
            twist_rad: twist.to_radians(),
            aside_rad: aside.to_radians(),
        };
        for bone in flanks.iter().filter_map(|&flank| figure.find(bone, flank)) {
            pose.set_joint(figure, bone, &joint);
        }
    }
    pose.shift = DVec3::ZERO;
    pose
}

fn obj(mesh: &BodyMesh) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
        writeln!(text, "v {:.6} {:.6} {:.6}", position.x, position.y, position.z)?;
        writeln!(text, "vn {:.5} {:.5} {:.5}", normal.x, normal.y, normal.z)?;
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| vertex + 1);
        writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    Ok(text)
}
