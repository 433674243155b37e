//! What a file has and a character cannot hold.

use crate::Report;

/// Names that a report lists; of more it says how many.
const MOST_NAMES: usize = 5;

/// Reports elements that are not carried over, and what ufbx had to repair.
pub(super) fn report(scene: &ufbx::Scene, report: &mut Report) {
    for warning in &scene.metadata.warnings {
        let times = if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
        report.warn("", format!("{}{times}", &*warning.description));
    }
    macro_rules! left_out {
        ($($list:ident: $what:literal,)*) => {$(
            tell(report, $what, scene.$list.iter().map(|element| &*element.element.name));
        )*};
    }
    left_out! {
        cameras: "cameras",
        lights: "lights",
        stereo_cameras: "stereo cameras",
        camera_switchers: "camera switchers",
        line_curves: "curves",
        nurbs_curves: "NURBS curves",
        nurbs_surfaces: "NURBS surfaces",
        nurbs_trim_surfaces: "trimmed NURBS surfaces",
        procedural_geometries: "procedural shapes",
        constraints: "constraints",
        characters: "character definitions",
        audio_clips: "sounds",
    }
    report_hidden(scene, report);
    report_levels(scene, report);
}

/// One line for all elements of a kind.
fn tell<'a>(report: &mut Report, what: &str, names: impl Iterator<Item = &'a str>) {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return;
    }
    let mut listed: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("{name:?}")).collect();
    if names.len() > MOST_NAMES {
        listed.push("…".into());
    }
    report.warn(what, format!("{} are left out: {}", names.len(), listed.join(", ")));
}

fn report_hidden(scene: &ufbx::Scene, report: &mut Report) {
    let hidden = scene.nodes.iter().filter(|node| !node.visible && node.mesh.is_some());
    let names: Vec<String> = hidden.map(|node| format!("{:?}", &*node.element.name)).collect();
    if let Some(first) = names.first() {
        report.warn("nodes", format!("{} hidden meshes are shown, such as {first}", names.len()));
    }
}

fn report_levels(scene: &ufbx::Scene, report: &mut Report) {
    for group in &scene.lod_groups {
        let place = format!("level of detail {:?}", &*group.element.name);
        report.warn(place, "only the first level is read");
    }
}
