//! The pictures of PMX models, saved beside them.

use sinew::io::{Limits, Report};
use sinew::mmd::pmx::{Pmx, PmxMaterial};
use sinew::model::{Model, SaveError};
use std::path::Path;

/// Writes a model with two pictures into `folder`, one of them in a folder of its own, and opens it.
fn model_with_pictures(folder: &Path) -> Model {
    std::fs::create_dir(folder.join("tex")).expect("a new folder");
    std::fs::write(folder.join("tex/skin.png"), b"skin").expect("writable");
    std::fs::write(folder.join("cloth.png"), b"cloth").expect("writable");
    let material = |texture: i32| PmxMaterial { texture, sphere: -1, ..PmxMaterial::default() };
    let pmx = Pmx {
        textures: vec!["tex\\skin.png".into(), "cloth.png".into()],
        materials: vec![material(0), material(1)],
        ..Pmx::default()
    };
    let path = folder.join("model.pmx");
    std::fs::write(&path, pmx.write()).expect("writable");
    Model::open(&path, &Limits::default(), &mut Report::default()).expect("a model")
}

#[test]
fn pictures_go_with_the_model_into_new_folders() {
    let (from, to) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let model = model_with_pictures(from.path());
    let path = to.path().join("copy.pmx");
    model.save(&path, &mut Report::default()).expect("saved");
    assert_eq!(std::fs::read(to.path().join("tex/skin.png")).expect("written"), b"skin");
    assert_eq!(std::fs::read(to.path().join("cloth.png")).expect("written"), b"cloth");
    // Pictures that are there already stay, and so does the model.
    let bytes = std::fs::read(&path).expect("written");
    model.save(&path, &mut Report::default()).expect("saved again");
    assert_eq!(std::fs::read(&path).expect("written"), bytes);
}

#[test]
fn a_picture_of_somebody_else_is_not_replaced_and_nothing_is_left() {
    let (from, to) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let model = model_with_pictures(from.path());
    std::fs::write(to.path().join("cloth.png"), b"mine").expect("writable");
    let saved = model.save(&to.path().join("copy.pmx"), &mut Report::default());
    assert!(
        matches!(&saved, Err(SaveError::WouldReplace { path }) if path.ends_with("cloth.png")),
        "{saved:?}"
    );
    assert_eq!(std::fs::read(to.path().join("cloth.png")).expect("still there"), b"mine");
    let left: Vec<_> = std::fs::read_dir(to.path()).expect("readable").collect();
    assert_eq!(left.len(), 1, "no model, no folder: {left:?}");
}
