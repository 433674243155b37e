//! Controllers by names instead of indices: what scripts and other programs need of a character.

use super::ScriptError;
use super::table::{self, ReferencePose};
use glam::{Affine3A, Quat};
use serde::Serialize;
use sinew_geometry::Trs;
use sinew_rig::{BoneId, Character, ControllerBasis, HELPER_NUMBERS, Swing};

/// All controllers, with names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ControllerSheet {
    /// Which layout this is.
    pub format: &'static str,
    /// Bones that are asked.
    pub drivers: Vec<SheetDriver>,
    /// Functions; one of the two is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monomials: Option<Vec<Vec<u16>>>,
    /// Functions; one of the two is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radial: Option<SheetRadial>,
    /// Bones that follow.
    pub helpers: Vec<SheetHelper>,
    /// Morphs that follow.
    pub correctives: Vec<SheetCorrective>,
}

/// A bone that is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SheetDriver {
    /// Its name.
    pub name: String,
    /// Inputs: its log-quaternion along each.
    pub axes: Vec<[f64; 3]>,
    /// Further inputs: its way from rest, in its own frame at rest, along each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shifts: Vec<[f64; 3]>,
    /// Its rotation in its parent at rest, x y z w.
    pub rest: [f32; 4],
    /// Its rotation in the model when the mesh was bound.
    pub bind: [f32; 4],
    /// On the left of a rotation relative to bind, makes it relative to rest.
    #[serde(rename = "restFromBind")]
    pub rest_from_bind: [f32; 4],
}

/// Radial functions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SheetRadial {
    /// One per input.
    pub scales: Vec<f64>,
    /// Each one per input.
    pub centers: Vec<Vec<f64>>,
}

/// A bone that follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SheetHelper {
    /// Its name.
    pub name: String,
    /// Its parent's name.
    pub parent: String,
    /// Where it stands in its parent when all numbers are 0: translation, rotation x y z w, scale.
    pub rest: SheetTrs,
    /// Its rotation in the model when the mesh was bound.
    pub bind: [f32; 4],
    /// How long its own unit is in the model at rest.
    pub unit: f32,
    /// Indices of functions, 0 for the constant.
    pub functions: Vec<u16>,
    /// Seven for each function.
    pub coefficients: Vec<[f64; HELPER_NUMBERS]>,
    /// Lag and swing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swing: Option<SheetSwing>,
}

/// A mass on a spring at a helper's place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SheetSwing {
    /// Swings a second without damping.
    pub frequency: f64,
    /// From 1 on nothing swings.
    pub damping: f64,
    /// The pull that is never exceeded, m/s².
    pub limit: f64,
    /// What a pull of 1 m/s² along each axis adds to the seven numbers.
    pub gains: [[f64; HELPER_NUMBERS]; 3],
}

/// A morph that follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SheetCorrective {
    /// Name of the mesh.
    pub mesh: String,
    /// Name of the morph.
    pub morph: String,
    /// Index of the morph in its mesh.
    pub index: u32,
    /// Indices of functions, 0 for the constant.
    pub functions: Vec<u16>,
    /// One for each function.
    pub coefficients: Vec<f64>,
}

/// Translation, rotation and scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SheetTrs {
    /// Metres.
    pub translation: [f32; 3],
    /// x y z w.
    pub rotation: [f32; 4],
    /// Along the own axes.
    pub scale: [f32; 3],
}

impl From<Trs> for SheetTrs {
    fn from(trs: Trs) -> Self {
        let Trs { translation, rotation, scale } = trs;
        Self { translation: translation.to_array(), rotation: rotation.to_array(), scale: scale.to_array() }
    }
}

impl ControllerSheet {
    /// Takes the controllers of a character.
    ///
    /// # Errors
    /// It has none, or bones that share a name.
    pub fn new(character: &Character) -> Result<Self, ScriptError> {
        let controllers = character.controllers();
        if controllers.is_empty() {
            return Err(ScriptError::NoControllers);
        }
        let (binds, stands) = (bind_rotations(character), character.skeleton().rest_model_from_bone());
        let name = |bone: BoneId| unique_name(character, bone);
        let rest = |bone: BoneId| character.skeleton().bone(bone).rest.to_trs();
        let driver = |driver: &sinew_rig::ControllerDriver| {
            let bone = driver.bone;
            let parent = character.skeleton().bone(bone).parent;
            let parent_bind = parent.map_or(Quat::IDENTITY, |parent| binds[parent.index()]);
            let bound = parent_bind.conjugate() * binds[bone.index()];
            Ok(SheetDriver {
                name: name(bone)?,
                axes: driver.axes.iter().map(glam::DVec3::to_array).collect(),
                shifts: driver.shifts.iter().map(glam::DVec3::to_array).collect(),
                rest: rest(bone).rotation.to_array(),
                bind: binds[bone.index()].to_array(),
                rest_from_bind: (rest(bone).rotation.conjugate() * bound).normalize().to_array(),
            })
        };
        let helper = |helper: &sinew_rig::HelperController| {
            let parent = character.skeleton().bone(helper.bone).parent;
            Ok(SheetHelper {
                name: name(helper.bone)?,
                parent: parent.map(name).transpose()?.unwrap_or_default(),
                rest: rest(helper.bone).into(),
                bind: binds[helper.bone.index()].to_array(),
                unit: stands[helper.bone.index()].matrix3.x_axis.length(),
                functions: helper.terms.iter().map(|(function, _)| *function).collect(),
                coefficients: helper.terms.iter().map(|(_, row)| *row).collect(),
                swing: helper.swing.map(|Swing { spring, gains }| SheetSwing {
                    frequency: spring.frequency_hz,
                    damping: spring.damping,
                    limit: spring.limit,
                    gains,
                }),
            })
        };
        let corrective = |morph: &sinew_rig::MorphController| {
            let mesh = character.mesh(morph.mesh);
            let (functions, coefficients) = morph.terms.iter().copied().unzip();
            let (mesh, morph_name) = (mesh.name.clone(), mesh.morphs[morph.morph as usize].name.clone());
            SheetCorrective { mesh, morph: morph_name, index: morph.morph, functions, coefficients }
        };
        let (monomials, radial) = match &controllers.basis {
            ControllerBasis::Monomials(products) => (Some(products.clone()), None),
            ControllerBasis::Radial { scales, centers } => {
                (None, Some(SheetRadial { scales: scales.clone(), centers: centers.clone() }))
            }
        };
        Ok(Self {
            format: "sinew helper controllers 1",
            drivers: controllers.drivers.iter().map(driver).collect::<Result<_, ScriptError>>()?,
            monomials,
            radial,
            helpers: controllers.helpers.iter().map(helper).collect::<Result<_, ScriptError>>()?,
            correctives: controllers.morphs.iter().map(corrective).collect(),
        })
    }

    /// What the controllers say in a few poses.
    pub fn reference(&self, character: &Character) -> Vec<ReferencePose> {
        table::reference(character)
    }

    /// All of it as JSON, with the reference table.
    pub(super) fn to_json(&self, character: &Character) -> String {
        let mut value = serde_json::json!(self);
        value["reference"] = serde_json::json!(self.reference(character));
        format!("{value:#}\n")
    }

    /// The sheet as an object literal, which Python and GDScript read as JSON does. One line for each driver, helper and corrective.
    pub(super) fn literal(&self, indent: &str) -> String {
        let value = serde_json::json!(self);
        let mut lines = Vec::new();
        for (key, value) in value.as_object().into_iter().flatten() {
            match value.as_array() {
                Some(list) if list.iter().any(serde_json::Value::is_object) => {
                    let entries: Vec<String> =
                        list.iter().map(|entry| format!("{indent}{indent}{entry},")).collect();
                    lines.push(format!("{indent}{key:?}: [\n{}\n{indent}],", entries.join("\n")));
                }
                _ => lines.push(format!("{indent}{key:?}: {value},")),
            }
        }
        format!("{{\n{}\n}}", lines.join("\n"))
    }
}

fn unique_name(character: &Character, bone: BoneId) -> Result<String, ScriptError> {
    let bones = character.skeleton().bones();
    let name = bones[bone.index()].name.clone();
    let problem = match bones.iter().filter(|other| other.name == name).count() {
        _ if name.is_empty() => "which is nothing",
        1 => return Ok(name),
        _ => "as another is",
    };
    Err(ScriptError::Name { bone, name, problem })
}

/// How bones stand in the model when all joints stand to each other as when meshes were bound; joints without a joint as parent stand as at rest. So does
/// Blender's importer lay out the bones of its armatures.
fn bind_rotations(character: &Character) -> Vec<Quat> {
    let turned = |affine: &Affine3A| Trs::nearest(affine).rotation;
    let skeleton = character.skeleton();
    let mut rotations = vec![Quat::IDENTITY; skeleton.bone_count()];
    for &bone in skeleton.parents_first() {
        let Some(parent) = skeleton.bone(bone).parent else {
            rotations[bone.index()] = turned(&skeleton.bone(bone).rest.to_affine());
            continue;
        };
        let bound = character.binds().iter().find_map(|bind| {
            let of = |bone: BoneId| {
                Some(bind.joint_from_rest[bind.joints.iter().position(|joint| *joint == bone)?])
            };
            Some(of(parent)? * of(bone)?.inverse())
        });
        let local = bound.unwrap_or_else(|| skeleton.bone(bone).rest.to_affine());
        rotations[bone.index()] = (rotations[parent.index()] * turned(&local)).normalize();
    }
    rotations
}
