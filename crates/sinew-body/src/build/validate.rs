//! Checks a design's names and numbers before building.

use super::BuildError;
use crate::design::{ByName, Design, DesignError, HeadChange};
use crate::head::HeadBasis;
use crate::template::{MotionText, Template};
use glam::DVec3;

/// Positions beyond this are invalid, m.
const FAR_M: f64 = 10.0;
/// Minimum and maximum thickness of a part, m.
const THICKNESS_M: (f64, f64) = (0.002, 2.0);
/// Maximum offset of surfaces and points, m.
const OFFSET_M: f64 = 1.0;
/// Maximum share of a bay that fills may take.
const MOST_CUT: f64 = 0.6;
/// Maximum angle of a joint, °, and maximum rise of a muscle or fill, m.
const ANGLE_DEG: f64 = 360.0;
const RISE_M: f64 = 0.3;
/// Amounts of modes and factors of the head, and statures that it is made for, m.
const AMOUNTS: (f64, f64) = (-20.0, 20.0);
const HEAD_FACTORS: (f64, f64) = (0.3, 3.0);
const STATURES_M: (f64, f64) = (0.05, 10.0);
/// Rings and tubes that heads were made of before they became nets.
const GONE_RINGS: [&str; 10] =
    ["jaw", "mouth", "upper_lip", "nose", "cheeks", "eyes", "brow", "temples", "head", "skull"];
const GONE_TUBES: [&str; 2] = ["jaw/", "head/"];
/// Maximum widening along a tube, m outward per m: 71°.
const FLARE: f64 = 3.0;

/// # Errors
/// Lists every unknown name and every number out of range.
pub(crate) fn validate(template: &Template, design: &Design) -> Result<(), BuildError> {
    let mut checker =
        Checker { problems: Vec::new(), has_net: template.text().head.is_some(), gone: Vec::new() };
    checker.number("scale", design.scale, (0.05, 10.0));
    checker.names(template, design);
    checker.numbers(design);
    checker.cuts(template, design);
    checker.motions(template, design);
    if checker.problems.is_empty() { Ok(()) } else { Err(BuildError { problems: checker.problems }) }
}

/// Only the numbers, of a design whose names are known.
///
/// # Errors
/// Lists every number out of range.
pub(crate) fn validate_numbers(design: &Design) -> Result<(), BuildError> {
    let mut checker = Checker { problems: Vec::new(), has_net: true, gone: Vec::new() };
    checker.number("scale", design.scale, (0.05, 10.0));
    checker.numbers(design);
    if checker.problems.is_empty() { Ok(()) } else { Err(BuildError { problems: checker.problems }) }
}

struct Checker {
    /// Whether the head is a net of patches.
    has_net: bool,
    /// Keys of heads that were tubes.
    gone: Vec<String>,
    problems: Vec<DesignError>,
}

impl Checker {
    fn names(&mut self, template: &Template, design: &Design) {
        let text = template.text();
        let bays = text
            .tubes
            .iter()
            .flat_map(|tube| tube.bays.iter().map(move |bay| format!("{}/{}", tube.name, bay.name)));
        let counts = HeadBasis::human().mode_counts();
        let lists = [("shape", &design.head.shape), ("face", &design.head.face)];
        for ((list, amounts), most) in lists.into_iter().zip(counts) {
            if amounts.len() > most {
                let (key, found) = (format!("head.{list}"), amounts.len());
                let problem = format!("{found} amounts; the head has {most} modes");
                self.problems.push(DesignError::Conflict { key, problem });
            }
        }
        if !self.has_net && design.head != HeadChange::default() {
            let (key, problem) = ("head".to_owned(), "the template's head is no net of patches".to_owned());
            self.problems.push(DesignError::Conflict { key, problem });
        }
        self.known("joints", "joint", &design.joints, text.joints.iter().map(|joint| joint.name.clone()));
        self.known("lengths", "bone", &design.lengths, text.bones.iter().map(|bone| bone.name.clone()));
        self.known("rings", "ring", &design.rings, text.rings.iter().map(|ring| ring.name.clone()));
        self.known("middles", "bay", &design.middles, bays);
        self.known("fills", "fill", &design.fills, text.fills.iter().map(|fill| fill.name.clone()));
        self.known("edges", "edge", &design.edges, text.edges.iter().map(|edge| edge.name.clone()));
        self.known("motions", "bone", &design.motions, text.bones.iter().map(|bone| bone.name.clone()));
        self.known("nodes", "node", &design.nodes, text.nodes.iter().map(|node| node.name.clone()));
        for key in design.offsets.keys() {
            if self.has_net && is_gone("offsets", key) {
                self.gone.push(format!("offsets.{key}"));
            } else if super::address::Address::parse(template, key).is_none() {
                let known = "\"tube/bay/row/column\" with row 0 to 4, \"fill/corner\", \"fill/side/spoke\", \"fill/side/star\", \
                             \"fill/side/across1\" to \"across3\", \"edge/legs/1\" to \"3\", \"node/tilt\", \"node/line/0\" or \"1\""
                    .to_owned();
                let key = format!("offsets.{key}");
                self.problems.push(DesignError::Unknown { key, kind: "control point", known });
            }
        }
        if let [key, others @ ..] = self.gone.as_slice() {
            self.problems.push(DesignError::Gone { key: key.clone(), others: others.len() });
        }
    }

    fn known<T>(
        &mut self,
        section: &str,
        kind: &'static str,
        values: &ByName<T>,
        names: impl Iterator<Item = String>,
    ) {
        let names: Vec<String> = names.collect();
        for key in values.keys().filter(|key| !names.contains(key)) {
            let is_gone = self.has_net && is_gone(section, key);
            let key = format!("{section}.{key}");
            if is_gone {
                self.gone.push(key);
                continue;
            }
            self.problems.push(DesignError::Unknown { key, kind, known: names.join(", ") });
        }
    }

    fn numbers(&mut self, design: &Design) {
        self.vectors("joints", &design.joints, FAR_M);
        self.vectors("nodes", &design.nodes, OFFSET_M);
        self.vectors("offsets", &design.offsets, OFFSET_M);
        for (name, &long) in each(&design.lengths) {
            self.number(&format!("lengths.{name}"), long, (0.005, 3.0));
        }
        for (name, ring) in each(&design.rings) {
            let key = |field: &str| format!("rings.{name}.{field}");
            self.optional(key("front"), ring.front, THICKNESS_M);
            self.optional(key("side"), ring.side, THICKNESS_M);
            self.optional(key("girth"), ring.girth, (0.006, 6.0));
            self.optional(key("ratio"), ring.ratio, (0.2, 5.0));
            self.optional(key("reach"), ring.reach, (0.0005, 0.5));
            self.optional(key("cut"), ring.cut, (0.0, MOST_CUT));
            self.optional_vector(key("shift"), ring.shift);
            let flares = ring.flare.iter().flat_map(|flare| flare.to_array());
            flares.for_each(|flare| self.number(&key("flare"), flare, (-FLARE, FLARE)));
            self.ring_conflicts(name, ring);
        }
        for (name, middle) in each(&design.middles) {
            self.optional(format!("middles.{name}.front"), middle.front, THICKNESS_M);
            self.optional(format!("middles.{name}.side"), middle.side, THICKNESS_M);
            self.optional_vector(format!("middles.{name}.shift"), middle.shift);
        }
        for (name, fill) in each(&design.fills) {
            self.optional(format!("fills.{name}.center"), fill.center, (0.0, 6.0));
            self.optional(format!("fills.{name}.height"), fill.height, (-0.3, 0.3));
            self.optional(format!("fills.{name}.spread"), fill.spread, (0.1, 3.0));
            self.optional_vector(format!("fills.{name}.shift"), fill.shift);
        }
        let amounts = [("shape", &design.head.shape), ("face", &design.head.face)];
        for (list, amounts) in amounts {
            amounts.iter().for_each(|&amount| self.number(&format!("head.{list}"), amount, AMOUNTS));
        }
        let size = design.head.size.map(|size| size.to_array());
        size.iter().flatten().for_each(|&factor| self.number("head.size", factor, HEAD_FACTORS));
        self.optional("head.stature".to_owned(), design.head.stature, STATURES_M);
        for (name, edge) in each(&design.edges) {
            self.optional_vector(format!("edges.{name}.bulge"), edge.bulge);
        }
    }

    /// Only a tube that ends beside fills can be cut for them.
    fn cuts(&mut self, template: &Template, design: &Design) {
        let has_end = |name: &str| {
            let rings = template.layout.rings.iter();
            rings.filter(|ring| ring.end.is_some()).any(|ring| template.text().rings[ring.text].name == name)
        };
        for (name, _) in each(&design.rings).filter(|(name, ring)| ring.cut.is_some() && !has_end(name)) {
            let (key, problem) = (format!("rings.{name}.cut"), "no fill lies beside this ring".to_owned());
            self.problems.push(DesignError::Conflict { key, problem });
        }
    }

    fn motions(&mut self, template: &Template, design: &Design) {
        for (bone, change) in each(&design.motions) {
            let key = format!("motions.{bone}");
            let listed = template.text().motions.iter().find(|motion| motion.bone == *bone);
            let listed =
                listed.cloned().unwrap_or_else(|| MotionText { bone: bone.clone(), ..MotionText::default() });
            match change.applied_to(&listed).and_then(|motion| Ok((motion, change.axis()?))) {
                Err(problem) => self.problems.push(DesignError::Conflict { key, problem }),
                Ok((motion, axis)) => {
                    if let Err(error) = template.check_motion(&motion) {
                        self.problems.push(DesignError::Value { message: error.to_string() });
                    }
                    self.motion_numbers(&key, &motion);
                    if let Some(axis) = axis {
                        self.vector(&format!("{key}.axis"), axis, FAR_M);
                        if axis.length() < 1e-6 {
                            let problem = "the axis has no direction".to_owned();
                            self.problems.push(DesignError::Conflict { key: format!("{key}.axis"), problem });
                        }
                    }
                }
            }
        }
    }

    fn motion_numbers(&mut self, key: &str, motion: &MotionText) {
        for (name, range) in [("bend", motion.bend), ("aside", motion.aside), ("twist", motion.twist)] {
            let Some([low, high]) = range else { continue };
            self.number(&format!("{key}.{name}"), low, (-ANGLE_DEG, high.min(ANGLE_DEG)));
            self.number(&format!("{key}.{name}"), high, (low.max(-ANGLE_DEG), ANGLE_DEG));
        }
        for (name, share) in [("share", motion.share), ("aside_share", motion.aside_share)] {
            self.optional(format!("{key}.{name}"), share, (0.0, 1.0));
        }
        self.number(&format!("{key}.roundness"), motion.roundness, (-1.0, 1.0));
        self.optional(format!("{key}.outside"), motion.outside, (0.2, 3.0));
        for bulge in &motion.bulges {
            self.number(&format!("{key}.bulges.{}.height", bulge.patch), bulge.height, (-RISE_M, RISE_M));
        }
        for fill in &motion.fills {
            let key = |field: &str| format!("{key}.fills.{}.{field}", fill.fill);
            self.optional(key("height"), fill.height, (-RISE_M, RISE_M));
            self.optional(key("spread"), fill.spread, (0.1, 3.0));
            self.optional(key("center"), fill.center, (0.0, 6.0));
            self.optional_vector(key("shift"), fill.shift);
        }
    }

    fn ring_conflicts(&mut self, name: &str, ring: &crate::design::RingChange) {
        let thick = ring.front.iter().chain(&ring.side).copied().fold(0.0, f64::max);
        let problem = match ring.girth {
            Some(_) if ring.front.is_some() && ring.side.is_some() => {
                "give girth, or front and side, not all three"
            }
            Some(_) if ring.ratio.is_some() && thick > 0.0 => {
                "give girth with ratio or with one thickness, not both"
            }
            // A flat band's girth is twice its width; rings flatter than about one to five are rejected.
            Some(girth) if girth < 2.1 * thick => "the girth is too small for the thickness",
            None if ring.ratio.is_some() => "a ratio needs a girth",
            _ => return,
        };
        let (key, problem) = (format!("rings.{name}"), problem.to_owned());
        self.problems.push(DesignError::Conflict { key, problem });
    }

    fn vectors(&mut self, section: &str, values: &ByName<DVec3>, most: f64) {
        for (name, value) in each(values) {
            self.vector(&format!("{section}.{name}"), *value, most);
        }
    }

    fn optional_vector(&mut self, key: String, value: Option<DVec3>) {
        value.into_iter().for_each(|value| self.vector(&key, value, OFFSET_M));
    }

    fn vector(&mut self, key: &str, value: DVec3, most: f64) {
        value.to_array().into_iter().for_each(|number| self.number(key, number, (-most, most)));
    }

    fn optional(&mut self, key: String, value: Option<f64>, range: (f64, f64)) {
        value.into_iter().for_each(|value| self.number(&key, value, range));
    }

    fn number(&mut self, key: &str, found: f64, (low, high): (f64, f64)) {
        // NaN is in no range.
        if !(low..=high).contains(&found) {
            self.problems.push(DesignError::Range { key: key.to_owned(), found, low, high });
        }
    }
}

/// Whether a name is of a part of the head that no template has any more.
fn is_gone(section: &str, key: &str) -> bool {
    match section {
        "rings" => GONE_RINGS.contains(&key),
        "middles" | "offsets" => GONE_TUBES.iter().any(|tube| key.starts_with(tube)),
        _ => false,
    }
}

/// Every value of both sides, with its name.
fn each<T>(values: &ByName<T>) -> impl Iterator<Item = (&String, &T)> {
    values.iter().flat_map(|(name, sided)| sided.values().map(move |value| (name, value)))
}
