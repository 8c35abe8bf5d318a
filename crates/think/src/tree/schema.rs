//! The published JSON schema of tree files: for completion and checks in editors.

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::asset::{FORMAT, Holds, KINDS};
use crate::leaf::Host;
use crate::registry::Leaves;

/// The JSON schema of tree files over these leaves.
pub fn schema<H: Host>(leaves: &Leaves<H>) -> Value {
    let mut generator = SchemaGenerator::default();
    let conditions = leaves.condition_schemas(&mut generator);
    let tasks = leaves.task_schemas(&mut generator);
    let services = leaves.service_schemas(&mut generator);
    let mut nodes: Vec<Value> = Vec::new();
    for (kind, holds, more) in KINDS {
        let named: &[(&'static str, schemars::Schema)] = match *kind {
            "check" | "if" => &conditions,
            "task" => &tasks,
            "service" => &services,
            _ => {
                nodes.push(node(kind, *holds, more, None));
                continue;
            }
        };
        nodes.extend(named.iter().map(|leaf| node(kind, *holds, more, Some((leaf.0, leaf.1.as_value())))));
    }
    let mut definitions: Map<String, Value> = generator.take_definitions(true).into_iter().collect();
    definitions.insert("node".to_owned(), json!({ "anyOf": nodes }));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Behavior trees",
        "type": "object",
        "required": ["sentir", "trees"],
        "additionalProperties": false,
        "properties": {
            "sentir": { "const": format!("{} {}", FORMAT.0, FORMAT.1) },
            "keys": { "type": "object" },
            "trees": { "type": "object", "additionalProperties": { "anyOf": [
                { "$ref": "#/$defs/node" },
                {
                    "type": "object",
                    "required": ["root"],
                    "additionalProperties": false,
                    "properties": { "ports": { "type": "object" }, "root": { "$ref": "#/$defs/node" } },
                },
            ] } },
        },
        "$defs": definitions,
    })
}

fn node(kind: &str, holds: Holds, more: &[&str], leaf: Option<(&str, &Value)>) -> Value {
    let child = json!({ "$ref": "#/$defs/node" });
    let mut properties = Map::new();
    let mut required = vec![json!(kind)];
    properties.insert("id".to_owned(), json!({ "type": "string" }));
    properties.insert("name".to_owned(), json!({ "type": "string" }));
    for key in more {
        properties.insert((*key).to_owned(), json!({}));
    }
    let held = match (holds, leaf) {
        (_, Some((name, params))) => {
            properties.insert("with".to_owned(), params.clone());
            json!({ "const": name })
        }
        (Holds::Children, _) => json!({ "type": "array", "minItems": 1, "items": child }),
        (Holds::Child, _) => child.clone(),
        (Holds::Nothing, _) => json!({ "type": "null" }),
        (Holds::ParameterDo | Holds::Parameter, _) => json!({}),
    };
    properties.insert(kind.to_owned(), held);
    if holds == Holds::ParameterDo {
        properties.insert("do".to_owned(), child);
        required.push(json!("do"));
    }
    let map = json!({
        "type": "object",
        "required": required,
        "additionalProperties": false,
        "properties": properties,
    });
    if holds == Holds::Nothing { json!({ "anyOf": [{ "const": kind }, map] }) } else { map }
}
