//! Combat: who fires what from where, and what comes of it; once, for every scene.
//!
//! [`Battle::act`] is one tick of somebody's hands: reload, trigger, then a ray for each pellet of each round, a strike or a
//! throw; [`Battle::fly`] is one tick of all that was thrown. Bodies and pieces are hurt at once, so that the next pellet meets
//! what the last one left. All that happened is a list of [`CombatOutcome`]s, in its order: [`event`](CombatOutcome::event),
//! [`noise`](CombatOutcome::noise) and [`hurt`](CombatOutcome::hurt) are what the loop is to be told of one, the rest is for the scene to
//! count.
//!
//! The pellets of a shooter's tick are drawn from one stream of (seed, shooter, tick), one after the other. O(pellets ·
//! (targets + log triangles)); allocates nothing once its lists have grown.

use sentir::core::geometry::Ray;
use sentir::core::glam::Vec3;
use sentir::core::id::{AgentId, TeamId};
use sentir::core::random::Streams;
use sentir::core::tick::{Tick, TickRate};
use sentir::{Hurt, Noise};
use sentir_level::{Level, LevelState, LevelView, PieceId};

use crate::actor::Actors;
use crate::armory::{Armory, BladeSpec, GunSpec, ThrownSpec, WeaponId, WeaponKind};
use crate::blast::{self, Flight, FlightStep, Throw, launch};
use crate::body::CharacterBody;
use crate::event::SimEvent;
use crate::health::{FriendlyFire, Party, Vitals, Wound, damage_between, hurt_told};
use crate::kit::Carried;
use crate::noise::{NoiseTable, noise};
use crate::shot::{ShotHit, ShotWhat, Target, near_misses, shoot, strike};
use crate::weapon::{Fired, Reload, reload, scatter, shot_stream, spread_rad, trigger};

/// Whose weapons are used and who is hurt, as a scene keeps them.
pub trait Combatants {
    /// The weapon in an actor's hand; none if the actor is not there, or the hand is empty.
    fn weapon_mut(&mut self, who: AgentId) -> Option<&mut Carried>;
    /// What an actor's body can take; none if the actor is not there.
    fn vitals_mut(&mut self, who: AgentId) -> Option<&mut Vitals>;
}

/// An agent that fights: what [`Combatants`] need of each one in a list.
pub trait Combatant {
    /// The agent.
    fn agent(&self) -> AgentId;
    /// The weapon in its hand; none if the hand is empty.
    fn weapon_mut(&mut self) -> Option<&mut Carried>;
    /// What its body can take.
    fn vitals_mut(&mut self) -> &mut Vitals;
}

impl<T: Combatant> Combatants for Vec<T> {
    fn weapon_mut(&mut self, who: AgentId) -> Option<&mut Carried> {
        self.iter_mut().find(|it| it.agent() == who)?.weapon_mut()
    }

    fn vitals_mut(&mut self, who: AgentId) -> Option<&mut Vitals> {
        self.iter_mut().find(|it| it.agent() == who).map(Combatant::vitals_mut)
    }
}

impl<T: Combatant> Combatants for Actors<T> {
    fn weapon_mut(&mut self, who: AgentId) -> Option<&mut Carried> {
        self.iter_mut().find(|(_, it)| it.agent() == who)?.1.weapon_mut()
    }

    fn vitals_mut(&mut self, who: AgentId) -> Option<&mut Vitals> {
        self.iter_mut().find(|(_, it)| it.agent() == who).map(|(_, it)| it.vitals_mut())
    }
}

/// Who fires, and from where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shooter {
    /// Who.
    pub agent: AgentId,
    /// On which side.
    pub team: TeamId,
    /// Where rays begin, m.
    pub eye: Vec3,
    /// Where to; unit length.
    pub aim: Vec3,
    /// How it moves, m/s: a throw goes on top.
    pub velocity: Vec3,
    /// The share of full speed at which it moves, 0..=1: who runs spreads more.
    pub pace: f32,
}

impl Shooter {
    /// Somebody with a body, who looks where it looks.
    pub fn of(agent: AgentId, team: TeamId, walker: &CharacterBody, speed_m_per_s_max: f32) -> Shooter {
        let pace = walker.velocity.length() / speed_m_per_s_max;
        let (eye, aim, velocity) = (walker.body().eye(), walker.aim(), walker.velocity);
        Shooter { agent, team, eye, aim, velocity, pace }
    }
}

/// What hands want in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hands {
    /// Whether to reload.
    pub reloads: bool,
    /// Whether the trigger is held.
    pub pulls: bool,
}

/// What hurt somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A pellet.
    Gun,
    /// A strike.
    Blade,
    /// A blast.
    Blast,
}

/// A hurt that took something: of health or of armor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Injury {
    /// Whose.
    pub who: AgentId,
    /// Its side.
    pub team: TeamId,
    /// By whom.
    pub by: AgentId,
    /// Its side.
    pub by_team: TeamId,
    /// What it took.
    pub wound: Wound,
    /// As the loop wants it told.
    pub told: Hurt,
    /// Whether a shot hit the head.
    pub is_head: bool,
    /// What did it.
    pub cause: Cause,
}

impl Injury {
    /// Whether both are of one side, or one.
    pub fn is_friend(&self) -> bool {
        self.team == self.by_team
    }
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CombatOutcome {
    /// Somebody began to reload.
    Reloaded {
        /// Who.
        by: AgentId,
        /// Where its eyes were, m.
        at: Vec3,
    },
    /// Somebody pulls the trigger of a weapon without a round in it.
    Empty {
        /// Who.
        by: AgentId,
    },
    /// Somebody used a weapon. What its rounds met follows.
    Fired {
        /// Who.
        by: AgentId,
        /// Which.
        weapon: WeaponId,
        /// Rounds, strikes or throws.
        rounds: u32,
        /// Half-angle of the cone in which the pellets go, rad; 0 for what is no gun.
        spread_rad: f32,
        /// Where its eyes were, m.
        at: Vec3,
        /// How far it is heard in the open, m.
        noise_m: f32,
    },
    /// A pellet passed somebody.
    NearMiss {
        /// Whom.
        who: AgentId,
        /// Whose it was.
        by: AgentId,
        /// How near, m.
        apart_m: f32,
        /// Whether it was a friend's.
        is_friend: bool,
    },
    /// A pellet went its way. Whom it passed comes before, whom it hurt and what it broke after.
    Shot {
        /// Whose.
        by: AgentId,
        /// Its side.
        team: TeamId,
        /// From where, m.
        from: Vec3,
        /// What it met, and where.
        hit: ShotHit,
    },
    /// A blade was swung.
    Struck {
        /// Whose.
        by: AgentId,
        /// From where, m.
        from: Vec3,
        /// As far as it reaches, m.
        to: Vec3,
    },
    /// Something was thrown: it flies from now on.
    Thrown(Flight),
    /// Something thrown bounced.
    Bounced {
        /// Whose.
        by: AgentId,
        /// Where, m.
        at: Vec3,
    },
    /// Something thrown burst. Whom it hurt and what it broke follows.
    Burst {
        /// Whose.
        by: AgentId,
        /// Where, m.
        at: Vec3,
        /// How far it hurts, m.
        radius_m: f32,
        /// How far it is heard in the open, m.
        noise_m: f32,
        /// How many it reached.
        reached: u32,
    },
    /// Somebody was hurt.
    Hurt(Injury),
    /// Somebody died of it.
    Died(Injury),
    /// A piece of the level broke.
    Broke {
        /// By whom.
        by: AgentId,
        /// Which.
        piece: PieceId,
        /// Where it was hit from, or the blast was, m.
        at: Vec3,
    },
}

impl CombatOutcome {
    /// As an event of the game; none for what is none.
    pub fn event(&self) -> Option<SimEvent> {
        Some(match *self {
            CombatOutcome::Reloaded { by, .. } => SimEvent::Reloaded { who: by },
            CombatOutcome::Fired { by, weapon, rounds, .. } => SimEvent::Fired { by, weapon, rounds },
            CombatOutcome::NearMiss { who, by, apart_m, is_friend } => {
                SimEvent::NearMiss { who, by, apart_m, is_friend }
            }
            CombatOutcome::Burst { by, reached, .. } => SimEvent::Burst { by, hurt: reached },
            CombatOutcome::Hurt(it) => {
                SimEvent::Hurt { who: it.who, by: Some(it.by), lost: it.wound.lost, is_head: it.is_head }
            }
            CombatOutcome::Died(it) => SimEvent::Died { who: it.who, by: Some(it.by), is_friend: it.is_friend() },
            CombatOutcome::Broke { by, piece, .. } => SimEvent::Broke { by: Some(by), piece },
            CombatOutcome::Empty { .. }
            | CombatOutcome::Shot { .. }
            | CombatOutcome::Struck { .. }
            | CombatOutcome::Thrown(_)
            | CombatOutcome::Bounced { .. } => return None,
        })
    }

    /// What is heard of it; none for what is silent.
    pub fn noise(&self, table: &NoiseTable) -> Option<Noise> {
        match *self {
            CombatOutcome::Reloaded { by, at } => noise(at, table.reload_m, Some(by)),
            CombatOutcome::Fired { by, at, noise_m, .. } | CombatOutcome::Burst { by, at, noise_m, .. } => {
                noise(at, noise_m, Some(by))
            }
            CombatOutcome::Bounced { by, at } => noise(at, table.bounce_m, Some(by)),
            CombatOutcome::Broke { by, at, .. } => noise(at, table.break_m, Some(by)),
            _ => None,
        }
    }

    /// What the hurt one feels; none for all else.
    pub fn hurt(&self) -> Option<Hurt> {
        match self {
            CombatOutcome::Hurt(it) => Some(it.told),
            _ => None,
        }
    }
}

/// The lists that combat needs; a scene keeps them in its cache.
#[derive(Clone, Debug, Default)]
pub struct CombatScratch {
    /// The bodies to be hit, as they stand: filled by the scene, once a tick.
    pub targets: Vec<Target>,
    /// What happened in the last call.
    pub outcomes: Vec<CombatOutcome>,
    pieces: Vec<blast::PieceDamage>,
}

/// All that combat needs of a scene in a tick.
pub struct Battle<'a, R: Combatants> {
    /// Every weapon.
    pub armory: &'a Armory,
    /// What stops shots.
    pub level: &'a Level,
    /// How it stands; pieces of it may break.
    pub state: &'a mut LevelState,
    /// Who fights.
    pub combatants: &'a mut R,
    /// What shots at one's own side do.
    pub friendly_fire: FriendlyFire,
    /// Where luck comes from.
    pub streams: Streams,
    /// When it is.
    pub tick: Tick,
    /// How long a tick is.
    pub rate: TickRate,
    /// Targets, and the list that is written.
    pub scratch: &'a mut CombatScratch,
}

/// A blow before it is known what it takes.
#[derive(Clone, Copy)]
struct Blow {
    by: AgentId,
    team: TeamId,
    amount: f32,
    from: Vec3,
    is_head: bool,
    cause: Cause,
}

impl<R: Combatants> Battle<'_, R> {
    /// One tick of somebody's hands; to be called also when they want nothing, as a trigger must be let go of. The outcomes of
    /// the last call are forgotten.
    pub fn act(&mut self, by: &Shooter, hands: Hands) {
        self.scratch.outcomes.clear();
        let Some(Carried { id: weapon, weapon: held }) = self.combatants.weapon_mut(by.agent) else { return };
        let (weapon, Some(spec)) = (*weapon, self.armory.spec(*weapon)) else { return };
        let begins = hands.reloads && matches!(reload(held, spec, self.tick, self.rate), Reload::Began { .. });
        let fired = trigger(held, spec, hands.pulls, self.tick, self.rate);
        let is_empty = spec.magazine_max() > 0 && held.magazine == 0 && !held.is_reloading();
        let (agent, at) = (by.agent, by.eye);
        if begins {
            self.scratch.outcomes.push(CombatOutcome::Reloaded { by: agent, at });
        }
        let Some(Fired { rounds, recoil_rad }) = fired else {
            if hands.pulls && is_empty {
                self.scratch.outcomes.push(CombatOutcome::Empty { by: agent });
            }
            return;
        };
        let spread_rad = match &spec.kind {
            WeaponKind::Gun(gun) => spread_rad(gun, recoil_rad, by.pace),
            WeaponKind::Blade(_) | WeaponKind::Thrown(_) => 0.0,
        };
        let noise_m = spec.noise_m;
        self.scratch.outcomes.push(CombatOutcome::Fired { by: agent, weapon, rounds, spread_rad, at, noise_m });
        match &spec.kind {
            WeaponKind::Gun(gun) => self.shoot(by, gun, rounds, spread_rad),
            WeaponKind::Blade(blade) => self.strike(by, blade),
            WeaponKind::Thrown(thrown) => {
                let Shooter { agent: by, team, eye: hand, aim, velocity: carried, .. } = *by;
                let flight = launch(thrown, &Throw { by, team, weapon, hand, aim, carried }, self.tick, self.rate);
                self.scratch.outcomes.push(CombatOutcome::Thrown(flight));
            }
        }
    }

    /// One tick of all that flies; what bursts is taken out. The outcomes of the last call are forgotten.
    pub fn fly(&mut self, flights: &mut Vec<Flight>) {
        self.scratch.outcomes.clear();
        let armory = self.armory;
        flights.retain_mut(|flight| {
            let kind = armory.spec(flight.weapon).map(|spec| &spec.kind);
            // What nobody could have thrown comes from a forged state.
            let Some(WeaponKind::Thrown(thrown)) = kind else { return false };
            let view = LevelView { level: self.level, state: self.state };
            let step = blast::step(flight, thrown, &view, &self.scratch.targets, self.tick, self.rate);
            match step {
                FlightStep::Goes => {}
                FlightStep::Bounced => {
                    self.scratch.outcomes.push(CombatOutcome::Bounced { by: flight.by, at: flight.position });
                }
                FlightStep::Bursts => self.burst(flight, thrown),
            }
            step != FlightStep::Bursts
        });
    }

    /// A ray for each pellet of each round.
    fn shoot(&mut self, by: &Shooter, gun: &GunSpec, rounds: u32, spread_rad: f32) {
        let mut rng = shot_stream(self.streams, by.agent, self.tick);
        for _ in 0..rounds.saturating_mul(gun.pellets.max(1)) {
            let direction = scatter(by.aim, spread_rad, &mut rng);
            self.pellet(by, gun, &Ray { origin: by.eye, direction, length_m: gun.range_m });
        }
    }

    fn pellet(&mut self, by: &Shooter, gun: &GunSpec, ray: &Ray) {
        let Shooter { agent, team, eye: from, .. } = *by;
        let CombatScratch { targets, outcomes, .. } = &mut *self.scratch;
        let hit = shoot(&LevelView { level: self.level, state: self.state }, ray, agent, targets);
        near_misses(ray, &hit, agent, targets, |it, apart_m| {
            outcomes.push(CombatOutcome::NearMiss { who: it.agent, by: agent, apart_m, is_friend: it.team == team });
        });
        outcomes.push(CombatOutcome::Shot { by: agent, team, from, hit });
        match hit.what {
            ShotWhat::Body { agent: who, is_head } => {
                let amount = gun.damage * if is_head { gun.head_factor } else { 1.0 };
                self.hurt(who, &Blow { by: agent, team, amount, from, is_head, cause: Cause::Gun });
            }
            ShotWhat::Piece(piece) => {
                if self.state.damage_piece(self.level, piece, gun.damage) {
                    outcomes.push(CombatOutcome::Broke { by: agent, piece, at: hit.point });
                }
            }
            ShotWhat::Level | ShotWhat::Nothing => {}
        }
    }

    fn strike(&mut self, by: &Shooter, blade: &BladeSpec) {
        let Shooter { agent, team, eye: from, aim, .. } = *by;
        let view = LevelView { level: self.level, state: self.state };
        let met = strike(&view, from, aim, blade, agent, &self.scratch.targets);
        self.scratch.outcomes.push(CombatOutcome::Struck { by: agent, from, to: from + aim * blade.reach_m });
        if let Some(who) = met {
            let cause = Cause::Blade;
            self.hurt(who, &Blow { by: agent, team, amount: blade.damage, from, is_head: false, cause });
        }
    }

    /// Bodies first, by the level as it stood; then pieces.
    fn burst(&mut self, flight: &Flight, thrown: &ThrownSpec) {
        let (spec, at, by, team) = (&thrown.blast, flight.position, flight.by, flight.team);
        let Battle { level, state, combatants, friendly_fire, scratch, .. } = self;
        let CombatScratch { targets, outcomes, pieces } = &mut **scratch;
        let (place, mut count) = (outcomes.len(), 0);
        let (radius_m, noise_m) = (spec.radius_m, thrown.blast_noise_m);
        outcomes.push(CombatOutcome::Burst { by, at, radius_m, noise_m, reached: 0 });
        blast::hurt_bodies(&LevelView { level, state }, at, spec, targets, |it, amount| {
            count += 1;
            let blow = Blow { by, team, amount, from: at, is_head: false, cause: Cause::Blast };
            hurt(*combatants, *friendly_fire, it, &blow, outcomes);
        });
        if let Some(CombatOutcome::Burst { reached, .. }) = outcomes.get_mut(place) {
            *reached = count;
        }
        blast::hurt_pieces(level, state, at, spec, pieces, |piece, _, is_gone| {
            if is_gone {
                outcomes.push(CombatOutcome::Broke { by, piece, at });
            }
        });
    }

    /// Hurts one of the targets.
    fn hurt(&mut self, who: AgentId, blow: &Blow) {
        let CombatScratch { targets, outcomes, .. } = &mut *self.scratch;
        if let Some(it) = targets.iter().find(|it| it.agent == who) {
            hurt(self.combatants, self.friendly_fire, it, blow, outcomes);
        }
    }
}

/// Takes what a blow takes. Who is dead already, or spared by the rule, is not hurt.
fn hurt<R: Combatants>(
    combatants: &mut R,
    rule: FriendlyFire,
    it: &Target,
    blow: &Blow,
    outcomes: &mut Vec<CombatOutcome>,
) {
    let Target { agent: who, team, .. } = *it;
    let Blow { by, team: by_team, amount, from, is_head, cause } = *blow;
    let Some(vitals) = combatants.vitals_mut(who) else { return };
    let (doer, victim) = (Party { agent: by, team: by_team }, Party { agent: who, team });
    let wound = vitals.hurt(damage_between(rule, doer, victim, amount));
    if wound.lost + wound.absorbed <= 0.0 {
        return;
    }
    let told = hurt_told(who, vitals, &wound, from);
    let injury = Injury { who, team, by, by_team, wound, told, is_head, cause };
    outcomes.push(CombatOutcome::Hurt(injury));
    if wound.died {
        outcomes.push(CombatOutcome::Died(injury));
    }
}

#[cfg(test)]
mod tests;
