//! Strain between two or three particles with frames.
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | `t_k` | `tangents` | unit directions in which the element extends at rest: one of a segment, two of a triangle |
//! | `β_ik` | `slopes` | what member i adds to the derivative of a field along `t_k` |
//! | `f_k` | `Strain::edges` | Σ β_ik x_i: where `t_k` has gone; columns of F |
//! | `Q_k` | `flat` | orthonormal vectors nearest to `f_k`: F = Q S with S symmetric |
//! | `R` | `turn` | mean of the members' rotations |
//! | `G_k` | `turnings` | Σ β_ik R_i: how the frames turn along `t_k`, against rest |
//! | `a`, `s` | `stretch`, `tie` | stiffness against stretch, and of places against frames |
//! | `B` | `bend` | stiffness against turns about `axis` and about directions across it |
//!
//! The energy has three parts. Stretch, ½ a Σ_k |f_k − Q_k|², does not know of frames. What ties places and frames together is
//! s (tr S − Σ_k f_k · R t_k), with the derivative s (Q − R t) to f: nothing where the frames lie as the places do, ½ s α² for each
//! tangent that is α off. Bending is ½ Σ_k Σ_c w_c |G_k c|², with c the axis and two directions across it. A turn per length about c changes
//! the other two, so that B about the axis is 2 w of those across, and about those across the sum of both w. All are smooth also where
//! frames are opposite, and bend, stretch and shear as Cosserat's rods and shells do.
//!
//! As in \[Muller11\] members' frames say how a region is turned, so that straight and flat ones have full rotations. Departures: there
//! one matrix of places and frames, weighted by moments, has a polar decomposition. Here stretch and tie are apart: were places
//! strained against frames alone, pulled elements would be softer than their ties, tilt their frames and give way.
//! Forces are in balance and so are moments, element by element: β sums to nothing over the members, and what the tie does to places,
//! Σ f_k × S_k, the frames take over.

use glam::{DMat3, DQuat, DVec3};

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
    /// Stiffness against stretch, joules.
    pub(crate) stretch: f64,
    /// Stiffness of places against frames, joules.
    pub(crate) tie: f64,
    /// Stiffness against turns about directions across the axis, and about the axis, J m²; the latter is at most twice the former.
    pub(crate) bend: [f64; 2],
}

/// What an element does at the moment, world space.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Strain {
    /// `f_k`.
    pub(crate) edges: [DVec3; 2],
    /// S_k = a (f_k − Q_k) + s (Q_k − R t_k).
    pub(crate) stresses: [DVec3; 2],
    /// Per member: moment of force that brings its frame in line with the others and with the places.
    pub(crate) moments: [DVec3; 3],
    /// How much pull along `f_k` holds it against turning: a |f_k − Q_k| / |f_k|, if it is longer than at rest.
    pub(crate) tensions: [f64; 2],
    /// How stiff the element is against stretch, along the directions of Q.
    pub(crate) stretch: DMat3,
    /// How stiff places are tied to frames, joules.
    pub(crate) tie: f64,
    /// B in world space.
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

    /// What the element does with members at these places and in these frames.
    pub(crate) fn strain(&self, place: impl Fn(u32) -> DVec3, frame: impl Fn(u32) -> DQuat) -> Strain {
        let members = &self.members[..self.count];
        let first = frame(members[0]);
        let mut sum = first;
        for &member in &members[1..] {
            let own = frame(member);
            sum += if own.dot(first) < 0.0 { -own } else { own };
        }
        // Frames that cancel have no mean; the first is as good as any.
        let turn = if sum.length_squared() > 1e-12 { sum.normalize() } else { first };
        let matrix = DMat3::from_quat(turn);
        let mut strain = Strain { bend: along(matrix * self.axis, self.bend), ..Strain::default() };
        let mut turns = [DMat3::ZERO; 3];
        let mut turnings = [DMat3::ZERO; 2];
        for (at, &member) in members.iter().enumerate() {
            let place = place(member);
            turns[at] = DMat3::from_quat(frame(member));
            for (k, turning) in turnings.iter_mut().enumerate().take(self.dimension()) {
                strain.edges[k] += place * self.slopes[k][at];
                *turning += turns[at] * self.slopes[k][at];
            }
        }
        // Of triangles the plain mean, of which the moments below are the exact derivative; see `Sheet` for what it adds to bending.
        let mean = if self.count == 2 { matrix } else { (turns[0] + turns[1] + turns[2]) * self.weight() };
        let upright = [mean * self.tangents[0], mean * self.tangents[1]];
        let flat = self.flat(strain.edges, upright);
        let (stretch, tie) = if flat.is_some() { (self.stretch, self.tie) } else { (0.0, self.stretch) };
        let flat = flat.unwrap_or(upright);
        strain.tie = tie;
        strain.stretch = if self.count == 2 {
            along(flat[0], [0.0, stretch])
        } else {
            along(flat[0].cross(flat[1]), [stretch, 0.0])
        };
        for (k, turning) in turnings.iter().enumerate().take(self.dimension()) {
            let edge = strain.edges[k];
            let pull = (edge - flat[k]) * stretch;
            // Without Q all of it is tie, s (f − R t).
            let tied = if stretch > 0.0 { flat[k] } else { edge };
            strain.stresses[k] = pull + (tied - upright[k]) * tie;
            for (at, own) in turns.iter().enumerate().take(self.count) {
                strain.moments[at] += self.moment(own, turning) * self.slopes[k][at];
                let towards = if self.count == 2 { upright[k] } else { *own * self.tangents[k] };
                strain.moments[at] += towards.cross(edge) * (tie * self.weight());
            }
            let length = edge.length().max(1e-6);
            strain.tensions[k] = if pull.dot(edge) > 0.0 { pull.length() / length } else { 0.0 };
        }
        strain
    }

    /// Q of the edges; none if they have none, or are turned over against the frames. Such elements are strained against their frames: a
    /// triangle that is mirrored in its plane would otherwise be content.
    fn flat(&self, edges: [DVec3; 2], upright: [DVec3; 2]) -> Option<[DVec3; 2]> {
        if self.count == 2 {
            let found = edges[0].try_normalize().filter(|flat| flat.dot(upright[0]) > 0.0);
            return found.map(|flat| [flat, DVec3::ZERO]);
        }
        nearest_orthonormal(edges)
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
        let mut force = DVec3::ZERO;
        for k in 0..self.dimension() {
            force -= strain.stresses[k] * self.slopes[k][at];
        }
        (force, strain.moments[at])
    }
}

/// A matrix with one stiffness across an axis and another along it.
fn along(axis: DVec3, stiffness: [f64; 2]) -> DMat3 {
    let more = axis * (stiffness[1] - stiffness[0]);
    DMat3::from_diagonal(DVec3::splat(stiffness[0]))
        + DMat3::from_cols(more * axis.x, more * axis.y, more * axis.z)
}

/// The orthonormal vectors nearest to two; none if those are along one line.
///
/// With C = FᵀF, S = (C + √det C) / √(tr C + 2 √det C) by Cayley and Hamilton, and Q = F S⁻¹.
fn nearest_orthonormal([f, g]: [DVec3; 2]) -> Option<[DVec3; 2]> {
    let (ff, fg, gg) = (f.length_squared(), f.dot(g), g.length_squared());
    let determinant = ff * gg - fg * fg;
    if determinant.is_nan() || determinant <= 1e-8 * (ff + gg) * (ff + gg) {
        return None;
    }
    let root = determinant.sqrt();
    // S has the determinant `root`.
    let scale = 1.0 / (root * (ff + gg + 2.0 * root).sqrt());
    let (a, b, c) = ((ff + root) * scale, fg * scale, (gg + root) * scale);
    Some([f * c - g * b, g * a - f * b])
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
