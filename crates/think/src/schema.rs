//! The published JSON schemas of brain files, one a kind: for completion and checks in editors.
//!
//! The files of `schema/` are those over leaves of any game ([`Leaves::open`]): names and parameters of leaves are left
//! open there. A game that wants its own leaves completed writes out the schemas over them. An editor finds a schema by a
//! comment in the first line of a file:
//!
//! ```yaml
//! # yaml-language-server: $schema=../schema/tree.json
//! ```
//!
//! A schema says less than the loader: it does not know which keys a file declares, nor what can be reached. What it
//! refuses, the loader refuses, too.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::brain::KINDS;
use crate::leaf::Host;
use crate::registry::Leaves;
use crate::span::Span;
use crate::test::Comparison;
use crate::utility::Curve;
use crate::value::Kind;

/// The JSON schema of files of that kind (one of [`KINDS`]) over these leaves; none for any other kind.
pub fn schema<H: Host>(kind: &str, leaves: &Leaves<H>) -> Option<Value> {
    let version = KINDS.iter().find(|(name, _)| *name == kind)?.1;
    let mut parts = Parts::new(leaves);
    let FileSchema { title, required, properties } = match kind {
        "tree" => super::tree::schema::file(&mut parts),
        "machine" => machine(&mut parts),
        "decision" => decision(&mut parts),
        "utility" => utility(&mut parts),
        "goap" => goap(&mut parts),
        "htn" => htn(&mut parts),
        _ => rule(&mut parts),
    };
    let mut whole = vec![("sentir", json!({ "const": format!("{kind} {version}") })), ("keys", refer("keys"))];
    whole.extend(properties);
    let mut file = object(&[&["sentir"], required].concat(), whole);
    file["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    file["title"] = json!(title);
    file["$defs"] = Value::Object(parts.defs);
    Some(file)
}

/// What a kind says of its files.
pub(crate) struct FileSchema {
    pub(crate) title: &'static str,
    /// Keys that must be there.
    pub(crate) required: &'static [&'static str],
    /// All keys, each with its schema.
    pub(crate) properties: Vec<(&'static str, Value)>,
}

/// Leaves of one sort by name, with the schemas of their parameters; none when any name is taken.
pub(crate) type Named = Option<Vec<(&'static str, Value)>>;

/// What schemas are made of.
pub(crate) struct Parts {
    /// Named parts of the schema.
    pub(crate) defs: Map<String, Value>,
    pub(crate) conditions: Named,
    pub(crate) scores: Named,
    pub(crate) tasks: Named,
    pub(crate) services: Named,
}

impl Parts {
    fn new<H: Host>(leaves: &Leaves<H>) -> Parts {
        let mut generator = SchemaGenerator::default();
        let named = |list: Vec<(&'static str, Schema)>| -> Named {
            let is_closed = !leaves.is_open();
            is_closed.then(|| list.into_iter().map(|(name, params)| (name, params.to_value())).collect())
        };
        let conditions = named(leaves.condition_schemas(&mut generator));
        let scores = named(leaves.score_schemas(&mut generator));
        let tasks = named(leaves.task_schemas(&mut generator));
        let services = named(leaves.service_schemas(&mut generator));
        let (span, curve) = (generator.subschema_for::<Span>(), generator.subschema_for::<Curve>());
        let mut parts =
            Parts { defs: generator.take_definitions(true).into_iter().collect(), conditions, scores, tasks, services };
        // Types that are no definitions of their own.
        for (name, part) in [("span", span), ("Curve", curve)] {
            parts.defs.entry(name).or_insert_with(|| part.to_value());
        }
        parts.shared();
        parts
    }

    pub(crate) fn define(&mut self, name: &str, part: Value) {
        self.defs.insert(name.to_owned(), part);
    }

    /// Keys, tests, clauses: what all kinds share.
    fn shared(&mut self) {
        self.define(
            "key",
            json!({ "description": "A blackboard key, as in $name.", "type": "string", "pattern": "^\\$" }),
        );
        let kinds = json!({ "enum": Kind::NAMES.map(|(name, _)| name) });
        let spec = object(
            &["kind"],
            vec![
                ("kind", kinds.clone()),
                ("scope", json!({ "enum": ["own", "team", "world"] })),
                ("falls_through", json!({ "type": "boolean" })),
            ],
        );
        self.define("keys", json!({ "type": "object", "additionalProperties": any([kinds, spec]) }));
        self.define("number", any([json!({ "type": "number" }), refer("key")]));
        self.define("value", value());
        let mut compared = vec![("key", refer("key"))];
        compared.extend(Comparison::NAMES.map(|(name, _)| (name, refer("value"))));
        let mut compared = object(&["key"], compared);
        compared["minProperties"] = json!(2);
        compared["maxProperties"] = json!(2);
        let within = json!({ "type": "number", "minimum": 0 });
        let at = vec![("at", refer("value")), ("here", refer("key")), ("within_m", within)];
        let test = [
            object(&["set"], vec![("set", refer("key"))]),
            object(&["unset"], vec![("unset", refer("key"))]),
            compared,
            object(&["at", "here", "within_m"], at),
            refer("key"),
            tests(),
            object(&["not"], vec![("not", refer("test"))]),
            object(&["all"], vec![("all", tests())]),
            object(&["any"], vec![("any", tests())]),
        ];
        self.define("test", any(test));
        let several = list(&refer("clause"));
        let clause = [
            several.clone(),
            leaf(object(&["check"], vec![]), "check", &self.conditions),
            object(&["not"], vec![("not", refer("clause"))]),
            object(&["all"], vec![("all", several.clone())]),
            object(&["any"], vec![("any", several)]),
            refer("test"),
        ];
        self.define("clause", any(clause));
    }

    /// How much something is worth: considerations of options, and of the children of a selector.
    pub(crate) fn appeal(&mut self) {
        let number = || json!({ "type": "number" });
        let common = || vec![("name", text()), ("curve", refer("Curve"))];
        let with = |more: Vec<(&'static str, Value)>| [common(), more].concat();
        let ends = || vec![("from", number()), ("to", number())];
        let by_score = object(&["name", "score"], [common(), ends()].concat());
        let considerations = [
            object(&["name", "input"], [with(vec![("input", refer("number"))]), ends()].concat()),
            leaf(by_score, "score", &self.scores),
            object(&["name", "when"], [with(vec![("when", refer("clause"))]), ends()].concat()),
        ];
        self.define("consideration", any(considerations));
    }

    /// Facts, conditions and effects of planners.
    fn planning(&mut self) {
        let whole = || json!({ "type": "integer" });
        let sample = any([json!({ "type": "boolean" }), whole(), text()]);
        self.define("sample", sample);
        let allowed = any([refer("sample"), list(&refer("sample"))]);
        self.define("conditions", json!({ "type": "object", "additionalProperties": allowed }));
        let change = any([refer("sample"), object(&["add"], vec![("add", whole())])]);
        self.define("changes", json!({ "type": "object", "additionalProperties": change }));
        let from_key = vec![
            ("key", refer("key")),
            ("write", json!({ "type": "boolean" })),
            ("from", whole()),
            ("to", whole()),
            ("words", list(&text())),
        ];
        let fact = [
            json!({ "const": "note" }),
            object(&["test"], vec![("test", refer("test"))]),
            leaf(object(&["check"], vec![]), "check", &self.conditions),
            object(&[], from_key),
        ];
        self.define("facts", json!({ "type": "object", "additionalProperties": any(fact) }));
    }
}

/// Tests that are put together.
fn tests() -> Value {
    json!({ "type": "array", "minItems": 1, "items": refer("test") })
}

/// Anything that a key may hold, or a key.
pub(crate) fn value() -> Value {
    json!({ "type": ["boolean", "number", "string", "array"] })
}

pub(crate) fn text() -> Value {
    json!({ "type": "string" })
}

pub(crate) fn refer(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

pub(crate) fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

pub(crate) fn any(parts: impl IntoIterator<Item = Value>) -> Value {
    json!({ "anyOf": parts.into_iter().collect::<Vec<_>>() })
}

/// A map of these keys and no others.
pub(crate) fn object(required: &[&str], properties: Vec<(&str, Value)>) -> Value {
    let properties: Map<String, Value> = properties.into_iter().map(|(key, part)| (key.to_owned(), part)).collect();
    json!({ "type": "object", "required": required, "additionalProperties": false, "properties": properties })
}

/// An object in which `key` names a leaf, and `with` are its parameters.
pub(crate) fn leaf(mut object: Value, key: &str, named: &Named) -> Value {
    let names = named.as_ref().map(|named| named.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    object["properties"][key] = names.map_or_else(text, |names| json!({ "enum": names }));
    object["properties"]["with"] = json!({});
    if let Some(named) = named.as_ref().filter(|named| !named.is_empty()) {
        // Where no leaf is named nothing is said of parameters.
        let unnamed = json!({ "not": { "required": [key] } });
        let pairs = named.iter().map(|(name, params)| {
            let mut properties = Map::from_iter([("with".to_owned(), params.clone())]);
            properties.insert(key.to_owned(), json!({ "const": name }));
            json!({ "required": [key], "properties": properties })
        });
        object["anyOf"] = json!(std::iter::once(unnamed).chain(pairs).collect::<Vec<_>>());
    }
    object
}

fn machine(parts: &mut Parts) -> FileSchema {
    let way = vec![
        ("to", text()),
        ("when", refer("clause")),
        ("on", json!({ "enum": ["done", "success", "failure"] })),
        ("after", refer("span")),
        ("delay", refer("span")),
        ("priority", json!({ "type": "integer" })),
    ];
    parts.define("way", object(&["to"], way));
    parts.define("once", leaf(object(&["task"], vec![]), "task", &parts.tasks));
    let state = vec![
        ("name", text()),
        ("id", text()),
        ("use", text()),
        ("enter", list(&refer("once"))),
        ("exit", list(&refer("once"))),
        ("states", list(&refer("state"))),
        ("start", text()),
        ("history", json!({ "enum": ["none", "shallow", "deep"] })),
        ("go", list(&refer("way"))),
    ];
    parts.define("state", leaf(object(&["name"], state), "task", &parts.tasks));
    let file = vec![("start", text()), ("any", list(&refer("way"))), ("states", list(&refer("state")))];
    FileSchema { title: "State machines", required: &["states"], properties: file }
}

fn decision(parts: &mut Parts) -> FileSchema {
    let branch = vec![
        ("if", refer("clause")),
        ("keep", refer("clause")),
        ("hold", refer("span")),
        ("then", refer("decision")),
        ("else", refer("decision")),
        ("name", text()),
        ("id", text()),
    ];
    let node = [
        object(&["use"], vec![("use", text())]),
        leaf(object(&["do"], vec![("name", text()), ("id", text())]), "do", &parts.tasks),
        object(&["if", "then", "else"], branch),
    ];
    parts.define("decision", any(node));
    let shared = json!({ "type": "object", "additionalProperties": refer("decision") });
    let file = vec![("delay", refer("span")), ("root", refer("decision")), ("parts", shared)];
    FileSchema { title: "Decision trees", required: &["root"], properties: file }
}

fn utility(parts: &mut Parts) -> FileSchema {
    parts.appeal();
    let option = vec![
        ("name", text()),
        ("id", text()),
        ("rank", json!({ "type": "integer" })),
        ("weight", refer("number")),
        ("considerations", list(&refer("consideration"))),
        ("least", refer("span")),
        ("cooldown", refer("span")),
    ];
    parts.define("option", leaf(object(&["name", "task"], option), "task", &parts.tasks));
    let count = || json!({ "type": "integer", "minimum": 1, "maximum": 64 });
    let pick = [
        json!({ "const": "best" }),
        object(&["top"], vec![("top", count())]),
        object(&["weighted"], vec![("weighted", count())]),
    ];
    let file = vec![
        ("pick", any(pick)),
        ("inertia", json!({ "type": "number", "minimum": 0 })),
        ("least", refer("span")),
        ("delay", refer("span")),
        ("options", list(&refer("option"))),
    ];
    FileSchema { title: "Options by worth", required: &["options"], properties: file }
}

/// What the files of both planners have, but for the limit's name.
fn planner(limit: &'static str) -> Vec<(&'static str, Value)> {
    let count = json!({ "type": "integer", "minimum": 1, "maximum": 100_000 });
    vec![("facts", refer("facts")), (limit, count), ("delay", refer("span")), ("retry", refer("span"))]
}

fn goap(parts: &mut Parts) -> FileSchema {
    parts.planning();
    let cost = any([refer("number"), leaf(object(&["score"], vec![]), "score", &parts.scores)]);
    let action = vec![
        ("name", text()),
        ("id", text()),
        ("when", refer("conditions")),
        ("makes", refer("changes")),
        ("cost", cost),
    ];
    parts.define("action", leaf(object(&["name", "task"], action), "task", &parts.tasks));
    let goal = vec![("name", text()), ("id", text()), ("when", refer("conditions")), ("wants", refer("conditions"))];
    parts.define("goal", object(&["name", "wants"], goal));
    let mut file = planner("expansions_max");
    file.extend([("actions", list(&refer("action"))), ("goals", list(&refer("goal")))]);
    FileSchema { title: "Goals and actions", required: &["facts", "actions", "goals"], properties: file }
}

fn htn(parts: &mut Parts) -> FileSchema {
    parts.planning();
    let method =
        vec![("name", text()), ("when", refer("conditions")), ("while", refer("conditions")), ("do", list(&text()))];
    parts.define("method", object(&["name", "do"], method));
    let primitive = vec![("id", text()), ("when", refer("conditions")), ("makes", refer("changes"))];
    let primitive = leaf(object(&["task"], primitive), "task", &parts.tasks);
    parts.define("task", any([list(&refer("method")), primitive]));
    let mut file = planner("tries_max");
    let tasks = json!({ "type": "object", "additionalProperties": refer("task") });
    file.extend([("root", text()), ("tasks", tasks)]);
    FileSchema { title: "Networks of tasks", required: &["facts", "root", "tasks"], properties: file }
}

fn rule(parts: &mut Parts) -> FileSchema {
    let pair = json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 });
    let mut variable = json!({ "type": "object", "required": ["input"], "additionalProperties": list(&pair) });
    variable["properties"] = json!({ "input": refer("number") });
    let sets = json!({ "type": "object", "additionalProperties": variable });
    parts.define("feelings", json!({ "type": "object", "additionalProperties": text() }));
    let rule = vec![
        ("name", text()),
        ("id", text()),
        ("when", refer("clause")),
        ("feels", refer("feelings")),
        ("priority", json!({ "type": "integer" })),
    ];
    parts.define("rule", leaf(object(&["name", "do"], rule), "do", &parts.tasks));
    let said = object(&["value"], vec![("feels", refer("feelings")), ("value", json!({ "type": "number" }))]);
    let output = object(&["key", "rules"], vec![("key", refer("key")), ("rules", list(&said))]);
    let file = vec![
        ("sets", sets),
        ("rules", list(&refer("rule"))),
        ("outputs", list(&output)),
        ("threshold", json!({ "type": "number", "minimum": 0, "maximum": 1 })),
        ("delay", refer("span")),
    ];
    FileSchema { title: "Rules", required: &["rules"], properties: file }
}
