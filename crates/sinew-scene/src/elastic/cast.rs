//! Bodies as they stand when a scene begins.

use super::model::BodyModel;
use super::text::BodyText;
use crate::SceneError;
use crate::scene_text::TextError;
use glam::{Quat, Vec3};
use sinew_geometry::Random;
use sinew_soft::{
    ContactError, Drivers, ExampleSet, ExampleSettings, Grouping, RegionMaterial, Regions, Rings, Skin,
    SoftBody,
};
use std::sync::Arc;

/// One body of a scene.
#[derive(Clone, Debug)]
pub struct Cast {
    /// Its own name.
    pub name: String,
    /// The name that the scene file gives it, which all of an array share.
    pub family: String,
    /// Its shape.
    pub model: Arc<BodyModel>,
    /// Names of its examples.
    pub example_names: Vec<String>,
    /// How many groups of weights it has; regions if each has its own, 0 without examples.
    pub group_count: usize,
    /// sRGB.
    pub color: [u8; 3],
    /// A text over it.
    pub label: Option<String>,
    /// Whether the edges of its surface are drawn.
    pub is_wired: bool,
    /// One per particle, kilograms.
    pub masses: Vec<f32>,
    /// Ready to be stepped.
    pub(super) body: SoftBody,
    /// The same without examples, for measures of time.
    pub(super) plain: SoftBody,
    /// What drives its examples.
    pub(super) drivers: Option<Drivers>,
}

/// Colors of bodies in the order of a scene.
const COLORS: [u32; 8] = [0xd8604a, 0x4a82c4, 0xe8b048, 0x5ca676, 0x9668b0, 0x50aab2, 0xce7898, 0x8c8c6e];

impl Cast {
    /// All bodies of one entry of the scene file; the first has the color with the number `first`.
    pub(super) fn of(
        text: &BodyText,
        model: &Arc<BodyModel>,
        first: usize,
        random: &mut Random,
    ) -> Result<Vec<Self>, SceneError> {
        let (body, plain, masses) = at_rest(text, model)?;
        let count = text.array.count;
        let mut casts = Vec::with_capacity(count);
        for number in 0..count {
            let (mut place, along) = (text.place, number as f64);
            place.at += text.array.step * along + random.signed_vector() * text.array.jitter;
            place.turn_deg +=
                text.array.turn_deg * along + random.signed_vector() * text.array.jitter_turn_deg;
            let [_, r, g, b] = COLORS[(first + number) % COLORS.len()].to_be_bytes();
            let mut body = body.clone();
            put(&mut body, place.frame(), &masses, text);
            casts.push(Self {
                name: if count == 1 { text.name.clone() } else { format!("{} {}", text.name, number + 1) },
                family: text.name.clone(),
                model: model.clone(),
                example_names: text.examples.list.iter().map(|example| example.name.clone()).collect(),
                group_count: group_count(model),
                color: text.color.unwrap_or([r, g, b]),
                label: text.label.clone(),
                is_wired: text.is_wired,
                masses: masses.clone(),
                body,
                plain: plain.clone(),
                drivers: None,
            });
        }
        Ok(casts)
    }

    /// Gives bodies of one model a skin by which they are touched.
    pub(super) fn touch(casts: &mut [Self], text: &BodyText, model: &BodyModel) -> Result<(), TextError> {
        let failed = |error: ContactError| text.error(error);
        let skin = Arc::new(Skin::of_tets(&model.mesh, 0.0).map_err(failed)?);
        casts.iter_mut().try_for_each(|cast| cast.body.set_skin(Some(skin.clone())).map_err(failed))
    }

    /// Weights of the examples at the moment: group by group, or their mean where every region has its own. Before β, or, where
    /// drivers have a say, as they are used.
    pub(super) fn weights(&self, body: &SoftBody) -> Vec<Vec<f32>> {
        let Some(examples) = body.examples(0) else { return Vec::new() };
        let of = |group| match self.drivers {
            Some(_) => examples.used_weights(group),
            None => examples.weights(group).into_iter().map(|weight| weight as f32).collect(),
        };
        if self.model.grouping != Grouping::Each {
            return (0..self.group_count).map(of).collect();
        }
        let mut means = vec![0.0f32; examples.len()];
        for region in 0..self.group_count {
            for (mean, weight) in means.iter_mut().zip(of(region)) {
                *mean += weight / self.group_count as f32;
            }
        }
        vec![means]
    }
}

fn group_count(model: &BodyModel) -> usize {
    match &model.grouping {
        _ if model.examples.is_empty() => 0,
        Grouping::Whole => 1,
        Grouping::Groups(groups) => groups.iter().map(|&group| usize::from(group) + 1).max().unwrap_or(0),
        Grouping::Each => model.mesh.points().len(),
    }
}

/// The body in its model's place, the same without examples, and its masses.
fn at_rest(text: &BodyText, model: &BodyModel) -> Result<(SoftBody, SoftBody, Vec<f32>), SceneError> {
    let mesh = &model.mesh;
    let mut masses = vec![0.0f32; mesh.points().len()];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        let quarter = (0.25 * text.density * mesh.tet_volume(tet)) as f32;
        corners.iter().for_each(|&corner| masses[corner as usize] += quarter);
    }
    let square_speed = (text.young_pa / text.density) as f32;
    let material = RegionMaterial { square_speed, bulk: text.bulk as f32 };
    let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(mesh), |_| material);
    let settings = ExampleSettings {
        grouping: model.grouping.clone(),
        rule: text.examples.rule,
        beta: text.examples.beta,
    };
    let examples = if model.examples.is_empty() {
        None
    } else {
        let bound = ExampleSet::bind(&regions, &model.examples, &settings);
        Some(bound.map_err(|error| text.error(error))?)
    };
    let plain = SoftBody::new(mesh.points(), &masses, vec![(regions.clone(), None)]);
    Ok((SoftBody::new(mesh.points(), &masses, vec![(regions, examples)]), plain, masses))
}

/// Puts a body where it begins, with the velocity that it begins with.
fn put(body: &mut SoftBody, (origin, turn): (Vec3, Quat), masses: &[f32], text: &BodyText) {
    let mass: f32 = masses.iter().sum();
    let center = body.positions().zip(masses).map(|(place, mass)| place * *mass).sum::<Vec3>() / mass;
    let spin = text.spin_deg.map(f64::to_radians).as_vec3();
    for particle in 0..body.particle_count() {
        let place = body.position(particle);
        let velocity = text.velocity.as_vec3() + spin.cross(turn * (place - center));
        body.set_position(particle, origin + turn * place);
        body.set_velocity(particle, velocity);
    }
}
