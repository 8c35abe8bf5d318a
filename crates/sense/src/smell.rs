//! Smell: agents leave traces where they go; those with a nose find them, and the fresher ones are the stronger.
//!
//! Traces lie in a ring of fixed size that the host owns and saves; the oldest are overwritten. A sniff is O(traces).
//! Walls are ignored, another floor is not: traces more than [`HEIGHT_M`] above or below are not smelled.

use sentir_core::State;
use sentir_core::belief::Smelled;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::math;
use sentir_core::tick::{Tick, TickRate};

/// Most traces a ring holds.
pub const TRACES_MAX: u32 = 4096;
/// Most traces that one sniff tells of: the strongest.
pub const SMELLS_MAX: usize = 8;
/// How far up and down a nose reaches, m.
pub const HEIGHT_M: f32 = 2.0;

/// Tuning of noses. What is no number counts as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmellConfig {
    /// How far one smells a fresh trace, m. 0 is no nose.
    pub range_m: f32,
    /// How long until a trace is gone, s.
    pub fade_s: f32,
}

/// The traces of a world.
#[derive(Clone, Debug, Default, PartialEq, State)]
#[state(check)]
pub struct Scents {
    traces: Vec<Trace>,
    /// Which one is overwritten next, once it is full.
    next: u32,
    /// Limit: [`TRACES_MAX`].
    capacity: u32,
}

/// Where somebody was.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Trace {
    /// Whose: no agent smells itself, and none learns whose it was.
    pub by: AgentId,
    /// Of what kind of character.
    pub kind: u16,
    /// Where, m.
    pub position: Vec3,
    /// When.
    pub at: Tick,
}

impl Scents {
    /// No traces, and room for so many, at most [`TRACES_MAX`].
    pub fn new(capacity: u32) -> Scents {
        let capacity = capacity.min(TRACES_MAX);
        Scents { traces: Vec::with_capacity(capacity as usize), next: 0, capacity }
    }

    /// Leaves a trace. The oldest goes for it when there is no room; a place that is not finite leaves none.
    pub fn leave(&mut self, trace: Trace) {
        if self.capacity == 0 || !trace.position.is_finite() {
            return;
        }
        if self.traces.len() < self.capacity as usize {
            self.traces.push(trace);
        } else {
            self.traces[self.next as usize] = trace;
            self.next = (self.next + 1) % self.capacity;
        }
    }

    /// All of them, in no order that means anything.
    pub fn traces(&self) -> &[Trace] {
        &self.traces
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_full = self.traces.len() == self.capacity as usize;
        let is_sound = self.next == 0 || (is_full && self.next < self.capacity);
        let fits = self.capacity <= TRACES_MAX && self.traces.len() <= self.capacity as usize;
        if fits && is_sound { Ok(()) } else { Err("a ring of traces is larger than its capacity") }
    }
}

/// Replaces what was smelled by what is smelled at a place: at most [`SMELLS_MAX`] traces, the strongest first, the fresher
/// of equals.
pub fn sniff(
    config: &SmellConfig,
    me: AgentId,
    nose: Vec3,
    now: Tick,
    rate: TickRate,
    scents: &Scents,
    smells: &mut Vec<Smelled>,
) {
    smells.clear();
    for trace in &scents.traces {
        let distance_m = trace.position.distance(nose);
        let near = 1.0 - distance_m / config.range_m;
        let fresh = 1.0 - rate.seconds(now.since(trace.at)) / config.fade_s;
        // Negated, so that what is no number is not smelled.
        if trace.by == me || !(near > 0.0 && fresh > 0.0) || (trace.position.y - nose.y).abs() > HEIGHT_M {
            continue;
        }
        let smell = Smelled {
            position: trace.position,
            kind: trace.kind,
            strength: math::min(near, 1.0) * math::min(fresh, 1.0),
            left_at: trace.at,
        };
        let is_behind = |old: &Smelled| {
            let order = old.strength.total_cmp(&smell.strength).then(old.left_at.cmp(&smell.left_at));
            order.is_ge()
        };
        let place = smells.partition_point(is_behind);
        if place < SMELLS_MAX {
            smells.truncate(SMELLS_MAX - 1);
            smells.insert(place, smell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::state::{from_bytes, to_bytes};

    const RATE: TickRate = TickRate::new(10);

    fn trace(by: u64, x: f32, at: u64) -> Trace {
        Trace { by: AgentId::from_bits(by), kind: 3, position: Vec3::X * x, at: Tick(at) }
    }

    #[test]
    fn fresh_and_near_is_strong_and_nobody_smells_himself() {
        let mut scents = Scents::new(100);
        for step in 0..50u16 {
            scents.leave(trace(1, f32::from(step), u64::from(step)));
        }
        scents.leave(trace(2, 40.0, 49));
        let config = SmellConfig { range_m: 6.0, fade_s: 10.0 };
        let mut smells = Vec::new();
        let me = AgentId::from_bits(2);
        sniff(&config, me, Vec3::X * 40.0, Tick(50), RATE, &scents, &mut smells);
        assert_eq!(smells.len(), SMELLS_MAX);
        assert!(smells.is_sorted_by(|a, b| a.strength >= b.strength));
        assert_eq!((smells[0].position, smells[0].kind, smells[0].left_at), (Vec3::X * 40.0, 3, Tick(40)));
        sniff(&config, me, Vec3::X * 40.0 + Vec3::Y * 3.0, Tick(50), RATE, &scents, &mut smells);
        assert!(smells.is_empty(), "another floor");
        sniff(&SmellConfig::default(), me, Vec3::X, Tick(50), RATE, &scents, &mut smells);
        assert!(smells.is_empty(), "no nose");
    }

    #[test]
    fn the_ring_forgets_the_oldest_and_survives_saving() {
        let mut scents = Scents::new(4);
        (0..6u8).for_each(|step| scents.leave(trace(1, f32::from(step), u64::from(step))));
        scents.leave(Trace { position: Vec3::NAN, ..trace(1, 0.0, 9) });
        let mut times: Vec<_> = scents.traces().iter().map(|one| one.at.0).collect();
        times.sort_unstable();
        assert_eq!(times, [2, 3, 4, 5]);
        let twin: Scents = from_bytes(&to_bytes(&scents)).unwrap_or_default();
        assert_eq!(twin, scents);
        assert!(from_bytes::<Scents>(&to_bytes(&Scents { capacity: 3, ..scents })).is_err());
        assert_eq!(Scents::new(u32::MAX).capacity, TRACES_MAX);
    }
}
