//! Health and ammunition, and what one wants because of them.
//!
//! Both fall by steps of time since they were last raised, so nothing is counted down: a value is a function of the
//! moment, exact at any tick rate that divides the steps.

use sentir_core::State;
use sentir_core::tick::Tick;
use thiserror::Error;

use crate::color::{AMMO, HEALTH};
use crate::thing::Class;

/// The most that either can be.
pub const VITAL_MAX: u32 = 100;

/// How a value falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decay {
    /// Ticks from step to step; 0 is never.
    pub every: u64,
    /// Lost at each.
    pub loss: u32,
}

/// A value that falls with time, 0..=100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Vital {
    level: u32,
    since: Tick,
}

impl Vital {
    /// A value from a moment on; more than 100 is 100.
    pub fn new(level: u32, now: Tick) -> Vital {
        Vital { level: level.min(VITAL_MAX), since: now }
    }

    /// What is left at a moment.
    pub fn at(&self, decay: &Decay, now: Tick) -> u32 {
        let steps = now.since(self.since).checked_div(decay.every).unwrap_or(0);
        let lost = steps.saturating_mul(u64::from(decay.loss)).min(u64::from(VITAL_MAX));
        self.level.saturating_sub(lost as u32)
    }

    /// Adds to it, and starts its time anew; what it comes to.
    pub fn gain(&mut self, amount: u32, decay: &Decay, now: Tick) -> u32 {
        *self = Vital::new(self.at(decay, now).saturating_add(amount), now);
        self.level
    }
}

/// Under which values something is wanted, and badly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Health below this is wanted quickly.
    pub health_low: u32,
    /// Health below this is wanted.
    pub health_high: u32,
    /// Ammunition below this is wanted quickly.
    pub ammo_low: u32,
    /// Ammunition below this is wanted.
    pub ammo_high: u32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds { health_low: 35, health_high: 75, ammo_low: 25, ammo_high: 65 }
    }
}

/// Why thresholds are refused.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("thresholds of {what} of {low} and {high}: expected 0 < low < high < 100")]
pub struct ThresholdError {
    what: &'static str,
    low: u32,
    high: u32,
}

impl Thresholds {
    /// Whether 0 < low < high < 100 for both.
    pub fn check(&self) -> Result<(), ThresholdError> {
        let both = [("health", self.health_low, self.health_high), ("ammunition", self.ammo_low, self.ammo_high)];
        let is_wrong = |&&(_, low, high): &&(&str, u32, u32)| !(0 < low && low < high && high < VITAL_MAX);
        match both.iter().find(is_wrong) {
            Some(&(what, low, high)) => Err(ThresholdError { what, low, high }),
            None => Ok(()),
        }
    }
}

/// What it is after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Mood {
    /// Nothing: it walks around.
    #[default]
    WalkAround,
    /// Health.
    Health,
    /// Ammunition.
    Ammo,
    /// Either.
    Any,
    /// Health, and it runs.
    QuickHealth,
    /// Ammunition, and it runs.
    QuickAmmo,
}

impl Mood {
    /// The mood that values bring about: the first of the table that holds.
    pub fn of(health: u32, ammo: u32, limits: &Thresholds) -> Mood {
        match (health < limits.health_high, ammo < limits.ammo_high) {
            _ if health < limits.health_low => Mood::QuickHealth,
            _ if ammo < limits.ammo_low => Mood::QuickAmmo,
            (false, false) => Mood::WalkAround,
            (true, false) => Mood::Health,
            (false, true) => Mood::Ammo,
            (true, true) => Mood::Any,
        }
    }

    /// What it looks for.
    pub fn wanted(self) -> &'static [Class] {
        match self {
            Mood::WalkAround => &[],
            Mood::Health | Mood::QuickHealth => &[HEALTH],
            Mood::Ammo | Mood::QuickAmmo => &[AMMO],
            Mood::Any => &[HEALTH, AMMO],
        }
    }

    /// Whether it runs.
    pub fn is_quick(self) -> bool {
        matches!(self, Mood::QuickHealth | Mood::QuickAmmo)
    }

    /// In a few words.
    pub fn name(self) -> &'static str {
        match self {
            Mood::WalkAround => "walk around",
            Mood::Health => "look for health",
            Mood::Ammo => "look for ammo",
            Mood::Any => "look for any",
            Mood::QuickHealth => "health, quickly",
            Mood::QuickAmmo => "ammo, quickly",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::tick::TickRate;

    const RATE: TickRate = TickRate::new(30);

    fn at_s(seconds: f32) -> Tick {
        Tick(RATE.ticks(seconds))
    }

    fn source() -> (Decay, Decay) {
        (Decay { every: RATE.ticks(5.0), loss: 3 }, Decay { every: RATE.ticks(4.0), loss: 4 })
    }

    /// The first whole second at which a value is 0.
    fn empty_s(vital: &Vital, decay: &Decay) -> u32 {
        (0..1000).find(|&second| vital.at(decay, at_s(second as f32)) == 0).unwrap_or(u32::MAX)
    }

    #[test]
    fn left_alone_ammunition_ends_at_100_s_and_health_at_170_s() {
        let (health, ammo) = source();
        let vital = Vital::new(100, Tick(0));
        assert_eq!((empty_s(&vital, &ammo), empty_s(&vital, &health)), (100, 170));
        assert_eq!((vital.at(&ammo, at_s(99.9)), vital.at(&health, at_s(169.9))), (4, 1));
    }

    #[test]
    fn power_ups_at_37_43_and_156_s_give_the_values_of_the_source() {
        let (fall_health, fall_ammo) = source();
        let (mut health, mut ammo) = (Vital::new(100, Tick(0)), Vital::new(100, Tick(0)));
        assert_eq!((ammo.at(&fall_ammo, at_s(37.0)), ammo.gain(10, &fall_ammo, at_s(37.0))), (64, 74));
        assert_eq!((ammo.at(&fall_ammo, at_s(43.0)), ammo.gain(10, &fall_ammo, at_s(43.0))), (70, 80));
        assert_eq!((health.at(&fall_health, at_s(156.0)), health.gain(5, &fall_health, at_s(156.0))), (7, 12));
        assert_eq!((empty_s(&ammo, &fall_ammo), ammo.at(&fall_ammo, at_s(122.9))), (123, 4));
        assert_eq!(health.at(&fall_health, at_s(175.9)), 3);
        assert_eq!((156..400).find(|&second| health.at(&fall_health, at_s(second as f32)) == 0), Some(176));
    }

    #[test]
    fn values_stay_within_0_and_100_whatever_is_added_and_however_long_it_takes() {
        let decay = Decay { every: 1, loss: u32::MAX };
        let mut vital = Vital::new(u32::MAX, Tick(5));
        assert_eq!((vital.at(&decay, Tick(5)), vital.at(&decay, Tick(u64::MAX))), (100, 0));
        assert_eq!(vital.gain(u32::MAX, &decay, Tick(6)), 100);
        assert_eq!(vital.at(&Decay { every: 0, loss: 9 }, Tick(u64::MAX)), 100);
        assert_eq!(vital.at(&decay, Tick(0)), 100);
    }

    #[test]
    fn the_table_of_moods_holds_at_every_border() {
        let limits = Thresholds { health_low: 30, health_high: 60, ammo_low: 20, ammo_high: 50 };
        let table = [
            ((29, 100), Mood::QuickHealth),
            ((29, 19), Mood::QuickHealth),
            ((0, 0), Mood::QuickHealth),
            ((30, 19), Mood::QuickAmmo),
            ((100, 19), Mood::QuickAmmo),
            ((60, 50), Mood::WalkAround),
            ((100, 100), Mood::WalkAround),
            ((59, 50), Mood::Health),
            ((30, 100), Mood::Health),
            ((60, 49), Mood::Ammo),
            ((100, 20), Mood::Ammo),
            ((59, 49), Mood::Any),
            ((30, 20), Mood::Any),
        ];
        for ((health, ammo), mood) in table {
            assert_eq!(Mood::of(health, ammo, &limits), mood, "{health} {ammo}");
        }
        assert!(Mood::QuickAmmo.is_quick() && Mood::QuickHealth.is_quick() && !Mood::Any.is_quick());
        assert_eq!((Mood::WalkAround.wanted().len(), Mood::Any.wanted()), (0, [HEALTH, AMMO].as_slice()));
    }

    #[test]
    fn thresholds_out_of_order_are_refused_with_a_sentence() {
        assert_eq!(Thresholds::default().check(), Ok(()));
        let say = |limits: Thresholds| limits.check().err().map(|error| error.to_string());
        let equal = Thresholds { health_low: 60, health_high: 60, ..Thresholds::default() };
        assert_eq!(say(equal).as_deref(), Some("thresholds of health of 60 and 60: expected 0 < low < high < 100"));
        for wrong in [
            Thresholds { ammo_low: 0, ..Thresholds::default() },
            Thresholds { ammo_high: 100, ..Thresholds::default() },
        ] {
            assert!(say(wrong).is_some_and(|text| text.contains("ammunition")));
        }
    }
}
