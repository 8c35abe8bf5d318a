// Labels are text of the page, so that they stay sharp. Each stands over what it names; see place.ts for how they share the room.

import * as THREE from "three";
import type { LayerAbout, LayerName, Picture } from "../../pkg/sentir.js";
import type { Body } from "./body.js";
import { each } from "./picture.js";
import { placeLabels, type Taken, type Wish } from "./place.js";

const LABELS_MAX = 200;
/** How near to a body a label must be to be its name, m. */
const NAME_M = 1.3;
/** Labels of bodies farther than this are left out in 3D, in spans of what is looked at, and where one stands in the scene, m. */
const FAR_SPANS = 1.6, FAR_M = 40;
const HIGH_PX = 18;
/** Between a body, or its bar, and its name, px. */
const OVER_PX = 4;

interface Label { x: number; y: number; z: number; key: number | null; span: HTMLSpanElement; wide: number; text: string }

/** How a frame is seen. */
export interface Sight {
  camera: THREE.Camera; width: number; height: number; is3d: boolean; isPersonal: boolean; selected: number | null; eyes: number | null;
  /** Bodies as they are shown, and how high each is, m, with its bar. */
  bodies: readonly Body[]; highOf(body: Body): number;
  /** How wide what is looked at is, m. */
  span: number;
}

/** Which labels are shown: not those of hidden layers; of a scene whose figures stand beside the picture, no lines of figures; and where
 * pictures beside the level are left out, only what lies over it. */
export interface Choice { hidden: ReadonlySet<LayerName>; isTold: boolean; within: THREE.Box3 | null }

const isOver = ({ min, max }: THREE.Box3, x: number, z: number): boolean => x >= min.x && x <= max.x && z >= min.z && z <= max.z;

/** Whether a text is a line of figures, and not what a place or a body is called. */
export const isCaption = (text: string): boolean => text.length > 14 && /\d/.test(text) && text.includes(",");

export class Labels {
  private list: Label[] = [];
  private pen = document.createElement("canvas").getContext("2d");
  private widths = new Map<string, number>();

  constructor(private box: HTMLElement) { if (this.pen !== null) this.pen.font = "12px system-ui, sans-serif"; }

  private wide(text: string): number {
    if (this.widths.size > 2000) this.widths.clear();
    let wide = this.widths.get(text);
    if (wide === undefined) this.widths.set(text, wide = (this.pen?.measureText(text).width ?? text.length * 7) + 10);
    return wide;
  }

  take(picture: Picture, layers: readonly LayerAbout[], all: readonly Body[], { hidden, isTold, within }: Choice): void {
    const texts = picture.texts.split("\n");
    const taken = new Set<number>();
    const list: Omit<Label, "span">[] = [];
    each(picture, layers, "labels", ({ f, layer }, index) => {
      const text = texts[index] ?? "";
      if (list.length >= LABELS_MAX || text === "") return;
      const [x, y, z] = f as unknown as [number, number, number];
      let [best, key] = [NAME_M, null as number | null];
      // Scores of places and figures of cells name no body, however near one is.
      if (layer === "names" || layer === "bodies") {
        for (const one of all) {
          const far = Math.hypot(one.x - x, one.z - z) - one.radius * 0.5;
          if (far < best && !taken.has(one.key)) [best, key] = [far, one.key];
        }
      }
      if (key !== null) taken.add(key);
      if (key === null && ((isTold && isCaption(text)) || (within !== null && !isOver(within, x, z)))) return;
      if (!hidden.has(layer)) list.push({ x, y, z, key, wide: this.wide(text), text });
    });
    while (this.box.childElementCount > list.length) this.box.lastElementChild!.remove();
    while (this.box.childElementCount < list.length) this.box.append(document.createElement("span"));
    this.list = list.map((label, index) => {
      const span = this.box.children[index] as HTMLSpanElement;
      if (span.textContent !== label.text) span.textContent = label.text;
      return { ...label, span };
    });
  }

  clear(): void {
    this.list = [];
    this.box.replaceChildren();
  }

  draw(sight: Sight): void {
    if (this.list.length === 0) return;
    const { camera, width, height, is3d, selected, eyes } = sight;
    const at = new THREE.Vector3();
    const onPage = (x: number, y: number, z: number): readonly [number, number] => { at.set(x, y, z).project(camera); return [(at.x * 0.5 + 0.5) * width, (-at.y * 0.5 + 0.5) * height]; };
    const byKey = new Map(sight.bodies.map((body) => [body.key, body]));
    const isFar = (far: number): boolean => is3d && far > (sight.isPersonal ? FAR_M : Math.max(30, sight.span * FAR_SPANS));
    const wishes: Wish[] = [], shown: Label[] = [];
    const eye = camera.position;
    for (const label of this.list) {
      const body = label.key === null ? undefined : byKey.get(label.key);
      if (label.key !== null && (body === undefined || label.key === eyes)) continue;
      const [x, y, z] = body === undefined ? [label.x, label.y, label.z] : [body.x, body.y, body.z];
      const far = is3d ? Math.hypot(x - eye.x, y - eye.y, z - eye.z) : 0;
      const [px, py] = body === undefined ? onPage(x, y + (is3d ? 0.3 : 0), z) : is3d ? onPage(x, y + sight.highOf(body), z) : onPage(x, y, z - body.radius);
      const isThere = at.z < 1 && at.z > -1 && px > -80 && px < width + 80 && py > -20 && py < height + 40;
      if (!isThere || (isFar(far) && label.key !== selected)) continue;
      wishes.push({ x: px, y: body === undefined ? py + HIGH_PX / 2 : py - OVER_PX, wide: label.wide, high: HIGH_PX, rank: label.key !== null && label.key === selected ? -1 : far });
      shown.push(label);
    }
    const places = placeLabels(wishes, this.heads(sight, onPage, at));
    const visible = new Set<Label>();
    shown.forEach((label, index) => {
      const place = places[index];
      if (place === null || place === undefined) return;
      visible.add(label);
      label.span.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px) translate(-50%, -50%)`;
    });
    for (const label of this.list) {
      const visibility = visible.has(label) ? "visible" : "hidden";
      if (label.span.style.visibility !== visibility) label.span.style.visibility = visibility;
    }
  }

  /** The room that bodies take on the page: no name may cover one. */
  private heads({ bodies, is3d, highOf, eyes }: Sight, onPage: (x: number, y: number, z: number) => readonly [number, number], at: THREE.Vector3): Taken[] {
    // Among hundreds nobody is to be read one by one; names would be hidden by all the others.
    if (bodies.length > 60) return [];
    const taken: Taken[] = [];
    for (const body of bodies) {
      if (body.key === eyes) continue;
      const [x, y] = onPage(body.x, body.y, body.z);
      if (at.z > 1) continue;
      const [rx, ry] = onPage(body.x, body.y, body.z - body.radius);
      if (!is3d) { const half = Math.hypot(rx - x, ry - y); taken.push({ x, y, halfWide: half * 0.8, halfHigh: half * 0.8 }); continue; }
      const [, top] = onPage(body.x, body.y + highOf(body), body.z);
      const half = Math.abs(y - top) / 2;
      taken.push({ x, y: (y + top) / 2, halfWide: half * 0.3, halfHigh: half * 0.95 });
    }
    return taken;
  }
}
