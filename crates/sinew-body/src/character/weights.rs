//! Weights of places on the surface.

use super::figure::parent_of;
use super::transition::{Transition, ring_places, transitions};
use crate::Side;
use crate::body::{Body, BodyEnd, BodyFill, BodyHead, FillSide, NetVertex, SurfacePlace, TubeEndName};
use glam::DVec3;
use sinew_geometry::smooth_step_f64;
use sinew_rig::Spherical;

/// Shares of bones, before the limit of four.
pub(super) type Shares = Vec<(usize, f64)>;

/// Weights of any place of one body.
pub(super) struct Weights<'a> {
    body: &'a Body,
    tubes: Vec<TubeChain>,
    /// Whether any patch follows the bone.
    has_patches: Vec<bool>,
    rings: Vec<EndRing>,
}

/// The ring at an end of a tube.
struct EndRing {
    middle: DVec3,
    /// The largest, m.
    radius_m: f64,
}

struct TubeChain {
    places: Vec<f64>,
    transitions: Vec<Transition>,
    /// The only bone of a tube without joints.
    bone: usize,
}

/// Distances from the middle of a limb's ring, in radii, up to which fills follow the limb as far as they like, and from which they do not: a
/// finger does not move the edge of the hand.
const REACH_RADII: [f64; 2] = [1.25, 2.6];
/// Maximum bones per vertex.
const MOST_BONES: usize = 4;
/// Smaller shares are dropped.
const LEAST_SHARE: f64 = 1e-3;

impl<'a> Weights<'a> {
    pub(super) fn new(body: &'a Body) -> Self {
        let tubes = (0..body.tubes.len())
            .map(|tube| TubeChain {
                places: ring_places(&body.tubes[tube]),
                transitions: transitions(body, tube),
                bone: body.tubes[tube].bones[0],
            })
            .collect();
        let mut has_patches = vec![false; body.bones.len()];
        body.patches.iter().for_each(|patch| has_patches[patch.bone] = true);
        Self { body, tubes, has_patches, rings: body.ends.iter().map(|end| EndRing::of(body, end)).collect() }
    }

    /// Shares and spherical parameters of a place. The parameters exist where two bones of a tube meet; the shares are then in their order.
    pub(super) fn at(&self, place: &SurfacePlace) -> (Shares, Option<Spherical>) {
        let patch = place.patch as usize;
        if let Some(head) = self.body.head.as_ref().filter(|head| head.first_patch <= patch) {
            let shares = self.in_head(head, patch - head.first_patch, place);
            let joint = self.tubes[head.tube].joint_between(&shares);
            let point = self.body.patches[patch].patch.position(place.u, place.w);
            return (shares, joint.map(|joint| joint.spherical(point)));
        }
        let is_here =
            |fill: &&BodyFill| (fill.first_patch..fill.first_patch + fill.sides.len()).contains(&patch);
        if let Some(fill) = self.body.fills.iter().find(is_here) {
            let corner = patch - fill.first_patch;
            let mut shares = self.in_fill(fill, corner, place.u, place.w);
            let point = self.body.patches[patch].patch.position(place.u, place.w);
            self.keep_reach(fill, point, &mut shares);
            return (cut(shares), None);
        }
        let tube = self.body.tubes.iter().rposition(|tube| tube.first_patch <= patch).unwrap_or(0);
        let chain = &self.tubes[tube];
        let bay = (patch - self.body.tubes[tube].first_patch) / self.body.tubes[tube].tube.patch_count();
        let head = self.body.head.as_ref().filter(|head| head.tube == tube && bay + 2 == chain.places.len());
        let w = head.map_or(1.0, |head| head.kept) * place.w;
        let along = chain.places[bay] + w * (chain.places[bay + 1] - chain.places[bay]);
        let shares = cut(chain.shares(along));
        let joint = chain.joint_between(&shares);
        let point = self.body.patches[patch].patch.position(place.u, place.w);
        (shares, joint.map(|joint| joint.spherical(point)))
    }

    /// The head's bone, and from the neck's end through the collar a part of the neck's.
    fn in_head(&self, head: &BodyHead, patch: usize, place: &SurfacePlace) -> Shares {
        let chain = &self.tubes[head.tube];
        let mut sides = head.net.border().iter().filter(|(found, _)| *found == patch);
        let Some((_, side)) = sides.next() else { return vec![(head.bone, 1.0)] };
        let away = match side {
            Side::U0 => place.u,
            Side::U1 => 1.0 - place.u,
            Side::W0 => place.w,
            Side::W1 => 1.0 - place.w,
        };
        let reach = chain.transitions.last().map_or(0.0, |joint| joint.reach_ahead_m());
        let [.., before, last] = chain.places[..] else { return vec![(head.bone, 1.0)] };
        let (from, to) = (before + head.kept * (last - before), last + reach);
        cut(chain.shares(from + away * (to - from)))
    }

    /// Blends the corners of the patch: the vertex of the net, the middles of both sides, and the fill's center.
    fn in_fill(&self, fill: &BodyFill, corner: usize, u: f64, w: f64) -> Shares {
        let count = fill.sides.len();
        let (u, w) = (smooth_step_f64(u), smooth_step_f64(w));
        let corners = [
            ((1.0 - u) * (1.0 - w), self.at_vertex(fill.vertices[corner])),
            (u * (1.0 - w), self.at_side(fill.sides[corner])),
            ((1.0 - u) * w, self.at_side(fill.sides[(corner + count - 1) % count])),
            (u * w, self.at_center(fill)),
        ];
        mixed(corners)
    }

    /// Passes on to its parent what a limb would carry beyond its reach.
    fn keep_reach(&self, fill: &BodyFill, point: DVec3, shares: &mut Shares) {
        let ends = fill.vertices.iter().filter_map(|vertex| match vertex {
            NetVertex::Corner { end, .. } => Some(*end),
            NetVertex::Node(_) => None,
        });
        let mut done = Vec::new();
        for end in ends {
            let BodyEnd { tube, end: TubeEndName::Start, .. } = self.body.ends[end] else { continue };
            let (bone, ring) = (self.body.tubes[tube].bones[0], &self.rings[end]);
            let Some(parent) = parent_of(self.body, bone).filter(|_| !done.contains(&end)) else { continue };
            done.push(end);
            let [near, far] = REACH_RADII;
            let beyond = (point.distance(ring.middle) / ring.radius_m - near) / (far - near);
            let passed = smooth_step_f64(beyond.clamp(0.0, 1.0));
            let Some((_, share)) = shares.iter_mut().find(|(found, _)| *found == bone) else { continue };
            let moved = passed * *share;
            *share -= moved;
            add(shares, parent, moved);
        }
    }

    /// The center of a fill follows all of its sides equally.
    fn at_center(&self, fill: &BodyFill) -> Shares {
        mixed(fill.sides.iter().map(|&side| (1.0 / fill.sides.len() as f64, self.at_side(side))))
    }

    fn at_vertex(&self, vertex: NetVertex) -> Shares {
        match vertex {
            NetVertex::Corner { end, .. } => self.at_end(end),
            NetVertex::Node(node) => vec![(self.body.nodes[node].bone, 1.0)],
        }
    }

    /// Constant around the ring: fills and tube agree there.
    fn at_end(&self, end: usize) -> Shares {
        let end = &self.body.ends[end];
        let chain = &self.tubes[end.tube];
        chain.shares(match end.end {
            TubeEndName::Start => 0.0,
            TubeEndName::End => chain.places[chain.places.len() - 1],
        })
    }

    /// The middle of a side: an edge's follows both of its ends equally. Between a limb and the trunk the limb's half follows a bone
    /// without patches, such as the collarbone.
    fn at_side(&self, side: FillSide) -> Shares {
        let edge = match side {
            FillSide::Arc { end, .. } | FillSide::Double { end, .. } => return self.at_end(end),
            FillSide::Edge { edge, .. } => &self.body.edges[edge],
        };
        let bare = |vertex: NetVertex| {
            let NetVertex::Corner { end, .. } = vertex else { return None };
            let end = &self.body.ends[end];
            let bone = match end.end {
                TubeEndName::Start => self.body.tubes[end.tube].bones[0],
                TubeEndName::End => return None,
            };
            parent_of(self.body, bone).filter(|&parent| !self.has_patches[parent])
        };
        match bare(edge.from).or_else(|| bare(edge.to)) {
            Some(bare) => vec![(edge.bone, 0.5), (bare, 0.5)],
            None => mixed([edge.from, edge.to].map(|vertex| (0.5, self.at_vertex(vertex)))),
        }
    }
}

impl EndRing {
    fn of(body: &Body, end: &BodyEnd) -> Self {
        let tube = &body.tubes[end.tube].tube;
        let ring = tube.row(end.end.rows(tube)[0]);
        let middle = ring.iter().sum::<DVec3>() / ring.len() as f64;
        Self { middle, radius_m: ring.iter().map(|point| point.distance(middle)).fold(0.0, f64::max) }
    }
}

impl TubeChain {
    /// The joint between the two bones of a place.
    fn joint_between(&self, shares: &Shares) -> Option<&Transition> {
        let [(before, _), (after, _)] = shares[..] else { return None };
        self.transitions.iter().find(|joint| joint.before == before && joint.after == after)
    }

    /// Bones in order along the tube.
    fn shares(&self, along_m: f64) -> Shares {
        let Some(first) = self.transitions.first() else { return vec![(self.bone, 1.0)] };
        let mut shares = Shares::new();
        let mut rest = 1.0;
        let mut bone = first.before;
        for joint in &self.transitions {
            let after = joint.share_after(along_m);
            add(&mut shares, bone, rest - after.min(rest));
            (rest, bone) = (after.min(rest), joint.after);
        }
        add(&mut shares, bone, rest);
        shares
    }
}

fn mixed(parts: impl IntoIterator<Item = (f64, Shares)>) -> Shares {
    let mut sum = Shares::new();
    for (weight, shares) in parts {
        shares.into_iter().for_each(|(bone, share)| add(&mut sum, bone, weight * share));
    }
    sum
}

fn add(shares: &mut Shares, bone: usize, share: f64) {
    if share <= 0.0 {
        return;
    }
    match shares.iter_mut().find(|(found, _)| *found == bone) {
        Some((_, sum)) => *sum += share,
        None => shares.push((bone, share)),
    }
}

/// The four largest, in their order, without tiny ones.
fn cut(mut shares: Shares) -> Shares {
    shares.retain(|&(_, share)| share > LEAST_SHARE);
    while shares.len() > MOST_BONES {
        let lightest = (0..shares.len()).min_by(|&a, &b| shares[a].1.total_cmp(&shares[b].1));
        shares.remove(lightest.unwrap_or(0));
    }
    shares
}
