//! Data, on stdout.

use serde::Serialize;
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints a line. Where nobody reads any more (`sinew … | head`) the program ends quietly: files are written before data is printed.
pub(crate) fn print(text: impl Display) {
    if let Err(error) = writeln!(std::io::stdout().lock(), "{text}") {
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        // Stderr may be gone as well.
        let _ = writeln!(std::io::stderr(), "error: cannot print: {error}");
        std::process::exit(1);
    }
}

/// Prints a value as JSON.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(serde_json::to_string_pretty(value)?);
    Ok(())
}
