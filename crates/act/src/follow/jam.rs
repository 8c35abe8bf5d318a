//! Making room in a jam, for a moment, and then not again for a while, in case who goes first wants to stay.

use sentir_core::glam::Vec2;
use sentir_core::{State, math};

use super::footing::Spot;
use super::motion::Neighborhood;
use super::{STILL_M_PER_S, SteerConfig, bypass, lane, precedence};

/// Within this of one place it has not moved, m.
const ANCHOR_M: f32 = 0.35;
/// After so long of standing it looks who goes first, s.
const HELD_S: f32 = 0.1;
/// So long it does not make room again, s.
const PAUSE_S: f32 = 0.6;
/// After so long about one place it looks for a way out of the press, s, and so long it takes that, s.
const PRESS_S: f32 = 0.9;
const OUT_S: f32 = 0.6;

/// How it is held up by others.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Jam {
    /// Ticks for which it has wanted to go and stood; ticks for which it still makes room, and the way it does so.
    clamped: u16,
    yielding: u16,
    room: Vec2,
    /// Where it has been for long, and for how many ticks.
    anchor: Vec2,
    anchored: u16,
}

impl Jam {
    /// The wish of who stands against somebody who goes first, or rests in somebody's way in a passage; see `precedence`.
    /// Who backs off already makes no room.
    pub(super) fn make_room(
        &mut self,
        spot: Option<Spot<'_>>,
        around: &Neighborhood<'_>,
        is_backing: bool,
        config: &SteerConfig<'_>,
    ) -> Option<Vec2> {
        let room_s = config.follow.room_s;
        if room_s <= 0.0 {
            return None;
        }
        let &Neighborhood { ref me, rank, near } = around;
        let ticks = |seconds: f32| math::clamp(seconds / math::max(config.tick_s, 1e-4), 1.0, 1e4) as u16;
        let rests = me.wanted.length() <= STILL_M_PER_S;
        let pace = if rests { me.speed_m_per_s_max } else { me.wanted.length() };
        let may = pace > STILL_M_PER_S && !is_backing;
        let is_held = may && precedence::is_held(me.velocity, pace);
        self.clamped = if is_held { self.clamped.saturating_add(1) } else { 0 };
        if self.yielding == 0 && self.clamped >= ticks(HELD_S) {
            let room = match spot {
                Some(spot) if rests => precedence::room_at_rest(me, near)
                    .filter(|&(_, way)| lane::is_narrow(spot, way, config.follow.passage_m))
                    .map(|it| it.0),
                _ if rests => None,
                _ => precedence::room_for(me, rank, near),
            };
            if let Some(room) = room {
                (self.room, self.yielding) = (room, ticks(room_s + PAUSE_S));
            }
        }
        let is_pressed = may && !rests && near.iter().next().is_some();
        let is_here = is_pressed && me.position.distance(self.anchor) < ANCHOR_M;
        (self.anchor, self.anchored) =
            if is_here { (self.anchor, self.anchored.saturating_add(1)) } else { (me.position, 0) };
        if self.anchored >= ticks(PRESS_S)
            && let Some(room) = spot.and_then(|spot| bypass::way_out(spot, me, near))
        {
            (self.room, self.yielding, self.anchored) = (room, ticks(OUT_S + PAUSE_S), 0);
        }
        self.yielding = self.yielding.saturating_sub(1);
        (may && self.yielding > ticks(PAUSE_S)).then(|| self.room * pace)
    }
}
