// Colors of the draw list on a light or a dark page. The list is made for light paper; on a dark page the grays and
// beiges change sides (floors get dark, ink gets light) and what has a color of its own keeps its hue.

import * as THREE from "three";

/** Below this difference of the strongest and weakest part a color counts as gray. */
const GRAY_CHROMA = 0.22;
/** How light solids are at night: at least, and the share that is left of theirs. */
const NIGHT_FLOOR = 0.07, NIGHT_SHARE = 0.33;

// Tests without a browser have no page to be dark.
const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : { matches: false, addEventListener: () => undefined } as unknown as MediaQueryList;
const known = new Map<number, readonly [number, number, number]>();
dark.addEventListener("change", () => known.clear());

/** Calls back when the page turns dark or light. */
export function onTone(then: () => void): void {
  dark.addEventListener("change", then);
}

/** Whether the page is dark. */
export const isDark = (): boolean => dark.matches;

/** The color of a solid, linear: on a dark page it is night, and nothing changes sides. */
export function solidTone(hex: number): readonly [number, number, number] {
  const color = new THREE.Color(hex);
  if (dark.matches) {
    const { h, s, l } = color.getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
    color.setHSL(h, s * 0.75, NIGHT_FLOOR + NIGHT_SHARE * l, THREE.SRGBColorSpace);
  }
  return [color.r, color.g, color.b];
}

/** A color of the draw list as three.js likes it, linear. */
export function tone(hex: number): readonly [number, number, number] {
  const found = known.get(hex);
  if (found !== undefined) return found;
  const color = new THREE.Color(hex);
  if (dark.matches) {
    const [r, g, b] = [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
    const chroma = Math.max(r, g, b) - Math.min(r, g, b);
    const hsl = color.getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
    const grayness = Math.min(1, Math.max(0, (GRAY_CHROMA - chroma) / 0.08));
    const turned = 0.9 - 0.78 * hsl.l;
    const lit = Math.min(0.72, hsl.l + 0.08);
    color.setHSL(hsl.h, hsl.s * (1 - 0.75 * grayness), lit + (turned - lit) * grayness, THREE.SRGBColorSpace);
  }
  const result = [color.r, color.g, color.b] as const;
  known.set(hex, result);
  return result;
}
