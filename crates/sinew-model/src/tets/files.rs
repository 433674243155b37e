//! Tetrahedra in files.

use crate::{OpenError, SaveError, extension_of, read_limited, write_file};
use sinew_geometry::TetMesh;
use sinew_io::{Limits, OutputSet, Report};
use std::path::{Path, PathBuf};

/// Whether a file holds tetrahedra, by its extension.
pub fn is_tet_file(path: &Path) -> bool {
    matches!(extension_of(path).as_str(), "node" | "ele" | "msh" | "vtk")
}

/// Reads tetrahedra: `.msh`, `.vtk`, or `.node` with the `.ele` beside it, either of which may be named.
///
/// # Errors
/// A file cannot be read, is damaged or claims more than `limits`.
pub fn read_tets(path: &Path, limits: &Limits, report: &mut Report) -> Result<TetMesh, OpenError> {
    let read = |path: &Path| {
        read_limited(path, limits.max_memory)
            .map_err(|source| OpenError::At { path: path.into(), source: source.into() })
    };
    match extension_of(path).as_str() {
        "node" | "ele" => {
            let [node, ele] = tetgen_pair(path);
            Ok(sinew_io::read_tetgen(&read(&node)?, &read(&ele)?, limits, report)?)
        }
        "msh" => Ok(sinew_io::read_msh(&read(path)?, limits, report)?),
        "vtk" => Ok(sinew_io::read_vtk(&read(path)?, limits, report)?),
        extension => Err(OpenError::UnknownTets { extension: format!(".{extension}") }),
    }
}

/// Writes tetrahedra in the format of the extension, whole or not at all; `.node` and `.ele` are written together.
///
/// # Errors
/// Nothing is written then, and what was there before stays.
pub fn save_tets(mesh: &TetMesh, path: &Path) -> Result<(), SaveError> {
    let text = match extension_of(path).as_str() {
        "node" | "ele" => {
            let [node, ele] = tetgen_pair(path);
            let text = sinew_io::write_tetgen(mesh);
            let mut output = OutputSet::new(&ele)?;
            output.main().write_bytes(text.ele.as_bytes())?;
            output.add_side(&node)?.write_bytes(text.node.as_bytes())?;
            return Ok(output.commit()?);
        }
        "msh" => sinew_io::write_msh(mesh),
        "vtk" => sinew_io::write_vtk(mesh),
        extension => return Err(SaveError::UnknownTets { extension: format!(".{extension}") }),
    };
    Ok(write_file(path, text.as_bytes())?)
}

fn tetgen_pair(path: &Path) -> [PathBuf; 2] {
    // The other file's extension is in the same case.
    let is_upper =
        path.extension().is_some_and(|extension| extension.to_string_lossy().starts_with(['N', 'E']));
    if is_upper { ["NODE", "ELE"] } else { ["node", "ele"] }.map(|extension| path.with_extension(extension))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn every_kind_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let mesh = TetMesh::lattice([2, 1, 3], Vec3::new(0.3, 0.2, 0.7));
        for name in ["a.node", "b.ele", "c.msh", "d.vtk", "E.NODE"] {
            let path = folder.path().join(name);
            save_tets(&mesh, &path).unwrap();
            let mut report = Report::default();
            assert_eq!(read_tets(&path, &Limits::default(), &mut report).unwrap(), mesh, "{name}");
        }
        assert!(folder.path().join("a.ele").exists() && folder.path().join("b.node").exists());
        let error = save_tets(&mesh, &folder.path().join("x.stl")).unwrap_err().to_string();
        assert_eq!(error, "\".stl\" is not a known kind of tetrahedra; known are .node, .ele, .msh and .vtk");
        std::fs::remove_file(folder.path().join("a.ele")).unwrap();
        let error =
            read_tets(&folder.path().join("a.node"), &Limits::default(), &mut Report::default()).unwrap_err();
        assert!(error.to_string().contains("a.ele"), "{error}");
    }
}
