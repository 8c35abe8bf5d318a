//! Intruders: a side that defends sends those after them who are nearest, as many as it takes and no more. What is sent after is
//! what members see and tell; nobody leaves its post for what nobody knows of.

use sentir::core::math;
use sentir::prelude::*;

use super::mind::{Errand, Notice, WarMind};
use super::rules::Kind;
use super::side::{Side, SideScratch, Squad, seen};
use sentir_squad::strategy::Attitude;

/// Intruders that are seen to in one run at the most, those next to the base first.
const INTRUDERS_MAX: usize = 24;
/// Strength that is sent for each of an intruder's, and beside that.
const SHARE: f32 = 1.5;
const REST: f32 = 3.0;
/// Nobody is told anew for less than this, m.
const NEWS_M: f32 = 2.5;

impl WarMind {
    /// Tells defenders whom to go for.
    pub(crate) fn alert(&self, team: usize, side: &Side, roster: &mut Squad<'_, '_>, scratch: &mut SideScratch) {
        let SideScratch { intruders, guards, .. } = scratch;
        guards.clear();
        guards.resize(roster.members().len(), None);
        let [home, away] = [self.map.places.base[team], self.map.places.base[1 - team]];
        intruders.clear();
        if side.attitude == Attitude::Defend {
            let on_own_ground = side.contacts.iter().filter(|it| it.place.distance(home) < it.place.distance(away));
            intruders
                .extend(on_own_ground.map(|it| ((it.place.distance(home) * 64.0) as u32, it.who, it.place, it.kind)));
            intruders.sort_unstable_by_key(|&(near, who, ..)| (near, who));
        }
        for &(_, _, place, kind) in intruders.iter().take(INTRUDERS_MAX) {
            let mut needed = SHARE * self.rules.kind(Kind::of(kind.into())).influence + REST;
            while needed > 0.0 {
                let Some((number, strength)) = self.nearest_defender(roster, guards, place) else { break };
                guards[number] = Some(place);
                needed -= math::max(strength, 1.0);
            }
        }
        for (number, &guard) in guards.iter().enumerate().take(roster.members().len()) {
            let Some(member) = roster.member(number).filter(|it| Kind::of(it.brain.kind).is_soldier()) else {
                continue;
            };
            let before = member.brain.errand.guard;
            let is_news = match (before, guard) {
                (Some(before), Some(now)) => before.distance(now) > NEWS_M,
                _ => before != guard,
            };
            if is_news && roster.is_active(number) {
                roster.notify(number, Notice::Errand(Errand { guard, ..Errand::default() }));
            }
        }
    }

    /// The soldier next to a place whom nobody has sent anywhere: its number, and how strong it is.
    fn nearest_defender(&self, roster: &Squad<'_, '_>, guards: &[Option<Vec2>], place: Vec2) -> Option<(usize, f32)> {
        let free = (0..guards.len()).filter(|&number| guards[number].is_none());
        let soldiers = free.filter_map(|number| {
            let it = seen(roster, number).filter(|it| it.kind.is_soldier())?;
            Some((number, it))
        });
        let near = |at: Vec2| (at.distance(place) * 64.0) as u32;
        let (number, it) = soldiers.min_by_key(|(number, it)| (near(it.place), *number))?;
        Some((number, self.rules.kind(it.kind).influence * it.health))
    }
}
