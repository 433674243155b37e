//! Numbers of any type behind one face.

/// A number that a settings struct holds.
pub trait Number {
    /// As `f64`.
    fn get(&self) -> f64;
    /// Takes a value; one that the type cannot hold becomes the nearest that it can.
    fn set(&mut self, value: f64);
    /// The shortest text that reads back to the same value.
    fn text(&self) -> String;
    /// Whether only whole numbers can be held.
    fn is_whole(&self) -> bool;
}

macro_rules! number {
    ($($type:ty: $is_whole:literal),*) => {$(
        impl Number for $type {
            fn get(&self) -> f64 {
                *self as f64
            }

            fn set(&mut self, value: f64) {
                *self = value as $type;
            }

            fn text(&self) -> String {
                self.to_string()
            }

            fn is_whole(&self) -> bool {
                $is_whole
            }
        }
    )*};
}

number!(f64: false, f32: false, u32: true, u64: true, usize: true);

/// Rows of numbers, all of one length.
pub trait Rows {
    /// Numbers of a row.
    fn width(&self) -> usize;
    /// All rows.
    fn rows(&self) -> Vec<Vec<&dyn Number>>;
    /// Takes rows in place of those that are there.
    ///
    /// # Panics
    /// If a row has another length.
    fn set_rows(&mut self, rows: &[Vec<f64>]);
}

/// One row.
impl<N: Number + Copy, const COUNT: usize> Rows for [N; COUNT] {
    fn width(&self) -> usize {
        COUNT
    }

    fn rows(&self) -> Vec<Vec<&dyn Number>> {
        vec![self.iter().map(|number| number as &dyn Number).collect()]
    }

    fn set_rows(&mut self, rows: &[Vec<f64>]) {
        assert!(rows.len() == 1 && rows[0].len() == COUNT, "one row of {COUNT} numbers");
        self.iter_mut().zip(&rows[0]).for_each(|(number, value)| number.set(*value));
    }
}

impl<N: Number + Copy + Default, const COUNT: usize> Rows for Vec<[N; COUNT]> {
    fn width(&self) -> usize {
        COUNT
    }

    fn rows(&self) -> Vec<Vec<&dyn Number>> {
        self.iter().flat_map(Rows::rows).collect()
    }

    fn set_rows(&mut self, rows: &[Vec<f64>]) {
        self.clear();
        for row in rows {
            let mut numbers = [N::default(); COUNT];
            numbers.set_rows(std::slice::from_ref(row));
            self.push(numbers);
        }
    }
}
