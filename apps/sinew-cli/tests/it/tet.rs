//! `sinew tet`.

use crate::bench::Bench;
use serde_json::Value;

#[test]
fn a_limb_is_filled_in_every_format() {
    let bench = Bench::with_rows(24);
    let told = bench.works(&["tet", "limb.glb", "--count", "600", "-o", "limb.msh", "--json", "-q"]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let number =
        |path: &str| told.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path}: {told}"));
    assert!((number("/mesh/tets") / 600.0 - 1.0).abs() < 0.1, "{told}");
    assert_eq!(number("/mesh/components"), 1.0);
    assert!(number("/mesh/worst_quality") > 0.9);
    assert!(number("/mesh/volume") > number("/cover/surface_volume"));
    assert_eq!(number("/cover/loose_vertices"), 0.0);
    assert!(number("/cover/embedding_error") < 1e-6);

    for (from, to) in [("limb.msh", "a.vtk"), ("a.vtk", "b.node"), ("b.ele", "c.msh")] {
        let said = bench.works(&["tet", from, "-o", to, "-q"]);
        assert!(said.contains("components: 1"), "{said}");
    }
    let read = |name: &str| std::fs::read(bench.path(name)).expect("written");
    assert_eq!(read("c.msh"), read("limb.msh"), "through three formats and back");
    bench.works(&["tet", "limb.glb", "--size", "0.08", "-o", "limb.png", "-q"]);
    assert!(read("limb.png").starts_with(b"\x89PNG"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let bench = Bench::new();
    bench.fails(&["tet", "limb.glb", "-o", "limb.stl"], 1, "known are .node, .ele, .msh, .vtk and .png");
    bench.fails(&["tet", "limb.glb", "--size", "-1", "-o", "x.msh"], 2, "use a length above 0");
    bench.fails(&["tet", "limb.glb", "--size", "1", "--count", "9", "-o", "x.msh"], 2, "cannot be used with");
    bench.fails(&["tet", "limb.glb", "--count", "0", "-o", "x.msh"], 1, "0 tetrahedra are out of range");
    bench.fails(&["tet", "limb.glb", "--size", "1e-5", "-o", "x.msh"], 1, "too small for the surface");
    bench.fails(&["tet", "limb.glb", "-o", "nowhere/x.msh"], 1, "does not exist; create it first");
    bench.fails(&["tet", "none.msh", "-o", "x.vtk"], 1, "none.msh");
    bench.write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    bench.fails(&["tet", "points.obj", "-o", "x.msh"], 1, "the surface has no triangles (3 vertices)");
    bench.write("bad.msh", "$MeshFormat\n2.2 1 8\n");
    bench.fails(&["tet", "bad.msh", "-o", "x.vtk"], 1, "bad.msh: line 2: the file is binary");
    bench.write("cut.node", "4 3 0 0\n1 0 0");
    bench.write("cut.ele", "0 4 0\n");
    bench.fails(&["tet", "cut.node", "-o", "x.vtk"], 1, ".node line 1: the file declares 4 points");
    bench.write("one.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n");
    bench.fails(&["tet", "one.msh", "--size", "1", "-o", "x.vtk"], 1, "its tetrahedra are given");
}
