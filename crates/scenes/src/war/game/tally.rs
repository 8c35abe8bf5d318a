//! What is measured in a war.

use sentir::core::math;
use sentir::prelude::*;
use sentir_harness::metric::Metric;

use super::map::Ground;
use super::mind::WarMind;
use super::rules::Kind;
use super::world::{Ending, World};

/// Slower than this somebody who wants to go is held up, m/s.
const HELD_M_PER_S: f32 = 0.25;

/// Figures, by side where there are two.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Tally {
    /// Ticks played.
    pub(crate) ticks: Tick,
    /// Deaths by side and kind.
    pub(crate) deaths: [[u32; 8]; 2],
    /// Damage taken by side and kind.
    pub(crate) taken_by: [[f32; 8]; 2],
    /// Turrets built, and lost.
    pub(crate) turrets: [[u32; 2]; 2],
    /// When the first one stood.
    pub(crate) first_turret: Option<Tick>,
    /// Builds that were interrupted.
    pub(crate) interrupted: [u32; 2],
    pub(crate) healed: [f32; 2],
    /// Resources taken, built with, lost with their carriers, and come back.
    pub(crate) taken: u32,
    pub(crate) used: u32,
    pub(crate) lost: u32,
    pub(crate) grown: u32,
    /// Ticks of each kind of unit on each ground, both sides together, while under way.
    pub(crate) ground: [[u32; 3]; 5],
    /// Ticks of spies on the enemy's half, and of those the ones in which nobody saw them.
    pub(crate) spying: [u32; 2],
    /// How long somebody who wanted to go has been held up on a bridge, ticks, by key; and the longest time.
    pub(crate) held: Vec<u16>,
    pub(crate) held_max: u16,
    /// Sum and count of where the front was, m from the west.
    pub(crate) front: [f32; 2],
}

impl Tally {
    pub(crate) fn hurt(&mut self, side: usize, kind: Kind, amount: f32) {
        self.taken_by[side & 1][kind as usize] += amount;
    }

    pub(crate) fn kill(&mut self, side: usize, kind: Kind) {
        self.deaths[side & 1][kind as usize] += 1;
        self.turrets[side & 1][1] += u32::from(kind == Kind::Turret);
    }

    pub(crate) fn built(&mut self, side: usize, kind: Kind, at: Tick) {
        if kind == Kind::Turret {
            self.turrets[side & 1][0] += 1;
            self.first_turret.get_or_insert(at);
        }
    }

    /// Damage that was dealt to a side.
    pub(crate) fn dealt(&self, side: usize) -> f32 {
        self.taken_by[side & 1].iter().sum()
    }

    fn deaths_of(&self, side: usize) -> u32 {
        self.deaths[side & 1][..Kind::UNITS].iter().sum()
    }

    /// Ticks of a kind on a ground, as a share of all.
    pub(crate) fn share(&self, kind: Kind, ground: usize) -> f32 {
        let ticks = &self.ground[kind as usize];
        let all: u32 = ticks.iter().sum();
        if all == 0 { f32::NAN } else { ticks[ground] as f32 / all as f32 }
    }
}

impl World {
    /// Counts a tick.
    pub(crate) fn count(&mut self, mind: &WarMind, brains: &Loop<WarMind>) {
        self.tally.ticks = brains.tick();
        for key in 0..self.pieces.len() {
            let piece = self.pieces[key];
            let Some(agent) = World::agent(brains, key).filter(|_| piece.is_up() && !piece.what().is_structure())
            else {
                self.tally.held[key] = 0;
                continue;
            };
            let is_under_way = brains.intents(agent).is_some_and(|intents| intents.travel().is_some());
            let ground = match mind.map.ground_at(piece.place) {
                Ground::Path => Some(0),
                Ground::Grass => Some(1),
                Ground::Forest => Some(2),
                Ground::Water | Ground::Rock => None,
            };
            if let Some(ground) = ground.filter(|_| is_under_way) {
                self.tally.ground[usize::from(piece.kind)][ground] += 1;
            }
            self.count_held(mind, brains, key, is_under_way);
        }
        if brains.tick().0.is_multiple_of(20) {
            self.count_spies(mind, brains);
            self.count_front();
        }
    }

    /// Who stands on a bridge though it wants to go and nobody is there to fight.
    fn count_held(&mut self, mind: &WarMind, brains: &Loop<WarMind>, key: usize, is_under_way: bool) {
        let piece = self.pieces[key];
        let cell = mind.map.cell(piece.place);
        let is_bridge = (21..=26).contains(&cell.x) && mind.map.ground_at(piece.place) == Ground::Path;
        let motion = World::agent(brains, key).and_then(|agent| brains.motion(agent));
        let strikes = motion.is_some_and(|motion| motion.actions.contains(Actions::FIRE));
        let stands = piece.velocity.length() < HELD_M_PER_S;
        let held = &mut self.tally.held[key];
        *held = if is_under_way && is_bridge && stands && !strikes { held.saturating_add(1) } else { 0 };
        self.tally.held_max = self.tally.held_max.max(*held);
    }

    fn count_spies(&mut self, mind: &WarMind, brains: &Loop<WarMind>) {
        for key in 0..self.pieces.len() {
            let piece = self.pieces[key];
            if piece.what() != Kind::Spy || !piece.is_up() {
                continue;
            }
            let [own, other] = [piece.side, 1 - piece.side].map(|side| mind.map.places.base[usize::from(side)]);
            if let Some(agent) =
                World::agent(brains, key).filter(|_| piece.place.distance(other) < piece.place.distance(own))
            {
                let is_unseen = !self.is_noticed(brains, agent, 1 - piece.side);
                self.tally.spying[0] += 1;
                self.tally.spying[1] += u32::from(is_unseen);
            }
        }
    }

    /// The front: halfway between the foremost quarters of both armies.
    fn count_front(&mut self) {
        let foremost = |side: u8| {
            let units =
                || self.pieces.iter().filter(move |it| it.side == side && it.is_up() && !it.what().is_structure());
            let (count, sum) = units().fold((0.0, 0.0), |(count, sum), it| (count + 1.0, sum + it.place.x));
            (count > 0.0).then(|| {
                let mean: f32 = sum / count;
                let ahead = units()
                    .map(|it| it.place.x)
                    .fold(mean, |best, x| if side == 0 { math::max(best, x) } else { math::min(best, x) });
                0.5 * (mean + ahead)
            })
        };
        if let (Some(blue), Some(red)) = (foremost(0), foremost(1)) {
            self.tally.front[0] += 0.5 * (blue + red);
            self.tally.front[1] += 1.0;
        }
    }

    /// What is measured so far.
    pub(crate) fn metrics(&self, mind: &WarMind, rate: TickRate, tick: Tick) -> Vec<Metric> {
        let tally = &self.tally;
        let winner = match self.ending {
            Ending::Base(side) | Ending::Points(side) => f32::from(side),
            _ => f32::NAN,
        };
        let base = |side: u8| {
            let full = mind.rules.kind(Kind::Base).health;
            self.first(side, Kind::Base).map_or(f32::NAN, |base| math::max(base.health, 0.0) / full)
        };
        let seconds = |at: Option<Tick>| at.map_or(f32::NAN, |at| rate.seconds(at.0));
        let ratio = |a: f32, b: f32| if b > 0.0 { a / b } else { f32::NAN };
        let mut list = vec![
            Metric::new("winner", winner),
            Metric::new("by_base", f32::from(u8::from(matches!(self.ending, Ending::Base(_))))),
            Metric::new("length_s", rate.seconds(tick.0)),
            Metric::new("blue_base", base(0)),
            Metric::new("red_base", base(1)),
            Metric::new("blue_turrets_built", tally.turrets[0][0] as f32),
            Metric::new("blue_turrets_lost", tally.turrets[0][1] as f32),
            Metric::new("red_turrets_built", tally.turrets[1][0] as f32),
            Metric::new("red_turrets_lost", tally.turrets[1][1] as f32),
            Metric::new("first_turret_s", seconds(tally.first_turret)),
            Metric::new("resources_taken", tally.taken as f32),
            Metric::new("resources_used", tally.used as f32),
            Metric::new("resources_lost", tally.lost as f32),
            Metric::new("builds_interrupted", tally.interrupted.iter().sum::<u32>() as f32),
            Metric::new("blue_healed", tally.healed[0]),
            Metric::new("red_healed", tally.healed[1]),
            Metric::new("blue_deaths", tally.deaths_of(0) as f32),
            Metric::new("red_deaths", tally.deaths_of(1) as f32),
            Metric::new("exchange", ratio(tally.deaths_of(1) as f32, tally.deaths_of(0) as f32)),
        ];
        const DEATHS: [&str; 5] = ["worker_deaths", "light_deaths", "heavy_deaths", "ranged_deaths", "spy_deaths"];
        const SHARES: [(&str, usize); 8] = [
            ("worker_on_path", 0),
            ("worker_on_grass", 1),
            ("worker_in_forest", 2),
            ("light_on_path", 0),
            ("heavy_on_path", 0),
            ("ranged_on_grass", 1),
            ("spy_in_forest", 2),
            ("spy_on_path", 0),
        ];
        const OF: [Kind; 8] =
            [Kind::Worker, Kind::Worker, Kind::Worker, Kind::Light, Kind::Heavy, Kind::Ranged, Kind::Spy, Kind::Spy];
        for (number, name) in DEATHS.into_iter().enumerate() {
            list.push(Metric::new(name, (tally.deaths[0][number] + tally.deaths[1][number]) as f32));
        }
        for ((name, ground), kind) in SHARES.into_iter().zip(OF) {
            list.push(Metric::new(name, tally.share(kind, ground)));
        }
        list.push(Metric::new("spy_unseen", ratio(tally.spying[1] as f32, tally.spying[0] as f32)));
        list.push(Metric::new("bridge_held_s", rate.seconds(u64::from(tally.held_max))));
        list.push(Metric::new("front_m", ratio(tally.front[0], tally.front[1])));
        list
    }
}
