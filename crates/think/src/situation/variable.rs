//! The table of a planner's variables and the places of their bits.

use sentir_asset::{FilePosition, Problem, Refusal};

use super::{Need, Situation, WORDS};

/// Bits there are for the values of all variables.
pub const BITS_MAX: usize = WORDS * 64;

/// What values a variable has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// No or yes.
    Bool,
    /// The whole numbers from `low` to `high`, both included. Limit: 64 of them.
    Range {
        /// The least.
        low: i32,
        /// The greatest.
        high: i32,
    },
    /// One of some words. Limit: 64.
    Words(Vec<String>),
}

impl Domain {
    fn width(&self) -> usize {
        match self {
            Domain::Bool => 2,
            Domain::Range { low, high } => usize::try_from(i64::from(*high) - i64::from(*low) + 1).unwrap_or(0),
            Domain::Words(words) => words.len(),
        }
    }
}

/// A variable as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableSpec {
    /// Its name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Where it stands in its file; unknown when made by code.
    pub place: FilePosition,
}

impl VariableSpec {
    /// A variable made by code.
    pub fn new(name: &str, domain: Domain) -> VariableSpec {
        VariableSpec { name: name.to_owned(), domain, place: FilePosition::default() }
    }
}

/// Names a variable of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VariableId(pub(crate) u8);

impl VariableId {
    /// Its place in the table.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// A variable and where its bits are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    pub(crate) word: u8,
    pub(crate) shift: u8,
    pub(crate) width: u8,
}

impl Variable {
    /// All its bits, in place.
    #[inline]
    pub(crate) fn group(&self) -> u64 {
        (u64::MAX >> (64 - u32::from(self.width))) << self.shift
    }

    /// How a value reads.
    pub fn shown(&self, code: u8) -> String {
        match &self.domain {
            Domain::Bool => (code > 0).to_string(),
            Domain::Range { low, .. } => (low + i32::from(code)).to_string(),
            Domain::Words(words) => words.get(usize::from(code)).cloned().unwrap_or_default(),
        }
    }

    /// How a set of values reads, as in `1 or 2`.
    pub fn shown_set(&self, bits: u64) -> String {
        let codes = (0..self.width).filter(|code| bits >> code & 1 == 1);
        codes.map(|code| self.shown(code)).collect::<Vec<_>>().join(" or ")
    }
}

/// All variables of a planner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    list: Vec<Variable>,
    /// The last bit of every group.
    pub(crate) tops: [u64; WORDS],
    /// All other bits of the groups.
    pub(crate) rests: [u64; WORDS],
    /// Words in use, at least 1.
    pub(crate) used: usize,
}

impl Variables {
    /// Lays out the variables; refused when names repeat, values are too few or too many, or the bits do not suffice.
    pub fn build(specs: Vec<VariableSpec>) -> Result<Variables, Refusal> {
        let mut table = Variables { used: 1, ..Variables::default() };
        let mut free = [64usize; WORDS];
        for spec in specs {
            let width = spec.domain.width();
            let wrong = |sentence| Err(Refusal::wrong(spec.place, sentence));
            if table.find(&spec.name).is_some() {
                return Err(Refusal::new(spec.place, Problem::Twice { what: "facts", name: spec.name }));
            }
            if !(2..=64).contains(&width) {
                return wrong(format!("`{}` has {width} values: expected 2 to 64", spec.name));
            }
            if let Domain::Words(words) = &spec.domain
                && let Some(twice) = words.iter().enumerate().find(|(at, word)| words[..*at].contains(word))
            {
                return Err(Refusal::new(spec.place, Problem::Twice { what: "words", name: twice.1.clone() }));
            }
            let Some(word) = free.iter().position(|&left| left >= width) else {
                let sentence =
                    format!("no bits are left for `{}`: expected at most {BITS_MAX} values in all", spec.name);
                return wrong(sentence);
            };
            let shift = 64 - free[word];
            free[word] -= width;
            let narrow = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
            let variable = Variable {
                name: spec.name,
                domain: spec.domain,
                word: narrow(word),
                shift: narrow(shift),
                width: narrow(width),
            };
            let top = 1 << (shift + width - 1);
            table.tops[word] |= top;
            table.rests[word] |= variable.group() & !top;
            table.used = table.used.max(word + 1);
            table.list.push(variable);
        }
        Ok(table)
    }

    /// All variables, in order.
    pub fn list(&self) -> &[Variable] {
        &self.list
    }

    /// One variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.list[id.index()]
    }

    /// The variable of that name.
    pub fn find(&self, name: &str) -> Option<VariableId> {
        // At most 128 variables: an index fits.
        self.list.iter().position(|one| one.name == name).map(|index| VariableId(index as u8))
    }

    /// The ids of all variables.
    pub fn ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.list.len() as u8).map(VariableId)
    }

    /// The need that everything meets.
    pub fn anything(&self) -> Need {
        Need { words: std::array::from_fn(|word| self.tops[word] | self.rests[word]) }
    }

    /// The situation in which every variable has its first value.
    pub fn first(&self) -> Situation {
        let mut situation = Situation::default();
        for id in self.ids() {
            self.set(&mut situation, id, 0);
        }
        situation
    }

    /// Gives a variable a value, by its place among the values; one past the last becomes the last.
    #[inline]
    pub fn set(&self, situation: &mut Situation, id: VariableId, code: u8) {
        let variable = &self.list[id.index()];
        let word = &mut situation.words[usize::from(variable.word)];
        *word = (*word & !variable.group()) | 1 << (variable.shift + code.min(variable.width - 1));
    }

    /// The value of a variable, by its place among the values.
    #[inline]
    pub fn code(&self, situation: &Situation, id: VariableId) -> u8 {
        let variable = &self.list[id.index()];
        let bits = (situation.words[usize::from(variable.word)] & variable.group()) >> variable.shift;
        bits.trailing_zeros() as u8
    }

    /// The values of one variable that a need allows, the first value in the lowest bit.
    pub fn allowed(&self, need: &Need, id: VariableId) -> u64 {
        let variable = &self.list[id.index()];
        (need.words[usize::from(variable.word)] & variable.group()) >> variable.shift
    }

    /// Allows only some values of a variable, the first value in the lowest bit.
    pub fn restrict(&self, need: &mut Need, id: VariableId, allowed: u64) {
        let variable = &self.list[id.index()];
        let group = variable.group();
        need.words[usize::from(variable.word)] &= (allowed << variable.shift) & group | !group;
    }

    /// Whether some variable has no allowed value left.
    pub fn is_impossible(&self, need: &Need) -> bool {
        (0..WORDS).any(|word| filled(need.words[word], self.tops[word], self.rests[word]) != self.tops[word])
    }

    /// The first variable whose value a need does not allow.
    pub fn unmet(&self, situation: &Situation, need: &Need) -> Option<VariableId> {
        self.ids().find(|&id| self.allowed(need, id) >> self.code(situation, id) & 1 == 0)
    }

    /// The first variable none of whose allowed values is among several that are possible.
    pub(crate) fn out_of_reach(&self, possible: &Situation, need: &Need) -> Option<VariableId> {
        self.ids().find(|&id| {
            let word = usize::from(self.variable(id).word);
            possible.words[word] & need.words[word] & self.variable(id).group() == 0
        })
    }

    /// A situation from saved bits: a group that has not exactly one bit gets its first value.
    pub fn mended(&self, situation: &Situation) -> Situation {
        let mut mended = *situation;
        for (id, variable) in self.ids().zip(&self.list) {
            let bits = mended.words[usize::from(variable.word)] & variable.group();
            if bits.count_ones() != 1 {
                self.set(&mut mended, id, 0);
            }
        }
        mended
    }
}

/// The top bits of the groups of one word that have any bit. Adding all rests carries into a group's top exactly when one
/// of its lower bits is set, and never further.
#[inline]
pub(crate) fn filled(word: u64, tops: u64, rests: u64) -> u64 {
    (((word & rests) + rests) | word) & tops
}
