//! A row of a benchmark: a line of a table for people, and an object with a key that stays for programs.

use serde_json::{Map, Value, json};

use crate::play::number;

/// What a measurement gives.
pub(crate) type Rows = Vec<Row>;

/// One thing measured.
pub(crate) struct Row {
    /// Its name for programs, one of a kind among the rows of an item. It stays when the words beside it change.
    key: String,
    what: String,
    figure: Figure,
    remark: String,
    /// Further figures of the same measurement, by name.
    also: Vec<(&'static str, f64)>,
}

/// A figure with its unit, or words that say why there is none.
pub(crate) struct Figure {
    /// Not a number where nothing was measured.
    value: f64,
    unit: String,
    text: String,
}

impl Figure {
    /// A number, shown with some decimals.
    pub(crate) fn new(value: f64, decimals: usize, unit: &str) -> Figure {
        Figure { value, unit: unit.to_owned(), text: format!("{value:.decimals$} {unit}") }
    }
}

impl From<&str> for Figure {
    fn from(words: &str) -> Self {
        Figure { value: f64::NAN, unit: String::new(), text: words.to_owned() }
    }
}

/// A row.
pub(crate) fn row(
    key: impl Into<String>,
    what: impl Into<String>,
    figure: impl Into<Figure>,
    remark: impl Into<String>,
) -> Row {
    Row { key: key.into(), what: what.into(), figure: figure.into(), remark: remark.into(), also: Vec::new() }
}

impl Row {
    /// The row with one more figure, for programs.
    pub(crate) fn also(mut self, name: &'static str, value: f64) -> Row {
        self.also.push((name, value));
        self
    }

    /// The row in other words, for who has two numbers to show in one cell.
    pub(crate) fn shown_as(mut self, text: impl Into<String>) -> Row {
        self.figure.text = text.into();
        self
    }

    pub(crate) fn cells(&self) -> [&str; 3] {
        [&self.what, &self.figure.text, &self.remark]
    }

    fn as_json(&self) -> Value {
        let also: Map<String, Value> =
            self.also.iter().map(|(name, value)| ((*name).to_owned(), number(*value))).collect();
        json!({
            "key": self.key,
            "what": self.what.trim(),
            "value": number(self.figure.value),
            "unit": self.figure.unit,
            "remark": self.remark,
            "also": also,
        })
    }
}

/// The object of an item. Two rows with one key would hide each other, so they are an error: the key.
pub(crate) fn item_json(item: &str, rows: &[Row]) -> Result<Value, String> {
    let twice = rows.iter().enumerate().find(|(at, row)| rows[..*at].iter().any(|earlier| earlier.key == row.key));
    match twice {
        Some((_, row)) => Err(row.key.clone()),
        None => Ok(json!({ "item": item, "rows": rows.iter().map(Row::as_json).collect::<Vec<_>>() })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_find_rows_by_key_and_figures_by_name() {
        let rows = [
            row("walk", "  a walk", Figure::new(1.234_56, 2, "ms a step"), "twice").also("speedup", 1.9),
            row("peer", "beside another", "not measured", ""),
        ];
        assert_eq!(rows[0].cells(), ["  a walk", "1.23 ms a step", "twice"]);
        let object = item_json("movement", &rows).expect("keys differ");
        assert_eq!(object["item"], "movement");
        assert_eq!(object["rows"][0]["key"], "walk");
        assert_eq!(object["rows"][0]["value"], 1.234_56);
        assert_eq!(object["rows"][0]["unit"], "ms a step");
        assert_eq!(object["rows"][0]["also"]["speedup"], 1.9);
        assert_eq!(object["rows"][1]["value"], Value::Null);
    }

    #[test]
    fn two_rows_with_one_key_are_refused() {
        let rows = [row("a", "one", "1", ""), row("b", "two", "2", ""), row("a", "three", "3", "")];
        assert_eq!(item_json("x", &rows), Err("a".to_owned()));
    }
}
