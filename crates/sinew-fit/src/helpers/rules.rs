//! The rules of weights, checked and laid out for the solver.

use glam::DVec3;

use super::settings::{HelperSettings, SettingsError, WeightRules};
use super::view::View;
use crate::examples::Examples;

/// Weights of a vertex may miss 1 by this much when they are given.
const SUM_TOLERANCE: f64 = 1e-3;
/// The length that `WeightRules::smoothness` is counted in, as a fraction of the model's diagonal.
const SMOOTHNESS_LENGTH: f64 = 0.01;

/// The rules as a view needs them.
pub(crate) struct Rules {
    pub(crate) max_influences: usize,
    /// One per vertex and driver of the view; empty where nothing is locked.
    pub(crate) given: Vec<f64>,
    /// One per vertex; empty where none is.
    pub(crate) is_vertex_locked: Vec<bool>,
    /// One per driver.
    pub(crate) is_driver_locked: Vec<bool>,
    /// Cost of squared differences along an edge.
    pub(crate) edge_cost: f64,
    /// Neighbors in the view; empty where edges cost nothing.
    pub(crate) rings: Vec<Vec<u32>>,
    /// Cost of a squared weight and squared distance.
    pub(crate) distance_cost: f64,
    /// Partner of each vertex of the view; empty without mirror.
    pub(crate) vertex_partners: Vec<u32>,
    /// Partner of each driver; empty without mirror.
    pub(crate) driver_partners: Vec<u16>,
    /// Vertices that may be solved at the same time: no two of a group share an edge that costs.
    pub(crate) groups: Vec<Vec<u32>>,
}

impl Rules {
    /// The settings must have passed [`check`].
    pub(crate) fn new(settings: &HelperSettings, view: &View<'_>) -> Self {
        let rules = &settings.rules;
        let (examples, pose_count) = (&view.examples, view.pose_count() as f64);
        let driver_count = examples.driver_count;
        let has_locks = !rules.locked_vertices.is_empty() || !rules.locked_drivers.is_empty();
        let is_whole = view.vertex_count() == examples.vertex_count();
        let mut is_driver_locked = vec![false; driver_count];
        rules.locked_drivers.iter().for_each(|&driver| is_driver_locked[usize::from(driver)] = true);
        let locked: std::collections::BTreeSet<u32> = rules.locked_vertices.iter().copied().collect();
        let place_of = |vertex: u32| view.vertices.binary_search(&vertex).unwrap_or(0) as u32;
        let given = |&vertex: &u32| {
            rules.driver_weights[vertex as usize * driver_count..][..driver_count].iter().copied()
        };
        // A part of the vertices has no edges worth the name; it only serves to try starts.
        let rings = if rules.smoothness > 0.0 && is_whole { examples.rings() } else { Vec::new() };
        let length = SMOOTHNESS_LENGTH * view.extent;
        let vertex_partners: Vec<u32> = rules.mirror.as_ref().map_or_else(Vec::new, |mirror| {
            view.vertices.iter().map(|&vertex| place_of(mirror.vertices[vertex as usize])).collect()
        });
        let groups = groups(&rings, &vertex_partners, view.vertex_count());
        Self {
            max_influences: settings.max_influences,
            given: if has_locks { view.vertices.iter().flat_map(given).collect() } else { Vec::new() },
            is_vertex_locked: if locked.is_empty() {
                Vec::new()
            } else {
                view.vertices.iter().map(|vertex| locked.contains(vertex)).collect()
            },
            is_driver_locked,
            edge_cost: rules.smoothness * pose_count * length * length,
            rings,
            distance_cost: rules.locality * rules.locality * pose_count,
            vertex_partners,
            driver_partners: rules.mirror.as_ref().map_or_else(Vec::new, |mirror| mirror.drivers.clone()),
            groups,
        }
    }

    /// Mirror image of a bone; helpers come in pairs `(0, 1), (2, 3), …` after the drivers, `paired` of them, then single ones.
    pub(crate) fn bone_partner(&self, bone: usize, homes: &[DVec3], paired: &[Option<usize>]) -> usize {
        let driver_count = self.driver_partners.len();
        if bone < driver_count {
            return usize::from(self.driver_partners[bone]);
        }
        let helper = bone - driver_count;
        debug_assert!(helper < homes.len(), "a bone of the solution");
        paired.get(helper).copied().flatten().map_or(bone, |partner| driver_count + partner)
    }
}

/// Groups of vertices without edges between them, first come, first served. Of a mirrored pair only the first is in a group; the pair's
/// edges count together.
fn groups(rings: &[Vec<u32>], partners: &[u32], vertex_count: usize) -> Vec<Vec<u32>> {
    let is_first = |vertex: u32| partners.get(vertex as usize).is_none_or(|&partner| vertex <= partner);
    if rings.is_empty() {
        return vec![(0..vertex_count as u32).filter(|&vertex| is_first(vertex)).collect()];
    }
    let mut colors = vec![usize::MAX; vertex_count];
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for vertex in (0..vertex_count as u32).filter(|&vertex| is_first(vertex)) {
        let partner = partners.get(vertex as usize).copied().unwrap_or(vertex);
        let near = rings[vertex as usize].iter().chain(&rings[partner as usize]);
        let taken: Vec<usize> = near.map(|&other| colors[other as usize]).collect();
        let color = (0..).find(|color| !taken.contains(color)).unwrap_or(0);
        (colors[vertex as usize], colors[partner as usize]) = (color, color);
        if color == groups.len() {
            groups.push(Vec::new());
        }
        groups[color].push(vertex);
    }
    groups
}

/// Checks settings against examples.
pub(crate) fn check(settings: &HelperSettings, examples: &Examples<'_>) -> Result<(), SettingsError> {
    let found = settings.max_influences;
    if !(1..=8).contains(&found) {
        return Err(SettingsError::Influences { found });
    }
    let counts = [
        ("start_count", settings.start_count),
        ("start_poses", settings.start_poses),
        ("start_vertices", settings.start_vertices),
        ("refine_poses", settings.refine_poses),
        ("refine_vertices", settings.refine_vertices),
    ];
    if let Some(&(field, _)) = counts.iter().find(|(_, value)| *value == 0) {
        return Err(SettingsError::Zero { field });
    }
    let rules = &settings.rules;
    let costs =
        [("tolerance", settings.tolerance), ("smoothness", rules.smoothness), ("locality", rules.locality)];
    if let Some(&(field, value)) = costs.iter().find(|(_, value)| !value.is_finite() || *value < 0.0) {
        return Err(SettingsError::Cost { field, value });
    }
    check_locks(rules, settings, examples)?;
    check_mirror(rules, examples)?;
    let needed = bytes_needed(settings, examples);
    if needed > settings.max_bytes {
        return Err(SettingsError::Memory { needed, allowed: settings.max_bytes });
    }
    Ok(())
}

fn check_locks(
    rules: &WeightRules,
    settings: &HelperSettings,
    examples: &Examples<'_>,
) -> Result<(), SettingsError> {
    let (vertex_count, driver_count) = (examples.vertex_count(), examples.driver_count);
    if let Some(&vertex) = rules.locked_vertices.iter().find(|&&vertex| vertex as usize >= vertex_count) {
        let (what, index) = ("vertex", vertex as usize);
        return Err(SettingsError::Locked { what, index, count: vertex_count });
    }
    if let Some(&driver) = rules.locked_drivers.iter().find(|&&driver| usize::from(driver) >= driver_count) {
        let (what, index) = ("driver", usize::from(driver));
        return Err(SettingsError::Locked { what, index, count: driver_count });
    }
    let has_locks = !rules.locked_vertices.is_empty() || !rules.locked_drivers.is_empty();
    let (found, expected) = (rules.driver_weights.len(), vertex_count * driver_count);
    if found != expected && (has_locks || found != 0) {
        let reason = if has_locks { ", because some are locked" } else { "" };
        return Err(SettingsError::DriverWeights { found, expected, reason });
    }
    let mut locked = vec![false; driver_count];
    rules.locked_drivers.iter().for_each(|&driver| locked[usize::from(driver)] = true);
    if locked.iter().all(|&is| is) && settings.helper_count == 0 {
        return Err(SettingsError::NothingFree);
    }
    for (vertex, weights) in rules.driver_weights.chunks(driver_count).enumerate() {
        let sum: f64 = weights.iter().sum();
        let is_bad = |weight: &f64| !weight.is_finite() || *weight < 0.0;
        if weights.iter().any(is_bad) || (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(SettingsError::BadWeights { vertex });
        }
        let found = weights.iter().zip(&locked).filter(|(weight, locked)| **locked && **weight > 0.0).count();
        let max_influences = settings.max_influences;
        if found > max_influences {
            return Err(SettingsError::LockedInfluences { vertex, found, max_influences });
        }
    }
    Ok(())
}

fn check_mirror(rules: &WeightRules, examples: &Examples<'_>) -> Result<(), SettingsError> {
    let Some(mirror) = &rules.mirror else { return Ok(()) };
    let drivers: Vec<u32> = mirror.drivers.iter().map(|&driver| u32::from(driver)).collect();
    let locked_drivers: Vec<u32> = rules.locked_drivers.iter().map(|&driver| u32::from(driver)).collect();
    let sides = [
        ("vertex", &mirror.vertices, examples.vertex_count(), &rules.locked_vertices),
        ("driver", &drivers, examples.driver_count, &locked_drivers),
    ];
    for (what, partners, count, locked) in sides {
        if partners.len() != count {
            return Err(SettingsError::MirrorCount { what, found: partners.len(), count });
        }
        for (index, &partner) in partners.iter().enumerate() {
            let partner = partner as usize;
            if partners.get(partner).is_none_or(|&back| back as usize != index) {
                return Err(SettingsError::MirrorPartner { what, index, partner });
            }
            if locked.contains(&(index as u32)) && !locked.contains(&(partner as u32)) {
                return Err(SettingsError::MirrorLocked { what, index, partner });
            }
        }
    }
    Ok(())
}

/// What the largest step holds at a time, beside the examples.
pub(crate) fn bytes_needed(settings: &HelperSettings, examples: &Examples<'_>) -> u64 {
    let (vertices, poses) = (examples.vertex_count() as u64, examples.pose_count() as u64);
    let (drivers, helpers) = (examples.driver_count as u64, settings.helper_count as u64);
    let bones = drivers + helpers;
    // Rows of all bones in all poses, twice for the fit and the result; sums over poses in 16 parts; weights of four solutions.
    let rows = poses.saturating_mul(12 * bones).saturating_mul(2);
    let sums = vertices.saturating_mul(4 * drivers.max(helpers)).saturating_mul(18);
    let weights = vertices.saturating_mul(bones).saturating_mul(6);
    rows.saturating_add(sums).saturating_add(weights).saturating_mul(8)
}
