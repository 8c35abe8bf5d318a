//! The first key of an authored file: what it is, and in which version of its format.

use crate::error::{Problem, Refusal};
use crate::node::Node;

/// What a file says it is: the key `sentir` with a kind and a version, as in `sentir: tree 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the file describes, for example `tree` or `query`.
    pub kind: String,
    /// Version of that kind's format, from 1.
    pub version: u32,
}

impl Header {
    /// The key that holds it.
    pub const KEY: &'static str = "sentir";

    /// Reads the header of a file.
    pub fn read(node: &Node) -> Result<Header, Refusal> {
        let said = node.need(Header::KEY)?;
        let refused = || said.expected("a kind and a version, as in `sentir: tree 1`");
        let (kind, version) = said.text()?.split_once(' ').ok_or_else(refused)?;
        let version = version.trim().parse().ok().filter(|&version| version > 0).ok_or_else(refused)?;
        Ok(Header { kind: kind.to_owned(), version })
    }

    /// Reads the header of a file that must be of one of these kinds, each with its current version.
    pub fn expect(node: &Node, known: &[(&str, u32)]) -> Result<Header, Refusal> {
        let header = Header::read(node)?;
        let place = node.need(Header::KEY)?.place;
        match known.iter().find(|(kind, _)| *kind == header.kind) {
            None => Err(Refusal::unknown(place, "kind of file", &header.kind, known.iter().map(|&(kind, _)| kind))),
            Some(&(_, current)) if header.version < current => Err(Refusal::wrong(
                place,
                format!(
                    "this is version {} of `{}`, and {current} is current: `sentir migrate` brings it there",
                    header.version, header.kind
                ),
            )),
            Some(&(_, current)) if header.version > current => Err(Refusal::new(
                place,
                Problem::Wrong(format!(
                    "version {} of `{}` is newer than this program: expected {current}",
                    header.version, header.kind
                )),
            )),
            Some(_) => Ok(header),
        }
    }
}
