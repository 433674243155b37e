//! Chains of bones in a plane, with skin swept along them.

use glam::{Affine3A, Quat, Vec3, Vec4};
use sinew_geometry::{TriangleMesh, Trs};
use sinew_rig::{
    Bind, BindId, Bone, BoneId, Character, CharacterParts, InfluencesBuilder, Instance, LocalTransform,
    Material, MaterialId, Mesh, MeshId,
};
use sinew_skin::{JointRange, SoftRange};

/// Bones end to end in the xy plane, with a soft range around every inner joint.
pub(super) struct Chain {
    /// Heads of all bones, then the tip of the last.
    pub(super) points: Vec<Vec3>,
    /// Names of the bones.
    pub(super) names: Vec<&'static str>,
    /// For every inner joint: how far the soft range reaches back and forth along the axis, metres.
    pub(super) soft: Vec<(f32, f32)>,
    /// How weights run between the ends of a soft range.
    pub(super) ramp: Ramp,
}

/// How weights run between the ends of a soft range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ramp {
    /// Linear, as the source gives them.
    Linear,
    /// By smoothstep, as painted weights mostly are: steep in the middle, flat at the ends.
    Smoothstep,
}

/// The cross section of a skin at a length along the axis: an ellipse.
pub(super) struct Section {
    /// Half the width in the plane of the bones, metres.
    pub(super) radius: f32,
    /// Half the width across that plane over `radius`.
    pub(super) across: f32,
    /// How far the skin's middle is off the axis, across the plane, metres.
    pub(super) off_axis: f32,
}

impl Section {
    pub(super) fn round(radius: f32) -> Self {
        Self { radius, across: 1.0, off_axis: 0.0 }
    }
}

impl Chain {
    /// Bones of the given lengths, each bent against the one before by so many radians about Z; the first along `first`.
    pub(super) fn new(first: Vec3, bones: &[(&'static str, f32, f32)], soft: &[(f32, f32)]) -> Self {
        let mut direction = first;
        let mut points = vec![Vec3::ZERO];
        for &(_, length, bend_rad) in bones {
            direction = Quat::from_rotation_z(bend_rad) * direction;
            points.push(points[points.len() - 1] + direction * length);
        }
        // The first inner joint is the origin: that is where the bend is.
        let origin = points[1];
        points.iter_mut().for_each(|point| *point -= origin);
        Self {
            points,
            names: bones.iter().map(|bone| bone.0).collect(),
            soft: soft.to_vec(),
            ramp: Ramp::Linear,
        }
    }

    /// Lengths along the axis where the points are.
    fn stations(&self) -> Vec<f32> {
        (0..self.points.len()).map(|count| length_of(&self.points[..=count])).collect()
    }

    pub(super) fn length(&self) -> f32 {
        length_of(&self.points)
    }

    fn bone_at(&self, along: f32) -> usize {
        let stations = self.stations();
        (1..self.names.len()).rev().find(|&bone| along >= stations[bone]).unwrap_or(0)
    }

    fn direction(&self, bone: usize) -> Vec3 {
        (self.points[bone + 1] - self.points[bone]).normalize()
    }

    fn point(&self, along: f32) -> Vec3 {
        let bone = self.bone_at(along);
        self.points[bone] + self.direction(bone) * (along - self.stations()[bone])
    }

    /// The axis's direction, turned evenly within `reach` of a joint, so that a swept skin does not fold at a corner.
    fn smooth_direction(&self, along: f32, reach: f32) -> Vec3 {
        for (joint, station) in self.stations().into_iter().enumerate().take(self.names.len()).skip(1) {
            let share = ((along - station) / reach).clamp(-1.0, 1.0) * 0.5 + 0.5;
            if share > 0.0 && share < 1.0 {
                let (back, forth) = (self.direction(joint - 1), self.direction(joint));
                let turn = Quat::from_rotation_arc(back, forth);
                return Quat::IDENTITY.slerp(turn, share) * back;
            }
        }
        self.direction(self.bone_at(along))
    }

    /// The soft ranges, by child bone.
    pub(super) fn ranges(&self) -> Vec<JointRange> {
        let range = |(index, &(back, forth)): (usize, &(f32, f32))| {
            let joint = index + 1;
            JointRange {
                pattern: self.names[joint].to_owned(),
                range: SoftRange {
                    begin: self.points[joint] - self.direction(joint - 1) * back,
                    end: self.points[joint] + self.direction(joint) * forth,
                },
            }
        };
        self.soft.iter().enumerate().map(range).collect()
    }

    /// Weights along the axis between the ends of each soft range.
    fn weights(&self, along: f32) -> [(u16, f32); 2] {
        let stations = self.stations();
        for (index, &(back, forth)) in self.soft.iter().enumerate() {
            let joint = index + 1;
            let of_parent = (stations[joint] + forth - along) / (back + forth);
            if of_parent > 0.0 && of_parent < 1.0 {
                let of_parent = self.ramp.at(of_parent);
                return [(joint as u16 - 1, of_parent), (joint as u16, 1.0 - of_parent)];
            }
        }
        let bone = self.bone_at(along) as u16;
        [(bone, 1.0), (bone, 0.0)]
    }

    /// A strip of `2 · rows` triangles with one edge on the axis, `width` to the right of it.
    pub(super) fn strip(&self, rows: u32, width: f32) -> Character {
        let mut mesh = TriangleMesh::default();
        let mut stations = Vec::new();
        for row in 0..=rows {
            let along = self.length() * row as f32 / rows as f32;
            let side = self.smooth_direction(along, width).cross(Vec3::Z);
            mesh.positions.extend([self.point(along), self.point(along) + side * width]);
            stations.extend([along; 2]);
        }
        mesh.triangles =
            (0..rows).map(|row| 2 * row).flat_map(|v| [[v, v + 1, v + 3], [v, v + 3, v + 2]]).collect();
        self.character(mesh, &stations)
    }

    /// A closed tube of `sides` around and `rows` along.
    pub(super) fn tube(&self, sides: u32, rows: u32, section: impl Fn(f32) -> Section) -> Character {
        let mut mesh = TriangleMesh::default();
        let mut stations = Vec::new();
        let mut push = |position: Vec3, along: f32| {
            mesh.positions.push(position);
            stations.push(along);
        };
        for row in 0..=rows {
            let along = self.length() * row as f32 / rows as f32;
            let Section { radius, across, off_axis } = section(along);
            let side = self.smooth_direction(along, radius).cross(Vec3::Z);
            let middle = self.point(along) + Vec3::Z * off_axis;
            if row == 0 {
                push(middle, along);
            }
            for step in 0..sides {
                let (sin, cos) = (std::f32::consts::TAU * step as f32 / sides as f32).sin_cos();
                push(middle + (side * cos + Vec3::Z * (sin * across)) * radius, along);
            }
            if row == rows {
                push(middle, along);
            }
        }
        let vertex = |row: u32, step: u32| 1 + row * sides + step % sides;
        let last = 1 + (rows + 1) * sides;
        for step in 0..sides {
            mesh.triangles.push([0, vertex(0, step), vertex(0, step + 1)]);
            for row in 0..rows {
                let [a, b] = [vertex(row, step), vertex(row + 1, step)];
                let [c, d] = [vertex(row + 1, step + 1), vertex(row, step + 1)];
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            }
            mesh.triangles.push([last, vertex(rows, step + 1), vertex(rows, step)]);
        }
        self.character(mesh, &stations)
    }

    fn character(&self, shape: TriangleMesh, stations: &[f32]) -> Character {
        let mut mesh = Mesh::from_triangles("skin", shape, Some(MaterialId(0)));
        let mut influences = InfluencesBuilder::with_capacity(stations.len(), 2 * stations.len());
        for &along in stations {
            influences.push(self.weights(along));
        }
        mesh.influences = influences.build();
        let heads = &self.points[..self.names.len()];
        let bones = (0..heads.len()).map(|at| Bone {
            name: self.names[at].to_owned(),
            parent: at.checked_sub(1).map(BoneId::of),
            rest: LocalTransform::Trs(Trs::from_translation(
                heads[at] - at.checked_sub(1).map_or(Vec3::ZERO, |before| heads[before]),
            )),
            tip_in_bone: Some(self.points[at + 1] - heads[at]),
        });
        let base_color = Vec4::new(0.72, 0.5, 0.4, 1.0);
        let skin = Material { name: "skin".into(), base_color, ..Material::default() };
        let instance =
            Instance { bone: BoneId(0), mesh: MeshId(0), bind: Some(BindId(0)), morph_weights: Vec::new() };
        Character::new(CharacterParts {
            name: "figure".into(),
            bones: bones.collect(),
            binds: vec![Bind {
                name: "figure".into(),
                joints: (0..heads.len()).map(BoneId::of).collect(),
                joint_from_rest: heads.iter().map(|&head| Affine3A::from_translation(-head)).collect(),
            }],
            meshes: vec![mesh],
            instances: vec![instance],
            materials: vec![skin],
            ..CharacterParts::default()
        })
        .expect("every list above is as long as the mesh or the chain")
    }
}

impl Ramp {
    fn at(self, share: f32) -> f32 {
        match self {
            Self::Linear => share,
            Self::Smoothstep => share * share * (3.0 - 2.0 * share),
        }
    }
}

fn length_of(points: &[Vec3]) -> f32 {
    points.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
}
