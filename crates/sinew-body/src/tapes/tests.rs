//! Readings agree with known bodies.

use super::*;
use crate::survey::Measure::*;
use crate::survey::{Sex, complete};
use crate::testing::{human, maker};
use crate::{Design, Template, build};

/// What two ways of cutting one surface may differ by, m.
const TAPE_M: f64 = 5e-4;

fn value(readings: &[Reading], measure: Measure) -> f64 {
    readings.iter().find(|reading| reading.measure == measure).unwrap_or_else(|| panic!("{measure}")).value
}

#[test]
fn every_measure_but_age_is_read_on_a_human() {
    for sex in [Sex::Female, Sex::Male] {
        let person = complete(sex, &[]).unwrap();
        let made = maker(sex).make(&person).unwrap();
        let readings = read_all(&made.body, &Levels::of_person(&person));
        let read: Vec<Measure> = readings.iter().map(|reading| reading.measure).collect();
        let wanted: Vec<Measure> = Measure::all().filter(|&measure| measure != Age).collect();
        assert_eq!(read, wanted);
        let girth = value(&readings, HeadGirth) / person.value(HeadGirth);
        assert!((0.97..1.04).contains(&girth), "{sex:?} {girth}");
        // No reading is nonsense: all within a fifth of the person's, whether solved for or not.
        for reading in &readings {
            let share = reading.value / person.value(reading.measure);
            assert!((0.8..1.25).contains(&share), "{sex:?} {}: {share}", reading.measure);
        }
        for measure in [ChestGirth, WaistGirth, ButtockGirth] {
            let missed = value(&readings, measure) - person.value(measure);
            assert!(missed.abs() < TAPE_M, "{sex:?} {measure}: {missed}");
        }
    }
}

#[test]
fn joint_lengths_of_the_average_man_are_the_surveys() {
    let readings = read_all(&human(), &Levels::of_body(&human()).unwrap());
    let mean = complete(Sex::Male, &[]).unwrap();
    for measure in
        [UpperArmLength, ForearmLength, HandLength, PalmLength, BiacromialBreadth, Span, KneeHeight]
    {
        let missed = value(&readings, measure) - mean.value(measure);
        assert!(missed.abs() < TAPE_M, "{measure}: {missed}");
    }
}

#[test]
fn a_longer_bone_and_a_thicker_ring_show_in_their_readings() {
    let read = |text: &str| {
        let body = build(&Template::human(), &Design::parse(text).unwrap()).unwrap();
        read_all(&body, &Levels::of_body(&body).unwrap())
    };
    let (plain, changed) =
        (read(""), read("lengths.forearm = 0.30\nlengths.shank = 0.45\nrings.wrist.girth = 0.20"));
    assert!((value(&changed, ForearmLength) / value(&plain, ForearmLength) - 0.30 / 0.262).abs() < 1e-3);
    assert!((value(&changed, WristGirth) - 0.20).abs() < TAPE_M, "{}", value(&changed, WristGirth));
    assert!(value(&changed, KneeHeight) > value(&plain, KneeHeight) + 0.04);
    assert!((value(&changed, FootLength) - value(&plain, FootLength)).abs() < TAPE_M);
}

#[test]
fn flexing_never_thins_the_arm_where_it_is_read() {
    let person = complete(Sex::Male, &[]).unwrap();
    let made = maker(Sex::Male).make(&person).unwrap();
    let readings = read_all(&made.body, &Levels::of_person(&person));
    let flexed = readings.iter().find(|reading| reading.measure == BicepsGirth).unwrap();
    assert!(flexed.pose.is_some());
    let tailor = Tailor::new(&made.body, None);
    let plane = Plane { point: flexed.point.unwrap(), normal: flexed.normal.unwrap() };
    let relaxed = tailor.tape(BicepsGirth, plane, |patch| is_left(patch, "arm")).unwrap();
    // The muscle that swells is the template's; where it ends below the thickest place, both are equal.
    assert!(flexed.value > relaxed.value - 1e-9, "{} {}", flexed.value, relaxed.value);
}

#[test]
fn other_animals_have_stature_and_weight_only() {
    let body = build(&Template::quadruped(), &Design::default()).unwrap();
    assert!(Levels::of_body(&body).is_none());
    let levels = Levels { chest_m: 0.5, waist_m: 0.5, buttock_m: 0.5, thigh_m: 0.4 };
    let read: Vec<Measure> = read_all(&body, &levels).iter().map(|reading| reading.measure).collect();
    assert!(read.contains(&Stature) && read.contains(&Weight), "{read:?}");
}
