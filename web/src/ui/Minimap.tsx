// The small map: the ground as the scene paints it, everybody as a dot, what is seen as a frame. A press moves the camera; the
// right button sends whom a commander has selected.

import { createEffect, onMount, Show, type JSX } from "solid-js";
import { bodies } from "../agent.js";
import type { Minimap } from "../contract.js";
import { binds } from "../model/scene.js";
import { useStudio } from "./context.js";

/** Colors of teams where the picture has none of their own. */
const TEAMS = ["#3f7fbf", "#c2503f", "#4f9a56", "#b9892f", "#8a63b3", "#3c9a9a"];
/** How big it is drawn, px of its longer side. */
const SIDE_PX = 176;

/** The map in cells as a picture. */
function ground(map: Minimap): OffscreenCanvas {
  const small = new OffscreenCanvas(map.cells_across, map.cells_down);
  const cells = new Uint8ClampedArray(map.cells.buffer as ArrayBuffer, map.cells.byteOffset, map.cells.length);
  small.getContext("2d")!.putImageData(new ImageData(cells, map.cells_across, map.cells_down), 0, 0);
  return small;
}

function MapCanvas(props: { map: Minimap }): JSX.Element {
  const studio = useStudio();
  const { state } = studio;
  let canvas!: HTMLCanvasElement;
  const scale = () => SIDE_PX / Math.max(props.map.width, props.map.height);
  const size = () => [Math.round(props.map.width * scale()), Math.round(props.map.height * scale())] as const;
  /** A place of the ground (x and -z) on the map, and back. */
  const toMap = (x: number, north: number) => [(x - props.map.x) * scale(), size()[1] - (north - props.map.y) * scale()] as const;
  const fromMap = (event: MouseEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [props.map.x + ((event.clientX - box.left) / box.width) * props.map.width, props.map.y + ((box.bottom - event.clientY) / box.height) * props.map.height];
  };
  const draw = () => {
    const pen = canvas.getContext("2d")!;
    const [wide, high] = size();
    pen.imageSmoothingEnabled = false;
    pen.clearRect(0, 0, wide, high);
    if (props.map.cells.length > 0) pen.drawImage(ground(props.map), 0, 0, wide, high);
    const chosen = new Set(state.play?.selection ?? []);
    const places: string[] = [];
    for (const body of bodies(studio.agents)) {
      const [x, y] = toMap(body.x, -body.z);
      if (chosen.has(body.key)) places.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
      const radius = Math.max(1.6, Math.min(4, body.radius * scale()));
      pen.beginPath();
      pen.arc(x, y, radius + (chosen.has(body.key) ? 1.4 : 0), 0, 2 * Math.PI);
      pen.fillStyle = chosen.has(body.key) ? "#ffffff" : studio.colorOf(body.key) ?? TEAMS[body.team % TEAMS.length]!;
      pen.fill();
      if (chosen.has(body.key)) { pen.beginPath(); pen.arc(x, y, radius, 0, 2 * Math.PI); pen.fillStyle = studio.colorOf(body.key) ?? TEAMS[body.team % TEAMS.length]!; pen.fill(); }
    }
    canvas.dataset.chosen = places.join(";");
    frame(pen);
  };
  /** What the camera sees, or where it stands. */
  const frame = (pen: CanvasRenderingContext2D) => {
    const { cameras } = studio.stage;
    canvas.dataset.middle = cameras.middle.map((value) => value.toFixed(2)).join(" ");
    const path = new Path2D();
    if (cameras.isPersonal) {
      const { x, z } = cameras.active.position;
      const [a, b] = toMap(x, -z);
      path.arc(a, b, 4, 0, 2 * Math.PI);
      path.moveTo(a, b);
      path.lineTo(a - Math.sin(cameras.heading) * 11, b - Math.cos(cameras.heading) * 11);
    } else {
      const [[x, north], wide] = [cameras.middle, cameras.span * scale()];
      const [a, b] = toMap(x, north);
      const high = wide * (studio.canvas.clientHeight / Math.max(1, studio.canvas.clientWidth));
      path.rect(a - wide / 2, b - high / 2, wide, high);
    }
    for (const [style, width] of [["rgb(0 0 0 / 0.7)", 3], ["#fff", 1.4]] as const) {
      [pen.strokeStyle, pen.lineWidth] = [style, width];
      pen.stroke(path);
    }
  };
  onMount(() => createEffect(() => { void state.status; void state.view; draw(); }));
  const go = (event: PointerEvent) => {
    if ((event.buttons & 1) === 0) return;
    studio.stage.cameras.goTo(...fromMap(event));
    studio.stage.render();
    draw();
  };
  const key = (event: KeyboardEvent) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const { cameras } = studio.stage;
    cameras.goTo(cameras.middle[0] + way[0]! * cameras.span * 0.1, cameras.middle[1] + way[1]! * cameras.span * 0.1);
    studio.stage.render();
    draw();
  };
  return (
    <canvas id="minimap" ref={canvas} width={size()[0]} height={size()[1]} tabindex="0" role="application" aria-label="Small map: arrow keys or a press move the camera"
      onPointerDown={go} onPointerMove={go} onKeyDown={key}
      onContextMenu={(event) => { event.preventDefault(); if (studio.isCommand && binds(state, "send", "use")) studio.hand.send(fromMap(event)); }} />
  );
}

export function MinimapView(): JSX.Element {
  const { state } = useStudio();
  return <Show when={state.play?.minimap}>{(map) => <MapCanvas map={map()} />}</Show>;
}
