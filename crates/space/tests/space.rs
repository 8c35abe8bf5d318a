//! Visibility and influence against slow, obvious twins.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

#[path = "space/fan.rs"]
mod fan;
#[path = "space/floor.rs"]
mod floor;
#[path = "space/memo.rs"]
mod memo;
#[path = "space/oracle.rs"]
mod oracle;
#[path = "space/predict.rs"]
mod predict;
#[path = "space/sight.rs"]
mod sight;
#[path = "space/spread.rs"]
mod spread;
