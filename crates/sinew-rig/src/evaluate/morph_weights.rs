//! Morph weights after groups and flips.

use crate::{MorphEffect, MorphTarget};

/// Resolves the requested weights in place; one per morph.
///
/// Groups come first, then flips by their resulting weight. As in PMX neither is nested: a group within a group, and a group or flip within
/// a flip, has no effect. A group or flip without its own vertices ends at 0: its weight is with its members.
pub(super) fn resolve(morphs: &[MorphTarget], asked: &[f32], effective: &mut [f32]) {
    effective.copy_from_slice(asked);
    for (morph, &weight) in morphs.iter().zip(asked) {
        if let (MorphEffect::Group(members), true) = (&morph.effect, weight != 0.0) {
            for &(member, ratio) in members {
                let member = member as usize;
                if !matches!(morphs[member].effect, MorphEffect::Group(_)) {
                    effective[member] += ratio * weight;
                }
            }
        }
    }
    for (index, morph) in morphs.iter().enumerate() {
        if let MorphEffect::Flip(members) = &morph.effect
            && let Some(&(shown, weight)) = shown_member(members, effective[index])
            && !is_about_morphs(&morphs[shown as usize].effect)
        {
            effective[shown as usize] += weight;
        }
    }
    for (morph, weight) in morphs.iter().zip(effective) {
        if is_about_morphs(&morph.effect) && morph.vertices.is_empty() {
            *weight = 0.0;
        }
    }
}

fn is_about_morphs(effect: &MorphEffect) -> bool {
    matches!(effect, MorphEffect::Group(_) | MorphEffect::Flip(_))
}

/// The selected member of a flip: of n, `floor((n + 1) · weight)` is 0 for none, 1 for the first; the last beyond the end.
fn shown_member(members: &[(u32, f32)], weight: f32) -> Option<&(u32, f32)> {
    // Negative numbers and NaN become 0.
    let chosen = ((members.len() + 1) as f32 * weight).floor() as usize;
    members.get(chosen.min(members.len()).checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(effects: Vec<MorphEffect>, asked: &[f32], expected: &[f32]) {
        let morphs: Vec<_> =
            effects.into_iter().map(|effect| MorphTarget { effect, ..MorphTarget::default() }).collect();
        let mut effective = vec![f32::NAN; asked.len()];
        resolve(&morphs, asked, &mut effective);
        assert_eq!(effective, expected);
    }

    #[test]
    fn groups_add_to_their_members_and_stop_there() {
        use MorphEffect::{Group, None};
        let effects =
            || vec![None, None, Group(vec![(0, 0.5), (1, -2.0), (3, 1.0), (2, 1.0)]), Group(vec![(1, 1.0)])];
        check(effects(), &[0.25, 0.0, 0.5, 0.0], &[0.5, -1.0, 0.0, 0.0]);
        check(effects(), &[0.0, 0.0, 1.0, 1.0], &[0.5, -1.0, 0.0, 0.0]);
    }

    #[test]
    fn flips_show_one_member() {
        use MorphEffect::{Flip, Group, None};
        let effects = || vec![None, None, Flip(vec![(0, 1.0), (1, 0.5), (2, 1.0)]), Group(vec![(2, 1.0)])];
        // Four parts of a quarter each: none, the first, the second, the third (itself: nothing).
        for (weight, shown) in
            [(0.0, [0.0, 0.0]), (0.24, [0.0, 0.0]), (0.25, [1.0, 0.0]), (0.5, [0.0, 0.5]), (1.0, [0.0, 0.0])]
        {
            check(effects(), &[0.0, 0.0, weight, 0.0], &[shown[0], shown[1], 0.0, 0.0]);
            check(effects(), &[0.0, 0.0, 0.0, weight], &[shown[0], shown[1], 0.0, 0.0]);
        }
        check(vec![None, Flip(vec![(0, 0.75)])], &[0.0, -3.0], &[0.0, 0.0]);
        check(vec![None, Flip(vec![(0, 0.75)])], &[0.0, 9.0], &[0.75, 0.0]);
        check(vec![None, Flip(Vec::new())], &[0.5, 1.0], &[0.5, 0.0]);
    }
}
