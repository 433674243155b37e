//! Damaged BVH files never panic, hang or eat memory.

use sinew_io::bvh::{Bvh, BvhScale};
use sinew_io::{Limits, Report};
use sinew_rig::samples;
use sinew_tests::{Prng, corpus_bytes, measure_peak};
use std::time::{Duration, Instant};

/// The longest that a file may take.
const MOST_TIME: Duration = Duration::from_secs(2);
/// What a file may take of memory, times its size, and on top of that.
const MEMORY_PER_BYTE: usize = 64;
const MOST_MEMORY: usize = 1 << 20;
const CASES: u64 = 600;

/// Our own file, and where they are the corpus' first lines.
fn files() -> Vec<Vec<u8>> {
    let character = samples::figure();
    let own =
        Bvh::from_clip(&character, &character.clips()[0], 10.0, &mut Report::default()).write().into_bytes();
    let cut = |bytes: Vec<u8>| bytes.into_iter().take(12_000).collect();
    std::iter::once(own)
        .chain(corpus_bytes("bvh_damage", "bvh", "bvh").into_iter().map(|(_, bytes)| cut(bytes)))
        .collect()
}

fn damaged(bytes: &[u8], random: &mut Prng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let words: [&[u8]; 10] = [
        b"{",
        b"}",
        b"JOINT",
        b"CHANNELS 9999999999",
        b"-1e308",
        b"nan",
        b"MOTION",
        b"End Site",
        b"\xff\xfe",
        b"OFFSET",
    ];
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = random.below(256) as u8,
            2 => {
                let word = words[random.below(words.len())];
                bytes.splice(at..at, word.iter().copied());
            }
            _ => {
                let end = (at + random.below(200)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'H');
        }
    }
    bytes
}

#[test]
fn damaged_files_are_refused_or_read_within_bounds() {
    let _alone = sinew_tests::alone();
    let (mut read, mut refused) = (0, 0);
    for (number, good) in files().iter().enumerate() {
        let mut random = Prng::new(7 + number as u64);
        for case in 0..CASES {
            let bytes = damaged(good, &mut random);
            let start = Instant::now();
            let (result, peak) = measure_peak(|| {
                let mut report = Report::default();
                let bvh =
                    Bvh::read(&bytes, &Limits::default(), &mut report).map_err(|error| error.to_string())?;
                let character = bvh.to_character("damaged", BvhScale::Guessed, &mut report);
                character.map(|character| character.clips().len()).map_err(|error| error.to_string())
            });
            assert!(start.elapsed() < MOST_TIME, "file {number}, case {case}");
            assert!(
                peak < MEMORY_PER_BYTE * bytes.len() + MOST_MEMORY,
                "file {number}, case {case}: {peak} bytes"
            );
            match result {
                Ok(_) => read += 1,
                Err(message) => {
                    assert!(!message.is_empty(), "an error without words");
                    refused += 1;
                }
            }
        }
    }
    // Both must happen, or the damage is no test.
    assert!(read > 50 && refused > 50, "{read} read, {refused} refused");
}
