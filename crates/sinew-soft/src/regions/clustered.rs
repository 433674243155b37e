//! Wide regions, as a second, coarse level.
//!
//! Iterations carry what happens at one end of a body from region to region, so that many small regions take long to settle. Wide ones
//! carry it across in one iteration, if they have a good share of the stiffness: an iteration goes as far as the stiffest level allows,
//! and small regions with a share s of it are 1 / s times less stiff. Shares of all levels sum to 1, so that the body as a whole is
//! about as stiff as one level alone would be; what is smaller than a wide region is softer, by the share of the fine level.
//!
//! Limits: a wide region sees bending only as far as it is linear within it, and is too soft where a body is few of them thick. The bar of
//! `benches/soft/coarse_level.rs`, 2,025 particles, 60 Hz, sags by 1.8 % more than theory says and settles in 1.13 s without them; 14 % and
//! 0.98 s with 120 that have half of the stiffness; 44 % and 0.75 s with 120 that have four fifths.

use super::Rings;
use glam::Vec3;

impl Rings {
    /// `count` wide regions over all particles: middles are chosen each as far as can be from those before (\[Gonzalez85\]), and each
    /// particle joins the regions of its `overlap` nearest. With an overlap of 8 neighbouring regions share most of their particles,
    /// as they must to hold together.
    ///
    /// # Degenerate input
    /// No more regions than particles; points that are not finite join the first regions.
    pub fn clustered(points: &[Vec3], count: usize, overlap: usize) -> Self {
        let middles = spread_out(points, count.min(points.len()));
        let overlap = overlap.clamp(1, middles.len().max(1));
        let mut lists = vec![Vec::new(); middles.len()];
        let mut near: Vec<(f32, usize)> = Vec::new();
        for (particle, point) in points.iter().enumerate() {
            near.clear();
            near.extend(middles.iter().map(|&middle| point.distance_squared(points[middle])).zip(0..));
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            near.iter().take(overlap).for_each(|&(_, list)| lists[list].push(particle as u32));
        }
        Self::from_lists(lists)
    }
}

/// Points each as far as can be from those before, beginning with the one farthest from the mean.
fn spread_out(points: &[Vec3], count: usize) -> Vec<usize> {
    let mean = points.iter().sum::<Vec3>() / points.len().max(1) as f32;
    let mut distances: Vec<f32> = points.iter().map(|point| point.distance_squared(mean)).collect();
    let mut chosen = Vec::with_capacity(count);
    for number in 0..count {
        let farthest =
            (0..points.len()).fold(0, |most, at| if distances[at] > distances[most] { at } else { most });
        chosen.push(farthest);
        for (distance, point) in distances.iter_mut().zip(points) {
            let own = point.distance_squared(points[farthest]);
            *distance = if number == 0 { own } else { distance.min(own) };
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_cover_all_and_overlap() {
        let points: Vec<Vec3> =
            (0..100).map(|at| Vec3::new((at % 10) as f32, (at / 10) as f32, 0.0)).collect();
        let rings = Rings::clustered(&points, 9, 4);
        assert_eq!(rings.len(), 9);
        let regions_of = rings.inverted(100);
        assert!((0..100).all(|particle| regions_of.list(particle).len() == 4));
        assert!((0..9).all(|list| rings.list(list).len() > 4), "{rings:?}");
        assert_eq!(Rings::clustered(&[], 9, 4).len(), 0);
        assert_eq!(Rings::clustered(&points[..2], 9, 4).len(), 2);
    }
}
