//! Along a line of places, once or for ever.
//!
//! A cursor remembers how far along one is, so that where a path comes near itself nobody jumps over. The plain way aims
//! at a place a little farther along than one is; the predictive way looks from where one will be, which rounds corners
//! off before they come.

use sentir_core::glam::Vec2;
use sentir_core::{State, math, plane};

use super::goal::{Deceleration, arrive, seek};
use crate::mover::Mover;

/// A line of places.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Path {
    points: Vec<Vec2>,
    /// Way from the first point to each, m; of a cycle, one more.
    marks: Vec<f32>,
    is_cyclic: bool,
}

/// How far along one is, m.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct PathCursor {
    /// From the first point, m.
    pub along_m: f32,
}

/// Tuning of path following.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct PathConfig {
    /// How much farther along one aims, m. Limit: > 0.
    pub lead_m: f32,
    /// From how far ahead the predictive way looks, s. Limit: ≥ 0; 0 is the plain way.
    pub predict_s: f32,
    /// How far before and behind the cursor the nearest place is looked for, m. Limit: > 0.
    pub window_m: f32,
    /// How one stops at the end of a path that ends.
    pub deceleration: Deceleration,
}

impl Default for PathConfig {
    fn default() -> Self {
        PathConfig { lead_m: 0.8, predict_s: 0.0, window_m: 4.0, deceleration: Deceleration::Fast }
    }
}

impl Path {
    /// A path through places, in order. What is not finite is left out, as is a place that is the last one again. At most
    /// 65 536 places; the rest is left out.
    pub fn new(points: &[Vec2], is_cyclic: bool) -> Path {
        let mut path = Path { is_cyclic, ..Path::default() };
        for &point in points.iter().filter(|point| point.is_finite()).take(1 << 16) {
            if path.points.last() != Some(&point) {
                path.points.push(point);
            }
        }
        if is_cyclic && path.points.len() > 1 && path.points.first() == path.points.last() {
            path.points.pop();
        }
        let count = path.points.len();
        let mut sum = 0.0;
        path.marks =
            path.points.windows(2).map(|pair| pair[0].distance(pair[1])).fold(vec![0.0], |mut marks, length| {
                sum += length;
                marks.push(sum);
                marks
            });
        path.marks.truncate(count.max(1));
        if is_cyclic && count > 1 {
            path.marks.push(sum + path.points[count - 1].distance(path.points[0]));
        }
        path
    }

    /// Its places.
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Whether it begins anew at its end.
    pub fn is_cyclic(&self) -> bool {
        self.is_cyclic
    }

    /// Its length, m.
    pub fn length_m(&self) -> f32 {
        self.marks.last().copied().unwrap_or(0.0)
    }

    /// A way along it, held within it or gone round.
    fn wrapped(&self, along_m: f32) -> f32 {
        let length = self.length_m();
        // Also for NaN.
        if !(length > 0.0 && along_m.is_finite()) {
            return 0.0;
        }
        if self.is_cyclic {
            let rest = along_m - length * (along_m / length).floor();
            if rest >= length { 0.0 } else { math::max(rest, 0.0) }
        } else {
            math::clamp(along_m, 0.0, length)
        }
    }

    /// The place at a way along it. None if it has no place at all.
    pub fn at(&self, along_m: f32) -> Option<Vec2> {
        let first = *self.points.first()?;
        let along_m = self.wrapped(along_m);
        let number = self.marks.partition_point(|&mark| mark <= along_m).saturating_sub(1);
        let Some((&from, &to)) = self.marks.get(number).zip(self.marks.get(number + 1)) else {
            // The end of a path that ends.
            return self.points.last().copied();
        };
        let share = if to > from { (along_m - from) / (to - from) } else { 0.0 };
        let end = self.points.get(number + 1).copied().unwrap_or(first);
        Some(self.points[number].lerp(end, share))
    }

    /// The way along it of the place nearest to a point, within `window_m` of the cursor.
    pub fn nearest(&self, cursor: PathCursor, point: Vec2, window_m: f32) -> f32 {
        let count = self.marks.len().saturating_sub(1);
        let here = self.wrapped(cursor.along_m);
        let (low, high) = (here - window_m, here + window_m);
        let length = self.length_m();
        let mut best = (f32::INFINITY, here);
        for number in 0..count {
            let (from, to) = (self.marks[number], self.marks[number + 1]);
            // A cycle's pieces also lie before its beginning and after its end.
            let laps: &[f32] = if self.is_cyclic { &[-1.0, 0.0, 1.0] } else { &[0.0] };
            for &lap in laps {
                let shift = lap * length;
                if to + shift < low || from + shift > high {
                    continue;
                }
                let (a, b) = (self.points[number], self.points[(number + 1) % self.points.len()]);
                let (_, share) = plane::nearest_on_segment(a, b, point);
                let along = math::clamp(math::lerp(from, to, share) + shift, low, high);
                let place = a.lerp(b, math::saturate((along - shift - from) / math::max(to - from, 1e-6)));
                let squared = place.distance_squared(point);
                if squared < best.0 {
                    best = (squared, along);
                }
            }
        }
        self.wrapped(best.1)
    }

    /// Whether one is at its end; never on a cycle.
    pub fn is_done(&self, cursor: PathCursor) -> bool {
        !self.is_cyclic && cursor.along_m >= self.length_m() - 1e-3
    }
}

/// Follows a path, plain or predictive by the config, and moves the cursor along. At the end of a path that ends, it
/// stops.
pub fn follow_path(me: &Mover, path: &Path, cursor: &mut PathCursor, config: &PathConfig) -> Vec2 {
    let ahead = me.at.position + me.at.velocity * config.predict_s;
    let from = if ahead.is_finite() { ahead } else { me.at.position };
    cursor.along_m = path.nearest(*cursor, from, math::max(config.window_m, 0.1));
    let aim_m = cursor.along_m + math::max(config.lead_m, 0.01);
    let Some(target) = path.at(aim_m) else { return Vec2::ZERO };
    if !path.is_cyclic && aim_m >= path.length_m() { arrive(me, target, config.deceleration) } else { seek(me, target) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Path {
        Path::new(&[Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(10.0, 10.0)], false)
    }

    fn walk(path: &Path, config: &PathConfig, seconds: f32) -> (Vec<Vec2>, PathCursor) {
        let mut me = Mover::default();
        let (mut cursor, mut way) = (PathCursor::default(), Vec::new());
        for _ in 0..(seconds * 60.0) as u32 {
            me.at.velocity = me.velocity_after(follow_path(&me, path, &mut cursor, config), 1.0 / 60.0);
            me.at.position += me.at.velocity / 60.0;
            way.push(me.at.position);
        }
        (way, cursor)
    }

    #[test]
    fn places_and_lengths_are_those_of_the_line() {
        let path = corner();
        assert_eq!(
            (path.length_m(), path.at(15.0), path.at(99.0)),
            (20.0, Some(Vec2::new(10.0, 5.0)), Some(Vec2::splat(10.0)))
        );
        let cycle = Path::new(&[Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y, Vec2::ZERO], true);
        assert_eq!((cycle.points().len(), cycle.length_m()), (4, 4.0));
        assert_eq!(
            (cycle.at(3.5), cycle.at(-0.5), cycle.at(4.0)),
            (Some(Vec2::Y * 0.5), Some(Vec2::Y * 0.5), Some(Vec2::ZERO))
        );
        assert_eq!(Path::new(&[], true).at(1.0), None);
        let one = Path::new(&[Vec2::ONE, Vec2::ONE, Vec2::NAN], false);
        assert_eq!((one.points().len(), one.at(7.0), one.is_done(PathCursor::default())), (1, Some(Vec2::ONE), true));
        assert_eq!(one.at(f32::NAN), Some(Vec2::ONE));
    }

    #[test]
    fn the_end_of_a_path_is_a_stop_and_a_cycle_has_none() {
        let (way, cursor) = walk(&corner(), &PathConfig::default(), 20.0);
        assert!(way.last().is_some_and(|end| end.distance(Vec2::splat(10.0)) < 0.01), "{:?}", way.last());
        assert!(corner().is_done(cursor));
        let square = Path::new(&[Vec2::ZERO, Vec2::X * 6.0, Vec2::splat(6.0), Vec2::Y * 6.0], true);
        let (way, _) = walk(&square, &PathConfig::default(), 40.0);
        let turned: f32 = way
            .windows(2)
            .map(|pair| {
                math::angle_between(plane::yaw(pair[0] - Vec2::splat(3.0)), plane::yaw(pair[1] - Vec2::splat(3.0)))
            })
            .sum();
        assert!(turned > 2.5 * math::TAU, "{turned}");
    }

    #[test]
    fn the_predictive_way_cuts_the_corner_that_the_plain_way_takes() {
        let near =
            |way: &[Vec2]| way.iter().fold(f32::MAX, |least, at| math::min(least, at.distance(Vec2::new(10.0, 0.0))));
        let (plain, _) = walk(&corner(), &PathConfig { lead_m: 0.4, ..PathConfig::default() }, 20.0);
        let (predictive, _) =
            walk(&corner(), &PathConfig { lead_m: 0.4, predict_s: 0.8, ..PathConfig::default() }, 20.0);
        assert!(
            near(&plain) < 0.35 && near(&predictive) > near(&plain) + 0.3,
            "{} {}",
            near(&plain),
            near(&predictive)
        );
    }

    #[test]
    fn where_a_path_comes_near_itself_nobody_jumps_over() {
        // A hairpin whose two arms lie 0.5 m apart.
        let path = Path::new(&[Vec2::ZERO, Vec2::X * 20.0, Vec2::new(20.0, 0.5), Vec2::Y * 0.5], false);
        let mut cursor = PathCursor { along_m: 2.0 };
        cursor.along_m = path.nearest(cursor, Vec2::new(2.5, 0.45), 4.0);
        assert_eq!(cursor.along_m, 2.5);
        let (way, cursor) = walk(&path, &PathConfig::default(), 40.0);
        assert!(path.is_done(cursor) && way.iter().any(|at| at.x > 19.0), "{cursor:?}");
    }
}
