//! Quartic Bernstein polynomials and their derivatives: the weights of every curve and patch here.

/// The five quartic Bernstein polynomials at `t`.
#[inline]
pub fn quartic(t: f64) -> [f64; 5] {
    let s = 1.0 - t;
    let (t2, s2) = (t * t, s * s);
    [s2 * s2, 4.0 * s2 * s * t, 6.0 * s2 * t2, 4.0 * s * t2 * t, t2 * t2]
}

/// First derivatives of the quartic Bernstein polynomials: `4 (b_{i−1} − b_i)` with the cubic ones `b`.
#[inline]
pub fn quartic_slope(t: f64) -> [f64; 5] {
    let s = 1.0 - t;
    let cubic = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    [-cubic[0], cubic[0] - cubic[1], cubic[1] - cubic[2], cubic[2] - cubic[3], cubic[3]].map(|b| 4.0 * b)
}

/// Second derivatives of the quartic Bernstein polynomials: `12` times second differences of the quadratic ones.
#[inline]
pub fn quartic_bend(t: f64) -> [f64; 5] {
    let s = 1.0 - t;
    let (a, b, c) = (s * s, 2.0 * s * t, t * t);
    [a, b - 2.0 * a, c - 2.0 * b + a, b - 2.0 * c, c].map(|difference| 12.0 * difference)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of a handful of products below one.
    const ROUNDING: f64 = 1e-14;
    /// A central difference of step 1e-5 on polynomials of degree four.
    const DIFFERENCE: f64 = 1e-7;

    #[test]
    fn weights_sum_to_one_and_slopes_to_zero() {
        for t in [0.0, 0.1, 0.5, 0.77, 1.0] {
            assert!((quartic(t).iter().sum::<f64>() - 1.0).abs() < ROUNDING);
            assert!(quartic_slope(t).iter().sum::<f64>().abs() < ROUNDING);
            assert!(quartic_bend(t).iter().sum::<f64>().abs() < 10.0 * ROUNDING);
        }
    }

    #[test]
    fn slopes_are_differences() {
        let step = 1e-5;
        for t in [0.1, 0.5, 0.77] {
            for i in 0..5 {
                let slope = (quartic(t + step)[i] - quartic(t - step)[i]) / (2.0 * step);
                let bend = (quartic_slope(t + step)[i] - quartic_slope(t - step)[i]) / (2.0 * step);
                assert!((slope - quartic_slope(t)[i]).abs() < DIFFERENCE);
                assert!((bend - quartic_bend(t)[i]).abs() < DIFFERENCE);
            }
        }
    }
}
