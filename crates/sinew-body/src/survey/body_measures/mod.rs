//! The numbers that a body is built from: joints, rings, hands, and the levels of the tape.
//!
//! A template of the average man is scaled part by part, each number with its most informative measure. The template has the survey's means
//! where it measured, the hip joints of anatomy (0.0875 m from the middle; half of the breadth over the hips would be twice that), hands by
//! \[Buryanov10\], segment fractions in the manner of \[Drillis66\], and estimates for the rest. The average man of the survey has the
//! template's numbers by construction; the rules below state the exceptions.
//!
//! "Like *m*" means: in proportion to the measure *m*, and at the template's value for the average man. Axes: +Y up, +Z forward, +X the
//! figure's left; the right side mirrors the left. The legs are 4° apart and the arms hang 45° down. Heights are those of a person who stands
//! straight: spreading the legs by 4° would lower them by a quarter of a percent.
//!
//! # Joints ([`Joints`])
//! | joint | height | sideways | forward |
//! |---|---|---|---|
//! | crown | stature | 0 | 0.005 like head length |
//! | head | below the crown, 0.1010 like tragion to crown | 0 | 0.018 like head length |
//! | skull base | 0.58 of the way from neck base to ear hole | 0 | 0.008 like head length |
//! | neck base | 0.40 of the way from the notch of the breastbone to the nape | 0 | −0.012 like chest depth |
//! | chest | 0.67 of the way from the tenth rib to the nipples | 0 | 0 |
//! | waist | navel | 0 | 0 |
//! | pelvis | 0.29 of the way from hip to waist | 0 | 0 |
//! | clavicle | notch of the breastbone (1.4 mm below the template) | 0.020 like biacromial breadth | 0.020 like chest depth |
//! | shoulder | below the acromion, 0.0457 like upper arm length | 0.180 like biacromial breadth | as neck base |
//! | elbow | 0.300 from the shoulder like upper arm length, 45° down | | as neck base |
//! | wrist | 0.262 from the elbow like forearm length, 45° down | | as neck base |
//! | hip | 0.920 like the mean of trochanterion and crotch height | 0.0875 like hip breadth | 0 |
//! | crotch | crotch height (the template's seam point is at 0.790, 5.6 cm lower than people's) | 0 | −0.005 like buttock depth |
//! | knee | 0.490 like knee height | 4° out from the hip | 0.005 like knee height |
//! | ankle | 0.090 like malleolus height | 2.4° out from the knee | −0.020 like foot length |
//! | heel | 0.010 like malleolus height | as ankle | 0.016 like foot length before the heel's back |
//! | ball | 0.028 like ball girth | ankle + 0.010 like foot breadth | heel's back + ball length |
//! | toe tip | 0.022 like ball girth | ankle + 0.012 like foot breadth | heel's back + foot length (5 mm beyond the template, whose foot is short) |
//!
//! The heel's back is 0.0609 like foot length behind the ankle.
//!
//! # Rings ([`Rings`]) and sections between joints ([`MidSections`])
//! Axes have the template's ratio; that of head, lower chest and waist changes with the breadth over the depth measured there.
//! | section | girth |
//! |---|---|
//! | neck base, neck, head, waist, wrist, ankle | as measured |
//! | skull base | 0.400 like neck girth |
//! | lower chest | 1.045 like chest girth; the survey has no girth under the breasts, so a woman's is too wide there |
//! | abdomen | waist, 1.5 % less deep |
//! | arm root, upper arm | 0.375 and 0.336 (relaxed) like biceps girth |
//! | elbow | 0.275 like the mean of biceps and forearm girth; an estimate |
//! | forearm | 0.266 like forearm girth |
//! | thigh root (oblique) | 0.691 like thigh girth |
//! | thigh | 0.550 like the mean of thigh and lower thigh girth |
//! | knee | 0.385 like the mean of lower thigh and calf girth; an estimate |
//! | shank | 0.387 like calf girth |
//! | heel | 0.327 like heel-ankle girth |
//! | ball | 0.240 like ball girth |
//!
//! Centers of rings are joints but for these: arm root, 0.24 of the way from shoulder to elbow; thigh root, 0.835 high like crotch
//! height, and 0.103 from the middle like hip breadth; ankle, 0.110 high like malleolus height; heel, between ankle and sole.
//!
//! # Hands ([`Hand`]) and tapes ([`TapeLevels`])
//! Finger roots lie like palm length along the hand, like hand breadth across it and like hand girth above it. Phalanges are like the
//! hand's length without the palm; girths of fingers like hand girth. The middle finger then ends 3 mm beyond the average man's hand
//! length, because the wrist joint lies before the wrist's crease. Tapes are as measured, at the heights where they are measured.

mod hand;
mod joints;
mod proportion;
mod rings;
mod tapes;

pub use hand::{Finger, Hand};
pub use joints::Joints;
pub use rings::{MidSections, Ring, Rings, Section};
pub(crate) use tapes::thigh_tape_height;
pub use tapes::{Tape, TapeLevels};

use super::complete::Completed;
use proportion::Proportion;

/// All numbers that a body is built from, m, by the rules in the [module's text](self).
#[derive(Clone, Debug, PartialEq)]
pub struct BodyMeasures {
    /// The stick figure in its rest pose.
    pub joints: Joints,
    /// Sections through joints and ends.
    pub rings: Rings,
    /// Sections half-way between joints.
    pub mid_sections: MidSections,
    /// The left hand.
    pub hand: Hand,
    /// Required tape readings of the finished body.
    pub tapes: TapeLevels,
}

impl BodyMeasures {
    /// The numbers for a completed set of measures.
    #[must_use]
    pub fn new(completed: &Completed) -> Self {
        let body = Proportion::of(completed);
        let joints = Joints::new(&body);
        Self {
            rings: Rings::new(&body, &joints),
            mid_sections: MidSections::new(&body),
            hand: Hand::new(&body),
            tapes: TapeLevels::new(&body),
            joints,
        }
    }
}
