//! Contract of alarms and seats: as a slow, obvious table of seats would share them out, whoever dies and whatever ends; and
//! each of the two known bugs does what its name says.

use proptest::prelude::*;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::id::AgentId;
use sentir_core::plane;
use sentir_core::state;
use sentir_core::tick::Tick;
use sentir_squad::alarm::{
    ALARMS_MAX, AlarmConfig, AlarmId, AlarmVariant, Alarms, Cry, FillOrder, NodeStrategy, SeatClaim,
};

fn agent(number: u64) -> AgentId {
    AgentId::from_bits(number << 32)
}

fn at(x: f32, y: f32) -> Vec3 {
    plane::lift(Vec2::new(x, y), 0.0)
}

/// Sixteen nodes, four by four, ten meters apart.
fn nodes() -> Vec<Vec3> {
    (0..16u8).map(|number| at(f32::from(number % 4) * 10.0 - 15.0, f32::from(number / 4) * 10.0 - 15.0)).collect()
}

fn config() -> AlarmConfig {
    AlarmConfig { nodes: nodes(), radius_m: 30.0, seats_per_node: 2, lasts: 100, ..AlarmConfig::default() }
}

fn claims(list: &[(u64, Vec3)]) -> Vec<SeatClaim> {
    list.iter().map(|&(number, position)| SeatClaim { agent: agent(number), position }).collect()
}

fn cry(place: Vec3) -> Cry {
    Cry { from: place, place, reach_m: 100.0 }
}

fn numbers(alarms: &Alarms) -> Vec<u16> {
    alarms.alarms()[0].nodes().iter().map(|node| node.number).collect()
}

#[test]
fn an_alarm_reports_the_nearest_or_the_farthest_nodes_within_its_radius() {
    let mut near = Alarms::default();
    near.cry(&cry(at(-14.0, -14.5)), &config(), Tick(0));
    assert_eq!(numbers(&near), [0, 1, 4]);
    let mut far = Alarms::default();
    far.cry(&cry(at(-15.0, -15.0)), &AlarmConfig { strategy: NodeStrategy::Farthest, ..config() }, Tick(0));
    // Within 30 m of the corner, the ends of both edges come first; equal ones by number.
    assert_eq!(numbers(&far), [3, 12, 10]);
    let mut few = Alarms::default();
    few.cry(&cry(at(-15.0, -15.0)), &AlarmConfig { radius_m: 5.0, ..config() }, Tick(0));
    assert_eq!(numbers(&few), [0], "fewer if there are fewer");
}

#[test]
fn seats_are_granted_in_the_order_of_agents_and_a_full_node_sends_on() {
    let (mut alarms, config) = (Alarms::default(), config());
    alarms.cry(&cry(at(-15.0, -15.0)), &config, Tick(0));
    let all = claims(&[(1, at(-15.0, -15.0)), (2, at(-15.0, -15.0)), (3, at(-15.0, -14.0)), (4, at(0.0, -15.0))]);
    alarms.settle(&all, &config, Tick(0));
    let node = |number| alarms.grant_of(agent(number)).map(|grant| grant.node);
    assert_eq!([node(1), node(2), node(3), node(4)], [Some(0), Some(0), Some(4), Some(1)]);
    let before = alarms.clone();
    alarms.settle(&all, &config, Tick(1));
    assert_eq!(alarms, before, "claiming again changes nothing");
    assert!(alarms.seat_of(agent(1), &config).is_some_and(|seat| seat.distance(at(-15.0, -15.0)) < 1.5));
    assert_ne!(alarms.seat_of(agent(1), &config), alarms.seat_of(agent(2), &config));
}

#[test]
fn who_no_longer_claims_has_released_its_seat_and_so_has_the_end_of_the_alarm() {
    let (mut alarms, config) = (Alarms::default(), AlarmConfig { node_count: 1, ..config() });
    alarms.cry(&cry(at(-15.0, -15.0)), &config, Tick(0));
    let here = at(-15.0, -15.0);
    alarms.settle(&claims(&[(1, here), (2, here), (3, here)]), &config, Tick(0));
    assert_eq!(alarms.grant_of(agent(3)), None, "all are full");
    assert!(!alarms.has_free_seat(&alarms.alarms()[0], &config));
    alarms.settle(&claims(&[(2, here), (3, here)]), &config, Tick(1));
    assert!(alarms.grant_of(agent(1)).is_none() && alarms.grant_of(agent(3)).is_some());
    alarms.settle(&claims(&[(2, here), (3, here)]), &config, Tick(100));
    assert!(alarms.alarms().is_empty() && alarms.grants().is_empty());
}

#[test]
fn several_alarms_reach_those_around_them_and_a_near_cry_renews_one() {
    let mut alarms = Alarms::default();
    let config = AlarmConfig { merge_m: 8.0, ..config() };
    let local = |place| Cry { reach_m: 12.0, ..cry(place) };
    let one = alarms.cry(&local(at(-15.0, -15.0)), &config, Tick(0));
    let other = alarms.cry(&local(at(15.0, 15.0)), &config, Tick(5));
    assert_ne!(one, other);
    assert_eq!(alarms.cry(&local(at(-12.0, -12.0)), &config, Tick(50)), one);
    assert_eq!(alarms.alarm_at(at(-10.0, -10.0)).map(|alarm| alarm.id), Some(one));
    assert_eq!(alarms.alarm_at(at(10.0, 10.0)).map(|alarm| alarm.id), Some(other));
    assert_eq!(alarms.alarm_at(at(0.0, 0.0)), None, "nobody there was reached");
    alarms.settle(&[], &config, Tick(120));
    assert_eq!(alarms.alarms().iter().map(|alarm| alarm.id).collect::<Vec<_>>(), [one], "the other was not renewed");
    for number in 0..10u8 {
        alarms.cry(&local(at(f32::from(number) * 40.0, 200.0)), &config, Tick(130));
    }
    assert_eq!(alarms.alarms().len(), ALARMS_MAX);
}

#[test]
fn a_ring_fills_evenly_on_all_sides() {
    let ring = AlarmConfig {
        strategy: NodeStrategy::Ring { radius_m: 5.0 },
        fill: FillOrder::EmptiestFirst,
        node_count: 8,
        ..config()
    };
    let mut alarms = Alarms::default();
    alarms.cry(&cry(at(3.0, 4.0)), &ring, Tick(0));
    // All come from the same side, and yet every side gets one.
    let all: Vec<_> = (1..=8).map(|number| (number, at(20.0, 4.0))).collect();
    alarms.settle(&claims(&all), &ring, Tick(0));
    let mut sides: Vec<_> = alarms.grants().iter().map(|grant| grant.node).collect();
    sides.sort_unstable();
    assert_eq!(sides, [0, 1, 2, 3, 4, 5, 6, 7]);
    for grant in alarms.grants() {
        let seat = alarms.seat_of(grant.agent, &ring).unwrap();
        assert!((seat.distance(at(3.0, 4.0)) - 5.0).abs() < 1e-3);
    }
    // The place moves on, and the seats with it.
    alarms.cry(&cry(at(9.0, 4.0)), &ring, Tick(1));
    alarms.settle(&claims(&all), &ring, Tick(1));
    assert!((alarms.seat_of(agent(1), &ring).unwrap().distance(at(9.0, 4.0)) - 5.0).abs() < 1e-3);
}

#[test]
fn the_lost_order_reports_nodes_that_are_not_near() {
    let bug = AlarmConfig { variant: AlarmVariant::OrderLost, radius_m: 60.0, ..config() };
    let mut alarms = Alarms::default();
    alarms.cry(&cry(at(15.0, 15.0)), &bug, Tick(0));
    assert_eq!(numbers(&alarms), [0, 1, 2], "the first of the map, far from the enemy");
    let all = claims(&[(1, at(5.0, -15.0)), (2, at(5.0, -15.0))]);
    alarms.settle(&all, &bug, Tick(0));
    assert_eq!(alarms.grant_of(agent(1)).map(|grant| grant.node), Some(0), "not the one nearest to itself");
}

#[test]
fn kept_seats_run_out() {
    let bug = AlarmConfig { variant: AlarmVariant::SeatsKept, ..config() };
    let (mut alarms, here) = (Alarms::default(), at(-15.0, -15.0));
    let mut served = Vec::new();
    for round in 0..6u64 {
        alarms.cry(&cry(here), &bug, Tick(round * 200));
        alarms.settle(&claims(&[(1, here), (2, here)]), &bug, Tick(round * 200));
        served.push(alarms.grants().len());
        alarms.settle(&[], &bug, Tick(round * 200 + 1));
    }
    assert_eq!(served, [2, 2, 2, 0, 0, 0]);
    assert_eq!(alarms.lost_seats(), 6);
}

/// What may happen to a team.
#[derive(Clone, Debug)]
enum Turn {
    Cry(Vec3),
    Wants(Vec<(u8, Vec3)>),
    Waits(u64),
}

fn place() -> impl Strategy<Value = Vec3> {
    // Whole numbers, so that equal distances come up.
    (-16..=16i32, -16..=16i32).prop_map(|(x, y)| at(x as f32, y as f32))
}

fn turn() -> impl Strategy<Value = Turn> {
    prop_oneof![
        2 => place().prop_map(Turn::Cry),
        6 => prop::collection::vec((0..12u8, place()), 0..12).prop_map(Turn::Wants),
        1 => (1..60u64).prop_map(Turn::Waits),
    ]
}

/// The slow twin: a table of all seats of all alarms, each with who sits there.
#[derive(Default)]
struct Table {
    rows: Vec<Row>,
}

struct Row {
    id: AlarmId,
    place: Vec3,
    at: Tick,
    /// Number, place, and seats.
    nodes: Vec<(u16, Vec3, Vec<Option<AgentId>>)>,
    /// The same of nodes that an earlier cry reported: forgotten when seats are shared out.
    left: Vec<(u16, Vec3, Vec<Option<AgentId>>)>,
}

impl Table {
    fn cry(&mut self, id: AlarmId, place: Vec3, config: &AlarmConfig, tick: Tick) {
        let mut sorted: Vec<(u16, Vec3)> = (0..).zip(config.nodes.iter().copied()).collect();
        sorted.retain(|node| node.1.distance(place) <= config.radius_m);
        sorted.sort_by(|a, b| {
            let order = a.1.distance_squared(place).total_cmp(&b.1.distance_squared(place));
            if config.strategy == NodeStrategy::Farthest { order.reverse() } else { order }.then(a.0.cmp(&b.0))
        });
        sorted.truncate(usize::from(config.node_count));
        let old = self.rows.iter().position(|row| row.id == id).map(|at| self.rows.remove(at));
        let left = old.map_or_else(Vec::new, |row| row.nodes.into_iter().chain(row.left).collect());
        let seats_of = |number: u16| {
            let kept = left.iter().find(|node| node.0 == number);
            kept.map_or_else(|| vec![None; usize::from(config.seats_per_node)], |node| node.2.clone())
        };
        let nodes = sorted.into_iter().map(|(number, at)| (number, at, seats_of(number))).collect();
        self.rows.push(Row { id, place, at: tick, nodes, left });
        self.rows.sort_by_key(|row| row.id);
        if self.rows.len() > ALARMS_MAX {
            self.rows.remove(0);
        }
    }

    fn seats_mut(&mut self) -> impl Iterator<Item = &mut Option<AgentId>> {
        self.rows.iter_mut().flat_map(|row| row.nodes.iter_mut().flat_map(|node| node.2.iter_mut()))
    }

    fn settle(&mut self, claims: &[SeatClaim], config: &AlarmConfig, tick: Tick) {
        self.rows.retain(|row| tick.since(row.at) < config.lasts);
        self.rows.iter_mut().for_each(|row| row.left.clear());
        for seat in self.seats_mut() {
            *seat = seat.filter(|who| claims.iter().any(|claim| claim.agent == *who));
        }
        for claim in claims {
            if self.seats_mut().any(|seat| *seat == Some(claim.agent)) {
                continue;
            }
            let mut rows: Vec<&mut Row> = self.rows.iter_mut().collect();
            let far = |place: Vec3| place.distance_squared(claim.position);
            rows.sort_by(|a, b| far(a.place).total_cmp(&far(b.place)).then(a.id.cmp(&b.id)));
            'rows: for row in rows {
                let taken = |seats: &[Option<AgentId>]| seats.iter().flatten().count();
                let mut order: Vec<usize> = (0..row.nodes.len()).collect();
                order.sort_by(|&a, &b| {
                    let (a, b) = (&row.nodes[a], &row.nodes[b]);
                    let even = taken(&a.2).cmp(&taken(&b.2));
                    let even = if config.fill == FillOrder::EmptiestFirst { even } else { std::cmp::Ordering::Equal };
                    even.then(far(a.1).total_cmp(&far(b.1))).then(a.0.cmp(&b.0))
                });
                for node in order {
                    if let Some(seat) = row.nodes[node].2.iter_mut().find(|seat| seat.is_none()) {
                        *seat = Some(claim.agent);
                        break 'rows;
                    }
                }
            }
        }
    }

    fn grants(&self) -> Vec<(AgentId, AlarmId, u16, u8)> {
        let mut all = Vec::new();
        for row in &self.rows {
            for (number, _, seats) in &row.nodes {
                all.extend((0..).zip(seats).filter_map(|(seat, who)| who.map(|who| (who, row.id, *number, seat))));
            }
        }
        all.sort_unstable();
        all
    }
}

proptest! {
    #[test]
    fn seats_are_shared_out_as_a_table_of_all_seats_would_and_none_is_lost(
        turns in prop::collection::vec(turn(), 1..60),
        farthest in any::<bool>(),
        evenly in any::<bool>(),
        merge_m in prop_oneof![Just(f32::INFINITY), Just(10.0)],
    ) {
        let config = AlarmConfig {
            strategy: if farthest { NodeStrategy::Farthest } else { NodeStrategy::Nearest },
            fill: if evenly { FillOrder::EmptiestFirst } else { FillOrder::NearestFirst },
            merge_m,
            ..config()
        };
        let (mut alarms, mut table, mut tick) = (Alarms::default(), Table::default(), Tick(0));
        for turn in &turns {
            tick = tick + 1;
            match turn {
                Turn::Cry(place) => {
                    let id = alarms.cry(&cry(*place), &config, tick);
                    table.cry(id, *place, &config, tick);
                }
                Turn::Wants(list) => {
                    let mut list: Vec<_> = list.iter().map(|&(who, place)| (u64::from(who), place)).collect();
                    list.sort_by_key(|(who, _)| *who);
                    list.dedup_by_key(|(who, _)| *who);
                    let list = claims(&list);
                    alarms.settle(&list, &config, tick);
                    table.settle(&list, &config, tick);
                    let found: Vec<_> =
                        alarms.grants().iter().map(|it| (it.agent, it.alarm, it.node, it.seat)).collect();
                    prop_assert_eq!(found, table.grants());
                }
                Turn::Waits(ticks) => tick = tick + *ticks,
            }
            prop_assert_eq!(alarms.lost_seats(), 0);
            let copy: Alarms = state::from_bytes(&state::to_bytes(&alarms)).unwrap();
            prop_assert_eq!(&copy, &alarms);
        }
        // Everybody dies and a new alarm begins: every seat of it can be taken.
        alarms.settle(&[], &config, tick);
        alarms.clear();
        alarms.cry(&cry(at(0.0, 0.0)), &config, tick);
        let seats = alarms.alarms()[0].nodes().len() as u64 * u64::from(config.seats_per_node);
        let all: Vec<_> = (0..seats + 3).map(|who| (who, at(0.0, 0.0))).collect();
        alarms.settle(&claims(&all), &config, tick);
        prop_assert_eq!(alarms.grants().len() as u64, seats);
    }
}
