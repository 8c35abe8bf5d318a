//! Rounds and who wins them: rules as data, a score, and one small machine that is stepped each tick.
//!
//! A round is played, then there is a break, then the next; until a team has won enough of them, or for ever. The machine
//! knows no bodies: it is told how many each side has standing. O(teams), allocates nothing.

use sentir::State;
use sentir::core::id::TeamId;
use sentir::core::tick::{Tick, TickRate};
use serde::Deserialize;
use thiserror::Error;

/// How rounds go, as authored.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRules {
    /// What wins a round.
    pub win: WinRule,
    /// When it ends at the latest, s: then the most points win; 0 is never. Limit: 0..=86 400.
    #[serde(default)]
    pub time_limit_s: f32,
    /// When the dead come back, s; never when absent. Limit: 0..=86 400.
    #[serde(default)]
    pub respawn_s: Option<f32>,
    /// From the end of a round to the next, s. Limit: 0..=86 400.
    #[serde(default)]
    pub break_s: f32,
    /// Rounds that win the match. Limit: ≥ 1. Waves have their own end.
    #[serde(default = "one")]
    pub rounds_to_win: u32,
}

fn one() -> u32 {
    1
}

/// What wins a round.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WinRule {
    /// To be the last side with anybody standing.
    LastTeam,
    /// To have so many points first. Limit: ≥ 1.
    Score(i32),
    /// To survive waves; each round is one.
    Waves(WaveRule),
}

/// Waves: each is larger, tougher and hits harder than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaveRule {
    /// Number of the team that must survive.
    pub defenders: u32,
    /// Number of the team that comes in waves.
    pub attackers: u32,
    /// How many come in the first round. Limit: ≥ 1.
    pub count: u32,
    /// How many more each round.
    #[serde(default)]
    pub count_more: u32,
    /// How much more of the first round's health each has, each round. Limit: 0..=100.
    #[serde(default)]
    pub health_more: f32,
    /// How much more of the first round's damage each does, each round. Limit: 0..=100.
    #[serde(default)]
    pub damage_more: f32,
    /// Rounds that win the match; 0 is without end.
    #[serde(default)]
    pub rounds_max: u32,
}

/// One wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// How many come.
    pub count: u32,
    /// Factor of their health.
    pub health: f32,
    /// Factor of their damage.
    pub damage: f32,
}

impl WaveRule {
    /// The wave of a round, from 1 on: everything grows by the same step each round.
    pub fn wave(&self, round: u32) -> Wave {
        let before = round.saturating_sub(1);
        Wave {
            count: self.count.saturating_add(self.count_more.saturating_mul(before)),
            health: 1.0 + self.health_more * before as f32,
            damage: 1.0 + self.damage_more * before as f32,
        }
    }
}

/// Why rules cannot be played.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RoundError {
    /// A number is out of its range.
    #[error("the round rule {field} is {value}, which must be within {low}..={high}")]
    Range {
        /// Which.
        field: &'static str,
        /// As authored.
        value: f64,
        /// Least that is allowed.
        low: f64,
        /// Most that is allowed.
        high: f64,
    },
    /// Nobody would ever be the last.
    #[error("with respawn_s the dead come back, so no side is ever the last: leave it out, or win by score")]
    NeverLast,
    /// A side fights itself.
    #[error("team {0} is both the defenders and the attackers of the waves")]
    SameTeam(u32),
}

impl RoundRules {
    /// Whether the rules can be played; ask once, before the first round.
    pub fn check(&self) -> Result<(), RoundError> {
        let within = |field: &'static str, value: f64, low: f64, high: f64| match (low..=high).contains(&value) {
            true => Ok(()),
            false => Err(RoundError::Range { field, value, low, high }),
        };
        within("time_limit_s", self.time_limit_s.into(), 0.0, 86_400.0)?;
        within("respawn_s", self.respawn_s.unwrap_or(0.0).into(), 0.0, 86_400.0)?;
        within("break_s", self.break_s.into(), 0.0, 86_400.0)?;
        within("rounds_to_win", self.rounds_to_win.into(), 1.0, u32::MAX.into())?;
        match &self.win {
            WinRule::Score(to) => return within("score", (*to).into(), 1.0, i32::MAX.into()),
            WinRule::LastTeam => {}
            WinRule::Waves(waves) => {
                within("count", waves.count.into(), 1.0, u32::MAX.into())?;
                within("health_more", waves.health_more.into(), 0.0, 100.0)?;
                within("damage_more", waves.damage_more.into(), 0.0, 100.0)?;
                if waves.defenders == waves.attackers {
                    return Err(RoundError::SameTeam(waves.defenders));
                }
            }
        }
        if self.respawn_s.is_some() { Err(RoundError::NeverLast) } else { Ok(()) }
    }

    /// When somebody who died comes back; none if never.
    pub fn back_at(&self, died_at: Tick, rate: TickRate) -> Option<Tick> {
        self.respawn_s.map(|respawn_s| died_at + rate.ticks(respawn_s))
    }
}

/// The score of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct TeamScore {
    /// Which side.
    pub team: TeamId,
    /// Points of this round.
    pub points: i32,
    /// Foes killed in the match.
    pub kills: u32,
    /// Own dead in the match.
    pub deaths: u32,
    /// Rounds won.
    pub rounds: u32,
}

/// The score of all sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, State)]
pub struct Score {
    /// In the order they were named.
    pub teams: Vec<TeamScore>,
}

impl Score {
    /// Nothing yet, for these sides.
    pub fn new(teams: &[TeamId]) -> Score {
        Score { teams: teams.iter().map(|&team| TeamScore { team, ..TeamScore::default() }).collect() }
    }

    /// The score of a side.
    pub fn of(&self, team: TeamId) -> Option<&TeamScore> {
        self.teams.iter().find(|one| one.team == team)
    }

    fn of_mut(&mut self, team: TeamId) -> Option<&mut TeamScore> {
        self.teams.iter_mut().find(|one| one.team == team)
    }

    /// Counts a death: a point for killing a foe, one less for killing a friend or oneself, none for accidents.
    pub fn count_death(&mut self, of: TeamId, by: Option<TeamId>) {
        if let Some(score) = self.of_mut(of) {
            score.deaths = score.deaths.saturating_add(1);
        }
        if let Some(score) = by.and_then(|by| self.of_mut(by)) {
            let is_foe = by != Some(of);
            score.kills = score.kills.saturating_add(is_foe.into());
            score.points = score.points.saturating_add(if is_foe { 1 } else { -1 });
        }
    }

    /// Adds points, as for a goal reached.
    pub fn add(&mut self, team: TeamId, points: i32) {
        if let Some(score) = self.of_mut(team) {
            score.points = score.points.saturating_add(points);
        }
    }

    /// The side with the most points; none when two share them.
    pub fn leader(&self) -> Option<TeamId> {
        let most = self.teams.iter().map(|one| one.points).max()?;
        let mut leaders = self.teams.iter().filter(|one| one.points == most);
        let first = leaders.next()?;
        leaders.next().is_none().then_some(first.team)
    }
}

/// Where a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum Phase {
    /// A round is played.
    Plays,
    /// A round is over, the next one begins at this tick.
    Break {
        /// When.
        until: Tick,
    },
    /// The match is over.
    Over {
        /// Who won; none for a draw.
        winner: Option<TeamId>,
    },
}

/// The round being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Round {
    /// From 1 on.
    pub number: u32,
    /// When it began.
    pub began_at: Tick,
    /// What goes on.
    pub phase: Phase,
}

/// What a step of the rounds brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub enum RoundEvent {
    /// A round began: bring in whoever belongs there.
    Began {
        /// Which.
        number: u32,
    },
    /// A round ended.
    Ended {
        /// Who won it; none for a draw.
        winner: Option<TeamId>,
        /// Whether the match is over with it.
        is_over: bool,
    },
}

impl Round {
    /// The first round, beginning now.
    pub fn first(tick: Tick) -> Round {
        Round { number: 1, began_at: tick, phase: Phase::Plays }
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over { .. })
    }
}

/// How many a side has alive or still to come this round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which side.
    pub team: TeamId,
    /// How many.
    pub count: u32,
}

/// One tick. A side that `standing` does not name has nobody.
pub fn step(
    rules: &RoundRules,
    round: &mut Round,
    score: &mut Score,
    standing: &[Standing],
    tick: Tick,
    rate: TickRate,
) -> Option<RoundEvent> {
    match round.phase {
        Phase::Over { .. } => None,
        Phase::Break { until } if tick < until => None,
        Phase::Break { .. } => {
            *round = Round { number: round.number.saturating_add(1), began_at: tick, phase: Phase::Plays };
            score.teams.iter_mut().for_each(|one| one.points = 0);
            Some(RoundEvent::Began { number: round.number })
        }
        Phase::Plays => {
            let winner = verdict(rules, round, score, standing, tick, rate)?;
            if let Some(score) = winner.and_then(|team| score.of_mut(team)) {
                score.rounds = score.rounds.saturating_add(1);
            }
            let is_over = is_decided(rules, round, score, winner);
            round.phase =
                if is_over { Phase::Over { winner } } else { Phase::Break { until: tick + rate.ticks(rules.break_s) } };
            Some(RoundEvent::Ended { winner, is_over })
        }
    }
}

/// Whether the round is over: `Some(None)` is a draw.
#[expect(clippy::option_option, reason = "not over yet, and over without a winner, are two things")]
fn verdict(
    rules: &RoundRules,
    round: &Round,
    score: &Score,
    standing: &[Standing],
    tick: Tick,
    rate: TickRate,
) -> Option<Option<TeamId>> {
    let count = |team: TeamId| standing.iter().filter(|one| one.team == team).map(|one| one.count).sum::<u32>();
    let mut left = score.teams.iter().map(|one| one.team).filter(|&team| count(team) > 0);
    match &rules.win {
        WinRule::Waves(waves) => {
            let (defenders, attackers) = (TeamId(waves.defenders), TeamId(waves.attackers));
            if count(defenders) == 0 {
                return Some(Some(attackers));
            }
            if count(attackers) == 0 {
                return Some(Some(defenders));
            }
        }
        WinRule::Score(to) if score.teams.iter().any(|one| one.points >= *to) => return Some(score.leader()),
        // Without respawn, a side alone has nobody left to score against.
        WinRule::Score(_) if rules.respawn_s.is_some() => {}
        WinRule::Score(_) | WinRule::LastTeam => {
            let first = left.next();
            if left.next().is_none() {
                return Some(first);
            }
        }
    }
    let limit = rate.ticks(rules.time_limit_s);
    let is_late = limit > 0 && tick.since(round.began_at) >= limit;
    is_late.then(|| match &rules.win {
        WinRule::Waves(waves) => Some(TeamId(waves.defenders)),
        WinRule::Score(_) | WinRule::LastTeam => score.leader(),
    })
}

/// Whether the round that ended decides the match.
fn is_decided(rules: &RoundRules, round: &Round, score: &Score, winner: Option<TeamId>) -> bool {
    match &rules.win {
        WinRule::Waves(waves) => {
            let is_last = waves.rounds_max > 0 && round.number >= waves.rounds_max;
            winner != Some(TeamId(waves.defenders)) || is_last
        }
        WinRule::Score(_) | WinRule::LastTeam => {
            // A match of one round may be drawn; a longer one goes on.
            let is_single = rules.rounds_to_win <= 1;
            is_single || score.teams.iter().any(|one| one.rounds >= rules.rounds_to_win)
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir::core::state::{Noticed, perturb};

    const RED: TeamId = TeamId(1);
    const BLUE: TeamId = TeamId(2);
    const RATE: TickRate = TickRate::new(60);

    fn rules(win: WinRule) -> RoundRules {
        RoundRules { win, time_limit_s: 0.0, respawn_s: None, break_s: 2.0, rounds_to_win: 1 }
    }

    fn waves() -> WaveRule {
        WaveRule {
            defenders: 1,
            attackers: 2,
            count: 6,
            count_more: 2,
            health_more: 0.5,
            damage_more: 0.25,
            rounds_max: 0,
        }
    }

    struct Game {
        rules: RoundRules,
        round: Round,
        score: Score,
    }

    impl Game {
        fn new(rules: RoundRules) -> Game {
            rules.check().unwrap();
            Game { rules, round: Round::first(Tick(0)), score: Score::new(&[RED, BLUE]) }
        }

        fn step(&mut self, tick: u64, red: u32, blue: u32) -> Option<RoundEvent> {
            let standing = [(RED, red), (BLUE, blue)].map(|(team, count)| Standing { team, count });
            step(&self.rules, &mut self.round, &mut self.score, &standing, Tick(tick), RATE)
        }
    }

    fn ended(winner: Option<TeamId>, is_over: bool) -> Option<RoundEvent> {
        Some(RoundEvent::Ended { winner, is_over })
    }

    #[test]
    fn the_last_team_standing_wins_and_dying_together_is_a_draw() {
        let mut game = Game::new(rules(WinRule::LastTeam));
        assert_eq!((game.step(0, 4, 1), game.step(1, 3, 0)), (None, ended(Some(RED), true)));
        assert!(game.round.is_over() && game.step(2, 0, 3).is_none());
        let mut game = Game::new(rules(WinRule::LastTeam));
        assert_eq!(game.step(0, 0, 0), ended(None, true));
    }

    #[test]
    fn the_first_to_the_score_wins() {
        let mut game = Game::new(RoundRules { respawn_s: Some(3.0), ..rules(WinRule::Score(2)) });
        game.score.count_death(BLUE, Some(RED));
        assert_eq!(game.step(0, 4, 0), None, "the dead come back");
        game.score.count_death(RED, Some(RED));
        assert_eq!(game.score.of(RED).unwrap().points, 0, "friends cost a point");
        game.score.add(BLUE, 2);
        assert_eq!(game.step(1, 1, 1), ended(Some(BLUE), true));
        assert_eq!(game.rules.back_at(Tick(10), RATE), Some(Tick(190)));
        // Without respawn, a side alone need not wait for ever.
        let mut game = Game::new(rules(WinRule::Score(2)));
        assert_eq!(game.step(0, 0, 1), ended(Some(BLUE), true));
        // Both over the line in one tick: the higher one; equal is a draw.
        let mut game = Game::new(rules(WinRule::Score(2)));
        game.score.add(RED, 2);
        game.score.add(BLUE, 2);
        assert_eq!(game.step(0, 1, 1), ended(None, true));
    }

    #[test]
    fn time_runs_out_at_its_tick_and_points_decide() {
        for (points, winner) in [(1, Some(BLUE)), (0, None)] {
            let mut game = Game::new(RoundRules { time_limit_s: 1.5, ..rules(WinRule::LastTeam) });
            game.score.add(BLUE, points);
            assert!((0..90).all(|tick| game.step(tick, 2, 2).is_none()));
            assert_eq!(game.step(90, 2, 2), ended(winner, true));
        }
    }

    #[test]
    fn waves_grow_without_end_until_the_defenders_fall() {
        let mut game = Game::new(rules(WinRule::Waves(waves())));
        let mut tick = 0;
        for number in 1..50 {
            assert_eq!(game.step(tick, 1, 3), None);
            assert_eq!(game.step(tick + 1, 1, 0), ended(Some(RED), false));
            let until = tick + 1 + 120;
            assert_eq!(
                (game.step(until - 1, 1, 0), game.step(until, 1, 0)),
                (None, Some(RoundEvent::Began { number: number + 1 }))
            );
            tick = until + 1;
        }
        assert_eq!(game.step(tick, 0, 9), ended(Some(BLUE), true));
        assert_eq!(waves().wave(1), Wave { count: 6, health: 1.0, damage: 1.0 });
        assert_eq!(waves().wave(3), Wave { count: 10, health: 2.0, damage: 1.5 });
        assert!(waves().wave(u32::MAX).health.is_finite());
        let mut game = Game::new(rules(WinRule::Waves(WaveRule { rounds_max: 1, ..waves() })));
        assert_eq!(game.step(0, 1, 0), ended(Some(RED), true));
    }

    #[test]
    fn a_match_of_several_rounds_goes_to_who_wins_enough_of_them() {
        let mut game = Game::new(RoundRules { rounds_to_win: 2, ..rules(WinRule::Score(1)) });
        game.score.add(RED, 1);
        assert_eq!(game.step(0, 1, 1), ended(Some(RED), false));
        assert_eq!(game.step(120, 1, 1), Some(RoundEvent::Began { number: 2 }));
        assert_eq!((game.score.of(RED).unwrap().points, game.score.of(RED).unwrap().rounds), (0, 1));
        game.score.add(RED, 1);
        assert_eq!(game.step(121, 1, 1), ended(Some(RED), true));
    }

    #[test]
    fn rules_that_cannot_be_played_are_refused() {
        let say = |rules: RoundRules| rules.check().unwrap_err().to_string();
        assert_eq!(
            say(RoundRules { respawn_s: Some(1.0), ..rules(WinRule::LastTeam) }),
            "with respawn_s the dead come back, so no side is ever the last: leave it out, or win by score"
        );
        assert_eq!(say(rules(WinRule::Score(0))), "the round rule score is 0, which must be within 1..=2147483647");
        assert_eq!(
            say(RoundRules { break_s: f32::NAN, ..rules(WinRule::LastTeam) }),
            "the round rule break_s is NaN, which must be within 0..=86400"
        );
        let same = WinRule::Waves(WaveRule { attackers: 1, ..waves() });
        assert_eq!(say(rules(same)), "team 1 is both the defenders and the attackers of the waves");
        let text = "{ win: { waves: { defenders: 1, attackers: 2, count: 5 } }, break_s: 5 }";
        serde_saphyr::from_str::<RoundRules>(text).unwrap().check().unwrap();
    }

    #[test]
    fn every_field_of_round_and_score_counts() {
        let round = Round { number: 2, began_at: Tick(5), phase: Phase::Over { winner: Some(RED) } };
        assert!(perturb(&round).iter().all(|one| one.outcome == Noticed::Yes || one.is_shape));
        assert!(perturb(&Score::new(&[RED, BLUE])).iter().all(|one| one.outcome == Noticed::Yes || one.is_shape));
    }
}
