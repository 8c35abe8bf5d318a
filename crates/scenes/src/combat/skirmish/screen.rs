//! What a screen shows of `skirmish` beside the picture: score and time, the body that a person plays, rounds won and lost.

use sentir::core::math;
use sentir::prelude::*;
use sentir_harness::hud::{
    Banner, Gauge, Hud, Place, Play, Prompt, ResultCard, SIGNS_MAX, Sign, Tone, WeaponLine, push,
};
use sentir_harness::scene::{MatchView, Scene};
use sentir_sim::armory::WeaponKind;
use sentir_sim::reach::near_pieces;
use sentir_sim::round::Phase;
use sentir_sim::weapon::{recoil_at, spread_rad};

use super::mind::Soldier;
use super::{BLUE, Fighter, RATE, RED, Skirmish, World};

/// For how long the beginning of a round is announced, s.
const BANNER_S: f32 = 2.0;
/// How near a door must be to be used, m.
const DOOR_M: f32 = 1.6;

/// All of it.
pub(super) fn play(scene: &Skirmish, view: MatchView<'_, Skirmish>) -> Play {
    let (world, tick) = (view.world, view.brains.tick());
    let me = world.fighters.iter().map(|(_, it)| it).find(|it| scene.is_steered && it.is_player());
    Play {
        hud: me.map(|me| hud(scene, view.brains, world, me)),
        gauges: gauges(scene, world, tick),
        prompt: me.and_then(|me| prompt(scene, view.brains, world, me)),
        banner: banner(world, tick),
        result: scene.ending(world).map(|ending| result(scene, world, ending)),
        ..Play::default()
    }
}

fn gauges(scene: &Skirmish, world: &World, tick: Tick) -> Vec<Gauge> {
    let Some((red, blue)) = world.score.of(RED).zip(world.score.of(BLUE)) else { return Vec::new() };
    let gone_s = RATE.seconds(tick.since(world.round.began_at));
    let left_s = math::max(scene.rules.time_limit_s - gone_s, 0.0);
    let points = |name, score: &sentir_sim::round::TeamScore, place| {
        Gauge::new(name, format!("{} (rounds won: {})", score.points, score.rounds), place)
    };
    vec![
        points("red", red, Place::TopLeft),
        points("blue", blue, Place::TopRight),
        Gauge::new("round", format!("{}, {left_s:.0} s left", world.round.number), Place::TopCenter)
            .with_share(left_s / scene.rules.time_limit_s),
    ]
}

/// The body of who plays, as he knows it. Shots and hits are counted by side, not by body.
fn hud(scene: &Skirmish, brains: &Loop<Soldier>, world: &World, me: &Fighter) -> Hud {
    let tick = brains.tick();
    let presence = brains.presence(me.agent);
    let key = presence.map_or(HostKey(0), |it| it.key);
    let walker = world.bodies.walker(key);
    let (mut hurts, mut noises) = ([None; SIGNS_MAX], [None; SIGNS_MAX]);
    for hurt in brains.hurts().iter().filter(|hurt| hurt.who == me.agent) {
        push(&mut hurts, Sign { from: hurt.from, amount: hurt.amount * me.vitals.health_max, at: hurt.at });
    }
    for heard in brains.beliefs(me.agent).map(|beliefs| &beliefs.noises).into_iter().flatten() {
        push(&mut noises, Sign { from: heard.position, amount: heard.loudness, at: heard.at });
    }
    let mut hud = Hud {
        key,
        health: [me.vitals.health, me.vitals.health_max],
        rounds: [0; 3],
        reload: None,
        spread_rad: 0.0,
        pitch_rad: walker.map_or(0.0, |walker| walker.pitch),
        counts: [0; 3],
        last: [None; 4],
        hurts,
        noises,
        foes: world.fighters.iter().filter(|(_, it)| it.team != me.team).count() as u32,
        left_s: RATE.seconds(super::SCENE.ticks_max.saturating_sub(tick.0)),
        is_won: match world.round.phase {
            Phase::Over { winner } => Some(winner == Some(me.team)),
            _ => None,
        },
        weapons: WeaponLine::all(&me.kit, &scene.armory),
    };
    let mut kit = me.kit;
    let Some((weapon, spec, _)) = kit.held(&scene.armory) else { return hud };
    hud.rounds = [weapon.magazine, spec.magazine_max(), weapon.reserve];
    hud.last[0] = (weapon.ready_at > Tick(0)).then_some(weapon.fired_at);
    if let WeaponKind::Gun(gun) = &spec.kind {
        let pace = walker.map_or(0.0, |walker| walker.velocity.length() / scene.body[0].speed_m_per_s_max);
        hud.spread_rad = spread_rad(gun, recoil_at(weapon, spec, tick, RATE), pace);
        let whole = RATE.ticks(gun.reload_s).max(1) as f32;
        hud.reload = weapon.reload_until.map(|until| math::saturate(1.0 - until.since(tick) as f32 / whole));
    }
    hud
}

/// A door within reach, or a gun to be loaded.
fn prompt(scene: &Skirmish, brains: &Loop<Soldier>, world: &World, me: &Fighter) -> Option<Prompt> {
    let level = &scene.mind.layout.level;
    let view = sentir_level::LevelView { level, state: &world.bodies.level };
    let mut has_door = false;
    near_pieces(&view, brains.presence(me.agent)?.body.eye(), DOOR_M, |near| {
        has_door |= level.pieces().get(usize::from(near.piece.0)).is_some_and(|piece| piece.door.is_some());
    });
    let mut kit = me.kit;
    let is_empty = kit.held(&scene.armory).is_some_and(|(weapon, spec, _)| {
        weapon.magazine == 0 && weapon.reserve > 0 && !weapon.is_reloading() && spec.magazine_max() > 0
    });
    match () {
        () if is_empty => Some(Prompt { key: "R", text: "reload".to_owned() }),
        () if has_door => Some(Prompt { key: "E", text: "open or close the door".to_owned() }),
        () => None,
    }
}

fn banner(world: &World, tick: Tick) -> Option<Banner> {
    let score = || world.score.of(RED).zip(world.score.of(BLUE)).map(|(red, blue)| (red.rounds, blue.rounds));
    let detail = score().map(|(red, blue)| format!("red {red}, blue {blue}"));
    match world.round.phase {
        Phase::Break { until } => {
            Some(Banner { text: format!("Round {} is over", world.round.number), detail, tone: Tone::Plain, until })
        }
        Phase::Plays => {
            let until = world.round.began_at + RATE.ticks(BANNER_S);
            let text = format!("Round {}", world.round.number);
            (tick < until).then_some(Banner { text, detail, tone: Tone::Plain, until })
        }
        Phase::Over { .. } => None,
    }
}

fn result(scene: &Skirmish, world: &World, ending: &str) -> ResultCard {
    let won = match world.round.phase {
        Phase::Over { winner } => winner == Some(RED),
        _ => false,
    };
    let mut rows = vec![("time", format!("{:.0} s", RATE.seconds(world.now.0 + 1)))];
    for (name, side, team) in [("red", &world.sides[0], RED), ("blue", &world.sides[1], BLUE)] {
        let (rounds, kills) = world.score.of(team).map_or((0, 0), |score| (score.rounds, score.kills));
        rows.push((name, format!("{rounds} rounds, {kills} kills, {} shots, {} hits", side.shots, side.hits)));
    }
    let mut title = ending.to_owned();
    title[..1].make_ascii_uppercase();
    ResultCard { title, is_won: scene.is_steered.then_some(won), rows }
}
