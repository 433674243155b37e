//! The nearest point of a convex hull, by its weights.
//!
//! After \[Wolfe76\], in terms of inner products alone: minimize ½ λᵀQλ − bᵀλ for λ ≥ 0, Σλ = 1, where Q holds the products of the
//! hull's points with each other and b those with the point that is projected. A corral of affinely independent points grows by the
//! point that promises most and shrinks by those whose weights vanish; a point that promises something though it lies in the plane of
//! the others takes the place of one of them. It ends after finitely many rounds.
//!
//! Departures from \[Koyama13\] section 4.3: its rule, setting negative weights to zero one after another and taking their share from
//! the rest, need not end and does not find the nearest point; it is kept as [`source_rule`], for comparison.

/// Products of the points of a hull: rest, which is the origin, and examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Q, with rest as the first row and column.
    products: Vec<f64>,
    size: usize,
}

/// Rounds after which the search ends with what it has. Wolfe's method takes about as many as there are points in the corral; a
/// hundred times as many means that rounding makes it go in circles, with nothing left to gain.
const MOST_ROUNDS: usize = 400;

/// A point is worth adding if it promises this share of the largest product.
const GAIN: f64 = 1e-13;

/// Points nearer to the plane of others than this share of their square length count as lying in it.
const INDEPENDENT: f64 = 1e-12;

/// Below this share, weights lose half of their digits, and are improved.
const WEAK: f64 = 1e-7;

/// What differences of products lose to rounding, as a share of the products: a few times that of an f64.
const ROUNDING: f64 = 2e-15;

impl Hull {
    /// The hull of the origin and of points with the given products, row by row.
    ///
    /// # Panics
    /// If there are not `count` rows of as many products.
    pub fn new(count: usize, products: &[f64]) -> Self {
        assert_eq!(products.len(), count * count, "a square of products");
        let size = count + 1;
        let mut all = vec![0.0; size * size];
        for row in 0..count {
            for column in 0..count {
                // Rounding must not make it skew.
                let mean = 0.5 * (products[row * count + column] + products[column * count + row]);
                all[(row + 1) * size + column + 1] = mean;
            }
        }
        Self { products: all, size }
    }

    /// Weights of the hull's nearest point, one per example; rest has what they leave of 1.
    ///
    /// `with`: products of the projected point with each example.
    ///
    /// # Panics
    /// If there is not one product an example.
    pub fn nearest(&self, with: &[f64], scratch: &mut HullScratch, weights: &mut [f64]) {
        assert_eq!((with.len(), weights.len()), (self.size - 1, self.size - 1), "one number an example");
        scratch.begin(self.size, with);
        let largest = (0..self.size).map(|at| self.at(at, at)).fold(0.0, f64::max);
        let gain = GAIN * with.iter().fold(largest, |most, product| most.max(product.abs()));
        let (mut value, mut stalls) = (self.value(scratch), 0);
        for _ in 0..MOST_ROUNDS {
            let Some(entering) = self.best_point(scratch, gain) else { break };
            self.enter(scratch, entering);
            while !self.settle(scratch) {}
            let reached = self.value(scratch);
            // A round may exchange points and leave the value; many such rounds have nothing left to gain but rounding.
            stalls = if reached < value { 0 } else { stalls + 1 };
            if stalls > self.size {
                break;
            }
            value = value.min(reached);
        }
        weights.fill(0.0);
        scratch
            .weighted()
            .filter(|(point, _)| *point > 0)
            .for_each(|(point, weight)| weights[point - 1] = weight);
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.products[row * self.size + column]
    }

    /// The slope of what is minimized in the direction of a point's weight.
    fn slope(&self, scratch: &HullScratch, point: usize) -> f64 {
        let sum: f64 = scratch.weighted().map(|(other, weight)| self.at(point, other) * weight).sum();
        sum - scratch.with[point]
    }

    /// The point with the steepest descent, if it is steeper than the corral's own.
    fn best_point(&self, scratch: &HullScratch, gain: f64) -> Option<usize> {
        let own: f64 = scratch.weighted().map(|(point, weight)| weight * self.slope(scratch, point)).sum();
        let outside = (0..self.size).filter(|point| !scratch.corral.contains(point));
        let (slope, point) =
            outside.map(|point| (self.slope(scratch, point), point)).min_by(|a, b| a.0.total_cmp(&b.0))?;
        (slope < own - gain).then_some(point)
    }

    /// ½ λᵀQλ − bᵀλ.
    fn value(&self, scratch: &HullScratch) -> f64 {
        let half = |(point, weight)| 0.5 * weight * (self.slope(scratch, point) - scratch.with[point]);
        scratch.weighted().map(half).sum()
    }

    /// Adds a point with weight 0. One that lies in the corral's plane, P = Σ aⱼ Pⱼ with Σ aⱼ = 1, takes the place of another: along
    /// λ ← λ + t (e − a) the hull's point stays where it is, but for what P lies off the plane, which is what promises a gain; at
    /// the least λⱼ / aⱼ the j-th weight is 0.
    fn enter(&self, scratch: &mut HullScratch, point: usize) {
        scratch.corral.push(point);
        scratch.weights.push(0.0);
        let last = scratch.corral.len() - 1;
        if self.factor(scratch).is_ok() {
            return;
        }
        self.solve_toward(scratch, last - 1, |other| self.at(point, other));
        let step = least_ratio(&scratch.weights, &scratch.best);
        for (weight, share) in scratch.weights.iter_mut().zip(&scratch.best) {
            *weight -= step * share;
        }
        scratch.weights[last] = step;
        self.drop_weightless(scratch);
    }

    /// Leaves out what has no weight, and what lies in the plane of points before it, whose weights then take over.
    fn drop_weightless(&self, scratch: &mut HullScratch) {
        scratch.leave_out_least();
        while let Err(row) = self.factor(scratch) {
            let point = scratch.corral[row + 1];
            self.solve_toward(scratch, row, |other| self.at(point, other));
            scratch.best.iter_mut().for_each(|share| *share = -*share);
            let step = least_ratio(&scratch.weights[..=row], &scratch.best).min(scratch.weights[row + 1]);
            for (weight, share) in scratch.weights.iter_mut().zip(&scratch.best) {
                *weight -= step * share;
            }
            scratch.weights[row + 1] -= step;
            scratch.leave_out_least();
        }
    }

    /// Goes to the best weights of the corral's plane, or as far as weights stay positive; then what has no weight leaves. Tells
    /// whether the best was reached.
    fn settle(&self, scratch: &mut HullScratch) -> bool {
        self.solve(scratch);
        let mut step = 1.0;
        for (now, best) in scratch.weights.iter().zip(&scratch.best) {
            if *best <= 0.0 && now > best {
                step = f64::min(step, now / (now - best));
            }
        }
        for (now, best) in scratch.weights.iter_mut().zip(&scratch.best) {
            *now += step * (best - *now);
        }
        if step >= 1.0 {
            return true;
        }
        self.drop_weightless(scratch);
        scratch.corral.len() <= 1
    }

    /// Cholesky factor of the products of differences to the corral's first point. Fails with the first row that depends on those
    /// before it, which are right.
    fn factor(&self, scratch: &mut HullScratch) -> Result<(), usize> {
        let HullScratch { corral, factor, weakest, .. } = scratch;
        let (order, stride) = (corral.len() - 1, self.size);
        *weakest = 1.0;
        let base = corral[0];
        for row in 0..order {
            let i = corral[row + 1];
            for column in 0..=row {
                let j = corral[column + 1];
                let mut entry = self.at(i, j) - self.at(i, base) - self.at(base, j) + self.at(base, base);
                // What rounding of the four leaves cannot be told from nothing.
                let whole = entry;
                let least = f64::max(INDEPENDENT * entry, ROUNDING * (self.at(i, i) + self.at(base, base)));
                for k in 0..column {
                    entry -= factor[row * stride + k] * factor[column * stride + k];
                }
                if row == column {
                    if entry <= least {
                        return Err(row);
                    }
                    *weakest = f64::min(*weakest, entry / whole);
                    factor[row * stride + row] = entry.sqrt();
                } else {
                    factor[row * stride + column] = entry / factor[column * stride + column];
                }
            }
        }
        Ok(())
    }

    /// The best weights in the corral's plane, whatever their sign.
    fn solve(&self, scratch: &mut HullScratch) {
        let with = std::mem::take(&mut scratch.with);
        self.solve_toward(scratch, scratch.corral.len() - 1, |point| with[point]);
        scratch.with = with;
    }

    /// Weights of the point in the plane of the corral's first `order + 1` points that is nearest to one with the given products.
    fn solve_toward(&self, scratch: &mut HullScratch, order: usize, with: impl Fn(usize) -> f64) {
        scratch.best.clear();
        scratch.best.resize(order + 1, 0.0);
        // Where points nearly depend on each other, half of the digits are lost; each further round brings back as many as the first.
        let rounds = if scratch.weakest < WEAK { 3 } else { 1 };
        for _ in 0..rounds {
            self.improve(scratch, order, &with);
        }
    }

    /// Adds to `best` what the factor says is missing.
    fn improve(&self, scratch: &mut HullScratch, order: usize, with: &impl Fn(usize) -> f64) {
        let HullScratch { corral, factor, best, lack, .. } = scratch;
        let stride = self.size;
        let base = corral[0];
        lack.clear();
        for &point in &corral[1..=order] {
            // The right-hand side, ⟨P_i − P_0, d − P⟩ with P = P_0 + Σ best (P_j − P_0).
            let mut product = with(point) - with(base) - self.at(point, base) + self.at(base, base);
            for (&other, share) in corral[1..=order].iter().zip(&best[1..]) {
                let (of_other, of_base) = (
                    self.at(point, other) - self.at(base, other),
                    self.at(point, base) - self.at(base, base),
                );
                product -= share * (of_other - of_base);
            }
            lack.push(product);
        }
        for row in 0..order {
            for k in 0..row {
                lack[row] -= factor[row * stride + k] * lack[k];
            }
            lack[row] /= factor[row * stride + row];
        }
        for row in (0..order).rev() {
            for k in row + 1..order {
                lack[row] -= factor[k * stride + row] * lack[k];
            }
            lack[row] /= factor[row * stride + row];
        }
        best[1..].iter_mut().zip(&*lack).for_each(|(best, lack)| *best += lack);
        best[0] = 1.0 - best[1..].iter().sum::<f64>();
    }
}

/// The least weight over share of those with a positive share.
fn least_ratio(weights: &[f64], shares: &[f64]) -> f64 {
    let ratios =
        weights.iter().zip(shares).filter(|(_, share)| **share > 0.0).map(|(weight, share)| weight / share);
    ratios.fold(f64::INFINITY, f64::min)
}

/// Room for [`Hull::nearest`], so that it need not ask for any.
#[derive(Clone, Debug, Default)]
pub struct HullScratch {
    with: Vec<f64>,
    corral: Vec<usize>,
    weights: Vec<f64>,
    best: Vec<f64>,
    /// What is missing in `best`.
    lack: Vec<f64>,
    factor: Vec<f64>,
    /// The least share of a point's square length that is not in the plane of those before it.
    weakest: f64,
}

impl HullScratch {
    /// Points of the corral with their weights.
    fn weighted(&self) -> impl Iterator<Item = (usize, f64)> {
        self.corral.iter().copied().zip(self.weights.iter().copied())
    }

    fn begin(&mut self, size: usize, with: &[f64]) {
        self.with.clear();
        self.with.push(0.0);
        self.with.extend_from_slice(with);
        self.corral.clear();
        self.weights.clear();
        self.corral.reserve(size);
        self.weights.reserve(size);
        self.best.reserve(size);
        self.lack.reserve(size);
        self.factor.resize(size * size, 0.0);
        // Rest is where every search begins.
        self.corral.push(0);
        self.weights.push(1.0);
    }

    /// Leaves out the point of least weight and all others that have no more, and makes the rest sum to 1.
    fn leave_out_least(&mut self) {
        let Self { corral, weights, .. } = self;
        let (low, high) = weights
            .iter()
            .fold((f64::INFINITY, 0.0f64), |(low, high), &weight| (low.min(weight), high.max(weight)));
        // The heaviest stays in any case.
        let least = f64::min(low.max(0.0) + 1e-15, 0.5 * high);
        let mut at = 0;
        corral.retain(|_| {
            at += 1;
            weights[at - 1] > least
        });
        weights.retain(|&weight| weight > least);
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
}

/// The nearest weights of the simplex to given ones in the plain metric, by sorting. Cheaper than [`Hull::nearest`], and another
/// answer unless examples are perpendicular and of one size.
pub fn nearest_by_sorting(weights: &mut [f64]) {
    // With rest, whose weight is what is left of 1, they sum to 1.
    let rest = 1.0 - weights.iter().sum::<f64>();
    // The same is taken from all that have more than that: of fewer each time, and so more each time, until none drops out.
    let (mut excess, mut holder_count) = (f64::NEG_INFINITY, usize::MAX);
    loop {
        let holders = weights.iter().copied().chain([rest]).filter(|weight| *weight > excess);
        let (sum, count) = holders.fold((0.0, 0), |(sum, count), weight| (sum + weight, count + 1));
        if count == 0 || count == holder_count {
            break;
        }
        (excess, holder_count) = ((sum - 1.0) / count as f64, count);
    }
    weights.iter_mut().for_each(|weight| *weight = (*weight - excess).max(0.0));
}

/// The rule of \[Koyama13\] section 4.3: while a weight is negative, the most negative becomes 0 and its absolute value over N is taken
/// from each of the others. May go on for ever; ends here after a thousand rounds, with negative weights cut off.
pub fn source_rule(weights: &mut [f64]) {
    let count = weights.len() as f64;
    let mut rest = 1.0 - weights.iter().sum::<f64>();
    for _ in 0..1000 {
        let least = weights.iter().copied().fold(rest, f64::min);
        if least >= 0.0 {
            break;
        }
        let mut is_found = false;
        for weight in weights.iter_mut().chain([&mut rest]) {
            let is_least = !is_found && *weight == least;
            *weight = if is_least { 0.0 } else { *weight - least.abs() / count };
            is_found |= is_least;
        }
    }
    weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn products(points: &[DVec3]) -> Vec<f64> {
        points.iter().flat_map(|a| points.iter().map(|b| a.dot(*b))).collect()
    }

    fn project(points: &[DVec3], target: DVec3) -> (Vec<f64>, DVec3) {
        let hull = Hull::new(points.len(), &products(points));
        let with: Vec<f64> = points.iter().map(|point| point.dot(target)).collect();
        let mut weights = vec![0.0; points.len()];
        hull.nearest(&with, &mut HullScratch::default(), &mut weights);
        let found = points.iter().zip(&weights).map(|(point, weight)| *point * *weight).sum();
        (weights, found)
    }

    #[test]
    fn points_inside_keep_their_weights_and_points_outside_go_to_the_face() {
        let tetrahedron = [DVec3::X, DVec3::Y, DVec3::Z];
        let (weights, found) = project(&tetrahedron, DVec3::new(0.2, 0.3, 0.1));
        assert!(found.distance(DVec3::new(0.2, 0.3, 0.1)) < 1e-12, "{weights:?}");
        let (_, found) = project(&tetrahedron, DVec3::splat(1.0));
        assert!(found.distance(DVec3::splat(1.0 / 3.0)) < 1e-12);
        let (weights, _) = project(&tetrahedron, DVec3::new(3.0, -1.0, -1.0));
        assert_eq!(weights, [1.0, 0.0, 0.0]);
        assert_eq!(project(&tetrahedron, DVec3::splat(-1.0)).0, [0.0; 3]);
    }

    #[test]
    fn sorting_and_the_sources_rule_give_shares() {
        // By hand: 0.5 too much among three that have something; rest has none.
        let mut sorted = [0.9, 0.6, -0.3];
        nearest_by_sorting(&mut sorted);
        assert!(sorted.iter().zip([0.65, 0.35, 0.0]).all(|(a, b)| f64::abs(a - b) < 1e-12), "{sorted:?}");
        // By turns the third and rest become 0, and a third of what they lacked is taken from the others: 0.1 + 0.1 + 0.1/3 + …
        let mut ruled = [0.9, 0.6, -0.3];
        source_rule(&mut ruled);
        assert!(ruled.iter().zip([0.65, 0.35, 0.0]).all(|(a, b)| f64::abs(a - b) < 1e-9), "{ruled:?}");
        let mut inside = [0.2, 0.3, 0.1];
        nearest_by_sorting(&mut inside);
        assert!(inside.iter().zip([0.2, 0.3, 0.1]).all(|(a, b)| f64::abs(a - b) < 1e-12), "{inside:?}");
    }

    #[test]
    fn dependent_and_empty_hulls_have_answers() {
        let line = [DVec3::X, DVec3::X, DVec3::X * 0.5, DVec3::ZERO];
        let (weights, found) = project(&line, DVec3::new(0.7, 1.0, 0.0));
        assert!(found.distance(DVec3::X * 0.7) < 1e-9, "{weights:?}");
        assert!(project(&[], DVec3::X).0.is_empty());
        assert_eq!(project(&[DVec3::ZERO], DVec3::X).1, DVec3::ZERO);
    }

    #[test]
    fn nothing_in_the_hull_is_nearer() {
        // Optimal if no vertex lies on the target's side of the plane through the found point.
        let mut random = sinew_geometry::Random::new(1);
        let mut next = || random.unit() - 0.5;
        for _ in 0..20_000 {
            let count = 1 + (next() + 0.5).mul_add(12.0, 0.0) as usize;
            let points: Vec<DVec3> = (0..count).map(|_| DVec3::new(next(), next(), next())).collect();
            let target = DVec3::new(next(), next(), next()) * 2.0;
            let (weights, found) = project(&points, target);
            assert!(weights.iter().all(|&weight| weight >= 0.0) && weights.iter().sum::<f64>() < 1.0 + 1e-9);
            let away = target - found;
            for vertex in points.iter().chain([&DVec3::ZERO]) {
                assert!(away.dot(*vertex - found) < 1e-9, "{points:?} {target:?} {weights:?}");
            }
        }
    }
}
