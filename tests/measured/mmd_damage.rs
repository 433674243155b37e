//! Damaged PMX and PMD files never panic, hang or eat memory; those that can be read still come back byte for byte.
//!
//! `SINEW_DAMAGE` sets the number of cases per file and kind, for longer runs.

use sinew_io::{Limits, Report};
use sinew_mmd::MmdReadError;
use sinew_mmd::pmd::Pmd;
use sinew_mmd::pmx::{Pmx, PmxDocument, PmxWriteSettings};
use sinew_rig::{Character, CharacterParts};
use sinew_tests::measure_peak;
use sinew_tests::mmd::{MMD_DAMAGES, MmdFile, damaged_mmd, pmd_files, pmx_files};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The longest that a file may take.
const MOST_TIME: Duration = Duration::from_secs(1);
/// What a file of a few kilobytes may take of memory, times its size, and on top of that.
const MEMORY_PER_BYTE: usize = 64;
const MOST_MEMORY: usize = 1 << 20;
/// Cases per file and kind of damage: 30 PMX files and 8 kinds make 7,200.
const PMX_CASES: u64 = 30;
/// Cases per file and kind of damage: 20 PMD files and 8 kinds make 7,200.
const PMD_CASES: u64 = 45;

/// Cases per file and kind of damage that are made characters of.
const DOCUMENT_CASES: u64 = 10;

/// What is wrong with how a file was read, if anything; and whether it was read.
fn complaint(
    bytes: &[u8],
    use_file: impl FnOnce(&[u8]) -> Result<Vec<u8>, MmdReadError>,
) -> (Option<String>, bool) {
    let start = Instant::now();
    let (result, peak) = measure_peak(|| catch_unwind(AssertUnwindSafe(|| use_file(bytes))));
    let time = start.elapsed();
    let most = MOST_MEMORY + MEMORY_PER_BYTE * bytes.len();
    let complaint = match &result {
        Err(_) => Some("panics".to_owned()),
        Ok(Ok(written)) if written != bytes => Some("comes back with other bytes".to_owned()),
        Ok(Err(error)) if error.field.is_empty() || error.offset > bytes.len() => {
            Some(format!("no place in: {error}"))
        }
        _ if time > MOST_TIME => Some(format!("takes {time:?}")),
        _ if peak > most => Some(format!("takes {peak} of {most} bytes")),
        _ => None,
    };
    (complaint, matches!(result, Ok(Ok(_))))
}

/// Checks all cases and tells how they went; fails with the first few that went wrong.
#[track_caller]
fn check(
    title: &str,
    files: &[MmdFile],
    cases: u64,
    use_file: impl Fn(&[u8]) -> Result<Vec<u8>, MmdReadError>,
) {
    let _alone = sinew_tests::alone();
    let cases = std::env::var("SINEW_DAMAGE").ok().and_then(|text| text.parse().ok()).unwrap_or(cases);
    let start = Instant::now();
    let (mut case_count, mut read_count) = (0, 0);
    let mut complaints = Vec::new();
    for file in files {
        for damage in MMD_DAMAGES {
            for _ in 0..cases {
                let (bytes, what) = damaged_mmd(file, damage, case_count);
                let (complaint, is_read) = complaint(&bytes, &use_file);
                complaints.extend(complaint.map(|complaint| format!("{what}: {complaint}")));
                case_count += 1;
                read_count += u64::from(is_read);
            }
        }
    }
    eprintln!("{title}: {case_count} cases, {read_count} read, {:.1} s", start.elapsed().as_secs_f64());
    let shown: Vec<&String> = complaints.iter().take(20).collect();
    assert!(complaints.is_empty(), "{} of {case_count} cases: {shown:#?}", complaints.len());
}

#[test]
fn damaged_pmx_files_are_read_or_refused_within_bounds() {
    check("PMX", &pmx_files(), PMX_CASES, |bytes| {
        let mut report = Report::default();
        let pmx = Pmx::read(bytes, &Limits::default(), &mut report)?;
        drop(Pmd::from_pmx(&pmx, &mut report));
        Ok(pmx.write())
    });
}

#[test]
fn damaged_pmx_files_become_characters_and_can_be_repaired() {
    let _alone = sinew_tests::alone();
    let cases = std::env::var("SINEW_DAMAGE").ok().and_then(|text| text.parse().ok());
    let cases: u64 = cases.unwrap_or(DOCUMENT_CASES);
    let limits = Limits::default();
    let mut read_count = 0;
    for (seed, file) in (0..).zip(&pmx_files()) {
        for (damage, case) in
            MMD_DAMAGES.into_iter().flat_map(|damage| (0..cases).map(move |case| (damage, case)))
        {
            let (bytes, what) = damaged_mmd(file, damage, seed * cases + case);
            let Ok(pmx) = Pmx::read(&bytes, &limits, &mut Report::default()) else { continue };
            read_count += 1;
            let (repaired, _) = pmx.repaired();
            assert_eq!(repaired.problems(), [], "{what}: the repaired file");
            for pmx in [pmx, repaired] {
                let document = PmxDocument::from_pmx(pmx);
                let character = document.to_character(&mut Report::default()).expect(&what);
                let updated = document.updated(&character, &mut Report::default()).expect(&what);
                assert!(updated.to_bytes() == document.to_bytes(), "{what}: not edited, but changed");
                let renamed =
                    Character::new(CharacterParts { name: "x".into(), ..character.clone().into_parts() });
                let updated = document.updated(&renamed.expect(&what), &mut Report::default()).expect(&what);
                let expected = Pmx { name: "x".into(), ..document.pmx().clone() };
                assert!(updated.to_bytes() == expected.write(), "{what}: more changed than the name");
                let settings = PmxWriteSettings { allow_2_1: true, ..PmxWriteSettings::default() };
                let anew = PmxDocument::from_character(&character, &settings, &mut Report::default());
                let again = anew.to_character(&mut Report::default()).expect(&what);
                assert_eq!(again.skeleton().bone_count(), character.skeleton().bone_count(), "{what}");
            }
        }
    }
    assert!(read_count > 0, "some damaged files can be read");
}

#[test]
fn damaged_pmd_files_are_read_or_refused_within_bounds() {
    check("PMD", &pmd_files(), PMD_CASES, |bytes| {
        let mut report = Report::default();
        let pmd = Pmd::read(bytes, &Limits::default(), &mut report)?;
        drop(pmd.to_pmx(&mut report).write());
        Ok(pmd.write())
    });
}
