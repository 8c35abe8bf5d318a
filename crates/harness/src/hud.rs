//! What a person who plays may know of the body that is his: what its hands, skin and ears feel, and what the rules of the
//! game tell everybody. Nothing of it comes from another one's head: a screen that shows just this is an honest one.
//!
//! Made of the state between two ticks ([`Match::play`](crate::game_match::Match::play)); looking changes nothing.

use sentir::State;
use sentir::prelude::{HostKey, Pose, TeamId, Tick, Vec3};

/// Hurts and noises that are told at most.
pub const SIGNS_MAX: usize = 8;

/// Something felt or heard, and where it came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Sign {
    /// Where it seemed to come from, m.
    pub from: Vec3,
    /// Health lost, or how loud it was, 0..=1.
    pub amount: f32,
    /// When.
    pub at: Tick,
}

/// Somebody who died, as he lies there.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Fallen {
    /// Whose key it was.
    pub key: HostKey,
    /// On which side.
    pub team: TeamId,
    /// Where he stood, m.
    pub pose: Pose,
    /// When he died.
    pub at: Tick,
}

/// What a person who plays a match, or watches it as one who plays would, may know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play<'a> {
    /// The body that is his; none while nobody plays.
    pub hud: Option<Hud>,
    /// Who lies dead, oldest first.
    pub fallen: &'a [Fallen],
}

/// A body as who plays it knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hud {
    /// Whose body.
    pub key: HostKey,
    /// Health left, and when whole.
    pub health: [f32; 2],
    /// Rounds in the magazine, when it is full, and carried besides.
    pub rounds: [u32; 3],
    /// How far a reload in progress is, 0..=1; none without one.
    pub reload: Option<f32>,
    /// Half the angle in which the next shot goes, rad.
    pub spread_rad: f32,
    /// How high it looks, rad.
    pub pitch_rad: f32,
    /// Shots fired, hits, and foes killed so far.
    pub counts: [u32; 3],
    /// When it last fired, hit somebody, hit a head, and killed somebody.
    pub last: [Option<Tick>; 4],
    /// Where it was hurt from, newest first.
    pub hurts: [Option<Sign>; SIGNS_MAX],
    /// What it heard, newest first.
    pub noises: [Option<Sign>; SIGNS_MAX],
    /// Foes that are left: a death is told to all.
    pub foes: u32,
    /// Seconds until time is up.
    pub left_s: f32,
    /// Whether the match was won, once it is decided.
    pub is_won: Option<bool>,
}

/// Puts a sign in front; the oldest goes.
pub fn push(signs: &mut [Option<Sign>; SIGNS_MAX], sign: Sign) {
    signs.rotate_right(1);
    signs[0] = Some(sign);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_sign_is_first_and_the_oldest_goes() {
        let mut signs = [None; SIGNS_MAX];
        for number in 0..SIGNS_MAX as u64 + 3 {
            push(&mut signs, Sign { at: Tick(number), ..Sign::default() });
        }
        let ticks: Vec<u64> = signs.iter().flatten().map(|sign| sign.at.0).collect();
        assert_eq!(ticks, (3..SIGNS_MAX as u64 + 3).rev().collect::<Vec<_>>());
    }
}
