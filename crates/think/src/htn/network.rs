//! The tasks of an agent and how compound ones come apart, compiled.

use sentir_asset::{FilePosition, Problem, Refusal};

use crate::situation::{Allowed, Change, Effects, Need, Situation, Variables, needed, stated};

/// Most tasks of a network.
pub const TASKS_MAX: usize = 1024;
/// Most methods of a network.
pub const METHODS_MAX: usize = 4096;
/// The name of the subtask at which planning stops, to go on when what stands before it is done.
pub const PAUSE_NAME: &str = "pause";
/// The number that stands for it.
pub(super) const PAUSE: u16 = u16::MAX;

/// A task as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskSpec {
    /// Its name.
    pub name: String,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
    /// Whether it can be done at once or comes apart.
    pub form: TaskForm,
}

/// What sort of task.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskForm {
    /// Can be done as it is.
    Primitive {
        /// What must hold before: fact, values, place in the file.
        when: Vec<(String, Allowed, FilePosition)>,
        /// What it changes: fact, change, place in the file.
        makes: Vec<(String, Change, FilePosition)>,
    },
    /// Comes apart by one of these methods; earlier ones go first.
    Compound(Vec<MethodSpec>),
}

/// A way to do a compound task, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodSpec {
    /// Its name.
    pub name: String,
    /// What must hold when it is chosen: fact, values, place in the file.
    pub when: Vec<(String, Allowed, FilePosition)>,
    /// What must hold when it is chosen and as long as its tasks are at work: fact, values, place in the file.
    pub keeps: Vec<(String, Allowed, FilePosition)>,
    /// What to do, in this order, by name.
    pub tasks: Vec<(String, FilePosition)>,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
}

impl TaskSpec {
    /// A primitive task made by code, that changes nothing yet.
    pub fn primitive(name: &str, when: &[(&str, Allowed)]) -> TaskSpec {
        let place = FilePosition::default();
        let when = when.iter().map(|(fact, allowed)| ((*fact).to_owned(), allowed.clone(), place)).collect();
        TaskSpec { name: name.to_owned(), place, form: TaskForm::Primitive { when, makes: Vec::new() } }
    }

    /// The task with more that it changes. A compound task changes nothing itself, and is left as it is.
    pub fn making(mut self, changes: &[(&str, Change)]) -> TaskSpec {
        if let TaskForm::Primitive { makes, .. } = &mut self.form {
            let made = |(fact, change): &(&str, Change)| ((*fact).to_owned(), change.clone(), FilePosition::default());
            makes.extend(changes.iter().map(made));
        }
        self
    }

    /// A compound task made by code.
    pub fn compound(name: &str, methods: Vec<MethodSpec>) -> TaskSpec {
        TaskSpec { name: name.to_owned(), place: FilePosition::default(), form: TaskForm::Compound(methods) }
    }
}

impl MethodSpec {
    /// A method made by code.
    pub fn new(name: &str, when: &[(&str, Allowed)], tasks: &[&str]) -> MethodSpec {
        let place = FilePosition::default();
        let when = when.iter().map(|(fact, allowed)| ((*fact).to_owned(), allowed.clone(), place)).collect();
        let tasks = tasks.iter().map(|task| ((*task).to_owned(), place)).collect();
        MethodSpec { name: name.to_owned(), when, keeps: Vec::new(), tasks, place }
    }
}

/// A task, compiled.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Job {
    Primitive {
        need: Need,
        effects: Effects,
    },
    /// The methods from `first` on, so many.
    Compound {
        first: u16,
        count: u16,
    },
}

/// A method, compiled: its subtasks are `from..to` in the list of all.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Method {
    pub(super) name: String,
    pub(super) need: Need,
    /// The part of the need that must go on to hold.
    pub(super) keep: Need,
    from: u32,
    to: u32,
}

/// All tasks of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    pub(super) table: Variables,
    names: Vec<String>,
    pub(super) jobs: Vec<Job>,
    pub(super) methods: Vec<Method>,
    subtasks: Vec<u16>,
    pub(super) root: u16,
}

impl Network {
    /// Compiles the tasks; `root` is the one that every plan begins with. Refused when a name is unknown or repeats, when
    /// a task can never come to an end, or when no plan can ever use it.
    pub fn build(
        table: Variables,
        specs: &[TaskSpec],
        root: &str,
        root_place: FilePosition,
    ) -> Result<Network, Refusal> {
        let names: Vec<String> = specs.iter().map(|spec| spec.name.clone()).collect();
        for (index, spec) in specs.iter().enumerate() {
            if spec.name == PAUSE_NAME {
                let sentence = format!("`{PAUSE_NAME}` is what stops planning within a method: expected another name");
                return Err(Refusal::wrong(spec.place, sentence));
            }
            if names[..index].contains(&spec.name) {
                return Err(Refusal::new(spec.place, Problem::Twice { what: "tasks", name: spec.name.clone() }));
            }
        }
        if specs.len() > TASKS_MAX {
            return Err(Refusal::wrong(specs[TASKS_MAX].place, format!("more than {TASKS_MAX} tasks are too many")));
        }
        let mut network =
            Network { table, names, jobs: Vec::new(), methods: Vec::new(), subtasks: Vec::new(), root: 0 };
        network.root = network.number(root, root_place)?;
        if network.root == PAUSE {
            let sentence = format!("`{PAUSE_NAME}` is no task: expected the one that every plan begins with");
            return Err(Refusal::wrong(root_place, sentence));
        }
        for spec in specs {
            let job = network.compiled(spec)?;
            network.jobs.push(job);
        }
        network.check_ends(specs)?;
        network.check_use(specs)?;
        Ok(network)
    }

    fn number(&self, name: &str, place: FilePosition) -> Result<u16, Refusal> {
        if name == PAUSE_NAME {
            return Ok(PAUSE);
        }
        let unknown = || Refusal::unknown(place, "task", name, self.names.iter().map(String::as_str));
        // Limited by TASKS_MAX.
        self.names.iter().position(|one| one == name).map(|index| index as u16).ok_or_else(unknown)
    }

    fn compiled(&mut self, spec: &TaskSpec) -> Result<Job, Refusal> {
        match &spec.form {
            TaskForm::Primitive { when, makes } => {
                let when = when.iter().map(|(name, allowed, place)| (name.as_str(), allowed, *place));
                let makes = makes.iter().map(|(name, change, place)| (name.as_str(), change, *place));
                let (effects, possible) = stated(&self.table, makes)?;
                let need = needed(&self.table, when)?.and(&possible);
                if self.table.is_impossible(&need) {
                    let sentence = format!("`{}` can never be done: what it adds always leaves the range", spec.name);
                    return Err(Refusal::wrong(spec.place, sentence));
                }
                Ok(Job::Primitive { need, effects })
            }
            TaskForm::Compound(methods) => {
                if methods.is_empty() {
                    let sentence = format!("`{}` has no methods: expected at least one", spec.name);
                    return Err(Refusal::wrong(spec.place, sentence));
                }
                let first = self.methods.len();
                if first + methods.len() > METHODS_MAX {
                    let sentence = format!("more than {METHODS_MAX} methods are too many");
                    return Err(Refusal::wrong(spec.place, sentence));
                }
                for (index, method) in methods.iter().enumerate() {
                    if methods[..index].iter().any(|one| one.name == method.name) {
                        let problem = Problem::Twice { what: "methods", name: method.name.clone() };
                        return Err(Refusal::new(method.place, problem));
                    }
                    let when = method.when.iter().map(|(name, allowed, place)| (name.as_str(), allowed, *place));
                    let keeps = method.keeps.iter().map(|(name, allowed, place)| (name.as_str(), allowed, *place));
                    let keep = needed(&self.table, keeps)?;
                    let need = needed(&self.table, when)?.and(&keep);
                    if self.table.is_impossible(&need) {
                        let sentence =
                            format!("`{}` can never be chosen: `when` and `while` exclude each other", method.name);
                        return Err(Refusal::wrong(method.place, sentence));
                    }
                    let from = self.subtasks.len() as u32;
                    for (name, place) in &method.tasks {
                        let number = self.number(name, *place)?;
                        self.subtasks.push(number);
                    }
                    let to = self.subtasks.len() as u32;
                    self.methods.push(Method { name: method.name.clone(), need, keep, from, to });
                }
                Ok(Job::Compound { first: first as u16, count: methods.len() as u16 })
            }
        }
    }

    /// Every compound task needs a method all of whose tasks come to an end.
    fn check_ends(&self, specs: &[TaskSpec]) -> Result<(), Refusal> {
        let mut ends: Vec<bool> = self.jobs.iter().map(|job| matches!(job, Job::Primitive { .. })).collect();
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for (task, job) in self.jobs.iter().enumerate() {
                let Job::Compound { first, count } = *job else { continue };
                let done = |task: &u16| *task == PAUSE || ends[usize::from(*task)];
                if !ends[task] && (first..first + count).any(|method| self.subtasks(method).iter().all(done)) {
                    ends[task] = true;
                    is_settled = false;
                }
            }
        }
        match ends.iter().position(|&ends| !ends) {
            None => Ok(()),
            Some(task) => Err(Refusal::wrong(
                specs[task].place,
                format!("`{}` goes round in a cycle: expected a method that ends", specs[task].name),
            )),
        }
    }

    /// Every task must be used by the root, or by what it uses.
    fn check_use(&self, specs: &[TaskSpec]) -> Result<(), Refusal> {
        let mut used = vec![false; self.jobs.len()];
        let mut open = vec![self.root];
        while let Some(task) = open.pop() {
            if task == PAUSE || std::mem::replace(&mut used[usize::from(task)], true) {
                continue;
            }
            if let Job::Compound { first, count } = self.jobs[usize::from(task)] {
                open.extend((first..first + count).flat_map(|method| self.subtasks(method)));
            }
        }
        match used.iter().position(|&used| !used) {
            None => Ok(()),
            Some(task) => Err(Refusal::wrong(
                specs[task].place,
                format!(
                    "`{}` is out of reach: no method that `{}` leads to uses it",
                    specs[task].name,
                    self.name(self.root)
                ),
            )),
        }
    }

    /// Refuses tasks and methods that can never be used, because nothing brings about what they need. `possible` are the
    /// values that facts may have before anything is done.
    pub(super) fn check_facts(&self, specs: &[TaskSpec], mut possible: Situation) -> Result<(), Refusal> {
        let mut is_settled = false;
        // Every round but the last adds a value.
        while !is_settled {
            is_settled = true;
            for job in &self.jobs {
                if let Job::Primitive { need, effects } = job
                    && self.table.out_of_reach(&possible, need).is_none()
                {
                    is_settled &= !effects.spread(need, &mut possible);
                }
            }
        }
        let refuse = |name: &str, place: FilePosition, need: &Need| {
            let Some(id) = self.table.out_of_reach(&possible, need) else { return Ok(()) };
            let (variable, allowed) = (self.table.variable(id), self.table.allowed(need, id));
            let (fact, values) = (&variable.name, variable.shown_set(allowed));
            Err(Refusal::wrong(place, format!("`{name}` can never be used: no task makes `{fact}` {values}")))
        };
        for (spec, job) in specs.iter().zip(&self.jobs) {
            match (job, &spec.form) {
                (Job::Primitive { need, .. }, _) => refuse(&spec.name, spec.place, need)?,
                (&Job::Compound { first, .. }, TaskForm::Compound(methods)) => {
                    for (method, row) in methods.iter().zip(&self.methods[usize::from(first)..]) {
                        refuse(&method.name, method.place, &row.need)?;
                    }
                }
                (Job::Compound { .. }, TaskForm::Primitive { .. }) => {}
            }
        }
        Ok(())
    }

    /// The variables that conditions and effects are about.
    pub fn table(&self) -> &Variables {
        &self.table
    }

    /// How many tasks there are.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The name of a task.
    pub fn name(&self, task: u16) -> &str {
        self.names.get(usize::from(task)).map_or(PAUSE_NAME, String::as_str)
    }

    /// The task that every plan begins with.
    pub fn root(&self) -> u16 {
        self.root
    }

    /// The subtasks of a method.
    #[inline]
    pub(super) fn subtasks(&self, method: u16) -> &[u16] {
        let method = &self.methods[usize::from(method)];
        &self.subtasks[method.from as usize..method.to as usize]
    }
}
