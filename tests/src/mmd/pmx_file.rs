//! PMX files with all that the format knows.

use super::builder::{FileBuilder, MmdFile};

/// How a PMX file is written.
#[derive(Clone, Copy, Debug)]
pub struct PmxShape {
    /// 2.0 or 2.1; the latter has QDEF, flip and impulse morphs.
    pub version: f32,
    /// 0 or 1.
    pub encoding: u8,
    /// 0 to 4.
    pub uv_count: u8,
    /// Bytes of indices: vertex, texture, material, bone, morph, rigid body.
    pub sizes: [u8; 6],
    /// Whether soft bodies follow the joints.
    pub has_soft_bodies: bool,
    /// Global bytes past the eight that are known.
    pub other_globals: usize,
    /// Makes floats and texts odd.
    pub seed: Option<u64>,
}

impl Default for PmxShape {
    fn default() -> Self {
        Self {
            version: 2.1,
            encoding: 0,
            uv_count: 1,
            sizes: [2, 1, 1, 1, 1, 1],
            has_soft_bodies: true,
            other_globals: 0,
            seed: None,
        }
    }
}

/// Files of many shapes: both encodings, all sizes, all counts of texture coordinates, both versions.
pub fn pmx_files() -> Vec<MmdFile> {
    let shapes = (0..30u8).map(|number| {
        let size = |shift: u8| [1, 2, 4][usize::from(number / (1 + shift) + shift) % 3];
        PmxShape {
            version: if number % 3 == 0 { 2.0 } else { 2.1 },
            encoding: number % 2,
            uv_count: number % 5,
            sizes: [size(0), size(1), size(2), size(3), size(4), size(5)],
            has_soft_bodies: number % 3 == 1,
            other_globals: if number % 7 == 6 { 3 } else { 0 },
            seed: (number % 4 != 0).then_some(u64::from(number)),
        }
    });
    shapes.map(|shape| pmx_file(&shape)).collect()
}

/// A file of this shape.
pub fn pmx_file(shape: &PmxShape) -> MmdFile {
    let mut writer = Writer { builder: FileBuilder::new(format!("{shape:?}"), shape.seed), shape: *shape };
    writer.header();
    writer.vertices();
    writer.materials();
    writer.bones();
    writer.morphs();
    writer.frames();
    writer.physics();
    if shape.has_soft_bodies {
        writer.soft_bodies();
    }
    writer.builder.file
}

struct Writer {
    builder: FileBuilder,
    shape: PmxShape,
}

const VERTEX: usize = 0;
const TEXTURE: usize = 1;
const MATERIAL: usize = 2;
const BONE: usize = 3;
const MORPH: usize = 4;
const RIGID_BODY: usize = 5;

impl Writer {
    fn is_new(&self) -> bool {
        self.shape.version > 2.05
    }

    fn index(&mut self, kind: usize, value: i64) {
        self.builder.number(value, usize::from(self.shape.sizes[kind]));
    }

    fn text(&mut self, text: &str) {
        let mut bytes = match self.shape.encoding {
            0 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => text.as_bytes().to_vec(),
        };
        if self.builder.random.as_mut().is_some_and(|random| random.one_in(3)) {
            // A lone surrogate, or half a character.
            bytes.extend([0x00, 0xd8, 0x41]);
        }
        self.builder.count(bytes.len(), 4);
        self.builder.bytes(&bytes);
    }

    fn names(&mut self, name: &str) {
        self.text(name);
        self.text("English");
    }

    fn header(&mut self) {
        self.builder.bytes(b"PMX ");
        self.builder.bytes(&self.shape.version.to_le_bytes());
        self.builder.byte(8 + self.shape.other_globals as u8);
        self.builder.bytes(&[self.shape.encoding, self.shape.uv_count]);
        self.builder.bytes(&self.shape.sizes);
        self.builder.bytes(&vec![7; self.shape.other_globals]);
        self.names("モデル");
        self.names("説明\r\n🦴");
    }

    fn vertices(&mut self) {
        self.builder.section();
        let kind_count = if self.is_new() { 5 } else { 4 };
        self.builder.count(3 * kind_count, 4);
        for vertex in 0..3 * kind_count {
            let kind = vertex % kind_count;
            self.builder.floats(8 + 4 * usize::from(self.shape.uv_count));
            self.builder.byte(kind as u8);
            let (bone_count, float_count) = [(1, 0), (2, 1), (4, 4), (2, 10), (4, 4)][kind];
            for bone in 0..bone_count {
                self.index(BONE, bone - 1);
            }
            self.builder.floats(float_count + 1);
        }
        self.builder.section();
        self.builder.count(15, 4);
        for corner in 0..15 {
            // 200 is below zero for indices with a sign.
            self.index(VERTEX, if corner == 14 { 200 } else { corner % 12 });
        }
    }

    fn materials(&mut self) {
        self.builder.section();
        self.builder.count(2, 4);
        self.text("tex\\肌.png");
        self.text("sphere.spa");
        self.builder.section();
        self.builder.count(2, 4);
        for is_shared in [0, 1] {
            self.names("材質");
            self.builder.floats(4 + 3 + 1 + 3);
            self.builder.byte(0x1f);
            self.builder.floats(5);
            self.index(TEXTURE, 0);
            self.index(TEXTURE, -1);
            self.builder.bytes(&[2, is_shared]);
            if is_shared == 1 {
                self.builder.byte(9);
            } else {
                self.index(TEXTURE, 1);
            }
            self.text("memo");
            self.builder.number(6, 4);
        }
    }

    fn bones(&mut self) {
        const FLAGS: [u16; 9] =
            [0x001e, 0x001f, 0x0100, 0x0281, 0x0300, 0x0c00, 0x3000, 0x0023, 0x3fef | 0xc050];
        self.builder.section();
        self.builder.count(FLAGS.len(), 4);
        for (bone, flags) in (0..).zip(FLAGS) {
            self.names("左ひざ");
            self.builder.floats(3);
            self.index(BONE, bone - 1);
            self.builder.number(bone % 3, 4);
            self.builder.number(flags.into(), 2);
            if flags & 0x0001 != 0 {
                self.index(BONE, bone + 1);
            } else {
                self.builder.floats(3);
            }
            if flags & 0x0300 != 0 {
                self.index(BONE, 0);
                self.builder.floats(1);
            }
            self.builder.floats(if flags & 0x0400 != 0 { 3 } else { 0 });
            self.builder.floats(if flags & 0x0800 != 0 { 6 } else { 0 });
            if flags & 0x2000 != 0 {
                self.builder.number(-5, 4);
            }
            if flags & 0x0020 != 0 {
                self.ik();
            }
        }
    }

    fn ik(&mut self) {
        self.index(BONE, 3);
        self.builder.number(40, 4);
        self.builder.floats(1);
        self.builder.count(2, 4);
        for has_limits in [0, 1] {
            self.index(BONE, 2);
            self.builder.byte(has_limits);
            self.builder.floats(6 * usize::from(has_limits));
        }
    }

    fn morphs(&mut self) {
        self.builder.section();
        let kind_count = if self.is_new() { 11 } else { 9 };
        self.builder.count(kind_count, 4);
        for kind in 0..kind_count {
            self.names("まばたき");
            self.builder.bytes(&[kind as u8 % 5, kind as u8]);
            self.builder.count(2, 4);
            for entry in 0..2 {
                let index = [
                    MORPH, VERTEX, BONE, VERTEX, VERTEX, VERTEX, VERTEX, VERTEX, MATERIAL, MORPH, RIGID_BODY,
                ][kind];
                self.index(index, entry);
                if kind == 8 || kind == 10 {
                    self.builder.byte(1);
                }
                self.builder.floats([1, 3, 7, 4, 4, 4, 4, 4, 28, 1, 6][kind]);
            }
        }
    }

    fn frames(&mut self) {
        self.builder.section();
        self.builder.count(2, 4);
        for special in [1, 0] {
            self.names("表情");
            self.builder.byte(special);
            self.builder.count(2, 4);
            self.builder.byte(0);
            self.index(BONE, 1);
            self.builder.byte(1);
            self.index(MORPH, 2);
        }
    }

    fn physics(&mut self) {
        self.builder.section();
        self.builder.count(2, 4);
        for shape in [0, 2] {
            self.names("剛体");
            self.index(BONE, -1);
            self.builder.bytes(&[3, 0xff, 0x7f, shape]);
            self.builder.floats(14);
            self.builder.byte(1);
        }
        self.builder.section();
        self.builder.count(2, 4);
        for kind in 0..2 {
            self.names("結合");
            self.builder.byte(if self.is_new() { kind } else { 0 });
            self.index(RIGID_BODY, 0);
            self.index(RIGID_BODY, 1);
            self.builder.floats(24);
        }
    }

    fn soft_bodies(&mut self) {
        self.builder.section();
        self.builder.count(2, 4);
        for shape in [0, 1] {
            self.names("布");
            self.builder.byte(shape);
            self.index(MATERIAL, 0);
            self.builder.bytes(&[4, 0xfe, 0xff, 5]);
            self.builder.number(2, 4);
            self.builder.number(3, 4);
            self.builder.floats(2);
            self.builder.number(4, 4);
            self.builder.floats(18);
            for count in 1..5 {
                self.builder.number(count, 4);
            }
            self.builder.floats(3);
            self.builder.count(2, 4);
            for vertex in 0..2 {
                self.index(RIGID_BODY, 1);
                self.index(VERTEX, vertex);
                self.builder.byte(1);
            }
            self.builder.count(3, 4);
            for vertex in 0..3 {
                self.index(VERTEX, vertex);
            }
        }
    }
}
