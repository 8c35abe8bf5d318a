//! What hands and teeth do: shots, bites, throws, points of use; and what comes of it.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;
use sentir_sim::armory::WeaponKind;
use sentir_sim::blast::{Flight, Throw, launch};
use sentir_sim::body::CharacterBody;
use sentir_sim::combat::{Battle, CombatOutcome, Combatants, Hands, Injury, Shooter};
use sentir_sim::event::{SimEvent, emit};
use sentir_sim::health::{FriendlyFire, Vitals, hurt_told};
use sentir_sim::kit::Carried;
use sentir_sim::noise::{NoiseTable, noise, stride};
use sentir_sim::shot::{Target, strike};

use super::ground::PointKind;
use super::mind::{HordeMind, Notice};
use super::{
    Cache, HORDE, Horde, MARK_S, MARKS_MAX, Mark, PLAYER, PLAYER_KEY, Player, STEALTHY, THROWER, World, Zombie, key_of,
};

/// The letter that changes weapons.
pub(super) const CHANGE_KEY: u8 = b'Q';
/// Rounds that an ammunition point gives every weapon: as many as fit.
const ALL_ROUNDS: u32 = 100_000;

/// All that a happening needs.
pub(super) struct Stage<'a> {
    pub(super) horde: &'a Horde,
    pub(super) world: &'a mut World,
    pub(super) brains: &'a mut Loop<HordeMind>,
    pub(super) cache: &'a mut Cache,
    pub(super) tick: Tick,
}

/// Whose weapons and whose health, for combat.
struct Fighters<'a> {
    player: &'a mut Player,
    zombies: &'a mut [Zombie],
}

impl Combatants for Fighters<'_> {
    fn weapon_mut(&mut self, who: AgentId) -> Option<&mut Carried> {
        if self.player.agent == Some(who) { self.player.kit.in_hand_mut() } else { None }
    }

    fn vitals_mut(&mut self, who: AgentId) -> Option<&mut Vitals> {
        if self.player.agent == Some(who) {
            return Some(&mut self.player.vitals);
        }
        self.zombies.iter_mut().find(|it| it.agent == Some(who)).map(|it| &mut it.vitals)
    }
}

impl Stage<'_> {
    /// One tick of everybody.
    pub(super) fn play(&mut self) {
        self.look_around();
        self.shoot();
        self.bite();
        self.fly();
        self.use_points();
        self.sneak();
    }

    /// The bodies to be hit, as they stand.
    fn look_around(&mut self) {
        let Stage { world, cache, .. } = self;
        cache.combat.targets.clear();
        if let (Some(agent), Some(walker)) = (world.player.agent, world.bodies.walker(PLAYER_KEY)) {
            cache.combat.targets.push(Target::of(agent, PLAYER, walker));
        }
        for (number, zombie) in world.zombies.iter().enumerate() {
            if let (Some(agent), Some(walker)) = (zombie.agent, world.bodies.walker(key_of(number))) {
                cache.combat.targets.push(Target::of(agent, HORDE, walker));
            }
        }
    }

    /// What the player's hands want: of the person, or of the bot.
    fn wants(&self) -> Actions {
        if self.horde.plan.is_steered {
            return self.world.input.actions;
        }
        let motion = self.world.player.agent.and_then(|agent| self.brains.motion(agent));
        motion.map_or(Actions::default(), |motion| motion.actions)
    }

    /// Combat, as it is lent for one call.
    fn battle<T>(&mut self, call: impl FnOnce(&mut Battle<'_, Fighters<'_>>, &mut Vec<Flight>) -> T) -> T {
        let World { bodies, player, zombies, flights, .. } = &mut *self.world;
        let mut battle = Battle {
            armory: &self.horde.armory,
            level: &self.horde.mind.ground.level,
            state: &mut bodies.level,
            combatants: &mut Fighters { player, zombies },
            friendly_fire: FriendlyFire::Off,
            streams: self.brains.streams(),
            tick: self.tick,
            rate: self.horde.plan.rate,
            scratch: &mut self.cache.combat,
        };
        call(&mut battle, flights)
    }

    /// The player's weapons: which one is in the hand, reload, trigger.
    fn shoot(&mut self) {
        let (Some(agent), Some(walker)) = (self.world.player.agent, self.world.bodies.walker(PLAYER_KEY).copied())
        else {
            return;
        };
        let wants = self.wants();
        let Stage { horde, world, tick, .. } = self;
        let arms = &horde.arms;
        let is_changing = horde.plan.is_steered && world.input.key == CHANGE_KEY;
        let held = world.player.kit.in_hand_mut().map(|it| it.id);
        if is_changing && !world.player.is_changing {
            let next = if held == Some(arms.primary) { arms.secondary } else { arms.primary };
            world.player.kit.switch(&horde.armory, next, *tick);
        }
        world.player.is_changing = is_changing;
        let throws = wants.contains(Actions::THROW) && horde.plan.is_steered;
        if throws {
            world.player.kit.switch(&horde.armory, arms.decoy, *tick);
        } else if held == Some(arms.decoy) {
            world.player.kit.switch(&horde.armory, arms.primary, *tick);
        }
        if !horde.plan.is_steered
            && let Some((weapon, spec, _)) = world.player.kit.held(&horde.armory)
        {
            // The bot of the source never runs dry.
            weapon.magazine = spec.magazine_max();
        }
        let empty = world.player.kit.in_hand_mut().is_some_and(|it| it.weapon.magazine == 0);
        let pulls = wants.contains(if throws { Actions::THROW } else { Actions::FIRE });
        let shooter = Shooter::of(agent, PLAYER, &walker, horde.mind.rules.player.speed_m_per_s);
        let hands = Hands { reloads: wants.contains(Actions::RELOAD) || empty, pulls };
        self.battle(|battle, _| battle.act(&shooter, hands));
        self.happen();
    }

    /// Lets what was thrown fly on, and burst.
    fn fly(&mut self) {
        if self.world.flights.is_empty() {
            return;
        }
        self.battle(|battle, flights| battle.fly(flights));
        self.happen();
    }

    /// Tells the loop of what happened, shows it and counts it.
    fn happen(&mut self) {
        for number in 0..self.cache.combat.outcomes.len() {
            let outcome = self.cache.combat.outcomes[number];
            if let Some(event) = outcome.event() {
                emit(self.brains, &event, |_, _| {});
            }
            if let Some(noise) = outcome.noise(&NoiseTable { reload_m: 0.0, bounce_m: 0.0, ..NoiseTable::default() }) {
                self.brains.noise(noise);
            }
            if let Some(hurt) = outcome.hurt() {
                self.brains.hurt(hurt);
            }
            self.count(&outcome);
        }
    }

    fn count(&mut self, outcome: &CombatOutcome) {
        let (tick, world) = (self.tick, &mut *self.world);
        match *outcome {
            CombatOutcome::Fired { rounds, .. } => {
                world.tally.shots += rounds;
                world.felt.fired = Some(tick);
            }
            CombatOutcome::Shot { from, hit, .. } => mark(world, Mark { from, to: hit.point, at: tick, burst_m: 0.0 }),
            CombatOutcome::Burst { at, radius_m, .. } => {
                mark(world, Mark { from: at, to: at, at: tick, burst_m: radius_m });
            }
            CombatOutcome::Thrown(flight) => world.flights.push(flight),
            CombatOutcome::Hurt(it) if it.by_team == PLAYER && it.team == HORDE => {
                world.tally.hits += 1;
                world.felt.hit = Some(tick);
            }
            CombatOutcome::Hurt(it) if it.team == PLAYER => self.suffer(&it, THROWER),
            CombatOutcome::Died(it) if it.team == HORDE => {
                world.tally.kills += 1;
                world.felt.kill = Some(tick);
            }
            _ => {}
        }
    }

    /// The player was hurt.
    fn suffer(&mut self, it: &Injury, kind: u16) {
        let world = &mut *self.world;
        world.tally.suffer(kind, it.wound.lost, self.tick);
        world.felt.hurt(it.told.from, it.told.amount, self.tick);
        world.director.hurt(it.told.amount, &self.horde.mind.rules.director);
    }

    /// Teeth: from in reach to the bite, and from bite to bite.
    fn bite(&mut self) {
        let (rate, rules) = (self.horde.plan.rate, self.horde.mind.rules.zombie);
        let Some(prey) = self.cache.combat.targets.first().copied().filter(|it| it.team == PLAYER) else { return };
        let [_, growth] = self.horde.growth(self.world.round.number);
        let blade = super::bite(&self.horde.mind.rules);
        for number in 0..self.world.zombies.len() {
            let Some(agent) = self.world.zombies[number].agent else { continue };
            let actions = self.brains.motion(agent).map_or(Actions::default(), |motion| motion.actions);
            if actions.contains(Actions::THROW) {
                self.throw(number, agent);
            }
            let zombie = &mut self.world.zombies[number];
            if !actions.contains(Actions::MELEE) || zombie.vitals.is_dead() {
                zombie.bite_since = None;
                continue;
            }
            let since = *zombie.bite_since.get_or_insert(self.tick);
            if self.tick < zombie.bite_from || self.tick.since(since) < rate.ticks(rules.bite_after_s) {
                continue;
            }
            zombie.bite_from = self.tick + rate.ticks(rules.bite_every_s);
            zombie.bitten_at = Some(self.tick);
            let (kind, world) = (zombie.kind, &*self.world);
            let Some(walker) = world.bodies.walker(key_of(number)) else { continue };
            let view = LevelView { level: &self.horde.mind.ground.level, state: &world.bodies.level };
            let eye = walker.body().eye();
            let aim = (prey.nearest_on_axis(eye) - eye).normalize_or(Vec3::X);
            let faces = plane::heading(walker.pose.yaw).dot(plane::direction(plane::ground(aim))) > 0.3;
            if faces && strike(&view, eye, aim, &blade, agent, std::slice::from_ref(&prey)).is_some() {
                let amount = self.horde.mind.kind(kind).damage * growth;
                self.wound(agent, kind, amount, eye);
            }
        }
    }

    /// A bite reaches the player.
    fn wound(&mut self, by: AgentId, kind: u16, amount: f32, from: Vec3) {
        let world = &mut *self.world;
        let Some(who) = world.player.agent else { return };
        let wound = world.player.vitals.hurt(amount);
        if wound.lost + wound.absorbed <= 0.0 {
            return;
        }
        let told = hurt_told(who, &world.player.vitals, &wound, from);
        self.brains.hurt(told);
        emit(self.brains, &SimEvent::Hurt { who, by: Some(by), lost: wound.lost, is_head: false }, |_, _| {});
        if wound.died {
            emit(self.brains, &SimEvent::Died { who, by: Some(by), is_friend: false }, |_, _| {});
        }
        let world = &mut *self.world;
        world.tally.suffer(kind, wound.lost, self.tick);
        world.felt.hurt(told.from, told.amount, self.tick);
        world.director.hurt(told.amount, &self.horde.mind.rules.director);
    }

    /// A thrower throws: once a wish, as its brain says when it may.
    fn throw(&mut self, number: usize, agent: AgentId) {
        let zombie = &mut self.world.zombies[number];
        if self.tick < zombie.bite_from {
            return;
        }
        zombie.bite_from = self.tick + self.horde.plan.rate.ticks(1.0);
        zombie.bitten_at = Some(self.tick);
        let Some(walker) = self.world.bodies.walker(key_of(number)) else { return };
        let weapon = self.horde.arms.thrown;
        let Some(WeaponKind::Thrown(spec)) = self.horde.armory.spec(weapon).map(|spec| spec.kind) else { return };
        let (hand, aim) = (walker.body().eye(), walker.aim());
        let throw = Throw { by: agent, team: HORDE, weapon, hand, aim, carried: Vec3::ZERO };
        self.world.flights.push(launch(&spec, &throw, self.tick, self.horde.plan.rate));
        self.world.tally.throws += 1;
    }

    /// Points of use: a key, near, looking at it.
    fn use_points(&mut self) {
        let is_using = self.wants().contains(Actions::USE);
        let pressed = is_using && (!self.world.player.is_using || !self.horde.plan.is_steered);
        self.world.player.is_using = is_using;
        if !pressed {
            return;
        }
        let Some(point) = self.horde.usable(self.world, self.tick) else { return };
        let rules = &self.horde.mind.rules.points;
        let world = &mut *self.world;
        let is_new = match self.horde.mind.ground.points[point].kind {
            PointKind::Health => {
                let healed = world.player.vitals.heal(rules.heal);
                world.tally.heals += u32::from(healed > 0.0);
                healed > 0.0
            }
            PointKind::Ammo => {
                let is_any = world.player.kit.refill(&self.horde.armory, ALL_ROUNDS) > 0;
                world.tally.refills += u32::from(is_any);
                is_any
            }
        };
        if !is_new {
            return;
        }
        let back_at = self.tick + self.horde.plan.rate.ticks(rules.back_s);
        world.back_at[point] = back_at;
        if let Some(agent) = world.player.agent {
            emit(self.brains, &SimEvent::Took { who: agent, item: point as u16 }, |_, _| {});
            self.brains.notify(agent, Notice::Used { point: point as u8, back_at });
        }
    }

    /// Steps of who sneaks can be heard.
    fn sneak(&mut self) {
        let range_m = self.horde.mind.rules.special.stealth_step_m;
        let rate = self.horde.plan.rate;
        for (number, zombie) in self.world.zombies.iter_mut().enumerate() {
            if zombie.kind != STEALTHY || zombie.agent.is_none() {
                continue;
            }
            let Some(walker) = self.world.bodies.walker(key_of(number)) else { continue };
            let (speed, place) = (walker.velocity.length(), walker.pose.position);
            let table = NoiseTable::default();
            let step = stride(&table, &mut zombie.stride, speed, Stance::Stand, rate.tick_s());
            if step.is_some()
                && let Some(noise) = noise(place, range_m, zombie.agent)
            {
                self.brains.noise(noise);
            }
        }
    }
}

fn mark(world: &mut World, mark: Mark) {
    if world.marks.len() < MARKS_MAX {
        world.marks.push(mark);
    }
}

impl Horde {
    /// Forgets shots that were shown long enough.
    pub(super) fn fade(&self, world: &mut World, tick: Tick) {
        let shown = self.plan.rate.ticks(MARK_S);
        world.marks.retain(|mark| tick.since(mark.at) <= if mark.burst_m > 0.0 { shown * 3 } else { shown });
    }

    /// The point that the player could use now: near, looked at, and back.
    pub(super) fn usable(&self, world: &World, tick: Tick) -> Option<usize> {
        let walker = world.bodies.walker(PLAYER_KEY)?;
        let rules = &self.mind.rules.points;
        let points = self.mind.ground.points.iter().enumerate();
        let mut open = points.filter(|(number, _)| tick >= world.back_at[*number]);
        open.find(|(_, point)| is_looked_at(walker, point.place, rules.use_m, rules.look_rad)).map(|(number, _)| number)
    }
}

/// Whether somebody near looks at a thing on the ground.
fn is_looked_at(walker: &CharacterBody, place: Vec3, near_m: f32, off_rad: f32) -> bool {
    let way = plane::ground(place - walker.pose.position);
    let is_level = (place.y - walker.pose.position.y).abs() < 1.5;
    let faces = math::angle_between(walker.pose.yaw, plane::yaw(way)).abs() < off_rad;
    is_level && way.length() <= near_m && (faces || way.length() < 0.5)
}
