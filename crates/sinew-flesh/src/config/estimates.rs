//! What moduli and damping look like: how fast flesh rings and how soon it is still.
//!
//! Soft flesh between bone and air is a slab that is held below and free above; what is seen is its lowest shear mode. With the energy of a region,
//! ½ (E/ρ) m |F − R|², a small shear γ has |F − R|² = γ²/2, so that G = E/2 (as for Poisson's ratio 0), and
//!
//! - shear waves run at `v = √(E / 2ρ)`;
//! - a quarter of a wave fits into the thickness t: `f = v / 4t`;
//! - the sag under gravity is `g t² / 2v²`;
//! - damping at the rate d fades a swing as `e^(−d t/2)`.

/// Density of flesh, kg/m³.
pub const DENSITY_KG_PER_M3: f64 = 1000.0;

/// Speed of shear waves in flesh of a Young's modulus, m/s.
pub fn shear_speed_m_per_sec(young_pa: f64) -> f64 {
    (young_pa / (2.0 * DENSITY_KG_PER_M3)).sqrt()
}

/// How often a second flesh of this thickness swings.
///
/// ```
/// let hz = sinew_flesh::config::ring_hz(1200.0, 0.05);
/// assert!((hz - 3.87).abs() < 0.01);
/// ```
pub fn ring_hz(young_pa: f64, thickness_m: f64) -> f64 {
    shear_speed_m_per_sec(young_pa) / (4.0 * thickness_m)
}

/// After how long a swing is down to a twentieth.
pub fn settle_secs(damping_per_sec: f64) -> f64 {
    2.0 * 20.0_f64.ln() / damping_per_sec
}

/// How far the skin over flesh of this thickness sags under its full weight, meters.
pub fn sag_m(young_pa: f64, thickness_m: f64) -> f64 {
    let speed = shear_speed_m_per_sec(young_pa);
    9.81 * thickness_m * thickness_m / (2.0 * speed * speed)
}
