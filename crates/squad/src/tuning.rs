//! Tuning: a file of numbers, checked once.

use sentir_asset::{AssetError, Header, Node, Refusal, Value, parse};
use sentir_think::board::Blackboard;
use sentir_think::key::{KeySpec, Keys, Scope};
use sentir_think::value::Kind;
use serde::Deserialize;

use crate::fact::declared_at;

/// The kind of tuning files and its current version.
pub const KIND: (&str, u32) = ("soldier", 1);

/// Everything about a soldier that is a matter of taste. Limit: all finite and ≥ 0, unless it says more.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// How far one sees, m.
    pub sight_m: f32,
    /// How far to either side one sees, rad. Limit: 0..=π.
    pub half_rad: f32,
    /// Time to notice somebody at arm's length, s.
    pub notice_near_s: f32,
    /// Time to notice somebody at the end of the range, s.
    pub notice_far_s: f32,
    /// Share of the magazine under which one wants to reload soon. Limit: 0..=1.
    pub reload_soon: f32,
    /// Share under which one must now. Limit: 0..=1.
    pub reload_now: f32,
    /// Share of full health whose loss within `damage_s` is taking damage. Limit: 0..=1.
    pub damage_share: f32,
    /// See there, s.
    pub damage_s: f32,
    /// How long a hit or a near miss makes one feel under fire, s.
    pub under_fire_s: f32,
    /// Nearer than this one goes straight at the target, m.
    pub close_m: f32,
    /// And goes on with that until the target is farther than this, m.
    #[serde(default = "close_keep_m")]
    pub close_keep_m: f32,
    /// And stops here, m.
    pub stop_m: f32,
    /// A fight in which nobody has seen the target for so long becomes a search, s.
    pub give_up_s: f32,
    /// So does one in which the target is not where it was thought to be, if the last news of it are this old, s.
    pub lost_s: f32,
    /// A soldier that gains ground and has seen the target for so long stops to fight, s.
    pub sure_s: f32,
    /// A soldier that attacks goes on so long after the target is out of sight, s.
    pub blink_s: f32,
    /// Who has found no cover asks again after so long, s.
    pub no_cover_s: f32,
    /// How far ahead of where the target was last seen it is thought to be, s at its velocity.
    pub ahead_s: f32,
    /// How fast the target is thought to run while it is looked for, m/s.
    pub target_m_per_s: f32,
    /// Pace of a patrol, m/s.
    pub walk_m_per_s: f32,
    /// Pace of a search, m/s.
    pub search_m_per_s: f32,
    /// Pace in a fight, m/s.
    pub run_m_per_s: f32,
    /// Shortest and longest stay at a post, s.
    pub wait_s: [f32; 2],
    /// How far off one aims, as a deviation, rad.
    pub aim_off_rad: f32,
    /// How long a burst is, s.
    pub burst_s: f32,
    /// How long one pauses after it, s.
    pub pause_s: f32,
    /// How near to its aim the gun must point to be fired, rad.
    pub aimed_rad: f32,
    /// How near to the line of fire no friend may be, m.
    pub friend_m: f32,
    /// How near to a friend a noise is taken for the friend's, m.
    pub friend_noise_m: f32,
    /// How loud a noise tells the place well. Limit: 0..=1.
    pub precise_loudness: f32,
    /// How long news are fresh, s.
    pub fresh_s: f32,
    /// For how long a place where the target went is worth shooting at, s.
    pub suppress_s: f32,
    /// What a meter in the target's sight costs on the way beside the meter itself, m.
    pub exposure_weight: f32,
    /// The power of a stretch in the target's sight. Limit: 1..=8.
    pub exposure_exponent: f32,
    /// What crossing a friend's line of fire costs, m.
    pub fire_line_m: f32,
    /// How broad such a line is, m.
    pub fire_line_width_m: f32,
    /// Queries that are answered a tick for every four members of a squad, or part of four. Limit: ≥ 1.
    pub queries_per_tick: u32,
    /// Expansions of path searches a tick for every four members. Limit: ≥ 1.
    pub expansions_per_tick: u32,
    /// Expansions of one search. Limit: ≥ 1.
    pub expansions_max: u32,
}

/// A number of the tuning under its name.
type Named = (&'static str, fn(&Tuning) -> f32);

/// The numbers that a tree may name: as keys of the world's board.
const NAMED: [Named; 11] = [
    ("reload_soon", |tuning| tuning.reload_soon),
    ("reload_now", |tuning| tuning.reload_now),
    ("damage_share", |tuning| tuning.damage_share),
    ("under_fire_s", |tuning| tuning.under_fire_s),
    ("close_m", |tuning| tuning.close_m),
    ("close_keep_m", |tuning| tuning.close_keep_m),
    ("sure_s", |tuning| tuning.sure_s),
    ("blink_s", |tuning| tuning.blink_s),
    ("no_cover_s", |tuning| tuning.no_cover_s),
    ("fresh_s", |tuning| tuning.fresh_s),
    ("suppress_s", |tuning| tuning.suppress_s),
];

/// Numbers that are shares.
const SHARES: [&str; 4] = ["reload_soon", "reload_now", "damage_share", "precise_loudness"];
/// Numbers that must be one at least.
const COUNTS: [&str; 4] = ["queries_per_tick", "expansions_per_tick", "expansions_max", "exposure_exponent"];

impl Tuning {
    /// Reads a tuning file.
    ///
    /// # Errors
    /// What is wrong with it, with its place.
    pub fn read(bytes: &[u8], file: &str) -> Result<Tuning, AssetError> {
        let mut node: Node = parse(bytes, file)?;
        let refuse = |refusal: Refusal| AssetError::new(file, refusal);
        Header::expect(&node, &[KIND]).map_err(refuse)?;
        if let Value::Map(entries) = &mut node.value {
            entries.retain(|entry| entry.key != "sentir");
        }
        let tuning = node.read().map_err(refuse)?;
        check(&node).map_err(refuse)?;
        check_order(&node).map_err(refuse)?;
        Ok(tuning)
    }

    /// Puts the numbers that a tree names onto the world's board.
    pub(crate) fn name_numbers(&self, keys: &Keys, world: &mut Blackboard) {
        for spec in keys.specs().iter().filter(|spec| spec.scope == Scope::World) {
            let number = NAMED.iter().find(|(name, _)| *name == spec.name);
            if let (Some((_, number)), Ok(key)) = (number, keys.key::<f32>(&spec.name)) {
                world.set(key, number(self));
            }
        }
    }

    /// Refuses keys of the world that are no numbers of the tuning, with their place in the tree's file.
    pub(crate) fn check_names(keys: &Keys, bytes: &[u8], file: &str) -> Result<(), AssetError> {
        let is_number = |spec: &KeySpec| spec.kind == Kind::Float && NAMED.iter().any(|(name, _)| *name == spec.name);
        let mut world = keys.specs().iter().filter(|spec| spec.scope == Scope::World);
        let Some(spec) = world.find(|spec| !is_number(spec)) else { return Ok(()) };
        let place = declared_at(&spec.name, bytes, file)?;
        let refusal = if NAMED.iter().any(|(name, _)| *name == spec.name) {
            Refusal::wrong(place, format!("`{}` is a number of the tuning: expected a key of kind float", spec.name))
        } else {
            Refusal::unknown(place, "number of the tuning", &spec.name, NAMED.map(|(name, _)| name))
        };
        Err(AssetError::new(file, refusal))
    }

    /// The tuning that comes with the library.
    ///
    /// # Errors
    /// Never: a test holds that.
    pub fn stock() -> Result<Tuning, AssetError> {
        let (file, text) = crate::stock::TUNING;
        Tuning::read(text.as_bytes(), file)
    }
}

/// What a tuning without this number had.
fn close_keep_m() -> f32 {
    8.5
}

/// Every number within its limits.
fn check(node: &Node) -> Result<(), Refusal> {
    for entry in node.map()? {
        let name = entry.key.as_str();
        let numbers = match &entry.node.value {
            Value::List(list) => list.as_slice(),
            _ => std::slice::from_ref(&entry.node),
        };
        let (low, high) = match name {
            _ if SHARES.contains(&name) => (0.0, 1.0),
            _ if COUNTS.contains(&name) => (1.0, 1e9),
            _ => (0.0, 1e6),
        };
        for number in numbers {
            let value = number.number()?;
            if !(low..=high).contains(&value) {
                let sentence = format!("`{name}` is {value}: expected {low} to {high}");
                return Err(Refusal::wrong(number.place, sentence));
            }
        }
    }
    Ok(())
}

/// Pairs of numbers of which the first may not be greater, and what it would mean.
const ORDERED: [(&str, &str, &str); 7] = [
    ("stop_m", "close_m", "nobody would stop before going straight at a target"),
    ("close_m", "close_keep_m", "going straight at a target would end where it begins"),
    ("reload_now", "reload_soon", "one would have to reload before wanting to"),
    ("notice_near_s", "notice_far_s", "who is near would be noticed later than who is far"),
    ("walk_m_per_s", "search_m_per_s", "a patrol would be faster than a search"),
    ("search_m_per_s", "run_m_per_s", "a search would be faster than a fight"),
    ("lost_s", "give_up_s", "a fight would be given up before its target counts as lost"),
];

/// No two numbers contradict each other.
fn check_order(node: &Node) -> Result<(), Refusal> {
    let entries = node.map()?;
    let found = |name: &str| entries.iter().find(|entry| entry.key == name).map(|entry| &entry.node);
    for (less, more, else_what) in ORDERED {
        let (Some(low), Some(high)) = (found(less), found(more)) else { continue };
        let (least, most) = (low.number()?, high.number()?);
        if least > most {
            let sentence = format!("`{less}` is {least}, over `{more}`, which is {most}: {else_what}");
            return Err(Refusal::wrong(low.place, sentence));
        }
    }
    if let Some(Value::List(wait)) = found("wait_s").map(|wait| &wait.value)
        && let [shortest, longest] = wait.as_slice()
        && shortest.number()? > longest.number()?
    {
        let sentence = "`wait_s` ends before it begins: expected the shortest stay, then the longest";
        return Err(Refusal::wrong(shortest.place, sentence));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stock_tuning_is_sound() {
        let tuning = Tuning::stock().unwrap();
        assert!(tuning.reload_now < tuning.reload_soon && tuning.stop_m < tuning.close_m);
    }

    #[test]
    fn odd_numbers_are_refused_with_their_place() {
        let text = crate::stock::TUNING.1;
        let refused = |from: &str, to: &str| {
            let text = text.replace(from, to);
            Tuning::read(text.as_bytes(), "t.yaml").unwrap_err().to_string()
        };
        assert_eq!(refused("reload_soon: 0.4", "reload_soon: 4"), "t.yaml:11:14: `reload_soon` is 4: expected 0 to 1");
        assert!(refused("sight_m: 40", "sight_m: -1").contains("expected 0 to"));
        assert!(refused("sight_m: 40", "sihgt_m: 40").contains("did you mean `sight_m`?"));
        assert!(refused("sentir: soldier 1", "sentir: query 1").contains("soldier"));
    }

    #[test]
    fn numbers_that_contradict_each_other_are_refused_with_both_names() {
        let text = crate::stock::TUNING.1;
        let refused = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Tuning::read(text.replace(from, to).as_bytes(), "t.yaml").unwrap_err().to_string()
        };
        assert_eq!(
            refused("stop_m: 3", "stop_m: 30"),
            "t.yaml:21:9: `stop_m` is 30, over `close_m`, which is 7: nobody would stop before going straight at a target"
        );
        assert!(refused("reload_now: 0.1", "reload_now: 0.5").contains("`reload_now` is 0.5, over `reload_soon`"));
        assert!(refused("walk_m_per_s: 1.7", "walk_m_per_s: 9").contains("a patrol would be faster than a search"));
        assert!(refused("search_m_per_s: 2.8", "search_m_per_s: 9").contains("a search would be faster than a fight"));
        assert!(refused("wait_s: [1.5, 4]", "wait_s: [4, 1.5]").contains("`wait_s` ends before it begins"));
    }
}
