//! Settings of every system are written and read back, so that a window, a script and a file hold the same.

use serde::{Serialize, de::DeserializeOwned};

/// Defaults, through text and back.
#[track_caller]
fn check<T: Default + Serialize + DeserializeOwned>() {
    let text = serde_json::to_string(&T::default()).expect("written");
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(serde_json::to_string(&read).expect("written"), text, "the same text again");
}

#[test]
fn settings_of_every_system_come_back_from_text() {
    check::<sinew::skin::SkinSettings>();
    check::<sinew::body::character::CharacterSettings>();
    check::<sinew::body::fit::FitSettings>();
    check::<sinew::motion::GaitSettings>();
    check::<sinew::motion::JumpSettings>();
    check::<sinew::motion::RetargetSettings>();
    check::<sinew::soft::StepSettings>();
    check::<sinew::soft::ExampleSettings>();
    check::<sinew::flesh::FleshSettings>();
    check::<sinew::flesh::anatomy::AnatomySettings>();
    check::<sinew::fit::HelperSettings>();
    check::<sinew::fit::ControllerSettings>();
    check::<sinew::helpers::FitRequest>();
    check::<sinew::helpers::RigFitSettings>();
    check::<sinew::render::RenderSettings>();
    check::<sinew::scene::flesh::FleshRequest>();
    check::<sinew::scene::flesh::tune::TuneSettings>();
}
