//! Readers return data or an error for any damaged input. `fuzz/` searches further; this test needs no other tool.

use crate::*;
use std::path::Path;

/// Damaged forms of each seed.
const FORMS: u32 = 1500;

/// A small generator after Marsaglia's xorshift: the same damage in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    const WORDS: [&[u8]; 12] = [
        b"-1",
        b"1e39",
        b"nan",
        b"4294967295",
        b"99999999999999999999",
        b"0",
        b"\n",
        b"\0\0\0\0",
        b"\xff\xff\xff\xff",
        b"\xff\xff\xff\x7f",
        b"{",
        b"]",
    ];
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let length = random.below(9).min(bytes.len() - at);
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + length)),
            2 => {
                let copied = bytes[at..at + length].to_vec();
                bytes.splice(at..at, copied);
            }
            3 | 4 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => {
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(at..at + length, word.iter().copied());
            }
        }
    }
}

#[track_caller]
fn check(folder: &str, read: impl Fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(seeds).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for file in files {
        let seed = std::fs::read(file).unwrap();
        read(&seed);
        for _ in 0..FORMS {
            let mut bytes = seed.clone();
            damage(&mut bytes, &mut random);
            read(&bytes);
        }
    }
}

fn limits() -> Limits {
    Limits::with_max_memory(64 << 20)
}

#[test]
fn damaged_gltf_ends_in_data_or_an_error() {
    check("gltf", |bytes| {
        let mut report = Report::default();
        let folder = Folder::of_files([("a.bin".to_owned(), vec![0; 64])]);
        let resources = |uri: &str, most: u64| folder.read(uri, most);
        let Ok(document) = GltfDocument::read(bytes.to_vec(), &resources, &limits(), &mut report) else {
            return;
        };
        let glb = document.to_glb().unwrap();
        let again = GltfDocument::read(glb, &resources, &Limits::default(), &mut report);
        again.expect("what we write can be read");
        let _ = document.to_gltf("damaged");
        let Ok(character) = document.to_character(&mut report) else { return };
        let _ = document.humanoid(&character, &mut report);
        let _ = document.updated(&character, &mut report);
        let fresh = GltfDocument::from_character(&character, &mut report);
        fresh.to_character(&mut report).expect("what we write becomes a character");
    });
}

#[test]
fn damaged_obj_ends_in_data_or_an_error() {
    check("obj", |bytes| {
        let middle = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        let mtl = bytes.get(middle + 1..).unwrap_or_default();
        let _ = read_obj(&bytes[..middle], |_| Ok::<_, String>(mtl.to_vec()), &mut Report::default());
        let _ = read_obj_positions(&bytes[..middle]);
    });
}

#[test]
fn damaged_points_end_in_data_or_an_error() {
    check("npy", |bytes| {
        let _ = read_npy_f32(bytes);
        let _ = NpyNumbers::new(bytes, bytes.len() as u64).and_then(NpyNumbers::read_all);
    });
    check("pc2", |bytes| drop(read_pc2(bytes, bytes.len() as u64)));
    check("usda", |bytes| drop(read_usda_points(bytes)));
}

#[test]
fn damaged_images_end_in_data_or_an_error() {
    let limits = ImageLimits { max_edge: 2048, max_rgba_bytes: 8 << 20 };
    check("image", |bytes| {
        let Ok(image) = decode_image(bytes, &limits) else { return };
        let again = decode_image(&encode_png(&image), &limits).expect("what we write can be read");
        assert_eq!(again.rgba, image.rgba);
    });
}

#[cfg(feature = "fbx")]
#[test]
fn damaged_fbx_ends_in_data_or_an_error() {
    check("fbx", |bytes| {
        let mut report = Report::default();
        let folder = Folder::of_files([]);
        let resources = |name: &str, most: u64| folder.read_similar_name(name, most);
        let Ok(character) = read_fbx(bytes, &resources, &limits(), &mut report) else { return };
        let document = GltfDocument::from_character(&character, &mut report);
        document.to_character(&mut report).expect("what we write becomes a character");
    });
}

#[test]
fn damaged_bvh_ends_in_data_or_an_error() {
    check("bvh", |bytes| {
        let mut report = Report::default();
        let Ok(bvh) = bvh::Bvh::read(bytes, &limits(), &mut report) else { return };
        let _ = bvh.to_character("damaged", bvh::BvhScale::Guessed, &mut report);
    });
}
