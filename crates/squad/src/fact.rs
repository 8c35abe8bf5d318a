//! The observations of the board: what a soldier knows of itself, of the target and of its team, as plain facts. What it
//! makes of them, and so all its decisions, stands in its file under `conditions`.
//!
//! Cheap ones are fresh in every thought; those that cost rays are the service `sense`'s, every 0.3 s. Rays go through the
//! fixed level from where the target's eyes are thought to be, all round: what the target does not look at now it may look at in a
//! moment. A tree declares the keys it wants to read; the others are not written.
//!
//! What a squad counts of its members is on its board ([`TeamFacts`]): written once in each run of its coordination, read by all.

use sentir_asset::{AssetError, FilePosition, Node, Refusal, parse};
use sentir_core::belief::Beliefs;
use sentir_core::body::Stance;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::intent::Ticket;
use sentir_core::outcome::{Answer, Outcome};
use sentir_core::tick::Tick;
use sentir_core::{math, plane};
use sentir_think::board::Blackboard;
use sentir_think::key::{Key, KeySpec, Keys, Scope};
use sentir_think::leaf::Service;
use sentir_think::thought::Thought;
use sentir_think::value::{Fact, Kind, Symbol};

use crate::claim::ClaimKind;
use crate::soldier::{Soldier, SoldierBehavior, SoldierHost, SoldierMemory, ThinkContext, Trigger, WOUNDS_MAX};
use crate::tactical_map::{CROUCH_M, EYE_M};
use crate::team::Member;
use crate::tuning::Tuning;

/// How far to either side the target is thought to see, rad.
const HIS_HALF_RAD: f32 = 1.0;

/// The keys that are written here, looked up once; none where the tree has no such key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    alert: Option<Key<Symbol>>,
    behavior: Option<Key<Symbol>>,
    rounds: Option<Key<i32>>,
    reloading: Option<Key<bool>>,
    magazine: Option<Key<f32>>,
    reserve: Option<Key<i32>>,
    reserve_share: Option<Key<f32>>,
    supply_known: Option<Key<bool>>,
    damage: Option<Key<f32>>,
    hit_s: Option<Key<f32>>,
    passed_s: Option<Key<f32>>,
    cover_failed_s: Option<Key<f32>>,
    target: Option<Key<AgentId>>,
    target_place: Option<Key<Vec3>>,
    target_visible: Option<Key<bool>>,
    target_m: Option<Key<f32>>,
    unseen_s: Option<Key<f32>>,
    masked_s: Option<Key<f32>>,
    lead_s: Option<Key<f32>>,
    lead_precise: Option<Key<bool>>,
    lead_checked: Option<Key<bool>>,
    here_safe: Option<Key<bool>>,
    here_attack: Option<Key<bool>>,
    i_am_visible: Option<Key<bool>>,
    next_cover: Option<Key<Vec3>>,
    pub(crate) next_cover_safe: Option<Key<bool>>,
    next_attack: Option<Key<Vec3>>,
    pub(crate) next_attack_good: Option<Key<bool>>,
    pub(crate) line_blocked: Option<Key<bool>>,
    /// Conditions of the file that eyes and hands go by at the end of a thought.
    sees_target: Option<Key<bool>>,
    pub(crate) target_close: Option<Key<bool>>,
    pub(crate) fills_in_peace: Option<Key<bool>>,
}

impl Facts {
    pub(crate) fn of(keys: &Keys) -> Facts {
        Facts {
            alert: keys.key("alert").ok(),
            behavior: keys.key("behavior").ok(),
            rounds: keys.key("rounds").ok(),
            reloading: keys.key("reloading").ok(),
            magazine: keys.key("magazine").ok(),
            reserve: keys.key("reserve").ok(),
            reserve_share: keys.key("reserve_share").ok(),
            supply_known: keys.key("supply_known").ok(),
            damage: keys.key("damage").ok(),
            hit_s: keys.key("hit_s").ok(),
            passed_s: keys.key("passed_s").ok(),
            cover_failed_s: keys.key("cover_failed_s").ok(),
            target: keys.key("target").ok(),
            target_place: keys.key("target_place").ok(),
            target_visible: keys.key("target_visible").ok(),
            target_m: keys.key("target_m").ok(),
            unseen_s: keys.key("unseen_s").ok(),
            masked_s: keys.key("masked_s").ok(),
            lead_s: keys.key("lead_s").ok(),
            lead_precise: keys.key("lead_precise").ok(),
            lead_checked: keys.key("lead_checked").ok(),
            here_safe: keys.key("here_safe").ok(),
            here_attack: keys.key("here_attack").ok(),
            i_am_visible: keys.key("i_am_visible").ok(),
            next_cover: keys.key("next_cover").ok(),
            next_cover_safe: keys.key("next_cover_safe").ok(),
            next_attack: keys.key("next_attack").ok(),
            next_attack_good: keys.key("next_attack_good").ok(),
            line_blocked: keys.key("line_blocked").ok(),
            sees_target: keys.key("sees_target").ok(),
            target_close: keys.key("target_close").ok(),
            fills_in_peace: keys.key("fills_in_peace").ok(),
        }
    }
}

/// A count of a squad's members under its name: a key of the team's board.
type Count = (&'static str, fn(&Member) -> bool);

/// What a squad counts: members who see an enemy, who could shoot at once, who reload.
const COUNTS: [Count; 3] = [
    ("team_seeing", |it| it.enemy.is_some_and(|enemy| enemy.is_visible)),
    ("team_ready", |it| it.is_ready),
    ("team_reloading", |it| it.is_reloading),
];

/// The keys of the team's board, looked up once; none where the tree has no such key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TeamFacts([Option<Key<i32>>; COUNTS.len()]);

impl TeamFacts {
    pub(crate) fn of(keys: &Keys) -> TeamFacts {
        TeamFacts(COUNTS.map(|(name, _)| keys.key(name).ok()))
    }

    /// Puts what is counted of the members onto their squad's board.
    pub(crate) fn write(&self, members: &[Member], board: &mut Blackboard) {
        for (key, (_, is_one)) in self.0.iter().zip(COUNTS) {
            if let Some(key) = key {
                board.set(*key, members.iter().filter(|it| is_one(it)).count() as i32);
            }
        }
    }

    /// Refuses keys of the team that no squad writes, and counts that are no keys of the team, with their place in the file.
    pub(crate) fn check_names(keys: &Keys, bytes: &[u8], file: &str) -> Result<(), AssetError> {
        let is_count = |spec: &KeySpec| COUNTS.iter().any(|(name, _)| *name == spec.name);
        let is_right = |spec: &KeySpec| spec.scope == Scope::Team && spec.kind == Kind::Int;
        let odd =
            |spec: &&KeySpec| (is_count(spec) || spec.scope == Scope::Team) && !(is_count(spec) && is_right(spec));
        let Some(spec) = keys.specs().iter().find(odd) else { return Ok(()) };
        let place = declared_at(&spec.name, bytes, file)?;
        Err(AssetError::new(
            file,
            if is_count(spec) {
                let sentence = format!("`{}` is counted by the squad: expected {{kind: int, scope: team}}", spec.name);
                Refusal::wrong(place, sentence)
            } else {
                Refusal::unknown(place, "fact of a team", &spec.name, COUNTS.map(|(name, _)| name))
            },
        ))
    }
}

/// Where a tree's file declares a key; its beginning if it does not.
pub(crate) fn declared_at(name: &str, bytes: &[u8], file: &str) -> Result<FilePosition, AssetError> {
    let node: Node = parse(bytes, file)?;
    let declared = node.find("keys").map_or(&[][..], Node::entries).iter().find(|entry| entry.key == name);
    Ok(declared.map_or(node.place, |entry| entry.place))
}

pub(crate) fn write<T: Fact>(thought: &mut Thought<'_, SoldierHost>, key: Option<Key<T>>, fact: T) {
    if let Some(key) = key {
        thought.board.write(key, fact);
    }
}

/// Writes a fact, or clears it when there is none.
fn put<T: Fact>(thought: &mut Thought<'_, SoldierHost>, key: Option<Key<T>>, fact: Option<T>) {
    if let Some(key) = key {
        thought.board.put(key.any(), fact.map(Fact::to_value));
    }
}

fn read<T: Fact>(thought: &Thought<'_, SoldierHost>, key: Option<Key<T>>) -> Option<T> {
    key.and_then(|key| thought.board.read(key))
}

/// Whether a yes-or-no key of the board says yes.
pub(crate) fn is(thought: &Thought<'_, SoldierHost>, key: Option<Key<bool>>) -> bool {
    read(thought, key).unwrap_or(false)
}

/// Whether it is hidden where it stands; none while that is not known.
pub(crate) fn here_safe(thought: &Thought<'_, SoldierHost>) -> Option<bool> {
    read(thought, thought.view.facts.here_safe)
}

/// Notes what was heard and felt since the last thought, for the team and for taking damage.
pub(crate) fn note(soldier: &Soldier, beliefs: &Beliefs, memory: &mut SoldierMemory) {
    let tuning = &soldier.tuning;
    let is_friend = |place: Vec3| {
        let friends = memory.briefing.friends();
        let apart = |friend: Vec3| plane::ground(friend - place).length();
        friends.map(|friend| friend.place).any(|friend| apart(friend) < tuning.friend_noise_m)
    };
    let heard = beliefs.noises.iter().filter(|noise| !is_friend(noise.position));
    if let Some(noise) = heard.max_by(|a, b| a.loudness.total_cmp(&b.loudness)) {
        memory.report.heard = Some((noise.position, noise.at, noise.loudness >= tuning.precise_loudness));
    }
    for hurt in &beliefs.hurts {
        memory.wounds[usize::from(memory.wound) % WOUNDS_MAX] = (hurt.at, hurt.amount);
        memory.wound = memory.wound.wrapping_add(1);
        memory.report.hurt = Some((hurt.from, hurt.at));
    }
    // An answer for where to shoot while the target hides.
    let open = memory.status.suppress.0;
    for outcome in beliefs.outcomes() {
        let Outcome::Answered { ticket, answer } = outcome else { continue };
        if *ticket == open && open != Ticket::default() {
            memory.status.suppress.0 = Ticket::default();
            if let Answer::Place { at, .. } = answer
                && memory.status.behavior == SoldierBehavior::Push
            {
                memory.status.trigger = Trigger::Point(*at);
                memory.status.claims.take(ClaimKind::Suppress, *at);
            }
        }
    }
}

/// The share of health lost within the window, and when it was last hit.
pub(crate) fn damage(memory: &SoldierMemory, moment: &ThinkContext<'_>, tuning: &Tuning) -> (f32, Option<Tick>) {
    let window = moment.rate.ticks(tuning.damage_s);
    let recent = memory.wounds.iter().filter(|(at, amount)| *amount > 0.0 && moment.tick.since(*at) <= window);
    let sum = recent.map(|(_, amount)| amount).sum();
    let last = memory.wounds.iter().filter(|(_, amount)| *amount > 0.0).map(|(at, _)| *at).max();
    (sum, last)
}

/// What is cheap, before every tick of the tree; who is startled looks about at once.
pub(crate) fn refresh(thought: &mut Thought<'_, SoldierHost>) {
    let is_visible = thought.view.enemy().is_some_and(|enemy| enemy.is_visible);
    if is_visible {
        thought.out.status.seen_at = Some(thought.tick);
    }
    observe_self(thought);
    observe_target(thought);
    if !thought.view.beliefs.hurts.is_empty() || is_visible && thought.out.status.seen_since.is_none() {
        Sense::run(&(), &mut (), thought);
    }
}

/// Seconds since a moment.
fn age_s(thought: &Thought<'_, SoldierHost>, at: Tick) -> f32 {
    thought.rate.seconds(thought.tick.since(at))
}

/// What it is at, its gun, its wounds.
fn observe_self(thought: &mut Thought<'_, SoldierHost>) {
    let (view, facts) = (thought.view, thought.view.facts);
    let gear = view.gear;
    let count = |rounds: u32| i32::try_from(rounds).unwrap_or(i32::MAX);
    let behavior = Symbol::new(thought.out.status.behavior.name());
    write(thought, facts.behavior, behavior);
    write(thought, facts.rounds, count(gear.magazine));
    write(thought, facts.reloading, gear.is_reloading);
    write(thought, facts.magazine, gear.share());
    write(thought, facts.reserve, count(gear.reserve));
    write(thought, facts.reserve_share, gear.reserve_share());
    write(thought, facts.supply_known, !view.tactical_map.supplies().is_empty());
    write(thought, facts.damage, view.damage);
    let ages = [view.hit_at, gear.passed_at, thought.out.status.no_cover_at].map(|at| at.map(|at| age_s(thought, at)));
    for (key, age_s) in [facts.hit_s, facts.passed_s, facts.cover_failed_s].into_iter().zip(ages) {
        put(thought, key, age_s);
    }
}

/// The target as the soldier sees it, and what the team tells of it.
fn observe_target(thought: &mut Thought<'_, SoldierHost>) {
    let (view, facts) = (thought.view, thought.view.facts);
    write(thought, facts.alert, Symbol::new(view.briefing.alert.name()));
    let enemy = view.enemy();
    let seen = enemy.filter(|enemy| enemy.is_visible);
    write(thought, facts.target_visible, seen.is_some());
    if let Some(enemy) = enemy {
        write(thought, facts.target, enemy.who);
    }
    if let Some(place) = view.target_place() {
        write(thought, facts.target_place, place);
    }
    let me = view.beliefs.me.pose.position;
    put(thought, facts.target_m, seen.map(|enemy| enemy.position.distance(me)));
    let lead = view.briefing.lead;
    let status = &thought.out.status;
    let ages =
        [status.seen_at, status.masked_since, lead.map(|lead| lead.at)].map(|at| at.map(|at| age_s(thought, at)));
    for (key, age_s) in [facts.unseen_s, facts.masked_s, facts.lead_s].into_iter().zip(ages) {
        put(thought, key, age_s);
    }
    write(thought, facts.lead_precise, lead.is_some_and(|lead| lead.is_precise));
    write(thought, facts.lead_checked, lead.is_some_and(|lead| lead.is_checked));
}

/// Notes since when the file's condition `sees_target` holds, for eyes and hands; sight alone where there is none.
pub(crate) fn follow(thought: &mut Thought<'_, SoldierHost>) {
    let facts = thought.view.facts;
    let sees = is(thought, facts.sees_target.or(facts.target_visible));
    let since = thought.out.status.seen_since.unwrap_or(thought.tick);
    thought.out.status.seen_since = sees.then_some(since);
}

/// What costs rays.
pub(crate) struct Sense;

impl Service<SoldierHost> for Sense {
    const NAME: &'static str = "sense";
    type Params = ();
    type State = ();

    fn run((): &(), (): &mut (), thought: &mut Thought<'_, SoldierHost>) {
        let (view, facts) = (thought.view, thought.view.facts);
        let me = view.beliefs.me.pose.position;
        let Some(place) = view.target_place() else { return };
        let eye = place + Vec3::Y * EYE_M;
        let is_hidden = |at: Vec3| !view.tactical_map.is_in_sight(eye, at, CROUCH_M);
        let is_attack = |at: Vec3| view.tactical_map.is_in_sight(eye, at, EYE_M);
        // Whom one sees from as low as one can go sees one.
        let is_down = view.beliefs.me.stance == Stance::Crouch;
        let is_exposed = is_down && view.enemy().is_some_and(|enemy| enemy.is_visible);
        write(thought, facts.here_safe, is_hidden(me) && !is_exposed);
        let cover = read(thought, facts.next_cover);
        write(thought, facts.next_cover_safe, cover.is_some_and(is_hidden));
        write(thought, facts.here_attack, is_attack(me));
        let next = read(thought, facts.next_attack).filter(|at| plane::ground(*at - me).length() > 0.6);
        write(thought, facts.next_attack_good, next.is_some_and(is_attack));
        let seen = view.enemy().filter(|enemy| enemy.is_visible);
        let is_watched = seen.is_some_and(|enemy| {
            let yaw = plane::yaw(plane::ground(me - enemy.position));
            math::angle_between(enemy.yaw, yaw).abs() < HIS_HALF_RAD && is_attack(me)
        });
        write(thought, facts.i_am_visible, is_watched);
    }
}
