//! Settings that come from no file, checked by the same table of fields.

use crate::tables::out_of_range;
use crate::{TextError, TextErrors};
use sinew_geometry::settings::{AnySettings, Settings, SettingsList, Slot};

/// Checks every value against its range, and what belongs together.
///
/// # Errors
/// Everything that is wrong, each with its key.
pub fn check<T: Settings + Clone>(settings: &T) -> Result<(), TextErrors> {
    let mut errors = Vec::new();
    table(String::new(), &mut settings.clone(), &mut errors);
    TextErrors::none_or(errors, ())
}

fn table(place: String, settings: &mut dyn AnySettings, errors: &mut Vec<TextError>) {
    let before = errors.len();
    for field in 0..settings.field_count() {
        let name = settings.key(field).name;
        let inner = if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
        value(name, inner, settings.slot(field), errors);
    }
    if errors.len() == before {
        errors.extend(settings.problems().into_iter().map(|problem| {
            let place = if problem.place.is_empty() { place.clone() } else { problem.place };
            TextError::without_file(place, problem.message)
        }));
    }
}

fn value(name: &str, place: String, slot: Slot<'_>, errors: &mut Vec<TextError>) {
    let mut range = |[least, most]: [f64; 2], value: f64| {
        if !(least..=most).contains(&value) {
            errors.push(TextError::without_file(place.clone(), out_of_range(value, [least, most])));
        }
    };
    match slot {
        Slot::Number(value, limits) => range(limits, value.get()),
        Slot::Optional(value, limits, _) => value.iter().for_each(|value| range(limits, *value)),
        Slot::Numbers(rows, limits) | Slot::Rows(rows, limits) => {
            rows.rows().iter().flatten().for_each(|value| range(limits, value.get()));
        }
        Slot::ByName(entries, limits) => entries.iter().for_each(|(_, value)| range(limits, *value)),
        Slot::Table(settings) => table(place, settings, errors),
        Slot::Tables(list) | Slot::Lines(list) => {
            for at in 0..list.count() {
                table(format!("{place}[{at}]"), list.item(at), errors);
            }
        }
        Slot::Named(list, name_key) => named_tables(name, name_key, list, errors),
        _ => {}
    }
}

fn named_tables(key: &str, name_key: &str, list: &mut dyn SettingsList, errors: &mut Vec<TextError>) {
    let names = list.names(name_key);
    for (at, name) in names.iter().enumerate() {
        let place = format!("{key} {name:?}");
        if names[..at].contains(name) {
            errors.push(TextError::without_file(place.clone(), "given twice"));
        } else if name.trim().is_empty() {
            errors.push(TextError::without_file(place.clone(), "a name must not be empty"));
        }
        table(place, list.item(at), errors);
    }
}
