//! `cargo xtask prove recording`: what recording costs beside playing, in instructions.

use std::path::Path;

use crate::callgrind;
use crate::figure::Outcome;

/// What is counted: a scene, and two counts of ticks whose difference is measured. Whole seconds, as full hashes are taken
/// once in each.
const COUNTED: &[(&str, [u64; 2])] = &[
    ("firefight", [300, 1500]),
    ("patrol", [120, 1320]),
    ("guard", [120, 1320]),
    ("skirmish", [120, 720]),
    ("flock", [60, 180]),
    ("commute", [60, 180]),
    ("stream", [60, 180]),
    ("crowd", [60, 180]),
    ("hide-and-seek", [120, 720]),
    ("influence", [120, 420]),
    ("predict", [120, 420]),
];

/// Instructions of a recorded tick over those of a bare one: at most so many.
const RATIO_MAX: f64 = 1.2;

/// Counts each scene bare, recorded and as the page plays it. Where valgrind is not there, nothing can be told.
pub fn measure(root: &Path) -> Result<Outcome, String> {
    if !callgrind::is_here() {
        return Err("valgrind is not here".to_owned());
    }
    let program = callgrind::example(root, "sentir_web", "recorded_ticks")?;
    let mut output = String::new();
    let mut worst = 0.0_f64;
    for &(scene, counts) in COUNTED {
        let ticks = counts[1] - counts[0];
        let each = |way: &str| -> Result<f64, String> {
            let count = |ticks: u64| {
                let words = [scene.to_owned(), ticks.to_string(), way.to_owned()];
                callgrind::count(root, &program, &words)
            };
            Ok(count(counts[1])?.saturating_sub(count(counts[0])?) as f64 / ticks as f64)
        };
        let [bare, recorded, page] = [each("bare")?, each("recorded")?, each("page")?];
        let ratio = recorded / bare;
        let text = format!(
            "{scene}: {bare:.0} instructions a tick; recorded {ratio:.3} × (limit {RATIO_MAX}), in the page {:.3} ×\n",
            page / bare
        );
        print!("{text}");
        output.push_str(&text);
        worst = worst.max(ratio);
    }
    let text = format!("worst: {worst:.3} × a bare tick\n");
    print!("{text}");
    output.push_str(&text);
    if worst > RATIO_MAX {
        return Err(format!("a recorded tick costs up to {worst:.3} × a bare one"));
    }
    Ok(Outcome { command: "cargo xtask prove recording".to_owned(), output })
}
