//! A formation on the move: where its slots are, and how it narrows.

use sentir_core::glam::Vec2;
use sentir_core::{math, plane};

use super::Formation;
use super::hold::{self, PACE_MIN, SlotPose};
use super::trail::{Way, cut, room};
use crate::{Moving, Wall};

/// What a formation goes over: walls, and how wide one of it is.
#[derive(Clone, Copy, Debug)]
pub struct MarchGround<'a> {
    /// The walls.
    pub walls: &'a [Wall],
    /// Room that a unit needs to either side, m. Limit: > 0.
    pub radius_m: f32,
    /// The leader's speed when nothing holds it up, m/s. Limit: > 0.
    pub speed_m_per_s: f32,
}

/// Room between two who go side by side or one behind the other in a file, m.
const GAP_M: f32 = 0.35;
/// Distance between two places where the room beside the way is measured, m.
const SAMPLE_M: f32 = 0.5;
/// How far ahead a place begins to count beside the way that narrowing takes, m.
const LOOK_M: f32 = 1.5;
/// How fast slots glide over at least, m/s: when the leader stands before a door.
const GLIDE_M_PER_S: f32 = 0.7;
/// How fast the pace changes, share per second.
const PACE_PER_S: f32 = 1.5;

/// How much of a glide is spent on falling back, and on closing in sideways: first one behind the other, then together, so
/// that slots do not run into each other on the way.
const BACK_SHARE: f32 = 0.7;
const ASIDE_SHARE: f32 = 0.6;

/// A share `t` of the way from one arrangement to the next narrower one.
fn glided(from: Vec2, to: Vec2, t: f32) -> Vec2 {
    let aside = math::saturate((t - 1.0) / ASIDE_SHARE + 1.0);
    Vec2::new(math::lerp(from.x, to.x, aside), math::lerp(from.y, to.y, math::saturate(t / BACK_SHARE)))
}

/// An arc length with what lies past the known way drawn in by a share, so that a column moves up before a wall.
fn drawn_in(arc_m: f32, known: (f32, f32), share: [f32; 2]) -> f32 {
    if arc_m < -known.0 {
        (arc_m + known.0) * share[0] - known.0
    } else if arc_m > known.1 {
        (arc_m - known.1) * share[1] + known.1
    } else {
        arc_m
    }
}

impl Formation {
    /// Distance between two in a file, m.
    fn file_m(&self, ground: &MarchGround<'_>) -> f32 {
        2.0 * ground.radius_m + GAP_M
    }

    /// Where the slots lie, x to the right of the way and y along it, from the leader: in the pattern (0), in a double file
    /// (1), in a single one (2), or in between.
    fn local(&self, ground: &MarchGround<'_>, narrow: f32) -> impl Iterator<Item = Vec2> {
        let ((origin, lead), file_m) = (self.base(), self.file_m(ground));
        let rank_of = move |slot: usize| i32::from(self.ranks.get(slot).copied().unwrap_or(0)) - i32::from(lead);
        self.slots.iter().enumerate().map(move |(number, slot)| {
            let (open, rank) = (slot.offset - origin, rank_of(number));
            let single = Vec2::new(0.0, -(rank as f32) * file_m);
            // Pairs behind (or ahead of) the leader, who goes alone; of a pair, who is on the left stays there.
            let row = (rank.abs() + 1) / 2 * rank.signum();
            let mate = if rank % 2 == 0 { rank - rank.signum() } else { rank + rank.signum() };
            let mate = usize::try_from(mate + i32::from(lead)).ok().filter(|_| rank != 0);
            let mate = mate.and_then(|mate| self.file.get(mate)).and_then(|&mate| self.slots.get(usize::from(mate)));
            let mate_x = mate.map_or(0.0, |mate| mate.offset.x - origin.x);
            let is_left = open.x < mate_x || (open.x == mate_x && rank % 2 != 0);
            let side = if rank == 0 {
                0.0
            } else if is_left {
                -0.5
            } else {
                0.5
            };
            let double = Vec2::new(side * file_m, -(row as f32) * file_m);
            if narrow <= 1.0 { glided(open, double, narrow) } else { glided(double, single, narrow - 1.0) }
        })
    }

    /// Fills `out` with where every slot is now, by slot. `ahead` is what is left of the leader's path, next first.
    pub fn poses(&self, leader: &Moving, ahead: &[Vec2], ground: &MarchGround<'_>, out: &mut Vec<SlotPose>) {
        out.clear();
        let way = Way { behind: self.trail.points(), here: leader.position, heading: leader.heading(), ahead };
        let (wide, known) = (self.half_width(ground, self.narrow), (way.behind_m(), way.ahead_m()));
        let reach = math::max(wide[0], wide[1]);
        let share = self.straight_share(&way, known, ground);
        let faces_ahead = self.narrow > 0.5;
        for (slot, local) in self.slots.iter().zip(self.local(ground, self.narrow)) {
            let arc_m = drawn_in(local.y, known, share);
            let center = way.at(arc_m);
            let along = way.direction(arc_m, math::clamp(reach, 0.5, 6.0));
            let side = usize::from(local.x > 0.0);
            let free = room(center, along, ground.radius_m, wide[side] + 2.0 * ground.radius_m, ground.walls)[side];
            // All of a row move in together, so that they keep their order and do not meet at the wall.
            let inward = math::saturate(math::max(free - ground.radius_m * 1.1, 0.0) / math::max(wide[side], 1e-3));
            let beside = center - plane::left_of(along) * (local.x * inward);
            let position = cut(center, beside, ground.radius_m, ground.walls);
            let turn = if faces_ahead { 0.0 } else { slot.yaw };
            out.push(SlotPose { position, yaw: math::wrap_angle(plane::yaw(along) + turn), arc_m });
        }
    }

    /// Where nobody was yet, the way goes on straight: what share of it is free, of what the slots want, behind and ahead.
    fn straight_share(&self, way: &Way<'_>, known: (f32, f32), ground: &MarchGround<'_>) -> [f32; 2] {
        let ends = self
            .local(ground, self.narrow)
            .fold((0.0, 0.0), |(back, front), local| (math::min(back, local.y), math::max(front, local.y)));
        [(-known.0, ends.0), (known.1, ends.1)].map(|(from, to)| {
            let wanted = (to - from).abs();
            if to.abs() <= from.abs() || wanted < 1e-3 {
                return 1.0;
            }
            let start = way.at(from);
            let end = cut(start, way.at(to), ground.radius_m, ground.walls);
            math::saturate(end.distance(start) / wanted)
        })
    }

    /// Goes on by a tick: notes where the leader is, and narrows or widens. `worst_m` is the greatest slot error of all
    /// who have a slot.
    pub fn step(&mut self, leader: &Moving, ahead: &[Vec2], ground: &MarchGround<'_>, worst_m: f32, tick_s: f32) {
        self.trail.record(leader.position, leader.heading());
        let shift = self.shift_m(ground);
        let (goal, is_close) = self.fitting(leader, ahead, ground, shift);
        self.narrow_goal = goal;
        let going = math::min(leader.velocity.length(), ground.speed_m_per_s);
        // Slots fall back no faster than the leader goes on: who has to wait, waits and does not walk back.
        let glide = if goal > self.narrow { math::max(going * 0.9, GLIDE_M_PER_S) } else { GLIDE_M_PER_S * 1.4 };
        self.narrow = math::approach(self.narrow, goal, glide / math::max(shift, 0.5) * tick_s);
        let waits = is_close && goal - self.narrow > 0.25;
        let pace = if waits { PACE_MIN * 0.6 } else { hold::pace(worst_m) };
        self.pace = math::approach(self.pace, pace, PACE_PER_S * tick_s);
    }

    /// How wide it is to the left and to the right of the leader, m.
    fn half_width(&self, ground: &MarchGround<'_>, narrow: f32) -> [f32; 2] {
        self.local(ground, narrow)
            .fold([0.0; 2], |[left, right], local| [math::max(left, -local.x), math::max(right, local.x)])
    }

    /// The way of a slot that moves most while `narrow` changes by 1, m.
    fn shift_m(&self, ground: &MarchGround<'_>) -> f32 {
        let steps = [(0.0, 1.0), (1.0, 2.0)];
        steps.into_iter().fold(0.0, |most, (from, to)| {
            let pairs = self.local(ground, from).zip(self.local(ground, to)).map(|(from, to)| (to - from).abs());
            pairs.fold(most, |most, way| math::max(most, math::max(way.x / ASIDE_SHARE, way.y / BACK_SHARE)))
        })
    }

    /// What fits from the last of all to some way ahead of the leader: 0 the pattern, 1 two abreast, 2 one; and whether
    /// the narrow place is near.
    fn fitting(&self, leader: &Moving, ahead: &[Vec2], ground: &MarchGround<'_>, shift: f32) -> (f32, bool) {
        let way = Way { behind: self.trail.points(), here: leader.position, heading: leader.heading(), ahead };
        let wide = self.half_width(ground, 0.0);
        let back = self.local(ground, self.narrow).fold(0.0, |back, local| math::max(back, -local.y));
        let look =
            self.local(ground, self.narrow).fold(0.0, |most, local| math::max(most, local.y)) + LOOK_M + 2.0 * shift;
        let (first, last) = (math::min(back + 0.5, way.behind_m()), math::min(look, way.ahead_m()));
        let (radius_m, file_m) = (ground.radius_m, self.file_m(ground));
        let tight = math::min((2.0 * radius_m + 0.1) / math::max(self.spacing_m, 0.1), 1.0);
        let (mut goal, mut is_close) = (0.0, false);
        let samples = (((first + last) / SAMPLE_M) as u32).min(512);
        for sample in 0..=samples {
            let arc = sample as f32 * SAMPLE_M - first;
            let limit = math::max(wide[0], wide[1]) + file_m;
            let along = way.direction(arc, 0.6);
            let free = room(way.at(arc), along, 0.5 * SAMPLE_M + radius_m, limit, ground.walls);
            let fits = |wide: f32, free: f32| free - radius_m * 1.1 >= wide * tight;
            let here = if fits(wide[0], free[0]) && fits(wide[1], free[1]) {
                0.0
            } else if free.iter().all(|&free| free >= 0.5 * file_m + radius_m * 1.1) {
                1.0
            } else {
                2.0
            };
            is_close |= here > self.narrow + 0.25 && arc > -0.5 && arc < LOOK_M + 1.0;
            goal = math::max(goal, here);
        }
        (goal, is_close)
    }
}
