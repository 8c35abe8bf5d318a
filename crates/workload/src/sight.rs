//! Many who look around, for measuring sight and for proving how late an entry is noticed: walkers among pillars, as dense as
//! to have a given number of others in the cone of each.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::sense::SightConfig;
use sentir_level::{Level, LevelState, LevelView};

use sentir_harness::info::{SceneError, level_of};
use sentir_sim::body_set::Seen;

/// Pillars of 2 by 2 m stand this far apart, m.
const STEP_M: f32 = 10.0;
/// Ground that the cones of one cover, m²: a sixth of a disc of 30 m and a sixth of one of 18 m.
const CONES_M2: f32 = math::PI / 6.0 * (30.0 * 30.0 + 18.0 * 18.0);
const WALK: Purpose = Purpose::new("vigil.walk");

/// A mind that only looks.
pub struct Vigilant {
    /// How.
    pub config: SenseConfig,
}

impl Mind for Vigilant {
    type Senses = Senses;
    type Brain = ();
    type Motor = ();
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        view.perceive(&self.config, &(), senses, beliefs, notes);
    }
}

/// A field of walkers.
pub struct Vigil {
    /// The brains.
    pub brains: Loop<Vigilant>,
    mind: Vigilant,
    level: Level,
    state: LevelState,
    scratch: Scratch,
    side_m: f32,
    walkers: Vec<(AgentId, Body)>,
}

impl Vigil {
    /// So many walkers with so many others in the cone of each, on average. Everybody looks every `sense_every` ticks and
    /// may cast `quota` rays a look; who is seen is noticed at once.
    pub fn new(count: u32, candidates: f32, sense_every: u16, quota: u32) -> Result<Vigil, SceneError> {
        let side_m = (count as f32 * CONES_M2 / math::max(candidates, 0.1)).sqrt();
        let level = pillars(side_m)?;
        let stage = Detail {
            sense_every,
            think_every: u16::MAX,
            coordinate_every: u16::MAX,
            act_every: u16::MAX,
            quota: Quota { sense: quota, ..Quota::default() },
        };
        let config = LoopConfig { detail: [stage; 4], index_cell_m: 10.0, ..LoopConfig::default() };
        let mut brains = Loop::new(config, 1);
        let mut rng = brains.streams().stream(0, WALK);
        let mut walkers = Vec::with_capacity(count as usize);
        for number in 0..u64::from(count) {
            let place = Vec2::new(rng.between(0.0, side_m), rng.between(0.0, side_m));
            let yaw = rng.between(-math::PI, math::PI);
            let body = Body {
                pose: Pose { position: plane::lift(free(place), 0.0), yaw },
                velocity: plane::lift(plane::heading(yaw) * 1.4, 0.0),
                ..Body::default()
            };
            // Everybody is of a team of its own, as far as numbers go; the loop refuses nobody here.
            let team = TeamId((number % 251) as u32);
            if let Ok(agent) = brains.spawn(AgentSpec { body, team, ..AgentSpec::new(HostKey(number)) }) {
                walkers.push((agent, body));
            }
        }
        let sight = SightConfig { near_s: 0.0, far_s: 0.0, sees_team: true, ..SightConfig::default() };
        let mind = Vigilant { config: SenseConfig { sight, ..SenseConfig::default() } };
        let state = LevelState::new(&level);
        Ok(Vigil { brains, mind, level, state, scratch: Scratch::default(), side_m, walkers })
    }

    /// Lets everybody walk for a tick. Who comes to a pillar or to the edge turns round.
    pub fn walk(&mut self) {
        let tick_s = self.brains.rate().tick_s();
        for (agent, body) in &mut self.walkers {
            let next = plane::ground(body.pose.position + body.velocity * tick_s);
            let is_in = next.min_element() >= 0.0 && next.max_element() <= self.side_m && free(next) == next;
            if is_in {
                body.pose.position = plane::lift(next, 0.0);
            } else {
                body.pose.yaw = math::wrap_angle(body.pose.yaw + 2.0);
                body.velocity = plane::lift(plane::heading(body.pose.yaw) * 1.4, 0.0);
            }
            self.brains.observe(*agent, *body);
        }
    }

    /// Lets those look who are due.
    pub fn look(&mut self, pool: &dyn Pool) {
        let seen = Seen(LevelView { level: &self.level, state: &self.state });
        self.brains.step(&self.mind, &seen, pool, &mut self.scratch);
    }

    /// Everybody's body, in the order of their numbers.
    pub fn walkers(&self) -> &[(AgentId, Body)] {
        &self.walkers
    }

    /// Whether somebody is in the cone of another, and whether any of the three rays meets it: by the slow, obvious way.
    pub fn is_in_view(&self, watcher: &Body, it: &Body) -> (bool, bool) {
        let sight = &self.mind.config.sight;
        let way = plane::ground(it.pose.position - watcher.pose.position);
        let (distance, ahead) = (way.length(), plane::heading(watcher.pose.yaw).dot(way));
        let within = |half: f32, range_m: f32| ahead >= distance * math::cos(half) && distance <= range_m;
        let is_touched = distance <= sight.touch_m + 2.0 * it.radius_m;
        let is_before = is_touched
            || within(sight.focus_half_rad, sight.range_m)
            || within(sight.half_rad, sight.range_m * sight.periphery_share);
        let view = LevelView { level: &self.level, state: &self.state };
        let eye = watcher.eye();
        (is_before, is_before && it.outline(eye).iter().any(|&point| view.sees(eye, point)))
    }

    /// How many others are in the cones of one and how many of these are seen, on average over all.
    pub fn density(&self) -> (f32, f32) {
        let (mut before, mut seen) = (0u32, 0u32);
        for (agent, watcher) in &self.walkers {
            for (_, it) in self.walkers.iter().filter(|(other, _)| other != agent) {
                if it.pose.position.distance_squared(watcher.pose.position) < 31.0 * 31.0 {
                    let (is_before, is_seen) = self.is_in_view(watcher, it);
                    (before, seen) = (before + u32::from(is_before), seen + u32::from(is_seen));
                }
            }
        }
        let count = self.walkers.len().max(1) as f32;
        (before as f32 / count, seen as f32 / count)
    }
}

/// The nearest place outside of the pillars.
fn free(place: Vec2) -> Vec2 {
    let middle = (place / STEP_M).round() * STEP_M;
    let off = place - middle;
    if off.abs().max_element() >= 1.5 { place } else { middle + Vec2::new(1.5, off.y) }
}

/// Pillars on a square of a side, one every [`STEP_M`].
fn pillars(side_m: f32) -> Result<Level, SceneError> {
    use std::fmt::Write;
    let mut text = String::from("name: pillars\nfloors: [{ name: ground }]\nsolids:\n");
    let count = (side_m / STEP_M) as u32 + 1;
    for column in 0..count {
        for row in 0..count {
            let (x, y) = (column as f32 * STEP_M, row as f32 * STEP_M);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  - box: {{ at: [{x}, {y}], size: [2, 2], height_m: 3 }}");
        }
    }
    level_of(&text, "pillars.yaml")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_notice_every_entry_within_six_ticks() {
        let mut vigil = Vigil::new(1000, 10.0, 6, 64).unwrap();
        let (candidates, seen) = vigil.density();
        assert!((8.0..12.0).contains(&candidates) && seen > 4.0, "{candidates} in the cones, {seen} seen");
        // For every seventh watcher: since when is whom in view without a break?
        let watchers: Vec<usize> = (0..1000).step_by(7).collect();
        let mut since: Vec<Vec<(usize, u32)>> = vec![Vec::new(); watchers.len()];
        let mut checked = 0;
        for tick in 0..90u32 {
            vigil.walk();
            for (&number, list) in watchers.iter().zip(&mut since) {
                let watcher = vigil.walkers()[number].1;
                let old = std::mem::take(list);
                for (other, (_, it)) in vigil.walkers().iter().enumerate().filter(|(other, _)| *other != number) {
                    let is_near = it.pose.position.distance_squared(watcher.pose.position) < 31.0 * 31.0;
                    if is_near && vigil.is_in_view(&watcher, it).1 {
                        let from = old.iter().find(|(known, _)| *known == other).map_or(tick, |(_, from)| *from);
                        list.push((other, from));
                    }
                }
            }
            vigil.look(&Serial);
            for (&number, list) in watchers.iter().zip(&since) {
                let beliefs = vigil.brains.beliefs(vigil.walkers()[number].0).unwrap();
                for &(other, from) in list {
                    let is_known = beliefs.other(vigil.walkers()[other].0).is_some_and(|other| other.is_visible);
                    assert!(
                        is_known || tick - from < 5,
                        "{number} does not know {other} in view since {from} at {tick}"
                    );
                    checked += u32::from(tick == from + 5 && from > 0);
                }
            }
        }
        assert!(checked > 200, "only {checked} entries");
    }
}
