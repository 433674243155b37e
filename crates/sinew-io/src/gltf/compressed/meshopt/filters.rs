//! What is done to decoded elements: their stored form compresses better than the one that is used.

use super::{MeshoptError, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gltf::compressed) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// Components of 8 or 16 bits.
trait Component: Copy {
    const BYTES: usize;
    /// The number that stands for 1, signed and unsigned.
    const ONE: f32;
    const UNSIGNED_ONE: f32;
    fn read(bytes: &[u8]) -> Self;
    fn signed(self) -> i32;
    fn unsigned(self) -> i32;
    /// The lower bits of a whole number.
    fn write(value: i32, out: &mut [u8]);
}

impl Component for u8 {
    const BYTES: usize = 1;
    const ONE: f32 = 127.0;
    const UNSIGNED_ONE: f32 = 255.0;

    fn read(bytes: &[u8]) -> Self {
        bytes[0]
    }

    fn signed(self) -> i32 {
        i32::from(self as i8)
    }

    fn unsigned(self) -> i32 {
        self.into()
    }

    fn write(value: i32, out: &mut [u8]) {
        out[0] = value as u8;
    }
}

impl Component for u16 {
    const BYTES: usize = 2;
    const ONE: f32 = 32767.0;
    const UNSIGNED_ONE: f32 = 65535.0;

    fn read(bytes: &[u8]) -> Self {
        Self::from_le_bytes([bytes[0], bytes[1]])
    }

    fn signed(self) -> i32 {
        i32::from(self as i16)
    }

    fn unsigned(self) -> i32 {
        self.into()
    }

    fn write(value: i32, out: &mut [u8]) {
        out[..2].copy_from_slice(&(value as Self).to_le_bytes());
    }
}

impl Filter {
    /// Changes elements in place.
    pub(super) fn apply(self, elements: &mut [u8], stride: usize) -> Result<()> {
        match (self, stride) {
            (Self::None, _) => {}
            (Self::Octahedral, 4) => each::<u8>(elements, octahedral::<u8>),
            (Self::Octahedral, 8) => each::<u16>(elements, octahedral::<u16>),
            (Self::Quaternion, 8) => each::<u16>(elements, quaternion),
            (Self::Color, 4) => each::<u8>(elements, color::<u8>),
            (Self::Color, 8) => each::<u16>(elements, color::<u16>),
            (Self::Exponential, stride) if stride.is_multiple_of(4) => {
                elements.as_chunks_mut::<4>().0.iter_mut().for_each(exponential);
            }
            (filter, stride) => return Err(MeshoptError::Stride { stride, what: filter.name() }),
        }
        Ok(())
    }

    fn name(self) -> &'static str {
        match self {
            Self::None => "no filter",
            Self::Octahedral => "the filter OCTAHEDRAL",
            Self::Quaternion => "the filter QUATERNION",
            Self::Exponential => "the filter EXPONENTIAL",
            Self::Color => "the filter COLOR",
        }
    }
}

/// Changes elements of four components.
fn each<C: Component>(elements: &mut [u8], change: impl Fn([C; 4]) -> [i32; 4]) {
    for element in elements.chunks_exact_mut(4 * C::BYTES) {
        let components = std::array::from_fn(|at| C::read(&element[at * C::BYTES..]));
        for (component, value) in element.chunks_exact_mut(C::BYTES).zip(change(components)) {
            C::write(value, component);
        }
    }
}

/// A unit vector on an octahedron; the third component stores 1, the fourth stays.
fn octahedral<C: Component>(stored: [C; 4]) -> [i32; 4] {
    let [x, y, one, rest] = stored.map(C::signed);
    let one = one.max(1) as f32;
    let (x, y) = (x as f32 / one, y as f32 / one);
    let z = 1.0 - x.abs() - y.abs();
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let scale = C::ONE / (x * x + y * y + z * z).sqrt();
    [whole(x * scale), whole(y * scale), whole(z * scale), rest]
}

/// Three components of a rotation; the largest follows from them. Which one it is, the fourth stores beside 1.
fn quaternion(stored: [u16; 4]) -> [i32; 4] {
    let [a, b, c, last] = stored.map(u16::signed);
    let scale = std::f32::consts::FRAC_1_SQRT_2 / (last | 3).max(1) as f32;
    let [a, b, c] = [a, b, c].map(|component| component as f32 * scale);
    let largest = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
    let at = (last & 3) as usize;
    let mut rotation = [0; 4];
    for (offset, component) in [largest, a, b, c].into_iter().enumerate() {
        rotation[(at + offset) % 4] = whole(component * u16::ONE);
    }
    rotation
}

/// A float of a signed exponent of 8 bits and a signed fraction of 24.
fn exponential(stored: &mut [u8; 4]) {
    let word = i32::from_le_bytes(*stored);
    let (exponent, fraction) = (word >> 24, (word << 8) >> 8);
    // In f64, where every product is exact.
    *stored = ((f64::from(exponent).exp2() * f64::from(fraction)) as f32).to_le_bytes();
}

/// Brightness and two differences of color; the highest bit of the alpha says how many bits there are.
fn color<C: Component>(stored: [C; 4]) -> [i32; 4] {
    let (y, alpha) = (stored[0].unsigned(), stored[3].unsigned());
    let (orange, green) = (stored[1].signed(), stored[2].signed());
    let bits = i32::BITS - alpha.leading_zeros();
    let all_set = (1i32 << bits) - 1;
    let color = [y + orange - green, y + green, y - orange - green];
    let alpha = alpha & (all_set >> 1);
    let alpha = alpha << 1 | alpha & 1;
    let scale = C::UNSIGNED_ONE / all_set.max(1) as f32;
    let [red, green, blue] = color;
    [red, green, blue, alpha].map(|component| whole(component as f32 * scale))
}

fn whole(value: f32) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(filter: Filter, stored: &[u8], expected: &[u8]) {
        let mut bytes = stored.to_vec();
        filter.apply(&mut bytes, stored.len()).unwrap();
        assert_eq!(bytes, expected, "{filter:?}");
    }

    fn shorts(values: [i16; 4]) -> Vec<u8> {
        values.into_iter().flat_map(i16::to_le_bytes).collect()
    }

    #[test]
    fn vectors_unfold() {
        check(Filter::Octahedral, &[127, 0, 127, 9], &[127, 0, 0, 9]);
        check(Filter::Octahedral, &[0, 0, 127, 9], &[0, 0, 127, 9]);
        // The corner of the square is the pole below; −127 is 0x81.
        check(Filter::Octahedral, &[127, 127, 127, 0], &[0, 0, 0x81, 0]);
        check(Filter::Octahedral, &shorts([0, -511, 511, 1]), &shorts([0, -32767, 0, 1]));
    }

    #[test]
    fn the_largest_component_of_a_rotation_comes_back() {
        check(Filter::Quaternion, &shorts([0, 0, 0, 2044 | 3]), &shorts([0, 0, 0, 32767]));
        // x = 1/√2: stored as 1; the largest is y.
        check(Filter::Quaternion, &shorts([0, 0, 2047, 2044 | 1]), &shorts([23170, 23170, 0, 0]));
    }

    #[test]
    fn floats_have_exponent_and_fraction() {
        let stored = (-2i32) << 24 | 6;
        check(Filter::Exponential, &stored.to_le_bytes(), &1.5f32.to_le_bytes());
        let negative = 3i32 << 24 | 0xff_ffff;
        check(Filter::Exponential, &negative.to_le_bytes(), &(-8.0f32).to_le_bytes());
    }

    #[test]
    fn gray_and_red_come_back() {
        // Eight bits: alpha 1 is 0x80 with seven bits set.
        check(Filter::Color, &[128, 0, 0, 0xff], &[128, 128, 128, 255]);
        // Red: y = 64, orange = 127, green = −64 (0xc0): red = 255, green = 0, blue = 1.
        check(Filter::Color, &[64, 127, 0xc0, 0xff], &[255, 0, 1, 255]);
    }

    #[test]
    fn strides_that_do_not_fit_are_refused() {
        let refused = Filter::Quaternion.apply(&mut [0; 4], 4);
        assert_eq!(refused, Err(MeshoptError::Stride { stride: 4, what: "the filter QUATERNION" }));
    }
}
