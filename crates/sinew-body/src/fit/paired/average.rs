//! The average body: its first fit, and the places of its vertices.

use super::{ManyBodies, Pair, stature_of, target_of};
use crate::body::Body;
use crate::design::{ByName, Design, MiddleChange, RingChange, Sided};
use crate::fit::surface::SurfaceTriangles;
use crate::fit::{FitError, FitSettings, TargetJoints, TargetMesh, fit};
use crate::template::{Flank, Template};
use crate::{Patch, Side};
use glam::DVec3;
use sinew_geometry::progress::Progress;

/// Squares along a patch's side for finding places.
const STEPS: usize = 10;
/// Vertices farther than this from the surface have no place on it, m.
const REACH_M: f64 = 0.025;
/// Least cosine between the normals of a vertex and its place.
const LEAST_COSINE: f64 = 0.3;
/// Vertices farther on the right than this are left to the mirror image, m.
const MIDDLE_M: f64 = -1e-4;

pub(super) struct Average {
    pub(super) vertices: Vec<DVec3>,
    pub(super) joints: TargetJoints,
    pub(super) stature: f64,
    target: TargetMesh,
}

impl Average {
    pub(super) fn of(bodies: &ManyBodies, list: &[usize]) -> Result<Self, FitError> {
        let share = 1.0 / list.len() as f64;
        let mean = |at: &dyn Fn(usize) -> DVec3| list.iter().map(|&body| share * at(body)).sum::<DVec3>();
        let vertices: Vec<DVec3> = (0..bodies.vertices[list[0]].len())
            .map(|vertex| mean(&|body| bodies.vertices[body][vertex]))
            .collect();
        let names = bodies.joints[list[0]].joints.keys();
        let joint = |name: &String, body: usize| {
            bodies.joints[body]
                .joints
                .get(name)
                .and_then(|at| at.on(Flank::Left))
                .copied()
                .unwrap_or_default()
        };
        let joints: ByName<DVec3> =
            names.map(|name| (name.clone(), Sided::Both(mean(&|body| joint(name, body))))).collect();
        let target = target_of(bodies, &vertices)?;
        Ok(Average { stature: stature_of(&vertices), vertices, joints: TargetJoints { joints }, target })
    }

    /// The average's design, by the usual fit.
    pub(super) fn first_design(&self, template: &Template) -> Result<Design, FitError> {
        let settings = FitSettings::default();
        let mut found = fit(template, &self.target, &self.joints, &settings, &Progress::none())?;
        write_out(template, &found.body, &mut found.design);
        Ok(found.design)
    }

    /// The place of each vertex that counts, with the root of its weight. What lies beyond an open end has none.
    pub(super) fn pairs(&self, body: &Body, bodies: &ManyBodies) -> (Vec<Pair>, Vec<f64>) {
        let patches: Vec<Patch> = body.patches.iter().map(|patch| patch.patch).collect();
        let open = open_sides(body);
        let surface = SurfaceTriangles::new(&patches, |_| true, STEPS);
        let areas = self.target.vertex_areas();
        let total: f64 = areas.iter().sum();
        let (mut pairs, mut roots) = (Vec::new(), Vec::new());
        for (vertex, &at) in self.vertices.iter().enumerate() {
            if at.x < MIDDLE_M || self.target.is_excluded()[vertex] || areas[vertex] == 0.0 {
                continue;
            }
            let normal = self.target.normals()[vertex];
            let faces = |triangle: usize| surface.normals[triangle].dot(normal) > LEAST_COSINE;
            if let Some(found) = surface.tree.nearest(at, REACH_M, faces) {
                let (patch, u, w) = surface.parameters(found.triangle, found.weights);
                if open.iter().any(|&(other, side)| other == patch && is_on(side, u, w)) {
                    continue;
                }
                pairs.push(Pair { vertex, patch, u, w });
                roots.push((bodies.weights[vertex] * areas[vertex] / total).sqrt());
            }
        }
        (pairs, roots)
    }
}

/// Sides of patches that no other patch meets.
fn open_sides(body: &Body) -> Vec<(usize, Side)> {
    let open = body.topology.wires.iter().filter(|wire| wire.uses_at(0.25).count() < 2);
    open.flat_map(|wire| wire.uses.iter().map(|found| (found.patch, found.side))).collect()
}

/// Whether parameters are on a side, to rounding.
fn is_on(side: Side, u: f64, w: f64) -> bool {
    let across = if side.fixes_u() { u } else { w };
    let end = if matches!(side, Side::U1 | Side::W1) { 1.0 } else { 0.0 };
    (across - end).abs() < 1e-9
}

/// Writes rings and middles that the fit leaves to the template explicitly: those of the hand.
fn write_out(template: &Template, body: &Body, design: &mut Design) {
    for ring in &body.rings {
        let Sided::Both(change) =
            design.rings.entry(ring.name.clone()).or_insert(Sided::Both(RingChange::default()))
        else {
            continue;
        };
        if change.front.is_none() {
            (change.front, change.side) =
                (Some(2.0 * ring.ring.semi_axes.x), Some(2.0 * ring.ring.semi_axes.y));
        }
    }
    for tube in &template.text().tubes {
        for bay in &tube.bays {
            let Some(half) = bay.middle else { continue };
            let thick = 2.0 * design.scale * half;
            let change = MiddleChange {
                front: Some(thick.x),
                side: Some(thick.y),
                shift: Some(design.scale * bay.middle_shift),
            };
            design.middles.entry(format!("{}/{}", tube.name, bay.name)).or_insert(Sided::Both(change));
        }
    }
}
