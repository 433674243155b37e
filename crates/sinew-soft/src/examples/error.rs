//! What is wrong with examples, with what drives them, and with surfaces that they are taken from.

/// Why examples or their drivers do not fit a body, or a surface makes no example. Numbers of things count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ExampleError {
    /// A shape of another body. `found`: particles of the example. `expected`: particles of the body.
    #[error("example {example} has {found} particles, the body has {expected}")]
    ParticleCount { example: usize, found: usize, expected: usize },
    /// A place that is infinite or not a number.
    #[error("particle {particle} of example {example} is not finite")]
    NotFinite { example: usize, particle: usize },
    /// Not one group a region.
    #[error("expected {expected} group numbers, one per region, found {found}")]
    GroupCount { found: usize, expected: usize },
    /// A driver of a level that is not there, or has no examples.
    #[error("driver {driver}: level {level} of the body has no examples")]
    DriverLevel { driver: usize, level: usize },
    /// A driver of an example or group that is not there. `kind`: `"example"` or `"group"`.
    #[error("driver {driver}: {kind} {number} does not exist; there are {count}")]
    DriverTarget { driver: usize, kind: &'static str, number: usize, count: usize },
    /// A driver that looks at a particle or region that is not there. `kind`: `"particle"` or `"region"`.
    #[error("driver {driver}: {kind} {number} of its measure does not exist; there are {count}")]
    DriverMeasure { driver: usize, kind: &'static str, number: u32, count: usize },
    /// A driver's time that is negative or not a number.
    #[error("driver {driver}: rise {rise_secs} s and fall {fall_secs} s must be 0 or more")]
    DriverTime { driver: usize, rise_secs: f32, fall_secs: f32 },
    /// Not as many deformed vertices as anchored ones.
    #[error("the deformed surface has {posed} vertices, the one at rest has {rest}")]
    VertexCount { posed: usize, rest: usize },
    /// A vertex whose place is infinite or not a number. `which`: `"rest"` or `"deformed"`.
    #[error("vertex {vertex} of the {which} surface is not finite")]
    Vertex { which: &'static str, vertex: usize },
    /// A triangle of vertices that are not there.
    #[error("vertex {vertex} of triangle {triangle} does not exist; there are {count}")]
    Triangle { triangle: usize, vertex: u32, count: usize },
    /// No tetrahedron has a volume, or there is no vertex. `vertices`: of the surface. `tets`: with a volume.
    #[error("nothing to anchor: {vertices} vertices and {tets} tetrahedra with a volume")]
    NothingToAnchor { vertices: usize, tets: usize },
    /// The equations of a transfer were not solved. `residual`: what is left, as a share.
    #[error("the points did not converge, relative residual {residual:e}; use more smoothing")]
    NotSolved { residual: f64 },
}
