//! The layer that JavaScript calls: changes types and nothing else. What it promises is in `types.d.ts`.
//!
//! Everything that is refused throws an `Error` with a sentence. A world is behind a cell: whoever calls it from one of its own
//! callbacks gets such an error, too, and no broken world.

use std::cell::RefCell;
use std::collections::BTreeMap;

use js_sys::{Array, Error, Float32Array, Float64Array, Function, JSON, Object, Reflect, Uint8Array};
use sentir::core::glam::Vec3;
use sentir::prelude::{Body, Pose, SenseConfig, Stance, TickRate};
use sentir::think::leaf::Status;
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::page::{Page, TaskCall};
use crate::read::{Fields, fact, key, kind, place};
use crate::view;
use crate::world::{self, BodySize, BrainSource, LevelSource, Newcomer, WorldSpec};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// For how many ticks reasons are kept: longer than anybody goes without a thought.
const WHY_TICKS: u64 = 200;

thread_local! {
    /// The functions of every world's page, by the number of the world.
    static PAGES: RefCell<BTreeMap<u32, Functions>> = const { RefCell::new(BTreeMap::new()) };
}

#[derive(Default)]
struct Functions {
    raycast: Option<Function>,
    tasks: BTreeMap<String, Function>,
    /// What went wrong first in a callback since it was last asked for.
    trouble: Option<JsValue>,
}

/// The functions of one page, by number: a world may be asked from any thread, functions of JavaScript only here.
struct JsPage {
    number: u32,
}

impl JsPage {
    fn new(functions: Functions) -> JsPage {
        let number = PAGES.with_borrow_mut(|pages| {
            let number = pages.last_key_value().map_or(0, |(last, _)| last + 1);
            pages.insert(number, functions);
            number
        });
        JsPage { number }
    }

    /// A function, taken out before it is called: it may make worlds of its own.
    fn function(&self, find: impl FnOnce(&Functions) -> Option<&Function>) -> Option<Function> {
        PAGES.with_borrow(|pages| pages.get(&self.number).and_then(find).cloned())
    }

    /// Notes what went wrong, for the step to throw when its tick is done.
    fn trouble(&self, trouble: JsValue) {
        PAGES.with_borrow_mut(|pages| {
            if let Some(page) = pages.get_mut(&self.number) {
                page.trouble.get_or_insert(trouble);
            }
        });
    }
}

impl Drop for JsPage {
    fn drop(&mut self) {
        PAGES.with_borrow_mut(|pages| pages.remove(&self.number));
    }
}

impl Page for JsPage {
    fn ray(&self, from: Vec3, to: Vec3) -> Option<f32> {
        let cast = self.function(|page| page.raycast.as_ref())?;
        let answer = match cast.call2(&JsValue::NULL, &point(from), &point(to)) {
            Ok(answer) if answer.is_null() || answer.is_undefined() => return None,
            Ok(answer) => answer,
            Err(thrown) => {
                self.trouble(thrown);
                return Some(0.0);
            }
        };
        let share = answer.as_f64().filter(|share| (0.0..=1.0).contains(share));
        if share.is_none() {
            let sentence = format!("raycast returned {}: expected a share from 0 to 1, or null", kind(&answer));
            self.trouble(error(&sentence));
        }
        // What cannot be asked hides what is behind it: nobody sees by a mistake.
        Some(share.map_or(0.0, |share| share as f32))
    }

    fn task(&self, call: &TaskCall<'_>) -> Status {
        let Some(task) = self.function(|page| page.tasks.get(call.name)) else { return Status::Failure };
        let answer = match task.call1(&JsValue::NULL, &task_call(call)) {
            Ok(answer) => answer,
            Err(thrown) => {
                self.trouble(thrown);
                return Status::Failure;
            }
        };
        match answer.as_string().as_deref() {
            Some("running") => Status::Running,
            Some("success") => Status::Success,
            Some("failure") => Status::Failure,
            _ if call.phase == crate::page::Phase::Abort => Status::Failure,
            _ => {
                let (name, what) = (call.name, kind(&answer));
                let sentence = format!("the task '{name}' returned {what}: expected 'running', 'success' or 'failure'");
                self.trouble(error(&sentence));
                Status::Failure
            }
        }
    }

    fn task_names(&self) -> Vec<String> {
        PAGES.with_borrow(|pages| {
            pages.get(&self.number).map_or_else(Vec::new, |page| page.tasks.keys().cloned().collect())
        })
    }
}

fn task_call(call: &TaskCall<'_>) -> JsValue {
    let object = Object::new();
    let set = |name: &str, value: JsValue| {
        // Setting a field of a plain object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    };
    let place = |place: Option<Vec3>| place.map_or(JsValue::NULL, |place| point(place).into());
    set("phase", call.phase.name().into());
    set("key", (call.key as f64).into());
    set("tick", (call.tick as f64).into());
    set("seconds", call.seconds.into());
    set("position", point(call.position).into());
    set("yaw", call.yaw.into());
    set("health", call.health.into());
    set("enemy", place(call.enemy));
    set("at", place(call.at));
    set("number", call.number.map_or(JsValue::NULL, JsValue::from));
    set("text", call.text.map_or(JsValue::NULL, JsValue::from));
    object.into()
}

fn point(at: Vec3) -> Array {
    at.to_array().map(JsValue::from).into_iter().collect()
}

fn error(sentence: &str) -> JsValue {
    Error::new(sentence).into()
}

/// A value of ours as one of JavaScript's.
fn parsed(value: &Value) -> JsValue {
    JSON::parse(&value.to_string()).unwrap_or(JsValue::NULL)
}

fn refused<E: std::fmt::Display>(why: E) -> JsValue {
    error(&why.to_string())
}

/// A world of yours: your level, your bodies, your brains. Nothing moves by itself: tell it where bodies are, step, move them.
#[wasm_bindgen]
pub struct World {
    /// None once it is closed.
    world: RefCell<Option<world::World>>,
    page: u32,
}

#[wasm_bindgen]
impl World {
    /// Makes a world: reads the level, bakes the ground to walk on, reads the brains. Takes some milliseconds for a house and seconds
    /// for a town: do it once, in a worker if need be.
    #[wasm_bindgen(constructor)]
    pub fn new(#[wasm_bindgen(unchecked_param_type = "WorldOptions")] options: &JsValue) -> Result<World, JsValue> {
        make(options)
    }

    /// Brings somebody in; takes part from the next step on. Without a brain, the page moves it, and others perceive it.
    pub fn add(&self, #[wasm_bindgen(unchecked_param_type = "NewAgent")] agent: &JsValue) -> Result<(), JsValue> {
        let known = [&["key", "team", "kind", "brain"][..], &BODY].concat();
        let fields = Fields::of(agent, "the agent", &known).map_err(refused)?;
        let newcomer = || -> Result<(u64, u32, u16, Option<String>, Body), String> {
            let team = fields.whole("team", f64::from(u32::MAX))?.unwrap_or(0) as u32;
            let kind = fields.whole("kind", f64::from(u16::MAX))?.unwrap_or(0) as u16;
            fields.place_of("position")?;
            Ok((fields.key()?, team, kind, fields.text("brain")?, body(&fields, Body::default(), None)?))
        };
        let (key, team, kind, brain, body) = newcomer().map_err(refused)?;
        self.with(|world| world.add(Newcomer { key, team, kind, brain: brain.as_deref(), body }))
    }

    /// Takes somebody out; whether there was one.
    pub fn remove(&self, #[wasm_bindgen(unchecked_param_type = "number")] key: &JsValue) -> Result<bool, JsValue> {
        let key = self::key(key).map_err(refused)?;
        self.with(|world| Ok::<bool, String>(world.remove(key)))
    }

    /// Tells where a body is now. What is left out stays as it was, but for the velocity, which then follows from the change of place.
    pub fn observe(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] key: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "BodyState")] body: &JsValue,
    ) -> Result<(), JsValue> {
        let key = self::key(key).map_err(refused)?;
        let fields = Fields::of(body, "the body", &BODY).map_err(refused)?;
        self.with(|world| {
            let old = world.body(key).map_err(|error| error.to_string())?;
            let new = self::body(&fields, old, Some(world.agents().rate()))?;
            world.observe(key, new).map_err(|error| error.to_string())
        })
    }

    /// Puts a body somewhere by force: its way is given up, and its brain learns of it.
    pub fn teleport(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] key: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Point")] position: &JsValue,
        yaw: f32,
    ) -> Result<(), JsValue> {
        let key = self::key(key).map_err(refused)?;
        let position = spot("position", position)?;
        self.with(|world| world.teleport(key, Pose { position, yaw }))
    }

    /// Makes a noise, to be heard from the next step on. No agent hears itself.
    pub fn noise(&self, #[wasm_bindgen(unchecked_param_type = "NoiseMade")] noise: &JsValue) -> Result<(), JsValue> {
        let fields = Fields::of(noise, "the noise", &["at", "range_m", "by"]).map_err(refused)?;
        let read = || -> Result<(Vec3, f32, Option<u64>), String> {
            let range_m =
                fields.number("range_m")?.ok_or("`range_m` of the noise is missing: expected a number above 0")?;
            Ok((fields.place_of("at")?, range_m as f32, fields.find("by").map(|by| key(&by)).transpose()?))
        };
        let (at, range_m, by) = read().map_err(refused)?;
        self.with(|world| world.noise(at, range_m, by))
    }

    /// Tells that somebody was hurt, which is felt from the next step on. Health is yours to take: see `observe`.
    pub fn hurt(&self, #[wasm_bindgen(unchecked_param_type = "HurtFelt")] hurt: &JsValue) -> Result<(), JsValue> {
        let fields = Fields::of(hurt, "the hurt", &["key", "amount", "from"]).map_err(refused)?;
        let read = || -> Result<(u64, f32, Vec3), String> {
            let amount = fields.number("amount")?.ok_or("`amount` of the hurt is missing: expected a share, 0 to 1")?;
            Ok((fields.key()?, amount as f32, fields.place_of("from")?))
        };
        let (key, amount, from) = read().map_err(refused)?;
        self.with(|world| world.hurt(key, amount, from))
    }

    /// Tells somebody facts that no sense gives, by the keys of its brain file: an alarm, a task, how its gun is. Null clears one.
    /// All are told or, when one is refused, none.
    pub fn tell(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] key: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, Fact | null>")] facts: &JsValue,
    ) -> Result<(), JsValue> {
        let key = self::key(key).map_err(refused)?;
        let holder = Object::new();
        let _ = Reflect::set(&holder, &"facts".into(), facts);
        let fields = Fields::of(&holder, "what is told", &["facts"]).map_err(refused)?;
        let entries = fields.entries("facts").map_err(refused)?;
        let literals = entries.iter().map(|(name, value)| Ok((name, fact(name, value)?)));
        let literals = literals.collect::<Result<Vec<_>, String>>().map_err(refused)?;
        self.with(|world| {
            for (name, literal) in &literals {
                world.check_fact(key, name, literal.as_ref())?;
            }
            literals.iter().try_for_each(|(name, literal)| world.tell(key, name, literal.as_ref()))
        })
    }

    /// Plays one tick: everybody senses, thinks and says how its body should move. What a callback threw is thrown here when the tick
    /// is done.
    pub fn step(&self) -> Result<(), JsValue> {
        self.with(|world| {
            world.step();
            world.forget_reasons(WHY_TICKS);
            Ok::<(), String>(())
        })?;
        let trouble = PAGES.with_borrow_mut(|pages| pages.get_mut(&self.page).and_then(|page| page.trouble.take()));
        trouble.map_or(Ok(()), Err)
    }

    /// Adds a frame's time and says how many steps are due, 8 at most: a page too slow for its world slows it down.
    pub fn due(&self, seconds: f64) -> Result<u32, JsValue> {
        self.with(|world| world.due(seconds))
    }

    /// How far the present is past the last step, as a share of a tick, 0 to 1: to draw bodies between two ticks.
    #[wasm_bindgen(getter)]
    pub fn alpha(&self) -> Result<f32, JsValue> {
        self.with(|world| Ok::<f32, String>(world.alpha()))
    }

    /// How many ticks were played.
    #[wasm_bindgen(getter)]
    pub fn tick(&self) -> Result<f64, JsValue> {
        self.with(|world| Ok::<f64, String>(world.agents().tick().0 as f64))
    }

    /// The hash of the whole state, 16 hex digits, the same on every machine for the same calls.
    #[wasm_bindgen(getter)]
    pub fn hash(&self) -> Result<String, JsValue> {
        self.with(|world| Ok::<String, String>(format!("{:016x}", world.hash())))
    }

    /// What a body is asked to do now.
    #[wasm_bindgen(unchecked_return_type = "Motion")]
    pub fn motion(&self, #[wasm_bindgen(unchecked_param_type = "number")] key: &JsValue) -> Result<JsValue, JsValue> {
        let key = self::key(key).map_err(refused)?;
        self.with(|world| world.motion(key).map(|motion| parsed(&view::motion(&motion))))
    }

    /// What all bodies with a brain are asked to do, 8 numbers each, ascending by key: key, velocity x, y, z (m/s), yaw, pitch (rad),
    /// 1 if crouched, actions as bits (1 fire, 2 reload, 4 jump, 8 use, 16 melee, 32 throw).
    pub fn motions(&self) -> Result<Float64Array, JsValue> {
        self.with(|world| Ok::<_, String>(Float64Array::from(view::motions(world).as_slice())))
    }

    /// What an agent believes, wants and does, for who looks; null if there is none.
    #[wasm_bindgen(unchecked_return_type = "AgentView | null")]
    pub fn agent(&self, #[wasm_bindgen(unchecked_param_type = "number")] key: &JsValue) -> Result<JsValue, JsValue> {
        let key = self::key(key).map_err(refused)?;
        self.with(|world| Ok::<_, String>(parsed(&view::agent(world, key))))
    }

    /// Starts or stops noting reasons, which `why` tells. Never changes what happens; costs a little while it is on.
    pub fn listen(&self, is_on: bool) -> Result<(), JsValue> {
        self.with(|world| {
            world.listen(is_on);
            Ok::<(), String>(())
        })
    }

    /// The brain of an agent: its parts, what each is doing, and, while reasons are noted, why; null if it has none.
    #[wasm_bindgen(unchecked_return_type = "BrainView | null")]
    pub fn why(&self, #[wasm_bindgen(unchecked_param_type = "number")] key: &JsValue) -> Result<JsValue, JsValue> {
        let key = self::key(key).map_err(refused)?;
        self.with(|world| Ok::<_, String>(parsed(&view::why(world, key))))
    }

    /// What happened in the last step and since the one before: who noticed or lost whom, who arrived, who gave up.
    #[wasm_bindgen(unchecked_return_type = "WorldEvent[]")]
    pub fn events(&self) -> Result<JsValue, JsValue> {
        self.with(|world| Ok::<_, String>(parsed(&view::events(world))))
    }

    /// Lets those who think by a brain go on by another version of its file, where they were. A broken file is refused with its line,
    /// and the old one goes on.
    pub fn edit(&self, brain: &str, file: &str) -> Result<(), JsValue> {
        self.with(|world| world.edit(brain, file))
    }

    /// The world as bytes: every agent with its beliefs and the state of its brain. The level and the files are not in it.
    pub fn save(&self) -> Result<Uint8Array, JsValue> {
        self.with(|world| Ok::<_, String>(Uint8Array::from(world.save().as_slice())))
    }

    /// Becomes the world that was saved. Refused, and nothing changed, when the bytes are no save or the level or a brain file is
    /// another one.
    pub fn load(&self, #[wasm_bindgen(unchecked_param_type = "Uint8Array")] bytes: &JsValue) -> Result<(), JsValue> {
        let holder = Object::new();
        let _ = Reflect::set(&holder, &"bytes".into(), bytes);
        let fields = Fields::of(&holder, "what is loaded", &["bytes"]).map_err(refused)?;
        let bytes = fields.bytes("bytes").map_err(refused)?.unwrap_or_default();
        self.with(|world| world.load(&bytes))
    }

    /// The shortest way between two places for a body of the world's size, corner by corner; null if there is none.
    #[wasm_bindgen(unchecked_return_type = "Point[] | null")]
    pub fn path(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let (from, to) = (spot("from", from)?, spot("to", to)?);
        let path = self.with(|world| Ok::<_, String>(world.path(from, to)))?;
        Ok(path.map_or(JsValue::NULL, |path| path.into_iter().map(point).collect::<Array>().into()))
    }

    /// The height of the ground to walk on at a place, up to 2 m above or below it, m; undefined where there is none.
    pub fn ground(&self, #[wasm_bindgen(unchecked_param_type = "Point")] at: &JsValue) -> Result<Option<f32>, JsValue> {
        let at = spot("at", at)?;
        self.with(|world| Ok::<_, String>(world.ground(at)))
    }

    /// How far the way between two points is free, as a share of it: by your `raycast` if there is one, else through the level;
    /// undefined if nothing stands in it.
    pub fn ray(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Point")] from: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Point")] to: &JsValue,
    ) -> Result<Option<f32>, JsValue> {
        let (from, to) = (spot("from", from)?, spot("to", to)?);
        self.with(|world| Ok::<_, String>(world.ray(from, to)))
    }

    /// The level's triangles, to draw it: 9 numbers each, x, y, z of every corner, m.
    pub fn triangles(&self) -> Result<Float32Array, JsValue> {
        self.with(|world| Ok::<_, String>(Float32Array::from(world.triangles().as_slice())))
    }

    /// Gives back the memory. Whatever is asked of a closed world is refused.
    pub fn close(&self) -> Result<(), JsValue> {
        let mut world = self.world.try_borrow_mut().map_err(|_| error(STEPPING))?;
        *world = None;
        Ok(())
    }

    fn with<T, E: std::fmt::Display>(&self, ask: impl FnOnce(&mut world::World) -> Result<T, E>) -> Result<T, JsValue> {
        let mut world = self.world.try_borrow_mut().map_err(|_| error(STEPPING))?;
        let world = world.as_mut().ok_or_else(|| error("the world is closed: make another one"))?;
        ask(world).map_err(refused)
    }
}

const STEPPING: &str = "the world is in the middle of a call: ask it after that, not from a callback";

/// What a body may have.
const BODY: [&str; 8] = ["position", "yaw", "velocity", "radius_m", "eye_m", "health", "is_crouched", "pitch"];

/// A body as it was, but for what is given. Where a rate is, the velocity follows from the change of place unless it is given.
fn body(fields: &Fields<'_>, old: Body, rate: Option<TickRate>) -> Result<Body, String> {
    let position = fields.place("position")?.unwrap_or(old.pose.position);
    let stock = rate.map_or(Vec3::ZERO, |rate| (position - old.pose.position) * f32::from(rate.hz()));
    let is_crouched = fields.flag("is_crouched")?.unwrap_or(old.stance == Stance::Crouch);
    Ok(Body {
        pose: Pose { position, yaw: fields.float("yaw", old.pose.yaw)? },
        velocity: fields.place("velocity")?.unwrap_or(stock),
        radius_m: fields.float("radius_m", old.radius_m)?,
        eye_m: fields.float("eye_m", old.eye_m)?,
        health: fields.float("health", old.health)?,
        stance: if is_crouched { Stance::Crouch } else { Stance::Stand },
        pitch: fields.float("pitch", old.pitch)?,
    })
}

fn spot(name: &str, value: &JsValue) -> Result<Vec3, JsValue> {
    place(value).ok_or_else(|| error(&format!("`{name}` is {}: expected a place as in [1, 0, 2]", kind(value))))
}

const OPTIONS: [&str; 10] =
    ["seed", "rate_hz", "level", "level_name", "triangles", "flat_m", "body", "raycast", "brains", "tasks"];

fn make(options: &JsValue) -> Result<World, JsValue> {
    let fields = Fields::of(options, "the world", &OPTIONS).map_err(refused)?;
    let functions = functions(&fields).map_err(refused)?;
    let has_own_rays = functions.raycast.is_some();
    let page = JsPage::new(functions);
    let number = page.number;
    let world = read_spec(&fields, |spec| {
        let page = Box::new(page);
        world::World::new(WorldSpec { has_own_rays, page, ..spec }).map_err(|error| error.to_string())
    });
    Ok(World { world: RefCell::new(Some(world.map_err(refused)?)), page: number })
}

fn functions(fields: &Fields<'_>) -> Result<Functions, String> {
    let raycast = fields.function("raycast")?;
    let mut tasks = BTreeMap::new();
    for (name, value) in fields.entries("tasks")? {
        if !value.is_function() {
            return Err(format!("the task '{name}' is {}: expected a function", kind(&value)));
        }
        tasks.insert(name, Function::from(value));
    }
    Ok(Functions { raycast, tasks, trouble: None })
}

/// Reads what a world is made of, and makes something of it while it is there.
fn read_spec<T>(fields: &Fields<'_>, make: impl FnOnce(WorldSpec<'_>) -> Result<T, String>) -> Result<T, String> {
    let rate_hz = fields.whole("rate_hz", f64::from(TickRate::HZ_MAX))?.unwrap_or(60) as u16;
    if rate_hz == 0 {
        return Err("`rate_hz` of the world is 0: expected a whole number from 1 to 1000".to_owned());
    }
    let seed = fields.whole("seed", 9_007_199_254_740_991.0)?.unwrap_or(0);
    let file = fields.bytes("level")?;
    let name = fields.text("level_name")?.unwrap_or_else(|| "level.yaml".to_owned());
    let triangles = match fields.find("triangles") {
        Some(value) => Some(Fields::of(&value, "the triangles", &["positions", "indices"])?.triangles()?),
        None => None,
    };
    let flat_m = fields.number("flat_m")?;
    let level = match (&file, &triangles, flat_m) {
        (Some(bytes), None, None) => LevelSource::File(&name, bytes),
        (None, Some((positions, indices)), None) => LevelSource::Triangles(positions, indices),
        (None, None, Some(flat_m)) => LevelSource::Flat(flat_m as f32),
        _ => return Err("the world needs one ground: expected one of `level`, `triangles` or `flat_m`".to_owned()),
    };
    let body = match fields.find("body") {
        Some(value) => body_size(&value)?,
        None => BodySize::default(),
    };
    let brains = fields.entries("brains")?.into_iter().map(|(name, value)| brain(name, &value));
    let brains = brains.collect::<Result<Vec<_>, String>>()?;
    let sources: Vec<BrainSource<'_>> =
        brains.iter().map(|(name, text, senses)| BrainSource { name, text, senses: *senses }).collect();
    let page = Box::new(crate::page::NoPage);
    make(WorldSpec { seed, rate_hz, level, has_own_rays: false, body, brains: &sources, page })
}

fn body_size(value: &JsValue) -> Result<BodySize, String> {
    let fields = Fields::of(value, "the body", &["radius_m", "height_m", "climb_m"])?;
    let stock = BodySize::default();
    Ok(BodySize {
        radius_m: fields.float("radius_m", stock.radius_m)?,
        height_m: fields.float("height_m", stock.height_m)?,
        climb_m: fields.float("climb_m", stock.climb_m)?,
    })
}

/// A brain: its file, or that with senses.
fn brain(name: String, value: &JsValue) -> Result<(String, String, SenseConfig), String> {
    if let Some(text) = value.as_string() {
        return Ok((name, text, SenseConfig::default()));
    }
    let what = format!("the brain '{name}'");
    let fields = Fields::of(value, &what, &["file", "senses"])?;
    let text = fields.text("file")?.ok_or_else(|| format!("`file` of {what} is missing: expected its text"))?;
    let senses = match fields.find("senses") {
        Some(value) => senses(&value)?,
        None => SenseConfig::default(),
    };
    Ok((name, text, senses))
}

const SENSES: [&str; 7] =
    ["sight_m", "sight_half_rad", "notice_near_s", "notice_far_s", "hearing", "wall_m", "memory_half_life_s"];

fn senses(value: &JsValue) -> Result<SenseConfig, String> {
    let fields = Fields::of(value, "the senses", &SENSES)?;
    let mut config = SenseConfig::default();
    let sight = &mut config.sight;
    sight.range_m = fields.float("sight_m", sight.range_m)?;
    sight.half_rad = fields.float("sight_half_rad", sight.half_rad)?;
    sight.focus_half_rad = sight.half_rad * 0.5;
    sight.near_s = fields.float("notice_near_s", sight.near_s)?;
    sight.far_s = fields.float("notice_far_s", sight.far_s)?;
    let hearing = &mut config.hearing;
    hearing.keenness = fields.float("hearing", hearing.keenness)?;
    hearing.wall_m = fields.float("wall_m", hearing.wall_m)?;
    config.memory.half_life_s = fields.float("memory_half_life_s", config.memory.half_life_s)?;
    Ok(config)
}
