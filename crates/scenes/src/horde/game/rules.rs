//! The rules of the horde: every number of the game in one file, the same for all versions of the minds.

use schemars::JsonSchema;
use sentir_asset::{AssetError, Header, Node, Refusal, parse};
use serde::Deserialize;

/// The kind of rules files and its current version.
pub(crate) const KIND: (&str, u32) = ("horde", 1);

/// All rules. Limit: numbers finite and ≥ 0, unless a field says more.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rules {
    /// The person or the bot.
    pub(crate) player: PlayerRules,
    /// What the bot can do, beside what the player can.
    pub(crate) bot: BotRules,
    /// What all zombies have in common.
    pub(crate) zombie: ZombieRules,
    /// The plain zombie.
    pub(crate) dummy: KindRules,
    /// The one that howls.
    pub(crate) barker: KindRules,
    /// The one that sneaks.
    pub(crate) stealthy: KindRules,
    /// The one that throws.
    pub(crate) thrower: KindRules,
    /// The tank of the prototype.
    pub(crate) tank: KindRules,
    /// Howls and alarms.
    pub(crate) alarm: AlarmRules,
    /// Health and ammunition on the map.
    pub(crate) points: PointRules,
    /// Rounds and growth.
    pub(crate) rounds: RoundRules,
    /// Sneaking and throwing.
    pub(crate) special: SpecialRules,
    /// What each difficulty is made of.
    pub(crate) difficulty: Difficulties,
    /// The battery.
    pub(crate) battery: BatteryRules,
    /// How rounds are paced.
    pub(crate) director: DirectorRules,
}

/// The player.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerRules {
    /// Full health.
    pub(crate) health: f32,
    /// Speed, m/s.
    pub(crate) speed_m_per_s: f32,
    /// What is in the hands at the start of each round.
    pub(crate) primary: GunRules,
    /// The weaker one.
    pub(crate) secondary: GunRules,
    /// Noise grenades carried.
    pub(crate) decoys: u32,
    /// How far a noise grenade is heard, m.
    pub(crate) decoy_reach_m: f32,
    /// From throw to noise, s.
    pub(crate) decoy_fuse_s: f32,
}

/// A gun.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GunRules {
    /// Health a hit takes.
    pub(crate) damage: f32,
    /// Time from shot to shot, s. Limit: > 0.
    pub(crate) interval_s: f32,
    /// How far it hits, m. Limit: > 0.
    pub(crate) range_m: f32,
    /// Half the angle in which shots go, rad.
    pub(crate) spread_rad: f32,
    /// Rounds in the magazine. Limit: ≥ 1.
    pub(crate) magazine: u32,
    /// Rounds carried besides.
    pub(crate) reserve: u32,
    /// How long a reload takes, s.
    pub(crate) reload_s: f32,
}

/// The bot.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotRules {
    /// How far it notices zombies, m.
    pub(crate) sight_m: f32,
    /// How far to either side it sees, rad.
    pub(crate) half_rad: f32,
    /// How far it keeps firing at one that it has noticed, m.
    pub(crate) keep_m: f32,
    /// How long one must be in view before it reacts, s.
    pub(crate) react_s: f32,
    /// How fast it turns, rad/s.
    pub(crate) turn_rad_per_s: f32,
    /// Under this health it runs to heal.
    pub(crate) heal_below: f32,
    /// How far off its aim may be when it fires, rad.
    pub(crate) aim_rad: f32,
    /// Backs away from who is nearer than this while it fires, m; 0 for never.
    pub(crate) back_off_m: f32,
}

/// All zombies.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ZombieRules {
    /// Nearer than this it feels the player on all sides, and chases, m.
    pub(crate) near_m: f32,
    /// How far to either side it sees beyond that, rad.
    pub(crate) half_rad: f32,
    /// How long it remembers whom it no longer sees, s.
    pub(crate) forget_s: f32,
    /// Pace of wandering, m/s.
    pub(crate) wander_m_per_s: f32,
    /// How far it wanders at a time, m.
    pub(crate) wander_m: f32,
    /// How fast it turns, rad/s.
    pub(crate) turn_rad_per_s: f32,
    /// Reach of a bite from skin to skin, m.
    pub(crate) bite_reach_m: f32,
    /// From in reach to the first bite, s.
    pub(crate) bite_after_s: f32,
    /// From bite to bite, s.
    pub(crate) bite_every_s: f32,
}

/// One kind of zombie.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KindRules {
    /// Health, at least and at most; each has its own.
    pub(crate) health: [f32; 2],
    /// Speed when it chases, m/s.
    pub(crate) speed_m_per_s: f32,
    /// Health a bite takes.
    pub(crate) damage: f32,
    /// How far it sees before it, m.
    pub(crate) sight_m: f32,
    /// Radius of the body, m.
    pub(crate) radius_m: f32,
}

/// Howls and alarms.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AlarmRules {
    /// How long a howl takes, s.
    pub(crate) howl_s: f32,
    /// How long a barker with a cooldown rests after one, s.
    pub(crate) rest_s: f32,
    /// How far a howl reaches, m.
    pub(crate) reach_m: f32,
    /// How far a local one reaches, m.
    pub(crate) local_reach_m: f32,
    /// How long an alarm lasts after the last howl, s.
    pub(crate) lasts_s: f32,
    /// How far from the last known place nodes count, m.
    pub(crate) node_radius_m: f32,
    /// How many of them an alarm reports. Limit: 1..=8.
    pub(crate) node_count: u8,
    /// Seats at each. Limit: ≥ 1.
    pub(crate) seats_per_node: u8,
    /// Radius of the ring of the fifth version, m.
    pub(crate) ring_m: f32,
    /// How far round its node one searches, m.
    pub(crate) search_m: f32,
    /// From this near to a place counts as there, m.
    pub(crate) there_m: f32,
}

/// Points on the map.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PointRules {
    /// Health a point gives.
    pub(crate) heal: f32,
    /// How long until it can be used again, s.
    pub(crate) back_s: f32,
    /// How near one must be to use it, m.
    pub(crate) use_m: f32,
    /// How far off it one may look, rad.
    pub(crate) look_rad: f32,
}

/// Rounds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoundRules {
    /// Zombies of a round: the same in each.
    pub(crate) count: u32,
    /// Share of health that each round adds.
    pub(crate) health_growth: f32,
    /// Share of damage that each round adds.
    pub(crate) damage_growth: f32,
    /// From this round on nothing grows any more.
    pub(crate) growth_until: u32,
    /// Pause between two rounds, s.
    pub(crate) break_s: f32,
    /// No zombie comes in nearer to the player than this, m.
    pub(crate) spawn_m: f32,
    /// From one zombie that comes in to the next, s.
    pub(crate) spawn_every_s: f32,
}

/// What single kinds do.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SpecialRules {
    /// The stealthy one is seen from no farther than this, m.
    pub(crate) stealth_seen_m: f32,
    /// How far its steps are heard, m.
    pub(crate) stealth_step_m: f32,
    /// It strikes when the player aims off it by this much, rad.
    pub(crate) stealth_aim_rad: f32,
    /// How far off it waits while it is aimed at, m.
    pub(crate) stealth_wait_m: f32,
    /// The thrower throws from this far on, m.
    pub(crate) throw_min_m: f32,
    /// And up to here, m.
    pub(crate) throw_max_m: f32,
    /// From throw to throw, s.
    pub(crate) throw_every_s: f32,
    /// How fast what it throws leaves the hand, m/s.
    pub(crate) throw_m_per_s: f32,
    /// How far its burst hurts, m.
    pub(crate) blast_m: f32,
    /// Health that takes at its center.
    pub(crate) blast_damage: f32,
    /// Whether alarms reach the thrower.
    pub(crate) thrower_hears_alarms: bool,
}

/// What a difficulty is made of: minds by name, and the mix of kinds.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Difficulty {
    /// The mind of dummies.
    pub(crate) dummy: String,
    /// The mind of barkers.
    pub(crate) barker: String,
    /// How many of ten zombies are barkers, stealthy and throwers; the rest are dummies.
    pub(crate) barkers: u32,
    /// See there.
    pub(crate) stealthy: u32,
    /// See there.
    pub(crate) throwers: u32,
    /// How many zombies a round has, as a share of the rules' count.
    pub(crate) share: f32,
    /// Factor of the health of zombies.
    pub(crate) health: f32,
    /// Whether each howl is an alarm of its own that reaches those around it, and not one for all.
    pub(crate) is_local: bool,
}

/// The three of them.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Difficulties {
    /// For who begins.
    pub(crate) easy: Difficulty,
    /// For who has played.
    pub(crate) medium: Difficulty,
    /// For who wants to lose.
    pub(crate) hard: Difficulty,
}

/// The battery: one round.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatteryRules {
    /// Barkers of ten zombies.
    pub(crate) barkers: u32,
    /// No zombie begins nearer to the bot than this, m.
    pub(crate) apart_m: f32,
    /// When a match is over undecided, s.
    pub(crate) seconds: f32,
}

/// How rounds are paced.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DirectorRules {
    /// Intensity that a bite adds, per share of full health lost.
    pub(crate) per_hurt: f32,
    /// Intensity that a kill near by adds.
    pub(crate) per_kill: f32,
    /// How near that is, m.
    pub(crate) kill_m: f32,
    /// How much of it fades in a second.
    pub(crate) fade_per_s: f32,
    /// The peak at which building up ends.
    pub(crate) peak: f32,
    /// How long the peak is sustained, s.
    pub(crate) sustain_s: f32,
    /// Under this the fading ends.
    pub(crate) calm: f32,
    /// How long the player is left alone then, s.
    pub(crate) relax_s: f32,
    /// How many zombies come in at most while it relaxes.
    pub(crate) relax_count: u32,
}

impl Rules {
    /// Reads a rules file.
    pub(crate) fn read(text: &str, file: &str) -> Result<Rules, AssetError> {
        let node: Node = parse(text.as_bytes(), file)?;
        let wrong = |refusal: Refusal| AssetError::new(file, refusal);
        Header::expect(&node, &[KIND]).map_err(wrong)?;
        let body = node.need("rules").map_err(wrong)?;
        node.allow(&["sentir", "rules"]).map_err(wrong)?;
        let rules: Rules = body.read().map_err(wrong)?;
        match rules.fault() {
            Some(sentence) => Err(wrong(Refusal::wrong(body.place, sentence))),
            None => Ok(rules),
        }
    }

    /// What is out of its range, as a sentence.
    fn fault(&self) -> Option<String> {
        for (name, gun) in [("primary", &self.player.primary), ("secondary", &self.player.secondary)] {
            if gun.interval_s < 0.01 || gun.range_m <= 0.0 || gun.magazine == 0 {
                return Some(format!("the {name} gun needs an interval of 0.01 s or more, a range and a magazine"));
            }
        }
        let kinds = [self.dummy, self.barker, self.stealthy, self.thrower, self.tank];
        let names = ["dummy", "barker", "stealthy", "thrower", "tank"];
        for (kind, name) in kinds.iter().zip(names) {
            if kind.health[0] <= 0.0 || kind.health[1] < kind.health[0] || !(0.1..=1.5).contains(&kind.radius_m) {
                return Some(format!("the {name} needs health from least to most, and a radius of 0.1 to 1.5 m"));
            }
        }
        let alarm = &self.alarm;
        if !(1..=8).contains(&alarm.node_count) || alarm.seats_per_node == 0 {
            return Some("an alarm reports 1 to 8 nodes, each with a seat at least".to_owned());
        }
        let tens = [&self.difficulty.easy, &self.difficulty.medium, &self.difficulty.hard];
        if tens.iter().any(|it| it.barkers + it.stealthy + it.throwers > 10) || self.battery.barkers > 10 {
            return Some("of ten zombies at most ten are of special kinds".to_owned());
        }
        if !(1..=300).contains(&self.rounds.count) {
            return Some("a round has 1 to 300 zombies".to_owned());
        }
        None
    }
}

/// The schema of rules files, for editors.
#[cfg(test)]
pub(super) fn schema() -> String {
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its shape is asked for")]
    struct File {
        /// The header: `horde 1`.
        sentir: String,
        /// The rules.
        rules: Rules,
    }
    let schema = schemars::schema_for!(File);
    let mut text = serde_json::to_string_pretty(schema.as_value()).unwrap_or_default();
    text.push('\n');
    text
}
