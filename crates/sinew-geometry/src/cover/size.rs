//! The spacing that gives a wanted number of tetrahedra.

use super::{Cover, CoverError, Job};

/// The number is met when it is off by less than this share.
const CLOSE_ENOUGH: f64 = 0.05;
/// Each try makes a whole cover; the first usually meets the number, because a coarse one was made before.
const MOST_TRIES: usize = 4;
/// The coarse cover that the guess is put right by has so many times fewer tetrahedra, and takes as much less time.
const COARSER: f64 = 8.0;

pub(super) fn run(job: &Job<'_>, wanted: usize) -> Result<Cover, CoverError> {
    if wanted == 0 || wanted > job.most_tets {
        return Err(CoverError::Count { count: wanted, most_tets: job.most_tets });
    }
    let coarse = job.run(guess(job, wanted as f64 / COARSER) as f32)?;
    let found = coarse.mesh.tets().len() as f64;
    let mut spacing = guess(job, wanted as f64 * guessed_number(job, f64::from(coarse.spacing)) / found);
    let off = |cover: &Cover| (cover.mesh.tets().len() as f64 / wanted as f64).ln().abs();
    let mut best = coarse;
    for _ in 0..MOST_TRIES {
        let cover = match job.run(spacing as f32) {
            Ok(cover) => cover,
            // A try that overshoots the limit is followed by a coarser one.
            Err(CoverError::TooMany { .. }) => {
                spacing *= 1.2;
                continue;
            }
            Err(error) => return Err(error),
        };
        // Between the cube and the square of the spacing, as inside and surface have their parts in the number.
        spacing *= (cover.mesh.tets().len() as f64 / wanted as f64).powf(1.0 / 2.5);
        if off(&cover) < off(&best) {
            best = cover;
        }
        if off(&best) < CLOSE_ENOUGH {
            break;
        }
    }
    Ok(best)
}

/// 12 V / h³ + k A / h²: what the number of tetrahedra goes by.
fn guessed_number(job: &Job<'_>, h: f64) -> f64 {
    // A plane passes some 9 tetrahedra on each square of the spacing; half of their volume lies outside.
    const OUTSIDE_PER_AREA: f64 = 4.5;
    12.0 * job.surface.volume / (h * h * h) + OUTSIDE_PER_AREA * job.surface.area / (h * h)
}

/// The spacing at which that number is the wanted one.
fn guess(job: &Job<'_>, wanted: f64) -> f64 {
    let size = f64::from(job.surface.bounds.diagonal());
    let (mut low, mut high) = (size * 1e-6, size * 10.0);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if guessed_number(job, middle) > wanted { low = middle } else { high = middle }
    }
    high
}
