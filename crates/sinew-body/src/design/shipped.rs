//! The default designs.

use super::Design;

impl Design {
    /// The default man, for [`Template::human`](crate::Template::human), fitted to MakeHuman's average young man (CC0).
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn man() -> Self {
        Design::parse(include_str!("../../designs/man.toml")).expect("the man is tested")
    }

    /// The default woman, fitted to MakeHuman's average young woman (CC0).
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn woman() -> Self {
        Design::parse(include_str!("../../designs/woman.toml")).expect("the woman is tested")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Template, build};

    #[test]
    fn man_and_woman_are_closed_and_smooth() {
        for (design, least_m, most_m) in [(Design::man(), 1.70, 1.76), (Design::woman(), 1.56, 1.62)] {
            let body = build(&Template::human(), &design).unwrap();
            crate::testing::assert_smooth_and_closed(&body, 9);
            assert!((least_m..most_m).contains(&body.stature()), "{}", body.stature());
        }
    }
}
