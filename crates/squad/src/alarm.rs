//! Alarms: somebody cries that it saw the enemy; the team is told where, and who is near enough gets a seat to go to.
//!
//! An [`Alarm`] has a last known place, a reach round the one who cried, and some *nodes* near the place: the *n* nearest of the
//! map's nodes within a radius, the *n* farthest within it, or points on a ring round the place. Each node has as many *seats* as
//! the rules say. Several alarms may be on at once, each with its own reach.
//!
//! **Seats.** Who wants a seat claims one at every [`settle`](Alarms::settle), which runs between two ticks, in the squad's
//! coordination. Who has one keeps it; the others are served in the order of their ids, each at the free node nearest to itself.
//! Claiming again changes nothing. A seat is taken as long as a [`Grant`] names it, and a grant stays only while its agent claims
//! and its alarm is on: so who dies, or whatever ends, releases it by construction, and nobody can forget to. What brains check
//! they only read.
//!
//! **Two known bugs**, as named variants ([`AlarmVariant`]), to be shown and measured: the nodes are sorted and the order is thrown
//! away; and a seat once taken is never free again.
//!
//! **Cost** of a settle: O(claims · (log grants + alarms · nodes · grants)). At most [`ALARMS_MAX`] alarms with [`NODES_MAX`] nodes
//! each; nothing is allocated once the list of grants has grown to the size of the team. Every order is total.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::math;
use sentir_core::plane;
use sentir_core::tick::Tick;

/// Alarms that can be on at once; a further one takes the place of the oldest.
pub const ALARMS_MAX: usize = 4;
/// Nodes that an alarm reports at most.
pub const NODES_MAX: usize = 8;
/// How far from the middle of its node a seat lies, m, and how many lie on one circle.
const SEAT_M: f32 = 1.1;
const SEATS_PER_CIRCLE: u8 = 6;

/// Which nodes an alarm reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeStrategy {
    /// The nearest to the last known place.
    Nearest,
    /// The farthest from it that lie within the radius: where the enemy may have gone.
    Farthest,
    /// Points on a ring round it, whatever nodes the map has.
    Ring {
        /// Radius of the ring, m.
        radius_m: f32,
    },
}

/// Which of the free nodes a claimer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillOrder {
    /// The one nearest to itself.
    NearestFirst,
    /// The one with the fewest taken seats, and of those the one nearest to itself: all sides fill evenly.
    EmptiestFirst,
}

/// Bugs of the source, by name, to measure what each costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlarmVariant {
    /// None of them.
    #[default]
    Sound,
    /// Nodes are sorted and the order is thrown away: the first of the map within the radius are reported, and claimers
    /// take them in that order.
    OrderLost,
    /// A seat is never free again, neither by death nor by the end of the alarm.
    SeatsKept,
}

/// The rules of a team's alarms. Limits: numbers finite and ≥ 0; `node_count` 1..=[`NODES_MAX`].
#[derive(Clone, Debug, PartialEq)]
pub struct AlarmConfig {
    /// The nodes of the map, m.
    pub nodes: Vec<Vec3>,
    /// How far from the last known place nodes count, m.
    pub radius_m: f32,
    /// Nodes that an alarm reports; fewer if there are fewer.
    pub node_count: u8,
    /// Which.
    pub strategy: NodeStrategy,
    /// Which of them a claimer is given.
    pub fill: FillOrder,
    /// Seats at each.
    pub seats_per_node: u8,
    /// How long an alarm lasts after its last cry, ticks.
    pub lasts: u64,
    /// A cry whose place is this near to the last known place of an alarm that is on renews that one, m.
    pub merge_m: f32,
    /// Bugs.
    pub variant: AlarmVariant,
}

impl Default for AlarmConfig {
    /// The source's: three nearest nodes within 30 m, eight seats each, one alarm for all at a time.
    fn default() -> Self {
        AlarmConfig {
            nodes: Vec::new(),
            radius_m: 30.0,
            node_count: 3,
            strategy: NodeStrategy::Nearest,
            fill: FillOrder::NearestFirst,
            seats_per_node: 8,
            lasts: 18 * 60,
            merge_m: f32::INFINITY,
            variant: AlarmVariant::Sound,
        }
    }
}

/// Names an alarm; never given twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub struct AlarmId(pub u32);

/// A cry: somebody saw the enemy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cry {
    /// Where the one who cries stands, m.
    pub from: Vec3,
    /// Where it saw the enemy, m.
    pub place: Vec3,
    /// How far the cry reaches, m.
    pub reach_m: f32,
}

/// A node as an alarm reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct AlarmNode {
    /// Which of the map, or which point of the ring.
    pub number: u16,
    /// Where, m.
    pub place: Vec3,
}

/// An alarm that is on.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Alarm {
    /// Its name.
    pub id: AlarmId,
    /// Last known place, m.
    pub place: Vec3,
    /// Where the last cry came from, m.
    pub from: Vec3,
    /// How far that cry reaches, m.
    pub reach_m: f32,
    /// When it began.
    pub since: Tick,
    /// When the last cry was.
    pub at: Tick,
    nodes: [AlarmNode; NODES_MAX],
    node_count: u8,
}

impl Alarm {
    /// The nodes it reports, in the order of the strategy.
    pub fn nodes(&self) -> &[AlarmNode] {
        &self.nodes[..usize::from(self.node_count).min(NODES_MAX)]
    }

    /// Whether somebody there is reached by it.
    pub fn reaches(&self, position: Vec3) -> bool {
        position.distance(self.from) <= self.reach_m
    }

    /// The node nearest to a place.
    pub fn nearest_node(&self, position: Vec3) -> Option<AlarmNode> {
        let far = |node: &AlarmNode| node.place.distance_squared(position);
        self.nodes().iter().min_by(|a, b| far(a).total_cmp(&far(b)).then(a.number.cmp(&b.number))).copied()
    }
}

/// A wish for a seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeatClaim {
    /// Whose.
    pub agent: AgentId,
    /// Where it is, m.
    pub position: Vec3,
}

/// A seat that is taken.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Grant {
    /// By whom.
    pub agent: AgentId,
    /// Of which alarm.
    pub alarm: AlarmId,
    /// At which node, by its number.
    pub node: u16,
    /// Which seat of the node, from 0 on.
    pub seat: u8,
}

/// The alarms of a team and who sits where: state of its squad.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Alarms {
    alarms: Vec<Alarm>,
    /// Ascending by agent: one each.
    grants: Vec<Grant>,
    /// Seats that are lost for good, by node; only [`AlarmVariant::SeatsKept`] ever writes any.
    lost: Vec<u16>,
    issued: u32,
}

impl Alarms {
    /// The alarms that are on, oldest first.
    pub fn alarms(&self) -> &[Alarm] {
        &self.alarms
    }

    /// The seats that are taken, ascending by agent.
    pub fn grants(&self) -> &[Grant] {
        &self.grants
    }

    /// Seats that nobody can take any more: 0 unless the variant loses some.
    pub fn lost_seats(&self) -> u32 {
        self.lost.iter().map(|&count| u32::from(count)).sum()
    }

    /// The alarm that reaches a place; of several, the one whose last known place is nearest.
    pub fn alarm_at(&self, position: Vec3) -> Option<&Alarm> {
        let far = |alarm: &Alarm| alarm.place.distance_squared(position);
        let reached = self.alarms.iter().filter(|alarm| alarm.reaches(position));
        reached.min_by(|a, b| far(a).total_cmp(&far(b)).then(a.id.cmp(&b.id)))
    }

    /// The grant of an agent.
    pub fn grant_of(&self, agent: AgentId) -> Option<&Grant> {
        self.grants.binary_search_by_key(&agent, |grant| grant.agent).ok().map(|place| &self.grants[place])
    }

    /// Where the seat of an agent is, m.
    pub fn seat_of(&self, agent: AgentId, config: &AlarmConfig) -> Option<Vec3> {
        let grant = self.grant_of(agent)?;
        let alarm = self.alarms.iter().find(|alarm| alarm.id == grant.alarm)?;
        let node = alarm.nodes().iter().find(|node| node.number == grant.node)?;
        Some(seat_place(alarm, *node, grant.seat, config))
    }

    /// Whether an alarm has a seat that nobody has.
    pub fn has_free_seat(&self, alarm: &Alarm, config: &AlarmConfig) -> bool {
        alarm.nodes().iter().any(|node| self.free_seat(alarm, *node, config).is_some())
    }

    /// Hears a cry: renews the alarm that it is about, or raises another.
    pub fn cry(&mut self, cry: &Cry, config: &AlarmConfig, tick: Tick) -> AlarmId {
        let far = |alarm: &Alarm| alarm.place.distance(cry.place);
        let near = self.alarms.iter_mut().filter(|alarm| far(alarm) <= config.merge_m);
        let known = near.min_by(|a, b| far(a).total_cmp(&far(b)).then(a.id.cmp(&b.id)));
        let (nodes, node_count) = report(cry.place, config);
        if let Some(alarm) = known {
            *alarm =
                Alarm { place: cry.place, from: cry.from, reach_m: cry.reach_m, at: tick, nodes, node_count, ..*alarm };
            return alarm.id;
        }
        if self.alarms.len() >= ALARMS_MAX {
            self.alarms.remove(0);
        }
        self.issued = self.issued.wrapping_add(1);
        let id = AlarmId(self.issued);
        let Cry { from, place, reach_m } = *cry;
        self.alarms.push(Alarm { id, place, from, reach_m, since: tick, at: tick, nodes, node_count });
        id
    }

    /// Ends every alarm: the enemy is gone, or the round is over.
    pub fn clear(&mut self) {
        self.alarms.clear();
    }

    /// Ends what has lasted long enough, and shares the seats out anew: `claims` are all who want one now, ascending by agent.
    pub fn settle(&mut self, claims: &[SeatClaim], config: &AlarmConfig, tick: Tick) {
        debug_assert!(claims.is_sorted_by_key(|claim| claim.agent), "claims must be in the order of agents");
        self.alarms.retain(|alarm| tick.since(alarm.at) < config.lasts);
        let Alarms { alarms, grants, lost, .. } = self;
        grants.retain(|grant| {
            let claims_it = claims.binary_search_by_key(&grant.agent, |claim| claim.agent).is_ok();
            let alarm = alarms.iter().find(|alarm| alarm.id == grant.alarm);
            let is_kept = claims_it && alarm.is_some_and(|it| it.nodes().iter().any(|node| node.number == grant.node));
            if !is_kept && config.variant == AlarmVariant::SeatsKept {
                lose(lost, grant.node);
            }
            is_kept
        });
        for claim in claims {
            if let Err(place) = self.grants.binary_search_by_key(&claim.agent, |grant| grant.agent)
                && let Some(grant) = self.choose(claim, config)
            {
                self.grants.insert(place, grant);
            }
        }
    }

    /// The seat for a claimer: at the alarms that reach it, the nearest first, the best node with a free one.
    fn choose(&self, claim: &SeatClaim, config: &AlarmConfig) -> Option<Grant> {
        let far = |alarm: &Alarm| alarm.place.distance_squared(claim.position);
        let mut best: Option<(&Alarm, AlarmNode, u8)> = None;
        for alarm in self.alarms.iter().filter(|alarm| alarm.reaches(claim.position)) {
            let is_nearer =
                best.is_none_or(|(other, ..)| far(alarm).total_cmp(&far(other)).then(alarm.id.cmp(&other.id)).is_lt());
            if is_nearer && let Some((node, seat)) = self.node_for(alarm, claim.position, config) {
                best = Some((alarm, node, seat));
            }
        }
        best.map(|(alarm, node, seat)| Grant { agent: claim.agent, alarm: alarm.id, node: node.number, seat })
    }

    /// The best node of an alarm with a free seat, for somebody at a place.
    fn node_for(&self, alarm: &Alarm, position: Vec3, config: &AlarmConfig) -> Option<(AlarmNode, u8)> {
        let free =
            alarm.nodes().iter().filter_map(|&node| self.free_seat(alarm, node, config).map(|seat| (node, seat)));
        if config.variant == AlarmVariant::OrderLost {
            return { free }.next();
        }
        let taken = |node: &AlarmNode| match config.fill {
            FillOrder::NearestFirst => 0,
            FillOrder::EmptiestFirst => self.seats_of(alarm, node.number).count(),
        };
        let far = |node: &AlarmNode| node.place.distance_squared(position);
        free.min_by(|(a, _), (b, _)| {
            taken(a).cmp(&taken(b)).then(far(a).total_cmp(&far(b))).then(a.number.cmp(&b.number))
        })
    }

    fn seats_of(&self, alarm: &Alarm, node: u16) -> impl Iterator<Item = u8> + '_ {
        let id = alarm.id;
        self.grants.iter().filter(move |grant| grant.alarm == id && grant.node == node).map(|grant| grant.seat)
    }

    /// The first seat of a node that nobody has.
    fn free_seat(&self, alarm: &Alarm, node: AlarmNode, config: &AlarmConfig) -> Option<u8> {
        let lost = self.lost.get(usize::from(node.number)).copied().unwrap_or(0);
        let taken = self.seats_of(alarm, node.number).count() as u16 + lost;
        if taken >= u16::from(config.seats_per_node) {
            return None;
        }
        (0..config.seats_per_node).find(|seat| self.seats_of(alarm, node.number).all(|other| other != *seat))
    }
}

fn lose(lost: &mut Vec<u16>, node: u16) {
    let place = usize::from(node);
    if lost.len() <= place {
        lost.resize(place + 1, 0);
    }
    lost[place] = lost[place].saturating_add(1);
}

/// The nodes that a cry about a place reports.
fn report(place: Vec3, config: &AlarmConfig) -> ([AlarmNode; NODES_MAX], u8) {
    let mut nodes = [AlarmNode::default(); NODES_MAX];
    let wanted = usize::from(config.node_count).clamp(1, NODES_MAX);
    if let NodeStrategy::Ring { radius_m } = config.strategy {
        for (number, node) in (0u16..).zip(&mut nodes[..wanted]) {
            let turn = f32::from(number) * math::TAU / wanted as f32;
            *node = AlarmNode { number, place: place + plane::lift(plane::heading(turn) * radius_m, 0.0) };
        }
        return (nodes, wanted as u8);
    }
    let mut count = 0;
    for (number, &at) in (0u16..).zip(&config.nodes) {
        if at.distance(place) > config.radius_m {
            continue;
        }
        let node = AlarmNode { number, place: at };
        let comes_before = |other: &AlarmNode| {
            let (mine, its) = (at.distance_squared(place), other.place.distance_squared(place));
            match (config.variant, config.strategy) {
                (AlarmVariant::OrderLost, _) => false,
                (_, NodeStrategy::Farthest) => mine.total_cmp(&its).is_gt(),
                _ => mine.total_cmp(&its).is_lt(),
            }
        };
        let slot = nodes[..count].iter().position(comes_before).unwrap_or(count);
        if slot < wanted {
            count = (count + 1).min(wanted);
            nodes[slot..count].rotate_right(1);
            nodes[slot] = node;
        }
    }
    (nodes, count as u8)
}

/// Where a seat lies: on circles round its node; on a ring, behind each other along the way out.
fn seat_place(alarm: &Alarm, node: AlarmNode, seat: u8, config: &AlarmConfig) -> Vec3 {
    if let NodeStrategy::Ring { .. } = config.strategy {
        let out = plane::direction(plane::ground(node.place - alarm.place));
        return node.place + plane::lift(out * (SEAT_M * f32::from(seat)), 0.0);
    }
    let circle = f32::from(1 + seat / SEATS_PER_CIRCLE);
    let turn = f32::from(seat % SEATS_PER_CIRCLE) * math::TAU / f32::from(SEATS_PER_CIRCLE);
    node.place + plane::lift(plane::heading(turn) * (SEAT_M * circle), 0.0)
}
