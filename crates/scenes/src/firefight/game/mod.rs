//! `firefight`: one player against a few soldiers, and scenes that show one behavior of a soldier each.
//!
//! Soldiers are those of the library (`sentir::soldier`), the rules those of the arena: guns with finite rounds, health,
//! noises that are heard, friends who can be hit. A match ends when one side is dead or the time is up.

mod arms;
pub(crate) mod drill;
mod felt;
mod footing;
mod ground;
mod mind;
mod obstacle;
mod overlay;
mod picture;
pub(crate) mod player;
pub(crate) mod reload;
mod screen;
pub(crate) mod setting;
mod tally;
#[cfg(test)]
mod tests;
pub(crate) mod variant;
mod voice;

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::state::StateHasher;
use sentir::prelude::*;
use sentir::squad::coordinator::Coordinator;
use sentir::squad::soldier::{SoldierMemory, SoldierNotice};
use sentir::squad::team::{Alert, Lead};
use sentir_level::{Level, LevelView};

use arms::Stage;
use drill::Drill;
use felt::Felt;
use footing::Footing;
use ground::Ground;
use mind::{FirefightMind, Head, MindKind};
use obstacle::Rubble;
use player::Player;
use reload::Files;
use sentir_harness::animation::Activity;
use sentir_harness::edit::part_name;
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::hud::Play;
use sentir_harness::info::{SceneError, Setup, asset_error};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Editable, Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_harness::sound::Sound;
use sentir_sim::armory::{Armory, WeaponId};
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch, Seen};
use sentir_sim::combat::CombatScratch;
use sentir_sim::health::Vitals;
use sentir_sim::input::{Held, Input};
use sentir_sim::kit::Kit;
use sentir_sim::noise::{Footsteps, NoiseTable};
use tally::Tally;

/// Names of the arenas, and of anybody's level.
const COMPOUND: &str = "firefight.yaml";
pub(crate) const WAREHOUSE: &str = "warehouse.yaml";
pub(crate) const STREET: &str = "street.yaml";
pub(crate) const ANY: &str = "level.yaml";
pub(crate) const COMPOUND_FILE: (&str, &str) =
    (COMPOUND, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/firefight/firefight.yaml")));
/// The compound, and the soldier's files.
pub(crate) const ASSETS: &[(&str, &str)] = &reload::with_soldier::<1, 7>([COMPOUND_FILE]);

pub(crate) const RATE: TickRate = TickRate::new(60);
/// The two sides. Who thinks for somebody is another matter: either side may have the mind of a soldier, see [`MindKind`].
const SOLDIER_TEAM: TeamId = TeamId(1);
const PLAYER_TEAM: TeamId = TeamId(2);
const PLACE: Purpose = Purpose::new("firefight.place");
/// The player's handle; soldiers count on from it.
const PLAYER_KEY: HostKey = HostKey(0);
/// Health that a hit takes.
const DAMAGE: f32 = 8.0;
/// Shots shown at most.
const MARKS_MAX: usize = 128;
/// For how many ticks a shot is shown.
const MARK_TICKS: u64 = 7;

/// The scene of `firefight` and of the scenes of one behavior.
struct Firefight {
    mind: FirefightMind,
    armory: Armory,
    gun: WeaponId,
    noises: NoiseTable,
    /// Of those who have a mind, and of a person, who may look around as fast as the hand goes.
    body: [BodyConfig; 2],
    ticks_max: u64,
    is_steered: bool,
    /// How many soldiers there are at first.
    soldiers: u32,
    /// Health that the player begins with.
    player_health: f32,
    /// Whether it is over as soon as somebody has seen the player.
    ends_when_seen: bool,
    /// A crate appears every so many ticks; 0 is never.
    crate_ticks: u64,
    /// The soldier's files, and how often they were edited.
    files: Files,
    edition: u32,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    fighters: Vec<Fighter>,
    /// Whether it was told to all that the other side is dead.
    is_told: bool,
    /// Queries of the soldiers that were answered, and those without a place.
    queries: [u32; 2],
    tally: Tally,
    footing: Footing,
    rubble: Rubble,
    marks: Vec<Mark>,
    felt: Felt,
    input: Held,
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
    stride: Footsteps,
    /// When a shot of the other side last passed near.
    passed_at: Option<Tick>,
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
    bodies: BodySetScratch,
    combat: CombatScratch,
    /// The mind on ground that lives, made of the state when it is missing; none on ground that does not. With the edition of
    /// its files.
    mind: Option<Box<FirefightMind>>,
    edition: u32,
}

fn refused(what: &impl ToString) -> SceneError {
    SceneError::Asset { name: COMPOUND.to_owned(), line: 0, column: 0, what: what.to_string() }
}

pub(crate) fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let settings = &setup.settings;
    let drill = Drill {
        player: Player::named(settings.word("player")),
        soldiers: settings.whole("soldiers"),
        health: settings.number("health") * setting::ease(settings),
        soldier_health: settings.number("soldier_health"),
        seconds: settings.number("seconds"),
        ..Drill::default()
    };
    play(setup, &drill)
}

/// A match that begins and ends as the drill says.
pub(crate) fn play(setup: &Setup, drill: &Drill) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup, drill)?))
}

fn begin(setup: &Setup, drill: &Drill) -> Result<SceneMatch<Firefight>, SceneError> {
    let crate_ticks = RATE.ticks(setup.settings.number("obstacle_s"));
    let Ground { tactical_map, player, soldiers, posts, spots } = Ground::of(setup, crate_ticks > 0)?;
    let files = Files::of(setup);
    let soldiers_mind = variant::variant(tactical_map, &files).map_err(|error| asset_error(&error))?;
    let mut mind = FirefightMind { soldiers: soldiers_mind, spots };
    ground::stretch(&mut mind.soldiers.soldier.tuning, &mind.soldiers.soldier.tactical_map);
    let tactical_map = &mind.soldiers.soldier.tactical_map;
    let level = tactical_map.view().level;
    let (armory, gun) = arms::rifles()?;
    let config = LoopConfig { rate: RATE, index_cell_m: 4.0, ..LoopConfig::default() };
    let mut brains = Loop::<FirefightMind>::new(config, setup.seed);
    let mut rng = brains.streams().stream(0, PLACE);
    let (mut at_player, mut at_soldiers) = (player, soldiers);
    rng.shuffle(&mut at_player);
    rng.shuffle(&mut at_soldiers);
    drill.place(tactical_map, &mut at_player, &mut at_soldiers);
    drill.hide(tactical_map, &mut rng, &mind.spots, [&mut at_player, &mut at_soldiers]);
    if let Some((alert, is_precise)) = drill.brief
        && let Some(place) = at_player.first().map(|pose| pose.position)
    {
        let lead = Lead { who: None, place, velocity: Vec3::ZERO, at: Tick(0), is_precise, is_checked: false };
        let squad = Coordinator::briefed(&mind.soldiers.tables(), alert, Some(lead));
        brains.brief_squad(SquadId::whole(SOLDIER_TEAM), squad);
    }
    let mut world = World {
        bodies: BodySet::new(level),
        fighters: Vec::with_capacity(9),
        is_told: false,
        queries: [0; 2],
        tally: Tally::new(),
        footing: Footing::default(),
        rubble: Rubble::default(),
        marks: Vec::with_capacity(MARKS_MAX),
        felt: Felt::default(),
        // Who does nothing looks where he came in looking.
        input: at_player.first().map_or_else(Held::default, |pose| Input::looking(pose.yaw).held()),
        ending: None,
    };
    let firefight = Firefight {
        armory,
        gun,
        noises: NoiseTable::default(),
        body: [9.0, 60.0].map(|turn_rad_per_s_max| BodyConfig { turn_rad_per_s_max, ..BodyConfig::default() }),
        ticks_max: RATE.ticks(drill.seconds),
        is_steered: drill.player == Some(Player::Input),
        soldiers: drill.soldiers,
        player_health: drill.health,
        ends_when_seen: drill.ends_when_seen,
        crate_ticks,
        files,
        edition: 0,
        mind,
    };
    let kind = drill.player.map_or(MindKind::Soldier, MindKind::Player);
    let player = Entrant { key: PLAYER_KEY, team: PLAYER_TEAM, kind, health: drill.health, pose: at_player.first() };
    firefight.spawn(&mut brains, &mut world, player, &noted_spots(&firefight.mind, &posts));
    let is_base = setup.settings.word("mind") == "base";
    for number in 0..drill.soldiers {
        let share = number as usize * posts.len() / drill.soldiers.max(1) as usize;
        let round: Vec<_> = posts.iter().cycle().skip(share).take(posts.len()).copied().collect();
        let kind = if is_base { MindKind::Player(Player::Base) } else { MindKind::Soldier };
        let (key, pose) = (HostKey(u64::from(number) + 1), at_soldiers.get(number as usize));
        let soldier = Entrant { key, team: SOLDIER_TEAM, kind, health: drill.soldier_health, pose };
        firefight.spawn(&mut brains, &mut world, soldier, &round);
    }
    firefight.prepare(&mut world, drill);
    Ok(SceneMatch::new(firefight, brains, world))
}

/// Where a player with a soldier's mind walks while nothing is known.
fn noted_spots(mind: &FirefightMind, posts: &[Vec3]) -> Vec<Vec3> {
    mind.spots.iter().rev().chain(posts).copied().collect()
}

/// Somebody who is brought in.
#[derive(Clone, Copy)]
struct Entrant<'a> {
    key: HostKey,
    team: TeamId,
    kind: MindKind,
    health: f32,
    /// Where; without a place nobody comes in.
    pose: Option<&'a Pose>,
}

impl Firefight {
    fn level(&self) -> &Level {
        self.mind.soldiers.soldier.tactical_map.view().level
    }

    /// Brings somebody in, who patrols between `posts`.
    fn spawn(&self, brains: &mut Loop<FirefightMind>, world: &mut World, entrant: Entrant<'_>, posts: &[Vec3]) {
        let Entrant { key, team, kind, health, pose } = entrant;
        let Some(&pose) = pose else { return };
        let body = world.bodies.add(key, u8::from(self.is_steered && team == PLAYER_TEAM), pose).body();
        let has_soldier_mind = kind == MindKind::Soldier;
        let soldier =
            if has_soldier_mind { self.mind.soldiers.recruit(posts.to_vec()) } else { SoldierMemory::default() };
        let is_base = kind == MindKind::Player(Player::Base);
        let head = Head { has_soldier_mind, is_base, soldier, ..Head::default() };
        let spec = AgentSpec { team, kind: kind.number(), body, ..AgentSpec::new(key) };
        let Ok(agent) = brains.spawn_with(spec, head) else { return };
        let kit = Kit::full(&self.armory, &[self.gun]);
        let (vitals, stride) = (Vitals::new(health), Footsteps::default());
        world.fighters.push(Fighter { key, agent, team, vitals, kit, stride, passed_at: None });
    }

    /// Wounds and rounds that a drill begins with.
    fn prepare(&self, world: &mut World, drill: &Drill) {
        for it in world.fighters.iter_mut().filter(|it| it.team == SOLDIER_TEAM) {
            it.vitals.health *= drill.health_share;
            if let Some((weapon, ..)) = it.kit.held(&self.armory) {
                weapon.magazine = (weapon.magazine as f32 * drill.magazine_share) as u32;
                weapon.reserve = (weapon.reserve as f32 * drill.reserve_share) as u32;
            }
        }
    }

    /// Tells a side whose enemies are all dead that they are: by the rules, everybody knows.
    fn announce(&self, brains: &mut Loop<FirefightMind>, world: &mut World) {
        for team in [SOLDIER_TEAM, PLAYER_TEAM] {
            if world.is_told || world.fighters.iter().any(|it| it.team != team) {
                continue;
            }
            world.is_told = true;
            for it in &world.fighters {
                brains.notify(it.agent, SoldierNotice::TargetDead.into());
            }
        }
    }

    /// The mind on ground that lives, in step with the state of the world; none on ground that does not.
    fn current_mind(&self, world: &World, kept: Option<Box<FirefightMind>>) -> Option<Box<FirefightMind>> {
        if self.crate_ticks == 0 {
            return None;
        }
        let mut mind = kept.unwrap_or_else(|| Box::new(self.mind.clone()));
        // A level that was baked takes a few crates more; if one did not fit, the ground would stay as it was.
        let _ = mind.soldiers.soldier.tactical_map.follow(&world.rubble.obstacles, &world.bodies.level);
        Some(mind)
    }

    /// Now and then a crate appears, and minds know the ground with it.
    fn change(
        &self,
        brains: &Loop<FirefightMind>,
        world: &mut World,
        kept: Option<Box<FirefightMind>>,
    ) -> Option<Box<FirefightMind>> {
        let mind = kept?;
        let tactical_map = &mind.soldiers.soldier.tactical_map;
        world.rubble.step(self.crate_ticks, tactical_map, &mut world.bodies, &brains.streams(), brains.tick());
        self.current_mind(world, Some(mind))
    }

    /// Takes out the dead.
    fn bury(&self, brains: &mut Loop<FirefightMind>, world: &mut World, scratch: &mut Scratch) {
        while let Some(place) = world.fighters.iter().position(|it| it.vitals.is_dead()) {
            let dead = world.fighters.remove(place);
            world.felt.fall(&dead, &world.bodies, brains.tick());
            brains.despawn_into(dead.agent, scratch);
            world.bodies.remove(dead.key);
        }
    }

    /// Whether it is over.
    fn judge(&self, brains: &Loop<FirefightMind>, world: &mut World) {
        let alive = |team| world.fighters.iter().any(|it| it.team == team);
        let squad = brains.squad(SquadId::whole(SOLDIER_TEAM));
        let is_seen = squad.is_some_and(|squad| squad.team.is_seen());
        world.queries = squad.map_or([0; 2], Coordinator::counts);
        if is_seen {
            world.tally.find(brains.tick());
        }
        world.ending = match () {
            () if !alive(PLAYER_TEAM) => Some(End::Soldiers),
            () if !alive(SOLDIER_TEAM) => Some(End::Player),
            () if self.ends_when_seen && is_seen => Some(End::Seen),
            () if brains.tick().0 >= self.ticks_max => Some(End::Time),
            () => world.ending,
        };
    }
}

impl Scene for Firefight {
    type Mind = FirefightMind;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Firefight>) {
        let StepContext { brains, world, inputs, pool, scratch, cache } = moment;
        if let Some(input) = inputs.iter().rev().find(|input| input.player == 0) {
            world.input = input.held();
        }
        let tick = brains.tick();
        let level = self.level();
        let seen = Seen(LevelView { level, state: &world.bodies.level });
        let kept = cache.mind.take().filter(|_| cache.edition == self.edition);
        let current = self.current_mind(world, kept);
        brains.step(current.as_deref().unwrap_or(&self.mind), &seen, pool, scratch);
        world.bodies.follow(brains, &self.body);
        if self.is_steered {
            world.bodies.steer(PLAYER_KEY, world.input.input());
        }
        world.bodies.step(level, &self.body, RATE, pool, &mut cache.bodies);
        let tactical_map = &current.as_deref().unwrap_or(&self.mind).soldiers.soldier.tactical_map;
        Stage { scene: self, world, brains, combat: &mut cache.combat, tick }.play();
        self.watch(brains, world, scratch.events());
        self.hear(brains, world);
        footing::look(tactical_map, brains, world, self.is_steered);
        self.bury(brains, world, scratch);
        self.feel(brains, world);
        self.announce(brains, world);
        let current = self.change(brains, world, current);
        (cache.mind, cache.edition) = (current, self.edition);
        self.judge(brains, world);
        world.marks.retain(|mark| tick.since(mark.at) < MARK_TICKS);
        world.marks.truncate(MARKS_MAX);
    }

    fn player(&self, _world: &World) -> Option<HostKey> {
        self.is_steered.then_some(PLAYER_KEY)
    }

    fn fits(&self, world: &World) -> bool {
        let tactical_map = &self.mind.soldiers.soldier.tactical_map;
        world.bodies.fits(self.level()) && world.rubble.fits(tactical_map)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.ending.map(|end| match end {
            End::Soldiers => "the soldiers win",
            End::Player => "the player wins",
            End::Seen => "the player was seen",
            End::Time => TIME_UP,
        })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let count = |team| world.fighters.iter().filter(|it| it.team == team).count();
        let mut metrics = vec![
            Metric::new("soldiers_win", f32::from(u8::from(world.ending == Some(End::Soldiers)))),
            Metric::new("player_wins", f32::from(u8::from(world.ending == Some(End::Player)))),
            Metric::new("soldiers_left", count(SOLDIER_TEAM) as f32),
        ];
        metrics.push(Metric::new("queries", world.queries[0] as f32));
        metrics.push(Metric::new("queries_without_a_place", world.queries[1] as f32));
        world.tally.report(&mut metrics);
        world.footing.report(&mut metrics);
        world.rubble.report(&mut metrics);
        metrics
    }

    fn draw(&self, brains: &Loop<FirefightMind>, world: &World, list: &mut DrawList) {
        picture::draw(self, brains, world, list);
    }

    /// Bodies, arms and shots. What teams know shows in what their members want, obstacles in the level, figures in both.
    fn digest(&self, world: &World, hasher: &mut StateHasher) {
        hasher.add(&world.bodies);
        hasher.add(&world.fighters);
        hasher.add(&world.marks);
        hasher.add(&world.felt);
        hasher.add(&(world.input, world.ending));
    }

    fn editable(&self) -> Option<&dyn Editable<Self>> {
        Some(self)
    }

    fn editable_mut(&mut self) -> Option<&mut dyn Editable<Self>> {
        Some(self)
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }

    fn play(&self, view: MatchView<'_, Self>) -> Option<Play> {
        Some(screen::play(self, view))
    }

    fn name_of(&self, _world: &World, agent: &Presence) -> Option<String> {
        (agent.key == PLAYER_KEY).then(|| "player".to_owned())
    }

    /// Whoever thinks for them, one side looks like soldiers and the other like the player.
    fn looks_as(&self, _world: &World, agent: &Presence) -> u16 {
        setting::look_of(agent.team)
    }

    fn sounds(&self, view: MatchView<'_, Self>, list: &mut Vec<Sound>) {
        voice::speak(view, list);
    }

    fn activity(&self, view: MatchView<'_, Self>, agent: &Presence) -> Option<(Activity, f32)> {
        screen::activity(self, view, agent)
    }
}

impl Editable for Firefight {
    fn text(&self, name: &str) -> Option<&str> {
        self.files.text(name)
    }

    fn check(&self, name: &str, text: &str) -> Result<(), SceneError> {
        self.edited(name, text).map(drop)
    }

    fn reload(&mut self, name: &str, text: &str, brains: Option<&mut Loop<FirefightMind>>) -> Result<(), SceneError> {
        self.adopt(name, text, brains)
    }

    fn brain_file(&self, brains: &Loop<FirefightMind>, agent: AgentId) -> Option<&'static str> {
        brains.brain(agent).filter(|head| head.has_soldier_mind).map(|_| reload::TREE)
    }

    fn part_name(&self, part: usize) -> String {
        part_name(&self.mind.soldiers.soldier.outline(), part)
    }
}

impl Inspectable for Firefight {
    fn chart(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Chart> {
        let head = view.brains.brain(agent).filter(|head| head.has_soldier_mind)?;
        Some(self.mind.soldiers.chart(&head.soldier, agent, view.whys))
    }

    fn study(&self, view: MatchView<'_, Self>, agent: AgentId, list: &mut DrawList) {
        overlay::study(self, view.brains, agent, list);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for Firefight {
    fn reach(&self) -> Reach {
        let sight = &self.mind.soldiers.senses.sight;
        let near_m = self.mind.soldiers.gait.avoid.range_m + 0.5;
        Reach { sight_m: sight.range_m, half_rad: sight.half_rad, near_m, hearing: 1.0, talks: true, smell_m: 0.0 }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: self.level(), state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<FirefightMind>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, self.level(), tamper)
    }

    /// Whoever comes in or goes is told to all, by the rules; so is where each soldier is, to his team.
    fn allowed(&self) -> Allowed {
        Allowed { moves: true, adds: false, removes: false, items: 0 }
    }

    fn may_change(&self, it: &Presence) -> bool {
        it.team == PLAYER_TEAM
    }

    fn is_judged(&self, it: &Presence) -> bool {
        it.team == SOLDIER_TEAM
    }
}
