//! The measures of the survey: their names and meanings.

use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::LazyLock;

/// A measure of the survey \[Gordon14\]: stature, weight, age and 54 others, in the survey's own order of columns.
///
/// "Height" is above the floor, "breadth" side to side, "depth" front to back, "girth" a tape around the body.
///
/// Written and read by [`Measure::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Measure {
    /// Height of the crown, standing.
    Stature,
    /// Weight of the body, in kg.
    Weight,
    /// Age in years.
    Age,
    /// Height of the acromion, the bony tip of the shoulder.
    AcromialHeight,
    /// From the tip of the shoulder to the elbow.
    UpperArmLength,
    /// From the elbow to the wrist.
    ForearmLength,
    /// From the wrist to the tip of the middle finger.
    HandLength,
    /// Across the knuckles, without the thumb.
    HandBreadth,
    /// Round the knuckles, without the thumb.
    HandGirth,
    /// From the wrist to the root of the middle finger.
    PalmLength,
    /// Round the wrist.
    WristGirth,
    /// Round the thickest part of the forearm, fist clenched.
    ForearmGirth,
    /// Round the upper arm, biceps flexed.
    BicepsGirth,
    /// Between the bony tips of the shoulders.
    BiacromialBreadth,
    /// Across the shoulder muscles.
    BideltoidBreadth,
    /// Round the neck, at the larynx.
    NeckGirth,
    /// Round the neck, where it meets the trunk.
    NeckBaseGirth,
    /// Height of the lowest neck bone at the nape.
    CervicaleHeight,
    /// Height of the notch above the breastbone.
    SuprasternaleHeight,
    /// Height of the fold of the armpit.
    AxillaHeight,
    /// Height of the nipples, where the chest girth is taken.
    ChestHeight,
    /// Round the chest, at the nipples.
    ChestGirth,
    /// Side to side, at the nipples.
    ChestBreadth,
    /// Front to back, at the nipples.
    ChestDepth,
    /// Height of the lowest point of the ribs at the side.
    TenthRibHeight,
    /// Height of the navel, where the waist girth is taken.
    WaistHeight,
    /// Round the waist, at the navel.
    WaistGirth,
    /// Side to side, at the navel.
    WaistBreadth,
    /// Front to back, at the navel.
    WaistDepth,
    /// Height of the top of the hip bone at the side.
    IliocristaleHeight,
    /// Height of the top of the thigh bone at the side.
    TrochanterionHeight,
    /// Round the hips, where the buttocks stand out most.
    ButtockGirth,
    /// Front to back, where the buttocks stand out most.
    ButtockDepth,
    /// Height at which the buttocks stand out most.
    ButtockHeight,
    /// Across the hips, standing.
    HipBreadth,
    /// Height of the crotch.
    CrotchHeight,
    /// Round the thigh, right under the buttock.
    ThighGirth,
    /// Round the thigh, right above the kneecap.
    LowerThighGirth,
    /// Height of the middle of the kneecap.
    KneecapHeight,
    /// Height of the knee joint at the side.
    KneeHeight,
    /// Round the thickest part of the calf.
    CalfGirth,
    /// Round the ankle, where it is thinnest.
    AnkleGirth,
    /// Height of the outer ankle bone.
    MalleolusHeight,
    /// Round the foot from the heel over the instep.
    HeelAnkleGirth,
    /// Round the ball of the foot.
    BallGirth,
    /// From the heel to the longest toe.
    FootLength,
    /// Across the ball of the foot.
    FootBreadth,
    /// From the heel to the ball of the foot.
    BallLength,
    /// Across the heel.
    HeelBreadth,
    /// Round the head, above the brows.
    HeadGirth,
    /// From the brow to the back of the head.
    HeadLength,
    /// Across the head, above the ears.
    HeadBreadth,
    /// Height of the head above the ear hole.
    TragionToCrown,
    /// From the chin to the root of the nose.
    FaceLength,
    /// Across the cheekbones.
    FaceBreadth,
    /// Height of the crown above the seat.
    SittingHeight,
    /// From finger tip to finger tip, arms stretched out sideways.
    Span,
}

/// Unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Unit {
    /// Lengths, m.
    Metre,
    /// Weight, kg.
    Kilogram,
    /// Age, years.
    Year,
}

/// Error of an unknown measure or preset name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum UnknownName {
    #[error("unknown measure {name:?}{}", sinew_rig::suggestion(.nearest))]
    Measure { name: String, nearest: Vec<&'static str> },
    #[error("unknown preset {name:?}; use {}{}", super::preset::names(), super::preset::nearest_text(.name))]
    Preset { name: String },
}

impl Measure {
    /// Number of measures.
    pub const COUNT: usize = 57;

    /// All measures, in order.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        ROWS.iter().map(|row| row.measure)
    }

    /// The measure with that name, alias or column of the survey. Case does not matter; `-` and space count as `_`.
    ///
    /// # Errors
    /// If there is none; the error suggests similar names.
    pub fn find(name: &str) -> Result<Self, UnknownName> {
        let wanted = name.trim().to_lowercase().replace(['-', ' '], "_");
        let found = ROWS.iter().find(|row| row.names().any(|known| known == wanted) || row.column == wanted);
        found
            .map(|row| row.measure)
            .ok_or_else(|| UnknownName::Measure { name: name.into(), nearest: nearest(&wanted) })
    }

    /// The display and storage name, such as `waist_girth`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Shorter or more common names that [`Measure::find`] also accepts, such as `waist`.
    #[must_use]
    pub fn aliases(self) -> &'static [&'static str] {
        &self.row().aliases
    }

    /// The name of its column in the tables of \[Gordon14\].
    #[must_use]
    pub fn column(self) -> &'static str {
        self.row().column
    }

    /// The unit of its values.
    #[must_use]
    pub fn unit(self) -> Unit {
        match self {
            Self::Weight => Unit::Kilogram,
            Self::Age => Unit::Year,
            _ => Unit::Metre,
        }
    }

    /// One-line description.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.row().about
    }

    /// A value with its unit, rounded for display: `0.780 m`, `68.0 kg`, `30 years`.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        format!("{} {}", self.unit().round(value), self.unit())
    }

    /// A range with its unit: `0.708 to 1.201 m`.
    #[must_use]
    pub fn show_range(self, low: f64, high: f64) -> String {
        format!("{} to {}", self.unit().round(low), self.show(high))
    }

    /// Index in lists with one entry per measure.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    fn row(self) -> &'static Row {
        &ROWS[self.index()]
    }
}

/// A row of the table of the measures' properties.
#[derive(Debug)]
struct Row {
    measure: Measure,
    name: &'static str,
    column: &'static str,
    aliases: Vec<&'static str>,
    about: &'static str,
}

/// In the order of [`Measure`] and of the survey's data; a test checks it.
static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| include_str!("../../data/measures.txt").lines().skip(1).map(Row::read).collect());

impl Row {
    fn read(line: &'static str) -> Self {
        let mut cells = line.split('|').map(str::trim);
        let mut next = || cells.next().expect("the embedded file has four columns; a test reads it");
        let (name, column, aliases, about) = (next(), next(), next(), next());
        let aliases = aliases.split_whitespace().collect();
        let measure = Measure::deserialize(IntoDeserializer::<value::Error>::into_deserializer(name));
        let measure = measure.expect("the embedded file has the enum's names; a test reads it");
        Row { measure, name, column, aliases, about }
    }

    /// The name and all aliases.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Unit {
    /// The number alone, to 1 mm, 0.1 kg or a year.
    fn round(self, value: f64) -> String {
        match self {
            Self::Metre => format!("{value:.3}"),
            Self::Kilogram => format!("{value:.1}"),
            Self::Year => format!("{value:.0}"),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Metre => "m",
            Self::Kilogram => "kg",
            Self::Year => "years",
        })
    }
}

/// Up to three measures that a typo could have meant, each by its most similar name.
fn nearest(wanted: &str) -> Vec<&'static str> {
    let names = || ROWS.iter().flat_map(|row| row.names().map(move |name| (row.measure, name)));
    let ranked = sinew_rig::nearest_names(wanted, names().map(|(_, name)| name));
    let mut kept: Vec<(Measure, &'static str)> = Vec::new();
    for name in ranked {
        if let Some(found) = names().find(|(_, known)| *known == name)
            && kept.iter().all(|(measure, _)| *measure != found.0)
        {
            kept.push(found);
        }
    }
    kept.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum_and_names_are_unique() {
        let mut seen = Vec::new();
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.measure.index(), index, "{}", row.name);
            for name in row.names() {
                assert!(!seen.contains(&name), "{name} names two measures");
                assert_eq!(Measure::find(name), Ok(row.measure));
                seen.push(name);
            }
            assert_eq!(Measure::find(row.column), Ok(row.measure));
        }
        assert_eq!(Measure::COUNT, 57);
    }

    #[test]
    fn users_may_type_what_they_are_used_to() {
        let cases = [
            ("waist", Measure::WaistGirth),
            ("Hip", Measure::ButtockGirth),
            ("inside-leg", Measure::CrotchHeight),
            ("Shoulder Width", Measure::BiacromialBreadth),
            ("waistcircumference", Measure::WaistGirth),
        ];
        for (typed, measure) in cases {
            assert_eq!(Measure::find(typed), Ok(measure), "{typed}");
        }
    }

    #[test]
    fn typos_are_answered_with_suggestions() {
        let message = |typed| Measure::find(typed).expect_err("a typo").to_string();
        assert_eq!(
            message("waits_girth"),
            "unknown measure \"waits_girth\"; did you mean \"waist_girth\" or \"wrist_girth\" or \"hand_girth\"?"
        );
        assert_eq!(message("xyzzy"), "unknown measure \"xyzzy\"");
    }
}
