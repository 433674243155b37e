//! `sinew flesh init`.

use crate::args::FleshInit;
use crate::commands::open;
use crate::talk::Talk;
use anyhow::Result;
use sinew::flesh::config::write as flesh_to_toml;
use sinew::io::{Limits, PendingFile, Report};
use sinew::model::motion::humanoid_map;
use sinew::scene::body::standard_body;
use std::fmt::Write;

pub(super) fn init(options: &FleshInit, limits: &Limits, talk: &Talk) -> Result<()> {
    anyhow::ensure!(
        sinew::model::extension_of(&options.output) == "toml",
        "{}: settings are written as .toml",
        options.output.display()
    );
    let mut report = Report::default();
    let model = match &options.input {
        Some(path) => open(path, limits, &mut report)?,
        None => standard_body()?,
    };
    let (map, _) = humanoid_map(&model, &mut report);
    talk.report(super::source::place(options.input.as_ref()), &report);
    let mut text = flesh_to_toml(&options.preset.settings());
    text.push_str("\n# Bones of the model, for [[bone]]; those of a human can be named by the word behind the arrow, too:\n");
    let skeleton = model.character.skeleton();
    for bone in model.character.joints() {
        let human = map.iter().find(|(_, id)| *id == bone).map_or("", |(human, _)| human.name());
        let arrow = if human.is_empty() { String::new() } else { format!("  → {human}") };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "#   {:?}{arrow}", skeleton.bone(bone).name);
    }
    let mut file = PendingFile::create(&options.output)?;
    file.write_bytes(text.as_bytes())?;
    file.commit()?;
    talk.say(&format!("wrote {}: edit it and give it with --config", options.output.display()));
    Ok(())
}
