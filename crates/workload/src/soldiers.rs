//! One world with very many soldiers, for measuring what a loop of squads costs: walled yards side by side, in each some
//! squads and a target that walks about, is shot at and shoots back. Nobody dies, so the load stays what it is.
//!
//! What is measured is [`Loop::step`]; bodies are moved by a host of a few lines, along the mesh.

use std::fmt::Write;

use sentir::core::plane;
use sentir::prelude::*;
use sentir::soldier::SoldierMind;
use sentir::squad::soldier::{Gear, SoldierBehavior, SoldierNotice};
use sentir::squad::tactical_map::{TacticalMap, TacticalMapConfig};
use sentir_level::LevelState;
use sentir_nav::mesh::{AreaCosts, MeshPoint};

use sentir_harness::info::{SceneError, level_of};
use sentir_sim::body_set::Seen;

/// Size of a yard, walls included, m.
const YARD_M: Vec2 = Vec2::new(26.0, 22.0);
/// Boxes of a yard from its middle: place, size, height, m.
const BOXES: [[f32; 5]; 7] = [
    [-6.0, 4.0, 2.4, 1.0, 1.05],
    [5.0, 5.0, 1.2, 3.0, 2.4],
    [0.0, 0.0, 3.0, 1.2, 2.4],
    [-7.0, -4.5, 1.2, 2.4, 2.4],
    [6.5, -4.0, 2.4, 1.0, 1.05],
    [0.5, -6.5, 1.0, 2.2, 1.05],
    [-1.0, 6.8, 2.0, 1.0, 1.05],
];
/// Where a target walks, from the middle of its yard, m.
const ROUND: [Vec2; 4] = [Vec2::new(8.5, 7.0), Vec2::new(8.5, -7.5), Vec2::new(3.0, -3.0), Vec2::new(2.5, 7.5)];
const PACE_M_PER_S: f32 = 2.2;
const TARGETS: TeamId = TeamId(2);
const SOLDIERS: TeamId = TeamId(1);
const TARGET: u16 = 1;
const MAGAZINE: u32 = 30;
/// Ticks between rounds, and of a reload.
const ROUND_TICKS: u64 = 6;
const RELOAD_TICKS: u64 = 120;
const LUCK: Purpose = Purpose::new("scale");

/// How large the world is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleConfig {
    /// Columns and rows of yards.
    pub yards: [u32; 2],
    /// Squads in each yard.
    pub squads: u32,
    /// Soldiers in each squad.
    pub soldiers: u32,
    /// Whether importance is mixed: one in twenty full, three near, six far, ten least; else all are full.
    pub is_mixed: bool,
}

/// A soldier's body and gun.
struct Fighter {
    agent: AgentId,
    body: Body,
    place: Option<MeshPoint>,
    gear: Gear,
    busy_until: Tick,
}

/// A target on its round.
struct CharacterBody {
    agent: AgentId,
    body: Body,
    middle: Vec2,
    next: usize,
}

/// The world.
pub struct Scale {
    /// The brains.
    pub brains: Loop<SoldierMind>,
    mind: SoldierMind,
    state: LevelState,
    scratch: Scratch,
    fighters: Vec<Fighter>,
    targets: Vec<CharacterBody>,
}

impl Scale {
    /// Makes the ground and brings everybody in.
    ///
    /// # Errors
    /// When the ground is too large to be baked.
    pub fn new(config: &ScaleConfig) -> Result<Scale, SceneError> {
        let level = yards(config.yards)?;
        let state = LevelState::new(&level);
        let refuse = |what: String| SceneError::Asset { name: "yards.yaml".to_owned(), line: 0, column: 0, what };
        let tactical_map =
            TacticalMap::bake(level, &TacticalMapConfig::default()).map_err(|error| refuse(error.to_string()))?;
        let mind = SoldierMind::stock(tactical_map).map_err(|error| refuse(error.to_string()))?;
        let brains = Loop::new(LoopConfig { index_cell_m: 6.0, ..LoopConfig::default() }, 1);
        let mut scale =
            Scale { brains, mind, state, scratch: Scratch::default(), fighters: Vec::new(), targets: Vec::new() };
        let mut squad = 0;
        for number in 0..config.yards[0] * config.yards[1] {
            let middle = Vec2::new((number % config.yards[0]) as f32, (number / config.yards[0]) as f32) * YARD_M;
            scale.fill(config, middle, &mut squad);
        }
        Ok(scale)
    }

    /// How many soldiers there are.
    pub fn soldier_count(&self) -> usize {
        self.fighters.len()
    }

    /// Bytes of the state of a soldier, its share of its squad's and of everything else included.
    pub fn bytes_per_soldier(&self) -> usize {
        sentir::core::state::to_bytes(&self.brains).len() / self.fighters.len().max(1)
    }

    /// How many soldiers are at each thing now.
    pub fn doings(&self) -> Vec<(&'static str, usize)> {
        let behavior = |it: &Fighter| self.brains.brain(it.agent).map(|memory| memory.status.behavior);
        let count = |what: SoldierBehavior| self.fighters.iter().filter(|it| behavior(it) == Some(what)).count();
        SoldierBehavior::ALL.iter().map(|&what| (what.name(), count(what))).filter(|it| it.1 > 0).collect()
    }

    /// Brings in the target and the squads of a yard.
    fn fill(&mut self, config: &ScaleConfig, middle: Vec2, squad: &mut u32) {
        let tactical_map = &self.mind.soldier.tactical_map;
        let next = *squad as usize % ROUND.len();
        let body = standing(middle + ROUND[next]);
        let key = HostKey(1 << 32 | u64::from(*squad));
        let spec = AgentSpec { team: TARGETS, squad: *squad, kind: TARGET, body, ..AgentSpec::new(key) };
        // Keys are all different and bodies finite: nobody is refused.
        let Ok(agent) = self.brains.spawn(spec) else { return };
        // It is moved by the host, and others see it.
        self.brains.pause_agent(agent, true);
        self.targets.push(CharacterBody { agent, body, middle, next });
        for group in 0..config.squads {
            for one in 0..config.soldiers {
                let slot = group * config.soldiers + one;
                let spot = middle + Vec2::new(-10.0 + (slot % 4) as f32 * 1.1, -8.0 + (slot / 4) as f32 * 1.3);
                let body = standing(spot);
                let key = HostKey(self.fighters.len() as u64);
                let importance = importance(config.is_mixed, key.0);
                let spec = AgentSpec { team: SOLDIERS, squad: *squad, importance, body, ..AgentSpec::new(key) };
                let posts = ROUND.map(|post| plane::lift(middle - post, 0.0));
                let Ok(agent) = self.brains.spawn_with(spec, self.mind.recruit(posts.to_vec())) else { continue };
                let place = tactical_map.ground(body.pose.position);
                let gear = Gear {
                    magazine: MAGAZINE,
                    magazine_max: MAGAZINE,
                    reserve: 9000,
                    reserve_max: 9000,
                    ..Gear::default()
                };
                self.brains.notify(agent, SoldierNotice::Gear(gear));
                self.fighters.push(Fighter { agent, body, place, gear, busy_until: Tick(0) });
            }
            *squad += 1;
        }
    }

    /// Lets the brains have their tick: what is measured.
    pub fn think(&mut self, pool: &dyn Pool) {
        let view = self.mind.soldier.tactical_map.view();
        let seen = Seen(sentir_level::LevelView { level: view.level, state: &self.state });
        self.brains.step(&self.mind, &seen, pool, &mut self.scratch);
    }

    /// Moves bodies, works guns, and hurts somebody now and then.
    pub fn play(&mut self) {
        let (tick, tick_s) = (self.brains.tick(), self.brains.rate().tick_s());
        let mut rng = self.brains.streams().at(0, LUCK, tick);
        let mesh = self.mind.soldier.tactical_map.mesh();
        for it in &mut self.fighters {
            let Some(motion) = self.brains.motion(it.agent).copied() else { continue };
            let to = it.body.pose.position + motion.velocity * tick_s;
            let ray = it.place.and_then(|from| mesh.ray(from, to, &AreaCosts::PLAIN));
            it.place = ray.map(|ray| ray.place).or(it.place);
            let point = it.place.map_or(it.body.pose.position, |place| place.point);
            it.body.velocity = (point - it.body.pose.position) / tick_s;
            it.body.pose = Pose { position: point, yaw: motion.yaw };
            it.body.stance = motion.stance;
            it.body.eye_m = if motion.stance == Stance::Crouch { 1.0 } else { 1.6 };
            self.brains.observe(it.agent, it.body);
            if it.work_gun(&motion, tick) {
                self.brains.notify(it.agent, SoldierNotice::Gear(it.gear));
                let position = it.body.eye();
                self.brains.noise(Noise { position, range_m: 20.0, by: Some(it.agent), at: tick });
            }
            // The target of each yard hits one of its enemies about every two seconds.
            if rng.below(480) == 0 {
                self.brains.hurt(Hurt { who: it.agent, amount: 0.08, from: Vec3::X, at: tick });
            }
        }
        for it in &mut self.targets {
            let goal = plane::lift(it.middle + ROUND[it.next], 0.0);
            let way = goal - it.body.pose.position;
            it.next = if way.length() < 0.5 { (it.next + 1) % ROUND.len() } else { it.next };
            it.body.velocity = way.clamp_length_max(PACE_M_PER_S);
            it.body.pose.position += it.body.velocity * tick_s;
            self.brains.observe(it.agent, it.body);
        }
    }
}

impl Fighter {
    /// Whether the gun is another than before.
    fn work_gun(&mut self, motion: &Motion, tick: Tick) -> bool {
        let before = self.gear;
        if self.gear.is_reloading && tick >= self.busy_until {
            (self.gear.is_reloading, self.gear.magazine) = (false, MAGAZINE);
        } else if !self.gear.is_reloading && motion.actions.contains(Actions::RELOAD) && self.gear.can_reload() {
            (self.gear.is_reloading, self.busy_until) = (true, tick + RELOAD_TICKS);
        } else if !self.gear.is_reloading && motion.actions.contains(Actions::FIRE) && tick >= self.busy_until {
            self.gear.magazine = self.gear.magazine.saturating_sub(1);
            self.busy_until = tick + ROUND_TICKS;
        }
        self.gear != before
    }
}

fn standing(place: Vec2) -> Body {
    Body { pose: Pose { position: plane::lift(place, 0.0), yaw: 0.0 }, eye_m: 1.6, ..Body::default() }
}

fn importance(is_mixed: bool, number: u64) -> Importance {
    match number % 20 {
        _ if !is_mixed => Importance::Full,
        0 => Importance::Full,
        1..=3 => Importance::Near,
        4..=9 => Importance::Far,
        _ => Importance::Least,
    }
}

/// Yards side by side: walls with a gap in the middle of each side, boxes of both heights.
fn yards([columns, rows]: [u32; 2]) -> Result<sentir_level::Level, SceneError> {
    let size = Vec2::new(columns as f32, rows as f32) * YARD_M;
    let (low, high) = (-YARD_M * 0.5, size - YARD_M * 0.5);
    let mut text = String::from("name: yards\nfloors: [{ name: ground, up_m: 4 }]\nsolids:\n");
    let _ = writeln!(
        text,
        "  - slab: {{ outline: [[{}, {}], [{}, {}], [{}, {}], [{}, {}]], thickness_m: 0.5 }}",
        low.x, low.y, high.x, low.y, high.x, high.y, low.x, high.y
    );
    for number in 0..columns * rows {
        let middle = Vec2::new((number % columns) as f32, (number / columns) as f32) * YARD_M;
        for [x, y, wide, deep, height_m] in BOXES {
            let at = middle + Vec2::new(x, y);
            // Writing to a string cannot fail.
            let _ =
                writeln!(text, "  - box: {{ at: [{}, {}], size: [{wide}, {deep}], height_m: {height_m} }}", at.x, at.y);
        }
        // A wall to the east and one to the north; the outer ones are closed below. Gates are 2.4 m wide.
        let half = YARD_M * 0.5;
        let (east, north) = (middle + Vec2::new(half.x, 0.0), middle + Vec2::new(0.0, half.y));
        for (a, b) in [
            (east + Vec2::new(0.0, -half.y), east + Vec2::new(0.0, -1.2)),
            (east + Vec2::new(0.0, 1.2), east + Vec2::new(0.0, half.y)),
            (north + Vec2::new(-half.x, 0.0), north + Vec2::new(-1.2, 0.0)),
            (north + Vec2::new(1.2, 0.0), north + Vec2::new(half.x, 0.0)),
        ] {
            let _ = writeln!(
                text,
                "  - wall: {{ along: [[{}, {}], [{}, {}]], height_m: 3, thickness_m: 0.3 }}",
                a.x, a.y, b.x, b.y
            );
        }
    }
    level_of(&text, "yards.yaml")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;

    #[test]
    fn many_squads_in_one_world_fight_each_in_its_yard() {
        let config = ScaleConfig { yards: [2, 2], squads: 1, soldiers: 4, is_mixed: false };
        let mut scale = Scale::new(&config).unwrap();
        let mut seen: Vec<&str> = Vec::new();
        for _ in 0..1200 {
            scale.think(&Serial);
            scale.play();
            seen.extend(scale.doings().iter().map(|it| it.0));
        }
        for what in ["search", "hide", "attack"] {
            assert!(seen.contains(&what), "nobody was at {what}");
        }
        assert_eq!((scale.soldier_count(), scale.brains.squads().count()), (16, 8));
        let fired = scale.fighters.iter().filter(|it| it.gear.magazine < MAGAZINE).count();
        assert!(fired > 4, "{fired} have fired");
    }
}
