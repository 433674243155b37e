use super::*;
use crate::Limits;
use glam::Vec3;
use sinew_rig::HumanoidBone;

fn upgraded(vrm: &Value) -> (GltfDocument, Report) {
    let nodes = json!([
        { "name": "hips", "translation": [0, 1, 0], "children": [1] },
        { "name": "head", "translation": [0, 0.5, 0], "children": [2, 4] },
        { "name": "hair", "translation": [0, 0.1, 0.1], "children": [3] },
        { "name": "hair 2", "translation": [0, -0.1, 0.2] },
        { "name": "other hair", "translation": [0.1, 0, 0] },
    ]);
    let json = json!({
        "asset": { "version": "2.0" }, "extensionsUsed": ["VRM"], "extensions": { "VRM": vrm },
        "nodes": nodes, "scenes": [{ "nodes": [0] }], "scene": 0, "materials": [{}],
    });
    let none = |_: &str, _: u64| unreachable!("no file is named");
    let mut report = Report::default();
    let mut document =
        GltfDocument::read(json.to_string().into_bytes(), &none, &Limits::default(), &mut report)
            .expect("glTF");
    document.upgrade_vrm0(&mut report);
    (document, report)
}

fn spring(bones: &[u32]) -> Value {
    json!({
        "meta": { "title": "T", "author": "A", "allowedUserName": "Everyone", "commercialUssageName": "Allow" },
        "humanoid": { "humanBones": [{ "bone": "hips", "node": 0 }, { "bone": "head", "node": 1 }] },
        "secondaryAnimation": {
            "boneGroups": [{
                "comment": "hair", "stiffiness": 0.5, "gravityPower": 0.25, "gravityDir": { "x": 0.5, "y": -1, "z": 0.25 },
                "dragForce": 0.3, "center": -1, "hitRadius": 0.02, "bones": bones, "colliderGroups": [0],
            }],
            "colliderGroups": [{ "node": 1, "colliders": [{ "offset": { "x": 0.1, "y": 0.2, "z": 0.3 }, "radius": 0.1 }] }],
        },
    })
}

#[test]
fn the_character_is_turned_and_is_vrm_1() {
    let (document, _) = upgraded(&spring(&[2]));
    let json = document.json();
    assert_eq!(json["extensionsUsed"], json!(["VRMC_vrm", "VRMC_springBone"]));
    assert!(json["extensions"].get("VRM").is_none());
    let meta = &json["extensions"]["VRMC_vrm"]["meta"];
    assert_eq!((&meta["name"], &meta["authors"][0]), (&json!("T"), &json!("A")));
    assert_eq!(
        (&meta["avatarPermission"], &meta["commercialUsage"]),
        (&json!("everyone"), &json!("corporation"))
    );
    let mut report = Report::default();
    let character = document.to_character(&mut report).expect("sound");
    assert!(report.is_empty(), "{report:?}");
    let map = document.humanoid(&character, &mut report).expect("a map");
    assert!(map.get(HumanoidBone::Head).is_some());
    // Hair that was behind a head that looks along −Z is behind one that looks along +Z.
    let places = character.skeleton().rest_model_from_bone();
    assert!(Vec3::from(places[2].translation).abs_diff_eq(Vec3::new(0.0, 1.6, -0.1), 1e-6));
}

#[test]
fn everything_below_a_root_swings_and_leaves_get_a_tail() {
    let (document, _) = upgraded(&spring(&[1]));
    let character = document.to_character(&mut Report::default()).expect("sound");
    let springs = character.springs();
    let names = |chain: usize| -> Vec<&str> {
        let joints = springs.chains[chain].joints.iter();
        joints.map(|joint| character.skeleton().bone(joint.bone).name.as_str()).collect()
    };
    assert_eq!(names(0), ["head", "hair", "hair 2", "hair 2 end"]);
    assert_eq!(names(1), ["other hair", "other hair end"]);
    assert!(
        springs
            .chains
            .iter()
            .flat_map(|chain| &chain.joints)
            .all(|joint| { joint.is_added == character.skeleton().bone(joint.bone).name.ends_with(" end") })
    );
    let joint = springs.chains[0].joints[0];
    assert_eq!(
        (joint.stiffness, joint.gravity_power, joint.drag, joint.hit_radius_m),
        (0.5, 0.25, 0.3, 0.02)
    );
    assert_eq!(joint.gravity_dir, Vec3::new(-0.5, -1.0, -0.25));
    assert_eq!(
        springs.colliders[0].shape,
        sinew_rig::ColliderShape::Sphere { offset: Vec3::new(0.1, 0.2, -0.3), radius: 0.1, is_inside: false }
    );
    let tail = character.skeleton().bone(springs.chains[1].joints[1].bone).rest.to_trs().translation;
    assert!(tail.abs_diff_eq(Vec3::X * 0.07, 1e-6), "{tail}");
}

#[test]
fn nonsense_is_reported_and_left_out() {
    let mut vrm = spring(&[77]);
    vrm["secondaryAnimation"]["colliderGroups"][0]["node"] = json!(-3);
    vrm["materialProperties"] = json!([{ "shader": "Standard" }]);
    let (document, report) = upgraded(&vrm);
    assert!(document.to_character(&mut Report::default()).expect("sound").springs().is_empty());
    assert_eq!(report.warnings().len(), 4, "{report:?}");
    let (document, _) = upgraded(&json!({ "humanoid": 3, "secondaryAnimation": [], "meta": null }));
    assert_eq!(document.json()["extensions"]["VRMC_vrm"]["meta"]["name"], "unknown");
}
