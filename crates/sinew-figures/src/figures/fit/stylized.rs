//! Exaggerated muscles: \[Mukai15\] Sec. 6.4 and Fig. 7.

use super::super::{Size, drawn, table};
use super::maps::SubjectPose;
use super::rows::{GoOn, HelperRow, SubjectFit, helper_fits};
use super::subject::Subject;
use crate::bench::{LegPoses, exaggerated_leg};
use anyhow::Result;
use glam::Vec3;
use sinew_geometry::Bounds;
use sinew_render::{Camera, Image, Material, Object, Scene, View, contact_sheet};

/// Muscles bulge so many times as much as the benchmark's.
const EXAGGERATION: f64 = 2.5;

/// Rings and segments of the leg: finer than the benchmark's, as the source's is. With its 8,322 vertices in 6,750 poses the figure would take minutes.
const MESH: [usize; 2] = [78, 34];
const POSES: [usize; 2] = [400, 300];

/// Helpers that the source has, and its errors: placed freely, and with controllers.
const SOURCE: [(usize, [f64; 2]); 2] = [(4, [1.87, 2.59]), (8, [1.34, 2.15])];

pub(super) fn stylized_subject() -> Subject {
    let [rings, segments] = MESH;
    let leg = |count: usize, seed: u64| {
        exaggerated_leg(rings, segments, LegPoses::Random(count, seed), EXAGGERATION)
    };
    Subject {
        key: "stylized",
        name: "the exaggerated leg",
        unit: "cm",
        units: 1.0,
        examples: leg(POSES[0], 1),
        held_out: leg(POSES[1], 99),
        few: Vec::new(),
        is_source: false,
        helper_counts: vec![0, 4, 8],
        start_count: 8,
    }
}

/// Its rows, table and picture.
pub(super) fn stylized(
    subject: &Subject,
    size: Size,
    go_on: &GoOn<'_>,
) -> Result<(Vec<HelperRow>, String, Image)> {
    let counts = &subject.helper_counts;
    let fits = helper_fits(subject, counts, go_on)?;
    let rows: Vec<HelperRow> =
        counts.iter().zip(&fits).map(|(&count, fit)| HelperRow::of(subject, count, fit)).collect();
    let image = sheet(subject, &rows, &fits, size)?;
    Ok((rows.clone(), markdown(&rows), image))
}

/// The truth, and the skin by controllers with each number of helpers, in the pose that bones alone miss most.
fn sheet(subject: &Subject, rows: &[HelperRow], fits: &[SubjectFit], size: Size) -> Result<Image> {
    let by_pose = &fits[0].helpers.errors.by_pose;
    let pose = (0..by_pose.len()).max_by(|&a, &b| by_pose[a].total_cmp(&by_pose[b])).unwrap_or(0);
    let truth = subject.examples.examples().targets(pose).to_vec();
    let span = Bounds::of(&truth).size();
    let view = if span.z > span.x { View::Side } else { View::Front };
    let camera =
        Camera::frame_from(view.direction(), Vec3::Y, truth.iter().copied(), size.0 as f32 / size.1 as f32);
    let draw = |skin: Vec<Vec3>| {
        let skin = Object::new(skin, subject.examples.triangles.clone(), Material::default());
        drawn(&Scene { objects: vec![skin], ..Scene::default() }, &camera, size)
    };
    let mut cells = vec![(draw(truth)?, format!("truth: muscles {EXAGGERATION} times"))];
    for (row, fit) in rows.iter().zip(fits) {
        let SubjectPose { skin, .. } = fit.controlled_pose(subject, pose);
        let caption = match row.helpers {
            0 => format!("bones alone: {:.2} {}", row.rmse, subject.unit),
            count => {
                format!(
                    "{count} helpers: {:.2} {}, controllers {:.2}",
                    row.rmse, subject.unit, row.rmse_controllers
                )
            }
        };
        cells.push((draw(skin)?, caption));
    }
    let title =
        format!("Exaggerated muscles, {} poses; skin in the one that bones alone miss most", POSES[0]);
    Ok(contact_sheet(&cells, cells.len(), Some(&title))?)
}

fn markdown(rows: &[HelperRow]) -> String {
    let [rings, segments] = MESH;
    let head = format!(
        "RMS errors in cm of a leg of {} vertices with muscles that bulge {EXAGGERATION} times as much, in {} random poses; held out are {} others. \
         In brackets the source, on its own leg of 8,322 vertices in 6,750 poses.\n\n\
         | helpers | placed freely | controllers | held out |\n|---|---|---|---|",
        rings * segments,
        POSES[0],
        POSES[1]
    );
    table(&head, rows, |row| {
        let source = SOURCE.iter().find(|(helpers, _)| *helpers == row.helpers);
        let source =
            |at: usize| source.map_or_else(String::new, |(_, errors)| format!(" ({:.2})", errors[at]));
        let HelperRow { helpers, rmse, rmse_controllers, rmse_held_out } = row;
        format!(
            "| {helpers} | {rmse:.3}{} | {rmse_controllers:.3}{} | {rmse_held_out:.3} |",
            source(0),
            source(1)
        )
    })
}
