//! Archives of the kind zip, as far as level packages need them: the directory at the end, files stored or deflated.

use std::path::{Path, PathBuf};

/// Bytes of one unpacked file at most.
const BYTES_MAX: usize = 64 << 20;

/// An entry of the directory.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    method: u16,
    packed: usize,
    size: usize,
    offset: usize,
}

/// Unpacks files of an ending into a folder, without their own folders, and says how many.
pub fn unpack(archives: &[PathBuf], ending: &str, to: &Path) -> Result<usize, String> {
    std::fs::create_dir_all(to).map_err(|error| format!("'{}' cannot be made: {error}", to.display()))?;
    let mut count = 0;
    for path in archives {
        let broken = |why: &str| format!("'{}' cannot be unpacked: {why}", path.display());
        let bytes = std::fs::read(path).map_err(|error| broken(&error.to_string()))?;
        for entry in entries(&bytes).ok_or_else(|| broken("it has no directory"))? {
            let name = Path::new(&entry.name);
            let (Some(file), true) = (name.file_name(), name.extension().is_some_and(|end| end == ending)) else {
                continue;
            };
            let content = content(&bytes, &entry).ok_or_else(|| broken(&format!("'{}' is broken", entry.name)))?;
            std::fs::write(to.join(file), content).map_err(|error| broken(&error.to_string()))?;
            count += 1;
        }
    }
    Ok(count)
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
}

/// The directory: found by its end mark, which is among the last bytes.
fn entries(bytes: &[u8]) -> Option<Vec<Entry>> {
    let end = bytes.len().checked_sub(22)?;
    let mark = (end.saturating_sub(65_535)..=end).rev().find(|&at| bytes[at..].starts_with(b"PK\x05\x06"))?;
    let (count, mut at) = (short(bytes, mark + 10)?, long(bytes, mark + 16)?);
    let mut entries = Vec::new();
    for _ in 0..count {
        if !bytes.get(at..)?.starts_with(b"PK\x01\x02") {
            return None;
        }
        let lengths = [28, 30, 32].map(|field| short(bytes, at + field).map(usize::from));
        let [Some(name), Some(extra), Some(comment)] = lengths else { return None };
        entries.push(Entry {
            name: String::from_utf8_lossy(bytes.get(at + 46..at + 46 + name)?).into_owned(),
            method: short(bytes, at + 10)?,
            packed: long(bytes, at + 20)?,
            size: long(bytes, at + 24)?,
            offset: long(bytes, at + 42)?,
        });
        at += 46 + name + extra + comment;
    }
    Some(entries)
}

fn content(bytes: &[u8], entry: &Entry) -> Option<Vec<u8>> {
    let head = bytes.get(entry.offset..)?.starts_with(b"PK\x03\x04").then_some(entry.offset)?;
    let from = head + 30 + usize::from(short(bytes, head + 26)?) + usize::from(short(bytes, head + 28)?);
    let packed = bytes.get(from..from + entry.packed)?;
    let content = match entry.method {
        0 => packed.to_vec(),
        8 => miniz_oxide::inflate::decompress_to_vec_with_limit(packed, BYTES_MAX).ok()?,
        _ => return None,
    };
    (content.len() == entry.size).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of one file.
    fn archive(name: &str, method: u16, packed: &[u8], size: usize) -> Vec<u8> {
        let fields = |bytes: &mut Vec<u8>| {
            bytes.extend(method.to_le_bytes());
            bytes.extend([0; 8]);
            bytes.extend((packed.len() as u32).to_le_bytes());
            bytes.extend((size as u32).to_le_bytes());
            bytes.extend((name.len() as u16).to_le_bytes());
            bytes.extend([0; 2]);
        };
        let mut bytes = b"PK\x03\x04\x14\0\0\0".to_vec();
        fields(&mut bytes);
        bytes.extend(name.bytes());
        bytes.extend(packed);
        let directory = bytes.len() as u32;
        bytes.extend(b"PK\x01\x02\x14\0\x14\0\0\0");
        fields(&mut bytes);
        bytes.extend([0; 14]);
        bytes.extend(name.bytes());
        bytes.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0\0\0\0\0");
        bytes.extend(directory.to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }

    #[test]
    fn stored_and_deflated_files_come_out_as_they_went_in() {
        let text = b"levels levels levels levels";
        let deflated = miniz_oxide::deflate::compress_to_vec(text, 6);
        for (method, packed) in [(0, text.to_vec()), (8, deflated)] {
            let bytes = archive("maps/a.bsp", method, &packed, text.len());
            let entries = entries(&bytes).expect("a directory");
            assert_eq!(entries[0].name, "maps/a.bsp");
            assert_eq!(content(&bytes, &entries[0]).as_deref(), Some(&text[..]));
        }
    }

    #[test]
    fn broken_archives_are_none() {
        let bytes = archive("a.bsp", 0, b"four", 5);
        let entries = entries(&bytes).expect("a directory");
        assert_eq!(content(&bytes, &entries[0]), None);
        for end in 0..bytes.len() {
            assert_eq!(super::entries(&bytes[..end]), None, "{end}");
        }
    }
}
