//! Joints and weights of vertices.

use std::ops::Range;

/// Joints and weights of every vertex, any number per vertex.
///
/// Invariant: weights of a vertex are > 0, finite and sum to 1 ± 1e-6, or the vertex has none. Their order is the file's, because
/// spherical parameters depend on it. Joints are indices of a [`crate::Bind`] or of a palette.
#[derive(Clone, Debug, PartialEq)]
pub struct Influences {
    /// `starts[v]..starts[v + 1]` are the influences of vertex v.
    starts: Vec<u32>,
    joints: Vec<u16>,
    weights: Vec<f32>,
}

impl Default for Influences {
    fn default() -> Self {
        Self { starts: vec![0], joints: Vec::new(), weights: Vec::new() }
    }
}

/// Effects of limiting the number of influences.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct InfluenceCut {
    /// Vertices that lost an influence.
    pub changed_vertices: usize,
    /// Influences dropped.
    pub dropped_influences: usize,
    /// The largest share of a vertex's weight that was dropped, 0 to 1.
    pub largest_dropped_weight: f32,
}

impl Influences {
    /// No influence for each of `vertex_count` vertices.
    pub fn none(vertex_count: usize) -> Self {
        Self { starts: vec![0; vertex_count + 1], ..Self::default() }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Total number of influences.
    pub fn influence_count(&self) -> usize {
        self.joints.len()
    }

    /// The joints of a vertex, each with its weight.
    ///
    /// # Panics
    /// If the vertex is out of range.
    pub fn pairs(&self, vertex: usize) -> impl DoubleEndedIterator<Item = (u16, f32)> {
        let (joints, weights) = self.of(vertex);
        joints.iter().copied().zip(weights.iter().copied())
    }

    /// The joints and weights of a vertex, of equal length.
    ///
    /// # Panics
    /// If the vertex is out of range.
    pub fn of(&self, vertex: usize) -> (&[u16], &[f32]) {
        let range = self.range(vertex);
        (&self.joints[range.clone()], &self.weights[range])
    }

    /// Number of vertices with 0, 1, 2 … influences, up to the largest number.
    pub fn histogram(&self) -> Vec<usize> {
        let mut histogram = Vec::new();
        for vertex in 0..self.vertex_count() {
            let count = self.range(vertex).len();
            if histogram.len() <= count {
                histogram.resize(count + 1, 0);
            }
            histogram[count] += 1;
        }
        histogram
    }

    /// The largest joint index used, if any.
    pub fn largest_joint(&self) -> Option<u16> {
        self.joints.iter().copied().max()
    }

    /// Number of different sets of joints; order does not matter. Vertices without joints are not counted.
    pub fn bone_set_count(&self) -> usize {
        let mut sets: Vec<Vec<u16>> = (0..self.vertex_count())
            .map(|vertex| {
                let mut set = self.of(vertex).0.to_vec();
                set.sort_unstable();
                set
            })
            .collect();
        sets.sort_unstable();
        sets.dedup();
        sets.iter().filter(|set| !set.is_empty()).count()
    }

    /// At most `most` influences per vertex: keeps the heaviest in their order and normalizes them. Of equal weights the earlier stays.
    ///
    /// # Panics
    /// If `most` is zero.
    #[must_use]
    pub fn cut_to(&self, most: usize) -> (Self, InfluenceCut) {
        assert!(most > 0, "a vertex keeps at least one influence");
        let mut cut = InfluenceCut::default();
        let mut builder = InfluencesBuilder::with_capacity(self.vertex_count(), self.influence_count());
        for vertex in 0..self.vertex_count() {
            let (joints, weights) = self.of(vertex);
            if joints.len() <= most {
                builder.push(self.pairs(vertex));
                continue;
            }
            let mut heaviest_first: Vec<usize> = (0..joints.len()).collect();
            heaviest_first.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
            let kept = &mut heaviest_first[..most];
            kept.sort_unstable();
            let kept_weight: f32 = kept.iter().map(|&at| weights[at]).sum();
            builder.push(kept.iter().map(|&at| (joints[at], weights[at])));
            cut.changed_vertices += 1;
            cut.dropped_influences += joints.len() - most;
            cut.largest_dropped_weight = cut.largest_dropped_weight.max(1.0 - kept_weight);
        }
        (builder.build(), cut)
    }

    fn range(&self, vertex: usize) -> Range<usize> {
        self.starts[vertex] as usize..self.starts[vertex + 1] as usize
    }
}

/// Builds [`Influences`] vertex by vertex.
#[derive(Clone, Debug)]
pub struct InfluencesBuilder {
    influences: Influences,
}

/// A sum that differs from 1 by more is normalized. Below it weights stay unchanged, so building twice does not change bits.
/// Normalizing leaves at most half a step of the largest weight, 3e-8; glTF allows 2e-7 per weight.
const SUM_TOLERANCE: f64 = 1e-7;

impl InfluencesBuilder {
    /// A builder with the given capacity.
    pub fn with_capacity(vertices: usize, influences: usize) -> Self {
        let mut starts = Vec::with_capacity(vertices + 1);
        starts.push(0);
        let (joints, weights) = (Vec::with_capacity(influences), Vec::with_capacity(influences));
        Self { influences: Influences { starts, joints, weights } }
    }

    /// Adds the next vertex. Drops weights that are not positive and finite and normalizes the rest; returns the sum before, for reports. A
    /// vertex with sum 0 gets no influence.
    pub fn push(&mut self, influences: impl IntoIterator<Item = (u16, f32)>) -> f32 {
        let first = self.influences.joints.len();
        // In f64: single weights may be as large as f32 allows, and quantized ones sum to exactly 1 only there.
        let mut sum = 0.0f64;
        for (joint, weight) in influences {
            if weight > 0.0 && weight.is_finite() {
                self.influences.joints.push(joint);
                self.influences.weights.push(weight);
                sum += f64::from(weight);
            }
        }
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            scale_to_one(&mut self.influences.weights[first..], sum);
        }
        let end = u32::try_from(self.influences.joints.len()).expect("fewer than 2³² influences");
        self.influences.starts.push(end);
        sum as f32
    }

    /// The influences of all vertices added.
    pub fn build(self) -> Influences {
        self.influences
    }
}

/// Divides by the sum and adds the rounding error to the largest weight.
fn scale_to_one(weights: &mut [f32], sum: f64) {
    for weight in &mut *weights {
        *weight = (f64::from(*weight) / sum) as f32;
    }
    let scaled_sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    if let Some(largest) = weights.iter_mut().max_by(|a, b| a.total_cmp(b)) {
        *largest = (f64::from(*largest) + 1.0 - scaled_sum) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of f32 in numbers of the order of 1.
    const ROUNDING: f32 = 1e-6;

    fn build(vertices: &[&[(u16, f32)]]) -> Influences {
        let mut builder = InfluencesBuilder::with_capacity(vertices.len(), 0);
        for vertex in vertices {
            builder.push(vertex.iter().copied());
        }
        builder.build()
    }

    #[test]
    fn weights_are_scaled_to_one_and_nonsense_dropped() {
        let influences = build(&[&[(3, 2.0), (1, 6.0), (4, 0.0), (5, -1.0), (6, f32::NAN)], &[(0, 0.0)]]);
        assert_eq!(influences.of(0), (&[3u16, 1][..], &[0.25f32, 0.75][..]));
        assert_eq!(influences.of(1), (&[][..], &[][..]));
        assert_eq!(influences.histogram(), [1, 0, 1]);
    }

    #[test]
    fn enormous_weights_stay_finite() {
        let influences = build(&[&[(0, f32::MAX), (1, f32::MAX)]]);
        assert_eq!(influences.of(0).1, [0.5, 0.5]);
    }

    #[test]
    fn building_again_does_not_change_a_bit() {
        for count in 1..40u16 {
            let first =
                build(&[&(0..count).map(|joint| (joint, 0.1 + f32::from(joint % 7))).collect::<Vec<_>>()]);
            let (joints, weights) = first.of(0);
            let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
            assert!((sum - 1.0).abs() <= SUM_TOLERANCE, "{count}: {sum}");
            let again: Vec<_> = joints.iter().copied().zip(weights.iter().copied()).collect();
            assert_eq!(build(&[&again]), first);
        }
    }

    #[test]
    fn cut_keeps_the_heaviest_in_their_order_and_reports() {
        let influences = build(&[&[(0, 0.1), (1, 0.4), (2, 0.2), (3, 0.3)], &[(7, 1.0)]]);
        let (cut, report) = influences.cut_to(2);
        let (joints, weights) = cut.of(0);
        assert_eq!(joints, [1, 3]);
        assert!(
            (weights[0] - 4.0 / 7.0).abs() < ROUNDING && (weights[0] + weights[1] - 1.0).abs() < ROUNDING
        );
        assert_eq!(cut.of(1), influences.of(1));
        assert_eq!((report.changed_vertices, report.dropped_influences), (1, 2));
        assert!((report.largest_dropped_weight - 0.3).abs() < ROUNDING);
    }

    #[test]
    fn bone_sets_do_not_depend_on_order() {
        let influences = build(&[&[(0, 0.5), (1, 0.5)], &[(1, 0.9), (0, 0.1)], &[(1, 1.0)]]);
        assert_eq!(influences.bone_set_count(), 2);
    }
}
