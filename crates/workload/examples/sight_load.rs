//! Lets many look around for so many ticks, for counting instructions: the difference between two lengths is that of the
//! ticks alone. `sight_load TICKS [COUNT [CANDIDATES]]`.

use sentir::core::pool::Serial;
use sentir_workload::sight::Vigil;

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let number = |place: usize, stock: u32| numbers.get(place).copied().unwrap_or(stock);
    let (ticks, count, candidates) = (number(0, 60), number(1, 1000), number(2, 10));
    match Vigil::new(count, candidates as f32, 6, 64 * candidates.div_ceil(10)) {
        Ok(mut vigil) => {
            for _ in 0..ticks {
                vigil.walk();
                vigil.look(&Serial);
            }
            println!("{count} agents, {ticks} ticks, {candidates} candidates each asked for");
        }
        Err(error) => eprintln!("{error}"),
    }
}
