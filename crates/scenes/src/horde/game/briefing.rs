//! What the pack tells each of its members about alarms.

use sentir::prelude::*;
use sentir_squad::alarm::{Alarm, NODES_MAX};

/// What one is told. All of it comes from cries that the team heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Briefing {
    /// The alarm that reaches it; none while none does.
    pub(super) alarm: Option<News>,
    /// Where its seat is, m.
    pub(super) seat: Option<Vec3>,
    /// Whether the alarm has a seat that nobody has.
    pub(super) has_free: bool,
}

/// An alarm as it is told.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) struct News {
    /// Its number.
    pub(super) id: u32,
    /// Last known place, m.
    pub(super) place: Vec3,
    /// When the last cry was.
    pub(super) at: Tick,
    nodes: [Vec3; NODES_MAX],
    count: u8,
}

impl News {
    /// An alarm in words.
    pub(super) fn of(alarm: &Alarm) -> News {
        let mut nodes = [Vec3::ZERO; NODES_MAX];
        for (slot, node) in nodes.iter_mut().zip(alarm.nodes()) {
            *slot = node.place;
        }
        let Alarm { id, place, at, .. } = *alarm;
        News { id: id.0, place, at, nodes, count: alarm.nodes().len() as u8 }
    }

    /// The reported node nearest to a place; the last known place itself where no node was near.
    pub(super) fn nearest_node(&self, position: Vec3) -> Vec3 {
        let nodes = &self.nodes[..usize::from(self.count).min(NODES_MAX)];
        let far = |node: &&Vec3| node.distance_squared(position);
        nodes.iter().min_by(|a, b| far(a).total_cmp(&far(b))).copied().unwrap_or(self.place)
    }
}
