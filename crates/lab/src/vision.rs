//! `sentir vision`: what an eye in a level sees, as pictures.

use crate::Done;
use crate::error::LabError;
use crate::file;
use clap::Args;
use comfy_table::{Table, presets};
use sentir::core::body::person::PLAN_EYE_M;
use sentir::core::math;
use sentir::prelude::*;
use sentir_film::{Frame, png};
use sentir_level::{Aabb, Blocks, Level, LevelState, LevelView};
use sentir_vision::{
    Class, Eye, Eyesight, Lens, MotionMode, Palette, Picture, Retina, Scenery, Solid, Thing, Viewport,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) const EXAMPLES: &str = "Examples:
  sentir vision yard.yaml --out seen
  sentir vision maps/oa_dm1.bsp --at 3,1.6,-20 --look 90 --out seen
  sentir vision yard.yaml --at 2,1.6,-4 --look 45 --pitch -10 --size 320x240 --fov 75 --scale 3 --out seen
  sentir vision yard.yaml --enemy 4,1,-9,-2,0,0 --out seen

Writes static.png (what is there: walls blue, floors green, ceilings red, health yellow, ammunition cyan, other items white, \
enemies magenta, nothing black), depth.png (near is bright) and dynamic.png (red how fast, green how far it goes away, blue how \
far across; what stands still is 0, 0.5, 1).

Meters, degrees. X is to the east, y up, z to the south; --look 0 is to the north, and turns left.";

/// Options of `vision`.
#[derive(Debug, Args)]
pub(crate) struct VisionOptions {
    /// Which level: .yaml, .yml, .txt, .png, .obj or .bsp
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    /// Where the eye is, m; at eye height over the first spawn if not given
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = place)]
    at: Option<Vec3>,
    /// Where it looks, degrees; as who spawns there if not given
    #[arg(long, value_name = "YAW", allow_hyphen_values = true, value_parser = degrees)]
    look: Option<f32>,
    /// How far up it looks, degrees
    #[arg(long, value_name = "DEGREES", default_value = "0", allow_hyphen_values = true, value_parser = degrees)]
    pitch: f32,
    /// Columns and rows
    #[arg(long, value_name = "WxH", default_value = "160x120", value_parser = size)]
    size: (u32, u32),
    /// Angle of view from the lowest to the highest row, degrees
    #[arg(long, value_name = "DEGREES", default_value = "60", value_parser = angle_of_view)]
    fov: f32,
    /// What is farther is not seen, m
    #[arg(long, value_name = "M", default_value_t = 60.0)]
    far: f32,
    /// Puts a ball of 1 m there that moves so, m and m/s; may be given several times
    #[arg(long = "enemy", value_name = "X,Y,Z,VX,VY,VZ", allow_hyphen_values = true, value_parser = mover)]
    enemies: Vec<(Vec3, Vec3)>,
    /// How fast counts as fastest, m/s
    #[arg(long, value_name = "SPEED", default_value_t = 10.0)]
    speed_max: f32,
    /// Pixels of the files for each pixel of the eye
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    scale: u32,
    /// Where to; the folder is made if need be
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Classes of the palette of the source, beside those of the level.
const HEALTH: Class = Class(4);
const AMMO: Class = Class(5);
const ENEMY: Class = Class(6);
const OTHER_ITEM: Class = Class(7);

fn numbers<const N: usize>(text: &str) -> Option<[f32; N]> {
    let parts: Option<Vec<f32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let parts = parts.filter(|parts| parts.iter().all(|part| part.is_finite() && part.abs() <= 1e5))?;
    parts.try_into().ok()
}

fn place(text: &str) -> Result<Vec3, String> {
    numbers(text).map(Vec3::from_array).ok_or_else(|| "expected x,y,z in meters, as in 3,1.6,-20".to_owned())
}

fn mover(text: &str) -> Result<(Vec3, Vec3), String> {
    let [x, y, z, across, up, back] = numbers(text).ok_or("expected x,y,z,vx,vy,vz, as in 4,1,-9,-2,0,0")?;
    Ok((Vec3::new(x, y, z), Vec3::new(across, up, back)))
}

fn degrees(text: &str) -> Result<f32, String> {
    let angle = text.parse::<f32>().ok().filter(|angle| angle.abs() <= 3600.0);
    angle.map(|angle| angle * (math::PI / 180.0)).ok_or_else(|| "expected degrees, as in 45 or -10".to_owned())
}

/// What [`Lens::check`] takes, said in the unit that was asked for.
fn angle_of_view(text: &str) -> Result<f32, String> {
    let angle = text.parse::<f32>().ok().filter(|angle| (0.6..=171.0).contains(angle));
    angle.map(|angle| angle * (math::PI / 180.0)).ok_or_else(|| "expected degrees from 0.6 to 171, as in 75".to_owned())
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    parts.ok_or_else(|| "expected columns and rows, as in 160x120".to_owned())
}

/// A level from a file.
pub(crate) fn load(path: &Path) -> Result<Level, LabError> {
    let level = sentir_level::parse(&file::read(path)?, &path.display().to_string()).and_then(|spec| spec.build());
    level.map_err(|error| LabError::Level(Box::new(error)))
}

/// What there is to see of a level as it stands at the beginning.
pub(crate) fn scenery(level: &Level) -> Scenery {
    let state = LevelState::new(level);
    let view = LevelView { level, state: &state };
    let everywhere = Aabb { low: Vec3::splat(f32::MIN), high: Vec3::splat(f32::MAX) };
    let mut triangles = Vec::new();
    view.triangles_in(&everywhere, Blocks::SIGHT, |triangle| triangles.push(triangle.corners));
    Scenery::build(&triangles)
}

/// Looks, and writes what is seen.
pub(crate) fn vision(options: &VisionOptions) -> Done {
    let (width, height) = options.size;
    let lens = Lens { width, height, fov_y_rad: options.fov, far_m: options.far, ..Lens::default() };
    let refuse = |why: String| LabError::Look(why);
    let mut retina = Retina::new(lens).map_err(|why| refuse(why.to_string()))?;
    let mut view = Viewport::new(lens).map_err(|why| refuse(why.to_string()))?;
    if !(options.speed_max > 0.0 && options.speed_max.is_finite()) {
        return Err(refuse(format!("a fastest speed of {} m/s: expected more than 0", options.speed_max)));
    }
    let side = width.max(height) * options.scale;
    if side > sentir_film::SIDE_PX_MAX {
        let most = sentir_film::SIDE_PX_MAX;
        return Err(refuse(format!(
            "files of {side} pixels a side: expected at most {most}; lessen --size or --scale"
        )));
    }
    let level = load(&options.level)?;
    let eye = eye(options, &level)?;
    let solids = [Solid::cuboid(Vec3::splat(0.25)), Solid::ball(0.5, 10)];
    let things = things(options, &level, &solids);
    retina.look(&eye, &scenery(&level), &things);
    // It is made for the same lens.
    let _ = view.take(&retina, &eye, MotionMode::View, options.speed_max);
    file::make_folder(&options.out)?;
    let sight = Eyesight::of(&view, &palette());
    let mut written = Vec::new();
    for picture in &sight.pictures {
        let path = options.out.join(format!("{}.png", picture.name));
        let frame = enlarged(picture, options.scale);
        let frame = frame.map_err(|why| LabError::Film { path: path.clone(), why })?;
        file::write(&path, &png(&frame))?;
        written.push(path.display().to_string());
    }
    writeln!(std::io::stdout(), "{}", report(&level, &eye, &view, &written))?;
    if is_blind(&view) {
        let bounds = level.bounds();
        let (low, high) = (bounds.low, bounds.high);
        let hint = format!(
            "nothing is seen from there: it may be outside of the level, which goes from {low} to {high} m, or --far {} m is too \
             near",
            options.far
        );
        writeln!(std::io::stderr(), "{hint}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The eye that was asked for, or that of who spawns first.
fn eye(options: &VisionOptions, level: &Level) -> Result<Eye, LabError> {
    let spawn = level.spawns().first().map(|spawn| spawn.pose);
    let no_spawn = || {
        LabError::Look(format!("'{}' has no spawn to look from: say where the eye is with --at X,Y,Z", level.name()))
    };
    let position = match options.at {
        Some(place) => place,
        None => spawn.ok_or_else(no_spawn)?.position + Vec3::Y * PLAN_EYE_M,
    };
    let yaw = options.look.or(spawn.map(|pose| pose.yaw)).unwrap_or(0.0);
    Ok(Eye { position, yaw, pitch: options.pitch })
}

fn things<'a>(options: &VisionOptions, level: &Level, [item_solid, ball]: &'a [Solid; 2]) -> Vec<Thing<'a>> {
    let items = level.items().iter().map(|item| {
        let class = match item.kind.as_str() {
            kind if kind.contains("health") => HEALTH,
            kind if kind.contains("ammo") => AMMO,
            _ => OTHER_ITEM,
        };
        let position = item.position + Vec3::Y * 0.25;
        Thing { solid: item_solid, position, yaw: 0.0, velocity: Vec3::ZERO, class }
    });
    let enemies = options.enemies.iter();
    let enemies =
        enemies.map(|&(position, velocity)| Thing { solid: ball, position, yaw: 0.0, velocity, class: ENEMY });
    items.chain(enemies).collect()
}

fn palette() -> Palette {
    let mut colors = Palette::source().colors().to_vec();
    colors.push((OTHER_ITEM, [1.0, 1.0, 1.0]));
    // White is not among the source's.
    Palette::build(&colors).unwrap_or_else(|_| Palette::source())
}

fn enlarged(picture: &Picture, scale: u32) -> Result<Frame, sentir_film::FilmError> {
    let (width, height) = (picture.width * scale, picture.height * scale);
    let pixel = |x: u32, y: u32| {
        let from = ((y / scale * picture.width + x / scale) * 4) as usize;
        &picture.rgba[from..from + 4]
    };
    let rgba = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y).iter().copied())).collect();
    Frame::from_rgba(width, height, rgba)
}

fn is_blind(view: &Viewport) -> bool {
    let Lens { width, height, .. } = *view.lens();
    (0..height).all(|row| (0..width).all(|column| view.class(column, row) == Class::NOTHING))
}

fn report(level: &Level, eye: &Eye, view: &Viewport, written: &[String]) -> Table {
    let names = ["nothing", "walls", "floors", "ceilings", "health", "ammunition", "enemies", "other items"];
    let mut counts = [0u32; 8];
    let Lens { width, height, .. } = *view.lens();
    for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
        counts[usize::from(view.class(column, row).0).min(7)] += 1;
    }
    let share = |count: u32| f64::from(count) * 100.0 / f64::from(width * height);
    let shown = names.iter().zip(counts).filter(|(_, count)| *count > 0);
    let shown: Vec<String> = shown.map(|(name, count)| format!("{name} {:.1} %", share(count))).collect();
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    let Vec3 { x, y, z } = eye.position;
    let [yaw, pitch] = [eye.yaw, eye.pitch].map(|angle| angle * (180.0 / math::PI));
    table.add_row(["level", level.name()]);
    table.add_row(["eye", &format!("at {x:.2}, {y:.2}, {z:.2} m, looks {yaw:.0}° left of north, {pitch:.0}° up")]);
    table.add_row(["picture", &format!("{width} × {height} pixels")]);
    table.add_row(["seen", &shown.join(", ")]);
    table.add_row(["written", &written.join(", ")]);
    table
}
