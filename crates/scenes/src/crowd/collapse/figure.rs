//! What is measured: trips, who stands still though a way exists, who is in a wall, what was rebuilt.

use sentir::prelude::*;
use sentir_act::follow::Phase;
use sentir_level::LevelView;
use sentir_nav::mesh::{AreaCosts, CorridorSearch, MeshQuery};

use super::mind::{Dweller, Senses, Trips};
use super::{RATE, Ruin, World};
use sentir_harness::metric::Metric;
use sentir_sim::body::CharacterBody;

/// Within this of where it was, one has not moved, m.
const STILL_M: f32 = 0.4;
/// So much of a body may be in something by rounding, m.
const SLIM_M: f32 = 1e-3;
/// Who has not moved for so long is stuck, s.
const STUCK_S: f32 = 2.0;
/// Who has others within this is in a crowd, m.
const CLOSE_M: f32 = 1.5;

/// How long somebody has stood where it is, though it wants to go.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(super) struct Still {
    at: Vec3,
    ticks: u32,
    /// Whether there is a way, as of the last look.
    has_way: bool,
}

impl Still {
    pub(super) fn at(at: Vec3) -> Still {
        Still { at, ticks: 0, has_way: false }
    }

    /// Whether it has stood for a second.
    pub(super) fn is_held(&self) -> bool {
        RATE.seconds(self.ticks.into()) > 1.0
    }
}

/// Figures of the house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(super) struct Figures {
    pub(super) trips: Trips,
    /// Ticks in which a body was in a wall or a piece: must be 0.
    pub(super) inside: u64,
    /// Times that somebody was stuck though a way exists, with others close by and with nobody; the longest such stand of
    /// either, ticks.
    jammed: u32,
    stuck: u32,
    jam_max: u32,
    stall_max: u32,
    /// Ticks of people who wanted to go, and of those, of standing over a second.
    wanted: u64,
    stood: u64,
    /// Noticed by sight, by walking into it, and found gone.
    seen: u32,
    pub(super) felt: u32,
    missed: u32,
    /// Most ghosts at once.
    ghosts_max: u32,
    /// The longest that a request for a way waited, ticks, and what all took, polygons.
    waited_max: u64,
    expanded: u64,
    /// Changes that were refused: must be 0.
    pub(super) refused: u32,
}

/// Notes the figures of a tick.
pub(super) fn note(
    scene: &Ruin,
    mind: &Dweller,
    brains: &Loop<Dweller>,
    world: &mut World,
    search: &mut CorridorSearch,
) {
    let World { bodies, stills, figures, obstacles, .. } = world;
    let view = LevelView { level: &scene.level, state: &bodies.level };
    let mut truth = None;
    for ((key, walker), still) in bodies.iter().zip(stills.iter_mut()) {
        let capsule = walker.capsule();
        let is_in = view.capsule_overlap(capsule.low(), capsule.high(), capsule.radius_m - SLIM_M);
        figures.inside = figures.inside.saturating_add(u64::from(is_in));
        let Some(agent) = brains.agent_of(key) else { continue };
        let position = walker.pose.position;
        let wants = brains.motor(agent).is_some_and(|legs| legs.follower.phase() != Phase::Idle);
        let goal = brains.intents(agent).and_then(|it| it.travel()).map(|it| it.1.goal).filter(|_| wants);
        let (Some(goal), true) = (goal, position.distance(still.at) < STILL_M) else {
            *still = Still::at(position);
            figures.wanted = figures.wanted.saturating_add(u64::from(wants));
            continue;
        };
        still.ticks = still.ticks.saturating_add(1);
        figures.wanted = figures.wanted.saturating_add(1);
        figures.stood = figures.stood.saturating_add(u64::from(still.is_held()));
        if still.ticks.is_multiple_of(15) {
            let costs = truth.get_or_insert_with(|| mind.dynamic.costs_of_truth(&AreaCosts::PLAIN, obstacles));
            let query = MeshQuery { costs, ..MeshQuery::new(position, goal) };
            still.has_way = search.find(mind.dynamic.mesh(), &query).is_found();
            let is_close = |other: &CharacterBody| other.pose.position.distance(position) < CLOSE_M;
            let is_jam = bodies.iter().filter(|(_, other)| is_close(other)).count() > 1;
            if still.has_way {
                let (count, longest) = match is_jam {
                    true => (&mut figures.jammed, &mut figures.jam_max),
                    false => (&mut figures.stuck, &mut figures.stall_max),
                };
                *longest = still.ticks.max(*longest);
                *count = count.saturating_add(u32::from(u64::from(still.ticks) == RATE.ticks(STUCK_S)));
            }
        }
    }
    // All are of one squad.
    if let Some((_, _, requests)) = brains.squads().next() {
        let counts = requests.counts();
        (figures.waited_max, figures.expanded) = (counts.waited_max, counts.expanded);
    }
    let ghosts = obstacles.footprints().filter(|it| it.is_ghost()).count() as u32;
    figures.ghosts_max = figures.ghosts_max.max(ghosts);
    (figures.seen, figures.felt, figures.missed, figures.trips) = (0, 0, 0, Trips::default());
    for (it, _) in brains.motions() {
        if let (Some(legs), Some(senses)) = (brains.motor(it.agent), brains.senses(it.agent)) {
            let Senses { seen, felt, missed, .. } = senses;
            figures.trips.add(&legs.trips);
            (figures.seen, figures.felt, figures.missed) =
                (figures.seen + seen, figures.felt + felt, figures.missed + missed);
        }
    }
}

/// The figures by name.
pub(super) fn metrics(world: &World) -> Vec<Metric> {
    let Figures { trips, inside, jammed, stuck, jam_max, stall_max, wanted, stood, .. } = world.figures;
    let Figures { seen, felt, missed, ghosts_max, refused, waited_max, expanded, .. } = world.figures;
    let counts = world.obstacles.counts();
    let share = if wanted > 0 { stood as f32 / wanted as f32 } else { f32::NAN };
    let [no_path, bad_goal, out_of_budget, failed_stuck] = trips.failed.map(|count| count as f32);
    vec![
        Metric::new("trips", trips.arrived as f32),
        Metric::new("failed_no_path", no_path),
        Metric::new("failed_bad_goal", bad_goal),
        Metric::new("failed_out_of_budget", out_of_budget),
        Metric::new("failed_stuck", failed_stuck),
        Metric::new("blocked", trips.blocked as f32),
        Metric::new("stuck_with_a_way", stuck as f32),
        Metric::new("longest_stall_s", RATE.seconds(stall_max.into())),
        Metric::new("jammed_with_a_way", jammed as f32),
        Metric::new("longest_jam_s", RATE.seconds(jam_max.into())),
        Metric::new("stood_share", share),
        Metric::new("in_walls", inside as f32),
        Metric::new("slabs_fallen", world.script.fallen as f32),
        Metric::new("doors_turned", world.script.doors as f32),
        Metric::new("walls_broken", world.script.broken as f32),
        Metric::new("noticed_by_sight", seen as f32),
        Metric::new("walked_into", felt as f32),
        Metric::new("found_gone", missed as f32),
        Metric::new("ghosts_max", ghosts_max as f32),
        Metric::new("changes", counts.changes as f32),
        Metric::new("tiles_rebuilt", counts.tiles as f32),
        Metric::new("longest_wait_s", RATE.seconds(waited_max)),
        Metric::new("expansions", expanded as f32),
        Metric::new("changes_refused", refused as f32),
    ]
}
