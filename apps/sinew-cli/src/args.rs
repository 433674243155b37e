//! The command line's one table of commands and options.

use clap::{Args, Parser, Subcommand, ValueEnum};
use sinew::io::Limits;
use sinew::skin::{JointRule, Method};
use std::path::PathBuf;

/// Turns a skeleton's motion into believable skin.
///
/// Without a command, `sinew` runs the demo.
#[derive(Debug, Parser)]
#[command(
    name = "sinew",
    version,
    arg_required_else_help = false,
    after_help = "\
Examples:
  sinew                                          run the demo
  sinew inspect fox.glb                          what is in it
  sinew render fox.glb --clip Run --time 0.3 -o fox.png
  sinew skin fox.glb --clip Run -o run.npy       every vertex of every frame
  sinew body --stature 1.72 --weight 68 --sex female -o me.glb

Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options of every command.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// Threads to work with [default: all, or RAYON_NUM_THREADS]
    #[arg(long, global = true, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(crate) threads: Option<usize>,
    /// Most memory that a file may claim, such as 512MiB or 8GiB [default: 4GiB]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<u64>,
    /// Say nothing but errors
    #[arg(long = "quiet", short = 'q', global = true)]
    pub(crate) is_quiet: bool,
}

impl Global {
    pub(crate) fn limits(&self) -> Limits {
        self.max_memory.map_or_else(Limits::default, Limits::with_max_memory)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Tell what is in a model
    Inspect(Inspect),
    /// Write a model in another format, without loss where the format allows it
    Convert(Convert),
    /// Deform a model by its bones and write the vertices
    Skin(Skin),
    /// Draw a model
    Render(Render),
    /// Write spherical parameters, calibrated weights and methods into a model
    Rig(Rig),
    /// Find what is wrong with an MMD model, and put it right
    Check(Check),
    /// Draw one pose by several skinning methods, with measures and differences
    Compare(Compare),
    /// Make a human from measures: a character, a picture or a design
    Body(Body),
    /// Fill a model with tetrahedra, for soft bodies
    Tet(Tet),
    /// Rebuild the figures of a source that Sinew's methods come from, with numbers
    Figures(Figures),
    /// Measure how fast this machine deforms
    Bench(Bench),
    /// Build characters from nothing, pose, draw and write them, with a report to look at
    Demo(Demo),
}

/// `sinew inspect`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew inspect fox.glb
  sinew inspect fox.glb --json | jq '.clips[].name'")]
pub(crate) struct Inspect {
    /// The model: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print everything as JSON, every bone, morph and clip included
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// `sinew convert`.
#[derive(Args, Debug)]
#[command(after_help = "\
What a format cannot hold is listed on stderr.

Examples:
  sinew convert fox.gltf fox.glb
  sinew convert hero.vrm hero.glb --max-influences 4
  sinew convert miku.pmx miku.glb --motion dance.vmd")]
pub(crate) struct Convert {
    /// The model to read: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The model to write; its extension says how: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Add a motion of MMD to the clips; may be repeated. In glTF it is baked: IK and following bones become tracks of joints
    #[arg(long = "motion", value_name = "dance.vmd")]
    pub(crate) motions: Vec<PathBuf>,
    /// Keep at most so many influences a vertex, the heaviest, scaled to sum to 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) max_influences: Option<u16>,
    /// Print what was done and lost as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

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
    /// A motion of MMD, put on the model's bones by name; without --time all of it
    #[arg(long, value_name = "dance.vmd")]
    pub(crate) motion: Option<PathBuf>,
    /// The time in the clip or motion, held at its ends
    #[arg(long, value_name = "SECONDS", requires = "moving", allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) time: Option<f64>,
    /// Frames a second, for a whole clip or motion
    #[arg(long, value_name = "FPS", default_value_t = 30.0)]
    pub(crate) fps: f64,
    /// Leave chains of bones (IK) as the pose or motion has them, instead of having them reach for their goals
    #[arg(long = "no-ik")]
    pub(crate) no_ik: bool,
}

/// Which skinning: the file's own, or another.
#[derive(Args, Debug, Default)]
pub(crate) struct SkinOptions {
    /// lbs, sbs, sdef, bezier, dlb, cor or delta_mush; with parameters as in sdef:s=0.3 or bezier:rotation=nlerp [default: what the file says, else lbs]
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<Method>,
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

/// `sinew rig`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes c, r0 and r1 of every vertex between bones (_SDEF_C, _SDEF_R0, _SDEF_R1), methods (_SINEW_METHOD) and rules (SINEW_skin) into a
glTF file, or SDEF vertices into a PMX; `sinew skin` and `sinew render` then follow them. Without --method it is what the file
says, else sdef; for a .pmx sdef:s=0.9, which keeps elbows fuller (any s is written into R0 and R1, so that MMD needs not know it).
boxes.toml has a [[box]] for each bone: bone = \"LeftArm\", min = [x,y,z], max = [x,y,z], space = \"bone\" (its rest frame) or \"rest\";
a vertex in one box follows that bone, overlaps make linear weights and soft ranges.

Examples:
  sinew rig fox.glb --spherical auto -o fox-sdef.glb
  sinew rig hero.glb --spherical auto --calibrate --method bezier --joint \"Spine*=dlb\" -o hero-soft.glb
  sinew rig arm.glb --spherical boxes.toml --json -o arm-soft.glb
  sinew rig hero.glb --spherical auto -o hero.pmx      any character as an SDEF model of MMD")]
pub(crate) struct Rig {
    /// The model: .glb, .gltf, .vrm, .pmx or .pmd
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Where c, r0 and r1 come from: auto (skeleton and weights), or a file with a box for each bone, which makes the weights too
    #[arg(long, value_name = "auto|boxes.toml", default_value = "auto")]
    pub(crate) spherical: PathBuf,
    /// Make the weights of each joint a straight line along its axis, and say by how much they changed
    #[arg(long = "calibrate")]
    pub(crate) is_calibrated: bool,
    #[command(flatten)]
    pub(crate) skin: SkinOptions,
    /// The file to write: .glb, .gltf, .vrm or .pmx
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print what was written as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// `sinew skin`.
#[derive(Args, Debug)]
#[command(after_help = "\
The vertices come in the order of the file: mesh instances in node order, primitives in order, in scene space.
For one pose OUT is .npy (V×3), .obj or .glb; for a whole clip .npy (T×V×3), .pc2 or .usda.
Bones in pose.json are named, or addressed by index as \"#12\"; `sinew inspect --json` lists both.

Examples:
  sinew skin fox.glb --clip Run --time 0.3 -o fox.npy --normals
  sinew skin fox.glb --pose pose.json -o posed.glb
  sinew skin fox.glb --method sdef:s=0.3 --joint \"Spine*=dlb\" --pose pose.json -o posed.glb
  sinew skin fox.glb --clip Run --fps 60 -o run.usda")]
pub(crate) struct Skin {
    /// The model: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) skin: SkinOptions,
    #[command(flatten)]
    pub(crate) pose: PoseOptions,
    /// Write the normals too, to FILE or beside OUT as NAME.normals.npy (for .npy)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) normals: Option<Option<PathBuf>>,
    /// Write the bones too, to FILE or beside OUT as NAME.bones.npy (for .npy): B×4×4, for a whole clip T×B×4×4, model from bone, metres
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) bones: Option<Option<PathBuf>>,
    /// The file to write; its extension says how
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print what was written as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// `sinew render`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew render fox.glb -o fox.png
  sinew render fox.glb --pose pose.json --camera \"eye=1,1.5,3 target=0,1,0 fov=35\" -o fox.png
  sinew render fox.glb --show bones,wire --quality high -o fox.png
  sinew render fox.glb --show weights=Hips -o hips.png
  sinew render fox.glb --method bezier --pose pose.json -o smooth.png
  sinew render fox.glb --clip Run -o run.gif")]
pub(crate) struct Render {
    /// The model: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) skin: SkinOptions,
    #[command(flatten)]
    pub(crate) pose: PoseOptions,
    /// front, side, back, three-quarter, top, all (a contact sheet), or "eye=x,y,z target=x,y,z fov=35"
    #[arg(long, value_name = "CAMERA", default_value = "three-quarter")]
    pub(crate) camera: sinew::picture::CameraChoice,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_picture_size)]
    pub(crate) size: (u32, u32),
    /// What to show on top, separated by commas: bones, wire, weights=BONE
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) show: Vec<sinew::picture::Show>,
    /// standard, or high: ray-traced soft shadows and ambient occlusion
    #[arg(long, value_enum, default_value = "standard")]
    pub(crate) quality: Quality,
    /// The background: studio, white, grey, or #rrggbb
    #[arg(long, value_name = "COLOR", default_value = "studio")]
    pub(crate) background: sinew::picture::BackgroundChoice,
    /// Leave out the ground and its shadow
    #[arg(long)]
    pub(crate) no_ground: bool,
    /// .png; for a whole clip .gif, .mp4 (needs ffmpeg), or a folder for PNG frames
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print what was drawn as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// How well to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Quality {
    /// A fraction of a second.
    Standard,
    /// Seconds: ray-traced soft shadows and ambient occlusion.
    High,
}

impl From<Quality> for sinew::render::Quality {
    fn from(quality: Quality) -> Self {
        match quality {
            Quality::Standard => Self::Standard,
            Quality::High => Self::High,
        }
    }
}

/// `sinew check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Looks for bad C, R0 and R1 of SDEF vertices, weights, numbers that are not finite, indices that name nothing, cycles, names that are
there twice. Exits with 1 where something was found and not put right.

Examples:
  sinew check model.pmx
  sinew check model.pmx --fix                          writes model.fixed.pmx
  sinew check model.pmx --fix -o good.pmx --json")]
pub(crate) struct Check {
    /// The model: .pmx or .pmd
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the model with all of it put right
    #[arg(long = "fix")]
    pub(crate) is_fixing: bool,
    /// Where to, with --fix [default: NAME.fixed.pmx beside FILE]
    #[arg(short, long, value_name = "OUT.pmx", requires = "is_fixing")]
    pub(crate) output: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// `sinew compare`.
#[derive(Args, Debug)]
#[command(after_help = "\
The upper row shows the pose by every method, the lower how far each vertex is from where the first method puts it.
Measures are those of the joints turned most, or of the focus: kink where the soft range begins and ends, volume of the joint's part
over rest, least radius over rest. docs/methods says how they are defined.

Examples:
  sinew compare hero.glb --pose elbow.json --focus lowerarm_l -o elbow.png
  sinew compare fox.glb --clip Run --time 0.3 --methods lbs,dlb,sdef:s=0.3 -o fox.png --json")]
pub(crate) struct Compare {
    /// The model: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) pose: PoseOptions,
    /// The methods, separated by commas: lbs, sbs, sdef, bezier, dlb, cor, delta_mush, with parameters as sdef:s=0.3
    #[arg(long, value_name = "LIST", default_value = "lbs,sbs,sdef,bezier,dlb")]
    pub(crate) methods: MethodList,
    /// The bone whose joint fills the pictures, by name or #index [default: the whole model]
    #[arg(long, value_name = "BONE")]
    pub(crate) focus: Option<String>,
    /// front, side, back, three-quarter, top, or "eye=x,y,z target=x,y,z fov=35" [default: across the bend of the focus]
    #[arg(long, value_name = "CAMERA")]
    pub(crate) camera: Option<sinew::picture::CameraChoice>,
    /// Width and height of one picture in pixels
    #[arg(long, value_name = "WxH", default_value = "480x480", value_parser = parse_picture_size)]
    pub(crate) size: (u32, u32),
    /// standard, or high: ray-traced soft shadows and ambient occlusion
    #[arg(long, value_enum, default_value = "standard")]
    pub(crate) quality: Quality,
    /// The sheet: .png
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print all numbers as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// Methods separated by commas. A comma is also what separates a method's parameters: a part with `=` and without `:` belongs to the method
/// before it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MethodList(pub(crate) Vec<Method>);

impl std::str::FromStr for MethodList {
    type Err = sinew::skin::MethodError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts: Vec<String> = Vec::new();
        for part in text.split(',') {
            match parts.last_mut() {
                Some(last) if part.contains('=') && !part.contains(':') => *last = format!("{last},{part}"),
                _ => parts.push(part.trim().to_owned()),
            }
        }
        Ok(Self(parts.iter().map(|part| part.parse()).collect::<Result<_, _>>()?))
    }
}

/// `sinew body`.
#[derive(Args, Debug)]
#[command(after_help = "\
Measures that are given are met, the rest is completed from a survey of people (ANSUR II); what is unusual is told, what cannot be is
refused with a range to use. A design (--spec) is laid over the measures; alone it is built as it is.

Examples:
  sinew body --stature 1.72 --weight 68 --sex female --age 30 --set waist=0.78 -o me.glb
  sinew body --preset athletic -o athlete.png          front, side, back and three-quarter
  sinew body --preset tall --show patches -o tall.glb  Bézier and Gregory patches colored
  sinew body --weight 70 -o me.toml                    the design, to be changed and given with --spec
  sinew body --fit scan.obj --joints joints.json -o me.toml
  sinew body --list measures")]
pub(crate) struct Body {
    /// Height, metres
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) stature: Option<f64>,
    /// Weight, kilograms
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    pub(crate) weight: Option<f64>,
    /// Age, years
    #[arg(long, value_name = "YEARS", allow_negative_numbers = true)]
    pub(crate) age: Option<f64>,
    /// Which half of the survey completes the measures
    #[arg(long, value_enum, default_value = "male")]
    pub(crate) sex: BodySex,
    /// Any measure, in metres: waist=0.78; may be repeated. `--list measures` names all
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// A build to begin with; `--list presets` names all
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// A design whose values are laid over the measured ones
    #[arg(long, value_name = "me.toml")]
    pub(crate) spec: Option<PathBuf>,
    /// A mesh to find the design of, with its --joints; -o is .toml
    #[arg(long, value_name = "scan.obj", requires = "joints", conflicts_with_all = ["stature", "weight", "age", "set", "preset", "spec"])]
    pub(crate) fit: Option<PathBuf>,
    /// Where the joints of the mesh are: {"elbow": [x, y, z], ...}, by the template's names or MakeHuman's
    #[arg(long, value_name = "joints.json", requires = "fit")]
    pub(crate) joints: Option<PathBuf>,
    /// Steps along the edge of a patch, even; fills have half as many
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(4..=64))]
    pub(crate) tessellation: usize,
    /// patches: color Bézier and Gregory patches
    #[arg(long, value_enum)]
    pub(crate) show: Option<BodyShow>,
    /// One vertex where patches meet, without texture coordinates
    #[arg(long = "weld")]
    pub(crate) is_welded: bool,
    /// Print the measures or presets there are
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) list: Option<BodyList>,
    /// .glb, .gltf, .obj, .pmx for a model, .png for a picture sheet, .toml for the design
    #[arg(short, long, value_name = "OUT", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// Print all measures, asked for, completed and read on the body, as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// Women or men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodySex {
    /// 1,986 women.
    Female,
    /// 4,082 men.
    Male,
}

impl From<BodySex> for sinew::human::survey::Sex {
    fn from(sex: BodySex) -> Self {
        match sex {
            BodySex::Female => Self::Female,
            BodySex::Male => Self::Male,
        }
    }
}

/// What is shown on a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyShow {
    /// The kinds of patches.
    Patches,
}

/// What `--list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyList {
    /// Names, meaning and the survey's range.
    Measures,
    /// Names and meaning.
    Presets,
}

/// `sinew figures`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew figures skinning -o figures
  sinew figures skinning -o figures --json | jq '.measures[0]'
  sinew figures body -o figures --size 360x640")]
pub(crate) struct Figures {
    /// Which figures: skinning, the models and curves of the paper that SBS+ is from; body, the human of patches
    #[arg(value_enum, value_name = "SET")]
    pub(crate) set: FigureSet,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Width and height of one picture in pixels
    #[arg(long, value_name = "WxH", default_value = "420x340", value_parser = parse_picture_size)]
    pub(crate) size: (u32, u32),
    /// Print every file and measure as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// A set of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureSet {
    /// Models 1 to 7 by every method, the center curves, the sweep of s.
    Skinning,
    /// Stick figure, layout of patches, six builds, with measures.
    Body,
}

/// `sinew tet`.
#[derive(Args, Debug)]
#[command(after_help = "\
All meshes of the model in rest pose are one surface. It need not be closed: inside is where the winding number says so.
Limbs that touch or nearly touch stay apart; parts that overlap become one.

Examples:
  sinew tet hero.glb -o hero.msh                 about 5,000 tetrahedra
  sinew tet hero.glb --size 0.04 -o hero.node    edges of about 4 cm; hero.ele is written beside it
  sinew tet hero.glb --count 20000 -o hero.png   a picture, whole and cut open
  sinew tet hero.glb --join 0.005 -o hero.vtk    clothes within 5 mm move with the skin
  sinew tet bunny.vtk -o bunny.msh               another format")]
pub(crate) struct Tet {
    /// The model: .glb, .gltf, .vrm, .pmx, .pmd or .obj; or tetrahedra: .node, .ele, .msh or .vtk
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Spacing of the lattice: the tetrahedra's longest edges
    #[arg(long, value_name = "METRES", conflicts_with = "count", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) size: Option<f64>,
    /// About so many tetrahedra [default: 5000]
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// Fill gaps up to this wide between different shells, such as a shirt over skin [default: 0]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) join: Option<f64>,
    /// Print what was made as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// .node or .ele (both are written), .msh, .vtk, or .png for a picture
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}

/// `sinew bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
Every method beside its scalar twin (backend scalar), for results in the order of groups and in the caller's order.

Examples:
  sinew bench skin
  sinew bench skin --vertices 1000000 --threads 2 --json")]
pub(crate) struct Bench {
    /// What to measure
    #[arg(value_enum)]
    pub(crate) subject: BenchSubject,
    /// Vertices of the synthetic model
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(16..=100_000_000))]
    pub(crate) vertices: usize,
    /// Its bones
    #[arg(long, value_name = "B", default_value_t = 60, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..=60_000))]
    pub(crate) bones: usize,
    /// Influences of a vertex
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=8))]
    pub(crate) influences: usize,
    /// Print the measurements as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchSubject {
    /// The skinning kernels.
    Skin,
}

/// `sinew demo`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew demo
  sinew demo -o my-demo && open my-demo/report.html")]
pub(crate) struct Demo {
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", default_value = DEMO_FOLDER)]
    pub(crate) output: PathBuf,
}

const DEMO_FOLDER: &str = "sinew-demo";

impl Default for Demo {
    fn default() -> Self {
        Self { output: DEMO_FOLDER.into() }
    }
}

/// A finite number.
/// A length of metres, positive.
fn parse_length(text: &str) -> Result<f64, String> {
    parse_number(text)
        .ok()
        .filter(|&length| length > 0.0)
        .ok_or_else(|| "use a length above 0, such as 0.05".to_owned())
}

fn parse_number(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .ok_or_else(|| "use a number such as 0.5".to_owned())
}

/// `1280x720`.
fn parse_picture_size(text: &str) -> Result<(u32, u32), String> {
    let sides = text
        .split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let most = sinew::render::MAX_IMAGE_SIDE;
    match sides {
        Some((width, height)) if (1..=most).contains(&width) && (1..=most).contains(&height) => {
            Ok((width, height))
        }
        _ => Err(format!("use WIDTHxHEIGHT, each from 1 to {most}, such as 1280x720")),
    }
}

/// `512MiB`, `4GB`, or bytes.
fn parse_size(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale: f64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("use a number and KiB, MiB, GiB, kB, MB or GB, such as 512MiB".to_owned()),
    };
    let bytes = number.parse::<f64>().map_err(|_| "use a size such as 512MiB".to_owned())? * scale;
    if bytes >= 1.0 { Ok(bytes as u64) } else { Err("use a size above 0".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_of_commands_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn lists_of_methods_keep_parameters_together() {
        let list = "lbs,sdef:s=0.3,rotation=nlerp,dlb".parse::<MethodList>().expect("three methods");
        assert_eq!(list.0.len(), 3);
        assert_eq!(list.0[1].name(), "sdef");
        assert!("lbs,magic".parse::<MethodList>().is_err());
    }

    #[test]
    fn sizes_are_read_in_both_units() {
        assert_eq!(parse_size("512MiB"), Ok(512 << 20));
        assert_eq!(parse_size("1.5 GB"), Ok(1_500_000_000));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert!(parse_size("many").is_err());
        assert_eq!(parse_picture_size("640x480"), Ok((640, 480)));
        assert!(parse_picture_size("640x0").is_err());
        assert!(parse_picture_size("99999x9").is_err());
    }
}
