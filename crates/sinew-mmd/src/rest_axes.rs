//! Translations and rotations along the model's axes.
//!
//! MMD bones have no rest rotation: motions and poses are along the axes of the model. Bones of other models have one. With `W` the
//! rest rotation of a bone and `t` a rotation along the model's axes, the bone's own rotation is `W⁻¹ t W`. Every bone then turns in
//! the model as in the PMX file of the same character.

use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::Trs;
use sinew_rig::Character;

/// Rest transform of a bone.
pub(crate) struct RestAxes {
    /// Parent from bone.
    rest: Trs,
    /// Includes scale: translations are in m of the model.
    model_from_parent: Affine3A,
    model_from_bone: Affine3A,
    /// The rotation of `model_from_bone`.
    turn: Quat,
}

impl RestAxes {
    /// Of every bone.
    pub(crate) fn of(character: &Character) -> Vec<Self> {
        let skeleton = character.skeleton();
        let model_from_bone = skeleton.rest_model_from_bone();
        let mut turns = vec![Quat::IDENTITY; skeleton.bone_count()];
        for &id in skeleton.parents_first() {
            let bone = skeleton.bone(id);
            let of_parent = bone.parent.map_or(Quat::IDENTITY, |parent| turns[parent.index()]);
            turns[id.index()] = (of_parent * bone.rest.to_trs().rotation).normalize();
        }
        let bones = skeleton.bones().iter().enumerate();
        let axes = bones.map(|(index, bone)| Self {
            rest: bone.rest.to_trs(),
            model_from_parent: bone
                .parent
                .map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent.index()]),
            model_from_bone: model_from_bone[index],
            turn: turns[index],
        });
        axes.collect()
    }

    /// Whether translations along the model's axes are translations along the parent's.
    pub(crate) fn is_parent_aligned(&self) -> bool {
        let linear = self.model_from_parent.matrix3;
        let diagonal =
            glam::Mat3A::from_diagonal(Vec3::new(linear.x_axis.x, linear.y_axis.y, linear.z_axis.z));
        linear == diagonal
    }

    /// The bone's translation in its parent for a translation along the model's axes.
    pub(crate) fn translation(&self, shift_in_model: Vec3) -> Vec3 {
        self.rest.translation + undone(&self.model_from_parent, shift_in_model)
    }

    /// The translation along the model's axes for a translation in the parent.
    pub(crate) fn shift(&self, translation: Vec3) -> Vec3 {
        self.model_from_parent.transform_vector3(translation - self.rest.translation)
    }

    /// The bone's rotation in its parent for a rotation about the model's axes.
    pub(crate) fn rotation(&self, turn_in_model: Quat) -> Quat {
        self.rest.rotation * self.own_turn(turn_in_model)
    }

    /// The rotation about the model's axes for a rotation in the parent.
    pub(crate) fn turn(&self, rotation: Quat) -> Quat {
        self.turn * (self.rest.rotation.conjugate() * rotation) * self.turn.conjugate()
    }

    /// Both as a change in the bone's own frame.
    pub(crate) fn change(&self, shift_in_model: Vec3, turn_in_model: Quat) -> Trs {
        Trs {
            translation: undone(&self.model_from_bone, shift_in_model),
            rotation: self.own_turn(turn_in_model),
            scale: Vec3::ONE,
        }
    }

    fn own_turn(&self, turn_in_model: Quat) -> Quat {
        self.turn.conjugate() * turn_in_model * self.turn
    }
}

/// The vector that `transform` maps to `vector`; zero if it is not invertible.
fn undone(transform: &Affine3A, vector: Vec3) -> Vec3 {
    let found = transform.inverse().transform_vector3(vector);
    if found.is_finite() { found } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use crate::FixedText;
    use crate::pmx::{PmxDocument, PmxWriteSettings};
    use crate::vmd::{BoneCurves, Vmd, VmdBoneKey, VmdCurve};
    use crate::vpd::{Vpd, VpdBone};
    use glam::{Affine3A, Quat};
    use sinew_io::Report;
    use sinew_rig::{Character, Clip, Pose, samples};

    /// Of matrices of a body of two m, through a chain of six bones and MMD's units.
    const ROUNDING_M: f32 = 2e-5;

    /// The figure, whose bones rest turned, and its twin in a PMX file, whose bones do not.
    fn twins() -> [Character; 2] {
        let figure = samples::figure();
        let mut report = Report::default();
        let document = PmxDocument::from_character(&figure, &PmxWriteSettings::default(), &mut report);
        let twin = document.to_character(&mut report).expect("just written");
        [figure, twin]
    }

    /// How every bone of the twin is moved in the model against rest, by both.
    #[track_caller]
    fn assert_moved_alike([figure, twin]: &[Character; 2], [pose, twin_pose]: [&Pose; 2]) {
        let moved = |character: &Character, pose: &Pose, name: &str| -> Affine3A {
            let bone = character.skeleton().find(name).expect("in both").index();
            let mut posed = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
            pose.model_from_bone_into(character, &mut posed);
            posed[bone] * character.skeleton().rest_model_from_bone()[bone].inverse()
        };
        for bone in twin.skeleton().bones() {
            let (a, b) = (moved(figure, pose, &bone.name), moved(twin, twin_pose, &bone.name));
            assert!(a.abs_diff_eq(b, ROUNDING_M), "{}: {a} and {b}", bone.name);
        }
    }

    #[track_caller]
    fn assert_play_alike(twins: &[Character; 2], clips: [&Clip; 2], times_secs: &[f64]) {
        let [mut pose, mut twin_pose] = [Pose::rest(&twins[0]), Pose::rest(&twins[1])];
        for &time_secs in times_secs {
            pose.set_clip(&twins[0], clips[0], time_secs);
            twin_pose.set_clip(&twins[1], clips[1], time_secs);
            assert_moved_alike(twins, [&pose, &twin_pose]);
        }
    }

    #[test]
    fn a_motion_moves_bones_that_rest_turned_as_their_twins() {
        let twins = twins();
        let mut report = Report::default();
        for clip in twins[0].clips() {
            let vmd = Vmd::from_clip(&twins[0], clip, &mut report);
            let again = vmd.to_clip(&twins[0], "again", &mut report);
            let of_twin = vmd.to_clip(&twins[1], "twin", &mut report);
            let times_secs = [0.0, 0.7, 1.1, 1.4, 1.517];
            assert_play_alike(&twins, [clip, &of_twin], &times_secs);
            assert_play_alike(&twins, [&again, &of_twin], &times_secs);
        }
        assert!(report.is_empty(), "{report:?}");
    }

    #[test]
    fn curves_along_other_axes_are_the_same_at_whole_frames() {
        let twins = twins();
        let curve = VmdCurve { start: [10, 90], end: [60, 127] };
        let key = |frame: u32, shift: [f32; 3]| VmdBoneKey {
            name: FixedText::encode("LeftLowerArm").0,
            frame,
            shift,
            rotation: [0.0; 4],
            curves: BoneCurves::from_curves([VmdCurve::LINEAR, curve, VmdCurve::LINEAR, curve]),
        };
        let bones = vec![key(3, [0.0, 1.0, 0.0]), key(33, [2.0, -3.0, 1.0])];
        let vmd = Vmd { bones, ..Vmd::default() };
        let clips = [0, 1].map(|twin: usize| vmd.to_clip(&twins[twin], "", &mut Report::default()));
        let times_secs: Vec<f64> = (0..40).map(|frame| f64::from(frame) / 30.0).collect();
        assert_play_alike(&twins, [&clips[0], &clips[1]], &times_secs);
        // And the other way: curves along a turned parent's axes are not curves of the file.
        let mut uneven = clips[1].clone();
        uneven.tracks.truncate(1);
        let written = Vmd::from_clip(&twins[0], &uneven, &mut Report::default());
        assert!(written.bones.len() > 25, "{}", written.bones.len());
    }

    #[test]
    fn a_pose_turns_bones_that_rest_turned_as_their_twins() {
        let twins = twins();
        let turn = Quat::from_rotation_y(0.8) * Quat::from_rotation_x(-0.4);
        let bone = |name: &str| VpdBone { name: name.into(), shift: [0.5, -1.0, 2.0], rotation: turn.into() };
        let vpd = Vpd::new("", ["Hips", "LeftLowerArm", "RightFoot"].map(bone).into(), Vec::new());
        let poses = [0, 1].map(|twin: usize| {
            let mut pose = Pose::rest(&twins[twin]);
            vpd.apply(&twins[twin], &mut pose, &mut Report::default());
            pose
        });
        assert_moved_alike(&twins, [&poses[0], &poses[1]]);
    }
}
