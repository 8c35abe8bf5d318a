//! The JSON schema of query files, for completion in editors.
//!
//! It lies beside the stock queries as `query.schema.json`, kept equal to the generated one by a test; `sentir schema query`
//! prints it. A query file names it in a comment, `# yaml-language-server: $schema=query.schema.json`, and an editor with a
//! YAML language server then completes names, shows what they mean and marks what is wrong.

use super::spec::QuerySpec;

/// The schema as text: JSON, ending in a line break.
pub fn schema() -> String {
    let schema = schemars::schema_for!(QuerySpec);
    // A schema is plain JSON: writing it cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use crate::query::STOCK;

    #[test]
    fn the_schema_names_every_test_and_generator() {
        let schema = super::schema();
        for word in ["behind_cover", "line_of_fire", "randomness", "half_angle_deg", "inverse_power"] {
            assert!(schema.contains(word), "{word}");
        }
    }

    #[test]
    fn the_published_schema_is_the_generated_one() {
        // After a change: `cargo run -- schema query > crates/space/queries/query.schema.json`.
        assert_eq!(include_str!("../../queries/query.schema.json"), super::schema());
    }

    #[test]
    fn every_stock_query_names_its_schema() {
        for (name, bytes) in STOCK {
            let first = bytes.split(|&byte| byte == b'\n').next().unwrap();
            assert_eq!(first, b"# yaml-language-server: $schema=query.schema.json", "{name}");
        }
    }
}
