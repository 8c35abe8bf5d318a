//! The match that comes of a scene: everything that is the same for all of them (hash, snapshot, reasons, caches, edits).

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::state::{self, EnvelopeError, FileKind, LoadError, StateHasher};
use sentir::prelude::*;

use crate::animation::{Activity, Animation, activity_of, of_hit};
use crate::edit::{Breakpoint, Texts};
use crate::game_match::{Auditor, Editor, Inspector, Match};
use crate::honesty::tamper::Allowed;
use crate::honesty::truth::Side;
use crate::honesty::{Reach, Tamper, Truth};
use crate::hud::Play;
use crate::info::SceneError;
use crate::inspection::{self, Eyesight, Inspection};
use crate::metric::Metric;
use crate::scene::{Audited, MatchView, Scene, StepContext};
use crate::sound::{self, Sound};
use crate::stupidity::{Stupidity, StupidityScratch};
use sentir_sim::input::Input;

/// Number of the snapshot format.
const FORMAT: u32 = 3;

/// A scene being played.
pub struct SceneMatch<S: Scene> {
    scene: S,
    state: MatchState<S>,
    scratch: Scratch,
    cache: S::Cache,
    stupidity_scratch: StupidityScratch,
    /// The files that were ever edited, as they were when the match was set up.
    first: Texts,
    /// Wanted motions and told bodies so far that were no numbers. Not of the state: it tells of the program, not of the match.
    bad_numbers: u64,
    /// Whether the state came from a file: then it may hold anything, and what is no number is only counted.
    is_restored: bool,
}

#[derive(State)]
struct MatchState<S: Scene> {
    brains: Loop<S::Mind>,
    world: S::World,
    stupidity: Stupidity,
    /// The files that are not as they were set up.
    edited: Texts,
}

impl<S: Scene> SceneMatch<S> {
    /// A match at its beginning.
    pub fn new(scene: S, brains: Loop<S::Mind>, world: S::World) -> SceneMatch<S> {
        SceneMatch {
            scene,
            state: MatchState { brains, world, stupidity: Stupidity::default(), edited: Texts::default() },
            scratch: Scratch::default(),
            cache: S::Cache::default(),
            stupidity_scratch: StupidityScratch::default(),
            first: Texts::default(),
            bad_numbers: 0,
            is_restored: false,
        }
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

    fn view(&self) -> MatchView<'_, S> {
        MatchView {
            brains: &self.state.brains,
            world: &self.state.world,
            whys: self.scratch.whys(),
            events: self.scratch.events(),
        }
    }

    /// Takes another version of a file, if it is another, and keeps the first one. Unless the match `is_restored`, whose
    /// brains think by it already, they go over to it. Whether it is another.
    fn reload(&mut self, name: &str, text: &str, is_restored: bool) -> Result<bool, SceneError> {
        let files = self.scene.editable_mut().ok_or_else(|| SceneError::fixed(name))?;
        let before = files.text(name).ok_or_else(|| SceneError::fixed(name))?.to_owned();
        if before == text {
            return Ok(false);
        }
        files.reload(name, text, (!is_restored).then_some(&mut self.state.brains))?;
        if self.first.of(name).is_none() {
            self.first.put(name, &before);
        }
        Ok(true)
    }

    /// Puts the scene's files to those of a state whose brains think by them already.
    fn reread(&mut self, edited: &Texts) -> Result<(), SceneError> {
        let names: Vec<String> = self.first.names().chain(edited.names()).map(str::to_owned).collect();
        for name in &names {
            let Some(wanted) = edited.of(name).or_else(|| self.first.of(name)).map(str::to_owned) else { continue };
            self.reload(name, &wanted, true)?;
        }
        Ok(())
    }
}

impl<S: Scene> SceneMatch<S> {
    /// A motion or a body that is no number is an error of the program: in debug builds it ends the match at its tick.
    fn count_bad_numbers(&mut self) {
        let brains = &self.state.brains;
        let is_bad = |motion: &Motion| !(motion.velocity.is_finite() && motion.yaw.is_finite());
        let mut motions = brains.motions().filter(|(_, motion)| is_bad(motion)).peekable();
        if let Some((it, _)) = motions.peek() {
            debug_assert!(self.is_restored, "the motion of agent {} is no number at tick {}", it.agent, brains.tick());
        }
        let told = self.scratch.events().iter().filter(|event| event.kind == EventKind::BadBody);
        self.bad_numbers += motions.count() as u64 + told.count() as u64;
    }
}

impl<S: Scene> Match for SceneMatch<S> {
    fn step(&mut self, inputs: &[Input], pool: &dyn Pool) {
        let MatchState { brains, world, stupidity, .. } = &mut self.state;
        let before = brains.tick();
        let (scratch, cache) = (&mut self.scratch, &mut self.cache);
        self.scene.step(StepContext { brains, world, inputs, pool, scratch, cache });
        if brains.tick() != before {
            let audited = self.scene.audited();
            let level = audited.map(|it| it.level(world));
            let is_judged = |agent: &Presence| audited.is_none_or(|it| it.is_judged(agent));
            stupidity.watch(brains, self.scratch.events(), level, is_judged, &mut self.stupidity_scratch);
            self.count_bad_numbers();
        }
    }

    fn bad_numbers(&self) -> u64 {
        self.bad_numbers
    }

    fn tick(&self) -> Tick {
        self.state.brains.tick()
    }

    fn ending(&self) -> Option<&'static str> {
        self.scene.ending(&self.state.world)
    }

    fn metrics(&self) -> Vec<Metric> {
        self.scene.metrics(&self.state.world)
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

    fn draw(&self, list: &mut DrawList) {
        self.scene.draw(&self.state.brains, &self.state.world, list);
    }

    fn hash(&self) -> u64 {
        state::hash(&self.state)
    }

    fn short_hash(&self) -> u32 {
        let mut hasher = StateHasher::default();
        self.state.brains.digest(&mut hasher);
        self.scene.digest(&self.state.world, &mut hasher);
        // An edit is an input: it counts from its own tick on.
        hasher.add(&self.state.edited);
        hasher.finish() as u32
    }

    fn hash_parts(&self) -> Vec<(&'static str, u64)> {
        let mut parts = vec![("brains", state::hash(&self.state.brains))];
        parts.extend(state::hash_fields(&self.state.world));
        parts.push(("stupidity", state::hash(&self.state.stupidity)));
        parts.push(("edited files", state::hash(&self.state.edited)));
        parts
    }

    fn snapshot(&self) -> Vec<u8> {
        state::pack(FileKind::Snapshot, FORMAT, &self.state)
    }

    fn restore(&mut self, file: &[u8]) -> Result<(), EnvelopeError> {
        let state: MatchState<S> = state::unpack(FileKind::Snapshot, file)?.open(FORMAT)?;
        let refused =
            |why| EnvelopeError::Content { kind: FileKind::Snapshot, error: LoadError::Invalid { at: 0, why } };
        if !self.scene.fits(&state.world) {
            return Err(refused("it was made with another level or other assets"));
        }
        if self.reread(&state.edited).is_err() {
            // What was there could be read before, so it can be now.
            let _ = self.reread(&self.state.edited.clone());
            return Err(refused("it was made with an edited file that this scene cannot read"));
        }
        self.state = state;
        self.is_restored = true;
        self.drop_caches();
        Ok(())
    }

    fn drop_caches(&mut self) {
        let listens = self.scratch.whys().is_on();
        self.scratch = Scratch::default();
        self.scratch.listen(listens);
        self.cache = S::Cache::default();
    }

    fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    fn scratch_mut(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    fn editor(&self) -> Option<&dyn Editor> {
        self.scene.editable().map(|_| self as &dyn Editor)
    }

    fn editor_mut(&mut self) -> Option<&mut dyn Editor> {
        self.scene.editable_mut()?;
        Some(self)
    }

    fn inspector(&self) -> Option<&dyn Inspector> {
        self.scene.inspectable().map(|_| self as &dyn Inspector)
    }

    fn play(&self) -> Option<Play> {
        self.scene.play(self.view())
    }

    fn name_of(&self, agent: &Presence) -> Option<String> {
        self.scene.name_of(&self.state.world, agent)
    }

    fn looks_as(&self, agent: &Presence) -> u16 {
        self.scene.looks_as(&self.state.world, agent)
    }

    fn is_shown(&self, agent: &Presence) -> bool {
        self.scene.is_shown(self.view(), agent)
    }

    fn animate(&self, agents: &[Presence]) -> Vec<Animation> {
        let view = self.view();
        let told = |it: &Presence| {
            let moved = Animation::of(&it.body);
            let own = |event: &&GameEvent| event.agent == Some(it.agent);
            let happened = || view.events.iter().filter(own).find_map(activity_of).map(|activity| (activity, 0.0));
            let hurts = view.brains.hurts().iter().filter(|hurt| hurt.who == it.agent);
            let hit = hurts.filter_map(|hurt| of_hit(hurt.at, view.brains.tick(), view.brains.rate()));
            let hit = || hit.min_by(f32::total_cmp).map(|share| (Activity::Hit, share));
            let doing = self.scene.activity(view, it);
            let short = doing.filter(|(activity, _)| activity.is_short());
            let activity = short.or_else(hit).or(doing).or_else(happened);
            activity.map_or(moved, |(activity, share)| moved.doing(activity, share))
        };
        agents.iter().map(told).collect()
    }

    fn sounds(&self) -> Vec<Sound> {
        let mut list = Vec::new();
        sound::hear(&self.state.brains, self.scratch.events(), &mut list);
        self.scene.sounds(self.view(), &mut list);
        list
    }

    fn player(&self) -> Option<HostKey> {
        self.scene.player(&self.state.world)
    }

    fn auditor(&mut self) -> Option<Box<dyn Auditor + '_>> {
        let MatchState { brains, world, .. } = &mut self.state;
        Some(Box::new(SceneAuditor { scene: self.scene.audited()?, brains, world }))
    }
}

impl<S: Scene> Editor for SceneMatch<S> {
    fn text(&self, name: &str) -> Option<&str> {
        self.scene.editable()?.text(name)
    }

    fn check(&self, name: &str, text: &str) -> Result<(), SceneError> {
        self.scene.editable().ok_or_else(|| SceneError::fixed(name))?.check(name, text)
    }

    fn edit(&mut self, name: &str, text: &str) -> Result<(), SceneError> {
        if !self.reload(name, text, false)? {
            return Ok(());
        }
        // Only what is not as it was set up is state.
        if self.first.of(name) == Some(text) {
            self.state.edited.remove(name);
        } else {
            self.state.edited.put(name, text);
        }
        Ok(())
    }

    fn brain_file(&self, agent: AgentId) -> Option<&'static str> {
        self.scene.editable()?.brain_file(&self.state.brains, agent)
    }

    fn breakpoint(&self) -> Option<Breakpoint> {
        let files = self.scene.editable()?;
        self.scratch.events().iter().find_map(|event| match event.kind {
            EventKind::Breakpoint { part } => {
                Some(Breakpoint { agent: event.agent?, node: files.part_name(part as usize) })
            }
            _ => None,
        })
    }
}

impl<S: Scene> Inspector for SceneMatch<S> {
    fn chart(&self, agent: AgentId) -> Option<Chart> {
        self.scene.inspectable()?.chart(self.view(), agent)
    }

    fn eyesight(&self, agent: AgentId) -> Option<Eyesight> {
        self.scene.inspectable()?.eyesight(self.view(), agent)
    }

    fn study(&self, agent: AgentId, list: &mut DrawList) {
        if let Some(scene) = self.scene.inspectable() {
            scene.study(self.view(), agent, list);
        }
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        self.scene.inspectable().map_or("", |scene| scene.decision_name(decision))
    }
}

/// The state of a match in the hands of the honesty test.
struct SceneAuditor<'a, S: Scene> {
    scene: &'a dyn Audited<S>,
    brains: &'a mut Loop<S::Mind>,
    world: &'a mut S::World,
}

impl<S: Scene> Auditor for SceneAuditor<'_, S> {
    fn reach(&self) -> Reach {
        self.scene.reach()
    }

    fn allowed(&self) -> Allowed {
        self.scene.allowed()
    }

    fn may_change(&self, it: &Presence) -> bool {
        self.scene.may_change(it)
    }

    fn is_told(&self, changed: &Presence, it: &Presence) -> bool {
        self.scene.is_told(changed, it)
    }

    fn truth(&self) -> Box<dyn Truth + '_> {
        let SceneAuditor { scene, brains, world } = self;
        Box::new(Side {
            brains,
            level: scene.level(world),
            items: scene.items(world),
            knowledge: Box::new(|key| scene.knowledge(world, key)),
            traces: scene.traces(world),
            plan: scene.plan(),
        })
    }

    fn tamper(&mut self, tamper: &Tamper) -> bool {
        self.scene.change(self.brains, self.world, tamper)
    }

    fn set_importance(&mut self, agent: AgentId, importance: Importance) {
        self.brains.set_importance(agent, importance);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use crate::scene::Inspectable;
    use sentir_vision::{Class, Eye, Lens, MotionMode, Palette, Retina, Scenery, Viewport};

    /// Somebody before a wall who sees it, beside somebody who does not see at all.
    struct Onlooker;

    impl Scene for Onlooker {
        type Mind = ();
        type World = u32;
        type Cache = ();

        fn step(&self, context: StepContext<'_, Self>) {
            context.brains.step(&(), &Open, context.pool, context.scratch);
            *context.world += 1;
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

        fn draw(&self, _brains: &Loop<()>, _world: &u32, _list: &mut DrawList) {}

        fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
            Some(self)
        }
    }

    impl Inspectable for Onlooker {
        fn eyesight(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Eyesight> {
            let MatchView { brains, world, .. } = view;
            let seer = brains.presence(agent).filter(|seer| seer.key == HostKey(1))?;
            let far = -5.0 - *world as f32;
            let wall = [Vec3::new(-99.0, -9.0, far), Vec3::new(99.0, -9.0, far), Vec3::new(0.0, 99.0, far)];
            let lens = Lens { width: 16, height: 12, ..Lens::default() };
            let (mut retina, mut picture) = (Retina::new(lens).ok()?, Viewport::new(lens).ok()?);
            let eye = Eye { position: seer.body.eye(), ..Eye::default() };
            retina.look(&eye, &Scenery::build(&[wall]), &[]);
            assert!(picture.take(&retina, &eye, MotionMode::View, 10.0) && picture.class(8, 6) == Class::WALL);
            let mut sight = Eyesight::of(&picture, &Palette::source());
            sight.mark(&picture, "target", picture.unproject(8, 6));
            Some(sight)
        }
    }

    #[test]
    fn what_somebody_sees_is_made_of_the_state_and_changes_none_of_it() {
        let mut brains = Loop::new(LoopConfig::default(), 1);
        let [seer, blind] = [1, 2].map(|key| brains.spawn(AgentSpec::new(HostKey(key))).unwrap());
        let mut game = SceneMatch::new(Onlooker, brains, 0);
        game.step(&[], &Serial);
        let (hash, file) = (Match::hash(&game), game.snapshot());
        let sight = Inspector::eyesight(&game, seer).unwrap();
        assert_eq!(sight.pictures.iter().map(|it| it.name).collect::<Vec<_>>(), ["static", "depth", "dynamic"]);
        assert_eq!(sight.pictures[0].rgba[..4], [0, 0, 255, 255]);
        assert_eq!((sight.marks.len(), sight.marks[0].name), (1, "target"));
        assert_eq!(Inspector::eyesight(&game, blind), None);
        assert_eq!(Match::hash(&game), hash);
        game.step(&[], &Serial);
        assert_ne!(Inspector::eyesight(&game, seer).unwrap(), sight);
        game.restore(&file).unwrap();
        assert_eq!(Inspector::eyesight(&game, seer).unwrap(), sight);
    }

    #[test]
    fn a_side_that_a_scene_does_not_have_is_none_and_an_edit_of_it_is_refused() {
        let mut game = SceneMatch::new(Onlooker, Loop::new(LoopConfig::default(), 1), 0);
        assert!(game.inspector().is_some());
        assert!(game.editor().is_none() && game.auditor().is_none() && game.play().is_none());
        let refused = crate::edit::editor(&mut game, "brain.yaml").err().unwrap();
        assert_eq!(
            refused.to_string(),
            "the file 'brain.yaml' cannot be edited while a match goes on: no brain thinks by it here"
        );
    }

    #[test]
    fn a_difference_in_the_world_shows_in_the_world_s_part_alone() {
        let [one, other] = [0, 1].map(|world| {
            let game = SceneMatch::new(Onlooker, Loop::new(LoopConfig::default(), 1), world);
            game.hash_parts()
        });
        let differs: Vec<&str> = one.iter().zip(&other).filter(|(a, b)| a != b).map(|(part, _)| part.0).collect();
        assert_eq!(differs, [""]);
    }
}
