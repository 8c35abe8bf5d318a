//! Plays the yard of the tests natively, by the very steps of `xtask/node/engine.mjs`, and prints the hash of the world: it must be that of
//! the same world in JavaScript.

use sentir::prelude::{Body, Pose, SenseConfig, Vec3};
use sentir_js::page::NoPage;
use sentir_js::world::{BodySize, BrainSource, LevelSource, Newcomer, World, WorldError, WorldSpec};

const YARD: &str = include_str!("../tests/yard.yaml");
const GUARD: &str = include_str!("../tests/guard.yaml");
const TICKS: u64 = 900;
/// Where the runner goes, on the ground, m.
const WAY: [[f32; 2]; 4] = [[9.0, 2.0], [9.0, -5.0], [13.0, -8.0], [13.0, -3.0]];
/// How far it gets in a tick, m, in either direction.
const STEP_M: f32 = 0.0625;

fn main() -> Result<(), WorldError> {
    let level = LevelSource::File("yard.yaml", YARD.as_bytes());
    let brains = [BrainSource { name: "guard", text: GUARD, senses: SenseConfig::default() }];
    let body = BodySize::default();
    let mut world = World::new(WorldSpec {
        seed: 7,
        rate_hz: 60,
        level,
        has_own_rays: false,
        body,
        brains: &brains,
        page: Box::new(NoPage),
    })?;
    for (key, team, brain, x, z) in
        [(1, 1, Some("guard"), -12.0, 6.0), (2, 1, Some("guard"), 8.0, 6.0), (3, 2, None, -8.0, 2.0)]
    {
        let body = Body { pose: Pose { position: Vec3::new(x, 0.0, z), yaw: 0.0 }, ..Body::default() };
        world.add(Newcomer { key, team, kind: 0, brain, body })?;
    }
    let mut next = 0;
    for _ in 0..TICKS {
        world.step();
        for key in [1, 2] {
            let (motion, old) = (world.motion(key)?, world.body(key)?);
            let position = old.pose.position + motion.velocity * (1.0 / 60.0);
            move_to(&mut world, key, Pose { position, yaw: motion.yaw })?;
        }
        let old = world.body(3)?.pose;
        let [x, z] = WAY.get(next).copied().unwrap_or([old.position.x, old.position.z]);
        let toward =
            |from: f32, to: f32| if (to - from).abs() < STEP_M { to } else { from + STEP_M.copysign(to - from) };
        let position = Vec3::new(toward(old.position.x, x), 0.0, toward(old.position.z, z));
        next += usize::from(position.x == x && position.z == z && next < WAY.len());
        move_to(&mut world, 3, Pose { position, yaw: 0.0 })?;
    }
    println!("{{\"hash\": \"{:016x}\"}}", world.hash());
    Ok(())
}

/// As the page does: the velocity follows from the change of place.
fn move_to(world: &mut World, key: u64, pose: Pose) -> Result<(), WorldError> {
    let old = world.body(key)?;
    let velocity = (pose.position - old.pose.position) * 60.0;
    world.observe(key, Body { pose, velocity, ..old })
}
