//! A mass on a damped spring whose other end is carried about: what lags, swings and comes to rest.
//!
//! With p the place that the spring is fixed to and o the mass's offset from it, `o″ = −ω² o − 2ζω o′ − p″`, ω = 2πf. Only places are asked for, never
//! accelerations: between two frames p goes straight on, so that p″ is a jump of its speed at each frame, and o is known exactly from frame to frame
//! whatever their distance. Nothing can explode.

use glam::{DQuat, DVec3};

/// The spring. Plain data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Undamped swings per second, f; above 0.
    pub frequency_hz: f64,
    /// ζ; above 0, from 1 on nothing swings.
    pub damping: f64,
    /// The pull that it comes near to and never exceeds, m/s²; above 0.
    pub limit: f64,
}

/// State of the mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringState {
    place: DVec3,
    /// Velocity of the place since the previous frame; unknown in the first frame.
    velocity: Option<DVec3>,
    offset: DVec3,
    offset_velocity: DVec3,
}

/// The mass stays within the distance that pulls this many times the limit: it returns soon after a jump of the whole character.
const MOST_LIMITS: f64 = 20.0;

impl SpringState {
    /// At rest on its place, which may be moving.
    pub fn at_rest(place: DVec3) -> Self {
        Self { place, velocity: None, offset: DVec3::ZERO, offset_velocity: DVec3::ZERO }
    }

    /// Goes on from another place with the same speed: the end of a round is the beginning of the next.
    pub fn go_on_from(&mut self, place: DVec3) {
        self.place = place;
    }
}

impl Spring {
    /// Whether all numbers are finite and above 0.
    pub fn is_valid(&self) -> bool {
        [self.frequency_hz, self.damping, self.limit].iter().all(|number| number.is_finite() && *number > 0.0)
    }

    /// Some time later, above 0, when the spring is fixed to `place`.
    pub fn step(&self, state: &mut SpringState, place: DVec3, seconds: f64) {
        let velocity = (place - state.place) / seconds;
        state.offset_velocity -= velocity - state.velocity.unwrap_or(velocity);
        (state.place, state.velocity) = (place, Some(velocity));

        let omega = std::f64::consts::TAU * self.frequency_hz;
        let decay = self.damping * omega;
        let (cosine, sine) = waves(omega * omega - decay * decay, seconds);
        let fade = (-decay * seconds).exp();
        let (offset, speed) = (state.offset, state.offset_velocity);
        state.offset = (offset * (cosine + decay * sine) + speed * sine) * fade;
        state.offset_velocity = (speed * (cosine - decay * sine) - offset * (omega * omega * sine)) * fade;

        let most = MOST_LIMITS * self.limit / (omega * omega);
        let length = state.offset.length();
        if length > most {
            state.offset *= most / length;
            state.offset_velocity *= most / length;
        }
    }

    /// What the mass pulls with, m/s², in axes that are turned by `rotation`: `e / √(1 + |e|²/limit²)` with `e = ω² o`, because flesh gives way less the
    /// farther it has gone.
    pub fn pull(&self, state: &SpringState, rotation: DQuat) -> DVec3 {
        let omega = std::f64::consts::TAU * self.frequency_hz;
        let free = state.offset * (omega * omega);
        rotation.conjugate() * (free / (1.0 + free.length_squared() / (self.limit * self.limit)).sqrt())
    }
}

/// cos(√s t) and sin(√s t)/√s, which are cosh and sinh for s below 0, and go over into each other.
fn waves(square: f64, seconds: f64) -> (f64, f64) {
    let argument = square * seconds * seconds;
    if argument.abs() < 1e-8 {
        (1.0 - 0.5 * argument, seconds * (1.0 - argument / 6.0))
    } else if square > 0.0 {
        let root = square.sqrt();
        ((root * seconds).cos(), (root * seconds).sin() / root)
    } else {
        let root = (-square).sqrt();
        ((root * seconds).cosh(), (root * seconds).sinh() / root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOFT: Spring = Spring { frequency_hz: 3.0, damping: 0.3, limit: 1e9 };

    fn pull(spring: &Spring, state: &SpringState) -> DVec3 {
        spring.pull(state, DQuat::IDENTITY)
    }

    #[test]
    fn under_even_acceleration_it_settles_against_it() {
        for damping in [0.2, 1.0, 3.0] {
            let spring = Spring { damping, ..SOFT };
            let mut state = SpringState::at_rest(DVec3::ZERO);
            for frame in 1..1000 {
                let time = f64::from(frame) / 60.0;
                spring.step(&mut state, DVec3::new(0.0, 2.0 * time * time, 0.0), 1.0 / 60.0);
            }
            // p″ = 4: jumps once a frame keep it at 4 in the mean.
            assert!(pull(&spring, &state).distance(DVec3::NEG_Y * 4.0) < 0.25, "{damping}: {state:?}");
        }
    }

    #[test]
    fn it_comes_to_rest_and_does_not_feel_even_motion() {
        let mut state = SpringState::at_rest(DVec3::ZERO);
        for frame in 1..600 {
            SOFT.step(&mut state, DVec3::X * f64::from(frame.min(300)) * 0.1, 1.0 / 60.0);
            if frame == 299 {
                assert!(pull(&SOFT, &state).length() < 1e-9, "{state:?}");
            }
        }
        assert!(pull(&SOFT, &state).length() < 1e-6, "{state:?}");
    }

    #[test]
    fn frames_of_any_distance_show_the_same_motion() {
        let place = |time: f64| DVec3::new((5.0 * time).sin(), 0.0, (8.0 * time).cos()) * 0.1;
        let played = |fps: f64| {
            let mut state = SpringState::at_rest(place(0.0));
            for frame in 1..=(2.0 * fps) as i32 {
                SOFT.step(&mut state, place(f64::from(frame) / fps), 1.0 / fps);
            }
            pull(&SOFT, &state)
        };
        let exact = played(1920.0);
        assert!(played(60.0).distance(exact) < 0.1 * exact.length(), "{} {exact}", played(60.0));
        assert!(played(240.0).distance(exact) < 0.03 * exact.length(), "{} {exact}", played(240.0));
    }

    #[test]
    fn a_jump_stays_below_the_limit_and_is_forgotten() {
        let spring = Spring { limit: 8.0, ..SOFT };
        let mut state = SpringState::at_rest(DVec3::ZERO);
        spring.step(&mut state, DVec3::ZERO, 1.0 / 60.0);
        for frame in 0..180 {
            spring.step(&mut state, DVec3::X * 1e4, 1.0 / 60.0);
            assert!(pull(&spring, &state).length() <= 8.0, "frame {frame}");
        }
        assert!(pull(&spring, &state).length() < 0.2, "{state:?}");
    }

    #[test]
    fn axes_are_those_of_the_frame() {
        let mut state = SpringState::at_rest(DVec3::ZERO);
        state.offset = DVec3::Y;
        let turned = SOFT.pull(&state, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
        assert!(turned.x > 0.0 && turned.y.abs() < 1e-6 * turned.x, "{turned}");
    }
}
