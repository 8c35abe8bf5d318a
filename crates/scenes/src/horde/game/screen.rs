//! What a screen shows of the horde beside the picture, and how its figures move.

use sentir::core::math;
use sentir::prelude::*;
use sentir_harness::animation::Activity;
use sentir_harness::hud::{Banner, Gauge, Hud, Place, Play, Prompt, ResultCard, Tone, WeaponLine};
use sentir_harness::scene::MatchView;
use sentir_sim::armory::WeaponKind;
use sentir_sim::weapon::{recoil_at, spread_rad};

use super::ground::PointKind;
use super::leaf::Deed;
use super::{End, HORDE, Horde, PLAYER_KEY, World};

/// For how long a banner is shown, s.
const BANNER_S: f32 = 3.0;
/// How long a bite or a throw is seen, s.
const BITE_S: f32 = 0.4;

/// The screen of a moment.
pub(super) fn play(horde: &Horde, view: MatchView<'_, Horde>) -> Play {
    let MatchView { brains, world, .. } = view;
    Play {
        hud: horde.plan.is_steered.then(|| hud(horde, brains.tick(), world)),
        fallen: world.felt.fallen().to_vec(),
        gauges: gauges(horde, world),
        prompt: prompt(horde, brains.tick(), world),
        banner: banner(horde, world),
        result: result(horde, world),
        ..Play::default()
    }
}

fn gauges(horde: &Horde, world: &World) -> Vec<Gauge> {
    let vitals = &world.player.vitals;
    let share = vitals.share();
    let tone = if share < 0.25 {
        Tone::Bad
    } else if share < 0.5 {
        Tone::Warn
    } else {
        Tone::Good
    };
    let health = format!("{:.0} / {:.0}", vitals.health, vitals.health_max);
    let mut list = vec![
        Gauge::new("health", health, Place::BottomLeft).with_share(share).with_tone(tone),
        Gauge::new("enemies left", world.left().to_string(), Place::TopCenter),
        Gauge::new("round", format!("{} of {}", world.round.number, horde.plan.rounds), Place::TopLeft),
        Gauge::new("kills", world.tally.kills.to_string(), Place::TopRight),
    ];
    let mut kit = world.player.kit;
    if let Some((weapon, spec, _)) = kit.held(&horde.armory).filter(|_| horde.plan.is_steered) {
        let text = format!("{} {} / {}", spec.name, weapon.magazine, weapon.reserve);
        let share = weapon.magazine_share(spec);
        let tone = if share < 0.2 { Tone::Warn } else { Tone::Plain };
        list.push(Gauge::new("ammunition", text, Place::BottomRight).with_share(share).with_tone(tone));
    }
    if horde.plan.has_director {
        let director = &world.director;
        let share = director.intensity() / math::max(horde.mind.rules.director.peak, 0.1);
        list.push(Gauge::new("intensity", director.stage().name(), Place::TopRight).with_share(share));
    }
    list
}

fn prompt(horde: &Horde, tick: Tick, world: &World) -> Option<Prompt> {
    let point = horde.usable(world, tick).filter(|_| horde.plan.is_steered && world.ending.is_none())?;
    let text = match horde.mind.ground.points[point].kind {
        PointKind::Health => "heal",
        PointKind::Ammo => "refill ammunition",
    };
    Some(Prompt { key: "E", text: text.to_owned() })
}

fn banner(horde: &Horde, world: &World) -> Option<Banner> {
    if world.ending.is_some() || horde.plan.is_battery {
        return None;
    }
    let number = world.round.number;
    if let Some(until) = world.round.break_until {
        let detail = format!("round {} follows, and they come back stronger", number + 1);
        return Some(Banner { text: format!("Round {number} won"), detail: Some(detail), tone: Tone::Good, until });
    }
    let until = world.round.since + horde.plan.rate.ticks(BANNER_S);
    let is_fresh = world.tally.ticks < until.0;
    let detail = Some(format!("{} zombies", world.left()));
    is_fresh.then(|| Banner { text: format!("Round {number}"), detail, tone: Tone::Warn, until })
}

fn result(horde: &Horde, world: &World) -> Option<ResultCard> {
    let end = world.ending?;
    let title = match end {
        End::Won => "You survived",
        End::Lost => "You died",
        End::Time => "Time is up",
    };
    let tally = &world.tally;
    let accuracy = 100.0 * tally.hits as f32 / tally.shots.max(1) as f32;
    let rows = vec![
        ("rounds survived", tally.rounds_won.to_string()),
        ("kills", tally.kills.to_string()),
        ("shots", tally.shots.to_string()),
        ("accuracy", format!("{accuracy:.0} %")),
        ("bites taken", tally.bitten().to_string()),
        ("health lost", format!("{:.0}", tally.damage)),
        ("heals", tally.heals.to_string()),
        ("time", format!("{:.0} s", horde.plan.rate.seconds(tally.ticks))),
    ];
    Some(ResultCard { title: title.to_owned(), is_won: (end != End::Time).then_some(end == End::Won), rows })
}

/// The player's body as he knows it.
fn hud(horde: &Horde, tick: Tick, world: &World) -> Hud {
    let (felt, tally, vitals) = (&world.felt, &world.tally, &world.player.vitals);
    let walker = world.bodies.walker(PLAYER_KEY);
    let (rate, mut kit) = (horde.plan.rate, world.player.kit);
    let in_hand = kit.in_hand_mut().map(|it| it.id);
    let lines = kit.places.iter().flatten().filter_map(|it| {
        let spec = horde.armory.spec(it.id)?;
        Some(WeaponLine {
            name: spec.name.clone(),
            rounds: it.weapon.magazine,
            magazine: spec.magazine_max(),
            carried: it.weapon.reserve,
            is_held: Some(it.id) == in_hand,
        })
    });
    let mut hud = Hud {
        key: PLAYER_KEY,
        health: [vitals.health, vitals.health_max],
        rounds: [0; 3],
        reload: None,
        spread_rad: 0.0,
        pitch_rad: walker.map_or(0.0, |walker| walker.pitch),
        counts: [tally.shots, tally.hits, tally.kills],
        last: [felt.fired, felt.hit, None, felt.kill],
        hurts: felt.hurts,
        noises: felt.noises,
        foes: world.left(),
        left_s: rate.seconds(horde.plan.ticks_max.saturating_sub(tick.0)),
        is_won: world.ending.map(|end| end == End::Won),
        weapons: lines.collect(),
    };
    if let Some((weapon, spec, _)) = kit.held(&horde.armory) {
        hud.rounds = [weapon.magazine, spec.magazine_max(), weapon.reserve];
        if let WeaponKind::Gun(gun) = &spec.kind {
            let speed = horde.mind.rules.player.speed_m_per_s;
            let pace = walker.map_or(0.0, |walker| walker.velocity.length() / speed);
            hud.spread_rad = spread_rad(gun, recoil_at(weapon, spec, tick, rate), pace);
            let whole = rate.ticks(gun.reload_s).max(1) as f32;
            hud.reload = weapon.reload_until.map(|until| math::saturate(1.0 - until.since(tick) as f32 / whole));
        }
    }
    hud
}

/// What a zombie's figure is about.
pub(super) fn activity(horde: &Horde, view: MatchView<'_, Horde>, agent: &Presence) -> Option<(Activity, f32)> {
    if agent.team != HORDE {
        return None;
    }
    let (tick, rate) = (view.brains.tick(), horde.plan.rate);
    let share = |since: Tick, whole_s: f32| tick.since(since) as f32 / rate.ticks(whole_s).max(1) as f32;
    let head = view.brains.brain(agent.agent)?;
    if let Some(since) = head.memory.howl_since {
        return Some((Activity::Howl, math::saturate(share(since, horde.mind.rules.alarm.howl_s))));
    }
    let zombie = view.world.zombies.get((agent.key.0 as usize).checked_sub(1)?)?;
    let is_throw = head.deed == Deed::Throw.number();
    let bitten = zombie.bitten_at.map(|at| share(at, BITE_S)).filter(|share| *share <= 1.0);
    bitten.map(|share| (if is_throw { Activity::Throw } else { Activity::Strike }, share))
}
