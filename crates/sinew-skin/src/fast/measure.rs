//! Measures the speed of the kernels on this machine against its memory speed. The only place in this crate that reads a clock.

use super::stream_copy::StreamCopy;
use super::synthetic::{Kind, Model, ModelSettings, near_pose};
use super::{Backend, FrameSettings, GroupedSkin, GroupedSurface, NormalRule, Stores, Tables};
use crate::Method;
use glam::{Quat, Vec3};
use sinew_geometry::Random;
use sinew_geometry::simd::{AlignedFloats, Lanes, Simd, WithSimd};
use sinew_rig::{BoneId, BoundSurface, Pose, samples};
use std::time::Instant;

/// Settings of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureSettings {
    /// Vertices of the synthetic model. Default 100,000.
    pub vertex_count: usize,
    /// Its bones; more than `influence_count`. Default 60.
    pub bone_count: usize,
    /// Bones per vertex, where the method is not measured with two. Default 4.
    pub influence_count: usize,
    /// Whether vertices in memory follow the skeleton, as in most meshes; else random. Default yes.
    pub is_coherent: bool,
    /// Numbers of threads to measure; more than one needs the feature `parallel`. Default 1.
    pub thread_counts: Vec<usize>,
    /// Backends to measure. Default: all of this processor, fastest first.
    pub backends: Vec<Backend>,
    /// Timed frames a round; the median counts. Default 21.
    pub run_count: usize,
}

impl Default for MeasureSettings {
    fn default() -> Self {
        Self {
            vertex_count: 100_000,
            bone_count: 60,
            influence_count: 4,
            is_coherent: true,
            thread_counts: vec![1],
            backends: Backend::ALL.into_iter().filter(|backend| backend.is_available()).collect(),
            run_count: 21,
        }
    }
}

/// Rounds over all methods, of which the fastest counts for each row: another program that takes the processor or the memory for a while
/// then slows rounds, not methods.
const ROUNDS: usize = 5;

/// A measured kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuredMethod {
    /// Linear blend skinning, normals by the cofactor matrix.
    Lbs,
    /// Linear blend skinning, normals by the blend.
    LbsBlendNormals,
    /// Dual quaternion linear blending.
    Dlb,
    /// SBS+ of two bones.
    Sdef,
    /// SBS of two bones.
    Sbs,
    /// The Bézier method of two bones.
    Bezier,
    /// Centers of rotation.
    Cor,
    /// SBS+ of as many bones as asked for.
    SdefMany,
    /// Delta mush of a limb of two bones. It has no vector kernel: one order, counted as scalar.
    DeltaMush,
}

impl MeasuredMethod {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Lbs,
        Self::LbsBlendNormals,
        Self::Dlb,
        Self::Sdef,
        Self::Sbs,
        Self::Bezier,
        Self::Cor,
        Self::SdefMany,
        Self::DeltaMush,
    ];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lbs => "lbs",
            Self::LbsBlendNormals => "lbs-blend-normals",
            Self::Dlb => "dlb",
            Self::Sdef => "sdef",
            Self::Sbs => "sbs",
            Self::Bezier => "bezier",
            Self::Cor => "cor",
            Self::SdefMany => "sdef-many",
            Self::DeltaMush => "delta-mush",
        }
    }

    fn kind(self) -> Kind {
        Kind::of(match self {
            Self::Lbs | Self::LbsBlendNormals => Method::Lbs,
            Self::Dlb => Method::Dlb,
            Self::Sdef | Self::SdefMany => Method::SDEF,
            Self::Sbs => Method::SBS,
            Self::Bezier => Method::BEZIER,
            Self::Cor => Method::Cor,
            Self::DeltaMush => Method::DELTA_MUSH,
        })
    }

    /// Bones per vertex where a model of `influence_count` is asked for.
    fn influence_count(self, influence_count: usize) -> usize {
        match self {
            Self::Sdef | Self::Sbs | Self::Bezier | Self::DeltaMush => 2,
            Self::Lbs | Self::LbsBlendNormals | Self::Dlb | Self::Cor | Self::SdefMany => influence_count,
        }
    }
}

/// The order of written results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputOrder {
    /// That of groups, stored through the caches.
    Grouped,
    /// That of groups, bypassing the caches.
    GroupedStreaming,
    /// The caller's own.
    Caller,
}

impl OutputOrder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Grouped, Self::GroupedStreaming, Self::Caller];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grouped => "grouped",
            Self::GroupedStreaming => "streamed",
            Self::Caller => "caller",
        }
    }
}

/// One kernel's speed: constants of the pose, positions and unit normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// The measured kernel.
    pub method: MeasuredMethod,
    /// In which order it writes.
    pub order: OutputOrder,
    /// On how many threads.
    pub threads: usize,
    /// With which instructions.
    pub backend: Backend,
    /// Time of the median frame of the fastest round divided by the number of vertices.
    pub ns_per_vertex: f64,
    /// Memory read and written, 10⁹ bytes per second.
    pub gigabytes_per_sec: f64,
    /// That memory speed divided by the speed of a plain copy of as much memory bypassing the caches, on as many threads.
    pub share_of_copy_bandwidth: f64,
}

/// Measures every method in all orders, for all requested thread counts and backends.
pub fn measure(settings: &MeasureSettings) -> Vec<Measurement> {
    let mut fastest = measure_round(settings);
    for _ in 1..ROUNDS {
        for (fastest, again) in fastest.iter_mut().zip(measure_round(settings)) {
            if again.ns_per_vertex < fastest.ns_per_vertex {
                *fastest = again;
            }
        }
    }
    fastest
}

fn measure_round(settings: &MeasureSettings) -> Vec<Measurement> {
    let mut measurements = Vec::new();
    for method in MeasuredMethod::ALL {
        if method == MeasuredMethod::DeltaMush {
            for &threads in &settings.thread_counts {
                on_threads(threads, || measurements.push(measure_delta_mush(settings, threads)));
            }
            continue;
        }
        let bench = Bench::new(method, settings);
        for &threads in &settings.thread_counts {
            on_threads(threads, || bench.measure_into(settings, threads, &mut measurements));
        }
    }
    measurements
}

fn measure_delta_mush(settings: &MeasureSettings, threads: usize) -> Measurement {
    const SIDES: usize = 64;
    let rows = (settings.vertex_count / SIDES).saturating_sub(SIDES / 2).max(1);
    let character = samples::limb(SIDES as u32, rows as u32);
    let bound = BoundSurface::of(&character);
    let mush = crate::bind(&character, &bound, &Method::DELTA_MUSH.into());
    let mut pose = Pose::rest(&character);
    pose.turn(BoneId::of(1), Quat::from_rotation_x(0.5));
    let matrices = bound.posed_from_rest(&character, &pose);
    let (mut workspace, mut posed) = (mush.workspace(), bound.rest().clone());
    let secs = median_secs(settings.run_count, || {
        mush.deform(&mut workspace, &matrices, bound.rest(), posed.as_mut());
    });
    // Positions and normals, in and out.
    let bytes = 4 * size_of::<Vec3>() * bound.vertex_count();
    Measurement {
        method: MeasuredMethod::DeltaMush,
        order: OutputOrder::Caller,
        threads,
        backend: Backend::Scalar,
        ns_per_vertex: secs * 1e9 / bound.vertex_count() as f64,
        gigabytes_per_sec: bytes as f64 / secs * 1e-9,
        share_of_copy_bandwidth: copy_secs(bytes, settings.run_count) / secs,
    }
}

/// A model of one method, ready to be deformed.
struct Bench {
    method: MeasuredMethod,
    model: Model,
    skin: GroupedSkin,
    pose: Vec<glam::Affine3A>,
}

impl Bench {
    fn new(method: MeasuredMethod, settings: &MeasureSettings) -> Self {
        let mut random = Random::new(7);
        let model_settings = ModelSettings {
            vertex_count: settings.vertex_count,
            bone_count: settings.bone_count,
            influence_count: method.influence_count(settings.influence_count),
            kind: method.kind(),
            is_coherent: settings.is_coherent,
            has_tangents: false,
        };
        let model = Model::new(&model_settings, &mut random);
        let skin =
            GroupedSkin::bind(&model.rest, &model.influences, model.bone_count, &model.kinds, &model.folded);
        let pose = near_pose(model.bone_count, 0.5, &mut random);
        Self { method, model, skin, pose }
    }

    /// Bytes that a frame must read and write.
    fn frame_bytes(&self) -> usize {
        (self.skin.streams.len() + 6 * self.skin.block_count()) * size_of::<Lanes>()
    }

    fn measure_into(&self, settings: &MeasureSettings, threads: usize, measurements: &mut Vec<Measurement>) {
        let normals = match self.method {
            MeasuredMethod::LbsBlendNormals => NormalRule::Blend,
            _ => NormalRule::Cofactor,
        };
        let copy_secs = copy_secs(self.frame_bytes(), settings.run_count);
        for &backend in &settings.backends {
            for order in OutputOrder::ALL {
                let stores = match order {
                    OutputOrder::GroupedStreaming => Stores::Streaming,
                    OutputOrder::Grouped | OutputOrder::Caller => Stores::Cached,
                };
                let frame = FrameSettings { backend, normals, stores };
                let secs = self.frame_secs(order, frame, settings.run_count);
                measurements.push(Measurement {
                    method: self.method,
                    order,
                    threads,
                    backend,
                    ns_per_vertex: secs * 1e9 / settings.vertex_count as f64,
                    gigabytes_per_sec: self.frame_bytes() as f64 / secs * 1e-9,
                    share_of_copy_bandwidth: copy_secs / secs,
                });
            }
        }
    }

    fn frame_secs(&self, order: OutputOrder, settings: FrameSettings, run_count: usize) -> f64 {
        let mut tables = Tables::new(&self.skin);
        match order {
            OutputOrder::Grouped | OutputOrder::GroupedStreaming => {
                let mut posed = GroupedSurface::new(&self.skin);
                median_secs(run_count, || {
                    tables.pose(&self.skin, &self.pose);
                    self.skin.deform_grouped(&tables, settings, &mut posed);
                })
            }
            OutputOrder::Caller => {
                let mut posed = self.model.rest.clone();
                median_secs(run_count, || {
                    tables.pose(&self.skin, &self.pose);
                    self.skin.deform(&tables, settings, posed.as_mut());
                })
            }
        }
    }
}

/// Seconds to copy half of `bytes` to the other half past the caches, with the fastest backend.
fn copy_secs(bytes: usize, run_count: usize) -> f64 {
    let from = AlignedFloats::zeros(bytes / 8);
    let mut to = AlignedFloats::zeros(bytes / 8);
    median_secs(run_count, || {
        Backend::detect().dispatch(CopyAll { from: from.as_lanes(), to: to.as_lanes_mut() });
    })
}

struct CopyAll<'a> {
    from: &'a [Lanes],
    to: &'a mut [Lanes],
}

impl WithSimd for CopyAll<'_> {
    fn with<S: Simd>(self, simd: S) {
        copy_shared(simd, self.from, self.to);
    }
}

#[cfg(feature = "parallel")]
fn copy_shared<S: Simd>(simd: S, from: &[Lanes], to: &mut [Lanes]) {
    use rayon::prelude::*;
    /// Lines that a thread takes: as large as pieces of a frame.
    const PIECE: usize = 768;
    let pieces = from.par_chunks(PIECE).zip(to.par_chunks_mut(PIECE));
    pieces.for_each(|(from, to)| simd.run(StreamCopy { from, to }));
}

#[cfg(not(feature = "parallel"))]
fn copy_shared<S: Simd>(simd: S, from: &[Lanes], to: &mut [Lanes]) {
    simd.run(StreamCopy { from, to });
}

/// The median time of `work`, after two runs that are not counted.
fn median_secs(run_count: usize, mut work: impl FnMut()) -> f64 {
    work();
    work();
    let mut secs: Vec<f64> = (0..run_count.max(1))
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    secs.sort_by(f64::total_cmp);
    secs[secs.len() / 2]
}

#[cfg(feature = "parallel")]
fn on_threads(threads: usize, work: impl FnOnce() + Send) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be started").install(work);
}

#[cfg(not(feature = "parallel"))]
fn on_threads(_threads: usize, work: impl FnOnce() + Send) {
    work();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_order_and_thread_count_is_measured() {
        let settings = MeasureSettings {
            vertex_count: 1000,
            thread_counts: vec![1, 2],
            run_count: 3,
            ..MeasureSettings::default()
        };
        let measurements = measure(&settings);
        assert_eq!(measurements.len(), (8 * 3 * settings.backends.len() + 1) * 2);
        assert!(measurements.iter().all(|m| m.ns_per_vertex > 0.0 && m.share_of_copy_bandwidth > 0.0));
    }
}
