//! What is wrong with examples, with what drives them, and with surfaces that they are taken from.

/// Why examples or their drivers do not fit a body, or a surface makes no example.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// A shape of another body.
    #[error("example {example} has {found} particles, the body has {expected}")]
    ParticleCount {
        /// From 0.
        example: usize,
        /// Particles of the example.
        found: usize,
        /// Particles of the body.
        expected: usize,
    },
    /// A place that is infinite or not a number.
    #[error("particle {particle} of example {example} is not finite")]
    NotFinite {
        /// From 0.
        example: usize,
        /// From 0.
        particle: usize,
    },
    /// Not one group a region.
    #[error("expected {expected} group numbers, one per region, found {found}")]
    GroupCount {
        /// Numbers.
        found: usize,
        /// Regions.
        expected: usize,
    },
    /// A driver of a level that is not there, or has no examples.
    #[error("driver {driver}: level {level} of the body has no examples")]
    DriverLevel {
        /// From 0.
        driver: usize,
        /// From 0.
        level: usize,
    },
    /// A driver of an example or group that is not there.
    #[error("driver {driver}: {kind} {number} does not exist; there are {count}")]
    DriverTarget {
        /// From 0.
        driver: usize,
        /// `"example"` or `"group"`.
        kind: &'static str,
        /// From 0.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A driver that looks at a particle or region that is not there.
    #[error("driver {driver}: {kind} {number} of its measure does not exist; there are {count}")]
    DriverMeasure {
        /// From 0.
        driver: usize,
        /// `"particle"` or `"region"`.
        kind: &'static str,
        /// From 0.
        number: u32,
        /// How many there are.
        count: usize,
    },
    /// A driver's time that is negative or not a number.
    #[error("driver {driver}: rise {rise_secs} s and fall {fall_secs} s must be 0 or more")]
    DriverTime {
        /// From 0.
        driver: usize,
        /// As given.
        rise_secs: f32,
        /// As given.
        fall_secs: f32,
    },
    /// Not as many deformed vertices as anchored ones.
    #[error("the deformed surface has {posed} vertices, the one at rest has {rest}")]
    VertexCount {
        /// Deformed.
        posed: usize,
        /// At rest.
        rest: usize,
    },
    /// A vertex whose place is infinite or not a number.
    #[error("vertex {vertex} of the {which} surface is not finite")]
    Vertex {
        /// `"rest"` or `"deformed"`.
        which: &'static str,
        /// From 0.
        vertex: usize,
    },
    /// A triangle of vertices that are not there.
    #[error("vertex {vertex} of triangle {triangle} does not exist; there are {count}")]
    Triangle {
        /// From 0.
        triangle: usize,
        /// From 0.
        vertex: u32,
        /// How many there are.
        count: usize,
    },
    /// No tetrahedron has a volume, or there is no vertex.
    #[error("nothing to anchor: {vertices} vertices and {tets} tetrahedra with a volume")]
    NothingToAnchor {
        /// Of the surface.
        vertices: usize,
        /// With a volume.
        tets: usize,
    },
    /// The equations of a transfer were not solved.
    #[error("the points did not converge, relative residual {residual:e}; use more smoothing")]
    NotSolved {
        /// What is left, as a share.
        residual: f64,
    },
}
