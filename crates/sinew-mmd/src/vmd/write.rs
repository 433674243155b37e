//! Writing VMD files.

use super::{
    SIGNATURE, SIGNATURE_OLD, Vmd, VmdBoneKey, VmdCameraKey, VmdLightKey, VmdList, VmdModelName, VmdMorphKey,
    VmdPropertyKey, VmdShadowKey,
};

impl Vmd {
    /// The file. What was read and not changed comes back byte for byte.
    ///
    /// # Panics
    /// If a list has 2³² keys or more.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + 111 * self.bones.len() + 23 * self.morphs.len());
        match &self.model_name {
            VmdModelName::Short(name) => {
                out.extend_from_slice(SIGNATURE_OLD);
                out.extend_from_slice(&self.signature_padding);
                out.extend_from_slice(&name.bytes);
            }
            VmdModelName::Long(name) => {
                out.extend_from_slice(SIGNATURE);
                out.extend_from_slice(&self.signature_padding);
                out.extend_from_slice(&name.bytes);
            }
        }
        let last = self.last_list_to_write();
        write_list(&mut out, &self.bones, write_bone);
        if last >= VmdList::Morphs {
            write_list(&mut out, &self.morphs, write_morph);
        }
        if last >= VmdList::Cameras {
            write_list(&mut out, &self.cameras, write_camera);
        }
        if last >= VmdList::Lights {
            write_list(&mut out, &self.lights, write_light);
        }
        if last >= VmdList::Shadows {
            write_list(&mut out, &self.shadows, write_shadow);
        }
        if last >= VmdList::Properties {
            write_list(&mut out, &self.properties, write_property);
        }
        out.extend_from_slice(&self.trailing);
        out
    }

    fn last_list_to_write(&self) -> VmdList {
        let lists = [
            (VmdList::Properties, self.properties.len()),
            (VmdList::Shadows, self.shadows.len()),
            (VmdList::Lights, self.lights.len()),
            (VmdList::Cameras, self.cameras.len()),
            (VmdList::Morphs, self.morphs.len()),
        ];
        let with_keys = lists.iter().find(|(_, key_count)| *key_count > 0);
        with_keys.map_or(self.last_list, |&(list, _)| list.max(self.last_list))
    }
}

fn write_list<T>(out: &mut Vec<u8>, keys: &[T], write: fn(&mut Vec<u8>, &T)) {
    write_count(out, keys.len());
    for key in keys {
        write(out, key);
    }
}

fn write_count(out: &mut Vec<u8>, count: usize) {
    let count = u32::try_from(count).expect("lists of keys are shorter than 2³²");
    out.extend_from_slice(&count.to_le_bytes());
}

fn write_floats(out: &mut Vec<u8>, floats: &[f32]) {
    out.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
}

fn write_bone(out: &mut Vec<u8>, key: &VmdBoneKey) {
    out.extend_from_slice(&key.name.bytes);
    out.extend_from_slice(&key.frame.to_le_bytes());
    write_floats(out, &key.shift);
    write_floats(out, &key.rotation);
    out.extend_from_slice(&key.curves.bytes);
}

fn write_morph(out: &mut Vec<u8>, key: &VmdMorphKey) {
    out.extend_from_slice(&key.name.bytes);
    out.extend_from_slice(&key.frame.to_le_bytes());
    write_floats(out, &[key.weight]);
}

fn write_camera(out: &mut Vec<u8>, key: &VmdCameraKey) {
    out.extend_from_slice(&key.frame.to_le_bytes());
    write_floats(out, &[key.distance]);
    write_floats(out, &key.target);
    write_floats(out, &key.angles_rad);
    out.extend_from_slice(&key.curves.bytes);
    out.extend_from_slice(&key.view_degrees.to_le_bytes());
    out.push(key.perspective_off);
}

fn write_light(out: &mut Vec<u8>, key: &VmdLightKey) {
    out.extend_from_slice(&key.frame.to_le_bytes());
    write_floats(out, &key.color);
    write_floats(out, &key.direction);
}

fn write_shadow(out: &mut Vec<u8>, key: &VmdShadowKey) {
    out.extend_from_slice(&key.frame.to_le_bytes());
    out.push(key.mode);
    write_floats(out, &[key.distance]);
}

fn write_property(out: &mut Vec<u8>, key: &VmdPropertyKey) {
    out.extend_from_slice(&key.frame.to_le_bytes());
    out.push(key.visible);
    write_count(out, key.switches.len());
    for switch in &key.switches {
        out.extend_from_slice(&switch.name.bytes);
        out.push(switch.enabled);
    }
}
