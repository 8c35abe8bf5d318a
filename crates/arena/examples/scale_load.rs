//! So many ticks of a world of soldiers in squads, for counting instructions: `scale_load TICKS [COLUMNS ROWS]`.

use sentir::prelude::*;
use sentir_arena::scale::{Scale, ScaleConfig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<u32> = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let (ticks, yards) = match words[..] {
        [ticks] => (ticks, [4, 2]),
        [ticks, columns, rows] => (ticks, [columns, rows]),
        _ => return Err("expected TICKS [COLUMNS ROWS]".into()),
    };
    let mut scale = Scale::new(&ScaleConfig { yards, squads: 1, soldiers: 4, is_mixed: false })?;
    for _ in 0..ticks {
        scale.think(&Serial);
        scale.play();
    }
    let counts = scale.brains.squads().fold([0, 0], |[found, none], (_, _, squad)| {
        let [more, fewer] = squad.counts();
        [found + more, none + fewer]
    });
    let count = scale.soldier_count();
    println!("{count} soldiers, {ticks} ticks: {:?}; queries with and without a place: {counts:?}", scale.doings());
    Ok(())
}
