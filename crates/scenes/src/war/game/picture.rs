//! What there is to see of a war: ground, structures with their bars, units, what they strike at, ways, influence.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::glam::UVec2;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_nav::grid::Cell;

use super::leaf::site_place;
use super::map::{CELL_M, Ground};
use super::mind::{Lead, WarMind};
use super::rules::Kind;
use super::world::{Piece, Work, World};
use super::{RATE, WarScene};

/// Colors of the sides.
pub(crate) const SIDES: [Color; 2] = [Color::rgb(0x2f_6fb0), Color::rgb(0xb8_433f)];
const INK: Color = Color::rgb(0x23_272b);
const BARREL: Color = Color::rgb(0x8a_5a2b);
const BUILD: Color = Color::rgb(0xe0_c22a);
const WELL: Color = Color::rgb(0x3d_9a4a);
const ILL: Color = Color::rgb(0xc8_3a2f);
/// How far strikes are drawn after they fell, ticks.
const STRIKE_TICKS: u64 = 4;

pub(crate) fn color_of(ground: Ground) -> Color {
    match ground {
        Ground::Path => Color::rgb(0xd8_c9a3),
        Ground::Grass => Color::rgb(0xa9_c98a),
        Ground::Forest => Color::rgb(0x5f_8f57),
        Ground::Water => Color::rgb(0x7f_b2d6),
        Ground::Rock => Color::rgb(0x8b_8b86),
    }
}

/// A bar over somebody: how full it is.
fn bar(list: &mut DrawList, at: Vec2, width_m: f32, share: f32, color: Color) {
    let [left, right] = [-0.5, 0.5].map(|side| plane::lift(at + Vec2::X * (width_m * side), 2.2));
    list.line(Layer::BODIES, INK.alpha(120), left, right, 0.24);
    list.line(Layer::BODIES, color, left, left.lerp(right, math::saturate(share)), 0.2);
}

/// Above so many pieces they have no letters: there is no room.
const LETTERS_MAX: usize = 200;

impl WarScene {
    /// The side by whose eyes the scene is seen: the one that a person commands, if it is only one and there is fog.
    fn viewer(&self) -> Option<usize> {
        let mut persons = (0..2).filter(|&side| self.mind.leads[side] == Lead::Person);
        let first = persons.next().filter(|_| self.mind.has_fog)?;
        persons.next().is_none().then_some(first)
    }

    /// Whether somebody is to be seen by who looks on: all are, unless a person commands one side and there is fog. Structures that
    /// were seen once stay.
    pub(crate) fn is_in_sight(&self, brains: &Loop<WarMind>, piece: &Piece, agent: AgentId) -> bool {
        let Some(own) = self.viewer().filter(|&own| own != usize::from(piece.side)) else { return true };
        let contact = brains.squad(SquadId::whole(TeamId(own as u32))).and_then(|side| {
            let place = side.contacts.binary_search_by_key(&agent, |contact| contact.who).ok()?;
            Some(side.contacts[place].is_visible)
        });
        match piece.what() {
            Kind::Base => true,
            kind => contact.is_some_and(|is_visible| is_visible || kind.is_structure()),
        }
    }

    pub(crate) fn picture(&self, brains: &Loop<WarMind>, world: &World, list: &mut DrawList) {
        self.draw_ground(list);
        self.draw_influence(brains, list);
        self.draw_places(world, list);
        for key in 0..world.pieces.len() {
            self.draw_piece(brains, world, key, list);
        }
        self.draw_strikes(brains, world, list);
    }

    fn draw_ground(&self, list: &mut DrawList) {
        let map = &self.mind.map;
        for y in 0..map.height as u16 {
            // Stretches of the same ground are one shape.
            let mut from = 0;
            while from < map.width as u16 {
                let ground = map.ground[map.index(Cell::new(from, y))];
                let is_same = |x: &u16| map.ground[map.index(Cell::new(*x, y))] == ground;
                let to = from + (from..map.width as u16).take_while(is_same).count() as u16;
                let corner = |x: u16, up: u16| Vec2::new(f32::from(x), f32::from(y + up)) * CELL_M;
                let height = if ground == Ground::Rock { 2.0 } else { 0.0 };
                let corners =
                    [corner(from, 0), corner(to, 0), corner(to, 1), corner(from, 1)].map(|at| plane::lift(at, height));
                if ground == Ground::Rock {
                    list.prism(Layer::LEVEL, color_of(ground), corners, 0.0);
                } else {
                    list.polygon(Layer::LEVEL, color_of(ground), corners);
                }
                from = to;
            }
        }
    }

    /// Influence as each side believes it: its own of itself.
    fn draw_influence(&self, brains: &Loop<WarMind>, list: &mut DrawList) {
        let map = &self.mind.map;
        let size = UVec2::new(map.width, map.height);
        for (team, color) in (0u32..).zip(SIDES) {
            // By the eyes of one side, the other is as that one believes.
            let viewer = self.viewer().unwrap_or(team as usize) as u32;
            if let Some(side) = brains.squad(SquadId::whole(TeamId(viewer))).filter(|side| !side.own.is_empty()) {
                let full = self.mind.rules.spec.influence_full * 2.0;
                let values = if viewer == team { &side.own } else { &side.enemy };
                let shares: Vec<f32> = values.iter().map(|value| math::saturate(value / full) * 0.6).collect();
                list.heat(Layer::INFLUENCE, color, plane::lift(Vec2::ZERO, 0.03), CELL_M, size, &shares);
            }
        }
    }

    fn draw_places(&self, world: &World, list: &mut DrawList) {
        let places = &self.mind.map.places;
        for (back, &place) in world.resources.iter().zip(&places.resources) {
            let is_there = back.is_none();
            let color = if is_there { BARREL } else { BARREL.alpha(60) };
            list.circle(Layer::LEVEL, color, plane::lift(place, 0.06), 0.6, is_there);
        }
        for (side, color) in SIDES.into_iter().enumerate() {
            for site in 0..2u8 {
                let place = site_place(&self.mind.map, side, site);
                list.circle(Layer::LEVEL, color, plane::lift(place, 0.05), 1.1, false);
            }
            if world.first(side as u8, Kind::Hospital).is_some_and(Piece::is_up) {
                let range = self.mind.rules.spec.heal_range;
                list.circle(Layer::LEVEL, color.alpha(110), plane::lift(places.hospital[side], 0.05), range, false);
            }
        }
    }

    fn draw_piece(&self, brains: &Loop<WarMind>, world: &World, key: usize, list: &mut DrawList) {
        let piece = &world.pieces[key];
        let (color, rule) = (SIDES[usize::from(piece.side)], self.mind.rules.kind(piece.what()));
        let is_in_sight = World::agent(brains, key).is_none_or(|agent| self.is_in_sight(brains, piece, agent));
        if !piece.is_up() || !is_in_sight {
            list.tint(key as u64, color);
            return;
        }
        let at = plane::lift(piece.place, 0.3);
        list.body(key as u64, color, at, rule.radius);
        let mark = match piece.what() {
            Kind::Base => "base",
            Kind::Hospital => "+",
            Kind::Turret => "T",
            Kind::Worker => "w",
            Kind::Light => "l",
            Kind::Heavy => "H",
            Kind::Ranged => "r",
            Kind::Spy => "s",
        };
        if piece.what().is_structure() || world.pieces.len() <= LETTERS_MAX {
            list.label(Layer::BODIES, Color::rgb(0xff_ffff), plane::lift(piece.place, 0.5), format_args!("{mark}"));
        }
        if piece.carries {
            list.circle(Layer::BODIES, BARREL, plane::lift(piece.place + Vec2::splat(0.4), 1.0), 0.25, true);
        }
        let share = piece.health / rule.health;
        if share < 0.999 {
            let health = if share > 0.4 { WELL } else { ILL };
            bar(list, piece.place + Vec2::Y * (rule.radius + 0.5), rule.radius * 2.0 + 0.6, share, health);
        }
        if let Work::Build(site, ticks) = piece.work {
            let place = site_place(&self.mind.map, usize::from(piece.side), site);
            bar(list, place + Vec2::Y * 2.0, 2.6, RATE.seconds(ticks.into()) / self.mind.rules.spec.build_s, BUILD);
        }
        if world.selected.contains(&(key as u64)) {
            list.circle(Layer::BODIES, Color::rgb(0xff_ffff), plane::lift(piece.place, 0.1), rule.radius + 0.3, false);
        }
        let Some(agent) = World::agent(brains, key) else { return };
        let path = brains.motor(agent).filter(|_| brains.intents(agent).is_some_and(|it| it.travel().is_some()));
        for pair in path.map_or(&[][..], |motor| motor.path()).windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|place| plane::lift(place, 0.08));
            list.line(Layer::PATHS, color.alpha(90), from, to, 0.12);
        }
    }

    fn draw_strikes(&self, brains: &Loop<WarMind>, world: &World, list: &mut DrawList) {
        let is_seen = |key: usize, piece: &Piece| {
            World::agent(brains, key).is_none_or(|agent| self.is_in_sight(brains, piece, agent))
        };
        let striking = world.pieces.iter().enumerate().filter(|(_, it)| it.is_up() && it.struck.0 > 0);
        for (_, piece) in striking.filter(|(key, piece)| is_seen(*key, piece)) {
            let target = piece.target.and_then(|key| world.pieces.get(key as usize));
            if let Some(it) = target.filter(|_| brains.tick().since(piece.struck) < STRIKE_TICKS) {
                let [from, to] = [piece.place, it.place].map(|place| plane::lift(place, 1.0));
                list.line(Layer::SHOTS, SIDES[usize::from(piece.side)], from, to, 0.14);
            }
        }
    }
}
