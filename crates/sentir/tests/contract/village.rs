//! A mind that uses everything there is, for the tests of the other modules: villagers wander, notice each other, chat,
//! ask, are startled by noises and hurts, and take turns at being led.

use sentir::core::plane;
use sentir::prelude::*;

pub(crate) struct Village;

pub(crate) const WANDER: Purpose = Purpose::new("village.wander");

#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Eyes {
    pub(crate) looks: u32,
}

#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Head {
    pub(crate) thoughts: u32,
    pub(crate) arrivals: u32,
    pub(crate) answers: u32,
    pub(crate) heard: u32,
    pub(crate) messages: u32,
    pub(crate) hurts: u32,
    pub(crate) overruled: u32,
    pub(crate) teleported: u32,
    pub(crate) refused: u32,
    pub(crate) goal: Option<Vec3>,
    pub(crate) last_outcomes: Vec<Outcome>,
    pub(crate) rumors: Vec<(Tick, u32)>,
    pub(crate) census: u32,
    pub(crate) adopted: Option<(AgentId, Tick)>,
}

#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Legs {
    pub(crate) ticket: Ticket,
    pub(crate) steps: u32,
}

#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Council {
    pub(crate) meetings: u32,
    pub(crate) heard: u32,
}

/// What a villager can be told from outside of its senses.
#[derive(Clone, Debug, PartialEq, State)]
pub(crate) enum Gossip {
    /// By the host.
    Rumor(u32),
    /// By the council: how many there are.
    Census(u32),
}

impl Mind for Village {
    type Senses = Eyes;
    type Brain = Head;
    type Motor = Legs;
    type Squad = Council;
    type Notice = Gossip;

    fn sense(&self, view: &SenseView<'_>, eyes: &mut Eyes, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        eyes.looks += 1;
        let me = view.me.body.pose.position;
        beliefs.noises.extend(view.noises().map(|noise| Heard {
            position: noise.position,
            loudness: 1.0,
            at: noise.at,
        }));
        beliefs.messages.extend(view.messages());
        beliefs.hurts.extend(view.hurts().map(|hurt| Felt { amount: hurt.amount, from: hurt.from, at: hurt.at }));
        if !beliefs.hurts.is_empty() {
            notes.wake();
        }
        beliefs.revise(|other| view.tick.since(other.at) < 120);
        view.world.visit_near(me, 6.0, |it| {
            let is_seen = it.agent != view.me.agent && notes.spend(1);
            if is_seen && view.world.geometry.is_clear(view.me.body.eye(), it.body.eye()) {
                beliefs.update(Other::seen(it.agent, it.team, &it.body, view.tick));
            }
        });
    }

    fn receive(&self, view: &ThinkView<'_>, notice: Gossip, head: &mut Head) {
        match notice {
            Gossip::Rumor(number) => head.rumors.push((view.tick, number)),
            Gossip::Census(count) => head.census = count,
        }
    }

    fn adopt(&self, _old: &Village, view: &ThinkView<'_>, _intents: &Intents, head: &mut Head) {
        head.adopted = Some((view.agent, view.tick));
    }

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        head.thoughts += 1;
        head.heard += view.beliefs.noises.len() as u32;
        head.messages += view.beliefs.messages.len() as u32;
        head.hurts += view.beliefs.hurts.len() as u32;
        head.last_outcomes.clear();
        head.last_outcomes.extend_from_slice(view.beliefs.outcomes());
        for outcome in view.beliefs.outcomes() {
            match outcome {
                Outcome::Arrived { .. } => head.arrivals += 1,
                Outcome::Answered { .. } => head.answers += 1,
                Outcome::Overruled { .. } => head.overruled += 1,
                Outcome::Teleported { .. } => head.teleported += 1,
                Outcome::Refused { .. } => head.refused += 1,
                _ => {}
            }
            if matches!(outcome, Outcome::Arrived { .. } | Outcome::Teleported { .. }) {
                head.goal = None;
            }
        }
        let mut chance = view.random(WANDER);
        let goal = *head.goal.get_or_insert_with(|| {
            plane::lift(Vec2::new(chance.between(-20.0, 20.0), chance.between(-20.0, 20.0)), 0.0)
        });
        notes.because(|| Reason { what: "restless", held: true, value: goal.x, limit: 0.0 });
        intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s: 2.0, arrive_m: 0.5 });
        if head.thoughts % 10 == view.agent.index() as u32 % 10 {
            intents.say(Say { word: 1, place: Some(goal), who: None, team: None });
            intents.ask(Question::Place { query: 0 });
        }
        if !view.beliefs.others().is_empty() {
            notes.event(EventKind::Decided { decision: view.beliefs.others().len() as u16 });
        }
    }

    fn coordinate(&self, view: &SquadView, council: &mut Council, roster: &mut Roster<'_, '_, Self>) {
        council.meetings += 1;
        let count = roster.members().len();
        for place in 0..count {
            while let Some(&ask) = roster.asks(place).get(council.heard as usize) {
                council.heard += 1;
                roster.answer(place, ask.ticket, Answer::Place { at: Vec3::ZERO, score: 0.5 });
            }
            council.heard = 0;
            if roster.thinks_soon(place) {
                roster.notify(place, Gossip::Census(count as u32));
            }
        }
        // Every other second the first of the team is called to the well.
        let is_called = view.tick.0 / u64::from(view.rate.hz()) % 2 == 1;
        if let Some(&first) = roster.members().first().filter(|_| is_called) {
            let travel = Travel { goal: Vec3::ZERO, manner: Manner::Straight, pace_m_per_s: 1.0, arrive_m: 0.5 };
            let reason = Reason { what: "to the well", held: true, value: 1.0, limit: 0.0 };
            roster.order(first, Order { travel: Some(travel), ..Order::default() }, reason);
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Legs,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        legs.steps += 1;
        let Some((ticket, travel)) = view.travel() else { return };
        let way = travel.goal - view.me.body.pose.position;
        if way.length() <= travel.arrive_m && legs.ticket != ticket {
            legs.ticket = ticket;
            out.report(Outcome::Arrived { ticket });
            notes.event(EventKind::Arrived { ticket });
        }
        motion.velocity = way.clamp_length_max(travel.pace_m_per_s);
        motion.yaw = plane::yaw(plane::ground(way));
    }
}

/// A village and its bodies: the least host.
pub(crate) struct Host {
    pub(crate) brains: Loop<Village>,
    pub(crate) scratch: Scratch,
}

impl Host {
    pub(crate) fn new(config: LoopConfig, seed: u64, count: u64) -> Host {
        let mut brains = Loop::new(config, seed);
        let mut place = brains.streams().stream(0, Purpose::new("village.place"));
        for key in 0..count {
            let position = Vec3::new(place.between(-20.0, 20.0), 0.0, place.between(-20.0, 20.0));
            let importance = [Importance::Full, Importance::Near, Importance::Far, Importance::Least][key as usize % 4];
            let body = Body { pose: Pose { position, yaw: 0.0 }, ..Body::default() };
            let spec = AgentSpec { team: TeamId((key % 3) as u32), importance, body, ..AgentSpec::new(HostKey(key)) };
            brains.spawn(spec).unwrap();
        }
        Host { brains, scratch: Scratch::default() }
    }

    /// One tick, with something happening now and then.
    pub(crate) fn step(&mut self, pool: &dyn Pool) {
        let tick = self.brains.tick().0;
        if tick.is_multiple_of(37) {
            self.brains.noise(Noise { position: Vec3::X, range_m: 9.0, by: None, at: Tick(0) });
        }
        if tick.is_multiple_of(53)
            && let Some(who) = self.brains.agent_of(HostKey(tick % 7))
        {
            self.brains.hurt(Hurt { who, amount: 0.1, from: Vec3::Z, at: Tick(0) });
        }
        self.brains.step(&Village, &Open, pool, &mut self.scratch);
        self.move_bodies();
    }

    pub(crate) fn move_bodies(&mut self) {
        let tick_s = self.brains.rate().tick_s();
        for key in 0..self.brains.len() as u64 {
            let Some(agent) = self.brains.agent_of(HostKey(key)) else { continue };
            let (Some(it), Some(motion)) = (self.brains.presence(agent), self.brains.motion(agent)) else { continue };
            let mut body = it.body;
            body.velocity = motion.velocity;
            body.pose = Pose { position: body.pose.position + motion.velocity * tick_s, yaw: motion.yaw };
            self.brains.observe(agent, body);
        }
    }

    pub(crate) fn hash(&self) -> u64 {
        sentir::core::state::hash(&self.brains)
    }

    pub(crate) fn agent(&self, key: u64) -> AgentId {
        self.brains.agent_of(HostKey(key)).unwrap()
    }

    pub(crate) fn head(&self, key: u64) -> &Head {
        self.brains.brain(self.agent(key)).unwrap()
    }
}

/// Threads for real, and a count of how many ever worked at the same time.
pub(crate) struct Threads {
    pub(crate) width: usize,
    pub(crate) most_at_once: std::sync::atomic::AtomicUsize,
}

impl Threads {
    pub(crate) fn new(width: usize) -> Threads {
        Threads { width, most_at_once: std::sync::atomic::AtomicUsize::new(0) }
    }
}

impl Pool for Threads {
    fn width(&self) -> usize {
        self.width
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        let (next, busy) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..self.width.min(count) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, SeqCst);
                        if number >= count {
                            return;
                        }
                        self.most_at_once.fetch_max(busy.fetch_add(1, SeqCst) + 1, SeqCst);
                        job(number);
                        // Give the others a chance to be at work, too.
                        std::thread::yield_now();
                        busy.fetch_sub(1, SeqCst);
                    }
                });
            }
        });
    }
}
