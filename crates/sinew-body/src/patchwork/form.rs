//! Sums of slots: what a control point is in terms of the free vectors.

use std::collections::BTreeMap;

/// `Σ factor · slot`, ordered by slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Form(Vec<(u32, f64)>);

impl Form {
    pub(super) fn slot(slot: u32) -> Form {
        Form(vec![(slot, 1.0)])
    }

    /// `Σ factor · form`, without terms that cancel exactly.
    pub(super) fn sum<'a>(terms: impl IntoIterator<Item = (f64, &'a Form)>) -> Form {
        let mut joined: BTreeMap<u32, f64> = BTreeMap::new();
        for (factor, form) in terms.into_iter().filter(|(factor, _)| *factor != 0.0) {
            for &(slot, by) in &form.0 {
                *joined.entry(slot).or_default() += factor * by;
            }
        }
        Form(joined.into_iter().filter(|(_, factor)| *factor != 0.0).collect())
    }

    pub(super) fn times(&self, factor: f64) -> Form {
        Form(self.0.iter().map(|&(slot, by)| (slot, factor * by)).collect())
    }

    /// The form that gives the mirror image, in terms of the mirrored slots. The order of terms stays, and with it the rounding.
    pub(super) fn mirrored(&self, pairs: &[(u32, f64)]) -> Form {
        Form(
            self.0
                .iter()
                .map(|&(slot, by)| {
                    let (pair, sign) = pairs[slot as usize];
                    (pair, sign * by)
                })
                .collect(),
        )
    }

    pub(super) fn terms(&self) -> &[(u32, f64)] {
        &self.0
    }
}

impl std::ops::Add for &Form {
    type Output = Form;
    fn add(self, other: &Form) -> Form {
        Form::sum([(1.0, self), (1.0, other)])
    }
}

impl std::ops::Sub for &Form {
    type Output = Form;
    fn sub(self, other: &Form) -> Form {
        Form::sum([(1.0, self), (-1.0, other)])
    }
}
