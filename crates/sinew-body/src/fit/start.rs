//! Start of a fit, and its first parameters: the numbers of the template.

use super::knob::{Knob, Parameter};
use super::solve::PriorRow;
use super::{FitSettings, TargetJoints};
use crate::body::{Body, BodyRing};
use crate::design::{Design, EdgeChange, FillChange, MiddleChange, RingChange, Sided, given};
use crate::head::HeadBasis;
use crate::template::layout::LayoutFill;
use crate::template::{EdgeText, FillText, Flank, NodeText, Template};
use crate::{BuildError, build};
use glam::DVec3;

/// Usual amounts, m: typical errors of templates. Along a tube rings are stiffer, to keep them apart.
const USUAL_THICKNESS: f64 = 0.03;
const USUAL_SHIFT: f64 = 0.02;
const USUAL_SHIFT_ALONG: f64 = 0.003;
/// Usual difference of neighboring rings' changes divided by their distance.
const USUAL_SLOPE: f64 = 0.15;
const USUAL_BULGE: f64 = 0.02;
const USUAL_FLARE: f64 = 0.2;
/// Usual change of a factor.
const USUAL_FACTOR: f64 = 0.25;
/// Usual difference of a head's size from that of its bone.
const USUAL_SIZE: f64 = 0.05;

/// The template on the target's joints, with explicit values for all fitted numbers.
pub(super) fn start_design(template: &Template, joints: &TargetJoints) -> Design {
    let scale = scale_of(template, joints);
    let mut design = Design { scale, joints: joints.joints.clone(), ..Design::default() };
    let text = template.text();
    for fill in &text.fills {
        let change = FillChange {
            center: Some(fill.center.unwrap_or(2.4)),
            height: Some(scale * fill.height),
            spread: Some(fill.spread.unwrap_or(1.0)),
            shift: Some(scale * fill.shift),
        };
        design.fills.insert(fill.name.clone(), Sided::Both(change));
    }
    for edge in &text.edges {
        let change = EdgeChange { bulge: Some(scale * edge.bulge) };
        design.edges.insert(edge.name.clone(), Sided::Both(change));
    }
    design
}

/// Writes the rings and middles of a built start explicitly.
pub(super) fn write_out_rings(
    template: &Template,
    settings: &FitSettings,
    design: &mut Design,
) -> Result<(), BuildError> {
    let body = build(template, design)?;
    let text = template.text();
    for ring in free_rings(&body, settings) {
        let listed = text.rings.iter().find(|listed| listed.name == ring.name);
        let change = RingChange {
            front: Some(2.0 * ring.ring.semi_axes.x),
            side: Some(2.0 * ring.ring.semi_axes.y),
            flare: listed.and_then(|listed| listed.flare),
            reach: listed.and_then(|listed| listed.reach).map(|reach| design.scale * reach),
            ..RingChange::default()
        };
        design.rings.insert(ring.name.clone(), Sided::Both(change));
    }
    for tube in text.tubes.iter().filter(|tube| !settings.skipped_groups.contains(&tube.group)) {
        for bay in &tube.bays {
            if let Some(half) = bay.middle {
                let change = MiddleChange {
                    front: Some(2.0 * design.scale * half.x),
                    side: Some(2.0 * design.scale * half.y),
                    shift: Some(design.scale * bay.middle_shift),
                };
                design.middles.insert(format!("{}/{}", tube.name, bay.name), Sided::Both(change));
            }
        }
    }
    Ok(())
}

/// Everything but single control points.
pub(super) fn coarse_parameters(template: &Template, settings: &FitSettings, body: &Body) -> Vec<Parameter> {
    let mut list = Vec::new();
    end_joints(template, settings, &mut list);
    rings(template, settings, body, &mut list);
    for tube in template.layout.tubes.iter().filter(|tube| tube.flank != Flank::Right) {
        let listed = &template.text().tubes[tube.text];
        let is_free = !settings.skipped_groups.contains(&listed.group);
        for bay in listed.bays.iter().filter(|bay| is_free && bay.middle.is_some()) {
            let name = format!("{}/{}", listed.name, bay.name);
            list.push(Parameter::number(Knob::MiddleFront, &name, USUAL_THICKNESS));
            list.push(Parameter::number(Knob::MiddleSide, &name, USUAL_THICKNESS));
            let shift = |way| Parameter::along(Knob::MiddleShift, &name, way, USUAL_SHIFT);
            list.extend(ways(tube.flank).map(shift));
        }
    }
    net_parameters(template, settings, &mut list);
    list
}

/// A penalty on different changes of neighboring rings, divided by their distance; keeps close rings from crossing.
pub(super) fn ring_differences(body: &Body, parameters: &[Parameter], weight: f64) -> Vec<PriorRow> {
    let mut rows = Vec::new();
    for tube in body.tubes.iter().filter(|tube| tube.flank != Flank::Right) {
        for pair in tube.rings.windows(2) {
            let rings = [&body.rings[pair[0]], &body.rings[pair[1]]];
            let apart = rings[0].ring.frame.center.distance(rings[1].ring.frame.center);
            let of_ring = |ring: &BodyRing| -> Vec<(usize, usize)> {
                let own = parameters.iter().enumerate().filter(|(_, parameter)| parameter.name == ring.name);
                own.filter_map(|(unknown, parameter)| Some((ring_kind(parameter)?, unknown))).collect()
            };
            let (first, second) = (of_ring(rings[0]), of_ring(rings[1]));
            for &(kind, unknown) in &first {
                let Some(&(_, other)) = second.iter().find(|found| found.0 == kind) else { continue };
                let share = |unknown: usize| parameters[unknown].usual / (USUAL_SLOPE * apart);
                let terms = vec![(unknown, share(unknown)), (other, -share(other))];
                rows.push(PriorRow { terms, constant: 0.0, weight });
            }
        }
    }
    rows
}

/// Ring parameters that neighbors have too: the kind, shifts by their nearest axis.
fn ring_kind(parameter: &Parameter) -> Option<usize> {
    match parameter.knob {
        Knob::RingFront => Some(0),
        Knob::RingSide => Some(1),
        Knob::RingShift => {
            let size = parameter.way.abs().to_array();
            Some(2 + (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best }))
        }
        _ => None,
    }
}

/// The parts between tubes that are not skipped, on the left and in the middle.
pub(super) struct FreeNet<'a> {
    pub(super) nodes: Vec<(&'a NodeText, Flank)>,
    pub(super) edges: Vec<(&'a EdgeText, Flank)>,
    pub(super) fills: Vec<(&'a FillText, &'a LayoutFill)>,
}

impl<'a> FreeNet<'a> {
    pub(super) fn new(template: &'a Template, settings: &FitSettings) -> Self {
        let (text, layout) = (template.text(), &template.layout);
        let is_skipped = |fill: &FillText| settings.skipped_groups.contains(&fill.group);
        let skipped_bones: Vec<&String> =
            text.fills.iter().filter(|fill| is_skipped(fill)).map(|fill| &fill.bone).collect();
        let is_free = |bone: &String, flank: Flank| flank != Flank::Right && !skipped_bones.contains(&bone);
        let nodes = layout.nodes.iter().map(|node| (&text.nodes[node.text], node.flank));
        let edges = layout.edges.iter().map(|edge| (&text.edges[edge.text], edge.flank));
        let fills = layout.fills.iter().map(|fill| (&text.fills[fill.text], fill));
        FreeNet {
            nodes: nodes.filter(|(node, flank)| is_free(&node.bone, *flank)).collect(),
            edges: edges.filter(|(edge, flank)| is_free(&edge.bone, *flank)).collect(),
            fills: fills.filter(|(listed, fill)| fill.flank != Flank::Right && !is_skipped(listed)).collect(),
        }
    }
}

/// Nodes, edges, fills and the head.
pub(super) fn net_parameters(template: &Template, settings: &FitSettings, list: &mut Vec<Parameter>) {
    let net = FreeNet::new(template, settings);
    for (node, flank) in net.nodes {
        list.extend(ways(flank).map(|way| Parameter::along(Knob::Node, &node.name, way, USUAL_SHIFT)));
    }
    for (edge, flank) in net.edges {
        list.extend(ways(flank).map(|way| Parameter::along(Knob::EdgeBulge, &edge.name, way, USUAL_BULGE)));
    }
    for (listed, fill) in net.fills {
        let name = &listed.name;
        list.push(Parameter::number(Knob::FillCenter, name, USUAL_FACTOR));
        list.push(Parameter::number(Knob::FillSpread, name, USUAL_FACTOR));
        list.extend(ways(fill.flank).map(|way| Parameter::along(Knob::FillShift, name, way, USUAL_SHIFT)));
    }
    let Some(head) =
        template.text().head.as_ref().filter(|head| !settings.skipped_groups.contains(&head.group))
    else {
        return;
    };
    let (bone, [shapes, faces]) = (&head.bone, HeadBasis::human().mode_counts());
    list.extend(DVec3::AXES.map(|way| Parameter::along(Knob::HeadSize, bone, way, USUAL_SIZE)));
    let knobs = (0..shapes).map(Knob::HeadShape).chain((0..faces).map(Knob::HeadFace));
    list.extend(knobs.map(|knob| Parameter::number(knob, bone, 1.0)));
}

/// Ends of the stick figure, such as crown and toe, are not joints: the fit finds them.
fn end_joints(template: &Template, settings: &FitSettings, list: &mut Vec<Parameter>) {
    let (text, layout) = (template.text(), &template.layout);
    for tube in layout.tubes.iter().filter(|tube| tube.flank != Flank::Right) {
        let listed = &text.tubes[tube.text];
        if listed.tip.is_none() || settings.skipped_groups.contains(&listed.group) {
            continue;
        }
        let bone = &layout.bones[tube.bones[tube.bones.len() - 1]];
        let name = &text.joints[layout.joints[bone.to].text].name;
        list.extend(ways(tube.flank).map(|way| Parameter::along(Knob::Joint, name, way, USUAL_SHIFT)));
    }
}

fn rings(template: &Template, settings: &FitSettings, body: &Body, list: &mut Vec<Parameter>) {
    for ring in free_rings(body, settings) {
        let name = &ring.name;
        let Some(listed) = template.text().rings.iter().find(|listed| listed.name == ring.name) else {
            continue;
        };
        list.push(Parameter::number(Knob::RingFront, name, USUAL_THICKNESS));
        list.push(Parameter::number(Knob::RingSide, name, USUAL_THICKNESS));
        // Shifts refer to the template's own figure.
        let bone =
            template.layout.bones.iter().find(|bone| template.text().bones[bone.text].name == listed.bone);
        let way_of_bone = bone.map_or(DVec3::Y, |bone| {
            let at = |joint: usize| template.text().joints[template.layout.joints[joint].text].at;
            at(bone.to) - at(bone.from)
        });
        let normal = listed.normal.unwrap_or(way_of_bone).normalize_or(DVec3::Y);
        let first = listed.axis.unwrap_or(DVec3::X).reject_from_normalized(normal).normalize_or(DVec3::X);
        for (way, usual) in
            [(first, USUAL_SHIFT), (normal.cross(first), USUAL_SHIFT), (normal, USUAL_SHIFT_ALONG)]
        {
            // In the middle nothing moves sideways.
            let is_sideways = ring.flank == Flank::Middle && way.x.abs() > 0.5;
            if !is_sideways {
                list.push(Parameter::along(Knob::RingShift, name, way, usual));
            }
        }
        if listed.flare.is_some() {
            let ways = [DVec3::X, DVec3::Y];
            list.extend(ways.map(|way| Parameter::along(Knob::RingFlare, name, way, USUAL_FLARE)));
        }
        // Legs into fills stay: short ones fit a little better but show as lines.
    }
}

fn ways(flank: Flank) -> impl Iterator<Item = DVec3> {
    let first = if flank == Flank::Middle { 1 } else { 0 };
    DVec3::AXES.into_iter().skip(first)
}

fn free_rings<'a>(body: &'a Body, settings: &FitSettings) -> impl Iterator<Item = &'a BodyRing> {
    let is_free = |ring: &&BodyRing| !settings.skipped_groups.contains(&body.tubes[ring.tube].group);
    body.rings.iter().filter(|ring| ring.flank != Flank::Right).filter(is_free)
}

/// Ratio of the lengths of the target's bones to those of the template.
fn scale_of(template: &Template, joints: &TargetJoints) -> f64 {
    let (text, layout) = (template.text(), &template.layout);
    let (mut listed, mut found) = (0.0, 0.0);
    for bone in layout.bones.iter().filter(|bone| bone.flank != Flank::Right) {
        let ends = [bone.from, bone.to].map(|joint| &text.joints[layout.joints[joint].text]);
        let at = |end: usize| given(&joints.joints, &ends[end].name, bone.flank);
        if let (Some(from), Some(to)) = (at(0), at(1)) {
            listed += ends[0].at.distance(ends[1].at);
            found += from.distance(to);
        }
    }
    if listed > 0.0 && found > 0.0 { found / listed } else { 1.0 }
}
