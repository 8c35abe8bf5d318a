//! So many ticks of a world of soldiers in squads, for counting instructions: `scale_load TICKS [COLUMNS ROWS [SQUADS]]`;
//! with more than one squad a yard, importance is mixed.

use sentir::prelude::*;
use sentir_workload::soldiers::{Scale, ScaleConfig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<u32> = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let (ticks, yards, squads) = match words[..] {
        [ticks] => (ticks, [4, 2], 1),
        [ticks, columns, rows] => (ticks, [columns, rows], 1),
        [ticks, columns, rows, squads] => (ticks, [columns, rows], squads),
        _ => return Err("expected TICKS [COLUMNS ROWS [SQUADS]]".into()),
    };
    let mut scale = Scale::new(&ScaleConfig { yards, squads, soldiers: 4, is_mixed: squads > 1 })?;
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
