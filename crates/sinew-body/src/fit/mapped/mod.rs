//! Closed ends of tubes, such as heads, fitted by a map of the target's surface onto them.
//!
//! Nearest points do not find a nose, lips and ears: they are folds over the smooth start. Here the part of the target beyond a ring is
//! laid out on a disc (a convex combination map after \[Tutte63\]), whose radius runs along the tube and whose angle runs around it. Every
//! vertex then has its place on the tube, and the control points follow by linear least squares with a penalty on bending. Where the
//! target has more vertices, such as at eyes and lips, the map gives them more of the tube.

mod chain;
mod disc;
mod region;
mod spline_fit;
mod write_back;

use super::target::TargetMesh;
use super::{FitError, FitSettings};
use crate::build;
use crate::design::Design;
use crate::template::{Flank, Template};
use chain::Chain;
use glam::{DVec2, DVec3};
use spline_fit::{Place, SplineFit};

/// Length of the chain's start that is not fitted, in bays of its last tube.
const LED: f64 = 0.4;
/// Rounds of solving and moving the places to the nearest points.
const ROUNDS: usize = 10;
/// Stiffness of the first round relative to the last.
const FIRST_STIFFNESS: f64 = 8.0;

/// Fits the mapped tubes, and writes their control points into the design.
pub(super) fn fit_mapped(
    template: &Template,
    target: &TargetMesh,
    is_inner: &[bool],
    settings: &FitSettings,
    design: &mut Design,
) -> Result<(), FitError> {
    for names in &settings.mapped_tubes {
        bring_tip_to(template, target, names, design)?;
        let body = build(template, design)?;
        let problem = |problem: &str| FitError::Map { tube: names.join(", "), problem: problem.to_owned() };
        let chain =
            Chain::new(&body, names).ok_or_else(|| problem("they are not a chain that ends in a tip"))?;
        let region = region::Region::beyond(target, is_inner, &chain.cut, chain.tip).map_err(&problem)?;
        let discs = disc::map(&region, |at| chain.angle_of(at)).ok_or_else(|| {
            problem("the part of the target beyond the first ring cannot be laid out on a disc")
        })?;
        let mut places: Vec<Place> = region
            .points
            .iter()
            .zip(&discs)
            .filter(|(point, _)| point.counts)
            .map(|(point, disc)| chain.place_of(point.at, *disc))
            .collect();
        places.extend(region.inner_points().map(|(at, triangle)| {
            let middle = triangle.iter().map(|&point| discs[point]).sum::<DVec2>() / 3.0;
            chain.place_of(at, middle)
        }));
        // Beside the first ring the previous tube leads, which is not exactly on the target.
        places.retain(|place| place.along > LED);
        let mut fit = SplineFit::new(&chain);
        for round in 0..ROUNDS {
            // From stiff to soft.
            let softness = FIRST_STIFFNESS.powf(1.0 - round as f64 / (ROUNDS - 1) as f64);
            fit.solve(&places, softness * settings.map_stiffness)
                .ok_or_else(|| problem("its control points are not determined"))?;
            if round + 1 < ROUNDS {
                fit.move_places(&mut places);
            }
        }
        write_back::write(template, &body, &chain, &fit.points(), design);
    }
    Ok(())
}

/// Maximum distance of the tip from its place on the target, m.
const TIP_REACH_M: f64 = 0.08;

/// The target's farthest vertex along a direction near a point: there the surface faces that way.
fn highest_near(target: &TargetMesh, at: DVec3, way: DVec3) -> Option<DVec3> {
    let near = target.positions().iter().copied().filter(|vertex| vertex.distance(at) < TIP_REACH_M);
    near.max_by(|a, b| a.dot(way).total_cmp(&b.dot(way)))
}

/// Moves the end of a tube's last bone until the tip is on the target. Turning the bone also moves the tip, so this takes several rounds.
fn bring_tip_to(
    template: &Template,
    target: &TargetMesh,
    names: &[String],
    design: &mut Design,
) -> Result<(), FitError> {
    for _ in 0..4 {
        let body = build(template, design)?;
        let tube =
            body.tubes.iter().find(|tube| Some(&tube.name) == names.last() && tube.flank != Flank::Right);
        let Some((tube, tip)) = tube.and_then(|tube| Some((tube, tube.tip?.tip))) else { return Ok(()) };
        let Some(found) = highest_near(target, tip, tube.tip.map_or(DVec3::Y, |tip| tip.direction)) else {
            return Ok(());
        };
        let Some(&bone) = tube.bones.last() else { return Ok(()) };
        let joint = &body.joints[body.bones[bone].to];
        let mut place = joint.position + found - tip;
        if tube.flank == Flank::Middle {
            place.x = 0.0;
        }
        design.joints.insert(joint.name.clone(), place.into());
    }
    Ok(())
}
