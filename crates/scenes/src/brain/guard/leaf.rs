//! What guards and soldiers can do, under the names that their files use. How it is done is up to this game: times in the
//! files are those of the cases they are tested with, and count here, [`PACE`] times as long, from when one is there.

use schemars::JsonSchema;
use sentir::core::plane;
use sentir::prelude::*;
use sentir_think::key::Key;
use sentir_think::leaf::{Host, Status, Task};
use sentir_think::registry::Leaves;
use sentir_think::thought::Thought;
use serde::Deserialize;

/// How much longer things take than in the files.
const PACE: f32 = 5.0;
const WALK_M_PER_S: f32 = 1.6;
const RUN_M_PER_S: f32 = 3.6;
/// How near is there, m; for a fight from middle to middle.
const THERE_M: f32 = 0.5;
pub(crate) const REACH_M: f32 = 1.2;
/// How far beside the safe one looks while standing watch, m.
const LOOK_M: f32 = 5.0;

/// The game, as its brains see it.
#[derive(Debug)]
pub(crate) struct Game;

impl Host for Game {
    type View<'a> = &'a Known<'a>;
    type Out = Intents;
}

/// What leaves may read.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(crate) beliefs: &'a Beliefs,
    /// Public: where things are.
    pub(crate) posts: &'a Posts,
    /// Where the last noise seemed to come from, m.
    pub(crate) noise: Option<Vec3>,
}

/// Places of the level that matter, m.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Posts {
    pub(crate) door: Vec3,
    pub(crate) safe: Vec3,
    pub(crate) phone: Vec3,
    pub(crate) aid: Vec3,
    pub(crate) gate: Vec3,
}

/// What can be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Deed {
    /// To the door, and stand there.
    #[default]
    Door,
    /// To the safe, and stand there.
    Safe,
    /// To where the noise was, and look around.
    Investigate,
    /// To the phone, and talk.
    Talk,
    /// After whom one sees, and hit.
    Attack,
    /// To the first-aid box, fast.
    Flee,
    /// Stand watch.
    Patrol,
    /// Take aim.
    Aim,
    /// Fire.
    Shoot,
    /// To the enemy, fast.
    Run,
    /// Use the knife.
    Stab,
}

impl Deed {
    pub(crate) const ALL: [Deed; 11] = [
        Deed::Door,
        Deed::Safe,
        Deed::Investigate,
        Deed::Talk,
        Deed::Attack,
        Deed::Flee,
        Deed::Patrol,
        Deed::Aim,
        Deed::Shoot,
        Deed::Run,
        Deed::Stab,
    ];

    pub(crate) fn name(self) -> &'static str {
        ["door", "safe", "investigate", "talk", "attack", "flee", "patrol", "aim", "shoot", "run", "stab"]
            [self as usize]
    }

    /// The deed that an intent says.
    pub(crate) fn of(intents: &Intents) -> Option<Deed> {
        usize::from(intents.behavior).checked_sub(1).and_then(|index| Deed::ALL.get(index)).copied()
    }

    /// Where it is done, how fast one goes there, and how near is there.
    fn way(self, known: &Known<'_>) -> (Vec3, f32, f32) {
        let me = known.beliefs.me.pose.position;
        let foe = foe(known).map_or(me, |foe| foe.position);
        match self {
            Deed::Door | Deed::Patrol => (known.posts.door, WALK_M_PER_S, THERE_M),
            Deed::Safe => (known.posts.safe, WALK_M_PER_S, THERE_M),
            Deed::Investigate => (known.noise.unwrap_or(me), WALK_M_PER_S * 1.3, 1.0),
            Deed::Talk => (known.posts.phone, WALK_M_PER_S * 1.3, THERE_M),
            Deed::Flee => (known.posts.aid, RUN_M_PER_S, THERE_M),
            Deed::Attack | Deed::Run => (foe, RUN_M_PER_S, REACH_M * 0.9),
            Deed::Aim | Deed::Shoot | Deed::Stab => (me, WALK_M_PER_S, THERE_M),
        }
    }

    /// What the hands do once one is there.
    fn action(self) -> Actions {
        match self {
            Deed::Talk => Actions::USE,
            Deed::Attack | Deed::Stab => Actions::MELEE,
            Deed::Shoot => Actions::FIRE,
            _ => Actions::default(),
        }
    }
}

/// Whom one thinks of as the enemy: the one in sight, or else the one seen last.
pub(crate) fn foe<'a>(known: &Known<'a>) -> Option<&'a Other> {
    known.beliefs.others().iter().max_by_key(|other| (other.is_visible, other.at))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActParams {
    /// What is done.
    what: Deed,
    /// For how long once one is there; for ever without.
    for_s: Option<f32>,
    /// Set to false at the end.
    clears: Option<Key<bool>>,
    /// Set to true at the end.
    sets: Option<Key<bool>>,
    /// Set to false at the beginning.
    forgets: Option<Key<bool>>,
}

/// Goes where something is done, and does it for a while.
struct Act;

impl Task<Game> for Act {
    const NAME: &'static str = "act";
    type Params = ActParams;
    /// When it was there, plus one; 0 before.
    type State = Tick;

    fn start(params: &ActParams, _: &mut Tick, thought: &mut Thought<'_, Game>) {
        if let Some(key) = params.forgets {
            thought.board.write(key, false);
        }
    }

    fn tick(params: &ActParams, there: &mut Tick, thought: &mut Thought<'_, Game>) -> Status {
        let is_over = do_there(params.what, params.for_s, there, thought);
        if !is_over {
            return Status::Running;
        }
        for (key, value) in [(params.clears, false), (params.sets, true)] {
            if let Some(key) = key {
                thought.board.write(key, value);
            }
        }
        Status::Success
    }

    fn abort(_: &ActParams, _: &mut Tick, thought: &mut Thought<'_, Game>) {
        thought.out.stay();
    }
}

/// Goes to where a deed is done and does it; whether its time is over.
fn do_there(deed: Deed, for_s: Option<f32>, there: &mut Tick, thought: &mut Thought<'_, Game>) -> bool {
    let known = thought.view;
    let (goal, pace_m_per_s, within_m) = deed.way(known);
    let me = known.beliefs.me.pose.position;
    thought.out.behavior = deed as u16 + 1;
    thought.out.gaze = match (deed, foe(known)) {
        (Deed::Attack | Deed::Aim | Deed::Shoot | Deed::Run | Deed::Stab, Some(foe)) => Gaze::At(foe.position),
        _ => Gaze::Ahead,
    };
    if plane::ground(goal - me).length() > within_m {
        *there = Tick(0);
        let arrive_m = within_m * 0.6;
        thought.out.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m });
        return false;
    }
    thought.out.stay();
    if *there == Tick(0) {
        *there = thought.tick + 1;
    }
    let seconds = thought.rate.seconds(thought.tick.0 + 1 - there.0);
    if deed == Deed::Patrol {
        // Who stands watch has the room in view, and looks from one side of it to the other.
        let side = if ((seconds * 0.4) as u32).is_multiple_of(2) { LOOK_M } else { -LOOK_M };
        thought.out.gaze = Gaze::At(known.posts.safe + Vec3::Z * side);
    }
    if deed == Deed::Investigate {
        // A slow look from side to side.
        let yaw = known.beliefs.me.pose.yaw + if ((seconds * 0.5) as u32).is_multiple_of(2) { 0.8 } else { -0.8 };
        thought.out.gaze = Gaze::Along(sentir::core::math::wrap_angle(yaw));
    }
    thought.out.actions = deed.action();
    for_s.is_some_and(|seconds| thought.tick.0 + 1 - there.0 >= thought.rate.ticks(seconds * PACE))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PatrolParams {
    /// Which leg one is on: 0 to the door, 1 to the safe.
    leg: Key<i32>,
    /// How long one stands at its end.
    for_s: f32,
}

/// Walks between the door and the safe for ever.
struct Patrol;

impl Task<Game> for Patrol {
    const NAME: &'static str = "patrol";
    type Params = PatrolParams;
    type State = Tick;

    fn tick(params: &PatrolParams, there: &mut Tick, thought: &mut Thought<'_, Game>) -> Status {
        let leg = thought.board.read(params.leg).unwrap_or(0);
        let deed = if leg == 0 { Deed::Door } else { Deed::Safe };
        if do_there(deed, Some(params.for_s), there, thought) {
            thought.board.write(params.leg, 1 - leg.clamp(0, 1));
            *there = Tick(0);
        }
        Status::Running
    }

    fn abort(_: &PatrolParams, _: &mut Tick, thought: &mut Thought<'_, Game>) {
        thought.out.stay();
    }
}

/// All that the files may name.
pub(crate) fn leaves() -> Leaves<Game> {
    let mut leaves = Leaves::default();
    leaves.task::<Act>().task::<Patrol>();
    leaves
}
