//! Images in glTF: PNG and JPEG.

use crate::image::{ImageError, ImageLimits, decode_image, encode_png, image_mime_type};

/// The type of an image by its bytes; PNG if unknown.
pub(super) fn mime_type_of(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(&[0xFF, 0xD8]) {
        return "image/jpeg";
    }
    image_mime_type(bytes).unwrap_or("image/png")
}

/// A BMP or TGA image as PNG; `None` for every other kind, which is written unchanged.
///
/// # Errors
/// If the image is damaged or takes more than `max_memory` bytes.
pub(super) fn converted(bytes: &[u8], max_memory: u64) -> Result<Option<Vec<u8>>, ImageError> {
    if !matches!(image_mime_type(bytes), Some("image/bmp" | "image/x-tga")) {
        return Ok(None);
    }
    let limits = ImageLimits::default();
    let limits = ImageLimits { max_rgba_bytes: limits.max_rgba_bytes.min(max_memory), ..limits };
    decode_image(bytes, &limits).map(|image| Some(encode_png(&image)))
}

#[cfg(test)]
mod tests {
    use crate::gltf::GltfDocument;
    use crate::image::{DecodedImage, ImageLimits, decode_image};
    use crate::{Limits, Report};
    use sinew_rig::{Character, CharacterParts, Image};

    /// One pixel.
    const TGA: &[u8] = b"\0\0\x02\0\0\0\0\0\0\0\0\0\x01\0\x01\0\x18\0\x03\x02\x01";
    const PIXEL: [u8; 4] = [1, 2, 3, 255];

    fn character(mime_type: &str, bytes: &[u8]) -> Character {
        let image = Image { name: "skin".into(), mime_type: mime_type.into(), bytes: bytes.into() };
        Character::new(CharacterParts { images: vec![image], ..CharacterParts::default() }).unwrap()
    }

    fn written(document: &GltfDocument) -> Character {
        let report = &mut Report::default();
        let no_files = |_: &str, _| panic!("a .glb needs no other file");
        let bytes = document.to_glb().unwrap();
        GltfDocument::read(bytes, &no_files, &Limits::default(), report)
            .unwrap()
            .to_character(report)
            .unwrap()
    }

    #[track_caller]
    fn check_pixel(character: &Character) {
        let image = &character.images()[0];
        assert_eq!((image.name.as_str(), image.mime_type.as_str()), ("skin", "image/png"));
        assert!(image.bytes.starts_with(b"\x89PNG"), "it is PNG");
        let decoded = decode_image(&image.bytes, &ImageLimits::default()).unwrap();
        assert_eq!(decoded, DecodedImage { width: 1, height: 1, rgba: PIXEL.into() });
    }

    #[test]
    fn new_and_changed_images_become_png() {
        let mut report = Report::default();
        let tga = character("image/x-tga", TGA);
        let document = GltfDocument::from_character(&tga, &mut report);
        check_pixel(&written(&document));
        assert!(document.updated(&tga, &mut report).unwrap() == document, "the same image changes nothing");
        let jpeg = character("image/jpeg", b"\xff\xd8\xff");
        let other = GltfDocument::from_character(&jpeg, &mut report);
        assert_eq!(written(&other), jpeg);
        check_pixel(&written(&other.updated(&tga, &mut report).unwrap()));
        assert!(report.is_empty(), "{report:?}");
    }

    #[test]
    fn ktx2_textures_stay_and_are_named_where_they_are_not_drawn() {
        let json = br#"{ "asset": { "version": "2.0" }, "extensionsUsed": ["KHR_texture_basisu"],
            "extensionsRequired": ["KHR_texture_basisu"], "images": [{ "name": "skin", "uri": "skin.ktx2" }],
            "textures": [{ "extensions": { "KHR_texture_basisu": { "source": 0 } } }],
            "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }] }"#;
        let ktx2 = b"\xabKTX 20\xbb\r\n\x1a\n and more";
        let mut report = Report::default();
        let beside = |_: &str, _| Ok(ktx2.to_vec());
        let document = GltfDocument::read(json.to_vec(), &beside, &Limits::default(), &mut report).unwrap();
        let told: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
        let expected = "extensionsRequired[0]: KHR_texture_basisu (textures[0]): KTX2 (Basis Universal) images need the feature \
                        ktx2, which this program was built without; for the command line: cargo install --path apps/sinew-cli \
                        --features ktx2; they are kept unchanged";
        assert_eq!(told, if cfg!(feature = "ktx2") { vec![] } else { vec![expected] });
        let again = written(&document);
        let image = &again.images()[0];
        assert_eq!((image.mime_type.as_str(), image.bytes.as_slice()), ("image/ktx2", &ktx2[..]));
        let slot = again.materials()[0].base_color_texture.expect("the texture is still there");
        assert_eq!(slot.image.index(), 0);
    }

    #[test]
    fn a_damaged_image_is_told_and_stays() {
        let mut report = Report::default();
        let damaged = character("image/bmp", b"BM");
        assert_eq!(written(&GltfDocument::from_character(&damaged, &mut report)), damaged);
        let warnings: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
        let expected = "images[0] \"skin\": glTF allows only PNG and JPEG, but the BMP image is damaged: the file ends inside its \
                        header, at byte 2; written unchanged";
        assert_eq!(warnings, [expected]);
    }

    #[test]
    fn an_image_beside_a_file_becomes_png_when_it_is_put_in() {
        let json = br#"{ "asset": { "version": "2.0" }, "images": [{ "name": "skin", "uri": "skin.tga" }] }"#;
        let mut report = Report::default();
        let beside = |name: &str, _| {
            assert_eq!(name, "skin.tga");
            Ok(TGA.to_vec())
        };
        let document = GltfDocument::read(json.to_vec(), &beside, &Limits::default(), &mut report).unwrap();
        let image = &document.to_character(&mut report).unwrap().images()[0].clone();
        assert_eq!((image.mime_type.as_str(), image.bytes.as_slice()), ("image/x-tga", TGA));
        check_pixel(&written(&document));
    }
}
