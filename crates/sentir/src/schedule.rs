//! Who is due when, and with how much work: level of detail from the importance that the host gives.
//!
//! An agent is due for a stage when (tick + slot) is a multiple of the stage's period. So the load is spread over the
//! ticks, nothing has to be remembered, and an agent that becomes more important is due within its new period.

use sentir_core::State;
use sentir_core::id::AgentId;
use sentir_core::tick::{Tick, TickRate};

/// How much an agent matters to the player just now. Only the host knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub enum Importance {
    /// In the middle of the picture.
    #[default]
    Full,
    /// Near or soon to be seen.
    Near,
    /// In the distance.
    Far,
    /// Out of sight and out of mind.
    Least,
}

/// How often an agent's stages run, and how much work each may do. Periods in ticks; 0 counts as 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Detail {
    /// Ticks between sensing.
    pub sense_every: u16,
    /// Ticks between thoughts.
    pub think_every: u16,
    /// Ticks between runs of the coordination of its squad; the most important member counts.
    pub coordinate_every: u16,
    /// Ticks between decisions about motion; in between the last one holds.
    pub act_every: u16,
    /// Work per run of a stage.
    pub quota: Quota,
}

/// Nominal work an agent may do per run of a stage; what is left over is lost, and changes nobody's decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Quota {
    /// Units for sensing: rays, as a rule.
    pub sense: u32,
    /// Units for thinking: nodes, expansions.
    pub think: u32,
    /// Units for acting: neighbors, expansions.
    pub act: u32,
}

impl Default for Quota {
    fn default() -> Self {
        Quota { sense: 64, think: 1024, act: 256 }
    }
}

/// Tuning of a loop. Every value is valid.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct LoopConfig {
    /// Ticks per second.
    pub rate: TickRate,
    /// Detail by importance, [`Importance::Full`] first.
    pub detail: [Detail; 4],
    /// Cell of the spatial index over the bodies, m. 0 or less builds none: neighbors are then found by looking at all.
    pub index_cell_m: f32,
}

impl Default for LoopConfig {
    /// 60 Hz; sensing at 10 Hz and thinking at 10 Hz in full detail, down to 2 and 1 Hz in the least.
    fn default() -> Self {
        let detail = |sense_every, think_every, coordinate_every, act_every| Detail {
            sense_every,
            think_every,
            coordinate_every,
            act_every,
            quota: Quota::default(),
        };
        LoopConfig {
            rate: TickRate::new(60),
            detail: [detail(6, 6, 1, 1), detail(6, 12, 1, 1), detail(15, 30, 2, 2), detail(30, 60, 4, 4)],
            index_cell_m: 4.0,
        }
    }
}

impl LoopConfig {
    /// The detail of an importance.
    pub fn detail_of(&self, importance: Importance) -> &Detail {
        &self.detail[importance as usize]
    }

    /// Every stage on every tick, at any importance: for tests and tiny worlds.
    pub fn every_tick(rate: TickRate) -> Self {
        let detail =
            Detail { sense_every: 1, think_every: 1, coordinate_every: 1, act_every: 1, quota: Quota::default() };
        LoopConfig { rate, detail: [detail; 4], ..LoopConfig::default() }
    }

    /// Whether the bodies are indexed.
    pub(crate) fn has_index(&self) -> bool {
        self.index_cell_m > 0.0
    }

    /// How long facts must be kept so that nobody misses them between two looks, ticks.
    pub(crate) fn facts_kept(&self) -> u64 {
        self.detail.iter().map(|detail| u64::from(detail.sense_every)).max().unwrap_or(1).max(1)
    }
}

/// Whether a stage of period `every` runs now.
pub(crate) fn is_due(tick: Tick, agent: AgentId, every: u16) -> bool {
    is_turn(tick, agent.index() as u64, every)
}

/// Whether it is the turn of a place in a list.
pub(crate) fn is_turn(tick: Tick, place: u64, every: u16) -> bool {
    tick.0.wrapping_add(place).is_multiple_of(u64::from(every.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_is_spread_and_everybody_gets_a_turn() {
        let agents: Vec<_> = (0..60).map(|index| AgentId::from_bits(index << 32)).collect();
        for tick in 0..6 {
            assert_eq!(agents.iter().filter(|&&agent| is_due(Tick(tick), agent, 6)).count(), 10);
        }
        for &agent in &agents {
            assert_eq!((0..60).filter(|&tick| is_due(Tick(tick), agent, 6)).count(), 10);
        }
        assert!(is_due(Tick(7), agents[3], 0) && is_due(Tick(7), agents[3], 1));
    }

    #[test]
    fn more_important_agents_are_due_within_their_new_period() {
        let agent = AgentId::from_bits(17 << 32);
        for from in 0..100 {
            assert!((from..from + 6).any(|tick| is_due(Tick(tick), agent, 6)));
        }
    }
}
