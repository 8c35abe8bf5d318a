//! What hands do in `skirmish`: shots, strikes, throws, reloads, doors, items; and what comes of it.

use sentir::prelude::*;

use super::mind::Soldier;
use super::tally::place;
use super::{Cache, Fighter, Mark, MarkKind, RATE, Skirmish, World};
use sentir_sim::actor::{ActorId, Actors};
use sentir_sim::blast::Flight;
use sentir_sim::body::CharacterBody;
use sentir_sim::combat::{Battle, Cause, CombatOutcome, Combatant, Hands, Shooter};
use sentir_sim::door::{DoorConfig, DoorUse, use_door};
use sentir_sim::event::{SimEvent, emit};
use sentir_sim::health::{FriendlyFire, Vitals};
use sentir_sim::item::{Receiver, SupplyConfig, SupplyContext, supply, take};
use sentir_sim::kit::Carried;
use sentir_sim::noise::{noise, stride};
use sentir_sim::shot::Target;

/// What the bases give.
const SUPPLY: SupplyConfig = SupplyConfig { rounds_per_minute: 900, health_per_s: 0.0 };

/// All that a happening needs.
pub(super) struct Stage<'a> {
    pub(super) skirmish: &'a Skirmish,
    pub(super) world: &'a mut World,
    pub(super) brains: &'a mut Loop<Soldier>,
    pub(super) cache: &'a mut Cache,
    pub(super) tick: Tick,
}

/// Who does something, and what it wants.
#[derive(Clone, Copy)]
struct Doer<'a> {
    id: ActorId,
    agent: AgentId,
    team: TeamId,
    wants: Actions,
    walker: &'a CharacterBody,
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
    /// Emits a happening and counts it in the figures of its side.
    fn emit(&mut self, event: &SimEvent) {
        let Stage { world, brains, .. } = self;
        emit(brains, event, |team, kind| world.sides[place(team)].totals.add(kind));
    }

    fn heard(&mut self, position: Vec3, range_m: f32, by: AgentId) {
        if let Some(noise) = noise(position, range_m, Some(by)) {
            self.hear(noise);
        }
    }

    fn hear(&mut self, noise: Noise) {
        self.brains.noise(noise);
        self.mark(MarkKind::Noise, noise.position, Vec3::new(noise.range_m, 0.0, 0.0));
    }

    fn mark(&mut self, kind: MarkKind, from: Vec3, to: Vec3) {
        self.world.marks.push(Mark { kind, from, to, at: self.tick });
    }

    /// The bodies to be hit, as they stand.
    pub(super) fn look_around(&mut self) {
        let Stage { world, cache, .. } = self;
        cache.combat.targets.clear();
        cache.ids.clear();
        for (id, it) in world.fighters.iter() {
            let Some(walker) = world.bodies.walker(HostKey(id.to_bits())) else { continue };
            cache.combat.targets.push(Target::of(it.agent, it.team, walker));
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
            let (agent, team) = (fighter.agent, fighter.team);
            let is_steered = self.skirmish.is_steered && fighter.is_player();
            let motion = self.brains.motion(fighter.agent).map_or(Actions::default(), |motion| motion.actions);
            let wants = if is_steered { self.world.input.actions } else { motion };
            let Some(walker) = self.world.bodies.walker(HostKey(id.to_bits())).copied() else { continue };
            let doer = Doer { id, agent, team, wants, walker: &walker };
            self.hands(doer);
            self.reach(doer, number);
        }
        self.fly();
    }

    /// Combat of the yard, as it is lent for one call.
    fn battle<T>(&mut self, call: impl FnOnce(&mut Battle<'_, Actors<Fighter>>, &mut Vec<Flight>) -> T) -> T {
        let World { bodies, fighters, flights, .. } = &mut *self.world;
        let mut battle = Battle {
            armory: &self.skirmish.armory,
            level: &self.skirmish.mind.layout.level,
            state: &mut bodies.level,
            combatants: fighters,
            friendly_fire: FriendlyFire::Off,
            streams: self.brains.streams(),
            tick: self.tick,
            rate: RATE,
            scratch: &mut self.cache.combat,
        };
        call(&mut battle, flights)
    }

    /// Weapons: which one is wanted in the hand, reload, trigger.
    fn hands(&mut self, doer: Doer<'_>) {
        let Doer { id, agent, team, wants, walker } = doer;
        let arms = &self.skirmish.arms;
        let Some(fighter) = self.world.fighters.at_mut(id) else { return };
        let (weapon, pull) = if wants.contains(Actions::MELEE) {
            (arms.blade, Actions::MELEE)
        } else if wants.contains(Actions::THROW) {
            (arms.thrown, Actions::THROW)
        } else {
            (arms.gun, Actions::FIRE)
        };
        fighter.kit.switch(&self.skirmish.armory, weapon, self.tick);
        let shooter = Shooter::of(agent, team, walker, self.skirmish.body[0].speed_m_per_s_max);
        let hands = Hands { reloads: wants.contains(Actions::RELOAD), pulls: wants.contains(pull) };
        self.battle(|battle, _| battle.act(&shooter, hands));
        self.happen();
    }

    /// Lets grenades fly on, and burst.
    fn fly(&mut self) {
        self.battle(|battle, flights| battle.fly(flights));
        self.happen();
    }

    /// Tells the loop of what happened, shows it and counts it.
    fn happen(&mut self) {
        for number in 0..self.cache.combat.outcomes.len() {
            let outcome = self.cache.combat.outcomes[number];
            if let Some(event) = outcome.event() {
                self.emit(&event);
            }
            if let Some(noise) = outcome.noise(&self.skirmish.noises) {
                self.hear(noise);
            }
            if let Some(hurt) = outcome.hurt() {
                self.brains.hurt(hurt);
            }
            self.count(&outcome);
        }
    }

    fn count(&mut self, outcome: &CombatOutcome) {
        match *outcome {
            CombatOutcome::Fired { by, weapon, rounds, .. } if weapon == self.skirmish.arms.gun => {
                if let Some(it) = self.brains.presence(by) {
                    self.world.sides[place(it.team)].shots += rounds;
                }
            }
            CombatOutcome::Shot { from, hit, .. } => self.mark(MarkKind::Shot, from, hit.point),
            CombatOutcome::Struck { from, to, .. } => self.mark(MarkKind::Strike, from, to),
            CombatOutcome::Burst { at, radius_m, .. } => self.mark(MarkKind::Blast, at, Vec3::new(radius_m, 0.0, 0.0)),
            CombatOutcome::Thrown(flight) => {
                self.world.flights.push(flight);
                self.world.sides[place(flight.team)].grenades += 1;
            }
            CombatOutcome::Hurt(it) => {
                self.world.sides[place(it.by_team)].hits += u32::from(it.cause == Cause::Gun && !it.is_friend());
            }
            CombatOutcome::Died(it) => {
                let side = &mut self.world.sides[place(it.by_team)];
                side.blast_kills += u32::from(it.cause == Cause::Blast && !it.is_friend());
                side.melee_kills += u32::from(it.cause == Cause::Blade && !it.is_friend());
                self.world.score.count_death(it.team, Some(it.by_team));
            }
            _ => {}
        }
    }

    /// Doors, items, supplies, steps: what one does by being somewhere.
    fn reach(&mut self, doer: Doer<'_>, number: usize) {
        let Doer { id, agent, team, wants, walker } = doer;
        let (level, tick) = (&self.skirmish.mind.layout.level, self.tick);
        let eye = walker.body().eye();
        if wants.contains(Actions::USE) && !self.world.was_using(id) {
            let used = use_door(level, &mut self.world.bodies.level, eye, walker.pose.yaw, &DoorConfig::default());
            if let DoorUse::Opens(piece) | DoorUse::Closes(piece) = used {
                let opens = matches!(used, DoorUse::Opens(_));
                self.emit(&SimEvent::Door { who: agent, piece, opens });
                self.heard(eye, self.skirmish.noises.door_m, agent);
            }
        }
        let Some(it) = self.world.fighters.at_mut(id) else { return };
        it.is_using = wants.contains(Actions::USE);
        let mut taken = [None; 4];
        let mut free = taken.iter_mut();
        let who = Receiver { armory: &self.skirmish.armory, vitals: &mut it.vitals, kit: &mut it.kit };
        take(&self.skirmish.items, &mut self.world.items, &self.cache.combat.targets[number], who, tick, |one| {
            if let Some(place) = free.next() {
                *place = Some(one);
            }
        });
        let who = Receiver { armory: &self.skirmish.armory, vitals: &mut it.vitals, kit: &mut it.kit };
        let context = SupplyContext { table: &self.skirmish.supply, config: &SUPPLY, level, tick, rate: RATE };
        let given = supply(&context, walker.pose.position, who);
        self.world.sides[place(team)].supplied += given.rounds;
        let speed = if walker.is_grounded { walker.velocity.length() } else { 0.0 };
        let step_m = stride(&self.skirmish.noises, &mut it.stride, speed, walker.stance, RATE.tick_s());
        for one in taken.iter().flatten() {
            self.emit(&SimEvent::Took { who: agent, item: one.item });
            self.heard(eye, self.skirmish.noises.item_m, agent);
        }
        if let Some(range_m) = step_m {
            self.heard(walker.pose.position, range_m, agent);
        }
    }
}
