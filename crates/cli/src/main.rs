//! The `sinew` command.

fn main() {}
