//! Asks one query many times, for counting instructions: the difference between two counts of rounds is the work of a warm
//! query, the region of the watcher with it. `query_rounds HALF ROUNDS [length|tactic]`; it has (2 · HALF + 1)² points.

use sentir_workload::queries::Survey;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok()).unwrap_or(11);
    let (half, rounds) = (number(0), number(1));
    match Survey::new(half, words.get(2).map_or("length", String::as_str)) {
        Ok(mut survey) => {
            for round in 0..rounds {
                survey.ask(round.into(), false);
            }
            let (points, kept, score) = survey.outcome();
            println!("{points} points, {kept} kept, the best scores {score}");
        }
        Err(error) => eprintln!("{error}"),
    }
}
