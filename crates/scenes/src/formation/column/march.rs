//! The coordination of who marches: the formation along its leader's way, who has which slot, who is left, and the paths.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::walk::{Field, Router};
use sentir_act::Moving;
use sentir_act::formation::{self, Footing, Formation, SlotPose, Surroundings};
use sentir_nav::mesh::AreaCosts;
use sentir_nav::request::{ProcessContext, RequestScratch, Requests};

use super::mind::{Drill, MARCH_M_PER_S, Task};

/// Room that one needs to either side, m: what the mesh keeps free.
pub(super) const RADIUS_M: f32 = 0.4;
/// How far round the leader the formation looks for walls, and how much higher or lower, m.
const AROUND_M: f32 = 16.0;
const STOREY_M: f32 = 2.6;
/// On its slot, m.
pub(super) const ON_SLOT_M: f32 = 0.6;
/// Past a place on the route, m.
const PASSED_M: f32 = 0.6;
/// After the start, slots have so long to be taken before errors count, s.
const FORMED_S: f32 = 8.0;

/// What a squad on the march remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct March {
    pub(super) requests: Requests,
    pub(super) formation: Formation,
    pub(super) footing: Footing,
    /// The place of the route that is next.
    pub(super) next: u32,
    /// Whether it has come to the last one, in formation.
    pub(super) is_there: bool,
    pub(super) tally: Tally,
}

/// Figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Tally {
    /// Slot errors in the open: sum, count and greatest, m.
    pub(super) error_m: f64,
    pub(super) errors: u64,
    pub(super) error_m_max: f32,
    /// Greatest slot error now, m.
    pub(super) worst_m: f32,
    /// Whether it went narrow since it last closed up; times that it closed up; the narrowest.
    pub(super) is_narrow: bool,
    pub(super) close_ups: u32,
    pub(super) narrow_max: f32,
    /// Times that somebody far from its slot was on it again; who was left, by cause; how many march.
    pub(super) strays: u32,
    pub(super) rejoined: u32,
    pub(super) left: [u32; 5],
    pub(super) marching: u32,
}

/// What a run needs and need not remember.
#[derive(Default)]
pub(super) struct Kit {
    around: Surroundings,
    corners: Vec<Vec3>,
    ahead: Vec<Vec2>,
    pub(super) poses: Vec<SlotPose>,
    searches: RequestScratch,
}

/// A leader: how it moves, where its feet are, and the corners of its way.
pub(super) struct Leader<'a> {
    pub(super) at: Moving,
    pub(super) feet: Vec3,
    pub(super) ahead: &'a [Vec3],
}

impl Drill {
    /// Where the slots are in the plane, and on the ground by [`Footing::place`]. Whether there is ground.
    pub(super) fn lay(&self, formation: &Formation, leader: &Leader<'_>, kit: &mut Kit) -> bool {
        let Kit { around, corners, ahead, poses, .. } = kit;
        corners.clear();
        corners.extend(leader.ahead);
        ahead.clear();
        ahead.extend(corners.iter().map(|&corner| plane::ground(corner)));
        let Some(place) = self.mesh.nearest(leader.feet, Vec3::ONE) else { return false };
        around.gather(&self.mesh, &AreaCosts::PLAIN, place, AROUND_M, STOREY_M, RADIUS_M);
        formation.poses(&leader.at, ahead, &ground(around), poses);
        true
    }

    /// Keeps the formation and brings the paths.
    pub(super) fn command(&self, view: &SquadView, march: &mut March, roster: &mut Roster<'_, '_, Drill>) {
        let mut kit = roster.take_scratch::<Kit>();
        dismiss(march, roster);
        self.keep(view, march, roster, &mut kit);
        march.tally.marching = march.formation.members().len() as u32;
        let field = Field::plain(&self.mesh);
        let router = Router { field, config: &self.requests, follow: &self.gait.follow };
        router.post(view, roster, &mut march.requests);
        let (mesh, now, config) = (&self.mesh, view.tick, &self.requests);
        let context = ProcessContext { mesh, costs: &[], tactician: None, now, config };
        march.requests.process(context, &mut kit.searches, |reply| router.deliver(roster, reply));
        roster.put_scratch(kit);
    }

    /// Keeps the formation: everybody is told its slot, the leader its goal and pace.
    fn keep(&self, view: &SquadView, march: &mut March, roster: &mut Roster<'_, '_, Drill>, kit: &mut Kit) {
        let leader = march.formation.leader();
        let Some(place) = leader.and_then(|leader| roster.place_of(leader)) else { return };
        let Some(member) = roster.member(place) else { return };
        let (pose, velocity) = (member.beliefs.me.pose, member.beliefs.me.velocity);
        let here = pose.position;
        let (position, moves) = (plane::ground(here), plane::ground(velocity));
        let at = Moving { position, velocity: moves, yaw: pose.yaw, radius_m: RADIUS_M };
        // They hear of their slots on the next tick: so as the slots will be then.
        let then = here + velocity * view.rate.tick_s();
        let next = Moving { position: plane::ground(then), ..at };
        let ahead = member.motor.follower.ahead();
        if !self.lay(&march.formation, &Leader { at: next, feet: then, ahead }, kit) {
            return;
        }
        let is_open = march.formation.narrow() == 0.0 && view.tick.0 > view.rate.ticks(FORMED_S);
        let worst_m = self.brief(march, roster, then, kit, is_open);
        march.footing.record(here);
        march.formation.step(&at, &kit.ahead, &ground(&kit.around), worst_m, view.rate.tick_s());
        march.tally.note(&march.formation, worst_m, is_open);
        let goal = self.route.get(march.next as usize).or(self.route.last()).copied().unwrap_or(here);
        assign(roster, place, Task::Lead(goal, MARCH_M_PER_S * march.formation.pace()));
        if plane::ground(goal).distance(at.position) < PASSED_M && (goal.y - here.y).abs() < 1.0 {
            let is_last = march.next as usize + 1 >= self.route.len();
            march.next += u32::from(!is_last);
            march.is_there |= is_last && worst_m < ON_SLOT_M;
        }
    }

    /// Tells everybody but the leader its slot; the greatest error to the slots as they were told, m.
    fn brief(
        &self,
        march: &mut March,
        roster: &mut Roster<'_, '_, Drill>,
        here: Vec3,
        kit: &Kit,
        is_open: bool,
    ) -> f32 {
        let mut worst_m = 0.0;
        for member in march.formation.members() {
            let Some(pose) = member.slot.and_then(|slot| kit.poses.get(usize::from(slot))) else { continue };
            let slot = march.footing.place(pose, here, &kit.corners, &self.mesh, &AreaCosts::PLAIN);
            let (Some(slot), Some(place)) = (slot, roster.place_of(member.agent)) else { continue };
            let Some(it) = roster.member(place).filter(|it| Some(it.agent) != march.formation.leader()) else {
                continue;
            };
            let told = if let Task::Hold(told, _) = *it.brain { told } else { slot.point };
            let error_m = plane::ground(told).distance(plane::ground(it.beliefs.me.pose.position));
            worst_m = math::max(worst_m, error_m);
            if is_open {
                march.tally.error_m += f64::from(error_m);
                march.tally.errors += 1;
            }
            assign(roster, place, Task::Hold(slot.point, pose.yaw));
        }
        worst_m
    }
}

/// Leaves behind who cannot come, and counts why.
fn dismiss(march: &mut March, roster: &mut Roster<'_, '_, Drill>) {
    let lost = |agent: AgentId| roster.member(roster.place_of(agent)?)?.motor.lost;
    let one = march.formation.members().iter().find_map(|it| Some((it.agent, lost(it.agent)?)));
    let Some((agent, cause)) = one else { return };
    march.tally.left[cause as usize] += 1;
    let at = |one| Some(plane::ground(roster.member(roster.place_of(one)?)?.beliefs.me.pose.position));
    march.formation.leave(agent, at);
    if let Some(place) = roster.place_of(agent) {
        assign(roster, place, Task::Idle);
    }
}

/// Gives a member another task, if it is another.
fn assign(roster: &mut Roster<'_, '_, Drill>, place: usize, task: Task) {
    if roster.member(place).is_some_and(|it| *it.brain != task) {
        roster.notify(place, task);
    }
}

fn ground(around: &Surroundings) -> formation::MarchGround<'_> {
    formation::MarchGround { walls: around.walls(), radius_m: RADIUS_M, speed_m_per_s: MARCH_M_PER_S }
}

impl Tally {
    fn note(&mut self, formation: &Formation, worst_m: f32, is_open: bool) {
        let narrow = formation.narrow();
        (self.worst_m, self.narrow_max) = (worst_m, math::max(self.narrow_max, narrow));
        if worst_m < ON_SLOT_M && self.rejoined < self.strays && self.left.iter().all(|&count| count == 0) {
            self.rejoined = self.strays;
        }
        if is_open && self.rejoined == self.strays {
            self.error_m_max = math::max(self.error_m_max, worst_m);
        }
        self.is_narrow |= narrow > 0.9;
        if self.is_narrow && narrow == 0.0 && worst_m < ON_SLOT_M {
            (self.is_narrow, self.close_ups) = (false, self.close_ups + 1);
        }
    }
}
