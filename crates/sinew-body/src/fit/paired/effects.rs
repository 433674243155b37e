//! What each number of a list does to the patches, by differences.
//!
//! A number moves the few patches around it. Numbers that share no patch are moved at once, so that all nine thousand take a few hundred
//! built bodies instead of as many.

use super::rows::ByPatch;
use crate::Patch;
use crate::build::build_patches;
use crate::design::Design;
use crate::fit::FitError;
use crate::fit::surface::PatchChange;
use crate::shapes::slots::Slots;
use crate::template::Template;

/// The step of lengths, in statures, and of the others.
const STEPS: [f64; 2] = [1e-4, 1e-3];

/// Which patches each number moves, and which numbers are moved at once.
pub(super) struct Effects {
    groups: Vec<Group>,
    patch_count: usize,
}

/// Numbers with one step that share no patch.
struct Group {
    step: f64,
    /// Places in the list, each with the patches that it moves, in their order.
    places: Vec<(usize, Vec<usize>)>,
}

impl Effects {
    /// Finds the patches of each number but the joints', one by one.
    pub(super) fn of(
        template: &Template,
        slots: &Slots,
        reference: &Design,
        values: &[f64],
    ) -> Result<Self, FitError> {
        let step_of = |is_length: bool| STEPS[usize::from(!is_length)];
        let alone = slots.list.iter().filter(|slot| slot.first >= slots.joint_len).flat_map(|slot| {
            let places = slot.first..slot.first + slot.axes.len();
            places.map(|place| Group { step: step_of(slot.is_length()), places: vec![(place, Vec::new())] })
        });
        let alone: Vec<Group> = alone.collect();
        let found = differences(template, slots, reference, values, &alone)?;
        let mut groups: Vec<Group> = Vec::new();
        for (single, changes) in alone.into_iter().zip(found) {
            let patches: Vec<usize> = changes.iter().map(|change| change.patch).collect();
            let is_apart = |group: &&mut Group| {
                group.step == single.step
                    && group
                        .places
                        .iter()
                        .all(|(_, others)| patches.iter().all(|patch| !others.contains(patch)))
            };
            let entry = (single.places[0].0, patches.clone());
            match groups.iter_mut().find(is_apart) {
                Some(group) => group.places.push(entry),
                None => groups.push(Group { step: single.step, places: vec![entry] }),
            }
        }
        let patch_count = build_patches(template, reference)?.len();
        Ok(Effects { groups, patch_count })
    }

    /// What each number after the joints does to each patch at a list.
    pub(super) fn at(
        &self,
        template: &Template,
        slots: &Slots,
        reference: &Design,
        values: &[f64],
    ) -> Result<ByPatch, FitError> {
        let found = differences(template, slots, reference, values, &self.groups)?;
        let mut by_patch: ByPatch = vec![Vec::new(); self.patch_count];
        for (group, changes) in self.groups.iter().zip(found) {
            for change in changes {
                let owner = group.places.iter().find(|(_, patches)| patches.contains(&change.patch));
                let Some((place, _)) = owner else { continue };
                by_patch[change.patch].push((place - slots.joint_len, change));
            }
        }
        by_patch.iter_mut().for_each(|numbers| numbers.sort_by_key(|(number, _)| *number));
        Ok(by_patch)
    }
}

/// The changes that each group makes, on all threads.
fn differences(
    template: &Template,
    slots: &Slots,
    reference: &Design,
    values: &[f64],
    groups: &[Group],
) -> Result<Vec<Vec<PatchChange>>, FitError> {
    let mut design = reference.clone();
    slots.write(values, &mut design);
    let patches = build_patches(template, &design)?;
    let slot_of = |place: usize| slots.list.partition_point(|slot| slot.first <= place) - 1;
    let one = |group: &Group, turned: &mut Design, moved: &mut [f64]| -> Result<Vec<PatchChange>, FitError> {
        for &(place, _) in &group.places {
            moved[place] += group.step;
        }
        let write = |moved: &[f64], turned: &mut Design| {
            group.places.iter().for_each(|(place, _)| slots.list[slot_of(*place)].write_from(moved, turned));
        };
        write(moved, turned);
        let after: Vec<Patch> = build_patches(template, turned)?;
        for &(place, _) in &group.places {
            moved[place] = values[place];
        }
        write(moved, turned);
        Ok(PatchChange::between(&patches, &after, group.step))
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let found: Vec<Result<Vec<_>, FitError>> = std::thread::scope(|scope| {
        let started: Vec<_> = groups
            .chunks(groups.len().div_ceil(threads).max(1))
            .map(|part| {
                let (one, mut turned, mut moved) = (&one, design.clone(), values.to_vec());
                scope.spawn(move || part.iter().map(|group| one(group, &mut turned, &mut moved)).collect())
            })
            .collect();
        started.into_iter().map(|thread| thread.join().expect("no group panics")).collect()
    });
    Ok(found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}
