//! How somebody fares: health, ammunition, what it took, where it got stuck.

use sentir::core::plane;
use sentir::prelude::*;
use sentir_vision::bronto::Vital;

/// Who has not left such a circle for [`STUCK_S`] is stuck, m.
const PLACE_M: f32 = 0.5;
/// Standing for so long is no being stuck yet, s.
const STUCK_S: f32 = 3.0;

/// One life.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Life {
    pub(super) health: Vital,
    pub(super) ammo: Vital,
    pub(super) died: Option<Tick>,
    pub(super) health_taken: u32,
    pub(super) ammo_taken: u32,
    /// Balls it touched while it was after them, and while it was not.
    pub(super) caught: u32,
    pub(super) hit: u32,
    pub(super) avoids: u32,
    pub(super) is_touched: bool,
    /// How often its brain found that it did not get on.
    pub(super) stuck_times: u32,
    walked_m: f32,
    last: Vec2,
    anchor: Vec2,
    anchored: Tick,
    longest: u64,
    stuck: u64,
}

impl Life {
    /// A life that begins.
    pub(super) fn new(health: u32, ammo: u32, at: Vec3) -> Life {
        let place = plane::ground(at);
        let now = Tick(0);
        Life {
            health: Vital::new(health, now),
            ammo: Vital::new(ammo, now),
            last: place,
            anchor: place,
            ..Life::default()
        }
    }

    /// Notes where it is.
    pub(super) fn walked(&mut self, at: Vec3, now: Tick, rate: TickRate) {
        let place = plane::ground(at);
        self.walked_m += place.distance(self.last);
        self.last = place;
        if place.distance(self.anchor) > PLACE_M {
            (self.anchor, self.anchored) = (place, now);
        }
        let stood = now.since(self.anchored);
        self.longest = self.longest.max(stood);
        self.stuck += u64::from(stood > rate.ticks(STUCK_S));
    }

    /// The longest time in one place, s.
    pub(super) fn longest_s(&self, rate: TickRate) -> f32 {
        rate.seconds(self.longest)
    }

    /// Time in one place beyond the first three seconds each, s.
    pub(super) fn stuck_s(&self, rate: TickRate) -> f32 {
        rate.seconds(self.stuck)
    }

    /// How far it went, m.
    pub(super) fn walked_m(&self) -> f32 {
        self.walked_m
    }

    /// How long it lived, s.
    pub(super) fn lived_s(&self, now: Tick, rate: TickRate) -> f32 {
        rate.seconds(self.died.unwrap_or(now).0)
    }

    /// What it took in all.
    pub(super) fn taken(&self) -> u32 {
        self.health_taken + self.ammo_taken
    }
}
