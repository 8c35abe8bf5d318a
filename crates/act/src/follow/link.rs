//! Links as tasks: to the near end, across by what the kind of link asks for, down on the far side.

use sentir_core::intent::Actions;
use sentir_core::outcome::Outcome;
use sentir_core::plane;
use sentir_nav::mesh::{LinkId, Traversal};

use super::{Advice, FollowConfig, Follower, LEVEL_M, MeshGround, Need, Phase, Walk};

impl Follower {
    /// One tick on, or near, a link.
    pub(super) fn pass_link(
        &mut self,
        id: LinkId,
        ground: &MeshGround<'_>,
        me: &Walk,
        config: &FollowConfig,
    ) -> Advice {
        let link = ground.mesh.links().get(id.0 as usize);
        let (Some(link), &[from, to, ..]) = (link, self.ahead()) else {
            return self.leave_link();
        };
        let linked = &mut self.progress.linked;
        *linked = linked.saturating_add(1);
        let here = plane::ground(me.position);
        let (near, far) = (plane::ground(from), plane::ground(to));
        let mut advice = Advice::default();
        if *linked as f32 * me.tick_s > config.link_s {
            return self.leave_link();
        }
        match self.phase {
            Phase::Approach(_) => {
                advice.wanted = plane::direction(near - here) * me.pace_m_per_s;
                let is_there = here.distance(near) <= config.link_m && (me.position.y - from.y).abs() <= LEVEL_M;
                let is_ready = me.is_grounded && (link.is_open || link.traversal == Traversal::Door);
                if is_there && is_ready {
                    (self.phase, *linked) = (Phase::Traverse(id), 0);
                    advice.actions = begin(link.traversal);
                    advice.wanted = plane::direction(far - here) * me.pace_m_per_s;
                }
            }
            Phase::Traverse(_) => {
                let is_shut = link.traversal == Traversal::Door && !link.is_open;
                if is_shut {
                    advice.actions = Actions::USE;
                } else {
                    advice.wanted = plane::direction(far - here) * me.pace_m_per_s;
                }
                let is_over = here.distance(far) <= config.link_m && (me.position.y - to.y).abs() <= LEVEL_M;
                if is_over && me.is_grounded {
                    (self.phase, self.footing.place) = (Phase::Land(id), None);
                }
            }
            _ => {
                // On its feet: the path goes on from the far end.
                self.route.pass_hop();
                self.phase = Phase::Walking;
                (*linked, self.progress.stall, self.progress.best_m) = (0, 0, f32::MAX);
                advice.wanted = me.velocity;
            }
        }
        advice
    }

    /// The link is no more, or takes too long: told as `Blocked`, and another path is asked for from where it is.
    fn leave_link(&mut self) -> Advice {
        (self.phase, self.footing.place) = (Phase::Waiting, None);
        self.drop_path();
        self.inquiry.need = Need::Path;
        Advice { outcome: Some(Outcome::Blocked { ticket: self.ticket }), ..Advice::default() }
    }
}

/// What a body does to begin with a link.
fn begin(traversal: Traversal) -> Actions {
    match traversal {
        Traversal::Jump => Actions::JUMP,
        Traversal::Door | Traversal::Ladder => Actions::USE,
        Traversal::Drop | Traversal::User(_) => Actions::default(),
    }
}
