//! The game of the horde: a player, or a bot, against zombies in rounds. What differs from scene to scene is a [`Plan`].

mod arms;
mod bot_leaf;
mod briefing;
mod director;
mod felt;
mod ground;
pub(crate) mod leaf;
mod mind;
mod pack;
pub(crate) mod picture;
pub(crate) mod plan;
mod pool;
pub(crate) mod registry;
mod reload;
mod rules;
mod scene;
mod screen;
mod surround;
mod tally;
#[cfg(test)]
mod tests;
mod zombie_leaf;

use sentir::prelude::*;
use sentir_harness::info::SceneError;
use sentir_sim::armory::{Armory, BladeSpec, BlastSpec, GunSpec, ThrownSpec, WeaponId, WeaponKind, WeaponSpec};
use sentir_sim::blast::Flight;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};
use sentir_sim::combat::CombatScratch;
use sentir_sim::health::Vitals;
use sentir_sim::input::Held;
use sentir_sim::kit::Kit;
use sentir_sim::noise::Footsteps;

use director::Director;
use felt::Felt;
use ground::POINTS_MAX;
use mind::{Head, HordeMind};
use plan::Plan;
use rules::{GunRules, Rules};
use surround::Surround;
use tally::Tally;

/// Names of the assets.
pub(crate) const RULES: &str = "rules.yaml";
pub(crate) const ARENA: &str = "arena.yaml";
pub(crate) const TEST_MAP: &str = "test_map.yaml";

/// The two sides.
pub(crate) const PLAYER: TeamId = TeamId(1);
pub(crate) const HORDE: TeamId = TeamId(2);
/// Kinds of agents; the player is the first.
pub(crate) const PERSON: u16 = 0;
pub(crate) const DUMMY: u16 = 1;
pub(crate) const BARKER: u16 = 2;
pub(crate) const STEALTHY: u16 = 3;
pub(crate) const THROWER: u16 = 4;
pub(crate) const TANK: u16 = 5;
/// The player's handle; zombies count on from it.
pub(crate) const PLAYER_KEY: HostKey = HostKey(0);
/// A place to roam to is given up after so long, s.
pub(super) const RATE_OF_ROAM_S: f32 = 12.0;
/// Shots shown at most, and for how long, s.
const MARKS_MAX: usize = 64;
const MARK_S: f32 = 0.12;

/// The scene.
pub(crate) struct Horde {
    mind: HordeMind,
    armory: Armory,
    arms: Arms,
    /// By kind; the last is of a person, who may look around as fast as the hand goes.
    body: [BodyConfig; 7],
    plan: Plan,
}

/// The weapons.
#[derive(Clone, Copy, Debug)]
struct Arms {
    primary: WeaponId,
    secondary: WeaponId,
    decoy: WeaponId,
    thrown: WeaponId,
}

/// What is remembered beside the brains.
#[derive(State)]
#[state(check)]
pub(crate) struct World {
    bodies: BodySet,
    player: Player,
    /// The pool: always as many, active or not.
    zombies: Vec<Zombie>,
    flights: Vec<Flight>,
    /// When each point can be used again.
    back_at: [Tick; POINTS_MAX],
    round: Round,
    tally: Tally,
    surround: Surround,
    director: Director,
    felt: Felt,
    marks: Vec<Mark>,
    input: Held,
    ending: Option<End>,
}

/// The one who is hunted.
#[derive(Clone, Debug, PartialEq, State)]
struct Player {
    agent: Option<AgentId>,
    vitals: Vitals,
    kit: Kit,
    /// Whether it used, and changed weapons, at the last tick: one press, one use.
    is_using: bool,
    is_changing: bool,
}

/// One of the pool.
#[derive(Clone, Debug, PartialEq, State)]
struct Zombie {
    kind: u16,
    mind: u8,
    /// Its agent while it is active.
    agent: Option<AgentId>,
    vitals: Vitals,
    /// Whether it is to come in in this round.
    is_waiting: bool,
    /// What it will remember when it comes in; made when it died, so that the change of a round allocates nothing.
    head: Option<Head>,
    /// Since when it is in reach of a bite, and from when on it may bite again.
    bite_since: Option<Tick>,
    bite_from: Tick,
    bitten_at: Option<Tick>,
    stride: Footsteps,
}

/// Where the rounds are.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Round {
    /// From 1 on.
    number: u32,
    /// Until when the break lasts; none while a round is on.
    break_until: Option<Tick>,
    /// When the next zombie may come in.
    spawn_from: Tick,
    /// When the round began.
    since: Tick,
}

/// A shot to be shown for a moment.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Mark {
    from: Vec3,
    to: Vec3,
    at: Tick,
    /// Radius of what burst, m; 0 for a shot.
    burst_m: f32,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
enum End {
    Won,
    Lost,
    Time,
}

/// What a step needs and need not remember.
#[derive(Default)]
pub(crate) struct Cache {
    bodies: BodySetScratch,
    combat: CombatScratch,
}

impl World {
    fn check(&self) -> Result<(), &'static str> {
        let fits = self.zombies.len() <= 300 && self.round.number >= 1;
        if fits { Ok(()) } else { Err("the pool or the round is not one of this game") }
    }

    /// Zombies that are in the world.
    fn active(&self) -> impl Iterator<Item = (usize, &Zombie, AgentId)> {
        let all = self.zombies.iter().enumerate();
        all.filter_map(|(number, zombie)| zombie.agent.map(|agent| (number, zombie, agent)))
    }

    /// Zombies that are left in this round: in the world or still to come.
    fn left(&self) -> u32 {
        self.zombies.iter().filter(|it| it.agent.is_some() || it.is_waiting).count() as u32
    }
}

/// The handle of a zombie of the pool.
fn key_of(number: usize) -> HostKey {
    HostKey(number as u64 + 1)
}

/// The weapons of the rules.
fn weapons(rules: &Rules) -> Result<(Armory, Arms), SceneError> {
    let gun = |name: &str, it: &GunRules| WeaponSpec {
        name: name.to_owned(),
        // The source's zombies do not hear shots.
        noise_m: 0.0,
        kind: WeaponKind::Gun(GunSpec {
            damage: it.damage,
            head_factor: 1.0,
            range_m: it.range_m,
            pellets: 1,
            spread_rad: it.spread_rad,
            spread_moving_rad: it.spread_rad,
            recoil_rad: 0.0,
            recoil_rad_max: 0.0,
            recoil_decay_rad_per_s: 0.0,
            rounds_per_minute: (60.0 / it.interval_s).round() as u32,
            is_automatic: true,
            magazine: it.magazine,
            reserve: it.reserve,
            reload_s: it.reload_s,
        }),
    };
    let thrown = |name: &str, spec: ThrownSpec| WeaponSpec {
        name: name.to_owned(),
        noise_m: 0.0,
        kind: WeaponKind::Thrown(spec),
    };
    let special = &rules.special;
    let rock = ThrownSpec {
        speed_m_per_s: special.throw_m_per_s,
        gravity_m_per_s2: 9.81,
        restitution: 0.2,
        grip: 0.5,
        fuse_s: 6.0,
        bursts_on_touch: true,
        blast: BlastSpec { radius_m: special.blast_m, damage: special.blast_damage },
        blast_noise_m: 0.0,
        interval_s: special.throw_every_s,
        count: 100,
    };
    let decoy = ThrownSpec {
        speed_m_per_s: 13.0,
        restitution: 0.4,
        fuse_s: rules.player.decoy_fuse_s,
        bursts_on_touch: false,
        blast: BlastSpec { radius_m: 0.5, damage: 0.0 },
        blast_noise_m: rules.player.decoy_reach_m,
        interval_s: 1.0,
        count: rules.player.decoys.max(1),
        ..rock
    };
    let specs = vec![
        gun("rifle", &rules.player.primary),
        gun("pistol", &rules.player.secondary),
        thrown("noise grenade", decoy),
        thrown("rock", rock),
    ];
    let wrong = |what: String| SceneError::Asset { name: RULES.to_owned(), line: 0, column: 0, what };
    let armory = Armory::build(specs).map_err(|error| wrong(error.to_string()))?;
    let named = |name: &str| armory.named(name).map_err(|error| wrong(error.to_string()));
    let arms = Arms {
        primary: named("rifle")?,
        secondary: named("pistol")?,
        decoy: named("noise grenade")?,
        thrown: named("rock")?,
    };
    Ok((armory, arms))
}

/// A bite, as the arena strikes.
fn bite(rules: &Rules) -> BladeSpec {
    BladeSpec { damage: 0.0, reach_m: rules.zombie.bite_reach_m + 0.5, half_angle_rad: 1.2, interval_s: 0.0 }
}
