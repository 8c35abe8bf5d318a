//! One run of a scene that can be moved through: forward, back, aside.
//!
//! The run is its recording: scene, seed, settings, inputs and a short hash for each tick played so far. Any moment of it is
//! reached from the nearest snapshot before, by playing the recorded inputs again. Snapshots are kept every so many
//! ticks; when they take more than a bound, every other one is dropped and the step doubles, so that a run of any length
//! fits. Seeking then costs one restore and at most one step's worth of ticks.
//!
//! An input given at a moment that has a known future starts another future: what came after is forgotten. Who wants
//! to keep it forks first. An edit of a file is such an input, too.

use std::sync::Arc;

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::pool::Serial;
use sentir::core::tick::Tick;
use sentir::prelude::{AgentId, GameEvent, HostKey, Presence};
use sentir_harness::animation::Animation;
use sentir_harness::edit::{Breakpoint, EditAt, editor};
use sentir_harness::game_match::Match;
use sentir_harness::hud::{Fallen, Hud, Play};
use sentir_harness::info::{Changes, SceneError, SceneInfo, Setup};
use sentir_harness::inspection::{Eyesight, Inspection};
use sentir_harness::metric::Metric;
use sentir_harness::recording::{PartsAt, Recording};
use sentir_harness::sound::Sound;
use sentir_sim::input::{Input, InputAt};
use thiserror::Error;

use crate::note::{Note, Notes};

/// For how many ticks reasons are kept: longer than anybody goes without a thought.
const WHY_TICKS: u64 = 64;

/// Ticks between two snapshots of a young run.
const SNAPSHOT_TICKS: u64 = 30;
/// Bytes that the snapshots of one run may take.
pub const SNAPSHOT_BYTES_MAX: usize = 64 << 20;
/// Inputs that one tick takes; more are refused.
pub const INPUTS_PER_TICK_MAX: usize = 64;

/// Why a session did not do what was asked. The sentences are for people.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SessionError {
    /// There is no such scene, or it cannot be set up like that.
    #[error(transparent)]
    SceneInfo(#[from] SceneError),
    /// A setting is not written as it should be.
    #[error("'{text}' is not of the form KEY=VALUE")]
    Pair {
        /// As given.
        text: String,
    },
    /// Too many inputs for one tick.
    #[error("tick {tick} already has {INPUTS_PER_TICK_MAX} inputs: step before giving more")]
    TooManyInputs {
        /// Which tick.
        tick: u64,
    },
    /// The match is over, so no input can matter.
    #[error("the match ended at tick {tick}: go back before giving inputs")]
    Over {
        /// When it ended.
        tick: u64,
    },
    /// A snapshot of this very run was refused; it never should be.
    #[error("the run cannot go back to tick {tick}: its snapshot {why}")]
    Lost {
        /// Which snapshot.
        tick: u64,
        /// What is wrong with it.
        why: String,
    },
}

/// Where two runs part, as far as their recordings tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parted {
    /// The first tick that is known to have come out otherwise.
    pub(crate) tick: u64,
    /// How many ticks both were the same for in all, at the least.
    pub(crate) alike_ticks: u64,
}

/// A moment that can be gone back to.
#[derive(Clone)]
struct Mark {
    tick: u64,
    bytes: Arc<[u8]>,
}

/// A run being watched.
pub struct Session {
    scene: &'static SceneInfo,
    setup: Setup,
    game: Box<dyn Match>,
    /// All that is known of the run: its inputs, and a hash for each tick played so far.
    recording: Recording,
    /// Ascending by tick; the first is tick 0.
    marks: Vec<Mark>,
    mark_every: u64,
    mark_bytes_max: usize,
    notes: Notes,
}

impl Session {
    /// Starts a run of any scene of the product: for tests and tools. A module of one family calls [`Session::start_scene`].
    pub fn start<S: AsRef<str>>(scene: &str, seed: u64, settings: &[S]) -> Result<Session, SessionError> {
        Session::start_scene(sentir_scenes::CATALOG.find(scene)?, seed, settings)
    }

    /// Starts a run: stock settings but for `settings`, each `KEY=VALUE`.
    pub fn start_scene<S: AsRef<str>>(
        scene: &'static SceneInfo,
        seed: u64,
        settings: &[S],
    ) -> Result<Session, SessionError> {
        let pair = |text: &S| match text.as_ref().split_once('=') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(SessionError::Pair { text: text.as_ref().to_owned() }),
        };
        let changes = settings.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
        let setup = scene.setup(seed, Changes { settings: &changes, assets: &[] })?;
        let game = scene.start(&setup)?;
        let recording = Recording::new(scene, &setup);
        let marks = vec![Mark { tick: 0, bytes: game.snapshot().into() }];
        let (mark_every, mark_bytes_max) = (SNAPSHOT_TICKS, SNAPSHOT_BYTES_MAX);
        let notes = Notes::default();
        Ok(Session { scene, setup, game, recording, marks, mark_every, mark_bytes_max, notes })
    }

    /// The same with another bound on the bytes of its snapshots. The first one is kept whatever the bound.
    pub fn with_snapshot_bytes_max(mut self, bytes: usize) -> Session {
        self.mark_bytes_max = bytes;
        self.thin();
        self
    }

    /// Which scene.
    pub fn scene(&self) -> &'static SceneInfo {
        self.scene
    }

    /// What it was set up with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// How many ticks were played up to the moment that is shown.
    pub fn tick(&self) -> u64 {
        self.game.tick().0
    }

    /// How many ticks of this run are known: seeking up to here plays again, beyond it plays on.
    pub fn known_ticks(&self) -> u64 {
        self.recording.hashes.len() as u64
    }

    /// The hash of the whole state.
    pub fn hash(&self) -> u64 {
        self.game.hash()
    }

    /// How it ended, once it has.
    pub fn ending(&self) -> Option<&'static str> {
        self.game.ending()
    }

    /// What is measured so far.
    pub fn metrics(&self) -> Vec<Metric> {
        self.game.metrics()
    }

    /// What happened in the last tick.
    pub fn events(&self) -> &[GameEvent] {
        self.game.events()
    }

    /// What was worth noting in the run so far, oldest first.
    pub fn notes(&self) -> &[Note] {
        self.notes.all()
    }

    /// The name of a decision that events speak of; empty if it has none.
    pub fn decision_name(&self, decision: u16) -> &'static str {
        self.game.inspector().map_or("", |it| it.decision_name(decision))
    }

    /// Bytes that snapshots take, and how many there are.
    pub fn snapshot_bytes(&self) -> (usize, usize) {
        (self.marks.iter().map(|mark| mark.bytes.len()).sum(), self.marks.len())
    }

    /// Plays up to `ticks` ticks and says how many: fewer at the end of the match.
    pub fn step(&mut self, ticks: u64) -> u64 {
        self.advance(ticks, false)
    }

    /// The same, but stops after a tick in which a brain entered a breakpoint.
    pub fn play(&mut self, ticks: u64) -> u64 {
        self.advance(ticks, true)
    }

    fn advance(&mut self, ticks: u64, stops_at_breakpoints: bool) -> u64 {
        for played in 0..ticks {
            if self.game.ending().is_some() {
                return played;
            }
            // Reasons are for who looks now: those of the last moments are enough, and skipping stays fast.
            self.game.scratch_mut().listen(ticks - played <= WHY_TICKS);
            self.step_once();
            if stops_at_breakpoints && self.breakpoint().is_some() {
                return played + 1;
            }
        }
        ticks
    }

    fn step_once(&mut self) {
        let tick = self.game.tick();
        let is_new = tick.0 == self.known_ticks();
        for edit in self.recording.edits_at(tick) {
            // It was checked when it was given.
            let _ = editor(&mut *self.game, &edit.name).and_then(|it| it.edit(&edit.name, &edit.text));
        }
        let inputs: Vec<Input> = self.recording.inputs_at(tick).iter().map(|one| one.input).collect();
        self.game.step(&inputs, &Serial);
        if is_new {
            // The inputs are in the recording since they were given.
            self.recording.note(&*self.game, &[]);
            self.notes.take(&*self.game);
        }
        let now = self.game.tick().0;
        if now.is_multiple_of(WHY_TICKS) {
            self.game.scratch_mut().forget_before(Tick(now.saturating_sub(WHY_TICKS)));
        }
        let last = self.marks.last().map_or(0, |mark| mark.tick);
        if now.is_multiple_of(self.mark_every) && now > last {
            self.marks.push(Mark { tick: now, bytes: self.game.snapshot().into() });
            self.thin();
        }
    }

    /// Doubles the step between snapshots until they fit.
    fn thin(&mut self) {
        while self.marks.len() > 1 && self.snapshot_bytes().0 > self.mark_bytes_max {
            self.mark_every *= 2;
            let every = self.mark_every;
            self.marks.retain(|mark| mark.tick.is_multiple_of(every));
        }
    }

    /// Goes to a moment, earlier or later, and says where it is: the end of the match if that comes before.
    pub fn seek(&mut self, tick: u64) -> Result<u64, SessionError> {
        // The snapshot lies strictly before, so that what happened in the last tick is known as if it had been played.
        let place = self.marks.partition_point(|mark| mark.tick < tick.max(1));
        let mark = &self.marks[place.saturating_sub(1)];
        if tick < self.tick() || mark.tick > self.tick() {
            let lost = |why: String| SessionError::Lost { tick: mark.tick, why };
            self.game.restore(&mark.bytes).map_err(|error| lost(error.to_string()))?;
        }
        self.step(tick.saturating_sub(self.tick()));
        Ok(self.tick())
    }

    /// Gives an input that begins to hold at the next tick played. If that tick has been played before, what came after
    /// is forgotten.
    pub fn give(&mut self, input: Input) -> Result<(), SessionError> {
        let tick = self.game.tick();
        if self.game.ending().is_some() {
            return Err(SessionError::Over { tick: tick.0 });
        }
        if tick.0 < self.known_ticks() {
            self.forget_after(tick);
        }
        if self.recording.inputs_at(tick).len() >= INPUTS_PER_TICK_MAX {
            return Err(SessionError::TooManyInputs { tick: tick.0 });
        }
        self.recording.inputs.push(InputAt { tick, input });
        Ok(())
    }

    /// Gives another version of a file, by which brains think from the next tick played on. If that tick has been played
    /// before, what came after is forgotten. A broken version is refused, and nothing is changed.
    pub fn edit(&mut self, name: &str, text: &str) -> Result<(), SessionError> {
        let tick = self.game.tick();
        if self.game.ending().is_some() {
            return Err(SessionError::Over { tick: tick.0 });
        }
        editor(&mut *self.game, name)?.check(name, text)?;
        if self.asset(name) == Some(text) {
            return Ok(());
        }
        if tick.0 < self.known_ticks() {
            self.forget_after(tick);
        }
        let edits = &mut self.recording.edits;
        edits.retain(|one| one.tick != tick || one.name != name);
        if self.game.editor().and_then(|it| it.text(name)) != Some(text) {
            edits.push(EditAt { tick, name: name.to_owned(), text: text.to_owned() });
        }
        Ok(())
    }

    /// A file as it is for the next tick played; none if it cannot be edited.
    pub fn asset(&self, name: &str) -> Option<&str> {
        let given = self.recording.edits_at(self.game.tick()).iter().find(|one| one.name == name);
        given.map(|one| one.text.as_str()).or_else(|| self.game.editor()?.text(name))
    }

    /// The file that an agent's brain is read from; none if it cannot be edited.
    pub fn brain_file(&self, agent: AgentId) -> Option<&'static str> {
        self.game.editor()?.brain_file(agent)
    }

    /// The first breakpoint that somebody's brain entered in the last tick.
    pub fn breakpoint(&self) -> Option<Breakpoint> {
        self.game.editor()?.breakpoint()
    }

    /// Forgets the future of a moment, the inputs given at it included.
    fn forget_after(&mut self, tick: Tick) {
        let recording = &mut self.recording;
        recording.inputs.retain(|one| one.tick < tick);
        recording.edits.retain(|one| one.tick < tick);
        recording.hashes.truncate(tick.0 as usize);
        recording.parts.retain(|parts| parts.ticks <= tick.0);
        recording.ending = None;
        self.marks.retain(|mark| mark.tick <= tick.0);
        self.notes.forget_from(tick);
    }

    /// Another run with the same past, present and known future; what happens to one from here on leaves the other alone.
    pub fn fork(&self) -> Result<Session, SessionError> {
        let tick = self.tick();
        let mut game = self.scene.start(&self.setup)?;
        game.restore(&self.game.snapshot()).map_err(|error| SessionError::Lost { tick, why: error.to_string() })?;
        Ok(Session {
            scene: self.scene,
            setup: self.setup.clone(),
            game,
            recording: self.recording.clone(),
            marks: self.marks.clone(),
            mark_every: self.mark_every,
            mark_bytes_max: self.mark_bytes_max,
            notes: self.notes.clone(),
        })
    }

    /// The first tick that is known to have come out otherwise in another run; none if they are the same as far as both are
    /// known. Memories may have parted up to a second before: [`first_decision`](crate::compare::first_decision) plays both again and looks.
    pub fn first_difference(&self, other: &Session) -> Option<u64> {
        self.parted(other).map(|parted| parted.tick)
    }

    /// The same, with how long both are known to be the same in all.
    pub(crate) fn parted(&self, other: &Session) -> Option<Parted> {
        let [here, there] = [&self.recording, &other.recording];
        let seen = here.hashes.iter().zip(&there.hashes).position(|(a, b)| a != b).map(|tick| tick as u64);
        let at = |parts: &PartsAt| there.parts.iter().find(|other| other.ticks == parts.ticks);
        let checks = here.parts.iter().filter_map(|parts| Some((parts.ticks, parts == at(parts)?)));
        let full = checks.clone().find(|(_, is_same)| !is_same).map(|(ticks, _)| ticks - 1);
        let tick = [seen, full].into_iter().flatten().min()?;
        let alike = checks.into_iter().take_while(|(ticks, is_same)| *is_same && *ticks <= tick).last();
        Some(Parted { tick, alike_ticks: alike.map_or(0, |(ticks, _)| ticks) })
    }

    /// The run so far as the bytes of a recording, which the native program replays. The moment shown stays.
    pub fn record(&mut self) -> Result<Vec<u8>, SessionError> {
        let here = self.tick();
        self.seek(self.known_ticks())?;
        let mut recording = self.recording.clone();
        // Inputs that no tick has taken yet are not part of the run.
        let end = recording.hashes.len() as u64;
        recording.inputs.retain(|one| one.tick.0 < end);
        recording.edits.retain(|one| one.tick.0 < end);
        recording.finish(&*self.game);
        self.seek(here)?;
        Ok(recording.to_file())
    }

    /// Adds what there is to see.
    pub fn draw(&self, list: &mut DrawList) {
        self.game.draw(list);
    }

    /// The truth about every agent, in slot order.
    pub fn agents(&self) -> Vec<Presence> {
        let mut list = Vec::new();
        self.game.agents(&mut list);
        list
    }

    /// Those of them who are to be seen on a screen.
    pub fn shown_agents(&self) -> Vec<Presence> {
        let mut list = self.agents();
        list.retain(|it| self.game.is_shown(it));
        list
    }

    /// Looks into an agent; none if it is not there.
    pub fn inspect(&self, agent: AgentId) -> Option<Inspection<'_>> {
        self.game.inspect(agent)
    }

    /// The brain of an agent as one can look at it; none if it has nothing to show.
    pub fn chart(&self, agent: AgentId) -> Option<Chart> {
        self.game.inspector()?.chart(agent)
    }

    /// What an agent that sees by synthetic vision sees now; none for all others.
    pub fn eyesight(&self, agent: AgentId) -> Option<Eyesight> {
        self.game.inspector()?.eyesight(agent)
    }

    /// The agent that a person's controls move; none where they move nobody.
    pub fn player(&self) -> Option<HostKey> {
        self.game.player()
    }

    /// What a player may know of their own body; none where nobody plays.
    pub fn hud(&self) -> Option<Hud> {
        self.game.play()?.hud
    }

    /// Who lies dead, oldest first.
    pub fn fallen(&self) -> Vec<Fallen> {
        self.game.play().map_or_else(Vec::new, |it| it.fallen)
    }

    /// What a screen shows of the moment beside the picture; none if there is nothing to tell.
    pub fn screen(&self) -> Option<Play> {
        self.game.play()
    }

    /// What an agent is called: by its scene, or by its kind and number.
    pub fn name_of(&self, agent: &Presence) -> String {
        let number = || self.scene.name_of(self.game.looks_as(agent), agent.key);
        self.game.name_of(agent).unwrap_or_else(number)
    }

    /// The kind whose look an agent has.
    pub fn looks_as(&self, agent: &Presence) -> u16 {
        self.game.looks_as(agent)
    }

    /// What the figures of these agents do, one by one.
    pub fn animate(&self, agents: &[Presence]) -> Vec<Animation> {
        self.game.animate(agents)
    }

    /// What could be heard of the last tick.
    pub fn sounds(&self) -> Vec<Sound> {
        self.game.sounds()
    }

    /// Adds what an agent weighs just now, as the points of its query.
    pub fn study(&self, agent: AgentId, list: &mut DrawList) {
        if let Some(it) = self.game.inspector() {
            it.study(agent, list);
        }
    }

    /// The agent of a host key.
    pub fn agent_of(&self, key: HostKey) -> Option<AgentId> {
        self.agents().iter().find(|presence| presence.key == key).map(|presence| presence.agent)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use crate::compare::first_decision;

    #[test]
    fn runs_part_where_the_first_hash_of_either_sort_does() {
        let mut one = Session::start::<&str>("patrol", 7, &[]).unwrap();
        one.step(200);
        let mut other = one.fork().unwrap();
        assert_eq!(one.parted(&other), None);
        other.recording.hashes[150] ^= 1;
        assert_eq!(one.parted(&other), Some(Parted { tick: 150, alike_ticks: 120 }));
        // Memories alone: found by the full hashes of the second that ends after tick 119.
        other.recording.parts[1].parts[0].1 ^= 1;
        assert_eq!(one.parted(&other), Some(Parted { tick: 119, alike_ticks: 60 }));
        // Both are played again from there, and nobody decides otherwise.
        let parting = first_decision(&one, &other).unwrap().unwrap();
        assert_eq!((parting.first_tick, parting.decision), (119, None));
    }
}
