//! Bronto, who lives by what it sees: scenes of [`sentir_vision::bronto`] with a body, things to take and balls that fly.
//!
//! Seeing is its sense of the loop: a few times a second its eyes render the level and what lies and flies about in it, and
//! tell its beliefs what is on the picture. Nothing else of the level reaches its brain.

mod ball;
pub(crate) mod driver;
mod host;
mod life;
mod mind;
pub(crate) mod missile;
mod picture;
mod setting;
mod sight;
#[cfg(test)]
mod tests;

use sentir::core::math;
use sentir::prelude::*;
use sentir_level::Level;
use sentir_vision::bronto::{BrontoConfig, Decay, VITAL_MAX, Way};
use sentir_vision::classic::SideRule;
use sentir_vision::{AMMO, HEALTH, Lens, Solid};

use crate::body::BodyConfig;
use crate::cast::Cast;
use crate::scene::{Match, Scene, SceneError, Setting, Setup, level_asset};
use crate::story::Tale;
use ball::{BALL_M, Ball};
use host::{Den, Host, Rules, Supply};
use life::Life;
use mind::{Eyes, Head, Seer, Vitals};
use setting::{COUNT, settings};

const RATE: TickRate = TickRate::new(30);
const PLACE: Purpose = Purpose::new("bronto.place");

const BRONTO: [Setting; COUNT] = settings("600", "0", "100", "100");
const BALLS: [Setting; COUNT] = settings("120", "4", "100", "100");
const DEFECT: [Setting; COUNT] = settings("40", "0", "100", "100");
const HUNGRY: [Setting; COUNT] = settings("40", "0", "100", "60");

/// Walking, looking for things, living on.
pub const SCENE: Scene = Scene {
    name: "bronto",
    title: "Bronto lives by what it sees",
    about: "Bronto walks through rooms, a corridor and stairs. Its health and ammunition fall; it looks for what brings them \
            up again, and runs when it is bad. All it knows comes from a tiny picture of colors, depths and motions, \
            which is shown beside. The setting 'mind' gives it the ways of seeing that synthetic vision began with.",
    controls: "",
    settings: &BRONTO,
    assets: &[
        ("rooms.yaml", include_str!("../../assets/bronto/rooms.yaml")),
        ("hall.yaml", include_str!("../../assets/bronto/hall.yaml")),
        ("warren.yaml", include_str!("../../assets/bronto/warren.yaml")),
    ],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=60", "width=80"], &["seconds=30", "width=80", "mind=source-away", "level=hall"]],
    build: |setup| build(setup, &format!("{}.yaml", setup.settings.word("level"))),
};

/// The same on any level.
pub const LEVEL: Scene = Scene {
    name: "bronto-level",
    title: "Bronto in a level of your own",
    about: "Bronto in any level: one of your own, or of a game, given by --asset level.yaml=PATH (YAML, OBJ, a Quake III \
            BSP). It begins at one of the level's spawns and takes what the level has of health and ammunition.",
    controls: "",
    settings: &BRONTO,
    assets: &[("level.yaml", include_str!("../../assets/bronto/warren.yaml"))],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=30", "width=80"]],
    build: |setup| build(setup, "level.yaml"),
};

/// With balls.
pub const BALL: Scene = Scene {
    name: "bronto-ball",
    title: "Bronto intercepts, avoids, or does not worry",
    about: "Balls fly through the hall and bounce off its walls. While Bronto has health and ammunition enough it goes for the \
            nearest one, to where it will be; when it lacks some, it turns away from those that come at it and does not worry \
            about the others.",
    controls: "",
    settings: &BALLS,
    assets: &[
        ("rooms.yaml", include_str!("../../assets/bronto/rooms.yaml")),
        ("hall.yaml", include_str!("../../assets/bronto/hall.yaml")),
        ("warren.yaml", include_str!("../../assets/bronto/warren.yaml")),
    ],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=60", "width=80", "level=hall"]],
    build: |setup| build(setup, &format!("{}.yaml", setup.settings.word("level"))),
};

/// A defect of seeing by colors alone.
pub const HIGHER_FLOOR: Scene = Scene {
    name: "higher-floor",
    title: "The top of a box is as green as the floor",
    about: "Two Brontos in rooms alike stand before a platform lower than their eyes. By colors its top is floor: on the left, \
            it walks into the platform again and again. On the right it sees by heights, and goes around.",
    controls: "",
    settings: &DEFECT,
    assets: &[("level.yaml", include_str!("../../assets/bronto/higher_floor.yaml"))],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=20", "width=80"]],
    build: |setup| build(setup, "level.yaml"),
};

/// Another.
pub const PERSPECTIVE: Scene = Scene {
    name: "perspective",
    title: "A gap that looks wide enough from near",
    about: "Two columns leave a gap that is narrower than a body. An upright rectangle of floor pixels fits through it once one \
            is near: on the left it gets stuck between them. On the right the way is measured on the ground.",
    controls: "",
    settings: &DEFECT,
    assets: &[("level.yaml", include_str!("../../assets/bronto/perspective.yaml"))],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=20", "width=80"]],
    build: |setup| build(setup, "level.yaml"),
};

/// And a third.
pub const LOOKING_FOR: Scene = Scene {
    name: "looking-for",
    title: "What one sees through an open stair is not within reach",
    about: "Ammunition lies behind an open stair and is seen through it. On the left, Bronto goes straight for it and runs into \
            the stair. On the right it sweeps its own width along the curve, and goes around by two of them.",
    controls: "",
    settings: &HUNGRY,
    assets: &[("level.yaml", include_str!("../../assets/bronto/looking_for.yaml"))],
    rate: RATE,
    ticks_max: 36_000,
    trials: &[&["seconds=20", "width=80"]],
    build: |setup| build(setup, "level.yaml"),
};

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
fn cast(setup: &Setup, level: &Level, random: &mut Stream) -> Vec<(Pose, u16)> {
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

fn build(setup: &Setup, asset: &str) -> Result<Box<dyn Match>, SceneError> {
    let (host, brains, world) = stage(setup, asset)?;
    Ok(Box::new(Tale::new(host, brains, world)))
}

/// All that a match is made of.
fn stage(setup: &Setup, asset: &str) -> Result<(Host, Loop<Seer>, Den), SceneError> {
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
    let mut bodies = Cast::new(&level);
    let mut lives = Vec::new();
    let (health, ammo) = (setup.settings.whole("start_health"), setup.settings.whole("start_ammo"));
    for (number, (pose, kind)) in (0u64..).zip(cast(setup, &level, &mut random)) {
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
    let world = Den { cast: bodies, lives, back_at: vec![Tick(0); supplies.len()], balls, is_over: false };
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
        balls: setup.settings.whole("balls") as usize,
    };
    Ok((host, brains, world))
}
