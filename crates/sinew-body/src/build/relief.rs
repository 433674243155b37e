//! The template's own relief: bumps and dents as offsets of control points.

use super::Plan;
use super::tubes::PlainTube;
use crate::design::Design;
use crate::template::{BumpText, Flank, Template, TemplateError};
use glam::DVec3;

/// Offsets of each tube's control points, for the template's own figure, m.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relief {
    by_tube: Vec<Vec<DVec3>>,
}

impl Relief {
    /// Computes the offsets on the template's own plain tubes, once: a design changes tubes, and the offsets follow.
    pub(crate) fn of(template: &Template) -> Result<Self, TemplateError> {
        let design = Design::default();
        let plan = Plan::new(template, &design);
        let mut by_tube: Vec<Vec<DVec3>> = Vec::new();
        for tube in &template.layout.tubes {
            let plain = PlainTube::new(&plan, tube);
            let name = &template.text().tubes[tube.text].name;
            let bumps = || template.text().relief.iter().filter(|bump| bump.tube == *name);
            let offset = |&point: &DVec3| bumps().map(|bump| push_at(bump, point, tube.flank)).sum();
            by_tube.push(plain.tube.points().iter().map(offset).collect());
        }
        let tubes = &template.text().tubes;
        for bump in &template.text().relief {
            if !tubes.iter().any(|tube| tube.name == bump.tube) {
                let (item, name) = (bump.name.clone(), bump.tube.clone());
                return Err(TemplateError::Unknown { item, name, kind: "tube" });
            }
        }
        Ok(Relief { by_tube })
    }

    /// One offset a control point of a tube.
    pub(crate) fn of_tube(&self, tube: usize) -> &[DVec3] {
        &self.by_tube[tube]
    }
}

fn push_at(bump: &BumpText, point: DVec3, flank: Flank) -> DVec3 {
    let one = |flank: Flank| weight(bump, flank.place(point)) * flank.place(bump.push);
    match flank {
        Flank::Middle if bump.at.x != 0.0 => one(Flank::Left) + one(Flank::Right),
        flank => one(flank),
    }
}

/// One at the middle, falling smoothly to zero at the radius.
fn weight(bump: &BumpText, point: DVec3) -> f64 {
    let share = ((point - bump.at) / bump.radius).length_squared();
    (1.0 - share).max(0.0).powi(2)
}
