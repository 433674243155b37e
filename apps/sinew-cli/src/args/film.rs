//! Options of `sinew film`.

use super::parse::{parse_frames, parse_picture_size, parse_rate};
use super::render::Quality;
use clap::Args;
use std::path::PathBuf;

/// `sinew film`.
#[derive(Args, Debug)]
#[command(after_help = "\
scene.toml names characters, their motions, cameras and cuts; docs/formats/scene.md describes every key. A film that was stopped goes
on where it was when the same command is run again: finished frames are kept in a folder beside OUT until the film is done.

Examples:
  sinew film scene.toml -o film.mp4
  sinew film scene.toml --preview -o look.mp4              lines only, the same motion
  sinew film scene.toml --size 480x270 --fps 15 -o small.gif
  sinew film scene.toml --frames 45..46 --quality high -o still.png
  sinew film scene.toml -o frames                          a folder of PNG files")]
pub(crate) struct Film {
    /// The scene: .toml
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,
    /// Draw lines only, much faster, with exactly the same motion and cameras
    #[arg(long = "preview")]
    pub(crate) is_preview: bool,
    /// Only frames A to B - 1, counted from 0
    #[arg(long, value_name = "A..B", value_parser = parse_frames)]
    pub(crate) frames: Option<std::ops::Range<usize>>,
    /// Width and height in pixels [default: the scene's]
    #[arg(long, value_name = "WxH", value_parser = parse_picture_size)]
    pub(crate) size: Option<(u32, u32)>,
    /// Frames a second [default: the scene's]
    #[arg(long, value_name = "FPS", value_parser = parse_rate)]
    pub(crate) fps: Option<f64>,
    /// standard, or high: ray-traced soft shadows and ambient occlusion [default: the scene's]
    #[arg(long, value_enum)]
    pub(crate) quality: Option<Quality>,
    /// .mp4 (needs ffmpeg), .gif, .png for a single frame, or a folder for PNG frames
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print frames, times and a digest of all joints of each frame as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}
