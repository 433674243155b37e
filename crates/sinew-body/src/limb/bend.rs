//! Bends a tube at a joint.
//!
//! After \[Komatsu88\] section 5.1: the bone beyond moves rigidly, and the ring with the rows beside it is shaped in between. Departure: the
//! source interpolates these rows between 0° and 90° and only turns them beyond, where its limb enters itself (kept in `source_bend`). Here
//! they are built in the frame of the bisector, turned by half the angle, and follow up to 150°.
//!
//! | here | meaning |
//! |---|---|
//! | `tm`, `inward` | along the limb and toward the inside of the bend, in the bisector's frame |
//! | `depth` | depth of a ring point toward the inside |
//! | `T` | tan(θ/2), with θ held at `hold_beyond_rad` |
//!
//! A ring point moves to depth/cos(θ/2) on the inside, where two cylinders would cross, but once folded not past the middles of the bays, and
//! to σ · depth on the outside. The legs on both sides of the ring turn by half the angle. On the inside they shrink by one common factor,
//! 1 − depth T / leg, down to zero in the fold. On the outside they grow by 1 − depth tan(θ/4) / leg, less the source's roundness, eq. 10.
//! One factor for both legs keeps the ring smooth.
//!
//! A folded limb is pressed flat against the bisector plane. Its skin then must not run back within the plane, which would be a fold: a
//! folded ring is not wider than the narrower of both bays, and seams do not reach farther inside than the fold.
//!
//! Inside and outside follow different laws. A seam with neighbors on both sides of the axis therefore creases by about 1° at 60°, unless
//! they lie in one plane with it, as on an ellipse with its corners on the axis. Seams are therefore joined again at the end.
//!
//! No self-penetration: all control points before the joint stay behind the bisector plane, all beyond in front of it. A patch lies in
//! the hull of its control points, so the two bays cannot cross. If bays are so short that their far ring would cross the plane, it is
//! pressed back with the rows beside it; the report counts that. Limits: the proof excludes rings outside the bisector plane and tips
//! that cross it.

use crate::Tube;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// A joint in rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The center of rotation, model space, m. Ring corners on the axis through it do not move.
    pub center: DVec3,
    /// Unit axis of the bend. A positive angle turns the bone beyond the joint right-handed about it.
    pub axis: DVec3,
    /// Unit direction of the bone that ends here.
    pub bone_before: DVec3,
    /// Unit direction of the bone that begins here.
    pub bone_beyond: DVec3,
}

/// Settings of a joint's fold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BendSettings {
    /// The source's p: sharpness of the outside at 90°, 0 (default, round) to 1 (a point).
    pub roundness: f64,
    /// σ: factor on the outside's distance from the joint at 90°, reached linearly; default 1. Smaller pulls the elbow in.
    pub outside_scale: f64,
    /// Angle up to which the shape follows; beyond it is only rotated. The source has 90°; default 150°, because 1/cos(θ/2) diverges toward
    /// 180°.
    pub hold_beyond_rad: f64,
}

impl Default for BendSettings {
    fn default() -> Self {
        BendSettings { roundness: 0.0, outside_scale: 1.0, hold_beyond_rad: 150f64.to_radians() }
    }
}

/// Result of a bend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BendReport {
    /// Ring points whose legs became zero: the inside fold.
    pub folded_points: usize,
    /// Points of the far rings that crossed the bisector plane and were pressed back: the bays are short for the bend.
    pub far_crossings: usize,
}

/// Depth, as a share of the ring's maximum outside depth, at which roundness is fully active. It must not affect corners on the axis,
/// whatever the sign of their rounding; the next control points of a ring are at 0.4.
const ROUNDNESS_RAMP: f64 = 0.2;

/// Where a fold ends, as a share of how far inside the middle rows of both bays are. Beyond these rows the skin would come back in a flap.
const KEPT: f64 = 0.9;

/// Width of a folded ring over that of the skin in the middle of a bay, at least.
const LEAST_WIDTH: f64 = 0.7;

/// Part of a leg along the limb, as a share of the ring's leg, below which limits count little: it may change its sign, and the shape must not
/// jump there.
const EVEN_SHARE: f64 = 0.02;

/// Bends a tube at the start of bay `bay`. Rows beyond turn rigidly; the rows beside the ring follow the rule above, and seams are made
/// smooth again with their previous ratios.
///
/// # Panics
/// If `bay` is zero or out of range.
pub fn bend(
    tube: &mut Tube,
    bay: usize,
    joint: &Joint,
    angle_rad: f64,
    settings: &BendSettings,
) -> BendReport {
    let fold = Fold::new(joint, angle_rad, settings);
    let leg_ratio = leg_ratio(tube, 4 * bay);
    let (report, limits) = place_rows(tube, bay, &fold);
    if angle_rad != 0.0 {
        restore_seams(tube, bay, &fold, (&limits, leg_ratio));
    }
    report
}

/// The ratio of the legs on both sides of a ring, where they are longest.
pub(super) fn leg_ratio(tube: &Tube, ring: usize) -> f64 {
    let legs = (0..tube.row_len()).map(|column| {
        let at = |row: usize| tube.row(row)[column];
        (at(ring).distance(at(ring - 1)), at(ring + 1).distance(at(ring)))
    });
    let longest = legs.max_by(|a, b| a.0.total_cmp(&b.0));
    longest.map_or(1.0, |(before, beyond)| if before > 0.0 { beyond / before } else { 1.0 })
}

/// The bisector's frame of a bent joint.
pub(super) struct Fold {
    center: DVec3,
    /// The axis about which the angle is positive.
    axis: DVec3,
    angle: f64,
    /// The angle that shapes the fold.
    shaping: f64,
    half_turn: DQuat,
    rest_tm: DVec3,
    rest_inward: DVec3,
    tm: DVec3,
    inward: DVec3,
    bone_before: DVec3,
    bone_beyond: DVec3,
    settings: BendSettings,
}

impl Fold {
    pub(super) fn new(joint: &Joint, angle_rad: f64, settings: &BendSettings) -> Self {
        let axis = if angle_rad < 0.0 { -joint.axis } else { joint.axis };
        let angle = angle_rad.abs();
        let half_turn = DQuat::from_axis_angle(axis, 0.5 * angle);
        let between = (joint.bone_before + joint.bone_beyond).normalize_or(joint.bone_before);
        let rest_tm = between.reject_from_normalized(axis).normalize_or(axis.any_orthonormal_vector());
        let rest_inward = axis.cross(rest_tm);
        Fold {
            center: joint.center,
            axis,
            angle,
            shaping: angle.min(settings.hold_beyond_rad),
            half_turn,
            rest_tm,
            rest_inward,
            tm: half_turn * rest_tm,
            inward: half_turn * rest_inward,
            bone_before: joint.bone_before,
            bone_beyond: half_turn * half_turn * joint.bone_beyond,
            settings: *settings,
        }
    }

    /// The rigid rotation of everything beyond the joint.
    fn turned(&self, point: DVec3) -> DVec3 {
        self.center + self.half_turn * (self.half_turn * (point - self.center))
    }

    /// Distance toward the inside of the bend.
    fn inside(&self, point: DVec3) -> f64 {
        (point - self.center).dot(self.inward)
    }

    /// How far inside a ring point may be once it is folded.
    fn most_inside(&self, tube: &Tube, ring: usize, column: usize) -> f64 {
        let room = [ring - 2, ring + 2].map(|row| self.inside(tube.row(row)[column]));
        KEPT * room[0].min(room[1]).max(0.0)
    }

    /// By how much less far inside the leg of a seam has to go, so that neither end of it is deeper than the fold may be there, or than the
    /// rule placed it.
    fn shallower(
        &self,
        tube: &Tube,
        ring: usize,
        (before, on, after): (usize, usize, usize),
        (leg, h): (DVec3, f64),
    ) -> f64 {
        let points = tube.row(ring);
        let most = |column: usize| self.inside(points[column]).max(self.most_inside(tube, ring, column));
        let along = leg.dot(self.inward);
        let room = [before, after].map(|column| most(column) - self.inside(points[on]));
        // on + h leg may not be deeper than the room after, on − leg not than the room before.
        let [low, high] = [-room[0].max(0.0), room[1].max(0.0) / h];
        along - along.clamp(low, high)
    }

    /// Distance beyond the bisector plane.
    fn beyond(&self, point: DVec3) -> f64 {
        (point - self.center).dot(self.tm)
    }

    /// The same for a point in rest.
    fn rest_beyond(&self, point: DVec3) -> f64 {
        (point - self.center).dot(self.rest_tm)
    }

    /// The side of the plane where rows must stay: 1 for those before the joint, −1 for those beyond.
    fn side(&self, sign: f64) -> PlaneSide {
        PlaneSide { center: self.center, outward: sign * self.tm }
    }

    /// The factor on the legs of a ring point; `leg` is their mean length along the limb, `outermost` the ring's maximum outside depth.
    fn leg_factor(&self, depth: f64, leg: f64, outermost: f64) -> f64 {
        if self.angle == 0.0 {
            return 1.0;
        }
        if depth > 0.0 {
            let factor = 1.0 - depth * (0.5 * self.shaping).tan() / leg;
            return if leg > 0.0 { factor.max(0.0) } else { 0.0 };
        }
        let grown = if leg > 0.0 { 1.0 - depth * (0.25 * self.shaping).tan() / leg } else { 1.0 };
        let ramp = (-depth / (ROUNDNESS_RAMP * outermost)).min(1.0);
        let ramp = if outermost > 0.0 { ramp } else { 0.0 };
        let share = (self.angle / FRAC_PI_2).min(1.0);
        grown * (1.0 - (self.settings.roundness * ramp * share).clamp(0.0, 1.0))
    }

    /// The new position of a ring point at `offset` from the center in rest. Off-plane parts fade with its legs. `leg`: their mean length along
    /// the limb.
    fn ring_point(&self, offset: DVec3, factor: f64, leg: f64, room: &FoldRoom) -> DVec3 {
        let [depth, aside] = [self.rest_inward, self.axis].map(|way| offset.dot(way));
        let (mut scale, mut width) = (1.0, aside);
        if depth > 0.0 {
            let tan = (0.5 * self.shaping).tan();
            let [free, kept] = [tan.hypot(1.0), KEPT * room.inside_m.max(0.0) / depth];
            let folded = if leg > 0.0 { (depth * tan / leg - 1.0).clamp(0.0, 1.0) } else { 1.0 };
            scale = free + folded * (kept - free).min(0.0);
            // Not wider than both bays: a wide knee over a narrow calf left a ledge in the plane, whose normals flip.
            let narrow = room.aside_m.map(|m| m * aside.signum()).into_iter().fold(aside.abs(), f64::min);
            width += folded * (narrow.max(0.0).copysign(aside) - aside);
        } else {
            scale += (self.settings.outside_scale - 1.0) * (self.angle / FRAC_PI_2).min(1.0);
        }
        let off_plane = offset.dot(self.rest_tm) * factor.min(1.0);
        self.center + width * self.axis + depth * scale * self.inward + off_plane * self.tm
    }

    /// What limits a ring point in a fold. Before the rows beside it are placed.
    fn room(&self, tube: &Tube, ring: usize, column: usize) -> FoldRoom {
        let from_center = |row: usize| tube.row(row)[column] - self.center;
        let inside = [ring - 2, ring + 2].map(|row| from_center(row).dot(self.inward));
        let middle = |start: usize| {
            let weights = crate::bernstein::quartic(0.5);
            let skin: f64 = (0..5).map(|k| weights[k] * from_center(start + k).dot(self.axis)).sum();
            let control = from_center(start + 2).dot(self.axis);
            // The control points of a slender middle may be beyond the bone.
            if skin > 0.0 { control.max(LEAST_WIDTH * skin) } else { control.min(LEAST_WIDTH * skin) }
        };
        FoldRoom { inside_m: inside[0].min(inside[1]), aside_m: [middle(ring - 4), middle(ring)] }
    }
}

/// Where the middles of the two bays beside a ring are, in one column, m from the joint.
struct FoldRoom {
    /// How far both middle rows are inside.
    inside_m: f64,
    /// Where the middle of each bay is along the axis.
    aside_m: [f64; 2],
}

/// Places all rows by the rule, ignoring seams; returns how far rows may reach.
pub(super) fn place_rows(tube: &mut Tube, bay: usize, fold: &Fold) -> (BendReport, RowLimits) {
    assert!(bay >= 1 && bay < tube.bay_count(), "a joint lies between two bays");
    let ring = 4 * bay;
    let mut report = BendReport::default();
    let limits = row_limits(tube, ring, fold);
    let depth = |point: DVec3| (point - fold.center).dot(fold.rest_inward);
    let outermost = tube.row(ring).iter().map(|&point| -depth(point)).fold(0.0, f64::max);
    for point in tube.points_from_row_mut(ring + 2) {
        *point = fold.turned(*point);
    }
    if fold.angle != 0.0 {
        report.far_crossings = far_crossings(tube, ring, fold, &limits);
        keep_sides(tube, ring, fold, &limits);
    }
    for column in 0..tube.row_len() {
        let at = |row: usize| tube.row(row)[column];
        let (before, on, after) = (at(ring - 1), at(ring), at(ring + 1));
        let leg = 0.5 * (after - before).dot(fold.rest_tm);
        let factor = fold.leg_factor(depth(on), leg, outermost);
        let placed = fold.ring_point(on - fold.center, factor, leg, &fold.room(tube, ring, column));
        tube.row_mut(ring - 1)[column] = placed - factor * (fold.half_turn * (on - before));
        tube.row_mut(ring)[column] = placed;
        tube.row_mut(ring + 1)[column] = placed + factor * (fold.half_turn * (after - on));
        report.folded_points += usize::from(factor == 0.0);
    }
    (report, limits)
}

/// Maximum reach of each row beside the joint beyond the plane: zero, unless it was larger in rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowLimits {
    /// For rows ring − 4 … ring − 1.
    before: [f64; 4],
    /// For rows ring + 1 … ring + 4, as distances behind the plane.
    beyond: [f64; 4],
}

impl RowLimits {
    /// The limit of a row other than the ring. Rows beyond the far rings have that of these.
    fn of_row(&self, ring: usize, row: usize) -> f64 {
        if row < ring {
            self.before[(row + 4).saturating_sub(ring)]
        } else {
            self.beyond[(row - ring - 1).min(3)]
        }
    }
}

fn row_limits(tube: &Tube, ring: usize, fold: &Fold) -> RowLimits {
    let most = |row: usize, sign: f64| {
        tube.row(row).iter().map(|&point| sign * fold.rest_beyond(point)).fold(0.0, f64::max)
    };
    RowLimits {
        before: std::array::from_fn(|k| most(ring - 4 + k, 1.0)),
        beyond: std::array::from_fn(|k| most(ring + 1 + k, -1.0)),
    }
}

/// Pulls control points that crossed the bisector plane back to it: middle rows along their bone, far rings with the rows beside them
/// perpendicular to the plane. Only a tip, which is one point, stays; the legs beside it shrink.
fn keep_sides(tube: &mut Tube, ring: usize, fold: &Fold, limits: &RowLimits) {
    slide_row(tube, [ring - 2, ring - 3], (fold, fold.bone_before), 1.0, limits.before[2]);
    slide_row(tube, [ring + 2, ring + 3], (fold, fold.bone_beyond), -1.0, limits.beyond[1]);
    let limit = |row: usize| limits.of_row(ring, row);
    press_rows(tube, near_rows(ring), fold.side(1.0), limit);
    if is_tip(tube, ring + 4) {
        shrink_tip(tube, ring + 4, fold, limits.beyond[2]);
    } else {
        press_rows(tube, far_rows(tube, ring), fold.side(-1.0), limit);
    }
}

fn is_tip(tube: &Tube, row: usize) -> bool {
    tube.row(row).iter().all(|&point| point == tube.row(row)[0])
}

/// The far ring before a joint and the rows beside it, first and last.
fn near_rows(ring: usize) -> (usize, usize) {
    ((ring - 4).saturating_sub(1), ring - 3)
}

/// The far ring beyond it, likewise.
fn far_rows(tube: &Tube, ring: usize) -> (usize, usize) {
    (ring + 3, (ring + 5).min(tube.row_count() - 1))
}

/// Keeps the bay before a bent joint behind the bisector plane after that bay, and the plane with its end, was twisted by `twist_rad`
/// about the bone before.
pub(crate) fn press_twisted_bay(
    tube: &mut Tube,
    bay: usize,
    (joint, bend_rad, twist_rad): (&Joint, f64, f64),
    overlap: &RestOverlap,
) {
    let fold = Fold::new(joint, bend_rad, &BendSettings::default());
    let tm = DQuat::from_axis_angle(joint.bone_before, twist_rad) * fold.tm;
    let side = PlaneSide { center: joint.center, outward: tm };
    let (ring, middle) = (4 * bay, 4 * bay - 2);
    let limit = |row: usize| overlap.0.of_row(ring, row);
    press_rows(tube, near_rows(ring), side, limit);
    press_rows(tube, (middle, middle), side, limit);
}

/// Keeps the bay between two bent joints before the second one's plane, after the first fold placed it: the first ring with its neighbors,
/// which that fold moved inside, the middle row, and the second ring with its neighbors, which the fold may have pressed through. They move
/// within the first plane: where both folds are deep, flesh is pressed between them. `next`: the second joint with its bend and its bone's twist.
pub(crate) fn press_between_folds(
    tube: &mut Tube,
    bay: usize,
    (joint, bend_rad): (&Joint, f64),
    (next, next_bend_rad, twist_rad): (&Joint, f64, f64),
    overlap: &RestOverlap,
) {
    let [fold, beyond] = [(joint, bend_rad), (next, next_bend_rad)]
        .map(|(joint, angle)| Fold::new(joint, angle, &BendSettings::default()));
    let whole = fold.half_turn * fold.half_turn;
    let outward = whole * (DQuat::from_axis_angle(next.bone_before, twist_rad) * beyond.tm);
    let center = fold.turned(next.center);
    let (first, middle, ring) = (4 * bay, 4 * bay + 2, 4 * bay + 4);
    let press = |tube: &mut Tube, measured: (usize, usize), moved: (usize, usize), outward: DVec3| {
        let along = fold.inward.dot(outward);
        let way = if along.abs() > STEEP { fold.inward / along } else { outward };
        let limit = |row: usize| overlap.0.of_row(ring, row);
        press_rows_along(tube, measured, moved, (PlaneSide { center, outward }, way), limit);
    };
    press(tube, (first, first + 1), (first - 1, first + 1), outward);
    press(tube, (middle, middle), (middle, middle), outward);
    press(tube, (ring + 1, ring + 1), (ring - 1, ring + 1), -outward);
}

/// Keeps the bay beyond a straight joint on its side of the joint's plane after that bay was twisted: the fold, which follows, takes the rows
/// as it finds them.
pub(crate) fn press_twisted_start(tube: &mut Tube, bay: usize, joint: &Joint, overlap: &RestOverlap) {
    let side =
        PlaneSide { center: joint.center, outward: -Fold::new(joint, 0.0, &BendSettings::default()).tm };
    let ring = 4 * bay;
    let limit = |row: usize| overlap.0.of_row(ring, row);
    press_rows(tube, (ring + 2, ring + 2), side, limit);
    if !is_tip(tube, ring + 4) {
        press_rows(tube, far_rows(tube, ring), side, limit);
    }
}

/// How far the rows of the bays beside a joint lie beyond its plane in rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestOverlap(RowLimits);

impl RestOverlap {
    /// Of the joint at the start of a bay.
    pub(crate) fn of(tube: &Tube, bay: usize, joint: &Joint) -> Self {
        RestOverlap(row_limits(tube, 4 * bay, &Fold::new(joint, 0.0, &BendSettings::default())))
    }
}

/// One side of the bisector plane: points may not lie in the direction `outward` from it.
#[derive(Clone, Copy)]
struct PlaneSide {
    center: DVec3,
    outward: DVec3,
}

/// Pushes rows back to their side if any of them is farther beyond it than its `limit`, like flesh that meets flesh. All rows move equally, which keeps the legs of
/// a ring among them; moves beside a seam keep the seam's ratio and are never too small.
fn press_rows(tube: &mut Tube, rows: (usize, usize), side: PlaneSide, limit: impl Fn(usize) -> f64) {
    press_rows_along(tube, rows, rows, (side, side.outward), limit);
}

/// The same along another way, which is one long across the plane, of rows by how far others are.
fn press_rows_along(
    tube: &mut Tube,
    measured: (usize, usize),
    (first_row, last_row): (usize, usize),
    (side, way): (PlaneSide, DVec3),
    limit: impl Fn(usize) -> f64,
) {
    for seam in 0..tube.patch_count() {
        let (before, on, after) = tube.seam_columns(seam);
        let too_far = |column: usize| {
            let beyond = |row: usize| (tube.row(row)[column] - side.center).dot(side.outward) - limit(row);
            (measured.0..=measured.1).map(beyond).fold(0.0, f64::max)
        };
        let (first, mut middle, last) = (too_far(before), too_far(on), too_far(after));
        let inside = too_far(on + 2);
        if first.max(middle).max(last).max(inside) == 0.0 {
            continue;
        }
        // A seam stays smooth if the move on it divides those beside it like its legs: last − middle = h (middle − first).
        let h = seam_ratio_at(tube, first_row, seam);
        middle = middle.max((last + h * first) / (1.0 + h));
        let slope = (last - first) / (1.0 + h);
        let moves = [(before, middle - slope), (on, middle), (after, middle + h * slope), (on + 2, inside)];
        for row in first_row..=last_row {
            for (column, by) in moves {
                tube.row_mut(row)[column] -= by * way;
            }
        }
    }
}

/// The ratio of the legs beside a seam on one ring; one if they have no length.
fn seam_ratio_at(tube: &Tube, row: usize, seam: usize) -> f64 {
    let (before, on, after) = tube.seam_columns(seam);
    let points = tube.row(row);
    let ratio = points[after].distance(points[on]) / points[on].distance(points[before]);
    if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
}

/// Below this cosine to a plane's normal, points move perpendicular to the plane: along another way they would go too far.
const STEEP: f64 = 0.1;
/// Share of the way to the next row that points may slide along the bone: beyond it rows would overtake each other.
const SLIDE: f64 = 0.5;

/// Takes points of a row back to their side: along the bone as far as there is room, and the rest perpendicular to the plane, as flesh is
/// pressed flat.
fn slide_row(tube: &mut Tube, [row, next]: [usize; 2], (fold, bone): (&Fold, DVec3), sign: f64, limit: f64) {
    let along = bone.dot(fold.tm).max(0.0);
    for column in 0..tube.row_len() {
        let point = tube.row(row)[column];
        let too_far = sign * fold.beyond(point) - limit;
        if too_far > 0.0 {
            let room = SLIDE * point.distance(tube.row(next)[column]);
            let slid = (room * along).min(too_far);
            let back = if along > 0.0 { slid / along } else { 0.0 } * bone + (too_far - slid) * fold.tm;
            tube.row_mut(row)[column] -= sign * back;
        }
    }
}

/// Shrinks the legs beside a tip by the largest factor up to one that keeps all of them on their side.
fn shrink_tip(tube: &mut Tube, tip: usize, fold: &Fold, limit: f64) {
    let mut factor = 1.0f64;
    for (&from, &to) in tube.row(tip).iter().zip(tube.row(tip - 1)) {
        let (start, end) = (-fold.beyond(from) - limit, -fold.beyond(to) - limit);
        if end > 0.0 && end > start {
            factor = factor.min((-start / (end - start)).max(0.0));
        }
    }
    for column in (0..tube.row_len()).filter(|_| factor != 1.0) {
        let start = tube.row(tip)[column];
        let point = &mut tube.row_mut(tip - 1)[column];
        *point = start.lerp(*point, factor);
    }
}

fn far_crossings(tube: &Tube, ring: usize, fold: &Fold, limits: &RowLimits) -> usize {
    let count = |row: usize, sign: f64, limit: f64| {
        let slack = limit + 1e-12 * tube.row(row)[0].distance(fold.center);
        tube.row(row).iter().filter(|&&point| sign * fold.beyond(point) > slack).count()
    };
    count(ring - 4, 1.0, limits.before[0]) + count(ring + 4, -1.0, limits.beyond[3])
}

/// Makes the seams of both bays smooth again by the smallest moves beside them, with the ratio of the far, rigid rings. The moves along
/// the limb are limited: no point crosses the bisector plane farther than in rest. Both sides of a seam have the same limit, and the ring
/// follows the rows beside it. Their legs stay proportional and both joins hold, even if the ring is not in the plane. `leg_ratio`: that of
/// the legs beyond the ring to those before it in rest, constant around it.
fn restore_seams(tube: &mut Tube, bay: usize, fold: &Fold, (limits, leg_ratio): (&RowLimits, f64)) {
    let ring = 4 * bay;
    for seam in 0..tube.patch_count() {
        let (before, on, after) = tube.seam_columns(seam);
        let Some(h) = far_ratio(tube, ring, seam) else { continue };
        let mut legs: [DVec3; 5] = std::array::from_fn(|k| {
            let points = tube.row(ring - 2 + k);
            let (a, b) = (points[on] - points[before], points[after] - points[on]);
            (a + h * b) / (1.0 + h * h)
        });
        let RowLimits { before: [.., second, first], beyond: [third, fourth, ..] } = *limits;
        let limits = [second, first, 0.0, third, fourth];
        let free = legs;
        for k in [0, 1, 3, 4] {
            let beyond = fold.beyond(tube.row(ring - 2 + k)[on]);
            legs[k] = limited(legs[k], h, fold, limits[k] + if k < 2 { -beyond } else { beyond }, k < 2);
        }
        // Smooth across the ring: leg₊ − leg₀ = r (leg₀ − leg₋). Legs without a limit already are.
        let r = leg_ratio;
        let along = [1, 2, 3].map(|k| legs[k].dot(fold.tm));
        legs[2] += ((r * along[0] + along[2]) / (1.0 + r) - along[1]) * fold.tm;
        // Where the limb is pressed flat, what is left of the legs would run back within the plane.
        let kept = kept_share([1, 3].map(|k| [free[k].dot(fold.tm), legs[k].dot(fold.tm)]), free[2].length());
        for k in [1, 3] {
            let within = (legs[k] - legs[2]).reject_from_normalized(fold.tm);
            legs[k] -= (1.0 - kept) * within;
        }
        // All three legs by the same vector, which keeps the ring smooth.
        let shallower = fold.shallower(tube, ring, (before, on, after), (legs[2], h));
        legs[1..4].iter_mut().for_each(|leg| *leg -= shallower * fold.inward);
        for (k, leg) in legs.into_iter().enumerate() {
            let points = tube.row_mut(ring - 2 + k);
            points[before] = points[on] - leg;
            points[after] = points[on] + h * leg;
        }
    }
}

/// The share that limits leave of the legs beside a ring: of each, its part along the limb before and after. `leg`: length of the ring's own
/// leg, m.
fn kept_share(legs: [[f64; 2]; 2], leg: f64) -> f64 {
    let even = EVEN_SHARE * leg;
    let share = |[free, limited]: [f64; 2]| (limited.abs() + even) / (free.abs() + even);
    let least = legs.map(share).into_iter().fold(1.0, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// The seam's ratio on the rings that the bend moves rigidly.
fn far_ratio(tube: &Tube, ring: usize, seam: usize) -> Option<f64> {
    let (before, on, after) = tube.seam_columns(seam);
    crate::g1::common_ratio([ring - 4, ring + 4].map(|row| {
        let points = tube.row(row);
        (points[on] - points[before], points[after] - points[on])
    }))
}

/// The leg with its part along the limb limited: `on − leg` and `on + h leg` stay on their side of the plane. `room`: distance of `on`
/// from the row's limit.
fn limited(leg: DVec3, h: f64, fold: &Fold, room: f64, is_before: bool) -> DVec3 {
    let (along, room) = (leg.dot(fold.tm), room.max(0.0));
    // Before the joint: beyond − along ≤ limit and beyond + h along ≤ limit. Beyond it the signs flip.
    let (low, high) = if is_before { (-room, room / h) } else { (-room / h, room) };
    leg + (along.clamp(low, high) - along) * fold.tm
}
