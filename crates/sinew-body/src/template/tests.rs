//! Templates that ship, and templates that are wrong.

use super::*;

const STUB: &str = r#"
name = "stub"
joints = [{ name = "a", at = [0, 0, 0] }, { name = "b", at = [0, 1, 0], parent = "a" }]
bones = [{ name = "bone", from = "a", to = "b" }]
rings = [{ name = "ring", bone = "bone", at = [0, 0.5, 0], girth = 0.6 }]
tubes = []
"#;

#[track_caller]
fn check(from: &str, to: &str, message: &str) {
    let error = Template::parse(&STUB.replace(from, to)).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn shipped_templates_are_whole() {
    for template in [Template::human(), Template::quadruped()] {
        let layout = &template.layout;
        assert!(layout.joints.len() > template.text().joints.len(), "pairs are listed once");
        assert!(layout.fills.iter().all(|fill| (3..=8).contains(&fill.sides.len())));
    }
    assert!(Template::parse(STUB).is_ok());
}

#[test]
fn errors_name_what_is_wrong() {
    check("parent = \"a\"", "parent = \"c\"", "b refers to \"c\", which is not a joint before it");
    check("to = \"b\"", "to = \"d\"", "bone refers to \"d\", which is not a joint");
    check("girth = 0.6", "flare = [0, 0]", "ring: a ring needs `half` or `girth`");
    check("girth = 0.6", "grith = 0.6", "grith");
    let tube = |start: &str| format!("tubes = [{{ name = \"tube\", group = \"g\", start = \"{start}\" }}]");
    check("tubes = []", &tube("ring"), "tube: a tube needs a bay or a tip");
    check("tubes = []", &tube("rung"), "tube refers to \"rung\", which is not a ring");
    let fill = "fills = [{ name = \"fill\", group = \"g\", bone = \"bone\", corners = [\"ring.left\"] }]\ntubes = []";
    check("tubes = []", fill, "fill refers to \"ring.left\", which is not a corner of a ring");
}
