// What the page reads of a scene: the types of the package, and what a scene may tell beside them. Where a package does not
// tell something yet, it is optional here, and the page shows nothing of it.

import type { Controls, FamilyAbout, Hud, SceneAbout, SceneControls } from "../pkg/sentir.js";

/** How something is meant for who plays. */
export type Tone = "plain" | "good" | "warn" | "bad";
/** Where on the screen a gauge stands. */
export type GaugePlace = "top_left" | "top_center" | "top_right" | "bottom_left" | "bottom_right";

export interface Gauge { name: string; text: string; place: GaugePlace; share: number | null; tone: Tone }
export interface Prompt { key: string; text: string }
export interface Banner { text: string; detail: string | null; tone: Tone; until_tick: number }
export interface Result { title: string; is_won: boolean | null; rows: { name: string; text: string }[] }
export interface PanelRow { name: string; text: string; share: number | null; tone: Tone }
/** Something to press: an input with its number. */
export interface PanelButton { id: number; text: string; is_on: boolean; is_enabled: boolean; about: string }
export interface ScenePanel { id: string; title: string; rows: PanelRow[]; buttons: PanelButton[] }
/** The ground, small: x and y of its left lower corner (y is -z), m; cells row by row from the top. */
export interface Minimap { x: number; y: number; width: number; height: number; cells_across: number; cells_down: number; cells: Uint8Array }
export interface Weapon { name: string; rounds: number; magazine: number; carried: number; is_held: boolean }
export type HudOf = Hud & { weapons?: Weapon[] };

/** What a screen shows of a moment beside the picture. */
export interface Play {
  hud?: HudOf | null; gauges: Gauge[]; prompt: Prompt | null; banner: Banner | null; result: Result | null; panels: ScenePanel[];
  minimap: Minimap | null; selection: number[];
}

export interface Heard {
  kind: "step" | "shot" | "reload" | "impact" | "voice" | "alarm" | "bite" | "door" | "blast" | "pickup";
  x: number; y: number; z: number; loudness: number; key: number | null; text: string | null;
}

export type PlayedControls = SceneControls & { difficulty?: string | null };
export type Scene = Omit<SceneAbout, "controls"> & { controls: PlayedControls | null; minimap?: boolean; ground?: string; views?: readonly string[] };
export type Family = Omit<FamilyAbout, "scenes"> & { scenes: Scene[] };
/** Controls of a player, with the button of a panel. */
export type Given = Controls & { button?: number };
