//! What the figure of an agent does, for whoever draws it: derived from body, events and the scene, and never part of the state.

use sentir::core::{math, plane};
use sentir::prelude::{Body, EventKind, GameEvent, Tick, TickRate};
use sentir_sim::armory::{Armory, WeaponKind};
use sentir_sim::kit::Kit;

use crate::info::names;

/// For how long a shot, a strike or a throw shows, s.
const FIRE_S: f32 = 0.12;
const STRIKE_S: f32 = 0.4;
/// For how long a hit shows, s.
const HIT_S: f32 = 0.25;

names! {
    /// What a figure is about beside walking.
    Activity {
        /// Nothing.
        None = "none",
        /// A shot.
        Fire = "fire",
        /// A reload.
        Reload = "reload",
        /// Being hit.
        Hit = "hit",
        /// A strike or a bite.
        Strike = "strike",
        /// Carrying something.
        Carry = "carry",
        /// Building or repairing.
        Build = "build",
        /// A howl or a shout.
        Howl = "howl",
        /// A throw.
        Throw = "throw",
    }
}

/// How the figure of an agent moves at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    /// Speed over ground along where the body points, m/s; backward is negative.
    pub speed_m_per_s: f32,
    /// Speed over ground to its right, m/s.
    pub side_m_per_s: f32,
    /// How far it leans to its right, −1..=1; 0 where bodies do not lean.
    pub lean: f32,
    /// What it is about.
    pub activity: Activity,
    /// How far that is, 0..=1; 0 where that is unknown.
    pub share: f32,
    /// How high it looks, rad.
    pub pitch_rad: f32,
}

impl Animation {
    /// That of a body that does nothing but move.
    pub fn of(body: &Body) -> Animation {
        let ahead = plane::heading(body.pose.yaw);
        let velocity = plane::ground(body.velocity);
        Animation {
            speed_m_per_s: velocity.dot(ahead),
            side_m_per_s: -velocity.dot(plane::left_of(ahead)),
            lean: 0.0,
            activity: Activity::None,
            share: 0.0,
            pitch_rad: body.pitch,
        }
    }

    /// The same about something.
    pub fn doing(self, activity: Activity, share: f32) -> Animation {
        Animation { activity, share, ..self }
    }
}

impl Activity {
    /// Whether a hit does not interrupt it: what is over in a moment.
    pub fn is_short(self) -> bool {
        matches!(self, Activity::Fire | Activity::Strike | Activity::Throw)
    }
}

/// What the hands are about, from the weapons that are carried: a shot, a strike or a throw of the last moments, else a reload.
/// `tick` is the one to be played next.
pub fn of_hands(kit: &Kit, armory: &Armory, tick: Tick, rate: TickRate) -> Option<(Activity, f32)> {
    let mut kit = *kit;
    let used = kit.places.iter().flatten().filter_map(|one| {
        let (activity, seconds) = match armory.spec(one.id)?.kind {
            WeaponKind::Gun(_) => (Activity::Fire, FIRE_S),
            WeaponKind::Blade(_) => (Activity::Strike, STRIKE_S),
            WeaponKind::Thrown(_) => (Activity::Throw, STRIKE_S),
        };
        // What was never used is ready from the first tick on.
        let has_fired = one.weapon.ready_at > Tick(0);
        Some((activity, passing(one.weapon.fired_at, tick, rate, seconds)?)).filter(|_| has_fired)
    });
    // Of several, the one that was used last.
    let last = used.min_by(|a, b| a.1.total_cmp(&b.1));
    last.or_else(|| {
        let (weapon, spec, _) = kit.held(armory)?;
        let WeaponKind::Gun(gun) = &spec.kind else { return None };
        let whole = rate.ticks(gun.reload_s).max(1) as f32;
        let left = weapon.reload_until?.since(tick) as f32;
        Some((Activity::Reload, math::saturate(1.0 - left / whole)))
    })
}

/// The share of a hit that is felt in a figure, from when it was; none if it is over.
pub fn of_hit(at: Tick, tick: Tick, rate: TickRate) -> Option<f32> {
    passing(at, tick, rate, HIT_S)
}

/// How far something is that began at a tick and takes so long; none if it is over.
fn passing(at: Tick, tick: Tick, rate: TickRate, seconds: f32) -> Option<f32> {
    let (gone, whole) = (tick.since(at), rate.ticks(seconds).max(1));
    (gone <= whole).then(|| math::saturate(gone.saturating_sub(1) as f32 / whole as f32))
}

/// What an event makes a figure do in its tick, where the scene knows no better.
pub fn activity_of(event: &GameEvent) -> Option<Activity> {
    match event.kind {
        EventKind::Fired { .. } => Some(Activity::Fire),
        EventKind::Reloaded => Some(Activity::Reload),
        EventKind::Hurt { .. } => Some(Activity::Hit),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir::prelude::{Pose, Vec3};
    use sentir_sim::armory;
    use sentir_sim::weapon::{Reload, reload, trigger};

    #[test]
    fn hands_shoot_for_a_moment_then_reload_until_it_is_done() {
        let (armory, rate) = (armory::stock(), TickRate::new(60));
        let rifle = armory.named("rifle").unwrap();
        let mut kit = Kit::full(&armory, &[rifle]);
        assert_eq!(of_hands(&kit, &armory, Tick(0), rate), None, "nothing was done yet");
        let (weapon, spec, _) = kit.held(&armory).unwrap();
        trigger(weapon, spec, true, Tick(10), rate).unwrap();
        assert_eq!(of_hands(&kit, &armory, Tick(11), rate), Some((Activity::Fire, 0.0)));
        let (activity, share) = of_hands(&kit, &armory, Tick(14), rate).unwrap();
        assert!(activity == Activity::Fire && share > 0.3, "{share}");
        assert_eq!(of_hands(&kit, &armory, Tick(40), rate), None);
        let (weapon, spec, _) = kit.held(&armory).unwrap();
        let Reload::Began { until } = reload(weapon, spec, Tick(50), rate) else { panic!("it is not full") };
        let shares = [51, 80, until.0 - 1].map(|tick| match of_hands(&kit, &armory, Tick(tick), rate) {
            Some((Activity::Reload, share)) => share,
            other => panic!("{other:?} at {tick}"),
        });
        assert!(shares.is_sorted() && shares[0] > 0.0 && shares[2] < 1.0, "{shares:?}");
        assert_eq!(of_hit(Tick(7), Tick(8), rate), Some(0.0));
        assert_eq!(of_hit(Tick(7), Tick(60), rate), None);
    }

    #[test]
    fn speed_is_along_the_face_and_to_the_right_of_it() {
        // Yaw 0 looks north (−z); east is to the right.
        let body = |yaw, velocity| Body { pose: Pose { yaw, ..Pose::default() }, velocity, ..Body::default() };
        let told = |yaw, velocity| {
            let it = Animation::of(&body(yaw, velocity));
            [it.speed_m_per_s, it.side_m_per_s].map(|speed| (speed * 100.0).round() / 100.0)
        };
        assert_eq!(told(0.0, Vec3::NEG_Z * 2.0), [2.0, 0.0]);
        assert_eq!(told(0.0, Vec3::X * 2.0), [0.0, 2.0]);
        assert_eq!(told(math::PI, Vec3::NEG_Z * 2.0), [-2.0, 0.0]);
        // A fall is no walk.
        assert_eq!(told(0.3, Vec3::NEG_Y * 9.0), [0.0, 0.0]);
    }
}
