//! Maps a region onto the unit disc by convex combinations: the border lies on the circle, every other point at a mean of its neighbors.
//! Such a map does not fold, \[Floater97\]. The weights are changed until each part of the region has its share of the tube, after
//! \[Yoshizawa04\].

use super::region::Region;
use glam::{DVec2, DVec3};

/// Rounds of changing weights; more do not change a head.
const ROUNDS: usize = 120;
/// Conjugate gradients per round: stop at this share of the squared residual, and the maximum steps.
const END: f64 = 1e-10;
const STEPS: usize = 400;
/// Share of their pull that neighbors exchange per round.
const SHARED: f64 = 0.9;
/// Speed of moving the tip to the middle, by giving more room to its side.
const TILT_STEP: f64 = 0.3;
/// Maximum remaining distance of the tip from the middle.
const MOST_REST: f64 = 0.2;
/// The linear part of the profile.
const LINEAR: f64 = 0.45;
/// Bounds of the weights that keep angles.
const ANGLE_WEIGHTS: (f64, f64) = (0.05, 5.0);
/// Influence of angles: at one the map is as conformal as possible and squeezes ears into small places, at zero it shears.
const ANGLE_POWER: f64 = 0.7;
/// Bounds of pulls.
const LEAST_PULL: f64 = 1e-3;
/// Share of the tube of a triangle: its area to this power. At one all parts are equal, at zero all triangles.
const AREA_POWER: f64 = 0.4;
/// Change of weights per round; larger may oscillate.
const CHANGE: f64 = 0.25;
/// Minimum radius for the tube's width: at the tip it is a point.
const NEAR_TIP: f64 = 0.12;

/// Position of each point on the disc: `angle` returns the position of border points on the circle; the tip is in the middle. `None`
/// if the region has no such map.
pub(super) fn map(region: &Region, angle: impl Fn(DVec3) -> f64) -> Option<Vec<DVec2>> {
    let wanted: Vec<DVec2> =
        region.border.iter().map(|&point| DVec2::from_angle(angle(region.points[point].at))).collect();
    let mut layout = Layout::new(region);
    for (&point, &at) in region.border.iter().zip(&wanted) {
        layout.places[point] = at;
    }
    let mut tilt = 0.0;
    for _ in 0..ROUNDS {
        layout.relax(region);
        layout.make_symmetric(region);
        tilt += TILT_STEP * layout.places[region.tip].y;
        layout.change_weights(region, tilt);
    }
    layout.relax(region);
    layout.make_symmetric(region);
    // Spread the remaining offset from the middle: the border stays.
    let rest = layout.places[region.tip];
    let places: Vec<DVec2> =
        layout.places.iter().map(|&place| place - (1.0 - place.length_squared()).max(0.0) * rest).collect();
    let is_sound = rest.length() < MOST_REST && places.iter().all(|place| place.is_finite());
    is_sound.then_some(places)
}

/// The share of the way from border to tip at a radius. The border has more of it, because of chins and jaws; near the tip it is linear,
/// which keeps the surface smooth there.
pub(super) fn along(radius: f64) -> f64 {
    1.0 - LINEAR * radius - (1.0 - LINEAR) * radius.powi(3)
}

fn along_slope(radius: f64) -> f64 {
    LINEAR + 3.0 * (1.0 - LINEAR) * radius * radius
}

/// Half the cotangents of the angles opposite each edge, the weights of a conformal map; kept positive to prevent folds.
fn angle_weights(region: &Region) -> Vec<Vec<f64>> {
    let mut weights: Vec<Vec<f64>> = region.neighbors.iter().map(|list| vec![0.0; list.len()]).collect();
    for triangle in &region.triangles {
        for k in 0..3 {
            let [a, b, c] = [triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3]];
            let at = |point: usize| region.points[point].at;
            let (first, second) = (at(a) - at(c), at(b) - at(c));
            let cotangent = first.dot(second) / first.cross(second).length().max(1e-12);
            for (from, to) in [(a, b), (b, a)] {
                if let Ok(place) = region.neighbors[from].binary_search(&to) {
                    weights[from][place] += 0.5 * cotangent;
                }
            }
        }
    }
    for weight in weights.iter_mut().flatten() {
        *weight = weight.clamp(ANGLE_WEIGHTS.0, ANGLE_WEIGHTS.1).powf(ANGLE_POWER);
    }
    weights
}

struct Layout {
    places: Vec<DVec2>,
    is_fixed: Vec<bool>,
    /// Weights of each point's neighbors for a nearly conformal map.
    angles: Vec<Vec<f64>>,
    /// Pull of each point on its neighbors; the weight of an edge is the one above times those of its ends.
    pulls: Vec<f64>,
    /// Target share of the tube for each triangle.
    shares: Vec<f64>,
}

impl Layout {
    fn new(region: &Region) -> Self {
        let mut is_fixed = vec![false; region.points.len()];
        region.border.iter().for_each(|&point| is_fixed[point] = true);
        let at = |point: usize| region.points[point].at;
        let share = |&[a, b, c]: &[usize; 3]| {
            (at(b) - at(a)).cross(at(c) - at(a)).length().max(1e-9).powf(AREA_POWER)
        };
        let mut shares: Vec<f64> = region.triangles.iter().map(share).collect();
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        Layout {
            places: vec![DVec2::ZERO; region.points.len()],
            is_fixed,
            angles: angle_weights(region),
            pulls: vec![1.0; region.points.len()],
            shares,
        }
    }

    /// Neighbors of a point and how strongly they draw it.
    fn drawn<'a>(&'a self, region: &'a Region, point: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
        let list = region.neighbors[point].iter().zip(&self.angles[point]);
        list.map(|(&neighbor, angle)| (neighbor, angle * self.pulls[neighbor]))
    }

    /// Solves for the means by conjugate gradients, starting at the current positions.
    fn relax(&mut self, region: &Region) {
        let count = self.places.len();
        let weight: Vec<f64> = (0..count)
            .map(|point| self.pulls[point] * self.drawn(region, point).map(|(_, by)| by).sum::<f64>())
            .collect();
        let apply = |x: &[DVec2]| -> Vec<DVec2> {
            let rest = |point: usize| {
                let sum: DVec2 = self.drawn(region, point).map(|(neighbor, by)| by * x[neighbor]).sum();
                // Divided by the weight, which conditions the equations.
                x[point] - self.pulls[point] * sum / weight[point]
            };
            (0..count).map(|point| if self.is_fixed[point] { DVec2::ZERO } else { rest(point) }).collect()
        };
        let dot = |a: &[DVec2], b: &[DVec2]| (0..count).map(|k| weight[k] * a[k].dot(b[k])).sum::<f64>();
        let mut residual: Vec<DVec2> = apply(&self.places).into_iter().map(|r| -r).collect();
        let mut way = residual.clone();
        let mut size = dot(&residual, &residual);
        let end = END * size;
        let mut places = self.places.clone();
        for _ in 0..STEPS {
            if size <= end || size < f64::MIN_POSITIVE {
                break;
            }
            let image = apply(&way);
            let step = size / dot(&way, &image);
            for point in 0..count {
                places[point] += step * way[point];
                residual[point] -= step * image[point];
            }
            let next = dot(&residual, &residual);
            for point in 0..count {
                way[point] = residual[point] + next / size * way[point];
            }
            size = next;
        }
        self.places = places;
    }

    /// The disc's first axis points to the left; mirror images differ in its sign.
    fn make_symmetric(&mut self, region: &Region) {
        let before = self.places.clone();
        for (point, image) in region.images.iter().enumerate() {
            if let (Some(image), false) = (*image, self.is_fixed[point]) {
                let there = before[image];
                self.places[point] = 0.5 * (before[point] + DVec2::new(-there.x, there.y));
            }
        }
    }

    /// Points whose surroundings have too small a share of the tube pull their neighbors less.
    fn change_weights(&mut self, region: &Region, tilt: f64) {
        let places = &self.places;
        let count = places.len();
        let (mut wanted, mut found) = (vec![0.0; count], vec![0.0; count]);
        let tilted = |(&[a, b, c], share): (&[usize; 3], &f64)| {
            share * (tilt * (places[a].y + places[b].y + places[c].y) / 3.0).exp()
        };
        let shares: Vec<f64> = region.triangles.iter().zip(&self.shares).map(tilted).collect();
        let on_tube = |&[a, b, c]: &[usize; 3]| {
            let area = (places[b] - places[a]).perp_dot(places[c] - places[a]).abs();
            let radius = ((places[a] + places[b] + places[c]) / 3.0).length();
            area * along_slope(radius) / radius.max(NEAR_TIP)
        };
        let areas: Vec<f64> = region.triangles.iter().map(on_tube).collect();
        let (sum, share_sum): (f64, f64) = (areas.iter().sum(), shares.iter().sum());
        for ((triangle, area), share) in region.triangles.iter().zip(&areas).zip(&shares) {
            for &point in triangle {
                wanted[point] += share / share_sum;
                found[point] += area / sum;
            }
        }
        for point in 0..count {
            let stretch = (wanted[point] / found[point].max(1e-12)).clamp(0.05, 20.0);
            self.pulls[point] =
                (self.pulls[point] * stretch.powf(-CHANGE)).clamp(LEAST_PULL, 1.0 / LEAST_PULL);
        }
        // Neighbors exchange their pulls, which keeps the map smooth.
        let before = self.pulls.clone();
        for (point, list) in region.neighbors.iter().enumerate() {
            let mean = list.iter().map(|&neighbor| before[neighbor].ln()).sum::<f64>() / list.len() as f64;
            self.pulls[point] = before[point].powf(1.0 - SHARED) * (SHARED * mean).exp();
        }
    }
}
