//! The mind of a soldier: hears what is ordered, goes where its squad tells it to, or keeps the slot that it is told.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::formation::{Pattern, Rule, SlotPose, hold};
use sentir_act::steer::{AlignConfig, Turning};
use sentir_act::{Mover, Moving};

use super::layout::Layout;
use super::march::March;
use super::way::Search;

/// How fast a leader marches, m/s.
pub const MARCH_M_PER_S: f32 = 1.6;
/// How fast a soldier goes to catch up, m/s.
pub const HURRY_M_PER_S: f32 = 2.8;
/// How near a place on the way is passed, m.
const PASS_M: f32 = 0.5;
/// How near the last place is reached, m.
const THERE_M: f32 = 0.12;
/// How fast and how suddenly a soldier turns, rad/s and rad/s².
pub const TURN_RAD_PER_S: f32 = 5.0;
const TURN_RAD_PER_S2: f32 = 40.0;
/// How far one looks for others in the way, m from middle to middle.
pub const NEAR_M: f32 = 1.2;
/// Most others that are looked at.
const NEAR_MAX: usize = 16;

/// What all share: the ground they drill on.
#[derive(Clone, Debug)]
pub struct Drill {
    /// The level with its walls and its march.
    pub layout: Layout,
    /// How ways are found.
    pub search: Search,
}

/// What a soldier is told to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub enum Task {
    /// Nothing.
    #[default]
    Idle,
    /// Go along the path.
    Go {
        /// How fast, m/s.
        pace_m_per_s: f32,
    },
    /// Keep a slot.
    Hold {
        /// The slot, now.
        slot: SlotPose,
        /// Where to go for it: the slot itself, or a place on the way there if a wall is in between, m.
        goal: Vec2,
    },
}

/// What a person or a script orders.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum What {
    /// Form up, looking where the first one looks.
    Form {
        /// What is formed.
        pattern: Pattern,
        /// How roles count.
        rule: Rule,
        /// Distance between neighbors, m.
        spacing_m: f32,
    },
    /// Join the formation as it is.
    Join,
    /// Go to a place: a formation by its leader, others each on its own.
    Go {
        /// Where, m.
        to: Vec2,
    },
    /// March along the route of the level.
    March {
        /// To which of its places, counted from 1.
        legs: u16,
    },
}

/// An order as each of those hears it for whom it is meant.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Command {
    /// Counts the orders, from 1.
    pub number: u32,
    /// Its place among those it is meant for; the first one leads.
    pub rank: u16,
    /// What is ordered.
    pub what: What,
}

/// What a soldier remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Soldier {
    /// What it is told.
    pub task: Task,
    /// Places still to go to, the next one last.
    pub path: Vec<Vec2>,
    /// What it was ordered last, all in one tick; and in which.
    pub commands: Vec<Command>,
    heard: Tick,
    /// The kind of its agent.
    pub kind: u16,
}

/// What a soldier is told.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Notice {
    /// By the host: an order, which its squad carries out.
    Command(Command),
    /// By its squad, as all that follow: whatever it was told is off.
    Halt,
    /// A place to go to before all that it was told so far, m.
    Place(Vec2),
    /// Go along the path.
    Go {
        /// How fast, m/s.
        pace_m_per_s: f32,
    },
    /// Keep a slot; the path is off.
    Hold {
        /// The slot, now.
        slot: SlotPose,
        /// Where to go for it, m.
        goal: Vec2,
    },
}

impl Notice {
    /// Whether somebody who does this already would do the same.
    pub fn is_known(&self, soldier: &Soldier) -> bool {
        match *self {
            Notice::Halt => soldier.task == Task::Idle && soldier.path.is_empty(),
            Notice::Command(_) | Notice::Place(_) => false,
            Notice::Go { pace_m_per_s } => soldier.task == Task::Go { pace_m_per_s },
            Notice::Hold { slot, goal } => soldier.task == Task::Hold { slot, goal } && soldier.path.is_empty(),
        }
    }
}

/// What the legs remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct WalkerMotor {
    /// The slot's velocity, smoothed, m/s.
    drift: Vec2,
    /// Where it was at the last act.
    last: Option<Vec2>,
    /// How fast one turns, rad/s.
    turn_rad_per_s: f32,
}

impl Mind for Drill {
    type Senses = ();
    type Brain = Soldier;
    type Motor = WalkerMotor;
    type Squad = March;
    type Notice = Notice;

    fn receive(&self, view: &ThinkView<'_>, notice: Notice, brain: &mut Soldier) {
        match notice {
            Notice::Command(command) => {
                if brain.heard != view.tick {
                    brain.commands.clear();
                }
                (brain.heard, brain.kind) = (view.tick, view.kind);
                brain.commands.push(command);
            }
            Notice::Halt => {
                brain.path.clear();
                brain.task = Task::Idle;
            }
            Notice::Place(place) => brain.path.push(place),
            Notice::Go { pace_m_per_s } => brain.task = Task::Go { pace_m_per_s },
            Notice::Hold { slot, goal } => {
                brain.path.clear();
                brain.task = Task::Hold { slot, goal };
            }
        }
    }

    fn think(&self, view: &ThinkView<'_>, brain: &mut Soldier, intents: &mut Intents, notes: &mut Notes<'_>) {
        let me = plane::ground(view.beliefs.me.pose.position);
        match brain.task {
            Task::Idle => intents.stay(),
            Task::Hold { slot, goal } => {
                let error = slot.position.distance(me);
                notes.because(|| Reason { what: "on its slot", held: error < 1.0, value: error, limit: 1.0 });
                let goal = plane::lift(goal, 0.0);
                intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s: HURRY_M_PER_S, arrive_m: 0.0 });
                intents.gaze = Gaze::Along(slot.yaw);
            }
            Task::Go { pace_m_per_s } => {
                let reach = if brain.path.len() > 1 { PASS_M } else { THERE_M };
                if brain.path.last().is_some_and(|next| next.distance(me) <= reach) {
                    brain.path.pop();
                }
                let left = brain.path.len() as f32;
                notes.because(|| Reason { what: "places left", held: left > 0.0, value: left, limit: 0.0 });
                match brain.path.last() {
                    Some(&next) => {
                        let arrive_m = if brain.path.len() > 1 { PASS_M } else { THERE_M };
                        let goal = plane::lift(next, 0.0);
                        intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m });
                        intents.gaze = Gaze::Ahead;
                    }
                    None => intents.stay(),
                }
            }
        }
    }

    fn coordinate(&self, view: &SquadView, march: &mut March, roster: &mut Roster<'_, '_, Self>) {
        self.lead(view, march, roster);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        gait: &mut WalkerMotor,
        motion: &mut Motion,
        _out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
        let me = Moving::of(&view.me.body);
        let Some((_, travel)) = view.travel() else {
            *gait = WalkerMotor::default();
            motion.velocity = plane::lift(aside(view, &me, Vec2::ZERO, HURRY_M_PER_S), 0.0);
            return;
        };
        gait.follow(travel, view.rate);
        let velocity = aside(view, &me, wish(&me, travel, gait.drift), travel.pace_m_per_s);
        motion.velocity = plane::lift(velocity, 0.0);
        motion.yaw = match view.gaze() {
            Gaze::Along(yaw) => {
                let slot = SlotPose { position: plane::ground(travel.goal), yaw, arc_m: 0.0 };
                gait.align(&Moving { velocity, ..me }, &slot, view.rate)
            }
            _ => {
                gait.turn_rad_per_s = 0.0;
                if velocity.length() > 0.2 { plane::yaw(velocity) } else { motion.yaw }
            }
        };
    }
}

impl WalkerMotor {
    /// Turns by a tick to where one who keeps a slot looks; gives the yaw, rad.
    fn align(&mut self, me: &Moving, slot: &SlotPose, rate: TickRate) -> f32 {
        let now = Turning {
            yaw: me.yaw,
            turn_rad_per_s: self.turn_rad_per_s,
            turn_rad_per_s_max: TURN_RAD_PER_S,
            turn_rad_per_s2_max: TURN_RAD_PER_S2,
        };
        let next = now.after(hold::align(&now, me, slot, &AlignConfig::default()), rate.tick_s());
        self.turn_rad_per_s = next.turn_rad_per_s;
        next.yaw
    }

    /// Learns how fast the slot moves.
    fn follow(&mut self, travel: Travel, rate: TickRate) {
        let goal = plane::ground(travel.goal);
        let moved = self.last.map_or(Vec2::ZERO, |last| (goal - last) / rate.tick_s());
        // A slot that is suddenly elsewhere did not run there.
        let moved = if travel.arrive_m > 0.0 || moved.length() > 6.0 { Vec2::ZERO } else { moved };
        self.drift += (moved - self.drift) * 0.2;
        self.last = Some(goal);
    }
}

/// The velocity one would have alone in the world, m/s.
fn wish(me: &Moving, travel: Travel, drift: Vec2) -> Vec2 {
    let (goal, mover) = (plane::ground(travel.goal), Mover { at: *me, ..Mover::default() });
    let mover = Mover { speed_m_per_s_max: travel.pace_m_per_s, ..mover };
    if travel.arrive_m >= PASS_M {
        plane::direction(goal - me.position) * travel.pace_m_per_s
    } else {
        hold::wanted(&mover, goal, drift)
    }
}

/// The one place where a velocity is decided: the wish, turned aside for others. Mutual avoidance goes here.
fn aside(view: &ActView<'_>, me: &Moving, wish: Vec2, speed_max: f32) -> Vec2 {
    let (mut near, mut count) = ([Moving::default(); NEAR_MAX], 0);
    view.world.visit_near(view.me.body.pose.position, NEAR_M, |other| {
        if other.agent != view.me.agent && count < NEAR_MAX {
            near[count] = Moving::of(&other.body);
            count += 1;
        }
    });
    hold::apart(me, wish, near[..count].iter().copied(), math::max(speed_max, 0.0))
}
