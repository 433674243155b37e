//! Strain between two or three particles with frames.
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | `t_k` | `tangents` | unit directions in which the element extends at rest: one of a segment, two of a triangle |
//! | `β_ik` | `slopes` | what member i adds to the derivative of a field along `t_k` |
//! | `R` | `Strain::turn` | mean of the members' rotations |
//! | `f_k` | `Strain::edges` | Σ β_ik x_i: where `t_k` has gone |
//! | `E_k` | | Rᵀ f_k − t_k: stretch and shear |
//! | `G_k` | | Σ β_ik R_i: how the frames turn along `t_k`, against rest |
//! | `A`, `B` | `stretch`, `bend` | stiffness along `axis` and across it |
//!
//! The energy is ½ Σ_k (E_kᵀ A E_k + Σ_c w_c |G_k c|²), with c the axis and two directions across it. A turn κ per length about c
//! changes the other two, so that stiffness B about the axis is 2 w of those across, and about those across the sum of both w. Unlike the
//! angle between frames it is smooth also where they are opposite, and its forces are those of an energy. As in \[Muller11\] a member's frame takes part in where its region has turned, so that
//! straight and flat regions have full rotations. Departure: the frames alone turn the region, and positions are strained against
//! them, as in Cosserat's theory of rods and shells; that has a stiffness in newtons, which a mixture of both moments has not.
//! Forces are in balance and so are moments, element by element: β sums to nothing over the members, and what `E_k` does to
//! positions, Σ f_k × S_k, is what the frames take over.

use glam::{DMat3, DQuat, DVec3};
use sinew_geometry::symmetric_eigen;

/// Two or three particles whose frames and places belong together.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// The particles; of a segment the first two.
    pub(crate) members: [u32; 3],
    /// How many.
    pub(crate) count: usize,
    pub(crate) tangents: [DVec3; 2],
    /// Per tangent and member, 1/m; nothing for the second tangent of a segment.
    pub(crate) slopes: [[f64; 3]; 2],
    /// Along a segment, or across a triangle; unit.
    pub(crate) axis: DVec3,
    /// Stiffness of `E` across the axis and along it, joules.
    pub(crate) stretch: [f64; 2],
    /// Stiffness against turns about directions across the axis, and about the axis, J m²; the latter is at most twice the former.
    pub(crate) bend: [f64; 2],
}

/// What an element does at the moment, world space.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Strain {
    /// `f_k`.
    pub(crate) edges: [DVec3; 2],
    /// R A E_k.
    pub(crate) stresses: [DVec3; 2],
    /// Per member: moment of force that brings its frame in line with the others.
    pub(crate) moments: [DVec3; 3],
    /// How much pull along `f_k` holds it against turning: S_k · f_k / |f_k|², if that is not negative.
    pub(crate) tensions: [f64; 2],
    /// R A Rᵀ.
    pub(crate) stretch: DMat3,
    /// R B Rᵀ.
    pub(crate) bend: DMat3,
}

impl Element {
    /// How many tangents there are.
    pub(crate) fn dimension(&self) -> usize {
        self.count - 1
    }

    /// Share of a member in the mean.
    pub(crate) fn weight(&self) -> f64 {
        1.0 / self.count as f64
    }

    /// How many times the sum of the members' squares the square of their sum can be, in a field's derivative: 2 for segments and for
    /// triangles with a right angle, 1.5 for even triangles. Of the matrix Σ_k β_ik β_jk with its diagonal scaled to 1 it is the
    /// largest eigenvalue. A block-diagonal matrix that many times as large is an upper bound.
    pub(crate) fn spread(&self) -> f64 {
        let product = |a: usize, b: usize| (0..2).map(|k| self.slopes[k][a] * self.slopes[k][b]).sum::<f64>();
        let entry = |a: usize, b: usize| {
            let scale = product(a, a) * product(b, b);
            if scale > 0.0 { product(a, b) / scale.sqrt() } else { 0.0 }
        };
        let column = |b: usize| DVec3::new(entry(0, b), entry(1, b), entry(2, b));
        let (_, sizes) = symmetric_eigen(&DMat3::from_cols(column(0), column(1), column(2)));
        sizes.max_element()
    }

    /// What the element does with members at these places and in these frames.
    pub(crate) fn strain(&self, place: impl Fn(u32) -> DVec3, frame: impl Fn(u32) -> DQuat) -> Strain {
        let members = &self.members[..self.count];
        let first = frame(members[0]);
        let mut sum = first;
        for &member in &members[1..] {
            let own = frame(member);
            sum = sum + if own.dot(first) < 0.0 { -own } else { own };
        }
        // Frames that cancel have no mean; the first is as good as any.
        let turn = if sum.length_squared() > 1e-12 { sum.normalize() } else { first };
        let matrix = DMat3::from_quat(turn);
        let world_axis = matrix * self.axis;
        let along = |stiffness: [f64; 2]| {
            let axis = world_axis * (stiffness[1] - stiffness[0]);
            DMat3::from_diagonal(DVec3::splat(stiffness[0]))
                + DMat3::from_cols(axis * world_axis.x, axis * world_axis.y, axis * world_axis.z)
        };
        let mut strain = Strain { stretch: along(self.stretch), bend: along(self.bend), ..Strain::default() };
        let mut turns = [DMat3::ZERO; 3];
        let mut turnings = [DMat3::ZERO; 2];
        for (at, &member) in members.iter().enumerate() {
            let place = place(member);
            turns[at] = DMat3::from_quat(frame(member));
            for k in 0..self.dimension() {
                strain.edges[k] += place * self.slopes[k][at];
                turnings[k] += turns[at] * self.slopes[k][at];
            }
        }
        for (k, turning) in turnings.iter().enumerate().take(self.dimension()) {
            let edge = strain.edges[k];
            strain.stresses[k] = strain.stretch * (edge - matrix * self.tangents[k]);
            for (at, own) in turns.iter().enumerate().take(self.count) {
                strain.moments[at] += self.moment(own, turning) * self.slopes[k][at];
            }
            strain.tensions[k] = (strain.stresses[k].dot(edge) / edge.length_squared().max(1e-12)).max(0.0);
        }
        strain
    }

    /// − Σ_c w_c (R_i c) × (G_k c).
    fn moment(&self, own: &DMat3, turning: &DMat3) -> DVec3 {
        let across = 0.5 * self.bend[1];
        let along = self.bend[0] - across;
        let sum = own.x_axis.cross(turning.x_axis)
            + own.y_axis.cross(turning.y_axis)
            + own.z_axis.cross(turning.z_axis);
        sum * -across - (*own * self.axis).cross(*turning * self.axis) * (along - across)
    }

    /// Force and moment on a member.
    pub(crate) fn pull(&self, strain: &Strain, at: usize) -> (DVec3, DVec3) {
        let (mut force, mut moment) = (DVec3::ZERO, strain.moments[at]);
        for k in 0..self.dimension() {
            force -= strain.stresses[k] * self.slopes[k][at];
            moment += strain.edges[k].cross(strain.stresses[k]) * self.weight();
        }
        (force, moment)
    }
}

/// Square of the sine of half an angle up to which a series is as good as the arc: 15 degrees.
const SMALL: f64 = 0.017;

/// The rotation about its length, by the shorter way.
pub(crate) fn rotation_vector(turn: DQuat) -> DVec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let part = turn.xyz();
    let square = part.length_squared();
    if square < SMALL {
        // 2 arcsin(x) / x, whose next term is below 1e-9.
        let series = 1.0
            + square
                * (1.0 / 6.0 + square * (3.0 / 40.0 + square * (5.0 / 112.0 + square * (35.0 / 1152.0))));
        return part * (2.0 * series);
    }
    let length = square.sqrt();
    part * (2.0 * length.atan2(turn.w) / length)
}

/// [v]×, so that [v]× w = v × w.
pub(crate) fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}
