//! Builds a mesh from numbered points and corners.

use super::{Result, TetReadError};
use crate::Report;
use glam::Vec3;
use sinew_geometry::TetMesh;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Points by their numbers in the file.
#[derive(Default)]
pub(super) struct Points {
    positions: Vec<Vec3>,
    /// Empty while numbers are consecutive from `first`.
    places: HashMap<u64, u32>,
    first: u64,
    /// Points with the number of an earlier point.
    doubled: usize,
}

impl Points {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self { positions: Vec::with_capacity(count), ..Self::default() }
    }

    /// Adds a point. If its number is taken, the first point keeps it.
    pub(super) fn add(&mut self, number: u64, position: Vec3) {
        let place = self.positions.len() as u32;
        if place == 0 {
            self.first = number;
        }
        let follows = number.checked_sub(self.first) == Some(u64::from(place));
        if self.places.is_empty() && !follows {
            self.places = (0..place).map(|place| (self.first + u64::from(place), place)).collect();
        }
        self.positions.push(position);
        if !self.places.is_empty() || !follows {
            match self.places.entry(number) {
                Entry::Occupied(_) => self.doubled += 1,
                Entry::Vacant(free) => {
                    free.insert(place);
                }
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    fn place(&self, number: u64) -> Option<u32> {
        if !self.places.is_empty() {
            return self.places.get(&number).copied();
        }
        let place = number.checked_sub(self.first)?;
        (place < self.positions.len() as u64).then_some(place as u32)
    }
}

/// Tetrahedra as in the file.
#[derive(Default)]
pub(super) struct Corners {
    /// Point numbers, and the line.
    pub(super) tets: Vec<([u64; 4], usize)>,
    /// Elements that are not tetrahedra, and the line of the first.
    pub(super) others: usize,
    pub(super) first_other: usize,
    /// Tetrahedra with more than four nodes.
    pub(super) curved: usize,
}

impl Corners {
    pub(super) fn add_other(&mut self, count: usize, line: usize) {
        if self.others == 0 {
            self.first_other = line;
        }
        self.others += count;
    }
}

/// The mesh; reports what was left out or flipped.
pub(super) fn assemble(points: Points, corners: &Corners, report: &mut Report) -> Result<TetMesh> {
    let told = [
        (corners.others, format!("line {}", corners.first_other), "elements are not tetrahedra; left out"),
        (corners.curved, String::new(), "tetrahedra have more than four nodes; only their corners are kept"),
        (points.doubled, String::new(), "points have the number of an earlier point; the first is used"),
    ];
    for (count, place, what) in told.iter().filter(|(count, ..)| *count > 0) {
        report.warn(place, format!("{count} {what}"));
    }
    let mut tets = Vec::with_capacity(corners.tets.len());
    for (numbers, line) in &corners.tets {
        let places = numbers.map(|number| points.place(number));
        if let Some(missing) = places.iter().position(Option::is_none) {
            let number = numbers[missing];
            let what = format!("point {number} does not exist; the tetrahedron is left out");
            report.warn(format_args!("line {line}"), what);
            continue;
        }
        let tet = places.map(Option::unwrap_or_default);
        if (0..4).any(|at| tet[..at].contains(&tet[at])) {
            report.warn(format_args!("line {line}"), "the tetrahedron uses a point twice; it is left out");
            continue;
        }
        tets.push(tet);
    }
    if tets.is_empty() {
        return Err(TetReadError::NoTets { point_count: points.len() });
    }
    let mesh = TetMesh::new(points.positions, tets.clone())?;
    let turned = mesh.tets().iter().zip(&tets).filter(|(now, before)| now != before).count();
    if turned > 0 {
        report.warn("", format_args!("{turned} of {} tetrahedra were inverted; flipped", tets.len()));
    }
    Ok(mesh)
}
