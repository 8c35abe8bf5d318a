// Reads the flat picture of the package: see crates/web/README.md.

import type { LayerAbout, LayerName, Picture } from "../../pkg/sentir.js";

/** The kinds of shapes, in the order of the head, with their floats and words. */
export const KINDS = {
  lines: [7, 3], arrows: [7, 3], circles: [5, 3], sectors: [6, 3], polygons: [0, 5], labels: [3, 3], heats: [4, 6], prisms: [1, 5],
} as const;
export type Kind = keyof typeof KINDS;
const ORDER = Object.keys(KINDS);

/** One shape: its own floats and words, and what all shapes have. */
export interface Shape { f: Float32Array; w: Uint32Array; color: number; alpha: number; layer: LayerName; place: number; kind: Kind }

/** Calls `visit` with each shape of a kind, back to front; `layers` are in the order that pictures count them. */
export function each(picture: Picture, layers: readonly LayerAbout[], kind: Kind, visit: (shape: Shape, index: number) => void): void {
  const number = ORDER.indexOf(kind) * 3;
  // The words of the first kind begin where the head ends: a package that does not know a kind has none of it.
  if (number >= picture.words[1]!) return;
  const [floats, words] = KINDS[kind];
  const [fromFloat, fromWord, count] = [picture.words[number]!, picture.words[number + 1]!, picture.words[number + 2]!];
  for (let index = 0; index < count; index += 1) {
    const w = picture.words.subarray(fromWord + index * words, fromWord + (index + 1) * words);
    const f = picture.floats.subarray(fromFloat + index * floats, fromFloat + (index + 1) * floats);
    visit({ f, w, color: w[0]! >>> 8, alpha: (w[0]! & 255) / 255, layer: layers[w[1]!]?.name ?? "other", place: w[2]!, kind }, index);
  }
}

/** Whether a shape is solid ground or wall, which stays from moment to moment, rather than a mark on it. */
export function isSolid({ kind, layer, alpha }: Shape): boolean {
  return layer === "level" && alpha === 1 && (kind === "polygons" || kind === "prisms" || kind === "heats");
}

/** Whether a shape is part of a picture of what eyes see, for films that have nothing else to show it: here it has views of its own.
 * What is seen of the ground is translucent. */
export function isInset({ kind, layer, alpha }: Shape): boolean {
  return layer === "senses" && alpha === 1 && (kind === "polygons" || kind === "heats");
}

/** Numbers of a shape that lie elsewhere in the floats: corners, or values of cells. */
export function spanOf({ kind, w }: Shape): readonly [first: number, count: number] {
  if (kind === "heats") return [w[3]!, w[4]! * w[5]!];
  return kind === "polygons" || kind === "prisms" ? [w[3]!, w[4]! * 3] : [0, 0];
}
