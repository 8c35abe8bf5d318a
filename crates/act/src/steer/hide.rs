//! Behind something, out of a hunter's eyes.

use sentir_core::glam::Vec2;
use sentir_core::{State, plane};

use super::goal::{Deceleration, arrive, evade};
use crate::mover::{Disc, Mover, Moving};

/// Tuning of [`hide`].
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct HideConfig {
    /// Room between the body and what it hides behind, m. Limit: ≥ 0.
    pub margin_m: f32,
    /// A new place must be this much nearer than the old one to be worth the change, m. Limit: ≥ 0.
    pub stubborn_m: f32,
    /// Where there is nothing to hide behind: flight within this distance, m. Limit: ≥ 0.
    pub panic_m: f32,
}

impl Default for HideConfig {
    fn default() -> Self {
        HideConfig { margin_m: 0.4, stubborn_m: 1.0, panic_m: 12.0 }
    }
}

/// What is remembered: behind which disc, so that one does not dither between two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Hideout {
    /// Its number.
    pub disc: Option<u32>,
}

/// The place behind a disc, as the hunter sees it.
pub fn place_behind(me: &Mover, hunter: Vec2, disc: &Disc, config: &HideConfig) -> Vec2 {
    let away = plane::direction(disc.center - hunter);
    disc.center + away * (disc.radius_m + me.at.radius_m + config.margin_m)
}

/// To the nearest place behind a disc; where there is none, away from the hunter.
pub fn hide(me: &Mover, hunter: &Moving, discs: &[Disc], hideout: &mut Hideout, config: &HideConfig) -> Vec2 {
    let distance = |disc: &Disc| place_behind(me, hunter.position, disc, config).distance(me.at.position);
    let mut best: Option<(f32, u32)> = None;
    for (number, disc) in (0..).zip(discs) {
        let bonus = if hideout.disc == Some(number) { config.stubborn_m } else { 0.0 };
        let cost = distance(disc) - bonus;
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, number));
        }
    }
    hideout.disc = best.map(|(_, number)| number);
    match best {
        Some((_, number)) => {
            let place = place_behind(me, hunter.position, &discs[number as usize], config);
            arrive(me, place, Deceleration::Fast)
        }
        None => evade(me, hunter, config.panic_m),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISCS: [Disc; 2] =
        [Disc { center: Vec2::new(4.0, 0.0), radius_m: 1.0 }, Disc { center: Vec2::new(-4.0, 0.0), radius_m: 1.0 }];

    #[test]
    fn the_disc_is_between_the_hunter_and_the_hidden() {
        let (config, mut hideout) = (HideConfig::default(), Hideout::default());
        let hunter = Moving::at(Vec2::new(4.0, -8.0));
        let mut me = Mover::default();
        for _ in 0..600 {
            let acceleration = hide(&me, &hunter, &DISCS, &mut hideout, &config);
            me.at.velocity = me.velocity_after(acceleration, 1.0 / 60.0);
            me.at.position += me.at.velocity / 60.0;
        }
        assert_eq!(hideout.disc, Some(0));
        assert!(me.at.position.distance(Vec2::new(4.0, 1.7)) < 0.02, "{}", me.at.position);
    }

    #[test]
    fn nobody_dithers_between_two_places_of_equal_worth() {
        let (config, mut hideout) = (HideConfig::default(), Hideout::default());
        let mut changes = 0;
        let mut me = Mover::default();
        for step in 0..100 {
            // The hunter sways a little before both.
            let sway = if step % 2 == 0 { 0.5 } else { -0.5 };
            me.at.position.x = -sway * 0.1;
            let before = hideout.disc;
            hide(&me, &Moving::at(Vec2::new(sway, -8.0)), &DISCS, &mut hideout, &config);
            changes += u32::from(before != hideout.disc);
        }
        assert_eq!(changes, 1);
    }

    #[test]
    fn with_nothing_to_hide_behind_one_runs() {
        let (config, mut hideout) = (HideConfig::default(), Hideout { disc: Some(3) });
        let hunter = Moving::at(Vec2::new(0.0, -3.0));
        assert!(hide(&Mover::default(), &hunter, &[], &mut hideout, &config).y > 0.0);
        assert_eq!(hideout.disc, None);
    }
}
