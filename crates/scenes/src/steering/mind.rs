//! The mind of everybody in the steering scenes: simple eyes, a rule that picks a set of behaviors, and steering that
//! turns the set into motion.

use sentir::core::draw::Color;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::blend::{Around, Memory, Repertoire, prioritized_sum};
use sentir_act::steer::{self, AlignConfig, FlowField, Path, Turning};
use sentir_act::{Disc, Mover, Moving, Wall};

/// Neighbors and targets that one steers by at most.
const NEAR_MAX: usize = 24;
const TARGETS_MAX: usize = 4;
const NOISE: Purpose = Purpose::new("steering.noise");

/// Where somebody turns to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Turns {
    /// Where it goes.
    #[default]
    Ahead,
    /// To its first target.
    Face,
    /// As its first target does.
    Align,
    /// Opposite to its first target.
    AntiAlign,
    /// At an angle to its first target, rad.
    OffsetAlign(f32),
}

/// What somebody knows when it picks its set: what it believes, and whom its targets are.
pub struct Glance<'a> {
    /// What it believes, and who it is.
    pub view: &'a ThinkView<'a>,
    /// Its role.
    pub role: &'a Role,
    /// Where it is, m.
    pub here: Vec2,
}

impl Glance<'_> {
    /// How long ago the one of a role was seen, s; infinite if never.
    pub fn unseen_s(&self, role: u16) -> f32 {
        let view = self.view;
        self.other(role).map_or(f32::INFINITY, |other| view.rate.seconds(view.tick.since(other.at)))
    }

    /// What is believed about the one of a role; none if it was never seen.
    pub fn other(&self, role: u16) -> Option<&Other> {
        // Roles came in order and nobody leaves: a role's number is its slot.
        self.view.beliefs.others().iter().find(|other| other.who.index() == usize::from(role))
    }

    /// How far it is to the one of a role as last seen, m; infinite if it was never seen.
    pub fn distance_m(&self, role: u16) -> f32 {
        self.other(role).map_or(f32::INFINITY, |other| plane::ground(other.position).distance(self.here))
    }
}

/// One who plays in a steering scene.
#[derive(Clone, Debug)]
pub struct Role {
    /// Its name, as shown.
    pub name: &'static str,
    /// Its color.
    pub color: Color,
    /// Where it begins, m.
    pub at: Vec2,
    /// Where it faces at first, rad.
    pub yaw: f32,
    /// What its body can do; also its radius.
    pub mover: Mover,
    /// Its sets of behaviors; the brain picks one by number.
    pub sets: Vec<Repertoire>,
    /// Whom its behaviors are about, by role.
    pub targets: Vec<u16>,
    /// Where it turns to.
    pub turns: Turns,
    /// The path it is on.
    pub path: Option<Path>,
    /// How far ahead it minds the border of the field, s, before all its sets; 0 leaves that to the sets.
    pub contain_s: f32,
    /// How far it looks for neighbors, m.
    pub near_m: f32,
    /// How far it sees, m, and how far to either side, rad. It sees nobody at 0.
    pub sight: (f32, f32),
    /// Decides what to want: which set (`Intents::behavior`), and perhaps where to go, which behaviors then find as the
    /// target after the role's own. None always takes the first set.
    pub choose: Option<fn(&Glance<'_>, &mut Intents)>,
}

impl Default for Role {
    fn default() -> Self {
        Role {
            name: "",
            color: Color::rgb(0x2f6fb0),
            at: Vec2::ZERO,
            yaw: 0.0,
            mover: Mover::default(),
            sets: Vec::new(),
            targets: Vec::new(),
            turns: Turns::Ahead,
            path: None,
            contain_s: 0.0,
            near_m: 3.0,
            sight: (0.0, 0.0),
            choose: None,
        }
    }
}

/// The mind: the roles, and what stands around.
#[derive(Clone, Debug, Default)]
pub struct Steerer {
    /// By number; an agent's kind is its role.
    pub roles: Vec<Role>,
    /// Walls.
    pub walls: Vec<Wall>,
    /// Round obstacles.
    pub discs: Vec<Disc>,
    /// The walls of the field everybody stays in, open inward.
    pub field: Vec<Wall>,
    /// The flow everybody is in.
    pub flow: Option<FlowField>,
}

/// What the legs remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Motor {
    /// What the behaviors remember.
    pub memory: Memory,
    /// How fast it turns, rad/s.
    pub turn_rad_per_s: f32,
    /// What was asked for last, m/s².
    pub wish: Vec2,
}

impl Steerer {
    fn turn(&self, role: &Role, me: &Mover, targets: &[Moving], legs: &mut Motor, rate: TickRate) -> f32 {
        let turning = Turning {
            yaw: me.at.yaw,
            turn_rad_per_s: legs.turn_rad_per_s,
            turn_rad_per_s_max: 6.0,
            turn_rad_per_s2_max: 40.0,
        };
        let config = AlignConfig::default();
        let acceleration = match (role.turns, targets.first()) {
            (Turns::Face, Some(target)) => steer::face(&turning, me.at.position, target.position, &config),
            (Turns::Align, Some(target)) => steer::align(&turning, target.yaw, &config),
            (Turns::OffsetAlign(angle), Some(target)) => steer::offset_align(&turning, target, angle, &config),
            (Turns::AntiAlign, Some(target)) => steer::anti_align(&turning, target.yaw, &config),
            _ => steer::look_ahead(&turning, me.at.velocity, &config),
        };
        let after = turning.after(acceleration, rate.tick_s());
        legs.turn_rad_per_s = after.turn_rad_per_s;
        after.yaw
    }
}

/// Whom a role's behaviors are about, as they are; then the place where its brain wants to go, if it does.
fn targets_of(role: &Role, view: &ActView<'_>) -> ([Moving; TARGETS_MAX], usize) {
    let mut targets = [Moving::default(); TARGETS_MAX];
    let mut count = 0;
    for &number in role.targets.iter().take(TARGETS_MAX - 1) {
        // Roles came in order and nobody leaves: a role's number is its slot.
        if let Some(presence) = view.world.presences().nth(usize::from(number)) {
            targets[count] = Moving::of(&presence.body);
            count += 1;
        }
    }
    if let Some((_, travel)) = view.travel() {
        targets[count] = Moving::at(plane::ground(travel.goal));
        count += 1;
    }
    (targets, count)
}

/// The nearest others, nearest first; equals by number.
fn neighbors_of(role: &Role, view: &ActView<'_>) -> ([Moving; NEAR_MAX], usize) {
    let mut ranks = [(f32::INFINITY, u32::MAX); NEAR_MAX];
    let mut neighbors = [Moving::default(); NEAR_MAX];
    let mut count = 0;
    let here = view.me.body.pose.position;
    view.world.visit_near(here, role.near_m, |it| {
        let other = Moving::of(&it.body);
        let rank = (other.position.distance_squared(plane::ground(here)), it.agent.index() as u32);
        if it.agent == view.me.agent || (count == NEAR_MAX && rank >= ranks[count - 1]) {
            return;
        }
        let place = ranks[..count].partition_point(|old| *old < rank);
        count = (count + 1).min(NEAR_MAX);
        ranks[place..count].rotate_right(1);
        neighbors[place..count].rotate_right(1);
        (ranks[place], neighbors[place]) = (rank, other);
    });
    (neighbors, count)
}

impl Mind for Steerer {
    type Senses = ();
    type Brain = ();
    type Motor = Motor;
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, _senses: &mut (), beliefs: &mut Beliefs, _notes: &mut Notes<'_>) {
        let Some(role) = self.roles.get(usize::from(view.me.kind)) else { return };
        let (reach_m, half_angle) = role.sight;
        if reach_m <= 0.0 {
            return;
        }
        beliefs.revise(|other| {
            other.is_visible = false;
            true
        });
        let body = &view.me.body;
        let (cos_least, ahead) = (math::cos(half_angle), plane::heading(body.pose.yaw));
        view.world.visit_near(body.pose.position, reach_m, |it| {
            let way = plane::ground(it.body.pose.position - body.pose.position);
            let is_before = way.dot(ahead) >= cos_least * way.length();
            if it.agent != view.me.agent && is_before && view.world.geometry.is_clear(body.eye(), it.body.eye()) {
                beliefs.update(Other::seen(it.agent, it.team, &it.body, view.tick));
            }
        });
    }

    fn think(&self, view: &ThinkView<'_>, _brain: &mut (), intents: &mut Intents, notes: &mut Notes<'_>) {
        let Some(role) = self.roles.get(usize::from(view.kind)) else { return };
        let Some(choose) = role.choose else { return };
        let here = plane::ground(view.beliefs.me.pose.position);
        let before = intents.behavior;
        choose(&Glance { view, role, here }, intents);
        if intents.behavior != before {
            notes.event(EventKind::Decided { decision: intents.behavior });
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Motor,
        motion: &mut Motion,
        _out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
        let Some(role) = self.roles.get(usize::from(view.me.kind)) else { return };
        let set = role.sets.get(usize::from(view.intents().behavior)).or(role.sets.first());
        let me = Mover { at: Moving::of(&view.me.body), ..role.mover };
        let me = set.map_or(me, |set| set.mover(&me));
        let (targets, target_count) = targets_of(role, view);
        let (neighbors, near_count) = neighbors_of(role, view);
        let around = Around {
            targets: &targets[..target_count],
            neighbors: &neighbors[..near_count],
            walls: &self.walls,
            discs: &self.discs,
            field: &self.field,
            path: role.path.as_ref(),
            flow: self.flow.as_ref(),
            tick_s: view.rate.tick_s(),
            ..Around::default()
        };
        let around = around.draw(&mut view.random(NOISE));
        legs.wish = match set {
            Some(set) => set.steer(&Mover { at: me.at, ..role.mover }, &around, &mut legs.memory),
            None => Vec2::ZERO,
        };
        if role.contain_s > 0.0 {
            let inward = steer::contain(&me, &self.field, role.contain_s);
            legs.wish = prioritized_sum(me.acceleration_m_per_s2_max, [(1.0, inward), (1.0, legs.wish)]);
        }
        let velocity = me.velocity_after(legs.wish, view.rate.tick_s());
        // Slower than anybody would call walking is standing: no trembling at rest.
        let velocity = if velocity.length() < 0.02 { Vec2::ZERO } else { velocity };
        motion.velocity = plane::lift(velocity, 0.0);
        motion.yaw = self.turn(role, &me, around.targets, legs, view.rate);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        self.roles.iter().find_map(|role| role.sets.get(usize::from(decision))).map_or("", |set| set.name)
    }
}
