//! Parser for one kind of JSON: an object of positions by name.
//!
//! Hand-written: this crate has no file formats, and a JSON parser for one table is not worth the dependency.

use super::FitError;
use glam::DVec3;
use std::collections::BTreeMap;

/// Reads `{"name": [x, y, z], …}`. Of a duplicate name the last wins.
pub(super) fn read_positions(text: &str) -> Result<BTreeMap<String, DVec3>, FitError> {
    let mut reader = Reader { text, at: 0 };
    let mut found = BTreeMap::new();
    reader.expect('{')?;
    if !reader.takes('}') {
        loop {
            let key = reader.name()?;
            reader.expect(':')?;
            let position = reader.position(&key)?;
            found.insert(key, position);
            if !reader.takes(',') {
                reader.expect('}')?;
                break;
            }
        }
    }
    match reader.next_sign() {
        None => Ok(found),
        Some(_) => Err(reader.syntax("the end")),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn next_sign(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn takes(&mut self, sign: char) -> bool {
        let is_there = self.next_sign() == Some(sign);
        if is_there {
            self.at += sign.len_utf8();
        }
        is_there
    }

    fn expect(&mut self, sign: char) -> Result<(), FitError> {
        if self.takes(sign) { Ok(()) } else { Err(self.syntax(&format!("'{sign}'"))) }
    }

    fn syntax(&self, expected: &str) -> FitError {
        let line = self.text[..self.at].matches('\n').count() + 1;
        FitError::JointsText { message: format!("expected {expected} in line {line}") }
    }

    fn name(&mut self) -> Result<String, FitError> {
        self.expect('"')?;
        let rest = &self.text[self.at..];
        match rest.find(['"', '\\']) {
            Some(long) if rest[long..].starts_with('"') => {
                self.at += long + 1;
                Ok(rest[..long].to_owned())
            }
            _ => Err(self.syntax("a name in quotes, without escapes")),
        }
    }

    fn position(&mut self, key: &str) -> Result<DVec3, FitError> {
        let _ = self.next_sign();
        let rest = &self.text[self.at..];
        // The rest of the value, for the error.
        let end = rest.find([']', '}', '"']).unwrap_or(rest.len());
        let inside = rest[..end].strip_prefix('[').filter(|_| rest[end..].starts_with(']'));
        let numbers: Option<Vec<f64>> = inside.and_then(|inside| {
            let number = |word: &str| word.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            inside.split(',').map(number).collect()
        });
        match numbers.as_deref() {
            Some(&[x, y, z]) => {
                self.at += end + 1;
                Ok(DVec3::new(x, y, z))
            }
            _ => {
                let found: String = rest.chars().take(FOUND_SIGNS).collect::<String>().replace('\n', " ");
                Err(FitError::JointValue { key: key.to_owned(), found })
            }
        }
    }
}

/// Maximum characters of an invalid value in an error.
const FOUND_SIGNS: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_and_other_texts_are_not() {
        let found = read_positions(" {\"a\": [1, -2.5e-1,\n 3], \"ü\" : [0,0,0]}\n").unwrap();
        assert_eq!(found["a"], DVec3::new(1.0, -0.25, 3.0));
        assert_eq!((found.len(), read_positions("{}").unwrap().len()), (2, 0));
        for text in
            ["", "[]", "{", "{\"a\"", "{\"a\": [1,2,3]", "{\"a\": [1,2,3],}", "{\"a\\\"\": [1,2,3]}", "{} {}"]
        {
            assert!(matches!(read_positions(text), Err(FitError::JointsText { .. })), "{text}");
        }
        for text in ["1", "[1,2]", "[1,2,NaN]", "[1,2,1e999]", "[1,2,\"3\"]", "[[1,2,3]]", "null", "[1,2,3"] {
            let Err(FitError::JointValue { key, .. }) = read_positions(&format!("{{\"a\": {text}}}")) else {
                panic!("{text} was taken");
            };
            assert_eq!(key, "a");
        }
    }
}
