//! `skirmish`: two small teams play every rule of the arena: rounds, respawn, guns, grenades, blades, doors, walls that break,
//! items, supply areas. The minds are stand-ins; the rules are not.

mod arms;
mod layout;
mod mind;
mod picture;
mod screen;
mod tally;
#[cfg(test)]
mod tests;

use sentir::core::draw::{DrawList, Layer};
use sentir::core::state;
use sentir::prelude::*;
use sentir_level::{LevelView, PieceId};

use arms::Stage;
use layout::Layout;
use mind::{Brain, Gear, Soldier};
use sentir_harness::animation::{self, Activity};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::hud::Play;
use sentir_harness::info::{
    BY_PERSON, Binding, ControlAction, ControlMode, Controls, Ground, KindLook, Model, SceneError, SceneInfo,
    SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Inspectable, MatchView, Scene, StepContext};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::actor::{Actors, SpawnTable};
use sentir_sim::armory::{self, Armory, BladeSpec, WeaponId, WeaponKind, WeaponSpec};
use sentir_sim::blast::Flight;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch, Seen};
use sentir_sim::combat::CombatScratch;
use sentir_sim::event::{SimEvent, emit};
use sentir_sim::health::Vitals;
use sentir_sim::input::Held;
use sentir_sim::item::{ItemState, ItemTable, Items, SupplyTable};
use sentir_sim::kit::Kit;
use sentir_sim::noise::{Footsteps, NoiseTable};
use sentir_sim::round::{self, Phase, Round, RoundEvent, RoundRules, Score, Standing, WinRule};
use sentir_sim::shot::Target;
use tally::Side;

/// Name of the asset.
const LEVEL: &str = "skirmish.yaml";

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "skirmish",
    title: "Two teams play every rule: guns, grenades, blades, doors, walls, items, rounds",
    about: "Red and blue, a few soldiers each, fight for rounds in a yard with a wall across it. They shoot, strike and \
            throw, open the door, break the wall, fetch health and rounds, fall back to their base for more, die and come \
            back. Simple minds by hand, until there are better ones; the rules are the arena's own.",
    controls: Some(Controls {
        mode: ControlMode::FirstPerson,
        setting: Some("who"),
        difficulty: None,
        whom: "the first of red",
        bindings: &[
            Binding::new(ControlAction::Move, "walk"),
            Binding::new(ControlAction::Look, "look"),
            Binding::new(ControlAction::Fire, "fire"),
            Binding::new(ControlAction::Reload, "reload"),
            Binding::new(ControlAction::Melee, "strike"),
            Binding::new(ControlAction::Throw, "throw"),
            Binding::new(ControlAction::Use, "open and close doors"),
            Binding::new(ControlAction::Crouch, "crouch"),
            Binding::new(ControlAction::Jump, "jump"),
        ],
    }),
    kinds: &[KindLook::new(0, "soldier", Model::Soldier), KindLook::new(PLAYED, "player", Model::Player)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[(LEVEL, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/combat/skirmish.yaml")))],
    rate: RATE,
    ticks_max: LIMIT_S * 60,
    trials: &[&[], &["win=last", "team=2", "who=input"]],
    build,
};

/// The look of who is played.
const PLAYED: u16 = 1;
const RATE: TickRate = TickRate::new(60);
/// When a match is a draw, s.
const LIMIT_S: u64 = 360;
const RED: TeamId = TeamId(1);
const BLUE: TeamId = TeamId(2);
const TEAMS: [TeamId; 2] = [RED, BLUE];
const SPAWN: Purpose = Purpose::new("skirmish.spawn");
/// Rounds carried besides the magazine at first: few, so that one must fetch some.
const RESERVE: u32 = 30;
/// Room around a place to come in at, m.
const CLEAR_M: f32 = 0.6;
/// Doors fall shut at every so many ticks.
const DOORS_SHUT: u64 = 4 * 60;
/// Marks kept at most.
const MARKS_MAX: usize = 256;

const SETTINGS: &[Setting] = &[
    Setting { name: "team", about: "soldiers of each side", kind: SettingKind::Whole { min: 1, max: 3 }, stock: "3" },
    Setting {
        name: "win",
        about: "what wins a round: six kills, or to be the last side standing",
        kind: SettingKind::Choice(&["score", "last"]),
        stock: "score",
    },
    Setting {
        name: "rounds",
        about: "rounds that win the match",
        kind: SettingKind::Whole { min: 1, max: 5 },
        stock: "2",
    },
    Setting {
        name: "who",
        about: "who moves the first of red",
        kind: SettingKind::Choice(&["mind", BY_PERSON]),
        stock: "mind",
    },
];

/// The weapons of everybody.
#[derive(Clone, Copy, Debug)]
struct Arms {
    gun: WeaponId,
    blade: WeaponId,
    thrown: WeaponId,
}

/// The story of `skirmish`.
struct Skirmish {
    mind: Soldier,
    armory: Armory,
    arms: Arms,
    items: ItemTable,
    supply: SupplyTable,
    spawns: SpawnTable,
    rules: RoundRules,
    noises: NoiseTable,
    body: [BodyConfig; 1],
    team: u8,
    is_steered: bool,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    fighters: Actors<Fighter>,
    waiting: Vec<Waiting>,
    items: Items,
    flights: Vec<Flight>,
    round: Round,
    score: Score,
    sides: [Side; 2],
    marks: Vec<Mark>,
    input: Held,
    now: Tick,
}

/// Somebody alive.
#[derive(Clone, Debug, PartialEq, State)]
struct Fighter {
    agent: AgentId,
    team: TeamId,
    /// Of its side, from 0 on.
    number: u8,
    vitals: Vitals,
    kit: Kit,
    stride: Footsteps,
    /// Whether it used something at the last tick: one press, one use.
    is_using: bool,
}

impl Fighter {
    /// Whether it is the one a person may play.
    fn is_player(&self) -> bool {
        self.team == RED && self.number == 0
    }
}

/// Somebody who comes in when it is time.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Waiting {
    team: TeamId,
    number: u8,
    from: Tick,
}

/// Something to be shown for a moment.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Mark {
    kind: MarkKind,
    from: Vec3,
    /// Its other end; of what is round, the radius as x.
    to: Vec3,
    at: Tick,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
enum MarkKind {
    Shot,
    Strike,
    Blast,
    Noise,
}

impl MarkKind {
    /// For how long it is shown, ticks.
    fn shown_ticks(self) -> u64 {
        match self {
            MarkKind::Shot => 8,
            MarkKind::Strike | MarkKind::Noise => 15,
            MarkKind::Blast => 30,
        }
    }
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    bodies: BodySetScratch,
    combat: CombatScratch,
    ids: Vec<sentir_sim::actor::ActorId>,
}

impl World {
    fn was_using(&self, id: sentir_sim::actor::ActorId) -> bool {
        self.fighters.at(id).is_some_and(|it| it.is_using)
    }
}

/// The stock weapons, and a knife.
fn weapons() -> Result<(Armory, Arms), armory::WeaponError> {
    let knife = BladeSpec { damage: 60.0, reach_m: 1.7, half_angle_rad: 0.8, interval_s: 0.7 };
    let mut specs = armory::stock().specs().to_vec();
    specs.push(WeaponSpec { name: "knife".to_owned(), noise_m: 4.0, kind: WeaponKind::Blade(knife) });
    let armory = Armory::build(specs)?;
    let arms = Arms { gun: armory.named("rifle")?, blade: armory.named("knife")?, thrown: armory.named("grenade")? };
    Ok((armory, arms))
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

fn begin(setup: &Setup) -> Result<SceneMatch<Skirmish>, SceneError> {
    let wrong = |what: String| SceneError::Asset { name: LEVEL.to_owned(), line: 0, column: 0, what };
    let level = level_asset(setup, LEVEL)?;
    let (armory, arms) = weapons().map_err(|error| wrong(error.to_string()))?;
    let items = ItemTable::build(&level, &armory, RATE).map_err(|error| wrong(error.to_string()))?;
    let spawns =
        SpawnTable::build(&level, &[("red", RED), ("blue", BLUE)]).map_err(|error| wrong(error.to_string()))?;
    let is_last = setup.settings.word("win") == "last";
    let rules = RoundRules {
        win: if is_last { WinRule::LastTeam } else { WinRule::Score(6) },
        time_limit_s: 60.0,
        respawn_s: (!is_last).then_some(3.0),
        break_s: 2.0,
        rounds_to_win: setup.settings.whole("rounds"),
    };
    rules.check().map_err(|error| wrong(error.to_string()))?;
    let throw = match armory.spec(arms.thrown).map(|spec| spec.kind) {
        Some(WeaponKind::Thrown(thrown)) => (thrown.speed_m_per_s, thrown.gravity_m_per_s2),
        _ => (0.0, 9.81),
    };
    let supply = SupplyTable::build(&level);
    let bodies = BodySet::new(&level);
    let mind = Soldier { layout: Layout::of(level, &items)?, throw };
    let config = LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::every_tick(RATE) };
    let brains = Loop::<Soldier>::new(config, setup.seed);
    let team = setup.settings.whole("team") as u8;
    let skirmish = Skirmish {
        mind,
        arms,
        supply,
        spawns,
        rules,
        noises: NoiseTable::default(),
        body: [BodyConfig { turn_rad_per_s_max: 7.0, ..BodyConfig::default() }],
        team,
        is_steered: setup.settings.word("who") == BY_PERSON,
        items,
        armory,
    };
    let world = World {
        bodies,
        fighters: Actors::new(u32::from(team) * 2),
        waiting: skirmish.roster(Tick(0)),
        items: Items::new(&skirmish.items),
        flights: Vec::new(),
        round: Round::first(Tick(0)),
        score: Score::new(&TEAMS),
        sides: [Side::default(); 2],
        marks: Vec::with_capacity(MARKS_MAX),
        input: Held::default(),
        now: Tick(0),
    };
    Ok(SceneMatch::new(skirmish, brains, world))
}

impl Skirmish {
    /// Everybody, to come in at a tick.
    fn roster(&self, from: Tick) -> Vec<Waiting> {
        let mut waiting = Vec::with_capacity(usize::from(self.team) * 2);
        for number in 0..self.team {
            waiting.extend(TEAMS.map(|team| Waiting { team, number, from }));
        }
        waiting
    }

    /// Brings in who is due, where nobody stands and no foe looks.
    fn welcome(&self, moment: &mut StepContext<'_, Skirmish>) {
        let StepContext { brains, world, scratch, cache, .. } = moment;
        let tick = brains.tick();
        let mut number = 0;
        while number < world.waiting.len() {
            let Waiting { team, number: who, from } = world.waiting[number];
            let is_seen = |pose: &Pose| {
                let foes = world.fighters.iter().filter(|(_, it)| it.team != team);
                let mut eyes = foes.filter_map(|(_, it)| brains.presence(it.agent)).map(|it| it.body.eye());
                eyes.any(|eye| self.mind.layout.sees(eye, pose.position + Vec3::Y * 1.5))
            };
            let mut rng = brains.streams().at(u64::from(team.0) * 16 + u64::from(who), SPAWN, tick);
            let place = self.spawns.choose(team, CLEAR_M, &cache.combat.targets, is_seen, &mut rng);
            let Some(pose) = place.filter(|_| tick >= from) else {
                number += 1;
                continue;
            };
            world.waiting.remove(number);
            let Some(id) = world.fighters.next_id() else { continue };
            let key = HostKey(id.to_bits());
            let walker = *world.bodies.add(key, 0, pose);
            let spec = AgentSpec { team, body: walker.body(), ..AgentSpec::new(key) };
            let Ok(agent) = brains.spawn_from(spec, Brain::default(), scratch) else {
                world.bodies.remove(key);
                continue;
            };
            let mut kit = Kit::full(&self.armory, &[self.arms.gun, self.arms.blade, self.arms.thrown]);
            if let Some((gun, ..)) = kit.held(&self.armory) {
                gun.reserve = RESERVE;
            }
            let (vitals, stride) = (Vitals::new(100.0), Footsteps::default());
            world.fighters.spawn(Fighter { agent, team, number: who, vitals, kit, stride, is_using: false });
            cache.combat.targets.push(Target::of(agent, team, &walker));
        }
    }

    /// Takes out whoever is dead, or everybody; the dead may come back.
    fn bury(&self, moment: &mut StepContext<'_, Skirmish>, is_all: bool) {
        let StepContext { brains, world, scratch, cache, .. } = moment;
        let tick = brains.tick();
        cache.ids.clear();
        cache.ids.extend(world.fighters.iter().filter(|(_, it)| is_all || it.vitals.is_dead()).map(|(id, _)| id));
        for &id in &cache.ids {
            let Some(fighter) = world.fighters.despawn(id) else { continue };
            brains.despawn_into(fighter.agent, scratch);
            world.bodies.remove(HostKey(id.to_bits()));
            if let Some(from) = self.rules.back_at(tick, RATE).filter(|_| !is_all) {
                world.waiting.push(Waiting { team: fighter.team, number: fighter.number, from });
            }
        }
    }

    /// Lets the rounds go on: who won, and everybody anew for the next.
    fn judge(&self, moment: &mut StepContext<'_, Skirmish>) {
        let tick = moment.brains.tick();
        let standing = TEAMS.map(|team| {
            let alive = moment.world.fighters.iter().filter(|(_, it)| it.team == team).count();
            let coming = moment.world.waiting.iter().filter(|it| it.team == team).count();
            Standing { team, count: (alive + coming) as u32 }
        });
        let world = &mut *moment.world;
        let Some(event) = round::step(&self.rules, &mut world.round, &mut world.score, &standing, tick, RATE) else {
            return;
        };
        emit(moment.brains, &SimEvent::Round(event), |_, _| {});
        if matches!(event, RoundEvent::Began { .. }) {
            self.bury(moment, true);
            let world = &mut *moment.world;
            world.waiting.clear();
            for number in 0..self.team {
                world.waiting.extend(TEAMS.map(|team| Waiting { team, number, from: tick }));
            }
            world.items.states.fill(ItemState::Here);
            world.flights.clear();
        }
    }

    /// Tells everybody what its hands feel and how it is.
    fn feel(&self, moment: &mut StepContext<'_, Skirmish>) {
        let StepContext { brains, world, .. } = moment;
        for (id, it) in world.fighters.iter_mut() {
            let Some(walker) = world.bodies.walker(HostKey(id.to_bits())) else { continue };
            brains.observe(it.agent, Body { health: it.vitals.share(), ..walker.body() });
            let of = |id: WeaponId| it.kit.places.iter().flatten().find(|one| one.id == id).map(|one| one.weapon);
            let (gun, thrown) = (of(self.arms.gun).unwrap_or_default(), of(self.arms.thrown).unwrap_or_default());
            let magazine_max = self.armory.spec(self.arms.gun).map_or(0, WeaponSpec::magazine_max);
            let (magazine, reserve, grenades) = (gun.magazine, gun.reserve, thrown.magazine);
            let gear = Gear { magazine, magazine_max, reserve, grenades };
            if brains.brain(it.agent).is_some_and(|brain| brain.gear != gear) {
                brains.notify(it.agent, gear);
            }
        }
    }
}

impl Scene for Skirmish {
    type Mind = Soldier;
    type World = World;
    type Cache = Cache;

    fn player(&self, world: &World) -> Option<HostKey> {
        let mine = world.fighters.iter().find(|(_, it)| self.is_steered && it.is_player());
        mine.map(|(id, _)| HostKey(id.to_bits()))
    }

    fn step(&self, mut moment: StepContext<'_, Skirmish>) {
        if let Some(input) = moment.inputs.iter().rev().find(|input| input.player == 0) {
            moment.world.input = input.held();
        }
        let tick = moment.brains.tick();
        moment.world.now = tick;
        let plays = moment.world.round.phase == Phase::Plays;
        let level = &self.mind.layout.level;
        Stage { skirmish: self, world: moment.world, brains: moment.brains, cache: moment.cache, tick }.look_around();
        if plays {
            self.welcome(&mut moment);
        }
        let seen = Seen(LevelView { level, state: &moment.world.bodies.level });
        moment.brains.step(&self.mind, &seen, moment.pool, moment.scratch);
        let world = &mut *moment.world;
        world.bodies.follow(moment.brains, &self.body);
        if let Some(key) = self.player(world) {
            world.bodies.steer(key, world.input.input());
        }
        if tick.0.is_multiple_of(DOORS_SHUT) {
            for piece in (0..).zip(level.pieces()).filter(|(_, piece)| piece.door.is_some()).map(|(index, _)| index) {
                world.bodies.level.close_door(level, PieceId(piece));
            }
        }
        world.bodies.step(level, &self.body, RATE, moment.pool, &mut moment.cache.bodies);
        if plays {
            let mut stage =
                Stage { skirmish: self, world: moment.world, brains: moment.brains, cache: moment.cache, tick };
            stage.look_around();
            stage.play();
        }
        self.bury(&mut moment, false);
        self.feel(&mut moment);
        self.judge(&mut moment);
        let marks = &mut moment.world.marks;
        marks.retain(|mark| tick.since(mark.at) < mark.kind.shown_ticks());
        marks.truncate(MARKS_MAX);
    }

    fn fits(&self, world: &World) -> bool {
        let is_right = world.items.states.len() == self.items.rules().len() && world.score.teams.len() == TEAMS.len();
        world.bodies.fits(&self.mind.layout.level) && is_right
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        match world.round.phase {
            Phase::Over { winner: Some(RED) } => Some("red wins"),
            Phase::Over { winner: Some(_) } => Some("blue wins"),
            Phase::Over { winner: None } => Some("draw"),
            _ => (world.now.0 + 1 >= SCENE.ticks_max).then_some("draw"),
        }
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        tally::metrics(&world.sides, &world.score, RATE.seconds(world.now.0 + 1))
    }

    fn draw(&self, brains: &Loop<Soldier>, world: &World, list: &mut DrawList) {
        picture::draw(self, brains, world, list);
    }

    fn play(&self, view: MatchView<'_, Self>) -> Option<Play> {
        Some(screen::play(self, view))
    }

    fn name_of(&self, world: &World, agent: &Presence) -> Option<String> {
        let (_, it) = world.fighters.iter().find(|(_, it)| it.agent == agent.agent)?;
        let side = if it.team == RED { "red" } else { "blue" };
        Some(if self.is_steered && it.is_player() { "player".to_owned() } else { format!("{side} {}", it.number + 1) })
    }

    fn looks_as(&self, world: &World, agent: &Presence) -> u16 {
        let is_mine = self.player(world) == Some(agent.key);
        if is_mine { PLAYED } else { agent.kind }
    }

    fn activity(&self, view: MatchView<'_, Self>, agent: &Presence) -> Option<(Activity, f32)> {
        let (_, it) = view.world.fighters.iter().find(|(_, it)| it.agent == agent.agent)?;
        animation::of_hands(&it.kit, &self.armory, view.brains.tick(), RATE)
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Inspectable for Skirmish {
    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for Skirmish {
    fn reach(&self) -> Reach {
        Reach { sight_m: 37.0, half_rad: mind::HALF_ANGLE, hearing: 1.0, ..Reach::legs(3.0) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.layout.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Soldier>, world: &mut World, tamper: &Tamper) -> bool {
        match *tamper {
            Tamper::Item { number } => turn(&mut world.items, number),
            _ => apply(brains, &mut world.bodies, &self.mind.layout.level, tamper),
        }
    }

    fn allowed(&self) -> Allowed {
        Allowed { items: self.items.rules().len() as u16, ..Allowed::ALL }
    }

    fn items(&self, world: &World) -> Vec<(Vec3, u64)> {
        let places = self.items.rules().iter().map(|rule| rule.position);
        places.zip(&world.items.states).map(|(place, state)| (place, state::hash(state))).collect()
    }
}

/// Takes an item that lies there, or puts it back. Whether there is such an item.
fn turn(items: &mut Items, number: u16) -> bool {
    let Some(item) = items.states.get_mut(usize::from(number)) else { return false };
    *item = if *item == ItemState::Here { ItemState::Gone } else { ItemState::Here };
    true
}
