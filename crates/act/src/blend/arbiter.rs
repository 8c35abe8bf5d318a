//! Turns by groups of behaviors: a round robin with quanta.
//!
//! A scheme is a list of groups with quanta. The first of the list has the body; every tick spends one of its quantum, and
//! at 0 it goes to the end of the list with its quantum restored.

use sentir_core::State;

use super::behavior::BehaviorKind;

/// A group of behaviors that are weighed against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum Group {
    /// Separation, cohesion, alignment, wander.
    Flocking,
    /// Seek, arrive, velocity match, offset arrive, wander, wall following.
    Following,
    /// Flee, leave.
    Fleeing,
    /// Wall avoidance, separation, collision avoidance.
    Collision,
    /// Every one.
    All,
}

impl Group {
    /// Whether a behavior is in the group.
    pub fn holds(self, kind: BehaviorKind) -> bool {
        use BehaviorKind as K;
        match self {
            Group::Flocking => matches!(kind, K::Separation | K::Cohesion | K::Alignment | K::Wander),
            Group::Following => {
                matches!(kind, K::Seek | K::Arrive | K::MatchVelocity | K::OffsetArrive | K::Wander | K::FollowWall)
            }
            Group::Fleeing => matches!(kind, K::Flee | K::Leave),
            Group::Collision => matches!(kind, K::AvoidWalls | K::Separation | K::AvoidCollisions),
            Group::All => true,
        }
    }
}

/// One entry of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Turn {
    /// Whose turn.
    pub group: Group,
    /// For how many ticks. Limit: ≥ 1; 0 counts as 1.
    pub quantum: u8,
}

/// Who has the body when, and what becomes of the time of who has nothing to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The turns, in order. Limit: 1..=[`TURNS_MAX`]; more do not count.
    pub turns: &'static [Turn],
    /// Whether a group without a wish is passed over in the same tick; else its quantum is spent on nothing.
    pub skips_idle: bool,
}

/// Most turns of a scheme.
pub const TURNS_MAX: usize = 8;

const fn turn(group: Group, quantum: u8) -> Turn {
    Turn { group, quantum }
}

impl Scheme {
    /// Flight first, then the flock, then the one who is followed.
    pub const SHARK: Scheme = Scheme {
        turns: &[turn(Group::Fleeing, 3), turn(Group::Flocking, 2), turn(Group::Following, 1)],
        skips_idle: false,
    };
    /// Behind a leader, out of its way.
    pub const LEADER: Scheme = Scheme {
        turns: &[
            turn(Group::Following, 3),
            turn(Group::Fleeing, 1),
            turn(Group::Collision, 3),
            turn(Group::Fleeing, 1),
        ],
        skips_idle: false,
    };
    /// Everything at once.
    pub const ALL: Scheme = Scheme { turns: &[turn(Group::All, 1)], skips_idle: false };

    /// The same, passing over idle groups.
    pub const fn skipping(self) -> Scheme {
        Scheme { skips_idle: true, ..self }
    }

    fn len(&self) -> usize {
        self.turns.len().min(TURNS_MAX)
    }
}

/// Where one agent is in its scheme. The list only ever turns round, so its head says it all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Arbiter {
    head: u8,
    /// Ticks of the head's quantum that are spent.
    spent: u8,
}

impl Arbiter {
    /// The group whose turn it is; none in a scheme without turns.
    pub fn group(&self, scheme: &Scheme) -> Option<Group> {
        scheme.turns[..scheme.len()].get(usize::from(self.head)).or(scheme.turns.first()).map(|turn| turn.group)
    }

    /// Spends a tick of the head's quantum.
    pub fn spend(&mut self, scheme: &Scheme) {
        let quantum = scheme.turns.get(usize::from(self.head)).map_or(1, |turn| turn.quantum.max(1));
        self.spent = self.spent.saturating_add(1);
        if self.spent >= quantum {
            self.pass(scheme);
        }
    }

    /// Puts the head to the end with its quantum restored.
    fn pass(&mut self, scheme: &Scheme) {
        let next = self.head + 1;
        *self = Arbiter { head: if usize::from(next) < scheme.len() { next } else { 0 }, spent: 0 };
    }

    /// One tick: asks the group whose turn it is for its wish, and spends the tick. With `skips_idle`, groups whose wish is
    /// nothing are passed over, each at most once. Gives the group that was heard and what it wants.
    pub fn tick<T>(&mut self, scheme: &Scheme, mut wish: impl FnMut(Group) -> Option<T>) -> Option<(Group, T)> {
        // A state made with a longer scheme begins anew.
        if usize::from(self.head) >= scheme.len() {
            *self = Arbiter::default();
        }
        for _ in 0..scheme.len() {
            let group = self.group(scheme)?;
            let heard = wish(group);
            if heard.is_some() || !scheme.skips_idle {
                self.spend(scheme);
                return heard.map(|wish| (group, wish));
            }
            self.pass(scheme);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Group::{All, Collision, Fleeing, Flocking, Following};

    fn order(scheme: &Scheme, ticks: usize, idle: &[Group]) -> Vec<Option<Group>> {
        let mut arbiter = Arbiter::default();
        let speak = |group: Group| (!idle.contains(&group)).then_some(());
        (0..ticks).map(|_| arbiter.tick(scheme, speak).map(|(group, ())| group)).collect()
    }

    /// The scheme as the source tells it: a list whose head is consumed.
    fn queue(scheme: &Scheme, ticks: usize) -> Vec<Option<Group>> {
        let mut list: std::collections::VecDeque<(Group, u8)> =
            scheme.turns.iter().map(|turn| (turn.group, turn.quantum)).collect();
        let fresh = list.clone();
        let mut at = 0;
        (0..ticks)
            .map(|_| {
                let (group, quantum) = list.front_mut().expect("a scheme has turns");
                let now = *group;
                *quantum -= 1;
                if *quantum == 0 {
                    list.pop_front();
                    list.push_back(fresh[at]);
                    at = (at + 1) % fresh.len();
                }
                Some(now)
            })
            .collect()
    }

    #[test]
    fn fourteen_ticks_of_each_scheme_are_in_the_order_of_the_book() {
        let shark = [
            Fleeing, Fleeing, Fleeing, Flocking, Flocking, Following, Fleeing, Fleeing, Fleeing, Flocking, Flocking,
            Following, Fleeing, Fleeing,
        ];
        let leader = [
            Following, Following, Following, Fleeing, Collision, Collision, Collision, Fleeing, Following, Following,
            Following, Fleeing, Collision, Collision,
        ];
        assert_eq!(order(&Scheme::SHARK, 14, &[]), shark.map(Some));
        assert_eq!(order(&Scheme::LEADER, 14, &[]), leader.map(Some));
        assert_eq!(order(&Scheme::ALL, 14, &[]), [Some(All); 14]);
        for scheme in [Scheme::SHARK, Scheme::LEADER, Scheme::ALL] {
            assert_eq!(order(&scheme, 60, &[]), queue(&scheme, 60));
        }
    }

    #[test]
    fn idle_groups_spend_their_quantum_or_are_passed_over() {
        let spent = order(&Scheme::SHARK, 6, &[Fleeing]);
        assert_eq!(spent, [None, None, None, Some(Flocking), Some(Flocking), Some(Following)]);
        let skipped = order(&Scheme::SHARK.skipping(), 6, &[Fleeing]);
        assert_eq!(skipped, [Flocking, Flocking, Following, Flocking, Flocking, Following].map(Some));
        assert_eq!(order(&Scheme::SHARK.skipping(), 2, &[Fleeing, Flocking, Following]), [None, None]);
    }

    #[test]
    fn schemes_without_turns_and_states_of_other_schemes_are_defined() {
        let empty = Scheme { turns: &[], skips_idle: true };
        assert_eq!(order(&empty, 2, &[]), [None, None]);
        let mut arbiter = Arbiter { head: 7, spent: 250 };
        assert_eq!(arbiter.tick(&Scheme::SHARK, Some), Some((Fleeing, Fleeing)));
        const ZERO: Scheme = Scheme { turns: &[turn(Flocking, 0), turn(Fleeing, 1)], skips_idle: false };
        assert_eq!(order(&ZERO, 3, &[]), [Flocking, Fleeing, Flocking].map(Some));
    }
}
