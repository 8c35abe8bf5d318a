//! The rules of the war scenes: one file, read and checked once.

use schemars::JsonSchema;
use sentir_asset::{AssetError, FilePosition, Header, Node, Refusal, Value, parse};
use sentir_squad::strategy::Attitude;
use serde::Deserialize;

/// The kind of rule files and its current version.
pub(crate) const FORMAT: (&str, u32) = ("war", 1);

/// What something is: units first, then structures. The number is the kind of its agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Worker,
    Light,
    Heavy,
    Ranged,
    Spy,
    Turret,
    Base,
    Hospital,
}

impl Kind {
    pub(crate) const ALL: [Kind; 8] =
        [Kind::Worker, Kind::Light, Kind::Heavy, Kind::Ranged, Kind::Spy, Kind::Turret, Kind::Base, Kind::Hospital];
    /// Those that move.
    pub(crate) const UNITS: usize = 5;

    pub(crate) fn of(number: u16) -> Kind {
        Kind::ALL[usize::from(number).min(Kind::ALL.len() - 1)]
    }

    pub(crate) fn name(self) -> &'static str {
        ["worker", "light", "heavy", "ranged", "spy", "turret", "base", "hospital"][self as usize]
    }

    /// Whether it is for fighting in the open.
    pub(crate) fn is_soldier(self) -> bool {
        matches!(self, Kind::Light | Kind::Heavy | Kind::Ranged)
    }

    pub(crate) fn is_structure(self) -> bool {
        self as usize >= Kind::UNITS
    }
}

/// What a cell of each ground costs a unit on its way.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Taste {
    /// On a road or bridge. Limit: 1..=8.
    pub(crate) path: u8,
    /// On grass. Limit: 1..=8.
    pub(crate) grass: u8,
    /// In a forest. Limit: 1..=8.
    pub(crate) forest: u8,
}

/// A kind of unit.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnitRule {
    /// What it can take.
    pub(crate) health: f32,
    /// Share of a blow that does not count. Limit: 0..=0.95.
    pub(crate) defense: f32,
    /// How fast it goes, m/s.
    pub(crate) speed: f32,
    /// How far it strikes beyond its own body, m.
    pub(crate) range: f32,
    /// Damage a second.
    pub(crate) damage: f32,
    /// Time from one strike to the next, s.
    pub(crate) strike_s: f32,
    /// How far it sees, m.
    pub(crate) sight: f32,
    /// What ground it likes.
    pub(crate) taste: Taste,
    /// Influence at its place; a cell farther it is 1 less.
    pub(crate) influence: f32,
}

/// A kind of structure.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StructureRule {
    /// What it can take.
    health: f32,
    /// Share of a blow that does not count. Limit: 0..=0.95.
    defense: f32,
    /// How far it strikes, m; 0 if it does not.
    range: f32,
    /// Damage a second.
    damage: f32,
    /// Time from one strike to the next, s.
    strike_s: f32,
    /// How far it sees, m.
    sight: f32,
    /// Influence at its place; a cell farther it is 1 less.
    influence: f32,
}

/// The kinds of units.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Units {
    worker: UnitRule,
    light: UnitRule,
    heavy: UnitRule,
    ranged: UnitRule,
    spy: UnitRule,
}

/// The kinds of structures.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Structures {
    turret: StructureRule,
    base: StructureRule,
    hospital: StructureRule,
}

/// How many of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Army {
    worker: u32,
    light: u32,
    heavy: u32,
    ranged: u32,
    spy: u32,
}

/// A share of health for each attitude.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ByAttitude {
    attack: f32,
    defend: f32,
    total: f32,
}

/// Places of blue, as columns and rows.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceRules {
    pub(crate) base: [u16; 2],
    pub(crate) hospital: [u16; 2],
    /// Where turrets can be built.
    pub(crate) sites: [[u16; 2]; 2],
    /// Where resources appear, on blue's half.
    pub(crate) resources: Vec<[u16; 2]>,
    /// Where defenders stand.
    pub(crate) rally: [u16; 2],
    /// Where patrols walk round.
    pub(crate) patrol: Vec<[u16; 2]>,
}

/// The file.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesSpec {
    /// The header: `war 1`.
    #[allow(dead_code, reason = "checked before; here so that the schema has it")]
    sentir: String,
    units: Units,
    structures: Structures,
    /// Damage a second of a spy whom nobody of the other side sees.
    pub(crate) spy_unseen_damage: f32,
    /// How long the dead stay away, s.
    pub(crate) respawn_s: f32,
    /// How long it takes to pick up a resource, s.
    pub(crate) harvest_s: f32,
    /// When one is there again, s.
    pub(crate) resource_back_s: f32,
    /// How long it takes to build, s.
    pub(crate) build_s: f32,
    /// What a hospital heals, health a second.
    pub(crate) heal_per_s: f32,
    /// Within what range, m.
    pub(crate) heal_range: f32,
    /// Light in a forest. Limit: 0..=1.
    pub(crate) forest_light: f32,
    /// What influence adds to a cell's cost at the most.
    pub(crate) influence_weight: f32,
    /// How much influence is full.
    pub(crate) influence_full: f32,
    /// What the reach of a known enemy turret adds for workers and spies.
    pub(crate) danger_weight: f32,
    heal_below: ByAttitude,
    /// When one is well again. Limit: 0..=1.
    pub(crate) heal_until: f32,
    /// How long contacts are remembered, s.
    pub(crate) contact_s: f32,
    /// From when on nobody comes back, s.
    pub(crate) reserves_s: f32,
    /// When the match is decided by points, s.
    pub(crate) limit_s: f32,
    army: Army,
    pub(crate) places: PlaceRules,
}

/// A kind of unit or structure as the game uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KindRule {
    pub(crate) health: f32,
    pub(crate) defense: f32,
    pub(crate) speed: f32,
    pub(crate) range: f32,
    /// Of one strike.
    pub(crate) blow: f32,
    pub(crate) strike_s: f32,
    pub(crate) sight: f32,
    pub(crate) influence: f32,
    pub(crate) radius: f32,
    pub(crate) eye_m: f32,
    /// On path, grass, forest.
    pub(crate) taste: [u8; 3],
}

/// The rules, checked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rules {
    /// By the number of the kind.
    pub(crate) kinds: [KindRule; 8],
    /// By the number of the attitude.
    pub(crate) heal_below: [f32; 3],
    /// Of each kind of unit, where there are sixteen.
    army: [u32; Kind::UNITS],
    pub(crate) spec: RulesSpec,
}

fn unit(rule: &UnitRule, radius: f32) -> KindRule {
    let Taste { path, grass, forest } = rule.taste;
    KindRule {
        health: rule.health,
        defense: rule.defense,
        speed: rule.speed,
        range: rule.range,
        blow: rule.damage * rule.strike_s,
        strike_s: rule.strike_s,
        sight: rule.sight,
        influence: rule.influence,
        radius,
        eye_m: 1.6,
        taste: [path, grass, forest],
    }
}

fn structure(rule: &StructureRule, radius: f32, eye_m: f32) -> KindRule {
    KindRule {
        health: rule.health,
        defense: rule.defense,
        speed: 0.0,
        range: rule.range,
        blow: rule.damage * rule.strike_s,
        strike_s: rule.strike_s,
        sight: rule.sight,
        influence: rule.influence,
        radius,
        eye_m,
        taste: [1; 3],
    }
}

/// Numbers with other limits than 0 to a million.
const LIMITS: [(&str, f64, f64); 12] = [
    ("health", 1.0, 1e6),
    ("defense", 0.0, 0.95),
    ("strike_s", 0.05, 60.0),
    ("sight", 1.0, 200.0),
    ("speed", 0.1, 20.0),
    ("path", 1.0, 8.0),
    ("grass", 1.0, 8.0),
    ("forest", 1.0, 8.0),
    ("forest_light", 0.0, 1.0),
    ("heal_until", 0.0, 1.0),
    ("influence_full", 0.1, 1e6),
    ("influence", 0.0, 64.0),
];

/// Every number within its limits.
fn check(node: &Node, name: &str) -> Result<(), Refusal> {
    match &node.value {
        Value::Map(entries) => entries.iter().try_for_each(|entry| check(&entry.node, &entry.key)),
        Value::List(nodes) => nodes.iter().try_for_each(|one| check(one, name)),
        _ => {
            let Ok(value) = node.number() else { return Ok(()) };
            let (_, low, high) = LIMITS.into_iter().find(|(it, ..)| *it == name).unwrap_or(("", 0.0, 1e6));
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(Refusal::wrong(node.place, format!("`{name}` is {value}: expected {low} to {high}")))
        }
    }
}

impl Rules {
    /// Reads a file of rules.
    pub(crate) fn read(bytes: &[u8], file: &str) -> Result<Rules, AssetError> {
        let node: Node = parse(bytes, file)?;
        let refuse = |refusal: Refusal| AssetError::new(file, refusal);
        Header::expect(&node, &[FORMAT]).map_err(refuse)?;
        let spec: RulesSpec = node.read().map_err(refuse)?;
        check(&node, "").map_err(refuse)?;
        if spec.places.patrol.is_empty() {
            let place =
                node.find("places").and_then(|it| it.find("patrol")).map_or(FilePosition::default(), |it| it.place);
            return Err(refuse(Refusal::wrong(place, "`patrol` is empty: expected at least one place")));
        }
        let (units, structures) = (&spec.units, &spec.structures);
        let kinds = [
            unit(&units.worker, 0.4),
            unit(&units.light, 0.45),
            unit(&units.heavy, 0.55),
            unit(&units.ranged, 0.4),
            unit(&units.spy, 0.4),
            structure(&structures.turret, 0.9, 2.6),
            structure(&structures.base, 1.8, 4.0),
            structure(&structures.hospital, 1.4, 2.0),
        ];
        let below = spec.heal_below;
        let army = [spec.army.worker, spec.army.light, spec.army.heavy, spec.army.ranged, spec.army.spy];
        if army.iter().sum::<u32>() == 0 {
            let place = node.find("army").map_or(FilePosition::default(), |it| it.place);
            return Err(refuse(Refusal::wrong(place, "`army` has nobody in it: expected at least one unit")));
        }
        Ok(Rules { kinds, heal_below: [below.attack, below.defend, below.total], army, spec })
    }

    pub(crate) fn kind(&self, kind: Kind) -> &KindRule {
        &self.kinds[kind as usize]
    }

    pub(crate) fn heal_below(&self, attitude: Attitude) -> f32 {
        self.heal_below[attitude as usize]
    }

    /// An army of so many units, as the file shares them out: by largest remainders, at least one of each kind that is in the
    /// file while there is room.
    pub(crate) fn army(&self, count: u32) -> [u32; Kind::UNITS] {
        let sum: u32 = self.army.iter().sum();
        let mut shares = self.army.map(|one| one * count / sum);
        let rest = |number: usize| (self.army[number] * count) % sum;
        let mut order: Vec<usize> = (0..Kind::UNITS).filter(|&number| self.army[number] > 0).collect();
        order.sort_by_key(|&number| (shares[number] > 0, u32::MAX - rest(number), number));
        let missing = count - shares.iter().sum::<u32>();
        order.iter().cycle().take(missing as usize).for_each(|&number| shares[number] += 1);
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::war::game::asset::RULES;

    fn said(from: &str, to: &str) -> String {
        let text = RULES.1.replacen(from, to, 1);
        assert_ne!(text, RULES.1);
        Rules::read(text.as_bytes(), "r.yaml").unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_with_the_rules_is_said_with_its_place() {
        assert!(said("defense: 0.35", "defense: 2").contains("`defense` is 2: expected 0 to 0.95"));
        assert!(said("respawn_s", "respwan_s").contains("respawn_s"));
        assert!(said("sentir: war 1", "sentir: tree 1").contains("war"));
        assert!(said("[[15, 21], [14, 8], [8, 8], [8, 20]]", "[]").contains("expected at least one place"));
        assert!(
            said(
                "{worker: 3, light: 4, heavy: 3, ranged: 4, spy: 2}",
                "{worker: 0, light: 0, heavy: 0, ranged: 0, spy: 0}"
            )
            .contains("expected at least one unit")
        );
    }

    #[test]
    fn armies_of_any_size_are_shared_out_to_the_last_unit() {
        let rules = Rules::read(RULES.1.as_bytes(), "r.yaml").unwrap();
        assert_eq!(rules.army(16), [3, 4, 3, 4, 2]);
        for count in 0..200 {
            let army = rules.army(count);
            assert_eq!(army.iter().sum::<u32>(), count);
            assert!(count < 5 || army.iter().all(|one| *one > 0), "{count}: {army:?}");
        }
    }

    #[test]
    fn the_published_schema_is_the_one_that_the_rules_have() {
        let made = serde_json::to_string_pretty(&schemars::schema_for!(RulesSpec)).unwrap() + "\n";
        let published = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schema/war.json"));
        assert!(published == made, "schema/war.json is not what the rules have, which is:\n{made}");
    }
}
