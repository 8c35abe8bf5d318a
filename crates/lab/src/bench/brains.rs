//! `sentir bench brains`: what a tick of a brain costs, and plans. Instructions are counted by callgrind on the examples
//! `tree_ticks`, `goap_plan` and `htn_plan` of the crate `sentir_think`.

use super::{Rows, median_ms, row};
use crate::brain::Anybody;
use crate::error::LabError;
use sentir::core::why::WhyLog;
use sentir::prelude::*;
use sentir::think::board::{Blackboard, Board};
use sentir::think::brain::{Brain, BrainScratch};
use sentir::think::key::Keys;
use sentir::think::registry::Leaves;
use sentir::think::stock;
use sentir::think::thought::Thought;

/// Agents that think at once.
const AGENTS: usize = 100_000;

/// Ticks of the guard in every kind of brain, for a hundred thousand agents.
pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = Vec::new();
    for (name, file, text) in stock::GUARD {
        let leaves = Leaves::<Anybody>::open();
        let brain = Brain::read(text.as_bytes(), file, &Keys::default(), &leaves)?;
        let mut states = vec![brain.start(); AGENTS];
        let mut boards = vec![Blackboard::new(brain.keys()); AGENTS];
        let shared = Blackboard::new(brain.keys());
        let (mut scratch, mut why) = (BrainScratch::default(), WhyLog::default());
        let (mut tick, mut nothing) = (0, ());
        let ms = median_ms(5, || {
            tick += 1;
            for (number, (state, own)) in states.iter_mut().zip(&mut boards).enumerate() {
                let board = Board { own, team: &shared, world: &shared };
                let now = (AgentId::from_bits(number as u64), Tick(tick), TickRate::new(10));
                let mut thought = Thought::<Anybody>::new(now, (), &mut nothing, board, Streams { seed: 1 }, &mut why);
                brain.tick(state, &mut scratch, &mut thought);
            }
        });
        let figure = format!("{:.0} ns", ms * 1e6 / AGENTS as f64);
        rows.push(row(
            format!("a thought of the guard, {name}"),
            figure,
            "one of 100 000 agents, leaves that do nothing",
        ));
    }
    Ok(rows)
}
