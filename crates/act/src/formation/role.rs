//! Roles of slots and types of units: which unit may stand where, and how badly that suits it.

use sentir_core::State;

/// What a slot asks of who stands in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub enum Role {
    /// Fights hand to hand.
    #[default]
    Melee,
    /// Covers a flank.
    Lateral,
    /// Covers the back.
    Rearguard,
    /// Takes the blows.
    Tank,
}

impl Role {
    /// Every role, in the order of the tables' columns.
    pub const ALL: [Role; 4] = [Role::Melee, Role::Lateral, Role::Rearguard, Role::Tank];
}

/// What somebody is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub enum UnitType {
    /// Light foot.
    #[default]
    Light,
    /// Heavy foot.
    Heavy,
    /// A spy.
    Spy,
    /// Fights from afar.
    Ranged,
}

impl UnitType {
    /// Every type, in the order of the tables' rows.
    pub const ALL: [UnitType; 4] = [UnitType::Light, UnitType::Heavy, UnitType::Spy, UnitType::Ranged];
}

/// Which role a type may take, where roles are hard: rows by type, columns by role.
pub const HARD: [[bool; 4]; 4] = [
    // Melee, lateral, rearguard, tank.
    [true, false, true, true],
    [true, false, false, true],
    [true, true, false, false],
    [false, true, true, false],
];

/// How ill a role suits a type, where roles are soft; 0 is best. Rows by type, columns by role. Limit: ≤ [`SOFT_MAX`].
pub const SOFT: [[u16; 4]; 4] = [
    // Melee, lateral, rearguard, tank.
    [0, 50, 0, 0],
    [0, 100, 150, 0],
    [0, 0, 30, 120],
    [50, 0, 0, 60],
];

/// The greatest cost that [`SOFT`] may hold.
pub const SOFT_MAX: u16 = 255;

/// Whether a type may take a role where roles are hard.
pub fn may(unit: UnitType, role: Role) -> bool {
    HARD[unit as usize][role as usize]
}

/// How ill a role suits a type where roles are soft; 0 is best.
pub fn cost(unit: UnitType, role: Role) -> u16 {
    SOFT[unit as usize][role as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_do_what_is_as_authored() {
        let may = UnitType::ALL.map(|unit| Role::ALL.map(|role| may(unit, role)));
        let (yes, no) = (true, false);
        // Melee, lateral, rearguard, tank; light, heavy, spy, ranged.
        assert_eq!(may, [[yes, no, yes, yes], [yes, no, no, yes], [yes, yes, no, no], [no, yes, yes, no]]);
    }

    #[test]
    fn what_ill_suits_whom_is_as_authored() {
        let cost = UnitType::ALL.map(|unit| Role::ALL.map(|role| cost(unit, role)));
        assert_eq!(cost, [[0, 50, 0, 0], [0, 100, 150, 0], [0, 0, 30, 120], [50, 0, 0, 60]]);
    }

    #[test]
    fn what_is_allowed_costs_nothing_and_what_is_not_costs_something() {
        for (unit, role) in UnitType::ALL.into_iter().flat_map(|unit| Role::ALL.map(|role| (unit, role))) {
            assert_eq!(may(unit, role), cost(unit, role) == 0, "{unit:?} as {role:?}");
            assert!(cost(unit, role) <= SOFT_MAX);
        }
    }
}
