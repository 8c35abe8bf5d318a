//! `run --events`: what happened in a match, as CSV: a line an event, in the order of the match.

use sentir::prelude::{HostKey, Presence};
use sentir_harness::game_match::Match;
use sentir_harness::info::SceneInfo;

/// The lines so far.
pub(crate) struct Diary {
    text: String,
    /// Every agent that was ever there: of one that dies, the last events come when it is gone.
    known: Vec<Presence>,
    present: Vec<Presence>,
}

impl Diary {
    pub(crate) fn new() -> Diary {
        let text = "seconds,tick,key,team,what\n".to_owned();
        Diary { text, known: Vec::new(), present: Vec::new() }
    }

    /// Notes what happened in the last tick.
    pub(crate) fn note(&mut self, game: &dyn Match, scene: &SceneInfo) {
        game.agents(&mut self.present);
        for it in &self.present {
            match self.known.iter_mut().find(|known| known.agent == it.agent) {
                Some(known) => *known = *it,
                None => self.known.push(*it),
            }
        }
        let name = |decision| game.inspector().map_or("", |it| it.decision_name(decision));
        for event in game.events() {
            let who = self.known.iter().find(|it| Some(it.agent) == event.agent);
            let [key, team] = who.map_or([String::new(), String::new()], |it| {
                let HostKey(key) = it.key;
                [key.to_string(), it.team.0.to_string()]
            });
            let seconds = scene.rate.seconds(event.tick.0);
            let what = event.kind.words(name);
            self.text.push_str(&format!("{seconds:.3},{},{key},{team},{what}\n", event.tick.0));
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }
}
