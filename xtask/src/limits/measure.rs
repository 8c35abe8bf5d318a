//! Runs what measures a row and finds its figure. A command that several rows share runs once a call.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::figure::{Figure, Reading, find, long_matches};
use super::row::Row;
use crate::{callgrind, levels, package, process};

/// Why there is no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// What it is measured on, or by, is not on this machine.
    NotHere(String),
    /// It went wrong.
    Failed(String),
}

impl From<String> for Missing {
    fn from(sentence: String) -> Self {
        Missing::Failed(sentence)
    }
}

/// Measures rows, and remembers what commands said.
pub struct Lab {
    root: PathBuf,
    /// The folder with public benchmark files, which stands for `{data}`.
    data: Option<PathBuf>,
    /// The program, when it was needed.
    native: Option<PathBuf>,
    /// Programs of examples by name.
    programs: BTreeMap<String, Result<String, Missing>>,
    said: BTreeMap<String, Result<String, Missing>>,
    counted: BTreeMap<String, Result<u64, Missing>>,
}

/// A program under callgrind, with its words.
struct Count {
    line: String,
    program: String,
    words: Vec<String>,
}

impl Lab {
    pub fn new(root: &Path, data: Option<&Path>) -> Result<Lab, String> {
        let whole = |folder: &Path| {
            folder.canonicalize().map_err(|error| format!("the folder '{}' cannot be read: {error}", folder.display()))
        };
        let data = data.map(whole).transpose()?;
        let (programs, said, counted) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Ok(Lab { root: root.to_owned(), data, native: None, programs, said, counted })
    }

    /// Counts instructions for all rows that need them, as many at a time as there are cores: nothing of it is timed.
    pub fn count_ahead(&mut self, rows: &[&Row]) {
        let mut counts: Vec<Count> = Vec::new();
        for row in rows {
            if let Figure::Instructions { rounds, .. } = row.figure {
                let pair = rounds.map(|rounds| self.prepare(&row.command, rounds));
                for (line, count) in pair {
                    match count {
                        Ok(count) if counts.iter().all(|other| other.line != count.line) => counts.push(count),
                        Ok(_) => {}
                        Err(missing) => _ = self.counted.insert(line, Err(missing)),
                    }
                }
            }
        }
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            while let Some(Count { line, program, words }) = counts.get(next.fetch_add(1, Ordering::Relaxed)) {
                eprintln!("counting: {line}");
                let count = callgrind::count(&self.root, program, words).map_err(Missing::Failed);
                if let Ok(mut done) = done.lock() {
                    done.push((line.clone(), count));
                }
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| (0..cores.min(counts.len())).for_each(|_| _ = scope.spawn(work)));
        self.counted.extend(done.into_inner().unwrap_or_default());
    }

    /// The line that names a count, and what to run for it.
    fn prepare(&mut self, command: &str, rounds: u64) -> (String, Result<Count, Missing>) {
        let line = with_rounds(command, rounds);
        let words = line.split_whitespace().skip(1).map(|word| self.placed(word)).collect::<Result<Vec<_>, _>>();
        let count = words.and_then(|mut words| {
            let rest = words.split_off(words.len().min(1));
            let program = self.program(words.first().map_or("", String::as_str))?;
            Ok(Count { line: line.clone(), program, words: rest })
        });
        (line, count)
    }

    /// The program of `PACKAGE/EXAMPLE`, built once a call.
    fn program(&mut self, name: &str) -> Result<String, Missing> {
        if !callgrind::is_here() {
            return Err(Missing::NotHere("valgrind is not here".to_owned()));
        }
        if let Some(program) = self.programs.get(name) {
            return program.clone();
        }
        let parts = name.split_once('/').ok_or_else(|| format!("`{name}` is no PACKAGE/EXAMPLE"));
        let program = parts.and_then(|(package, example)| callgrind::example(&self.root, package, example));
        let program = program.map_err(Missing::Failed);
        self.programs.insert(name.to_owned(), program.clone());
        program
    }

    /// The figure of a row now.
    pub fn measure(&mut self, row: &Row) -> Result<Reading, Missing> {
        match &row.figure {
            Figure::Instructions { rounds, each } => {
                let [less, more] = rounds.map(|rounds| self.counted.get(&with_rounds(&row.command, rounds)).cloned());
                let uncounted = || Missing::Failed("nothing was counted".to_owned());
                let (less, more) = (less.ok_or_else(uncounted)??, more.ok_or_else(uncounted)??);
                let done = (rounds[1] - rounds[0]) * each;
                Ok(Reading::from((more.saturating_sub(less) / done) as f64))
            }
            Figure::LongMatches { metric, after_s } => self.long(row, metric, *after_s),
            Figure::Bytes(path) => Ok(Reading::from(self.bytes(row, path)?.len() as f64)),
            Figure::Gzipped(path) => Ok(Reading::from(gzipped(&self.bytes(row, path)?) as f64)),
            Figure::Metric { .. }
            | Figure::Outcome(_)
            | Figure::Key { .. }
            | Figure::Field(_)
            | Figure::CratesBesides(_)
            | Figure::Text(_) => {
                let output = self.output(row)?;
                find(&row.figure, &output).map_err(|why| Missing::Failed(format!("`{}`: {why}", line(row))))
            }
        }
    }

    /// What the command of a row says.
    fn output(&mut self, row: &Row) -> Result<String, Missing> {
        let line = line(row);
        if !self.said.contains_key(&line) {
            eprintln!("running: {line}");
            let said = self.run(&line);
            self.said.insert(line.clone(), said);
        }
        self.said.get(&line).cloned().unwrap_or_else(|| Ok(String::new()))
    }

    fn run(&mut self, line: &str) -> Result<String, Missing> {
        let words = line.split_whitespace().map(|word| self.placed(word)).collect::<Result<Vec<_>, _>>()?;
        let Some((first, rest)) = words.split_first() else { return Ok(String::new()) };
        if first != "sentir" {
            return Ok(process::tee(Command::new(first).args(rest).current_dir(&self.root))?);
        }
        // A promise that does not hold is told by its figure, so the exit code is not asked.
        let (said, errors) = process::capture_report(Command::new(self.native()?).args(rest).current_dir(&self.root))?;
        if said.trim().is_empty() {
            return Err(Missing::Failed(format!("`{line}` said nothing:\n{}", errors.trim_end())));
        }
        Ok(said)
    }

    /// A word with what stands for folders filled in.
    fn placed(&self, word: &str) -> Result<String, Missing> {
        let mut word = word.to_owned();
        if word.contains("{data}") {
            let data = self.data.as_ref();
            let data =
                data.ok_or_else(|| Missing::NotHere("it needs --data FOLDER with the public files".to_owned()))?;
            word = word.replace("{data}", &data.display().to_string());
        }
        if word.contains("{levels}") {
            let all = levels::fetch(&self.root).map_err(Missing::NotHere)?;
            let folder = all.first().and_then(|path| path.parent()).unwrap_or(&self.root).display().to_string();
            word = word.replace("{levels}", &folder);
        }
        Ok(word)
    }

    fn native(&mut self) -> Result<PathBuf, String> {
        if self.native.is_none() {
            self.native = Some(package::native(&self.root)?);
        }
        self.native.clone().ok_or_else(|| "there is no program".to_owned())
    }

    fn bytes(&mut self, row: &Row, path: &str) -> Result<Vec<u8>, Missing> {
        self.output(row)?;
        let path = if path == "sentir" { self.native()? } else { self.root.join(path) };
        std::fs::read(&path).map_err(|error| Missing::Failed(format!("'{}' cannot be read: {error}", path.display())))
    }

    /// The mean of a metric over the long matches of a battery, from its table.
    fn long(&mut self, row: &Row, metric: &str, after_s: f64) -> Result<Reading, Missing> {
        let file = std::env::temp_dir().join(format!("sentir-matches-{}.csv", std::process::id()));
        let line = line(row);
        eprintln!("running: {line} --csv FILE");
        self.run(&format!("{line} --csv {}", file.display()))?;
        let table = std::fs::read_to_string(&file);
        // Left-overs in the temporary folder are the system's to clear.
        let _ = std::fs::remove_file(&file);
        let table = table.map_err(|error| format!("'{}' cannot be read: {error}", file.display()))?;
        let (mean, count) = long_matches(&table, metric, after_s)?;
        eprintln!("{count} matches go on for over {after_s} s");
        Ok(Reading::from(mean))
    }
}

/// The whole command of a row, as one would type it (`callgrind` aside).
pub fn line(row: &Row) -> String {
    let mut line = row.command.clone();
    if let Some([first, last]) = row.seeds {
        line += &format!(" --seed {first}");
        if line.starts_with("sentir battery ") {
            line += &format!(" --matches {}", last - first + 1);
        }
    }
    if line.starts_with("sentir ") {
        line += " --json";
    }
    line
}

fn with_rounds(command: &str, rounds: u64) -> String {
    let word = |word| if word == "#" { rounds.to_string() } else { String::from(word) };
    command.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Bytes of a gzip file with this in it: a head of ten, the deflated stream, checksum and length.
pub fn gzipped(bytes: &[u8]) -> usize {
    miniz_oxide::deflate::compress_to_vec(bytes, 9).len() + 18
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::row::read;

    fn rows() -> Vec<Row> {
        let text = "\
rows:
- { name: a, promise: p, class: long, command: sentir battery duel --set mind=base, seeds: [5, 14], figure: { metric: m }, limit: at most 1 }
- { name: b, promise: p, class: long, command: sentir honesty duel, seeds: [3, 3], figure: { field: leaks }, limit: at most 0 }
- { name: c, promise: p, class: long, command: \"callgrind no_such/thing {data}/x #\", figure: { instructions: [1, 3] }, limit: at most 1 }
- { name: d, promise: p, class: long, command: cargo --version, figure: { text: \"cargo 1.{}.\" }, limit: at least 90 }
- { name: e, promise: p, class: long, command: cargo --version, figure: { bytes: rustfmt.toml }, limit: at least 1 }
- { name: f, promise: p, class: long, command: cargo --version, figure: { bytes: nowhere }, limit: at least 1 }
";
        read(text).expect("right rows")
    }

    #[test]
    fn commands_get_their_seeds_and_ask_for_json() {
        let rows = rows();
        assert_eq!(line(&rows[0]), "sentir battery duel --set mind=base --seed 5 --matches 10 --json");
        assert_eq!(line(&rows[1]), "sentir honesty duel --seed 3 --json");
        assert_eq!(line(&rows[3]), "cargo --version");
        assert_eq!(with_rounds("callgrind a/b x# # c", 20), "callgrind a/b x# 20 c");
    }

    #[test]
    fn what_is_not_here_is_no_failure_and_what_fails_is() {
        let root = crate::workspace::root().expect("a workspace");
        let mut lab = Lab::new(&root, None).expect("no folder is asked for");
        assert!(matches!(lab.placed("{data}/x"), Err(Missing::NotHere(why)) if why.contains("--data FOLDER")));
        assert_eq!(lab.placed("plain"), Ok("plain".to_owned()));
        let rows = rows();
        assert!(lab.measure(&rows[3]).is_ok_and(|it| it.value >= 90.0));
        assert!(lab.measure(&rows[4]).is_ok_and(|it| it.value > 10.0));
        assert!(matches!(lab.measure(&rows[5]), Err(Missing::Failed(why)) if why.contains("cannot be read")));
        assert_eq!(lab.measure(&rows[2]), Err(Missing::Failed("nothing was counted".to_owned())));
        assert!(Lab::new(&root, Some(Path::new("/no/such/folder"))).is_err());
    }

    #[test]
    fn what_repeats_is_small_when_gzipped() {
        assert!(gzipped(&[7; 100_000]) < 500);
        assert!(gzipped(&[]) > 18);
    }
}
