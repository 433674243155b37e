//! Readings agree with known bodies.

use super::*;
use crate::survey::Measure::*;
use crate::survey::{Sex, complete};
use crate::testing::{man, woman};
use crate::{Design, Template, build};

/// What two ways of cutting one surface may differ by, m.
const TAPE_M: f64 = 5e-4;

fn value(readings: &[Reading], measure: Measure) -> f64 {
    readings.iter().find(|reading| reading.measure == measure).unwrap_or_else(|| panic!("{measure}")).value
}

#[test]
fn every_measure_but_age_is_read_on_a_human() {
    for (sex, design) in [(Sex::Female, woman()), (Sex::Male, man())] {
        let person = complete(sex, &[]).unwrap();
        let readings = read_all(&build(&Template::human(), &design).unwrap());
        let read: Vec<Measure> = readings.iter().map(|reading| reading.measure).collect();
        let wanted: Vec<Measure> = Measure::all().filter(|&measure| measure != Age).collect();
        assert_eq!(read, wanted);
        // No reading is nonsense: all within a fifth of the survey's mean, whether solved for or not.
        for reading in &readings {
            let share = reading.value / person.value(reading.measure);
            assert!((0.8..1.25).contains(&share), "{sex:?} {}: {share}", reading.measure);
        }
    }
}

#[test]
fn joint_lengths_of_the_average_man_are_the_surveys() {
    let readings = read_all(&build(&Template::human(), &man()).unwrap());
    let mean = complete(Sex::Male, &[]).unwrap();
    for measure in
        [UpperArmLength, ForearmLength, HandLength, PalmLength, BiacromialBreadth, Span, KneeHeight]
    {
        let missed = value(&readings, measure) / mean.value(measure) - 1.0;
        assert!(missed.abs() < 0.01, "{measure}: {missed}");
    }
}

#[test]
fn a_longer_bone_and_a_thicker_ring_show_in_their_readings() {
    let read = |text: &str| {
        let body = build(&Template::human(), &Design::parse(text).unwrap()).unwrap();
        read_all(&body)
    };
    let (plain, changed) =
        (read(""), read("lengths.forearm = 0.30\nlengths.shank = 0.45\nrings.wrist.girth = 0.20"));
    assert!((value(&changed, ForearmLength) / value(&plain, ForearmLength) - 0.30 / 0.262).abs() < 1e-3);
    assert!(value(&changed, WristGirth) > value(&plain, WristGirth) + 0.008);
    assert!(value(&changed, KneeHeight) > value(&plain, KneeHeight) + 0.04);
    assert!((value(&changed, FootLength) - value(&plain, FootLength)).abs() < TAPE_M);
}

#[test]
fn flexing_never_thins_the_arm_where_it_is_read() {
    let body = build(&Template::human(), &man()).unwrap();
    let readings = read_all(&body);
    let flexed = readings.iter().find(|reading| reading.measure == BicepsGirth).unwrap();
    assert!(flexed.pose.is_some());
    let tailor = Tailor::new(&body, None);
    let plane = Plane { point: flexed.point.unwrap(), normal: flexed.normal.unwrap() };
    let relaxed = tailor.tape(BicepsGirth, plane, |patch| is_left(patch, "arm")).unwrap();
    // The muscle that swells is the template's; where it ends below the thickest place, both are equal.
    assert!(flexed.value > relaxed.value - 1e-9, "{} {}", flexed.value, relaxed.value);
}

#[test]
fn other_animals_have_stature_and_weight_only() {
    let body = build(&Template::quadruped(), &Design::default()).unwrap();
    let read: Vec<Measure> = read_all(&body).iter().map(|reading| reading.measure).collect();
    assert!(read.contains(&Stature) && read.contains(&Weight), "{read:?}");
}
