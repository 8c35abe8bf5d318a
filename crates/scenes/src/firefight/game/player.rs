//! Players for matches without a person: each by a few plain rules, with the senses and legs of soldiers.
//!
//! All shoot at whom they see, reload when they must, and differ in where they go: the hider away from whom it knows of, the
//! camper nowhere, the rusher at whom it knows of, the flanker out of sight and then to where it sees them from another
//! side. Who has no rounds left fetches some. The base game's mind is a rusher who is told where the player is, and reloads
//! only when the magazine is empty. `still` and `low` neither move nor shoot, and `late` shoots after a few hits:
//! for scenes of one behavior.

use sentir::core::body::person;
use sentir::core::{math, plane};
use sentir::level::Blocks;
use sentir::prelude::*;
use sentir::squad::soldier::{Gear, enemy_of};
use sentir::squad::tactical_map::EYE_M;
use sentir_harness::info::BY_PERSON;

use super::mind::FirefightMind;

const AIM: Purpose = Purpose::new("firefight.player aim");
const CHOICE: Purpose = Purpose::new("firefight.player choice");
/// How far off a player aims, as a deviation, rad.
const AIM_OFF_RAD: f32 = 0.035;
/// Paces, m/s.
const RUN: f32 = 3.9;
/// How long a player keeps a goal at least, s.
const KEEP_S: f32 = 3.5;
/// For how long whom one saw or heard is thought of, s.
const MINDS_S: f32 = 8.0;
/// How near is there, m.
const ARRIVE_M: f32 = 0.4;
/// How fast one looks around, rad/s.
const LOOK_RAD_PER_S: f32 = 0.7;
/// In how many thoughts a `late` player must have been hit before it does anything.
const WAKES: u8 = 7;
/// How near a noise frightens who hides, m.
const NOISE_M: f32 = 7.0;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    Hider,
    Camper,
    Rusher,
    Flanker,
    Input,
    Still,
    Low,
    Base,
    Late,
}

impl Player {
    pub(crate) const ALL: [Player; 9] = [
        Player::Hider,
        Player::Camper,
        Player::Rusher,
        Player::Flanker,
        Player::Input,
        Player::Still,
        Player::Low,
        Player::Base,
        Player::Late,
    ];

    /// By the word of a setting; none is a soldier.
    pub(crate) fn named(word: &str) -> Option<Player> {
        Some(match word {
            "hider" => Player::Hider,
            "camper" => Player::Camper,
            "rusher" => Player::Rusher,
            "flanker" => Player::Flanker,
            "still" => Player::Still,
            "late" => Player::Late,
            "base" => Player::Base,
            BY_PERSON => Player::Input,
            _ => return None,
        })
    }
}

/// What a player remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct PlayerMemory {
    pub(crate) gear: Gear,
    goal: Option<Vec3>,
    chosen: Tick,
    /// Where somebody was last, and when.
    pub(crate) foe: Option<(Vec3, Tick)>,
    is_there: bool,
    /// Whether it has run out of rounds, and not filled up yet.
    is_spent: bool,
    /// Thoughts in which it was hit, at most [`WAKES`].
    hits: u8,
    /// Of the flanker: whether it goes to where it sees them.
    attacks: bool,
}

/// One thought of a player.
pub(super) fn think(
    mind: &FirefightMind,
    player: Player,
    view: &ThinkView<'_>,
    memory: &mut PlayerMemory,
    intents: &mut Intents,
    notes: &mut Notes<'_>,
) {
    intents.actions = Actions::default();
    intents.gaze = Gaze::Ahead;
    memory.hits += u8::from(!view.beliefs.hurts.is_empty() && memory.hits < WAKES);
    let is_asleep = player == Player::Late && memory.hits < WAKES;
    if matches!(player, Player::Input | Player::Still | Player::Low) || is_asleep {
        intents.stay();
        intents.stance = if player == Player::Low { Stance::Crouch } else { Stance::Stand };
        intents.gaze = Gaze::Along(view.beliefs.me.pose.yaw);
        return;
    }
    let me = view.beliefs.me.pose.position;
    let enemy = enemy_of(view.beliefs, view.team).filter(|enemy| enemy.is_visible);
    if let Some(enemy) = enemy {
        memory.foe = Some((enemy.position, view.tick));
    }
    let heard = view.beliefs.noises.iter().max_by(|a, b| a.loudness.total_cmp(&b.loudness));
    if let (None, Some(noise), true) = (enemy, heard, player != Player::Base) {
        memory.foe = Some((Vec3::new(noise.position.x, me.y, noise.position.z), view.tick));
    }
    memory.foe = memory.foe.filter(|(_, at)| view.tick.since(*at) < view.rate.ticks(MINDS_S));
    let is_hurt = !view.beliefs.hurts.is_empty();
    let is_near = heard.is_some_and(|noise| noise.position.distance(me) < NOISE_M);
    memory.is_there |= view.has_arrived(intents);
    let is_threat = enemy.is_some() || is_hurt || is_near;
    go(mind, player, view, memory, intents, is_threat);
    let value = f32::from(u8::from(is_threat));
    notes.because(|| Reason { what: "a threat", held: is_threat, value, limit: 0.5 });
    let gear = memory.gear;
    let is_calm = enemy.is_none() && player != Player::Base;
    let is_dry = gear.magazine == 0 || (is_calm && gear.share() < 0.5);
    if is_dry && gear.can_reload() {
        intents.actions = Actions::RELOAD;
    }
    match enemy {
        Some(enemy) => shoot(mind, view, &enemy, &gear, intents),
        None => {
            let foe = memory.foe.map(|(place, _)| Gaze::At(place + Vec3::Y * 1.2));
            let around = Gaze::Along(math::wrap_angle(view.rate.seconds(view.tick.0) * LOOK_RAD_PER_S));
            intents.gaze = match intents.travel() {
                Some(_) if player != Player::Flanker => Gaze::Ahead,
                _ => foe.unwrap_or(around),
            };
        }
    }
}

/// Where it goes, by its kind.
fn go(
    mind: &FirefightMind,
    player: Player,
    view: &ThinkView<'_>,
    memory: &mut PlayerMemory,
    intents: &mut Intents,
    is_threat: bool,
) {
    let me = view.beliefs.me.pose.position;
    let is_kept = view.tick.since(memory.chosen) < view.rate.ticks(KEEP_S);
    let wants_other = match player {
        Player::Hider => is_threat && !is_kept,
        Player::Rusher | Player::Flanker | Player::Base => memory.is_there && !is_kept,
        _ => false,
    };
    // Who is where one hides, and has not been found, stays.
    let is_hidden = player == Player::Hider && !is_threat && mind.spots.iter().any(|spot| spot.distance(me) < 1.0);
    if player != Player::Late && (memory.goal.is_none() && !is_hidden || wants_other) {
        memory.attacks = !memory.attacks;
        memory.goal = choose(mind, player, view, memory);
        (memory.chosen, memory.is_there) = (view.tick, false);
    }
    let foe = memory.foe.filter(|_| matches!(player, Player::Rusher | Player::Base)).map(|(place, _)| place);
    // Who has nothing left goes where there is more, and stays until it can carry no more.
    let Gear { magazine, reserve, reserve_max, .. } = memory.gear;
    memory.is_spent = magazine == 0 && reserve == 0 || memory.is_spent && reserve < reserve_max;
    if let Some(supply) = nearest(mind.soldiers.soldier.tactical_map.supplies(), me).filter(|_| memory.is_spent) {
        (memory.goal, memory.is_there) = (None, false);
        intents.go(Travel { goal: supply, manner: Manner::Shortest, pace_m_per_s: RUN, arrive_m: ARRIVE_M });
        intents.stance = Stance::Stand;
        return;
    }
    let goal = foe.or(memory.goal).filter(|goal| goal.distance(me) > if foe.is_some() { 3.0 } else { ARRIVE_M });
    match goal.filter(|_| foe.is_some() || !memory.is_there) {
        Some(goal) => {
            let arrive_m = if foe.is_some() { 2.5 } else { ARRIVE_M };
            intents.go(Travel { goal, manner: Manner::Shortest, pace_m_per_s: RUN, arrive_m });
            intents.stance = Stance::Stand;
        }
        None => {
            memory.is_there = true;
            intents.stay();
            let is_low = matches!(player, Player::Hider) && !is_threat;
            intents.stance = if is_low { Stance::Crouch } else { Stance::Stand };
        }
    }
}

/// The nearest of some places.
fn nearest(places: &[Vec3], me: Vec3) -> Option<Vec3> {
    places.iter().min_by(|a, b| a.distance_squared(me).total_cmp(&b.distance_squared(me))).copied()
}

/// The spot that suits it best; a little luck beside.
fn choose(mind: &FirefightMind, player: Player, view: &ThinkView<'_>, memory: &PlayerMemory) -> Option<Vec3> {
    let me = view.beliefs.me.pose.position;
    let tactical_map = &mind.soldiers.soldier.tactical_map;
    let mut rng = view.random(CHOICE);
    let score = |spot: Vec3, rng: &mut Stream| {
        let far_m = spot.distance(me);
        let foe_m = memory.foe.map_or(12.0, |(foe, _)| spot.distance(foe));
        let is_seen = memory.foe.is_some_and(|(foe, _)| tactical_map.is_in_sight(foe + Vec3::Y * EYE_M, spot, EYE_M));
        let suits = match player {
            Player::Hider => foe_m - 0.6 * far_m - if is_seen { 20.0 } else { 0.0 },
            Player::Flanker if memory.attacks == is_seen => 10.0 - 0.4 * far_m,
            Player::Flanker => -0.4 * far_m,
            Player::Camper => -far_m,
            _ => 0.0,
        };
        suits + rng.between(0.0, 8.0)
    };
    let mut best: Option<(f32, Vec3)> = None;
    for &spot in mind.spots.iter().filter(|spot| spot.distance(me) > 2.5) {
        let worth = score(spot, &mut rng);
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, spot));
        }
    }
    best.map(|(_, spot)| spot)
}

/// Aims at whom it sees, where the target shows, and fires.
fn shoot(mind: &FirefightMind, view: &ThinkView<'_>, enemy: &Other, gear: &Gear, intents: &mut Intents) {
    let me = &view.beliefs.me;
    let eye =
        me.pose.position + Vec3::Y * if me.stance == Stance::Stand { person::EYE_M } else { person::CROUCH_EYE_M };
    let level = mind.soldiers.soldier.tactical_map.view();
    let is_open = |mark: &Vec3| Ray::between(eye, *mark).is_some_and(|ray| !level.is_blocked(&ray, Blocks::SHOTS));
    let marks = [0.85, 1.02, 1.3, 1.6].map(|up| enemy.position + enemy.velocity * 0.08 + Vec3::Y * up);
    let open = marks.into_iter().find(is_open);
    let mark = open.unwrap_or(marks[0]);
    let hold = view.rate.ticks(0.33).max(1);
    let mut rng = view.streams().at(view.agent.to_bits(), AIM, Tick(view.tick.0 - view.tick.0 % hold));
    let mut drawn = || rng.about(0.0, AIM_OFF_RAD);
    let off = Vec3::new(drawn(), drawn() * 0.6, drawn()) * mark.distance(eye);
    intents.gaze = Gaze::At(mark + off);
    let yaw = plane::yaw(plane::ground(mark - eye));
    let is_aimed = math::angle_between(me.pose.yaw, yaw).abs() < 0.12;
    // As soldiers do: in bursts, and without a pause at who is close.
    let is_burst =
        enemy.position.distance(me.pose.position) < mind.soldiers.soldier.tuning.close_m || view.tick.0 % 66 < 40;
    if open.is_some() && is_aimed && is_burst && gear.magazine > 0 && !gear.is_reloading {
        intents.actions = intents.actions.with(Actions::FIRE);
    }
}
