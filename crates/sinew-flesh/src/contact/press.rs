//! How far flesh is pressed in by what is inside it.

/// The law by which overlap becomes a push.
///
/// It begins softly, so that the edge of a contact is no crease, and ends softly at what flesh can give way:
///
/// ```text
/// soft(d)     = 0 below −ε,  (d + ε)² / 4ε between,  d above ε
/// limit(d, D) = x D / (x⁴ + D⁴)^¼   with x = soft(d)
/// ```
///
/// At d = D a sixth of the overlap is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// ε: how far before the touch it begins, metres.
    pub onset_m: f32,
}

impl Press {
    /// As much as a body of this size, metres, shows: 4 mm for a human. Less shows as a crease along the edge of a contact, more as a gap.
    pub fn of_size(size_m: f32) -> Self {
        Self { onset_m: 0.0018 * size_m }
    }

    /// The push for an overlap where both sides together give way by `most_m`, metres.
    pub fn limited(&self, overlap_m: f32, most_m: f32) -> f32 {
        let soft = self.soft(overlap_m);
        if !(soft > 0.0 && most_m > 0.0) {
            return 0.0;
        }
        // The ratio first: fourth powers of lengths leave the range of numbers.
        let ratio = soft / most_m;
        soft / (1.0 + ratio.powi(4)).sqrt().sqrt()
    }

    fn soft(&self, overlap_m: f32) -> f32 {
        let onset = self.onset_m;
        if overlap_m >= onset {
            overlap_m
        } else if overlap_m > -onset {
            (overlap_m + onset) * (overlap_m + onset) / (4.0 * onset)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_rise_without_a_jump_to_what_flesh_gives() {
        let press = Press { onset_m: 0.004 };
        assert_eq!(press.limited(-0.004, 0.04), 0.0);
        assert!((press.limited(0.02, 0.04) - 0.02 / 1.0625f32.powf(0.25)).abs() < 1e-6);
        assert!(press.limited(10.0, 0.04) <= 0.04 && press.limited(10.0, 0.04) > 0.0399);
        assert_eq!((press.limited(0.01, 0.0), press.limited(f32::NAN, 0.04)), (0.0, 0.0));
        let mut before = 0.0;
        for step in -50..500 {
            let push = press.limited(step as f32 * 1e-4, 0.03);
            assert!(push >= before && push - before < 1.05e-4, "{step}");
            before = push;
        }
    }
}
