//! What a formation must do: the best assignment, kept as far as it can be, and a march round a corner and through a door.

use super::*;
use crate::{Mover, Wall};
use proptest::prelude::*;
use sentir_core::state::{Noticed, from_bytes, perturb, to_bytes};

/// The best cost by going through all sets of units, slot after slot: the obvious twin.
fn best(units: &[Candidate], slots: &[Slot], places: &[Vec2], rule: Rule) -> Cost {
    let mut of_set: Vec<Option<Vec<Option<u16>>>> = vec![None; 1 << units.len()];
    of_set[0] = Some(vec![None; units.len()]);
    let judge = |taken: &Vec<Option<u16>>| assign::cost(units, slots, places, rule, taken);
    for (slot, wanted) in slots.iter().enumerate() {
        let mut next = of_set.clone();
        for (set, taken) in of_set.iter().enumerate() {
            let Some(taken) = taken else { continue };
            for (unit, candidate) in units.iter().enumerate() {
                let is_free = set & (1 << unit) == 0;
                if is_free && (rule != Rule::Hard || role::may(candidate.kind, wanted.role)) {
                    let mut more = taken.clone();
                    more[unit] = Some(slot as u16);
                    let place = &mut next[set | (1 << unit)];
                    if place.as_ref().is_none_or(|old| judge(&more) < judge(old)) {
                        *place = Some(more);
                    }
                }
            }
        }
        of_set = next;
    }
    of_set.iter().flatten().map(judge).min().unwrap()
}

/// Every multiset of one to eight of the four types.
fn mixes() -> Vec<Vec<UnitType>> {
    let mut mixes = Vec::new();
    for size in 1..=8usize {
        for light in 0..=size {
            for heavy in 0..=size - light {
                for spy in 0..=size - light - heavy {
                    let counts = [light, heavy, spy, size - light - heavy - spy];
                    let one = UnitType::ALL.into_iter().zip(counts);
                    mixes.push(one.flat_map(|(kind, count)| std::iter::repeat_n(kind, count)).collect());
                }
            }
        }
    }
    mixes
}

fn candidates(mix: &[UnitType]) -> Vec<Candidate> {
    let place = |number: usize| Vec2::new((number * 7 % 5) as f32 * 1.3 - 2.0, (number * 11 % 7) as f32 - 3.0);
    let unit = |(number, &kind): (usize, &UnitType)| Candidate { kind, position: place(number), slot: None };
    mix.iter().enumerate().map(unit).collect()
}

fn laid_out(pattern: Pattern, units: usize) -> (Vec<Slot>, Vec<Vec2>) {
    let mut slots = Vec::new();
    pattern.lay_out(units, 1.5, &mut slots);
    let places = slots.iter().map(|slot| slot.offset).collect();
    (slots, places)
}

#[test]
fn every_mix_of_up_to_eight_is_assigned_as_well_as_can_be() {
    let mixes = mixes();
    assert_eq!(mixes.len(), 494);
    let mut taken = Vec::new();
    for mix in &mixes {
        for pattern in Pattern::ALL {
            let (units, (slots, places)) = (candidates(mix), laid_out(pattern, mix.len()));
            for rule in [Rule::Hard, Rule::Soft, Rule::Plain] {
                assign::assign(&units, &slots, &places, rule, &mut taken);
                let cost = assign::cost(&units, &slots, &places, rule, &taken);
                assert_eq!(cost, best(&units, &slots, &places, rule), "{mix:?} {pattern:?} {rule:?}: {taken:?}");
                let mut used: Vec<u16> = taken.iter().flatten().copied().collect();
                used.sort();
                used.dedup();
                assert_eq!(used.len(), taken.iter().flatten().count(), "two in one slot");
                let breaks = units
                    .iter()
                    .zip(&taken)
                    .any(|(unit, slot)| slot.is_some_and(|slot| !role::may(unit.kind, slots[usize::from(slot)].role)));
                assert!(rule != Rule::Hard || !breaks, "{mix:?} breaks a rule");
                let full = slots.len().min(units.len());
                assert!(rule == Rule::Hard || used.len() == full, "{mix:?} leaves a slot empty");
            }
        }
    }
}

proptest! {
    #[test]
    fn with_slots_held_before_the_assignment_is_still_the_best(
        kinds in prop::collection::vec((0usize..4, -9i8..9, -9i8..9), 1..7), which in 0usize..7, rule in 0usize..3, clamped in any::<[u8; 7]>()
    ) {
        let (slots, places) = laid_out(Pattern::ALL[which], kinds.len());
        let mut free: Vec<u16> = (0..slots.len() as u16).collect();
        let units: Vec<Candidate> = kinds.iter().zip(clamped).map(|(&(kind, x, y), clamped)| {
            let slot = (clamped % 3 > 0 && !free.is_empty()).then(|| free.remove(usize::from(clamped) % free.len()));
            Candidate { kind: UnitType::ALL[kind], position: Vec2::new(x.into(), y.into()), slot }
        }).collect();
        let rule = [Rule::Plain, Rule::Hard, Rule::Soft][rule];
        let mut taken = Vec::new();
        assign::assign(&units, &slots, &places, rule, &mut taken);
        prop_assert_eq!(assign::cost(&units, &slots, &places, rule, &taken), best(&units, &slots, &places, rule));
    }
}

fn squad(mix: &[UnitType]) -> Vec<Recruit> {
    let recruit = |(number, unit): (usize, &Candidate)| Recruit {
        agent: AgentId::from_bits(number as u64 + 1),
        kind: unit.kind,
        position: unit.position,
    };
    candidates(mix).iter().enumerate().map(recruit).collect()
}

fn clamped(formation: &Formation) -> Vec<(AgentId, Option<u16>)> {
    formation.members().iter().map(|member| (member.agent, member.slot)).collect()
}

#[test]
fn when_one_dies_or_joins_the_others_keep_their_slots_but_for_one_who_closes_up() {
    for pattern in [Pattern::Circle, Pattern::Triangle, Pattern::Squares, Pattern::Column, Pattern::Line] {
        let squad = squad(&[UnitType::Light; 12]);
        let at = |agent: AgentId| squad.iter().find(|one| one.agent == agent).map(|one| one.position);
        let formation = Formation::form(pattern, Rule::Plain, 1.2, &squad, 0.3);
        for (victim, lost) in squad.iter().enumerate() {
            let mut left = formation.clone();
            let before = clamped(&left);
            assert!(left.leave(lost.agent, at) && !left.leave(lost.agent, at));
            let same = clamped(&left).iter().filter(|one| before.contains(one)).count();
            // The dead leader's heir goes to slot 0 and one more fills the heir's.
            let moves = if victim == 0 { 2 } else { 1 };
            assert!(same >= 11 - moves, "{pattern:?} without {victim}: {same} keep their slots");
            assert_eq!((left.cost().empty, left.cost().role), (0, 0));
            let before = clamped(&left);
            assert!(left.join(*lost, at) && !left.join(*lost, at));
            assert!(
                before.iter().all(|one| clamped(&left).contains(one)),
                "{pattern:?}: a newcomer drove somebody out"
            );
            assert_eq!(left.cost().empty, 0);
        }
    }
}

const OPEN: MarchGround<'static> = MarchGround { walls: &[], radius_m: 0.3, speed_m_per_s: 1.5 };

/// Four on the slots of a diamond, the leader in `frame`, and two heavy ones who are left over, all in that frame.
fn diamond(frame: &Moving, spares: [Vec2; 2]) -> Vec<Recruit> {
    use UnitType::{Heavy, Light, Ranged, Spy};
    let kinds = [Heavy, Ranged, Spy, Light, Heavy, Heavy];
    let formed = [[0.0, 0.0], [0.0, -3.0], [-1.5, -1.5], [1.5, -1.5]].map(Vec2::from);
    let place = |local: Vec2| frame.to_world(local);
    let mut squad: Vec<Recruit> = Vec::new();
    for (number, (kind, local)) in (1..).zip(kinds.into_iter().zip(formed.into_iter().chain(spares))) {
        squad.push(Recruit { agent: AgentId::from_bits(number), kind, position: place(local) });
    }
    squad
}

/// Marches straight ahead by tenths of a meter.
fn go_straight(formation: &mut Formation, frame: &Moving, steps: u8) -> Vec2 {
    let way = |step: u8| frame.heading() * (f32::from(step) * 0.1);
    for step in 1..=steps {
        formation.step(&Moving { position: frame.position + way(step), ..*frame }, &[], &OPEN, 0.0, 0.02);
    }
    way(steps)
}

#[test]
fn when_the_leader_falls_who_is_nearest_to_its_slot_takes_it() {
    for (yaw, steps) in [0.0, 1.0, -2.0].into_iter().flat_map(|yaw| [(yaw, 0), (yaw, 1), (yaw, 60)]) {
        let frame = Moving { yaw, ..Moving::at(Vec2::new(3.0, 1.0)) };
        // The slot is three meters ahead of the heir; the first of the spares stands as far behind it.
        let squad = diamond(&frame, [Vec2::new(0.0, -5.7), Vec2::new(0.8, 0.0)]);
        let mut formation = Formation::form(Pattern::Diamond, Rule::Hard, 1.5, &squad, yaw);
        let slots = |formation: &Formation| clamped(formation).into_iter().map(|(_, slot)| slot).collect::<Vec<_>>();
        assert_eq!(slots(&formation), [Some(0), Some(3), Some(1), Some(2), None, None]);
        let way = go_straight(&mut formation, &frame, steps);
        let at = |agent: AgentId| squad.iter().find(|one| one.agent == agent).map(|one| one.position + way);
        assert!(formation.leave(squad[0].agent, at));
        assert_eq!(slots(&formation), [Some(3), Some(1), Some(2), None, Some(0)], "{yaw} rad, {steps} steps");
    }
}

#[test]
fn when_a_follower_falls_while_the_leader_stands_on_its_last_footprint_the_nearest_closes_up() {
    let frame = Moving { yaw: 2.0, ..Moving::at(Vec2::new(3.0, 1.0)) };
    let fallen = Vec2::new(1.5, -1.5);
    // The first of the spares stands where the slot would be, were the formation to look north.
    let squad = diamond(&frame, [frame.to_local(frame.position + fallen), fallen - Vec2::Y * 0.7]);
    let mut formation = Formation::form(Pattern::Diamond, Rule::Hard, 1.5, &squad, frame.yaw);
    let way = go_straight(&mut formation, &frame, 1);
    assert_eq!(formation.trail().points().last(), Some(&(frame.position + way)));
    let at = |agent: AgentId| squad.iter().find(|one| one.agent == agent).map(|one| one.position + way);
    assert!(formation.leave(squad[3].agent, at));
    assert_eq!(formation.holder(2), Some(squad[5].agent));
}

#[test]
fn an_heir_has_the_others_behind_it_even_if_nobody_has_gone_a_step_yet() {
    for (yaw, steps) in [(0.0, 0), (1.0, 0), (1.0, 3), (1.0, 60)] {
        let frame = Moving { yaw, ..Moving::at(Vec2::ONE) };
        let mut squad = squad(&[UnitType::Light; 4]);
        (0..4u8).zip(&mut squad).for_each(|(row, one)| one.position = frame.to_world(Vec2::Y * f32::from(row) * -1.2));
        let mut formation = Formation::form(Pattern::Column, Rule::Plain, 1.2, &squad, yaw);
        let way = go_straight(&mut formation, &frame, steps);
        let at = |agent: AgentId| squad.iter().find(|one| one.agent == agent).map(|one| one.position + way);
        assert!(formation.leave(squad[0].agent, at));
        let heir = Moving { position: squad[1].position + way, ..frame };
        let mut poses = Vec::new();
        formation.poses(&heir, &[], &OPEN, &mut poses);
        for (row, pose) in (0..3u8).zip(&poses) {
            let local = heir.to_local(pose.position);
            assert!(
                local.distance(Vec2::Y * f32::from(row) * -1.2) < 0.05,
                "{yaw} rad, {steps} steps: {row} at {local}"
            );
        }
    }
}

#[test]
fn the_first_selected_leads_from_slot_0_and_more_than_fit_stay_selected() {
    let squad = squad(&[UnitType::Ranged; 9]);
    let formation = Formation::form(Pattern::Diamond, Rule::Plain, 1.2, &squad, 0.0);
    assert_eq!(formation.leader(), Some(squad[0].agent));
    assert_eq!((formation.slot_of(squad[0].agent), formation.holder(0)), (Some(0), Some(squad[0].agent)));
    assert_eq!(formation.members().len(), 9);
    assert_eq!(formation.members().iter().filter(|member| member.slot.is_some()).count(), 4);
    // Nobody here may be tank or melee: two slots stay empty, and the first who has one leads.
    let hard = Formation::form(Pattern::Diamond, Rule::Hard, 1.2, &squad, 0.0);
    assert_eq!((hard.cost().empty, hard.holder(0)), (2, None));
    assert!(hard.leader().is_some_and(|leader| hard.slot_of(leader).is_some()));
    assert_eq!(Formation::form(Pattern::Line, Rule::Soft, 1.2, &[], 0.0).leader(), None);
}

#[test]
fn odd_numbers_have_defined_outcomes() {
    for odd in [f32::NAN, f32::INFINITY, 1e30, -1e30] {
        let mut squad = squad(&UnitType::ALL);
        squad[1].position = Vec2::splat(odd);
        let mut formation = Formation::form(Pattern::Triangle, Rule::Plain, odd, &squad, odd);
        assert_eq!(formation.members().iter().filter(|member| member.slot.is_some()).count(), 4);
        let walls = [Wall { from: Vec2::splat(odd), to: Vec2::ONE }];
        let ground = MarchGround { walls: &walls, radius_m: 0.3, speed_m_per_s: 1.5 };
        let leader = Moving { yaw: 0.5, ..Moving::at(Vec2::ONE) };
        let mut poses = Vec::new();
        for _ in 0..5 {
            formation.step(&leader, &[Vec2::splat(odd)], &ground, odd, 0.02);
            formation.poses(&leader, &[], &ground, &mut poses);
            assert!(poses.len() == 4 && formation.pace().is_finite(), "{poses:?}");
        }
    }
}

#[test]
fn a_formation_is_saved_whole() {
    let mut formation = Formation::form(Pattern::Squares, Rule::Soft, 1.2, &squad(&UnitType::ALL), 0.0);
    let ground = MarchGround { walls: &[], radius_m: 0.3, speed_m_per_s: 1.5 };
    formation.step(&Moving::at(Vec2::new(0.0, 0.4)), &[], &ground, 1.0, 0.02);
    let twin: Formation = from_bytes(&to_bytes(&formation)).unwrap();
    assert_eq!(twin, formation);
    assert!(perturb(&formation).iter().all(|one| one.outcome != Noticed::No));
}

/// An L of a corridor and open ground: a solid to go round, and a wall with a door behind it.
fn course() -> Vec<Wall> {
    let solid = |low: [f32; 2], high: [f32; 2]| {
        let border = [low, [high[0], low[1]], high, [low[0], high[1]]].map(Vec2::from);
        Wall::around(&border).collect::<Vec<_>>()
    };
    [
        solid([-20.0, -1.0], [6.0, 0.0]),
        // A door 1.4 m wide at y = 7.
        solid([1.85, 0.0], [2.15, 6.3]),
        solid([1.85, 7.7], [2.15, 20.0]),
    ]
    .concat()
}

/// What a march came to.
#[derive(Debug, Default)]
struct March {
    /// Worst error 3 s after each corner, m.
    after_corner_m: Vec<f32>,
    /// Worst error at the end, m.
    end_m: f32,
    /// Whether all are through the door, and when, s.
    through_s: Option<f32>,
    /// The farthest anybody moved in the last second, m.
    fidget_m: f32,
    /// Whether anybody's middle was ever in a wall.
    in_wall: bool,
    narrow_most: f32,
}

/// Point masses along a path: the leader follows it, the others hold their slots.
fn march(pattern: Pattern, count: usize) -> March {
    const TICK_S: f32 = 1.0 / 60.0;
    let walls = course();
    let path = [[-12.0, -7.0], [12.0, -7.0], [12.0, 7.0], [-16.0, 7.0]].map(Vec2::from);
    let start = |number: usize| path[0] - Vec2::new((number % 4) as f32, (number / 4) as f32 - 1.0);
    let mut units: Vec<Mover> = (0..count)
        .map(|number| Mover {
            at: Moving { radius_m: 0.3, yaw: -math::FRAC_PI_2, ..Moving::at(start(number)) },
            speed_m_per_s_max: 3.0,
            ..Mover::default()
        })
        .collect();
    let recruits: Vec<Recruit> = (0..count)
        .map(|number| Recruit {
            agent: AgentId::from_bits(number as u64),
            kind: UnitType::Light,
            position: start(number),
        })
        .collect();
    let mut formation = Formation::form(pattern, Rule::Plain, 1.2, &recruits, -math::FRAC_PI_2);
    let ground = MarchGround { walls: &walls, radius_m: 0.3, speed_m_per_s: 1.6 };
    let (mut poses, mut old, mut next) = (Vec::new(), Vec::<SlotPose>::new(), 1);
    let (mut result, mut corners, mut rest) = (March::default(), Vec::new(), Vec::new());
    for tick in 0..60 * 75 {
        let leader = units[0].at;
        formation.poses(&leader, &path[next.min(4)..], &ground, &mut poses);
        let errors: Vec<f32> = formation
            .members()
            .iter()
            .zip(&units)
            .filter_map(|(member, unit)| {
                member.slot.map(|slot| poses[usize::from(slot)].position.distance(unit.at.position))
            })
            .collect();
        let worst = errors.iter().copied().fold(0.0, math::max);
        formation.step(&leader, &path[next.min(4)..], &ground, worst, TICK_S);
        result.narrow_most = math::max(result.narrow_most, formation.narrow);
        if let Some(&goal) = path.get(next) {
            if goal.distance(leader.position) < 0.3 {
                corners.push(tick);
                next += 1;
            }
            let speed = math::min(1.6 * formation.pace(), goal.distance(leader.position) * 2.0 + 0.2);
            units[0].at.velocity = plane::direction(goal - leader.position) * speed;
            units[0].at.yaw = plane::yaw(goal - leader.position);
        } else {
            units[0].at.velocity = Vec2::ZERO;
        }
        for (unit, member) in units.iter_mut().zip(formation.members()).skip(1) {
            let Some(slot) = member.slot.map(usize::from) else { continue };
            let before = old.get(slot).map_or(poses[slot].position, |pose| pose.position);
            let moved = (poses[slot].position - before) / TICK_S;
            let velocity = if moved.length() < 6.0 { moved } else { Vec2::ZERO };
            unit.at.velocity =
                unit.velocity_after(unit.toward(hold::wanted(unit, poses[slot].position, velocity)), TICK_S);
        }
        units.iter_mut().for_each(|unit| unit.at.position += unit.at.velocity * TICK_S);
        result.in_wall |= units.iter().any(|unit| trail::is_inside(unit.at.position, &walls));
        if corners.iter().take(2).any(|&corner| tick == corner + 180) {
            result.after_corner_m.push(worst);
        }
        let mut formed = units.iter().zip(formation.members()).filter(|(_, member)| member.slot.is_some());
        if result.through_s.is_none() && formed.all(|(unit, _)| unit.at.position.x < 1.5 && unit.at.position.y > 1.0) {
            result.through_s = Some(tick as f32 * TICK_S);
        }
        if tick == 60 * 74 {
            rest = units.iter().map(|unit| unit.at.position).collect();
        }
        result.end_m = worst;
        std::mem::swap(&mut old, &mut poses);
    }
    let moved = units.iter().zip(&rest).map(|(unit, rest)| unit.at.position.distance(*rest));
    result.fidget_m = moved.fold(0.0, math::max);
    result
}

#[test]
fn every_pattern_bends_round_corners_and_goes_through_the_door() {
    for pattern in Pattern::ALL {
        let result = march(pattern, 12);
        assert_eq!(result.after_corner_m.len(), 2, "{pattern:?} {result:?}");
        assert!(result.after_corner_m.iter().all(|&error| error < 1.0), "{pattern:?} {result:?}");
        assert!(result.through_s.is_some() && !result.in_wall, "{pattern:?} {result:?}");
        assert!(result.end_m < 0.2 && result.fidget_m < 0.01, "{pattern:?} {result:?}");
        assert!(pattern == Pattern::Column || result.narrow_most > 1.9, "{pattern:?} {result:?}");
    }
}

#[test]
fn slots_that_fall_into_a_wall_move_in_toward_the_way() {
    // A line of nine, 1.2 m apart, with a wall 3 m to its right.
    let border = [[1.0, -9.0], [2.0, -9.0], [2.0, 9.0], [1.0, 9.0]].map(Vec2::from);
    let walls: Vec<Wall> = Wall::around(&border).collect();
    let squad = squad(&[UnitType::Light; 9]);
    let formation = Formation::form(Pattern::Line, Rule::Plain, 1.2, &squad, 0.0);
    let leader = Moving::at(squad[0].position);
    let ground = MarchGround { walls: &walls, radius_m: 0.3, speed_m_per_s: 1.5 };
    let mut poses = Vec::new();
    formation.poses(&leader, &[], &ground, &mut poses);
    let mut places: Vec<f32> = poses.iter().map(|pose| pose.position.x - leader.position.x).collect();
    places.sort_by(f32::total_cmp);
    assert!(places.last().is_some_and(|&last| last <= 2.7), "{places:?}");
    assert!(places.windows(2).all(|pair| pair[1] - pair[0] > 0.55), "{places:?}");
    assert!((places[0] + 4.8).abs() < 1e-3, "the free side keeps its places: {places:?}");
}

#[test]
fn a_column_with_a_wall_behind_it_moves_up() {
    let border = [[-9.0, -9.0], [9.0, -9.0], [9.0, -8.0], [-9.0, -8.0]].map(Vec2::from);
    let walls: Vec<Wall> = Wall::around(&border).collect();
    let squad = squad(&[UnitType::Light; 6]);
    let formation = Formation::form(Pattern::Column, Rule::Plain, 1.2, &squad, 0.0);
    assert_eq!(squad[0].position.y, -3.0);
    let ground = MarchGround { walls: &walls, radius_m: 0.3, speed_m_per_s: 1.5 };
    let mut poses = Vec::new();
    formation.poses(&Moving::at(squad[0].position), &[], &ground, &mut poses);
    assert!(poses[5].position.y >= -7.71 && poses[5].position.y < -7.5, "{poses:?}");
    assert!(poses.windows(2).all(|pair| pair[0].position.y - pair[1].position.y > 0.8), "{poses:?}");
}
