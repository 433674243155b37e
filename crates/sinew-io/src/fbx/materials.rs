//! Materials: base color, its picture, and how it shines.

use super::FbxResources;
use super::convert::vec4;
use super::error::ReadFbxError;
use crate::{Budget, Report, ResourceProblem, image_mime_type};
use glam::{Vec2, Vec4};
use sinew_rig::{AlphaMode, Filter, Image, ImageId, Material, MaterialId, TextureSlot, UvTransform, Wrap};
use std::collections::HashMap;

/// Materials and the pictures that they use.
#[derive(Default)]
pub(super) struct Looks {
    /// One per material of the file, in its order.
    pub(super) materials: Vec<Material>,
    pub(super) images: Vec<Image>,
    image_by_name: HashMap<String, ImageId>,
}

/// Below this a material is see-through.
const OPAQUE: f32 = 0.999;

impl Looks {
    pub(super) fn read(
        scene: &ufbx::Scene,
        resources: &FbxResources<'_>,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Self, ReadFbxError> {
        let mut looks = Self::default();
        for material in &scene.materials {
            let look = looks.material(material, resources, budget, report)?;
            looks.materials.push(look);
        }
        Ok(looks)
    }

    /// The materials of a mesh on a node, by the numbers of its polygons. Nodes may replace those of the mesh.
    pub(super) fn of_node(&self, node: &ufbx::Node, mesh: &ufbx::Mesh) -> Vec<Option<MaterialId>> {
        let owner = node.parent.as_ref().filter(|_| node.is_geometry_transform_helper);
        let own = owner.map_or(&node.materials, |owner| &owner.materials);
        let list = if own.is_empty() { &mesh.materials } else { own };
        let id = |material: &ufbx::Material| {
            let index = material.element.typed_id as usize;
            (index < self.materials.len()).then(|| MaterialId::of(index))
        };
        list.iter().map(|material| id(material)).collect()
    }

    fn material(
        &mut self,
        material: &ufbx::Material,
        resources: &FbxResources<'_>,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Material, ReadFbxError> {
        let place = format!("material {:?}", &*material.element.name);
        let default = Material::default();
        let pbr = &material.pbr;
        let value = |map: &ufbx::MaterialMap, default: f32| match map.has_value {
            true => unit(map.value_vec4.x as f32, default),
            false => default,
        };
        let texture = pbr.base_color.texture.as_ref().filter(|_| pbr.base_color.texture_enabled);
        let base_color_texture = match texture {
            Some(texture) => self.texture(&place, texture, resources, budget, report)?,
            None => None,
        };
        let opacity = value(&pbr.opacity, 1.0);
        let color =
            if pbr.base_color.has_value { vec4(pbr.base_color.value_vec4) } else { default.base_color };
        let color = color.truncate() * value(&pbr.base_factor, 1.0);
        let color = color.to_array().map(|share| unit(share, 1.0));
        report_other_textures(material, &place, report);
        Ok(Material {
            name: material.element.name.to_string(),
            base_color: Vec4::new(color[0], color[1], color[2], opacity),
            base_color_texture,
            roughness: value(&pbr.roughness, default.roughness),
            metallic: value(&pbr.metalness, 0.0),
            alpha_mode: if opacity < OPAQUE { AlphaMode::Blend } else { AlphaMode::Opaque },
            is_double_sided: material.features.double_sided.enabled,
            is_unlit: material.features.unlit.enabled,
        })
    }

    fn texture(
        &mut self,
        place: &str,
        texture: &ufbx::Texture,
        resources: &FbxResources<'_>,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Option<TextureSlot>, ReadFbxError> {
        // Layers and procedures are made of pictures; the first one shows most.
        let Some(file) = texture.file_textures.first() else {
            report.warn(
                place,
                format!("texture {:?} is not a picture; it is left out", &*texture.element.name),
            );
            return Ok(None);
        };
        if texture.file_textures.len() > 1 {
            report.warn(
                place,
                format!("{} pictures are layered; the first one is used", texture.file_textures.len()),
            );
        }
        let image = self.image(place, file, resources, budget, report)?;
        let wrap = |mode: ufbx::WrapMode| match mode {
            ufbx::WrapMode::Repeat => Wrap::Repeat,
            ufbx::WrapMode::Clamp => Wrap::Clamp,
        };
        Ok(Some(TextureSlot {
            image,
            uv_set: 0,
            uv_transform: uv_transform(file),
            wrap_u: wrap(file.wrap_u),
            wrap_v: wrap(file.wrap_v),
            filter: Filter::Linear,
        }))
    }

    /// The picture of a texture: in the file itself, or beside it. One that is missing is reported, and kept by name.
    fn image(
        &mut self,
        place: &str,
        texture: &ufbx::Texture,
        resources: &FbxResources<'_>,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<ImageId, ReadFbxError> {
        let name = file_name(texture);
        if let Some(&image) = self.image_by_name.get(&name) {
            return Ok(image);
        }
        let bytes = match embedded(texture) {
            [] => beside(texture, &name, resources, budget.left()).unwrap_or_else(|problem| {
                report.warn(place, format!("missing texture {name:?}: {problem}"));
                Vec::new()
            }),
            content => content.to_vec(),
        };
        budget.take(&place, bytes.len() as u64, 1)?;
        let mime_type = image_mime_type(&bytes).unwrap_or_default().into();
        let image = ImageId::of(self.images.len());
        self.images.push(Image { name: name.clone(), mime_type, bytes });
        self.image_by_name.insert(name, image);
        Ok(image)
    }
}

/// The bytes of a picture inside the file.
fn embedded(texture: &ufbx::Texture) -> &[u8] {
    match &*texture.content {
        [] => texture.video.as_ref().map_or(&[], |video| &video.content),
        content => content,
    }
}

/// The last part of the name of a texture's file; FBX mostly has paths of the machine that it was made on.
fn file_name(texture: &ufbx::Texture) -> String {
    let names = [&texture.relative_filename, &texture.filename, &texture.absolute_filename];
    let last = |path: &&ufbx::String| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    names.iter().map(last).find(|name| !name.is_empty()).unwrap_or_else(|| texture.element.name.to_string())
}

/// Looks for a picture where the file says and, because those paths are rarely true, by its name beside the file and in `textures`.
fn beside(
    texture: &ufbx::Texture,
    name: &str,
    resources: &FbxResources<'_>,
    most: u64,
) -> Result<Vec<u8>, ResourceProblem> {
    let places = [texture.relative_filename.to_string(), name.to_owned(), format!("textures/{name}")];
    let mut problem = ResourceProblem::NotFound;
    for place in places.iter().filter(|place| !place.is_empty()) {
        match resources(place, most) {
            Ok(found) => return Ok(found.bytes),
            // Paths that lead out of the folder are usual, and the name alone may be found yet.
            Err(error) if place == name => problem = error.problem,
            Err(_) => {}
        }
    }
    Err(problem)
}

/// Both have v up in FBX, and down here: v' = 1 − v before and after.
fn uv_transform(texture: &ufbx::Texture) -> UvTransform {
    let matrix = &texture.uv_to_texture;
    let (x, y) =
        (Vec2::new(matrix.m00 as f32, matrix.m10 as f32), Vec2::new(matrix.m01 as f32, matrix.m11 as f32));
    let offset = Vec2::new(matrix.m03 as f32, matrix.m13 as f32);
    if !(texture.has_uv_transform && x.is_finite() && y.is_finite() && offset.is_finite()) {
        return UvTransform::default();
    }
    // (u', v') = (x.x u + y.x v + o.x, x.y u + y.y v + o.y) with v = 1 − w and v' = 1 − w':
    // u' = x.x u − y.x w + (y.x + o.x), w' = −x.y u + y.y w + (1 − y.y − o.y).
    UvTransform {
        offset: Vec2::new(y.x + offset.x, 1.0 - y.y - offset.y),
        rotation_rad: x.y.atan2(x.x),
        scale: Vec2::new(x.length(), y.length()),
    }
}

/// Pictures of a material besides its base color.
fn report_other_textures(material: &ufbx::Material, place: &str, report: &mut Report) {
    let base = material.pbr.base_color.texture.as_ref().map(|texture| texture.element.element_id);
    let others = material.textures.iter().filter(|other| Some(other.texture.element.element_id) != base);
    let mut names: Vec<&str> = others.map(|other| &*other.material_prop).collect();
    names.dedup();
    if !names.is_empty() {
        report.warn(place, format!("textures other than base color are left out: {}", names.join(", ")));
    }
}

/// A share from 0 to 1; `default` for what is not a number.
fn unit(value: f32, default: f32) -> f32 {
    if value.is_nan() { default } else { value.clamp(0.0, 1.0) }
}
