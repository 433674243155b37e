//! Soft bodies of PMX 2.1.

use super::index_sizes::IndexKind;
use super::sink::Sink;
use super::source::Source;
use super::types::PmxSoftBody;
use crate::MmdReadError;

/// What a soft body takes at least: two texts, six bytes, 32 words and two counts.
pub(super) const LEAST_BYTES: usize = 2 * 4 + 6 + 30 * 4 + 2 * 4;

pub(super) fn read_soft_body(source: &mut Source<'_>) -> Result<PmxSoftBody, MmdReadError> {
    let vertex_bytes = u64::from(source.sizes.vertex);
    let anchor_bytes = u64::from(source.sizes.rigid_body) + vertex_bytes + 1;
    Ok(PmxSoftBody {
        name: source.text("name")?,
        name_en: source.text("English name")?,
        shape: source.bytes.u8("shape")?,
        material: source.index(IndexKind::Material, "material")?,
        group: source.bytes.u8("group")?,
        mask: source.bytes.u16("mask")?,
        flags: source.bytes.u8("flags")?,
        links: [source.bytes.i32("distance of links")?, source.bytes.i32("count of clusters")?],
        mass_and_margin: source.bytes.floats("mass and margin")?,
        aero_model: source.bytes.i32("aero model")?,
        config: source.bytes.floats("config")?,
        iterations: {
            let mut iterations = [0; 4];
            for count in &mut iterations {
                *count = source.bytes.i32("iterations")?;
            }
            iterations
        },
        // Floats, as the specification says; some programs take them for whole numbers.
        stiffness: source.bytes.floats("stiffness")?,
        anchors: source.inner_list("anchors", anchor_bytes, |source| {
            let body = source.index(IndexKind::RigidBody, "rigid body")?;
            Ok((body, source.vertex("vertex")?, source.bytes.u8("whether it is near")?))
        })?,
        pins: source.inner_list("pins", vertex_bytes, |source| source.vertex("vertex"))?,
    })
}

pub(super) fn write_soft_body(sink: &mut Sink, body: &PmxSoftBody) {
    sink.text(&body.name);
    sink.text(&body.name_en);
    sink.u8(body.shape);
    sink.index(IndexKind::Material, body.material);
    sink.u8(body.group);
    sink.u16(body.mask);
    sink.u8(body.flags);
    body.links.iter().for_each(|&count| sink.i32(count));
    sink.floats(&body.mass_and_margin);
    sink.i32(body.aero_model);
    sink.floats(&body.config);
    body.iterations.iter().for_each(|&count| sink.i32(count));
    sink.floats(&body.stiffness);
    sink.list(&body.anchors, |sink, &(rigid_body, vertex, is_near)| {
        sink.index(IndexKind::RigidBody, rigid_body);
        sink.vertex(vertex);
        sink.u8(is_near);
    });
    sink.list(&body.pins, |sink, &vertex| sink.vertex(vertex));
}
