//! Reading BVH.

use super::{Bvh, BvhChannel, BvhJoint};
use crate::limits::Budget;
use crate::{Limits, MemoryLimitError, Report};
use glam::DVec3;

/// Of reading.
type Result<T, E = BvhReadError> = std::result::Result<T, E>;

/// Error of reading a BVH file. Lines count from 1; long texts are shortened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum BvhReadError {
    #[error("line {line}: expected {expected}, found {found}")]
    Expected { line: usize, expected: &'static str, found: String },
    #[error("line {line}: {found:?} is not a number")]
    Number { line: usize, found: String },
    #[error("line {line}: too many joints; the maximum is {MOST_JOINTS}")]
    TooManyJoints { line: usize },
    #[error("line {line}: invalid frame time {secs} s; use 0.0001 to 10")]
    FrameTime { line: usize, secs: String },
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
}

/// Far above real skeletons, which have tens of joints.
const MOST_JOINTS: usize = 10_000;

impl Bvh {
    /// Reads a file. Keywords may be in any case and split over lines in any way; missing rows at the end are reported.
    ///
    /// # Errors
    /// The line where the file is invalid, or the memory it would need.
    pub fn read(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<Self> {
        let mut budget = Budget::new(limits, bytes.len());
        let text = String::from_utf8_lossy(bytes);
        budget.take(&"the file", text.len() as u64, 2)?;
        let mut words = Words::new(&text);
        let joints = read_joints(&mut words, report)?;
        words.expect("MOTION", "MOTION after the hierarchy")?;
        words.expect("Frames:", "Frames: and their number")?;
        let claimed = words.number()?;
        let (frame, time) = (words.next(), words.next());
        let is_time =
            |word: &Option<&str>, name: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(name));
        if !(is_time(&frame, "Frame") && is_time(&time, "Time:")) {
            return Err(words.wrong("Frame Time: and seconds", time));
        }
        let (line, secs) = (words.line, words.number()?);
        if !(1e-4..=10.0).contains(&secs) {
            return Err(BvhReadError::FrameTime { line, secs: secs.to_string() });
        }
        let values = read_values(&mut words, &mut budget)?;
        let mut bvh = Self { joints, frame_secs: secs, values };
        bvh.cut_to_frames(claimed, report);
        Ok(bvh)
    }

    /// Keeps complete rows, at most as many as the file declares.
    fn cut_to_frames(&mut self, claimed: f64, report: &mut Report) {
        let (whole, channels) = (self.frame_count(), self.channel_count());
        let wanted = if claimed >= 0.0 { claimed as usize } else { whole };
        if whole < wanted {
            report.warn(
                "MOTION",
                format!("the file declares {wanted} frames but has {whole}; the missing ones are left out"),
            );
        } else if self.values.len() > wanted.saturating_mul(channels) {
            let extra = self.values.len() - wanted.saturating_mul(channels);
            report.warn("MOTION", format!("{extra} numbers after the last frame are left out"));
        }
        self.values.truncate(whole.min(wanted) * channels);
    }
}

/// Words of a text, with the line of the last one.
#[derive(Clone, Copy)]
struct Words<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.trim_start_matches('\u{feff}'), line: 1 }
    }

    fn skip_space(&mut self) {
        let end = self.rest.find(|letter: char| !letter.is_whitespace()).unwrap_or(self.rest.len());
        self.line += self.rest[..end].bytes().filter(|&byte| byte == b'\n').count();
        self.rest = &self.rest[end..];
    }

    fn next(&mut self) -> Option<&'a str> {
        self.skip_space();
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(word)
    }

    /// The rest of the line: names may contain spaces.
    fn rest_of_line(&mut self) -> &'a str {
        let end = self.rest.find(['\n', '\r', '{']).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        line.trim()
    }

    fn wrong(&self, expected: &'static str, found: Option<&str>) -> BvhReadError {
        let found = found.map_or_else(|| "the end".to_owned(), |found| format!("{:?}", shortened(found)));
        BvhReadError::Expected { line: self.line, expected, found }
    }

    fn expect(&mut self, word: &str, expected: &'static str) -> Result<()> {
        match self.next() {
            Some(found) if found.eq_ignore_ascii_case(word) => Ok(()),
            found => Err(self.wrong(expected, found)),
        }
    }

    fn number(&mut self) -> Result<f64> {
        let word = self.next().ok_or_else(|| self.wrong("a number", None))?;
        number(word, self.line)
    }

    fn vector(&mut self) -> Result<DVec3> {
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?))
    }
}

fn number(word: &str, line: usize) -> Result<f64> {
    let value = word.parse().ok().filter(|value: &f64| value.is_finite() && value.abs() < 1e9);
    value.ok_or_else(|| BvhReadError::Number { line, found: shortened(word) })
}

fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}

/// The hierarchy up to MOTION, which is not consumed. Several roots follow one another.
fn read_joints(words: &mut Words<'_>, report: &mut Report) -> Result<Vec<BvhJoint>> {
    words.expect("HIERARCHY", "HIERARCHY")?;
    let mut joints: Vec<BvhJoint> = Vec::new();
    // Joints whose braces are open.
    let mut open: Vec<usize> = Vec::new();
    loop {
        let before = *words;
        let Some(word) = words.next() else { return Err(words.wrong("MOTION", None)) };
        match word.to_ascii_uppercase().as_str() {
            "ROOT" | "JOINT" if joints.len() >= MOST_JOINTS => {
                return Err(BvhReadError::TooManyJoints { line: words.line });
            }
            kind @ ("ROOT" | "JOINT") if open.is_empty() == (kind == "ROOT") => {
                open_joint(words, &mut joints, &mut open)?
            }
            "END" => read_end(words, &mut joints, &open)?,
            "}" if !open.is_empty() => {
                open.pop();
            }
            "MOTION" if !joints.is_empty() => {
                if !open.is_empty() {
                    let what = format!("{} braces are not closed; MOTION closes them", open.len());
                    report.warn(format!("line {}", words.line), what);
                }
                *words = before;
                return Ok(joints);
            }
            _ => return Err(words.wrong("ROOT, JOINT, End Site, } or MOTION", Some(word))),
        }
    }
}

/// Name, offset and channels of a joint.
fn open_joint(words: &mut Words<'_>, joints: &mut Vec<BvhJoint>, open: &mut Vec<usize>) -> Result<()> {
    let name = words.rest_of_line().to_owned();
    words.expect("{", "{ after the name of a joint")?;
    words.expect("OFFSET", "OFFSET and three numbers")?;
    let offset = words.vector()?;
    let mut channels = Vec::new();
    let before = *words;
    if words.next().is_some_and(|word| word.eq_ignore_ascii_case("CHANNELS")) {
        let count = words.number()?;
        if !(0.0..=6.0).contains(&count) {
            return Err(words.wrong("at most 6 channels", Some(&count.to_string())));
        }
        for _ in 0..count as usize {
            let word = words.next();
            let channel = word.and_then(BvhChannel::from_name);
            channels.push(channel.ok_or_else(|| words.wrong("a channel such as Xrotation", word))?);
        }
    } else {
        *words = before;
    }
    joints.push(BvhJoint { name, parent: open.last().copied(), offset, channels, end: None });
    open.push(joints.len() - 1);
    Ok(())
}

fn read_end(words: &mut Words<'_>, joints: &mut [BvhJoint], open: &[usize]) -> Result<()> {
    let Some(&joint) = open.last() else { return Err(words.wrong("ROOT or MOTION", Some("End"))) };
    // `End Site`; some files add a name.
    words.rest_of_line();
    words.expect("{", "{ after End Site")?;
    words.expect("OFFSET", "OFFSET and three numbers")?;
    joints[joint].end = Some(words.vector()?);
    words.expect("}", "} after the offset of an End Site")
}

fn read_values(words: &mut Words<'_>, budget: &mut Budget) -> Result<Vec<f64>> {
    let mut values = Vec::new();
    while let Some(word) = words.next() {
        if values.len() == values.capacity() {
            let more = values.len().max(1024);
            budget.take(&"MOTION", more as u64, size_of::<f64>() as u64)?;
            values.reserve_exact(more);
        }
        values.push(number(word, words.line)?);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n JOINT the leg\n {\n  OFFSET 0 -0.5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -.5 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: .04\n0 1 0 0 0 0 10 0 0\n0 1 0.1 0 0 0 20 0 0\n";

    fn read(text: &str) -> (Result<Bvh>, usize) {
        let mut report = Report::default();
        (Bvh::read(text.as_bytes(), &Limits::default(), &mut report), report.warnings().len())
    }

    #[test]
    fn a_good_file_is_read() {
        let (bvh, warnings) = read(SMALL);
        let bvh = bvh.expect("BVH");
        assert_eq!((bvh.joints().len(), bvh.frame_count(), warnings), (2, 2, 0));
        assert_eq!(bvh.joints()[1].name, "the leg");
        assert_eq!(bvh.joints()[1].end, Some(DVec3::new(0.0, -0.5, 0.0)));
        assert_eq!(bvh.frame(1)[6], 20.0);
        assert_eq!(read(&SMALL.to_lowercase().replace("\n", "\r\n")).0.expect("BVH").frame_count(), 2);
    }

    #[test]
    fn mistakes_name_their_line() {
        let told = |text: &str| read(text).0.expect_err("a mistake").to_string();
        assert_eq!(told(""), "line 1: expected HIERARCHY, found the end");
        assert_eq!(told(&SMALL.replace("OFFSET 0 -0.5 0", "OFFSET 0 x 0")), "line 8: \"x\" is not a number");
        assert_eq!(
            told(&SMALL.replace("OFFSET 0 -0.5 0", "OFFSET 0 inf 0")),
            "line 8: \"inf\" is not a number"
        );
        assert!(
            told(
                &SMALL
                    .replace("Zrotation Xrotation Yrotation\n  End", "Wrotation Xrotation Yrotation\n  End")
            )
            .starts_with("line 9: expected a channel")
        );
        assert!(told(&SMALL.replace("Time: .04", "Time: 0")).starts_with("line 18: invalid frame time"));
        assert!(told(&SMALL.replace("MOTION", "MOTIN")).starts_with("line 16: expected ROOT"));
        assert!(told("HIERARCHY MOTION").contains("ROOT"));
    }

    #[test]
    fn missing_and_extra_rows_are_reported() {
        let (bvh, warnings) = read(&SMALL.replace("Frames: 2", "Frames: 3"));
        assert_eq!((bvh.expect("BVH").frame_count(), warnings), (2, 1));
        let (bvh, warnings) = read(&SMALL.replace("Frames: 2", "Frames: 1"));
        assert_eq!((bvh.expect("BVH").frame_count(), warnings), (1, 1));
        let (bvh, warnings) = read(&SMALL.replace("20 0 0\n", "20 0\n"));
        assert_eq!((bvh.expect("BVH").frame_count(), warnings), (1, 1));
    }

    #[test]
    fn memory_is_refused_before_it_is_taken() {
        let limits = Limits::with_max_memory(SMALL.len() as u64 + 100);
        let refused = Bvh::read(SMALL.as_bytes(), &limits, &mut Report::default());
        assert!(matches!(refused, Err(BvhReadError::Memory(_))), "{refused:?}");
    }
}
