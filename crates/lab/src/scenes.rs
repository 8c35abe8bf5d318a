//! `sentir` and `sentir scenes`: what there is.

use crate::Done;
use crate::cli::ScenesOptions;
use sentir_arena::scene::{SCENES, Scene};
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;

/// What it is, the scenes, what to try first.
pub(crate) fn welcome() -> Done {
    let mut out = std::io::stdout().lock();
    writeln!(out, "sentir {}: the brain of game characters (sense, think, act)\n", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "Scenes:")?;
    for scene in SCENES {
        writeln!(out, "  {:<12} {}", scene.name, scene.title)?;
    }
    writeln!(out, "\nTry first:")?;
    writeln!(out, "  sentir run patrol                      one match, and what came of it")?;
    writeln!(out, "  sentir run patrol --record out.srec    record it")?;
    writeln!(out, "  sentir replay out.srec                 play it again: identical to the bit")?;
    writeln!(out, "  sentir battery patrol --matches 200    many matches, with intervals")?;
    writeln!(out, "  sentir scenes                          every scene with its settings")?;
    writeln!(out, "  sentir help                            all commands")?;
    Ok(ExitCode::SUCCESS)
}

/// Every scene with its settings and assets.
pub(crate) fn list(options: &ScenesOptions) -> Done {
    let mut out = std::io::stdout().lock();
    if options.json {
        let all: Value = SCENES.iter().map(as_json).collect();
        writeln!(out, "{all}")?;
        return Ok(ExitCode::SUCCESS);
    }
    for scene in SCENES {
        writeln!(out, "{}: {}", scene.name, scene.title)?;
        writeln!(out, "  {}", scene.about)?;
        if !scene.controls.is_empty() {
            writeln!(out, "  Controls: {}", scene.controls)?;
        }
        for setting in scene.settings {
            let (name, stock, about, kind) = (setting.name, setting.stock, setting.about, setting.kind);
            writeln!(out, "  --set {:<18} {about}; {kind}", format!("{name}={stock}"))?;
        }
        for (name, _) in scene.assets {
            writeln!(out, "  --asset {name}=PATH")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(scene: &Scene) -> Value {
    let setting = |setting: &sentir_arena::scene::Setting| {
        json!({
            "name": setting.name,
            "about": setting.about,
            "stock": setting.stock,
            "expected": setting.kind.to_string(),
        })
    };
    json!({
        "name": scene.name,
        "title": scene.title,
        "about": scene.about,
        "controls": scene.controls,
        "settings": scene.settings.iter().map(setting).collect::<Vec<_>>(),
        "assets": scene.assets.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "rate_hz": scene.rate.hz(),
        "trials": scene.trials,
    })
}
