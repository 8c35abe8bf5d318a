//! What a screen shows of a moment beside the picture, as JSON in the shapes that `types.d.ts` names.

use sentir_harness::hud::{Banner, Button, Gauge, Minimap, Panel, PanelRow, Play, Prompt, ResultCard, WeaponLine};
use serde_json::{Value, json};

use crate::report::hud_of;
use crate::session::Session;

/// All of it but the cells of the minimap, which the binding hands over as bytes.
pub fn screen(session: &Session, play: &Play) -> Value {
    json!({
        "hud": play.hud.as_ref().map(|hud| hud_of(session, hud)),
        "gauges": play.gauges.iter().map(gauge).collect::<Value>(),
        "prompt": play.prompt.as_ref().map(prompt),
        "banner": play.banner.as_ref().map(banner),
        "result": play.result.as_ref().map(result),
        "panels": play.panels.iter().map(panel).collect::<Value>(),
        "minimap": play.minimap.as_ref().map(minimap),
        "selection": play.selection.iter().map(|key| key.0).collect::<Value>(),
    })
}

pub(crate) fn weapon(it: &WeaponLine) -> Value {
    json!({ "name": it.name, "rounds": it.rounds, "magazine": it.magazine, "carried": it.carried, "is_held": it.is_held })
}

fn gauge(it: &Gauge) -> Value {
    json!({ "name": it.name, "text": it.text, "place": it.place.name(), "share": it.share, "tone": it.tone.name() })
}

fn prompt(it: &Prompt) -> Value {
    json!({ "key": it.key, "text": it.text })
}

fn banner(it: &Banner) -> Value {
    json!({ "text": it.text, "detail": it.detail, "tone": it.tone.name(), "until_tick": it.until.0 })
}

fn result(it: &ResultCard) -> Value {
    let row = |(name, text): &(&str, String)| json!({ "name": name, "text": text });
    json!({ "title": it.title, "is_won": it.is_won, "rows": it.rows.iter().map(row).collect::<Value>() })
}

fn panel(it: &Panel) -> Value {
    json!({
        "id": it.id,
        "title": it.title,
        "rows": it.rows.iter().map(row).collect::<Value>(),
        "buttons": it.buttons.iter().map(button).collect::<Value>(),
    })
}

fn row(it: &PanelRow) -> Value {
    json!({ "name": it.name, "text": it.text, "share": it.share, "tone": it.tone.name() })
}

fn button(it: &Button) -> Value {
    json!({ "id": it.id, "text": it.text, "is_on": it.is_on, "is_enabled": it.is_enabled, "about": it.about })
}

/// Where a minimap lies and how it is divided.
pub fn minimap(it: &Minimap) -> Value {
    let ([across, down], [x, y], [width, height]) = (it.cells, it.corner.to_array(), it.size.to_array());
    json!({ "x": x, "y": y, "width": width, "height": height, "cells_across": across, "cells_down": down })
}
