//! The tasks that a page's brain files may name.
//!
//! | task | takes | does |
//! |---|---|---|
//! | `go` | `to`, `pace_m_per_s` (2), `arrive_m` (0.5), `look` | walks there, round walls and people; fails if there is no way |
//! | `patrol` | `places`, `pace_m_per_s` (1.4), `pause_s` (1) | walks from place to place, the nearest first; never ends |
//! | `look_around` | `for_s` (3) | stands and looks left and right |
//! | `face` | `at`, `for_s` | stands and looks at a place; without a time, until something else is more urgent |
//! | `act` | `actions`, `for_s` (one thought), `at` | asks the body to do something, looking at a place if one is given |
//! | `call` | `name`, `at`, `number`, `text` | a task of the page's own |
//!
//! What a place, a number or a time is may be written out or be a key, as in `to: $enemy`; one that is not set fails the task.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::think::key::Bind;
use sentir::think::leaf::{Host, Status, Task};
use sentir::think::registry::Leaves;
use sentir::think::thought::Thought;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::fact::enemy_of;
use crate::page::{Page, Phase, TaskCall};

/// A goal that moved less than this is still the same wish, m: who chases somebody does not plan anew at every step.
const SAME_GOAL_M: f32 = 0.3;
/// Who is farther above or below is not there yet, m.
const STOREY_M: f32 = 1.5;
/// How far to either side one looks, rad, and how long for, s.
const GLANCE_RAD: f32 = 1.1;
const GLANCE_S: f32 = 1.0;

/// A page's game, as its brains see it.
#[derive(Debug)]
pub struct PageHost;

impl Host for PageHost {
    type View<'a> = &'a Known<'a>;
    type Out = Intents;
}

/// What tasks may read.
pub struct Known<'a> {
    /// Beliefs.
    pub beliefs: &'a Beliefs,
    /// The own team.
    pub team: TeamId,
    /// The own key.
    pub key: HostKey,
    /// The page's functions.
    pub page: &'a dyn Page,
}

/// All tasks.
pub fn leaves() -> Leaves<PageHost> {
    let mut leaves = Leaves::default();
    leaves.task::<Go>().task::<Patrol>().task::<LookAround>().task::<Face>().task::<Act>().task::<Call>();
    leaves
}

/// Takes back what the body was asked to do.
fn rest(thought: &mut Thought<'_, PageHost>) {
    thought.out.stay();
    thought.out.gaze = Gaze::Ahead;
    thought.out.actions = Actions::default();
}

/// Wants to be at a place; whether it is there, or will never be.
fn walk(goal: Vec3, pace_m_per_s: f32, arrive_m: f32, thought: &mut Thought<'_, PageHost>) -> Status {
    let beliefs = thought.view.beliefs;
    let way = goal - beliefs.me.pose.position;
    if plane::ground(way).length() <= arrive_m && way.y.abs() < STOREY_M {
        thought.out.stay();
        return Status::Success;
    }
    let wanted = Travel { goal, manner: Manner::Shortest, pace_m_per_s, arrive_m };
    if let Some((ticket, travel)) = thought.out.travel() {
        let is_same = Travel { goal, ..travel } == wanted && travel.goal.distance(goal) < SAME_GOAL_M;
        let has_failed = |one: &Outcome| matches!(one, Outcome::Failed { ticket: failed, .. } if *failed == ticket);
        if is_same && beliefs.outcomes().iter().any(has_failed) {
            thought.out.stay();
            return Status::Failure;
        }
        if is_same {
            return Status::Running;
        }
    }
    thought.out.go(wanted);
    Status::Running
}

/// The seconds since a task began.
fn seconds(since: Tick, thought: &Thought<'_, PageHost>) -> f32 {
    thought.rate.seconds(thought.tick.since(since))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoParams {
    to: Bind<Vec3>,
    #[serde(default = "run")]
    pace_m_per_s: Bind<f32>,
    #[serde(default = "near")]
    arrive_m: Bind<f32>,
    look: Option<Bind<Vec3>>,
}

fn run() -> Bind<f32> {
    2.0.into()
}

fn near() -> Bind<f32> {
    0.5.into()
}

/// Walks to a place.
struct Go;

impl Task<PageHost> for Go {
    const NAME: &'static str = "go";
    type Params = GoParams;
    type State = ();

    fn tick(params: &GoParams, (): &mut (), thought: &mut Thought<'_, PageHost>) -> Status {
        let GoParams { to, pace_m_per_s, arrive_m, look } = params;
        let board = &thought.board;
        let look = look.as_ref().map(|look| look.read(board));
        let read = (to.read(board), pace_m_per_s.read(board), arrive_m.read(board), look);
        let (Some(goal), Some(pace), Some(arrive), look) = read else {
            rest(thought);
            return Status::Failure;
        };
        thought.out.gaze = look.flatten().map_or(Gaze::Ahead, |place| eye_level(place, thought));
        walk(goal, math::max(pace, 0.0), math::max(arrive, 0.05), thought)
    }

    fn abort(_: &GoParams, (): &mut (), thought: &mut Thought<'_, PageHost>) {
        rest(thought);
    }
}

/// A look at somebody who stands at a place: over the ground as high as the own eyes.
fn eye_level(place: Vec3, thought: &Thought<'_, PageHost>) -> Gaze {
    Gaze::At(place + Vec3::Y * thought.view.beliefs.me.eye_m)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PatrolParams {
    #[serde(deserialize_with = "places")]
    places: Vec<Vec3>,
    #[serde(default = "stroll")]
    pace_m_per_s: Bind<f32>,
    #[serde(default = "second")]
    pause_s: Bind<f32>,
}

fn stroll() -> Bind<f32> {
    1.4.into()
}

fn second() -> Bind<f32> {
    1.0.into()
}

/// One place at least.
fn places<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec3>, D::Error> {
    let places = Vec::<[f32; 3]>::deserialize(deserializer)?;
    if places.is_empty() || places.iter().flatten().any(|number| !number.is_finite()) {
        return Err(D::Error::custom("found no place to go to: expected a list of places, each as in [1, 0, 2]"));
    }
    Ok(places.into_iter().map(Vec3::from_array).collect())
}

/// Which place comes next, and since when it stands at the last; none while it walks.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Round {
    next: u32,
    since: Option<Tick>,
}

/// Walks from place to place.
struct Patrol;

impl Task<PageHost> for Patrol {
    const NAME: &'static str = "patrol";
    type Params = PatrolParams;
    type State = Round;

    fn start(params: &PatrolParams, round: &mut Round, thought: &mut Thought<'_, PageHost>) {
        let me = thought.view.beliefs.me.pose.position;
        let near = |place: &Vec3| place.distance_squared(me);
        let nearest =
            (0..params.places.len()).min_by(|&a, &b| near(&params.places[a]).total_cmp(&near(&params.places[b])));
        round.next = nearest.unwrap_or(0) as u32;
    }

    fn tick(params: &PatrolParams, round: &mut Round, thought: &mut Thought<'_, PageHost>) -> Status {
        let count = params.places.len();
        // An edited file may have fewer places than the one that the round was begun with.
        let next = round.next as usize % count;
        let (pace, pause) = (params.pace_m_per_s.read(&thought.board), params.pause_s.read(&thought.board));
        let (Some(pace), Some(pause)) = (pace, pause) else {
            rest(thought);
            return Status::Failure;
        };
        thought.out.gaze = Gaze::Ahead;
        let is_there = match round.since {
            Some(_) => true,
            // A place without a way to it is passed over.
            None => walk(params.places[next], math::max(pace, 0.0), 0.4, thought) != Status::Running,
        };
        if is_there {
            let since = *round.since.get_or_insert(thought.tick);
            if seconds(since, thought) >= pause {
                *round = Round { next: ((next + 1) % count) as u32, since: None };
            }
        }
        Status::Running
    }

    fn abort(_: &PatrolParams, _: &mut Round, thought: &mut Thought<'_, PageHost>) {
        rest(thought);
    }
}

/// Since when a task goes on, and where it looked then, rad.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Begun {
    at: Tick,
    yaw: f32,
}

impl Begun {
    fn now(thought: &Thought<'_, PageHost>) -> Begun {
        Begun { at: thought.tick, yaw: thought.view.beliefs.me.pose.yaw }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LookAroundParams {
    #[serde(default = "while_s")]
    for_s: Bind<f32>,
}

fn while_s() -> Bind<f32> {
    3.0.into()
}

/// Stands and looks left and right.
struct LookAround;

impl Task<PageHost> for LookAround {
    const NAME: &'static str = "look_around";
    type Params = LookAroundParams;
    type State = Begun;

    fn start(_: &LookAroundParams, begun: &mut Begun, thought: &mut Thought<'_, PageHost>) {
        *begun = Begun::now(thought);
    }

    fn tick(params: &LookAroundParams, begun: &mut Begun, thought: &mut Thought<'_, PageHost>) -> Status {
        let Some(for_s) = params.for_s.read(&thought.board) else {
            rest(thought);
            return Status::Failure;
        };
        let past_s = seconds(begun.at, thought);
        thought.out.stay();
        let side = if ((past_s / GLANCE_S) as u32).is_multiple_of(2) { GLANCE_RAD } else { -GLANCE_RAD };
        thought.out.gaze = Gaze::Along(math::wrap_angle(begun.yaw + side));
        if past_s < for_s {
            return Status::Running;
        }
        rest(thought);
        Status::Success
    }

    fn abort(_: &LookAroundParams, _: &mut Begun, thought: &mut Thought<'_, PageHost>) {
        rest(thought);
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaceParams {
    at: Bind<Vec3>,
    for_s: Option<Bind<f32>>,
}

/// Stands and looks at a place.
struct Face;

impl Task<PageHost> for Face {
    const NAME: &'static str = "face";
    type Params = FaceParams;
    type State = Begun;

    fn start(_: &FaceParams, begun: &mut Begun, thought: &mut Thought<'_, PageHost>) {
        *begun = Begun::now(thought);
    }

    fn tick(params: &FaceParams, begun: &mut Begun, thought: &mut Thought<'_, PageHost>) -> Status {
        let for_s = params.for_s.as_ref().map_or(Some(f32::INFINITY), |for_s| for_s.read(&thought.board));
        let (Some(place), Some(for_s)) = (params.at.read(&thought.board), for_s) else {
            rest(thought);
            return Status::Failure;
        };
        thought.out.stay();
        thought.out.gaze = eye_level(place, thought);
        if seconds(begun.at, thought) < for_s {
            return Status::Running;
        }
        rest(thought);
        Status::Success
    }

    fn abort(_: &FaceParams, _: &mut Begun, thought: &mut Thought<'_, PageHost>) {
        rest(thought);
    }
}

/// What a body can be asked to do; the page gives it a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Fire,
    Reload,
    Jump,
    Use,
    Melee,
    Throw,
}

/// The names of the actions, in the order of their bits.
pub const ACTIONS: [(&str, Actions); 6] = [
    ("fire", Actions::FIRE),
    ("reload", Actions::RELOAD),
    ("jump", Actions::JUMP),
    ("use", Actions::USE),
    ("melee", Actions::MELEE),
    ("throw", Actions::THROW),
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActParams {
    actions: Vec<Action>,
    for_s: Option<Bind<f32>>,
    at: Option<Bind<Vec3>>,
}

/// Asks the body to do something.
struct Act;

impl Task<PageHost> for Act {
    const NAME: &'static str = "act";
    type Params = ActParams;
    type State = Begun;

    fn start(_: &ActParams, begun: &mut Begun, thought: &mut Thought<'_, PageHost>) {
        *begun = Begun::now(thought);
    }

    fn tick(params: &ActParams, begun: &mut Begun, thought: &mut Thought<'_, PageHost>) -> Status {
        let for_s = params.for_s.as_ref().map_or(Some(0.0), |for_s| for_s.read(&thought.board));
        let at = params.at.as_ref().map(|at| at.read(&thought.board));
        let (Some(for_s), None | Some(Some(_))) = (for_s, at) else {
            rest(thought);
            return Status::Failure;
        };
        let all = params.actions.iter().map(|&action| ACTIONS[action as usize].1);
        thought.out.actions = all.fold(Actions::default(), Actions::with);
        thought.out.gaze = at.flatten().map_or(Gaze::Ahead, |place| eye_level(place, thought));
        if seconds(begun.at, thought) < for_s { Status::Running } else { Status::Success }
    }

    fn abort(_: &ActParams, _: &mut Begun, thought: &mut Thought<'_, PageHost>) {
        rest(thought);
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CallParams {
    name: String,
    at: Option<Bind<Vec3>>,
    number: Option<Bind<f32>>,
    text: Option<String>,
}

/// A task of the page's own.
struct Call;

impl Call {
    fn ask(params: &CallParams, begun: &Begun, phase: Phase, thought: &Thought<'_, PageHost>) -> Status {
        let Known { beliefs, team, key, page } = *thought.view;
        let call = TaskCall {
            name: &params.name,
            phase,
            key: key.0,
            tick: thought.tick.0,
            seconds: seconds(begun.at, thought),
            position: beliefs.me.pose.position,
            yaw: beliefs.me.pose.yaw,
            health: beliefs.me.health,
            enemy: enemy_of(beliefs, team).map(|it| it.position),
            at: params.at.as_ref().and_then(|at| at.read(&thought.board)),
            number: params.number.as_ref().and_then(|number| number.read(&thought.board)),
            text: params.text.as_deref(),
        };
        page.task(&call)
    }
}

impl Task<PageHost> for Call {
    const NAME: &'static str = "call";
    type Params = CallParams;
    /// The second field says whether it was begun: its first tick is the start.
    type State = (Begun, bool);

    fn tick(params: &CallParams, state: &mut (Begun, bool), thought: &mut Thought<'_, PageHost>) -> Status {
        let phase = if state.1 { Phase::Tick } else { Phase::Start };
        if !state.1 {
            *state = (Begun::now(thought), true);
        }
        Call::ask(params, &state.0, phase, thought)
    }

    fn abort(params: &CallParams, state: &mut (Begun, bool), thought: &mut Thought<'_, PageHost>) {
        Call::ask(params, &state.0, Phase::Abort, thought);
    }
}
