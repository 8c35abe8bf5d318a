//! What is known about a mesh before any search: connected parts, parts with one exit, corners worth turning at, areas.
//!
//! * A shortest way turns only where the free angle round a corner is over half a circle (or where areas meet, since a
//!   request may close an area). Corners are told apart by the fan of polygons round them, not by position: a point where
//!   two halls touch is two corners, and so are a bridge's and that under it.
//! * A part that hangs on the rest by one edge is of no use unless the search begins or ends in it. Polygons with one way
//!   out are taken off again and again, each pointing to the one it hung on; an edge into such a part is a dead end.
//!   Polygons with a link are never taken off.
//!
//! One pass each, O(edges).

use super::patch::AreaId;
use super::table::{Edge, Mesh};
use super::tile::NONE;

pub(super) fn label(mesh: &mut Mesh) {
    components(mesh);
    dead_ends(mesh);
    turns(mesh);
    areas(mesh);
}

/// Numbers the parts of the mesh, in order of their first polygon.
fn components(mesh: &mut Mesh) {
    // Links join both ways here, whether open or not: a different number is then always a proof.
    let mut joined: Vec<[u32; 2]> = mesh.hops.iter().map(|hop| [hop.from.polygon, hop.to.polygon]).collect();
    joined.extend(mesh.hops.iter().map(|hop| [hop.to.polygon, hop.from.polygon]));
    joined.sort_unstable();
    let mut numbers = vec![NONE; mesh.faces.len()];
    let (mut stack, mut count) = (Vec::new(), 0);
    for seed in 0..mesh.faces.len() as u32 {
        if numbers[seed as usize] != NONE {
            continue;
        }
        numbers[seed as usize] = count;
        stack.push(seed);
        while let Some(polygon) = stack.pop() {
            let mut visit = |other: u32| {
                if numbers[other as usize] == NONE {
                    numbers[other as usize] = count;
                    stack.push(other);
                }
            };
            for edge in mesh.run(polygon) {
                let twin = mesh.edges[edge].twin;
                if twin != NONE {
                    visit(mesh.owners[twin as usize]);
                }
            }
            let from = joined.partition_point(|it| it[0] < polygon);
            joined[from..].iter().take_while(|it| it[0] == polygon).for_each(|it| visit(it[1]));
        }
        count += 1;
    }
    mesh.components = numbers;
}

/// Finds the parts with one exit.
fn dead_ends(mesh: &mut Mesh) {
    let mut exits = vec![NONE; mesh.faces.len()];
    let mut degrees: Vec<u32> = (0..mesh.faces.len() as u32)
        .map(|polygon| mesh.run(polygon).filter(|&edge| mesh.edges[edge].twin != NONE).count() as u32)
        .collect();
    for hop in &mesh.hops {
        // More than one exit for ever.
        degrees[hop.from.polygon as usize] |= 1 << 31;
        degrees[hop.to.polygon as usize] |= 1 << 31;
    }
    for edge in &mut mesh.edges {
        edge.mark &= !Edge::DEAD_END;
    }
    let mut leaves: Vec<u32> = (0..mesh.faces.len() as u32).filter(|&it| degrees[it as usize] == 1).collect();
    while let Some(leaf) = leaves.pop() {
        if degrees[leaf as usize] != 1 {
            continue;
        }
        degrees[leaf as usize] = 0;
        for edge in mesh.run(leaf) {
            let twin = mesh.edges[edge].twin;
            if twin == NONE || mesh.edges[edge].is_dead_end() {
                continue;
            }
            // The one way out: seen from there it is a dead end.
            let other = mesh.owners[twin as usize];
            mesh.edges[twin as usize].mark |= Edge::DEAD_END;
            exits[leaf as usize] = other;
            degrees[other as usize] -= 1;
            if degrees[other as usize] == 1 {
                leaves.push(other);
            }
        }
    }
    mesh.exits = exits;
}

/// Numbers the corners worth turning at.
fn turns(mesh: &mut Mesh) {
    let mut count = 0;
    for edge in &mut mesh.edges {
        edge.mark |= Edge::NO_TURN;
    }
    for edge in 0..mesh.edges.len() as u32 {
        if mesh.edges[edge as usize].twin == NONE {
            let (is_wide, is_mixed, _) = fan(mesh, edge);
            if is_wide || is_mixed {
                mark_fan(mesh, edge, &mut count);
            }
        }
    }
    let plain = mesh.faces.first().map_or(AreaId(0), |face| face.area);
    if mesh.faces.iter().any(|face| face.area != plain) {
        for edge in 0..mesh.edges.len() as u32 {
            if mesh.edges[edge as usize].turn() == Edge::NO_TURN {
                let (_, is_mixed, is_round) = fan(mesh, edge);
                if is_mixed && is_round {
                    mark_fan(mesh, edge, &mut count);
                }
            }
        }
    }
    mesh.turn_count = count;
}

/// The next edge counter-clockwise round the point where `edge` begins, or [`NONE`].
fn turned_left(mesh: &Mesh, edge: u32) -> u32 {
    mesh.edges[mesh.previous(edge) as usize].twin
}

/// Looks at the fan that starts at `edge` and goes on counter-clockwise: is it wider than half a circle, are there
/// different areas, does it come back to where it started?
fn fan(mesh: &Mesh, edge: u32) -> (bool, bool, bool) {
    let center = mesh.edges[edge as usize].at();
    let first = mesh.edges[mesh.next(edge) as usize].at() - center;
    let area = |edge: u32| mesh.area(mesh.owners[edge as usize]);
    let (mut at, mut is_wide, mut is_mixed) = (edge, false, false);
    loop {
        let last = mesh.edges[mesh.previous(at) as usize].at() - center;
        let side = first.perp_dot(last);
        is_wide |= side < 0.0 || (side == 0.0 && first.dot(last) > 0.0);
        is_mixed |= area(at) != area(edge);
        at = turned_left(mesh, at);
        if at == NONE || at == edge {
            return (is_wide, is_mixed, at == edge);
        }
    }
}

fn mark_fan(mesh: &mut Mesh, edge: u32, count: &mut u32) {
    let mut at = edge;
    loop {
        let mark = &mut mesh.edges[at as usize].mark;
        *mark = (*mark & Edge::DEAD_END) | *count;
        at = turned_left(mesh, at);
        if at == NONE || at == edge {
            break;
        }
    }
    *count += 1;
}

/// Sums areas, and takes the measure of rounding from the size of the mesh.
fn areas(mesh: &mut Mesh) {
    let mut sum = 0.0;
    let mut sums = Vec::with_capacity(mesh.faces.len());
    for polygon in 0..mesh.faces.len() as u32 {
        let run = mesh.run(polygon);
        let first = mesh.edges[run.start].at();
        let points = mesh.edges[run].iter().map(|edge| edge.at() - first);
        let twice: f64 = points.clone().zip(points.skip(1)).map(|(a, b)| a.perp_dot(b)).sum();
        sum += if twice > 0.0 { 0.5 * twice } else { 0.0 };
        sums.push(sum);
    }
    mesh.area_sums = sums;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for edge in &mesh.edges {
        for value in [f64::from(edge.x), f64::from(edge.y)] {
            low = if value < low { value } else { low };
            high = if value > high { value } else { high };
        }
    }
    let size = if high > low { high - low } else { 0.0 };
    // Products of two lengths of this size are rounded by 2^-53 of it each; a few of them, and some room.
    mesh.tolerance = size * size * (1.0 / (1u64 << 50) as f64);
}
