// The card of who plays: before it begins, in the menu, at the end. Nothing here happens by a key that is also used in play: who
// still holds a key when it ends does not lose the result.

import { createEffect, createMemo, createSignal, For, on, Show, type JSX } from "solid-js";
import type { HudOf } from "../contract.js";
import { keysOf } from "../model/keymap.js";
import { settingOf } from "../model/link.js";
import { difficultyOf } from "../model/scene.js";
import { title } from "../model/format.js";
import { QUALITIES, SENSITIVITY } from "../play/option.js";
import { useStudio } from "./context.js";

/** How a match ended where the scene has no card for it. */
function resultOf(hud: HudOf | null, tick: number, rate: number): { title: string; is_won: boolean | null; rows: { name: string; text: string }[] } {
  const time = { name: "time", text: `${(tick / rate).toFixed(0)} s` };
  if (hud === null) return { title: "It is over", is_won: null, rows: [time] };
  const { shots, hits, kills, foes } = hud;
  const share = shots === 0 ? "" : ` (${Math.round((100 * hits) / shots)} %)`;
  return {
    title: hud.is_won === true ? "You won" : hud.health <= 0 ? "You are dead" : "Time is up", is_won: hud.is_won === true,
    rows: [time, { name: "opponents", text: `${kills} of ${kills + foes}` }, { name: "shots that hit", text: `${hits} of ${shots}${share}` }],
  };
}

function OptionFields(): JSX.Element {
  const studio = useStudio();
  const { state, play } = studio;
  const hard = createMemo(() => difficultyOf(state.scene));
  const isMouse = () => state.scene?.controls?.mode === "first_person";
  return (
    <div class="options" role="group" aria-label="Options">
      <Show when={hard()}>{(it) => (
        <label>Difficulty <select class="difficulty" value={settingOf(state.changed, it().name) ?? it().stock} onChange={(event) => play.setDifficulty(event.currentTarget.value)}>
          <For each={it().words}>{(word) => <option value={word} selected={word === (settingOf(state.changed, it().name) ?? it().stock)}>{title(word)}</option>}</For>
        </select></label>
      )}</Show>
      <label>Volume <input class="volume" type="range" min="0" max="1" step="0.05" value={state.options.volume} onInput={(event) => play.setOptions({ volume: event.currentTarget.valueAsNumber })} /></label>
      <label>Graphics <select class="quality" onChange={(event) => { const found = QUALITIES.find((one) => one === event.currentTarget.value); if (found !== undefined) play.setOptions({ quality: found }); }}>
        <For each={QUALITIES}>{(one) => <option value={one} selected={one === state.options.quality}>{{ auto: "As it goes", high: "Shadows always", low: "Low" }[one]}</option>}</For>
      </select></label>
      <Show when={isMouse()}>
        <label>Mouse sensitivity <input class="sensitivity" type="range" min={SENSITIVITY.min} max={SENSITIVITY.max} step="0.05" value={state.options.sensitivity} onInput={(event) => play.setOptions({ sensitivity: event.currentTarget.valueAsNumber })} /></label>
        <label><input class="inverted" type="checkbox" checked={state.options.inverted} onChange={(event) => play.setOptions({ inverted: event.currentTarget.checked })} /> invert up and down</label>
        <label><input class="minds" type="checkbox" checked={state.options.minds} onChange={(event) => play.setOptions({ minds: event.currentTarget.checked })} /> show what they think (not fair)</label>
      </Show>
      <Show when={state.scene?.controls?.mode === "command"}>
        <label><input class="edges" type="checkbox" checked={state.options.edges} onChange={(event) => play.setOptions({ edges: event.currentTarget.checked })} /> edges of the window move the view</label>
      </Show>
    </div>
  );
}

/** A button that asks once more before it throws something away. */
function Sure(props: { class: string; text: string; sure: string; isAsking: boolean; onClick: () => void }): JSX.Element {
  const [isSure, setSure] = createSignal(false);
  return <button class={props.class} onBlur={() => setSure(false)} onClick={() => { if (props.isAsking && !isSure()) setSure(true); else props.onClick(); }}>{isSure() ? props.sure : props.text}</button>;
}

function Card(): JSX.Element {
  const studio = useStudio();
  const { state, play } = studio;
  let box!: HTMLDivElement;
  let go: HTMLButtonElement | undefined;
  const isOver = () => state.mode === "over";
  const isReady = () => state.mode === "ready";
  const result = createMemo(() => (isOver() ? state.play?.result ?? resultOf(state.hud, state.status?.tick ?? 0, studio.clock.rate) : undefined));
  const needsKeys = () => play.touch.matches && play.isFirstPerson;
  const headline = () => result()?.title ?? (isReady() ? state.scene?.title ?? "" : "Paused");
  const controls = () => state.scene?.controls ?? null;
  // At the end nothing that a held key would press has the focus.
  createEffect(on(() => state.mode, (mode) => (mode === "over" || needsKeys() ? box : go ?? box).focus({ preventScroll: true })));
  return (
    <div id="play-card" role="dialog" aria-modal="true" aria-labelledby="play-headline" data-result={result() === undefined ? "" : result()!.is_won === true ? "won" : result()!.is_won === false ? "lost" : "over"}>
      <div ref={box} tabindex="-1">
        <h2 class="headline" id="play-headline">{headline()}</h2>
        <Show when={result()}>{(it) => <dl class="figures"><For each={it().rows}>{(row) => <><dt>{title(row.name)}</dt><dd>{row.text}</dd></>}</For></dl>}</Show>
        <Show when={needsKeys()}><p class="touch">To play, you need a keyboard and a mouse. Here you can watch.</p></Show>
        <p class="buttons">
          <Show when={!isOver() && !needsKeys()}><button class="go primary" ref={go} onClick={() => play.live()}>{isReady() ? "Play" : "Continue"}</button></Show>
          <Show when={!isReady()}><Sure class={isOver() ? "again primary" : "again"} text={isOver() ? "Play again" : "Restart"} sure="Really restart?" isAsking={!isOver()} onClick={() => play.restart(state.seed)} /></Show>
          <Show when={isOver()}><button class="next" onClick={() => play.next()}>Next match</button></Show>
        </p>
        <Show when={!isOver() ? controls() : null}>{(it) => (
          <>
            <Show when={it().setting === null}><p class="soft opening">{it().opening}.</p></Show>
            <OptionFields />
            <dl class="keys"><For each={keysOf(it().mode, it().bindings)}>{(row) => <><dt>{row.keys}</dt><dd>{row.about}</dd></>}</For></dl>
          </>
        )}</Show>
        <p class="buttons">
          <button class="leave" onClick={() => play.watch(null)}>{isReady() ? "Only watch" : "Look around in this moment"}</button>
          <Show when={isOver()}><button class="replay" onClick={() => play.watch(0)}>Watch it again</button><button class="record" onClick={() => studio.record()}>Save recording</button></Show>
          <button class="full" onClick={() => play.fullScreen()}>Full screen</button>
          <Sure class="gallery" text="Back to the scenes" sure="Really leave?" isAsking={state.mode === "paused"} onClick={() => studio.go("#")} />
        </p>
      </div>
    </div>
  );
}

export function PlayCard(): JSX.Element {
  const { state } = useStudio();
  return <Show when={state.mode !== "off" && state.mode !== "live"}><Card /></Show>;
}
