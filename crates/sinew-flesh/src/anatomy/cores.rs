//! The bones' bodies inside the flesh.
//!
//! A bone that moves skin goes from its head to the heads of its children that move skin (or carry others that do), or to its tip. A bone that says neither ends
//! where its vertices end: along the way from its head to their middle. Of each such segment the part inside the surface is
//! a core. Twist and helper bones, breasts, eyes and lids would put bone where there is none: a last bone that is no bone of
//! the human, and whose parent is one or is such a helper itself, has no core where there is a map.

use super::{AnatomyInput, AnatomyWarning};
use crate::config::BoneSettings;
use glam::{Affine3A, DVec3, Vec3};
use sinew_geometry::triangle::segment_share;
use sinew_geometry::{Bounds, WindingField};
use sinew_rig::BoneId;

/// Places along a segment that are asked for inside and outside.
const SAMPLES: usize = 24;

/// A bone without a child or a tip reaches this share of the way to the last of its vertices: bone ends before the skin.
const REACH: f32 = 0.75;

/// The part of a bone that lies inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneCore {
    /// The bone.
    pub bone: BoneId,
    /// Where it begins, model space, meters.
    pub start: Vec3,
    /// Where it ends; may be where it begins.
    pub end: Vec3,
    /// Its thickness, meters: a share of the flesh round it.
    pub radius_m: f32,
}

impl BoneCore {
    /// The unit direction from start to end; zero where they are one.
    pub fn direction(&self) -> Vec3 {
        (self.end - self.start).normalize_or_zero()
    }

    /// The place of the segment that is nearest to a point.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        self.start + (self.end - self.start) * segment_share(point, self.start, self.end)
    }

    /// How far a place is from the segment, meters.
    pub fn axis_distance(&self, point: Vec3) -> f32 {
        self.nearest(point).distance(point)
    }
}

/// All cores, by bone, in the skeleton's order. Radii are still zero.
pub(super) fn find(
    input: &AnatomyInput<'_>,
    of_bones: &[Option<&BoneSettings>],
    model_from_bone: &[Affine3A],
    winding: &WindingField,
    warnings: &mut Vec<AnatomyWarning>,
) -> Vec<BoneCore> {
    let family = Family::new(input);
    let mut cores = Vec::new();
    for bone in (0..family.moves_skin.len()).map(BoneId::of) {
        let has_core = of_bones[bone.index()].and_then(|settings| settings.has_core);
        let is_wanted =
            has_core.unwrap_or_else(|| family.moves_skin[bone.index()] && !family.is_helper(input, bone));
        let head = Vec3::from(model_from_bone[bone.index()].translation);
        if !is_wanted {
            // A twist or a breast has no core, but one that lies elsewhere is a mistake.
            if family.moves_skin[bone.index()]
                && !winding.is_inside(head.as_dvec3())
                && !is_near_own(input, bone, head)
            {
                warnings.push(AnatomyWarning::BoneOutside { bone });
            }
            continue;
        }
        let segments: Vec<BoneCore> = family
            .ends(input, model_from_bone, bone, head)
            .into_iter()
            .filter_map(|end| inner_part(winding, head, end))
            .map(|[start, end]| BoneCore { bone, start, end, radius_m: 0.0 })
            .collect();
        if segments.is_empty() {
            warnings.push(AnatomyWarning::BoneOutside { bone });
        }
        cores.extend(segments);
    }
    cores
}

/// Who moves skin, and who carries whom.
struct Family {
    moves_skin: Vec<bool>,
    /// Whether the bone or a bone below it moves skin.
    carries_skin: Vec<bool>,
    children: Vec<Vec<BoneId>>,
    /// By bone: its vertices' middle, weighted, and their weight.
    middles: Vec<(DVec3, f64)>,
}

impl Family {
    fn new(input: &AnatomyInput<'_>) -> Self {
        let skeleton = input.character.skeleton();
        let count = skeleton.bone_count();
        let mut middles = vec![(DVec3::ZERO, 0.0); count];
        for (vertex, position) in input.surface.positions.iter().enumerate() {
            for (bone, weight) in bones_of(input, vertex) {
                middles[bone.index()].0 += position.as_dvec3() * weight;
                middles[bone.index()].1 += weight;
            }
        }
        let moves_skin: Vec<bool> = middles.iter().map(|(_, weight)| *weight > 0.0).collect();
        let mut carries_skin = moves_skin.clone();
        let mut children = vec![Vec::new(); count];
        for &bone in skeleton.parents_first().iter().rev() {
            if let Some(parent) = skeleton.bone(bone).parent {
                carries_skin[parent.index()] |= carries_skin[bone.index()];
                children[parent.index()].push(bone);
            }
        }
        children.iter_mut().for_each(|of_bone: &mut Vec<BoneId>| of_bone.sort_unstable());
        Self { moves_skin, carries_skin, children, middles }
    }

    /// Whether the bone only helps a bone of the human; see the module's text.
    fn is_helper(&self, input: &AnatomyInput<'_>, bone: BoneId) -> bool {
        let Some(map) = input.humanoid else { return false };
        let skeleton = input.character.skeleton();
        let is_mapped = |bone: BoneId| map.humanoid_bone(bone).is_some();
        let is_last =
            |bone: BoneId| !self.children[bone.index()].iter().any(|child| self.carries_skin[child.index()]);
        let hangs_from_human = skeleton.bone(bone).parent.is_some_and(is_mapped);
        !is_mapped(bone) && is_last(bone) && hangs_from_human
    }

    /// Where the segments of a bone end.
    fn ends(
        &self,
        input: &AnatomyInput<'_>,
        model_from_bone: &[Affine3A],
        bone: BoneId,
        head: Vec3,
    ) -> Vec<Vec3> {
        let head_of = |bone: &BoneId| Vec3::from(model_from_bone[bone.index()].translation);
        let is_place = |end: &Vec3| end.is_finite() && *end != head;
        let goes_on = |child: &&BoneId| self.carries_skin[child.index()] && !self.is_helper(input, **child);
        let mut ends: Vec<Vec3> =
            self.children[bone.index()].iter().filter(goes_on).map(head_of).filter(is_place).collect();
        if ends.is_empty() {
            let tip = input.character.skeleton().bone(bone).tip_in_bone;
            let at_rest = model_from_bone[bone.index()];
            ends.extend(tip.map(|tip| at_rest.transform_point3(tip)).filter(is_place));
        }
        if ends.is_empty() {
            // A child that moves no skin may still mark the end.
            let marks = self.children[bone.index()].iter().map(head_of).filter(is_place);
            ends.extend(marks.max_by(|a, b| a.distance(head).total_cmp(&b.distance(head))));
        }
        if ends.is_empty() {
            ends.push(self.end_by_vertices(input, bone, head));
        }
        ends
    }

    /// Along the way from the head to the vertices' middle, as far as vertices go that are mostly the bone's.
    fn end_by_vertices(&self, input: &AnatomyInput<'_>, bone: BoneId, head: Vec3) -> Vec3 {
        let (sum, weight) = self.middles[bone.index()];
        let direction = ((sum / weight.max(f64::MIN_POSITIVE)).as_vec3() - head).normalize_or_zero();
        let is_mostly =
            |vertex: usize| bones_of(input, vertex).any(|(of, weight)| of == bone && weight > 0.5);
        let reach = input.surface.positions.iter().enumerate();
        let along = reach
            .filter(|(vertex, _)| is_mostly(*vertex))
            .map(|(_, position)| (*position - head).dot(direction));
        head + direction * (along.fold(0.0, f32::max) * REACH)
    }
}

/// The bones of a vertex of the surface and their weights.
fn bones_of(input: &AnatomyInput<'_>, vertex: usize) -> impl Iterator<Item = (BoneId, f64)> {
    let (entries, weights) = input.bound.influences().of(vertex);
    let palette = input.bound.palette();
    entries.iter().zip(weights).map(|(&entry, &weight)| (palette[usize::from(entry)].bone, f64::from(weight)))
}

/// Whether a place is in the box round the vertices that a bone moves: hair and ears may hang from a bone that lies just outside.
fn is_near_own(input: &AnatomyInput<'_>, bone: BoneId, place: Vec3) -> bool {
    let is_own = |vertex: &usize| bones_of(input, *vertex).any(|(of, weight)| of == bone && weight > 0.0);
    let vertices = (0..input.surface.positions.len()).filter(is_own);
    Bounds::around(vertices.map(|vertex| input.surface.positions[vertex])).contains(place)
}

/// The longest part of a segment that is inside; `None` where nothing is.
fn inner_part(winding: &WindingField, start: Vec3, end: Vec3) -> Option<[Vec3; 2]> {
    let at = |sample: usize| start.lerp(end, sample as f32 / (SAMPLES - 1) as f32);
    let is_inside: Vec<bool> = (0..SAMPLES).map(|sample| winding.is_inside(at(sample).as_dvec3())).collect();
    let mut best: Option<(usize, usize)> = None;
    let mut sample = 0;
    while sample < SAMPLES {
        let run = is_inside[sample..].iter().take_while(|inside| **inside).count();
        if run > 0 && best.is_none_or(|(first, last)| run > last - first + 1) {
            best = Some((sample, sample + run - 1));
        }
        sample += run.max(1);
    }
    best.map(|(first, last)| [at(first), at(last)])
}
