// What the scene tells beside its picture, as data: gauges at their places, prompt, banner, panels with rows and buttons, who is
// selected. The page knows none of them by name.

import { createMemo, For, Index, Show, type JSX } from "solid-js";
import type { PanelRow, Place } from "../contract.js";
import { useStudio } from "./context.js";

const PLACES: readonly Place[] = ["top_left", "top_center", "top_right", "bottom_left", "bottom_right"];

/** How full something is. */
function Bar(props: { share: number | null; tone: string; name: string }): JSX.Element {
  return (
    <Show when={props.share !== null}>
      <span class={`bar ${props.tone}`} role="meter" aria-label={props.name} aria-valuemin="0" aria-valuemax="1" aria-valuenow={Number((props.share ?? 0).toFixed(2))} style={{ "--share": `${Math.round((props.share ?? 0) * 1000) / 10}%` }} />
    </Show>
  );
}

export function Gauges(): JSX.Element {
  const { state } = useStudio();
  const at = (place: Place) => state.play?.gauges.filter((gauge) => gauge.place === place) ?? [];
  return (
    <For each={PLACES}>{(place) => (
      <Show when={at(place).length > 0}>
        <div class={`gauges ${place.replace("_", "-")}`} role="group" aria-label="Figures of the scene">
          <Index each={at(place)}>{(gauge) => (
            <p class={`gauge ${gauge().tone}`}><span class="name">{gauge().name}</span> <span class="text">{gauge().text}</span><Bar share={gauge().share} tone={gauge().tone} name={gauge().name} /></p>
          )}</Index>
        </div>
      </Show>
    )}</For>
  );
}

export function PromptView(): JSX.Element {
  const { state } = useStudio();
  return <Show when={state.play?.prompt}>{(prompt) => <p id="prompt" role="status"><kbd>{prompt().key}</kbd> {prompt().text}</p>}</Show>;
}

export function BannerView(): JSX.Element {
  const { state } = useStudio();
  const banner = createMemo(() => {
    const found = state.play?.banner ?? null;
    return found !== null && (state.status?.tick ?? 0) <= found.until_tick ? found : undefined;
  });
  return (
    <Show when={banner()}>{(it) => (
      <div id="banner" role="status" class={it().tone}><strong>{it().text}</strong><Show when={it().detail}><span>{it().detail}</span></Show></div>
    )}</Show>
  );
}

function Row(props: { row: PanelRow }): JSX.Element {
  return <div class={`row-line ${props.row.tone}`}><dt>{props.row.name}</dt><dd>{props.row.text}<Bar share={props.row.share} tone={props.row.tone} name={props.row.name} /></dd></div>;
}

/** The boxes of the scene. A button is an input: it is recorded, replayed and can be forked. */
export function ScenePanels(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  return (
    <For each={state.play?.panels ?? []}>{(panel) => (
      <section class="scene-panel" data-panel={panel.id} aria-label={panel.title} tabindex="0">
        <h3>{panel.title}</h3>
        <Show when={panel.rows.length > 0}><dl><Index each={panel.rows}>{(row) => <Row row={row()} />}</Index></dl></Show>
        <Show when={panel.buttons.length > 0}>
          <div class="buttons" role="group" aria-label={panel.title}>
            <For each={panel.buttons}>{(button) => (
              <button data-button={button.id} aria-pressed={button.is_on} disabled={!button.is_enabled} title={button.about} onClick={() => studio.hand.press(button.id)}>{button.text}</button>
            )}</For>
          </div>
        </Show>
      </section>
    )}</For>
  );
}

/** Whom a commander has selected, by name and how many of each. */
export function SelectionView(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  const groups = createMemo(() => {
    const counts = new Map<string, { count: number; key: number }>();
    for (const key of state.play?.selection ?? []) {
      const name = studio.kindOf(key);
      const found = counts.get(name);
      if (found === undefined) counts.set(name, { count: 1, key }); else found.count += 1;
    }
    return [...counts].map(([name, { count, key }]) => (count === 1 ? studio.nameOf(key) : `${count} × ${name}`));
  });
  const kept = createMemo(() => Object.entries(state.groups).filter(([, keys]) => keys.length > 0));
  return (
    <Show when={studio.isCommand && (groups().length > 0 || kept().length > 0)}>
      <section id="selection" class="scene-panel" aria-label="Selected" tabindex="0">
        <h3>Selected</h3>
        <p role="status">{groups().join(", ") || "Nobody"}</p>
        <Show when={kept().length > 0}><div class="buttons" role="group" aria-label="Groups">
          <For each={kept()}>{([number, keys]) => <button title={`Group ${number}: select it (${number})`} onClick={() => studio.hand.regroup(keys)}>{number}: {keys.length}</button>}</For>
        </div></Show>
      </section>
    </Show>
  );
}
