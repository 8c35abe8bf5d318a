//! Worlds made to be measured, not to be watched. Benchmarks and instruction counts run them.
//!
//! | module | holds |
//! |---|---|
//! | [`soldiers`] | one world of very many soldiers in squads |
//! | [`sight`] | many agents that look around |
//! | [`queries`] | one agent that asks environment queries in a hall |

pub mod queries;
pub mod sight;
pub mod soldiers;
