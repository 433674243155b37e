//! Whole jobs: a request in, an outcome out.

pub(crate) mod character;
pub(crate) mod exchange;
pub(crate) mod outcome;
pub(crate) mod request;

#[cfg(test)]
mod append_tests;

#[cfg(test)]
mod tests {
    use crate::{FitError, FitRequest, FitSource, RigFitSettings, Symmetric, fit_character};
    use sinew_geometry::progress::Progress;
    use sinew_io::Report;
    use sinew_model::{Model, SaveSettings};
    use sinew_rig::samples;
    use sinew_skin::Method;

    fn quick() -> FitRequest {
        let mut rig = RigFitSettings { pose_count: 20, held_out_count: 5, ..RigFitSettings::default() };
        (rig.helpers.helper_count, rig.helpers.start_count, rig.helpers.refine_sweeps) = (1, 2, 5);
        FitRequest { source: FitSource::Method(Method::Dlb), rig, ..FitRequest::default() }
    }

    #[test]
    fn a_request_survives_json_and_its_outcome_is_written() {
        let request = quick();
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<FitRequest>(&text).unwrap(), request);
        assert_eq!(serde_json::from_str::<FitRequest>("{}").unwrap(), FitRequest::default());
        let model = Model::new(samples::figure());
        let mut request = FitRequest { joints: vec!["LeftLowerArm".to_owned()], ..request };
        request.rig.symmetric = Symmetric::Off;
        let mut outcome = fit_character(&model, &request, &Progress::none()).unwrap();
        let told = serde_json::to_value(&outcome).unwrap();
        let keys: Vec<&str> = told.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys[..3], ["vertices", "drivers", "helpers"]);
        assert_eq!(keys[8..], ["is_symmetric", "regions", "held_out", "removed"]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rig.vrm");
        outcome.save(model, &path, &SaveSettings::default(), &mut Report::default()).unwrap();
        assert!(path.is_file() && outcome.constraints.is_some_and(|losses| losses.len() == 1));
    }

    #[test]
    fn what_a_model_does_not_have_is_told_by_name() {
        let model = Model::new(samples::limb(8, 8));
        let told = |request: &FitRequest| fit_character(&model, request, &Progress::none()).unwrap_err();
        let tail = || vec!["tail*".to_owned()];
        let joints = told(&FitRequest { joints: tail(), ..quick() });
        assert!(matches!(joints, FitError::Joints { pattern } if pattern == "tail*"));
        let locked = told(&FitRequest { locked_bones: tail(), ..quick() });
        assert!(matches!(locked, FitError::LockedBones { .. }), "{locked}");
        assert!(matches!(told(&FitRequest { clips: tail(), ..quick() }), FitError::Clip(_)));
        let source = FitSource::Flesh { tet_count: 100, preset: "natural".into() };
        assert!(matches!(told(&FitRequest { source, ..quick() }), FitError::NoClip));
    }
}
