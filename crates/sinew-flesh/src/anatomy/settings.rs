//! What an anatomy is made by.

use super::AnatomyError;
use sinew_rig::BoneId;

/// How thick a layer is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thickness {
    /// As a share of the way from bone to skin, ≥ 0. Shares of all layers are scaled to fill what layers in metres leave.
    Share(f32),
    /// In metres, ≥ 0; less where the way from bone to skin is shorter.
    Meters(f32),
}

/// One layer, from the bone outwards.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerSettings {
    /// What it is called.
    pub name: String,
    /// How thick it is where no bone says otherwise.
    pub thickness: Thickness,
    /// Young's modulus, pascals, above 0.
    pub young_pa: f32,
    /// Density, kg/m³, above 0.
    pub density_kg_m3: f32,
    /// How much its fibres count, 0 to 1: 0 is the same in all directions.
    pub beta: f32,
    /// Rate at which its motion dies out, 1/s, ≥ 0.
    pub damping: f32,
    /// Whether it is posed by the rig instead of moving by itself.
    pub is_held: bool,
}

impl LayerSettings {
    /// Bone: held on the rig. The stiffness is not that of bone, which no step of time could follow, but what a held layer lends to
    /// the flesh that begins in it.
    pub fn bone() -> Self {
        Self {
            name: "bone".into(),
            thickness: Thickness::Share(0.3),
            young_pa: 200_000.0,
            density_kg_m3: 1_500.0,
            beta: 0.0,
            damping: 20.0,
            is_held: true,
        }
    }

    /// Muscle, half at work: 10 to 40 kPa across its fibres when measured in living people.
    pub fn muscle() -> Self {
        Self {
            name: "muscle".into(),
            thickness: Thickness::Share(0.4),
            young_pa: 25_000.0,
            density_kg_m3: 1_060.0,
            beta: 0.8,
            damping: 8.0,
            is_held: false,
        }
    }

    /// Fat and skin: 2 to 10 kPa.
    pub fn fat() -> Self {
        Self {
            name: "fat".into(),
            thickness: Thickness::Share(0.3),
            young_pa: 6_000.0,
            density_kg_m3: 920.0,
            beta: 0.1,
            damping: 5.0,
            is_held: false,
        }
    }
}

/// What one bone does differently. The default changes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneSettings {
    /// How far flesh round it may be flesh, 0 to 1: at 0 all of it counts as bone. `None`: see [`AnatomySettings::softness`].
    pub softness: Option<f32>,
    /// Factor on the stiffness of all layers round it, above 0.
    pub stiffness: Option<f32>,
    /// Thicknesses of layers round it: layer and thickness; later ones count.
    pub thickness: Vec<(usize, Thickness)>,
    /// Whether the bone is a body inside the flesh. `None`: by its weights, its children and its place; see the module's text.
    pub has_core: Option<bool>,
}

/// What an anatomy is made by.
#[derive(Clone, Debug, PartialEq)]
pub struct AnatomySettings {
    /// From the bone outwards; at least one. Default: bone, muscle, fat.
    pub layers: Vec<LayerSettings>,
    /// What bones do differently; later entries for the same bone count.
    pub bones: Vec<(BoneId, BoneSettings)>,
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

impl AnatomySettings {
    /// What is said of a bone; the last entry counts.
    pub fn bone(&self, bone: BoneId) -> Option<&BoneSettings> {
        self.bones.iter().rev().find(|(of, _)| *of == bone).map(|(_, settings)| settings)
    }

    /// Checks every number.
    ///
    /// # Errors
    /// The first that is out of its range, by name.
    pub fn check(&self, bone_count: usize) -> Result<(), AnatomyError> {
        if self.layers.is_empty() {
            return Err(AnatomyError::NoLayers);
        }
        let share = |place: String, value: f32| in_range(place, value, 0.0, 1.0);
        share("softness".into(), self.softness)?;
        share("blend".into(), self.blend)?;
        in_range("most_influences".into(), self.most_influences as f32, 1.0, 16.0)?;
        in_range("core_share".into(), self.core_share, 0.0, 0.9)?;
        for (name, [first, last]) in
            [("thin_spacings", self.thin_spacings), ("thin_shares", self.thin_shares)]
        {
            in_range(format!("{name}[0]"), first, 0.0, last)?;
            in_range(format!("{name}[1]"), last, 0.0, MOST)?;
        }
        for layer in &self.layers {
            let place = |what: &str| format!("layer {:?}: {what}", layer.name);
            check_thickness(place("thickness"), layer.thickness)?;
            in_range(place("young_pa"), layer.young_pa, LEAST, MOST)?;
            in_range(place("density_kg_m3"), layer.density_kg_m3, LEAST, MOST)?;
            share(place("beta"), layer.beta)?;
            in_range(place("damping"), layer.damping, 0.0, MOST)?;
        }
        for (bone, settings) in &self.bones {
            if bone.index() >= bone_count {
                return Err(AnatomyError::NoSuchBone { bone: *bone, bone_count });
            }
            let place = |what: &str| format!("bone {bone}: {what}");
            settings.softness.map_or(Ok(()), |value| share(place("softness"), value))?;
            settings.stiffness.map_or(Ok(()), |value| in_range(place("stiffness"), value, LEAST, MOST))?;
            for &(layer, thickness) in &settings.thickness {
                if layer >= self.layers.len() {
                    return Err(AnatomyError::NoSuchLayer { layer, layer_count: self.layers.len() });
                }
                check_thickness(place("thickness"), thickness)?;
            }
        }
        Ok(())
    }
}

/// Above nothing that is meant, and far enough from where f32 ends.
const MOST: f32 = 1e12;
const LEAST: f32 = 1e-6;

fn check_thickness(place: String, thickness: Thickness) -> Result<(), AnatomyError> {
    let (Thickness::Share(value) | Thickness::Meters(value)) = thickness;
    in_range(place, value, 0.0, MOST)
}

fn in_range(place: String, found: f32, least: f32, most: f32) -> Result<(), AnatomyError> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(AnatomyError::Setting { place, found, least, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_named() {
        let check = |change: &dyn Fn(&mut AnatomySettings), told: &str| {
            let mut settings = AnatomySettings::default();
            change(&mut settings);
            let error = settings.check(2).expect_err(told).to_string();
            assert!(error.contains(told), "{error}");
        };
        assert_eq!(AnatomySettings::default().check(0), Ok(()));
        check(&|settings| settings.layers.clear(), "layer");
        check(&|settings| settings.layers[1].young_pa = 0.0, "\"muscle\": young_pa");
        check(&|settings| settings.layers[2].thickness = Thickness::Meters(f32::NAN), "\"fat\": thickness");
        check(&|settings| settings.blend = -0.1, "blend");
        check(&|settings| settings.thin_shares = [0.5, 0.4], "thin_shares");
        check(&|settings| settings.bones.push((BoneId(2), BoneSettings::default())), "bone 2");
        let thick = BoneSettings { thickness: vec![(3, Thickness::Share(0.5))], ..Default::default() };
        check(&|settings| settings.bones.push((BoneId(0), thick.clone())), "layer 3");
    }
}
