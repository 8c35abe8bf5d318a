import type { JSX } from "solid-js";
import { useStudio } from "./context.js";

/** A part that folds, and remembers it. */
export function Section(props: { id: string; title: JSX.Element; isOpen?: boolean; class?: string; children: JSX.Element }): JSX.Element {
  const studio = useStudio();
  const stock = () => props.isOpen ?? true;
  return (
    <details id={props.id} class={props.class} open={studio.isOpen(props.id, stock())} onToggle={(event) => {
      // Also told when the page itself opens it at first.
      if (event.target === event.currentTarget && event.currentTarget.open !== studio.isOpen(props.id, stock())) studio.fold(props.id, event.currentTarget.open);
    }}>
      <summary>{props.title}</summary>
      <div class="inside">{props.children}</div>
    </details>
  );
}

/** Names and values; only what changed is written anew. */
export function Pair(props: { name: string; children: JSX.Element }): JSX.Element {
  return <><dt>{props.name}</dt><dd>{props.children}</dd></>;
}
