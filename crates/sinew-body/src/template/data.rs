//! The text of a template as data: the content of a TOML file, with nothing resolved yet.
//!
//! Positions and directions are those of the template's own figure in rest, in model space and m. Each item follows a bone: if a design
//! moves the bone's joints, the item turns with the bone and keeps its share of the bone's length.

use super::{BentEdgeText, BentNodeText, BentRingText, CarryText};
use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// A whole template file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateText {
    /// Name of the template.
    pub name: String,
    /// Joints of the stick figure, parents before children. A joint off the middle plane is the left one of a pair.
    pub joints: Vec<JointText>,
    /// Bones between joints.
    pub bones: Vec<BoneText>,
    /// Rings round bones.
    pub rings: Vec<RingText>,
    /// Tubes through rings.
    pub tubes: Vec<TubeText>,
    /// Points where four edges meet away from any ring.
    #[serde(default)]
    pub nodes: Vec<NodeText>,
    /// Edges between rings and nodes.
    #[serde(default)]
    pub edges: Vec<EdgeText>,
    /// Holes to be filled.
    #[serde(default)]
    pub fills: Vec<FillText>,
    /// Relief on tubes: bumps and dents.
    #[serde(default)]
    pub relief: Vec<BumpText>,
    /// Motions of bones; others turn by half at their rings.
    #[serde(default)]
    pub motions: Vec<MotionText>,
    /// The net of patches at the end of a neck, if any.
    pub head: Option<HeadText>,
}

/// A joint or an end of the stick figure.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct JointText {
    /// Unique among its kind.
    pub name: String,
    /// Model space of the template's figure, m.
    pub at: DVec3,
    /// The parent joint; the root has none.
    pub parent: Option<String>,
}

/// A bone between two joints.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BoneText {
    /// Unique among its kind.
    pub name: String,
    /// The joint where it starts and turns.
    pub from: String,
    /// The joint where it ends.
    pub to: String,
    /// The axis it bends about at its first joint, with a positive angle in the usual direction; `None` if it does not bend.
    pub bend_axis: Option<DVec3>,
}

/// A ring.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RingText {
    /// Unique among its kind.
    pub name: String,
    /// The bone it follows.
    pub bone: String,
    /// Its middle.
    pub at: DVec3,
    /// The normal of its plane, along the tube; default the bone's direction.
    pub normal: Option<DVec3>,
    /// The axis of corner 0, projected to the plane; default +X.
    pub axis: Option<DVec3>,
    /// Half thickness along the axis and across it.
    pub half: Option<DVec2>,
    /// Girth, in place of `half`.
    pub girth: Option<f64>,
    /// Thickness along the axis divided by that across it, with `girth`; default 1.
    pub ratio: Option<f64>,
    /// Widening of the surface along the tube, along the axis and across it: m outward per m. Without this and `way` the surface passes the
    /// ring smoothly from the previous ring to the next.
    pub flare: Option<DVec2>,
    /// The direction in which the surface leaves the ring; default the normal.
    pub way: Option<DVec3>,
    /// Length of the legs into the fills beside the ring.
    pub reach: Option<f64>,
    /// Names of the corners, as many as the tube has patches around; required where fills meet the ring.
    #[serde(default)]
    pub corners: Vec<String>,
}

/// A chain of bays.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TubeText {
    /// Unique among its kind.
    pub name: String,
    /// The part of the body it belongs to.
    pub group: String,
    /// Patches around; default 4.
    pub patches: Option<usize>,
    /// The ring where it starts. If that is another tube's last ring, this tube continues it with twice as many patches around.
    pub start: String,
    /// Its bays, in order.
    #[serde(default)]
    pub bays: Vec<BayText>,
    /// Its closed end, if any.
    pub tip: Option<TipText>,
    /// The joint where the foot begins, for a leg that stands on the ground, y = 0: everything beyond moves with that joint as one piece,
    /// and the control points at the ground stay in its plane.
    pub foot: Option<String>,
}

/// A bay from the previous ring to another.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BayText {
    /// Its name, unique in the tube.
    pub name: String,
    /// The bone it follows.
    pub bone: String,
    /// The ring where it ends.
    pub to: String,
    /// Half thickness in its middle, along the rings' axes and across.
    pub middle: Option<DVec2>,
    /// Offset of the middle's center from half way between the rings' centers.
    #[serde(default)]
    pub middle_shift: DVec3,
    /// Length of the legs at its start; default a quarter of its length.
    pub start_leg: Option<f64>,
    /// Length of the legs at its end; default a quarter of its length.
    pub end_leg: Option<f64>,
}

/// A closed end.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TipText {
    /// The name of the bay that closes the tube.
    pub name: String,
    /// The bone it follows.
    pub bone: String,
    /// The outermost point.
    pub at: DVec3,
    /// The normal there.
    pub normal: DVec3,
    /// Width: 1 is an ellipsoid, more is blunter.
    pub fullness: Option<f64>,
    /// Length of the legs at its start, for the ratio to those before it; default as in an ellipsoid.
    pub leg: Option<f64>,
}

/// A point where two lines cross: four edges meet there.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NodeText {
    /// Unique among its kind.
    pub name: String,
    /// The bone it follows.
    pub bone: String,
    /// Model space of the template's figure, m.
    pub at: DVec3,
    /// The outward normal there.
    pub normal: DVec3,
    /// The ends of the edges that cross here: two lines, each from one vertex to another.
    pub through: [[String; 2]; 2],
    /// Length of the legs along each line.
    pub legs: [f64; 2],
}

/// An edge between two vertices.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeText {
    /// Unique among its kind.
    pub name: String,
    /// Its start: `ring.corner` or a node.
    pub from: String,
    /// Its end: `ring.corner` or a node.
    pub to: String,
    /// The bone that its bulge turns with.
    pub bone: String,
    /// Offset of its middle control point.
    #[serde(default)]
    pub bulge: DVec3,
}

/// A hole and the shape of its fill.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FillText {
    /// Unique among its kind.
    pub name: String,
    /// The part of the body it belongs to.
    pub group: String,
    /// The bone it follows.
    pub bone: String,
    /// The vertices around it. One in brackets is the middle of a double side.
    pub corners: Vec<String>,
    /// Distance of the center from the border, in half legs; default 2.4.
    pub center: Option<f64>,
    /// Outward push of the center.
    #[serde(default)]
    pub height: f64,
    /// Factor on the spokes: below 1 pointed, above 1 flat; default 1.
    pub spread: Option<f64>,
    /// Shift of the center.
    #[serde(default)]
    pub shift: DVec3,
}

/// The human head of [`crate::head`] on the open end of a tube in the middle, with half as many patches around as the net's border has edges.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HeadText {
    /// The tube.
    pub tube: String,
    /// The bone that the head follows; its first joint places the head.
    pub bone: String,
    /// The part of the body it belongs to.
    pub group: String,
    /// The corner of the tube's first ring at the front.
    pub front: String,
}

/// A bump or dent on a tube: moves control points closer than `radius` to `at`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BumpText {
    /// Description for the reader.
    pub name: String,
    /// The tube it lies on.
    pub tube: String,
    /// Its middle. Off the middle plane on a tube in the middle, it gets a mirror image.
    pub at: DVec3,
    /// Its reach along x, y and z.
    pub radius: DVec3,
    /// Displacement of points at its middle.
    pub push: DVec3,
}

/// Motion of a bone at its first joint, and of the skin there. Angles are in °, because people write these files.
///
/// Angles are those of [`crate::pose::JointPose`]: the same numbers on both sides are mirror images.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MotionText {
    /// Name in the template.
    pub bone: String,
    /// Whether the joint is a ball: it twists about its own bone, and its skin swings aside as it bends. Else it twists about its parent
    /// bone.
    #[serde(default)]
    pub ball: bool,
    /// Minimum and maximum bend, °; default −30 to 30.
    pub bend: Option<[f64; 2]>,
    /// Minimum and maximum sideways turn, °; default none.
    pub aside: Option<[f64; 2]>,
    /// Minimum and maximum twist, °; default none.
    pub twist: Option<[f64; 2]>,
    /// Whether the skin folds at the joint's ring, as at an elbow. Else the ring turns as a whole.
    #[serde(default)]
    pub fold: bool,
    /// Share of the bend that the ring at the joint turns by, if it does not fold; default ½.
    pub share: Option<f64>,
    /// The same for the sideways turn; default `share`.
    pub aside_share: Option<f64>,
    /// The source's p: sharpness of the outside at 90°.
    #[serde(default)]
    pub roundness: f64,
    /// Factor on the outside's distance from the joint at 90°; default 1.
    pub outside: Option<f64>,
    /// Muscles that swell as the joint bends.
    #[serde(default)]
    pub bulges: Vec<BulgeText>,
    /// Fills that change as the joint moves.
    #[serde(default)]
    pub fills: Vec<BentFillText>,
    /// Corners of the joint's ring as the joint moves.
    #[serde(default)]
    pub rings: Vec<BentRingText>,
    /// Edges that change as the joint moves.
    #[serde(default)]
    pub edges: Vec<BentEdgeText>,
    /// Nodes that move with the joint.
    #[serde(default)]
    pub nodes: Vec<BentNodeText>,
    /// The bone before the joint goes along; default not.
    pub carry: Option<CarryText>,
}

/// A muscle on a patch of a tube or of a fill.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BulgeText {
    /// The patch: `tube/bay/number` or `fill/corner`, the name of the patch.
    pub patch: String,
    /// Rise of its middle when fully tense, m; negative is hollow.
    pub height: f64,
    /// The angle that tenses it; default the bend.
    #[serde(default)]
    pub way: BentWay,
    /// Angle at which it begins to swell, °; default 0. Bends of hinges count from the straight limb, all others from rest.
    pub from: Option<f64>,
    /// Angle at which it is fully tense, °; default 90. Less than `from` for a muscle that swells as the joint straightens.
    pub to: Option<f64>,
}

/// The shape of a fill when a joint has turned by 90°. Missing values stay as in rest.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BentFillText {
    /// Name in the template.
    pub fill: String,
    /// The relevant angle; default the bend.
    #[serde(default)]
    pub way: BentWay,
    /// The source's H: outward push of the center, m.
    pub height: Option<f64>,
    /// The source's S: factor on the spokes.
    pub spread: Option<f64>,
    /// Distance of the center from the border, in half legs.
    pub center: Option<f64>,
    /// Shift of the center, m.
    pub shift: Option<DVec3>,
}

/// Direction of a joint's turn.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BentWay {
    /// A positive bend.
    #[default]
    Bend,
    /// A negative bend.
    Back,
    /// A positive sideways turn.
    Aside,
    /// A negative sideways turn.
    Inward,
}

impl TemplateText {
    /// Fill and corner of the patch `fill/corner`, if it exists. Corners in brackets have no patch.
    pub(crate) fn patch_of_fill(&self, name: &str) -> Option<(usize, usize)> {
        let (fill, corner) = name.split_once('/')?;
        let (fill, corner) = (self.fills.iter().position(|found| found.name == fill)?, corner.parse().ok()?);
        let listed: &String = self.fills[fill].corners.get::<usize>(corner)?;
        (!listed.starts_with('(')).then_some((fill, corner))
    }

    /// Tube, bay and number of the patch `tube/bay/number`, if it exists.
    pub(crate) fn patch_of_tube(&self, name: &str) -> Option<(usize, usize, usize)> {
        let mut parts = name.split('/');
        let (tube, bay, number) = (parts.next()?, parts.next()?, parts.next()?.parse().ok()?);
        let tube = self.tubes.iter().position(|found| found.name == tube)?;
        let text = &self.tubes[tube];
        let bay = text.bay_names().position(|found| found == bay)?;
        (number < text.patches.unwrap_or(4)).then_some((tube, bay, number))
    }
}

impl TubeText {
    /// Names of the bays, the tip's included.
    pub(crate) fn bay_names(&self) -> impl Iterator<Item = &String> {
        self.bays.iter().map(|bay| &bay.name).chain(self.tip.iter().map(|tip| &tip.name))
    }
}
