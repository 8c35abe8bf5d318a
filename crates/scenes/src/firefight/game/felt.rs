//! What the player's body felt and heard lately, for the person who plays it; and who lies dead.
//!
//! Kept in the state, so that any moment of a run can be gone back to; no mind reads it.

use sentir::core::math;
use sentir::prelude::*;

use super::mind::FirefightMind;
use super::setting::look_of;
use super::{End, Fighter, Firefight, PLAYER_KEY, PLAYER_TEAM, RATE, SOLDIER_TEAM, World};
use sentir_harness::hud::{Fallen, Hud, SIGNS_MAX, Sign, push};
use sentir_sim::armory::WeaponKind;
use sentir_sim::body_set::BodySet;
use sentir_sim::combat::Injury;
use sentir_sim::weapon::{recoil_at, spread_rad};

/// Everybody there can be.
const FALLEN_MAX: usize = 9;

/// What is kept.
#[derive(Clone, Debug, PartialEq, State)]
pub(super) struct Felt {
    hurts: [Option<Sign>; SIGNS_MAX],
    noises: [Option<Sign>; SIGNS_MAX],
    hit: Option<Tick>,
    head: Option<Tick>,
    kill: Option<Tick>,
    fallen: Vec<Dead>,
}

/// Somebody who died: where and when.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Dead {
    key: HostKey,
    team: TeamId,
    pose: Pose,
    at: Tick,
}

impl Default for Felt {
    fn default() -> Self {
        let (hurts, noises) = ([None; SIGNS_MAX], [None; SIGNS_MAX]);
        Felt { hurts, noises, hit: None, head: None, kill: None, fallen: Vec::with_capacity(FALLEN_MAX) }
    }
}

impl Felt {
    /// Somebody was hit.
    pub(super) fn note(&mut self, injury: &Injury, tick: Tick) {
        let Injury { team, wound, told, is_head, .. } = injury;
        if *team == PLAYER_TEAM {
            push(&mut self.hurts, Sign { from: told.from, amount: wound.lost + wound.absorbed, at: tick });
            return;
        }
        self.hit = Some(tick);
        if *is_head {
            self.head = Some(tick);
        }
        if wound.died {
            self.kill = Some(tick);
        }
    }

    /// Somebody lies dead.
    pub(super) fn fall(&mut self, dead: &Fighter, bodies: &BodySet, tick: Tick) {
        if let Some(walker) = bodies.walker(dead.key)
            && self.fallen.len() < FALLEN_MAX
        {
            self.fallen.push(Dead { key: dead.key, team: dead.team, pose: walker.pose, at: tick });
        }
    }

    /// Who lies dead.
    pub(super) fn fallen(&self) -> Vec<Fallen> {
        let lies = |&Dead { key, team, pose, at }: &Dead| {
            let kind = look_of(team);
            Fallen { key, team, kind, pose, at }
        };
        self.fallen.iter().map(lies).collect()
    }
}

impl Firefight {
    /// Takes in what the player's own ears heard in this tick.
    pub(super) fn hear(&self, brains: &Loop<FirefightMind>, world: &mut World) {
        if !self.is_steered {
            return;
        }
        let Some(beliefs) = brains.agent_of(PLAYER_KEY).and_then(|agent| brains.beliefs(agent)) else { return };
        for heard in &beliefs.noises {
            let sign = Sign { from: heard.position, amount: heard.loudness, at: heard.at };
            // A noise stays with the beliefs until the next thought.
            if !world.felt.noises.contains(&Some(sign)) {
                push(&mut world.felt.noises, sign);
            }
        }
    }
}

/// The player's body as he knows it; a dead one has no health and nothing in its hands.
pub(super) fn hud(scene: &Firefight, brains: &Loop<FirefightMind>, world: &World) -> Hud {
    let tick = brains.tick();
    let me = world.fighters.iter().find(|it| it.key == PLAYER_KEY);
    let walker = world.bodies.walker(PLAYER_KEY);
    let [shots, hits, kills] = world.tally.player_counts();
    let felt = &world.felt;
    let mut hud = Hud {
        key: PLAYER_KEY,
        health: [0.0, scene.player_health],
        rounds: [0; 3],
        reload: None,
        spread_rad: 0.0,
        pitch_rad: walker.map_or(0.0, |walker| walker.pitch),
        counts: [shots, hits, kills],
        last: [None, felt.hit, felt.head, felt.kill],
        hurts: felt.hurts,
        noises: felt.noises,
        foes: world.fighters.iter().filter(|it| it.team == SOLDIER_TEAM).count() as u32,
        left_s: RATE.seconds(scene.ticks_max.saturating_sub(tick.0)),
        is_won: world.ending.map(|end| end == End::Player),
        weapons: Vec::new(),
    };
    let Some(me) = me else { return hud };
    hud.health = [me.vitals.health, me.vitals.health_max];
    let mut kit = me.kit;
    let Some((weapon, spec, _)) = kit.held(&scene.armory) else { return hud };
    hud.rounds = [weapon.magazine, spec.magazine_max(), weapon.reserve];
    hud.last[0] = (shots > 0).then_some(weapon.fired_at);
    if let WeaponKind::Gun(gun) = &spec.kind {
        let pace = walker.map_or(0.0, |walker| walker.velocity.length() / scene.body[0].speed_m_per_s_max);
        hud.spread_rad = spread_rad(gun, recoil_at(weapon, spec, tick, RATE), pace);
        let whole = RATE.ticks(gun.reload_s).max(1) as f32;
        hud.reload = weapon.reload_until.map(|until| math::saturate(1.0 - until.since(tick) as f32 / whole));
    }
    hud
}

/// The events that a player's figures come from.
pub(super) const COUNTS: [EventTag; 3] = [EventTag::Fired, EventTag::Hit, EventTag::Killed];
