//! The default deformer: the grouped kernels for methods they support, the plain form for the rest.

use crate::blocks::{self, Block};
use crate::fast::{FrameSettings, GroupedSkin, Tables, VertexKind};
use crate::folded::fold;
use crate::{BoneFrame, Folded, FoldedTerm, Method, Skin};
use glam::{Affine3A, Vec3};
use sinew_rig::{BoundSurface, Deformer, Surface, SurfaceMut, Workspace};

/// A [`Skin`] with grouped kernels for all vertices but those that mix dual quaternions with other methods, or slerp with nlerp: they are
/// moved one by one.
#[derive(Debug)]
pub struct FastSkin {
    plain: Skin,
    grouped: GroupedSkin,
    /// Vertices that the kernels do not support, ascending.
    one_by_one: Vec<u32>,
    rest: Surface,
}

/// Memory for one frame.
struct Room {
    bones: Vec<BoneFrame>,
    /// The kernels' own copy of the rest shape, changed by morphs.
    grouped: GroupedSkin,
    tables: Tables,
    /// The rest shape that `grouped` holds.
    rest: Surface,
}

impl FastSkin {
    /// Finds the vertices that the kernels support.
    pub fn over(plain: Skin, bound: &BoundSurface) -> Self {
        let (mut one_by_one, mut folded, mut terms) = (Vec::new(), Folded::default(), Vec::new());
        let kinds: Vec<VertexKind> = (0..bound.vertex_count())
            .map(|vertex| {
                let kind = kind_of(&plain, vertex, bound.rest().positions[vertex], &mut terms);
                match kind {
                    Some((VertexKind::Folded(_), linear)) => folded.push(&terms, linear),
                    _ => folded.push(&[], 0.0),
                }
                kind.map_or_else(
                    || {
                        one_by_one.push(vertex as u32);
                        VertexKind::Lbs
                    },
                    |(kind, _)| kind,
                )
            })
            .collect();
        let palette_len = bound.palette().len();
        let grouped = GroupedSkin::bind(bound.rest(), bound.influences(), palette_len, &kinds, &folded);
        Self { plain, grouped, one_by_one, rest: bound.rest().clone() }
    }

    /// Number of vertices that the kernels do not support.
    pub fn one_by_one_count(&self) -> usize {
        self.one_by_one.len()
    }
}

/// Kernel of a vertex, and the share of linear blending in its folded form, whose terms go to `terms`; `None` if not supported.
fn kind_of(
    skin: &Skin,
    vertex: usize,
    position: Vec3,
    terms: &mut Vec<FoldedTerm>,
) -> Option<(VertexKind, f32)> {
    let mut methods = skin.mixes.of_vertex(vertex);
    match (methods.next(), methods.next()) {
        _ if skin.influences.of(vertex).0.len() < 2 => Some((VertexKind::Lbs, 0.0)),
        (Some((Method::Lbs | Method::DeltaMush { .. }, _)), None) => Some((VertexKind::Lbs, 0.0)),
        (Some((Method::Dlb, _)), None) => Some((VertexKind::Dlb, 0.0)),
        _ => {
            let rest = |method: Method| skin.rest_vertex(method, vertex, position);
            let (blend, linear) = fold(skin.mixes.of_vertex(vertex), rest, terms)?;
            Some((VertexKind::Folded(blend), linear))
        }
    }
}

impl Deformer for FastSkin {
    fn vertex_count(&self) -> usize {
        self.plain.vertex_count()
    }

    fn workspace(&self) -> Workspace {
        Workspace::new(Room {
            bones: vec![BoneFrame::IDENTITY; self.plain.palette_len],
            grouped: self.grouped.clone(),
            tables: Tables::new(&self.grouped),
            rest: self.rest.clone(),
        })
    }

    fn deform(
        &self,
        workspace: &mut Workspace,
        posed_from_rest: &[Affine3A],
        rest: &Surface,
        mut posed: SurfaceMut<'_>,
    ) {
        let room: &mut Room = workspace.get();
        if room.rest != *rest {
            let shift = |vertex: usize| self.plain.center_shifts.of(vertex, rest.positions[vertex]);
            room.grouped.update_rest_and_centers(rest, &self.grouped, shift);
            room.rest.positions.copy_from_slice(&rest.positions);
            room.rest.normals.copy_from_slice(&rest.normals);
            room.rest.tangents.copy_from_slice(&rest.tangents);
        }
        room.tables.pose(&room.grouped, posed_from_rest);
        room.grouped.deform(&room.tables, FrameSettings::default(), posed.reborrow());
        if self.one_by_one.is_empty() {
            return;
        }
        room.bones.iter_mut().zip(posed_from_rest).for_each(|(bone, matrix)| *bone = BoneFrame::new(matrix));
        let bones = room.bones.as_slice();
        blocks::for_each(posed, |mut block: Block<'_>| {
            let end = block.first + block.posed.positions.len();
            let from = self.one_by_one.partition_point(|&vertex| (vertex as usize) < block.first);
            let listed = self.one_by_one[from..].iter().map(|&vertex| vertex as usize);
            for vertex in listed.take_while(|&vertex| vertex < end) {
                self.plain.write_vertex(vertex, rest, bones, &mut block);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JointRule, MorphCenters, RotationBlend, SkinSettings};
    use glam::Quat;
    use sinew_rig::{Pose, samples};

    /// Rounding between kernels and the plain form, as a share of a model of about a meter.
    const ROUNDING: f32 = 2e-6;

    #[track_caller]
    fn check(settings: &SkinSettings, expected_one_by_one: bool) {
        let character = samples::limb(16, 40);
        let bound = BoundSurface::of(&character);
        let plain = Skin::bind(&character, &bound, settings);
        let fast = FastSkin::over(plain.clone(), &bound);
        assert_eq!(fast.one_by_one_count() > 0, expected_one_by_one, "{}", settings.method);
        let mut pose = Pose::rest(&character);
        pose.turn(character.skeleton().find("lower").expect("in the sample"), Quat::from_rotation_x(1.9));
        let matrices = bound.posed_from_rest(&character, &pose);
        let mut morphed = bound.rest().clone();
        morphed.positions.iter_mut().for_each(|position| *position *= Vec3::new(1.3, 1.1, 1.0));
        let mut workspace = fast.workspace();
        for rest in [bound.rest(), &morphed, bound.rest()] {
            let (mut a, mut b) = (rest.clone(), rest.clone());
            plain.deform(&mut plain.workspace(), &matrices, rest, a.as_mut());
            fast.deform(&mut workspace, &matrices, rest, b.as_mut());
            for vertex in 0..bound.vertex_count() {
                assert!(
                    a.positions[vertex].distance(b.positions[vertex]) < ROUNDING,
                    "{} {vertex}",
                    settings.method
                );
                assert!(
                    a.normals[vertex].distance(b.normals[vertex]) < ROUNDING,
                    "{} {vertex}",
                    settings.method
                );
            }
        }
    }

    #[test]
    fn the_kernels_agree_with_the_plain_form() {
        for (method, expected_one_by_one) in [
            (Method::Lbs, false),
            (Method::Dlb, false),
            (Method::SDEF, false),
            (Method::Sdef { s: 0.5, rotation: RotationBlend::Nlerp }, false),
            (Method::SBS, false),
            (Method::BEZIER, false),
            (Method::Cor, false),
        ] {
            check(&SkinSettings::from(method), expected_one_by_one);
        }
        let rule = JointRule { pattern: "lower".into(), method: Method::BEZIER };
        check(&SkinSettings { joints: vec![rule], ..SkinSettings::default() }, false);
        check(&SkinSettings { morph_centers: MorphCenters::Fixed, ..Method::SDEF.into() }, false);
    }

    #[test]
    fn centers_follow_along_the_limb_only() {
        let character = samples::limb(16, 40);
        let bound = BoundSurface::of(&character);
        let mut pose = Pose::rest(&character);
        pose.turn(character.skeleton().find("lower").expect("in the sample"), Quat::from_rotation_x(1.5));
        let matrices = bound.posed_from_rest(&character, &pose);
        let largest_difference = |shift: Vec3| {
            let mut morphed = bound.rest().clone();
            morphed.positions.iter_mut().for_each(|position| *position += shift);
            let deformed = [MorphCenters::Follow, MorphCenters::Fixed].map(|morph_centers| {
                let settings = SkinSettings { morph_centers, ..Method::SDEF.into() };
                let skin = crate::bind(&character, &bound, &settings);
                let mut posed = morphed.clone();
                skin.deform(&mut skin.workspace(), &matrices, &morphed, posed.as_mut());
                posed.positions
            });
            let pairs = deformed[0].iter().zip(&deformed[1]);
            pairs.map(|(follow, fixed)| follow.distance(*fixed)).fold(0.0, f32::max)
        };
        assert!(largest_difference(Vec3::X * 0.05) < ROUNDING, "a thicker limb turns with its skin");
        assert!(largest_difference(Vec3::Y * 0.05) > 5e-3, "a longer limb takes its centers along");
    }
}
