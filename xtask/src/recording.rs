//! `cargo xtask prove recording`: what recording costs beside playing, in instructions.

use std::path::Path;

use crate::figure::Outcome;
use crate::prove;

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
    let mut output = String::new();
    let mut worst = 0.0_f64;
    for &(scene, counts) in COUNTED {
        let ticks = counts[1] - counts[0];
        let each = |way: &str| -> Result<f64, String> {
            let words = counts.map(|count| vec![scene.to_owned(), count.to_string(), way.to_owned()]);
            let counted = prove::instructions(root, "sentir_web", "recorded_ticks", words)?;
            let [less, more] = counted.ok_or("valgrind is not here")?;
            Ok(more.saturating_sub(less) as f64 / ticks as f64)
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
    if worst > RATIO_MAX {
        return Err(format!("a recorded tick costs up to {worst:.3} × a bare one"));
    }
    Ok(Outcome { command: "cargo xtask prove recording".to_owned(), output })
}
