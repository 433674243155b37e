//! Keys of IK switches.

use super::super::{VmdPropertyKey, VmdReachSwitch};
use super::plan::{first_frame_from, whole_frame};
use super::{Losses, Writing, name_to_write};
use crate::names::NameKey;
use sinew_rig::{BoneId, Channel, Clip};
use std::collections::{BTreeMap, BTreeSet};

/// The states of a chain: first frame, and whether it is on. Frames ascend.
type States = Vec<(u32, bool)>;

/// Every key has the state of every switched chain, as in MMD.
pub(super) fn property_keys(clip: &Clip, writing: &mut Writing<'_>) -> Vec<VmdPropertyKey> {
    let mut chains: Vec<(NameKey, States)> = Vec::new();
    for (bone, states) in states_of_bones(clip, writing.losses) {
        let name = &writing.character.skeleton().bone(bone).name;
        let is_first = writing.parts.reaching_bone(NameKey::of_text(name)) == Some(bone);
        if let Some(key) = name_to_write("reaching bone", name, is_first, writing.report) {
            chains.push((key, states));
        }
    }
    let frames: BTreeSet<u32> =
        chains.iter().flat_map(|(_, states)| states.iter().map(|state| state.0)).collect();
    let keys = frames.into_iter().map(|frame| {
        let switches = chains.iter().map(|(name, states)| VmdReachSwitch {
            name: name.to_field(),
            enabled: u8::from(state_at(states, frame)),
        });
        VmdPropertyKey { frame, visible: 1, switches: switches.collect() }
    });
    keys.collect()
}

/// If two tracks drive the same channel, the later wins.
fn states_of_bones(clip: &Clip, losses: &mut Losses) -> BTreeMap<BoneId, States> {
    let mut states_of_bones = BTreeMap::new();
    for track in &clip.tracks {
        let Channel::Reach(bone, values) = &track.channel else { continue };
        losses.sampled += usize::from(track.times_secs.iter().any(|&time| whole_frame(time).is_none()));
        let mut states: States = Vec::with_capacity(values.len());
        for (&time_secs, &value) in track.times_secs.iter().zip(values) {
            let frame = first_frame_from(time_secs);
            // Of several within a frame the last wins.
            states.pop_if(|state| state.0 == frame);
            states.push((frame, value));
        }
        states_of_bones.insert(*bone, states);
    }
    states_of_bones
}

/// Constant beyond both ends.
fn state_at(states: &[(u32, bool)], frame: u32) -> bool {
    let after = states.partition_point(|state| state.0 <= frame);
    states[after.saturating_sub(1)].1
}
