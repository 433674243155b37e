//! The scene file of soft bodies, as a person writes it. Every key is described in `docs/formats/elastic.md`.

mod body_text;
mod collider_text;
mod driver_text;
mod example_text;
mod handle_text;
mod place_text;
mod scene_file;

pub use body_text::{ArrayText, BodyText, MadeKind, OriginText, StructureKind};
pub use collider_text::{ColliderShape, ColliderText};
pub use driver_text::{DriverText, MeasureText};
pub use example_text::{ExampleSource, ExampleText, ExamplesText, GroupingText};
pub use handle_text::{GripText, HandleText};
pub use place_text::{MoveText, PlaceText};
pub use scene_file::{BetweenText, ElasticFile, ShowText, StripText, WeightsShown};
