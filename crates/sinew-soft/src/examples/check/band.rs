//! Symmetric equations near the diagonal, factored once and solved often.
//!
//! Unknowns are renumbered from the rim inward, ring by ring, after \[Cuthill69\], so that neighbors have near numbers; the Cholesky
//! factor then has nothing outside the profile of the matrix.

use glam::DVec3;

/// A Cholesky factor by rows, each from its first entry to the diagonal.
pub(super) struct BandFactor {
    /// New number of each unknown.
    number: Vec<usize>,
    first: Vec<usize>,
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl BandFactor {
    /// Of a positive matrix, given by entries in any order; those of one place add up, and only one of each pair (i, j), (j, i) counts.
    /// `links`: for each unknown those that it shares an entry with.
    pub(super) fn new(links: &[Vec<u32>], entries: &[(u32, u32, f64)]) -> Self {
        let size = links.len();
        let number = numbered(links);
        let mut first: Vec<usize> = (0..size).collect();
        for (unknown, list) in links.iter().enumerate() {
            for &other in list {
                let (a, b) = (number[unknown], number[other as usize]);
                first[a.max(b)] = first[a.max(b)].min(a.min(b));
            }
        }
        let mut starts = vec![0; size + 1];
        for row in 0..size {
            starts[row + 1] = starts[row] + row + 1 - first[row];
        }
        let mut factor = Self { values: vec![0.0; starts[size]], number, first, starts };
        for &(row, column, value) in entries {
            let (a, b) = (factor.number[row as usize], factor.number[column as usize]);
            if b <= a {
                let place = factor.place(a, b);
                factor.values[place] += value;
            }
        }
        factor.factor();
        factor
    }

    fn place(&self, row: usize, column: usize) -> usize {
        self.starts[row] + column - self.first[row]
    }

    fn factor(&mut self) {
        for row in 0..self.first.len() {
            for column in self.first[row]..=row {
                let from = self.first[row].max(self.first[column]);
                let (a, b) = (self.place(row, from), self.place(column, from));
                let length = column - from;
                let (left, right) = (&self.values[a..a + length], &self.values[b..b + length]);
                let sum: f64 = left.iter().zip(right).map(|(a, b)| a * b).sum();
                let place = self.place(row, column);
                let rest = self.values[place] - sum;
                self.values[place] = if row == column {
                    // Positive but for rounding: the matrix has a diagonal of its own.
                    rest.max(1e-300).sqrt()
                } else {
                    rest / self.values[self.place(column, column)]
                };
            }
        }
    }

    pub(super) fn solve(&self, right: &[DVec3]) -> Vec<DVec3> {
        let size = right.len();
        let mut solution = vec![DVec3::ZERO; size];
        right.iter().zip(&self.number).for_each(|(value, &number)| solution[number] = *value);
        for row in 0..size {
            let of_row = &self.values[self.starts[row]..self.starts[row + 1]];
            let (before, own) = (&of_row[..of_row.len() - 1], of_row[of_row.len() - 1]);
            let known = &solution[self.first[row]..row];
            let sum: DVec3 = before.iter().zip(known).map(|(value, known)| *known * *value).sum();
            solution[row] = (solution[row] - sum) / own;
        }
        for row in (0..size).rev() {
            let of_row = &self.values[self.starts[row]..self.starts[row + 1]];
            let found = solution[row] / of_row[of_row.len() - 1];
            solution[row] = found;
            let known = &mut solution[self.first[row]..row];
            known.iter_mut().zip(of_row).for_each(|(known, value)| *known -= found * *value);
        }
        self.number.iter().map(|&number| solution[number]).collect()
    }
}

/// New numbers: ring after ring from an end of each part, fewest links first.
fn numbered(links: &[Vec<u32>]) -> Vec<usize> {
    let mut number = vec![usize::MAX; links.len()];
    let mut next = 0;
    for seed in 0..links.len() {
        if number[seed] != usize::MAX {
            continue;
        }
        // The last of the rings round anything is an end.
        let end = rings(links, seed, &number).last().copied().unwrap_or(seed);
        for unknown in rings(links, end, &number) {
            number[unknown] = next;
            next += 1;
        }
    }
    number
}

/// All that hangs together with a seed and has no number yet, ring after ring.
fn rings(links: &[Vec<u32>], seed: usize, number: &[usize]) -> Vec<usize> {
    let mut is_listed = vec![false; links.len()];
    let mut list = vec![seed];
    is_listed[seed] = true;
    let mut at = 0;
    while at < list.len() {
        let mut ring: Vec<usize> = Vec::new();
        for &other in &links[list[at]] {
            let other = other as usize;
            if !std::mem::replace(&mut is_listed[other], true) && number[other] == usize::MAX {
                ring.push(other);
            }
        }
        ring.sort_by_key(|&other| (links[other].len(), other));
        list.extend(ring);
        at += 1;
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_of_scattered_unknowns_are_solved() {
        // Springs between near numbers, scrambled, with a diagonal of their own.
        let size = 60u32;
        let name = |at: u32| at * 37 % size;
        let mut links = vec![Vec::new(); size as usize];
        let mut entries = Vec::new();
        for at in 0..size {
            entries.push((name(at), name(at), 0.1));
            for far in 1..4 {
                if at + far < size {
                    let (a, b) = (name(at), name(at + far));
                    entries.extend([(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)]);
                    links[a as usize].push(b);
                    links[b as usize].push(a);
                }
            }
        }
        let expected: Vec<DVec3> =
            (0..size).map(|at| DVec3::new(f64::from(at), f64::from(at).sin(), 1.0)).collect();
        let mut right = vec![DVec3::ZERO; size as usize];
        entries.iter().for_each(|&(a, b, value)| right[a as usize] += expected[b as usize] * value);
        let factor = BandFactor::new(&links, &entries);
        assert!(factor.values.len() < 60 * 8, "{}", factor.values.len());
        for (found, expected) in factor.solve(&right).iter().zip(&expected) {
            assert!(found.distance(*expected) < 1e-9, "{found} {expected}");
        }
    }
}
