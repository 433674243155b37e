//! MMD's standard skeleton on the bones of a human.
//!
//! The hips become センター, which carries everything. Below it グルーブ and 下半身 are added at the same place; the skin of the hips, the legs and
//! all else that hangs on the hips go to 下半身, and the trunk to グルーブ. At rest, and where only センター turns, the model stands as before.
//! Each leg gets the two chains that motions for MMD expect, with MMD's usual numbers; goals rest where their ends do.

use super::rest_model::{KeptBones, RestBone, RestModel, with_bones};
use crate::StandardBones;
use crate::standard::{FOOT_GOALS, ROOT, TOE_GOALS};
use glam::Vec3;
use sinew_io::Report;
use sinew_rig::{BoneId, BoneLogic, Follow, HumanoidBone as B, MorphEffect, Reach, ReachLink};

/// Iterations and step of the leg's chain, as in MMD's own models: 40, and 2 rad.
const LEG: (u32, f32) = (40, 2.0);
/// Of the chain that turns the foot: 3, and 4 rad.
const FOOT: (u32, f32) = (3, 4.0);
/// The knee bends by 0.5° at least and 180° at most.
const KNEE_RAD: [f32; 2] = [0.008_726_646, std::f32::consts::PI];
/// A foot without toes is this long, of the leg's length from knee to ankle.
const FOOT_LENGTH: f32 = 0.4;
/// Arms of MMD's models rest about this far below level; motions are relative to that.
const ARM_BELOW_LEVEL_DEG: f32 = 37.0;
/// Arms that rest within this of it are not reported.
const ARM_TOLERANCE_DEG: f32 = 12.0;

/// Names the bones and adds those that MMD has besides.
pub(super) fn put_on(model: &mut RestModel, kept: &KeptBones, standard: &StandardBones, report: &mut Report) {
    let mut builder = Builder { bones: std::mem::take(&mut model.bones), standard, kept };
    let Some(hips) = builder.at(B::Hips) else {
        model.bones = builder.bones;
        return;
    };
    builder.rename();
    builder.report_arms(report);
    let root = builder.add_root();
    let lower = builder.split_hips(hips);
    builder.add_gaze();
    for side in [0, 1] {
        builder.add_chains(root, side);
    }
    model.bones = builder.bones;
    for vertex in &mut model.vertices {
        let weight = &mut vertex.weight;
        weight.bones[..weight.count].iter_mut().filter(|bone| **bone == hips).for_each(|bone| *bone = lower);
    }
    sort(model);
}

struct Builder<'a> {
    bones: Vec<RestBone>,
    standard: &'a StandardBones,
    kept: &'a KeptBones,
}

impl Builder<'_> {
    fn at(&self, bone: B) -> Option<u32> {
        self.kept.find(self.standard.map.get(bone)?)
    }

    fn place(&self, bone: u32) -> Vec3 {
        self.bones[bone as usize].position
    }

    fn add(&mut self, name: &str, parent: Option<u32>, position: Vec3) -> u32 {
        self.bones.push(RestBone {
            name: name.into(),
            parent,
            position,
            tip: None,
            logic: BoneLogic::default(),
            english: None,
            is_movable: false,
        });
        self.bones.len() as u32 - 1
    }

    fn rename(&mut self) {
        let named = self.standard.map.iter().map(|(_, bone)| bone).chain(self.standard.root);
        for bone in named {
            let (Some(at), Some(name)) = (self.kept.find(bone), self.standard.name(bone)) else { continue };
            let bone = &mut self.bones[at as usize];
            bone.english = Some(std::mem::replace(&mut bone.name, name.into()));
        }
    }

    /// The bone that carries all; it stands on the ground.
    fn add_root(&mut self) -> u32 {
        let root = match self.standard.root.and_then(|bone| self.kept.find(bone)) {
            Some(root) => root,
            None => {
                let root = self.add(ROOT, None, Vec3::ZERO);
                let others = self.bones.iter_mut().take(root as usize);
                others.filter(|bone| bone.parent.is_none()).for_each(|bone| bone.parent = Some(root));
                root
            }
        };
        self.bones[root as usize].is_movable = true;
        root
    }

    /// Adds グルーブ and 下半身; returns the latter.
    fn split_hips(&mut self, hips: u32) -> u32 {
        let place = self.place(hips);
        let trunk: Vec<u32> = [B::Spine, B::Neck, B::Head].iter().filter_map(|&bone| self.at(bone)).collect();
        let children: Vec<u32> = (0..self.bones.len() as u32)
            .filter(|&bone| self.bones[bone as usize].parent == Some(hips))
            .collect();
        let groove = self.add("グルーブ", Some(hips), place);
        let lower = self.add("下半身", Some(groove), place);
        for child in children {
            let is_trunk = trunk.iter().any(|&bone| self.is_at_or_below(bone, child));
            self.bones[child as usize].parent = Some(if is_trunk { groove } else { lower });
        }
        for bone in [hips, groove] {
            self.bones[bone as usize].is_movable = true;
        }
        let knees =
            [B::LeftLowerLeg, B::RightLowerLeg].map(|knee| self.at(knee).map_or(place, |at| self.place(at)));
        self.bones[lower as usize].tip = Some((knees[0].midpoint(knees[1]) - place) * 0.3);
        lower
    }

    fn is_at_or_below(&self, bone: u32, above: u32) -> bool {
        let mut at = Some(bone);
        while let Some(bone) = at {
            if bone == above {
                return true;
            }
            at = self.bones[bone as usize].parent;
        }
        false
    }

    /// 両目, which both eyes follow.
    fn add_gaze(&mut self) {
        let [Some(left), Some(right), Some(head)] =
            [B::LeftEye, B::RightEye, B::Head].map(|bone| self.at(bone))
        else {
            return;
        };
        let between = self.place(left).midpoint(self.place(right));
        // Above the head, where it can be grasped.
        let above = Vec3::Y * 2.0 * (between.y - self.place(head).y).abs();
        let gaze = self.add("両目", Some(head), between + above);
        for eye in [left, right] {
            let follow = Follow {
                source: BoneId(gaze),
                ratio: 1.0,
                rotates: true,
                translates: false,
                is_local: false,
            };
            self.bones[eye as usize].logic.follow.get_or_insert(follow);
        }
    }

    /// The chains of a leg. `side`: 0 is left, 1 right.
    fn add_chains(&mut self, root: u32, side: usize) {
        let of_side = |left: B| if side == 0 { left } else { left.mirrored() };
        let found = [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot].map(|left| self.at(of_side(left)));
        let [Some(thigh), Some(knee), Some(ankle)] = found else { return };
        let tip = self.toe_tip(knee, ankle, self.at(of_side(B::LeftToes)));
        let toe = self.add(["左つま先", "右つま先"][side], Some(ankle), tip);
        let foot_goal = self.add(FOOT_GOALS[side], Some(root), self.place(ankle));
        let toe_goal = self.add(TOE_GOALS[side], Some(foot_goal), tip);
        let [least, most] = KNEE_RAD.map(|angle| Vec3::X * angle);
        let links = vec![
            ReachLink { bone: BoneId(knee), limits: Some([least, most]) },
            ReachLink { bone: BoneId(thigh), limits: None },
        ];
        let reach = |effector: u32, (iterations, step_rad): (u32, f32), links: Vec<ReachLink>| {
            Some(Reach { effector: BoneId(effector), iterations, step_rad, links })
        };
        self.bones[foot_goal as usize].logic.reach = reach(ankle, LEG, links);
        self.bones[foot_goal as usize].tip = Some(Vec3::NEG_Z * 0.1);
        let links = vec![ReachLink { bone: BoneId(ankle), limits: None }];
        self.bones[toe_goal as usize].logic.reach = reach(toe, FOOT, links);
        self.bones[toe_goal as usize].tip = Some(Vec3::NEG_Y * 0.08);
    }

    /// Where the toes end: at the tip of the last bone, else where a foot of usual length ends.
    fn toe_tip(&self, knee: u32, ankle: u32, toes: Option<u32>) -> Vec3 {
        let end = toes.unwrap_or(ankle);
        let tip = self.bones[end as usize].tip.map(|tip| self.place(end) + tip);
        let is_ahead = |tip: &Vec3| (*tip - self.place(ankle)).length() > 1e-3;
        if let Some(tip) = tip.filter(is_ahead) {
            return tip;
        }
        let (knee, ankle) = (self.place(knee), self.place(ankle));
        let ahead = Vec3::Z * FOOT_LENGTH * knee.distance(ankle);
        let ball = toes.map(|toes| self.place(toes)).filter(is_ahead);
        ball.unwrap_or(ankle * Vec3::new(1.0, 0.3, 1.0) + ahead)
    }

    /// Motions turn arms from where MMD's models have them.
    fn report_arms(&self, report: &mut Report) {
        let [Some(arm), Some(elbow)] = [B::LeftUpperArm, B::LeftLowerArm].map(|bone| self.at(bone)) else {
            return;
        };
        let along = self.place(elbow) - self.place(arm);
        let below_deg = (-along.y).atan2(along.x.hypot(along.z)).to_degrees();
        let off_deg = ARM_BELOW_LEVEL_DEG - below_deg;
        if along.is_finite() && off_deg.abs() > ARM_TOLERANCE_DEG {
            let way = if off_deg > 0.0 { "high" } else { "low" };
            // Adding 0 makes 0 of −0.
            let below_deg = below_deg.round() + 0.0;
            report.warn(
                "bones",
                format!(
                    "arms rest {below_deg:.0}° below level, in MMD's models about {ARM_BELOW_LEVEL_DEG:.0}°; motions made for those hold them {:.0}° too {way}",
                    off_deg.abs()
                ),
            );
        }
    }
}

/// Puts every bone after its parent and after the bone that it follows, else in the same order: programs evaluate bones so.
fn sort(model: &mut RestModel) {
    let count = model.bones.len();
    let mut order: Vec<usize> = Vec::with_capacity(count);
    let mut is_listed = vec![false; count];
    for start in 0..count {
        let mut open = vec![start];
        while let Some(&bone) = open.last() {
            if is_listed[bone] {
                open.pop();
                continue;
            }
            let RestBone { parent, logic, .. } = &model.bones[bone];
            let before = [*parent, logic.follow.map(|follow| follow.source.0)];
            let next = before.into_iter().flatten().map(|bone| bone as usize);
            // Bones that follow each other in a circle stay in their order.
            match next.into_iter().find(|next| !is_listed[*next] && !open.contains(next)) {
                Some(next) => open.push(next),
                None => {
                    is_listed[bone] = true;
                    order.push(bone);
                    open.pop();
                }
            }
        }
    }
    let mut place_of = vec![0; count];
    order.iter().enumerate().for_each(|(place, &bone)| place_of[bone] = place as u32);
    let placed = |bone: u32| place_of[bone as usize];
    let mut bones: Vec<RestBone> = order.iter().map(|&bone| model.bones[bone].clone()).collect();
    for bone in &mut bones {
        bone.parent = bone.parent.map(placed);
        bone.logic = with_bones(&bone.logic, |bone| BoneId(placed(bone.0)));
    }
    model.bones = bones;
    for vertex in &mut model.vertices {
        let weight = &mut vertex.weight;
        weight.bones[..weight.count].iter_mut().for_each(|bone| *bone = placed(*bone));
    }
    for morph in &mut model.morphs {
        if let MorphEffect::Bones(changes) = &mut morph.effect {
            changes.iter_mut().for_each(|change| change.bone = BoneId(placed(change.bone.0)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::StandardBones;
    use crate::pmx::{PmxDocument, PmxWriteSettings, bone_flags};
    use glam::{Affine3A, Quat, Vec3};
    use sinew_geometry::Trs;
    use sinew_io::Report;
    use sinew_rig::{BoundSurface, Character, Pose, guess_humanoid, samples};

    /// Rounding of places a meter or two from the origin, through MMD's units and matrices of 32 bits.
    const ROUNDING_M: f32 = 4e-6;

    fn standard(character: &Character) -> StandardBones {
        StandardBones::of(character, &guess_humanoid(character)).expect("a human")
    }

    fn written(character: &Character) -> (PmxDocument, Character) {
        let (settings, mut report) = (PmxWriteSettings::default(), Report::default());
        let document = PmxDocument::from_humanoid(character, &standard(character), &settings, &mut report);
        assert_eq!(document.pmx().problems(), [], "a file without faults");
        let read = document.to_character(&mut Report::default()).expect("just written");
        (document, read)
    }

    fn shape(character: &Character, pose: &Pose) -> Vec<Vec3> {
        let bound = BoundSurface::of(character);
        bound.blended(&bound.posed_from_rest(character, pose))
    }

    #[track_caller]
    fn assert_same(a: &[Vec3], b: &[Vec3]) {
        let most = a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(a.len() == b.len() && most < ROUNDING_M, "{most} m");
    }

    #[test]
    fn a_human_gets_names_and_chains_and_rests_as_before() {
        let figure = samples::figure();
        let (document, read) = written(&figure);
        let names: Vec<&str> = document.pmx().bones.iter().map(|bone| bone.name.as_str()).collect();
        for name in [
            "全ての親",
            "センター",
            "グルーブ",
            "下半身",
            "上半身",
            "首",
            "頭",
            "左肩",
            "左腕",
            "左ひじ",
            "左手首",
            "右足",
            "右ひざ",
            "右足首",
            "右つま先",
            "左足ＩＫ",
            "左つま先ＩＫ",
            "右足ＩＫ",
            "右つま先ＩＫ",
        ] {
            assert_eq!(names.iter().filter(|known| **known == name).count(), 1, "{name} in {names:?}");
        }
        for (index, bone) in document.pmx().bones.iter().enumerate() {
            assert!(bone.parent < index as i32, "{:?} comes before its parent", bone.name);
        }
        let find = |name: &str| document.pmx().bones.iter().find(|bone| bone.name.as_str() == name).unwrap();
        assert_eq!(find("左腕").name_en.as_str(), "LeftUpperArm");
        assert!(find("センター").flags & bone_flags::MOVABLE != 0);
        let ik = find("左足ＩＫ").ik.as_ref().unwrap();
        let [least, most] = ik.links[0].limits_rad.unwrap();
        assert_eq!((ik.loop_count, ik.limit_rad, ik.links.len()), (40, 2.0, 2));
        assert!((least[0] + std::f32::consts::PI).abs() < 1e-6 && (most[0] + 0.008_726_646).abs() < 1e-7);
        assert_same(&shape(&figure, &Pose::rest(&figure)), &shape(&read, &Pose::rest(&read)));
    }

    #[test]
    fn own_clips_look_the_same_on_the_model() {
        let figure = samples::figure();
        let (_, read) = written(&figure);
        for clip in figure.clips() {
            let mut report = Report::default();
            let vmd = standard(&figure).vmd(&figure, clip, &mut report);
            assert_eq!(vmd.properties[0].switches.len(), 4, "chains are off");
            let played = vmd.to_clip(&read, "played", &mut report);
            assert!(report.is_empty(), "{report:?}");
            for time_secs in [0.0, 0.7, 1.1, 1.5] {
                let (own, of_model) =
                    (Pose::at(&figure, clip, time_secs), Pose::at(&read, &played, time_secs));
                assert_same(&shape(&figure, &own), &shape(&read, &of_model));
            }
            // The same file moves the character itself.
            let again = standard(&figure).clip(&vmd, &figure, "again", &mut report);
            assert_same(
                &shape(&figure, &Pose::at(&figure, clip, 0.7)),
                &shape(&figure, &Pose::at(&figure, &again, 0.7)),
            );
        }
    }

    #[test]
    fn motions_move_hips_and_feet_as_in_mmd() {
        let (_, read) = written(&samples::figure());
        let find = |name: &str| read.skeleton().find(name).expect("standard");
        let posed = |pose: &Pose| {
            let mut bones = vec![Affine3A::IDENTITY; read.skeleton().bone_count()];
            pose.model_from_bone_into(&read, &mut bones);
            bones
        };
        let rest = posed(&Pose::rest(&read));
        let place = |bones: &[Affine3A], name: &str| Vec3::from(bones[find(name).index()].translation);
        let leg_m = place(&rest, "左足").distance(place(&rest, "左足首"));
        // Hips that sink keep their feet on the ground.
        let mut pose = Pose::rest(&read);
        pose.change(find("センター"), &Trs::from_translation(Vec3::Y * -0.15 * leg_m));
        let bones = posed(&pose);
        for foot in ["左足首", "右足首"] {
            assert!(place(&bones, foot).distance(place(&rest, foot)) < 1e-3 * leg_m, "{foot}");
        }
        let knee_ahead = place(&bones, "左ひざ").z - place(&rest, "左ひざ").z;
        assert!(knee_ahead > 0.1 * leg_m, "knees bend to the front: {knee_ahead}");
        // 下半身 turns the legs alone.
        let mut pose = Pose::rest(&read);
        pose.turn(find("下半身"), Quat::from_rotation_y(0.4));
        let bones = posed(&pose);
        assert!(place(&bones, "頭").distance(place(&rest, "頭")) < ROUNDING_M);
        assert!(place(&bones, "左足").distance(place(&rest, "左足")) > 0.02);
    }

    #[test]
    fn who_is_not_human_or_has_names_of_mmd_stays() {
        let limb = samples::limb(8, 4);
        assert_eq!(StandardBones::of(&limb, &guess_humanoid(&limb)), None);
        let (_, read) = written(&samples::figure());
        assert!(guess_humanoid(&read).missing().is_empty(), "found again");
        assert_eq!(StandardBones::of(&read, &guess_humanoid(&read)), None);
    }
}
