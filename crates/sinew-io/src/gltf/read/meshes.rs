//! Meshes: primitives joined in order.

use super::Reader;
use super::morphs::MorphBuilder;
use super::nodes::{UNIT_TOLERANCE, numbers};
use crate::gltf::accessor::Accessor;
use crate::gltf::compressed::DRACO;
use crate::gltf::json::Cursor;
use crate::gltf::skin_keys::{METHOD_KEY, SCALAR_METHOD_KEY, SPHERICAL_KEYS};
use crate::gltf::{ReadGltfError, Result};
use glam::{Vec2, Vec3, Vec4};
use sinew_rig::{InfluencesBuilder, MaterialGroup, MaterialId, Mesh};

/// Tangent of vertices whose primitive has none while another primitive of the mesh does.
const DEFAULT_TANGENT: Vec4 = Vec4::new(1.0, 0.0, 0.0, 1.0);

/// Weight sums further than this from 1 are reported: a byte's rounding for each of 4 weights.
const WEIGHT_SUM_TOLERANCE: f32 = 0.01;

impl Reader<'_> {
    pub(super) fn meshes(&mut self) -> Result<Vec<Mesh>> {
        let meshes = self.document.root().objects("meshes")?;
        // `{}` is a valid mesh of two bytes. The list grows by doubling, and each entry has a cursor and a value.
        self.budget.note_unstored(&"meshes", meshes.len() as u64, 4 * size_of::<Mesh>() as u64)?;
        meshes.iter().map(|mesh| self.mesh(mesh)).collect()
    }

    fn mesh(&mut self, mesh: &Cursor<'_>) -> Result<Mesh> {
        let primitives = mesh.objects("primitives")?;
        let mut builder = MeshBuilder::new(mesh, &primitives)?;
        for primitive in &primitives {
            self.primitive(primitive, &mut builder)?;
        }
        Ok(builder.build(mesh.name()))
    }

    fn primitive(&mut self, primitive: &Cursor<'_>, out: &mut MeshBuilder) -> Result<()> {
        let attributes = primitive.require("attributes")?;
        let first = out.mesh.positions.len();
        let is_packed = primitive.extension(DRACO).is_some();
        let Some(reference) = attributes.get("POSITION").filter(|_| !is_packed) else {
            // Extensions may compute positions themselves; Sinew has nothing to deform.
            if !is_packed {
                self.report.warn(&primitive.place, "it has no POSITION; left out");
            }
            out.mesh.groups.push(MaterialGroup {
                material: None,
                vertices: first as u32..first as u32,
                triangles: out.mesh.triangles.len() as u32..out.mesh.triangles.len() as u32,
            });
            return Ok(());
        };
        let positions = self.vectors(&reference, None)?;
        let count = positions.len();
        if first + count > u32::MAX as usize {
            let what = "the mesh has more than 2³² vertices".to_owned();
            return Err(ReadGltfError::Inconsistent { place: primitive.place.clone(), what });
        }
        if let Some(vertex) = positions.iter().position(|position| !position.is_finite()) {
            let what = format!("element {vertex} is not finite: {}", positions[vertex]);
            return Err(ReadGltfError::Inconsistent { place: reference.place, what });
        }
        let triangles = self.triangles(primitive, count)?;
        if out.has_normals {
            out.mesh.normals.extend(match self.optional(&attributes, "NORMAL", count)? {
                Some(reference) => unit_normals(self.vectors(&reference, Some(count))?),
                None => sinew_geometry::smooth_normals(&positions, &triangles),
            });
        }
        if first == 0 {
            // Without a copy.
            out.mesh.positions = positions;
        } else {
            out.mesh.positions.extend(positions);
        }
        let shift = first as u32;
        let first_triangle = out.mesh.triangles.len() as u32;
        out.mesh.triangles.extend(triangles.iter().map(|triangle| triangle.map(|vertex| vertex + shift)));
        self.other_attributes(&attributes, count, out)?;
        let have_both = self.influences(primitive, &attributes, count, &mut out.influences)?;
        self.spherical(&attributes, &have_both, out)?;
        self.methods(&attributes, out)?;
        for (target, morph) in primitive.objects("targets")?.iter().zip(&mut out.morphs) {
            self.morph_target(target, shift, count, morph)?;
        }
        let material = primitive.index("material", self.document.root().list_len("materials"))?;
        out.mesh.groups.push(MaterialGroup {
            material: material.map(MaterialId::of),
            vertices: shift..out.mesh.positions.len() as u32,
            triangles: first_triangle..out.mesh.triangles.len() as u32,
        });
        Ok(())
    }

    /// Tangents, texture coordinates and colors.
    fn other_attributes(
        &mut self,
        attributes: &Cursor<'_>,
        count: usize,
        out: &mut MeshBuilder,
    ) -> Result<()> {
        if out.has_tangents {
            match self.optional(attributes, "TANGENT", count)? {
                Some(reference) => out
                    .mesh
                    .tangents
                    .extend(self.elements::<4>(&reference, &[4])?.into_iter().map(Vec4::from)),
                None => self.fill(&attributes.place, &mut out.mesh.tangents, count, DEFAULT_TANGENT)?,
            }
        }
        if out.has_colors {
            match self.optional(attributes, "COLOR_0", count)? {
                Some(reference) => out
                    .mesh
                    .colors
                    .extend(self.elements::<4>(&reference, &[3, 4])?.into_iter().map(Vec4::from)),
                None => self.fill(&attributes.place, &mut out.mesh.colors, count, Vec4::ONE)?,
            }
        }
        for (set, uvs) in out.mesh.uv_sets.iter_mut().enumerate() {
            match self.optional(attributes, &format!("TEXCOORD_{set}"), count)? {
                Some(reference) => {
                    uvs.extend(self.elements::<2>(&reference, &[2])?.into_iter().map(Vec2::from))
                }
                None => self.fill(&attributes.place, uvs, count, Vec2::ZERO)?,
            }
        }
        Ok(())
    }

    /// The joints and weights of a primitive's vertices, from all its sets. Returns for each vertex whether its first two listed
    /// joints both have weight and are therefore its first two influences.
    fn influences(
        &mut self,
        primitive: &Cursor<'_>,
        attributes: &Cursor<'_>,
        count: usize,
        out: &mut InfluencesBuilder,
    ) -> Result<Vec<bool>> {
        let mut sets: Vec<InfluenceSet> = Vec::new();
        while let Some(joints) = attributes.get(&format!("JOINTS_{}", sets.len())) {
            let weights = attributes.require(&format!("WEIGHTS_{}", sets.len()))?;
            let joint_accessor = Accessor::open(self.document, &joints, &mut self.budget)?;
            let joint_set = joint_accessor.integers::<4>(&mut self.budget)?;
            let weight_set = self.elements::<4>(&weights, &[4])?;
            for (cursor, found) in [(&joints, joint_set.len()), (&weights, weight_set.len())] {
                if found != count {
                    let what = format!("{found} elements for {count} vertices");
                    return Err(ReadGltfError::Inconsistent { place: cursor.place.clone(), what });
                }
            }
            sets.push(InfluenceSet { joints: joint_set, weights: weight_set });
        }
        let (mut bad, mut without, mut unnormalized) = (0, 0, 0);
        for vertex in 0..count {
            let listed = sets.iter().flat_map(|set| set.joints[vertex].into_iter().zip(set.weights[vertex]));
            let mut too_large = None;
            let sum = out.push(listed.map(|(joint, weight)| {
                bad += usize::from(!(weight.is_finite() && weight >= 0.0));
                let narrow = u16::try_from(joint);
                too_large = too_large.or(narrow.is_err().then_some(joint));
                (narrow.unwrap_or(u16::MAX), weight)
            }));
            if let Some(joint) = too_large {
                let place = format!("{}.JOINTS, vertex {vertex}", attributes.place);
                let (index, limit) = (joint.into(), usize::from(u16::MAX) + 1);
                return Err(ReadGltfError::IndexOutOfRange { place, index, limit });
            }
            without += usize::from(sum == 0.0 && !sets.is_empty());
            unnormalized += usize::from(sum > 0.0 && (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE);
        }
        let percent = WEIGHT_SUM_TOLERANCE * 100.0;
        let of_sums = format!("do not sum to 1 within {percent} %; they are normalized");
        let problems = [
            (bad, format!("{bad} weights are negative or not finite; they count as 0")),
            (without, format!("{without} vertices have no weights; they follow the mesh's node")),
            (unnormalized, format!("the weights of {unnormalized} vertices {of_sums}")),
        ];
        for (_, what) in problems.into_iter().filter(|(count, _)| *count > 0) {
            self.report.warn(&primitive.place, what);
        }
        let counts = |weight: f32| weight > 0.0 && weight.is_finite();
        let have_both =
            |set: &InfluenceSet| set.weights.iter().map(|w| counts(w[0]) && counts(w[1])).collect();
        Ok(sets.first().map_or_else(Vec::new, have_both))
    }

    fn triangles(&mut self, primitive: &Cursor<'_>, vertex_count: usize) -> Result<Vec<[u32; 3]>> {
        let mode = primitive.u64("mode")?.unwrap_or(4);
        if mode > 6 {
            return Err(primitive.require("mode")?.wrong("a number from 0 to 6"));
        }
        if mode < 4 {
            self.report.warn(&primitive.place, "points and lines keep their vertices but are not drawn");
            return Ok(Vec::new());
        }
        let indices: Vec<u32> = match primitive.get("indices") {
            Some(reference) => {
                let accessor = Accessor::open(self.document, &reference, &mut self.budget)?;
                accessor.indices(vertex_count, &mut self.budget)?
            }
            None => {
                self.budget.take(&primitive.place, vertex_count as u64, 4)?;
                (0..vertex_count as u32).collect()
            }
        };
        if mode == 4 && !indices.len().is_multiple_of(3) {
            let extra = indices.len() % 3;
            let what = format!("the last {extra} indices do not make a triangle and are ignored");
            self.report.warn(&primitive.place, what);
        }
        self.budget.take(&primitive.place, indices.len() as u64, if mode == 4 { 4 } else { 12 })?;
        Ok(match mode {
            4 => indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
            // Every second triangle of a strip is flipped, to make all face the same side.
            5 => indices
                .windows(3)
                .enumerate()
                .map(|(at, t)| if at % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] })
                .collect(),
            _ => indices.windows(2).skip(1).map(|t| [t[0], t[1], indices[0]]).collect(),
        })
    }

    /// An optional attribute; one with the wrong number of elements is reported and ignored.
    pub(super) fn optional<'a>(
        &mut self,
        attributes: &Cursor<'a>,
        key: &str,
        count: usize,
    ) -> Result<Option<Cursor<'a>>> {
        let Some(reference) = attributes.get(key) else { return Ok(None) };
        let found = Accessor::open(self.document, &reference, &mut self.budget)?.count;
        if found == count {
            return Ok(Some(reference));
        }
        self.report.warn(reference.place, format!("{found} elements for {count} vertices; it is ignored"));
        Ok(None)
    }

    /// An attribute of 3 components.
    pub(super) fn vectors(&mut self, reference: &Cursor<'_>, count: Option<usize>) -> Result<Vec<Vec3>> {
        let values = self.elements::<3>(reference, &[3])?;
        match count {
            Some(count) if values.len() != count => {
                let what = format!("{} elements for {count} vertices", values.len());
                Err(ReadGltfError::Inconsistent { place: reference.place.clone(), what })
            }
            _ => Ok(values.into_iter().map(Vec3::from).collect()),
        }
    }

    /// Decoded elements; missing components are 1, as for an alpha.
    pub(super) fn elements<const N: usize>(
        &mut self,
        reference: &Cursor<'_>,
        allowed: &[usize],
    ) -> Result<Vec<[f32; N]>> {
        let accessor = Accessor::open(self.document, reference, &mut self.budget)?;
        accessor.expect_components(allowed, reference.place.rsplit('.').next().unwrap_or_default())?;
        accessor.floats([1.0; N], &mut self.budget)
    }

    pub(super) fn fill<T: Clone>(
        &mut self,
        place: &str,
        list: &mut Vec<T>,
        count: usize,
        value: T,
    ) -> Result<()> {
        self.budget.take(&place, count as u64, size_of::<T>() as u64)?;
        list.extend(std::iter::repeat_n(value, count));
        Ok(())
    }
}

/// Normalizes normals that are off by more than rounding: quantized ones are off by up to a percent, and deformers expect unit
/// normals.
fn unit_normals(mut normals: Vec<Vec3>) -> Vec<Vec3> {
    for normal in &mut normals {
        let is_unit = (normal.length() - 1.0).abs() <= UNIT_TOLERANCE;
        if !is_unit {
            *normal = normal.try_normalize().unwrap_or(Vec3::Y);
        }
    }
    normals
}

/// A pair of `JOINTS_n` and `WEIGHTS_n`, four influences per vertex.
struct InfluenceSet {
    joints: Vec<[u32; 4]>,
    weights: Vec<[f32; 4]>,
}

/// A mesh under construction.
pub(super) struct MeshBuilder {
    pub(super) mesh: Mesh,
    influences: InfluencesBuilder,
    morphs: Vec<MorphBuilder>,
    has_normals: bool,
    has_tangents: bool,
    has_colors: bool,
    pub(super) has_spherical: bool,
    pub(super) has_methods: bool,
}

impl MeshBuilder {
    fn new(mesh: &Cursor<'_>, primitives: &[Cursor<'_>]) -> Result<Self> {
        let has = |key: &str| primitives.iter().any(|p| p.value["attributes"].get(key).is_some());
        let uv_set_count = (0..).take_while(|set| has(&format!("TEXCOORD_{set}"))).count();
        let morph_count = primitives.iter().map(|primitive| primitive.list_len("targets")).max().unwrap_or(0);
        let names = mesh
            .get("extras")
            .map_or(Ok(Vec::new()), |extras| extras.list("targetNames"))
            .unwrap_or_default();
        let name_of = |morph: usize| {
            names.get(morph).and_then(|name| name.value.as_str()).unwrap_or_default().to_owned()
        };
        Ok(Self {
            mesh: Mesh {
                uv_sets: vec![Vec::new(); uv_set_count],
                default_morph_weights: numbers(mesh, "weights", morph_count)?,
                ..Mesh::default()
            },
            influences: InfluencesBuilder::with_capacity(0, 0),
            morphs: (0..morph_count).map(|morph| MorphBuilder::new(name_of(morph))).collect(),
            has_normals: has("NORMAL"),
            has_tangents: has("TANGENT"),
            has_colors: has("COLOR_0"),
            has_spherical: has(SPHERICAL_KEYS[0]),
            has_methods: has(METHOD_KEY) || has(SCALAR_METHOD_KEY),
        })
    }

    fn build(self, name: String) -> Mesh {
        Mesh {
            name,
            influences: self.influences.build(),
            morphs: self.morphs.into_iter().map(MorphBuilder::build).collect(),
            ..self.mesh
        }
    }
}
