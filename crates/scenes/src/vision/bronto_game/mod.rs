//! Bronto, who lives by what it sees: scenes of [`sentir_vision::bronto`] with a body, things to take and balls that fly.
//!
//! Seeing is its sense of the loop: a few times a second its eyes render the level and what lies and flies about in it, and
//! tell its beliefs what is on the picture. Nothing else of the level reaches its brain.

mod ball;
mod host;
mod life;
mod mind;
pub(crate) mod picture;
mod setting;
pub(crate) mod sight;
#[cfg(test)]
mod tests;

use sentir::core::math;
use sentir::prelude::*;
use sentir_level::Level;
use sentir_vision::bronto::{BrontoConfig, Decay, VITAL_MAX, Way};
use sentir_vision::classic::SideRule;
use sentir_vision::{AMMO, HEALTH, Lens, Solid};

use ball::{BALL_M, Ball};
use host::{Host, Rules, Supply, World};
use life::Life;
use mind::{Eyes, Head, Seer, Vitals};
use sentir_harness::game_match::Match;
use sentir_harness::info::{SceneError, Setting, Setup, level_asset};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::BodySet;
use setting::{COUNT, settings};

pub(crate) const RATE: TickRate = TickRate::new(30);
const PLACE: Purpose = Purpose::new("bronto.place");

pub(crate) const BRONTO: [Setting; COUNT] = settings("600", "0", "100", "100");
pub(crate) const BALLS: [Setting; COUNT] = settings("120", "4", "100", "100");
pub(crate) const DEFECT: [Setting; COUNT] = settings("40", "0", "100", "100");
pub(crate) const HUNGRY: [Setting; COUNT] = settings("40", "0", "100", "60");

/// The things of a level that are health or ammunition; others are not there.
fn supplies(level: &Level) -> Vec<Supply> {
    let class = |kind: &str| match kind {
        "health" => Some(HEALTH),
        "ammo" => Some(AMMO),
        _ => None,
    };
    let known = level.items().iter().filter_map(|item| Some((class(&item.kind)?, item.position)));
    known.map(|(class, position)| Supply { class, position }).collect()
}

/// Where somebody begins, and by which kind of mind: all of 'source' and 'ours', or else one of the level's spawns.
fn starts(setup: &Setup, level: &Level, random: &mut Stream) -> Vec<(Pose, u16)> {
    let of = |team: &str| level.spawns().iter().find(|spawn| spawn.team == team).map(|spawn| spawn.pose);
    if let (Some(source), Some(ours)) = (of("source"), of("ours")) {
        // A hair aside, so that seeds differ.
        let mut shift = || Vec3::X * random.between(-0.1, 0.1);
        let kind = if setup.settings.word("mind") == "source-toward" { 2 } else { 1 };
        return [(source, kind), (ours, 0)]
            .map(|(pose, kind)| (Pose { position: pose.position + shift(), ..pose }, kind))
            .to_vec();
    }
    let kind = match setup.settings.word("mind") {
        "source-away" => 1,
        "source-toward" => 2,
        _ => 0,
    };
    let pose = random.pick(level.spawns()).map(|spawn| spawn.pose).unwrap_or_default();
    vec![(Pose { yaw: random.between(-math::PI, math::PI), ..pose }, kind)]
}

fn rules(setup: &Setup) -> Rules {
    let settings = &setup.settings;
    let decay =
        |every: &str, loss: &str| Decay { every: RATE.ticks(settings.number(every)), loss: settings.whole(loss) };
    Rules {
        health_decay: decay("health_every_s", "health_loss"),
        ammo_decay: decay("ammo_every_s", "ammo_loss"),
        health_gain: settings.whole("health_gain"),
        ammo_gain: settings.whole("ammo_gain"),
        respawn: RATE.ticks(settings.number("respawn_s")),
        ticks_max: RATE.ticks(settings.number("seconds")),
    }
}

fn lens(setup: &Setup) -> Lens {
    let settings = &setup.settings;
    let width = settings.whole("width");
    let fov_y_rad = settings.number("camera_deg") * math::PI / 180.0;
    Lens { width, height: width * 3 / 4, fov_y_rad, near_m: settings.number("near_m"), far_m: settings.number("far_m") }
}

fn eyes(setup: &Setup, level: &Level, lens: Lens) -> Eyes {
    Eyes {
        scenery: sight::scenery(level),
        lens,
        speed_max_m_per_s: setup.settings.number("v_max"),
        look_every: setup.settings.whole("look_every").into(),
        crate_solid: Solid::cuboid(Vec3::splat(0.22)),
        ball_solid: Solid::ball(BALL_M, 6),
    }
}

pub(crate) fn build(setup: &Setup, asset: &str) -> Result<Box<dyn Match>, SceneError> {
    let (host, brains, world) = stage(setup, asset)?;
    Ok(Box::new(SceneMatch::new(host, brains, world)))
}

/// All that a match is made of.
fn stage(setup: &Setup, asset: &str) -> Result<(Host, Loop<Seer>, World), SceneError> {
    let level = level_asset(setup, asset)?;
    let refuse = |what: String| SceneError::Asset { name: asset.to_owned(), line: 0, column: 0, what };
    if level.spawns().is_empty() {
        return Err(refuse("expected at least one spawn".to_owned()));
    }
    let config = setting::bronto(setup).map_err(|why| refuse(why.to_string()))?;
    let lens = lens(setup);
    lens.check().map_err(|why| refuse(why.to_string()))?;
    let config_of = |way: Way| BrontoConfig { way, ..config };
    let ways = [Way::Ours, Way::Source(SideRule::Away), Way::Source(SideRule::Toward)];
    let mut loop_config = LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::default() };
    (loop_config.detail[0].sense_every, loop_config.detail[0].think_every) = (1, 1);
    let mut brains = Loop::<Seer>::new(loop_config, setup.seed);
    let mut random = brains.streams().stream(0, PLACE);
    let mut bodies = BodySet::new(&level);
    let mut lives = Vec::new();
    let (health, ammo) = (setup.settings.whole("start_health"), setup.settings.whole("start_ammo"));
    for (number, (pose, kind)) in (0u64..).zip(starts(setup, &level, &mut random)) {
        let pose = Pose { position: pose.position + Vec3::Y * 0.02, ..pose };
        let walker = bodies.add(HostKey(number), 0, pose);
        lives.push(Life::new(health, ammo, pose.position));
        // Keys differ and bodies are finite: nobody is refused.
        let spec = AgentSpec { body: walker.body(), kind, ..AgentSpec::new(HostKey(number)) };
        let _ =
            brains.spawn_with(spec, Head::feeling(Vitals { health: health.min(VITAL_MAX), ammo: ammo.min(VITAL_MAX) }));
    }
    let supplies = supplies(&level);
    let speed = setup.settings.number("ball_m_per_s");
    let mut throw = |index: u32| {
        let spawn = level.spawns()[index as usize % level.spawns().len()].pose.position;
        Ball::thrown(spawn + Vec3::Y * random.between(0.6, 1.4), speed, &mut random)
    };
    let balls = (0..setup.settings.whole("balls")).map(&mut throw).collect();
    let world = World { bodies, lives, back_at: vec![Tick(0); supplies.len()], balls, is_over: false };
    let host = Host {
        mind: Seer {
            configs: ways.map(config_of).to_vec(),
            eyes: eyes(setup, &level, lens),
            has_enemies: setup.settings.whole("balls") > 0,
        },
        level,
        body: [BodyConfig::default()],
        rules: rules(setup),
        supplies,
        is_pair: world.lives.len() == 2,
        balls: setup.settings.whole("balls") as usize,
    };
    Ok((host, brains, world))
}
