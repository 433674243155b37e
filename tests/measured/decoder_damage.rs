//! Damaged files of every decoder of other people's formats (FBX, Draco, meshopt, WebP) never panic, hang or eat memory.
//!
//! `SINEW_DAMAGE` sets the number of cases per file, for longer runs. `cargo xtask slow` takes more by itself.

use sinew_io::{Folder, GltfDocument, ImageLimits, Limits, Report, decode_image, read_fbx};
use sinew_rig::BoundSurface;
use sinew_tests::{Prng, measure_peak};
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest that a file may take.
const MOST_TIME: Duration = Duration::from_secs(2);
/// What a file may take of memory, times its size, and on top of that: what the reader is told to keep.
const MEMORY_PER_BYTE: usize = 64;
const MOST_MEMORY: usize = 64 << 20;
/// Cases per file and run: 13,500 in all on every change, and before a release 20,000 of every format or more.
const CASES: u64 = if cfg!(feature = "slow") { 10_000 } else { 1500 };

/// Files of a folder of seeds whose names contain a word.
fn files(folder: &str, word: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of seeds")
        .map(|file| file.expect("a seed").path())
        .filter(|path| path.display().to_string().contains(word))
        .collect();
    files.sort();
    files.into_iter().map(|path| (path.display().to_string(), std::fs::read(path).expect("a seed"))).collect()
}

/// Numbers that sizes and offsets may become.
const NUMBERS: [u32; 8] = [0, 1, 0x7f, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/// Less than the default, so that some of the files run into it.
fn limits() -> Limits {
    Limits { max_unstored: Some(MOST_MEMORY as u64), ..Limits::default() }
}

fn damaged(bytes: &[u8], random: &mut Prng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len());
        let end = (at + random.below(64)).min(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes[at] ^= 1 << random.below(8),
            3 => {
                let number = NUMBERS[random.below(NUMBERS.len())].to_le_bytes();
                bytes.iter_mut().skip(at).zip(number).for_each(|(byte, new)| *byte = new);
            }
            4 => drop(bytes.drain(at..end)),
            _ => {
                let copied = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copied);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'K');
        }
    }
    bytes
}

#[test]
fn damaged_fbx_is_read_or_refused_with_its_place() {
    let folder = Folder::of_files([]);
    let resources = |name: &str, most: u64| folder.read_similar_name(name, most);
    check(files("fbx", ".fbx"), |bytes| {
        let character = read_fbx(bytes, &resources, &limits(), &mut Report::default());
        let character = character.map_err(|error| {
            let told = error.to_string();
            assert!(told.chars().any(|letter| letter.is_ascii_digit()) || told.contains('"'), "{told}");
        })?;
        Ok(BoundSurface::of(&character).vertex_count())
    });
}

#[test]
fn damaged_draco_and_meshopt_are_read_or_refused() {
    let folder = Folder::of_files([]);
    let nothing = |name: &str, most: u64| folder.read(name, most);
    check(files("gltf", "limb-"), |bytes| {
        let mut report = Report::default();
        let document = GltfDocument::read(bytes.to_vec(), &nothing, &limits(), &mut report).map_err(drop)?;
        let character = document.to_character(&mut report).map_err(drop)?;
        Ok(BoundSurface::of(&character).vertex_count())
    });
}

#[test]
fn damaged_webp_is_read_or_refused() {
    let limits = ImageLimits { max_edge: 2048, max_rgba_bytes: 8 << 20 };
    check(files("image", ".webp"), |bytes| {
        let image = decode_image(bytes, &limits).map_err(drop)?;
        assert_eq!(image.rgba.len(), 4 * image.width as usize * image.height as usize, "all pixels");
        Ok(image.rgba.len())
    });
}

/// Damages files and reads them, within bounds of time and memory.
#[expect(clippy::print_stdout, reason = "longer runs are read as measurements")]
fn check(files: Vec<(String, Vec<u8>)>, read: impl Fn(&[u8]) -> Result<usize, ()>) {
    let _alone = sinew_tests::alone();
    let cases = std::env::var("SINEW_DAMAGE").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES);
    let (mut read_count, mut refused) = (0, 0);
    let start = Instant::now();
    let (mut slowest, mut largest) = (Duration::ZERO, 0);
    for (name, good) in files {
        assert!(read(&good).is_ok(), "{name} is undamaged");
        let mut random = Prng::new(11);
        for case in 0..cases {
            let bytes = damaged(&good, &mut random);
            let begun = Instant::now();
            let (result, peak) = measure_peak(|| read(&bytes));
            let allowed = MEMORY_PER_BYTE * bytes.len() + MOST_MEMORY;
            assert!(peak < allowed, "{name}, case {case}: {peak} bytes");
            assert!(begun.elapsed() < MOST_TIME, "{name}, case {case}: {:?}", begun.elapsed());
            (slowest, largest) = (slowest.max(begun.elapsed()), largest.max(peak));
            *(if result.is_ok() { &mut read_count } else { &mut refused }) += 1;
        }
    }
    println!(
        "{read_count} read, {refused} refused in {:.1?}; at most {slowest:.1?} and {largest} bytes",
        start.elapsed()
    );
    // Both must happen, or the damage is no test.
    assert!(read_count > 50 && refused > 50, "{read_count} read, {refused} refused");
}
