//! What a person does: selects, forms, sends, sets attitudes. And what the scenes without one have played by a script.

use sentir::prelude::*;
use sentir_harness::info::{Binding, ControlAction, ControlMode, Controls};
use sentir_sim::input::Input;
use sentir_squad::strategy::Attitude;

use super::march::{AS_IT_STANDS, FormOrder};
use super::mind::{Group, GroupWhat, Lead, Notice, Order, WarMind};
use super::rules::Kind;
use super::world::{Ending, World};
use super::{Mission, WarScene};

/// How a person plays the war scenes.
pub(crate) const CONTROLS: Controls = Controls {
    mode: ControlMode::Command,
    setting: Some("blue"),
    difficulty: None,
    whom: "a side (red=input: the other one, or both)",
    bindings: &[
        Binding::new(ControlAction::Select, "drag a box to select, the first one leads"),
        Binding::new(ControlAction::SelectMore, "add to the selection or take out of it"),
        Binding::new(ControlAction::Send, "send who is selected: ground moves, an enemy attacks, a site builds"),
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
const CLICK_M: f32 = 0.8;
/// How near a click must be beside the body, m.
const PICK_M: f32 = 1.0;
/// Errands of the scene that has them.
const ERRANDS: usize = 12;

/// The number of the button that sets a side's attitude.
pub(crate) fn button_of(side: usize, attitude: Attitude) -> u16 {
    1 + side as u16 * 3 + attitude as u16
}

/// The number of the button by which who is selected goes by itself again.
pub(crate) const FREE_BUTTON: u16 = 9;

impl WarScene {
    /// Whether a person may command a side: the one that is led by one, or both where none is.
    pub(crate) fn commands(&self, side: usize) -> bool {
        self.mind.leads[side & 1] == Lead::Person || self.mind.leads.iter().all(|lead| *lead != Lead::Person)
    }

    /// Whether a person may set the attitude of a side: where there is a battle.
    pub(crate) fn has_attitudes(&self, side: usize) -> bool {
        self.commands(side) && self.mission == Mission::Battle
    }

    /// Takes what a person does in this tick.
    pub(crate) fn command(&self, brains: &mut Loop<WarMind>, world: &mut World, inputs: &[Input]) {
        for &input in inputs.iter().filter(|input| input.player == 0) {
            let before = std::mem::replace(&mut world.held, input.held());
            if input.button > 0 {
                self.press(brains, world, input.button);
            }
            // Whom nobody commands cannot be selected, either.
            if self.mind.leads.iter().all(|lead| *lead != Lead::Person) {
                continue;
            }
            let pressed = |action: Actions| input.actions.contains(action) && !before.actions.contains(action);
            if pressed(Actions::FIRE) {
                world.drag = Some(input.spot_m());
            }
            if !input.actions.contains(Actions::FIRE)
                && let Some(from) = world.drag.take()
            {
                self.select(world, from, input.spot_m(), input.is_adding);
            }
            let shape = match if input.key == before.key { 0 } else { input.key } {
                b'Z' => Some((0, 0)),
                b'X' => Some((1, 0)),
                b'C' => Some((2, 0)),
                b'V' => Some((3, 0)),
                b'B' => Some((4, 0)),
                b'N' => Some((AS_IT_STANDS, 1)),
                b'M' => Some((AS_IT_STANDS, 2)),
                _ => None,
            };
            if let Some((pattern, rule)) = shape {
                world.tell(brains, GroupWhat::Form(FormOrder { pattern, rule }));
            }
            if pressed(Actions::USE) {
                self.send(brains, world, input.spot_m());
            }
        }
    }

    fn press(&self, brains: &mut Loop<WarMind>, world: &mut World, button: u16) {
        if button == FREE_BUTTON {
            world.tell(brains, GroupWhat::Free);
            return;
        }
        for side in 0..2usize {
            let attitude = Attitude::ALL.into_iter().find(|&attitude| button_of(side, attitude) == button);
            if let Some(attitude) = attitude.filter(|_| self.has_attitudes(side)) {
                world.orders += 1;
                for key in 0..world.pieces.len() {
                    let is_base = usize::from(world.pieces[key].side) == side && world.pieces[key].what() == Kind::Base;
                    if let Some(agent) = World::agent(brains, key).filter(|_| is_base) {
                        brains.notify(agent, Notice::Attitude(world.orders, attitude));
                    }
                }
            }
        }
    }

    /// Selects all units in a box, or the one at a click.
    fn select(&self, world: &mut World, from: Vec2, to: Vec2, is_adding: bool) {
        let before = std::mem::take(&mut world.selected);
        let is_click = from.distance(to) < CLICK_M;
        let (low, high) = (from.min(to), from.max(to));
        let may = |key: &usize| {
            let it = &world.pieces[*key];
            it.is_up() && !it.what().is_structure() && self.mind.leads[usize::from(it.side)] == Lead::Person
        };
        let keys = (0..world.pieces.len()).filter(may);
        let distance =
            |key: usize| world.pieces[key].place.distance(to) - self.mind.rules.kind(world.pieces[key].what()).radius;
        let news: Vec<u64> = if is_click {
            let near = keys.filter(|&key| distance(key) <= PICK_M);
            near.min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)))
                .map(|key| key as u64)
                .into_iter()
                .collect()
        } else {
            let is_in = |key: &usize| {
                let at = world.pieces[*key].place;
                at.cmpge(low).all() && at.cmple(high).all()
            };
            keys.filter(is_in).map(|key| key as u64).collect()
        };
        world.selected = if is_adding { before } else { Vec::new() };
        for key in news {
            match world.selected.iter().position(|&other| other == key) {
                Some(place) if is_click => drop(world.selected.remove(place)),
                Some(_) => {}
                None => world.selected.push(key),
            }
        }
    }

    /// Sends who is selected, by what is under the click: an enemy that the side knows of, a site of its own, or ground.
    fn send(&self, brains: &mut Loop<WarMind>, world: &mut World, spot: Vec2) {
        let Some(side) = world.selected.first().map(|&key| world.pieces[key as usize].side) else { return };
        let team = TeamId(u32::from(side));
        let foe = brains.squad(SquadId::whole(team)).and_then(|it| {
            let radius = |kind: u8| self.mind.rules.kind(Kind::of(kind.into())).radius;
            let known =
                it.contacts.iter().filter(|contact| contact.place.distance(spot) <= radius(contact.kind) + PICK_M);
            known.min_by(|a, b| a.place.distance(spot).total_cmp(&b.place.distance(spot))).copied()
        });
        // Where the enemy's base stands is public.
        let base = self.mind.map.places.base[1 - usize::from(side)];
        let far = (base.distance(spot) <= 2.5).then(|| {
            let key = world.pieces.iter().position(|it| it.side != side && it.what() == Kind::Base)?;
            World::agent(brains, key).map(|who| (who, base))
        });
        let target = foe.map(|foe| (foe.who, foe.place)).or(far.flatten());
        let site = (0..3u8).find(|&site| {
            let place = super::leaf::site_place(&self.mind.map, usize::from(side), site);
            let is_up = world.structure_at(usize::from(side), site).is_some_and(|key| world.pieces[key].is_up());
            place.distance(spot) <= 2.0 && !is_up
        });
        let order = match (target, site) {
            (Some((who, place)), _) => Some(Order::Attack(who, place)),
            (None, Some(site)) => Some(Order::Build(site)),
            (None, None) => None,
        };
        let Some(order) = order else {
            world.tell(brains, GroupWhat::Go(spot));
            return;
        };
        world.tell(brains, GroupWhat::Leave);
        for &key in &world.selected {
            let is_worker = world.pieces[key as usize].what() == Kind::Worker;
            if let Some(agent) =
                World::agent(brains, key as usize).filter(|_| is_worker || !matches!(order, Order::Build(_)))
            {
                brains.notify(agent, Notice::Order(order));
            }
        }
    }

    /// What scenes without a person have played: errands and marches.
    pub(crate) fn script(&self, brains: &mut Loop<WarMind>, world: &mut World) {
        match self.mission {
            Mission::Tastes => self.run_errands(brains, world),
            Mission::March => self.drill(brains, world),
            Mission::Battle | Mission::Economy => {}
        }
    }

    /// The same errands for one of each kind: across the country and back, one after the other.
    fn run_errands(&self, brains: &mut Loop<WarMind>, world: &mut World) {
        // Places that no road alone leads to: resources of both sides in turn.
        let resources = &self.mind.map.places.resources;
        let stop_of = |leg: usize| (leg < ERRANDS).then(|| resources[(leg * 5) % resources.len()]);
        for key in 0..world.pieces.len() {
            let piece = world.pieces[key];
            let leg = usize::from(world.legs[key]);
            let Some(agent) = World::agent(brains, key).filter(|_| !piece.what().is_structure()) else { continue };
            let Some(stop) = stop_of(leg) else { continue };
            if piece.place.distance(stop) < 2.5 {
                world.legs[key] += 1;
            } else if brains.tick().0.is_multiple_of(20) {
                brains.notify(agent, Notice::Order(Order::Go(stop)));
            }
        }
        let is_done =
            |(piece, leg): (&super::world::Piece, &u16)| piece.what().is_structure() || usize::from(*leg) >= ERRANDS;
        if world.pieces.iter().zip(&world.legs).all(is_done) {
            world.ending = Ending::Done;
        }
    }

    /// Forms up and marches over the near bridge, then back over the far one.
    fn drill(&self, brains: &mut Loop<WarMind>, world: &mut World) {
        let map = &self.mind.map;
        let tick = brains.tick().0;
        let side = brains.squad(SquadId::whole(TeamId(0)));
        let is_idle = side.is_some_and(|side| side.march.goal.is_none());
        let goals = [map.turned(map.places.rally[0]), map.places.rally[0]];
        if tick == 20 {
            world.selected = (0..world.pieces.len() as u64)
                .filter(|&key| !world.pieces[key as usize].what().is_structure())
                .collect();
            world.tell(brains, GroupWhat::Form(self.pattern));
        } else if tick >= 200 && is_idle && tick.is_multiple_of(20) {
            let stage = world.legs[0];
            match goals.get(usize::from(stage)) {
                Some(&goal) => {
                    world.legs[0] += 1;
                    world.tell(brains, GroupWhat::Go(goal));
                }
                None => world.ending = Ending::Done,
            }
        }
    }
}

impl World {
    /// Tells all who are selected.
    pub(crate) fn tell(&mut self, brains: &mut Loop<WarMind>, what: GroupWhat) {
        self.orders += 1;
        for (rank, &key) in (0..).zip(&self.selected) {
            if let Some(agent) = World::agent(brains, key as usize) {
                brains.notify(agent, Notice::Group(Group { number: self.orders, rank, what }));
            }
        }
    }
}
