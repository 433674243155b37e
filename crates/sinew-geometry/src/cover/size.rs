//! The spacing that gives a wanted number of tetrahedra.

use super::{Cover, CoverError, Job};

/// The number is met when it is off by less than this share.
const CLOSE_ENOUGH: f64 = 0.03;
/// Each try makes a whole cover; the guess is usually within a tenth, and one correction meets it.
const MOST_TRIES: usize = 5;

pub(super) fn run(job: &Job<'_>, wanted: usize) -> Result<Cover, CoverError> {
    if wanted == 0 || wanted > job.most_tets {
        return Err(CoverError::Count { count: wanted, most_tets: job.most_tets });
    }
    let mut spacing = guess(job, wanted as f64);
    let mut best: Option<Cover> = None;
    let off = |cover: &Cover| (cover.mesh.tets().len() as f64 / wanted as f64).ln().abs();
    for _ in 0..MOST_TRIES {
        let cover = match job.run(spacing as f32) {
            Ok(cover) => cover,
            // A try that overshoots the limit is followed by a coarser one.
            Err(CoverError::TooMany { .. }) => {
                spacing *= 1.5;
                continue;
            }
            Err(error) => return best.ok_or(error),
        };
        // Between the cube and the square of the spacing, as inside and surface have their parts in the number.
        spacing *= (cover.mesh.tets().len() as f64 / wanted as f64).powf(1.0 / 2.5);
        if best.as_ref().is_none_or(|best| off(&cover) < off(best)) {
            best = Some(cover);
        }
        if best.as_ref().is_some_and(|best| off(best) < CLOSE_ENOUGH) {
            break;
        }
    }
    best.ok_or(CoverError::Count { count: wanted, most_tets: job.most_tets })
}

/// A spacing h at which 12 V / h³ + k A / h² is the wanted number.
fn guess(job: &Job<'_>, wanted: f64) -> f64 {
    // A plane passes some 9 tetrahedra on each square of the spacing; half of their volume lies outside.
    const OUTSIDE_PER_AREA: f64 = 4.5;
    let number =
        |h: f64| 12.0 * job.surface.volume / (h * h * h) + OUTSIDE_PER_AREA * job.surface.area / (h * h);
    let size = f64::from(job.surface.bounds.diagonal());
    let (mut low, mut high) = (size * 1e-6, size * 10.0);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if number(middle) > wanted { low = middle } else { high = middle }
    }
    high
}
