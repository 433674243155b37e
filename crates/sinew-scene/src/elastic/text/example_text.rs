//! `[[body.example]]`, and how examples are used.

use super::body_text::whole;
use crate::elastic::formula::{Axis, Formula, FormulaKind};
use crate::scene_text::{Spot, Table, TextError, Value};
use sinew_soft::WeightRule;
use std::path::PathBuf;

/// The examples of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ExamplesText {
    /// In the order of the file.
    pub list: Vec<ExampleText>,
    /// Which regions share their weights. Default: all.
    pub grouping: GroupingText,
    /// Share of the examples that is kept. Default 0.995.
    pub beta: f32,
    /// How weights are kept within the hull. Default nearest.
    pub rule: WeightRule,
}

/// Which regions share their weights.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the docs of the variants say it")]
pub enum GroupingText {
    /// All.
    Whole,
    /// Those of the groups that the model has.
    OfModel,
    /// Those of slices of equal thickness along an axis of the model. `axis`: along which.
    Slices { axis: Axis, count: u16 },
    /// None.
    Each,
}

/// One example.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleText {
    /// What it is called in pictures and reports.
    pub name: String,
    /// Where it stands in the file.
    pub(crate) spot: Spot,
    /// Where it comes from.
    pub source: ExampleSource,
}

/// Where an example comes from.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the docs of the variants say it")]
pub enum ExampleSource {
    /// An example that a made model has, by its name.
    OfModel,
    /// The rest shape, or an example of the made model, by formulas, one after the other.
    /// `on`: the example that they begin with; none is the rest shape. `formulas`: what is done to it.
    Formulas { on: Option<String>, formulas: Vec<Formula> },
    /// The shape in a file. `path`: relative to the scene file. `rest`: what a surface was deformed from, if it is not the body's own.
    File { path: PathBuf, rest: Option<PathBuf> },
}

impl ExamplesText {
    /// Reads `example`, `grouping`, `groups`, `beta` and `rule` of a body.
    pub(super) fn read(table: &mut Table<'_>) -> Result<Self, TextError> {
        let list = table.list("example", example)?;
        let grouping = grouping(table)?;
        let beta = table.get("beta").map_or(Ok(0.995), |value| value.number_in(0.0..=1.0))? as f32;
        let rules = [
            ("nearest", WeightRule::Nearest),
            ("sorting", WeightRule::Sorting),
            ("source", WeightRule::Source),
        ];
        let rule = table.get("rule").map_or(Ok(WeightRule::Nearest), |value| value.word(&rules))?;
        Ok(Self { list, grouping, beta, rule })
    }
}

fn grouping(table: &mut Table<'_>) -> Result<GroupingText, TextError> {
    let words =
        [("whole", GroupingText::Whole), ("groups", GroupingText::OfModel), ("each", GroupingText::Each)];
    let grouping = table.get("grouping").map_or(Ok(GroupingText::Whole), |value| value.word(&words))?;
    let Some(slices) = table.get("groups") else { return Ok(grouping) };
    if grouping != GroupingText::OfModel {
        return Err(slices.error("groups need grouping = \"groups\""));
    }
    slices.read(|slices| {
        let axis = axis(&slices.need("axis")?)?;
        let count = whole(&slices.need("count")?, 1.0..=1000.0)? as u16;
        Ok(GroupingText::Slices { axis, count })
    })
}

fn example(table: &mut Table<'_>, _: usize) -> Result<ExampleText, TextError> {
    let spot = table.spot();
    let name = table.get("name");
    let source = match (formulas(table)?, table.get("file")) {
        (Some(formulas), None) => {
            let on = table.get("on").map(|value| value.text().map(str::to_owned)).transpose()?;
            ExampleSource::Formulas { on, formulas }
        }
        (None, Some(file)) => {
            let rest = table.get("rest").map(|value| value.text().map(PathBuf::from)).transpose()?;
            ExampleSource::File { path: file.text()?.into(), rest }
        }
        (None, None) => ExampleSource::OfModel,
        (Some(_), Some(file)) => return Err(file.error("it has a shape already; remove one of the two")),
    };
    let name = match (&name, &source) {
        (Some(value), _) => value.text()?.to_owned(),
        (None, ExampleSource::Formulas { formulas, .. }) => {
            formulas.iter().map(|formula| formula.kind.name()).collect::<Vec<_>>().join(" and ")
        }
        (None, ExampleSource::File { path, .. }) => {
            path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
        }
        (None, ExampleSource::OfModel) => {
            let hint = "name = \"twist\" of the made model, shape = \"twist\" by a formula, or file = \"twisted.obj\"";
            return Err(table.error(format_args!("choose a shape: {hint}")));
        }
    };
    Ok(ExampleText { name, spot, source })
}

/// `shape`, or several in `shapes`.
fn formulas(table: &mut Table<'_>) -> Result<Option<Vec<Formula>>, TextError> {
    match (table.get("shape"), table.get("shapes")) {
        (Some(shape), None) => Ok(Some(vec![formula(&shape, table)?])),
        (None, Some(shapes)) => {
            let formulas = shapes.each(|table| formula(&table.need("shape")?, table))?;
            if formulas.is_empty() {
                return Err(shapes.error("expected at least one shape"));
            }
            Ok(Some(formulas))
        }
        (None, None) => Ok(None),
        (Some(_), Some(shapes)) => Err(shapes.error("it has a `shape` already; remove one of the two")),
    }
}

fn formula(shape: &Value<'_>, table: &mut Table<'_>) -> Result<Formula, TextError> {
    let kind = shape.word(&FormulaKind::ALL.map(|kind| (kind.name(), kind)))?;
    let amount = match table.get("amount") {
        Some(value) => value.number_in(kind.amounts())?,
        None => kind.usual_amount(),
    };
    let axis = table.get("axis").map(|value| axis(&value)).transpose()?;
    Ok(Formula { kind, amount: amount as f32, axis })
}

fn axis(value: &Value<'_>) -> Result<Axis, TextError> {
    value.word(&[("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)])
}
