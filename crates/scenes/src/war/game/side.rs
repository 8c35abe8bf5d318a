//! A side: what its members see, put together; influence as it is believed; who works where; ways by ground and influence; and
//! what the side is at. All of it from what members believe and feel: a side has no eyes of its own.
//!
//! Contacts and ways are kept at 4 Hz, influence at 2 Hz, the attitude at 1 Hz; formations at every tick.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_nav::grid::{Cell, CostLayer, LayeredGrid, LayeredSearch, Pull, Query};
use sentir_squad::strategy::{Attitude, SideOrder, SideReport, StrategyMoment, StrategyState};
use sentir_think::board::Blackboard;

use super::leaf::{Standing, site_place};
use super::map::CELL_M;
use super::march::March;
use super::mind::{Errand, KIND_THING, Lead, Notice, WarMind};
use super::rules::Kind;

/// Ticks between looks at the members, at influence, and at the whole.
pub(crate) const GATHER_EVERY: u64 = 5;
const INFLUENCE_EVERY: u64 = 10;
const STRATEGY_EVERY: u64 = 20;
/// A path is found anew after so long, s.
const PATH_S: f32 = 4.0;
/// Paths found in one run at the most; who waits longest comes first.
const PATHS_MAX: usize = 64;
/// How long kills count as of late, s.
const LATE_S: f32 = 25.0;
/// Steps that costs of cells are told apart by.
const DETAIL: u8 = 5;

/// An enemy as a side knows it.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) struct Contact {
    pub(crate) who: AgentId,
    pub(crate) kind: u8,
    pub(crate) place: Vec2,
    /// When it was seen there.
    pub(crate) at: Tick,
    /// Whether anybody sees it now.
    pub(crate) is_visible: bool,
}

/// What a side believes of a resource.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) struct Stock {
    pub(crate) is_there: bool,
    pub(crate) at: Tick,
}

/// What a side remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Side {
    /// Ascending by who.
    pub(crate) contacts: Vec<Contact>,
    pub(crate) stock: Vec<Stock>,
    /// Influence of its own and of the enemies it knows of, by cell.
    pub(crate) own: Vec<f32>,
    pub(crate) enemy: Vec<f32>,
    /// Share of danger by known turrets, by cell.
    pub(crate) danger: Vec<f32>,
    pub(crate) attitude: Attitude,
    /// What its staff wants beside that.
    pub(crate) order: SideOrder,
    pub(crate) staff: StrategyState,
    pub(crate) report: SideReport,
    /// The last order about the attitude.
    command: u32,
    /// Influence of all whom its members killed, and of late.
    kills: f32,
    killed: f32,
    pub(crate) march: March,
    /// Paths found so far.
    pub(crate) paths: u32,
}

/// What a run needs and need not remember.
#[derive(Default)]
pub(crate) struct SideScratch {
    grids: Vec<LayeredGrid>,
    /// Which of them are laid in this run.
    laid: [bool; Kind::UNITS],
    search: LayeredSearch,
    shares: Vec<f32>,
    waiting: Vec<(u64, u32)>,
    path: Vec<Vec2>,
    claims: Vec<u8>,
    /// Intruders: how near to the base, who, where, of which kind; and where each member is sent after one.
    pub(crate) intruders: Vec<(u32, AgentId, Vec2, u8)>,
    pub(crate) guards: Vec<Option<Vec2>>,
}

pub(crate) type Squad<'a, 'b> = Roster<'a, 'b, WarMind>;

/// A member, as its side sees it.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) kind: Kind,
    pub(crate) place: Vec2,
    pub(crate) health: f32,
}

/// A member who is up and about.
pub(crate) fn seen(roster: &Squad<'_, '_>, place: usize) -> Option<Seen> {
    let member = roster.member(place).filter(|_| roster.is_active(place))?;
    let me = &member.beliefs.me;
    // Who has not felt its body yet is not there yet.
    let is_here = me.health > 0.0 && me.pose.position.y > -1.0;
    is_here.then(|| Seen {
        kind: Kind::of(member.brain.kind),
        place: plane::ground(me.pose.position),
        health: me.health,
    })
}

impl WarMind {
    /// Leads a side for a tick.
    pub(crate) fn lead(&self, view: &SquadView, side: &mut Side, roster: &mut Squad<'_, '_>) {
        let team = view.squad.team.0 as usize & 1;
        if side.own.is_empty() {
            self.begin(side, roster);
        }
        let tick = view.tick.0;
        self.march(view, side, roster);
        if !(tick + team as u64).is_multiple_of(GATHER_EVERY) {
            return;
        }
        self.gather(view, side, roster);
        if (tick + team as u64).is_multiple_of(INFLUENCE_EVERY) {
            self.influence(team, side, roster);
        }
        if tick < GATHER_EVERY || (tick + team as u64).is_multiple_of(STRATEGY_EVERY) {
            self.decide(view, side, roster);
        }
        let mut scratch = roster.take_scratch::<SideScratch>();
        self.employ(team, side, roster, &mut scratch);
        self.alert(team, side, roster, &mut scratch);
        self.find_paths(view, side, roster, &mut scratch);
        roster.put_scratch(scratch);
    }

    fn begin(&self, side: &mut Side, roster: &mut Squad<'_, '_>) {
        let count = self.map.ground.len();
        (side.own, side.enemy, side.danger) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
        // At the beginning there is one everywhere: that is public.
        side.stock = vec![Stock { is_there: true, at: Tick(0) }; self.map.places.resources.len()];
        side.staff = self.strategy.start();
        side.contacts.reserve(64);
        *roster.board_mut() = Blackboard::new(&self.facts.keys);
    }

    /// Puts together what the members see.
    fn gather(&self, view: &SquadView, side: &mut Side, roster: &Squad<'_, '_>) {
        let (team, old) = (view.squad.team, view.rate.ticks(self.rules.spec.contact_s));
        side.contacts.iter_mut().for_each(|contact| contact.is_visible = false);
        for place in 0..roster.members().len() {
            let Some(member) = roster.member(place).filter(|_| seen(roster, place).is_some()) else { continue };
            for it in member.beliefs.others().iter().filter(|it| it.team != team) {
                let kind = member.beliefs.thing(KIND_THING + it.who.index() as u32).map(|thing| thing.value as u8);
                side.learn(it, kind);
            }
            for thing in member.beliefs.things().iter().take_while(|thing| thing.id < KIND_THING) {
                if let Some(stock) = side.stock.get_mut(thing.id as usize).filter(|stock| stock.at < thing.at) {
                    *stock = Stock { is_there: thing.value > 0, at: thing.at };
                }
            }
        }
        side.contacts.retain(|contact| {
            let is_structure = Kind::of(contact.kind.into()).is_structure();
            contact.kind != GONE && (is_structure || view.tick.since(contact.at) <= old)
        });
        let back = view.rate.ticks(self.rules.spec.resource_back_s);
        for stock in &mut side.stock {
            // Not seen since it must be back: it is taken to be there.
            stock.is_there |= view.tick.since(stock.at) > back;
        }
    }

    /// Influence of both sides: each adds its strength, less by one for each cell of distance.
    fn influence(&self, team: usize, side: &mut Side, roster: &Squad<'_, '_>) {
        let Side { own, enemy, danger, contacts, .. } = side;
        for map in [&mut *own, &mut *enemy, &mut *danger] {
            map.fill(0.0);
        }
        for it in (0..roster.members().len()).filter_map(|place| seen(roster, place)) {
            self.stamp(own, it.place, self.rules.kind(it.kind).influence);
        }
        let base = self.map.places.base[1 - team];
        self.stamp(enemy, base, self.rules.kind(Kind::Base).influence);
        for contact in contacts.iter().filter(|contact| contact.kind != Kind::Base as u8) {
            let kind = self.rules.kind(Kind::of(contact.kind.into()));
            self.stamp(enemy, contact.place, kind.influence);
            if contact.kind == Kind::Turret as u8 {
                let reach_m = kind.range + 1.0;
                self.each_cell_near(contact.place, reach_m, |index, _| danger[index] = 1.0);
            }
        }
    }

    fn stamp(&self, map: &mut [f32], place: Vec2, strength: f32) {
        self.each_cell_near(place, strength * CELL_M, |index, distance_m| {
            let value = strength - distance_m / CELL_M;
            if value > 0.0 {
                map[index] += value;
            }
        });
    }

    /// Calls `visit` with every cell whose middle is within a range of a place, and how far it is.
    fn each_cell_near(&self, place: Vec2, range_m: f32, mut visit: impl FnMut(usize, f32)) {
        let (low, high) = (self.map.cell(place - Vec2::splat(range_m)), self.map.cell(place + Vec2::splat(range_m)));
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let cell = Cell::new(x, y);
                let distance_m = self.map.center(cell).distance(place);
                if distance_m <= range_m {
                    visit(self.map.index(cell), distance_m);
                }
            }
        }
    }

    /// What the side is at, and what all of its own are told.
    fn decide(&self, view: &SquadView, side: &mut Side, roster: &mut Squad<'_, '_>) {
        let team = view.squad.team.0 as usize & 1;
        side.report = self.report(view, side, roster);
        let members = 0..roster.members().len();
        let command = members.clone().filter_map(|place| roster.member(place)?.brain.command).max_by_key(|it| it.0);
        if let Some((number, attitude)) = command.filter(|(number, _)| *number > side.command) {
            (side.command, side.attitude) = (number, attitude);
        }
        match self.leads[team] {
            Lead::Fixed(attitude) if side.command == 0 => side.attitude = attitude,
            Lead::Strategy if side.command == 0 => {
                let moment =
                    StrategyMoment { side: view.squad.team, tick: view.tick, rate: view.rate, streams: view.streams() };
                side.order = self.strategy.think(&mut side.staff, &side.report, &moment);
                side.attitude = side.order.attitude;
            }
            // Before anybody commands, who is led by a person holds what it has.
            Lead::Person if side.command == 0 => side.attitude = Attitude::Defend,
            _ => {}
        }
        let units = members.clone().filter_map(|place| seen(roster, place)).filter(|it| it.kind.is_soldier());
        let slowest = units.map(|it| self.rules.kind(it.kind).speed).fold(f32::INFINITY, math::min);
        let is_hospital = |place: usize| seen(roster, place).is_some_and(|it| it.kind == Kind::Hospital);
        let can_heal =
            members.into_iter().any(is_hospital) && view.rate.seconds(view.tick.0) < self.rules.spec.reserves_s;
        let standing = Standing {
            attitude: side.attitude,
            can_heal,
            heal_below: self.rules.heal_below(side.attitude),
            heal_until: self.rules.spec.heal_until,
            raid: side.order.raid,
            pace: if side.order.together { slowest } else { f32::INFINITY },
        };
        self.facts.tell(roster.board_mut(), &standing);
    }

    fn report(&self, view: &SquadView, side: &mut Side, roster: &Squad<'_, '_>) -> SideReport {
        let team = view.squad.team.0 as usize & 1;
        let [home, away] = [self.map.places.base[team], self.map.places.base[1 - team]];
        let mut report =
            SideReport { time_s: view.rate.seconds(view.tick.0), enemy_base: 1.0, ..SideReport::default() };
        let (mut kills, mut units, mut turrets) = (0.0, 0.0, 0.0);
        for place in 0..roster.members().len() {
            let Some(member) = roster.member(place) else { continue };
            let kind = Kind::of(member.brain.kind);
            let influence = self.rules.kind(kind).influence;
            kills += member.brain.kills;
            match (seen(roster, place), kind) {
                (Some(it), Kind::Base) => (report.own_base, report.enemy_base) = (it.health, member.brain.score),
                (Some(_), Kind::Turret) => turrets += 1.0,
                (Some(_), Kind::Hospital) | (None, Kind::Turret | Kind::Base | Kind::Hospital) => {}
                (None, _) => report.own_losses += influence,
                (Some(it), kind) => {
                    units += 1.0;
                    report.health += it.health;
                    report.resources += f32::from(u8::from(member.brain.carries));
                    report.own_strength += if kind == Kind::Worker { 0.0 } else { influence * it.health };
                }
            }
        }
        report.health = if units > 0.0 { report.health / units } else { 0.0 };
        report.defenses = turrets / self.map.places.sites[team].len() as f32;
        for contact in &side.contacts {
            let kind = Kind::of(contact.kind.into());
            if kind.is_structure() || kind == Kind::Worker {
                continue;
            }
            let influence = self.rules.kind(kind).influence;
            report.enemy_strength += influence;
            report.threat += if contact.place.distance(home) < contact.place.distance(away) { influence } else { 0.0 };
        }
        // Of late: what is older counts less and less.
        let fade = math::exp(-view.rate.seconds(STRATEGY_EVERY) / LATE_S);
        side.killed = side.killed * fade + (kills - side.kills);
        side.kills = kills;
        report.enemy_losses = side.killed;
        let both = side.own.iter().zip(&side.enemy);
        let (met, all) = both.fold((0.0, 0.0), |(met, all), (a, b)| (met + 2.0 * math::min(*a, *b), all + a + b));
        let (uneven, stake) = side
            .own
            .iter()
            .zip(&side.enemy)
            .filter(|(a, b)| **a > 0.0 && **b > 0.0)
            .fold((0.0, 0.0), |(uneven, stake), (a, b)| (uneven + (a - b).abs(), stake + a + b));
        report.tension = if all > 0.0 { met / all } else { 0.0 };
        report.vulnerability = if stake > 0.0 { uneven / stake } else { 0.0 };
        report
    }

    /// Gives workers resources to fetch and sites to build at, each to the nearest who has none.
    fn employ(&self, team: usize, side: &Side, roster: &mut Squad<'_, '_>, scratch: &mut SideScratch) {
        let members = 0..roster.members().len();
        let is_up = |site: u8, roster: &Squad<'_, '_>| {
            members.clone().any(|place| {
                let number = roster.member(place).map_or(0, |member| member.brain.number);
                seen(roster, place).is_some_and(|it| match it.kind {
                    Kind::Turret => number == site,
                    Kind::Hospital => usize::from(site) == self.map.places.sites[team].len(),
                    _ => false,
                })
            })
        };
        let sites = self.map.places.sites[team].len() as u8 + 1;
        let open = (0..sites).filter(|&site| !is_up(site, roster)).fold(0u8, |bits, site| bits | 1 << site);
        let claims = &mut scratch.claims;
        claims.clear();
        let mut taken = 0u8;
        for place in members.clone() {
            let (Some(member), Some(it)) = (roster.member(place), seen(roster, place)) else { continue };
            if it.kind != Kind::Worker {
                continue;
            }
            let (before, carries) = (member.brain.errand, member.brain.carries);
            let near = |at: Vec2| (at.distance(it.place) * 64.0) as u32;
            let is_free = |site: &u8| open >> site & 1 == 1 && taken >> site & 1 == 0;
            let site = before.site.filter(is_free).filter(|_| carries).or_else(|| {
                (0..sites)
                    .filter(is_free)
                    .filter(|_| carries)
                    .min_by_key(|&site| (near(site_place(&self.map, team, site)), site))
            });
            taken |= site.map_or(0, |site| 1 << site);
            let resources = &self.map.places.resources;
            let is_left = |number: &u8| side.stock[usize::from(*number)].is_there && !claims.contains(number);
            let fear = |number: u8| {
                let share = side.enemy[self.map.index(self.map.cell(resources[usize::from(number)]))];
                (share * 128.0) as u32
            };
            let pick = || {
                let all = (0..resources.len() as u8).filter(is_left);
                all.min_by_key(|&number| (near(resources[usize::from(number)]) + fear(number), number))
            };
            let resource = if carries { None } else { before.resource.filter(is_left).or_else(pick) };
            claims.extend(resource);
            let errand = Errand { resource, site, guard: None };
            if errand != before {
                roster.notify(place, Notice::Errand(errand));
            }
        }
    }

    /// The ground of a kind with the side's beliefs on it.
    fn lay<'s>(&self, kind: Kind, side: &Side, scratch: &'s mut SideScratch) -> &'s LayeredGrid {
        if scratch.grids.len() != self.map.grids.len() {
            scratch.grids.clear();
            scratch.grids.extend(self.map.grids.iter().map(|grid| LayeredGrid::new(grid.clone(), DETAIL)));
        }
        let number = kind as usize;
        if !std::mem::replace(&mut scratch.laid[number], true) {
            let (spec, full) = (&self.rules.spec, 1.0 / self.rules.spec.influence_full);
            scratch.shares.clear();
            scratch.shares.extend(side.enemy.iter().map(|value| value * full));
            let minds = matches!(kind, Kind::Worker | Kind::Spy);
            let danger = CostLayer {
                name: "danger",
                pull: if minds { Pull::Shun } else { Pull::Off },
                weight: spec.danger_weight,
                shares: &side.danger,
            };
            let influence = CostLayer {
                name: "influence",
                pull: self.pull,
                weight: spec.influence_weight,
                shares: &scratch.shares,
            };
            scratch.grids[number].lay(&[influence, danger]);
        }
        &scratch.grids[number]
    }

    /// Finds paths for those who need one, who waits longest first.
    fn find_paths(&self, view: &SquadView, side: &mut Side, roster: &mut Squad<'_, '_>, scratch: &mut SideScratch) {
        let every = view.rate.ticks(PATH_S);
        scratch.laid = [false; Kind::UNITS];
        let mut waiting = std::mem::take(&mut scratch.waiting);
        waiting.clear();
        for place in 0..roster.members().len() {
            let (Some(member), Some(it)) = (roster.member(place), seen(roster, place)) else { continue };
            let Some((_, travel)) = member.intents.travel().filter(|(_, travel)| travel.manner != Manner::Straight)
            else {
                continue;
            };
            if member.motor.needs_path(it.place, plane::ground(travel.goal), view.tick, every) {
                waiting.push((member.motor.at.0, place as u32));
            }
        }
        waiting.sort_unstable();
        let mut path = std::mem::take(&mut scratch.path);
        for &(_, place) in waiting.iter().take(PATHS_MAX) {
            let place = place as usize;
            let (Some(member), Some(it)) = (roster.member(place), seen(roster, place)) else { continue };
            let Some((_, travel)) = member.intents.travel() else { continue };
            let goal = plane::ground(travel.goal);
            let query = Query::new(self.map.footing(it.place), self.map.footing(goal));
            self.lay(it.kind, side, scratch);
            let SideScratch { grids, search, .. } = &mut *scratch;
            let answer = search.query(&grids[it.kind as usize], &query, self.layers);
            let is_hopeless = !answer.is_found();
            path.clear();
            path.push(if is_hopeless { it.place } else { goal });
            path.extend(answer.path.iter().skip(1).rev().map(|&cell| self.map.center(cell)));
            side.paths += 1;
            roster.bring_path(self, place, &FoundPath { goal, stops: &path, is_hopeless, tick: view.tick });
        }
        (scratch.waiting, scratch.path) = (waiting, path);
    }
}

/// Kind of a contact that is known to be gone.
const GONE: u8 = u8::MAX;

impl Side {
    /// Takes in what a member believes of somebody.
    fn learn(&mut self, it: &Other, kind: Option<u8>) {
        let place = match self.contacts.binary_search_by_key(&it.who, |contact| contact.who) {
            Ok(place) => place,
            // Of whom nobody knows what it is, nothing more is known.
            Err(place) => {
                let Some(kind) = kind.filter(|_| !it.is_vanished) else { return };
                let contact =
                    Contact { who: it.who, kind, place: plane::ground(it.position), at: it.at, is_visible: false };
                self.contacts.insert(place, contact);
                place
            }
        };
        let contact = &mut self.contacts[place];
        if it.is_visible {
            contact.is_visible = true;
        }
        if it.at >= contact.at && !it.is_vanished {
            (contact.place, contact.at) = (plane::ground(it.position), it.at);
        }
        if let Some(kind) = kind.filter(|_| contact.kind == GONE || it.is_visible) {
            contact.kind = kind;
        }
        if it.is_vanished && !contact.is_visible && it.at >= contact.at {
            contact.kind = GONE;
        }
    }
}
