//! Finds bones, clips and morphs by user input: a name, or `#` and an index.

use crate::{BoneId, Character, ClipId, MeshId, Skeleton};
pub use sinew_geometry::{did_you_mean, nearest_names, suggestion};

/// Error of finding a bone, clip or morph, which is the `kind`, by name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FindError {
    #[error("unknown {kind} {name:?}{}{}", suggestion(.nearest), known_text(.known))]
    Unknown { kind: &'static str, name: String, nearest: Vec<String>, known: Vec<String> },
    #[error("{} {kind}s are named {name:?}; use an index: {}", .indices.len(), index_list(.indices))]
    Ambiguous { kind: &'static str, name: String, indices: Vec<usize> },
    #[error("unknown {kind} #{index}; {}", range_text(*.count))]
    OutOfRange { kind: &'static str, index: usize, count: usize },
}

/// What to say where no name is near: all names, if they are few.
fn known_text(known: &[String]) -> String {
    let quoted: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
    if quoted.is_empty() { String::new() } else { format!("; the model has {}", quoted.join(", ")) }
}

/// Names that are listed where none is near an unknown one.
const MOST_LISTED: usize = 8;

fn unknown<'a>(kind: &'static str, query: &str, names: impl Iterator<Item = &'a str> + Clone) -> FindError {
    let nearest = nearest_names(query, names.clone());
    let all = names.filter(|name| !name.is_empty());
    let is_short = nearest.is_empty() && all.clone().nth(MOST_LISTED).is_none();
    let mut known: Vec<String> = if is_short { all.map(str::to_owned).collect() } else { Vec::new() };
    known.dedup();
    FindError::Unknown { kind, name: query.into(), nearest, known }
}

fn index_list(indices: &[usize]) -> String {
    indices.iter().map(|index| format!("#{index}")).collect::<Vec<_>>().join(" or ")
}

fn range_text(count: usize) -> String {
    match count {
        0 => "the model has none".into(),
        _ => format!("the model has #0 to #{}", count - 1),
    }
}

impl Skeleton {
    /// The bone of that name, or of that index if `query` is `#` and a number and no bone has it as a name.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn find(&self, query: &str) -> Result<BoneId, FindError> {
        find("bone", query, self.bones().iter().map(|bone| bone.name.as_str())).map(BoneId::of)
    }
}

impl Character {
    /// The clip of that name or, if none has it, of that index (`1` or `#1`).
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn find_clip(&self, query: &str) -> Result<ClipId, FindError> {
        let names = || self.clips().iter().map(|clip| clip.name.as_str());
        let found = match find("clip", query, names()) {
            Err(FindError::Unknown { .. }) if query.parse::<usize>().is_ok() => {
                find("clip", &format!("#{query}"), names())
            }
            found => found,
        };
        found.map(ClipId::of)
    }

    /// The morphs of that name: at most one per mesh, because the parts of a face share names. `#12` is the twelfth of all morphs, mesh by
    /// mesh.
    ///
    /// # Errors
    /// If there is none, or a mesh has more than one of that name.
    pub fn find_morphs(&self, query: &str) -> Result<Vec<(MeshId, usize)>, FindError> {
        let all: Vec<_> = self
            .meshes()
            .iter()
            .enumerate()
            .flat_map(|(mesh, m)| {
                m.morphs.iter().enumerate().map(move |(morph, m)| (MeshId::of(mesh), morph, m.name.as_str()))
            })
            .collect();
        let named: Vec<_> = all.iter().enumerate().filter(|(_, (_, _, name))| *name == query).collect();
        let is_unique_per_mesh = named.windows(2).all(|pair| pair[0].1.0 != pair[1].1.0);
        if !named.is_empty() && is_unique_per_mesh {
            return Ok(named.into_iter().map(|(_, &(mesh, morph, _))| (mesh, morph)).collect());
        }
        let index = find("morph", query, all.iter().map(|&(_, _, name)| name))?;
        Ok(vec![(all[index].0, all[index].1)])
    }
}

fn find<'a>(
    kind: &'static str,
    query: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, FindError> {
    let indices: Vec<usize> =
        names.clone().enumerate().filter(|&(_, name)| name == query).map(|(index, _)| index).collect();
    match indices[..] {
        [index] => return Ok(index),
        [_, _, ..] => return Err(FindError::Ambiguous { kind, name: query.into(), indices }),
        [] => {}
    }
    match query.strip_prefix('#').and_then(|digits| digits.parse::<usize>().ok()) {
        Some(index) => {
            let count = names.count();
            if index < count { Ok(index) } else { Err(FindError::OutOfRange { kind, index, count }) }
        }
        None => Err(unknown(kind, query, names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], query: &str, expected: Result<usize, &str>) {
        let found = find("bone", query, names.iter().copied()).map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned));
    }

    #[test]
    fn names_and_indices_are_found_and_mistakes_explained() {
        let names = ["Hips", "Spine", "Spine", "LeftArm", "RightArm", ""];
        check(&names, "Hips", Ok(0));
        check(&names, "#3", Ok(3));
        check(&names, "#5", Ok(5));
        check(&names, "Spine", Err("2 bones are named \"Spine\"; use an index: #1 or #2"));
        check(&names, "leftarm", Err("unknown bone \"leftarm\"; did you mean \"LeftArm\" or \"RightArm\"?"));
        let known = "\"Hips\", \"Spine\", \"LeftArm\", \"RightArm\"";
        check(&names, "Tail", Err(&format!("unknown bone \"Tail\"; the model has {known}")));
        check(&names, "#6", Err("unknown bone #6; the model has #0 to #5"));
        check(&[], "#0", Err("unknown bone #0; the model has none"));
        check(&["a", "#0"], "#0", Ok(1));
    }
}
