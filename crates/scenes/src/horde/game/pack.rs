//! The pack's coordination: cries that were heard become alarms, wishes become seats, and everybody is told what concerns it.
//! It knows what its members know: where each one is, and what it heard.

use sentir::prelude::*;
use sentir_squad::alarm::{Alarms, Cry, SeatClaim};

use super::briefing::{Briefing, News};
use super::leaf::CRY;
use super::mind::{HordeMind, Notice};

/// The list of a run.
#[derive(Debug, Default)]
struct Claims(Vec<SeatClaim>);

impl HordeMind {
    /// One run: cries, claims, briefings.
    pub(super) fn brief(&self, view: &SquadView, alarms: &mut Alarms, roster: &mut Roster<'_, '_, Self>) {
        let mut list = roster.take_scratch::<Claims>();
        list.0.clear();
        for place in 0..roster.members().len() {
            let Some(member) = roster.member(place) else { continue };
            let position = member.beliefs.me.pose.position;
            if member.brain.memory.claims {
                list.0.push(SeatClaim { agent: member.agent, position });
            }
            for heard in &member.beliefs.noises {
                let cry = Cry { from: heard.position, place: heard.position, reach_m: self.rules.player.decoy_reach_m };
                alarms.cry(&self.on_ground(cry), &self.alarm, heard.at);
            }
            for message in member.beliefs.messages.iter().filter(|message| message.say.word == CRY) {
                let Some(place) = message.say.place else { continue };
                let crier = roster.place_of(message.from).and_then(|place| roster.member(place));
                let from = crier.map_or(place, |it| it.beliefs.me.pose.position);
                // Several hear one cry: the last news count once.
                let is_known = alarms.alarms().iter().any(|alarm| alarm.at >= message.at && alarm.place == place);
                if !is_known {
                    alarms.cry(&Cry { from, place, reach_m: self.reach_m }, &self.alarm, message.at);
                }
            }
        }
        alarms.settle(&list.0, &self.alarm, view.tick);
        roster.put_scratch(list);
        self.tell(alarms, roster);
    }

    /// Tells everybody whose briefing is not what it was.
    fn tell(&self, alarms: &Alarms, roster: &mut Roster<'_, '_, Self>) {
        for place in 0..roster.members().len() {
            let Some(member) = roster.member(place) else { continue };
            let before = member.brain.memory.briefing;
            if alarms.alarms().is_empty() && before == Briefing::default() {
                continue;
            }
            let position = member.beliefs.me.pose.position;
            let alarm = alarms.alarm_at(position).filter(|_| member.brain.hears_alarms);
            let now = Briefing {
                alarm: alarm.map(News::of),
                seat: alarms.seat_of(member.agent, &self.alarm),
                has_free: alarm.is_some_and(|alarm| alarms.has_free_seat(alarm, &self.alarm)),
            };
            if now != before {
                roster.notify(place, Notice::Briefing(now));
            }
        }
    }

    /// The same with its place where one can stand.
    fn on_ground(&self, cry: Cry) -> Cry {
        Cry { place: self.ground.stand(cry.place), ..cry }
    }
}
