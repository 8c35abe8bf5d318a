// What the selected agent sees, if it sees by synthetic vision: its views beside the stage, with its target and the way there
// drawn on top.

import { createEffect, Index, onMount, Show, type JSX } from "solid-js";
import type { EyeMark, EyePicture } from "../../pkg/sentir.js";
import { useStudio } from "./context.js";

/** Pixels on the screen for each of the eye's, so that marks are finer than what they are drawn on. */
const SCALE = 2;
const ABOUT: Record<string, string> = { static: "what is there", depth: "how far: near is bright", dynamic: "how it moves" };

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

function View(props: { picture: EyePicture; marks: readonly EyeMark[] }): JSX.Element {
  let canvas!: HTMLCanvasElement;
  onMount(() => createEffect(() => paint(canvas, props.picture, props.marks)));
  const about = () => ABOUT[props.picture.name] ?? "";
  return (
    <figure><canvas ref={canvas} data-view={props.picture.name} role="img" aria-label={`${props.picture.name} view: ${about()}`} /><figcaption>{props.picture.name}: {about()}</figcaption></figure>
  );
}

export function EyesightView(): JSX.Element {
  const { state } = useStudio();
  return (
    <Show when={state.sight}>
      <div id="eyesight" role="group" aria-label="What the selected agent sees">
        <Index each={state.sight?.pictures ?? []}>{(picture) => <View picture={picture()} marks={state.sight?.marks ?? []} />}</Index>
      </div>
    </Show>
  );
}
