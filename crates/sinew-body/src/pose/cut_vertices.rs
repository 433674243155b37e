//! Vertices of bays that the source's twist cuts.
//!
//! \[Komatsu88\] section 5.2 gives a surface, not where its points go. A point that was `s` patches around the bay turns on by the share of
//! the twist at its place along it: at both ends it stays with its ring, so the mesh has no gap.

use super::PosedBody;
use crate::Patch;
use crate::body::BodyMesh;
use crate::limb::passed_patches;
use glam::Vec3;
use sinew_geometry::smooth_step_f64;

/// The vertices of all bays that may be cut.
#[derive(Clone, Debug, Default)]
pub(super) struct CutVertices {
    bays: Vec<CutBay>,
    /// Patches of a cut bay, at most.
    piece_count: usize,
}

#[derive(Clone, Debug)]
struct CutBay {
    tube: usize,
    bay: usize,
    vertices: Vec<CutVertex>,
}

#[derive(Clone, Copy, Debug)]
struct CutVertex {
    vertex: u32,
    /// Place around the bay, in patches from its first seam.
    around: f64,
    /// Place along it, 0…1.
    along: f64,
}

impl CutVertices {
    pub(super) fn new(body: &PosedBody, mesh: &BodyMesh) -> Self {
        let mut made = CutVertices::default();
        for (tube, bay) in body.cut_bays() {
            let of_body = &body.rest().tubes[tube];
            let count = of_body.tube.patch_count();
            let first = of_body.first_patch + bay * count;
            let places = mesh.places.iter().enumerate().filter_map(|(vertex, place)| {
                let k = (place.patch as usize).checked_sub(first).filter(|&k| k < count)?;
                Some(CutVertex { vertex: vertex as u32, around: k as f64 + place.u, along: place.w })
            });
            made.bays.push(CutBay { tube, bay, vertices: places.collect() });
            made.piece_count = made.piece_count.max(2 * count);
        }
        made
    }

    /// Room for [`Self::write_into`].
    pub(super) fn room(&self) -> Vec<Patch> {
        Vec::with_capacity(self.piece_count)
    }

    /// Writes the vertices of twisted bays over those of the uncut body. Does not allocate.
    pub(super) fn write_into(
        &self,
        body: &PosedBody,
        pieces: &mut Vec<Patch>,
        positions: &mut [Vec3],
        normals: &mut [Vec3],
    ) {
        for CutBay { tube, bay, vertices } in &self.bays {
            if !body.cut_into(*tube, *bay, pieces) {
                continue;
            }
            let passed = passed_patches(pieces.len() / 2, body.cut_angle(*tube, *bay));
            for vertex in vertices {
                let (patch, u) = vertex.on_pieces(pieces.len() / 2, passed);
                let at = vertex.vertex as usize;
                positions[at] = pieces[patch].position(u, vertex.along).as_vec3();
                if let Some(normal) = normals.get_mut(at) {
                    *normal = pieces[patch].normal(u, vertex.along).as_vec3();
                }
            }
        }
    }
}

impl CutVertex {
    /// The piece that the vertex lies on, and where in it.
    fn on_pieces(&self, count: usize, (whole, cut): (i64, f64)) -> (usize, f64) {
        let turned = self.around + (whole as f64 + cut) * smooth_step_f64(self.along);
        let turned = turned.rem_euclid(count as f64);
        let (k, share) = ((turned.floor() as usize).min(count - 1), turned - turned.floor());
        if share < cut { (2 * k, share / cut) } else { (2 * k + 1, ((share - cut) / (1.0 - cut)).min(1.0)) }
    }
}
