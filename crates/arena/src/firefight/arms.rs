//! What hands do and feel in `firefight`: reloads, shots, and what comes of them; steps that are heard.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::squad::soldier::{Gear, SoldierNotice};
use sentir_level::LevelView;

use super::mind::{FirefightMind, Notice};
use super::{DAMAGE, Field, Firefight, Mark, RATE, SOLDIERS, refused};
use crate::armory::{self, Armory, GunSpec, WeaponId, WeaponKind, WeaponSpec};
use crate::body::Walker;
use crate::event::{ArenaEvent, game_events};
use crate::health::{FriendlyFire, damage_between, hurt_told};
use crate::noise::{noise, stride};
use crate::scene::SceneError;
use crate::shot::{ShotWhat, Target, near_misses, shoot};
use crate::weapon::{Reload, refill, reload, scatter, shot_stream, spread_rad, trigger};

/// Who is this near to a place with rounds takes so many every so often: m, rounds, s.
pub(super) const SUPPLY_M: f32 = 1.5;
const SUPPLY_ROUNDS: u32 = 15;
const SUPPLY_S: f32 = 0.25;
/// A shot is shown as far as this, m.
const SHOWN_M: f32 = 45.0;

/// All that a happening needs.
pub(super) struct Stage<'a> {
    pub(super) story: &'a Firefight,
    pub(super) world: &'a mut Field,
    pub(super) brains: &'a mut Loop<FirefightMind>,
    pub(super) targets: &'a mut Vec<Target>,
    pub(super) tick: Tick,
}

/// Rifles that hurt less than the stock one: fights are to be long enough to see what everybody does.
pub(super) fn rifles() -> Result<(Armory, WeaponId), SceneError> {
    let mut specs = armory::stock().specs().to_vec();
    for spec in &mut specs {
        if let WeaponKind::Gun(gun) = &mut spec.kind {
            gun.damage = DAMAGE;
        }
    }
    let armory = Armory::build(specs).map_err(|error| refused(&error))?;
    let gun = armory.named("rifle").map_err(|error| refused(&error))?;
    Ok((armory, gun))
}

/// Where a body looks.
fn aim(walker: &Walker) -> Vec3 {
    let (sin, cos) = math::sin_cos(walker.pitch);
    plane::lift(plane::heading(walker.pose.yaw) * cos, sin)
}

impl Stage<'_> {
    /// One tick of everybody's hands and feet.
    pub(super) fn play(&mut self) {
        self.look_around();
        let count = self.world.fighters.len();
        for turn in 0..count {
            // Who fires first at a tick is not always the same.
            let number = if self.tick.0.is_multiple_of(2) { turn } else { count - 1 - turn };
            let it = &self.world.fighters[number];
            let Some(walker) = self.world.cast.walker(it.key).copied() else { continue };
            if it.vitals.is_dead() {
                continue;
            }
            let motion = self.brains.motion(it.agent).map_or(Actions::default(), |motion| motion.actions);
            let is_steered = self.story.is_steered && it.team != SOLDIERS;
            let wants = if is_steered { self.world.input.actions } else { motion };
            self.hands(number, wants, &walker);
            self.supply(number, &walker);
            self.feet(number, &walker);
        }
    }

    /// The bodies to be hit, as they stand.
    fn look_around(&mut self) {
        self.targets.clear();
        for it in &self.world.fighters {
            let Some(walker) = self.world.cast.walker(it.key) else { continue };
            let (foot, head) = (walker.pose.position, walker.pose.position + Vec3::Y * walker.height_m);
            let (agent, team, radius_m) = (it.agent, it.team, walker.radius_m);
            self.targets.push(Target { agent, team, foot, head, radius_m });
        }
    }

    fn tell(&mut self, event: &ArenaEvent) {
        let Stage { world, brains, tick, .. } = self;
        game_events(event, *tick, |event| {
            if let Some(it) = brains.presence(event.agent) {
                world.tally.add(it.team, &event);
            }
            brains.emit(event.agent, event.kind);
        });
    }

    fn heard(&mut self, position: Vec3, range_m: f32, by: AgentId) {
        if let Some(noise) = noise(position, range_m, Some(by)) {
            self.brains.noise(noise);
        }
    }

    /// Reload and trigger.
    fn hands(&mut self, number: usize, wants: Actions, walker: &Walker) {
        let (story, tick) = (self.story, self.tick);
        let it = &mut self.world.fighters[number];
        let agent = it.agent;
        let Some((held, spec, weapon)) = it.kit.held(&story.armory) else { return };
        let begins = wants.contains(Actions::RELOAD) && matches!(reload(held, spec, tick, RATE), Reload::Began { .. });
        let fired = trigger(held, spec, wants.contains(Actions::FIRE), tick, RATE);
        let eye = walker.body().eye();
        if begins {
            self.tell(&ArenaEvent::Reloaded { who: agent });
            self.heard(eye, story.noises.reload_m, agent);
        }
        let (Some(fired), WeaponKind::Gun(gun)) = (fired, &spec.kind) else { return };
        self.tell(&ArenaEvent::Fired { by: agent, weapon, rounds: fired.rounds });
        self.heard(eye, spec.noise_m, agent);
        for _ in 0..fired.rounds {
            self.round(number, gun, fired.recoil_rad, walker);
        }
    }

    /// Sends one round on its way.
    fn round(&mut self, number: usize, gun: &GunSpec, recoil_rad: f32, walker: &Walker) {
        let (agent, team) = (self.world.fighters[number].agent, self.world.fighters[number].team);
        let pace = walker.velocity.length() / self.story.body[0].speed_m_per_s_max;
        let spread = spread_rad(gun, recoil_rad, pace);
        let eye = walker.body().eye();
        let mut luck = shot_stream(self.brains.streams(), agent, self.tick);
        let ray = Ray { origin: eye, direction: scatter(aim(walker), spread, &mut luck), length_m: gun.range_m };
        let view = LevelView { level: self.story.level(), state: &self.world.cast.level };
        let hit = shoot(&view, &ray, agent, self.targets);
        let mut passed = [None; 4];
        let mut free = passed.iter_mut();
        near_misses(&ray, &hit, agent, self.targets, |it, apart_m| {
            if let Some(place) = free.next() {
                *place = Some((it.agent, it.team == team, apart_m));
            }
        });
        for (who, is_friend, apart_m) in passed.into_iter().flatten() {
            self.tell(&ArenaEvent::NearMiss { who, by: agent, apart_m, is_friend });
            if is_friend {
                continue;
            }
            if let Some(it) = self.world.fighters.iter_mut().find(|it| it.agent == who) {
                it.passed_at = Some(self.tick);
            }
        }
        let to = eye + (hit.point - eye).clamp_length_max(SHOWN_M);
        self.world.marks.push(Mark { team, from: eye, to, at: self.tick });
        if let ShotWhat::Body { agent: who, is_head } = hit.what {
            let damage = gun.damage * if is_head { gun.head_factor } else { 1.0 };
            self.hurt(who, (agent, team), damage, (eye, is_head));
        }
    }

    /// Hurts somebody, and counts it.
    fn hurt(&mut self, who: AgentId, by: (AgentId, TeamId), amount: f32, (from, is_head): (Vec3, bool)) {
        let Some(it) = self.world.fighters.iter_mut().find(|it| it.agent == who) else { return };
        let wound = it.vitals.hurt(damage_between(FriendlyFire::On, by, (it.agent, it.team), amount));
        if wound.lost + wound.absorbed <= 0.0 {
            return;
        }
        let is_friend = it.team == by.1;
        self.world.felt.note(it.team, &wound, (from, is_head), self.tick);
        let told = hurt_told(who, &it.vitals, &wound, from);
        self.brains.hurt(told);
        self.tell(&ArenaEvent::Hurt { who, by: Some(by.0), lost: wound.lost, is_head });
        if wound.died {
            self.tell(&ArenaEvent::Died { who, by: Some(by.0), is_friend });
        }
    }

    /// Who is where rounds are to be had takes some.
    fn supply(&mut self, number: usize, walker: &Walker) {
        let story = self.story;
        let every = RATE.ticks(SUPPLY_S).max(1);
        let supplies = story.mind.soldiers.soldier.theater.supplies();
        let is_there = |place: &Vec3| place.distance(walker.pose.position) < SUPPLY_M;
        if !self.tick.0.is_multiple_of(every) || !supplies.iter().any(is_there) {
            return;
        }
        let Some((held, spec, _)) = self.world.fighters[number].kit.held(&story.armory) else { return };
        refill(held, spec, SUPPLY_ROUNDS);
    }

    /// Steps are heard.
    fn feet(&mut self, number: usize, walker: &Walker) {
        let it = &mut self.world.fighters[number];
        let agent = it.agent;
        let speed = if walker.is_grounded { walker.velocity.length() } else { 0.0 };
        let step_m = stride(&self.story.noises, &mut it.stride, speed, walker.stance, RATE.tick_s());
        if let Some(range_m) = step_m {
            self.heard(walker.pose.position + Vec3::Y * 0.1, range_m, agent);
        }
    }
}

impl Firefight {
    /// Tells everybody what its hands feel and how it is.
    pub(super) fn feel(&self, brains: &mut Loop<FirefightMind>, world: &mut Field) {
        let spec = self.armory.spec(self.gun);
        let [magazine_max, reserve_max] =
            [WeaponSpec::magazine_max, WeaponSpec::reserve_max].map(|of| spec.map_or(0, of));
        let tick = brains.tick();
        for number in 0..world.fighters.len() {
            let is_base = brains.brain(world.fighters[number].agent).is_some_and(|head| head.is_base);
            let foe = if is_base { nearest_foe(world, number) } else { None };
            let it = &mut world.fighters[number];
            let Some(walker) = world.cast.walker(it.key) else { continue };
            brains.observe(it.agent, Body { health: it.vitals.share(), ..walker.body() });
            let Some((weapon, ..)) = it.kit.held(&self.armory) else { continue };
            if let Some(place) = foe {
                brains.notify(it.agent, Notice::Foe(place, tick));
            }
            let gear = Gear {
                magazine: weapon.magazine,
                magazine_max,
                reserve: weapon.reserve,
                reserve_max,
                is_reloading: weapon.is_reloading(),
                passed_at: it.passed_at,
            };
            if brains.brain(it.agent).is_some_and(|head| *head.gear() != gear) {
                brains.notify(it.agent, SoldierNotice::Gear(gear).into());
            }
        }
    }
}

/// Where the nearest foe of a fighter is.
fn nearest_foe(world: &Field, number: usize) -> Option<Vec3> {
    let me = &world.fighters[number];
    let at = world.cast.walker(me.key)?.pose.position;
    let foes = world.fighters.iter().filter(|it| it.team != me.team);
    let places = foes.filter_map(|it| Some(world.cast.walker(it.key)?.pose.position));
    places.min_by(|a, b| a.distance_squared(at).total_cmp(&b.distance_squared(at)))
}
