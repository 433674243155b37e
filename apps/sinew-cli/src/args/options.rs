//! Options that several commands share.

use super::parse::{parse_number, parse_picture_size, parse_rate};
use crate::commands::render::Quality;
use crate::commands::subject;
use clap::{Args, ValueEnum};
use sinew::model::motion::MotionChoice;
use sinew::model::{SaveSettings, VrmMeta};
use sinew::play::patches::SkinMethod;
use sinew::play::{SubjectRequest, motion_choice};
use sinew::rig::SpringPlay;
use sinew::scene::SceneChoices;
use sinew::skin::JointRule;
use std::path::PathBuf;

const POSE_FILE_HELP: &str = r#"Changes relative to rest: {"bones": {"NAME": {"rotation": [x,y,z,w], "translation": [x,y,z], "scale": [x,y,z]}}, "morphs": {"NAME": 0.5}}; or a pose of MMD (.vpd)"#;

/// Which pose: rest, a pose file, a clip or motion at a time, or all of it.
#[derive(Args, Debug, Default)]
#[command(group(clap::ArgGroup::new("moving").args(["clip", "motion"])))]
pub(crate) struct PoseOptions {
    /// A pose file, in the form that `POSE_FILE_HELP` shows, or of MMD.
    #[arg(long, value_name = "pose.json|pose.vpd", conflicts_with_all = ["clip", "motion"], help = POSE_FILE_HELP)]
    pub(crate) pose: Option<PathBuf>,
    /// A clip of the model, by name or index; without --time all of it
    #[arg(long, value_name = "NAME|INDEX")]
    pub(crate) clip: Option<String>,
    /// walk, run, jump or gait (with --path), made for the model; or a file: .bvh, .vmd, .toml, .json, .vrma, or a model with a clip (.glb, .gltf, .vrm, .fbx; dance.glb#Run chooses one); without --time all of it
    #[arg(long, value_name = "MOTION")]
    pub(crate) motion: Option<PathBuf>,
    /// Points and speeds of a walk, run or gait
    #[arg(long, value_name = "path.toml", requires = "motion")]
    pub(crate) path: Option<PathBuf>,
    /// The time in the clip or motion, held at its ends
    #[arg(long, value_name = "SECONDS", requires = "moving", allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) time: Option<f64>,
    /// Frames per second, for a whole clip or motion
    #[arg(long, value_name = "FPS", default_value_t = 30.0)]
    pub(crate) fps: f64,
    /// Leave chains of bones (IK) as the pose or motion has them, instead of having them reach for their goals
    #[arg(long = "no-ik")]
    pub(crate) no_ik: bool,
    #[command(flatten)]
    pub(crate) springs: SpringOptions,
}

/// How spring bones are played.
#[derive(Args, Debug, Default)]
pub(crate) struct SpringOptions {
    /// How spring bones (hair, skirts of a VRM) swing: vrm, as the specification, with bones of constant length; or three-vrm, as that library, which measures each bone to where its end was a step ago
    #[arg(
        long = "springs",
        value_enum,
        value_name = "RULE",
        default_value = "vrm",
        hide_possible_values = true
    )]
    rule: SpringRule,
    /// Leave spring bones as the clip or motion has them
    #[arg(long = "no-springs", conflicts_with = "rule")]
    is_off: bool,
}

impl SpringOptions {
    pub(crate) fn play(&self) -> SpringPlay {
        if self.is_off { SpringPlay::Off } else { self.rule.into() }
    }
}

/// Rules by which springs swing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpringRule {
    /// As the specification.
    #[default]
    Vrm,
    /// As three-vrm.
    ThreeVrm,
}

impl From<SpringRule> for SpringPlay {
    fn from(rule: SpringRule) -> Self {
        match rule {
            SpringRule::Vrm => Self::Vrm,
            SpringRule::ThreeVrm => Self::ThreeVrm,
        }
    }
}

/// Motions that become clips of a model.
#[derive(Args, Debug, Default)]
pub(crate) struct MotionOptions {
    /// Add a motion to the clips: walk, run, jump, gait (with --path), .bvh, .vmd, .toml, .json, .vrma, or a model with a clip (.glb, .gltf, .vrm, .fbx; dance.glb#Run chooses one); repeatable. In glTF IK and following bones are baked into tracks of joints
    #[arg(long = "motion", value_name = "MOTION")]
    pub(crate) motions: Vec<PathBuf>,
    /// Points and speeds of a walk, run or gait
    #[arg(long, value_name = "path.toml", requires = "motions")]
    pub(crate) path: Option<PathBuf>,
}

impl MotionOptions {
    pub(crate) fn is_empty(&self) -> bool {
        self.motions.is_empty()
    }

    pub(crate) fn choices(&self) -> anyhow::Result<Vec<MotionChoice>> {
        let choice = |motion: &PathBuf| Ok(motion_choice(motion, self.path.as_deref())?);
        self.motions.iter().map(choice).collect()
    }
}

/// How bones are named in MMD's formats.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct NameOptions {
    /// .pmx, .pmd and .vmd: keep the bones' own names and add no IK. By default humans get MMD's standard bones (センター, 左腕, 左足ＩＫ, …), so motions made for other models move them
    #[arg(long = "keep-names")]
    pub(crate) keeps_names: bool,
    #[command(flatten)]
    pub(crate) vrm: VrmOptions,
}

impl NameOptions {
    pub(crate) fn settings(&self) -> SaveSettings {
        SaveSettings { keeps_names: self.keeps_names, vrm: self.vrm.meta() }
    }
}

/// What a .vrm says about itself.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct VrmOptions {
    /// .vrm: title of the avatar [default: the model's, else the file name]
    #[arg(long = "vrm-title", value_name = "TEXT")]
    title: Option<String>,
    /// .vrm: who made the avatar; may be repeated [default: the model's, else unknown]
    #[arg(long = "vrm-author", value_name = "NAME")]
    authors: Vec<String>,
    /// .vrm: address of a license beside VRM's own [default: the model's]
    #[arg(long = "vrm-license", value_name = "URL")]
    license: Option<String>,
}

impl VrmOptions {
    pub(crate) fn meta(&self) -> VrmMeta {
        VrmMeta {
            title: self.title.clone(),
            authors: self.authors.clone(),
            license_url: self.license.clone(),
        }
    }
}

/// A model in a pose, or all of its motion.
#[derive(Args, Debug)]
pub(crate) struct SubjectOptions {
    /// The model: .glb, .gltf, .vrm, .fbx, .pmx, .pmd or .obj
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    skin: SkinOptions,
    #[command(flatten)]
    pose: PoseOptions,
}

impl SubjectOptions {
    pub(crate) fn request(&self) -> SubjectRequest {
        subject(&self.input, &self.pose, &self.skin)
    }
}

/// Which skinning: the file's own, or another.
#[derive(Args, Debug, Default)]
pub(crate) struct SkinOptions {
    /// lbs, sbs, sdef, bezier, dlb, cor or delta_mush; with parameters as in sdef:s=0.3 or bezier:rotation=nlerp; or patches, of a body that `sinew body` wrote: patches:volume=held,bend=source,twist=source (or twist=untreated),muscles=slack [default: what the file says, else lbs]
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<SkinMethod>,
    /// The method of single joints, named by the child bone, * for any text: "LeftForeArm=bezier", "Spine*=dlb"; may be repeated, the last that fits counts
    #[arg(long = "joint", value_name = "PATTERN=METHOD")]
    pub(crate) joints: Vec<JointRule>,
    /// A file with a table [skin]: method, joints = { "PATTERN" = "METHOD" }, ranges = { "PATTERN" = { r0 = [x,y,z], r1 = [x,y,z] } }
    #[arg(long = "skin", value_name = "skin.toml")]
    pub(crate) file: Option<PathBuf>,
    /// What becomes of the sdef centers of vertices that morphs move: follow (along the joint's axis), or fixed (as MMD's viewers)
    #[arg(long, value_name = "RULE", default_value = "follow")]
    pub(crate) morph_centers: sinew::skin::MorphCenters,
}

/// What goes before a scene file.
#[derive(Args, Debug)]
pub(crate) struct SceneOptions {
    /// Width and height in pixels [default: the scene's]
    #[arg(long, value_name = "WxH", value_parser = parse_picture_size)]
    pub(crate) size: Option<(u32, u32)>,
    /// Frames per second [default: the scene's]
    #[arg(long, value_name = "FPS", value_parser = parse_rate)]
    pub(crate) fps: Option<f64>,
    /// standard, or high: ray-traced soft shadows and ambient occlusion [default: the scene's]
    #[arg(long, value_enum)]
    pub(crate) quality: Option<Quality>,
}

impl SceneOptions {
    pub(crate) fn choices(&self) -> SceneChoices {
        SceneChoices {
            size: self.size,
            fps: self.fps,
            quality: self.quality.map(Into::into),
            ..SceneChoices::default()
        }
    }
}
