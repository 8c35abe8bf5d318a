//! Environment queries and cover: every test by hand-made worlds, every promise by properties.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

#[path = "query/cover.rs"]
mod cover;
#[path = "query/generator.rs"]
mod generator;
#[path = "query/promise.rs"]
mod promise;
#[path = "query/refusal.rs"]
mod refusal;
#[path = "query/rule.rs"]
mod rule;
#[path = "query/stock.rs"]
mod stock;
#[path = "query/yard.rs"]
mod yard;
