//! What the author of a scene writes. A [`Scene`] says what happens in a tick, how it ends, what is measured and what there is
//! to see; a [`SceneMatch`](crate::scene_match::SceneMatch) makes a match of it.
//!
//! Everything else is a trait of its own that a scene implements only if it has that side, and hands out by one method of
//! [`Scene`]:
//!
//! | side | handed out by | for |
//! |---|---|---|
//! | [`Editable`] | [`Scene::editable`] | files of brains that are edited while a match goes on |
//! | [`Inspectable`] | [`Scene::inspectable`] | looking into an agent: its brain, its eyes, what it weighs |
//! | [`Audited`] | [`Scene::audited`] | the judges: the honesty test and the count of stupidity |
//! | [`Play`] | [`Scene::play`] | a screen: who plays, panels with buttons, figures |
//!
//! The smallest scene, one agent that walks:
//!
//! ```
//! use sentir::core::draw::{Color, DrawList, Layer};
//! use sentir::prelude::*;
//! use sentir_harness::game_match::Match;
//! use sentir_harness::metric::Metric;
//! use sentir_harness::scene::{Scene, StepContext};
//! use sentir_harness::scene_match::SceneMatch;
//!
//! /// Tables and tuning: what never changes.
//! struct Walk { speed_m_per_tick: f32 }
//!
//! /// What is remembered beside the brains.
//! #[derive(State)]
//! struct World { walked_m: f32 }
//!
//! impl Scene for Walk {
//!     type Mind = ();
//!     type World = World;
//!     type Cache = ();
//!
//!     fn step(&self, context: StepContext<'_, Self>) {
//!         context.brains.step(&(), &Open, context.pool, context.scratch);
//!         context.world.walked_m += self.speed_m_per_tick;
//!     }
//!
//!     fn fits(&self, world: &World) -> bool {
//!         world.walked_m >= 0.0
//!     }
//!
//!     fn ending(&self, world: &World) -> Option<&'static str> {
//!         (world.walked_m >= 5.0).then_some("arrived")
//!     }
//!
//!     fn metrics(&self, world: &World) -> Vec<Metric> {
//!         vec![Metric::new("walked_m", world.walked_m)]
//!     }
//!
//!     fn draw(&self, _brains: &Loop<()>, world: &World, list: &mut DrawList) {
//!         list.circle(Layer::BODIES, Color::rgb(0x2f6fb0), Vec3::X * world.walked_m, 0.4, true);
//!     }
//! }
//!
//! let brains = Loop::new(LoopConfig::default(), 1);
//! let mut game = SceneMatch::new(Walk { speed_m_per_tick: 0.5 }, brains, World { walked_m: 0.0 });
//! (0..10).for_each(|_| game.step(&[], &Serial));
//! assert_eq!(game.ending(), Some("arrived"));
//! ```

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::state::StateHasher;
use sentir::core::why::WhyLog;
use sentir::prelude::*;
use sentir::sense::smell::Trace;
use sentir_level::LevelView;

use crate::animation::Activity;
use crate::honesty::tamper::Allowed;
use crate::honesty::truth::TilePlan;
use crate::honesty::{Reach, Tamper};
use crate::hud::Play;
use crate::info::SceneError;
use crate::inspection::Eyesight;
use crate::metric::Metric;
use crate::sound::Sound;
use sentir_sim::input::Input;

/// How a match ends that nothing else ended.
pub const TIME_UP: &str = "time up";

/// A scene as its author writes it: tables and tuning in `self`, what is remembered in `World`.
pub trait Scene: Send + Sync + Sized {
    /// The minds of its characters.
    type Mind: Mind + Send;
    /// All that is remembered beside the brains: bodies, rules, figures.
    type World: State + Send;
    /// What a step needs and need not remember.
    type Cache: Default + Send;

    /// Plays one tick: what the host of the loop does.
    fn step(&self, context: StepContext<'_, Self>);
    /// Whether a restored world is one of this scene; if not, it is refused.
    fn fits(&self, world: &Self::World) -> bool;
    /// How it ended, once it has.
    fn ending(&self, world: &Self::World) -> Option<&'static str>;
    /// What is measured so far.
    fn metrics(&self, world: &Self::World) -> Vec<Metric>;
    /// Adds what there is to see.
    fn draw(&self, brains: &Loop<Self::Mind>, world: &Self::World, list: &mut DrawList);

    /// Adds to the [short hash](crate::game_match::Match::short_hash) of a tick what of the world is not in the brains' part of
    /// it: all, unless there is much that shows in bodies and decisions anyway, as maps and memories do.
    fn digest(&self, world: &Self::World, hasher: &mut StateHasher) {
        hasher.add(world);
    }
    /// Its files, if some can be edited while a match goes on.
    fn editable(&self) -> Option<&dyn Editable<Self>> {
        None
    }
    /// The same, to take another version of one. Some if [`editable`](Scene::editable) is.
    fn editable_mut(&mut self) -> Option<&mut dyn Editable<Self>> {
        None
    }
    /// Its agents, if there is something to show of them.
    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        None
    }
    /// What its judges ask; none if there is nobody to be judged.
    fn audited(&self) -> Option<&dyn Audited<Self>> {
        None
    }
    /// The agent that a person's controls move, alive or dead; none where they move nobody.
    fn player(&self, _world: &Self::World) -> Option<HostKey> {
        None
    }
    /// What a screen shows beside the picture; none if there is nothing to tell.
    fn play(&self, _view: MatchView<'_, Self>) -> Option<Play> {
        None
    }
    /// What an agent is called; none where the name of its kind and its number will do.
    fn name_of(&self, _world: &Self::World, _agent: &Presence) -> Option<String> {
        None
    }
    /// The kind whose look an agent has, where that is not its own kind: what minds do not tell apart may look different.
    fn looks_as(&self, _world: &Self::World, agent: &Presence) -> u16 {
        agent.kind
    }
    /// Whether an agent is to be seen on a screen: not who is away, nor whom the side that a person commands does not see.
    fn is_shown(&self, _view: MatchView<'_, Self>, _agent: &Presence) -> bool {
        true
    }
    /// What an agent's figure is about and how far that is, 0..=1; none where events tell enough.
    fn activity(&self, _view: MatchView<'_, Self>, _agent: &Presence) -> Option<(Activity, f32)> {
        None
    }
    /// Adds what can be heard of the last tick beside what [noises and events](crate::sound) tell, as words that were said.
    fn sounds(&self, _view: MatchView<'_, Self>, _list: &mut Vec<Sound>) {}
}

/// What a scene has at hand in a tick.
pub struct StepContext<'a, S: Scene> {
    /// The brains; to be stepped once.
    pub brains: &'a mut Loop<S::Mind>,
    /// The world.
    pub world: &'a mut S::World,
    /// The controls that begin to hold at this tick.
    pub inputs: &'a [Input],
    /// Where parallel work runs.
    pub pool: &'a dyn Pool,
    /// The loop's scratch.
    pub scratch: &'a mut Scratch,
    /// The scene's own.
    pub cache: &'a mut S::Cache,
}

/// A match between two ticks, as its scene is shown it when it is asked something.
pub struct MatchView<'a, S: Scene> {
    /// The brains.
    pub brains: &'a Loop<S::Mind>,
    /// The world.
    pub world: &'a S::World,
    /// The reasons of the last tick, if somebody listened.
    pub whys: &'a WhyLog<Why>,
    /// What happened in the last tick.
    pub events: &'a [GameEvent],
}

impl<S: Scene> Clone for MatchView<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Scene> Copy for MatchView<'_, S> {}

/// Files of brains that can be edited while a match goes on: agents that think by one go over to its next version.
pub trait Editable<S: Scene = Self> {
    /// A file as it is now; none if it cannot be edited.
    fn text(&self, name: &str) -> Option<&str>;
    /// What is wrong with another version of a file.
    fn check(&self, name: &str, text: &str) -> Result<(), SceneError>;
    /// Takes another version of a file, or refuses it and changes nothing. With `brains`, those who think by the old one go
    /// over to the new one; without, they think by the new one already, as after a restore.
    fn reload(&mut self, name: &str, text: &str, brains: Option<&mut Loop<S::Mind>>) -> Result<(), SceneError>;
    /// The file that an agent's brain is read from.
    fn brain_file(&self, brains: &Loop<S::Mind>, agent: AgentId) -> Option<&'static str>;
    /// What a part of the brains is called, by the number that its
    /// [breakpoint](EventKind::Breakpoint) tells.
    fn part_name(&self, part: usize) -> String;
}

/// What there is to show of an agent beside its beliefs and intents. Made anew from the state, and only while somebody looks.
pub trait Inspectable<S: Scene = Self> {
    /// The brain of an agent, with the reasons of the last tick if somebody listened; none where there is nothing to show.
    fn chart(&self, _view: MatchView<'_, S>, _agent: AgentId) -> Option<Chart> {
        None
    }
    /// What an agent that sees by synthetic vision sees now: its viewports, with target and way marked on them; none for all
    /// others.
    fn eyesight(&self, _view: MatchView<'_, S>, _agent: AgentId) -> Option<Eyesight> {
        None
    }
    /// Adds what there is to see of what an agent weighs just now, as the points of its query.
    fn study(&self, _view: MatchView<'_, S>, _agent: AgentId, _list: &mut DrawList) {}
    /// The name of a decision that its minds report; empty if it has none.
    fn decision_name(&self, _decision: u16) -> &'static str {
        ""
    }
}

/// What the judges of a match ask its scene: the [honesty](crate::honesty) test, which changes what no sense reached, and the
/// count of [stupidity](crate::stupidity).
pub trait Audited<S: Scene = Self> {
    /// What the senses and legs of its minds reach at the most.
    fn reach(&self) -> Reach;
    /// The level as it stands.
    fn level<'a>(&'a self, world: &'a S::World) -> LevelView<'a>;
    /// Makes a change; [`apply`](crate::honesty::tamper::apply) does all that need no more than bodies. Whether there was
    /// anything to change.
    fn change(&self, brains: &mut Loop<S::Mind>, world: &mut S::World, tamper: &Tamper) -> bool;
    /// What kinds of changes it can take.
    fn allowed(&self) -> Allowed {
        Allowed::ALL
    }
    /// Whether an agent may be changed: one that the scene itself tells others about may not.
    fn may_change(&self, _it: &Presence) -> bool {
        true
    }
    /// Whether an agent may be told by its own side how a changed one is: a side that is led as a whole knows where its members
    /// are. Its beliefs and intents are compared until it could sense the change or was in fact told something else; what those
    /// do who are not told is compared as ever.
    fn is_told(&self, _changed: &Presence, _it: &Presence) -> bool {
        false
    }
    /// Whether an agent's stupidity counts: not of people, nor of dummies to be shot at.
    fn is_judged(&self, _it: &Presence) -> bool {
        true
    }
    /// Its ground and what ends a look, where the level is one of tiles.
    fn plan(&self) -> Option<TilePlan<'_>> {
        None
    }
    /// The traces that can be smelled.
    fn traces<'a>(&'a self, _world: &'a S::World) -> &'a [Trace] {
        &[]
    }
    /// Its items: where they lie, and how they are.
    fn items(&self, _world: &S::World) -> Vec<(Vec3, u64)> {
        Vec::new()
    }
    /// What an agent knows that is kept in the world and not with its beliefs, as one number.
    fn knowledge(&self, _world: &S::World, _key: HostKey) -> u64 {
        0
    }
}
