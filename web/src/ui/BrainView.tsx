// The brain of the selected agent as an outline: what runs is lit, what refused says why. Lines stay, their words change: who
// reads one does not lose it.

import { For, Index, Show, type JSX } from "solid-js";
import type { Brain, BrainPart } from "../../pkg/sentir.js";
import { Icon } from "./Icon.js";

function Part(props: { part: BrainPart }): JSX.Element {
  const label = () => `${props.part.kind} ${props.part.label}: ${props.part.mood}${props.part.note === "" ? "" : `, ${props.part.note}`}`;
  return (
    <li class={props.part.mood} style={{ "--depth": String(props.part.depth) }} aria-label={label()}>
      <span class="sign"><Icon name={props.part.mood} /></span><span class="kind">{props.part.kind}</span><span class="name">{props.part.label}</span>
      <Show when={props.part.share !== null}><meter value={props.part.share ?? 0} title={(props.part.share ?? 0).toFixed(2)} aria-label={`how much ${props.part.label} is wanted`} /></Show>
      <Show when={props.part.note !== ""}><span class="note">{props.part.note}</span></Show>
    </li>
  );
}

/** The parts from the root on, one a line, and what leads where. */
export function BrainView(props: { brain: Brain }): JSX.Element {
  // Only the ways out of what runs: those of a whole machine would hide it.
  const ways = (place: number) => (props.brain.parts[place]?.mood === "active" ? props.brain.arrows.filter(({ from }) => from === place) : []);
  return (
    <ul class="brain" tabindex="0" aria-label="Parts of the brain">
      <Index each={props.brain.parts}>{(part, place) => (
        <>
          <Part part={part()} />
          <For each={ways(place)}>{(way) => (
            <li class="way" classList={{ lit: way.is_lit }} style={{ "--depth": String(part().depth + 1) }}>{way.label} → {props.brain.parts[way.to]?.label ?? "?"}</li>
          )}</For>
        </>
      )}</Index>
    </ul>
  );
}
