//! Damage to files of bytes and counts. Every case follows from the file, the kind of damage and the seed.

use super::builder::MmdFile;
use crate::Prng;

/// A way to damage a file.
#[derive(Clone, Copy)]
pub struct MmdDamage {
    /// What it does.
    pub name: &'static str,
    apply: fn(&MmdFile, Vec<u8>, &mut Prng) -> Vec<u8>,
}

/// All ways to damage a file.
pub const MMD_DAMAGES: [MmdDamage; 8] = [
    MmdDamage { name: "cut anywhere", apply: cut },
    MmdDamage { name: "cut near a list's start", apply: cut_at_section },
    MmdDamage { name: "one bit", apply: flip_one },
    MmdDamage { name: "many bytes", apply: scramble },
    MmdDamage { name: "a giant count", apply: giant_count },
    MmdDamage { name: "a count off by a little", apply: near_count },
    MmdDamage { name: "a list moved", apply: splice_section },
    MmdDamage { name: "the header", apply: header },
];

/// The damaged bytes, and what was done.
pub fn damaged_mmd(file: &MmdFile, damage: MmdDamage, seed: u64) -> (Vec<u8>, String) {
    let bytes = (damage.apply)(file, file.bytes.clone(), &mut Prng::new(seed));
    (bytes, format!("{}, {}, seed {seed}", file.name, damage.name))
}

fn cut(_: &MmdFile, mut bytes: Vec<u8>, random: &mut Prng) -> Vec<u8> {
    bytes.truncate(random.below(bytes.len()));
    bytes
}

fn cut_at_section(file: &MmdFile, mut bytes: Vec<u8>, random: &mut Prng) -> Vec<u8> {
    let at = random.pick(&file.sections) + random.below(13);
    bytes.resize(at.saturating_sub(4), random.bits() as u8);
    bytes
}

fn flip_one(_: &MmdFile, mut bytes: Vec<u8>, random: &mut Prng) -> Vec<u8> {
    let at = random.below(bytes.len());
    bytes[at] ^= 1 << random.below(8);
    bytes
}

fn scramble(_: &MmdFile, mut bytes: Vec<u8>, random: &mut Prng) -> Vec<u8> {
    for _ in 0..1 + random.below(32) {
        let at = random.below(bytes.len());
        bytes[at] = random.bits() as u8;
    }
    bytes
}

fn giant_count(file: &MmdFile, mut bytes: Vec<u8>, random: &mut Prng) -> Vec<u8> {
    let values = [u32::MAX, i32::MAX as u32, 1 << 31, 1 << 30, 1 << 24, 1 << 16, bytes.len() as u32];
    let value = *random.pick(&values);
    put_count(file, &mut bytes, random, |_| value);
    bytes
}

fn near_count(file: &MmdFile, mut bytes: Vec<u8>, random: &mut Prng) -> Vec<u8> {
    let change = 1 + random.below(5) as u32;
    let is_more = random.one_in(2);
    put_count(file, &mut bytes, random, |count| {
        if is_more { count.wrapping_add(change) } else { count.wrapping_sub(change) }
    });
    bytes
}

fn put_count(file: &MmdFile, bytes: &mut [u8], random: &mut Prng, change: impl Fn(u32) -> u32) {
    let (at, size) = *random.pick(&file.counts);
    let mut count = [0; 4];
    count[..size].copy_from_slice(&bytes[at..at + size]);
    let changed = change(u32::from_le_bytes(count)).to_le_bytes();
    bytes[at..at + size].copy_from_slice(&changed[..size]);
}

/// Removes a list, or puts one in the place of another or before it.
fn splice_section(file: &MmdFile, mut bytes: Vec<u8>, random: &mut Prng) -> Vec<u8> {
    let range = |number: usize| {
        let end = file.sections.get(number + 1).copied().unwrap_or(file.bytes.len());
        file.sections[number]..end
    };
    let (from, to) = (random.below(file.sections.len()), random.below(file.sections.len()));
    let taken: Vec<u8> = file.bytes[range(from)].to_vec();
    match random.below(3) {
        0 => drop(bytes.drain(range(to))),
        1 => drop(bytes.splice(range(to), taken)),
        _ => drop(bytes.splice(range(to).start..range(to).start, taken)),
    }
    bytes
}

fn header(_: &MmdFile, mut bytes: Vec<u8>, random: &mut Prng) -> Vec<u8> {
    let at = random.below(17.min(bytes.len()));
    bytes[at] = if random.one_in(2) { random.below(5) as u8 } else { random.bits() as u8 };
    bytes
}
