//! How long a large PMX file takes. The times are told; only a gross slowdown fails.

use sinew_io::{Limits, Report};
use sinew_mmd::pmx::{IndexSizes, Pmx, PmxHeader, PmxVertex, PmxWeight};
use std::time::{Duration, Instant};

/// Vertices on a side of the grid; with all kinds of weights and triangles it makes 100 MB.
const SIDE: u32 = 1140;
/// What a build for tests may take on a slow machine; a release build takes a tenth.
const MOST_TIME: Duration = Duration::from_secs(5);

fn large_pmx() -> Pmx {
    let weight = |vertex: u32| match vertex % 4 {
        0 => PmxWeight::Bdef1(1),
        1 => PmxWeight::Bdef2 { bones: [0, 1], weight: 0.25 },
        2 => PmxWeight::Bdef4 { bones: [0, 1, 2, -1], weights: [0.5, 0.25, 0.25, 0.0] },
        _ => PmxWeight::Sdef { bones: [0, 1], weight: 0.5, c: [1.0; 3], r0: [2.0; 3], r1: [3.0; 3] },
    };
    let vertices = (0..SIDE * SIDE).map(|vertex| PmxVertex {
        position: [(vertex % SIDE) as f32, (vertex / SIDE) as f32, 0.0],
        normal: [0.0, 0.0, -1.0],
        uv: [0.5; 2],
        weight: weight(vertex),
        edge_scale: 1.0,
    });
    let corners = (0..SIDE - 1).flat_map(|row| (0..SIDE - 1).map(move |column| row * SIDE + column));
    let faces = corners.flat_map(|c| [[c, c + SIDE, c + 1], [c + 1, c + SIDE, c + SIDE + 1]]);
    let mut pmx = Pmx { vertices: vertices.collect(), faces: faces.collect(), ..Pmx::default() };
    pmx.header = PmxHeader { index_sizes: IndexSizes::for_counts_of(&pmx), ..PmxHeader::default() };
    pmx
}

#[test]
fn a_hundred_megabytes_are_read_and_written_in_seconds() {
    let _alone = sinew_tests::alone();
    let pmx = large_pmx();
    let start = Instant::now();
    let bytes = pmx.write();
    let writing = start.elapsed();
    let megabytes = bytes.len() as f64 / 1e6;
    let start = Instant::now();
    let read = Pmx::read(&bytes, &Limits::default(), &mut Report::default()).expect("it is good");
    let reading = start.elapsed();
    eprintln!("{megabytes:.0} MB, {} vertices: read in {reading:.2?}, written in {writing:.2?}", SIDE * SIDE);
    assert!(read == pmx, "another model");
    assert!(reading < MOST_TIME && writing < MOST_TIME, "{reading:?}, {writing:?}");
}
