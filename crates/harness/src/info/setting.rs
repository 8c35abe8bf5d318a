//! Settings: what can be changed about a scene, checked once.

use thiserror::Error;

use super::{did_you_mean, nearest};

/// One thing that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Name, as typed; numbers end in their unit.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it may be.
    pub kind: SettingKind,
    /// What it is when nobody sets it.
    pub stock: &'static str,
}

/// What a setting may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// A whole number.
    Whole {
        /// Least.
        min: u32,
        /// Most.
        max: u32,
    },
    /// A number.
    Number {
        /// Least.
        min: f32,
        /// Most.
        max: f32,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
}

impl std::fmt::Display for SettingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingKind::Whole { min, max } => write!(f, "a whole number from {min} to {max}"),
            SettingKind::Number { min, max } => write!(f, "a number from {min} to {max}"),
            SettingKind::Choice(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// Why a setting was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SettingError {
    /// There is no such setting.
    #[error("there is no setting '{name}'{}", did_you_mean(nearest))]
    Unknown {
        /// As typed.
        name: String,
        /// The nearest one there is.
        nearest: Option<String>,
    },
    /// It cannot have that value.
    #[error("the setting '{name}' cannot be '{value}': expected {expected}{}", did_you_mean(nearest))]
    Value {
        /// Which.
        name: &'static str,
        /// As typed.
        value: String,
        /// What it may be.
        expected: String,
        /// The nearest word, for a choice.
        nearest: Option<String>,
    },
}

/// All settings of a run, each valid, in the order of the scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    values: Vec<(&'static str, String)>,
}

impl Settings {
    /// Stock settings with `changes`; the last change of a name counts.
    pub fn resolve(all: &'static [Setting], changes: &[(String, String)]) -> Result<Settings, SettingError> {
        let stock = all.iter().map(|setting| (setting.name, setting.stock.to_owned())).collect();
        let mut settings = Settings { values: stock };
        for (name, value) in changes {
            let Some(place) = all.iter().position(|setting| setting.name == name) else {
                let nearest = nearest(name, all.iter().map(|setting| setting.name));
                return Err(SettingError::Unknown { name: name.clone(), nearest });
            };
            settings.values[place].1 = all[place].checked(value)?;
        }
        Ok(settings)
    }

    /// Every setting and its value, as text.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// A setting as text; empty if there is none of that name.
    pub fn word(&self, name: &str) -> &str {
        self.iter().find(|&(other, _)| other == name).map_or("", |(_, value)| value)
    }

    /// A setting as a number; 0 if it is none.
    pub fn number(&self, name: &str) -> f32 {
        self.word(name).parse().unwrap_or(0.0)
    }

    /// A setting as a whole number; 0 if it is none.
    pub fn whole(&self, name: &str) -> u32 {
        self.word(name).parse().unwrap_or(0)
    }
}

impl Setting {
    /// The value in its canonical spelling, so that `5` and `5.0` are the same run.
    fn checked(&self, value: &str) -> Result<String, SettingError> {
        let text = value.trim();
        let checked = match self.kind {
            SettingKind::Whole { min, max } => {
                text.parse::<u32>().ok().filter(|number| (min..=max).contains(number)).map(|number| number.to_string())
            }
            SettingKind::Number { min, max } => text
                .parse::<f32>()
                .ok()
                .filter(|number| (min..=max).contains(number))
                // Adding zero turns −0 into 0.
                .map(|number| (number + 0.0).to_string()),
            SettingKind::Choice(words) => words.iter().find(|&&word| word == text).map(|&word| word.to_owned()),
        };
        checked.ok_or_else(|| SettingError::Value {
            name: self.name,
            value: value.to_owned(),
            expected: self.kind.to_string(),
            nearest: match self.kind {
                SettingKind::Choice(words) => nearest(text, words.iter().copied()),
                _ => None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[Setting] = &[
        Setting { name: "guards", about: "", kind: SettingKind::Whole { min: 1, max: 9 }, stock: "2" },
        Setting { name: "range_m", about: "", kind: SettingKind::Number { min: -1.0, max: 50.0 }, stock: "12" },
        Setting { name: "mood", about: "", kind: SettingKind::Choice(&["calm", "angry"]), stock: "calm" },
    ];

    fn set(name: &str, value: &str) -> Result<Settings, SettingError> {
        Settings::resolve(ALL, &[(name.to_owned(), value.to_owned())])
    }

    #[test]
    fn the_same_value_has_one_spelling() {
        for (typed, kept) in [("5", "5"), ("5.0", "5"), (" 05.50 ", "5.5"), ("-0", "0")] {
            assert_eq!(set("range_m", typed).unwrap().word("range_m"), kept);
        }
        let settings = set("guards", "3").unwrap();
        assert_eq!((settings.whole("guards"), settings.number("range_m"), settings.word("mood")), (3, 12.0, "calm"));
        assert_eq!((settings.word("nothing"), settings.number("mood")), ("", 0.0));
    }

    #[test]
    fn refusals_say_what_was_expected() {
        let say = |name, value| set(name, value).unwrap_err().to_string();
        assert_eq!(say("gards", "3"), "there is no setting 'gards', did you mean 'guards'?");
        assert_eq!(say("zzz", "3"), "there is no setting 'zzz'");
        assert_eq!(say("guards", "0"), "the setting 'guards' cannot be '0': expected a whole number from 1 to 9");
        assert_eq!(say("range_m", "NaN"), "the setting 'range_m' cannot be 'NaN': expected a number from -1 to 50");
        assert_eq!(say("range_m", "1e99"), "the setting 'range_m' cannot be '1e99': expected a number from -1 to 50");
        assert_eq!(
            say("mood", "angri"),
            "the setting 'mood' cannot be 'angri': expected one of calm, angry, did you mean 'angry'?"
        );
    }
}
