// The stage with all that lies over it: cameras, captions, what the scene tells, the screen of who plays.

import { createMemo, For, Show, type JSX } from "solid-js";
import { viewsOf, VIEW_NAMES } from "../model/view.js";
import { useStudio } from "./context.js";
import { EyesightView } from "./Eyesight.js";
import { Hud } from "./Hud.js";
import { Icon } from "./Icon.js";
import { MinimapView } from "./Minimap.js";
import { PlayCard } from "./PlayCard.js";
import { BannerView, Gauges, PromptView, ScenePanels, SelectionView } from "./Screen.js";

function Cameras(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  return (
    <div id="camera" role="group" aria-label="Camera">
      <For each={viewsOf(state.scene?.views)}>{(view) => (
        <button id={view} aria-pressed={state.view === view} title={`${VIEW_NAMES[view].about} (${VIEW_NAMES[view].key})`} aria-label={`${VIEW_NAMES[view].text}: ${VIEW_NAMES[view].about.toLowerCase()}`}
          disabled={(view === "follow" || view === "eyes") && state.roster.length === 0} onClick={() => studio.look(view)}><Icon name={view} /><span>{VIEW_NAMES[view].text}</span></button>
      )}</For>
    </div>
  );
}

/** How far the way to a moment is, or what is loaded before there is one. */
function Progress(): JSX.Element {
  const { state } = useStudio();
  const share = createMemo(() => {
    const { goal, status } = state;
    if (state.error !== null) return undefined;
    if (status === undefined && state.loaded < 1) return { text: "Loading the scene", share: state.loaded };
    if (status === undefined) return { text: state.isReady ? "Starting the scene" : "Loading the engine", share: undefined };
    if (goal === null || goal.tick <= status.tick) return undefined;
    return { text: `Playing on to ${(goal.tick / (state.scene?.rate_hz ?? 60)).toFixed(1)} s`, share: (status.tick - goal.from) / Math.max(1, goal.tick - goal.from) };
  });
  return (
    <Show when={share()}>{(it) => (
      <div id="progress" role="status"><span>{it().text}</span><Show when={it().share !== undefined} fallback={<progress aria-label={it().text} />}><progress aria-label={it().text} max="1" value={it().share ?? 0} /></Show></div>
    )}</Show>
  );
}

function Breakpoint(): JSX.Element {
  const studio = useStudio();
  const told = createMemo(() => {
    const hit = studio.state.status?.breakpoint ?? null;
    return hit === null ? undefined : `Breakpoint '${hit.node}', entered by ${hit.key === null ? "somebody" : studio.nameOf(hit.key)} in this tick.`;
  });
  return <Show when={told()}><p id="stopped" role="status">{told()}</p></Show>;
}

export function StageRoom(props: { drawing: (element: HTMLDivElement) => void }): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  const isOn = () => state.room === "stage";
  return (
    <section id="stage" aria-label="Stage" hidden={!isOn()}>
      <div class="slot" ref={(element) => props.drawing(element)} />
      <Show when={isOn()}>
        <Show when={state.band}>{(band) => <div id="band" style={{ left: `${band().x}px`, top: `${band().y}px`, width: `${band().wide}px`, height: `${band().high}px` }} />}</Show>
        <Show when={state.mode === "off"}><Cameras /><EyesightView /></Show>
        <Hud />
        <Gauges />
        <BannerView />
        <Show when={state.mode !== "off"}><PromptView /></Show>
        <div id="corner"><Show when={state.mode !== "off"}><SelectionView /><ScenePanels /></Show><MinimapView /></div>
        <Show when={state.mode === "live" && !studio.play.isFirstPerson}><button id="menu" aria-label="Menu" title="Menu (P)" onClick={() => studio.play.pause()}><Icon name="menu" /></button></Show>
        <PlayCard />
        <Show when={state.error}><p id="error" role="alert">{state.error}</p></Show>
        <Breakpoint />
        <Progress />
      </Show>
    </section>
  );
}
