//! PMD files with all that the format knows.

use super::builder::{FileBuilder, MmdFile};

/// How a PMD file is written.
#[derive(Clone, Copy, Debug)]
pub struct PmdShape {
    /// How many of the lists at the end are there: 0 none, 1 English names, 2 toons, 3 rigid bodies, 4 joints.
    pub tail_count: u8,
    /// Whether the English names are there, or only a byte that says that they are not.
    pub has_english: bool,
    /// Makes floats odd.
    pub seed: Option<u64>,
}

/// Files of many shapes.
pub fn pmd_files() -> Vec<MmdFile> {
    let shapes = (0..20u8).map(|number| PmdShape {
        tail_count: number % 5,
        has_english: number % 2 == 0,
        seed: (number % 4 != 0).then_some(u64::from(number)),
    });
    shapes.map(|shape| pmd_file(&shape)).collect()
}

/// Names of the bones, all encoded by hand in CP932: センター, 左ひざ, and others in ASCII.
const BONE_NAMES: [&[u8]; 7] = [
    b"\x83\x5a\x83\x93\x83\x5e\x81\x5b",
    b"leg",
    b"\x8d\xb6\x82\xd0\x82\xb4",
    b"ankle",
    b"IK",
    b"follow",
    b"share",
];
/// Types of the bones: turn and move, under IK, under IK, target, IK, follows, follows by a share.
const BONE_TYPES: [u8; 7] = [1, 4, 4, 6, 2, 5, 9];
const MORPH_COUNT: usize = 3;
const FRAME_COUNT: usize = 2;

/// A file of this shape.
pub fn pmd_file(shape: &PmdShape) -> MmdFile {
    let mut builder = FileBuilder::new(format!("{shape:?}"), shape.seed);
    builder.bytes(b"Pmd");
    builder.bytes(&1.0f32.to_le_bytes());
    name::<20>(&mut builder, b"model");
    name::<256>(&mut builder, b"comment");
    surface(&mut builder);
    bones(&mut builder);
    morphs(&mut builder);
    display(&mut builder);
    let tails: [fn(&mut FileBuilder); 4] =
        [if shape.has_english { english } else { no_english }, toons, rigid_bodies, joints];
    for tail in &tails[..usize::from(shape.tail_count)] {
        builder.section();
        tail(&mut builder);
    }
    builder.file
}

/// A text of `N` bytes, with rubbish after its zero as MMD leaves it.
fn name<const N: usize>(builder: &mut FileBuilder, text: &[u8]) {
    let mut field = [0xfd; N];
    field[..text.len()].copy_from_slice(text);
    field[text.len()] = 0;
    builder.bytes(&field);
}

fn surface(builder: &mut FileBuilder) {
    builder.section();
    builder.count(6, 4);
    for vertex in 0..6 {
        builder.floats(8);
        builder.number(vertex % 3, 2);
        builder.number(2, 2);
        builder.bytes(&[[100, 0, 30][vertex as usize % 3], (vertex % 2) as u8]);
    }
    builder.section();
    builder.count(6, 4);
    for corner in 0..6 {
        builder.number(corner, 2);
    }
    builder.section();
    builder.count(2, 4);
    for (toon, texture) in [(1, &b"skin.bmp*shine.spa"[..]), (255, b"metal.sph")] {
        builder.floats(11);
        builder.bytes(&[toon, 1]);
        builder.number(3, 4);
        name::<20>(builder, texture);
    }
}

fn bones(builder: &mut FileBuilder) {
    builder.section();
    builder.count(BONE_NAMES.len(), 2);
    for (bone, text) in BONE_NAMES.into_iter().enumerate() {
        name::<20>(builder, text);
        builder.number([-1, 0, 1, 2, 0, 0, 0][bone], 2);
        builder.number([0, 2, 3, 0, -1, -1, 1][bone], 2);
        builder.byte(BONE_TYPES[bone]);
        builder.number([0, 4, 4, 0, 0, 1, 50][bone], 2);
        builder.floats(3);
    }
    builder.section();
    builder.count(1, 2);
    builder.number(4, 2);
    builder.number(3, 2);
    builder.count(2, 1);
    builder.number(40, 2);
    builder.bytes(&0.5f32.to_le_bytes());
    builder.number(2, 2);
    builder.number(1, 2);
}

fn morphs(builder: &mut FileBuilder) {
    builder.section();
    builder.count(MORPH_COUNT, 2);
    for (kind, text, indices) in
        [(0, &b"base"[..], &[2, 5, 1][..]), (1, b"brow", &[0, 2]), (3, b"mouth", &[1])]
    {
        name::<20>(builder, text);
        builder.count(indices.len(), 4);
        builder.byte(kind);
        for &index in indices {
            builder.number(index, 4);
            builder.floats(3);
        }
    }
}

fn display(builder: &mut FileBuilder) {
    builder.section();
    builder.count(2, 1);
    builder.number(1, 2);
    builder.number(2, 2);
    builder.section();
    builder.count(FRAME_COUNT, 1);
    name::<50>(builder, b"legs\n");
    name::<50>(builder, b"others\n");
    builder.section();
    builder.count(3, 4);
    for (bone, frame) in [(1, 1), (2, 1), (5, 2)] {
        builder.number(bone, 2);
        builder.byte(frame);
    }
}

fn no_english(builder: &mut FileBuilder) {
    builder.byte(0);
}

fn english(builder: &mut FileBuilder) {
    builder.byte(1);
    name::<20>(builder, b"Model");
    name::<256>(builder, b"Comment");
    for _ in BONE_NAMES {
        name::<20>(builder, b"Bone");
    }
    for _ in 1..MORPH_COUNT {
        name::<20>(builder, b"Morph");
    }
    for _ in 0..FRAME_COUNT {
        name::<50>(builder, b"Frame");
    }
}

fn toons(builder: &mut FileBuilder) {
    for toon in 1..=10 {
        let text = if toon == 2 { "own.bmp".to_owned() } else { format!("toon{toon:02}.bmp") };
        name::<100>(builder, text.as_bytes());
    }
}

fn rigid_bodies(builder: &mut FileBuilder) {
    builder.count(2, 4);
    for bone in [2, -1] {
        name::<20>(builder, b"body");
        builder.number(bone, 2);
        builder.bytes(&[1, 0xff, 0xff, 2]);
        builder.floats(14);
        builder.byte(1);
    }
}

fn joints(builder: &mut FileBuilder) {
    builder.count(1, 4);
    name::<20>(builder, b"joint");
    builder.number(0, 4);
    builder.number(1, 4);
    builder.floats(24);
}
