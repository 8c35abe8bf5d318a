//! The envelope of every file that holds state: who wrote it, in which format, and whether it is whole.
//!
//! Layout, little-endian, the same for all versions: 8 bytes magic, 4 bytes kind, 8 bytes length of the whole file,
//! 8 bytes xxh3 of all that follows, then format (4), schema (8), writer's version (1 + text), length of the content
//! (4), the content as an lz4 block. The frame is checked before anything in it is believed.

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::{LoadError, Schema, State, StateReader, len_u32, to_bytes};

const MAGIC: [u8; 8] = *b"\x89SENTIR\n";
/// Magic, kind, length, checksum.
const FRAME_BYTES: usize = 8 + 4 + 8 + 8;
/// No lz4 block expands by more than this.
const EXPANSION_MAX: usize = 255;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A run: what it takes to play it again, and the hashes to check it by.
    Recording,
    /// A world at one tick.
    Snapshot,
}

impl FileKind {
    const ALL: [FileKind; 2] = [FileKind::Recording, FileKind::Snapshot];

    /// A content of more bytes than this is refused before it is unpacked. A day of recorded play at 60 ticks a second has 40 MiB;
    /// a world of ten thousand agents some dozen.
    pub const fn bytes_max(self) -> usize {
        match self {
            FileKind::Recording => 64 << 20,
            FileKind::Snapshot => 256 << 20,
        }
    }

    fn mark(self) -> [u8; 4] {
        match self {
            FileKind::Recording => *b"srec",
            FileKind::Snapshot => *b"snap",
        }
    }
}

impl std::fmt::Display for FileKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FileKind::Recording => "recording",
            FileKind::Snapshot => "snapshot",
        })
    }
}

/// Why a file cannot be opened. The sentences go on from 'FILE …'.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EnvelopeError {
    /// No bytes at all.
    #[error("is empty")]
    Empty,
    /// The first bytes are not ours.
    #[error("is not a sentir {0}: its first bytes are something else")]
    NotOurs(FileKind),
    /// It announces more than is unpacked.
    #[error("would take {bytes} bytes when unpacked: a {kind} has at most {limit}")]
    TooLarge {
        /// What it is.
        kind: FileKind,
        /// How many it says it has.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// Ours, but the other kind.
    #[error("is a sentir {found}, not a {wanted}")]
    OtherKind {
        /// What it is.
        found: FileKind,
        /// What was asked for.
        wanted: FileKind,
    },
    /// Shorter than it says.
    #[error("is cut short: it has {have} of {need} bytes")]
    Cut {
        /// Bytes there are.
        have: usize,
        /// Bytes there should be.
        need: u64,
    },
    /// Longer than it says.
    #[error("is damaged: it has {extra} bytes after its end")]
    Longer {
        /// Bytes too many.
        extra: u64,
    },
    /// The checksum disagrees.
    #[error("is damaged: its content does not match its checksum")]
    Damaged,
    /// Another version of the program wrote it, in a way this one cannot read.
    #[error("was written by sentir {writer}; this is sentir {reader}, which reads other {kind}s ({what})")]
    OtherVersion {
        /// Version that wrote it.
        writer: String,
        /// Version that reads it.
        reader: &'static str,
        /// What it is.
        kind: FileKind,
        /// What differs.
        what: String,
    },
    /// Whole, of this version, and still not a value.
    #[error("holds no valid {kind}: {error}")]
    Content {
        /// What it is.
        kind: FileKind,
        /// Why not.
        error: LoadError,
    },
}

/// An opened envelope: whole and undamaged, content not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// What it holds.
    pub kind: FileKind,
    /// Number of the file format.
    pub format: u32,
    /// Shape of the content's type.
    pub schema: u64,
    /// Version of the program that wrote it.
    pub writer: String,
    /// The saved value.
    pub content: Vec<u8>,
}

/// The version of this library, as written into files.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Puts `value` into an envelope. `format` is the kind's own number, raised when a newer program cannot read older ones.
pub fn pack<T: State>(kind: FileKind, format: u32, value: &T) -> Vec<u8> {
    let (schema, writer, content) = (Schema::of::<T>(), VERSION.to_owned(), to_bytes(value));
    Envelope { kind, format, schema, writer, content }.to_file()
}

fn seal(kind: FileKind, body: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(FRAME_BYTES + body.len());
    file.extend_from_slice(&MAGIC);
    file.extend_from_slice(&kind.mark());
    file.extend_from_slice(&((FRAME_BYTES + body.len()) as u64).to_le_bytes());
    file.extend_from_slice(&xxh3_64(body).to_le_bytes());
    file.extend_from_slice(body);
    file
}

/// Checks the frame and unpacks the content.
pub fn unpack(kind: FileKind, file: &[u8]) -> Result<Envelope, EnvelopeError> {
    let body = frame(kind, file)?;
    // Past the checksum the fields can only be wrong if the file was forged; the reading stays defensive all the same.
    let content = |error| EnvelopeError::Content { kind, error };
    let mut source = StateReader::new(body);
    let format = u32::load(&mut source).map_err(content)?;
    let schema = u64::load(&mut source).map_err(content)?;
    let writer_len = source.take::<1>().map_err(content)?[0];
    let writer = source.slice(writer_len.into()).map_err(content)?;
    let writer = String::from_utf8_lossy(writer).into_owned();
    let content_len = u32::load(&mut source).map_err(content)? as usize;
    let block_len = source.left();
    let block = source.slice(block_len).map_err(content)?;
    if content_len > block_len.saturating_mul(EXPANSION_MAX) {
        return Err(EnvelopeError::Damaged);
    }
    if content_len > kind.bytes_max() {
        return Err(EnvelopeError::TooLarge { kind, bytes: content_len, limit: kind.bytes_max() });
    }
    let content = lz4_flex::block::decompress(block, content_len).map_err(|_| EnvelopeError::Damaged)?;
    Ok(Envelope { kind, format, schema, writer, content })
}

/// The checked body behind the frame.
fn frame(kind: FileKind, file: &[u8]) -> Result<&[u8], EnvelopeError> {
    if file.is_empty() {
        return Err(EnvelopeError::Empty);
    }
    let magic_len = file.len().min(MAGIC.len());
    if file[..magic_len] != MAGIC[..magic_len] {
        return Err(EnvelopeError::NotOurs(kind));
    }
    let Some((head, body)) = file.split_at_checked(FRAME_BYTES) else {
        return Err(EnvelopeError::Cut { have: file.len(), need: FRAME_BYTES as u64 });
    };
    let number = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&head[at..at + 8]);
        u64::from_le_bytes(bytes)
    };
    match FileKind::ALL.into_iter().find(|one| one.mark() == head[8..12]) {
        None => return Err(EnvelopeError::NotOurs(kind)),
        Some(found) if found != kind => return Err(EnvelopeError::OtherKind { found, wanted: kind }),
        Some(_) => {}
    }
    let (have, need) = (file.len(), number(12));
    if need > have as u64 {
        return Err(EnvelopeError::Cut { have, need });
    }
    if need < have as u64 {
        return Err(EnvelopeError::Longer { extra: have as u64 - need });
    }
    if xxh3_64(body) != number(20) {
        return Err(EnvelopeError::Damaged);
    }
    Ok(body)
}

impl Envelope {
    /// The envelope as the bytes of a file.
    pub fn to_file(&self) -> Vec<u8> {
        // A writer's name past 255 bytes is cut: it is only told to people.
        let writer = &self.writer.as_bytes()[..self.writer.len().min(255)];
        let mut body = Vec::new();
        body.extend_from_slice(&self.format.to_le_bytes());
        body.extend_from_slice(&self.schema.to_le_bytes());
        body.push(writer.len() as u8);
        body.extend_from_slice(writer);
        body.extend_from_slice(&len_u32(self.content.len()).to_le_bytes());
        body.extend_from_slice(&lz4_flex::block::compress(&self.content));
        seal(self.kind, &body)
    }

    /// Reads the content, if this program's `format` and type are the writer's.
    pub fn open<T: State>(&self, format: u32) -> Result<T, EnvelopeError> {
        let other = |what: String| EnvelopeError::OtherVersion {
            writer: self.writer.clone(),
            reader: VERSION,
            kind: self.kind,
            what,
        };
        if self.format != format {
            return Err(other(format!("format {} there, {format} here", self.format)));
        }
        if self.schema != Schema::of::<T>() {
            return Err(other("the shape of its content changed".to_owned()));
        }
        super::from_bytes(&self.content).map_err(|error| EnvelopeError::Content { kind: self.kind, error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn open(file: &[u8]) -> Result<Vec<u32>, EnvelopeError> {
        unpack(FileKind::Recording, file)?.open(1)
    }

    fn packed() -> Vec<u8> {
        pack(FileKind::Recording, 1, &vec![7u32; 40])
    }

    /// Recomputes length and checksum, as a forger would.
    fn sealed(mut file: Vec<u8>) -> Vec<u8> {
        let len = (file.len() as u64).to_le_bytes();
        file[12..20].copy_from_slice(&len);
        let sum = xxh3_64(&file[FRAME_BYTES..]).to_le_bytes();
        file[20..28].copy_from_slice(&sum);
        file
    }

    #[test]
    fn a_whole_file_opens() {
        assert_eq!(open(&packed()).unwrap(), vec![7; 40]);
    }

    #[test]
    fn each_way_to_be_wrong_has_its_own_sentence() {
        let file = packed();
        let say = |file: &[u8]| open(file).unwrap_err().to_string();
        assert_eq!(say(&[]), "is empty");
        assert_eq!(say(b"hello, world"), "is not a sentir recording: its first bytes are something else");
        assert_eq!(say(&file[..20]), "is cut short: it has 20 of 28 bytes");
        assert_eq!(
            say(&file[..file.len() - 1]),
            format!("is cut short: it has {} of {} bytes", file.len() - 1, file.len())
        );
        let mut longer = file.clone();
        longer.push(0);
        assert_eq!(say(&longer), "is damaged: it has 1 bytes after its end");
        let mut flipped = file.clone();
        flipped[40] ^= 4;
        assert_eq!(say(&flipped), "is damaged: its content does not match its checksum");
        let snapshot = pack(FileKind::Snapshot, 1, &vec![7u32; 40]);
        assert_eq!(say(&snapshot), "is a sentir snapshot, not a recording");
        let newer = pack(FileKind::Recording, 2, &vec![7u32; 40]);
        assert_eq!(
            say(&newer),
            format!(
                "was written by sentir {VERSION}; this is sentir {VERSION}, which reads other recordings (format 2 there, 1 here)"
            )
        );
        let retyped = pack(FileKind::Recording, 1, &vec![7i32; 40]);
        assert!(say(&retyped).ends_with("(the shape of its content changed)"));
    }

    #[test]
    fn every_flipped_bit_is_refused() {
        let file = packed();
        for bit in 0..file.len() * 8 {
            let mut flipped = file.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(open(&flipped).is_err(), "bit {bit} flipped unnoticed");
        }
    }

    #[test]
    fn a_forged_content_length_is_refused_before_it_allocates() {
        let mut file = packed();
        let at = FRAME_BYTES + 4 + 8 + 1 + VERSION.len();
        file[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(open(&sealed(file)), Err(EnvelopeError::Damaged));
    }

    proptest! {
        #[test]
        fn forged_bodies_never_panic(bytes in any::<Vec<u8>>()) {
            let mut file = packed()[..FRAME_BYTES].to_vec();
            file.extend(bytes);
            prop_assert!(open(&sealed(file)).is_err());
        }
    }
}
