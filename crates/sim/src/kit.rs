//! What one carries: a few weapons, one of them in the hand.
//!
//! A fixed number of places, so that carrying allocates nothing. Places are filled from the first on.

use sentir::State;
use sentir::core::tick::Tick;

use crate::armory::{Armory, WeaponId, WeaponSpec};
use crate::weapon::{self, Weapon};

/// Places in a kit.
pub const PLACES: usize = 4;

/// A weapon that is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Carried {
    /// Which.
    pub id: WeaponId,
    /// In which state.
    pub weapon: Weapon,
}

/// All that is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Kit {
    /// By place.
    pub places: [Option<Carried>; PLACES],
    /// The place of the one in the hand; of nothing, if it names no filled place.
    pub in_hand: u8,
}

impl Kit {
    /// A kit of full weapons, the first in the hand. What does not fit, or is no weapon of the armory, is left out.
    pub fn full(armory: &Armory, weapons: &[WeaponId]) -> Kit {
        let mut kit = Kit::default();
        for &id in weapons {
            kit.add(armory, id);
        }
        kit
    }

    /// Adds a full weapon; whether there was room, and it was not carried already.
    pub fn add(&mut self, armory: &Armory, id: WeaponId) -> bool {
        let (Some(spec), false) = (armory.spec(id), self.has(id)) else { return false };
        let Some(place) = self.places.iter_mut().find(|place| place.is_none()) else { return false };
        *place = Some(Carried { id, weapon: Weapon::full(spec) });
        true
    }

    /// Whether a weapon is carried.
    pub fn has(&self, id: WeaponId) -> bool {
        self.places.iter().flatten().any(|one| one.id == id)
    }

    /// Whether another weapon would fit.
    pub fn has_room(&self) -> bool {
        self.places.iter().any(Option::is_none)
    }

    /// The weapon in the hand.
    pub fn in_hand_mut(&mut self) -> Option<&mut Carried> {
        self.places.get_mut(usize::from(self.in_hand))?.as_mut()
    }

    /// The weapon in the hand, with its spec.
    pub fn held<'a>(&mut self, armory: &'a Armory) -> Option<(&mut Weapon, &'a WeaponSpec, WeaponId)> {
        let Carried { id, weapon } = self.in_hand_mut()?;
        Some((weapon, armory.spec(*id)?, *id))
    }

    /// Takes another weapon into the hand; whether it is carried. A reload of the one put away is broken off, unless its
    /// time had come.
    pub fn switch(&mut self, armory: &Armory, id: WeaponId, tick: Tick) -> bool {
        let Some(place) = self.places.iter().position(|one| one.is_some_and(|one| one.id == id)) else { return false };
        if place != usize::from(self.in_hand) {
            if let Some((old, spec, _)) = self.held(armory) {
                weapon::settle(old, spec, tick);
                weapon::cancel_reload(old);
                old.was_held = false;
            }
            self.in_hand = place as u8;
        }
        true
    }

    /// Puts up to `rounds` into every weapon that takes any; how many were taken in all.
    pub fn refill(&mut self, armory: &Armory, rounds: u32) -> u32 {
        let mut taken = 0u32;
        for one in self.places.iter_mut().flatten() {
            if let Some(spec) = armory.spec(one.id) {
                taken = taken.saturating_add(weapon::refill(&mut one.weapon, spec, rounds));
            }
        }
        taken
    }

    /// Puts up to `rounds` into one weapon; how many were taken.
    pub fn refill_one(&mut self, armory: &Armory, id: WeaponId, rounds: u32) -> u32 {
        let (Some(spec), Some(one)) = (armory.spec(id), self.places.iter_mut().flatten().find(|one| one.id == id))
        else {
            return 0;
        };
        weapon::refill(&mut one.weapon, spec, rounds)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use crate::armory::stock;
    use crate::weapon::{Reload, reload};
    use sentir::core::state::{Noticed, perturb};
    use sentir::core::tick::TickRate;

    #[test]
    fn each_weapon_is_carried_once_and_only_as_many_as_fit() {
        let armory = stock();
        let mut kit = Kit::full(&armory, &[WeaponId(0), WeaponId(3)]);
        assert!(!kit.add(&armory, WeaponId(0)) && !kit.add(&armory, WeaponId(99)));
        assert!(kit.add(&armory, WeaponId(1)) && kit.has_room() && kit.add(&armory, WeaponId(2)));
        assert!(!kit.has_room() && !kit.add(&armory, WeaponId(5)));
    }

    #[test]
    fn changing_weapons_breaks_off_the_reload() {
        let (armory, rate) = (stock(), TickRate::new(60));
        let mut kit = Kit::full(&armory, &[WeaponId(0), WeaponId(3)]);
        let (rifle, spec, _) = kit.held(&armory).unwrap();
        rifle.magazine = 3;
        assert!(matches!(reload(rifle, spec, Tick(0), rate), Reload::Began { .. }));
        assert!(kit.switch(&armory, WeaponId(3), Tick(10)) && kit.switch(&armory, WeaponId(0), Tick(500)));
        let (rifle, ..) = kit.held(&armory).unwrap();
        assert_eq!((rifle.magazine, rifle.reserve, rifle.is_reloading()), (3, 120, false));
        assert!(!kit.switch(&armory, WeaponId(5), Tick(500)));
    }

    #[test]
    fn a_kit_of_any_numbers_answers() {
        let armory = stock();
        let mut kit = Kit { in_hand: 200, places: [Some(Carried { id: WeaponId(77), ..Carried::default() }); PLACES] };
        assert!(kit.held(&armory).is_none());
        assert_eq!(kit.refill(&armory, 5), 0);
        kit.in_hand = 0;
        assert!(kit.held(&armory).is_none());
        assert!(perturb(&Kit::full(&armory, &[WeaponId(0)])).iter().all(|one| one.outcome != Noticed::No));
    }
}
