//! Sums over all regions of what they have of each example.

use sinew_geometry::simd::{BLOCK_LANES, Lanes};

/// Adds Σ mass × product of all regions to `sums`, one per example.
///
/// - `masses`: one per region.
/// - `products`: per block and example.
///
/// Within a block in 32 bits, four lanes apart, which the compiler makes vectors of; over blocks in 64.
pub(crate) fn add_products(masses: &[f32], products: &[Lanes], sums: &mut [f64]) {
    let (blocks, rest) = masses.as_chunks::<BLOCK_LANES>();
    let mut by_block = products.chunks_exact(sums.len().max(1));
    for (masses, products) in blocks.iter().zip(&mut by_block) {
        for (sum, product) in sums.iter_mut().zip(products) {
            *sum += f64::from(weighted_sum(masses, &product.0));
        }
    }
    if let Some(products) = by_block.next() {
        for (sum, product) in sums.iter_mut().zip(products) {
            *sum += rest.iter().zip(product.0).map(|(mass, product)| f64::from(mass * product)).sum::<f64>();
        }
    }
}

fn weighted_sum(masses: &[f32; BLOCK_LANES], products: &[f32; BLOCK_LANES]) -> f32 {
    let mut four = [0.0; 4];
    for lane in 0..BLOCK_LANES {
        four[lane % 4] += masses[lane] * products[lane];
    }
    (four[0] + four[1]) + (four[2] + four[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_all_regions() {
        for region_count in [0, 1, 16, 37] {
            let masses: Vec<f32> = (0..region_count).map(|region| 1.0 + region as f32).collect();
            let block_count = masses.len().div_ceil(BLOCK_LANES);
            let mut products = vec![Lanes::ZERO; 2 * block_count];
            for region in 0..masses.len() {
                products[region / BLOCK_LANES * 2].0[region % BLOCK_LANES] = 0.5;
                products[region / BLOCK_LANES * 2 + 1].0[region % BLOCK_LANES] = -2.0;
            }
            let mut sums = [0.0, 1.0];
            add_products(&masses, &products, &mut sums);
            // 1 + 2 + … + n.
            let total = (region_count * (region_count + 1) / 2) as f64;
            assert_eq!(sums, [0.5 * total, 1.0 - 2.0 * total]);
        }
    }
}
