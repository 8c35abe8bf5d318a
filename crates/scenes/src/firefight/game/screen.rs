//! What a screen shows of a firefight beside the picture: figures around it, what can be done now, what was announced, how it
//! ended. Of who plays it tells what his body feels and what the rules tell everybody; nothing of what soldiers think.

use sentir::core::event::EventTag;
use sentir::prelude::*;
use sentir_harness::animation::{self, Activity};
use sentir_harness::hud::{Banner, Gauge, Hud, Place, Play, Prompt, ResultCard, Tone, WeaponLine};

use super::arms::SUPPLY_M;
use super::{End, Firefight, PLAYER_KEY, PLAYER_TEAM, RATE, SOLDIER_TEAM, World, felt};
use sentir_harness::scene::MatchView;

/// For how long an announcement is shown, s.
const BANNER_S: f32 = 2.5;
/// Time is short below this, s.
const SHORT_S: f32 = 20.0;

/// All of it.
pub(super) fn play(scene: &Firefight, view: MatchView<'_, Firefight>) -> Play {
    let (world, tick) = (view.world, view.brains.tick());
    let hud = scene.is_steered.then(|| Hud { weapons: weapons(scene, world), ..felt::hud(scene, view.brains, world) });
    let prompt = hud.as_ref().and_then(|hud| prompt(scene, world, hud));
    Play {
        gauges: gauges(scene, world, tick),
        prompt,
        banner: if world.ending.is_none() { banner(scene, world, tick) } else { None },
        result: world.ending.map(|end| result(scene, world, end)),
        fallen: world.felt.fallen(),
        hud,
        ..Play::default()
    }
}

fn weapons(scene: &Firefight, world: &World) -> Vec<WeaponLine> {
    let me = world.fighters.iter().find(|it| it.key == PLAYER_KEY);
    me.map_or_else(Vec::new, |me| WeaponLine::all(&me.kit, &scene.armory))
}

fn soldiers_left(world: &World) -> u32 {
    world.fighters.iter().filter(|it| it.team == SOLDIER_TEAM).count() as u32
}

/// Soldiers and time that are left; who watches is told how the player is, too.
fn gauges(scene: &Firefight, world: &World, tick: Tick) -> Vec<Gauge> {
    let (left, all) = (soldiers_left(world), scene.soldiers);
    let left_s = RATE.seconds(scene.ticks_max.saturating_sub(tick.0));
    let time = Gauge::new("time left", clock(left_s), Place::TopRight);
    let mut gauges = vec![
        Gauge::new("soldiers left", format!("{left} of {all}"), Place::TopCenter)
            .with_share(left as f32 / all.max(1) as f32),
        time.with_tone(if left_s < SHORT_S { Tone::Warn } else { Tone::Plain }),
    ];
    let player = world.fighters.iter().find(|it| it.team == PLAYER_TEAM);
    if !scene.is_steered {
        let share = player.map_or(0.0, |it| it.vitals.share());
        let text = player.map_or_else(|| "dead".to_owned(), |it| format!("{:.0}", it.vitals.health));
        let tone = if share < 0.3 { Tone::Bad } else { Tone::Plain };
        gauges.push(Gauge::new("player", text, Place::TopLeft).with_share(share).with_tone(tone));
    }
    gauges
}

/// Seconds as minutes and seconds.
fn clock(seconds: f32) -> String {
    let whole = seconds.ceil() as u32;
    format!("{}:{:02}", whole / 60, whole % 60)
}

/// What the hands can do now that one may not think of.
fn prompt(scene: &Firefight, world: &World, hud: &Hud) -> Option<Prompt> {
    let at = world.bodies.walker(PLAYER_KEY)?.pose.position;
    let [magazine, _, reserve] = hud.rounds;
    let spec = scene.armory.spec(scene.gun)?;
    let supplies = scene.mind.soldiers.soldier.tactical_map.supplies();
    let is_there = supplies.iter().any(|place| place.distance(at) < SUPPLY_M);
    let (key, text) = match () {
        () if hud.reload.is_some() => return None,
        () if magazine == 0 && reserve > 0 => ("R", "reload"),
        () if is_there && reserve < spec.reserve_max() => ("", "taking rounds"),
        () if is_there => ("", "no room for more rounds"),
        () if magazine == 0 => ("", "out of rounds: fetch some"),
        () => return None,
    };
    Some(Prompt { key, text: text.to_owned() })
}

/// The beginning, and each death: by the rules, everybody is told.
fn banner(scene: &Firefight, world: &World, tick: Tick) -> Option<Banner> {
    let shown = |at: Tick| at + RATE.ticks(BANNER_S);
    let fell = world.felt.fallen().into_iter().rev().find(|it| it.team == SOLDIER_TEAM);
    let (text, detail, tone, at) = match fell {
        Some(it) => {
            let detail = format!("{} left", soldiers_left(world));
            (format!("Soldier {} is dead", it.key.0), Some(detail), Tone::Good, it.at)
        }
        None => {
            let detail = (!scene.mind.soldiers.soldier.tactical_map.supplies().is_empty())
                .then(|| "More rounds lie where the green rings are".to_owned());
            (format!("{} against the player", counted(scene.soldiers)), detail, Tone::Plain, Tick(0))
        }
    };
    (tick < shown(at)).then(|| Banner { text, detail, tone, until: shown(at) })
}

fn counted(soldiers: u32) -> String {
    if soldiers == 1 { "One soldier".to_owned() } else { format!("{soldiers} soldiers") }
}

/// How it ended, and the player's figures.
fn result(scene: &Firefight, world: &World, end: End) -> ResultCard {
    let title = match (end, scene.is_steered) {
        (End::Player, true) => "You won",
        (End::Player, false) => "The player won",
        (End::Soldiers, true) => "You are dead",
        (End::Soldiers, false) => "The soldiers won",
        (End::Seen, true) => "You were seen",
        (End::Seen, false) => "The player was seen",
        (End::Time, _) => "Time is up",
    };
    let [shots, hits, kills] = world.tally.player_counts();
    let share = (hits * 100).checked_div(shots).map_or_else(String::new, |percent| format!(" ({percent} %)"));
    let rows = vec![
        ("time", clock(world.tally.seconds())),
        ("shots", shots.to_string()),
        ("hits", format!("{hits}{share}")),
        ("kills", format!("{kills} of {}", scene.soldiers)),
        ("damage dealt", format!("{:.0}", world.tally.player_sum(EventTag::Hit))),
        ("damage taken", format!("{:.0}", world.tally.player_sum(EventTag::Hurt))),
    ];
    ResultCard { title: title.to_owned(), is_won: scene.is_steered.then_some(end == End::Player), rows }
}

/// What somebody's hands are about.
pub(super) fn activity(scene: &Firefight, view: MatchView<'_, Firefight>, agent: &Presence) -> Option<(Activity, f32)> {
    let it = view.world.fighters.iter().find(|it| it.agent == agent.agent)?;
    animation::of_hands(&it.kit, &scene.armory, view.brains.tick(), RATE)
}
