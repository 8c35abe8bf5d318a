//! Line of sight to a body: three rays, to the head and to both shoulders, so that a peeking target is seen.

use glam::Vec3;
use sentir_core::body::Body;
use sentir_core::plane;

use crate::view::LevelView;

/// Height of the shoulders, as a share of the height of the eyes.
const SHOULDER_SHARE: f32 = 0.85;

/// What is seen of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// Its head.
    pub head: bool,
    /// The shoulder to the left, as the watcher sees it.
    pub left: bool,
    /// The shoulder to the right, as the watcher sees it.
    pub right: bool,
}

impl Sight {
    /// How many of the three are seen.
    pub fn count(self) -> u8 {
        u8::from(self.head) + u8::from(self.left) + u8::from(self.right)
    }

    /// What share of it is seen: 0, 1/3, 2/3 or 1.
    pub fn share(self) -> f32 {
        f32::from(self.count()) / 3.0
    }

    /// Whether anything of it is seen.
    pub fn is_any(self) -> bool {
        self.count() > 0
    }
}

/// The three points of a body a watcher looks for: head, left and right shoulder. The shoulders are across the line of
/// sight, or across the body's own facing when the eye is straight above or below.
pub fn points(eye: Vec3, body: &Body) -> [Vec3; 3] {
    let head = body.eye();
    let across = plane::direction(plane::ground(head - eye));
    let across = if across == glam::Vec2::ZERO { plane::heading(body.pose.yaw) } else { across };
    let left = plane::lift(plane::left_of(across) * body.radius_m, 0.0);
    let middle = body.pose.position + Vec3::Y * (body.eye_m * SHOULDER_SHARE);
    [head, middle + left, middle - left]
}

/// What `eye` sees of a body. Facing, range and light are for the senses to judge.
pub fn sight(view: &LevelView<'_>, eye: Vec3, body: &Body) -> Sight {
    let [head, left, right] = points(eye, body).map(|point| view.sees(eye, point));
    Sight { head, left, right }
}
