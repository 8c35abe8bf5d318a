// Labels are text of the page, so that they stay sharp. Where they would cover each other, the less important give way:
// first who is selected, then the nearer ones.

import * as THREE from "three";
import type { LayerName, Picture } from "../pkg/sentir.js";
import type { Body } from "./agent.js";
import { BAR_SHARE } from "./crowd.js";
import { each } from "./frame.js";

const LABELS_MAX = 200;
/** How near to a body a label must be to be its name, m. */
const NAME_M = 1.3;
/** Labels farther than this are left out where one stands in the scene, m. */
const FAR_M = 60;
const HIGH_PX = 18;

interface Label { x: number; y: number; z: number; body: Body | undefined; span: HTMLSpanElement; wide: number; text: string }

export class Labels {
  private list: Label[] = [];
  private pen = document.createElement("canvas").getContext("2d")!;
  private widths = new Map<string, number>();

  constructor(private box: HTMLElement) { this.pen.font = "12px system-ui, sans-serif"; }

  private wide(text: string): number {
    if (this.widths.size > 2000) this.widths.clear();
    let wide = this.widths.get(text);
    if (wide === undefined) this.widths.set(text, wide = this.pen.measureText(text).width + 10);
    return wide;
  }

  take(picture: Picture, hidden: ReadonlySet<LayerName>, all: readonly Body[]): void {
    const texts = picture.texts.split("\n");
    const taken = new Set<number>();
    const list: Omit<Label, "span">[] = [];
    each(picture, "labels", ({ f, layer }, index) => {
      const text = texts[index] ?? "";
      if (list.length >= LABELS_MAX || text === "") return;
      const [x, y, z] = f as unknown as [number, number, number];
      let [best, body] = [NAME_M, undefined as Body | undefined];
      for (const one of all) {
        const far = Math.hypot(one.x - x, one.z - z) - one.radius * 0.5;
        if (far < best && !taken.has(one.key)) [best, body] = [far, one];
      }
      if (body !== undefined) taken.add(body.key);
      if (hidden.has(layer)) return;
      list.push({ x, y, z, body, wide: this.wide(text), text });
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

  draw(camera: THREE.Camera, width: number, height: number, is3d: boolean, selected: number | null, eyes: number | null): void {
    const at = new THREE.Vector3();
    const placed = this.list.map((label) => {
      if (is3d && label.body !== undefined) at.set(label.body.x, label.body.y + label.body.tall + 0.25, label.body.z);
      else at.set(label.x, label.y + (is3d ? 0.3 : 0), label.z);
      const far = is3d ? at.distanceTo(camera.position) : 0;
      at.project(camera);
      const isThere = at.z < 1 && at.z > -1 && Math.abs(at.x) < 1.1 && Math.abs(at.y) < 1.1 && !(eyes !== null && (label.body?.key === eyes || far > FAR_M));
      const rank = label.body?.key === selected && selected !== null ? -1 : far;
      const [x, y] = [(at.x * 0.5 + 0.5) * width, (-at.y * 0.5 + 0.5) * height];
      return { label, rank, isThere, x, y: label.body === undefined ? y : is3d ? y - height * BAR_SHARE * 1.6 - HIGH_PX * 0.6 : beside(y, label.body, label.z, camera, height) };
    });
    placed.sort((a, b) => a.rank - b.rank);
    const kept: { x: number; y: number; wide: number }[] = [];
    for (const { label, isThere, x, y } of placed) {
      const isFree = isThere && kept.every((other) => Math.abs(other.x - x) * 2 > other.wide + label.wide || Math.abs(other.y - y) > HIGH_PX);
      if (isFree) {
        kept.push({ x, y, wide: label.wide });
        label.span.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
      }
      const visibility = isFree ? "visible" : "hidden";
      if (label.span.style.visibility !== visibility) label.span.style.visibility = visibility;
    }
  }
}

/** The height on the page of a name seen from above, px: over or under its body, never on it, however small that is. */
function beside(y: number, body: Body, z: number, camera: THREE.Camera, height: number): number {
  const px = (at: number) => (-new THREE.Vector3(body.x, body.y, at).project(camera).y * 0.5 + 0.5) * height;
  const middle = px(body.z);
  const least = px(body.z + body.radius) - middle + HIGH_PX * 0.6;
  return z < body.z ? Math.min(y, middle - least) : Math.max(y, middle + least);
}
