//! Prints the JSON schema of query files, for editors:
//! `cargo run -p sentir_space --features schema --example query_schema > query.json`.

fn main() {
    print!("{}", sentir_space::query::schema::schema());
}
