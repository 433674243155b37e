//! Figures of control points: what lies behind the surface of the body, after the figures of \[Komatsu88\].
//!
//! Everything shown is the data of the average man. `sketch.rs` draws surfaces with lines over them, the others choose what.

mod bends;
mod fills;
mod patches;
mod rings;
mod sketch;

use super::{Size, Writer};
use anyhow::Result;
use sinew_body::Body;
use sinew_render::contact_sheet;

/// Writes the figures of control points: patches (3, 4, 11, 12), fills (6 to 10, 14), rings (15 to 17) and bends (20).
pub(super) fn write(body: &Body, size: Size, writer: &mut Writer) -> Result<()> {
    let sheets = [
        (
            "nets-patches.png",
            patches::cells(body, size)?,
            "Patches and their joins: figures 3, 4, 11 and 12",
            4,
        ),
        ("nets-layout.png", fills::layout(body, size)?, "Where tubes meet: figures 6, 7 and 14", 4),
        ("nets-fills.png", fills::steps(body, size)?, "Steps of a fill: figures 8, 9 and 10", 4),
        ("nets-rings.png", rings::cells(body, size)?, "Control points round bones: figures 15, 16 and 17", 4),
        ("nets-bends.png", bends::cells(body, size)?, "Control points of a bent knee: figure 20", 5),
    ];
    for (name, cells, title, columns) in sheets {
        writer.picture(name, &contact_sheet(&cells, columns, Some(title))?)?;
    }
    Ok(())
}
