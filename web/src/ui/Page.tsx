// The page: a gallery or a stage, with what belongs to it.

import { createEffect, onMount, Show, type JSX } from "solid-js";
import type { Studio } from "../model/studio.js";
import { StudioContext } from "./context.js";
import { ForkBar } from "./ForkBar.js";
import { Gallery } from "./Gallery.js";
import { Header } from "./Header.js";
import { Help } from "./Help.js";
import { Panel } from "./Panel.js";
import { StageRoom } from "./StageRoom.js";
import { TimeBar } from "./TimeBar.js";

/** The drawing of the stage is one element: it moves between the top of the gallery and the stage. */
export function Page(props: { studio: Studio; drawing: HTMLElement }): JSX.Element {
  let hero!: HTMLDivElement;
  let stage!: HTMLDivElement;
  // The model and the drawing are made once, before the page.
  const { studio, drawing } = props;
  onMount(() => createEffect(() => (studio.state.room === "gallery" ? hero : stage).append(drawing)));
  createEffect(() => document.body.classList.toggle("folded", !studio.hasPanel));
  return (
    <StudioContext.Provider value={studio}>
      <Header />
      <main>
        <Gallery hero={(element) => { hero = element; }} />
        <StageRoom drawing={(element) => { stage = element; }} />
        <Show when={studio.state.room === "stage"}><Panel /></Show>
      </main>
      <Show when={studio.state.room === "stage" && studio.state.fork !== null}><ForkBar /></Show>
      <Show when={studio.state.room === "stage"}><TimeBar /></Show>
      <Help />
    </StudioContext.Provider>
  );
}
