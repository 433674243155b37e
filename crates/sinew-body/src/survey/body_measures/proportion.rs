//! Numbers of the template in proportion to a person's measures.

use super::super::complete::Completed;
use super::super::measure::Measure;
use super::super::population::{Population, Sex};

/// A person compared with the average man, for whom the template was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proportion<'a> {
    person: &'a Completed,
    average_man: &'static Population,
}

impl<'a> Proportion<'a> {
    pub(super) fn of(person: &'a Completed) -> Self {
        Self { person, average_man: Population::of(Sex::Male) }
    }

    /// The measure itself.
    pub(super) fn value(&self, measure: Measure) -> f64 {
        self.person.value(measure)
    }

    /// Ratio of a measure to the average man's.
    pub(super) fn ratio(&self, measure: Measure) -> f64 {
        self.value(measure) / self.average_man.mean(measure)
    }

    /// A number of the template, in proportion to a measure.
    pub(super) fn like(&self, template: f64, measure: Measure) -> f64 {
        template * self.ratio(measure)
    }

    /// A number of the template, in proportion to the mean of two measures.
    pub(super) fn like_mean(&self, template: f64, measures: [Measure; 2]) -> f64 {
        let sum = |of: &dyn Fn(Measure) -> f64| measures.into_iter().map(of).sum::<f64>();
        template * sum(&|measure| self.value(measure)) / sum(&|measure| self.average_man.mean(measure))
    }

    /// A number of the template, in proportion to the difference of two measures.
    pub(super) fn like_rest(&self, template: f64, whole: Measure, part: Measure) -> f64 {
        let rest = self.value(whole) - self.value(part);
        template * rest / (self.average_man.mean(whole) - self.average_man.mean(part))
    }

    /// A height of the template, at the same share between two measured heights as on the average man.
    pub(super) fn between(&self, template: f64, low: Measure, high: Measure) -> f64 {
        let [man_low, man_high] = [low, high].map(|measure| self.average_man.mean(measure));
        let way = (template - man_low) / (man_high - man_low);
        self.value(low) + way * (self.value(high) - self.value(low))
    }
}
