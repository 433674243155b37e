//! Models, motions and poses of MMD on the command line.

use crate::bench::Bench;
use serde_json::Value;
use sinew::io::{DecodedImage, Limits, NpyArray, Report};
use sinew::mmd::FixedText;
use sinew::mmd::pmx::{
    Pmx, PmxBone, PmxIk, PmxIkLink, PmxMaterial, PmxMorph, PmxMorphKind, PmxTail, PmxVertex, PmxWeight,
    bone_flags,
};
use sinew::mmd::vmd::{BoneCurves, Vmd, VmdBoneKey};
use sinew::mmd::vpd::{Vpd, VpdBone};
use sinew::rig::{Bone, BoneId, Character, InfluencesBuilder, samples};
use std::collections::BTreeSet;

/// Metres of a unit of MMD.
const UNIT_M: f32 = 0.08;

/// Of positions of a metre, there and back through MMD's units.
const ROUNDING_M: f32 = 1e-5;

fn bone(name: &str, parent: i32, position: [f32; 3]) -> PmxBone {
    PmxBone {
        name: name.into(),
        name_en: "".into(),
        position,
        parent,
        level: 0,
        flags: bone_flags::ROTATABLE | bone_flags::MOVABLE | bone_flags::VISIBLE | bone_flags::OPERABLE,
        tail: PmxTail::Offset([0.0, -1.0, 0.0]),
        append: None,
        fixed_axis: None,
        local_axes: None,
        external_parent: None,
        ik: None,
    }
}

const THIGH: i32 = 1;
const KNEE: i32 = 2;
const ANKLE: i32 = 3;
const GOAL: i32 = 4;

/// A leg whose foot stays where its goal is, and a bone that follows half of the thigh's turn.
fn leg() -> Pmx {
    let mut goal = bone("左足ＩＫ", -1, [1.0, 0.0, 0.0]);
    goal.flags |= bone_flags::IK;
    goal.level = 1;
    let links = vec![
        PmxIkLink { bone: KNEE, limits_rad: Some([[-3.0, 0.0, 0.0], [-0.01, 0.0, 0.0]]) },
        PmxIkLink { bone: THIGH, limits_rad: None },
    ];
    goal.ik = Some(PmxIk { target: ANKLE, loop_count: 40, limit_rad: 2.0, links });
    let mut twist = bone("左足捩", THIGH, [1.0, 7.0, 0.0]);
    twist.append = Some((THIGH, 0.5));
    twist.flags |= bone_flags::APPEND_ROTATION;
    let bones = vec![
        bone("センター", -1, [0.0, 12.0, 0.0]),
        bone("左足", 0, [1.0, 10.0, 0.0]),
        bone("左ひざ", THIGH, [1.0, 5.0, -0.2]),
        bone("左足首", KNEE, [1.0, 0.0, 0.0]),
        goal,
        twist,
    ];
    let sdef = |height: f32| PmxWeight::Sdef {
        bones: [THIGH, KNEE],
        weight: (height - 4.0) / 2.0,
        c: [1.0, height, -0.2],
        r0: [1.0, 6.0, -0.2],
        r1: [1.0, 4.0, -0.2],
    };
    let weights = [
        (10.0, PmxWeight::Bdef1(THIGH)),
        (5.5, sdef(5.5)),
        (4.5, sdef(4.5)),
        (1.0, PmxWeight::Bdef2 { bones: [KNEE, ANKLE], weight: 0.75 }),
        (0.0, PmxWeight::Bdef1(ANKLE)),
    ];
    let vertices = weights.iter().flat_map(|&(height, weight)| {
        [0.5, 1.5].map(|x| PmxVertex {
            position: [x, height, -0.5],
            normal: [0.0, 0.0, -1.0],
            uv: [x, height / 10.0],
            weight,
            edge_scale: 1.0,
        })
    });
    let pmx = Pmx {
        name: "脚".into(),
        vertices: vertices.collect(),
        faces: (0..4u32)
            .flat_map(|row| [[2 * row, 2 * row + 1, 2 * row + 2], [2 * row + 2, 2 * row + 1, 2 * row + 3]])
            .collect(),
        materials: vec![PmxMaterial {
            name: "肌".into(),
            diffuse: [0.8, 0.6, 0.5, 1.0],
            texture: -1,
            sphere: -1,
            index_count: 24,
            ..PmxMaterial::default()
        }],
        bones,
        morphs: vec![PmxMorph {
            name: "太い".into(),
            name_en: "".into(),
            panel: 4,
            kind: PmxMorphKind::Vertex(vec![(2, [-0.2, 0.0, 0.0]), (3, [0.2, 0.0, 0.0])]),
        }],
        ..Pmx::default()
    };
    let (whole, problems) = pmx.repaired();
    assert!(problems.iter().all(|problem| problem.place == "frames"), "{problems:?}");
    whole
}

/// The hips sink by two units in a second, and the thigh turns.
fn sinking() -> Vmd {
    let key = |name: &str, frame: u32, shift: [f32; 3], turn: f32| VmdBoneKey {
        name: FixedText::encode(name).0,
        frame,
        shift,
        rotation: [(0.5 * turn).sin(), 0.0, 0.0, (0.5 * turn).cos()],
        curves: BoneCurves::default(),
    };
    Vmd {
        bones: vec![
            key("センター", 0, [0.0; 3], 0.0),
            key("センター", 30, [0.0, -2.0, 0.0], 0.0),
            key("左足", 0, [0.0; 3], 0.0),
            key("左足", 30, [0.0; 3], 0.4),
        ],
        ..Vmd::default()
    }
}

/// A folder with the leg and its motion.
fn leg_bench() -> Bench {
    let bench = Bench::new();
    bench.write("leg.pmx", leg().write());
    bench.write("sink.vmd", sinking().write());
    bench
}

impl Bench {
    fn npy(&self, name: &str) -> NpyArray {
        sinew::io::read_npy_f32(&self.bytes(name)).expect("a NumPy file")
    }

    fn pmx(&self, name: &str) -> Pmx {
        Pmx::read(&self.bytes(name), &Limits::default(), &mut Report::default()).expect("just written")
    }

    /// The vertices that `sinew skin` writes with more options.
    #[track_caller]
    fn skinned(&self, options: &[&str]) -> NpyArray {
        self.works(&[&["skin", "leg.pmx", "-o", "out.npy", "-q"], options].concat());
        self.npy("out.npy")
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.works(arguments)).expect("JSON")
    }

    /// What a command that works says on stderr.
    #[track_caller]
    fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}");
        said
    }
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "as many numbers");
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn a_model_that_is_not_changed_stays_byte_for_byte() {
    let bench = leg_bench();
    bench.works(&["convert", "leg.pmx", "copy.pmx", "-q"]);
    assert!(bench.bytes("copy.pmx") == bench.bytes("leg.pmx"), "another file");
    bench.works(&["convert", "leg.pmx", "leg.pmd", "-q"]);
    bench.works(&["convert", "leg.pmd", "copy.pmd", "-q"]);
    assert!(bench.bytes("copy.pmd") == bench.bytes("leg.pmd"), "another file");
}

#[test]
fn names_hierarchy_weights_and_sdef_survive_gltf() {
    let bench = leg_bench();
    let said = bench.says(&["convert", "leg.pmx", "leg.glb"]);
    assert!(said.contains("IK"), "what glTF cannot hold is told: {said}");
    bench.works(&["convert", "leg.glb", "back.pmx", "-q"]);
    let (before, after) = (leg(), bench.pmx("back.pmx"));
    let name = |pmx: &Pmx, bone: i32| {
        usize::try_from(bone).map_or("root", |bone| pmx.bones[bone].name.as_str()).to_owned()
    };
    // In glTF all joints hang from one root, which then is a bone like others; parents come first.
    let bones = |pmx: &Pmx| -> BTreeSet<(String, String)> {
        let pairs = pmx.bones.iter().map(|bone| (bone.name.as_str().to_owned(), name(pmx, bone.parent)));
        pairs.filter(|(name, _)| name != "root").collect()
    };
    assert_eq!(bones(&before), bones(&after));
    assert_eq!(after.morphs[0].name.as_str(), "太い");
    assert_eq!(after.vertices.len(), before.vertices.len());
    for (old, new) in before.vertices.iter().zip(&after.vertices) {
        assert!(distance(&old.position, &new.position) < ROUNDING_M / UNIT_M);
        let parts = |pmx: &Pmx, weight: PmxWeight| match weight {
            PmxWeight::Bdef1(bone) => (vec![name(pmx, bone)], vec![1.0]),
            PmxWeight::Bdef2 { bones, weight } => (bones.map(|bone| name(pmx, bone)).into(), vec![weight]),
            PmxWeight::Sdef { bones, weight, c, r0, r1 } => {
                (bones.map(|bone| name(pmx, bone)).into(), [&[weight][..], &c, &r0, &r1].concat())
            }
            other => panic!("the leg has no {other:?}"),
        };
        let ((old_bones, old_numbers), (new_bones, new_numbers)) =
            (parts(&before, old.weight), parts(&after, new.weight));
        assert_eq!(old_bones, new_bones);
        assert!(
            distance(&old_numbers, &new_numbers) < ROUNDING_M / UNIT_M,
            "{:?} {:?}",
            old.weight,
            new.weight
        );
    }
}

#[test]
fn a_motion_plays_at_a_time_and_as_a_whole() {
    let bench = leg_bench();
    let rest = bench.skinned(&[]);
    let vertices = leg().vertices.len();
    assert_eq!(rest.shape, [vertices, 3]);
    let all = bench.skinned(&["--motion", "sink.vmd"]);
    assert_eq!(all.shape, [31, vertices, 3]);
    let row = 3 * vertices;
    assert!(distance(&all.values[..row], &rest.values) < ROUNDING_M, "it begins at rest");
    let half = bench.skinned(&["--motion", "sink.vmd", "--time", "0.5"]);
    assert!(distance(&all.values[15 * row..16 * row], &half.values) < ROUNDING_M);
    assert_eq!(bench.skinned(&["--motion", "sink.vmd", "--fps", "10"]).shape, [11, vertices, 3]);
    bench.works(&["skin", "leg.pmx", "--motion", "sink.vmd", "-o", "sink.pc2", "-q"]);
    bench.works(&[
        "render", "leg.pmx", "--motion", "sink.vmd", "--time", "1", "--size", "64x64", "-o", "x.png", "-q",
    ]);
    bench.fails(&["skin", "leg.pmx", "--time", "1", "-o", "x.npy"], 2, "--clip <NAME|INDEX>|--motion");
    bench.fails(&["skin", "leg.pmx", "--motion", "sink.vmd", "--clip", "0", "-o", "x.npy"], 2, "--clip");
    bench.fails(&["skin", "leg.pmx", "--motion", "none.vmd", "-o", "x.npy"], 1, "none.vmd: No such file");
    // Bones that are not there are told, and the rest moves.
    let said = bench.says(&["skin", "limb.glb", "--motion", "sink.vmd", "-o", "x.npy"]);
    assert!(said.contains("2 bones do not exist in the character"), "{said}");
}

#[test]
fn a_baked_motion_moves_as_the_model() {
    let bench = leg_bench();
    bench.works(&["convert", "leg.pmx", "leg.glb", "--motion", "sink.vmd", "-q"]);
    bench.works(&["skin", "leg.glb", "--clip", "sink", "--time", "1", "-o", "baked.npy", "-q"]);
    let own = bench.skinned(&["--motion", "sink.vmd", "--time", "1"]);
    assert!(distance(&own.values, &bench.npy("baked.npy").values) < ROUNDING_M);
}

#[test]
fn a_pose_of_mmd_turns_what_it_names() {
    let bench = leg_bench();
    let half = 0.2f32;
    let thigh =
        VpdBone { name: "左足".into(), shift: [0.0; 3], rotation: [half.sin(), 0.0, 0.0, half.cos()] };
    let sunk =
        VpdBone { name: "センター".into(), shift: [0.0, -2.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] };
    let vpd = Vpd::new("leg.osm", vec![thigh, sunk], Vec::new());
    bench.write("end.vpd", vpd.write(&mut Report::default()));
    let posed = bench.skinned(&["--pose", "end.vpd"]);
    let played = bench.skinned(&["--motion", "sink.vmd", "--time", "1"]);
    assert!(distance(&posed.values, &played.values) < ROUNDING_M, "the motion's end is this pose");
    bench.write("odd.vpd", "Vocaloid Pose Data file\r\n\r\nleg.osm;\r\nmany;\r\n");
    let said = bench.says(&["skin", "leg.pmx", "--pose", "odd.vpd", "-o", "x.npy"]);
    assert!(said.contains("odd.vpd: line 4: the file declares \"many\" bones"), "{said}");
    bench.write("bad.vpd", "a poem");
    bench.fails(&["skin", "leg.pmx", "--pose", "bad.vpd", "-o", "y.npy"], 1, "bad.vpd: ");
}

#[test]
fn without_ik_the_foot_goes_with_the_hips() {
    let bench = leg_bench();
    let ankle = |options: &[&str]| -> Vec<f32> {
        bench.skinned(&[&["--bones=bones.npy"], options].concat());
        let bones = bench.npy("bones.npy").values;
        (0..3).map(|row| bones[16 * ANKLE as usize + 4 * row + 3]).collect()
    };
    let rest = ankle(&[]);
    let sunk = ankle(&["--motion", "sink.vmd", "--time", "1"]);
    let without = ankle(&["--motion", "sink.vmd", "--time", "1", "--no-ik"]);
    // 40 rounds of a chain of two come within a millimetre.
    assert!(distance(&sunk, &rest) < 1e-3, "{sunk:?} {rest:?}");
    assert!(distance(&without, &rest) > 0.1, "{without:?} {rest:?}");
}

#[test]
fn bones_are_written_beside() {
    let bench = leg_bench();
    bench.works(&["skin", "leg.pmx", "--bones", "-o", "one.npy", "-q"]);
    let bones = bench.npy("one.bones.npy");
    assert_eq!(bones.shape, [6, 4, 4]);
    // The knee at rest, metres, +z towards the viewer.
    let knee: Vec<f32> = (0..3).map(|row| bones.values[16 * KNEE as usize + 4 * row + 3]).collect();
    assert!(distance(&knee, &[0.08, 0.4, 0.016]) < ROUNDING_M, "{knee:?}");
    bench.works(&["skin", "leg.pmx", "--motion", "sink.vmd", "--bones=b.npy", "-o", "all.npy", "-q"]);
    assert_eq!(bench.npy("b.npy").shape, [31, 6, 4, 4]);
    bench.fails(&["skin", "leg.pmx", "--bones", "-o", "x.obj"], 1, "goes with .npy only");
}

#[test]
fn morph_centers_are_chosen_by_name() {
    let bench = leg_bench();
    bench.write(
        "wide.json",
        r#"{"bones": {"左ひざ": {"rotation": [0.5, 0, 0, 0.87]}}, "morphs": {"太い": 1}}"#,
    );
    let shapes = ["follow", "fixed"]
        .map(|rule| bench.skinned(&["--pose", "wide.json", "--no-ik", "--morph-centers", rule]).values);
    assert_eq!(bench.skinned(&["--pose", "wide.json", "--no-ik"]).values, shapes[0], "the default");
    bench.fails(&["skin", "leg.pmx", "--morph-centers", "loose", "-o", "x.npy"], 2, "follow");
}

#[test]
fn textures_are_found_in_any_case_and_missed_aloud() {
    let bench = leg_bench();
    let mut pmx = leg();
    pmx.textures = vec!["tex\\Skin.png".into()];
    pmx.materials[0].texture = 0;
    bench.write("leg.pmx", pmx.write());
    let said = bench.says(&["skin", "leg.pmx", "-o", "x.npy"]);
    assert!(said.contains("warning: leg.pmx: textures[0]: ") && said.contains("drawn without it"), "{said}");
    assert_eq!(bench.json(&["inspect", "leg.pmx", "--json"])["warnings"].as_array().map(Vec::len), Some(1));
    std::fs::create_dir(bench.path("TEX")).expect("a new folder");
    let png = sinew::io::encode_png(&DecodedImage { width: 1, height: 1, rgba: vec![200, 150, 120, 255] });
    bench.write("TEX/skin.PNG", &png);
    let said = bench.says(&["skin", "leg.pmx", "-o", "x.npy"]);
    assert!(said.contains("\"tex\\\\Skin.png\" was found as \"TEX/skin.PNG\""), "{said}");
    // The picture goes with the model, under the name that the model has for it.
    std::fs::create_dir(bench.path("other")).expect("a new folder");
    bench.works(&["convert", "leg.pmx", "other/leg.pmx", "-q"]);
    assert_eq!(bench.bytes("other/tex/Skin.png"), png);
    bench.write("other/tex/Skin.png", "mine");
    bench.fails(
        &["convert", "leg.pmx", "other/leg.pmx"],
        1,
        "exists and is not the file that the model uses",
    );
    assert_eq!(bench.bytes("other/tex/Skin.png"), b"mine");
}

/// The leg with a center that is no number and a parent that does not exist.
fn broken() -> Pmx {
    let mut pmx = leg();
    if let PmxWeight::Sdef { c, .. } = &mut pmx.vertices[2].weight {
        c[1] = f32::NAN;
    }
    pmx.bones[ANKLE as usize].parent = 77;
    pmx
}

#[test]
fn check_finds_what_is_wrong_and_fixes_it_elsewhere() {
    let bench = leg_bench();
    bench.write("broken.pmx", broken().write());
    let before = bench.bytes("broken.pmx");
    assert!(bench.says(&["check", "leg.pmx"]).contains("nothing is wrong"));
    assert_eq!(bench.json(&["check", "leg.pmx", "--json"])["problems"].as_array().map(Vec::len), Some(0));
    bench.fails(&["check", "broken.pmx"], 1, "2 problems found; --fix puts them right");
    let told = bench.run(&["check", "broken.pmx", "--json"]);
    assert_eq!(told.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&told.stdout).expect("JSON");
    assert_eq!(told["problems"][0]["place"], "bones[3]");
    assert_eq!(told["written"], Value::Null);
    let found = bench.works(&["check", "broken.pmx", "--fix"]);
    assert!(
        found.contains("bones[3]: its parent 77 does not exist") && found.contains("vertices[2]"),
        "{found}"
    );
    bench.works(&["check", "broken.fixed.pmx"]);
    bench.works(&["check", "broken.pmx", "--fix", "-o", "good.pmx"]);
    assert_eq!(bench.bytes("good.pmx"), bench.bytes("broken.fixed.pmx"));
    assert!(bench.bytes("broken.pmx") == before, "the file itself stays as it is");
    bench.fails(&["check", "broken.pmx", "-o", "x.pmx"], 2, "--fix");
    bench.fails(&["check", "limb.glb"], 1, "only .pmx and .pmd can be checked");
    // Who asks for it gets it.
    bench.works(&["check", "broken.pmx", "--fix", "-o", "broken.pmx"]);
    assert_eq!(bench.bytes("broken.pmx"), bench.bytes("good.pmx"));
}

#[test]
fn files_that_end_early_are_refused_with_the_place() {
    let bench = leg_bench();
    let (pmx, vmd) = (bench.bytes("leg.pmx"), bench.bytes("sink.vmd"));
    bench.write("cut.pmx", &pmx[..200]);
    bench.write("cut.vmd", &vmd[..100]);
    bench.write("zero.pmx", "");
    for arguments in [
        &["inspect", "cut.pmx"][..],
        &["convert", "cut.pmx", "x.glb"],
        &["skin", "cut.pmx", "-o", "x.npy"],
        &["render", "cut.pmx", "-o", "x.png"],
        &["rig", "cut.pmx", "-o", "x.pmx"],
        &["check", "cut.pmx", "--fix"],
    ] {
        bench.fails(arguments, 1, "cut.pmx: byte ");
        bench.fails(arguments, 1, ", vertices: ");
        bench.fails(arguments, 1, "the file is truncated");
    }
    for arguments in [
        &["skin", "leg.pmx", "--motion", "cut.vmd", "-o", "x.npy"][..],
        &["convert", "leg.pmx", "x.glb", "--motion", "cut.vmd"],
    ] {
        bench.fails(arguments, 1, "cut.vmd: byte ");
        bench.fails(arguments, 1, ", bones: the file is truncated");
    }
    bench.fails(&["inspect", "zero.pmx"], 1, "zero.pmx: the file is empty");
}

#[test]
fn what_pmx_cannot_hold_is_told() {
    let bench = Bench::new();
    let mut parts = samples::limb(8, 8).into_parts();
    for name in ["third", "fourth", "fifth"] {
        let twin: Bone = parts.bones[1].clone();
        parts.binds[0].joints.push(BoneId::of(parts.bones.len()));
        let joint_from_rest = parts.binds[0].joint_from_rest[1];
        parts.binds[0].joint_from_rest.push(joint_from_rest);
        parts.bones.push(Bone { name: name.into(), ..twin });
    }
    let joints = parts.binds[0].joints.len();
    let vertices = parts.meshes[0].vertex_count();
    let mut influences = InfluencesBuilder::with_capacity(vertices, joints * vertices);
    for _ in 0..vertices {
        influences.push((0..joints).map(|joint| (joint as u16, 1.0 / joints as f32)));
    }
    parts.meshes[0].influences = influences.build();
    let model = sinew::model::Model::new(Character::new(parts).expect("right"));
    model.save(&bench.path("many.glb"), &mut Report::default()).expect("glTF holds any number");
    let said = bench.says(&["convert", "many.glb", "many.pmx"]);
    assert!(said.contains("beyond the four heaviest are left out"), "{said}");
    assert!(said.contains("PMX cannot store clips: 1 left out; write them as VMD files"), "{said}");
}

#[test]
fn any_rigged_character_becomes_an_sdef_model() {
    let bench = Bench::with_rows(24);
    bench.works(&["rig", "limb.glb", "-o", "limb.pmx", "-q"]);
    bench.works(&["check", "limb.pmx"]);
    let told = bench.json(&["inspect", "limb.pmx", "--json"]);
    assert!(told["methods"]["sdef"].as_u64() > Some(20), "{}", told["methods"]);
    bench.write("bend.json", r#"{"bones": {"lower": {"rotation": [0.7, 0, 0, 0.7]}}}"#);
    let bent = |model: &str, method: &[&str]| {
        bench.works(&[&["skin", model, "--pose", "bend.json", "-o", "out.npy", "-q"], method].concat());
        bench.npy("out.npy").values
    };
    let own = bent("limb.pmx", &[]);
    // Weights that are linear over the soft range have no kink by Bézier.
    assert!(distance(&own, &bent("limb.glb", &["--method", "bezier"])) < ROUNDING_M);
    bench.works(&["rig", "limb.glb", "--method", "sdef:s=0.9", "-o", "full.pmx", "-q"]);
    let full = bent("limb.glb", &["--method", "sdef:s=0.9"]);
    assert!(distance(&bent("full.pmx", &[]), &full) < ROUNDING_M && distance(&own, &full) > 1e-3);
    assert!(distance(&own, &bent("limb.pmx", &["--method", "lbs"])) > 1e-3, "it is not linear");
}

#[test]
fn inspect_tells_the_logic_and_the_kinds_of_vertices() {
    let bench = leg_bench();
    let told = bench.json(&["inspect", "leg.pmx", "--json"]);
    assert_eq!((&told["reaches"], &told["follows"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(told["methods"], serde_json::json!({ "lbs": 6, "sdef": 4 }));
    let reach = &told["bones"][GOAL as usize]["logic"]["reach"];
    assert_eq!(
        (&reach["effector"], &reach["links"]),
        (&Value::from(ANKLE), &serde_json::json!([KNEE, THIGH]))
    );
    let follow = &told["bones"][5]["logic"]["follow"];
    assert_eq!((&follow["bone"], &follow["ratio"]), (&Value::from(THIGH), &Value::from(0.5)));
    assert!(told["bones"][0].get("logic").is_none(), "{}", told["bones"][0]);
    let text = bench.works(&["inspect", "leg.pmx"]);
    for line in [
        "logic       chains that reach (IK): 1; bones that follow others: 1",
        "methods     vertices by method: lbs: 6, sdef: 4",
        "#4 左足ＩＫ; #3 reaches for it, turning #2, #1",
        "#5 左足捩; follows 0.5 of #1's turn",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!bench.works(&["inspect", "limb.glb"]).contains("logic"), "a limb has none");
}
