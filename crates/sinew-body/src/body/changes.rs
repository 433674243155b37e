//! Random changes of designs: the figure stands on its feet again, and its surface stays sound.

use super::{Body, BodyPatch};
use crate::design::{ByName, RingChange};
use crate::testing::{Random, assert_smooth_and_closed};
use crate::{Design, Flank, Template, build};
use glam::DVec3;

/// Soles lie in the ground within this, m, and stay as they are relative to the ankle.
const SOLE_M: f64 = 1e-3;
/// Bones of the foot are moved as one piece: rounding of sums of lengths below a few meters.
const BONE_M: f64 = 1e-12;
/// Changes of lengths, of rings, and of joints, m.
const LENGTH_SHARE: f64 = 0.15;
const RING_SHARE: f64 = 0.10;
const JOINT_M: f64 = 0.02;
/// Parts that must change as a whole: a face whose rings grow one by one is none.
const WHOLE_TUBES: [&str; 8] = ["jaw", "head", "neck", "index", "middle", "ring", "little", "thumb"];
/// Cosine between neighboring normals below which a patch counts as folded in the base.
const NEARLY_FOLDED: f64 = 0.3;
/// Share of the changed humans and quadrupeds in which a fill folds, as it is.
const FOLDED_SHARE: f64 = 0.1;
const FOLDED_QUADRUPEDS: f64 = 0.3;
/// Steps along a patch's edge for folds and crossings.
const STEPS: usize = 6;

/// What a random change leaves alone.
#[derive(Clone, Copy, PartialEq)]
enum Feet {
    Kept,
    Resized,
}

fn random_change(template: &Template, base: &Body, feet: Feet, random: &mut Random) -> Design {
    let mut change = Design::default();
    let is_foot = |name: &str| ["foot", "toes", "front_paw", "hind_paw"].contains(&name);
    for bone in base.bones.iter().filter(|bone| bone.flank != Flank::Right && !is_foot(&bone.name)) {
        let length = base.joints[bone.from].position.distance(base.joints[bone.to].position);
        let changed = length * (1.0 + LENGTH_SHARE * random.signed());
        if random.signed() > 0.0 && length > 0.02 {
            change.lengths.insert(bone.name.clone(), changed.into());
        }
    }
    for joint in ["hip", "knee", "ankle", "shoulder", "elbow", "waist", "chest", "hock", "spine"] {
        let found = base.joints.iter().find(|found| found.name == joint && found.flank != Flank::Right);
        if let (Some(found), true) = (found, random.signed() > 0.3) {
            let level = if found.flank == Flank::Middle { DVec3::new(0.0, 1.0, 1.0) } else { DVec3::ONE };
            let place = found.position + JOINT_M * level * random.vector();
            change.joints.insert(joint.to_owned(), place.into());
        }
    }
    change.rings = random_rings(template, base, feet, random);
    change
}

fn random_rings(template: &Template, base: &Body, feet: Feet, random: &mut Random) -> ByName<RingChange> {
    let mut rings = ByName::new();
    for tube in base.tubes.iter().filter(|tube| tube.flank != Flank::Right) {
        let is_whole = WHOLE_TUBES.contains(&tube.name.as_str());
        let common = 1.0 + RING_SHARE * random.signed();
        for &ring in &tube.rings {
            let found = &base.rings[ring];
            let is_foots =
                template.layout.feet.iter().any(|foot| foot.ends.contains(&base.bones[found.bone].to));
            if (is_foots && feet == Feet::Kept) || rings.contains_key(&found.name) {
                continue;
            }
            let factor = if is_whole { common } else { 1.0 + RING_SHARE * random.signed() };
            let size = 2.0 * factor * found.ring.semi_axes;
            let sized = RingChange { front: Some(size.x), side: Some(size.y), ..RingChange::default() };
            rings.insert(found.name.clone(), sized.into());
        }
    }
    rings
}

/// The feet of a body, each as its ankle and the places of its surface.
fn feet_of(template: &Template, body: &Body) -> Vec<(DVec3, Vec<DVec3>)> {
    let foot = |foot: &crate::template::layout::LayoutFoot| {
        let tube = &body.tubes[foot.tube];
        let ankle = body.joints[body.bones[tube.bones[foot.bay]].from].position;
        let count = tube.tube.patch_count();
        let first = tube.first_patch + foot.bay * count;
        let last = tube.first_patch + tube.tube.bay_count() * count;
        (ankle, body.patches[first..last].iter().flat_map(|patch| grid(patch, 2 * STEPS)).collect())
    };
    template.layout.feet.iter().map(foot).collect()
}

fn grid(patch: &BodyPatch, steps: usize) -> Vec<DVec3> {
    let at = |step: usize| step as f64 / steps as f64;
    let lines = steps + 1;
    (0..lines * lines).map(|k| patch.patch.position(at(k / lines), at(k % lines))).collect()
}

fn lowest(points: &[DVec3]) -> f64 {
    points.iter().fold(f64::MAX, |low, point| low.min(point.y))
}

/// What is wrong with the feet.
fn standing_problems(template: &Template, base: &Body, changed: &Body, feet: Feet) -> Vec<String> {
    let mut problems = Vec::new();
    for ((was_ankle, was), (ankle, is)) in feet_of(template, base).iter().zip(&feet_of(template, changed)) {
        // The quadruped's paws rest 6 mm above the ground in its template, people's soles on it.
        let sole = lowest(is) - if template.text().name == "human" { 0.0 } else { lowest(was) };
        if sole.abs() >= SOLE_M {
            problems.push(format!("a sole is at {sole} m"));
        }
        let (mut risen, mut moved) = (0.0_f64, 0.0_f64);
        for (was, is) in was.iter().zip(is) {
            // What lay on the ground lies on it.
            if was.y < 0.1 * SOLE_M {
                risen = risen.max(is.y);
            }
            if was.y < 5.0 * SOLE_M {
                moved = moved.max((*is - *ankle).distance(*was - *was_ankle));
            }
        }
        if risen >= SOLE_M {
            problems.push(format!("a sole rises by {risen} m"));
        }
        if feet == Feet::Kept && moved >= SOLE_M {
            problems.push(format!("a sole changes by {moved} m"));
        }
    }
    for foot in &template.layout.feet {
        for bone in template.layout.bones.iter().filter(|bone| foot.ends.contains(&bone.to)) {
            let way = |body: &Body| body.joints[bone.to].position - body.joints[bone.from].position;
            let turned = way(changed).distance(way(base));
            if turned >= BONE_M {
                problems.push(format!("a bone of the foot changes by {turned} m"));
            }
        }
    }
    problems
}

/// Sharpest turn between normals at neighboring places of each patch, as a cosine.
fn sharpest(body: &Body) -> Vec<f64> {
    let at = |step: usize| (step as f64 + 0.5) / STEPS as f64;
    let of = |patch: &BodyPatch| {
        let normal = |i: usize, j: usize| patch.patch.normal(at(i), at(j));
        let mut worst = 1.0_f64;
        for i in 0..STEPS {
            for j in 1..STEPS {
                worst = worst.min(normal(i, j).dot(normal(i, j - 1)));
                worst = worst.min(normal(j, i).dot(normal(j - 1, i)));
            }
        }
        worst
    };
    body.patches.iter().map(of).collect()
}

/// Patches that turn by more than 90° from one place to the next and did not nearly do so before. The head is left out: its relief is finer than the
/// places, and some of its patches fold in the shipped designs.
fn folds(body: &Body, before: &[f64]) -> Vec<String> {
    let patches = body.patches.iter().zip(sharpest(body)).zip(before);
    let is_new = |((patch, now), before): &((&BodyPatch, f64), &f64)| {
        patch.group != "head" && *now < 0.0 && **before > NEARLY_FOLDED
    };
    let said = |((patch, now), before): ((&BodyPatch, f64), &f64)| {
        format!("{}{} folds: {now:.2}, before {before:.2}", patch.name, patch.flank.suffix())
    };
    patches.filter(is_new).map(said).collect()
}

/// The first two neighboring bays of a tube that cross, other than in their common ring.
fn crossing_bays(body: &Body) -> Option<String> {
    // Bays of the face are finer than its relief: those of the nose cross after some changes.
    for tube in body.tubes.iter().filter(|tube| tube.group != "head") {
        let count = tube.tube.patch_count();
        let bay = |bay: usize| {
            let first = tube.first_patch + bay * count;
            triangles(&body.patches[first..first + count])
        };
        for next in 1..tube.tube.bay_count() {
            let (before, after) = (bay(next - 1), bay(next));
            if before.iter().any(|a| after.iter().any(|b| cross(a, b))) {
                return Some(format!("{}/{}", tube.name, tube.bays[next]));
            }
        }
    }
    None
}

type Triangle = [DVec3; 3];

fn triangles(patches: &[BodyPatch]) -> Vec<Triangle> {
    let lines = STEPS + 1;
    let mut found = Vec::new();
    for patch in patches {
        let points = grid(patch, STEPS);
        for cell in 0..STEPS * STEPS {
            let first = cell / STEPS * lines + cell % STEPS;
            let [a, b, c, d] = [first, first + 1, first + lines, first + lines + 1].map(|k| points[k]);
            found.extend([[a, b, c], [d, c, b]]);
        }
    }
    found
}

/// Whether an edge of one triangle passes through the inside of another. Triangles that share a corner touch and do not cross.
fn cross(a: &Triangle, b: &Triangle) -> bool {
    let low = |t: &Triangle| t[0].min(t[1]).min(t[2]);
    let high = |t: &Triangle| t[0].max(t[1]).max(t[2]);
    let is_apart = low(a).cmpgt(high(b)).any() || low(b).cmpgt(high(a)).any();
    let shares = a.iter().any(|p| b.iter().any(|q| p.distance_squared(*q) < 1e-16));
    if is_apart || shares {
        return false;
    }
    let edges = |t: &Triangle| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    edges(a).iter().any(|edge| pierces(edge, b)) || edges(b).iter().any(|edge| pierces(edge, a))
}

/// Möller and Trumbore's test, strictly inside.
fn pierces(&[from, to]: &[DVec3; 2], &[a, b, c]: &Triangle) -> bool {
    let (way, ab, ac, start) = (to - from, b - a, c - a, from - a);
    let normal = way.cross(ac);
    let area = ab.dot(normal);
    if area.abs() < 1e-18 {
        return false;
    }
    let u = start.dot(normal) / area;
    let side = start.cross(ab);
    let (v, t) = (way.dot(side) / area, ac.dot(side) / area);
    let inside = 1e-6..1.0 - 1e-6;
    inside.contains(&u) && v > 1e-6 && u + v < 1.0 - 1e-6 && inside.contains(&t)
}

/// Changes designs at random and checks what is built; returns in how many a fill folds.
fn random_changes_stand(template: &Template, bases: &[Design], count: usize, seed: u64) -> usize {
    let built: Vec<Body> = bases.iter().map(|base| build(template, base).unwrap()).collect();
    let turns: Vec<Vec<f64>> = built.iter().map(sharpest).collect();
    let crossing: Vec<Option<String>> = built.iter().map(crossing_bays).collect();
    let (mut random, mut problems, mut folded) = (Random::new(seed), Vec::new(), 0);
    for number in 0..count {
        let place = number % bases.len();
        let feet = if number % 4 == 3 { Feet::Resized } else { Feet::Kept };
        let change = random_change(template, &built[place], feet, &mut random);
        let design = change.laid_over(template, &bases[place]);
        let body = build(template, &design).unwrap_or_else(|error| panic!("{number}: {error}"));
        assert_smooth_and_closed(&body, 3);
        let mut found = standing_problems(template, &built[place], &body, feet);
        let (in_tubes, in_fills): (Vec<String>, Vec<String>) =
            folds(&body, &turns[place]).into_iter().partition(|fold| fold.matches('/').count() > 1);
        found.extend(in_tubes);
        folded += usize::from(!in_fills.is_empty());
        let crossed = crossing_bays(&body).filter(|_| crossing[place].is_none());
        found.extend(crossed.map(|bay| format!("{bay} crosses its neighbor")));
        problems.extend(found.into_iter().map(|problem| format!("{number}: {problem}")));
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    folded
}

/// TODO(#20): the armpit of the man and the woman, and fills of the quadruped that are sharp in its template, fold in some bodies. It must
/// not get worse.
fn random_humans_stand(count: usize, seed: u64) {
    let bases = [Design::man(), Design::woman(), Design::default()];
    let folded = random_changes_stand(&Template::human(), &bases, count, seed);
    assert_few(folded, count, FOLDED_SHARE);
}

fn random_quadrupeds_stand(count: usize, seed: u64) {
    let folded = random_changes_stand(&Template::quadruped(), &[Design::default()], count, seed);
    assert_few(folded, count, FOLDED_QUADRUPEDS);
}

fn assert_few(folded: usize, count: usize, limit: f64) {
    assert!(folded as f64 <= limit * count as f64, "fills fold in {folded} of {count} bodies");
}

#[test]
fn after_random_changes_feet_stand_and_tubes_do_not_fold() {
    random_humans_stand(12, 5);
    random_quadrupeds_stand(4, 6);
}

/// `cargo xtask slow`.
#[cfg(feature = "slow")]
#[test]
fn after_five_hundred_random_changes_feet_stand_and_tubes_do_not_fold() {
    random_humans_stand(500, 500);
    random_quadrupeds_stand(100, 100);
}
