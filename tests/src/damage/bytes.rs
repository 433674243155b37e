//! Damage that knows nothing of what the bytes mean.

use super::{Opened, json_range};
use crate::Prng;

/// Cuts the file short.
pub(super) fn cut(file: &mut Opened, random: &mut Prng) -> String {
    let length = random.below(file.original.main.len());
    file.whole = Some(file.original.main[..length].to_vec());
    format!("{length} bytes left")
}

/// Cuts the file short, or makes it longer, where a part ends, give or take a few bytes.
pub(super) fn cut_at_boundary(file: &mut Opened, random: &mut Prng) -> String {
    let main = &file.original.main;
    let (start, end) = json_range(main);
    let places = [0, 4, 8, 12, 16, start, end, end + 4, end + 8, main.len()];
    let length = (random.pick(&places) + random.below(9)).saturating_sub(4);
    let mut whole = main.clone();
    whole.resize(length, random.bits() as u8);
    file.whole = Some(whole);
    format!("{length} bytes")
}

/// Cuts the file short and says so in the headers, so that readers get past them.
pub(super) fn cut_adjusted(file: &mut Opened, random: &mut Prng) -> String {
    if random.one_in(3) {
        let text = file.json.to_string().into_bytes();
        let length = random.below(text.len());
        file.text = Some(text[..length].to_vec());
        return format!("{length} bytes of JSON");
    }
    let length = random.below(file.data.len());
    file.data.truncate(length);
    format!("{length} bytes of data")
}

/// Changes bits of the file's and the chunks' headers.
pub(super) fn flip_header(file: &mut Opened, random: &mut Prng) -> String {
    let mut whole = file.original.main.clone();
    let (_, end) = json_range(&whole);
    let places: Vec<usize> = (0..20).chain(end..end + 8).filter(|&at| at < whole.len()).collect();
    let mut changed = Vec::new();
    for _ in 0..1 + random.below(3) {
        let (at, bit) = (*random.pick(&places), random.below(8));
        whole[at] ^= 1 << bit;
        changed.push((at, bit));
    }
    file.whole = Some(whole);
    format!("byte and bit {changed:?}")
}

/// Changes bits of the JSON text.
pub(super) fn flip_json(file: &mut Opened, random: &mut Prng) -> String {
    let mut text = file.json.to_string().into_bytes();
    let changed = flip(&mut text, 8, random);
    file.text = Some(text);
    changed
}

/// Changes bits of the binary data.
pub(super) fn flip_data(file: &mut Opened, random: &mut Prng) -> String {
    if file.data.is_empty() {
        return flip_json(file, random);
    }
    flip(&mut file.data, 64, random)
}

fn flip(bytes: &mut [u8], most: usize, random: &mut Prng) -> String {
    let count = if random.one_in(2) { 1 } else { 1 + random.below(most) };
    let first = random.below(bytes.len());
    for turn in 0..count {
        let at = if turn == 0 { first } else { random.below(bytes.len()) };
        bytes[at] ^= 1 << random.below(8);
    }
    format!("{count} bits, the first in byte {first}")
}

/// Removes, repeats or overwrites a run of bytes.
pub(super) fn splice(file: &mut Opened, random: &mut Prng) -> String {
    let mut whole = file.original.main.clone();
    let at = random.below(whole.len());
    let length = 1 + random.below((whole.len() - at).min(64));
    let run: Vec<u8> = whole[at..at + length].to_vec();
    let target = random.below(whole.len());
    let what = match random.below(3) {
        0 => {
            whole.drain(at..at + length);
            "removed"
        }
        1 => {
            whole.splice(target..target, run);
            "repeated"
        }
        _ => {
            let end = (target + length).min(whole.len());
            whole[target..end].copy_from_slice(&run[..end - target]);
            "copied"
        }
    };
    file.whole = Some(whole);
    format!("{length} bytes from {at} {what} at {target}")
}
