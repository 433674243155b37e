//! Every key of `flesh.toml`, with its range and what it means.

use super::preset::FleshPreset;
use super::settings::{
    BoneSettings, ContactSettings, FiberSettings, FleshSettings, LayerSettings, SimulationSettings, Stroke,
};
use crate::muscles::{DriveSettings, Driver, Joint, MuscleSpec, Place, Segment, Sides, Strip};
use sinew_geometry::settings::{Choice, Field, Problem, Settings, Slot};

/// No length of a body is more, meters.
const FARTHEST_M: f64 = 10.0;
/// Weights against each other.
const WEIGHTS: [f64; 2] = [0.0, 100.0];

impl Settings for FleshSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new(
            "preset",
            "Preset for all values not given below: subtle, natural, heavy or cartoon.",
            |it| Slot::Choice(&mut it.preset),
        ),
        Field::new("simulation", "How motion is worked out.", |it| Slot::Table(&mut it.simulation)),
        Field::new("contact", "What flesh cannot pass.", |it| Slot::Table(&mut it.contact)),
        Field::new(
            "layer",
            "Layers from the bone outwards. One of a known name changes that layer; a new name adds \
             one outside; `remove = true` takes one away. A file with all layers also says their \
             order.",
            |it| Slot::Named(&mut it.layers, "name"),
        ),
        Field::new("bone", "Exceptions round single bones.", |it| Slot::Named(&mut it.bones, "bone")),
        Field::new("fibres", "Which way fibres run, along which flesh stretches easily.", |it: &mut Self| {
            Slot::Table(&mut it.fibers)
        })
        .or(&["fibers"]),
        Field::new("muscles", "How muscles bulge.", |it| Slot::Table(&mut it.muscles.drive)),
        Field::new(
            "muscle",
            "Muscles. One of a known name changes that muscle; a new name adds one; `remove = true` \
             takes one away. Places are of the left side and mirrored for the right.",
            |it| Slot::Named(&mut it.muscles.list, "name"),
        ),
    ];

    fn problems(&self) -> Vec<Problem> {
        let names: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
        let mut problems = Vec::new();
        match self.layers.first() {
            None => problems.push(Problem::new("no layers; keep at least one")),
            Some(_)
                if self.layers.iter().all(|layer| layer.thickness <= 0.0 && layer.thickness_m.is_none()) =>
            {
                problems.push(Problem::new("all layers have thickness 0; use more than 0 for one"));
            }
            Some(_) if self.layers.iter().all(|layer| layer.is_held) => {
                problems
                    .push(Problem::new("all layers are held, so nothing moves; set `held = false` for one"));
            }
            Some(first) if !first.is_held => problems.push(Problem {
                place: format!("layer {:?}", first.name),
                message: "the first layer, at the bone, must be held; set `held = true`".to_owned(),
            }),
            Some(_) => {}
        }
        for bone in &self.bones {
            let of_layers = bone.thickness.iter().chain(&bone.thickness_m);
            for (name, _) in of_layers.filter(|(name, _)| !names.contains(&name.as_str())) {
                problems.push(Problem {
                    place: format!("bone {:?}", bone.bone),
                    message: format!("unknown layer `{name}`; known are {}", names.join(", ")),
                });
            }
        }
        problems
    }
}

impl Settings for SimulationSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("rate_hz", "Steps a second. More follow fast motions more closely.", |it: &mut Self| {
            Slot::Number(&mut it.rate_hz, [24.0, 2000.0])
        })
        .in_unit("Hz"),
        Field::new("iterations", "Iterations per step. Fewer are faster and softer in motion.", |it| {
            Slot::Number(&mut it.iterations, [1.0, 200.0])
        }),
        Field::new(
            "gravity_share",
            "Share of gravity. The skin was modelled under gravity: 0 leaves a still character as it \
             is.",
            |it| Slot::Number(&mut it.gravity_share, [0.0, 2.0]),
        ),
        Field::new("volume_share", "How much of the volume is kept, 0 to 1.", |it| {
            Slot::Number(&mut it.volume_share, [0.0, 1.0])
        }),
        Field::new(
            "max_distance_m",
            "Maximum distance of flesh from its place on the rig, m.",
            |it: &mut Self| Slot::Number(&mut it.max_distance_m, [0.0, FARTHEST_M]),
        )
        .in_unit("m"),
        Field::new(
            "backstop_m",
            "Maximum distance towards the bone, m; also how deep flesh can be pressed.",
            |it: &mut Self| Slot::Number(&mut it.backstop_m, [0.0, FARTHEST_M]),
        )
        .in_unit("m"),
    ];
}

impl Settings for ContactSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("ground", "Whether there is a floor.", |it| Slot::Switch(&mut it.ground)),
        Field::new("ground_height_m", "Where it is, metres.", |it: &mut Self| {
            Slot::Number(&mut it.ground_height_m, [-1e6, 1e6])
        })
        .in_unit("m"),
        Field::new("self", "Whether parts of one body push each other away.", |it| {
            Slot::Switch(&mut it.body)
        }),
    ];
}

impl Settings for LayerSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("name", "What it is called.", |it| Slot::Text(&mut it.name)),
        Field::new(
            "thickness",
            "Share of the way from bone to skin, relative to the sum of all layers.",
            |it| Slot::Number(&mut it.thickness, [0.0, 1.0]),
        ),
        Field::new(
            "young_pa",
            "Stiffness: Young's modulus, pascal. Fat 1000 to 5000, muscle 10000 to 60000. Four times \
             as stiff swings twice as fast.",
            |it: &mut Self| Slot::Number(&mut it.young_pa, [10.0, 1e8]),
        )
        .in_unit("Pa"),
        Field::new(
            "fibre_share",
            "Anisotropy: stretch along the fiber, thinning across it, 0 to 1.",
            |it: &mut Self| Slot::Number(&mut it.fiber_share, [0.0, 1.0]),
        )
        .or(&["fiber_share"]),
        Field::new(
            "damping_per_sec",
            "Damping, 1/s: swings fade to 5 % after 6 / damping seconds.",
            |it: &mut Self| Slot::Number(&mut it.damping_per_sec, [0.0, 1000.0]),
        )
        .in_unit("1/s"),
        Field::new("held", "Whether the rig alone moves it.", |it| Slot::Switch(&mut it.is_held)),
        Field::new(
            "thickness_m",
            "Thickness in m instead of a share; less where bone and skin are closer.",
            |it: &mut Self| Slot::Optional(&mut it.thickness_m, [0.0, FARTHEST_M], 0.01),
        )
        .in_unit("m")
        .advanced(),
        Field::new("density_kg_m3", "Density, kg/m³.", |it: &mut Self| {
            Slot::Number(&mut it.density_kg_m3, [1.0, 1e5])
        })
        .in_unit("kg/m³")
        .advanced(),
    ];
}

impl Settings for BoneSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new(
            "bone",
            "A bone of a human in VRM's words, such as leftUpperArm, or of the model by its own name.",
            |it| Slot::Text(&mut it.bone),
        ),
        Field::new("stiffness", "Factor of all moduli.", |it| Slot::Number(&mut it.stiffness, [0.01, 100.0])),
        Field::new("damping", "Factor of the damping.", |it| Slot::Number(&mut it.damping, [0.0, 100.0])),
        Field::new("thickness", "Thickness of layers by name, such as { fat = 0.5 }.", |it| {
            Slot::ByName(&mut it.thickness, [0.0, 1.0])
        }),
        Field::new("max_distance_m", "Instead of the simulation's, metres.", |it: &mut Self| {
            Slot::Optional(&mut it.max_distance_m, [0.0, FARTHEST_M], 0.05)
        })
        .in_unit("m"),
        Field::new("thickness_m", "Thickness of layers by name, in meters.", |it: &mut Self| {
            Slot::ByName(&mut it.thickness_m, [0.0, FARTHEST_M])
        })
        .in_unit("m")
        .advanced(),
        Field::new(
            "softness",
            "Softness around this bone, 0 to 1; at 0 all of it counts as bone.",
            |it: &mut Self| Slot::Optional(&mut it.softness, [0.0, 1.0], 1.0),
        )
        .advanced(),
        Field::new("core", "Whether the bone is a body inside the flesh.", |it: &mut Self| {
            Slot::OptionalSwitch(&mut it.has_core)
        })
        .advanced(),
    ];
}

impl Settings for FiberSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("bone_weight", "How much the direction of bones counts at bones.", |it| {
            Slot::Number(&mut it.bone_weight, WEIGHTS)
        }),
        Field::new("skin_weight", "How much it counts along the skin.", |it| {
            Slot::Number(&mut it.skin_weight, WEIGHTS)
        }),
        Field::new("muscle_weight", "How much muscles' own fibres count where they are.", |it| {
            Slot::Number(&mut it.muscle_weight, WEIGHTS)
        }),
        Field::new(
            "skin_turn_deg",
            "How far fibres along the skin are turned from the bone, degrees; mirrored from left to \
             right.",
            |it: &mut Self| Slot::Number(&mut it.skin_turn_deg, [-90.0, 90.0]),
        )
        .in_unit("°"),
        Field::new("stroke", "Lines on the skin along which fibres run.", |it| Slot::Tables(&mut it.strokes)),
    ];
}

impl Settings for Stroke {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("points", "Corners, model space at rest, metres; two or more.", |it: &mut Self| {
            Slot::Rows(&mut it.points, [-1e6, 1e6])
        })
        .in_unit("m")
        .required(),
        Field::new("weight", "How much it counts.", |it| Slot::Number(&mut it.weight, [0.0, 100.0])),
    ];

    fn problems(&self) -> Vec<Problem> {
        match self.points.len() {
            0 | 1 => {
                vec![Problem::new(format!("a stroke needs at least two points, found {}", self.points.len()))]
            }
            _ if self.points.windows(2).all(|pair| pair[0] == pair[1]) => {
                vec![Problem::new("all points of the stroke are the same, so it has no direction")]
            }
            _ => Vec::new(),
        }
    }
}

impl Settings for DriveSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("strength", "0 switches bulging off, 1 is a human's, more is caricature.", |it| {
            Slot::Number(&mut it.strength, [0.0, 4.0])
        }),
        Field::new(
            "tension_rise_per_sec",
            "Maximum rise of a muscle's tension per second (0 slack, 1 full).",
            |it: &mut Self| Slot::Number(&mut it.tension_rise_per_sec, [0.0, 1e6]),
        )
        .in_unit("1/s"),
        Field::new("tension_fall_per_sec", "Most that it falls.", |it: &mut Self| {
            Slot::Number(&mut it.tension_fall_per_sec, [0.0, 1e6])
        })
        .in_unit("1/s"),
    ];
}

impl Settings for MuscleSpec {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("name", "What it is called; `.left` and `.right` are added.", |it| {
            Slot::Text(&mut it.name)
        }),
        Field::new("sides", "both, left or right.", |it| Slot::Choice(&mut it.sides)),
        Field::new("lateral_exponent", "Thickening: 0 none, 0.5 keeps the volume, 1 twice as much.", |it| {
            Slot::Number(&mut it.lateral_exponent, [0.0, 2.0])
        }),
        Field::new(
            "tension_shortening",
            "Shortening at full tension without motion, a share of the length.",
            |it| Slot::Number(&mut it.tension_shortening, [0.0, 0.5]),
        ),
        Field::new("driver", "Joints that shorten and lengthen it; their curves multiply.", |it| {
            Slot::Tables(&mut it.drivers)
        }),
        Field::new("strip", "Its heads or bundles, from origin to insertion.", |it| {
            Slot::Tables(&mut it.strips)
        }),
    ];

    fn problems(&self) -> Vec<Problem> {
        self.whole_problems().into_iter().map(Problem::new).collect()
    }
}

impl Default for Driver {
    fn default() -> Self {
        Self { joint: Joint::Elbow, curve: Vec::new() }
    }
}

impl Settings for Driver {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new(
            "joint",
            "elbow, knee, wrist, ankle, shoulderElevation, shoulderForward, shoulderAcross, \
             shoulderShrug, hipFlexion, hipAbduction, trunkFlexion, trunkSideBend or trunkTwist, of \
             the muscle's side. 0 is the straight neutral human.",
            |it: &mut Self| Slot::Choice(&mut it.joint),
        )
        .required(),
        Field::new(
            "curve",
            "Angles in degrees, rising, each with the length of the belly relative to the straight \
             limb's.",
            |it: &mut Self| Slot::Rows(&mut it.curve, [-360.0, 360.0]),
        )
        .required(),
    ];
}

impl Default for Strip {
    fn default() -> Self {
        Self { path: Vec::new(), width: 0.4, thickness: 0.3, belly: [0.0, 1.0] }
    }
}

impl Settings for Strip {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new(
            "width",
            "Half of its width round the limb, as a share of the distance from the limb's axis to the \
             skin.",
            |it| Slot::Number(&mut it.width, [0.01, 3.0]),
        ),
        Field::new("thickness", "Half of its thickness between bone and skin, as the same share.", |it| {
            Slot::Number(&mut it.thickness, [0.01, 1.0])
        }),
        Field::new(
            "belly",
            "The part of the path that shortens, from 0 at the origin to 1; the rest is tendon.",
            |it| Slot::Numbers(&mut it.belly, [0.0, 1.0]),
        ),
        Field::new(
            "path",
            "From origin to insertion. on: trunk, shoulder, upperArm, lowerArm, upperLeg or lowerLeg; \
             along: share of its length; angle: degrees, 0 front, 90 outside, 180 back, -90 inside; \
             depth: 0 at the axis, 1 at the skin.",
            |it: &mut Self| Slot::Lines(&mut it.path),
        )
        .required(),
    ];
}

impl Default for Place {
    fn default() -> Self {
        Self::new(Segment::Trunk, 0.5, 0.0, 0.7)
    }
}

impl Settings for Place {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("on", "A limb.", |it: &mut Self| Slot::Choice(&mut it.segment)).required(),
        Field::new("along", "Share of its length.", |it: &mut Self| Slot::Number(&mut it.along, [-0.5, 1.5]))
            .required(),
        Field::new("angle", "Degrees from the front.", |it: &mut Self| {
            Slot::Number(&mut it.angle_deg, [-360.0, 360.0])
        })
        .in_unit("°")
        .required(),
        Field::new("depth", "From axis to skin.", |it: &mut Self| Slot::Number(&mut it.depth, [0.0, 1.0]))
            .required(),
    ];
}

/// These have a list of all and a name of each already.
macro_rules! choices {
    ($($choice:ty),*) => {$(
        impl Choice for $choice {
            const ALL: &'static [Self] = &Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }
        }
    )*};
}

choices!(FleshPreset, Sides, Segment);

impl Choice for Joint {
    const ALL: &'static [Self] = Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }
}
