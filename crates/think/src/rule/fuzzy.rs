//! Fuzzy sets, feelings and outputs.

use sentir_asset::{FilePosition, Node, Refusal};
use sentir_core::math;

use crate::file::read_key;
use crate::key::{Bind, Key};
use crate::leaf::Host;
use crate::thought::Thought;
use crate::utility::appeal::read_number;

/// A set with soft edges: straight lines between points of (input, degree), the ends held.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzySet {
    /// Its name.
    pub name: String,
    /// The points, ascending by input; degrees are held to 0..=1.
    pub points: Vec<[f32; 2]>,
}

impl FuzzySet {
    /// To what degree an input belongs to it, 0..=1; NaN does not.
    pub fn degree(&self, input: f32) -> f32 {
        let after = self.points.partition_point(|point| point[0] <= input);
        let degree = match (after.checked_sub(1).map(|at| self.points[at]), self.points.get(after)) {
            (Some([x0, y0]), Some(&[x1, y1])) => math::lerp(y0, y1, (input - x0) / (x1 - x0)),
            (Some([_, y]), None) => y,
            (None, Some(&[_, y])) if !input.is_nan() => y,
            _ => 0.0,
        };
        if degree.is_nan() { 0.0 } else { math::saturate(degree) }
    }

    fn problem(&self) -> Option<String> {
        if self.points.is_empty() {
            return Some(format!("`{}` has no points: expected at least one", self.name));
        }
        // NaN does not ascend.
        let ascends = self.points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        (!ascends)
            .then(|| format!("the points of `{}` do not ascend: expected each input above the one before", self.name))
    }
}

/// An input and its sets.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzyVariable {
    /// Its name.
    pub name: String,
    /// What is looked at; a missing value belongs to no set.
    pub input: Bind<f32>,
    /// The sets.
    pub sets: Vec<FuzzySet>,
}

/// 'The health is low': a variable and a set of it, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feeling {
    variable: u16,
    set: u16,
}

/// A number that follows from feelings.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzyOutput {
    /// Where it is written.
    pub key: Key<f32>,
    /// What is felt, and the value it speaks for.
    pub rules: Vec<(Vec<Feeling>, f32)>,
}

/// All sets of a brain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fuzzy {
    variables: Vec<FuzzyVariable>,
}

impl Fuzzy {
    /// Checks the sets.
    pub fn build(variables: Vec<FuzzyVariable>) -> Result<Fuzzy, Refusal> {
        Fuzzy::checked(variables, FilePosition::default())
    }

    fn checked(variables: Vec<FuzzyVariable>, place: FilePosition) -> Result<Fuzzy, Refusal> {
        for variable in &variables {
            if let Some(problem) = variable.sets.iter().find_map(FuzzySet::problem) {
                return Err(Refusal::wrong(place, problem));
            }
        }
        Ok(Fuzzy { variables })
    }

    pub(super) fn read(node: Option<&Node>) -> Result<Fuzzy, Refusal> {
        let Some(node) = node else { return Ok(Fuzzy::default()) };
        let mut variables = Vec::new();
        for entry in node.map()? {
            let mut sets = Vec::new();
            for set in entry.node.map()?.iter().filter(|set| set.key != "input") {
                let read = FuzzySet { name: set.key.clone(), points: set.node.read()? };
                if let Some(problem) = read.problem() {
                    return Err(Refusal::wrong(set.place, problem));
                }
                sets.push(read);
            }
            let input = read_number(entry.node.need("input")?)?;
            variables.push(FuzzyVariable { name: entry.key.clone(), input, sets });
        }
        Fuzzy::checked(variables, node.place)
    }

    /// The feeling of these names.
    pub fn feeling(&self, variable: &str, set: &str, place: FilePosition) -> Result<Feeling, Refusal> {
        let names = self.variables.iter().map(|one| one.name.as_str());
        let unknown = || Refusal::unknown(place, "input", variable, names);
        let number = self.variables.iter().position(|one| one.name == variable).ok_or_else(unknown)?;
        let sets = &self.variables[number].sets;
        let unknown = || Refusal::unknown(place, "set", set, sets.iter().map(|one| one.name.as_str()));
        let set = sets.iter().position(|one| one.name == set).ok_or_else(unknown)?;
        // Files of 1 MB hold far fewer.
        Ok(Feeling { variable: number as u16, set: set as u16 })
    }

    pub(super) fn read_feelings(&self, node: Option<&Node>) -> Result<Vec<Feeling>, Refusal> {
        let Some(node) = node else { return Ok(Vec::new()) };
        let one = |entry: &sentir_asset::Entry| self.feeling(&entry.key, entry.node.text()?, entry.node.place);
        node.map()?.iter().map(one).collect()
    }

    pub(super) fn read_outputs(&self, node: Option<&Node>) -> Result<Vec<FuzzyOutput>, Refusal> {
        let Some(node) = node else { return Ok(Vec::new()) };
        let mut outputs = Vec::new();
        for one in node.list()? {
            one.allow(&["key", "rules"])?;
            let key_node = one.need("key")?;
            let key = read_key(key_node)?;
            let other = || {
                Refusal::wrong(
                    key_node.place,
                    format!("found a key of kind {}: expected one of kind float", key.kind()),
                )
            };
            let key = key.typed().ok_or_else(other)?;
            let mut rules = Vec::new();
            for rule in one.need("rules")?.list()? {
                rule.allow(&["feels", "value"])?;
                rules.push((self.read_feelings(rule.find("feels"))?, rule.need("value")?.number()? as f32));
            }
            outputs.push(FuzzyOutput { key, rules });
        }
        Ok(outputs)
    }

    /// The degree of one feeling now.
    pub fn degree<H: Host>(&self, feeling: Feeling, thought: &Thought<'_, H>) -> f32 {
        let variable = &self.variables[usize::from(feeling.variable)];
        variable.input.read(&thought.board).map_or(0.0, |input| variable.sets[usize::from(feeling.set)].degree(input))
    }

    /// How strong all of these are together: as the weakest of them; 1 for none.
    pub fn strength<H: Host>(&self, feelings: &[Feeling], thought: &Thought<'_, H>) -> f32 {
        feelings.iter().fold(1.0, |least, &one| math::min(least, self.degree(one, thought)))
    }

    /// The value of an output now; none when nothing speaks for any.
    pub fn infer<H: Host>(&self, output: &FuzzyOutput, thought: &Thought<'_, H>) -> Option<f32> {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (feelings, value) in &output.rules {
            let strength = self.strength(feelings, thought);
            sum += strength * value;
            weight += strength;
        }
        (weight > 0.0).then(|| sum / weight)
    }
}
