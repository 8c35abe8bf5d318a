//! Visual memory: what was seen where, and when.
//!
//! Objects of a look join the sighting of their class that is nearest to where it is expected by now (its place and how it
//! moved), or begin one. A sighting whose place is looked at and is empty is struck out; what was not seen for long is
//! forgotten, and so is the oldest when there are too many. O(objects · sightings) a look, and at most 49² pixels for each
//! sighting that is looked for in vain; nothing allocates once warm.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_core::tick::{Tick, TickRate};

use crate::object::Object;
use crate::thing::Class;
use crate::viewport::Viewport;

/// How one remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecallConfig {
    /// How far from where it is expected an object may be and still be the same, m.
    pub join_m: f32,
    /// After so long unseen it is forgotten, s.
    pub forget_s: f32,
    /// How far a movement is carried on for, s: after that, it is expected where it would have been by then.
    pub carry_s: f32,
    /// Sightings at most.
    pub sightings_max: u16,
}

impl Default for RecallConfig {
    fn default() -> Self {
        RecallConfig { join_m: 1.0, forget_s: 60.0, carry_s: 1.0, sightings_max: 64 }
    }
}

/// Something that was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Sighting {
    /// What it was.
    pub class: Class,
    /// Where its pixel was, m.
    pub place: Vec3,
    /// How it moved between the last two looks that saw it, m/s; zero after the first.
    pub velocity: Vec3,
    /// When it was seen last.
    pub at: Tick,
    /// In how many looks it was seen.
    pub looks: u32,
}

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Recall {
    sightings: Vec<Sighting>,
}

impl Sighting {
    /// Where it is expected at a moment, m.
    pub fn expected(&self, config: &RecallConfig, now: Tick, rate: TickRate) -> Vec3 {
        let carried = math::min(rate.seconds(now.since(self.at)), math::max(config.carry_s, 0.0));
        self.place + self.velocity * carried
    }
}

impl Recall {
    /// What is remembered, oldest first sight first.
    pub fn sightings(&self) -> &[Sighting] {
        &self.sightings
    }

    /// The sighting of a class that is expected nearest to a place; the first of equals.
    pub fn nearest(
        &self,
        config: &RecallConfig,
        class: Class,
        to: Vec3,
        now: Tick,
        rate: TickRate,
    ) -> Option<&Sighting> {
        let known = self.sightings.iter().filter(|one| one.class == class);
        let distance = |one: &Sighting| one.expected(config, now, rate).distance(to);
        known.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Takes in a look and the objects found in it (by [`object::find`](crate::object::find) or [`segment`](crate::segment)).
    pub fn look(&mut self, config: &RecallConfig, view: &Viewport, objects: &[Object], now: Tick, rate: TickRate) {
        let forget = rate.ticks(config.forget_s);
        self.sightings.retain(|one| now.since(one.at) <= forget);
        for object in objects {
            if let Some(place) = view.unproject(object.column, object.row) {
                self.see(config, object.class, place, now, rate);
            }
        }
        self.sightings.retain(|one| {
            let place = one.expected(config, now, rate);
            one.at == now || !is_empty(view, one.class, place, config.join_m)
        });
    }

    fn see(&mut self, config: &RecallConfig, class: Class, place: Vec3, now: Tick, rate: TickRate) {
        // Each sighting stands for one object: what was joined in this look is not joined again.
        let open = self.sightings.iter_mut().filter(|one| one.class == class && one.at != now);
        let near = open.map(|one| (one.expected(config, now, rate).distance(place), one));
        let best = near.filter(|(off, _)| *off <= config.join_m).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, one)) = best {
            let passed_s = rate.seconds(now.since(one.at));
            let velocity = if passed_s > 0.0 { (place - one.place) / passed_s } else { Vec3::ZERO };
            *one = Sighting { class, place, velocity, at: now, looks: one.looks.saturating_add(1) };
            return;
        }
        let most = usize::from(config.sightings_max.max(1));
        while self.sightings.len() >= most {
            let oldest = (0..self.sightings.len()).min_by_key(|&index| (self.sightings[index].at, index));
            let Some(oldest) = oldest else { break };
            self.sightings.remove(oldest);
        }
        self.sightings.push(Sighting { class, place, velocity: Vec3::ZERO, at: now, looks: 1 });
    }
}

/// Pixels to either side that are searched at the most.
const SEARCH_PX_MAX: f32 = 24.0;

/// Whether one looks at a place, nothing hides it, and nothing of the class is within a reach of it.
fn is_empty(view: &Viewport, class: Class, place: Vec3, reach_m: f32) -> bool {
    let Some((column, row, along)) = view.pixel(place) else { return false };
    if view.class(column, row) != Class::NOTHING && view.distance_m(column, row) < along - reach_m {
        return false;
    }
    let reach = math::clamp(reach_m * view.lens().focal_px() / along, 1.0, SEARCH_PX_MAX) as u32;
    let is_it = |column: u32, row: u32| {
        view.class(column, row) == class && (view.distance_m(column, row) - along).abs() <= reach_m
    };
    let (columns, rows) = (column.saturating_sub(reach)..=column + reach, row.saturating_sub(reach)..=row + reach);
    !rows.clone().any(|row| columns.clone().any(|column| is_it(column, row)))
}
