//! Where things lie in a block: which stream of 16 lanes holds what.
//!
//! A block is a run of streams, one cache line each, so that a kernel reads memory in one direction only.

/// x, y, z of the rest position; in folded form of `u = v − Σ aᵢ`.
pub(super) const POSITION_AT: usize = 0;

/// x, y, z of the rest normal.
pub(super) const NORMAL_AT: usize = 3;

/// LBS and dual quaternions: the weights of all bones but the group's first.
pub(super) const WEIGHTS_AT: usize = 6;

/// Folded form: x, y, z of `Σ aᵢ`.
pub(super) const CENTER_AT: usize = 6;

/// Folded form: the weights of all bones but the group's first; after them x, y, z, w of their aᵢ; in mixtures λ at last.
pub(super) const FOLDED_WEIGHTS_AT: usize = 9;

/// Folded form: where the term of a bone other than the group's first lies, counted from 0.
pub(super) const fn term_at(extra_count: usize, bone: usize) -> usize {
    FOLDED_WEIGHTS_AT + extra_count + 4 * bone
}

/// Folded form: where λ lies in mixtures; otherwise the number of streams of a block.
pub(super) const fn linear_at(extra_count: usize) -> usize {
    FOLDED_WEIGHTS_AT + 5 * extra_count
}

/// For `EXTRA`: any number of influences.
pub(super) const ANY: usize = usize::MAX;

/// LBS and dual quaternions: streams of a block with `extra` weights, where that is known when compiling.
pub(super) const fn stride_of(extra: usize) -> Option<usize> {
    if extra == ANY { None } else { Some(WEIGHTS_AT + extra) }
}
