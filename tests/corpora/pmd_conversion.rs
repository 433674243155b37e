//! PMD becomes PMX as MMD plays it; PMX becomes PMD with every loss told.

use sinew_io::{Limits, Report};
use sinew_mmd::pmd::{Pmd, PmdEnglish, PmdLimitError, bone_types};
use sinew_mmd::pmx::{Pmx, PmxMorphKind, PmxTail, PmxToon, PmxVertex, PmxWeight, bone_flags, material_flags};
use sinew_tests::mmd::{PmdShape, PmxShape, pmd_file, pmx_file};

fn full_pmd() -> Pmd {
    let file = pmd_file(&PmdShape { tail_count: 4, has_english: true, seed: None });
    Pmd::read(&file.bytes, &Limits::default(), &mut Report::default()).expect("it is good")
}

fn full_pmx() -> Pmx {
    let file = pmx_file(&PmxShape::default());
    Pmx::read(&file.bytes, &Limits::default(), &mut Report::default()).expect("it is good")
}

/// The PMX of a good PMD, of which nothing needs to be said.
#[track_caller]
fn converted(pmd: &Pmd) -> Pmx {
    let mut report = Report::default();
    let pmx = pmd.to_pmx(&mut report);
    assert!(report.is_empty(), "{report:?}");
    pmx
}

/// What is said when a PMX becomes PMD.
#[track_caller]
fn losses(pmx: &Pmx) -> (Pmd, String) {
    let mut report = Report::default();
    let pmd = Pmd::from_pmx(pmx, &mut report).expect("it is small");
    let told: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
    (pmd, told.join("\n"))
}

#[test]
fn weights_and_outlines_are_taken_over() {
    let pmx = converted(&full_pmd());
    assert_eq!(pmx.vertices[0].weight, PmxWeight::Bdef1(0));
    assert_eq!(pmx.vertices[1].weight, PmxWeight::Bdef1(2));
    assert_eq!(pmx.vertices[5].weight, PmxWeight::Bdef1(2), "both bones are the same");
    assert_eq!((pmx.vertices[0].edge_scale, pmx.vertices[1].edge_scale), (1.0, 0.0));
    let mut pmd = full_pmd();
    pmd.vertices[2].bones = [1, 2];
    assert_eq!(converted(&pmd).vertices[2].weight, PmxWeight::Bdef2 { bones: [1, 2], weight: 0.3 });
    assert_eq!(pmx.faces, [[0, 1, 2], [3, 4, 5]]);
}

#[test]
fn textures_spheres_and_toons_are_found() {
    let pmx = converted(&full_pmd());
    let textures: Vec<&str> = pmx.textures.iter().map(|texture| texture.as_str()).collect();
    assert_eq!(textures, ["skin.bmp", "shine.spa", "own.bmp", "metal.sph"]);
    let [skin, metal] = &pmx.materials[..] else { panic!("two materials") };
    assert_eq!((skin.texture, skin.sphere, skin.sphere_mode, skin.toon), (0, 1, 2, PmxToon::Texture(2)));
    assert_eq!(
        (metal.texture, metal.sphere, metal.sphere_mode, metal.toon),
        (-1, 3, 1, PmxToon::Texture(-1))
    );
    assert_ne!(skin.flags & material_flags::EDGE, 0);
    // Without names of toons they are MMD's own.
    let mut pmd = full_pmd();
    (pmd.toons, pmd.rigid_bodies, pmd.joints) = (None, None, None);
    assert_eq!(converted(&pmd).materials[0].toon, PmxToon::Shared(1));
}

#[test]
fn bones_have_the_flags_of_their_types() {
    let pmx = converted(&full_pmd());
    let bones = &pmx.bones;
    assert_eq!((bones[0].name.as_str(), bones[0].name_en.as_str()), ("センター", "Bone"));
    assert_ne!(bones[0].flags & bone_flags::MOVABLE, 0);
    assert_eq!(bones[1].tail, PmxTail::Bone(2));
    assert_eq!(bones[3].flags & bone_flags::VISIBLE, 0, "the target of a chain is hidden");
    assert_eq!((bones[5].append, bones[6].append), (Some((1, 1.0)), Some((1, 0.5))));
    assert_eq!(bones[6].tail, PmxTail::Bone(-1));
    let levels: Vec<i32> = bones.iter().map(|bone| bone.level).collect();
    assert_eq!(levels, [0, 0, 0, 0, 1, 2, 2]);
    let ik = bones[4].ik.as_ref().expect("the fifth has a chain");
    assert_eq!((ik.target, ik.loop_count, ik.limit_rad), (3, 40, 2.0));
    let [knee, leg] = &ik.links[..] else { panic!("two links") };
    let [least, greatest] = knee.limits_rad.expect("knees are limited");
    assert_eq!((least[0].to_degrees(), greatest[0].to_degrees()), (-180.0, -0.5));
    assert_eq!((knee.bone, leg.bone, leg.limits_rad), (2, 1, None));
}

#[test]
fn children_are_never_before_their_parents() {
    let mut pmd = full_pmd();
    // The center hangs on the bone that follows, and the leg on itself.
    pmd.bones[0].parent = 5;
    pmd.bones[5].parent = -1;
    pmd.bones[1].parent = 1;
    let levels: Vec<i32> = converted(&pmd).bones.iter().map(|bone| bone.level).collect();
    assert_eq!(levels, [2, 0, 0, 0, 2, 2, 2]);
}

#[test]
fn twist_bones_turn_about_their_length() {
    let mut pmd = full_pmd();
    pmd.bones[1].kind = bone_types::TWIST;
    pmd.bones[2].position = pmd.bones[1].position;
    pmd.bones[2].position[1] -= 2.0;
    assert_eq!(converted(&pmd).bones[1].fixed_axis, Some([0.0, -1.0, 0.0]));
}

#[test]
fn morphs_leave_their_base_behind() {
    let pmd = full_pmd();
    let pmx = converted(&pmd);
    assert_eq!(pmx.morphs.len(), 2);
    let PmxMorphKind::Vertex(shifts) = &pmx.morphs[0].kind else { panic!("a vertex morph") };
    let vertices: Vec<u32> = shifts.iter().map(|(vertex, _)| *vertex).collect();
    assert_eq!((vertices, shifts[0].1), (vec![2, 1], pmd.morphs[1].entries[0].1));
    assert_eq!((pmx.morphs[1].name_en.as_str(), pmx.morphs[1].panel), ("Morph", 3));
    assert_eq!(pmx.frames[1].entries, [(1, 0), (1, 1)]);
}

#[test]
fn frames_and_bodies_are_moved_to_their_places() {
    let pmd = full_pmd();
    let pmx = converted(&pmd);
    let names: Vec<&str> = pmx.frames.iter().map(|frame| frame.name.as_str()).collect();
    assert_eq!(names, ["Root", "表情", "legs", "others"]);
    assert_eq!(
        (&pmx.frames[0].entries[..], &pmx.frames[2].entries[..]),
        (&[(0, 0)][..], &[(0, 1), (0, 2)][..])
    );
    let bodies = pmd.rigid_bodies.as_ref().expect("there are two");
    for (body, bone) in [(0, 2), (1, 0)] {
        let expected = bodies[body].body.position[0] + pmd.bones[bone].position[0];
        assert_eq!(pmx.rigid_bodies[body].body.position[0], expected);
    }
    assert_eq!((pmx.rigid_bodies[1].bone, pmx.joints[0].bodies), (-1, [0, 1]));
}

#[test]
fn what_points_at_nothing_is_told() {
    let mut pmd = full_pmd();
    pmd.morphs[1].entries[0].0 = 99;
    pmd.iks[0].bone = 99;
    pmd.frame_entries[0].1 = 99;
    pmd.morph_display[0] = 0;
    pmd.materials[0].toon = 20;
    pmd.bones[5].ik = 0;
    pmd.name.bytes[0] = 0xff;
    pmd.vertices[0].weight_percent = 200;
    pmd.indices.pop();
    let mut report = Report::default();
    pmd.to_pmx(&mut report);
    let told: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
    for place in [
        "morphs[1]: 1 entries",
        "IKs[0]: bone 99 does not exist",
        "frame 99",
        "morph 0 does not exist",
        "toon 20 does not exist",
        "bones[5]: its type is to follow",
        "name: ",
        "above 100 %",
        "the last 2",
    ] {
        assert!(told.iter().any(|warning| warning.contains(place)), "{place}: {told:#?}");
    }
}

#[test]
fn there_and_back_keeps_all_but_rounding() {
    let pmd = full_pmd();
    let (back, _) = losses(&converted(&pmd));
    let kinds = |pmd: &Pmd| pmd.bones.iter().map(|bone| (bone.kind, bone.parent)).collect::<Vec<_>>();
    assert_eq!(kinds(&back), kinds(&pmd));
    let names = |pmd: &Pmd| pmd.bones.iter().map(|bone| bone.name.decode()).collect::<Vec<_>>();
    assert_eq!(names(&back), names(&pmd));
    assert_eq!(back.iks, pmd.iks);
    assert_eq!((&back.indices, &back.frame_entries), (&pmd.indices, &pmd.frame_entries));
    assert_eq!((back.morphs[0].entries.len(), back.morphs.len()), (3, 3));
    assert_eq!(back.morph_display, pmd.morph_display);
    let textures: Vec<String> = back.materials.iter().map(|material| material.texture.decode()).collect();
    assert_eq!(textures, ["skin.bmp*shine.spa", "metal.sph"]);
    let toon = usize::from(back.materials[0].toon);
    assert_eq!(back.toons.as_ref().map(|toons| toons[toon].decode()).as_deref(), Some("own.bmp"));
    assert!(matches!(back.english, Some(PmdEnglish::Present(_))));
    assert_eq!(back.frame_names[0].decode(), "legs\n");
    // And once more through PMX: the same model.
    let (first, second) = (converted(&pmd), converted(&back));
    assert_eq!(
        (first.bones, first.morphs.len(), first.frames),
        (second.bones, second.morphs.len(), second.frames)
    );
    for (first, second) in first.vertices.iter().zip(&second.vertices) {
        assert_eq!(
            (first.position, first.weight, first.edge_scale),
            (second.position, second.weight, second.edge_scale)
        );
    }
    let written = back.write();
    let read =
        Pmd::read(&written, &Limits::default(), &mut Report::default()).expect("what we write we read");
    assert_eq!(read, back);
}

#[test]
fn every_loss_is_told() {
    let mut pmx = full_pmx();
    pmx.bones[1].name = "とてもとても長いボーンの名前".into();
    pmx.bones[2].name = "뼈".into();
    let (_, told) = losses(&pmx);
    for loss in [
        "use SDEF (spherical)",
        "use QDEF (dual quaternions)",
        "rounded to percent",
        "PMD cannot store group morphs: 1 left out",
        "PMD cannot store bone morphs: 1 left out",
        "PMD cannot store UV morphs: 5 left out",
        "PMD cannot store material morphs: 1 left out",
        "PMD cannot store flip morphs: 1 left out",
        "PMD cannot store impulse morphs: 1 left out",
        "PMD cannot store soft bodies: 2 left out",
        "additional UVs: not supported by PMD",
        "bones[1].name",
        "characters missing in CP932",
        "its local axes",
        "its parent in another model",
        "after physics",
        "a bone's translation",
        "its tail, which is not a bone",
        "have memos",
        "joints: 1 are of unsupported kinds",
    ] {
        assert!(told.contains(loss), "{loss}:\n{told}");
    }
}

#[test]
fn the_two_heaviest_bones_stay_in_order() {
    let mut pmx = full_pmx();
    let vertex = PmxVertex { edge_scale: 1.0, ..pmx.vertices[0] };
    let weights = [
        (PmxWeight::Bdef4 { bones: [3, 1, 2, 0], weights: [0.1, 0.3, 0.0, 0.6] }, [1, 0], 33),
        (PmxWeight::Bdef4 { bones: [5, -1, 2, 0], weights: [0.5, 0.5, 0.0, 0.0] }, [5, 5], 100),
        (PmxWeight::Bdef2 { bones: [4, 6], weight: 0.25 }, [4, 6], 25),
        (PmxWeight::Bdef2 { bones: [4, 6], weight: 0.0 }, [6, 6], 100),
        (PmxWeight::Bdef4 { bones: [1, 2, 3, 4], weights: [f32::NAN; 4] }, [0, 0], 100),
    ];
    pmx.vertices = weights.iter().map(|(weight, ..)| PmxVertex { weight: *weight, ..vertex }).collect();
    let (pmd, told) = losses(&pmx);
    for (vertex, (_, bones, percent)) in pmd.vertices.iter().zip(weights) {
        assert_eq!((vertex.bones, vertex.weight_percent, vertex.edge), (bones, percent, 0));
    }
    assert!(told.contains("1 have more than two bones") && told.contains("1 have bones"), "{told}");
}

#[test]
fn too_many_vertices_are_refused() {
    let mut pmx = full_pmx();
    pmx.vertices.resize(65_536, pmx.vertices[0]);
    let error = Pmd::from_pmx(&pmx, &mut Report::default()).expect_err("16 bits count to 65,535");
    assert_eq!(error, PmdLimitError { what: "vertices", count: 65_536, most: 65_535 });
}
