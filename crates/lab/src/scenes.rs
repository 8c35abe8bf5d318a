//! `sentir` and `sentir scenes`: what there is.

use crate::Done;
use crate::cli::ScenesOptions;
use sentir_harness::info::{Binding, Controls, Family, KindLook, SceneInfo};
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;

/// What it is, the scenes, what to try first.
pub(crate) fn welcome() -> Done {
    let mut out = std::io::stdout().lock();
    writeln!(out, "sentir {}: the brain of game characters (sense, think, act)\n", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "Scenes:")?;
    for family in sentir_scenes::CATALOG.families {
        writeln!(out, " {}: {}", family.name, family.about)?;
        for scene in family.scenes {
            writeln!(out, "  {:<18} {}", scene.name, scene.title)?;
        }
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
        let of_family = |family: &Family| family.scenes.iter().map(|scene| as_json(family, scene)).collect::<Vec<_>>();
        let all: Value = sentir_scenes::CATALOG.families.iter().flat_map(of_family).collect();
        writeln!(out, "{all}")?;
        return Ok(ExitCode::SUCCESS);
    }
    for family in sentir_scenes::CATALOG.families {
        writeln!(out, "{}: {}\n", family.name.to_uppercase(), family.about)?;
        for scene in family.scenes {
            describe(scene, &mut out)?;
        }
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(scene: &SceneInfo, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}: {}", scene.name, scene.title)?;
    writeln!(out, "  {}", scene.about)?;
    if let Some(controls) = scene.controls {
        writeln!(out, "  {}", controls.sentence())?;
    }
    if !scene.kinds.is_empty() {
        let kinds: Vec<&str> = scene.kinds.iter().map(|look| look.name).collect();
        writeln!(out, "  Agents: {}", kinds.join(", "))?;
    }
    let layers: Vec<&str> = scene.layers.iter().map(|layer| layer.0).collect();
    writeln!(out, "  --layers {}", layers.join(","))?;
    for setting in scene.settings {
        let (name, stock, about, kind) = (setting.name, setting.stock, setting.about, setting.kind);
        writeln!(out, "  --set {:<18} {about}; {kind}", format!("{name}={stock}"))?;
    }
    for (name, _) in scene.assets {
        writeln!(out, "  --asset {name}=PATH")?;
    }
    Ok(())
}

fn controls_json(controls: &Controls) -> Value {
    let binding = |it: &Binding| json!({ "action": it.action.name(), "letter": it.action.letter(), "about": it.about });
    json!({
        "mode": controls.mode.name(),
        "setting": controls.setting,
        "difficulty": controls.difficulty,
        "sentence": controls.sentence(),
        "bindings": controls.bindings.iter().map(binding).collect::<Vec<_>>(),
    })
}

fn as_json(family: &Family, scene: &SceneInfo) -> Value {
    let look = |it: &KindLook| json!({ "kind": it.kind, "name": it.name, "model": it.model.name(), "title": it.title });
    let setting = |setting: &sentir_harness::info::Setting| {
        json!({
            "name": setting.name,
            "about": setting.about,
            "stock": setting.stock,
            "expected": setting.kind.to_string(),
        })
    };
    json!({
        "name": scene.name,
        "family": family.name,
        "title": scene.title,
        "about": scene.about,
        "controls": scene.controls.map(|it| controls_json(&it)),
        "kinds": scene.kinds.iter().map(look).collect::<Vec<_>>(),
        "ground": scene.look.ground.name(),
        "minimap": scene.look.has_minimap,
        "views": scene.look.views.iter().map(|view| view.name()).collect::<Vec<_>>(),
        "layers": scene.layers.iter().map(|layer| layer.0).collect::<Vec<_>>(),
        "settings": scene.settings.iter().map(setting).collect::<Vec<_>>(),
        "assets": scene.assets.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "rate_hz": scene.rate.hz(),
        "trials": scene.trials,
    })
}
