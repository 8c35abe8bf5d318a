//! Shooting: what the gun is for, where one looks, and when the trigger is pulled.
//!
//! One fires only along a clear line: nothing of the fixed level before the target, no friend beside the line (where friends
//! are is told by the team). A target in sight is aimed at where it shows; a point that is suppressed only while nobody sees
//! the target and its place is well known. In bursts, and a little off.

use sentir_core::geometry::Ray;
use sentir_core::glam::Vec3;
use sentir_core::intent::{Actions, Gaze, Question};
use sentir_core::random::Purpose;
use sentir_core::{math, plane};
use sentir_level::Blocks;
use sentir_think::key::Key;
use sentir_think::leaf::Service;
use sentir_think::thought::Thought;
use serde::Deserialize;

use crate::claim::ClaimKind;
use crate::coordinator::QueryName;
use crate::fact::{is, write};
use crate::soldier::{Situation, SoldierBehavior, SoldierHost, Trigger};
use crate::tactical_map::EYE_M;

const AIM: Purpose = Purpose::new("soldier aim");
/// Where one aims at a body, m over its feet, the first that can be hit: hips, which are a crouching chest, a crouching head,
/// chest, head.
const MARKS_M: [f32; 4] = [0.85, 1.02, 1.3, 1.6];
/// A shoulder that shows beside a corner: how far from the middle, and how high, m.
const SHOULDER_M: [f32; 2] = [0.22, 1.28];
/// Height at which one shoots at a place, m.
const POINT_M: f32 = 1.2;
/// A point is shot at for so long, s; then another is asked for.
const POINT_S: f32 = 2.0;
/// Friends are kept clear of where they are now, and where they go in as long as the finger stays on the trigger, s.
const SOON_S: [f32; 3] = [0.0, 0.15, 0.3];
/// How far behind the target a miss is reckoned with, m.
const MISS_M: f32 = 25.0;
/// What is nearer than this along the line is beside one, m.
const AT_HAND_M: f32 = 0.4;
/// Half of what a body is wide, m: what strays by less hits it.
const HALF_A_BODY_M: f32 = 0.3;
/// How far a shot may stray, in deviations of the aim.
const STRAYS: f32 = 2.2;
/// How long one aim holds, s.
const AIM_S: f32 = 0.33;
/// How far ahead of a runner one aims, s: the age of what one sees.
const AHEAD_S: f32 = 0.08;
/// A soldier with nothing left that is still in the target's sight after so long reloads there, s.
const DRY_S: f32 = 0.5;
/// Eyes over the feet, standing and crouching, m.
const EYES_M: [f32; 2] = [1.7, 1.0];

/// Whom the gun is for.
pub(crate) struct Shoot;

impl Service<SoldierHost> for Shoot {
    const NAME: &'static str = "shoot";
    type Params = ();
    type State = ();

    fn run((): &(), (): &mut (), thought: &mut Thought<'_, SoldierHost>) {
        let is_seen = thought.view.enemy().is_some_and(|enemy| enemy.is_visible);
        let status = &mut thought.out.status;
        status.trigger = match status.trigger {
            _ if is_seen => Trigger::Target,
            Trigger::Point(at) if status.behavior == SoldierBehavior::Push => Trigger::Point(at),
            _ => Trigger::Rest,
        };
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuppressParams {
    /// Whether to shoot at where the target would come out.
    when: Key<bool>,
}

/// Asks for a point where the target would come out.
pub(crate) struct Suppress;

impl Service<SoldierHost> for Suppress {
    const NAME: &'static str = "suppress";
    type Params = SuppressParams;
    type State = ();

    fn run(params: &SuppressParams, (): &mut (), thought: &mut Thought<'_, SoldierHost>) {
        let is_wanted = is(thought, Some(params.when));
        let status = &mut thought.out.status;
        if !is_wanted {
            stop(status);
            return;
        }
        let again = thought.rate.ticks(POINT_S);
        if status.suppress.1.0 == 0 || thought.tick.since(status.suppress.1) >= again {
            let ticket = thought.out.intents.ask(Question::Place { query: QueryName::Suppression as u16 });
            thought.out.status.suppress = (ticket, thought.tick);
        }
    }
}

fn stop(status: &mut crate::soldier::SoldierStatus) {
    if matches!(status.trigger, Trigger::Point(_)) {
        status.trigger = Trigger::Rest;
    }
    status.claims.release(ClaimKind::Suppress);
    status.suppress = Default::default();
}

/// Sets eyes and hands at the end of a thought.
pub(crate) fn settle(thought: &mut Thought<'_, SoldierHost>) {
    let view = thought.view;
    if thought.out.status.behavior != SoldierBehavior::Push {
        stop(&mut thought.out.status);
    }
    let me = &view.beliefs.me;
    let eye = me.pose.position + Vec3::Y * EYES_M[me.stance as usize];
    let aim = match thought.out.status.trigger {
        Trigger::Rest => None,
        Trigger::Target => view.enemy().filter(|enemy| enemy.is_visible).map(|enemy| {
            let ahead = enemy.position + enemy.velocity * AHEAD_S;
            let middle = MARKS_M.into_iter().map(|up| ahead + Vec3::Y * up);
            let across = plane::lift(plane::left_of(plane::direction(plane::ground(ahead - eye))), 0.0);
            let aside = [-1.0, 1.0].map(|side| ahead + across * (side * SHOULDER_M[0]) + Vec3::Y * SHOULDER_M[1]);
            let clear = middle.chain(aside).find(|&mark| is_open(view, eye, mark));
            clear.ok_or(ahead + Vec3::Y * MARKS_M[0])
        }),
        // A soldier that comes to where the target would be seen looks at that, not at where it would come out.
        Trigger::Point(_) if is_his_place_in_sight(thought) => None,
        Trigger::Point(at) => {
            let mark = at + Vec3::Y * POINT_M;
            Some(if is_open(view, eye, mark) { Ok(mark) } else { Err(mark) })
        }
    };
    let is_masked = matches!(thought.out.status.trigger, Trigger::Target) && matches!(aim, Some(Err(_)));
    let masked_since = thought.out.status.masked_since.unwrap_or(thought.tick);
    thought.out.status.masked_since = is_masked.then_some(masked_since);
    // Who has time fills up.
    let is_low = is(thought, view.facts.fills_in_peace) && view.gear.can_reload();
    let is_calm = is_low && is_out_of_his_sight(thought);
    // A soldier that runs for cover with nothing left reloads on the way: once it is out of sight, or when that takes too long.
    let is_hiding = thought.out.status.behavior == SoldierBehavior::Hide && thought.out.intents.travel().is_some();
    let is_empty = is_hiding && view.gear.magazine == 0 && view.gear.can_reload();
    let dry_since = thought.out.status.dry_since.unwrap_or(thought.tick);
    thought.out.status.dry_since = is_empty.then_some(dry_since);
    let is_late = thought.tick.since(dry_since) >= thought.rate.ticks(DRY_S);
    let is_dry = is_empty && (view.gear.is_reloading || is_late || !is_his_place_in_sight(thought));
    let reloads = thought.out.status.reloads || is_calm || is_dry;
    let actions = if reloads { Actions::RELOAD } else { Actions::default() };
    (thought.out.intents.actions, thought.out.status.fires_at) = (actions, None);
    thought.out.intents.gaze = thought.out.status.gaze;
    let Some(aim) = aim else {
        write(thought, view.facts.line_blocked, false);
        return;
    };
    let (mark, is_clear) = match aim {
        Ok(mark) => (mark, !is_friend_near(view, eye, mark)),
        Err(mark) => (mark, false),
    };
    write(thought, view.facts.line_blocked, !is_clear);
    if is_hiding && (view.gear.magazine == 0 || view.gear.is_reloading) {
        // Runs for cover: eyes on the way. Who has rounds left backs off and fires.
        return;
    }
    thought.out.intents.gaze = Gaze::At(off(thought, eye, mark));
    let yaw = plane::yaw(plane::ground(mark - eye));
    let is_aimed = math::angle_between(me.pose.yaw, yaw).abs() < view.tuning.aimed_rad;
    let is_ready = view.gear.magazine > 0 && !view.gear.is_reloading && !thought.out.status.reloads;
    if is_clear && is_aimed && is_ready && is_burst(thought) {
        thought.out.intents.actions = actions.with(Actions::FIRE);
        thought.out.status.fires_at = Some(mark);
    }
}

/// Whether the target, were it where it was last known to be a moment ago, would not see one.
fn is_out_of_his_sight(thought: &Thought<'_, SoldierHost>) -> bool {
    let is_fresh = |at| thought.tick.since(at) <= thought.rate.ticks(thought.view.tuning.fresh_s);
    !(thought.view.briefing.lead.is_some_and(|lead| is_fresh(lead.at)) && is_his_place_in_sight(thought))
}

/// Whether one sees where the target was last known to be, and would be seen from there.
fn is_his_place_in_sight(thought: &Thought<'_, SoldierHost>) -> bool {
    let view = thought.view;
    let me = view.beliefs.me.pose.position;
    view.briefing.lead.is_some_and(|lead| view.tactical_map.is_in_sight(lead.place + Vec3::Y * EYE_M, me, EYE_M))
}

/// Whether a shot would get there.
fn is_open(view: &Situation<'_>, eye: Vec3, mark: Vec3) -> bool {
    Ray::between(eye, mark).is_some_and(|ray| !view.tactical_map.view().is_blocked(&ray, Blocks::SHOTS))
}

/// Whether a friend is beside the line of fire, or behind its end where a miss would go.
fn is_friend_near(view: &Situation<'_>, eye: Vec3, mark: Vec3) -> bool {
    let (from, to) = (plane::ground(eye), plane::ground(mark));
    let (length_m, stray) = (from.distance(to), STRAYS * view.tuning.aim_off_rad);
    // Nobody misses who is near.
    let beyond_m = if stray * length_m > HALF_A_BODY_M { MISS_M } else { 0.0 };
    let end = to + plane::direction(to - from) * beyond_m;
    let places = view.briefing.friends().flat_map(|it| SOON_S.map(|ahead_s| it.place + it.velocity * ahead_s));
    places.into_iter().any(|friend| {
        let place = plane::ground(friend);
        let (near, _) = plane::nearest_on_segment(from, end, place);
        let along_m = from.distance(near);
        // The farther off, the more a shot may stray; who stands beside one is not in the way.
        let is_beside = along_m > AT_HAND_M && near.distance(place) < view.tuning.friend_m + stray * along_m;
        let is_behind = along_m > length_m + HALF_A_BODY_M;
        let is_level = (friend.y - eye.y).abs() < 3.0;
        is_beside && is_level && (!is_behind || is_open(view, eye, friend + Vec3::Y * POINT_M))
    })
}

/// A mark, missed by a little: drawn anew three times a second.
fn off(thought: &Thought<'_, SoldierHost>, eye: Vec3, mark: Vec3) -> Vec3 {
    let hold = thought.rate.ticks(AIM_S).max(1);
    let held = sentir_core::tick::Tick(thought.tick.0 - thought.tick.0 % hold);
    let mut rng = thought.streams.at(thought.agent.to_bits(), AIM, held);
    let mut drawn = || rng.about(0.0, thought.view.tuning.aim_off_rad);
    let off = Vec3::new(drawn(), drawn() * 0.6, drawn());
    mark + off * mark.distance(eye)
}

/// Whether this moment is in a burst. The first one at a target begins when it is seen; of those at a place not all begin at
/// once.
fn is_burst(thought: &Thought<'_, SoldierHost>) -> bool {
    let tuning = thought.view.tuning;
    let (burst, pause) = (thought.rate.ticks(tuning.burst_s).max(1), thought.rate.ticks(tuning.pause_s));
    let apart = thought.tick.0 + (thought.agent.index() as u64).wrapping_mul(17);
    let since = thought.out.status.seen_since.map_or(apart, |at| thought.tick.since(at));
    // Nobody misses who is close: pauses are for the gun to come to rest.
    is(thought, thought.view.facts.target_close) || since % (burst + pause) < burst
}
