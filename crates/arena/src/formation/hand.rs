//! What a person does: selects, forms, sends.

use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::formation::{Pattern, Rule};

use super::field::{Field, place_of};
use super::layout::Layout;
use super::mind::Drill;
use crate::input::Input;

/// How a person plays the formation scenes.
pub const CONTROLS: &str = "drag with the left button (fire, spot) to select, with Ctrl held (adding) to add or take out, the first one leads; Z, X: fixed patterns; \
                            C circle, V triangle, B squares; N hard and M soft roles for the pattern as it stands; right \
                            click (use, spot) moves";

/// A drag shorter than this is a click, m.
const CLICK_M: f32 = 0.4;
/// How near a click must be, m.
const PICK_M: f32 = 1.0;

/// Takes what a person does in this tick; the first key or click ends the script.
pub fn play(field: &mut Field, brains: &mut Loop<Drill>, layout: &Layout, inputs: &[Input], spacing_m: f32) {
    for &input in inputs.iter().filter(|input| input.player == 0) {
        let before = std::mem::replace(&mut field.input, input);
        let pressed = |action: Actions| input.actions.contains(action) && !before.actions.contains(action);
        let key = if input.key == before.key { 0 } else { input.key };
        if pressed(Actions::FIRE) {
            field.drag = Some(input.spot_m());
            field.is_played = true;
        }
        if !input.actions.contains(Actions::FIRE)
            && let Some(from) = field.drag.take()
        {
            let before = if input.is_adding { std::mem::take(&mut field.selected) } else { Vec::new() };
            select(field, brains, from, input.spot_m());
            join(&mut field.selected, before, from.distance(input.spot_m()) < CLICK_M);
        }
        let shape = match key {
            b'Z' => Some((Pattern::Diamond, Rule::Plain)),
            b'X' => Some((Pattern::Pairs, Rule::Plain)),
            b'C' => Some((Pattern::Circle, Rule::Plain)),
            b'V' => Some((Pattern::Triangle, Rule::Plain)),
            b'B' => Some((Pattern::Squares, Rule::Plain)),
            b'N' => Some((field.formation.pattern(), Rule::Hard)),
            b'M' => Some((field.formation.pattern(), Rule::Soft)),
            _ => None,
        };
        if let Some((pattern, rule)) = shape {
            field.is_played = true;
            field.form(brains, pattern, rule, spacing_m);
        }
        if pressed(Actions::USE) {
            field.is_played = true;
            field.send(brains, layout, input.spot_m(), None);
        }
    }
}

/// Adds what was picked to what was selected before, which leads on; a click on somebody selected takes him out.
fn join(picked: &mut Vec<AgentId>, before: Vec<AgentId>, is_click: bool) {
    let news = std::mem::replace(picked, before);
    for agent in news {
        match picked.iter().position(|other| *other == agent) {
            Some(place) if is_click => drop(picked.remove(place)),
            Some(_) => {}
            None => picked.push(agent),
        }
    }
}

/// Selects all in a box, or the nearest to a click.
fn select(field: &mut Field, brains: &Loop<Drill>, from: Vec2, to: Vec2) {
    field.selected.clear();
    if from.distance(to) < CLICK_M {
        let reach = |(it, _): (&Presence, &Motion)| plane::ground(it.body.pose.position).distance(to);
        let near = sentir::core::order::least(brains.motions().map(reach));
        let agent = near.and_then(|place| brains.motions().nth(place)).map(|(it, _)| it.agent);
        let is_near = |agent: &AgentId| place_of(brains, *agent).is_some_and(|at| at.distance(to) <= PICK_M);
        field.selected.extend(agent.filter(is_near));
        return;
    }
    let (low, high) = (from.min(to), from.max(to));
    for (it, _) in brains.motions() {
        let at = plane::ground(it.body.pose.position);
        if at.cmpge(low).all() && at.cmple(high).all() {
            field.selected.push(it.agent);
        }
    }
}
