//! A character in other units.

use crate::{
    Channel, Character, CharacterParts, HelperController, InvalidCharacter, LocalTransform, Mesh,
    MorphEffect, Spherical,
};
use glam::Affine3A;

impl Character {
    /// The same character with all lengths times `factor`: bones, binds, meshes, morphs, clips, spherical parameters, helpers. Its skin in
    /// any pose is the skin of this one times the factor.
    ///
    /// # Errors
    /// If a number is no longer finite, or the factor is not above 0.
    pub fn scaled(&self, factor: f32) -> Result<Self, InvalidCharacter> {
        let mut parts = self.clone().into_parts();
        parts.scale(factor);
        Self::new(parts)
    }
}

impl CharacterParts {
    fn scale(&mut self, factor: f32) {
        for bone in &mut self.bones {
            match &mut bone.rest {
                LocalTransform::Trs(trs) => trs.translation *= factor,
                LocalTransform::Matrix(matrix) => matrix.translation *= factor,
            }
            bone.tip_in_bone = bone.tip_in_bone.map(|tip| tip * factor);
        }
        let scale_matrix = |matrix: &mut Affine3A| matrix.translation *= factor;
        self.binds.iter_mut().flat_map(|bind| &mut bind.joint_from_rest).for_each(scale_matrix);
        self.meshes.iter_mut().for_each(|mesh| scale_mesh(mesh, factor));
        for track in self.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
            // Tangents of splines are lengths per second.
            if let Channel::Translation(_, values) = &mut track.channel {
                values.iter_mut().for_each(|value| *value *= factor);
            }
        }
        for range in &mut self.skin.ranges {
            range.r0 *= factor;
            range.r1 *= factor;
        }
        self.skin.former.iter_mut().for_each(|vertex| scale_spherical(&mut vertex.spherical, factor));
        self.controllers.helpers.iter_mut().for_each(|helper| scale_helper(helper, f64::from(factor)));
        // Ways are longer by the factor, and say the same.
        let shifts = self.controllers.drivers.iter_mut().flat_map(|driver| &mut driver.shifts);
        shifts.for_each(|direction| *direction /= f64::from(factor));
    }
}

fn scale_mesh(mesh: &mut Mesh, factor: f32) {
    mesh.positions.iter_mut().for_each(|position| *position *= factor);
    mesh.spherical.iter_mut().for_each(|spherical| scale_spherical(spherical, factor));
    for morph in &mut mesh.morphs {
        morph.position_deltas.iter_mut().for_each(|delta| *delta *= factor);
        if let MorphEffect::Bones(bones) = &mut morph.effect {
            bones.iter_mut().for_each(|bone| bone.translation *= factor);
        }
    }
}

fn scale_spherical(spherical: &mut Option<Spherical>, factor: f32) {
    if let Some(Spherical { center, r0, r1 }) = spherical {
        *center *= factor;
        *r0 *= factor;
        *r1 *= factor;
    }
}

/// The first three numbers are lengths. A pull is an acceleration of lengths, so what it contributes to lengths stays as it is, and what it
/// contributes to angles and scale is divided.
fn scale_helper(helper: &mut HelperController, factor: f64) {
    for (_, row) in &mut helper.terms {
        row[..3].iter_mut().for_each(|length| *length *= factor);
    }
    if let Some(swing) = &mut helper.swing {
        swing.gains.iter_mut().flat_map(|row| &mut row[3..]).for_each(|gain| *gain /= factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoundSurface, Pose, samples};
    use glam::Vec3;

    /// Rounding of f32, as a share of the size.
    const ROUNDING: f32 = 1e-6;

    fn skin(character: &Character, time_secs: f64) -> Vec<Vec3> {
        let bound = BoundSurface::of(character);
        let mut pose = Pose::rest(character);
        pose.set_clip(character, &character.clips()[0], time_secs);
        bound.blended(&bound.posed_from_rest(character, &pose))
    }

    #[test]
    fn the_skin_of_the_scaled_is_the_scaled_skin() {
        for factor in [0.01, 100.0] {
            let figure = samples::figure();
            let scaled = figure.scaled(factor).unwrap();
            for time_secs in [0.0, 0.4, 1.3] {
                let (expected, found) = (skin(&figure, time_secs), skin(&scaled, time_secs));
                let size = factor * crate::Mesh::bounds(&figure.meshes()[0]).diagonal();
                for (a, b) in expected.iter().zip(found) {
                    assert!(
                        (*a * factor).distance(b) < 4.0 * ROUNDING * size,
                        "{a} and {b} at {time_secs} s"
                    );
                }
            }
        }
    }

    #[test]
    fn a_factor_beyond_all_numbers_is_an_error() {
        assert!(samples::limb(8, 4).scaled(f32::INFINITY).is_err());
        assert!(samples::limb(8, 4).scaled(f32::NAN).is_err());
    }
}
