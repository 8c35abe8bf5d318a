//! Who plays: a roster of fixed size, so that coming and going allocates nothing, and the places where one comes in.
//!
//! Slots are reused last in, first out, and are state: a restored game hands out the same ids. Spawning is O(points ×
//! standing bodies).

use sentir::State;
use sentir::core::body::Pose;
use sentir::core::id::{Id, Slots, TeamId};
use sentir::core::random::Stream;
use sentir_level::Level;
use thiserror::Error;

use crate::armory::or_meant;
use crate::shot::Target;
use sentir_asset::nearest;

/// A marker for actors: who has a body in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {}

/// The handle of an actor. Its bits are a good `HostKey`.
pub type ActorId = Id<Actor>;

/// Everybody in the game, at most so many.
#[derive(Clone, Debug, PartialEq, State)]
#[state(check)]
pub struct Actors<T> {
    slots: Slots<T, Actor>,
    capacity: u32,
}

impl<T> Actors<T> {
    /// Nobody yet. Limit: `capacity` at once.
    pub fn new(capacity: u32) -> Actors<T> {
        Actors { slots: Slots::default(), capacity }
    }

    /// The id that the next [`spawn`](Actors::spawn) gives; none when it is full.
    pub fn next_id(&self) -> Option<ActorId> {
        (self.slots.len() < self.capacity as usize).then(|| self.slots.next_id())
    }

    /// Lets somebody in; none when it is full.
    pub fn spawn(&mut self, actor: T) -> Option<ActorId> {
        (self.slots.len() < self.capacity as usize).then(|| self.slots.insert(actor))
    }

    /// Takes an actor out; none if it is not there.
    pub fn despawn(&mut self, id: ActorId) -> Option<T> {
        self.slots.remove(id)
    }

    /// An actor, if it is (still) there.
    pub fn at(&self, id: ActorId) -> Option<&T> {
        self.slots.at(id)
    }

    /// An actor, if it is (still) there.
    pub fn at_mut(&mut self, id: ActorId) -> Option<&mut T> {
        self.slots.at_mut(id)
    }

    /// Everybody, in slot order.
    pub fn iter(&self) -> impl Iterator<Item = (ActorId, &T)> {
        self.slots.iter()
    }

    /// Everybody, in slot order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (ActorId, &mut T)> {
        self.slots.iter_mut()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How many there can be.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_within = self.slots.slot_count() <= self.capacity as usize;
        if is_within { Ok(()) } else { Err("a roster holds more than its capacity") }
    }
}

/// A place to come in at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpawnPoint {
    /// Whose.
    pub team: TeamId,
    /// Feet on the ground, and where one looks.
    pub pose: Pose,
}

/// The places of a level to come in at, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpawnTable {
    points: Vec<SpawnPoint>,
}

/// Why the spawns of a level cannot be used.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SpawnTableError {
    /// A spawn is of a team that does not play.
    #[error("spawn {number} of the level '{level}' is of the unknown team '{team}'{}", or_meant(nearest))]
    UnknownTeam {
        /// Which level.
        level: String,
        /// Which spawn, from 1.
        number: usize,
        /// As authored.
        team: String,
        /// The nearest that plays.
        nearest: Option<String>,
    },
    /// A team could never come in.
    #[error("the level '{level}' has no spawn for the team '{team}'")]
    NoSpawn {
        /// Which level.
        level: String,
        /// Which team.
        team: String,
    },
}

impl SpawnTable {
    /// The spawns of a level, for teams by name.
    pub fn build(level: &Level, teams: &[(&str, TeamId)]) -> Result<SpawnTable, SpawnTableError> {
        let mut points = Vec::with_capacity(level.spawns().len());
        for (index, spawn) in level.spawns().iter().enumerate() {
            let Some(&(_, team)) = teams.iter().find(|(name, _)| *name == spawn.team) else {
                return Err(SpawnTableError::UnknownTeam {
                    level: level.name().to_owned(),
                    number: index + 1,
                    team: spawn.team.clone(),
                    nearest: nearest(&spawn.team, teams.iter().map(|(name, _)| *name)),
                });
            };
            points.push(SpawnPoint { team, pose: spawn.pose });
        }
        match teams.iter().find(|(_, team)| !points.iter().any(|point| point.team == *team)) {
            Some((name, _)) => {
                Err(SpawnTableError::NoSpawn { level: level.name().to_owned(), team: (*name).to_owned() })
            }
            None => Ok(SpawnTable { points }),
        }
    }

    /// All of them.
    pub fn points(&self) -> &[SpawnPoint] {
        &self.points
    }

    /// A place for one of `team`: the first, from a random one on, with nobody's skin within `clear_m` of its feet and
    /// of which `is_seen` says no. None if there is no such place now: try again at the next tick.
    pub fn choose(
        &self,
        team: TeamId,
        clear_m: f32,
        standing: &[Target],
        mut is_seen: impl FnMut(&Pose) -> bool,
        stream: &mut Stream,
    ) -> Option<Pose> {
        let own = || self.points.iter().filter(|point| point.team == team);
        let count = own().count();
        let first = stream.below(u32::try_from(count).unwrap_or(u32::MAX)) as usize;
        let is_free = |pose: &Pose| standing.iter().all(|body| body.distance_m(pose.position) > clear_m);
        let mut turn = own().cycle().skip(first).take(count).map(|point| point.pose);
        turn.find(|pose| is_free(pose) && !is_seen(pose))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir::core::glam::Vec3;
    use sentir::core::id::AgentId;
    use sentir::core::random::{Purpose, Streams};
    use sentir::core::state::{Noticed, from_bytes, hash, perturb, to_bytes};
    use sentir_level::stock;

    const TEAMS: [(&str, TeamId); 2] = [("red", TeamId(1)), ("blue", TeamId(2))];

    fn stream(seed: u64) -> Stream {
        Streams { seed }.stream(0, Purpose::new("spawn"))
    }

    fn body(foot: Vec3) -> Target {
        let agent = AgentId::from_bits(1);
        Target::standing(agent, TeamId(0), foot)
    }

    #[test]
    fn ten_thousand_spawns_and_deaths_allocate_nothing_after_the_first_round() {
        let table = SpawnTable::build(&stock("collapse").unwrap(), &TEAMS).unwrap();
        let mut actors = Actors::<Target>::new(32);
        let mut ids = Vec::with_capacity(32);
        let (mut stream, standing) = (stream(4), [body(Vec3::X * 900.0); 4]);
        let mut round = |actors: &mut Actors<Target>, ids: &mut Vec<ActorId>| {
            while let Some(id) = actors.spawn(body(Vec3::X * 900.0)) {
                let pose = table.choose(TeamId(1), 0.5, &standing, |_| false, &mut stream).unwrap();
                assert!(pose.is_finite());
                ids.push(id);
            }
            stream.shuffle(ids);
            ids.drain(..).for_each(|id| assert!(actors.despawn(id).is_some()));
        };
        round(&mut actors, &mut ids);
        let counted = allocation_counter::measure(|| (0..313).for_each(|_| round(&mut actors, &mut ids)));
        assert_eq!(counted.count_total, 0);
        assert!(actors.is_empty() && actors.capacity() == 32);
    }

    #[test]
    fn ids_of_the_dead_name_nobody_and_a_full_roster_refuses() {
        let mut actors = Actors::new(2);
        let (first, second) = (actors.spawn('a').unwrap(), actors.spawn('b').unwrap());
        assert_eq!((actors.spawn('c'), actors.len()), (None, 2));
        assert_eq!(actors.despawn(first), Some('a'));
        let third = actors.spawn('d').unwrap();
        assert_eq!((actors.at(first), actors.at(third)), (None, Some(&'d')));
        assert_eq!(actors.despawn(first), None);
        *actors.at_mut(second).unwrap() = 'e';
        assert_eq!(actors.iter().map(|(_, actor)| *actor).collect::<String>(), "de");
        assert_eq!(actors.iter_mut().count(), 2);
    }

    #[test]
    fn nobody_comes_in_where_somebody_stands_or_a_foe_looks() {
        let table = SpawnTable::build(&stock("collapse").unwrap(), &TEAMS).unwrap();
        let red: Vec<_> =
            table.points().iter().filter(|point| point.team == TeamId(1)).map(|point| point.pose).collect();
        assert_eq!(red.len(), 2);
        let mut met = [0; 2];
        for seed in 0..100 {
            let pick = |standing: &[Target], seen: Option<Pose>| {
                table.choose(TeamId(1), 1.0, standing, |pose| Some(*pose) == seen, &mut stream(seed))
            };
            assert_eq!(pick(&[body(red[0].position + Vec3::X * 1.2)], None), Some(red[1]));
            assert_eq!(pick(&[], Some(red[1])), Some(red[0]));
            assert_eq!(pick(&[body(red[0].position)], Some(red[1])), None);
            met[red.iter().position(|one| pick(&[], None) == Some(*one)).unwrap()] += 1;
        }
        assert!(met.iter().all(|&count| count > 25), "{met:?}");
        assert_eq!(table.choose(TeamId(9), 1.0, &[], |_| false, &mut stream(0)), None);
    }

    #[test]
    fn teams_and_spawns_must_know_each_other() {
        let level = stock("collapse").unwrap();
        let say = |teams: &[(&str, TeamId)]| SpawnTable::build(&level, teams).unwrap_err().to_string();
        assert_eq!(
            say(&[("read", TeamId(1)), ("blue", TeamId(2))]),
            "spawn 1 of the level 'collapse' is of the unknown team 'red', did you mean 'read'?"
        );
        let more = [TEAMS[0], TEAMS[1], ("green", TeamId(3))];
        assert_eq!(say(&more), "the level 'collapse' has no spawn for the team 'green'");
    }

    #[test]
    fn a_restored_roster_is_the_same_and_a_forged_one_is_refused() {
        let mut actors = Actors::new(3);
        let first = actors.spawn(7u32).unwrap();
        actors.spawn(8);
        actors.despawn(first);
        let twin: Actors<u32> = from_bytes(&to_bytes(&actors)).unwrap();
        assert_eq!((hash(&twin), twin.clone().spawn(9)), (hash(&actors), actors.clone().spawn(9)));
        assert!(perturb(&actors).iter().all(|one| one.outcome != Noticed::No));
        assert!(from_bytes::<Actors<u32>>(&to_bytes(&Actors { capacity: 1, ..actors })).is_err());
    }
}
