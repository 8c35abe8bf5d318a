//! The minds of a war: eyes by the library, brains out of files, sides that share what their members see.

use std::sync::Mutex;

use sentir::core::plane;
use sentir::prelude::*;
use sentir::sense::{MemoryConfig, SightConfig, TalkConfig, Visible};
use sentir_nav::grid::{LayerUse, Pull};
use sentir_squad::strategy::{Attitude, Strategy};
use sentir_think::board::{Blackboard, Board};
use sentir_think::brain::{Brain, BrainScratch, BrainState};
use sentir_think::thought::{Sinks, Thinker, Thought};

use super::leaf::{Deed, Facts, Known, War, radius_at, reach_m};
use super::map::{Ground, WarMap};
use super::march::FormOrder;
use super::motor::Motor;
use super::rules::{Kind, Rules};
use super::side::Side;
use sentir_harness::edit::emit_breakpoint;

/// Things that eyes note: resources by their number, and from here on of which kind somebody is, by its slot.
pub(crate) const KIND_THING: u32 = 1000;
/// How far beyond its own reach somebody who works lets itself be disturbed, m.
const WORKER_ALARM_M: f32 = 9.0;
/// Who is no longer seen is gone after for so long, s.
const TRAIL_S: f32 = 3.0;
/// A structure counts as so much farther away than a unit, m: first who strikes back.
const STRUCTURE_M: f32 = 5.0;
/// Whom one is after already counts as nearer by this factor.
const LOYALTY: f32 = 0.75;

/// How much farther than its reach a blow goes, m.
pub(crate) const STRIKE_SLACK_M: f32 = 0.2;

/// How a side is led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    /// By one attitude for ever.
    Fixed(Attitude),
    /// By the strategy file.
    Strategy,
    /// By a person, who may change the attitude and command.
    Person,
}

/// Tables and tuning, shared by all.
pub(crate) struct WarMind {
    pub(crate) rules: Rules,
    pub(crate) map: WarMap,
    /// Of soldiers, spies and workers.
    pub(crate) brains: [Brain<War>; 3],
    pub(crate) facts: Facts,
    pub(crate) strategy: Strategy,
    pub(crate) leads: [Lead; 2],
    pub(crate) has_fog: bool,
    pub(crate) pull: Pull,
    pub(crate) layers: LayerUse,
    /// How many of each side's light units patrol.
    pub(crate) patrols: u16,
    /// By kind.
    pub(crate) senses: [SenseConfig; 8],
    /// How many of the others somebody has room for in its memory from the beginning.
    pub(crate) others: usize,
    pub(crate) nobody: Blackboard,
    /// Memory of searches; any state of it gives the same decisions.
    pub(crate) scratch: Mutex<BrainScratch>,
}

/// What a side gives somebody to do; none for who is to know for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Errand {
    /// The resource to fetch.
    pub(crate) resource: Option<u8>,
    /// The site to build at: turrets first, then the hospital.
    pub(crate) site: Option<u8>,
    /// Where somebody is on one's own ground whom one is to drive off.
    pub(crate) guard: Option<Vec2>,
}

/// What a person ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) enum Order {
    #[default]
    None,
    Go(Vec2),
    /// Leads a formation there, at a pace in m/s.
    Lead(Vec2, f32),
    /// Whom, and where that one was.
    Attack(AgentId, Vec2),
    Build(u8),
    /// A place in a formation.
    Slot {
        place: Vec2,
        yaw: f32,
    },
}

/// What somebody is told from outside of its senses: by its own body, its side, or a person.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) enum Notice {
    /// What its hands feel: whether they carry something, whether they build.
    Hands {
        carries: bool,
        builds: bool,
    },
    /// It has killed somebody of that influence.
    Killed(f32),
    /// How the other side's base is, as a share: public, and told to one's own base.
    Score(f32),
    /// It is born, or born again.
    Born,
    Errand(Errand),
    Order(Order),
    /// A person set the side's attitude; the number tells a later one from an earlier one.
    Attitude(u32, Attitude),
    /// A person wants a formation of those who are told: number, rank, what.
    Group(Group),
}

/// An order to several at once.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) struct Group {
    /// Counts up, for each order.
    pub(crate) number: u32,
    /// The place of who is told in the selection.
    pub(crate) rank: u16,
    pub(crate) what: GroupWhat,
}

/// What a group is to do.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) enum GroupWhat {
    /// Form up.
    Form(FormOrder),
    /// Go there: a formation by its leader, others each to a place near by.
    Go(Vec2),
    /// By itself again.
    Free,
    /// Out of the formation: it has orders of its own.
    Leave,
}

/// What one remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Head {
    pub(crate) kind: u16,
    /// Which of its side it is.
    pub(crate) rank: u16,
    /// Which of its kind on its side: of turrets, the site.
    pub(crate) number: u8,
    pub(crate) board: Blackboard,
    pub(crate) state: BrainState,
    pub(crate) deed: u16,
    pub(crate) target: Option<AgentId>,
    pub(crate) errand: Errand,
    pub(crate) order: Order,
    pub(crate) group: Option<Group>,
    pub(crate) command: Option<(u32, Attitude)>,
    pub(crate) carries: bool,
    pub(crate) builds: bool,
    pub(crate) patrols: bool,
    pub(crate) leg: u8,
    /// Influence of all it killed, and how often it was born.
    pub(crate) kills: f32,
    pub(crate) births: u16,
    /// Of a base: how the other one is.
    pub(crate) score: f32,
}

/// Which brain a kind thinks with; none for structures.
pub(crate) fn brain_of(kind: Kind) -> Option<usize> {
    match kind {
        Kind::Light | Kind::Heavy | Kind::Ranged => Some(0),
        Kind::Spy => Some(1),
        Kind::Worker => Some(2),
        Kind::Turret | Kind::Base | Kind::Hospital => None,
    }
}

/// The senses of a kind.
pub(crate) fn senses_of(rules: &Rules, kind: Kind, has_fog: bool) -> SenseConfig {
    let range_m = if has_fog { rules.kind(kind).sight } else { 300.0 };
    let sight = SightConfig {
        range_m,
        focus_half_rad: 1.1,
        half_rad: sentir::core::math::PI,
        periphery_share: if has_fog { 0.7 } else { 1.0 },
        touch_m: 0.5,
        near_s: if has_fog { 0.05 } else { 0.0 },
        far_s: if has_fog { 0.4 } else { 0.0 },
        periphery_factor: 1.5,
        dark: 0.05,
        ..SightConfig::default()
    };
    let memory = MemoryConfig::default();
    SenseConfig { sight, memory, talk: TalkConfig::default(), ..SenseConfig::default() }
}

/// What eyes find around them beside bodies: forests, and resources that lie there or not.
struct Around<'a> {
    mind: &'a WarMind,
    geometry: &'a dyn Geometry,
}

impl Surroundings for Around<'_> {
    fn light(&self, at: Vec3) -> f32 {
        let is_forest = self.mind.has_fog && self.mind.map.ground_at(plane::ground(at)) == Ground::Forest;
        if is_forest { self.mind.rules.spec.forest_light } else { 1.0 }
    }

    fn visit_things(&self, center: Vec3, radius_m: f32, visit: &mut dyn FnMut(&Visible)) {
        let mut id = 0;
        self.geometry.visit_props(&mut |prop| {
            if plane::ground(prop.position - center).length() <= radius_m {
                let value = u16::from(prop.class);
                visit(&Visible { id, value, position: prop.position, radius_m: 0.5, is_public: false });
            }
            id += 1;
        });
    }
}

impl WarMind {
    /// What one remembers at the beginning.
    pub(crate) fn fresh(&self, kind: Kind, rank: u16, number: u8) -> Head {
        let board = if kind.is_structure() { Blackboard::EMPTY } else { Blackboard::new(self.keys_of(kind)) };
        let state = brain_of(kind).map(|brain| self.brains[brain].start()).unwrap_or_default();
        let patrols = kind == Kind::Light && u16::from(number) < self.patrols;
        Head { kind: kind as u16, rank, number, board, state, patrols, score: 1.0, ..Head::default() }
    }

    fn keys_of(&self, kind: Kind) -> &sentir_think::key::Keys {
        brain_of(kind).map_or(&self.facts.keys, |brain| self.brains[brain].keys())
    }

    /// Whom to think of as the enemy to deal with: near ones first, and who strikes back before what does not.
    fn foe(&self, view: &ThinkView<'_>, kind: Kind, before: Option<AgentId>) -> Option<Other> {
        let (me, own) = (plane::ground(view.beliefs.me.pose.position), self.rules.kind(kind));
        let fresh = view.rate.ticks(TRAIL_S);
        let is_known =
            |it: &&Other| it.team != view.team && !it.is_vanished && (it.is_visible || view.tick.since(it.at) <= fresh);
        let mut best: Option<(f32, Other)> = None;
        for it in view.beliefs.others().iter().filter(is_known) {
            let place = plane::ground(it.position);
            let distance = place.distance(me);
            if kind == Kind::Worker && distance > WORKER_ALARM_M + own.range {
                continue;
            }
            if kind == Kind::Turret && (!it.is_visible || distance > reach_m(&self.rules, kind, 0.4)) {
                continue;
            }
            let mut score = distance + if radius_at(&self.map, &self.rules, place) > 0.8 { STRUCTURE_M } else { 0.0 };
            score *= if before == Some(it.who) { LOYALTY } else { 1.0 };
            if best.is_none_or(|(least, _)| score < least) {
                best = Some((score, *it));
            }
        }
        best.map(|(_, it)| it)
    }

    /// Writes what one knows of itself and of the enemy onto its board.
    fn write_facts(&self, view: &ThinkView<'_>, head: &mut Head, foe: Option<&Other>) {
        let (kind, side) = (Kind::of(view.kind), view.team.0 as usize);
        let me = plane::ground(view.beliefs.me.pose.position);
        let place = foe.map(|foe| plane::ground(foe.position));
        // Who strikes already goes on a little farther off than where it would begin: not back and forth at the limit.
        let slack_m = if head.deed == Deed::Attack as u16 { STRIKE_SLACK_M } else { -0.5 * STRIKE_SLACK_M };
        let reach_m = |at: Vec2| reach_m(&self.rules, kind, radius_at(&self.map, &self.rules, at)) + slack_m;
        let is_near = |at: Vec2| at.distance(me) <= reach_m(at);
        let is_home = |at: Vec2| {
            let [own, other] = [self.map.places.base[side & 1], self.map.places.base[1 - (side & 1)]];
            at.distance(own) < at.distance(other)
        };
        let (facts, board) = (&self.facts, &mut head.board);
        let others = || view.beliefs.others().iter().filter(|it| it.team != view.team && it.is_visible);
        board.set(facts.ordered, head.order != Order::None);
        board.set(facts.health, view.beliefs.me.health);
        board.set(facts.foe_seen, foe.is_some());
        board.set(facts.foe_in_range, foe.is_some_and(|foe| foe.is_visible) && place.is_some_and(is_near));
        board.set(facts.foe_on_own_ground, place.is_some_and(is_home));
        board.set(facts.foe_count, others().count() as i32);
        board.set(facts.carrying, head.carries);
        board.set(facts.building, head.builds);
        board.set(facts.has_resource, head.errand.resource.is_some());
        board.set(facts.has_site, head.errand.site.is_some());
        board.set(facts.alarm, head.errand.guard.is_some());
        board.set(facts.patrols, head.patrols);
    }

    /// Goes on to the next place of a patrol once one is there.
    fn walk_on(&self, view: &ThinkView<'_>, head: &mut Head) {
        let route = &self.map.places.patrol[view.team.0 as usize & 1];
        let goal = route[usize::from(head.leg) % route.len()];
        if plane::ground(view.beliefs.me.pose.position).distance(goal) < 2.0 {
            head.leg = (head.leg + 1) % route.len() as u8;
        }
    }

    /// What somebody sees of what kind, for its side.
    fn note_kinds(&self, view: &SenseView<'_>, beliefs: &mut Beliefs) {
        let mut news = [None; 8];
        let seen = beliefs.others().iter().filter(|it| it.team != view.me.team && it.is_visible && it.at == view.tick);
        let unknown = seen.filter(|it| beliefs.thing(KIND_THING + it.who.index() as u32).is_none());
        for (slot, it) in news.iter_mut().zip(unknown) {
            *slot = Some((it.who, it.position));
        }
        for (who, position) in news.into_iter().flatten() {
            if let Some(it) = view.world.presence(who) {
                let id = KIND_THING + who.index() as u32;
                beliefs.note(Thing { id, value: it.kind, position, at: view.tick, source: Sense::Sight });
            }
        }
    }

    fn think_by_file(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        let kind = Kind::of(view.kind);
        let Some(brain) = brain_of(kind).map(|brain| &self.brains[brain]) else { return };
        let foe = self.foe(view, kind, head.target);
        head.target = foe.map(|foe| foe.who);
        self.write_facts(view, head, foe.as_ref());
        self.walk_on(view, head);
        let known = Known {
            beliefs: view.beliefs,
            rules: &self.rules,
            map: &self.map,
            side: view.team.0 as usize & 1,
            kind,
            foe,
            errand: head.errand,
            order: head.order,
            leg: head.leg,
            rank: head.rank,
            march_m_per_s: view.board.get(self.facts.march_pace).unwrap_or(f32::INFINITY),
        };
        let Head { board, state, .. } = head;
        let thinker = Thinker { agent: view.agent, tick: view.tick, rate: view.rate, streams: view.streams() };
        let breakpoint = notes.think(|why| {
            let board = Board { own: board, team: view.board, world: &self.nobody };
            let mut thought = Thought::<War>::new(thinker, &known, board, Sinks { out: intents, why });
            // Somebody else may be searching: then with fresh memory.
            match self.scratch.try_lock() {
                Ok(mut scratch) => brain.tick(state, &mut scratch, &mut thought),
                Err(_) => brain.tick(state, &mut BrainScratch::default(), &mut thought),
            };
            thought.breakpoint
        });
        if let Some(node) = breakpoint {
            emit_breakpoint(&brain.outline(None), node, notes);
        }
    }
}

impl Mind for WarMind {
    type Senses = Senses;
    type Brain = Head;
    type Motor = Motor;
    type Squad = Side;
    type Notice = Notice;

    fn receive(&self, _view: &ThinkView<'_>, notice: Notice, head: &mut Head) {
        match notice {
            Notice::Hands { carries, builds } => (head.carries, head.builds) = (carries, builds),
            Notice::Killed(influence) => head.kills += influence,
            Notice::Score(share) => head.score = share,
            Notice::Born => {
                (head.target, head.order, head.group) = (None, Order::None, None);
                head.errand = Errand::default();
                (head.carries, head.builds, head.births) = (false, false, head.births.wrapping_add(1));
            }
            Notice::Errand(errand) => head.errand = errand,
            Notice::Order(order) => head.order = order,
            Notice::Attitude(number, attitude) => head.command = Some((number, attitude)),
            Notice::Group(group) => head.group = Some(group),
        }
    }

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        beliefs.reserve(self.others, self.others + self.map.places.resources.len());
        let around = Around { mind: self, geometry: view.world.geometry };
        let config = &self.senses[usize::from(view.me.kind).min(7)];
        view.perceive(config, &around, senses, beliefs, notes);
        self.note_kinds(view, beliefs);
    }

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        intents.actions = Actions::default();
        match Kind::of(view.kind) {
            Kind::Turret => {
                let foe = self.foe(view, Kind::Turret, head.target);
                head.target = foe.map(|foe| foe.who);
                intents.behavior = if foe.is_some() { Deed::Attack as u16 } else { Deed::Idle as u16 };
                if let Some(foe) = foe {
                    intents.gaze = Gaze::At(foe.position);
                    intents.actions = Actions::FIRE;
                }
                let (value, held) = (f32::from(u8::from(foe.is_some())), foe.is_some());
                notes.because(|| Reason { what: "somebody in range", held, value, limit: 1.0 });
            }
            Kind::Base | Kind::Hospital => {}
            _ => self.think_by_file(view, head, intents, notes),
        }
        if intents.behavior != head.deed {
            head.deed = intents.behavior;
            notes.event(EventKind::Decided { decision: head.deed });
        }
    }

    fn take_path(&self, path: &FoundPath<'_>, motor: &mut Motor) {
        motor.take(path);
    }

    fn coordinate(&self, view: &SquadView, side: &mut Side, roster: &mut Roster<'_, '_, Self>) {
        self.lead(view, side, roster);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        motor: &mut Motor,
        motion: &mut Motion,
        _out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
        self.walk(view, motor, motion);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        Deed::of(decision).name()
    }
}
