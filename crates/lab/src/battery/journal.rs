//! The journal of a battery: each match is noted as soon as it is over, so that what was played outlives Ctrl-C, a kill or a power
//! cut. The same call goes on from it; a battery that is whole takes it away.
//!
//! The first line says what is played (scenes, seeds, settings, assets, program); a journal of anything else is begun anew. Then
//! comes one line of JSON a match. A line that was cut off is played again. Lines reach the system at once, the disk once a second.

use super::round::Row;
use crate::error::LabError;
use crate::file;
use sentir_harness::metric::Metric;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a line may wait for the disk.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A journal being written.
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<(File, Instant)>,
}

/// What a journal tells: the match of each job that is over.
pub(crate) type Found = BTreeMap<usize, Row>;

impl Journal {
    /// Opens the journal at `path` of what `plan` says; gives what is in it already.
    pub(crate) fn open(path: &Path, plan: &str) -> Result<(Journal, Found), LabError> {
        let refuse = |error: &std::io::Error| LabError::Write { path: path.to_owned(), why: file::plain(error) };
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut found = Found::new();
        let mut whole = String::new();
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        if lines.next().is_some_and(|head| head.trim_end() == plan) {
            for (line, (job, row)) in lines.map_while(|line| Some((line, read(line)?))) {
                whole.push_str(line);
                found.insert(job, row);
            }
        }
        // Whole lines only: what comes next must not be glued to half of one.
        file::write(path, format!("{plan}\n{whole}").as_bytes())?;
        let file = File::options().append(true).open(path).map_err(|error| refuse(&error))?;
        Ok((Journal { path: path.to_owned(), file: Mutex::new((file, Instant::now())) }, found))
    }

    /// Notes a match that is over. A full disk loses the note, not the match.
    pub(crate) fn note(&self, job: usize, row: &Row) {
        let line = format!("{}\n", line(job, row));
        let Ok(mut held) = self.file.lock() else { return };
        let (file, synced) = &mut *held;
        let _ = file.write_all(line.as_bytes());
        if synced.elapsed() >= SYNC_EVERY {
            let _ = file.sync_data();
            *synced = Instant::now();
        }
    }

    /// Takes the journal away: the battery is whole.
    pub(crate) fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn line(job: usize, row: &Row) -> Value {
    // Bits, so that every number comes back as it was.
    let metrics: Vec<Value> = row.metrics.iter().map(|one| json!([one.name, one.value.to_bits()])).collect();
    json!({
        "job": job, "scene": row.scene, "seed": row.seed, "outcome": row.outcome, "ticks": row.ticks,
        "seconds": row.seconds.to_bits(), "failure": row.failure, "metrics": metrics,
    })
}

fn read(line: &str) -> Option<(usize, Row)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let number = |key: &str| value[key].as_u64();
    let metric = |one: &Value| {
        let (name, bits) = (one[0].as_str()?, one[1].as_u64()?);
        Some(Metric { name: kept(name), value: f64::from_bits(bits) })
    };
    let scene = sentir_scenes::CATALOG.find(value["scene"].as_str()?).ok()?.name;
    let row = Row {
        scene,
        seed: number("seed")?,
        outcome: value["outcome"].as_str().map(kept),
        ticks: number("ticks")?,
        seconds: f64::from_bits(number("seconds")?),
        failure: value["failure"].as_str().map(str::to_owned),
        metrics: value["metrics"].as_array()?.iter().map(metric).collect::<Option<_>>()?,
    };
    Some((usize::try_from(number("job")?).ok()?, row))
}

/// A name for as long as the program runs; equal ones are kept once. Scenes have some dozen names each.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let Ok(mut names) = NAMES.lock() else { return "" };
    if let Some(known) = names.iter().find(|known| **known == name) {
        return known;
    }
    let new: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.push(new);
    new
}

#[cfg(test)]
mod tests {
    use super::super::round::tests::row;
    use super::*;

    fn place(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("sentir-journal-{name}-{}", std::process::id()))
    }

    #[test]
    fn what_was_noted_comes_back_bit_by_bit_and_half_a_line_does_not() {
        let path = place("bits");
        let rows = [row(1, "a", &[("x", 0.1), ("y", f64::NAN)]), row(2, "b", &[])];
        let (journal, found) = Journal::open(&path, "plan").unwrap();
        assert!(found.is_empty());
        journal.note(0, &rows[0]);
        journal.note(7, &rows[1]);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"job\":8,\"sce");
        std::fs::write(&path, &text).unwrap();
        let (again, found) = Journal::open(&path, "plan").unwrap();
        assert_eq!(found.keys().copied().collect::<Vec<_>>(), [0, 7]);
        assert_eq!(found[&7], rows[1]);
        assert_eq!((found[&0].metric("x"), found[&0].metrics.len()), (0.1, 2));
        assert!(found[&0].metric("y").is_nan());
        again.note(8, &rows[1]);
        assert_eq!(Journal::open(&path, "plan").unwrap().1.len(), 3);
        let (other, found) = Journal::open(&path, "another plan").unwrap();
        assert!(found.is_empty(), "what another call played is none of this one's");
        other.remove();
        assert!(!path.exists());
    }
}
