//! Settings of plugin instances, and errors in them.

use std::fmt::Display;

/// Why a plugin rejects an instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PluginError {
    /// What is wrong.
    pub message: String,
    /// The invalid setting, if the error is in one.
    pub key: Option<String>,
    /// How to fix it.
    pub hint: Option<String>,
}

impl PluginError {
    /// An error that is not in a particular setting.
    pub fn new(message: impl Display) -> Self {
        PluginError { message: message.to_string(), key: None, hint: None }
    }

    /// An error in the value of a setting.
    pub fn at(key: &str, message: impl Display) -> Self {
        PluginError { key: Some(key.into()), ..Self::new(message) }
    }

    /// Adds a hint.
    pub fn hint(self, hint: impl Display) -> Self {
        PluginError { hint: Some(hint.to_string()), ..self }
    }
}

/// Settings of one instance: a string for each key that the plugin knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    values: Vec<(String, String)>,
}

impl Config {
    /// Settings from keys and values.
    pub fn new(values: Vec<(String, String)>) -> Self {
        Config { values }
    }

    /// Settings from the null-terminated strings of `plugin_attr`, in the order of the plugin's keys.
    pub(super) fn from_texts(keys: &[&str], mut texts: &[u8]) -> Self {
        let mut value = || {
            let end = texts.iter().position(|&b| b == 0).unwrap_or(texts.len());
            let value = String::from_utf8_lossy(&texts[..end]).into_owned();
            texts = texts.get(end + 1..).unwrap_or_default();
            value
        };
        Config { values: keys.iter().map(|key| (key.to_string(), value())).collect() }
    }

    /// Value of a key; `None` if it is missing or empty.
    #[doc(alias = "mj_getPluginConfig")]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(k, v)| k == key && !v.is_empty()).map(|(_, v)| v.as_str())
    }

    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }

    /// Value of a key as numbers.
    ///
    /// # Errors
    /// If a word is not a number.
    pub fn numbers(&self, key: &str) -> Result<Vec<f64>, PluginError> {
        let number = |word: &str| {
            word.parse().map_err(|_| PluginError::at(key, format!("'{word}' is not a number, as the value of '{key}'")))
        };
        self.get(key).unwrap_or_default().split_whitespace().map(number).collect()
    }

    /// Value of a key as a number; `None` if it is missing or empty.
    ///
    /// # Errors
    /// If a word is not a number, or there is more than one.
    pub fn number(&self, key: &str) -> Result<Option<f64>, PluginError> {
        match self.numbers(key)?[..] {
            [] => Ok(None),
            [number] => Ok(Some(number)),
            _ => Err(PluginError::at(key, format!("the value of '{key}' must be one number"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_under_their_keys() {
        let config = Config::from_texts(&["a", "b", "c"], b" 2.5 \0\0x y\0");
        assert_eq!(config.number("a"), Ok(Some(2.5)));
        assert_eq!(config.number("b"), Ok(None));
        assert_eq!(config.get("c"), Some("x y"));
        assert_eq!(config.numbers("c").unwrap_err().key.as_deref(), Some("c"));
        assert_eq!(Config::from_texts(&["a", "b"], b"1").number("b"), Ok(None));
    }
}
