//! What a page answers while its world steps: rays through its own level, and tasks of its own.

use sentir::core::glam::Vec3;
use sentir::think::leaf::Status;

/// A page's own functions. What they answer must follow from what they are asked: the world counts on it.
pub trait Page: Send + Sync {
    /// How far the way from one point to another is free, as a share of it; none if nothing stands in it.
    fn ray(&self, from: Vec3, to: Vec3) -> Option<f32>;
    /// Goes on with a task; how it stands.
    fn task(&self, call: &TaskCall<'_>) -> Status;
    /// The names of all tasks, ascending.
    fn task_names(&self) -> Vec<String>;
}

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It begins.
    Start,
    /// It goes on.
    Tick,
    /// Something else is more urgent: it ends, and its answer does not matter.
    Abort,
}

impl Phase {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Start => "start",
            Phase::Tick => "tick",
            Phase::Abort => "abort",
        }
    }
}

/// All that a task of the page gets to know: what its agent believes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskCall<'a> {
    /// Which task.
    pub name: &'a str,
    /// Where it stands.
    pub phase: Phase,
    /// Whose.
    pub key: u64,
    /// The moment.
    pub tick: u64,
    /// For how long it has been going on, s.
    pub seconds: f32,
    /// Where the agent is, m, and where it looks, rad.
    pub position: Vec3,
    /// Where it looks, rad.
    pub yaw: f32,
    /// Share of full health, 0..=1.
    pub health: f32,
    /// Where it believes its enemy to be, m.
    pub enemy: Option<Vec3>,
    /// The place that the file gives, m.
    pub at: Option<Vec3>,
    /// The number that the file gives.
    pub number: Option<f32>,
    /// The text that the file gives.
    pub text: Option<&'a str>,
}

/// A page without functions of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPage;

impl Page for NoPage {
    fn ray(&self, _from: Vec3, _to: Vec3) -> Option<f32> {
        None
    }

    fn task(&self, _call: &TaskCall<'_>) -> Status {
        Status::Failure
    }

    fn task_names(&self) -> Vec<String> {
        Vec::new()
    }
}
