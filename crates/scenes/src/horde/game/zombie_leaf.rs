//! The leaves of zombies: dummies, barkers, the stealthy one, the thrower, and the tank of the prototype.

use schemars::JsonSchema;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_think::leaf::{Condition, ConditionResult, Status, Task};
use sentir_think::registry::Leaves;
use serde::Deserialize;

use super::leaf::{
    AtNode, CHEST_M, CRY, Deed, Game, HOWL, Thinking, begin, far, foe, foe_near, foe_within, go, say, stroll,
};

/// Bodies between two skins: the radius of the player, m.
const PLAYER_RADIUS_M: f32 = 0.3;
/// How near one comes to who is bitten, from middle to middle, m.
const BITE_AT_M: f32 = 0.85;
/// A wish to wander is given up after so long, s, and after this long one sets out anew.
const WANDER_S: f32 = 9.0;
const LINGER_S: f32 = 1.2;
/// Pace of a search round a node, as a share of the speed.
const SEARCH_SHARE: f32 = 0.5;
/// A seat that moved farther than this is another one, m.
const SEAT_MOVED_M: f32 = 4.0;

macro_rules! conditions {
    ($($(#[$about:meta])* $type:ident $name:literal |$thought:ident| $answer:expr;)+) => {$(
        $(#[$about])*
        struct $type;

        impl Condition<Game> for $type {
            const NAME: &'static str = $name;
            type Params = ();

            fn check((): &(), $thought: &Thinking<'_>) -> ConditionResult {
                $answer
            }
        }
    )+};
}

conditions! {
    /// No health is left.
    Dead "dead" |thought| ConditionResult { held: thought.view.beliefs.me.health <= 0.0, value: thought.view.beliefs.me.health, limit: 0.0 };
    /// The target is as near as a bite reaches.
    InReach "player_in_reach" |thought| {
        let reach_m = thought.view.rules.zombie.bite_reach_m + PLAYER_RADIUS_M + thought.view.kind.radius_m;
        let apart_m = foe(thought.view).filter(|foe| foe.is_visible).map_or(f32::INFINITY, |foe| far(thought, foe.position));
        ConditionResult::below(apart_m, reach_m)
    };
    /// The target is near enough to be chased.
    Near "player_near" |thought| foe_near(thought).is_some().into();
    /// The target is known, by sight or by a fresh memory of it.
    Seen "player_seen" |thought| foe(thought.view).is_some().into();
    /// It has rested from howling.
    MayHowl "may_howl" |thought| (thought.tick >= thought.out.memory.rest_until).into();
    /// No alarm is on, as far as it knows.
    MayStart "may_start" |thought| thought.out.memory.briefing.alarm.is_none().into();
    /// An alarm is on that reaches it.
    AlarmOn "alarm_on" |thought| thought.out.memory.briefing.alarm.is_some().into();
    /// None is.
    NoAlarm "no_alarm" |thought| thought.out.memory.briefing.alarm.is_none().into();
    /// The last known place is near enough to go there.
    AlarmNear "alarm_near" |thought| {
        let apart_m = thought.out.memory.briefing.alarm.map_or(f32::INFINITY, |news| far(thought, news.place));
        ConditionResult::below(apart_m, thought.view.rules.alarm.reach_m)
    };
    /// It has a seat, or there is one.
    SeatFree "seat_free" |thought| {
        let briefing = &thought.out.memory.briefing;
        (briefing.seat.is_some() || briefing.has_free).into()
    };
}

macro_rules! tasks {
    ($($(#[$about:meta])* $type:ident $name:literal $params:ty, $state:ty, |$with:ident, $memory:ident, $thought:ident| $body:expr;)+) => {$(
        $(#[$about])*
        struct $type;

        impl Task<Game> for $type {
            const NAME: &'static str = $name;
            type Params = $params;
            type State = $state;

            fn tick($with: &$params, $memory: &mut $state, $thought: &mut Thinking<'_>) -> Status {
                $body
            }

            fn abort(_: &$params, _: &mut $state, thought: &mut Thinking<'_>) {
                thought.out.memory.howl_since = None;
            }
        }
    )+};
}

/// Nothing to be said: for tasks of machines, where that is an empty map.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoParams {}

/// How somebody howls.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HowlParams {
    /// Whether it rests after each one.
    #[serde(default)]
    has_rest: bool,
    /// How fast it comes nearer meanwhile, as a share of its speed; 0 to stand.
    #[serde(default)]
    pace: f32,
}

/// What somebody does at its node.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NodeParams {
    /// Stays there, or goes on.
    at_node: AtNode,
}

/// How somebody goes to its seat.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SeatParams {
    /// Chases the target from this near on, m; without, from as far as any zombie does.
    chase_m: Option<f32>,
}

/// Where one goes on an alarm.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Course {
    /// The alarm and its cry that it goes by.
    alarm: u32,
    at: Tick,
    /// Where first.
    node: Vec3,
    /// Whether it was there.
    was_there: bool,
}

tasks! {
    /// Lies down.
    Die "die" (), (), |_with, _memory, thought| {
        begin(thought, Deed::Die);
        thought.out.intents.stay();
        Status::Running
    };
    /// Bites, and keeps at it.
    Attack "attack" (), (), |_with, _memory, thought| {
        let Some(foe) = foe(thought.view) else { return Status::Failure };
        begin(thought, Deed::Attack);
        go(thought, foe.position, thought.view.kind.speed_m_per_s, BITE_AT_M);
        thought.out.intents.gaze = Gaze::At(foe.position + Vec3::Y * CHEST_M);
        thought.out.intents.actions = Actions::MELEE;
        Status::Running
    };
    /// Runs after the target.
    Chase "chase" (), (), |_with, _memory, thought| {
        let Some(foe) = foe(thought.view) else { return Status::Failure };
        begin(thought, Deed::Chase);
        go(thought, foe.position, thought.view.kind.speed_m_per_s, BITE_AT_M);
        Status::Running
    };
    /// Walks here and there.
    Wander "wander" (), (), |_with, _memory, thought| {
        begin(thought, Deed::Wander);
        let (middle, wander_m) = (thought.view.beliefs.me.pose.position, thought.view.rules.zombie.wander_m);
        drift(thought, middle, wander_m, thought.view.rules.zombie.wander_m_per_s);
        Status::Running
    };
    /// Howls; nobody heeds it.
    Howl "howl" (), (), |_with, _memory, thought| {
        let Some(foe) = foe(thought.view) else { return Status::Failure };
        if !howl(thought, foe, Deed::Howl, 0.0) {
            return Status::Running;
        }
        say(thought, HOWL, foe);
        rest(thought);
        Status::Success
    };
    /// Howls, and so raises an alarm.
    StartAlarm "start_alarm" HowlParams, (), |with, _memory, thought| {
        let is_resting = with.has_rest && thought.tick < thought.out.memory.rest_until;
        let Some(foe) = foe(thought.view).filter(|_| !is_resting) else { return Status::Failure };
        if !howl(thought, foe, Deed::StartAlarm, with.pace) {
            return Status::Running;
        }
        say(thought, CRY, foe);
        if with.has_rest {
            rest(thought);
        }
        Status::Success
    };
    /// Howls again while it sees the target, so that the alarm follows it.
    SpreadAlarm "spread_alarm" HowlParams, (), |with, _memory, thought| {
        let is_resting = with.has_rest && thought.tick < thought.out.memory.rest_until;
        let is_on = thought.out.memory.briefing.alarm.is_some();
        let Some(foe) = foe(thought.view).filter(|foe| foe.is_visible && is_on && !is_resting) else {
            return Status::Failure;
        };
        if howl(thought, foe, Deed::SpreadAlarm, with.pace) {
            say(thought, CRY, foe);
            if with.has_rest {
                rest(thought);
                return Status::Success;
            }
        }
        Status::Running
    };
    /// Goes to the last known place, and looks around there.
    FollowAlarm "follow_alarm" (), Course, |_with, course, thought| {
        let news = thought.out.memory.briefing.alarm;
        let Some(news) = news.filter(|_| foe_near(thought).is_none()) else { return Status::Failure };
        if course.at != news.at || course.alarm != news.id {
            *course = Course { alarm: news.id, at: news.at, node: news.place, was_there: false };
        }
        begin(thought, Deed::FollowAlarm);
        approach(thought, course, news.place);
        Status::Running
    };
    /// Goes to the reported node nearest to itself; there it stays and searches, or goes on to the last known place.
    GoToAlarm "go_to_alarm" NodeParams, Course, |with, course, thought| {
        let news = thought.out.memory.briefing.alarm;
        let Some(news) = news.filter(|_| foe_near(thought).is_none()) else { return Status::Failure };
        let goes_on = thought.view.at_node.unwrap_or(with.at_node) == AtNode::GoOn;
        if course.at != news.at || course.alarm != news.id {
            let here = thought.view.beliefs.me.pose.position;
            let node = news.nearest_node(here);
            // Who is nearer to the place than to its node need not go back, nor who was at that node before the last cry.
            let skips = goes_on && far(thought, news.place) < far(thought, node);
            let was_there = skips || (course.was_there && course.alarm == news.id && course.node == node);
            *course = Course { alarm: news.id, at: news.at, node, was_there };
        }
        begin(thought, Deed::GoToAlarm);
        let aim = if goes_on { news.place } else { course.node };
        approach(thought, course, aim);
        Status::Running
    };
    /// Takes a seat and goes there; from there on to the last known place.
    GoToSeat "go_to_seat" SeatParams, Course, |with, course, thought| {
        let chase_m = with.chase_m.unwrap_or(thought.view.rules.zombie.near_m);
        let news = thought.out.memory.briefing.alarm;
        let Some(news) = news.filter(|_| foe_within(thought, chase_m).is_none()) else { return Status::Failure };
        thought.out.memory.claims = true;
        begin(thought, Deed::GoToSeat);
        match thought.out.memory.briefing.seat.map(|seat| thought.view.ground.seat(news.place, seat)) {
            Some(seat) => {
                let is_other = course.alarm != news.id || seat.distance(course.node) > SEAT_MOVED_M;
                let was_there = course.was_there && !is_other;
                *course = Course { alarm: news.id, at: news.at, node: seat, was_there };
            }
            // Asked for, and not yet granted.
            None => *course = Course { alarm: news.id, at: news.at, node: news.place, was_there: true },
        }
        approach(thought, course, news.place);
        Status::Running
    };
    /// Keeps out of the target's aim, and comes when the target looks away.
    Stalk "stalk" (), (), |_with, _memory, thought| {
        let Some(foe) = foe(thought.view) else { return Status::Failure };
        begin(thought, Deed::Stalk);
        let (here, special) = (thought.view.beliefs.me.pose.position, thought.view.rules.special);
        let way = plane::ground(here - foe.position);
        let is_aimed_at = math::angle_between(foe.yaw, plane::yaw(way)).abs() < special.stealth_aim_rad;
        let speed = thought.view.kind.speed_m_per_s;
        thought.out.intents.gaze = Gaze::At(foe.position + Vec3::Y * CHEST_M);
        if is_aimed_at && way.length() > 2.5 {
            // Aside, out of the aim, at the distance it waits at.
            let side = if math::angle_between(foe.yaw, plane::yaw(way)) < 0.0 { -1.0 } else { 1.0 };
            let out = plane::heading(plane::yaw(way) + side * 0.5) * special.stealth_wait_m;
            let goal = thought.view.ground.walk(here, foe.position + plane::lift(out, 0.0)).unwrap_or(here);
            go(thought, goal, speed * 0.7, 0.3);
        } else {
            go(thought, foe.position, speed, BITE_AT_M);
        }
        Status::Running
    };
    /// Throws from afar, comes nearer when it is too far off.
    Throw "throw" (), Tick, |_with, since, thought| {
        let Some(foe) = foe(thought.view) else { return Status::Failure };
        begin(thought, Deed::Throw);
        let (apart_m, special) = (far(thought, foe.position), thought.view.rules.special);
        let may = foe.is_visible && thought.tick >= thought.out.memory.throw_from;
        if apart_m < special.throw_min_m || apart_m > special.throw_max_m || !may {
            *since = Tick(0);
            let gap_m = if apart_m < special.throw_min_m { BITE_AT_M } else { special.throw_max_m * 0.6 };
            go(thought, foe.position, thought.view.kind.speed_m_per_s, gap_m);
            return Status::Running;
        }
        thought.out.intents.stay();
        let rise = lob(apart_m, special.throw_m_per_s);
        let me = &thought.view.beliefs.me;
        let ahead = plane::direction(plane::ground(foe.position - me.pose.position));
        let eye = me.pose.position + Vec3::Y * me.eye_m;
        thought.out.intents.gaze = Gaze::At(eye + plane::lift(ahead, math::tan(rise)) * 10.0);
        if *since == Tick(0) {
            *since = thought.tick;
        } else if thought.tick.since(*since) >= thought.rate.ticks(0.7) {
            thought.out.intents.actions = Actions::THROW;
            thought.out.memory.throw_from = thought.tick + thought.rate.ticks(special.throw_every_s);
            *since = Tick(0);
        }
        Status::Running
    };
    /// The tank patrols.
    Roll "roll" NoParams, (), |_with, _memory, thought| {
        begin(thought, Deed::Roll);
        let middle = thought.view.beliefs.me.pose.position;
        drift(thought, middle, 14.0, thought.view.kind.speed_m_per_s * 0.6);
        Status::Running
    };
    /// The tank comes straight at the target.
    Ram "ram" NoParams, (), |_with, _memory, thought| {
        begin(thought, Deed::Ram);
        if let Some(foe) = foe(thought.view) {
            let (goal, pace_m_per_s) = (foe.position, thought.view.kind.speed_m_per_s);
            thought.out.intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m: 0.2 });
            thought.out.intents.gaze = Gaze::At(foe.position + Vec3::Y * CHEST_M);
        }
        Status::Running
    };
    /// Nothing more.
    Halt "halt" NoParams, (), |_with, _memory, thought| {
        begin(thought, Deed::Halt);
        thought.out.intents.stay();
        Status::Running
    };
}

/// Howls at the target, standing or coming nearer at a share of its speed; whether it is done.
fn howl(thought: &mut Thinking<'_>, foe: &Other, deed: Deed, pace: f32) -> bool {
    begin(thought, deed);
    if pace > 0.0 {
        go(thought, foe.position, thought.view.kind.speed_m_per_s * pace, BITE_AT_M);
    } else {
        thought.out.intents.stay();
    }
    thought.out.intents.gaze = Gaze::At(foe.position + Vec3::Y * CHEST_M);
    let tick = thought.tick;
    let since = *thought.out.memory.howl_since.get_or_insert(tick);
    let is_done = tick.since(since) >= thought.rate.ticks(thought.view.rules.alarm.howl_s);
    if is_done {
        thought.out.memory.howl_since = None;
    }
    is_done
}

fn rest(thought: &mut Thinking<'_>) {
    thought.out.memory.rest_until = thought.tick + thought.rate.ticks(thought.view.rules.alarm.rest_s);
}

/// To its node first, then to where it aims; there it searches.
fn approach(thought: &mut Thinking<'_>, course: &mut Course, aim: Vec3) {
    let (alarm, speed) = (thought.view.rules.alarm, thought.view.kind.speed_m_per_s);
    if !course.was_there {
        course.was_there =
            far(thought, course.node) <= alarm.there_m || thought.view.beliefs.outcomes().iter().any(is_end);
        go(thought, course.node, speed, alarm.there_m * 0.6);
        return;
    }
    // Once there it searches as long as it is about the place.
    let is_there = far(thought, aim) <= alarm.there_m;
    let searches = thought.out.memory.aim.is_some_and(|at| at.distance(aim) <= alarm.search_m + 0.5)
        && far(thought, aim) <= alarm.search_m + alarm.there_m;
    if is_there || searches {
        begin(thought, Deed::Search);
        drift(thought, aim, alarm.search_m, speed * SEARCH_SHARE);
    } else {
        thought.out.memory.aim = None;
        go(thought, aim, speed, alarm.there_m * 0.6);
    }
}

/// Whether a wish to travel is over.
fn is_end(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Arrived { .. } | Outcome::Failed { .. })
}

/// Walks from place to place round a middle, with pauses.
fn drift(thought: &mut Thinking<'_>, middle: Vec3, radius_m: f32, pace_m_per_s: f32) {
    let tick = thought.tick;
    let is_over = thought.view.beliefs.outcomes().iter().any(is_end);
    if is_over {
        thought.out.intents.stay();
        thought.out.memory.aim_until = tick + thought.rate.ticks(LINGER_S);
    }
    if thought.out.memory.aim.is_some() && tick < thought.out.memory.aim_until {
        let rests = thought.out.intents.travel().is_none();
        if let Some(aim) = thought.out.memory.aim.filter(|_| !rests) {
            go(thought, aim, pace_m_per_s, 0.5);
        }
        return;
    }
    let aim = stroll(thought, middle, radius_m);
    thought.out.memory.aim = Some(aim);
    thought.out.memory.aim_until = tick + thought.rate.ticks(WANDER_S);
    go(thought, aim, pace_m_per_s, 0.5);
}

/// The low one of the two angles at which a throw from eye height comes down at a distance, rad; 45° if it is too far.
fn lob(apart_m: f32, speed_m_per_s: f32) -> f32 {
    const FALL: f32 = 9.81;
    let (eye_m, square) = (1.7, speed_m_per_s * speed_m_per_s);
    let under = square * square - FALL * (FALL * apart_m * apart_m - 2.0 * eye_m * square);
    if under <= 0.0 {
        return math::FRAC_PI_2 * 0.5;
    }
    math::atan2(square - under.sqrt(), FALL * apart_m)
}

/// Adds the leaves of zombies.
pub(super) fn add(leaves: &mut Leaves<Game>) {
    leaves
        .condition::<Dead>()
        .condition::<InReach>()
        .condition::<Near>()
        .condition::<Seen>()
        .condition::<MayHowl>()
        .condition::<MayStart>()
        .condition::<AlarmOn>()
        .condition::<NoAlarm>()
        .condition::<AlarmNear>()
        .condition::<SeatFree>();
    leaves
        .task::<Die>()
        .task::<Attack>()
        .task::<Chase>()
        .task::<Wander>()
        .task::<Howl>()
        .task::<StartAlarm>()
        .task::<SpreadAlarm>()
        .task::<FollowAlarm>()
        .task::<GoToAlarm>()
        .task::<GoToSeat>()
        .task::<Stalk>()
        .task::<Throw>()
        .task::<Roll>()
        .task::<Ram>()
        .task::<Halt>();
}
