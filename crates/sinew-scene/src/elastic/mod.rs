//! Scenes of soft bodies that follow examples: from a file to films, models in motion and measures.
//!
//! [`ElasticFile`] is what a person writes (`docs/formats/elastic.md`); [`ElasticScene::read`] reads the files that it names and makes
//! the bodies. A [`Playback`] plays it from beginning to end; [`ElasticArtist`] draws its frames, an [`ElasticOutput`] writes them,
//! and [`recording`] hands the motion to other formats.

mod artist;
mod cast;
mod clock;
mod crease;
mod driving;
mod formula;
mod gauges;
pub mod made;
mod model;
mod motion_file;
mod obstacle;
mod outputs;
mod playback;
mod player;
mod report;
mod scene;
#[cfg(test)]
mod tests;
mod text;
mod timing;

pub use artist::ElasticArtist;
pub use cast::Cast;
pub use clock::ClockKind;
pub use formula::{Axis, Formula, FormulaKind};
pub use gauges::weight_curves;
pub use model::{BodyModel, Following, Skin};
pub use motion_file::recording;
pub use outputs::{ElasticOutput, ElasticRequest};
pub use playback::{Playback, PlayedBody, PlayedFrame};
pub use player::Player;
pub use report::{BodyReport, ElasticReport};
pub use scene::ElasticScene;
pub use text::{
    ArrayText, BetweenText, BodyText, ColliderShape, ColliderText, DriverText, ElasticFile, ExampleSource,
    ExampleText, ExamplesText, GripText, GroupingText, HandleText, MadeKind, MeasureText, MoveText,
    OriginText, PlaceText, ShowText, StripText, StructureKind, WeightsShown,
};
pub use timing::StepTimes;

/// The scenes that come with Sinew, by name: those of \[Koyama13\].
pub const SCENES: [(&str, &str); 7] = [
    ("twist", include_str!("../../scenes/twist.toml")),
    ("beta", include_str!("../../scenes/beta.toml")),
    ("teddy", include_str!("../../scenes/teddy.toml")),
    ("local", include_str!("../../scenes/local.toml")),
    ("slope", include_str!("../../scenes/slope.toml")),
    ("cylinders", include_str!("../../scenes/cylinders.toml")),
    ("car", include_str!("../../scenes/car.toml")),
];
