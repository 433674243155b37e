//! A stick animal walks and trots: paws that stand neither slide nor sink.

use crate::support::{place_of, stick};
use glam::{Quat, Vec3};
use sinew_geometry::Trs;
use sinew_motion::{
    BakeSettings, GaitError, Quadruped, QuadrupedError, QuadrupedGait, QuadrupedGaitKind, QuadrupedSettings,
};
use sinew_rig::{Bone, BoneId, Character, CharacterParts, LocalTransform};

/// Name, parent, place; left ones stand for both sides. The legs of Sinew's quadruped with paws on the ground.
const JOINTS: [(&str, &str, [f32; 3]); 12] = [
    ("loin", "", [0.0, 0.55, -0.30]),
    ("ribs", "loin", [0.0, 0.56, 0.0]),
    ("neck", "ribs", [0.0, 0.60, 0.32]),
    ("head", "neck", [0.0, 0.77, 0.45]),
    ("leftUpper", "ribs", [0.08, 0.50, 0.24]),
    ("leftFore", "leftUpper", [0.10, 0.33, 0.215]),
    ("leftWrist", "leftFore", [0.10, 0.16, 0.235]),
    ("leftPaw", "leftWrist", [0.10, 0.03, 0.255]),
    ("leftThigh", "loin", [0.08, 0.51, -0.28]),
    ("leftShank", "leftThigh", [0.10, 0.33, -0.235]),
    ("leftHock", "leftShank", [0.10, 0.17, -0.33]),
    ("leftHindPaw", "leftHock", [0.10, 0.03, -0.29]),
];

fn animal() -> Character {
    let mut places: Vec<(String, String, Vec3)> = Vec::new();
    for (name, parent, place) in JOINTS {
        places.push((name.into(), parent.into(), place.into()));
        if name.starts_with("left") {
            let right = |text: &str| text.replacen("left", "right", 1);
            places.push((right(name), right(parent), Vec3::from(place) * Vec3::new(-1.0, 1.0, 1.0)));
        }
    }
    let find = |name: &str| places.iter().position(|(found, _, _)| found == name);
    let bones = places.iter().map(|(name, parent, place)| {
        let parent = find(parent);
        let origin = parent.map_or(Vec3::ZERO, |at| places[at].2);
        let rest = Trs { translation: *place - origin, rotation: Quat::IDENTITY, scale: Vec3::ONE };
        let (parent, rest) = (parent.map(BoneId::of), LocalTransform::Trs(rest));
        Bone { name: name.clone(), parent, rest, tip_in_bone: None }
    });
    let parts = CharacterParts { name: "dog".into(), bones: bones.collect(), ..CharacterParts::default() };
    Character::new(parts).expect("a dog")
}

#[test]
fn paws_that_stand_do_not_slide() {
    let character = animal();
    let dog = Quadruped::new(&character).expect("four legs");
    for (kind, least) in [(QuadrupedGaitKind::Walk, 0.5), (QuadrupedGaitKind::Trot, 0.35)] {
        let settings = QuadrupedSettings { kind, ..QuadrupedSettings::default() };
        let gait = QuadrupedGait::new(&dog, &settings).expect("a gait");
        let clip = gait.to_clip(&BakeSettings { fps: 120.0, ..BakeSettings::default() });
        for paw in ["leftPaw", "rightPaw", "leftHindPaw", "rightHindPaw"] {
            let (mut stands, mut most) = (0, 0.0f32);
            let at = |frame: usize| place_of(&character, &clip, paw, frame as f64 / 240.0);
            let lowest = (0..960).map(|frame| at(frame).y).fold(f32::INFINITY, f32::min);
            let mut touched: Option<Vec3> = None;
            for frame in 0..960 {
                let place = at(frame);
                if place.y > lowest + 3e-4 {
                    touched = None;
                    continue;
                }
                stands += 1;
                let began = *touched.get_or_insert(place);
                most = most.max((place - began).with_y(0.0).length());
            }
            eprintln!("{kind:?} {paw}: stands {stands}/960, drifts {most}");
            assert!(most < 1e-3, "{kind:?} {paw} slides by {most}");
            assert!(f64::from(stands) > least * 0.6 * 960.0, "{kind:?} {paw}: {stands}");
        }
        let way = place_of(&character, &clip, "loin", 4.0).z - place_of(&character, &clip, "loin", 0.0).z;
        assert!(way > 2.0, "{way}");
    }
}

#[test]
fn two_legs_are_not_four_and_nobody_flies() {
    let human = stick(1.75, 0.0);
    assert!(matches!(Quadruped::new(&human), Err(QuadrupedError::LegCount { .. })));
    let character = animal();
    let dog = Quadruped::new(&character).expect("four legs");
    let fast = QuadrupedSettings { speed_m_s: Some(30.0), ..QuadrupedSettings::default() };
    assert!(matches!(QuadrupedGait::new(&dog, &fast), Err(GaitError::TooFast { .. })));
}
