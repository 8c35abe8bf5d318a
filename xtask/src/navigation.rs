//! Navigation measured on the public benchmark files, which are not part of the project: `prove navigation --data FOLDER`.
//! The folder has `grid` (maps and scenarios), `mesh` (meshes and scenarios) and `level/dungeon.obj`.

use std::path::Path;

use crate::figure::Outcome;
use crate::process;
use crate::prove::instructions;

/// Benchmarks of the program, each on a part of the folder.
const BENCHES: &[(&str, &str)] =
    &[("grid", "grid"), ("mesh", "mesh"), ("bake", "level/dungeon.obj"), ("travel", "level/dungeon.obj")];

/// What instructions are counted for, by an example of `sentir_nav` that takes a count of rounds.
struct Counted {
    what: &'static str,
    example: &'static str,
    /// Words before the files; `#` stands for the rounds.
    words: &'static str,
    /// What one round does.
    each: u64,
    limit: &'static str,
}

const fn counted(
    what: &'static str,
    example: &'static str,
    words: &'static str,
    each: u64,
    limit: &'static str,
) -> Counted {
    Counted { what, example, words, each, limit }
}

const COUNTED: &[Counted] = &[
    counted("A* on brc202d", "grid_queries", "astar # grid/brc202d.map grid/brc202d.map.scen 42", 42, "8 M"),
    counted("jump points on brc202d", "grid_queries", "jump # grid/brc202d.map grid/brc202d.map.scen 42", 42, "0.53 M"),
    counted(
        "hierarchy on brc202d",
        "grid_queries",
        "hierarchy # grid/brc202d.map grid/brc202d.map.scen 42",
        42,
        "none",
    ),
    counted("any angle on aurora", "mesh_queries", "mesh/aurora-merged.mesh mesh/aurora.scen # angle", 2990, "2.0 M"),
    counted("corridor on dungeon", "mesh_queries", "level/dungeon.obj 1000 # corridor", 1000, "23 361"),
    counted("straight path on dungeon", "mesh_queries", "level/dungeon.obj 1000 # straight", 1000, "33 734"),
    counted("nearest polygon on dungeon", "mesh_queries", "level/dungeon.obj 1000 # nearest", 1000, "4 048"),
    counted("ray on dungeon", "mesh_queries", "level/dungeon.obj 1000 # ray", 1000, "1 275"),
    counted("bake of dungeon in one piece", "bake_steps", "level/dungeon.obj whole #", 1, "160 M"),
    counted("bake of dungeon by tiles", "bake_steps", "level/dungeon.obj tiled #", 1, "none"),
    counted("one tile of dungeon with an obstacle", "bake_steps", "level/dungeon.obj carve #", 1, "8 M"),
];

/// Runs all benchmarks beside other libraries, then counts instructions, where valgrind is there.
pub fn measure(root: &Path, data: &Path) -> Result<Outcome, String> {
    let data = data.canonicalize().map_err(|error| format!("'{}' cannot be read: {error}", data.display()))?;
    let mut output = String::new();
    for (item, part) in BENCHES {
        let line = format!("run --release -p sentir_lab --features peers -- bench {item} --data");
        output.push_str(&process::tee(process::cargo(root, &line).arg(data.join(part)))?);
    }
    for one in COUNTED {
        let file =
            |word: &str| if word.contains('/') { data.join(word).display().to_string() } else { word.to_owned() };
        let words = |rounds: &str| one.words.replace('#', rounds).split(' ').map(file).collect::<Vec<_>>();
        let text = match instructions(root, "sentir_nav", one.example, [words("1"), words("3")])? {
            Some([less, more]) => {
                let each = more.saturating_sub(less) / (2 * one.each);
                format!("{}: {each} instructions (limit {})\n", one.what, one.limit)
            }
            None => format!("{}: instructions are not counted, as valgrind is not here\n", one.what),
        };
        print!("{text}");
        output.push_str(&text);
    }
    Ok(Outcome { command: "cargo xtask prove navigation --data FOLDER".to_owned(), output })
}
