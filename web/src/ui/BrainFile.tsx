// The file of the selected agent's brain: its text, to be changed while it thinks. What is refused is told at its line, and the
// old brain goes on.

import { createEffect, createSignal, Index, on, Show, type JSX } from "solid-js";
import { useStudio } from "./context.js";
import { Section } from "./Section.js";

/** How high a line is, as the style has it. */
const LINE_PX = 18;

export function BrainFile(): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  let area!: HTMLTextAreaElement;
  let lines!: HTMLPreElement;
  /** The text as it is written; what the engine has is in the store. */
  const [text, setText] = createSignal("");
  const [base, setBase] = createSignal<{ name: string | null; text: string }>({ name: null, text: "" });
  // Changes that were not applied yet are kept while it is the same file.
  createEffect(on(() => [state.file.name, state.file.text] as const, ([name, now]) => {
    const isKept = name === base().name && text() !== base().text;
    setBase({ name, text: now });
    if (!isKept) setText(now);
  }));
  const bad = () => state.edited.line;
  createEffect(() => { if (bad() > 0) area.scrollTop = (bad() - 1) * LINE_PX - area.clientHeight / 2; });
  const count = () => text().split("\n").length;
  const clear = () => studio.set("edited", { text: "", isRefused: false, line: 0 });
  const apply = () => { const { name } = state.file; if (name !== null) studio.edit(name, text()); };
  return (
    <Show when={state.file.name !== null}>
      <Section id="brain-file" title="Brain file" isOpen={false}>
        <p class="soft"><code id="file-name">{state.file.name}</code> Edit it and apply: who thinks by it goes on where it was.</p>
        <div id="editor">
          <pre id="lines" ref={lines} aria-hidden="true"><Index each={Array.from({ length: count() })}>{(_, at) => <span classList={{ bad: at + 1 === bad() }}>{at + 1}</span>}</Index></pre>
          <textarea id="file-text" ref={area} wrap="off" spellcheck={false} autocapitalize="off" autocomplete="off" aria-label="Text of the brain file" aria-describedby="file-said" aria-invalid={bad() > 0}
            class={bad() > 0 ? "bad" : ""} style={{ "--bad": String(bad()) }} value={text()}
            onInput={(event) => { setText(event.currentTarget.value); if (bad() > 0) clear(); }} onScroll={() => { lines.scrollTop = area.scrollTop; }}
            onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); apply(); } }} />
        </div>
        <div class="row"><button id="file-apply" title="Ctrl+Enter" onClick={apply}>Apply</button>
          <button id="file-revert" disabled={text() === base().text} onClick={() => { setText(base().text); clear(); }}>Undo changes</button></div>
        <p id="file-said" role="status" classList={{ refused: state.edited.isRefused }}>{state.edited.text}</p>
      </Section>
    </Show>
  );
}
