//! Checks of materials: missing textures are removed; colors that are not finite become white, other numbers 0; invalid modes become 0.

use super::{Problems, is_astray, replace_broken};
use crate::pmx::{Pmx, PmxToon};

const LIST: &str = "materials";
/// Index of the last MMD toon.
const LAST_TOON: u8 = 9;
/// The last valid sphere mode.
const LAST_SPHERE_MODE: u8 = 3;

pub(super) fn repair(pmx: &mut Pmx, problems: &mut Problems) {
    let count = pmx.textures.len();
    for (index, material) in pmx.materials.iter_mut().enumerate() {
        let mut add = |what: &str, fix: &str| problems.add(LIST, index, what, fix);
        let mut textures = vec![&mut material.texture, &mut material.sphere];
        match &mut material.toon {
            PmxToon::Texture(toon) => textures.push(toon),
            PmxToon::Shared(toon) if *toon > LAST_TOON => {
                add(&format!("toon {toon} does not exist in MMD"), "it becomes the first");
                *toon = 0;
            }
            PmxToon::Shared(_) => {}
        }
        for texture in textures.into_iter().filter(|texture| is_astray(**texture, count)) {
            add(&format!("its texture {texture} does not exist"), "it has none");
            *texture = -1;
        }
        if material.sphere_mode > LAST_SPHERE_MODE {
            add(&format!("invalid sphere mode {}", material.sphere_mode), "it becomes 0");
            material.sphere_mode = 0;
        }
        let is_color_broken = replace_broken(&mut material.diffuse, 1.0);
        let others = [
            &mut material.specular[..],
            &mut material.ambient[..],
            &mut material.edge_color[..],
            std::slice::from_mut(&mut material.specular_power),
            std::slice::from_mut(&mut material.edge_size),
        ];
        let are_others_broken =
            others.into_iter().fold(false, |broken, values| replace_broken(values, 0.0) | broken);
        if is_color_broken || are_others_broken {
            add("one of its numbers is not finite", "it becomes 1 for the color and 0 elsewhere");
        }
    }
}
