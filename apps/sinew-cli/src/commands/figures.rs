//! `sinew figures`.

use crate::args::{FigureSet, Figures};
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result};

pub(crate) fn figures(options: &Figures, talk: &Talk) -> Result<()> {
    let bar = talk.progress("figures", 1000);
    let on_progress = |share: f32| {
        bar.set_position((1000.0 * share) as u64);
        !interrupt::is_interrupted()
    };
    let place = || options.output.display().to_string();
    let (files, measures) = match options.set {
        FigureSet::Skinning => {
            let report = sinew_figures::figures::write_skinning(&options.output, options.size, &on_progress);
            let report = report.with_context(place)?;
            (report.files, serde_json::to_value(report.rows)?)
        }
        FigureSet::Elastic => {
            let report = sinew_figures::figures::write_elastic(&options.output, options.size, &on_progress);
            let report = report.with_context(place)?;
            (report.files.clone(), serde_json::to_value(report)?)
        }
        FigureSet::Flesh => {
            let report = sinew_figures::figures::write_flesh(&options.output, options.size, &on_progress);
            let report = report.with_context(place)?;
            (report.files.clone(), serde_json::to_value(report)?)
        }
        FigureSet::Fit => {
            let report = sinew_figures::figures::write_fit(&options.output, options.size, &on_progress);
            let report = report.with_context(place)?;
            (report.files.clone(), serde_json::to_value(report)?)
        }
        FigureSet::Body => {
            let report = sinew_figures::figures::write_body(&options.output, options.size, &on_progress);
            let report = report.with_context(place)?;
            (report.files, serde_json::to_value(report.builds)?)
        }
    };
    bar.finish_and_clear();
    talk.say(&format!("wrote {} files to {}", files.len(), options.output.display()));
    if options.is_json {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        println!("{:#}", serde_json::json!({ "files": files, "measures": measures }));
    }
    Ok(())
}
