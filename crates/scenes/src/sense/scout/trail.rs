//! A nose on a trail: from trace to trace, in the order in which they were left.

use sentir::core::plane;
use sentir::prelude::*;

use super::brain::{Head, Mode};
use super::{PUPPET, Scout};

/// How far a hound smells a fresh trace, m, and how long until one is gone, s.
pub(super) const NOSE_M: f32 = 2.0;
pub(super) const FADE_S: f32 = 20.0;
/// So near to a trace, it goes for the next one, m.
const AT_M: f32 = 0.45;
/// How long it sits where the trail ends, s.
const SIT_S: f32 = 4.0;

/// Goes for the oldest trace in reach that is younger than the last one it followed; sits where there is none.
pub(super) fn follow(scout: &Scout, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents) {
    let here = plane::ground(view.beliefs.me.pose.position);
    let is_there = head.goal.is_none_or(|goal| goal.distance(here) < AT_M);
    if view.tick < head.until {
        intents.stay();
        return;
    }
    if is_there {
        let next = view.beliefs.smells.iter().filter(|smell| smell.kind == PUPPET && smell.left_at > head.trace);
        match next.min_by_key(|smell| smell.left_at) {
            Some(smell) => {
                (head.trace, head.goal) = (smell.left_at, Some(plane::ground(smell.position)));
                (head.mode, head.lead) = (Mode::Track, Some(smell.position));
            }
            None => {
                if head.mode == Mode::Track {
                    head.until = view.tick + view.rate.ticks(SIT_S);
                }
                (head.mode, head.goal, head.lead) = (Mode::Watch, None, None);
            }
        }
    }
    intents.gaze = Gaze::Ahead;
    match head.goal {
        Some(goal) => {
            let (goal, pace_m_per_s) = (plane::lift(goal, 0.0), scout.walk);
            intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m: 0.1 });
        }
        None => intents.stay(),
    }
}
