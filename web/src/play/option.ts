// What a player sets once and finds again: kept by the browser, where it lets us.

export interface Options {
  /** How far the view turns with the mouse, 1 is stock. */
  sensitivity: number;
  /** 0 is silent, 1 is full. */
  volume: number;
  /** Moving the mouse up looks down. */
  inverted: boolean;
  /** The picture turns with edges: moving the pointer to an edge moves the map of who commands. */
  edges: boolean;
  /** How much the graphics card is asked for: by itself, shadows always, or as little as can be. */
  quality: Quality;
  /** What shows minds is shown to who plays. Never kept: it is not fair. */
  minds: boolean;
  /** The difficulty that was chosen last, by scene. */
  difficulty: Record<string, string>;
}

export const QUALITIES = ["auto", "high", "low"] as const;
export type Quality = (typeof QUALITIES)[number];
export type Keeper = Pick<Storage, "getItem" | "setItem">;

const KEY = "sentir-play";
export const STOCK: Options = { sensitivity: 1, volume: 0.5, inverted: false, edges: true, quality: "auto", minds: false, difficulty: {} };
export const SENSITIVITY = { min: 0.2, max: 3 } as const;

const within = (value: unknown, stock: number, min: number, max: number): number => (typeof value === "number" && value >= min && value <= max ? value : stock);

/** Reads what was kept; whatever is not as it should be is stock. */
export function parseOptions(text: string | null): Options {
  let kept: Partial<Record<keyof Options, unknown>>;
  try {
    const read: unknown = JSON.parse(text ?? "{}");
    kept = typeof read === "object" && read !== null ? read : {};
  } catch {
    kept = {};
  }
  const difficulty = typeof kept.difficulty === "object" && kept.difficulty !== null
    ? Object.fromEntries(Object.entries(kept.difficulty).filter((pair): pair is [string, string] => typeof pair[1] === "string")) : {};
  return {
    sensitivity: within(kept.sensitivity, STOCK.sensitivity, SENSITIVITY.min, SENSITIVITY.max), volume: within(kept.volume, STOCK.volume, 0, 1),
    quality: QUALITIES.find((quality) => quality === kept.quality) ?? STOCK.quality, inverted: kept.inverted === true, edges: kept.edges !== false, minds: false, difficulty,
  };
}

export function loadOptions(keeper: Keeper | undefined): Options {
  try { return parseOptions(keeper?.getItem(KEY) ?? null); } catch { return parseOptions(null); }
}

export function keepOptions(keeper: Keeper | undefined, options: Options): void {
  try { keeper?.setItem(KEY, JSON.stringify({ ...options, minds: undefined })); } catch { /* A browser that keeps nothing plays all the same. */ }
}
