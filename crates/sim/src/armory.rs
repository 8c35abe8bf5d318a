//! What weapons there are: authored once, checked once, then named by number.
//!
//! Three kinds: guns (a ray each pellet), blades (an arc before one) and things thrown (a flight, a fuse, a blast). An
//! [`Armory`] holds only specs that passed [`WeaponSpec::check`], so that using one cannot fail.

use sentir::State;
use sentir::core::math;
use serde::Deserialize;
use thiserror::Error;

use sentir_asset::nearest;

/// Most weapons an armory holds.
pub const WEAPONS_MAX: usize = 256;
/// Fastest rate of fire, rounds per minute.
pub const ROUNDS_PER_MINUTE_MAX: u32 = 6000;
/// Most rounds a magazine or a reserve holds: past any game, and far from where sums overflow.
pub const ROUNDS_MAX: u32 = 100_000;

/// A weapon, as authored.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeaponSpec {
    /// What it is called; items of that kind give it.
    pub name: String,
    /// How far its use carries in the open, m. Limit: ≥ 0.
    pub noise_m: f32,
    /// What it does.
    pub kind: WeaponKind,
}

/// What a weapon does.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeaponKind {
    /// Hits at once what is on the ray.
    Gun(GunSpec),
    /// Hits what stands before one.
    Blade(BladeSpec),
    /// Flies, and bursts.
    Thrown(ThrownSpec),
}

/// A gun. Angles are half-angles of the cone in which shots go.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GunSpec {
    /// Health one pellet takes. Limit: ≥ 0.
    pub damage: f32,
    /// Factor of the damage in the head. Limit: ≥ 0.
    #[serde(default = "head_factor")]
    pub head_factor: f32,
    /// How far it hits, m. Limit: > 0, up to 10 000.
    pub range_m: f32,
    /// Pellets a round, each with its own direction. Limit: 1..=64.
    #[serde(default = "one")]
    pub pellets: u32,
    /// Spread at rest, rad. Limit: 0..=π/2.
    pub spread_rad: f32,
    /// Spread that moving at full speed adds, rad. Limit: 0..=π/2.
    #[serde(default)]
    pub spread_moving_rad: f32,
    /// Spread that each round adds to the next ones, rad. Limit: 0..=π/2.
    #[serde(default)]
    pub recoil_rad: f32,
    /// Most spread that rounds add up to, rad. Limit: 0..=π/2.
    #[serde(default)]
    pub recoil_rad_max: f32,
    /// How fast that goes away, rad/s. Limit: ≥ 0.
    #[serde(default)]
    pub recoil_decay_rad_per_s: f32,
    /// Rate of fire. Limit: 1..=6000.
    pub rounds_per_minute: u32,
    /// Whether it goes on while the trigger is held.
    #[serde(default)]
    pub is_automatic: bool,
    /// Rounds in a full magazine. Limit: 1..=100 000.
    pub magazine: u32,
    /// Rounds carried besides, at most. Limit: 0..=100 000.
    pub reserve: u32,
    /// How long a reload takes, s. Limit: 0..=3600.
    pub reload_s: f32,
}

fn head_factor() -> f32 {
    2.0
}

fn one() -> u32 {
    1
}

/// A weapon for striking.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BladeSpec {
    /// Health a strike takes. Limit: ≥ 0.
    pub damage: f32,
    /// How far it reaches from the eyes to the skin of the other, m. Limit: > 0, up to 10 000.
    pub reach_m: f32,
    /// How far off the aim it still hits, rad. Limit: 0..=π.
    pub half_angle_rad: f32,
    /// From one strike to the next, s. Limit: 0..=3600.
    pub interval_s: f32,
}

/// A thing to throw.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThrownSpec {
    /// How fast it leaves the hand, m/s. Limit: 0..=1000.
    pub speed_m_per_s: f32,
    /// How fast it falls, m/s². Limit: 0..=1000.
    #[serde(default = "gravity_m_per_s2")]
    pub gravity_m_per_s2: f32,
    /// Share of the speed across a surface that a bounce gives back. Limit: 0..=1.
    #[serde(default = "restitution")]
    pub restitution: f32,
    /// Share of the speed along a surface that a bounce takes. Limit: 0..=1.
    #[serde(default = "grip")]
    pub grip: f32,
    /// From throw to burst, s. Limit: 0..=3600.
    pub fuse_s: f32,
    /// Whether it bursts at the first thing it touches, body or level; the fuse then only ends a flight that meets none.
    #[serde(default)]
    pub bursts_on_touch: bool,
    /// What it bursts into.
    pub blast: BlastSpec,
    /// How far the blast carries in the open, m. Limit: ≥ 0.
    pub blast_noise_m: f32,
    /// From one throw to the next, s. Limit: 0..=3600.
    pub interval_s: f32,
    /// How many are carried at most. Limit: 1..=100 000.
    pub count: u32,
}

fn gravity_m_per_s2() -> f32 {
    9.81
}

fn restitution() -> f32 {
    0.4
}

fn grip() -> f32 {
    0.3
}

/// A blast: the damage falls in a straight line from the center to nothing at the radius.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlastSpec {
    /// How far it hurts, m. Limit: > 0, up to 10 000.
    pub radius_m: f32,
    /// Health it takes at its center. Limit: ≥ 0.
    pub damage: f32,
}

impl BlastSpec {
    /// Damage at a distance: all of it at 0, none from the radius on (or at NaN).
    pub fn damage_at(&self, distance_m: f32) -> f32 {
        if distance_m < self.radius_m { self.damage * (1.0 - math::max(distance_m, 0.0) / self.radius_m) } else { 0.0 }
    }
}

/// A number of a weapon of its armory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub struct WeaponId(pub u8);

/// Why an armory could not be made or asked.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WeaponError {
    /// A number is out of its range.
    #[error("the weapon '{weapon}' has {field} {value}, which must be within {low}..={high}")]
    Range {
        /// Which weapon.
        weapon: String,
        /// Which number.
        field: &'static str,
        /// As authored.
        value: f64,
        /// Least that is allowed.
        low: f64,
        /// Most that is allowed.
        high: f64,
    },
    /// Two have one name.
    #[error("there are two weapons of the name '{0}'")]
    Twice(String),
    /// There are too many.
    #[error("there are {0} weapons; at most {WEAPONS_MAX} are allowed")]
    TooMany(usize),
    /// There is none of that name.
    #[error("there is no weapon '{name}'{}", or_meant(nearest))]
    Unknown {
        /// As asked.
        name: String,
        /// The nearest there is.
        nearest: Option<String>,
    },
}

/// ", did you mean 'x'?", or nothing.
pub fn or_meant(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(", did you mean '{name}'?"))
}

impl WeaponSpec {
    /// Whether every number is within its limits; the first that is not.
    pub fn check(&self) -> Result<(), WeaponError> {
        let half_pi = math::FRAC_PI_2;
        let within = |field: &'static str, value: f32, low: f32, high: f32| match (low..=high).contains(&value) {
            true => Ok(()),
            false => Err(self.out_of_range(field, value.into(), low.into(), high.into())),
        };
        let whole = |field: &'static str, value: u32, low: u32, high: u32| match (low..=high).contains(&value) {
            true => Ok(()),
            false => Err(self.out_of_range(field, value.into(), low.into(), high.into())),
        };
        let amount = |field: &'static str, value: f32| within(field, value, 0.0, 1e6);
        let length = |field: &'static str, value: f32| within(field, value, 1e-3, 1e4);
        amount("noise_m", self.noise_m)?;
        match &self.kind {
            WeaponKind::Gun(gun) => {
                amount("damage", gun.damage)?;
                amount("head_factor", gun.head_factor)?;
                length("range_m", gun.range_m)?;
                whole("pellets", gun.pellets, 1, 64)?;
                within("spread_rad", gun.spread_rad, 0.0, half_pi)?;
                within("spread_moving_rad", gun.spread_moving_rad, 0.0, half_pi)?;
                within("recoil_rad", gun.recoil_rad, 0.0, half_pi)?;
                within("recoil_rad_max", gun.recoil_rad_max, 0.0, half_pi)?;
                amount("recoil_decay_rad_per_s", gun.recoil_decay_rad_per_s)?;
                whole("rounds_per_minute", gun.rounds_per_minute, 1, ROUNDS_PER_MINUTE_MAX)?;
                whole("magazine", gun.magazine, 1, ROUNDS_MAX)?;
                whole("reserve", gun.reserve, 0, ROUNDS_MAX)?;
                within("reload_s", gun.reload_s, 0.0, 3600.0)
            }
            WeaponKind::Blade(blade) => {
                amount("damage", blade.damage)?;
                length("reach_m", blade.reach_m)?;
                within("half_angle_rad", blade.half_angle_rad, 0.0, math::PI)?;
                within("interval_s", blade.interval_s, 0.0, 3600.0)
            }
            WeaponKind::Thrown(thrown) => {
                within("speed_m_per_s", thrown.speed_m_per_s, 0.0, 1000.0)?;
                within("gravity_m_per_s2", thrown.gravity_m_per_s2, 0.0, 1000.0)?;
                within("restitution", thrown.restitution, 0.0, 1.0)?;
                within("grip", thrown.grip, 0.0, 1.0)?;
                within("fuse_s", thrown.fuse_s, 0.0, 3600.0)?;
                length("blast.radius_m", thrown.blast.radius_m)?;
                amount("blast.damage", thrown.blast.damage)?;
                amount("blast_noise_m", thrown.blast_noise_m)?;
                within("interval_s", thrown.interval_s, 0.0, 3600.0)?;
                whole("count", thrown.count, 1, ROUNDS_MAX)
            }
        }
    }

    fn out_of_range(&self, field: &'static str, value: f64, low: f64, high: f64) -> WeaponError {
        WeaponError::Range { weapon: self.name.clone(), field, value, low, high }
    }

    /// Rounds ready to be used when it is full; 0 for what needs none.
    pub fn magazine_max(&self) -> u32 {
        match &self.kind {
            WeaponKind::Gun(gun) => gun.magazine,
            WeaponKind::Blade(_) => 0,
            WeaponKind::Thrown(thrown) => thrown.count,
        }
    }

    /// Rounds carried besides, at most.
    pub fn reserve_max(&self) -> u32 {
        match &self.kind {
            WeaponKind::Gun(gun) => gun.reserve,
            WeaponKind::Blade(_) | WeaponKind::Thrown(_) => 0,
        }
    }
}

/// Every weapon of a game, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Armory {
    specs: Vec<WeaponSpec>,
}

impl Armory {
    /// Checks every spec, and that names differ.
    pub fn build(specs: Vec<WeaponSpec>) -> Result<Armory, WeaponError> {
        if specs.len() > WEAPONS_MAX {
            return Err(WeaponError::TooMany(specs.len()));
        }
        for (index, spec) in specs.iter().enumerate() {
            spec.check()?;
            if specs[..index].iter().any(|other| other.name == spec.name) {
                return Err(WeaponError::Twice(spec.name.clone()));
            }
        }
        Ok(Armory { specs })
    }

    /// All of them; a [`WeaponId`] is a place in here.
    pub fn specs(&self) -> &[WeaponSpec] {
        &self.specs
    }

    /// The weapon of a number; none for a number of nothing.
    pub fn spec(&self, id: WeaponId) -> Option<&WeaponSpec> {
        self.specs.get(usize::from(id.0))
    }

    /// The weapon of a name.
    pub fn named(&self, name: &str) -> Result<WeaponId, WeaponError> {
        let place = self.specs.iter().position(|spec| spec.name == name);
        place.map(|index| WeaponId(index as u8)).ok_or_else(|| WeaponError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, self.specs.iter().map(|spec| spec.name.as_str())),
        })
    }
}

/// Weapons to begin with, and the numbers behind them: a rifle, a machine gun, a shotgun, a pistol, claws, a grenade.
pub fn stock() -> Armory {
    let gun = GunSpec {
        damage: 15.0,
        head_factor: 2.0,
        range_m: 100.0,
        pellets: 1,
        spread_rad: 0.01,
        spread_moving_rad: 0.03,
        recoil_rad: 0.004,
        recoil_rad_max: 0.05,
        recoil_decay_rad_per_s: 0.08,
        rounds_per_minute: 600,
        is_automatic: true,
        magazine: 30,
        reserve: 120,
        reload_s: 2.0,
    };
    let machine_gun =
        GunSpec { spread_rad: 0.02, rounds_per_minute: 750, magazine: 100, reserve: 200, reload_s: 4.5, ..gun };
    let shotgun = GunSpec {
        damage: 9.0,
        head_factor: 1.5,
        range_m: 30.0,
        pellets: 8,
        spread_rad: 0.06,
        rounds_per_minute: 70,
        is_automatic: false,
        magazine: 6,
        reserve: 24,
        reload_s: 3.0,
        ..gun
    };
    let pistol = GunSpec {
        damage: 12.0,
        range_m: 50.0,
        rounds_per_minute: 300,
        is_automatic: false,
        magazine: 12,
        reserve: 48,
        reload_s: 1.4,
        ..gun
    };
    let claws = BladeSpec { damage: 10.0, reach_m: 1.4, half_angle_rad: 0.9, interval_s: 1.0 };
    let grenade = ThrownSpec {
        speed_m_per_s: 15.0,
        gravity_m_per_s2: 9.81,
        restitution: 0.4,
        grip: 0.3,
        fuse_s: 3.0,
        bursts_on_touch: false,
        blast: BlastSpec { radius_m: 6.0, damage: 90.0 },
        blast_noise_m: 80.0,
        interval_s: 1.0,
        count: 2,
    };
    let named = |name: &str, noise_m: f32, kind: WeaponKind| WeaponSpec { name: name.to_owned(), noise_m, kind };
    // Every one of them passes the check; a test says so.
    Armory {
        specs: vec![
            named("rifle", 60.0, WeaponKind::Gun(gun)),
            named("machine gun", 70.0, WeaponKind::Gun(machine_gun)),
            named("shotgun", 65.0, WeaponKind::Gun(shotgun)),
            named("pistol", 40.0, WeaponKind::Gun(pistol)),
            named("claws", 6.0, WeaponKind::Blade(claws)),
            named("grenade", 4.0, WeaponKind::Thrown(grenade)),
        ],
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;

    #[test]
    fn the_stock_weapons_pass_their_own_check() {
        let stock = stock();
        assert_eq!(Armory::build(stock.specs().to_vec()), Ok(stock));
    }

    #[test]
    fn each_refusal_is_a_sentence_one_can_act_on() {
        let specs = stock().specs().to_vec();
        let mut bad = specs.clone();
        if let WeaponKind::Gun(gun) = &mut bad[0].kind {
            gun.reload_s = f32::NAN;
        }
        let say = |specs: Vec<WeaponSpec>| Armory::build(specs).unwrap_err().to_string();
        assert_eq!(say(bad), "the weapon 'rifle' has reload_s NaN, which must be within 0..=3600");
        let mut bad = specs.clone();
        if let WeaponKind::Thrown(thrown) = &mut bad[5].kind {
            thrown.count = 0;
        }
        assert_eq!(say(bad), "the weapon 'grenade' has count 0, which must be within 1..=100000");
        assert_eq!(say(vec![specs[0].clone(), specs[0].clone()]), "there are two weapons of the name 'rifle'");
        assert_eq!(say(vec![specs[0].clone(); 300]), "there are 300 weapons; at most 256 are allowed");
        let unknown = stock().named("rifel").unwrap_err().to_string();
        assert_eq!(unknown, "there is no weapon 'rifel', did you mean 'rifle'?");
        assert_eq!(stock().named("x").unwrap_err().to_string(), "there is no weapon 'x'");
    }

    #[test]
    fn weapons_are_read_from_files() {
        let text = "[{ name: sling, noise_m: 2, kind: { thrown: { speed_m_per_s: 20, fuse_s: 5, bursts_on_touch: true,
            blast: { radius_m: 1, damage: 5 }, blast_noise_m: 4, interval_s: 2, count: 9 } } }]";
        let specs: Vec<WeaponSpec> = serde_saphyr::from_str(text).unwrap();
        let armory = Armory::build(specs).unwrap();
        assert_eq!(armory.spec(armory.named("sling").unwrap()).unwrap().magazine_max(), 9);
        assert!(armory.spec(WeaponId(1)).is_none());
    }

    #[test]
    fn blasts_fall_off_in_a_straight_line() {
        let blast = BlastSpec { radius_m: 4.0, damage: 80.0 };
        assert_eq!([-1.0, 0.0, 1.0, 2.0, 4.0, 9.0].map(|at| blast.damage_at(at)), [80.0, 80.0, 60.0, 40.0, 0.0, 0.0]);
        assert_eq!(blast.damage_at(f32::NAN), 0.0);
    }
}
