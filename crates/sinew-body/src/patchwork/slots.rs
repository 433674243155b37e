//! The free vectors of a net and how mirroring exchanges them.

/// What a free vector is. All but `Place` and `Leg` are zero on a plain surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotKind {
    /// Position of a node.
    Place,
    /// From a node to the next control point of one of its edges; the opposite edge follows by the line's ratio.
    Leg,
    /// Twist at a node.
    Twist,
    /// Offset of an edge's middle control point from that of a cubic.
    Bulge,
    /// Offset of the middle leg across an edge.
    Cross,
    /// Offset of a patch's middle point from the mean of its twists.
    Middle,
    /// Offset of a fill's center.
    Center,
    /// Offset of a fill's star, one of its two axes.
    Star,
    /// Offset of a spoke's middle control point.
    SpokeBulge,
    /// Offset of a leg across a spoke.
    SpokeCross,
}

/// Kinds and mirror images of all slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    pub(super) kinds: Vec<SlotKind>,
    /// For each slot the one it takes its mirror image from, and the sign of that besides x → −x.
    pub(super) pairs: Vec<(u32, f64)>,
}

impl Slots {
    /// A slot of the left half; its mirror image is the next one.
    pub(super) fn add_pair(&mut self, kind: SlotKind, sign: f64) -> u32 {
        let first = self.kinds.len() as u32;
        self.kinds.extend([kind; 2]);
        self.pairs.extend([(first + 1, sign), (first, sign)]);
        first
    }

    /// A slot that is its own mirror image, but for the sign.
    pub(super) fn add_own(&mut self, kind: SlotKind, sign: f64) -> u32 {
        let slot = self.kinds.len() as u32;
        self.kinds.push(kind);
        self.pairs.push((slot, sign));
        slot
    }

    /// A slot that lies in the middle plane, or a pair.
    pub(super) fn add(&mut self, kind: SlotKind, is_middle: bool, sign: f64) -> u32 {
        if is_middle { self.add_own(kind, sign) } else { self.add_pair(kind, 1.0) }
    }
}
