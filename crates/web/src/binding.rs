//! The layer that JavaScript calls: changes types and nothing else. What it promises is in `types.d.ts`.

use std::sync::OnceLock;

use js_sys::{Array, Float32Array, Float64Array, JSON, Object, Reflect, Uint8Array, Uint32Array};
use sentir::core::draw::DrawList;
use sentir::core::glam::Vec2;
use sentir::prelude::{Actions, HostKey, Stance};
use sentir_harness::info::{Catalog, SceneError};
use sentir_sim::input::Input;
use serde_json::Value;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::compare;
use crate::picture::Picture;
use crate::report;
use crate::session;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// What this module can play. Nothing until [`set_catalog`] was called.
static CATALOG: OnceLock<Catalog> = OnceLock::new();

/// Says what this module plays: once, when it starts. The engine itself names no scene, so that a module has those of its family alone
/// in it.
pub fn set_catalog(catalog: Catalog) {
    // A second call would be of the same module: what was said first holds.
    let _ = CATALOG.set(catalog);
}

fn own_catalog() -> Catalog {
    CATALOG.get().copied().unwrap_or(Catalog { families: &[] })
}

/// Every scene of this module, by family.
#[wasm_bindgen(unchecked_return_type = "FamilyAbout[]")]
pub fn catalog() -> JsValue {
    parsed(&report::catalog(&own_catalog()))
}

/// The layers, in the order that pictures count them.
#[wasm_bindgen(unchecked_return_type = "LayerAbout[]")]
pub fn layers() -> JsValue {
    parsed(&report::layers())
}

/// Starts a run: stock settings but for `settings`, each `KEY=VALUE`.
#[wasm_bindgen(unchecked_return_type = "Session | Refusal")]
#[expect(clippy::needless_pass_by_value, reason = "texts from JavaScript come as owned ones")]
pub fn start(scene: &str, seed: u64, settings: Vec<String>) -> JsValue {
    let found = own_catalog().find(scene).map_err(session::SessionError::from);
    answer(found.and_then(|scene| session::Session::start_scene(scene, seed, &settings)).map(Session::of))
}

/// A run being watched. Free it when it is no longer needed.
#[wasm_bindgen]
pub struct Session {
    session: session::Session,
    list: DrawList,
}

#[wasm_bindgen]
impl Session {
    /// Plays up to `ticks` ticks and says how many: fewer at the end of the match.
    pub fn step(&mut self, ticks: u32) -> u32 {
        self.session.step(u64::from(ticks)) as u32
    }

    /// The same, but stops after a tick in which a brain entered a breakpoint; the status then says which.
    pub fn play(&mut self, ticks: u32) -> u32 {
        self.session.play(u64::from(ticks)) as u32
    }

    /// Goes to a moment, earlier or later, and says where it is.
    #[wasm_bindgen(unchecked_return_type = "number | Refusal")]
    pub fn seek(&mut self, tick: u32) -> JsValue {
        answer(self.session.seek(u64::from(tick)).map(|tick| tick as f64))
    }

    /// How many ticks were played up to the moment that is shown.
    #[wasm_bindgen(getter)]
    pub fn tick(&self) -> u32 {
        self.session.tick() as u32
    }

    /// The hash of the whole state, 16 hex digits, the same on every machine. Costs about as much as a tick.
    #[wasm_bindgen(getter)]
    pub fn hash(&self) -> String {
        format!("{:016x}", self.session.hash())
    }

    /// How it ended; undefined while it goes on.
    #[wasm_bindgen(getter)]
    pub fn ending(&self) -> Option<String> {
        self.session.ending().map(str::to_owned)
    }

    /// Where the run stands, with its figures.
    #[wasm_bindgen(unchecked_return_type = "Status")]
    pub fn status(&self) -> JsValue {
        parsed(&report::status(&self.session))
    }

    /// What happened in the last tick.
    #[wasm_bindgen(unchecked_return_type = "GameEvent[]")]
    pub fn events(&self) -> JsValue {
        parsed(&report::events(&self.session))
    }

    /// Gives controls that begin to hold at the next tick played. In the past, this starts another future.
    #[wasm_bindgen(unchecked_return_type = "true | Refusal")]
    pub fn give(&mut self, #[wasm_bindgen(unchecked_param_type = "Controls")] controls: &JsValue) -> JsValue {
        answer(self.session.give(input(controls)).map(|()| true))
    }

    /// The text of a file as it is for the next tick played; undefined if it cannot be edited.
    pub fn asset(&self, name: &str) -> Option<String> {
        self.session.asset(name).map(str::to_owned)
    }

    /// Gives another version of a file, by which brains think from the next tick played on, where they were. A broken one
    /// is refused, and the old one goes on. In the past, this starts another future.
    #[wasm_bindgen(unchecked_return_type = "true | Refusal")]
    pub fn edit(&mut self, name: &str, text: &str) -> JsValue {
        answer(self.session.edit(name, text).map(|()| true))
    }

    /// Another run with the same past; what happens to one from here on leaves the other alone.
    #[wasm_bindgen(unchecked_return_type = "Session | Refusal")]
    pub fn fork(&self) -> JsValue {
        answer(self.session.fork().map(Session::of))
    }

    /// The first tick that came out otherwise in another run; undefined if there is none.
    pub fn first_difference(&self, other: &Session) -> Option<u32> {
        self.session.first_difference(&other.session).map(|tick| tick as u32)
    }

    /// Where another run parted from this one, and the first decision that came out otherwise; null if they are the same
    /// as far as both are known. Plays both again from there on.
    #[wasm_bindgen(unchecked_return_type = "Decision | null | Refusal")]
    pub fn decision(&self, other: &Session) -> JsValue {
        match compare::first_decision(&self.session, &other.session) {
            Ok(found) => parsed(&found.map_or(Value::Null, |found| report::decision(&found))),
            Err(error) => refused(&error),
        }
    }

    /// What was worth a mark in the run so far, oldest first.
    #[wasm_bindgen(unchecked_return_type = "Mark[]")]
    pub fn marks(&self) -> JsValue {
        parsed(&report::marks(&self.session))
    }

    /// The run so far as the bytes of a `.srec` file, which the native program replays.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array | Refusal")]
    pub fn record(&mut self) -> JsValue {
        answer(self.session.record().map(|bytes| Uint8Array::from(bytes.as_slice())))
    }

    /// What there is to see, flat: one copy, to be kept or handed to another thread. With the key of an agent, also what
    /// that one weighs just now.
    #[wasm_bindgen(unchecked_return_type = "Picture")]
    pub fn draw(&mut self, studied: Option<f64>) -> JsValue {
        self.list.clear();
        self.session.draw(&mut self.list);
        if let Some(agent) = studied.and_then(|key| self.session.agent_of(HostKey(key as u64))) {
            self.session.study(agent, &mut self.list);
        }
        let picture = Picture::of(&self.list);
        object([
            ("floats", Float32Array::from(picture.floats.as_slice()).into()),
            ("words", Uint32Array::from(picture.words.as_slice()).into()),
            ("texts", picture.texts.into()),
            ("colors", Float64Array::from(picture.colors.as_slice()).into()),
        ])
    }

    /// Every agent, 17 numbers each, in the order of `AgentNumber`.
    pub fn agents(&self) -> Float64Array {
        Float64Array::from(report::agents(&self.session).as_slice())
    }

    /// Who lies dead, 8 numbers each: key, team, x, y, z, yaw, for how many seconds, kind.
    pub fn fallen(&self) -> Float64Array {
        Float64Array::from(report::fallen(&self.session).as_slice())
    }

    /// What a player may know of their own body; null where nobody plays.
    #[wasm_bindgen(unchecked_return_type = "Hud | null")]
    pub fn hud(&self) -> JsValue {
        parsed(&report::hud(&self.session))
    }

    /// What a screen shows of the moment beside the picture; null if there is nothing to tell.
    #[wasm_bindgen(unchecked_return_type = "Play | null")]
    pub fn screen(&self) -> JsValue {
        let Some(play) = self.session.screen() else { return JsValue::NULL };
        let screen = parsed(&report::screen(&self.session, &play));
        if let Some(map) = &play.minimap {
            let shown = parsed(&report::minimap(map));
            // Setting a field of a plain object cannot fail.
            let _ = Reflect::set(&shown, &"cells".into(), &Uint8Array::from(map.rgba.as_slice()));
            let _ = Reflect::set(&screen, &"minimap".into(), &shown);
        }
        screen
    }

    /// What every agent is called: key and name.
    #[wasm_bindgen(unchecked_return_type = "[number, string][]")]
    pub fn names(&self) -> JsValue {
        parsed(&report::names(&self.session))
    }

    /// What could be heard of the last tick.
    #[wasm_bindgen(unchecked_return_type = "Sound[]")]
    pub fn sounds(&self) -> JsValue {
        parsed(&report::sounds(&self.session))
    }

    /// Looks into an agent; null if there is none of that key.
    #[wasm_bindgen(unchecked_return_type = "Agent | null")]
    pub fn agent(&self, key: f64) -> JsValue {
        parsed(&report::agent(&self.session, HostKey(key as u64)))
    }

    /// What an agent that sees by synthetic vision sees now; null if none of that key does.
    #[wasm_bindgen(unchecked_return_type = "Eyesight | null")]
    pub fn eyesight(&self, key: f64) -> JsValue {
        let agent = self.session.agent_of(HostKey(key as u64));
        let Some(sight) = agent.and_then(|agent| self.session.eyesight(agent)) else { return JsValue::NULL };
        let pictures = sight.pictures.iter().map(|picture| {
            object([
                ("name", picture.name.into()),
                ("width", picture.width.into()),
                ("height", picture.height.into()),
                ("rgba", Uint8Array::from(picture.rgba.as_slice()).into()),
            ])
        });
        let marks = sight.marks.iter().map(|mark| {
            let points: Vec<f32> = mark.points.iter().flat_map(|point| point.to_array()).collect();
            object([("name", mark.name.into()), ("points", Float32Array::from(points.as_slice()).into())])
        });
        let (pictures, marks): (Array, Array) = (pictures.collect(), marks.collect());
        object([("pictures", pictures.into()), ("marks", marks.into())])
    }
}

impl Session {
    fn of(session: session::Session) -> Session {
        Session { session, list: DrawList::default() }
    }
}

/// The value, or the sentence that says why not.
fn answer<T: Into<JsValue>>(result: Result<T, session::SessionError>) -> JsValue {
    match result {
        Ok(value) => value.into(),
        Err(error) => refused(&error),
    }
}

fn refused(error: &session::SessionError) -> JsValue {
    let sentence = ("error", error.to_string().into());
    match *error {
        session::SessionError::SceneInfo(SceneError::Asset { line, column, .. }) if line > 0 => {
            object([sentence, ("line", (line as f64).into()), ("column", (column as f64).into())])
        }
        _ => object([sentence]),
    }
}

fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a plain object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

fn parsed(value: &Value) -> JsValue {
    // What serde_json writes is JSON.
    JSON::parse(&value.to_string()).unwrap_or(JsValue::NULL)
}

fn input(controls: &JsValue) -> Input {
    let field = |name: &str| Reflect::get(controls, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let number = |name: &str| field(name).as_f64().unwrap_or(0.0) as f32;
    let holds = |name: &str| field(name).is_truthy();
    let all = [
        ("fire", Actions::FIRE),
        ("reload", Actions::RELOAD),
        ("jump", Actions::JUMP),
        ("use", Actions::USE),
        ("melee", Actions::MELEE),
        ("throw", Actions::THROW),
    ];
    let pressed = all.iter().filter(|(name, _)| holds(name));
    let actions = pressed.fold(Actions::default(), |set, (_, action)| set.with(*action));
    let stance = if holds("crouch") { Stance::Crouch } else { Stance::Stand };
    let stick = Vec2::new(number("east"), number("north"));
    let input = Input::quantized(number("player") as u8, stick, number("yaw"), number("pitch"), stance, actions);
    let key = field("key").as_string().and_then(|key| key.chars().next()).unwrap_or(' ');
    let spot = field("spot");
    let part = |index: u32| Reflect::get_u32(&spot, index).ok().and_then(|part| part.as_f64()).unwrap_or(0.0) as f32;
    let input = input.with_key(key).with_spot(Vec2::new(part(0), part(1)));
    Input { is_adding: holds("more"), ..input }.with_button(field("button").as_f64().unwrap_or(0.0) as u16)
}
