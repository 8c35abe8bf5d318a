//! The soldier's brain: a tree out of a file, the facts it is told, and one thought.
//!
//! A thought: what was heard and felt is noted and reported; the team's alert goes onto the board; the tree is ticked; then
//! eyes and trigger are set by what the tree settled for (`fire`). Everything read is the soldier's own: beliefs, what
//! its hands feel ([`Gear`]), what its squad tells ([`Briefing`], and the squad's board), and the public ground ([`TacticalMap`]).

use std::sync::Arc;

use sentir_asset::AssetError;
use sentir_core::State;
use sentir_core::belief::{Beliefs, Other};
use sentir_core::body::{Pose, Stance};
use sentir_core::chart::Chart;
use sentir_core::glam::Vec3;
use sentir_core::id::{AgentId, TeamId};
use sentir_core::intent::{Gaze, Intents, Ticket};
use sentir_core::random::Streams;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::WhyLog;
use sentir_core::{math, plane};
use sentir_think::board::{Blackboard, Board};
use sentir_think::brain::{Brain, BrainScratch, BrainState};
use sentir_think::key::Keys;
use sentir_think::leaf::Host;
use sentir_think::node::NodeId;
use sentir_think::outline::Outline;
use sentir_think::thought::{Sinks, Thinker, Thought};
use sentir_think::why::Why;
use serde::Deserialize;

use crate::claim::{ClaimKind, Claims};
use crate::fact::{self, Facts, TeamFacts};
use crate::tactical_map::TacticalMap;
use crate::team::{Briefing, Member, MemberReport};
use crate::tuning::Tuning;
use crate::{fire, leaf};

/// Hurts that count for taking damage; older ones go first.
pub(crate) const WOUNDS_MAX: usize = 8;

/// What the hands feel of the gun and the ears of bullets; the host tells it when it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Gear {
    /// Rounds ready to be fired.
    pub magazine: u32,
    /// Rounds of a full magazine; 0 for what needs none.
    pub magazine_max: u32,
    /// Rounds carried besides.
    pub reserve: u32,
    /// Rounds that can be carried besides.
    pub reserve_max: u32,
    /// Whether a reload is in progress.
    pub is_reloading: bool,
    /// When a shot of somebody else's side last passed near; none if never.
    pub passed_at: Option<Tick>,
}

impl Gear {
    /// Share of a full magazine, 0..=1; 1 for what needs none.
    pub fn share(&self) -> f32 {
        if self.magazine_max == 0 { 1.0 } else { self.magazine as f32 / self.magazine_max as f32 }
    }

    /// Whether a reload would bring anything.
    pub fn can_reload(&self) -> bool {
        self.magazine < self.magazine_max && self.reserve > 0
    }

    /// Share of the rounds that can be carried besides, 0..=1; 1 where none can.
    pub fn reserve_share(&self) -> f32 {
        if self.reserve_max == 0 { 1.0 } else { self.reserve as f32 / self.reserve_max as f32 }
    }
}

/// What a soldier is at, for those who look at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, State)]
#[serde(rename_all = "snake_case")]
pub enum SoldierBehavior {
    /// Nothing.
    #[default]
    Idle,
    /// Walks from post to post.
    Patrol,
    /// Looks for the target.
    Search,
    /// Hides.
    Hide,
    /// Gains ground on somebody who hides.
    Push,
    /// Fights from a place.
    Attack,
    /// Runs at the target.
    Rush,
    /// Stays and faces the target.
    Hold,
    /// Fetches rounds.
    Supply,
}

impl SoldierBehavior {
    /// All of them, in the order of the numbers that decisions have.
    pub const ALL: [SoldierBehavior; 9] = [
        SoldierBehavior::Idle,
        SoldierBehavior::Patrol,
        SoldierBehavior::Search,
        SoldierBehavior::Hide,
        SoldierBehavior::Push,
        SoldierBehavior::Attack,
        SoldierBehavior::Rush,
        SoldierBehavior::Hold,
        SoldierBehavior::Supply,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        ["idle", "patrol", "search", "hide", "push", "attack", "rush", "hold", "supply"][self as usize]
    }
}

/// What the gun is for just now.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub enum Trigger {
    /// Nothing.
    #[default]
    Rest,
    /// Whom one sees.
    Target,
    /// A point where the target would come out, m.
    Point(Vec3),
}

/// What a soldier has in hand from thought to thought, beside the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct SoldierStatus {
    /// What it has claimed.
    pub claims: Claims,
    /// What the gun is for.
    pub trigger: Trigger,
    /// What it is at.
    pub behavior: SoldierBehavior,
    /// What it shoots at in this moment, m.
    pub fires_at: Option<Vec3>,
    /// The open question for a point to suppress, and when it was asked.
    pub(crate) suppress: (Ticket, Tick),
    /// Whether it wants to reload.
    pub(crate) reloads: bool,
    /// Where it would look if there were nothing to shoot at.
    pub(crate) gaze: Gaze,
    /// Since when it sees the target without a break, as its file has it (`sees_target`).
    pub(crate) seen_since: Option<Tick>,
    /// When it last saw the target.
    pub(crate) seen_at: Option<Tick>,
    /// Since when it sees of the target only what cannot be hit, without a break.
    pub(crate) masked_since: Option<Tick>,
    /// Since when it runs for cover with nothing left.
    pub(crate) dry_since: Option<Tick>,
    /// When it last looked for cover and there was none.
    pub(crate) no_cover_at: Option<Tick>,
    /// Which post of its patrol is next.
    pub(crate) post: u16,
}

/// What a soldier remembers. The default fits no brain yet: the first thought begins anew.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct SoldierMemory {
    board: Blackboard,
    state: BrainState,
    /// What it has in hand.
    pub status: SoldierStatus,
    /// What its hands and ears feel.
    pub gear: Gear,
    /// What its squad tells it.
    pub briefing: Briefing,
    /// What it reports to its team.
    pub report: MemberReport,
    /// Where it patrols, m; set at the beginning.
    pub posts: Vec<Vec3>,
    /// Hurts lately: when, and the share of health.
    pub(crate) wounds: [(Tick, f32); WOUNDS_MAX],
    pub(crate) wound: u8,
    /// Whether another version of the tree has ended what it was at.
    is_cut: bool,
}

/// What a soldier can be told from outside of its senses.
#[derive(Clone, Copy, Debug, PartialEq, State)]
#[allow(
    clippy::large_enum_variant,
    reason = "a box would be allocated for each briefing; inboxes are short and used again"
)]
pub enum SoldierNotice {
    /// By the host: how the gun is, and what passed its ears.
    Gear(Gear),
    /// By the host: the rules have told that the target is dead.
    TargetDead,
    /// By its squad: what all know together.
    Briefing(Briefing),
}

impl SoldierMemory {
    /// Takes in what it is told.
    pub fn receive(&mut self, notice: SoldierNotice) {
        match notice {
            SoldierNotice::Gear(gear) => self.gear = gear,
            SoldierNotice::TargetDead => self.report.is_target_dead = true,
            SoldierNotice::Briefing(briefing) => self.briefing = briefing,
        }
    }
}

/// All that the leaves of one thought may read.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// All it believes.
    pub beliefs: &'a Beliefs,
    /// On which side it is.
    pub team: TeamId,
    /// What its team tells it.
    pub briefing: &'a Briefing,
    /// What its hands feel.
    pub gear: &'a Gear,
    /// Where it patrols, m.
    pub posts: &'a [Vec3],
    /// The public ground.
    pub tactical_map: &'a TacticalMap,
    /// Taste.
    pub tuning: &'a Tuning,
    /// The keys that the tree has.
    pub(crate) facts: &'a Facts,
    /// Share of health lost within the window of taking damage.
    pub(crate) damage: f32,
    /// When it was last hit.
    pub(crate) hit_at: Option<Tick>,
}

impl Situation<'_> {
    /// The enemy it believes in most.
    pub fn enemy(&self) -> Option<Other> {
        enemy_of(self.beliefs, self.team)
    }

    /// Where the target is thought to be, m: as one sees it, else as the team has it.
    pub fn target_place(&self) -> Option<Vec3> {
        let seen = self.enemy().filter(|enemy| enemy.is_visible).map(|enemy| enemy.position);
        seen.or_else(|| self.briefing.lead.map(|lead| lead.place))
    }
}

/// The enemy somebody believes in most: of those that are visible the nearest, who counts as farther off the more one would
/// have to turn (so that among several the gun stays with one); else the one known of last.
pub fn enemy_of(beliefs: &Beliefs, team: TeamId) -> Option<Other> {
    let Pose { position: me, yaw } = beliefs.me.pose;
    let near = |it: &Other| {
        let to = it.position - me;
        to.length() * (1.0 + math::angle_between(yaw, plane::yaw(plane::ground(to))).abs())
    };
    let foes = || beliefs.others().iter().filter(|it| it.team != team);
    let seen = foes().filter(|it| it.is_visible).min_by(|a, b| near(a).total_cmp(&near(b)));
    seen.or_else(|| foes().max_by_key(|it| it.at)).copied()
}

/// What one thought wants.
#[derive(Clone, Debug, Default)]
pub struct ThinkOutput {
    /// What the body is to do.
    pub intents: Intents,
    /// What is kept in hand.
    pub status: SoldierStatus,
}

/// The game, as soldiers' brains see it.
#[derive(Debug)]
pub struct SoldierHost;

impl Host for SoldierHost {
    type View<'a> = &'a Situation<'a>;
    type Out = ThinkOutput;
}

/// A moment of a soldier's life: who, when, what its squad has written, and the world's seed.
#[derive(Clone, Copy, Debug)]
pub struct ThinkContext<'a> {
    /// Who.
    pub agent: AgentId,
    /// On which side.
    pub team: TeamId,
    /// When.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// The board of its squad; see [`Soldier::brief`].
    pub board: &'a Blackboard,
    /// The world's seed.
    pub streams: Streams,
}

impl ThinkContext<'_> {
    fn thinker(&self) -> Thinker {
        let &ThinkContext { agent, tick, rate, streams, .. } = self;
        Thinker { agent, tick, rate, streams }
    }
}

/// What came of a thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it decided for something else than before.
    pub is_new: bool,
    /// The breakpoint of the tree that it came to, if any.
    pub breakpoint: Option<NodeId>,
}

/// The brain of all soldiers: tree, tuning and ground, shared and never changed but by a host whose ground lives. A clone
/// shares the tree.
#[derive(Clone)]
pub struct Soldier {
    /// The ground.
    pub tactical_map: TacticalMap,
    /// Taste.
    pub tuning: Tuning,
    brain: Arc<Brain<SoldierHost>>,
    facts: Facts,
    team_facts: TeamFacts,
    /// The world's board: the numbers of the tuning that the tree names.
    world: Blackboard,
}

fn read(bytes: &[u8], file: &str) -> Result<Brain<SoldierHost>, AssetError> {
    let brain = Brain::read(bytes, file, &Keys::default(), &leaf::leaves())?;
    Tuning::check_names(brain.keys(), bytes, file)?;
    TeamFacts::check_names(brain.keys(), bytes, file)?;
    Ok(brain)
}

/// What of its memory a soldier's leaves may read.
#[derive(Clone, Copy)]
struct Remembered<'a> {
    gear: &'a Gear,
    briefing: &'a Briefing,
    posts: &'a [Vec3],
    /// Share of health lost within the window of taking damage.
    damage: f32,
    /// When it was last hit.
    hit_at: Option<Tick>,
}

/// What a soldier is handed over from: an old version of the tree, and the moment at which that ends.
#[derive(Clone)]
pub struct Handover<'a> {
    /// The old version.
    pub old: &'a Soldier,
    /// Who, and when.
    pub moment: &'a ThinkContext<'a>,
    /// All it believes.
    pub beliefs: &'a Beliefs,
    /// What its body is doing.
    pub intents: Intents,
}

impl Soldier {
    /// A soldier by files: the tree and its name, the tuning.
    ///
    /// # Errors
    /// What is wrong with the tree, with its place; a key that the leaves write and the tree does not declare is none.
    pub fn new(tactical_map: TacticalMap, (file, text): (&str, &str), tuning: Tuning) -> Result<Soldier, AssetError> {
        let brain = read(text.as_bytes(), file)?;
        let keys = brain.keys();
        let (mut world, facts, team_facts) = (Blackboard::new(keys), Facts::of(keys), TeamFacts::of(keys));
        tuning.name_numbers(keys, &mut world);
        Ok(Soldier { tactical_map, tuning, brain: Arc::new(brain), facts, team_facts, world })
    }

    /// What is wrong with a tree for the soldier's leaves; `file` is its name in errors.
    ///
    /// # Errors
    /// The same as those of [`Soldier::new`].
    pub fn check(file: &str, bytes: &[u8]) -> Result<(), AssetError> {
        read(bytes, file).map(drop)
    }

    /// The soldier that comes with the library.
    ///
    /// # Errors
    /// Never: a test holds that.
    pub fn stock(tactical_map: TacticalMap) -> Result<Soldier, AssetError> {
        Soldier::new(tactical_map, crate::stock::TREE, Tuning::stock()?)
    }

    /// Goes on with what somebody remembers of an old version of the tree: what runs and is still there runs on, by node id;
    /// what is gone is aborted, which shows in the next thought. Facts move by name and kind.
    pub fn take_over(&self, handover: Handover<'_>, memory: &mut SoldierMemory) {
        let Handover { old, moment, beliefs, intents } = handover;
        let (damage, hit_at) = fact::damage(memory, moment, &self.tuning);
        let SoldierMemory { board, state, status, gear, briefing, posts, is_cut, .. } = memory;
        let situation = old.situation(moment, beliefs, Remembered { gear, briefing, posts, damage, hit_at });
        let before = intents.clone();
        let mut wish = ThinkOutput { intents, status: *status };
        let mut unheard = WhyLog::default();
        let boards = Board { own: board, team: moment.board, world: &old.world };
        let mut thought = Thought::<SoldierHost>::new(
            moment.thinker(),
            &situation,
            boards,
            Sinks { out: &mut wish, why: &mut unheard },
        );
        self.brain.adopt(&old.brain, state, &mut thought);
        *is_cut |= wish.intents != before;
        *status = wish.status;
        self.take_over_board(old, board);
    }

    /// Goes on with a board of an old version of the tree, a soldier's own or its squad's: facts move by name and kind.
    pub fn take_over_board(&self, old: &Soldier, board: &mut Blackboard) {
        let (keys, old) = (self.brain.keys(), old.brain.keys());
        if keys != old {
            let mut fresh = Blackboard::new(keys);
            fresh.carry(keys, board, old);
            *board = fresh;
        }
    }

    /// Writes what a squad counts of its members onto its board, for the thoughts of all of them.
    pub fn brief(&self, members: &[Member], board: &mut Blackboard) {
        if !board.fits(self.brain.keys()) {
            *board = Blackboard::new(self.brain.keys());
        }
        self.team_facts.write(members, board);
    }

    /// What a soldier remembers at the beginning, who walks from post to post.
    pub fn recruit(&self, posts: Vec<Vec3>) -> SoldierMemory {
        let (board, state) = (Blackboard::new(self.brain.keys()), self.brain.start());
        SoldierMemory { board, state, posts, ..SoldierMemory::default() }
    }

    /// All that leaves may read at a moment.
    fn situation<'a>(&'a self, moment: &ThinkContext<'_>, beliefs: &'a Beliefs, own: Remembered<'a>) -> Situation<'a> {
        let Remembered { gear, briefing, posts, damage, hit_at } = own;
        let (tactical_map, tuning, facts) = (&self.tactical_map, &self.tuning, &self.facts);
        Situation { beliefs, team: moment.team, briefing, gear, posts, tactical_map, tuning, facts, damage, hit_at }
    }

    /// One thought.
    pub fn think(
        &self,
        moment: &ThinkContext<'_>,
        beliefs: &Beliefs,
        memory: &mut SoldierMemory,
        intents: &mut Intents,
        why: &mut WhyLog<Why>,
    ) -> Verdict {
        if memory.state == BrainState::Blank {
            (memory.board, memory.state) = (Blackboard::new(self.brain.keys()), self.brain.start());
        }
        if std::mem::take(&mut memory.is_cut) {
            intents.stay();
            intents.stance = Stance::Stand;
        }
        fact::note(self, beliefs, memory);
        let (damage, hit_at) = fact::damage(memory, moment, &self.tuning);
        let SoldierMemory { board, state, status, gear, briefing, posts, .. } = memory;
        let situation = self.situation(moment, beliefs, Remembered { gear, briefing, posts, damage, hit_at });
        let before = status.behavior;
        let mut wish = ThinkOutput { intents: std::mem::take(intents), status: *status };
        wish.status.gaze = Gaze::Ahead;
        wish.status.reloads = false;
        let board = Board { own: board, team: moment.board, world: &self.world };
        let sinks = Sinks { out: &mut wish, why };
        let mut thought = Thought::<SoldierHost>::new(moment.thinker(), &situation, board, sinks);
        fact::refresh(&mut thought);
        self.brain.tick(state, &mut BrainScratch::default(), &mut thought);
        fact::follow(&mut thought);
        fire::settle(&mut thought);
        let breakpoint = thought.breakpoint;
        (*intents, *status) = (wish.intents, wish.status);
        if briefing.alert != crate::team::Alert::Fight {
            for kind in [ClaimKind::Attack, ClaimKind::Cover, ClaimKind::Suppress] {
                status.claims.release(kind);
            }
        }
        Verdict { is_new: status.behavior != before, breakpoint }
    }

    /// The parts of the tree.
    pub fn outline(&self) -> Outline {
        self.brain.outline(None)
    }

    /// The brain of one soldier as one can look at it.
    pub fn chart<'a>(&self, memory: &SoldierMemory, whys: impl IntoIterator<Item = &'a Why>) -> Chart {
        self.brain.chart("soldier", &memory.state, whys)
    }

    /// The fact of a yes-or-no key of the tree, as it stands on a soldier's board; none if the tree has no such key.
    pub fn flag(&self, memory: &SoldierMemory, name: &str) -> Option<bool> {
        let key = self.brain.keys().key::<bool>(name).ok()?;
        memory.board.get(key)
    }
}
