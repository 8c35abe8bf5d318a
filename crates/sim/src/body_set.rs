//! Bodies on a level, in step with the agents of a loop: what every scene with people in a building needs.

use sentir::core::geometry::{Geometry, Ray, RayHit};
use sentir::core::glam::Vec3;
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};

use crate::body::{self, BodyConfig, BodyScratch, CharacterBody};
use crate::input::{Held, Input};
use crate::key_places::KeyPlaces;

/// The bodies of a scene and the state of its level.
#[derive(Clone, Debug, PartialEq, State)]
#[state(check)]
pub struct BodySet {
    /// Doors, movers, damage.
    pub level: LevelState,
    members: Vec<Member>,
    /// By place, in step with `members`, as are `inputs`.
    walkers: Vec<CharacterBody>,
    inputs: Vec<Held>,
    /// Where in these lists the body of a key is.
    places: KeyPlaces,
}

/// Who somebody is.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Member {
    key: HostKey,
    /// Which of the scene's body kinds.
    kind: u8,
}

/// What a step needs and need not remember.
#[derive(Debug, Default)]
pub struct BodySetScratch {
    /// The body solver's, with who bumped into what.
    pub body: BodyScratch,
    configs: Vec<BodyConfig>,
    inputs: Vec<Input>,
}

impl BodySet {
    /// Nobody on a fresh level.
    pub fn new(level: &Level) -> BodySet {
        BodySet {
            level: LevelState::new(level),
            members: Vec::new(),
            walkers: Vec::new(),
            inputs: Vec::new(),
            places: KeyPlaces::default(),
        }
    }

    /// Puts a body into the world; `kind` names its config in the table that [`BodySet::step`] is given.
    pub fn add(&mut self, key: HostKey, kind: u8, pose: Pose) -> &CharacterBody {
        self.members.push(Member { key, kind });
        let members = &self.members;
        self.places.add(members.len(), |place| members[place].key);
        self.inputs.push(Input::looking(pose.yaw).held());
        self.walkers.push(CharacterBody::at(pose));
        &self.walkers[self.walkers.len() - 1]
    }

    /// Takes a body out. False if there is none of that key.
    pub fn remove(&mut self, key: HostKey) -> bool {
        let Some(place) = self.place_of(key) else { return false };
        self.members.remove(place);
        self.walkers.remove(place);
        self.inputs.remove(place);
        let members = &self.members;
        self.places.rebuild(members.len(), |place| members[place].key);
        true
    }

    /// Puts a body somewhere else, at rest. False if there is none of that key.
    pub fn put(&mut self, key: HostKey, pose: Pose) -> bool {
        let Some(place) = self.place_of(key) else { return false };
        self.walkers[place] = CharacterBody { radius_m: self.walkers[place].radius_m, ..CharacterBody::at(pose) };
        true
    }

    /// Which of the scene's body kinds somebody is of.
    pub fn kind_of(&self, key: HostKey) -> Option<u8> {
        self.place_of(key).map(|place| self.members[place].kind)
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.walkers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.walkers.is_empty()
    }

    /// Every body with its key, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = (HostKey, &CharacterBody)> {
        self.members.iter().map(|member| member.key).zip(&self.walkers)
    }

    /// The body of a key.
    pub fn walker(&self, key: HostKey) -> Option<&CharacterBody> {
        self.place_of(key).map(|place| &self.walkers[place])
    }

    /// Takes the controls of everybody from what the brains want.
    pub fn follow<M: Mind>(&mut self, brains: &Loop<M>, configs: &[BodyConfig]) {
        for (member, input) in self.members.iter().zip(&mut self.inputs) {
            let motion = brains.agent_of(member.key).and_then(|agent| brains.motion(agent));
            let speed_max = config_of(configs, member.kind).speed_m_per_s_max;
            *input = motion.map_or_else(Held::default, |motion| Input::of_motion(motion, speed_max).held());
        }
    }

    /// Takes the controls of one body from somebody else: a person, a script.
    pub fn steer(&mut self, key: HostKey, input: Input) {
        if let Some(place) = self.place_of(key) {
            self.inputs[place] = input.held();
        }
    }

    /// Moves the level's pieces, as far as they run into nobody, then all bodies, by one tick.
    pub fn step(
        &mut self,
        level: &Level,
        configs: &[BodyConfig],
        rate: TickRate,
        pool: &dyn Pool,
        scratch: &mut BodySetScratch,
    ) {
        let BodySet { level: pieces, walkers, .. } = self;
        pieces.step_held(level, rate, |view, piece, next| body::piece_may_go(view, piece, next, walkers));
        scratch.configs.clear();
        scratch.configs.extend(self.members.iter().map(|member| config_of(configs, member.kind)));
        scratch.inputs.clear();
        scratch.inputs.extend(self.inputs.iter().map(|held| held.input()));
        let view = LevelView { level, state: &self.level };
        body::step(&mut self.walkers, &scratch.inputs, &scratch.configs, &view, rate, pool, &mut scratch.body);
    }

    /// Lets the loop observe where everybody is.
    pub fn observe<M: Mind>(&self, brains: &mut Loop<M>) {
        for (key, walker) in self.iter() {
            if let Some(agent) = brains.agent_of(key) {
                brains.observe(agent, walker.body());
            }
        }
    }

    /// Whether the level's state is of that level.
    pub fn fits(&self, level: &Level) -> bool {
        self.level.fits(level)
    }

    fn place_of(&self, key: HostKey) -> Option<usize> {
        self.places.find(key, |place| self.members.get(place).map(|member| member.key))
    }

    fn check(&self) -> Result<(), &'static str> {
        let count = self.members.len();
        if self.walkers.len() != count || self.inputs.len() != count {
            return Err("members, bodies and inputs are not as many");
        }
        let finds =
            |member: &Member| self.place_of(member.key).is_some_and(|place| self.members[place].key == member.key);
        let fits = self.places.is_table_of(count) && self.members.iter().all(finds);
        if fits { Ok(()) } else { Err("the table of keys does not fit the members") }
    }
}

fn config_of(configs: &[BodyConfig], kind: u8) -> BodyConfig {
    configs.get(usize::from(kind)).or(configs.last()).copied().unwrap_or_default()
}

/// A level as eyes meet it: windows do not stop a ray here, hedges do.
pub struct Seen<'a>(pub LevelView<'a>);

impl Geometry for Seen<'_> {
    fn version(&self) -> u64 {
        self.0.version()
    }

    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        self.0.sight_ray(ray)
    }

    fn overlap(&self, center: Vec3, radius_m: f32) -> bool {
        self.0.overlap(center, radius_m)
    }

    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.0.sees(from, to)
    }

    fn first_clear(&self, from: Vec3, points: &[Vec3]) -> Option<usize> {
        self.0.sees_first(from, points)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir::core::{plane, state};
    use sentir_level::{PieceId, parse, stock};

    const RATE: TickRate = TickRate::new(60);

    /// One person on a level, with a free will.
    struct One {
        level: Level,
        bodies: BodySet,
        scratch: BodySetScratch,
    }

    impl One {
        fn at(level: Level, place: Vec2, height_m: f32) -> One {
            let mut bodies = BodySet::new(&level);
            bodies.add(HostKey(0), 0, Pose { position: plane::lift(place, height_m + 0.01), yaw: 0.0 });
            One { level, bodies, scratch: BodySetScratch::default() }
        }

        /// Goes on for a time with a stick held, and looks at every tick whether it is in anything.
        fn hold(&mut self, stick: Vec2, seconds: f32) {
            for _ in 0..RATE.ticks(seconds) {
                self.bodies.steer(HostKey(0), Input::quantized(0, stick, 0.0, 0.0, Stance::Stand, Actions::default()));
                self.bodies.step(&self.level, &[BodyConfig::default()], RATE, &Serial, &mut self.scratch);
                let capsule = self.bodies.walkers[0].capsule();
                let view = LevelView { level: &self.level, state: &self.bodies.level };
                let slim_m = capsule.radius_m - 1e-3;
                assert!(!view.capsule_overlap(capsule.low(), capsule.high(), slim_m), "in a piece: {capsule:?}");
            }
        }

        fn piece(&self, name: &str) -> PieceId {
            self.level.piece_named(name).unwrap()
        }

        fn openness(&self, door: PieceId) -> f32 {
            self.bodies.level.piece(door).unwrap().openness
        }

        fn feet(&self) -> Vec3 {
            self.bodies.walkers[0].pose.position
        }
    }

    #[test]
    fn a_door_waits_for_who_stands_in_it_and_closes_after_he_has_left() {
        // One that slides, and one that turns and would shut him out.
        for (name, y, out) in [("door middle", 0.0, Vec2::NEG_X), ("door south", -8.0, Vec2::X)] {
            let mut one = One::at(stock("collapse").unwrap(), Vec2::new(8.0, y), 0.0);
            let door = one.piece(name);
            one.bodies.level.open_door(&one.level, door);
            one.hold(Vec2::ZERO, 1.1);
            assert_eq!(one.openness(door), 1.0, "{name} opens");
            one.hold(Vec2::X, 0.51);
            one.hold(Vec2::ZERO, 0.3);
            let place = one.feet();
            one.bodies.level.close_door(&one.level, door);
            one.hold(Vec2::ZERO, 3.0);
            assert!(one.openness(door) > 0.1, "{name} closed through him");
            assert!(one.openness(door) < 1.0, "{name} did not even begin");
            assert!(one.feet().distance(place) < 0.02, "{name} pushed him from {place} to {}", one.feet());
            one.hold(out, 0.8);
            one.hold(Vec2::ZERO, 1.5);
            assert_eq!(one.openness(door), 0.0, "{name} stays open");
        }
    }

    #[test]
    fn a_door_that_shuts_within_a_tick_does_not_jump_over_him() {
        let text = "name: gate\nsolids:\n  - slab: { outline: [[-9, -9], [9, -9], [9, 9], [-9, 9]], thickness_m: 0.5 }\n\
                    pieces:\n  - name: gate\n    at: [-2, 0]\n    solids: [{ box: { at: [0, 0], size: [0.1, 2], height_m: 2 } }]\n    \
                    door: { by: [4, 0], open_s: 0.01 }\n";
        let mut one = One::at(parse(text.as_bytes(), "gate.yaml").unwrap().build().unwrap(), Vec2::ZERO, 0.0);
        let gate = one.piece("gate");
        one.bodies.level.open_door(&one.level, gate);
        one.hold(Vec2::ZERO, 0.5);
        assert_eq!(one.openness(gate), 0.0);
        one.hold(Vec2::Y, 1.0);
        assert_eq!(one.openness(gate), 1.0);
    }

    /// A lift that goes up by 3 m and back, under a roof at 4 m.
    const LIFT: &str = "
name: lift
solids:
  - slab: { outline: [[-9, -9], [9, -9], [9, 9], [-9, 9]], thickness_m: 0.5 }
  - slab: { outline: [[-9, -9], [9, -9], [9, 9], [-9, 9]], base_m: 4.2, thickness_m: 0.2 }
pieces:
  - name: lift
    at: [0, 0]
    base_m: 0.02
    solids: [{ slab: { outline: [[-1.5, -1.5], [1.5, -1.5], [1.5, 1.5], [-1.5, 1.5]], base_m: 0.2, thickness_m: 0.2 } }]
    path: { stops: [{ rise_m: 3, travel_s: 2, wait_s: 0.5 }], back_s: 2, wait_s: 0.5 }
";

    #[test]
    fn a_lift_crushes_nobody_under_it_nor_on_it() {
        let level = parse(LIFT.as_bytes(), "lift.yaml").unwrap().build().unwrap();
        let height = |one: &One| one.bodies.level.piece(PieceId(0)).unwrap().pose.position.y;
        // He rides up to the roof, where it waits until he has stepped down.
        let mut one = One::at(level, Vec2::ZERO, 0.25);
        one.hold(Vec2::ZERO, 6.0);
        assert!((1.5..2.2).contains(&height(&one)), "stopped at {}", height(&one));
        assert!(one.feet().y > 1.5);
        one.hold(Vec2::X, 1.4);
        assert!(one.feet().y < 0.1);
        assert!(height(&one) > 2.2, "goes on to {}", height(&one));
        // It comes down on him, and waits over his head.
        let mut one = One::at(one.level, Vec2::new(3.0, 0.0), 0.0);
        one.hold(Vec2::ZERO, 2.5);
        one.hold(Vec2::NEG_X, 0.75);
        one.hold(Vec2::ZERO, 6.0);
        assert!((1.5..2.2).contains(&height(&one)) && one.feet().y < 0.1, "stopped at {}", height(&one));
        one.hold(Vec2::NEG_X, 1.0);
        one.hold(Vec2::ZERO, 0.9);
        assert!(height(&one) < 0.5, "comes down to {}", height(&one));
    }

    #[test]
    fn held_pieces_are_the_same_again_after_a_restart() {
        let mut one = One::at(stock("collapse").unwrap(), Vec2::new(10.0, 0.0), 0.0);
        let door = one.piece("door middle");
        one.bodies.level.close_door(&one.level, door);
        one.hold(Vec2::ZERO, 0.5);
        let mut again =
            One { level: one.level.clone(), bodies: one.bodies.clone(), scratch: BodySetScratch::default() };
        again.bodies = state::from_bytes(&state::to_bytes(&again.bodies)).unwrap();
        for stick in [Vec2::ZERO, Vec2::NEG_X, Vec2::Y] {
            one.hold(stick, 0.5);
            again.hold(stick, 0.5);
            assert_eq!(state::hash(&one.bodies), state::hash(&again.bodies));
        }
        assert_eq!(one.openness(door), 0.0);
    }
}
