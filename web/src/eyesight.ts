// What the selected agent sees, if it sees by synthetic vision: its three views beside the stage, with its target and the way
// there drawn on top.

import type { EyeMark, EyePicture, Eyesight } from "../pkg/sentir.js";
import { one } from "./studio.js";

/** Pixels on the screen for each of the eye's, so that marks are finer than what they are drawn on. */
const SCALE = 2;
const ABOUT: Record<string, string> = { static: "what is there", depth: "how far: near is bright", dynamic: "how it moves" };

function canvasOf(box: HTMLElement, { name, width, height }: EyePicture): HTMLCanvasElement {
  const old = box.querySelector<HTMLCanvasElement>(`canvas[data-view="${name}"]`);
  if (old !== null) return old;
  const [figure, canvas, caption] = [document.createElement("figure"), document.createElement("canvas"), document.createElement("figcaption")];
  Object.assign(canvas, { width: width * SCALE, height: height * SCALE });
  canvas.dataset.view = name;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${name} view: ${ABOUT[name] ?? name}`);
  caption.textContent = `${name}: ${ABOUT[name] ?? ""}`;
  figure.append(canvas, caption);
  box.append(figure);
  return canvas;
}

/** A place is a ring with a dot, a line is a line; dark below and light on top, so that they show on every color. */
function draw(pen: CanvasRenderingContext2D, { points }: EyeMark): void {
  const path = new Path2D();
  if (points.length === 2) {
    const [x, y] = [points[0]! * SCALE, points[1]! * SCALE];
    path.arc(x, y, 7, 0, 2 * Math.PI);
    path.moveTo(x + 1.5, y);
    path.arc(x, y, 1.5, 0, 2 * Math.PI);
  } else {
    for (let at = 0; at < points.length; at += 2) path.lineTo(points[at]! * SCALE, points[at + 1]! * SCALE);
  }
  for (const [style, width] of [["#000", 5], ["#fff", 2.5]] as const) {
    [pen.strokeStyle, pen.lineWidth] = [style, width];
    pen.stroke(path);
  }
}

function paint(canvas: HTMLCanvasElement, { width, height, rgba }: EyePicture, marks: readonly EyeMark[]): void {
  const small = new OffscreenCanvas(width, height);
  small.getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(rgba.buffer as ArrayBuffer, rgba.byteOffset, rgba.length), width, height), 0, 0);
  Object.assign(canvas, { width: width * SCALE, height: height * SCALE });
  const pen = canvas.getContext("2d")!;
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, 0, 0, canvas.width, canvas.height);
  marks.forEach((mark) => draw(pen, mark));
}

/** Shows what is seen, or nothing for who does not see so. */
export function showEyesight(sight: Eyesight | null): void {
  const box = one("eyesight");
  box.hidden = sight === null;
  if (sight === null) return box.replaceChildren();
  for (const picture of sight.pictures) paint(canvasOf(box, picture), picture, sight.marks);
}
