//! Films: MP4 through ffmpeg, where it is installed, and GIF.

use sinew_io::{OutputError, PendingFile};
use sinew_model::extension_of;
use sinew_render::{EncodeError, Image};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Why a film cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum VideoError {
    /// No ffmpeg.
    #[error(
        "ffmpeg is not installed, and .mp4 needs it; install it, or write .gif or a folder of PNG frames"
    )]
    NoFfmpeg,
    /// A GIF that does not fit into memory.
    #[error(
        "a GIF of {} frames of {}×{} pixels would take {gib:.1} GiB of memory; write .mp4, or use a smaller --size or --fps",
        .shape.count, .shape.size.0, .shape.size.1
    )]
    GifTooLarge {
        /// What was asked for.
        shape: FilmShape,
        /// Memory.
        gib: f64,
    },
    /// ffmpeg gave up.
    #[error("ffmpeg failed: {message}")]
    Failed {
        /// The end of what it said.
        message: String,
    },
    /// A frame of another size.
    #[error("frame of {found:?} pixels in a film of {expected:?}")]
    Size {
        /// Of the film.
        expected: (u32, u32),
        /// Of the frame.
        found: (u32, u32),
    },
    /// The file cannot be put in place.
    #[error("cannot write {path:?}: {source}")]
    Io {
        /// The film.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// How large and how long a film is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmShape {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames a second.
    pub fps: f64,
    /// Frames.
    pub count: usize,
}

/// Memory that the frames of a GIF may take, bytes: they are all looked at for its palette.
const MOST_GIF_BYTES: u64 = 2 << 30;

/// Whether a film can be had, .mp4 or .gif: asked before the first frame is drawn.
///
/// # Errors
/// No ffmpeg for an .mp4, or too large a GIF.
pub fn check_film(path: &Path, shape: &FilmShape) -> Result<(), VideoError> {
    if extension_of(path) == "mp4" {
        return if is_available() { Ok(()) } else { Err(VideoError::NoFfmpeg) };
    }
    let (width, height) = shape.size;
    let bytes = 4 * u64::from(width) * u64::from(height) * shape.count as u64;
    if bytes > MOST_GIF_BYTES {
        return Err(VideoError::GifTooLarge { shape: *shape, gib: bytes as f64 / (1u64 << 30) as f64 });
    }
    Ok(())
}

/// Writes a film frame by frame, whole or not at all: .mp4 by ffmpeg, anything else as GIF.
///
/// # Errors
/// A frame that `draw` has not, or a file that cannot be written.
pub fn write_film<E>(
    path: &Path,
    shape: &FilmShape,
    mut draw: impl FnMut(usize) -> Result<Image, E>,
) -> Result<(), E>
where
    E: From<VideoError> + From<EncodeError> + From<OutputError>,
{
    // A name that cannot be written to is found before the first picture is drawn.
    let mut file = PendingFile::create(path)?;
    if extension_of(path) == "mp4" {
        drop(file);
        let mut writer = VideoWriter::start(path, shape.size, shape.fps)?;
        for frame in 0..shape.count {
            writer.push(&draw(frame)?)?;
        }
        return Ok(writer.finish()?);
    }
    let images = (0..shape.count).map(&mut draw).collect::<Result<Vec<Image>, E>>()?;
    file.write_bytes(&sinew_render::encode_gif(&images, shape.fps as f32, &|_| ())?)?;
    Ok(file.commit()?)
}

/// Whether there is an ffmpeg to run.
pub fn is_available() -> bool {
    let probe = Command::new("ffmpeg")
        .arg("-version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    probe.is_ok_and(|status| status.success())
}

/// A film that is being written: frames go to ffmpeg as they come, and the file appears under its name when all is done.
pub struct VideoWriter {
    ffmpeg: Child,
    target: PathBuf,
    scratch: PathBuf,
    size: (u32, u32),
}

impl VideoWriter {
    /// Starts ffmpeg for an H.264 film of `size` pixels.
    ///
    /// # Errors
    /// There is no ffmpeg.
    pub fn start(target: &Path, size: (u32, u32), fps: f64) -> Result<Self, VideoError> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let scratch = target.with_file_name(format!(".{name}.{}.tmp.mp4", std::process::id()));
        let ffmpeg = Command::new("ffmpeg")
            .args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &format!("{}x{}", size.0, size.1), "-r", &fps.to_string(), "-i", "-"])
            // H.264 with 4:2:0 color plays everywhere, and needs even sides.
            .args([
                "-an",
                "-vf",
                "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                "-c:v",
                "libx264",
                "-crf",
                "17",
            ])
            .args(["-pix_fmt", "yuv420p", "-movflags", "+faststart"])
            .arg(&scratch)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|_| VideoError::NoFfmpeg)?;
        Ok(Self { ffmpeg, target: target.to_path_buf(), scratch, size })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// The frame has another size, or ffmpeg gave up.
    pub fn push(&mut self, frame: &Image) -> Result<(), VideoError> {
        let found = (frame.width(), frame.height());
        if found != self.size {
            return Err(VideoError::Size { expected: self.size, found });
        }
        let written = self.ffmpeg.stdin.as_mut().map(|stdin| stdin.write_all(&frame.to_rgb()));
        if matches!(written, Some(Ok(()))) { Ok(()) } else { Err(self.failure()) }
    }

    /// Ends the film and puts it in place.
    ///
    /// # Errors
    /// ffmpeg gave up, or the file cannot be put in place.
    pub fn finish(mut self) -> Result<(), VideoError> {
        drop(self.ffmpeg.stdin.take());
        let error = |source| VideoError::Io { path: self.target.clone(), source };
        let status = self.ffmpeg.wait().map_err(error)?;
        if !status.success() {
            return Err(self.failure());
        }
        std::fs::rename(&self.scratch, &self.target).map_err(error)
    }

    fn failure(&mut self) -> VideoError {
        drop(self.ffmpeg.stdin.take());
        let mut message = String::new();
        if let Some(stderr) = &mut self.ffmpeg.stderr {
            // What cannot be read is not shown; that ffmpeg failed is known.
            let _ = stderr.read_to_string(&mut message);
        }
        let _ = self.ffmpeg.wait();
        VideoError::Failed { message: message.trim().lines().last().unwrap_or("it said nothing").to_owned() }
    }
}

impl Drop for VideoWriter {
    /// A film that was not finished is taken away.
    fn drop(&mut self) {
        drop(self.ffmpeg.stdin.take());
        let _ = self.ffmpeg.kill();
        let _ = self.ffmpeg.wait();
        let _ = std::fs::remove_file(&self.scratch);
    }
}
