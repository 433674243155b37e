//! Controllers of helper bones: the extension `SINEW_helper_controllers`.
//!
//! People edit it by hand, so an invalid value is an error with its place: a helper that silently does not move would be worse.

use super::Reader;
use crate::gltf::controller_keys::CONTROLLER_EXTENSION;
use crate::gltf::json::Cursor;
use crate::gltf::{ReadGltfError, Result};
use glam::DVec3;
use sinew_geometry::Spring;
use sinew_rig::{
    BoneId, ControllerBasis, ControllerDriver, HELPER_NUMBERS, HelperController, HelperControllers, MeshId,
    MorphController, Swing,
};

impl Reader<'_> {
    /// The extension; empty if the file has none.
    pub(super) fn controllers(&mut self) -> Result<HelperControllers> {
        let root = self.document.root();
        let Some(extension) = root.extension(CONTROLLER_EXTENSION) else {
            return Ok(HelperControllers::default());
        };
        if !extension.value.is_object() {
            return Err(extension.wrong("an object"));
        }
        let node_count = root.list_len("nodes");
        let drivers = each(&extension, "drivers", |entry| driver(entry, node_count))?;
        let basis = basis(&extension)?;
        let helpers = each(&extension, "helpers", |entry| helper(entry, node_count))?;
        let meshes = root.list_len("meshes");
        let morphs = each(&extension, "correctives", |entry| corrective(entry, meshes))?;
        Ok(HelperControllers { drivers, basis, helpers, morphs })
    }
}

fn driver(entry: &Cursor<'_>, node_count: usize) -> Result<ControllerDriver> {
    let bone = BoneId::of(entry.require("node")?.as_index(node_count)?);
    let vectors = |key: &str| {
        let vector = |vector: &Cursor<'_>| Ok(DVec3::from_array(exactly(vector)?));
        entry.list(key)?.iter().map(vector).collect::<Result<Vec<_>>>()
    };
    let axes = match entry.get("axes") {
        None => DVec3::AXES.to_vec(),
        Some(_) => vectors("axes")?,
    };
    Ok(ControllerDriver { bone, axes, shifts: vectors("shifts")? })
}

fn basis(extension: &Cursor<'_>) -> Result<ControllerBasis> {
    if let Some(radial) = extension.get("radial") {
        if extension.get("monomials").is_some() {
            let what = "has both monomials and radial; use one as the basis".to_owned();
            return Err(ReadGltfError::Inconsistent { place: extension.place.clone(), what });
        }
        let centers = radial.list("centers")?;
        return Ok(ControllerBasis::Radial {
            scales: numbers(&radial.require("scales")?)?,
            centers: centers.iter().map(numbers).collect::<Result<_, _>>()?,
        });
    }
    let product = |entry: &Cursor<'_>| entry.items()?.iter().map(small_number).collect();
    let products = extension.list("monomials")?.iter().map(product).collect::<Result<_>>()?;
    Ok(ControllerBasis::Monomials(products))
}

fn helper(entry: &Cursor<'_>, node_count: usize) -> Result<HelperController> {
    let bone = BoneId::of(entry.require("node")?.as_index(node_count)?);
    let terms = terms(entry, helper_numbers)?;
    let swing = entry.get("swing").map(|swing| read_swing(&swing)).transpose()?;
    Ok(HelperController { bone, terms, swing })
}

fn read_swing(entry: &Cursor<'_>) -> Result<Swing> {
    let spring = Spring {
        frequency_hz: number(&entry.require("frequency")?)?,
        damping: number(&entry.require("damping")?)?,
        limit: number(&entry.require("limit")?)?,
    };
    let rows = entry.list("gains")?;
    let gains = rows.iter().map(helper_numbers).collect::<Result<Vec<_>, _>>()?;
    let gains = gains.try_into().map_err(|_| entry.wrong("an object with gains for 3 axes"))?;
    Ok(Swing { spring, gains })
}

/// Six numbers, or seven.
fn helper_numbers(row: &Cursor<'_>) -> Result<[f64; HELPER_NUMBERS]> {
    let given = numbers(row)?;
    if given.len() != HELPER_NUMBERS && given.len() != HELPER_NUMBERS - 1 {
        return Err(row.wrong("a list of 6 or 7 numbers: shift, log-quaternion, logarithm of the scale"));
    }
    let mut all = [0.0; HELPER_NUMBERS];
    all[..given.len()].copy_from_slice(&given);
    Ok(all)
}

fn corrective(entry: &Cursor<'_>, mesh_count: usize) -> Result<MorphController> {
    let mesh = MeshId::of(entry.require("mesh")?.as_index(mesh_count)?);
    let morph = entry.require("morph")?;
    Ok(MorphController {
        mesh,
        morph: u32::try_from(morph.as_u64()?).map_err(|_| morph.wrong("the index of a morph target"))?,
        terms: terms(entry, number)?,
    })
}

/// Functions and their coefficients.
fn terms<T>(entry: &Cursor<'_>, read: impl Fn(&Cursor<'_>) -> Result<T>) -> Result<Vec<(u16, T)>> {
    let (functions, rows) = (entry.list("functions")?, entry.list("coefficients")?);
    if functions.len() != rows.len() {
        let what = format!("has {} functions, but coefficients for {}", functions.len(), rows.len());
        return Err(ReadGltfError::Inconsistent { place: entry.place.clone(), what });
    }
    let terms = functions.iter().zip(&rows).map(|(function, row)| Ok((small_number(function)?, read(row)?)));
    terms.collect()
}

fn each<T>(extension: &Cursor<'_>, key: &str, read: impl Fn(&Cursor<'_>) -> Result<T>) -> Result<Vec<T>> {
    extension.objects(key)?.iter().map(read).collect()
}

fn number(cursor: &Cursor<'_>) -> Result<f64> {
    let found = cursor.value.as_f64().filter(|number| number.is_finite());
    found.ok_or_else(|| cursor.wrong("a finite number"))
}

fn small_number(cursor: &Cursor<'_>) -> Result<u16> {
    u16::try_from(cursor.as_u64()?).map_err(|_| cursor.wrong("a whole number from 0 to 65535"))
}

fn numbers(cursor: &Cursor<'_>) -> Result<Vec<f64>> {
    cursor.items()?.iter().map(number).collect()
}

fn exactly<const N: usize>(cursor: &Cursor<'_>) -> Result<[f64; N]> {
    numbers(cursor)?.try_into().map_err(|_| cursor.wrong(&format!("a list of {N} numbers")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GltfDocument, Limits, Report};
    use serde_json::{Value, json};
    use sinew_rig::{Bone, Character, LocalTransform, MorphTarget, samples};

    fn helped() -> Character {
        let mut parts = samples::limb(8, 4).into_parts();
        let rest =
            LocalTransform::Trs(sinew_geometry::Trs::from_translation(glam::Vec3::new(0.0, 0.05, 0.02)));
        parts.bones.push(Bone { name: "helper_1".into(), parent: Some(BoneId(1)), rest, tip_in_bone: None });
        parts.meshes[0].morphs = vec![MorphTarget::default()];
        parts.meshes[0].default_morph_weights = vec![0.0];
        parts.instances[0].morph_weights = vec![0.0];
        parts.controllers = HelperControllers {
            drivers: vec![
                ControllerDriver::turning(BoneId(1), vec![DVec3::new(0.6, 0.0, 0.8)]),
                ControllerDriver {
                    bone: BoneId(0),
                    axes: DVec3::AXES.to_vec(),
                    shifts: vec![DVec3::new(0.0, 4.5, 0.0)],
                },
            ],
            basis: ControllerBasis::Monomials(vec![vec![0], vec![0, 3]]),
            helpers: vec![HelperController {
                bone: BoneId(3),
                terms: vec![
                    (0, [0.25, 0.0, 0.1, 0.0, 0.0, 1e-5, 0.0]),
                    (2, [0.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0]),
                ],
                swing: Some(Swing {
                    spring: Spring { frequency_hz: 4.5, damping: 0.25, limit: 8.0 },
                    gains: [[1e-3, 0.0, 0.0, 0.02, 0.0, 0.0, 0.0]; 3],
                }),
            }],
            morphs: vec![MorphController { mesh: MeshId(0), morph: 0, terms: vec![(1, 0.5)] }],
        };
        Character::new(parts).expect("a limb with a helper")
    }

    fn read(document: &GltfDocument) -> Result<Character> {
        let bytes = document.to_glb().expect("small");
        let none = |_: &str, _: u64| unreachable!("a .glb names no other file");
        GltfDocument::read(bytes, &none, &Limits::default(), &mut Report::default())?
            .to_character(&mut Report::default())
    }

    #[test]
    fn controllers_come_back_as_they_were_written() {
        let character = helped();
        let mut document = GltfDocument::from_character(&character, &mut Report::default());
        let extension = &document.json["extensions"][CONTROLLER_EXTENSION];
        assert_eq!(extension["helpers"][0]["coefficients"][0], json!([0.25, 0, 0.1, 0, 0, 1e-5]));
        assert_eq!(document.json["extensionsUsed"], json!([CONTROLLER_EXTENSION]));
        assert_eq!(read(&document).unwrap().controllers(), character.controllers());

        // An edit by hand comes in, others' members stay, and without controllers nothing is left.
        let extension = &mut document.json["extensions"][CONTROLLER_EXTENSION];
        extension["helpers"][0]["coefficients"][1][1] = json!(-0.75);
        extension["note"] = json!("by hand");
        let edited = read(&document).unwrap();
        assert_eq!(edited.controllers().helpers[0].terms[1].1[1], -0.75);
        let mut parts = edited.into_parts();
        parts.controllers.helpers[0].terms.truncate(1);
        let updated =
            document.updated(&Character::new(parts.clone()).unwrap(), &mut Report::default()).unwrap();
        let extension = &updated.json["extensions"][CONTROLLER_EXTENSION];
        assert_eq!(
            (&extension["note"], &extension["helpers"][0]["functions"]),
            (&json!("by hand"), &json!([0]))
        );
        parts.controllers = HelperControllers::default();
        document.json["extensions"][CONTROLLER_EXTENSION].as_object_mut().unwrap().remove("note");
        let bare = document.updated(&Character::new(parts).unwrap(), &mut Report::default()).unwrap();
        assert_eq!((bare.json.get("extensions"), bare.json.get("extensionsUsed")), (None, None));
    }

    #[test]
    fn damage_is_told_with_its_place() {
        let document = GltfDocument::from_character(&helped(), &mut Report::default());
        let refused = |change: &dyn Fn(&mut Value), expected: &str| {
            let mut broken = document.clone();
            change(&mut broken.json["extensions"][CONTROLLER_EXTENSION]);
            let error = read(&broken).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error:?} does not say {expected:?}");
        };
        let helpers = "extensions.SINEW_helper_controllers.helpers[0]";
        refused(&|e| *e = json!(7), "must be an object");
        refused(
            &|e| e["drivers"][1]["node"] = json!(99),
            "drivers[1].node: index 99 is out of range; there are 4",
        );
        refused(&|e| e["drivers"][0]["axes"] = json!([[1, 0]]), "axes[0] must be a list of 3 numbers");
        refused(&|e| e["drivers"][0]["axes"] = json!([]), "driver 0 (bone 1) needs one to three axes");
        refused(&|e| e["drivers"][1]["shifts"] = json!([[0, 0, 0]]), "driver 1 (bone 0) needs one to three");
        refused(&|e| e["drivers"][1]["shifts"] = json!([1]), "shifts[0] must be a list");
        refused(&|e| e["monomials"][1] = json!([0, 9]), "monomial 1 uses input 9");
        refused(&|e| e["monomials"][1] = json!(0), "monomials[1] must be a list");
        refused(&|e| e["radial"] = json!({}), "both monomials and radial");
        refused(
            &|e| e["helpers"][0]["coefficients"][1] = json!([1, 2]),
            &format!("{helpers}.coefficients[1] must be a list of 6 or 7 numbers"),
        );
        refused(
            &|e| e["helpers"][0]["coefficients"][1][2] = json!("0.5"),
            &format!("{helpers}.coefficients[1][2] must be a finite number, found \"0.5\""),
        );
        refused(&|e| e["helpers"][0]["functions"] = json!([0]), "has 1 functions, but coefficients for 2");
        refused(&|e| e["helpers"][0]["functions"][1] = json!(8), "term 1 uses function 8, but there are 3");
        refused(&|e| e["helpers"][0]["node"] = json!(1), "helpers cannot be drivers");
        refused(&|e| e["helpers"][0]["swing"]["damping"] = json!(0), "its swing is invalid");
        refused(
            &|e| e["helpers"][0]["swing"]["gains"] = json!([]),
            &format!("{helpers}.swing must be an object with gains"),
        );
        refused(
            &|e| e["helpers"][0]["swing"]["limit"] = json!("8"),
            &format!("{helpers}.swing.limit must be a finite number"),
        );
        refused(&|e| e["correctives"][0]["morph"] = json!(4), "mesh 0 has no morph 4");
    }
}
