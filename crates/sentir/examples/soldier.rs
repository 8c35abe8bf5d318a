//! The library's soldier in a game that is not ours: boxes for walls, own ray casts, own movement, own gun. Nothing but
//! `sentir` is imported, and the soldier's files are as they come. The guide's chapter `docs/guide/soldier.md` goes through
//! it. Run it: `cargo run -p sentir --example soldier`

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::soldier::SoldierMind;
use sentir::squad::coordinator::Coordinator;
use sentir::squad::soldier::{Gear, SoldierBehavior, SoldierNotice};
use sentir::squad::tactical_map::{TacticalMap, TacticalMapConfig};
use sentir::squad::team::{Alert, Lead};

/// The game's world: boxes on flat ground, each middle x, z, size x, z and height, m.
const BOXES: [[f32; 5]; 8] = [
    [0.0, -14.0, 28.6, 0.3, 3.0],
    [0.0, 14.0, 28.6, 0.3, 3.0],
    [-14.0, 0.0, 0.3, 28.0, 3.0],
    [14.0, 0.0, 0.3, 28.0, 3.0],
    [0.0, 4.0, 3.4, 0.7, 1.05],
    [-6.0, -5.0, 1.2, 3.0, 2.4],
    [5.0, -4.0, 1.2, 3.0, 2.4],
    [-5.0, 9.0, 3.0, 1.2, 2.4],
];
const PLAYER: HostKey = HostKey(1);
const SOLDIER: HostKey = HostKey(2);
const SOLDIERS: TeamId = TeamId(1);
const RADIUS_M: f32 = 0.3;
const RELOAD_TICKS: u32 = 120;

struct Yard;

/// The game's ray casts: a ray against boxes, the slab way.
impl Geometry for Yard {
    fn version(&self) -> u64 {
        0
    }
    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        let mut nearest = ray.length_m;
        for [x, z, wide, deep, high] in BOXES {
            let (low, top) =
                (Vec3::new(x - wide / 2.0, 0.0, z - deep / 2.0), Vec3::new(x + wide / 2.0, high, z + deep / 2.0));
            let (a, b) = ((low - ray.origin) / ray.direction, (top - ray.origin) / ray.direction);
            let (enters, leaves) = (a.min(b).max_element(), a.max(b).min_element());
            if enters <= leaves && (0.0..nearest).contains(&enters) {
                nearest = enters;
            }
        }
        let hit = RayHit { distance_m: nearest, normal: -ray.direction, surface: 0 };
        (nearest < ray.length_m).then_some(hit)
    }
    fn overlap(&self, center: Vec3, radius_m: f32) -> bool {
        BOXES.iter().any(|it| center.y <= it[4] && apart(it, center).length() < radius_m)
    }
}

/// From the nearest point of a box to a place, on the ground.
fn apart([x, z, wide, deep, _]: &[f32; 5], place: Vec3) -> Vec2 {
    let (middle, half) = (Vec2::new(*x, *z), Vec2::new(*wide, *deep) / 2.0);
    let to = Vec2::new(place.x, place.z) - middle;
    to - to.clamp(-half, half)
}

/// The game's movement: a step, then out of every box again.
fn step_body(body: &mut Body, motion: &Motion, tick_s: f32) {
    let before = body.pose.position;
    body.pose.position += motion.velocity * tick_s;
    for it in &BOXES {
        let way = apart(it, body.pose.position);
        if way.length() < RADIUS_M && way.length() > 0.0 {
            let out = way.normalize() * (RADIUS_M - way.length());
            body.pose.position += Vec3::new(out.x, 0.0, out.y);
        }
    }
    body.velocity = (body.pose.position - before) / tick_s;
    (body.pose.yaw, body.stance) = (motion.yaw, motion.stance);
    body.eye_m = if motion.stance == Stance::Crouch { 1.0 } else { 1.7 };
}

/// One situation: a player who stands or crouches somewhere, one soldier, and what came of it.
struct Game {
    brains: Loop<SoldierMind>,
    gear: Gear,
    reloading: u32,
    hits: u32,
    reloads_in_cover: u32,
    seconds: [f32; SoldierBehavior::ALL.len()],
}

/// How a situation begins, and how long it lasts.
struct Situation {
    /// Where the soldier stands, m.
    from: Vec3,
    /// Where the player is, m, and how.
    place: Vec3,
    stance: Stance,
    /// Rounds in the soldier's gun.
    magazine: u32,
    seconds: u64,
}

fn play(mind: &SoldierMind, situation: &Situation) -> Option<Game> {
    let &Situation { from, place, stance, magazine, seconds } = situation;
    let mut brains = Loop::new(LoopConfig::default(), 1);
    let facing = plane::yaw(plane::ground(place - from));
    for (key, team, position, stance) in [(PLAYER, TeamId(2), place, stance), (SOLDIER, SOLDIERS, from, Stance::Stand)]
    {
        let eye_m = if stance == Stance::Crouch { 1.0 } else { 1.7 };
        let body = Body { pose: Pose { position, yaw: facing }, stance, eye_m, ..Body::default() };
        brains.spawn_with(AgentSpec { team, body, ..AgentSpec::new(key) }, mind.recruit(vec![position])).ok()?;
    }
    let (who, velocity, at) = (brains.agent_of(PLAYER), Vec3::ZERO, Tick(0));
    let lead = Lead { who, place, velocity, at, is_precise: true, is_checked: false };
    brains.brief_squad(SquadId::whole(SOLDIERS), Coordinator::briefed(&mind.tables(), Alert::Fight, Some(lead)));
    let gear = Gear { magazine, magazine_max: 30, reserve: 90, ..Gear::default() };
    let seconds_of = [0.0; SoldierBehavior::ALL.len()];
    let mut game = Game { brains, gear, reloading: 0, hits: 0, reloads_in_cover: 0, seconds: seconds_of };
    let mut scratch = Scratch::default();
    for _ in 0..seconds * 60 {
        game.tick(mind, &mut scratch)?;
    }
    Some(game)
}

impl Game {
    fn tick(&mut self, mind: &SoldierMind, scratch: &mut Scratch) -> Option<()> {
        let agent = self.brains.agent_of(SOLDIER)?;
        // What only the game knows: how the gun is.
        self.brains.notify(agent, SoldierNotice::Gear(self.gear));
        // Sense, think, coordinate, act.
        self.brains.step(mind, &Yard, &Serial, scratch);
        // The game moves the body and works the gun.
        let motion = *self.brains.motion(agent)?;
        let mut body = self.brains.presence(agent)?.body;
        step_body(&mut body, &motion, self.brains.rate().tick_s());
        self.brains.observe(agent, body);
        let player = self.brains.presence(self.brains.agent_of(PLAYER)?)?.body;
        self.shoot(&motion, &body, &player);
        let behavior = self.brains.brain(agent)?.status.behavior;
        self.seconds[behavior as usize] += self.brains.rate().tick_s();
        Some(())
    }

    fn shoot(&mut self, motion: &Motion, body: &Body, player: &Body) {
        if self.reloading > 0 {
            self.reloading -= 1;
            self.gear.is_reloading = self.reloading > 0;
            if self.reloading == 0 {
                self.gear.reserve -= 30 - self.gear.magazine;
                self.gear.magazine = 30;
            }
        } else if motion.actions.contains(Actions::RELOAD) && self.gear.can_reload() {
            (self.reloading, self.gear.is_reloading) = (RELOAD_TICKS, true);
            self.reloads_in_cover += u32::from(!Yard.is_clear(player.eye(), body.eye()));
        } else if motion.actions.contains(Actions::FIRE)
            && self.gear.magazine > 0
            && self.brains.tick().0.is_multiple_of(6)
        {
            self.gear.magazine -= 1;
            let (sin, cos) = math::sin_cos(motion.pitch);
            let direction = plane::lift(plane::heading(body.pose.yaw) * cos, sin);
            let chest = player.pose.position + Vec3::Y * (player.eye_m * 0.7);
            let along = (chest - body.eye()).dot(direction);
            let passes = body.eye() + direction * along;
            self.hits += u32::from(along > 0.0 && passes.distance(chest) < 0.4 && Yard.is_clear(body.eye(), passes));
        }
    }

    fn of(&self, behavior: SoldierBehavior) -> f32 {
        self.seconds[behavior as usize]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The ground is made once, of the same boxes, for a body of the game's size. Plans of levels have y where z is minus.
    let mut text = "name: yard\nfloors: [{ name: ground, up_m: 4 }]\nsolids:\n".to_owned();
    text += "  - slab: { outline: [[-14, -14], [14, -14], [14, 14], [-14, 14]], thickness_m: 0.5 }\n";
    for [x, z, wide, deep, high] in BOXES {
        text += &format!("  - box: {{ at: [{x}, {}], size: [{wide}, {deep}], height_m: {high} }}\n", -z);
    }
    let level = sentir::level::parse(text.as_bytes(), "yard.yaml")?.build()?;
    let mind = SoldierMind::stock(TacticalMap::bake(level, &TacticalMapConfig::default())?)?;

    let (open, behind) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.3, 0.0, 5.0));
    let hide = play(
        &mind,
        &Situation { from: Vec3::new(-9.0, 0.0, -8.0), place: open, stance: Stance::Stand, magazine: 10, seconds: 20 },
    )
    .ok_or("the soldier is gone")?;
    println!("hide:   {:.1} s hidden, {} reloads in cover", hide.of(SoldierBehavior::Hide), hide.reloads_in_cover);
    assert!(hide.of(SoldierBehavior::Hide) > 0.5 && hide.reloads_in_cover >= 1);

    let push = play(
        &mind,
        &Situation {
            from: Vec3::new(-3.5, 0.0, -7.0),
            place: behind,
            stance: Stance::Crouch,
            magazine: 30,
            seconds: 30,
        },
    )
    .ok_or("the soldier is gone")?;
    println!("push:   {:.1} s gaining ground, {} hits", push.of(SoldierBehavior::Push), push.hits);
    assert!(push.of(SoldierBehavior::Push) > 0.5 && push.hits >= 1);

    let attack = play(
        &mind,
        &Situation { from: Vec3::new(-9.0, 0.0, -10.0), place: open, stance: Stance::Stand, magazine: 30, seconds: 20 },
    )
    .ok_or("the soldier is gone")?;
    println!(
        "attack: {:.1} s, {} hits",
        attack.of(SoldierBehavior::Attack) + attack.of(SoldierBehavior::Rush),
        attack.hits
    );
    assert!(attack.of(SoldierBehavior::Attack) + attack.of(SoldierBehavior::Rush) > 2.0 && attack.hits > 5);
    Ok(())
}
