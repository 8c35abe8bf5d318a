//! Layers combined in place: nothing is allocated, maps of another size are left alone.
//!
//! | what | is |
//! |---|---|
//! | control | own − enemy: whose ground it is |
//! | tension | own + enemy: how much is going on |
//! | vulnerability | tension − \|control\|: contested ground, high where both are strong |
//! | front | tension where control changes sign toward a neighbor, 0 elsewhere |

use sentir_core::math;

use super::{Grid, Map};

impl Map {
    fn merge(&mut self, other: &Map, combine: impl Fn(f32, f32) -> f32) {
        if self.size() == other.size() {
            for (value, &with) in self.values.iter_mut().zip(&other.values) {
                *value = combine(*value, with);
            }
        }
    }

    /// Adds another map, `weight` times.
    pub fn add_map(&mut self, other: &Map, weight: f32) {
        self.merge(other, |a, b| a + b * weight);
    }

    /// Multiplies by another map, cell by cell.
    pub fn multiply(&mut self, other: &Map) {
        self.merge(other, |a, b| a * b);
    }

    /// The greater of both, cell by cell.
    pub fn max(&mut self, other: &Map) {
        self.merge(other, math::max);
    }

    /// The lesser of both, cell by cell.
    pub fn min(&mut self, other: &Map) {
        self.merge(other, math::min);
    }

    /// Multiplies everything by a number.
    pub fn scale(&mut self, by: f32) {
        self.values.iter_mut().for_each(|value| *value *= by);
    }

    /// Scales so that the value farthest from 0 is 1 or −1; a map of zeros stays.
    pub fn normalize(&mut self) {
        let most = self.values.iter().fold(0.0, |most, value| math::max(most, value.abs()));
        if most > 0.0 {
            self.values.iter_mut().for_each(|value| *value /= most);
        }
    }

    /// Keeps what is at least `least`; all else becomes 0.
    pub fn threshold(&mut self, least: f32) {
        self.values.iter_mut().for_each(|value| *value = if *value >= least { *value } else { 0.0 });
    }

    /// Holds everything between two numbers; `low` wins if they cross. A range without 0 raises walls, too.
    pub fn clamp(&mut self, low: f32, high: f32) {
        self.values.iter_mut().for_each(|value| *value = math::clamp(*value, low, high));
    }

    /// Makes it a copy of another one.
    pub fn copy_from(&mut self, other: &Map) {
        self.merge(other, |_, b| b);
    }

    /// Whose ground it is: own − enemy.
    pub fn control(&mut self, own: &Map, enemy: &Map) {
        self.copy_from(own);
        self.add_map(enemy, -1.0);
    }

    /// How much is going on: own + enemy.
    pub fn tension(&mut self, own: &Map, enemy: &Map) {
        self.copy_from(own);
        self.add_map(enemy, 1.0);
    }

    /// Contested ground: tension − |control|, which is twice the lesser of both.
    pub fn vulnerability(&mut self, own: &Map, enemy: &Map) {
        self.copy_from(own);
        self.min(enemy);
        self.scale(2.0);
    }

    /// The front: tension where control is ours and a neighbor's is theirs, or the other way round; 0 elsewhere.
    pub fn front(&mut self, grid: &Grid, own: &Map, enemy: &Map) {
        let fits = [self as &Map, own, enemy].iter().all(|map| map.fits(grid));
        if !fits {
            return;
        }
        let stride = grid.stride();
        let control = |index: usize| own.values[index] - enemy.values[index];
        for run in &grid.runs {
            for index in run.start as usize..run.end as usize {
                let here = control(index);
                let beside = [index - 1, index + 1, index - stride, index + stride];
                let is_front = grid.free_bits()[index] && beside.iter().any(|&other| here * control(other) < 0.0);
                self.values[index] = if is_front { own.values[index] + enemy.values[index] } else { 0.0 };
            }
        }
    }
}
