//! Every backend that this processor has does what the portable one does.

use super::{Backend, Kernel, Lanes, Scalar, Simd, WithSimd};

/// Numbers without pattern, from −1 to 1.
fn noise(seed: usize) -> f32 {
    (seed as f32 * 12.9898).sin() * 43.75 % 1.0
}

fn quadruple(seed: usize) -> [f32; 4] {
    std::array::from_fn(|i| noise(seed + 7 * i))
}

/// What the wide operations give, in one list.
#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    outer: Lanes,
    product: [f32; 4],
    transposed: Vec<Lanes>,
}

struct Operate<'a>(&'a mut Option<Outcome>);

impl Kernel for Operate<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut rows: [Lanes; 16] =
            std::array::from_fn(|row| Lanes(std::array::from_fn(|lane| noise(100 + 16 * row + lane))));
        let sum = simd.wide_add(simd.wide_load(&rows[3]), simd.wide_splat(0.5));
        let sum = simd.add_outer(&quadruple(1), &quadruple(2), sum);
        let mut outer = Lanes::ZERO;
        simd.wide_store(&mut outer, sum);
        let product = simd.times_vector(sum, &quadruple(5));
        simd.transpose(&mut rows);
        *self.0 = Some(Outcome { outer, product, transposed: rows.to_vec() });
    }
}

impl WithSimd for Operate<'_> {
    fn with<S: Simd>(self, simd: S) {
        simd.run(self);
    }
}

#[test]
fn wide_operations_agree_on_all_backends() {
    let mut plain = None;
    Operate(&mut plain).run(Scalar);
    let plain = plain.unwrap();
    assert_eq!(plain.transposed[2].0[5], noise(100 + 16 * 5 + 2));
    assert_eq!(plain.outer.0[6], quadruple(1)[2] * quadruple(2)[1] + (noise(100 + 16 * 3 + 6) + 0.5));
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let mut found = None;
        backend.dispatch(Operate(&mut found));
        let found = found.unwrap();
        assert_eq!(found.transposed, plain.transposed, "{backend:?}");
        let close = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(close(&found.outer.0, &plain.outer.0), "{backend:?}");
        assert!(close(&found.product, &plain.product), "{backend:?}");
    }
}
