// The controls of who walks or commands: what keys and buttons hold, as the engine takes it.

import type { ControlAction } from "../../pkg/sentir.js";
import { bodyOf } from "../agent.js";
import type { Given } from "../contract.js";
import { actionOf } from "./keymap.js";
import { binds, isPlayed } from "./scene.js";
import type { Studio } from "./studio.js";

export class Hand {
  readonly held = new Set<string>();
  readonly pressed = { fire: false, use: false, more: false };
  /** A stick that is moved beside the keys: right and ahead, up to 1. */
  readonly stick = { right: 0, ahead: 0 };
  private spot: [number, number] = [0, 0];
  private isStale = false;
  /** What the hands of who plays in first person do, if it is new; none while nobody does. */
  private hands: (() => Given | undefined) | null = null;

  constructor(private studio: Studio) {}

  /** From now on the controls come from somebody's hands, and from nothing else; or, with none, as before. */
  playBy(taken: (() => Given | undefined) | null): void { this.hands = taken; }

  /** What a key does in the scene that is shown; undefined if nothing. */
  actionOf(key: string): ControlAction | undefined {
    const { state } = this.studio;
    return isPlayed(state) ? actionOf(key, state.scene?.controls?.bindings ?? []) : undefined;
  }

  /** Whether a person walks in the view of the camera: who is played is selected, and the camera goes along. */
  get isSteering(): boolean {
    const { state, stage, isCommand } = this.studio;
    return isPlayed(state) && !isCommand && stage.cameras.isPersonal && state.selected !== null && state.selected === stage.player;
  }

  /** Where a player looks: with the camera that goes along, else at what is pointed at. */
  private looks(): { yaw: number; pitch: number } {
    const { stage: { cameras, player }, state, agents } = this.studio;
    if (this.isSteering) return { yaw: cameras.heading, pitch: cameras.turn.pitch };
    const body = binds(state, "look") ? bodyOf(agents, player) : undefined;
    if (body === undefined) return { yaw: 0, pitch: 0 };
    const [east, north] = [this.spot[0] - body.x, this.spot[1] + body.z];
    return { yaw: Math.hypot(east, north) > 0.1 ? Math.atan2(-east, north) : body.yaw, pitch: 0 };
  }

  controls(): Given {
    const { held, pressed, spot, stick } = this;
    const axis = (plus: string, minus: string) => Number(held.has(plus)) - Number(held.has(minus));
    const letter = [...held].find((key) => this.actionOf(key) === "letter");
    const holds = (action: ControlAction) => [...held].some((key) => this.actionOf(key) === action);
    const { yaw, pitch } = this.looks();
    let [east, north] = [axis("d", "a") + stick.right, axis("w", "s") + stick.ahead];
    if (this.isSteering) [east, north] = [east * Math.cos(yaw) - north * Math.sin(yaw), east * Math.sin(yaw) + north * Math.cos(yaw)];
    const long = Math.max(1, Math.hypot(east, north));
    return {
      east: east / long, north: north / long, yaw, pitch, spot,
      fire: pressed.fire || holds("fire"), use: pressed.use || holds("use"), reload: holds("reload"), melee: holds("melee"), throw: holds("throw"),
      jump: holds("jump"), crouch: holds("crouch"), more: pressed.more,
      ...(letter === undefined ? {} : { key: letter }),
    };
  }

  /** A key or button went down or up: told at once. Controls begin another future, so a scene that nobody plays gets none. */
  give(): void {
    this.isStale = false;
    if (isPlayed(this.studio.state) && this.hands === null) this.studio.engine.ask({ kind: "give", controls: this.controls() });
  }

  /** A button of a panel is pressed: an input of its own, in every mode. */
  press(button: number): void {
    if ((this.studio.state.scene?.controls ?? null) === null) return;
    this.studio.engine.ask({ kind: "give", controls: { ...(this.hands === null ? this.controls() : {}), button } });
  }

  /** Sends who is selected to a place of the ground, x and -z, m. */
  send(spot: [number, number]): void {
    this.spot = spot;
    for (const use of [true, false]) { this.pressed.use = use; this.give(); }
  }

  /** Selects these again, by clicks where they stand. */
  regroup(keys: readonly number[]): void {
    if (binds(this.studio.state, "select")) this.studio.engine.ask({ kind: "regroup", keys: [...keys], held: { ...this.controls(), fire: false } });
  }

  /** The pointer points elsewhere, or the view turned: told when time next runs, once. */
  point(to: [number, number] | null): void {
    if (to !== null) this.spot = to;
    // Who holds nothing does not play: looking around is no reason for another future.
    this.isStale ||= isPlayed(this.studio.state) && (this.held.size > 0 || this.pressed.fire || this.isSteering);
  }

  /** Time is about to run: what is new is told. */
  catchUp(): void {
    const played = this.hands?.();
    if (played !== undefined) return this.studio.engine.ask({ kind: "give", controls: played });
    if (this.isStale) this.give();
  }

  /** A stick moved. */
  lean(right: number, ahead: number): void {
    if (Math.hypot(right - this.stick.right, ahead - this.stick.ahead) < 0.02) return;
    Object.assign(this.stick, { right, ahead });
    this.give();
  }

  /** Everything is let go of. */
  release(): void {
    const hadAny = this.held.size > 0 || this.pressed.fire || this.pressed.use;
    this.letGo();
    if (hadAny) this.give();
  }

  /** Another run: nothing is held in it. */
  letGo(): void {
    this.held.clear();
    Object.assign(this.pressed, { fire: false, use: false, more: false });
    Object.assign(this.stick, { right: 0, ahead: 0 });
    this.isStale = false;
  }
}
