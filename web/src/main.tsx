// The page begins: one store, one model, handed down to the components.

import { families, layers } from "virtual:catalog";
import { render } from "solid-js/web";
import { makeStore } from "./model/store.js";
import { Studio } from "./model/studio.js";
import { Page } from "./ui/Page.js";
import "./style.css";
import "./ui/stage.css";
import "./play/play.css";

/** Where the browser keeps what was set; none where it does not let us. */
function keeper(): Storage | undefined {
  try { return localStorage; } catch { return undefined; }
}

const drawing = Object.assign(document.createElement("div"), { className: "drawing" });
const canvas = Object.assign(document.createElement("canvas"), { id: "view", tabIndex: 0 });
canvas.setAttribute("aria-label", "The scene; arrow keys, plus and minus or the mouse move the camera");
canvas.setAttribute("role", "application");
const labels = Object.assign(document.createElement("div"), { id: "labels" });
labels.setAttribute("aria-hidden", "true");
drawing.append(canvas, labels);

const store = makeStore(families, layers.filter(({ is_shown }) => !is_shown).map(({ name }) => name), keeper());
const studio = new Studio(store, keeper(), canvas, labels);
render(() => <Page studio={studio} drawing={drawing} />, document.body);
studio.begin();
