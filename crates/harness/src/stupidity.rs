//! What a player would laugh at, counted in every scene with agents.
//!
//! An episode counts once, when it has lasted long enough, and is itself a game event, so that one can jump to it. The
//! kinds, and when each is one, are the rows of [`Blunder`].
//!
//! Read are game events, what bodies did, and what they were asked to do; nothing that minds believe. O(agents) a tick, and
//! four times a second a sort of those who stand.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{Blocks, LevelView};

use crate::metric::Metric;

/// How many kinds there are.
const KINDS: usize = Blunder::ALL.len();

/// A friend's shot nearer than this to the skin crossed one's way, m.
const CROSS_M: f32 = 0.3;
/// Room between two skins under which they are at one point, m.
const CROWD_M: f32 = 0.05;
/// How often those who stand are compared, ticks.
const CROWD_TICKS: u64 = 15;
/// Slower than this one wants to stay, m/s.
const STAYS_M_PER_S: f32 = 0.1;
/// How far to either side somebody is thought to see, rad.
const HALF_RAD: f32 = 1.05;
/// Cover within so much is at hand, m.
const AT_HAND_M: f32 = 3.0;
/// Who reloads and is in sight after so long has not gone for cover, s.
const RELOADS_S: f32 = 1.0;
/// Decisions kept for each.
const DECISIONS: usize = 5;

/// The counters, and what they keep of each agent.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Stupidity {
    counts: [u32; KINDS],
    /// By the slot of the agent.
    watches: Vec<Watch>,
}

/// What is kept of one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Watch {
    agent: Option<AgentId>,
    /// Where it was a tick ago, m.
    was: Vec3,
    /// For how many ticks it goes against something.
    held: u32,
    /// Where it was when it last had got on, and for how many ticks it wants to and does not.
    place: Vec3,
    stalled: u32,
    /// From where it was hit and when, and has not minded yet.
    hit: Option<(Vec3, Tick)>,
    crossed: Option<Tick>,
    /// When it began to reload in sight with cover at hand.
    reloads: Option<Tick>,
    /// For how many ticks it stands where another of its side does.
    crowded: u32,
    /// The last decisions and when, newest first.
    decisions: [(u16, Tick); DECISIONS],
}

/// Lists of a look; may be dropped at any tick.
#[derive(Debug, Default)]
pub struct StupidityScratch {
    standing: Vec<Standing>,
    found: Vec<Found>,
}

/// A blunder of somebody.
#[derive(Clone, Copy, Debug)]
struct Found {
    agent: AgentId,
    kind: Blunder,
}

/// Somebody who stands and wants nothing else.
#[derive(Clone, Copy, Debug)]
struct Standing {
    agent: AgentId,
    team: TeamId,
    place: Vec3,
    radius_m: f32,
}

impl Stupidity {
    /// How often each kind came.
    pub fn counts(&self) -> [u32; KINDS] {
        self.counts
    }

    /// As a battery has it: a figure for each kind, and the sum.
    pub fn report(&self) -> Vec<Metric> {
        let kinds =
            Blunder::ALL.into_iter().zip(self.counts).map(|(kind, count)| Metric::new(kind.name(), count as f32));
        kinds.chain([Metric::new("stupid", self.counts.iter().sum::<u32>() as f32)]).collect()
    }

    /// Looks at everybody whom `is_judged` names after a tick. Without a level nobody can be seen to reload.
    pub fn watch<M: Mind>(
        &mut self,
        brains: &mut Loop<M>,
        events: &[GameEvent],
        level: Option<LevelView<'_>>,
        is_judged: impl Fn(&Presence) -> bool,
        scratch: &mut StupidityScratch,
    ) {
        let (tick, rate) = (brains.tick(), brains.rate());
        let StupidityScratch { standing, found } = scratch;
        standing.clear();
        found.clear();
        let looks_for_pairs = tick.0.is_multiple_of(CROWD_TICKS);
        for (it, motion) in brains.motions().filter(|(it, _)| is_judged(it)) {
            let watch = self.watch_of(it);
            watch.walk(it, motion, rate, |kind| found.push(Found { agent: it.agent, kind }));
            let is_still = plane::ground(motion.velocity).length() < STAYS_M_PER_S;
            if looks_for_pairs && is_still && it.body.velocity.length() < STAYS_M_PER_S {
                let (place, radius_m) = (it.body.pose.position, it.body.radius_m);
                standing.push(Standing { agent: it.agent, team: it.team, place, radius_m });
            }
        }
        for hurt in brains.hurts().iter().filter(|hurt| tick.since(hurt.at) <= 1) {
            if let Some(watch) = self.known(hurt.who) {
                watch.hit = watch.hit.or(Some((hurt.from, hurt.at)));
            }
        }
        for event in events {
            self.hear(brains, event, level, rate, found);
        }
        self.mind(brains, rate, found);
        self.see_reloads(brains, level, rate, found);
        if looks_for_pairs {
            self.pair(standing, rate, found);
        }
        for &Found { agent, kind } in found.iter() {
            let count = &mut self.counts[kind as usize];
            *count = count.saturating_add(1);
            brains.emit(Some(agent), EventKind::Blunder { kind });
        }
    }

    /// What is kept of somebody; begun anew if somebody else had the slot.
    fn watch_of(&mut self, it: &Presence) -> &mut Watch {
        let slot = it.agent.index();
        if self.watches.len() <= slot {
            self.watches.resize(slot + 1, Watch::default());
        }
        let watch = &mut self.watches[slot];
        if watch.agent != Some(it.agent) {
            let place = it.body.pose.position;
            let decisions = [(u16::MAX, Tick(0)); DECISIONS];
            *watch = Watch { agent: Some(it.agent), was: place, place, decisions, ..Watch::default() };
        }
        watch
    }

    fn known(&mut self, agent: AgentId) -> Option<&mut Watch> {
        self.watches.get_mut(agent.index()).filter(|watch| watch.agent == Some(agent))
    }

    /// One event of somebody.
    fn hear<M: Mind>(
        &mut self,
        brains: &Loop<M>,
        event: &GameEvent,
        level: Option<LevelView<'_>>,
        rate: TickRate,
        found: &mut Vec<Found>,
    ) {
        let Some(agent) = event.agent else { return };
        let Some(watch) = self.known(agent) else { return };
        match event.kind {
            EventKind::Decided { decision } => {
                watch.hit = None;
                if watch.decide(decision, event.tick, rate) {
                    found.push(Found { agent, kind: Blunder::Wavered });
                }
            }
            EventKind::Teleported => *watch = Watch { agent: None, ..*watch },
            EventKind::KilledFriend => found.push(Found { agent, kind: Blunder::KilledAFriend }),
            EventKind::FriendNearMiss { apart_m } if apart_m <= CROSS_M => {
                let is_new = watch.crossed.is_none_or(|at| event.tick.since(at) > rate.ticks(1.0));
                watch.crossed = Some(event.tick);
                if is_new {
                    found.push(Found { agent, kind: Blunder::CrossedALineOfFire });
                }
            }
            EventKind::Reloaded if level.is_some_and(|level| shows_a_reload(brains, level, agent)) => {
                watch.reloads = Some(event.tick);
            }
            _ => {}
        }
    }

    /// Who was hit and does nothing about it.
    fn mind<M: Mind>(&mut self, brains: &Loop<M>, rate: TickRate, found: &mut Vec<Found>) {
        let tick = brains.tick();
        for watch in &mut self.watches {
            let (Some((from, at)), Some(agent)) = (watch.hit, watch.agent) else { continue };
            let Some(it) = brains.presence(agent) else {
                watch.hit = None;
                continue;
            };
            let yaw = plane::yaw(plane::ground(from - it.body.pose.position));
            let faces = math::angle_between(it.body.pose.yaw, yaw).abs() < HALF_RAD;
            if faces || plane::ground(it.body.velocity).length() > 1.0 {
                watch.hit = None;
            } else if tick.since(at) > rate.ticks(1.0) {
                watch.hit = None;
                found.push(Found { agent, kind: Blunder::IgnoredAShooter });
            }
        }
    }

    /// Who began to reload in sight, and has not gone for the cover at hand.
    fn see_reloads<M: Mind>(
        &mut self,
        brains: &Loop<M>,
        level: Option<LevelView<'_>>,
        rate: TickRate,
        found: &mut Vec<Found>,
    ) {
        let tick = brains.tick();
        for watch in &mut self.watches {
            let (Some(at), Some(agent)) = (watch.reloads, watch.agent) else { continue };
            if tick.since(at) < rate.ticks(RELOADS_S) {
                continue;
            }
            watch.reloads = None;
            let me = brains.presence(agent);
            if me.zip(level).is_some_and(|(me, level)| is_before_eyes(brains, level, me)) {
                found.push(Found { agent, kind: Blunder::ReloadedInSight });
            }
        }
    }

    /// Who stands where another of its side does.
    fn pair(&mut self, standing: &mut [Standing], rate: TickRate, found: &mut Vec<Found>) {
        standing.sort_unstable_by(|a, b| a.place.x.total_cmp(&b.place.x).then(a.agent.cmp(&b.agent)));
        let reach_m = 2.0 * standing.iter().map(|it| it.radius_m).fold(0.0, math::max) + CROWD_M;
        for place in 0..standing.len() {
            let it = standing[place];
            let touches = |other: &&Standing| {
                let room_m = other.place.distance(it.place) - other.radius_m - it.radius_m;
                // Of two, the one with the greater number is one too many: an episode counts once.
                other.team == it.team && other.agent < it.agent && room_m < CROWD_M
            };
            let after = standing[place + 1..].iter().take_while(|other| other.place.x - it.place.x <= reach_m);
            let before = standing[..place].iter().rev().take_while(|other| it.place.x - other.place.x <= reach_m);
            let is_crowded = after.chain(before).any(|other| touches(&other));
            let Some(watch) = self.known(it.agent) else { continue };
            let was = watch.crowded;
            watch.crowded = if is_crowded { was.saturating_add(CROWD_TICKS as u32) } else { 0 };
            let limit = rate.ticks(1.0) as u32;
            if was < limit && watch.crowded >= limit {
                found.push(Found { agent: it.agent, kind: Blunder::TwoAtOnePoint });
            }
        }
        for watch in &mut self.watches {
            let stands = |agent| standing.iter().any(|it| it.agent == agent);
            if watch.crowded > 0 && !watch.agent.is_some_and(stands) {
                watch.crowded = 0;
            }
        }
    }
}

impl Watch {
    /// Whether it gets on.
    fn walk(&mut self, it: &Presence, motion: &Motion, rate: TickRate, mut found: impl FnMut(Blunder)) {
        let place = it.body.pose.position;
        let wanted = plane::ground(motion.velocity).length();
        let real = plane::ground(place - self.was).length() / rate.tick_s();
        self.was = place;
        self.held = if wanted > 1.0 && real < 0.15 * wanted { self.held.saturating_add(1) } else { 0 };
        if u64::from(self.held) == rate.ticks(0.5) {
            found(Blunder::WalkedIntoAWall);
        }
        if wanted < 0.5 || place.distance(self.place) > 0.4 {
            (self.place, self.stalled) = (place, 0);
        } else {
            self.stalled = self.stalled.saturating_add(1);
        }
        if u64::from(self.stalled) == rate.ticks(2.0) {
            found(Blunder::Stuck);
        }
    }

    /// Notes a decision; whether it goes to and fro.
    fn decide(&mut self, decision: u16, tick: Tick, rate: TickRate) -> bool {
        self.decisions.copy_within(0..DECISIONS - 1, 1);
        self.decisions[0] = (decision, tick);
        let [a, b, c, d, e] = self.decisions;
        let swings = a.0 == c.0 && c.0 == e.0 && b.0 == d.0 && a.0 != b.0;
        let wavers = swings && tick.since(e.1) <= rate.ticks(2.0);
        if wavers {
            self.decisions = [(u16::MAX, Tick(0)); DECISIONS];
        }
        wavers
    }
}

/// Whether an enemy faces somebody and sees it.
fn is_before_eyes<M: Mind>(brains: &Loop<M>, level: LevelView<'_>, me: &Presence) -> bool {
    let sees = |foe: &Presence| {
        let yaw = plane::yaw(plane::ground(me.body.pose.position - foe.body.pose.position));
        let faces = math::angle_between(foe.body.pose.yaw, yaw).abs() < HALF_RAD;
        faces && level.sees(foe.body.eye(), me.body.eye())
    };
    brains.motions().map(|(it, _)| it).filter(|it| it.team != me.team).any(sees)
}

/// Whether somebody reloads before the eyes of an enemy who faces it, and a place near by would hide it.
fn shows_a_reload<M: Mind>(brains: &Loop<M>, level: LevelView<'_>, agent: AgentId) -> bool {
    let Some(me) = brains.presence(agent) else { return false };
    if !is_before_eyes(brains, level, me) {
        return false;
    }
    let at = me.body.pose.position;
    let foes = || brains.motions().map(|(it, _)| it).filter(|it| it.team != me.team);
    let around = (0..8u8).map(|turn| plane::lift(plane::heading(f32::from(turn) * math::TAU / 8.0), 0.0) * AT_HAND_M);
    around.map(|aside| at + aside).any(|place| {
        let (knee, low) = (Vec3::Y * 0.5, Vec3::Y);
        let is_free = Ray::between(at + knee, place + knee).is_some_and(|ray| !level.is_blocked(&ray, Blocks::BODIES));
        let has_ground = Ray::between(place + knee, place - knee).is_some_and(|ray| level.ray(&ray).is_some());
        is_free && has_ground && !foes().any(|foe| level.sees(foe.body.eye(), place + low))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir_level::{Level, LevelState, parse};

    /// Wants to go east at a pace.
    struct Going(f32);

    impl Mind for Going {
        type Senses = ();
        type Brain = ();
        type Motor = ();
        type Squad = ();
        type Notice = ();

        fn act(&self, _: &ActView<'_>, (): &mut (), motion: &mut Motion, _: &mut Outcomes<'_>, _: &mut Notes<'_>) {
            motion.velocity = Vec3::X * self.0;
        }
    }

    struct Trial {
        brains: Loop<Going>,
        mind: Going,
        scratch: Scratch,
        stupidity: Stupidity,
        laughs: StupidityScratch,
    }

    impl Trial {
        /// Bodies of teams at places along x, who look to the north.
        fn of(pace: f32, bodies: &[(u32, f32)]) -> Trial {
            let mut brains = Loop::new(LoopConfig::default(), 1);
            for (key, &(team, x)) in (1..).zip(bodies) {
                let pose = Pose { position: Vec3::X * x, yaw: 0.0 };
                let body = Body { pose, ..Body::default() };
                brains.spawn(AgentSpec { team: TeamId(team), body, ..AgentSpec::new(HostKey(key)) }).unwrap();
            }
            let (scratch, stupidity) = (Scratch::default(), Stupidity::default());
            Trial { brains, mind: Going(pace), scratch, stupidity, laughs: StupidityScratch::default() }
        }

        fn agent(&self, key: u64) -> AgentId {
            self.brains.agent_of(HostKey(key)).unwrap()
        }

        fn play(&mut self, ticks: u32, level: Option<&Level>) -> [u32; KINDS] {
            let state = level.map(LevelState::new);
            for _ in 0..ticks {
                self.brains.step(&self.mind, &Open, &Serial, &mut self.scratch);
                let view = level.zip(state.as_ref()).map(|(level, state)| LevelView { level, state });
                let events = self.scratch.events();
                self.stupidity.watch(&mut self.brains, events, view, |_| true, &mut self.laughs);
            }
            self.stupidity.counts()
        }

        fn emit(&mut self, agent: AgentId, kind: EventKind) {
            self.brains.emit(Some(agent), kind);
        }
    }

    fn only(kind: Blunder, count: u32) -> [u32; KINDS] {
        let mut counts = [0; KINDS];
        counts[kind as usize] = count;
        counts
    }

    #[test]
    fn who_gets_nowhere_walks_into_a_wall_and_is_stuck_once_each() {
        let mut trial = Trial::of(2.0, &[(0, 0.0)]);
        assert_eq!(trial.play(25, None), [0; KINDS]);
        assert_eq!(trial.play(20, None), only(Blunder::WalkedIntoAWall, 1));
        let after = trial.play(300, None);
        assert_eq!((after[Blunder::WalkedIntoAWall as usize], after[Blunder::Stuck as usize]), (1, 1));
        assert_eq!(Trial::of(0.0, &[(0, 0.0)]).play(300, None), [0; KINDS], "who wants to stay may");
    }

    #[test]
    fn who_gets_on_is_not_laughed_at() {
        let mut trial = Trial::of(2.0, &[(0, 0.0)]);
        let agent = trial.agent(1);
        for tick in 0..300u16 {
            let pose = Pose { position: Vec3::X * f32::from(tick) * 2.0 / 60.0, yaw: 0.0 };
            trial.brains.observe(agent, Body { pose, velocity: Vec3::X * 2.0, ..Body::default() });
            trial.play(1, None);
        }
        assert_eq!(trial.stupidity.counts(), [0; KINDS]);
    }

    #[test]
    fn a_hit_is_to_be_minded_within_a_second() {
        // Looks to −z at yaw 0 or wherever; a hit from behind that is nobody's business, and one that is faced.
        for (yaw_off, count) in [(0.0, 0), (math::PI, 1)] {
            let mut trial = Trial::of(0.0, &[(0, 0.0)]);
            let agent = trial.agent(1);
            let from = Vec3::new(5.0, 0.0, 3.0);
            let yaw = math::wrap_angle(plane::yaw(plane::ground(from)) + yaw_off);
            trial.brains.observe(agent, Body { pose: Pose { position: Vec3::ZERO, yaw }, ..Body::default() });
            trial.play(2, None);
            trial.brains.hurt(Hurt { who: agent, amount: 0.1, from, at: Tick(0) });
            assert_eq!(trial.play(120, None), only(Blunder::IgnoredAShooter, count), "turned away by {yaw_off} rad");
        }
    }

    #[test]
    fn to_decide_something_is_to_mind_it() {
        let mut trial = Trial::of(0.0, &[(0, 0.0)]);
        let agent = trial.agent(1);
        trial.play(2, None);
        let from = plane::lift(-plane::heading(0.0), 0.0) * 5.0;
        trial.brains.hurt(Hurt { who: agent, amount: 0.1, from, at: Tick(0) });
        trial.play(5, None);
        trial.emit(agent, EventKind::Decided { decision: 3 });
        assert_eq!(trial.play(120, None), [0; KINDS]);
    }

    #[test]
    fn shots_of_friends_count_when_they_kill_or_pass_closely() {
        let mut trial = Trial::of(0.0, &[(0, 0.0)]);
        let agent = trial.agent(1);
        trial.play(1, None);
        let passed = |apart_m| EventKind::FriendNearMiss { apart_m };
        trial.emit(agent, passed(0.5));
        assert_eq!(trial.play(1, None), [0; KINDS]);
        (0..3).for_each(|_| trial.emit(agent, passed(0.1)));
        assert_eq!(trial.play(1, None), only(Blunder::CrossedALineOfFire, 1), "a burst is one episode");
        trial.emit(agent, EventKind::KilledFriend);
        let counts = trial.play(1, None);
        assert_eq!((counts[Blunder::CrossedALineOfFire as usize], counts[Blunder::KilledAFriend as usize]), (1, 1));
    }

    #[test]
    fn two_of_a_side_at_one_point_are_one_too_many() {
        assert_eq!(Trial::of(0.0, &[(1, 0.0), (1, 0.5)]).play(200, None), only(Blunder::TwoAtOnePoint, 1));
        assert_eq!(Trial::of(0.0, &[(1, 0.0), (1, 0.9)]).play(200, None), [0; KINDS]);
        assert_eq!(Trial::of(0.0, &[(1, 0.0), (2, 0.5)]).play(200, None), [0; KINDS], "enemies may wrestle");
    }

    #[test]
    fn who_goes_to_and_fro_between_two_decisions_wavers() {
        for (every, count) in [(10, 1), (60, 0)] {
            let mut trial = Trial::of(0.0, &[(0, 0.0)]);
            let agent = trial.agent(1);
            trial.play(1, None);
            for turn in 0..5u16 {
                trial.emit(agent, EventKind::Decided { decision: turn % 2 });
                trial.play(every, None);
            }
            assert_eq!(trial.stupidity.counts(), only(Blunder::Wavered, count), "every {every} ticks");
        }
    }

    #[test]
    fn a_reload_is_stupid_before_his_eyes_with_cover_at_hand() {
        let yard = |solid: &str| {
            let floor = "slab: { outline: [[-20, -20], [20, -20], [20, 20], [-20, 20]], thickness_m: 0.5 }";
            let text = format!("name: t\nfloors:\n  - {{ name: ground, up_m: 5 }}\nsolids:\n  - {floor}\n{solid}");
            parse(text.as_bytes(), "t.yaml").unwrap().build().unwrap()
        };
        let beside = yard("  - box: { at: [2, 2.5], size: [0.3, 3], height_m: 2.4 }\n");
        let between = yard("  - box: { at: [4, 0], size: [0.3, 3], height_m: 2.4 }\n");
        for (level, turned, count) in
            [(&beside, 0.0, 1), (&beside, math::PI, 0), (&between, 0.0, 0), (&yard(""), 0.0, 0)]
        {
            let mut trial = Trial::of(0.0, &[(1, 0.0), (2, 8.0)]);
            let (me, foe) = (trial.agent(1), trial.agent(2));
            let pose = Pose { position: Vec3::X * 8.0, yaw: math::wrap_angle(plane::yaw(-Vec2::X) + turned) };
            trial.brains.observe(foe, Body { pose, ..Body::default() });
            trial.play(1, Some(level));
            trial.emit(me, EventKind::Reloaded);
            assert_eq!(
                trial.play(2, Some(level))[Blunder::ReloadedInSight as usize],
                0,
                "turned by {turned}: there is time to go"
            );
            assert_eq!(trial.play(70, Some(level))[Blunder::ReloadedInSight as usize], count, "turned by {turned}");
            // Who goes behind the wall within a second is not.
            trial.emit(me, EventKind::Reloaded);
            trial.play(2, Some(level));
            let pose = Pose { position: Vec3::new(0.0, 0.0, -2.5), yaw: 0.0 };
            trial.brains.observe(me, Body { pose, ..Body::default() });
            assert_eq!(trial.play(70, Some(level))[Blunder::ReloadedInSight as usize], count, "it went for cover");
        }
    }

    #[test]
    fn every_episode_is_an_event() {
        let mut trial = Trial::of(2.0, &[(0, 0.0)]);
        let mut told = 0;
        for _ in 0..200 {
            trial.play(1, None);
            let is_stupid = |event: &&GameEvent| matches!(event.kind, EventKind::Blunder { .. });
            told += trial.scratch.events().iter().filter(is_stupid).count();
        }
        assert_eq!(told as u32, trial.stupidity.counts().iter().sum::<u32>());
        assert_eq!(trial.stupidity.report().last().unwrap().value, told as f64);
    }
}
