//! Health: what a body can take, who may hurt whom, and what a hurt is worth to the loop.
//!
//! Plain arithmetic on a few numbers. Amounts that are NaN, zero or negative do nothing; who is dead is neither hurt nor
//! healed. A loaded state may hold any numbers: what is not above 0 is dead.

use sentir::core::glam::Vec3;
use sentir::core::id::{AgentId, TeamId};
use sentir::core::math;
use sentir::core::tick::Tick;
use sentir::{Hurt, State};

/// Share of damage that armor takes on itself while it lasts.
pub const ARMOR_SHARE: f32 = 0.5;

/// What a body can take.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Vitals {
    /// Health left. Dead at 0.
    pub health: f32,
    /// Health at most. Limit: > 0.
    pub health_max: f32,
    /// Armor left: damage it can still take. Limit: ≥ 0.
    pub armor: f32,
}

/// What a hurt did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wound {
    /// Health lost.
    pub lost: f32,
    /// Damage that armor took.
    pub absorbed: f32,
    /// Whether this was the death.
    pub died: bool,
}

impl Vitals {
    /// Whole, without armor.
    pub fn new(health_max: f32) -> Vitals {
        Vitals { health: health_max, health_max, armor: 0.0 }
    }

    /// Whether it is over.
    pub fn is_dead(&self) -> bool {
        // NaN, from a loaded state, is dead too.
        !is_positive(self.health)
    }

    /// Share of full health, 0..=1: what a host tells as `Body::health`.
    pub fn share(&self) -> f32 {
        if self.is_dead() || !is_positive(self.health_max) {
            0.0
        } else {
            math::saturate(self.health / self.health_max)
        }
    }

    /// Takes damage: half of it by the armor, as long as there is some.
    pub fn hurt(&mut self, amount: f32) -> Wound {
        if self.is_dead() || !is_positive(amount) {
            return Wound::default();
        }
        let absorbed = math::max(0.0, math::min(amount * ARMOR_SHARE, self.armor));
        let lost = math::min(amount - absorbed, self.health);
        self.armor -= absorbed;
        self.health = math::max(self.health - lost, 0.0);
        Wound { lost, absorbed, died: self.is_dead() }
    }

    /// Gives health back, up to the most there can be; how much it was. The dead stay dead.
    pub fn heal(&mut self, amount: f32) -> f32 {
        if self.is_dead() || !is_positive(amount) {
            return 0.0;
        }
        let before = self.health;
        self.health = math::max(math::min(before + amount, self.health_max), before);
        self.health - before
    }
}

/// Above 0; NaN is not.
fn is_positive(number: f32) -> bool {
    number > 0.0
}

/// What shots at one's own side do.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub enum FriendlyFire {
    /// Nothing.
    Off,
    /// The same as at others.
    #[default]
    On,
    /// A share of it.
    Share(f32),
}

/// An agent and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// Who.
    pub agent: AgentId,
    /// On which side.
    pub team: TeamId,
}

/// The damage that `by` does to `to` under a rule. Oneself is never spared: who drops a grenade had better run.
pub fn damage_between(rule: FriendlyFire, by: Party, to: Party, amount: f32) -> f32 {
    let is_friend = by.team == to.team && by.agent != to.agent;
    match rule {
        FriendlyFire::Off if is_friend => 0.0,
        FriendlyFire::Share(share) if is_friend => amount * share,
        _ => amount,
    }
}

/// A wound as the loop wants it told: whose, what share of full health, from where. The loop sets the time.
pub fn hurt_told(who: AgentId, vitals: &Vitals, wound: &Wound, from: Vec3) -> Hurt {
    let share = wound.lost / vitals.health_max;
    let amount = if share.is_finite() { math::saturate(share) } else { 0.0 };
    Hurt { who, amount, from, at: Tick(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sentir::core::state::{Noticed, perturb};

    fn agent(number: u64) -> AgentId {
        AgentId::from_bits(number << 32)
    }

    #[test]
    fn one_dies_once_and_stays_dead() {
        let mut vitals = Vitals::new(100.0);
        assert_eq!(vitals.hurt(60.0), Wound { lost: 60.0, absorbed: 0.0, died: false });
        assert_eq!(vitals.share(), 0.4);
        assert_eq!(vitals.hurt(60.0), Wound { lost: 40.0, absorbed: 0.0, died: true });
        assert_eq!(vitals.hurt(60.0), Wound::default());
        assert_eq!((vitals.heal(50.0), vitals.is_dead(), vitals.share()), (0.0, true, 0.0));
    }

    #[test]
    fn armor_takes_half_until_it_is_gone() {
        let mut vitals = Vitals { armor: 15.0, ..Vitals::new(100.0) };
        assert_eq!(vitals.hurt(20.0), Wound { lost: 10.0, absorbed: 10.0, died: false });
        assert_eq!(vitals.hurt(20.0), Wound { lost: 15.0, absorbed: 5.0, died: false });
        assert_eq!(vitals.hurt(20.0), Wound { lost: 20.0, absorbed: 0.0, died: false });
        assert_eq!((vitals.health, vitals.armor), (55.0, 0.0));
    }

    #[test]
    fn healing_stops_at_the_top() {
        let mut vitals = Vitals { health: 70.0, ..Vitals::new(100.0) };
        assert_eq!((vitals.heal(20.0), vitals.heal(20.0), vitals.heal(20.0)), (20.0, 10.0, 0.0));
        assert_eq!((vitals.heal(f32::NAN), vitals.heal(-5.0), vitals.health), (0.0, 0.0, 100.0));
    }

    #[test]
    fn friends_are_spared_by_rule_and_oneself_never() {
        let party = |number, team| Party { agent: agent(number), team: TeamId(team) };
        let (me, friend, foe) = (party(1, 1), party(2, 1), party(3, 2));
        let done = |rule| [me, friend, foe].map(|to| damage_between(rule, me, to, 20.0));
        assert_eq!(done(FriendlyFire::Off), [20.0, 0.0, 20.0]);
        assert_eq!(done(FriendlyFire::On), [20.0, 20.0, 20.0]);
        assert_eq!(done(FriendlyFire::Share(0.25)), [20.0, 5.0, 20.0]);
    }

    #[test]
    fn the_loop_is_told_the_share_and_where_from() {
        let mut vitals = Vitals::new(200.0);
        let wound = vitals.hurt(50.0);
        let told = hurt_told(agent(4), &vitals, &wound, Vec3::X);
        assert_eq!((told.who, told.amount, told.from), (agent(4), 0.25, Vec3::X));
        assert_eq!(hurt_told(agent(4), &Vitals::new(0.0), &wound, Vec3::X).amount, 0.0);
    }

    #[test]
    fn every_field_of_vitals_counts() {
        assert!(perturb(&Vitals::new(80.0)).iter().all(|one| one.outcome == Noticed::Yes));
    }

    proptest! {
        #[test]
        fn vitals_of_any_numbers_stay_within_themselves(bits in any::<[u32; 3]>(), amounts in any::<Vec<u32>>()) {
            let [health, health_max, armor] = bits.map(f32::from_bits);
            let mut vitals = Vitals { health, health_max, armor };
            let was_dead = vitals.is_dead();
            for amount in amounts {
                let amount = f32::from_bits(amount);
                let wound = if amount.is_sign_negative() { vitals.heal(-amount); Wound::default() } else { vitals.hurt(amount) };
                prop_assert!(wound.lost >= 0.0 && wound.absorbed >= 0.0);
                prop_assert!((0.0..=1.0).contains(&vitals.share()));
                prop_assert!(!was_dead || vitals.is_dead());
            }
        }
    }
}
