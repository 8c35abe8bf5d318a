//! Rounds over a pool: the same zombies are activated again in each, with more health and damage. Nothing is allocated by the
//! change of a round.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_sim::health::Vitals;
use sentir_sim::kit::Kit;

use super::director::Stage;
use super::mind::HordeMind;
use super::{End, HORDE, Horde, PLAYER_KEY, World, key_of};

const SPAWN: Purpose = Purpose::new("horde.spawn");
const ZONE: Purpose = Purpose::new("horde.zone");
/// Room between two who come in, m.
const ROOM_M: f32 = 0.9;
/// Who comes in farther off than this may be looked toward: nobody makes him out, m.
const FAR_M: f32 = 26.0;
/// How far to either side a player looks, rad.
const LOOK_RAD: f32 = 0.9;

impl Horde {
    /// Factors of health and damage in a round.
    pub(super) fn growth(&self, round: u32) -> [f32; 2] {
        let rules = &self.mind.rules.rounds;
        let grown = round.min(rules.growth_until.max(1)).saturating_sub(1) as f32;
        [1.0 + rules.health_growth * grown, 1.0 + rules.damage_growth * grown]
    }

    /// Brings in everybody who waits, at once: the beginning of a battery.
    pub(super) fn fill(&self, brains: &mut Loop<HordeMind>, world: &mut World, scratch: &mut Scratch) {
        if self.plan.is_battery {
            for number in 0..world.zombies.len() {
                self.activate(brains, world, scratch, number);
            }
        }
    }

    /// Brings in the next who waits, when it is time.
    pub(super) fn welcome(&self, brains: &mut Loop<HordeMind>, world: &mut World, scratch: &mut Scratch) {
        let (tick, rules) = (brains.tick(), &self.mind.rules);
        if self.plan.is_battery || tick < world.round.spawn_from || world.round.break_until.is_some() {
            return;
        }
        let limit = match world.director.stage() {
            Stage::Relax if self.plan.has_director => rules.director.relax_count as usize,
            Stage::Fade if self.plan.has_director => 0,
            _ => usize::MAX,
        };
        if world.active().count() >= limit {
            return;
        }
        let Some(number) = world.zombies.iter().position(|it| it.is_waiting) else { return };
        world.round.spawn_from = tick + self.plan.rate.ticks(rules.rounds.spawn_every_s).max(1);
        self.activate(brains, world, scratch, number);
    }

    /// Puts one of the pool into the world, where the player neither is nor looks. Not if there is no such place now.
    fn activate(&self, brains: &mut Loop<HordeMind>, world: &mut World, scratch: &mut Scratch, number: usize) {
        let tick = brains.tick();
        let owner = number as u64 + u64::from(world.round.number) * 1024;
        let mut rng = brains.streams().at(owner, SPAWN, tick);
        let player = world.bodies.walker(PLAYER_KEY).map_or(Pose::default(), |walker| walker.pose);
        let (apart_m, is_battery) = (self.mind.rules.battery.apart_m, self.plan.is_battery);
        let free = |place: Vec3| world.bodies.iter().all(|(_, it)| it.pose.position.distance(place) > ROOM_M);
        let is_good = |place: Vec3| {
            let way = plane::ground(place - player.position);
            let is_before = math::angle_between(player.yaw, plane::yaw(way)).abs() < LOOK_RAD && way.length() < FAR_M;
            let near_m = if is_battery { apart_m } else { self.mind.rules.rounds.spawn_m };
            way.length() > near_m && (is_battery || !is_before) && free(place)
        };
        let zone = brains.streams().at(owner, ZONE, tick).below(self.mind.ground.zone_count() as u32) as usize;
        let zones = (0..self.mind.ground.zone_count()).map(|turn| zone + turn);
        let place = { zones }.find_map(|zone| self.mind.ground.entrance(zone, &mut rng, is_good));
        let Some(place) = place else { return };
        let growth = self.growth(world.round.number)[0];
        let zombie = &mut world.zombies[number];
        let pose = Pose { position: place + Vec3::Y * 0.05, yaw: rng.between(-math::PI, math::PI) };
        let [least, most] = self.mind.kind(zombie.kind).health;
        zombie.vitals = Vitals::new(rng.between(least, most) * self.plan.health * growth);
        let head = zombie.head.take().unwrap_or_else(|| self.mind.fresh(zombie.mind, zombie.kind));
        let walker = *world.bodies.add(key_of(number), zombie.kind as u8, pose);
        let body = Body { radius_m: self.mind.kind(zombie.kind).radius_m, ..walker.body() };
        let spec = AgentSpec {
            team: HORDE,
            kind: zombie.kind,
            importance: Importance::Near,
            body,
            ..AgentSpec::new(key_of(number))
        };
        match brains.spawn_from(spec, head, scratch) {
            Ok(agent) => {
                zombie.agent = Some(agent);
                (zombie.is_waiting, zombie.bite_since) = (false, None);
            }
            Err(_) => {
                world.bodies.remove(key_of(number));
            }
        }
    }

    /// Takes out who died.
    pub(super) fn bury(&self, brains: &mut Loop<HordeMind>, world: &mut World, scratch: &mut Scratch) {
        let tick = brains.tick();
        for number in 0..world.zombies.len() {
            let zombie = &mut world.zombies[number];
            let Some(agent) = zombie.agent.filter(|_| zombie.vitals.is_dead()) else { continue };
            zombie.agent = None;
            zombie.head = Some(self.mind.fresh(zombie.mind, zombie.kind));
            let kind = zombie.kind;
            if let Some(walker) = world.bodies.walker(key_of(number)) {
                world.felt.fall(key_of(number), kind, walker.pose, tick);
                world.director.kill(walker.pose.position, world.bodies.walker(PLAYER_KEY), &self.mind.rules.director);
            }
            brains.despawn_into(agent, scratch);
            world.bodies.remove(key_of(number));
        }
    }

    /// Lets the rounds go on.
    pub(super) fn judge(&self, brains: &mut Loop<HordeMind>, world: &mut World) {
        if world.ending.is_some() {
            return;
        }
        let tick = brains.tick();
        if world.player.vitals.is_dead() {
            world.ending = Some(End::Lost);
        } else if tick.0 >= self.plan.ticks_max {
            world.ending = Some(End::Time);
        } else if let Some(until) = world.round.break_until {
            if tick >= until {
                self.next_round(world, tick);
            }
        } else if world.left() == 0 {
            world.tally.rounds_won += 1;
            if world.round.number >= self.plan.rounds {
                world.ending = Some(End::Won);
            } else {
                world.round.break_until = Some(tick + self.plan.rate.ticks(self.mind.rules.rounds.break_s));
            }
        }
        if world.ending.is_some() {
            // Everybody stops.
            let agents = world.zombies.iter().filter_map(|it| it.agent).chain(world.player.agent);
            agents.for_each(|agent| {
                brains.pause_agent(agent, true);
            });
        }
    }

    /// The same pool again; the primary weapon is in the hand.
    fn next_round(&self, world: &mut World, tick: Tick) {
        world.round.number += 1;
        (world.round.break_until, world.round.spawn_from, world.round.since) = (None, tick, tick);
        world.zombies.iter_mut().for_each(|zombie| zombie.is_waiting = true);
        let Kit { places, .. } = world.player.kit;
        debug_assert!(places[0].is_some(), "the primary weapon is the first");
        world.player.kit.switch(&self.armory, self.arms.primary, tick);
    }
}
