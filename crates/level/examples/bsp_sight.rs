//! Holds looks in Quake III levels against the files' own tables of visibility: `bsp_sight COUNT FILE...`. Between random
//! points whose clusters cannot see each other, no look may be free, but for what the tables cannot know. Points are taken in
//! the level alone: compilers give clusters to some of the void around it, too, and no surface looks out there. A cluster is of
//! the level if it is seen, over any number of others, from one that somebody spawns in. Each free look that the tables rule
//! out is followed through the tree of the file and put into one of four classes:
//!
//! - *inside*: an end of it lies inside of a body that ends looks (clusters go through details), where nobody can be; surfaces
//!   inside of bodies are left out.
//! - *far*: the way stays in leafs with a cluster, so the tree itself says that it is free, and the level has a far plane (the
//!   key `_farplanedist` of its world), beyond which the table says that nothing is seen.
//! - *unblocked*: it goes through leafs without a cluster that are filled by something which ends no looks here: water, fog,
//!   glass and the like that the compiler took for opaque, or nothing at all.
//! - *wrong*: it goes through the inside of a body that ends looks, and met no surface of it, or else stays in open leafs
//!   without a far plane. Then a surface is missing, or the table is read wrongly; the program fails.

use std::collections::BTreeMap;

use sentir_core::random::{Purpose, Streams};
use sentir_level::bsp::class::{self, Class};
use sentir_level::bsp::lump::{self, Bsp};
use sentir_level::bsp::{UNIT_M, meters};
use sentir_level::{Blocks, LevelState, LevelView};

/// How deep inside of a body a point must be to count, units: less is within rounding.
const DEEP_UNITS: f64 = 1.0;

/// What became of the looks of all levels.
#[derive(Default)]
struct Counts {
    looks: usize,
    free: usize,
    inside: usize,
    far: usize,
    unblocked: BTreeMap<String, usize>,
    wrong: usize,
}

impl Counts {
    fn in_short(&self) -> [usize; 4] {
        [self.inside, self.far, self.unblocked.values().sum(), self.wrong]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [count, files @ ..] = words.as_slice() else {
        println!("usage: bsp_sight COUNT FILE...");
        return Ok(());
    };
    let count: usize = count.parse()?;
    let mut counts = Counts::default();
    for file in files {
        let bytes = std::fs::read(file)?;
        let level = sentir_level::parse(&bytes, file)?.build()?;
        let bsp = lump::read(&bytes).map_err(|problem| problem.to_string())?;
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let before = counts.in_short();
        look(&bsp, &view, count, &mut counts);
        let after = counts.in_short();
        if after != before {
            let [inside, far, unblocked, wrong] = std::array::from_fn(|class| after[class] - before[class]);
            let name = level.name();
            println!("{name}: ruled out but free: {inside} inside, {far} far, {unblocked} unblocked, {wrong} wrong");
        }
    }
    let Counts { looks, free, inside, far, unblocked, wrong } = counts;
    println!("{} levels: {looks} looks, {free} free; ruled out by the tables but free:", files.len());
    println!("  {inside} inside: an end is in a body");
    println!("  {far} far: the level has a far plane, and the way is free by its own tree");
    for (what, count) in &unblocked {
        println!("  {count} unblocked, through {what}");
    }
    println!("  {wrong} wrong");
    if wrong > 0 { Err("a surface is missing, or the table is read wrongly".into()) } else { Ok(()) }
}

fn look(bsp: &Bsp, view: &LevelView<'_>, count: usize, counts: &mut Counts) {
    let Some(world) = bsp.models.first().filter(|_| bsp.visibility.clusters > 0) else { return };
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("bsp sight"));
    let is_inside = clusters_of_the_level(bsp, view);
    let mut point = || {
        let point: [f32; 3] = std::array::from_fn(|axis| random.between(world.low[axis], world.high[axis]));
        let cluster = bsp.cluster_at(point)?;
        let is_inside = usize::try_from(cluster).is_ok_and(|cluster| is_inside.get(cluster) == Some(&true));
        is_inside.then_some((point, cluster))
    };
    let points: Vec<_> = (0..count * 300).filter_map(|_| point()).take(2 * count).collect();
    for pair in points.chunks_exact(2) {
        let ((from, here), (to, there)) = (pair[0], pair[1]);
        let sees = view.sees(meters(from), meters(to));
        counts.looks += 1;
        counts.free += usize::from(sees);
        if sees && !bsp.visibility.may_see(here, there) {
            explain(bsp, from, to, counts);
        }
    }
}

/// Which clusters are in the level: seen from where somebody spawns, over any number of others.
fn clusters_of_the_level(bsp: &Bsp, view: &LevelView<'_>) -> Vec<bool> {
    let mut is_inside = vec![false; bsp.visibility.clusters as usize];
    let places = view.level.spawns().iter().map(|spawn| spawn.pose.position / UNIT_M);
    let mut waiting: Vec<i32> =
        places.filter_map(|place| bsp.cluster_at([place.x, -place.z, place.y + 16.0])).collect();
    while let Some(cluster) = waiting.pop() {
        let Some(known) = usize::try_from(cluster).ok().and_then(|cluster| is_inside.get_mut(cluster)) else {
            continue;
        };
        if !std::mem::replace(known, true) {
            waiting.extend((0..bsp.visibility.clusters as i32).filter(|&other| bsp.visibility.may_see(cluster, other)));
        }
    }
    is_inside
}

/// Follows a free look that is ruled out.
fn explain(bsp: &Bsp, from: [f32; 3], to: [f32; 3], counts: &mut Counts) {
    if is_inside(bsp, from) || is_inside(bsp, to) {
        counts.inside += 1;
        return;
    }
    let mut through: Option<String> = None;
    for (leaf, enter, leave) in bsp.leafs_along(from, to) {
        let leaf = bsp.leafs[leaf as usize];
        if leaf.cluster >= 0 {
            continue;
        }
        let share = (enter + leave) / 2.0;
        let middle: [f64; 3] =
            std::array::from_fn(|axis| f64::from(from[axis]) + (f64::from(to[axis]) - f64::from(from[axis])) * share);
        let mut found = "nothing".to_owned();
        for &brush in &bsp.leaf_brushes[leaf.brushes.range()] {
            let brush = &bsp.brushes[brush as usize];
            let texture = &bsp.textures[brush.texture as usize];
            if depth(bsp, brush, middle) < DEEP_UNITS {
                continue;
            }
            let body = class::of_body(texture);
            if body.is_some_and(|body| body.blocks() & Blocks::SIGHT.0 != 0) {
                counts.wrong += 1;
                return;
            }
            found = format!("{} ({})", body.map_or("no body", Class::name), texture.name);
        }
        through.get_or_insert(found);
    }
    match through {
        Some(what) => *counts.unblocked.entry(what).or_default() += 1,
        None if bsp.entities.contains("\"_farplanedist\"") => counts.far += 1,
        None => counts.wrong += 1,
    }
}

/// Whether a point is inside of a body that ends looks.
fn is_inside(bsp: &Bsp, point: [f32; 3]) -> bool {
    let brushes = bsp.models.first().map_or(0..0, |world| world.brushes.range());
    bsp.brushes[brushes].iter().any(|brush| {
        let body = class::of_body(&bsp.textures[brush.texture as usize]);
        body.is_some_and(|body| body.blocks() & Blocks::SIGHT.0 != 0) && depth(bsp, brush, point.map(f64::from)) > 0.0
    })
}

/// How deep a point is inside of a brush, units; negative outside.
fn depth(bsp: &Bsp, brush: &lump::Brush, point: [f64; 3]) -> f64 {
    bsp.sides[brush.sides.range()].iter().fold(f64::INFINITY, |least, side| {
        let plane = &bsp.planes[side.plane as usize];
        let height = (0..3).map(|axis| f64::from(plane.normal[axis]) * point[axis]).sum::<f64>();
        let deep = f64::from(plane.distance) - height;
        if deep < least { deep } else { least }
    })
}
