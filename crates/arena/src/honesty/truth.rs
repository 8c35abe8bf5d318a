//! A world as the honesty test sees it: the truth beside what everybody decides.

use sentir::core::belief::Message;
use sentir::core::state;
use sentir::prelude::*;
use sentir_level::state::PieceState;
use sentir_level::{Level, LevelState, LevelView};

/// What the test needs to know of a match between two ticks.
pub trait Truth {
    /// Everybody, in slot order.
    fn visit(&self, visit: &mut dyn FnMut(&Presence));
    /// Somebody.
    fn presence(&self, key: HostKey) -> Option<&Presence>;
    /// What somebody believes, wants and does, as one number each.
    fn decision(&self, key: HostKey) -> Option<[u64; 3]>;
    /// Noises that may not have been heard yet.
    fn noises(&self) -> &[Noise];
    /// Hurts that may not have been felt yet.
    fn hurts(&self) -> &[Hurt];
    /// Messages that may not have been heard yet.
    fn messages(&self) -> &[(TeamId, Message)];
    /// The pieces of the level.
    fn pieces(&self) -> &[PieceState];
    /// Shows the state of every item, and where it lies.
    fn visit_items(&self, visit: &mut dyn FnMut(Vec3, u64));
    /// Whether nothing that ends a look is between two points.
    fn is_clear(&self, from: Vec3, to: Vec3) -> bool;
    /// A place to stand at or near a point, feet on the ground; none if there is none.
    fn footing(&self, near: Vec3) -> Option<Vec3>;
}

/// The truth of a loop on a level.
pub struct Side<'a, M: Mind> {
    /// The brains.
    pub brains: &'a Loop<M>,
    /// The level.
    pub level: &'a Level,
    /// How it stands.
    pub state: &'a LevelState,
    /// Items: where and in which state.
    pub items: Vec<(Vec3, u64)>,
}

impl<M: Mind> Truth for Side<'_, M> {
    fn visit(&self, visit: &mut dyn FnMut(&Presence)) {
        self.brains.motions().for_each(|(presence, _)| visit(presence));
    }

    fn presence(&self, key: HostKey) -> Option<&Presence> {
        self.brains.presence(self.brains.agent_of(key)?)
    }

    fn decision(&self, key: HostKey) -> Option<[u64; 3]> {
        let agent = self.brains.agent_of(key)?;
        let (beliefs, intents) = (self.brains.beliefs(agent)?, self.brains.intents(agent)?);
        Some([state::hash(beliefs), state::hash(intents), state::hash(self.brains.motion(agent)?)])
    }

    fn noises(&self) -> &[Noise] {
        self.brains.noises()
    }

    fn hurts(&self) -> &[Hurt] {
        self.brains.hurts()
    }

    fn messages(&self) -> &[(TeamId, Message)] {
        self.brains.messages()
    }

    fn pieces(&self) -> &[PieceState] {
        self.state.pieces()
    }

    fn visit_items(&self, visit: &mut dyn FnMut(Vec3, u64)) {
        self.items.iter().for_each(|&(place, state)| visit(place, state));
    }

    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        LevelView { level: self.level, state: self.state }.sees(from, to)
    }

    fn footing(&self, near: Vec3) -> Option<Vec3> {
        let view = LevelView { level: self.level, state: self.state };
        let ground = view.ground_below(near + Vec3::Y * 1.5, 4.0)?;
        let feet = ground.position + Vec3::Y * 0.02;
        let is_flat = ground.normal.y > 0.9 && ground.piece.is_none();
        let is_free = !view.capsule_overlap(feet + Vec3::Y * 0.5, feet + Vec3::Y * 1.5, 0.4);
        let others = self.brains.motions().all(|(it, _)| it.body.pose.position.distance(feet) > 1.0);
        (is_flat && is_free && others).then_some(feet)
    }
}
