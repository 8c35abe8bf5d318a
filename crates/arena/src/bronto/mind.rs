//! The mind of Bronto in a loop: the host of its eyes writes what it saw into the brain, thinking follows the curve that
//! came of it, acting walks.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_vision::bronto::{Bronto, BrontoConfig, Feel, Mood, Reaction};

/// Tuning, by kind of agent.
pub(super) struct Seer {
    /// By kind.
    pub(super) configs: Vec<BrontoConfig>,
}

/// What it remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Head {
    pub(super) bronto: Bronto,
    /// Health is at its end.
    pub(super) is_dead: bool,
    /// The last decision that was told.
    told: u16,
}

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
    /// The tuning of a kind.
    pub(super) fn config(&self, kind: u16) -> BrontoConfig {
        self.configs.get(usize::from(kind)).or(self.configs.last()).copied().unwrap_or_default()
    }
}

impl Head {
    /// What it is doing, as a number of [`decision_name`].
    pub(super) fn decision(&self) -> u16 {
        match self.bronto.reaction() {
            _ if self.is_dead => 9,
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
    type Notice = ();

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        let config = self.config(view.kind);
        let pose = view.beliefs.me.pose;
        let decision = head.decision();
        if decision != head.told {
            head.told = decision;
            notes.event(EventKind::Decided { decision });
        }
        if head.is_dead {
            intents.stay();
            return;
        }
        // Health and ammunition are told with each look; legs do not ask.
        let feel = Feel { feet: pose.position, yaw: pose.yaw, health: 0, ammo: 0, tick: view.tick, rate: view.rate };
        let wish = head.bronto.step(&config, &feel, &mut view.random(STEP));
        let curves = head.bronto.curves().count() as f32;
        notes.because(|| Reason { what: "has a way", held: curves > 0.0, value: curves, limit: 0.0 });
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
