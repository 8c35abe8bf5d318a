//! Text tile maps: settings, a legend, and rows of marks as one draws them, north (greatest y) first.
//!
//! ```text
//! // An islet. Settings may be left out; these are the defaults.
//! name: islet
//! floor: ground
//! cell_m: 1
//! origin: 0 0
//! legend:
//! . grass
//! ~ water impassable
//! map:
//! ~~~~
//! ~..~
//! ~~~~
//! ```

use crate::error::{FilePosition, Flaw, LevelError, Problem, shortened};
use crate::spec::{LevelSpec, Placed, TagSpec, TileSpec};

/// Bytes of a file at most: 16 Mi tiles of up to 4 bytes.
const BYTES_MAX: usize = 65 << 20;
const KEYS: [&str; 6] = ["name", "floor", "cell_m", "origin", "legend", "map"];

/// What the next lines are.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Settings,
    Legend,
    Map,
}

/// Reads a level that is one tile map.
pub fn parse(bytes: &[u8], name: &str) -> Result<LevelSpec, LevelError> {
    let error =
        |line: u64, problem: Problem| LevelError { file: name.to_owned(), place: FilePosition::new(line, 1), problem };
    if bytes.len() > BYTES_MAX {
        return Err(error(0, Flaw::TooLong { bytes: bytes.len() as u64, limit: BYTES_MAX as u64 }.into()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| error(0, Flaw::NotText.into()))?;
    let tiles =
        TileSpec { floor: None, origin: [0.0; 2], cell_m: 1.0, legend: Vec::new(), rows: Vec::new(), cells: None };
    let mut level = LevelSpec { file: name.to_owned(), name: name.to_owned(), ..LevelSpec::default() };
    let mut tiles = Placed::from(tiles);
    let mut part = Part::Settings;
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim_end_matches('\r');
        if part != Part::Map && (content.trim().is_empty() || content.starts_with("//")) {
            continue;
        }
        let place = FilePosition::new(line, 1);
        let done = match part {
            Part::Map if content.is_empty() => Ok(()),
            Part::Map => {
                tiles.value.rows.push(Placed { value: content.to_owned(), place });
                Ok(())
            }
            Part::Legend if content.trim_end() != "map:" => {
                tag(content).map(|value| tiles.value.legend.push(Placed { value, place }))
            }
            _ => setting(content, &mut level, &mut tiles.value).map(|next| part = next),
        };
        done.map_err(|problem| error(line, problem))?;
    }
    if part != Part::Map {
        return Err(error(0, Flaw::Missing("map:".to_owned()).into()));
    }
    level.tiles.push(tiles);
    Ok(level)
}

fn setting(content: &str, level: &mut LevelSpec, tiles: &mut TileSpec) -> Result<Part, Problem> {
    let line = |expected| Problem::Line { text: shortened(content), expected };
    let (key, value) = content.split_once(':').ok_or_else(|| line("`key: value`"))?;
    let value = value.trim();
    match key.trim() {
        "name" => value.clone_into(&mut level.name),
        "floor" => {
            let floor = crate::spec::FloorSpec {
                name: value.to_owned(),
                level_m: 0.0,
                down_m: 0.5,
                up_m: 2.5,
                outline: Vec::new(),
            };
            level.floors = vec![floor.into()];
        }
        "cell_m" => tiles.cell_m = value.parse().map_err(|_| line("a number, as in `cell_m: 1`"))?,
        "origin" => {
            let mut numbers = value.split_ascii_whitespace().map(str::parse::<f32>);
            match (numbers.next(), numbers.next(), numbers.next()) {
                (Some(Ok(x)), Some(Ok(y)), None) => tiles.origin = [x, y],
                _ => return Err(line("two numbers, as in `origin: 0 0`")),
            }
        }
        "legend" if value.is_empty() => return Ok(Part::Legend),
        "map" if value.is_empty() => return Ok(Part::Map),
        "legend" | "map" => return Err(line("nothing after the colon: what belongs to it follows on the next lines")),
        other => {
            return Err(Flaw::unknown("key", other, KEYS).into());
        }
    }
    Ok(Part::Settings)
}

fn tag(content: &str) -> Result<TagSpec, Problem> {
    let refused =
        || Problem::Line { text: shortened(content), expected: "a mark and a name, as in `~ water impassable`" };
    let mut letters = content.chars();
    let mark = letters.next().ok_or_else(refused)?;
    let words: Vec<&str> = letters.as_str().split_ascii_whitespace().take(3).collect();
    let has_gap = letters.as_str().starts_with(char::is_whitespace);
    match words.as_slice() {
        [name] if has_gap => Ok(TagSpec { mark, tag: (*name).to_owned(), is_impassable: false }),
        [name, "impassable"] if has_gap => Ok(TagSpec { mark, tag: (*name).to_owned(), is_impassable: true }),
        _ => Err(refused()),
    }
}
