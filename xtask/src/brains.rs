//! `cargo xtask prove brains`: brains and plans beside other libraries, and the instructions they take.

use std::path::Path;

use crate::figure::Outcome;
use crate::{limits, process};

/// The benchmark with peers, then instructions, where valgrind is there, then the tests that nothing is allocated.
pub fn measure(root: &Path) -> Result<Outcome, String> {
    let mut command = process::cargo(root, "run --release -p sentir_lab --features peers -- bench brains");
    let mut output = process::tee(&mut command)?;
    output.push_str(&limits::counted(root, None, |command| command.starts_with("callgrind sentir_think/"))?);
    let steady = process::tee(&mut process::cargo(root, "test -p sentir_think --lib --tests allocat"))?;
    let is_passed = |line: &&str| line.starts_with("test ") && line.ends_with(" ok");
    output.extend(steady.lines().filter(is_passed).map(|line| format!("{line}\n")));
    Ok(Outcome { command: "cargo xtask prove brains".to_owned(), output })
}
