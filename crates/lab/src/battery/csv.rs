//! The matches of a battery as CSV: one row a match, fields quoted as RFC 4180 has it, lines ended by a line feed.

use super::round::Row;
use std::fmt::Write;

/// The columns that every match has; the metrics come after them.
pub(crate) const COLUMNS: [&str; 5] = ["scene", "seed", "outcome", "ticks", "seconds"];

/// The whole file. `metrics` are the further columns, in their order.
pub(crate) fn table(rows: &[Row], metrics: &[&str]) -> String {
    let mut text = String::new();
    push_line(&mut text, COLUMNS.iter().chain(metrics).map(|&name| name.to_owned()));
    for row in rows {
        let outcome = row.outcome.unwrap_or_default().to_owned();
        let fixed = [row.scene.to_owned(), row.seed.to_string(), outcome, row.ticks.to_string(), number(row.seconds)];
        push_line(&mut text, fixed.into_iter().chain(metrics.iter().map(|name| number(row.metric(name)))));
    }
    text
}

fn push_line(text: &mut String, fields: impl Iterator<Item = String>) {
    for (index, field) in fields.enumerate() {
        if index > 0 {
            text.push(',');
        }
        if field.contains([',', '"', '\r', '\n']) {
            // Writing into a string cannot fail.
            let _ = write!(text, "\"{}\"", field.replace('"', "\"\""));
        } else {
            text.push_str(&field);
        }
    }
    text.push('\n');
}

/// The shortest text that reads back as the same number; empty where there is none.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::super::round::tests::row;
    use super::*;

    #[test]
    fn every_match_is_a_row_with_numbers_in_their_shortest_form() {
        let rows = [row(1, "gave up", &[("x_m", 0.1), ("n", 3.0)]), row(2, "caught", &[("n", f64::NAN)])];
        let expected = "scene,seed,outcome,ticks,seconds,x_m,n\n\
                        patrol,1,gave up,90,1.5,0.1,3\n\
                        patrol,2,caught,90,1.5,,\n";
        assert_eq!(table(&rows, &["x_m", "n"]), expected);
        assert_eq!(table(&[], &[]), "scene,seed,outcome,ticks,seconds\n");
    }

    #[test]
    fn commas_quotes_and_line_ends_are_quoted() {
        let table = table(&[row(1, "so, \"it\" ends\nhere", &[])], &[]);
        assert!(table.ends_with("patrol,1,\"so, \"\"it\"\" ends\nhere\",90,1.5\n"), "{table}");
    }
}
