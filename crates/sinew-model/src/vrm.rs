//! A character as VRM 1.0: glTF with the extension `VRMC_vrm`, in T-pose.
//!
//! The extension says who made the avatar, what may be done with it, and which node is which bone of a human. What a VRM file has of
//! expressions, gaze and the like stays.

use crate::written::{gltf_with, plain_for_gltf};
use crate::{Model, SaveError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sinew_io::{GltfDocument, Report};
use sinew_motion::Humanoid;
use sinew_rig::{Character, HumanoidBone, HumanoidMap, guess_humanoid};

/// What VRM asks to know about an avatar. What is not given stays as the file has it, or is stated as unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VrmMeta {
    /// The avatar's name. Default: the file's.
    pub title: Option<String>,
    /// Who made it.
    pub authors: Vec<String>,
    /// The address of a license beside VRM's own.
    pub license_url: Option<String>,
}

/// VRM's own license, whose terms the other members of the meta data choose. Those that are not written are the strictest.
const LICENSE_URL: &str = "https://vrm.dev/licenses/1.0/";

/// The extension.
const VRM_EXTENSION: &str = "VRMC_vrm";

/// Arms of a VRM file that are farther from T-pose than this, radians, are not as VRM asks; artists' T-poses are within 10°.
const LARGEST_T_POSE_TURN: f64 = 0.2;

/// A character as a VRM document. `name` is the file's, for an avatar without a title.
///
/// # Errors
/// Bones that VRM requires are missing, or do not make a human.
pub fn vrm_document(
    character: &Character,
    source: Option<&GltfDocument>,
    meta: &VrmMeta,
    name: &str,
    report: &mut Report,
) -> Result<GltfDocument, SaveError> {
    let plain = plain_for_gltf(character, source.is_some(), report);
    let (map, is_vrm) = vrm_map(&plain, source, report);
    let humanoid = checked(&plain, &map)?;
    let is_right = is_vrm && humanoid.arms_off_t_pose() < LARGEST_T_POSE_TURN;
    let rested = if is_right { plain.into_owned() } else { in_t_pose(&plain, &humanoid, report) };
    let mut document = gltf_with(&rested, source, report)?;
    let mut extension = document.json().pointer("/extensions/VRMC_vrm").cloned().unwrap_or_else(|| json!({}));
    extension["specVersion"] = "1.0".into();
    fill_meta(&mut extension, meta, name, report);
    if !is_vrm {
        extension["humanoid"] = json!({ "humanBones": human_bones(&map) });
    }
    document.set_extension(VRM_EXTENSION, extension);
    let clips = rested.clips().len();
    if clips > 0 {
        let what = format!("VTuber programs do not play its {clips} clips; players of glTF do");
        report.warn("", what);
    }
    Ok(document)
}

impl Model {
    /// Puts the model into T-pose, as a `.vrm` of it will be. For work that counts from the rest pose, such as fits of helpers.
    ///
    /// # Errors
    /// As [`vrm_document`].
    pub fn rest_in_t_pose(&mut self, report: &mut Report) -> Result<(), SaveError> {
        let plain = plain_for_gltf(&self.character, self.gltf().is_some(), report).into_owned();
        let (map, is_vrm) = vrm_map(&plain, self.gltf(), report);
        let humanoid = checked(&plain, &map)?;
        let is_right = is_vrm && humanoid.arms_off_t_pose() < LARGEST_T_POSE_TURN;
        self.character = if is_right { plain } else { in_t_pose(&plain, &humanoid, report) };
        Ok(())
    }
}

/// The map of a VRM file, or one that is guessed; whether it is the file's.
fn vrm_map(character: &Character, source: Option<&GltfDocument>, report: &mut Report) -> (HumanoidMap, bool) {
    match source.and_then(|document| document.humanoid(character, report)) {
        Some(map) => (map, true),
        None => (for_vrm(guess_humanoid(character)), false),
    }
}

/// A guessed map as VRM allows it: an upper chest needs a chest.
fn for_vrm(mut map: HumanoidMap) -> HumanoidMap {
    if let (Some(upper), None) = (map.get(HumanoidBone::UpperChest), map.get(HumanoidBone::Chest)) {
        map.set(HumanoidBone::Chest, upper);
    }
    map
}

fn checked(character: &Character, map: &HumanoidMap) -> Result<Humanoid, SaveError> {
    let hands = [HumanoidBone::LeftHand, HumanoidBone::RightHand];
    let hands = hands.into_iter().filter(|&hand| map.get(hand).is_none());
    let missing: Vec<&str> = map.missing().into_iter().chain(hands).map(HumanoidBone::name).collect();
    if !missing.is_empty() {
        return Err(SaveError::NoVrm { missing: missing.join(", ") });
    }
    Humanoid::new(character, map).map_err(SaveError::NotHuman)
}

fn in_t_pose(character: &Character, humanoid: &Humanoid, report: &mut Report) -> Character {
    let (rested, helpers) = humanoid.rested_in_t_pose(character);
    if helpers > 0 {
        let what = format!(
            "{helpers} helpers count from the old rest pose; they move in the clips alone. Fit them to a .vrm instead"
        );
        report.warn("", what);
    }
    rested
}

fn human_bones(map: &HumanoidMap) -> Map<String, Value> {
    // Bones are nodes, in the same order.
    map.iter().map(|(human, bone)| (human.name().into(), json!({ "node": bone.index() }))).collect()
}

/// Puts what is given into the meta data, and states what nobody knows.
fn fill_meta(extension: &mut Value, given: &VrmMeta, name: &str, report: &mut Report) {
    let meta = &mut extension["meta"];
    if !meta.is_object() {
        *meta = json!({});
    }
    let has = |meta: &Value, key: &str| meta.get(key).is_some_and(|value| !value.is_null());
    match &given.title {
        Some(title) => meta["name"] = title.as_str().into(),
        None if !has(meta, "name") => meta["name"] = name.into(),
        None => {}
    }
    if !given.authors.is_empty() {
        meta["authors"] = json!(given.authors);
    } else if !has(meta, "authors") {
        meta["authors"] = json!(["unknown"]);
        report.warn(VRM_EXTENSION, "its author is stated as unknown; use --vrm-author NAME");
    }
    if !has(meta, "licenseUrl") {
        meta["licenseUrl"] = LICENSE_URL.into();
        if given.license_url.is_none() {
            let what = "its license is stated as VRM's strictest; use --vrm-license URL for another";
            report.warn(VRM_EXTENSION, what);
        }
    }
    if let Some(url) = &given.license_url {
        meta["otherLicenseUrl"] = url.as_str().into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SaveSettings;
    use sinew_io::{Folder, Limits};
    use sinew_rig::samples;

    fn reopened(model: &Model, vrm: VrmMeta) -> (Model, Report) {
        let mut report = Report::default();
        let settings = SaveSettings { vrm, ..SaveSettings::default() };
        let written = model.to_bytes_with("me.vrm", &settings, &mut report).expect("a human");
        let none = Folder::of_files(std::iter::empty());
        let read =
            Model::from_bytes("me.vrm", written.main, &none, &Limits::default(), &mut Report::default());
        (read.expect("can be read"), report)
    }

    fn extension(model: &Model) -> &Value {
        &model.gltf().expect("glTF").json()["extensions"]["VRMC_vrm"]
    }

    #[test]
    fn the_extension_has_what_vrm_asks_for() {
        let (model, report) = reopened(&Model::new(samples::figure()), VrmMeta::default());
        let vrm = extension(&model);
        assert_eq!((&vrm["specVersion"], &vrm["meta"]["name"]), (&json!("1.0"), &json!("me")));
        assert_eq!(
            (&vrm["meta"]["authors"], &vrm["meta"]["licenseUrl"]),
            (&json!(["unknown"]), &json!(LICENSE_URL))
        );
        assert!(
            report.warnings().iter().any(|warning| warning.to_string().contains("--vrm-author")),
            "{report:?}"
        );
        let humanoid =
            checked(&model.character, &vrm_map(&model.character, model.gltf(), &mut Report::default()).0);
        assert!(humanoid.expect("all bones").arms_off_t_pose() < 1e-3);
    }

    #[test]
    fn given_meta_data_goes_before_the_files_and_the_rest_stays() {
        let given = VrmMeta {
            title: Some("T".into()),
            authors: vec!["A".into(), "B".into()],
            license_url: Some("https://example.org".into()),
        };
        let (first, report) = reopened(&Model::new(samples::figure()), given);
        assert!(!report.warnings().iter().any(|warning| warning.to_string().contains("--vrm")), "{report:?}");
        let (second, _) = reopened(&first, VrmMeta { title: Some("U".into()), ..VrmMeta::default() });
        let meta = &extension(&second)["meta"];
        assert_eq!((&meta["name"], &meta["authors"]), (&json!("U"), &json!(["A", "B"])));
        assert_eq!(meta["otherLicenseUrl"], "https://example.org");
        assert_eq!(second.character.skeleton(), first.character.skeleton(), "T-pose stays as it is");
    }

    #[test]
    fn what_is_not_a_human_is_refused_with_its_missing_bones() {
        let error = Model::new(samples::limb(8, 4)).to_bytes("limb.vrm", &mut Report::default());
        let told = error.expect_err("a limb").to_string();
        assert!(told.contains("leftHand") && told.contains(".glb"), "{told}");
    }
}
