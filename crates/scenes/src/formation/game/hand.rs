//! What a person does: selects, forms, sends.

use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::formation::{Formation, Pattern, Rule};

use super::march::SQUAD;
use super::mind::{Drill, What};
use super::world::{World, formation, place_of};
use sentir_harness::hud::{Button, Panel, PanelRow, Tone};
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

/// An order to form, and how it is given.
struct Shape {
    /// The button of the panel.
    button: u16,
    /// The letter key; 0 for none.
    key: u8,
    /// The pattern; none is the one that is formed already.
    pattern: Option<Pattern>,
    rule: Rule,
    text: &'static str,
    about: &'static str,
}

const fn shape(button: u16, key: u8, pattern: Pattern, text: &'static str) -> Shape {
    Shape {
        button,
        key,
        pattern: Some(pattern),
        rule: Rule::Plain,
        text,
        about: "who is selected forms up, the first one leads",
    }
}

/// All of them, in the order of the panel. Numbers of buttons are in recordings: a new one gets a new number.
const SHAPES: &[Shape] = &[
    shape(1, b'Z', Pattern::Diamond, "Diamond"),
    shape(2, b'X', Pattern::Pairs, "Pairs"),
    shape(3, b'C', Pattern::Circle, "Circle"),
    shape(4, b'V', Pattern::Triangle, "Triangle"),
    shape(5, b'B', Pattern::Squares, "Squares"),
    shape(8, 0, Pattern::Column, "Column"),
    shape(9, 0, Pattern::Line, "Line"),
    Shape {
        button: 6,
        key: b'N',
        pattern: None,
        rule: Rule::Hard,
        text: "Hard roles",
        about: "each slot takes only the types that its role allows",
    },
    Shape {
        button: 7,
        key: b'M',
        pattern: None,
        rule: Rule::Soft,
        text: "Soft roles",
        about: "each slot prefers types, and takes any",
    },
];

/// The button that selects everybody.
const EVERYBODY: u16 = 10;

/// What a commander sees: who is selected, how the squad stands, and the orders as buttons.
pub fn panel(world: &World, brains: &Loop<Drill>) -> Panel {
    let formed = formation(brains).filter(|it| it.leader().is_some());
    let [mean_m, most_m] = world.error_m;
    let tone = if most_m > 1.0 { Tone::Warn } else { Tone::Good };
    let mut rows = vec![PanelRow::new("selected", format!("{} of {}", world.selected.len(), brains.len()))];
    if let Some(formed) = formed {
        let named = SHAPES.iter().find(|shape| shape.pattern == Some(formed.pattern()));
        rows.push(PanelRow::new("pattern", named.map_or("", |shape| shape.text)));
        rows.push(PanelRow::new("off the slots", format!("{mean_m:.2} m, most {most_m:.2} m")).with_tone(tone));
    }
    if brains.squad(SQUAD).is_some_and(|march| march.is_refused) {
        rows.push(PanelRow::new("last order", "no path leads there").with_tone(Tone::Warn));
    }
    let button = |shape: &Shape| {
        let is_on = formed.is_some_and(|it| match shape.pattern {
            Some(pattern) => it.pattern() == pattern,
            None => it.rule() == shape.rule,
        });
        let text = match shape.key {
            0 => shape.text.to_owned(),
            key => format!("{} ({})", shape.text, char::from(key)),
        };
        Button::new(shape.button, text, shape.about).on(is_on).enabled(!world.selected.is_empty())
    };
    let everybody = Button::new(EVERYBODY, "Select everybody", "takes the whole squad under command");
    let is_whole = world.selected.len() == brains.len();
    let buttons = SHAPES.iter().map(button).chain([everybody.on(is_whole).enabled(!is_whole)]).collect();
    Panel { id: "squad", title: "Squad".to_owned(), rows, buttons }
}

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
        // A button is as good as its key; one that is off does nothing.
        let by_key = SHAPES.iter().find(|shape| shape.key != 0 && shape.key == key);
        let has_anybody = !world.selected.is_empty();
        let by_button = SHAPES.iter().find(|shape| shape.button == input.button && has_anybody);
        if let Some(shape) = by_key.or(by_button) {
            let as_it_stands = || formation(brains).map(Formation::pattern).unwrap_or_default();
            let pattern = shape.pattern.unwrap_or_else(as_it_stands);
            world.is_played = true;
            world.order(brains, What::Form { pattern, rule: shape.rule, spacing_m });
        }
        if input.button == EVERYBODY && world.selected.len() != brains.len() {
            world.is_played = true;
            world.selected.clear();
            world.selected.extend(brains.motions().map(|(it, _)| it.agent));
        }
        if pressed(Actions::USE) {
            world.is_played = true;
            world.order(brains, What::Go { to: input.spot_m() });
        }
    }
}

/// Adds what was picked to what was selected before, which leads on; a click on a selected unit takes it out.
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
