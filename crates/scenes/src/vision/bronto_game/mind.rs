//! The mind of Bronto in a loop: its eyes render what it sees and tell its beliefs what is on the picture, thinking takes that
//! in and follows the curve that came of it, acting walks.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_vision::bronto::{
    Bronto, BrontoConfig, BrontoScratch, Feel, Glance, Mood, Reaction, VITAL_MAX, Way, perceive,
};
use sentir_vision::{Class, ENEMY, Eye, Lens, MotionMode, Scenery, Solid, Thing};

use super::sight::{Drawn, Sight, SightScratch};

/// Eyes, and tuning by kind of agent.
pub(super) struct Seer {
    /// By kind.
    pub(super) configs: Vec<BrontoConfig>,
    pub(super) eyes: Eyes,
    /// Whether anything flies in this scene: else nobody looks out for it.
    pub(super) has_enemies: bool,
}

/// What eyes have, the same for all.
pub(super) struct Eyes {
    pub(super) scenery: Scenery,
    pub(super) lens: Lens,
    /// Fastest motion that is seen as such, m/s.
    pub(super) speed_max_m_per_s: f32,
    /// Ticks from look to look.
    pub(super) look_every: u64,
    pub(super) crate_solid: Solid,
    pub(super) ball_solid: Solid,
}

/// What it feels of itself: how much it has of what it lives on, 0..=100. No health is the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub(super) struct Vitals {
    pub(super) health: u32,
    pub(super) ammo: u32,
}

impl Default for Vitals {
    fn default() -> Self {
        Vitals { health: VITAL_MAX, ammo: VITAL_MAX }
    }
}

/// What it remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Head {
    pub(super) bronto: Bronto,
    pub(super) vitals: Vitals,
    /// When the last look was that it took in.
    seen: Option<Tick>,
    /// How often it turned away from something.
    pub(super) avoids: u32,
    /// The last decision that was told.
    told: u16,
}

const LOOK: Purpose = Purpose::new("bronto.look");
const STEP: Purpose = Purpose::new("bronto.step");
const TURN_RAD_PER_S: f32 = 5.0;

/// Decisions by number: moods first, then reactions.
const DECISIONS: [&str; 10] = [
    "",
    "walk around",
    "look for health",
    "look for ammo",
    "look for any",
    "health, quickly",
    "ammo, quickly",
    "intercept",
    "avoid",
    "dead",
];

/// The name of a decision.
pub(super) fn decision_name(decision: u16) -> &'static str {
    DECISIONS.get(usize::from(decision)).copied().unwrap_or_default()
}

impl Seer {
    /// Makes up its mind about what its eyes told, if that is news.
    fn take_in(&self, view: &ThinkView<'_>, feel: &Feel, head: &mut Head, notes: &mut Notes<'_>) {
        let percept = &view.beliefs.percept;
        if !percept.is_newer(head.seen) {
            return;
        }
        head.seen = percept.at;
        let mut scratch = notes.take_scratch::<BrontoScratch>();
        let was_turning = head.bronto.turning().is_some();
        head.bronto.decide(&self.config(view.kind), percept, feel, &mut view.random(LOOK), &mut scratch);
        notes.put_scratch(scratch);
        let avoids = head.bronto.reaction() == Reaction::Avoid && head.bronto.turning().is_some() && !was_turning;
        head.avoids += u32::from(avoids);
    }

    /// The tuning of a kind.
    pub(super) fn config(&self, kind: u16) -> BrontoConfig {
        self.configs.get(usize::from(kind)).or(self.configs.last()).copied().unwrap_or_default()
    }
}

impl Eyes {
    /// Renders what an eye sees of a place and its props.
    pub(super) fn look(&self, sight: &mut Sight, place: &dyn Geometry, eye: &Eye, way: Way) {
        let mut drawn = Drawn::new(&self.ball_solid);
        place.visit_props(&mut |&Prop { class, position, yaw, velocity }| {
            let class = Class(class);
            let solid = if class == ENEMY { &self.ball_solid } else { &self.crate_solid };
            drawn.add(Thing { solid, position, yaw, velocity, class });
        });
        let mode = if way == Way::Ours { MotionMode::Line } else { MotionMode::View };
        sight.look(eye, &self.scenery, &drawn, mode, self.speed_max_m_per_s);
    }
}

impl Head {
    /// A head that begins, and feels so.
    pub(super) fn feeling(vitals: Vitals) -> Head {
        Head { vitals, ..Head::default() }
    }

    /// Whether health is at its end.
    pub(super) fn is_dead(&self) -> bool {
        self.vitals.health == 0
    }

    /// What it is doing, as a number of [`decision_name`].
    pub(super) fn decision(&self) -> u16 {
        match self.bronto.reaction() {
            _ if self.is_dead() => 9,
            Reaction::Intercept => 7,
            Reaction::Avoid => 8,
            Reaction::DontWorry => match self.bronto.mood() {
                Mood::WalkAround => 1,
                Mood::Health => 2,
                Mood::Ammo => 3,
                Mood::Any => 4,
                Mood::QuickHealth => 5,
                Mood::QuickAmmo => 6,
            },
        }
    }
}

impl Mind for Seer {
    type Senses = ();
    type Brain = Head;
    type Motor = ();
    type Squad = ();
    type Notice = Vitals;

    fn sense(&self, view: &SenseView<'_>, _senses: &mut (), beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        let (body, attention, percept) = (&view.me.body, view.attention, &mut beliefs.percept);
        if !view.is_due(self.eyes.look_every) {
            return;
        }
        percept.begin(view.tick, body.eye());
        // A picture that is not read is not made.
        if attention.is_idle {
            return;
        }
        let config = self.config(view.me.kind);
        let mut scratch = notes.take_scratch::<SightScratch>();
        let eye = config.eye(body.eye(), body.pose.yaw, attention.turn_rad);
        let SightScratch { sight, bronto, .. } = &mut *scratch;
        if let Some(sight) = Sight::provide(sight, self.eyes.lens) {
            self.eyes.look(sight, view.world.geometry, &eye, config.way);
            let (feet_m, is_daring) = (body.pose.position.y, attention.is_daring);
            perceive(&Glance { config: &config, view: &sight.view, feet_m, is_daring }, percept, bronto);
        }
        notes.put_scratch(scratch);
    }

    fn receive(&self, _view: &ThinkView<'_>, vitals: Vitals, head: &mut Head) {
        head.vitals = vitals;
    }

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        let config = self.config(view.kind);
        let pose = view.beliefs.me.pose;
        let Vitals { health, ammo } = head.vitals;
        let feel = Feel { feet: pose.position, yaw: pose.yaw, health, ammo, tick: view.tick, rate: view.rate };
        if !head.is_dead() {
            self.take_in(view, &feel, head, notes);
        }
        let decision = head.decision();
        if decision != head.told {
            head.told = decision;
            notes.event(EventKind::Decided { decision });
        }
        if head.is_dead() {
            intents.stay();
            intents.attention.is_idle = true;
            return;
        }
        let wish = head.bronto.step(&config, &feel, &mut view.random(STEP));
        let curves = head.bronto.curves().count() as f32;
        notes.because(|| Reason { what: "has a way", held: curves > 0.0, value: curves, limit: 0.0 });
        intents.attention = head.bronto.attention(&config, self.has_enemies);
        intents.behavior = decision;
        intents.gaze = Gaze::Along(wish.yaw);
        match wish.to {
            Some(to) => {
                let goal = plane::lift(to, pose.position.y);
                intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s: wish.pace_m_per_s, arrive_m: 0.0 });
            }
            None => intents.stay(),
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        _motor: &mut (),
        motion: &mut Motion,
        _out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
        let pose = view.me.body.pose;
        motion.velocity = Vec3::ZERO;
        if let Some((_, travel)) = view.travel() {
            let way = plane::ground(travel.goal - pose.position);
            let speed = math::min(travel.pace_m_per_s, way.length() * 6.0);
            motion.velocity = plane::lift(plane::direction(way) * speed, 0.0);
        }
        if let Gaze::Along(yaw) = view.gaze() {
            motion.yaw = math::approach_angle(pose.yaw, yaw, TURN_RAD_PER_S * view.rate.tick_s());
        }
    }
}
