//! `cargo xtask prove brains`: brains and plans beside other libraries, and the instructions they take.

use std::path::Path;

use crate::figure::Outcome;
use crate::{process, prove};

/// What is counted: an example of `sentir_think` with its words, `#` standing for how often; two such counts, whose
/// difference is measured; what one is; the limit.
const COUNTED: &[(&str, &str, [u64; 2], &str, &str)] = &[
    ("tree_ticks", "waiting #", [1000, 11_000], "tick of a tree that waits", "50"),
    ("tree_ticks", "visited #", [1000, 11_000], "tick of a tree of 30 nodes, all visited", "1 500"),
    ("tree_ticks", "reactive #", [1000, 11_000], "tick of the same under a reactive selector", "none"),
    ("goap_plan", "#", [10, 110], "plan of 10 steps among 50 actions, backward from the goal", "none"),
    ("htn_plan", "#", [10, 110], "plan of 10 steps among 50 tasks, one method taken back a step", "none"),
];

/// The benchmark with peers, then instructions, where valgrind is there, then the tests that nothing is allocated.
pub fn measure(root: &Path) -> Result<Outcome, String> {
    let mut command = process::cargo(root, "run --release -p sentir_lab --features peers -- bench brains");
    let mut output = process::tee(&mut command)?;
    for &(example, words, counts, what, limit) in COUNTED {
        let words_of = |count: u64| words.replace('#', &count.to_string()).split(' ').map(str::to_owned).collect();
        let text = match prove::instructions(root, "sentir_think", example, counts.map(words_of))? {
            Some([less, more]) => {
                let each = more.saturating_sub(less) / (counts[1] - counts[0]);
                format!("{each} instructions a {what} (limit {limit})\n")
            }
            None => format!("a {what}: instructions are not counted, as valgrind is not here\n"),
        };
        print!("{text}");
        output.push_str(&text);
    }
    let steady = process::tee(&mut process::cargo(root, "test -p sentir_think --lib --tests allocat"))?;
    let is_passed = |line: &&str| line.starts_with("test ") && line.ends_with(" ok");
    output.extend(steady.lines().filter(is_passed).map(|line| format!("{line}\n")));
    Ok(Outcome { command: "cargo xtask prove brains".to_owned(), output })
}
