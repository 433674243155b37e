//! Settings that come back from what they made.

use super::*;
use glam::Vec3;
use sinew_flesh::{
    CoveredCharacter, FleshMotion, FleshPreset, FleshRig, FleshRigError, FleshRun, FleshSettings, FleshSkin,
};
use sinew_geometry::progress::{Progress, Step, one_at_a_time};
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_rig::{Character, samples};
use sinew_skin::Method;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A figure that squats three times as fast as its clip, so that flesh has a reason to swing.
struct Case {
    character: Character,
}

impl Case {
    fn new() -> Self {
        Self { character: samples::figure() }
    }

    fn motion(&self) -> FleshMotion {
        let clip = self.character.clips().iter().find(|clip| clip.name == "squat").unwrap();
        FleshMotion { speed: 3.0, ..FleshMotion::new(clip.clone(), 30.0) }
    }

    fn covered(&self) -> CoveredCharacter {
        let cover = CoverSettings { size: CoverSize::Count(800), ..CoverSettings::default() };
        CoveredCharacter::new(&self.character, &cover).unwrap()
    }

    fn record(&self, settings: &FleshSettings) -> Vec<Vec<Vec3>> {
        let rig = Arc::new(FleshRig::new(self.covered(), settings, &[]).unwrap());
        let run = FleshRun::new(&rig, Method::Lbs);
        let motion = self.motion();
        let frames = run.play(&motion, &Progress::none()).unwrap();
        let mut skin = FleshSkin::new(&run, &motion, &frames);
        let shapes = (0..skin.frame_count()).map(|frame| {
            skin.set_positions(frame);
            skin.positions().to_vec()
        });
        shapes.collect()
    }

    fn input(&self, start: &FleshSettings, examples: Vec<Vec<Vec3>>) -> TuneInput {
        TuneInput {
            covered: self.covered(),
            start: start.clone(),
            paints: Vec::new(),
            skinning: Method::Lbs.into(),
            skin: None,
            motion: self.motion(),
            examples,
        }
    }
}

/// Softer and livelier than any preset but `cartoon`.
fn truth() -> FleshSettings {
    let mut truth = FleshPreset::Natural.settings();
    truth.layers[1].young_pa = 12_000.0;
    truth.layers[2].young_pa = 600.0;
    truth.layers[2].damping_per_sec = 5.0;
    truth
}

/// What a search for stiffness and damping begins from: those of `subtle`, all else as in truth.
fn stiff_start() -> FleshSettings {
    let mut start = truth();
    for (layer, of) in start.layers.iter_mut().zip(FleshPreset::Subtle.settings().layers) {
        (layer.young_pa, layer.damping_per_sec) = (of.young_pa, of.damping_per_sec);
    }
    start
}

#[test]
fn settings_come_back_from_what_they_made() {
    let case = Case::new();
    let examples = case.record(&truth());
    let start = stiff_start();
    let settings = TuneSettings {
        targets: vec![TuneTarget::Stiffness, TuneTarget::Damping],
        evaluations: 40,
        ..TuneSettings::default()
    };
    let mut errors = Vec::new();
    let watch = one_at_a_time(|step| {
        errors.extend(step.residual);
        ControlFlow::Continue(())
    });
    let report = tune_flesh(case.input(&start, examples), &settings, &Progress::new(&watch)).unwrap();
    drop(watch);
    assert!(report.after.rms_m * 5.0 < report.before.rms_m, "{report:#?}");
    assert!(
        report.after.held_out_share.unwrap() < 0.2 * report.before.held_out_share.unwrap(),
        "{report:#?}"
    );
    let (found, wanted) = (&report.settings.layers[2], &truth().layers[2]);
    assert!((found.young_pa / wanted.young_pa - 1.0).abs() < 0.2, "{report:#?}");
    assert!((found.damping_per_sec / wanted.damping_per_sec - 1.0).abs() < 0.3, "{report:#?}");
    assert_eq!(report.settings.fibers, start.fibers, "what may not change does not");
    assert!(report.evaluations <= 40 && errors.is_sorted_by(|a, b| a >= b), "{errors:?}");
}

#[test]
fn layers_are_as_many_as_are_worth_it() {
    let case = Case::new();
    let three = FleshPreset::Natural.settings();
    let settings =
        TuneSettings { targets: vec![TuneTarget::Layers], evaluations: 10, ..TuneSettings::default() };
    for recorded in [2, 3] {
        let examples = case.record(&with_layer_count(&three, recorded).unwrap());
        let found = tune_flesh(case.input(&three, examples), &settings, &Progress::none()).unwrap();
        assert_eq!(found.settings.layers.len(), recorded, "{found:#?}");
        let tried: Vec<usize> = found.layer_counts.iter().map(|tried| tried.layers).collect();
        assert_eq!((tried, found.evaluations), (vec![3, 2, 4], 3));
        assert!(found.after.share < 1e-3, "{found:#?}");
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let case = Case::new();
    let start = FleshPreset::Natural.settings();
    let shapes = case.record(&start);
    let told = |examples: Vec<Vec<Vec3>>, expected: &str| {
        let tuned = tune_flesh(case.input(&start, examples), &TuneSettings::default(), &Progress::none());
        let error = tuned.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error:?} should contain {expected:?}");
    };
    told(Vec::new(), "it has no frames");
    told(shapes[1..].to_vec(), "33 at 30 fps (");
    let mut short = shapes.clone();
    short[3].pop();
    told(short, "frame 3 has");
    let mut broken = shapes.clone();
    broken[2][7].y = f32::NAN;
    told(broken, "frame 2: vertex 7 is not finite");
    let mut stiff = start.clone();
    stiff.layers.iter_mut().for_each(|layer| layer.is_held = true);
    told(case.record(&stiff), "no follow-through");
    let none = TuneSettings { targets: Vec::new(), ..TuneSettings::default() };
    tune_flesh(case.input(&start, shapes.clone()), &none, &Progress::none()).expect_err("nothing to seek");
    let tuned = tune_flesh(case.input(&stiff, shapes.clone()), &TuneSettings::default(), &Progress::none());
    assert!(matches!(tuned, Err(TuneError::NothingMoves)), "{tuned:?}");
    let stop = |_: &Step<'_>| ControlFlow::Break(());
    let stopped = tune_flesh(case.input(&start, shapes), &TuneSettings::default(), &Progress::new(&stop));
    assert!(matches!(stopped, Err(TuneError::Rig(FleshRigError::Interrupted(_)))), "{stopped:?}");
}
