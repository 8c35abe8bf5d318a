//! A cone of vision as it is drawn: as far as one sees in it, walls cut it off. By level rays, a few degrees apart; the cost is
//! that of a ray each, so that a picture of a hundred watchers is a matter of milliseconds.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;

/// How far apart two rays are at the most, rad.
const STEP_RAD: f32 = 0.07;
/// Rays of a cone at the most.
const RAYS_MAX: u16 = 90;
/// How high over the foot a cone lies, m.
const LIFT_M: f32 = 0.03;

/// What an eye looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cone {
    /// Where the eye is, m.
    pub(crate) eye: Vec3,
    /// The height that it is drawn at, m.
    pub(crate) foot_m: f32,
    /// Where it looks, rad.
    pub(crate) yaw: f32,
    /// Half its angle, rad.
    pub(crate) half_rad: f32,
    /// How far it reaches, m.
    pub(crate) range_m: f32,
}

impl Cone {
    /// That of a body that looks ahead.
    pub(crate) fn of(body: &Body, half_rad: f32, range_m: f32) -> Cone {
        let Pose { position, yaw } = body.pose;
        Cone { eye: body.eye(), foot_m: position.y, yaw, half_rad, range_m }
    }

    /// The ends of its rays, from its right to its left, m over ground.
    fn ends(&self, view: &LevelView<'_>) -> impl Iterator<Item = Vec2> {
        let half_rad = math::clamp(self.half_rad, 0.0, math::PI);
        let count = ((half_rad * 2.0 / STEP_RAD).ceil() as u16).clamp(2, RAYS_MAX);
        (0..=count).map(move |number| {
            let share = f32::from(number) / f32::from(count) * 2.0 - 1.0;
            let heading = plane::heading(self.yaw + share * half_rad);
            let ray = Ray { origin: self.eye, direction: plane::lift(heading, 0.0), length_m: self.range_m };
            let reach_m = view.sight_ray(&ray).map_or(self.range_m, |hit| hit.distance_m);
            plane::ground(self.eye) + heading * reach_m
        })
    }

    /// Adds it to a picture; `shift` moves it there.
    pub(crate) fn draw(&self, view: &LevelView<'_>, color: Color, shift: Vec3, list: &mut DrawList) {
        let lifted = |place: Vec2| plane::lift(place, self.foot_m + LIFT_M) + shift;
        let center = lifted(plane::ground(self.eye));
        let mut last = None;
        for end in self.ends(view).map(lifted) {
            if let Some(last) = last.replace(end) {
                list.polygon(Layer::SENSES, color, [center, last, end]);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sentir_level::{Level, LevelState};

    fn yard() -> Level {
        let scene = crate::CATALOG.find("patrol").unwrap();
        let setup = scene.setup(1, sentir_harness::info::Changes::default()).unwrap();
        sentir_harness::info::level_asset(&setup, scene.assets[0].0).unwrap()
    }

    proptest! {
        #[test]
        fn every_end_is_in_sight_and_no_nearer_than_it_must_be(x in -9.0f32..9.0, y in -9.0f32..9.0, yaw in -3.2f32..3.2) {
            let level = yard();
            let state = LevelState::new(&level);
            let view = LevelView { level: &level, state: &state };
            let eye = plane::lift(Vec2::new(x, y), 1.6);
            let cone = Cone { eye, foot_m: 0.0, yaw, half_rad: 0.8, range_m: 6.0 };
            for end in cone.ends(&view) {
                let way = end - plane::ground(eye);
                let reach_m = way.length();
                prop_assert!(reach_m <= 6.001);
                // The slow twin: small steps until one does not see the place any more.
                let heading = plane::lift(way.normalize_or_zero(), 0.0);
                let is_seen = |along_m: f32| view.sees(eye, eye + heading * along_m);
                prop_assert!(reach_m < 0.05 || is_seen(reach_m - 0.02));
                prop_assert!(reach_m > 5.99 || !is_seen(reach_m + 0.02));
            }
        }
    }

    #[test]
    fn a_cone_is_as_many_triangles_as_its_angle_needs() {
        let level = yard();
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        let drawn = |half_rad: f32| {
            let (mut list, body) = (DrawList::default(), Body::default());
            Cone::of(&body, half_rad, 3.0).draw(&view, Color::rgb(0), Vec3::ZERO, &mut list);
            list.items().len()
        };
        assert_eq!([drawn(0.0), drawn(0.35), drawn(99.0)], [2, 10, usize::from(RAYS_MAX)]);
    }
}
