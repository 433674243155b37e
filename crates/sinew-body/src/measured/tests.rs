//! People of every kind get the measures they ask for.

use super::*;
use crate::random::Random;
use crate::survey::Measure::*;
use crate::survey::{Measure, Population, Sex, complete};

fn maker() -> Maker {
    let template = Template::human();
    let base = Base::average_man(&template);
    Maker::new(template, base)
}

/// What the issue asks for, metres or a share.
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
            NeckBaseGirth | NeckGirth | HeadGirth | WristGirth | AnkleGirth => RING_M,
            _ => continue,
        };
        assert!((found - asked).abs() < most, "{measure}: {found} instead of {asked}");
    }
}

#[test]
fn twenty_random_people_have_their_measures() {
    let maker = maker();
    let mut random = Random::new(20);
    for person in 0..20 {
        let sex = if person % 2 == 0 { Sex::Female } else { Sex::Male };
        let population = Population::of(sex);
        let mut at = |measure: Measure, least: f64, most: f64| {
            let share = 0.5 + 0.5 * random.signed();
            (measure, population.at_percentile(measure, least + share * (most - least)))
        };
        let mut given = vec![at(Stature, 5.0, 95.0), at(Weight, 15.0, 85.0)];
        if person % 3 == 0 {
            given.push(at(WristGirth, 30.0, 70.0));
            given.push(at(CalfGirth, 40.0, 60.0));
        }
        let Ok(completed) = complete(sex, &given) else { panic!("{given:?} was refused") };
        let made = maker.make(&completed).unwrap_or_else(|error| panic!("{given:?}: {error}"));
        assert_met(&made, &completed);
        let check = made.body.check(5);
        assert!(check.jump_deg < 1e-6 && check.gap_m < 1e-9, "{given:?}: {check:?}");
        assert_eq!((check.euler_characteristic, check.open_wire_count), (2, 0));
        // The design alone builds the same body.
        let again = crate::build(maker.template(), &Design::parse(&made.design.to_toml()).unwrap()).unwrap();
        assert!((again.volume() - made.body.volume()).abs() < 1e-12);
    }
}

#[test]
fn tapes_that_are_asked_for_are_met() {
    let given = [(Stature, 1.72), (Weight, 68.0), (WaistGirth, 0.78), (ThighGirth, 0.60), (NeckGirth, 0.33)];
    let person = complete(Sex::Female, &given).unwrap();
    let made = maker().make(&person).unwrap();
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
    let Err(MakeError::Unreachable(refused)) = maker().make(&person) else { panic!("71 kg was taken") };
    assert_eq!(refused.measure, Weight);
    assert!(refused.range[0] > 71.0 && refused.nearest == refused.range[0], "{refused:?}");
    assert!(refused.to_string().starts_with("weight is 71.0 kg and cannot be had"), "{refused}");
}

#[test]
fn values_of_a_design_stay_and_the_rest_is_solved_round_them() {
    let person = complete(Sex::Male, &[]).unwrap();
    let own = Design::parse("rings.upper_arm.girth = 0.40\noffsets.\"arm/shoulder/2/0\" = [0.0, 0.01, 0.0]")
        .unwrap();
    let made = maker().make_with(&person, &own).unwrap();
    assert_met(&made, &person);
    let girths = Readings::of(&made.body, &person).ring_girths;
    let girth = girths.iter().find(|(name, _)| name == "upper_arm").unwrap().1;
    assert!((girth - 0.40).abs() < RING_M, "{girth}");
}
