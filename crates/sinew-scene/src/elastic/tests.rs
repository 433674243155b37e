//! Scenes as a person writes them: what is refused, what is played.

use super::*;
use crate::{Reading, SceneChoices, SceneError};
use sinew_geometry::Bounds;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use std::path::Path;
use std::sync::Arc;

fn opened(text: &str) -> Result<Arc<ElasticScene>, SceneError> {
    let (choices, mut report) = (SceneChoices::default(), Report::default());
    let folder = Path::new("no such folder");
    ElasticScene::read(text, &choices, &mut Reading { folder, ..Reading::here(&mut report) })
}

#[track_caller]
fn played(text: &str) -> (Arc<ElasticScene>, Arc<Playback>) {
    let scene = opened(text).unwrap_or_else(|error| panic!("{error}"));
    let playback = Playback::of(&scene, &Progress::none()).unwrap_or_else(|error| panic!("{error}"));
    (scene, playback)
}

#[track_caller]
fn check_refused(text: &str, parts: &[&str]) {
    let said = match opened(text) {
        Ok(_) => panic!("{text:?} was taken"),
        Err(error) => error.to_string(),
    };
    for part in parts {
        assert!(said.contains(part), "{said:?} does not say {part:?}");
    }
}

/// The shipped scene of a name.
fn shipped(name: &str) -> &'static str {
    SCENES.iter().find(|(found, _)| *found == name).expect("a shipped scene").1
}

/// The weight of a body's first example in its first group, frame by frame.
fn weights(playback: &Playback, body: usize) -> Vec<f32> {
    playback.frames.iter().map(|frame| frame.bodies[body].weights[0][0]).collect()
}

const CUBOID: &str = "[[body]]\nname = \"bar\"\nmade = \"cuboid\"\n";

#[test]
fn mistakes_are_told_with_their_line_column_and_a_way_out() {
    check_refused("", &["line 1", "no [[body]]"]);
    check_refused("[scen]\n", &["line 1, column 2", "unknown key `scen`", "did you mean `scene`?"]);
    check_refused("[[body]]\n", &["line 1", "body \"body 1\"", "choose a shape"]);
    check_refused(
        "[[body]]\nmade = \"cubiod\"\n",
        &["line 2, column 8", "unknown value \"cubiod\"", "cuboid"],
    );
    check_refused(&format!("{CUBOID}yuong = 3\n"), &["line 4, column 1", "did you mean `young`?"]);
    check_refused(&format!("{CUBOID}young = -3\n"), &["line 4, column 9", "bar", "young", "use 0 to"]);
    check_refused(&format!("{CUBOID}poisson = 0.5\n"), &["line 4", "use 0 to 0.499"]);
    check_refused(&format!("{CUBOID}bulk = 1\npoisson = 0.3\n"), &["line 5", "remove one of the two"]);
    check_refused(&format!("{CUBOID}cells = [1, 2.5, 1]\n"), &["cells[1]", "whole number"]);
    check_refused(&format!("{CUBOID}grouping = \"groups\"\n"), &["bar", "groups = { axis"]);
    check_refused(&format!("{CUBOID}groups = {{ axis = \"y\", count = 2 }}\n"), &["grouping = \"groups\""]);
    check_refused(&format!("{CUBOID}[[body.example]]\nname = \"twits\"\n"), &["line 4", "twits"]);
    check_refused(&format!("{CUBOID}[[body.example]]\nshape = \"knot\"\n"), &["line 5", "twist, bend"]);
    check_refused(&format!("{CUBOID}[[body.example]]\nfile = \"gone.msh\"\n"), &["line 4", "gone.msh"]);
    check_refused(
        &format!("{CUBOID}[[body]]\nname = \"bar\"\nmade = \"cuboid\"\n"),
        &["line 4", "named \"bar\""],
    );
    check_refused("[[body]]\nfile = \"gone.obj\"\n", &["line 1", "gone.obj"]);
    check_refused(
        &format!("[scene]\nfps = 25\nrate = 60\n{CUBOID}"),
        &["line 3, column 8", "multiple of `fps`"],
    );
    check_refused(&format!("{CUBOID}[[collider]]\nshape = \"cone\"\n"), &["line 5", "plane, box"]);
    check_refused(
        &format!("{CUBOID}[[collider]]\nshape = \"box\"\nsize = [1, 0, 1]\n"),
        &["line 6", "edges"],
    );
    let handle = |rest: &str| format!("{CUBOID}[[handle]]\n{rest}");
    check_refused(
        &handle("body = \"bars\"\nnear = [0, 0, 0]\nradius = 1\n"),
        &["line 4", "did you mean \"bar\"?"],
    );
    check_refused(
        &handle("body = \"bar\"\nnear = [9, 0, 0]\nradius = 1\n"),
        &["no particle is inside", "0.200"],
    );
    check_refused(&handle("body = \"bar\"\n"), &["line 4", "near = [x, y, z]"]);
    check_refused(
        &handle("body = \"bar\"\nnear = [0, 0, 0]\nradius = 1\nfrom = 2\nuntil = 1\n"),
        &["line 9", "ends before it starts"],
    );
    check_refused(
        &handle("body = \"bar\"\nnear = [0, 0, 0]\nradius = 1\nkeys = [{ time = 1 }, { time = 0 }]\n"),
        &["line 8", "not after the previous key"],
    );
    check_refused(&format!("{CUBOID}[scene]\nduration = 30000\nfps = 1000\n"), &["GiB", "shorter duration"]);
}

#[test]
fn scenes_of_documents_models_and_the_demo_are_read() {
    let page = include_str!("../../../../docs/formats/elastic.md");
    let shown = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let demo = include_str!("../../../sinew-figures/src/demo/jelly.toml");
    for (name, text) in SCENES.into_iter().chain([("documents", shown), ("demo", demo)]) {
        let scene = opened(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(scene.frame_count() > 1, "{name}");
    }
}

#[test]
fn a_cuboid_twists_on_impact_and_comes_back() {
    let (scene, playback) = played(shipped("twist"));
    let weights = weights(&playback, 0);
    let landed = playback.frames.iter().position(|frame| frame.bounds().min().y < 1e-3).expect("it lands");
    assert!(weights[..landed].iter().all(|weight| *weight < 0.01), "it is itself while it falls");
    let most = weights.iter().copied().fold(0.0, f32::max);
    assert!(most > 0.4, "it twists on impact, by {most}");
    let last = weights[weights.len() - 1];
    assert!(last < 0.08, "it comes back to {last}");
    let end = &playback.frames[playback.frames.len() - 1];
    assert!(end.bodies[0].most_speed < 0.02, "it rests");
    let height = end.bounds().size().y / 0.8;
    assert!((0.94..1.01).contains(&height), "as high as it was: {height}");
    // The top is turned against the bottom when the weight is greatest, and hardly at the end.
    let turned = |frame: usize| {
        let mesh = &scene.casts()[0].model.mesh;
        let angle = |is_top: bool| {
            let edge = mesh.points().iter().enumerate().filter(|(_, rest)| {
                rest.x.abs() > 0.19 && rest.z.abs() > 0.19 && rest.y.abs() > 0.39 && (rest.y > 0.0) == is_top
            });
            let middle = Bounds::of(&playback.frames[frame].bodies[0].positions).center();
            let turns = edge.map(|(at, rest)| {
                let now = playback.frames[frame].bodies[0].positions[at] - middle;
                (now.z.atan2(now.x) - rest.z.atan2(rest.x)).sin()
            });
            turns.sum::<f32>() / 4.0
        };
        (angle(true).asin() - angle(false).asin()).abs().to_degrees()
    };
    let strongest = weights.iter().position(|weight| *weight == most).expect("it is one of them");
    assert!(turned(strongest) > 20.0, "{}° on impact", turned(strongest));
    assert!(turned(playback.frames.len() - 1) < 8.0, "{}° at the end", turned(playback.frames.len() - 1));
}

#[test]
fn the_nearer_beta_is_to_one_the_more_a_body_gives_in() {
    let (_, playback) = played(shipped("beta"));
    let last = &playback.frames[playback.frames.len() - 1];
    let weights: Vec<f32> = last.bodies.iter().map(|body| body.weights[0][0]).collect();
    assert!(weights.is_sorted() && weights[0] < 0.05 && weights[4] > 0.9, "{weights:?}");
    let heights: Vec<f32> = last.bodies.iter().map(|body| Bounds::of(&body.positions).size().y).collect();
    assert!(heights.iter().rev().is_sorted(), "{heights:?}");
}

#[test]
fn bodies_in_free_flight_are_themselves() {
    for made in ["cuboid", "cylinder", "teddy", "car"] {
        let example = if made == "teddy" {
            "arms up"
        } else if made == "car" {
            "crumple"
        } else {
            "twist"
        };
        let text = format!(
            "[scene]\nduration = 0.3\ngravity = 0\n[ground]\nkind = \"none\"\n[[body]]\nmade = \"{made}\"\n\
             velocity = [1, 2, 3]\n[[body.example]]\nname = \"{example}\"\n"
        );
        let (_, playback) = played(&text);
        let most = weights(&playback, 0).into_iter().fold(0.0, f32::max);
        assert!(most < 1e-3, "{made}: {most}");
        let speeds = playback.frames[playback.frames.len() - 1].bodies[0].most_speed;
        assert!((speeds - 14f32.sqrt() * (-0.5f32 * 0.3).exp()).abs() < 0.1, "{made}: {speeds}");
    }
}

#[test]
fn handles_lead_and_let_go() {
    let text = format!(
        "[scene]\nduration = 3\ngravity = 0\ndamping = 3\n[ground]\nkind = \"none\"\n{CUBOID}at = [1, 0, 0]\n\
         [[handle]]\nbody = \"bar\"\nbox = [[0, 0.35, -1], [2, 0.45, 1]]\nuntil = 1.5\n\
         keys = [{{ time = 0 }}, {{ time = 1, by = [0, 0.2, 0], turn = 30 }}]\n\
         [[handle]]\nbody = \"bar\"\nnear = [1, -0.4, 0]\nradius = 0.3\nuntil = 1.5\n"
    );
    let (_, playback) = played(&text);
    let tall = |time_secs: f64| playback.frames[(30.0 * time_secs) as usize].bounds().size().y;
    assert!((tall(1.2) - 1.0).abs() < 0.02, "drawn to a metre, not {}", tall(1.2));
    assert!((tall(2.9) - 0.8).abs() < 0.02, "let go, it is as before: {}", tall(2.9));
}

#[test]
fn drivers_set_weights_by_speed() {
    let text = |speed: f32| {
        format!(
            "[scene]\nduration = 1\ngravity = 0\ndamping = 0\n[ground]\nkind = \"none\"\n{CUBOID}velocity = [{speed}, 0, 0]\n\
             [[body.example]]\nname = \"stretch\"\n\
             [[body.driver]]\nexample = \"stretch\"\nmeasure = \"speed\"\ncurve = [[0, 0], [2, 0.8]]\n"
        )
    };
    let last = |speed| *weights(&played(&text(speed)).1, 0).last().expect("a frame");
    assert!(last(0.0) < 1e-3, "at rest {}", last(0.0));
    assert!((last(2.0) - 0.8).abs() < 0.02, "at 2 m/s {}", last(2.0));
    check_refused(
        &text(1.0).replace("example = \"stretch\"\nmeasure", "example = \"strecth\"\nmeasure"),
        &["driver of \"strecth\"", "did you mean \"stretch\"?"],
    );
    check_refused(&text(1.0).replace("[[0, 0], [2, 0.8]]", "[[2, 0], [1, 1]]"), &["curve", "sort them"]);
}

#[test]
fn bodies_that_touch_stand_on_each_other_and_others_do_not() {
    let text = |contact: &str| {
        format!(
            "[scene]\nduration = 2\ndamping = 2\n{contact}[[body]]\nname = \"low\"\nmade = \"cuboid\"\nat = [0, 0.4, 0]\nyoung = 1e6\n\
             [[body]]\nname = \"high\"\nmade = \"cuboid\"\nat = [0, 1.25, 0]\nyoung = 1e6\n"
        )
    };
    let height = |contact: &str| {
        let (_, playback) = played(&text(contact));
        Bounds::of(&playback.frames[playback.frames.len() - 1].bodies[1].positions).min().y
    };
    assert!((0.76..0.84).contains(&height("[contact]\n")), "{}", height("[contact]\n"));
    assert!(height("") < 0.05, "they pass through each other: {}", height(""));
    check_refused(&text("[contact]\nbetween = false\nself = true\n"), &["contact.self", "remove `between`"]);
}

#[test]
fn examples_come_from_surfaces_of_files_and_meshes_are_run_into() {
    use std::fmt::Write;
    let folder = tempfile::tempdir().expect("a folder");
    let save = |name: &str, by: f32| {
        let ball = sinew_geometry::shapes::sphere(0.3, 24, 16);
        let mut text = String::new();
        for point in &ball.positions {
            writeln!(text, "v {} {} {}", point.x, by * point.y, point.z).expect("a String");
        }
        for [a, b, c] in ball.triangles.iter().map(|corners| corners.map(|corner| corner + 1)) {
            writeln!(text, "f {a} {b} {c}").expect("a String");
        }
        std::fs::write(folder.path().join(name), text).expect("writable");
    };
    save("ball.obj", 1.0);
    save("flat.obj", 0.7);
    let text = "[scene]\nduration = 1.2\n[ground]\nkind = \"none\"\n[[body]]\nname = \"ball\"\nfile = \"ball.obj\"\ntets = 300\n\
        at = [0, 1.1, 0]\nbeta = 0.8\n[[body.example]]\nfile = \"flat.obj\"\n\
        [[collider]]\nshape = \"mesh\"\nfile = \"ball.obj\"\nscale = 4\nat = [0, -0.6, 0]\n";
    let (choices, mut report) = (SceneChoices::default(), Report::default());
    let folder = folder.path();
    let scene = ElasticScene::read(text, &choices, &mut Reading { folder, ..Reading::here(&mut report) });
    let scene = scene.unwrap_or_else(|error| panic!("{error}"));
    let playback = Playback::of(&scene, &Progress::none()).unwrap_or_else(|error| panic!("{error}"));
    let most = weights(&playback, 0).into_iter().fold(0.0, f32::max);
    assert!(most > 0.03, "it gives in to the flat shape when it lands: {most}");
    let nearest = playback.frames.iter().flat_map(|frame| &frame.bodies[0].positions);
    let nearest = nearest.map(|place| (*place + glam::Vec3::Y * 0.6).length()).fold(f32::INFINITY, f32::min);
    assert!((1.15..1.25).contains(&nearest), "it lands on the large ball: {nearest}");
}

#[test]
fn arrays_stand_in_a_row_and_scatter_by_their_seed_alone() {
    let text = |seed: u64| {
        format!(
            "[scene]\nduration = 0.1\nseed = {seed}\n{CUBOID}\
             array = {{ count = 3, step = [2, 0, 0], jitter = [0.1, 0, 0.1], jitter_turn = 10 }}\n"
        )
    };
    let starts = |seed| played(&text(seed)).1.frames[0].clone();
    let (first, again, other) = (starts(1), starts(1), starts(2));
    assert_eq!(first, again);
    assert_ne!(first, other);
    for (number, body) in first.bodies.iter().enumerate() {
        let middle = Bounds::of(&body.positions).center();
        assert!((middle.x - 2.0 * number as f32).abs() < 0.15, "{middle}");
    }
    let scene = opened(&text(1)).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = scene.casts().iter().map(|cast| cast.name.as_str()).collect();
    assert_eq!(names, ["bar 1", "bar 2", "bar 3"]);
}

#[test]
fn slices_have_weights_of_their_own() {
    let text = format!(
        "[scene]\nduration = 0.5\n{CUBOID}at = [0, 0.4, 0]\ngrouping = \"groups\"\n\
         groups = {{ axis = \"y\", count = 2 }}\n[[body.example]]\nshape = \"squash\"\n"
    );
    let (scene, playback) = played(&text);
    assert_eq!(scene.casts()[0].group_count, 2);
    let last = &playback.frames[playback.frames.len() - 1].bodies[0].weights;
    assert!(last[0][0] > last[1][0] && last[1][0] > 0.0, "the lower half bears more: {last:?}");
}

#[test]
fn moving_colliders_push_bodies_along() {
    let text = format!(
        "[scene]\nduration = 1.5\ngravity = 0\n[ground]\nkind = \"none\"\n{CUBOID}\
         [[collider]]\nshape = \"box\"\nsize = [0.2, 2, 2]\nat = [-1, 0, 0]\n\
         keys = [{{ time = 0 }}, {{ time = 1, by = [1.5, 0, 0] }}]\n"
    );
    let (_, playback) = played(&text);
    let last = &playback.frames[playback.frames.len() - 1];
    assert!(last.bounds().min().x > 0.59, "nothing is left behind the wall: {}", last.bounds().min());
}

#[test]
fn every_frame_can_be_drawn_with_bars_and_graphs() {
    for shown in ["bars", "graph"] {
        let text = format!(
            "[scene]\nduration = 0.4\nsize = [96, 64]\n{CUBOID}label = \"one\"\n[[body.example]]\nshape = \"bend\"\n\
             [show]\nweights = \"{shown}\"\ntime = true\n[camera]\neye = {{ orbit = {{ follow = \"bar\" }}, distance = 4 }}\n\
             target = {{ follow = \"bar\" }}\n"
        );
        let (scene, playback) = played(&text);
        let mut artist = ElasticArtist::new(&scene, &playback).unwrap_or_else(|error| panic!("{error}"));
        for frame in 0..scene.frame_count() {
            let image = artist.draw(frame).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((image.width(), image.height()), (96, 64));
        }
        assert_eq!(artist.strip_moments().len(), 8);
    }
}
