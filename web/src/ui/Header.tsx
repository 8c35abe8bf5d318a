import { For, Show, type JSX } from "solid-js";
import { writeLink } from "../model/link.js";
import { useStudio } from "./context.js";
import { Icon } from "./Icon.js";

/** The head of the page: where one is, and which scene and seed. */
export function Header(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  return (
    <header>
      <h1><a href="#">sentir <span>studio</span></a></h1>
      <Show when={state.room === "stage"}>
        <div id="scene-controls" role="group" aria-label="Scene">
          <a class="button" id="to-gallery" href="#"><Icon name="grid" /><span>Scenes</span></a>
          <select id="scene" aria-label="Scene" value={state.scene?.name ?? ""}
            onChange={(event) => studio.go(writeLink({ scene: event.currentTarget.value, seed: state.seed }))}>
            <For each={state.families}>{(family) => (
              <optgroup label={family.name}>
                <For each={family.scenes}>{(scene) => <option value={scene.name} selected={scene.name === state.scene?.name}>{scene.title}</option>}</For>
              </optgroup>
            )}</For>
          </select>
          <label><span>Seed</span> <input id="seed" inputmode="numeric" pattern="[0-9]*" size="6" aria-label="Seed" value={state.seed}
            onChange={(event) => studio.restart(event.currentTarget.value.trim(), state.changed)} /></label>
        </div>
      </Show>
      <button id="help-open" class="plain" aria-label="Keyboard help" title="Keyboard help (?)" onClick={() => studio.set("hasHelp", true)}><Icon name="help" /></button>
    </header>
  );
}
