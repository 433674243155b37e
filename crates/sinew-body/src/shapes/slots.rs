//! The numbers of a design in one list, over the stature: the space in which shapes of people are added.
//!
//! Everything that a fit changes has a slot: joints, thickness of rings and middles, single control points and what is free between tubes.
//! Numbers refer to bone frames, as in every design, so that pose is not part of a shape; divided by the stature, size is not either.

use crate::design::{ByName, Design, Sided};
use crate::template::layout::{LayoutFill, LayoutTube};
use crate::template::{Flank, Template};
use glam::DVec3;

/// The kind of number that a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    Joint,
    RingFront,
    RingSide,
    RingShift,
    MiddleFront,
    MiddleSide,
    MiddleShift,
    FillShift,
    EdgeBulge,
    Node,
    Offset,
}

/// A place in the list: one number, or a vector without the axes that symmetry fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) kind: SlotKind,
    /// The part's name or the offset's key.
    pub(crate) name: String,
    /// The free axes of a vector; one entry for a number.
    pub(crate) axes: &'static [usize],
    /// Its first number in the list.
    pub(crate) first: usize,
}

/// All slots of a template.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    pub(crate) list: Vec<Slot>,
    /// Places of the offsets in the list, in the order of their names.
    by_name: Vec<usize>,
    /// Numbers in the list.
    pub(crate) len: usize,
    /// How many of them, at the start, place joints.
    pub(crate) joint_len: usize,
}

const ALL: &[usize] = &[0, 1, 2];
const ACROSS: &[usize] = &[0];
const WITHIN: &[usize] = &[1, 2];
impl Slots {
    /// The slots of a template, the middle and the left side only: the right one mirrors it.
    pub(crate) fn of(template: &Template) -> Self {
        let mut slots = Slots { list: Vec::new(), by_name: Vec::new(), len: 0, joint_len: 0 };
        let (text, layout) = (template.text(), &template.layout);
        for joint in layout.joints.iter().filter(|joint| joint.flank != Flank::Right) {
            slots.add(SlotKind::Joint, &text.joints[joint.text].name, free(joint.flank));
        }
        slots.joint_len = slots.len;
        for tube in layout.tubes.iter().filter(|tube| tube.flank != Flank::Right) {
            slots.add_tube(template, tube);
        }
        slots.add_net(template);
        let is_offset = |place: &usize| slots.list[*place].kind == SlotKind::Offset;
        slots.by_name = (0..slots.list.len()).filter(is_offset).collect();
        slots.by_name.sort_by(|&a, &b| slots.list[a].name.cmp(&slots.list[b].name));
        slots
    }

    fn add(&mut self, kind: SlotKind, name: &str, axes: &'static [usize]) {
        let first = self.len;
        self.len += axes.len();
        self.list.push(Slot { kind, name: name.to_owned(), axes, first });
    }

    /// Rings stand beside their rows, which keeps what depends on each other close in the list.
    fn add_tube(&mut self, template: &Template, tube: &LayoutTube) {
        let text = &template.text().tubes[tube.text];
        let names: Vec<&String> = text.bay_names().collect();
        let row_count = 4 * names.len() + 1;
        let row_end = row_count - usize::from(text.tip.is_some());
        for row in 0..row_end {
            if row % 4 == 0 && row / 4 < tube.rings.len() {
                self.add_ring(template, tube, row / 4);
            }
            if row % 4 == 2 && text.bays.get(row / 4).is_some_and(|bay| bay.middle.is_some()) {
                let name = format!("{}/{}", text.name, names[row / 4]);
                self.add(SlotKind::MiddleFront, &name, ACROSS);
                self.add(SlotKind::MiddleSide, &name, ACROSS);
                self.add(SlotKind::MiddleShift, &name, free(tube.flank));
            }
            let is_taken_over = tube.continues.is_some() && row < 2;
            if !is_taken_over {
                self.add_row(tube, &text.name, &names, row);
            }
        }
    }

    fn add_ring(&mut self, template: &Template, tube: &LayoutTube, place: usize) {
        // The first ring of a tube that continues another is the other's last one.
        if tube.continues.is_some() && place == 0 {
            return;
        }
        let ring = &template.layout.rings[tube.rings[place]];
        let name = &template.text().rings[ring.text].name;
        self.add(SlotKind::RingFront, name, ACROSS);
        self.add(SlotKind::RingSide, name, ACROSS);
        self.add(SlotKind::RingShift, name, free(tube.flank));
    }

    fn add_row(&mut self, tube: &LayoutTube, name: &str, bays: &[&String], row: usize) {
        let bay = (row / 4).min(bays.len() - 1);
        let row_len = 4 * tube.patch_count;
        for column in 0..row_len {
            let axes = match tube.flank {
                Flank::Middle => match mirrored(row_len, column).cmp(&column) {
                    std::cmp::Ordering::Less => continue,
                    std::cmp::Ordering::Equal => WITHIN,
                    std::cmp::Ordering::Greater => ALL,
                },
                _ => ALL,
            };
            self.add(SlotKind::Offset, &format!("{name}/{}/{}/{column}", bays[bay], row - 4 * bay), axes);
        }
    }

    /// Nodes, edges and fills.
    fn add_net(&mut self, template: &Template) {
        let (text, layout) = (template.text(), &template.layout);
        for node in layout.nodes.iter().filter(|node| node.flank != Flank::Right) {
            let listed = &text.nodes[node.text];
            self.add(SlotKind::Node, &listed.name, free(node.flank));
            self.add(SlotKind::Offset, &format!("{}/tilt", listed.name), free(node.flank));
            for line in 0..2 {
                let axes = match (node.flank, listed.through[line][0].contains('@')) {
                    (Flank::Middle, true) => ACROSS,
                    (Flank::Middle, false) => WITHIN,
                    _ => ALL,
                };
                self.add(SlotKind::Offset, &format!("{}/line/{line}", listed.name), axes);
            }
        }
        for edge in layout.edges.iter().filter(|edge| edge.flank != Flank::Right) {
            let name = &text.edges[edge.text].name;
            self.add(SlotKind::EdgeBulge, name, free(edge.flank));
            let axes = if edge.flank == Flank::Middle { ACROSS } else { ALL };
            (1..=3).for_each(|leg| self.add(SlotKind::Offset, &format!("{name}/legs/{leg}"), axes));
        }
        for fill in layout.fills.iter().filter(|fill| fill.flank != Flank::Right) {
            self.add_fill(&text.fills[fill.text].name, fill);
        }
    }

    fn add_fill(&mut self, name: &str, fill: &LayoutFill) {
        self.add(SlotKind::FillShift, name, free(fill.flank));
        for &corner in &fill.listed {
            self.add(SlotKind::Offset, &format!("{name}/{corner}"), ALL);
        }
        for side in (0..fill.listed.len()).map(|place| fill.listed_side(place)) {
            for part in ["spoke", "star", "across1", "across2", "across3"] {
                self.add(SlotKind::Offset, &format!("{name}/{side}/{part}"), ALL);
            }
        }
    }

    /// The list of a design's numbers.
    #[cfg(any(test, feature = "make-shapes"))]
    pub(crate) fn read(&self, design: &Design) -> Vec<f64> {
        let mut values = vec![0.0; self.len];
        for slot in &self.list {
            let vector = slot.read(design);
            for (place, &axis) in slot.axes.iter().enumerate() {
                values[slot.first + place] = vector[axis];
            }
        }
        values
    }

    /// Writes a list into a design; axes that symmetry fixes become zero.
    pub(crate) fn write(&self, values: &[f64], design: &mut Design) {
        self.list.iter().for_each(|slot| slot.write_from(values, design));
    }

    /// Writes a list times a size into a design that has every slot and no other offset, the latter in the order of their names.
    pub(crate) fn write_sized(&self, values: &[f64], size: f64, design: &mut Design) {
        for slot in self.list.iter().filter(|slot| slot.kind != SlotKind::Offset) {
            slot.write(size * slot.vector(values), design);
        }
        debug_assert_eq!(self.by_name.len(), design.offsets.len(), "every offset is a slot");
        for (&place, sided) in self.by_name.iter().zip(design.offsets.values_mut()) {
            let slot = &self.list[place];
            let size = if slot.is_length() { size } else { 1.0 };
            *sided = Sided::Both(size * slot.vector(values));
        }
    }

    /// Whether each number after the joints' is an offset of a control point.
    #[cfg(feature = "make-shapes")]
    pub(crate) fn are_offsets(&self) -> Vec<bool> {
        let others = self.list.iter().filter(|slot| slot.first >= self.joint_len);
        others.flat_map(|slot| slot.axes.iter().map(|_| slot.kind == SlotKind::Offset)).collect()
    }

    /// A number that changes when the names or their order change: data made for other slots must not be read.
    pub(crate) fn fingerprint(&self) -> u64 {
        // FNV-1a.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for slot in &self.list {
            let bytes = slot.name.bytes().chain([slot.kind as u8, slot.axes.len() as u8]);
            bytes.for_each(|byte| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        }
        hash
    }
}

fn free(flank: Flank) -> &'static [usize] {
    if flank == Flank::Middle { WITHIN } else { ALL }
}

/// The mirror image of a column of a tube in the middle: its first column is on the figure's left.
fn mirrored(row_len: usize, column: usize) -> usize {
    (row_len + row_len / 2 - column) % row_len
}

#[cfg(any(test, feature = "make-shapes"))]
fn value<T: Copy + Default>(values: &ByName<T>, name: &str) -> T {
    values.get(name).and_then(|sided| sided.on(Flank::Left)).copied().unwrap_or_default()
}

fn entry<'a, T: Copy + Default>(values: &'a mut ByName<T>, name: &str) -> &'a mut T {
    if !values.contains_key(name) {
        values.insert(name.to_owned(), Sided::Both(T::default()));
    }
    let sided = values.get_mut(name).expect("it was inserted");
    if let Sided::Each { left, .. } = *sided {
        *sided = Sided::Both(left.unwrap_or_default());
    }
    let Sided::Both(value) = sided else { unreachable!("sides were joined") };
    value
}

impl Slot {
    #[cfg(any(test, feature = "make-shapes"))]
    fn read(&self, design: &Design) -> DVec3 {
        let name = self.name.as_str();
        let number = |value: Option<f64>| DVec3::splat(value.unwrap_or_default());
        match self.kind {
            SlotKind::Joint => value(&design.joints, name),
            SlotKind::RingFront => number(value(&design.rings, name).front),
            SlotKind::RingSide => number(value(&design.rings, name).side),
            SlotKind::RingShift => value(&design.rings, name).shift.unwrap_or_default(),
            SlotKind::MiddleFront => number(value(&design.middles, name).front),
            SlotKind::MiddleSide => number(value(&design.middles, name).side),
            SlotKind::MiddleShift => value(&design.middles, name).shift.unwrap_or_default(),
            SlotKind::FillShift => value(&design.fills, name).shift.unwrap_or_default(),
            SlotKind::EdgeBulge => value(&design.edges, name).bulge.unwrap_or_default(),
            SlotKind::Node => value(&design.nodes, name),
            SlotKind::Offset => value(&design.offsets, name),
        }
    }

    /// Writes its numbers of a list into a design.
    pub(crate) fn write_from(&self, values: &[f64], design: &mut Design) {
        self.write(self.vector(values), design);
    }

    /// Its numbers of a list, zero on the axes that symmetry fixes.
    fn vector(&self, values: &[f64]) -> DVec3 {
        let mut vector = DVec3::ZERO;
        for (place, &axis) in self.axes.iter().enumerate() {
            vector[axis] = values[self.first + place];
        }
        vector
    }

    fn write(&self, vector: DVec3, design: &mut Design) {
        let name = self.name.as_str();
        match self.kind {
            SlotKind::Joint => *entry(&mut design.joints, name) = vector,
            SlotKind::RingFront => entry(&mut design.rings, name).front = Some(vector.x),
            SlotKind::RingSide => entry(&mut design.rings, name).side = Some(vector.x),
            SlotKind::RingShift => entry(&mut design.rings, name).shift = Some(vector),
            SlotKind::MiddleFront => entry(&mut design.middles, name).front = Some(vector.x),
            SlotKind::MiddleSide => entry(&mut design.middles, name).side = Some(vector.x),
            SlotKind::MiddleShift => entry(&mut design.middles, name).shift = Some(vector),
            SlotKind::FillShift => entry(&mut design.fills, name).shift = Some(vector),
            SlotKind::EdgeBulge => entry(&mut design.edges, name).bulge = Some(vector),
            SlotKind::Node => *entry(&mut design.nodes, name) = vector,
            SlotKind::Offset => *entry(&mut design.offsets, name) = vector,
        }
    }

    /// Whether its numbers are lengths; a node's tilt is not.
    pub(crate) fn is_length(&self) -> bool {
        !self.name.ends_with("/tilt")
    }
}

/// A design with every length multiplied by a factor.
#[cfg(any(test, feature = "make-shapes"))]
pub(crate) fn scaled(design: &Design, factor: f64) -> Design {
    let mut scaled = design.clone();
    rescale(&mut scaled, factor);
    for (key, sided) in &mut scaled.offsets {
        if !key.ends_with("/tilt") {
            sided.values_mut().for_each(|value| *value *= factor);
        }
    }
    scaled
}

/// Multiplies every length of a design but offsets by a factor.
pub(crate) fn rescale(design: &mut Design, factor: f64) {
    design.scale *= factor;
    fn each<T>(values: &mut ByName<T>, change: impl Fn(&mut T)) {
        values.values_mut().for_each(|sided| sided.values_mut().for_each(&change));
    }
    let number = |value: &mut Option<f64>| value.iter_mut().for_each(|value| *value *= factor);
    let vector = |value: &mut Option<DVec3>| value.iter_mut().for_each(|value| *value *= factor);
    each(&mut design.joints, |at| *at *= factor);
    each(&mut design.lengths, |length| *length *= factor);
    each(&mut design.rings, |ring| {
        [&mut ring.front, &mut ring.side, &mut ring.girth, &mut ring.reach].into_iter().for_each(number);
        vector(&mut ring.shift);
    });
    each(&mut design.middles, |middle| {
        [&mut middle.front, &mut middle.side].into_iter().for_each(number);
        vector(&mut middle.shift);
    });
    each(&mut design.fills, |fill| {
        number(&mut fill.height);
        vector(&mut fill.shift);
    });
    each(&mut design.edges, |edge| vector(&mut edge.bulge));
    each(&mut design.nodes, |at| *at *= factor);
    number(&mut design.head.stature);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_design_is_the_same_after_a_trip_through_the_list() {
        let template = Template::human();
        let slots = Slots::of(&template);
        let man = Design::parse(include_str!("../../designs/person.toml")).expect("it ships");
        let values = slots.read(&man);
        let mut other = man.clone();
        slots.write(&values, &mut other);
        let [before, after] =
            [&man, &other].map(|design| crate::build(&template, design).expect("can be built").volume());
        assert!((before - after).abs() < 1e-12, "{before} {after}");
        assert!(slots.len > 8000 && slots.joint_len > 90, "{} {}", slots.len, slots.joint_len);
        assert!(slots.list.iter().filter(|slot| !slot.is_length()).count() >= 5);
    }

    #[test]
    fn a_scaled_design_is_a_similar_body() {
        let template = Template::human();
        let man = crate::testing::man();
        let [one, two] = [1.0, 0.5].map(|factor| crate::build(&template, &scaled(&man, factor)).unwrap());
        assert!((two.stature() / one.stature() - 0.5).abs() < 1e-3);
        assert!((two.volume() / one.volume() - 0.125).abs() < 1e-3);
    }
}
