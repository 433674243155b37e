//! Characters that are alike left and right of the plane x = 0: one side is fitted, the other is its mirror image.
//!
//! A mirror image of a pose swaps bones and reflects: `S = diag(−1, 1, 1)` takes places, and rotation vectors by `−S`. Inputs of controllers are
//! taken along axes that are each other's images, so that a bone in the mirrored pose tells the numbers that its partner told. A bone
//! in the middle is its own partner; its inputs keep or change their signs.

use crate::{DriverBinds, RigError, find_mirror};
use glam::{DMat3, DVec3, Vec3};
use sinew_fit::{Controllers, DriverInput, HelperController, Mirror};
use sinew_rig::{BoundSurface, HELPER_NUMBERS};
use std::collections::{BTreeMap, HashMap};

/// Weights of mirrored vertices may differ by this, in the mean over vertices: a few were often painted by hand.
const WEIGHT_TOLERANCE: f64 = 0.02;
/// Heads this fraction of the skeleton's size from a mirror image may be it; the weights then decide.
const HEAD_TOLERANCE: f64 = 2e-3;
/// Parts of a unit axis below this are none.
const ON_AXIS: f64 = 1e-3;
/// Numbers of a helper's pose that change sign in the mirror.
const NUMBER_SIGNS: [f64; HELPER_NUMBERS] = [-1.0, 1.0, 1.0, 1.0, -1.0, -1.0, 1.0];

/// Which vertices and drivers are each other's mirror image.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetry {
    /// For each vertex of the surface its partner; itself in the middle, and where no bone moves it.
    vertices: Vec<u32>,
    /// Of each pair the one whose side is fitted, and vertices in the middle.
    is_first: Vec<bool>,
    /// For each driver its partner.
    drivers: Vec<usize>,
    /// Rest space from the axes of each driver.
    rest_axes: Vec<DMat3>,
}

impl Symmetry {
    /// Finds partners by place, and those of drivers by the vertices they move.
    ///
    /// # Errors
    /// A vertex or driver without partner, or with other weights than its partner.
    pub fn find(bound: &BoundSurface, drivers: &DriverBinds) -> Result<Self, RigError> {
        let places: Vec<Vec3> =
            drivers.vertices().iter().map(|&vertex| drivers.rest_positions()[vertex as usize]).collect();
        let own = find_mirror(&places, &[])?.vertices;
        let mut vertices: Vec<u32> = (0..bound.vertex_count() as u32).collect();
        for (&vertex, &partner) in drivers.vertices().iter().zip(&own) {
            vertices[vertex as usize] = drivers.vertices()[partner as usize];
        }
        let is_first = |vertex: usize| {
            let x = |vertex: usize| drivers.rest_positions()[vertex].x;
            let partner = vertices[vertex] as usize;
            x(vertex) > x(partner) || (x(vertex) == x(partner) && vertex <= partner)
        };
        let is_first: Vec<bool> = (0..vertices.len()).map(is_first).collect();
        let to_rest = |matrix: &glam::Affine3A| {
            sinew_geometry::nearest_rotation(&matrix.inverse().as_daffine3().matrix3)
        };
        let rest_axes = drivers.bone_from_rest().iter().map(to_rest).collect();
        let partners = driver_partners(bound, drivers, &vertices)?;
        let found = Self { vertices, is_first, drivers: partners, rest_axes };
        found.check_weights(bound, drivers)?;
        Ok(found)
    }

    /// The partner of a vertex of the surface.
    pub fn vertex(&self, vertex: u32) -> u32 {
        self.vertices[vertex as usize]
    }

    /// Whether a vertex is in the middle or on the side that is fitted.
    pub(crate) fn is_first(&self, vertex: u32) -> bool {
        self.is_first[vertex as usize]
    }

    /// The partner of a driver.
    pub fn driver(&self, driver: usize) -> usize {
        self.drivers[driver]
    }

    /// Whether any driver has a partner: a limb alone is symmetric too, but has no sides.
    pub fn has_sides(&self) -> bool {
        self.drivers.iter().enumerate().any(|(driver, partner)| driver != *partner)
    }

    fn check_weights(&self, bound: &BoundSurface, drivers: &DriverBinds) -> Result<(), RigError> {
        let (mut sum, mut worst) = (0.0, (0.0, 0));
        for &vertex in drivers.vertices() {
            let mut difference: BTreeMap<usize, f64> = BTreeMap::new();
            for (driver, weight) in drivers.influences(bound, vertex) {
                *difference.entry(driver).or_default() += weight;
            }
            for (driver, weight) in drivers.influences(bound, self.vertex(vertex)) {
                *difference.entry(self.drivers[driver]).or_default() -= weight;
            }
            let largest = difference.values().fold(0.0, |most: f64, weight| most.max(weight.abs()));
            sum += largest;
            if largest > worst.0 {
                worst = (largest, vertex as usize);
            }
        }
        if sum > WEIGHT_TOLERANCE * drivers.vertices().len() as f64 {
            let (difference, vertex) = worst;
            return Err(RigError::MirrorWeights {
                vertex,
                place: drivers.rest_positions()[vertex],
                difference,
            });
        }
        Ok(())
    }

    /// What drivers tell of their turns, so that both of a pair tell the same of mirrored poses. Ways of drivers come from clips and shapes, which are not
    /// fitted symmetrically. `inputs`: one per driver.
    pub(crate) fn inputs(&self, inputs: &[DriverInput]) -> Vec<DriverInput> {
        let of = |driver: usize| {
            let partner = self.drivers[driver];
            // Of a pair the one that tells more, seen from the first of them.
            let wider = if inputs[partner].count() > inputs[driver].count()
                || (inputs[partner].count() == inputs[driver].count() && partner < driver)
            {
                partner
            } else {
                driver
            };
            let axes: Vec<DVec3> =
                inputs[wider].axes().iter().map(|axis| self.rest_axes[wider] * *axis).collect();
            let seen = |axis: DVec3| {
                let image = if wider == driver { axis } else { mirrored_turn(axis) };
                self.rest_axes[driver].transpose() * image
            };
            match axes[..] {
                [] => DriverInput::None,
                [axis] if partner != driver || turn_sign(axis).is_some() => DriverInput::Hinge(seen(axis)),
                _ => DriverInput::Frame(DVec3::AXES.map(seen)),
            }
        };
        (0..inputs.len()).map(of).collect()
    }

    /// Makes controllers of a region in the middle their own mirror image: a helper without partner does in the mirrored pose what its image does, and
    /// of a pair the second is the image of the first. `mirror`: partners among `drivers`; `pairs`: those of helpers.
    pub(crate) fn make_even(
        &self,
        controllers: &mut Controllers,
        drivers: &[usize],
        inputs: &[DriverInput],
        (mirror, pairs): (&Mirror, &[Option<usize>]),
    ) {
        controllers.helpers.iter_mut().zip(pairs).filter(|(_, pair)| pair.is_none()).for_each(
            |(helper, _)| {
                helper.frame.center.x = 0.0;
            },
        );
        let mut image = self.controllers(controllers, drivers, inputs);
        sort_functions(controllers, &mut image, mirror);
        for (at, pair) in pairs.iter().enumerate() {
            match *pair {
                None => {
                    let own = controllers.helpers[at].coefficients.iter_mut();
                    own.zip(&image.helpers[at].coefficients)
                        .for_each(|(own, other)| *own = 0.5 * (*own + other));
                }
                Some(partner) if partner > at => {
                    controllers.helpers[partner] = image.helpers[at].clone();
                    let parent = image.helpers[at].frame.parent;
                    controllers.helpers[partner].frame.parent = usize::from(mirror.drivers[parent]);
                }
                Some(_) => (),
            }
        }
    }

    /// Controllers of some drivers as their mirror image has them. `drivers`: theirs; `inputs`: of all drivers, made by [`inputs`](Self::inputs).
    pub(crate) fn controllers(
        &self,
        controllers: &Controllers,
        drivers: &[usize],
        inputs: &[DriverInput],
    ) -> Controllers {
        let mut signs = Vec::new();
        let mut mirrored = Vec::new();
        for (&driver, input) in drivers.iter().zip(&controllers.inputs) {
            let partner = self.drivers[driver];
            mirrored.push(if input.count() > 0 { inputs[partner] } else { DriverInput::None });
            let sign = |axis: &DVec3| match partner == driver {
                true => turn_sign(self.rest_axes[driver] * *axis).unwrap_or(1.0),
                false => 1.0,
            };
            signs.extend(input.axes().iter().map(sign));
        }
        let products: &[Vec<u16>] = match &controllers.basis {
            sinew_rig::ControllerBasis::Monomials(products) => products,
            sinew_rig::ControllerBasis::Radial { .. } => &[],
        };
        let function_sign = |function: usize| -> f64 {
            let product = function.checked_sub(1).and_then(|at| products.get(at));
            product.map_or(1.0, |product| product.iter().map(|&input| signs[usize::from(input)]).product())
        };
        let helper = |helper: &HelperController| {
            let mut frame = helper.frame;
            frame.center.x = -frame.center.x;
            let rows = helper.coefficients.chunks(HELPER_NUMBERS).enumerate();
            let coefficients = rows.flat_map(|(function, row)| {
                let sign = function_sign(function);
                row.iter().zip(NUMBER_SIGNS).map(move |(number, own)| number * sign * own)
            });
            HelperController { frame, coefficients: coefficients.collect() }
        };
        Controllers {
            inputs: mirrored,
            basis: controllers.basis.clone(),
            helpers: controllers.helpers.iter().map(helper).collect(),
        }
    }
}

/// Puts the coefficients of an image, whose inputs are those of partners, in the order of the functions of `own`.
fn sort_functions(own: &Controllers, image: &mut Controllers, mirror: &Mirror) {
    let sinew_rig::ControllerBasis::Monomials(products) = &own.basis else { return };
    let firsts: Vec<u16> = own
        .inputs
        .iter()
        .scan(0, |next, input| {
            let first = *next;
            *next += input.count() as u16;
            Some(first)
        })
        .collect();
    let partners: Vec<u16> = own
        .inputs
        .iter()
        .zip(&mirror.drivers)
        .flat_map(|(input, &partner)| {
            let first = firsts[usize::from(partner)];
            (0..input.count() as u16).map(move |at| first + at)
        })
        .collect();
    let sorted = |product: &[u16]| {
        let mut product = product.to_vec();
        product.sort_unstable();
        product
    };
    let places: HashMap<Vec<u16>, usize> =
        products.iter().enumerate().map(|(at, product)| (sorted(product), at + 1)).collect();
    for helper in &mut image.helpers {
        let mut moved = vec![0.0; helper.coefficients.len()];
        for (function, row) in helper.coefficients.chunks(HELPER_NUMBERS).enumerate() {
            let place = match function.checked_sub(1) {
                None => Some(0),
                Some(at) => {
                    let product: Vec<u16> =
                        products[at].iter().map(|&input| partners[usize::from(input)]).collect();
                    places.get(&sorted(&product)).copied()
                }
            };
            if let Some(place) = place {
                moved[place * HELPER_NUMBERS..][..HELPER_NUMBERS].copy_from_slice(row);
            }
        }
        helper.coefficients = moved;
    }
}

/// The mirror image of a rotation vector.
fn mirrored_turn(turn: DVec3) -> DVec3 {
    turn * DVec3::new(1.0, -1.0, -1.0)
}

/// By what a turn about an axis of rest space is multiplied in the mirror; `None` where it becomes one about another axis.
fn turn_sign(axis: DVec3) -> Option<f64> {
    if axis.y.abs() < ON_AXIS && axis.z.abs() < ON_AXIS {
        Some(1.0)
    } else if axis.x.abs() < ON_AXIS {
        Some(-1.0)
    } else {
        None
    }
}

/// For each driver its partner: of those that begin where its mirror image does, the one that moves the mirrored vertices.
fn driver_partners(
    bound: &BoundSurface,
    drivers: &DriverBinds,
    vertices: &[u32],
) -> Result<Vec<usize>, RigError> {
    let heads = drivers.heads();
    let count = heads.len();
    let mut shared = vec![0.0; count * count];
    for &vertex in drivers.vertices() {
        for (driver, weight) in drivers.influences(bound, vertex) {
            for (other, own) in drivers.influences(bound, vertices[vertex as usize]) {
                shared[driver * count + other] += weight * own;
            }
        }
    }
    let low = heads.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = heads.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let most = HEAD_TOLERANCE * (high - low).length();
    let mut partners = vec![usize::MAX; count];
    for driver in 0..count {
        if partners[driver] != usize::MAX {
            continue;
        }
        let image = heads[driver] * DVec3::new(-1.0, 1.0, 1.0);
        let is_near = |other: &usize| heads[*other].distance(image) <= most && partners[*other] == usize::MAX;
        let best = (0..count).filter(is_near).max_by(|&a, &b| {
            let of = |other: usize| shared[driver * count + other];
            of(a).total_cmp(&of(b)).then(b.cmp(&a))
        });
        let Some(best) = best else {
            return Err(RigError::MirrorDriver { driver, place: heads[driver] });
        };
        (partners[driver], partners[best]) = (best, driver);
    }
    Ok(partners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DAffine3;
    use sinew_rig::{ControllerBasis, DriverChange, Pose, samples};

    /// A pose and its mirror image: matrices and turns of all drivers.
    fn posed(
        figure: &sinew_rig::Character,
        drivers: &DriverBinds,
        turns: &[(usize, DVec3)],
    ) -> (Vec<DAffine3>, Vec<DriverChange>) {
        let rest = figure.skeleton().rest_model_from_bone();
        let mut pose = Pose::rest(figure);
        for &(driver, turn) in turns {
            let bone = drivers.bones()[driver];
            let axes = rest[bone.index()].matrix3.inverse();
            pose.turn(bone, glam::Quat::from_scaled_axis(axes * turn.as_vec3()));
        }
        let mut stands = vec![glam::Affine3A::IDENTITY; figure.skeleton().bone_count()];
        pose.model_from_bone_into(figure, &mut stands);
        (drivers.posed_from_rest(&stands), drivers.changes(figure, &stands))
    }

    #[test]
    fn mirrored_controllers_do_in_mirrored_poses_what_their_partners_did() {
        let figure = samples::figure();
        let bound = BoundSurface::of(&figure);
        let drivers = DriverBinds::all(&figure).unwrap();
        let symmetry = Symmetry::find(&bound, &drivers).unwrap();
        let count = drivers.bones().len();
        let pairs = (0..count).filter(|&driver| symmetry.driver(driver) != driver).count();
        assert!(pairs >= 8, "arms and legs have partners: {pairs}");
        let inputs = symmetry.inputs(&vec![DriverInput::Ball; count]);
        let chosen: Vec<usize> = (0..count).collect();
        let counts: Vec<usize> = inputs.iter().map(DriverInput::count).collect();
        let basis = ControllerBasis::polynomial(&counts, 2, false);
        let coefficients: Vec<f64> =
            (0..basis.function_count() * HELPER_NUMBERS).map(|at| 0.02 * (at as f64 * 1.7).sin()).collect();
        let parent = (0..count).find(|&driver| symmetry.driver(driver) != driver).unwrap();
        let frame = sinew_fit::HelperFrame { parent, center: DVec3::new(0.2, 1.0, 0.1) };
        let own = Controllers {
            inputs: inputs.clone(),
            basis,
            helpers: vec![HelperController { frame, coefficients }],
        };
        let image = symmetry.controllers(&own, &chosen, &inputs);
        // The part's drivers are in the order of their partners.
        let turns: Vec<(usize, DVec3)> =
            (0..count).map(|at| (at, DVec3::new(0.3, -0.2, 0.4) * (0.5 + (at as f64).sin()))).collect();
        let mirrored: Vec<(usize, DVec3)> =
            turns.iter().map(|&(at, turn)| (symmetry.driver(at), mirrored_turn(turn))).collect();
        let (matrices, rotations) = posed(&figure, &drivers, &turns);
        let (image_matrices, image_rotations) = posed(&figure, &drivers, &mirrored);
        let by_partner = |list: &[DriverChange]| -> Vec<DriverChange> {
            chosen.iter().map(|&at| list[symmetry.driver(at)]).collect()
        };
        let partner_matrices: Vec<DAffine3> =
            chosen.iter().map(|&at| image_matrices[symmetry.driver(at)]).collect();
        let there = own.posed_from_rest(&rotations, &matrices)[0];
        let here = image.posed_from_rest(&by_partner(&image_rotations), &partner_matrices)[0];
        let reflect = DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0));
        let expected = reflect * there * reflect;
        assert!(here.abs_diff_eq(expected, 1e-4), "{here} and {expected}");
    }
}
