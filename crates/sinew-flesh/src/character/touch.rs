//! What of a character touches, and how far it gives way.

use crate::CoveredCharacter;
use crate::anatomy::Anatomy;
use crate::contact::{BodyParts, PushSpread, TouchPoints, TouchSkin};
use glam::{Affine3A, Vec3};
use sinew_rig::Pose;

/// A character's skin, ready to be pressed.
#[derive(Clone, Debug)]
pub(super) struct FleshTouch {
    pub(super) parts: BodyParts,
    /// All vertices of the skin.
    pub(super) skin_points: TouchPoints,
    /// Vertices that stand for the flesh below them.
    pub(super) spread_points: TouchPoints,
    pub(super) spread: PushSpread,
    /// How far each vertex gives way, metres.
    pub(super) gives_m: Vec<f32>,
}

/// Flesh is pressed together by no more than this share of the way from the bone's axis to the skin.
const MOST_SQUEEZE: f32 = 0.4;

impl FleshTouch {
    /// Flesh that goes no farther than so much towards the bone, metres, where it is softest.
    pub(super) fn new(covered: &CoveredCharacter, anatomy: &Anatomy, backstop_m: f32) -> Self {
        let of_point = |(softness, thickness): (&f32, &f32)| {
            Vec3::splat((backstop_m * softness).min(MOST_SQUEEZE * thickness))
        };
        let of_points: Vec<Vec3> = anatomy.softness.iter().zip(&anatomy.thickness_m).map(of_point).collect();
        let of_vertices = covered.cover.embedding.apply(&of_points);
        let gives_m: Vec<f32> = of_vertices.iter().map(|give| give.x.max(0.0)).collect();
        let skin = TouchSkin {
            bound: &covered.bound,
            surface: &covered.surface,
            outer: &anatomy.skin_triangles,
            gives_m: &gives_m,
        };
        let character = &covered.character;
        let mut at_rest = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        Pose::rest(character).model_from_bone_into(character, &mut at_rest);
        let spread = PushSpread::new(&covered.surface, &covered.cover, anatomy);
        let parts = BodyParts::new(&skin, &at_rest);
        Self {
            skin_points: TouchPoints::new(&skin, &parts, 0..covered.surface.positions.len()),
            spread_points: TouchPoints::new(&skin, &parts, spread.vertices()),
            parts,
            spread,
            gives_m,
        }
    }
}
