// What a solid of the level is made of, by its color and its form: the draw list has colors only. Terrain has a family of its own
// (blue is water, deep green is forest, light green is grass, sandy is path); what stands is a wall, a crate or a door by its size.

/** Materials, in the order that the shader counts them. */
export const SURFACES = ["floor", "wall", "crate", "ramp", "door", "glass", "water", "grass", "forest", "path", "rock"] as const;
export type Surface = (typeof SURFACES)[number];

/** Higher than this a block is a wall, m; a crate is at most so wide, m. */
const CRATE_HIGH_M = 1.45, CRATE_WIDE_M = 3.2;
/** Steeper than this a floor is a ramp, m of height. */
const RAMP_M = 0.08;

interface Hsl { h: number; s: number; l: number }

export function hslOf(hex: number): Hsl {
  const [r, g, b] = [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const [l, range] = [(most + least) / 2, most - least];
  if (range < 1e-6) return { h: 0, s: 0, l };
  const s = range / (1 - Math.abs(2 * l - 1));
  const h = most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return { h: h * 60, s, l };
}

/** What the ground of a cell or a flat outline is. */
export function terrainOf(hex: number): Surface {
  const { h, s, l } = hslOf(hex);
  if (s > 0.2 && h > 175 && h < 255) return "water";
  if (s > 0.1 && h > 70 && h < 170) return l < 0.53 ? "forest" : "grass";
  if (s > 0.25 && h > 25 && h < 65 && l < 0.86) return "path";
  return l < 0.66 ? "rock" : "floor";
}

/** The form of a block: how high it stands, how wide it is, how much its top rises, m. */
export interface Form { high: number; wide: number; rise: number }

/** What a block is. */
export function blockOf(hex: number, { high, wide, rise }: Form): Surface {
  const { h, s, l } = hslOf(hex);
  if (s > 0.25 && h > 180 && h < 220 && l > 0.65) return "glass";
  if (s > 0.3 && h > 10 && h < 40 && l < 0.62) return "door";
  if (rise > RAMP_M) return "ramp";
  // A slab of ground is ground, however thick. Brown, which is dark, is wood.
  const ground = terrainOf(hex);
  if (ground === "water" || ground === "grass" || ground === "forest" || (ground === "path" && l > 0.65)) return ground;
  // Floors are drawn light; what blocks the way is gray.
  if (l > 0.74 || high < 0.12) return ground === "rock" ? "floor" : ground;
  return high < CRATE_HIGH_M && wide < CRATE_WIDE_M ? "crate" : "wall";
}

/** The color of a material where the draw list's would not be believed: paler than life on paper. */
const OWN: Partial<Record<Surface, number>> = { water: 0x4f9fd0, grass: 0x9cbf74, forest: 0x6d9a5c, path: 0xd8c08c, crate: 0xb08a58, rock: 0x8b8d90, wall: 0xb4b5b3 };
/** How much of its own color a material has. */
const OWN_SHARE: Partial<Record<Surface, number>> = { water: 0.85, grass: 0.6, forest: 0.7, path: 0.6, crate: 0.55, rock: 0.4, wall: 0.8 };

export function albedoOf(surface: Surface, hex: number): number {
  const [own, share] = [OWN[surface], OWN_SHARE[surface] ?? 0];
  if (own === undefined) return hex;
  const part = (shift: number): number => Math.round(((hex >> shift) & 255) * (1 - share) + ((own >> shift) & 255) * share);
  return (part(16) << 16) | (part(8) << 8) | part(0);
}

/** How the plain ground looks, as scenes name it. */
export const GROUNDS = ["concrete", "grass", "sand", "water", "tile", "paper"] as const;
export type Ground = (typeof GROUNDS)[number];
const GROUND_HEX: Record<Ground, number> = { concrete: 0xd9d6cc, grass: 0xa9c585, sand: 0xe2cf9f, water: 0x5aa3cf, tile: 0xe3e3de, paper: 0xf3f1ea };

export const groundHex = (ground: Ground): number => GROUND_HEX[ground];
/** By which material the plain ground is drawn. */
export const groundSurface = (ground: Ground): Surface => (ground === "grass" ? "grass" : ground === "sand" ? "path" : ground === "water" ? "water" : "floor");
