//! The minds of the firefight: soldiers by the library, players by a few plain rules of their own, or by a person.

use sentir::act::follow::Follower;
use sentir::nav::request::Method;
use sentir::prelude::*;
use sentir::soldier::{Ranks, SoldierMind, SoldierMotor};
use sentir::squad::coordinator::Coordinator;
use sentir::squad::soldier::{Gear, SoldierBehavior, SoldierMemory, SoldierNotice};
use sentir::think::board::Blackboard;
use sentir::walk::Walks;

use super::player::{self, Player, PlayerMemory};
use sentir_harness::edit::emit_breakpoint;

/// Who thinks for somebody, on either side: the soldier of the library, or a player of some kind. Which team it is of is
/// another matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MindKind {
    Soldier,
    Player(Player),
}

impl MindKind {
    /// As the kind of an agent.
    pub(super) const fn number(self) -> u16 {
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
    /// Whether the soldier of the library thinks for it; a player may have that mind, too.
    pub(super) has_soldier_mind: bool,
    /// Whether it is the base game's, whom the game tells where the player is.
    pub(super) is_base: bool,
    pub(super) soldier: SoldierMemory,
    pub(super) player: PlayerMemory,
}

/// What somebody can be told from outside of its senses.
#[derive(Clone, Copy, Debug, PartialEq, State)]
#[allow(
    clippy::large_enum_variant,
    reason = "a box would be allocated for each briefing; inboxes are short and used again"
)]
pub(super) enum Notice {
    /// As a soldier; a player feels its gun, too.
    Soldier(SoldierNotice),
    /// By the game, to the base game's mind alone: where its foe is, m, and when. The one declared cheater.
    Foe(Vec3, Tick),
}

impl From<SoldierNotice> for Notice {
    fn from(notice: SoldierNotice) -> Notice {
        Notice::Soldier(notice)
    }
}

impl Head {
    /// What the hands feel.
    pub(super) fn gear(&self) -> &Gear {
        if self.has_soldier_mind { &self.soldier.gear } else { &self.player.gear }
    }

    fn receive(&mut self, notice: Notice) {
        match notice {
            Notice::Soldier(SoldierNotice::Gear(gear)) if !self.has_soldier_mind => self.player.gear = gear,
            Notice::Soldier(notice) => self.soldier.receive(notice),
            Notice::Foe(place, at) => self.player.foe = Some((place, at)),
        }
    }

    pub(super) fn behavior(&self) -> Option<SoldierBehavior> {
        self.has_soldier_mind.then_some(self.soldier.status.behavior)
    }
}

impl Mind for FirefightMind {
    type Senses = Senses;
    type Brain = Head;
    type Motor = SoldierMotor;
    type Squad = Coordinator;
    type Notice = Notice;

    fn receive(&self, _view: &ThinkView<'_>, notice: Notice, head: &mut Head) {
        head.receive(notice);
    }

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        self.soldiers.sense_as_soldier(view, senses, beliefs, notes);
    }

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        match MindKind::of(view.kind) {
            _ if head.has_soldier_mind => {
                if let Some(node) = self.soldiers.think_as_soldier(view, &mut head.soldier, intents, notes) {
                    emit_breakpoint(&self.soldiers.soldier.outline(), node, notes);
                }
            }
            Some(MindKind::Player(player)) => player::think(self, player, view, &mut head.player, intents, notes),
            Some(MindKind::Soldier) | None => {}
        }
    }

    fn coordinate(&self, view: &SquadView, squad: &mut Coordinator, roster: &mut Roster<'_, '_, Self>) {
        self.soldiers.coordinate_squad(view, squad, roster);
    }

    fn adopt(&self, old: &Self, view: &ThinkView<'_>, intents: &Intents, head: &mut Head) {
        if head.has_soldier_mind {
            self.soldiers.adopt_soldier(&old.soldiers, view, intents, &mut head.soldier);
        }
    }

    fn adopt_board(&self, old: &Self, board: &mut Blackboard) {
        self.soldiers.adopt_board(&old.soldiers, board);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut SoldierMotor,
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
}

impl Walks for FirefightMind {
    fn follower(legs: &mut SoldierMotor) -> Option<&mut Follower> {
        Some(&mut legs.follower)
    }

    fn method(legs: &SoldierMotor) -> Method {
        legs.method()
    }
}
