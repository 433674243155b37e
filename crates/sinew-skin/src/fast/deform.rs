//! One frame: every block through the kernel of its class, distributed to threads by ranges of blocks.

use super::dlb::Dlb;
use super::folded::{MIXED, Many, NLERP, Pair, RIGID, SLERP, STRETCHED};
use super::grouping::GroupMethod;
use super::layout::ANY;
use super::lbs::Lbs;
use super::output::{GroupedSurface, Target};
use super::simd::Scatter;
use super::skin::{BoundClass, GroupedSkin};
use super::tables::Tables;
use super::work::{Blocks, MoveBlock, MovePoints, MoveTangents};
use crate::RotationBlend;
use sinew_geometry::simd::{Backend, Simd, WithSimd};
use sinew_rig::SurfaceMut;
use std::ops::Range;

/// Transform of normals in linear blend skinning.
///
/// A blend of rotations is not a rotation: the two rules differ by up to tens of degrees inside a strongly bent joint. If a bone is not
/// rigid, and with the other methods, normals always use the cofactor matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NormalRule {
    /// By the cofactor matrix of the blend: perpendicular to the linearly blended surface, as in [`crate::lbs`].
    #[default]
    Cofactor,
    /// By the blend itself, as in most programs; cheaper.
    Blend,
}

/// Kind of stores. The result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stores {
    /// Bypass the caches if a frame is larger than the largest of them; grouped order only.
    #[default]
    Auto,
    /// Always through the caches.
    Cached,
    /// Always bypass the caches; grouped order only.
    Streaming,
}

/// Settings of computing a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSettings {
    /// The instruction set. Default: the fastest of this processor.
    pub backend: Backend,
    /// Default: cofactor.
    pub normals: NormalRule,
    /// Default: automatic.
    pub stores: Stores,
}

impl Default for FrameSettings {
    fn default() -> Self {
        Self { backend: Backend::detect(), normals: NormalRule::default(), stores: Stores::default() }
    }
}

impl GroupedSkin {
    /// Writes the posed shape in the caller's order. Normals and tangents are unit, and left out if `posed` has none. With the feature
    /// `parallel` it uses all threads of the current rayon pool; the result does not depend on their number. Does not allocate.
    ///
    /// # Panics
    /// If `tables` belong to another skin, `posed` does not have the surface's vertices, or the processor lacks the backend.
    pub fn deform(&self, tables: &Tables, settings: FrameSettings, posed: SurfaceMut<'_>) {
        assert!(posed.tangents.is_empty() || !self.rest_tangents.is_empty(), "tangents where rest has them");
        let target = Target::Scattered {
            positions: Scatter::new(&self.order, posed.positions),
            normals: (!posed.normals.is_empty()).then(|| Scatter::new(&self.order, posed.normals)),
            tangents: (!posed.tangents.is_empty()).then(|| Scatter::new(&self.order, posed.tangents)),
        };
        self.deform_into(tables, settings, target);
    }

    /// As [`GroupedSkin::deform`], in the order of groups: the fastest.
    ///
    /// # Panics
    /// As [`GroupedSkin::deform`].
    pub fn deform_grouped(&self, tables: &Tables, settings: FrameSettings, posed: &mut GroupedSurface) {
        let is_streaming = match settings.stores {
            Stores::Auto => self.exceeds_cache,
            Stores::Cached => false,
            Stores::Streaming => true,
        };
        self.deform_into(tables, settings, Target::grouped(self, posed, is_streaming));
    }

    fn deform_into(&self, tables: &Tables, settings: FrameSettings, target: Target<'_>) {
        let frame = Frame { skin: self, tables, normals: settings.normals };
        settings.backend.dispatch(WholeFrame { frame, target });
    }
}

/// Data shared by all threads of a frame.
#[derive(Clone, Copy)]
struct Frame<'a> {
    skin: &'a GroupedSkin,
    tables: &'a Tables,
    normals: NormalRule,
}

struct WholeFrame<'a> {
    frame: Frame<'a>,
    target: Target<'a>,
}

impl WithSimd for WholeFrame<'_> {
    fn with<S: Simd>(self, simd: S) {
        self.frame.share_out(simd, 0..self.frame.skin.block_count(), self.target);
    }
}

impl Frame<'_> {
    /// Halves the blocks until there are few enough for one thread.
    #[cfg(feature = "parallel")]
    fn share_out<S: Simd>(self, simd: S, blocks: Range<usize>, target: Target<'_>) {
        /// Blocks per thread: about 3 µs, ten times the cost of scheduling.
        const MOST: usize = 128;
        if blocks.len() <= MOST {
            return self.run(simd, blocks, target);
        }
        let half = blocks.len() / 2;
        let middle = blocks.start + half;
        let (before, after) = target.split_at(half);
        rayon::join(
            || self.share_out(simd, blocks.start..middle, before),
            || self.share_out(simd, middle..blocks.end, after),
        );
    }

    #[cfg(not(feature = "parallel"))]
    fn share_out<S: Simd>(self, simd: S, blocks: Range<usize>, target: Target<'_>) {
        self.run(simd, blocks, target);
    }

    /// Moves consecutive blocks; `target` holds just these.
    fn run<S: Simd>(self, simd: S, blocks: Range<usize>, mut target: Target<'_>) {
        for bound in &self.skin.classes {
            let class = &bound.class.blocks;
            let mut start = class.start.max(blocks.start);
            let end = class.end.min(blocks.end);
            while start < end {
                let is_rigid = self.is_rigid(start);
                let run_end = (start..end).find(|&block| self.is_rigid(block) != is_rigid).unwrap_or(end);
                let run = Run { bound, blocks: start..run_end, first_slot: start - blocks.start, is_rigid };
                self.run_points(simd, &run, &mut target);
                if target.has_tangents() {
                    self.run_tangents(simd, &run, &mut target);
                }
                start = run_end;
            }
        }
        if target.is_streaming() {
            simd.fence();
        }
    }

    fn is_rigid(&self, block: usize) -> bool {
        self.tables.is_rigid(self.skin.block_sets[block])
    }

    fn run_points<S: Simd>(self, simd: S, run: &Run<'_>, target: &mut Target<'_>) {
        match (run.bound.class.method, run.bound.class.bone_count) {
            (GroupMethod::Lbs, 0 | 1) => self.run_lbs::<S, 0>(simd, run, target),
            (GroupMethod::Lbs, 2) => self.run_lbs::<S, 1>(simd, run, target),
            (GroupMethod::Lbs, 3) => self.run_lbs::<S, 2>(simd, run, target),
            (GroupMethod::Lbs, 4) => self.run_lbs::<S, 3>(simd, run, target),
            (GroupMethod::Lbs, _) => self.run_lbs::<S, ANY>(simd, run, target),
            (GroupMethod::Dlb, 2) => self.run_dlb::<S, 1>(simd, run, target),
            (GroupMethod::Dlb, 3) => self.run_dlb::<S, 2>(simd, run, target),
            (GroupMethod::Dlb, 4) => self.run_dlb::<S, 3>(simd, run, target),
            (GroupMethod::Dlb, _) => self.run_dlb::<S, ANY>(simd, run, target),
            (GroupMethod::Folded { blend, is_mixed }, bone_count) => {
                let kind = match (is_mixed, run.is_rigid) {
                    (true, _) => MIXED,
                    (false, true) => RIGID,
                    (false, false) => STRETCHED,
                };
                match (blend, kind) {
                    (RotationBlend::Slerp, RIGID) => {
                        self.run_folded::<S, SLERP, RIGID>(simd, run, target, bone_count);
                    }
                    (RotationBlend::Slerp, STRETCHED) => {
                        self.run_folded::<S, SLERP, STRETCHED>(simd, run, target, bone_count);
                    }
                    (RotationBlend::Slerp, _) => {
                        self.run_folded::<S, SLERP, MIXED>(simd, run, target, bone_count);
                    }
                    (RotationBlend::Nlerp, RIGID) => {
                        self.run_folded::<S, NLERP, RIGID>(simd, run, target, bone_count);
                    }
                    (RotationBlend::Nlerp, STRETCHED) => {
                        self.run_folded::<S, NLERP, STRETCHED>(simd, run, target, bone_count);
                    }
                    (RotationBlend::Nlerp, _) => {
                        self.run_folded::<S, NLERP, MIXED>(simd, run, target, bone_count);
                    }
                }
            }
        }
    }

    fn run_lbs<S: Simd, const EXTRA: usize>(self, simd: S, run: &Run<'_>, target: &mut Target<'_>) {
        let bones = &self.tables.matrices;
        // The cofactor matrix of a rotation is the rotation.
        let blend_will_do = EXTRA == 0 || self.normals == NormalRule::Blend;
        if blend_will_do && run.is_rigid {
            self.move_points(simd, run, target, Lbs::<EXTRA, false> { bones });
        } else {
            self.move_points(simd, run, target, Lbs::<EXTRA, true> { bones });
        }
    }

    fn run_dlb<S: Simd, const EXTRA: usize>(self, simd: S, run: &Run<'_>, target: &mut Target<'_>) {
        let (bones, stretches) = (&self.tables.motions, &self.tables.stretches);
        if run.is_rigid {
            self.move_points(simd, run, target, Dlb::<EXTRA, false> { bones, stretches });
        } else {
            self.move_points(simd, run, target, Dlb::<EXTRA, true> { bones, stretches });
        }
    }

    fn run_folded<S: Simd, const BLEND: bool, const KIND: u8>(
        self,
        simd: S,
        run: &Run<'_>,
        target: &mut Target<'_>,
        bone_count: usize,
    ) {
        let Tables { pairs, turns: tables, .. } = self.tables;
        match bone_count {
            2 => self.move_points(simd, run, target, Pair::<BLEND, KIND> { pairs }),
            3 => self.move_points(simd, run, target, Many::<BLEND, KIND, 2> { tables }),
            4 => self.move_points(simd, run, target, Many::<BLEND, KIND, 3> { tables }),
            _ => self.move_points(simd, run, target, Many::<BLEND, KIND, ANY> { tables }),
        }
    }

    fn run_folded_tangents<S: Simd, const BLEND: bool, const KIND: u8>(
        self,
        simd: S,
        run: &Run<'_>,
        target: &mut Target<'_>,
    ) {
        if run.bound.class.bone_count == 2 {
            self.move_tangents(simd, run, target, Pair::<BLEND, KIND> { pairs: &self.tables.pairs });
        } else {
            self.move_tangents(simd, run, target, Many::<BLEND, KIND, ANY> { tables: &self.tables.turns });
        }
    }

    /// Tangents use the general kernels: they are rare, and do not justify as many copies of the code.
    fn run_tangents<S: Simd>(self, simd: S, run: &Run<'_>, target: &mut Target<'_>) {
        match run.bound.class.method {
            GroupMethod::Lbs => {
                self.move_tangents(simd, run, target, Lbs::<ANY, true> { bones: &self.tables.matrices });
            }
            GroupMethod::Dlb => {
                let (bones, stretches) = (&self.tables.motions, &self.tables.stretches);
                self.move_tangents(simd, run, target, Dlb::<ANY, true> { bones, stretches });
            }
            GroupMethod::Folded { blend: RotationBlend::Slerp, is_mixed: false } => {
                self.run_folded_tangents::<S, SLERP, STRETCHED>(simd, run, target);
            }
            GroupMethod::Folded { blend: RotationBlend::Slerp, is_mixed: true } => {
                self.run_folded_tangents::<S, SLERP, MIXED>(simd, run, target);
            }
            GroupMethod::Folded { blend: RotationBlend::Nlerp, is_mixed: false } => {
                self.run_folded_tangents::<S, NLERP, STRETCHED>(simd, run, target);
            }
            GroupMethod::Folded { blend: RotationBlend::Nlerp, is_mixed: true } => {
                self.run_folded_tangents::<S, NLERP, MIXED>(simd, run, target);
            }
        }
    }

    fn move_points<S: Simd>(self, simd: S, run: &Run<'_>, target: &mut Target<'_>, method: impl MoveBlock) {
        simd.run(MovePoints { method, blocks: self.blocks(run), target });
    }

    fn move_tangents<S: Simd>(self, simd: S, run: &Run<'_>, target: &mut Target<'_>, method: impl MoveBlock) {
        let rest = &self.skin.rest_tangents[run.blocks.clone()];
        simd.run(MoveTangents { method, blocks: self.blocks(run), rest, target });
    }

    fn blocks(&self, run: &Run<'_>) -> Blocks<'_> {
        let BoundClass { class, streams_at, stride, .. } = run.bound;
        let first = streams_at + (run.blocks.start - class.blocks.start) * stride;
        Blocks {
            streams: &self.skin.streams[first..][..run.blocks.len() * stride],
            stride: *stride,
            constants_at: &self.skin.block_constants[run.blocks.clone()],
            first_slot: run.first_slot,
        }
    }
}

/// Consecutive blocks of one class whose bones are all rigid, or not.
struct Run<'a> {
    bound: &'a BoundClass,
    blocks: Range<usize>,
    /// Where the first of them goes in the target.
    first_slot: usize,
    is_rigid: bool,
}
