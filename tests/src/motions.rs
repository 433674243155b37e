//! MMD's motions and poses, put together byte by byte.

/// センター in CP932.
pub const CENTER: &[u8] = b"\x83Z\x83\x93\x83^\x81[";
/// 左足ＩＫ in CP932.
pub const LEG_GOAL: &[u8] = b"\x8d\xb6\x91\xab\x82h\x82j";
/// あ in CP932.
pub const MOUTH: &[u8] = b"\x82\xa0";

/// A VMD file with keys in all six lists: bones センター and 左足ＩＫ, morph あ, and the reach of 左足ＩＫ switched off and on. Rubbish stands
/// after the zeros that end texts.
pub fn vmd() -> Vec<u8> {
    let mut out = field(b"Vocaloid Motion Data 0002\0\xfdab", 30);
    out.extend(field(b"\x83~\x83N\0on Data", 20));
    count(&mut out, 4);
    for (key, (name, frame)) in [(CENTER, 30u32), (LEG_GOAL, 0), (CENTER, 0), (CENTER, 45)].iter().enumerate()
    {
        out.extend(field(name, 15));
        out.extend(frame.to_le_bytes());
        floats(&mut out, &[key as f32, 0.5, -0.25, 0.0, 0.6, 0.0, 0.8]);
        out.extend((0..64).map(|at| (at * 2 + key) as u8));
    }
    count(&mut out, 3);
    for (frame, weight) in [(10u32, 1.0), (0, 0.0), (20, 0.5)] {
        out.extend(field(MOUTH, 15));
        out.extend(frame.to_le_bytes());
        floats(&mut out, &[weight]);
    }
    count(&mut out, 2);
    for frame in [0u32, 60] {
        out.extend(frame.to_le_bytes());
        floats(&mut out, &[-45.0, 0.0, 10.0, 0.0, 0.1, 0.2, 0.3]);
        out.extend([20, 107, 20, 107].repeat(6));
        out.extend([30, 0, 0, 0, 0]);
    }
    count(&mut out, 1);
    out.extend([0; 4]);
    floats(&mut out, &[0.6, 0.6, 0.6, -0.5, -1.0, 0.5]);
    count(&mut out, 1);
    out.extend([0, 0, 0, 0, 1]);
    floats(&mut out, &[0.01125]);
    count(&mut out, 2);
    for (frame, enabled) in [(0u32, 0), (30, 1)] {
        out.extend(frame.to_le_bytes());
        out.push(1);
        count(&mut out, 1);
        out.extend(field(LEG_GOAL, 20));
        out.push(enabled);
    }
    out
}

/// A VPD file with bones センター and 左足ＩＫ and morph あ.
pub fn vpd() -> Vec<u8> {
    let mut out =
        b"Vocaloid Pose Data file\r\n\r\nmiku.osm;\t\t// \x90e\r\n2;\t\t\t\t// \x91\x8d\r\n\r\n".to_vec();
    for (index, name) in [CENTER, LEG_GOAL].iter().enumerate() {
        out.extend(format!("Bone{index}{{").bytes());
        out.extend(*name);
        out.extend(b"\r\n  0.250000,10.000000,-1.500000;\t\t\t\t// trans x,y,z\r\n");
        out.extend(b"  0.000000,0.600000,0.000000,0.800000;\t\t// Quaternion x,y,z,w\r\n}\r\n\r\n");
    }
    out.extend(b"Morph0{");
    out.extend(MOUTH);
    out.extend(b"\r\n  0.750000;\r\n}\r\n\r\n");
    out
}

/// Text, a zero, and rubbish up to `length`.
fn field(text: &[u8], length: usize) -> Vec<u8> {
    let mut field = text.to_vec();
    field.push(0);
    field.resize(length, 0xfd);
    field
}

fn count(out: &mut Vec<u8>, count: u32) {
    out.extend(count.to_le_bytes());
}

fn floats(out: &mut Vec<u8>, floats: &[f32]) {
    out.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
}
