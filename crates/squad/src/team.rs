//! What a squad knows, through its members and nobody else: how alert it is, where the target is or was, where it may be.
//!
//! **Alert.** Patrol at first. A noise makes it a search; the sight of the target, or a hurt, a fight. In a fight, when nobody
//! sees the target and somebody sees that it is not where it was thought to be (or nobody has seen it for long), it is a search
//! again. When the target is dead it is over, for good. It never goes back to patrol.
//!
//! **The lead** is the last known place: seen, else heard, else guessed along the direction of a hurt. When the target goes out of
//! sight it is moved ahead by the target's velocity, over walkable ground, so that round a corner one looks behind the corner.
//!
//! **The prediction** starts where the target went out of sight or was heard, and spreads over the ground by its speed; what members
//! see is emptied (see [`sentir_space::influence`]). It lies in a window of [`WINDOW_CELLS`] a side round that place, so a
//! squad's memory is bounded by its ground in play, whatever the level. One update in [`PERIOD_S`]; squads take turns.
//!
//! Cost of a run: O(members), and once in a period a sweep a member and two passes over the cells of the window.

use sentir_core::State;
use sentir_core::belief::Other;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::id::AgentId;
use sentir_core::index::PointIndex;
use sentir_core::order::Ranked;
use sentir_core::pool::Serial;
use sentir_core::tick::Tick;
use sentir_core::{math, plane};
use sentir_nav::grid::Cell;
use sentir_nav::mesh::AreaCosts;
use sentir_space::influence::{Grid, Prediction, PredictionConfig, Scratch as InfluenceScratch, Watch};
use sentir_space::visibility::{Region, Sweep, Watcher};

use crate::claim::Claims;
use crate::coordinator::{SquadContext, Tables};
use crate::tactical_map::TacticalMap;
use crate::tuning::Tuning;

/// Time from one update of the prediction to the next, s.
pub const PERIOD_S: f32 = 0.25;
/// Cells of influence on either side of the window in which a target is looked for. Limit: as much memory as this squared
/// times 12 bytes.
pub const WINDOW_CELLS: u32 = 64;
/// Friends that one is told of at most: the nearest.
pub const FRIENDS_MAX: usize = 8;
/// How far away who hurt one is thought to be, if nothing stands between, m.
const HURT_M: f32 = 14.0;
/// How far away friends are told of at most, m, and the cells in which they are found.
pub const FRIENDS_M: f32 = 60.0;
const FRIENDS_CELL_M: f32 = 8.0;
/// Height at which one looks whether somebody is there, m.
const CHEST_M: f32 = 1.1;
/// Nearer than this a place is seen whatever one looks at, m.
const AT_HAND_M: f32 = 1.5;

/// How a team is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Alert {
    /// Nothing is known.
    #[default]
    Patrol,
    /// Somebody is about.
    Search,
    /// The target is known.
    Fight,
    /// It is over.
    Idle,
}

impl Alert {
    /// In a word, as the soldier's files have it.
    pub fn name(self) -> &'static str {
        ["patrol", "search", "fight", "idle"][self as usize]
    }
}

/// Where the target is, or was.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Lead {
    /// Who it is; none of a noise or a hurt.
    pub who: Option<AgentId>,
    /// Where, on the ground, m.
    pub place: Vec3,
    /// How the target moved, m/s.
    pub velocity: Vec3,
    /// When the target was last seen or heard.
    pub at: Tick,
    /// Whether the place is well known: by sight or by a near noise.
    pub is_precise: bool,
    /// Whether a member has looked there since, and the target was not there.
    pub is_checked: bool,
}

/// What a squad tells each member by a notice: what leaves reckon with. What conditions compare is on the squad's board
/// ([`Soldier::brief`](crate::soldier::Soldier::brief)).
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Briefing {
    /// How alert the team is.
    pub alert: Alert,
    /// The lead.
    pub lead: Option<Lead>,
    /// The nearest friends, the nearest first; none from the end on.
    nearest: [Option<Friend>; FRIENDS_MAX],
}

impl Briefing {
    /// The nearest friends, the nearest first.
    pub fn friends(&self) -> impl Iterator<Item = &Friend> {
        self.nearest.iter().map_while(Option::as_ref)
    }
}

/// A friend, as one is told of it.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Friend {
    /// Who.
    pub agent: AgentId,
    /// Where it is, m.
    pub place: Vec3,
    /// Where it goes, m/s.
    pub velocity: Vec3,
}

/// What a soldier reports to its team: what its ears and its skin told it last.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct MemberReport {
    /// A noise that no friend made: where, when, and whether it was loud enough to tell the place well.
    pub heard: Option<(Vec3, Tick, bool)>,
    /// A hurt: the unit direction it came from, and when.
    pub hurt: Option<(Vec3, Tick)>,
    /// Whether it was told that the target is dead.
    pub is_target_dead: bool,
}

/// A member as it reports: copies of what it knows and wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Who.
    pub agent: AgentId,
    /// Where it stands, m.
    pub position: Vec3,
    /// Where it goes, m/s.
    pub velocity: Vec3,
    /// Where it looks, rad.
    pub yaw: f32,
    /// Height of its eyes over its feet, m.
    pub eye_m: f32,
    /// The enemy it believes in most: one it sees, else the one it saw last.
    pub enemy: Option<Other>,
    /// What it heard and felt.
    pub report: MemberReport,
    /// What it has claimed.
    pub claims: Claims,
    /// What it shoots at now, m.
    pub fires_at: Option<Vec3>,
    /// Whether it reloads.
    pub is_reloading: bool,
    /// Whether it could shoot at once: there are rounds in the gun, and it neither reloads nor hides nor fetches more.
    pub is_ready: bool,
}

impl Member {
    fn eye(&self) -> Vec3 {
        self.position + Vec3::Y * self.eye_m
    }

    /// Whether it sees a place on the ground, by its cone and the fixed level.
    fn sees(&self, tactical_map: &TacticalMap, tuning: &Tuning, place: Vec3) -> bool {
        let way = plane::ground(place - self.position);
        let distance_m = way.length();
        let is_before = plane::heading(self.yaw).dot(way) >= distance_m * math::cos(tuning.half_rad);
        let is_near = distance_m <= tuning.sight_m && (is_before || distance_m < AT_HAND_M);
        is_near && tactical_map.view().sees(self.eye(), place + Vec3::Y * CHEST_M)
    }
}

/// What a squad remembers of the target.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Team {
    alert: Alert,
    lead: Option<Lead>,
    is_seen: bool,
    prediction: Prediction,
    /// The cell of the ground's grid that the prediction's window begins at.
    window: [u16; 2],
    updated: Tick,
    /// Since when a member has had the target's place in view without seeing it there.
    empty_since: Option<Tick>,
}

/// Memory of sweeps and maps; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub struct TeamScratch {
    sweep: Sweep,
    region: Region,
    watch: Watch,
    window: Grid,
    influence: InfluenceScratch,
    points: Vec<Vec2>,
    index: PointIndex,
    near: Vec<Ranked>,
}

impl Team {
    /// How alert it is.
    pub fn alert(&self) -> Alert {
        self.alert
    }

    /// The lead.
    pub fn lead(&self) -> Option<&Lead> {
        self.lead.as_ref()
    }

    /// Whether anybody sees the target.
    pub fn is_seen(&self) -> bool {
        self.is_seen
    }

    /// Where the target may be.
    pub fn prediction(&self) -> &Prediction {
        &self.prediction
    }

    /// The cells that the prediction lies on: a window of the ground's.
    pub fn crop(&self, tactical_map: &TacticalMap, into: &mut Grid) {
        let [x, y] = self.window;
        tactical_map.grid().crop(Cell::new(x, y), window_size(tactical_map), into);
    }

    /// Begins to look for the target from a place on, in a window round it.
    fn track(&mut self, tables: &Tables<'_>, at: Vec3, velocity: Vec3, window: &mut Grid) {
        let grid = tables.tactical_map.grid();
        let middle = (plane::ground(at) - grid.origin()) / grid.cell_m();
        let first = |middle: f32, size: u32, all: u32| {
            // A cast keeps within its range; NaN is 0.
            ((middle - size as f32 * 0.5).round() as i64).clamp(0, i64::from(all - size)) as u16
        };
        let ([width, height], [columns, rows]) = (grid.size(), window_size(tables.tactical_map));
        self.window = [first(middle.x, columns, width), first(middle.y, rows, height)];
        self.crop(tables.tactical_map, window);
        self.prediction.lost(window, &predicts(tables.tuning), plane::ground(at), plane::ground(velocity));
    }

    /// Begins in another way than by knowing nothing: for hosts that tell a squad where to look.
    pub fn brief(&mut self, tables: &Tables<'_>, alert: Alert, lead: Option<Lead>) {
        (self.alert, self.lead) = (alert, lead);
        if let Some(lead) = lead {
            self.track(tables, lead.place, lead.velocity, &mut Grid::default());
        }
    }

    /// Takes in what the members report now.
    pub fn update(
        &mut self,
        tables: &Tables<'_>,
        members: &[Member],
        moment: &SquadContext,
        scratch: &mut TeamScratch,
    ) {
        if members.iter().any(|it| it.report.is_target_dead) {
            (self.alert, self.is_seen) = (Alert::Idle, false);
            self.prediction.found();
        }
        if self.alert == Alert::Idle {
            return;
        }
        let SquadContext { now, rate, place, .. } = *moment;
        let tuning = tables.tuning;
        let was_seen = self.is_seen;
        let before = self.lead.map_or(Tick(0), |lead| lead.at);
        self.see(members);
        if was_seen && !self.is_seen {
            self.lose(tables, scratch);
        }
        let is_news = !self.is_seen && self.hear(tables, members, scratch);
        let is_hurt = members.iter().filter_map(|it| it.report.hurt).any(|(_, at)| at > before);
        let turn = |at: Tick| at.0.saturating_add(place.into()) / rate.ticks(PERIOD_S).max(1);
        if turn(now) != turn(self.updated) {
            self.updated = now;
            self.look(tables, members, moment, scratch);
        }
        let age_s = self.lead.map_or(f32::INFINITY, |lead| rate.seconds(now.since(lead.at)));
        let is_gone = self.lead.is_none_or(|lead| lead.is_checked) && age_s > tuning.lost_s;
        let is_lost = !self.is_seen && (age_s > tuning.give_up_s || is_gone);
        self.alert = match self.alert {
            _ if self.is_seen || is_hurt && self.lead.is_some() => Alert::Fight,
            Alert::Patrol if is_news => Alert::Search,
            Alert::Fight if is_lost => Alert::Search,
            other => other,
        };
    }

    /// The enemy that is seen, by whoever saw it last; of several the one seen before, else the nearest to who sees it.
    fn see(&mut self, members: &[Member]) {
        let known = self.lead.and_then(|lead| lead.who);
        let seen = members.iter().filter_map(|it| it.enemy.filter(|enemy| enemy.is_visible).map(|enemy| (it, enemy)));
        let rank =
            |(it, enemy): &(&Member, Other)| (Some(enemy.who) != known, enemy.position.distance_squared(it.position));
        let best = seen.min_by(|a, b| {
            let (a, b) = (rank(a), rank(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        self.is_seen = best.is_some();
        if let Some((_, enemy)) = best {
            self.lead = Some(Lead {
                who: Some(enemy.who),
                place: enemy.position,
                velocity: enemy.velocity,
                at: enemy.at,
                is_precise: true,
                is_checked: false,
            });
            self.prediction.found();
        }
    }

    /// The target is out of everybody's sight: from now on it is looked for.
    fn lose(&mut self, tables: &Tables<'_>, scratch: &mut TeamScratch) {
        let &Tables { tactical_map, tuning, .. } = tables;
        let Some(Lead { place, velocity, .. }) = self.lead else { return };
        self.track(tables, place, velocity, &mut scratch.window);
        let Some(lead) = &mut self.lead else { return };
        if let Some(from) = tactical_map.ground(lead.place) {
            let to = lead.place + lead.velocity * tuning.ahead_s;
            let ahead = tactical_map.mesh().ray(from, to, &AreaCosts::PLAIN);
            lead.place = ahead.map_or(lead.place, |ray| ray.place.point);
        }
    }

    /// The newest noise or hurt that is newer than the lead. Whether there is one.
    fn hear(&mut self, tables: &Tables<'_>, members: &[Member], scratch: &mut TeamScratch) -> bool {
        let tactical_map = tables.tactical_map;
        let before = self.lead.map(|lead| lead.at);
        let heard = members.iter().filter_map(|it| it.report.heard);
        let heard = heard.max_by_key(|&(_, at, is_precise)| (at, is_precise)).filter(|it| Some(it.1) > before);
        let hurt = members.iter().filter_map(|it| it.report.hurt.map(|hurt| (it, hurt)));
        let hurt = hurt.max_by_key(|(_, (_, at))| *at).filter(|(_, (_, at))| Some(*at) > before);
        let (place, at, is_precise) = match (heard, hurt) {
            (Some(heard), _) => heard,
            (None, Some((it, (from, at)))) => (guess(tactical_map, it, from), at, false),
            (None, None) => return false,
        };
        let ground = tactical_map.ground(place).map_or(place, |it| it.point);
        let who = self.lead.and_then(|lead| lead.who);
        self.lead = Some(Lead { who, place: ground, velocity: Vec3::ZERO, at, is_precise, is_checked: false });
        self.track(tables, ground, Vec3::ZERO, &mut scratch.window);
        true
    }

    /// What members see is empty, if it is; and whether one of them sees that the target is not where it was thought to be.
    fn look(&mut self, tables: &Tables<'_>, members: &[Member], moment: &SquadContext, scratch: &mut TeamScratch) {
        let (&Tables { tactical_map, tuning, .. }, &SquadContext { now, rate, .. }) = (tables, moment);
        if self.is_seen || !self.prediction.is_active() {
            self.empty_since = None;
            return;
        }
        if let Some(lead) = &mut self.lead {
            let is_in_view = members.iter().any(|it| it.sees(tactical_map, tuning, lead.place));
            self.empty_since = is_in_view.then(|| self.empty_since.unwrap_or(now));
            // Whom one looks at is not noticed at once.
            let looked = self.empty_since.map_or(0, |at| now.since(at));
            lead.is_checked |= is_in_view && looked >= rate.ticks(tuning.notice_far_s + PERIOD_S);
        }
        let TeamScratch { sweep, region, watch, window, influence, .. } = scratch;
        self.crop(tactical_map, window);
        watch.clear();
        for it in members {
            let origin = plane::ground(it.position);
            let (half_angle_rad, range_m) = (tuning.half_rad, tuning.sight_m);
            let watcher = Watcher { origin, facing: it.yaw, half_angle_rad, range_m };
            tactical_map.look_cone(it.position.y, &watcher, sweep, region);
            tactical_map.watch(it.position, region, window, watch);
        }
        self.prediction.update(window, &predicts(tuning), Some(watch), influence);
    }

    /// What every member is told, without friends.
    pub fn news(&self) -> Briefing {
        Briefing { alert: self.alert, lead: self.lead, ..Briefing::default() }
    }
}

impl TeamScratch {
    /// Notes where the members are, for [`TeamScratch::tell_friends`]. O(members).
    pub fn note_places(&mut self, members: &[Member]) {
        self.points.clear();
        self.points.extend(members.iter().map(|it| plane::ground(it.position)));
        self.index.build(&self.points, FRIENDS_CELL_M, &Serial);
    }

    /// Tells a member of its nearest friends within [`FRIENDS_M`] on the ground, as they were noted. O(those near by).
    pub fn tell_friends(&mut self, members: &[Member], me: usize, briefing: &mut Briefing) {
        self.near.clear();
        self.index.nearest(self.points[me], FRIENDS_MAX + 1, FRIENDS_M, &mut self.near);
        let others = self.near.iter().map(|it| it.index as usize).filter(|&place| place != me);
        briefing.nearest = [None; FRIENDS_MAX];
        for (friend, it) in briefing.nearest.iter_mut().zip(others.map(|place| &members[place])) {
            *friend = Some(Friend { agent: it.agent, place: it.position, velocity: it.velocity });
        }
    }
}

/// Columns and rows of the window on a ground.
fn window_size(tactical_map: &TacticalMap) -> [u32; 2] {
    tactical_map.grid().size().map(|side| side.min(WINDOW_CELLS))
}

/// How the target is looked for.
pub(crate) fn predicts(tuning: &Tuning) -> PredictionConfig {
    PredictionConfig {
        period_s: PERIOD_S,
        speed_m_per_s: tuning.target_m_per_s,
        lead_s: tuning.ahead_s,
        ..PredictionConfig::default()
    }
}

/// Where somebody is who hurt a member from a direction: as far as it can see that way.
fn guess(tactical_map: &TacticalMap, it: &Member, from: Vec3) -> Vec3 {
    let way = from * HURT_M;
    let ray = sentir_core::geometry::Ray::between(it.eye(), it.eye() + way);
    let reach_m = ray.and_then(|ray| tactical_map.view().sight_ray(&ray)).map_or(HURT_M, |hit| hit.distance_m - 0.5);
    it.position + from * math::max(reach_m, 0.0)
}
