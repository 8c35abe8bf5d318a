//! All senses of an agent in one call, in the order that they need.

use sentir_core::belief::{Beliefs, Felt};
use sentir_core::event::EventKind;
use sentir_core::glam::Vec3;
use sentir_core::why::Reason;
use sentir_sense::sight::{self, Look, RAYS, Sighting};
use sentir_sense::{SenseConfig, Senses, Subject, Surroundings, hearing, memory, smell, talk};

use crate::host::Presence;
use crate::mind::{Notes, SenseView};
use crate::why::{Stage, Why};

fn subject(it: &Presence) -> Subject<'_> {
    Subject { who: it.agent, team: it.team, body: &it.body }
}

impl SenseView<'_> {
    /// Lets an agent hear, feel, smell, listen to its team, look and remember: everything of
    /// [`sentir_sense`], for [`Mind::sense`](crate::Mind::sense) to call once.
    ///
    /// Tells [`EventKind::Noticed`] and [`EventKind::Lost`], and wakes the brain for these, for what is heard, felt or
    /// said, for who vanished and for things that are not as believed. Rays of sight come out of the agent's quota, one a
    /// unit; a noise costs one ray beside it, at most [`hearing::NOISES_MAX`] are kept.
    pub fn perceive(
        &self,
        config: &SenseConfig,
        around: &dyn Surroundings,
        senses: &mut Senses,
        beliefs: &mut Beliefs,
        notes: &mut Notes<'_>,
    ) {
        self.hear(config, around, beliefs, notes);
        self.feel(beliefs, notes);
        self.listen(config, senses, beliefs, notes);
        if let Some(scents) = around.scents().filter(|_| config.smell.range_m > 0.0) {
            let nose = self.me.body.pose.position;
            let smells = &mut beliefs.smells;
            smell::sniff(&config.smell, self.me.agent, nose, self.tick, self.rate, scents, smells);
        }
        self.look(config, around, senses, beliefs, notes);
        memory::age(config, self.tick, self.rate, beliefs);
    }

    /// Looks around; see [`sight::look`].
    pub fn look(
        &self,
        config: &SenseConfig,
        around: &dyn Surroundings,
        senses: &mut Senses,
        beliefs: &mut Beliefs,
        notes: &mut Notes<'_>,
    ) {
        let me = subject(self.me);
        let now = Look { me, now: self.tick, rate: self.rate, geometry: self.world.geometry, around };
        // Taken out for the time being, so that notes can be made meanwhile.
        let mut budget = notes.budget;
        let place = self.me.body.pose.position;
        let range_m = config.sight.range_m;
        let tell = |event: Sighting| match event {
            Sighting::Noticed { who, distance_m, .. } => {
                notes.event(EventKind::Noticed { other: who });
                notes.because(|| Reason { what: "somebody in view", held: true, value: distance_m, limit: range_m });
                notes.wake();
            }
            Sighting::Lost { who } => {
                notes.event(EventKind::Lost { other: who });
                notes.wake();
            }
            Sighting::Vanished { .. } | Sighting::Changed { .. } => notes.wake(),
            Sighting::Unserved { count } => {
                let (tick, agent) = (notes.tick, notes.agent);
                let why = || Why::OutOfBudget { stage: Stage::Sense, wanted: count * RAYS, left: 0 };
                notes.whys.because(tick, agent, why);
            }
        };
        sight::look(
            config,
            &now,
            |radius_m, visit| self.world.visit_near(place, radius_m, |it| visit(subject(it))),
            senses,
            beliefs,
            &mut budget,
            tell,
        );
        notes.budget = budget;
    }

    /// Noises since the last look that reach the ears.
    fn hear(&self, config: &SenseConfig, around: &dyn Surroundings, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        let (ear, geometry) = (self.me.body.eye(), self.world.geometry);
        for noise in self.noises() {
            let (at, range_m) = (noise.position, noise.range_m);
            if let Some(loudness) = hearing::loudness(&config.hearing, ear, at, range_m, geometry, around) {
                hearing::add(&mut beliefs.noises, at, loudness, noise.at);
                notes.wake();
            }
        }
    }

    /// Hurts since the last look, with the direction they came from.
    fn feel(&self, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        for hurt in self.hurts() {
            let way = hurt.from - self.me.body.pose.position;
            let length = way.length();
            let from = if length > 0.0 && length.is_finite() { way / length } else { Vec3::ZERO };
            beliefs.hurts.push(Felt { amount: hurt.amount, from, at: hurt.at });
            notes.wake();
        }
    }

    /// What the own team said since the last look, within range, after its delay.
    fn listen(&self, config: &SenseConfig, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        for message in self.messages() {
            // A radio needs no place; who is gone is as far away as can be.
            let distance_m = if config.talk.range_m == f32::INFINITY {
                0.0
            } else {
                let place = self.world.presence(message.from).map(|it| it.body.pose.position);
                place.map_or(f32::INFINITY, |place| place.distance(self.me.body.pose.position))
            };
            if talk::is_heard(&config.talk, distance_m) {
                talk::receive(senses, *message);
            }
        }
        if talk::deliver(&config.talk, self.me.agent, self.tick, self.rate, senses, beliefs) {
            notes.wake();
        }
    }
}
