//! Where things lie in a block: which stream of 16 lanes holds what.
//!
//! A block is a run of streams, one cache line each, so that a kernel reads memory in one direction only.

/// x, y, z of the rest position; for SBS+ of `v − c`.
pub(super) const POSITION_AT: usize = 0;

/// x, y, z of the rest normal.
pub(super) const NORMAL_AT: usize = 3;

/// LBS and dual quaternions: the weights of all bones but the group's first.
pub(super) const WEIGHTS_AT: usize = 6;

/// SBS+: x, y, z of the center c.
pub(super) const CENTER_AT: usize = 6;

/// SBS+: x, y, z of `g = (1−t) c − (1−s) t(1−t) D`.
pub(super) const SHIFT_AT: usize = 9;

/// SBS+: `1−t`, the weight of the group's second bone.
pub(super) const TURN_WEIGHT_AT: usize = 12;

/// SBS+: streams of a block.
pub(super) const SDEF_STREAMS: usize = 13;

/// For `EXTRA`: any number of influences.
pub(super) const ANY: usize = usize::MAX;

/// LBS and dual quaternions: streams of a block with `extra` weights, where that is known when compiling.
pub(super) const fn stride_of(extra: usize) -> Option<usize> {
    if extra == ANY { None } else { Some(WEIGHTS_AT + extra) }
}
