//! Looks at every frame's camera before the first is drawn.

use super::actor::{distance_to_segment, segment};
use super::open::Film;
use super::player::Player;
use crate::SceneError;
use crate::scene_text::GroundKind;
use glam::Vec3;

/// Height over the ground below which a camera counts as in it, metres: a lens has some size.
const LEAST_HEIGHT_M: f64 = 0.01;

/// Refuses a film in which a camera sees nothing at some frame, or stands where nothing can stand.
pub(super) fn check_cameras(film: &Film) -> Result<(), SceneError> {
    let mut player = film.player();
    for frame in 0..film.frame_count() {
        let time_secs = film.time_secs(frame);
        let (index, view) = film.view(time_secs);
        let (line, camera) = (film.file.cameras[index].line, film.file.cameras[index].name.clone());
        let view = view.map_err(|problem| film.no_view(index, time_secs, problem))?;
        let ground = film.file.ground;
        if ground.kind != GroundKind::None && view.eye.y < ground.height_m + LEAST_HEIGHT_M {
            let (height_m, ground_m) = (view.eye.y, ground.height_m);
            return Err(SceneError::InGround { line, camera, time_secs, height_m, ground_m });
        }
        player.set_bones(time_secs);
        if let Some((character, bone, distance_m)) = inside(&player, view.eye.as_vec3()) {
            return Err(SceneError::InCharacter { line, camera, time_secs, character, bone, distance_m });
        }
    }
    Ok(())
}

/// The character and bone in whose flesh a point lies, and how far from the bone, metres.
fn inside(player: &Player, eye: Vec3) -> Option<(String, String, f64)> {
    for cast in &player.cast {
        let (actor, bones) = (&cast.actor, cast.posed.model_from_bone());
        let place = |point: Vec3| actor.scene_from_model.transform_point3(point);
        for (&bone, &radius_m) in actor.flesh.bones.iter().zip(&actor.flesh.inner_m) {
            let (head, tip) = segment(&actor.character, bone, bones);
            let distance_m = distance_to_segment(eye, place(head), place(tip));
            if distance_m < radius_m {
                let name = actor.character.skeleton().bone(bone).name.clone();
                return Some((actor.name.clone(), name, f64::from(distance_m)));
            }
        }
    }
    None
}
