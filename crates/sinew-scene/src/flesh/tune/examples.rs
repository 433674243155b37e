//! Recorded shapes.

use glam::Vec3;
use sinew_flesh::{FleshMotion, FleshRun};
use sinew_io::{PointsReadError, read_npy_f32, read_pc2};

/// Why shapes are no examples for a motion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ExamplesError {
    /// Another kind of file.
    #[error("cannot read shapes from {0:?}; use .npy or .pc2, as `sinew flesh … -o shapes.npy` writes them")]
    Kind(String),
    /// A damaged array or cache.
    #[error(transparent)]
    Points(#[from] PointsReadError),
    /// An array of other axes. `shape`: as stored.
    #[error("expected an array of frames × vertices × 3, found shape {shape:?}")]
    Shape { shape: Vec<usize> },
    /// Nothing in it.
    #[error("it has no frames; record the motion with `sinew flesh … -o shapes.npy`, or elsewhere")]
    Empty,
    /// Another skin. `found`: its vertices. `expected`: those of the model.
    #[error(
        "frame {frame} has {found} vertices, the model has {expected}; record this model, with its vertices in order"
    )]
    VertexCount { frame: usize, found: usize, expected: usize },
    /// Another length. `found`: frames recorded. `clip`: the motion's. `secs`: how long it is as it is played, seconds.
    /// `expected`: frames it has at the rate. `fps`: the rate. `fits`: the rate at which it would have as many as there are.
    #[error(
        "{found} frames, but the motion {clip:?} of {secs:.3} s has {expected} at {fps} fps{}",
        .fits.map(|fits| format!(" ({found} would be {fits:.4} fps)")).unwrap_or_default()
    )]
    FrameCount { found: usize, clip: String, secs: f64, expected: usize, fps: f64, fits: Option<f64> },
    /// NaN or infinity.
    #[error("frame {frame}: vertex {vertex} is not finite")]
    NotFinite { frame: usize, vertex: usize },
    /// Nothing to learn from. `rms_m`: how far they are from it, root mean square.
    #[error(
        "the recorded shapes equal skinning with muscles to {rms_m:.1e} m; they have no follow-through to learn from"
    )]
    NoFollowThrough { rms_m: f64 },
}

/// Reads shapes from the bytes of a file with this extension: one list of vertices a frame, metres.
///
/// # Errors
/// Another kind of file, a damaged one, or other axes than frames × vertices × 3.
pub fn read_examples(extension: &str, bytes: &[u8]) -> Result<Vec<Vec<Vec3>>, ExamplesError> {
    match extension {
        "pc2" => {
            let (header, points) = read_pc2(bytes, bytes.len() as u64)?;
            Ok(points.chunks_exact(header.point_count.max(1)).map(<[Vec3]>::to_vec).collect())
        }
        "npy" => {
            let array = read_npy_f32(bytes)?;
            let [_, vertices, 3] = array.shape[..] else {
                return Err(ExamplesError::Shape { shape: array.shape });
            };
            let frames = array.values.chunks_exact((3 * vertices).max(1));
            Ok(frames.map(|frame| frame.chunks_exact(3).map(Vec3::from_slice).collect()).collect())
        }
        other => Err(ExamplesError::Kind(format!(".{other}"))),
    }
}

/// Checks that shapes can be those of a motion of a skin.
pub(super) fn check(
    examples: &[Vec<Vec3>],
    vertex_count: usize,
    motion: &FleshMotion,
) -> Result<(), ExamplesError> {
    if examples.iter().all(Vec::is_empty) {
        return Err(ExamplesError::Empty);
    }
    for (frame, shape) in examples.iter().enumerate() {
        if shape.len() != vertex_count {
            return Err(ExamplesError::VertexCount { frame, found: shape.len(), expected: vertex_count });
        }
        if let Some(vertex) = shape.iter().position(|place| !place.is_finite()) {
            return Err(ExamplesError::NotFinite { frame, vertex });
        }
    }
    let (found, expected) = (examples.len(), FleshRun::frame_count(motion));
    if found == expected {
        return Ok(());
    }
    let secs = motion.clip.duration_secs() / motion.speed;
    let steps = if motion.is_loop { found } else { found - 1 };
    Err(ExamplesError::FrameCount {
        found,
        clip: motion.clip.name.clone(),
        secs,
        expected,
        fps: motion.fps,
        fits: (secs > 0.0 && steps > 0).then(|| steps as f64 / secs),
    })
}

/// Of so many blocks one is held out.
const HELD_OUT_OF: usize = 5;

/// Seconds of a block, unless there would be fewer than [`LEAST_BLOCKS`].
const BLOCK_SECS: f64 = 0.2;

/// So many blocks there are at least, if there are frames for them.
const LEAST_BLOCKS: usize = 10;

/// Which frames the search does not see: every fifth block of neighbours, the middle one of five.
pub(super) fn held_out(frame_count: usize, fps: f64) -> Vec<bool> {
    let usual = (BLOCK_SECS * fps).round().max(1.0) as usize;
    let block = usual.min(frame_count / LEAST_BLOCKS).max(1);
    (0..frame_count).map(|frame| frame / block % HELD_OUT_OF == HELD_OUT_OF / 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_io::write_npy;

    #[test]
    fn a_fifth_of_the_frames_is_held_out_in_blocks() {
        let held = held_out(150, 30.0);
        assert_eq!(held.iter().filter(|held| **held).count(), 30);
        assert_eq!(held[12..18], [true; 6]);
        assert!(!held[11] && !held[18] && !held[0]);
        assert_eq!(held_out(10, 30.0).iter().filter(|held| **held).count(), 2);
        assert_eq!(held_out(1, 30.0), [false]);
    }

    #[test]
    fn damaged_files_are_told() {
        let told = |extension: &str, bytes: &[u8], expected: &str| {
            let error = read_examples(extension, bytes).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error:?} should contain {expected:?}");
        };
        told("npy", b"", "not a .npy file");
        told("pc2", b"", "not a .pc2 file");
        told("abc", b"", "use .npy or .pc2");
        told("npy", &write_npy(&[4, 3], &[0.0; 12]).unwrap(), "frames × vertices × 3");
        told("npy", &write_npy(&[1, 4, 2], &[0.0; 8]).unwrap(), "[1, 4, 2]");
        let two = read_examples("npy", &write_npy(&[2, 1, 3], &[1., 2., 3., 4., 5., 6.]).unwrap()).unwrap();
        assert_eq!(two, [[Vec3::new(1.0, 2.0, 3.0)], [Vec3::new(4.0, 5.0, 6.0)]]);
        assert_eq!(read_examples("npy", &write_npy(&[0, 7, 3], &[]).unwrap()), Ok(Vec::new()));
    }
}
