//! MP4 through ffmpeg, where it is installed.

use crate::PictureError;
use sinew_render::Image;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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
pub(crate) struct VideoWriter {
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
    pub(crate) fn start(target: &Path, size: (u32, u32), fps: f64) -> Result<Self, PictureError> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let scratch = target.with_file_name(format!(".{name}.{}.tmp.mp4", std::process::id()));
        let ffmpeg = Command::new("ffmpeg")
            .args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &format!("{}x{}", size.0, size.1), "-r", &fps.to_string(), "-i", "-"])
            // H.264 with 4:2:0 color plays everywhere, and needs even sides.
            .args(["-an", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-c:v", "libx264"])
            .args(["-crf", "17"])
            .args(["-pix_fmt", "yuv420p", "-movflags", "+faststart"])
            .arg(&scratch)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|_| PictureError::NoFfmpeg)?;
        Ok(Self { ffmpeg, target: target.to_path_buf(), scratch, size })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// The frame has another size, or ffmpeg gave up.
    pub(crate) fn push(&mut self, frame: &Image) -> Result<(), PictureError> {
        let found = (frame.width(), frame.height());
        if found != self.size {
            return Err(PictureError::Size { expected: self.size, found });
        }
        let written = self.ffmpeg.stdin.as_mut().map(|stdin| stdin.write_all(&frame.to_rgb()));
        if matches!(written, Some(Ok(()))) { Ok(()) } else { Err(self.failure()) }
    }

    /// Ends the film and puts it in place.
    ///
    /// # Errors
    /// ffmpeg gave up, or the file cannot be put in place.
    pub(crate) fn finish(mut self) -> Result<(), PictureError> {
        drop(self.ffmpeg.stdin.take());
        let error = |source| PictureError::Film { path: self.target.clone(), source };
        let status = self.ffmpeg.wait().map_err(error)?;
        if !status.success() {
            return Err(self.failure());
        }
        std::fs::rename(&self.scratch, &self.target).map_err(error)
    }

    fn failure(&mut self) -> PictureError {
        drop(self.ffmpeg.stdin.take());
        let mut message = String::new();
        if let Some(stderr) = &mut self.ffmpeg.stderr {
            // What cannot be read is not shown; that ffmpeg failed is known.
            let _ = stderr.read_to_string(&mut message);
        }
        let _ = self.ffmpeg.wait();
        PictureError::Ffmpeg {
            message: message.trim().lines().last().unwrap_or("it said nothing").to_owned(),
        }
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
