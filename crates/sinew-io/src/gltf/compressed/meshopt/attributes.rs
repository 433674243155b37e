//! Elements of any kind: differences to the element before, byte by byte, in blocks and in groups of 16.

use super::{MeshoptError, Result, Source};

/// Elements of a group.
const GROUP: usize = 16;
/// Maximum elements of a block, and maximum bytes.
const MAX_BLOCK: (usize, usize) = (256, 8192);
/// First bytes of the two versions, and the size that their tails have at least.
const VERSIONS: [(u8, usize); 2] = [(0xa0, 32), (0xa1, 24)];
/// Bits of a difference that follows as a byte of its own: the group stores bytes.
const WHOLE_BYTES: u8 = 8;

/// How the bytes of a block are stored, by version and control mode: the bits of a difference in each of four kinds of groups.
const BITS_BEFORE: [u8; 4] = [0, 2, 4, WHOLE_BYTES];
const BITS_SMALL: [u8; 4] = [0, 1, 2, 4];
const BITS_LARGE: [u8; 4] = [1, 2, 4, WHOLE_BYTES];

pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>> {
    if !stride.is_multiple_of(4) || !(4..=256).contains(&stride) {
        return Err(MeshoptError::Stride { stride, what: "attributes" });
    }
    let first = bytes.first().copied().unwrap_or(0);
    let Some(version) = VERSIONS.iter().position(|&(byte, _)| byte == first) else {
        return Err(MeshoptError::Version { found: first });
    };
    let channel_count = if version == 0 { 0 } else { stride / 4 };
    let tail_size = (stride + channel_count).max(VERSIONS[version].1);
    let truncated = MeshoptError::Truncated { what: "the tail", length: bytes.len() };
    let data_end = bytes.len().checked_sub(tail_size).filter(|&end| end > 0).ok_or(truncated)?;
    let (baseline, modes) = bytes[bytes.len() - stride - channel_count..].split_at(stride);
    let channels = (0..stride / 4).map(|at| Channel::from_byte(modes.get(at).copied().unwrap_or(0)));
    let channels = channels.collect::<Result<Vec<_>>>()?;

    let mut source = Source { bytes: &bytes[..data_end], at: 1 };
    let mut decoded = Vec::with_capacity(count * stride);
    let mut last = baseline.to_vec();
    let max_elements = (MAX_BLOCK.1 / stride / GROUP * GROUP).min(MAX_BLOCK.0);
    let mut deltas = vec![0; max_elements * stride];
    while decoded.len() < count * stride {
        let elements = max_elements.min(count - decoded.len() / stride);
        read_block(&mut source, version, elements, stride, &mut deltas)?;
        for (at, channel) in channels.iter().enumerate() {
            let of_channel = &mut deltas[4 * max_elements * at..][..4 * elements];
            channel.restore(of_channel, &last[4 * at..]);
        }
        // Bytes of a channel lie beside each other, elements one after another.
        for element in 0..elements {
            for channel in 0..stride / 4 {
                let start = 4 * (channel * max_elements + element);
                decoded.extend_from_slice(&deltas[start..start + 4]);
            }
        }
        last.copy_from_slice(&decoded[decoded.len() - stride..]);
    }
    source.finish()?;
    Ok(decoded)
}

/// Reads the differences of a block: four bytes of each element, channel by channel.
fn read_block(
    source: &mut Source<'_>,
    version: usize,
    elements: usize,
    stride: usize,
    deltas: &mut [u8],
) -> Result<()> {
    let controls = if version == 0 { &[][..] } else { source.take(stride / 4, "a block's header")? };
    let max_elements = deltas.len() / stride;
    for byte in 0..stride {
        let out = &mut deltas[4 * max_elements * (byte / 4)..][byte % 4..];
        let control = controls.get(byte / 4).map(|controls| controls >> (2 * (byte % 4)) & 3);
        match control {
            None => read_groups(source, BITS_BEFORE, elements, out)?,
            Some(0) => read_groups(source, BITS_SMALL, elements, out)?,
            Some(1) => read_groups(source, BITS_LARGE, elements, out)?,
            Some(2) => (0..elements).for_each(|element| out[4 * element] = 0),
            Some(_) => {
                let bytes = source.take(elements, "a block")?;
                bytes.iter().enumerate().for_each(|(element, &delta)| out[4 * element] = delta);
            }
        }
    }
    Ok(())
}

/// Reads the differences of one byte of a block's elements, four bytes apart.
fn read_groups(source: &mut Source<'_>, bits: [u8; 4], elements: usize, out: &mut [u8]) -> Result<()> {
    let group_count = elements.div_ceil(GROUP);
    let kinds = source.take(group_count.div_ceil(4), "a block's groups")?;
    for group in 0..group_count {
        let bits = bits[usize::from(kinds[group / 4] >> (2 * (group % 4)) & 3)];
        let deltas = read_group(source, bits)?;
        // The last group is stored whole; what is past the last element does not count.
        let used = GROUP.min(elements - group * GROUP);
        for (at, delta) in deltas[..used].iter().enumerate() {
            out[4 * (group * GROUP + at)] = *delta;
        }
    }
    Ok(())
}

/// 16 differences of a few bits each. One with all bits set follows as a byte.
fn read_group(source: &mut Source<'_>, bits: u8) -> Result<[u8; GROUP]> {
    let mut deltas = [0; GROUP];
    if bits == 0 {
        return Ok(deltas);
    }
    let packed = source.take(GROUP * usize::from(bits) / 8, "a group")?;
    if bits == WHOLE_BYTES {
        deltas.copy_from_slice(packed);
        return Ok(deltas);
    }
    let (per_byte, all_set) = (8 / bits, (1u8 << bits) - 1);
    for (at, delta) in (0u8..).zip(&mut deltas) {
        let place = at % per_byte;
        // Single bits count from the lowest, others from the highest.
        let shift = if bits == 1 { place } else { bits * (per_byte - 1 - place) };
        *delta = packed[usize::from(at / per_byte)] >> shift & all_set;
    }
    for delta in deltas.iter_mut().filter(|delta| **delta == all_set) {
        *delta = source.byte("a group")?;
    }
    Ok(deltas)
}

/// What four bytes of an element are, and so how they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Bytes,
    Shorts,
    /// Bits that differ, turned by a number of bits.
    Turned(u32),
}

impl Channel {
    fn from_byte(byte: u8) -> Result<Self> {
        match (byte & 0xf, byte >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Shorts),
            (2, turn) => Ok(Self::Turned(turn.into())),
            _ => Err(MeshoptError::Invalid { what: "channel mode", found: byte.into() }),
        }
    }

    /// Turns the differences of elements into their bytes, in place. `last`: the bytes of the element before.
    fn restore(self, deltas: &mut [u8], last: &[u8]) {
        let mut last = [last[0], last[1], last[2], last[3]];
        let (deltas, _) = deltas.as_chunks_mut::<4>();
        for delta in deltas {
            last = match self {
                Self::Bytes => std::array::from_fn(|at| last[at].wrapping_add(unzigzag8(delta[at]))),
                Self::Shorts => {
                    let short = |at: usize| {
                        let sum = u16::from_le_bytes([last[at], last[at + 1]])
                            .wrapping_add(unzigzag16(u16::from_le_bytes([delta[at], delta[at + 1]])));
                        sum.to_le_bytes()
                    };
                    let ([a, b], [c, d]) = (short(0), short(2));
                    [a, b, c, d]
                }
                Self::Turned(turn) => {
                    (u32::from_le_bytes(last) ^ u32::from_le_bytes(*delta).rotate_right(turn)).to_le_bytes()
                }
            };
            *delta = last;
        }
    }
}

fn unzigzag8(value: u8) -> u8 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

fn unzigzag16(value: u16) -> u16 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in the text of `KHR_meshopt_compression`.
    #[test]
    fn a_group_of_four_bits_with_two_bytes_behind() {
        let bytes = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
        let mut source = Source { bytes: &bytes, at: 0 };
        let deltas = read_group(&mut source, 4).unwrap().map(|delta| unzigzag8(delta) as i8);
        assert_eq!(deltas, [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]);
        assert_eq!(source.finish(), Ok(()));
    }

    #[test]
    fn channels_differ_by_bytes_shorts_and_turned_bits() {
        let check = |channel: Channel, delta: [u8; 4], expected: [u8; 4]| {
            let mut deltas = delta;
            channel.restore(&mut deltas, &[0xff, 0, 1, 2]);
            assert_eq!(deltas, expected, "{channel:?}");
        };
        check(Channel::Bytes, [2, 1, 4, 3], [0, 0xff, 3, 0]);
        check(Channel::Shorts, [2, 0, 1, 0], [0, 1, 0, 2]);
        check(Channel::Turned(4), [0x10, 0, 0, 0x0f], [0xfe, 0, 0xf1, 2]);
    }
}
