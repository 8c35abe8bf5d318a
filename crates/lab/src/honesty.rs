//! `sentir honesty`: changes what no sense reached, and says whether any decision changed.

use crate::Done;
use crate::cli::HonestyOptions;
use comfy_table::{Table, presets};
use sentir_harness::honesty::{TrialConfig, examine};
use sentir_harness::info::{Changes, SceneInfo};
use sentir_scenes::HONESTY_EXEMPT;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// What all scenes came to.
#[derive(Default)]
struct Sums {
    tested: usize,
    left_out: usize,
    changes: usize,
    leaks: usize,
    too_few: usize,
}

/// Tests scenes, one row each. The exit code is 1 when a decision changed.
pub(crate) fn honesty(options: &HonestyOptions) -> Done {
    let all = || sentir_scenes::CATALOG.scenes().collect::<Vec<&SceneInfo>>();
    let named = options.scenes.iter().map(|name| sentir_scenes::CATALOG.find(name)).collect::<Result<Vec<_>, _>>()?;
    let scenes = if named.is_empty() { all() } else { named };
    let changes: Vec<(String, String)> = options
        .settings
        .iter()
        .filter_map(|text| text.split_once('='))
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .collect();
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(["scene", "changes", "of which", "ticks", "verdict"]);
    let mut is_honest = true;
    let mut sums = Sums::default();
    for scene in scenes {
        let config = TrialConfig { changes: options.changes, ..TrialConfig::default() };
        let Some(found) =
            examine(scene, &scene.setup(options.seed, Changes { settings: &changes, assets: &[] })?, &config)?
        else {
            let reason = HONESTY_EXEMPT.iter().find(|(name, _)| *name == scene.name);
            let reason = reason.map_or("it declares no reach of senses", |(_, reason)| reason);
            table.add_row([scene.name, "", "", "", &format!("not tested: {reason}")]);
            sums.left_out += 1;
            continue;
        };
        let kinds = ["moved", "added", "removed", "door", "item", "noise"];
        let counts: Vec<String> = kinds
            .iter()
            .map(|kind| (kind, found.count(kind)))
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        is_honest &= found.leak().is_none();
        let verdict = found.leak().map_or_else(|| "equal to the bit".to_owned(), ToString::to_string);
        let cases = found.cases.len().to_string();
        // Too few changes that nobody could know of prove nothing.
        let is_enough = found.cases.len() >= options.changes as usize || found.leak().is_some();
        let verdict = if is_enough { verdict } else { format!("too few: {} were in plain sight", found.seen_too_soon) };
        is_honest &= is_enough;
        sums.tested += 1;
        sums.changes += found.cases.len();
        sums.leaks += usize::from(found.leak().is_some());
        sums.too_few += usize::from(!is_enough);
        table.add_row([scene.name, &cases, &counts.join(", "), &found.ticks().to_string(), &verdict]);
        if options.cases {
            for case in &found.cases {
                writeln!(std::io::stdout(), "{}: {case}", scene.name)?;
            }
        }
    }
    if options.json {
        let Sums { tested, left_out, changes, leaks, too_few } = sums;
        let object = json!({
            "tested": tested, "left_out": left_out, "changes": changes, "leaks": leaks, "too_few": too_few
        });
        writeln!(std::io::stdout(), "{object}")?;
    } else {
        writeln!(std::io::stdout(), "{table}")?;
    }
    Ok(if is_honest { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
