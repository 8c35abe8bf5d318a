//! Navigation measured on the public benchmark files, which are not part of the project: `prove navigation --data FOLDER`.
//! The folder has `grid` (maps and scenarios), `mesh` (meshes and scenarios) and `level/dungeon.obj`.

use std::path::Path;

use crate::figure::Outcome;
use crate::{limits, process};

/// Benchmarks of the program, each on a part of the folder.
const BENCHES: &[(&str, &str)] =
    &[("grid", "grid"), ("mesh", "mesh"), ("bake", "level/dungeon.obj"), ("travel", "level/dungeon.obj")];

/// Runs all benchmarks beside other libraries, then counts instructions, where valgrind is there.
pub fn measure(root: &Path, data: &Path) -> Result<Outcome, String> {
    let data = data.canonicalize().map_err(|error| format!("'{}' cannot be read: {error}", data.display()))?;
    let mut output = String::new();
    for (item, part) in BENCHES {
        let line = format!("run --release -p sentir_lab --features peers -- bench {item} --data");
        output.push_str(&process::tee(process::cargo(root, &line).arg(data.join(part)))?);
    }
    output.push_str(&limits::counted(root, Some(&data), |command| command.contains("{data}"))?);
    Ok(Outcome { command: "cargo xtask prove navigation --data FOLDER".to_owned(), output })
}
