//! Single control points as unknowns: each along the surface's normal, held smooth by its neighbours.

use super::FitSettings;
use super::knob::{Knob, Parameter};
use super::solve::PriorRow;
use crate::body::{Body, BodyFill, BodyTube};
use crate::template::{Flank, Template};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// Usual offset of a control point, metres.
const USUAL_OFFSET: f64 = 0.006;

/// How much firmer directions at open ends are held than curves inside.
const END_FACTOR: f64 = 4.0;

/// Control points are counted as on the middle plane up to this, metres.
const ON_MIDDLE_PLANE: f64 = 1e-6;

/// Control points as unknowns.
#[derive(Default)]
pub(super) struct PointParameters {
    pub(super) parameters: Vec<Parameter>,
    /// Differences between neighbours.
    pub(super) smoothness: Vec<PriorRow>,
}

/// All free control points of the body that is not skipped. Indices of prior rows count from `first`.
pub(super) fn point_parameters(
    template: &Template,
    settings: &FitSettings,
    body: &Body,
    first: usize,
) -> PointParameters {
    let mut found = PointParameters::default();
    for tube in body.tubes.iter().filter(|tube| tube.flank != Flank::Right) {
        if !settings.skipped_groups.contains(&tube.group) {
            add_tube(template, settings, body, tube, first, &mut found);
        }
    }
    for (index, fill) in body.fills.iter().enumerate().filter(|(_, fill)| fill.flank != Flank::Right) {
        if !settings.skipped_groups.contains(&fill.group) {
            add_fill(template, body, fill, index, &mut found);
        }
    }
    found
}

fn add_tube(
    template: &Template,
    settings: &FitSettings,
    body: &Body,
    tube: &BodyTube,
    first: usize,
    found: &mut PointParameters,
) {
    let row_len = tube.tube.row_len();
    let mirrored = mirrored_columns(tube);
    let mut at: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let first_row = if tube.continues.is_some() { 2 } else { 0 };
    let row_end = tube.tube.row_count() - usize::from(tube.tip.is_some());
    for row in first_row..row_end {
        let bay = (row / 4).min(tube.bays.len() - 1);
        let bone = row_bone(body, tube, row);
        for column in 0..row_len {
            let image = mirrored.as_ref().map_or(column, |images| images[column]);
            if let Some(&known) = at.get(&(row, image)) {
                at.insert((row, column), known);
                continue;
            }
            let mut way = tube_normal(body, tube, row, column);
            let on_middle_plane = mirrored.is_some() && image == column;
            if on_middle_plane {
                way.x = 0.0;
            }
            let key = format!("{}/{}/{}/{column}", tube.name, tube.bays[bay], row - 4 * bay);
            let way = listed_from_model(template, body, bone) * way;
            at.insert((row, column), first + found.parameters.len());
            found.parameters.push(Parameter { knob: Knob::Offset { key, way }, usual: USUAL_OFFSET });
        }
    }
    for (&(row, column), &index) in &at {
        // At open ends the surface goes on into fills: its direction is held too.
        let is_start = row == 0;
        let is_end = row + 1 == tube.tube.row_count();
        let inside = if is_start { row + 1 } else { row.wrapping_sub(1) };
        if let (true, Some(&inside)) = (is_start || is_end, at.get(&(inside, column))) {
            let terms = vec![(inside, -1.0), (index, 1.0)];
            found.smoothness.push(PriorRow { terms, weight: END_FACTOR * settings.smoothness });
        }
        let beside = [(row, (column + row_len - 1) % row_len), (row, (column + 1) % row_len)];
        let along = [(row.wrapping_sub(1), column), (row + 1, column)];
        for neighbours in [beside, along] {
            if let [Some(&before), Some(&after)] = neighbours.map(|place| at.get(&place)) {
                let terms = vec![(before, -0.5), (index, 1.0), (after, -0.5)];
                found.smoothness.push(PriorRow { terms, weight: settings.smoothness });
            }
        }
    }
}

/// For tubes in the middle the column that mirrors each.
fn mirrored_columns(tube: &BodyTube) -> Option<Vec<usize>> {
    if tube.flank != Flank::Middle {
        return None;
    }
    let ring = tube.stations[0].ring.control_points(tube.tube.patch_count());
    let image = |&point: &DVec3| {
        let mirror = point.with_x(-point.x);
        ring.iter().position(|other| other.distance(mirror) < ON_MIDDLE_PLANE)
    };
    ring.iter().map(image).collect()
}

/// The outward normal of the surface beside a control point.
fn tube_normal(body: &Body, tube: &BodyTube, row: usize, column: usize) -> DVec3 {
    let bay = (row / 4).min(tube.bays.len() - 1);
    let patch_count = tube.tube.patch_count();
    let patch = &body.patches[tube.first_patch + bay * patch_count + column / 4].patch;
    patch.normal(0.25 * (column % 4) as f64, 0.25 * (row - 4 * bay) as f64)
}

/// The bone that a row's offsets turn with: a ring's own, else the bay's.
fn row_bone(body: &Body, tube: &BodyTube, row: usize) -> usize {
    if row.is_multiple_of(4) && row / 4 < tube.rings.len() {
        return body.rings[tube.rings[row / 4]].bone;
    }
    tube.bones[(row / 4).min(tube.bones.len() - 1)]
}

fn add_fill(template: &Template, body: &Body, fill: &BodyFill, index: usize, found: &mut PointParameters) {
    let turn = listed_from_model(template, body, fill.bone);
    for (k, &corner) in template.layout().fills[index].listed.iter().enumerate() {
        let patch = &body.patches[fill.first_patch + k].patch;
        let key = format!("{}/{corner}", fill.name);
        let way = turn * patch.normal(0.5, 0.5);
        found.parameters.push(Parameter { knob: Knob::Offset { key, way }, usual: 2.0 * USUAL_OFFSET });
    }
}

/// Turns a vector of the body back to the template's figure, for which offsets are written.
fn listed_from_model(template: &Template, body: &Body, bone: usize) -> DQuat {
    let (text, layout) = (template.text(), template.layout());
    let listed = &layout.bones[bone];
    let at = |joint: usize| layout.joints[joint].flank.place(text.joints[layout.joints[joint].text].at);
    let before = (at(listed.to) - at(listed.from)).normalize_or_zero();
    let after = (body.joints[listed.to].position - body.joints[listed.from].position).normalize_or(before);
    if before == DVec3::ZERO { DQuat::IDENTITY } else { DQuat::from_rotation_arc(before, after).inverse() }
}
