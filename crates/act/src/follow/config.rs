//! The tuning of followers.

use sentir_core::State;

use crate::avoid::AvoidConfig;

/// Tuning, the same for all. Limit: all finite and ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct FollowConfig {
    /// How far beside the mesh the body is still put onto it, m.
    pub reach_m: f32,
    /// How far above or below, m; under half of the height of a storey.
    pub height_m: f32,
    /// How far off the walls corners are taken where there is room, m.
    pub corner_m: f32,
    /// Less than this along the path is no progress, m.
    pub progress_m: f32,
    /// After so long without progress it bears aside, s.
    pub aside_s: f32,
    /// Every so long without progress it reports `Blocked` and asks for another path, s.
    pub replan_s: f32,
    /// After so long without progress it fails, s.
    pub give_up_s: f32,
    /// After so long with the path out of sight it asks for another, s.
    pub lost_s: f32,
    /// Held up within this of a goal that another body stands on, it has arrived, m.
    pub near_enough_m: f32,
    /// Held up for so long, that is, s.
    pub patience_s: f32,
    /// Where the ground is narrower than this, one keeps to the right half of it, m; 0 for nowhere.
    pub passage_m: f32,
    /// How far ahead it looks for a way past others, m; 0 for not at all.
    pub look_m: f32,
    /// A goal that moved less than this moves the last corner if that is in sight, m.
    pub goal_slack_m: f32,
    /// So near to its end a link is begun or done, m.
    pub link_m: f32,
    /// A link takes this long at most, s.
    pub link_s: f32,
    /// Strongest change of velocity, m/s².
    pub acceleration_m_per_s2: f32,
    /// How far it bears aside at most, rad.
    pub aside_rad: f32,
    /// How long it makes room for who goes first where two streams stand against each other, s; 0 for never, and for no way
    /// out of a press either.
    pub room_s: f32,
}

impl Default for FollowConfig {
    /// People on foot.
    fn default() -> Self {
        FollowConfig {
            reach_m: 1.0,
            height_m: 1.0,
            corner_m: 0.3,
            progress_m: 0.3,
            aside_s: 0.5,
            replan_s: 3.0,
            give_up_s: 40.0,
            lost_s: 0.25,
            near_enough_m: 1.5,
            patience_s: 1.0,
            passage_m: 7.0,
            look_m: 6.0,
            goal_slack_m: 3.0,
            link_m: 0.35,
            link_s: 5.0,
            acceleration_m_per_s2: 6.0,
            aside_rad: 0.8,
            room_s: 1.0,
        }
    }
}

/// How a follower steers: its own tuning and that of avoidance.
#[derive(Clone, Copy, Debug)]
pub struct SteerConfig<'a> {
    /// Following.
    pub follow: &'a FollowConfig,
    /// Avoidance.
    pub avoid: &'a AvoidConfig,
    /// Length of a tick, s.
    pub tick_s: f32,
}
