//! A world as the honesty test sees it: the truth beside what everybody decides.

use sentir::core::belief::Message;
use sentir::core::{plane, state};
use sentir::prelude::*;
use sentir::sense::smell::Trace;
use sentir_level::state::PieceState;
use sentir_level::{Aabb, LevelView};
use sentir_nav::grid::{Cell, UnitGrid};
use sentir_space::visibility::Obstacles;

/// What the test needs to know of a match between two ticks.
pub trait Truth {
    /// Everybody, in slot order.
    fn visit(&self, visit: &mut dyn FnMut(&Presence));
    /// Somebody.
    fn presence(&self, key: HostKey) -> Option<&Presence>;
    /// What somebody believes, wants, does and was told, as one number each.
    fn decision(&self, key: HostKey) -> Option<Decision>;
    /// Noises that may not have been heard yet.
    fn noises(&self) -> &[Noise];
    /// Hurts that may not have been felt yet.
    fn hurts(&self) -> &[Hurt];
    /// Messages that may not have been heard yet.
    fn messages(&self) -> &[(TeamId, Message)];
    /// Traces that can be smelled.
    fn traces(&self) -> &[Trace];
    /// The pieces of the level.
    fn pieces(&self) -> &[PieceState];
    /// Shows the state of every item, and where it lies.
    fn visit_items(&self, visit: &mut dyn FnMut(Vec3, u64));
    /// Whether nothing that ends a look is between two points.
    fn is_clear(&self, from: Vec3, to: Vec3) -> bool;
    /// The box that everything is in.
    fn bounds(&self) -> Aabb;
    /// The pieces that are doors.
    fn doors(&self) -> Vec<u16>;
    /// A place to stand at or near a point, feet on the ground; none if there is none.
    fn footing(&self, near: Vec3) -> Option<Vec3>;
}

/// What became of somebody's senses and notices, as one number each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What it believes.
    pub believed: u64,
    /// What it wants.
    pub wanted: u64,
    /// What its body is to do.
    pub moved: u64,
    /// What it was told since the last step, by notices and by its squad's board: it hears that on the next one.
    pub told: u64,
    /// What its brain made of what it was told before: nothing but beliefs, notices and its squad's board comes into a
    /// brain.
    pub thought: u64,
}

impl Decision {
    /// What is not the same, in a word. Who believes the same and thinks of something else was told.
    pub fn difference(&self, other: &Decision) -> Option<&'static str> {
        let parts = [
            (self.believed == other.believed && (self.told, self.thought) != (other.told, other.thought), "told"),
            // What it wants tells more than what it believes, and that more than what it does.
            (self.wanted != other.wanted, "intents"),
            (self.believed != other.believed, "beliefs"),
            (self.moved != other.moved, "motion"),
        ];
        parts.into_iter().find(|(differs, _)| *differs).map(|(_, name)| name)
    }

    /// Whether nothing differs but what is yet to be heard.
    pub fn is_pending(&self, other: &Decision) -> bool {
        Decision { told: 0, ..*self } == Decision { told: 0, ..*other }
    }
}

/// A town on tiles, where the level has no walls of its own: what one walks on, and what ends a look.
#[derive(Clone, Copy)]
pub struct TilePlan<'a> {
    /// What one walks on; cells of 1 m.
    pub ground: &'a UnitGrid,
    /// Where cell (0, 0) begins, m.
    pub origin: Vec2,
    /// What ends a look; nothing if there is none.
    pub obstacles: Option<&'a Obstacles>,
}

impl TilePlan<'_> {
    fn footing(&self, near: Vec3) -> Option<Vec3> {
        let place = plane::ground(near) - self.origin;
        let is_in = place.min_element() >= 0.0;
        let cell = Cell::new(place.x as u16, place.y as u16);
        let center = self.origin + Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5);
        (is_in && self.ground.is_free(cell)).then(|| plane::lift(center, 0.0))
    }

    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let (from, to) = (plane::ground(from), plane::ground(to));
        self.obstacles.is_none_or(|obstacles| obstacles.ray(from, to - from, 1.0).is_none())
    }

    fn bounds(&self) -> Aabb {
        let size = Vec2::new(self.ground.width() as f32, self.ground.height() as f32);
        Aabb::around([plane::lift(self.origin, 0.0), plane::lift(self.origin + size, 0.0)])
    }
}

/// The truth of a loop on a level.
pub struct Side<'a, M: Mind> {
    /// The brains.
    pub brains: &'a Loop<M>,
    /// The level as it stands.
    pub level: LevelView<'a>,
    /// Items: where and in which state.
    pub items: Vec<(Vec3, u64)>,
    /// What somebody knows beside its beliefs, as one number.
    pub knowledge: Box<dyn Fn(HostKey) -> u64 + 'a>,
    /// Traces that can be smelled.
    pub traces: &'a [Trace],
    /// Where the level is one of tiles.
    pub plan: Option<TilePlan<'a>>,
}

impl<M: Mind> Truth for Side<'_, M> {
    fn visit(&self, visit: &mut dyn FnMut(&Presence)) {
        self.brains.motions().for_each(|(presence, _)| visit(presence));
    }

    fn presence(&self, key: HostKey) -> Option<&Presence> {
        self.brains.presence(self.brains.agent_of(key)?)
    }

    fn decision(&self, key: HostKey) -> Option<Decision> {
        let agent = self.brains.agent_of(key)?;
        let (beliefs, intents) = (self.brains.beliefs(agent)?, self.brains.intents(agent)?);
        let notices: Vec<Vec<u8>> = self.brains.inbox(agent).iter().map(state::to_bytes).collect();
        Some(Decision {
            believed: state::hash(&(state::hash(beliefs), (self.knowledge)(key))),
            wanted: state::hash(intents),
            moved: state::hash(self.brains.motion(agent)?),
            told: state::hash(&(state::hash(&notices), state::hash(self.brains.board(agent)?))),
            thought: state::hash(self.brains.brain(agent)?),
        })
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

    fn traces(&self) -> &[Trace] {
        self.traces
    }

    fn pieces(&self) -> &[PieceState] {
        self.level.state.pieces()
    }

    fn visit_items(&self, visit: &mut dyn FnMut(Vec3, u64)) {
        self.items.iter().for_each(|&(place, state)| visit(place, state));
    }

    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.plan.map_or_else(|| self.level.sees(from, to), |plan| plan.is_clear(from, to))
    }

    fn bounds(&self) -> Aabb {
        self.plan.map_or_else(|| self.level.level.bounds(), |plan| plan.bounds())
    }

    fn doors(&self) -> Vec<u16> {
        let pieces = (0..).zip(self.level.level.pieces());
        pieces.filter(|(_, piece)| piece.door.is_some()).map(|(number, _)| number).collect()
    }

    fn footing(&self, near: Vec3) -> Option<Vec3> {
        if let Some(plan) = self.plan {
            return plan.footing(near);
        }
        let ground = self.level.ground_below(near + Vec3::Y * 1.5, 4.0)?;
        let feet = ground.position + Vec3::Y * 0.02;
        let is_flat = ground.normal.y > 0.9 && ground.piece.is_none();
        let is_free = !self.level.capsule_overlap(feet + Vec3::Y * 0.5, feet + Vec3::Y * 1.5, 0.4);
        let others = self.brains.motions().all(|(it, _)| it.body.pose.position.distance(feet) > 1.0);
        (is_flat && is_free && others).then_some(feet)
    }
}
