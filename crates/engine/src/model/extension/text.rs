//! Parser of `sinew:` texts: a keyword, then numbers in order or as `name=number`.

use super::Fault;
use crate::model::names::nearest;

/// Words of a text that have not been read yet.
pub(super) struct Words<'a> {
    pub list: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Words { list: text.split_whitespace().collect() }
    }

    /// Takes the first word, which must be one of `known`.
    pub fn kind(&mut self, known: &[&'static str]) -> Result<&'static str, Fault> {
        let list = || format!("known are {}", known.join(", "));
        if self.list.is_empty() {
            return Err(("the text is empty".into(), list()));
        }
        let word = self.list.remove(0);
        known.iter().find(|k| **k == word).copied().ok_or_else(|| {
            let advice = nearest(word, known.iter().copied()).map(|near| format!("did you mean '{near}'?"));
            (format!("unknown word '{word}'"), advice.unwrap_or_else(list))
        })
    }

    /// Removes a word from any position.
    pub fn take(&mut self, word: &str) -> Option<&'a str> {
        let at = self.list.iter().position(|w| *w == word)?;
        Some(self.list.remove(at))
    }
}

/// Numeric settings by name.
pub(super) struct Settings<'n> {
    known: &'n [&'static str],
    values: Vec<Option<f64>>,
}

impl<'n> Settings<'n> {
    /// Parses the remaining words: numbers in the order of `known`, or by name.
    pub fn of(words: Words<'_>, known: &'n [&'static str]) -> Result<Self, Fault> {
        let mut values = vec![None; known.len()];
        for (place, word) in words.list.iter().enumerate() {
            let (at, digits) = match word.split_once('=') {
                Some((name, digits)) => (position(known, name)?, digits),
                None if place < known.len() => (place, *word),
                None => {
                    return Err((format!("unexpected word '{word}'"), format!("known are {}", known.join(", "))));
                }
            };
            let number = digits.parse().ok().filter(|x: &f64| !x.is_nan());
            let Some(number) = number else {
                return Err((format!("{} = '{digits}' is not a number", known[at]), "write it like 1e-3".into()));
            };
            if values[at].replace(number).is_some() {
                return Err((format!("{} is given twice", known[at]), "leave one of them out".into()));
            }
        }
        Ok(Settings { known, values })
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.known.iter().position(|k| *k == name).and_then(|at| self.values[at])
    }

    /// Whether a setting is given.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A number; required if there is no `default`.
    pub fn number(&self, name: &str, default: Option<f64>) -> Result<f64, Fault> {
        self.get(name).or(default).ok_or_else(|| (format!("{name} is missing"), format!("add {name}=<number>")))
    }

    /// A number not below `least`.
    pub fn at_least(&self, name: &str, default: Option<f64>, least: f64) -> Result<f64, Fault> {
        let x = self.number(name, default)?;
        if x >= least { Ok(x) } else { Err((format!("{name} = {x} is too small"), format!("use {least} or more"))) }
    }

    /// A positive number.
    pub fn positive(&self, name: &str, default: Option<f64>) -> Result<f64, Fault> {
        let x = self.number(name, default)?;
        if x > 0.0 { Ok(x) } else { Err((format!("{name} = {x} is not positive"), "use a number above 0".into())) }
    }

    /// An integer from 1 to `most`.
    pub fn count(&self, name: &str, default: usize, most: usize) -> Result<usize, Fault> {
        let x = self.get(name).unwrap_or(default as f64);
        if x.fract() == 0.0 && (1.0..=most as f64).contains(&x) {
            return Ok(x as usize);
        }
        Err((format!("{name} = {x} is not a usable count"), format!("use a whole number from 1 to {most}")))
    }
}

fn position(known: &[&'static str], name: &str) -> Result<usize, Fault> {
    known.iter().position(|k| *k == name).ok_or_else(|| {
        let advice = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("known are {}", known.join(", ")),
        };
        (format!("unknown setting '{name}'"), advice)
    })
}
