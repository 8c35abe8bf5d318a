//! What a soldier can do, under the names that its file uses.

use sentir_core::State;
use sentir_core::body::Stance;
use sentir_core::glam::Vec3;
use sentir_core::intent::{Gaze, Manner, Question, Ticket, Travel};
use sentir_core::outcome::{Answer, Outcome};
use sentir_core::random::Purpose;
use sentir_core::tick::Tick;
use sentir_core::{math, plane};
use sentir_think::key::Key;
use sentir_think::leaf::{Service, Status, Task};
use sentir_think::registry::Leaves;
use sentir_think::thought::Thought;
use serde::Deserialize;

use crate::claim::ClaimKind;
use crate::coordinator::QueryName;
use crate::fact;
use crate::fire;
use crate::soldier::{SoldierBehavior, SoldierHost};
use crate::tactical_map::{CROUCH_M, EYE_M};

type SoldierThought<'a> = Thought<'a, SoldierHost>;

const WAIT: Purpose = Purpose::new("soldier wait");
/// How near is there, m.
const ARRIVE_M: f32 = 0.35;
/// How long one waits for an answer, s.
const ANSWER_S: f32 = 1.5;
/// A reload that takes longer is given up, s.
const RELOAD_S: f32 = 6.0;
/// How far to either side one looks around, rad, and how long a look to one side takes, s.
const LOOK_RAD: f32 = 1.1;
const LOOK_S: f32 = 0.9;
/// For how long one looks to where he was heard, s.
const NEWS_S: f32 = 1.0;
/// Nobody turns his back on who is nearer, m.
const THREAT_M: f32 = 14.0;
/// What a place with rounds counts as farther off when he is by it, m.
const HIS_M: f32 = 25.0;
/// One does not wait longer for rounds, s.
const RESTOCK_S: f32 = 8.0;
/// How far to either side one looks on the way, rad.
const SWEEP_RAD: f32 = 0.7;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FindParams {
    /// Which query.
    query: QueryName,
    /// Where the answer goes.
    into: Key<Vec3>,
    /// What the place is claimed for.
    claim: Option<ClaimKind>,
}

/// Asks for a place and waits for the answer.
struct Find;

impl Task<SoldierHost> for Find {
    const NAME: &'static str = "find";
    type Params = FindParams;
    type State = (Ticket, Tick);

    fn start(params: &FindParams, asked: &mut (Ticket, Tick), thought: &mut SoldierThought<'_>) {
        if let Some(kind) = params.claim {
            thought.out.status.claims.release(kind);
        }
        if params.query == QueryName::Cover {
            // Who hides holds no flank.
            thought.out.status.claims.release(ClaimKind::Attack);
        }
        *asked = (thought.out.intents.ask(Question::Place { query: params.query as u16 }), thought.tick);
    }

    fn tick(params: &FindParams, asked: &mut (Ticket, Tick), thought: &mut SoldierThought<'_>) -> Status {
        look_at_him(thought);
        let mine = |outcome: &Outcome| match outcome {
            Outcome::Answered { ticket, answer } if *ticket == asked.0 => Some(*answer),
            _ => None,
        };
        match thought.view.beliefs.outcomes().iter().find_map(mine) {
            Some(Answer::Place { at, .. }) => {
                thought.board.write(params.into, at);
                if let Some(kind) = params.claim {
                    thought.out.status.claims.take(kind, at);
                }
                if params.query == QueryName::Cover {
                    fact::write(thought, thought.view.facts.next_cover_safe, true);
                } else if matches!(params.query, QueryName::Attack | QueryName::Advance) {
                    fact::write(thought, thought.view.facts.next_attack_good, true);
                }
                Status::Success
            }
            Some(_) => {
                if params.query == QueryName::Cover {
                    thought.out.status.no_cover_at = Some(thought.tick);
                }
                Status::Failure
            }
            None if thought.tick.since(asked.1) > thought.rate.ticks(ANSWER_S) => Status::Failure,
            None => Status::Running,
        }
    }
}

/// How fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Pace {
    /// As on patrol.
    Walk,
    /// As in a search.
    Search,
    /// As in a fight.
    Run,
}

/// By which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// The shortest.
    Shortest,
    /// The one least seen.
    Safest,
}

/// Where to look meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Eyes {
    /// Where one goes.
    Ahead,
    /// To the left and to the right of that.
    Sweep,
    /// To where the target is thought to be.
    Target,
    /// The same while he is near and there are rounds for him; else where one goes.
    Threat,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoParams {
    /// Where to.
    to: Key<Vec3>,
    /// By which way.
    manner: Way,
    /// How fast.
    pace: Pace,
    /// Where to look meanwhile.
    gaze: Eyes,
    /// Which claim is given back when one does not get there, and for a search on arrival, too.
    claim: Option<ClaimKind>,
}

/// Goes somewhere.
struct Go;

impl Task<SoldierHost> for Go {
    const NAME: &'static str = "go";
    type Params = GoParams;
    type State = ();

    fn tick(params: &GoParams, (): &mut (), thought: &mut SoldierThought<'_>) -> Status {
        let Some(goal) = thought.board.read(params.to) else { return Status::Failure };
        let tuning = thought.view.tuning;
        let pace_m_per_s = match params.pace {
            Pace::Walk => tuning.walk_m_per_s,
            Pace::Search => tuning.search_m_per_s,
            Pace::Run if thought.out.status.fires_at.is_some() && params.gaze == Eyes::Target => tuning.walk_m_per_s,
            Pace::Run => tuning.run_m_per_s,
        };
        let manner = if params.manner == Way::Safest { Manner::Safest } else { Manner::Shortest };
        thought.out.intents.stance = Stance::Stand;
        let ticket = thought.out.intents.go(Travel { goal, manner, pace_m_per_s, arrive_m: ARRIVE_M });
        match params.gaze {
            Eyes::Ahead => {}
            Eyes::Sweep => sweep(thought),
            Eyes::Target => look_at_him(thought),
            Eyes::Threat => {
                let me = thought.view.beliefs.me.pose.position;
                let is_near = thought.view.target_place().is_some_and(|place| place.distance(me) < THREAT_M);
                if is_near && thought.view.gear.magazine > 0 {
                    look_at_him(thought);
                }
            }
        }
        let mine = |outcome: &Outcome| match outcome {
            Outcome::Arrived { ticket: it } if *it == ticket => Some(Status::Success),
            Outcome::Failed { ticket: it, .. } if *it == ticket => Some(Status::Failure),
            _ => None,
        };
        let Some(end) = thought.view.beliefs.outcomes().iter().find_map(mine) else { return Status::Running };
        thought.out.intents.stay();
        if let Some(kind) = params.claim
            && (end == Status::Failure || kind == ClaimKind::Search)
        {
            thought.out.status.claims.release(kind);
        }
        end
    }

    fn abort(params: &GoParams, (): &mut (), thought: &mut SoldierThought<'_>) {
        thought.out.intents.stay();
        if let Some(kind) = params.claim {
            thought.out.status.claims.release(kind);
        }
    }
}

/// Looks to the left and to the right of the way it goes; to where he was just heard, if he was.
fn sweep(thought: &mut SoldierThought<'_>) {
    let me = &thought.view.beliefs.me;
    let fresh = thought.rate.ticks(NEWS_S);
    if let Some(lead) =
        thought.view.briefing.lead.filter(|lead| thought.tick.since(lead.at) <= fresh && !lead.is_checked)
    {
        thought.out.status.gaze = Gaze::At(lead.place + Vec3::Y * 1.3);
        return;
    }
    let way = plane::ground(me.velocity);
    if way.length() > 0.5 {
        let yaw = plane::yaw(way) + SWEEP_RAD * wave(thought, 2.0 * LOOK_S);
        thought.out.status.gaze = Gaze::Along(math::wrap_angle(yaw));
    }
}

/// −1..=1, to and fro in a period, in steps of the thoughts; not the same for all.
fn wave(thought: &SoldierThought<'_>, period_s: f32) -> f32 {
    let period = thought.rate.ticks(period_s).max(2);
    let phase = (thought.tick.0 + thought.agent.index() as u64 * 13) % period;
    let share = phase as f32 / period as f32;
    if share < 0.5 { 4.0 * share - 1.0 } else { 3.0 - 4.0 * share }
}

/// Looks at where the target is thought to be.
fn look_at_him(thought: &mut SoldierThought<'_>) {
    if thought.view.briefing.alert == crate::team::Alert::Fight
        && let Some(place) = thought.view.target_place()
    {
        thought.out.status.gaze = Gaze::At(place + Vec3::Y * 1.3);
    }
}

/// Straight at him, by the shortest way, until one is near enough.
struct Rush;

impl Task<SoldierHost> for Rush {
    const NAME: &'static str = "rush";
    type Params = ();
    type State = ();

    fn tick((): &(), (): &mut (), thought: &mut SoldierThought<'_>) -> Status {
        let Some(goal) = thought.view.target_place() else { return Status::Failure };
        let tuning = thought.view.tuning;
        let apart = plane::ground(goal - thought.view.beliefs.me.pose.position).length();
        thought.out.intents.stance = Stance::Stand;
        if apart > tuning.stop_m {
            let (manner, pace_m_per_s) = (Manner::Shortest, tuning.run_m_per_s);
            thought.out.intents.go(Travel { goal, manner, pace_m_per_s, arrive_m: tuning.stop_m });
        } else {
            thought.out.intents.stay();
        }
        look_at_him(thought);
        Status::Running
    }

    fn abort((): &(), (): &mut (), thought: &mut SoldierThought<'_>) {
        thought.out.intents.stay();
    }
}

/// Crouches where that hides one who would be seen standing. Whether one is hidden, as one stands now: whom one sees sees one.
fn keep_low(thought: &mut SoldierThought<'_>) -> bool {
    let view = thought.view;
    let me = view.beliefs.me.pose.position;
    let shows = |up_m: f32| {
        view.target_place().is_some_and(|place| view.tactical_map.is_in_sight(place + Vec3::Y * EYE_M, me, up_m))
    };
    let is_seen = view.enemy().is_some_and(|enemy| enemy.is_visible);
    let (shows_standing, shows_low) = (is_seen || shows(EYE_M), shows(CROUCH_M));
    let is_down = view.beliefs.me.stance == Stance::Crouch;
    // Who is down stays down.
    let is_low = (shows_standing || is_down) && !shows_low;
    thought.out.intents.stance = if is_low { Stance::Crouch } else { Stance::Stand };
    !shows_standing || is_down && !shows_low && !is_seen
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShelterParams {
    /// Whether to reload there.
    reload: Key<bool>,
}

/// Keeps low behind cover, and reloads.
struct Shelter;

impl Task<SoldierHost> for Shelter {
    const NAME: &'static str = "shelter";
    type Params = ShelterParams;
    type State = ();

    fn tick(params: &ShelterParams, (): &mut (), thought: &mut SoldierThought<'_>) -> Status {
        let view = thought.view;
        thought.out.intents.stay();
        look_at_him(thought);
        // First out of sight, then the magazine.
        let is_hidden = keep_low(thought);
        let is_wanted = view.gear.can_reload() && fact::is(thought, Some(params.reload));
        thought.out.status.reloads = is_wanted && (is_hidden || view.gear.is_reloading);
        let is_safe = fact::here_safe(thought).unwrap_or(true);
        // Whom one sees, with nothing to duck behind, sees one.
        let is_bare = view.enemy().is_some_and(|enemy| enemy.is_visible) && thought.out.intents.stance == Stance::Stand;
        if is_safe && !is_bare { Status::Running } else { Status::Failure }
    }

    fn abort(_: &ShelterParams, (): &mut (), thought: &mut SoldierThought<'_>) {
        thought.out.intents.stance = Stance::Stand;
        thought.out.status.claims.release(ClaimKind::Cover);
    }
}

/// Fills the magazine.
struct Reload;

impl Task<SoldierHost> for Reload {
    const NAME: &'static str = "reload";
    type Params = ();
    type State = Tick;

    fn start((): &(), since: &mut Tick, thought: &mut SoldierThought<'_>) {
        *since = thought.tick;
    }

    fn tick((): &(), since: &mut Tick, thought: &mut SoldierThought<'_>) -> Status {
        look_at_him(thought);
        thought.out.intents.stay();
        if !thought.view.gear.can_reload() {
            return Status::Success;
        }
        thought.out.status.reloads = true;
        if thought.tick.since(*since) > thought.rate.ticks(RELOAD_S) { Status::Failure } else { Status::Running }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StandParams {
    /// How long, s.
    for_s: f32,
    /// Whether to reload meanwhile, out of sight if that can be.
    reload: Key<bool>,
    /// Whether to reload in sight, too.
    reload_now: Key<bool>,
}

/// Stays, faces him, and reloads if that is wanted.
struct Stand;

impl Task<SoldierHost> for Stand {
    const NAME: &'static str = "stand";
    type Params = StandParams;
    type State = Tick;

    fn start(_: &StandParams, since: &mut Tick, thought: &mut SoldierThought<'_>) {
        *since = thought.tick;
        // Who attacks from where he stands holds that flank.
        if thought.out.status.behavior == SoldierBehavior::Attack {
            thought.out.status.claims.take(ClaimKind::Attack, thought.view.beliefs.me.pose.position);
        }
    }

    fn abort(_: &StandParams, _: &mut Tick, thought: &mut SoldierThought<'_>) {
        thought.out.status.claims.release(ClaimKind::Attack);
    }

    fn tick(params: &StandParams, since: &mut Tick, thought: &mut SoldierThought<'_>) -> Status {
        let view = thought.view;
        thought.out.intents.stay();
        thought.out.intents.stance = Stance::Stand;
        look_at_him(thought);
        let is_wanted = view.gear.can_reload() && (fact::is(thought, Some(params.reload)) || view.gear.is_reloading);
        if is_wanted {
            // First out of sight, if there is time for it.
            let is_pressed = view.gear.is_reloading || fact::is(thought, Some(params.reload_now));
            thought.out.status.reloads = keep_low(thought) || is_pressed;
        }
        let is_over = thought.tick.since(*since) >= thought.rate.ticks(params.for_s);
        if is_over && !is_wanted { Status::Success } else { Status::Running }
    }
}

/// Chooses the next post of the patrol.
struct NextPost;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NextPostParams {
    /// Where it goes.
    into: Key<Vec3>,
}

impl Task<SoldierHost> for NextPost {
    const NAME: &'static str = "next_post";
    type Params = NextPostParams;
    type State = ();

    fn tick(params: &NextPostParams, (): &mut (), thought: &mut SoldierThought<'_>) -> Status {
        let posts = thought.view.posts;
        let Some(count) = u16::try_from(posts.len()).ok().filter(|&count| count > 0) else {
            let me = thought.view.beliefs.me.pose.position;
            thought.board.write(params.into, me);
            return Status::Success;
        };
        let number = thought.out.status.post % count;
        thought.board.write(params.into, posts[usize::from(number)]);
        thought.out.status.post = (number + 1) % count;
        Status::Success
    }
}

/// Chooses where to fetch rounds: the nearest place, unless he is by it.
struct NextSupply;

impl Task<SoldierHost> for NextSupply {
    const NAME: &'static str = "next_supply";
    type Params = NextPostParams;
    type State = ();

    fn tick(params: &NextPostParams, (): &mut (), thought: &mut SoldierThought<'_>) -> Status {
        let (me, foe) = (thought.view.beliefs.me.pose.position, thought.view.target_place());
        let far = |place: &Vec3| {
            let is_his = foe.is_some_and(|foe| foe.distance(*place) < THREAT_M);
            place.distance(me) + if is_his { HIS_M } else { 0.0 }
        };
        let nearest = thought.view.tactical_map.supplies().iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        let Some(&place) = nearest else { return Status::Failure };
        thought.board.write(params.into, place);
        Status::Success
    }
}

/// Stays, low, until as much is there as can be carried, and fills the magazine; not longer than one may.
struct Restock;

impl Task<SoldierHost> for Restock {
    const NAME: &'static str = "restock";
    type Params = ();
    type State = Tick;

    fn start((): &(), since: &mut Tick, thought: &mut SoldierThought<'_>) {
        *since = thought.tick;
    }

    fn tick((): &(), since: &mut Tick, thought: &mut SoldierThought<'_>) -> Status {
        thought.out.intents.stay();
        look_at_him(thought);
        keep_low(thought);
        let gear = thought.view.gear;
        thought.out.status.reloads = gear.can_reload();
        match () {
            () if gear.reserve >= gear.reserve_max && !gear.can_reload() => Status::Success,
            () if thought.tick.since(*since) > thought.rate.ticks(RESTOCK_S) => Status::Failure,
            () => Status::Running,
        }
    }

    fn abort((): &(), _: &mut Tick, thought: &mut SoldierThought<'_>) {
        thought.out.intents.stance = Stance::Stand;
    }
}

/// Stays for a while, drawn, and looks to either side.
struct LookAround;

#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Looking {
    until: Tick,
    since: Tick,
    yaw: f32,
}

impl Task<SoldierHost> for LookAround {
    const NAME: &'static str = "look_around";
    type Params = ();
    type State = Looking;

    fn start((): &(), state: &mut Looking, thought: &mut SoldierThought<'_>) {
        let [least, most] = thought.view.tuning.wait_s;
        let wait_s = thought.random(WAIT).between(least, math::max(least, most));
        let yaw = thought.view.beliefs.me.pose.yaw;
        *state = Looking { until: thought.tick + thought.rate.ticks(wait_s), since: thought.tick, yaw };
    }

    fn tick((): &(), state: &mut Looking, thought: &mut SoldierThought<'_>) -> Status {
        thought.out.intents.stay();
        let looks = thought.tick.since(state.since) / thought.rate.ticks(LOOK_S).max(1);
        let side = [LOOK_RAD, -LOOK_RAD][(looks % 2) as usize];
        thought.out.status.gaze = Gaze::Along(math::wrap_angle(state.yaw + side));
        if thought.tick >= state.until { Status::Success } else { Status::Running }
    }
}

/// Does nothing, for ever.
struct Rest;

impl Task<SoldierHost> for Rest {
    const NAME: &'static str = "rest";
    type Params = ();
    type State = ();

    fn tick((): &(), (): &mut (), thought: &mut SoldierThought<'_>) -> Status {
        thought.out.intents.stay();
        thought.out.intents.stance = Stance::Stand;
        Status::Running
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BeParams {
    /// What it is.
    behavior: SoldierBehavior,
}

/// Says what one is at, for those who look.
struct Be;

impl Service<SoldierHost> for Be {
    const NAME: &'static str = "be";
    type Params = BeParams;
    type State = ();

    fn run(params: &BeParams, (): &mut (), thought: &mut SoldierThought<'_>) {
        thought.out.status.behavior = params.behavior;
    }
}

/// All that the soldier's files may name.
pub(crate) fn leaves() -> Leaves<SoldierHost> {
    let mut leaves = Leaves::default();
    leaves.task::<Find>().task::<Go>().task::<Rush>().task::<Shelter>().task::<Reload>().task::<Stand>();
    leaves.task::<NextSupply>().task::<Restock>();
    leaves.task::<NextPost>().task::<LookAround>().task::<Rest>();
    leaves.service::<fact::Sense>().service::<fire::Shoot>().service::<fire::Suppress>().service::<Be>();
    leaves
}
