//! Every key of `flesh.toml`, with its range and what it means.

use super::visit::{Fields, Named, Problem, Visit, key};
use crate::config::FleshPreset;
use crate::config::settings::{
    BoneSettings, ContactSettings, FibreSettings, FleshSettings, LayerSettings, MuscleSettings,
    SimulationSettings, Stroke,
};
use crate::muscles::{Driver, Joint, MuscleSpec, Place, Segment, Sides, Strip};

/// No length of a body is more, metres.
const FARTHEST_M: f64 = 10.0;

impl Fields for FleshSettings {
    fn fields<V: Visit>(&mut self, visit: &mut V) {
        let names = FleshPreset::ALL.map(FleshPreset::name);
        let mut preset = self.preset as usize;
        visit.word(
            key(
                "preset",
                "Where all values come from that are not given below: subtle, natural, heavy or cartoon.",
            ),
            &names,
            &mut preset,
        );
        self.preset = FleshPreset::ALL[preset];
        visit.table(key("simulation", "How motion is worked out."), &mut self.simulation);
        visit.table(key("contact", "What flesh cannot pass."), &mut self.contact);
        visit.named_tables(
            key("layer", "Layers from the bone outwards. One of a known name changes that layer; a new name adds one outside; `remove = true` takes one away. A file with all layers also says their order."),
            &mut self.layers,
        );
        visit.named_tables(key("bone", "Exceptions round single bones."), &mut self.bones);
        visit.table(
            key("fibres", "Which way fibres run, along which flesh stretches easily."),
            &mut self.fibres,
        );
        visit.table(key("muscles", "How muscles bulge."), &mut self.muscles);
        visit.named_tables(
            key("muscle", "Muscles. One of a known name changes that muscle; a new name adds one; `remove = true` takes one away. \
                 Places are of the left side and mirrored for the right."),
            &mut self.muscles.list,
        );
    }

    fn problems(&self) -> Vec<Problem> {
        let names: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
        let mut problems = Vec::new();
        match self.layers.first() {
            None => problems.push(Problem::new("there is no layer; keep one or more")),
            Some(_) if self.layers.iter().map(|layer| layer.thickness).sum::<f64>() <= 0.0 => {
                problems.push(Problem::new("all layers have thickness 0; give one some"));
            }
            Some(_) if self.layers.iter().all(|layer| layer.is_held) => {
                problems.push(Problem::new(
                    "all layers are held, so that nothing moves; set `held = false` for one",
                ));
            }
            Some(first) if !first.is_held => problems.push(Problem {
                place: format!("layer {:?}", first.name),
                message: "the first layer, at the bone, must be held; set `held = true`".to_owned(),
            }),
            Some(_) => {}
        }
        for bone in &self.bones {
            for (name, _) in bone.thickness.iter().filter(|(name, _)| !names.contains(&name.as_str())) {
                problems.push(Problem {
                    place: format!("bone {:?}", bone.bone),
                    message: format!("there is no layer `{name}`; known are {}", names.join(", ")),
                });
            }
        }
        problems
    }
}

impl Fields for SimulationSettings {
    fn fields<V: Visit>(&mut self, visit: &mut V) {
        visit.number(
            key("rate_hz", "Steps a second. More follow fast motions more closely."),
            [24.0, 2000.0],
            &mut self.rate_hz,
        );
        visit.count(
            key("iterations", "Iterations of each step. Fewer are faster and softer while moving."),
            [1, 200],
            &mut self.iterations,
        );
        visit.number(
            key(
                "gravity_share",
                "Share of gravity. The skin was modelled under gravity: 0 leaves a still character as it is.",
            ),
            [0.0, 2.0],
            &mut self.gravity_share,
        );
        visit.number(
            key("volume_share", "How much of the volume is kept, 0 to 1."),
            [0.0, 1.0],
            &mut self.volume_share,
        );
        visit.number(
            key("max_distance_m", "Flesh goes no farther than this from where the rig has it, metres."),
            [0.0, FARTHEST_M],
            &mut self.max_distance_m,
        );
        visit.number(
            key(
                "backstop_m",
                "And no farther than this towards the bone, metres; it gives way as far when pressed.",
            ),
            [0.0, FARTHEST_M],
            &mut self.backstop_m,
        );
    }
}

impl Fields for ContactSettings {
    fn fields<V: Visit>(&mut self, visit: &mut V) {
        visit.switch(key("ground", "Whether there is a floor."), &mut self.ground);
        visit.number(key("ground_height_m", "Where it is, metres."), [-1e6, 1e6], &mut self.ground_height_m);
        visit.switch(key("self", "Whether parts of one body push each other away."), &mut self.body);
    }
}

impl Fields for LayerSettings {
    fn fields<V: Visit>(&mut self, visit: &mut V) {
        visit.text(key("name", "What it is called."), &mut self.name);
        visit.number(
            key(
                "thickness",
                "Share of the way from bone to skin; all layers' shares count relative to their sum.",
            ),
            [0.0, 1.0],
            &mut self.thickness,
        );
        visit.number(
            key("young_pa", "Stiffness: Young's modulus, pascal. Fat 1000 to 5000, muscle 10000 to 60000. Four times as stiff swings twice as fast."),
            [10.0, 1e8],
            &mut self.young_pa,
        );
        visit.number(
            key("fibre_share", "How much stretches go along the fibre and are answered across it, 0 to 1."),
            [0.0, 1.0],
            &mut self.fibre_share,
        );
        visit.number(
            key(
                "damping_per_sec",
                "How fast swings fade: they are down to a twentieth after 6 divided by this, seconds.",
            ),
            [0.0, 1000.0],
            &mut self.damping_per_sec,
        );
        visit.switch(key("held", "Whether the rig alone moves it."), &mut self.is_held);
    }
}

impl Named for LayerSettings {
    const NAME_KEY: &'static str = "name";

    fn name(&self) -> &str {
        &self.name
    }

    fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

impl Fields for BoneSettings {
    fn fields<V: Visit>(&mut self, visit: &mut V) {
        visit.text(
            key(
                "bone",
                "A bone of a human in VRM's words, such as leftUpperArm, or of the model by its own name.",
            ),
            &mut self.bone,
        );
        visit.number(key("stiffness", "Factor of all moduli."), [0.01, 100.0], &mut self.stiffness);
        visit.number(key("damping", "Factor of the damping."), [0.0, 100.0], &mut self.damping);
        visit.by_name(
            key("thickness", "Thickness of layers by name, such as { fat = 0.5 }."),
            [0.0, 1.0],
            &mut self.thickness,
        );
        visit.optional_number(
            key("max_distance_m", "Instead of the simulation's, metres."),
            [0.0, FARTHEST_M],
            &mut self.max_distance_m,
        );
    }
}

impl Named for BoneSettings {
    const NAME_KEY: &'static str = "bone";

    fn name(&self) -> &str {
        &self.bone
    }

    fn named(name: &str) -> Self {
        Self { bone: name.to_owned(), ..Self::default() }
    }
}

impl Fields for FibreSettings {
    fn fields<V: Visit>(&mut self, visit: &mut V) {
        let weights = [0.0, 100.0];
        visit.number(
            key("bone_weight", "How much the direction of bones counts at bones."),
            weights,
            &mut self.bone_weight,
        );
        visit.number(
            key("skin_weight", "How much it counts along the skin."),
            weights,
            &mut self.skin_weight,
        );
        visit.number(
            key("muscle_weight", "How much muscles' own fibres count where they are."),
            weights,
            &mut self.muscle_weight,
        );
        visit.number(
            key(
                "skin_turn_deg",
                "How far fibres along the skin are turned from the bone, degrees; mirrored from left to right.",
            ),
            [-90.0, 90.0],
            &mut self.skin_turn_deg,
        );
        visit.tables(key("stroke", "Lines on the skin along which fibres run."), &mut self.strokes);
    }
}

impl Fields for Stroke {
    const REQUIRED: &'static [&'static str] = &["points"];

    fn fields<V: Visit>(&mut self, visit: &mut V) {
        visit.points(
            key("points", "Corners, model space at rest, metres; two or more."),
            [-1e6, 1e6],
            &mut self.points,
        );
        visit.number(key("weight", "How much it counts."), [0.0, 100.0], &mut self.weight);
    }

    fn problems(&self) -> Vec<Problem> {
        match self.points.len() {
            0 | 1 => vec![Problem::new(format!(
                "a stroke needs two points or more, and has {}",
                self.points.len()
            ))],
            _ if self.points.windows(2).all(|pair| pair[0] == pair[1]) => {
                vec![Problem::new("all points of the stroke are the same, so that it has no direction")]
            }
            _ => Vec::new(),
        }
    }
}

impl Fields for MuscleSettings {
    fn fields<V: Visit>(&mut self, visit: &mut V) {
        visit.number(
            key("strength", "0 switches bulging off, 1 is a human's, more is caricature."),
            [0.0, 4.0],
            &mut self.drive.strength,
        );
        visit.number(
            key("tension_rise_per_sec", "Most that a muscle's tension rises in a second, from 0 slack to 1."),
            [0.0, 1e6],
            &mut self.drive.tension_rise_per_sec,
        );
        visit.number(
            key("tension_fall_per_sec", "Most that it falls."),
            [0.0, 1e6],
            &mut self.drive.tension_fall_per_sec,
        );
    }
}

impl Fields for MuscleSpec {
    fn fields<V: Visit>(&mut self, visit: &mut V) {
        visit.text(key("name", "What it is called; `.left` and `.right` are added."), &mut self.name);
        let mut sides = self.sides as usize;
        visit.word(key("sides", "both, left or right."), &Sides::ALL.map(Sides::name), &mut sides);
        self.sides = Sides::ALL[sides];
        visit.number(
            key(
                "lateral_exponent",
                "How much it thickens: 0.5 keeps its volume, 0 not at all, 1 twice as much.",
            ),
            [0.0, 2.0],
            &mut self.lateral_exponent,
        );
        visit.number(
            key("tension_shortening", "How much shorter it is at full tension without any motion."),
            [0.0, 0.5],
            &mut self.tension_shortening,
        );
        visit.tables(
            key("driver", "Joints that shorten and lengthen it; their curves multiply."),
            &mut self.drivers,
        );
        visit.tables(key("strip", "Its heads or bundles, from origin to insertion."), &mut self.strips);
    }

    fn problems(&self) -> Vec<Problem> {
        self.problems().iter().map(|problem| Problem::new(problem.to_string())).collect()
    }
}

impl Named for MuscleSpec {
    const NAME_KEY: &'static str = "name";

    fn name(&self) -> &str {
        &self.name
    }

    fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

impl Default for Driver {
    fn default() -> Self {
        Self { joint: Joint::Elbow, curve: Vec::new() }
    }
}

impl Fields for Driver {
    const REQUIRED: &'static [&'static str] = &["joint", "curve"];

    fn fields<V: Visit>(&mut self, visit: &mut V) {
        let names: Vec<&'static str> = Joint::ALL.iter().map(|joint| joint.name()).collect();
        let mut joint = self.joint as usize;
        visit.word(
            key("joint", "elbow, knee, wrist, ankle, shoulderElevation, shoulderForward, shoulderAcross, shoulderShrug, \
                 hipFlexion, hipAbduction, trunkFlexion, trunkSideBend or trunkTwist, of the muscle's side. 0 is the straight neutral human."),
            &names,
            &mut joint,
        );
        self.joint = Joint::ALL[joint];
        visit.points(
            key("curve", "Angles in degrees, rising, each with the length of the belly relative to the straight limb's."),
            [-360.0, 360.0],
            &mut self.curve,
        );
    }
}

impl Default for Strip {
    fn default() -> Self {
        Self { path: Vec::new(), width: 0.4, thickness: 0.3, belly: [0.0, 1.0] }
    }
}

impl Fields for Strip {
    const REQUIRED: &'static [&'static str] = &["path"];

    fn fields<V: Visit>(&mut self, visit: &mut V) {
        visit.number(
            key("width", "Half of its width round the limb, as a share of the distance from the limb's axis to the skin."),
            [0.01, 3.0],
            &mut self.width,
        );
        visit.number(
            key("thickness", "Half of its thickness between bone and skin, as the same share."),
            [0.01, 1.0],
            &mut self.thickness,
        );
        visit.numbers(
            key(
                "belly",
                "The part of the path that shortens, from 0 at the origin to 1; the rest is tendon.",
            ),
            [0.0, 1.0],
            &mut self.belly,
        );
        visit.lines(
            key("path", "From origin to insertion. on: trunk, shoulder, upperArm, lowerArm, upperLeg or lowerLeg; along: share of its length; \
                 angle: degrees, 0 front, 90 outside, 180 back, -90 inside; depth: 0 at the axis, 1 at the skin."),
            &mut self.path,
        );
    }
}

impl Default for Place {
    fn default() -> Self {
        Self::new(Segment::Trunk, 0.5, 0.0, 0.7)
    }
}

impl Fields for Place {
    const REQUIRED: &'static [&'static str] = &["on", "along", "angle", "depth"];

    fn fields<V: Visit>(&mut self, visit: &mut V) {
        let mut segment = self.segment as usize;
        visit.word(key("on", "A limb."), &Segment::ALL.map(Segment::name), &mut segment);
        self.segment = Segment::ALL[segment];
        visit.number(key("along", "Share of its length."), [-0.5, 1.5], &mut self.along);
        visit.number(key("angle", "Degrees from the front."), [-360.0, 360.0], &mut self.angle_deg);
        visit.number(key("depth", "From axis to skin."), [0.0, 1.0], &mut self.depth);
    }
}
