//! Parses numbers as the C library does, which is what MJCF accepts.

use crate::error::ErrorKind;

type Parsed<T> = std::result::Result<T, ErrorKind>;

/// Splits at the whitespace of C's `isspace`.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '\n', '\r', '\x0b', '\x0c']).filter(|w| !w.is_empty())
}

/// Parses a double: decimal, hexadecimal, `inf` or `nan`. Overflow and underflow are errors.
pub(crate) fn real(word: &str) -> Parsed<f64> {
    let value = match special(word) {
        Some(value) => return value.ok_or_else(|| ErrorKind::BadNumber(word.into())),
        None => word.parse::<f64>().map_err(|_| ErrorKind::BadNumber(word.into()))?,
    };
    in_range(word, value, value.is_infinite() || value.is_subnormal(), value == 0.0)
}

/// Parses a single-precision number, rounded once; returned as a double.
pub(crate) fn float(word: &str) -> Parsed<f64> {
    let value = match special(word) {
        Some(Some(value)) => value as f32,
        Some(None) => return Err(ErrorKind::BadNumber(word.into())),
        None => word.parse::<f32>().map_err(|_| ErrorKind::BadNumber(word.into()))?,
    };
    let named = special(word).is_some();
    in_range(word, f64::from(value), !named && (value.is_infinite() || value.is_subnormal()), !named && value == 0.0)
}

/// Parses a 32-bit decimal integer.
pub(crate) fn int(word: &str) -> Parsed<i32> {
    word.parse().map_err(|_| ErrorKind::BadNumber(word.into()))
}

fn in_range(word: &str, value: f64, outside: bool, zero: bool) -> Parsed<f64> {
    let mantissa = word.split(['e', 'E']).next().unwrap_or("");
    if outside || (zero && mantissa.contains(|c: char| ('1'..='9').contains(&c))) {
        return Err(ErrorKind::BadNumber(word.into()));
    }
    Ok(value)
}

/// Parses `inf`, `nan` and hexadecimal; `Some(None)` when the word is one of them but malformed.
fn special(word: &str) -> Option<Option<f64>> {
    let (sign, body) = match word.strip_prefix('-') {
        Some(body) => (-1.0, body),
        None => (1.0, word.strip_prefix('+').unwrap_or(word)),
    };
    let lower = body.to_ascii_lowercase();
    if lower == "inf" || lower == "infinity" {
        return Some(Some(sign * f64::INFINITY));
    }
    if let Some(tail) = lower.strip_prefix("nan") {
        let inner = tail.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
        let valid = inner.is_some_and(|t| t.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        return Some((tail.is_empty() || valid).then_some(f64::NAN));
    }
    let hex = lower.strip_prefix("0x")?;
    Some(hexadecimal(hex).map(|x| sign * x))
}

fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once('p') {
        Some((m, e)) => (m, e.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for c in whole.chars().chain(part.chars()) {
        value = value * 16.0 + f64::from(c.to_digit(16)?);
    }
    let value = value * 2f64.powi(exponent.saturating_sub(4 * part.len() as i32));
    (value.is_finite()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_strtod_accepts() {
        let reals: Parsed<Vec<f64>> = words(" +.5 5. -1e3\n0x10 0x1p-2 ").map(real).collect();
        assert_eq!(reals, Ok(vec![0.5, 5.0, -1000.0, 16.0, 0.25]));
        assert_eq!(real("-Infinity"), Ok(f64::NEG_INFINITY));
        assert!(real("nan(12)").unwrap().is_nan());
        assert_eq!(float("0.1"), Ok(f64::from(0.1f32)));
        assert_eq!(int("+3"), Ok(3));
        assert_eq!(real("0e-999"), Ok(0.0));
    }

    #[test]
    fn refuses_the_rest() {
        for word in ["1e", "1,2", "1d0", "--1", "0x", "1e400", "1e-400", "1e-310", "nanx", "1_0"] {
            assert!(real(word).is_err(), "{word}");
        }
        assert!(float("1e39").is_err() && float("1e-40").is_err());
        for word in ["3.0", "0x10", "4294967296", ""] {
            assert!(int(word).is_err(), "{word}");
        }
    }
}
