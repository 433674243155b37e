//! Finds and repairs the problems of a PMX file.
//!
//! One pass finds and repairs, so the reported fixes are those applied: repairing a repaired file changes nothing. Nothing that
//! others refer to by index is removed, except faces. Each module states its rules.

mod bones;
mod faces;
mod frames;
mod materials;
mod morphs;
mod physics;
mod vertices;
mod weights;

use super::Pmx;
use crate::MmdText;
use std::collections::HashSet;
use std::fmt;

/// One problem of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PmxProblem {
    /// Where, such as `vertices[12]`.
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// How a repair fixes it.
    pub fix: String,
}

impl fmt::Display for PmxProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.what, self.fix)
    }
}

impl Pmx {
    /// All problems of this file; past 10,000 only their number.
    pub fn problems(&self) -> Vec<PmxProblem> {
        self.repaired().1
    }

    /// This file with all problems fixed, and the problems. A file without problems is returned unchanged.
    pub fn repaired(&self) -> (Self, Vec<PmxProblem>) {
        let mut pmx = self.clone();
        let mut problems = Problems::default();
        // Bones before everything that refers to them.
        bones::repair(&mut pmx, &mut problems);
        vertices::repair(&mut pmx, &mut problems);
        faces::repair(&mut pmx, &mut problems);
        vertices::repair_normals(&mut pmx, &mut problems);
        materials::repair(&mut pmx, &mut problems);
        morphs::repair(&mut pmx, &mut problems);
        frames::repair(&mut pmx, &mut problems);
        physics::repair_bodies(&mut pmx, &mut problems);
        physics::repair_joints(&mut pmx, &mut problems);
        physics::repair_soft_bodies(&mut pmx, &mut problems);
        (pmx, problems.into_list())
    }
}

/// A damaged file may have an error in every element. This limit bounds the memory; no one reads more.
const MOST_PROBLEMS: usize = 10_000;

#[derive(Default)]
struct Problems {
    list: Vec<PmxProblem>,
    left_out: usize,
}

impl Problems {
    fn add(&mut self, list: &str, index: usize, what: &str, fix: &str) {
        if self.list.len() < MOST_PROBLEMS {
            let place = format!("{list}[{index}]");
            self.list.push(PmxProblem { place, what: what.into(), fix: fix.into() });
        } else {
            self.left_out += 1;
        }
    }

    /// A problem of the whole file.
    fn add_to_all(&mut self, place: &str, what: &str, fix: &str) {
        self.list.push(PmxProblem { place: place.into(), what: what.into(), fix: fix.into() });
    }

    fn into_list(mut self) -> Vec<PmxProblem> {
        if self.left_out > 0 {
            let what = format!("{} more problems", self.left_out);
            self.list.push(PmxProblem {
                place: "the file".into(),
                what,
                fix: "fixed like those above".into(),
            });
        }
        self.list
    }
}

/// The position of a file's index, if valid.
fn place_of(index: i32, count: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < count)
}

/// Whether an index is out of range and not −1, which means none.
fn is_astray(index: i32, count: usize) -> bool {
    index != -1 && place_of(index, count).is_none()
}

/// Replaces numbers that are not finite; returns whether there was one.
fn replace_broken(values: &mut [f32], replacement: f32) -> bool {
    let mut was_broken = false;
    for value in values.iter_mut().filter(|value| !value.is_finite()) {
        *value = replacement;
        was_broken = true;
    }
    was_broken
}

fn is_finite(values: &[f32]) -> bool {
    values.iter().all(|value| value.is_finite())
}

/// Makes the names of a list unique; empty ones stay.
/// Motions find bones and morphs by name, and only the first of a name. The first keeps it; the others get a number appended.
fn repair_names<'a>(list: &str, names: impl Iterator<Item = &'a mut MmdText>, problems: &mut Problems) {
    let mut names: Vec<&mut MmdText> = names.collect();
    let mut taken: HashSet<String> = names.iter().map(|name| name.as_str().to_owned()).collect();
    let mut seen = HashSet::new();
    for (index, name) in names.iter_mut().enumerate() {
        let text = name.as_str().to_owned();
        if text.is_empty() || seen.insert(text.clone()) {
            continue;
        }
        let numbered = (2..).map(|number: u64| format!("{text}_{number}")).find(|new| !taken.contains(new));
        let Some(new) = numbered else { continue };
        problems.add(
            list,
            index,
            &format!("an earlier one is also named {text:?}"),
            &format!("it is renamed to {new:?}"),
        );
        taken.insert(new.clone());
        seen.insert(new.clone());
        **name = new.into();
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_models::{bone, morph, strip, vertex};
    use super::super::{
        MmdBody, PmxFrame, PmxIk, PmxIkLink, PmxImpulse, PmxJoint, PmxMaterialMorph, PmxMorphKind,
        PmxRigidBody, PmxTail, PmxToon, PmxWeight,
    };
    use super::*;

    /// The strip with the frames that every model has.
    fn good() -> Pmx {
        let frame =
            |name: &str| PmxFrame { name: name.into(), name_en: "".into(), special: 1, entries: Vec::new() };
        Pmx { frames: vec![frame("Root"), frame("表情")], ..strip() }
    }

    /// Changes a good model and says what that makes wrong; gives the repaired model.
    #[track_caller]
    fn check(change: impl FnOnce(&mut Pmx), expected: &[&str]) -> Pmx {
        let mut pmx = good();
        change(&mut pmx);
        let (repaired, problems) = pmx.repaired();
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
        assert_eq!(repaired.repaired(), (repaired.clone(), Vec::new()), "a repaired model has nothing wrong");
        repaired
    }

    #[test]
    fn good_models_stay_as_they_are() {
        assert_eq!(check(|_| {}, &[]), good());
    }

    #[test]
    fn spheres_are_set_by_the_bones() {
        let sdef = |bones, c, r1| PmxWeight::Sdef { bones, weight: 0.5, c, r0: [0.0, 5.0, 0.0], r1 };
        let nan = [f32::NAN; 3];
        let repaired = check(
            |pmx| {
                pmx.vertices[0].weight = sdef([0, 1], nan, [0.0; 3]);
                pmx.vertices[1].weight = sdef([3, 2], [500.0, 0.0, 0.0], [0.0; 3]);
                pmx.vertices[2].weight = sdef([0, 1], [1.0, 5.0, 0.0], [0.0, f32::MAX, 0.0]);
                pmx.vertices[3].weight = sdef([1, 0], pmx.vertices[3].position, [0.0; 3]);
            },
            &[
                "vertices[0]: its c is not finite or too far away; c is computed from its bones, r0 and r1 become c",
                "vertices[1]: its c is not finite or too far away; c is computed from its bones, r0 and r1 become c",
                "vertices[2]: its r0 or r1 is not finite or too far away; both become c",
            ],
        );
        let sphere = |index: usize| match repaired.vertices[index].weight {
            PmxWeight::Sdef { c, r0, r1, .. } => [c, r0, r1],
            _ => panic!("SDEF"),
        };
        assert_eq!(sphere(0), [[0.0, 5.3, 0.1]; 3], "the head of the child");
        // Vertex 1 lies below both heads of [3, 2]: the nearer end of the line, or a point of it.
        assert_eq!(sphere(2), [[1.0, 5.0, 0.0]; 3]);
        assert_eq!(sphere(3)[0], good().vertices[3].position, "c on the vertex is right");
    }

    #[test]
    fn weights_are_put_right() {
        let four = |bones, weights| PmxWeight::Bdef4 { bones, weights };
        let repaired = check(
            |pmx| {
                pmx.vertices[0].weight = PmxWeight::Bdef2 { bones: [0, 1], weight: 1.5 };
                pmx.vertices[1].weight = PmxWeight::Bdef2 { bones: [9, 1], weight: 0.5 };
                pmx.vertices[2].weight = four([0, 1, 0, 7], [0.5, f32::NAN, 0.25, 0.5]);
                pmx.vertices[3].weight = four([3, 0, 0, 0], [-1.0, 0.0, 0.0, 0.0]);
                pmx.vertices.push(vertex([0.0; 3], PmxWeight::Bdef1(-1)));
                pmx.vertices.push(vertex([0.0; 3], PmxWeight::Bdef2 { bones: [2, 2], weight: 0.5 }));
                pmx.vertices.push(vertex([0.0; 3], four([0, 1, -1, -1], [1.0, 1.0, 0.0, 0.0])));
            },
            &[
                "vertices[0]: its weight is 1.5, out of range 0 to 1; it becomes 1",
                "vertices[1]: its bone 9 does not exist; it follows bone 1 alone",
                "vertices[2]: one of its weights is NaN; it becomes 0",
                "vertices[2]: its bone 0 is listed twice; it is listed once, with both weights",
                "vertices[2]: its bone 7 does not exist; the others get its weight",
                "vertices[2]: its weights sum to 0.75; they are scaled to sum to 1",
                "vertices[3]: one of its weights is -1; it becomes 0",
                "vertices[3]: all its weights are 0; it follows one bone",
                "vertices[4]: its bone -1 does not exist; it follows bone 0",
                "vertices[5]: its bone 2 is listed twice; it is listed once",
                "vertices[6]: its weights sum to 2; they are scaled to sum to 1",
            ],
        );
        assert_eq!(repaired.vertices[2].weight, four([0, 1, 0, 0], [1.0, 0.0, 0.0, 0.0]));
        assert_eq!(repaired.vertices[3].weight, PmxWeight::Bdef1(3));
        assert_eq!(repaired.vertices[6].weight, four([0, 1, -1, -1], [0.5, 0.5, 0.0, 0.0]));
    }

    #[test]
    fn vertices_and_faces_are_put_right() {
        let repaired = check(
            |pmx| {
                pmx.vertices[0].position[2] = f32::NAN;
                pmx.vertices[1].normal = [0.0; 3];
                pmx.vertices[2].uv[1] = f32::INFINITY;
                pmx.faces.insert(1, [0, 1, 40]);
                pmx.faces.push([0, 2, 3]);
                pmx.materials[0].index_count = 6;
                pmx.materials[1].texture = 5;
                pmx.materials[1].toon = PmxToon::Shared(30);
            },
            &[
                "vertices[0]: its position is not finite; it is placed at its bone",
                "vertices[2]: its texture coordinates are not finite; they become 0",
                "faces[1]: it has a vertex that does not exist; it is removed",
                "faces: 1 belong to no material; they go to the last material",
                "vertices[1]: its normal has no direction; it is computed from the faces",
                "materials[1]: toon 30 does not exist in MMD; it becomes the first",
                "materials[1]: its texture 5 does not exist; it has none",
            ],
        );
        assert_eq!(repaired.vertices[0].position, [0.0, 0.0, 0.1]);
        let counts: Vec<i32> = repaired.materials.iter().map(|material| material.index_count).collect();
        assert_eq!((counts, repaired.faces.len()), (vec![3, 6], 3));
    }

    #[test]
    fn normals_made_from_faces_look_outwards() {
        // The strip's faces are clockwise for who looks along +z: outside is −z.
        let repaired = check(
            |pmx| {
                pmx.faces = vec![[0, 2, 1], [1, 2, 3]];
                pmx.vertices[3].normal = [f32::NAN; 3];
            },
            &["vertices[3]: its normal has no direction; it is computed from the faces"],
        );
        assert_eq!(repaired.vertices[3].normal, [0.0, 0.0, -1.0]);
    }

    #[test]
    fn bones_are_put_right() {
        let repaired = check(
            |pmx| {
                pmx.bones[1].parent = 2;
                pmx.bones[2].position[0] = f32::NAN;
                pmx.bones[2].name = "腕".into();
                pmx.bones[1].append = Some((2, 1.0));
                pmx.bones[3].parent = 8;
                pmx.bones[3].tail = PmxTail::Bone(-5);
                let limits_rad = Some([[1.0, 0.0, 0.0], [0.0; 3]]);
                let links = vec![PmxIkLink { bone: 70, limits_rad: None }, PmxIkLink { bone: 0, limits_rad }];
                pmx.bones[3].ik = Some(PmxIk { target: 2, loop_count: 300, limit_rad: 1.0, links });
                let mut other = bone("other", -1, [0.0; 3]);
                other.ik = Some(PmxIk { target: -1, loop_count: 1, limit_rad: 1.0, links: Vec::new() });
                other.append = Some((-1, 1.0));
                other.fixed_axis = Some([f32::NAN; 3]);
                pmx.bones.push(other);
            },
            &[
                "bones[2]: an earlier one is also named \"腕\"; it is renamed to \"腕_2\"",
                "bones[3]: its parent 8 does not exist; it becomes a root",
                "bones[0]: it is its own ancestor; it becomes a root",
                "bones[2]: its position is not finite; it is placed at its parent",
                "bones[3]: its tail bone -5 does not exist; it has no tail",
                "bones[3]: its chain has 300 iterations, out of range 0 to 255; it gets 255",
                "bones[3]: bone 70 of its chain does not exist; it is removed from the chain",
                "bones[3]: a minimum angle of its chain is above the maximum; they are swapped",
                "bones[4]: it follows bone -1, which does not exist; it follows none",
                "bones[4]: its fixed axis is not finite; it has none",
                "bones[4]: the target bone -1 of its chain does not exist; the chain is removed",
                "bones[1]: it follows bones that follow it; it follows none",
            ],
        );
        assert_eq!(repaired.bones[2].position, repaired.bones[0].position);
    }

    #[test]
    fn morphs_and_frames_are_put_right() {
        let repaired = check(
            |pmx| {
                pmx.morphs = vec![
                    morph("a", PmxMorphKind::Group(vec![(1, 1.0), (2, 1.0), (9, 1.0)])),
                    morph("a", PmxMorphKind::Group(vec![(2, f32::NAN)])),
                    morph("a_2", PmxMorphKind::Vertex(vec![(99, [0.0; 3]), (0, [0.0; 3])])),
                    morph("d", PmxMorphKind::Bone(vec![(50, [0.0; 3], [0.0; 4]), (0, [0.0; 3], [0.0; 4])])),
                    morph(
                        "e",
                        PmxMorphKind::Material(vec![PmxMaterialMorph {
                            material: -1,
                            operation: 0,
                            values: [1.0; 28],
                        }]),
                    ),
                    morph("f", PmxMorphKind::Uv { set: 0, shifts: vec![(0, [f32::NAN; 4])] }),
                    morph("g", PmxMorphKind::Flip(vec![(6, 1.0)])),
                    morph(
                        "h",
                        PmxMorphKind::Impulse(vec![PmxImpulse {
                            rigid_body: 0,
                            is_local: 0,
                            velocity: [0.0; 3],
                            torque: [0.0; 3],
                        }]),
                    ),
                ];
                pmx.frames[0].entries = vec![(0, 1), (0, 50), (1, 0), (7, 0)];
                pmx.frames.pop();
            },
            &[
                "morphs[1]: an earlier one is also named \"a\"; it is renamed to \"a_3\"",
                "morphs[0]: it is a group that contains 1 groups; they are removed",
                "morphs[0]: 1 of its entries do not exist or are not finite; they are removed",
                "morphs[1]: 1 of its entries do not exist or are not finite; they are removed",
                "morphs[2]: 1 of its entries do not exist or are not finite; they are removed",
                "morphs[3]: 1 of its entries do not exist or are not finite; they are removed",
                "morphs[5]: 1 of its entries do not exist or are not finite; they are removed",
                "morphs[6]: 1 of its entries do not exist or are not finite; they are removed",
                "morphs[7]: 1 of its entries do not exist or are not finite; they are removed",
                "frames[0]: 2 of its entries do not exist; they are removed",
                "frames: the frame \"表情\" is missing; it is added",
            ],
        );
        assert_eq!((repaired.frames[1].name.as_str(), repaired.frames[1].entries.len()), ("表情", 8));
    }

    #[test]
    fn physics_is_put_right() {
        let body = PmxRigidBody {
            name: "body".into(),
            name_en: "".into(),
            bone: 0,
            body: MmdBody {
                group: 0,
                mask: 0,
                shape: 0,
                size: [1.0; 3],
                position: [f32::NAN; 3],
                rotation_rad: [0.0; 3],
                physics: [f32::NAN, 0.5, 0.5, 0.0, 0.0],
                mode: 0,
            },
        };
        let at_origin = MmdBody { position: [0.0; 3], ..body.body };
        let joint = PmxJoint {
            name: "j".into(),
            name_en: "".into(),
            kind: 0,
            bodies: [0, 4],
            values: [[f32::NAN; 3]; 8],
        };
        let repaired = check(
            |pmx| {
                pmx.rigid_bodies =
                    vec![body.clone(), PmxRigidBody { bone: 30, body: at_origin, ..body.clone() }];
                pmx.joints = vec![joint];
            },
            &[
                "rigid_bodies[0]: its position is not finite; it is placed at its bone",
                "rigid_bodies[0]: one of its numbers is not finite; it becomes 1 for the mass and 0 elsewhere",
                "rigid_bodies[1]: its bone 30 does not exist; it has none",
                "rigid_bodies[1]: one of its numbers is not finite; it becomes 1 for the mass and 0 elsewhere",
                "joints[0]: its rigid body 4 does not exist; it has none",
                "joints[0]: one of its numbers is not finite; it becomes 0",
            ],
        );
        assert_eq!(repaired.rigid_bodies[0].body.position, repaired.bones[0].position);
        assert_eq!(repaired.rigid_bodies[0].body.physics[0], 1.0);
    }
}
