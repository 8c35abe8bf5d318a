//! The game behind the war scenes: rules, map, minds, sides, and a step of the world.

mod alarm;
pub(crate) mod asset;
pub(crate) mod command;
pub(crate) mod leaf;
mod map;
mod march;
mod mind;
mod motor;
mod picture;
mod rules;
mod screen;
mod side;
mod tally;
#[cfg(test)]
mod tests;
mod world;

use std::sync::Mutex;

use sentir::core::chart::Chart;
use sentir::core::draw::{DrawList, Layer};
use sentir::core::{plane, state};
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::grid::{LayerUse, Pull};
use sentir_squad::strategy::{Attitude, Strategy};
use sentir_think::board::Blackboard;
use sentir_think::brain::BrainScratch;

use leaf::{Deed, Facts};
use map::{Field, WarMap};
pub(crate) use march::FormOrder;
use mind::{Lead, WarMind, brain_of, senses_of};
use rules::{Kind, Rules};
use sentir_harness::animation::Activity;
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::Allowed;
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::hud::Play;
use sentir_harness::info::{
    BY_PERSON, KindLook, Model, SceneError, Setting, SettingKind, Setup, asset_error, level_of,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use tally::Tally;
use world::{Cache, Ending, Piece, Work, World};

/// Steps a second.
pub(crate) const RATE: TickRate = TickRate::new(20);
/// The latest end of any match, ticks: what the rules can say at the most is checked against it.
pub(crate) const TICKS_MAX: u64 = 20 * 60 * 20;

/// Looks of the kinds.
pub(crate) const KINDS: &[KindLook] = &[
    KindLook::new(Kind::Worker as u16, "worker", Model::Worker),
    KindLook::new(Kind::Light as u16, "light", Model::Light),
    KindLook::new(Kind::Heavy as u16, "heavy", Model::Heavy),
    KindLook::new(Kind::Ranged as u16, "ranged", Model::Ranged),
    KindLook::new(Kind::Spy as u16, "spy", Model::Spy),
    KindLook::new(Kind::Turret as u16, "turret", Model::Turret),
    KindLook::new(Kind::Base as u16, "base", Model::Base),
    KindLook::new(Kind::Hospital as u16, "hospital", Model::Hospital),
];
pub(crate) const LAYERS: &[Layer] = &[Layer::LEVEL, Layer::BODIES, Layer::PATHS, Layer::INFLUENCE, Layer::SHOTS];

const LEADS: SettingKind = SettingKind::Choice(&["attack", "defend", "total", "strategy", BY_PERSON]);
pub(crate) const BLUE: Setting = Setting {
    name: "blue",
    about: "what blue is at for ever, or its strategy file, or a person",
    kind: LEADS,
    stock: "strategy",
};
pub(crate) const RED: Setting = Setting { name: "red", about: "the same for red", kind: LEADS, stock: "attack" };
pub(crate) const FOG: Setting = Setting {
    name: "fog",
    about: "whether a side knows only what its own see and have seen",
    kind: SettingKind::Choice(&["on", "off"]),
    stock: "on",
};
pub(crate) const INFLUENCE: Setting = Setting {
    name: "influence",
    about: "whether ways lead toward the enemy's influence, away from it, or do not mind it",
    kind: SettingKind::Choice(&["seek", "shun", "off"]),
    stock: "shun",
};
pub(crate) const SEARCH: Setting = Setting {
    name: "search",
    about: "whether ground and influence add to the cost of a way, which is optimal, or to the guess of what is left, which is not",
    kind: SettingKind::Choice(&["cost", "heuristic"]),
    stock: "cost",
};

/// What a scene is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mission {
    /// A base is to be destroyed.
    Battle,
    /// Workers alone: until everything stands and has stood for a while.
    Economy,
    /// One of each kind on the same errands.
    Tastes,
    /// A formation over a bridge and on.
    March,
}

/// A scene of the family.
pub(crate) struct WarScene {
    pub(crate) mind: WarMind,
    pub(crate) mission: Mission,
    level: (Level, LevelState),
    /// What a march forms.
    pattern: FormOrder,
    seconds: f32,
}

/// What is made of the settings of a scene.
pub(crate) struct Plan {
    pub(crate) mission: Mission,
    pub(crate) leads: [Lead; 2],
    /// Of each kind of unit, by side.
    pub(crate) armies: [[u32; Kind::UNITS]; 2],
    pub(crate) has_fog: bool,
    pub(crate) pull: Pull,
    pub(crate) layers: LayerUse,
    pub(crate) pattern: FormOrder,
    /// When it ends at the latest, s.
    pub(crate) seconds: f32,
}

/// A floor under all of it, for the test of honesty.
const FLOOR: &str =
    "name: war\nsolids:\n  - slab: { outline: [[0, 0], [96, 0], [96, 60], [0, 60]], thickness_m: 0.5 }\n";
const PLACE: Purpose = Purpose::new("war.place");

pub(crate) fn lead_of(word: &str) -> Lead {
    match Attitude::named(word) {
        Some(attitude) => Lead::Fixed(attitude),
        None if word == BY_PERSON => Lead::Person,
        None => Lead::Strategy,
    }
}

pub(crate) fn pull_of(word: &str) -> Pull {
    match word {
        "seek" => Pull::Seek,
        "off" => Pull::Off,
        _ => Pull::Shun,
    }
}

/// The rules of a setup.
pub(crate) fn rules_of(setup: &Setup) -> Result<Rules, SceneError> {
    Rules::read(setup.asset(asset::RULES.0).as_bytes(), asset::RULES.0).map_err(|error| asset_error(&error))
}

fn mind_of(setup: &Setup, plan: &Plan, rules: Rules) -> Result<WarMind, SceneError> {
    let units = plan.armies.iter().map(|army| army.iter().sum::<u32>()).max().unwrap_or(0);
    let map = WarMap::read(setup.asset(asset::MAP.0), &rules, units)?;
    let read =
        |(name, _): asset::File| leaf::read(name, setup.asset(name).as_bytes()).map_err(|error| asset_error(&error));
    let brains = [read(asset::SOLDIER)?, read(asset::SPY)?, read(asset::WORKER)?];
    let (name, _) = asset::STRATEGY;
    let strategy = Strategy::read(setup.asset(name).as_bytes(), name).map_err(|error| asset_error(&error))?;
    let facts = Facts::new().map_err(|error| asset_error(&error))?;
    let senses = Kind::ALL.map(|kind| senses_of(&rules, kind, plan.has_fog));
    Ok(WarMind {
        nobody: Blackboard::new(&facts.keys),
        rules,
        map,
        brains,
        facts,
        strategy,
        leads: plan.leads,
        has_fog: plan.has_fog,
        pull: plan.pull,
        layers: plan.layers,
        patrols: if plan.mission == Mission::Battle { 1 } else { 0 },
        senses,
        others: (2 * units as usize + 8).min(64),
        scratch: Mutex::new(BrainScratch::default()),
    })
}

/// Every piece of both sides: the structures, then the units.
fn pieces_of(mind: &WarMind, plan: &Plan) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut add = |side: usize, kind: Kind, number: u32, is_up: bool, place: Vec2| {
        let health = if is_up { mind.rules.kind(kind).health } else { 0.0 };
        // Both face the river.
        let yaw = plane::yaw(if side == 0 { Vec2::X } else { Vec2::NEG_X });
        pieces.push(Piece {
            kind: kind as u16,
            side: side as u8,
            number: number.min(255) as u8,
            place,
            velocity: Vec2::ZERO,
            yaw,
            health,
            back: None,
            carries: false,
            work: Work::None,
            struck: Tick(0),
            hit: Tick(0),
            target: None,
        });
    };
    let places = &mind.map.places;
    // Piece by piece from side to side, so that neither comes first.
    let sides =
        [0, 1].into_iter().filter(|&side| side == 0 || !matches!(plan.mission, Mission::Tastes | Mission::March));
    for side in sides.clone() {
        add(side, Kind::Base, 0, true, places.base[side]);
    }
    for side in sides.clone() {
        add(side, Kind::Hospital, 0, true, places.hospital[side]);
    }
    for site in 0..2 {
        for side in sides.clone() {
            add(side, Kind::Turret, site as u32, false, places.sites[side][site]);
        }
    }
    for kind in Kind::ALL.into_iter().take(Kind::UNITS) {
        for number in 0..plan.armies[0][kind as usize].max(plan.armies[1][kind as usize]) {
            for side in sides.clone().filter(|&side| number < plan.armies[side][kind as usize]) {
                add(side, kind, number, true, Vec2::ZERO);
            }
        }
    }
    pieces
}

/// Puts the units around their bases, by chance and for both sides alike.
fn muster(mind: &WarMind, brains: &Loop<WarMind>, pieces: &mut [Piece], mission: Mission) {
    for side in 0..2u8 {
        let mut random = brains.streams().stream(u64::from(side), PLACE);
        let spots = &mind.map.places.spawns[usize::from(side)];
        let units = pieces.iter_mut().filter(|it| it.side == side && !it.what().is_structure());
        for (number, piece) in units.enumerate() {
            let off = Vec2::new(random.between(-0.6, 0.6), random.between(-0.6, 0.6));
            piece.place = spots[number % spots.len()] + off * if mission == Mission::Tastes { 0.1 } else { 1.0 };
            // More than the spots hold stand closer.
            let radius = mind.rules.kind(piece.what()).radius;
            mind.map.push_out(&mut piece.place, radius);
        }
    }
}

/// Sets a match up.
pub(crate) fn begin(setup: &Setup, plan: &Plan) -> Result<SceneMatch<WarScene>, SceneError> {
    let mind = mind_of(setup, plan, rules_of(setup)?)?;
    let detail = Detail {
        sense_every: 5,
        think_every: 5,
        coordinate_every: 1,
        act_every: 1,
        quota: Quota { sense: 96, ..Quota::default() },
    };
    let least = Detail { sense_every: 10, think_every: 10, ..detail };
    let config = LoopConfig { rate: RATE, detail: [detail, detail, least, least], index_cell_m: 4.0 };
    let mut brains = Loop::<WarMind>::new(config, setup.seed);
    let mut pieces = pieces_of(&mind, plan);
    muster(&mind, &brains, &mut pieces, plan.mission);
    let resources = vec![None; mind.map.places.resources.len()];
    let tally = Tally { held: vec![0; pieces.len()], ..Tally::default() };
    let legs = vec![0; pieces.len()];
    let world = World {
        pieces,
        resources,
        tally,
        ending: Ending::None,
        selected: Vec::new(),
        held: sentir_sim::input::Held::default(),
        drag: None,
        orders: 0,
        legs,
    };
    let mut ranks = [0u16; 2];
    for (key, piece) in world.pieces.iter().enumerate() {
        let side = usize::from(piece.side);
        let spec = AgentSpec {
            team: TeamId(u32::from(piece.side)),
            kind: piece.kind,
            body: world.body(&mind, key),
            ..AgentSpec::new(HostKey(key as u64))
        };
        // Keys are all different and bodies finite: nobody is refused.
        if let Ok(agent) = brains.spawn_with(spec, mind.fresh(piece.what(), ranks[side], piece.number)) {
            brains.pause_agent(agent, !piece.is_up());
        }
        ranks[side] += u16::from(!piece.what().is_structure());
    }
    let level = level_of(FLOOR, "war.yaml")?;
    let fresh = LevelState::new(&level);
    let (mission, pattern, seconds) = (plan.mission, plan.pattern, plan.seconds);
    Ok(SceneMatch::new(WarScene { mind, mission, level: (level, fresh), pattern, seconds }, brains, world))
}

impl WarScene {
    /// Whether what a scene other than a battle is for is done.
    fn end(&self, brains: &Loop<WarMind>, world: &mut World) {
        let time_s = RATE.seconds(brains.tick().0);
        match self.mission {
            Mission::Battle => {
                world.judge(&self.mind, brains);
                if world.ending == Ending::None && time_s >= self.seconds {
                    world.ending = Ending::TimeUp;
                }
            }
            Mission::Economy if time_s >= self.seconds => world.ending = Ending::Done,
            _ if time_s >= self.seconds && world.ending == Ending::None => world.ending = Ending::TimeUp,
            _ => {}
        }
    }
}

impl Scene for WarScene {
    type Mind = WarMind;
    type World = World;
    type Cache = Cache;

    fn step(&self, context: StepContext<'_, WarScene>) {
        let StepContext { brains, world, inputs, pool, scratch, cache } = context;
        self.command(brains, world, inputs);
        self.script(brains, world);
        world.revive(&self.mind, brains);
        world.tell_score(&self.mind, brains);
        cache.there.clear();
        cache.there.extend(world.resources.iter().map(Option::is_none));
        let field = Field { map: &self.mind.map, has_fog: self.mind.has_fog, resources: &cache.there };
        brains.step(&self.mind, &field, pool, scratch);
        world.walk(&self.mind, brains, cache, pool);
        world.fight(&self.mind, brains, cache);
        world.work(&self.mind, brains);
        world.observe(&self.mind, brains);
        world.count(&self.mind, brains);
        self.end(brains, world);
    }

    fn fits(&self, world: &World) -> bool {
        let count = world.pieces.len();
        let is_one = |key: &u64| (*key as usize) < count;
        world.resources.len() == self.mind.map.places.resources.len()
            && world.tally.held.len() == count
            && world.legs.len() == count
            && world.selected.iter().all(is_one)
            && world.pieces.iter().all(|it| it.kind < 8 && it.side < 2 && it.place.is_finite())
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        match world.ending {
            Ending::None => None,
            Ending::Base(0) => Some("blue destroyed the base"),
            Ending::Base(_) => Some("red destroyed the base"),
            Ending::Points(0) => Some("blue is better off"),
            Ending::Points(_) => Some("red is better off"),
            Ending::Draw => Some("a draw"),
            Ending::Done => Some("done"),
            Ending::TimeUp => Some(TIME_UP),
        }
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        self.figures(world)
    }

    fn draw(&self, brains: &Loop<WarMind>, world: &World, list: &mut DrawList) {
        self.picture(brains, world, list);
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }

    fn play(&self, view: MatchView<'_, Self>) -> Option<Play> {
        Some(self.screen(view))
    }

    fn is_shown(&self, view: MatchView<'_, Self>, agent: &Presence) -> bool {
        let piece = usize::try_from(agent.key.0).ok().and_then(|key| view.world.pieces.get(key));
        piece.is_some_and(|piece| piece.is_up() && self.is_in_sight(view.brains, piece, agent.agent))
    }

    fn activity(&self, view: MatchView<'_, Self>, agent: &Presence) -> Option<(Activity, f32)> {
        let piece = view.world.pieces.get(usize::try_from(agent.key.0).ok()?)?;
        let since = |at: Tick| view.brains.tick().since(at);
        let rule = self.mind.rules.kind(piece.what());
        let ticks = RATE.ticks(rule.strike_s).max(1);
        Some(match piece.work {
            _ if piece.struck.0 > 0 && since(piece.struck) < ticks.min(8) => {
                let share = since(piece.struck) as f32 / ticks.min(8) as f32;
                (if rule.range > 3.0 { Activity::Fire } else { Activity::Strike }, share)
            }
            Work::Build(_, ticks) => (Activity::Build, RATE.seconds(ticks.into()) / self.mind.rules.spec.build_s),
            Work::Harvest(_, ticks) => (Activity::Build, RATE.seconds(ticks.into()) / self.mind.rules.spec.harvest_s),
            Work::None if piece.carries => (Activity::Carry, 0.0),
            Work::None if piece.hit.0 > 0 && since(piece.hit) < 4 => (Activity::Hit, since(piece.hit) as f32 / 4.0),
            Work::None => (Activity::None, 0.0),
        })
    }
}

impl Inspectable for WarScene {
    fn chart(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Chart> {
        let kind = Kind::of(view.brains.presence(agent)?.kind);
        let (brain, name) = (&self.mind.brains[brain_of(kind)?], kind.name());
        let mine = || view.whys.entries().iter().filter(move |entry| entry.agent == agent);
        let last = mine().filter(|entry| matches!(entry.why, Why::Brain(_))).map(|entry| entry.tick).next_back();
        let reasons: Vec<_> = mine()
            .filter(|entry| Some(entry.tick) == last)
            .filter_map(|entry| match &entry.why {
                Why::Brain(why) => Some(why),
                _ => None,
            })
            .collect();
        Some(brain.chart(name, &view.brains.brain(agent)?.state, reasons))
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        Deed::of(decision).name()
    }
}

impl Audited for WarScene {
    fn reach(&self) -> Reach {
        let sight_m = if self.mind.has_fog { 18.5 } else { 300.0 };
        Reach { sight_m, near_m: 4.0, talks: false, ..Reach::default() }
    }

    fn level<'a>(&'a self, _: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level.0, state: &self.level.1 }
    }

    fn change(&self, brains: &mut Loop<WarMind>, world: &mut World, tamper: &Tamper) -> bool {
        match *tamper {
            Tamper::Moved { key, to } => {
                let (Some(agent), Ok(number)) = (brains.agent_of(key), usize::try_from(key.0)) else { return false };
                let Some(piece) = world.pieces.get_mut(number) else { return false };
                piece.place = self.mind.map.center(self.mind.map.footing(plane::ground(to.position)));
                piece.velocity = Vec2::ZERO;
                let pose = Pose { yaw: to.yaw, ..world.body(&self.mind, number).pose };
                world.pieces[number].yaw = to.yaw;
                brains.teleport(agent, pose)
            }
            Tamper::Item { number } => {
                let Some(back) = world.resources.get_mut(usize::from(number)) else { return false };
                *back = if back.is_some() { None } else { Some(brains.tick() + RATE.ticks(600.0)) };
                true
            }
            Tamper::Noise { position, range_m } => {
                brains.noise(Noise { position, range_m, by: None, at: brains.tick() });
                true
            }
            Tamper::Added { .. } | Tamper::Removed { .. } | Tamper::Door { .. } => false,
        }
    }

    /// Who comes in and who goes is a matter of the rules, and known to all.
    fn allowed(&self) -> Allowed {
        let moves = self.mission == Mission::Battle;
        Allowed { moves, adds: false, removes: false, items: self.mind.map.places.resources.len() as u16 }
    }

    /// A unit on the field. Its own side is told where it is.
    fn may_change(&self, it: &Presence) -> bool {
        !Kind::of(it.kind).is_structure() && it.body.pose.position.y > -1.0
    }

    fn is_told(&self, changed: &Presence, it: &Presence) -> bool {
        changed.team == it.team
    }

    /// Units on the field: structures neither walk nor turn round.
    fn is_judged(&self, it: &Presence) -> bool {
        self.may_change(it)
    }

    fn items(&self, world: &World) -> Vec<(Vec3, u64)> {
        let places = self.mind.map.places.resources.iter().map(|&place| plane::lift(place, 0.4));
        places.zip(&world.resources).map(|(place, back)| (place, state::hash(back))).collect()
    }
}

pub(crate) fn build(setup: &Setup, plan: &Plan) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup, plan)?))
}
