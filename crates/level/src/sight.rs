//! Line of sight to a body: three rays, to the head and to both shoulders, so that a peeking target is seen.

use glam::Vec3;
use sentir_core::body::Body;

use crate::view::LevelView;

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

/// The three points of a body a watcher looks for: head, left and right shoulder; see [`Body::outline`].
pub fn points(eye: Vec3, body: &Body) -> [Vec3; 3] {
    body.outline(eye)
}

/// What `eye` sees of a body. Facing, range and light are for the senses to judge.
pub fn sight(view: &LevelView<'_>, eye: Vec3, body: &Body) -> Sight {
    let [head, left, right] = points(eye, body).map(|point| view.sees(eye, point));
    Sight { head, left, right }
}
