//! Random changes of designs: the figure stands on its feet again, and its surface stays sound.

use super::{Body, BodyPatch};
use crate::design::{ByName, RingChange};
use crate::testing::{Random, assert_smooth_and_closed};
use crate::{Design, Flank, Template, build};
use glam::DVec3;
use std::collections::BTreeMap;

/// Soles lie in the ground within this, m, and stay as they are relative to the ankle.
const SOLE_M: f64 = 1e-3;
/// Bones of the foot are moved as one piece: rounding of sums of lengths below a few meters.
const BONE_M: f64 = 1e-12;
/// Changes of lengths, of rings, and of joints, m.
const LENGTH_SHARE: f64 = 0.15;
const RING_SHARE: f64 = 0.10;
const JOINT_M: f64 = 0.02;
/// Parts that must change as a whole: a finger whose rings grow one by one is none.
const WHOLE_TUBES: [&str; 6] = ["neck", "index", "middle", "ring", "little", "thumb"];
/// Steps along a patch's edge for feet.
const STEPS: usize = 12;

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
        (ankle, body.patches[first..last].iter().flat_map(|patch| grid(patch, STEPS)).collect())
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
        let sole = lowest(is);
        if sole.abs() >= SOLE_M {
            problems.push(format!("a sole is at {sole} m"));
        }
        let (mut risen, mut moved) = (0.0_f64, 0.0_f64);
        for (was, is) in was.iter().zip(is) {
            // What lay on the ground lies on it.
            if was.y < 0.1 * SOLE_M {
                risen = risen.max(is.y);
            }
            // What soft ground touches. Higher at the arch, the instep's rings move skin by up to 1.3 mm.
            if was.y < 3.0 * SOLE_M {
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

/// What is wrong with the skin. Within heads lips and ears turn more sharply than this tells from folds.
fn skin_problems(body: &Body) -> Vec<String> {
    let said = |fold: super::Fold| format!("{} folds: {:.2}", fold.name(), fold.cosine);
    let mut problems: Vec<String> =
        body.folds().into_iter().filter(|fold| fold.group != "head").map(said).collect();
    for crossing in body.crossings() {
        let [first, second] = crossing.patches.map(|patch| &body.patches[patch]);
        if first.group != "head" || second.group != "head" {
            problems.push(format!("{}{} crosses {}", first.name, first.flank.suffix(), second.name));
        }
    }
    problems
}

/// Changes designs at random and checks what is built. `known`: numbers of bodies that are not sound.
fn random_changes_stand(template: &Template, bases: &[Design], count: usize, seed: u64, known: &[usize]) {
    let built: Vec<Body> = bases.iter().map(|base| build(template, base).unwrap()).collect();
    let (mut random, mut problems) = (Random::new(seed), BTreeMap::new());
    for number in 0..count {
        let place = number % bases.len();
        let feet = if number % 4 == 3 { Feet::Resized } else { Feet::Kept };
        let change = random_change(template, &built[place], feet, &mut random);
        let design = change.laid_over(template, &bases[place]);
        let body = build(template, &design).unwrap_or_else(|error| panic!("{number}: {error}"));
        assert_smooth_and_closed(&body, 3);
        let standing = standing_problems(template, &built[place], &body, feet);
        assert!(standing.is_empty(), "{number}: {}", standing.join("\n"));
        let found = skin_problems(&body);
        if !found.is_empty() {
            problems.insert(number, found);
        }
    }
    assert!(problems.keys().eq(known), "{problems:#?}");
}

fn random_humans_stand(count: usize, seed: u64, known: &[usize]) {
    let bases = [crate::testing::man(), crate::testing::woman(), Design::default()];
    random_changes_stand(&Template::human(), &bases, count, seed, known);
}

fn random_quadrupeds_stand(count: usize, seed: u64) {
    random_changes_stand(&Template::quadruped(), &[Design::default()], count, seed, &[]);
}

#[test]
fn after_random_changes_bodies_stand_without_folds_and_crossings() {
    random_humans_stand(12, 5, &[]);
    random_quadrupeds_stand(4, 6);
}

/// Random people of 2 to 80 years who fold anywhere but in the head, with the patches.
fn folded_people(count: u64) -> BTreeMap<u64, Vec<String>> {
    let maker = crate::shapes::ShapeMaker::human();
    let mut found = BTreeMap::new();
    for seed in 0..count {
        let mut random = sinew_geometry::Random::new(seed);
        let (_, wanted) = crate::shapes::random_person(&mut random, None, None);
        let folds = maker.make(&wanted).unwrap().body.folds();
        let folds = folds.into_iter().filter(|fold| fold.group != "head");
        let names: Vec<String> = folds.map(|fold| fold.name()).collect();
        if !names.is_empty() {
            found.insert(seed, names);
        }
    }
    found
}

#[test]
fn random_people_do_not_fold() {
    assert_eq!(folded_people(8), BTreeMap::new());
}

/// `cargo xtask slow`.
#[cfg(feature = "slow")]
#[test]
fn after_five_hundred_random_changes_bodies_stand_without_folds_and_crossings() {
    random_humans_stand(500, 500, &[]);
    random_quadrupeds_stand(100, 100);
}

/// `cargo xtask slow`.
#[cfg(feature = "slow")]
#[test]
fn three_hundred_random_people_do_not_fold() {
    assert_eq!(folded_people(300), BTreeMap::new());
}
