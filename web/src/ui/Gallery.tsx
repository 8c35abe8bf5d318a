// The gallery: a scene that plays by itself, and every scene by family with its picture and what it shows.

import { pictures } from "virtual:catalog";
import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show, type JSX } from "solid-js";
import type { Family, Scene } from "../contract.js";
import { writeLink } from "../model/link.js";
import { heroOf, isFound, wordsOf } from "../model/scene.js";
import { title } from "../model/format.js";
import { useStudio } from "./context.js";
import { Icon } from "./Icon.js";

const MODES = { first_person: "play in first person", walk: "walk in it", command: "command it" } as const;
const still = (scene: Scene): string | undefined => pictures.find((name) => name === `${scene.name}.png` || name === `${scene.name}.webp`);
const film = (scene: Scene): string | undefined => pictures.find((name) => name.startsWith(`${scene.name}.film.`));

/** A picture that moves while one points at its card. */
function Picture(props: { scene: Scene; isMoving: boolean }): JSX.Element {
  return (
    <Show when={still(props.scene)} fallback={<div class="picture">{props.scene.title}</div>}>
      {(file) => <span class="picture">
        <img src={`./gallery/${file()}`} alt="" width="480" height="300" loading="lazy" />
        <Show when={props.isMoving ? film(props.scene) : undefined}>{(moving) => <img class="film" src={`./gallery/${moving()}`} alt="" width="480" height="300" />}</Show>
      </span>}
    </Show>
  );
}

function Card(props: { scene: Scene }): JSX.Element {
  const [isMoving, setMoving] = createSignal(false);
  const move = (on: boolean) => setMoving(on && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  return (
    <a class="card" href={writeLink({ scene: props.scene.name })} data-scene={props.scene.name}
      onPointerEnter={() => move(true)} onPointerLeave={() => move(false)} onFocus={() => move(true)} onBlur={() => move(false)}>
      <Picture scene={props.scene} isMoving={isMoving()} />
      <h3>{props.scene.title}</h3>
      <p class="soft clamped">{props.scene.about}</p>
      <Show when={props.scene.controls}>{(controls) => <p class="plays"><Icon name="play" /> You can {MODES[controls().mode]}</p>}</Show>
    </a>
  );
}

/** Plays while it is seen, and not for who asked for less motion. */
function Hero(props: { slot: (element: HTMLDivElement) => void; scene: Scene }): JSX.Element {
  const studio = useStudio();
  let box!: HTMLDivElement;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const [isSeen, setSeen] = createSignal(false);
  const [isShown, setShown] = createSignal(!document.hidden);
  const [isCalm, setCalm] = createSignal(calm.matches);
  onMount(() => {
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false), { threshold: 0.1 });
    observer.observe(box);
    const shown = () => setShown(!document.hidden);
    const changed = () => setCalm(calm.matches);
    document.addEventListener("visibilitychange", shown);
    calm.addEventListener("change", changed);
    onCleanup(() => { observer.disconnect(); document.removeEventListener("visibilitychange", shown); calm.removeEventListener("change", changed); });
  });
  createEffect(() => { if (studio.state.room === "gallery") void studio.hero(isSeen() && isShown() && !isCalm() && studio.state.isReady); });
  return (
    <section id="hero" aria-label={props.scene.title} ref={box}>
      <div class="screen" classList={{ live: studio.state.room === "gallery" && studio.state.status !== undefined && !isCalm() }}>
        <Show when={still(props.scene)}>{(file) => <img src={`./gallery/${file()}`} alt="" width="480" height="300" />}</Show>
        <div class="slot" ref={(element) => props.slot(element)} inert aria-hidden="true" />
      </div>
      <div class="words">
        <p class="lead">Game characters with minds of their own.</p>
        <p class="soft">Watch a scene, stop it, go back, look into a head, fork it and compare. Or take part.</p>
        <p class="soft">{props.scene.title}: {props.scene.about}</p>
        <p class="row"><a class="button primary" href={writeLink({ scene: props.scene.name })}>Watch it</a>
          <a class="button" id="hero-play" href={writeLink({ scene: props.scene.name, isPlay: true, view: "eyes", settings: props.scene.controls?.setting ? [`${props.scene.controls.setting.name}=${props.scene.controls.setting.value}`] : [] })}>Play it</a></p>
      </div>
    </section>
  );
}

function FamilyPart(props: { family: Family; wanted: string }): JSX.Element {
  const found = createMemo(() => props.family.scenes.map((scene) => ({ scene, words: wordsOf(scene, props.family) })).filter(({ words }) => isFound(words, props.wanted)).map(({ scene }) => scene));
  return (
    <Show when={found().length > 0}>
      <section class="family" id={`family-${props.family.name}`} aria-label={title(props.family.name)}>
        <h2>{title(props.family.name)}</h2>
        <p class="soft">{props.family.about}</p>
        <ul class="cards"><For each={found()}>{(scene) => <li><Card scene={scene} /></li>}</For></ul>
      </section>
    </Show>
  );
}

export function Gallery(props: { hero: (element: HTMLDivElement) => void }): JSX.Element {
  const { state } = useStudio();
  const [wanted, setWanted] = createSignal("");
  const hero = heroOf(state.families);
  const isAny = createMemo(() => state.families.some((family) => family.scenes.some((scene) => isFound(wordsOf(scene, family), wanted()))));
  return (
    <section id="gallery" aria-label="Scenes" hidden={state.room !== "gallery"} tabindex="-1">
      <Show when={hero} fallback={<div hidden ref={(element) => props.hero(element)} />}>{(scene) => <Hero slot={props.hero} scene={scene()} />}</Show>
      <div id="greeting">
        <nav aria-label="Families"><For each={state.families}>{(family) => (
          <button class="chip" onClick={() => document.getElementById(`family-${family.name}`)?.scrollIntoView({ block: "start" })}>{title(family.name)}</button>
        )}</For></nav>
        <label class="find"><Icon name="search" /><span class="unseen">Find a scene</span>
          <input id="find" type="search" placeholder="Find: guards, flock, playable …" onInput={(event) => setWanted(event.currentTarget.value)} /></label>
      </div>
      <div id="cards"><For each={state.families}>{(family) => <FamilyPart family={family} wanted={wanted()} />}</For></div>
      <Show when={!isAny()}><p id="none" role="status">No scene has all these words.</p></Show>
    </section>
  );
}
