//! Reading and writing VMD files.

use super::{
    SIGNATURE, SIGNATURE_OLD, Vmd, VmdBoneKey, VmdCameraKey, VmdLightKey, VmdList, VmdModelName, VmdMorphKey,
    VmdPropertyKey, VmdReachSwitch, VmdShadowKey,
};
use crate::bytes::Bytes;
use crate::sink::Sink;
use crate::stored::{Count, List, Stored, inner_list, list, stored};
use crate::{MmdProblem, Result};
use sinew_io::{Limits, Report};

impl Vmd {
    /// Reads a file. It may end before any list but the first.
    ///
    /// # Errors
    /// If the bytes are not a VMD file, a list is truncated, or the memory limit is exceeded.
    pub fn read(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<Self> {
        let source = &mut Bytes::new(bytes, limits);
        let (signature_padding, model_name) = read_header(source)?;
        let mut vmd = Self { signature_padding, model_name, last_list: VmdList::Bones, ..Self::default() };
        vmd.bones = Stored::read(source, VmdList::Bones.stored())?;
        vmd.morphs = vmd.optional(source, VmdList::Morphs)?;
        vmd.cameras = vmd.optional(source, VmdList::Cameras)?;
        vmd.lights = vmd.optional(source, VmdList::Lights)?;
        vmd.shadows = vmd.optional(source, VmdList::Shadows)?;
        vmd.properties = vmd.optional(source, VmdList::Properties)?;
        vmd.trailing = source.rest().to_vec();
        if !vmd.trailing.is_empty() {
            let message = format!("{} bytes after the last list are kept unchanged", vmd.trailing.len());
            report.warn("end of file", message);
        }
        Ok(vmd)
    }

    /// A list; empty if the file ends before it.
    fn optional<T: Stored<()>>(&mut self, source: &mut Bytes<'_>, list: VmdList) -> Result<Vec<T>> {
        // Fewer bytes than a count are garbage, not a list.
        if source.left() < size_of::<u32>() {
            return Ok(Vec::new());
        }
        self.last_list = list;
        Stored::read(source, list.stored())
    }

    /// The file. An unchanged file is written back byte for byte. Lists are cut to 2³² − 1 keys.
    pub fn write(&self) -> Vec<u8> {
        let mut sink = Sink::plain(64 + 111 * self.bones.len() + 23 * self.morphs.len());
        let out = &mut sink;
        let is_old = matches!(self.model_name, VmdModelName::Short(_));
        out.put(if is_old { *SIGNATURE_OLD } else { *SIGNATURE });
        out.put(self.signature_padding);
        match self.model_name {
            VmdModelName::Short(name) => out.put(name),
            VmdModelName::Long(name) => out.put(name),
        }
        let last = self.last_list_to_write();
        write_until(out, last, VmdList::Bones, &self.bones);
        write_until(out, last, VmdList::Morphs, &self.morphs);
        write_until(out, last, VmdList::Cameras, &self.cameras);
        write_until(out, last, VmdList::Lights, &self.lights);
        write_until(out, last, VmdList::Shadows, &self.shadows);
        write_until(out, last, VmdList::Properties, &self.properties);
        sink.out.extend_from_slice(&self.trailing);
        sink.out
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

impl VmdList {
    fn stored(self) -> List<()> {
        let names = ["bones", "morphs", "cameras", "lights", "shadows", "properties"];
        list(Count::FOUR, names[self as usize], ())
    }
}

fn write_until<T: Stored<()>>(sink: &mut Sink, last: VmdList, list: VmdList, keys: &Vec<T>) {
    if list <= last {
        keys.write(sink, list.stored());
    }
}

fn read_header(bytes: &mut Bytes) -> Result<([u8; 5], VmdModelName)> {
    let signature: [u8; 25] = bytes.get("signature")?;
    let padding = bytes.get("signature")?;
    let name = match &signature {
        SIGNATURE => VmdModelName::Long(bytes.get("model name")?),
        SIGNATURE_OLD => VmdModelName::Short(bytes.get("model name")?),
        _ => {
            let found = String::from_utf8_lossy(&signature);
            let problem = MmdProblem::NotSupported(format!(
                "not a VMD file: unknown signature {found:?}; expected version 1 or 2"
            ));
            return Err(bytes.error(0, "signature", problem));
        }
    };
    Ok((padding, name))
}

stored! {
    VmdBoneKey { name: "name", frame: "frame", shift: "shift", rotation: "rotation", curves: "curves" }
    VmdMorphKey { name: "name", frame: "frame", weight: "weight" }
    VmdCameraKey {
        frame: "frame",
        distance: "distance",
        target: "target",
        angles_rad: "angles",
        curves: "curves",
        view_degrees: "angle of view",
        perspective_off: "perspective",
    }
    VmdLightKey { frame: "frame", color: "color", direction: "direction" }
    VmdShadowKey { frame: "frame", mode: "mode", distance: "distance" }
    VmdPropertyKey { frame: "frame", visible: "visible", switches: inner_list(Count::FOUR, "switches", ()) }
    VmdReachSwitch { name: "name", enabled: "whether it is on" }
}

#[cfg(test)]
mod tests {
    use super::super::{BoneCurves, CameraCurves};
    use super::*;
    use crate::{FixedText, MmdReadError};
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Result<(Vmd, Report)> {
        let mut report = Report::default();
        let vmd = Vmd::read(bytes, &Limits::default(), &mut report)?;
        Ok((vmd, report))
    }

    /// Signature, a name with rubbish after it, and `rest`.
    fn file(signature: &[u8; 30], name: &[u8], rest: &[u8]) -> Vec<u8> {
        [signature, name, rest].concat()
    }

    const NEW: &[u8; 30] = b"Vocaloid Motion Data 0002\0\xfdabc";
    const OLD: &[u8; 30] = b"Vocaloid Motion Data file\0\0\0\0\0";
    const NAME: &[u8; 20] = b"\x83~\x83N\0on Data\0\0\xfd\xfd\xfd\xfd\0\0";

    #[track_caller]
    fn check_error(bytes: &[u8], expected: &str) {
        let error = read(bytes).expect_err("it is broken");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn files_may_end_after_any_list() {
        for list_count in 1..=6 {
            for (signature, name) in [(NEW, &NAME[..]), (OLD, &NAME[..10])] {
                let bytes = file(signature, name, &vec![0; 4 * list_count]);
                let (vmd, report) = read(&bytes).expect("it is whole");
                assert_eq!(
                    (vmd.last_list as usize + 1, vmd.model_name.decode().as_str()),
                    (list_count, "ミク")
                );
                assert!(vmd.write() == bytes && report.is_empty(), "{list_count} lists: {report:?}");
            }
        }
    }

    #[test]
    fn bytes_after_the_end_are_kept_and_told() {
        for (list_count, rubbish) in [(6, &b"rubbish"[..]), (2, &[1, 2, 3])] {
            let bytes = file(NEW, NAME, &[&vec![0; 4 * list_count], rubbish].concat());
            let (vmd, report) = read(&bytes).expect("rubbish does not matter");
            assert_eq!((vmd.trailing.as_slice(), vmd.write()), (rubbish, bytes));
            assert_eq!(report.warnings().len(), 1);
        }
    }

    #[test]
    fn errors_say_where() {
        check_error(b"Vocaloid", "byte 0, signature: the file is truncated: 25 more bytes needed, 8 left");
        check_error(
            &[b'x'; 60],
            "byte 0, signature: not a VMD file: unknown signature \"xxxxxxxxxxxxxxxxxxxxxxxxx\"; expected version 1 or 2",
        );
        check_error(
            &file(NEW, NAME, b""),
            "byte 50, bones: the file is truncated: 4 more bytes needed, 0 left",
        );
        check_error(
            &file(NEW, NAME, &[0, 0, 0, 0, 255, 255, 255, 255]),
            "byte 58, morphs: the file is truncated: 98784247785 more bytes needed, 0 left",
        );
        let mut property = vec![0; 4 * 5];
        property.extend([1, 0, 0, 0, 7, 0, 0, 0, 1, 2, 0, 0, 0]);
        check_error(
            &file(NEW, NAME, &property),
            "byte 83, properties[0].switches: the file is truncated: 42 more bytes needed, 0 left",
        );
    }

    #[test]
    fn a_list_that_has_keys_is_written_though_the_file_ended_before() {
        let (mut vmd, _) = read(&file(NEW, NAME, &[0; 4])).expect("it is whole");
        vmd.lights.push(VmdLightKey { frame: 3, color: [0.5; 3], direction: [-1.0; 3] });
        let (again, _) = read(&vmd.write()).expect("it is whole");
        assert_eq!((again.last_list, again.lights), (VmdList::Lights, vmd.lights));
    }

    #[test]
    fn memory_is_bounded_by_the_limit() {
        let bytes = file(NEW, NAME, &[&[200, 0, 0, 0][..], &vec![0; 200 * 111]].concat());
        let error = Vmd::read(&bytes, &Limits::with_max_memory(1000), &mut Report::default());
        assert!(matches!(error, Err(MmdReadError { problem: MmdProblem::Memory(_), .. })), "{error:?}");
    }

    #[test]
    fn camera_keys_come_sorted() {
        let key = |frame, distance| VmdCameraKey {
            frame,
            distance,
            target: [0.0; 3],
            angles_rad: [0.0; 3],
            curves: CameraCurves::default(),
            view_degrees: 30,
            perspective_off: 0,
        };
        let vmd = Vmd { cameras: vec![key(9, 1.0), key(0, 2.0), key(9, 3.0)], ..Vmd::default() };
        assert_eq!(vmd.camera_keys(), [key(0, 2.0), key(9, 3.0)]);
    }

    fn any_list<T: Clone + std::fmt::Debug>(key: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
        prop::collection::vec(key, 0..4)
    }

    fn any_bytes<const N: usize>() -> impl Strategy<Value = [u8; N]> {
        any::<[u64; 16]>().prop_map(|words| {
            let mut bytes = [0; N];
            let random = words.iter().flat_map(|word| word.to_le_bytes());
            bytes.iter_mut().zip(random).for_each(|(byte, any)| *byte = any);
            bytes
        })
    }

    prop_compose! {
        fn any_vmd()(
            bones in any_list((any_bytes::<15>(), any::<u32>(), any::<[f32; 3]>(), any::<[f32; 4]>(), any_bytes::<64>())),
            morphs in any_list((any_bytes::<15>(), any::<u32>(), any::<f32>())),
            cameras in any_list((any::<u32>(), any::<[f32; 7]>(), any_bytes::<24>(), any::<(u32, u8)>())),
            lights in any_list((any::<u32>(), any::<[f32; 3]>(), any::<[f32; 3]>())),
            shadows in any_list(any::<(u32, u8, f32)>()),
            properties in any_list((any::<u32>(), any::<u8>(), any_list((any_bytes::<20>(), any::<u8>())))),
            padding in any::<[u8; 5]>(),
            last in 0..6usize,
        ) -> Vmd {
            use VmdList::{Bones, Cameras, Lights, Morphs, Properties, Shadows};
            Vmd {
                signature_padding: padding,
                bones: bones.into_iter().map(|(name, frame, shift, rotation, bytes)| VmdBoneKey {
                    name: name.into(), frame, shift, rotation, curves: BoneCurves { bytes },
                }).collect(),
                morphs: morphs.into_iter().map(|(name, frame, weight)| VmdMorphKey {
                    name: name.into(), frame, weight,
                }).collect(),
                cameras: cameras.into_iter().map(|(frame, [distance, x, y, z, a, b, c], bytes, (view, off))| VmdCameraKey {
                    frame, distance, target: [x, y, z], angles_rad: [a, b, c], curves: CameraCurves { bytes },
                    view_degrees: view, perspective_off: off,
                }).collect(),
                lights: lights.into_iter().map(|(frame, color, direction)| VmdLightKey { frame, color, direction }).collect(),
                shadows: shadows.into_iter().map(|(frame, mode, distance)| VmdShadowKey { frame, mode, distance }).collect(),
                properties: properties.into_iter().map(|(frame, visible, switches)| VmdPropertyKey {
                    frame, visible,
                    switches: switches.into_iter().map(|(name, enabled)| VmdReachSwitch { name: FixedText::from(name), enabled }).collect(),
                }).collect(),
                last_list: [Bones, Morphs, Cameras, Lights, Shadows, Properties][last],
                ..Vmd::default()
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(vmd in any_vmd()) {
            let bytes = vmd.write();
            let (again, report) = read(&bytes).expect("it is whole");
            prop_assert!(report.is_empty());
            prop_assert_eq!(again.write(), bytes);
            prop_assert_eq!(
                (&again.bones, &again.morphs, &again.cameras, &again.lights, &again.shadows, &again.properties),
                (&vmd.bones, &vmd.morphs, &vmd.cameras, &vmd.lights, &vmd.shadows, &vmd.properties)
            );
        }
    }
}
