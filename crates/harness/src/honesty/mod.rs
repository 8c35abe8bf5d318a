//! The honesty test: change what no sense reached, and see whether any decision changes.
//!
//! A scene is played to some moment, twice from there on: as it is, and with something changed behind everybody's back
//! (somebody added, removed or moved away, a door, an item, a noise out of range). Before every tick an [`oracle`] of its
//! own looks at both worlds and says whether anything that differs could reach any sense of anybody: by the truth, with
//! ranges that the scene declares as a [`Reach`], and without asking the minds. Until it does, everything that is
//! believed, wanted and done by everybody but the changed ones, and everything they are told by notices, must be the same
//! to the bit. Importances differ from agent to agent, so level of detail and quotas are on.
//!
//! | room | holds |
//! |---|---|
//! | [`truth`] | a world as the test sees it |
//! | [`oracle`] | first contact |
//! | [`tamper`] | what can be changed, and how one is chosen |
//! | [`trial`] | the test over a scene, and its table |

pub mod oracle;
pub mod tamper;
pub mod trial;
pub mod truth;

pub use oracle::{Contact, Reach};
pub use tamper::Tamper;
pub use trial::{Case, Finding, TrialConfig, examine};
pub use truth::{Decision, Truth};
