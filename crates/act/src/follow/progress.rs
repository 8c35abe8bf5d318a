//! How a follower gets on: too little progress for too long is being stuck.

use sentir_core::outcome::Outcome;
use sentir_core::{State, math, plane};

use super::{Advice, FollowConfig, Follower, Need, Walk};

/// So much less of a path is left when a trouble is over, m.
const FAR_M: f32 = 3.0;
/// How long it backs off, s.
const BACK_S: f32 = 1.0;

/// What it has come to.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Progress {
    /// Least rest of the path so far, m, and for how many ticks it has not become less.
    pub(super) best_m: f32,
    pub(super) stall: u32,
    /// Whether another body stands on the goal, as it was seen last.
    pub(super) is_taken: bool,
    /// Length of the path as it was found, m.
    pub(super) length_m: f32,
    /// Times it was blocked since the rest of the path was `far_m`, m; much less than that is an end of the trouble.
    tries: u16,
    far_m: f32,
    /// Ticks that it still backs off, to come at what holds it from elsewhere.
    backing: u16,
    /// For how many ticks nothing of the path has been in sight.
    pub(super) lost: u32,
    /// Ticks on the link.
    pub(super) linked: u32,
}

impl Progress {
    /// A new wish: the trouble so far is forgotten.
    pub(super) fn start_over(&mut self) {
        (self.stall, self.tries, self.far_m, self.backing, self.is_taken) = (0, 0, f32::MAX, 0, false);
    }

    /// A new path, or none.
    pub(super) fn begin_path(&mut self) {
        (self.lost, self.linked, self.best_m, self.length_m) = (0, 0, f32::MAX, 0.0);
    }

    /// Notes whether something of the path is in sight; whether nothing has been for too long.
    pub(super) fn is_lost(&mut self, is_seen: bool, tick_s: f32, config: &FollowConfig) -> bool {
        self.lost = if is_seen { 0 } else { self.lost.saturating_add(1) };
        self.lost as f32 * tick_s > config.lost_s
    }

    /// Notes what is left of the path, m.
    pub(super) fn measure(&mut self, rest_m: f32, config: &FollowConfig) {
        if rest_m < self.best_m - config.progress_m {
            (self.best_m, self.stall) = (rest_m, 0);
        } else {
            self.stall = self.stall.saturating_add(1);
        }
    }

    /// For how long there has been no progress, s.
    pub(super) fn stall_s(&self, tick_s: f32) -> f32 {
        self.stall as f32 * tick_s
    }

    /// Whether one near a goal that another body stands on has waited for long enough.
    pub(super) fn is_content(&self, tick_s: f32, config: &FollowConfig) -> bool {
        self.is_taken && self.stall_s(tick_s) > config.patience_s
    }

    /// Whether there is no hope left, with so much of the path left, m.
    pub(super) fn is_stuck(&mut self, rest_m: f32, tick_s: f32, config: &FollowConfig) -> bool {
        if rest_m < self.far_m - FAR_M {
            (self.far_m, self.tries) = (rest_m, 0);
        }
        self.stall_s(tick_s) > config.give_up_s || f32::from(self.tries) * config.replan_s >= config.give_up_s
    }

    /// Whether it backs off at the moment.
    pub(super) fn is_backing(&self) -> bool {
        self.backing > 0
    }
}

impl Follower {
    /// Held up for long: says so, backs off for a moment, to the right and to the left by turns, and asks for a path from
    /// there.
    pub(super) fn back_off(&mut self, advice: &mut Advice, me: &Walk, config: &FollowConfig) {
        let progress = &mut self.progress;
        let tick_s = math::max(me.tick_s, 1e-4);
        let replan = math::max(config.replan_s / tick_s, 1.0) as u32;
        if progress.stall > 0 && progress.stall.is_multiple_of(replan) {
            progress.tries = progress.tries.saturating_add(1);
            progress.backing = math::clamp(BACK_S / tick_s, 1.0, 1e4) as u16;
            advice.outcome = Some(Outcome::Blocked { ticket: self.ticket });
        }
        if progress.backing > 0 {
            progress.backing -= 1;
            let side = if progress.tries % 2 == 1 { -1.0 } else { 1.0 };
            advice.wanted = plane::left_of(advice.wanted) * side * 0.7 - advice.wanted * 0.7;
            if progress.backing == 0 && self.inquiry.need == Need::Nothing {
                self.inquiry.need = Need::Repair;
            }
        }
    }
}
