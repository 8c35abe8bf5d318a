//! What zombies and the bot can check and do, under the names that the files of minds use. Checks only read; what becomes of a
//! wish (a seat, an alarm, a heal) is settled between ticks by the pack and by the rules.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_think::leaf::Host;
use sentir_think::thought::Thought;

use super::briefing::Briefing;
use super::ground::{Ground, POINTS_MAX};
use super::rules::{KindRules, Rules};

/// A cry that raises an alarm, and a howl that nobody heeds: words of the team's messages.
pub(crate) const CRY: u16 = 1;
pub(crate) const HOWL: u16 = 2;
/// Height of the chest over the feet, m.
pub(super) const CHEST_M: f32 = 1.2;
/// What the near radius grows by for who chases already, m: so that nobody wavers at its edge.
const KEEP_M: f32 = 1.0;

/// The game, as its brains see it.
#[derive(Debug)]
pub(crate) struct Game;

impl Host for Game {
    type View<'a> = &'a Known<'a>;
    type Out = Wish;
}

/// What leaves may read.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(super) beliefs: &'a Beliefs,
    pub(super) rules: &'a Rules,
    /// The numbers of the own kind.
    pub(super) kind: &'a KindRules,
    /// Public: the map.
    pub(super) ground: &'a Ground,
    /// What an agent does at its node, if the match says so for all.
    pub(super) at_node: Option<AtNode>,
}

/// What leaves may write: intents, and what the agent keeps in mind.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    pub(super) intents: Intents,
    pub(super) memory: Memory,
}

/// What somebody keeps in mind beside the state of its brain.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Memory {
    /// What the pack told it.
    pub(super) briefing: Briefing,
    /// Whether it wants a seat.
    pub(super) claims: bool,
    /// Until when it rests from howling.
    pub(super) rest_until: Tick,
    /// When the howl that goes on began.
    pub(super) howl_since: Option<Tick>,
    /// Where it wanders or roams to, and until when at the latest.
    pub(super) aim: Option<Vec3>,
    pub(super) aim_until: Tick,
    /// Whom the bot shoots at, and since when.
    pub(super) target: Option<AgentId>,
    pub(super) target_since: Tick,
    /// When each point can be used again, as far as it knows.
    pub(super) back_at: [Tick; POINTS_MAX],
    /// When it may throw again.
    pub(super) throw_from: Tick,
    /// Whether it was touched (the prototype).
    pub(super) touched: bool,
}

/// What can be done; names of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Die,
    Attack,
    Chase,
    Wander,
    Howl,
    StartAlarm,
    SpreadAlarm,
    FollowAlarm,
    GoToAlarm,
    Search,
    GoToSeat,
    Stalk,
    Throw,
    Roll,
    Ram,
    Halt,
    Heal,
    Shoot,
    Roam,
}

impl Deed {
    const NAMES: [&'static str; 19] = [
        "dies",
        "bites",
        "chases",
        "wanders",
        "howls",
        "starts an alarm",
        "spreads the alarm",
        "follows the alarm",
        "goes to its node",
        "searches",
        "goes to its seat",
        "stalks",
        "throws",
        "patrols",
        "rams",
        "stands still",
        "heals",
        "shoots",
        "roams",
    ];

    /// The name of a decision, by the number that an intent has.
    pub(crate) fn name(behavior: u16) -> &'static str {
        usize::from(behavior).checked_sub(1).and_then(|place| Deed::NAMES.get(place)).copied().unwrap_or("")
    }

    /// Its number in an intent.
    pub(crate) fn number(self) -> u16 {
        self as u16 + 1
    }
}

/// What an agent does where its node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AtNode {
    /// Stays and searches there.
    Stay,
    /// Goes on to the last known place.
    GoOn,
}

pub(super) type Thinking<'a> = Thought<'a, Game>;

/// The enemy one knows of: the one in sight, or else the one seen last.
pub(super) fn foe<'a>(known: &Known<'a>) -> Option<&'a Other> {
    known.beliefs.others().iter().max_by_key(|other| (other.is_visible, other.at))
}

/// How far off a place is, m.
pub(super) fn far(thought: &Thinking<'_>, place: Vec3) -> f32 {
    thought.view.beliefs.me.pose.position.distance(place)
}

/// The known enemy within a distance.
pub(super) fn foe_within<'a>(thought: &Thinking<'a>, range_m: f32) -> Option<&'a Other> {
    foe(thought.view).filter(|foe| far(thought, foe.position) <= range_m)
}

/// The known enemy as near as one is chased.
pub(super) fn foe_near<'a>(thought: &Thinking<'a>) -> Option<&'a Other> {
    let keeps = thought.out.intents.behavior == Deed::Chase.number();
    foe_within(thought, thought.view.rules.zombie.near_m + if keeps { KEEP_M } else { 0.0 })
}

/// Sets out for a place.
pub(super) fn go(thought: &mut Thinking<'_>, goal: Vec3, pace_m_per_s: f32, arrive_m: f32) {
    thought.out.intents.go(Travel { goal, manner: Manner::Shortest, pace_m_per_s, arrive_m });
}

/// Says what it is at, looks ahead and does nothing with its hands.
pub(super) fn begin(thought: &mut Thinking<'_>, deed: Deed) {
    let intents = &mut thought.out.intents;
    intents.behavior = deed.number();
    intents.gaze = Gaze::Ahead;
    intents.actions = Actions::default();
}

/// Says something to the team.
pub(super) fn say(thought: &mut Thinking<'_>, word: u16, foe: &Other) {
    thought.out.intents.say(Say { word, place: Some(foe.position), who: Some(foe.who), team: Some(foe.team) });
}

const DRAW: Purpose = Purpose::new("horde.draw");

/// A place that can be walked to straight, round a middle; the own place if there is none.
pub(super) fn stroll(thought: &Thinking<'_>, middle: Vec3, radius_m: f32) -> Vec3 {
    let here = thought.view.beliefs.me.pose.position;
    let mut rng = thought.random(DRAW);
    let turn = rng.between(-math::PI, math::PI);
    let way = plane::heading(turn) * (radius_m * rng.unit().sqrt());
    thought.view.ground.walk(here, middle + plane::lift(way, 0.0)).unwrap_or(here)
}
