//! Single control points as unknowns: each along the surface's normal, kept smooth by its neighbors.

use super::FitSettings;
use super::knob::{Knob, Parameter};
use super::matches::Matcher;
use super::solve::PriorRow;
use super::start::FreeNet;
use crate::body::{Body, BodyFill, BodyTube};
use crate::template::{Flank, Template};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// Usual offset of a control point, m.
const USUAL_OFFSET: f64 = 0.006;

/// Share of the template's relief that counts as rough. At one a face is smoothed away, at zero a nose too sharp stays sharp.
const RELIEF_SHARE: f64 = 0.3;

/// Weight of directions at open ends relative to curves inside.
const END_FACTOR: f64 = 0.25;

/// Control points this close to the middle plane are on it, m.
const ON_MIDDLE_PLANE: f64 = 1e-6;

/// Control points as unknowns.
#[derive(Default)]
pub(super) struct PointParameters {
    pub(super) parameters: Vec<Parameter>,
    /// Differences between neighbors.
    pub(super) smoothness: Vec<PriorRow>,
}

/// All free control points of groups that are not skipped. Indices of prior rows start at `first`.
pub(super) fn point_parameters(
    template: &Template,
    settings: &FitSettings,
    body: &Body,
    matcher: &Matcher<'_>,
    first: usize,
) -> PointParameters {
    let mut found = PointParameters::default();
    for (index, tube) in body.tubes.iter().enumerate().filter(|(_, tube)| tube.flank != Flank::Right) {
        if !settings.skipped_groups.contains(&tube.group) {
            let relief = template.relief.of_tube(index);
            let listed = TubePoints { template, body, tube, relief, matcher };
            add_tube(&listed, settings.smoothness, first, &mut found);
        }
    }
    for (index, fill) in body.fills.iter().enumerate().filter(|(_, fill)| fill.flank != Flank::Right) {
        if !settings.skipped_groups.contains(&fill.group) {
            add_fill(template, body, fill, index, &mut found);
        }
    }
    add_net(template, settings, &mut found);
    found
}

/// Usual change of a node's unit normal.
const USUAL_TILT: f64 = 0.2;

/// The free parameters between fills: legs across edges, directions at nodes, spokes.
fn add_net(template: &Template, settings: &FitSettings, found: &mut PointParameters) {
    let mut add = |key: String, ways: &[DVec3], usual: f64| {
        found.parameters.extend(ways.iter().map(|&way| Parameter::along(Knob::Offset, &key, way, usual)));
    };
    let net = FreeNet::new(template, settings);
    // In the middle both sides must stay equal: vectors along the middle plane stay in it, vectors across stay across.
    let (all, across, within) = (&DVec3::AXES[..], &DVec3::AXES[..1], &DVec3::AXES[1..]);
    for (node, flank) in net.nodes {
        let is_middle = flank == Flank::Middle;
        add(format!("{}/tilt", node.name), if is_middle { within } else { all }, USUAL_TILT);
        for line in 0..2 {
            let is_across = node.through[line][0].contains('@');
            let ways = match (is_middle, is_across) {
                (false, _) => all,
                (true, true) => across,
                (true, false) => within,
            };
            add(format!("{}/line/{line}", node.name), ways, USUAL_OFFSET);
        }
    }
    for (edge, flank) in net.edges {
        let ways = if flank == Flank::Middle { across } else { all };
        (1..=3).for_each(|leg| add(format!("{}/legs/{leg}", edge.name), ways, USUAL_OFFSET));
    }
    for (listed, fill) in net.fills {
        for side in (0..fill.listed.len()).map(|place| fill.listed_side(place)) {
            for part in ["spoke", "star", "across1", "across2", "across3"] {
                add(format!("{}/{side}/{part}", listed.name), all, USUAL_OFFSET);
            }
        }
    }
}

/// A tube whose control points become unknowns.
struct TubePoints<'a> {
    template: &'a Template,
    body: &'a Body,
    tube: &'a BodyTube,
    /// The template's own offsets.
    relief: &'a [DVec3],
    matcher: &'a Matcher<'a>,
}

impl TubePoints<'_> {
    /// The parameter of a control point, and its offset by the template's relief in the same unit; `None` where the target does not
    /// count, which keeps the relief there.
    fn parameter(&self, row: usize, column: usize, is_in_middle: bool) -> (Parameter, Option<f64>) {
        let tube = self.tube;
        let bay = (row / 4).min(tube.bays.len() - 1);
        let mut way = tube_normal(self.body, tube, row, column);
        if is_in_middle {
            way.x = 0.0;
        }
        let key = format!("{}/{}/{}/{column}", tube.name, tube.bays[bay], row - 4 * bay);
        let way = listed_from_model(self.template, self.body, tube.row_bone(self.body, row)) * way;
        let relief = way.dot(self.relief[row * tube.tube.row_len() + column]) * (RELIEF_SHARE / USUAL_OFFSET);
        let is_seen = self.matcher.is_seen(tube.tube.row(row)[column]);
        (Parameter::along(Knob::Offset, &key, way, USUAL_OFFSET), is_seen.then_some(relief))
    }
}

fn add_tube(listed: &TubePoints<'_>, smoothness: f64, first: usize, found: &mut PointParameters) {
    let tube = listed.tube;
    let row_len = tube.tube.row_len();
    let mirrored = mirrored_columns(tube);
    let mut at: BTreeMap<(usize, usize), (usize, Option<f64>)> = BTreeMap::new();
    let first_row = if tube.continues.is_some() { 2 } else { 0 };
    let row_end = tube.tube.row_count() - usize::from(tube.tip.is_some());
    for row in first_row..row_end {
        for column in 0..row_len {
            let image = mirrored.as_ref().map_or(column, |images| images[column]);
            if let Some(&known) = at.get(&(row, image)) {
                at.insert((row, column), known);
                continue;
            }
            let is_in_middle = mirrored.is_some() && image == column;
            let (parameter, relief) = listed.parameter(row, column, is_in_middle);
            at.insert((row, column), (first + found.parameters.len(), relief));
            found.parameters.push(parameter);
        }
    }
    let mut add_row = |places: &[((usize, usize), f64)], weight: f64| {
        let terms = places.iter().map(|(place, factor)| Some((at.get(place)?.0, *factor))).collect();
        let constant =
            places.iter().map(|(place, factor)| Some(at.get(place)?.1? * factor)).sum::<Option<f64>>();
        if let Some(terms) = terms {
            found.smoothness.push(PriorRow { terms, constant: constant.unwrap_or(0.0), weight });
        }
    };
    for &(row, column) in at.keys() {
        // At open ends the surface continues into fills: its direction is kept too.
        let is_end = row + 1 == tube.tube.row_count();
        if row == 0 || is_end {
            let inside = if is_end { row - 1 } else { row + 1 };
            add_row(&[((row, column), 1.0), ((inside, column), -1.0)], END_FACTOR * smoothness);
        }
        let beside = [(row, (column + row_len - 1) % row_len), (row, (column + 1) % row_len)];
        let along = [(row.wrapping_sub(1), column), (row + 1, column)];
        for [before, after] in [beside, along] {
            add_row(&[(before, -0.5), ((row, column), 1.0), (after, -0.5)], smoothness);
        }
    }
}

/// For tubes in the middle: the mirror column of each.
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

fn add_fill(template: &Template, body: &Body, fill: &BodyFill, index: usize, found: &mut PointParameters) {
    let turn = listed_from_model(template, body, fill.bone);
    for (k, &corner) in template.layout.fills[index].listed.iter().enumerate() {
        let patch = &body.patches[fill.first_patch + k].patch;
        let key = format!("{}/{corner}", fill.name);
        let way = turn * patch.normal(0.5, 0.5);
        found.parameters.push(Parameter::along(Knob::Offset, &key, way, 2.0 * USUAL_OFFSET));
    }
}

/// Converts a vector of the body to the template's figure, in which offsets are written.
fn listed_from_model(template: &Template, body: &Body, bone: usize) -> DQuat {
    let (text, layout) = (template.text(), &template.layout);
    let listed = &layout.bones[bone];
    let at = |joint: usize| layout.joints[joint].flank.place(text.joints[layout.joints[joint].text].at);
    let before = (at(listed.to) - at(listed.from)).normalize_or_zero();
    let after = (body.joints[listed.to].position - body.joints[listed.from].position).normalize_or(before);
    if before == DVec3::ZERO { DQuat::IDENTITY } else { DQuat::from_rotation_arc(before, after).inverse() }
}
