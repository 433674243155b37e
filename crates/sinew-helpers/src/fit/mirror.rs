//! Which vertices and bones are each other's mirror image, left and right of the plane x = 0.

use crate::RigError;
use glam::{DVec3, Vec3};
use sinew_fit::Mirror;
use sinew_geometry::Bounds;

/// A mirror image may be off by this fraction of the model's size.
const TOLERANCE: f32 = 2e-3;

/// Finds partners by place. `heads`: where each driver begins at rest.
///
/// # Errors
/// A vertex or driver without partner.
pub fn find_mirror(positions: &[Vec3], heads: &[DVec3]) -> Result<Mirror, RigError> {
    let bounds = Bounds::of(positions);
    let most = TOLERANCE * bounds.size().length();
    let vertices = partners(positions, most)
        .map_err(|vertex| RigError::MirrorVertex { vertex, place: positions[vertex] })?;
    let narrow: Vec<Vec3> = heads.iter().map(|head| head.as_vec3()).collect();
    let drivers =
        partners(&narrow, most).map_err(|driver| RigError::MirrorDriver { driver, place: heads[driver] })?;
    Ok(Mirror { vertices, drivers: drivers.into_iter().map(|driver| driver as u16).collect() })
}

/// Pairs of places; a place without partner is the error.
fn partners(places: &[Vec3], most: f32) -> Result<Vec<u32>, usize> {
    let mut partners = vec![u32::MAX; places.len()];
    let image = |at: usize| places[at] * Vec3::new(-1.0, 1.0, 1.0);
    // Places by height, so that only few are compared.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].y.total_cmp(&places[b].y).then(a.cmp(&b)));
    for at in 0..places.len() {
        if partners[at] != u32::MAX {
            continue;
        }
        let wanted = image(at);
        let first = order.partition_point(|&other| places[other].y < wanted.y - most);
        let near = order[first..].iter().take_while(|&&other| places[other].y <= wanted.y + most);
        let free = near.filter(|&&other| partners[other] == u32::MAX);
        let best = free.min_by(|&&a, &&b| {
            let distance = |other: usize| places[other].distance(wanted);
            distance(a).total_cmp(&distance(b)).then(a.cmp(&b))
        });
        let Some(&best) = best.filter(|&&best| places[best].distance(wanted) <= most) else { return Err(at) };
        (partners[at], partners[best]) = (best as u32, at as u32);
    }
    Ok(partners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_go_both_ways_and_a_lone_vertex_is_told() {
        let mut places = vec![Vec3::new(1.0, 0.0, 0.0), Vec3::Y, Vec3::new(-1.0, 0.0, 0.0), Vec3::Z];
        let mirror = find_mirror(&places, &[DVec3::ZERO]).unwrap();
        assert_eq!((mirror.vertices, mirror.drivers), (vec![2, 1, 0, 3], vec![0]));
        places.push(Vec3::new(0.5, 0.5, 0.5));
        assert!(matches!(find_mirror(&places, &[]), Err(RigError::MirrorVertex { vertex: 4, .. })));
    }
}
