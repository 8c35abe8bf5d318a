//! The path of a follower: its corners, drawn a little off the walls, and how far along it is.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::{math, plane};
use sentir_nav::mesh::LinkId;
use sentir_nav::request::Reply;

use super::footing::Spot;
use super::{CORNERS_MAX, FollowConfig, MeshGround, lane};

/// A turn as slight as this needs no room, as the difference of two unit vectors.
const SLIGHT: f32 = 0.1;
/// The most room that anybody takes at a corner, as a multiple of the least: streams spread.
const SPREAD: f32 = 4.0;
/// So near to a corner it is reached, m.
const REACHED_M: f32 = 0.1;

/// A path, and where on it one is.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Route {
    /// Corners, the start first; `at` is the one it heads for.
    pub(super) path: Vec<Vec3>,
    pub(super) at: u32,
    /// Links: each leads from the corner of that number to the next.
    hops: Vec<(u32, LinkId)>,
    /// Whether the path goes on beyond the last corner.
    is_cut: bool,
    /// Whether the goal is another than the path leads to.
    pub(super) is_moved: bool,
}

impl Route {
    pub(super) fn clear(&mut self) {
        self.path.clear();
        self.hops.clear();
        (self.at, self.is_cut, self.is_moved) = (0, false, false);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// The first corner. There is a path.
    pub(super) fn start(&self) -> Vec3 {
        self.path[0]
    }

    /// The corner it heads for. There is a path.
    pub(super) fn target(&self) -> Vec3 {
        self.path[self.at as usize]
    }

    /// Whether it heads for the very end.
    pub(super) fn is_at_end(&self) -> bool {
        self.at as usize + 1 == self.path.len() && !self.is_cut
    }

    /// Whether it has come so near to the end of a path that goes on that the rest is needed.
    pub(super) fn is_at_cut(&self) -> bool {
        self.is_cut && self.at as usize + 2 >= self.path.len()
    }

    /// The corners still ahead, the next first.
    pub(super) fn ahead(&self) -> &[Vec3] {
        self.path.get(self.at as usize..).unwrap_or_default()
    }

    /// What is left from a point, m; 0 without a path.
    pub(super) fn rest_m(&self, position: Vec3) -> f32 {
        let mut here = plane::ground(position);
        let mut sum = 0.0;
        for &corner in self.ahead() {
            let there = plane::ground(corner);
            sum += here.distance(there);
            here = there;
        }
        sum
    }

    /// The link that leads on from a corner.
    pub(super) fn hop_at(&self, corner: usize) -> Option<LinkId> {
        self.hops.iter().find(|hop| hop.0 as usize == corner).map(|hop| hop.1)
    }

    /// The link that leads on from the corner it heads for.
    pub(super) fn next_hop(&self) -> Option<LinkId> {
        self.hop_at(self.at as usize)
    }

    /// Leads straight from a point to another.
    pub(super) fn lead_straight(&mut self, from: Vec3, to: Vec3) {
        self.path.clear();
        self.path.extend([from, to]);
        self.hops.clear();
        self.at = 1;
    }

    /// Moves its end to where the goal is now, if that is in sight of the corner before; whether it was.
    pub(super) fn mend(&mut self, goal: Vec3, ground: &MeshGround<'_>) -> bool {
        self.is_moved = false;
        let before = self.path.len().wrapping_sub(2);
        let is_plain = !self.is_cut && !self.hops.iter().any(|hop| hop.0 as usize == before);
        let corner = self.path.get(before).filter(|_| is_plain).copied();
        let is_seen = corner.and_then(|corner| ground.locate(corner)).is_some_and(|spot| spot.sees(goal));
        if is_seen {
            self.path[before + 1] = goal;
        }
        is_seen
    }

    /// Heads for the farthest corner in sight, up to the next link; whether there is one. Who waits for another path may go
    /// back to the corner before. There is a path.
    pub(super) fn advance(&mut self, spot: Spot<'_>, position: Vec3, may_go_back: bool) -> bool {
        let last = self.path.len() - 1;
        let mut at = (self.at as usize).min(last);
        while at < last && self.hop_at(at).is_none() && spot.sees(self.path[at + 1]) {
            at += 1;
        }
        // A corner that is reached is done, whatever is in sight: along a border nothing is, and yet one can walk.
        let here = plane::ground(position);
        if at < last && self.hop_at(at).is_none() && here.distance(plane::ground(self.path[at])) < REACHED_M {
            at += 1;
        }
        let mut is_seen = spot.sees(self.path[at]);
        let is_back = !is_seen && may_go_back && at > 0 && self.hop_at(at - 1).is_none();
        if is_back && spot.sees(self.path[at - 1]) {
            (at, is_seen) = (at - 1, true);
        }
        self.at = at as u32;
        is_seen
    }

    /// Passes a link: the path goes on from its far end. There is a path.
    pub(super) fn pass_hop(&mut self) {
        self.at = (self.at + 1).min(self.path.len() as u32 - 1);
    }

    /// Takes over a path that was found. It is clear before.
    pub(super) fn install(&mut self, reply: &Reply<'_>, ground: &MeshGround<'_>, config: &FollowConfig) {
        // Room for the longest path at once, so that later ones find it.
        self.path.reserve(CORNERS_MAX);
        self.hops.reserve(CORNERS_MAX / 8);
        let count = reply.path.len().min(CORNERS_MAX);
        self.path.extend(&reply.path[..count]);
        self.is_cut = count < reply.path.len();
        for &(corner, link) in reply.links.iter().take(CORNERS_MAX / 8) {
            if (corner as usize) + 1 < count {
                self.hops.push((corner, link));
            }
        }
        if self.path.len() == 1 {
            self.path.push(self.path[0]);
        }
        self.at = if self.hop_at(0).is_some() { 0 } else { 1 };
        let goal = self.path.last().copied().unwrap_or_default();
        self.widen(ground, config, share_of(reply.agent.to_bits(), goal));
    }

    /// Takes corners a little off the walls, or to the right half of a passage, where there is room and all stays in sight.
    /// `share` is its own place within that half, from 0, the middle, to 1.
    fn widen(&mut self, ground: &MeshGround<'_>, config: &FollowConfig, share: f32) {
        let mut before = self.path[0];
        for number in 1..self.path.len().saturating_sub(1) {
            let bend = [before, self.path[number], self.path[number + 1]];
            if self.hop_at(number).is_none() && self.hop_at(number - 1).is_none() {
                let fits = |corner: &Vec3| is_passable(ground, [bend[0], *corner, bend[2]]);
                let lane = lane::beside(bend, ground, config.passage_m, share).filter(fits);
                // As much room as there is, at least a little: along a border nothing is in sight.
                let rooms = [math::lerp(1.0, SPREAD, share), 1.0, 0.5, 0.2].map(|part| part * config.corner_m);
                let wide = || rooms.into_iter().find_map(|room_m| wider(bend, ground, room_m).filter(fits));
                if let Some(corner) = lane.or_else(wide) {
                    self.path[number] = corner;
                }
            }
            before = self.path[number];
        }
    }

    /// Whether corners, links and the place on them hold together.
    pub(super) fn is_sound(&self) -> bool {
        let is_in = self.path.is_empty() || (self.at as usize) < self.path.len();
        let hops = self.hops.iter().all(|hop| (hop.0 as usize) + 1 < self.path.len());
        is_in && hops && self.path.iter().all(|corner| corner.is_finite())
    }
}

/// Whether both legs of a bend can be walked straight.
fn is_passable(ground: &MeshGround<'_>, [before, corner, next]: [Vec3; 3]) -> bool {
    ground.locate(before).is_some_and(|from| from.sees(corner))
        && ground.locate(corner).is_some_and(|from| from.sees(next))
}

/// A share in 0..1 of one's own, by who goes where. Not by the number of the request: that counts what others ask, too, and
/// nobody is to know.
fn share_of(agent: u64, goal: Vec3) -> f32 {
    let place = goal.x.to_bits() ^ goal.z.to_bits().rotate_left(16);
    let bits = place ^ (agent as u32) ^ ((agent >> 32) as u32).rotate_left(8);
    (bits.wrapping_mul(0x9e37_79b9) >> 8) as f32 / (1 << 24) as f32
}

/// The corner moved outward, away from what the path bends round; half of the room where there is less than wanted.
fn wider([before, corner, next]: [Vec3; 3], ground: &MeshGround<'_>, room_m: f32) -> Option<Vec3> {
    let [a, b, c] = [before, corner, next].map(plane::ground);
    let turn = plane::direction(b - a) - plane::direction(c - b);
    if turn.length() < SLIGHT {
        return None;
    }
    let place = ground.locate(corner)?.place;
    let out = b + plane::direction(turn) * room_m * 2.0;
    let ray = ground.mesh.ray(place, plane::lift(out, corner.y), ground.costs)?;
    let wide = b + (out - b) * (ray.share * 0.5);
    let ray = ground.mesh.ray(place, plane::lift(wide, corner.y), ground.costs)?;
    Some(ray.place.point)
}
