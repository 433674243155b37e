//! Per-pose data: constants of every bone set, computed once per frame.

use super::grouping::{BoneSet, GroupMethod, Table};
use super::skin::GroupedSkin;
use super::turn::{PairTable, TurnSet, step_count};
use super::{dlb, lbs};
use crate::BoneFrame;
use crate::bone_frame::dual_part;
use glam::{Affine3A, Mat3A, Quat, Vec3A};

/// A bone counts as rigid if its `AᵀA` differs from the identity by less. Rounding of long chains of f32 matrices stays below 1e-6; treating
/// a bone this far off as rigid moves skin by half of it, 1.5e-6 of its distance from the center of rotation.
const RIGID_TOLERANCE: f32 = 3e-6;

/// Constants of all bone sets for one pose. Owned by the caller, for one [`GroupedSkin`], rewritten every frame.
#[derive(Clone, Debug)]
pub struct Tables {
    bones: Vec<BoneParts>,
    /// Whether all bones of a set are rigid in this pose, one per set.
    is_rigid: Vec<bool>,
    /// LBS: M₀, then Mᵢ − M₀, of all sets.
    pub(super) matrices: Vec<[f32; lbs::BONE_FLOATS]>,
    /// Dual quaternions: q₀, then ±qᵢ − q₀, of all sets.
    pub(super) motions: Vec<[f32; dlb::BONE_FLOATS]>,
    /// Dual quaternions: P₀, then Pᵢ − P₀, of all sets.
    pub(super) stretches: Vec<[f32; dlb::STRETCH_FLOATS]>,
    /// Folded form of two bones, of all sets.
    pub(super) pairs: Vec<PairTable>,
    /// Folded form of more, of all sets.
    pub(super) turns: TurnTables,
}

/// Constants of bones in folded form, of all sets of more than two.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnTables {
    /// M₀, then Mᵢ − M₀.
    pub(super) matrices: Vec<[f32; lbs::BONE_FLOATS]>,
    /// Rotations, in the hemisphere of the first.
    pub(super) rotations: Vec<[f32; 4]>,
    /// `1 − qᵢ · qⱼ`, of each bone and those after it among the first four of its set.
    pub(super) gaps: Vec<[f32; 4]>,
    /// Steps to the mean, of a set at its first bone.
    pub(super) step_counts: Vec<usize>,
    /// P₀, then Pᵢ − P₀.
    pub(super) stretches: Vec<[f32; dlb::STRETCH_FLOATS]>,
}

impl TurnTables {
    /// What the mean rotation of a set needs.
    #[inline(always)]
    pub(super) fn set(&self, constants_at: usize, extra: usize) -> TurnSet<'_> {
        TurnSet {
            rotations: &self.rotations[constants_at..][..=extra],
            gaps: &self.gaps[constants_at..][..=extra],
            step_count: self.step_counts[constants_at],
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct BoneParts {
    frame: BoneFrame,
    is_rigid: bool,
    /// Whether a set blends its rotation and stretch; if not, the frame has its matrix alone.
    needs_parts: bool,
}

impl BoneParts {
    const IDENTITY: Self = Self { frame: BoneFrame::IDENTITY, is_rigid: true, needs_parts: false };

    fn set(&mut self, posed_from_rest: &Affine3A) {
        self.is_rigid = is_rigid(&posed_from_rest.matrix3);
        if self.needs_parts && !self.is_rigid {
            self.frame = BoneFrame::new(posed_from_rest);
            return;
        }
        self.frame.posed_from_rest = *posed_from_rest;
        if self.needs_parts {
            self.frame.rotation = Quat::from_mat3a(&posed_from_rest.matrix3).normalize();
            self.frame.stretch = Mat3A::IDENTITY;
            self.frame.dual = dual_part(self.frame.rotation, posed_from_rest.translation);
        }
    }
}

impl Tables {
    /// Room for the constants of `skin`, in rest pose.
    pub fn new(skin: &GroupedSkin) -> Self {
        let mut tables = Self {
            bones: vec![BoneParts::IDENTITY; skin.palette_len],
            is_rigid: vec![true; skin.sets.len()],
            matrices: Vec::new(),
            motions: Vec::new(),
            stretches: Vec::new(),
            pairs: Vec::new(),
            turns: TurnTables::default(),
        };
        for set in &skin.sets {
            let bones = &skin.set_bones[set.bones.clone()];
            match set.table() {
                Table::Matrices => grow(&mut tables.matrices, set),
                Table::Motions => {
                    grow(&mut tables.motions, set);
                    grow(&mut tables.stretches, set);
                }
                Table::Pairs => grow(&mut tables.pairs, set),
                Table::Turns => {
                    grow(&mut tables.turns.matrices, set);
                    grow(&mut tables.turns.rotations, set);
                    grow(&mut tables.turns.gaps, set);
                    grow(&mut tables.turns.step_counts, set);
                    grow(&mut tables.turns.stretches, set);
                }
            }
            if set.method != GroupMethod::Lbs {
                bones.iter().for_each(|&bone| tables.bones[usize::from(bone)].needs_parts = true);
            }
        }
        tables.pose(skin, &vec![Affine3A::IDENTITY; skin.palette_len]);
        tables
    }

    /// Takes over a pose. `posed_from_rest`: one per palette entry. Does not allocate.
    ///
    /// # Panics
    /// If there is not one matrix per palette entry, or these are the tables of another skin.
    pub fn pose(&mut self, skin: &GroupedSkin, posed_from_rest: &[Affine3A]) {
        assert_eq!(posed_from_rest.len(), skin.palette_len, "one skinning matrix per palette entry");
        assert_eq!(self.is_rigid.len(), skin.sets.len(), "tables made for this skin");
        for (parts, matrix) in self.bones.iter_mut().zip(posed_from_rest) {
            parts.set(matrix);
        }
        for (at, set) in skin.sets.iter().enumerate() {
            let bones = &skin.set_bones[set.bones.clone()];
            self.is_rigid[at] = bones.iter().all(|&bone| self.bones[usize::from(bone)].is_rigid);
            match set.table() {
                Table::Matrices => fill_matrices(&self.bones, &mut self.matrices[set.constants_at..], bones),
                Table::Motions => self.fill_motions(set.constants_at, bones),
                Table::Pairs => self.fill_pair(set.constants_at, bones),
                Table::Turns => self.fill_turns(set.constants_at, bones),
            }
        }
    }

    /// Whether all bones of a set are rigid.
    pub(super) fn is_rigid(&self, set: u32) -> bool {
        self.is_rigid[set as usize]
    }

    fn fill_turns(&mut self, first: usize, bones: &[u16]) {
        fill_matrices(&self.bones, &mut self.turns.matrices[first..], bones);
        let reference = self.bones[usize::from(bones[0])].frame;
        let start_stretch = symmetric_of(&reference.stretch);
        for (at, &bone) in bones.iter().enumerate() {
            let parts = &self.bones[usize::from(bone)].frame;
            let sign = if parts.rotation.dot(reference.rotation) < 0.0 { -1.0 } else { 1.0 };
            self.turns.rotations[first + at] = (parts.rotation * sign).to_array();
            let stretch = symmetric_of(&parts.stretch);
            self.turns.stretches[first + at] =
                if at == 0 { stretch } else { difference(stretch, start_stretch) };
        }
        let mut widest_gap = 0.0f32;
        for i in first..first + bones.len() {
            for j in first..i {
                let [a, b] = [i, j].map(|at| Quat::from_array(self.turns.rotations[at]));
                // In this form exact also where it is small.
                let gap = 0.5 * (a - b).length_squared();
                widest_gap = widest_gap.max(gap);
                if let Some(entry) = self.turns.gaps[j].get_mut(i - first) {
                    *entry = gap;
                }
            }
        }
        self.turns.step_counts[first] = step_count(widest_gap);
    }

    fn fill_motions(&mut self, first: usize, bones: &[u16]) {
        let reference = self.bones[usize::from(bones[0])].frame;
        let start = motion_of(&reference, 1.0);
        let start_stretch = symmetric_of(&reference.stretch);
        self.motions[first] = start;
        self.stretches[first] = start_stretch;
        for (at, &bone) in bones.iter().enumerate().skip(1) {
            let parts = &self.bones[usize::from(bone)].frame;
            let sign = if parts.rotation.dot(reference.rotation) < 0.0 { -1.0 } else { 1.0 };
            self.motions[first + at] = difference(motion_of(parts, sign), start);
            self.stretches[first + at] = difference(symmetric_of(&parts.stretch), start_stretch);
        }
    }

    fn fill_pair(&mut self, first: usize, bones: &[u16]) {
        let [from, to] = [bones[0], bones[1]].map(|bone| &self.bones[usize::from(bone)].frame);
        let (axis, angle_rad) = turn_between(from.rotation, to.rotation);
        let start = Mat3A::from_quat(from.rotation);
        let along = outer(start * axis, axis);
        let across = Mat3A::from_cols(axis.cross(Vec3A::X), axis.cross(Vec3A::Y), axis.cross(Vec3A::Z));
        let (from_linear, to_linear) = (from.posed_from_rest.matrix3, to.posed_from_rest.matrix3);
        let (from_shift, to_shift) = (from.posed_from_rest.translation, to.posed_from_rest.translation);
        let stretch = symmetric_of(&from.stretch);
        self.pairs[first] = PairTable {
            turns: [rows3(&along), rows3(&(start - along)), rows3(&(start * across))],
            first: rows3(&from_linear),
            difference: rows3(&(to_linear - from_linear)),
            translation: from_shift.to_array(),
            translation_difference: (to_shift - from_shift).to_array(),
            angle_rad,
            half_turn: [(0.5 * angle_rad).sin(), (0.5 * angle_rad).cos()],
            stretches: [stretch, difference(symmetric_of(&to.stretch), stretch)],
        };
    }
}

/// M₀, then Mᵢ − M₀.
fn fill_matrices(parts: &[BoneParts], entries: &mut [[f32; lbs::BONE_FLOATS]], bones: &[u16]) {
    let rows = |bone: u16| rows_of(&parts[usize::from(bone)].frame.posed_from_rest);
    let Some((&start, others)) = bones.split_first() else {
        entries[0] = rows_of(&Affine3A::IDENTITY);
        return;
    };
    let start = rows(start);
    entries[0] = start;
    for (entry, &bone) in entries[1..].iter_mut().zip(others) {
        *entry = difference(rows(bone), start);
    }
}

/// Axis and angle, 0 to π, of `from⁻¹ to` along the shorter arc; no axis where nothing turns.
fn turn_between(from: Quat, to: Quat) -> (Vec3A, f32) {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let turn = from.conjugate() * to;
    let vector = Vec3A::new(turn.x, turn.y, turn.z);
    let sine = vector.length();
    (vector.try_normalize().unwrap_or(Vec3A::ZERO), 2.0 * sine.atan2(turn.w))
}

/// Whether a linear map turns and does nothing else, to [`RIGID_TOLERANCE`].
fn is_rigid(map: &Mat3A) -> bool {
    let Mat3A { x_axis: x, y_axis: y, z_axis: z } = *map;
    let squares = [x.dot(x) - 1.0, y.dot(y) - 1.0, z.dot(z) - 1.0];
    let products = [x.dot(y), x.dot(z), y.dot(z)];
    let is_orthonormal = squares.iter().chain(&products).all(|entry| entry.abs() <= RIGID_TOLERANCE);
    is_orthonormal && x.cross(y).dot(z) > 0.0
}

fn rows_of(affine: &Affine3A) -> [f32; lbs::BONE_FLOATS] {
    let [x, y, z] = rows3(&affine.matrix3);
    let t = affine.translation;
    [x[0], x[1], x[2], t.x, y[0], y[1], y[2], t.y, z[0], z[1], z[2], t.z]
}

fn rows3(matrix: &Mat3A) -> [[f32; 3]; 3] {
    matrix.transpose().to_cols_array_2d()
}

fn motion_of(parts: &BoneFrame, sign: f32) -> [f32; dlb::BONE_FLOATS] {
    let (q, d) = (parts.rotation * sign, parts.dual * sign);
    [q.x, q.y, q.z, q.w, d.x, d.y, d.z, d.w]
}

fn symmetric_of(matrix: &Mat3A) -> [f32; dlb::STRETCH_FLOATS] {
    let Mat3A { x_axis: x, y_axis: y, z_axis: z } = *matrix;
    [x.x, y.y, z.z, y.x, z.x, z.y]
}

fn outer(column: Vec3A, row: Vec3A) -> Mat3A {
    Mat3A::from_cols(column * row.x, column * row.y, column * row.z)
}

fn difference<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
    std::array::from_fn(|at| a[at] - b[at])
}

/// Makes room for the constants of a set.
fn grow<T: Clone + Default>(constants: &mut Vec<T>, set: &BoneSet) {
    constants.resize(set.constants_at + set.constant_count(), T::default());
}
