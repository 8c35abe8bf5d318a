//! Strategy: what a whole side is at, decided by a brain out of a file over what the side reports.
//!
//! A side adds up what its members believe into a [`SideReport`]: strengths, tension, vulnerability, what it owns and has lost. The
//! file names those numbers as keys of the world's board and says by any kind of brain which [`Attitude`] the side takes. What the
//! members make of the attitude is their own files' affair. Nothing here knows a game: the units of strength are the caller's,
//! as long as both sides are told in the same.
//!
//! ```
//! use sentir_squad::strategy::{Attitude, SideReport, Strategy, StrategyMoment};
//! use sentir_squad::core::id::TeamId;
//! use sentir_squad::core::random::Streams;
//! use sentir_squad::core::tick::{Tick, TickRate};
//!
//! let text = "sentir: decision 1
//! keys: {odds: {kind: float, scope: world}}
//! root:
//!   if: {key: $odds, \">\": 1}
//!   then: {do: order, with: {attitude: attack}}
//!   else: {do: order, with: {attitude: defend}}
//! ";
//! let strategy = Strategy::read(text.as_bytes(), "bold.yaml").unwrap();
//! let mut state = strategy.start();
//! let moment = StrategyMoment { side: TeamId(0), tick: Tick(0), rate: TickRate::new(20), streams: Streams { seed: 1 } };
//! let report = SideReport { own_strength: 30.0, enemy_strength: 10.0, ..SideReport::default() };
//! assert_eq!(strategy.think(&mut state, &report, &moment).attitude, Attitude::Attack);
//! ```

use std::sync::Arc;

use sentir_asset::{AssetError, Refusal};
use sentir_core::State;
use sentir_core::id::{AgentId, TeamId};
use sentir_core::random::Streams;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::WhyLog;
use sentir_think::board::{Blackboard, Board};
use sentir_think::brain::{Brain, BrainScratch, BrainState};
use sentir_think::key::{Key, KeySpec, Keys, Scope};
use sentir_think::leaf::{Host, Status, Task};
use sentir_think::registry::Leaves;
use sentir_think::thought::{Sinks, Thinker, Thought};
use sentir_think::value::Kind;
use serde::Deserialize;

use crate::fact::declared_at;

/// What a side is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attitude {
    /// Go for the enemy, and see to the wounded.
    #[default]
    Attack,
    /// Hold what one has.
    Defend,
    /// Everybody forward, whatever it costs.
    Total,
}

impl Attitude {
    /// All of them.
    pub const ALL: [Attitude; 3] = [Attitude::Attack, Attitude::Defend, Attitude::Total];

    /// Its name in files and settings.
    pub fn name(self) -> &'static str {
        ["attack", "defend", "total"][self as usize]
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Attitude> {
        Attitude::ALL.into_iter().find(|attitude| attitude.name() == name)
    }
}

/// What a side is to do: what its staff decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideOrder {
    /// What it is at.
    pub attitude: Attitude,
    /// Whether those who slip through unseen do so, whatever the others are at.
    #[serde(default)]
    pub raid: bool,
    /// Whether those who march keep to the pace of the slowest, so that they arrive together.
    #[serde(default)]
    pub together: bool,
}

/// What a side knows of itself and believes of the enemy, as numbers. Whatever is no number counts as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct SideReport {
    /// Strength of one's own who can fight now.
    pub own_strength: f32,
    /// Strength of the enemies that are believed to be there.
    pub enemy_strength: f32,
    /// Strength of the enemies believed to be on one's own ground.
    pub threat: f32,
    /// How much both sides' influence meets, as a mean over the ground that either holds, 0..=1.
    pub tension: f32,
    /// How one-sided it is where it meets: high where much is at stake and one side is far stronger, 0..=1.
    pub vulnerability: f32,
    /// Health of what must not be lost, one's own, as a share.
    pub own_base: f32,
    /// The same of the enemy, as far as it is known.
    pub enemy_base: f32,
    /// Resources in hand.
    pub resources: f32,
    /// Defenses that stand, as a share of those that could.
    pub defenses: f32,
    /// Strength lost of late.
    pub own_losses: f32,
    /// Strength that the enemy is known to have lost of late.
    pub enemy_losses: f32,
    /// Mean health of one's own, as a share.
    pub health: f32,
    /// How long it has gone on, s.
    pub time_s: f32,
}

/// A number of the report under its name in files.
type Named = (&'static str, fn(&SideReport) -> f32);

/// Keeps ratios finite where the enemy is not known.
const STRENGTH_MIN: f32 = 1.0;

/// All numbers that a file may name.
const NAMED: [Named; 14] = [
    ("own_strength", |it| it.own_strength),
    ("enemy_strength", |it| it.enemy_strength),
    // Own strength for each of the enemy's; of an enemy of whom nothing is known it is one's own strength.
    ("odds", |it| it.own_strength / if it.enemy_strength > STRENGTH_MIN { it.enemy_strength } else { STRENGTH_MIN }),
    ("threat", |it| it.threat),
    ("tension", |it| it.tension),
    ("vulnerability", |it| it.vulnerability),
    ("own_base", |it| it.own_base),
    ("enemy_base", |it| it.enemy_base),
    ("resources", |it| it.resources),
    ("defenses", |it| it.defenses),
    ("own_losses", |it| it.own_losses),
    ("enemy_losses", |it| it.enemy_losses),
    ("health", |it| it.health),
    ("time_s", |it| it.time_s),
];

/// A side's staff, as its brain sees it.
struct Staff;

impl Host for Staff {
    type View<'a> = &'a SideReport;
    type Out = SideOrder;
}

/// Gives the side an order, and stays with it until the brain decides for something else.
struct Order;

impl Task<Staff> for Order {
    const NAME: &'static str = "order";
    type Params = SideOrder;
    type State = ();

    fn tick(params: &SideOrder, (): &mut (), thought: &mut Thought<'_, Staff>) -> Status {
        *thought.out = *params;
        Status::Running
    }
}

/// When a side thinks, and which.
#[derive(Clone, Copy, Debug)]
pub struct StrategyMoment {
    /// Which side.
    pub side: TeamId,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// The world's seed.
    pub streams: Streams,
}

/// What a side's staff remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct StrategyState {
    board: Blackboard,
    numbers: Blackboard,
    brain: BrainState,
    order: SideOrder,
}

/// A strategy out of a file, shared by all sides that follow it. A clone shares the brain.
#[derive(Clone)]
pub struct Strategy {
    brain: Arc<Brain<Staff>>,
    /// The keys of the numbers that its file asks for, beside [`NAMED`].
    numbers: [Option<Key<f32>>; NAMED.len()],
}

impl Strategy {
    /// Reads the file of a brain of any kind. Keys of the world's board are numbers of the report; tasks are `order`.
    ///
    /// # Errors
    /// What is wrong with it, with its place.
    pub fn read(bytes: &[u8], file: &str) -> Result<Strategy, AssetError> {
        let mut leaves = Leaves::default();
        leaves.task::<Order>();
        let brain = Brain::read(bytes, file, &Keys::default(), &leaves)?;
        let is_number = |spec: &&KeySpec| spec.kind == Kind::Float && NAMED.iter().any(|(name, _)| *name == spec.name);
        let mut world = brain.keys().specs().iter().filter(|spec| spec.scope == Scope::World);
        if let Some(spec) = world.find(|spec| !is_number(spec)) {
            let place = declared_at(&spec.name, bytes, file)?;
            let refusal = if NAMED.iter().any(|(name, _)| *name == spec.name) {
                Refusal::wrong(
                    place,
                    format!("`{}` is a number of the report: expected a key of kind float", spec.name),
                )
            } else {
                Refusal::unknown(place, "number of a side's report", &spec.name, NAMED.map(|(name, _)| name))
            };
            return Err(AssetError::new(file, refusal));
        }
        let numbers = NAMED.map(|(name, _)| brain.keys().key(name).ok());
        Ok(Strategy { brain: Arc::new(brain), numbers })
    }

    /// What a staff that has not thought yet remembers.
    #[must_use]
    pub fn start(&self) -> StrategyState {
        let keys = self.brain.keys();
        StrategyState {
            board: Blackboard::new(keys),
            numbers: Blackboard::new(keys),
            brain: self.brain.start(),
            order: SideOrder::default(),
        }
    }

    /// Thinks once over a report.
    pub fn think(&self, state: &mut StrategyState, report: &SideReport, moment: &StrategyMoment) -> SideOrder {
        let keys = self.brain.keys();
        if !state.numbers.fits(keys) {
            *state = self.start();
        }
        for ((_, number), key) in NAMED.iter().zip(self.numbers) {
            if let Some(key) = key {
                let value = number(report);
                state.numbers.set(key, if value.is_nan() { 0.0 } else { value });
            }
        }
        let StrategyMoment { side, tick, rate, streams } = *moment;
        // No agent has such an id: sides draw for themselves.
        let thinker = Thinker { agent: AgentId::from_bits(!u64::from(side.0)), tick, rate, streams };
        let (mut unheard, team) = (WhyLog::default(), Blackboard::EMPTY);
        let board = Board { own: &mut state.board, team: &team, world: &state.numbers };
        let sinks = Sinks { out: &mut state.order, why: &mut unheard };
        let mut thought = Thought::<Staff>::new(thinker, report, board, sinks);
        let _ = self.brain.tick(&mut state.brain, &mut BrainScratch::default(), &mut thought);
        state.order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::state;

    const FILE: &str = "sentir: decision 1
keys: {threat: {kind: float, scope: world}, odds: {kind: float, scope: world}, own_base: {kind: float, scope: world}}
root:
  name: attacked
  if: {key: $threat, \">\": 20}
  keep: {key: $threat, \">\": 5}
  then: {do: order, with: {attitude: defend}}
  else:
    name: desperate
    if: {key: $own_base, \"<\": 0.3}
    then: {do: order, with: {attitude: total}}
    else: {do: order, with: {attitude: attack}}
";

    fn moment(tick: u64) -> StrategyMoment {
        StrategyMoment { side: TeamId(1), tick: Tick(tick), rate: TickRate::new(20), streams: Streams { seed: 7 } }
    }

    #[test]
    fn a_side_changes_its_mind_with_its_report_and_holds_on_where_the_file_says_so() {
        let strategy = Strategy::read(FILE.as_bytes(), "s.yaml").unwrap();
        let mut state = strategy.start();
        let calm = SideReport { own_base: 1.0, ..SideReport::default() };
        let mut think = |tick, threat, own_base| {
            strategy.think(&mut state, &SideReport { threat, own_base, ..calm }, &moment(tick)).attitude
        };
        assert_eq!(think(0, 0.0, 1.0), Attitude::Attack);
        assert_eq!(think(20, 25.0, 1.0), Attitude::Defend);
        assert_eq!(think(40, 10.0, 1.0), Attitude::Defend);
        assert_eq!(think(60, 1.0, 1.0), Attitude::Attack);
        assert_eq!(think(80, f32::NAN, 0.1), Attitude::Total);
    }

    #[test]
    fn what_a_staff_remembers_saves_and_goes_on_the_same() {
        let strategy = Strategy::read(FILE.as_bytes(), "s.yaml").unwrap();
        let mut one = strategy.start();
        let report = |threat| SideReport { threat, own_base: 1.0, ..SideReport::default() };
        strategy.think(&mut one, &report(25.0), &moment(0));
        let mut other: StrategyState = state::from_bytes(&state::to_bytes(&one)).unwrap();
        for (tick, threat) in [(20, 10.0), (40, 0.0), (60, 30.0)] {
            let (a, b) = (report(threat), moment(tick));
            assert_eq!(strategy.think(&mut one, &a, &b), strategy.think(&mut other, &a, &b));
            assert_eq!(one, other);
        }
    }

    #[test]
    fn numbers_that_no_report_has_and_orders_that_are_none_are_refused_with_their_place() {
        let refused = |from: &str, to: &str| {
            let text = FILE.replacen(from, to, 1);
            assert_ne!(text, FILE);
            Strategy::read(text.as_bytes(), "s.yaml").err().unwrap().to_string()
        };
        let said = refused("{threat: {kind: float", "{thread: {kind: float");
        assert!(said.starts_with("s.yaml:2:") || said.contains("threa"), "{said}");
        assert!(refused("threat: {kind: float", "threat: {kind: int").contains("expected"), "kind");
        assert!(refused("attitude: defend", "attitude: defand").contains("defend"), "attitude");
        assert!(refused("attitude: defend", "attitude: defend, radi: true").contains("raid"), "order");
    }

    #[test]
    fn an_order_is_plain_unless_the_file_says_more() {
        let with = |text: &str| {
            let strategy = Strategy::read(FILE.replace("attitude: attack", text).as_bytes(), "s.yaml").unwrap();
            let calm = SideReport { own_base: 1.0, ..SideReport::default() };
            strategy.think(&mut strategy.start(), &calm, &moment(0))
        };
        let plain = SideOrder { attitude: Attitude::Attack, raid: false, together: false };
        assert_eq!(with("attitude: attack"), plain);
        assert_eq!(
            with("attitude: attack, raid: true, together: true"),
            SideOrder { raid: true, together: true, ..plain }
        );
    }

    #[test]
    fn attitudes_are_known_by_their_names() {
        for attitude in Attitude::ALL {
            assert_eq!(Attitude::named(attitude.name()), Some(attitude));
        }
        assert_eq!(Attitude::named("sulk"), None);
    }
}
