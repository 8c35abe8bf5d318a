//! Along a wall, with it on one side: round discs, past ends, into and out of notches.
//!
//! The nearest place of all walls to where one will be in a moment gives a distance and a direction; the wanted course is
//! along the wall, leaning in where it is too far away and out where it is too near. In a notch the nearest place jumps
//! from one side to the other, and the course with it; that is the turn.

use sentir_core::glam::Vec2;
use sentir_core::{State, math, plane};

use crate::mover::{Mover, Wall};

/// On which side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Side {
    /// On the left.
    #[default]
    Left,
    /// On the right.
    Right,
}

/// Tuning of [`follow_wall`].
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct WallConfig {
    /// Distance of the body's middle to keep, m. Limit: > its radius.
    pub distance_m: f32,
    /// On which side the wall is.
    pub side: Side,
    /// Farther walls do not matter, m. Limit: > `distance_m`.
    pub reach_m: f32,
    /// How far ahead it feels for the wall, s. Limit: ≥ 0.
    pub horizon_s: f32,
}

impl Default for WallConfig {
    fn default() -> Self {
        WallConfig { distance_m: 0.8, side: Side::Left, reach_m: 6.0, horizon_s: 0.25 }
    }
}

/// The place of all walls nearest to a point; the first of equals.
pub fn nearest_on_walls(walls: &[Wall], point: Vec2) -> Option<Vec2> {
    let mut best: Option<(f32, Vec2)> = None;
    for wall in walls {
        let place = wall.nearest(point);
        let squared = place.distance_squared(point);
        if best.is_none_or(|(least, _)| squared < least) {
            best = Some((squared, place));
        }
    }
    best.map(|(_, place)| place)
}

/// Along the nearest wall, with it on the chosen side. Nothing when none is in reach.
pub fn follow_wall(me: &Mover, walls: &[Wall], config: &WallConfig) -> Vec2 {
    let here = me.at.position;
    let Some(near) = nearest_on_walls(walls, here) else { return Vec2::ZERO };
    if near.distance(here) > config.reach_m {
        return Vec2::ZERO;
    }
    let future = here + me.at.velocity * config.horizon_s;
    let ahead = nearest_on_walls(walls, future).unwrap_or(near);
    // Whoever's future lies behind a wall goes by where it is.
    let is_through = walls.iter().any(|wall| crosses(here, future, wall));
    let (point, place) = if is_through { (here, near) } else { (future, ahead) };
    let out = plane::direction(point - place);
    if out == Vec2::ZERO {
        return Vec2::ZERO;
    }
    let along = match config.side {
        Side::Left => plane::left_of(out),
        Side::Right => -plane::left_of(out),
    };
    // How much nearer or farther than wanted, as a share of the distance.
    let off = (config.distance_m - point.distance(place)) / math::max(config.distance_m, 1e-3);
    let lean = math::clamp(off * 2.0, -1.0, 1.0);
    let course = plane::direction(along * (1.0 - 0.7 * lean.abs()) + out * lean);
    // Slower where the way must bend: nobody runs through a notch.
    let bend = math::max(course.dot(plane::direction(me.at.velocity)), 0.0);
    let share = if me.at.velocity.length() > 0.05 { 0.35 + 0.65 * bend } else { 1.0 };
    me.toward(course * (me.speed_m_per_s_max * share))
}

/// Whether the way from one place to another goes through a wall.
fn crosses(from: Vec2, to: Vec2, wall: &Wall) -> bool {
    let sides = plane::side(wall.from, wall.to, from) * plane::side(wall.from, wall.to, to);
    let ends = plane::side(from, to, wall.from) * plane::side(from, to, wall.to);
    sides < 0.0 && ends < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks along walls for so long; least distance to them, and the way.
    fn walk(walls: &[Wall], start: Vec2, velocity: Vec2, config: &WallConfig, seconds: f32) -> (f32, Vec<Vec2>) {
        let mut me = Mover::default();
        (me.at.position, me.at.velocity) = (start, velocity);
        let (mut least, mut way) = (f32::MAX, Vec::new());
        for _ in 0..(seconds * 60.0) as u32 {
            me.at.velocity = me.velocity_after(follow_wall(&me, walls, config), 1.0 / 60.0);
            me.at.position += me.at.velocity / 60.0;
            let near = nearest_on_walls(walls, me.at.position).expect("there are walls");
            least = math::min(least, near.distance(me.at.position));
            way.push(me.at.position);
        }
        (least, way)
    }

    #[test]
    fn the_wall_stays_on_its_side_round_a_square() {
        let square: Vec<Wall> =
            Wall::around(&[Vec2::splat(-2.0), Vec2::new(2.0, -2.0), Vec2::splat(2.0), Vec2::new(-2.0, 2.0)]).collect();
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let config = WallConfig { side, ..WallConfig::default() };
            let (least, way) = walk(&square, Vec2::new(3.4, 0.3), Vec2::ZERO, &config, 30.0);
            assert!(least > 0.35, "{least}");
            let turned: f32 =
                way.windows(2).map(|pair| math::angle_between(plane::yaw(pair[0]), plane::yaw(pair[1]))).sum();
            assert!(turned * sign > 2.0 * math::TAU, "{side:?}: {turned}");
        }
    }

    #[test]
    fn far_walls_do_not_matter_and_a_wall_under_the_feet_gives_no_nan() {
        let me = Mover::default();
        let wall = |x: f32| [Wall { from: Vec2::new(x, -1.0), to: Vec2::new(x, 1.0) }];
        assert_eq!(follow_wall(&me, &[], &WallConfig::default()), Vec2::ZERO);
        assert_eq!(follow_wall(&me, &wall(9.0), &WallConfig::default()), Vec2::ZERO);
        assert!(follow_wall(&me, &wall(0.0), &WallConfig::default()).is_finite());
        assert!(follow_wall(&me, &wall(1.0), &WallConfig::default()).length() > 1.0);
    }
}
