// The gallery: every scene with its picture, what it shows and how it is played.

import type { FamilyAbout, SceneAbout } from "../pkg/sentir.js";
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
  const [name, title, about] = [document.createElement("h3"), document.createElement("p"), document.createElement("p")];
  name.textContent = scene.name;
  title.textContent = scene.title;
  about.textContent = scene.about;
  about.className = "soft clamped";
  link.append(picture, name, title, about);
  if (scene.controls !== null) {
    const controls = document.createElement("p");
    controls.className = "plays clamped";
    controls.textContent = `Playable. ${scene.controls.sentence}`;
    controls.title = scene.controls.sentence;
    link.append(controls);
  }
  const item = document.createElement("li");
  item.append(link);
  item.dataset.words = [scene.name, scene.title, scene.about].join(" ").toLowerCase();
  return item;
}

/** The head of a family, over its cards. */
function head({ name, about }: FamilyAbout): HTMLElement {
  const [item, title, text] = [document.createElement("li"), document.createElement("h2"), document.createElement("p")];
  item.className = "family";
  title.textContent = name;
  text.textContent = about;
  text.className = "soft";
  item.append(title, text);
  return item;
}

/** Lists the scenes by family; the box above finds by any of their words, those of the family included. */
export function fillGallery(families: readonly FamilyAbout[]): void {
  const [list, find, none] = [one("cards"), one<HTMLInputElement>("find"), one("none")];
  const parts = families.map((family) => ({ head: head(family), words: `${family.name} ${family.about}`.toLowerCase(), cards: family.scenes.map(card) }));
  list.replaceChildren(...parts.flatMap((part) => [part.head, ...part.cards]));
  find.oninput = () => {
    const wanted = find.value.toLowerCase().split(/\s+/);
    for (const { head, words, cards } of parts) {
      cards.forEach((item) => { item.hidden = !wanted.every((word) => item.dataset.words!.includes(word) || words.includes(word)); });
      head.hidden = cards.every((item) => item.hidden);
    }
    none.hidden = parts.some((part) => !part.head.hidden);
  };
}
