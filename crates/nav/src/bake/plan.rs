//! Floor plans: a patch out of polygons with holes, narrowed by the radius of a body.
//!
//! Corners are snapped to [`UNITS_PER_M`] units a meter; from there on everything is whole numbers, so results are the same
//! on every target. Along each side a strip of the radius is taken away, at each corner that juts into the floor a round
//! piece (its arc is cut straight every 22.5°, outside the circle, so nothing gets nearer than the radius); what is left (crate
//! `i_overlay`, whole numbers) is triangulated (crate `spade`, exact predicates) and joined into convex polygons.
//! Crossings are looked for side by side, O(n²); the rest is O(n log n) as a rule.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{IntOverlayOptions, Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use spade::Triangulation;
use spade::handles::FixedVertexHandle;

use super::polygon::join::{Joined, Vertex, turn};
use super::polygon::{Mesh, insert, windings};
use crate::mesh::{AreaId, Patch, Polygon};

mod check;
pub use check::PlanError;

/// Units of a plan a meter: corners move by at most an eighth of a millimeter.
pub const UNITS_PER_M: f32 = 4096.0;
/// Corners of a plan at most, all rings together.
pub const CORNERS_MAX: usize = 4096;
/// How far from the origin a corner may be, m.
pub const REACH_M: f32 = 10_000.0;
/// Widest body, m.
pub const RADIUS_MAX_M: f32 = 100.0;
/// Rest pieces with less area are dropped, square units: about a square of 1.6 cm.
const AREA_MIN: u64 = 64 * 64;

/// A polygon with holes, on the ground. Rings go either way round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanShape {
    /// Its border, m.
    pub border: Vec<Vec2>,
    /// Holes in it, apart from each other and from the border, m.
    pub holes: Vec<Vec<Vec2>>,
}

/// What a plan is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanConfig {
    /// Half the width of the body, m. Limit: 0..=[`RADIUS_MAX_M`].
    pub radius_m: f32,
    /// Height of the floor, m. Limit: finite.
    pub level_m: f32,
    /// Corners of a polygon at most. Limit: 3..=16.
    pub corners_max: u16,
    /// What kind of ground it is.
    pub area: AreaId,
}

impl Default for PlanConfig {
    fn default() -> Self {
        PlanConfig { radius_m: 0.3, level_m: 0.0, corners_max: 6, area: AreaId(0) }
    }
}

/// Where the middle of a body may be on a floor plan. Shapes may overlap: they are one floor then. Nothing left is an empty patch.
pub fn plan(shapes: &[PlanShape], config: &PlanConfig) -> Result<Patch, PlanError> {
    let shapes = check::check(shapes, config)?;
    let options = IntOverlayOptions {
        preserve_output_collinear: true,
        min_output_area: AREA_MIN,
        ..IntOverlayOptions::default()
    };
    // Overlapping shapes are one floor before anything is taken away: inner borders are no walls.
    let mut overlay = Overlay::<i32>::new_custom(64, options, Default::default());
    for ring in shapes.iter().flatten() {
        overlay.add_contour(ring, ShapeType::Subject);
    }
    let mut floors = overlay.overlay(OverlayRule::Subject, FillRule::NonZero);
    if config.radius_m > 0.0 {
        let radius = f64::from(config.radius_m) * f64::from(UNITS_PER_M);
        let mut overlay = Overlay::<i32>::new_custom(64, options, Default::default());
        for ring in floors.iter().flatten() {
            overlay.add_contour(ring, ShapeType::Subject);
            take_away(ring, radius, |piece| overlay.add_contour(piece, ShapeType::Clip));
        }
        floors = overlay.overlay(OverlayRule::Difference, FillRule::NonZero);
    }
    let mut patch = Patch::default();
    for floor in &floors {
        add(floor, config, &mut patch).ok_or(PlanError::TooFine)?;
    }
    Ok(patch)
}

/// Calls `take` with counter-clockwise pieces that hold everything left of a ring and nearer to it than the radius.
fn take_away(ring: &[IntPoint<i32>], radius: f64, mut take: impl FnMut(&[IntPoint<i32>])) {
    let count = ring.len();
    let at = |index: usize| ring[index % count];
    let left = |index: usize| {
        let (a, b) = (at(index), at(index + 1));
        let (dx, dy) = (f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y));
        let length = (dx * dx + dy * dy).sqrt();
        (-dy / length, dx / length)
    };
    let moved = |from: IntPoint<i32>, (x, y): (f64, f64), far: f64| {
        let shift = |from: i32, by: f64| from + (by * far).round() as i32;
        IntPoint::new(shift(from.x, x), shift(from.y, y))
    };
    for index in 0..count {
        let (a, b, next) = (at(index), at(index + 1), at(index + 2));
        if a == b || b == next {
            continue;
        }
        let (own, then) = (left(index), left(index + 1));
        take(&[a, b, moved(b, own, radius), moved(a, own, radius)]);
        // The sine and the cosine of the turn to the right.
        let (sin, cos) = (own.1 * then.0 - own.0 * then.1, own.0 * then.0 + own.1 * then.1);
        if sin >= 0.0 || cos < 0.0 && sin > -1e-9 {
            let angle = math::atan2(sin as f32, cos as f32).abs();
            let steps = ((angle / (math::PI / 8.0)).ceil() as u32).max(1);
            let step = angle / steps as f32;
            let far = radius / f64::from(math::cos(step * 0.5));
            let mut piece = vec![b, moved(b, then, radius)];
            for number in (0..steps).rev() {
                let (sin, cos) = math::sin_cos(-(number as f32 + 0.5) * step);
                let (sin, cos) = (f64::from(sin), f64::from(cos));
                piece.push(moved(b, (own.0 * cos - own.1 * sin, own.0 * sin + own.1 * cos), far));
            }
            piece.push(moved(b, own, radius));
            take(&piece);
        }
    }
}

/// Adds the polygons of a floor: its border counter-clockwise, its holes the other way.
fn add(floor: &[Vec<IntPoint<i32>>], config: &PlanConfig, patch: &mut Patch) -> Option<()> {
    let (mut mesh, mut vertices, mut rings) = (Mesh::new(), Vec::new(), Vec::new());
    for ring in floor {
        let corner = |at: &IntPoint<i32>| insert(&mut mesh, &mut vertices, Vertex { x: at.x, y: at.y, height: 0 });
        rings.push(ring.iter().map(corner).collect::<Option<Vec<u32>>>()?);
    }
    let mut sides = Vec::new();
    for ring in &rings {
        for (index, &from) in ring.iter().enumerate() {
            let to = ring[(index + 1) % ring.len()];
            constrain(&mut mesh, &vertices, from, to, &mut sides)?;
        }
    }
    let mut inside = Vec::new();
    windings(&mesh, &sides, &mut inside);
    let mut joined = Joined::default();
    joined.join(&mesh, &inside, &vertices, config.corners_max.into(), 0.0);
    let mut numbers = vec![u32::MAX; vertices.len()];
    for polygon in joined.polygons() {
        let first = patch.loops.len() as u32;
        for &vertex in polygon {
            let number = &mut numbers[vertex as usize];
            if *number == u32::MAX {
                *number = patch.corners.len() as u32;
                let at = vertices[vertex as usize];
                patch.corners.push(corner(at, config.level_m));
            }
            patch.loops.push(*number);
        }
        patch.polygons.push(Polygon { first, count: polygon.len() as u32, area: config.area });
    }
    Some(())
}

fn corner(at: Vertex, level_m: f32) -> Vec3 {
    plane::lift(Vec2::new(at.x as f32 / UNITS_PER_M, at.y as f32 / UNITS_PER_M), level_m)
}

/// Makes a side a constraint, in parts where corners lie on it. None if it crosses another.
fn constrain(mesh: &mut Mesh, vertices: &[Vertex], from: u32, to: u32, sides: &mut Vec<[u32; 2]>) -> Option<()> {
    if from == to {
        return Some(());
    }
    let handle = |at: u32| FixedVertexHandle::from_index(at as usize);
    if !mesh.can_add_constraint(handle(from), handle(to)) {
        return None;
    }
    mesh.add_constraint(handle(from), handle(to));
    let goal = vertices[to as usize];
    let mut at = from;
    while at != to {
        let own = vertices[at as usize];
        let is_next = |next: &u32| {
            let next = vertices[*next as usize];
            let [dx, dy, gx, gy] = [next.x - own.x, next.y - own.y, goal.x - own.x, goal.y - own.y].map(i64::from);
            turn(own, goal, next) == 0 && dx * gx + dy * gy > 0
        };
        let next = mesh.vertex(handle(at)).out_edges().map(|edge| edge.to().index() as u32).find(is_next)?;
        sides.push([at, next]);
        at = next;
    }
    Some(())
}
