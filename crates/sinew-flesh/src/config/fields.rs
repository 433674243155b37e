//! Every key of `flesh.toml`, with its range and what it means.

use super::settings::{
    BoneSettings, ContactSettings, FiberSettings, FleshSettings, LayerSettings, SimulationSettings, Stroke,
};
use crate::muscles::{DriveSettings, Driver, Joint, MuscleSpec, Place, Segment, Strip};
use sinew_geometry::settings::{Field, Problem, Settings, Slot};

/// No length of a body is more, meters.
const FARTHEST_M: f64 = 10.0;
/// Weights against each other.
const WEIGHTS: [f64; 2] = [0.0, 100.0];

/// A table of fields. The comment above each is the help that files show; then come its key, its slot and what [`Field`] adds to it.
macro_rules! fields {
    ($(
        $(#[doc = $help:literal])+
        $key:literal: $slot:ident($($field:ident).+ $(, $range:expr)*) $(.$with:ident($($by:tt)*))*;
    )*) => {
        &[$(
            Field::new($key, concat!($($help),+).trim_ascii(), |it: &mut Self| {
                Slot::$slot(&mut it.$($field).+ $(, $range)*)
            })
            $(.$with($($by)*))*
        ),*]
    };
}

/// Names of an enum's values in files, in order, and the list of all.
macro_rules! choices {
    ($choice:ident { $($value:ident = $name:literal),* }) => {
        impl $choice {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// The name in files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$value => $name),* }
            }
        }

        impl sinew_geometry::settings::Choice for $choice {
            const ALL: &'static [Self] = &Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }
        }
    };
}
pub(crate) use {choices, fields};

impl Settings for FleshSettings {
    const FIELDS: &'static [Field<Self>] = fields![
        /// Preset for all values not given below: subtle, natural, heavy or cartoon.
        "preset": Choice(preset);
        /// How motion is worked out.
        "simulation": Table(simulation);
        /// What flesh cannot pass.
        "contact": Table(contact);
        /// Layers from the bone outwards. One of a known name changes that layer; a new name adds one outside; `remove = true` takes one away. A file
        /// with all layers also says their order.
        "layer": Named(layers, "name");
        /// Exceptions round single bones.
        "bone": Named(bones, "bone");
        /// Which way fibres run, along which flesh stretches easily.
        "fibres": Table(fibers).or(&["fibers"]);
        /// How muscles bulge.
        "muscles": Table(muscles.drive);
        /// Muscles. One of a known name changes that muscle; a new name adds one; `remove = true` takes one away. Places are of the left side and
        /// mirrored for the right.
        "muscle": Named(muscles.list, "name");
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
    const FIELDS: &'static [Field<Self>] = fields![
        /// Steps a second. More follow fast motions more closely.
        "rate_hz": Number(rate_hz, [24.0, 2000.0]).in_unit("Hz");
        /// Iterations per step. Fewer are faster and softer in motion.
        "iterations": Number(iterations, [1.0, 200.0]);
        /// Share of gravity. The skin was modelled under gravity: 0 leaves a still character as it is.
        "gravity_share": Number(gravity_share, [0.0, 2.0]);
        /// How much of the volume is kept, 0 to 1.
        "volume_share": Number(volume_share, [0.0, 1.0]);
        /// Maximum distance of flesh from its place on the rig, m.
        "max_distance_m": Number(max_distance_m, [0.0, FARTHEST_M]).in_unit("m");
        /// Maximum distance towards the bone, m; also how deep flesh can be pressed.
        "backstop_m": Number(backstop_m, [0.0, FARTHEST_M]).in_unit("m");
    ];
}

impl Settings for ContactSettings {
    const FIELDS: &'static [Field<Self>] = fields![
        /// Whether there is a floor.
        "ground": Switch(ground);
        /// Where it is, metres.
        "ground_height_m": Number(ground_height_m, [-1e6, 1e6]).in_unit("m");
        /// Whether parts of one body push each other away.
        "self": Switch(body);
    ];
}

impl Settings for LayerSettings {
    const FIELDS: &'static [Field<Self>] = fields![
        /// What it is called.
        "name": Text(name);
        /// Share of the way from bone to skin, relative to the sum of all layers.
        "thickness": Number(thickness, [0.0, 1.0]);
        /// Stiffness: Young's modulus, pascal. Fat 1000 to 5000, muscle 10000 to 60000. Four times as stiff swings twice as fast.
        "young_pa": Number(young_pa, [10.0, 1e8]).in_unit("Pa");
        /// Anisotropy: stretch along the fiber, thinning across it, 0 to 1.
        "fibre_share": Number(fiber_share, [0.0, 1.0]).or(&["fiber_share"]);
        /// Damping, 1/s: swings fade to 5 % after 6 / damping seconds.
        "damping_per_sec": Number(damping_per_sec, [0.0, 1000.0]).in_unit("1/s");
        /// Whether the rig alone moves it.
        "held": Switch(is_held);
        /// Thickness in m instead of a share; less where bone and skin are closer.
        "thickness_m": Optional(thickness_m, [0.0, FARTHEST_M], 0.01).in_unit("m").advanced();
        /// Density, kg/m³.
        "density_kg_m3": Number(density_kg_m3, [1.0, 1e5]).in_unit("kg/m³").advanced();
    ];
}

impl Settings for BoneSettings {
    const FIELDS: &'static [Field<Self>] = fields![
        /// A bone of a human in VRM's words, such as leftUpperArm, or of the model by its own name.
        "bone": Text(bone);
        /// Factor of all moduli.
        "stiffness": Number(stiffness, [0.01, 100.0]);
        /// Factor of the damping.
        "damping": Number(damping, [0.0, 100.0]);
        /// Thickness of layers by name, such as { fat = 0.5 }.
        "thickness": ByName(thickness, [0.0, 1.0]);
        /// Instead of the simulation's, metres.
        "max_distance_m": Optional(max_distance_m, [0.0, FARTHEST_M], 0.05).in_unit("m");
        /// Thickness of layers by name, in meters.
        "thickness_m": ByName(thickness_m, [0.0, FARTHEST_M]).in_unit("m").advanced();
        /// Softness around this bone, 0 to 1; at 0 all of it counts as bone.
        "softness": Optional(softness, [0.0, 1.0], 1.0).advanced();
        /// Whether the bone is a body inside the flesh.
        "core": OptionalSwitch(has_core).advanced();
    ];
}

impl Settings for FiberSettings {
    const FIELDS: &'static [Field<Self>] = fields![
        /// How much the direction of bones counts at bones.
        "bone_weight": Number(bone_weight, WEIGHTS);
        /// How much it counts along the skin.
        "skin_weight": Number(skin_weight, WEIGHTS);
        /// How much muscles' own fibres count where they are.
        "muscle_weight": Number(muscle_weight, WEIGHTS);
        /// How far fibres along the skin are turned from the bone, degrees; mirrored from left to right.
        "skin_turn_deg": Number(skin_turn_deg, [-90.0, 90.0]).in_unit("°");
        /// Lines on the skin along which fibres run.
        "stroke": Tables(strokes);
    ];
}

impl Settings for Stroke {
    const FIELDS: &'static [Field<Self>] = fields![
        /// Corners, model space at rest, metres; two or more.
        "points": Rows(points, [-1e6, 1e6]).in_unit("m").required();
        /// How much it counts.
        "weight": Number(weight, [0.0, 100.0]);
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
    const FIELDS: &'static [Field<Self>] = fields![
        /// 0 switches bulging off, 1 is a human's, more is caricature.
        "strength": Number(strength, [0.0, 4.0]);
        /// Maximum rise of a muscle's tension per second (0 slack, 1 full).
        "tension_rise_per_sec": Number(tension_rise_per_sec, [0.0, 1e6]).in_unit("1/s");
        /// Most that it falls.
        "tension_fall_per_sec": Number(tension_fall_per_sec, [0.0, 1e6]).in_unit("1/s");
    ];
}

impl Settings for MuscleSpec {
    const FIELDS: &'static [Field<Self>] = fields![
        /// What it is called; `.left` and `.right` are added.
        "name": Text(name);
        /// both, left or right.
        "sides": Choice(sides);
        /// Thickening: 0 none, 0.5 keeps the volume, 1 twice as much.
        "lateral_exponent": Number(lateral_exponent, [0.0, 2.0]);
        /// Shortening at full tension without motion, a share of the length.
        "tension_shortening": Number(tension_shortening, [0.0, 0.5]);
        /// Joints that shorten and lengthen it; their curves multiply.
        "driver": Tables(drivers);
        /// Its heads or bundles, from origin to insertion.
        "strip": Tables(strips);
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
    const FIELDS: &'static [Field<Self>] = fields![
        /// elbow, knee, wrist, ankle, shoulderElevation, shoulderForward, shoulderAcross, shoulderShrug, hipFlexion, hipAbduction, trunkFlexion,
        /// trunkSideBend or trunkTwist, of the muscle's side. 0 is the straight neutral human.
        "joint": Choice(joint).required();
        /// Angles in degrees, rising, each with the length of the belly relative to the straight limb's.
        "curve": Rows(curve, [-360.0, 360.0]).required();
    ];
}

impl Default for Strip {
    fn default() -> Self {
        Self { path: Vec::new(), width: 0.4, thickness: 0.3, belly: [0.0, 1.0] }
    }
}

impl Settings for Strip {
    const FIELDS: &'static [Field<Self>] = fields![
        /// Half of its width round the limb, as a share of the distance from the limb's axis to the skin.
        "width": Number(width, [0.01, 3.0]);
        /// Half of its thickness between bone and skin, as the same share.
        "thickness": Number(thickness, [0.01, 1.0]);
        /// The part of the path that shortens, from 0 at the origin to 1; the rest is tendon.
        "belly": Numbers(belly, [0.0, 1.0]);
        /// From origin to insertion. on: trunk, shoulder, upperArm, lowerArm, upperLeg or lowerLeg; along: share of its length; angle: degrees, 0
        /// front, 90 outside, 180 back, -90 inside; depth: 0 at the axis, 1 at the skin.
        "path": Lines(path).required();
    ];
}

impl Default for Place {
    fn default() -> Self {
        Self::new(Segment::Trunk, 0.5, 0.0, 0.7)
    }
}

impl Settings for Place {
    const FIELDS: &'static [Field<Self>] = fields![
        /// A limb.
        "on": Choice(segment).required();
        /// Share of its length.
        "along": Number(along, [-0.5, 1.5]).required();
        /// Degrees from the front.
        "angle": Number(angle_deg, [-360.0, 360.0]).in_unit("°").required();
        /// From axis to skin.
        "depth": Number(depth, [0.0, 1.0]).required();
    ];
}
