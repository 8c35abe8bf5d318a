//! What senses remember beside beliefs: who is in view and not noticed yet, and messages on their way.

use sentir_core::State;
use sentir_core::belief::Message;
use sentir_core::id::AgentId;
use sentir_core::tick::Tick;

/// Most others one keeps an eye on at once. Who comes into view when there are that many waits until one is gone.
pub const GLIMPSES_MAX: usize = 256;

/// Most messages on their way to one agent. The oldest goes first.
pub const PENDING_MAX: usize = 32;

/// What the senses of one agent remember.
#[derive(Clone, Debug, Default, PartialEq, State)]
#[state(check)]
pub struct Senses {
    /// Ascending by who, one each.
    pub(crate) glimpses: Vec<Glimpse>,
    /// Oldest first.
    pub(crate) pending: Vec<Message>,
}

/// Somebody before the eyes, noticed or not.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Glimpse {
    /// Whom.
    pub who: AgentId,
    /// How far one is on the way to noticing, 0..=1.
    pub progress: f32,
    /// When a ray was last cast to it, or when it came before the eyes if none was: who waits longest comes first.
    pub(crate) queued: Tick,
    /// When it was last before the eyes, hidden or not.
    pub(crate) here: Tick,
    /// Whether the last rays met it.
    pub is_seen: bool,
    /// Which of its three points was seen last: that is tried first.
    pub(crate) part: u8,
}

impl Senses {
    /// Whom it has before its eyes or had a moment ago, ascending by id.
    pub fn glimpses(&self) -> &[Glimpse] {
        &self.glimpses
    }

    /// One of them.
    pub fn glimpse(&self, who: AgentId) -> Option<&Glimpse> {
        self.place_of(who).ok().map(|place| &self.glimpses[place])
    }

    pub(crate) fn place_of(&self, who: AgentId) -> Result<usize, usize> {
        self.glimpses.binary_search_by_key(&who, |glimpse| glimpse.who)
    }

    /// Notes that somebody is before the eyes. Since when it waits for a ray; none if there are too many.
    pub(crate) fn meet(&mut self, who: AgentId, now: Tick) -> Option<Tick> {
        match self.place_of(who) {
            Ok(place) => {
                let glimpse = &mut self.glimpses[place];
                glimpse.here = now;
                Some(glimpse.queued)
            }
            Err(_) if self.glimpses.len() >= GLIMPSES_MAX => None,
            Err(place) => {
                // Room for a few at once, so that newcomers to the world do not allocate again and again.
                if self.glimpses.capacity() == 0 {
                    self.glimpses.reserve(16);
                }
                let glimpse = Glimpse { who, progress: 0.0, queued: now, here: now, is_seen: false, part: 0 };
                self.glimpses.insert(place, glimpse);
                Some(now)
            }
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_sorted = self.glimpses.is_sorted_by(|a, b| a.who < b.who);
        let is_sound = self.glimpses.iter().all(|it| (0.0..=1.0).contains(&it.progress) && it.part < 3);
        if is_sorted && is_sound && self.glimpses.len() <= GLIMPSES_MAX && self.pending.len() <= PENDING_MAX {
            Ok(())
        } else {
            Err("senses hold too many glimpses or messages, or not in order")
        }
    }
}
