//! PMX and PMD files come back byte for byte, and their fields are where the format puts them.

use sinew_io::{Limits, Report};
use sinew_mmd::pmd::Pmd;
use sinew_mmd::pmx::{
    Pmx, PmxBone, PmxMorphKind, PmxSection, PmxTail, PmxTruncation, PmxVertex, PmxWeight, TextEncoding,
    bone_flags,
};
use sinew_mmd::{MmdProblem, MmdText};
use sinew_tests::corpus_bytes;
use sinew_tests::mmd::{PmxShape, pmd_files, pmx_file, pmx_files};

#[track_caller]
fn read_pmx(bytes: &[u8], name: &str) -> (Pmx, Vec<String>) {
    let mut report = Report::default();
    let pmx = Pmx::read(bytes, &Limits::default(), &mut report);
    let warnings = report.warnings().iter().map(ToString::to_string).collect();
    (pmx.unwrap_or_else(|error| panic!("{name}: {error}")), warnings)
}

/// The error that a plain file gives after `change`.
#[track_caller]
fn refusal(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = pmx_file(&PmxShape::default()).bytes;
    change(&mut bytes);
    let error = Pmx::read(&bytes, &Limits::default(), &mut Report::default()).expect_err("it is damaged");
    error.to_string()
}

#[test]
fn made_files_come_back_byte_for_byte() {
    for file in pmx_files() {
        let (pmx, warnings) = read_pmx(&file.bytes, &file.name);
        assert!(pmx.write() == file.bytes, "{}: other bytes", file.name);
        assert!(pmx.trailing.is_empty() && pmx.truncation.is_none(), "{}: {warnings:?}", file.name);
        assert_eq!(pmx.soft_bodies.is_some(), file.name.contains("has_soft_bodies: true"), "{}", file.name);
    }
    for file in pmd_files() {
        let pmd = Pmd::read(&file.bytes, &Limits::default(), &mut Report::default());
        let pmd = pmd.unwrap_or_else(|error| panic!("{}: {error}", file.name));
        assert!(pmd.write() == file.bytes, "{}: other bytes", file.name);
        assert!(pmd.trailing.is_empty(), "{}", file.name);
    }
}

#[test]
fn public_files_come_back_byte_for_byte() {
    for (name, bytes) in corpus_bytes("public_files_come_back_byte_for_byte", "pmx", "pmx") {
        let (pmx, warnings) = read_pmx(&bytes, &name);
        assert!(pmx.write() == bytes, "{name}: other bytes");
        let (counts, encoding) = ((pmx.vertices.len(), pmx.bones.len()), pmx.header.encoding);
        eprintln!("{name}: {counts:?} vertices and bones, {encoding:?}, {warnings:?}");
        assert!(!pmx.name.as_str().contains('\u{fffd}'), "{name}: {:?}", pmx.name);
    }
}

#[test]
fn public_files_may_be_written_in_the_other_encoding() {
    for (name, bytes) in corpus_bytes("public_files_may_be_written_in_the_other_encoding", "pmx", "pmx") {
        let (pmx, _) = read_pmx(&bytes, &name);
        let mut other = pmx.clone();
        other.header.encoding = match pmx.header.encoding {
            TextEncoding::Utf8 => TextEncoding::Utf16,
            TextEncoding::Utf16 => TextEncoding::Utf8,
        };
        let (mut back, _) = read_pmx(&other.write(), &name);
        back.header.encoding = pmx.header.encoding;
        assert!(back.write() == bytes, "{name}: other bytes");
    }
}

#[test]
fn fields_are_read_in_order() {
    // Floats of the file count up from 1.
    let (pmx, warnings) =
        read_pmx(&pmx_file(&PmxShape { uv_count: 1, ..PmxShape::default() }).bytes, "plain");
    assert_eq!(warnings, [""; 0]);
    assert_eq!((pmx.name.as_str(), pmx.comment.as_str()), ("モデル", "説明\r\n🦴"));
    let first = PmxVertex {
        position: [1.0, 2.0, 3.0],
        normal: [4.0, 5.0, 6.0],
        uv: [7.0, 8.0],
        weight: PmxWeight::Bdef1(-1),
        edge_scale: 13.0,
    };
    assert_eq!(pmx.vertices[0], first);
    assert_eq!(pmx.additional_uvs[0], [9.0, 10.0, 11.0, 12.0]);
    let PmxWeight::Sdef { bones, weight, c, r0, r1 } = pmx.vertices[3].weight else { panic!("SDEF") };
    assert_eq!((bones, c[0] - weight, r0[0] - weight, r1[0] - weight), ([-1, 0], 1.0, 4.0, 7.0));
    assert_eq!(pmx.faces[4], [0, 1, 200]);
    assert_eq!(pmx.materials[0].edge_size - pmx.materials[0].diffuse[0], 15.0);
    assert_eq!((pmx.materials[0].texture, pmx.materials[0].sphere, pmx.materials[1].index_count), (0, -1, 6));
    let last = &pmx.bones[8];
    assert_eq!(last.external_parent, Some(-5));
    assert_eq!(last.ik.as_ref().map(|ik| (ik.target, ik.loop_count, ik.links.len())), Some((3, 40, 2)));
    let [least, greatest] =
        last.ik.as_ref().and_then(|ik| ik.links[1].limits_rad).expect("the second has limits");
    assert_eq!(greatest[0] - least[0], 3.0);
    assert_eq!(pmx.bones[1].tail, PmxTail::Bone(2));
    assert!(matches!(&pmx.morphs[7].kind, PmxMorphKind::Uv { set: 4, shifts } if shifts.len() == 2));
    assert_eq!(pmx.frames[0].entries, [(0, 1), (1, 2)]);
    assert_eq!((pmx.rigid_bodies[1].body.mask, pmx.rigid_bodies[1].body.mode), (0x7fff, 1));
    assert_eq!(pmx.joints[1].values[7][2] - pmx.joints[1].values[0][0], 23.0);
    let soft = &pmx.soft_bodies.as_ref().expect("there are soft bodies")[1];
    assert_eq!((soft.links, soft.iterations, soft.aero_model), ([2, 3], [1, 2, 3, 4], 4));
    assert_eq!((&soft.pins[..], soft.stiffness[0] - soft.config[0]), (&[0, 1, 2][..], 18.0));
}

#[test]
fn every_cut_keeps_all_bytes_or_is_refused() {
    let file = pmx_file(&PmxShape::default());
    // Vertices, faces, textures, materials, bones, morphs and frames come before what may be cut off.
    let first_cut = file.sections[7];
    for length in 0..file.bytes.len() {
        let cut = &file.bytes[..length];
        let mut report = Report::default();
        match Pmx::read(cut, &Limits::default(), &mut report) {
            Ok(pmx) => {
                assert!(length >= first_cut && pmx.write() == cut, "{length}");
                assert!(!report.is_empty(), "{length}: nothing is said");
            }
            Err(error) => {
                assert!(length < first_cut, "{length}: {error}");
                assert!(matches!(error.problem, MmdProblem::Ends { .. }), "{length}: {error}");
            }
        }
    }
}

#[test]
fn a_cut_file_gives_its_whole_entries_and_can_be_edited() {
    let file = pmx_file(&PmxShape::default());
    let (mut pmx, warnings) = read_pmx(&file.bytes[..file.sections[8] - 1], "cut");
    let expected =
        PmxTruncation { section: PmxSection::RigidBodies, declared_count: Some(2), whole_count: 1 };
    assert_eq!((pmx.truncation, pmx.rigid_bodies.len()), (Some(expected), 1));
    assert!(warnings[0].contains("rigid bodies[1].mode: the file is truncated"), "{warnings:?}");
    pmx.rigid_bodies.push(pmx.rigid_bodies[0].clone());
    let (edited, _) = read_pmx(&pmx.write(), "edited");
    assert_eq!((edited.rigid_bodies, edited.trailing.len(), edited.truncation), (pmx.rigid_bodies, 0, None));
}

#[test]
fn odd_files_are_read_with_a_word() {
    let check = |bytes: &[u8], word: &str| {
        let (pmx, warnings) = read_pmx(bytes, word);
        assert!(warnings.iter().any(|warning| warning.contains(word)), "{word}: {warnings:?}");
        assert!(pmx.write() == bytes, "{word}");
    };
    let old = PmxShape { version: 2.0, has_soft_bodies: false, ..PmxShape::default() };
    let mut bytes = pmx_file(&old).bytes;
    bytes.extend([0; 4]);
    check(&bytes, "4 bytes after the end");
    bytes[3] = b'!';
    check(&bytes, "fourth byte");
    check(
        &pmx_file(&PmxShape { has_soft_bodies: false, ..PmxShape::default() }).bytes,
        "ends before this list",
    );
    check(&pmx_file(&PmxShape { other_globals: 2, ..PmxShape::default() }).bytes, "2 bytes after the eight");
    let mut bytes = pmx_file(&PmxShape { has_soft_bodies: false, ..PmxShape::default() }).bytes;
    bytes[4..8].copy_from_slice(&2.0f32.to_le_bytes());
    check(&bytes, "which need 2.1");
}

#[test]
fn wrong_values_are_refused_by_place() {
    for (at, value, message) in [
        (0, b'X', "byte 0, magic: not a PMX file: it does not start with PMX"),
        (7, 0x41, "byte 4, version: version 8"),
        (8, 7, "byte 8, count of globals: expected 8 or more, found 7"),
        (9, 2, "byte 9, encoding: expected 0 (UTF-16) or 1 (UTF-8), found 2"),
        (10, 5, "byte 10, count of additional UVs: expected 0 to 4, found 5"),
        (14, 3, "byte 14, size of bone indices: expected 1, 2 or 4, found 3"),
    ] {
        let error = refusal(|bytes| bytes[at] = value);
        assert!(error.starts_with(message), "{error}");
    }
    let error = refusal(|bytes| bytes[1..3].copy_from_slice(b"mx"));
    assert!(error.contains("PMX 1.0 is not supported"), "{error}");
    let vertices = pmx_file(&PmxShape::default()).sections[0] + 4;
    let error = refusal(|bytes| bytes[vertices + 48] = 63);
    assert!(error.contains("vertices[0].weight type: expected") && error.contains("may be wrong"), "{error}");
    let faces = pmx_file(&PmxShape::default()).sections[1];
    let error = refusal(|bytes| bytes[faces] = 14);
    assert!(error.contains("faces: expected a multiple of three, found 14"), "{error}");
    let error = refusal(|bytes| bytes[vertices - 2] = 0xff);
    assert!(error.contains("vertices: the file is truncated"), "{error}");
}

#[test]
fn sizes_grow_only_where_indices_do_not_fit() {
    let (mut pmx, _) = read_pmx(&pmx_file(&PmxShape::default()).bytes, "plain");
    pmx.bones.resize(130, pmx.bones[0].clone());
    pmx.vertices[0].weight = PmxWeight::Bdef1(129);
    pmx.faces[0] = [0, 1, 70_000];
    let (back, _) = read_pmx(&pmx.write(), "grown");
    let sizes = back.header.index_sizes;
    assert_eq!((sizes.vertex, sizes.bone, sizes.texture, sizes.morph), (4, 2, 1, 1));
    assert_eq!((back.vertices[0].weight, back.faces[0]), (PmxWeight::Bdef1(129), [0, 1, 70_000]));
    pmx.header.index_sizes.material = 3;
    assert_eq!(read_pmx(&pmx.write(), "mended").0.header.index_sizes.material, 1);
}

#[test]
fn flags_follow_the_members_of_an_edited_bone() {
    let (mut pmx, _) = read_pmx(&pmx_file(&PmxShape::default()).bytes, "plain");
    let full = pmx.bones[8].clone();
    pmx.bones[8] = PmxBone {
        tail: PmxTail::Offset([0.0; 3]),
        append: None,
        fixed_axis: None,
        local_axes: None,
        external_parent: None,
        ik: None,
        name: MmdText::from("plain"),
        ..full.clone()
    };
    pmx.bones[0].append = Some((1, 0.5));
    let (back, _) = read_pmx(&pmx.write(), "edited");
    assert_eq!(back.bones[0].flags, pmx.bones[0].flags | bone_flags::APPEND_ROTATION);
    let told = bone_flags::TAIL_IS_BONE
        | bone_flags::APPEND_ROTATION
        | bone_flags::APPEND_TRANSLATION
        | bone_flags::FIXED_AXIS
        | bone_flags::LOCAL_AXES
        | bone_flags::EXTERNAL_PARENT
        | bone_flags::IK;
    assert_eq!(back.bones[8].flags, full.flags & !told);
    assert_eq!(back.bones[8].name.as_str(), "plain");
    assert_eq!(back.morphs, pmx.morphs, "what follows is found");
}

#[test]
fn missing_texture_coordinates_are_zeros() {
    let (mut pmx, _) = read_pmx(&pmx_file(&PmxShape { uv_count: 2, ..PmxShape::default() }).bytes, "plain");
    pmx.additional_uvs.truncate(3);
    let (back, _) = read_pmx(&pmx.write(), "short");
    assert_eq!(back.additional_uvs[..3], pmx.additional_uvs[..]);
    assert!(back.additional_uvs[3..].iter().all(|uv| *uv == [0.0; 4]), "the rest is zeros");
}

#[test]
fn memory_is_held_to_the_limit() {
    let bytes = pmx_file(&PmxShape::default()).bytes;
    let error = Pmx::read(&bytes, &Limits::with_max_memory(1000), &mut Report::default());
    assert!(matches!(error.expect_err("too large").problem, MmdProblem::Memory(_)));
}
