//! How long a new pose of a whole human takes: control points and fills, then vertices with normals.
//!
//! Run with `cargo run --release --manifest-path benches/Cargo.toml --example pose_speed`.
#![expect(clippy::print_stdout, reason = "an example that prints its measurement")]

use glam::Vec3;
use sinew_body::limb::VolumeMode;
use sinew_body::pose::{BodyPose, JointPose, MeshEvaluator, PosedBody};
use sinew_body::{Design, Template, build};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let body = build(&Template::human(), &Design::default())?;
    let steps = (4..40).step_by(2).find(|&steps| body.tessellate(steps).places.len() >= 28_000).unwrap_or(8);
    let mesh = body.tessellate(steps);
    let evaluator = MeshEvaluator::new(&mesh);
    let mut room = evaluator.room();
    let mut positions = vec![Vec3::ZERO; mesh.places.len()];
    let mut normals = positions.clone();
    let mut posed = PosedBody::new(body.clone());
    let poses: Vec<BodyPose> = (0..20).map(|k| pose_of(&posed, 0.05 * k as f64)).collect();
    println!("{} patches, {} vertices", body.patches.len(), positions.len());
    for volume in [VolumeMode::Free, VolumeMode::Held] {
        posed.volume = volume;
        // The best of many rounds for each pose, because the machine may have other work; poses differ in what they cost.
        let mut best = vec![[f64::INFINITY; 2]; poses.len()];
        for _ in 0..40 {
            for (pose, best) in poses.iter().zip(&mut best) {
                let start = Instant::now();
                posed.set(pose);
                let posed_at = start.elapsed().as_secs_f64();
                evaluator.evaluate_into(posed.body(), &mut room, &mut positions, &mut normals);
                let whole = start.elapsed().as_secs_f64();
                *best = [best[0].min(posed_at), best[1].min(whole - posed_at)];
            }
        }
        let mean = |of: usize| 1e3 * best.iter().map(|times| times[of]).sum::<f64>() / best.len() as f64;
        let worst = 1e3 * best.iter().map(|times| times[0] + times[1]).fold(0.0, f64::max);
        println!(
            "volume {volume:?}: control points {:.3} ms, vertices {:.3} ms; slowest pose {worst:.3} ms",
            mean(0),
            mean(1)
        );
    }
    Ok(())
}

/// Every joint bent by a share of its range.
fn pose_of(posed: &PosedBody, share: f64) -> BodyPose {
    let mut pose = BodyPose::rest(posed.figure());
    for (bone, motion) in posed.rest().motions.iter().enumerate() {
        let joint = JointPose {
            bend_rad: share * motion.bend.greatest_rad,
            twist_rad: 0.5 * share * motion.twist.greatest_rad,
            aside_rad: 0.3 * share * motion.aside.greatest_rad,
        };
        pose.set_joint(posed.figure(), bone, &joint);
    }
    pose
}
