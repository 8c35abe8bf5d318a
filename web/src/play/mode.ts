// Playing: a card before it, live, a menu, an end. Three kinds, as the scene declares: in first person, walking, commanding
// from above. While it is live, the page is the view of the player and nothing else: what shows others' minds is for watching.

import { difficultyOf, handed, isPlayed } from "../model/scene.js";
import { withSetting, writeLink } from "../model/link.js";
import type { PlayStage } from "../model/store.js";
import type { Studio } from "../model/studio.js";
import { Hands } from "./hands.js";
import { keepOptions, type Options } from "./option.js";
import { Pads } from "./pad.js";

/** Browsers lock the pointer again only some time after it was freed, ms. */
const LOCK_AGAIN_MS = 1400;
/** The view after the last moment of a match, before its card, ms. */
const OVER_MS = 900;
/** How near to an edge of the window the pointer moves the map, px, and how much of what is seen a second. */
const EDGE_PX = 10, PAN_PER_S = 0.7;

export class PlayMode {
  readonly hands: Hands;
  readonly touch = matchMedia("(hover: none) and (pointer: coarse)");
  private calm = matchMedia("(prefers-reduced-motion: reduce)");
  private pads = new Pads();
  /** The link asked to play; the first moment begins it. */
  private isAsked = false;
  /** The next match begins without a card: its button was pressed. */
  private isHasty = false;
  private ending = 0;
  private tries = 0;
  /** Where the mouse is, px of the window; null when it is not over it. */
  private mouse: [number, number] | null = null;

  constructor(private studio: Studio) {
    this.hands = new Hands(studio);
  }

  private get mode(): PlayStage { return this.studio.state.mode; }
  get isFirstPerson(): boolean { return this.studio.state.scene?.controls?.mode === "first_person"; }
  /** Whether the eyes that are looked out of are the player's own. */
  private get isInEyes(): boolean {
    const { hud, view, selected } = this.studio.state;
    return hud !== null && view === "eyes" && selected === hud.key;
  }

  private set(to: PlayStage): void {
    const { state, stage, hand } = this.studio;
    this.studio.set("mode", to);
    const isOn = to !== "off";
    document.body.dataset.play = isOn ? to : "";
    document.body.dataset.mode = isOn ? state.scene?.controls?.mode ?? "" : "";
    stage.setPlay(isOn && this.isFirstPerson, state.options.minds);
    hand.playBy(!isOn ? null : to !== "live" ? () => undefined : this.isFirstPerson ? () => this.hands.taken() : null);
  }

  /** What was set is kept and holds at once. */
  setOptions(change: Partial<Options>): void {
    this.studio.set("options", change);
    keepOptions(this.studio.keeper, this.studio.state.options);
    const { stage, state: { options } } = this.studio;
    if (change.quality !== undefined) stage.quality = options.quality;
    stage.setPlay(this.mode !== "off" && this.isFirstPerson, options.minds);
  }

  /** The address under which a person plays this scene, with the difficulty that was chosen last. */
  linkTo(seed: string): string {
    const { state } = this.studio;
    const [hand, hard] = [handed(state), difficultyOf(state.scene)];
    let settings: string[] = [...state.changed];
    if (hand !== undefined) settings = withSetting(settings, hand.name, hand.value, undefined);
    const chosen = hard === undefined ? undefined : state.options.difficulty[state.scene?.name ?? ""];
    if (hard !== undefined && chosen !== undefined && hard.words.includes(chosen)) settings = withSetting(settings, hard.name, chosen, hard.stock);
    return writeLink({ scene: state.wanted, seed, settings, isPlay: true, view: this.isFirstPerson ? "eyes" : null });
  }

  /** Another difficulty: another match. */
  setDifficulty(word: string): void {
    const { state } = this.studio;
    this.setOptions({ difficulty: { ...state.options.difficulty, [state.scene?.name ?? ""]: word } });
    this.studio.go(this.linkTo(state.seed));
  }

  /** From watching to playing, with the card first. */
  enter(): void { this.studio.go(this.linkTo(this.studio.state.seed)); }

  /** Another run begins, or the gallery. */
  leave(isAsked: boolean): void {
    clearTimeout(this.ending);
    this.ending = 0;
    this.isAsked = isAsked;
    this.hands.stand();
    this.studio.sound.hush();
    if (this.mode !== "off") this.set("off");
    if (this.studio.isLocked) document.exitPointerLock();
  }

  /** The mouse turns the view until Esc. Where the browser refuses, it turns it without being caught. */
  private lock(): void {
    if (!this.isFirstPerson || this.studio.isLocked || this.mode !== "live") return;
    const asked = this.studio.canvas.requestPointerLock() as unknown as Promise<void> | undefined;
    asked?.catch(() => { this.tries += 1; if (this.tries < 3) setTimeout(() => this.lock(), LOCK_AGAIN_MS); });
  }

  /** Plays, or goes on. */
  live(): void {
    if (this.touch.matches && this.isFirstPerson) return;
    this.tries = 0;
    this.hands.drop();
    this.studio.sound.wake();
    this.studio.canvas.focus({ preventScroll: true });
    this.set("live");
    this.lock();
    this.studio.set("speed", 1);
    this.studio.clock.setPlaying(true);
  }

  pause(): void {
    if (this.mode !== "live") return;
    this.hands.drop();
    this.studio.hand.release();
    this.set("paused");
    this.studio.clock.setPlaying(false);
    if (this.studio.isLocked) document.exitPointerLock();
  }

  private finish(): void {
    if (this.ending !== 0) return;
    this.hands.drop();
    const show = () => {
      this.ending = 0;
      if (this.mode === "off") return;
      this.set("over");
      if (this.studio.isLocked) document.exitPointerLock();
    };
    if (this.mode === "live") this.ending = setTimeout(show, OVER_MS) as unknown as number; else show();
  }

  /** The same match from its beginning, or another one. */
  restart(seed: string): void {
    this.isHasty = true;
    this.studio.sound.wake();
    this.studio.go(this.linkTo(seed));
  }

  next(): void { this.restart(String((BigInt(this.studio.state.seed) + 1n) % 2n ** 64n)); }

  /** From playing to watching: this moment, or all of it from a tick on. */
  watch(from: number | null): void {
    this.isAsked = false;
    this.set("off");
    if (this.isFirstPerson) this.studio.look(from === null ? "orbit" : "above");
    this.studio.keepLink();
    if (from !== null) { this.studio.clock.goTo(from); this.studio.clock.setPlaying(true); }
  }

  /** A moment is shown. */
  moment(): void {
    const { state: { hud, status, play }, sound } = this.studio;
    const isOn = this.isFirstPerson ? this.isInEyes : this.mode !== "off" || (this.isAsked && isPlayed(this.studio.state));
    if (!isOn || status === undefined) { if (this.mode !== "off") this.set("off"); return; }
    if (this.mode === "off") {
      const isNow = this.isHasty;
      this.isHasty = this.isAsked = false;
      this.set(status.tick > 0 ? "paused" : "ready");
      if (isNow && status.ending === null) this.live();
    }
    if (this.mode === "live" && hud !== null) sound.feel(hud);
    if ((status.ending !== null || (play?.result ?? null) !== null) && this.mode !== "over") this.finish();
  }

  /** A frame of the page. */
  frame(seconds: number): void {
    const { state: { hud }, stage } = this.studio;
    // Somebody took the eyes of the player while time stands.
    if (this.mode === "off" && this.isFirstPerson && this.isInEyes && this.studio.state.room === "stage") this.moment();
    const pad = this.mode === "live" || this.mode === "paused" ? this.pads.read() : undefined;
    if (pad?.isNewPause === true) return this.mode === "live" ? this.pause() : this.live();
    if (this.mode === "live" && this.isFirstPerson) this.hands.frame(seconds, pad);
    if (this.mode === "live" && this.studio.state.scene?.controls?.mode === "walk" && pad !== undefined) this.studio.hand.lean(pad.right, pad.ahead);
    if (this.mode === "live" && this.studio.isCommand) this.pan(seconds);
    if (this.mode !== "off" && this.isFirstPerson && hud !== null) stage.playFrame(hud, seconds, this.calm.matches);
  }

  /** Who commands moves the view by arrow keys and at the edges of the window. */
  private pan(seconds: number): void {
    const { stage, hand, state } = this.studio;
    const axis = (plus: string, minus: string) => Number(hand.held.has(plus)) - Number(hand.held.has(minus));
    let [right, up] = [axis("arrowright", "arrowleft"), axis("arrowup", "arrowdown")];
    if (state.options.edges && this.mouse !== null && document.hasFocus()) {
      const [x, y] = this.mouse;
      right += Number(x >= innerWidth - EDGE_PX) - Number(x <= EDGE_PX);
      up += Number(y <= EDGE_PX) - Number(y >= innerHeight - EDGE_PX);
    }
    if (right === 0 && up === 0) return;
    const { cameras } = stage;
    const [x, north] = cameras.middle;
    const step = cameras.span * PAN_PER_S * seconds;
    const [sin, cos] = cameras.view === "above" ? [0, 1] : [cameras.active.matrixWorld.elements[8]!, cameras.active.matrixWorld.elements[10]!];
    const long = Math.hypot(sin, cos) || 1;
    // The camera looks along (-sin, -cos) over x and z: to its right lies (cos, -sin).
    cameras.goTo(x + ((right * cos - up * sin) / long) * step, north + ((right * sin + up * cos) / long) * step);
    stage.render();
  }

  private down(event: KeyboardEvent): void {
    if (this.mode !== "live" || this.studio.state.hasHelp) return;
    if (event.code === "Escape" || event.code === "KeyP") { event.preventDefault(); event.stopPropagation(); return this.pause(); }
    if (this.isFirstPerson && this.hands.key(event, true)) event.preventDefault();
  }

  fullScreen(): void {
    if (document.fullscreenElement !== null) return void document.exitFullscreen();
    const keyboard = (navigator as unknown as { keyboard?: { lock?: (keys: string[]) => Promise<void> } }).keyboard;
    // In full screen some browsers let a page have Ctrl+W: who crouches and walks would else close it.
    document.documentElement.requestFullscreen().then(() => keyboard?.lock?.(["KeyW", "KeyA", "KeyS", "KeyD", "KeyR"])).catch(() => undefined);
  }

  /** Listens to keys, mouse and window. */
  begin(): void {
    this.set("off");
    this.studio.clock.onFrame((seconds) => this.frame(seconds));
    const isAt = () => this.mode === "live" && this.isFirstPerson;
    addEventListener("keydown", (event) => this.down(event), true);
    addEventListener("keyup", (event) => { if (isAt()) this.hands.key(event, false); }, true);
    addEventListener("mousemove", (event) => { this.mouse = [event.clientX, event.clientY]; if (isAt()) this.hands.turn(event); });
    document.documentElement.addEventListener("mouseleave", () => { this.mouse = null; });
    addEventListener("mousedown", (event) => { if (isAt()) { event.preventDefault(); this.hands.button(event, true); this.lock(); } });
    addEventListener("mouseup", (event) => { if (isAt()) this.hands.button(event, false); });
    addEventListener("blur", () => this.pause());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.pause(); });
    document.addEventListener("pointerlockchange", () => { if (!this.studio.isLocked && this.isFirstPerson) this.pause(); });
    addEventListener("beforeunload", (event) => { if (this.mode === "live") event.preventDefault(); });
  }
}
