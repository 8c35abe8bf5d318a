//! What happens around the guard: noises, calls, visitors, blows; and what is counted.

use sentir::core::plane;
use sentir::prelude::*;

use super::leaf::{Deed, REACH_M};
use super::mind::{FOE, GuardMind, Memory, Notice};
use super::{FOE_KEY, FOES, GUARD_KEY, Guard, standing};
use sentir_harness::metric::Metric;
use sentir_harness::scene::StepContext;
use sentir_sim::body_set::BodySet;

const SCRIPT: Purpose = Purpose::new("guard.script");
/// Health lost a second by who is hit, and won back at the first-aid box.
const FOE_LOSES_PER_S: f32 = 0.35;
const WEAK_BLOWS_PER_S: f32 = 0.10;
const STRONG_BLOWS_PER_S: f32 = 0.6;
const HEALS_PER_S: f32 = 0.12;

/// All that is remembered beside the brain.
#[derive(State)]
pub(super) struct World {
    pub(super) bodies: BodySet,
    health: f32,
    foe: Option<Visitor>,
    next_noise: Tick,
    next_call: Tick,
    next_visit: Tick,
    visits: u32,
    pub(super) is_ringing: bool,
    pub(super) tally: Tally,
    pub(super) is_over: bool,
}

/// Somebody who should not be here.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Visitor {
    agent: AgentId,
    health: f32,
    is_strong: bool,
    is_leaving: bool,
    /// Ticks at the safe.
    robbing: u32,
}

/// The figures.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Tally {
    noises: u32,
    calls: u32,
    answered: u32,
    visits: u32,
    won: u32,
    robbed: u32,
    /// Ticks of each deed, by its place.
    deeds: [u32; 11],
    /// How often each deed was begun.
    begun: [u32; 11],
    last: Option<u8>,
    seconds_per_tick: f32,
    /// The leg before the last call, and how often the guard went back to it, or not.
    leg_before: Option<u8>,
    is_back: bool,
    same_leg: u32,
    other_leg: u32,
}

impl Tally {
    /// Adds one tick.
    pub(super) fn count(&mut self, deed: Option<Deed>, rate: TickRate) {
        self.seconds_per_tick = rate.tick_s();
        let Some(deed) = deed else { return };
        let place = deed as usize;
        self.deeds[place] = self.deeds[place].saturating_add(1);
        let before = self.last.replace(place as u8);
        if before == Some(place as u8) {
            return;
        }
        self.begun[place] = self.begun[place].saturating_add(1);
        let is_leg = |one: u8| usize::from(one) == Deed::Door as usize || usize::from(one) == Deed::Safe as usize;
        if deed == Deed::Talk && before.is_some_and(is_leg) {
            self.leg_before = before;
        } else if let Some(leg) = self.leg_before.take()
            && before == Some(Deed::Talk as u8)
            && is_leg(place as u8)
        {
            if leg == place as u8 {
                self.same_leg = self.same_leg.saturating_add(1);
            } else {
                self.other_leg = self.other_leg.saturating_add(1);
            }
        }
    }

    /// As a scene reports them.
    pub(super) fn metrics(&self) -> Vec<Metric> {
        let count = |name, value: u32| Metric { name, value: f64::from(value) };
        let seconds = |name, deeds: &[Deed]| {
            let ticks: u32 = deeds.iter().map(|deed| self.deeds[*deed as usize]).sum();
            Metric::new(name, ticks as f32 * self.seconds_per_tick)
        };
        vec![
            seconds("patrol_s", &[Deed::Door, Deed::Safe]),
            seconds("investigate_s", &[Deed::Investigate]),
            seconds("talk_s", &[Deed::Talk]),
            seconds("attack_s", &[Deed::Attack]),
            seconds("flee_s", &[Deed::Flee]),
            count("noises", self.noises),
            count("investigations", self.begun[Deed::Investigate as usize]),
            count("calls", self.calls),
            count("answered", self.answered),
            count("back_to_the_same_leg", self.same_leg),
            count("back_to_another_leg", self.other_leg),
            count("visits", self.visits),
            count("won", self.won),
            count("robbed", self.robbed),
        ]
    }
}

impl World {
    pub(super) fn new(bodies: BodySet, streams: Streams, rate: TickRate) -> World {
        let mut random = streams.stream(0, SCRIPT);
        let mut within = |low: f32, high: f32| Tick(rate.ticks(random.between(low, high)));
        World {
            bodies,
            health: 1.0,
            foe: None,
            next_noise: within(3.0, 5.0),
            next_call: within(13.0, 16.0),
            next_visit: within(22.0, 26.0),
            visits: 0,
            is_ringing: false,
            tally: Tally::default(),
            is_over: false,
        }
    }

    /// Lets the loop observe where everybody is and how they are.
    pub(super) fn observe(&self, brains: &mut Loop<GuardMind>) {
        for (key, walker) in self.bodies.iter() {
            let health = if key == GUARD_KEY { self.health } else { self.foe.map_or(0.0, |foe| foe.health) };
            if let Some(agent) = brains.agent_of(key) {
                brains.observe(agent, Body { health, ..walker.body() });
            }
        }
    }
}

impl Guard {
    /// Noises, calls and visitors, each when its time has come.
    pub(super) fn script(&self, moment: &mut StepContext<'_, Guard>) {
        let now = moment.brains.tick();
        let rate = moment.brains.rate();
        let mut random = moment.brains.streams().at(0, SCRIPT, now);
        let mut later = |low: f32, high: f32| now + rate.ticks(random.between(low, high));
        if now >= moment.world.next_noise {
            moment.world.next_noise = later(24.0, 30.0);
            moment.world.tally.noises = moment.world.tally.noises.saturating_add(1);
            let share = later(0.0, 1.0).0 as f32 / rate.ticks(1.0) as f32;
            let place = self.mind.posts.aid.lerp(self.mind.posts.gate, 0.25 + 0.5 * (share - share.floor()));
            moment.brains.noise(Noise { position: place, range_m: 30.0, by: None, at: now });
        }
        if now >= moment.world.next_call {
            moment.world.next_call = later(26.0, 34.0);
            moment.world.tally.calls = moment.world.tally.calls.saturating_add(1);
            moment.world.is_ringing = true;
        }
        if moment.world.is_ringing && now.0.is_multiple_of(rate.ticks(1.0)) {
            moment.brains.noise(Noise { position: self.mind.posts.phone, range_m: 40.0, by: None, at: now });
        }
        if moment.world.foe.is_none() && now >= moment.world.next_visit {
            moment.world.next_visit = later(16.0, 22.0);
            self.visit(moment);
        }
        self.lead(moment);
    }

    /// Somebody comes in by the gate.
    fn visit(&self, moment: &mut StepContext<'_, Guard>) {
        let pose = standing(self.mind.posts.gate, sentir::core::math::FRAC_PI_2);
        let walker = moment.world.bodies.add(FOE_KEY, FOE as u8, pose);
        let spec = AgentSpec { team: FOES, kind: FOE, body: walker.body(), ..AgentSpec::new(FOE_KEY) };
        match moment.brains.spawn_from(spec, Memory::default(), moment.scratch) {
            Ok(agent) => {
                let is_strong = !moment.world.visits.is_multiple_of(3);
                let foe = Visitor { agent, health: 1.0, is_strong, is_leaving: false, robbing: 0 };
                moment.world.foe = Some(foe);
                moment.world.visits = moment.world.visits.saturating_add(1);
                // The gate creaks.
                let (position, at) = (self.mind.posts.gate, moment.brains.tick());
                moment.brains.noise(Noise { position, range_m: 40.0, by: None, at });
                moment.world.tally.visits = moment.world.tally.visits.saturating_add(1);
            }
            Err(_) => {
                moment.world.bodies.remove(FOE_KEY);
            }
        }
    }

    /// Where the visitor goes: to the safe, at the guard if it comes near, out when it has enough.
    fn lead(&self, moment: &mut StepContext<'_, Guard>) {
        let StepContext { brains, world, scratch, .. } = moment;
        let Some(mut foe) = world.foe else { return };
        let place = |bodies: &BodySet, key| bodies.walker(key).map(|walker| walker.pose.position);
        let (Some(me), Some(guard)) = (place(&world.bodies, FOE_KEY), place(&world.bodies, GUARD_KEY)) else { return };
        let is_near = plane::ground(guard - me).length() < REACH_M * 2.0;
        let at_safe = plane::ground(self.mind.posts.safe - me).length() < 1.0;
        foe.robbing = foe.robbing.saturating_add(u32::from(at_safe && !is_near));
        let has_robbed = u64::from(foe.robbing) > brains.rate().ticks(2.5);
        if !foe.is_leaving && (foe.health < 0.25 || has_robbed) {
            foe.is_leaving = true;
            if has_robbed {
                world.tally.robbed = world.tally.robbed.saturating_add(1);
            } else {
                world.tally.won = world.tally.won.saturating_add(1);
            }
        }
        let goal = match (foe.is_leaving, is_near) {
            (true, _) => self.mind.posts.gate,
            (false, true) => guard + (me - guard).normalize_or_zero() * REACH_M * 0.8,
            (false, false) => self.mind.posts.safe,
        };
        let is_fighting = is_near && !foe.is_leaving;
        if brains.brain(foe.agent).is_some_and(|memory| (memory.goal, memory.is_fighting) != (Some(goal), is_fighting))
        {
            brains.notify(foe.agent, Notice::Sent { goal, is_fighting });
        }
        world.foe = Some(foe);
        if foe.is_leaving && plane::ground(self.mind.posts.gate - me).length() < 0.7 {
            brains.despawn_into(foe.agent, scratch);
            world.bodies.remove(FOE_KEY);
            world.foe = None;
        }
    }

    /// Blows that land, first aid, and the phone that is picked up.
    pub(super) fn fight(&self, moment: &mut StepContext<'_, Guard>) {
        let StepContext { brains, world, .. } = moment;
        let tick_s = brains.rate().tick_s();
        let Some(guard) = brains.agent_of(GUARD_KEY) else { return };
        let does = |agent: AgentId, action| brains.motion(agent).is_some_and(|motion| motion.actions.contains(action));
        let place = |bodies: &BodySet, key| bodies.walker(key).map(|walker| walker.pose.position);
        let Some(me) = place(&world.bodies, GUARD_KEY) else { return };
        let is_at = |post: Vec3| plane::ground(post - me).length() < 1.0;
        if world.is_ringing && does(guard, Actions::USE) && is_at(self.mind.posts.phone) {
            world.is_ringing = false;
            world.tally.answered = world.tally.answered.saturating_add(1);
        }
        if is_at(self.mind.posts.aid) && world.health < 1.0 {
            world.health += HEALS_PER_S * tick_s;
        }
        let Some(mut foe) = world.foe else { return };
        let Some(other) = place(&world.bodies, FOE_KEY) else { return };
        if plane::ground(other - me).length() > REACH_M {
            return;
        }
        if does(guard, Actions::MELEE) {
            foe.health -= FOE_LOSES_PER_S * tick_s * if foe.is_strong { 0.5 } else { 1.0 };
        }
        let blows = if foe.is_strong { STRONG_BLOWS_PER_S } else { WEAK_BLOWS_PER_S };
        if does(foe.agent, Actions::MELEE) && world.health > 0.05 {
            world.health -= blows * tick_s;
            brains.hurt(Hurt { who: guard, amount: blows * tick_s, from: other, at: Tick(0) });
        }
        world.foe = Some(foe);
    }
}
