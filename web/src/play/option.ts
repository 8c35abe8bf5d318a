// What a player sets once and finds again: kept by the browser, where it lets us.

const KEY = "sentir-play";
const STOCK = { sensitivity: 1, volume: 0.5, inverted: false, minds: false };

function read(): typeof STOCK {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<typeof STOCK>;
    const number = (value: unknown, stock: number, min: number, max: number) => (typeof value === "number" && value >= min && value <= max ? value : stock);
    return { sensitivity: number(kept.sensitivity, 1, 0.1, 5), volume: number(kept.volume, 0.5, 0, 1), inverted: kept.inverted === true, minds: false };
  } catch {
    return { ...STOCK };
  }
}

export const options = read();

export function keep(): void {
  try { localStorage.setItem(KEY, JSON.stringify(options)); } catch { /* A browser that keeps nothing plays all the same. */ }
}
