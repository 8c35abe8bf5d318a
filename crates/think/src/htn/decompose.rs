//! Taking tasks apart: forward, in order, with going back to the last choice when something does not fit.
//!
//! The first task of the agenda is looked at, as in SHOP (Nau et al.): a primitive one whose conditions hold becomes a step
//! and changes the working situation; a compound one is replaced by the tasks of its first method whose conditions hold.
//! When neither is possible the newest choice is taken back and its next method tried. The agenda is a chain of cells that
//! share their ends, so taking back is cutting off what is new. So the plan is the one that the order of the methods
//! prefers, the same that a plain recursion finds.
//!
//! Two more uses of the same search: *beating* a plan (only choices that come earlier in the order of methods count, so a
//! search that cannot win ends at once), and *repairing* one (see [`repair`]). Each method that is looked at is one try, the
//! nominal work. Warm, nothing is allocated.

use sentir_core::State;

use super::network::{Job, Network, PAUSE};
use crate::situation::Situation;

/// Most steps of a plan.
pub const STEPS_MAX: usize = 64;
/// How deep tasks may be nested; deeper is a branch that fails.
pub const DEPTH_MAX: u8 = 64;
/// Most choices of a plan.
pub const CHOICES_MAX: usize = 1024;
/// No owner: what the agenda began with.
pub(super) const NOBODY: u16 = u16::MAX;
/// The end of a chain of cells.
const END: u32 = u32::MAX;

/// A task and where it comes from: the choice that owns it, and its place among that method's tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Pending {
    /// Number of the task.
    pub task: u16,
    pub(super) owner: u16,
    pub(super) place: u16,
}

/// A compound task and the method chosen for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Choice {
    pub(super) whom: Pending,
    /// Number of the method over all tasks.
    pub(super) method: u16,
    pub(super) depth: u8,
}

/// What became of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decomposed {
    /// There is a plan; it is in the scratch.
    Found,
    /// No choice of methods works out.
    NoPlan,
    /// The allowed tries were used up.
    OutOfBudget,
}

/// What to take apart, and from where.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The tasks, in order.
    pub agenda: &'a [Pending],
    /// Choices made already, which the tasks may come from.
    pub kept: &'a [Choice],
    /// The first method to look at for the first task, counted within the task.
    pub first_method: u16,
    /// The choices of a plan that must be beaten.
    pub beat: Option<&'a [Choice]>,
    /// Tries allowed.
    pub tries_max: u32,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    pending: Pending,
    next: u32,
}

/// What there was before a choice.
#[derive(Clone, Copy, Debug)]
struct Mark {
    head: u32,
    next_method: u16,
    situation: Situation,
    steps: u32,
    choices: u32,
    cells: u32,
    wins_at: Option<u32>,
}

/// Memory of the search, kept between searches, and its result.
#[derive(Clone, Debug, Default)]
pub struct TaskScratch {
    cells: Vec<Cell>,
    marks: Vec<Mark>,
    agenda: Vec<Pending>,
    /// The steps of the plan.
    pub(super) steps: Vec<Pending>,
    /// The choices behind it.
    pub(super) choices: Vec<Choice>,
    /// Where planning paused, if it did.
    pub(super) pause: Option<Pending>,
    tries: u32,
}

impl TaskScratch {
    /// The steps of the plan found last.
    pub fn steps(&self) -> &[Pending] {
        &self.steps
    }

    /// Whether the plan found last stops at a pause, with more to plan when it is done.
    pub fn is_partial(&self) -> bool {
        self.pause.is_some()
    }

    /// Methods looked at by the search made last: its nominal work.
    pub fn tries(&self) -> u32 {
        self.tries
    }
}

/// The agenda of a whole plan.
pub fn whole(network: &Network) -> [Pending; 1] {
    [Pending { task: network.root, owner: NOBODY, place: 0 }]
}

/// The state of a search besides its memory.
struct Search<'a> {
    network: &'a Network,
    request: Request<'a>,
    situation: Situation,
    head: u32,
    /// How many choices were equal to those to beat when one came out ahead.
    wins_at: Option<u32>,
}

/// Takes the agenda apart.
pub fn decompose(network: &Network, start: &Situation, request: Request<'_>, scratch: &mut TaskScratch) -> Decomposed {
    scratch.cells.clear();
    scratch.marks.clear();
    scratch.steps.clear();
    scratch.choices.clear();
    scratch.choices.extend_from_slice(request.kept);
    scratch.pause = None;
    scratch.tries = 0;
    let mut search = Search { network, request, situation: *start, head: END, wins_at: None };
    for &pending in request.agenda.iter().rev() {
        search.prepend(pending, scratch);
    }
    let mut from = request.first_method;
    loop {
        let went = match search.next(from, scratch) {
            Next::On => true,
            Next::Done => return Decomposed::Found,
            Next::Stuck => false,
            Next::Spent => return Decomposed::OutOfBudget,
        };
        from = 0;
        if !went {
            let Some(mark) = scratch.marks.pop() else {
                scratch.steps.clear();
                scratch.choices.clear();
                return Decomposed::NoPlan;
            };
            search.head = mark.head;
            search.situation = mark.situation;
            search.wins_at = mark.wins_at;
            scratch.steps.truncate(mark.steps as usize);
            scratch.choices.truncate(mark.choices as usize);
            scratch.cells.truncate(mark.cells as usize);
            from = mark.next_method;
        }
    }
}

enum Next {
    /// Something was taken off the agenda.
    On,
    /// The agenda is empty, or pauses.
    Done,
    /// This way does not work out.
    Stuck,
    /// No tries are left.
    Spent,
}

impl Search<'_> {
    fn prepend(&mut self, pending: Pending, scratch: &mut TaskScratch) {
        scratch.cells.push(Cell { pending, next: self.head });
        self.head = scratch.cells.len() as u32 - 1;
    }

    fn next(&mut self, from: u16, scratch: &mut TaskScratch) -> Next {
        // A plan that makes the same choices as the one to beat does not beat it.
        let ends = if self.request.beat.is_some() && self.wins_at.is_none() { Next::Stuck } else { Next::Done };
        if self.head == END {
            return ends;
        }
        let cell = scratch.cells[self.head as usize];
        if cell.pending.task == PAUSE {
            scratch.pause = Some(cell.pending);
            return ends;
        }
        match &self.network.jobs[usize::from(cell.pending.task)] {
            Job::Primitive { need, effects } => {
                if scratch.steps.len() == STEPS_MAX || !self.situation.meets(need) {
                    return Next::Stuck;
                }
                self.situation = effects.apply(&self.situation);
                scratch.steps.push(cell.pending);
                self.head = cell.next;
                Next::On
            }
            &Job::Compound { first, count } => self.choose(cell, first + from, first + count, scratch),
        }
    }

    /// Chooses the first fitting method of those from `from` to `end`.
    fn choose(&mut self, cell: Cell, from: u16, end: u16, scratch: &mut TaskScratch) -> Next {
        let owner = cell.pending.owner;
        let depth = if owner == NOBODY { 0 } else { scratch.choices[usize::from(owner)].depth + 1 };
        if depth == DEPTH_MAX || scratch.choices.len() == CHOICES_MAX {
            return Next::Stuck;
        }
        for method in from..end {
            if scratch.tries == self.request.tries_max {
                return Next::Spent;
            }
            scratch.tries += 1;
            if !self.situation.meets(&self.network.methods[usize::from(method)].need) {
                continue;
            }
            let number = scratch.choices.len() as u32;
            let mut wins_at = self.wins_at;
            if let (Some(beat), None) = (self.request.beat, wins_at) {
                match beat.get(number as usize) {
                    Some(old) if method < old.method => wins_at = Some(number),
                    Some(old) if method == old.method => {}
                    _ => return Next::Stuck,
                }
            }
            let first = self.first_of(cell.pending.task);
            scratch.marks.push(Mark {
                head: self.head,
                next_method: method + 1 - first,
                situation: self.situation,
                steps: scratch.steps.len() as u32,
                choices: number,
                cells: scratch.cells.len() as u32,
                wins_at: self.wins_at,
            });
            self.wins_at = wins_at;
            scratch.choices.push(Choice { whom: cell.pending, method, depth });
            self.head = cell.next;
            let tasks = self.network.subtasks(method);
            for (place, &task) in tasks.iter().enumerate().rev() {
                // Choices and tasks of a method stay far below 2^16.
                self.prepend(Pending { task, owner: number as u16, place: place as u16 }, scratch);
            }
            return Next::On;
        }
        Next::Stuck
    }

    fn first_of(&self, task: u16) -> u16 {
        match self.network.jobs[usize::from(task)] {
            Job::Compound { first, .. } => first,
            Job::Primitive { .. } => 0,
        }
    }
}

/// What comes after a task: the rest of its method, then that of the method around it, and so on.
pub(super) fn tail(network: &Network, choices: &[Choice], after: Pending, into: &mut Vec<Pending>) {
    let mut at = after;
    while let Some(choice) = choices.get(usize::from(at.owner)) {
        let tasks = network.subtasks(choice.method);
        for place in at.place + 1..tasks.len() as u16 {
            into.push(Pending { task: tasks[usize::from(place)], owner: at.owner, place });
        }
        at = choice.whom;
    }
}

/// Goes on behind a pause: what is left of the agenda, with the choices made so far.
pub fn resume(
    network: &Network,
    now: &Situation,
    choices: &[Choice],
    pause: Pending,
    tries_max: u32,
    scratch: &mut TaskScratch,
) -> Decomposed {
    let mut agenda = std::mem::take(&mut scratch.agenda);
    agenda.clear();
    tail(network, choices, pause, &mut agenda);
    let request = Request { agenda: &agenda, kept: choices, first_method: 0, beat: None, tries_max };
    let found = decompose(network, now, request, scratch);
    scratch.agenda = agenda;
    found
}

/// Mends a plan whose step failed, keeping what is done: the innermost compound task around the step tries its other
/// methods, and what was to come after that task follows; if nothing works out, the task around that one, and so on. The
/// choices made before stay, so what is finished is not planned again.
pub fn repair(
    network: &Network,
    now: &Situation,
    choices: &[Choice],
    failed: Pending,
    tries_max: u32,
    scratch: &mut TaskScratch,
) -> Decomposed {
    let mut agenda = std::mem::take(&mut scratch.agenda);
    let mut owner = failed.owner;
    let mut left = tries_max;
    let mut found = Decomposed::NoPlan;
    while let Some(choice) = choices.get(usize::from(owner)) {
        agenda.clear();
        agenda.push(choice.whom);
        tail(network, choices, choice.whom, &mut agenda);
        let first = match network.jobs[usize::from(choice.whom.task)] {
            Job::Compound { first, .. } => first,
            Job::Primitive { .. } => break,
        };
        let request = Request {
            agenda: &agenda,
            kept: &choices[..usize::from(owner)],
            first_method: choice.method + 1 - first,
            beat: None,
            tries_max: left,
        };
        found = decompose(network, now, request, scratch);
        left -= scratch.tries;
        if found != Decomposed::NoPlan {
            break;
        }
        owner = choice.whom.owner;
    }
    scratch.agenda = agenda;
    scratch.tries = tries_max - left;
    found
}
