//! Which joint gets how many helpers.

use super::rig_fit::{Fits, RegionFit, RegionSet};
use crate::{FitError, Poser, RigFitSettings};
use sinew_geometry::progress::Progress;

/// A helper takes about this share of what is left of the squared error: 94 to 99 % at most joints of two humans. The guess only orders regions.
const HELPER_TAKES: f64 = 0.93;

/// How many helpers each region gets: one after the other goes where it is likely to take away most. A region with a mirror image takes two.
/// `sets`: with the share of their squared error that is left; `counts`: helpers that they have.
pub(super) fn allot(
    sets: &[(&RegionSet<'_>, f64)],
    mut counts: Vec<usize>,
    settings: &RigFitSettings,
) -> Vec<usize> {
    if settings.is_auto {
        return vec![settings.joint_helpers; sets.len()];
    }
    let importance = importance(&sets.iter().map(|(set, _)| *set).collect::<Vec<_>>());
    let mut left: Vec<f64> = sets.iter().zip(importance).map(|((_, left), all)| all * left).collect();
    let had: usize = sets.iter().zip(&counts).map(|((set, _), count)| set.side_count() * count).sum();
    let mut budget = settings.helpers.helper_count.saturating_sub(had);
    loop {
        let is_open = |at: &usize| {
            let (set, _) = sets[*at];
            let is_done = set.is_full || set.refused.is_some() || left[*at] <= 0.0;
            !is_done && set.side_count() <= budget && counts[*at] < settings.joint_helpers
        };
        let open = (0..sets.len()).filter(is_open);
        let Some(best) = open.max_by(|&a, &b| left[a].total_cmp(&left[b]).then(b.cmp(&a))) else { break };
        budget -= sets[best].0.side_count();
        counts[best] += 1;
        left[best] *= 1.0 - HELPER_TAKES;
    }
    counts
}

/// How much regions matter: by the ranges of joints, and by what clips do with them. A head has a wide range, and is still in a walk.
fn importance(sets: &[&RegionSet<'_>]) -> Vec<f64> {
    /// How much the errors in clips count beside those over ranges.
    const CLIPS_SHARE: f64 = 0.5;
    let total = |of: fn(&RegionSet<'_>) -> f64| sets.iter().map(|set| of(set)).sum::<f64>();
    let totals = (total(|set| set.energy), total(|set| set.in_clips));
    let of = |set: &&RegionSet<'_>| share(set.energy, totals.0) + CLIPS_SHARE * share(set.in_clips, totals.1);
    sets.iter().map(of).collect()
}

/// Gives helpers that were refused to other regions, where there is room; whether there was.
pub(super) fn spend_rest(
    poser: &Poser<'_>,
    fits: &mut Fits<'_>,
    settings: &RigFitSettings,
    progress: &Progress<'_>,
) -> Result<bool, FitError> {
    if settings.is_auto || settings.most_helpers.is_some() {
        return Ok(false);
    }
    let counts: Vec<usize> = fits.iter().map(|(_, fit)| helper_count(fit)).collect();
    let left: Vec<_> = fits.iter().map(|(set, fit)| (set, set.left_share(fit))).collect();
    let wanted = allot(&left, counts.clone(), settings);
    let mut is_spent = false;
    for ((set, fit), (before, wanted)) in fits.iter_mut().zip(counts.into_iter().zip(wanted)) {
        if wanted > before {
            let more = set.fit(poser, settings, wanted, progress)?;
            set.fallback = fit.replace(more);
            set.is_full = true;
            is_spent = true;
        }
    }
    Ok(is_spent)
}

/// Takes helpers from joints where they turned out to take away least, and gives them to one where another takes away more, as measured; whether it did.
/// No joint is tried twice.
pub(super) fn exchange(
    poser: &Poser<'_>,
    fits: &mut Fits<'_>,
    settings: &RigFitSettings,
    progress: &Progress<'_>,
) -> Result<bool, FitError> {
    if settings.is_auto || settings.most_helpers.is_some() {
        return Ok(false);
    }
    let sets: Vec<&RegionSet<'_>> = fits.iter().map(|(set, _)| set).collect();
    // An image brings as much error as helpers.
    let importance: Vec<f64> =
        importance(&sets).iter().zip(&sets).map(|(one, set)| one * set.side_count() as f64).collect();
    loop {
        let left = |at: usize| importance[at] * fits[at].0.left_share(&fits[at].1);
        let of_one = |at: usize| HELPER_TAKES * left(at) / fits[at].0.side_count() as f64;
        let open = (0..fits.len()).filter(|&at| {
            let (set, fit) = &fits[at];
            let is_done = set.is_tried || set.is_full || set.refused.is_some();
            !is_done && helper_count(fit) < settings.joint_helpers
        });
        let Some(taker) = open.max_by(|&a, &b| of_one(a).total_cmp(&of_one(b)).then(b.cmp(&a))) else {
            return Ok(false);
        };
        let (givers, loss) = givers(fits, &importance, taker);
        let before = left(taker);
        fits[taker].0.is_tried = true;
        if givers.is_empty() || HELPER_TAKES * before <= loss {
            continue;
        }
        let count = helper_count(&fits[taker].1) + 1;
        let more = fits[taker].0.fit(poser, settings, count, progress)?;
        let (set, fit) = &mut fits[taker];
        let more = Some(more);
        if before - importance[taker] * set.left_share(&more) <= loss {
            continue;
        }
        set.fallback = std::mem::replace(fit, more);
        set.is_full = true;
        givers.into_iter().for_each(|giver| fits[giver].1 = None);
        return Ok(true);
    }
}

/// The joints whose helpers take away least, as many as have enough of them for another one of `taker`; and what they take away together.
fn givers(fits: &Fits<'_>, importance: &[f64], taker: usize) -> (Vec<usize>, f64) {
    let count = |at: usize| fits[at].0.side_count() * helper_count(&fits[at].1);
    let gain = |at: usize| importance[at] * (1.0 - fits[at].0.left_share(&fits[at].1));
    let of_one = |at: usize| gain(at) / count(at) as f64;
    let mut order: Vec<usize> = (0..fits.len()).filter(|&at| at != taker && count(at) > 0).collect();
    order.sort_by(|&a, &b| of_one(a).total_cmp(&of_one(b)));
    let needed = fits[taker].0.side_count();
    let (mut givers, mut loss, mut freed) = (Vec::new(), 0.0, 0);
    for giver in order {
        if freed >= needed {
            break;
        }
        (loss, freed) = (loss + gain(giver), freed + count(giver));
        givers.push(giver);
    }
    if freed < needed { (Vec::new(), 0.0) } else { (givers, loss) }
}

pub(super) fn helper_count(fit: &Option<RegionFit>) -> usize {
    fit.as_ref().map_or(0, |fit| fit.helpers.helper_count)
}

pub(super) fn share(part: f64, total: f64) -> f64 {
    if total > 0.0 { part / total } else { 0.0 }
}
