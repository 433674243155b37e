//! The PMX weight type of each vertex.
//!
//! One bone is BDEF1. Two are SDEF if the vertex uses a spherical method and has its parameters, else BDEF2. Three and four are
//! BDEF4. Dual quaternions are QDEF in version 2.1. Unsupported methods are reported once for all vertices.

use super::PmxWriteSettings;
use crate::pmx::PmxWeight;
use crate::pmx::rest_model::RestWeight;
use crate::pmx::tally::Tally;
use crate::space::point_to_mmd;
use sinew_io::Report;

/// Codes of [`sinew_rig::Mesh::methods`] that PMX does not support, or only with parameters.
const SBS: u8 = 2;
const SDEF: u8 = 3;
const BEZIER: u8 = 4;
const DUAL_QUATERNION: u8 = 5;
const CENTERS_OF_ROTATION: u8 = 6;

/// Makes weights, and counts losses.
#[derive(Default)]
pub(in crate::pmx) struct WeightWriter {
    settings: PmxWriteSettings,
    as_sdef: Tally,
    no_parameters: Tally,
    too_many_bones: Tally,
    no_qdef: Tally,
    no_centers: Tally,
}

impl WeightWriter {
    pub(in crate::pmx) fn new(settings: &PmxWriteSettings) -> Self {
        Self { settings: *settings, ..Self::default() }
    }

    /// The weight of a vertex.
    pub(in crate::pmx) fn weight(&mut self, index: usize, rest: &RestWeight) -> PmxWeight {
        let bones = rest.bones.map(|bone| bone as i32);
        let weights = rest.weights;
        if rest.method == DUAL_QUATERNION && rest.count > 1 {
            if self.settings.allow_2_1 {
                return PmxWeight::Qdef { bones, weights };
            }
            self.no_qdef.add(index);
        }
        if rest.method == CENTERS_OF_ROTATION && rest.count > 1 {
            self.no_centers.add(index);
        }
        let asks_sphere = matches!(rest.method, SBS | SDEF | BEZIER);
        let is_spherical = asks_sphere || (self.settings.spherical && rest.spherical.is_some());
        match (rest.count, rest.spherical) {
            (1, _) => PmxWeight::Bdef1(bones[0]),
            (2, Some(spherical)) if is_spherical => {
                if rest.method != SDEF && asks_sphere {
                    self.as_sdef.add(index);
                }
                PmxWeight::Sdef {
                    bones: [bones[0], bones[1]],
                    weight: weights[0],
                    c: point_to_mmd(spherical.center),
                    r0: point_to_mmd(spherical.r0),
                    r1: point_to_mmd(spherical.r1),
                }
            }
            (2, _) => {
                if asks_sphere {
                    self.no_parameters.add(index);
                }
                PmxWeight::Bdef2 { bones: [bones[0], bones[1]], weight: weights[0] }
            }
            _ => {
                if is_spherical {
                    self.too_many_bones.add(index);
                }
                PmxWeight::Bdef4 { bones, weights }
            }
        }
    }

    /// Reports the losses.
    pub(in crate::pmx) fn tell(self, report: &mut Report) {
        self.as_sdef.tell("vertices", report, "PMX does not support SBS or Bézier skinning; written as SDEF");
        self.no_parameters.tell(
            "vertices",
            report,
            "it uses a spherical method without c, r0 and r1; written as BDEF2",
        );
        self.too_many_bones.tell(
            "vertices",
            report,
            "it uses a spherical method with more than two bones; written as BDEF4",
        );
        self.no_qdef.tell("vertices", report, "dual quaternions need version 2.1; written as BDEF");
        self.no_centers.tell("vertices", report, "PMX does not support centers of rotation; written as BDEF");
    }
}
