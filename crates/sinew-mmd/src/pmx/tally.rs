//! Warnings shared by many entries of a list.

use sinew_io::Report;

/// Counts the entries of a list with one fault: a damaged file gets one warning per fault, not per entry.
#[derive(Debug)]
pub(super) struct Tally {
    list: &'static str,
    first: Option<usize>,
    count: usize,
}

impl Tally {
    pub(super) fn of(list: &'static str) -> Self {
        Self { list, first: None, count: 0 }
    }

    /// Counts an entry; indices must ascend.
    pub(super) fn add(&mut self, index: usize) {
        self.first.get_or_insert(index);
        self.count += 1;
    }

    /// Adds a warning, if anything was counted.
    pub(super) fn tell(self, report: &mut Report, message: &str) {
        let Some(first) = self.first else { return };
        let place = format!("{}[{first}]", self.list);
        match self.count {
            1 => report.warn(place, message),
            count => report.warn(place, format!("{message} (and {} more like it)", count - 1)),
        }
    }
}
