//! An elbow is bent.

use super::*;
use sinew::flesh::FleshSkin;
use sinew::flesh::muscles::Contraction;
use sinew::geometry::progress::Progress;
use sinew::rig::samples;

#[derive(Debug)]
struct Bent {
    /// Along x of the muscle's own stretch, at the end.
    contraction: Contraction,
    /// Of the upper arm at the biceps: what skinning alone gives, and flesh, metres.
    girths_m: [f32; 2],
    /// Volume of the tetrahedra at the end over that at the beginning, and of the skinned ones alike.
    volume: f64,
}

fn bent(strength: f64) -> Bent {
    let character = samples::figure();
    let mut flesh = natural();
    flesh.muscles.drive.strength = strength;
    let rig = rig_of(&character, &flesh, 5000);
    let elbow = character.skeleton().find("LeftLowerArm").expect("an elbow");
    let upright = character.skeleton().rest_model_from_bone()[elbow.index()];
    // About the elbow's own x, which is how it folds.
    let axis = Vec3::from(upright.matrix3.x_axis).normalize();
    let clip = turned(
        &character,
        &[("LeftLowerArm", Quat::from_axis_angle(axis, 140f32.to_radians()))],
        [0.0, 1.0, 2.5],
    );
    let motion = once(&clip, 30.0);
    let run = FleshRun::new(&rig, Method::Lbs);
    let frames = run.play(&motion, &Progress::none()).expect("a motion");
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    skin.set(skin.frame_count() - 1);
    let biceps =
        rig.muscles.muscles().iter().position(|muscle| muscle.name == "biceps.left").expect("a biceps");
    let drive = rig.drive.as_ref().expect("a human");
    let mut contractions = vec![Contraction::default(); drive.muscle_count()];
    drive.contractions_into(skin.posed().model_from_bone(), &drive.slack(), &mut contractions);
    let shoulder = character.skeleton().find("LeftUpperArm").expect("a shoulder");
    let [head, tip] = [shoulder, elbow].map(|bone| skin.posed().head(bone));
    let triangles = &rig.covered.surface.triangles;
    let girth = |positions: &[Vec3]| girth_m(positions, triangles, head, tip);
    let states = &frames.states;
    Bent {
        contraction: contractions[biceps],
        girths_m: [girth(&skin.posed().surface().positions), girth(skin.positions())],
        volume: states[states.len() - 1].volume / states[0].volume,
    }
}

/// The largest length of the closed line in which planes across the middle of the upper arm cut its skin.
fn girth_m(positions: &[Vec3], triangles: &[[u32; 3]], head: Vec3, tip: Vec3) -> f32 {
    let along = (tip - head).normalize();
    let cut = |share: f32| -> f32 {
        let middle = head.lerp(tip, share);
        let near = |point: Vec3| (point - middle).length() < 0.6 * head.distance(tip).min(0.2);
        let mut length = 0.0;
        for triangle in triangles {
            let corners = triangle.map(|vertex| positions[vertex as usize]);
            if !corners.into_iter().all(near) {
                continue;
            }
            let height = corners.map(|corner| (corner - middle).dot(along));
            let mut ends = Vec::new();
            for at in 0..3 {
                let (a, b) = (height[at], height[(at + 1) % 3]);
                if (a >= 0.0) != (b >= 0.0) {
                    ends.push(corners[at].lerp(corners[(at + 1) % 3], a / (a - b)));
                }
            }
            if let [from, to] = ends[..] {
                length += from.distance(to);
            }
        }
        length
    };
    (9..=13).map(|step| cut(0.05 * step as f32)).sum::<f32>() / 5.0
}

#[test]
fn a_bent_elbow_raises_the_biceps_and_keeps_the_volume() {
    let [flexed, slack] = [1.0, 0.0].map(bent);
    assert!(flexed.contraction.along < 0.9 && slack.contraction.along == 1.0, "{flexed:?} {slack:?}");
    let rise = |bent: &Bent| bent.girths_m[1] / bent.girths_m[0] - 1.0;
    // The biceps is a part of the arm: of its own 16 % across, so much shows in the girth of all.
    assert!(rise(&flexed) > 0.015, "{}, {flexed:?}", rise(&flexed));
    assert!(rise(&slack).abs() < 0.005, "{}, {slack:?}", rise(&slack));
    assert!((flexed.volume - 1.0).abs() < 0.01 && (slack.volume - 1.0).abs() < 0.01, "{flexed:?} {slack:?}");
}
