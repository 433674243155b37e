//! Who made a character, and what may be done with it.

use super::super::json::whole_number;
use serde_json::{Value, json};

/// VRM's own license, whose terms the other members choose; those that are not written are the strictest.
const LICENSE_URL: &str = "https://vrm.dev/licenses/1.0/";

/// What VRM 0.x has no word for stays at VRM 1.0's defaults, the strictest.
pub(super) fn meta(json: &Value, old: &Value) -> Value {
    let text = |key: &str| old[key].as_str().filter(|text| !text.is_empty());
    let mut meta = json!({
        "name": text("title").unwrap_or("unknown"),
        "authors": [text("author").unwrap_or("unknown")],
        "licenseUrl": LICENSE_URL,
    });
    let same = [
        ("version", "version"),
        ("contactInformation", "contactInformation"),
        ("otherLicenseUrl", "otherLicenseUrl"),
    ];
    for (key, old_key) in same {
        if let Some(text) = text(old_key) {
            meta[key] = text.into();
        }
    }
    if let Some(reference) = text("reference") {
        meta["references"] = json!([reference]);
    }
    if let Some(image) = whole_number(&old["texture"]).and_then(|texture| image_of(json, texture)) {
        meta["thumbnailImage"] = image.into();
    }
    meta["avatarPermission"] = match text("allowedUserName") {
        Some("Everyone") => "everyone",
        Some("ExplicitlyLicensedPerson") => "onlySeparatelyLicensedPerson",
        _ => "onlyAuthor",
    }
    .into();
    // Spelled so in the format.
    meta["allowExcessivelyViolentUsage"] = (text("violentUssageName") == Some("Allow")).into();
    meta["allowExcessivelySexualUsage"] = (text("sexualUssageName") == Some("Allow")).into();
    let is_commercial = text("commercialUssageName") == Some("Allow");
    meta["commercialUsage"] = if is_commercial { "corporation" } else { "personalNonProfit" }.into();
    meta
}

fn image_of(json: &Value, texture: u64) -> Option<u64> {
    let texture = json["textures"].get(usize::try_from(texture).ok()?)?;
    texture.get("source").and_then(whole_number)
}
