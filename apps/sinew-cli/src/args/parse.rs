//! Numbers, sizes and ranges as a user writes them.

use sinew::geometry::simd::Backend;

/// `45..90`.
pub(crate) fn parse_frames(text: &str) -> Result<std::ops::Range<usize>, String> {
    let ends = text.split_once("..").and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)));
    match ends {
        Some((start, end)) if start < end => Ok(start..end),
        _ => Err("use A..B with A below B, such as 0..30".to_owned()),
    }
}

/// Frames per second.
pub(crate) fn parse_rate(text: &str) -> Result<f64, String> {
    number_where(text, |rate| (0.1..=1000.0).contains(&rate), "use 0.1 to 1000 fps, such as 30")
}

/// A length of metres, positive.
pub(crate) fn parse_length(text: &str) -> Result<f64, String> {
    number_where(text, |length| length > 0.0, "use a length above 0, such as 0.05")
}

/// A finite number.
pub(crate) fn parse_number(text: &str) -> Result<f64, String> {
    number_where(text, |_| true, "use a number such as 0.5")
}

/// Keys a second.
pub(crate) fn parse_key_rate(text: &str) -> Result<f64, String> {
    number_where(text, |rate| (1.0..=1000.0).contains(&rate), "use a number from 1 to 1000, such as 60")
}

/// A finite number that is as it should be, or what to use.
pub(crate) fn number_where(text: &str, is_good: impl Fn(f64) -> bool, hint: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.filter(|&number| is_good(number)).ok_or_else(|| hint.to_owned())
}

/// `1280x720`.
pub(crate) fn parse_picture_size(text: &str) -> Result<(u32, u32), String> {
    let sides = text
        .split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let most = sinew::render::MAX_IMAGE_SIDE;
    match sides {
        Some((width, height)) if (1..=most).contains(&width) && (1..=most).contains(&height) => {
            Ok((width, height))
        }
        _ => Err(format!("use WIDTHxHEIGHT, each from 1 to {most}, such as 1280x720")),
    }
}

/// `512MiB`, `4GB`, or bytes.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale: f64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("use a number and KiB, MiB, GiB, kB, MB or GB, such as 512MiB".to_owned()),
    };
    let bytes = number.parse::<f64>().map_err(|_| "use a size such as 512MiB".to_owned())? * scale;
    if bytes >= 1.0 { Ok(bytes as u64) } else { Err("use a size above 0".to_owned()) }
}

/// `auto`, or the name of a backend that this processor has.
pub(crate) fn parse_backend(text: &str) -> Result<Backend, String> {
    if text == "auto" {
        return Ok(Backend::detect());
    }
    let named = Backend::ALL.into_iter().find(|backend| backend.name() == text);
    let backend = named.ok_or_else(|| "use auto, scalar, avx2, avx512 or neon".to_owned())?;
    if !backend.is_available() {
        return Err(format!("this processor does not have it; its fastest is {}", Backend::detect().name()));
    }
    Ok(backend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_is_one_that_the_processor_has() {
        assert_eq!(parse_backend("scalar"), Ok(Backend::Scalar));
        assert_eq!(parse_backend("auto"), Ok(Backend::detect()));
        assert!(parse_backend("fast").is_err());
        for backend in Backend::ALL.into_iter().filter(|backend| !backend.is_available()) {
            assert!(parse_backend(backend.name()).is_err(), "{}", backend.name());
        }
    }

    #[test]
    fn sizes_are_read_in_both_units() {
        assert_eq!(parse_size("512MiB"), Ok(512 << 20));
        assert_eq!(parse_size("1.5 GB"), Ok(1_500_000_000));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert!(parse_size("many").is_err());
        assert_eq!(parse_picture_size("640x480"), Ok((640, 480)));
        assert!(parse_picture_size("640x0").is_err());
        assert!(parse_picture_size("99999x9").is_err());
    }
}
