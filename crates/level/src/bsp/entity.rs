//! The text of the entities: `{ "key" "value" ... }`, one after another.
//!
//! Words may be bare, and lines may have comments (`//`). A key that comes twice has its first value. O(bytes).

use crate::error::{FilePosition, Problem, shortened};

/// Entities of a file at most.
const ENTITIES_MAX: usize = 65_535;

/// Keys and values of one thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// In the order of the file.
    pub pairs: Vec<(String, String)>,
}

impl Entity {
    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(one, _)| one.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    /// What it is: the first word of its class.
    pub fn class(&self) -> &str {
        self.value("classname").and_then(|class| class.split_ascii_whitespace().next()).unwrap_or_default()
    }

    /// A finite number.
    pub fn number(&self, key: &str) -> Option<f32> {
        self.value(key)?.trim().parse().ok().filter(|number: &f32| number.is_finite())
    }

    /// Three finite numbers.
    pub fn numbers(&self, key: &str) -> Option<[f32; 3]> {
        let mut words = self.value(key)?.split_ascii_whitespace();
        let mut number = || words.next()?.parse().ok().filter(|number: &f32| number.is_finite());
        Some([number()?, number()?, number()?])
    }

    /// The number of its model, as in `"model" "*3"`.
    pub fn model(&self) -> Option<usize> {
        self.value("model")?.strip_prefix('*')?.parse().ok()
    }
}

/// A word of the text and its place.
enum Token<'a> {
    Open,
    Close,
    Word(&'a str),
}

/// Reads all entities, or says where the text is wrong: the line counts from the first of the entities.
pub fn parse(text: &str) -> Result<Vec<Entity>, (FilePosition, Problem)> {
    let mut entities = Vec::new();
    let mut open: Option<Entity> = None;
    let mut key: Option<&str> = None;
    let refuse = |place: FilePosition, text: &str, expected: &'static str| {
        (place, Problem::Line { text: shortened(text), expected })
    };
    let mut scanner = Scanner { text, at: 0, line: 1, line_start: 0 };
    while let Some((place, token)) = scanner.next() {
        match (token, &mut open, key) {
            (Token::Open, None, _) => open = Some(Entity::default()),
            (Token::Close, Some(_), None) => entities.extend(open.take()),
            (Token::Word(word), Some(_), None) => key = Some(word),
            (Token::Word(word), Some(entity), Some(name)) => {
                entity.pairs.push((name.to_owned(), word.to_owned()));
                key = None;
            }
            (Token::Word(word), None, _) => return Err(refuse(place, word, "an entity, which begins with `{`")),
            (Token::Open, Some(_), _) => return Err(refuse(place, "{", "a key, a value or `}`")),
            (Token::Close, None, _) => return Err(refuse(place, "}", "an entity, which begins with `{`")),
            (Token::Close, Some(_), Some(name)) => return Err(refuse(place, name, "a value after the key")),
        }
        if entities.len() > ENTITIES_MAX {
            let (count, limit) = (entities.len() as u64, ENTITIES_MAX as u64);
            return Err((place, Problem::TooMany { what: "entities", count, limit }));
        }
    }
    match open {
        Some(_) => Err((scanner.place(), Problem::Wrong("the last entity does not end: expected `}`"))),
        None => Ok(entities),
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    line_start: usize,
}

impl<'a> Scanner<'a> {
    fn place(&self) -> FilePosition {
        FilePosition::new(self.line, (self.at - self.line_start) as u64 + 1)
    }

    fn skip(&mut self, count: usize) {
        for (index, byte) in self.text.as_bytes()[self.at..self.at + count].iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                self.line_start = self.at + index + 1;
            }
        }
        self.at += count;
    }

    fn next(&mut self) -> Option<(FilePosition, Token<'a>)> {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.skip(blank);
            let rest = &self.text[self.at..];
            if !rest.starts_with("//") {
                break;
            }
            self.skip(rest.find('\n').unwrap_or(rest.len()));
        }
        let rest = &self.text[self.at..];
        let place = self.place();
        let (token, length) = match rest.chars().next()? {
            '{' => (Token::Open, 1),
            '}' => (Token::Close, 1),
            '"' => {
                let end = rest[1..].find('"').map_or(rest.len(), |end| end + 1);
                (Token::Word(&rest[1..end]), (end + 1).min(rest.len()))
            }
            _ => {
                let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '{' | '}' | '"');
                let end = rest.find(is_end).unwrap_or(rest.len());
                (Token::Word(&rest[..end]), end)
            }
        };
        self.skip(length);
        Some((place, token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn say(text: &str) -> String {
        let (place, problem) = parse(text).expect_err(text);
        format!("{}:{}: {problem}", place.line, place.column)
    }

    #[test]
    fn keys_and_values_are_read_and_numbers_are_finite() {
        let text = "// a level\n{ \"classname\" \"item_health (0 1 0\" origin \"1 -2 3.5\" }\n{\n\"model\" \"*12\"\n\"x\" \"nan\" }";
        let entities = parse(text).unwrap();
        assert_eq!(entities.len(), 2);
        assert_eq!(entities[0].class(), "item_health");
        assert_eq!(entities[0].numbers("ORIGIN"), Some([1.0, -2.0, 3.5]));
        assert_eq!((entities[1].model(), entities[1].number("x"), entities[1].class()), (Some(12), None, ""));
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn wrong_text_is_told_with_its_place() {
        assert_eq!(say("{\n \"a\" \"b\"\n"), "3:1: the last entity does not end: expected `}`");
        assert_eq!(say("{ \"a\" }"), "1:7: cannot read `a`: expected a value after the key");
        assert_eq!(say("x"), "1:1: cannot read `x`: expected an entity, which begins with `{`");
        assert_eq!(say("{}\n}"), "2:1: cannot read `}`: expected an entity, which begins with `{`");
        assert_eq!(say("{ {"), "1:3: cannot read `{`: expected a key, a value or `}`");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[{}\"a/ \n\u{e9}]{0,40}") {
            if let Ok(entities) = parse(&text) {
                let opened = text.chars().filter(|letter| *letter == '\u{7b}').count();
                prop_assert!(entities.len() <= opened);
            }
        }
    }
}
