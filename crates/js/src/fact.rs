//! The facts that the engine writes onto an agent's board before each thought, for files that declare their keys.
//!
//! All of them follow from beliefs. Whoever is of another team is an enemy; the one in sight counts, the nearest first, or else
//! the one seen last. `heard` and `hurt` stay until the file or the page clears them.

use sentir::core::plane;
use sentir::prelude::*;
use sentir::think::board::Blackboard;
use sentir::think::key::{Key, KeyError, Keys};
use sentir::think::value::{Fact, Kind};

/// The keys, their kinds, and what they hold.
pub const FACTS: [(&str, Kind, &str); 10] = [
    ("seen", Kind::Bool, "whether an enemy is in sight"),
    ("enemy", Kind::FilePosition, "where the enemy is believed to be; not set while none is known"),
    ("enemy_m", Kind::Float, "how far that is, m"),
    ("enemy_age_s", Kind::Float, "how long ago the enemy was seen, s; 0 while in sight"),
    ("heard", Kind::Bool, "true once a noise was heard, until cleared"),
    ("noise", Kind::FilePosition, "where the last noise seemed to come from"),
    ("hurt", Kind::Bool, "true once it was hurt, until cleared"),
    ("health", Kind::Float, "share of full health, 0 to 1"),
    ("home", Kind::FilePosition, "where it was added"),
    ("here", Kind::FilePosition, "where it is"),
];

/// Those that a file declares, looked up once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FactKeys {
    seen: Option<Key<bool>>,
    enemy: Option<Key<Vec3>>,
    enemy_m: Option<Key<f32>>,
    enemy_age_s: Option<Key<f32>>,
    heard: Option<Key<bool>>,
    noise: Option<Key<Vec3>>,
    hurt: Option<Key<bool>>,
    health: Option<Key<f32>>,
    home: Option<Key<Vec3>>,
    here: Option<Key<Vec3>>,
}

impl FactKeys {
    /// Those of a table.
    ///
    /// # Errors
    /// When a file declares one of them as of another kind.
    pub(crate) fn of(keys: &Keys) -> Result<FactKeys, KeyError> {
        Ok(FactKeys {
            seen: find(keys, "seen")?,
            enemy: find(keys, "enemy")?,
            enemy_m: find(keys, "enemy_m")?,
            enemy_age_s: find(keys, "enemy_age_s")?,
            heard: find(keys, "heard")?,
            noise: find(keys, "noise")?,
            hurt: find(keys, "hurt")?,
            health: find(keys, "health")?,
            home: find(keys, "home")?,
            here: find(keys, "here")?,
        })
    }

    /// What is known before the first thought.
    pub(crate) fn begin(&self, board: &mut Blackboard, home: Vec3) {
        for key in [self.seen, self.heard, self.hurt] {
            write(board, key, Some(false));
        }
        write(board, self.health, Some(1.0));
        write(board, self.home, Some(home));
        write(board, self.here, Some(home));
    }

    /// What is believed now.
    pub(crate) fn refresh(&self, board: &mut Blackboard, view: &ThinkView<'_>) {
        let beliefs = view.beliefs;
        let me = beliefs.me.pose.position;
        let enemy = enemy_of(beliefs, view.team);
        write(board, self.seen, Some(enemy.is_some_and(|it| it.is_visible)));
        write(board, self.enemy, enemy.map(|it| it.position));
        write(board, self.enemy_m, enemy.map(|it| plane::ground(it.position - me).length()));
        let age_s = |it: &Other| if it.is_visible { 0.0 } else { view.rate.seconds(view.tick.since(it.at)) };
        write(board, self.enemy_age_s, enemy.map(age_s));
        if let Some(heard) = beliefs.noises.last() {
            write(board, self.heard, Some(true));
            write(board, self.noise, Some(heard.position));
        }
        if !beliefs.hurts.is_empty() {
            write(board, self.hurt, Some(true));
        }
        write(board, self.health, Some(beliefs.me.health));
        write(board, self.here, Some(me));
    }
}

/// The enemy that counts: in sight rather than not, then the one known of last, then the nearest, then by id.
pub(crate) fn enemy_of(beliefs: &Beliefs, team: TeamId) -> Option<&Other> {
    let me = beliefs.me.pose.position;
    let others = beliefs.others().iter().filter(|it| it.team != team && !it.is_vanished);
    others.min_by(|a, b| {
        let near = |it: &Other| it.position.distance_squared(me);
        let order = b.is_visible.cmp(&a.is_visible);
        let order = if a.is_visible { order } else { order.then(b.at.cmp(&a.at)) };
        order.then(near(a).total_cmp(&near(b))).then(a.who.cmp(&b.who))
    })
}

/// The key of that name; none where the file has none.
fn find<T: Fact>(keys: &Keys, name: &str) -> Result<Option<Key<T>>, KeyError> {
    match keys.key::<T>(name) {
        Ok(key) => Ok(Some(key)),
        Err(KeyError::Unknown { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn write<T: Fact>(board: &mut Blackboard, key: Option<Key<T>>, fact: Option<T>) {
    match (key, fact) {
        (Some(key), Some(fact)) => board.set(key, fact),
        (Some(key), None) => board.unset(key.any()),
        (None, _) => {}
    }
}
