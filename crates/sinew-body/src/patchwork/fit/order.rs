//! The order of slots in the matrix: neighbors close to each other, after Cuthill and McKee.

use super::super::Patchwork;
use std::collections::VecDeque;

/// For each slot its place in the matrix.
pub(super) fn of(net: &Patchwork) -> Vec<usize> {
    let count = net.slot_count();
    let mut by_patch: Vec<Vec<u32>> = Vec::with_capacity(net.patch_count());
    let mut patches_of: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (patch, forms) in net.forms.iter().enumerate() {
        let mut slots: Vec<u32> =
            forms.0.iter().flat_map(|form| form.terms().iter().map(|&(slot, _)| slot)).collect();
        slots.sort_unstable();
        slots.dedup();
        slots.iter().for_each(|&slot| patches_of[slot as usize].push(patch));
        by_patch.push(slots);
    }
    let degree = |slot: usize| patches_of[slot].iter().map(|&patch| by_patch[patch].len()).sum::<usize>();
    let walk = |start: usize| {
        let (mut found, mut is_found) = (Vec::with_capacity(count), vec![false; count]);
        let starts = std::iter::once(start).chain(0..count);
        for start in starts {
            if std::mem::replace(&mut is_found[start], true) {
                continue;
            }
            let mut queue = VecDeque::from([start]);
            while let Some(slot) = queue.pop_front() {
                found.push(slot);
                let mut next: Vec<usize> = patches_of[slot]
                    .iter()
                    .flat_map(|&patch| &by_patch[patch])
                    .map(|&slot| slot as usize)
                    .collect();
                next.sort_by_key(|&slot| (degree(slot), slot));
                for slot in next {
                    if !std::mem::replace(&mut is_found[slot], true) {
                        queue.push_back(slot);
                    }
                }
            }
        }
        found
    };
    // The last slot of one walk is far out: a good start for the next.
    let far = walk(0).last().copied().unwrap_or_default();
    let mut order = vec![0; count];
    walk(far).into_iter().rev().enumerate().for_each(|(place, slot)| order[slot] = place);
    order
}
