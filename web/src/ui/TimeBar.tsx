// The time bar: play, step, any moment by dragging, marks of what happened, speed, fork.

import { createMemo, For, type JSX } from "solid-js";
import type { Mark } from "../../pkg/sentir.js";
import { told } from "../model/format.js";
import { gathered, SPEEDS } from "../model/timeline.js";
import { useStudio } from "./context.js";
import { Icon, type IconName } from "./Icon.js";

/** Marks nearer than a column are one: more could not be told apart. */
const COLUMNS = 240;

function Tool(props: { id: string; icon: IconName; name: string; keys: string; text?: string; disabled?: boolean; onClick: () => void }): JSX.Element {
  return <button id={props.id} aria-label={props.name} title={`${props.name} (${props.keys})`} disabled={props.disabled} onClick={() => props.onClick()}><Icon name={props.icon} /></button>;
}

/** Small ticks over the bar; the bigger the matter, the taller. A press goes there. */
function Marks(): JSX.Element {
  const studio = useStudio();
  const shown = createMemo(() => gathered(studio.state.marks, studio.clock.end, COLUMNS));
  const words = (all: readonly Mark[]) => all.slice(0, 4).map((mark) => `${studio.seconds(mark.tick)}: ${told(mark, (key) => studio.nameOf(key))}`).join("\n") + (all.length > 4 ? `\nand ${all.length - 4} more` : "");
  return (
    // Keys go from mark to mark; four hundred stops of the Tab key would help nobody, and a screen reader hears the mark that one goes to.
    <div id="marks" aria-hidden="true">
      <For each={shown()}>{({ mark, all }) => (
        <span class={`mark weight-${mark.weight} ${mark.class}`} title={words(all)} data-tick={mark.tick} data-name={mark.name} style={{ left: `${(100 * mark.tick) / studio.clock.end}%` }} onClick={() => studio.clock.goTo(mark.tick)} />
      )}</For>
    </div>
  );
}

export function TimeBar(): JSX.Element {
  const studio = useStudio();
  const { state, clock } = studio;
  const known = () => state.status?.known_ticks ?? 0;
  const shown = () => state.goal?.tick ?? state.status?.tick ?? 0;
  return (
    <footer id="time-bar" aria-label="Time">
      <div class="row steps">
        <button id="play" class="primary" aria-label={state.isPlaying ? "Pause" : "Play"} title={`${state.isPlaying ? "Pause" : "Play"} (Space)`} onClick={() => clock.setPlaying(!state.isPlaying)}><Icon name={state.isPlaying ? "pause" : "play"} /></button>
        <Tool id="back-second" icon="second-back" name="One second back" keys="Page up" onClick={() => clock.goBy(-clock.rate)} />
        <Tool id="back" icon="tick-back" name="One tick back" keys="," onClick={() => clock.goBy(-1)} />
        <Tool id="forth" icon="tick" name="One tick forward" keys="." onClick={() => clock.goBy(1)} />
        <Tool id="forth-second" icon="second" name="One second forward" keys="Page down" onClick={() => clock.goBy(clock.rate)} />
        <Tool id="earlier" icon="mark-before" name="Event before" keys="K" disabled={state.marks.length === 0} onClick={() => clock.goToMark(-1)} />
        <Tool id="later" icon="mark" name="Next event" keys="L" disabled={state.marks.length === 0} onClick={() => clock.goToMark(1)} />
      </div>
      <div id="track" style={{ "--known": `${(100 * known()) / clock.end}%` }}>
        <Marks />
        <input id="time" type="range" min="0" max={clock.end} value={String(shown())} aria-label="Moment, ticks" aria-valuetext={studio.seconds(shown())} onInput={(event) => clock.goTo(Number(event.currentTarget.value))} />
      </div>
      <div class="row">
        <output id="clock" classList={{ busy: state.isBusy }}>{studio.seconds(state.status?.tick ?? 0)}</output>
        <span id="end">of {(known() / clock.rate).toFixed(1)} s {state.status?.ending === null ? "known" : "in all"}</span>
        <select id="speed" aria-label="Speed" onChange={(event) => studio.set("speed", Number(event.currentTarget.value))}>
          <For each={SPEEDS}>{(times) => <option value={times} selected={times === state.speed}>×{times}</option>}</For>
        </select>
        <button id="fork" title="Fork here (Y)" onClick={() => studio.fork()}><Icon name="fork" /><span>Fork here</span></button>
      </div>
      <p id="said" role="status" class="unseen">{state.said}</p>
    </footer>
  );
}
