//! Items and areas that help: what lies on the map, who may take it, when it is back.
//!
//! What an item gives is decided once, when the [`ItemTable`] is built; its state is one small value an item. Taking is by
//! touch and only when it is of use. Supply areas give at a rate that is exact over time and needs no state. O(items),
//! allocates nothing.

use sentir::State;
use sentir::core::glam::Vec3;
use sentir::core::plane;
use sentir::core::tick::{Tick, TickRate};
use sentir_level::{Level, polygon};
use thiserror::Error;

use crate::armory::{Armory, WeaponId, or_meant};
use crate::health::Vitals;
use crate::kit::Kit;
use crate::shot::Target;
use sentir_asset::nearest;

/// How near the skin an item must be to be taken, m.
pub const TOUCH_M: f32 = 0.5;

/// What an item gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Health, as much as the amount.
    Health,
    /// Armor, up to the amount: two pieces do not add up.
    Armor,
    /// The amount of rounds for every weapon.
    Ammo,
    /// A full weapon; to whom has it, the amount of rounds for it.
    Weapon(WeaponId),
}

/// Kinds of items besides weapons, which go by their own names.
pub const ITEM_KINDS: &[(&str, Gives)] = &[("health", Gives::Health), ("armor", Gives::Armor), ("ammo", Gives::Ammo)];

/// One item, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemRule {
    /// What it gives.
    pub gives: Gives,
    /// How much of it.
    pub amount: f32,
    /// Where, m.
    pub position: Vec3,
    /// When it is back after it was taken, ticks; 0 is never.
    pub respawn_ticks: u64,
}

/// The items of a level, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemTable {
    rules: Vec<ItemRule>,
}

/// Why the items of a level could not be used.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ItemError {
    /// Nobody knows what it gives.
    #[error("item {number} of the level '{level}' is of the unknown kind '{kind}'{}", or_meant(nearest))]
    UnknownKind {
        /// Which level.
        level: String,
        /// Which item, from 1.
        number: usize,
        /// As authored.
        kind: String,
        /// The nearest there is.
        nearest: Option<String>,
    },
}

/// Where an item is in its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum ItemState {
    /// It lies there.
    #[default]
    Here,
    /// It was taken, and is back at this tick.
    BackAt(Tick),
    /// It was taken for good.
    Gone,
}

impl ItemState {
    /// Whether it can be taken at a tick.
    pub fn is_here(self, tick: Tick) -> bool {
        match self {
            ItemState::Here => true,
            ItemState::BackAt(back) => tick >= back,
            ItemState::Gone => false,
        }
    }
}

/// The items as they are.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Items {
    /// By number of the item; what is missing lies there.
    pub states: Vec<ItemState>,
}

/// What somebody took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// Number of the item.
    pub item: u16,
    /// What it gave.
    pub gave: Gives,
    /// How much of it was of use: health, armor or rounds; 1 for a new weapon.
    pub amount: f32,
}

impl ItemTable {
    /// Finds out what every item of a level gives.
    pub fn build(level: &Level, armory: &Armory, rate: TickRate) -> Result<ItemTable, ItemError> {
        let mut rules = Vec::with_capacity(level.items().len());
        for (index, item) in level.items().iter().enumerate() {
            let known = ITEM_KINDS.iter().find(|(name, _)| *name == item.kind).map(|&(_, gives)| gives);
            let Some(gives) = known.or_else(|| armory.named(&item.kind).ok().map(Gives::Weapon)) else {
                let names = ITEM_KINDS.iter().map(|(name, _)| *name);
                let names = names.chain(armory.specs().iter().map(|spec| spec.name.as_str()));
                return Err(ItemError::UnknownKind {
                    level: level.name().to_owned(),
                    number: index + 1,
                    kind: item.kind.clone(),
                    nearest: nearest(&item.kind, names),
                });
            };
            let respawn_ticks = rate.ticks(item.respawn_s);
            rules.push(ItemRule { gives, amount: item.amount, position: item.position, respawn_ticks });
        }
        Ok(ItemTable { rules })
    }

    /// All items, in the level's order.
    pub fn rules(&self) -> &[ItemRule] {
        &self.rules
    }
}

impl Items {
    /// All of them there.
    pub fn new(table: &ItemTable) -> Items {
        Items { states: vec![ItemState::Here; table.rules.len()] }
    }

    /// Whether an item can be taken at a tick; numbers of nothing cannot.
    pub fn is_here(&self, item: u16, tick: Tick) -> bool {
        self.states.get(usize::from(item)).is_some_and(|state| state.is_here(tick))
    }
}

/// Who is given something: what it has.
#[derive(Debug)]
pub struct Receiver<'a> {
    /// The weapons there are.
    pub armory: &'a Armory,
    /// Its health and armor.
    pub vitals: &'a mut Vitals,
    /// Its weapons.
    pub kit: &'a mut Kit,
}

/// Takes every item that `body` touches and has a use for, in the order of the items. Calls `visit` with each.
pub fn take(
    table: &ItemTable,
    items: &mut Items,
    body: &Target,
    receiver: Receiver<'_>,
    tick: Tick,
    mut visit: impl FnMut(Taken),
) {
    let Receiver { armory, vitals, kit } = receiver;
    if vitals.is_dead() {
        return;
    }
    for (index, (rule, state)) in (0..).zip(table.rules.iter().zip(&mut items.states)) {
        if !state.is_here(tick) || body.distance_m(rule.position) > TOUCH_M {
            continue;
        }
        if let Some(amount) = give(rule, armory, vitals, kit) {
            let back = ItemState::BackAt(tick + rule.respawn_ticks);
            *state = if rule.respawn_ticks == 0 { ItemState::Gone } else { back };
            visit(Taken { item: index, gave: rule.gives, amount });
        }
    }
}

/// Gives what an item holds; how much of it was of use, none if nothing was.
fn give(rule: &ItemRule, armory: &Armory, vitals: &mut Vitals, kit: &mut Kit) -> Option<f32> {
    // `as` saturates: amounts past any magazine fill it.
    let rounds = rule.amount as u32;
    let amount = match rule.gives {
        Gives::Health => vitals.heal(rule.amount),
        Gives::Armor if rule.amount > vitals.armor => {
            let more = rule.amount - vitals.armor;
            vitals.armor = rule.amount;
            more
        }
        Gives::Armor => 0.0,
        Gives::Ammo => kit.refill(armory, rounds) as f32,
        Gives::Weapon(id) if kit.has(id) => kit.refill_one(armory, id, rounds) as f32,
        Gives::Weapon(id) => f32::from(u8::from(kit.add(armory, id))),
    };
    (amount > 0.0).then_some(amount)
}

/// How much supply areas give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupplyConfig {
    /// Rounds for every weapon, per minute, in areas of kind `supply`.
    pub rounds_per_minute: u32,
    /// Health in areas of kind `heal`, per second. Limit: ≥ 0.
    pub health_per_s: f32,
}

/// The areas of a level that give something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SupplyTable {
    /// Number of the area, and whether it heals rather than supplies.
    areas: Vec<(u16, bool)>,
}

/// What an area gave in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Supplied {
    /// Health.
    pub healed: f32,
    /// Rounds, over all weapons.
    pub rounds: u32,
}

impl SupplyTable {
    /// The areas of kind `supply` and `heal`.
    pub fn build(level: &Level) -> SupplyTable {
        let mut areas = Vec::new();
        for (index, area) in (0..).zip(level.areas()) {
            match area.kind.as_str() {
                "supply" => areas.push((index, false)),
                "heal" => areas.push((index, true)),
                _ => {}
            }
        }
        SupplyTable { areas }
    }
}

/// What areas give at a tick.
#[derive(Clone, Copy, Debug)]
pub struct SupplyContext<'a> {
    /// Which areas give something.
    pub table: &'a SupplyTable,
    /// How much they give.
    pub config: &'a SupplyConfig,
    /// The level that the table is of.
    pub level: &'a Level,
    /// When.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
}

/// What the areas around `foot` give in one tick. Overlapping areas of one kind give once.
pub fn supply(context: &SupplyContext<'_>, foot: Vec3, receiver: Receiver<'_>) -> Supplied {
    let &SupplyContext { table, config, level, tick, rate } = context;
    let Receiver { armory, vitals, kit } = receiver;
    let mut supplied = Supplied::default();
    if table.areas.is_empty() || vitals.is_dead() {
        return supplied;
    }
    let (floor, ground) = (level.floor_at(foot), plane::ground(foot));
    let is_in = |heals: bool| {
        table.areas.iter().filter(|(_, one)| *one == heals).any(|&(index, _)| {
            let area = level.areas().get(usize::from(index));
            area.is_some_and(|area| Some(area.floor) == floor && polygon::contains(&area.outline, ground))
        })
    };
    if is_in(true) {
        supplied.healed = vitals.heal(config.health_per_s * rate.tick_s());
    }
    if is_in(false) {
        supplied.rounds = kit.refill(armory, due(config.rounds_per_minute, tick, rate));
    }
    supplied
}

/// How many of so many a minute fall on a tick: exact over any minute, and spread evenly.
fn due(per_minute: u32, tick: Tick, rate: TickRate) -> u32 {
    let minute = 60 * u64::from(rate.hz());
    let within = tick.0 % minute;
    let until = |ticks: u64| ticks * u64::from(per_minute) / minute;
    (until(within + 1) - until(within)) as u32
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use crate::armory::stock;
    use sentir::core::id::{AgentId, TeamId};
    use sentir::core::state::{Noticed, perturb};
    use sentir_level::parse;

    const STORE: &str = "
name: store
items:
  - { kind: health, at: [0, 0], amount: 25, respawn_s: 1.5 }
  - { kind: ammo, at: [10, 0], amount: 30, respawn_s: 4 }
  - { kind: shotgun, at: [20, 0], amount: 7 }
  - { kind: armor, at: [30, 0], amount: 50, respawn_s: 2 }
areas:
  - { name: depot, kind: supply, outline: [[40, 0], [44, 0], [44, 4], [40, 4]] }
  - { name: tent, kind: heal, outline: [[50, 0], [54, 0], [54, 4], [50, 4]] }
";

    fn level(text: &str) -> Level {
        parse(text.as_bytes(), "store.yaml").unwrap().build().unwrap()
    }

    fn body(x: f32) -> Target {
        let foot = Vec3::X * x;
        Target::standing(AgentId::from_bits(1), TeamId(0), foot)
    }

    struct Shop {
        table: ItemTable,
        items: Items,
        armory: Armory,
        vitals: Vitals,
        kit: Kit,
    }

    fn shop(rate: TickRate) -> Shop {
        let armory = stock();
        let table = ItemTable::build(&level(STORE), &armory, rate).unwrap();
        let items = Items::new(&table);
        let kit = Kit::full(&armory, &[WeaponId(0)]);
        Shop { table, items, armory, vitals: Vitals::new(100.0), kit }
    }

    impl Shop {
        fn visit(&mut self, x: f32, tick: u64) -> Vec<Taken> {
            let mut taken = Vec::new();
            let who = Receiver { armory: &self.armory, vitals: &mut self.vitals, kit: &mut self.kit };
            take(&self.table, &mut self.items, &body(x), who, Tick(tick), |one| taken.push(one));
            taken
        }
    }

    #[test]
    fn items_come_back_at_their_tick_exactly() {
        for hz in [20u16, 60, 144] {
            let mut shop = shop(TickRate::new(hz));
            let back = 40 + (1.5 * f64::from(hz)) as u64;
            shop.vitals.health = 10.0;
            assert_eq!(shop.visit(0.7, 40).len(), 1);
            for tick in 41..back {
                assert!(shop.visit(0.0, tick).is_empty() && !shop.items.is_here(0, Tick(tick)));
            }
            assert_eq!(shop.visit(0.0, back), [Taken { item: 0, gave: Gives::Health, amount: 25.0 }]);
            assert_eq!(shop.vitals.health, 60.0);
        }
    }

    #[test]
    fn what_is_of_no_use_is_left_lying() {
        let mut shop = shop(TickRate::new(60));
        assert!(shop.visit(0.0, 0).is_empty() && shop.visit(10.0, 0).is_empty());
        assert!(shop.visit(1.0, 0).is_empty(), "too far to touch");
        shop.kit.held(&shop.armory).unwrap().0.reserve = 100;
        assert_eq!(shop.visit(10.0, 1), [Taken { item: 1, gave: Gives::Ammo, amount: 20.0 }]);
        assert_eq!(shop.visit(30.0, 1)[0].amount, 50.0);
        shop.vitals.armor = 50.0;
        assert!(shop.visit(30.0, 500).is_empty());
        shop.vitals.health = 0.0;
        assert!(shop.visit(20.0, 500).is_empty(), "the dead take nothing");
    }

    #[test]
    fn a_weapon_is_taken_once_and_gone_for_good() {
        let mut shop = shop(TickRate::new(60));
        assert_eq!(shop.visit(20.0, 0), [Taken { item: 2, gave: Gives::Weapon(WeaponId(2)), amount: 1.0 }]);
        assert!(shop.kit.has(WeaponId(2)) && shop.items.states[2] == ItemState::Gone);
        assert!(!shop.items.is_here(2, Tick(u64::MAX)) && !shop.items.is_here(99, Tick(0)));
    }

    #[test]
    fn unknown_kinds_are_named_with_the_nearest_that_is_known() {
        let text = "name: store\nitems:\n  - { kind: health, at: [0, 0] }\n  - { kind: shotgnu, at: [0, 0] }\n";
        let error = ItemTable::build(&level(text), &stock(), TickRate::new(60)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "item 2 of the level 'store' is of the unknown kind 'shotgnu', did you mean 'shotgun'?"
        );
    }

    #[test]
    fn areas_supply_at_their_rate_exactly() {
        let level = level(STORE);
        let (table, armory) = (SupplyTable::build(&level), stock());
        let config = SupplyConfig { rounds_per_minute: 100, health_per_s: 4.0 };
        for hz in [20u16, 60, 144] {
            let rate = TickRate::new(hz);
            let at =
                |tick: u64| SupplyContext { table: &table, config: &config, level: &level, tick: Tick(tick), rate };
            let (mut vitals, mut kit) =
                (Vitals { health: 10.0, ..Vitals::new(100.0) }, Kit::full(&armory, &[WeaponId(1)]));
            kit.held(&armory).unwrap().0.reserve = 0;
            for tick in 0..60 * u64::from(hz) {
                let who = Receiver { armory: &armory, vitals: &mut vitals, kit: &mut kit };
                supply(&at(tick + 77), Vec3::new(42.0, 0.0, -2.0), who);
            }
            assert_eq!((kit.held(&armory).unwrap().0.reserve, vitals.health), (100, 10.0));
            for tick in 0..5 * u64::from(hz) {
                let who = Receiver { armory: &armory, vitals: &mut vitals, kit: &mut kit };
                supply(&at(tick), Vec3::new(52.0, 0.0, -2.0), who);
            }
            assert!((vitals.health - 30.0).abs() < 1e-2, "{}", vitals.health);
            let who = Receiver { armory: &armory, vitals: &mut vitals, kit: &mut kit };
            let none = supply(&at(0), Vec3::new(0.0, 0.0, -2.0), who);
            assert_eq!(none, Supplied::default());
        }
    }

    #[test]
    fn every_item_counts_in_the_state() {
        let items = Items { states: vec![ItemState::Here, ItemState::BackAt(Tick(7)), ItemState::Gone] };
        assert!(perturb(&items).iter().all(|one| one.outcome == Noticed::Yes || one.is_shape));
    }
}
