//! The same flesh in more or fewer layers.

use sinew_flesh::FleshSettings;
use sinew_flesh::config::LayerSettings;

/// Settings with so many layers, held ones counted. Fewer: the two outermost become one, with the outer's name, the mean of their values by
/// their thickness (of moduli the geometric one). More: the outermost is halved, which changes nothing until the halves differ.
///
/// `None` where no two layers that move are left to be joined, or the outermost does not move.
pub fn with_layer_count(settings: &FleshSettings, count: usize) -> Option<FleshSettings> {
    let mut settings = settings.clone();
    while settings.layers.len() > count {
        join_outermost(&mut settings)?;
    }
    while settings.layers.len() < count {
        halve_outermost(&mut settings)?;
    }
    Some(settings)
}

fn join_outermost(settings: &mut FleshSettings) -> Option<()> {
    let [.., inner, outer] = &settings.layers[..] else { return None };
    if inner.is_held || outer.is_held {
        return None;
    }
    let (inner, outer) = (inner.clone(), outer.clone());
    let thickness = inner.thickness + outer.thickness;
    let share = if thickness > 0.0 { outer.thickness / thickness } else { 0.5 };
    let mean = |inner: f64, outer: f64| inner + share * (outer - inner);
    for bone in &mut settings.bones {
        let of = |layer: &LayerSettings| bone.thickness.iter().find(|(name, _)| *name == layer.name);
        let (of_inner, of_outer) = (of(&inner).map(|(_, own)| *own), of(&outer).map(|(_, own)| *own));
        if of_inner.is_some() || of_outer.is_some() {
            let both = of_inner.unwrap_or(inner.thickness) + of_outer.unwrap_or(outer.thickness);
            bone.thickness.retain(|(name, _)| *name != inner.name && *name != outer.name);
            bone.thickness.push((outer.name.clone(), both));
        }
    }
    let joined = LayerSettings {
        thickness,
        young_pa: mean(inner.young_pa.ln(), outer.young_pa.ln()).exp(),
        fibre_share: mean(inner.fibre_share, outer.fibre_share),
        damping_per_sec: mean(inner.damping_per_sec, outer.damping_per_sec),
        ..outer
    };
    settings.layers.truncate(settings.layers.len() - 2);
    settings.layers.push(joined);
    scale_thicknesses(settings);
    Some(())
}

fn halve_outermost(settings: &mut FleshSettings) -> Option<()> {
    let outermost = settings.layers.last_mut().filter(|layer| !layer.is_held)?;
    outermost.thickness *= 0.5;
    let (inner, mut outer) = (outermost.name.clone(), outermost.clone());
    while settings.layers.iter().any(|layer| layer.name == outer.name) {
        outer.name = format!("outer {}", outer.name);
    }
    for bone in &mut settings.bones {
        let own = bone.thickness.iter_mut().find(|(name, _)| *name == inner);
        let half = own.map(|(_, thickness)| {
            *thickness *= 0.5;
            *thickness
        });
        bone.thickness.extend(half.map(|half| (outer.name.clone(), half)));
    }
    settings.layers.push(outer);
    Some(())
}

/// Thicknesses are shares of their sum and at most 1 each: all of them by one factor are the same flesh.
fn scale_thicknesses(settings: &mut FleshSettings) {
    let of_bones = settings.bones.iter().flat_map(|bone| bone.thickness.iter().map(|(_, own)| *own));
    let thickest = settings.layers.iter().map(|layer| layer.thickness).chain(of_bones).fold(0.0, f64::max);
    if thickest > 1.0 {
        settings.layers.iter_mut().for_each(|layer| layer.thickness /= thickest);
        let of_bones = settings.bones.iter_mut().flat_map(|bone| &mut bone.thickness);
        of_bones.for_each(|(_, own)| *own /= thickest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_flesh::FleshPreset;
    use sinew_flesh::config::BoneSettings;
    use sinew_flesh::config::{read, write};

    fn natural() -> FleshSettings {
        let mut settings = FleshPreset::Natural.settings();
        let thickness = vec![("fat".to_owned(), 0.9)];
        settings.bones.push(BoneSettings { bone: "hips".into(), thickness, ..BoneSettings::default() });
        settings
    }

    #[test]
    fn joined_layers_are_the_mean_of_both() {
        let two = with_layer_count(&natural(), 2).unwrap();
        let (bone, flesh) = (&two.layers[0], &two.layers[1]);
        // Muscle 0.45 and fat 0.35; 0.45 and 0.9 round the hips, which is more than 1 and scales all.
        let scale = 1.0 / 1.35;
        assert!(
            (flesh.thickness - 0.8 * scale).abs() < 1e-12 && (bone.thickness - 0.2 * scale).abs() < 1e-12
        );
        let young = (0.5625 * 20_000f64.ln() + 0.4375 * 1_200f64.ln()).exp();
        assert!((flesh.young_pa / young - 1.0).abs() < 1e-9, "{}", flesh.young_pa);
        assert!((flesh.damping_per_sec - (0.5625 * 14.0 + 0.4375 * 8.0)).abs() < 1e-9);
        assert_eq!(two.bones[0].thickness, [("fat".to_owned(), 1.0)]);
        assert_eq!(read(&write(&two)), Ok(two.clone()));
        assert_eq!(with_layer_count(&two, 1), None, "the last that moves");
    }

    #[test]
    fn halves_have_half_the_thickness_and_another_name() {
        let four = with_layer_count(&natural(), 4).unwrap();
        assert_eq!(four.layers[3].name, "outer fat");
        assert_eq!((four.layers[2].thickness, four.layers[3].thickness), (0.175, 0.175));
        assert_eq!(four.bones[0].thickness, [("fat".to_owned(), 0.45), ("outer fat".to_owned(), 0.45)]);
        assert_eq!(read(&write(&four)), Ok(four.clone()));
        let three = with_layer_count(&four, 3).unwrap();
        let (back, before) = (&three.layers[2], &natural().layers[2]);
        assert!((back.young_pa / before.young_pa - 1.0).abs() < 1e-12 && back.thickness == before.thickness);
        assert_eq!(three.bones[0].thickness, [("outer fat".to_owned(), 0.9)]);
        assert_eq!(with_layer_count(&natural(), 3), Some(natural()));
    }
}
