//! The facts of the board: what a soldier knows of itself and of the target, brought into yes and no.
//!
//! Cheap ones are fresh in every thought; those that cost rays are the service `sense`'s, every 0.3 s. Rays go through the
//! fixed level from where the target's eyes are thought to be, all round: what he does not look at now he may look at in a
//! moment.

use sentir_core::belief::Beliefs;
use sentir_core::body::Stance;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::intent::Ticket;
use sentir_core::outcome::{Answer, Outcome};
use sentir_core::tick::Tick;
use sentir_core::{math, plane};
use sentir_think::key::{Key, Keys};
use sentir_think::leaf::Service;
use sentir_think::thought::Thought;
use sentir_think::value::{Fact, Symbol};

use crate::claim::ClaimKind;
use crate::soldier::{Doing, Moment, Reason, Soldier, SoldierHost, SoldierMemory, Trigger, WOUNDS_MAX};
use crate::team::Alert;
use crate::theater::{CROUCH_M, EYE_M};
use crate::tuning::Tuning;

/// How far to either side he is thought to see, rad.
const HIS_HALF_RAD: f32 = 1.0;

/// The keys that leaves write, looked up once; none where the tree has no such key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    alert: Option<Key<Symbol>>,
    reload_soon: Option<Key<bool>>,
    reload_now: Option<Key<bool>>,
    taking_damage: Option<Key<bool>>,
    under_fire: Option<Key<bool>>,
    pub(crate) here_safe: Option<Key<bool>>,
    next_cover: Option<Key<Vec3>>,
    next_cover_safe: Option<Key<bool>>,
    here_attack: Option<Key<bool>>,
    next_attack: Option<Key<Vec3>>,
    next_attack_good: Option<Key<bool>>,
    target: Option<Key<AgentId>>,
    target_place: Option<Key<Vec3>>,
    target_visible: Option<Key<bool>>,
    pub(crate) target_close: Option<Key<bool>>,
    target_lost: Option<Key<bool>>,
    i_am_visible: Option<Key<bool>>,
    pub(crate) line_blocked: Option<Key<bool>>,
    wants_hide: Option<Key<bool>>,
    wants_supply: Option<Key<bool>>,
    wants_push: Option<Key<bool>>,
    wants_attack: Option<Key<bool>>,
    holds: Option<Key<bool>>,
    goes_on: Option<Key<bool>>,
}

impl Facts {
    /// Whether the next cover is safe.
    pub(crate) fn cover_safe(&self) -> Option<Key<bool>> {
        self.next_cover_safe
    }

    /// Whether the next place to attack from is one.
    pub(crate) fn attack_good(&self) -> Option<Key<bool>> {
        self.next_attack_good
    }

    pub(crate) fn of(keys: &Keys) -> Facts {
        let flag = |name| keys.key::<bool>(name).ok();
        let place = |name| keys.key::<Vec3>(name).ok();
        Facts {
            alert: keys.key("alert").ok(),
            reload_soon: flag("reload_soon"),
            reload_now: flag("reload_now"),
            taking_damage: flag("taking_damage"),
            under_fire: flag("under_fire"),
            here_safe: flag("here_safe"),
            next_cover: place("next_cover"),
            next_cover_safe: flag("next_cover_safe"),
            here_attack: flag("here_attack"),
            next_attack: place("next_attack"),
            next_attack_good: flag("next_attack_good"),
            target: keys.key("target").ok(),
            target_place: place("target_place"),
            target_visible: flag("target_visible"),
            target_close: flag("target_close"),
            target_lost: flag("target_lost"),
            i_am_visible: flag("i_am_visible"),
            line_blocked: flag("line_blocked"),
            wants_hide: flag("wants_hide"),
            wants_supply: flag("wants_supply"),
            wants_push: flag("wants_push"),
            wants_attack: flag("wants_attack"),
            holds: flag("holds"),
            goes_on: flag("goes_on"),
        }
    }
}

pub(crate) fn write<T: Fact>(thought: &mut Thought<'_, SoldierHost>, key: Option<Key<T>>, fact: T) {
    if let Some(key) = key {
        thought.board.write(key, fact);
    }
}

fn read<T: Fact>(thought: &Thought<'_, SoldierHost>, key: Option<Key<T>>) -> Option<T> {
    key.and_then(|key| thought.board.read(key))
}

fn is(thought: &Thought<'_, SoldierHost>, key: Option<Key<bool>>) -> bool {
    read(thought, key).unwrap_or(false)
}

/// Notes what was heard and felt since the last thought, for the team and for taking damage.
pub(crate) fn note(soldier: &Soldier, beliefs: &Beliefs, memory: &mut SoldierMemory) {
    let tuning = &soldier.tuning;
    let is_friend = |place: Vec3| {
        let friends = memory.told.friends();
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
    // An answer for where to shoot while he hides.
    let open = memory.hand.suppress.0;
    for outcome in beliefs.outcomes() {
        let Outcome::Answered { ticket, answer } = outcome else { continue };
        if *ticket == open && open != Ticket::default() {
            memory.hand.suppress.0 = Ticket::default();
            if let Answer::Place { at, .. } = answer
                && memory.hand.doing == Doing::Push
            {
                memory.hand.trigger = Trigger::Point(*at);
                memory.hand.claims.take(ClaimKind::Suppress, *at);
            }
        }
    }
}

/// The share of health lost within the window, and when it was last hit.
pub(crate) fn damage(memory: &SoldierMemory, moment: &Moment, tuning: &Tuning) -> (f32, Option<Tick>) {
    let window = moment.rate.ticks(tuning.damage_s);
    let recent = memory.wounds.iter().filter(|(at, amount)| *amount > 0.0 && moment.tick.since(*at) <= window);
    let sum = recent.map(|(_, amount)| amount).sum();
    let last = memory.wounds.iter().filter(|(_, amount)| *amount > 0.0).map(|(at, _)| *at).max();
    (sum, last)
}

/// What is cheap, before every tick of the tree.
pub(crate) fn refresh(thought: &mut Thought<'_, SoldierHost>) {
    let (view, facts) = (thought.view, thought.view.facts);
    let (tuning, gear) = (view.tuning, view.gear);
    write(thought, facts.alert, Symbol::new(view.told.alert.name()));
    let is_soon = gear.share() < tuning.reload_soon && gear.can_reload();
    let is_now = gear.share() < tuning.reload_now && gear.can_reload();
    write(thought, facts.reload_soon, is_soon);
    write(thought, facts.reload_now, is_now);
    let is_hurt = view.damage >= tuning.damage_share;
    write(thought, facts.taking_damage, is_hurt);
    let fresh = thought.rate.ticks(tuning.under_fire_s);
    // Near misses drive nobody out of where crouching hides him; hits do.
    let is_low_cover = is(thought, facts.here_safe) && is(thought, facts.here_attack);
    let under = [view.hit_at, view.gear.passed_at.filter(|_| !is_low_cover)];
    let is_under = under.into_iter().flatten().any(|at| thought.tick.since(at) <= fresh);
    write(thought, facts.under_fire, is_under);
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
    let apart = seen.map_or(f32::INFINITY, |enemy| enemy.position.distance(me));
    // Close holds on a little longer than it begins.
    let limit = tuning.close_m + if is(thought, facts.target_close) { 1.5 } else { 0.0 };
    write(thought, facts.target_close, apart < limit);
    write(thought, facts.target_lost, view.told.lead.is_some_and(|lead| lead.is_checked) && !view.told.is_seen);
    // Who has begun to fill up goes on until he is full.
    let is_filling = is(thought, facts.wants_supply) && gear.reserve < gear.reserve_max;
    let is_spent = gear.is_spent(tuning.reload_soon) && !view.theater.supplies().is_empty();
    write(thought, facts.wants_supply, is_spent || is_filling);
    // Who is startled looks about at once.
    if !view.beliefs.hurts.is_empty() || seen.is_some() && thought.out.hand.seen_since.is_none() {
        Sense::run(&(), &mut (), thought);
    }
    decide(thought, (is_soon, is_hurt, seen.is_some()));
}

/// Which of the three ways to fight applies; why one hides is kept until that is gone.
fn decide(thought: &mut Thought<'_, SoldierHost>, (is_soon, is_hurt, is_visible): (bool, bool, bool)) {
    let (view, facts) = (thought.view, thought.view.facts);
    let is_open = !is(thought, facts.here_safe) || !is(thought, facts.next_cover_safe);
    let has_cover = thought.tick >= thought.out.hand.no_cover_until;
    let full = view.gear.magazine >= view.gear.magazine_max || view.gear.reserve == 0;
    let hides = match thought.out.hand.hides {
        Some(Reason::Reload) if !full && has_cover => Some(Reason::Reload),
        Some(Reason::Damage) if is_hurt && has_cover => Some(Reason::Damage),
        _ if view.told.alert != Alert::Fight || !is_open || !has_cover => None,
        _ if is_hurt => Some(Reason::Damage),
        _ if is_soon => Some(Reason::Reload),
        _ => None,
    };
    thought.out.hand.hides = hides;
    write(thought, facts.wants_hide, hides.is_some());
    let fresh = |seconds: f32| thought.rate.ticks(seconds);
    // Of whom one sees no more than what cannot be hit hides as far as a fight goes.
    let is_masked = thought.out.hand.masked_since.is_some_and(|at| thought.tick.since(at) >= fresh(view.tuning.sure_s));
    if is_visible {
        thought.out.hand.seen_at = thought.tick;
    }
    // Who attacks does not give it up for a blink.
    let is_blink = matches!(thought.out.hand.doing, Doing::Attack | Doing::Rush)
        && thought.tick.since(thought.out.hand.seen_at) < fresh(view.tuning.blink_s);
    let is_visible = (is_visible || is_blink) && !is_masked;
    let is_lost = view.told.lead.is_none_or(|lead| lead.is_checked);
    let is_news =
        view.told.lead.is_some_and(|lead| lead.is_precise && thought.tick.since(lead.at) <= fresh(view.tuning.fresh_s));
    thought.out.hand.seen_since = if is_visible { thought.out.hand.seen_since.or(Some(thought.tick)) } else { None };
    let is_sure = thought.out.hand.seen_since.is_some_and(|at| thought.tick.since(at) >= fresh(view.tuning.sure_s));
    let is_pushing = thought.out.hand.doing == Doing::Push && is_visible && !is_sure;
    let is_hidden = !is_visible && (!is_lost || is_news || view.told.is_seen);
    // Who is safe and has little left fills up before he goes on.
    let fills = is_soon && is(thought, facts.here_safe);
    write(thought, facts.wants_push, hides.is_none() && !fills && (is_hidden || is_pushing));
    // Without cover one fights on.
    let is_fit = !is_soon && !is_hurt || !has_cover && view.gear.magazine > 0;
    write(thought, facts.wants_attack, is_visible && hides.is_none() && is_fit);
    let is_under = is(thought, facts.under_fire);
    let holds = is(thought, facts.here_attack) && !is_under;
    let goes_on = is(thought, facts.next_attack_good) && !is_under;
    write(thought, facts.holds, holds);
    write(thought, facts.goes_on, goes_on);
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
        let is_hidden = |at: Vec3| !view.theater.is_in_sight(eye, at, CROUCH_M);
        let is_attack = |at: Vec3| view.theater.is_in_sight(eye, at, EYE_M);
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
