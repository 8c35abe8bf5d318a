//! Files: read whole with clear errors, written whole or not at all.

use crate::error::LabError;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Bytes a file may have. 1 GiB.
const BYTES_MAX: u64 = 1 << 30;

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LabError> {
    let refuse = |why: String| LabError::Read { path: path.to_owned(), why };
    let about = fs::metadata(path).map_err(|error| refuse(plain(&error)))?;
    if about.is_dir() {
        return Err(refuse("it is a folder".to_owned()));
    }
    // Devices and pipes announce no length: what is read is bounded all the same.
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes));
    read.map_err(|error| refuse(plain(&error)))?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(refuse(format!("it has more than the {BYTES_MAX} bytes that are read")));
    }
    Ok(bytes)
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, LabError> {
    String::from_utf8(read(path)?).map_err(|error| {
        let why = format!("it is not UTF-8 text from byte {} on", error.utf8_error().valid_up_to());
        LabError::Read { path: path.to_owned(), why }
    })
}

/// Writes a file beside its place and moves it there, so that an interrupted program leaves the old one or none.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    let refuse = |error: &std::io::Error| LabError::Write { path: path.to_owned(), why: plain(error) };
    if path.is_dir() {
        return Err(LabError::Write { path: path.to_owned(), why: "it is a folder".to_owned() });
    }
    // Through a link to what it names; into a device or pipe directly, which cannot be put in place of.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return fs::write(path, bytes).map_err(|error| refuse(&error));
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    // On the disk before it takes the old one's place: a power cut leaves one of the two.
    let put = |bytes: &[u8]| {
        let mut file = fs::File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    let written = put(bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // Best effort: the error that matters is the first one.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(|error| refuse(&error))
}

/// Finds out before a match that a file could not be written after it.
pub(crate) fn check_place(path: &Path) -> Result<(), LabError> {
    let refuse = |why: &str| Err(LabError::Write { path: path.to_owned(), why: why.to_owned() });
    if path.is_dir() {
        return refuse("it is a folder");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return refuse("its folder does not exist");
    }
    // A device or pipe is written into as it is; anything else is put beside its place first.
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Ok(());
    }
    try_folder(folder).map_err(|error| LabError::Write { path: path.to_owned(), why: plain(&error) })
}

/// Finds out whether files can be written in a folder.
fn try_folder(folder: &Path) -> std::io::Result<()> {
    let trial = folder.join(format!(".{}.part", std::process::id()));
    fs::write(&trial, []).and_then(|()| fs::remove_file(&trial))
}

/// Tells of all but the first refusal; gives that back.
pub(crate) fn first_of(refused: Vec<LabError>) -> Result<(), LabError> {
    let mut refused = refused.into_iter();
    let first = refused.next();
    for other in refused {
        // Nobody may be listening there.
        let _ = writeln!(std::io::stderr(), "error: {other}");
    }
    first.map_or(Ok(()), Err)
}

/// Whether two paths name one file that is there.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| fs::canonicalize(path).ok();
    whole(one).is_some_and(|one| whole(other) == Some(one))
}

/// Makes a folder, unless it is there, and finds out whether files can be written in it.
pub(crate) fn make_folder(path: &Path) -> Result<(), LabError> {
    let refuse = |why: String| LabError::Write { path: path.to_owned(), why };
    if path.exists() && !path.is_dir() {
        return Err(refuse("it is a file, not a folder".to_owned()));
    }
    fs::create_dir_all(path).map_err(|error| refuse(plain(&error)))?;
    try_folder(path).map_err(|error| refuse(plain(&error)))
}

/// The system's words without its error number.
pub(crate) fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
