//! What requests must hold.

use proptest::prelude::*;
use sentir_core::state;

use super::*;
use crate::mesh::{AreaId, Patch, Polygon};

/// A row of ten squares of 2 m, and an island of one beyond a gap.
fn row() -> Mesh {
    let mut patch = Patch::default();
    for x in (0..11u16).map(|number| if number == 10 { 24.0 } else { f32::from(number) * 2.0 }) {
        let first = patch.loops.len() as u32;
        for corner in [(x, 0.0), (x + 2.0, 0.0), (x + 2.0, 2.0), (x, 2.0)] {
            let corner = Vec3::new(corner.0, 0.0, -corner.1);
            let at = patch.corners.iter().position(|&it| it == corner).unwrap_or(patch.corners.len());
            if at == patch.corners.len() {
                patch.corners.push(corner);
            }
            patch.loops.push(at as u32);
        }
        patch.polygons.push(Polygon { first, count: 4, area: AreaId(0) });
    }
    Mesh::from_patch(patch).unwrap()
}

fn agent(number: u32) -> AgentId {
    AgentId::from_bits(u64::from(number) << 32)
}

fn at(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, -1.0)
}

fn ask(number: u32, x: f32) -> Request {
    Request::new(agent(number), at(1.0), at(x))
}

fn context<'a>(mesh: &'a Mesh, tick: u64, config: &'a RequestConfig) -> ProcessContext<'a> {
    ProcessContext { mesh, costs: &[], tactician: None, now: Tick(tick), config }
}

/// Serves one tick: who got what.
fn process(requests: &mut Requests, tick: u64, config: &RequestConfig) -> Vec<(RequestId, AgentId, Option<Failure>)> {
    let mut all = Vec::new();
    requests.process(context(&row(), tick, config), &mut RequestScratch::default(), |reply| {
        all.push((reply.id, reply.agent, reply.failure));
    });
    all
}

fn is_whole(requests: &Requests) -> bool {
    let counts = requests.counts();
    counts.submitted == counts.found + counts.failures.iter().sum::<u64>() + u64::from(requests.open_count())
}

#[test]
fn every_cause_is_told_and_counted() {
    let config = RequestConfig { open_per_agent_max: 1, ..RequestConfig::default() };
    let mut requests = Requests::default();
    let asks = [ask(0, 15.0), ask(1, 25.0), ask(2, 60.0), ask(3, f32::NAN)];
    for request in asks {
        requests.submit(request, Tick(0), &config).unwrap();
    }
    let lost = Request { from: at(-40.0), ..ask(4, 3.0) };
    requests.submit(lost, Tick(0), &config).unwrap();
    assert_eq!(requests.submit(ask(4, 5.0), Tick(0), &config), Err(Failure::Quota));
    let causes: Vec<_> = process(&mut requests, 0, &config).iter().map(|it| it.2).collect();
    assert_eq!(
        causes,
        [None, Some(Failure::NoPath), Some(Failure::BadGoal), Some(Failure::BadGoal), Some(Failure::BadStart)]
    );
    let again = requests.submit(ask(0, 9.0), Tick(1), &config).unwrap();
    let newer = requests.supersede(again, ask(0, 11.0), Tick(5), &config).unwrap();
    assert!(requests.cancel(newer) && !requests.cancel(newer) && !requests.cancel(again));
    requests.submit(ask(6, 11.0), Tick(5), &config).unwrap();
    assert_eq!((requests.forget(agent(6)), requests.forget(agent(6))), (1, 0));
    let slow = RequestConfig { expansions_max: 3, ..config };
    requests.submit(ask(7, 19.0), Tick(6), &slow).unwrap();
    assert_eq!(process(&mut requests, 6, &slow)[0].2, Some(Failure::OutOfBudget));
    assert_eq!(requests.counts().failures, [1, 2, 1, 1, 1, 1, 1, 1]);
    assert!(is_whole(&requests) && requests.open_count() == 0);
    assert_eq!(Failure::ALL.map(|it| it as usize), [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_zero_budget_ends_in_time_and_leaves_nothing() {
    let config = RequestConfig { expansions_per_tick: 0, wait_ticks_max: 5, ..RequestConfig::default() };
    let mut requests = Requests::default();
    for number in 0..3 {
        requests.submit(ask(number, 9.0), Tick(10), &config).unwrap();
    }
    for tick in 10..15 {
        assert!(process(&mut requests, tick, &config).is_empty());
    }
    let late = process(&mut requests, 15, &config);
    assert!(late.len() == 3 && late.iter().all(|it| it.2 == Some(Failure::OutOfBudget)));
    assert!(requests.open_count() == 0 && is_whole(&requests));
    let mut fresh = Requests { issued: requests.issued, counts: requests.counts, ..Requests::default() };
    assert_eq!(state::hash(&fresh), state::hash(&requests));
    fresh.owed = 1;
    assert_ne!(state::hash(&fresh), state::hash(&requests));
}

#[test]
fn what_a_search_takes_beyond_the_budget_is_owed() {
    // Each search over the whole row takes ten expansions or so.
    let config = RequestConfig { expansions_per_tick: 5, ..RequestConfig::default() };
    let mut requests = Requests::default();
    for number in 0..10 {
        requests.submit(ask(number, 19.0), Tick(0), &config).unwrap();
    }
    let served: Vec<usize> = (0..40).map(|tick| process(&mut requests, tick, &config).len()).collect();
    assert_eq!(served.iter().sum::<usize>(), 10);
    assert!(served.iter().all(|&count| count <= 1));
    for (tick, _) in served.iter().enumerate().filter(|(_, count)| **count > 0) {
        let work = requests.counts().expanded / 10;
        assert!(tick as u64 % work.div_ceil(5) <= 1, "{served:?}");
    }
    assert!(requests.counts().expanded >= 90 && requests.counts().waited_max >= 17);
}

#[test]
fn with_a_purse_each_nobody_waits_for_anybody_else() {
    let config = RequestConfig { scope: BudgetScope::Each, expansions_per_tick: 1, ..RequestConfig::default() };
    let answers_among = |others: u32| {
        let (mut requests, mut ticks) = (Requests::default(), Vec::new());
        for tick in 0..60 {
            for number in (2..2 + others).filter(|_| tick % 3 == 0) {
                // Nobody gets to the island: that looks at every polygon, each time.
                let _ = requests.submit(ask(number, 25.0), Tick(tick), &config);
            }
            if tick % 5 == 0 {
                let _ = requests.submit(ask(1, 19.0), Tick(tick), &config);
            }
            ticks.extend(process(&mut requests, tick, &config).iter().filter(|it| it.1 == agent(1)).map(|_| tick));
            assert!(is_whole(&requests));
        }
        ticks
    };
    let alone = answers_among(0);
    assert!(alone.len() > 3 && alone.windows(2).any(|pair| pair[1] - pair[0] != 5), "it pays for its own: {alone:?}");
    assert_eq!(alone, answers_among(6));
    let none = RequestConfig { expansions_per_tick: 0, ..config };
    let mut requests = Requests::default();
    requests.submit(ask(1, 19.0), Tick(0), &none).unwrap();
    assert!(process(&mut requests, 0, &none).is_empty());
}

#[test]
fn a_moved_goal_keeps_its_turn() {
    let config = RequestConfig::default();
    let mut requests = Requests::default();
    let first = requests.submit(ask(5, 9.0), Tick(0), &config).unwrap();
    let other = requests.submit(ask(1, 9.0), Tick(1), &config).unwrap();
    let newer = requests.supersede(first, ask(5, 11.0), Tick(2), &config).unwrap();
    // Not somebody else's.
    assert!(requests.supersede(other, ask(9, 3.0), Tick(2), &config).is_ok() && requests.is_open(other));
    let order: Vec<RequestId> = process(&mut requests, 2, &config).iter().map(|it| it.0).collect();
    assert_eq!(order[..2], [newer, other]);
}

#[test]
fn the_queue_is_bounded_and_a_forged_one_is_refused() {
    let config = RequestConfig { open_max: 3, open_per_agent_max: u32::MAX, ..RequestConfig::default() };
    let mut requests = Requests::default();
    for _ in 0..10 {
        let _ = requests.submit(ask(0, 9.0), Tick(0), &config);
    }
    assert_eq!((requests.open_count(), requests.counts().of(Failure::Quota)), (3, 7));
    let back: Requests = state::from_bytes(&state::to_bytes(&requests)).unwrap();
    assert_eq!(back, requests);
    requests.open.reverse();
    assert!(state::from_bytes::<Requests>(&state::to_bytes(&requests)).is_err());
    assert!(state::perturb(&back).iter().all(|one| one.outcome != state::Noticed::No));
}

#[test]
fn a_warm_queue_allocates_nothing() {
    let (mesh, config) = (row(), RequestConfig::default());
    let (mut requests, mut scratch) = (Requests::default(), RequestScratch::default());
    let mut round = |tick: u64| {
        for number in 0..8 {
            let method = if number % 2 == 0 { Method::Corridor } else { Method::Shortest };
            let _ = requests.submit(Request { method, ..ask(number, 19.0) }, Tick(tick), &config);
        }
        let mut length = 0;
        requests.process(context(&mesh, tick, &config), &mut scratch, |reply| length += reply.path.len());
        length
    };
    assert_eq!(round(0), 16);
    assert_eq!(allocation_counter::measure(|| assert_eq!(round(1), 16)).count_total, 0);
}

proptest! {
    /// The twin sorts all that is open anew before each search. The order of asking within a tick is moot.
    #[test]
    fn service_is_in_order_of_priority_age_and_agent(
        asks in proptest::collection::vec((0u64..4, 0u32..12, 0u8..3), 1..30),
        budget in 1u32..40,
        swap in any::<bool>(),
    ) {
        let config = RequestConfig { expansions_per_tick: budget, open_per_agent_max: 1, ..RequestConfig::default() };
        let mut requests = Requests::default();
        let mut twin: Vec<(Reverse<u8>, u64, AgentId)> = Vec::new();
        for tick in 0..200u64 {
            let mut now: Vec<_> = asks.iter().filter(|it| it.0 == tick).collect();
            now.sort_by_key(|it| it.1);
            now.dedup_by_key(|it| it.1);
            if swap {
                now.reverse();
            }
            for &&(_, number, priority) in &now {
                let request = Request { priority, ..ask(number, 19.0) };
                if requests.submit(request, Tick(tick), &config).is_ok() {
                    twin.push((Reverse(priority), tick, agent(number)));
                }
            }
            for (_, who, failure) in process(&mut requests, tick, &config) {
                let first = (0..twin.len()).min_by_key(|&place| twin[place]).unwrap();
                prop_assert_eq!(twin.remove(first).2, who);
                prop_assert_eq!(failure, None);
            }
            prop_assert!(is_whole(&requests));
        }
        prop_assert!(twin.is_empty() && requests.open_count() == 0);
    }
}

/// Goes by way of a point, whatever it costs.
struct Detour([Vec3; 3]);

impl Tactician for Detour {
    fn find(&mut self, request: &Request, _: &AreaCosts, expansions_max: u32) -> PathAnswer<'_, Vec3> {
        self.0 = [request.from, at(5.0), request.to];
        PathAnswer { ending: Ending::Found, path: &self.0, cost: 7.0, expanded: expansions_max.min(3) }
    }
}

#[test]
fn a_tactician_answers_what_asks_for_tactics_and_nothing_else() {
    let config = RequestConfig::default();
    let mut requests = Requests::default();
    for (number, method) in [(0, Method::Tactic), (1, Method::Shortest), (2, Method::Corridor)] {
        requests.submit(Request { method, ..ask(number, 15.0) }, Tick(0), &config).unwrap();
    }
    let mut costs = Vec::new();
    let (mut detour, mut scratch) = (Detour([Vec3::ZERO; 3]), RequestScratch::default());
    let row = row();
    let by = ProcessContext { tactician: Some(&mut detour), ..context(&row, 0, &config) };
    requests.process(by, &mut scratch, |reply| {
        costs.push((reply.path.len(), reply.cost, reply.failure));
    });
    assert_eq!(costs[0], (3, 7.0, None));
    assert!(costs[1..].iter().all(|it| it.1 == 14.0 && it.2.is_none()), "{costs:?}");
    assert!(is_whole(&requests));
    // Without one, it is a corridor.
    requests.submit(Request { method: Method::Tactic, ..ask(3, 15.0) }, Tick(1), &config).unwrap();
    assert_eq!(process(&mut requests, 1, &config)[0].2, None);
}
