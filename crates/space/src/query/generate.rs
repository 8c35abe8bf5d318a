//! Where points come from. Every generator is a function that calls back with points; they are put onto the ground elsewhere.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};
use sentir_nav::mesh::{AnyAngleSearch, MeshQuery};

use super::build::Query;
use super::spec::GeneratorSpec;
use super::world::{Lexicon, QueryWorld, Subject};

/// Calls `give` with the points of every generator in turn.
pub(super) fn generate(query: &Query, world: &QueryWorld<'_>, search: &mut AnyAngleSearch, give: &mut dyn FnMut(Vec3)) {
    for (spec, &number) in query.generators.iter().zip(&query.around) {
        match *spec {
            GeneratorSpec::Grid { half_m, step_m, .. } => {
                around(world.subjects(number), |at, _| lattice(at, half_m, step_m, |_| true, give));
            }
            GeneratorSpec::Ring { least_m, most_m, step_m, .. } => {
                around(world.subjects(number), |at, _| rings(at, [least_m, most_m], step_m, give));
            }
            GeneratorSpec::Cone { half_angle_deg, range_m, step_m, .. } => {
                let cos = math::cos(half_angle_deg * (math::PI / 180.0));
                around(world.subjects(number), |at, yaw| {
                    let ahead = plane::heading(yaw);
                    let is_in = |off: Vec2| {
                        let length = off.length();
                        length <= range_m && off.dot(ahead) >= cos * length - 1e-4
                    };
                    lattice(at, range_m, step_m, is_in, give);
                });
            }
            GeneratorSpec::Path { step_m, .. } => along(world, number, step_m, search, give),
            GeneratorSpec::Edges { within_m, .. } => {
                let points = world.cover.map_or(&[][..], |cover| cover.points());
                near(world.subjects(number), within_m, points.iter().map(|it| it.position), give);
            }
            GeneratorSpec::Mesh { within_m, .. } => {
                let middles = (0..world.mesh.polygon_count()).map(|polygon| middle(world.mesh.ring(polygon)));
                near(world.subjects(number), within_m, middles, give);
                if let Some(spread) = world.spread {
                    near(world.subjects(number), within_m, spread.points(), give);
                }
            }
            GeneratorSpec::Agents { .. } => {
                let of_class = world.agents.iter().filter(|agent| usize::from(agent.0) == number);
                of_class.for_each(|agent| give(agent.1));
            }
            GeneratorSpec::Notes { ref kind, within_m, .. } => {
                let notes = world.level.map_or(&[][..], |view| view.level.annotations());
                let of_kind = notes.iter().filter(|note| note.kind == *kind).map(|note| note.position);
                near(world.subjects(number), within_m, of_kind, give);
            }
            GeneratorSpec::Own { .. } => {
                if let Some(own) = world.generators.get(number) {
                    own(give);
                }
            }
        }
    }
}

fn around(subjects: &[Subject<'_>], mut work: impl FnMut(Vec3, f32)) {
    subjects.iter().filter(|it| it.position.is_finite()).for_each(|it| work(it.position, it.yaw));
}

/// A square lattice with a point in the middle, row by row.
fn lattice(at: Vec3, half_m: f32, step_m: f32, is_in: impl Fn(Vec2) -> bool, give: &mut dyn FnMut(Vec3)) {
    let count = (half_m / step_m) as i32;
    for row in -count..=count {
        for column in -count..=count {
            let off = Vec2::new(column as f32, row as f32) * step_m;
            if is_in(off) {
                give(at + plane::lift(off, 0.0));
            }
        }
    }
}

/// Rings from near to far, each from straight ahead (ground y) on, counter-clockwise.
fn rings(at: Vec3, [least_m, most_m]: [f32; 2], step_m: f32, give: &mut dyn FnMut(Vec3)) {
    let count = ((most_m - least_m) / step_m + 1e-3) as u32;
    for ring in 0..=count {
        let radius_m = least_m + ring as f32 * step_m;
        let points = if radius_m < step_m * 0.5 { 1 } else { ((math::TAU * radius_m / step_m) as u32).max(4) };
        for point in 0..points {
            let heading = plane::heading(math::TAU * point as f32 / points as f32);
            give(at + plane::lift(heading * radius_m, 0.0));
        }
    }
}

/// Points of a list that are near any of the subjects.
fn near(subjects: &[Subject<'_>], within_m: f32, points: impl Iterator<Item = Vec3>, give: &mut dyn FnMut(Vec3)) {
    for point in points {
        let is_near = |it: &Subject<'_>| (it.position - point).length_squared() <= within_m * within_m;
        if subjects.iter().any(is_near) {
            give(point);
        }
    }
}

/// Points along the shortest way from oneself to somebody, both ends with them.
fn along(world: &QueryWorld<'_>, to: usize, step_m: f32, search: &mut AnyAngleSearch, give: &mut dyn FnMut(Vec3)) {
    let ends = (world.subjects(Lexicon::ONESELF).first(), world.subjects(to).first());
    let (Some(from), Some(to)) = ends else { return };
    let query = MeshQuery { costs: world.costs, ..MeshQuery::new(from.position, to.position) };
    let path = search.find(world.mesh, &query).path;
    let mut ahead_m = 0.0;
    for pair in path.windows(2) {
        let length = (pair[1] - pair[0]).length();
        while ahead_m < length {
            give(pair[0] + (pair[1] - pair[0]) * (ahead_m / length));
            ahead_m += step_m;
        }
        ahead_m -= length;
    }
    path.iter().last().into_iter().for_each(|&end| give(end));
}

fn middle(ring: impl ExactSizeIterator<Item = Vec3>) -> Vec3 {
    let count = ring.len() as f32;
    ring.fold(Vec3::ZERO, |sum, corner| sum + corner) / count
}
