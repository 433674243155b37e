//! Triangles and material groups.
//!
//! The winding of triangles is reversed. Triangles with missing vertices are left out. Materials drawn as points or lines have only
//! vertices, materials without faces have no group, and faces without a material make a last group with the default look.

use crate::pmx::tally::Tally;
use crate::pmx::{Pmx, material_flags};
use sinew_io::Report;
use sinew_rig::{MaterialGroup, MaterialId, Mesh};
use std::ops::Range;

pub(super) fn read(pmx: &Pmx, mesh: &mut Mesh, report: &mut Report) {
    let (shares, left_over) = pmx.face_shares();
    let mut missing = Tally::default();
    let mut unshown = Tally::default();
    mesh.triangles.reserve_exact(pmx.faces.len());
    for (index, (material, share)) in pmx.materials.iter().zip(shares).enumerate() {
        let is_solid = material.flags & (material_flags::POINTS | material_flags::LINES) == 0;
        if !is_solid {
            unshown.add(index);
        }
        push_group(pmx, share, Some(MaterialId::of(index)), is_solid, mesh, &mut missing);
    }
    if !left_over.is_empty() {
        let message = format!("{} faces belong to no material; they get the default look", left_over.len());
        report.warn(format!("faces[{}]", left_over.start), message);
        push_group(pmx, left_over, None, true, mesh, &mut missing);
    }
    missing.tell("faces", report, "it has a vertex that does not exist; it is not shown");
    unshown.tell("materials", report, "it is drawn as points or lines; it is not shown");
}

fn push_group(
    pmx: &Pmx,
    share: Range<usize>,
    material: Option<MaterialId>,
    is_solid: bool,
    mesh: &mut Mesh,
    missing: &mut Tally,
) {
    let first = mesh.triangles.len() as u32;
    let mut vertices: Option<Range<u32>> = None;
    for index in share {
        let [a, b, c] = pmx.faces[index];
        let (least, most) = (a.min(b).min(c), a.max(b).max(c));
        if most as usize >= pmx.vertices.len() {
            missing.add(index);
            continue;
        }
        let known = vertices.get_or_insert(least..most + 1);
        *known = known.start.min(least)..known.end.max(most + 1);
        if is_solid {
            mesh.triangles.push([a, c, b]);
        }
    }
    if let Some(vertices) = vertices {
        mesh.groups.push(MaterialGroup { material, vertices, triangles: first..mesh.triangles.len() as u32 });
    }
}
