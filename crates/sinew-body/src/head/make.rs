//! Finds the modes of fitted heads.

use super::HeadBone;
use crate::build::Figure;
use crate::design::HeadChange;
use crate::patchwork::fit::Place;
use crate::patchwork::{Patchwork, SlotKind};
use crate::shapes::ShapeBasis;
use crate::shapes::modes::eigen;
use crate::template::Template;
use glam::DVec3;

/// Modes of heads, over the stature.
#[derive(Clone, Debug)]
pub struct HeadModes {
    pub(super) mean: Vec<DVec3>,
    pub(super) by_body: Vec<Vec<DVec3>>,
    pub(super) own: Vec<Vec<DVec3>>,
    /// Amounts of the own modes in each head.
    pub amounts: Vec<Vec<f64>>,
}

/// Holds heads' answers to the later modes of bodies, which are small and whose amounts a few bodies decide: in units of one body.
const HELD: f64 = 10.0;

impl HeadModes {
    /// The modes of heads in model space, m, one for each body of the basis in its order: what follows from the bodies' amounts, then
    /// `own_count` modes of the rest by distances of `places`.
    ///
    /// # Panics
    /// If there are not as many heads as bodies.
    #[must_use]
    pub fn of(
        basis: &ShapeBasis,
        net: &Patchwork,
        heads: &[Vec<DVec3>],
        places: &[Place],
        own_count: usize,
    ) -> HeadModes {
        assert_eq!(heads.len(), basis.bodies.len(), "one head for each body");
        let count = heads.len() as f64;
        let mut lists: Vec<Vec<DVec3>> = heads.to_vec();
        let template = Template::human();
        for (list, (parameters, amounts)) in lists.iter_mut().zip(&basis.bodies) {
            let bone = basis.head_bone(&template, amounts, parameters.stature_m);
            for (slot, kind) in list.iter_mut().zip(net.slot_kinds()) {
                if *kind == SlotKind::Place {
                    *slot -= bone.joint;
                }
                *slot = bone.turn.inverse() * *slot / parameters.stature_m;
            }
            *list = net.symmetric(list);
        }
        let sum = |weights: &dyn Fn(usize) -> f64| -> Vec<DVec3> {
            (0..net.slot_count())
                .map(|slot| lists.iter().enumerate().map(|(k, list)| weights(k) * list[slot]).sum())
                .collect()
        };
        let mean = sum(&|_| 1.0 / count);
        // Amounts of different modes are uncorrelated and have one as their mean square.
        let by_body: Vec<Vec<DVec3>> = (0..basis.mode_count())
            .map(|mode| sum(&|body| basis.bodies[body].1[mode] / (count + HELD)))
            .collect();
        for (list, (_, amounts)) in lists.iter_mut().zip(&basis.bodies) {
            list.iter_mut().zip(&mean).for_each(|(slot, mean)| *slot -= *mean);
            for (mode, amount) in by_body.iter().zip(amounts) {
                list.iter_mut().zip(mode).for_each(|(slot, by)| *slot -= *amount * *by);
            }
        }
        let (own, amounts) = own_modes(net, &lists, places, own_count);
        HeadModes { mean, by_body, own, amounts }
    }

    /// The slots of a head of the list it was made from, with some of its own modes, m.
    #[must_use]
    pub fn head(&self, basis: &ShapeBasis, net: &Patchwork, body: usize, own_count: usize) -> Vec<DVec3> {
        let (parameters, amounts) = &basis.bodies[body];
        let bone = basis.head_bone(&Template::human(), amounts, parameters.stature_m);
        let mut slots = self.mean.clone();
        let own = self.own.iter().zip(&self.amounts[body]).take(own_count);
        for (mode, amount) in self.by_body.iter().zip(amounts).chain(own) {
            slots.iter_mut().zip(mode).for_each(|(slot, by)| *slot += *amount * *by);
        }
        for (slot, kind) in slots.iter_mut().zip(net.slot_kinds()) {
            let from = if *kind == SlotKind::Place { bone.joint } else { DVec3::ZERO };
            *slot = bone.turn * (parameters.stature_m * *slot) + from;
        }
        slots
    }
}

impl ShapeBasis {
    /// The bone of the head.
    pub(super) fn head_bone(&self, template: &Template, amounts: &[f64], stature_m: f64) -> HeadBone {
        let mut design = self.whole_design();
        self.write_design((&self.list(amounts), HeadChange::default()), stature_m, &mut design);
        let bone = template.layout.head.map_or(0, |head| head.bone);
        Figure::new(template, &design).bones[bone].head_bone()
    }
}

/// Principal components of what is left, and their amounts.
fn own_modes(
    net: &Patchwork,
    lists: &[Vec<DVec3>],
    places: &[Place],
    count: usize,
) -> (Vec<Vec<DVec3>>, Vec<Vec<f64>>) {
    let surfaces: Vec<Vec<DVec3>> = lists
        .iter()
        .map(|list| {
            let patches = net.patches(list);
            places.iter().map(|place| patches[place.patch].position(place.u, place.w)).collect()
        })
        .collect();
    let size = lists.len();
    let mut matrix = vec![0.0; size * size];
    for i in 0..size {
        for j in 0..=i {
            let sum: f64 = surfaces[i].iter().zip(&surfaces[j]).map(|(a, b)| a.dot(*b)).sum();
            (matrix[i * size + j], matrix[j * size + i]) = (sum, sum);
        }
    }
    let (_, vectors) = eigen(size, matrix);
    let root = (size as f64).sqrt();
    let mut amounts = vec![Vec::new(); size];
    let mut modes = Vec::new();
    for vector in vectors.iter().take(count) {
        let value = |slot: usize| -> DVec3 {
            lists.iter().zip(vector).map(|(list, by)| *by / root * list[slot]).sum()
        };
        modes.push((0..net.slot_count()).map(value).collect());
        amounts.iter_mut().zip(vector).for_each(|(amounts, by)| amounts.push(by * root));
    }
    (modes, amounts)
}
