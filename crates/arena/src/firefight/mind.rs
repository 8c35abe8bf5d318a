//! The minds of the firefight: soldiers by the library, players by a few plain rules of their own, or by a person.

use sentir::prelude::*;
use sentir::soldier::{Legs, Ranks, SoldierMind};
use sentir::squad::soldier::{Doing, Gear, SoldierMemory};

use super::player::{self, Player, PlayerMemory};
use crate::edit::tell_breakpoint;

/// Kinds of agents: soldiers on either side, and the players of [`Player::ALL`] from [`PLAYERS`] on.
pub(super) const SOLDIER: u16 = 0;
pub(super) const PLAYERS: u16 = 1;

/// All minds.
#[derive(Clone)]
pub(super) struct FirefightMind {
    pub(super) soldiers: SoldierMind,
    /// Where players go, m.
    pub(super) spots: Vec<Vec3>,
}

/// What somebody remembers: as a soldier, or as a player.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Head {
    pub(super) is_soldier: bool,
    /// Whether it is the base game's, whom the game tells where the player is.
    pub(super) is_base: bool,
    pub(super) soldier: SoldierMemory,
    pub(super) player: PlayerMemory,
}

impl Head {
    /// What the hands feel.
    pub(super) fn gear_mut(&mut self) -> &mut Gear {
        if self.is_soldier { &mut self.soldier.gear } else { &mut self.player.gear }
    }

    pub(super) fn doing(&self) -> Option<Doing> {
        self.is_soldier.then_some(self.soldier.hand.doing)
    }
}

/// Which player a kind of agent is.
pub(super) fn player_of(kind: u16) -> Option<Player> {
    kind.checked_sub(PLAYERS).and_then(|number| Player::ALL.get(usize::from(number))).copied()
}

impl Mind for FirefightMind {
    type Senses = Senses;
    type Brain = Head;
    type Motor = Legs;
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        self.soldiers.sense_as_soldier(view, senses, beliefs, notes);
    }

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        match player_of(view.kind) {
            _ if head.is_soldier => {
                if let Some(node) = self.soldiers.think_as_soldier(view, &mut head.soldier, intents, notes) {
                    tell_breakpoint(&self.soldiers.soldier.outline(), node, notes);
                }
            }
            Some(player) => player::think(self, player, view, &mut head.player, intents, notes),
            None => {}
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Legs,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        self.soldiers.act_as_soldier(view, legs, motion, out, notes);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        self.soldiers.decision_name(decision)
    }
}

impl Ranks for FirefightMind {
    fn soldier(head: &Head) -> Option<&SoldierMemory> {
        head.is_soldier.then_some(&head.soldier)
    }

    fn soldier_mut(head: &mut Head) -> Option<&mut SoldierMemory> {
        head.is_soldier.then_some(&mut head.soldier)
    }

    fn legs(motor: &mut Legs) -> &mut Legs {
        motor
    }
}
