// What who plays in first person is shown of the own body: health, rounds, the crosshair as wide as shots go, what was hit, from
// where one is hurt, and what one's own ears hear. Everything comes from the `Hud` of the moment: nothing here knows where
// anybody is.

import { createEffect, createMemo, Index, onCleanup, Show, type JSX } from "solid-js";
import type { Sign } from "../../pkg/sentir.js";
import type { HudOf } from "../contract.js";
import { countdown } from "../model/format.js";
import { useStudio } from "./context.js";

/** For how long a hurt, a noise, a hit are shown, s. */
const HURT_S = 1.6, NOISE_S = 1.1, HIT_S = 0.28;
/** Below this share of health or rounds it is told in red. */
const LOW = 0.3;

/** Arcs around the middle of the view, each to where something came from; they turn with the view. */
function arcs(into: HTMLElement, signs: readonly Sign[], eye: { x: number; z: number; heading: number }, lasts: number, alpha: (sign: Sign) => number): void {
  const shown = signs.filter(({ age_s }) => age_s < lasts);
  while (into.childElementCount > shown.length) into.lastElementChild!.remove();
  while (into.childElementCount < shown.length) into.append(document.createElement("i"));
  shown.forEach((sign, index) => {
    const it = into.children[index] as HTMLElement;
    const yaw = Math.atan2(-(sign.from[0] - eye.x), -(sign.from[2] - eye.z));
    it.style.transform = `rotate(${(eye.heading - yaw).toFixed(3)}rad)`;
    it.style.opacity = (alpha(sign) * (1 - sign.age_s / lasts)).toFixed(2);
  });
}

/** What is told under the crosshair. */
function hintOf(hud: HudOf): string {
  if (hud.health <= 0) return "";
  if (hud.reload !== null) return "reloading";
  if (hud.magazine === 0) return hud.reserve > 0 ? "empty: R to reload" : "empty";
  return hud.magazine < hud.magazine_max * LOW && hud.reserve > 0 ? "R to reload" : "";
}

function Body(props: { hud: HudOf }): JSX.Element {
  const studio = useStudio();
  let box!: HTMLDivElement, cross!: HTMLDivElement, hurts!: HTMLDivElement, noises!: HTMLDivElement;
  const share = () => (props.hud.health_max > 0 ? props.hud.health / props.hud.health_max : 0);
  const isLow = () => props.hud.magazine < props.hud.magazine_max * LOW;
  const fresh = () => Math.max(0, 1 - (props.hud.hurts[0]?.age_s ?? 9) / 0.5);
  const veil = () => Math.min(1, fresh() * 0.4 + Math.max(0, LOW - share()) * 1.6).toFixed(2);
  const marker = () => Math.max(0, 1 - (props.hud.hit_s ?? 9) / HIT_S, 1 - (props.hud.kill_s ?? 9) / (2.5 * HIT_S));
  const isGauged = createMemo(() => (studio.state.play?.gauges ?? []).some(({ place }) => place === "top_center"));
  const turn = () => {
    if (!box.isConnected) return;
    const { active: { position }, heading, fov } = studio.stage.cameras;
    const high = box.clientHeight || 1;
    // A cone of half the angle a covers tan a / tan (fov / 2) of half the height.
    const gap = (Math.tan(props.hud.spread_rad) / Math.tan((fov * Math.PI) / 360)) * (high / 2);
    cross.style.setProperty("--gap", `${Math.max(3, Math.min(gap, high / 6)).toFixed(1)}px`);
    const eye = { x: position.x, z: position.z, heading };
    arcs(hurts, props.hud.hurts, eye, HURT_S, () => 1);
    arcs(noises, props.hud.noises, eye, NOISE_S, ({ amount }) => 0.25 + 0.6 * amount);
    Object.assign(box.dataset, { eye: position.toArray().map((value: number) => value.toFixed(3)).join(" "), heading: heading.toFixed(4) });
  };
  onCleanup(studio.clock.onFrame(turn));
  createEffect(() => {
    const { health, magazine, reserve, reload, foes, shots } = props.hud;
    Object.assign(box.dataset, { health: String(Math.ceil(health)), magazine: String(magazine), reserve: String(reserve), reload: String(reload !== null), foes: String(foes), shots: String(shots) });
    turn();
  });
  return (
    <div id="hud" role="group" aria-label="Your body" ref={box}>
      <div class="veil" style={{ opacity: veil() }} />
      <div class="noises" ref={noises} /><div class="hurts" ref={hurts} />
      <div class="cross" classList={{ away: props.hud.reload !== null || props.hud.health <= 0 }} ref={cross}><i /><i /><i /><i /><b /></div>
      <div class="marker" classList={{ kill: (props.hud.kill_s ?? 9) < 2.5 * HIT_S, head: (props.hud.head_s ?? 9) <= (props.hud.hit_s ?? 9) + 0.001 }} style={{ opacity: String(marker()) }}><i /><i /><i /><i /></div>
      <Show when={props.hud.reload !== null}><div class="reload" style={{ "--share": String(props.hud.reload ?? 0) }} /></Show>
      <p class="hint">{hintOf(props.hud)}</p>
      <Show when={!isGauged()}>
        <p class="top"><span class="foes">{props.hud.foes === 1 ? "1 left" : `${props.hud.foes} left`}</span> <span class="left" classList={{ low: props.hud.left_s < 15 }}>{countdown(props.hud.left_s)}</span></p>
      </Show>
      <div class="health" classList={{ low: share() < LOW }}><span class="health-number">{Math.ceil(share() * 100)}</span><div class="health-bar" style={{ "--share": `${(share() * 100).toFixed(1)}%` }} /></div>
      <div class="arms">
        <Show when={props.hud.weapons.length > 1}>
          <ul class="weapons"><Index each={props.hud.weapons}>{(weapon) => (
            <li classList={{ held: weapon().is_held }}><span>{weapon().name}</span><Show when={weapon().magazine > 0}><span class="count">{weapon().rounds} / {weapon().carried}</span></Show></li>
          )}</Index></ul>
        </Show>
        <Show when={props.hud.magazine_max > 0}><div class="rounds" classList={{ low: isLow() }}><span class="magazine">{props.hud.magazine}</span><span class="reserve">{props.hud.reserve}</span></div></Show>
      </div>
    </div>
  );
}

export function Hud(): JSX.Element {
  const studio = useStudio();
  return <Show when={studio.state.mode !== "off" && studio.play.isFirstPerson && studio.state.hud}>{(hud) => <Body hud={hud()} />}</Show>;
}
