//! Who takes which slot: the best of all assignments, exactly.
//!
//! An assignment is judged by a list of whole numbers, earlier ones first: how many slots stay empty, how ill the roles
//! suit, how many leave the slot they had, how far all have to walk (squared millimeters), and last by number, so that of
//! equals the earlier unit takes the earlier slot. Packed into one integer per pair of unit and slot, this is the classic
//! assignment problem, solved exactly in O(slots² · (slots + units)). No float takes part in a comparison.
//!
//! | rule | role cost | may a slot stay empty |
//! |---|---|---|
//! | [`Rule::Plain`] | the first unit belongs in slot 0, nobody else does | no, while a unit is free |
//! | [`Rule::Hard`] | what the table forbids is never done | yes, if nobody left may take it |
//! | [`Rule::Soft`] | the table's | no, while a unit is free |
//!
//! So survivors keep their slots when somebody dies or joins, unless moving one fills a slot more or suits the roles
//! better, and then as few as possible move.

use sentir_core::State;
use sentir_core::glam::Vec2;

use super::matching::{Weights, least};
use super::pattern::{SLOTS_MAX, Slot};
use super::role::{self, UnitType};

/// How roles count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Rule {
    /// Not at all: everybody to the nearest slot, the first unit to slot 0.
    #[default]
    Plain,
    /// As rules never broken.
    Hard,
    /// As costs.
    Soft,
}

/// Somebody to be given a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Candidate {
    /// What it is.
    pub kind: UnitType,
    /// Where it is, m.
    pub position: Vec2,
    /// The slot it had so far.
    pub slot: Option<u16>,
}

/// Most units that are looked at; later ones get no slot.
pub const UNITS_MAX: usize = SLOTS_MAX;
/// Squared distances are cut here, mm²: over 30 km.
const FAR_MM2: i128 = 1 << 50;
// Bits of each figure; each holds a sum over UNITS_MAX pairs.
const TIE_BITS: u32 = 25;
const WALK_BITS: u32 = 59;
const MOVED_BITS: u32 = 9;
const ROLE_BITS: u32 = 17;

/// What an assignment costs, most important first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Slots without a unit.
    pub empty: u32,
    /// Sum of the role costs; under [`Rule::Plain`], 0 if the first unit is in slot 0.
    pub role: u32,
    /// Units that had a slot and have another one or none now.
    pub moved: u32,
    /// Sum of the squared ways, mm².
    pub walk_mm2: u64,
}

/// Gives each unit a slot or none, in `out`, by unit. `places` are where the slots are now, m; missing ones are at the
/// origin. Only the first [`UNITS_MAX`] units and [`SLOTS_MAX`] slots count.
pub fn assign(units: &[Candidate], slots: &[Slot], places: &[Vec2], rule: Rule, out: &mut Vec<Option<u16>>) {
    out.clear();
    out.resize(units.len(), None);
    let (units, slots) = (&units[..units.len().min(UNITS_MAX)], &slots[..slots.len().min(SLOTS_MAX)]);
    if units.is_empty() || slots.is_empty() {
        return;
    }
    // Past the units, each slot has a column for staying empty. What is forbidden costs more than staying empty.
    let empty = 1 << (TIE_BITS + WALK_BITS + MOVED_BITS + ROLE_BITS);
    let columns = units.len() + slots.len();
    let cost = |row: usize, column: usize| match units.get(column) {
        None => empty,
        Some(unit) => match pair(unit, column, &slots[row], row, rule) {
            None => empty * 2,
            Some((role, moved)) => {
                let place = places.get(row).copied().unwrap_or_default();
                let figures = [(role, MOVED_BITS), (moved, WALK_BITS), (walk_mm2(unit.position, place), TIE_BITS)];
                let packed = figures.into_iter().fold(0, |sum, (figure, shift)| (sum + figure) << shift);
                packed + (row as i128 - column as i128) * (row as i128 - column as i128)
            }
        },
    };
    let weights = Weights::from_fn(slots.len(), columns, cost);
    for (row, column) in least(&weights).into_iter().enumerate() {
        if column < units.len() && weights.at(row, column) < empty {
            out[column] = Some(row as u16);
        }
    }
}

/// Role cost of a pair and whether the unit moves; a unit that leaves its slot for none is charged nothing here, so the
/// bonus is on staying. None if the pair is forbidden.
fn pair(unit: &Candidate, number: usize, slot: &Slot, slot_number: usize, rule: Rule) -> Option<(i128, i128)> {
    let role = match rule {
        Rule::Plain => i128::from((number == 0) != (slot_number == 0)),
        Rule::Hard => {
            if !role::may(unit.kind, slot.role) {
                return None;
            }
            0
        }
        Rule::Soft => i128::from(role::cost(unit.kind, slot.role)),
    };
    // Who had this very slot is better than a newcomer, who is as good as anybody who must move.
    let moved = i128::from(unit.slot.map(usize::from) != Some(slot_number));
    Some((role, moved))
}

/// Squared distance, mm², up to [`FAR_MM2`]; that, too, for what is no number.
fn walk_mm2(from: Vec2, to: Vec2) -> i128 {
    let squared = ((to - from).as_dvec2() * 1000.0).length_squared().round();
    if squared < FAR_MM2 as f64 { squared as i128 } else { FAR_MM2 }
}

/// What an assignment costs under a rule; for reports and tests. `taken` is by unit, as [`assign`] gives it.
pub fn cost(units: &[Candidate], slots: &[Slot], places: &[Vec2], rule: Rule, taken: &[Option<u16>]) -> Cost {
    let mut sum = Cost { empty: slots.len() as u32, ..Cost::default() };
    for (number, (unit, slot)) in units.iter().zip(taken).enumerate() {
        let here = slot.map(usize::from).and_then(|slot| slots.get(slot).map(|it| (slot, it)));
        let Some((slot_number, slot)) = here else {
            sum.moved += u32::from(unit.slot.is_some());
            continue;
        };
        sum.empty = sum.empty.saturating_sub(1);
        let role = match rule {
            Rule::Plain => u32::from((number == 0) != (slot_number == 0)),
            Rule::Hard => 0,
            Rule::Soft => u32::from(role::cost(unit.kind, slot.role)),
        };
        sum.role += role;
        sum.moved += u32::from(unit.slot.is_some_and(|before| usize::from(before) != slot_number));
        let place = places.get(slot_number).copied().unwrap_or_default();
        sum.walk_mm2 += u64::try_from(walk_mm2(unit.position, place)).unwrap_or(u64::MAX >> 8);
    }
    sum
}
