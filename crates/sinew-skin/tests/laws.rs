//! Every method keeps the laws of `Deformer`.

use rayon::ThreadPoolBuilder;
use sinew_rig::conformance::{self, PER_VERTEX_LAWS, POST_PASS_LAWS};
use sinew_rig::{BoundSurface, Character, Deformer};
use sinew_skin::{BezierForm, JointRule, Method, RotationBlend, SkinSettings};

/// Every method and parameter that changes the formula, and a mix.
fn settings() -> Vec<SkinSettings> {
    let per_vertex = Method::ALL.into_iter().filter(|method| !matches!(method, Method::DeltaMush { .. }));
    let variants = [
        Method::Sdef { s: 0.0, rotation: RotationBlend::Slerp },
        Method::Sdef { s: 1.0, rotation: RotationBlend::Nlerp },
        Method::Bezier { rotation: RotationBlend::Nlerp, form: BezierForm::Joint },
    ];
    let mixed = SkinSettings {
        method: Method::Dlb,
        joints: vec![JointRule { pattern: "low*".into(), method: Method::BEZIER }],
        ..SkinSettings::default()
    };
    per_vertex.chain(variants).map(SkinSettings::from).chain([mixed]).collect()
}

#[test]
fn every_method_keeps_every_law() {
    for settings in settings() {
        let bind =
            |character: &Character, bound: &BoundSurface| sinew_skin::bind(character, bound, &settings);
        for (law, check) in PER_VERTEX_LAWS {
            if let Err(broken) = check(&bind) {
                panic!("{} breaks \"{law}\": {broken}", settings.method);
            }
        }
    }
}

#[test]
fn delta_mush_keeps_the_laws_of_a_post_pass() {
    let settings = SkinSettings::from(Method::DeltaMush { iterations: 10 });
    let bind = |character: &Character, bound: &BoundSurface| sinew_skin::bind(character, bound, &settings);
    for (law, check) in POST_PASS_LAWS {
        if let Err(broken) = check(&bind) {
            panic!("delta_mush breaks \"{law}\": {broken}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    for settings in settings() {
        let bind = |character: &Character, bound: &BoundSurface| -> Box<dyn Deformer> {
            sinew_skin::bind(character, bound, &settings)
        };
        let on = |threads: usize| {
            move |work: &mut (dyn FnMut() + Send)| {
                ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(work)
            }
        };
        conformance::same_bits(&bind, &[&on(1), &on(2), &on(5)])
            .unwrap_or_else(|broken| panic!("{}: {broken}", settings.method));
    }
}
