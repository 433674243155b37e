//! Scenes of soft bodies that follow examples: from a file to films, models in motion and measures.
//!
//! [`ElasticFile`] is what a person writes (`docs/formats/elastic.md`); [`ElasticScene::open`] reads the files that it names and makes
//! the bodies. A [`Playback`] plays it from beginning to end; [`ElasticArtist`] draws its frames, [`outputs`] writes them.

mod artist;
mod cast;
mod crease;
mod error;
mod formula;
mod gauges;
mod model;
mod obstacle;
pub mod outputs;
mod playback;
mod player;
mod report;
mod scene;
mod screen;
#[cfg(test)]
mod tests;
mod text;
mod timing;

pub use artist::ElasticArtist;
pub use cast::Cast;
pub use error::ElasticError;
pub use formula::{Axis, Formula, FormulaKind};
pub use model::{BodyModel, Following, Skin};
pub use playback::{OnPlayed, Playback, PlayedBody, PlayedFrame};
pub use player::Player;
pub use report::{BodyReport, ElasticReport};
pub use scene::{ElasticChoices, ElasticScene};
pub use text::{
    ArrayText, BetweenText, BodyText, ColliderShape, ColliderText, ElasticFile, ExampleSource, ExampleText,
    ExamplesText, GripText, GroupingText, HandleText, MoveText, OriginText, PlaceText, ShowText, StripText,
    StructureKind, WeightsShown,
};
pub use timing::StepTimes;
