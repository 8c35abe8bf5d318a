//! The JSON schema of query files, for completion in editors.

use super::spec::QuerySpec;

/// The schema as text; the example `query_schema` prints it.
pub fn schema() -> String {
    let schema = schemars::schema_for!(QuerySpec);
    // A schema is plain JSON: writing it cannot fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_schema_names_every_test_and_generator() {
        let schema = super::schema();
        for word in ["behind_cover", "line_of_fire", "randomness", "half_angle_deg", "inverse_power"] {
            assert!(schema.contains(word), "{word}");
        }
    }
}
