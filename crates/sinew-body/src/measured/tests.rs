//! People of every kind get the measures they ask for.

use super::*;
use crate::survey::Measure::*;
use crate::survey::{Measure, Population, Sex, complete};
use crate::testing::{Random, assert_smooth_and_closed, maker, random_person};

/// What is promised, m or a share.
const RING_M: f64 = 1e-5;
const TAPE_M: f64 = 2e-3;
const STATURE_M: f64 = 1e-3;
const MASS_SHARE: f64 = 1e-2;

#[track_caller]
fn assert_met(made: &MeasuredBody, person: &Completed) {
    for (measure, found) in Readings::of(&made.body, person).measures {
        let asked = person.value(measure);
        let most = match measure {
            Stature => STATURE_M,
            Weight => MASS_SHARE * asked,
            ChestGirth | WaistGirth | ButtockGirth => TAPE_M,
            ThighGirth | CalfGirth if person.estimate(measure).is_given => TAPE_M,
            NeckGirth if person.estimate(measure).is_given => RING_M,
            NeckBaseGirth | HeadGirth | WristGirth | AnkleGirth => RING_M,
            _ => continue,
        };
        assert!((found - asked).abs() < most, "{measure}: {found} instead of {asked}");
    }
}

fn random_people_have_their_measures(count: usize, seed: u64) {
    let makers = [maker(Sex::Female), maker(Sex::Male)];
    let mut random = Random::new(seed);
    for number in 0..count {
        let (sex, given, completed) = random_person(&mut random, number);
        let maker = &makers[usize::from(sex == Sex::Male)];
        let made = maker.make(&completed).unwrap_or_else(|error| panic!("{sex:?} {given:?}: {error}"));
        assert_met(&made, &completed);
        assert_smooth_and_closed(&made.body, 5);
        if number % 10 == 0 {
            // The design alone builds the same body.
            let again =
                crate::build(maker.template(), &Design::parse(&made.design.to_toml()).unwrap()).unwrap();
            assert!((again.volume() - made.body.volume()).abs() < 1e-12);
        }
    }
}

#[test]
fn thirty_random_people_have_their_measures() {
    random_people_have_their_measures(30, 20);
}

/// `cargo xtask slow`.
#[cfg(feature = "slow")]
#[test]
fn three_hundred_random_people_have_their_measures() {
    random_people_have_their_measures(300, 300);
}

#[test]
fn a_base_has_the_measures_of_the_person_it_shows() {
    for sex in [Sex::Female, Sex::Male] {
        let base = Base::of(&Template::human(), sex);
        let readings = Readings::of(&base.body, base.person());
        for (measure, found) in readings.measures {
            let shown = base.person().value(measure);
            assert!((found - shown).abs() < 1e-9, "{sex:?} {measure}: {found} {shown}");
        }
        // Growing it to itself changes nothing but what is rounded.
        let made = maker(sex).make(base.person()).unwrap();
        let change = made.body.volume() / base.body.volume() - 1.0;
        assert!(change.abs() < 1.5e-3, "{sex:?}: {change}");
        assert!((made.body.stature() - base.body.stature()).abs() < 1e-4);
    }
}

#[test]
fn the_solvers_quick_volume_is_the_bodys() {
    use crate::quadrature::{BodyRules, PatchRule};
    let rules = BodyRules { bezier: PatchRule::tensor(4), gregory: PatchRule::tensor(4) };
    for sex in [Sex::Female, Sex::Male] {
        let body = Base::of(&Template::human(), sex).body;
        let quick: f64 = body.patches.iter().map(|patch| rules.volume(&patch.patch)).sum();
        // The relief of a face is too fine for it; a third of what the mass is solved to.
        assert!((quick / body.volume() - 1.0).abs() < 4e-4, "{sex:?}: {}", quick / body.volume() - 1.0);
    }
}

#[test]
fn nothing_of_the_arm_is_in_the_chests_tape() {
    for sex in [Sex::Female, Sex::Male] {
        let base = Base::of(&Template::human(), sex);
        let armpit = base.body.rings.iter().filter(|ring| ring.name == "arm_root").flat_map(|ring| {
            base.body.tubes[ring.tube].tube.row(ring.row).iter().map(|point| (point.y, point.x.abs()))
        });
        let (height, breadth) = armpit.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        // Above the armpit the tape goes on as if the arm were not there: it may not jump.
        let tape = |height| readings::trunk_tape(&base.body, ChestGirth, height);
        assert!(base.body.girth_at(height + 0.02, &["torso"]) > tape(height + 0.02) + 0.02, "{sex:?}");
        assert!(tape(height + 0.02) <= base.body.girth_at(height + 0.02, &["torso"]), "{sex:?}");
        assert!((tape(height + 0.001) - tape(height - 0.001)).abs() < 0.02, "{sex:?} {breadth}");
    }
}

#[test]
fn tapes_that_are_asked_for_are_met() {
    let given = [(Stature, 1.72), (Weight, 68.0), (WaistGirth, 0.78), (ThighGirth, 0.60), (NeckGirth, 0.33)];
    let person = complete(Sex::Female, &given).unwrap();
    let made = maker(Sex::Female).make(&person).unwrap();
    assert_met(&made, &person);
}

#[test]
fn a_weight_that_the_girths_leave_no_room_for_is_refused_with_a_range() {
    let girths = [ChestGirth, WaistGirth, ButtockGirth, ThighGirth, CalfGirth, BicepsGirth, ForearmGirth];
    let population = Population::of(Sex::Male);
    let mut given: Vec<(Measure, f64)> =
        girths.map(|measure| (measure, population.at_percentile(measure, 50.0))).to_vec();
    given.push((Stature, population.mean(Stature)));
    given.push((Weight, 71.0));
    let person = complete(Sex::Male, &given).expect("the survey finds it odd only");
    let refused = maker(Sex::Male).make(&person).expect_err("71 kg was taken");
    let MakeError::Unreachable { measure, nearest, range, .. } = refused else { panic!("{refused}") };
    assert_eq!(measure, Weight);
    assert!(range[0] > 71.0 && nearest == range[0], "{nearest} {range:?}");
    assert!(refused.to_string().starts_with("weight 71.0 kg is not possible"), "{refused}");
}

#[test]
fn values_of_a_design_stay_and_the_rest_is_solved_round_them() {
    let given =
        [(Stature, 1.76), (Weight, 84.0), (ChestGirth, 1.05), (WaistGirth, 0.93), (ButtockGirth, 1.01)];
    let person = complete(Sex::Male, &given).unwrap();
    let own = Design::parse("rings.upper_arm.girth = 0.40\noffsets.\"arm/shoulder/2/0\" = [0.0, 0.01, 0.0]")
        .unwrap();
    let made = maker(Sex::Male).make_with(&person, &own).unwrap();
    assert_met(&made, &person);
    let girths = Readings::of(&made.body, &person).ring_girths;
    let girth = girths.iter().find(|(name, _)| name == "upper_arm").unwrap().1;
    assert!((girth - 0.40).abs() < RING_M, "{girth}");
}

#[test]
fn what_was_not_given_follows_the_design() {
    let person = complete(Sex::Male, &[]).unwrap();
    let maker = maker(Sex::Male);
    let plain = maker.make(&person).unwrap();
    let thigh = |body: &crate::Body| {
        let joint = |name: &str| body.joints.iter().find(|joint| joint.name == name).unwrap().position;
        [
            joint("hip").distance(joint("knee")),
            joint("hip").y - joint("knee").y,
            joint("crown").y - joint("neck").y,
        ]
    };
    let [length, drop, head] = thigh(&plain.body);
    let own = Design::parse(&format!("lengths.thigh = {}", 1.1 * length)).unwrap();
    let taller = maker.make_with(&person, &own).unwrap();
    let grown = taller.body.stature() - plain.body.stature();
    assert!((grown - 0.1 * drop).abs() < 2e-3, "{grown} of {}", 0.1 * drop);
    assert!((thigh(&taller.body)[2] - head).abs() < STATURE_M, "the neck stays");
    // With a stature given it is met, and the neck gives way.
    let person = complete(Sex::Male, &[(Stature, 1.76)]).unwrap();
    let own = Design::parse(&format!("lengths.thigh = {}", 1.04 * length)).unwrap();
    assert!((maker.make_with(&person, &own).unwrap().body.stature() - 1.76).abs() < STATURE_M);
}
