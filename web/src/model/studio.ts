// The page's model: made once in main and handed to every component. It holds the parts (engine, stage, clock, hands) and knows
// what happens when a link is followed, a moment is told, somebody is selected.

import { batch } from "solid-js";
import { reconcile, unwrap } from "solid-js/store";
import { layers } from "virtual:catalog";
import type { LayerName } from "../../pkg/sentir.js";
import { AGENT_STRIDE, bodies, bodyOf } from "../agent.js";
import { PlayMode } from "../play/mode.js";
import type { Keeper } from "../play/option.js";
import { Speaker } from "../sound/speaker.js";
import type { Stage } from "../stage/stage.js";
import type { Told } from "../worker.js";
import { Clock } from "./clock.js";
import { Engine } from "./engine.js";
import { keepFolds } from "./fold.js";
import { seconds } from "./format.js";
import { Hand } from "./hand.js";
import { Keyboard } from "./keyboard.js";
import { isSeed, readLink, withSetting, writeLink, type Link } from "./link.js";
import { Pointer } from "./pointer.js";
import { binds, heroOf, isPlayed, lookOf, nameOf } from "./scene.js";
import { sceneOf, type Store } from "./store.js";
import { viewsOf, type View } from "./view.js";

/** How long a figure stands at least, ms. */
const READ_MS = 100;
const NOBODY = new Float64Array();

type Moment = Extract<Told, { kind: "moment" }>;

export class Studio {
  readonly state: Store["state"];
  readonly set: Store["set"];
  readonly engine: Engine;
  readonly clock: Clock;
  readonly hand: Hand;
  readonly play: PlayMode;
  readonly sound = new Speaker();
  /** Everybody of the moment that is shown; see `agent.ts`. */
  agents: Float64Array = NOBODY;
  private colors: Float64Array = NOBODY;
  private made: Stage | undefined;
  private readyStage: Promise<void> | undefined;
  /** Counts the runs that were started, so that what an old one still tells is not taken for the new one's. */
  private run = 0;
  /** What the link wants, until there is a moment to look at. */
  private wantedLink: Link | null = null;
  private isHero = false;
  private refreshing = 0;
  private latest: Moment | null = null;

  constructor(store: Store, readonly keeper: Keeper | undefined, readonly canvas: HTMLCanvasElement, private labels: HTMLElement) {
    [this.state, this.set] = [store.state, store.set];
    this.engine = new Engine((told) => this.take(told), () => this.clock.pump(), (why) => this.fail(why));
    this.clock = new Clock(this);
    this.hand = new Hand(this);
    this.play = new PlayMode(this);
  }

  /** The stage, once it is made: nothing that needs it happens before. */
  get stage(): Stage {
    if (this.made === undefined) throw new Error("the stage is not made yet");
    return this.made;
  }

  /** Loads what draws, once: the gallery stands before it. */
  private async makeStage(): Promise<void> {
    this.readyStage ??= import("../stage/stage.js").then(({ Stage }) => {
      this.made = new Stage(this.canvas, this.labels, layers);
      this.made.quality = this.state.options.quality;
      // Browsers let no page sound before a gesture.
      for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, () => this.sound.wake(), { passive: true });
      this.state.hidden.forEach((name) => this.stage.hidden.add(name));
      new Pointer(this, this.canvas);
      new Keyboard(this);
      this.play.begin();
      this.clock.begin();
    });
    return this.readyStage;
  }

  /** Begins: follows the address, now and whenever it changes. */
  begin(): void {
    const small = matchMedia("(max-width: 800px), (max-height: 520px)");
    const measure = () => this.set("isSmall", small.matches);
    small.addEventListener("change", measure);
    measure();
    const follow = () => void this.follow(readLink(location.hash));
    addEventListener("hashchange", follow);
    follow();
  }

  /** Goes to an address of the page, also if it is there already. */
  go(hash: string): void {
    if (location.hash === hash) void this.follow(readLink(hash)); else location.hash = hash;
  }

  get isLocked(): boolean { return document.pointerLockElement === this.canvas; }
  /** Whether a person commands what is shown from above. */
  get isCommand(): boolean { return isPlayed(this.state) && this.state.scene?.controls?.mode === "command"; }
  /** Whether the left button is the player's rather than the camera's. */
  get ownsPointer(): boolean { return binds(this.state, "fire", "select"); }
  seconds(tick: number): string { return seconds(tick, this.clock.rate); }
  nameOf(key: number): string {
    return nameOf(this.state.scene, this.state.names, key, this.state.roster.find((one) => one.key === key)?.kind);
  }

  /** What somebody is: the name of the kind. */
  kindOf(key: number): string { return lookOf(this.state.scene, this.state.roster.find((one) => one.key === key)?.kind ?? 0)?.name ?? "agent"; }
  /** The color of somebody's body, where the picture has one. */
  colorOf(key: number): string | undefined {
    const { colors } = this;
    for (let at = 0; at + 1 < colors.length; at += 2) if (colors[at] === key) return `#${colors[at + 1]!.toString(16).padStart(6, "0")}`;
    return undefined;
  }

  fail(sentence: string): void { this.set("error", sentence); }

  /** Opens what a link says: a scene, or the gallery. */
  private async follow(to: Link): Promise<void> {
    this.isHero = false;
    const isStage = to.scene !== null;
    // What is shown of the page does not wait for what draws.
    this.set({ room: isStage ? "stage" : "gallery", error: null, wanted: to.scene ?? "" });
    document.body.dataset.room = isStage ? "stage" : "gallery";
    if (isStage) this.show(to);
    if (!isStage && this.made === undefined) return this.title();
    await this.makeStage();
    // Another link was followed meanwhile.
    if (readLink(location.hash).scene !== to.scene) return;
    this.clock.settle();
    this.play.leave(to.isPlay);
    if (to.scene !== null) this.start(to, to.scene);
    else { document.body.dataset.scene = ""; this.title(); }
  }

  /** What is known of a scene before it is there. */
  private show(to: Link): void {
    batch(() => {
      this.set({
        scene: sceneOf(this.state.families, to.scene ?? ""), seed: to.seed, selected: to.agent, changed: to.settings, status: undefined, figures: undefined, agent: null, hud: null,
        play: null, roster: [], marks: [], sight: null, fork: null, compared: null, groups: {}, goal: null, edited: { text: "", isRefused: false, line: 0 },
      });
      this.set("names", reconcile({}));
    });
    this.title();
  }

  private title(): void {
    const { scene, room } = this.state;
    document.title = room === "gallery" || scene === undefined ? "sentir studio" : `${scene.title} · sentir studio`;
  }

  private start(to: Link, scene: string): void {
    this.agents = NOBODY;
    this.hand.letGo();
    this.stage.clear();
    this.stage.cameras.drags(!this.ownsPointer);
    this.look("above");
    this.run += 1;
    this.wantedLink = to;
    if (!isSeed(to.seed)) return this.fail(`'${to.seed}' is no seed: expected a whole number`);
    this.engine.ask({ kind: "start", run: this.run, scene, seed: BigInt(to.seed), settings: to.settings, key: to.agent });
    this.engine.ask({ kind: "ghosts", on: this.state.hasGhosts });
  }

  /** The scene that plays by itself on top of the gallery, or stops to. */
  async hero(on: boolean): Promise<void> {
    const scene = heroOf(this.state.families);
    if (scene === undefined || this.state.room !== "gallery") return;
    if (!on) { if (this.isHero) this.clock.setPlaying(false); return; }
    if (this.isHero) return this.clock.setPlaying(true);
    await this.makeStage();
    if (this.state.room !== "gallery") return;
    this.isHero = true;
    this.show({ scene: scene.name, seed: "7", tick: 0, agent: null, view: "orbit", settings: [], isPlay: false });
    this.start({ scene: scene.name, seed: "7", tick: 0, agent: null, view: "orbit", settings: [], isPlay: false }, scene.name);
  }

  /** Writes what is shown into the address, without a step in the history. */
  keepLink(): void {
    const { scene, status, selected, seed, changed, view, mode, room, hud } = this.state;
    if (room !== "stage" || scene === undefined || status === undefined) return;
    // What was played is not in a link: one that plays begins at the beginning.
    const isPlay = mode !== "off" || (hud !== null && view === "eyes" && selected === hud.key);
    const isStock = view === viewsOf(scene.views)[0];
    history.replaceState(null, "", writeLink({ scene: scene.name, seed, tick: status.tick, agent: selected, view: isStock && !isPlay ? null : view, settings: changed, isPlay }));
  }

  private take(told: Exclude<Told, { kind: "done" }>): void {
    if ("run" in told && told.run !== this.run) return;
    switch (told.kind) {
      case "ready": return this.set("isReady", true);
      case "loading": return this.set("loaded", told.share);
      case "moment": return this.moment(told);
      // Who is gone keeps its name: marks and beliefs still tell of it.
      case "names": return this.set("names", Object.fromEntries(told.names));
      case "marks": return this.set("marks", told.marks);
      case "file": return this.set("file", { name: told.name, text: told.text ?? "" });
      case "edited": return this.edited(told);
      case "compared": return this.set("compared", { decision: told.decision, ticks: told.ticks });
      case "recording": return this.save(told.bytes);
      case "error": this.clock.settle(); return this.fail(told.error);
    }
  }

  private moment(told: Moment): void {
    const isFirst = this.state.status === undefined;
    const { status } = told;
    [this.agents, this.colors] = [told.agents, told.picture.colors];
    batch(() => {
      this.set({ status, hash: told.hash, sight: told.sight });
      this.set("hud", reconcile(told.hud));
      this.set("play", reconcile(told.play, { key: "id" }));
      if (isFirst) this.roster();
    });
    this.stage.take(told.picture, told.agents, told.others, this.state.selected, {
      fallen: told.fallen, player: status.player, kinds: unwrap(this.state.scene)?.kinds ?? [],
      ground: this.state.scene?.ground, selection: told.play?.selection, isTold: (told.play?.gauges.length ?? 0) > 0, when: { tick: status.tick, rate_hz: this.state.scene?.rate_hz ?? 60, speed: this.state.isPlaying ? this.state.speed : 0 },
    });
    this.hear(told);
    if (isFirst) this.first();
    this.takeOver();
    if (told.hasStopped) this.clock.setPlaying(false);
    this.clock.arrived();
    if (this.isHero) return this.heroMoment();
    this.play.moment();
    // Who plays sees no figures.
    this.latest = told;
    if (this.state.mode !== "live") this.refresh();
    Object.assign(document.body.dataset, {
      tick: String(status.tick), hash: told.hash ?? "", scene: this.state.scene?.name ?? "", agents: String(told.agents.length / AGENT_STRIDE),
      ending: status.ending ?? "", player: String(status.player ?? ""),
    });
  }

  /** What the moment lets one hear, while it plays; the hero of the gallery is silent. */
  private hear({ sounds }: Moment): void {
    this.sound.volume = this.state.options.volume;
    if (this.state.isPlaying && !this.isHero) this.sound.take(sounds, this.stage.ears);
  }

  /** The first moment of a run: the camera and the tick that the link wants. */
  private first(): void {
    const to = this.wantedLink;
    this.wantedLink = null;
    if (to === null) return;
    const wanted = to.view ?? (this.state.mode === "off" ? viewsOf(this.state.scene?.views)[0]! : "above");
    if (wanted !== this.state.view) this.look(wanted);
    if (this.isHero) return;
    this.keepLink();
    if (to.tick > 0) this.clock.goTo(to.tick);
  }

  private heroMoment(): void {
    document.body.dataset.hero = String(this.state.status?.tick ?? 0);
    if (this.state.status?.tick === 0) this.clock.setPlaying(true);
    // From the beginning again when it is over.
    if (this.state.status?.ending !== null) { this.isHero = false; void this.hero(true); }
  }

  /** Figures and inspector: at once, but not more often than one can read. */
  private refresh(): void {
    if (this.refreshing !== 0 || this.latest === null) return;
    const { status, agent } = this.latest;
    this.latest = null;
    batch(() => {
      this.set("figures", reconcile(status));
      // Parts of a brain and beliefs are told in the same order: they stay the same lines, with other words.
      this.set("agent", reconcile(agent, { key: null, merge: true }));
      this.roster();
    });
    this.refreshing = setTimeout(() => { this.refreshing = 0; this.refresh(); }, READ_MS) as unknown as number;
  }

  private roster(): void {
    const all = bodies(this.agents).map(({ key, team, kind }) => ({ key, team, kind })).sort((a, b) => a.key - b.key);
    this.set("roster", reconcile(all, { key: "key" }));
  }

  select(key: number | null): void {
    if (key === this.state.selected) return;
    this.set("selected", key);
    this.stage.cameras.isSteered = false;
    // Out of nobody's eyes nothing can be seen.
    if (key === null && this.stage.cameras.isPersonal) this.look("orbit");
    this.stage.select(key);
    this.takeOver();
    this.engine.ask({ kind: "select", key });
    this.keepLink();
  }

  /** The next agent by key, or the one before. */
  selectBy(step: 1 | -1): void {
    const keys = bodies(this.agents).map(({ key }) => key).sort((a, b) => a - b);
    if (keys.length === 0) return;
    const at = keys.indexOf(this.state.selected ?? NaN);
    this.select(keys[at < 0 ? (step > 0 ? 0 : keys.length - 1) : (at + step + keys.length) % keys.length]!);
  }

  /** Takes a camera; those that go along with somebody need somebody. */
  look(view: View): void {
    if (view === "follow" || view === "eyes") {
      if (bodyOf(this.agents, this.state.selected) === undefined) this.select(this.stage.somebody);
      if (this.state.selected === null) return;
    }
    if (document.pointerLockElement !== null) document.exitPointerLock();
    this.stage.look(view);
    this.set("view", view);
    document.body.dataset.view = view;
    this.takeOver();
    this.keepLink();
  }

  /** Who plays the one that the camera goes along with turns it, and not its mind. */
  private takeOver(): void {
    const body = bodyOf(this.agents, this.state.selected);
    if (body !== undefined && this.hand.isSteering) this.stage.cameras.steer(body);
  }

  /** The layers that the scene draws. */
  toggleLayer(name: LayerName): void {
    const isHidden = this.state.hidden.includes(name);
    this.set("hidden", (all) => (isHidden ? all.filter((one) => one !== name) : [...all, name]));
    if (isHidden) this.stage.hidden.delete(name); else this.stage.hidden.add(name);
    this.stage.again();
  }

  toggleLayerAt(index: number): void {
    const name = this.state.scene?.layers[index];
    if (name !== undefined) this.toggleLayer(name);
  }

  /** Starts the scene anew in another way, as a step in the history. */
  restart(seed: string, settings: readonly string[]): void { this.go(writeLink({ scene: this.state.wanted, seed, settings: [...settings] })); }
  change(name: string, value: string, stock: string): void { this.restart(this.state.seed, withSetting(this.state.changed, name, value, stock)); }

  edit(name: string, text: string): void { this.engine.ask({ kind: "edit", run: this.run, name, text }); }

  private edited({ refusal, tick }: Extract<Told, { kind: "edited" }>): void {
    if (refusal !== null) return this.set("edited", { text: `Refused, the old one goes on. ${refusal.error}`, isRefused: true, line: refusal.line ?? 0 });
    this.set("edited", { text: `Applied: it thinks by this from ${this.seconds(tick)} on.`, isRefused: false, line: 0 });
    // One sees it at once: the tick in which it begins to hold is played.
    if (!this.state.isPlaying) this.clock.goBy(1);
  }

  /** Keeps this run as the original and goes on with a fork of it. */
  fork(): void {
    if (this.state.status === undefined) return;
    this.clock.setPlaying(false);
    this.set({ fork: { tick: this.state.status.tick, isOriginal: false }, compared: null });
    this.engine.ask({ kind: "fork" });
    // What was held belongs to the original; what is pressed from now on is the fork's alone.
    this.hand.release();
    this.engine.ask({ kind: "ghosts", on: this.state.hasGhosts });
  }

  /** Shows the other one at the same tick. */
  swap(): void {
    if (this.state.fork === null) return;
    this.clock.setPlaying(false);
    this.set("fork", (fork) => (fork === null ? null : { ...fork, isOriginal: !fork.isOriginal }));
    this.hand.letGo();
    this.engine.ask({ kind: "swap" });
  }

  /** The run that is shown stays; the other one is forgotten. */
  drop(): void {
    if (this.state.fork === null) return;
    this.engine.ask({ kind: "drop" });
    this.set({ fork: null, compared: null });
  }

  compare(): void {
    this.clock.setPlaying(false);
    this.engine.ask({ kind: "compare" });
  }

  setGhosts(on: boolean): void {
    this.set("hasGhosts", on);
    this.engine.ask({ kind: "ghosts", on });
  }

  /** Whether a part of the page is open; `stock` is how it is at first. */
  isOpen(part: string, stock: boolean): boolean { return this.state.folds[part] ?? stock; }
  fold(part: string, isOpen: boolean): void {
    this.set("folds", part, isOpen);
    keepFolds(this.keeper, this.state.folds);
  }

  /** The panel beside the stage: on a small screen it is folded at first, and remembered apart. */
  get hasPanel(): boolean { return this.state.isSmall ? this.isOpen("panel-small", false) : this.isOpen("panel", true); }
  setPanel(on: boolean): void { this.fold(this.state.isSmall ? "panel-small" : "panel", on); }

  record(): void { this.engine.ask({ kind: "record" }); }

  private save(bytes: Uint8Array): void {
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([bytes as BlobPart]));
    anchor.download = `${this.state.scene?.name ?? "run"}.srec`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  }
}
