//! What shows the minds of `firefight`: cones as far as walls let them see, ways by what they cost, where the player may be,
//! who has taken which place, who shoots at what, and the points that one weighs. For who watches; who plays sees none of it.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::soldier::{RankScratch, study as weigh};
use sentir::space::influence::Grid;
use sentir::space::influence::draw::draw_map;
use sentir::space::query::QueryRun;
use sentir::space::visibility::draw::draw_region;
use sentir::space::visibility::{Region, Sweep, Watcher};
use sentir::squad::claim::ClaimKind;
use sentir::squad::coordinator::QueryName;
use sentir::squad::soldier::Trigger;
use sentir::squad::tactical_map::TacticalMap;

use super::mind::FirefightMind;
use super::{Fighter, Firefight, SOLDIER_TEAM, World};

/// How far cones are drawn, m.
const CONE_M: f32 = 9.0;
/// A way is looked at in steps of this, m.
const STEP_M: f32 = 0.4;
/// A way out of sight, in sight of where the player is thought to be, across a friend's line of fire.
const WAYS: [Color; 3] = [Color::rgb(0x2f8f4d), Color::rgb(0xd0453a), Color::rgb(0xe8962e)];
/// Claims, in the order of [`ClaimKind::ALL`].
const CLAIMS: [Color; 4] = [Color::rgb(0x7d4bb0), Color::rgb(0x2f6fb0), Color::rgb(0x2f8f4d), Color::rgb(0xe8962e)];
const HEAT: Color = Color::rgb(0x7d4bb0);
const RED: Color = Color::rgb(0xb8433f);
const INK: Color = Color::rgb(0x23272b);
/// Scores that are written at most, and how far they keep from each other, m.
const SCORES_MAX: usize = 14;
const SCORES_APART_M: f32 = 2.2;

/// What a way can cost, as the coordinator of a squad reckons.
struct Costs<'a> {
    tactical_map: &'a TacticalMap,
    /// What is in sight of where the other one is thought to be; none while nobody knows.
    sight: Option<(Region, [f32; 2])>,
    /// Lines of fire of the side: whose, from, to.
    lines: Vec<(HostKey, Vec2, Vec2)>,
    width_m: f32,
}

impl Costs<'_> {
    /// Which of [`WAYS`] a step of somebody's way is.
    fn kind_of(&self, who: HostKey, at: Vec3) -> usize {
        let place = plane::ground(at);
        let crosses = |(key, from, to): &(HostKey, Vec2, Vec2)| {
            let along = *to - *from;
            let share = math::saturate((place - *from).dot(along) / math::max(along.length_squared(), 1e-6));
            *key != who && place.distance(*from + along * share) < self.width_m
        };
        let is_seen =
            |(region, band): &(Region, [f32; 2])| (band[0]..=band[1]).contains(&at.y) && region.contains(place);
        if self.lines.iter().any(crosses) { 2 } else { usize::from(self.sight.as_ref().is_some_and(is_seen)) }
    }
}

/// All of it but for the points of queries.
pub(super) fn draw(scene: &Firefight, brains: &Loop<FirefightMind>, world: &World, list: &mut DrawList) {
    let tactical_map = &scene.mind.soldiers.soldier.tactical_map;
    if let Some(squad) = brains.squad(SquadId::whole(SOLDIER_TEAM)) {
        if squad.team.prediction().is_active() {
            let mut window = Grid::default();
            squad.team.crop(tactical_map, &mut window);
            draw_map(&window, squad.team.prediction().map(), HEAT.alpha(110), 1.0, 0.02, list);
        }
        if let Some(lead) = squad.team.lead() {
            let at = lead.place + Vec3::Y * 0.05;
            list.circle(Layer::INFLUENCE, RED.alpha(150), at, 0.55, false);
            let arm = |x: f32, z: f32| Vec3::new(x, 0.0, z) * 0.4;
            list.line(Layer::INFLUENCE, RED.alpha(150), at + arm(-1.0, -1.0), at + arm(1.0, 1.0), 0.06);
            list.line(Layer::INFLUENCE, RED.alpha(150), at + arm(-1.0, 1.0), at + arm(1.0, -1.0), 0.06);
        }
    }
    let mut sweep = Sweep::default();
    let mut region = Region::default();
    let half_rad = scene.mind.soldiers.senses.sight.half_rad;
    for it in &world.fighters {
        let Some(walker) = world.bodies.walker(it.key) else { continue };
        let Pose { position, yaw } = walker.pose;
        let origin = plane::ground(position);
        let watcher = Watcher { origin, facing: yaw, half_angle_rad: half_rad, range_m: CONE_M };
        tactical_map.look_cone(position.y, &watcher, &mut sweep, &mut region);
        draw_region(&region, super::picture::color_of(it.team).alpha(30), position.y, list);
    }
    for team in [SOLDIER_TEAM, super::PLAYER_TEAM] {
        let costs = costs_of(scene, brains, world, team, &mut sweep);
        for it in world.fighters.iter().filter(|it| it.team == team) {
            draw_way(&costs, brains, it, list);
        }
    }
    for it in world.fighters.iter() {
        draw_hand(brains, it, list);
    }
}

fn costs_of<'a>(
    scene: &'a Firefight,
    brains: &Loop<FirefightMind>,
    world: &World,
    team: TeamId,
    sweep: &mut Sweep,
) -> Costs<'a> {
    let soldier = &scene.mind.soldiers.soldier;
    let tactical_map = &soldier.tactical_map;
    let lead = brains.squad(SquadId::whole(team)).and_then(|squad| squad.team.lead());
    let sight = lead.map(|lead| {
        let mut region = Region::default();
        tactical_map.look(lead.place, true, sweep, &mut region);
        (region, tactical_map.band(lead.place.y))
    });
    let firing = world.fighters.iter().filter(|it| it.team == team);
    let lines = firing.filter_map(|it| {
        let to = brains.brain(it.agent).filter(|head| head.has_soldier_mind)?.soldier.status.fires_at?;
        Some((it.key, plane::ground(world.bodies.walker(it.key)?.pose.position), plane::ground(to)))
    });
    Costs { tactical_map, sight, lines: lines.collect(), width_m: soldier.tuning.fire_line_width_m * 0.5 }
}

/// A way, in the colors of what its steps cost; one that is not meant to be safe is thin.
fn draw_way(costs: &Costs<'_>, brains: &Loop<FirefightMind>, it: &Fighter, list: &mut DrawList) {
    let (Some(presence), Some(legs)) = (brains.presence(it.agent), brains.motor(it.agent)) else { return };
    let width_m = if legs.is_safest { 0.12 } else { 0.06 };
    let mut from = presence.body.pose.position;
    for &corner in legs.follower.ahead() {
        let steps = ((from.distance(corner) / STEP_M).ceil() as u32).max(1);
        let at = |step: u32| from.lerp(corner, step as f32 / steps as f32);
        let mut begin = 0;
        let mut kind = costs.kind_of(it.key, at(0));
        for step in 1..=steps {
            let next = costs.kind_of(it.key, at(step));
            if next != kind || step == steps {
                list.line(Layer::PATHS, WAYS[kind].alpha(200), at(begin), at(step), width_m);
                (begin, kind) = (step, next);
            }
        }
        from = corner;
    }
    let end = costs.tactical_map.ground(from).map_or(from, |place| place.point);
    if !legs.follower.ahead().is_empty() {
        list.circle(Layer::PATHS, WAYS[0].alpha(200), end + Vec3::Y * 0.04, 0.16, true);
    }
}

/// Places that somebody has claimed, and what he shoots at.
fn draw_hand(brains: &Loop<FirefightMind>, it: &Fighter, list: &mut DrawList) {
    let head = brains.brain(it.agent).filter(|head| head.has_soldier_mind);
    let (Some(presence), Some(head)) = (brains.presence(it.agent), head) else { return };
    let position = presence.body.pose.position;
    let status = &head.soldier.status;
    for (kind, color) in ClaimKind::ALL.into_iter().zip(CLAIMS) {
        if let Some(place) = status.claims.of(kind) {
            list.circle(Layer::CLAIMS, color.alpha(210), place + Vec3::Y * 0.05, 0.4, false);
            list.line(Layer::CLAIMS, color.alpha(80), position + Vec3::Y * 0.05, place + Vec3::Y * 0.05, 0.04);
        }
    }
    if let Trigger::Point(place) = status.trigger {
        list.circle(Layer::FIRE, CLAIMS[3].alpha(220), place + Vec3::Y * 0.05, 0.25, true);
    }
    if let Some(to) = status.fires_at {
        list.line(Layer::FIRE, RED.alpha(150), presence.body.eye(), to, 0.05);
    }
}

/// Every point that a soldier weighs just now, from red over yellow to green, with the scores of some.
pub(super) fn study(scene: &Firefight, brains: &Loop<FirefightMind>, agent: AgentId, list: &mut DrawList) {
    let mut scratch = RankScratch::default();
    weigh(&scene.mind.soldiers, brains, agent, &mut scratch, |name, run| draw_points(name, run, list));
}

fn draw_points(name: QueryName, run: &QueryRun, list: &mut DrawList) {
    run.draw(false, list);
    let points = (0..run.point_count() as u32).filter_map(|index| Some((run.score(index)?, run.point(index)?)));
    let mut ranked: Vec<(f32, Vec3)> = points.collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut written: Vec<Vec3> = Vec::new();
    for (score, at) in ranked {
        if written.len() < SCORES_MAX && written.iter().all(|other| other.distance(at) > SCORES_APART_M) {
            let above = at + plane::lift(Vec2::Y * 0.4, 0.0);
            // The best one says what is asked.
            let (asked, colon) = if written.is_empty() { (title(name), ": ") } else { ("", "") };
            list.label(Layer::QUERIES, INK, above, format_args!("{asked}{colon}{score:.2}"));
            written.push(at);
        }
    }
}

fn title(name: QueryName) -> &'static str {
    match name {
        QueryName::Search => "search",
        QueryName::Cover => "cover",
        QueryName::Attack => "attack",
        QueryName::Advance => "advance",
        QueryName::Suppression => "suppression",
        QueryName::ClearLine => "clear line",
    }
}
