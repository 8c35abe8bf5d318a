//! What a team knows, through its members and nobody else: how alert it is, where the target is or was, where he may be.
//!
//! **Alert.** Patrol at first. A noise makes it a search; the sight of him, or a hurt, a fight. In a fight, when nobody
//! sees him and somebody sees that he is not where he was thought to be (or nobody has seen him for long), it is a search
//! again. When he is dead it is over, for good. It never goes back to patrol.
//!
//! **The lead** is the last known place: seen, else heard, else guessed along the direction of a hurt. When he goes out of
//! sight it is moved ahead by his velocity, over walkable ground, so that round a corner one looks behind the corner.
//!
//! **The prediction** starts where he went out of sight or was heard, and spreads over the ground by his speed; what members
//! see is emptied (see [`sentir_space::influence`]). One update in [`PERIOD_S`].
//!
//! Cost of a tick: O(members), and once in a period a sweep a member and two passes over the cells.

use sentir_core::State;
use sentir_core::belief::Other;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::{math, plane};
use sentir_nav::mesh::AreaCosts;
use sentir_space::influence::{Prediction, PredictionConfig, Scratch as InfluenceScratch, Watch};
use sentir_space::visibility::{Region, Sweep};

use crate::claim::Claims;
use crate::theater::Theater;
use crate::tuning::Tuning;

/// Time from one update of the prediction to the next, s.
pub const PERIOD_S: f32 = 0.25;
/// Friends that one is told of at most: the nearest.
pub const FRIENDS_MAX: usize = 8;
/// How far away who hurt one is thought to be, if nothing stands between, m.
const HURT_M: f32 = 14.0;
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
    /// He is known.
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
    /// How he moved, m/s.
    pub velocity: Vec3,
    /// When he was last seen or heard.
    pub at: Tick,
    /// Whether the place is well known: by sight or by a near noise.
    pub is_precise: bool,
    /// Whether somebody has looked there since, and he was not there.
    pub is_checked: bool,
}

/// What a team tells each member.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Told {
    /// How alert the team is.
    pub alert: Alert,
    /// The lead.
    pub lead: Option<Lead>,
    /// Whether anybody sees the target.
    pub is_seen: bool,
    /// The nearest friends, the nearest first.
    pub friends: Vec<Friend>,
}

/// A friend, as one is told of him.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Friend {
    /// Who.
    pub agent: AgentId,
    /// Where he is, m.
    pub place: Vec3,
    /// Where he goes, m/s.
    pub velocity: Vec3,
}

/// What a soldier reports to its team: what its ears and its skin told it last.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Report {
    /// A noise that no friend made: where, when, and whether it was loud enough to tell the place well.
    pub heard: Option<(Vec3, Tick, bool)>,
    /// A hurt: the unit direction it came from, and when.
    pub hurt: Option<(Vec3, Tick)>,
}

/// A member as its team sees it between two ticks: copies of what it knows and wants.
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
    pub report: Report,
    /// What it has claimed.
    pub claims: Claims,
    /// What it shoots at now, m.
    pub fires_at: Option<Vec3>,
}

impl Member {
    fn eye(&self) -> Vec3 {
        self.position + Vec3::Y * self.eye_m
    }

    /// Whether it sees a place on the ground, by its cone and the fixed level.
    fn sees(&self, theater: &Theater, tuning: &Tuning, place: Vec3) -> bool {
        let way = plane::ground(place - self.position);
        let distance_m = way.length();
        let is_before = plane::heading(self.yaw).dot(way) >= distance_m * math::cos(tuning.half_rad);
        let is_near = distance_m <= tuning.sight_m && (is_before || distance_m < AT_HAND_M);
        is_near && theater.view().sees(self.eye(), place + Vec3::Y * CHEST_M)
    }
}

/// What a team remembers.
#[derive(Clone, Debug, PartialEq, State)]
pub struct Team {
    alert: Alert,
    lead: Option<Lead>,
    is_seen: bool,
    prediction: Prediction,
    updated: Tick,
    /// Since when somebody has had his place in view without seeing him there.
    empty_since: Option<Tick>,
}

/// Memory of sweeps and maps; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub struct TeamScratch {
    sweep: Sweep,
    region: Region,
    watch: Watch,
    influence: InfluenceScratch,
}

impl Team {
    /// A team that knows nothing yet.
    pub fn new(theater: &Theater) -> Team {
        let prediction = Prediction::new(theater.grid());
        Team { alert: Alert::Patrol, lead: None, is_seen: false, prediction, updated: Tick(0), empty_since: None }
    }

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

    /// Where he may be.
    pub fn prediction(&self) -> &Prediction {
        &self.prediction
    }

    /// Whether it is one of this theater.
    pub fn fits(&self, theater: &Theater) -> bool {
        self.prediction.map().fits(theater.grid())
    }

    /// Begins in another way than by knowing nothing: for hosts that tell a team where to look.
    pub fn brief(&mut self, theater: &Theater, tuning: &Tuning, alert: Alert, lead: Option<Lead>) {
        (self.alert, self.lead) = (alert, lead);
        if let Some(lead) = lead {
            self.prediction.lost(
                theater.grid(),
                &predicts(tuning),
                plane::ground(lead.place),
                plane::ground(lead.velocity),
            );
        }
    }

    /// Takes in what the members know now. `is_dead`: whether the game has told that the target is.
    pub fn update(
        &mut self,
        (theater, tuning): (&Theater, &Tuning),
        members: &[Member],
        (now, rate): (Tick, TickRate),
        is_dead: bool,
        scratch: &mut TeamScratch,
    ) {
        if is_dead {
            (self.alert, self.is_seen) = (Alert::Idle, false);
            self.prediction.found();
        }
        if self.alert == Alert::Idle {
            return;
        }
        let was_seen = self.is_seen;
        let before = self.lead.map_or(Tick(0), |lead| lead.at);
        self.see(members);
        if was_seen && !self.is_seen {
            self.lose(theater, tuning);
        }
        let is_news = !self.is_seen && self.hear(theater, tuning, members);
        let is_hurt = members.iter().filter_map(|it| it.report.hurt).any(|(_, at)| at > before);
        if now.since(self.updated) >= rate.ticks(PERIOD_S) {
            self.updated = now;
            self.look((theater, tuning), members, (now, rate), scratch);
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

    /// The enemy that is seen, by whoever saw him last; of several the one seen before, else the nearest to who sees him.
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

    /// He is out of everybody's sight: from now on he is looked for.
    fn lose(&mut self, theater: &Theater, tuning: &Tuning) {
        let Some(lead) = &mut self.lead else { return };
        let (grid, config) = (theater.grid(), predicts(tuning));
        self.prediction.lost(grid, &config, plane::ground(lead.place), plane::ground(lead.velocity));
        if let Some(from) = theater.ground(lead.place) {
            let to = lead.place + lead.velocity * tuning.ahead_s;
            let ahead = theater.mesh().ray(from, to, &AreaCosts::PLAIN);
            lead.place = ahead.map_or(lead.place, |ray| ray.place.point);
        }
    }

    /// The newest noise or hurt that is newer than the lead. Whether there is one.
    fn hear(&mut self, theater: &Theater, tuning: &Tuning, members: &[Member]) -> bool {
        let before = self.lead.map(|lead| lead.at);
        let heard = members.iter().filter_map(|it| it.report.heard);
        let heard = heard.max_by_key(|&(_, at, is_precise)| (at, is_precise)).filter(|it| Some(it.1) > before);
        let hurt = members.iter().filter_map(|it| it.report.hurt.map(|hurt| (it, hurt)));
        let hurt = hurt.max_by_key(|(_, (_, at))| *at).filter(|(_, (_, at))| Some(*at) > before);
        let (place, at, is_precise) = match (heard, hurt) {
            (Some(heard), _) => heard,
            (None, Some((it, (from, at)))) => (guess(theater, it, from), at, false),
            (None, None) => return false,
        };
        let ground = theater.ground(place).map_or(place, |it| it.point);
        let who = self.lead.and_then(|lead| lead.who);
        self.lead = Some(Lead { who, place: ground, velocity: Vec3::ZERO, at, is_precise, is_checked: false });
        self.prediction.lost(theater.grid(), &predicts(tuning), plane::ground(ground), plane::ground(Vec3::ZERO));
        true
    }

    /// What members see is empty, if it is; and whether one of them sees that he is not where he was thought to be.
    fn look(
        &mut self,
        (theater, tuning): (&Theater, &Tuning),
        members: &[Member],
        (now, rate): (Tick, TickRate),
        scratch: &mut TeamScratch,
    ) {
        if self.is_seen || !self.prediction.is_active() {
            self.empty_since = None;
            return;
        }
        if let Some(lead) = &mut self.lead {
            let is_in_view = members.iter().any(|it| it.sees(theater, tuning, lead.place));
            self.empty_since = is_in_view.then(|| self.empty_since.unwrap_or(now));
            // Whom one looks at is not noticed at once.
            let looked = self.empty_since.map_or(0, |at| now.since(at));
            lead.is_checked |= is_in_view && looked >= rate.ticks(tuning.notice_far_s + PERIOD_S);
        }
        let TeamScratch { sweep, region, watch, influence } = scratch;
        watch.clear();
        for it in members {
            theater.look_cone(it.position, (it.yaw, tuning.half_rad, tuning.sight_m), sweep, region);
            theater.watch(it.position, region, watch);
        }
        self.prediction.update(theater.grid(), &predicts(tuning), Some(watch), influence);
    }

    /// Writes what a member is told.
    pub fn tell(&self, members: &[Member], me: &Member, told: &mut Told) {
        (told.alert, told.lead, told.is_seen) = (self.alert, self.lead, self.is_seen);
        told.friends.clear();
        told.friends.reserve(FRIENDS_MAX + 1);
        for it in members.iter().filter(|it| it.agent != me.agent) {
            let apart = |place: Vec3| place.distance_squared(me.position);
            let at = told.friends.partition_point(|friend| apart(friend.place) <= apart(it.position));
            told.friends.insert(at, Friend { agent: it.agent, place: it.position, velocity: it.velocity });
            told.friends.truncate(FRIENDS_MAX);
        }
    }
}

/// How he is looked for.
pub(crate) fn predicts(tuning: &Tuning) -> PredictionConfig {
    PredictionConfig {
        period_s: PERIOD_S,
        speed_m_per_s: tuning.target_m_per_s,
        lead_s: tuning.ahead_s,
        ..PredictionConfig::default()
    }
}

/// Where somebody is who hurt a member from a direction: as far as it can see that way.
fn guess(theater: &Theater, it: &Member, from: Vec3) -> Vec3 {
    let way = from * HURT_M;
    let ray = sentir_core::geometry::Ray::between(it.eye(), it.eye() + way);
    let reach_m = ray.and_then(|ray| theater.view().sight_ray(&ray)).map_or(HURT_M, |hit| hit.distance_m - 0.5);
    it.position + from * math::max(reach_m, 0.0)
}
