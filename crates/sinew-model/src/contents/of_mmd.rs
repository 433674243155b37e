//! Contents of PMX files, and of PMD files as PMX.

use super::{Content, ContentKind};
use sinew_mmd::MmdText;
use sinew_mmd::pmx::{Pmx, PmxMaterial, PmxMorphKind, PmxToon, material_flags};

pub(super) fn contents(pmx: &Pmx) -> Vec<Content> {
    fn names<'a>(names: impl Iterator<Item = &'a MmdText>) -> Vec<String> {
        names.map(|name| name.as_str().to_owned()).collect()
    }
    let morphs = |is_kind: fn(&PmxMorphKind) -> bool| {
        names(pmx.morphs.iter().filter(|morph| is_kind(&morph.kind)).map(|morph| &morph.name))
    };
    let bones = pmx.bones.iter().map(|bone| (&bone.name, &bone.name_en));
    let english = bones.chain(pmx.morphs.iter().map(|morph| (&morph.name, &morph.name_en)));
    let is_own = |(name, english): &(&MmdText, &MmdText)| !english.as_str().is_empty() && english != name;
    // The two that every model has say nothing.
    let frames = pmx.frames.iter().filter(|frame| frame.special == 0);
    let looks = pmx.materials.iter().filter(|material| has_toon_look(material));
    let lists = [
        (ContentKind::RigidBody, names(pmx.rigid_bodies.iter().map(|body| &body.name))),
        (ContentKind::Joint, names(pmx.joints.iter().map(|joint| &joint.name))),
        (ContentKind::SoftBody, names(pmx.soft_bodies.iter().flatten().map(|body| &body.name))),
        (ContentKind::UvMorph, morphs(|kind| matches!(kind, PmxMorphKind::Uv { .. }))),
        (ContentKind::MaterialMorph, morphs(|kind| matches!(kind, PmxMorphKind::Material(_)))),
        (ContentKind::ImpulseMorph, morphs(|kind| matches!(kind, PmxMorphKind::Impulse(_)))),
        (ContentKind::DisplayFrame, names(frames.map(|frame| &frame.name))),
        (ContentKind::ToonLook, names(looks.map(|material| &material.name))),
        (ContentKind::EnglishName, names(english.filter(is_own).map(|(_, english)| english))),
    ];
    lists.into_iter().map(|(kind, names)| Content { kind, names }).collect()
}

fn has_toon_look(material: &PmxMaterial) -> bool {
    let has_toon = material.toon != PmxToon::Texture(-1);
    let has_sphere = material.sphere >= 0 && material.sphere_mode != 0;
    has_toon || has_sphere || material.flags & material_flags::EDGE != 0
}
