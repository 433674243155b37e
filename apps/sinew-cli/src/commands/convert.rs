//! `sinew convert`.

use super::{open, warnings_json};
use crate::args::Convert;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::io::{Limits, Report};
use sinew::model::{HelperOutput, Model, bake_clips_again};
use sinew::rig::InfluenceCut;

pub(crate) fn convert(options: &Convert, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let mut model = open(&options.input, limits, &mut report)?;
    for motion in &options.motions {
        let mut of_motion = Report::default();
        model.add_motion(motion, limits, &mut of_motion).with_context(|| motion.display().to_string())?;
        of_motion.warnings().iter().for_each(|warning| report.warn(motion.display(), warning));
    }
    if options.bakes_helpers {
        if model.character.controllers().is_empty() {
            bail!("{}: the model has no controllers of helpers to bake", options.input.display());
        }
        model.character = bake_clips_again(&model.character, &HelperOutput::default())?;
    }
    talk.report(&options.input, &report);
    let cut = options.max_influences.map(|most| cut_influences(&mut model, usize::from(most))).transpose()?;
    if let Some(cut) = cut {
        talk.say(&format!(
            "cut to {} influences: {} vertices changed, {} influences dropped, at most {:.1} % of a vertex's weight",
            options.max_influences.unwrap_or_default(),
            cut.changed_vertices,
            cut.dropped_influences,
            100.0 * cut.largest_dropped_weight
        ));
    }
    let mut losses = Report::default();
    model.save(&options.output, &mut losses).with_context(|| options.output.display().to_string())?;
    talk.report(&options.output, &losses);
    talk.say(&format!("wrote {}", options.output.display()));
    if options.is_json {
        let cut = cut.map(|cut| {
            serde_json::json!({
                "changed_vertices": cut.changed_vertices,
                "dropped_influences": cut.dropped_influences,
                "largest_dropped_weight": cut.largest_dropped_weight,
            })
        });
        let told = serde_json::json!({
            "output": options.output.display().to_string(),
            "influence_cut": cut,
            "warnings": warnings_json(&report),
            "losses": warnings_json(&losses),
        });
        println!("{told:#}");
    }
    Ok(())
}

/// Cuts every mesh and sums up what that changed.
fn cut_influences(model: &mut Model, most: usize) -> Result<InfluenceCut> {
    let mut parts = std::mem::take(&mut model.character).into_parts();
    let mut sum = InfluenceCut::default();
    for mesh in &mut parts.meshes {
        let cut = mesh.cut_influences(most);
        sum.changed_vertices += cut.changed_vertices;
        sum.dropped_influences += cut.dropped_influences;
        sum.largest_dropped_weight = sum.largest_dropped_weight.max(cut.largest_dropped_weight);
    }
    model.character = sinew::rig::Character::new(parts)?;
    Ok(sum)
}
