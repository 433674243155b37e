//! Helpers that follow other bones, on whole characters.

use super::outcome::Fitted;
use crate::fit::append::{AppendSource, Appending};
use crate::output::append::put_append_on;
use crate::output::mmd::Appended;
use crate::*;
use sinew_geometry::progress::{Progress, one_at_a_time};
use sinew_io::{Limits, Report};
use sinew_model::{Model, SaveSettings};
use sinew_rig::{BoundSurface, Character, Pose, samples};
use sinew_skin::{Method, PosedCharacter, SkinSettings};
use std::ops::ControlFlow;

/// Metres: positions have 32 bits.
const FLOAT: f32 = 2e-6;

fn request(method: Method, helper_count: usize) -> FitRequest {
    let mut rig = RigFitSettings { pose_count: 60, held_out_count: 20, ..RigFitSettings::default() };
    (rig.helpers.helper_count, rig.helpers.start_count, rig.helpers.refine_sweeps) = (helper_count, 6, 20);
    let mmd = Some(MmdRequest { bakes_clips: true, ..MmdRequest::default() });
    FitRequest { source: FitSource::Method(method), rig, mmd, ..FitRequest::default() }
}

fn fit(character: Character, request: &FitRequest) -> (Model, FitOutcome) {
    let model = Model::new(character);
    let outcome = fit_character(&model, request, &Progress::none()).unwrap();
    (model, outcome)
}

fn appended(outcome: &FitOutcome) -> &AppendedRig {
    &outcome.fitted.appended.as_ref().unwrap().rig
}

#[test]
fn a_limb_keeps_most_of_what_controllers_remove_and_keys_give_the_rest() {
    let (_, outcome) = fit(samples::limb(16, 24), &request(Method::Dlb, 2));
    let (append, controllers) = (outcome.append.clone().unwrap(), outcome.held_out.unwrap());
    let with = append.held_out.unwrap();
    assert_eq!(with.rms_plain, controllers.rms_plain);
    assert!(
        with.rms_plain - with.rms > 0.6 * (with.rms_plain - controllers.rms),
        "{with:?} of {controllers:?}"
    );
    assert!(with.largest_at_rest < 1e-6, "{with:?}");
    let [bend] = &append.motions[..] else { panic!("one clip: {:?}", append.motions) };
    assert!(bend.rms_baked < bend.rms && bend.rms < bend.rms_plain, "{bend:?}");
    assert!(bend.rms_plain - bend.rms_baked > 0.95 * (bend.rms_plain - bend.rms_gltf), "{bend:?}");
}

/// What was fitted is what a character with these bones shows, in any pose and with keys.
#[test]
fn bones_that_follow_show_what_was_fitted() {
    let (model, outcome) = fit(samples::figure(), &request(Method::BEZIER, 6));
    let Fitted { drivers, appended, .. } = &outcome.fitted;
    let Appended { rig, baked, fps, .. } = appended.as_ref().unwrap();
    assert!(!rig.chains.is_empty());
    let made = put_append_on(&model.character, drivers, rig, (baked, *fps)).unwrap();
    assert!(made.controllers().is_empty());
    let bound = BoundSurface::of(&model.character);
    let deformer = sinew_skin::bind(&model.character, &bound, &SkinSettings::from(Method::Lbs)).into();
    let poser = Poser { character: &model.character, bound: &bound, drivers, deformer };
    let all: Vec<usize> = (0..drivers.bones().len()).collect();
    let mut shown = PosedCharacter::bind(&made, Method::Lbs);
    for turns in &outcome.fitted.poses {
        let set =
            poser.examples(Scope { vertices: &rig.vertices, drivers: &all }, std::slice::from_ref(turns));
        shown.set(&crate::examples::posing::turned(&made, turns));
        for (place, &vertex) in rig.placed(&set).iter().zip(&rig.vertices) {
            let found = shown.surface().positions[vertex as usize];
            assert!(place.distance(found) < FLOAT, "vertex {vertex}: {found}, expected {place}");
        }
    }
}

#[test]
fn both_sides_are_mirror_images_and_rest_is_exact() {
    let (model, outcome) = fit(samples::figure(), &request(Method::BEZIER, 8));
    assert!(outcome.is_symmetric);
    let rig = appended(&outcome);
    assert!(rig.chains.len() >= 4, "{:?}", rig.chains);
    let drivers = DriverBinds::all(&model.character).unwrap();
    let symmetry = Symmetry::find(&BoundSurface::of(&model.character), &drivers).unwrap();
    let bones = rig.driver_count + rig.chains.len();
    let mut partners = Vec::new();
    for chain in &rig.chains {
        let image = chain.mirrored(|driver| symmetry.driver(driver));
        let partner = rig.chains.iter().position(|other| *other == image);
        partners.push(partner.unwrap_or_else(|| panic!("{chain:?} has no mirror image")));
    }
    let place = |vertex: u32| rig.vertices.binary_search(&vertex).unwrap();
    for &vertex in &rig.vertices {
        let row = |vertex: u32| &rig.weights[place(vertex) * bones..][..bones];
        let (own, image) = (row(vertex), row(symmetry.vertex(vertex)));
        for (chain, &partner) in partners.iter().enumerate() {
            let (own, image) = (own[rig.driver_count + chain], image[rig.driver_count + partner]);
            assert!((own - image).abs() < 1e-6, "vertex {vertex}: {own} and {image}");
        }
    }
    assert!(outcome.append.unwrap().held_out.unwrap().largest_at_rest < 1e-6);
}

/// Bones alone are the truth here: nothing that follows can be better.
#[test]
fn followers_that_are_no_better_than_bones_alone_are_refused() {
    let (model, outcome) = fit(samples::limb(16, 24), &request(Method::Dlb, 2));
    let stage = Stage::new(&model.character, Method::Lbs);
    let settings = request(Method::Dlb, 2).rig;
    let (made, report) = stage.appending(&outcome, &settings, &Progress::none()).unwrap();
    let joints: Vec<&str> = report.refused.iter().map(|refusal| &refusal.joint[..]).collect();
    assert_eq!(joints, ["lower"], "{report:?}");
    assert!(made.chains.is_empty() && report.links == 0);
    assert_eq!(made.weights, FittedRig::plain(&stage.drivers, &stage.bound).weights);
    let held_out = report.held_out.unwrap();
    assert!(held_out.rms < 1e-6, "{held_out:?}");
}

#[test]
fn a_pmx_and_its_vmd_show_what_was_measured() {
    let (model, mut outcome) = fit(samples::limb(16, 24), &request(Method::Dlb, 2));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("limb.pmx");
    let truth = PosedCharacter::bind(&model.character, Method::Dlb);
    outcome
        .save(Model::new(model.character.clone()), &path, &SaveSettings::default(), &mut Report::default())
        .unwrap();
    assert_eq!(outcome.motion_files, [path.with_extension("vmd")]);
    let mut report = Report::default();
    let mut written = Model::open(&path, &Limits::default(), &mut report).unwrap();
    let choice = sinew_model::motion::MotionChoice::new(&outcome.motion_files[0]);
    let name = written.add_motion(&choice, &Limits::default(), &mut report).unwrap();
    let clip = &written.character.clips()[written.character.find_clip(&name).unwrap().index()];
    let (mut shown, mut truth) = (PosedCharacter::bind(&written.character, Method::Lbs), truth);
    let own = &model.character.clips()[0];
    let (mut sum, mut count) = (0.0, 0);
    for frame in 0..own.frame_count(30.0) {
        let time_secs = frame as f64 / 30.0;
        shown.set(&Pose::at(&written.character, clip, time_secs));
        truth.set(&Pose::at(&model.character, own, time_secs));
        for (a, b) in shown.surface().positions.iter().zip(&truth.surface().positions) {
            sum += f64::from(a.distance_squared(*b));
            count += 1;
        }
    }
    let (rms, told) = ((sum / f64::from(count)).sqrt(), outcome.append.unwrap().motions[0].rms_baked);
    assert!((rms / told - 1.0).abs() < 0.02, "{rms} in the files, {told} measured");
}

#[test]
fn a_fit_that_was_not_made_for_mmd_is_not_written_as_pmx() {
    let plain = FitRequest { mmd: None, ..request(Method::Dlb, 1) };
    let (model, mut outcome) = fit(samples::limb(8, 8), &plain);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("limb.pmx");
    let saved = outcome.save(
        Model::new(model.character.clone()),
        &path,
        &SaveSettings::default(),
        &mut Report::default(),
    );
    assert!(matches!(saved, Err(FitError::NotForMmd)) && !path.exists());
    let both = FitRequest { correctives: 2, ..request(Method::Dlb, 1) };
    let refused = fit_character(&model, &both, &Progress::none());
    assert!(matches!(refused, Err(FitError::CorrectivesInMmd)));
}

#[test]
fn followers_can_be_interrupted() {
    let (model, outcome) = fit(samples::limb(8, 8), &request(Method::Dlb, 1));
    let stage = Stage::new(&model.character, Method::Dlb);
    let mut calls = 0;
    let watch = one_at_a_time(|_| {
        calls += 1;
        if calls < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let stopped = stage.appending(&outcome, &request(Method::Dlb, 1).rig, &Progress::new(&watch));
    assert!(matches!(stopped, Err(FitError::Interrupted)));
}

/// A character whose skin a method moves.
struct Stage<'a> {
    character: &'a Character,
    bound: BoundSurface,
    drivers: DriverBinds,
    method: Method,
}

impl<'a> Stage<'a> {
    fn new(character: &'a Character, method: Method) -> Self {
        let (bound, drivers) = (BoundSurface::of(character), DriverBinds::all(character).unwrap());
        Self { character, bound, drivers, method }
    }

    /// Has the helpers of a fit follow other bones.
    fn appending(
        &self,
        outcome: &FitOutcome,
        settings: &RigFitSettings,
        progress: &Progress<'_>,
    ) -> Result<(AppendedRig, AppendReport), FitError> {
        let Self { character, bound, drivers, method } = self;
        let deformer = sinew_skin::bind(character, bound, &SkinSettings::from(*method)).into();
        let poser = &Poser { character, bound, drivers, deformer };
        let regions = &regions(character, bound, drivers, None, None, &|_| true, &|_| true);
        let (rig, source) = (&outcome.fitted.rig, AppendSource::Ranges);
        Appending { poser, regions, rig, source, settings, has_keys: false }.run(progress)
    }
}
