//! Left, right and middle of a symmetric body.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Side of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flank {
    /// On the middle plane x = 0, or across it.
    #[default]
    Middle,
    /// On the figure's left, x > 0: the side a template lists.
    Left,
    /// On the figure's right: the left one's mirror image.
    Right,
}

impl Flank {
    /// The sides of an item: both of a pair, or the middle.
    pub(crate) fn of(is_paired: bool) -> &'static [Flank] {
        if is_paired { &[Flank::Left, Flank::Right] } else { &[Flank::Middle] }
    }

    /// A point or vector of the template on this side.
    pub fn place(self, listed: DVec3) -> DVec3 {
        if self == Flank::Right { listed.with_x(-listed.x) } else { listed }
    }

    /// `.left`, `.right`, or nothing.
    pub fn suffix(self) -> &'static str {
        match self {
            Flank::Middle => "",
            Flank::Left => ".left",
            Flank::Right => ".right",
        }
    }

    /// Swaps the words `left` and `right` in a name for this side.
    pub(crate) fn name(self, listed: &str) -> String {
        if self != Flank::Right {
            return listed.to_owned();
        }
        let swap = |word| match word {
            "left" => "right",
            "right" => "left",
            other => other,
        };
        listed.split('_').map(swap).collect::<Vec<_>>().join("_")
    }
}
