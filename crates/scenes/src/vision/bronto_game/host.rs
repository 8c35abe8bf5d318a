//! The story of all scenes with Bronto: its body, what lies and flies about, and what it lives on.

use sentir::core::draw::DrawList;
use sentir::core::{math, plane, state};
use sentir::prelude::*;
use sentir_level::{Level, LevelView};
use sentir_vision::bronto::{Aim, Decay, GLANCE_RAD, Reaction, Way};
use sentir_vision::{Class, ENEMY, Eye, Eyesight, HEALTH, Palette, Viewport};

use super::RATE;
use super::ball::{BALL_M, Ball};
use super::life::Life;
use super::mind::{Head, Seer, Vitals, decision_name};
use super::picture;
use super::sight::Sight;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::hud::{Panel, PanelRow, Play, Tone};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};

/// So near to the feet something is taken, m.
const TAKE_M: f32 = 0.6;

/// Something to pick up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Supply {
    pub(super) class: Class,
    pub(super) position: Vec3,
}

/// What is given and taken, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) health_decay: Decay,
    pub(super) ammo_decay: Decay,
    pub(super) health_gain: u32,
    pub(super) ammo_gain: u32,
    /// Ticks until something taken is back.
    pub(super) respawn: u64,
    /// How long it is, ticks.
    pub(super) ticks_max: u64,
}

/// What never changes.
pub(super) struct Host {
    pub(super) mind: Seer,
    pub(super) level: Level,
    pub(super) body: [BodyConfig; 1],
    pub(super) rules: Rules,
    pub(super) supplies: Vec<Supply>,
    /// Whether two are compared.
    pub(super) is_pair: bool,
    /// How many balls fly.
    pub(super) balls: usize,
}

/// What is remembered beside the brains.
#[derive(State)]
#[state(check)]
pub(super) struct World {
    pub(super) bodies: BodySet,
    /// By body.
    pub(super) lives: Vec<Life>,
    /// By supply: from when on it lies there.
    pub(super) back_at: Vec<Tick>,
    pub(super) balls: Vec<Ball>,
    pub(super) is_over: bool,
}

impl World {
    fn check(&self) -> Result<(), &'static str> {
        if self.lives.len() == self.bodies.len() { Ok(()) } else { Err("bodies and lives are not as many") }
    }
}

/// What a step needs and need not remember.
#[derive(Default)]
pub(super) struct Cache {
    bodies: BodySetScratch,
}

/// The level as it stands, with what lies and flies about in it.
struct Site<'a> {
    level: LevelView<'a>,
    supplies: &'a [Supply],
    world: &'a World,
    now: Tick,
}

impl Geometry for Site<'_> {
    fn version(&self) -> u64 {
        self.level.version()
    }

    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        self.level.ray(ray)
    }

    fn overlap(&self, center: Vec3, radius_m: f32) -> bool {
        self.level.overlap(center, radius_m)
    }

    fn visit_props(&self, visit: &mut dyn FnMut(&Prop)) {
        for ball in &self.world.balls {
            visit(&Prop { class: ENEMY.0, position: ball.position, yaw: 0.0, velocity: ball.velocity });
        }
        for (supply, back) in self.supplies.iter().zip(&self.world.back_at) {
            if self.now >= *back {
                let position = picture::middle_of(supply);
                visit(&Prop { class: supply.class.0, position, yaw: 0.0, velocity: Vec3::ZERO });
            }
        }
    }

    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.level.is_clear(from, to)
    }
}

impl Host {
    fn site<'a>(&'a self, world: &'a World, now: Tick) -> Site<'a> {
        let level = LevelView { level: &self.level, state: &world.bodies.level };
        Site { level, supplies: &self.supplies, world, now }
    }

    /// What an eye sees now, for pictures.
    pub(super) fn seen(&self, world: &World, eye: &Eye, way: Way, now: Tick) -> Option<Viewport> {
        let mut sight = Sight::new(self.mind.eyes.lens)?;
        self.mind.eyes.look(&mut sight, &self.site(world, now), eye, way);
        Some(sight.view)
    }

    /// Who walks over something takes it; who has no health left is dead. Everybody feels how much is left.
    fn take(&self, brains: &mut Loop<Seer>, world: &mut World) {
        let now = brains.tick();
        let World { bodies, lives, back_at, balls, .. } = world;
        for ((key, walker), life) in bodies.iter().zip(lives) {
            if life.died.is_some() {
                continue;
            }
            let feet = walker.pose.position;
            life.walked(feet, now, RATE);
            for (supply, back) in self.supplies.iter().zip(back_at.iter_mut()) {
                let off = supply.position - feet;
                if now < *back || plane::ground(off).length() > TAKE_M || off.y.abs() > 1.0 {
                    continue;
                }
                *back = now + self.rules.respawn;
                if supply.class == HEALTH {
                    life.health.gain(self.rules.health_gain, &self.rules.health_decay, now);
                    life.health_taken += 1;
                } else {
                    life.ammo.gain(self.rules.ammo_gain, &self.rules.ammo_decay, now);
                    life.ammo_taken += 1;
                }
            }
            let Some(agent) = brains.agent_of(key) else { continue };
            let touches = |ball: &Ball| {
                let near = walker.radius_m + BALL_M + 0.1;
                plane::ground(ball.position - feet).length() < near && (0.0..2.2).contains(&(ball.position.y - feet.y))
            };
            let is_touched = balls.iter().any(touches);
            let vitals = Vitals {
                health: life.health.at(&self.rules.health_decay, now),
                ammo: life.ammo.at(&self.rules.ammo_decay, now),
            };
            let mut is_news = false;
            if let Some(head) = brains.brain(agent) {
                is_news = head.vitals != vitals;
                (life.stuck_times, life.avoids) = (head.bronto.stuck_count(), head.avoids);
                if is_touched && !life.is_touched {
                    let is_after = head.bronto.reaction() == Reaction::Intercept;
                    *(if is_after { &mut life.caught } else { &mut life.hit }) += 1;
                }
            }
            if is_news {
                brains.notify(agent, vitals);
            }
            life.is_touched = is_touched;
            life.died = (vitals.health == 0).then_some(now);
        }
    }
}

impl Scene for Host {
    type Mind = Seer;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Host>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let now = brains.tick();
        brains.step(&self.mind, &self.site(world, now), pool, scratch);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, &mut cache.bodies);
        world.bodies.observe(brains);
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        world.balls.iter_mut().for_each(|ball| ball.fly(&view, RATE.tick_s()));
        self.take(brains, world);
        let is_alive = world.lives.iter().any(|life| life.died.is_none());
        world.is_over |= !is_alive || brains.tick().0 >= self.rules.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level) && world.back_at.len() == self.supplies.len()
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        let is_alive = world.lives.iter().any(|life| life.died.is_none());
        world.is_over.then_some(if is_alive { TIME_UP } else { "dead" })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let now = Tick(self.rules.ticks_max);
        match world.lives.as_slice() {
            [source, ours] => vec![
                Metric::new("source_stuck_times", source.stuck_times as f32),
                Metric::new("source_stuck_s", source.stuck_s(RATE)),
                Metric::new("source_longest_stand_s", source.longest_s(RATE)),
                Metric::new("source_taken", source.taken() as f32),
                Metric::new("ours_stuck_times", ours.stuck_times as f32),
                Metric::new("ours_stuck_s", ours.stuck_s(RATE)),
                Metric::new("ours_longest_stand_s", ours.longest_s(RATE)),
                Metric::new("ours_taken", ours.taken() as f32),
            ],
            lives => {
                let sum = |of: fn(&Life) -> u32| lives.iter().map(of).sum::<u32>() as f32;
                let one = lives.first().copied().unwrap_or_default();
                vec![
                    Metric::new("survived_s", one.lived_s(now, RATE)),
                    Metric::new("survived", f32::from(u8::from(one.died.is_none()))),
                    Metric::new("health_taken", sum(|life| life.health_taken)),
                    Metric::new("ammo_taken", sum(|life| life.ammo_taken)),
                    Metric::new("stuck_times", sum(|life| life.stuck_times)),
                    Metric::new("stuck_s", one.stuck_s(RATE)),
                    Metric::new("longest_stand_s", one.longest_s(RATE)),
                    Metric::new("walked_m", one.walked_m()),
                    Metric::new("caught", sum(|life| life.caught)),
                    Metric::new("hit", sum(|life| life.hit)),
                    Metric::new("avoids", sum(|life| life.avoids)),
                ]
            }
        }
    }

    fn draw(&self, brains: &Loop<Seer>, world: &World, list: &mut DrawList) {
        picture::draw(self, brains, world, list);
    }

    /// What each lives on, as the picture tells it, too.
    fn play(&self, view: MatchView<'_, Self>) -> Option<Play> {
        let (now, Rules { health_decay, ammo_decay, .. }) = (view.brains.tick(), &self.rules);
        let panel = |(number, life): (usize, &Life)| {
            let vital = |name: &str, left: u32| {
                let tone = if left < LOW { Tone::Warn } else { Tone::Good };
                PanelRow::new(name, left.to_string()).with_share(left as f32 / 100.0).with_tone(tone)
            };
            let (health, ammo) = (life.health.at(health_decay, now), life.ammo.at(ammo_decay, now));
            let taken = PanelRow::new("taken", life.taken().to_string());
            let rows = vec![vital("health", health), vital("rounds", ammo), taken];
            let title = self.called(number as u64).to_owned();
            Panel { id: PANELS[number.min(PANELS.len() - 1)], title, rows, buttons: Vec::new() }
        };
        let panels = view.world.lives.iter().enumerate().take(PANELS.len()).map(panel).collect();
        Some(Play { panels, ..Play::default() })
    }

    fn name_of(&self, _world: &World, agent: &Presence) -> Option<String> {
        (agent.key.0 < PANELS.len() as u64).then(|| self.called(agent.key.0).to_owned())
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

/// The panels of those who are told apart.
const PANELS: [&str; 2] = ["first", "second"];
/// Below this it is high time, percent.
const LOW: u32 = 30;

impl Host {
    /// What somebody is called: alone it is Bronto, of two the first goes by the rules of the source.
    fn called(&self, number: u64) -> &'static str {
        match (self.is_pair, number) {
            (true, 0) => "source",
            (true, _) => "ours",
            (false, _) => "bronto",
        }
    }
}

impl Inspectable for Host {
    fn eyesight(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Eyesight> {
        let MatchView { brains, world, .. } = view;
        let Presence { body, kind, .. } = brains.presence(agent)?;
        let Head { bronto, .. } = brains.brain(agent)?;
        let config = self.mind.config(*kind);
        let eye = bronto.eye(&config, body.eye(), body.pose.yaw);
        let view = self.seen(world, &eye, config.way, brains.tick())?;
        let mut sight = Eyesight::of(&view, &Palette::source());
        let lift = |spot: Vec2| plane::lift(spot, body.pose.position.y);
        for curve in bronto.curves() {
            sight.mark(&view, "way", (0..=12u8).map(|piece| lift(curve.at(f32::from(piece) / 12.0))));
        }
        if let Aim::Item(goal) | Aim::Enemy(goal) = bronto.aim() {
            sight.mark(&view, "target", [lift(goal)]);
        }
        Some(sight)
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        decision_name(decision)
    }
}

impl Audited for Host {
    fn reach(&self) -> Reach {
        // The lower corners of the picture are the farthest aside on the ground; the eyes turn, besides.
        let (rise, level) = math::sin_cos(self.mind.config(0).pitch.abs());
        let lens = &self.mind.eyes.lens;
        let tall = math::tan(lens.fov_y_rad / 2.0);
        let wide = tall * lens.width as f32 / lens.height as f32;
        let half_rad = math::atan2(wide, math::max(level - rise * tall, 0.05)) + GLANCE_RAD;
        Reach { sight_m: lens.far_m, half_rad, ..Reach::legs(1.5) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Seer>, world: &mut World, tamper: &Tamper) -> bool {
        if let Tamper::Item { number } = *tamper {
            return turn(world, number);
        }
        let is_done = apply(brains, &mut world.bodies, &self.level, tamper);
        if let Tamper::Added { at, .. } = tamper {
            world.lives.push(Life::new(100, 100, at.position));
        }
        is_done
    }

    fn allowed(&self) -> Allowed {
        Allowed { items: (self.supplies.len() + self.balls) as u16, ..Allowed::LISTED }
    }

    /// What lies about, then what flies about.
    fn items(&self, world: &World) -> Vec<(Vec3, u64)> {
        let lying = self.supplies.iter().zip(&world.back_at).map(|(supply, back)| (supply.position, back.0));
        // An item is looked for a little over its place; a ball is where it is.
        let flying = world.balls.iter().map(|ball| (ball.position - Vec3::Y * 0.3, state::hash(&ball.velocity)));
        lying.chain(flying).collect()
    }
}

/// What lies there is gone for good, or is back; a ball flies back whence it came. Whether anything changed.
fn turn(world: &mut World, number: u16) -> bool {
    const GONE: Tick = Tick(u64::MAX / 2);
    let number = usize::from(number);
    if let Some(back) = world.back_at.get_mut(number) {
        *back = if *back == GONE { Tick(0) } else { GONE };
        return true;
    }
    let ball = world.balls.get_mut(number - world.back_at.len());
    ball.is_some_and(|ball| {
        ball.velocity = -ball.velocity;
        ball.velocity != Vec3::ZERO
    })
}
