//! `sentir bench`: the program measured by itself.

mod bake;
mod brains;
mod grid;
mod horde;
mod mesh;
mod movement;
mod query;
mod row;
mod scale;
mod sense;
mod soldiers;
mod space;
mod travel;
mod vision;
mod war;

use crate::Done;
use crate::cli::{BenchItem, BenchOptions};
use crate::error::LabError;
use crate::pool::Threads;
use clap::ValueEnum;
use comfy_table::{Table, presets};
use row::{Figure, Row, Rows, row};
use sentir::core::index::PointIndex;
use sentir::core::order::Ranked;
use sentir::core::plane;
use sentir::prelude::*;
use sentir_harness::info::{Changes, level_asset};
use sentir_level::{LevelState, LevelView};
use sentir_sim::body::{self, BodyConfig, BodyScratch, CharacterBody};
use sentir_sim::input::Input;
use serde_json::json;
use std::hint::black_box;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// Measures what was asked for.
pub(crate) fn bench(options: &BenchOptions) -> Done {
    let all = BenchItem::value_variants().iter().filter(|item| options.data.is_some() || !item.needs_data());
    let wanted = if options.what.is_empty() { all.collect() } else { options.what.iter().collect::<Vec<_>>() };
    let mut objects = Vec::new();
    for item in wanted {
        let rows = match item {
            BenchItem::Loop => stepping()?,
            BenchItem::Patrol => patrol()?,
            BenchItem::Memory => memory()?,
            BenchItem::Index => index()?,
            BenchItem::Bodies => bodies()?,
            BenchItem::Grid => grid::rows(options)?,
            BenchItem::Movement => movement::rows()?,
            BenchItem::Sense => sense::rows()?,
            BenchItem::Soldiers => soldiers::rows()?,
            BenchItem::Horde => horde::rows()?,
            BenchItem::Scale => scale::rows()?,
            BenchItem::Bake => bake::rows(options)?,
            BenchItem::Mesh => mesh::rows(options)?,
            BenchItem::Travel => travel::rows(options)?,
            BenchItem::Space => space::rows()?,
            BenchItem::Query => query::rows()?,
            BenchItem::Brains => brains::rows()?,
            BenchItem::Vision => vision::rows(options)?,
            BenchItem::War => war::rows()?,
        };
        if options.json {
            let name = item.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
            let twice = |key| LabError::Measure(format!("two rows of {name} have the key '{key}'"));
            objects.push(row::item_json(&name, &rows).map_err(twice)?);
            continue;
        }
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY).set_header(["what", "figure", "remark"]);
        table.add_rows(rows.iter().map(Row::cells));
        writeln!(std::io::stdout(), "{table}")?;
    }
    if options.json {
        writeln!(std::io::stdout(), "{}", json!({ "items": objects }))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Median milliseconds of `count` calls.
fn median_ms(count: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..count)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[count / 2]
}

/// 10 000 agents with empty stages.
fn stepping() -> Result<Rows, LabError> {
    let mut rows = Rows::new();
    for (count, threads, cell_m) in [(10_000, 1, 4.0), (10_000, 2, 4.0), (10_000, 1, 0.0), (100_000, 1, 4.0)] {
        let mut brains = Loop::<()>::new(LoopConfig { index_cell_m: cell_m, ..LoopConfig::default() }, 1);
        let mut random = brains.streams().stream(0, Purpose::new("bench"));
        for key in 0..count {
            let position = Vec3::new(random.between(0.0, 400.0), 0.0, random.between(0.0, 400.0));
            let body = Body { pose: Pose { position, yaw: 0.0 }, ..Body::default() };
            // Keys are all different and the body is finite: nobody is refused.
            let _ = brains.spawn(AgentSpec { body, ..AgentSpec::new(HostKey(key)) });
        }
        let pool = Threads::new(threads)?;
        let mut scratch = Scratch::default();
        let ms = pool.within(|| {
            median_ms(301, || {
                black_box(brains.step(&(), &Open, &pool, &mut scratch));
            })
        });
        let index = if cell_m > 0.0 { "with the index over all bodies" } else { "without an index" };
        let key = format!("step_{count}_{}_{threads}", if cell_m > 0.0 { "indexed" } else { "bare" });
        let what = format!("step of {count} agents, empty stages, {index}, {threads} thread(s)");
        rows.push(row(key, what, Figure::new(ms, 3, "ms"), ""));
    }
    Ok(rows)
}

/// The scene `patrol` against real time.
fn patrol() -> Result<Rows, LabError> {
    let scene = sentir_scenes::CATALOG.find("patrol")?;
    let mut rows = Rows::new();
    for guards in ["1", "10", "100"] {
        let changes = [("guards".to_owned(), guards.to_owned())];
        let matches = if guards.len() < 3 { 40 } else { 2 };
        let mut ticks = 0;
        let started = Instant::now();
        for seed in 0..matches {
            let mut game = scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] })?)?;
            while game.ending().is_none() {
                game.step(&[], &Serial);
            }
            ticks += game.tick().0;
        }
        let wall_s = started.elapsed().as_secs_f64();
        let speed = f64::from(scene.rate.seconds(ticks)) / wall_s;
        let what = format!("patrol with {guards} guard(s), {matches} matches, {ticks} ticks");
        rows.push(row(format!("patrol_{guards}"), what, Figure::new(speed, 0, "× real time"), ""));
    }
    Ok(rows)
}

/// Five hundred bodies in a jam: the solver alone, then the scene `crowd`, brains and all.
fn bodies() -> Result<Rows, LabError> {
    let scene = sentir_scenes::CATALOG.find("crowd")?;
    let mut rows = Rows::new();
    for threads in [1, 2] {
        let pool = Threads::new(threads)?;
        let ms = pool.within(|| jam_ms(&pool))?;
        let what = format!("step of {JAMMED} bodies jammed at a door, no brains, {threads} thread(s)");
        rows.push(row(format!("jam_{threads}"), what, Figure::new(ms, 2, "ms"), ""));
    }
    for threads in [1, 2] {
        let pool = Threads::new(threads)?;
        let mut game = scene.start(&scene.setup(1, Changes::default())?)?;
        let count = game.agent_count();
        let ms = pool.within(|| {
            (0..600).for_each(|_| game.step(&[], &pool));
            median_ms(301, || game.step(&[], &pool))
        });
        let what = format!("tick of crowd, {count} bodies jammed at a door, {threads} thread(s)");
        rows.push(row(format!("crowd_{threads}"), what, Figure::new(ms, 2, "ms"), ""));
    }
    Ok(rows)
}

/// Bodies of [`jam_ms`].
const JAMMED: u16 = 500;

/// Median milliseconds of a step of bodies that all push toward the door of the level `doorway`, ten seconds on.
fn jam_ms(pool: &Threads) -> Result<f64, LabError> {
    let scene = sentir_scenes::CATALOG.find("crowd")?;
    let level = level_asset(&scene.setup(1, Changes::default())?, "doorway.yaml")?;
    let state = LevelState::new(&level);
    let view = LevelView { level: &level, state: &state };
    let place = |number: u16| {
        let shift = if (number / 20).is_multiple_of(2) { 0.0 } else { 0.2 };
        Vec2::new(-1.0 - 0.7 * f32::from(number / 20), -8.0 + 0.82 * f32::from(number % 20) + shift)
    };
    let standing = |at: Vec2| CharacterBody::at(Pose { position: plane::lift(at, 0.005), yaw: 0.0 });
    let mut walkers: Vec<CharacterBody> = (0..JAMMED).map(|number| standing(place(number))).collect();
    let mut inputs = vec![Input::default(); walkers.len()];
    let (configs, rate, mut scratch) = ([BodyConfig::default()], TickRate::new(60), BodyScratch::default());
    let mut step = || {
        for (input, walker) in inputs.iter_mut().zip(&walkers) {
            let way = plane::direction(Vec2::new(0.5, 0.0) - plane::ground(walker.pose.position));
            *input = Input::quantized(0, way, 0.0, 0.0, Stance::Stand, Actions::default());
        }
        let started = Instant::now();
        body::step(&mut walkers, &inputs, &configs, &view, rate, pool, &mut scratch);
        started.elapsed().as_secs_f64() * 1e3
    };
    (0..600).for_each(|_| {
        step();
    });
    let mut times: Vec<f64> = (0..301).map(|_| step()).collect();
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// Bytes per agent and per snapshot.
fn memory() -> Result<Rows, LabError> {
    let scene = sentir_scenes::CATALOG.find("patrol")?;
    let bytes = Loop::<()>::BYTES_PER_AGENT as f64;
    let what = "one agent with empty memories, in the loop";
    let mut rows = vec![row("agent", what, Figure::new(bytes, 0, "bytes"), "lists aside")];
    for guards in [1u32, 10, 100] {
        let changes = [("guards".to_owned(), guards.to_string())];
        let mut game = scene.start(&scene.setup(1, Changes { settings: &changes, assets: &[] })?)?;
        for _ in 0..600 {
            game.step(&[], &Serial);
        }
        let file = game.snapshot().len();
        let agents = game.agent_count();
        let remark = format!("{} bytes per agent", file / agents.max(1));
        let what = format!("snapshot of patrol, {agents} agents, after 600 ticks");
        rows.push(row(format!("snapshot_{agents}"), what, Figure::new(file as f64, 0, "bytes"), remark));
    }
    Ok(rows)
}

/// The spatial index with 100 000 points.
fn index() -> Result<Rows, LabError> {
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("bench"));
    let points: Vec<Vec2> =
        (0..100_000).map(|_| Vec2::new(random.between(0.0, 1000.0), random.between(0.0, 1000.0))).collect();
    let mut index = PointIndex::default();
    let mut rows = Rows::new();
    for threads in [1, 2] {
        let pool = Threads::new(threads)?;
        let ms = pool.within(|| median_ms(51, || index.build(&points, 4.0, &pool)));
        let what = format!("build, 100 000 points, {threads} thread(s)");
        rows.push(row(format!("build_{threads}"), what, Figure::new(ms, 2, "ms"), ""));
    }
    let (mut found, mut ranked) = (Vec::new(), Vec::<Ranked>::new());
    let mut ask = |key: &str, what: &str, mut query: Box<dyn FnMut(Vec2) -> usize + '_>| {
        let mut hits = 0;
        let ms = median_ms(5, || {
            hits = points.iter().step_by(10).map(|&point| query(point)).sum();
        });
        let remark = format!("{:.1} found on average", hits as f64 / 10_000.0);
        rows.push(row(key, what, Figure::new(ms / 10.0, 3, "µs"), remark));
    };
    ask("radius_sorted", "radius 8 m, sorted", Box::new(|at| (index.radius(at, 8.0, &mut found), found.len()).1));
    ask(
        "radius_visited",
        "radius 8 m, visited",
        Box::new(|at| {
            let mut count = 0;
            index.visit_radius(at, 8.0, |_, _| count += 1);
            count
        }),
    );
    ask("nearest", "8 nearest", Box::new(|at| (index.nearest(at, 8, f32::INFINITY, &mut ranked), ranked.len()).1));
    ask(
        "boxed",
        "box 16 m",
        Box::new(|at| (index.boxed(at - Vec2::splat(8.0), at + Vec2::splat(8.0), &mut found), found.len()).1),
    );
    ask(
        "segment",
        "segment 40 m, margin 1 m",
        Box::new(|at| {
            let to = at + plane::heading(at.x) * 40.0;
            (index.segment(at, to, 1.0, &mut found), found.len()).1
        }),
    );
    Ok(rows)
}
