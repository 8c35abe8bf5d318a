//! What a person does: selects, forms, sends.

use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::formation::{Formation, Pattern, Rule};

use super::mind::{Drill, What};
use super::world::{World, formation, place_of};
use sentir_harness::info::{Binding, ControlAction, ControlMode, Controls};
use sentir_sim::input::Input;

/// How a person plays the formation scenes.
pub const CONTROLS: Controls = Controls {
    mode: ControlMode::Command,
    setting: None,
    difficulty: None,
    whom: "the squad",
    bindings: &[
        Binding::new(ControlAction::Select, "drag a box to select, the first one leads"),
        Binding::new(ControlAction::SelectMore, "add to the selection or take out of it"),
        Binding::new(ControlAction::Send, "send who is selected"),
        Binding::new(ControlAction::Letter('Z'), "diamond"),
        Binding::new(ControlAction::Letter('X'), "pairs"),
        Binding::new(ControlAction::Letter('C'), "circle"),
        Binding::new(ControlAction::Letter('V'), "triangle"),
        Binding::new(ControlAction::Letter('B'), "squares"),
        Binding::new(ControlAction::Letter('N'), "hard roles for the pattern as it stands"),
        Binding::new(ControlAction::Letter('M'), "soft roles for the pattern as it stands"),
    ],
};

/// A drag shorter than this is a click, m.
const CLICK_M: f32 = 0.4;
/// How near a click must be, m.
const PICK_M: f32 = 1.0;

/// Takes what a person does in this tick; the first key or click ends the script.
pub fn play(world: &mut World, brains: &mut Loop<Drill>, inputs: &[Input], spacing_m: f32) {
    for &input in inputs.iter().filter(|input| input.player == 0) {
        let before = std::mem::replace(&mut world.input, input.held());
        let pressed = |action: Actions| input.actions.contains(action) && !before.actions.contains(action);
        let key = if input.key == before.key { 0 } else { input.key };
        if pressed(Actions::FIRE) {
            world.drag = Some(input.spot_m());
            world.is_played = true;
        }
        if !input.actions.contains(Actions::FIRE)
            && let Some(from) = world.drag.take()
        {
            let before = if input.is_adding { std::mem::take(&mut world.selected) } else { Vec::new() };
            select(world, brains, from, input.spot_m());
            join(&mut world.selected, before, from.distance(input.spot_m()) < CLICK_M);
        }
        let as_it_stands = || formation(brains).map(Formation::pattern).unwrap_or_default();
        let shape = match key {
            b'Z' => Some((Pattern::Diamond, Rule::Plain)),
            b'X' => Some((Pattern::Pairs, Rule::Plain)),
            b'C' => Some((Pattern::Circle, Rule::Plain)),
            b'V' => Some((Pattern::Triangle, Rule::Plain)),
            b'B' => Some((Pattern::Squares, Rule::Plain)),
            b'N' => Some((as_it_stands(), Rule::Hard)),
            b'M' => Some((as_it_stands(), Rule::Soft)),
            _ => None,
        };
        if let Some((pattern, rule)) = shape {
            world.is_played = true;
            world.order(brains, What::Form { pattern, rule, spacing_m });
        }
        if pressed(Actions::USE) {
            world.is_played = true;
            world.order(brains, What::Go { to: input.spot_m() });
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
fn select(world: &mut World, brains: &Loop<Drill>, from: Vec2, to: Vec2) {
    world.selected.clear();
    if from.distance(to) < CLICK_M {
        let reach = |(it, _): (&Presence, &Motion)| plane::ground(it.body.pose.position).distance(to);
        let near = sentir::core::order::least(brains.motions().map(reach));
        let agent = near.and_then(|place| brains.motions().nth(place)).map(|(it, _)| it.agent);
        let is_near = |agent: &AgentId| place_of(brains, *agent).is_some_and(|at| at.distance(to) <= PICK_M);
        world.selected.extend(agent.filter(is_near));
        return;
    }
    let (low, high) = (from.min(to), from.max(to));
    for (it, _) in brains.motions() {
        let at = plane::ground(it.body.pose.position);
        if at.cmpge(low).all() && at.cmple(high).all() {
            world.selected.push(it.agent);
        }
    }
}
