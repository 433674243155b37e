//! Joins clusters of a tetrahedron that see each other through the inside.
//!
//! Samples a quarter of an edge apart cannot know that the two sides of a thin sheet belong together, nor which samples a piece of the
//! surface bounds. So from each cluster straight ways are tried to its nearest neighbors.

use super::clusters::Local;
use super::lattice::SAMPLE_COUNT;
use std::collections::BTreeMap;

/// A cluster is seen through so many of its nodes, spread over it.
const MOST_ENDS: usize = 24;
/// From a node the nearest clusters are tried, so many; with one, the walls of a comb of thin plates whose gaps are narrower than
/// its plates would not be joined.
const NEAREST: usize = 4;
/// Two clusters that so many ways did not join are apart.
const MOST_TRIES: u8 = 16;

pub(super) fn connect(local: &mut Local<'_>) {
    let clusters = clusters_of(local);
    if clusters.len() < 2 {
        return;
    }
    let mut tries: BTreeMap<(usize, usize), u8> = BTreeMap::new();
    for way in ways(local, &clusters) {
        if local.sets.root(way.from) == local.sets.root(way.to) {
            continue;
        }
        let tried = tries.entry(way.clusters).or_default();
        if *tried < MOST_TRIES {
            *tried += 1;
            if local.sees(way.from, way.to) {
                local.sets.unite(way.from, way.to);
            }
        }
    }
}

/// A straight way between nodes of two clusters.
struct Way {
    length_squared: f64,
    from: u32,
    to: u32,
    clusters: (usize, usize),
}

/// Nodes of each cluster, at most [`MOST_ENDS`].
fn clusters_of(local: &mut Local<'_>) -> Vec<Vec<u32>> {
    let nodes: Vec<u32> = local.nodes().collect();
    let mut cluster_of_root = vec![usize::MAX; SAMPLE_COUNT + local.pieces.len()];
    let mut clusters: Vec<Vec<u32>> = Vec::new();
    for node in nodes {
        let cluster = &mut cluster_of_root[local.sets.root(node) as usize];
        if *cluster == usize::MAX {
            *cluster = clusters.len();
            clusters.push(Vec::new());
        }
        clusters[*cluster].push(node);
    }
    for cluster in &mut clusters {
        let count = cluster.len();
        if count > MOST_ENDS {
            *cluster = (0..MOST_ENDS).map(|end| cluster[end * count / MOST_ENDS]).collect();
        }
    }
    clusters
}

/// Ways from every node to the nearest clusters, the shortest first.
fn ways(local: &Local<'_>, clusters: &[Vec<u32>]) -> Vec<Way> {
    let placed: Vec<Vec<_>> =
        clusters.iter().map(|nodes| nodes.iter().map(|&node| (node, local.place(node))).collect()).collect();
    let mut ways = Vec::new();
    for (cluster, nodes) in placed.iter().enumerate() {
        for &(from, place) in nodes {
            let others = placed.iter().enumerate().filter(|(other, _)| *other != cluster);
            let nearest = others.filter_map(|(other, ends)| {
                let lengths = ends.iter().map(|&(to, end)| (place.distance_squared(end), to));
                let (length_squared, to) = lengths.min_by(|a, b| a.0.total_cmp(&b.0))?;
                Some(Way { length_squared, from, to, clusters: (cluster.min(other), cluster.max(other)) })
            });
            let mut nearest: Vec<Way> = nearest.collect();
            nearest.sort_by(|a, b| a.length_squared.total_cmp(&b.length_squared));
            nearest.truncate(NEAREST);
            ways.append(&mut nearest);
        }
    }
    ways.sort_by(|a, b| a.length_squared.total_cmp(&b.length_squared));
    ways
}
