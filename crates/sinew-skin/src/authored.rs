//! Reads and checks the skinning methods of a character's file.

use crate::{
    JointRange, JointRule, Method, MethodError, MorphCenters, RotationBlend, SkinSettings, SoftRange,
    VertexMethods,
};
use glam::Vec3;
use sinew_rig::{BoundSurface, Character, Mesh, Spherical};

/// A problem of a file's skinning data; the rest of the data is used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum AuthoredProblem {
    #[error("the file's skinning method for {of} is ignored: {error}")]
    Method {
        /// "the model", or the joints' pattern.
        of: String,
        error: MethodError,
    },
    #[error("unknown rotation blend {name:?} in the file is ignored; use slerp or nlerp")]
    Rotation { name: String },
    #[error("the file has a skinning rule for {pattern:?}, but no bone matches it")]
    Pattern { pattern: String },
    #[error(
        "mesh {mesh} ({name:?}): {vertices} vertices have an unknown method code; they use their joints' method"
    )]
    Codes { mesh: usize, name: String, vertices: usize },
    /// Vertices whose parameters are far from the mesh.
    #[error(
        "mesh {mesh} ({name:?}): c, r0 or r1 of {vertices} vertices are farther than {FAR_DIAGONALS} times the mesh's size; they are computed instead"
    )]
    Far { mesh: usize, name: String, vertices: usize },
}

/// Maximum distance of c, r0 and r1 from the middle of a mesh, in lengths of its diagonal. Farther points can only be mistakes, and rotating
/// about them loses all digits: at 100 diagonals f32 still resolves 1e-5 of one.
const FAR_DIAGONALS: f32 = 100.0;

impl SkinSettings {
    /// The settings of the character's file: its method (else LBS), rules and ranges, and the methods of single vertices, with all problems.
    pub fn authored(character: &Character) -> (Self, Vec<AuthoredProblem>) {
        let skin = character.skin();
        let mut problems = Vec::new();
        let mut rotation = RotationBlend::Slerp;
        if let Some(name) = &skin.rotation {
            match name.parse() {
                Ok(named) => rotation = named,
                Err(_) => problems.push(AuthoredProblem::Rotation { name: name.clone() }),
            }
        }
        let s = skin.s.unwrap_or(crate::DEFAULT_S);
        let mut parse = |of: &str, text: &str| {
            let parsed = text.parse::<Method>();
            parsed.map_err(|error| problems.push(AuthoredProblem::Method { of: of.into(), error })).ok()
        };
        let method = skin.method.as_ref().and_then(|text| parse("the model", text));
        let mut joints = Vec::new();
        for rule in &skin.joints {
            let method = parse(&rule.pattern, &rule.method);
            // Delta mush applies to the whole model; as a rule it becomes what it smooths, the linear blend.
            joints.extend(method.map(|method| JointRule { pattern: rule.pattern.clone(), method }));
        }
        let range = |range: &sinew_rig::AuthoredRange| JointRange {
            pattern: range.pattern.clone(),
            range: SoftRange { begin: range.r0, end: range.r1 },
        };
        let settings = Self {
            method: method.unwrap_or_default(),
            joints,
            ranges: skin.ranges.iter().map(range).collect(),
            vertex_methods: Some(VertexMethods { s, rotation }),
            morph_centers: MorphCenters::default(),
        };
        let unknown = settings.patterns().filter(|pattern| !settings.names_a_bone(character, pattern));
        problems.extend(unknown.map(|pattern| AuthoredProblem::Pattern { pattern: pattern.into() }));
        for (mesh, m) in character.meshes().iter().enumerate() {
            let name = || m.name.clone();
            let unknown = |&&code: &&u8| code != 0 && Method::from_code(code, s, rotation).is_none();
            match m.methods.iter().filter(unknown).count() {
                0 => {}
                vertices => problems.push(AuthoredProblem::Codes { mesh, name: name(), vertices }),
            }
            let fits = fits(m);
            match m.spherical.iter().flatten().filter(|spherical| !fits(spherical)).count() {
                0 => {}
                vertices => problems.push(AuthoredProblem::Far { mesh, name: name(), vertices }),
            }
        }
        (settings, problems)
    }
}

/// The files' c, r0 and r1, one per vertex of the surface; empty if no mesh has any. Those far from the mesh are left out.
pub(crate) fn spherical(character: &Character, bound: &BoundSurface) -> Vec<Option<Spherical>> {
    if character.meshes().iter().all(|mesh| mesh.spherical.is_empty()) {
        return Vec::new();
    }
    let mut all = vec![None; bound.vertex_count()];
    for placed in bound.instances() {
        let mesh = character.mesh_of(placed.instance);
        let fits = fits(mesh);
        for (slot, spherical) in all[placed.vertices.clone()].iter_mut().zip(&mesh.spherical) {
            *slot = spherical.filter(|spherical| fits(spherical));
        }
    }
    all
}

/// The method codes, one per vertex of the surface; empty if no mesh has any.
pub(crate) fn codes(character: &Character, bound: &BoundSurface) -> Vec<u8> {
    if character.meshes().iter().all(|mesh| mesh.methods.is_empty()) {
        return Vec::new();
    }
    let mut all = vec![0; bound.vertex_count()];
    for placed in bound.instances() {
        let methods = &character.mesh_of(placed.instance).methods;
        all[placed.vertices.clone()].iter_mut().zip(methods).for_each(|(slot, &code)| *slot = code);
    }
    all
}

/// Whether parameters are close enough to a mesh to be used.
fn fits(mesh: &Mesh) -> impl Fn(&Spherical) -> bool {
    let (center, reach) = if mesh.spherical.is_empty() {
        (Vec3::ZERO, 0.0)
    } else {
        let bounds = mesh.bounds();
        (bounds.center(), FAR_DIAGONALS * bounds.diagonal())
    };
    // In f64, where not even the largest f32 overflows.
    let is_near = move |point: Vec3| point.as_dvec3().distance(center.as_dvec3()) <= f64::from(reach);
    move |spherical: &Spherical| is_near(spherical.center) && is_near(spherical.r0) && is_near(spherical.r1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{AuthoredJoint, AuthoredRange, AuthoredSkin, samples};

    #[test]
    fn what_cannot_be_followed_is_told_and_the_rest_counts() {
        let mut parts = samples::limb(8, 4).into_parts();
        let far = Spherical { center: Vec3::splat(f32::MAX), r0: Vec3::ZERO, r1: Vec3::Y };
        parts.meshes[0].spherical = vec![Some(far); parts.meshes[0].vertex_count()];
        parts.meshes[0].methods = vec![200; parts.meshes[0].vertex_count()];
        parts.skin = AuthoredSkin {
            method: Some("sdef".into()),
            joints: vec![
                AuthoredJoint { pattern: "lower".into(), method: "magic".into() },
                AuthoredJoint { pattern: "Lower".into(), method: "bezier".into() },
            ],
            ranges: vec![AuthoredRange { pattern: "low*".into(), r0: Vec3::ZERO, r1: Vec3::Y }],
            s: Some(0.25),
            rotation: Some("twist".into()),
            ..AuthoredSkin::default()
        };
        let character = Character::new(parts).expect("right");
        let (settings, problems) = SkinSettings::authored(&character);
        assert_eq!(settings.method, Method::SDEF);
        assert_eq!(settings.vertex_methods, Some(VertexMethods { s: 0.25, rotation: RotationBlend::Slerp }));
        assert_eq!((settings.joints.len(), settings.ranges.len()), (1, 1));
        let count = character.meshes()[0].vertex_count();
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "unknown rotation blend \"twist\" in the file is ignored; use slerp or nlerp".to_owned(),
                "the file's skinning method for lower is ignored: unknown method \"magic\"; use lbs, sbs, sdef, bezier, dlb, cor or delta_mush".into(),
                "the file has a skinning rule for \"Lower\", but no bone matches it".into(),
                format!("mesh 0 (\"limb\"): {count} vertices have an unknown method code; they use their joints' method"),
                format!("mesh 0 (\"limb\"): c, r0 or r1 of {count} vertices are farther than 100 times the mesh's size; they are computed instead"),
            ]
        );
    }
}
