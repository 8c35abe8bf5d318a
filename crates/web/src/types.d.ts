/** What went wrong, as a sentence for people; where in a file, from 1, if it is a file's fault. */
export interface Refusal { error: string; line?: number; column?: number }

/** What a setting may be. */
export type Limits =
  | { kind: "whole" | "number"; min: number; max: number }
  | { kind: "choice"; words: string[] };

/** One thing that can be set about a scene. */
export interface Setting { name: string; about: string; stock: string; limits: Limits }

/** By which view a person plays: as one agent out of its eyes, as one agent, or from above by selecting and sending. */
export type ControlMode = "first_person" | "walk" | "command";

/** What the hands of a person can do. */
export type ControlAction =
  | "move" | "look" | "fire" | "reload" | "crouch" | "jump" | "melee" | "throw" | "use" | "select" | "select_more" | "send" | "letter";

/** One thing that a person can do: by which control, by which letter if it is one (upper case), and what comes of it. */
export interface Binding { action: ControlAction; letter: string | null; about: string }

/** How a person plays a scene. */
export interface SceneControls {
  mode: ControlMode;
  /** The setting that hands the agent to a person, and its value then; null where the first controls do. */
  setting: { name: string; value: string } | null;
  /** The setting whose words are difficulties, from easy to hard; null where there is none. */
  difficulty: string | null;
  /** How to begin and as whom, for people; and the same with all bindings. */
  opening: string; sentence: string;
  /** Nothing else has an effect. */
  bindings: Binding[];
}

/** What an agent is drawn as in 3D. */
export type Model =
  | "soldier" | "player" | "zombie_dummy" | "zombie_barker" | "zombie_stealthy" | "zombie_thrower"
  | "worker" | "light" | "heavy" | "ranged" | "spy"
  | "sheep" | "dog" | "fox" | "rabbit" | "ghost" | "fish" | "shark"
  | "car" | "plane" | "missile" | "turret" | "tank" | "base" | "hospital" | "barrel"
  | "bronto" | "ball" | "person" | "bird" | "beacon";

/** How plain ground looks; terrain of the picture has its own colors. */
export type Ground = "concrete" | "grass" | "sand" | "water" | "tile" | "paper";

/** From where a scene is watched: a map, around a point, behind an agent, out of its eyes. */
export type View = "above" | "orbit" | "follow" | "eyes";

/** How agents of a kind look, and of the kinds after it up to the next one of the list. */
export interface KindLook { kind: number; name: string; model: Model; title: string }

/** What a shape of a picture belongs to; `other` is what is of no layer that the library names. */
export type LayerName =
  | "level" | "bodies" | "names" | "senses" | "paths" | "forces" | "slots" | "avoidance" | "navmesh" | "influence" | "queries"
  | "fire" | "claims" | "shots" | "other";

/** A layer: its place in the list is its number in pictures. */
export interface LayerAbout {
  name: LayerName; title: string;
  /** Whether it shows the world as anybody there would see it, rather than minds and the work of algorithms. */
  is_world: boolean;
  /** Whether it is shown until somebody hides it. */
  is_shown: boolean;
}

/** Scenes that show one part of the product. */
export interface FamilyAbout { name: string; about: string; scenes: SceneAbout[] }

/** A scene of the product. */
export interface SceneAbout {
  name: string; title: string; about: string;
  /** How a person plays it; null if nobody can. */
  controls: SceneControls | null;
  /** By ascending kind; those before the first are persons. */
  kinds: KindLook[];
  ground: Ground;
  /** Whether it has a minimap. */
  minimap: boolean;
  /** The views that make sense; the first is the one it is shown by. */
  views: View[];
  /** The layers that it draws. */
  layers: LayerName[];
  rate_hz: number;
  /** When a match ends at the latest. */
  ticks_max: number;
  settings: Setting[];
}

/** A point in meters: x, y (up), z. Seen from above, x goes right and -z goes up. */
export type Point = [number, number, number];

/** Where a run stands. */
export interface Status {
  tick: number;
  /** How far the run is known: seeking up to here plays again, beyond it plays on. */
  known_ticks: number;
  /** How it ended; null while it goes on. */
  ending: string | null;
  metrics: { name: string; value: number | null }[];
  snapshots: number;
  snapshot_bytes: number;
  /** The breakpoint that a brain entered in the last tick: whose, and what it is called or stands before; null for none. */
  breakpoint: { key: number | null; node: string } | null;
  /** The agent that a person's controls move, alive or dead; null where they move nobody. */
  player: number | null;
}

/** What an event is about: the mind of an agent, the rules of the game, or something stupid. */
export type EventClass = "agent" | "game" | "stupid";

/** Something that happened: to whom, its name for programs, in words, and what it is about. */
export interface GameEvent { tick: number; key: number | null; name: string; what: string; class: EventClass }

/** Something worth a mark on the time bar. Weight 3: a death, the end of a round; 2: a hit, something stupid; 1: the rest. */
export interface Mark extends GameEvent { weight: number }

/** Where two runs part. */
export interface Decision {
  /** The first tick after which anything differs. */
  first_tick: number;
  /** The first tick in which somebody decided otherwise, and who; null if nobody has yet. */
  tick: number | null; key: number | null;
  /** What it wanted in either run, in words. */
  here: string; there: string;
}

/** A wish to be somewhere. */
export interface Travel { goal: Point; manner: string; pace_m_per_s: number; arrive_m: number }

/** Where to look. */
export type Gaze = "ahead" | { at: Point } | { along: number };

/** What an agent believes about another, beside the truth. */
export interface Belief {
  key: number | null; team: number; believed: Point; real: Point | null; error_m: number | null;
  at_tick: number; is_visible: boolean; is_vanished: boolean; confidence: number; source: string;
}

/** What an agent believes about a door, an obstacle, an item; what the value means is the scene's. */
export interface ThingBelief { id: number; value: number; at_tick: number; source: string }

/** A trace that an agent smells; what the kind means is the scene's. */
export interface SmellBelief { position: Point; kind: number; strength: number; left_tick: number }

/** An agent, looked into. */
export interface Agent {
  key: number; id: string; team: number; squad: number; kind: number;
  body: {
    position: Point; yaw: number; velocity: Point; speed_m_per_s: number; radius_m: number; eye_m: number;
    health: number; stance: string;
  };
  motion: { velocity: Point; yaw: number; stance: string; actions: string[] };
  intents: { travel: Travel | null; gaze: Gaze; stance: string; actions: string[]; behavior: number };
  order: { travel: Travel | null; gaze: Gaze | null; actions: string[] | null } | null;
  beliefs: { others: Belief[]; noises: Point[]; smells: SmellBelief[]; hurts: number[]; messages: number; outcomes: string[]; things: ThingBelief[] };
  /** Its brain as a list, if the scene shows it. */
  brain: Brain | null;
  /** The file that its brain is read from, for `asset` and `edit`; null if it cannot be edited. */
  brain_file: string | null;
}

/** A brain: parts under parts, depth first, and the ways between them. */
export interface Brain {
  kind: string; name: string;
  parts: BrainPart[];
  /** Transitions, by place in `parts`. */
  arrows: { from: number; to: number; label: string; is_lit: boolean }[];
}

/** A node, a state, an option or a step. */
export interface BrainPart {
  depth: number; kind: string; label: string;
  mood: "idle" | "active" | "succeeded" | "failed" | "refused" | "aborted";
  /** Why, if it is known. */
  note: string;
  /** How much it is wanted, 0 to 1, where that is known. */
  share: number | null;
}

/** The controls of one player, held until the next ones. What is left out is at rest. */
export interface Controls {
  /** Which player; 0 unless given. */
  player?: number;
  /** The stick, length up to 1: east is +x, north is -z, the top of the map. */
  east?: number; north?: number;
  /** Where to look, rad; 0 looks north, positive turns left. */
  yaw?: number; pitch?: number;
  crouch?: boolean; fire?: boolean; reload?: boolean; jump?: boolean; use?: boolean; melee?: boolean; throw?: boolean;
  /** The letter key that is down. */
  key?: string;
  /** What is pointed at, ground x and y (which is -z), m. */
  spot?: [number, number];
  /** Whether what is selected joins the selection instead of replacing it. */
  more?: boolean;
  /** The button of the scene's panels that is pressed, by its id. Pressed once with these controls, never held. */
  button?: number;
}

/** What there is to see, flat. How to read it: the module `picture` of the crate, or `stage/picture.ts` of the studio. */
export interface Picture {
  floats: Float32Array; words: Uint32Array; texts: string;
  /** The colors of agents' bodies: key and color (`0xRRGGBB`), two numbers each. */
  colors: Float64Array;
}

/** One view of an agent that sees by synthetic vision. */
export interface EyePicture {
  /** `static` (what is there), `depth` (near is bright) or `dynamic` (how it moves). */
  name: string;
  width: number; height: number;
  /** Four bytes a pixel, row after row from the top: as `ImageData` has it. */
  rgba: Uint8Array;
}

/** Something on top of each view: a place, or a line through places; x and y in turn, pixels from the left top. */
export interface EyeMark { name: string; points: Float32Array }

/** What an agent that sees by synthetic vision sees. */
export interface Eyesight { pictures: EyePicture[]; marks: EyeMark[] }

/** Something felt or heard: where it seemed to come from, health lost or how loud (0 to 1), and when. */
export interface Sign { from: Point; amount: number; tick: number; age_s: number }

/** The player's body, as the player feels it: what it feels and hears, and what the rules tell everybody. */
export interface Hud {
  key: number; health: number; health_max: number; magazine: number; magazine_max: number; reserve: number;
  /** How far a reload in progress is, 0 to 1. */
  reload: number | null;
  /** Half the angle in which the next shot goes, and how high it looks. */
  spread_rad: number; pitch_rad: number;
  shots: number; hits: number; kills: number;
  /** Seconds since it last fired, hit somebody, hit a head, killed somebody. */
  fired_s: number | null; hit_s: number | null; head_s: number | null; kill_s: number | null;
  /** Newest first. */
  hurts: Sign[]; noises: Sign[];
  foes: number; left_s: number;
  /** Whether the match was won, once it is decided. */
  is_won: boolean | null;
  /** What it carries, in the order of its slots. */
  weapons: WeaponLine[];
}

/** A weapon that is carried: rounds in it, when it is full (0 for what needs none), and carried besides. */
export interface WeaponLine { name: string; rounds: number; magazine: number; carried: number; is_held: boolean }

/** How something is meant. */
export type Tone = "plain" | "good" | "warn" | "bad";

/** Where on the screen. */
export type Place = "top_left" | "top_center" | "top_right" | "bottom_left" | "bottom_right";

/** A figure of the scene at the edge of the picture; the share is how full it is, 0 to 1. */
export interface Gauge { name: string; text: string; place: Place; share: number | null; tone: Tone }

/** What can be used now: by which key, as it is written on it, and what for. */
export interface Prompt { key: string; text: string }

/** Something announced to all. */
export interface Banner { text: string; detail: string | null; tone: Tone; until_tick: number }

/** The end of a match; `is_won` is null where nobody played. */
export interface ResultCard { title: string; is_won: boolean | null; rows: { name: string; text: string }[] }

/** A box with rows and buttons; its id is the same in the whole match. */
export interface Panel { id: string; title: string; rows: PanelRow[]; buttons: Button[] }

/** A line of a panel. */
export interface PanelRow { name: string; text: string; share: number | null; tone: Tone }

/** Something to press: an input, given as `Controls.button`. Its id is the same in the whole scene. */
export interface Button { id: number; text: string; is_on: boolean; is_enabled: boolean; about: string }

/** The ground, small: corner and size in ground coordinates (x and -z), m; four bytes a cell, row by row from the top. */
export interface Minimap {
  x: number; y: number; width: number; height: number; cells_across: number; cells_down: number; cells: Uint8Array;
}

/** What a screen shows of a moment beside the picture. */
export interface Play {
  hud: Hud | null;
  gauges: Gauge[];
  prompt: Prompt | null;
  banner: Banner | null;
  result: ResultCard | null;
  panels: Panel[];
  minimap: Minimap | null;
  /** Keys of whom a commander has selected. */
  selection: number[];
}

/** The numbers of one agent in `agents`, in their order. Speed is over ground along its face, m/s, backward negative; `side` is
 *  to its right; `lean` is -1 to 1 to its right; `activity` is the place in `Activity`, `share` how far that is. */
export type AgentNumber =
  | "key" | "team" | "kind" | "x" | "y" | "z" | "yaw" | "radius" | "eye" | "health" | "crouched"
  | "speed" | "side" | "lean" | "activity" | "share" | "pitch";

/** What a figure is about beside walking; in `agents` by its place in this list. */
export type Activity = "none" | "fire" | "reload" | "hit" | "strike" | "carry" | "build" | "howl" | "throw";

/** The numbers of one of the dead in `fallen`, in their order. */
export type FallenNumber = "key" | "team" | "x" | "y" | "z" | "yaw" | "seconds" | "kind";

/** What is heard. */
export type SoundKind = "step" | "shot" | "reload" | "impact" | "voice" | "alarm" | "bite" | "door" | "blast" | "pickup";

/** Something that could be heard in the last tick: where, how loud there (0 to 1), whose, and the words if there are any. */
export interface Sound {
  kind: SoundKind; x: number; y: number; z: number; loudness: number; key: number | null; text: string | null;
}
