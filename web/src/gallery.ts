// The gallery: every scene with its picture, what it shows and how it is played.

import type { SceneAbout } from "../pkg/sentir.js";
import { linkTo } from "./link.js";
import { one } from "./studio.js";

/** The pictures there are, by file name: put in by the build. */
declare const GALLERY: readonly string[];

function card(scene: SceneAbout): HTMLElement {
  const link = document.createElement("a");
  link.href = linkTo(scene.name, "7");
  link.className = "card";
  const file = GALLERY.find((name) => name.replace(/\.(png|webp)$/, "") === scene.name);
  const picture = document.createElement(file === undefined ? "div" : "img");
  picture.className = "picture";
  if (picture instanceof HTMLImageElement) Object.assign(picture, { src: `./gallery/${file}`, alt: "", width: 480, height: 300, loading: "lazy" });
  else picture.textContent = scene.name;
  const [name, title, about] = [document.createElement("h2"), document.createElement("p"), document.createElement("p")];
  name.textContent = scene.name;
  title.textContent = scene.title;
  about.textContent = scene.about;
  about.className = "soft clamped";
  link.append(picture, name, title, about);
  if (scene.controls) {
    const controls = document.createElement("p");
    controls.className = "plays clamped";
    controls.textContent = `Playable: ${scene.controls}`;
    controls.title = scene.controls;
    link.append(controls);
  }
  const item = document.createElement("li");
  item.append(link);
  item.dataset.words = [scene.name, scene.title, scene.about].join(" ").toLowerCase();
  return item;
}

/** Lists the scenes; the box above finds by any of their words. */
export function fillGallery(scenes: readonly SceneAbout[]): void {
  const [list, find, none] = [one("cards"), one<HTMLInputElement>("find"), one("none")];
  const cards = scenes.map(card);
  list.replaceChildren(...cards);
  find.oninput = () => {
    const words = find.value.toLowerCase().split(/\s+/);
    cards.forEach((item) => { item.hidden = !words.every((word) => item.dataset.words!.includes(word)); });
    none.hidden = cards.some((item) => !item.hidden);
  };
}
