//! From what is authored to what runs: every name and number is checked here, once.

use std::fmt;

#[cfg(feature = "files")]
use sentir_asset::{AssetError, Header, Refusal};
use sentir_asset::{FilePosition, Node, Problem};
use sentir_core::math;
use thiserror::Error;

use super::curve::Curve;
use super::spec::{Each, GeneratorSpec, PathBy, Posture, Purpose, QuerySpec, Scale, TestKindSpec, TestSpec};
use super::world::{ContextKind, Lexicon};

/// The kind of file a query is, and its current version.
pub const KIND: (&str, u32) = ("query", 1);
/// Points of a query at most; further ones are left out.
pub const POINTS_MAX: usize = 4096;
/// Generators and tests of a query at most.
pub const PARTS_MAX: usize = 64;

/// A step of the way to a value in a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the value of a key.
    Key(&'static str),
    /// To an item of a list.
    Item(u32),
}

/// Why a query is refused: what is wrong, and where in it.
#[derive(Clone, Debug, Error, PartialEq)]
pub struct QueryError {
    /// The way to the value.
    pub path: Vec<Step>,
    /// What is wrong with it.
    pub problem: Problem,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.path.iter().enumerate() {
            match step {
                Step::Key(key) if number == 0 => write!(f, "{key}")?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Item(item) => write!(f, "[{item}]")?,
            }
        }
        write!(f, ": {}", self.problem)
    }
}

impl QueryError {
    /// Where it is in the file the query was read from: at the last part of the way that is written there.
    pub fn place_in(&self, file: &Node) -> FilePosition {
        let mut node = file;
        for step in &self.path {
            let next = match step {
                Step::Key(key) => node.find(key),
                Step::Item(item) => node.list().ok().and_then(|list| list.get(*item as usize)),
            };
            let Some(next) = next else { break };
            node = next;
        }
        node.place
    }
}

/// Reads and builds a query.
///
/// # Errors
/// What is wrong with the file, with its place.
#[cfg(feature = "files")]
pub fn load(bytes: &[u8], file: &str, lexicon: &Lexicon) -> Result<Query, AssetError> {
    let node: Node = sentir_asset::parse(bytes, file)?;
    let refuse = |refusal: Refusal| AssetError::new(file, refusal);
    Header::expect(&node, &[KIND]).map_err(refuse)?;
    let spec: QuerySpec = node.read().map_err(refuse)?;
    spec.build(lexicon).map_err(|error| AssetError {
        file: file.to_owned(),
        place: error.place_in(&node),
        problem: error.problem,
    })
}

/// A query that runs. Made by [`QuerySpec::build`] or [`load`]; use it with worlds of the same [`Lexicon`].
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub(super) name: String,
    pub(super) best: u32,
    pub(super) across_m: f32,
    pub(super) height_m: f32,
    pub(super) generators: Vec<GeneratorSpec>,
    /// The context, class, generator of each generator, by number.
    pub(super) around: Vec<usize>,
    pub(super) tests: Vec<Test>,
    /// Contexts that must have somebody in them.
    pub(super) needs: Vec<usize>,
    /// Tests in the order of work: filters first, cheap ones first.
    pub(super) order: Vec<u16>,
    /// Part of the score that chance replaces.
    pub(super) share: f32,
    pub(super) weight_sum: f32,
    pub(super) context_count: usize,
}

/// A test, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// Its name in files; for one of the host's own, the host's.
    pub name: String,
    pub(super) kind: TestKind,
    /// Whether it drops points.
    pub is_filter: bool,
    /// Whether it scores points.
    pub is_score: bool,
    /// Values under this are dropped, if it is a filter.
    pub least: f32,
    /// Values over this are dropped, if it is a filter.
    pub most: f32,
    /// How much it counts.
    pub weight: f32,
    /// How values become shares.
    pub scale: Scale,
    /// How shares become scores.
    pub curve: Curve,
}

/// What a test asks, names resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TestKind {
    PathCost { by: PathBy },
    Distance { to: usize, each: Each },
    Visibility { by: usize, each: Each, of: Posture },
    BehindCover { from: usize },
    Obstacles { reach_m: f32 },
    Randomness,
    Influence { map: usize },
    Spread { from: usize },
    Flank { target: usize, from: usize },
    LineOfFire { to: usize, past: usize, width_m: f32, heights_m: [f32; 2] },
    Facing { of: usize, each: Each },
    Height { above: usize, each: Each },
    CoverQuality { from: usize },
    Clearance { reach_m: f32 },
    Own { number: usize },
}

impl TestKind {
    /// Nominal work a point: about 100 instructions a unit.
    pub(super) fn work(self) -> u32 {
        match self {
            TestKind::Randomness => 0,
            TestKind::Distance { .. } | TestKind::Spread { .. } | TestKind::Facing { .. } | TestKind::Height { .. } => {
                1
            }
            // Read when the query begins.
            TestKind::Visibility { .. } | TestKind::Influence { .. } => 1,
            TestKind::Flank { .. } | TestKind::CoverQuality { .. } => 2,
            TestKind::Obstacles { .. } | TestKind::Clearance { .. } => 4,
            TestKind::BehindCover { .. } => 8,
            TestKind::Own { .. } => 10,
            TestKind::LineOfFire { .. } => 20,
            TestKind::PathCost { .. } => 40,
        }
    }
}

impl Query {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its tests, as authored; reasons name them by number.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// The same, but all points are ranked, and ways are looked for to all of them: for who wants to look at them.
    #[must_use]
    pub fn asking_all(&self) -> Query {
        Query { best: 0, ..self.clone() }
    }

    /// Whether any test asks what those of a context see; a generator of the host's own may ask besides.
    pub fn asks_sight_of(&self, context: usize) -> bool {
        self.tests.iter().any(|test| match test.kind {
            TestKind::Visibility { by: from, .. } | TestKind::BehindCover { from } => from == context,
            _ => false,
        })
    }

    /// Whether any test asks for an influence map.
    pub fn asks_maps(&self) -> bool {
        self.tests.iter().any(|test| matches!(test.kind, TestKind::Influence { .. }))
    }
}

/// What a kind of test is usually for, its usual bounds, scale and curve.
struct Usual {
    purpose: Purpose,
    least: f32,
    most: f32,
    scale: Scale,
    curve: Curve,
}

fn usual(kind: &TestKindSpec) -> Usual {
    let (purpose, curve) = (Purpose::Score, Curve::Linear);
    let open = Usual { purpose, least: f32::NEG_INFINITY, most: f32::INFINITY, scale: Scale::Survivors, curve };
    let unit = Scale::Range { low: 0.0, high: 1.0 };
    match *kind {
        TestKindSpec::PathCost { .. } | TestKindSpec::Distance { .. } => Usual { curve: Curve::Inverse, ..open },
        TestKindSpec::Visibility { seen: true, .. } | TestKindSpec::LineOfFire { .. } => {
            Usual { purpose: Purpose::Filter, least: 0.5, scale: unit, ..open }
        }
        TestKindSpec::Visibility { seen: false, .. } => {
            Usual { purpose: Purpose::Filter, most: 0.5, scale: unit, curve: Curve::Inverse, ..open }
        }
        TestKindSpec::BehindCover { reach_m, .. } => {
            let scale = Scale::Range { low: 0.0, high: reach_m };
            Usual { purpose: Purpose::Both, most: f32::MAX, scale, curve: Curve::Inverse, ..open }
        }
        TestKindSpec::Obstacles { .. } => Usual { scale: Scale::Range { low: 0.0, high: 2.0 }, ..open },
        TestKindSpec::Influence { .. } => Usual { scale: Scale::Greatest, ..open },
        TestKindSpec::Flank { .. } => Usual { scale: Scale::Range { low: 0.0, high: math::PI }, ..open },
        TestKindSpec::Repetition { within_m, .. } => Usual { purpose: Purpose::Filter, least: within_m, ..open },
        TestKindSpec::Facing { .. } => Usual { scale: Scale::Range { low: -1.0, high: 1.0 }, ..open },
        TestKindSpec::CoverQuality { .. } => Usual { scale: unit, ..open },
        TestKindSpec::Clearance { reach_m } => Usual { scale: Scale::Range { low: 0.0, high: reach_m }, ..open },
        _ => open,
    }
}

impl QuerySpec {
    /// Checks a query, and makes it ready to run.
    ///
    /// # Errors
    /// The first thing that is wrong, with the way to it.
    pub fn build(&self, lexicon: &Lexicon) -> Result<Query, QueryError> {
        let mut builder = Builder { lexicon, path: Vec::new(), needs: vec![Lexicon::ONESELF] };
        builder.count("points", self.points.len(), 1)?;
        builder.count("tests", self.tests.len(), 0)?;
        builder.path.push(Step::Key("project"));
        builder.held("across_m", self.project.across_m, 0.0, 100.0)?;
        builder.held("height_m", self.project.height_m, 0.0, 100.0)?;
        builder.path.clear();
        let mut around = Vec::new();
        for (number, generator) in (0..).zip(&self.points) {
            builder.path.extend([Step::Key("points"), Step::Item(number), Step::Key(generator.name())]);
            around.push(builder.generator(generator)?);
            builder.path.clear();
        }
        let (mut tests, mut share) = (Vec::new(), 0.0);
        for (number, test) in (0..).zip(&self.tests) {
            builder.path.extend([Step::Key("tests"), Step::Item(number)]);
            if let TestKindSpec::Randomness { share: this } = test.test {
                builder.only_once(&tests)?;
                share = this;
            }
            tests.push(builder.test(test)?);
            builder.path.clear();
        }
        let mut order: Vec<u16> = (0..tests.len() as u16).collect();
        order.retain(|&number| tests[usize::from(number)].kind != TestKind::Randomness);
        order.sort_by_key(|&number| {
            let test: &Test = &tests[usize::from(number)];
            (!test.is_filter, test.kind.work(), number)
        });
        builder.needs.sort_unstable();
        builder.needs.dedup();
        Ok(Query {
            name: self.name.clone(),
            best: self.best,
            across_m: self.project.across_m,
            height_m: self.project.height_m,
            generators: self.points.clone(),
            around,
            weight_sum: tests.iter().filter(|test| test.is_score).map(|test| test.weight).sum(),
            tests,
            needs: builder.needs,
            order,
            share,
            context_count: lexicon.contexts.len(),
        })
    }
}

struct Builder<'a> {
    lexicon: &'a Lexicon,
    path: Vec<Step>,
    needs: Vec<usize>,
}

impl Builder<'_> {
    fn refuse<T>(&self, key: Option<&'static str>, problem: Problem) -> Result<T, QueryError> {
        let path = self.path.iter().copied().chain(key.map(Step::Key)).collect();
        Err(QueryError { path, problem })
    }

    fn count(&self, key: &'static str, count: usize, least: usize) -> Result<(), QueryError> {
        if (least..=PARTS_MAX).contains(&count) {
            return Ok(());
        }
        self.refuse(Some(key), Problem::Wrong(format!("found {count}: expected {least} to {PARTS_MAX}")))
    }

    fn held(&self, key: &'static str, value: f32, low: f32, high: f32) -> Result<(), QueryError> {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        self.refuse(Some(key), Problem::Wrong(format!("found {value}: expected {low} to {high}")))
    }

    fn context(&mut self, key: &'static str, name: &str) -> Result<usize, QueryError> {
        let contexts = &self.lexicon.contexts;
        let Some(number) = contexts.iter().position(|context| context.name == name) else {
            let known = contexts.iter().map(|context| context.name.as_str());
            return self.refuse(Some(key), Problem::unknown("context", name, known));
        };
        if contexts[number].kind == ContextKind::One {
            self.needs.push(number);
        }
        Ok(number)
    }

    fn name(&self, key: &'static str, what: &'static str, name: &str, known: &[String]) -> Result<usize, QueryError> {
        let found = known.iter().position(|one| one == name);
        found.map_or_else(|| self.refuse(Some(key), Problem::unknown(what, name, known.iter().map(String::as_str))), Ok)
    }

    fn generator(&mut self, spec: &GeneratorSpec) -> Result<usize, QueryError> {
        match spec {
            GeneratorSpec::Grid { around, half_m, step_m } => {
                self.held("half_m", *half_m, 0.0, 1000.0)?;
                self.step(*step_m)?;
                let side = 2.0 * (half_m / step_m).floor() + 1.0;
                self.fits("step_m", side * side)?;
                self.context("around", around)
            }
            GeneratorSpec::Ring { around, least_m, most_m, step_m } => {
                self.held("least_m", *least_m, 0.0, 1000.0)?;
                self.held("most_m", *most_m, *least_m, 1000.0)?;
                self.step(*step_m)?;
                self.fits("step_m", math::PI * (most_m * most_m - least_m * least_m) / (step_m * step_m))?;
                self.context("around", around)
            }
            GeneratorSpec::Path { to, step_m } => {
                self.step(*step_m)?;
                self.context("to", to)
            }
            GeneratorSpec::Cone { around, half_angle_deg, range_m, step_m } => {
                self.held("half_angle_deg", *half_angle_deg, 0.0, 180.0)?;
                self.held("range_m", *range_m, 0.0, 1000.0)?;
                self.step(*step_m)?;
                self.fits("step_m", half_angle_deg / 180.0 * math::PI * range_m * range_m / (step_m * step_m))?;
                self.context("around", around)
            }
            GeneratorSpec::Edges { around, within_m }
            | GeneratorSpec::Mesh { around, within_m }
            | GeneratorSpec::Notes { around, within_m, .. } => {
                self.held("within_m", *within_m, 0.0, 1000.0)?;
                self.context("around", around)
            }
            GeneratorSpec::Agents { class } => self.name("class", "class of agents", class, &self.lexicon.classes),
            GeneratorSpec::Own { name } => self.name("name", "generator", name, &self.lexicon.generators),
        }
    }

    fn step(&self, step_m: f32) -> Result<(), QueryError> {
        self.held("step_m", step_m, 0.1, 100.0)
    }

    fn fits(&self, key: &'static str, count: f32) -> Result<(), QueryError> {
        if count <= POINTS_MAX as f32 {
            return Ok(());
        }
        let sentence = format!("there would be about {count} points: expected at most {POINTS_MAX}, so a wider step");
        self.refuse(Some(key), Problem::Wrong(sentence))
    }

    fn only_once(&self, tests: &[Test]) -> Result<(), QueryError> {
        if tests.iter().all(|test| test.kind != TestKind::Randomness) {
            return Ok(());
        }
        self.refuse(None, Problem::Twice { what: "tests", name: "randomness".to_owned() })
    }

    fn test(&mut self, spec: &TestSpec) -> Result<Test, QueryError> {
        let depth = self.path.len();
        self.path.extend([Step::Key("test"), Step::Key(spec.test.name())]);
        let kind = self.kind(&spec.test)?;
        self.path.truncate(depth);
        self.held("weight", spec.weight, 0.0, 1000.0)?;
        for (key, bound) in [("least", spec.least), ("most", spec.most)] {
            if bound.is_some_and(f32::is_nan) {
                return self.refuse(Some(key), Problem::Wrong("found NaN: expected a number".to_owned()));
            }
        }
        let usual = usual(&spec.test);
        let has_bound = spec.least.is_some() || spec.most.is_some();
        let purpose = spec.purpose.unwrap_or(match usual.purpose {
            Purpose::Score if has_bound => Purpose::Both,
            other => other,
        });
        let (least, most) = (spec.least.unwrap_or(usual.least), spec.most.unwrap_or(usual.most));
        self.bounds(spec, kind, purpose, [least, most])?;
        let scale = spec.scale.unwrap_or(usual.scale);
        if let Scale::Range { low, high } = scale
            && !(low < high && low.is_finite() && high.is_finite())
        {
            let sentence = format!("a scale cannot go from {low} to {high}: expected `low` under `high`");
            return self.refuse(Some("scale"), Problem::Wrong(sentence));
        }
        let curve = spec.curve.unwrap_or(usual.curve);
        if let Some((name, value, limits)) = curve.flaw() {
            self.path.extend([Step::Key("curve"), Step::Key(curve.name()), Step::Key(name)]);
            return self.refuse(None, Problem::Wrong(format!("found {value}: expected {limits}")));
        }
        let own = if let TestKindSpec::Own { name } = &spec.test { Some(name.clone()) } else { None };
        let is_chance = kind == TestKind::Randomness;
        Ok(Test {
            name: own.unwrap_or_else(|| spec.test.name().to_owned()),
            kind,
            is_filter: purpose != Purpose::Score && !is_chance,
            is_score: purpose != Purpose::Filter && !is_chance,
            least,
            most,
            weight: spec.weight,
            scale,
            curve,
        })
    }

    fn bounds(
        &self,
        spec: &TestSpec,
        kind: TestKind,
        purpose: Purpose,
        [least, most]: [f32; 2],
    ) -> Result<(), QueryError> {
        let wrong = |key, sentence: &str| self.refuse(key, Problem::Wrong(sentence.to_owned()));
        if kind == TestKind::Randomness && (spec.purpose.is_some() || spec.least.is_some() || spec.most.is_some()) {
            return wrong(None, "chance neither drops nor scores by itself: expected `share` only");
        }
        if purpose == Purpose::Score && spec.least.is_some() {
            return wrong(
                Some("least"),
                "a test that only scores has no bounds: expected `use: filter` or `use: both`",
            );
        }
        if purpose == Purpose::Score && spec.most.is_some() {
            return wrong(Some("most"), "a test that only scores has no bounds: expected `use: filter` or `use: both`");
        }
        if purpose != Purpose::Score && least == f32::NEG_INFINITY && most == f32::INFINITY {
            return wrong(Some("use"), "a filter without bounds keeps everything: expected `least` or `most`");
        }
        if least > most {
            let key = if spec.most.is_some() { "most" } else { "least" };
            return self.refuse(Some(key), Problem::Wrong(format!("no value is at least {least} and at most {most}")));
        }
        Ok(())
    }

    fn kind(&mut self, spec: &TestKindSpec) -> Result<TestKind, QueryError> {
        Ok(match spec {
            TestKindSpec::PathCost { by } => TestKind::PathCost { by: *by },
            TestKindSpec::Distance { to, each } => TestKind::Distance { to: self.context("to", to)?, each: *each },
            TestKindSpec::Visibility { by, each, of, .. } => {
                TestKind::Visibility { by: self.context("by", by)?, each: *each, of: *of }
            }
            TestKindSpec::BehindCover { from, reach_m } => {
                self.held("reach_m", *reach_m, 0.1, 1000.0)?;
                TestKind::BehindCover { from: self.context("from", from)? }
            }
            TestKindSpec::Obstacles { reach_m } => {
                self.held("reach_m", *reach_m, 0.1, 100.0)?;
                TestKind::Obstacles { reach_m: *reach_m }
            }
            TestKindSpec::Randomness { share } => {
                self.held("share", *share, 0.0, 0.1)?;
                TestKind::Randomness
            }
            TestKindSpec::Influence { map } => {
                TestKind::Influence { map: self.name("map", "influence map", map, &self.lexicon.maps)? }
            }
            TestKindSpec::Spread { from } => TestKind::Spread { from: self.context("from", from)? },
            TestKindSpec::Flank { target, from } => {
                TestKind::Flank { target: self.context("target", target)?, from: self.context("from", from)? }
            }
            TestKindSpec::Repetition { from, within_m } => {
                self.held("within_m", *within_m, 0.0, 1000.0)?;
                TestKind::Spread { from: self.context("from", from)? }
            }
            TestKindSpec::LineOfFire { to, past, width_m, height_m, mark_m } => {
                let heights_m = [*height_m, mark_m.unwrap_or(*height_m)];
                self.held("width_m", *width_m, 0.0, 10.0)?;
                self.held("height_m", heights_m[0], 0.0, 10.0)?;
                self.held("mark_m", heights_m[1], 0.0, 10.0)?;
                let (to, past) = (self.context("to", to)?, self.context("past", past)?);
                TestKind::LineOfFire { to, past, width_m: *width_m, heights_m }
            }
            TestKindSpec::Facing { of, each } => TestKind::Facing { of: self.context("of", of)?, each: *each },
            TestKindSpec::Height { above, each } => {
                TestKind::Height { above: self.context("above", above)?, each: *each }
            }
            TestKindSpec::CoverQuality { from } => TestKind::CoverQuality { from: self.context("from", from)? },
            TestKindSpec::Clearance { reach_m } => {
                self.held("reach_m", *reach_m, 0.1, 100.0)?;
                TestKind::Clearance { reach_m: *reach_m }
            }
            TestKindSpec::Own { name } => {
                TestKind::Own { number: self.name("name", "test", name, &self.lexicon.tests)? }
            }
        })
    }
}
