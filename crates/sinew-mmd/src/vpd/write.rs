//! Writing VPD files.

use super::{SIGNATURE, Vpd};
use crate::cp932::encode_cp932;
use sinew_io::Report;
use std::fmt::Write;

impl Vpd {
    /// The file. An unchanged file is written back byte for byte; others are written as by MMD, in CP932 and with six decimals.
    /// Characters missing in CP932 are reported.
    pub fn write(&self, report: &mut Report) -> Vec<u8> {
        if let Some(source) = self.unchanged_source() {
            return source.to_vec();
        }
        let (bytes, unknown) = encode_cp932(&self.to_text());
        if unknown > 0 {
            report.warn("", format_args!("{unknown} characters are missing in CP932; written as ?"));
        }
        bytes
    }

    fn unchanged_source(&self) -> Option<&[u8]> {
        let source = self.source.as_deref()?;
        let parsed = super::read::parse(source, &mut Report::default()).ok()?;
        parsed.says_the_same(self).then_some(source)
    }

    fn to_text(&self) -> String {
        let mut text = format!(
            "{SIGNATURE}\r\n\r\n{};\t\t// 親ファイル名\r\n{};\t\t\t\t// 総ポーズボーン数\r\n\r\n",
            one_line(&self.model_file).replace(';', "?"),
            self.bones.len()
        );
        for (index, bone) in self.bones.iter().enumerate() {
            let ([x, y, z], [qx, qy, qz, qw]) = (bone.shift, bone.rotation);
            let written = write!(
                text,
                "Bone{index}{{{}\r\n  {x:.6},{y:.6},{z:.6};\t\t\t\t// trans x,y,z\r\n  \
                 {qx:.6},{qy:.6},{qz:.6},{qw:.6};\t\t// Quaternion x,y,z,w\r\n}}\r\n\r\n",
                one_line(&bone.name)
            );
            written.expect("a String takes all text");
        }
        for (index, morph) in self.morphs.iter().enumerate() {
            let (name, weight) = (one_line(&morph.name), morph.weight);
            let written = write!(text, "Morph{index}{{{name}\r\n  {weight:.6};\r\n}}\r\n\r\n");
            written.expect("a String takes all text");
        }
        text
    }
}

/// Names extend to the end of the line; a line break inside one becomes a question mark.
fn one_line(name: &str) -> String {
    name.replace(['\r', '\n'], "?")
}
