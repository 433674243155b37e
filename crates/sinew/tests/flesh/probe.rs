use super::*;
use sinew::rig::samples;

#[test]
fn probe() {
    let character = samples::figure();
    for (name, strength, body, volume, ground) in
        [("all", 1.0, true, 1.0, true), ("none", 0.0, false, 0.0, false)]
    {
        let mut flesh = natural();
        flesh.muscles.drive.strength = strength;
        flesh.contact.body = body;
        flesh.contact.ground = ground;
        flesh.simulation.volume_share = volume;
        let rig = rig_of(&character, &flesh, 1200);
        let turns = [
            ("LeftUpperArm", Quat::from_rotation_z(-1.05)),
            ("LeftUpperLeg", Quat::from_rotation_x(-1.6)),
            ("LeftLowerLeg", Quat::from_rotation_x(2.2)),
        ];
        let clip = turned(&character, &turns, [0.0, 0.1, 3.1]);
        let frames = play(&rig, &once(&clip, 30.0));
        let speeds: Vec<String> = frames
            .deviations
            .windows(2)
            .step_by(6)
            .map(|pair| {
                format!(
                    "{:.3}",
                    1e3 * pair[0].iter().zip(&pair[1]).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
                )
            })
            .collect();
        eprintln!(
            "{name} frozen mm frame by frame {}; stays {:.1} mm",
            speeds.join(" "),
            1e3 * farthest_m(&rig, frames.deviations.last().unwrap())
        );
        for clip in character.clips() {
            let motion = FleshMotion { speed: 0.2, ..once(clip, 2.0) };
            let frames = play(&rig, &motion);
            let mut worst = (0.0, 0, 0);
            for (frame, deviations) in frames.deviations.iter().enumerate() {
                for (vertex, away) in rig.covered.cover.embedding.apply(deviations).iter().enumerate() {
                    if away.length() > worst.0 {
                        worst = (away.length(), frame, vertex);
                    }
                }
            }
            let tet = rig.covered.cover.embedding.corners()[worst.2][0] as usize;
            let bone = rig.anatomy.bone[tet];
            eprintln!(
                "{name} {}: {:.1} mm frame {} at {:?} of {}; rest {:.1}",
                clip.name,
                1e3 * worst.0,
                worst.1,
                rig.covered.surface.positions[worst.2],
                character.skeleton().bone(bone).name,
                1e3 * farthest_m(&rig, &frames.deviations[0]),
            );
        }
    }
}
