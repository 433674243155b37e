//! Reading VPD files.

use super::scanner::Scanner;
use super::{SIGNATURE, Vpd, VpdBone, VpdMorph, encoding};
use sinew_io::{Budget, Limits, MemoryLimitError, Report};

/// Of reading.
pub(super) type Result<T, E = VpdReadError> = std::result::Result<T, E>;

/// Error of reading a VPD file. Lines count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum VpdReadError {
    #[error("line {line}: expected {expected}, found {found}")]
    Unexpected { line: usize, found: String, expected: &'static str },
    #[error("line 1: {0}")]
    Memory(#[from] MemoryLimitError),
}

/// Memory per byte of the file: the byte, its text, and the smallest blocks of about 20 bytes as data of 56.
const MEMORY_PER_BYTE: u64 = 12;

impl Vpd {
    /// Reads a file.
    ///
    /// # Errors
    /// The line and its problem, or the exceeded memory limit.
    pub fn read(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<Self> {
        Budget::new(limits, bytes.len()).take(&"pose", bytes.len() as u64, MEMORY_PER_BYTE)?;
        let mut vpd = parse(bytes, report)?;
        vpd.source = Some(bytes.into());
        Ok(vpd)
    }
}

/// Parses the bytes.
pub(super) fn parse(bytes: &[u8], report: &mut Report) -> Result<Vpd> {
    let text = encoding::decode(bytes, report);
    let mut scanner = Scanner::new(&text);
    scanner.skip_blank();
    if !scanner.accept(SIGNATURE) {
        return Err(scanner.unexpected("\"Vocaloid Pose Data file\""));
    }
    let model_file = read_field(&mut scanner, "the model's file")?.to_owned();
    let claim = read_field(&mut scanner, "the number of bones")?;
    let claim_line = scanner.line;
    let mut vpd = Vpd { model_file, ..Vpd::default() };
    read_blocks(&mut scanner, &mut vpd)?;
    if claim.parse() != Ok(vpd.bones.len()) {
        let found = vpd.bones.len();
        let what = format!("the file declares {claim:?} bones but has {found}; all are read");
        report.warn(format_args!("line {claim_line}"), what);
    }
    Ok(vpd)
}

/// Text up to a semicolon on the same line.
fn read_field<'a>(scanner: &mut Scanner<'a>, what: &'static str) -> Result<&'a str> {
    scanner.skip_blank();
    let field = scanner.take_while(|letter| letter != ';' && letter != '\n');
    if !scanner.accept(";") {
        return Err(scanner.unexpected(what));
    }
    Ok(field.trim())
}

fn read_blocks(scanner: &mut Scanner<'_>, vpd: &mut Vpd) -> Result<()> {
    loop {
        scanner.skip_blank();
        if scanner.left.is_empty() {
            return Ok(());
        }
        if scanner.accept_word("Bone") {
            let name = read_name(scanner)?;
            let shift = read_numbers(scanner, "a number of the bone's shift x, y, z")?;
            let rotation = read_numbers(scanner, "a number of the bone's quaternion x, y, z, w")?;
            vpd.bones.push(VpdBone { name, shift, rotation });
        } else if scanner.accept_word("Morph") {
            let name = read_name(scanner)?;
            let [weight] = read_numbers(scanner, "the morph's weight")?;
            vpd.morphs.push(VpdMorph { name, weight });
        } else {
            return Err(scanner.unexpected("a block of a bone or morph"));
        }
        scanner.expect("}")?;
    }
}

/// The rest of a block's first line: an unused number, a brace, and the name.
fn read_name(scanner: &mut Scanner<'_>) -> Result<String> {
    scanner.take_while(|letter| letter.is_ascii_digit());
    scanner.expect("{")?;
    Ok(scanner.rest_of_line().to_owned())
}

/// Numbers with commas between them and a semicolon after them.
fn read_numbers<const N: usize>(scanner: &mut Scanner<'_>, what: &'static str) -> Result<[f32; N]> {
    let mut numbers = [0.0; N];
    for (index, number) in numbers.iter_mut().enumerate() {
        if index > 0 {
            scanner.expect(",")?;
        }
        *number = scanner.number(what)?;
    }
    scanner.expect(";")?;
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cp932::encode_cp932;
    use proptest::prelude::*;

    const HEADER: &str = "Vocaloid Pose Data file\r\n\r\nmiku.osm;\t\t// 親ファイル名\r\n";

    /// Lines with CRLF between them, in CP932, after the header.
    fn file(lines: &[&str]) -> Vec<u8> {
        encode_cp932(&format!("{HEADER}{}\r\n", lines.join("\r\n"))).0
    }

    fn read(bytes: &[u8]) -> Result<(Vpd, Vec<String>)> {
        let mut report = Report::default();
        let vpd = Vpd::read(bytes, &Limits::default(), &mut report)?;
        Ok((vpd, report.warnings().iter().map(ToString::to_string).collect()))
    }

    fn bone(name: &str, shift: [f32; 3], rotation: [f32; 4]) -> VpdBone {
        VpdBone { name: name.into(), shift, rotation }
    }

    #[track_caller]
    fn check_error(lines: &[&str], expected: &str) {
        let error = read(&file(lines)).expect_err("it is broken");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn blocks_are_read_with_comments_and_any_blanks() {
        let bytes = file(&[
            "2;\t\t\t\t// 総ポーズボーン数",
            "",
            "Bone0{センター",
            "  1.5,-2.000000,+3e1;\t\t\t\t// trans x,y,z",
            "// between",
            "  0.000000,0.6 , 0.000000,",
            "0.8;}",
            "bone1  {  右腕 { 捩;  ",
            " 0,0,0;0,0,0,0; }",
            "Morph0{あ",
            "  0.250000;",
            "}",
        ]);
        let (vpd, told) = read(&bytes).expect("it is whole");
        assert!(told.is_empty(), "{told:?}");
        let bones = [
            bone("センター", [1.5, -2.0, 30.0], [0.0, 0.6, 0.0, 0.8]),
            bone("右腕 { 捩;", [0.0; 3], [0.0; 4]),
        ];
        assert_eq!((vpd.model_file.as_str(), &vpd.bones[..]), ("miku.osm", &bones[..]));
        assert_eq!(vpd.morphs, [VpdMorph { name: "あ".into(), weight: 0.25 }]);
        assert_eq!(vpd.write(&mut Report::default()), bytes);
    }

    #[test]
    fn a_wrong_number_of_bones_is_told() {
        for claim in ["7", "-1", "many"] {
            let (vpd, told) =
                read(&file(&[&format!("{claim};"), "Bone0{a", "0,0,0;0,0,0,1;}"])).expect("it is whole");
            assert_eq!(vpd.bones.len(), 1);
            assert_eq!(
                told,
                [format!("line 4: the file declares \"{claim}\" bones but has 1; all are read")]
            );
        }
    }

    #[test]
    fn errors_name_the_line() {
        check_error(&["0;", "Arm{x"], "line 5: expected a block of a bone or morph, found \"Arm{x\"");
        check_error(&["1;", "Bone0{x", "0,0;"], "line 6: expected ,, found \";\"");
        check_error(
            &["1;", "Bone0{x", "0,zero,0;"],
            "line 6: expected a number of the bone's shift x, y, z, found \"zero\"",
        );
        check_error(
            &["1;", "Bone0{x", "0,0,0;", "0,0,0,nan;"],
            "line 7: expected a number of the bone's quaternion x, y, z, w, found \"nan\"",
        );
        check_error(&["1;", "Bone0{x", "0,0,0;0,0,0,1;"], "line 7: expected }, found the end of the file");
        check_error(&["1"], "line 4: expected the number of bones, found \"\"");
        let error = read(b"Pose").expect_err("it is something else");
        assert_eq!(error.to_string(), "line 1: expected \"Vocaloid Pose Data file\", found \"Pose\"");
    }

    #[test]
    fn utf8_is_read_with_a_warning_and_changed_files_become_cp932() {
        let text = format!("{HEADER}1;\r\nBone0{{センター\r\n0,0,0;0,0,0,1;}}");
        for mark in ["", "\u{feff}"] {
            let bytes = format!("{mark}{text}").into_bytes();
            let (mut vpd, told) = read(&bytes).expect("it is whole");
            assert_eq!((told.len(), vpd.bones[0].name.as_str()), (1, "センター"));
            assert_eq!(vpd.write(&mut Report::default()), bytes);
            vpd.bones[0].shift[1] = 1.0;
            let written = vpd.write(&mut Report::default());
            let expected = file(&[
                "1;\t\t\t\t// 総ポーズボーン数",
                "",
                "Bone0{センター",
                "  0.000000,1.000000,0.000000;\t\t\t\t// trans x,y,z",
                "  0.000000,0.000000,0.000000,1.000000;\t\t// Quaternion x,y,z,w",
                "}",
                "",
            ]);
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn memory_is_bounded_by_the_limit() {
        let error = Vpd::read(&file(&["0;"]), &Limits::with_max_memory(100), &mut Report::default());
        assert!(matches!(error, Err(VpdReadError::Memory(_))), "{error:?}");
    }

    /// Names that come back: no blanks at their ends, no breaks, all in CP932.
    fn any_name() -> impl Strategy<Value = String> {
        "[a-zA-Z0-9{};/あ-んア-ヶ左右足]{0,9}"
    }

    /// Numbers that six decimals hold.
    fn any_number() -> impl Strategy<Value = f32> {
        (-4096..4096i32).prop_map(|number| number as f32 / 64.0)
    }

    prop_compose! {
        fn any_vpd()(
            bones in prop::collection::vec((any_name(), prop::array::uniform3(any_number()), prop::array::uniform4(any_number())), 0..5),
            morphs in prop::collection::vec((any_name(), any_number()), 0..5),
        ) -> Vpd {
            let bones = bones.into_iter().map(|(name, shift, rotation)| VpdBone { name, shift, rotation }).collect();
            let morphs = morphs.into_iter().map(|(name, weight)| VpdMorph { name, weight }).collect();
            Vpd::new("model.osm", bones, morphs)
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(vpd in any_vpd()) {
            let bytes = vpd.write(&mut Report::default());
            let (again, told) = read(&bytes).expect("it is whole");
            prop_assert!(told.is_empty());
            prop_assert!(again.says_the_same(&vpd));
        }
    }
}
