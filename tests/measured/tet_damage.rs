//! Damaged files of tetrahedra never panic, hang or eat memory, and errors name a place.

use glam::Vec3;
use sinew_geometry::TetMesh;
use sinew_io::{
    Limits, Report, TetReadError, read_msh, read_tetgen, read_vtk, write_msh, write_tetgen, write_vtk,
};
use sinew_tests::{Prng, measure_peak};
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

/// The longest that a file may take.
const MOST_TIME: Duration = Duration::from_secs(1);
/// What a file may take of memory, times its size, and on top of that.
const MEMORY_PER_BYTE: usize = 64;
const MOST_MEMORY: usize = 1 << 20;
/// Damaged copies of each file.
const CASES: u64 = 1500;

type Read = fn(&[u8]) -> Result<TetMesh, TetReadError>;

fn files() -> Vec<(&'static str, Vec<u8>, Read)> {
    let mesh = TetMesh::lattice([2, 2, 3], Vec3::new(0.2, 0.3, 0.5));
    let tetgen = write_tetgen(&mesh);
    let pair = [tetgen.node.as_bytes(), b"\0", tetgen.ele.as_bytes()].concat();
    vec![
        ("TetGen", pair, |bytes| {
            let middle = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            let ele = bytes.get(middle + 1..).unwrap_or_default();
            read_tetgen(&bytes[..middle], ele, &Limits::default(), &mut Report::default())
        }),
        ("Gmsh 2.2", write_msh(&mesh).into_bytes(), |bytes| {
            read_msh(bytes, &Limits::default(), &mut Report::default())
        }),
        ("Gmsh 4.1", gmsh_four(&mesh).into_bytes(), |bytes| {
            read_msh(bytes, &Limits::default(), &mut Report::default())
        }),
        ("VTK", write_vtk(&mesh).into_bytes(), |bytes| {
            read_vtk(bytes, &Limits::default(), &mut Report::default())
        }),
        ("binary VTK", binary_vtk(&mesh), |bytes| {
            read_vtk(bytes, &Limits::default(), &mut Report::default())
        }),
    ]
}

fn gmsh_four(mesh: &TetMesh) -> String {
    let (points, tets) = (mesh.points().len(), mesh.tets().len());
    let mut text =
        format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {points} 1 {points}\n3 1 0 {points}\n");
    (1..=points).for_each(|number| text += &format!("{number}\n"));
    mesh.points().iter().for_each(|point| text += &format!("{} {} {}\n", point.x, point.y, point.z));
    text += &format!("$EndNodes\n$Elements\n1 {tets} 1 {tets}\n3 1 4 {tets}\n");
    for (index, tet) in mesh.tets().iter().enumerate() {
        let [a, b, c, d] = tet.map(|corner| corner + 1);
        text += &format!("{} {a} {b} {c} {d}\n", index + 1);
    }
    text + "$EndElements\n"
}

fn binary_vtk(mesh: &TetMesh) -> Vec<u8> {
    let count = mesh.tets().len();
    let mut bytes = format!(
        "# vtk DataFile Version 5.1\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
        mesh.points().len()
    )
    .into_bytes();
    let parts = mesh.points().iter().flat_map(|point| point.to_array());
    parts.for_each(|part| bytes.extend(f64::from(part).to_be_bytes()));
    bytes.extend(format!("\nCELLS {} {}\nOFFSETS vtktypeint64\n", count + 1, 4 * count).bytes());
    (0..=count as i64).for_each(|cell| bytes.extend((4 * cell).to_be_bytes()));
    bytes.extend(b"\nCONNECTIVITY vtktypeint64\n");
    mesh.tets().iter().flatten().for_each(|&corner| bytes.extend(i64::from(corner).to_be_bytes()));
    bytes.extend(format!("\nCELL_TYPES {count}\n").bytes());
    (0..count).for_each(|_| bytes.extend(10i32.to_be_bytes()));
    bytes
}

fn damaged(original: &[u8], random: &mut Prng) -> Vec<u8> {
    const WORDS: [&[u8]; 12] = [
        b"99999999999999999999",
        b"4294967296",
        b"-1",
        b"nan",
        b"1e999",
        b"",
        b"$Nodes",
        b"0",
        b"\xff\xfe",
        b"CELLS 1 1",
        b"18446744073709551615",
        b"2.5",
    ];
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            3 => {
                let end = (at + random.below(200)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            // A whole word becomes another.
            _ => {
                let is_space = |byte: &u8| byte.is_ascii_whitespace();
                let start = bytes[..at].iter().rposition(is_space).map_or(0, |space| space + 1);
                let end = bytes[at..].iter().position(is_space).map_or(bytes.len(), |space| at + space);
                bytes.splice(start..end, random.pick(&WORDS).iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn damaged_tetrahedra_are_read_or_refused_with_a_place() {
    let _alone = sinew_tests::alone();
    for (name, original, read) in files() {
        assert!(read(&original).is_ok(), "{name} is right before it is damaged");
        let mut random = Prng::new(7);
        let mut read_count = 0;
        for case in 0..CASES {
            let bytes = damaged(&original, &mut random);
            let start = Instant::now();
            let (result, peak) = measure_peak(|| catch_unwind(|| read(&bytes)));
            let result = result.unwrap_or_else(|_| panic!("{name} case {case} panics"));
            assert!(start.elapsed() < MOST_TIME, "{name} case {case} takes {:?}", start.elapsed());
            let most = MOST_MEMORY + MEMORY_PER_BYTE * bytes.len();
            assert!(peak < most, "{name} case {case} takes {peak} of {most} bytes");
            match result {
                Ok(mesh) => {
                    read_count += 1;
                    assert!(!mesh.tets().is_empty() && mesh.volume().is_finite(), "{name} case {case}");
                }
                Err(error) => {
                    let said = error.to_string();
                    assert!(
                        said.contains("line ") || said.contains("no valid tetrahedron"),
                        "{name} case {case}: {said}"
                    );
                }
            }
        }
        eprintln!("{name}: {CASES} cases, {read_count} read");
        assert!(read_count > CASES / 50 && read_count < CASES, "{name}: {read_count} read");
    }
}
