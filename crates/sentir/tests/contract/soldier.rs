//! The soldier in a host that is not the arena: own ray casts, own movement, nothing but `sentir` imported.

use sentir::level::{LevelState, LevelView};
use sentir::prelude::*;
use sentir::soldier::SoldierMind;
use sentir::squad::soldier::{Gear, SoldierBehavior, SoldierNotice};
use sentir::squad::tactical_map::{EYE_M, TacticalMap, TacticalMapConfig};
use sentir::squad::team::Alert;

const YARD: &str = "
name: yard
floors: [{ name: ground, up_m: 4 }]
solids:
  - slab: { outline: [[-14, -10], [14, -10], [14, 10], [-14, 10]], thickness_m: 0.5 }
  - wall: { along: [[-14, -10], [14, -10], [14, 10], [-14, 10]], is_closed: true, height_m: 3 }
  - box: { at: [-4, 3], size: [1.5, 6], height_m: 2.5 }
  - box: { at: [-8, -6], size: [3, 0.7], height_m: 1.05 }
";
const SOLDIER: HostKey = HostKey(1);
const TARGET: HostKey = HostKey(2);

/// A host: one soldier, one who stands there.
struct Host {
    mind: SoldierMind,
    brains: Loop<SoldierMind>,
    scratch: Scratch,
    gear: Gear,
    doings: Vec<SoldierBehavior>,
    fired: u32,
    reloaded: u32,
}

impl Host {
    fn new(soldier: Vec3, target: Vec3, gear: Gear) -> Host {
        let level = sentir::level::parse(YARD.as_bytes(), "yard.yaml").unwrap().build().unwrap();
        let mind = SoldierMind::stock(TacticalMap::bake(level, &TacticalMapConfig::default()).unwrap()).unwrap();
        let mut brains = Loop::new(LoopConfig::default(), 5);
        for (key, team, position) in [(SOLDIER, 1, soldier), (TARGET, 2, target)] {
            let yaw = sentir::core::plane::yaw(sentir::core::plane::ground(target - soldier));
            let body = Body { pose: Pose { position, yaw }, ..Body::default() };
            let spec = AgentSpec { team: TeamId(team), body, ..AgentSpec::new(key) };
            brains.spawn_with(spec, mind.recruit(vec![position])).unwrap();
        }
        let scratch = Scratch::default();
        Host { mind, brains, scratch, gear, doings: Vec::new(), fired: 0, reloaded: 0 }
    }

    fn play(&mut self, seconds: u32) {
        let agent = self.brains.agent_of(SOLDIER).unwrap();
        for _ in 0..seconds * 60 {
            self.brains.notify(agent, SoldierNotice::Gear(self.gear));
            let level = self.mind.soldier.tactical_map.view().level;
            let state = LevelState::new(level);
            let view = LevelView { level, state: &state };
            self.brains.step(&self.mind, &view, &Serial, &mut self.scratch);
            // The host moves the body, and its gun.
            let motion = *self.brains.motion(agent).unwrap();
            let mut body = self.brains.presence(agent).unwrap().body;
            body.velocity = motion.velocity;
            body.pose.position += motion.velocity * self.brains.rate().tick_s();
            (body.pose.yaw, body.stance) = (motion.yaw, motion.stance);
            body.eye_m = if motion.stance == Stance::Stand { 1.7 } else { 1.0 };
            self.brains.observe(agent, body);
            if motion.actions.contains(Actions::FIRE) && self.brains.tick().0.is_multiple_of(6) {
                self.gear.magazine = self.gear.magazine.saturating_sub(1);
                self.fired += 1;
            }
            if motion.actions.contains(Actions::RELOAD) {
                self.reloaded += 1;
                if self.reloaded.is_multiple_of(120) {
                    self.gear.magazine = self.gear.magazine_max;
                }
            }
            let doing = self.brains.brain(agent).unwrap().status.behavior;
            if self.doings.last() != Some(&doing) {
                self.doings.push(doing);
            }
        }
    }
}

fn gear(magazine: u32) -> Gear {
    Gear { magazine, magazine_max: 30, reserve: 90, ..Gear::default() }
}

#[test]
fn a_soldier_in_any_host_sees_fights_and_fires() {
    let mut host = Host::new(Vec3::new(-11.0, 0.0, 8.0), Vec3::new(9.0, 0.0, 8.0), gear(30));
    host.play(6);
    let squad = host.brains.squad(SquadId::whole(TeamId(1))).unwrap();
    assert_eq!(squad.team.alert(), Alert::Fight);
    assert!(host.fired > 5, "{:?}", host.doings);
    assert!(host.doings.contains(&SoldierBehavior::Attack), "{:?}", host.doings);
}

#[test]
fn a_soldier_in_any_host_reloads_out_of_sight() {
    let target = Vec3::new(9.0, 0.0, 8.0);
    let mut host = Host::new(Vec3::new(-7.0, 0.0, 3.0), target, gear(8));
    host.play(12);
    assert!(host.doings.contains(&SoldierBehavior::Hide), "{:?}", host.doings);
    assert!(host.reloaded >= 120, "{:?}", host.doings);
    let agent = host.brains.agent_of(SOLDIER).unwrap();
    assert!(host.brains.presence(agent).unwrap().body.is_finite());
    assert!(host.mind.soldier.tactical_map.view().sees(target + Vec3::Y * EYE_M, target + Vec3::new(-1.0, EYE_M, 0.0)));
}
