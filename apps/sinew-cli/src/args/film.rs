//! Options of `sinew film`.

use super::options::SceneOptions;
use super::parse::parse_frames;
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
    #[command(flatten)]
    pub(crate) choices: SceneOptions,
    /// .mp4 (needs ffmpeg), .gif, .png for a single frame, or a folder for PNG frames
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print frames, times and a digest of all joints of each frame as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}
