//! Interpolation curves of VMD keys.

use glam::Vec2;
use sinew_rig::Easing;
use std::fmt;

/// A Bézier curve from (0, 0) to (127, 127) by its two inner control points: progress of a value over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VmdCurve {
    /// The first inner control point: time, value.
    pub start: [u8; 2],
    /// The second.
    pub end: [u8; 2],
}

/// Maximum coordinate of a control point.
const GREATEST: u8 = 127;

/// A coordinate this close to a whole number counts as exact: the rounding of a division by 127.
const WHOLE_TOLERANCE: f32 = 1e-4;

impl VmdCurve {
    /// Linear, in MMD's form.
    pub const LINEAR: Self = Self { start: [20, 20], end: [107, 107] };

    /// Whether the curve is linear.
    pub fn is_straight(&self) -> bool {
        self.start[0] == self.start[1] && self.end[0] == self.end[1]
    }

    /// The same curve for clips. Coordinates above 127, found only in damaged files, count as 127.
    pub fn to_easing(self) -> Easing {
        let point = |at: [u8; 2]| {
            Vec2::from(at.map(|coordinate| f32::from(coordinate.min(GREATEST)) / f32::from(GREATEST)))
        };
        Easing { start: point(self.start), end: point(self.end) }
    }

    /// The nearest curve, and whether it is exact.
    pub fn from_easing(easing: &Easing) -> (Self, bool) {
        let scaled = [easing.start, easing.end].map(|point| point * f32::from(GREATEST));
        let rounded = scaled.map(|point| point.round().clamp(Vec2::ZERO, Vec2::splat(f32::from(GREATEST))));
        let is_exact = scaled.iter().zip(&rounded).all(|(a, b)| a.abs_diff_eq(*b, WHOLE_TOLERANCE));
        if !is_exact && is_straight(easing) {
            return (Self::LINEAR, true);
        }
        let [start, end] = rounded.map(|point| point.to_array().map(|coordinate| coordinate as u8));
        (Self { start, end }, is_exact)
    }
}

/// Whether the curve is linear.
pub(super) fn is_straight(easing: &Easing) -> bool {
    easing.start.x == easing.start.y && easing.end.x == easing.end.y
}

/// Channel of a bone's curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftOrTurn {
    /// Translation along x.
    X,
    /// Translation along y.
    Y,
    /// Translation along z.
    Z,
    /// Rotation.
    Turn,
}

impl ShiftOrTurn {
    /// In the file's order.
    pub const ALL: [Self; 4] = [Self::X, Self::Y, Self::Z, Self::Turn];
}

/// Whether a bone's key lets physics move the bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhysicsSwitch {
    /// Physics moves it.
    On,
    /// The key moves it.
    Off,
    /// Not stored: older programs write a part of the curves there.
    NotGiven,
}

/// The curves of a bone's key, all 64 bytes of them.
///
/// Row 0 of 16 bytes is `x₁ y₁ x₂ y₂` of the control points, each for X, Y, Z and the rotation. Each further row is the previous one
/// without its first byte. MMD writes its physics switch over two bytes of row 0; the curve of channel c is therefore read from row c.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BoneCurves {
    /// As in the file.
    pub bytes: [u8; 64],
}

const ROW_BYTES: usize = 16;
const PHYSICS_AT: usize = 2;
const PHYSICS_ON: [u8; 2] = [0x00, 0x00];
const PHYSICS_OFF: [u8; 2] = [0x63, 0x0f];

impl BoneCurves {
    /// The 64 bytes of four curves as MMD writes them: X, Y, Z, rotation. Physics is on.
    pub fn from_curves(curves: [VmdCurve; 4]) -> Self {
        let parts = [
            curves.map(|curve| curve.start[0]),
            curves.map(|curve| curve.start[1]),
            curves.map(|curve| curve.end[0]),
            curves.map(|curve| curve.end[1]),
        ];
        let row = parts.as_flattened();
        let mut bytes = [0; 64];
        for shifted_by in 0..4 {
            let out = &mut bytes[ROW_BYTES * shifted_by..][..ROW_BYTES];
            let kept = ROW_BYTES - shifted_by;
            out[..kept].copy_from_slice(&row[shifted_by..]);
            if let Some(first_free) = out.get_mut(kept) {
                *first_free = 1;
            }
        }
        bytes[PHYSICS_AT..PHYSICS_AT + 2].copy_from_slice(&PHYSICS_ON);
        Self { bytes }
    }

    /// One of the curves.
    pub fn curve(&self, channel: ShiftOrTurn) -> VmdCurve {
        let row = &self.bytes[ROW_BYTES * channel as usize..];
        VmdCurve { start: [row[0], row[4]], end: [row[8], row[12]] }
    }

    /// Whether physics moves the bone.
    pub fn physics(&self) -> PhysicsSwitch {
        match [self.bytes[PHYSICS_AT], self.bytes[PHYSICS_AT + 1]] {
            PHYSICS_ON => PhysicsSwitch::On,
            PHYSICS_OFF => PhysicsSwitch::Off,
            _ => PhysicsSwitch::NotGiven,
        }
    }
}

/// All linear.
impl Default for BoneCurves {
    fn default() -> Self {
        Self::from_curves([VmdCurve::LINEAR; 4])
    }
}

impl fmt::Debug for BoneCurves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let curves = ShiftOrTurn::ALL.map(|channel| self.curve(channel));
        f.debug_tuple("BoneCurves").field(&curves).field(&self.physics()).finish()
    }
}

/// Channel of a camera's curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraChannel {
    /// Target along x.
    X,
    /// Target along y.
    Y,
    /// Target along z.
    Z,
    /// All three angles.
    Angles,
    /// The distance.
    Distance,
    /// The angle of view.
    View,
}

/// The curves of a camera's key: `x₁ x₂ y₁ y₂` of the control points for each of six channels, another order than for bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CameraCurves {
    /// As in the file.
    pub bytes: [u8; 24],
}

impl CameraCurves {
    /// The bytes of six curves, in the order of [`CameraChannel`].
    pub fn from_curves(curves: [VmdCurve; 6]) -> Self {
        let parts = curves.map(|VmdCurve { start, end }| [start[0], end[0], start[1], end[1]]);
        let mut bytes = [0; 24];
        bytes.copy_from_slice(parts.as_flattened());
        Self { bytes }
    }

    /// One of the curves.
    pub fn curve(&self, channel: CameraChannel) -> VmdCurve {
        let part = &self.bytes[4 * channel as usize..];
        VmdCurve { start: [part[0], part[2]], end: [part[1], part[3]] }
    }
}

/// All linear.
impl Default for CameraCurves {
    fn default() -> Self {
        Self::from_curves([VmdCurve::LINEAR; 6])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_curve() -> impl Strategy<Value = VmdCurve> {
        (prop::array::uniform2(0..=127u8), prop::array::uniform2(0..=127u8))
            .prop_map(|(start, end)| VmdCurve { start, end })
    }

    #[test]
    fn linear_curves_are_written_as_mmd_does() {
        let rows: [[u8; 16]; 4] = [
            [20, 20, 0, 0, 20, 20, 20, 20, 107, 107, 107, 107, 107, 107, 107, 107],
            [20, 20, 20, 20, 20, 20, 20, 107, 107, 107, 107, 107, 107, 107, 107, 1],
            [20, 20, 20, 20, 20, 20, 107, 107, 107, 107, 107, 107, 107, 107, 1, 0],
            [20, 20, 20, 20, 20, 107, 107, 107, 107, 107, 107, 107, 107, 1, 0, 0],
        ];
        assert_eq!(BoneCurves::default().bytes, rows.as_flattened());
        assert_eq!(BoneCurves::default().physics(), PhysicsSwitch::On);
    }

    #[test]
    fn the_switch_for_physics_does_not_touch_curves() {
        let mut curves = BoneCurves::default();
        curves.bytes[2..4].copy_from_slice(&[0x63, 0x0f]);
        assert_eq!(curves.physics(), PhysicsSwitch::Off);
        assert!(
            ShiftOrTurn::ALL.iter().all(|&channel| curves.curve(channel) == VmdCurve::LINEAR),
            "{curves:?}"
        );
        curves.bytes[2..4].copy_from_slice(&[20, 20]);
        assert_eq!(curves.physics(), PhysicsSwitch::NotGiven);
    }

    #[test]
    fn straight_easings_become_the_linear_curve() {
        assert_eq!(VmdCurve::from_easing(&Easing::LINEAR), (VmdCurve::LINEAR, true));
        let between = Easing { start: Vec2::new(0.1234, 0.5), end: Vec2::ONE };
        assert!(!VmdCurve::from_easing(&between).1, "0.1234 is between two bytes");
        let damaged = VmdCurve { start: [255, 0], end: [128, 127] };
        assert_eq!(damaged.to_easing(), Easing { start: Vec2::X, end: Vec2::ONE });
    }

    proptest! {
        #[test]
        fn curves_come_back(bone in prop::array::uniform4(any_curve()), camera in prop::array::uniform6(any_curve())) {
            let bytes = BoneCurves::from_curves(bone);
            prop_assert_eq!(ShiftOrTurn::ALL.map(|channel| bytes.curve(channel)), bone);
            let bytes = CameraCurves::from_curves(camera);
            use CameraChannel::{Angles, Distance, View, X, Y, Z};
            prop_assert_eq!([X, Y, Z, Angles, Distance, View].map(|channel| bytes.curve(channel)), camera);
            prop_assert_eq!(VmdCurve::from_easing(&bone[0].to_easing()), (bone[0], true));
        }
    }
}
