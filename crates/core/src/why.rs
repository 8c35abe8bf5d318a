//! The pattern of every `Why`: reasons are made only when somebody listens, and never change what happens.
//!
//! Each crate owns an enum of its reasons; the facade joins them. A stage gets a [`WhyLog`] and calls
//! [`because`](WhyLog::because) with a closure, which is not even called while the log is off.

use crate::id::AgentId;
use crate::tick::Tick;

/// A reason in the plainest form: a named value against a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// What was asked, as in 'intruder in range'.
    pub what: &'static str,
    /// Whether it held.
    pub held: bool,
    /// The value that decided.
    pub value: f32,
    /// What it was compared with.
    pub limit: f32,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let answer = if self.held { "yes" } else { "no" };
        write!(f, "{}: {answer} ({} against {})", self.what, self.value, self.limit)
    }
}

/// One reason, and whose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WhyAt<W> {
    /// When.
    pub tick: Tick,
    /// Whose.
    pub agent: AgentId,
    /// The reason.
    pub why: W,
}

/// Where reasons go. Off by default; off, it costs one test of a flag.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyLog<W> {
    is_on: bool,
    entries: Vec<WhyAt<W>>,
}

impl<W> Default for WhyLog<W> {
    fn default() -> Self {
        WhyLog { is_on: false, entries: Vec::new() }
    }
}

impl<W> WhyLog<W> {
    /// Starts or stops listening. What was noted stays.
    pub fn listen(&mut self, is_on: bool) {
        self.is_on = is_on;
    }

    /// Whether it listens.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Notes a reason, if anybody listens.
    #[inline]
    pub fn because(&mut self, tick: Tick, agent: AgentId, why: impl FnOnce() -> W) {
        if self.is_on {
            self.entries.push(WhyAt { tick, agent, why: why() });
        }
    }

    /// What was noted, oldest first.
    pub fn entries(&self) -> &[WhyAt<W>] {
        &self.entries
    }

    /// Forgets what was noted before a moment.
    pub fn clear_before(&mut self, tick: Tick) {
        self.entries.retain(|entry| entry.tick >= tick);
    }

    /// Forgets what was noted.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Takes over what another log noted, behind its own.
    pub fn append(&mut self, other: &mut WhyLog<W>) {
        self.entries.append(&mut other.entries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_made_only_for_listeners() {
        let mut log = WhyLog::default();
        let who = AgentId::from_bits(0);
        log.because(Tick(1), who, || -> u8 { panic!("nobody listens") });
        log.listen(true);
        log.because(Tick(2), who, || 7);
        assert_eq!(log.entries(), [WhyAt { tick: Tick(2), agent: who, why: 7 }]);
    }

    #[test]
    fn a_reason_reads_as_a_sentence() {
        let reason = Reason { what: "intruder in range", held: false, value: 9.5, limit: 8.0 };
        assert_eq!(reason.to_string(), "intruder in range: no (9.5 against 8)");
    }

    #[test]
    fn old_reasons_can_be_forgotten() {
        let mut log = WhyLog::default();
        log.listen(true);
        for tick in 0..5 {
            log.because(Tick(tick), AgentId::from_bits(0), || tick);
        }
        log.clear_before(Tick(3));
        assert_eq!(log.entries().iter().map(|entry| entry.why).collect::<Vec<_>>(), [3, 4]);
    }
}
