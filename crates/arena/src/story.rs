//! What a scene writes, and the match that comes of it: a [`Story`] says what happens in a tick, a [`Tale`] is everything
//! else that is the same for all scenes (hash, snapshot, reasons, caches).

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::state::{self, EnvelopeError, FileKind, LoadError, StateHasher};
use sentir::core::why::WhyLog;
use sentir::prelude::*;
use sentir::sense::smell::Trace;
use sentir_level::{Level, LevelState, LevelView};
use sentir_vision::Eyesight;

use crate::cast::Cast;
use crate::edit::{Breakpoint, Texts};
use crate::event::code;
use crate::honesty::tamper::{Allowed, apply};
use crate::honesty::truth::{Side, TilePlan};
use crate::honesty::{Reach, Tamper, Truth};
use crate::hud::{Fallen, Hud};
use crate::input::Input;
use crate::inspection::{self, Inspection};
use crate::scene::{Match, Metric, SceneError};
use crate::stupidity::{Stupidity, StupidityScratch};

/// Number of the snapshot format.
const FORMAT: u32 = 3;

/// How a match ends that nothing else ended.
pub const TIME_UP: &str = "time up";

/// A scene as its author writes it: tables and tuning in `self`, what is remembered in `World`.
pub trait Story: Send + Sync + Sized {
    /// The minds of its characters.
    type Mind: Mind + Send;
    /// All that is remembered beside the brains: bodies, rules, figures.
    type World: State + Send;
    /// What a step needs and need not remember.
    type Cache: Default + Send;

    /// Plays one tick: what the host of the loop does.
    fn step(&self, moment: Moment<'_, Self>);
    /// Whether a restored world is one of this story; if not, it is refused.
    fn fits(&self, world: &Self::World) -> bool;
    /// How it ended, once it has.
    fn ending(&self, world: &Self::World) -> Option<&'static str>;
    /// What is measured so far.
    fn metrics(&self, world: &Self::World) -> Vec<Metric>;
    /// The hashes of the parts of the world.
    fn parts(&self, world: &Self::World) -> Vec<(&'static str, u64)>;
    /// Adds to the [short hash](Match::short_hash) of a tick what of the world is not in the brains' part of it: all, unless
    /// there is much that shows in bodies and decisions anyway, as maps and memories do.
    fn digest(&self, world: &Self::World, hasher: &mut StateHasher) {
        hasher.add(world);
    }
    /// Adds what there is to see.
    fn draw(&self, brains: &Loop<Self::Mind>, world: &Self::World, list: &mut DrawList);
    /// The brain of an agent as one can look at it, with the reasons of the last tick if somebody listened; none where
    /// there is nothing to show.
    fn chart(&self, _brains: &Loop<Self::Mind>, _agent: AgentId, _whys: &WhyLog<Why>) -> Option<Chart> {
        None
    }
    /// A file as it is now; none if it cannot be edited while a match goes on. The four methods below are about that, too.
    fn text(&self, _name: &str) -> Option<&str> {
        None
    }
    /// What is wrong with another version of a file.
    fn check(&self, name: &str, _text: &str) -> Result<(), SceneError> {
        Err(SceneError::Fixed { name: name.to_owned() })
    }
    /// Takes another version of a file, or refuses it and changes nothing. With `brains`, those who think by the old one go
    /// over to the new one; without, they think by the new one already, as after a restore.
    fn reload(&mut self, name: &str, _text: &str, _brains: Option<&mut Loop<Self::Mind>>) -> Result<(), SceneError> {
        Err(SceneError::Fixed { name: name.to_owned() })
    }
    /// The file that an agent's brain is read from.
    fn brain_file(&self, _brains: &Loop<Self::Mind>, _agent: AgentId) -> Option<&'static str> {
        None
    }
    /// What a part of the brains is called, by the number that its [breakpoint](code::BREAKPOINT) tells.
    fn part_name(&self, _part: usize) -> String {
        String::new()
    }
    /// What an agent that sees by synthetic vision sees now: its viewports, with target and way marked on them; none for all
    /// others. Made anew from the state alone, as nothing of it is kept; only asked for while somebody looks.
    fn eyesight(&self, _brains: &Loop<Self::Mind>, _world: &Self::World, _agent: AgentId) -> Option<Eyesight> {
        None
    }
    /// What a person who plays may know of the body that is his; none where nobody plays.
    fn hud(&self, _brains: &Loop<Self::Mind>, _world: &Self::World) -> Option<Hud> {
        None
    }
    /// Who lies dead, oldest first.
    fn fallen<'a>(&self, _world: &'a Self::World) -> &'a [Fallen] {
        &[]
    }
    /// Adds what there is to see of what an agent weighs just now, as the points of its query. Made anew from the state alone,
    /// and only while somebody looks.
    fn study(&self, _brains: &Loop<Self::Mind>, _world: &Self::World, _agent: AgentId, _list: &mut DrawList) {}
    /// The name of a decision that its minds report; empty if it has none.
    fn decision_name(&self, _decision: u16) -> &'static str {
        ""
    }

    /// What the senses and legs of its minds reach at the most, for the test of [`honesty`](crate::honesty); none if it
    /// cannot be tested. The methods below are for that test, too.
    fn reach(&self) -> Option<Reach> {
        None
    }
    /// The level and the bodies on it.
    fn stage<'a>(&'a self, _world: &'a Self::World) -> Option<(&'a Level, &'a Cast)> {
        None
    }
    /// The level and the bodies on it, to be changed.
    fn stage_mut<'a>(&'a self, _world: &'a mut Self::World) -> Option<(&'a Level, &'a mut Cast)> {
        None
    }
    /// The level and how it stands: that of the stage, as a rule.
    fn scenery<'a>(&'a self, world: &'a Self::World) -> Option<(&'a Level, &'a LevelState)> {
        self.stage(world).map(|(level, cast)| (level, &cast.level))
    }
    /// Its ground and what ends a look, where the level is one of tiles.
    fn plan(&self) -> Option<TilePlan<'_>> {
        None
    }
    /// What kinds of changes it can take.
    fn allowed(&self) -> Allowed {
        Allowed::ALL
    }
    /// Makes a change, but for items. Whether there was anything to change.
    fn change(&self, brains: &mut Loop<Self::Mind>, world: &mut Self::World, tamper: &Tamper) -> bool {
        self.stage_mut(world).is_some_and(|(level, cast)| apply(brains, cast, level, tamper))
    }
    /// What somebody knows that is kept in the world and not with its beliefs, as one number.
    fn knowledge(&self, _world: &Self::World, _key: HostKey) -> u64 {
        0
    }
    /// The traces that can be smelled.
    fn traces<'a>(&'a self, _world: &'a Self::World) -> &'a [Trace] {
        &[]
    }
    /// Whether somebody may be changed: whom the scene itself tells others about may not.
    fn may_change(&self, _it: &Presence) -> bool {
        true
    }
    /// Whether somebody's stupidity counts: not of people, nor of dummies to be shot at.
    fn is_judged(&self, _it: &Presence) -> bool {
        true
    }
    /// Its items: where they lie, and how they are.
    fn items(&self, _world: &Self::World) -> Vec<(Vec3, u64)> {
        Vec::new()
    }
    /// Takes an item that lies there, or puts it back.
    fn turn_item(&self, _world: &mut Self::World, _number: u16) -> bool {
        false
    }
}

/// Writes [`Story::stage`] and [`Story::stage_mut`] of a story: where its level is, and where the bodies of its world are.
macro_rules! stage {
    ($story:ident, $world:ident => $level:expr, $($cast:tt)+) => {
        fn stage<'a>(&'a $story, $world: &'a Self::World) -> Option<(&'a sentir_level::Level, &'a $crate::cast::Cast)> {
            Some(($level, &$($cast)+))
        }

        fn stage_mut<'a>(
            &'a $story,
            $world: &'a mut Self::World,
        ) -> Option<(&'a sentir_level::Level, &'a mut $crate::cast::Cast)> {
            Some(($level, &mut $($cast)+))
        }
    };
}
pub(crate) use stage;

/// What the test of [`honesty`](crate::honesty) does with a match.
pub trait Backstage {
    /// What senses reach at the most; none if the scene cannot be tested.
    fn reach(&self) -> Option<Reach>;
    /// What kinds of changes the scene can take.
    fn allowed(&self) -> Allowed;
    /// Whether somebody may be changed.
    fn may_change(&self, it: &Presence) -> bool;
    /// The truth.
    fn truth(&self) -> Option<Box<dyn Truth + '_>>;
    /// Changes something behind everybody's back. Whether there was anything to change.
    fn tamper(&mut self, tamper: &Tamper) -> bool;
    /// Says how much somebody matters.
    fn set_importance(&mut self, agent: AgentId, importance: Importance);
}

impl<S: Story> Backstage for Tale<S> {
    fn reach(&self) -> Option<Reach> {
        self.story.reach()
    }

    fn allowed(&self) -> Allowed {
        self.story.allowed()
    }

    fn may_change(&self, it: &Presence) -> bool {
        self.story.may_change(it)
    }

    fn truth(&self) -> Option<Box<dyn Truth + '_>> {
        let world = &self.state.world;
        let (level, state) = self.story.scenery(world)?;
        let items = self.story.items(world);
        let knowledge = Box::new(|key| self.story.knowledge(world, key));
        let (traces, plan) = (self.story.traces(world), self.story.plan());
        Some(Box::new(Side { brains: &self.state.brains, level, state, items, knowledge, traces, plan }))
    }

    fn tamper(&mut self, tamper: &Tamper) -> bool {
        if let Tamper::Item { number } = *tamper {
            return self.story.turn_item(&mut self.state.world, number);
        }
        let TaleState { brains, world, .. } = &mut self.state;
        self.story.change(brains, world, tamper)
    }

    fn set_importance(&mut self, agent: AgentId, importance: Importance) {
        self.state.brains.set_importance(agent, importance);
    }
}

/// What a story has at hand in a tick.
pub struct Moment<'a, S: Story> {
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
    /// The story's own.
    pub cache: &'a mut S::Cache,
}

/// A story being told: a match.
pub struct Tale<S: Story> {
    story: S,
    state: TaleState<S>,
    scratch: Scratch,
    cache: S::Cache,
    laughs: StupidityScratch,
    /// The files that were ever edited, as they were when the match was set up.
    first: Texts,
}

#[derive(State)]
struct TaleState<S: Story> {
    brains: Loop<S::Mind>,
    world: S::World,
    stupidity: Stupidity,
    /// The files that are not as they were set up.
    edited: Texts,
}

impl<S: Story> Tale<S> {
    /// A match at its beginning.
    pub fn new(story: S, brains: Loop<S::Mind>, world: S::World) -> Tale<S> {
        let state = TaleState { brains, world, stupidity: Stupidity::default(), edited: Texts::default() };
        let (scratch, laughs) = (Scratch::default(), StupidityScratch::default());
        Tale { story, state, scratch, cache: S::Cache::default(), laughs, first: Texts::default() }
    }

    /// Puts the story's files to those of a state whose brains think by them already.
    fn reread(&mut self, edited: &Texts) -> Result<(), SceneError> {
        let names: Vec<String> = self.first.names().chain(edited.names()).map(str::to_owned).collect();
        for name in &names {
            let now = self.story.text(name).ok_or_else(|| SceneError::Fixed { name: name.clone() })?.to_owned();
            let Some(wanted) = edited.of(name).or_else(|| self.first.of(name)).filter(|text| *text != now) else {
                continue;
            };
            self.story.reload(name, wanted, None)?;
            if self.first.of(name).is_none() {
                self.first.put(name, &now);
            }
        }
        Ok(())
    }

    /// The brains, for tests that look closer.
    pub fn brains(&self) -> &Loop<S::Mind> {
        &self.state.brains
    }

    /// The world, for tests that look closer.
    pub fn world(&self) -> &S::World {
        &self.state.world
    }

    /// Both, for tests that meddle.
    pub fn parts_mut(&mut self) -> (&mut Loop<S::Mind>, &mut S::World) {
        (&mut self.state.brains, &mut self.state.world)
    }

    /// Proof that every field of the state counts; see [`state::perturb`].
    pub fn perturb(&self) -> Vec<state::Perturbation> {
        state::perturb(&self.state)
    }
}

impl<S: Story> Match for Tale<S> {
    fn step(&mut self, inputs: &[Input], pool: &dyn Pool) {
        let TaleState { brains, world, stupidity, .. } = &mut self.state;
        let before = brains.tick();
        self.story.step(Moment { brains, world, inputs, pool, scratch: &mut self.scratch, cache: &mut self.cache });
        if brains.tick() != before {
            let level = self.story.scenery(world).map(|(level, state)| LevelView { level, state });
            let is_judged = |it: &Presence| self.story.is_judged(it);
            stupidity.watch(brains, self.scratch.events(), level, is_judged, &mut self.laughs);
        }
    }

    fn tick(&self) -> Tick {
        self.state.brains.tick()
    }

    fn ending(&self) -> Option<&'static str> {
        self.story.ending(&self.state.world)
    }

    fn metrics(&self) -> Vec<Metric> {
        self.story.metrics(&self.state.world)
    }

    fn stupidity(&self) -> Vec<Metric> {
        self.state.stupidity.report()
    }

    fn agent_count(&self) -> usize {
        self.state.brains.len()
    }

    fn agents(&self, list: &mut Vec<Presence>) {
        list.clear();
        list.extend(self.state.brains.motions().map(|(presence, _)| *presence));
    }

    fn inspect(&self, agent: AgentId) -> Option<Inspection<'_>> {
        inspection::inspect(&self.state.brains, agent)
    }

    fn chart(&self, agent: AgentId) -> Option<Chart> {
        self.story.chart(&self.state.brains, agent, self.scratch.whys())
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.story.text(name)
    }

    fn check_edit(&self, name: &str, text: &str) -> Result<(), SceneError> {
        self.story.check(name, text)
    }

    fn edit(&mut self, name: &str, text: &str) -> Result<(), SceneError> {
        let before = self.story.text(name).ok_or_else(|| SceneError::Fixed { name: name.to_owned() })?.to_owned();
        if before == text {
            return Ok(());
        }
        self.story.reload(name, text, Some(&mut self.state.brains))?;
        if self.first.of(name).is_none() {
            self.first.put(name, &before);
        }
        if self.first.of(name) == Some(text) {
            self.state.edited.remove(name);
        } else {
            self.state.edited.put(name, text);
        }
        Ok(())
    }

    fn brain_file(&self, agent: AgentId) -> Option<&'static str> {
        self.story.brain_file(&self.state.brains, agent)
    }

    fn breakpoint(&self) -> Option<Breakpoint> {
        self.scratch.events().iter().find_map(|event| match event.kind {
            EventKind::Custom { code: code::BREAKPOINT, value } => {
                Some(Breakpoint { agent: event.agent, node: self.story.part_name(value as usize) })
            }
            _ => None,
        })
    }

    fn eyesight(&self, agent: AgentId) -> Option<Eyesight> {
        self.story.eyesight(&self.state.brains, &self.state.world, agent)
    }

    fn hud(&self) -> Option<Hud> {
        self.story.hud(&self.state.brains, &self.state.world)
    }

    fn fallen(&self) -> &[Fallen] {
        self.story.fallen(&self.state.world)
    }

    fn study(&self, agent: AgentId, list: &mut DrawList) {
        self.story.study(&self.state.brains, &self.state.world, agent, list);
    }

    fn hash(&self) -> u64 {
        state::hash(&self.state)
    }

    fn short_hash(&self) -> u32 {
        let mut hasher = StateHasher::default();
        self.state.brains.digest(&mut hasher);
        self.story.digest(&self.state.world, &mut hasher);
        // An edit is an input: it counts from its own tick on.
        hasher.add(&self.state.edited);
        hasher.finish() as u32
    }

    fn hash_parts(&self) -> Vec<(&'static str, u64)> {
        let mut parts = vec![("brains", state::hash(&self.state.brains))];
        parts.extend(self.story.parts(&self.state.world));
        // Whole once more: a field that a scene forgot to name a part for counts, too.
        parts.push(("world", state::hash(&self.state.world)));
        parts.push(("stupidity", state::hash(&self.state.stupidity)));
        parts.push(("edited files", state::hash(&self.state.edited)));
        parts
    }

    fn snapshot(&self) -> Vec<u8> {
        state::pack(FileKind::Snapshot, FORMAT, &self.state)
    }

    fn restore(&mut self, file: &[u8]) -> Result<(), EnvelopeError> {
        let state: TaleState<S> = state::unpack(FileKind::Snapshot, file)?.open(FORMAT)?;
        let refused =
            |why| EnvelopeError::Content { kind: FileKind::Snapshot, error: LoadError::Invalid { at: 0, why } };
        if !self.story.fits(&state.world) {
            return Err(refused("it was made with another level or other assets"));
        }
        if self.reread(&state.edited).is_err() {
            // What was there could be read before, so it can be now.
            let _ = self.reread(&self.state.edited.clone());
            return Err(refused("it was made with an edited file that this scene cannot read"));
        }
        self.state = state;
        self.drop_caches();
        Ok(())
    }

    fn drop_caches(&mut self) {
        let listens = self.scratch.whys().is_on();
        self.scratch = Scratch::default();
        self.scratch.listen(listens);
        self.cache = S::Cache::default();
    }

    fn events(&self) -> &[GameEvent] {
        self.scratch.events()
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        self.story.decision_name(decision)
    }

    fn listen(&mut self, is_on: bool) {
        self.scratch.listen(is_on);
    }

    fn forget_before(&mut self, tick: Tick) {
        self.scratch.forget_before(tick);
    }

    fn whys(&self) -> &WhyLog<Why> {
        self.scratch.whys()
    }

    fn draw(&self, list: &mut DrawList) {
        self.story.draw(&self.state.brains, &self.state.world, list);
    }

    fn backstage(&mut self) -> Option<&mut dyn Backstage> {
        Some(self)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir_vision::{Class, Eye, Lens, MotionMode, Palette, Retina, Scenery, Viewport};

    /// Somebody before a wall who sees it, beside somebody who does not see at all.
    struct Onlooker;

    impl Story for Onlooker {
        type Mind = ();
        type World = u32;
        type Cache = ();

        fn step(&self, moment: Moment<'_, Self>) {
            moment.brains.step(&(), &Open, moment.pool, moment.scratch);
            *moment.world += 1;
        }

        fn fits(&self, _world: &u32) -> bool {
            true
        }

        fn ending(&self, _world: &u32) -> Option<&'static str> {
            None
        }

        fn metrics(&self, _world: &u32) -> Vec<Metric> {
            Vec::new()
        }

        fn parts(&self, world: &u32) -> Vec<(&'static str, u64)> {
            vec![("count", state::hash(world))]
        }

        fn draw(&self, _brains: &Loop<()>, _world: &u32, _list: &mut DrawList) {}

        fn eyesight(&self, brains: &Loop<()>, world: &u32, agent: AgentId) -> Option<Eyesight> {
            let seer = brains.presence(agent).filter(|seer| seer.key == HostKey(1))?;
            let far = -5.0 - *world as f32;
            let wall = [Vec3::new(-99.0, -9.0, far), Vec3::new(99.0, -9.0, far), Vec3::new(0.0, 99.0, far)];
            let lens = Lens { width: 16, height: 12, ..Lens::default() };
            let (mut retina, mut view) = (Retina::new(lens).ok()?, Viewport::new(lens).ok()?);
            let eye = Eye { position: seer.body.eye(), ..Eye::default() };
            retina.look(&eye, &Scenery::build(&[wall]), &[]);
            assert!(view.take(&retina, &eye, MotionMode::View, 10.0) && view.class(8, 6) == Class::WALL);
            let mut sight = Eyesight::of(&view, &Palette::source());
            sight.mark(&view, "target", view.unproject(8, 6));
            Some(sight)
        }
    }

    #[test]
    fn what_somebody_sees_is_made_of_the_state_and_changes_none_of_it() {
        let mut brains = Loop::new(LoopConfig::default(), 1);
        let [seer, blind] = [1, 2].map(|key| brains.spawn(AgentSpec::new(HostKey(key))).unwrap());
        let mut tale = Tale::new(Onlooker, brains, 0);
        tale.step(&[], &Serial);
        let (hash, file) = (Match::hash(&tale), tale.snapshot());
        let sight = Match::eyesight(&tale, seer).unwrap();
        assert_eq!(sight.pictures.iter().map(|it| it.name).collect::<Vec<_>>(), ["static", "depth", "dynamic"]);
        assert_eq!(sight.pictures[0].rgba[..4], [0, 0, 255, 255]);
        assert_eq!((sight.marks.len(), sight.marks[0].name), (1, "target"));
        assert_eq!(Match::eyesight(&tale, blind), None);
        assert_eq!(Match::hash(&tale), hash);
        tale.step(&[], &Serial);
        assert_ne!(Match::eyesight(&tale, seer).unwrap(), sight);
        tale.restore(&file).unwrap();
        assert_eq!(Match::eyesight(&tale, seer).unwrap(), sight);
    }
}
