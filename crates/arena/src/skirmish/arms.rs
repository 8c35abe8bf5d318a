//! What hands do in `skirmish`: shots, strikes, throws, reloads, doors, items; and what comes of it.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;

use super::mind::Soldier;
use super::tally::place;
use super::{Cause, Mark, MarkKind, RATE, Skirmish, SkirmishCache, Yard};
use crate::actor::ActorId;
use crate::armory::{GunSpec, WeaponKind};
use crate::blast::{self, FlightStep, Throw, launch};
use crate::body::Walker;
use crate::door::{DoorConfig, DoorUse, use_door};
use crate::event::{ArenaEvent, game_events};
use crate::health::{FriendlyFire, damage_between, hurt_told};
use crate::item::{SupplyConfig, supply, take};
use crate::noise::{noise, stride};
use crate::shot::{ShotWhat, Target, near_misses, shoot, strike};
use crate::weapon::{Reload, reload, scatter, shot_stream, spread_rad, trigger};

/// What the bases give.
const SUPPLY: SupplyConfig = SupplyConfig { rounds_per_minute: 900, health_per_s: 0.0 };

/// All that a happening needs.
pub(super) struct Stage<'a> {
    pub(super) skirmish: &'a Skirmish,
    pub(super) world: &'a mut Yard,
    pub(super) brains: &'a mut Loop<Soldier>,
    pub(super) cache: &'a mut SkirmishCache,
    pub(super) tick: Tick,
}

/// Who does something: handle, agent and side.
type Doer = (ActorId, AgentId, TeamId);

/// Where a body looks.
fn aim(walker: &Walker) -> Vec3 {
    let (sin, cos) = math::sin_cos(walker.pitch);
    plane::lift(plane::heading(walker.pose.yaw) * cos, sin)
}

impl Stage<'_> {
    /// Hands a happening to the loop's events and to the figures of its side.
    pub(super) fn tell(&mut self, event: &ArenaEvent) {
        let Stage { world, brains, tick, .. } = self;
        game_events(event, *tick, |event| {
            if let Some(it) = brains.presence(event.agent) {
                world.sides[place(it.team)].totals.add(&event);
            }
            brains.emit(event.agent, event.kind);
        });
    }

    fn heard(&mut self, position: Vec3, range_m: f32, by: AgentId) {
        if let Some(noise) = noise(position, range_m, Some(by)) {
            self.brains.noise(noise);
            self.mark(MarkKind::Noise, position, Vec3::new(range_m, 0.0, 0.0));
        }
    }

    fn mark(&mut self, kind: MarkKind, from: Vec3, to: Vec3) {
        self.world.marks.push(Mark { kind, from, to, at: self.tick });
    }

    /// The bodies to be hit, as they stand.
    pub(super) fn look_around(&mut self) {
        let Stage { world, cache, .. } = self;
        cache.targets.clear();
        cache.ids.clear();
        for (id, it) in world.fighters.iter() {
            let Some(walker) = world.cast.walker(HostKey(id.to_bits())) else { continue };
            let (foot, head) = (walker.pose.position, walker.pose.position + Vec3::Y * walker.height_m);
            cache.targets.push(Target { agent: it.agent, team: it.team, foot, head, radius_m: walker.radius_m });
            cache.ids.push(id);
        }
    }

    /// One tick of everybody's hands, and of all that flies.
    pub(super) fn play(&mut self) {
        let count = self.cache.ids.len();
        for turn in 0..count {
            // Who fires first at a tick is not always the same side.
            let number = if self.tick.0.is_multiple_of(2) { turn } else { count - 1 - turn };
            let id = self.cache.ids[number];
            let Some(fighter) = self.world.fighters.at(id).filter(|it| !it.vitals.is_dead()) else { continue };
            let doer = (id, fighter.agent, fighter.team);
            let is_steered = self.skirmish.is_steered && fighter.is_player();
            let motion = self.brains.motion(fighter.agent).map_or(Actions::default(), |motion| motion.actions);
            let wants = if is_steered { self.world.input.actions } else { motion };
            let Some(walker) = self.world.cast.walker(HostKey(id.to_bits())).copied() else { continue };
            self.hands(doer, wants, &walker);
            self.reach(doer, wants, &walker, number);
        }
        self.fly();
    }

    /// Weapons: which one is wanted in the hand, reload, trigger.
    fn hands(&mut self, doer: Doer, wants: Actions, walker: &Walker) {
        let (id, agent, team) = doer;
        let (armory, arms, tick) = (&self.skirmish.armory, &self.skirmish.arms, self.tick);
        let Some(fighter) = self.world.fighters.at_mut(id) else { return };
        let (weapon, pull) = if wants.contains(Actions::MELEE) {
            (arms.blade, Actions::MELEE)
        } else if wants.contains(Actions::THROW) {
            (arms.thrown, Actions::THROW)
        } else {
            (arms.gun, Actions::FIRE)
        };
        fighter.kit.switch(armory, weapon, tick);
        let Some((held, spec, weapon)) = fighter.kit.held(armory) else { return };
        let begins = wants.contains(Actions::RELOAD) && matches!(reload(held, spec, tick, RATE), Reload::Began { .. });
        let fired = trigger(held, spec, wants.contains(pull), tick, RATE);
        let eye = walker.body().eye();
        if begins {
            self.tell(&ArenaEvent::Reloaded { who: agent });
            self.heard(eye, self.skirmish.noises.reload_m, agent);
        }
        let Some(fired) = fired else { return };
        self.tell(&ArenaEvent::Fired { by: agent, weapon, rounds: fired.rounds });
        self.heard(eye, spec.noise_m, agent);
        match &spec.kind {
            WeaponKind::Gun(gun) => self.rounds(doer, gun, (fired.rounds, fired.recoil_rad), walker),
            WeaponKind::Blade(blade) => {
                let view = LevelView { level: &self.skirmish.mind.layout.level, state: &self.world.cast.level };
                let met = strike(&view, eye, aim(walker), blade, agent, &self.cache.targets);
                self.mark(MarkKind::Strike, eye, eye + aim(walker) * blade.reach_m);
                if let Some(who) = met {
                    self.hurt(who, (agent, team), blade.damage, (eye, false), Cause::Blade);
                }
            }
            WeaponKind::Thrown(thrown) => {
                let throw = Throw { by: agent, team, weapon, hand: eye, aim: aim(walker), carried: walker.velocity };
                self.world.flights.push(launch(thrown, &throw, tick, RATE));
                self.world.sides[place(team)].grenades += 1;
            }
        }
    }

    /// Sends the rounds of one pull on their way.
    fn rounds(&mut self, (_, agent, team): Doer, gun: &GunSpec, (rounds, recoil_rad): (u32, f32), walker: &Walker) {
        let pace = walker.velocity.length() / self.skirmish.body[0].speed_m_per_s_max;
        let spread = spread_rad(gun, recoil_rad, pace);
        let eye = walker.body().eye();
        let mut luck = shot_stream(self.brains.streams(), agent, self.tick);
        self.world.sides[place(team)].shots += rounds;
        for _ in 0..rounds * gun.pellets.max(1) {
            let ray = Ray { origin: eye, direction: scatter(aim(walker), spread, &mut luck), length_m: gun.range_m };
            let view = LevelView { level: &self.skirmish.mind.layout.level, state: &self.world.cast.level };
            let hit = shoot(&view, &ray, agent, &self.cache.targets);
            let mut passed = [None; 4];
            let mut free = passed.iter_mut();
            near_misses(&ray, &hit, agent, &self.cache.targets, |it, apart_m| {
                if let Some(place) = free.next() {
                    let is_friend = it.team == team;
                    *place = Some(ArenaEvent::NearMiss { who: it.agent, by: agent, apart_m, is_friend });
                }
            });
            passed.iter().flatten().for_each(|event| self.tell(event));
            self.mark(MarkKind::Shot, eye, hit.point);
            match hit.what {
                ShotWhat::Body { agent: who, is_head } => {
                    let damage = gun.damage * if is_head { gun.head_factor } else { 1.0 };
                    self.hurt(who, (agent, team), damage, (eye, is_head), Cause::Gun);
                }
                ShotWhat::Piece(piece) => {
                    let level = &self.skirmish.mind.layout.level;
                    if self.world.cast.level.damage_piece(level, piece, gun.damage) {
                        self.tell(&ArenaEvent::Broke { by: Some(agent), piece });
                        self.heard(hit.point, self.skirmish.noises.break_m, agent);
                    }
                }
                ShotWhat::Level | ShotWhat::Nothing => {}
            }
        }
    }

    /// Hurts somebody, and counts it.
    fn hurt(&mut self, who: AgentId, by: (AgentId, TeamId), amount: f32, (from, is_head): (Vec3, bool), cause: Cause) {
        let Some((_, it)) = self.world.fighters.iter_mut().find(|(_, it)| it.agent == who) else { return };
        let wound = it.vitals.hurt(damage_between(FriendlyFire::Off, by, (it.agent, it.team), amount));
        if wound.lost + wound.absorbed <= 0.0 {
            return;
        }
        let (team, told) = (it.team, hurt_told(who, &it.vitals, &wound, from));
        self.brains.hurt(told);
        self.tell(&ArenaEvent::Hurt { who, by: Some(by.0), lost: wound.lost, is_head });
        let is_friend = team == by.1;
        let side = &mut self.world.sides[place(by.1)];
        side.hits += u32::from(cause == Cause::Gun && !is_friend);
        if wound.died {
            side.blast_kills += u32::from(cause == Cause::Blast && !is_friend);
            side.melee_kills += u32::from(cause == Cause::Blade && !is_friend);
            self.world.score.count_death(team, Some(by.1));
            self.tell(&ArenaEvent::Died { who, by: Some(by.0), is_friend });
        }
    }

    /// Doors, items, supplies, steps: what one does by being somewhere.
    fn reach(&mut self, (id, agent, team): Doer, wants: Actions, walker: &Walker, number: usize) {
        let (level, tick) = (&self.skirmish.mind.layout.level, self.tick);
        let eye = walker.body().eye();
        if wants.contains(Actions::USE) && !self.world.was_using(id) {
            let used = use_door(level, &mut self.world.cast.level, eye, walker.pose.yaw, &DoorConfig::default());
            if let DoorUse::Opens(piece) | DoorUse::Closes(piece) = used {
                let opens = matches!(used, DoorUse::Opens(_));
                self.tell(&ArenaEvent::Door { who: agent, piece, opens });
                self.heard(eye, self.skirmish.noises.door_m, agent);
            }
        }
        let Some(it) = self.world.fighters.at_mut(id) else { return };
        it.is_using = wants.contains(Actions::USE);
        let mut taken = [None; 4];
        let mut free = taken.iter_mut();
        let who = (&self.skirmish.armory, &mut it.vitals, &mut it.kit);
        take(&self.skirmish.items, &mut self.world.items, &self.cache.targets[number], who, tick, |one| {
            if let Some(place) = free.next() {
                *place = Some(one);
            }
        });
        let who = (&self.skirmish.armory, &mut it.vitals, &mut it.kit);
        let given = supply(&self.skirmish.supply, &SUPPLY, level, walker.pose.position, who, (tick, RATE));
        self.world.sides[place(team)].supplied += given.rounds;
        let speed = if walker.is_grounded { walker.velocity.length() } else { 0.0 };
        let step_m = stride(&self.skirmish.noises, &mut it.stride, speed, walker.stance, RATE.tick_s());
        for one in taken.iter().flatten() {
            self.tell(&ArenaEvent::Took { who: agent, item: one.item });
            self.heard(eye, self.skirmish.noises.item_m, agent);
        }
        if let Some(range_m) = step_m {
            self.heard(walker.pose.position, range_m, agent);
        }
    }

    /// Lets grenades fly on, and burst.
    fn fly(&mut self) {
        let mut number = 0;
        while number < self.world.flights.len() {
            let mut flight = self.world.flights[number];
            let Some(spec) = self.skirmish.armory.spec(flight.weapon) else { break };
            let WeaponKind::Thrown(thrown) = &spec.kind else { break };
            let view = LevelView { level: &self.skirmish.mind.layout.level, state: &self.world.cast.level };
            let step = blast::step(&mut flight, thrown, &view, &self.cache.targets, self.tick, RATE);
            self.world.flights[number] = flight;
            if step == FlightStep::Bounced {
                self.heard(flight.position, self.skirmish.noises.bounce_m, flight.by);
            }
            if step != FlightStep::Bursts {
                number += 1;
                continue;
            }
            self.world.flights.remove(number);
            self.heard(flight.position, thrown.blast_noise_m, flight.by);
            self.mark(MarkKind::Blast, flight.position, Vec3::new(thrown.blast.radius_m, 0.0, 0.0));
            self.burst(&flight, &thrown.blast);
        }
    }

    fn burst(&mut self, flight: &blast::Flight, spec: &crate::armory::BlastSpec) {
        let level = &self.skirmish.mind.layout.level;
        let mut hurt = std::mem::take(&mut self.cache.hurt);
        let mut broken = std::mem::take(&mut self.cache.broken);
        hurt.clear();
        broken.clear();
        let view = LevelView { level, state: &self.world.cast.level };
        blast::hurt_bodies(&view, flight.position, spec, &self.cache.targets, |it, amount| {
            hurt.push((it.agent, amount));
        });
        let (state, scratch) = (&mut self.world.cast.level, &mut self.cache.pieces);
        blast::hurt_pieces(level, state, flight.position, spec, scratch, |piece, _, is_gone| {
            if is_gone {
                broken.push(piece);
            }
        });
        self.tell(&ArenaEvent::Burst { by: flight.by, hurt: hurt.len() as u32 });
        for &(who, amount) in &hurt {
            self.hurt(who, (flight.by, flight.team), amount, (flight.position, false), Cause::Blast);
        }
        for &piece in &broken {
            self.tell(&ArenaEvent::Broke { by: Some(flight.by), piece });
            self.heard(flight.position, self.skirmish.noises.break_m, flight.by);
        }
        (self.cache.hurt, self.cache.broken) = (hurt, broken);
    }
}
