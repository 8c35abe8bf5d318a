//! What a scout does with what it knows.

use sentir::core::{math, plane};
use sentir::prelude::*;

use super::leak::MAP_ID;
use super::rooms::SHUT;
use super::{ROAMER, SEEKER, Scout};

const ROAM: Purpose = Purpose::new("scout.roam");
const HIDE: Purpose = Purpose::new("scout.hide");
const WAIT: Purpose = Purpose::new("scout.wait");

/// The word for a foe that was noticed.
const WORD_FOE: u16 = 0;
/// How loud a noise must be to be looked after.
const HEED: f32 = 0.12;
/// How long somebody out of sight is followed, s.
const FOLLOW_S: f32 = 8.0;
/// How near who roams has met its foe, m, and how long it then minds none, s.
const MET_M: f32 = 1.6;
const REST_S: f32 = 9.0;
/// How near a seeker must be for a hider to run, m.
const SCARE_M: f32 = 4.5;
/// How loud steps must be for a hider to run, and how long it stays at least, s.
const SCARE_LOUDNESS: f32 = 0.75;
const STAY_S: f32 = 3.0;
/// How often the way is asked anew, ticks.
const HOP_TICKS: u64 = 30;

/// What somebody does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(crate) enum Mode {
    /// Stands and looks.
    #[default]
    Watch,
    /// Looks at who is in sight.
    Look,
    /// Turns to a noise.
    Listen,
    /// From place to place.
    Roam,
    /// After somebody.
    Chase,
    /// To where a noise was.
    Check,
    /// Looks around.
    Search,
    /// To a place to hide.
    Run,
    /// Hidden.
    Hide,
    /// Eyes shut until all are hidden.
    Count,
    /// Nose down, along a trail.
    Track,
}

impl Mode {
    pub(crate) const ALL: [Mode; 11] = [
        Mode::Watch,
        Mode::Look,
        Mode::Listen,
        Mode::Roam,
        Mode::Chase,
        Mode::Check,
        Mode::Search,
        Mode::Run,
        Mode::Hide,
        Mode::Count,
        Mode::Track,
    ];

    pub(crate) fn name(self) -> &'static str {
        ["watch", "look", "listen", "roam", "chase", "check", "search", "run", "hide", "count", "track"][self as usize]
    }
}

/// What a scout remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Head {
    pub(crate) mode: Mode,
    since: Tick,
    has_begun: bool,
    /// Where it looks when there is nothing to look at, rad.
    pub(crate) home_yaw: f32,
    /// Until when it looks around or listens.
    pub(super) until: Tick,
    /// When the trace was left that it follows.
    pub(super) trace: Tick,
    /// Where it wants to, and the next place on the way.
    pub(super) goal: Option<Vec2>,
    hop: Vec2,
    /// Whom it is after.
    pub(crate) quarry: Option<AgentId>,
    /// Where a noise was.
    pub(crate) lead: Option<Vec3>,
    /// Points it has looked at, a bit each; all anew when all are done.
    visited: u64,
    /// Who hides: which place.
    spot: u16,
    /// Until when who roams minds no foes: it has just met one.
    rests_until: Tick,
}

/// What a scout is told. No honest scene tells one anything: it is for a leak that is planted.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) enum Notice {
    /// Where something is, m.
    Lead(Vec3),
}

impl Head {
    /// One who looks along a yaw when there is nothing to look at, rad.
    pub(crate) fn looking(home_yaw: f32) -> Head {
        Head { home_yaw, ..Head::default() }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    pub(super) fn begin(&mut self, now: Tick) {
        (self.has_begun, self.since) = (true, now);
    }
}

/// Stands and turns to what it notices, then to what it hears, then home again.
pub(super) fn watch(view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents) {
    intents.stay();
    if let Some(other) = view.beliefs.others().iter().find(|other| other.is_visible) {
        head.mode = Mode::Look;
        head.quarry = Some(other.who);
        intents.gaze = Gaze::Along(head.home_yaw);
        return;
    }
    if let Some(heard) = loudest(view) {
        head.mode = Mode::Listen;
        head.lead = Some(heard.position);
        head.until = view.tick + view.rate.ticks(1.2);
        intents.gaze = Gaze::At(heard.position);
        return;
    }
    if head.mode == Mode::Listen && view.tick < head.until {
        return;
    }
    head.mode = Mode::Watch;
    (head.lead, head.quarry) = (None, None);
    intents.gaze = Gaze::Along(head.home_yaw);
}

fn loudest<'a>(view: &'a ThinkView<'_>) -> Option<&'a Heard> {
    let heard = view.beliefs.noises.iter().filter(|heard| heard.loudness > HEED);
    heard.max_by(|a, b| a.loudness.total_cmp(&b.loudness))
}

/// Follows who is in sight or was a moment ago, looks after noises, and else goes from place to place.
pub(super) fn hunt(scout: &Scout, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
    let here = plane::ground(view.beliefs.me.pose.position);
    if view.kind == SEEKER && view.tick < scout.counts_until {
        head.mode = Mode::Count;
        intents.stay();
        intents.gaze = Gaze::Along(head.home_yaw);
        return;
    }
    mark(scout, view, head, here);
    if chase(scout, view, head, intents, notes) {
        return;
    }
    if let Some(heard) = loudest(view) {
        head.lead = Some(heard.position);
    }
    if head.mode == Mode::Chase || (head.mode == Mode::Check && head.lead.is_none()) {
        head.quarry = None;
        search(view, head, intents);
        return;
    }
    if let Some(lead) = head.lead {
        head.mode = Mode::Check;
        let spot = plane::ground(lead);
        if here.distance(spot) < 1.2 || !go(scout, view, head, intents, spot, 0.5 * (scout.run + scout.walk)) {
            head.lead = None;
        }
        intents.gaze = Gaze::Ahead;
        return;
    }
    if head.mode == Mode::Search && view.tick < head.until {
        look_around(view, head, intents);
        return;
    }
    roam(scout, view, head, intents, here);
}

/// After who is in sight, or to where somebody was a moment ago. False if there is nobody.
fn chase(scout: &Scout, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) -> bool {
    let here = plane::ground(view.beliefs.me.pose.position);
    let apart = |other: &&Other| plane::ground(other.position).distance(here);
    let foes = view.beliefs.others().iter().filter(|other| other.team != view.team);
    let seen = foes.clone().filter(|other| other.is_visible).min_by(|a, b| apart(a).total_cmp(&apart(b)));
    if view.kind == ROAMER && seen.is_some_and(|foe| apart(&foe) < MET_M) {
        head.rests_until = view.tick + view.rate.ticks(REST_S);
    }
    if let Some(foe) = seen.filter(|_| view.tick >= head.rests_until) {
        if head.quarry != Some(foe.who) {
            intents.say(Say { word: WORD_FOE, place: Some(foe.position), who: Some(foe.who), team: Some(foe.team) });
        }
        (head.mode, head.quarry, head.lead) = (Mode::Chase, Some(foe.who), None);
        go(scout, view, head, intents, plane::ground(foe.position), scout.run);
        intents.gaze = Gaze::At(foe.position);
        return true;
    }
    // Out of sight: to where it was last, if that is not long ago and it is not known to be gone from there.
    let is_fresh = |other: &&Other| {
        !other.is_vanished && view.rate.seconds(view.tick.since(other.at)) < FOLLOW_S && apart(other) > 0.8
    };
    let known = foes.filter(is_fresh).max_by_key(|other| (other.at, other.who));
    notes.because(|| Reason {
        what: "somebody is known",
        held: known.is_some(),
        value: known.map_or(f32::INFINITY, |other| apart(&other)),
        limit: 0.8,
    });
    let Some(foe) = known.filter(|_| view.tick >= head.rests_until) else { return false };
    (head.mode, head.quarry) = (Mode::Chase, Some(foe.who));
    go(scout, view, head, intents, plane::ground(foe.position), scout.run);
    intents.gaze = Gaze::Ahead;
    true
}

/// Notes the points that it is at, or has before its eyes nearby.
fn mark(scout: &Scout, view: &ThinkView<'_>, head: &mut Head, here: Vec2) {
    let ahead = plane::heading(view.beliefs.me.pose.yaw);
    let points = scout.ways.points.len();
    for (number, point) in scout.stations(view.kind).enumerate() {
        let way = point - here;
        // Behind furniture one has to look closely.
        let (at_m, far_m) = if number < points { (1.0, 5.0) } else { (1.6, 2.5) };
        let is_looked_at = way.length() < at_m
            || (way.length() < far_m
                && way.dot(ahead) > 0.9 * way.length()
                && scout.ways.is_passable(&scout.level, here, point));
        if is_looked_at {
            head.visited |= 1 << number;
        }
    }
}

fn search(view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents) {
    head.mode = Mode::Search;
    head.until = view.tick + view.rate.ticks(view.random(WAIT).between(1.5, 2.5));
    head.goal = None;
    look_around(view, head, intents);
}

fn look_around(view: &ThinkView<'_>, head: &Head, intents: &mut Intents) {
    intents.stay();
    let turn = view.rate.seconds(view.tick.since(head.since)) * 2.4;
    intents.gaze = Gaze::Along(math::wrap_angle(head.home_yaw + turn));
}

/// To a point: seekers take the nearest that they have not looked at, others any.
fn roam(scout: &Scout, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, here: Vec2) {
    let points = &scout.ways.points;
    intents.gaze = Gaze::Ahead;
    if head.mode == Mode::Roam && head.goal.is_some_and(|goal| here.distance(goal) < 0.5) {
        search(view, head, intents);
        return;
    }
    if head.mode != Mode::Roam || head.goal.is_none() {
        let mut rng = view.random(ROAM);
        let count = scout.stations(view.kind).count();
        let all = if count >= 64 { u64::MAX } else { (1 << count) - 1 };
        if head.visited & all == all {
            head.visited = 0;
        }
        let goal = if view.kind == ROAMER {
            // What a map would tell who should not know it.
            let is_taken = |number: u32| view.beliefs.thing(MAP_ID + number).is_some_and(|thing| thing.value > 0);
            let first = rng.below(points.len() as u32);
            let turn = (0..points.len() as u32).map(|step| (first + step) % points.len() as u32);
            let mut free = turn.filter(|number| !is_taken(*number));
            points[free.next().unwrap_or(first) as usize]
        } else {
            let mut best = (f32::INFINITY, points[0]);
            for (number, point) in scout.stations(view.kind).enumerate() {
                let rank = point.distance(here) * rng.between(0.8, 1.2);
                if head.visited & (1 << number) == 0 && rank < best.0 {
                    best = (rank, point);
                }
            }
            best.1
        };
        head.goal = Some(goal);
    }
    head.mode = Mode::Roam;
    if let Some(goal) = head.goal
        && !go(scout, view, head, intents, goal, scout.walk)
    {
        head.goal = None;
    }
}

/// Takes a place to hide, far from where the seeker is believed to be, and stays until it comes too near.
pub(super) fn hide(scout: &Scout, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
    let here = plane::ground(view.beliefs.me.pose.position);
    let seeker = view.beliefs.others().iter().find(|other| other.team != view.team);
    let seen_m = seeker.filter(|other| other.is_visible).map(|other| plane::ground(other.position).distance(here));
    let steps = view.beliefs.noises.iter().map(|heard| heard.loudness).fold(0.0, math::max);
    let has_stayed = head.mode != Mode::Run && view.tick.since(head.since) > view.rate.ticks(STAY_S);
    let is_scared = seen_m.is_some_and(|meters| meters < SCARE_M) || (seen_m.is_none() && steps > SCARE_LOUDNESS);
    let is_first = !head.has_begun;
    notes.because(|| Reason {
        what: "steps too near",
        held: steps > SCARE_LOUDNESS,
        value: steps,
        limit: SCARE_LOUDNESS,
    });
    if is_first || (is_scared && has_stayed && view.tick >= scout.counts_until) {
        let danger = seeker.map(|other| plane::ground(other.position)).or(head.lead.map(plane::ground));
        let mut rng = view.random(HIDE);
        let worth = |spot: &Vec2| {
            let safe = danger.map_or(0.0, |danger| danger.distance(*spot));
            let near = if is_first { 0.0 } else { spot.distance(here) };
            safe - 0.4 * near + rng.between(0.0, if is_first { 30.0 } else { 6.0 })
        };
        let worths: Vec<f32> = scout.hides.iter().map(worth).collect();
        let here_now = usize::from(head.spot);
        let best = (0..worths.len())
            .filter(|place| is_first || *place != here_now)
            .max_by(|&a, &b| worths[a].total_cmp(&worths[b]).then(b.cmp(&a)));
        head.spot = best.unwrap_or(0) as u16;
        head.mode = Mode::Run;
    }
    if let Some(heard) = loudest(view) {
        head.lead = Some(heard.position);
    }
    let Some(&spot) = scout.hides.get(usize::from(head.spot)) else { return };
    if here.distance(spot) < 0.4 {
        head.mode = Mode::Hide;
    }
    if head.mode == Mode::Hide {
        intents.stay();
        intents.stance = Stance::Crouch;
        // Toward the last noise, or slowly from side to side.
        let middle = plane::yaw(-here);
        let swing = math::sin(view.rate.seconds(view.tick.0) * 0.9) * 0.9;
        intents.gaze = match head.lead {
            Some(lead) if view.tick.since(head.since) % 240 < 120 => Gaze::At(lead),
            _ => Gaze::Along(math::wrap_angle(middle + swing)),
        };
        return;
    }
    head.mode = Mode::Run;
    intents.stance = Stance::Stand;
    go(scout, view, head, intents, spot, scout.run);
    intents.gaze = Gaze::Ahead;
}

/// Sets out for a place by the way through doors that are not believed to be shut. False if there is none.
fn go(
    scout: &Scout,
    view: &ThinkView<'_>,
    head: &mut Head,
    intents: &mut Intents,
    goal: Vec2,
    pace_m_per_s: f32,
) -> bool {
    let here = plane::ground(view.beliefs.me.pose.position);
    let is_due = (view.tick.0 + view.agent.index() as u64) % HOP_TICKS < 6;
    let is_new = head.goal.is_none_or(|old| old.distance(goal) > 0.5) || intents.travel().is_none();
    if is_due || is_new || here.distance(head.hop) < 0.4 {
        let is_shut = |door: u8| view.beliefs.thing(u32::from(door)).is_some_and(|thing| thing.value == SHUT);
        let Some((hop, _)) = scout.ways.toward(&scout.level, here, goal, is_shut) else {
            intents.stay();
            return false;
        };
        (head.goal, head.hop) = (Some(goal), hop);
    }
    let goal = plane::lift(head.hop, 0.0);
    intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m: 0.2 });
    true
}
