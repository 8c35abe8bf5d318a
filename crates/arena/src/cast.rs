//! Bodies on a level, in step with the agents of a loop: what every scene with people in a building needs.

use sentir::core::geometry::{Geometry, Ray, RayHit};
use sentir::core::glam::Vec3;
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};

use crate::body::{self, BodyConfig, BodyScratch, Walker};
use crate::input::Input;

/// The bodies of a scene and the state of its level.
#[derive(Clone, Debug, PartialEq, State)]
#[state(check)]
pub struct Cast {
    /// Doors, movers, damage.
    pub level: LevelState,
    members: Vec<Member>,
    /// By place, in step with `members`, as are `inputs`.
    walkers: Vec<Walker>,
    inputs: Vec<Input>,
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
pub struct CastScratch {
    /// The body solver's, with who bumped into what.
    pub body: BodyScratch,
    configs: Vec<BodyConfig>,
}

impl Cast {
    /// Nobody on a fresh level.
    pub fn new(level: &Level) -> Cast {
        Cast { level: LevelState::new(level), members: Vec::new(), walkers: Vec::new(), inputs: Vec::new() }
    }

    /// Puts a body into the world; `kind` names its config in the table that [`Cast::step`] is given.
    pub fn add(&mut self, key: HostKey, kind: u8, pose: Pose) -> &Walker {
        self.members.push(Member { key, kind });
        self.inputs.push(Input::quantized(0, Vec2::ZERO, pose.yaw, 0.0, Stance::Stand, Actions::default()));
        self.walkers.push(Walker::at(pose));
        &self.walkers[self.walkers.len() - 1]
    }

    /// Takes a body out. False if there is none of that key.
    pub fn remove(&mut self, key: HostKey) -> bool {
        let Some(place) = self.place_of(key) else { return false };
        self.members.remove(place);
        self.walkers.remove(place);
        self.inputs.remove(place);
        true
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
    pub fn iter(&self) -> impl Iterator<Item = (HostKey, &Walker)> {
        self.members.iter().map(|member| member.key).zip(&self.walkers)
    }

    /// The body of a key.
    pub fn walker(&self, key: HostKey) -> Option<&Walker> {
        self.place_of(key).map(|place| &self.walkers[place])
    }

    /// Takes the controls of everybody from what the brains want.
    pub fn follow<M: Mind>(&mut self, brains: &Loop<M>, configs: &[BodyConfig]) {
        for (member, input) in self.members.iter().zip(&mut self.inputs) {
            let motion = brains.agent_of(member.key).and_then(|agent| brains.motion(agent));
            let speed_max = config_of(configs, member.kind).speed_m_per_s_max;
            *input = motion.map_or_else(Input::default, |motion| Input::of_motion(motion, speed_max));
        }
    }

    /// Takes the controls of one body from somebody else: a person, a script.
    pub fn steer(&mut self, key: HostKey, input: Input) {
        if let Some(place) = self.place_of(key) {
            self.inputs[place] = input;
        }
    }

    /// Moves the level's pieces, then all bodies, by one tick.
    pub fn step(
        &mut self,
        level: &Level,
        configs: &[BodyConfig],
        rate: TickRate,
        pool: &dyn Pool,
        scratch: &mut CastScratch,
    ) {
        self.level.step(level, rate);
        scratch.configs.clear();
        scratch.configs.extend(self.members.iter().map(|member| config_of(configs, member.kind)));
        let view = LevelView { level, state: &self.level };
        body::step(&mut self.walkers, &self.inputs, &scratch.configs, &view, rate, pool, &mut scratch.body);
    }

    /// Tells the loop where everybody is.
    pub fn tell<M: Mind>(&self, brains: &mut Loop<M>) {
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
        self.members.iter().position(|member| member.key == key)
    }

    fn check(&self) -> Result<(), &'static str> {
        let count = self.members.len();
        let fits = self.walkers.len() == count && self.inputs.len() == count;
        if fits { Ok(()) } else { Err("members, bodies and inputs are not as many") }
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
}
