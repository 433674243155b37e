//! Turns the head's layout on the source mesh into ours: lines by name, ratios at both ends of edges, caps behind eyes, mouth and nostrils.

use crate::data::{Face, Source};
use glam::DVec3;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A line of the layout with a direction.
#[derive(Clone, Debug, PartialEq)]
struct Use {
    name: String,
    is_forward: bool,
}

impl Use {
    fn reversed(&self) -> Use {
        Use { name: self.name.clone(), is_forward: !self.is_forward }
    }

    fn word(&self) -> String {
        format!("{}{}", if self.is_forward { "" } else { "-" }, self.name)
    }
}

/// Legs below the head's open ring over those above: the collar is shorter than the patches of the chin.
const COLLAR_RATIO: f64 = 0.6;

struct Maker<'a> {
    source: &'a Source,
    /// For each signed edge the face on its left and the side's place.
    beside: BTreeMap<i64, (usize, usize)>,
    leaving: Vec<Vec<i64>>,
    ratios: BTreeMap<String, f64>,
    /// Lines at the start and end of each edge.
    uses: Vec<[Option<Use>; 2]>,
}

/// The text of [`sinew_body::patchwork::Layout`]; `positions` of vertices measure the caps.
pub(crate) fn write(source: &Source, positions: &[DVec3]) -> String {
    let mut maker = Maker::new(source);
    maker.name_lines();
    maker.name_cap_rings(positions);
    maker.name_free_edges();
    maker.text()
}

fn plain(name: &str) -> String {
    name.trim_start_matches("left_").trim_start_matches("right_").to_owned()
}

impl Maker<'_> {
    fn new(source: &Source) -> Maker<'_> {
        let mut beside = BTreeMap::new();
        for (index, Face { edges, .. }) in source.faces.iter().enumerate() {
            beside.extend(edges.iter().enumerate().map(|(side, &dart)| (dart, (index, side))));
        }
        let mut leaving = vec![Vec::new(); source.nodes.len()];
        for edge in 0..source.edges.len() {
            let dart = edge as i64 + 1;
            let [from, to] = source.edges[edge].ends;
            leaving[from].push(dart);
            leaving[to].push(-dart);
        }
        let uses = vec![[None, None]; source.edges.len()];
        Maker { source, beside, leaving, ratios: BTreeMap::new(), uses }
    }

    fn start(&self, dart: i64) -> usize {
        let [from, to] = self.source.edges[index(dart)].ends;
        if dart > 0 { from } else { to }
    }

    fn is_free(&self, dart: i64) -> bool {
        self.source.edges[index(dart)].line == "free"
    }

    fn is_left(&self, edge: usize) -> bool {
        edge < self.source.listed_edges()
    }

    /// The dart that goes on straight beyond the end of another, if four edges meet there.
    fn next(&self, dart: i64) -> Option<i64> {
        if self.leaving[self.start(-dart)].len() != 4 {
            return None;
        }
        let turned = |dart: i64| {
            let &(face, side) = self.beside.get(&dart)?;
            let sides = &self.source.faces[face].edges;
            Some(-sides[(side + sides.len() - 1) % sides.len()])
        };
        turned(turned(-dart)?)
    }

    fn touches_fill(&self, dart: i64) -> bool {
        [dart, -dart]
            .iter()
            .filter_map(|dart| self.beside.get(dart))
            .any(|&(face, _)| self.source.faces[face].edges.len() != 4)
    }

    /// Lines with a ratio in the source; one value each.
    fn name_lines(&mut self) {
        for (index, edge) in self.source.edges.iter().enumerate().take(self.source.listed_edges()) {
            let name = plain(&edge.line);
            if name == "neck" {
                // The head on the left, the collar on the right.
                let is_forward = self.beside.contains_key(&(index as i64 + 1));
                let found = Some(Use { name: name.clone(), is_forward });
                self.ratios.insert(name, COLLAR_RATIO);
                self.uses[index] = [found.clone(), found];
                continue;
            }
            let Some(ratio) = edge.ratio else { continue };
            let first = *self.ratios.entry(name.clone()).or_insert(ratio);
            let is_forward = (ratio / first).ln().abs() <= (ratio * first).ln().abs();
            let found = Some(Use { name, is_forward });
            self.uses[index] = [found.clone(), found];
        }
    }

    /// The last rings before the caps: legs beyond over legs before, from the lengths of edges.
    fn name_cap_rings(&mut self, positions: &[DVec3]) {
        let mut logs: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let mut found = Vec::new();
        for edge in (0..self.source.listed_edges()).filter(|&edge| self.uses[edge][0].is_none()) {
            let dart = edge as i64 + 1;
            if self.is_free(dart) {
                continue;
            }
            let name = plain(&self.source.edges[edge].line);
            let is_cap = |dart| {
                self.beside.get(&dart).is_some_and(|&(face, _)| self.source.faces[face].group == "free cap")
            };
            let is_forward = is_cap(-dart);
            for node in self.source.edges[edge].ends {
                let length = |dart: &i64| {
                    let [from, to] = self.source.edges[index(*dart)].ends;
                    positions[self.source.nodes[from]].distance(positions[self.source.nodes[to]])
                };
                let free = self.leaving[node].iter().find(|&&dart| self.is_free(dart));
                let Some(free) = free else { continue };
                let Some(before) = self.next(-free) else { continue };
                logs.entry(name.clone()).or_default().push((length(free) / length(&before)).ln());
            }
            found.push((edge, Use { name, is_forward }));
        }
        for (name, logs) in logs {
            self.ratios.insert(name, (logs.iter().sum::<f64>() / logs.len() as f64).exp());
        }
        found.into_iter().for_each(|(edge, line)| self.uses[edge] = [Some(line.clone()), Some(line)]);
    }

    fn use_along(&self, dart: i64) -> Option<Use> {
        let found = self.uses[index(dart)][0].clone()?;
        Some(if dart > 0 { found } else { found.reversed() })
    }

    fn ratio(&self, line: &Use) -> f64 {
        let ratio = self.ratios[&line.name];
        if line.is_forward { ratio } else { 1.0 / ratio }
    }

    /// Edges inside caps continue the lines on both sides: the ratio changes where a fill lies beside.
    fn name_free_edges(&mut self) {
        let mut caps = 0;
        for edge in 0..self.source.listed_edges() {
            let dart = edge as i64 + 1;
            if !self.is_free(dart) || self.uses[edge][0].is_some() {
                continue;
            }
            let mut run = std::collections::VecDeque::from([dart]);
            while let Some(next) = self.next(*run.back().unwrap_or(&dart)).filter(|&next| self.is_free(next))
            {
                run.push_back(next);
            }
            while let Some(before) =
                self.next(-run.front().unwrap_or(&dart)).filter(|&next| self.is_free(next))
            {
                run.push_front(-before);
            }
            let run: Vec<i64> = run.into();
            self.name_run(&run, &mut caps);
        }
    }

    /// Makes one line of two that continue each other.
    fn join_lines(&mut self, before: &Use, after: &Use, ratio: f64) {
        self.ratios.insert(before.name.clone(), if before.is_forward { ratio } else { 1.0 / ratio });
        self.ratios.remove(&after.name);
        let is_same_way = before.is_forward == after.is_forward;
        for line in self.uses.iter_mut().flatten().flatten().filter(|line| line.name == after.name) {
            *line = Use { name: before.name.clone(), is_forward: line.is_forward == is_same_way };
        }
    }

    fn name_run(&mut self, run: &[i64], caps: &mut usize) {
        let before = self.next(-run[0]).and_then(|dart| self.listed_use(-dart));
        let after = self.next(run[run.len() - 1]).and_then(|dart| self.listed_use(dart));
        let (Some(before), Some(mut after)) = (before, after) else { return };
        let (first, last) = (self.ratio(&before), self.ratio(&after));
        let is_even = (first / last - 1.0).abs() < 1e-6;
        let mut middle = before.clone();
        let has_fills = self.touches_fill(run[0]) && self.touches_fill(run[run.len() - 1]);
        if !is_even && !has_fills {
            // No place for a change: both lines take one ratio.
            self.join_lines(&before, &after, (first * last).sqrt());
            after = before.clone();
        } else if !is_even {
            *caps += 1;
            middle = Use { name: format!("cap_{caps}"), is_forward: true };
            self.ratios.insert(middle.name.clone(), (first * last).sqrt());
        }
        for (place, &dart) in
            run.iter().enumerate().filter(|(_, dart)| self.is_left(index(**dart))).collect::<Vec<_>>()
        {
            let start = if place == 0 { &before } else { &middle };
            let end = if place + 1 == run.len() { &after } else { &middle };
            self.uses[index(dart)] = if dart > 0 {
                [Some(start.clone()), Some(end.clone())]
            } else {
                [Some(end.reversed()), Some(start.reversed())]
            };
        }
    }

    /// The line of a dart that may lie on the right: there, the mirror image of the left one's.
    fn listed_use(&self, dart: i64) -> Option<Use> {
        if self.is_left(index(dart)) {
            return self.use_along(dart);
        }
        let pair = self.source.edges[index(dart)].pair as i64 + 1;
        Some(self.use_along(if dart > 0 { pair } else { -pair })?.reversed())
    }

    fn text(&self) -> String {
        let source = self.source;
        let (left, middle) = source.node_counts();
        let collar = Collar::new(source);
        let (left_edges, all_edges) = (source.listed_edges() - source.middle_edges(), source.listed_edges());
        let mut text = String::from(
            "# Patches of the head: the left half; see Layout in src/patchwork. Origin: ORIGIN.md.\n",
        );
        let _ = writeln!(text, "nodes {} {}", left + collar.left, middle + 2);
        for (name, ratio) in &self.ratios {
            let _ = writeln!(text, "line {name} {ratio:.4}");
        }
        let _ = writeln!(text, "line throat 1");
        let node = |node: usize| if node < left { node } else { node + collar.left };
        for (edge, uses) in self.uses.iter().enumerate().take(all_edges) {
            if edge == left_edges {
                collar.write_edges(&mut text, self, false);
            }
            let [Some(start), Some(end)] = uses else { continue };
            let [from, to] = source.edges[edge].ends;
            let _ = write!(text, "edge {} {} {}", node(from), node(to), start.word());
            let _ =
                writeln!(text, "{}", if start == end { String::new() } else { format!(" {}", end.word()) });
        }
        collar.write_edges(&mut text, self, true);
        let shift = collar.left_edges() as i64;
        let dart = |dart: i64| if index(dart) < left_edges { dart } else { dart + dart.signum() * shift };
        for face in source.faces.iter().take(source.faces.len() / 2) {
            let mark = if face.is_hidden { "~" } else { "" };
            let sides: Vec<String> = face.edges.iter().map(|&side| dart(side).to_string()).collect();
            let _ = writeln!(text, "face {mark}{} {}", face.group.replace(' ', "_"), sides.join(" "));
        }
        collar.write_faces(&mut text, left_edges, all_edges);
        text
    }
}

/// Faces between the head's open ring and the neck's tube: there the ratios of the head's lines become those of the tube, 1.
struct Collar {
    /// The left half's darts of the open ring from front to back; the head is on their left.
    ring: Vec<i64>,
    /// Nodes along them.
    nodes: Vec<usize>,
    /// New nodes off the middle plane.
    left: usize,
}

impl Collar {
    fn new(source: &Source) -> Collar {
        let mut on_left: Vec<i64> = Vec::new();
        for edge in (0..source.listed_edges()).filter(|&edge| source.edges[edge].line == "neck") {
            let dart = edge as i64 + 1;
            let is_left = source.faces.iter().any(|face| face.edges.contains(&dart));
            on_left.push(if is_left { dart } else { -dart });
        }
        let ends = |dart: i64| {
            let [from, to] = source.edges[index(dart)].ends;
            if dart > 0 { (from, to) } else { (to, from) }
        };
        let first = on_left.iter().find(|&&dart| on_left.iter().all(|&other| ends(other).1 != ends(dart).0));
        let mut ring: Vec<i64> = first.copied().into_iter().collect();
        while let Some(next) =
            ring.last().and_then(|&last| on_left.iter().find(|&&dart| ends(dart).0 == ends(last).1))
        {
            ring.push(*next);
        }
        let nodes: Vec<usize> =
            ring.iter().map(|&dart| ends(dart).0).chain(ring.last().map(|&dart| ends(dart).1)).collect();
        Collar { left: nodes.len() - 2, ring, nodes }
    }

    /// New edges off the middle plane: columns, then the ring below.
    fn left_edges(&self) -> usize {
        self.left + self.ring.len()
    }

    /// The new node below a place of the ring.
    fn below(&self, source: &Source, place: usize) -> usize {
        let (left, middle) = source.node_counts();
        match place {
            0 => left + self.left + middle,
            last if last == self.nodes.len() - 1 => left + self.left + middle + 1,
            inner => left + inner - 1,
        }
    }

    fn write_edges(&self, text: &mut String, maker: &Maker, in_plane: bool) {
        let source = maker.source;
        let (left, _) = source.node_counts();
        for (place, &node) in self.nodes.iter().enumerate() {
            let is_middle = place == 0 || place == self.nodes.len() - 1;
            if is_middle != in_plane {
                continue;
            }
            // The line that comes down from the head.
            let column = maker.leaving[node].iter().find(|&&dart| source.edges[index(dart)].line != "neck");
            let line = column.and_then(|&dart| maker.use_along(-dart));
            let line = line.map_or(String::from("throat"), |line| line.word());
            let from = if is_middle { node + self.left } else { node };
            debug_assert_eq!(is_middle, node >= left, "the ring's ends lie in the plane");
            let _ = writeln!(text, "edge {from} {} {line} throat", self.below(source, place));
        }
        for place in 0..if in_plane { 0 } else { self.ring.len() } {
            let (from, to) = (self.below(source, place), self.below(source, place + 1));
            let _ = writeln!(text, "edge {from} {to} throat");
        }
    }

    fn write_faces(&self, text: &mut String, left_edges: usize, all_edges: usize) {
        let column = |place: usize| {
            let edge = match place {
                0 => all_edges + self.left_edges(),
                last if last == self.nodes.len() - 1 => all_edges + self.left_edges() + 1,
                inner => left_edges + inner - 1,
            };
            edge as i64 + 1
        };
        for (place, above) in self.ring.iter().enumerate() {
            let below = (left_edges + self.left + place) as i64 + 1;
            let _ =
                writeln!(text, "split collar {} {} {} {}", -above, column(place), below, -column(place + 1));
        }
    }
}

fn index(dart: i64) -> usize {
    (dart.unsigned_abs() - 1) as usize
}
