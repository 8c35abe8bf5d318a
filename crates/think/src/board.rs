//! Blackboards: the facts a brain reads and writes, by typed key.
//!
//! A [`Blackboard`] holds one value, or none, for each key of its table. A write that changes something sets the key's
//! dirty bit and stamps it with the board's version; a write of what stands there already does neither. The dirty bits
//! belong to the one brain that owns the board: its observers look at them when a tick starts. A shared board has many
//! readers that think at different times, so they compare stamps with the version they saw last.
//!
//! A [`Board`] is what one thought sees: its own board to write, its team's and the world's to read. In a loop of agents the
//! team is the squad, which writes its board when it coordinates; the world's belongs to the mind. Writes to a shared
//! board are posted; whoever owns that board carries them out between the ticks ([`Blackboard::deliver`]), in the order of
//! the agents, so that the threads of a tick never meet. Look-ups cost a few instructions, whatever the scope.
//!
//! ```
//! use sentir_think::board::{Blackboard, Board};
//! use sentir_think::key::{KeySpec, Keys, Scope};
//!
//! let keys = Keys::build([KeySpec::falling::<f32>("bravery", Scope::Own)]).unwrap();
//! let bravery = keys.key::<f32>("bravery").unwrap();
//! let (mut own, mut team, world) = (Blackboard::new(&keys), Blackboard::new(&keys), Blackboard::new(&keys));
//! team.set(bravery, 0.5);
//! let mut board = Board { own: &mut own, team: &team, world: &world };
//! assert_eq!(board.read(bravery), Some(0.5));
//! board.write(bravery, 0.9);
//! assert_eq!(board.read(bravery), Some(0.9));
//! board.clear(bravery);
//! assert_eq!(board.read(bravery), Some(0.5));
//! ```

use sentir_core::State;

use crate::key::{AnyKey, Key, KeySet, Keys, Route};
use crate::value::{Fact, Value};

/// Most posted writes a board keeps; later ones are lost until they are delivered.
pub const POSTS_MAX: usize = 64;

/// A write to a shared board that waits for its delivery.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Post {
    /// FilePosition of the key in its table.
    index: u8,
    /// To the world's board rather than the team's.
    is_world: bool,
    /// The new value; none clears.
    value: Option<Value>,
}

/// The facts of one agent, one team or the world.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Blackboard {
    cells: Vec<Option<Value>>,
    /// Counts changes.
    version: u64,
    /// The version that each key's last change made.
    stamps: Vec<u64>,
    /// Keys changed since the owner's brain last looked.
    pub(crate) dirty: KeySet,
    posts: Vec<Post>,
}

impl Blackboard {
    /// A board without room for any key.
    pub const EMPTY: Blackboard =
        Blackboard { cells: Vec::new(), version: 0, stamps: Vec::new(), dirty: KeySet::EMPTY, posts: Vec::new() };

    /// A board on which nothing is set, with room for every key of the table.
    pub fn new(keys: &Keys) -> Blackboard {
        Blackboard { cells: vec![None; keys.len()], stamps: vec![0; keys.len()], ..Blackboard::default() }
    }

    /// The value of a key on this very board; none when it is not set or not of this table.
    #[inline]
    pub fn value(&self, key: AnyKey) -> Option<Value> {
        self.cells.get(key.index()).copied().flatten()
    }

    /// The fact of a key on this very board.
    #[inline]
    pub fn get<T: Fact>(&self, key: Key<T>) -> Option<T> {
        self.value(key.any()).and_then(T::from_value)
    }

    /// Sets a key on this very board: for whoever owns it. NaN clears it.
    pub fn set<T: Fact>(&mut self, key: Key<T>, fact: T) {
        self.put(key.any(), Some(fact.to_value()));
    }

    /// Clears a key on this very board.
    pub fn unset(&mut self, key: AnyKey) {
        self.put(key, None);
    }

    /// Sets or clears a key. A value of another kind than the key's, and NaN, clear it: what cannot be is not.
    pub fn put(&mut self, key: AnyKey, value: Option<Value>) {
        let value = value.filter(|value| value.kind() == key.kind && !value.is_nan());
        self.put_index(key.index, value);
    }

    fn put_index(&mut self, index: u8, value: Option<Value>) {
        let at = usize::from(index);
        let (Some(cell), Some(stamp)) = (self.cells.get_mut(at), self.stamps.get_mut(at)) else { return };
        if *cell != value {
            *cell = value;
            self.version = self.version.saturating_add(1);
            *stamp = self.version;
            self.dirty.insert_index(index);
        }
    }

    /// Whether it has room for every key of a table.
    pub fn fits(&self, keys: &Keys) -> bool {
        self.cells.len() == keys.len()
    }

    /// Takes over the facts of another board that both tables of keys have, under the same name and of the same kind: for a
    /// file that was edited. `keys` are those of this board, `old` those of the other. Versions count on from the later one,
    /// so that readers who compare them notice whatever changes.
    pub fn carry(&mut self, keys: &Keys, from: &Blackboard, old: &Keys) {
        self.version = self.version.max(from.version);
        for spec in keys.specs() {
            if let (Ok(was), Ok(is)) = (old.any(&spec.name), keys.any(&spec.name))
                && was.kind() == is.kind()
            {
                self.put(is, from.value(was));
            }
        }
    }

    /// Counts the changes of this board.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether the key changed after that version.
    pub fn is_newer(&self, key: AnyKey, version: u64) -> bool {
        self.index_is_newer(key.index, version)
    }

    pub(crate) fn index_is_newer(&self, index: u8, version: u64) -> bool {
        self.stamps.get(usize::from(index)).is_some_and(|&stamp| stamp > version)
    }

    /// Keys changed since [`Blackboard::settle`]: for the one brain that owns the board.
    pub fn dirty(&self) -> &KeySet {
        &self.dirty
    }

    /// Takes notice of all changes.
    pub fn settle(&mut self) {
        self.dirty = KeySet::default();
    }

    /// Carries out what the agent of this board posted to its team's and the world's, oldest first.
    pub fn deliver(&mut self, team: &mut Blackboard, world: &mut Blackboard) {
        for post in self.posts.drain(..) {
            let shared = if post.is_world { &mut *world } else { &mut *team };
            shared.put_index(post.index, post.value);
        }
    }

    /// Back to nothing set, with the same memory: for an agent that takes a dead one's place.
    pub fn reset(&mut self) {
        self.cells.fill(None);
        self.stamps.fill(0);
        self.version = 0;
        self.dirty = KeySet::default();
        self.posts.clear();
    }
}

/// The boards one thought sees.
#[derive(Debug)]
pub struct Board<'a> {
    /// The agent's own.
    pub own: &'a mut Blackboard,
    /// Its team's.
    pub team: &'a Blackboard,
    /// The world's.
    pub world: &'a Blackboard,
}

impl Board<'_> {
    /// The fact of a key, looked for as the key was declared; none when it is not set.
    #[inline]
    pub fn read<T: Fact>(&self, key: Key<T>) -> Option<T> {
        self.value(key.any()).and_then(T::from_value)
    }

    /// The value of a key, looked for as the key was declared.
    #[inline]
    pub fn value(&self, key: AnyKey) -> Option<Value> {
        let Route(route) = key.route;
        if route & Route::OWN != 0
            && let Some(value) = self.own.value(key)
        {
            return Some(value);
        }
        if route & Route::TEAM != 0
            && let Some(value) = self.team.value(key)
        {
            return Some(value);
        }
        if route & Route::WORLD != 0 { self.world.value(key) } else { None }
    }

    /// Writes a fact. An own key changes at once; a shared one when the posts are delivered.
    pub fn write<T: Fact>(&mut self, key: Key<T>, fact: T) {
        self.put(key.any(), Some(fact.to_value()));
    }

    /// Clears a key, in the same way.
    pub fn clear<T: Fact>(&mut self, key: Key<T>) {
        self.put(key.any(), None);
    }

    /// Writes or clears a key of a kind known at run time. A value of another kind, and NaN, clear it.
    pub fn put(&mut self, key: AnyKey, value: Option<Value>) {
        if key.route.0 & Route::OWN != 0 {
            self.own.put(key, value);
        } else if self.own.posts.len() < POSTS_MAX {
            let value = value.filter(|value| value.kind() == key.kind && !value.is_nan());
            let is_world = key.route.0 & Route::TEAM == 0;
            self.own.posts.push(Post { index: key.index, is_world, value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{KeySpec, Scope};
    use proptest::prelude::*;
    use sentir_core::state::{Noticed, from_bytes, hash, perturb, to_bytes};

    fn keys() -> Keys {
        let scopes = [Scope::Own, Scope::Team, Scope::World];
        Keys::build(scopes.iter().flat_map(|&scope| {
            let name = format!("{scope:?}").to_lowercase();
            [KeySpec::new::<f32>(&name, scope), KeySpec::falling::<f32>(&format!("{name}_falling"), scope)]
        }))
        .unwrap()
    }

    #[test]
    fn a_bit_is_set_only_when_the_value_changes() {
        let keys = keys();
        let key = keys.key::<f32>("own").unwrap();
        let mut board = Blackboard::new(&keys);
        board.set(key, 1.0);
        assert!(board.dirty().contains(key.any()) && board.version() == 1 && board.is_newer(key.any(), 0));
        board.settle();
        board.set(key, 1.0);
        assert!(board.dirty().is_empty() && board.version() == 1 && !board.is_newer(key.any(), 1));
        board.unset(key.any());
        assert!(board.dirty().contains(key.any()));
    }

    #[test]
    fn nan_and_the_wrong_kind_clear() {
        let keys = keys();
        let key = keys.key::<f32>("own").unwrap();
        let mut board = Blackboard::new(&keys);
        board.set(key, 1.0);
        board.set(key, f32::NAN);
        assert_eq!(board.get(key), None);
        board.set(key, 1.0);
        board.put(key.any(), Some(Value::Bool(true)));
        assert_eq!(board.value(key.any()), None);
    }

    #[test]
    fn a_key_of_another_table_names_nothing() {
        let key = keys().key::<f32>("world").unwrap();
        let mut board = Blackboard::new(&Keys::default());
        board.set(key, 1.0);
        assert_eq!((board.get(key), board.version()), (None, 0));
    }

    #[test]
    fn every_field_of_a_board_is_in_its_hash() {
        let keys = keys();
        let mut board = Blackboard::new(&keys);
        board.set(keys.key::<f32>("own").unwrap(), 1.0);
        let (team, world) = (board.clone(), board.clone());
        Board { own: &mut board, team: &team, world: &world }.write(keys.key::<f32>("team").unwrap(), 2.0);
        assert!(perturb(&board).iter().all(|one| one.outcome != Noticed::No));
        let again: Blackboard = from_bytes(&to_bytes(&board)).unwrap();
        assert_eq!(hash(&again), hash(&board));
    }

    /// The obvious look-up: walk the scopes from the key's own outwards.
    fn twin(boards: [&Blackboard; 3], key: AnyKey, scope: usize, falls_through: bool) -> Option<Value> {
        let last = if falls_through { 3 } else { scope + 1 };
        boards[scope..last].iter().find_map(|board| board.value(key))
    }

    proptest! {
        #[test]
        fn look_ups_walk_the_scopes_as_declared(set in proptest::array::uniform3(any::<u8>())) {
            let keys = keys();
            let mut boards = [0, 1, 2].map(|_| Blackboard::new(&keys));
            for (number, spec) in keys.specs().iter().enumerate() {
                let key = keys.key::<f32>(&spec.name).unwrap();
                for (scope, board) in boards.iter_mut().enumerate() {
                    if set[scope] >> number & 1 == 1 {
                        board.set(key, scope as f32);
                    }
                }
            }
            let [mut own, team, world] = boards;
            let before = own.clone();
            let board = Board { own: &mut own, team: &team, world: &world };
            for spec in keys.specs() {
                let key = keys.any(&spec.name).unwrap();
                let expected = twin([&before, &team, &world], key, spec.scope as usize, spec.falls_through);
                prop_assert_eq!(board.value(key), expected);
            }
        }

        #[test]
        fn posts_arrive_in_order_and_only_when_delivered(writes in proptest::collection::vec((0usize..6, 0u8..4), 0..80)) {
            let keys = keys();
            let (mut own, mut team, mut world) = (Blackboard::new(&keys), Blackboard::new(&keys), Blackboard::new(&keys));
            let mut expected = [[None; 6]; 3];
            let mut posted = 0;
            for &(number, value) in &writes {
                let spec = &keys.specs()[number];
                let mut board = Board { own: &mut own, team: &team, world: &world };
                board.write(keys.key::<f32>(&spec.name).unwrap(), f32::from(value));
                posted += usize::from(spec.scope != Scope::Own);
                if spec.scope == Scope::Own || posted <= POSTS_MAX {
                    expected[spec.scope as usize][number] = Some(Value::Float(f32::from(value)));
                }
            }
            prop_assert_eq!((team.version(), world.version()), (0, 0));
            own.deliver(&mut team, &mut world);
            for (number, spec) in keys.specs().iter().enumerate() {
                let key = keys.any(&spec.name).unwrap();
                let found = [own.value(key), team.value(key), world.value(key)];
                prop_assert_eq!(found, [0, 1, 2].map(|scope| expected[scope][number]));
            }
        }
    }
}
