//! Stature and weight of people from 2 to 80 years, and what age takes from the back.

use crate::survey::Sex;
use std::sync::LazyLock;

/// Percentiles 5, 50 and 95 of a value.
pub type Percentiles = [f64; 3];

struct Row {
    sex: Sex,
    years: f64,
    stature_m: Percentiles,
    mass_index: Percentiles,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let read = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |k: usize| words[k].parse::<f64>().expect("a test reads the embedded file");
        Row {
            sex: if words[0] == "male" { Sex::Male } else { Sex::Female },
            years: number(1),
            stature_m: [2, 3, 4].map(|k| 0.01 * number(k)),
            mass_index: [5, 6, 7].map(number),
        }
    };
    include_str!("../../data/growth.txt").lines().filter(|line| !line.starts_with('#')).map(read).collect()
});

/// Stature, m, and body mass index, kg/m², of people of an age: percentiles 5, 50 and 95, straight between the ages of the tables.
#[must_use]
pub fn people_of(sex: Sex, years: f64) -> (Percentiles, Percentiles) {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| row.sex == sex).collect();
    let after = rows.iter().position(|row| row.years >= years).unwrap_or(rows.len() - 1).max(1);
    let (a, b) = (rows[after - 1], rows[after]);
    let share = ((years - a.years) / (b.years - a.years)).clamp(0.0, 1.0);
    let mix = |a: Percentiles, b: Percentiles| std::array::from_fn(|k| a[k] + share * (b[k] - a[k]));
    (mix(a.stature_m, b.stature_m), mix(a.mass_index, b.mass_index))
}

/// How far the upper back is bent forward by age, radians: nothing to 50 years, 16° at 80.
#[must_use]
pub fn bent_back(years: f64) -> f64 {
    let share = ((years - 50.0) / 30.0).clamp(0.0, 1.3);
    (16.0 * share * share).to_radians()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_grow_and_old_people_shrink() {
        for sex in [Sex::Male, Sex::Female] {
            let middle = |years: f64| people_of(sex, years).0[1];
            assert!((0.8..0.9).contains(&middle(2.0)) && (1.0..1.05).contains(&middle(4.0)));
            assert!(middle(8.0) < middle(12.0) && middle(12.0) < middle(16.0));
            assert!(middle(80.0) < middle(30.0) - 0.03);
            let index = people_of(sex, 5.0).1;
            assert!(index[0] < index[1] && index[1] < index[2] && index[1] < 17.0, "{index:?}");
        }
        assert_eq!(bent_back(40.0), 0.0);
    }
}
