//! Readers: the public `.map`/`.scen` files of grid benchmarks, text maps, tiles of a level, and pictures as raw brightness.
//!
//! A `.map` has the lines `type octile`, `height H`, `width W` (these two in any order), `map`, then H rows of W letters. The
//! letters become the tags `ground` (`.` and `G`), `wall` (`@`, `O`), `tree` (`T`), `swamp` (`S`) and `water` (`W`). For the
//! benchmark ([`plain_unit`]) only ground and swamp are walkable and cost the same. (The format would let one enter swamp from
//! plain ground only, and water from water only: its scenario files need neither.)

use super::error::{GridError, GridProblem};
use super::ground::{Cost, Unit};
use super::terrain::{Terrain, check_size};
use super::{CELLS_MAX, Cell};

/// Bytes of a file at most: every cell a letter of up to 4 bytes, and some room.
const BYTES_MAX: usize = CELLS_MAX as usize * 4 + (1 << 20);
/// Scenarios of a file at most.
const SCENARIOS_MAX: usize = 1 << 20;
const MAP_TAGS: [(&str, &str, bool); 5] =
    [("ground", ".G", true), ("wall", "@O", false), ("tree", "T", false), ("swamp", "S", true), ("water", "W", false)];
const MAP_MARKS: &str = "`.`, `G`, `@`, `O`, `T`, `S`, `W`";

/// A query of a benchmark and the length of its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The map it is for, as the file names it.
    pub map: String,
    /// From where.
    pub start: Cell,
    /// Where to.
    pub goal: Cell,
    /// The least length, in cells, as rounded in the file.
    pub length: f64,
    /// How far the file may be off, cells: 0.005 where it has two digits after the point or fewer, else 0.001.
    pub slack: f64,
}

impl Scenario {
    /// Whether a length is the file's, but for the rounding there.
    #[must_use]
    pub fn agrees(&self, length: f64) -> bool {
        (length - self.length).abs() <= self.slack
    }
}

/// The unit of grid benchmarks, for the terrain of [`map`]: ground and swamp cost 1, nothing else can be walked.
#[must_use]
pub fn plain_unit() -> Unit {
    let cost = |is_walkable| if is_walkable { Cost::Times(1) } else { Cost::Impassable };
    Unit { name: "walker".to_owned(), costs: MAP_TAGS.iter().map(|&(_, _, is_walkable)| cost(is_walkable)).collect() }
}

/// Reads a `.map` file.
pub fn map(bytes: &[u8], name: &str) -> Result<Terrain, GridError> {
    let text = text_of(bytes, name)?;
    let (mut width, mut height, mut first) = (None, None, None);
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = line.split_ascii_whitespace().take(3).collect();
        let expected = "`type octile`, `height NUMBER`, `width NUMBER`, then `map`";
        let refuse = |expected: &str| {
            GridProblem::Line { text: shortened(line), expected: expected.to_owned() }.at(name, number, 1)
        };
        let count = |word: &str| word.parse::<u64>().map_err(|_| refuse("a whole number of cells"));
        match words[..] {
            ["type", "octile"] | [] => {}
            ["height", word] => height = Some(count(word)?),
            ["width", word] => width = Some(count(word)?),
            ["map"] => {
                first = Some(number);
                break;
            }
            _ => return Err(refuse(expected)),
        }
    }
    let missing = |what: &str| GridProblem::Short { missing: format!("there is no line `{what}`") }.at(name, 0, 0);
    let first = first.ok_or_else(|| missing("map"))?;
    let height = height.ok_or_else(|| missing("height NUMBER"))?;
    let width = width.ok_or_else(|| missing("width NUMBER"))?;
    check_size(width, height).map_err(|problem| problem.at(name, first, 0))?;
    let mut tags = Vec::with_capacity(text.len().min((width * height) as usize));
    let mut rows = text.lines().skip(first);
    for row in 0..height as usize {
        let short = || GridProblem::Short { missing: format!("expected {height} rows, there are {row}") };
        let line = rows.next().ok_or_else(|| short().at(name, first + row, 0))?;
        let (number, before) = (first + 1 + row, tags.len());
        for (column, mark) in (1..).zip(line.trim_end_matches('\r').chars()) {
            let tag = MAP_TAGS.iter().position(|(_, marks, _)| marks.contains(mark));
            let refuse = || GridProblem::Mark { mark, expected: MAP_MARKS }.at(name, number, column);
            tags.push(tag.ok_or_else(refuse)? as u8);
        }
        let count = (tags.len() - before) as u64;
        if count != width {
            let expected = format!("a row of {width} letters, not {count}");
            return Err(GridProblem::Line { text: shortened(line), expected }.at(name, number, 0));
        }
    }
    let names = MAP_TAGS.iter().map(|&(name, ..)| name.to_owned()).collect();
    Terrain::build(width as u32, height as u32, names, tags)
}

/// Reads a `.scen` file: the line `version 1`, then lines of bucket, map, width, height, start and goal as x and y, length.
pub fn scenarios(bytes: &[u8], name: &str) -> Result<Vec<Scenario>, GridError> {
    let text = text_of(bytes, name)?;
    let mut lines = (1..).zip(text.lines());
    let refuse = |number: usize, line: &str, expected: &str| {
        GridProblem::Line { text: shortened(line), expected: expected.to_owned() }.at(name, number, 1)
    };
    match lines.next() {
        None => return Err(GridProblem::Short { missing: "there is no line `version 1`".to_owned() }.at(name, 0, 0)),
        Some((number, line)) if !matches!(line.trim(), "version 1" | "version 1.0") => {
            return Err(refuse(number, line, "`version 1`"));
        }
        _ => {}
    }
    let mut list = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        if list.len() == SCENARIOS_MAX {
            return Err(refuse(number, line, "at most 1048576 scenarios"));
        }
        let words: Vec<&str> = line.split_ascii_whitespace().take(10).collect();
        let scenario = || {
            let [_, map, width, height, rest @ ..] = &words[..] else { return None };
            let [x, y, to_x, to_y, length] = rest else { return None };
            let _ = (width.parse::<u32>().ok()?, height.parse::<u32>().ok()?);
            let cell = |x: &str, y: &str| Some(Cell::new(x.parse().ok()?, y.parse().ok()?));
            let digits = length.split_once('.').map_or(0, |(_, digits)| digits.len());
            let length = length.parse::<f64>().ok().filter(|length| length.is_finite() && *length >= 0.0)?;
            let (start, goal) = (cell(x, y)?, cell(to_x, to_y)?);
            Some(Scenario { map: (*map).to_owned(), start, goal, length, slack: slack(digits) })
        };
        let expected = "nine fields: bucket, map, width, height, start x, start y, goal x, goal y, length";
        list.push(scenario().ok_or_else(|| refuse(number, line, expected))?);
    }
    Ok(list)
}

/// Reads a text map, in the format of level tiles ([`sentir_level::tile`]): a legend of letters and tags, and rows of letters,
/// north first. What it calls impassable becomes [`Cost::Impassable`] of the unit; all else costs 1.
#[cfg(feature = "level")]
pub fn text(bytes: &[u8], name: &str) -> Result<(Terrain, Unit), GridError> {
    let refuse = |error: sentir_level::LevelError| {
        let (line, column) = (error.place.line as usize, error.place.column as usize);
        GridProblem::Level(error.problem.to_string()).at(name, line, column)
    };
    let level = sentir_level::tile::parse(bytes, name).and_then(|spec| spec.build()).map_err(refuse)?;
    tiles(&level, 0)
}

/// The tiles of a level as terrain, row 0 in the south, and the unit that can walk all that is not impassable, at a cost of 1.
#[cfg(feature = "level")]
pub fn tiles(level: &sentir_level::Level, number: usize) -> Result<(Terrain, Unit), GridError> {
    let missing = || GridProblem::Short { missing: format!("the level has no tiles of number {number}") }.bare();
    let map = level.tiles().get(number).ok_or_else(missing)?;
    let (names, costs): (Vec<String>, Vec<Cost>) = map
        .tags
        .iter()
        .map(|tag| (tag.name.clone(), if tag.is_impassable { Cost::Impassable } else { Cost::Times(1) }))
        .unzip();
    let terrain = Terrain::build(map.size.x, map.size.y, names, map.cells.clone())?;
    Ok((terrain, Unit { name: level.name().to_owned(), costs }))
}

/// Terrain from a picture's brightness, a byte a pixel, row by row: what is at least as bright as `threshold` is `floor`, the
/// rest is `wall`. Pictures as PNG files are read by [`sentir_level::image`], and [`tiles`] takes it from there.
pub fn raster(width: u32, height: u32, brightness: &[u8], threshold: u8) -> Result<(Terrain, Unit), GridError> {
    let tags = brightness.iter().map(|&value| u8::from(value < threshold)).collect();
    let terrain = Terrain::build(width, height, vec!["floor".to_owned(), "wall".to_owned()], tags)?;
    Ok((terrain, Unit { name: "walker".to_owned(), costs: vec![Cost::Times(1), Cost::Impassable] }))
}

/// What a file with so many digits after the point may be off by: half a hundredth where there are two or fewer, as zeros at
/// the end may have been left out; else a thousandth, as some files were summed up in single precision.
fn slack(digits: usize) -> f64 {
    if digits <= 2 { 0.005_000_1 } else { 0.001 }
}

fn text_of<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, GridError> {
    if bytes.len() > BYTES_MAX {
        return Err(GridProblem::TooLong { bytes: bytes.len() as u64, limit: BYTES_MAX as u64 }.at(name, 0, 0));
    }
    std::str::from_utf8(bytes).map_err(|_| GridProblem::NotText.at(name, 0, 0))
}

/// The first letters of a line.
fn shortened(line: &str) -> String {
    let mut text: String = line.trim_end().chars().take(40).flat_map(char::escape_default).collect();
    if line.trim_end().chars().count() > 40 {
        text.push('…');
    }
    text
}
