// Where labels go: over what they name, never on it nor on each other. Who matters more is placed first; others are pushed up
// or aside a little, and give way where there is no room near what they name.

/** What wants a label: where its foot should be (middle, bottom), how big it is, px; less rank is placed first. */
export interface Wish { x: number; y: number; wide: number; high: number; rank: number }
/** Something that must stay free: middle and half sizes, px. */
export interface Taken { x: number; y: number; halfWide: number; halfHigh: number }

/** Where a label may go instead, nearest first: aside in half widths, up in heights of its own. */
const PUSHES = [[0, 0], [0, 1], [0.55, 0], [-0.55, 0], [0.55, 1], [-0.55, 1], [0, 2]] as const;
const GAP_PX = 2;

const meets = (a: Taken, b: Taken): boolean => Math.abs(a.x - b.x) < a.halfWide + b.halfWide && Math.abs(a.y - b.y) < a.halfHigh + b.halfHigh;

/** The middle of each label, in the order of the wishes; null for one that has no room. */
export function placeLabels(wishes: readonly Wish[], obstacles: readonly Taken[]): ({ x: number; y: number } | null)[] {
  const placed: ({ x: number; y: number } | null)[] = wishes.map(() => null);
  const taken: Taken[] = [];
  const order = wishes.map((_, at) => at).sort((a, b) => wishes[a]!.rank - wishes[b]!.rank || a - b);
  for (const at of order) {
    const { x, y, wide, high } = wishes[at]!;
    for (const [aside, up] of PUSHES) {
      const box = { x: x + aside * wide, y: y - high / 2 - up * (high + GAP_PX), halfWide: wide / 2 + GAP_PX, halfHigh: high / 2 };
      if (taken.some((other) => meets(box, other)) || obstacles.some((other) => meets(box, other))) continue;
      taken.push(box);
      placed[at] = { x: box.x, y: box.y };
      break;
    }
  }
  return placed;
}
