// Fork and compare: the run as it was is kept as the original, and time goes on with a fork of it. They can be shown in turns,
// one over the other, and held against each other: the first moment and the first decision that differ.

import { Show, type JSX } from "solid-js";
import type { Decision } from "../../pkg/sentir.js";
import { useStudio } from "./context.js";

function Found(props: { decision: Decision }): JSX.Element {
  const studio = useStudio();
  const isOriginal = () => studio.state.fork?.isOriginal === true;
  const who = () => (props.decision.key === null ? "" : ` of ${studio.nameOf(props.decision.key)}`);
  return (
    <>
      <p>The runs first differ at tick {props.decision.first_tick} ({studio.seconds(props.decision.first_tick)}).</p>
      <button onClick={() => studio.clock.goTo(props.decision.first_tick)}>Go there</button>
      <Show when={props.decision.tick} fallback={<p>No decision of an agent differs yet.</p>}>{(tick) => (
        <>
          <p>First differing decision{who()}, at tick {tick()} ({studio.seconds(tick())}):</p>
          <button onClick={() => studio.clock.goTo(tick())}>Go to the decision</button>
          <dl>
            <dt>in the {isOriginal() ? "original" : "fork"}</dt><dd>{props.decision.here}</dd>
            <dt>in the {isOriginal() ? "fork" : "original"}</dt><dd>{props.decision.there}</dd>
          </dl>
        </>
      )}</Show>
    </>
  );
}

export function ForkBar(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  const tick = () => state.fork?.tick ?? 0;
  return (
    <div id="fork-bar" role="region" aria-label="Fork">
      <strong id="fork-where">{state.fork?.isOriginal === true ? `Original, forked at ${studio.seconds(tick())}` : `Fork of ${studio.seconds(tick())}`}</strong>
      <button id="swap" title="U" onClick={() => studio.swap()}>{state.fork?.isOriginal === true ? "Show fork" : "Show original"}</button>
      <button id="compare" onClick={() => studio.compare()}>Compare</button>
      <label><input type="checkbox" id="ghosts" checked={state.hasGhosts} onChange={(event) => studio.setGhosts(event.currentTarget.checked)} /> other run as outlines</label>
      <button id="drop" title="#" aria-label="Drop the other run" onClick={() => studio.drop()}>Drop</button>
      <div id="compared" role="status">
        <Show when={state.compared}>{(it) => (
          <Show when={it().decision} fallback={<p>No difference in the {studio.seconds(it().ticks)} that both are known: give the fork other inputs, then compare again.</p>}>
            {(decision) => <Found decision={decision()} />}
          </Show>
        )}</Show>
      </div>
    </div>
  );
}
