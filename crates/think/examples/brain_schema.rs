//! Writes the JSON schemas of all kinds of brain files into a folder, as they are published:
//! `cargo run -p sentir_think --example brain_schema crates/think/schema`.

use sentir_think::leaf::Host;
use sentir_think::registry::Leaves;
use sentir_think::{brain, schema};

/// Any game.
struct Anybody;

impl Host for Anybody {
    type View<'a> = ();
    type Out = ();
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder: brain_schema FOLDER")?;
    for (kind, _) in brain::KINDS {
        let schema = schema::schema(kind, &Leaves::<Anybody>::open()).ok_or("a kind without a schema")?;
        let path = std::path::Path::new(&folder).join(format!("{kind}.json"));
        std::fs::write(&path, serde_json::to_string_pretty(&schema)? + "\n")?;
        println!("{}", path.display());
    }
    Ok(())
}
