//! Authored files: brains, queries and levels as text that people write and programs check.
//!
//! The format is a strict subset of YAML: no anchors, aliases, tags and merge keys, one document, at most
//! [`BYTES_MAX`] bytes and [`DEPTH_MAX`] levels deep. Two ways lead in:
//! - [`parse`] reads bytes into a type of the caller's, by serde. [`Placed`] keeps where a value stands.
//! - [`Node`] is such a type: a tree of values, each with its place. What a node means may depend on names that only the
//!   caller knows (a leaf's parameters, a test's weights): [`Node::read`] makes a typed value of any part, later, and its
//!   errors still say the line and column.
//!
//! Every refusal is an [`AssetError`]: file, line, column, what is wrong, what was expected, the nearest valid name.
//!
//! ```
//! use sentir_asset::{AssetError, Node, parse};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, Debug, PartialEq)]
//! #[serde(deny_unknown_fields)]
//! struct Wait { seconds: f32 }
//!
//! let tree: Node = parse(b"task: wait\nwith:\n  seconds: 2\n", "guard.yaml").unwrap();
//! let wait: Wait = tree.find("with").unwrap().read().unwrap();
//! assert_eq!(wait, Wait { seconds: 2.0 });
//!
//! let tree: Node = parse(b"task: wait\nwith:\n  secunds: 2\n", "guard.yaml").unwrap();
//! let refused = tree.find("with").unwrap().read::<Wait>().unwrap_err();
//! assert_eq!(
//!     AssetError::new("guard.yaml", refused).to_string(),
//!     "guard.yaml:3:3: unknown key `secunds` (did you mean `seconds`?): expected `seconds`",
//! );
//! ```
//!
//! **Features**: `yaml` reads files. Without it there are the types, so that what can be made by code needs no
//! reader.
//!
//! Reading costs O(bytes) and memory in proportion to them. Nothing here panics on any input.

mod error;
mod header;
#[cfg(feature = "yaml")]
mod migration;
mod node;
mod placed;
#[cfg(feature = "yaml")]
mod read;
mod typed;

pub use error::{AssetError, FilePosition, Problem, Refusal, nearest, shortened};
pub use header::Header;
#[cfg(feature = "yaml")]
pub use migration::{Edits, Migration, MigrationError, MigrationPlan, migrate};
pub use node::{Entry, Node, Value};
pub use placed::Placed;
#[cfg(feature = "yaml")]
pub use read::{BYTES_MAX, DEPTH_MAX, parse};
pub use serde;
