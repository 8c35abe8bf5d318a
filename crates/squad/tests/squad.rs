//! What a squad knows and its coordinator answers, on a small yard: alert and leads, claims, cover, safe ways.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

use proptest::prelude::*;
use sentir_core::belief::Other;
use sentir_core::body::{Body, Pose};
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::id::{AgentId, TeamId};
use sentir_core::intent::{Ask, Question, Ticket};
use sentir_core::outcome::{Answer, Cause};
use sentir_core::plane;
use sentir_core::random::Streams;
use sentir_core::tick::{Tick, TickRate};
use sentir_level::{LevelState, PieceId};
use sentir_nav::dynamic::{Obstacles, obstacle_of};
use sentir_nav::request::{Method, Request};
use sentir_space::influence::{Grid, Watch};
use sentir_space::visibility::{Region, Sweep};
use sentir_squad::claim::{ClaimKind, Claims};
use sentir_squad::coordinator::{
    Asker, Coordinator, CoordinatorScratch, Queries, QueryName, SquadContext, Tables, least_angle, request_config,
};
use sentir_squad::soldier::Soldier;
use sentir_squad::tactical_map::{EYE_M, TacticalMap, TacticalMapConfig};
use sentir_squad::team::{
    Alert, Briefing, FRIENDS_M, FRIENDS_MAX, Lead, Member, MemberReport, TeamScratch, WINDOW_CELLS,
};
use sentir_squad::tuning::Tuning;

#[path = "squad/alarm.rs"]
mod alarm;
#[path = "squad/decision.rs"]
mod decision;

const RATE: TickRate = TickRate::new(60);
const YARD: &str = "
name: yard
floors: [{ name: ground, up_m: 4 }]
solids:
  - slab: { outline: [[-14, -10], [14, -10], [14, 10], [-14, 10]], thickness_m: 0.5 }
  - wall: { along: [[-14, -10], [14, -10], [14, 10], [-14, 10]], is_closed: true, height_m: 3 }
  - box: { at: [0, 0], size: [1.5, 8], height_m: 2.5 }
  - box: { at: [-8, 5], size: [3, 0.7], height_m: 1.05 }
";

fn yard() -> TacticalMap {
    let level = sentir_level::parse(YARD.as_bytes(), "yard.yaml").unwrap().build().unwrap();
    TacticalMap::bake(level, &TacticalMapConfig::default()).unwrap()
}

fn agent(number: u64) -> AgentId {
    AgentId::from_bits(number << 32)
}

fn at(x: f32, y: f32) -> Vec3 {
    plane::lift(Vec2::new(x, y), 0.0)
}

/// A member who looks at a place.
fn member(number: u64, place: Vec3, looks_at: Vec3) -> Member {
    Member {
        agent: agent(number),
        position: place,
        velocity: Vec3::ZERO,
        yaw: plane::yaw(plane::ground(looks_at - place)),
        eye_m: 1.7,
        enemy: None,
        report: MemberReport::default(),
        claims: Claims::default(),
        fires_at: None,
        is_reloading: false,
        is_ready: true,
    }
}

fn seen(place: Vec3, tick: u64) -> Option<Other> {
    let body = Body { pose: Pose { position: place, yaw: 0.0 }, ..Body::default() };
    Some(Other::seen(agent(99), TeamId(2), &body, Tick(tick)))
}

/// A team over some ticks.
struct Yard {
    tactical_map: TacticalMap,
    tuning: Tuning,
    queries: Queries,
    coordinator: Coordinator,
    scratch: CoordinatorScratch,
    tick: u64,
}

/// What a yard coordinates by, and a moment.
macro_rules! by {
    ($yard:expr) => {
        (
            Tables { tactical_map: &$yard.tactical_map, tuning: &$yard.tuning, queries: &$yard.queries },
            SquadContext { now: Tick($yard.tick), rate: RATE, streams: Streams { seed: 3 }, place: 0 },
        )
    };
}

impl Yard {
    fn new() -> Yard {
        let tactical_map = yard();
        let coordinator = Coordinator::default();
        let (tuning, queries) = (Tuning::stock().unwrap(), Queries::stock().unwrap());
        Yard { tactical_map, tuning, queries, coordinator, scratch: CoordinatorScratch::default(), tick: 1 }
    }

    fn step(&mut self, members: &[Member], is_dead: bool) -> Alert {
        let mut members = members.to_vec();
        members.iter_mut().for_each(|it| it.report.is_target_dead |= is_dead);
        let (tables, moment) = by!(self);
        self.coordinator.update(&tables, &members, &moment, &mut self.scratch);
        self.tick += 1;
        self.coordinator.team.alert()
    }

    fn ask(&mut self, members: &[Member], number: usize, query: QueryName) -> Answer {
        let (tables, moment) = by!(self);
        let asker = Asker { members, me: &members[number] };
        self.coordinator.answer(&tables, asker, query as u16, &moment, &mut self.scratch)
    }

    fn place(&mut self, members: &[Member], number: usize, query: QueryName) -> Vec3 {
        match self.ask(members, number, query) {
            Answer::Place { at, .. } => at,
            other => panic!("{query:?}: {other:?}"),
        }
    }
}

#[test]
fn a_noise_makes_it_a_search_and_sight_a_fight_until_he_is_lost() {
    let mut yard = Yard::new();
    let (me, him) = (at(-10.0, -8.0), at(-4.0, -8.0));
    let quiet = member(1, me, him);
    assert_eq!(yard.step(&[quiet], false), Alert::Patrol);
    let heard = Member {
        report: MemberReport { heard: Some((at(8.0, 0.0), Tick(2), true)), ..MemberReport::default() },
        ..quiet
    };
    assert_eq!(yard.step(&[heard], false), Alert::Search);
    assert!(yard.coordinator.team.prediction().is_active());
    let sees = Member { enemy: seen(him, yard.tick), ..quiet };
    assert_eq!(yard.step(&[sees], false), Alert::Fight);
    assert!(!yard.coordinator.team.prediction().is_active() && yard.coordinator.team.is_seen());
    // Out of sight behind the block: still a fight, as nobody sees that he is gone.
    let behind = at(4.0, 0.0);
    let saw = Member { enemy: seen(behind, yard.tick), ..quiet };
    yard.step(&[saw], false);
    for _ in 0..60 {
        assert_eq!(yard.step(&[quiet], false), Alert::Fight);
    }
    // One who looks there and does not see him.
    let looks = member(2, at(10.0, 0.0), behind);
    let alerts: Vec<_> = (0..60).map(|_| yard.step(&[quiet, looks], false)).collect();
    assert_eq!(alerts.last(), Some(&Alert::Search));
    // And never back to patrol.
    assert!((0..3000).all(|_| yard.step(&[quiet], false) == Alert::Search));
}

#[test]
fn one_who_sees_him_keeps_all_in_the_fight() {
    let mut yard = Yard::new();
    let him = at(8.0, 0.0);
    let sees = Member { enemy: seen(him, 1), ..member(1, at(8.0, 8.0), him) };
    let looks_elsewhere = member(2, at(-10.0, 0.0), at(-12.0, 0.0));
    assert!((0..900).all(|_| yard.step(&[sees, looks_elsewhere], false) == Alert::Fight));
}

#[test]
fn a_hurt_starts_a_fight_with_a_guess_along_its_direction() {
    let mut yard = Yard::new();
    let me = member(1, at(-10.0, -8.0), at(-12.0, -8.0));
    let hurt = Member { report: MemberReport { hurt: Some((Vec3::X, Tick(1))), ..MemberReport::default() }, ..me };
    assert_eq!(yard.step(&[hurt], false), Alert::Fight);
    let lead = *yard.coordinator.team.lead().unwrap();
    assert!(lead.place.x > me.position.x + 5.0 && !lead.is_precise && lead.who.is_none());
}

#[test]
fn when_he_is_dead_it_is_over_for_good() {
    let mut yard = Yard::new();
    let him = at(8.0, 0.0);
    let sees = Member { enemy: seen(him, 1), ..member(1, at(8.0, 8.0), him) };
    yard.step(&[sees], false);
    assert_eq!(yard.step(&[sees], true), Alert::Idle);
    assert_eq!(yard.step(&[sees], false), Alert::Idle);
}

proptest! {
    /// The slow twin looks at everybody.
    #[test]
    fn members_are_told_of_the_nearest_friends(
        places in proptest::collection::vec((-80.0f32..80.0, -80.0f32..80.0), 2..40), me in 0usize..40,
    ) {
        let members: Vec<_> =
            (0u64..).zip(&places).map(|(n, &(x, y))| member(n, at(x, y), Vec3::ZERO)).collect();
        let me = me % members.len();
        let (mut scratch, mut briefing) = (TeamScratch::default(), Briefing::default());
        scratch.note_places(&members);
        scratch.tell_friends(&members, me, &mut briefing);
        let apart = |n: &usize| members[*n].position.distance(members[me].position);
        let mut slow: Vec<usize> = (0..members.len()).filter(|&n| n != me && apart(&n) <= FRIENDS_M).collect();
        slow.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
        slow.truncate(FRIENDS_MAX);
        let fast: Vec<_> = briefing.friends().map(|friend| friend.place.distance(members[me].position)).collect();
        prop_assert_eq!(fast.len(), slow.len());
        for (fast, slow) in fast.iter().zip(&slow) {
            prop_assert!((fast - apart(slow)).abs() < 1e-3);
        }
        prop_assert!(briefing.friends().all(|friend| friend.agent != members[me].agent));
    }
}

#[test]
fn a_squad_remembers_a_window_of_the_ground_whatever_the_level() {
    let text = "name: field\nfloors: [{ name: ground, up_m: 4 }]\nsolids:\n  - slab: { outline: [[-200, -150], [200, -150], [200, 150], \
                [-200, 150]], thickness_m: 0.5 }\n";
    let level = sentir_level::parse(text.as_bytes(), "field.yaml").unwrap().build().unwrap();
    let mut yard = Yard::new();
    yard.tactical_map = TacticalMap::bake(level, &TacticalMapConfig::default()).unwrap();
    let none = sentir_core::state::to_bytes(&yard.coordinator).len();
    assert!(none < 400, "{none} bytes before anything is known");
    // At a corner the window lies inside; the target is in it and spreads.
    for him in [at(-199.0, -149.0), at(0.0, 0.0), at(150.0, 148.0)] {
        fight(&mut yard, him);
        let me = member(1, him + Vec3::X * 20.0, him + Vec3::X * 60.0);
        for _ in 0..60 {
            yard.step(&[me], false);
        }
        let mut window = Grid::default();
        yard.coordinator.team.crop(&yard.tactical_map, &mut window);
        assert_eq!(window.size(), [WINDOW_CELLS; 2]);
        let map = yard.coordinator.team.prediction().map();
        assert!(map.fits(&window));
        let value = map.value_at(&window, plane::ground(him));
        assert!(value > 0.0, "{him}: {value}");
        let full = yard.tactical_map.grid().center(yard.tactical_map.grid().cell_at(plane::ground(him)).unwrap());
        let part = window.center(window.cell_at(plane::ground(him)).unwrap());
        assert!(full.distance(part) < 1e-3, "cells of the window are cells of the ground");
    }
    let bytes = sentir_core::state::to_bytes(&yard.coordinator).len();
    assert!(bytes < 60_000, "{bytes} bytes for a search on 400 by 300 m");
}

#[test]
fn questions_wait_for_the_quota_and_every_member_gets_its_answers() {
    let mut yard = Yard::new();
    fight(&mut yard, at(6.0, 0.0));
    let members: Vec<_> = (0..5u8).map(|n| member(n.into(), at(-9.0, f32::from(n) * 2.0 - 6.0), Vec3::ZERO)).collect();
    for (number, me) in (1..).zip(&members) {
        for twice in 0..2 {
            let question = Question::Place { query: QueryName::Attack as u16 };
            yard.coordinator.take(me.agent, Ask { ticket: Ticket(number * 2 + twice), question });
        }
    }
    let mut answers = Vec::new();
    for run in 1..=5 {
        let (tables, moment) = by!(yard);
        yard.coordinator.answer_waiting(&tables, &members, &moment, &mut yard.scratch, |who, ticket, _| {
            answers.push((who, ticket));
        });
        // One for every four members or part of four.
        assert_eq!(answers.len(), run * 2);
        yard.tick += 1;
    }
    answers.sort();
    answers.dedup();
    assert_eq!(answers.len(), 10);
    // Who is gone is not answered, and more than four of one are dropped.
    for ticket in 1..=9 {
        yard.coordinator.take(agent(0), Ask { ticket: Ticket(ticket), question: Question::Place { query: 0 } });
        yard.coordinator.take(agent(9), Ask { ticket: Ticket(ticket), question: Question::Place { query: 0 } });
    }
    yard.step(&members, false);
    let mut left = 0;
    for _ in 0..9 {
        let (tables, moment) = by!(yard);
        yard.coordinator.answer_waiting(&tables, &members, &moment, &mut yard.scratch, |who, _, _| {
            assert_eq!(who, agent(0));
            left += 1;
        });
    }
    assert_eq!(left, 4);
}

fn fight(yard: &mut Yard, him: Vec3) {
    let lead = Lead { who: None, place: him, velocity: Vec3::ZERO, at: Tick(1), is_precise: true, is_checked: false };
    let (tables, _) = by!(yard);
    yard.coordinator.team.brief(&tables, Alert::Fight, Some(lead));
}

#[test]
fn cover_is_out_of_his_sight_and_attack_in_it() {
    let mut yard = Yard::new();
    let him = at(6.0, -6.0);
    fight(&mut yard, him);
    let members = [member(1, at(-5.0, -7.0), him)];
    let cover = yard.place(&members, 0, QueryName::Cover);
    assert!(!yard.tactical_map.is_in_sight(him + Vec3::Y * EYE_M, cover, 1.0), "{cover}");
    let attack = yard.place(&members, 0, QueryName::Attack);
    assert!(yard.tactical_map.is_in_sight(him + Vec3::Y * EYE_M, attack, EYE_M), "{attack}");
}

#[test]
fn two_who_ask_in_one_tick_get_two_places_and_claims_end_with_their_owner() {
    let mut yard = Yard::new();
    let him = at(6.0, -6.0);
    fight(&mut yard, him);
    let mut members = [member(1, at(-5.0, -7.0), him), member(2, at(-5.0, -8.0), him)];
    let first = yard.place(&members, 0, QueryName::Cover);
    let second = yard.place(&members, 1, QueryName::Cover);
    assert!(first.distance(second) >= 1.6, "{first} and {second}");
    // Grants are forgotten, the claim is not.
    members[0].claims.take(ClaimKind::Cover, first);
    (0..60).for_each(|_| _ = yard.step(&members, false));
    fight(&mut yard, him);
    let third = yard.place(&members, 1, QueryName::Cover);
    assert!(first.distance(third) >= 1.6, "{first} and {third}");
    // Who is dead is no member, and has no claims.
    let alone = [members[1]];
    (0..60).for_each(|_| _ = yard.step(&alone, false));
    fight(&mut yard, him);
    assert!(yard.place(&alone, 0, QueryName::Cover).is_finite());
}

#[test]
fn an_unknown_query_and_one_without_a_lead_have_no_answer() {
    let mut yard = Yard::new();
    let members = [member(1, at(-5.0, -7.0), Vec3::ZERO)];
    assert!(matches!(yard.ask(&members, 0, QueryName::Attack), Answer::Nothing(_)));
    let (tables, moment) = by!(yard);
    let asker = Asker { members: &members, me: &members[0] };
    let answer = yard.coordinator.answer(&tables, asker, 77, &moment, &mut yard.scratch);
    assert_eq!(answer, Answer::Nothing(Cause::BadGoal));
}

#[test]
fn the_safest_way_is_seen_less_than_the_shortest() {
    let mut yard = Yard::new();
    let him = at(9.0, -8.0);
    fight(&mut yard, him);
    let (from, to) = (at(-4.0, -7.0), at(5.0, 7.0));
    let members = [member(1, from, him)];
    let mut ways = Vec::new();
    for method in [Method::Shortest, Method::Tactic] {
        let request = Request { method, ..Request::new(agent(1), from, to) };
        yard.coordinator.paths.requests.submit(request, Tick(1), &request_config(&yard.tuning, 1)).unwrap();
        let (tables, _) = by!(yard);
        yard.coordinator.find_paths(&tables, &members, Tick(1), &mut yard.scratch, |reply| {
            assert_eq!(reply.failure, None);
            ways.push(reply.path.to_vec());
        });
    }
    let exposed = |way: &[Vec3]| {
        let mut seen_m = 0.0;
        for pair in way.windows(2) {
            let steps = (pair[0].distance(pair[1]) / 0.1).ceil() as u32;
            for step in 0..steps {
                let spot = pair[0].lerp(pair[1], step as f32 / steps as f32);
                let is_seen = yard.tactical_map.is_in_sight(him + Vec3::Y * EYE_M, spot, EYE_M);
                seen_m += if is_seen { pair[0].distance(pair[1]) / steps as f32 } else { 0.0 };
            }
        }
        seen_m
    };
    let [short, safe] = [exposed(&ways[0]), exposed(&ways[1])];
    assert!(safe < 0.7 * short, "{safe} m of {short} m");
}

#[test]
fn the_stock_soldier_reads_and_a_broken_one_says_where() {
    assert!(Soldier::stock(yard()).is_ok());
    let text = sentir_squad::stock::TREE.1.replace("task: shelter", "task: shelther");
    let refused = Soldier::new(yard(), ("s.yaml", &text), Tuning::stock().unwrap()).err().unwrap().to_string();
    assert!(refused.contains("s.yaml:") && refused.contains("did you mean `shelter`?"), "{refused}");
}

#[test]
fn flanks_are_measured_as_the_least_angle() {
    let target = Vec3::ZERO;
    assert_eq!(least_angle(target, &[Vec3::X]), None);
    let right = least_angle(target, &[Vec3::X, Vec3::Z, -Vec3::X]).unwrap();
    assert!((right - sentir_core::math::FRAC_PI_2).abs() < 1e-5);
}

#[test]
fn a_level_without_ground_is_refused() {
    let text = "name: none\nfloors: [{ name: ground, up_m: 4 }]\nsolids:\n  - box: { at: [0, 0], size: [0.2, 0.2], height_m: 3 }\n";
    let level = sentir_level::parse(text.as_bytes(), "none.yaml").unwrap().build().unwrap();
    let refused = TacticalMap::bake(level, &TacticalMapConfig::default()).err().unwrap().to_string();
    assert!(!refused.is_empty());
}

/// The yard with two crates that are put away.
fn living_yard() -> TacticalMap {
    let crates = "pieces:\n  - { name: a, at: [0, 0], base_m: -6000, health: 1, solids: [{ box: { at: [0, 0], size: [1.2, 1.2], \
                  height_m: 2.5 } }] }\n  - { name: b, at: [0, 0], base_m: -6000, health: 1, solids: [{ box: { at: [0, 0], \
                  size: [1.2, 1.2], height_m: 2.5 } }] }\n";
    let level = sentir_level::parse(format!("{YARD}{crates}").as_bytes(), "yard.yaml").unwrap().build().unwrap();
    TacticalMap::bake(level, &TacticalMapConfig { is_dynamic: true, has_pieces: true, ..TacticalMapConfig::default() })
        .unwrap()
}

#[test]
fn a_theater_that_followed_every_change_is_the_one_made_anew_of_the_last() {
    let fresh = living_yard();
    let mut followed = fresh.clone();
    let mut state = LevelState::new(fresh.view().level);
    let mut obstacles = Obstacles::default();
    let mut ids = [None; 2];
    let places = [(0, 6.0, 3.0), (1, -6.0, -4.0), (0, 8.0, -5.0), (1, 5.0, 4.0), (0, -5.0, -5.0)];
    for (piece, x, y) in places {
        let pose = Pose { position: at(x, y), yaw: 0.4 * x };
        assert!(state.move_piece(fresh.view().level, PieceId(piece), pose));
        let tiles = fresh.tiles().unwrap();
        let made = obstacle_of(&fresh.view().level.pieces()[usize::from(piece)], &pose, tiles.half_cell_m()).unwrap();
        match ids[usize::from(piece)] {
            Some(id) => obstacles.move_to(tiles, id, made).unwrap(),
            None => ids[usize::from(piece)] = Some(obstacles.add(tiles, made, true).unwrap()),
        }
        obstacles.step(tiles, u32::MAX);
        assert!(followed.follow(&obstacles, &state).unwrap());
        assert!(!followed.follow(&obstacles, &state).unwrap(), "nothing changed since");
        assert!(followed.mesh().locate(at(x, y), 1.0).is_none(), "nobody walks through a crate");
        let eye = at(x, y) - Vec3::X * 1.5 + Vec3::Y * EYE_M;
        assert!(!followed.is_in_sight(eye, at(x, y) + Vec3::X * 1.5, EYE_M), "nor sees through it");
        let mut anew = fresh.clone();
        anew.follow(&obstacles, &state).unwrap();
        assert_eq!((followed.version(), followed.spread()), (anew.version(), anew.spread()));
        let (mut sweep, mut one, mut other) = (Sweep::default(), Region::default(), Region::default());
        for number in 0..60 {
            let from = at(-12.0 + 0.4 * number as f32, 7.5 - 0.25 * number as f32);
            followed.look(from, number % 2 == 0, &mut sweep, &mut one);
            anew.look(from, number % 2 == 0, &mut sweep, &mut other);
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "from {from}");
        }
    }
}

#[test]
fn ground_that_does_not_live_stays_as_it_is() {
    let mut yard = yard();
    let state = LevelState::new(yard.view().level);
    assert!(yard.tiles().is_none());
    assert!(!yard.follow(&Obstacles::default(), &state).unwrap());
}

/// A hall with a gallery over half of it that one can walk on, and under.
const HALL: &str = "
name: hall
floors: [{ name: all, level_m: 0, up_m: 20 }]
solids:
  - slab: { outline: [[0, 0], [30, 0], [30, 12], [0, 12]], thickness_m: 0.5 }
  - slab: { outline: [[0, 0], [14, 0], [14, 12], [0, 12]], base_m: 4, thickness_m: 0.3 }
  - box: { at: [7, 6], size: [1, 10], base_m: 4.3, height_m: 2.5 }
";

#[test]
fn who_stands_on_a_storey_that_no_floor_names_sees_by_the_walls_of_that_storey() {
    let level = sentir_level::parse(HALL.as_bytes(), "hall.yaml").unwrap().build().unwrap();
    let tactical_map = TacticalMap::bake(level, &TacticalMapConfig::default()).unwrap();
    let (mut sweep, mut region) = (Sweep::default(), Region::default());
    let up = tactical_map.ground(at(2.0, 6.0) + Vec3::Y * 4.2).unwrap().point;
    assert!(up.y > 3.8, "{up}");
    tactical_map.look(up, true, &mut sweep, &mut region);
    assert!(!region.contains(Vec2::new(12.0, 6.0)), "the wall up there is in the way");
    tactical_map.look(at(2.0, 6.0), true, &mut sweep, &mut region);
    assert!(region.contains(Vec2::new(12.0, 6.0)), "below there is none");
}

#[test]
fn a_look_at_one_storey_empties_no_cell_that_has_ground_on_another() {
    let level = sentir_level::parse(HALL.as_bytes(), "hall.yaml").unwrap().build().unwrap();
    let tactical_map = TacticalMap::bake(level, &TacticalMapConfig::default()).unwrap();
    let (mut sweep, mut region, mut watch) = (Sweep::default(), Region::default(), Watch::default());
    let from = at(25.0, 6.0);
    tactical_map.look(from, true, &mut sweep, &mut region);
    assert!(region.contains(Vec2::new(5.5, 6.5)));
    tactical_map.watch(from, &region, tactical_map.grid(), &mut watch);
    let grid = tactical_map.grid();
    let holds = |x: f32, y: f32| watch.holds(grid, grid.cell_at(Vec2::new(x, y)).unwrap());
    assert!(holds(20.5, 6.5), "seen, and nothing above");
    assert!(!holds(5.5, 6.5), "he may be on the gallery");
}
