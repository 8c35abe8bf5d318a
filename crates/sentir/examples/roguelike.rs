//! A host that looks nothing like ours: a turn-based dungeon of letters, y downwards, whole cells, names for entities,
//! frames of uneven length. About a hundred lines to give its cat a brain.
//!
//! The cat hears the mouse squeak, asks for a place to wait (the host answers by what it knows), and pounces when it
//! sees her. Run it: `cargo run -p sentir --example roguelike`

use sentir::prelude::*;
use std::time::Duration;

/// The dungeon, as its own game stores it: rows of bytes, (column, row), row 0 on top.
const DUNGEON: [&str; 7] = [
    "##############",
    "#......#.....#",
    "#......#.....#",
    "#............#",
    "#......#.....#",
    "#......#.....#",
    "##############",
];

/// The game's entities: a name and a cell. No ids, no physics.
struct Entity {
    name: &'static str,
    cell: (f32, f32),
}

struct Dungeon;

impl Dungeon {
    fn is_wall(x: f32, row: f32) -> bool {
        let at = |v: f32| if v >= 0.0 { v as usize } else { usize::MAX };
        DUNGEON.get(at(row)).and_then(|line| line.as_bytes().get(at(x))).is_none_or(|&cell| cell == b'#')
    }
}

/// The one small trait: a ray walks in quarter cells, which is as exact as this game is.
impl Geometry for Dungeon {
    fn version(&self) -> u64 {
        0
    }
    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        let steps = (ray.length_m * 4.0) as u32;
        let hit =
            (1..=steps).map(|step| step as f32 / 4.0).find(|&d| self.overlap(ray.origin + ray.direction * d, 0.0));
        hit.map(|distance_m| RayHit { distance_m, normal: -ray.direction, surface: 0 })
    }
    fn overlap(&self, center: Vec3, _radius_m: f32) -> bool {
        Dungeon::is_wall(center.x, center.z) // its rows grow where our z grows: no conversion but the names
    }
}

#[derive(Default, State)]
struct Cat {
    ambush: Option<Vec3>,
}

impl Mind for Dungeon {
    type Senses = ();
    type Brain = Cat;
    type Motor = ();
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, _: &mut (), beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        let me = view.me.body.pose.position;
        let heard = view.noises().filter(|noise| noise.position.distance(me) <= noise.range_m);
        beliefs.noises.extend(heard.map(|noise| Heard { position: noise.position, loudness: 1.0, at: noise.at }));
        beliefs.revise(|_| false);
        for it in view.world.presences().filter(|it| it.agent != view.me.agent) {
            if notes.spend(1) && view.world.geometry.is_clear(me, it.body.pose.position) {
                beliefs.update(Other::seen(it.agent, it.team, &it.body, view.tick));
            }
        }
    }

    fn think(&self, view: &ThinkView<'_>, cat: &mut Cat, intents: &mut Intents, _: &mut Notes<'_>) {
        if view.kind != 0 {
            return; // the mouse is moved by her player
        }
        for outcome in view.beliefs.outcomes() {
            if let Outcome::Answered { answer: Answer::Place { at, .. }, .. } = outcome {
                cat.ambush = Some(*at);
            }
        }
        let go = |goal| Travel { goal, manner: Manner::Straight, pace_m_per_s: 3.0, arrive_m: 0.4 };
        if let Some(prey) = view.beliefs.others().first() {
            intents.go(go(prey.position));
        } else if let Some(place) = cat.ambush {
            intents.go(go(place));
        } else if !view.beliefs.noises.is_empty() {
            intents.ask(Question::Place { query: 0 });
        }
    }

    fn coordinate(&self, _: &SquadView, (): &mut (), roster: &mut Roster<'_, '_, Self>) {
        for place in 0..roster.members().len() {
            if let Some(&ask) = roster.asks(place).first() {
                let answer = Answer::Place { at: Vec3::new(7.5, 0.0, 3.5), score: 1.0 }; // the doorway: public knowledge
                roster.answer(place, ask.ticket, answer);
            }
        }
    }

    fn act(&self, view: &ActView<'_>, _: &mut (), motion: &mut Motion, _: &mut Outcomes<'_>, _: &mut Notes<'_>) {
        let way = view.travel().map_or(Vec3::ZERO, |(_, to)| to.goal - view.me.body.pose.position);
        motion.velocity = way.clamp_length_max(3.0);
    }
}

fn main() {
    let mut entities = [Entity { name: "cat", cell: (2.5, 1.5) }, Entity { name: "mouse", cell: (11.5, 5.5) }];
    let mut brains = Loop::<Dungeon>::new(LoopConfig::every_tick(TickRate::new(20)), 7);
    let mut scratch = Scratch::default();
    let mut clock = Clock::new(TickRate::new(20), 5);
    let mut agents = Vec::new();
    for (kind, entity) in (0..).zip(&entities) {
        let pose = Pose { position: Vec3::new(entity.cell.0, 0.0, entity.cell.1), yaw: 0.0 };
        let spec = AgentSpec {
            kind,
            team: TeamId(kind.into()),
            body: Body { pose, ..Body::default() },
            ..AgentSpec::new(HostKey(u64::from(kind)))
        };
        agents.push(brains.spawn(spec).expect("fresh keys and finite cells"));
    }
    let mut caught_at = None;
    for frame in 0u64..400 {
        for _ in 0..clock.advance(Duration::from_millis(11 + frame * 7 % 40)) {
            if brains.tick().0 == 20 {
                let position = Vec3::new(entities[1].cell.0, 0.0, entities[1].cell.1);
                brains.noise(Noise { position, range_m: 30.0, by: Some(agents[1]), at: Tick(0) }); // squeak!
            }
            brains.step(&Dungeon, &Dungeon, &Serial, &mut scratch);
            let velocity = brains.motion(agents[0]).expect("the cat lives").velocity / 20.0;
            let cat = &mut entities[0].cell;
            // This game slides along its cells: each axis on its own.
            (cat.0, cat.1) =
                (if Dungeon::is_wall(cat.0 + velocity.x, cat.1) { cat.0 } else { cat.0 + velocity.x }, cat.1);
            (cat.0, cat.1) =
                (cat.0, if Dungeon::is_wall(cat.0, cat.1 + velocity.z) { cat.1 } else { cat.1 + velocity.z });
            for (entity, &agent) in entities.iter().zip(&agents) {
                let pose = Pose { position: Vec3::new(entity.cell.0, 0.0, entity.cell.1), yaw: 0.0 };
                brains.observe(agent, Body { pose, ..Body::default() });
            }
            let [cat, mouse] = &entities;
            if Vec2::from(cat.cell).distance(Vec2::from(mouse.cell)) < 0.6 {
                caught_at.get_or_insert(brains.tick());
            }
        }
    }
    for (row, line) in DUNGEON.iter().enumerate() {
        let letter = |column: usize, cell: char| {
            let here = entities.iter().find(|one| (one.cell.0 as usize, one.cell.1 as usize) == (column, row));
            here.map_or(cell, |one| one.name.chars().next().unwrap_or('?'))
        };
        println!("{}", line.chars().enumerate().map(|(column, cell)| letter(column, cell)).collect::<String>());
    }
    let tick = caught_at.expect("the cat hears the mouse, waits at the door, sees her and gets her");
    println!("the cat got the mouse at tick {tick}");
}
