//! What an anatomy is made by.

use super::{AnatomyError, AnatomyInput};
use crate::config::fields::fields;
use crate::config::{BoneSettings, FleshSettings, LayerSettings};
use serde::{Deserialize, Serialize};
use sinew_geometry::settings::{Field, Problem, Settings, Slot};

/// What an anatomy is made by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnatomySettings {
    /// From the bone outwards; at least one. Default: bone, muscle, fat.
    pub layers: Vec<LayerSettings>,
    /// What bones do differently; of several for the same bone the last counts. Damping and distances do not concern an anatomy.
    pub bones: Vec<BoneSettings>,
    /// Factor on the softness of all bones, 0 to 1. A bone's own softness is that of [`BoneSettings`], else by the bone of a human that
    /// it is or hangs from, else 1. Default 1.
    pub softness: f32,
    /// Over how much of the way from bone to skin one layer goes over into the next, 0 to 1. Too little makes stiffness jump from
    /// point to point; too much makes all layers alike. Default 0.2.
    pub blend: f32,
    /// Most influences of a point, 1 to 16. Default 4, as engines have it.
    pub most_influences: usize,
    /// Radius of the bones' bodies as a share of the flesh round them (the way from a bone's axis to the skin), 0 to below 1. Depth
    /// begins there. Default 0.15.
    pub core_share: f32,
    /// Flesh thinner than this many spacings of the tetrahedra counts as bone: the first number; flesh thicker than the second is
    /// all flesh. Tetrahedra cannot show how thinner flesh moves, and flat regions tremble. Default 0.4 and 0.8.
    pub thin_spacings: [f32; 2],
    /// The same as shares of the thickest flesh of the character (nine tenths of it are thinner), where there is no map of human
    /// bones: fingers, ears and feet are thin on all creatures. Default 0.2 and 0.45.
    pub thin_shares: [f32; 2],
}

impl Default for AnatomySettings {
    fn default() -> Self {
        Self {
            layers: vec![LayerSettings::bone(), LayerSettings::muscle(), LayerSettings::fat()],
            bones: Vec::new(),
            softness: 1.0,
            blend: 0.2,
            most_influences: 4,
            core_share: 0.15,
            thin_spacings: [0.4, 0.8],
            thin_shares: [0.2, 0.45],
        }
    }
}

impl From<&FleshSettings> for AnatomySettings {
    fn from(flesh: &FleshSettings) -> Self {
        Self { layers: flesh.layers.clone(), bones: flesh.bones.clone(), ..Self::default() }
    }
}

impl Settings for AnatomySettings {
    const FIELDS: &'static [Field<Self>] = fields![
        /// Factor on the softness of all bones.
        "softness": Number(softness, [0.0, 1.0]);
        /// Width of the blend between layers, as a share of the way from bone to skin.
        "blend": Number(blend, [0.0, 1.0]);
        /// Maximum influences of a point.
        "most_influences": Number(most_influences, [1.0, 16.0]);
        /// Radius of the bones' bodies as a share of the flesh round them.
        "core_share": Number(core_share, [0.0, 0.9]);
        /// Flesh thinner than the first counts as bone, thicker than the second as all flesh, in spacings.
        "thin_spacings": Numbers(thin_spacings, [0.0, THICKEST]);
        /// The same as shares of the thickest flesh.
        "thin_shares": Numbers(thin_shares, [0.0, THICKEST]);
        /// Layers from the bone outwards.
        "layer": Named(layers, "name");
        /// Exceptions round single bones.
        "bone": Tables(bones);
    ];

    fn problems(&self) -> Vec<Problem> {
        let no_layer = self.layers.is_empty().then(|| Problem::new("no layers; add at least one"));
        let thin = [("thin_spacings", self.thin_spacings), ("thin_shares", self.thin_shares)];
        let falling =
            thin.into_iter().filter(|(_, [first, last])| first > last).map(|(name, [first, last])| {
                Problem::new(format!("{name} goes from {first} to {last}; the first must not be greater"))
            });
        no_layer.into_iter().chain(falling).collect()
    }
}

/// Above nothing that is meant, and far enough from where f32 ends.
const THICKEST: f64 = 1e12;

impl AnatomySettings {
    /// Checks every number, and finds what each bone of a character does differently.
    pub(super) fn of_bones(
        &self,
        input: &AnatomyInput<'_>,
    ) -> Result<Vec<Option<&BoneSettings>>, AnatomyError> {
        sinew_settings::check(self)?;
        let mut of_bones = vec![None; input.character.skeleton().bone_count()];
        for settings in &self.bones {
            let thicknesses = settings.thickness.iter().chain(&settings.thickness_m);
            let is_known = |name: &String| self.layers.iter().any(|layer| layer.name == *name);
            if let Some((layer, _)) = thicknesses.into_iter().find(|(layer, _)| !is_known(layer)) {
                let known: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
                let (bone, layer, known) = (settings.bone.clone(), layer.clone(), known.join(", "));
                return Err(AnatomyError::NoSuchLayer { bone, layer, known });
            }
            of_bones[settings.find(input.character, input.humanoid)?.index()] = Some(settings);
        }
        Ok(of_bones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_named() {
        let check = |change: &dyn Fn(&mut AnatomySettings), expected: &str| {
            let mut settings = AnatomySettings::default();
            change(&mut settings);
            let error = sinew_settings::check(&settings).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        assert_eq!(sinew_settings::check(&AnatomySettings::default()), Ok(()));
        check(&|settings| settings.layers.clear(), "layer");
        check(&|settings| settings.layers[1].young_pa = 0.0, "\"muscle\".young_pa");
        check(&|settings| settings.layers[2].thickness_m = Some(f64::NAN), "\"fat\".thickness_m");
        check(&|settings| settings.blend = -0.1, "blend");
        check(&|settings| settings.thin_shares = [0.5, 0.4], "thin_shares");
    }
}
