//! Blunders: what an agent does that a player would laugh at. Who watches a game finds them and tells them as events.

use sentir_derive::State;

/// Declares [`Blunder`] from one row a kind: the variant, the name of its metric, and when it is one.
macro_rules! blunders {
    ($($kind:ident, $name:literal, $about:literal;)+) => {
        /// A kind of blunder.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
        pub enum Blunder {
            $(#[doc = $about] $kind,)+
        }

        impl Blunder {
            /// All kinds, in the order of the table.
            pub const ALL: [Blunder; [$($name),+].len()] = [$(Blunder::$kind),+];

            /// The name of its metric.
            pub fn name(self) -> &'static str {
                match self {
                    $(Blunder::$kind => $name,)+
                }
            }

            /// When it is one.
            pub fn about(self) -> &'static str {
                match self {
                    $(Blunder::$kind => $about,)+
                }
            }
        }
    };
}

blunders! {
    WalkedIntoAWall, "stupid_walked_into_a_wall", "wants to go and gets less than a seventh of the way, for 0.5 s";
    Stuck, "stupid_stuck", "wants to go and is within 0.4 m of where it was, for 2 s";
    IgnoredAShooter, "stupid_ignored_a_shooter",
        "was hit, and for 1 s neither turns to where it came from, nor moves, nor decides anything";
    KilledAFriend, "stupid_killed_a_friend", "killed a friend, or itself";
    ReloadedInSight, "stupid_reloaded_in_sight",
        "begins to reload before an enemy who faces it, with a hidden place within 3 m, and is still in sight 1 s later";
    CrossedALineOfFire, "stupid_crossed_a_line_of_fire", "a friend's shot passed within 0.3 m";
    TwoAtOnePoint, "stupid_two_at_one_point", "two of a side touch, and neither wants to go elsewhere, for 1 s";
    Wavered, "stupid_wavered", "more than three changes between two decisions in 2 s";
}

impl Blunder {
    /// Its name in words.
    pub fn title(self) -> String {
        self.name().trim_start_matches("stupid_").replace('_', " ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_place_and_a_name_of_its_own() {
        for (place, kind) in Blunder::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
            assert_eq!(Blunder::ALL.iter().filter(|other| other.name() == kind.name()).count(), 1, "{kind:?}");
            assert!(kind.name().starts_with("stupid_") && !kind.about().is_empty(), "{kind:?}");
        }
        assert_eq!(Blunder::ReloadedInSight.title(), "reloaded in sight");
    }
}
