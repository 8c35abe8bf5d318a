// The one store of the page: made once in main and handed down. Components read it; only the parts of the model write it.

import { createStore, type SetStoreFunction } from "solid-js/store";
import type { Agent, Decision, Eyesight, LayerName, Mark, Status } from "../../pkg/sentir.js";
import type { Family, HudOf, Play, Scene } from "../contract.js";
import { loadFolds } from "./fold.js";
import type { View } from "./view.js";
import { loadOptions, type Keeper, type Options } from "../play/option.js";

/** How far somebody is who plays: not at all, at the card before it, at it, in the menu, at its end. */
export type PlayStage = "off" | "ready" | "live" | "paused" | "over";

/** Somebody in the list of agents. */
export interface Listed { key: number; team: number; kind: number }

export interface State {
  readonly families: readonly Family[];
  room: "gallery" | "stage";
  /** The engine is loaded. */
  isReady: boolean;
  /** How much of the scene's module is there, 0 to 1. */
  loaded: number;
  /** The scene that is asked for, also if there is none of that name. */
  wanted: string;
  scene: Scene | undefined;
  seed: string;
  /** Settings that are not stock, each `KEY=VALUE`. */
  changed: string[];
  status: Status | undefined;
  /** The status as it is read in the panel: not more often than one can read. */
  figures: Status | undefined;
  /** Of the whole state; null while it plays, as it costs as much as a tick. */
  hash: string | null;
  agent: Agent | null;
  /** The player's body, as the player feels it. */
  hud: HudOf | null;
  play: Play | null;
  /** What the scene calls its agents, by key. */
  names: Record<number, string>;
  roster: Listed[];
  selected: number | null;
  view: View;
  hidden: LayerName[];
  marks: Mark[];
  file: { name: string | null; text: string };
  /** What came of an edit. */
  edited: { text: string; isRefused: boolean; line: number };
  sight: Eyesight | null;
  fork: { tick: number; isOriginal: boolean } | null;
  hasGhosts: boolean;
  compared: { decision: Decision | null; ticks: number } | null;
  isPlaying: boolean;
  speed: number;
  /** A moment that is on its way: from where, to where. */
  goal: { from: number; tick: number } | null;
  isBusy: boolean;
  error: string | null;
  /** What a screen reader is told. */
  said: string;
  /** The mouse turns the view until Esc. */
  isLocked: boolean;
  /** The box that is drawn to select, px of the stage. */
  band: { x: number; y: number; wide: number; high: number } | null;
  mode: PlayStage;
  /** Groups that who commands keeps, by number. */
  groups: Record<number, number[]>;
  options: Options;
  /** By part of the page, whether it is open; what is not here is as it is at first. */
  folds: Record<string, boolean>;
  hasHelp: boolean;
  /** The screen is small: the stage comes first. */
  isSmall: boolean;
}

export interface Store { state: State; set: SetStoreFunction<State> }

export function makeStore(families: readonly Family[], hidden: LayerName[], keeper: Keeper | undefined): Store {
  const [state, set] = createStore<State>({
    families, room: "gallery", isReady: false, loaded: 1, wanted: "", scene: undefined, seed: "7", changed: [], status: undefined, figures: undefined, hash: null,
    agent: null, hud: null, play: null, names: {}, roster: [], selected: null, view: "above", hidden, marks: [], file: { name: null, text: "" },
    edited: { text: "", isRefused: false, line: 0 }, sight: null, fork: null, hasGhosts: true, compared: null, isPlaying: false, speed: 1, goal: null,
    isBusy: false, error: null, said: "", isLocked: false, band: null, mode: "off", groups: {}, options: loadOptions(keeper), folds: loadFolds(keeper), hasHelp: false, isSmall: false,
  });
  return { state, set };
}

/** The scene of a name. */
export function sceneOf(families: readonly Family[], name: string): Scene | undefined {
  return families.flatMap(({ scenes }) => scenes).find((scene) => scene.name === name);
}
