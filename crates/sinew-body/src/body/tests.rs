//! The default human, and random ones.

use super::*;
use crate::design::{RingChange, Sided};
use crate::ring::loop_length;
use crate::testing::{EXACT, GAP_M, JUMP_DEG, ROUNDING, Random, assert_smooth_and_closed, human};
use crate::{Design, Flank, Template, build};
use glam::DVec3;

/// Girths of rings, m.
const GIRTH_M: f64 = 1e-5;

/// The design with every joint moved and every ring changed by up to a share.
fn random_design(template: &Template, seed: u64, share: f64) -> Design {
    let mut random = Random::new(seed);
    let mut design = Design::default();
    for ring in &template.text().rings {
        let factor = 1.0 + share * random.signed();
        let girth = match (ring.girth, ring.half) {
            (Some(girth), _) => girth,
            (None, half) => crate::ring::ellipse_girth(half.unwrap_or_default()),
        };
        let change = RingChange { girth: Some(factor * girth), ..RingChange::default() };
        design.rings.insert(ring.name.clone(), change.into());
    }
    for joint in &template.text().joints {
        let moved = joint.at * (DVec3::ONE + share * random.vector());
        if joint.name.contains('_') {
            continue;
        }
        design.joints.insert(joint.name.clone(), moved.into());
    }
    design
}

#[test]
fn the_default_human_is_smooth_and_closed() {
    let body = human();
    assert_smooth_and_closed(&body, 21);
    assert!((0.070..0.090).contains(&body.volume()), "{}", body.volume());
    assert!((1.7..2.1).contains(&body.area()), "{}", body.area());
    assert!((body.stature() - 1.756).abs() < 1e-3, "{}", body.stature());
}

#[test]
fn the_quadruped_is_smooth_and_closed() {
    let template = Template::quadruped();
    assert_smooth_and_closed(&build(&template, &Design::default()).unwrap(), 9);
    for seed in 1..4 {
        assert_smooth_and_closed(&build(&template, &random_design(&template, seed, 0.1)).unwrap(), 3);
    }
}

#[test]
fn random_humans_are_smooth_and_closed() {
    let template = Template::human();
    for seed in 1..12 {
        let body = build(&template, &random_design(&template, seed, 0.15)).unwrap();
        assert_smooth_and_closed(&body, 5);
        assert!(body.volume() > 0.03);
    }
}

#[test]
fn rings_have_the_girths_asked_for() {
    let template = Template::human();
    let design = random_design(&template, 77, 0.1);
    let body = build(&template, &design).unwrap();
    for ring in &body.rings {
        let tube = &body.tubes[ring.tube];
        // Feet stand on the floor, which flattens their rings.
        let is_on_floor = ["heel", "ball"].contains(&ring.name.as_str());
        if is_on_floor {
            continue;
        }
        let asked = design.rings[&ring.name].on(ring.flank).and_then(|change| change.girth).unwrap();
        let found = loop_length(tube.tube.arcs(ring.row));
        assert!((found - asked).abs() < GIRTH_M, "{}: {found} for {asked}", ring.name);
    }
}

#[test]
fn both_sides_are_mirror_images_unless_told_otherwise() {
    let body = human();
    let left = body.tubes.iter().find(|tube| tube.name == "arm" && tube.flank == Flank::Left).unwrap();
    let right = body.tubes.iter().find(|tube| tube.name == "arm" && tube.flank == Flank::Right).unwrap();
    let len = left.tube.row_len();
    for row in 0..left.tube.row_count() {
        for column in 0..len {
            let image = Flank::Right.place(right.tube.row(row)[(len - column) % len]);
            assert!(image.distance(left.tube.row(row)[column]) < EXACT);
        }
    }
    let design = Design::parse("rings.upper_arm.right.girth = 0.40\nlengths.shank.left = 0.42").unwrap();
    let uneven = build(&Template::human(), &design).unwrap();
    assert_smooth_and_closed(&uneven, 9);
    let change = uneven.volume() - body.volume();
    assert!(change > 1e-4, "{change}");
}

#[test]
fn offsets_survive_changes_of_rings() {
    let template = Template::human();
    let key = "leg/thigh/2/6";
    let push = DVec3::new(0.0, 0.0, 0.02);
    let middle_key = "buttock/3";
    for girth in [0.5, 0.6] {
        let ring = RingChange { girth: Some(girth), ..RingChange::default() };
        let mut design = Design { rings: [("thigh".to_owned(), ring.into())].into(), ..Design::default() };
        let plain = build(&template, &design).unwrap();
        design.offsets.insert(key.to_owned(), Sided::Each { left: Some(push), right: None });
        design.offsets.insert(middle_key.to_owned(), push.into());
        let moved = build(&template, &design).unwrap();
        assert_smooth_and_closed(&moved, 9);
        let point = |body: &Body| body.tubes.iter().find(|tube| tube.name == "leg").unwrap().tube.row(2)[6];
        let found = point(&moved) - point(&plain);
        assert!(found.distance(push) < ROUNDING, "{found}");
        let index = |body: &Body| body.patches.iter().position(|patch| patch.name == middle_key).unwrap();
        let found = moved.patches[index(&moved)].patch.center() - plain.patches[index(&plain)].patch.center();
        assert!(found.distance(push) < ROUNDING, "{found}");
    }
}

#[test]
fn lengths_of_bones_move_what_hangs_on_them() {
    let design = Design::parse("lengths.upper_arm = 0.35").unwrap();
    let body = build(&Template::human(), &design).unwrap();
    let joint = |name: &str| body.joints.iter().find(|joint| joint.name == name).unwrap().position;
    assert!((joint("shoulder").distance(joint("elbow")) - 0.35).abs() < ROUNDING);
    assert!((joint("elbow").distance(joint("wrist")) - 0.262).abs() < 1e-4);
    assert_smooth_and_closed(&body, 5);
}

#[test]
fn impossible_designs_are_refused_with_the_key() {
    for (text, key) in [
        ("rings.wasit.girth = 0.9", "rings.wasit"),
        ("rings.waist.girth = -1.0", "rings.waist.girth -1 is out of range"),
        ("rings.waist = { girth = 0.5, front = 0.4 }", "rings.waist: the girth is too small"),
        ("joints.elbow = [nan, 0, 0]", "joints.elbow"),
        ("offsets.\"arm/elbow/9/1\" = [0, 0, 0]", "offsets.arm/elbow/9/1"),
        ("scale = 0.0", "scale 0 is out of range"),
    ] {
        let design = Design::parse(text).unwrap();
        let error = build(&Template::human(), &design).unwrap_err().to_string();
        assert!(error.starts_with(key), "{error}");
    }
}

#[test]
fn meshes_are_watertight_and_have_the_bodys_volume() {
    let body = human();
    let mesh = body.tessellate(8);
    let mut edges: Vec<(u32, u32)> =
        mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    edges.sort_unstable();
    let is_paired = |edge: &(u32, u32)| edges.binary_search(&(edge.1, edge.0)).is_ok();
    assert!(edges.windows(2).all(|pair| pair[0] != pair[1]) && edges.iter().all(is_paired));
    let characteristic = mesh.positions.len() as i64 - edges.len() as i64 / 2 + mesh.triangles.len() as i64;
    assert_eq!(characteristic, 2, "every vertex is used");
    for design in [Design::default(), crate::testing::man(), crate::testing::woman()] {
        let body = build(&Template::human(), &design).unwrap();
        // Halving the steps quarters the error, so that two meshes give the limit.
        let (coarse, fine) = (body.tessellate(16).volume(), body.tessellate(32).volume());
        let limit = (4.0 * fine - coarse) / 3.0;
        assert!((limit / body.volume() - 1.0).abs() < 1e-5, "{}", limit / body.volume());
    }
    let unit = |uv: &glam::Vec2| (0.0..=1.0).contains(&uv.x) && (0.0..=1.0).contains(&uv.y);
    assert!(mesh.uvs.iter().flatten().all(unit));
    assert!(mesh.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-9));
}

#[test]
fn whatever_is_moved_where_fills_meet_stays_smooth_and_alike_on_both_sides() {
    let template = Template::human();
    let mut random = Random::new(41);
    let mut design = Design::default();
    let text = template.text();
    let mut put = |key: String, by: DVec3| _ = design.offsets.insert(key, by.into());
    for edge in text.edges.iter().filter(|edge| edge.bone != "hand") {
        // Legs across an edge in the middle plane must stay across.
        let is_middle = ![
            "trapezius",
            "pectoral",
            "shoulder_blade",
            "arm_pit",
            "groin",
            "gluteal",
            "crotch_edge",
            "hip_side",
        ]
        .contains(&edge.name.as_str());
        let across = if is_middle { DVec3::X } else { DVec3::ONE };
        (1..=3).for_each(|leg| put(format!("{}/legs/{leg}", edge.name), 0.006 * random.vector() * across));
    }
    for node in text.nodes.iter().filter(|node| node.bone != "hand") {
        put(format!("{}/tilt", node.name), 0.1 * random.vector().with_x(0.0));
        put(format!("{}/line/0", node.name), 0.004 * random.vector().with_x(0.0));
    }
    for fill in text.fills.iter().filter(|fill| fill.group == "torso") {
        for (side, _) in fill.corners.iter().enumerate().filter(|(_, corner)| !corner.starts_with('(')) {
            for part in ["spoke", "star", "across1", "across2", "across3"] {
                put(format!("{}/{side}/{part}", fill.name), 0.004 * random.vector());
            }
        }
    }
    let body = build(&template, &design).unwrap();
    let check = body.check(7);
    assert!(check.jump_deg < JUMP_DEG && check.gap_m < GAP_M, "{check:?}");
    let rest = build(&template, &Design::default()).unwrap();
    let mut moved_m: f64 = 0.0;
    for left in body.patches.iter().filter(|patch| patch.flank == Flank::Left && patch.group == "torso") {
        let right = body.patches.iter().find(|patch| patch.flank == Flank::Right && patch.name == left.name);
        // A mirror image swaps u and w.
        let there = right.unwrap().patch.position(0.7, 0.3);
        let here = left.patch.position(0.3, 0.7);
        assert!(here.distance(there.with_x(-there.x)) < ROUNDING, "{}", left.name);
        let before = rest.patches.iter().find(|patch| patch.flank == Flank::Left && patch.name == left.name);
        moved_m = moved_m.max(before.unwrap().patch.position(0.3, 0.7).distance(here));
    }
    assert!(moved_m > 1e-3, "the offsets count: {moved_m}");
}

/// The surface passes the heel's ring in the direction of its neighbors, of which the ring above the ankle moves with the shank.
const FOOT_M: f64 = 1e-3;

/// Control points of a foot, from the ankle.
fn foot_of(body: &Body) -> Vec<DVec3> {
    let ankle = body.joints.iter().find(|joint| joint.name == "ankle" && joint.flank == Flank::Left).unwrap();
    let leg = body.tubes.iter().find(|tube| tube.name == "leg" && tube.flank == Flank::Left).unwrap();
    // From the ring of the heel on.
    leg.tube.points()[20 * leg.tube.row_len()..].iter().map(|&point| point - ankle.position).collect()
}

#[test]
fn after_any_change_of_lengths_and_joints_the_feet_stand_as_before() {
    let template = Template::human();
    let mut random = Random::new(7);
    let lowest = |body: &Body| body.tessellate(6).positions.iter().fold(f64::MAX, |low, at| low.min(at.y));
    for round in 0..20 {
        let base = if round % 2 == 0 { crate::testing::man() } else { crate::testing::woman() };
        let before = build(&template, &base).unwrap();
        let mut design = base.clone();
        for name in ["thigh", "shank", "pelvis", "abdomen", "upper_arm", "forearm"] {
            let bone =
                before.bones.iter().find(|bone| bone.name == name && bone.flank != Flank::Right).unwrap();
            let length = before.joints[bone.from].position.distance(before.joints[bone.to].position);
            design.lengths.insert(name.to_owned(), (length * (1.0 + 0.15 * random.signed())).into());
        }
        let moved = build(&template, &design).unwrap();
        assert!((lowest(&moved) - lowest(&before)).abs() < ROUNDING, "{}", lowest(&moved));
        let (was, is) = (foot_of(&before), foot_of(&moved));
        let changed = was.iter().zip(&is).map(|(was, is)| was.distance(*is)).fold(0.0, f64::max);
        assert!(changed < FOOT_M, "a foot changes by {changed} m");
    }
}

/// The left elbow bent by 90° under a design.
fn bent_elbow(text: &str) -> crate::pose::PosedBody {
    use crate::pose::{BodyPose, JointPose, PosedBody};
    let body = build(&Template::human(), &Design::parse(text).unwrap()).unwrap();
    let mut posed = PosedBody::new(body);
    let mut pose = BodyPose::rest(posed.figure());
    let forearm = posed.figure().find("forearm", Flank::Left).unwrap();
    let bent = JointPose { bend_rad: std::f64::consts::FRAC_PI_2, ..JointPose::default() };
    pose.set_joint(posed.figure(), forearm, &bent);
    posed.set(&pose);
    posed
}

#[test]
fn a_designs_motions_change_what_the_skin_does() {
    let place = |text: &str, patch: &str| {
        let posed = bent_elbow(text);
        let found =
            posed.body().patches.iter().find(|found| found.name == patch && found.flank == Flank::Left);
        found.unwrap().patch.position(0.5, 0.5)
    };
    let moved = |text: &str, patch: &str| place(text, patch).distance(place("", patch));
    let bulge = "motions.forearm.bulges = [{ patch = \"arm/upper_arm/0\", height = 0.024 }]";
    // The template's own bulge is 11.5 mm; the patch's middle lies a little beside the top.
    let raised = moved(bulge, "arm/upper_arm/0");
    assert!((0.75..1.05).contains(&(raised / (0.024 - 0.0115))), "{raised}");
    assert!(moved(bulge, "leg/thigh/0") < ROUNDING, "other limbs stay");
    let elbow = (0..4).map(|k| moved("motions.forearm.roundness = 0.8", &format!("arm/elbow/{k}")));
    assert!(elbow.fold(0.0, f64::max) > 1e-3, "the source's p");
    assert!(moved("motions.forearm.axis = [-1, -1, 0.5]", "arm/forearm/0") > 0.01, "the bend axis");
    let one_side = "motions.forearm.right.axis = [-1, -1, 0.5]";
    assert!(moved(one_side, "arm/forearm/0") < ROUNDING, "the other side stays");
}

#[test]
fn motions_that_cannot_be_are_refused_with_the_key() {
    for (text, message) in [
        ("motions.forarm.roundness = 0.3", "motions.forarm: unknown bone"),
        ("motions.forearm.roudness = 0.3", "motions.forearm: unknown field `roudness`"),
        ("motions.forearm.share = 1.5", "motions.forearm.share 1.5 is out of range"),
        ("motions.forearm.bend = [40, 10]", "motions.forearm.bend 40 is out of range"),
        ("motions.forearm.axis = [0, 0, 0]", "motions.forearm.axis: the axis has no direction"),
        ("motions.forearm.bulges = [{ patch = \"arm/none/0\", height = 0.01 }]", "refers to \"arm/none/0\""),
        ("rings.elbow.cut = 0.2", "rings.elbow.cut: no fill lies beside this ring"),
        ("rings.arm_root.cut = 0.9", "rings.arm_root.cut 0.9 is out of range"),
    ] {
        let error = build(&Template::human(), &Design::parse(text).unwrap()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_cut_gives_the_end_of_a_tube_to_the_fills_and_keeps_the_rest() {
    let build = |text: &str| build(&Template::human(), &Design::parse(text).unwrap()).unwrap();
    let (plain, cut) = (build(""), build("rings.arm_root.cut = 0.3"));
    assert_smooth_and_closed(&cut, 9);
    let patch = |body: &Body| {
        let found = body.patches.iter().find(|patch| patch.name == "arm/shoulder/1").unwrap();
        found.patch
    };
    for w in [0.0, 0.4, 1.0] {
        let kept = patch(&plain).position(0.3, 0.3 + 0.7 * w);
        assert!(kept.distance(patch(&cut).position(0.3, w)) < ROUNDING);
    }
}

#[test]
fn a_head_is_its_own_mirror_image_bit_for_bit() {
    for body in [human(), build(&Template::human(), &crate::testing::woman()).unwrap()] {
        let head = body.head.as_ref().unwrap();
        let patch = |patch: usize| body.patches[head.first_patch + patch].patch;
        for k in 0..head.net.patch_count() {
            let image = patch(k).map(|at| DVec3::new(-at.x, at.y, at.z)).transposed();
            assert_eq!(
                patch(head.net.mirrored_patch(k)),
                image,
                "{}",
                body.patches[head.first_patch + k].name
            );
        }
    }
}

#[test]
fn keys_of_heads_of_tubes_say_what_to_do() {
    for text in ["rings.jaw.front = 0.1", "offsets.\"head/nose/1/3\" = [0, 0, 0.001]"] {
        let error = build(&Template::human(), &Design::parse(text).unwrap()).unwrap_err().to_string();
        assert!(error.contains("head.face"), "{error}");
    }
    let many = Design::parse("head.face = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]").unwrap();
    let error = build(&Template::human(), &many).unwrap_err().to_string();
    assert!(error.contains("13 amounts; the head has 12 modes"), "{error}");
    let animal = build(&Template::quadruped(), &Design::parse("head.size = [1, 1, 2]").unwrap());
    assert!(animal.unwrap_err().to_string().starts_with("head: "));
}

#[test]
fn a_head_grows_with_its_bone() {
    let (template, man) = (Template::human(), crate::testing::man());
    let [before, after] = ["", "lengths.head = 0.25"].map(|text| {
        let design = Design::parse(text).unwrap().laid_over(&template, &man);
        let body = build(&template, &design).unwrap();
        let bone = body.bones.iter().find(|bone| bone.name == "head").unwrap();
        let long = body.joints[bone.from].position.distance(body.joints[bone.to].position);
        let wide = body.patches.iter().filter(|patch| patch.group == "head");
        (long, wide.map(|patch| patch.patch.position(0.5, 0.5).x).fold(0.0, f64::max))
    });
    assert!((after.0 - 0.25).abs() < EXACT);
    // The same of place and joint: the net is linear in its size.
    assert!((after.1 / before.1 - after.0 / before.0).abs() < 1e-9, "{before:?} {after:?}");
}
