//! How a person plays a scene, as data: by which view, what the hands can do, and which setting hands an agent over.
//!
//! Programs and pages read it; the sentence for people is made of it ([`Controls::sentence`]). Which keys and buttons do what
//! is up to whoever takes them, but for letters, which are part of the input.

/// The value of a setting that hands an agent to a person.
pub const BY_PERSON: &str = "input";

/// How a person plays a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controls {
    /// By which view.
    pub mode: ControlMode,
    /// The setting that hands the agent to a person when it is [`BY_PERSON`]; none where the first input does.
    pub setting: Option<&'static str>,
    /// The setting whose words are difficulties, from easy to hard; none where there is none.
    pub difficulty: Option<&'static str>,
    /// Who is controlled, in words.
    pub whom: &'static str,
    /// What the hands can do. Nothing else has an effect.
    pub bindings: &'static [Binding],
}

/// By which view a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlMode {
    /// As one agent, out of its eyes.
    FirstPerson,
    /// As one agent, seen from anywhere.
    Walk,
    /// From above: selects agents and sends them.
    Command,
}

impl ControlMode {
    /// Every mode.
    pub const ALL: [ControlMode; 3] = [ControlMode::FirstPerson, ControlMode::Walk, ControlMode::Command];

    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            ControlMode::FirstPerson => "first_person",
            ControlMode::Walk => "walk",
            ControlMode::Command => "command",
        }
    }
}

/// One thing that a person can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// By which control.
    pub action: ControlAction,
    /// What comes of it, in a few words.
    pub about: &'static str,
}

/// A control of [`Input`](sentir_sim::input::Input), or what a person does with several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlAction {
    /// The stick.
    Move,
    /// Yaw and pitch.
    Look,
    /// The trigger.
    Fire,
    /// Reloads.
    Reload,
    /// Crouches while held.
    Crouch,
    /// Jumps.
    Jump,
    /// Strikes.
    Melee,
    /// Throws.
    Throw,
    /// Uses what is near.
    Use,
    /// Holds fire from one spot to another: a box.
    Select,
    /// The same, joining the selection.
    SelectMore,
    /// Uses at a spot.
    Send,
    /// A letter key, upper case.
    Letter(char),
}

impl ControlAction {
    /// Every control; one letter stands for all.
    pub const ALL: [ControlAction; 13] = [
        ControlAction::Move,
        ControlAction::Look,
        ControlAction::Fire,
        ControlAction::Reload,
        ControlAction::Crouch,
        ControlAction::Jump,
        ControlAction::Melee,
        ControlAction::Throw,
        ControlAction::Use,
        ControlAction::Select,
        ControlAction::SelectMore,
        ControlAction::Send,
        ControlAction::Letter('A'),
    ];

    /// Its name for programs; all letters have one.
    pub fn name(self) -> &'static str {
        match self {
            ControlAction::Move => "move",
            ControlAction::Look => "look",
            ControlAction::Fire => "fire",
            ControlAction::Reload => "reload",
            ControlAction::Crouch => "crouch",
            ControlAction::Jump => "jump",
            ControlAction::Melee => "melee",
            ControlAction::Throw => "throw",
            ControlAction::Use => "use",
            ControlAction::Select => "select",
            ControlAction::SelectMore => "select_more",
            ControlAction::Send => "send",
            ControlAction::Letter(_) => "letter",
        }
    }

    /// Which letter, if it is one.
    pub fn letter(self) -> Option<char> {
        match self {
            ControlAction::Letter(letter) => Some(letter),
            _ => None,
        }
    }
}

impl Binding {
    /// By this control comes that.
    pub const fn new(action: ControlAction, about: &'static str) -> Binding {
        Binding { action, about }
    }
}

impl Controls {
    /// How to begin, and as whom: 'With player=input you are the player, in first person'.
    pub fn opening(&self) -> String {
        let you = match self.mode {
            ControlMode::FirstPerson => format!("you are {}, in first person", self.whom),
            ControlMode::Walk => format!("you walk as {}", self.whom),
            ControlMode::Command => format!("you command {}", self.whom),
        };
        match self.setting {
            Some(setting) => format!("With {setting}={BY_PERSON} {you}"),
            None => format!("Y{}", &you[1..]),
        }
    }

    /// All of it as one sentence.
    pub fn sentence(&self) -> String {
        let word = |binding: &Binding| match binding.action.letter() {
            Some(letter) => format!("{letter}: {}", binding.about),
            None => binding.about.to_owned(),
        };
        let words: Vec<String> = self.bindings.iter().map(word).collect();
        format!("{}: {}.", self.opening(), words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_setting_agent_and_every_binding() {
        const BINDINGS: &[Binding] =
            &[Binding::new(ControlAction::Move, "walk"), Binding::new(ControlAction::Letter('Z'), "a line")];
        let bindings = BINDINGS;
        let played = Controls {
            mode: ControlMode::FirstPerson,
            setting: Some("who"),
            difficulty: None,
            whom: "the guard",
            bindings,
        };
        assert_eq!(played.sentence(), "With who=input you are the guard, in first person: walk, Z: a line.");
        let walked = Controls { mode: ControlMode::Walk, setting: None, ..played };
        assert_eq!(walked.sentence(), "You walk as the guard: walk, Z: a line.");
        let told = Controls { mode: ControlMode::Command, setting: None, whom: "the units", ..played };
        assert_eq!(told.opening(), "You command the units");
    }

    #[test]
    fn names_of_modes_and_controls_are_all_different() {
        let modes = ControlMode::ALL.map(ControlMode::name);
        let actions = ControlAction::ALL.map(ControlAction::name);
        for (number, name) in modes.iter().enumerate() {
            assert!(!modes[..number].contains(name), "{name}");
        }
        for (number, name) in actions.iter().enumerate() {
            assert!(!actions[..number].contains(name), "{name}");
        }
    }
}
