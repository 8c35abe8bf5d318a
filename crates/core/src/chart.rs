//! A brain as one can look at it: parts under parts, what each is, and what it is doing now.
//!
//! Every kind of brain fills the same chart: the nodes of a tree, the states of a machine with its transitions, the
//! options of a utility brain with their scores, the steps of a plan. The studio lists it beside the stage, lit live;
//! [`Chart::svg`] makes a picture of it. Charts are made when somebody looks; nothing decides by them.

mod layout;
mod svg;

pub use svg::escaped;

/// A brain, drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What kind of brain it is, as in `behavior tree`.
    pub kind: &'static str,
    /// What the brain is called.
    pub name: String,
    parts: Vec<Part>,
    arrows: Vec<Arrow>,
}

/// Which part of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartId(u32);

impl PartId {
    /// Its place among [`Chart::parts`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One part: a node, a state, an option, a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is a part of; none for a root. Always an earlier one.
    pub parent: Option<PartId>,
    /// What it is, as in `sequence`.
    pub kind: &'static str,
    /// What it is called, with its parameters.
    pub label: String,
    /// What it is doing.
    pub mood: Mood,
    /// Why, as in `ammo is 0, not over 5`; may be empty.
    pub note: String,
    /// How much it is wanted, 0..=1, where that is known.
    pub share: Option<f32>,
}

/// What a part is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// Nothing.
    #[default]
    Idle,
    /// It runs.
    Active,
    /// It came to a good end when it was last asked.
    Succeeded,
    /// It came to a bad end when it was last asked.
    Failed,
    /// It would not begin; the note says why.
    Refused,
    /// It was broken off; the note says by what.
    Aborted,
}

impl Mood {
    /// A word for it, also the class of its picture.
    pub fn name(self) -> &'static str {
        match self {
            Mood::Idle => "idle",
            Mood::Active => "active",
            Mood::Succeeded => "succeeded",
            Mood::Failed => "failed",
            Mood::Refused => "refused",
            Mood::Aborted => "aborted",
        }
    }
}

/// A way from one part to another: a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// From where.
    pub from: PartId,
    /// To where.
    pub to: PartId,
    /// When it is taken.
    pub label: String,
    /// Whether it was taken last.
    pub is_lit: bool,
}

impl Chart {
    /// An empty chart.
    pub fn new(kind: &'static str, name: impl Into<String>) -> Chart {
        Chart { kind, name: name.into(), ..Chart::default() }
    }

    /// Adds an idle part. A parent that is not there yet counts as none.
    pub fn add(&mut self, parent: Option<PartId>, kind: &'static str, label: impl Into<String>) -> PartId {
        let parent = parent.filter(|parent| parent.index() < self.parts.len());
        let part = Part { parent, kind, label: label.into(), mood: Mood::Idle, note: String::new(), share: None };
        self.parts.push(part);
        PartId(self.parts.len() as u32 - 1)
    }

    /// Adds a way between two parts. One from or to nowhere is left out.
    pub fn link(&mut self, from: PartId, to: PartId, label: impl Into<String>, is_lit: bool) {
        if from.index().max(to.index()) < self.parts.len() {
            self.arrows.push(Arrow { from, to, label: label.into(), is_lit });
        }
    }

    /// The parts, each after what it is a part of.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The ways between parts.
    pub fn arrows(&self) -> &[Arrow] {
        &self.arrows
    }

    /// A part, to say what it is doing.
    ///
    /// # Panics
    /// When the part is of another chart, and this one is shorter.
    pub fn part_mut(&mut self, id: PartId) -> &mut Part {
        &mut self.parts[id.index()]
    }

    /// The parts depth first, siblings in the order they were added: as a list shows them.
    pub fn in_order(&self) -> impl Iterator<Item = (PartId, &Part)> {
        layout::in_order(self).into_iter().map(|index| (PartId(index as u32), &self.parts[index]))
    }

    /// How deep a part lies: 0 for a root.
    pub fn depth(&self, id: PartId) -> u32 {
        let parent = |id: PartId| self.parts.get(id.index()).and_then(|part| part.parent);
        let above = std::iter::successors(parent(id), |&up| parent(up));
        above.count() as u32
    }
}
