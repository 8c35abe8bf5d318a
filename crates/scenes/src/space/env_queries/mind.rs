//! The mind of who asks, who watches and who stands by: eyes all round, and now and then a question about a good place, which
//! the coordination answers.

use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::mesh::{AnyAngleSearch, Mesh, MeshQuery};
use sentir_nav::tactic::{Exposure, ExposurePrice, Field, Spread, Tactic};
use sentir_space::cover::{Borders, CoverMap, CoverSet};
use sentir_space::query::{FieldChart, Query, QueryEnding, QueryRun, QueryWorld, Subject};
use sentir_space::visibility::{FloorSight, Obstacles, Region, Seen, Sweep, Watcher};

use super::SIGHT_M;
use crate::straight_walker::{Notice, StraightWalker, WalkerBrain, WalkerMotor};

/// Heights that count as this floor, m.
const BAND_M: [f32; 2] = [-1.0, 3.0];
const LUCK: Purpose = Purpose::new("vantage.rng");
/// The round of the watcher, last stop first.
const ROUND: [Vec2; 6] = [
    Vec2::new(-9.0, 2.5),
    Vec2::new(-9.0, 8.0),
    Vec2::new(-1.5, 4.0),
    Vec2::new(-2.0, -2.0),
    Vec2::new(-2.5, -5.0),
    Vec2::new(-9.0, -8.0),
];

/// The ground, the query, and how it is asked.
pub(crate) struct Seeker {
    pub(super) level: Level,
    /// The level as it stands: nothing of it moves.
    pub(super) fresh: LevelState,
    pub(super) mesh: Mesh,
    pub(super) spread: Spread,
    pub(super) sight: FloorSight,
    pub(super) borders: Borders,
    pub(super) covers: CoverSet,
    pub(super) cover_map: CoverMap,
    pub(super) rumor: Field,
    pub(super) query: Query,
    /// Ticks between two questions.
    pub(super) period_ticks: u64,
    /// Whether the one who asks goes to what it finds.
    pub(super) goes: bool,
    /// Whether it asks only when it is seen.
    pub(super) is_shy: bool,
    pub(super) walk: StraightWalker,
}

/// Who is who.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(crate) enum Role {
    /// Has its place already.
    #[default]
    Stands,
    /// Asks where to be.
    Asks,
    /// Goes its round.
    Watches,
}

/// What one remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Thoughts {
    role: Role,
    /// Where the watcher is, as it was told at the beginning.
    told: Pose,
    /// The last question; none before the first.
    asked: Option<Ticket>,
    pub(super) errand: WalkerBrain,
}

impl Thoughts {
    /// What one knows at the beginning: who it is, and where the watcher is.
    pub(super) fn new(role: Role, told: Pose) -> Thoughts {
        Thoughts { role, told, ..Thoughts::default() }
    }

    /// Where the watcher was seen last, or else where it was told to be.
    fn target(&self, beliefs: &Beliefs) -> Pose {
        let last = beliefs.others().iter().max_by_key(|other| (other.at, std::cmp::Reverse(other.who)));
        last.map_or(self.told, |other| Pose { position: other.position, yaw: other.yaw })
    }
}

/// A point of a query.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) struct Spot {
    pub(super) at: Vec3,
    /// Its score; under 0 if it was dropped.
    pub(super) score: f32,
}

/// What became of the questions.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Findings {
    /// Points of the last one.
    pub(super) spots: Vec<Spot>,
    /// The number of the best of them; none if there is none.
    pub(super) best: Option<u32>,
    pub(super) asked: u32,
    pub(super) answered: u32,
    pub(super) score: f32,
}

/// What an answer needs and need not remember.
#[derive(Default)]
struct Desk {
    run: QueryRun,
    search: AnyAngleSearch,
    sweep: Sweep,
    regions: [Region; 2],
}

impl Seeker {
    pub(super) fn obstacles(&self) -> &Obstacles {
        self.sight.obstacles()
    }

    /// What is seen from a place.
    pub(super) fn look(&self, sweep: &mut Sweep, pose: Pose, region: &mut Region) {
        sweep.look(self.obstacles(), &Watcher::all_round(plane::ground(pose.position), SIGHT_M), region);
    }

    /// Whether nothing is between two places.
    pub(super) fn sees(&self, from: Vec3, to: Vec3) -> bool {
        let [from, to] = [from, to].map(plane::ground);
        self.obstacles().ray(from, to - from, 1.0).is_none()
    }

    /// Asks the query for one, keeps its points, and sends it there.
    fn answer(
        &self,
        view: &SquadView,
        findings: &mut Findings,
        roster: &mut Roster<'_, '_, Seeker>,
        place: usize,
        ticket: Ticket,
    ) {
        let Some(asker) = roster.member(place) else { return };
        // A friend says where it is; of the watcher one knows what one saw.
        let (me, it) = (asker.beliefs.me.pose, asker.brain.target(asker.beliefs));
        let rng = view.streams().at(asker.agent.to_bits(), LUCK, view.tick).bits();
        let subject = |pose: Pose| Subject { yaw: pose.yaw, ..Subject::new(pose.position) };
        let friend = |place: usize| {
            let one = roster.member(place).filter(|one| one.brain.role == Role::Stands)?;
            Some(subject(one.beliefs.me.pose))
        };
        let friend = (0..roster.members().len()).find_map(friend);
        let others = friend.as_slice();
        let mut desk = roster.take_scratch::<Desk>();
        let Desk { run, search, sweep, regions: [mine, its] } = &mut *desk;
        self.look(sweep, me, mine);
        self.look(sweep, it, its);
        let oneself = [Subject { seen: Some(mine), ..subject(me) }];
        let target = [Subject { seen: Some(its), ..subject(it) }];
        let sight = Seen { regions: std::slice::from_ref(its), band_m: BAND_M };
        let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(1.0, 1.0) });
        let chart = FieldChart { field: &self.rumor, cell_m: 1.0 };
        let world = QueryWorld {
            spread: Some(&self.spread),
            tactic: Tactic { layers: &[], exposure },
            level: Some(LevelView { level: &self.level, state: &self.fresh }),
            obstacles: Some(self.obstacles()),
            borders: Some(&self.borders),
            cover: Some(&self.covers),
            cover_map: Some(&self.cover_map),
            contexts: &[&oneself, &target, others, others],
            maps: &[&chart],
            ..QueryWorld::new(&self.mesh)
        };
        let answer = run.ask(&self.query, &world, rng);
        findings.asked = findings.asked.saturating_add(1);
        findings.answered = findings.answered.saturating_add(u32::from(answer.ending == QueryEnding::Found));
        let best = answer.best.first().copied();
        (findings.best, findings.score) = (best.map(|best| best.index), best.map_or(0.0, |best| best.score));
        findings.keep(run);
        let answer = best
            .map_or(Answer::Nothing(Cause::NoPath), |best| Answer::Place { at: best.place.point, score: best.score });
        roster.answer(place, ticket, answer);
        if let Some(best) = best.filter(|_| self.goes) {
            let path = search.find(&self.mesh, &MeshQuery::new(me.position, best.place.point)).path;
            roster.notify(place, Notice::Halt);
            for &point in path.iter().skip(1).rev() {
                roster.notify(place, Notice::Stop(plane::ground(point)));
            }
        }
        roster.put_scratch(desk);
    }
}

impl Findings {
    fn keep(&mut self, run: &QueryRun) {
        let spot =
            |index: u32| Spot { at: run.point(index).unwrap_or(Vec3::ZERO), score: run.score(index).unwrap_or(-1.0) };
        self.spots.clear();
        self.spots.extend((0..run.point_count() as u32).map(spot));
    }
}

impl Mind for Seeker {
    type Senses = ();
    type Brain = Thoughts;
    type Motor = WalkerMotor;
    type Squad = Findings;
    type Notice = Notice;

    fn sense(&self, view: &SenseView<'_>, (): &mut (), beliefs: &mut Beliefs, _notes: &mut Notes<'_>) {
        let me = view.me;
        for it in view.world.presences().filter(|it| it.team != me.team) {
            if self.sees(me.body.pose.position, it.body.pose.position) {
                beliefs.update(Other::seen(it.agent, it.team, &it.body, view.tick));
            }
        }
        beliefs.revise(|other| {
            other.is_visible = other.at == view.tick;
            true
        });
    }

    fn receive(&self, view: &ThinkView<'_>, notice: Notice, thoughts: &mut Thoughts) {
        self.walk.receive(view, notice, &mut thoughts.errand);
    }

    fn think(&self, view: &ThinkView<'_>, thoughts: &mut Thoughts, intents: &mut Intents, notes: &mut Notes<'_>) {
        let is_due = view.tick.0.is_multiple_of(self.period_ticks.max(1));
        match thoughts.role {
            Role::Stands => {}
            Role::Watches if thoughts.errand.stops.is_empty() => thoughts.errand.stops.extend(ROUND),
            Role::Watches => {}
            Role::Asks => {
                let is_seen = view.beliefs.others().iter().any(|other| other.is_visible);
                if is_due && (!self.is_shy || is_seen || thoughts.asked.is_none()) {
                    thoughts.asked = Some(intents.ask(Question::Place { query: 0 }));
                }
                for outcome in view.beliefs.outcomes() {
                    if let Outcome::Answered { ticket, answer: Answer::Place { score, .. } } = *outcome
                        && Some(ticket) == thoughts.asked
                    {
                        notes.because(|| Reason { what: "was told of a place", held: true, value: score, limit: 0.0 });
                    }
                }
            }
        }
        self.walk.think(view, &mut thoughts.errand, intents, notes);
    }

    fn coordinate(&self, view: &SquadView, findings: &mut Findings, roster: &mut Roster<'_, '_, Self>) {
        for place in 0..roster.members().len() {
            if let Some(ask) = roster.asks(place).last().copied() {
                self.answer(view, findings, roster, place, ask.ticket);
            }
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        gait: &mut WalkerMotor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        self.walk.act(view, gait, motion, out, notes);
    }
}
