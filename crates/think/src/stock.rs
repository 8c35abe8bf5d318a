//! Brains that come with the crate, as files: for scenes, tests and as examples to begin from.

/// The guard of the sources in every kind of brain: by a short name, the file's name and its content.
pub const GUARD: [(&str, &str, &str); 8] = [
    ("bt", "guard/tree.yaml", include_str!("../assets/guard/tree.yaml")),
    ("fsm", "guard/machine.yaml", include_str!("../assets/guard/machine.yaml")),
    ("hfsm", "guard/nested.yaml", include_str!("../assets/guard/nested.yaml")),
    ("dtree", "guard/decision.yaml", include_str!("../assets/guard/decision.yaml")),
    ("utility", "guard/utility.yaml", include_str!("../assets/guard/utility.yaml")),
    ("goap", "guard/goap.yaml", include_str!("../assets/guard/goap.yaml")),
    ("htn", "guard/htn.yaml", include_str!("../assets/guard/htn.yaml")),
    ("rules", "guard/rule.yaml", include_str!("../assets/guard/rule.yaml")),
];

/// A raid of 50 actions, whose plan takes 10 steps: for measuring.
pub const RAID: (&str, &str) = ("raid.yaml", include_str!("../assets/raid.yaml"));

/// The soldier of the sources as a network of tasks: the rifle while there is ammunition, else the knife.
pub const SOLDIER: (&str, &str) = ("soldier.yaml", include_str!("../assets/soldier.yaml"));
