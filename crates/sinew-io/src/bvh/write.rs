//! Writing BVH.

use super::{Bvh, BvhJoint};
use glam::DVec3;
use std::fmt::Write;

impl Bvh {
    /// The file, with numbers to a millionth.
    pub fn write(&self) -> String {
        let mut text = String::from("HIERARCHY\n");
        let mut open: Vec<usize> = Vec::new();
        for (index, joint) in self.joints.iter().enumerate() {
            while open.last().copied() != joint.parent && open.pop().is_some() {
                line(&mut text, open.len(), "}");
            }
            open_joint(&mut text, joint, open.len());
            open.push(index);
            let has_child = self.joints.iter().any(|other| other.parent == Some(index));
            if !has_child {
                write_end(&mut text, joint.end.unwrap_or(DVec3::ZERO), open.len());
            }
        }
        while open.pop().is_some() {
            line(&mut text, open.len(), "}");
        }
        let frames = self.frame_count();
        push(&mut text, format_args!("MOTION\nFrames: {frames}\nFrame Time: {:.9}\n", self.frame_secs));
        for frame in 0..frames {
            let row: Vec<String> = self.frame(frame).iter().map(|&value| shown(value)).collect();
            push(&mut text, format_args!("{}\n", row.join(" ")));
        }
        text
    }
}

fn push(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.write_fmt(words).expect("writing to a string cannot fail");
}

fn line(text: &mut String, depth: usize, words: &str) {
    push(text, format_args!("{:1$}{words}\n", "", 2 * depth));
}

fn shown(value: f64) -> String {
    // Adding 0 removes the sign of a negative zero.
    format!("{:.6}", (1e6 * value).round() / 1e6 + 0.0)
}

fn vector(vector: DVec3) -> String {
    vector.to_array().map(shown).join(" ")
}

fn open_joint(text: &mut String, joint: &BvhJoint, depth: usize) {
    let kind = if joint.parent.is_some() { "JOINT" } else { "ROOT" };
    line(text, depth, &format!("{kind} {}", joint.name));
    line(text, depth, "{");
    line(text, depth + 1, &format!("OFFSET {}", vector(joint.offset)));
    let names: Vec<&str> = joint.channels.iter().map(|channel| channel.name()).collect();
    line(text, depth + 1, &format!("CHANNELS {} {}", names.len(), names.join(" ")));
}

fn write_end(text: &mut String, end: DVec3, depth: usize) {
    line(text, depth, "End Site");
    line(text, depth, "{");
    line(text, depth + 1, &format!("OFFSET {}", vector(end)));
    line(text, depth, "}");
}
