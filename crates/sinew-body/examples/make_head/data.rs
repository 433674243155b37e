//! The source's files: bodies of one vertex order, the layout on them, and its regions.

use crate::npz;
use glam::DVec3;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// The layout as found on the mesh.
pub(crate) struct Source {
    /// Vertex of each node: left, middle, right.
    pub(crate) nodes: Vec<usize>,
    /// Mirror image of each node.
    node_pairs: Vec<usize>,
    pub(crate) edges: Vec<SourceEdge>,
    pub(crate) faces: Vec<Face>,
    /// Where vertices lie: vertex, face, part, u, w.
    pub(crate) places: Vec<(usize, usize, usize, f64, f64)>,
}

pub(crate) struct SourceEdge {
    pub(crate) ends: [usize; 2],
    pub(crate) pair: usize,
    pub(crate) line: String,
    pub(crate) ratio: Option<f64>,
}

pub(crate) struct Face {
    /// Signed edges from one.
    pub(crate) edges: Vec<i64>,
    pub(crate) group: String,
    pub(crate) is_hidden: bool,
}

impl Source {
    pub(crate) fn read(path: &str) -> Result<Source, Failure> {
        let json: Value = serde_json::from_slice(&std::fs::read(path)?)?;
        let whole = |value: &Value| value.as_u64().unwrap_or_default() as usize;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let nodes = list(&json["nodes"]);
        let edges = list(&json["edges"]).into_iter().map(|edge| SourceEdge {
            ends: [whole(&edge[0]), whole(&edge[1])],
            pair: whole(&edge[2]),
            line: text(&edge[3]),
            ratio: edge[5].as_f64(),
        });
        let faces = list(&json["faces"]).into_iter().map(|face| Face {
            edges: list(&face["edges"]).iter().filter_map(Value::as_i64).collect(),
            group: text(&face["group"]),
            is_hidden: face["hidden"].as_bool().unwrap_or_default(),
        });
        let places = &json["places"];
        let columns = ["vertex", "face", "part", "u", "w"].map(|name| list(&places[name]));
        let places = (0..columns[0].len()).map(|row| {
            let number = |column: usize| columns[column][row].as_f64().unwrap_or_default();
            (number(0) as usize, number(1) as usize, number(2) as usize, number(3), number(4))
        });
        Ok(Source {
            nodes: nodes.iter().map(|node| whole(&node[0])).collect(),
            node_pairs: nodes.iter().map(|node| whole(&node[1])).collect(),
            edges: edges.collect(),
            faces: faces.collect(),
            places: places.collect(),
        })
    }

    /// The face of the net for one of the source: the net has the collar's faces after those of the left half.
    pub(crate) fn net_face(&self, face: usize, net_faces: usize) -> usize {
        let half = self.faces.len() / 2;
        if face < half { face } else { face - half + net_faces / 2 }
    }

    /// Names the faces inside the ring of an ear's rim, which the layout has among the head's.
    pub(crate) fn name_hollows(&mut self, ears: &[usize]) {
        let ears: BTreeSet<usize> = ears.iter().copied().collect();
        for (index, face) in self.faces.iter_mut().enumerate().filter(|(_, face)| face.group == "head") {
            let own = || self.places.iter().filter(|place| place.1 == index);
            if 2 * own().filter(|place| ears.contains(&place.0)).count() > own().count() {
                face.group = "ear hollow".into();
            }
        }
    }

    /// Nodes of the left half and in the middle plane.
    pub(crate) fn node_counts(&self) -> (usize, usize) {
        let middle = (0..self.nodes.len()).filter(|&node| self.node_pairs[node] == node).count();
        ((self.nodes.len() - middle) / 2, middle)
    }

    pub(crate) fn middle_edges(&self) -> usize {
        (0..self.edges.len()).filter(|&edge| self.edges[edge].pair == edge).count()
    }

    /// Edges of the left half and in the middle plane.
    pub(crate) fn listed_edges(&self) -> usize {
        (self.edges.len() + self.middle_edges()) / 2
    }
}

/// Bodies of one vertex order.
pub(crate) struct Bodies {
    pub(crate) names: Vec<String>,
    /// In m.
    pub(crate) vertices: Vec<Vec<DVec3>>,
    pub(crate) is_test: Vec<bool>,
    pub(crate) hidden: Vec<bool>,
    pub(crate) mirror: Vec<usize>,
    /// Faces of the body's skin.
    pub(crate) quads: Vec<[u32; 4]>,
    /// Centers and radii of both eyes.
    pub(crate) eyes: Vec<[f64; 8]>,
}

impl Bodies {
    pub(crate) fn read(path: &str) -> Result<Bodies, Failure> {
        let arrays = npz::read(path)?;
        let array = |name: &str| arrays.get(name).ok_or_else(|| format!("{path} has no {name}"));
        let count = array("vertices")?.shape[1];
        let numbers = array("vertices")?.numbers();
        let vectors = |all: &[f64]| -> Vec<DVec3> { all.chunks_exact(3).map(DVec3::from_slice).collect() };
        let groups = array("face_group")?.numbers();
        let faces = array("faces")?.numbers();
        let quads = faces.chunks_exact(4).zip(&groups).filter(|(_, group)| **group == 0.0);
        Ok(Bodies {
            names: array("names")?.texts(),
            vertices: numbers.chunks_exact(3 * count).map(vectors).collect(),
            is_test: array("use")?.texts().iter().map(|word| word == "test").collect(),
            hidden: array("hidden")?.numbers().iter().map(|&is| is != 0.0).collect(),
            mirror: array("mirror")?.numbers().iter().map(|&at| at as usize).collect(),
            quads: quads.map(|(quad, _)| std::array::from_fn(|k| quad[k] as u32)).collect(),
            eyes: array("eyes")?
                .numbers()
                .chunks_exact(8)
                .map(|all| std::array::from_fn(|k| all[k]))
                .collect(),
        })
    }
}

impl Bodies {
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|found| found == name)
    }

    /// The mean of the bodies to fit, symmetric.
    pub(crate) fn average(&self) -> Vec<DVec3> {
        let kept = self.vertices.iter().zip(&self.is_test).filter(|(_, is_test)| !**is_test);
        let kept: Vec<&Vec<DVec3>> = kept.map(|(all, _)| all).collect();
        let mean: Vec<DVec3> = (0..self.mirror.len())
            .map(|at| kept.iter().map(|all| all[at]).sum::<DVec3>() / kept.len() as f64)
            .collect();
        let flip = DVec3::new(-1.0, 1.0, 1.0);
        mean.iter().zip(&self.mirror).map(|(at, &image)| 0.5 * (*at + flip * mean[image])).collect()
    }
}

/// Vertices by region, and rings of vertices by name.
pub(crate) struct Regions {
    pub(crate) regions: BTreeMap<String, Vec<usize>>,
    pub(crate) rings: BTreeMap<String, Vec<Vec<usize>>>,
}

impl Regions {
    pub(crate) fn read(path: &str) -> Result<Regions, Failure> {
        let json: Value = serde_json::from_slice(&std::fs::read(path)?)?;
        let list = |value: &Value| -> Vec<usize> {
            let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
            all.iter().filter_map(Value::as_u64).map(|at| at as usize).collect()
        };
        let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let regions = object(&json["regions"]).iter().map(|(name, all)| (name.clone(), list(all))).collect();
        let all_rings = object(&json["rings"]);
        let rings = all_rings.iter().map(|(name, all)| {
            let rings = all["rings"].as_array().map(Vec::as_slice).unwrap_or_default();
            (name.clone(), rings.iter().map(list).collect())
        });
        Ok(Regions { regions, rings: rings.collect() })
    }
}
