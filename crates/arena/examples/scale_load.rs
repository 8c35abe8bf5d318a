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
    println!("{} soldiers, {ticks} ticks: {:?}", scale.soldier_count(), scale.doings());
    Ok(())
}
