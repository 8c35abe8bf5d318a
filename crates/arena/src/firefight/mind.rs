//! The minds of the firefight: soldiers by the library, players by a few plain rules of their own, or by a person.

use sentir::prelude::*;
use sentir::soldier::{Legs, Ranks, SoldierMind};
use sentir::squad::soldier::{Doing, Gear, SoldierMemory};

use super::player::{self, Player, PlayerMemory};
use crate::edit::tell_breakpoint;

/// Who thinks for somebody, on either side: the soldier of the library, or a player of some kind. Which team he is of is
/// another matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MindKind {
    Soldier,
    Player(Player),
}

impl MindKind {
    /// As the kind of an agent.
    pub(super) fn number(self) -> u16 {
        match self {
            MindKind::Soldier => 0,
            MindKind::Player(player) => 1 + player as u16,
        }
    }

    /// Of the kind of an agent; none if it is no kind of this scene.
    pub(super) fn of(kind: u16) -> Option<MindKind> {
        match kind.checked_sub(1) {
            None => Some(MindKind::Soldier),
            Some(number) => Player::ALL.get(usize::from(number)).copied().map(MindKind::Player),
        }
    }
}

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
    /// Whether the soldier of the library thinks for it; he may for the player, too.
    pub(super) has_soldier_mind: bool,
    /// Whether it is the base game's, whom the game tells where the player is.
    pub(super) is_base: bool,
    pub(super) soldier: SoldierMemory,
    pub(super) player: PlayerMemory,
}

impl Head {
    /// What the hands feel.
    pub(super) fn gear_mut(&mut self) -> &mut Gear {
        if self.has_soldier_mind { &mut self.soldier.gear } else { &mut self.player.gear }
    }

    pub(super) fn doing(&self) -> Option<Doing> {
        self.has_soldier_mind.then_some(self.soldier.hand.doing)
    }
}

impl Mind for FirefightMind {
    type Senses = Senses;
    type Brain = Head;
    type Motor = Legs;
    type Squad = ();

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        self.soldiers.sense_as_soldier(view, senses, beliefs, notes);
    }

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        match MindKind::of(view.kind) {
            _ if head.has_soldier_mind => {
                if let Some(node) = self.soldiers.think_as_soldier(view, &mut head.soldier, intents, notes) {
                    tell_breakpoint(&self.soldiers.soldier.outline(), node, notes);
                }
            }
            Some(MindKind::Player(player)) => player::think(self, player, view, &mut head.player, intents, notes),
            Some(MindKind::Soldier) | None => {}
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
        head.has_soldier_mind.then_some(&head.soldier)
    }

    fn soldier_mut(head: &mut Head) -> Option<&mut SoldierMemory> {
        head.has_soldier_mind.then_some(&mut head.soldier)
    }

    fn legs(motor: &mut Legs) -> &mut Legs {
        motor
    }
}
