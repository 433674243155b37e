//! The body that a design changes.

use super::{Design, Sided};
use crate::survey::{Measure, Sex};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The body that a design lies over. Written in place of the thousand numbers that follow from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DesignBase {
    /// `human`, `quadruped`, or a template's file; default human.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Women or men; default men.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sex: Option<Sex>,
    /// A named build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Muscle of a body from the shapes of people, from −1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub muscle: Option<f64>,
    /// Fat of such a body, from −1 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fat: Option<f64>,
    /// Proportions of such a body, from −1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<f64>,
    /// Seed of a random person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random: Option<u64>,
    /// Measures that were given, in their units.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<Measure, f64>,
}

impl DesignBase {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == DesignBase::default()
    }

    /// Measures with others in their place or beside them.
    pub fn measures_with(&self, own: &[(Measure, f64)]) -> Vec<(Measure, f64)> {
        let is_free = |found: &(Measure, f64)| own.iter().all(|(measure, _)| *measure != found.0);
        let listed = self.measures.iter().map(|(&measure, &value)| (measure, value));
        listed.filter(is_free).chain(own.iter().copied()).collect()
    }
}

impl Design {
    /// Whether its left and right are mirror images.
    pub(crate) fn is_alike(&self) -> bool {
        self.joints.values().all(Sided::is_alike)
            && self.lengths.values().all(Sided::is_alike)
            && self.rings.values().all(Sided::is_alike)
            && self.middles.values().all(Sided::is_alike)
            && self.fills.values().all(Sided::is_alike)
            && self.edges.values().all(Sided::is_alike)
            && self.nodes.values().all(Sided::is_alike)
            && self.offsets.values().all(Sided::is_alike)
    }

    /// The design without what says nothing: changes without values, and offsets of 0.
    #[must_use]
    pub fn without_empty(mut self) -> Design {
        use glam::DVec3;
        self.offsets.retain(|_, value| value.values().any(|&offset| offset != DVec3::ZERO));
        self.nodes.retain(|_, value| value.values().any(|&shift| shift != DVec3::ZERO));
        self.rings.retain(|_, value| value.values().any(|change| *change != Default::default()));
        self.middles.retain(|_, value| value.values().any(|change| *change != Default::default()));
        self.fills.retain(|_, value| value.values().any(|change| *change != Default::default()));
        self.edges.retain(|_, value| value.values().any(|change| *change != Default::default()));
        self.motions.retain(|_, value| value.values().any(|change| !change.0.is_empty()));
        self
    }
}
