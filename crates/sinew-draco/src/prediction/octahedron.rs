//! Unit vectors on an octahedron unfolded to a square, in whole numbers.

use crate::error::{Result, damaged};
use crate::reader::Reader;

/// The square: values from 0 to `max`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octahedron {
    max: i32,
    center: i32,
}

impl Octahedron {
    /// The square of values of `bits` bits.
    pub(crate) fn of_bits(bits: u32) -> Result<Self> {
        if !(2..=30).contains(&bits) {
            return damaged("normals", "their number of bits is out of range");
        }
        let max = (1i32 << bits) - 2;
        Ok(Self { max, center: max / 2 })
    }

    /// Reads the largest value; the center, which follows from it, is stored too.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let largest = reader.i32("bounds of normals")?;
        reader.i32("bounds of normals")?;
        Self::of_bits(u32::BITS - largest.leading_zeros())
    }

    /// The unit vector at a place of the square.
    pub(crate) fn unit_vector(self, [s, t]: [i32; 2]) -> [f32; 3] {
        let scale = 1.0 / self.max as f32;
        let (y, z) = (s as f32 * scale * 2.0 - 1.0, t as f32 * scale * 2.0 - 1.0);
        let x = 1.0 - y.abs() - z.abs();
        // The outer triangles are the half with negative x, folded out.
        let fold = (-x).max(0.0);
        let (y, z) = (y - fold.copysign(y), z - fold.copysign(z));
        let squared = x * x + y * y + z * z;
        if squared < SMALLEST_SQUARED_LENGTH {
            return [0.0; 3];
        }
        let shrink = 1.0 / squared.sqrt();
        [x * shrink, y * shrink, z * shrink]
    }

    /// The place of a vector, which may be of any length.
    pub(super) fn place(self, vector: [i64; 3], is_flipped: bool) -> [i32; 2] {
        let length = vector.iter().fold(0i64, |sum, x| sum.saturating_add(x.saturating_abs()));
        let center = i64::from(self.center);
        let [mut x, mut y, mut z] = [center, 0, 0];
        if length != 0 {
            let scaled =
                |component: i64| (i128::from(component) * i128::from(center) / i128::from(length)) as i64;
            (x, y) = (scaled(vector[0]), scaled(vector[1]));
            z = (center - x.abs() - y.abs()) * if vector[2] >= 0 { 1 } else { -1 };
        }
        if is_flipped {
            (x, y, z) = (-x, -y, -z);
        }
        let (x, y, z) = (x as i32, y as i32, z as i32);
        if x >= 0 {
            return self.canonical([y + self.center, z + self.center]);
        }
        let s = if y < 0 { z.abs() } else { self.max - z.abs() };
        let t = if z < 0 { y.abs() } else { self.max - y.abs() };
        self.canonical([s, t])
    }

    /// Places on the border of the square that are the same point become one.
    fn canonical(self, [s, t]: [i32; 2]) -> [i32; 2] {
        let Self { max, center } = self;
        let mirrored = |x: i32| 2 * center - x;
        if [[0, 0], [0, max], [max, 0]].contains(&[s, t]) {
            [max, max]
        } else if (s == 0 && t > center) || (s == max && t < center) {
            [s, mirrored(t)]
        } else if (t == max && s < center) || (t == 0 && s > center) {
            [mirrored(s), t]
        } else {
            [s, t]
        }
    }

    /// Adds the prediction to what is left of it. That is stored as if the prediction were in the lower left of the inner diamond.
    pub(super) fn restore(self, predicted: &[i32], value: &mut [i32]) {
        let (&[s, t], [left_s, left_t]) = (predicted, value) else { return };
        let mut predicted = [s.wrapping_sub(self.center), t.wrapping_sub(self.center)];
        let is_inside =
            predicted[0].saturating_abs().saturating_add(predicted[1].saturating_abs()) <= self.center;
        if !is_inside {
            predicted = self.inverted(predicted);
        }
        let turns = turns_to_lower_left(predicted);
        let [s, t] = turned(predicted, turns);
        let sum = [self.modulo(s.wrapping_add(*left_s)), self.modulo(t.wrapping_add(*left_t))];
        let mut original = turned(sum, (4 - turns) % 4);
        if !is_inside {
            original = self.inverted(original);
        }
        *left_s = original[0].wrapping_add(self.center);
        *left_t = original[1].wrapping_add(self.center);
    }

    fn modulo(self, x: i32) -> i32 {
        let span = self.max + 1;
        if x > self.center {
            x.wrapping_sub(span)
        } else if x < -self.center {
            x.wrapping_add(span)
        } else {
            x
        }
    }

    /// Mirrors each quarter of the square at the edge of the diamond.
    fn inverted(self, [s, t]: [i32; 2]) -> [i32; 2] {
        let (sign_s, sign_t) = match (s, t) {
            _ if s >= 0 && t >= 0 => (1, 1),
            _ if s <= 0 && t <= 0 => (-1, -1),
            _ => (if s > 0 { 1 } else { -1 }, if t > 0 { 1 } else { -1 }),
        };
        let (corner_s, corner_t) = (sign_s * self.center, sign_t * self.center);
        let doubled_s = s.wrapping_mul(2).wrapping_sub(corner_s);
        let doubled_t = t.wrapping_mul(2).wrapping_sub(corner_t);
        let (s, t) = if sign_s == sign_t {
            (doubled_t.wrapping_neg(), doubled_s.wrapping_neg())
        } else {
            (doubled_t, doubled_s)
        };
        [s.wrapping_add(corner_s) / 2, t.wrapping_add(corner_t) / 2]
    }
}

/// Below this a vector has no direction; such a value cannot come from a valid stream.
const SMALLEST_SQUARED_LENGTH: f32 = 1e-6;

/// Quarter turns that bring a place to the lower left.
fn turns_to_lower_left([s, t]: [i32; 2]) -> u32 {
    match (s.signum(), t.signum()) {
        (0, 0) | (-1, ..=0) => 0,
        (0, -1) | (1, -1) => 1,
        (1, _) => 2,
        _ => 3,
    }
}

fn turned([s, t]: [i32; 2], turns: u32) -> [i32; 2] {
    match turns {
        1 => [t, s.wrapping_neg()],
        2 => [s.wrapping_neg(), t.wrapping_neg()],
        3 => [t.wrapping_neg(), s],
        _ => [s, t],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_vectors_come_back() {
        let octahedron = Octahedron::of_bits(12).unwrap();
        // Half a step of the square is about 1/2047; the fold stretches it by up to √3.
        let tolerance = 2.0 / 2047.0;
        for vector in [[1, 0, 0], [-1, 0, 0], [0, 7, -7], [3, -4, 5], [-9, 2, -1], [-1, -1, -1]] {
            let length = vector.iter().map(|x| (x * x) as f32).sum::<f32>().sqrt();
            let unit = octahedron.unit_vector(octahedron.place(vector, false));
            let flipped = octahedron.unit_vector(octahedron.place(vector, true));
            for axis in 0..3 {
                let expected = vector[axis] as f32 / length;
                assert!((unit[axis] - expected).abs() < tolerance, "{vector:?}: {unit:?}");
                assert!((flipped[axis] + expected).abs() < tolerance, "{vector:?}: {flipped:?}");
            }
        }
    }

    #[test]
    fn nothing_left_gives_the_prediction() {
        let octahedron = Octahedron::of_bits(5).unwrap();
        for s in 0..=octahedron.max {
            for t in 0..=octahedron.max {
                let predicted = octahedron.canonical([s, t]);
                let mut value = [0, 0];
                octahedron.restore(&predicted, &mut value);
                assert_eq!(octahedron.canonical(value), predicted);
            }
        }
    }
}
