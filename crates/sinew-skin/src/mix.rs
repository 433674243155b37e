//! Methods of each vertex: by joint, blended without a seam.
//!
//! A rule names a joint by its child bone. A vertex between two bones uses the method of their joint; without a rule, its own if the mesh has
//! one, else that of the model. A vertex of several joints uses each with the share of its pair of weights, `wᵢ wⱼ` over the sum of all
//! pairs: where one joint's share fades, all methods agree with LBS, so nothing jumps.

use crate::palette_joints::PaletteJoints;
use crate::{Method, SkinSettings, authored};
use sinew_rig::{BoundSurface, Character};

/// Smaller shares are left out: 0.001 of a joint's difference between methods is invisible.
const LEAST_SHARE: f32 = 1e-3;

/// The methods of all vertices.
#[derive(Clone, Debug)]
pub(crate) struct Mixes {
    methods: Vec<Method>,
    /// Method and share, vertex by vertex.
    shares: Vec<(u8, f32)>,
    starts: Vec<u32>,
}

impl Mixes {
    pub(crate) fn of(
        character: &Character,
        bound: &BoundSurface,
        joints: &PaletteJoints,
        settings: &SkinSettings,
    ) -> Self {
        let mut mixes = Self { methods: vec![settings.method], shares: Vec::new(), starts: vec![0] };
        let rule_of_entry: Vec<Option<u8>> = bound
            .palette()
            .iter()
            .map(|entry| {
                let rule = settings.rule_of_joint(&character.skeleton().bone(entry.bone).name);
                rule.map(|method| mixes.index(method))
            })
            .collect();
        let mut method_of_code = [0u8; 256];
        let codes =
            if settings.vertex_methods.is_some() { authored::codes(character, bound) } else { Vec::new() };
        for &code in &codes {
            let parameters = settings.vertex_methods.filter(|_| method_of_code[usize::from(code)] == 0);
            if let Some(method) = parameters.and_then(|of| Method::from_code(code, of.s, of.rotation)) {
                method_of_code[usize::from(code)] = mixes.index(method);
            }
        }
        let mut totals: Vec<f32> = Vec::new();
        for vertex in 0..bound.vertex_count() {
            totals.clear();
            totals.resize(mixes.methods.len(), 0.0);
            let (entries, weights) = bound.influences().of(vertex);
            let own = codes.get(vertex).map_or(0, |&code| method_of_code[usize::from(code)]);
            for (at, &a) in entries.iter().enumerate() {
                for (other_at, &b) in entries.iter().enumerate().skip(at + 1) {
                    let rule = joints.related(a, b).and_then(|(_, child)| rule_of_entry[usize::from(child)]);
                    let method = rule.unwrap_or(own);
                    totals[usize::from(method)] += weights[at] * weights[other_at];
                }
            }
            mixes.push(&totals);
        }
        mixes
    }

    /// The methods of a vertex with their shares, which sum to 1.
    pub(crate) fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (Method, f32)> {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.shares[range].iter().map(|&(method, share)| (self.methods[usize::from(method)], share))
    }

    /// Whether any vertex uses a matching method.
    pub(crate) fn has(&self, fits: impl Fn(&Method) -> bool) -> bool {
        self.methods.iter().any(fits)
    }

    fn index(&mut self, method: Method) -> u8 {
        let known = self.methods.iter().position(|known| *known == method);
        let index = known.unwrap_or_else(|| {
            self.methods.push(method);
            self.methods.len() - 1
        });
        u8::try_from(index).unwrap_or(0)
    }

    fn push(&mut self, totals: &[f32]) {
        let total: f32 = totals.iter().sum();
        let first = self.shares.len();
        self.shares.extend(
            totals
                .iter()
                .enumerate()
                .map(|(method, &share)| (method as u8, share / total))
                .filter(|&(_, share)| share >= LEAST_SHARE),
        );
        if self.shares.len() == first {
            // With one bone every method agrees.
            self.shares.push((0, 1.0));
        }
        let kept: f32 = self.shares[first..].iter().map(|&(_, share)| share).sum();
        self.shares[first..].iter_mut().for_each(|(_, share)| *share /= kept);
        self.starts.push(self.shares.len() as u32);
    }
}
