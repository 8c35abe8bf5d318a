//! `firefight`: one player against a few soldiers, and scenes that show one behavior of a soldier each.
//!
//! Soldiers are those of the library (`sentir::soldier`), the rules those of the arena: guns with finite rounds, health,
//! noises that are heard, friends who can be hit. A match ends when one side is dead or the time is up.

mod arms;
mod drill;
mod felt;
mod mind;
mod overlay;
mod picture;
mod player;
mod tally;
#[cfg(test)]
mod tests;

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::state;
use sentir::core::why::WhyLog;
use sentir::prelude::*;
use sentir::soldier::{ServeScratch, SoldierMind, serve};
use sentir::squad::desk::{Desk, Queries, QueryName};
use sentir::squad::soldier::Soldier;
use sentir::squad::team::{Alert, Lead};
use sentir::squad::theater::{Theater, TheaterConfig};
use sentir::squad::tuning::Tuning;
use sentir::squad::{AssetError, stock};
use sentir_level::{Level, LevelView};

use crate::armory::{self, Armory, WeaponId, WeaponKind, WeaponSpec};
use crate::body::BodyConfig;
use crate::cast::{Cast, CastScratch, Seen};
use crate::health::Vitals;
use crate::honesty::Reach;
use crate::honesty::tamper::Allowed;
use crate::hud::{Fallen, Hud};
use crate::input::Input;
use crate::kit::Kit;
use crate::noise::{NoiseTable, Stride};
use crate::scene::{Match, Metric, Scene, SceneError, Setting, SettingKind, Setup, level_asset};
use crate::shot::Target;
use crate::story::{Moment, Story, Tale};
use arms::Stage;
use drill::Drill;
use felt::Felt;
use mind::{FirefightMind, Head, PLAYERS, SOLDIER};
use player::Player;
use tally::Tally;

pub(crate) use drill::{ATTACK, DUEL, GROUP_ATTACK, HIDE_COVER, PUSH, SEARCH, SUPPRESSION};

/// Name of the asset.
const LEVEL: &str = "firefight.yaml";
const ASSETS: &[(&str, &str)] = &[(LEVEL, include_str!("../../assets/firefight.yaml"))];
/// Queries of soldiers that lack something, to measure what it is worth.
const NO_FLANK: [(QueryName, &str, &str); 2] = [
    (QueryName::Attack, "attack_no_flank.yaml", include_str!("../../assets/firefight/attack_no_flank.yaml")),
    (QueryName::Advance, "advance_no_flank.yaml", include_str!("../../assets/firefight/advance_no_flank.yaml")),
];
const RANDOM_SEARCH: (QueryName, &str, &str) =
    (QueryName::Search, "search_random.yaml", include_str!("../../assets/firefight/search_random.yaml"));

/// The scene.
pub const SCENE: Scene = Scene {
    name: "firefight",
    title: "One player against four soldiers",
    about: "Soldiers walk their posts. When one hears or sees the player, all know: they search where he may be, look for \
            places to shoot from on different flanks, hide when they are hit or must reload, push on when he hides and \
            shoot at where he would come out. Tinted cells are where he may be; rings are places that somebody has \
            claimed; ways are green out of his sight, red in it, orange across a friend's line of fire; the words say \
            what each is at.",
    controls: "With player=input you are the player: move, look, fire, reload, crouch, jump.",
    settings: SETTINGS,
    assets: ASSETS,
    rate: RATE,
    ticks_max: 60 * 180,
    trials: &[&[], &["player=input", "soldiers=3", "seconds=40"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const SOLDIERS: TeamId = TeamId(1);
const PLAYER: TeamId = TeamId(2);
const PLACE: Purpose = Purpose::new("firefight.place");
/// The player's handle; soldiers count on from it.
const PLAYER_KEY: HostKey = HostKey(0);
/// Rounds carried besides the magazine: enough for a match.
const RESERVE: u32 = 600;
/// Health that a hit takes.
const DAMAGE: f32 = 8.0;
/// Shots shown at most.
const MARKS_MAX: usize = 128;
/// For how many ticks a shot is shown.
const MARK_TICKS: u64 = 7;

const SETTINGS: &[Setting] = &[
    Setting { name: "soldiers", about: "how many soldiers", kind: SettingKind::Whole { min: 1, max: 8 }, stock: "4" },
    Setting {
        name: "player",
        about: "who plays against them: a soldier with more health, a plain mind of some kind, or you",
        kind: SettingKind::Choice(&["strong", "hider", "camper", "rusher", "flanker", "input"]),
        stock: "strong",
    },
    Setting {
        name: "health",
        about: "health of the player",
        kind: SettingKind::Number { min: 1.0, max: 10_000.0 },
        stock: "700",
    },
    Setting { name: "soldier_health", about: "health of a soldier", ..HEALTH_SETTING },
    MIND_SETTING,
    Setting {
        name: "seconds",
        about: "how long it goes on at most, s",
        kind: SettingKind::Number { min: 1.0, max: 180.0 },
        stock: "180",
    },
];

const HEALTH_SETTING: Setting = Setting {
    name: "health",
    about: "health of either",
    kind: SettingKind::Number { min: 1.0, max: 10_000.0 },
    stock: "100",
};

/// Which minds the soldiers have: the soldier's, or one to compare it with.
const MIND_SETTING: Setting = Setting {
    name: "mind",
    about: "the soldiers' minds: those of the library; without the flank test; by the shortest ways; looking anywhere; or \
            the base game's, which always knows where he is and runs at him",
    kind: SettingKind::Choice(&["soldier", "no-flank", "plain-paths", "random-search", "base"]),
    stock: "soldier",
};

/// The story of `firefight` and of the scenes of one behavior.
struct Firefight {
    mind: FirefightMind,
    armory: Armory,
    gun: WeaponId,
    noises: NoiseTable,
    /// Of those who have a mind, and of a person, who may look around as fast as the hand goes.
    body: [BodyConfig; 2],
    ticks_max: u64,
    is_steered: bool,
    /// Health that the player begins with.
    player_health: f32,
    /// Whether it is over as soon as somebody has seen the player.
    ends_when_seen: bool,
}

/// What is remembered beside the brains.
#[derive(State)]
struct Field {
    cast: Cast,
    fighters: Vec<Fighter>,
    /// Soldiers', player's.
    desks: Vec<Desk>,
    tally: Tally,
    marks: Vec<Mark>,
    felt: Felt,
    input: Input,
    ending: Option<End>,
}

/// Somebody alive.
#[derive(Clone, Debug, PartialEq, State)]
struct Fighter {
    key: HostKey,
    agent: AgentId,
    team: TeamId,
    vitals: Vitals,
    kit: Kit,
    stride: Stride,
}

/// A shot to be shown for a moment.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Mark {
    team: TeamId,
    from: Vec3,
    to: Vec3,
    at: Tick,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
enum End {
    Soldiers,
    Player,
    Seen,
    Time,
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    cast: CastScratch,
    targets: Vec<Target>,
    serve: [ServeScratch; 2],
}

fn refused(what: &impl ToString) -> SceneError {
    SceneError::Asset { name: LEVEL.to_owned(), line: 0, column: 0, what: what.to_string() }
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let settings = &setup.settings;
    let drill = Drill {
        player: Player::named(settings.word("player")),
        soldiers: settings.whole("soldiers"),
        health: settings.number("health"),
        soldier_health: settings.number("soldier_health"),
        seconds: settings.number("seconds"),
        ..Drill::default()
    };
    Ok(Box::new(begin(setup, &drill)?))
}

/// The minds on the level of a setup.
fn minds(setup: &Setup) -> Result<FirefightMind, SceneError> {
    let level = level_asset(setup, LEVEL)?;
    let theater = Theater::bake(level, &TheaterConfig::default()).map_err(|error| refused(&error))?;
    let soldiers = variant(theater, setup.settings.word("mind")).map_err(|error| refused(&error))?;
    let theater = &soldiers.soldier.theater;
    let spots = noted(theater, "spot");
    Ok(FirefightMind { soldiers, spots })
}

/// The soldier's mind, or one that lacks something.
fn variant(theater: Theater, name: &str) -> Result<SoldierMind, AssetError> {
    let (mut tuning, mut queries) = (Tuning::stock()?, Queries::stock()?);
    match name {
        "no-flank" => {
            for (query, file, text) in NO_FLANK {
                queries = queries.with(query, (file, text.as_bytes()))?;
            }
        }
        "plain-paths" => (tuning.exposure_weight, tuning.fire_line_m) = (0.0, 0.0),
        "random-search" => {
            let (query, file, text) = RANDOM_SEARCH;
            queries = queries.with(query, (file, text.as_bytes()))?;
        }
        _ => {}
    }
    Ok(SoldierMind::new(Soldier::new(theater, stock::TREE, tuning)?, queries))
}

/// The annotations of a kind that one can stand at.
fn noted(theater: &Theater, kind: &str) -> Vec<Vec3> {
    let level = theater.view().level;
    let notes = level.annotations().iter().filter(|note| note.kind == kind);
    notes.filter_map(|note| theater.ground(note.position)).map(|place| place.point).collect()
}

/// Rifles that hurt less than the stock one, with more rounds carried: fights are to be long enough to see what everybody does.
fn rifles() -> Result<(Armory, WeaponId), SceneError> {
    let mut specs = armory::stock().specs().to_vec();
    for spec in &mut specs {
        if let WeaponKind::Gun(gun) = &mut spec.kind {
            (gun.damage, gun.reserve) = (DAMAGE, RESERVE);
        }
    }
    let armory = Armory::build(specs).map_err(|error| refused(&error))?;
    let gun = armory.named("rifle").map_err(|error| refused(&error))?;
    Ok((armory, gun))
}

fn begin(setup: &Setup, drill: &Drill) -> Result<Tale<Firefight>, SceneError> {
    let mind = minds(setup)?;
    let theater = &mind.soldiers.soldier.theater;
    let level = theater.view().level;
    let (armory, gun) = rifles()?;
    let config = LoopConfig { rate: RATE, index_cell_m: 4.0, ..LoopConfig::default() };
    let mut brains = Loop::<FirefightMind>::new(config, setup.seed);
    let mut luck = brains.streams().stream(0, PLACE);
    let mut poses = |team: &str| -> Vec<Pose> {
        let mut poses: Vec<_> = level.spawns().iter().filter(|it| it.team == team).map(|it| it.pose).collect();
        luck.shuffle(&mut poses);
        poses
    };
    let (mut at_player, mut at_soldiers) = (poses("player"), poses("soldier"));
    drill.place(theater, &mut at_player, &mut at_soldiers);
    let posts = noted(theater, "post");
    let mut desk = Desk::new(theater);
    if let Some((alert, is_precise)) = drill.brief
        && let Some(place) = at_player.first().map(|pose| pose.position)
    {
        let lead = Lead { who: None, place, velocity: Vec3::ZERO, at: Tick(0), is_precise, is_checked: false };
        desk.team.brief(theater, &mind.soldiers.soldier.tuning, alert, Some(lead));
    }
    let mut world = Field {
        cast: Cast::new(level),
        fighters: Vec::with_capacity(9),
        desks: vec![desk, Desk::new(theater)],
        tally: Tally::new(),
        marks: Vec::with_capacity(MARKS_MAX),
        felt: Felt::default(),
        // Who does nothing looks where he came in looking.
        input: at_player.first().map_or_else(Input::default, |pose| Input::looking(pose.yaw)),
        ending: None,
    };
    let firefight = Firefight {
        armory,
        gun,
        noises: NoiseTable::default(),
        body: [9.0, 60.0].map(|turn_rad_per_s_max| BodyConfig { turn_rad_per_s_max, ..BodyConfig::default() }),
        ticks_max: RATE.ticks(drill.seconds),
        is_steered: drill.player == Some(Player::Input),
        player_health: drill.health,
        ends_when_seen: drill.ends_when_seen,
        mind,
    };
    let kind = drill.player.map_or(SOLDIER, |player| PLAYERS + player as u16);
    let player = (PLAYER_KEY, PLAYER, kind, drill.health);
    firefight.spawn(&mut brains, &mut world, player, at_player.first(), &noted_spots(&firefight.mind, &posts));
    let is_base = setup.settings.word("mind") == "base";
    for number in 0..drill.soldiers {
        let share = number as usize * posts.len() / drill.soldiers.max(1) as usize;
        let round: Vec<_> = posts.iter().cycle().skip(share).take(posts.len()).copied().collect();
        let kind = if is_base { PLAYERS + Player::Base as u16 } else { SOLDIER };
        let soldier = (HostKey(u64::from(number) + 1), SOLDIERS, kind, drill.soldier_health);
        firefight.spawn(&mut brains, &mut world, soldier, at_soldiers.get(number as usize), &round);
    }
    firefight.prepare(&mut world, drill);
    Ok(Tale::new(firefight, brains, world))
}

/// Where a player with a soldier's mind walks while nothing is known.
fn noted_spots(mind: &FirefightMind, posts: &[Vec3]) -> Vec<Vec3> {
    mind.spots.iter().rev().chain(posts).copied().collect()
}

impl Firefight {
    fn level(&self) -> &Level {
        self.mind.soldiers.soldier.theater.view().level
    }

    /// Brings somebody in.
    fn spawn(
        &self,
        brains: &mut Loop<FirefightMind>,
        world: &mut Field,
        (key, team, kind, health): (HostKey, TeamId, u16, f32),
        pose: Option<&Pose>,
        posts: &[Vec3],
    ) {
        let Some(&pose) = pose else { return };
        let body = world.cast.add(key, u8::from(self.is_steered && team == PLAYER), pose).body();
        let Ok(agent) = brains.spawn(AgentSpec { team, kind, body, ..AgentSpec::new(key) }) else { return };
        if let Some(head) = brains.brain_mut(agent)
            && kind == SOLDIER
        {
            *head = Head { is_soldier: true, soldier: self.mind.soldiers.recruit(posts.to_vec()), ..Head::default() };
        }
        if let Some(head) = brains.brain_mut(agent) {
            head.is_base = kind == PLAYERS + Player::Base as u16;
        }
        let kit = Kit::full(&self.armory, &[self.gun]);
        let (vitals, stride) = (Vitals::new(health), Stride::default());
        world.fighters.push(Fighter { key, agent, team, vitals, kit, stride });
    }

    /// Wounds and rounds that a drill begins with.
    fn prepare(&self, world: &mut Field, drill: &Drill) {
        for it in world.fighters.iter_mut().filter(|it| it.team == SOLDIERS) {
            it.vitals.health *= drill.health_share;
            if let Some((weapon, ..)) = it.kit.held(&self.armory) {
                weapon.magazine = (weapon.magazine as f32 * drill.magazine_share) as u32;
            }
        }
    }

    /// Tells everybody what its hands feel and how it is.
    fn feel(&self, brains: &mut Loop<FirefightMind>, world: &mut Field) {
        let magazine_max = self.armory.spec(self.gun).map_or(0, WeaponSpec::magazine_max);
        let (cast, tick) = (&world.cast, brains.tick());
        let player = world.fighters.iter().find(|it| it.team == PLAYER);
        let player = player.and_then(|it| cast.walker(it.key)).map(|walker| walker.pose.position);
        for it in &mut world.fighters {
            let Some(walker) = world.cast.walker(it.key) else { continue };
            brains.observe(it.agent, Body { health: it.vitals.share(), ..walker.body() });
            let Some((weapon, ..)) = it.kit.held(&self.armory) else { continue };
            if let Some(head) = brains.brain_mut(it.agent) {
                if head.is_base {
                    // The one declared cheater: the game tells it where the player is.
                    head.player.foe = player.map(|place| (place, tick));
                }
                let gear = head.gear_mut();
                (gear.magazine, gear.magazine_max, gear.reserve) = (weapon.magazine, magazine_max, weapon.reserve);
                gear.is_reloading = weapon.is_reloading();
            }
        }
    }

    /// Serves both desks.
    fn serve(&self, brains: &mut Loop<FirefightMind>, world: &mut Field, cache: &mut Cache) {
        for (team, number) in [(SOLDIERS, 0), (PLAYER, 1)] {
            let is_dead = !world.fighters.iter().any(|it| it.team != team);
            if let Some(desk) = world.desks.get_mut(number) {
                serve(desk, &self.mind.soldiers, brains, team, is_dead, &mut cache.serve[number]);
            }
        }
    }

    /// Takes out the dead.
    fn bury(&self, brains: &mut Loop<FirefightMind>, world: &mut Field, scratch: &mut Scratch) {
        while let Some(place) = world.fighters.iter().position(|it| it.vitals.is_dead()) {
            let dead = world.fighters.remove(place);
            for desk in &mut world.desks {
                desk.requests.forget(dead.agent);
            }
            world.felt.fall(&dead, &world.cast, brains.tick());
            brains.despawn_into(dead.agent, scratch);
            world.cast.remove(dead.key);
        }
    }

    /// Whether it is over.
    fn judge(&self, brains: &Loop<FirefightMind>, world: &mut Field) {
        let alive = |team| world.fighters.iter().any(|it| it.team == team);
        let is_seen = world.desks.first().is_some_and(|desk| desk.team.is_seen());
        if is_seen {
            world.tally.find(brains.tick());
        }
        world.ending = match () {
            () if !alive(PLAYER) => Some(End::Soldiers),
            () if !alive(SOLDIERS) => Some(End::Player),
            () if self.ends_when_seen && is_seen => Some(End::Seen),
            () if brains.tick().0 >= self.ticks_max => Some(End::Time),
            () => world.ending,
        };
    }
}

impl Story for Firefight {
    type Mind = FirefightMind;
    type World = Field;
    type Cache = Cache;

    fn step(&self, moment: Moment<'_, Firefight>) {
        let Moment { brains, world, inputs, pool, scratch, cache } = moment;
        if let Some(input) = inputs.iter().rev().find(|input| input.player == 0) {
            world.input = *input;
        }
        let tick = brains.tick();
        let level = self.level();
        let seen = Seen(LevelView { level, state: &world.cast.level });
        brains.step(&self.mind, &seen, pool, scratch);
        world.cast.follow(brains, &self.body);
        if self.is_steered {
            world.cast.steer(PLAYER_KEY, world.input);
        }
        world.cast.step(level, &self.body, RATE, pool, &mut cache.cast);
        Stage { story: self, world, brains, targets: &mut cache.targets, tick }.play();
        self.watch(brains, world, scratch.events());
        self.hear(brains, world);
        self.bury(brains, world, scratch);
        self.feel(brains, world);
        self.serve(brains, world, cache);
        self.judge(brains, world);
        world.marks.retain(|mark| tick.since(mark.at) < MARK_TICKS);
        world.marks.truncate(MARKS_MAX);
    }

    fn fits(&self, world: &Field) -> bool {
        let theater = &self.mind.soldiers.soldier.theater;
        world.cast.fits(self.level()) && world.desks.len() == 2 && world.desks.iter().all(|desk| desk.fits(theater))
    }

    fn ending(&self, world: &Field) -> Option<&'static str> {
        world.ending.map(|end| match end {
            End::Soldiers => "the soldiers win",
            End::Player => "the player wins",
            End::Seen => "the player was seen",
            End::Time => "time up",
        })
    }

    fn metrics(&self, world: &Field) -> Vec<Metric> {
        let count = |team| world.fighters.iter().filter(|it| it.team == team).count();
        let mut metrics = vec![
            Metric::new("soldiers_win", f32::from(u8::from(world.ending == Some(End::Soldiers)))),
            Metric::new("player_wins", f32::from(u8::from(world.ending == Some(End::Player)))),
            Metric::new("soldiers_left", count(SOLDIERS) as f32),
        ];
        if let Some(desk) = world.desks.first() {
            metrics.push(Metric::new("queries", desk.counts()[0] as f32));
            metrics.push(Metric::new("queries_without_a_place", desk.counts()[1] as f32));
        }
        world.tally.report(&mut metrics);
        metrics
    }

    fn parts(&self, world: &Field) -> Vec<(&'static str, u64)> {
        vec![
            ("bodies", state::hash(&world.cast)),
            ("fighters", state::hash(&world.fighters)),
            ("desks", state::hash(&world.desks)),
            ("figures", state::hash(&world.tally) ^ state::hash(&world.ending).rotate_left(1)),
            ("marks", state::hash(&world.marks) ^ state::hash(&world.felt).rotate_left(1)),
            ("input", state::hash(&world.input)),
        ]
    }

    fn draw(&self, brains: &Loop<FirefightMind>, world: &Field, list: &mut DrawList) {
        picture::draw(self, brains, world, list);
    }

    fn chart(&self, brains: &Loop<FirefightMind>, agent: AgentId, whys: &WhyLog<Why>) -> Option<Chart> {
        let head = brains.brain(agent).filter(|head| head.is_soldier)?;
        Some(self.mind.soldiers.chart(&head.soldier, agent, whys))
    }

    fn hud(&self, brains: &Loop<FirefightMind>, world: &Field) -> Option<Hud> {
        self.is_steered.then(|| felt::hud(self, brains, world))
    }

    fn fallen<'a>(&self, world: &'a Field) -> &'a [Fallen] {
        world.felt.fallen()
    }

    fn study(&self, brains: &Loop<FirefightMind>, world: &Field, agent: AgentId, list: &mut DrawList) {
        overlay::study(self, brains, world, agent, list);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }

    fn reach(&self) -> Option<Reach> {
        let sight = &self.mind.soldiers.senses.sight;
        let near_m = self.mind.soldiers.avoid.range_m + 0.5;
        Some(Reach {
            sight_m: sight.range_m,
            half_rad: sight.half_rad,
            near_m,
            hearing: 1.0,
            talks: true,
            smell_m: 0.0,
        })
    }

    fn stage<'a>(&'a self, world: &'a Field) -> Option<(&'a Level, &'a Cast)> {
        Some((self.level(), &world.cast))
    }

    fn stage_mut<'a>(&'a self, world: &'a mut Field) -> Option<(&'a Level, &'a mut Cast)> {
        Some((self.level(), &mut world.cast))
    }

    /// Whoever comes in or goes is told to all, by the rules; so is where each soldier is, to his team.
    fn allowed(&self) -> Allowed {
        Allowed { moves: true, adds: false, removes: false, items: 0 }
    }

    fn may_change(&self, it: &Presence) -> bool {
        it.team == PLAYER
    }

    fn is_judged(&self, it: &Presence) -> bool {
        it.team == SOLDIERS
    }
}
