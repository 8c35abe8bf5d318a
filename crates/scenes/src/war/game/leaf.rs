//! What units can do, under the names that their files use, and the facts that they decide by.

use schemars::JsonSchema;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_asset::AssetError;
use sentir_squad::strategy::{Attitude, Strategy};
use sentir_think::board::Blackboard;
use sentir_think::brain::Brain;
use sentir_think::key::{Key, KeySpec, Keys, Scope};
use sentir_think::leaf::{Host, Status, Task};
use sentir_think::registry::Leaves;
use sentir_think::thought::Thought;
use sentir_think::value::{Fact, Symbol};
use serde::Deserialize;

use super::asset;
use super::map::WarMap;
use super::mind::{Errand, Order};
use super::rules::{Kind, Rules};

/// How near is there, m.
const THERE_M: f32 = 1.2;
/// Arm's length of a worker: from its middle to that of what it works on, m.
pub(crate) const WORK_M: f32 = 2.4;
/// What units are taken to measure, m.
const UNIT_M: f32 = 0.45;
/// How far from a hospital's middle one waits to be healed, as a share of its range.
const HEAL_SHARE: f32 = 0.6;

/// The game, as its brains see it.
#[derive(Debug)]
pub(crate) struct War;

impl Host for War {
    type View<'a> = &'a Known<'a>;
    type Out = Intents;
}

/// What leaves may read.
pub(crate) struct Known<'a> {
    pub(crate) beliefs: &'a Beliefs,
    /// Public.
    pub(crate) rules: &'a Rules,
    pub(crate) map: &'a WarMap,
    pub(crate) side: usize,
    pub(crate) kind: Kind,
    /// Whom it is after.
    pub(crate) foe: Option<Other>,
    /// What its side gave it to do.
    pub(crate) errand: Errand,
    /// What a person ordered.
    pub(crate) order: Order,
    /// Which place of the patrol it goes to.
    pub(crate) leg: u8,
    /// Which of its side it is: where it stands among the others.
    pub(crate) rank: u16,
    /// How fast its side marches at the most, m/s.
    pub(crate) march_m_per_s: f32,
}

/// What can be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Deed {
    /// Nothing.
    #[default]
    Idle,
    /// What a person ordered.
    Obey,
    /// Strike who is in range.
    Attack,
    /// After who is seen.
    Chase,
    /// To the hospital.
    Heal,
    /// Round the waypoints.
    Patrol,
    /// At one's post between bridge and base.
    Hold,
    /// To where one's side knows of an intruder.
    Guard,
    /// To the enemy's base.
    March,
    /// Fetch a resource.
    Harvest,
    /// Build at a site.
    Build,
    /// At the base.
    Wait,
}

impl Deed {
    pub(crate) const ALL: [Deed; 12] = [
        Deed::Idle,
        Deed::Obey,
        Deed::Attack,
        Deed::Chase,
        Deed::Heal,
        Deed::Patrol,
        Deed::Hold,
        Deed::Guard,
        Deed::March,
        Deed::Harvest,
        Deed::Build,
        Deed::Wait,
    ];

    pub(crate) fn name(self) -> &'static str {
        ["idle", "obey", "attack", "chase", "heal", "patrol", "hold", "guard", "march", "harvest", "build", "wait"]
            [self as usize]
    }

    pub(crate) fn of(number: u16) -> Deed {
        Deed::ALL.get(usize::from(number)).copied().unwrap_or_default()
    }
}

/// How far somebody strikes, from middle to middle, at something of a radius, m.
pub(crate) fn reach_m(rules: &Rules, kind: Kind, radius_m: f32) -> f32 {
    let own = rules.kind(kind);
    own.range + own.radius + radius_m
}

/// The radius of what stands at a place, as far as that is public: structures stand where the map has them.
pub(crate) fn radius_at(map: &WarMap, rules: &Rules, place: Vec2) -> f32 {
    let places = &map.places;
    let is_at = |it: &Vec2| it.distance_squared(place) < 0.25;
    let kind = if places.base.iter().any(is_at) {
        Some(Kind::Base)
    } else if places.hospital.iter().any(is_at) {
        Some(Kind::Hospital)
    } else {
        places.sites.iter().flatten().any(is_at).then_some(Kind::Turret)
    };
    kind.map_or(UNIT_M, |kind| rules.kind(kind).radius)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActParams {
    /// What is done.
    what: Deed,
}

/// Does something, until something else is decided.
struct Act;

impl Task<War> for Act {
    const NAME: &'static str = "act";
    type Params = ActParams;
    type State = ();

    fn tick(params: &ActParams, (): &mut (), thought: &mut Thought<'_, War>) -> Status {
        thought.out.behavior = params.what as u16;
        let known = thought.view;
        match params.what {
            Deed::Idle => thought.out.stay(),
            Deed::Obey => obey(known, thought.out),
            Deed::Attack => attack(known, thought.out),
            Deed::Chase => chase(known, thought.out),
            Deed::Heal => {
                go(known, thought.out, known.map.places.hospital[known.side], known.rules.spec.heal_range * HEAL_SHARE);
            }
            Deed::Patrol => {
                let route = &known.map.places.patrol[known.side];
                go(known, thought.out, route[usize::from(known.leg) % route.len()], THERE_M);
            }
            Deed::Hold => go(known, thought.out, post(known), THERE_M),
            Deed::Guard => go(known, thought.out, known.errand.guard.unwrap_or_else(|| post(known)), THERE_M),
            Deed::March => march(known, thought.out),
            Deed::Harvest => harvest(known, thought.out),
            Deed::Build => build(known, thought.out),
            Deed::Wait => {
                let spots = &known.map.places.spawns[known.side];
                go(known, thought.out, spots[usize::from(known.rank) % spots.len()], THERE_M);
            }
        }
        Status::Running
    }
}

/// One's own place among the defenders.
fn post(known: &Known<'_>) -> Vec2 {
    let posts = &known.map.places.posts[known.side];
    posts[usize::from(known.rank) % posts.len()]
}

fn me(known: &Known<'_>) -> Vec2 {
    plane::ground(known.beliefs.me.pose.position)
}

/// Goes to within `near_m` of a place, and stands there.
fn go(known: &Known<'_>, out: &mut Intents, place: Vec2, near_m: f32) {
    out.gaze = Gaze::Ahead;
    if me(known).distance(place) <= near_m {
        out.stay();
        return;
    }
    let pace_m_per_s = known.rules.kind(known.kind).speed;
    out.go(Travel { goal: plane::lift(place, 0.0), manner: Manner::Shortest, pace_m_per_s, arrive_m: near_m * 0.8 });
}

/// Goes for the enemy's base, no faster than its side marches.
fn march(known: &Known<'_>, out: &mut Intents) {
    let base = known.map.places.base[1 - known.side];
    out.gaze = Gaze::Ahead;
    if me(known).distance(base) <= 2.0 * THERE_M {
        return out.stay();
    }
    let pace_m_per_s = math::min(known.rules.kind(known.kind).speed, known.march_m_per_s);
    let goal = plane::lift(base, 0.0);
    out.go(Travel { goal, manner: Manner::Shortest, pace_m_per_s, arrive_m: 1.6 * THERE_M });
}

/// Stands and strikes.
fn attack(known: &Known<'_>, out: &mut Intents) {
    out.stay();
    if let Some(foe) = known.foe {
        out.gaze = Gaze::At(foe.position);
        out.actions = Actions::FIRE;
    }
}

/// Goes within reach of whom one is after, and strikes on the way if one can.
fn chase(known: &Known<'_>, out: &mut Intents) {
    let Some(foe) = known.foe else { return out.stay() };
    let place = plane::ground(foe.position);
    let reach_m = reach_m(known.rules, known.kind, radius_at(known.map, known.rules, place));
    go(known, out, place, math::max(reach_m - 0.3, 0.5));
    out.gaze = Gaze::At(foe.position);
    out.actions = Actions::FIRE;
}

/// What a person ordered: who is in range is fought once one is there.
fn obey(known: &Known<'_>, out: &mut Intents) {
    match known.order {
        Order::None => out.stay(),
        Order::Go(place) => {
            if me(known).distance(place) <= 2.0 * THERE_M && known.foe.is_some() {
                attack(known, out);
            } else {
                go(known, out, place, THERE_M);
            }
        }
        Order::Lead(place, pace_m_per_s) => {
            out.gaze = Gaze::Ahead;
            let goal = plane::lift(place, 0.0);
            out.go(Travel { goal, manner: Manner::Shortest, pace_m_per_s, arrive_m: 0.5 });
        }
        Order::Attack(who, place) => {
            let seen = known.beliefs.other(who).filter(|it| !it.is_vanished).copied();
            match seen {
                Some(foe) => chase(&Known { foe: Some(foe), ..*known }, out),
                None => go(known, out, place, THERE_M),
            }
        }
        Order::Build(site) => build_at(known, out, site),
        Order::Slot { place, .. } => {
            let pace_m_per_s = known.rules.kind(known.kind).speed;
            out.gaze = Gaze::Ahead;
            out.go(Travel { goal: plane::lift(place, 0.0), manner: Manner::Straight, pace_m_per_s, arrive_m: 0.15 });
            if known.foe.is_some() && me(known).distance(place) < THERE_M {
                out.actions = Actions::FIRE;
            }
        }
    }
}

fn harvest(known: &Known<'_>, out: &mut Intents) {
    let Some(place) = known.errand.resource.and_then(|it| known.map.places.resources.get(usize::from(it))).copied()
    else {
        return out.stay();
    };
    go(known, out, place, WORK_M * 0.6);
    if me(known).distance(place) <= WORK_M {
        out.actions = Actions::USE;
        out.gaze = Gaze::At(plane::lift(place, 0.5));
    }
}

fn build(known: &Known<'_>, out: &mut Intents) {
    match known.errand.site {
        Some(site) => build_at(known, out, site),
        None => out.stay(),
    }
}

/// The place of a site of a side: its turrets first, then its hospital.
pub(crate) fn site_place(map: &WarMap, side: usize, site: u8) -> Vec2 {
    map.places.sites[side].get(usize::from(site)).copied().unwrap_or(map.places.hospital[side])
}

fn build_at(known: &Known<'_>, out: &mut Intents, site: u8) {
    let place = site_place(known.map, known.side, site);
    go(known, out, place, WORK_M * 0.8);
    if me(known).distance(place) <= WORK_M {
        out.actions = Actions::USE;
        out.gaze = Gaze::At(plane::lift(place, 0.5));
    }
}

/// All that the files may name.
fn leaves() -> Leaves<War> {
    let mut leaves = Leaves::default();
    leaves.task::<Act>();
    leaves
}

/// The facts that every file may ask for, with what they are.
fn keys() -> Result<Keys, AssetError> {
    let own = [
        KeySpec::new::<bool>("ordered", Scope::Own),
        KeySpec::new::<f32>("health", Scope::Own),
        KeySpec::new::<bool>("foe_seen", Scope::Own),
        KeySpec::new::<bool>("foe_in_range", Scope::Own),
        KeySpec::new::<bool>("foe_on_own_ground", Scope::Own),
        KeySpec::new::<i32>("foe_count", Scope::Own),
        KeySpec::new::<bool>("carrying", Scope::Own),
        KeySpec::new::<bool>("building", Scope::Own),
        KeySpec::new::<bool>("has_resource", Scope::Own),
        KeySpec::new::<bool>("has_site", Scope::Own),
        KeySpec::new::<bool>("patrols", Scope::Own),
        KeySpec::new::<bool>("alarm", Scope::Own),
    ];
    let shared = [
        KeySpec::new::<Symbol>("attitude", Scope::Team),
        KeySpec::new::<bool>("can_heal", Scope::Team),
        KeySpec::new::<f32>("heal_below", Scope::Team),
        KeySpec::new::<f32>("heal_until", Scope::Team),
        KeySpec::new::<bool>("raid", Scope::Team),
        KeySpec::new::<f32>("march_pace", Scope::Team),
    ];
    // Different names and few: never refused.
    Keys::build(own.into_iter().chain(shared)).map_err(|error| {
        let refusal = sentir_asset::Refusal::wrong(sentir_asset::FilePosition::default(), error.to_string());
        AssetError::new("war", refusal)
    })
}

/// The keys, looked up once.
pub(crate) struct Facts {
    pub(crate) keys: Keys,
    pub(crate) ordered: Key<bool>,
    pub(crate) health: Key<f32>,
    pub(crate) foe_seen: Key<bool>,
    pub(crate) foe_in_range: Key<bool>,
    pub(crate) foe_on_own_ground: Key<bool>,
    pub(crate) foe_count: Key<i32>,
    pub(crate) carrying: Key<bool>,
    pub(crate) building: Key<bool>,
    pub(crate) has_resource: Key<bool>,
    pub(crate) has_site: Key<bool>,
    pub(crate) patrols: Key<bool>,
    pub(crate) alarm: Key<bool>,
    attitude: Key<Symbol>,
    can_heal: Key<bool>,
    heal_below: Key<f32>,
    heal_until: Key<f32>,
    raid: Key<bool>,
    pub(crate) march_pace: Key<f32>,
}

/// What a side tells all of its own by its board.
pub(crate) struct Standing {
    pub(crate) attitude: Attitude,
    pub(crate) can_heal: bool,
    pub(crate) heal_below: f32,
    pub(crate) heal_until: f32,
    /// Whether spies slip through whatever the others are at.
    pub(crate) raid: bool,
    /// How fast its units march at the most, m/s.
    pub(crate) pace: f32,
}

impl Facts {
    pub(crate) fn new() -> Result<Facts, AssetError> {
        let keys = keys()?;
        fn key<T: Fact>(keys: &Keys, name: &str) -> Result<Key<T>, AssetError> {
            keys.key(name).map_err(|error| {
                let refusal = sentir_asset::Refusal::wrong(sentir_asset::FilePosition::default(), error.to_string());
                AssetError::new("war", refusal)
            })
        }
        Ok(Facts {
            ordered: key(&keys, "ordered")?,
            health: key(&keys, "health")?,
            foe_seen: key(&keys, "foe_seen")?,
            foe_in_range: key(&keys, "foe_in_range")?,
            foe_on_own_ground: key(&keys, "foe_on_own_ground")?,
            foe_count: key(&keys, "foe_count")?,
            carrying: key(&keys, "carrying")?,
            building: key(&keys, "building")?,
            has_resource: key(&keys, "has_resource")?,
            has_site: key(&keys, "has_site")?,
            patrols: key(&keys, "patrols")?,
            alarm: key(&keys, "alarm")?,
            attitude: key(&keys, "attitude")?,
            can_heal: key(&keys, "can_heal")?,
            heal_below: key(&keys, "heal_below")?,
            heal_until: key(&keys, "heal_until")?,
            raid: key(&keys, "raid")?,
            march_pace: key(&keys, "march_pace")?,
            keys,
        })
    }

    /// Writes what a side tells all onto its board.
    pub(crate) fn tell(&self, board: &mut Blackboard, standing: &Standing) {
        board.set(self.attitude, Symbol::new(standing.attitude.name()));
        board.set(self.can_heal, standing.can_heal);
        board.set(self.heal_below, standing.heal_below);
        board.set(self.heal_until, standing.heal_until);
        board.set(self.raid, standing.raid);
        board.set(self.march_pace, standing.pace);
    }
}

/// The brain in the text of a file.
pub(crate) fn read(file: &str, bytes: &[u8]) -> Result<Brain<War>, AssetError> {
    Brain::read(bytes, file, &keys()?, &leaves())
}

/// What is wrong with a brain of the war scenes, a unit's or a side's; `file` is its name in errors.
pub(crate) fn check(file: &str, bytes: &[u8]) -> Result<(), AssetError> {
    if file.ends_with(asset::STRATEGY_FILE) {
        Strategy::read(bytes, file).map(drop)
    } else {
        read(file, bytes).map(drop)
    }
}
