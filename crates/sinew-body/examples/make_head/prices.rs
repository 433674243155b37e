//! Prices of the head's fits, by parts of the face.

use crate::data::Source;
use crate::pairing::GROUPS;
use sinew_body::patchwork::Patchwork;
use sinew_body::patchwork::fit::Prices;

/// Weight of vertices on lid margins and lip contact; others have one. These rings are thin: with one they lose to the prices beside, and
/// the worst of 87 heads misses them by 0.4 mm.
const RING_WEIGHT: f64 = 8.0;
/// Fills in the ear's hollow are a few mm wide and have long legs from outside: with less they fold about their centers.
const HOLLOW: f64 = 100.0;

/// Prices of the average and of differences from it, tuned on pictures of five heads: with a tenth of the bends' prices lines show
/// between nose and cheek, with three times as much ears lose their relief.
pub(crate) fn prices(net: &Patchwork, source: &Source) -> Prices {
    let mut prices = Prices {
        factors: vec![1.0; net.patch_count()],
        difference_factors: vec![1.0; net.patch_count()],
        ..Prices::default()
    };
    for (face, data) in source.faces.iter().enumerate() {
        // Ears, lids and lips are bent by nature.
        let (bends, differences) = match data.group.split(' ').collect::<Vec<_>>()[..] {
            ["ear", "hollow"] if data.edges.len() == 4 => (0.1, HOLLOW),
            ["ear", "hollow"] => (0.1, 4.0 * HOLLOW),
            ["ear" | "nostril", ..] => (0.1, 1.0),
            ["eye" | "mouth", ..] => (0.2, 1.0),
            _ => (1.0, 1.0),
        };
        for patch in net.patches_of(source.net_face(face, net.face_count())) {
            prices.factors[patch] = bends;
            prices.difference_factors[patch] = differences;
        }
    }
    prices
}

/// One weight for each of `count` vertices; `groups` are those of the figures.
pub(crate) fn weights(groups: &[Vec<usize>; GROUPS.len()], count: usize) -> Vec<f64> {
    let mut weights = vec![1.0; count];
    groups[2..].iter().flatten().for_each(|&index| weights[index] = RING_WEIGHT);
    weights
}
