//! Scenes on tile grids: a mind that treads from place to place, and what these scenes share.
//!
//! Bodies here are moved by the scene along their wanted velocity: paths on a grid lead from center to center of free cells,
//! so nobody meets a wall.

pub(crate) mod maze;
mod panel;
pub(crate) mod stream;
pub(crate) mod tiles;

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::Level;
use sentir_nav::grid::{self, Cell, Cost, GridError, Lrta, LrtaStep, Terrain, Unit, UnitGrid};

use sentir_harness::honesty::tamper::{Tamper, join};
use sentir_harness::info::{SceneError, SceneInfo};

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[tiles::SCENE, maze::SCENE, stream::SCENE];

/// Goes from stop to stop; one that learns takes its steps from what it learned.
pub(crate) struct Strider {
    /// What one walks on.
    pub(crate) ground: UnitGrid,
    /// Where cell (0, 0) begins, m.
    pub(crate) origin: Vec2,
    /// How fast, m/s.
    pub(crate) pace_m_per_s: f32,
}

/// What one remembers of its way.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Route {
    /// Places still to go to, the next one last.
    pub(crate) stops: Vec<Vec2>,
    /// What one that learns has learned.
    pub(crate) learner: Option<Lrta>,
    /// The cells it has been to.
    pub(crate) trail: Vec<Cell>,
    /// Whether it gave up, as no way leads there.
    pub(crate) is_hopeless: bool,
    /// Whether it has nowhere to go any more.
    pub(crate) is_done: bool,
}

/// What the scene tells one: a way, place by place, so that nothing is allocated.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) enum Notice {
    /// All places are off.
    Halt,
    /// A place to go to before all that it was told so far, m.
    Stop(Vec2),
}

/// The last wish that was reported as reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Tread {
    arrived: Ticket,
}

impl Mind for Strider {
    type Senses = ();
    type Brain = Route;
    type Motor = Tread;
    type Squad = ();
    type Notice = Notice;

    fn receive(&self, _view: &ThinkView<'_>, notice: Notice, route: &mut Route) {
        match notice {
            Notice::Halt => route.stops.clear(),
            Notice::Stop(place) => {
                route.stops.push(place);
                route.is_done = false;
            }
        }
    }

    fn think(&self, view: &ThinkView<'_>, route: &mut Route, intents: &mut Intents, notes: &mut Notes<'_>) {
        let had_wish = intents.travel().is_some();
        if view.has_arrived(intents) {
            route.stops.pop();
            intents.stay();
        }
        if let (true, Some(learner)) = (route.stops.is_empty(), &mut route.learner) {
            match learner.step(&self.ground) {
                LrtaStep::Moved(cell) => {
                    route.trail.push(cell);
                    route.stops.push(center(self.origin, cell));
                }
                LrtaStep::Arrived => route.is_done = true,
                LrtaStep::NoPath | LrtaStep::BadStart | LrtaStep::BadGoal => route.is_hopeless = true,
            }
        } else if route.learner.is_none() && had_wish {
            route.is_done = route.stops.is_empty();
        }
        let left = route.stops.len() as f32;
        notes.because(|| Reason { what: "stops left", held: left > 0.0, value: left, limit: 0.0 });
        let Some(&stop) = route.stops.last() else {
            intents.stay();
            return;
        };
        let (goal, pace_m_per_s) = (plane::lift(stop, 0.0), self.pace_m_per_s);
        intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m: 0.02 });
    }

    fn act(
        &self,
        view: &ActView<'_>,
        tread: &mut Tread,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        motion.velocity = Vec3::ZERO;
        let Some((ticket, travel)) = view.travel() else { return };
        let way = plane::ground(travel.goal - view.me.body.pose.position);
        let distance = way.length();
        if distance <= travel.arrive_m {
            if tread.arrived != ticket {
                tread.arrived = ticket;
                out.report(Outcome::Arrived { ticket });
                notes.event(EventKind::Arrived { ticket });
            }
            return;
        }
        // To the very place, and not past it.
        let speed = sentir::core::math::min(travel.pace_m_per_s, distance / view.rate.tick_s());
        motion.velocity = plane::lift(way * (speed / distance), 0.0);
        motion.yaw = plane::yaw(way);
    }
}

/// The middle of a cell of 1 m, m.
pub(crate) fn center(origin: Vec2, cell: Cell) -> Vec2 {
    origin + Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5)
}

/// Stops from a path, the next one last; the first cell is where one stands.
pub(crate) fn stops(origin: Vec2, path: &[Cell]) -> Vec<Vec2> {
    path.iter().skip(1).rev().map(|&cell| center(origin, cell)).collect()
}

/// Moves every body by its wanted velocity and tells the loop. Places are by key.
pub(crate) fn walk(brains: &mut Loop<Strider>, places: &mut [Vec2], rate: TickRate) {
    for (key, place) in (0..).zip(places) {
        let Some(agent) = brains.agent_of(HostKey(key)) else { continue };
        let Some(motion) = brains.motion(agent).copied() else { continue };
        *place += plane::ground(motion.velocity) * rate.tick_s();
        let pose = Pose { position: plane::lift(*place, 0.0), yaw: motion.yaw };
        brains.observe(agent, Body { pose, velocity: motion.velocity, ..Body::default() });
    }
}

/// Brings one in who stands at a place, with a route to go.
pub(crate) fn enter(brains: &mut Loop<Strider>, places: &mut Vec<Vec2>, at: Vec2, route: Route) {
    let key = HostKey(places.len() as u64);
    places.push(at);
    let pose = Pose { position: plane::lift(at, 0.0), yaw: 0.0 };
    let spec = AgentSpec { body: Body { pose, ..Body::default() }, ..AgentSpec::new(key) };
    // Keys are all different and the body is finite: nobody is refused.
    let _ = brains.spawn_with(spec, route);
}

/// Makes a change behind everybody's back, for the test of [`honesty`](sentir_harness::honesty). Who is added stands.
pub(crate) fn change(brains: &mut Loop<Strider>, places: &mut [Vec2], tamper: &Tamper) -> bool {
    match *tamper {
        Tamper::Moved { key, to } => {
            let place = usize::try_from(key.0).ok().and_then(|number| places.get_mut(number));
            let (Some(place), Some(agent)) = (place, brains.agent_of(key)) else { return false };
            *place = plane::ground(to.position);
            brains.teleport(agent, to)
        }
        Tamper::Added { key, like, at } => {
            let model = brains.agent_of(like).and_then(|agent| brains.presence(agent)).copied();
            model.is_some_and(|model| join(brains, &model, key, Body { pose: at, ..Body::default() }))
        }
        Tamper::Noise { position, range_m } => {
            brains.noise(Noise { position, range_m, by: None, at: brains.tick() });
            true
        }
        Tamper::Removed { .. } | Tamper::Door { .. } | Tamper::Item { .. } => false,
    }
}

/// The route of the one with that key.
pub(crate) fn route(brains: &Loop<Strider>, key: u64) -> Option<&Route> {
    brains.agent_of(HostKey(key)).and_then(|agent| brains.brain(agent))
}

/// The first tile map of a level, and what its tags cost on foot: paths 1, grass 2, forest 4, all else 1.
pub(crate) fn terrain_of(level: &Level, asset: &str) -> Result<(Terrain, UnitGrid), SceneError> {
    let (terrain, mut unit) = grid::tiles(level, 0).map_err(|error| refused(&error, asset))?;
    for (name, cost) in terrain.names().iter().zip(&mut unit.costs) {
        *cost = match (name.as_str(), *cost) {
            ("grass", Cost::Times(_)) => Cost::Times(2),
            ("forest", Cost::Times(_)) => Cost::Times(4),
            (_, cost) => cost,
        };
    }
    let ground = ground_of(&terrain, &unit, asset)?;
    Ok((terrain, ground))
}

pub(crate) fn ground_of(terrain: &Terrain, unit: &Unit, asset: &str) -> Result<UnitGrid, SceneError> {
    UnitGrid::build(terrain, unit).map_err(|error| refused(&error, asset))
}

fn refused(error: &GridError, asset: &str) -> SceneError {
    let (line, column) = (error.line as usize, error.column as usize);
    SceneError::Asset { name: asset.to_owned(), line, column, what: error.problem.to_string() }
}

/// A line through the middles of cells.
pub(crate) fn draw_path(list: &mut DrawList, color: Color, origin: Vec2, path: &[Cell], width_m: f32) {
    for pair in path.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|cell| plane::lift(center(origin, cell), 0.05));
        list.line(Layer::PATHS, color, from, to, width_m);
    }
}
