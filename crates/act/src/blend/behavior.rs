//! Behaviors as data: what a character can do, each with a weight and a target of its own, switched on and off by a set of
//! bits. A [`Repertoire`] is a named set of them with a way to combine them; it is shared and never changes. What one
//! agent remembers is its [`Memory`].

use sentir_core::glam::Vec2;
use sentir_core::random::Stream;
use sentir_core::{State, math};

use super::arbiter::{Arbiter, Group, Scheme};
use super::context::ContextMap;
use super::{prioritized_sum, truncated_sum, weighted_sum};
use crate::mover::{Disc, Mover, Moving, Wall};
use crate::steer::{self, hide, wander};
use crate::steer::{
    CollisionConfig, Deceleration, DiscConfig, FeelerConfig, FlowField, HideConfig, Hideout, LeaderConfig, Path,
    PathConfig, PathCursor, PursueConfig, WallConfig, Wander, WanderConfig,
};

/// What a behavior is about.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Target {
    /// A place, m.
    Place(Vec2),
    /// Somebody, by number in [`Around::targets`]. If it is not there, the behavior has no wish.
    Whom(u8),
}

/// One behavior with its target and tuning.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Behavior {
    /// [`steer::seek`].
    Seek(Target),
    /// [`steer::flee`], within meters.
    Flee(Target, f32),
    /// [`steer::arrive`].
    Arrive(Target, Deceleration),
    /// [`steer::leave`], within meters.
    Leave(Target, f32),
    /// [`steer::match_velocity`].
    MatchVelocity(Target),
    /// [`steer::pursue`].
    Pursue(Target, PursueConfig),
    /// [`steer::evade`], within meters.
    Evade(Target, f32),
    /// [`steer::offset_pursue`]: a place in the target's frame.
    OffsetPursue(Target, Vec2),
    /// [`steer::offset_arrive`]: a place in the target's frame.
    OffsetArrive(Target, Vec2, Deceleration),
    /// [`steer::interpose`].
    Interpose(Target, Target, Deceleration),
    /// [`wander::wander`].
    Wander(WanderConfig),
    /// [`steer::avoid_discs`].
    AvoidDiscs(DiscConfig),
    /// [`steer::avoid_walls`].
    AvoidWalls(FeelerConfig),
    /// [`steer::avoid_collisions`].
    AvoidCollisions(CollisionConfig),
    /// [`steer::contain`], looking so many seconds ahead.
    Contain(f32),
    /// [`steer::follow_wall`].
    FollowWall(WallConfig),
    /// [`hide::hide`] from the target.
    Hide(Target, HideConfig),
    /// [`steer::follow_path`].
    FollowPath(PathConfig),
    /// [`steer::follow_flow`], looking so many seconds ahead.
    FollowFlow(f32),
    /// [`steer::separation`] within meters.
    Separation(f32),
    /// [`steer::cohesion`].
    Cohesion,
    /// [`steer::alignment`].
    Alignment,
    /// [`steer::follow_leader`].
    FollowLeader(Target, LeaderConfig),
    /// [`steer::queue`] within meters.
    Queue(f32),
}

/// A behavior's name, without target and tuning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "as in Behavior")]
pub enum BehaviorKind {
    Seek,
    Flee,
    Arrive,
    Leave,
    MatchVelocity,
    Pursue,
    Evade,
    OffsetPursue,
    OffsetArrive,
    Interpose,
    Wander,
    AvoidDiscs,
    AvoidWalls,
    AvoidCollisions,
    Contain,
    FollowWall,
    Hide,
    FollowPath,
    FollowFlow,
    Separation,
    Cohesion,
    Alignment,
    FollowLeader,
    Queue,
}

impl Behavior {
    /// Its name.
    pub fn kind(&self) -> BehaviorKind {
        use BehaviorKind as K;
        match self {
            Behavior::Seek(_) => K::Seek,
            Behavior::Flee(..) => K::Flee,
            Behavior::Arrive(..) => K::Arrive,
            Behavior::Leave(..) => K::Leave,
            Behavior::MatchVelocity(_) => K::MatchVelocity,
            Behavior::Pursue(..) => K::Pursue,
            Behavior::Evade(..) => K::Evade,
            Behavior::OffsetPursue(..) => K::OffsetPursue,
            Behavior::OffsetArrive(..) => K::OffsetArrive,
            Behavior::Interpose(..) => K::Interpose,
            Behavior::Wander(_) => K::Wander,
            Behavior::AvoidDiscs(_) => K::AvoidDiscs,
            Behavior::AvoidWalls(_) => K::AvoidWalls,
            Behavior::AvoidCollisions(_) => K::AvoidCollisions,
            Behavior::Contain(_) => K::Contain,
            Behavior::FollowWall(_) => K::FollowWall,
            Behavior::Hide(..) => K::Hide,
            Behavior::FollowPath(_) => K::FollowPath,
            Behavior::FollowFlow(_) => K::FollowFlow,
            Behavior::Separation(_) => K::Separation,
            Behavior::Cohesion => K::Cohesion,
            Behavior::Alignment => K::Alignment,
            Behavior::FollowLeader(..) => K::FollowLeader,
            Behavior::Queue(_) => K::Queue,
        }
    }

    /// In what time its wish would be met, s: arrivals have a time of their own.
    fn response_s(&self, me: &Mover, around: &Around<'_>, cursor: &PathCursor) -> f32 {
        match self {
            Behavior::Arrive(_, how) | Behavior::OffsetArrive(_, _, how) | Behavior::Interpose(_, _, how) => {
                how.response_s()
            }
            Behavior::Hide(..) if !around.discs.is_empty() => Deceleration::Fast.response_s(),
            Behavior::FollowLeader(..) => Deceleration::Normal.response_s(),
            Behavior::FollowPath(config) => {
                let is_ending = around
                    .path
                    .is_some_and(|path| !path.is_cyclic() && cursor.along_m + config.lead_m >= path.length_m());
                if is_ending { config.deceleration.response_s() } else { me.response_s }
            }
            _ => me.response_s,
        }
    }

    /// What it wants; none when its target is not there.
    pub fn wish(&self, me: &Mover, around: &Around<'_>, memory: &mut Memory) -> Option<Vec2> {
        let whom = |target: Target| around.target(target);
        Some(match *self {
            Behavior::Seek(target) => steer::seek(me, whom(target)?.position),
            Behavior::Flee(target, panic_m) => steer::flee(me, whom(target)?.position, panic_m),
            Behavior::Arrive(target, deceleration) => steer::arrive(me, whom(target)?.position, deceleration),
            Behavior::Leave(target, radius_m) => steer::leave(me, whom(target)?.position, radius_m),
            Behavior::MatchVelocity(target) => steer::match_velocity(me, whom(target)?.velocity),
            Behavior::Pursue(target, config) => steer::pursue(me, &whom(target)?, &config),
            Behavior::Evade(target, panic_m) => steer::evade(me, &whom(target)?, panic_m),
            Behavior::OffsetPursue(target, offset) => steer::offset_pursue(me, &whom(target)?, offset),
            Behavior::OffsetArrive(target, offset, deceleration) => {
                steer::offset_arrive(me, &whom(target)?, offset, deceleration)
            }
            Behavior::Interpose(one, other, deceleration) => {
                steer::interpose(me, &whom(one)?, &whom(other)?, deceleration)
            }
            Behavior::Wander(config) => wander::wander(me, &mut memory.wander, &config, around.noise, around.tick_s),
            Behavior::AvoidDiscs(config) => steer::avoid_discs(me, around.discs, &config),
            Behavior::AvoidWalls(config) => steer::avoid_walls(me, around.walls, &config),
            Behavior::AvoidCollisions(config) => steer::avoid_collisions(me, around.neighbors, &config),
            Behavior::Contain(horizon_s) => steer::contain(me, around.field, horizon_s),
            Behavior::FollowWall(config) => steer::follow_wall(me, around.walls, &config),
            Behavior::Hide(target, config) => {
                hide::hide(me, &whom(target)?, around.discs, &mut memory.hideout, &config)
            }
            Behavior::FollowPath(config) => steer::follow_path(me, around.path?, &mut memory.cursor, &config),
            Behavior::FollowFlow(horizon_s) => steer::follow_flow(me, around.flow?, horizon_s),
            Behavior::Separation(radius_m) => steer::separation(me, around.neighbors, radius_m),
            Behavior::Cohesion => steer::cohesion(me, around.neighbors),
            Behavior::Alignment => steer::alignment(me, around.neighbors),
            Behavior::FollowLeader(target, config) => steer::follow_leader(me, &whom(target)?, &config),
            Behavior::Queue(reach_m) => steer::queue(me, around.neighbors, reach_m),
        })
    }
}

/// What an agent steers by in one tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around<'a> {
    /// Whom behaviors may be about, by number.
    pub targets: &'a [Moving],
    /// Who is near, oneself left out.
    pub neighbors: &'a [Moving],
    /// Walls near.
    pub walls: &'a [Wall],
    /// Round obstacles near.
    pub discs: &'a [Disc],
    /// The walls of the convex field one stays in, open inward.
    pub field: &'a [Wall],
    /// The path one is on.
    pub path: Option<&'a Path>,
    /// The flow one is in.
    pub flow: Option<&'a FlowField>,
    /// Chance of this tick, of mean 0 and variance 1; see [`Around::draw`].
    pub noise: f32,
    /// Length of the tick, s.
    pub tick_s: f32,
}

impl Around<'_> {
    /// The same with chance from a stream.
    #[must_use]
    pub fn draw(self, random: &mut Stream) -> Self {
        Around { noise: wander::noise(random), ..self }
    }

    fn target(&self, target: Target) -> Option<Moving> {
        match target {
            Target::Place(place) => Some(Moving::at(place)),
            Target::Whom(number) => self.targets.get(usize::from(number)).copied(),
        }
    }
}

/// A behavior with its weight.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Part {
    /// Which.
    pub behavior: Behavior,
    /// How much it counts. Limit: ≥ 0.
    pub weight: f32,
}

/// Most parts of a repertoire.
pub const PARTS_MAX: usize = 32;

/// Which parts of a repertoire are on, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct PartSet(pub u32);

impl Default for PartSet {
    fn default() -> Self {
        PartSet::ALL
    }
}

impl PartSet {
    /// All of them.
    pub const ALL: PartSet = PartSet(u32::MAX);
    /// None of them.
    pub const NONE: PartSet = PartSet(0);

    /// Only those of these numbers.
    pub fn of(numbers: &[u8]) -> PartSet {
        numbers.iter().fold(PartSet::NONE, |set, &number| set.with(number, true))
    }

    /// The set with a part switched on or off; there is none past [`PARTS_MAX`].
    #[must_use]
    pub fn with(self, number: u8, is_on: bool) -> PartSet {
        let bit = 1u32.checked_shl(u32::from(number)).unwrap_or(0);
        PartSet(if is_on { self.0 | bit } else { self.0 & !bit })
    }

    /// Whether a part is on.
    pub fn is_on(self, number: usize) -> bool {
        number < PARTS_MAX && self.0 & (1 << number) != 0
    }
}

/// How parts become one acceleration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combiner {
    /// [`truncated_sum`]: weights do not count.
    Truncated,
    /// [`weighted_sum`].
    Weighted,
    /// [`prioritized_sum`], the first part first.
    #[default]
    Prioritized,
    /// The weighted sum of the group whose turn it is.
    Arbiter(Scheme),
    /// [`ContextMap`]: avoidance and containment write danger, everything else interest.
    Context,
}

/// A named set of behaviors and how they are combined: what a brain picks by number or name.
#[derive(Clone, Debug, PartialEq)]
pub struct Repertoire {
    /// Its name.
    pub name: &'static str,
    /// Its parts, the most urgent first. Limit: [`PARTS_MAX`]; more do not count.
    pub parts: Vec<Part>,
    /// How they are combined.
    pub combiner: Combiner,
    /// Share of full speed. Limit: 0..=1.
    pub pace: f32,
}

/// The default order of urgency; what is not named comes after, in the order of [`BehaviorKind`].
pub const URGENCY: [BehaviorKind; 8] = [
    BehaviorKind::AvoidWalls,
    BehaviorKind::AvoidDiscs,
    BehaviorKind::Wander,
    BehaviorKind::Seek,
    BehaviorKind::Flee,
    BehaviorKind::Arrive,
    BehaviorKind::Pursue,
    BehaviorKind::Evade,
];

/// Puts parts into the default order of urgency; equals keep theirs.
fn by_urgency(parts: &mut [Part]) {
    let rank = |part: &Part| {
        let kind = part.behavior.kind();
        (URGENCY.iter().position(|&urgent| urgent == kind).unwrap_or(URGENCY.len()), kind)
    };
    parts.sort_by_key(rank);
}

/// What an agent remembers of its behaviors.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Memory {
    /// Which parts are on.
    pub on: PartSet,
    /// The wander target.
    pub wander: Wander,
    /// How far along its path it is.
    pub cursor: PathCursor,
    /// Behind what it hides.
    pub hideout: Hideout,
    /// Whose turn it is.
    pub arbiter: Arbiter,
}

impl Repertoire {
    /// A prioritized set at full speed; parts all count 1.
    pub fn new(name: &'static str, behaviors: &[Behavior]) -> Repertoire {
        let parts = behaviors.iter().map(|&behavior| Part { behavior, weight: 1.0 }).collect();
        Repertoire { name, parts, combiner: Combiner::Prioritized, pace: 1.0 }
    }

    /// The same with another way to combine.
    #[must_use]
    pub fn combined(self, combiner: Combiner) -> Repertoire {
        Repertoire { combiner, ..self }
    }

    /// The same at a share of full speed.
    #[must_use]
    pub fn at_pace(self, pace: f32) -> Repertoire {
        Repertoire { pace, ..self }
    }

    /// The same with weights, in order of the parts.
    #[must_use]
    pub fn weighed(mut self, weights: &[f32]) -> Repertoire {
        for (part, &weight) in self.parts.iter_mut().zip(weights) {
            part.weight = weight;
        }
        self
    }

    /// The same in the default order of urgency.
    #[must_use]
    pub fn by_urgency(mut self) -> Repertoire {
        by_urgency(&mut self.parts);
        self
    }

    /// Somebody as it is when it moves by this set: no faster than the set's pace.
    pub fn mover(&self, me: &Mover) -> Mover {
        Mover { speed_m_per_s_max: me.speed_m_per_s_max * math::saturate(self.pace), ..*me }
    }

    /// What all parts that are on want together; never longer than the body can do.
    pub fn steer(&self, me: &Mover, around: &Around<'_>, memory: &mut Memory) -> Vec2 {
        steer(&self.parts, self.combiner, &self.mover(me), around, memory)
    }
}

/// What parts that are on want together; see [`Repertoire::steer`].
pub fn steer(parts: &[Part], combiner: Combiner, me: &Mover, around: &Around<'_>, memory: &mut Memory) -> Vec2 {
    let limit = me.acceleration_m_per_s2_max;
    let on = memory.on;
    let parts = || parts.iter().take(PARTS_MAX).enumerate().filter(move |(number, _)| on.is_on(*number));
    let mut arbiter = memory.arbiter;
    let cursor = memory.cursor;
    let mut wish = |part: &Part| part.behavior.wish(me, around, memory).map(|wish| (part.weight, wish));
    match combiner {
        Combiner::Truncated => truncated_sum(limit, parts().filter_map(|(_, part)| Some(wish(part)?.1))),
        Combiner::Weighted => weighted_sum(limit, parts().filter_map(|(_, part)| wish(part))),
        Combiner::Prioritized => prioritized_sum(limit, parts().filter_map(|(_, part)| wish(part))),
        Combiner::Arbiter(scheme) => {
            let heard = arbiter.tick(&scheme, |group| {
                let members = parts().filter(|(_, part)| group.holds(part.behavior.kind()));
                let sum = weighted_sum(limit, members.filter_map(|(_, part)| wish(part)));
                (sum != Vec2::ZERO).then_some(sum)
            });
            memory.arbiter = arbiter;
            heard.map_or(Vec2::ZERO, |(_, sum)| sum)
        }
        Combiner::Context => {
            let mut map = ContextMap::new(me.at.heading());
            for (_, part) in parts() {
                let kind = part.behavior.kind();
                let Some((weight, wish)) = wish(part) else { continue };
                // Who has nothing to say is neither for nor against going on.
                if wish == Vec2::ZERO {
                    continue;
                }
                if Group::Collision.holds(kind) || matches!(kind, BehaviorKind::AvoidDiscs | BehaviorKind::Contain) {
                    map.fear(-wish, weight * wish.length() / limit);
                } else {
                    // The velocity it is after, not the change.
                    let velocity = me.at.velocity + wish * part.behavior.response_s(me, around, &cursor);
                    map.like(velocity, weight, velocity.length() / me.speed_m_per_s_max);
                }
            }
            map.steer(me)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: [Part; 3] = [
        Part { behavior: Behavior::Separation(2.0), weight: 3.0 },
        Part { behavior: Behavior::Seek(Target::Whom(0)), weight: 1.0 },
        Part { behavior: Behavior::Flee(Target::Place(Vec2::new(0.0, -3.0)), 5.0), weight: 1.0 },
    ];

    fn run(combiner: Combiner, on: PartSet, targets: &[Moving]) -> Vec2 {
        let neighbors = [Moving::at(Vec2::X * 0.5)];
        let around = Around { targets, neighbors: &neighbors, tick_s: 1.0 / 60.0, ..Around::default() };
        steer(&PARTS, combiner, &Mover::default(), &around, &mut Memory { on, ..Memory::default() })
    }

    #[test]
    fn bits_switch_parts_and_missing_targets_have_no_wish() {
        let target = [Moving::at(Vec2::new(9.0, 0.0))];
        for combiner in [Combiner::Truncated, Combiner::Weighted, Combiner::Prioritized, Combiner::Arbiter(Scheme::ALL)]
        {
            assert_eq!(run(combiner, PartSet::NONE, &target), Vec2::ZERO);
            assert_eq!(run(combiner, PartSet::of(&[1]), &target), Vec2::X * 8.0, "{combiner:?}");
            assert_eq!(run(combiner, PartSet::of(&[1]), &[]), Vec2::ZERO);
            assert!(run(combiner, PartSet::ALL, &target).length() <= 10.001);
        }
        assert!(run(Combiner::Context, PartSet::of(&[1]), &target).x > 7.0);
        assert_eq!(PartSet::ALL.with(1, false).with(40, true), PartSet(!2));
        assert!(!PartSet::ALL.is_on(32));
    }

    #[test]
    fn the_first_part_has_the_body_when_it_wants_all_of_it() {
        let target = [Moving::at(Vec2::new(9.0, 0.0))];
        // Separation asks for 22.5 of 10.
        assert_eq!(run(Combiner::Prioritized, PartSet::ALL, &target), Vec2::X * -10.0);
        assert!(run(Combiner::Truncated, PartSet::ALL, &target).y > 0.0);
    }

    /// Walks by a set for so many seconds.
    fn walk(set: &Repertoire, me: &mut Mover, seconds: f32) -> f32 {
        let (mut memory, mut fastest_late) = (Memory::default(), 0.0);
        for tick in 0..(seconds * 60.0) as u32 {
            let around = Around { tick_s: 1.0 / 60.0, ..Around::default() };
            me.at.velocity = me.velocity_after(set.steer(me, &around, &mut memory), 1.0 / 60.0);
            me.at.position += me.at.velocity / 60.0;
            me.at.yaw = if me.at.velocity.length() > 0.1 { sentir_core::plane::yaw(me.at.velocity) } else { me.at.yaw };
            if tick as f32 > (seconds - 1.0) * 60.0 {
                fastest_late = math::max(fastest_late, me.at.velocity.length());
            }
        }
        fastest_late
    }

    #[test]
    fn in_context_an_idle_flight_does_not_keep_one_from_turning_and_arrivals_rest() {
        let goal = Target::Place(Vec2::new(-6.0, 0.0));
        let idle = Behavior::Flee(Target::Place(Vec2::new(90.0, 0.0)), 5.0);
        let mut me = Mover::default();
        me.at.velocity = Vec2::X;
        let set = Repertoire::new("go", &[idle, Behavior::Arrive(goal, Deceleration::Normal)]);
        let late = walk(&set.combined(Combiner::Context), &mut me, 15.0);
        assert!(me.at.position.distance(Vec2::new(-6.0, 0.0)) < 0.05, "{}", me.at.position);
        assert!(late < 0.02, "it trembles at {late} m/s");
    }

    #[test]
    fn a_set_is_no_faster_than_its_pace() {
        let mut me = Mover::default();
        let set = Repertoire::new("go", &[Behavior::Seek(Target::Place(Vec2::Y * 900.0))]).at_pace(0.25);
        let late = walk(&set, &mut me, 5.0);
        assert!((late - 0.5).abs() < 0.01, "{late}");
    }

    #[test]
    fn parts_are_put_into_the_order_of_urgency() {
        let part = |behavior: Behavior| Part { behavior, weight: 1.0 };
        let parts = vec![
            part(Behavior::Cohesion),
            part(Behavior::Evade(Target::Whom(0), 9.0)),
            part(Behavior::Seek(Target::Whom(0))),
            part(Behavior::Wander(WanderConfig::default())),
            part(Behavior::AvoidDiscs(DiscConfig::default())),
            part(Behavior::AvoidWalls(FeelerConfig::default())),
        ];
        let set = Repertoire { parts, ..Repertoire::new("all", &[]) }.by_urgency();
        let kinds: Vec<BehaviorKind> = set.parts.iter().map(|part| part.behavior.kind()).collect();
        use BehaviorKind as K;
        assert_eq!(kinds, [K::AvoidWalls, K::AvoidDiscs, K::Wander, K::Seek, K::Evade, K::Cohesion]);
    }
}
