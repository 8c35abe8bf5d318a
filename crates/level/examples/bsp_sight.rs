//! Holds looks in Quake III levels against the files' own tables of visibility: `bsp_sight COUNT FILE...`. Between random
//! points whose clusters cannot see each other, no look may be free; where one is, a surface is missing.

use sentir_core::random::{Purpose, Streams};
use sentir_level::bsp::{lump, meters};
use sentir_level::{LevelState, LevelView};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [count, files @ ..] = words.as_slice() else {
        println!("usage: bsp_sight COUNT FILE...");
        return Ok(());
    };
    let count: usize = count.parse()?;
    let (mut looks, mut free, mut wrong) = (0, 0, 0);
    for file in files {
        let bytes = std::fs::read(file)?;
        let level = sentir_level::parse(&bytes, file)?.build()?;
        let bsp = lump::read(&bytes).map_err(|problem| problem.to_string())?;
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let Some(world) = bsp.models.first().filter(|_| bsp.visibility.clusters > 0) else { continue };
        let mut random = Streams { seed: 1 }.stream(0, Purpose::new("bsp sight"));
        let mut point = || {
            let point: [f32; 3] = std::array::from_fn(|axis| random.between(world.low[axis], world.high[axis]));
            bsp.cluster_at(point).filter(|cluster| *cluster >= 0).map(|cluster| (point, cluster))
        };
        let points: Vec<_> = (0..count * 100).filter_map(|_| point()).take(2 * count).collect();
        let before = wrong;
        for pair in points.chunks_exact(2) {
            let ((from, here), (to, there)) = (pair[0], pair[1]);
            let sees = view.sees(meters(from), meters(to));
            looks += 1;
            free += usize::from(sees);
            wrong += usize::from(sees && !bsp.visibility.may_see(here, there));
        }
        if wrong > before {
            println!("{}: {} of {} looks are free that cannot be", level.name(), wrong - before, points.len() / 2);
        }
    }
    println!("{} levels: {looks} looks, {free} free, {wrong} of them free that cannot be", files.len());
    Ok(())
}
