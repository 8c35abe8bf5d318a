//! The slow, obvious twin: a tree of boxes that is walked from the root in every tick. It knows no flat array, no dirty
//! bits, no masks and no moment before which nothing is due. Written from the rules of `NodeKind`, not from the engine.

use sentir_core::id::AgentId;
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_think::leaf::Status;
use sentir_think::node::NodeId;
use sentir_think::tree::Aborts;

use super::host::{Event, Notes, Script};
use super::shape::{Many, One, Shape, period_of};

/// The world of the twin.
pub struct World<'a> {
    pub script: &'a Script,
    pub notes: &'a mut Notes,
    /// What each key says; shared ones as they were before the tick.
    pub keys: &'a mut [bool; 5],
    /// Writes to shared keys, which arrive after the tick.
    pub posts: &'a mut Vec<(u8, bool)>,
    pub tick: u64,
    pub seed: u64,
}

/// One node.
pub struct Twin {
    shape: Shape,
    id: NodeId,
    children: Vec<Twin>,
    is_running: bool,
    /// Which child is running, for those with one; how often, for those that count.
    place: usize,
    count: u32,
    /// A moment, for those that wait for one.
    until: u64,
    /// Ends of the children of a parallel.
    ends: Vec<Option<Status>>,
    order: Vec<usize>,
    /// The last answer of a `when`, when it was given, whether a change of it counts by now, and whether its branch was
    /// ended by it.
    held: bool,
    asked_at: Option<u64>,
    is_watching: bool,
    is_ended: bool,
}

impl Twin {
    /// A twin whose nodes have these ids, in pre-order.
    pub fn new(shape: &Shape, ids: &mut impl Iterator<Item = NodeId>) -> Twin {
        let id = ids.next().unwrap();
        let children = match shape {
            Shape::Many(_, children) => children.iter().map(|child| Twin::new(child, ids)).collect(),
            Shape::One(_, child) => vec![Twin::new(child, ids)],
            _ => Vec::new(),
        };
        let ends = vec![None; children.len()];
        Twin {
            shape: shape.clone(),
            id,
            children,
            is_running: false,
            place: 0,
            count: 0,
            until: 0,
            ends,
            order: Vec::new(),
            held: false,
            asked_at: None,
            is_watching: false,
            is_ended: false,
        }
    }

    pub fn tick(&mut self, world: &mut World<'_>) -> Status {
        self.observe(world);
        let status = self.run(world);
        self.settle(false, world);
        status
    }

    /// At the end of a tick: observers to the left of what runs count changes from now on; those that were not asked in
    /// this tick are asked.
    fn settle(&mut self, is_passed: bool, world: &World<'_>) {
        match self.shape {
            Shape::One(One::When(key, Aborts::Lower | Aborts::Both), _) => {
                if is_passed && !self.is_watching && self.asked_at != Some(world.tick) {
                    self.held = world.keys[usize::from(key)];
                }
                self.is_watching = is_passed;
            }
            // Over already: it is nothing new later.
            Shape::One(One::Cooldown(_, true), _) if is_passed && world.tick >= self.until => self.until = 0,
            _ => {}
        }
        let is_selector = self.is_running && matches!(self.shape, Shape::Many(Many::Selector, _));
        let is_decorator = matches!(self.shape, Shape::One(..));
        for (index, child) in self.children.iter_mut().enumerate() {
            child.settle(is_decorator && is_passed || is_selector && index < self.place, world);
        }
    }

    fn forget_chain(&mut self) {
        if let Shape::One(..) = self.shape {
            self.is_watching = false;
            self.children[0].forget_chain();
        }
    }

    /// The running nodes, in pre-order.
    pub fn running(&self, found: &mut Vec<NodeId>) {
        if self.is_running {
            found.push(self.id);
        }
        for child in &self.children {
            child.running(found);
        }
    }

    /// Lets the observers ask again, in pre-order.
    fn observe(&mut self, world: &mut World<'_>) {
        if !self.is_running {
            return;
        }
        if let Shape::Many(Many::Selector, _) = self.shape {
            for left in 0..self.place {
                if self.children[left].takes_over(world) {
                    let place = self.place;
                    self.children[place].end(world);
                    self.place = left;
                    self.children[left..].iter_mut().for_each(Twin::forget_chain);
                    return;
                }
            }
        }
        if let Shape::One(One::When(key, aborts), _) = self.shape
            && matches!(aborts, Aborts::Own | Aborts::Both)
        {
            self.held = world.keys[usize::from(key)];
            if !self.held {
                self.children[0].end(world);
                self.is_ended = true;
                return;
            }
        }
        for child in &mut self.children {
            child.observe(world);
        }
    }

    /// Whether an observer on the way down to the next composite has just begun to say yes.
    fn takes_over(&mut self, world: &World<'_>) -> bool {
        let Shape::One(one, _) = self.shape else { return false };
        let begins = match one {
            One::When(key, aborts) => {
                let before = self.held;
                let is_lower = matches!(aborts, Aborts::Lower | Aborts::Both);
                if is_lower {
                    self.held = world.keys[usize::from(key)];
                }
                is_lower && self.held && !before
            }
            One::Cooldown(_, true) if self.until > 0 && world.tick >= self.until => {
                self.until = 0;
                true
            }
            _ => false,
        };
        begins || self.children[0].takes_over(world)
    }

    /// Ends what runs, the last node first.
    fn end(&mut self, world: &mut World<'_>) {
        for child in self.children.iter_mut().rev() {
            child.end(world);
        }
        if self.is_running {
            self.is_running = false;
            self.is_ended = false;
            if let Shape::Task(leaf) = self.shape {
                world.notes.events.push(Event::Abort(leaf, self.count));
            }
            if let Shape::One(One::Cooldown(rest, _), _) = self.shape {
                self.until = world.tick + u64::from(rest);
            }
        }
    }

    fn random(&self, world: &World<'_>, purpose: &str) -> Stream {
        let owner = AgentId::from_bits(1).to_bits() ^ self.id.0;
        Streams { seed: world.seed }.at(owner, Purpose::new(purpose), Tick(world.tick))
    }

    fn run(&mut self, world: &mut World<'_>) -> Status {
        let is_new = !self.is_running;
        let status = match self.shape.clone() {
            Shape::Task(leaf) => self.task(leaf, is_new, world),
            Shape::Check(leaf) => truth(world.script.condition(leaf, 0, world.tick)),
            Shape::Test(key) => truth(world.keys[usize::from(key)]),
            Shape::Set(key, value) => {
                if key < 3 {
                    world.keys[usize::from(key)] = value;
                } else {
                    world.posts.push((key, value));
                }
                Status::Success
            }
            Shape::Wait(ticks) => {
                if is_new {
                    self.until = world.tick + u64::from(ticks);
                }
                if world.tick >= self.until { Status::Success } else { Status::Running }
            }
            Shape::Succeed => Status::Success,
            Shape::Fail => Status::Failure,
            Shape::Idle => Status::Running,
            Shape::Many(many, _) => self.many(many, is_new, world),
            Shape::One(one, _) => self.one(one, is_new, world),
        };
        self.is_running = status == Status::Running;
        status
    }

    fn task(&mut self, leaf: u8, is_new: bool, world: &mut World<'_>) -> Status {
        if is_new {
            self.count = 0;
            world.notes.events.push(Event::Start(leaf));
        } else if world.tick < self.until {
            return Status::Running;
        }
        self.count += 1;
        world.notes.events.push(Event::Tick(leaf, self.count));
        let call = world.notes.call(leaf);
        let (status, sleep) = world.script.task(leaf, call, world.tick);
        self.until = world.tick + sleep.max(1);
        status
    }

    fn many(&mut self, many: Many, is_new: bool, world: &mut World<'_>) -> Status {
        let total = self.children.len();
        match many {
            Many::Sequence | Many::Selector => {
                let on = if many == Many::Sequence { Status::Success } else { Status::Failure };
                if is_new {
                    self.place = 0;
                    if many == Many::Selector {
                        self.children.iter_mut().for_each(Twin::forget_chain);
                    }
                }
                while self.place < total {
                    let place = self.place;
                    match self.children[place].run(world) {
                        status if status == on => self.place += 1,
                        status => return status,
                    }
                }
                on
            }
            Many::ReactiveSequence | Many::ReactiveSelector => {
                let on = if many == Many::ReactiveSequence { Status::Success } else { Status::Failure };
                for place in 0..total {
                    let status = self.children[place].run(world);
                    if status != on {
                        for other in (place + 1..total).rev() {
                            self.children[other].end(world);
                        }
                        return status;
                    }
                }
                on
            }
            Many::Parallel(success, failure) => self.parallel(success, failure, is_new, world),
            Many::RandomSequence | Many::WeightedSequence => self.drawn(many, Status::Success, is_new, world),
            Many::RandomSelector | Many::WeightedSelector | Many::Utility => {
                self.drawn(many, Status::Failure, is_new, world)
            }
        }
    }

    fn parallel(&mut self, success: u32, failure: u32, is_new: bool, world: &mut World<'_>) -> Status {
        if is_new {
            self.ends.fill(None);
        }
        for place in 0..self.children.len() {
            if self.ends[place].is_none() {
                let status = self.children[place].run(world);
                self.ends[place] = Some(status).filter(|&status| status != Status::Running);
            }
        }
        let needed = |quorum: u32| if quorum == 9 { self.children.len() } else { quorum as usize };
        let ended = |status| self.ends.iter().filter(|&&end| end == Some(status)).count();
        let status = if ended(Status::Failure) >= needed(failure) {
            Status::Failure
        } else if ended(Status::Success) >= needed(success) {
            Status::Success
        } else if self.ends.iter().all(Option::is_some) {
            Status::Failure
        } else {
            return Status::Running;
        };
        for child in self.children.iter_mut().rev() {
            child.end(world);
        }
        status
    }

    fn drawn(&mut self, many: Many, on: Status, is_new: bool, world: &mut World<'_>) -> Status {
        let total = self.children.len();
        if is_new {
            self.place = 0;
            self.order = (0..total).collect();
            let mut random = self.random(world, "tree order");
            match many {
                Many::RandomSelector | Many::RandomSequence => random.shuffle(&mut self.order),
                Many::Utility => {
                    // The best first; a stable sort keeps equals in order. What is no number is not tried.
                    let score = |place: &usize| world.script.score(*place as u8, world.tick);
                    self.order.retain(|place| !score(place).is_nan());
                    self.order.sort_by(|a, b| score(b).total_cmp(&score(a)));
                }
                _ => {
                    let mut left = std::mem::take(&mut self.order);
                    while !left.is_empty() {
                        let total: usize = left.iter().map(|place| place + 1).sum();
                        let mut drawn = random.unit() * total as f32;
                        let mut chosen = 0;
                        for (index, place) in left.iter().enumerate() {
                            drawn -= (place + 1) as f32;
                            if drawn < 0.0 {
                                chosen = index;
                                break;
                            }
                        }
                        self.order.push(left.remove(chosen));
                    }
                }
            }
        }
        while let Some(&child) = self.order.get(self.place) {
            match self.children[child].run(world) {
                status if status == on => self.place += 1,
                status => return status,
            }
        }
        on
    }

    fn one(&mut self, one: One, is_new: bool, world: &mut World<'_>) -> Status {
        match one {
            One::Cooldown(..) if is_new && world.tick < self.until => return Status::Failure,
            One::TimeLimit(limit) if is_new => self.until = world.tick + u64::from(limit),
            One::TimeLimit(_) if world.tick >= self.until => {
                self.children[0].end(world);
                return Status::Failure;
            }
            One::Probability(tenths) if is_new && self.random(world, "tree chance").unit() >= tenths as f32 / 10.0 => {
                return Status::Failure;
            }
            One::When(key, _) if is_new => {
                self.held = world.keys[usize::from(key)];
                self.asked_at = Some(world.tick);
                if !self.held {
                    return Status::Failure;
                }
            }
            One::When(..) if self.is_ended => {
                self.is_ended = false;
                return Status::Failure;
            }
            One::If(leaf) if is_new && !world.script.condition(leaf, 0, world.tick) => return Status::Failure,
            One::RunLimit(runs) if is_new => {
                if self.count >= runs {
                    return Status::Failure;
                }
                self.count += 1;
            }
            One::Repeat(_) | One::Catch(_) if is_new => self.count = 0,
            One::Delay(ticks) => {
                if is_new {
                    self.until = world.tick + u64::from(ticks);
                }
                if world.tick < self.until {
                    return Status::Running;
                }
            }
            One::Service(leaf, period) if is_new || world.tick >= self.until => {
                self.count = if is_new { 1 } else { self.count + 1 };
                world.notes.events.push(Event::Serve(leaf, self.count));
                let ticks = period_of(leaf, period).ticks(TickRate::new(1), || self.random(world, "tree time"));
                self.until = world.tick + ticks.max(1);
            }
            _ => {}
        }
        let status = self.children[0].run(world);
        if status == Status::Running {
            return status;
        }
        self.ended(one, status, world)
    }

    /// What a decorator makes of the end of its child.
    fn ended(&mut self, one: One, status: Status, world: &World<'_>) -> Status {
        let is_success = status == Status::Success;
        match one {
            One::Invert => truth(!is_success),
            One::ForceSuccess => Status::Success,
            One::ForceFailure => Status::Failure,
            One::Loop => Status::Running,
            One::UntilSuccess if !is_success => Status::Running,
            One::UntilFailure => {
                if is_success {
                    Status::Running
                } else {
                    Status::Success
                }
            }
            One::Repeat(times) if is_success => {
                self.count += 1;
                if self.count == times { Status::Success } else { Status::Running }
            }
            One::Catch(restarts) if !is_success => {
                self.count += 1;
                if self.count > restarts { Status::Failure } else { Status::Running }
            }
            One::Cooldown(rest, _) => {
                self.until = world.tick + u64::from(rest);
                status
            }
            _ => status,
        }
    }
}

fn truth(holds: bool) -> Status {
    if holds { Status::Success } else { Status::Failure }
}
