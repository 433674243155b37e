//! A model deformed by a method, with its measures.

use super::FigureModel;
use glam::{Affine3A, DVec3};
use sinew_picture::compare::MeasureRow;
use sinew_rig::{BoundSurface, Surface};
use sinew_skin::measures::{JointMeasures, JointRings, ProbedJoint, RadiusRange, joint_probes};
use sinew_skin::{Method, SkinSettings};

/// A figure's shape by one method.
pub struct Measured {
    /// The method.
    pub method: Method,
    /// The posed skin.
    pub surface: Surface,
    /// The joints that the pose turns.
    pub joints: Vec<ProbedJoint>,
    /// Their measures, taken together: the worst of each.
    pub measures: JointMeasures,
    /// The center curve of each turned joint: the centers of its rings.
    pub curves: Vec<Vec<DVec3>>,
}

/// A joint turned by less is not part of the figure, radians.
const LEAST_TURN_RAD: f64 = 1e-3;

impl FigureModel {
    /// Settings that deform this model by `method`.
    pub fn settings(&self, method: Method) -> SkinSettings {
        SkinSettings { ranges: self.ranges.clone(), ..SkinSettings::from(method) }
    }

    /// The skinning matrices of the pose.
    pub fn matrices(&self, bound: &BoundSurface) -> Vec<Affine3A> {
        bound.posed_from_rest(&self.character, &self.pose)
    }

    /// Deforms and measures.
    pub fn measured(&self, method: Method) -> Measured {
        let bound = BoundSurface::of(&self.character);
        let matrices = self.matrices(&bound);
        let settings = self.settings(method);
        let skin = sinew_skin::bind(&self.character, &bound, &settings);
        let mut surface = bound.rest().clone();
        skin.deform(&mut skin.workspace(), &matrices, bound.rest(), surface.as_mut());
        let mut joints = joint_probes(&self.character, &bound, &settings, &matrices);
        joints.retain(|joint| joint.probe.turn_rad() > LEAST_TURN_RAD);
        let rings: Vec<JointRings> = joints.iter().map(|joint| JointRings::of(&bound, joint)).collect();
        let of_joint = |(joint, rings): (&ProbedJoint, &JointRings)| {
            JointMeasures::of(&bound, joint, rings, &surface.positions)
        };
        let measures = joints.iter().zip(&rings).map(of_joint).reduce(worst).unwrap_or_default();
        let curves = rings.iter().map(|rings| rings.centers(&surface.positions)).collect();
        Measured { method, measures, joints, curves, surface }
    }
}

impl Measured {
    /// The measures as a row of a table.
    pub fn row(&self, model: &FigureModel) -> MeasureRow {
        MeasureRow::new(model.key, &self.method.to_string(), &self.measures)
    }
}

/// The worse of each measure: for volume, section and the least radius the smaller.
fn worst(a: JointMeasures, b: JointMeasures) -> JointMeasures {
    fn both<T>(a: Option<T>, b: Option<T>, pick: impl Fn(T, T) -> T) -> Option<T> {
        match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (a, b) => a.or(b),
        }
    }
    JointMeasures {
        turn_rad: a.turn_rad.max(b.turn_rad),
        kink_begin_rad: both(a.kink_begin_rad, b.kink_begin_rad, f64::max),
        kink_end_rad: both(a.kink_end_rad, b.kink_end_rad, f64::max),
        sharpest_turn_rad: both(a.sharpest_turn_rad, b.sharpest_turn_rad, f64::max),
        bulge: both(a.bulge, b.bulge, f64::max),
        volume: both(a.volume, b.volume, f64::min),
        section: both(a.section, b.section, f64::min),
        section_least: both(a.section_least, b.section_least, f64::min),
        radius: both(a.radius, b.radius, |a, b| RadiusRange {
            least: a.least.min(b.least),
            greatest: a.greatest.max(b.greatest),
        }),
        length: both(a.length, b.length, f64::min),
    }
}
