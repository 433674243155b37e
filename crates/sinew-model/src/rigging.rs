//! Authoring: spherical parameters, calibrated weights and methods, written into the character.

use crate::{SkinChoice, SkinChoiceErrors, TextError};
use glam::Vec3;
use serde::{Deserialize, Serialize};
#[cfg(feature = "files")]
use sinew_io::{Limits, Report};
use sinew_rig::{
    AuthoredJoint, AuthoredRange, AuthoredSkin, Character, FindError, FormerVertex, InfluencesBuilder,
    InvalidCharacter, Mesh, MeshId,
};
use sinew_skin::{
    BoneBox, BoxSpace, JointRule, Method, RotationBlend, SkinSettings, SmoothestMethod, smoothest_methods,
};
#[cfg(feature = "files")]
use std::path::PathBuf;

/// Where c, r0 and r1 come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SphericalSource {
    /// Skeleton and weights.
    #[default]
    Auto,
    /// Boxes bound to bones, which make the weights too.
    Boxes(BoxFile),
}

/// What to write into a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigSettings {
    /// Where c, r0 and r1 come from.
    pub spherical: SphericalSource,
    /// Whether weights are made a straight line along each joint's axis first.
    pub is_calibrated: bool,
    /// Methods, rules and ranges.
    pub choice: SkinChoice,
    /// Joints whose c, r0, r1 and weights are optimized for SBS+: names of child bones, `*` for any text. Default: none.
    pub optimized: Vec<String>,
    /// The method of a character whose file says nothing, where `choice` says nothing either.
    pub default_method: DefaultMethod,
}

/// The method of a character where nobody says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DefaultMethod {
    /// SBS+.
    #[default]
    Sdef,
    /// Joint by joint Bézier or SBS+, whichever turns the joint's own surface less sharply when it is bent by 90°. MMD's viewers play both.
    Smoothest,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RigReport {
    /// The method of the model.
    pub method: String,
    /// Rules for joints: pattern and method.
    pub joints: Vec<(String, String)>,
    /// Vertices that have c, r0 and r1 now.
    pub spherical_vertices: usize,
    /// Vertices of meshes that bones move.
    pub vertices: usize,
    /// What the calibration changed, if it was asked for.
    pub calibration: Option<Calibration>,
    /// How far the boxes reach, if there are any.
    pub boxes: Option<Boxes>,
    /// The joints that were optimized.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub optimized: Vec<OptimizedReport>,
    /// What could not be followed in the model's file.
    pub warnings: Vec<String>,
}

/// A joint that was optimized.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptimizedReport {
    /// The child bone's name.
    pub bone: String,
    /// Vertices with new values.
    pub vertices: usize,
    /// The bends it was optimized for; none where the surface has no rings around the joint.
    pub bends: Vec<BendReport>,
}

/// What a joint loses in one bend, before and after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BendReport {
    /// How far the child is turned, degrees.
    pub angle_deg: f64,
    /// Sharpest turn between rings, degrees.
    pub turn_deg: [f64; 2],
    /// 1 less the least section over rest.
    pub section_loss: [f64; 2],
    /// 1 less the volume between the ends of the joint over rest.
    pub volume_loss: [f64; 2],
}

/// What a calibration changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// Every joint that has vertices.
    pub joints: Vec<JointFit>,

    /// Vertices with another weight than before.
    pub vertices: usize,
    /// Mean change of a weight over these.
    pub mean_change: f32,
    /// Largest change of a weight.
    pub largest_change: f32,
}

/// A joint in a calibration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointFit {
    /// The child bone's name.
    pub bone: String,
    /// How much of the weights' change the place on the axis explains, 0 to 1.
    pub explained: f32,
    /// Whether the weights were taken anew; if not, they do not follow the axis and stay as they are.
    pub is_calibrated: bool,
}

/// How far boxes reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Boxes {
    /// Vertices in one box.
    pub rigid_vertices: usize,
    /// Vertices between two or more.
    pub soft_vertices: usize,
    /// Vertices in none, which keep their weights.
    pub outside_vertices: usize,
    /// Boxes of bones that no mesh is bound to.
    pub unused_boxes: usize,
}

/// Why a character cannot be rigged so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RigError {
    /// A rule for bones that do not exist.
    #[error(transparent)]
    Choice(#[from] SkinChoiceErrors),
    /// A box for a bone that does not exist.
    #[error("boxes: {0}")]
    Box(#[from] FindError),
    /// Joints to optimize that do not exist.
    #[error("optimize: {0}")]
    Optimize(FindError),
    /// Only SBS+ is optimized.
    #[error("joint {bone:?} uses {method}; optimize needs sdef: add --method sdef")]
    NotSdef {
        /// The child bone.
        bone: String,
        /// Its method.
        method: String,
    },
    /// A range set by hand overrides what an optimization would write.
    #[error("joint {bone:?} has a soft range set by hand; remove it to optimize the joint")]
    HasRange {
        /// The child bone.
        bone: String,
    },
    /// No optimization to undo.
    #[error("the file has no optimized joints to undo")]
    NotOptimized,
    /// Nothing to write to.
    #[error("no mesh is bound to bones, so there is nothing to rig")]
    NoBind,
    /// The result is no character.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
}

/// Rigs a character: boxes, then calibration, then parameters, methods and rules.
///
/// # Errors
/// A rule or box names no bone, or no mesh is bound to bones.
pub fn rig(character: Character, settings: &RigSettings) -> Result<(Character, RigReport), RigError> {
    if character.instances().iter().all(|instance| instance.bind.is_none()) {
        return Err(RigError::NoBind);
    }
    let (mut skin, problems) = settings.choice.settings(&character)?;
    let is_method_given =
        settings.choice.method.or(settings.choice.file.as_ref().and_then(|file| file.method)).is_some();
    let is_method_authored =
        character.skin().method.is_some() || character.meshes().iter().any(|mesh| !mesh.methods.is_empty());
    if !is_method_given && !is_method_authored {
        // Whoever writes spherical parameters wants them used.
        skin.method = Method::SDEF;
    }
    if !is_method_given {
        // A PMX has no code for Bézier. What is SDEF there because it was written so stays what it was.
        let bones = sinew_skin::bezier_joints(&character);
        let names = bones.into_iter().map(|bone| &character.skeleton().bone(bone).name);
        let rules = names.filter_map(|name| JointRule::new(name, Method::BEZIER).ok());
        skin.joints.splice(0..0, rules.collect::<Vec<_>>());
    }
    let is_smoothest = settings.default_method == DefaultMethod::Smoothest;
    let mut character = character;
    let mut boxes = None;
    if let SphericalSource::Boxes(file) = &settings.spherical {
        let (bound, coverage) = sinew_skin::bind_by_boxes(character.clone(), &file.boxes(&character)?)?;
        character = bound;
        boxes = Some(Boxes {
            rigid_vertices: coverage.rigid,
            soft_vertices: coverage.soft,
            outside_vertices: coverage.outside,
            unused_boxes: coverage.unused_boxes,
        });
    }
    let mut calibration = None;
    if settings.is_calibrated {
        let (calibrated, change) = sinew_skin::calibrate_weights(character, &skin)?;
        character = calibrated;
        let fit = |joint: &sinew_skin::CalibratedJoint| JointFit {
            bone: character.skeleton().bone(joint.child).name.clone(),
            explained: joint.explained,
            is_calibrated: joint.is_calibrated,
        };
        calibration = Some(Calibration {
            joints: change.joints.iter().map(fit).collect(),

            vertices: change.vertices,
            mean_change: change.mean,
            largest_change: change.largest,
        });
    }
    if is_smoothest && !is_method_given && !is_method_authored {
        let found = smoothest_methods(&character, &skin, &[Method::SDEF, Method::BEZIER]);
        let others = found.into_iter().filter(|joint| joint.method != skin.method);
        let rule = |joint: SmoothestMethod| {
            JointRule::new(&character.skeleton().bone(joint.bone).name, joint.method).ok()
        };
        // What the user says comes later, and wins.
        let rules: Vec<JointRule> = others.filter_map(rule).collect();
        skin.joints.splice(0..0, rules);
    }
    let character = write(character, &skin, boxes.is_some())?;
    let (character, optimized) = optimize(character, &skin, &settings.optimized)?;
    let meshes = character.meshes().iter();
    let report = RigReport {
        method: skin.method.to_string(),
        joints: skin.joints.iter().map(|rule| (rule.pattern.clone(), rule.method.to_string())).collect(),
        spherical_vertices: meshes.clone().map(|mesh| mesh.spherical.iter().flatten().count()).sum(),
        vertices: meshes.map(|mesh| mesh.spherical.len()).sum(),
        calibration,
        boxes,
        optimized,
        warnings: problems.iter().map(ToString::to_string).collect(),
    };
    Ok((character, report))
}

/// Optimizes the joints that patterns name, and keeps what they had in the character.
fn optimize(
    character: Character,
    skin: &SkinSettings,
    patterns: &[String],
) -> Result<(Character, Vec<OptimizedReport>), RigError> {
    if patterns.is_empty() {
        return Ok((character, Vec::new()));
    }
    let is_chosen = |bone: &str| patterns.iter().any(|pattern| sinew_skin::matches(pattern, bone));
    let names = character.skeleton().bones().iter().map(|bone| &bone.name);
    let chosen: Vec<&String> = names.filter(|name| is_chosen(name)).collect();
    for pattern in patterns {
        if !chosen.iter().any(|bone| sinew_skin::matches(pattern, bone)) {
            character.skeleton().find(pattern).map_err(RigError::Optimize)?;
        }
    }
    for bone in chosen {
        let (bone, method) = (bone.clone(), skin.method_of_joint(bone));
        if method != Method::SDEF {
            return Err(RigError::NotSdef { bone, method: method.to_string() });
        }
        if skin.range_of_joint(&bone).is_some() {
            return Err(RigError::HasRange { bone });
        }
    }
    let before = character.clone();
    let (character, joints) = sinew_skin::optimize_joints(character, skin, is_chosen)?;
    let codes = sinew_skin::vertex_method_codes(&character, skin);
    let reports = joints.iter().map(|joint| optimized_report(&character, joint)).collect();
    let mut parts = character.into_parts();
    for (mesh, codes) in parts.meshes.iter_mut().zip(codes) {
        mesh.methods = codes;
    }
    keep_former(&before, &mut parts);
    Ok((Character::new(parts)?, reports))
}

fn optimized_report(character: &Character, joint: &sinew_skin::OptimizedJoint) -> OptimizedReport {
    let bend = |bend: &sinew_skin::BendLoss| BendReport {
        angle_deg: bend.angle_rad.to_degrees(),
        turn_deg: [bend.before, bend.after].map(|loss| loss.turn_rad.to_degrees()),
        section_loss: [bend.before, bend.after].map(|loss| loss.section),
        volume_loss: [bend.before, bend.after].map(|loss| loss.volume),
    };
    OptimizedReport {
        bone: character.skeleton().bone(joint.bone).name.clone(),
        vertices: joint.vertices,
        bends: joint.bends.iter().map(bend).collect(),
    }
}

/// Lists the former values of all vertices that differ; what a former optimization replaced stays as it was.
fn keep_former(before: &Character, parts: &mut sinew_rig::CharacterParts) {
    let is_listed: std::collections::HashSet<_> =
        parts.skin.former.iter().map(|former| (former.mesh, former.vertex)).collect();
    for (index, (old, new)) in before.meshes().iter().zip(&parts.meshes).enumerate() {
        let mesh = MeshId::of(index);
        let spherical = |mesh: &Mesh, vertex: usize| mesh.spherical.get(vertex).copied().flatten();
        let changed = (0..old.vertex_count()).filter(|&vertex| {
            let is_same = old.influences.of(vertex) == new.influences.of(vertex)
                && spherical(old, vertex) == spherical(new, vertex);
            !is_same && !is_listed.contains(&(mesh, vertex as u32))
        });
        parts.skin.former.extend(changed.map(|vertex| FormerVertex {
            mesh,
            vertex: vertex as u32,
            influences: old.influences.pairs(vertex).collect(),
            spherical: spherical(old, vertex),
        }));
    }
}

/// Restores the values that optimizations replaced; returns the number of vertices.
///
/// # Errors
/// There is nothing to restore, or it does not fit the character any more.
pub fn undo_optimization(character: Character) -> Result<(Character, usize), RigError> {
    let mut parts = character.into_parts();
    let former = std::mem::take(&mut parts.skin.former);
    if former.is_empty() {
        return Err(RigError::NotOptimized);
    }
    for (index, mesh) in parts.meshes.iter_mut().enumerate() {
        let of_mesh = former.iter().filter(|former| former.mesh.index() == index);
        let of_vertex: std::collections::HashMap<usize, &FormerVertex> =
            of_mesh.map(|former| (former.vertex as usize, former)).collect();
        if of_vertex.is_empty() {
            continue;
        }
        let count = mesh.vertex_count();
        mesh.spherical.resize(count, None);
        let mut influences = InfluencesBuilder::with_capacity(count, mesh.influences.influence_count());
        for vertex in 0..count {
            match of_vertex.get(&vertex) {
                Some(former) => {
                    influences.push(former.influences.iter().copied());
                    mesh.spherical[vertex] = former.spherical;
                }
                None => {
                    influences.push(mesh.influences.pairs(vertex));
                }
            }
        }
        mesh.influences = influences.build();
    }
    Ok((Character::new(parts)?, former.len()))
}

/// A model's file to rig.
#[cfg(feature = "files")]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigRequest {
    /// The model to read.
    pub input: PathBuf,
    /// The file to write: .glb, .gltf, .vrm or .pmx, for which the default is [`DefaultMethod::Smoothest`].
    pub output: PathBuf,
    /// What to write into it.
    pub settings: RigSettings,
    /// How the model is written.
    pub save: crate::SaveSettings,
}

/// A model that was rigged.
#[cfg(feature = "files")]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RigOutcome {
    /// What was written into it.
    #[serde(flatten)]
    pub rig: RigReport,
    /// The file.
    pub output: PathBuf,
    /// What the format could not hold.
    #[serde(flatten, serialize_with = "sinew_io::serialize_losses")]
    pub losses: Report,
}

/// Rigs a model's file; `report` is what reading it tells, and what of the skinning in it could not be followed.
///
/// # Errors
/// A file that cannot be used, or settings that do not fit. Nothing is written then, and what was there before stays.
#[cfg(feature = "files")]
pub fn rig_file(
    request: &RigRequest,
    limits: &Limits,
    report: &mut Report,
) -> Result<RigOutcome, crate::JobError> {
    use crate::{JobError, Model, extension_of};
    let RigRequest { input, output, settings, save } = request;
    let mut settings = settings.clone();
    match extension_of(output).as_str() {
        "glb" | "gltf" | "vrm" => {}
        "pmx" => settings.default_method = DefaultMethod::Smoothest,
        _ => return Err(JobError::NoRig { path: output.clone() }),
    }
    let mut model = Model::open(input, limits, report).map_err(JobError::at(input))?;
    let rigged = rig(std::mem::take(&mut model.character), &settings).map_err(JobError::at(input))?;
    let rig;
    (model.character, rig) = rigged;
    rig.warnings.iter().for_each(|warning| report.warn("", warning));
    let mut losses = Report::default();
    if !rig.optimized.is_empty() && extension_of(output) == "pmx" {
        losses.warn("", "a PMX cannot hold what the joints had before; to undo, optimize a glTF file");
    }
    model.save_with(output, save, &mut losses).map_err(JobError::at(output))?;
    Ok(RigOutcome { rig, output: output.clone(), losses })
}

/// Undoes the optimization of a model's file; returns the number of vertices restored, and what the format could not hold.
///
/// # Errors
/// A file that cannot be used, or one without optimized joints.
#[cfg(feature = "files")]
pub fn undo_file(
    input: &std::path::Path,
    output: &std::path::Path,
    limits: &Limits,
    report: &mut Report,
) -> Result<(usize, Report), crate::JobError> {
    use crate::{JobError, Model};
    let mut model = Model::open(input, limits, report).map_err(JobError::at(input))?;
    let undone = undo_optimization(std::mem::take(&mut model.character)).map_err(JobError::at(input))?;
    let count;
    (model.character, count) = undone;
    let mut losses = Report::default();
    model.save(output, &mut losses).map_err(JobError::at(output))?;
    Ok((count, losses))
}

/// Puts parameters, methods and rules into the character. `keeps_own`: the parameters that the boxes made stay.
fn write(character: Character, skin: &SkinSettings, keeps_own: bool) -> Result<Character, InvalidCharacter> {
    let spherical = sinew_skin::spherical_parameters(&character, skin);
    let codes = sinew_skin::vertex_method_codes(&character, skin);
    let mut parts = character.into_parts();
    for ((mesh, spherical), codes) in parts.meshes.iter_mut().zip(spherical).zip(codes) {
        let own = std::mem::replace(&mut mesh.spherical, spherical);
        if keeps_own {
            let pairs = mesh.spherical.iter_mut().zip(own);
            pairs.filter(|(_, own)| own.is_some()).for_each(|(derived, own)| *derived = own);
        }
        mesh.methods = codes;
    }
    let rule = |rule: &sinew_skin::JointRule| AuthoredJoint {
        pattern: rule.pattern.clone(),
        method: rule.method.to_string(),
    };
    let range = |range: &sinew_skin::JointRange| AuthoredRange {
        pattern: range.pattern.clone(),
        r0: range.range.begin,
        r1: range.range.end,
    };
    parts.skin = AuthoredSkin {
        method: Some(skin.method.to_string()),
        joints: skin.joints.iter().map(rule).collect(),
        ranges: skin.ranges.iter().map(range).collect(),
        former: std::mem::take(&mut parts.skin.former),
        ..parameters_of_codes(skin)
    };
    Character::new(parts)
}

/// s and the blend of rotations that vertex codes take: those of the model's method, else those that the file had.
fn parameters_of_codes(skin: &SkinSettings) -> AuthoredSkin {
    let of_file = skin.vertex_methods;
    let (s, rotation) = match skin.method {
        Method::Sdef { s, rotation } => (Some(s), Some(rotation)),
        Method::Sbs { rotation } | Method::Bezier { rotation, .. } => {
            (of_file.map(|of| of.s), Some(rotation))
        }
        _ => (of_file.map(|of| of.s), of_file.map(|of| of.rotation)),
    };
    let is_nlerp = rotation == Some(RotationBlend::Nlerp);
    AuthoredSkin {
        s: s.filter(|&s| s != sinew_skin::DEFAULT_S),
        rotation: is_nlerp.then(|| "nlerp".to_owned()),
        ..AuthoredSkin::default()
    }
}

/// `boxes.toml`: a box per bone.
///
/// ```toml
/// [[box]]
/// bone = "LeftArm"              # a name, or "#12"
/// min = [-0.08, -0.05, -0.08]   # metres
/// max = [0.08, 0.33, 0.08]
/// space = "bone"                # the bone's rest frame (default), or "rest": the mesh's rest space
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxFile {
    /// The boxes; of several for one bone, the last counts.
    #[serde(default, rename = "box")]
    pub boxes: Vec<NamedBox>,
}

/// One box.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedBox {
    /// The bone's name, or `#` and its index.
    pub bone: String,
    /// One corner, metres.
    pub min: [f32; 3],
    /// The other corner, metres.
    pub max: [f32; 3],
    /// What the corners are in.
    #[serde(default)]
    pub space: NamedSpace,
}

/// What the corners of a box are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamedSpace {
    /// The bone's own rest frame.
    #[default]
    Bone,
    /// The rest space of the mesh.
    Rest,
}

impl BoxFile {
    /// Parses the text of a file of boxes.
    ///
    /// # Errors
    /// The text is not TOML, has other members, no box, or one that is not finite.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let file: Self =
            toml::from_str(text).map_err(|error| TextError::syntax(error.to_string().trim_end()))?;
        if file.boxes.is_empty() {
            return Err(TextError::NoBox);
        }
        let is_finite = |found: &&NamedBox| found.min.iter().chain(&found.max).all(|x| x.is_finite());
        match file.boxes.iter().find(|found| !is_finite(found)) {
            Some(found) => Err(TextError::Box { bone: found.bone.clone() }),
            None => Ok(file),
        }
    }

    fn boxes(&self, character: &Character) -> Result<Vec<BoneBox>, FindError> {
        let found = |named: &NamedBox| {
            Ok(BoneBox {
                bone: character.skeleton().find(&named.bone)?,
                min: Vec3::from(named.min),
                max: Vec3::from(named.max),
                space: match named.space {
                    NamedSpace::Bone => BoxSpace::Bone,
                    NamedSpace::Rest => BoxSpace::Rest,
                },
            })
        };
        self.boxes.iter().map(found).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use sinew_io::Folder;
    #[cfg(not(feature = "files"))]
    use sinew_io::{Limits, Report};
    use sinew_rig::{Spherical, samples};

    /// A limb whose soft range reaches twice as far down as up: Bézier and SBS+ differ on it.
    fn limb() -> Character {
        let mut parts = samples::limb(16, 40).into_parts();
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for position in &mesh.positions {
            let t = ((position.y - 0.24) / 0.18).clamp(0.0, 1.0);
            influences.push([(0, 1.0 - t), (1, t)]);
        }
        mesh.influences = influences.build();
        Character::new(parts).expect("nothing but weights changed")
    }

    fn rigged(character: Character, method: Option<Method>) -> Character {
        let choice = SkinChoice { method, ..SkinChoice::default() };
        rig(character, &RigSettings { choice, ..RigSettings::default() }).expect("a limb").0
    }

    /// Written as a file of this kind, and read again.
    fn reopened(character: Character, name: &str) -> Character {
        let mut report = Report::default();
        let written = Model::new(character).to_bytes(name, &mut report).expect("can be written");
        let beside = Folder::of_files(written.beside.into_iter().map(|side| (side.name, side.bytes)));
        let read = Model::from_bytes(name, written.main, &beside, &Limits::default(), &mut report);
        read.expect("can be read").character
    }

    fn spherical(character: &Character) -> Vec<Spherical> {
        character.meshes()[0].spherical.iter().flatten().copied().collect()
    }

    #[test]
    fn bezier_in_a_pmx_is_the_same_after_further_conversions() {
        let first = reopened(rigged(limb(), Some(Method::BEZIER)), "limb.pmx");
        let plain = reopened(rigged(limb(), Some(Method::SDEF)), "limb.pmx");
        let differs = |a: &Spherical, b: &Spherical| a.r0.distance(b.r0) > 1e-3;
        assert!(spherical(&first).iter().zip(&spherical(&plain)).any(|(a, b)| differs(a, b)));
        let by_gltf = reopened(reopened(first.clone(), "limb.glb"), "limb.pmx");
        assert_eq!(spherical(&by_gltf), spherical(&first));
        for method in [None, Some(Method::BEZIER)] {
            let again = reopened(rigged(first.clone(), method), "limb.pmx");
            let (found, expected) = (spherical(&again), spherical(&first));
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                let points = |of: &Spherical| [of.center, of.r0, of.r1];
                for (found, expected) in points(found).iter().zip(points(expected)) {
                    // Rounding of the file, a few times over.
                    assert!(found.distance(expected) < 1e-5, "{method:?}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn a_pmx_with_a_shrunk_soft_range_is_still_read() {
        // As versions before wrote every PMX.
        let shrunk = "sdef:s=0.9".parse().expect("a method");
        let old = reopened(rigged(limb(), Some(shrunk)), "limb.pmx");
        let range = |character: &Character| {
            let middle = spherical(character)[spherical(character).len() / 2];
            middle.r0.distance(middle.r1)
        };
        let plain = reopened(rigged(limb(), Some(Method::SDEF)), "limb.pmx");
        assert!((range(&old) / range(&plain) - 0.2).abs() < 1e-3, "{} {}", range(&old), range(&plain));
        // The skeleton and the weights have the whole range.
        let again = reopened(rigged(old, Some(Method::SDEF)), "limb.pmx");
        assert!((range(&again) / range(&plain) - 1.0).abs() < 1e-3, "{} {}", range(&again), range(&plain));
    }
}
