//! Triangles between two rows of vertices with different counts.

/// A vertex on a row: its parameter along the row and its index.
pub(super) type OnRow = (f64, u32);

/// Triangles between an outer row and an inner one, both ordered by their parameter; counter-clockwise if the inside is to the left
/// of the outer row. Triangles with a repeated vertex are left out.
pub(super) fn zip_rows(outer: &[OnRow], inner: &[OnRow], mut add: impl FnMut([u32; 3])) {
    let (mut i, mut j) = (0, 0);
    while i + 1 < outer.len() || j + 1 < inner.len() {
        // Advance the row whose next vertex comes first; the inner row waits half a step to keep quads square.
        let outer_next = outer.get(i + 1).map_or(f64::INFINITY, |next| 0.5 * (next.0 + outer[i].0));
        let inner_next = inner.get(j + 1).map_or(f64::INFINITY, |next| 0.5 * (next.0 + inner[j].0));
        let triangle = if outer_next <= inner_next {
            i += 1;
            [outer[i - 1].1, outer[i].1, inner[j].1]
        } else {
            j += 1;
            [outer[i].1, inner[j].1, inner[j - 1].1]
        };
        if triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0] {
            add(triangle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_count_are_joined() {
        let outer: Vec<OnRow> = (0..=8).map(|i| (f64::from(i) / 8.0, i as u32)).collect();
        let inner: Vec<OnRow> = (1..=3).map(|i| (f64::from(i) / 4.0, 100 + i as u32)).collect();
        let mut triangles = Vec::new();
        zip_rows(&outer, &inner, |triangle| triangles.push(triangle));
        assert_eq!(triangles.len(), 8 + 2);
        // A tip: the whole outer row is one vertex.
        let mut fan = Vec::new();
        zip_rows(&[(0.0, 7), (1.0, 7)], &inner, |triangle| fan.push(triangle));
        assert_eq!(fan.len(), 2);
    }
}
