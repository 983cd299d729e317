//! Text of labels.

use sinew_engine::Model;
use sinew_engine::model::enums::ObjType;

/// The name of an element, or its kind and index.
pub(crate) fn element(m: &Model, objtype: ObjType, id: usize) -> String {
    match m.id2name(objtype, id) {
        Some(name) => name.into(),
        None => format!("{} {id}", format!("{objtype:?}").to_ascii_lowercase()),
    }
}

/// Formats a number like C's `%.{digits}g`.
pub(crate) fn general(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}").to_ascii_lowercase();
    }
    let rounded = format!("{x:.*e}", digits - 1);
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |s: &str| match s.contains('.') {
        true => s.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => s.to_string(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    trimmed(&format!("{x:.*}", (digits as i32 - 1 - exponent).max(0) as usize))
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn numbers_are_written_as_c_does() {
        let cases =
            [(0.0, "0"), (1.5, "1.5"), (123.4, "123"), (1234.0, "1.23e+03"), (0.00001234, "1.23e-05"), (-0.5, "-0.5")];
        for (x, text) in cases {
            assert_eq!(general(x, 3), text);
        }
    }
}
