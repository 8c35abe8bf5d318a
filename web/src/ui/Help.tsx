import { createEffect, For, type JSX } from "solid-js";
import { HELP } from "../model/keymap.js";
import { useStudio } from "./context.js";

/** All keys, on `?`. */
export function Help(): JSX.Element {
  const studio = useStudio();
  let dialog!: HTMLDialogElement;
  createEffect(() => {
    if (studio.state.hasHelp && !dialog.open) { studio.play.pause(); dialog.showModal(); }
    if (!studio.state.hasHelp && dialog.open) dialog.close();
  });
  return (
    <dialog id="help" ref={dialog} aria-label="Keyboard help" onClose={() => studio.set("hasHelp", false)}>
      <h2>Keys</h2>
      <div class="columns">
        <For each={HELP}>{(part) => (
          <section><h3>{part.title}</h3><dl>
            <For each={part.keys}>{([keys, about]) => <><dt>{keys}</dt><dd>{about}</dd></>}</For>
          </dl></section>
        )}</For>
      </div>
      <p><kbd>?</kbd> opens this, <kbd>Tab</kbd> goes to the next control. The address of the page holds scene, seed, moment, selection, camera and settings.</p>
      <form method="dialog"><button autofocus>Close</button></form>
    </dialog>
  );
}
