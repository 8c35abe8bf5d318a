//! Contract: the published JSON schemas are those the crate makes; every brain that comes with it points to its schema and
//! fits it; what a schema refuses, the loader refuses, too.

use sentir_asset::{Node, Value as Asset};
use sentir_think::brain::{Brain, KINDS};
use sentir_think::key::Keys;
use sentir_think::registry::Leaves;
use sentir_think::schema::schema;
use serde_json::{Map, Value, json};

use super::host::{Game, leaves};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// Words of schemas that say nothing about what fits.
const REMARKS: [&str; 6] = ["$schema", "$defs", "title", "description", "format", "default"];

/// Whether a value fits a schema: as much of the standard as our schemas use, and a panic at any other word.
fn fits(part: &Value, whole: &Value, value: &Value) -> bool {
    let Some(words) = part.as_object() else { return part.as_bool().unwrap() };
    let fit = |part: &Value, value: &Value| fits(part, whole, value);
    words.iter().all(|(word, said)| match word.as_str() {
        "$ref" => fit(&whole["$defs"][said.as_str().unwrap().strip_prefix("#/$defs/").unwrap()], value),
        "const" => said == value,
        "enum" => said.as_array().unwrap().contains(value),
        "type" => match said {
            Value::Array(kinds) => kinds.iter().any(|kind| is_a(kind, value)),
            kind => is_a(kind, value),
        },
        "anyOf" => said.as_array().unwrap().iter().any(|one| fit(one, value)),
        "oneOf" => said.as_array().unwrap().iter().filter(|one| fit(one, value)).count() == 1,
        "not" => !fit(said, value),
        "pattern" => {
            value.as_str().is_none_or(|text| said.as_str().unwrap().starts_with("^\\$") && text.starts_with('$'))
        }
        "minimum" => value.as_f64().is_none_or(|number| number >= said.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= said.as_f64().unwrap()),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| fit(said, item))),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= said.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= said.as_u64().unwrap()),
        "minProperties" => value.as_object().is_none_or(|map| map.len() as u64 >= said.as_u64().unwrap()),
        "maxProperties" => value.as_object().is_none_or(|map| map.len() as u64 <= said.as_u64().unwrap()),
        "required" => value
            .as_object()
            .is_none_or(|map| said.as_array().unwrap().iter().all(|key| map.contains_key(key.as_str().unwrap()))),
        "properties" => value
            .as_object()
            .is_none_or(|map| map.iter().all(|(key, value)| said.get(key).is_none_or(|one| fit(one, value)))),
        "additionalProperties" => value.as_object().is_none_or(|map| {
            let known = words.get("properties").and_then(Value::as_object);
            let is_more = |key: &str| known.is_none_or(|known| !known.contains_key(key));
            map.iter().filter(|(key, _)| is_more(key)).all(|(_, value)| fit(said, value))
        }),
        other => {
            assert!(REMARKS.contains(&other), "the word `{other}` is not understood");
            true
        }
    })
}

fn is_a(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type `{other}`"),
    }
}

fn plain(node: &Node) -> Value {
    match &node.value {
        Asset::Null => Value::Null,
        Asset::Bool(value) => json!(value),
        Asset::Int(value) => json!(value),
        Asset::Float(value) => json!(value),
        Asset::Text(value) => json!(value),
        Asset::List(nodes) => nodes.iter().map(plain).collect(),
        Asset::Map(entries) => {
            Value::Object(entries.iter().map(|one| (one.key.clone(), plain(&one.node))).collect::<Map<_, _>>())
        }
    }
}

fn parsed(text: &str) -> Value {
    plain(&sentir_asset::parse(text.as_bytes(), "a.yaml").unwrap())
}

fn kind_of(value: &Value) -> &str {
    value["sentir"].as_str().unwrap().split(' ').next().unwrap()
}

/// All brains in the folder of assets: path from there, text.
fn shipped() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["", "guard/", "rts/"] {
        for entry in std::fs::read_dir(format!("{FOLDER}/assets/{folder}")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "yaml") {
                let name = format!("{folder}{}", path.file_name().unwrap().to_str().unwrap());
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(found.len() >= 16, "{}", found.len());
    found
}

#[test]
fn published_schemas_are_those_the_crate_makes() {
    for (kind, _) in KINDS {
        let made = schema(kind, &Leaves::<Game>::open()).unwrap();
        let made = serde_json::to_string_pretty(&made).unwrap() + "\n";
        let published = std::fs::read_to_string(format!("{FOLDER}/schema/{kind}.json")).unwrap_or_default();
        let how = "write it anew by: cargo run -p sentir_think --example brain_schema crates/think/schema";
        assert!(published == made, "schema/{kind}.json is not what the crate makes; {how}");
    }
    assert_eq!(schema("brian", &Leaves::<Game>::open()), None);
}

#[test]
fn every_shipped_brain_points_to_its_schema_and_fits_it() {
    for (name, text) in shipped() {
        let value = parsed(&text);
        let kind = kind_of(&value);
        let up = if name.contains('/') { "../.." } else { ".." };
        let first = format!("# yaml-language-server: $schema={up}/schema/{kind}.json");
        assert_eq!(text.lines().next(), Some(first.as_str()), "{name}");
        let open = schema(kind, &Leaves::<Game>::open()).unwrap();
        assert!(fits(&open, &open, &value), "{name}");
    }
}

#[test]
fn a_schema_over_leaves_knows_their_names_and_parameters() {
    for (name, text) in shipped().into_iter().filter(|(name, _)| name.starts_with("guard/")) {
        let value = parsed(&text);
        let own = schema(kind_of(&value), &leaves()).unwrap();
        assert!(fits(&own, &own, &value), "{name}");
        for (right, wrong) in [("what: flee", "whit: flee"), (" act,", " axt,"), ("what: flee", "what: [flee]")] {
            let changed = text.replacen(right, wrong, 1);
            // Long ones are written over several lines.
            if changed != text {
                assert!(!fits(&own, &own, &parsed(&changed)), "{name}: {wrong}");
            }
        }
    }
}

#[test]
fn what_a_schema_refuses_the_loader_refuses() {
    let mut refused = 0;
    // The raid is long, and of a kind that others have.
    for (name, text) in shipped().into_iter().filter(|(name, _)| name != "raid.yaml") {
        let value = parsed(&text);
        let open = schema(kind_of(&value), &Leaves::<Game>::open()).unwrap();
        let words: Vec<&str> = text.split([' ', ':', ',', '{', '}', '[', ']', '\n', '"']).collect();
        let words: std::collections::BTreeSet<&str> = words.into_iter().filter(|word| word.len() > 1).collect();
        for word in words {
            for other in ["zzz", "7", "true", "{}", "[]", "~"] {
                let changed = text.replacen(&format!("{word}:"), &format!("{other}:"), 1);
                let changed = if changed == text {
                    text.replacen(&format!(": {word}"), &format!(": {other}"), 1)
                } else {
                    changed
                };
                let Ok(node) = sentir_asset::parse::<Node>(changed.as_bytes(), "a.yaml") else { continue };
                if changed != text && !fits(&open, &open, &plain(&node)) {
                    refused += 1;
                    let read = Brain::read(changed.as_bytes(), "a.yaml", &Keys::default(), &Leaves::<Game>::open());
                    assert!(read.is_err(), "{name}: `{word}` → `{other}` is read:\n{changed}");
                }
            }
        }
    }
    assert!(refused > 300, "{refused}");
}
