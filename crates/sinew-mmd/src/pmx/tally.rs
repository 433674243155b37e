//! Warnings shared by many entries of a list.

use sinew_io::Report;

/// Counts the entries of a list with one fault: a damaged file gets one warning per fault, not per entry.
#[derive(Debug, Default)]
pub(super) struct Tally {
    first: Option<usize>,
    count: usize,
}

impl Tally {
    /// Counts an entry; indices must ascend.
    pub(super) fn add(&mut self, index: usize) {
        self.first.get_or_insert(index);
        self.count += 1;
    }

    /// Adds a warning about `list`, if anything was counted.
    pub(super) fn tell(self, list: &str, report: &mut Report, message: &str) {
        let Some(first) = self.first else { return };
        let place = format!("{list}[{first}]");
        match self.count {
            1 => report.warn(place, message),
            count => report.warn(place, format!("{message} (and {} more like it)", count - 1)),
        }
    }
}
