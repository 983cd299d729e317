//! Limits on models and on file access, for all subcommands.

use sinew::{Limits, Loader};

/// Limits that are not given come from the environment.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits of models")]
pub struct Args {
    /// Memory of a model and its simulation in bytes, or as 512M or 8G [env: SINEW_MAX_MEMORY]
    #[arg(long, global = true, value_name = "BYTES", value_parser = bytes)]
    max_memory: Option<u64>,
    /// Elements after replication and attachment [env: SINEW_MAX_ELEMENTS]
    #[arg(long, global = true, value_name = "N")]
    max_elements: Option<usize>,
    /// Numbers in one array [env: SINEW_MAX_NUMBERS]
    #[arg(long, global = true, value_name = "N")]
    max_numbers: Option<u64>,
    /// Read no file outside the directory of the model [env: SINEW_CONFINED]
    #[arg(long, global = true)]
    confined: bool,
}

impl Args {
    /// Applies these limits to everything that is loaded.
    pub fn apply(&self) {
        let usual = Limits::default();
        Limits {
            memory: self.max_memory.unwrap_or(usual.memory),
            elements: self.max_elements.unwrap_or(usual.elements),
            numbers: self.max_numbers.unwrap_or(usual.numbers),
        }
        .make_default();
        if self.confined {
            Loader::confine_by_default(true);
        }
    }
}

/// Parses a number of bytes with an optional unit.
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.find(|c: char| !c.is_ascii_digit()).map(|at| text.split_at(at)) {
        None => (text, 0),
        Some((digits, unit)) => match unit.to_ascii_uppercase().as_str() {
            "K" => (digits, 10),
            "M" => (digits, 20),
            "G" => (digits, 30),
            "T" => (digits, 40),
            _ => return Err("a number of bytes, or one with K, M, G or T".into()),
        },
    };
    let number: u64 = digits.parse().map_err(|_| "a number of bytes, or one with K, M, G or T".to_string())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too many bytes".into())
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn bytes_have_units() {
        assert_eq!([bytes("12"), bytes("3k"), bytes("2G")], [Ok(12), Ok(3 << 10), Ok(2 << 30)]);
        assert!(["", "G", "1.5G", "-1", "99999999999T"].iter().all(|text| bytes(text).is_err()));
    }
}
