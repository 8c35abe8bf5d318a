// The panel beside the stage: who is looked into, what is drawn, what the scene tells, its figures, its settings, its prose.

import { layers } from "virtual:catalog";
import { createMemo, For, Index, Show, type JSX } from "solid-js";
import type { Setting } from "../../pkg/sentir.js";
import { words, title } from "../model/format.js";
import { keysOf } from "../model/keymap.js";
import { settingOf } from "../model/link.js";
import { handed } from "../model/scene.js";
import { AgentView } from "./AgentView.js";
import { useStudio } from "./context.js";
import { Icon } from "./Icon.js";
import { ScenePanels, SelectionView } from "./Screen.js";
import { Pair, Section } from "./Section.js";

/** A box for each layer that the scene draws. */
function Layers(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  const drawn = createMemo(() => layers.filter(({ name }) => state.scene?.layers.includes(name)));
  return (
    <div id="layers" role="group" aria-label="Show">
      <For each={drawn()}>{({ name, title: about }, index) => (
        <label title={index() < 9 ? `${about} (${index() + 1})` : about}><input type="checkbox" checked={!state.hidden.includes(name)} onChange={() => studio.toggleLayer(name)} /> {name}</label>
      )}</For>
    </div>
  );
}

/** A field of a setting; a change starts the scene anew. */
function Field(props: { setting: Setting }): JSX.Element {
  const studio = useStudio();
  const value = () => settingOf(studio.state.changed, props.setting.name) ?? props.setting.stock;
  const change = (to: string) => studio.change(props.setting.name, to, props.setting.stock);
  const label = () => `${props.setting.name}: ${props.setting.about}`;
  const limits = () => props.setting.limits;
  const range = () => { const it = limits(); return it.kind === "choice" ? undefined : it; };
  const choice = () => { const it = limits(); return it.kind === "choice" ? it.words : []; };
  return (
    <>
      <dt title={props.setting.about}>{words(props.setting.name)}</dt>
      <dd>
        <Show when={range()} fallback={
          <select aria-label={label()} title={props.setting.about} onChange={(event) => change(event.currentTarget.value)}><For each={choice()}>{(word) => <option selected={word === value()}>{word}</option>}</For></select>
        }>{(it) => <input type="number" min={it().min} max={it().max} step={it().kind === "whole" ? "1" : "any"} aria-label={label()} title={props.setting.about} value={value()} onChange={(event) => change(event.currentTarget.value)} />}</Show>
      </dd>
    </>
  );
}

/** Figures of the moment. */
function Figures(): JSX.Element {
  const { state } = useStudio();
  return (
    <>
      <dl id="metrics">
        <Pair name="outcome">{state.figures?.ending ?? "goes on"}</Pair>
        <Index each={state.figures?.metrics ?? []}>{(metric) => <Pair name={words(metric().name)}>{metric().value === null ? "–" : metric().value!.toFixed(2)}</Pair>}</Index>
        <Pair name="tick">{String(state.figures?.tick ?? 0)}</Pair>
        <Pair name="hash">{state.hash ?? "while it stands"}</Pair>
      </dl>
    </>
  );
}

/** How it is played, and the button to it. */
function PlayIt(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  return (
    <Show when={state.scene?.controls}>{(controls) => (
      <button id="play-it" class="primary" onClick={() => studio.play.enter()} title={controls().sentence}><Icon name="play" /><span>{controls().mode === "first_person" ? "Play in first person" : controls().mode === "command" ? "Command it" : "Walk in it"}</span></button>
    )}</Show>
  );
}

function About(): JSX.Element {
  const { state } = useStudio();
  return (
    <>
      <p id="about">{state.scene?.about}</p>
      <Show when={state.scene?.controls}>{(controls) => (
        <>
          <p id="controls">{controls().opening}{handed(state)?.on === false ? ", once you play it" : ""}:</p>
          <dl class="keys"><For each={keysOf(controls().mode, controls().bindings)}>{(row) => <Pair name={row.keys}>{row.about}</Pair>}</For></dl>
        </>
      )}</Show>
      <Show when={(state.scene?.kinds.length ?? 0) > 0}><h3>Who is in it</h3><dl><For each={state.scene?.kinds ?? []}>{(kind) => <Pair name={title(kind.name)}>{kind.title}</Pair>}</For></dl></Show>
    </>
  );
}

export function Panel(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  return (
    <aside id="panel" aria-label="About the scene">
      <button id="fold" class="plain" aria-controls="panel-content" aria-expanded={studio.hasPanel} aria-label={studio.hasPanel ? "Fold the panel" : "Open the panel"} title="Fold or open the panel (H)" onClick={() => studio.setPanel(!studio.hasPanel)}>
        <Icon name={state.isSmall ? (studio.hasPanel ? "down" : "up") : studio.hasPanel ? "right" : "left"} /><span>{state.scene?.title ?? "Panel"}</span></button>
      <div id="panel-content" tabindex="-1">
        <h2 id="title">{state.scene?.title ?? "No such scene"}</h2>
        <PlayIt />
        <Section id="part-agent" title="Agent"><AgentView /></Section>
        <Show when={(state.play?.panels.length ?? 0) > 0 || (state.play?.selection.length ?? 0) > 0}><Section id="part-scene" title="Scene"><SelectionView /><ScenePanels /></Section></Show>
        <Show when={(state.scene?.layers.length ?? 0) > 0}><Section id="part-layers" title="Show"><Layers /></Section></Show>
        <Section id="part-figures" title="Figures" isOpen={false}><Figures /></Section>
        <Show when={(state.scene?.settings.length ?? 0) > 0}><Section id="settings" title="Settings" isOpen={false}><dl><For each={state.scene?.settings ?? []}>{(setting) => <Field setting={setting} />}</For></dl></Section></Show>
        <Section id="part-about" title="About" isOpen={false}><About /></Section>
        <button id="record" onClick={() => studio.record()}><Icon name="save" /><span>Save recording</span></button>
      </div>
    </aside>
  );
}
