//! A built body: patches, their connections, and the parts they were made from.

mod check;
mod crossing;
mod fold;
mod mesh;
mod motion;
mod net;
mod parts;
mod stature;
mod topology;

pub use check::BodyCheck;
pub use crossing::Crossing;
pub use fold::Fold;
pub(crate) use fold::{is_even, sharpest_cosine};
pub use mesh::{BodyMesh, SurfacePlace};
pub use motion::{
    AngleRange, BentEdge, BentFill, BentNode, BentRing, BodyMotion, FillMuscle, Tension, TubeMuscle,
};
pub use parts::{
    BodyBone, BodyEdge, BodyEnd, BodyFill, BodyHead, BodyJoint, BodyNode, BodyPatch, BodyRing, BodyTube,
    FillSide, NetVertex, TubeEndName,
};
pub use topology::{Topology, Wire, WireUse};

use crate::fill::FillError;
use crate::quadrature::BodyRules;

/// A closed surface of patches on a stick figure.
///
/// Patches are derived from tubes, nodes, edges and fills: after changing those, call [`Body::update_patches`].
#[derive(Clone, Debug)]
pub struct Body {
    /// All patches: tube by tube, bay by bay, then fill by fill, then those of the head.
    pub patches: Vec<BodyPatch>,
    /// Connections of patches.
    pub topology: Topology,
    /// The stick figure's joints.
    pub joints: Vec<BodyJoint>,
    /// Its bones.
    pub bones: Vec<BodyBone>,
    /// Motion of each bone.
    pub motions: Vec<BodyMotion>,
    /// Rings around the bones.
    pub rings: Vec<BodyRing>,
    /// Tubes through the rings.
    pub tubes: Vec<BodyTube>,
    /// Ends of tubes at fills.
    pub ends: Vec<BodyEnd>,
    /// Points where four edges meet.
    pub nodes: Vec<BodyNode>,
    /// Edges between ends and nodes.
    pub edges: Vec<BodyEdge>,
    /// Fills between them.
    pub fills: Vec<BodyFill>,
    /// The head, if it is a net of patches.
    pub head: Option<BodyHead>,
}

impl Body {
    /// Recomputes the patches after changes of tubes, nodes or the shapes of edges and fills. Does not allocate.
    ///
    /// # Errors
    /// If a fill does not close; returns the first one's index in `fills`.
    pub fn update_patches(&mut self) -> Result<(), (usize, FillError)> {
        if let Some(head) = &mut self.head {
            head.join(&self.tubes);
            for (patch, found) in self.patches[head.first_patch..].iter_mut().enumerate() {
                found.patch = head.net.patch(patch, &head.slots);
            }
        }
        self.update_below_head()
    }

    /// The patches of tubes and fills alone.
    pub(crate) fn update_below_head(&mut self) -> Result<(), (usize, FillError)> {
        self.copy_tube_patches();
        self.update_edges();
        self.update_fills()
    }

    /// The enclosed volume in m³, accurate to about 1e-12 of it.
    pub fn volume(&self) -> f64 {
        let rules = BodyRules::for_reports();
        self.patches.iter().map(|patch| rules.volume(&patch.patch)).sum()
    }

    /// The surface area in m², accurate to about 1e-6 of it.
    pub fn area(&self) -> f64 {
        let rule = crate::quadrature::PatchRule::tensor(10);
        self.patches.iter().map(|patch| rule.area(&patch.patch)).sum()
    }

    fn copy_tube_patches(&mut self) {
        for tube in &self.tubes {
            let count = tube.tube.patch_count();
            for bay in 0..tube.tube.bay_count() {
                for k in 0..count {
                    self.patches[tube.first_patch + bay * count + k].patch = tube.tube.patch(bay, k);
                }
            }
        }
        if let Some(head) = &self.head {
            let tube = &self.tubes[head.tube];
            let end = tube.first_patch + tube.tube.bay_count() * tube.tube.patch_count();
            for found in &mut self.patches[end - tube.tube.patch_count()..end] {
                found.patch = head.cut(&found.patch);
            }
        }
    }
}

#[cfg(test)]
mod changes;
#[cfg(test)]
mod tests;
