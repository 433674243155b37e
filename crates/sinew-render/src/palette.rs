//! A palette of 256 colors for many frames, and the choice of palette colors for a pixel.
//!
//! The palette is a median cut over a histogram, improved by a few rounds of k-means. A pixel's color is approached by
//! a short list of palette colors whose mean is the color (after Knoll's pattern dither); which of the list a pixel
//! takes depends on its place alone, so a still part of the picture never flickers.

use rayon::prelude::*;

/// Bits kept of each channel when colors are counted.
const BITS: u32 = 7;
const KEY_COUNT: usize = 1 << (3 * BITS);

/// Colors approached by one list; also the number of dither thresholds.
const LIST: usize = 16;

/// Share of the error that is made up for. Below 1 trades exact means for a calmer pattern.
const STRENGTH: f32 = 0.75;

/// Order of a 4×4 Bayer matrix.
const BAYER: [u8; LIST] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

const NO_LIST: u32 = u32::MAX;

/// A palette with ready lists for all colors of the frames it was made from.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) colors: Vec<[u8; 3]>,
    list_of: Vec<u32>,
    lists: Vec<[u8; LIST]>,
}

/// A counted color.
#[derive(Clone, Copy, Debug)]
struct Count {
    color: [f32; 3],
    weight: f32,
    key: u32,
}

impl Palette {
    /// The best palette of at most `size` colors for the pixels of some frames. `size` is 2 to 256.
    pub(crate) fn of<'a>(frames: impl Iterator<Item = &'a [[u8; 4]]>, size: usize) -> Self {
        let mut histogram = vec![0_u32; KEY_COUNT];
        for frame in frames {
            for pixel in frame {
                let count = &mut histogram[key(*pixel)];
                *count = count.saturating_add(1);
            }
        }
        let counts: Vec<Count> = (0..)
            .zip(&histogram)
            .filter(|(_, count)| **count > 0)
            .map(|(key, &count)| Count {
                color: color_of(key),
                // Large even areas must not take the whole palette.
                weight: (count as f32).sqrt(),
                key,
            })
            .collect();
        let mut colors = median_cut(counts.clone(), size);
        for _ in 0..4 {
            colors = improved(&counts, &colors);
        }
        let colors: Vec<[u8; 3]> =
            colors.iter().map(|color| color.map(|value| (value + 0.5).clamp(0.0, 255.0) as u8)).collect();
        let lists: Vec<[u8; LIST]> = counts.par_iter().map(|count| list_for(&colors, count.color)).collect();
        let mut list_of = vec![NO_LIST; KEY_COUNT];
        for (list, count) in (0..).zip(&counts) {
            list_of[count.key as usize] = list;
        }
        Self { colors, list_of, lists }
    }

    /// Palette index for a pixel at a place.
    pub(crate) fn index(&self, pixel: [u8; 4], x: usize, y: usize) -> u8 {
        let list = self.list_of[key(pixel)];
        // Frames that did not take part in the count can bring colors without a list.
        let list = self
            .lists
            .get(list as usize)
            .copied()
            .unwrap_or_else(|| list_for(&self.colors, [pixel[0], pixel[1], pixel[2]].map(f32::from)));
        list[usize::from(BAYER[y % 4 * 4 + x % 4])]
    }
}

fn key(pixel: [u8; 4]) -> usize {
    pixel[..3].iter().fold(0, |key, &value| key << BITS | usize::from(value >> (8 - BITS)))
}

fn color_of(key: u32) -> [f32; 3] {
    let mask = (1 << BITS) - 1;
    [key >> (2 * BITS), key >> BITS, key].map(|value| {
        let value = value & mask;
        // Black and white must stay exact; between them take the middle of the step.
        match value {
            0 => 0.0,
            _ if value == mask => 255.0,
            _ => (value << (8 - BITS)) as f32 + 0.5,
        }
    })
}

/// Perceived difference, weighted as the eye weighs the channels.
fn difference(a: [f32; 3], b: [f32; 3]) -> f32 {
    let [r, g, b] = std::array::from_fn(|i| a[i] - b[i]);
    let light = 0.30 * r + 0.59 * g + 0.11 * b;
    0.25 * (0.30 * r * r + 0.59 * g * g + 0.11 * b * b) + light * light
}

fn median_cut(counts: Vec<Count>, size: usize) -> Vec<[f32; 3]> {
    let mut boxes = vec![counts];
    while boxes.len() < size {
        let spread = |counts: &Vec<Count>| {
            let (axis, range) = widest_axis(counts);
            let weight: f32 = counts.iter().map(|count| count.weight).sum();
            (axis, range * range * weight)
        };
        let widest = (0..boxes.len())
            .map(|index| (index, spread(&boxes[index])))
            .max_by(|a, b| a.1.1.total_cmp(&b.1.1).then(b.0.cmp(&a.0)));
        let Some((index, (axis, cost))) = widest.filter(|(_, (_, cost))| *cost > 0.0) else { break };
        debug_assert!(cost > 0.0, "a box with one color is not split");
        let mut first = boxes.swap_remove(index);
        first.sort_by(|a, b| a.color[axis].total_cmp(&b.color[axis]).then(a.key.cmp(&b.key)));
        let half: f32 = first.iter().map(|count| count.weight).sum::<f32>() * 0.5;
        let mut sum = 0.0;
        let middle = first.iter().position(|count| {
            sum += count.weight;
            sum >= half
        });
        let second = first.split_off((middle.unwrap_or(0) + 1).min(first.len() - 1));
        boxes.push(first);
        boxes.push(second);
    }
    boxes.iter().filter(|counts| !counts.is_empty()).map(|counts| mean(counts.iter())).collect()
}

fn widest_axis(counts: &[Count]) -> (usize, f32) {
    (0..3)
        .map(|axis| {
            let (low, high) = counts.iter().fold((f32::MAX, f32::MIN), |(low, high), count| {
                (low.min(count.color[axis]), high.max(count.color[axis]))
            });
            (axis, (high - low).max(0.0) * [0.8, 1.0, 0.6][axis])
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((0, 0.0))
}

fn mean<'a>(counts: impl Iterator<Item = &'a Count>) -> [f32; 3] {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for count in counts {
        for (sum, value) in sum.iter_mut().zip(count.color) {
            *sum += value * count.weight;
        }
        total += count.weight;
    }
    sum.map(|value| if total > 0.0 { value / total } else { 0.0 })
}

/// One round of k-means; a color no pixel is nearest to stays as it is.
fn improved(counts: &[Count], colors: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let nearest: Vec<usize> = counts.par_iter().map(|count| nearest(colors, count.color)).collect();
    let mut members: Vec<Vec<Count>> = vec![Vec::new(); colors.len()];
    for (count, &index) in counts.iter().zip(&nearest) {
        members[index].push(*count);
    }
    members
        .iter()
        .zip(colors)
        .map(|(members, &old)| if members.is_empty() { old } else { mean(members.iter()) })
        .collect()
}

fn nearest(colors: &[[f32; 3]], color: [f32; 3]) -> usize {
    let mut best = (f32::INFINITY, 0);
    for (index, other) in colors.iter().enumerate() {
        let distance = difference(color, *other);
        if distance < best.0 {
            best = (distance, index);
        }
    }
    best.1
}

/// Palette colors whose running mean follows `color`, dark to light.
fn list_for(colors: &[[u8; 3]], color: [f32; 3]) -> [u8; LIST] {
    let palette: Vec<[f32; 3]> = colors.iter().map(|color| color.map(f32::from)).collect();
    let mut error = [0.0; 3];
    let mut list = [0_u8; LIST];
    for entry in &mut list {
        let wanted = std::array::from_fn(|i| color[i] + error[i] * STRENGTH);
        let index = nearest(&palette, wanted);
        for i in 0..3 {
            error[i] += color[i] - palette[index][i];
        }
        *entry = index as u8;
    }
    let light = |index: u8| {
        let [r, g, b] = colors[usize::from(index)].map(u32::from);
        (30 * r + 59 * g + 11 * b, index)
    };
    list.sort_by_key(|&index| light(index));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_are_kept_exactly() {
        let frame: Vec<[u8; 4]> =
            (0..300).map(|i| [[0, 0, 0, 255], [255, 255, 255, 255], [255, 0, 0, 255]][i % 3]).collect();
        let palette = Palette::of(std::iter::once(frame.as_slice()), 255);
        for (i, pixel) in frame.iter().enumerate() {
            let index = palette.index(*pixel, i % 7, i / 7);
            assert_eq!(palette.colors[usize::from(index)], pixel[..3], "pixel {i}");
        }
    }

    #[test]
    fn dither_keeps_the_mean_of_a_ramp() {
        let frame: Vec<[u8; 4]> = (0..256 * 16).map(|i| [(i % 256) as u8; 4]).collect();
        let palette = Palette::of(std::iter::once(frame.as_slice()), 8);
        for level in (40..216).step_by(16) {
            let sum: f32 = (0..16)
                .map(|i| {
                    f32::from(palette.colors[usize::from(palette.index([level as u8; 4], i % 4, i / 4))][0])
                })
                .sum();
            assert!((sum / 16.0 - level as f32).abs() < 8.0, "level {level}: {}", sum / 16.0);
        }
    }

    #[test]
    fn unseen_colors_still_get_an_index() {
        let palette = Palette::of(std::iter::once([[10, 20, 30, 255]; 4].as_slice()), 255);
        assert_eq!(palette.index([200, 200, 200, 255], 0, 0), 0);
    }
}
