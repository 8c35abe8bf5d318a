//! The minds of `range`: a marksman who sees a target, aims at its middle, fires, and reloads when nothing comes out.

use sentir::core::{math, plane};
use sentir::prelude::*;

/// Kind of a marksman.
pub(super) const MARKSMAN: u16 = 0;
/// The marksmen's team; everybody else is a target.
pub(super) const MARKSMEN: TeamId = TeamId(0);

/// The one mind of both kinds; targets do nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RangeMind {
    /// Height of a target's middle over its feet, m.
    pub(super) middle_m: f32,
    /// How far to the side one looks for the own lane's target, m.
    pub(super) lane_m: f32,
}

/// What a marksman remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Marksman {
    /// Until when it does not pull the trigger, because it reloads.
    busy_until: Tick,
    /// Whether the weapon fires once a pull, so that the finger must let go in between.
    is_single: bool,
}

impl Marksman {
    /// One whose weapon fires once a pull, or not.
    pub(super) fn new(is_single: bool) -> Marksman {
        Marksman { is_single, ..Marksman::default() }
    }
}

impl Mind for RangeMind {
    type Senses = ();
    type Brain = Marksman;
    type Motor = ();
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, _: &mut (), beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        if view.me.kind != MARKSMAN {
            return;
        }
        let eye = view.me.body.eye();
        for it in view.world.presences().filter(|it| it.team != MARKSMEN) {
            let aside = (it.body.pose.position.x - eye.x).abs();
            let middle = it.body.pose.position + Vec3::Y * self.middle_m;
            let is_visible = aside < self.lane_m && notes.spend(1) && view.world.geometry.is_clear(eye, middle);
            if is_visible {
                beliefs.update(Other { position: middle, ..Other::seen(it.agent, it.team, &it.body, view.tick) });
            }
        }
    }

    fn think(&self, view: &ThinkView<'_>, marksman: &mut Marksman, intents: &mut Intents, notes: &mut Notes<'_>) {
        intents.actions = Actions::default();
        let Some(target) = view.beliefs.others().iter().find(|other| other.is_visible) else { return };
        intents.gaze = Gaze::At(target.position);
        let is_dry = view.beliefs.outcomes().contains(&Outcome::Refused { action: Actions::FIRE });
        notes.because(|| Reason {
            what: "nothing came out",
            held: is_dry,
            value: f32::from(u8::from(is_dry)),
            limit: 1.0,
        });
        if is_dry {
            marksman.busy_until = view.tick + view.rate.ticks(0.5);
        }
        let lets_go = marksman.is_single && view.tick.0.is_multiple_of(2);
        if view.tick < marksman.busy_until {
            intents.actions = Actions::RELOAD;
        } else if !lets_go {
            intents.actions = Actions::FIRE;
        }
    }

    fn act(&self, view: &ActView<'_>, _: &mut (), motion: &mut Motion, _: &mut Outcomes<'_>, _: &mut Notes<'_>) {
        motion.velocity = Vec3::ZERO;
        motion.actions = view.actions();
        if let Gaze::At(point) = view.gaze() {
            let way = point - view.me.body.eye();
            motion.yaw = plane::yaw(plane::ground(way));
            motion.pitch = math::atan2(way.y, plane::ground(way).length());
        }
    }
}
