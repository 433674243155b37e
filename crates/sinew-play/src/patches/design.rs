//! Designs as characters carry them.

use super::PatchesError;
use sinew_body::{Body, Design, Template, build};
use sinew_rig::AuthoredBody;

/// What a character carries of its design. `template`: `human`, `quadruped`, or the text of another; `steps`: the tessellation.
pub fn authored_body(template: &str, design: &Design, steps: usize) -> AuthoredBody {
    AuthoredBody {
        template: template.into(),
        design: without_comments(&design.to_toml()),
        steps: steps as u32,
    }
}

/// Comments explain a file that a person edits; here they would only be carried along.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut short: String = lines.flat_map(|line| [line, "\n"]).collect();
    short.shrink_to_fit();
    short
}

/// The body that a character's data describe.
pub(super) fn body_of(authored: &AuthoredBody) -> Result<Body, PatchesError> {
    let template = match authored.template.as_str() {
        "human" => Template::human(),
        "quadruped" => Template::quadruped(),
        text => Template::parse(text)?,
    };
    Ok(build(&template, &Design::parse(&authored.design)?)?)
}
