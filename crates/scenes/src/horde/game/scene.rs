//! The horde as a scene: a tick, how it ends, what its judges ask.

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::math;
use sentir::prelude::*;
use sentir_harness::animation::Activity;
use sentir_harness::edit::part_name;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::hud::Play;
use sentir_harness::info::SceneError;
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Editable, Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_level::LevelView;
use sentir_sim::body_set::Seen;

use super::arms::Stage;
use super::leaf::Deed;
use super::mind::{HordeMind, Notice, PARTS};
use super::{
    BARKER, Cache, End, HORDE, Horde, PLAYER, PLAYER_KEY, STEALTHY, TANK, THROWER, World, key_of, picture, screen,
    tally,
};

impl Horde {
    /// How much each zombie matters: who only wanders is moved more seldom. Its own affair, not the player's place.
    fn rank(&self, brains: &mut Loop<HordeMind>, world: &World) {
        let idle = [Deed::Wander.number(), Deed::Search.number()];
        for (_, _, agent) in world.active() {
            let deed = brains.intents(agent).map_or(0, |intents| intents.behavior);
            let importance = if idle.contains(&deed) { Importance::Far } else { Importance::Near };
            brains.set_importance(agent, importance);
        }
    }

    /// Lets the loop observe where everybody is and how.
    fn observe(&self, brains: &mut Loop<HordeMind>, world: &World) {
        if let (Some(agent), Some(walker)) = (world.player.agent, world.bodies.walker(PLAYER_KEY)) {
            brains.observe(agent, Body { health: world.player.vitals.share(), ..walker.body() });
        }
        for (number, zombie, agent) in world.active() {
            if let Some(walker) = world.bodies.walker(key_of(number)) {
                brains.observe(agent, Body { health: zombie.vitals.share(), ..walker.body() });
            }
        }
    }

    /// The prototype: who touches the player, or another tank, is out; the first ends it.
    fn touch(&self, brains: &mut Loop<HordeMind>, world: &mut World) {
        if !self.plan.touch_loses {
            return;
        }
        let Some(player) = world.bodies.walker(PLAYER_KEY).copied() else { return };
        for number in 0..world.zombies.len() {
            let (Some(agent), Some(walker)) = (world.zombies[number].agent, world.bodies.walker(key_of(number))) else {
                continue;
            };
            let apart_m = walker.pose.position.distance(player.pose.position);
            if apart_m < walker.radius_m + player.radius_m + 0.12 && !world.player.vitals.is_dead() {
                brains.notify(agent, Notice::Touched);
                world.tally.suffer(TANK, world.player.vitals.health, brains.tick());
                world.player.vitals.hurt(f32::INFINITY);
            }
        }
    }

    /// Figures of this tick.
    fn measure(&self, brains: &Loop<HordeMind>, world: &mut World, events: &[GameEvent]) {
        world.tally.ticks += 1;
        for event in events {
            world.tally.cries += u32::from(matches!(event.kind, EventKind::Said { word } if word == super::leaf::CRY));
        }
        if let Some(pack) = brains.squad(SquadId::whole(HORDE)) {
            let alarms = pack.alarms.alarms();
            world.tally.alarmed += u64::from(!alarms.is_empty());
            let newest = alarms.iter().map(|alarm| alarm.id.0).max().unwrap_or(0);
            world.tally.alarms = world.tally.alarms.max(newest);
            world.tally.lost_seats = pack.alarms.lost_seats();
        }
        if let Some(player) = world.bodies.walker(PLAYER_KEY).map(|walker| walker.pose.position) {
            let World { surround, bodies, zombies, .. } = world;
            let all = zombies.iter().enumerate().filter(|(_, it)| it.agent.is_some());
            let places = all.filter_map(|(number, _)| bodies.walker(key_of(number))).map(|walker| walker.pose.position);
            surround.watch(player, places, self.plan.rate);
        }
        if self.plan.is_steered
            && let Some(beliefs) = world.player.agent.and_then(|agent| brains.beliefs(agent))
        {
            beliefs.noises.iter().for_each(|heard| world.felt.hear(heard));
        }
    }
}

impl Scene for Horde {
    type Mind = HordeMind;
    type World = World;
    type Cache = Cache;

    fn player(&self, _world: &World) -> Option<HostKey> {
        self.plan.is_steered.then_some(PLAYER_KEY)
    }

    fn step(&self, moment: StepContext<'_, Horde>) {
        let StepContext { brains, world, inputs, pool, scratch, cache } = moment;
        if let Some(input) = inputs.iter().rev().find(|input| input.player == 0) {
            world.input = input.held();
        }
        let tick = brains.tick();
        let is_on = world.ending.is_none();
        if is_on {
            self.welcome(brains, world, scratch);
            self.rank(brains, world);
        }
        let level = &self.mind.ground.level;
        brains.step(&self.mind, &Seen(LevelView { level, state: &world.bodies.level }), pool, scratch);
        world.bodies.follow(brains, &self.body);
        if self.plan.is_steered && is_on {
            world.bodies.steer(PLAYER_KEY, world.input.input());
        }
        world.bodies.step(level, &self.body, self.plan.rate, pool, &mut cache.bodies);
        if is_on {
            Stage { horde: self, world, brains, cache, tick }.play();
            self.touch(brains, world);
        }
        self.observe(brains, world);
        self.fade(world, tick);
        if is_on {
            self.bury(brains, world, scratch);
            self.measure(brains, world, scratch.events());
            world.director.step(tick, self.plan.rate, &self.mind.rules.director);
            self.judge(brains, world);
        }
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.mind.ground.level)
            && world.zombies.len() == self.plan.crowd.iter().map(|it| it.1 as usize).sum::<usize>()
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.ending.map(|end| match end {
            End::Won => "won",
            End::Lost => "lost",
            End::Time => TIME_UP,
        })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        tally::metrics(world, self.plan.rate)
    }

    fn draw(&self, brains: &Loop<HordeMind>, world: &World, list: &mut DrawList) {
        picture::draw(self, brains, world, list);
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

    fn activity(&self, view: MatchView<'_, Self>, agent: &Presence) -> Option<(Activity, f32)> {
        screen::activity(self, view, agent)
    }

    fn name_of(&self, _world: &World, agent: &Presence) -> Option<String> {
        let kind = match agent.kind {
            BARKER => "barker",
            STEALTHY => "stealthy",
            THROWER => "thrower",
            TANK => "tank",
            _ if agent.team == PLAYER => return Some(if self.plan.is_steered { "player" } else { "bot" }.to_owned()),
            _ => "dummy",
        };
        Some(format!("{kind} {}", agent.key.0))
    }
}

impl Editable for Horde {
    fn text(&self, name: &str) -> Option<&str> {
        self.mind.text(name)
    }

    fn check(&self, name: &str, text: &str) -> Result<(), SceneError> {
        self.mind.check(name, text).map(drop)
    }

    fn reload(&mut self, name: &str, text: &str, brains: Option<&mut Loop<HordeMind>>) -> Result<(), SceneError> {
        self.mind.reload(name, text, brains)
    }

    fn brain_file(&self, brains: &Loop<HordeMind>, agent: AgentId) -> Option<&'static str> {
        if self.plan.is_steered && brains.presence(agent)?.team == PLAYER {
            return None;
        }
        brains.brain(agent).and_then(|head| self.mind.registry.mind(head.mind)).map(|mind| mind.file)
    }

    fn part_name(&self, part: usize) -> String {
        let (mind, part) = (part / PARTS as usize, part % PARTS as usize);
        self.mind.registry.0.get(mind).map_or_else(String::new, |it| part_name(&it.brain.outline(None), part))
    }
}

impl Inspectable for Horde {
    fn chart(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Chart> {
        let head = view.brains.brain(agent)?;
        self.brain_file(view.brains, agent)?;
        self.mind.chart(head, agent, view.whys)
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        Deed::name(decision)
    }
}

impl Audited for Horde {
    fn reach(&self) -> Reach {
        let rules = &self.mind.rules;
        let sights = self.plan.crowd.iter().map(|it| self.mind.kind(it.0).sight_m);
        let sight_m = sights.fold(rules.zombie.near_m, math::max);
        let near_m = math::max(rules.zombie.near_m, self.mind.gait.look.range_m) + 0.5;
        Reach { sight_m, half_rad: rules.zombie.half_rad, near_m, hearing: 1.0, talks: true, smell_m: 0.0 }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.ground.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<HordeMind>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.mind.ground.level, tamper)
    }

    /// Who comes and goes is up to the rules; where each zombie is, is told to its pack.
    fn allowed(&self) -> Allowed {
        Allowed { moves: true, adds: false, removes: false, items: 0 }
    }

    fn may_change(&self, it: &Presence) -> bool {
        it.team == PLAYER
    }

    fn is_judged(&self, it: &Presence) -> bool {
        it.team == HORDE && it.kind != TANK
    }
}
