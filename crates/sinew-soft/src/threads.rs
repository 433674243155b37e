//! Work on parts of lists, on all threads of the current pool.

/// Something that can be cut in two.
pub(crate) trait Split: Sized + Send {
    /// How many entries it has.
    fn count(&self) -> usize;
    /// The first `count` entries, and the others.
    fn cut(self, count: usize) -> (Self, Self);
}

impl<T: Send> Split for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }
}

/// A list with several places an entry.
pub(crate) struct Strided<'a, T> {
    pub(crate) list: &'a mut [T],
    /// Places an entry; at least 1.
    pub(crate) stride: usize,
}

impl<T: Send> Split for Strided<'_, T> {
    fn count(&self) -> usize {
        self.list.len() / self.stride
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let (first, second) = self.list.split_at_mut(count * self.stride);
        (Self { list: first, stride: self.stride }, Self { list: second, stride: self.stride })
    }
}

/// A list that may be empty where others are not.
pub(crate) struct IfAny<'a, T>(pub(crate) &'a mut [T]);

impl<T: Send> Split for IfAny<'_, T> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let (first, second) = self.0.split_at_mut(count.min(self.0.len()));
        (Self(first), Self(second))
    }
}

/// Lists of the same number of entries, of which the first is asked for it.
impl<A: Split, B: Split> Split for (A, B) {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn cut(self, count: usize) -> (Self, Self) {
        let ((a, c), (b, d)) = (self.0.cut(count), self.1.cut(count));
        ((a, b), (c, d))
    }
}

/// Does the work on parts of `size` entries, told by the number of the first. Parts do not depend on the number of threads.
pub(crate) fn in_parts<T: Split>(entries: T, size: usize, work: impl Fn(usize, T) + Sync) {
    halve(0, entries, size, &work);
}

/// Does the work on a thread of the current pool.
pub(crate) fn in_pool(work: impl FnOnce() + Send) {
    #[cfg(feature = "parallel")]
    rayon::join(work, || ());
    #[cfg(not(feature = "parallel"))]
    work();
}

fn halve<T: Split>(first: usize, entries: T, size: usize, work: &(impl Fn(usize, T) + Sync)) {
    let part_count = entries.count().div_ceil(size);
    if part_count <= 1 {
        if part_count == 1 {
            work(first, entries);
        }
        return;
    }
    let middle = part_count / 2 * size;
    let (before, after) = entries.cut(middle);
    let (before, after) =
        (move || halve(first, before, size, work), move || halve(first + middle, after, size, work));
    #[cfg(feature = "parallel")]
    // Few parts are done before another thread has woken.
    if part_count >= FEW_PARTS {
        rayon::join(before, after);
        return;
    }
    before();
    after();
}

/// As many parts are worth another thread.
#[cfg(feature = "parallel")]
const FEW_PARTS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_worked_on_once() {
        for count in [0, 1, 7, 8, 9, 100] {
            let (mut list, mut double) = (vec![0; count], vec![0; 2 * count]);
            in_parts(
                (&mut list[..], Strided { list: &mut double, stride: 2 }),
                8,
                |first, (list, double)| {
                    assert!(list.len() <= 8 && double.list.len() == 2 * list.len());
                    for (at, entry) in list.iter_mut().enumerate() {
                        *entry += first + at + 1;
                        double.list[2 * at + 1] += first + at;
                    }
                },
            );
            assert_eq!(list, (1..=count).collect::<Vec<_>>());
            assert_eq!(double.iter().sum::<usize>(), list.iter().map(|entry| entry - 1).sum());
        }
    }
}
