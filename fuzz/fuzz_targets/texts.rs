//! Files that people write: whatever their text, reading it ends in data or in an error. The first byte picks the format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::rig::samples;

fuzz_target!(|bytes: &[u8]| {
    let Some((&format, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    match format {
        b'p' => pose(text),
        b'k' => drop(sinew::model::motion::key_clip_from_toml(text).map(|clip| sinew::model::motion::key_clip_to_toml(&clip))),
        b'j' => drop(sinew::model::motion::key_clip_from_json(text)),
        b'w' => drop(sinew::model::motion::PathFile::parse(text)),
        b'm' => drop(sinew::model::motion::map_from_toml(text, &samples::limb(4, 4))),
        b'f' => drop(sinew::scene::film::SceneFile::parse(text)),
        b'e' => drop(sinew::scene::elastic::ElasticFile::parse(text)),
        b'd' => drop(sinew::body::Design::parse(text)),
        b't' => drop(sinew::body::Template::parse(text)),
        b'l' => drop(sinew::flesh::config::read(text)),
        b's' => drop(sinew::model::SkinFile::parse(text)),
        b'b' => drop(sinew::model::rigging::BoxFile::parse(text)),
        b'v' => drop(sinew::scene::body::read_vertex_list(text)),
        _ => {}
    }
});

fn pose(text: &str) {
    let Ok(file) = sinew::model::PoseFile::parse(text) else { return };
    let _ = file.pose(&samples::limb(4, 4));
}
