//! The leaves of the bot: heal, shoot, roam.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_think::leaf::{Condition, ConditionResult, Status, Task};
use sentir_think::registry::Leaves;

use super::ground::PointKind;
use super::leaf::{Deed, Game, Thinking, begin, far, go};
use super::{BARKER, RATE_OF_ROAM_S};

/// Among zombies about as near, a barker counts as this much nearer, m.
const BARKER_M: f32 = 3.0;
/// It turns to another one that is nearer by this much, m.
const SWITCH_M: f32 = 2.5;
/// So near to a point is at it, m.
const AT_POINT_M: f32 = 0.9;
const ROAM: Purpose = Purpose::new("horde.roam");

/// Badly hurt, and there is a point that heals.
struct IsHurt;

impl Condition<Game> for IsHurt {
    const NAME: &'static str = "hurt";
    type Params = ();

    fn check((): &(), thought: &Thinking<'_>) -> ConditionResult {
        let rules = thought.view.rules;
        let health = thought.view.beliefs.me.health * rules.player.health;
        let answer = ConditionResult::below(health, rules.bot.heal_below);
        ConditionResult { held: answer.held && nearest_point(thought).is_some(), ..answer }
    }
}

/// It sees a zombie.
struct EnemyKnown;

impl Condition<Game> for EnemyKnown {
    const NAME: &'static str = "enemy_known";
    type Params = ();

    fn check((): &(), thought: &Thinking<'_>) -> ConditionResult {
        thought.view.beliefs.others().iter().any(|it| it.is_visible).into()
    }
}

/// The nearest point that heals, as far as it knows.
fn nearest_point(thought: &Thinking<'_>) -> Option<Vec3> {
    let points = thought.view.ground.points.iter().zip(&thought.out.memory.back_at);
    let open = points.filter(|(point, back_at)| point.kind == PointKind::Health && thought.tick >= **back_at);
    open.map(|(point, _)| point.place).min_by(|a, b| far(thought, *a).total_cmp(&far(thought, *b)))
}

/// Runs to a point and uses it, without firing.
struct Heal;

impl Task<Game> for Heal {
    const NAME: &'static str = "heal";
    type Params = ();
    type State = ();

    fn tick((): &(), (): &mut (), thought: &mut Thinking<'_>) -> Status {
        let Some(place) = nearest_point(thought) else { return Status::Failure };
        begin(thought, Deed::Heal);
        go(thought, place, thought.view.rules.player.speed_m_per_s, AT_POINT_M * 0.6);
        if far(thought, place) < thought.view.rules.points.use_m {
            thought.out.intents.gaze = Gaze::At(place + Vec3::Y * 0.8);
            thought.out.intents.actions = Actions::USE;
        }
        Status::Running
    }
}

/// Shoots at whom it sees, by kind and distance; stands while it fires.
struct Shoot;

impl Shoot {
    /// How urgent one is: less is more.
    fn worth(thought: &Thinking<'_>, it: &Other) -> f32 {
        let kind = thought.view.beliefs.thing(it.who.index() as u32).map_or(0, |thing| thing.value);
        let apart_m = far(thought, it.position);
        // Who can bite now comes before any howl.
        if kind == BARKER && apart_m > 4.0 { apart_m - BARKER_M } else { apart_m }
    }

    fn choose<'a>(thought: &Thinking<'a>) -> Option<&'a Other> {
        let seen = thought.view.beliefs.others().iter().filter(|it| it.is_visible);
        let worth = |it: &Other| Shoot::worth(thought, it);
        let best = seen.clone().min_by(|a, b| worth(a).total_cmp(&worth(b)).then(a.who.cmp(&b.who)))?;
        let held = seen.clone().find(|it| Some(it.who) == thought.out.memory.target);
        Some(held.filter(|held| worth(held) < worth(best) + SWITCH_M).unwrap_or(best))
    }
}

impl Task<Game> for Shoot {
    const NAME: &'static str = "shoot";
    type Params = ();
    type State = ();

    fn tick((): &(), (): &mut (), thought: &mut Thinking<'_>) -> Status {
        let Some(foe) = Shoot::choose(thought) else { return Status::Failure };
        begin(thought, Deed::Shoot);
        let tick = thought.tick;
        let memory = &mut thought.out.memory;
        if memory.target != Some(foe.who) {
            // Who fires already is awake; the first one takes its time.
            let is_fresh = memory.target.is_none() || tick.since(memory.target_since) > thought.rate.ticks(4.0);
            memory.target = Some(foe.who);
            memory.target_since = if is_fresh { tick } else { memory.target_since };
        }
        let bot = thought.view.rules.bot;
        let me = &thought.view.beliefs.me;
        let eye = me.pose.position + Vec3::Y * me.eye_m;
        // At the head: that is what was seen, where a rail or an edge hides the rest.
        let point = foe.position + Vec3::Y * (me.eye_m - 0.08);
        thought.out.intents.gaze = Gaze::At(point);
        let apart_m = far(thought, foe.position);
        if bot.back_off_m > 0.0 && apart_m < bot.back_off_m {
            let away = plane::direction(plane::ground(me.pose.position - foe.position)) * 2.0;
            let goal = thought.view.ground.walk(me.pose.position, me.pose.position + plane::lift(away, 0.0));
            go(thought, goal.unwrap_or(me.pose.position), thought.view.rules.player.speed_m_per_s, 0.2);
        } else {
            thought.out.intents.stay();
        }
        let way = plane::ground(point - eye);
        // A body is wider the nearer it is.
        let off_rad = bot.aim_rad + math::atan2(0.2, way.length());
        let is_aimed = math::angle_between(me.pose.yaw, plane::yaw(way)).abs() < off_rad;
        let has_reacted = tick.since(thought.out.memory.target_since) >= thought.rate.ticks(bot.react_s);
        if is_aimed && has_reacted && apart_m <= bot.keep_m {
            thought.out.intents.actions = Actions::FIRE;
        }
        Status::Running
    }

    fn abort((): &(), (): &mut (), thought: &mut Thinking<'_>) {
        thought.out.memory.target = None;
    }
}

/// Runs from place to place to find some.
struct Roam;

impl Task<Game> for Roam {
    const NAME: &'static str = "roam";
    type Params = ();
    type State = ();

    fn tick((): &(), (): &mut (), thought: &mut Thinking<'_>) -> Status {
        begin(thought, Deed::Roam);
        thought.out.memory.target = None;
        let is_over = |it: &Outcome| matches!(it, Outcome::Arrived { .. } | Outcome::Failed { .. });
        let ends = thought.view.beliefs.outcomes().iter().any(is_over) || thought.tick >= thought.out.memory.aim_until;
        let aim = match thought.out.memory.aim.filter(|_| !ends) {
            Some(aim) => aim,
            None => {
                let places = &thought.view.ground.roam;
                let mut rng = thought.random(ROAM);
                let drawn = rng.pick(places).copied().unwrap_or_default();
                thought.out.memory.aim_until = thought.tick + thought.rate.ticks(RATE_OF_ROAM_S);
                thought.out.memory.aim = Some(drawn);
                drawn
            }
        };
        go(thought, aim, thought.view.rules.player.speed_m_per_s, 1.0);
        Status::Running
    }
}

/// Adds the leaves of the bot.
pub(super) fn add(leaves: &mut Leaves<Game>) {
    leaves.condition::<IsHurt>().condition::<EnemyKnown>().task::<Heal>().task::<Shoot>().task::<Roam>();
}
