//! Ordering a group: a formation follows its leader, a loose group spreads out round the place.

use sentir_core::glam::Vec2;
use sentir_core::id::AgentId;
use sentir_core::random::Stream;
use sentir_core::{math, plane};

use super::Formation;
use super::trail::{is_clear, is_inside};
use crate::Wall;

/// What an order comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordered {
    /// All selected are in formation, the leader among them: only the leader goes, the others keep their slots.
    March,
    /// Each goes on its own. If one of them was of the formation, that is no more; else it stays as it is.
    Scatter,
    /// Nobody is selected.
    Nobody,
}

/// Places tried per unit before it is left where it is.
const TRIES: usize = 64;

/// An order to some agents to go to a place.
#[derive(Clone, Copy, Debug)]
pub struct GroupOrder<'a> {
    /// Who is to go.
    pub selected: &'a [AgentId],
    /// Where, m. One that is not finite is an order to nobody.
    pub place: Vec2,
    /// The radius of each of them, m; 0.3 if it is not above 0.
    pub radius_m: f32,
    /// What they keep out of.
    pub walls: &'a [Wall],
}

/// Where an agent is to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Destination {
    /// Who.
    pub agent: AgentId,
    /// Where, m.
    pub place: Vec2,
}

/// Orders a group to a place. `out` says who goes where: the leader to the place itself, or everybody to a point of its own
/// near it, no two nearer than two radii, none in a wall or on the other side of one. Who finds no such point gets none.
pub fn order(
    formation: &mut Formation,
    group: &GroupOrder<'_>,
    random: &mut Stream,
    out: &mut Vec<Destination>,
) -> Ordered {
    let &GroupOrder { selected, place, .. } = group;
    out.clear();
    if selected.is_empty() || !place.is_finite() {
        return Ordered::Nobody;
    }
    if let Some(leader) = formation.leader()
        && selected.contains(&leader)
        && selected.iter().all(|&agent| formation.slot_of(agent).is_some())
    {
        out.push(Destination { agent: leader, place });
        return Ordered::March;
    }
    if formation.members().iter().any(|member| selected.contains(&member.agent)) {
        formation.dissolve();
    }
    scatter(group, random, out);
    Ordered::Scatter
}

/// Gives everybody a point near a place: a spiral of even density, turned at random, with what lies in walls left out.
fn scatter(group: &GroupOrder<'_>, random: &mut Stream, out: &mut Vec<Destination>) {
    /// The golden angle, rad: no two arms of the spiral line up.
    const GOLDEN: f32 = 2.399_963_2;
    let &GroupOrder { selected, place, radius_m, walls } = group;
    let radius_m = if radius_m > 0.0 && radius_m.is_finite() { radius_m } else { 0.3 };
    let (turn, apart_m) = (random.between(0.0, math::TAU), radius_m * 2.2);
    let is_in_solid = is_inside(place, walls);
    let is_open = |point: Vec2| {
        let far = walls.iter().all(|wall| wall.nearest(point).distance(point) >= radius_m);
        far && !is_inside(point, walls) && (is_in_solid || is_clear(place, point, 0.0, walls))
    };
    let mut next = 0;
    for &agent in selected {
        let last = next + TRIES;
        while next < last {
            let jitter = Vec2::new(random.between(-0.2, 0.2), random.between(-0.2, 0.2)) * apart_m;
            let arm = plane::heading(turn + next as f32 * GOLDEN) * ((next as f32).sqrt() * apart_m);
            let point = place + arm + jitter;
            next += 1;
            if is_open(point) && out.iter().all(|other| other.place.distance(point) >= apart_m) {
                out.push(Destination { agent, place: point });
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formation::{Pattern, Recruit, Rule, UnitType};
    use proptest::prelude::*;
    use sentir_core::random::{Purpose, Streams};

    fn stream(seed: u64) -> Stream {
        Streams { seed }.stream(0, Purpose::new("order"))
    }

    fn to<'a>(selected: &'a [AgentId], place: Vec2, walls: &'a [Wall]) -> GroupOrder<'a> {
        GroupOrder { selected, place, radius_m: 0.3, walls }
    }

    fn squad(count: u64) -> Vec<Recruit> {
        let recruit = |number: u64| Recruit {
            agent: AgentId::from_bits(number + 1),
            kind: UnitType::Light,
            position: Vec2::new(number as f32, 0.0),
        };
        (0..count).map(recruit).collect()
    }

    #[test]
    fn only_the_leader_of_a_whole_formation_gets_the_path() {
        let squad = squad(6);
        let all: Vec<AgentId> = squad.iter().map(|one| one.agent).collect();
        let (mut out, place) = (Vec::new(), Vec2::new(9.0, 9.0));
        let mut formation = Formation::form(Pattern::Line, Rule::Plain, 1.2, &squad, 0.0);
        let ordered = order(&mut formation, &to(&all, place, &[]), &mut stream(1), &mut out);
        assert_eq!((ordered, out.as_slice()), (Ordered::March, [Destination { agent: all[0], place }].as_slice()));
        // Four of six form; with the other two selected, it is no formation.
        let mut formation = Formation::form(Pattern::Diamond, Rule::Plain, 1.2, &squad, 0.0);
        assert_eq!(formation.members().len(), 6);
        let ordered = order(&mut formation, &to(&all, place, &[]), &mut stream(1), &mut out);
        assert_eq!((ordered, out.len(), formation.leader()), (Ordered::Scatter, 6, None));
        assert_eq!(order(&mut formation, &to(&[], place, &[]), &mut stream(1), &mut out), Ordered::Nobody);
        assert_eq!(order(&mut formation, &to(&all, Vec2::NAN, &[]), &mut stream(1), &mut out), Ordered::Nobody);
    }

    #[test]
    fn followers_without_their_leader_go_on_their_own_and_end_the_formation() {
        let squad = squad(6);
        let followers: Vec<AgentId> = squad[2..5].iter().map(|one| one.agent).collect();
        let mut formation = Formation::form(Pattern::Line, Rule::Plain, 1.2, &squad, 0.0);
        let mut out = Vec::new();
        let ordered = order(&mut formation, &to(&followers, Vec2::new(9.0, 9.0), &[]), &mut stream(1), &mut out);
        let sent: Vec<AgentId> = out.iter().map(|it| it.agent).collect();
        assert_eq!((ordered, sent, formation.members().len()), (Ordered::Scatter, followers, 0));
    }

    #[test]
    fn a_formation_is_left_alone_by_orders_to_others() {
        let squad = squad(8);
        let others: Vec<AgentId> = squad[5..].iter().map(|one| one.agent).collect();
        let formed = Formation::form(Pattern::Line, Rule::Plain, 1.2, &squad[..5], 0.0);
        let (mut formation, mut out) = (formed.clone(), Vec::new());
        let ordered = order(&mut formation, &to(&others, Vec2::new(9.0, 9.0), &[]), &mut stream(1), &mut out);
        assert_eq!((ordered, out.len(), &formation), (Ordered::Scatter, 3, &formed));
    }

    proptest! {
        #[test]
        fn scattered_points_are_apart_and_out_of_walls(seed in any::<u64>(), x in -8.0f32..8.0, y in -8.0f32..8.0, count in 1u64..30) {
            let border = [[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]].map(Vec2::from);
            let walls: Vec<Wall> = Wall::around(&border).collect();
            let (place, squad) = (Vec2::new(x, y), squad(count));
            let all: Vec<AgentId> = squad.iter().map(|one| one.agent).collect();
            let (mut out, mut again) = (Vec::new(), Vec::new());
            order(&mut Formation::default(), &to(&all, place, &walls), &mut stream(seed), &mut out);
            order(&mut Formation::default(), &to(&all, place, &walls), &mut stream(seed), &mut again);
            prop_assert_eq!(&out, &again);
            let inside = is_inside(place, &walls);
            prop_assert!(inside || out.len() == all.len(), "{} of {}", out.len(), all.len());
            for (number, &Destination { place: point, .. }) in out.iter().enumerate() {
                let nearest = point.clamp(Vec2::splat(-3.0), Vec2::splat(3.0));
                prop_assert!(point.distance(nearest) >= 0.299, "{} is in the wall", point);
                prop_assert!(point.distance(place) < 12.0);
                prop_assert!(out[..number].iter().all(|other| other.place.distance(point) >= 0.6));
            }
        }
    }
}
