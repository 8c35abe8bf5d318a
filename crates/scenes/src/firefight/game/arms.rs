//! What hands do and feel in `firefight`: reloads, shots, and what comes of them; steps that are heard.

use sentir::prelude::*;
use sentir::squad::soldier::{Gear, SoldierNotice};

use super::mind::{FirefightMind, Notice};
use super::{DAMAGE, Fighter, Firefight, Mark, RATE, SOLDIER_TEAM, World, refused};
use sentir_harness::info::SceneError;
use sentir_sim::armory::{self, Armory, WeaponId, WeaponKind, WeaponSpec};
use sentir_sim::body::CharacterBody;
use sentir_sim::combat::{Battle, CombatOutcome, CombatScratch, Combatant, Hands, Shooter};
use sentir_sim::event::emit;
use sentir_sim::health::{FriendlyFire, Vitals};
use sentir_sim::kit::Carried;
use sentir_sim::noise::{noise, stride};
use sentir_sim::shot::Target;
use sentir_sim::weapon::refill;

/// Who is this near to a place with rounds takes so many every so often: m, rounds, s.
pub(super) const SUPPLY_M: f32 = 1.5;
const SUPPLY_ROUNDS: u32 = 15;
const SUPPLY_S: f32 = 0.25;
/// A shot is shown as far as this, m.
const SHOWN_M: f32 = 45.0;

/// All that a happening needs.
pub(super) struct Stage<'a> {
    pub(super) scene: &'a Firefight,
    pub(super) world: &'a mut World,
    pub(super) brains: &'a mut Loop<FirefightMind>,
    pub(super) combat: &'a mut CombatScratch,
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

impl Combatant for Fighter {
    fn agent(&self) -> AgentId {
        self.agent
    }

    fn weapon_mut(&mut self) -> Option<&mut Carried> {
        self.kit.in_hand_mut()
    }

    fn vitals_mut(&mut self) -> &mut Vitals {
        &mut self.vitals
    }
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
            let Some(walker) = self.world.bodies.walker(it.key).copied() else { continue };
            if it.vitals.is_dead() {
                continue;
            }
            let motion = self.brains.motion(it.agent).map_or(Actions::default(), |motion| motion.actions);
            let is_steered = self.scene.is_steered && it.team != SOLDIER_TEAM;
            let wants = if is_steered { self.world.input.actions } else { motion };
            self.hands(number, wants, &walker);
            self.supply(number, &walker);
            self.feet(number, &walker);
        }
    }

    /// The bodies to be hit, as they stand.
    fn look_around(&mut self) {
        let World { fighters, bodies, .. } = &*self.world;
        let targets = fighters.iter().filter_map(|it| Some(Target::of(it.agent, it.team, bodies.walker(it.key)?)));
        self.combat.targets.clear();
        self.combat.targets.extend(targets);
    }

    /// Reload and trigger, and what comes of them.
    fn hands(&mut self, number: usize, wants: Actions, walker: &CharacterBody) {
        let World { fighters, bodies, .. } = &mut *self.world;
        let Fighter { agent, team, .. } = fighters[number];
        let shooter = Shooter::of(agent, team, walker, self.scene.body[0].speed_m_per_s_max);
        let mut battle = Battle {
            armory: &self.scene.armory,
            level: self.scene.level(),
            state: &mut bodies.level,
            combatants: fighters,
            friendly_fire: FriendlyFire::On,
            streams: self.brains.streams(),
            tick: self.tick,
            rate: RATE,
            scratch: self.combat,
        };
        battle.act(&shooter, Hands { reloads: wants.contains(Actions::RELOAD), pulls: wants.contains(Actions::FIRE) });
        for place in 0..self.combat.outcomes.len() {
            let outcome = self.combat.outcomes[place];
            self.happen(&outcome);
        }
    }

    /// Tells the loop of something that happened, shows it and counts it.
    fn happen(&mut self, outcome: &CombatOutcome) {
        let Stage { world, brains, tick, .. } = self;
        if let Some(event) = outcome.event() {
            emit(brains, &event, |team, kind| world.tally.add(team, kind));
        }
        if let Some(noise) = outcome.noise(&self.scene.noises) {
            brains.noise(noise);
        }
        if let Some(hurt) = outcome.hurt() {
            brains.hurt(hurt);
        }
        match *outcome {
            CombatOutcome::NearMiss { who, is_friend: false, .. } => {
                if let Some(it) = world.fighters.iter_mut().find(|it| it.agent == who) {
                    it.passed_at = Some(*tick);
                }
            }
            CombatOutcome::Shot { team, from, hit, .. } => {
                let to = from + (hit.point - from).clamp_length_max(SHOWN_M);
                world.marks.push(Mark { team, from, to, at: *tick });
            }
            CombatOutcome::Hurt(it) => world.felt.note(&it, *tick),
            _ => {}
        }
    }

    /// Who is where rounds are to be had takes some.
    fn supply(&mut self, number: usize, walker: &CharacterBody) {
        let scene = self.scene;
        let every = RATE.ticks(SUPPLY_S).max(1);
        let supplies = scene.mind.soldiers.soldier.tactical_map.supplies();
        let is_there = |place: &Vec3| place.distance(walker.pose.position) < SUPPLY_M;
        if !self.tick.0.is_multiple_of(every) || !supplies.iter().any(is_there) {
            return;
        }
        let Some((held, spec, _)) = self.world.fighters[number].kit.held(&scene.armory) else { return };
        refill(held, spec, SUPPLY_ROUNDS);
    }

    /// Steps are heard.
    fn feet(&mut self, number: usize, walker: &CharacterBody) {
        let it = &mut self.world.fighters[number];
        let agent = it.agent;
        let speed = if walker.is_grounded { walker.velocity.length() } else { 0.0 };
        let step_m = stride(&self.scene.noises, &mut it.stride, speed, walker.stance, RATE.tick_s());
        let place = walker.pose.position + Vec3::Y * 0.1;
        if let Some(noise) = step_m.and_then(|range_m| noise(place, range_m, Some(agent))) {
            self.brains.noise(noise);
        }
    }
}

impl Firefight {
    /// Tells everybody what its hands feel and how it is.
    pub(super) fn feel(&self, brains: &mut Loop<FirefightMind>, world: &mut World) {
        let spec = self.armory.spec(self.gun);
        let [magazine_max, reserve_max] =
            [WeaponSpec::magazine_max, WeaponSpec::reserve_max].map(|of| spec.map_or(0, of));
        let tick = brains.tick();
        for number in 0..world.fighters.len() {
            let is_base = brains.brain(world.fighters[number].agent).is_some_and(|head| head.is_base);
            let foe = if is_base { nearest_foe(world, number) } else { None };
            let it = &mut world.fighters[number];
            let Some(walker) = world.bodies.walker(it.key) else { continue };
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
fn nearest_foe(world: &World, number: usize) -> Option<Vec3> {
    let me = &world.fighters[number];
    let at = world.bodies.walker(me.key)?.pose.position;
    let foes = world.fighters.iter().filter(|it| it.team != me.team);
    let places = foes.filter_map(|it| Some(world.bodies.walker(it.key)?.pose.position));
    places.min_by(|a, b| a.distance_squared(at).total_cmp(&b.distance_squared(at)))
}
