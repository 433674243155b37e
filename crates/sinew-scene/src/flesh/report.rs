//! What is told of flesh in motion.

use serde::Serialize;
use sinew_flesh::{FleshFrames, FleshMotion, FleshPlaces, FleshRun, FleshSkin};
use std::sync::Arc;
use std::time::Duration;

/// How much of what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FleshSizes {
    /// Vertices of the skin.
    pub vertices: usize,
    /// Points of the tetrahedra.
    pub particles: usize,
    /// Tetrahedra.
    pub tetrahedra: usize,
    /// Particles that bones hold.
    pub held: usize,
    /// Layers.
    pub layers: usize,
    /// Muscles.
    pub muscles: usize,
}

/// How long it took, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FleshTimes {
    /// Tetrahedra, layers, fibres and muscles.
    pub setup_secs: f64,
    /// Steps, with their poses.
    pub simulation_secs: f64,
    /// Frames a second that were simulated, warm-up counted as frames.
    pub frames_per_sec: f64,
    /// Times faster than the motion itself.
    pub real_time_factor: f64,
}

/// What flesh did in a motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FleshReport {
    /// The motion.
    pub clip: String,
    /// Frames, and how many a second.
    pub frames: usize,
    /// Frames a second.
    pub fps: f64,
    /// How much of what there is.
    pub sizes: FleshSizes,
    /// How long it took.
    pub times: FleshTimes,
    /// The farthest that the skin is from where skinning puts it, metres.
    pub farthest_m: f32,
    /// The same as a root mean square over vertices and frames, metres.
    pub rms_m: f64,
    /// Volume at rest, cubic metres.
    pub rest_volume_m3: f64,
    /// Volume of each frame, as a share of that at rest.
    pub volumes: Vec<f64>,
    /// The same by skinning alone: what of it is the rig's doing.
    pub skinned_volumes: Vec<f64>,
    /// Kinetic energy of the motion against the rig, of each frame, joules.
    pub energies: Vec<f64>,
    /// Frames before which the character jumped to another place, so that flesh was carried along.
    pub jumps: Vec<usize>,
    /// What was missing at the end of a loop and was spread over it, metres.
    pub seam_m: f32,
}

impl FleshReport {
    /// Of frames that were played.
    pub fn new(
        run: &FleshRun,
        motion: &FleshMotion,
        frames: &Arc<FleshFrames>,
        (setup, simulation): (Duration, Duration),
    ) -> Self {
        let rig = run.rig();
        let mut skin = FleshSkin::new(run, motion, frames);
        let mut places = FleshPlaces::new(run, frames);
        let mesh = &rig.parts().mesh;
        let rest_volume = mesh.volume();
        let (mut farthest, mut squares, mut count) = (0.0f32, 0.0f64, 0usize);
        let (mut volumes, mut skinned_volumes) = (Vec::new(), Vec::new());
        for frame in 0..skin.frame_count() {
            skin.set_positions(frame);
            for away in skin.deviations() {
                let square = away.length_squared();
                farthest = farthest.max(square);
                squares += f64::from(square);
            }
            count += skin.deviations().len();
            places.set(frame, skin.pose());
            volumes.push(mesh.volume_at(places.now()) / rest_volume);
            skinned_volumes.push(mesh.volume_at(places.skinned()) / rest_volume);
        }
        let simulated = FleshRun::simulated_frame_count(motion) as f64;
        let secs = simulation.as_secs_f64().max(1e-9);
        Self {
            clip: motion.clip.name.clone(),
            frames: frames.deviations.len(),
            fps: motion.fps,
            sizes: FleshSizes {
                vertices: rig.covered.surface.positions.len(),
                particles: rig.anatomy.point_count(),
                tetrahedra: mesh.tets().len(),
                held: rig.anatomy.is_held.iter().filter(|held| **held).count(),
                layers: rig.anatomy.layer_count,
                muscles: rig.muscles.muscles().len(),
            },
            times: FleshTimes {
                setup_secs: setup.as_secs_f64(),
                simulation_secs: secs,
                frames_per_sec: simulated / secs,
                real_time_factor: simulated / motion.fps / secs,
            },
            farthest_m: farthest.sqrt(),
            rms_m: (squares / count.max(1) as f64).sqrt(),
            rest_volume_m3: rest_volume,
            volumes,
            skinned_volumes,
            energies: frames.states.iter().map(|state| state.energy).collect(),
            jumps: (0..frames.states.len()).filter(|&frame| frames.states[frame].has_jumped).collect(),
            seam_m: frames.seam_m,
        }
    }
}
