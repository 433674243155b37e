//! Flesh in characters: drawn, reported, tuned and written to files.

mod artist;
mod fibre_picture;
mod inside;
mod job;
mod outputs;
mod report;
mod section;
mod tet_section;
pub mod tune;

pub use artist::{FleshArtist, FleshPicture, FleshShow};
pub use fibre_picture::{fibre_picture, sparse_vertices};
pub use inside::cut_plane;
pub use job::{
    FleshInitRequest, FleshJobError, FleshOutcome, FleshRequest, FleshSource, FleshTuneRequest, FleshTuned,
    init_flesh, play_flesh, tune_from_files,
};
pub use outputs::{FleshOutput, FleshOutputError, FleshTake, FleshWriting, FleshWritten, PlayedFlesh};
pub use report::{FleshReport, FleshSizes, FleshTimes};
pub use section::section_picture;
pub use tet_section::{SectionPlane, TetSection};
