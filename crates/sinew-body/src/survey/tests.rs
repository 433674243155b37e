//! Tests of the whole way from measures to a body.

use super::*;
use crate::testing::Random;
use sinew_geometry::Cholesky;

/// Rounding of sums of some dozen products, relative to a body.
const ROUNDING_M: f64 = 1e-10;

fn average(sex: Sex) -> Completed {
    complete(sex, &[]).expect("the mean is possible")
}

fn messages(sex: Sex, given: &[(Measure, f64)]) -> Vec<String> {
    complete(sex, given).expect_err("impossible").iter().map(ToString::to_string).collect()
}

fn notes(sex: Sex, given: &[(Measure, f64)]) -> Vec<String> {
    complete(sex, given).expect("possible").report().notes.iter().map(ToString::to_string).collect()
}

#[test]
fn nothing_given_is_the_mean_of_everybody() {
    for sex in [Sex::Female, Sex::Male] {
        let completed = average(sex);
        for measure in Measure::all() {
            let estimate = completed.estimate(measure);
            assert_eq!(estimate.value, Population::of(sex).mean(measure), "{measure}");
            assert!(
                (estimate.deviation - Population::of(sex).deviation(measure)).abs() < ROUNDING_M,
                "{measure}"
            );
        }
        assert_eq!(completed.report().notes, []);
        assert_eq!(completed.report().distance, 0.0);
    }
}

/// Gains per meter, kilogram and year that were computed from the people themselves, in m.
#[test]
fn stature_weight_and_age_move_the_rest_by_the_known_amounts() {
    let cases = [
        (Sex::Male, Measure::ChestGirth, [-0.269, 0.00602, 0.00111]),
        (Sex::Male, Measure::WaistGirth, [-0.396, 0.00759, 0.00198]),
        (Sex::Male, Measure::ThighGirth, [-0.201, 0.00429, -0.00088]),
        (Sex::Male, Measure::CrotchHeight, [0.619, -0.00038, -0.00007]),
        (Sex::Female, Measure::WaistGirth, [-0.450, 0.00882, 0.00114]),
        (Sex::Female, Measure::ButtockGirth, [-0.177, 0.00685, 0.00007]),
    ];
    let basics = [Measure::Stature, Measure::Weight, Measure::Age];
    let steps = [0.1, 10.0, 10.0];
    // Half of the last digit of the amounts above.
    let roundings = [5.1e-4, 5.1e-6, 5.1e-6];
    for (sex, measure, gains) in cases {
        for changed in 0..3 {
            let mut given = basics.map(|basic| (basic, Population::of(sex).mean(basic)));
            given[changed].1 += steps[changed];
            let completed = complete(sex, &given).expect("possible");
            let gain = (completed.value(measure) - Population::of(sex).mean(measure)) / steps[changed];
            assert!((gain - gains[changed]).abs() < roundings[changed], "{measure} {changed}: {gain}");
        }
    }
}

#[test]
fn what_is_given_is_kept_and_what_is_known_narrows_the_rest() {
    let given = [
        (Measure::Stature, 1.72),
        (Measure::Weight, 68.0),
        (Measure::Age, 30.0),
        (Measure::WaistGirth, 0.78),
        (Measure::ButtockGirth, 1.00),
        (Measure::ChestGirth, 0.92),
        (Measure::CrotchHeight, 0.83),
        (Measure::FootLength, 0.25),
        (Measure::HeadGirth, 0.56),
        (Measure::BiacromialBreadth, 0.38),
    ];
    let mut before = average(Sex::Female);
    for count in 1..=given.len() {
        let completed = complete(Sex::Female, &given[..count]).expect("possible");
        for &(measure, value) in &given[..count] {
            assert_eq!(completed.estimate(measure), Estimate { value, deviation: 0.0, is_given: true });
        }
        for measure in Measure::all() {
            let [was, is] = [&before, &completed].map(|state| state.estimate(measure).deviation);
            assert!(is <= was + ROUNDING_M, "{measure}: {is} after {was}");
        }
        assert_eq!(completed.report().notes, [], "{count}");
        assert_eq!(completed.report().most_at_odds.is_some(), count >= 2);
        assert!(completed.report().distance >= before.report().distance - ROUNDING_M, "{count}");
        before = completed;
    }
}

#[test]
fn impossible_values_are_refused_with_key_and_range() {
    let one = |sex, measure, value| messages(sex, &[(measure, value)]);
    assert_eq!(
        one(Sex::Male, Measure::WaistGirth, f64::NAN),
        ["waist_girth NaN m is not a finite number; use 0.681 to 1.200 m"]
    );
    assert_eq!(
        one(Sex::Male, Measure::WaistGirth, -0.5),
        ["waist_girth -0.5 m must be above 0; use 0.681 to 1.200 m"]
    );
    assert_eq!(one(Sex::Female, Measure::Weight, 0.0), ["weight 0 kg must be above 0; use 42.2 to 93.3 kg"]);
    assert_eq!(
        one(Sex::Female, Measure::Age, 6.0),
        ["age 6 years is out of range: the survey has only adults; use 17 to 58 years"]
    );
    assert_eq!(
        one(Sex::Male, Measure::Stature, 172.0),
        ["stature 172 m is 2483.5 standard deviations from the survey's mean; use 1.597 to 1.916 m; \
          lengths are in m: did you mean 1.72?"]
    );
    assert_eq!(
        one(Sex::Male, Measure::Weight, 20.0),
        ["weight 20 kg leads to a body mass index of 7.7, which is out of range; use 52.4 to 118.6 kg"]
    );
}

#[test]
fn contradictions_name_what_to_change_and_what_it_meets() {
    let tall = (Measure::Stature, 1.75);
    assert_eq!(
        messages(Sex::Male, &[tall, (Measure::WaistGirth, 1.80)]),
        ["waist_girth 1.8 m must be less than stature, 1.750 m; use 0.684 to 1.193 m"]
    );
    assert_eq!(
        messages(Sex::Male, &[(Measure::HipBreadth, 0.50), (Measure::ButtockGirth, 0.95)]),
        ["hip_breadth 0.5 m must be less than 1/2 of the buttock_girth, 0.950 m; use 0.305 to 0.346 m"]
    );
    assert_eq!(
        messages(Sex::Female, &[(Measure::Stature, 1.90), (Measure::CrotchHeight, 0.70)]),
        [
            "stature 1.9 m is 11.0 standard deviations from the value expected from the others; use 1.449 to 1.607 m"
        ]
    );
    assert_eq!(
        messages(Sex::Male, &[tall, (Measure::Stature, 1.80)]),
        ["stature 1.8 m was already given as 1.75 m; use 1.597 to 1.916 m"]
    );
}

#[test]
fn everything_wrong_is_said_at_once_and_ranges_follow_what_is_sound() {
    let given = [(Measure::Stature, 1.72), (Measure::WaistGirth, -1.0), (Measure::ChestGirth, f64::INFINITY)];
    assert_eq!(
        messages(Sex::Female, &given),
        [
            "waist_girth -1 m must be above 0; use 0.667 to 1.120 m",
            "chest_girth inf m is not a finite number; use 0.792 to 1.163 m",
        ]
    );
}

#[test]
fn unusual_values_are_kept_and_told_of() {
    let giant = complete(Sex::Male, &[(Measure::Stature, 2.05)]).expect("possible");
    assert_eq!(giant.value(Measure::Stature), 2.05);
    let told: Vec<_> = giant.report().notes.iter().map(ToString::to_string).collect();
    assert_eq!(told[0], "stature 2.050 m is outside the survey's range, 1.597 to 1.916 m");
    assert!(told[1].starts_with("completed values outside the survey's range: acromial_height"), "{told:?}");
    assert_eq!(
        notes(Sex::Male, &[(Measure::Age, 70.0)]),
        ["age 70 is outside the survey's range, 17 to 58 years: it has no children or old people"]
    );
    assert_eq!(
        notes(Sex::Male, &[(Measure::Stature, 1.85), (Measure::Weight, 62.0)]),
        ["body mass index 18.1 is outside the survey's range, 19 to 38"]
    );
    assert_eq!(
        notes(Sex::Female, &[(Measure::Stature, 1.72), (Measure::Weight, 85.0), (Measure::WaistGirth, 0.78)]),
        ["waist_girth 0.780 m is unusual with the other values; expected 0.974 m ± 0.048 m"]
    );
}

#[test]
fn the_report_places_each_value_alone_and_among_the_others() {
    let given = [(Measure::Stature, 1.72), (Measure::Weight, 85.0), (Measure::WaistGirth, 0.78)];
    let completed = complete(Sex::Female, &given).expect("possible");
    let report = completed.report();
    assert_eq!(report.most_at_odds, Some(Measure::WaistGirth));
    let waist = report.given[2];
    assert!((20.0..22.0).contains(&waist.percentile), "{}", waist.percentile);
    assert!((-4.1..-3.9).contains(&waist.z_among_others), "{}", waist.z_among_others);
    assert!(waist.percentile_among_others < 0.01, "{}", waist.percentile_among_others);
    // Completing the square: the whole distance is that of the others and of this one among them.
    let others = complete(Sex::Female, &given[..2]).expect("possible");
    let sum = others.report().distance.hypot(waist.z_among_others);
    assert!((report.distance - sum).abs() < ROUNDING_M, "{} {sum}", report.distance);
    assert!(report.share_nearer > 0.999, "{}", report.share_nearer);
}

/// People drawn from a population, the same on every machine.
struct People(Random);

impl People {
    /// A nearly standard normal number: the sum of twelve even ones from −½ to ½.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| 0.5 * self.0.signed()).sum()
    }

    /// All measures of a random person.
    fn person(&mut self, population: &Population) -> Vec<(Measure, f64)> {
        let all: Vec<Measure> = Measure::all().collect();
        let factor = Cholesky::factor(all.len(), |i, j| population.correlation(all[i], all[j]))
            .expect("positive definite");
        let independent: Vec<f64> = all.iter().map(|_| self.normal()).collect();
        let z = |i: usize| (0..=i).map(|j| factor.entry(i, j) * independent[j]).sum::<f64>();
        let value = |(i, &measure): (usize, &Measure)| {
            let value = population.mean(measure) + z(i) * population.deviation(measure);
            // A normal distribution has children among its soldiers.
            (measure, if measure == Measure::Age { value.max(17.0) } else { value })
        };
        all.iter().enumerate().map(value).collect()
    }
}

fn assert_is_a_body(completed: &Completed) {
    let upwards = [
        Measure::MalleolusHeight,
        Measure::KneeHeight,
        Measure::CrotchHeight,
        Measure::WaistHeight,
        Measure::ChestHeight,
    ]
    .map(|measure| completed.value(measure));
    assert!(upwards.is_sorted() && upwards[4] < completed.value(Measure::CervicaleHeight), "{upwards:?}");
}

/// Puts random entries at the places after the first.
fn shuffle(random: &mut Random, person: &mut [(Measure, f64)], count: usize) {
    for place in 1..count {
        let other = random.between(place as f64, person.len() as f64) as usize;
        person.swap(place, other);
    }
}

#[test]
fn random_people_are_completed_and_can_be_built() {
    let mut people = People(Random::new(2014));
    let mut errors_in_deviations = Vec::new();
    for number in 0..300 {
        let sex = if number % 2 == 0 { Sex::Female } else { Sex::Male };
        let population = Population::of(sex);
        let mut person = people.person(population);
        let whole = complete(sex, &person).unwrap_or_else(|errors| panic!("{number}: {errors:?}"));
        assert_is_a_body(&whole);

        // Some of the measures, stature first, then any.
        let count = 1 + number % 10;
        shuffle(&mut people.0, &mut person, count);
        let some = complete(sex, &person[..count]).unwrap_or_else(|errors| panic!("{number}: {errors:?}"));
        assert_is_a_body(&some);
        for &(measure, value) in &person {
            let estimate = some.estimate(measure);
            if !estimate.is_given {
                errors_in_deviations.push((value - estimate.value) / estimate.deviation);
            } else {
                assert_eq!(estimate.value, value, "{measure}");
            }
        }
    }
    // The errors of completing are as large as was said, and nobody is far off.
    let squares: f64 = errors_in_deviations.iter().map(|error| error * error).sum();
    let spread = (squares / errors_in_deviations.len() as f64).sqrt();
    assert!((0.95..1.05).contains(&spread), "{spread}");
    assert!(errors_in_deviations.iter().all(|error| error.abs() < 5.0), "an error of five deviations");
}

/// Of anything typed, a body or a refusal comes out, and every refusal has a range that can be used.
#[test]
fn wild_values_lead_to_a_body_or_to_a_refusal() {
    let mut people = People(Random::new(7));
    let mut taken = 0;
    for number in 0..3000 {
        let sex = if number % 2 == 0 { Sex::Female } else { Sex::Male };
        let population = Population::of(sex);
        let mut person = people.person(population);
        shuffle(&mut people.0, &mut person, 6);
        // Up to nine standard deviations off, in one to six measures.
        let wildness = people.0.between(0.0, 9.0);
        let given: Vec<_> = person[..1 + number % 6]
            .iter()
            .map(|&(measure, _)| {
                let z = wildness * people.0.signed();
                (measure, population.mean(measure) + z * population.deviation(measure))
            })
            .collect();
        match complete(sex, &given) {
            Ok(completed) => {
                taken += 1;
                let lengths_and_weight = Measure::all().filter(|measure| *measure != Measure::Age);
                for measure in lengths_and_weight {
                    assert!(completed.value(measure) > 0.0, "{measure} from {given:?}");
                }
            }
            Err(errors) => {
                for error in errors {
                    assert!(given.contains(&(error.measure, error.value)), "{error}");
                    assert!(0.0 < error.range[0] && error.range[0] < error.range[1], "{error}");
                }
            }
        }
    }
    assert!((500..2500).contains(&taken), "{taken} taken");
}

#[test]
fn one_slip_is_found_and_its_range_puts_it_right() {
    let mut people = People(Random::new(11));
    let mut found = 0;
    for number in 0..300 {
        let sex = if number % 2 == 0 { Sex::Female } else { Sex::Male };
        let mut person = people.person(Population::of(sex));
        shuffle(&mut people.0, &mut person, 5);
        let mut given: Vec<_> = person[..5].to_vec();
        let slip = 1 + number % 4;
        given[slip].1 *= [-1.0, f64::NAN, 100.0, 0.0][number / 2 % 4];
        if given[slip].0 == Measure::Age {
            continue;
        }
        let errors = complete(sex, &given).expect_err("a slip");
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].measure, given[slip].0);
        given[slip].1 = 0.5 * (errors[0].range[0] + errors[0].range[1]);
        complete(sex, &given).unwrap_or_else(|errors| panic!("{errors:?}"));
        found += 1;
    }
    assert!(found > 250, "{found}");
}
