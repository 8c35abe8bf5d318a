//! The published JSON schema of tree files.

use serde_json::{Map, Value, json};

use super::Aborts;
use super::asset::{Holds, KINDS};
use crate::leaf::Host;
use crate::registry::Leaves;
use crate::schema::{FileSchema, Named, Parts, any, leaf, list, object, refer, text};

/// The JSON schema of tree files over these leaves.
pub fn schema<H: Host>(leaves: &Leaves<H>) -> Value {
    // Trees are one of the kinds.
    crate::schema::schema("tree", leaves).unwrap_or_default()
}

pub(crate) fn file(parts: &mut Parts) -> FileSchema {
    parts.appeal();
    let own = leaf(object(&["score"], vec![]), "score", &parts.scores);
    let worth = vec![("weight", refer("number")), ("considerations", list(&refer("consideration")))];
    let mut worth = object(&[], worth);
    worth["minProperties"] = json!(1);
    parts.define("score", any([own, worth]));
    parts.define("count", any([json!({ "type": "integer", "minimum": 0 }), refer("key")]));
    parts.define("quorum", any([json!({ "enum": ["one", "all"] }), json!({ "type": "integer", "minimum": 1 })]));
    parts.define("ports", json!({ "type": "object", "additionalProperties": refer("value") }));
    let nodes = KINDS.iter().map(|(kind, holds, more)| node(kind, *holds, more, parts)).collect::<Vec<_>>();
    parts.define("node", any(nodes));
    let kinds = json!({ "enum": crate::value::Kind::NAMES.map(|(name, _)| name) });
    let port = any([kinds.clone(), object(&["kind"], vec![("kind", kinds), ("default", refer("value"))])]);
    let ports = json!({ "type": "object", "additionalProperties": port });
    let whole = object(&["root"], vec![("ports", ports), ("root", refer("node"))]);
    let tree = any([refer("node"), whole]);
    let trees = json!({ "type": "object", "additionalProperties": tree });
    let kept = vec![("when", refer("test")), ("keep", refer("test")), ("after", refer("number"))];
    let condition = any([refer("test"), object(&["when"], kept)]);
    let conditions = json!({ "type": "object", "additionalProperties": condition });
    let properties = vec![("conditions", conditions), ("trees", trees)];
    FileSchema { title: "Behavior trees", required: &["trees"], properties }
}

/// What the key of a kind holds when that is a parameter.
fn parameter(kind: &str) -> Value {
    match kind {
        "repeat" | "run_limit" | "catch" => refer("count"),
        "cooldown" | "time_limit" | "delay" | "wait" => refer("span"),
        "probability" => refer("number"),
        "when" | "test" => refer("test"),
        "set" | "clear" => refer("key"),
        _ => text(),
    }
}

/// What the other keys of nodes hold.
fn other(key: &str) -> Value {
    match key {
        "success" | "failure" => refer("quorum"),
        "weights" => list(&json!({ "type": "number", "minimum": 0 })),
        "scores" => list(&refer("score")),
        "aborts" => json!({ "enum": Aborts::NAMES.map(|(name, _)| name) }),
        "every" => refer("span"),
        "ports" => refer("ports"),
        "to" => refer("value"),
        _ => json!({}),
    }
}

fn node(kind: &str, holds: Holds, more: &[&str], parts: &Parts) -> Value {
    let mut properties: Map<String, Value> =
        [("id", text()), ("name", text())].map(|(key, part)| (key.to_owned(), part)).into_iter().collect();
    for key in more {
        properties.insert((*key).to_owned(), other(key));
    }
    let mut required = vec![kind];
    required.extend(more.iter().filter(|key| ["to", "every", "scores"].contains(key)));
    let held = match holds {
        Holds::Children => json!({ "type": "array", "minItems": 1, "items": refer("node") }),
        Holds::Child => refer("node"),
        Holds::Nothing => json!({ "type": "null" }),
        Holds::ParameterDo | Holds::Parameter => parameter(kind),
    };
    properties.insert(kind.to_owned(), held);
    if holds == Holds::ParameterDo {
        properties.insert("do".to_owned(), refer("node"));
        required.push("do");
    }
    let mut map = object(&required, Vec::new());
    map["properties"] = Value::Object(properties);
    let named: &Named = match kind {
        "check" | "if" => &parts.conditions,
        "task" => &parts.tasks,
        "service" => &parts.services,
        _ if holds == Holds::Nothing => return any([json!({ "const": kind }), map]),
        _ => return map,
    };
    leaf(map, kind, named)
}
