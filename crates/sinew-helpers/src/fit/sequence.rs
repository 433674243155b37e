//! Helpers from shapes that are given frame by frame: simulated, sculpted or cached.

use super::rig_fit::{RegionSet, assembled, fit_regions, region_poses, reports};
use crate::examples::region::join_all;
use crate::{
    ExampleSet, FitError, FittedRig, Poser, Region, RegionReport, Regions, RigFitSettings, Sampling, Scope,
};
use glam::{DAffine3, Vec3};
use sinew_fit::{
    DriverInput, HelperSettings, Take, detect_input, detect_shifts, fit_swings, repose_helpers,
    swinging_helpers,
};
use sinew_geometry::progress::Progress;
use sinew_rig::Pose;

/// Poses with the shapes that they should give, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// One a frame.
    pub poses: Vec<Pose>,
    /// All vertices of the surface, one list a frame.
    pub shapes: Vec<Vec<Vec3>>,
    /// Whether the end is the beginning of another round.
    pub is_loop: bool,
}

impl Sequence {
    fn take(&self) -> Take {
        Take { frame_count: self.poses.len(), is_loop: self.is_loop }
    }
}

/// How a rig is fitted to sequences.
#[derive(Clone, Copy, Debug)]
pub struct SequenceSettings<'a> {
    /// As for deformers; `sampling` and `pose_count` do not count.
    pub rig: &'a RigFitSettings,
    /// Poses of each region that are added with the shape that the poser's deformer gives, so that joints which the sequence does not bend
    /// keep their skin.
    pub still_poses: usize,
    /// Frames a second, where shapes were simulated and helpers should lag and swing. All skin that moves is then fitted as one, because
    /// follow-through does not end at joints, and weights are those for helpers where the simulation wants them.
    pub follow_fps: Option<f64>,
}

/// Ways of drivers below this share of the model's size are none.
const STILL_WAY: f64 = 1e-6;

/// Regions whose squared error together is less than this share of all are left as they are when shapes were simulated.
const STILL_SHARE: f64 = 1e-3;

/// Fits helpers to sequences.
///
/// # Errors
/// Shapes or settings that cannot be used, or [`FitError::Interrupted`].
pub fn fit_sequences(
    poser: &Poser<'_>,
    regions: &Regions,
    sequences: &[&Sequence],
    settings: &SequenceSettings<'_>,
    progress: &Progress<'_>,
) -> Result<(FittedRig, Vec<RegionReport>), FitError> {
    let all: Vec<usize> = (0..poser.drivers.bones().len()).collect();
    let bones = sequences.iter().map(|sequence| {
        poser.sequence(Scope { vertices: &[], drivers: &all }, &sequence.poses, &sequence.shapes)
    });
    let bones: Vec<ExampleSet> = bones.collect();
    // One kind of input a driver, whatever region looks at it.
    let still = STILL_WAY * poser.drivers.size();
    let of_driver = |driver: usize| {
        let of = |set| ExampleSet::of_driver(set, driver);
        let turns = detect_input(bones.iter().flat_map(of).map(|change| change.rotation));
        match settings.rig.controllers.shifting.contains(&driver) {
            true => {
                turns.with_shifts(&detect_shifts(bones.iter().flat_map(of).map(|change| change.shift), still))
            }
            false => turns,
        }
    };
    let mut inputs: Vec<DriverInput> = all.iter().map(|&driver| of_driver(driver)).collect();
    if let Some(symmetry) = &regions.symmetry {
        inputs = symmetry.inputs(&inputs);
    }
    let regions = &Regions { inputs, ..regions.clone() };
    let set_of = |region: &Region| {
        let scope = Scope { vertices: &region.vertices, drivers: &region.drivers };
        let mut set = poser.empty(scope);
        for sequence in sequences {
            set.append(&poser.sequence(scope, &sequence.poses, &sequence.shapes));
        }
        if settings.still_poses > 0 {
            let poses = region_poses(region, Sampling::LowDiscrepancy, settings.still_poses, (0, 0));
            set.append(&poser.examples(scope, &poses));
        }
        set
    };
    fn given<'a>(poser: &Poser<'_>, regions: &'a Regions, set: ExampleSet, index: usize) -> RegionSet<'a> {
        RegionSet::given(poser, (regions, index), set, &regions.inputs)
    }
    let mut sets: Vec<RegionSet<'_>> =
        regions.own().map(|(index, region)| given(poser, regions, set_of(region), index)).collect();
    let moving;
    let mut rig_settings = settings.rig.clone();
    if settings.follow_fps.is_some() && !sets.is_empty() {
        let joined = join_all(moving_regions(&sets));
        moving = Regions { list: vec![joined], inputs: regions.inputs.clone(), symmetry: None };
        sets = vec![given(poser, &moving, set_of(&moving.list[0]), 0)];
        rig_settings.joint_helpers = rig_settings.helpers.helper_count;
        rig_settings.controllers.refit_rounds = 0;
    }
    let mut fits = fit_regions(poser, sets, &rig_settings, progress)?;
    if settings.follow_fps.is_none() {
        fits.iter_mut().for_each(|(set, fit)| set.refuse_harm(fit));
    }
    let mut rig = assembled(poser, &fits)?;
    if let Some(fps) = settings.follow_fps {
        let takes: Vec<Take> = sequences.iter().map(|sequence| sequence.take()).collect();
        let frame_count = takes.iter().map(|take| take.frame_count).sum();
        // What moves follows the motion. Poses of a clip would only teach what this very clip does in them, and another would be worse off than with bones
        // alone.
        rig.controllers.helpers.iter_mut().for_each(|helper| helper.coefficients.fill(0.0));
        for (set, fit) in fits.iter().filter_map(|(set, fit)| Some((set, fit.as_ref()?))) {
            let mut controllers = fit.controllers.clone();
            controllers.helpers.iter_mut().for_each(|helper| helper.coefficients.fill(0.0));
            let frames = set.set.first_poses(frame_count);
            let changes = &frames.driver_changes;
            let found = fit_swings(&frames.examples(), changes, &fit.weights, &controllers, (&takes, fps))?;
            rig.swings.extend(found.swings);
        }
        rig.swing_fps = fps;
    }
    Ok((rig, reports(poser, &fits, &[])))
}

/// Regions that are not still, the most moving first.
fn moving_regions(sets: &[RegionSet<'_>]) -> Vec<Region> {
    let mut order: Vec<&RegionSet<'_>> = sets.iter().collect();
    order.sort_by(|a, b| b.energy.total_cmp(&a.energy));
    let total: f64 = sets.iter().map(|set| set.energy).sum();
    let mut left = total;
    let mut moving = Vec::new();
    for set in order {
        if !moving.is_empty() && left <= STILL_SHARE * total {
            break;
        }
        left -= set.energy;
        moving.push(set.region.clone());
    }
    moving
}

/// What is left over of a sequence, metres.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct SequenceErrors {
    /// Frames.
    pub frames: usize,
    /// RMS of the bones alone.
    pub rms_plain: f64,
    /// RMS with helpers as the clip is baked: where they should be in every frame, or by controllers where those were fitted to ranges of joints.
    pub rms_baked: f64,
    /// RMS with controllers.
    pub rms_controllers: f64,
    /// RMS with controllers that lag and swing; none without swings.
    pub rms_following: Option<f64>,
}

/// Where helpers should be in every frame of a sequence.
#[derive(Clone, Debug)]
pub struct BakedSequence {
    /// The clip.
    pub name: String,
    /// Skinning matrices, frame by frame, in each frame one per helper.
    pub helpers: Vec<DAffine3>,
}

/// Where helpers should be in every frame of a sequence, and what is then left over. Skinning matrices, frame by frame, in each frame one
/// per helper.
///
/// # Errors
/// Shapes that cannot be used.
pub fn follow_sequence(
    poser: &Poser<'_>,
    rig: &FittedRig,
    sequence: &Sequence,
    settings: &HelperSettings,
) -> Result<(Vec<DAffine3>, SequenceErrors), FitError> {
    let drivers: Vec<usize> = (0..rig.driver_count).collect();
    let scope = Scope { vertices: &rig.vertices, drivers: &drivers };
    let set = poser.sequence(scope, &sequence.poses, &sequence.shapes);
    set.examples().check().map_err(sinew_fit::HelperError::from)?;
    let said: Vec<DAffine3> = (0..set.pose_count())
        .flat_map(|pose| rig.controllers.posed_from_rest(set.changes(pose), set.examples().drivers(pose)))
        .collect();
    let plain = FittedRig::plain(poser.drivers, poser.bound);
    let free = HelperSettings { rules: Default::default(), ..settings.clone() };
    let (baked, baked_errors) = match rig.helper_count() {
        0 => (Vec::new(), None),
        _ => {
            let (baked, errors) = repose_helpers(&set.examples(), &rig.weights, &said, &free)?;
            (baked, Some(errors.rms))
        }
    };
    let rms = |rig: &FittedRig, helpers: &[DAffine3]| {
        let count = rig.helper_count();
        let of = |pose: usize| rig.blend(&set, pose, &helpers[pose * count..][..count]);
        set.rms_of(&(0..set.pose_count()).flat_map(of).collect::<Vec<Vec3>>())
    };
    let rms_controllers = rms(rig, &said);
    let errors = SequenceErrors {
        frames: set.pose_count(),
        rms_plain: rms(&plain, &[]),
        rms_baked: baked_errors.unwrap_or(rms_controllers),
        rms_controllers,
        rms_following: following(rig, &set, sequence.take()).map(|helpers| rms(rig, &helpers)),
    };
    Ok((baked, errors))
}

/// Helpers that lag and swing.
fn following(rig: &FittedRig, set: &ExampleSet, take: Take) -> Option<Vec<DAffine3>> {
    if rig.swings.is_empty() {
        return None;
    }
    let takes = (&[take][..], rig.swing_fps);
    Some(swinging_helpers(&set.examples(), &set.driver_changes, &rig.controllers, &rig.swings, takes))
}
