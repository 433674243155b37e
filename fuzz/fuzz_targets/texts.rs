//! Files that people write: whatever their text, reading it ends in data or in an error. The first byte picks the format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::rig::samples;

fuzz_target!(|bytes: &[u8]| {
    let Some((&format, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    match format {
        b'p' => pose(text),
        b'k' => drop(sinew::motion::key_clip_from_toml(text).map(|clip| sinew::motion::key_clip_to_toml(&clip))),
        b'j' => drop(sinew::motion::key_clip_from_json(text)),
        b'w' => drop(sinew::motion::PathFile::parse(text)),
        b'm' => drop(sinew::motion::map_from_toml(text, &samples::limb(4, 4))),
        b'f' => drop(sinew::film::SceneFile::parse(text)),
        b'e' => drop(sinew::elastic::ElasticFile::parse(text)),
        b'd' => drop(sinew::human::Design::parse(text)),
        b't' => drop(sinew::human::Template::parse(text)),
        b'l' => drop(sinew::flesh::config::read(text)),
        b's' => drop(sinew::SkinFile::parse(text)),
        b'b' => drop(sinew::rigging::BoxFile::parse(text)),
        b'v' => drop(sinew::body::read_vertex_list(text)),
        _ => {}
    }
});

fn pose(text: &str) {
    let Ok(file) = sinew::PoseFile::parse(text) else { return };
    let _ = file.pose(&samples::limb(4, 4));
}
